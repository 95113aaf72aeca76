"""The crawl on a disk that fills up: it pauses, says so, goes on when there is room, and forgets nothing."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import program
from chain_web import ROBOTS, ChainWeb, events, pages_of, world
from kill_judge import Stop, check
from littleweb import die_with_parent

MIB = 1 << 20
DISK = 32 * MIB
PAUSE_BELOW, RESUME_ABOVE = 8 * MIB, 12 * MIB
ORIGINS, SPAN = 40, 20.0
NOTICES = 15  # seconds in which crawld has to see how much room there is
UNDER_WAY = 0.6  # seconds: requests that the pause finds under way, the slowest page and a little
QUIET = 3.0  # seconds without a request that prove a pause: many intervals
GRACE = 22
END_SECONDS = 90
IO_ERROR = 74  # EX_IOERR


class SmallDisk:
    """A tmpfs of DISK octets in a mount namespace of its own, which lives as long as a `cat` does."""

    def __init__(self, folder: pathlib.Path):
        self.mount = folder
        folder.mkdir()
        script = 'mount -t tmpfs -o size="$1" tmpfs "$0" && echo mounted && exec cat'
        self.holder = subprocess.Popen(
            ["unshare", "-rm", "sh", "-c", script, str(folder), str(DISK)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=die_with_parent,
        )  # fmt: skip
        self.works = self.holder.stdout.readline() == b"mounted\n"
        self.path = pathlib.Path(f"/proc/{self.holder.pid}/root{folder}")  # as we see it from outside

    def close(self):
        self.holder.kill()
        self.holder.communicate()

    def free(self) -> int:
        found = os.statvfs(self.path)
        return found.f_bavail * found.f_frsize

    def start(self, log: pathlib.Path, *command: str) -> subprocess.Popen:
        """Starts a program that sees the disk at `mount`."""
        enter = ["nsenter", "--target", str(self.holder.pid), "--user", "--mount", "--preserve-credentials", "--wd=/"]
        with open(log, "wb") as output:
            return subprocess.Popen(
                [*enter, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent
            )

    def fill(self, leave: int = 0):
        """Somebody else's file takes all but `leave` octets."""
        with open(self.path / "filler", "ab", buffering=0) as file:
            try:
                while (room := self.free() - leave) > 0:
                    file.write(b"\0" * min(room, MIB))
            except OSError:
                pass  # full

    def empty(self):
        (self.path / "filler").unlink()


class DiskFullTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.disk = SmallDisk(self.folder / "disk")
        self.addCleanup(self.disk.close)
        if not self.disk.works:
            reason = "no tmpfs in a user namespace here (unshare -rm)"
            print(f"\nskipped: {reason}", flush=True)
            self.skipTest(reason)
        self.origins = world(ORIGINS, SPAN, 1)
        self.web = ChainWeb(self.origins, self.folder / "web")
        self.web.__enter__()
        self.addCleanup(self.web.stop)
        limits = f"  pause_below: {PAUSE_BELOW // MIB}MiB\n  resume_above: {RESUME_ABOVE // MIB}MiB\n"
        self.config = self.web.configuration(self.disk.mount / "state", limits)
        (self.disk.path / "state").mkdir()
        self.runs = 0

    def start(self) -> subprocess.Popen:
        self.runs += 1
        self.log = self.folder / f"run-{self.runs}.log"
        crawler = self.disk.start(self.log, program.CRAWLD, "run", "--config", str(self.config), "--until-idle")
        self.addCleanup(crawler.wait)
        self.addCleanup(crawler.kill)  # comes first
        return crawler

    def start_and_crawl_a_little(self) -> subprocess.Popen:
        crawler = self.start()
        program.wait_for(lambda: crawler.poll() is not None or len(self.pages()) > 100)
        self.assertIsNone(crawler.poll(), self.words())
        return crawler

    def pages(self) -> list:
        return [request for request in self.web.requests() if request.path != ROBOTS]

    def words(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")[-4000:]

    def wait_for_event(self, crawler, name: str) -> dict:
        """The first line that tells of it; a crawler that ends before is a failure."""
        program.wait_for(lambda: events(self.log, name) or crawler.poll() is not None, NOTICES)
        self.assertIsNone(crawler.poll(), self.words())
        return events(self.log, name)[0]

    def assert_quiet_since(self, instant: float):
        time.sleep(max(0.0, instant + UNDER_WAY + QUIET - time.time()))
        late = [(r.host, r.path, r.start - instant) for r in self.web.requests() if r.start > instant + UNDER_WAY]
        self.assertEqual(late, [])
        self.assertLess(len({(r.host, r.path) for r in self.pages()}), len(pages_of(self.origins)), "all was done: this test says nothing")

    def finish(self, crawler, stops: list[Stop]):
        """The crawl ends complete; returns the judge's findings."""
        try:
            self.assertEqual(crawler.wait(END_SECONDS), 0, self.words())
        except subprocess.TimeoutExpired:
            self.fail(f"still running after {END_SECONDS} s with {self.disk.free() // MIB} MiB free: {self.words()}")
        self.assertNotIn("ERROR: AddressSanitizer", self.log.read_text(encoding="utf-8", errors="replace"))
        found = check(self.origins, self.web.requests(), stops)
        self.assertEqual(found.lost[:10], [])
        self.assertEqual(found.too_soon[:10], [])
        self.assertEqual(found.before_robots[:10], [])
        self.assertEqual(found.repeated_without_need[:10], [])
        return found

    def test_a_disk_that_is_nearly_full_pauses_the_crawl_until_there_is_room(self):
        crawler = self.start_and_crawl_a_little()
        self.assertEqual(events(self.log, "pause"), [], "paused although there is room")
        self.disk.fill(leave=PAUSE_BELOW // 2)
        pause = self.wait_for_event(crawler, "pause")
        self.assertIn("disk", pause["why"])
        self.assert_quiet_since(pause["at"])
        self.assertEqual(events(self.log, "resume"), [])
        self.disk.empty()
        resume = self.wait_for_event(crawler, "resume")
        self.assertGreater(resume["at"], pause["at"] + QUIET)
        found = self.finish(crawler, [])
        self.assertEqual(found.repeated, 0)

    def test_a_clean_stop_has_room_on_a_full_disk(self):
        crawler = self.start_and_crawl_a_little()
        self.disk.fill(leave=PAUSE_BELOW // 2)
        pause = self.wait_for_event(crawler, "pause")
        time.sleep(UNDER_WAY)
        self.disk.fill()
        self.assertEqual(self.disk.free(), 0, "the disk is not full: this test says nothing")
        self.assert_quiet_since(pause["at"])
        crawler.send_signal(signal.SIGTERM)
        self.assertEqual(crawler.wait(GRACE), 0, self.words())
        self.assertGreater(self.disk.free(), 0, "the reserve was not given back for the stop")
        self.disk.empty()
        found = self.finish(self.start(), [Stop(time.time(), time.time(), False)])
        self.assertEqual(events(self.log, "ready")[0]["last_run"], "ended")
        self.assertEqual(found.repeated, 0)

    def test_a_disk_that_is_full_all_at_once_costs_nothing_but_time(self):
        crawler = self.start_and_crawl_a_little()
        filling = time.time()
        self.disk.fill()
        self.assertLess(self.disk.free(), MIB, "the disk is not full: this test says nothing")
        program.wait_for(lambda: events(self.log, "pause") or crawler.poll() is not None, NOTICES + GRACE)
        if crawler.poll() is None:  # it can wait for better times ...
            self.assert_quiet_since(events(self.log, "pause")[0]["at"])
            self.disk.empty()
        else:  # ... or ends, says why, and is started again by whoever watches over it
            self.assertEqual(crawler.returncode, IO_ERROR, self.words())
            self.assertTrue(events(self.log, "stop")[0]["why"])
            self.disk.empty()
            crawler = self.start()
        self.finish(crawler, [Stop(filling, time.time(), True)])


if __name__ == "__main__":
    unittest.main()
