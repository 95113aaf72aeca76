"""The manual pages say what the program does: every key with its default, every command with its options."""

import pathlib
import re
import tempfile
import unittest

import program

PAGES = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "man"


def plain(text: str) -> str:
    """Roff's escapes for the characters that the defaults need."""
    return text.replace(r"\(dq", '"')


def paths_of(yaml: str) -> dict[str, str]:
    """Key paths and values of block-style YAML with two blanks a level, as dump-config writes it. Items of lists are left out."""
    found, parents = {}, []
    for line in yaml.splitlines():
        if match := re.match(r"^( *)([a-z_0-9]+):(?: (.*))?$", line):
            depth = len(match[1]) // 2
            parents = [*parents[:depth], match[2]]
            if match[3] is not None:
                found[".".join(parents)] = match[3].partition(" #")[0].strip()
    return found


class ManualTest(unittest.TestCase):
    def test_every_key_stands_there_with_its_default(self):
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as folder:
            config = pathlib.Path(folder, "crawld.yaml")
            config.write_text("agent:\n  contact: process-test@crawld.test\n", encoding="utf-8")
            dumped = program.run("dump-config", "--config", config)
        self.assertEqual(dumped.returncode, 0, dumped.stderr)
        keys = paths_of(dumped.stdout)
        del keys["agent.contact"]
        self.assertGreater(len(keys), 30)
        text = (PAGES / "crawld.yaml.5").read_text(encoding="utf-8")
        page = {match[1]: plain(match[2]) for match in re.finditer(r"^\.It Ic ([\w.]+) : (.*)$", text, re.MULTILINE)}
        self.assertEqual(page, keys)

    def test_every_command_and_option_stands_there(self):
        page = (PAGES / "crawld.8").read_text(encoding="utf-8")
        frontier = (["frontier", command] for command in ("stats", "list", "verify", "export", "import", "forget"))
        commands = (["run"], ["check-config"], ["dump-config"], ["explain"], ["robots", "test"], ["robots", "pace"], *frontier)
        listed = re.findall(r"^  ([a-z][a-z-]*) {2,}", program.run("--help").stdout, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted({command[0] for command in commands}))
        for command in commands:
            text = program.run(*command, "--help").stdout
            options = set(re.findall(r"(?<=--)[a-z][a-z-]+", text))
            self.assertIn("help", options)
            for option in options:
                self.assertIn(f"Fl Fl {option}", page, command)
            self.assertRegex(page, rf"(?m)^\.It Cm {' '.join(command)}$")


if __name__ == "__main__":
    unittest.main()
