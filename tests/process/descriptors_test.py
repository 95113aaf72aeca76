"""A crawl that may have few open files, or little memory: it takes its time, and neither gives up a page nor ends before it is done.

UBSan's check of virtual calls needs two descriptors of its own and reports an error when there are none: under it a crawl that takes the
last descriptor ends, though nothing is wrong with its objects.
"""

import collections
import functools
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time
import unittest

import program
from chain_web import ChainWeb, events, pages_of, world
from kill_judge import check
from littleweb import die_with_parent

ORIGINS, SPAN = 200, 2.0
FEW = 64  # open files
HOPELESS = (16, 32)  # as many as a store takes by itself, or not even that
END_SECONDS = 60
CONFIG_ERROR, SOFTWARE_ERROR, IO_ERROR, AGAIN = 78, 70, 74, 75  # sysexits.h
MIB = 1 << 20
SQUEEZES = (0.98, 0.9, 0.7, 0.4)  # of the address space that the crawl takes when it may have all


@functools.cache
def is_sanitized() -> bool:
    """Sanitizers want address space by the terabyte."""
    linked = subprocess.run(["ldd", program.CRAWLD], capture_output=True, text=True, check=False).stdout
    return re.search(r"lib(asan|tsan)|/libclang_rt", linked) is not None or b"__asan_init" in pathlib.Path(program.CRAWLD).read_bytes()


class Squeezed:
    """A web, and runs of crawld on it that have less than they would like."""

    def __init__(self, test: unittest.TestCase, origins: int):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        test.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.origins = world(origins, SPAN, 1)
        self.web = ChainWeb(self.origins, self.folder / "web")
        self.web.__enter__()
        test.addCleanup(self.web.stop)
        self.state = self.folder / "state"
        self.log = self.folder / "run.log"
        self.test = test

    def run(self, limits: dict[int, int], threads: int = 2) -> int:
        """Crawls until nothing is owed, and returns the exit code; negative: the signal that ended it."""
        self.state.mkdir(exist_ok=True)
        config = self.web.configuration(self.state, "  memory: 64MiB\n  pause_below: 16MiB\n  resume_above: 16MiB\n")
        config.write_text(config.read_text(encoding="utf-8").replace("threads: 2\n", f"threads: {threads}\n"), encoding="utf-8")

        def begin():
            die_with_parent()
            for what, most in limits.items():
                resource.setrlimit(what, (most, most))

        with open(self.log, "wb") as output:
            crawler = subprocess.Popen(
                [program.CRAWLD, "run", "--config", str(config), "--until-idle"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=begin,
            )  # fmt: skip
        try:
            deadline = time.monotonic() + END_SECONDS
            self.peak = 0
            while crawler.poll() is None and time.monotonic() < deadline:
                self.peak = max(self.peak, peak_of(crawler.pid))
                time.sleep(0.02)
            self.test.assertIsNotNone(crawler.poll(), f"still running after {END_SECONDS} s: {self.words()}")
        finally:
            crawler.kill()
            crawler.wait()
        return crawler.returncode

    def words(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]

    def fates(self) -> collections.Counter:
        return collections.Counter(line["fate"] for line in events(self.log, "visit"))

    def assert_complete(self):
        found = check(self.origins, self.web.requests(), [])
        self.test.assertEqual((len(found.lost), found.lost[:10]), (0, []))
        self.test.assertEqual(found.too_soon[:10], [])
        self.test.assertEqual(found.before_robots[:10], [])
        fates = self.fates()
        self.test.assertEqual(fates["fetched"], len(pages_of(self.origins)), fates)
        self.test.assertEqual(set(fates) - {"fetched", "retry"}, set())


def peak_of(process: int) -> int:
    """The most address space that it has had, in octets."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^VmPeak:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


class DescriptorsTest(unittest.TestCase):
    def test_few_open_files_are_enough_for_many_origins(self):
        world_of_many = Squeezed(self, ORIGINS)
        self.assertGreaterEqual(len(pages_of(world_of_many.origins)), 1000)
        self.assertEqual(world_of_many.run({resource.RLIMIT_NOFILE: FEW}), 0, world_of_many.words())
        world_of_many.assert_complete()

    def test_a_hopeless_limit_is_refused_with_what_to_do_about_it(self):
        small = Squeezed(self, 10)
        for limit in HOPELESS:
            with self.subTest(limit):
                self.assertEqual(small.run({resource.RLIMIT_NOFILE: limit}), CONFIG_ERROR, small.words())
                self.assertRegex(small.words(), rf"open files is {limit}\b.*need \d+\b.*ulimit -n")
                self.assertNotIn("runtime error", small.words())
        self.assertEqual(small.web.requests(), [])

    def test_as_many_as_it_says_it_needs_are_enough(self):
        """And one fewer are refused. One thread needs fewer than two."""
        needed = {}
        for threads in (2, 1):
            with self.subTest(threads):
                small = Squeezed(self, 20)
                self.assertEqual(small.run({resource.RLIMIT_NOFILE: HOPELESS[0]}, threads), CONFIG_ERROR, small.words())
                needed[threads] = int(re.search(r"need (\d+)\b", small.words())[1])
                self.assertEqual(small.run({resource.RLIMIT_NOFILE: needed[threads] - 1}, threads), CONFIG_ERROR, small.words())
                self.assertEqual(small.run({resource.RLIMIT_NOFILE: needed[threads]}, threads), 0, small.words())
                small.assert_complete()
        self.assertLessEqual(needed[2], FEW)
        self.assertLess(needed[1], needed[2])


class MemoryTest(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("CRAWLD_SQUEEZE"), "set CRAWLD_SQUEEZE=1: now and then a thread of the store's ends the process")
    def test_with_little_address_space_it_crawls_or_says_why_not(self):
        """Whatever is refused by the kernel: never a crash, and what was not fetched is fetched by the next run that has room.

        Not always so today: memory that a thread of RocksDB cannot have aborts the process.
        """
        if is_sanitized():
            reason = "the limit of address space means nothing under a sanitizer"
            print(f"\nskipped: {reason}", flush=True)
            self.skipTest(reason)
        small = Squeezed(self, 20)
        self.assertEqual(small.run({}), 0, small.words())
        most = small.peak
        self.assertGreater(most, 16 * MIB)
        for part in SQUEEZES:
            with self.subTest(part):
                squeezed = Squeezed(self, 20)
                status = squeezed.run({resource.RLIMIT_AS: int(most * part)})
                self.assertIn(status, (0, SOFTWARE_ERROR, IO_ERROR, AGAIN, CONFIG_ERROR), squeezed.words())
                if status != 0:
                    self.assertTrue(squeezed.words().strip(), "it ended without a word")
                    self.assertEqual(squeezed.run({}), 0, squeezed.words())
                self.assertEqual(check(squeezed.origins, squeezed.web.requests(), []).lost, [])


if __name__ == "__main__":
    unittest.main()
