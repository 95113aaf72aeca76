"""A made-up web that is the same for the same seed: hosts on 127.64.x.y, pages as real ones are in size and links, robots.txt on each.

What is to be crawled is known from how it is made: `Web.expected` holds every URL that links lead to from the front pages without
passing a disallowed one. Beside each file lies its .gz, so that a server has next to nothing to do.
"""

import dataclasses
import functools
import gzip
import itertools
import json
import pathlib
import random

FORMAT = 2  # of the files: a kept web of another number is made again
MEDIAN_SIZE, SPREAD = 16_500, 0.6  # log-normal: a mean near 20 KB
SIZE_MIN, SIZE_MAX = 3_000, 250_000
CLOSED_PAGES = 4  # a host, under CLOSED; further pages are linked from those alone
CLOSED = "/members/"
PRINT = "?print="
ROBOTS = f"User-agent: *\nDisallow: {CLOSED}\nDisallow: /*{PRINT}\n"
SECTIONS = ("news", "articles", "products", "people", "archive", "help")
LINKS_TO_OWN, LINKS_TO_OTHERS = 26, 8


@dataclasses.dataclass(frozen=True)
class Shape:
    """What a web is made from; equal shapes make equal webs."""

    hosts: int = 200
    pages: int = 50  # on each host: those that may be and can be reached
    scheme: str = "http"
    port: int = 18080
    seed: int = 1

    def host(self, number: int) -> str:
        return f"127.64.{number // 250}.{number % 250 + 1}"

    def origin(self, number: int) -> str:
        return f"{self.scheme}://{self.host(number)}:{self.port}"

    @property
    def seeds(self) -> list[str]:
        return [self.origin(number) + "/" for number in range(self.hosts)]


def allowed(target: str) -> bool:
    """What ROBOTS says of a target (path and query)."""
    return not target.startswith(CLOSED) and PRINT not in target


class Web:
    """The pages of a shape, made one after the other: links(host, page) and html(host, page) are functions of their arguments."""

    def __init__(self, shape: Shape):
        self.shape = shape
        chance = random.Random(shape.seed)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ar", "en", "ist", "or", "al")]
        self._words = ["".join(chance.choices(syllables, k=chance.choice((1, 1, 2, 2, 3)))) for _ in range(4000)]
        self._slugs = ["-".join(chance.choices(self._words, k=3)) for _ in range(shape.pages)]

    @functools.cached_property
    def _paragraphs(self) -> list[str]:
        chance = random.Random(self.shape.seed + 1)
        common = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(self._words))))  # as in a language: few words often
        return [
            '<p class="text">' + " ".join(chance.choices(self._words, cum_weights=common, k=chance.randint(30, 110))) + ".</p>\n"
            for _ in range(2500)
        ]

    @property
    def expected(self) -> set[str]:
        """Targets on each host that a crawl from its front page reaches, and may: they are the same on all hosts."""
        return {self.path(page) for page in range(self.shape.pages)}

    def path(self, page: int) -> str:
        return "/" if page == 0 else f"/{SECTIONS[page % len(SECTIONS)]}/{self._slugs[page]}-{page}.html"

    @staticmethod
    def closed_path(page: int) -> str:
        return f"{CLOSED}page-{page}.html"

    def hrefs(self, host: int, page: int, chance: random.Random) -> dict[str, list[str]]:
        """The links of a page by their place: about 70, written as people write them."""
        shape, pages = self.shape, self.shape.pages
        menu = [self.path(n % pages) for n in range(13)]
        children = [n for n in range(4 * page + 1, 4 * page + 5) if n < pages]  # by these alone everything is reached
        own = [self._written(host, n, chance) for n in [*children, *(chance.randrange(pages) for _ in range(LINKS_TO_OWN))]]
        others = [
            shape.origin(chance.randrange(shape.hosts)) + self.path(chance.randrange(pages)) for _ in range(LINKS_TO_OTHERS)
        ]
        closed = [self.closed_path(chance.randrange(CLOSED_PAGES)) for _ in range(2)]
        if page % 10 == 0:
            closed.append(self.path(page) + PRINT + "1")
        outside = [f"https://www.partner-{chance.randrange(5000)}.invalid/{name}" for name in chance.choices(self._words, k=3)]
        foot = ["#top", "mailto:info@site.invalid", f"https://www.maker-{host}.invalid/", *(self.path(n % pages) for n in range(9))]
        return {"menu": menu, "own": own, "others": others + outside, "closed": closed, "foot": foot}

    def _written(self, host: int, page: int, chance: random.Random) -> str:
        path = self.path(page)
        kind = chance.randrange(10)
        if kind == 0:
            return self.shape.origin(host) + path
        if kind == 1:
            return path + "#part-2"
        if kind == 2 and page:
            return f"/{SECTIONS[0]}/../{path[1:]}"
        return path

    def html(self, host: int, page: int) -> str:
        chance = random.Random(f"{self.shape.seed}/{host}/{page}")
        hrefs = self.hrefs(host, page, chance)
        size = min(max(int(chance.lognormvariate(0, SPREAD) * MEDIAN_SIZE), SIZE_MIN), SIZE_MAX)
        title = f"{self._slugs[page]} {host}"
        head = (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f'<meta name="description" content="{title}">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<link rel="stylesheet" href="/style.css">\n<link rel="icon" href="/images/icon.png">\n<script src="/script.js" defer></script>\n'
            f'</head>\n<body class="page">\n<header id="top"><nav class="menu"><ul>\n'
        )
        head += "".join(f'<li class="menu-item"><a class="menu-link" href="{href}">{href[1:9]}</a></li>\n' for href in hrefs["menu"])
        head += "</ul></nav></header>\n<main>\n"
        tail = '</main>\n<footer class="foot">\n'
        tail += "".join(f'<a class="foot-link" href="{href}">{href[:12]}</a>\n' for href in hrefs["foot"]) + "</footer>\n</body>\n</html>\n"
        links = [
            f'<div class="card"><a href="{href}" title="{self._slugs[n % len(self._slugs)]}">{self._slugs[n % len(self._slugs)]}</a></div>\n'
            for n, href in enumerate(hrefs["own"] + hrefs["others"] + hrefs["closed"])
        ]
        links += [f'<img src="/images/{chance.randrange(5)}.png" alt="" width="320" height="200">\n' for _ in range(5)]
        rest = size - len(head) - len(tail) - sum(map(len, links))
        while rest > 0:
            links.append(chance.choice(self._paragraphs))
            rest -= len(links[-1])
        chance.shuffle(links)
        return head + "".join(links) + tail

    def closed_html(self, host: int, page: int) -> str:
        behind = "".join(f'<a href="/behind/{page}-{n}.html">x</a>\n' for n in range(2))
        return f"<!doctype html>\n<html><head><title>closed {page} {host}</title></head><body>\n{behind}</body></html>\n"

    def files(self, host: int):
        """(path, octets) of everything that lies on a host."""
        yield "/robots.txt", ROBOTS.encode()
        yield "/style.css", b"body { margin: 0 }\n"
        yield "/script.js", b"void 0;\n"
        for name in ("icon", *range(5)):
            yield f"/images/{name}.png", b"\x89PNG\r\n\x1a\n"
        for page in range(self.shape.pages):
            path = self.path(page)
            yield path + "index.html" if path == "/" else path, self.html(host, page).encode()
        for page in range(CLOSED_PAGES):
            yield self.closed_path(page), self.closed_html(host, page).encode()
            for n in range(2):
                yield f"/behind/{page}-{n}.html", b"<!doctype html>\n<p>nobody comes here\n"


def write(shape: Shape, folder: pathlib.Path) -> int:
    """Writes the web to `folder`/HOST/..., unless it is there already. Returns the octets of its pages before compression."""
    mark = folder / "made.json"
    about = dataclasses.asdict(shape) | {"format": FORMAT}
    if mark.exists() and (found := json.loads(mark.read_text()))["about"] == about:
        return found["octets"]
    web = Web(shape)
    octets = 0
    for host in range(shape.hosts):
        root = folder / shape.host(host)
        for path, content in web.files(host):
            file = root / path[1:]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            if path.endswith(".html"):
                octets += len(content)
                file.with_name(file.name + ".gz").write_bytes(gzip.compress(content, 6, mtime=0))
    mark.write_text(json.dumps({"about": about, "octets": octets}))
    return octets
