"""An archive that is torn away from its crawl: by kills, and by a disk that is full.

CRAWLD_KILLS: how often the crawl is killed (10). CRAWLD_SEED: draws when.
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
import zlib

import program
from archive_judge import GRACE, Archive, members
from archive_test import Case
from chain_web import ChainWeb, events, pages_of, world
from disk_full_test import SmallDisk
from kill_judge import Stop, check

KILLS = int(os.environ.get("CRAWLD_KILLS", "10"))
SEED = int(os.environ.get("CRAWLD_SEED", "1"))


class ChainCase(Case):
    """Crawls of ChainWeb, whose log outlives the crawlers."""

    def done_pages(self, config: pathlib.Path) -> list[str]:
        """URLs that the frontier calls done with, in a visit."""
        exported = program.run("frontier", "export", "--config", config, seconds=60)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        host, done = "", []
        for line in map(json.loads, exported.stdout.splitlines()):
            host = line.get("host", host)
            if line.get("fate") and line.get("status"):
                done.append(host + line["url"])
        return done

    def assert_all_kept(self, config: pathlib.Path, archive: Archive, requests: list):
        """What is done has a record, and no page has more of them than it was answered."""
        done = self.done_pages(config)
        kept = collections.Counter(record.target for record in archive.captures)
        self.assertGreater(len(done), 0)
        self.assertEqual([url for url in done if not kept[url]][:10], [])
        asked = collections.Counter((request.host, request.path) for request in requests)
        for url, count in kept.items():
            host, path = url.removeprefix("http://").split("/", 1)
            self.assertLessEqual(count, asked[host.partition(":")[0], f"/{path}"], url)


class KillTest(ChainCase):
    """Killed again and again: a page that is done has its record."""

    def test_a_crawl_that_is_killed_loses_no_record(self):
        origins = world(90, 9.0, SEED)
        chance, stops, salvaged, log = random.Random(SEED), [], [], self.folder / "log"
        began = time.monotonic()
        (self.folder / "state").mkdir()
        with ChainWeb(origins, self.folder / "web") as web:
            config = web.configuration(self.folder / "state", "  pause_below: 16MiB\n  resume_above: 16MiB\n")
            for kill in range(KILLS):
                crawler = program.start(config, log)
                try:
                    program.wait_for(lambda: events(log, "ready") or crawler.poll() is not None)
                    if kill % 3:  # most find a file under way, however slow the machine
                        program.wait_for(lambda: list((self.folder / "state/archive").glob("*.warc.gz.open")) or crawler.poll() is not None)
                    time.sleep(chance.uniform(0.05, 0.6))  # the kill may come at any time
                    self.assertIsNone(crawler.poll(), log.read_text("utf-8")[-2000:])
                    before = time.time()
                    crawler.kill()
                    crawler.wait()
                finally:
                    crawler.kill()
                    crawler.wait()
                stops.append(Stop(before, time.time(), True))
                salvaged += [event for event in events(log, "archive") if event["file"] == "salvaged"]
                if kill % 3 == 0:
                    self.assert_done_is_kept_now(config, kill)
            at_last_kill = len({(request.host, request.path) for request in web.requests()})
            last = program.run("run", "--config", config, "--until-idle", seconds=90)
            requests = web.requests()
            log.write_text(last.stderr, encoding="utf-8")
            salvaged += [event for event in events(log, "archive") if event["file"] == "salvaged"]
            self.assertEqual(last.returncode, 0, last.stderr[-3000:])
            self.assertEqual(program.run("frontier", "verify", "--config", config, seconds=60).returncode, 0)
        archive = Archive(self.folder / "state/archive")
        found = check(origins, requests, stops)
        print(
            f"\nkills {KILLS}, pages {len(pages_of(origins))}, {at_last_kill} seen at the last kill, asked twice {found.repeated} "
            f"(in flight {found.in_flight}), salvaged {len(salvaged)} (cut {sum(event['cut'] > 0 for event in salvaged)}, without index "
            f"{sum(event['not_in_index'] > 0 for event in salvaged)}), {len(archive.records)} records, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        self.assertGreaterEqual(len(pages_of(origins)), 1000)
        self.assertLess(at_last_kill, len(pages_of(origins)), "the crawl was over before the last kill")
        self.assertEqual(found.lost[:10], [])
        self.assertLessEqual(found.repeated, found.in_flight + KILLS)
        self.assertGreater(len(salvaged), KILLS // 2)
        self.assertEqual({event["name"] for event in salvaged} - {path.name for path in archive.files}, set())
        self.assert_in_order(archive)
        self.assert_all_kept(config, archive, requests)

    def assert_done_is_kept_now(self, config: pathlib.Path, kill: int):
        """Before anybody mends anything, in the files as the kill has left them."""
        kept = set()
        for path in (self.folder / "state/archive").glob("*.warc.gz*"):
            if path.name.endswith((".warc.gz", ".warc.gz.open")):
                try:
                    for _, _, octets in members(path.read_bytes()):
                        if octets.startswith((b"WARC/1.1\r\nWARC-Type: response", b"WARC/1.1\r\nWARC-Type: revisit")):
                            kept.add(re.search(rb"WARC-Target-URI: (\S+)", octets).group(1).decode())
                except (EOFError, zlib.error):
                    pass  # the end that the kill tore off
        self.assertEqual([url for url in self.done_pages(config) if url not in kept][:10], [], f"after kill {kill}")


class FullDiskTest(ChainCase):
    """The disk of the archive alone is full."""

    def setUp(self):
        super().setUp()
        self.disk = SmallDisk(self.folder / "disk")
        self.addCleanup(self.disk.close)
        if not self.disk.works:
            self.skipTest("no tmpfs in a user namespace here (unshare -rm)")
        self.origins = world(40, 8.0, SEED)
        self.web = ChainWeb(self.origins, self.folder / "web")
        self.web.__enter__()
        self.addCleanup(self.web.stop)
        (self.folder / "state").mkdir()
        more = f"  pause_below: 1MiB\n  resume_above: 2MiB\narchive:\n  directory: {self.disk.mount}/archive\n  max_file_size: 1MiB\n"
        self.config = self.web.configuration(self.folder / "state", more)
        self.runs = 0

    def start(self) -> subprocess.Popen:
        self.runs += 1
        self.log = self.folder / f"run-{self.runs}.log"
        crawler = self.disk.start(self.log, program.CRAWLD, "run", "--config", str(self.config), "--until-idle")
        self.addCleanup(crawler.wait)
        self.addCleanup(crawler.kill)
        return crawler

    def fill(self) -> subprocess.Popen:
        """Begins a crawl and takes all room away in the middle; returns when it says so."""
        crawler = self.start()
        program.wait_for(lambda: crawler.poll() is not None or len(self.web.requests()) > 150, 30)
        self.disk.fill()
        program.wait_for(lambda: self.trouble() or crawler.poll() is not None, 30)
        self.assertIsNone(crawler.poll(), self.log.read_text("utf-8")[-3000:])
        return crawler

    def trouble(self) -> list[dict]:
        return [event for event in events(self.log, "archive") if event.get("why")]

    def finish(self, crawler: subprocess.Popen):
        self.assertEqual(crawler.wait(90), 0, self.log.read_text("utf-8")[-3000:])
        shutil.copytree(self.disk.path / "archive", self.folder / "archive")
        archive, requests = Archive(self.folder / "archive"), self.web.requests()
        self.assert_in_order(archive)
        self.assertEqual(check(self.origins, requests, []).lost[:10], [])
        self.assert_all_kept(self.config, archive, requests)

    def assert_quiet(self):
        """Nothing is asked for while records cannot be written. What was under way may end."""
        time.sleep(1)
        before = len(self.web.requests())
        time.sleep(2.5)
        requests = self.web.requests()
        self.assertEqual(len(requests), before)
        self.assertLess(len({(request.host, request.path) for request in requests}), len(pages_of(self.origins)), "all was done")

    def test_it_waits_says_so_and_goes_on(self):
        crawler = self.fill()
        said = self.trouble()[0]
        self.assertIn("No space left", said["why"])
        self.assertEqual(said["directory"], f"{self.disk.mount}/archive")
        self.assert_quiet()
        self.assertIsNone(crawler.poll())
        self.disk.empty()
        self.finish(crawler)
        self.assertTrue([event for event in events(self.log, "archive") if "again" in event.get("what", "")])

    def test_the_end_by_a_signal_while_it_is_full(self):
        crawler = self.fill()
        self.assert_quiet()
        began = time.monotonic()
        crawler.send_signal(signal.SIGTERM)
        self.assertEqual(crawler.wait(GRACE + 8), 0, self.log.read_text("utf-8")[-3000:])
        print(f"\nended after {time.monotonic() - began:.1f} s on a full disk", flush=True)
        self.disk.empty()
        self.finish(self.start())


if __name__ == "__main__":
    unittest.main()
