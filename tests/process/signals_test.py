"""How crawld ends: told once, told twice, and killed."""

import os
import pathlib
import signal
import tempfile
import time
import unittest

import program
from littleweb import LittleWeb, Site, page

GRACE = 20  # seconds, as crawld(8) has them
AT_ONCE = 8  # seconds; a busy machine may need some
SLOW, ENDLESS = "/slow.html", "/endless.html"


def filler(octets: int) -> str:
    """Leads to sites of every shard, also of those that have come to their end by then."""
    return page("slow", "<p>" + "x" * octets + "</p>", *(f"http://other{n}.test/" for n in range(20)))


class SignalsTest(unittest.TestCase):
    """slow.test takes about three seconds for a page and a minute for another; quick.test always has another page to offer."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        many = {"/": page("many", *(f"/{n}.html" for n in range(500)))} | {f"/{n}.html": page("x") for n in range(500)}
        sites = [
            Site("slow.test", "127.2.0.1", "User-agent: *\n", {"/": page("slow", SLOW), SLOW: filler(6000)}, rates={SLOW: 2000}),
            Site("endless.test", "127.2.0.2", "User-agent: *\n", {"/": page("endless", ENDLESS), ENDLESS: filler(60000)}, rates={ENDLESS: 1000}),
            Site("quick.test", "127.2.0.3", "User-agent: *\n", many),
        ]  # fmt: skip
        self.web = LittleWeb(sites, self.folder / "web")
        self.web.__enter__()
        self.addCleanup(self.web.stop)
        self.log = self.folder / "crawld.log"

    def crawl(self, *hosts: str, follow: str = "host"):
        """Starts a crawl and returns it once every host has answered `/`: the next request of each is on its way."""
        politeness = "  default_interval: 100ms\n  latency_factor: 0\n"
        config = program.configuration(self.web, list(hosts), self.folder, f"scope:\n  follow: {follow}\n", politeness)
        before = len(self.web.requests())
        crawler = program.start(config, self.log)
        self.addCleanup(lambda: crawler.poll() is None and crawler.kill())
        program.wait_for(lambda: {r.host for r in self.web.requests()[before:] if r.target == "/"} >= set(hosts))
        time.sleep(0.5)  # five intervals
        self.assertIsNone(crawler.poll(), self.log.read_text())
        return crawler

    def test_one_signal_lets_requests_end_and_starts_none(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                crawler = self.crawl("slow.test", "quick.test", follow="any")
                told = time.time()
                crawler.send_signal(number)
                self.assertEqual(crawler.wait(GRACE + 2), 0, self.log.read_text())
                ended = time.time()
                program.wait_for(lambda: any(r.target == SLOW for r in self.web.requests()), 5)
                slow = [r for r in self.web.requests() if r.target == SLOW][-1]
                self.assertLess(slow.start, told, "the slow page was not under way: this test says nothing")
                self.assertGreater(slow.end, told, "the slow page was over already: this test says nothing")
                self.assertLessEqual(slow.end, ended + 0.05, "crawld did not wait for the slow page")
                self.assertEqual(slow.status, 200)
                self.assertEqual([r.target for r in self.web.requests() if told + 0.3 < r.start < ended + 1], [])

    def test_nothing_under_way_means_an_end_at_once(self):
        crawler = self.crawl("quick.test")
        told = time.monotonic()
        crawler.terminate()
        self.assertEqual(crawler.wait(GRACE), 0)
        self.assertLess(time.monotonic() - told, AT_ONCE)

    def test_a_second_signal_cuts_requests_off(self):
        crawler = self.crawl("endless.test")
        crawler.terminate()
        time.sleep(1)
        self.assertIsNone(crawler.poll(), "one signal was enough: this test says nothing")
        told = time.monotonic()
        crawler.terminate()
        self.assertEqual(crawler.wait(GRACE), 0, self.log.read_text())
        self.assertLess(time.monotonic() - told, AT_ONCE)

    def test_for_ends_the_crawl_politely(self):
        config = program.configuration(self.web, ["quick.test"], self.folder, politeness="  default_interval: 100ms\n")
        began = time.monotonic()
        finished = program.run("run", "--config", config, "--for", "2s")
        took = time.monotonic() - began
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertGreaterEqual(took, 2)
        self.assertLess(took, 2 + AT_ONCE)
        self.assertGreater(len(self.web.requests()), 5)

    def test_sighup_takes_new_seeds_and_refuses_a_mistake(self):
        """A configuration with an error changes nothing; a good one brings its seeds and drops what is out of scope by then."""
        crawler = self.crawl("quick.test")
        config = self.folder / "crawld.yaml"
        good = config.read_text(encoding="utf-8")
        config.write_text(good.replace("seeds:\n", "sedes:\n"), encoding="utf-8")
        crawler.send_signal(signal.SIGHUP)
        program.wait_for(lambda: "result=refused" in self.log.read_text(), 10)
        self.assertIn("sedes", self.log.read_text())
        count = len(self.web.requests())
        program.wait_for(lambda: len(self.web.requests()) > count + 3, 10)  # it goes on as before

        config.write_text(good.replace(self.web.url("quick.test"), self.web.url("slow.test")), encoding="utf-8")
        crawler.send_signal(signal.SIGHUP)
        program.wait_for(lambda: any(r.host == "slow.test" and r.target == "/" for r in self.web.requests()), 10)
        self.assertIn("result=done", self.log.read_text())
        count = len([r for r in self.web.requests() if r.host == "quick.test"])
        time.sleep(1)
        self.assertLessEqual(len([r for r in self.web.requests() if r.host == "quick.test"]), count + 1)
        self.assertIn("fate=out_of_scope", self.log.read_text())
        crawler.terminate()
        self.assertEqual(crawler.wait(GRACE), 0)

    def test_a_killed_crawl_leaves_nothing_running(self):
        crawler = self.crawl("quick.test")
        group = os.getpgid(crawler.pid)
        self.assertEqual(group, crawler.pid)
        crawler.kill()
        self.assertEqual(crawler.wait(5), -signal.SIGKILL)
        with self.assertRaises(ProcessLookupError):
            os.killpg(group, 0)
        count = len(self.web.requests())
        time.sleep(0.5)
        self.assertEqual(len(self.web.requests()), count)


if __name__ == "__main__":
    unittest.main()
