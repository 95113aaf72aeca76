"""A web of many origins whose pages are only found one after the other, and a server that is a strict witness.

The server's log has each request when its head was complete, in microseconds and as the kernel stamped it, and when it was answered;
it outlives every crawler. Names come from dnsmasq. Nothing here is computed from robots.txt: intervals are written down.
"""

import calendar
import dataclasses
import heapq
import json
import pathlib
import random
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time

import program  # noqa: F401  (finds littleweb)
from littleweb import be_prompt, find_program, free_port

DEFAULT_INTERVAL = 0.3  # seconds, as configuration() has them
ADDRESS_INTERVAL = 0.02
SHARED_ADDRESSES, ORIGINS_ON_EACH = 10, 6
NO_SEED_EVERY = 11  # such an origin is only found by a link
CROSS_HOPS = 12
ROBOTS = "/robots.txt"
START_SECONDS, STOP_SECONDS = 10, 5
HEAD_MAX = 16384
SO_TIMESTAMPNS = 35  # socket(7); Python has no name for it

# name, robots.txt, seconds between requests, seconds that robots.txt takes, seconds that every fifth page takes
EVERYONE = "User-agent: *\n"
KINDS = [
    ("plain", EVERYONE + "Disallow:\n", DEFAULT_INTERVAL, 0, 0),
    ("none", None, DEFAULT_INTERVAL, 0, 0),
    ("late", EVERYONE + "Disallow: /never\n", DEFAULT_INTERVAL, 0.8, 0),
    ("five", EVERYONE + "Request-rate: 5/1s\n", 0.2, 0, 0),
    ("one", EVERYONE + "Request-rate: 1/1s\n", 1.0, 0, 0),
    ("half", EVERYONE + "Crawl-delay: 0.5\n", 0.5, 0.3, 0),
    ("slow", EVERYONE + "Disallow:\n", DEFAULT_INTERVAL, 0, 0.25),
]


@dataclasses.dataclass
class Origin:
    host: str
    address: str
    robots: str | None
    interval: float
    robots_delay: float
    page_delay: float
    seed: bool
    pages: dict[str, list[str]] = dataclasses.field(default_factory=dict)  # path -> links


@dataclasses.dataclass
class Request:
    """Times are seconds since 1970. `end`: its last octet was handed to the kernel; None: it never was."""

    start: float
    host: str
    address: str
    path: str
    connection: int
    end: float | None = None


def world(count: int, span: float, seed: int) -> list[Origin]:
    """`count` origins; a crawl at full speed needs `span` seconds for the longest and a third of that for most."""
    chance = random.Random(seed)
    origins = []
    for n in range(count):
        name, robots, interval, robots_delay, page_delay = KINDS[n % len(KINDS)]
        shared = n < SHARED_ADDRESSES * ORIGINS_ON_EACH
        address = f"127.3.1.{1 + n % SHARED_ADDRESSES}" if shared else f"127.3.{2 + n // 250}.{1 + n % 250}"
        origin = Origin(f"{name}{n}.test", address, robots, interval, robots_delay, page_delay, n % NO_SEED_EVERY != NO_SEED_EVERY - 1)
        length = max(5, round(span * (0.1 + 0.9 * chance.random() ** 3) / interval))
        # Each page leads to the next, and back to what has been seen.
        names = ["/", *(f"/{k}.html" for k in range(1, length))]
        origin.pages = {path: [*names[k + 1 : k + 2], "/", names[k // 2]] for k, path in enumerate(names)}
        origins.append(origin)
    for n, origin in enumerate(origins):
        if not origin.seed:
            origins[n - 1].pages["/2.html"].append(f"http://{origin.host}:PORT/")
    for chain in range(count // 4):
        before = origins[chain].pages["/1.html"]
        for hop in range(CROSS_HOPS):
            origin = origins[(chain * 13 + hop * 29) % count]
            before.append(f"http://{origin.host}:PORT/cross/{chain}-{hop}.html")
            before = origin.pages[f"/cross/{chain}-{hop}.html"] = []
    return origins


def pages_of(origins: list[Origin]) -> set[tuple[str, str]]:
    return {(origin.host, path) for origin in origins for path in origin.pages}


class ChainWeb:
    """`with ChainWeb(origins, folder) as web:` serves until the block ends. `folder` is made and kept."""

    def __init__(self, origins: list[Origin], folder):
        self.origins = origins
        self.folder = pathlib.Path(folder)
        self.log = self.folder / "requests.tsv"
        self._programs: list[subprocess.Popen] = []

    def __enter__(self):
        addresses = sorted({origin.address for origin in self.origins})
        self.folder.mkdir(parents=True)
        self.log.touch()
        self.port = free_port(addresses=addresses)
        self.nameserver = f"127.0.0.1:{free_port(kinds=(socket.SOCK_DGRAM, socket.SOCK_STREAM))}"
        (self.folder / "world.json").write_text(json.dumps([dataclasses.asdict(origin) for origin in self.origins]), encoding="utf-8")
        self._run("server", [sys.executable, "-B", __file__, str(self.folder), str(self.port)])
        self._run(
            "dnsmasq",
            [
                find_program("dnsmasq"), "--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts",
                f"--port={self.nameserver.partition(':')[2]}", "--listen-address=127.0.0.1", "--bind-interfaces", "--local=/test/",
                "--local-ttl=60", *(f"--host-record={origin.host},{origin.address}" for origin in self.origins),
            ],
        )  # fmt: skip
        try:
            for place in (*(f"{address}:{self.port}" for address in addresses), self.nameserver):
                self._await(place)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends server and dnsmasq by their process ids. May be called twice."""
        for running in self._programs:
            running.terminate()
        for running in self._programs:
            try:
                running.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
        self._programs = []

    def requests(self) -> list[Request]:
        """What the server has seen so far, in order of request starts."""
        return read_log(self.log)

    def configuration(self, storage, more: str = "") -> pathlib.Path:
        """Writes a configuration whose state is kept in `storage`, and returns where. `more`: further lines of that section."""
        path = self.folder / "crawld.yaml"
        seeds = "".join(f"  - http://{origin.host}:{self.port}/\n" for origin in self.origins if origin.seed)
        text = (
            f"agent:\n  contact: {program.CONTACT}\nseeds:\n{seeds}"
            "scope:\n  follow: any\n  max_depth: 10000\n"
            f"politeness:\n  default_interval: {DEFAULT_INTERVAL * 1000:g}ms\n  hard_minimum: 100ms\n  latency_factor: 0\n"
            f"  per_address_interval: {ADDRESS_INTERVAL * 1000:g}ms\n"
            f'network:\n  allow_addresses: [127.0.0.0/8]\n  nameservers: ["{self.nameserver}"]\n'
            f"threads: 2\nlog:\n  format: json\nstorage:\n  directory: {storage}\n{more}"
        )
        path.write_text(text, encoding="utf-8")
        if "\nrecrawl:\n" in program.run("dump-config", "--config", path).stdout:
            path.write_text(text + "recrawl:\n  enabled: false\n", encoding="utf-8")
        return path

    def _run(self, name: str, command: list[str]):
        with open(self.folder / f"{name}.out", "wb") as output:
            self._programs.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=be_prompt))

    def _await(self, place: str):
        host, _, port = place.partition(":")
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            for running in self._programs:
                if running.poll() is not None:
                    raise RuntimeError(f"{running.args[0]} did not start; see {self.folder}/*.out")
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"nobody listens on {place} after {START_SECONDS} s")


def read_log(path) -> list[Request]:
    requests: dict[str, Request] = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]:
        what, number, at, *rest = line.split("\t")
        if what == "asked":
            host, address, target, connection = rest
            requests[number] = Request(float(at), host, address, target, int(connection))
        else:
            requests[number].end = float(at)
    return sorted(requests.values(), key=lambda request: request.start)


def events(log, name: str) -> list[dict]:
    """The lines of a crawler's log (JSON) that tell of the event `name`, each with `at`, its time in seconds since 1970."""
    found = []
    for line in pathlib.Path(log).read_text(encoding="utf-8", errors="replace").splitlines():
        if f'"event":"{name}"' in line and line.endswith("}"):
            event = json.loads(line)
            whole, _, rest = event["time"].rstrip("Z").partition(".")
            found.append(event | {"at": calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float(f"0.{rest or 0}")})
    return found


# --- the server, a process of its own ---


class Connection:
    def __init__(self, number: int, peer: socket.socket):
        self.number = number
        self.peer = peer
        self.address = peer.getsockname()[0]
        self.octets = b""


class Server:
    """One thread, one event loop; answers that take their time wait in a heap."""

    def __init__(self, origins: list[dict], port: int, log):
        self.origins = {origin["host"]: origin for origin in origins}
        self.port = port
        self.log = log
        self.asked = 0
        self.connections = 0
        self.later: list[tuple[float, int, Connection, bytes]] = []
        self.selector = selectors.EpollSelector()
        for address in sorted({origin["address"] for origin in origins}):
            listener = socket.create_server((address, port), backlog=256)
            listener.setblocking(False)
            listener.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)  # connections inherit it
            self.selector.register(listener, selectors.EVENT_READ, None)

    def run(self):
        while True:
            wait = max(0, self.later[0][0] - time.monotonic()) if self.later else None
            for key, _ in self.selector.select(wait):
                if key.data is None:
                    self.accept(key.fileobj)
                else:
                    self.read(key.data)
            while self.later and self.later[0][0] <= time.monotonic():
                _, number, connection, response = heapq.heappop(self.later)
                self.answer(number, connection, response)
            self.log.flush()

    def accept(self, listener: socket.socket):
        try:
            peer, _ = listener.accept()
        except OSError:
            return
        peer.setblocking(False)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connections += 1
        self.selector.register(peer, selectors.EVENT_READ, Connection(self.connections, peer))

    def read(self, connection: Connection):
        try:
            octets, notes, _, _ = connection.peer.recvmsg(HEAD_MAX, 64)
        except BlockingIOError:
            return
        except OSError:
            octets, notes = b"", []
        if not octets or len(connection.octets) > HEAD_MAX:
            self.close(connection)
            return
        connection.octets += octets
        if b"\r\n\r\n" not in connection.octets:
            return
        head, _, connection.octets = connection.octets.partition(b"\r\n\r\n")
        at = time.time()
        for level, kind, data in notes:
            if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
                seconds, nanoseconds = struct.unpack("qq", data[:16])
                at = seconds + nanoseconds / 1e9
        self.ask(connection, head.decode("ascii", "replace"), at)

    def ask(self, connection: Connection, head: str, at: float):
        line, *fields = head.split("\r\n")
        path = line.split(" ")[1]
        host = next(field.partition(":")[2] for field in fields if field.lower().startswith("host:")).strip().partition(":")[0]
        self.asked += 1
        self.log.write(f"asked\t{self.asked}\t{at:.6f}\t{host}\t{connection.address}\t{path}\t{connection.number}\n")
        delay, response = self.respond(host, path)
        if delay > 0:
            heapq.heappush(self.later, (time.monotonic() + delay, self.asked, connection, response))
        else:
            self.answer(self.asked, connection, response)

    def respond(self, host: str, path: str) -> tuple[float, bytes]:
        origin = self.origins.get(host)
        if origin is None:
            return 0, self.response("404 Not Found", "text/plain", "")
        if path == ROBOTS:
            found = origin["robots"] is not None
            return origin["robots_delay"], self.response("200 OK" if found else "404 Not Found", "text/plain", origin["robots"] or "")
        links = origin["pages"].get(path)
        if links is None:
            return 0, self.response("404 Not Found", "text/plain", "")
        body = "".join(f'<p><a href="{link}">x</a></p>' for link in links).replace(":PORT", f":{self.port}")
        return origin["page_delay"] if sum(path.encode()) % 5 == 0 else 0, self.response("200 OK", "text/html", "<!doctype html>" + body)

    @staticmethod
    def response(status: str, kind: str, body: str) -> bytes:
        return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

    def answer(self, number: int, connection: Connection, response: bytes):
        try:
            whole = connection.peer.send(response) == len(response)
        except OSError:  # whoever asked is dead
            whole = False
        if whole:
            self.log.write(f"answered\t{number}\t{time.time():.6f}\n")
        else:
            self.close(connection)

    def close(self, connection: Connection):
        if connection.peer.fileno() >= 0:
            self.selector.unregister(connection.peer)
            connection.peer.close()


def serve(folder: pathlib.Path, port: int):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    origins = json.loads((folder / "world.json").read_text(encoding="utf-8"))
    with open(folder / "requests.tsv", "a", encoding="utf-8") as log:
        Server(origins, port, log).run()


if __name__ == "__main__":
    serve(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
