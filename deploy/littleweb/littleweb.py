"""A little web on loopback: nginx serves any number of sites on 127.x addresses, dnsmasq answers for their names.

Everything lives in one folder and on free high ports, runs as whoever starts it, and ends with the `with` block. nginx's access
log is the outside witness of what a crawler did; read_log() gives it back as values.
"""

import ctypes
import dataclasses
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time

SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin", "/usr/bin", "/bin"])
START_SECONDS = 10
STOP_SECONDS = 5
START_ATTEMPTS = 3  # a free port may be taken by somebody else before we get to it


@dataclasses.dataclass
class Site:
    """One host. `robots` is the text of robots.txt; None means that there is none (404)."""

    host: str
    address: str
    robots: str | None = None
    pages: dict[str, str] = dataclasses.field(default_factory=dict)  # path -> HTML
    redirects: dict[str, str] = dataclasses.field(default_factory=dict)  # path -> Location
    statuses: dict[str, int] = dataclasses.field(default_factory=dict)  # path -> status without a page
    rates: dict[str, int] = dataclasses.field(default_factory=dict)  # path -> octets a second of its body
    robots_first: tuple[int, int] | None = None  # (status, Retry-After) until that has been answered once
    headers: dict[str, str] = dataclasses.field(default_factory=dict)  # on every page


@dataclasses.dataclass(frozen=True)
class Request:
    """One line of the access log. Times are seconds since 1970 as nginx saw them, in milliseconds."""

    start: float
    end: float
    host: str
    address: str
    method: str
    target: str
    status: int
    agent: str


def read_log(path) -> list[Request]:
    """The access log in order of request starts."""
    requests = []
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    for line in text.split("\n")[:-1]:  # the last piece is empty, or a line that is still being written
        msec, took, host, address, request, status, agent = line.split("\t")
        method, _, rest = request.partition(" ")
        # Whole milliseconds, so that no sum of floats invents a gap.
        end = round(float(msec) * 1000)
        requests.append(
            Request(
                start=(end - round(float(took) * 1000)) / 1000,
                end=end / 1000,
                host=host,
                address=address,
                method=method,
                target=rest.rpartition(" ")[0],
                status=int(status),
                agent=agent,
            )
        )
    return sorted(requests, key=lambda request: (request.start, request.end))


def gaps(requests: list[Request]) -> list[tuple[float, Request]]:
    """Seconds between neighbouring request starts, each with the later request. `requests` as read_log() orders them."""
    return [(round(b.start - a.start, 3), b) for a, b in zip(requests, requests[1:])]


def page(title: str, *links: str, head: str = "") -> str:
    """A small HTML page. A link is an href, or a whole element when it begins with `<`."""
    body = "\n".join(link if link.startswith("<") else f'<p><a href="{link}">{link}</a></p>' for link in links)
    return f"<!doctype html>\n<html><head><title>{title}</title>{head}</head>\n<body><h1>{title}</h1>\n{body}\n</body></html>\n"


def find_program(name: str) -> str:
    path = shutil.which(name, path=SYSTEM_PATH)
    if path is None:
        raise RuntimeError(f"{name} is not installed; deploy/install-deps.sh installs it")
    return path


def free_port(kinds=(socket.SOCK_STREAM,), addresses=("127.0.0.1",)) -> int:
    """A port that is free on all `addresses` for all `kinds` just now."""
    for _ in range(100):
        with socket.socket(socket.AF_INET, kinds[0]) as first:
            first.bind((addresses[0], 0))
            port = first.getsockname()[1]
        try:
            for address in addresses:
                for kind in kinds:
                    with socket.socket(socket.AF_INET, kind) as probe:
                        probe.bind((address, port))
            return port
        except OSError:
            continue
    raise RuntimeError("no free port on loopback")


def die_with_parent():
    """Runs in a child before exec: a killed parent takes it along, and a Ctrl-C at the terminal is the parent's business."""
    os.setpgid(0, 0)
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def be_prompt():
    """Runs in the witness before exec: what it logs should be when a request came, not when a busy machine got round to it."""
    die_with_parent()
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass  # needs privileges; on a quiet machine it makes no difference


class LittleWeb:
    """`with LittleWeb(sites, folder) as web:` serves until the block ends. `folder` is made and kept."""

    def __init__(self, sites: list[Site], folder):
        self.sites = sites
        self.folder = pathlib.Path(folder)
        self.access_log = self.folder / "access.tsv"
        self.port = 0
        self.dns_port = 0
        self._programs: list[subprocess.Popen] = []
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def nameserver(self) -> str:
        return f"127.0.0.1:{self.dns_port}"

    def __enter__(self):
        for attempt in range(START_ATTEMPTS):
            try:
                self._start()
                return self
            except RuntimeError:
                self.stop()
                if attempt + 1 == START_ATTEMPTS:
                    raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends nginx and dnsmasq by their process ids. May be called twice."""
        self._stopping.set()
        if self._watcher is not None:
            self._watcher.join()
            self._watcher = None
        for program in self._programs:
            program.terminate()
        for program in self._programs:
            try:
                program.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
        self._programs = []

    def requests(self) -> list[Request]:
        return read_log(self.access_log)

    # --- making it ---

    def _start(self):
        addresses = sorted({site.address for site in self.sites})
        self.port = free_port(addresses=addresses)
        self.dns_port = free_port(kinds=(socket.SOCK_DGRAM, socket.SOCK_STREAM))
        self._write()
        self._stopping.clear()
        self._run([find_program("nginx"), "-p", str(self.folder), "-e", "error.log", "-c", "nginx.conf"], "nginx")
        self._run(
            [
                find_program("dnsmasq"), "--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts",
                f"--port={self.dns_port}", "--listen-address=127.0.0.1", "--bind-interfaces", "--local=/test/",
                "--local-ttl=60", *(f"--host-record={site.host},{site.address}" for site in self.sites),
            ],
            "dnsmasq",
        )  # fmt: skip
        for address, port in [*((address, self.port) for address in addresses), ("127.0.0.1", self.dns_port)]:
            self._await(address, port)
        if any(site.robots_first for site in self.sites):
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()

    def _run(self, command: list[str], name: str):
        with open(self.folder / f"{name}.out", "wb") as output:
            self._programs.append(
                subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=be_prompt
                )
            )

    def _await(self, address: str, port: int):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            for program in self._programs:
                if program.poll() is not None:
                    raise RuntimeError(f"{program.args[0]} did not start; see {self.folder}/*.out and error.log")
            try:
                socket.create_connection((address, port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"nobody listens on {address}:{port} after {START_SECONDS} s")

    def _watch(self):
        """Lifts `robots_first` of a site as soon as the log shows that it has been answered."""
        waiting = {site.host: site.robots_first[0] for site in self.sites if site.robots_first}
        while waiting and not self._stopping.wait(0.05):
            for request in self.requests():
                if request.target == "/robots.txt" and waiting.get(request.host) == request.status:
                    (self.folder / "open" / request.host).touch()
                    del waiting[request.host]

    def _write(self):
        for name in ("temp", "sites", "open"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.access_log.touch()
        for site in self.sites:
            root = self.folder / "sites" / site.host
            root.mkdir(parents=True, exist_ok=True)
            if site.robots is not None:
                (root / "robots.txt").write_text(site.robots.replace(":PORT", f":{self.port}"), encoding="utf-8")
            for path, text in site.pages.items():
                file = root / (path.lstrip("/") + ("index.html" if path.endswith("/") else ""))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text.replace(":PORT", f":{self.port}"), encoding="utf-8")
        (self.folder / "nginx.conf").write_text(self._conf(), encoding="utf-8")

    def _conf(self) -> str:
        # One process (master_process off): the process id that we hold is all there is to stop.
        return f"""\
daemon off;
master_process off;
pid nginx.pid;
error_log error.log warn;
events {{ worker_connections 1024; }}
http {{
  log_format tsv '$msec\\t$request_time\\t$host\\t$server_addr\\t$request\\t$status\\t$http_user_agent';
  access_log access.tsv tsv;
  client_body_temp_path temp/body; proxy_temp_path temp/proxy; fastcgi_temp_path temp/fastcgi;
  uwsgi_temp_path temp/uwsgi; scgi_temp_path temp/scgi;
  types {{ text/html html; text/plain txt; application/pdf pdf; }}
  default_type text/html;
  server_names_hash_bucket_size 128;
  keepalive_timeout 75s;
  keepalive_requests 100000;
{"".join(self._server(site) for site in self.sites)}}}
"""

    def _server(self, site: Site) -> str:
        lines = [f"listen {site.address}:{self.port};", f"server_name {site.host};", f"root sites/{site.host};"]
        lines += [f'add_header {name} "{value}";' for name, value in site.headers.items()]
        if site.robots_first:
            status, retry_after = site.robots_first
            flag = self.folder / "open" / site.host
            answer = f"add_header Retry-After {retry_after} always; return {status};"
            lines.append(f'location = /robots.txt {{ if (!-f "{flag}") {{ {answer} }} }}')
        for path, location in site.redirects.items():
            lines.append(f"location = {path} {{ return 302 {location.replace(':PORT', f':{self.port}')}; }}")
        for path, status in site.statuses.items():
            lines.append(f"location = {path} {{ return {status}; }}")
        for path, rate in site.rates.items():
            lines.append(f"location = {path} {{ limit_rate {rate}; }}")
        return "  server {\n" + "".join(f"    {line}\n" for line in lines) + "  }\n"
