"""What the web server's access log says of a crawl: how much of the web it saw, and whether it kept the rules."""

import collections
import dataclasses
import pathlib

from crawl_web import Shape, Web, allowed

GRACE = 5  # ms: nginx's times are whole milliseconds, and a busy server reads a request later than it came


@dataclasses.dataclass(frozen=True)
class Request:
    """One line of the log. `start` and `end` in milliseconds since 1970."""

    start: int
    end: int
    connection: int
    host: str
    target: str
    status: int
    octets: int
    resumed: bool  # the connection's TLS session


@dataclasses.dataclass
class Verdict:
    pages: int = 0  # answers with a page
    octets: int = 0  # of their bodies, as sent
    coverage: float = 0.0  # share of what was to be found
    disallowed: int = 0  # requests that robots.txt forbids
    before_robots: int = 0  # requests to a host before it had answered for robots.txt
    short_gaps: int = 0  # starts of requests to one host closer than the interval less GRACE
    least_gap: int | None = None  # ms
    repeats: int = 0  # a target asked for again
    others: int = 0  # requests for what is no page: images, styles, missing
    connections: int = 0
    resumed: int = 0  # connections whose TLS session was an earlier one
    seconds: float = 0.0  # from the first start to the last end

    @property
    def violations(self) -> int:
        return self.disallowed + self.before_robots + self.short_gaps


def read_log(path: pathlib.Path) -> list[Request]:
    """The requests in order of their starts."""
    requests = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        msec, took, connection, host, _, target, status, octets, reused = line.split("\t")
        end = round(float(msec) * 1000)
        start = end - round(float(took) * 1000)
        requests.append(Request(start, end, int(connection), host, target, int(status), int(octets), reused == "r"))
    return sorted(requests, key=lambda request: (request.start, request.end))


def judge(shape: Shape, requests: list[Request], interval: int) -> Verdict:
    """`requests` as read_log() orders them; `interval` in milliseconds between starts on one host."""
    verdict = Verdict()
    if not requests:
        return verdict
    expected = Web(shape).expected
    by_host = collections.defaultdict(list)
    for request in requests:
        by_host[request.host].append(request)
    found = 0
    for host in {shape.host(number) for number in range(shape.hosts)}:
        seen = judge_host(by_host[host], interval, verdict)
        found += len(seen & expected)
    verdict.coverage = found / (len(expected) * shape.hosts)
    verdict.connections = len({request.connection for request in requests})
    verdict.resumed = len({request.connection for request in requests if request.resumed})
    verdict.seconds = (max(request.end for request in requests) - requests[0].start) / 1000
    return verdict


def judge_host(requests: list[Request], interval: int, verdict: Verdict) -> set[str]:
    """Adds what one host saw to the verdict, and returns the targets it answered with a page."""
    asked: collections.Counter[str] = collections.Counter()
    answered = set()
    robots_end = min((request.end for request in requests if request.target == "/robots.txt"), default=None)
    for before, request in zip([None, *requests], requests):
        target = request.target
        asked[target] += 1
        if before is not None:
            gap = request.start - before.start
            verdict.least_gap = gap if verdict.least_gap is None else min(gap, verdict.least_gap)
            verdict.short_gaps += gap < interval - GRACE
        if target == "/robots.txt":
            continue
        verdict.disallowed += not allowed(target)
        verdict.before_robots += robots_end is None or request.start < robots_end - 1
        if request.status == 200 and (target.partition("?")[0] == "/" or ".html" in target):
            answered.add(target)
            verdict.pages += 1
            verdict.octets += request.octets
        else:
            verdict.others += 1
    verdict.repeats += sum(count - 1 for count in asked.values())
    return answered
