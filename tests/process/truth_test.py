"""A crawl of a web whose graph is known asks for exactly what every known form of reference leads to, each once, and for nothing else."""

import dataclasses
import pathlib
import tempfile
import unittest

from truth_site import DRESSES, ROBOTS, Crawl, Request, crawl

PAGES_MIN, FORMS_MIN, TRAPS_MIN, PARTS_MIN = 5000, 400, 150, 30
EMBEDS_ON = ("brotli", "shift-jis")  # hosts of the crawl that visits parts of pages too


class TruthTest(unittest.TestCase):
    """Both crawls run once; each test looks at one promise."""

    crawls: dict[str, Crawl]

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as name:
            folder = pathlib.Path(name)
            some = [dress for dress in DRESSES if dress.name in EMBEDS_ON]
            cls.crawls = {"pages": crawl(folder / "pages"), "parts": crawl(folder / "parts", some, embeds=True)}

    def test_the_crawl_ends_by_itself_and_well(self):
        for name, one in self.crawls.items():
            with self.subTest(name):
                self.assertEqual(one.status, 0, one.log[-4000:])
                self.assertNotIn("ERROR: AddressSanitizer", one.log)
                self.assertNotIn("runtime error:", one.log)

    def test_the_web_is_large_enough_to_mean_something(self):
        graph = self.crawls["pages"].graph
        self.assertGreater(len(graph.expected), PAGES_MIN)
        names = {form.name for form in graph.forms}
        self.assertEqual(len(names), len(graph.forms), "two forms have one name")
        self.assertGreater(len(names), FORMS_MIN)
        traps = [form for form in graph.forms if any(word in repr(form.pages) for word in ("$no", "$part", "/closed/", ".secret"))]
        self.assertGreater(len(traps), TRAPS_MIN)
        parts = [target for _, target in self.crawls["parts"].graph.expected if target.startswith("/e/")]
        self.assertGreater(len(parts), PARTS_MIN)

    def test_what_is_asked_for_is_what_the_forms_lead_to(self):
        for name, one in self.crawls.items():
            with self.subTest(name):
                differences = one.differences()
                if differences:
                    self.fail(f"{len(differences)} differences:\n" + "\n".join(differences))

    def test_robots_txt_comes_first(self):
        for name, one in self.crawls.items():
            with self.subTest(name):
                first: dict[str, str] = {}
                for request in one.requests:
                    first.setdefault(request.authority, request.target)
                self.assertEqual(first, {authority: ROBOTS for authority in one.graph.origins})

    def test_the_judge_is_awake(self):
        """Two requests are taken out of what was seen and three are put in: the differences name their forms."""
        ours = self.crawls["pages"]
        authority = ours.graph.hosts[0].authority
        left_out = {(authority, "/t/area"), (authority, "/c/base-path")}
        more = [(authority, "/no/decoy-comment"), (authority, "/t/a"), (f"outside.test:{authority.partition(':')[2]}", "/x")]
        seen = [request for request in ours.requests if (request.authority, request.target) not in left_out]
        seen += [Request(0, where, target, "127.0.0.1") for where, target in more]
        known = set(ours.differences())
        found = [line for line in dataclasses.replace(ours, requests=seen).differences() if line not in known]
        expected = ["? outside.test", "a: asked for 2 times", "area: never", "base-path: never", "decoy-comment: must not"]
        self.assertEqual(len(found), len(expected), found)
        for line, beginning in zip(found, expected):
            self.assertTrue(line.startswith(beginning), line)


if __name__ == "__main__":
    unittest.main()
