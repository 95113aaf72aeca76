"""Crawls whose sockets fail now and then (faults.c), one after the other on one frontier: it ends well each time, keeps its windows, and
loses nothing.

CRAWLD_FAULT_RUNS: how many crawls (6). CRAWLD_SEED: draws the faults. CRAWLD_KEEP: a new folder that keeps all logs.

A URL that failed is tried again after minutes or hours. So that it is, each run begins hours later than the last one ended: in a time
namespace with another CLOCK_BOOTTIME, which is the clock that waits are kept on over a restart (crawler/FORMAT.md). Where there are no
time namespaces, the frontier alone has to prove that nothing is lost.
"""

import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import program
from chain_web import ROBOTS, ChainWeb, Origin, Request, events, world
from kill_judge import check
from littleweb import die_with_parent

RUNS = int(os.environ.get("CRAWLD_FAULT_RUNS", "6"))
SEED = int(os.environ.get("CRAWLD_SEED", "1"))
PER_MILLE = 15  # of all calls on sockets
RUN_SECONDS = 2.0  # from its first words to SIGTERM
GRACE = 22  # seconds that SIGTERM may take
ORIGINS = 60
SPAN = 6.0 * max(1, RUNS / 6)  # seconds of crawling for the longest chain
LAST_SECONDS = 60 + SPAN
HOURS_BETWEEN = 8  # from one run to the next on their clock: longer than the pauses of hosts, and most waits of URLs
LONGEST = 1.0  # seconds: the longest interval of this web has to pass in truth when a run is told that hours have
AT_ONCE = 0.19  # seconds after an answer that did not arrive: no interval of this web is as short
THREADS_MAX = 60  # far more than crawld starts
ENDS = (70, 71, 74, 75)  # sysexits.h: software, the system, input or output, try again
ONE_SECONDS = 20  # the longest crawl of OneFaultTest
CALLS = ("socket", "connect", "setsockopt", "epoll_ctl", "epoll_wait", "timerfd_settime", "recv", "send", "late", "short_in", "short_out")


def time_namespace() -> list[str] | None:
    """How unshare(1) is allowed to make a time namespace here; None: it is not."""
    for options in (["-r", "-T"], ["-T"]):
        command = ["unshare", *options, "--boottime"]  # and how many seconds later it is there
        if subprocess.run([*command, "60", "true"], capture_output=True, check=False).returncode == 0:
            return command
    return None


def said(reason: str) -> str:
    print(f"\nskipped: {reason}", flush=True)
    return reason


def replaced(requests: list[Request]) -> list[Request]:
    """Those that ask at once, and on another connection, for what has just been answered on a kept one."""
    found, last, used = [], {}, collections.Counter()
    for request in requests:
        before = last.get(request.host)
        again = before and before.path == request.path and before.connection != request.connection and used[before.connection] > 1
        if again and request.start - (before.end or before.start) < AT_ONCE:
            found.append(request)
        used[request.connection] += 1
        last[request.host] = request
    return found


def build(folder: pathlib.Path) -> pathlib.Path:
    """The library that makes the faults; skips the test where it cannot be made."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang-14")
    if compiler is None:
        raise unittest.SkipTest(said("no C compiler here for faults.c"))
    library = folder / "faults.so"
    source = pathlib.Path(__file__).with_name("faults.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True, timeout=60)
    return library


def preloaded(library: pathlib.Path, **faults) -> dict[str, str]:
    """Variables for a crawl with faults. The sanitizer wants to be the first library; here another one is."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    return {"LD_PRELOAD": str(library), "ASAN_OPTIONS": options} | {f"CRAWLD_FAULTS_{name}": str(value) for name, value in faults.items()}


class FaultsTest(unittest.TestCase):
    """The crawls run once; each test looks at one promise."""

    @classmethod
    def setUpClass(cls):
        if keep := os.environ.get("CRAWLD_KEEP"):
            folder = pathlib.Path(keep).resolve()
            folder.mkdir()
        else:
            temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
            cls.addClassCleanup(temporary.cleanup)
            folder = pathlib.Path(temporary.name)
        cls.folder = folder
        cls.library = build(folder)
        cls.later = time_namespace()
        cls.origins = world(ORIGINS, SPAN, SEED)
        cls.trouble: list[str] = []
        cls.counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
        cls.fates: collections.Counter = collections.Counter()
        cls.errors: collections.Counter = collections.Counter()
        (folder / "state").mkdir()
        began = time.monotonic()
        with ChainWeb(cls.origins, folder / "web") as cls.web:
            cls.config = cls.web.configuration(folder / "state", "  pause_below: 16MiB\n  resume_above: 16MiB\n")
            for number in range(1, RUNS + 1):
                cls.run_with_faults(number)
            cls.under_faults = cls.web.requests()
            cls.after_faults = cls.frontier()
            cls.status = cls.run_to_the_end() if cls.later else None
            cls.at_the_end = cls.frontier()
            cls.requests = cls.web.requests()
        cls.found = check(cls.origins, cls.requests, [])
        cls.replaced = replaced(cls.requests)
        cls.summarise(time.monotonic() - began)

    @classmethod
    def start(cls, number: int, log: pathlib.Path, *arguments, **environment) -> subprocess.Popen:
        """Begins a run `number` * HOURS_BETWEEN from now on its clock, if that can be."""
        if requests := cls.web.requests():
            time.sleep(max(0.0, requests[-1].start + LONGEST - time.time()))
        shifted = [*cls.later, str(number * HOURS_BETWEEN * 3600)] if cls.later else []
        with open(log, "wb") as output:
            return subprocess.Popen(
                [*shifted, program.CRAWLD, "run", "--config", str(cls.config), *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent, env=os.environ | environment,
            )  # fmt: skip

    @classmethod
    def run_with_faults(cls, number: int):
        log, counts = cls.folder / f"run-{number}.log", cls.folder / f"counts-{number}"
        faults = preloaded(cls.library, PER_MILLE=PER_MILLE, SEED=SEED * 1000 + number, COUNTS=counts)
        crawler = cls.start(number, log, **faults)
        try:
            program.wait_for(lambda: crawler.poll() is not None or events(log, "ready"))
            time.sleep(RUN_SECONDS)
            if crawler.poll() is not None:
                cls.trouble.append(f"{log.name}: ended by itself with {crawler.returncode}")
            crawler.send_signal(signal.SIGTERM)
            told = time.monotonic()
            if (status := crawler.wait(GRACE)) != 0:
                cls.trouble.append(f"{log.name}: SIGTERM ended it with {status}: {log.read_text(errors='replace')[-2000:]}")
            cls.slowest_stop = max(getattr(cls, "slowest_stop", 0.0), time.monotonic() - told)
        except subprocess.TimeoutExpired:
            cls.trouble.append(f"{log.name}: still there {GRACE} s after SIGTERM: {log.read_text(errors='replace')[-2000:]}")
        finally:
            crawler.kill()
            crawler.wait()
        for line in counts.read_text(encoding="ascii").splitlines() if counts.exists() else []:
            name, calls, faults = line.split()
            cls.counts[name][0] += int(calls)
            cls.counts[name][1] += int(faults)
        cls.look_at(log)

    @classmethod
    def run_to_the_end(cls) -> int | None:
        log = cls.folder / "run-last.log"
        crawler = cls.start(RUNS + 10, log, "--until-idle")
        try:
            return crawler.wait(LAST_SECONDS)
        except subprocess.TimeoutExpired:
            cls.trouble.append(f"{log.name}: not idle after {LAST_SECONDS} s: {log.read_text(errors='replace')[-2000:]}")
            return None
        finally:
            crawler.kill()
            crawler.wait()
            cls.look_at(log)

    @classmethod
    def look_at(cls, log: pathlib.Path):
        text = log.read_text(encoding="utf-8", errors="replace")
        if "Sanitizer" in text or "runtime error:" in text or '"event":"bug"' in text:
            cls.trouble.append(f"{log.name}: {text[-4000:]}")
        for line in [*events(log, "visit"), *events(log, "robots")]:
            cls.fates[line.get("fate", "robots")] += 1
            cls.errors[line.get("error", "none")] += 1

    @classmethod
    def frontier(cls) -> dict[str, str]:
        """What `crawld frontier export` knows: URL -> its fate, or `owed`. What it verifies is asked on the way."""
        verified = program.run("frontier", "verify", "--config", cls.config, seconds=60)
        if verified.returncode != 0:
            cls.trouble.append(f"frontier verify: {verified.returncode}: {verified.stdout[-2000:]} {verified.stderr[-2000:]}")
        known, origin = {}, ""
        for line in program.run("frontier", "export", "--config", cls.config, seconds=60).stdout.splitlines():
            record = json.loads(line)
            origin = record.get("host", origin)
            if "owed" in record:
                known[origin + record["owed"]] = "owed"
            elif "url" in record:
                known.setdefault(origin + record["url"], record["fate"])
        return known

    @classmethod
    def summarise(cls, took: float):
        calls, faults = map(sum, zip(*cls.counts.values())) if cls.counts else (0, 0)
        visits = {fate: count for fate, count in cls.fates.most_common()}
        print(
            f"\n{RUNS} runs with faults, {took:.0f} s, seed {SEED}: {faults} faults in {calls} calls "
            f"({', '.join(f'{name} {pair[1]}' for name, pair in cls.counts.items() if pair[1])}), requests {len(cls.under_faults)} under "
            f"faults and {len(cls.requests) - len(cls.under_faults)} after, fates {visits}, errors {dict(cls.errors.most_common())}, "
            f"windows broken {len(cls.found.too_soon)}, connections replaced {len(cls.replaced)}, "
            f"pages before robots.txt {len(cls.found.before_robots)}, "
            f"slowest stop {getattr(cls, 'slowest_stop', 0):.1f} s",
            flush=True,
        )

    def url_of(self, origin: Origin, reference: str) -> str:
        own = f"http://{origin.host}:{self.web.port}"
        return own + reference if reference.startswith("/") else reference.replace("PORT", str(self.web.port))

    def missing(self, known: dict[str, str]) -> list[str]:
        """Seeds, and links of pages that count as fetched, that the frontier has never heard of."""
        found = [self.url_of(origin, "/") for origin in self.origins if origin.seed]
        for origin in self.origins:
            for path, links in origin.pages.items():
                if known.get(self.url_of(origin, path)) == "fetched":
                    found += [self.url_of(origin, link) for link in links]
        return sorted({url for url in found if url not in known})

    def test_every_run_ends_well(self):
        self.assertEqual(self.trouble, [])
        self.assertIn(self.status, (0, None))

    def test_the_faults_were_there(self):
        """Otherwise all the rest says nothing."""
        for name in CALLS:
            self.assertGreater(self.counts[name][0], 10 * RUNS, (name, dict(self.counts)))
        hit = [name for name in CALLS if self.counts[name][1]]
        self.assertGreaterEqual(len(hit), 2 * len(CALLS) / 3, dict(self.counts))
        self.assertGreater(sum(count for error, count in self.errors.items() if error != "none"), 2 * RUNS)
        self.assertGreater(len({error for error in self.errors if error != "none"}), 3)

    def test_and_pages_were_fetched_all_the_same(self):
        answered = {(request.host, request.path) for request in self.under_faults if request.end is not None and request.path != ROBOTS}
        self.assertGreater(len(answered), 20 * RUNS)

    def test_no_window_is_broken_but_by_a_replaced_connection(self):
        """Of those OneFaultTest tells."""
        again = {id(request) for request in self.replaced}
        found = check(self.origins, [request for request in self.requests if id(request) not in again], [])
        self.assertEqual((len(found.too_soon), found.too_soon[:10]), (0, []))

    def test_no_page_comes_before_robots_txt(self):
        self.assertEqual(self.found.before_robots[:10], [])

    def test_the_frontier_knows_all_that_was_found(self):
        for known in (self.after_faults, self.at_the_end):
            self.assertGreater(sum(fate == "fetched" for fate in known.values()), 10 * RUNS)
            missing = self.missing(known)
            self.assertEqual((len(missing), missing[:10]), (0, []))

    def test_what_failed_is_fetched_when_the_web_is_well_again(self):
        if not self.later:
            self.skipTest(said("no time namespaces here (unshare -T): what failed is not due before minutes have passed"))
        self.assertEqual(set(self.at_the_end.values()) - {"fetched", "given_up"}, set())
        given_up = {url for url, fate in self.at_the_end.items() if fate == "given_up"}
        self.assertLess(len(given_up), len(self.at_the_end) / 100)
        asked = {f"http://{request.host}:{self.web.port}{request.path}" for request in self.requests if request.end is not None}
        self.assertEqual(sorted(set(self.at_the_end) - given_up - asked), [])
        if not given_up:
            pages = {self.url_of(origin, path) for origin in self.origins for path in origin.pages}
            self.assertEqual(sorted(pages - set(self.at_the_end)), [])


class OneFaultTest(unittest.TestCase):
    """What a single kind of fault does, where that is not what it should."""

    @classmethod
    def setUpClass(cls):
        cls.few, cls.many = world(20, SPAN, 1), world(ORIGINS, SPAN, 1)
        cls.reset = cls.crawl(cls.few, lambda seen, _: replaced(seen) or len(seen) > 200, ONLY="recv", PER_MILLE=100, SEED=SEED)
        cls.unwatched = cls.crawl(cls.many, lambda seen, log: len(hosts_of(seen)) == ORIGINS or silent(log), UNWATCHED=1)
        print(f"\none socket that cannot be watched: {len(hosts_of(cls.unwatched))} of {ORIGINS} hosts were found", flush=True)

    @classmethod
    def crawl(cls, origins: list[Origin], enough, **faults) -> list[Request]:
        """Crawls until `enough(requests, log)`, or for a while, and returns the requests."""
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as name:
            folder = pathlib.Path(name)
            (folder / "state").mkdir()
            log = folder / "run.log"
            with ChainWeb(origins, folder / "web") as web:
                config = web.configuration(folder / "state", "  pause_below: 16MiB\n  resume_above: 16MiB\n")
                with open(log, "wb") as output:
                    crawler = subprocess.Popen(
                        [program.CRAWLD, "run", "--config", str(config)], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                        preexec_fn=die_with_parent, env=os.environ | preloaded(build(folder), **faults),
                    )  # fmt: skip
                try:
                    deadline = time.monotonic() + ONE_SECONDS
                    while crawler.poll() is None and time.monotonic() < deadline and not enough(web.requests(), log):
                        time.sleep(0.05)
                finally:
                    crawler.kill()
                    crawler.wait()
                return web.requests()

    def test_the_crawls_came_somewhere(self):
        for requests, least in ((self.reset, 5), (self.unwatched, ORIGINS // 4)):
            self.assertGreater(len([request for request in requests if request.end is not None]), least)

    def test_a_request_that_was_reset_waits_for_its_turn(self):
        """On a kept connection, too: the server has had it, and would count two if it came again at once."""
        self.assertEqual(check(self.few, self.reset, []).too_soon, [])

    def test_a_socket_that_cannot_be_watched_does_not_silence_dns(self):
        """Else the thread whose socket it was would hear no answer as long as there is a question, for all of its names."""
        self.assertGreaterEqual(len(hosts_of(self.unwatched)), ORIGINS - 2)  # the name whose question it was may have to wait


class ThreadsTest(unittest.TestCase):
    def test_a_thread_that_cannot_be_started_ends_the_start_in_order(self):
        """One of the store's, or of ours: there is nothing running yet that could be lost."""
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as name:
            folder = pathlib.Path(name)
            library = build(folder)
            config, counts = folder / "crawld.yaml", folder / "counts"
            statuses: dict[int, int] = {}
            while 0 not in statuses.values() and len(statuses) < THREADS_MAX:
                storage = folder / f"state-{len(statuses)}"
                storage.mkdir()
                config.write_text(
                    f"agent:\n  contact: {program.CONTACT}\nseeds:\n  - http://127.0.0.1/\n"  # is blocked, and that is all there is to do
                    f"threads: 2\nstorage:\n  directory: {storage}\n  pause_below: 16MiB\n  resume_above: 16MiB\n",
                    encoding="utf-8",
                )
                environment = os.environ | preloaded(library, THREAD=len(statuses) + 1, COUNTS=counts)
                environment["ASAN_OPTIONS"] += ":detect_leaks=0"  # RocksDB forgets a little when it cannot start
                finished = program.run("run", "--config", config, "--until-idle", env=environment)
                statuses[len(statuses) + 1] = finished.returncode
            self.assertGreater(len(statuses), 2)  # the store's and ours
            self.assertEqual({number: status for number, status in statuses.items() if status not in (0, *ENDS)}, {})


def hosts_of(requests: list[Request]) -> set[str]:
    return {request.host for request in requests}


def silent(log: pathlib.Path) -> bool:
    """Has DNS not answered many names?"""
    return sum(line.get("error") == "dns_timeout" for line in events(log, "robots")) > ORIGINS // 4


if __name__ == "__main__":
    unittest.main()
