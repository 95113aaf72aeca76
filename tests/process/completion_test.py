"""Shell completion, asked of real shells."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import program

SHELLS = ("bash", "zsh", "fish")


def words_of_help(*command: str) -> tuple[set[str], set[str]]:
    """Commands below, and options, as --help has them."""
    text = program.run(*command, "--help").stdout
    commands = set(re.findall(r"^  ([a-z][a-z-]*) {2,}", text, re.MULTILINE))
    return commands, set(re.findall(r"^ +(?:-\w,)?(--[a-z][a-z-]*)", text, re.MULTILINE))


def commands_of_help() -> list[tuple[str, ...]]:
    """Every command, the program itself first."""
    found: list[tuple[str, ...]] = [()]
    for command in found:
        found += [(*command, below) for below in sorted(words_of_help(*command)[0])]
    return found


class CompletionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        (cls.folder / "a file.yaml").write_text("")
        (cls.folder / "run").mkdir()
        for shell in SHELLS:
            (cls.folder / f"crawld.{shell}").write_text(program.run("completion", shell).stdout)

    def shell(self, *arguments: str) -> str:
        finished = subprocess.run(
            arguments, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.assertEqual((finished.returncode, finished.stderr), (0, ""), arguments)
        return finished.stdout

    def bash(self, *words: str) -> set[str]:
        """What bash offers for the last of `words`."""
        ask = 'source ./crawld.bash; complete -p crawld >/dev/null || exit 1; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _crawld; '
        ask += 'printf "%s\\n" "${COMPREPLY[@]}"'
        return set(self.shell("bash", "-c", ask, "bash", "crawld", *words).splitlines()) - {""}

    def fish(self, line: str) -> set[str]:
        offered = self.shell("fish", "--no-config", "-c", f'source ./crawld.fish; complete -C "{line}"')
        return {row.partition("\t")[0] for row in offered.splitlines()}

    def test_bash_offers_what_help_says(self):
        commands = commands_of_help()
        self.assertGreater(len(commands), 15)
        for command in commands:
            below, options = words_of_help(*command)
            with self.subTest(command):
                if below:
                    self.assertEqual(self.bash(*command, ""), below)
                self.assertEqual({o for o in self.bash(*command, "-") if o.startswith("--")}, options)

    def test_bash_knows_values(self):
        self.assertEqual(self.bash("run", "--config", ""), {"a file.yaml", "run", *(f"crawld.{s}" for s in SHELLS)})
        self.assertEqual(self.bash("run", "-c", "a"), {"a file.yaml"})
        self.assertEqual(self.bash("run", "--config", "=", "a"), {"a file.yaml"})
        self.assertEqual(self.bash("run", "--config", "frontier", "--u"), {"--until-idle"})  # a value is no command
        self.assertEqual(self.bash("run", "--for", ""), set())
        self.assertEqual(self.bash("completion", ""), set(SHELLS))
        self.assertEqual(self.bash("frontier", "forget", "--u"), {"--url"})
        self.assertEqual(self.bash("run", "--set", "robots.max_"), {"robots.max_redirects="})
        self.assertEqual(self.bash("warc", "verify", "a"), {"a file.yaml"})

    @unittest.skipUnless(shutil.which("fish"), "fish is absent")
    def test_fish_offers_what_help_says(self):
        self.shell("fish", "--no-config", "-n", "crawld.fish")
        for command in commands_of_help():
            below, options = words_of_help(*command)
            with self.subTest(command):
                line = " ".join(("crawld", *command, ""))
                if below:
                    self.assertEqual(self.fish(line), below)
                self.assertEqual({o for o in self.fish(line + "-") if o.startswith("--")}, options)

    @unittest.skipUnless(shutil.which("fish"), "fish is absent")
    def test_fish_knows_values(self):
        self.assertIn("a file.yaml", {word.replace("\\", "") for word in self.fish("crawld run --config ")})
        self.assertEqual(self.fish("crawld completion "), set(SHELLS))
        self.assertEqual(self.fish("crawld run --config frontier --u"), {"--until-idle"})
        self.assertEqual(self.fish("crawld run --set robots.max_"), {"robots.max_redirects="})
        self.assertEqual(self.fish("crawld run --for "), set())

    @unittest.skipUnless(shutil.which("zsh"), "zsh is absent")
    def test_zsh_hands_on_what_help_says(self):
        """zsh completes only on a terminal, so its own helpers are replaced by ones that print what they are given."""
        self.shell("zsh", "-f", "-n", "crawld.zsh")
        stubs = 'compdef() { }; _arguments() { print -rl -- "$@" }; source ./crawld.zsh; '
        for command in commands_of_help():
            below, options = words_of_help(*command)
            with self.subTest(command):
                given = self.shell("zsh", "-f", "-c", stubs + "_".join(("_crawld", *command)))
                specs = re.findall(r"^(?:\([^)]*\)|\*)?(--?[a-z][a-z-]*)\[", given, re.MULTILINE)
                self.assertEqual({s for s in specs if s.startswith("--")}, options)
                ask = stubs + "_arguments() { state=command }; _describe() { print -rl -- ${(P)2} }; " + "_".join(("_crawld", *command))
                self.assertEqual({line.partition(":")[0] for line in self.shell("zsh", "-f", "-c", ask).splitlines()}, below)

    def test_other_shells_are_refused(self):
        self.assertEqual(program.run("completion", "tcsh").returncode, 64)


if __name__ == "__main__":
    unittest.main()
