#!/usr/bin/env python3
"""tests/bench/crawl measures what it says: its web is as it claims, and its judge finds each fault that is planted in a log."""

import collections
import html.parser
import pathlib
import sys
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import crawl_plot  # noqa: E402
import crawl_table  # noqa: E402
from crawl_judge import GRACE, judge, read_log  # noqa: E402
from crawl_measure import Cost  # noqa: E402
from crawl_web import CLOSED, PRINT, ROBOTS, Shape, Web, write  # noqa: E402

SHAPE = Shape(hosts=3, pages=30)
EXPECTED = sorted(Web(SHAPE).expected)
INTERVAL = 20


class Links(html.parser.HTMLParser):
    """The hrefs of <a>, by a parser that is not ours."""

    def __init__(self, text: str):
        super().__init__()
        self.hrefs: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.hrefs.append(dict(attrs)["href"])


class WebTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        web = Web(SHAPE)
        cls.web = web
        cls.files = {SHAPE.origin(n) + path: content for n in range(SHAPE.hosts) for path, content in web.files(n)}

    def page(self, url: str) -> str:
        file = url.partition("?")[0]
        return self.files[file + "index.html" if file.endswith("/") else file].decode()

    def reached(self, may) -> set[str]:
        """URLs of the web that links lead to from the seeds through pages that `may` be fetched."""
        todo, seen = collections.deque(SHAPE.seeds), set(SHAPE.seeds)
        while todo:
            url = todo.popleft()
            for href in Links(self.page(url)).hrefs:
                found = urllib.parse.urljoin(url, href).partition("#")[0]
                if found.startswith("http://127.64.") and found not in seen and may(found):
                    seen.add(found)
                    todo.append(found)
        return seen

    def test_what_is_expected_is_what_can_be_reached_and_may(self):
        expected = {SHAPE.origin(n) + target for n in range(SHAPE.hosts) for target in self.web.expected}
        self.assertEqual(len(expected), SHAPE.hosts * SHAPE.pages)
        self.assertEqual(self.reached(lambda url: CLOSED not in url and PRINT not in url), expected)

    def test_who_disobeys_finds_more(self):
        more = self.reached(lambda url: True)
        for part in (CLOSED, PRINT, "/behind/"):
            self.assertTrue(any(part in url for url in more), part)
        self.assertIn(f"Disallow: {CLOSED}", ROBOTS)

    def test_pages_are_as_real_ones(self):
        pages = [self.web.html(host, page) for host in range(SHAPE.hosts) for page in range(SHAPE.pages)]
        links = [len(Links(text).hrefs) for text in pages]
        self.assertTrue(60 <= sum(links) / len(links) <= 80, sum(links) / len(links))
        self.assertTrue(16_000 <= sum(map(len, pages)) / len(pages) <= 24_000)
        self.assertGreater(max(map(len, pages)), 2 * min(map(len, pages)))

    def test_the_same_seed_makes_the_same_web(self):
        self.assertEqual(Web(SHAPE).html(2, 7), self.web.html(2, 7))
        self.assertNotEqual(Web(Shape(hosts=3, pages=30, seed=2)).html(2, 7), self.web.html(2, 7))

    def test_a_kept_web_is_used_again_only_if_it_is_the_same(self):
        with tempfile.TemporaryDirectory() as name:
            folder, small = pathlib.Path(name), Shape(hosts=1, pages=2)
            write(small, folder)
            robots = folder / "127.64.0.1" / "robots.txt"
            robots.unlink()
            write(small, folder)
            self.assertFalse(robots.exists())
            write(Shape(hosts=1, pages=2, seed=2), folder)
            self.assertTrue(robots.exists())


class JudgeTest(unittest.TestCase):
    def good(self) -> list[list]:
        """(start, took, host, target, status) of a crawl without a fault, in milliseconds."""
        lines = []
        for host in range(SHAPE.hosts):
            targets = ["/robots.txt", *EXPECTED]
            lines += [[1_000_000 + host + INTERVAL * n, 3, SHAPE.host(host), target, 200] for n, target in enumerate(targets)]
        return lines

    def verdict(self, lines: list[list]):
        with tempfile.TemporaryDirectory() as name:
            log = pathlib.Path(name) / "access.tsv"
            text = [
                f"{(start + took) / 1000:.3f}\t{took / 1000:.3f}\t{n}\t{host}\tGET\t{target}\t{status}\t100\t{'r' if n % 2 else '.'}\n"
                for n, (start, took, host, target, status) in enumerate(lines)
            ]
            log.write_text("".join(text), encoding="utf-8")
            return judge(SHAPE, read_log(log), INTERVAL)

    def counts(self, lines: list[list]) -> tuple:
        found = self.verdict(lines)
        return found.disallowed, found.before_robots, found.short_gaps, found.repeats, found.others

    def planted(self, target: str, status: int = 200) -> tuple:
        """What is found when the last request to the first host is followed by one for `target`."""
        lines = self.good()
        host = SHAPE.host(0)
        last = max(line[0] for line in lines if line[2] == host)
        return self.counts([*lines, [last + INTERVAL, 3, host, target, status]])

    def test_a_good_crawl_has_no_fault(self):
        found = self.verdict(self.good())
        self.assertEqual((found.violations, found.repeats, found.others, found.coverage), (0, 0, 0, 1.0))
        self.assertEqual((found.pages, found.octets), (90, 9000))
        self.assertEqual((found.connections, found.resumed), (93, 46))

    def test_no_crawl_at_all(self):
        self.assertEqual(self.verdict([]).coverage, 0.0)

    def test_disallowed(self):
        self.assertEqual(self.planted(CLOSED + "page-1.html"), (1, 0, 0, 0, 0))
        self.assertEqual(self.planted("/" + PRINT + "1"), (1, 0, 0, 0, 0))

    def test_repeats(self):
        self.assertEqual(self.planted("/"), (0, 0, 0, 1, 0))
        self.assertEqual(self.planted("/robots.txt"), (0, 0, 0, 1, 0))

    def test_what_is_no_page(self):
        self.assertEqual(self.planted("/images/1.png"), (0, 0, 0, 0, 1))
        self.assertEqual(self.planted("/missing.html", 404), (0, 0, 0, 0, 1))

    def test_pages_before_robots(self):
        lines = [line for line in self.good() if not (line[2] == SHAPE.host(1) and line[3] == "/robots.txt")]
        self.assertEqual(self.counts(lines)[1], SHAPE.pages)
        late = self.good()
        late[0][1] = INTERVAL + 10  # robots.txt of the first host takes until after its first page has been asked for
        self.assertEqual(self.counts(late)[1], 1)

    def test_gaps(self):
        for gap, short in ((INTERVAL - GRACE, 0), (INTERVAL - GRACE - 1, 1)):
            lines = self.good()
            lines[1][0] = lines[0][0] + gap
            found = self.verdict(lines)
            self.assertEqual((found.short_gaps, found.least_gap), (short, gap))

    def test_coverage(self):
        self.assertAlmostEqual(self.verdict(self.good()[:-9]).coverage, 81 / 90)
        failed = self.good()
        failed[-1][4] = 500
        self.assertAlmostEqual(self.verdict(failed).coverage, 89 / 90)
        closed = self.good()
        closed[-1][3] = CLOSED + "page-1.html"  # what was not to be fetched makes up for nothing
        self.assertAlmostEqual(self.verdict(closed).coverage, 89 / 90)

    def test_a_stranger_is_not_counted_as_found(self):
        self.assertEqual(self.verdict([[1000, 3, "127.64.9.9", "/", 200]]).coverage, 0.0)

    def test_the_table(self):
        verdict = self.verdict(self.good())
        rows = [
            crawl_table.Row(mode, program, kind, [crawl_table.Result(Cost(1, cpu, 2**20, 0, False), verdict, 0.1, 20_000)])
            for mode in ("http", "https") for program, kind, cpu in (("crawld", "crawler", 0.009), ("wrk", "ceiling", 0.0018))
        ]  # fmt: skip
        self.assertEqual(crawl_table.ratio(rows[1], rows), "0.20")
        lines = crawl_table.markdown(rows).splitlines()
        self.assertEqual({line.count("|") for line in lines}, {len(crawl_table.COLUMNS) + 2})
        self.assertIn("| crawld, http | 100 | 100 | 1.00 |", lines[2])
        self.assertIn("100.0%", crawl_table.text(rows))

    def test_the_plot(self):
        image = crawl_plot.plot("a < b", {"http": {"crawld": 150, "other & co": 1500}}, "crawld")
        root = ElementTree.fromstring(image)
        bars = [float(e.get("width")) for e in root if e.tag.endswith("rect")]
        self.assertEqual(len(bars), 2)
        self.assertGreater(bars[1], bars[0])
        widest = max(float(e.get("x")) for e in root if e.tag.endswith("text"))
        self.assertLess(widest, float(root.get("width")))


if __name__ == "__main__":
    unittest.main()
