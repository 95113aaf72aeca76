"""What a hostile behaviour is: a name, a sentence, what it does, and what crawld has to make of it.

Each is one coroutine that acts on a connection, registered by a decorator which says when it acts and what has to come of it. Its
name is the function's, its sentence the docstring.
"""

import dataclasses
import typing

MIB = 1 << 20

# The deadlines of the configuration that crawl.py writes, in seconds. A behaviour has to be over within the one that applies and GRACE.
DNS = 4.0
CONNECT = TLS = HEAD = IDLE = 3.0
TOTAL = 10.0
RATE_OVER = 4.0
AT_ONCE = 0.0
GRACE = 1.0
SANITIZED = 2.0  # more of that for a binary with sanitizers, which is several times as slow
THREADS_SANITIZED = 10.0  # and for TSan, under which a large robots.txt holds a thread for seconds: it looks for races, not for time
MIN_RATE = 100  # octets a second
HEAD_MAX = 64 * 1024
BODY_MAX = 2 * MIB  # more than fetch::kRatioFree, or no bomb would ever be one
ROBOTS_MAX = 512_000  # robots::kFileOctetsMax
REDIRECTS_MAX = 10  # crawler::kRedirectsMax

ROBOTS = "/robots.txt"
TOO_SLOW = "too slow"  # stands for the word `slow`, or for `timeout` in a binary that has no network.min_rate


def is_robots(path: str) -> bool:
    """robots.txt, or where its redirects lead to."""
    return path == ROBOTS or path.startswith("/robots/")


Act = typing.Callable[["typing.Any"], typing.Awaitable[None]]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """One line that crawld's log must have: the first of this event for this URL, with these words in it."""

    event: str  # visit, robots or verdict
    url: str = ""  # a path of the behaviour's own origin, or a whole URL with :PORT; empty: whichever came first for the origin
    words: tuple[tuple[str, object], ...] = ()  # key -> value, or a tuple of values; None: the key must be absent


def outcome(event: str, url: str = "", **words) -> Outcome:
    return Outcome(event, url, tuple(words.items()))


def visited(fate, error=None, url="/", **words) -> Outcome:
    return outcome("visit", url, fate=fate, error=error, **words)


def blocked(url: str) -> Outcome:
    return outcome("visit", url, fate="blocked")


@dataclasses.dataclass
class Behaviour:
    name: str
    says: str
    group: str
    at: str  # page, robots, accept (the connection after robots.txt), connect (any connection, before TLS) or never
    act: Act | None
    outcomes: list[Outcome]
    within: float = AT_ONCE  # the deadline that applies
    tls: str = ""  # the name of a certificate (certificates.py); the origin is https then
    resolve: typing.Callable | None = None  # Question -> what the DNS server sends (dns_message.py)
    pages_max: int = 1  # requests for pages that crawld may send; robots.txt apart
    listens: str = "yes"  # `no`: nobody listens; `full`: the backlog is full
    bad_ports: tuple[int, ...] = ()  # of the same address, where nobody may ever connect to
    prepare: typing.Callable | None = None  # called before the servers start: makes what takes long
    robots: bytes = b"User-agent: *\nDisallow:\n"  # robots.txt, of those that do not act on it
    bomb: bool = False  # unfolds: its memory is measured together with that of the others
    pages: dict[str, bytes] = dataclasses.field(default_factory=dict)  # path -> HTML, beside what the behaviour does
    address: str = ""

    @property
    def host(self) -> str:
        return f"{self.name}.zoo.test"

    def origin(self, port: int) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{port}"

    def url(self, port: int, path: str = "/") -> str:
        return self.origin(port) + path if path.startswith("/") else path.replace(":PORT", f":{port}")

    @property
    def too_slow(self) -> bool:
        return any(value == TOO_SLOW for o in self.outcomes for _, value in o.words)

    @property
    def wanted(self) -> str:
        """The outcomes in a few words."""
        values = [value for o in self.outcomes for _, value in o.words if value is not None]
        return " ".join("|".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in values)


class Group:
    """Behaviours of one file. `add` registers one; the others are decorators for the usual kinds."""

    def __init__(self, name: str):
        self.name = name
        self.all: list[Behaviour] = []

    def add(self, name: str, says: str, act, outcomes: list[Outcome], at="page", **more) -> Behaviour:
        behaviour = Behaviour(name, says, self.name, at, act, outcomes, **more)
        self.all.append(behaviour)
        return behaviour

    def _decorator(self, at: str, outcomes: list[Outcome], more: dict):
        def register(act):
            self.add(act.__name__.replace("_", "-"), act.__doc__.strip(), act, outcomes, at=at, **more)
            return act

        return register

    def page(self, fate, error=None, then=(), **more):
        """Acts when a page is asked for; robots.txt is well. `then`: outcomes beside that of `/`."""
        words = more.pop("words", {})
        return self._decorator("page", [visited(fate, error, **words), *then], more)

    def accept(self, fate, error=None, **more):
        """Acts on the connection that comes after the one for robots.txt, before it has said anything."""
        return self._decorator("accept", [visited(fate, error)], more)

    def connect(self, error, **more):
        """Acts on every connection from its first octet: crawld never gets as far as robots.txt."""
        return self._decorator("connect", unreachable(error), more)

    def resolve(self, outcomes: list[Outcome], **more):
        """For a function that answers DNS questions about the origin, see dns_message.py; the web server behind it is well."""

        def register(resolve):
            self.add(resolve.__name__.replace("_", "-"), resolve.__doc__.strip(), None, outcomes, at="never", resolve=resolve, **more)
            return resolve

        return register

    def robots(self, access, error=None, fate=None, then=(), **more):
        """Acts when robots.txt is asked for. `fate`: of the page behind, None: it must not be asked for."""
        words = more.pop("words", {})
        outcomes = [outcome("robots", error=error), outcome("verdict", access=access, **words)]
        if fate:
            outcomes.append(visited(fate))
        more.setdefault("pages_max", 1 if fate else 0)
        return self._decorator("robots", [*outcomes, *then], more)


def unreachable(error) -> list[Outcome]:
    """The origin cannot even be asked for its robots.txt, so nothing else is."""
    return [outcome("robots", error=error), outcome("verdict", access="defer")]


def reached() -> list[Outcome]:
    return [outcome("robots", error=None), visited("fetched")]
