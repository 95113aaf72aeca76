"""A thousand origins that drip, beside a hundred that do not: the hundred are visited as often as if they were alone.

Two crawls run at the same time, so that both have the same machine: one knows the hundred, the other a hundred like them and the dripping
ones. The server's log is the witness of both.
"""

import collections
import os
import pathlib
import resource
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

import program
from littleweb import be_prompt, free_port

GOOD, DRIPPING = 100, 1000
HELD = 900  # of the dripping ones, at least, at any moment of the measurement
INTERVAL = 1.0  # seconds between requests to a good origin, as its robots.txt has them
WINDOW = 2.0  # seconds: requests are counted in each
FAIR = 0.97  # of the requests that are due: a window in which the crawl alone sends fewer says something of the machine, nothing of crawld
FAIR_WINDOWS, WINDOWS_MAX = 6, 14  # so many fair ones are looked for, in so many at most ...
FAIR_WINDOWS_MIN = 3  # ... and without these there is nothing to compare
SHARE = 0.98  # of the requests of the crawl that has the good origins alone
START_SECONDS = 40
MEMORY = 256 << 20  # octets, far more than two small frontiers take
FILES = 4096  # descriptors that crawld and the server may want
TICKS = 10  # in a second: each connection drips in one of them
ROBOTS = b"/robots.txt"
KINDS = ("robots", "head", "body", "silence")  # what drips, or that nothing comes at all
ALONE, BESIDE, SLOW = "127.21", "127.22", "127.20"  # the first two octets of addresses


def addresses(network: str, count: int) -> list[str]:
    return [f"{network}.{n // 250}.{1 + n % 250}" for n in range(count)]


# --- the server, a process of its own ---


class Connection:
    def __init__(self, peer: socket.socket):
        self.peer = peer
        self.address = peer.getsockname()[0]
        octets = [int(text) for text in self.address.split(".")]
        self.kind = KINDS[octets[3] % len(KINDS)] if self.address.startswith(SLOW) else "good"
        self.octets = b""
        self.rest = b""  # what drips before the endless part


class Server:
    def __init__(self, port: int, log):
        self.log = log
        self.dripping: dict[Connection, int] = {}  # in which tick
        self.selector = selectors.EpollSelector()
        listener = socket.create_server(("", port), backlog=4096)
        listener.setblocking(False)
        self.selector.register(listener, selectors.EVENT_READ, None)

    def run(self):
        tick, due = 0, time.monotonic()
        while True:
            for key, _ in self.selector.select(max(0.0, due - time.monotonic())):
                if key.data is None:
                    self.accept(key.fileobj)
                else:
                    self.read(key.data)
            if time.monotonic() >= due:
                due, tick = due + 1 / TICKS, (tick + 1) % TICKS
                self.drip(tick)
                self.log.write(f"held\t{time.time():.6f}\t{len(self.dripping)}\n")
            self.log.flush()

    def accept(self, listener: socket.socket):
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            peer.setblocking(False)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(peer, selectors.EVENT_READ, Connection(peer))

    def read(self, connection: Connection):
        try:
            octets = connection.peer.recv(4096)
        except OSError:
            octets = b""
        connection.octets += octets
        if not octets:
            self.close(connection)
        elif b"\r\n\r\n" in connection.octets:
            path = connection.octets.split(b" ", 2)[1]
            connection.octets = b""
            self.answer(connection, path)

    def answer(self, connection: Connection, path: bytes):
        kind = connection.kind
        self.log.write(f"asked\t{time.time():.6f}\t{connection.address}\t{path.decode()}\n")
        if kind == "good":
            rate = f"User-agent: *\nRequest-rate: {1 / INTERVAL:g}/1s\n".encode()
            page = b'<a href="/%d">on</a>' % (int(path.strip(b"/") or 0) + 1 if path != ROBOTS else 0)
            self.send(connection, self.whole(b"200 OK", rate if path == ROBOTS else page))
        elif path == ROBOTS and kind in ("head", "body"):
            self.send(connection, self.whole(b"404 Not Found", b""))
        else:
            if kind == "body":
                self.send(connection, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n")
            elif kind != "silence":
                connection.rest = b"HTTP/1.1 200 OK\r\nX-Slow: "
            self.dripping[connection] = connection.peer.fileno() % TICKS

    @staticmethod
    def whole(status: bytes, body: bytes) -> bytes:
        return b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)

    def drip(self, tick: int):
        for connection in [own for own, when in self.dripping.items() if when == tick and own.kind != "silence"]:
            octet, connection.rest = connection.rest[:1] or b"a", connection.rest[1:]
            self.send(connection, octet)

    def send(self, connection: Connection, octets: bytes):
        try:
            connection.peer.send(octets)
        except OSError:
            self.close(connection)

    def close(self, connection: Connection):
        self.dripping.pop(connection, None)
        if connection.peer.fileno() >= 0:
            self.selector.unregister(connection.peer)
            connection.peer.close()


def may_open_many():
    """As many files as this process may have."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def serve(port: int, path: str):
    may_open_many()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with open(path, "w", encoding="utf-8") as log:
        Server(port, log).run()


# --- the test ---


class DripTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard != resource.RLIM_INFINITY and hard < FILES:
            reason = f"only {hard} open files are allowed here, and this takes {FILES}"
            print(f"\nskipped: {reason}", flush=True)
            raise unittest.SkipTest(reason)
        # In memory where there is some: what a busy disk does to two crawls is not the question.
        memory = os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > MEMORY
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.", dir="/dev/shm" if memory else None)
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.port = free_port()
        cls.log = cls.folder / "requests.tsv"
        server = subprocess.Popen(
            [sys.executable, "-B", __file__, "serve", str(cls.port), str(cls.log)], stdin=subprocess.DEVNULL, preexec_fn=be_prompt
        )
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.kill)  # comes first
        program.wait_for(cls.answers)
        cls.crawls = [cls.start("alone", addresses(ALONE, GOOD)), cls.start("beside", addresses(BESIDE, GOOD) + addresses(SLOW, DRIPPING))]
        cls.under_way = True
        try:
            program.wait_for(cls.is_under_way, START_SECONDS, 0.25)
        except AssertionError:
            cls.under_way = False  # the tests say how far it came
        cls.began = time.time()
        cls.statuses = []
        cls.windows = 0
        try:
            while cls.under_way and cls.windows < WINDOWS_MAX and len(cls.fair()) < FAIR_WINDOWS:
                cls.windows += 1
                time.sleep(max(0.0, cls.began + cls.windows * WINDOW - time.time()))
        finally:
            for crawl in cls.crawls:
                crawl.terminate()
            program.wait_for(lambda: '"event":"drain"' in cls.words("beside"))
            cls.crawls[1].terminate()  # and does not wait for what drips
            for crawl in cls.crawls:
                try:
                    cls.statuses.append(crawl.wait(20))
                finally:
                    crawl.kill()
                    crawl.wait()
        cls.requests, cls.held = cls.read()

    @classmethod
    def answers(cls) -> bool:
        try:
            socket.create_connection((addresses(ALONE, 1)[0], cls.port), timeout=1).close()
        except OSError:
            return False
        return True

    @classmethod
    def start(cls, name: str, hosts: list[str]) -> subprocess.Popen:
        folder = cls.folder / name
        (folder / "state").mkdir(parents=True)
        seeds = "".join(f"  - http://{host}:{cls.port}/\n" for host in hosts)
        config = folder / "crawld.yaml"
        config.write_text(
            f"agent:\n  contact: {program.CONTACT}\nseeds:\n{seeds}scope:\n  max_depth: 10000\n"
            "politeness:\n  latency_factor: 0\n  per_address_interval: 10ms\n"
            "network:\n  allow_addresses: [127.0.0.0/8]\n  timeouts:\n    head: 2m\n    idle: 2m\n"  # nobody is let go too early
            f"threads: 2\nlog:\n  format: json\nstorage:\n  directory: {folder}/state\n  pause_below: 16MiB\n  resume_above: 16MiB\n",
            encoding="utf-8",
        )
        return program.start(config, folder / "log")

    @classmethod
    def words(cls, name: str) -> str:
        return (cls.folder / name / "log").read_text(encoding="utf-8", errors="replace")

    @classmethod
    def read(cls) -> tuple[list[tuple[float, str, str]], list[tuple[float, int]]]:
        """Requests (time, address, path), and how many connections were held when."""
        requests, held = [], []
        for line in cls.log.read_text(encoding="utf-8").split("\n")[:-1]:
            what, at, *rest = line.split("\t")
            if what == "asked":
                requests.append((float(at), *rest))
            else:
                held.append((float(at), int(rest[0])))
        return requests, held

    @classmethod
    def is_under_way(cls) -> bool:
        """All good origins are at their pages, and most of the others hold us."""
        requests, held = cls.read()
        good = {address for _, address, path in requests if not address.startswith(SLOW) and path not in ("/", "/robots.txt")}
        return len(good) == 2 * GOOD and held[-1][1] >= HELD

    @classmethod
    def fair(cls) -> list[tuple[int, int]]:
        """The requests of the crawl that is alone and of the other one, in each window in which the machine kept up."""
        found = collections.Counter((address[:6], int((at - cls.began) // WINDOW)) for at, address, _ in cls.read()[0])
        pairs = [(found[ALONE, n], found[BESIDE, n]) for n in range(cls.windows)]
        return [pair for pair in pairs if pair[0] >= FAIR * GOOD / INTERVAL * WINDOW]

    def held_during(self) -> list[int]:
        return [held for at, held in self.held if self.began <= at < self.began + self.windows * WINDOW]

    def test_the_dripping_ones_are_held_all_the_time(self):
        """Otherwise all the rest says nothing."""
        during = self.held_during()
        self.assertTrue(self.under_way, f"at most {max(held for _, held in self.held)} were held at once")
        self.assertGreaterEqual(min(during), HELD)
        self.assertGreater(len(during), self.windows * WINDOW * TICKS / 2, "the server could not keep time")
        asked = collections.Counter(KINDS[int(address.split(".")[3]) % 4] for _, address, _ in self.requests if address.startswith(SLOW))
        self.assertGreater(min(asked[kind] for kind in KINDS), DRIPPING / len(KINDS) * 0.9, asked)

    def test_the_good_ones_do_not_notice(self):
        self.assertTrue(self.under_way, "see the other test")
        fair = self.fair()
        if len(fair) < FAIR_WINDOWS_MIN:
            reason = f"the machine kept up in {len(fair)} of {self.windows} windows"
            print(f"\nskipped: {reason}", flush=True)
            self.skipTest(reason)
        alone, beside = map(list, zip(*fair))
        share = statistics.median(beside) / statistics.median(alone)
        print(
            f"\n{min(self.held_during())} and more dripping connections held, {GOOD} origins at a request each {INTERVAL:g} s, requests in "
            f"{len(fair)} of {self.windows} windows of {WINDOW:g} s: alone {alone}, beside them {beside}, medians {share:.1%}",
            flush=True,
        )
        self.assertGreaterEqual(share, SHARE)

    def test_both_crawls_end_well(self):
        self.assertEqual(self.statuses, [0, 0])
        for name in ("alone", "beside"):
            for trouble in ("Sanitizer", "runtime error:", '"event":"bug"'):
                self.assertNotIn(trouble, self.words(name))


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(int(sys.argv[2]), sys.argv[3])
    else:
        unittest.main()
