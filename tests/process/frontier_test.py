"""`crawld frontier`: while a crawl runs, after it ended, after it was killed, and on another machine."""

import json
import pathlib
import signal
import tempfile
import unittest

import program
from littleweb import LittleWeb, Site, page

PAGES = 400
SLOW = "  default_interval: 100ms\n  latency_factor: 0\n"


class FrontierTest(unittest.TestCase):
    """many.test has more pages than any of these crawls visits."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        leaves = [f"/{n}.html" for n in range(PAGES)]
        pages = {"/": page("many", *leaves)} | {leaf: page("x") for leaf in leaves}
        self.web = LittleWeb([Site("many.test", "127.2.1.1", "User-agent: *\nDisallow: /private\n", pages)], self.folder / "web")
        self.web.__enter__()
        self.addCleanup(self.web.stop)
        self.log = self.folder / "crawld.log"
        self.config = self.configuration("here")

    def configuration(self, name: str) -> pathlib.Path:
        """A configuration with a storage directory of its own."""
        folder = self.folder / name
        folder.mkdir()
        return program.configuration(self.web, ["many.test"], folder, politeness=SLOW)

    def storage(self, config: pathlib.Path) -> list[str]:
        (directory,) = config.parent.glob("storage.*")
        return sorted(entry.name for entry in directory.iterdir())

    def tool(self, *arguments, config=None, code=0) -> str:
        finished = program.run("frontier", *arguments, "--config", config or self.config)
        self.assertEqual(finished.returncode, code, finished.stdout[-2000:] + finished.stderr)
        said = "".join(line for line in finished.stderr.splitlines(True) if not line.startswith("warning: "))
        self.assertEqual(said == "", code == 0, said)
        return finished.stdout if code == 0 else said

    def stats(self) -> dict:
        return json.loads(self.tool("stats", "--json"))

    def crawl(self, visits: int):
        """Starts a crawl and returns it after so many visits."""
        crawler = program.start(self.config, self.log)
        self.addCleanup(lambda: crawler.poll() is None and crawler.kill())
        before = len(self.web.requests())
        program.wait_for(lambda: len(self.web.requests()) >= before + visits)
        self.assertIsNone(crawler.poll(), self.log.read_text())
        return crawler

    def end(self, crawler):
        crawler.terminate()
        self.assertEqual(crawler.wait(25), 0, self.log.read_text())

    def test_without_a_frontier_there_is_nothing_to_show(self):
        for command in ("stats", "list", "export", "verify"):
            self.assertIn("there is no frontier yet", self.tool(command, code=66))
        self.assertIn("there is no frontier yet", self.tool("forget", "--origin", self.web.url("many.test"), code=66))
        self.assertEqual(self.storage(self.config), [])

    def test_a_crawl_can_be_looked_at_while_it_runs(self):
        crawler = self.crawl(5)
        for _ in range(5):
            self.assertRegex(self.tool("verify"), r"^1 origins, 401 URLs, 0 problems\n$")
        stats = self.stats()
        self.assertEqual(stats["running"], crawler.pid)
        self.assertEqual((stats["origins"], stats["seen"]), (1, PAGES + 1))
        self.assertGreater(stats["owed"], 0)
        about, *urls = map(json.loads, self.tool("list", "--json", "--limit", "0", "--origin", self.web.url("many.test")).splitlines())
        self.assertEqual(about["robots"]["access"], "rules")
        self.assertEqual(len(urls), PAGES + 1)
        self.assertGreater(sum(url["state"] == "done" and url["status"] == 200 for url in urls), 2)
        exported = self.tool("export")
        self.assertEqual(exported.count('{"seen"') + exported.count('{"url"'), PAGES + 1)
        for refused in (("forget", "--origin", self.web.url("many.test")), ("forget", "--url", self.web.url("many.test"))):
            self.assertIn(f"in use by process {crawler.pid}", self.tool(*refused, code=75))
        self.end(crawler)
        stats = self.stats()
        self.assertIsNone(stats["running"])
        self.assertLess(abs(stats["stopped"]["in_s"]), 25)
        self.assertRegex(self.tool("stats"), r"last run:  stopped in order \S+Z \((now|\d+s ago)\)\n")

    def test_after_a_kill_the_store_adds_up(self):
        crawler = self.crawl(10)
        crawler.send_signal(signal.SIGKILL)
        crawler.wait(5)
        self.assertRegex(self.tool("verify"), r" 0 problems\n$")
        self.assertIn("did not stop in order", self.tool("stats"))
        self.end(self.crawl(3))
        self.assertRegex(self.tool("verify"), r" 0 problems\n$")
        targets = [r.target for r in self.web.requests() if r.target != "/robots.txt"]
        self.assertGreaterEqual(len(targets), 10)

    def test_an_export_goes_on_elsewhere(self):
        self.end(self.crawl(10))
        lines = self.folder / "frontier.jsonl"
        self.assertRegex(self.tool("export", "--output", lines), r"^1 origins, 401 URLs\n$")
        self.assertEqual(self.tool("export"), lines.read_text(encoding="utf-8"))
        other = self.configuration("other")
        self.assertRegex(self.tool("import", "--input", lines, config=other), r"^1 origins, 401 URLs\n$")
        self.assertEqual(self.tool("export", config=other), lines.read_text(encoding="utf-8"))
        self.assertRegex(self.tool("verify", config=other), r" 0 problems\n$")
        self.assertIn("there is a frontier already", self.tool("import", "--input", lines, config=other, code=73))

        visited = {r.target for r in self.web.requests()}
        before = len(self.web.requests())
        self.config = other
        self.end(self.crawl(5))
        fresh = [r.target for r in self.web.requests()[before:]]
        self.assertGreaterEqual(len(fresh), 5)
        self.assertEqual(visited & set(fresh), set(), "a page was visited again")

    def test_half_an_export_is_no_frontier(self):
        self.end(self.crawl(3))
        text = self.tool("export")
        lines = self.folder / "half.jsonl"
        lines.write_text(text[: len(text) // 2], encoding="utf-8")
        other = self.configuration("other")
        self.assertRegex(self.tool("import", "--input", lines, config=other, code=65), rf"^{lines}:\d+: ")
        self.assertEqual(self.storage(other), [])
        self.tool("stats", config=other, code=66)
        self.assertIn("absent.jsonl: cannot be read", self.tool("import", "--input", self.folder / "absent.jsonl", config=other, code=66))

    def test_what_is_forgotten_is_found_again(self):
        self.end(self.crawl(10))
        seed = self.web.url("many.test")
        self.assertRegex(self.tool("forget", "--origin", seed), r"^http://many\.test:\d+: 401 URLs forgotten, \d+ of them owed\n$")
        self.assertRegex(self.tool("verify"), r"^1 origins, 0 URLs, 0 problems\n$")
        before = len(self.web.requests())
        self.end(self.crawl(3))
        again = [r.target for r in self.web.requests()[before:]]
        self.assertEqual(again[:2], ["/", "/0.html"])  # and robots.txt was not forgotten
        self.assertEqual(self.stats()["seen"], PAGES + 1)
        self.assertRegex(self.tool("forget", "--url", seed + "399.html", "--json"), r'"urls":1,"owed":1}\n$')
        self.assertIn("absent.html: not in the frontier", self.tool("forget", "--url", seed + "absent.html", code=65))

    def test_mistakes_on_the_command_line_exit_with_64(self):
        for arguments in (
            [],
            ["stats"],
            ["no-such-command"],
            ["forget", "--config", self.config],
            ["forget", "--config", self.config, "--origin", "http://a.test/", "--url", "http://a.test/"],
            ["list", "--config", self.config, "--owed", "--done"],
            ["list", "--config", self.config, "--limit", "-1"],
        ):
            with self.subTest(arguments):
                finished = program.run("frontier", *arguments)
                self.assertEqual(finished.returncode, 64, finished.stderr)
                self.assertEqual(finished.stdout, "")
        self.assertEqual(program.run("frontier", "list", "--config", self.config, "--origin", "not a URL").returncode, 65)


if __name__ == "__main__":
    unittest.main()
