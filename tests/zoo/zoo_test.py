"""The real binary against the whole hostile web at once, and the judge against outcomes that are wrong."""

import contextlib
import dataclasses
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import paths  # noqa: E402, F401  (first)
from behaviour import Behaviour, visited  # noqa: E402
from crawl import SECONDS, Log, Run, is_threads_sanitized, run  # noqa: E402
from judge import judge, judge_whole  # noqa: E402
from web import Web, good_sites  # noqa: E402

from behaviours import GROUPS, all_behaviours  # noqa: E402

CRAWLD = os.environ.get("CRAWLD", "")
BEHAVIOURS_MIN = 70
PORT = 8000


@contextlib.contextmanager
def zoo(behaviours: list[Behaviour], sites: dict):
    """A web and a folder, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="crawld-test.") as name:
        folder = pathlib.Path(name)
        with Web(behaviours, sites, folder / "web") as web:
            yield web, folder


def crawl(behaviours: list[Behaviour], sites: dict) -> Run:
    with zoo(behaviours, sites) as (web, folder):
        return run(web, CRAWLD, folder / "crawl", SECONDS)


class ZooTest(unittest.TestCase):
    """Everything is crawled at once, or group by group where TSan makes all of it more than two cores can do in time; each test looks at
    one group."""

    behaviours: list[Behaviour]
    sites: dict
    results: dict[str, Run]  # by group

    @classmethod
    def setUpClass(cls):
        cls.behaviours, cls.sites = all_behaviours(), good_sites()
        if is_threads_sanitized(CRAWLD):
            cls.results = {group: crawl([b for b in cls.behaviours if b.group == group], cls.sites) for group in GROUPS}
        else:
            cls.results = dict.fromkeys(GROUPS, crawl(cls.behaviours, cls.sites))

    def look_at(self, group: str):
        own = [behaviour for behaviour in self.behaviours if behaviour.group == group]
        self.assertGreater(len(own), 5)
        for behaviour in own:
            with self.subTest(behaviour.name, says=behaviour.says):
                self.assertEqual(judge(behaviour, self.results[group]).wrong, [])

    def test_http_heads(self):
        self.look_at("http-head")

    def test_http_bodies(self):
        self.look_at("http-body")

    def test_http_connections(self):
        self.look_at("http-connection")

    def test_content_codings(self):
        self.look_at("coding")

    def test_robots_txt(self):
        self.look_at("robots")

    def test_redirects(self):
        self.look_at("redirects")

    def test_tls(self):
        self.look_at("tls")

    def test_dns(self):
        self.look_at("dns")

    def test_nothing_forbidden_was_reached_and_the_good_sites_are_complete(self):
        for group, result in self.results.items():
            with self.subTest(group):
                self.assertEqual(judge_whole(result, self.sites), [])

    def test_the_zoo_is_large_enough_to_mean_something(self):
        self.assertGreaterEqual(len(self.behaviours), BEHAVIOURS_MIN)
        self.assertEqual({behaviour.group for behaviour in self.behaviours}, set(GROUPS))
        witnessed = [line for result in self.results.values() for line in result.witnessed]
        answered = {line["name"] for line in witnessed if line["what"] in ("accepted", "question")}
        silent = [behaviour.name for behaviour in self.behaviours if behaviour.name not in answered]
        self.assertEqual(silent, [], "nobody came to them: what is said of them means nothing")


class JudgeTest(unittest.TestCase):
    """A run that is made up, with one thing wrong in each test."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name) / "crawld.log"
        self.behaviour = Behaviour("odd", "Odd.", "http-head", "page", None, [visited("retry", "timeout")], within=2.0)
        self.sites = good_sites(1, 2)

    def event(self, origin: str, path: str, **words) -> str:
        url = f"http://{origin}:{PORT}{path}"
        known = {"time": "2026-11-21T01:36:56.123Z", "event": "visit", "url": url, "origin": f"http://{origin}:{PORT}"}
        return json.dumps(known | words) + "\n"

    def result(self, log: str = "", asked=("/", "/1.html"), **more) -> Run:
        good = "".join(self.event("good0.test", path, fate="fetched") for path in ("/", "/1.html"))
        own = self.event("odd.zoo.test", "/", fate="retry", error="timeout", ms=2010)
        self.path.write_text(good + (log or own), encoding="utf-8")
        witnessed = [{"at": 0.0, "what": "asked", "name": "good0.test", "path": path} for path in asked]
        made = Run(Log(self.path), witnessed, PORT, 0, 1.0, True, False)
        made.log.grow()
        return dataclasses.replace(made, **more)

    def test_a_run_in_which_all_is_well(self):
        result = self.result()
        self.assertEqual(judge(self.behaviour, result).wrong, [])
        self.assertEqual(judge_whole(result, self.sites), [])

    def test_wrong_words(self):
        wrong = judge(self.behaviour, self.result(self.event("odd.zoo.test", "/", fate="fetched", ms=1))).wrong
        self.assertEqual(len(wrong), 2)
        self.assertIn("fate is fetched", wrong[0])
        self.assertIn("error is None", wrong[1])

    def test_an_error_where_none_is_wanted(self):
        behaviour = dataclasses.replace(self.behaviour, outcomes=[visited("retry")])
        self.assertIn("error is timeout", judge(behaviour, self.result()).wrong[0])

    def test_no_line(self):
        self.assertIn("no line", judge(self.behaviour, self.result(self.event("other.zoo.test", "/"))).wrong[0])

    def test_too_late(self):
        late = self.event("odd.zoo.test", "/", fate="retry", error="timeout", ms=3100)
        self.assertIn("took 3.10 s", judge(self.behaviour, self.result(late)).wrong[0])

    def test_too_many_requests(self):
        result = self.result()
        result.witnessed += [{"at": 0.0, "what": "asked", "name": "odd", "path": "/"}] * 2
        self.assertIn("2 pages were asked for", judge(self.behaviour, result).wrong[0])

    def test_a_forbidden_connection(self):
        result = self.result()
        result.witnessed.append({"at": 0.0, "what": "forbidden", "name": "127.66.0.1", "why": "a connection"})
        self.assertEqual(judge_whole(result, self.sites), ["forbidden: a connection"])

    def test_an_end_that_is_none(self):
        self.assertEqual(judge_whole(self.result(status=-6), self.sites), ["exit status -6"])
        self.assertEqual(judge_whole(self.result(status=None), self.sites), ["had to be killed"])

    def test_reports_of_sanitizers_and_other_octets_in_the_log(self):
        own = self.event("odd.zoo.test", "/", fate="retry", error="timeout", ms=1)
        reports = ["==1==ERROR: AddressSanitizer: heap-use-after-free\n", "a.cpp:1:2: runtime error: shift\n"]
        for odd in [*reports, "hello\n", own[:-1] + "\x1b[31m\n"]:
            with self.subTest(odd):
                self.assertIn("in the log", judge_whole(self.result(own + odd), self.sites)[0])

    def test_a_good_site_that_is_not_complete(self):
        self.assertIn("1 requests for 1 of 2 pages", judge_whole(self.result(asked=("/",)), self.sites)[0])
        self.assertIn("3 requests for 2 of 2 pages", judge_whole(self.result(asked=("/", "/", "/1.html")), self.sites)[0])

    def test_the_real_thing(self):
        """A page with a link that nobody may follow, and one of which something else is wanted than what happens."""
        named = {behaviour.name: behaviour for behaviour in all_behaviours()}
        lured = dataclasses.replace(named["tls-good"], name="lured", tls="", pages={"/": b'<a href="/poison">x</a>'})
        refused = dataclasses.replace(named["refused"], outcomes=[visited("fetched")])
        with zoo([lured, refused], good_sites(1, 2)) as (web, folder):
            result = run(web, CRAWLD, folder / "crawl", 5)
        self.assertIn("no line", judge(refused, result).wrong[0])
        self.assertIn("pages were asked for", judge(lured, result).wrong[0])
        whole = judge_whole(result, self.sites)
        self.assertEqual(len(whole), 1, whole)
        self.assertIn("forbidden", whole[0])


if __name__ == "__main__":
    unittest.main()
