"""The judge of a crawl with interruptions. Looks at what the server saw and at when the runs ended, and at nothing else."""

import collections
import dataclasses

from chain_web import ADDRESS_INTERVAL, DEFAULT_INTERVAL, ROBOTS, Origin, Request, pages_of

TOLERANCE = 0.005  # seconds
SETTLED = 0.5  # seconds in which an answer becomes durable: its record first, then its fate, each with a sync of a busy machine's disk


@dataclasses.dataclass
class Stop:
    """An end of a run: nothing was sent after `after`, all was as usual until `before`."""

    before: float
    after: float
    killed: bool


@dataclasses.dataclass
class Findings:
    lost: list = dataclasses.field(default_factory=list)
    unknown: list = dataclasses.field(default_factory=list)
    too_soon: list = dataclasses.field(default_factory=list)
    before_robots: list = dataclasses.field(default_factory=list)
    repeated: int = 0
    repeated_without_need: list = dataclasses.field(default_factory=list)
    oldest_repeated: float = 0  # seconds from an answer to the kill after which it was asked for again
    in_flight: int = 0
    robots: int = 0


def in_flight(request: Request, stop: Stop | None) -> bool:
    """Was `request` without a durable answer when the crawler was killed? `stop`: the first after its start."""
    return stop is not None and stop.killed and (request.end is None or request.end >= stop.before - SETTLED)


def check(origins: list[Origin], requests: list[Request], stops: list[Stop]) -> Findings:
    """`requests` in order of their starts, `stops` in order of time."""
    found = Findings()
    expected = pages_of(origins)
    seen = {(request.host, request.path) for request in requests if request.path != ROBOTS}
    found.lost = sorted(expected - seen)
    found.unknown = sorted(seen - expected)
    found.robots = sum(request.path == ROBOTS for request in requests)
    by_host, by_address = collections.defaultdict(list), collections.defaultdict(list)
    for request in requests:
        by_host[request.host].append(request)
        by_address[request.address].append(request)
    for origin in origins:
        check_origin(origin, by_host[origin.host], stops, found)
    for address, own in by_address.items():
        for earlier, later in zip(own, own[1:]):
            if later.start - earlier.start < ADDRESS_INTERVAL - TOLERANCE:
                found.too_soon.append((address, earlier.host, earlier.path, later.host, later.path, later.start - earlier.start))
    found.in_flight = sum(in_flight(request, next_stop(stops, request)) for request in requests)
    return found


def next_stop(stops: list[Stop], request: Request) -> Stop | None:
    """The only stop that can have interrupted it."""
    return next((stop for stop in stops if stop.after >= request.start), None)


def check_origin(origin: Origin, own: list[Request], stops: list[Stop], found: Findings):
    """What can be said of one origin by itself; `own`: its requests."""
    robots_known = min((request.end for request in own if request.path == ROBOTS and request.end is not None), default=float("inf"))
    last: dict[str, Request] = {}
    page_seen = False
    for earlier, later in zip([None, *own], own):
        if later.path != ROBOTS:
            page_seen = True
            if later.start < robots_known:
                found.before_robots.append((origin.host, later.path))
            if before := last.get(later.path):
                found.repeated += 1
                stop = next_stop(stops, before)
                if stop and before.end is not None:
                    found.oldest_repeated = max(found.oldest_repeated, stop.before - before.end)
                if not in_flight(before, stop):
                    found.repeated_without_need.append((origin.host, later.path, later.start))
            last[later.path] = later
        # Whoever asks for a page has read robots.txt; until then nobody knows another interval than the default.
        interval = origin.interval if page_seen else min(origin.interval, DEFAULT_INTERVAL)
        if earlier and later.start - earlier.start < interval - TOLERANCE:
            found.too_soon.append((origin.host, earlier.path, later.path, later.start - earlier.start, interval))
