"""What deploy/site-owners.md tells owners of sites to write into robots.txt means to the program what the page says."""

import html
import json
import pathlib
import re
import tempfile
import unittest

import program

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"
MARKDOWN = (DEPLOY / "site-owners.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```text\n(User-agent: .*?)```", MARKDOWN, re.DOTALL)
NOON, NIGHT = "2026-11-21T12:00:00Z", "2026-11-21T23:00:00Z"

# For each example, in the order of the page: the instant, the interval that it asks for, and which paths are open.
MEANT = [
    (NOON, 10, {"/": True}),
    (NIGHT, 5, {"/": True}),
    (NOON, 0.5, {"/": True}),
    (NOON, 2, {"/private/a": False, "/private/open.html": True, "/a.pdf": False, "/a.pdf?x": True, "/": True}),
    (NOON, 2, {"/": False, "/a": False, "/robots.txt": True}),
    (NOON, 2, {"/": False, "/a": False}),
    (NOON, 2, {"/help": False, "/help/me": True, "/page/3": False, "/page/9": True, "/": True}),
]


class SiteOwnersTest(unittest.TestCase):
    def answers(self, robots: str, at: str, paths: list[str]) -> list[dict]:
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as folder:
            file = pathlib.Path(folder, "robots.txt")
            file.write_text(robots, encoding="utf-8")
            urls = [f"https://www.site.test{path}" for path in paths]
            done = program.run("robots", "test", "--robots", file, "--agent", "mybot", "--at", at, "--json", *urls)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_each_example_means_what_the_page_says(self):
        self.assertEqual(len(EXAMPLES), len(MEANT))
        for robots, (at, interval, paths) in zip(EXAMPLES, MEANT):
            with self.subTest(robots):
                answers = self.answers(robots, at, list(paths))
                self.assertEqual([answer["allow"] for answer in answers], list(paths.values()))
                self.assertEqual({answer["interval_s"] for answer in answers}, {interval})

    def test_by_day_the_window_is_closed(self):
        self.assertEqual(self.answers(EXAMPLES[1], NOON, ["/"])[0]["interval_s"], 10)

    def test_both_forms_of_the_page_have_the_same_examples(self):
        page = (DEPLOY / "site-owners.html").read_text(encoding="utf-8")
        shown = [html.unescape(text) + "\n" for text in re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)]
        self.assertEqual([text for text in shown if text.startswith("User-agent: ")][-len(EXAMPLES) :], EXAMPLES)


if __name__ == "__main__":
    unittest.main()
