"""What is wrong with a run: of each behaviour, and of the whole."""

import dataclasses

from behaviour import AT_ONCE, DNS, GRACE, RATE_OVER, SANITIZED, THREADS_SANITIZED, TOO_SLOW, TOTAL, Behaviour, Outcome
from crawl import REPORT, Run

LATE = 0.5  # seconds


@dataclasses.dataclass
class Finding:
    name: str
    wanted: str
    seen: str
    seconds: float  # the longest of its requests, or of its names
    bound: float
    wrong: list[str]


def words_of(event: dict) -> str:
    """What a line says of the outcome."""
    said = [str(event[key]) for key in ("access", "fate", "error", "cut") if key in event]
    return " ".join(said) or str(event.get("status", "?"))


def fits(value, wanted, run: Run) -> bool:
    if wanted == TOO_SLOW:
        wanted = ("slow", "timeout") if run.threads_sanitized else "slow" if run.knows_slow else "timeout"
    return value in wanted if isinstance(wanted, tuple) else value == wanted


def judge_outcome(behaviour: Behaviour, wanted: Outcome, run: Run, finding: Finding):
    """Compares the line that `wanted` is about, and adds what is wrong."""
    event = run.log.first(behaviour, wanted, run.port)
    where = f"{wanted.event} {wanted.url}".strip()
    if event is None:
        finding.wrong.append(f"no line `{where}`")
        return
    finding.seen = f"{finding.seen} {words_of(event)}".strip()
    finding.seconds = max(finding.seconds, event.get("ms", 0) / 1000)
    for key, word in wanted.words:
        if not fits(event.get(key), word, run):
            finding.wrong.append(f"{where}: {key} is {event.get(key)}, not {word} ({event.get('detail', event.get('robots', ''))})")


def name_seconds(behaviour: Behaviour, run: Run) -> float:
    """From the first question for its name to crawld's first line: `ms` does not have the time that names take."""
    asked = [line["at"] for line in run.witnessed if line["what"] == "question" and line["name"] == behaviour.name]
    event = run.log.first(behaviour, Outcome("robots"), run.port)
    return event["at"] - asked[0] if asked and event else 0.0


def judge(behaviour: Behaviour, run: Run, alone: bool = False) -> Finding:
    """`alone`: nothing else was crawled, so what is answered at once is over at once; else it has as long as any exchange."""
    within = behaviour.within or (AT_ONCE if alone else TOTAL)
    if run.knows_slow and behaviour.too_slow:
        within = RATE_OVER
    grace = GRACE + (THREADS_SANITIZED if run.threads_sanitized else SANITIZED if run.sanitized else 0.0)
    finding = Finding(behaviour.name, behaviour.wanted, "", 0.0, within + grace, [])
    for wanted in behaviour.outcomes:
        judge_outcome(behaviour, wanted, run, finding)
    if behaviour.resolve:
        finding.seconds = max(finding.seconds, name_seconds(behaviour, run))
        finding.bound = max(finding.bound, DNS + grace)
    if finding.seconds > finding.bound:
        finding.wrong.append(f"took {finding.seconds:.2f} s, more than {finding.bound:g} s")
    asked = run.asked(behaviour.name)
    if len(asked) > behaviour.pages_max:
        finding.wrong.append(f"{len(asked)} pages were asked for, more than {behaviour.pages_max}: {asked[:5]}")
    return finding


def judge_whole(run: Run, sites: dict[str, tuple[str, int, int]]) -> list[str]:
    """What is wrong with the crawl itself, and with what it made of the good sites."""
    wrong = [f"forbidden: {line['why']}" for line in run.witnessed if line["what"] == "forbidden"]
    if run.status != 0:
        wrong.append("had to be killed" if run.status is None else f"exit status {run.status}")
    odd = [line for line in run.log.odd if not line.startswith("warning: ")]  # of the configuration
    wrong += [f"in the log: {line}" for line in ([line for line in odd if REPORT.search(line)] or odd)[:5]]
    wrong += [f"in the log: {event}" for event in run.log.events if event["event"] == "bug"]
    for host, (_, count, _) in sites.items():
        asked = run.asked(host)
        if len(set(asked)) != count or len(asked) != count:
            wrong.append(f"{host}: {len(asked)} requests for {len(set(asked))} of {count} pages")
        fetched = run.log.fetched(f"http://{host}:{run.port}")
        if fetched != count:
            wrong.append(f"{host}: {fetched} of {count} pages fetched")
    if run.late > LATE and wrong:
        wrong.append(f"the machine was busy: this process itself waited {run.late:.1f} s for its turn")
    return wrong
