"""The manual pages say what the program does: every key with its default, every command with its options."""

import pathlib
import re
import tempfile
import unittest

import program

# Commands to a running crawl: their common options are told once.
SHARING = {"status", "hosts", "host", "seeds list", "seeds add", "pause", "resume", "drain", "delay", "requeue", "reload", "log-level"}
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
        self.assertIn(".It Ic include\n", text)  # the one key that is no value
        page = {match[1]: plain(match[2]) for match in re.finditer(r"^\.It Ic ([\w.]+) : (.*)$", text, re.MULTILINE)}
        self.assertEqual(page, keys)

    def test_every_command_and_option_stands_there(self):
        """`crawld completion` walks the command line itself, so it leaves nothing out; --help has to agree."""
        page = (PAGES / "crawld.8").read_text(encoding="utf-8")
        commands: dict[str, set[str]] = {}
        for line in program.run("completion", "fish").stdout.splitlines():
            if match := re.match(r"""complete -c crawld -n "__crawld_at '(.*?)'" """, line):
                options = commands.setdefault(match[1].replace("/", " ").strip(), set())
                options |= set(re.findall(r" -l ([a-z][a-z-]*)(?= |$)", line.partition(" -d ")[0]))
        self.assertGreater(len(commands), 15)
        for command, options in commands.items():
            text = program.run(*command.split(), "--help").stdout
            helped = set(re.findall(r"(?<=--)[a-z][a-z-]+(?=[ ,])", text.partition("\nExample")[0]))
            self.assertEqual(helped - {"version"}, options - {"version"}, command)
            self.assertIn("help", options)
            if any(other.startswith(f"{command} ".lstrip()) for other in commands if other != command):
                continue  # not a command by itself
            self.assertRegex(page, rf"(?m)^\.It Cm {command}$")
            entry = re.split(r"(?m)^\.(?:It Cm|Sh) ", page.partition(f"\n.It Cm {command}\n")[2])[0]
            shared = {"help", "config", "set", "socket"} | ({"json", "log", "limit"} if command in SHARING or command.startswith(("frontier ", "report ")) else set())
            for option in options:
                self.assertIn(f"Fl Fl {option}", page if option in shared else entry, command)


if __name__ == "__main__":
    unittest.main()
