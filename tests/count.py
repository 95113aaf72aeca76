#!/usr/bin/env python3
"""Counts test cases in a folder of results: ctest.xml (JUnit) and the reports that GoogleTest wrote beside it. Prints three numbers:
passed, failed, skipped. A CTest test without a report of its cases counts as one, Python's unittest by its last words."""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

RAN = re.compile(r"^Ran (\d+) tests? in .*\n+(?:OK|FAILED)(?: \((.*)\))?\s*$", re.MULTILINE)
BROKEN = re.compile(r"^(?:FAIL|ERROR): (\S+ \(\S+\))", re.MULTILINE)  # a test, whichever of its subtests it was


def googletest(report: pathlib.Path) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def unittest(output: str) -> tuple[int, int, int] | None:
    found = None
    for found in RAN.finditer(output):
        pass
    if found is None:
        return None
    broken = set(BROKEN.findall(output))
    never_ran = sum(name.startswith(("setUpClass ", "tearDownClass ", "setUpModule ", "tearDownModule ")) for name in broken)
    skipped = int((re.search(r"skipped=(\d+)", found.group(2) or "") or [0, 0])[1])
    return int(found.group(1)) - skipped - len(broken) + never_ran, len(broken), skipped


def count(folder: pathlib.Path) -> tuple[int, int, int]:
    totals = [0, 0, 0]
    for test in ElementTree.parse(folder / "ctest.xml").iter("testcase"):
        report = folder / f"{test.get('name')}_tests.xml"
        note = test.find("skipped")  # also for a program that is not there
        if test.get("status") == "disabled" or (note is not None and note.get("message", "").startswith("SKIP_")):
            counts = (0, 0, 1)
        else:
            known = googletest(report) if report.exists() else unittest(test.findtext("system-out") or "")
            ok = test.get("status") == "run"
            passed, failed, skipped = known or (int(ok), int(not ok), 0)
            counts = (passed, failed or int(not ok), skipped)  # all its cases well, and yet the program failed
        totals = [a + b for a, b in zip(totals, counts)]
    return totals[0], totals[1], totals[2]


if __name__ == "__main__":
    print(*count(pathlib.Path(sys.argv[1])))
