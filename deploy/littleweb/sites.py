"""The sites of the quickstart: one for each way in which robots.txt can set the pace or close a door."""

import dataclasses
import time

from littleweb import Site, page

DEFAULT_INTERVAL = 1.0  # politeness.default_interval of the demo's configuration
MOVED_ROBOTS = "/robots-of-moved.txt"


@dataclasses.dataclass
class Demo:
    """A site, what its robots.txt asks for in a few words, and what a polite crawler has to keep."""

    site: Site
    says: str
    interval: float = DEFAULT_INTERVAL
    forbidden: tuple[str, ...] = ()  # linked paths that robots.txt closes


def tree(host: str, count: int, also: tuple[str, ...] = ()) -> dict[str, str]:
    """`/` and `count` pages below it, each found only through the one before its ten. `also` is linked from `/`."""
    pages = {"/": page(host, *(f"/page/{n}.html" for n in range(1, min(count, 9) + 1)), *also)}
    for n in range(1, count + 1):
        pages[f"/page/{n}.html"] = page(f"{host} {n}", "/", *(f"/page/{m}.html" for m in range(n * 10, n * 10 + 10) if m <= count))
    return pages


def closed(*paths: str) -> dict[str, str]:
    return {path: page("closed to robots") for path in paths}


def window(begin_minutes: int, end_minutes: int, now: float) -> str:
    """A window of the day in UTC, as robots.txt writes it, from and to minutes relative to `now`."""
    begin, end = (time.gmtime(now + 60 * minutes) for minutes in (begin_minutes, end_minutes))
    return time.strftime("%H%M", begin) + "-" + time.strftime("%H%M", end)


def demos(now: float) -> list[Demo]:
    """`now`: seconds since 1970; the windows of the day lie around it."""
    everyone = "User-agent: *\n"
    open_window, closed_window = window(-10, 60, now), window(120, 240, now)
    found = [
        Demo(Site("plain.test", "127.0.0.11", everyone + "Disallow:\n", tree("plain.test", 45)), "no rate: the default"),
        Demo(Site("rate.test", "127.0.0.12", everyone + "Request-rate: 2/1s\n", tree("rate.test", 90)), "Request-rate: 2/1s", 0.5),
        Demo(
            Site("window.test", "127.0.0.13", everyone + f"Request-rate: 1/4s {open_window}\n", tree("window.test", 13)),
            f"Request-rate: 1/4s {open_window} (now)", 4.0,
        ),
        Demo(
            Site("night.test", "127.0.0.14", everyone + f"Request-rate: 1/8s {closed_window}\n", tree("night.test", 45)),
            f"Request-rate: 1/8s {closed_window} (not now)",
        ),
        Demo(Site("delay.test", "127.0.0.15", everyone + "Crawl-delay: 2.5\n", tree("delay.test", 20)), "Crawl-delay: 2.5", 2.5),
        Demo(
            Site("floor.test", "127.0.0.16", everyone + "Request-rate: 1/60s\n", tree("floor.test", 4)),
            "Request-rate: 1/60s, floor 10s", 10.0,
        ),
        Demo(
            Site(
                "wild.test", "127.0.0.17", everyone + "Disallow: /*.pdf$\nDisallow: /private*/\nAllow: /private/open.html\n",
                tree("wild.test", 15, ("/paper.pdf", "/private/open.html", "/private/secret.html", "/private2/x.html"))
                | closed("/paper.pdf", "/private/open.html", "/private/secret.html", "/private2/x.html"),
            ),
            "wildcards, an Allow inside", forbidden=("/paper.pdf", "/private/secret.html", "/private2/x.html"),
        ),
        Demo(Site("missing.test", "127.0.0.18", None, tree("missing.test", 15)), "404: no robots.txt"),
        Demo(
            Site("busy.test", "127.0.0.19", everyone + "Request-rate: 1/2s\n", tree("busy.test", 12), robots_first=(503, 5)),
            "503 first, then Request-rate: 1/2s", 2.0,
        ),
        Demo(
            Site("moved.test", "127.0.0.20", None, tree("moved.test", 15, ("/closed/",)) | closed("/closed/"),
                 redirects={"/robots.txt": f"http://home.test:PORT{MOVED_ROBOTS}"}),
            "robots.txt redirects to home.test", 1.5, forbidden=("/closed/",),
        ),
        Demo(
            Site("home.test", "127.0.0.21", everyone + "Disallow: /closed/\n",
                 tree("home.test", 15, ("/closed/",)) | closed("/closed/")
                 | {MOVED_ROBOTS: everyone + "Crawl-delay: 1.5\nDisallow: /closed/\n"}),
            "Disallow: /closed/", forbidden=("/closed/",),
        ),
        Demo(
            Site("version2.test", "127.0.0.22", everyone + "Robot-version: 2.0\nDisallow: /help?.html\nDisallow: /[a-c]*\n",
                 tree("version2.test", 15, ("/help.html", "/help1.html", "/abc.html", "/def.html"))
                 | closed("/help.html", "/help1.html", "/abc.html", "/def.html")),
            "Robot-version: 2.0", forbidden=("/help1.html", "/abc.html"),
        ),
        Demo(
            Site("deny.test", "127.0.0.23", everyone + "Disallow: /\n", tree("deny.test", 5)),
            "Disallow: /", forbidden=("/", *(f"/page/{n}.html" for n in range(1, 6))),
        ),
        Demo(
            Site("bot.test", "127.0.0.24", "User-agent: crawld\nRequest-rate: 5/4s\nDisallow: /ours/\n\nUser-agent: *\nDisallow: /\n",
                 tree("bot.test", 40, ("/ours/",)) | closed("/ours/")),
            "a group of our own, * is shut out", 0.8, forbidden=("/ours/",),
        ),
    ]  # fmt: skip
    return found
