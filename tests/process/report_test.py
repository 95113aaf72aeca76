"""The complaint drill: a site owner asks what the crawler did, and `crawld report` answers with what the owner's own access log has.

A crawl of several hosts is killed once in the middle and goes on; then the report of each host is compared with nginx's log.
"""

import calendar
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import program
from littleweb import LittleWeb, Request, Site, page

PAGES = 14
KILL_AFTER = 12  # requests that the server has seen
TOLERANCE = 0.05  # seconds between our clock reading and nginx's
IN_FLIGHT = 0.5  # seconds before the kill in which an answer may not yet have been written down
START_SECONDS = 60  # that a busy machine may need
ROBOTS = "/robots.txt"
EVERYONE = "User-agent: *\n"


def pages(closed: bool = False) -> dict[str, str]:
    names = ["/", *(f"/{n}.html" for n in range(1, PAGES))]
    found = {path: page(path, *names[n + 1 : n + 3], *(["/shut/x.html"] if closed else [])) for n, path in enumerate(names)}
    return found | ({"/shut/x.html": page("shut")} if closed else {})


# host, robots.txt, seconds between requests, why
HOSTS = [
    ("rate.test", "127.6.0.1", EVERYONE + "Request-rate: 4/1s\nAllow: /\nDisallow: /shut/\n", 0.25, "request_rate"),
    ("delay.test", "127.6.0.2", EVERYONE + "Disallow: /shut/\nCrawl-delay: 0.4\n", 0.4, "crawl_delay"),
    ("plain.test", "127.6.0.3", EVERYONE + "Disallow: /shut/\nAllow: /1*.html$\n", 0.2, "default_interval"),
    ("none.test", "127.6.0.4", None, 0.2, "default_interval"),
]


def seconds_of(time_text: str) -> float:
    whole, _, rest = time_text.rstrip("Z").partition(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float(f"0.{rest}")


def target_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


class ReportTest(unittest.TestCase):
    """The crawl runs once for each form of the log; each test looks at one promise."""

    form = "heritrix"

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        sites = [Site(host, address, robots, pages(closed=robots is not None)) for host, address, robots, *_ in HOSTS]
        with LittleWeb(sites, cls.folder / "web") as cls.web:
            politeness = "  default_interval: 200ms\n  latency_factor: 0\n  per_address_interval: 20ms\n"
            log = f"crawl_log:\n  format: {cls.form}\n  max_file_size: 64KiB\nrecrawl:\n  enabled: false\n"
            cls.config = program.configuration(cls.web, [host for host, *_ in HOSTS], cls.folder, log, politeness)
            cls.crawl()
            cls.requests = cls.web.requests()
        cls.storage = next(cls.folder.glob("storage.*"))

    @classmethod
    def crawl(cls):
        crawler = program.start(cls.config, cls.folder / "run-1.log")
        try:
            program.wait_for(lambda: len(cls.web.requests()) > len(HOSTS), START_SECONDS)
            command = [program.CRAWLD, "report", "hosts", "--config", cls.config, "--json"]
            live = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            program.wait_for(lambda: len(cls.web.requests()) >= KILL_AFTER, START_SECONDS)
            cls.killed_from = time.time()
            crawler.send_signal(signal.SIGKILL)
        finally:
            crawler.kill()
            crawler.wait()
        cls.killed_until = time.time()
        cls.live = live.communicate(timeout=30)[0]
        assert live.returncode == 0, live.returncode
        cls.dead = {host: cls.report(host) for host, *_ in HOSTS}
        ended = program.run("run", "--config", cls.config, "--until-idle", seconds=60)
        assert ended.returncode == 0, ended.stderr
        cls.reports = {host: cls.report(host) for host, *_ in HOSTS}

    @classmethod
    def report(cls, host: str, *more) -> tuple[list[dict], dict]:
        """Requests and the summary."""
        done = program.run("report", "host", host, "--config", cls.config, "--json", *more)
        assert done.returncode == 0, (done.returncode, done.stderr, done.stdout[-2000:])
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["kind"] for line in lines] == ["request"] * (len(lines) - 1) + ["summary"]
        return lines[:-1], lines[-1]

    def seen(self, host: str) -> list[Request]:
        return [request for request in self.requests if request.host == host]

    def compare(self, host: str) -> tuple[list[tuple[Request, dict]], list[Request]]:
        """Each request of the server's log with our line, and those of which we have none."""
        ours, lost, pairs = list(self.reports[host][0]), [], []
        for request in self.seen(host):
            line = ours[0] if ours else None
            if line and target_of(line["url"]) == request.target and abs(seconds_of(line["time"]) - request.start) <= TOLERANCE:
                pairs.append((request, ours.pop(0)))
            else:
                lost.append(request)
        self.assertEqual(ours, [], f"{host}: the server has not seen these, or at another time")
        return pairs, lost

    def test_the_report_has_what_the_server_has(self):
        for host, *_ in HOSTS:
            pairs, lost = self.compare(host)
            self.assertGreaterEqual(len(pairs), PAGES + 1, host)
            self.assertLessEqual(len(lost), 1, f"{host}: {lost}")
            for request in lost:  # only what was under way at the kill
                self.assertLessEqual(request.start, self.killed_until, request)
                self.assertGreaterEqual(request.end, self.killed_from - IN_FLIGHT, request)
            for request, line in pairs:
                self.assertEqual((line["method"], line["status"], line["sent"]), (request.method, request.status, True))

    def test_what_was_under_way_at_the_kill_is_marked(self):
        """Every request without a line was known to the frontier when the crawler was dead."""
        for host, *_ in HOSTS:
            _, lost = self.compare(host)
            _, summary = self.dead[host]
            self.assertFalse(summary["running"])
            self.assertEqual(summary["runs"], 1)
            if lost:
                self.assertEqual(summary["under_way"], [self.web.url(host).rstrip("/")])
            self.assertEqual(self.reports[host][1]["under_way"], [])

    def test_each_request_has_the_rule_that_allowed_it(self):
        for host, _, robots, *_ in HOSTS:
            lines = (robots or "").split("\n")
            rules = 0
            for line in self.reports[host][0]:
                if target_of(line["url"]) == ROBOTS:
                    self.assertEqual(line["allowed_by"], "it is robots.txt")
                elif robots is None:
                    self.assertEqual((line["robots"], line["allowed_by"]), ("allow_all", "there is no robots.txt"))
                elif line["rule"]:
                    rules += 1
                    self.assertEqual(line["rule"], lines[line["line"] - 1], line)
                    self.assertTrue(line["rule"].startswith("Allow:"), line)
                    self.assertEqual(line["group"], "*")
                else:
                    self.assertEqual((line["robots"], line["group"], line["allowed_by"]), ("rules", "*", "no rule of group * is about it"))
            self.assertEqual(rules > 0, "Allow" in (robots or ""), host)

    def test_no_gap_is_shorter_than_its_interval(self):
        for host, _, _, interval, reason in HOSTS:
            lines, summary = self.reports[host]
            pages_of_host = [line for line in lines if target_of(line["url"]) != ROBOTS]
            self.assertEqual({(line["interval_ms"], line["reason"]) for line in pages_of_host}, {(interval * 1000, reason)})
            self.assertEqual((summary["violations"], summary["gaps_not_judged"], summary["without_rule"]), (0, 0, 0))
            gaps = [line["gap_ms"] for line in lines[1:]]
            self.assertEqual(summary["shortest_gap_ms"], min(gaps))
            for line in lines[1:]:
                self.assertGreaterEqual(line["gap_ms"], line["interval_ms"])
            # The same by the server's clock.
            pairs, _ = self.compare(host)
            for (before, _), (request, line) in zip(pairs, pairs[1:]):
                self.assertAlmostEqual(request.start - before.start, line["gap_ms"] / 1000, delta=TOLERANCE)

    def test_the_summary_says_how_far_it_can_be_relied_on(self):
        for host, _, robots, *_ in HOSTS:
            lines, summary = self.reports[host]
            self.assertEqual(summary["requests"], len(lines))
            self.assertEqual(summary["runs"], 2)
            self.assertEqual(summary["disallowed"], 0 if robots is None else 1)
            self.assertEqual(summary["first"], lines[0]["time"])
            self.assertLessEqual(summary["complete_since"], min(line["time"] for line in lines[1:]))
            self.assertFalse(summary["rotation_may_have_deleted"])
        text = program.run("report", "host", "rate.test", "--config", self.config)
        told = r"(?m)^\d+ requests to rate\.test from \S+ to \S+ \(\S+\), the shortest gap \S+ where the interval was .*, 0 violations\.$"
        self.assertRegex(text.stdout, told)
        self.assertEqual(program.run("report", "host", "nobody.test", "--config", self.config).stdout.splitlines()[0],
                         "0 requests to nobody.test, 0 violations.")  # fmt: skip

    def test_since_until_and_files_by_hand(self):
        lines, _ = self.reports["rate.test"]
        some, _ = self.report("rate.test", "--since", lines[2]["time"], "--until", lines[5]["time"])
        self.assertEqual(some, lines[2:5])
        files = sorted(self.storage.glob("crawl.log*"))
        done = program.run("report", "host", "HTTP://Rate.Test/x", "--json", *(word for file in files for word in ("--log", file)))
        self.assertEqual([json.loads(line) for line in done.stdout.splitlines()[:-1]], lines)

    def test_sums(self):
        live = [json.loads(line) for line in self.live.splitlines()]
        self.assertGreater(sum(line["requests"] for line in live[:-1]), 0)
        hosts = self.rows("hosts")
        for host, *_ in HOSTS:
            reported = next(row for row in hosts if row["host"] == host)
            self.assertEqual(reported["requests"], len(self.reports[host][0]))
            self.assertEqual(reported["fates"]["robots"], 1)
        statuses = {row["status"]: row["lines"] for row in self.rows("status")}
        everything = [line for host, *_ in HOSTS for line in self.reports[host][0]]
        self.assertEqual(statuses["200"], sum(line["status"] == 200 for line in everything))
        self.assertEqual(statuses["404"], sum(line["status"] == 404 for line in everything))
        self.assertEqual(statuses["-9998"], 3)
        self.assertIn("text/html", {row["mime"] for row in self.rows("mime")})
        self.assertIn("disallowed", {row["fate"] for row in self.rows("fates")})
        self.assertEqual(self.rows("errors"), [])
        self.assertEqual({row["seed"]: row["state"] for row in self.rows("seeds")}, {self.web.url(host): "fetched" for host, *_ in HOSTS})

    def rows(self, what: str) -> list[dict]:
        done = program.run("report", what, "--config", self.config, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("cannot be read", done.stderr)
        return [row for row in map(json.loads, done.stdout.splitlines()) if row["kind"] != "summary"]

    def test_exit_codes(self):
        absent = self.folder / "absent"
        for code, *words in (
            (64, "host"),
            (64, "host", "a.test"),
            (64, "host", "a.test", "--config", self.config, "--log", absent),
            (64, "host", "a.test", "--config", self.config, "--since", "yesterday"),
            (64, "status", "--config", self.config, "--limit", "-1"),
            (65, "host", "a b", "--config", self.config),
            (66, "status", "--log", absent),
            (66, "status", "--log", self.folder),
            (78, "status", "--config", absent),
        ):
            with self.subTest(words):
                done = program.run("report", *words)
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertNotEqual(done.stderr, "")


class JsonReportTest(ReportTest):
    form = "json"


if __name__ == "__main__":
    unittest.main()
