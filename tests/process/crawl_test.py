"""One crawl of about forty sites by the real binary, judged by nginx's access log and by nothing that crawld says of itself."""

import collections
import pathlib
import tempfile
import time
import unittest

import program
from littleweb import LittleWeb, Request, gaps
from world import ADDRESS_INTERVAL, DEFAULT_INTERVAL, DEPTH_MAX, RATE_FLOOR, SHARED, Case, all_cases

TOLERANCE = 0.005  # seconds; the log counts in milliseconds, at both ends of a request
CRAWL_SECONDS = 75

SETTINGS = f"scope:\n  follow: host\n  max_depth: {DEPTH_MAX}\n"
POLITENESS = (
    f"  default_interval: {DEFAULT_INTERVAL * 1000:g}ms\n  rate_floor: {RATE_FLOOR:g}s\n"
    f"  per_address_interval: {ADDRESS_INTERVAL * 1000:g}ms\n"
)


class CrawlTest(unittest.TestCase):
    """The crawl runs once; each test looks at one promise."""

    cases: list[Case]
    requests: list[Request]
    by_host: dict[str, list[Request]]
    status: int
    output: str

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as name:
            folder = pathlib.Path(name)
            cls.cases = all_cases(time.time())
            with LittleWeb([case.site for case in cls.cases], folder / "web") as web:
                seeds = [case.site.host for case in cls.cases if case.seed]
                config = program.configuration(web, seeds, folder, SETTINGS, POLITENESS)
                finished = program.run("run", "--config", config, "--until-idle", seconds=CRAWL_SECONDS)
                cls.status, cls.output = finished.returncode, finished.stderr
                cls.requests = web.requests()
        cls.by_host = collections.defaultdict(list)
        for request in cls.requests:
            cls.by_host[request.host].append(request)

    def test_the_crawl_ends_by_itself_and_well(self):
        self.assertEqual(self.status, 0, self.output[-4000:])
        self.assertNotIn("ERROR: AddressSanitizer", self.output)
        self.assertNotIn("runtime error:", self.output)

    def test_the_world_is_large_enough_to_mean_something(self):
        self.assertGreaterEqual(len(self.cases), 35)
        self.assertGreaterEqual(len({case.site.address for case in self.cases}), 25)
        self.assertGreater(len(self.requests), 200)

    def test_every_allowed_page_is_fetched_exactly_once(self):
        for case in self.cases:
            with self.subTest(case.site.host):
                count = collections.Counter(r.target for r in self.by_host[case.site.host] if r.target != "/robots.txt")
                for hop in case.hops:
                    self.assertEqual(count.pop(hop, 0), 1, hop)
                self.assertEqual(count, {target: 1 for target in case.fetched})

    def test_no_closed_page_is_ever_asked_for(self):
        for case in self.cases:
            with self.subTest(case.site.host):
                self.assertEqual([r.target for r in self.by_host[case.site.host] if r.target in case.never], [])

    def test_robots_txt_comes_first_and_once(self):
        for case in self.cases:
            with self.subTest(case.site.host):
                targets = [r.target for r in self.by_host[case.site.host] if r.target not in case.hops]
                first = ["/robots.txt"] * case.robots_requests
                self.assertEqual(targets[: case.robots_requests], first)
                self.assertEqual(targets.count("/robots.txt"), case.robots_requests)

    def test_requests_to_a_site_start_an_interval_apart(self):
        for case in self.cases:
            with self.subTest(case.site.host):
                close = [(gap, r.target) for gap, r in gaps(self.by_host[case.site.host]) if gap < case.interval - TOLERANCE]
                self.assertEqual(close, [], f"interval {case.interval} s")

    def test_the_rate_a_site_allows_is_used(self):
        """The other side of politeness: a crawler that hardly moves would pass all the rest."""
        for case in self.cases:
            own = [gap for gap, _ in gaps(self.by_host[case.site.host])]
            if len(own) >= 8 and case.site.address not in SHARED:
                with self.subTest(case.site.host):
                    median = sorted(own)[len(own) // 2]
                    self.assertLess(median, case.interval + max(0.25, case.interval / 2))

    def test_requests_to_an_address_start_an_interval_apart(self):
        by_address = collections.defaultdict(list)
        for request in self.requests:
            by_address[request.address].append(request)
        for address, own in by_address.items():
            with self.subTest(address):
                close = [(gap, r.host, r.target) for gap, r in gaps(own) if gap < ADDRESS_INTERVAL - TOLERANCE]
                self.assertEqual(close, [], f"interval {ADDRESS_INTERVAL} s")

    def test_one_request_at_a_time_is_in_flight_to_a_site(self):
        for host, own in self.by_host.items():
            with self.subTest(host):
                for before, after in zip(own, own[1:]):
                    self.assertGreaterEqual(after.start, before.end - TOLERANCE, (before.target, after.target))

    def test_a_host_that_answers_503_is_left_alone_as_long_as_it_asks(self):
        for host in ("busy.test", "broken.test"):
            with self.subTest(host):
                first, second = self.by_host[host][:2]
                self.assertIn(first.status, (500, 503))
                self.assertEqual(second.status, 200)
                self.assertGreaterEqual(second.start - first.end, 2 - TOLERANCE)

    def test_every_request_says_who_we_are(self):
        for request in self.requests:
            self.assertRegex(request.agent, rf"^crawld/\S+ \(\+{program.CONTACT}\)$")
            self.assertEqual(request.method, "GET")


if __name__ == "__main__":
    unittest.main()
