"""A crawl that is killed again and again, judged by the server's log: nothing lost, nothing asked twice without need, no window broken.

CRAWLD_KILLS: how often it is killed (20). CRAWLD_SEED: draws when. CRAWLD_KEEP: a new folder that keeps all logs.
"""

import os
import pathlib
import random
import re
import signal
import statistics
import tempfile
import time
import unittest

import program
from chain_web import ROBOTS, ChainWeb, Origin, Request, events, pages_of, world
from kill_judge import Stop, check

KILLS = int(os.environ.get("CRAWLD_KILLS", "20"))
SEED = int(os.environ.get("CRAWLD_SEED", "1"))
POLITE_EVERY = 5  # after so many kills comes a SIGTERM
RUN_SECONDS = (0.3, 4.0)  # from a start to its end
GRACE = 22  # seconds that SIGTERM may take, as crawld(8) has them and a little
ORIGINS = 220
SPAN = 65.0 * max(1, KILLS / 20)  # seconds of crawling for the longest chain: more than there is between the kills
LAST_SECONDS = 90 + SPAN


class KillTest(unittest.TestCase):
    """The crawl runs once; each test looks at one promise."""

    @classmethod
    def setUpClass(cls):
        if keep := os.environ.get("CRAWLD_KEEP"):
            folder = pathlib.Path(keep).resolve()
            folder.mkdir()
        else:
            temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
            cls.addClassCleanup(temporary.cleanup)
            folder = pathlib.Path(temporary.name)
        cls.folder = folder
        cls.origins = world(ORIGINS, SPAN, SEED)
        cls.stops: list[Stop] = []
        cls.ready: list[float] = []
        cls.trouble: list[str] = []
        cls.verified = "not asked"
        (folder / "state").mkdir()
        with ChainWeb(cls.origins, folder / "web") as cls.web:
            cls.config = cls.web.configuration(folder / "state", "  pause_below: 16MiB\n  resume_above: 16MiB\n")
            began = time.monotonic()
            cls.run_and_stop()
            cls.at_last_stop = cls.web.requests()
            cls.status = None if cls.trouble else cls.run_to_the_end()
            cls.took = time.monotonic() - began
            cls.verify()
            cls.requests = cls.web.requests()
        cls.found = check(cls.origins, cls.requests, cls.stops)
        cls.summarise()

    @classmethod
    def run_and_stop(cls):
        chance = random.Random(SEED)
        kills = 0
        while kills < KILLS and not cls.trouble:
            polite = len(cls.stops) % (POLITE_EVERY + 1) == POLITE_EVERY
            log, started = cls.folder / f"run-{len(cls.stops) + 1}.log", time.time()
            crawler = program.start(cls.config, log)
            try:
                time.sleep(chance.uniform(*RUN_SECONDS))
                before = time.time()
                if crawler.poll() is not None:
                    cls.trouble.append(f"{log.name}: ended by itself with {crawler.returncode}: {log.read_text()[-2000:]}")
                crawler.send_signal(signal.SIGTERM if polite else signal.SIGKILL)
                status = crawler.wait(GRACE)
                heard = events(log, "start") or status != -signal.SIGTERM  # before that nobody listens to signals
                if polite and heard and status != 0:
                    cls.trouble.append(f"{log.name}: SIGTERM ended it with {status}: {log.read_text()[-2000:]}")
            finally:
                crawler.kill()
                crawler.wait()
            cls.stops.append(Stop(before, time.time(), not polite))
            kills += not polite
            cls.look_at(log, started)

    @classmethod
    def run_to_the_end(cls) -> int:
        log, started = cls.folder / "run-last.log", time.time()
        crawler = program.start(cls.config, log, "--until-idle")
        try:
            return crawler.wait(LAST_SECONDS)
        finally:
            crawler.kill()
            crawler.wait()
            cls.look_at(log, started)

    @classmethod
    def look_at(cls, log: pathlib.Path, started: float):
        text = log.read_text(encoding="utf-8", errors="replace")
        if "ERROR: AddressSanitizer" in text or "runtime error:" in text or '"event":"bug"' in text:
            cls.trouble.append(f"{log.name}: {text[-4000:]}")
        cls.ready += [line["at"] - started for line in events(log, "ready")]

    @classmethod
    def verify(cls):
        if not re.search(r"^  frontier\b", program.run("--help").stdout, re.MULTILINE):
            cls.verified = "no such command yet"
            return
        verified = program.run("frontier", "verify", "--config", cls.config, seconds=60)
        cls.verified = "well" if verified.returncode == 0 else f"{verified.returncode}: {verified.stdout} {verified.stderr}"

    @classmethod
    def summarise(cls):
        found, kills = cls.found, sum(stop.killed for stop in cls.stops)
        ready = f"{statistics.median(cls.ready):.3f} s, {max(cls.ready):.3f} s at most" if cls.ready else "never said"
        print(
            f"\nkills {kills}, polite stops {len(cls.stops) - kills}, origins {len(cls.origins)}, "
            f"pages {len(pages_of(cls.origins))}, requests {len(cls.requests)} ({found.robots} for robots.txt), {cls.took:.0f} s, "
            f"seed {SEED}: lost {len(found.lost)}, windows broken {len(found.too_soon)}, pages before robots.txt "
            f"{len(found.before_robots)}, repeats {found.repeated} ({len(found.repeated_without_need)} without need; "
            f"{found.in_flight} requests in flight at kills; oldest {found.oldest_repeated * 1000:.0f} ms), ready after {ready}, "
            f"frontier verify: {cls.verified}",
            flush=True,
        )

    def test_every_run_behaves(self):
        self.assertEqual(self.trouble, [])
        self.assertEqual(self.status, 0)

    def test_the_kills_came_in_the_middle(self):
        """Otherwise all the rest says nothing."""
        self.assertEqual(sum(stop.killed for stop in self.stops), KILLS)
        self.assertGreaterEqual(len(self.origins), 200)
        done = {(request.host, request.path) for request in self.at_last_stop}
        self.assertGreater(len(done), 1000)
        self.assertLess(len(done), len(pages_of(self.origins)), "the crawl ended before the kills")
        self.assertGreater(self.found.in_flight, KILLS // 4)

    def test_no_page_is_lost(self):
        self.assertEqual((len(self.found.lost), self.found.lost[:10]), (0, []))
        self.assertEqual(self.found.unknown[:10], [])

    def test_no_window_is_broken(self):
        self.assertEqual((len(self.found.too_soon), self.found.too_soon[:10]), (0, []))

    def test_no_page_comes_before_robots_txt(self):
        self.assertEqual(self.found.before_robots[:10], [])

    def test_only_what_was_in_flight_is_asked_twice(self):
        without = self.found.repeated_without_need
        self.assertEqual((len(without), without[:10]), (0, []))
        self.assertLessEqual(self.found.repeated, self.found.in_flight)

    def test_the_frontier_is_in_order(self):
        self.assertIn(self.verified, ("well", "no such command yet"))


class JudgeTest(unittest.TestCase):
    """The judge sees what it is there for."""

    def judge(self, *requests: tuple, killed_at: float | None = None):
        """`requests`: (start, path, end) of one origin, 0.3 s apart at least, that has `/` and `/1`."""
        origin = Origin("a.test", "127.3.9.1", "", 0.3, 0, 0, True, {"/": ["/1"], "/1": []})
        own = [Request(start, "a.test", "127.3.9.1", path, 1, end) for start, path, end in requests]
        return check([origin], own, [Stop(killed_at, killed_at, True)] if killed_at else [])

    def test_a_crawl_without_fault(self):
        found = self.judge((10, ROBOTS, 10.1), (10.3, "/", 10.4), (10.6, "/1", 10.7))
        self.assertEqual((found.lost, found.too_soon, found.before_robots, found.repeated), ([], [], [], 0))

    def test_a_lost_page(self):
        self.assertEqual(self.judge((10, ROBOTS, 10.1), (11, "/", 11)).lost, [("a.test", "/1")])

    def test_a_broken_window(self):
        self.assertEqual(len(self.judge((10, ROBOTS, 10.1), (11, "/", 11), (11.294, "/1", 11.3)).too_soon), 1)
        self.assertEqual(len(self.judge((10, ROBOTS, 10.1), (11, "/", 11), (11.296, "/1", 11.3)).too_soon), 0)

    def test_a_page_before_robots_txt_was_answered(self):
        self.assertEqual(self.judge((10, ROBOTS, 11.1), (11, "/", 11)).before_robots, [("a.test", "/")])
        self.assertEqual(self.judge((11, "/", 11)).before_robots, [("a.test", "/")])

    def test_a_page_asked_twice(self):
        for end, needed in ((None, 1), (11.7, 1), (11.01, 1), (10.99, 0)):
            with self.subTest(end):
                found = self.judge((10, ROBOTS, 10.1), (10.9, "/", end), (12, "/", 12), killed_at=11.5)
                self.assertEqual((found.repeated, found.in_flight), (1, needed))
                self.assertEqual(len(found.repeated_without_need), 1 - needed)
        self.assertEqual(len(self.judge((10, ROBOTS, 10.1), (11, "/", None), (12, "/", 12)).repeated_without_need), 1)


if __name__ == "__main__":
    unittest.main()
