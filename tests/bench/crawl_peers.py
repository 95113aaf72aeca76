"""Other programs on the same web. Each obeys robots.txt if it can and crawls as fast as it can; what is not installed is skipped."""

import dataclasses
import pathlib
import shutil
import subprocess
import sys
import venv

from crawl_server import SYSTEM_PATH
from crawl_web import Shape, Web

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
PACKAGES = ("wrk", "wget2", "httrack", "curl")
SCRAPY, COLLY = "scrapy", "github.com/gocolly/colly/v2@v2.3.0"
CONNECTIONS = 200
WRK_CONNECTIONS, WRK_SECONDS = 50, 4


@dataclasses.dataclass
class Peer:
    """A program beside crawld. `kind`: `ceiling` and `fetch only` find no links themselves, `crawler` does all that crawld does but
    keep a durable queue and an archive."""

    name: str
    kind: str
    program: str  # a path or a name in PATH
    tools: pathlib.Path
    interval: int  # ms, for those that can keep one

    @property
    def found(self) -> str | None:
        return shutil.which(self.program, path=SYSTEM_PATH)

    def prepare(self, shape: Shape, folder: pathlib.Path, ca_file: pathlib.Path) -> list[str]:
        """Writes what it needs to `folder` and returns the command."""
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(url + "\n" for url in shape.seeds), encoding="utf-8")
        return [self.found, *getattr(self, "_" + self.name.replace(" ", "_").replace(",", ""))(shape, folder, seeds, ca_file)]

    def _wrk(self, shape, folder, *_):
        pages = folder / "pages.txt"
        pages.write_text("".join(url + "\n" for url in all_pages(shape)), encoding="utf-8")
        script = ["-s", str(PEERS / "list.lua"), shape.origin(0), "--", str(pages)]
        return ["-t1", f"-c{WRK_CONNECTIONS}", f"-d{WRK_SECONDS}s", *script]

    def _curl(self, shape, folder, seeds, ca_file):
        urls = folder / "urls.txt"
        urls.write_text("".join(f'url = "{url}"\noutput = "/dev/null"\n' for url in all_pages(shape)), encoding="utf-8")
        return ["-sS", "--parallel", "--parallel-max", str(CONNECTIONS), "--compressed", "--cacert", str(ca_file), "-K", str(urls)]

    def _wget2(self, shape, folder, seeds, ca_file):
        return [
            "-q", "-r", "-l", "inf", "--robots=on", "--ignore-tags=img,link,script", "--compression=gzip", "--http2=off", "--max-threads=32",
            "--tries=1", "-P", str(folder / "out"), f"--ca-certificate={ca_file}", "-i", str(seeds),
        ]  # fmt: skip

    def _httrack(self, shape, folder, seeds, ca_file):
        return [
            "-q", "-%L", str(seeds), "-O", str(folder / "out"), "-s2", "-p1", "-I0", "-f2", "-A0", "-%c0", "-c64", "-r99",
            "--disable-security-limits", "-*", *(f"+{shape.host(n)}:{shape.port}/*" for n in range(shape.hosts)),
            "-*.png", "-*.css", "-*.js",
        ]  # fmt: skip

    def _scrapy_tuned(self, shape, folder, seeds, ca_file):
        return ["runspider", str(PEERS / "scrapy_tuned.py"), "-a", f"seeds={seeds}", "-a", f"interval={self.interval}"]

    def _scrapy_as_delivered(self, shape, folder, seeds, ca_file):
        return ["runspider", str(PEERS / "scrapy_delivered.py"), "-a", f"seeds={seeds}"]

    def _colly(self, shape, folder, seeds, ca_file):
        return [str(seeds), str(ca_file)]


def all_pages(shape: Shape) -> list[str]:
    """The URLs of all expected pages, host after host for each page, as a crawler that is fair to hosts would come by."""
    expected = sorted(Web(shape).expected)
    return [shape.origin(host) + target for target in expected for host in range(shape.hosts)]


def all_peers(tools: pathlib.Path, interval: int) -> list[Peer]:
    scrapy = str(tools / "scrapy" / "bin" / "scrapy")
    table = [
        ("wrk", "ceiling", "wrk"), ("curl", "fetch only", "curl"), ("wget2", "crawler", "wget2"), ("httrack", "crawler", "httrack"),
        ("colly", "crawler", str(tools / "colly")), ("scrapy tuned", "crawler", scrapy), ("scrapy as delivered", "crawler", scrapy),
    ]  # fmt: skip
    return [Peer(name, kind, program, tools, interval) for name, kind, program in table]


def install(tools: pathlib.Path):
    """Installs what is missing: packages of the distribution, Scrapy in a virtual environment and Colly built, both in `tools`."""
    tools.mkdir(parents=True, exist_ok=True)
    missing = [name for name in PACKAGES if shutil.which(name, path=SYSTEM_PATH) is None]
    if missing:
        step(["apt-get", "install", "-y", "--no-install-recommends", *missing])
    if not (tools / "scrapy" / "bin" / "scrapy").exists():
        venv.create(tools / "scrapy", with_pip=True)
        step([str(tools / "scrapy" / "bin" / "pip"), "install", "-q", SCRAPY])
    if not (tools / "colly").exists() and shutil.which("go"):
        source = tools / "colly.src"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        shutil.copy(PEERS / "colly.go", source / "main.go")
        for command in (["mod", "init", "colly"], ["get", COLLY], ["build", "-o", str(tools / "colly"), "."]):
            step(["go", *command], cwd=source)


def step(command: list[str], **more):
    """A failed one is told and not the end: the program is skipped then."""
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False, **more).returncode != 0:
        print(f"did not work: {' '.join(command)}", file=sys.stderr)
