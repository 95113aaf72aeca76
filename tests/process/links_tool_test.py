"""`crawld links` and `crawld url`: what the program makes of a page and of URLs."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import program

PAGE = (
    "<html><head><title>A  page</title><meta name=robots content='noarchive, unavailable_after: 2030-06-25'>"
    "<link rel=canonical href=/c></head><body><a href='b?x=\u00e9'>1</a><a rel=ugc href=/d>2</a><a href='mailto:x'>3</a><img src=i.png>"
)
BASE = "http://www.crawld.test/dir/page"


def run(*arguments, given: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run([program.CRAWLD, *map(str, arguments)], input=given, capture_output=True, timeout=30, check=False)


class LinksToolTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.page = pathlib.Path(temporary.name, "page.html")
        self.page.write_bytes(PAGE.encode("latin-1"))

    def test_links_are_told_with_how_they_were_found(self):
        finished = run("links", self.page, "--base", BASE, "--type", "text/html; charset=latin1")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual(
            finished.stdout.decode().splitlines(),
            [
                "canonical http://www.crawld.test/c",
                "a http://www.crawld.test/dir/b?x=%E9",
                "a nofollow http://www.crawld.test/d",
                "kind:      html",
                "title:     A page",
                "charset:   windows-1252",
                "rules:     noarchive, unavailable_after: 2030-06-25T00:00:00.000Z",
                "dropped:   1",
            ],
        )

    def test_links_come_as_json_and_from_standard_input(self):
        finished = run("links", "-", "--base", BASE, "--embeds", "--json", given=PAGE.encode())
        self.assertEqual(finished.returncode, 0, finished.stderr)
        told = json.loads(finished.stdout)
        self.assertEqual(told["charset"], "utf-8")
        self.assertEqual(told["canonical"], "http://www.crawld.test/c")
        self.assertIn({"url": "http://www.crawld.test/dir/i.png", "kind": "embed", "nofollow": False}, told["links"])
        self.assertIn({"url": "http://www.crawld.test/dir/b?x=%C3%A9", "kind": "a", "nofollow": False}, told["links"])

    def test_a_missing_page_and_a_bad_base_have_their_codes(self):
        self.assertEqual(run("links", "/nowhere/page", "--base", BASE).returncode, 66)
        self.assertEqual(run("links", self.page, "--base", "www.crawld.test").returncode, 65)
        self.assertEqual(run("links", self.page).returncode, 64)

    def test_url_shows_the_normal_form(self):
        finished = run("url", "HTTP://Www.Crawld.Test:80/a/../b#c", "//other.test", "--base", BASE)
        self.assertEqual((finished.returncode, finished.stdout.decode()), (0, "http://www.crawld.test/b\nhttp://other.test/\n"))
        refused = run("url", "http://h:x/", "http://h/")
        self.assertEqual((refused.returncode, refused.stdout), (65, b"http://h/\n"))
        self.assertIn(b"http://h:x/: invalid port", refused.stderr)
        self.assertEqual(run("url").returncode, 64)
        self.assertEqual(run("url", "x", "--base", "none").returncode, 65)

    def test_url_answers_lines_in_order(self):
        cases = [
            ({"input": "b", "base": "http://h/a/"}, "http://h/a/b"),
            ({"input": "http://H", "base": None}, "http://h/"),
            ({"input": "http://H"}, "http://h/"),
            ({"input": "http://H", "base": "about:blank"}, "http://h/"),
            ({"input": "b", "base": "about:blank"}, None),
            ({"input": "http://h/", "base": "http://["}, None),
            ({"input": "b"}, None),
            ({"input": "http://h/\ud800x\U0001f600\\ud800"}, "http://h/%EF%BF%BDx%F0%9F%98%80/ud800"),
        ]
        lines = [json.dumps(case) for case, _ in cases]
        finished = run("url", "--jsonl", given="\n".join(lines).encode())
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual([json.loads(line) for line in finished.stdout.splitlines()], [{"href": href} for _, href in cases])

    def test_url_names_broken_lines_and_goes_on(self):
        given = '{"input": "http://a/"}\nrubbish\n\n{"in": 1}\n[]\n{"input": 1}\n{"input": "x", "base": 1}\n{"input": "http://b/"}\n'
        finished = run("url", "--jsonl", given=given.encode())
        self.assertEqual(finished.returncode, 65)
        told = [json.loads(line)["href"] for line in finished.stdout.splitlines()]
        self.assertEqual(told, ["http://a/", None, None, None, None, None, "http://b/"])
        named = [line.split(b":")[0] for line in finished.stderr.splitlines()]
        self.assertEqual(named, [b"line 2", b"line 4", b"line 5", b"line 6", b"line 7"])


if __name__ == "__main__":
    unittest.main()
