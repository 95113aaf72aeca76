#!/usr/bin/env python3
"""tests/count.py counts what ran, and takes nothing that failed for good."""

import pathlib
import sys
import tempfile
import unittest
import xml.sax.saxutils

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from count import count  # noqa: E402

CASE = '<testcase name="{}" status="run" result="completed">{}</testcase>'
FAILURE = '<failure message="no"/>'
SKIPPED = '<skipped message="no"/>'


class CountTest(unittest.TestCase):
    def counted(self, *tests: tuple[str, str, str], **reports: list[str]) -> tuple[int, int, int]:
        """`tests`: name, status and what CTest writes inside. `reports`: GoogleTest cases by test name."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            cases = "".join(f'<testcase name="{n}" status="{status}">{inside}</testcase>' for n, status, inside in tests)
            (folder / "ctest.xml").write_text(f"<testsuite>{cases}</testsuite>", encoding="utf-8")
            for test, inside in reports.items():
                body = "".join(CASE.format(n, text) for n, text in enumerate(inside))
                (folder / f"{test}_tests.xml").write_text(f"<testsuites><testsuite>{body}</testsuite></testsuites>", encoding="utf-8")
            return count(folder)

    def output(self, text: str) -> str:
        return f"<system-out>{xml.sax.saxutils.escape(text)}</system-out>"

    def test_a_program_without_cases_is_one(self):
        self.assertEqual(self.counted(("a", "run", ""), ("b", "fail", "")), (1, 1, 0))

    def test_googletest_cases_count_each(self):
        self.assertEqual(self.counted(("a", "fail", ""), a=["", "", FAILURE, SKIPPED]), (2, 1, 1))

    def test_a_program_that_fails_after_its_cases_has_failed(self):
        self.assertEqual(self.counted(("a", "fail", ""), a=["", SKIPPED]), (1, 1, 1))
        self.assertEqual(self.counted(("a", "fail", self.output("x\nRan 3 tests in 1s\n\nOK (skipped=1)\n"))), (2, 1, 1))

    def test_a_program_that_is_not_there_has_failed(self):
        self.assertEqual(self.counted(("a", "notrun", '<skipped message="Unable to find executable"/>')), (0, 1, 0))

    def test_what_says_it_skips_is_skipped(self):
        self.assertEqual(self.counted(("a", "notrun", '<skipped message="SKIP_RETURN_CODE=77"/>')), (0, 0, 1))

    def test_unittest_counts_by_its_last_words(self):
        failed = "FAIL: test_b (x.T.test_b) (i=1)\nFAIL: test_b (x.T.test_b) (i=2)\nERROR: test_c (x.T.test_c)\n"
        self.assertEqual(self.counted(("a", "run", self.output("..\nRan 2 tests in 0.1s\n\nOK\n"))), (2, 0, 0))
        words = failed + "\nRan 5 tests in 0.1s\n\nFAILED (failures=2, errors=1, skipped=1)\n"
        self.assertEqual(self.counted(("a", "fail", self.output(words))), (2, 2, 1))

    def test_a_class_that_could_not_begin_is_one_failure(self):
        words = "ERROR: setUpClass (x.T)\n\nRan 1 test in 0.1s\n\nFAILED (errors=1)\n"
        self.assertEqual(self.counted(("a", "fail", self.output(words))), (1, 1, 0))


if __name__ == "__main__":
    unittest.main()
