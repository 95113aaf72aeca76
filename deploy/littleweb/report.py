#!/usr/bin/env python3
"""What the sites of the little web saw, by nginx's access log: a table, and a verdict as the exit status."""

import argparse
import json
import sys

from littleweb import gaps, read_log

TOLERANCE = 0.005  # seconds; the log counts in milliseconds, at both ends of a request


def summarise(requests, expected) -> tuple[list[list[str]], list[str]]:
    """Rows of the table and violations. `expected`: [{host, says, interval, forbidden}, …]."""
    rows, violations = [], []
    for site in expected:
        host, interval = site["host"], site["interval"]
        own = [request for request in requests if request.host == host]
        smallest = min(gaps(own), default=None, key=lambda gap: gap[0])
        trespasses = [request.target for request in own if request.target in site["forbidden"]]
        rows.append([
            host, site["says"], f"{interval:g} s", str(len(own)), f"{smallest[0]:.3f} s" if smallest else "-",
            f"{len(trespasses)} of {len(site['forbidden'])}" if site["forbidden"] else "-",
        ])  # fmt: skip
        if not own:
            violations.append(f"{host}: never asked for anything")
        if smallest and smallest[0] < interval - TOLERANCE:
            violations.append(f"{host}{smallest[1].target}: {smallest[0]:.3f} s after the request before it, interval {interval:g} s")
        violations += [f"{host}{target}: forbidden by robots.txt" for target in trespasses]
    return rows, violations


def table(rows: list[list[str]]) -> str:
    heads = ["site", "robots.txt", "interval", "requests", "smallest gap", "forbidden seen"]
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    numeric = {2, 3, 4, 5}
    lines = [
        "  ".join(cell.rjust(width) if n in numeric else cell.ljust(width) for n, (cell, width) in enumerate(zip(row, widths)))
        for row in [heads, ["-" * width for width in widths], *rows]
    ]
    return "\n".join(line.rstrip() for line in lines)


def report(requests, expected, output=sys.stdout) -> int:
    rows, violations = summarise(requests, expected)
    print(table(rows), file=output)
    for violation in violations:
        print(f"VIOLATION: {violation}", file=output)
    if not violations:
        print(f"{len(requests)} requests: no gap shorter than the interval, no forbidden page.", file=output)
    return 1 if violations else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("access_log", help="access.tsv of the little web")
    parser.add_argument("expected", help="expected.json that was written when it started")
    arguments = parser.parse_args()
    with open(arguments.expected, encoding="utf-8") as file:
        expected = json.load(file)
    return report(read_log(arguments.access_log), expected)


if __name__ == "__main__":
    sys.exit(main())
