"""What a hostile site may cost: each behaviour alone, all bombs together, and what the good sites notice of all of them.

For a release binary on a machine that has little else to do. What is measured is compared with the same crawl of a good site.
"""

import dataclasses
import pathlib
import statistics

from behaviour import BODY_MAX, MIB, Behaviour
from crawl import Run, run
from judge import Finding, judge, judge_whole
from web import Web, good_sites

MEMORY_MAX, CPU_MAX = 8 * MIB, 0.050  # octets and seconds, over those of a good site of the same size
BOMBS_MAX = 20 * MIB  # over an idle daemon
LOSS_MAX = 0.02  # of the good sites' throughput
TRIES = 3  # of a measurement that is over a bound: what else the machine does only ever adds
BASELINES = 5
ROUNDS = 5  # of the throughput, each with and without the hostile sites
SECONDS = 40
SMALL, LARGE = 100, BODY_MAX - 1000  # octets of the good pages
LARGE_FROM = 64 * 1024
NAMES_WAIT = 0.25  # seconds in which crawld has its CPU time looked at, before it knows where to send a request
PAGES = 200  # of each good site while throughput is measured


class Meter:
    def __init__(self, crawld: str, folder: pathlib.Path):
        self.crawld = crawld
        self.folder = folder
        self.runs = 0

    def crawl(self, behaviours: list[Behaviour], sites: dict) -> Run:
        self.runs += 1
        folder = self.folder / f"run-{self.runs}"
        with Web(behaviours, sites, folder / "web", self.folder / "certificates", NAMES_WAIT, humble=bool(sites)) as web:
            return run(web, self.crawld, folder / "crawl", SECONDS)

    def baseline(self, behaviours: list[Behaviour], octets: int = 0) -> Run:
        """Of one good site: the middle of several runs."""
        sites = good_sites(1, 1, octets) if octets else {}
        runs = [self.crawl(behaviours, sites) for _ in range(BASELINES)]
        memory, cpu = (statistics.median(getattr(one, what) for one in runs) for what in ("memory", "cpu"))
        return dataclasses.replace(runs[0], memory=int(memory), cpu=cpu)


def cost_text(memory: float, cpu: float) -> str:
    return f"{memory / MIB:+.1f} MiB, {cpu * 1000:+.0f} ms CPU"


def alone(meter: Meter, behaviour: Behaviour, baselines: dict[str, Run]) -> Finding:
    """Time, memory and CPU of one behaviour; the best of TRIES."""
    memory = cpu = float("inf")
    for _ in range(TRIES):
        found = meter.crawl([behaviour], {})
        large = any(event.get("octets", 0) >= LARGE_FROM for event in found.log.events if event["event"] == "visit")
        base = baselines["tls" if behaviour.tls else "large" if large else "small"]
        memory, cpu = min(memory, found.memory - base.memory), min(cpu, found.cpu - base.cpu)
        finding = judge(behaviour, found, alone=True)
        finding.wrong += judge_whole(found, {})
        if memory <= MEMORY_MAX and cpu <= CPU_MAX and not finding.wrong:
            break
    if memory > MEMORY_MAX:
        finding.wrong.append(f"took {memory / MIB:.1f} MiB more than a good site, over {MEMORY_MAX / MIB:g}")
    if cpu > CPU_MAX:
        finding.wrong.append(f"took {cpu * 1000:.0f} ms of CPU more than a good site, over {CPU_MAX * 1000:g}")
    return dataclasses.replace(finding, name=f"{behaviour.name} alone", wanted=cost_text(memory, cpu))


def bombs(meter: Meter, behaviours: list[Behaviour], idle: Run) -> Finding:
    together = [behaviour for behaviour in behaviours if behaviour.bomb]
    found = meter.crawl(together, {})
    over = found.memory - idle.memory
    wrong = judge_whole(found, {})
    if over > BOMBS_MAX:
        wrong.append(f"took {over / MIB:.1f} MiB more than an idle daemon, over {BOMBS_MAX / MIB:g}")
    said = f"{found.memory / MIB:.1f} MiB"
    return Finding(f"({len(together)} bombs together)", f"{over / MIB:+.1f} MiB", said, found.seconds, SECONDS, wrong)


def seen_by_good_sites(found: Run) -> dict[str, list[float]]:
    """When each of them was asked for something."""
    at: dict[str, list[float]] = {}
    for line in found.witnessed:
        if line["what"] == "asked" and line["name"].startswith("good"):
            at.setdefault(line["name"], []).append(line["at"])
    return at


def rate(found: Run) -> float:
    """Requests a second of all good sites together, each from its first to its last."""
    return sum((len(at) - 1) / (at[-1] - at[0]) for at in seen_by_good_sites(found).values())


def worst_gap(found: Run) -> float:
    """The longest time that a good site was left alone: the interval, and whatever held its thread up."""
    return max(after - before for at in seen_by_good_sites(found).values() for before, after in zip(at, at[1:]))


def throughput(meter: Meter, behaviours: list[Behaviour]) -> Finding:
    sites = good_sites(pages=PAGES, octets=SMALL)
    without, beside, gaps, wrong = [], [], [], []
    for _ in range(ROUNDS):
        without.append(rate(meter.crawl([], sites)))
        found = meter.crawl(behaviours, sites)
        beside.append(rate(found))
        gaps.append(worst_gap(found))
        wrong += judge_whole(found, sites)
    loss = 1 - statistics.median(b / w for b, w in zip(beside, without))  # pairs: what else the machine does changes by the minute
    if loss > LOSS_MAX:
        wrong.append(f"the good sites lost {loss:.1%} of their throughput, more than {LOSS_MAX:.0%}")
    said = f"{statistics.median(beside):.0f} of {statistics.median(without):.0f} requests/s, gaps to {max(gaps) * 1000:.0f} ms"
    return Finding("(throughput of good sites)", f"loss {loss:.1%}", said, 0.0, SECONDS, wrong)


def measure(behaviours: list[Behaviour], everything: list[Behaviour], crawld: str, folder: pathlib.Path) -> list[Finding]:
    """`everything`: where the good TLS site is taken from."""
    meter = Meter(crawld, folder / "bounds")
    baselines = {
        "small": meter.baseline([], SMALL),
        "large": meter.baseline([], LARGE),
        "tls": meter.baseline([behaviour for behaviour in everything if behaviour.name == "tls-good"]),
    }
    findings = [
        Finding(f"(a good site, {name})", f"{base.memory / MIB:.1f} MiB, {base.cpu * 1000:.0f} ms CPU", "", base.seconds, SECONDS, [])
        for name, base in baselines.items()
    ]
    findings += [alone(meter, behaviour, baselines) for behaviour in behaviours]
    if any(behaviour.bomb for behaviour in behaviours):
        findings.append(bombs(meter, behaviours, baselines["small"]))
    return [*findings, throughput(meter, behaviours)]
