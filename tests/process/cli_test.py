"""The command line: exit codes, and where a mistake in the configuration is."""

import json
import pathlib
import tempfile
import unittest

import program

GOOD = "agent:\n  contact: process-test@crawld.test\nseeds:\n  - http://www.crawld.test/\n"
ROBOTS = "User-agent: *\nDisallow: /private/\nCrawl-delay: 3\n"


class CliTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, text: str, name: str = "crawld.yaml") -> pathlib.Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_version_and_help(self):
        self.assertRegex(program.run("--version").stdout, r"^crawld \d+\.\d+\.\d+\n")
        for arguments in (["--help"], ["run", "--help"], ["robots", "test", "--help"]):
            finished = program.run(*arguments)
            self.assertEqual(finished.returncode, 0)
            self.assertIn("Usage", finished.stdout)

    def test_an_agent_is_one_word_and_what_follows_is_a_url(self):
        robots = self.write("User-agent: mybot\nDisallow: /a\n", "robots.txt")
        finished = program.run("robots", "test", "--robots", robots, "--agent", "other", "--agent", "mybot", "http://x.test/a", "http://x.test/b")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertRegex(finished.stdout, r"(?s)^disallowed +http://x.test/a\n.*\nallowed +http://x.test/b\n")

    def test_mistakes_on_the_command_line_exit_with_64(self):
        good = self.write(GOOD)
        for arguments in (
            [],
            ["--no-such-flag"],
            ["no-such-command"],
            ["run"],
            ["run", "--config", good, "--no-such-flag"],
            ["run", "--config", good, "--for", "soon"],
            ["robots"],
            ["robots", "test"],
        ):
            with self.subTest(arguments):
                finished = program.run(*arguments)
                self.assertEqual(finished.returncode, 64, finished.stderr)
                self.assertEqual(finished.stdout, "")
                self.assertNotEqual(finished.stderr, "")

    def test_a_good_configuration_passes(self):
        self.assertEqual(program.run("check-config", "--config", self.write(GOOD)).returncode, 0)

    def test_every_error_is_named_with_its_place_and_exits_with_78(self):
        bad = self.write(GOOD + "politeness:\n  default_interval: 2\n  hard_minimun: 1s\n")
        for command in ("check-config", "run", "dump-config"):
            with self.subTest(command):
                finished = program.run(command, "--config", bad)
                self.assertEqual(finished.returncode, 78)
                self.assertEqual(finished.stdout, "")
                self.assertIn(f"{bad}:6:", finished.stderr)
                self.assertIn(f"{bad}:7:", finished.stderr)
                self.assertRegex(finished.stderr, r"crawld\.yaml:7:\d+: .*hard_minimun.*hard_minimum")

    def test_a_configuration_that_is_not_there_exits_with_78(self):
        finished = program.run("check-config", "--config", self.folder / "absent.yaml")
        self.assertEqual(finished.returncode, 78)
        self.assertIn("absent.yaml", finished.stderr)

    def test_nobody_crawls_without_a_contact(self):
        for contact in ("", "agent:\n  contact: me@example.com\n"):
            finished = program.run("run", "--config", self.write(contact + "seeds:\n  - http://www.crawld.test/\n"))
            self.assertEqual(finished.returncode, 78)
            self.assertIn("contact", finished.stderr)

    def test_the_dumped_configuration_says_the_same_again(self):
        dumped = program.run("dump-config", "--config", self.write(GOOD))
        self.assertEqual(dumped.returncode, 0, dumped.stderr)
        self.assertIn("per_address_interval", dumped.stdout)
        again = program.run("dump-config", "--config", self.write(dumped.stdout, "again.yaml"))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout, dumped.stdout)

    def test_robots_test_tells_verdict_rule_and_line(self):
        robots = self.write(ROBOTS, "robots.txt")
        finished = program.run(
            "robots", "test", "--robots", robots, "--agent", "crawld", "--json",
            "http://www.crawld.test/private/a", "http://www.crawld.test/b",
        )  # fmt: skip
        self.assertEqual(finished.returncode, 0, finished.stderr)
        closed, opened = json.loads(finished.stdout)
        self.assertEqual((closed["allow"], closed["line"], closed["interval_s"]), (False, 2, 3))
        self.assertTrue(opened["allow"])


if __name__ == "__main__":
    unittest.main()
