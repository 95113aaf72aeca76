"""One run of the real crawld against a web: the configuration, the run, and what came of it."""

import dataclasses
import functools
import json
import pathlib
import re
import signal
import subprocess
import time
from datetime import datetime

from behaviour import BODY_MAX, CONNECT, DNS, HEAD, HEAD_MAX, IDLE, MIB, MIN_RATE, RATE_OVER, TLS, TOTAL
from behaviour import Behaviour, Outcome, is_robots
from littleweb import die_with_parent
from program import CONTACT
from web import Web

SECONDS = 60  # for a run with everything, sanitizers included
GRACE = 25  # seconds that crawld has to end, its own 20 and some
READS = 0.05
ALLOWED = "127.4.0.0/16"
REPORT = re.compile(r"ERROR: \w+Sanitizer|runtime error:|terminate called|Assertion .* failed")


def knows(crawld: str, network: str, folder: pathlib.Path) -> bool:
    """Whether the binary has these lines of `network`."""
    path = folder / "probe.yaml"
    path.write_text(f"agent: {{contact: {CONTACT}}}\nseeds: [http://good.test/]\nnetwork:\n{network}", encoding="utf-8")
    return subprocess.run([crawld, "check-config", "--config", path], capture_output=True, check=False).returncode == 0


@functools.cache
def is_threads_sanitized(crawld: str) -> bool:
    return b"__tsan_init" in pathlib.Path(crawld).read_bytes()


@functools.cache
def is_sanitized(crawld: str) -> bool:
    return is_threads_sanitized(crawld) or b"__asan_init" in pathlib.Path(crawld).read_bytes()


def rate_lines() -> str:
    return f"  min_rate: {MIN_RATE}B\n  min_rate_over: {RATE_OVER:g}s\n"


def write_config(web: Web, crawld: str, folder: pathlib.Path, interval: str = "50ms") -> pathlib.Path:
    """Everything of `web` is a seed, and links lead anywhere. Returns the path; its storage is a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = [behaviour.url(web.port) for behaviour in web.behaviours] + [f"http://{host}:{web.port}/" for host in web.sites]
    path = folder / "crawld.yaml"
    path.write_text(
        f"agent:\n  contact: {CONTACT}\nseeds:\n" + "".join(f"  - {seed}\n" for seed in seeds) +
        "scope:\n  follow: any\nrecrawl:\n  enabled: false\n"
        f"politeness:\n  default_interval: {interval}\n  hard_minimum: 50ms\n  latency_factor: 0\n  per_address_interval: 0s\n"
        f'network:\n  allow_addresses: [{ALLOWED}]\n  nameservers: ["{web.nameserver}"]\n  ca_file: "{web.ca_file}"\n'
        f"  timeouts: {{dns: {DNS:g}s, connect: {CONNECT:g}s, tls: {TLS:g}s, head: {HEAD:g}s, idle: {IDLE:g}s, total: {TOTAL:g}s}}\n"
        f"  max_head_size: {HEAD_MAX // 1024}KiB\n  max_body_size: {BODY_MAX // MIB}MiB\n"
        f"{rate_lines() if knows(crawld, rate_lines(), folder) else ''}"
        f"storage:\n  directory: {folder}/storage\n  memory: 64MiB\n  pause_below: 16MiB\n  resume_above: 16MiB\n"
        "threads: 2\nlog: {format: json}\n",
        encoding="utf-8",
    )  # fmt: skip
    return path


class Log:
    """A log that grows: its events, and whatever in it is none."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.events: list[dict] = []
        self.odd: list[str] = []  # no JSON: reports of sanitizers, above all
        self._first: dict[tuple[str, str], dict] = {}
        self._first_of_origin: dict[tuple[str, str], dict] = {}
        self._read = 0

    def grow(self):
        with open(self.path, "rb") as file:
            file.seek(self._read)
            whole, newline, _ = file.read().rpartition(b"\n")
        self._read += len(whole) + len(newline)
        for line in whole.split(b"\n") if newline else []:
            self._take(line)

    def _take(self, line: bytes):
        try:
            event = json.loads(line.decode("utf-8"))
            if any(octet < 0x20 or octet == 0x7F for octet in line):
                raise ValueError("control characters in the log")
        except ValueError:
            self.odd.append(line.decode("utf-8", "replace"))
            return
        event["at"] = datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp()
        self.events.append(event)
        origin = event.get("origin", "")
        self._first.setdefault((event["event"], event.get("url", origin)), event)
        self._first_of_origin.setdefault((event["event"], origin), event)

    def first(self, behaviour: Behaviour, wanted: Outcome, port: int) -> dict | None:
        """The line that `wanted` is about."""
        if wanted.url:
            return self._first.get((wanted.event, behaviour.url(port, wanted.url)))
        return self._first_of_origin.get((wanted.event, behaviour.origin(port)))

    def settled(self, behaviour: Behaviour, port: int) -> bool:
        return all(self.first(behaviour, wanted, port) for wanted in behaviour.outcomes)

    def fetched(self, origin: str) -> int:
        return sum(1 for event in self.events if event["event"] == "visit" and event["origin"] == origin and event["fate"] == "fetched")


@dataclasses.dataclass
class Run:
    """What one run of crawld left behind."""

    log: Log
    witnessed: list[dict]
    port: int
    status: int | None  # None: it did not end and was killed
    seconds: float  # until everything was settled
    knows_slow: bool
    sanitized: bool
    late: float = 0.0  # seconds that the machine kept this very process waiting at the worst: more than a few tenths explain a lot
    memory: int = 0  # VmHWM in octets
    threads_sanitized: bool = False
    cpu: float = 0.0  # seconds, of user and system, from the `ready` line on until everything was settled

    def asked(self, name: str) -> list[str]:
        """Paths that the server of `name` was asked for, robots.txt apart."""
        return [line["path"] for line in self.witnessed if line["what"] == "asked" and line["name"] == name and not is_robots(line["path"])]


def high_water(pid: int) -> int:
    """VmHWM in octets; 0 when the process is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", text)
    return int(found.group(1)) * 1024 if found else 0


def cpu_seconds(pid: int) -> float:
    """Of user and system, all threads together; 0 when the process is gone."""
    try:
        tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
        return sum(int((task / "schedstat").read_text(encoding="utf-8").split()[0]) for task in tasks) / 1e9
    except OSError:
        return 0.0


def end(crawler: subprocess.Popen) -> int | None:
    """Tells it to, and waits: exit status."""
    crawler.send_signal(signal.SIGTERM)
    try:
        return crawler.wait(GRACE)
    except subprocess.TimeoutExpired:
        crawler.kill()
        crawler.wait()
        return None


def run(web: Web, crawld: str, folder: pathlib.Path, seconds: float, interval: str = "50ms") -> Run:
    """Runs crawld until every behaviour is settled and every good page fetched, for `seconds` at most."""
    config = write_config(web, crawld, folder, interval)
    log = Log(folder / "crawld.log")
    begun = time.monotonic()
    with open(log.path, "wb") as output:
        crawler = subprocess.Popen(
            [crawld, "run", "--config", str(config)], stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent
        )
    waiting = list(web.behaviours)
    late = 0.0
    at_ready: float | None = None
    good = {f"http://{host}:{web.port}": count for host, (_, count, _) in web.sites.items()}
    while time.monotonic() < begun + seconds and crawler.poll() is None:
        log.grow()
        if at_ready is None and any(event["event"] == "ready" for event in log.events):
            at_ready = cpu_seconds(crawler.pid)
        waiting = [behaviour for behaviour in waiting if not log.settled(behaviour, web.port)]
        if not waiting:
            good = {origin: count for origin, count in good.items() if log.fetched(origin) < count}
        if not waiting and not good:
            break
        slept = time.monotonic()
        time.sleep(READS)
        late = max(late, time.monotonic() - slept - READS)
    took = time.monotonic() - begun
    memory = high_water(crawler.pid)
    cpu = cpu_seconds(crawler.pid) - (at_ready or 0.0)
    status = end(crawler) if crawler.returncode is None else crawler.returncode
    log.grow()
    knows_slow = "min_rate" in config.read_text(encoding="utf-8")
    known = {"late": late, "memory": memory, "cpu": cpu, "threads_sanitized": is_threads_sanitized(crawld)}
    return Run(log, web.witnessed(), web.port, status, took, knows_slow, is_sanitized(crawld), **known)
