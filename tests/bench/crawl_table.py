"""The results as a table, for the terminal and in Markdown. A row has the runs of one program in one mode."""

import dataclasses
import statistics

from crawl_judge import Verdict
from crawl_measure import Cost


@dataclasses.dataclass
class Result:
    """One run of one program."""

    cost: Cost
    verdict: Verdict
    server_cpu: float  # seconds
    size: float  # octets of a page before compression, on average

    @property
    def pages(self) -> int:
        return self.verdict.pages

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.cost.wall

    @property
    def megabytes_per_second(self) -> float:
        """Of pages, decoded."""
        return self.pages_per_second * self.size / 1e6

    @property
    def cpu_of_page(self) -> float:
        """Microseconds."""
        return self.cost.cpu / max(self.pages, 1) * 1e6

    @property
    def server_busy(self) -> float:
        """Share of a core."""
        return self.server_cpu / self.cost.wall


@dataclasses.dataclass
class Row:
    mode: str
    program: str
    kind: str
    runs: list[Result] = dataclasses.field(default_factory=list)
    faults: set[str] = dataclasses.field(default_factory=set)  # how runs ended that did not end well

    def median(self, name: str) -> float:
        return statistics.median(getattr(run, name) for run in self.runs)

    def most(self, name: str) -> int:
        return max(getattr(run.verdict, name) for run in self.runs)

    @property
    def cpu(self) -> float:
        """Microseconds for a page: the median."""
        return self.median("cpu_of_page")


def ratio(row: Row, rows: list[Row]) -> str:
    own = next((other.cpu for other in rows if other.mode == row.mode and other.program == "crawld"), 0)
    return f"{row.cpu / own:.2f}" if own else "-"


def whole(row: Row, name: str) -> str:
    """A count that only a crawler can be judged by."""
    return f"{row.most(name):,}" if row.kind == "crawler" else "-"


# title, width, text of a row among rows
COLUMNS = [
    ("CPU us/page", 12, lambda row, _: f"{row.cpu:,.0f}"),
    ("least", 7, lambda row, _: f"{min(run.cpu_of_page for run in row.runs):,.0f}"),
    ("x crawld", 9, ratio),
    ("pages/s", 9, lambda row, _: f"{row.median('pages_per_second'):,.0f}"),
    ("MB/s", 7, lambda row, _: f"{row.median('megabytes_per_second'):.1f}"),
    ("wall s", 7, lambda row, _: f"{statistics.median(run.cost.wall for run in row.runs):.1f}"),
    ("peak MiB", 9, lambda row, _: f"{statistics.median(run.cost.peak for run in row.runs) / 2**20:,.0f}"),
    ("coverage", 9, lambda row, _: f"{min(run.verdict.coverage for run in row.runs):.1%}" if row.kind == "crawler" else "-"),
    ("disallowed", 11, lambda row, _: whole(row, "disallowed")),
    ("before robots", 14, lambda row, _: whole(row, "before_robots")),
    ("short gaps", 11, lambda row, _: whole(row, "short_gaps")),
    ("repeats", 8, lambda row, _: whole(row, "repeats")),
    ("connections", 12, lambda row, _: f"{row.most('connections'):,}"),
    ("resumed", 8, lambda row, _: f"{row.most('resumed'):,}"),
    ("server core", 12, lambda row, _: f"{row.median('server_busy'):.0%}"),
]


def text(rows: list[Row]) -> str:
    first = max(len(row.program) for row in rows)
    lines = []
    for mode in dict.fromkeys(row.mode for row in rows):
        lines.append(f"\n{mode:{first}}" + "".join(f"{title:>{width + 1}}" for title, width, _ in COLUMNS))
        for row in (row for row in rows if row.mode == mode):
            lines.append(f"{row.program:{first}}" + "".join(f"{cell(row, rows):>{width + 1}}" for _, width, cell in COLUMNS))
            lines += [f"{'':{first}}  {fault}" for fault in sorted(row.faults)]
    return "\n".join(lines)


def markdown(rows: list[Row]) -> str:
    lines = ["| | " + " | ".join(title for title, _, _ in COLUMNS) + " |", "|---|" + "---:|" * len(COLUMNS)]
    for row in rows:
        lines.append(f"| {row.program}, {row.mode} | " + " | ".join(cell(row, rows) for _, _, cell in COLUMNS) + " |")
    return "\n".join(lines) + "\n"
