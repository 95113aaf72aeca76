"""The web of the process test: small sites whose robots.txt files differ, and by hand what a polite crawler does with each.

Nothing here is computed from robots.txt: intervals and the sets of pages are written down, so that they are a second opinion.
"""

import dataclasses
import time

from littleweb import Site, page

DEFAULT_INTERVAL = 0.3  # seconds, as the configuration of the test has them
RATE_FLOOR = 2.0
ADDRESS_INTERVAL = 0.15
DEPTH_MAX = 4
EVERYONE = "User-agent: *\n"


@dataclasses.dataclass
class Case:
    """A site and what has to be seen of it."""

    site: Site
    interval: float = DEFAULT_INTERVAL  # between request starts
    fetched: frozenset[str] = frozenset()  # targets asked for exactly once, robots.txt apart
    never: frozenset[str] = frozenset()  # linked, and not to be asked for
    robots_requests: int = 1
    hops: frozenset[str] = frozenset()  # robots.txt of others, asked for here: may come before our own
    seed: bool = True


def case(host, address, robots, pages, never=(), **rest) -> Case:
    """`pages`: path -> links. Every page in it is expected exactly once, those in `never` not at all."""
    closed = {path: page("closed") for path in never if "?" not in path}
    own = {name: rest.pop(name) for name in ("redirects", "statuses", "robots_first", "headers") if name in rest}
    texts = {path: page(path, *links) if isinstance(links, list) else links for path, links in pages.items()}
    fetched = rest.pop("fetched", None) or set(pages) | set(own.get("redirects", {}))
    fetched = {path for path in fetched if path != "/robots.txt"}
    return Case(Site(host, address, robots, texts | closed, **own), fetched=frozenset(fetched), never=frozenset(never), **rest)


def chain(count: int) -> dict[str, list[str]]:
    """`/` links to all of `count` leaves, and each leaf back and to its neighbour: every page is found many times."""
    pages = {"/": [f"/leaf/{n}.html" for n in range(count)]}
    return pages | {f"/leaf/{n}.html": ["/", f"/leaf/{(n + 1) % count}.html"] for n in range(count)}


def minutes_from(now: float, minutes: int) -> str:
    return time.strftime("%H%M", time.gmtime(now + 60 * minutes))


def rate_cases(now: float) -> list[Case]:
    holds = f"{minutes_from(now, -5)}-{minutes_from(now, 30)}"
    holds_not = f"{minutes_from(now, 120)}-{minutes_from(now, 180)}"
    return [
        case("default.test", "127.1.0.1", EVERYONE + "Disallow:\n", chain(12)),
        case("five.test", "127.1.0.2", EVERYONE + "Request-rate: 5/1s\n", chain(20), interval=0.2),
        case("two.test", "127.1.0.3", EVERYONE + "Request-rate: 2/1s\n", chain(10), interval=0.5),
        # A window that holds now outranks the line without one, faster or slower.
        case("window.test", "127.1.0.4", EVERYONE + f"Request-rate: 5/1s\nRequest-rate: 1/1s {holds}\n", chain(6), interval=1.0),
        case("day.test", "127.1.0.5", EVERYONE + f"Request-rate: 1/2s\nRequest-rate: 5/2s {holds}\n", chain(8), interval=0.4),
        case("night.test", "127.1.0.6", EVERYONE + f"Request-rate: 1/5s {holds_not}\n", chain(8)),
        case("half.test", "127.1.0.7", EVERYONE + "Crawl-delay: 0.5\n", chain(8), interval=0.5),
        case("oneandahalf.test", "127.1.0.8", EVERYONE + "Crawl-delay: 1.5\n", chain(5), interval=1.5),
        case("both.test", "127.1.0.9", EVERYONE + "Request-rate: 5/1s\nCrawl-delay: 0.8\n", chain(7), interval=0.8),
        case("floor.test", "127.1.0.10", EVERYONE + "Request-rate: 1/60s\n", chain(3), interval=RATE_FLOOR),
        # The floor never touches Crawl-delay.
        case("slow.test", "127.1.0.11", EVERYONE + "Request-rate: 1/60s\nCrawl-delay: 3\n", chain(2), interval=3.0),
    ]


def rule_cases() -> list[Case]:
    return [
        case("deny.test", "127.1.1.1", EVERYONE + "Disallow: /\n", {}, never=["/", "/a.html"]),
        case(
            "mix.test", "127.1.1.2",
            EVERYONE + "Disallow: /shop/\nAllow: /shop/open/\nDisallow: /shop/open/staff\nDisallow: /tie\nAllow: /tie\n",
            {"/": ["/shop/", "/shop/a.html", "/shop/open/a.html", "/shop/open/staff.html", "/tie.html", "/Shop/a.html", "/shopping.html"],
             "/shop/open/a.html": ["/shop/b.html", "/"], "/tie.html": [], "/Shop/a.html": [], "/shopping.html": []},
            never=["/shop/", "/shop/a.html", "/shop/b.html", "/shop/open/staff.html"],
        ),
        case(
            "wild.test", "127.1.1.3",
            EVERYONE + "Disallow: /*.pdf$\nDisallow: /*?sort=\nDisallow: /a*/secret\n",
            {"/": ["/x.pdf", "/x.pdf.html", "/dir/y.pdf", "/list.html?sort=up", "/list.html?page=2", "/abc/secret.html", "/b/secret.html"],
             "/x.pdf.html": [], "/list.html?page=2": [], "/b/secret.html": []},
            never=["/x.pdf", "/dir/y.pdf", "/list.html?sort=up", "/abc/secret.html"],
        ),
        case(
            "own.test", "127.1.1.4",
            "User-agent: *\nDisallow: /\n\nUser-agent: crawld\nDisallow: /ours/\nCrawl-delay: 0.4\n\nUser-agent: crawldish\nDisallow: /page\n",
            {"/": ["/page.html", "/ours/a.html"], "/page.html": []}, never=["/ours/a.html"], interval=0.4,
        ),
        case(
            "others.test", "127.1.1.5", "User-agent: otherbot\nDisallow: /\n\nUser-agent: *\nDisallow: /x/\n",
            {"/": ["/x/a.html", "/y/a.html"], "/y/a.html": []}, never=["/x/a.html"],
        ),
        case(
            "messy.test", "127.1.1.6", "\ufeffUSER-AGENT : *\r\n  disalow: /no/ # a slip of the pen\r\n\r\nrubbish\r\n",
            {"/": ["/no/a.html", "/yes/a.html"], "/yes/a.html": []}, never=["/no/a.html"],
        ),
        case(
            "version2.test", "127.1.1.7", EVERYONE + "Robot-version: 2.0\nDisallow: /help\nDisallow: /[a-c]?.html\nDisallow: /q\\?*\n",
            {"/": ["/help", "/helpme.html", "/a1.html", "/d1.html", "/a12.html", "/q.html", "/q?x=1"], "/helpme.html": [], "/d1.html": [],
             "/a12.html": [], "/q.html": []},
            never=["/help", "/a1.html", "/q?x=1"],
        ),
        case("none.test", "127.1.1.8", None, chain(5)),
        case("unauthorised.test", "127.1.1.9", None, chain(4), statuses={"/robots.txt": 401}),
        case("forbidden.test", "127.1.1.10", None, chain(4), statuses={"/robots.txt": 403}),
        case("busy.test", "127.1.1.11", EVERYONE + "Disallow: /no/\n", {"/": ["/no/a.html", "/a.html"], "/a.html": []},
             never=["/no/a.html"], robots_first=(503, 2), robots_requests=2),
        case("broken.test", "127.1.1.12", EVERYONE + "Disallow: /no/\n", {"/": ["/no/a.html", "/a.html"], "/a.html": []},
             never=["/no/a.html"], robots_first=(500, 2), robots_requests=2),
        # robots.txt of moved.test lives on home.test, whose own file says something else.
        case("moved.test", "127.1.1.13", None, {"/": ["/theirs/a.html", "/mine/a.html"], "/mine/a.html": []}, never=["/theirs/a.html"],
             redirects={"/robots.txt": "http://home.test:PORT/robots/moved.txt"}, interval=0.6),
        case(
            "home.test", "127.1.1.14", EVERYONE + "Disallow: /mine/\n",
            {"/": ["/theirs/a.html", "/mine/a.html"], "/theirs/a.html": [],
             "/robots/moved.txt": EVERYONE + "Disallow: /theirs/\nCrawl-delay: 0.6\n"},
            fetched={"/", "/theirs/a.html"}, never=["/mine/a.html"], hops=frozenset({"/robots/moved.txt"}),
        ),
    ]  # fmt: skip


def link_cases() -> list[Case]:
    return [
        case(
            "links.test", "127.1.2.1", EVERYONE + "Disallow:\n",
            {
                "/": page(
                    "links", "/a.html", "/a.html#part", "a.html", "./b/../a.html", "/b/", "//links.test:PORT/c.html",
                    "http://LINKS.test:PORT/c.html#x", "mailto:a@links.test", "javascript:void(0)", "#top", "",
                    '<a rel="nofollow" href="/not-followed.html">x</a>', '<a rel="external ugc" href="/not-followed.html">x</a>',
                    "<!-- <a href='/comment.html'>x</a> -->", "<script>'<a href=\"/script.html\">'</script>",
                    "<p><a href='/quoted.html'>x</a><a href=/bare.html>y</a><A HREF='/caps.html'>z</a>",
                    "http://outside.test:PORT/", "/d?x=1&amp;y=2", "/d?x=1&y=2", "/meta-nofollow.html", "/base.html", "/gone.html",
                ),
                "/a.html": [], "/b/": ["relative.html", "../up.html"], "/b/relative.html": [], "/up.html": [], "/c.html": [],
                "/quoted.html": [], "/bare.html": [], "/caps.html": [],
                "/meta-nofollow.html": page("x", "/behind-nofollow.html", head='<meta name="robots" content="index, nofollow">'),
                "/base.html": page("x", "leaf.html", head='<base href="/deep/dir/">'), "/deep/dir/leaf.html": [],
            },
            fetched={"/", "/a.html", "/b/", "/b/relative.html", "/up.html", "/c.html", "/quoted.html", "/bare.html", "/caps.html",
                     "/d?x=1&y=2", "/meta-nofollow.html", "/base.html", "/deep/dir/leaf.html", "/gone.html"},
            never=["/not-followed.html", "/comment.html", "/script.html", "/behind-nofollow.html", "/leaf.html"],
        ),
        case(
            "header.test", "127.1.2.2", EVERYONE + "Disallow:\n", {"/": ["/behind.html"]}, never=["/behind.html"],
            headers={"X-Robots-Tag": "nofollow"},
        ),
        case(
            "deep.test", "127.1.2.3", EVERYONE + "Disallow:\n",
            {"/": ["/1.html"]} | {f"/{n}.html": [f"/{n + 1}.html"] for n in range(1, DEPTH_MAX + 1)}, never=[f"/{DEPTH_MAX + 1}.html"],
        ),
        case(
            "hops.test", "127.1.2.4", EVERYONE + "Disallow: /closed/\n",
            {"/": ["/in.html", "/away.html", "/loop.html", "/to-closed.html", "/off.html"], "/end.html": []},
            redirects={"/in.html": "/middle.html", "/middle.html": "/end.html", "/away.html": "http://landing.test:PORT/arrived.html",
                       "/loop.html": "/loop.html", "/to-closed.html": "/closed/a.html", "/off.html": "http://outside.test:PORT/off.html"},
            never=["/closed/a.html"],
        ),
        case("landing.test", "127.1.2.5", EVERYONE + "Crawl-delay: 0.4\n", {"/": [], "/arrived.html": []}, interval=0.4),
        # Linked and redirected to, but no seed and so out of scope: not even its robots.txt is asked for.
        case("outside.test", "127.1.2.6", EVERYONE, {}, never=["/", "/off.html"], robots_requests=0, seed=False),
    ]  # fmt: skip


def shared_cases() -> list[Case]:
    """Several sites on one address, more of them than it stands at their own intervals: hosts of one domain, and unrelated ones."""
    together = [case(f"{name}.together.test", "127.1.3.1", EVERYONE, chain(8)) for name in ("a", "b", "c", "d")]
    return together + [case(f"{name}.test", "127.1.3.2", EVERYONE, chain(8)) for name in ("east", "west", "north")]


SHARED = {"127.1.3.1", "127.1.3.2"}


def all_cases(now: float) -> list[Case]:
    return rate_cases(now) + rule_cases() + link_cases() + shared_cases()
