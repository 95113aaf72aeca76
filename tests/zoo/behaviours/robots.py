"""robots.txt: too large, too slow, too clever, or not there at all. What cannot be had closes the site, what is odd does not break it."""

import functools
import gzip
import os

from behaviour import HEAD, IDLE, ROBOTS_MAX, TOO_SLOW, TOTAL, Group, outcome, visited
from littleweb import page as html
from server import INSIDE, INSIDE_NAME

GROUP = Group("robots")
robots, add = GROUP.robots, GROUP.add
RULES = b"User-agent: *\nDisallow: /closed\n"
# The front page links to what RULES close, which must not be asked for.
FRONT = {"/": html("front", "/closed/a.html").encode()}
CLOSED = {"pages": FRONT, "then": [visited("disallowed", url="/closed/a.html")]}
DEFER = "defer"


def file(name: str, says: str, octets, access: str = "rules", fate: str | None = "fetched", then=(), **more):
    """A robots.txt that is what it is; `octets` may be a function."""

    body = functools.cache(octets if callable(octets) else lambda: octets)
    fields, words = more.pop("fields", ""), more.pop("words", {})

    async def act(peer):
        await peer.answer(body(), kind="text/plain", fields=fields)

    outcomes = [outcome("robots", error=None), outcome("verdict", access=access, **words)] + ([visited(fate)] if fate else [])
    more.setdefault("pages_max", 1 if fate else 0)
    add(name, says, act, [*outcomes, *then], at="robots", prepare=body, **more)


def status(name: str, says: str, words: str, access: str, fields: str = ""):
    async def act(peer):
        await peer.answer(b"no", status=words, fields=fields)

    outcomes = [outcome("robots", error=None), outcome("verdict", access=access)]
    if access != DEFER:
        outcomes.append(visited("fetched"))
    add(name, says, act, outcomes, at="robots", pages_max=0 if access == DEFER else 1)


# --- too large ---

file("robots-20-mib", "Twenty megabytes of rules; the first half megabyte counts.", lambda: RULES + b"Disallow: /filler\n" * 1_200_000,
     **CLOSED)  # fmt: skip
file("robots-one-line", "One rule of half a megabyte.", RULES + b"Disallow: /" + b"x" * (ROBOTS_MAX - 100) + b"\n", **CLOSED)
file("robots-cut-in-a-rule", "The limit falls into a rule: what is left of it would close everything.",
     RULES + b"#" * (ROBOTS_MAX - len(RULES) - len(b"\nDisallow: /")) + b"\nDisallow: /no-longer-read\n", **CLOSED)  # fmt: skip
file("robots-many-groups", "Twenty thousand groups for others.",
     lambda: RULES + b"".join(b"User-agent: b%d\nDisallow: /\n" % n for n in range(20_000)), **CLOSED)  # fmt: skip
file("robots-many-lines", "Half a million empty lines.", RULES + b"\n" * 500_000, **CLOSED)
file("robots-bomb", "100 MiB of gzip: what is beyond half a megabyte is not unfolded.",
     lambda: gzip.compress(RULES + b"#" * (100 << 20), mtime=0), fields="Content-Encoding: gzip\r\n", bomb=True, **CLOSED)  # fmt: skip


@robots("rules", fate="fetched", **CLOSED)
async def robots_endless(peer):
    """Rules without end."""
    await peer.head()
    await peer.send(RULES)
    await peer.pour(b"Disallow: /endless\n")


# --- too clever ---

LONG = "/" + "a" * 2000
file("robots-blow-up", "Ten thousand patterns like a*a*a*b for a path of two thousand a.",
     lambda: RULES + (b"Disallow: /" + b"a*" * 20 + b"b\n") * 10_000, pages={"/": html("front", LONG).encode()},
     then=[visited("fetched", url=LONG)], pages_max=2)  # fmt: skip
file("robots-blow-up-2-0", "The same in the patterns of version 2.0.",
     lambda: RULES + b"Robot-version: 2.0\n" + (b"Disallow: /" + b"*[a-b]" * 20 + b"c\n") * 10_000,
     pages={"/": html("front", LONG).encode()},
     then=[visited(("fetched", "disallowed"), url=LONG)], pages_max=2)  # fmt: skip
file("robots-endless-delay", "A Crawl-delay beyond every number.", RULES + b"Crawl-delay: 9e999\nCrawl-delay: 99999999999999999999\n",
     fate=None, words={"interval": "1h"})  # fmt: skip
ODD_RATES = [b"1/99999999999999999999h", b"0/0s", b"1/0", b"-1/1s", b"1000000/1s 2500-9999"]
file("robots-odd-rates", "Rates that overflow, divide by nothing, and run backwards.",
     RULES + b"".join(b"Request-rate: %s\n" % rate for rate in ODD_RATES),
     **CLOSED)  # fmt: skip
file("robots-too-fast", "A rate faster than anybody may be.", RULES + b"Request-rate: 1000000/1s\n", words={"interval": "50ms"}, **CLOSED)
file("robots-terminal", "Escape sequences, which must not get out of the log.",
     RULES + b"Disallow: /\x1b[31m\x1b]0;owned\x07\x9b\nSitemap: \x1b[2J\n", pages_max=2, **CLOSED)  # fmt: skip
file("robots-nul", "NULs between all octets, without a BOM.", b"\0".join(bytes([o]) for o in RULES))
file("robots-utf-16", "UTF-16, as its BOM says.", RULES.decode().encode("utf-16"), **CLOSED)
file("robots-utf-16-half", "UTF-16 that ends in the middle of a pair.", b"\xff\xfe" + RULES.decode().encode("utf-16-le") + b"\0\xd8\1",
     **CLOSED)  # fmt: skip
file("robots-binary", "A hundred kilobytes of random octets.", lambda: b"\0" + os.urandom(100_000))
file("robots-html", "A web page with status 200.", html("no such file", "/robots.txt").encode())
file("robots-empty", "Nothing.", b"", access="allow_all")

# --- not there ---

status("robots-404", "404.", "404 Not Found", "allow_all")
status("robots-403", "403.", "403 Forbidden", "allow_all")
status("robots-429", "429.", "429 Too Many Requests", DEFER)
status("robots-500", "500.", "500 Internal Server Error", DEFER)
status("robots-503", "503 with a Retry-After of three thousand years.", "503 Service Unavailable", DEFER, "Retry-After: 99999999999\r\n")
status("robots-999", "999.", "999 Denied", DEFER)
status("robots-300", "300 Multiple Choices, without any.", "300 Multiple Choices", "allow_all")
status("robots-301-nowhere", "A redirect that does not say where to.", "301 Moved Permanently", "allow_all")


@robots(DEFER, "reset")
async def robots_reset(peer):
    """Resets."""
    peer.reset()


@robots(DEFER, "timeout", within=HEAD)
async def robots_never(peer):
    """Takes the request and says nothing."""
    await peer.hold()


@robots(DEFER, TOO_SLOW, within=TOTAL)
async def robots_drip(peer):
    """One octet a second."""
    await peer.head()
    await peer.drip(RULES * 100)


@robots(DEFER, "timeout", within=IDLE)
async def robots_stalls(peer):
    """Stops behind the first rule."""
    await peer.head("Content-Length: 1000\r\n")
    await peer.send(RULES)
    await peer.hold()


@robots(DEFER, "truncated")
async def robots_truncated(peer):
    """Ends before its Content-Length: what is missing may be the rule that counts."""
    await peer.head("Content-Length: 1000\r\n")
    await peer.send(RULES)


@robots(DEFER, "truncated")
async def robots_truncated_chunks(peer):
    """Ends without its last chunk."""
    await peer.head("Transfer-Encoding: chunked\r\n")
    await peer.send(b"%x\r\n%s\r\n" % (len(RULES), RULES))


@robots(DEFER, "protocol")
async def robots_garbage(peer):
    """Not HTTP."""
    await peer.send(b"What do you want?\r\n\r\n")


@robots(DEFER, "decode")
async def robots_unknown_coding(peer):
    """A coding that nobody knows."""
    await peer.answer(RULES, fields="Content-Encoding: exotic\r\n")


@robots(DEFER, "decode")
async def robots_half_gzip(peer):
    """Half of a gzip stream."""
    packed = gzip.compress(RULES, mtime=0)
    await peer.answer(packed[: len(packed) // 2], fields="Content-Encoding: gzip\r\n")


# --- somewhere else ---

def moved(name: str, says: str, where, access: str, then=()):
    """`where`: Location as a function of the path."""

    async def act(peer):
        await peer.answer(b"", "302 Found", f"Location: {where(peer.path).replace(':PORT', f':{peer.port}')}\r\n")

    outcomes = [outcome("robots", error=None), outcome("verdict", access=access)]
    if access != DEFER:
        outcomes.append(visited("fetched"))
    add(name, says, act, [*outcomes, *then], at="robots", pages_max=0 if access == DEFER else 1)


def inside(url: str):
    return outcome("robots", url, error="blocked_address")


moved("robots-to-itself", "A redirect to itself.", lambda _: "/robots.txt", "allow_all")
moved("robots-to-endless", "Redirects without end.",
      lambda path: f"/robots/{int('0' + path[8:-4]) + 1}.txt" if path[8:-4] else "/robots/1.txt", "allow_all")  # fmt: skip
moved("robots-to-file", "A redirect to a file.", lambda _: "file:///etc/passwd", "allow_all")
moved("robots-to-inside", "A redirect to a private address.", lambda _: f"http://{INSIDE[0]}:PORT/robots.txt", DEFER,
      [inside(f"http://{INSIDE[0]}:PORT/robots.txt")])  # fmt: skip
moved("robots-to-inside-name", "A redirect to a name that leads to a private address.", lambda _: f"http://{INSIDE_NAME}:PORT/robots.txt",
      DEFER,  # fmt: skip
      [inside(f"http://{INSIDE_NAME}:PORT/robots.txt")])  # fmt: skip
moved("robots-to-metadata", "A redirect to where clouds keep credentials.", lambda _: "http://169.254.169.254/latest/meta-data/", DEFER,
      [inside("http://169.254.169.254/latest/meta-data/")])  # fmt: skip
moved("robots-to-redis", "A redirect to a port that no web server uses.", lambda _: f"http://{INSIDE[0]}:6379/robots.txt", DEFER,
      [outcome("robots", f"http://{INSIDE[0]}:6379/robots.txt", error="blocked_port")])  # fmt: skip
