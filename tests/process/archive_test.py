"""The archive and the crawl log of the real binary, as an archivist reads them and as an attacker would like them."""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zlib

import program
import warc_tool_test
from archive_judge import (
    BODY_MAX, GRACE, MAIN, NOT_MODIFIED, ODD_TYPE, ORIGINS, PAGES_OF_EACH, RULED, SAME_CONTENT, SPECIAL, Answer, Archive, Later,
    Witness, check_crawl_log, check_exchanges, check_index, check_names, check_records, links, members, read_crawl_log, small_web,
)  # fmt: skip
from chain_web import ROBOTS, events
from disk_full_test import MIB
from littleweb import die_with_parent

SEED = 1
POLITENESS = "politeness:\n  default_interval: 0s\n  hard_minimum: 0s\n  per_address_interval: 0s\n  latency_factor: 0\n"
class Case(unittest.TestCase):
    """A folder, crawls of it, and what all archives have in common."""

    folder: pathlib.Path

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    @staticmethod
    def configure(folder: pathlib.Path, web: Witness, more: str = "", name: str = "state", addresses=tuple(ORIGINS)) -> pathlib.Path:
        path = folder / f"{name}.yaml"
        seeds = "".join(f"  - {web.url(address)}\n" for address in addresses)
        path.write_text(
            f"agent:\n  contact: {program.CONTACT}\nseeds:\n{seeds}{POLITENESS}"
            f"network:\n  allow_addresses: [127.0.0.0/8]\n  max_body_size: {BODY_MAX}B\n"
            f"storage:\n  directory: {folder}/{name}\n  pause_below: 16MiB\n  resume_above: 16MiB\n"
            f"log:\n  format: json\nthreads: 2\n{more}",
            encoding="utf-8",
        )
        return path

    def crawl(self, web: Witness, more: str = "", name: str = "state", addresses=(MAIN,)) -> subprocess.CompletedProcess:
        """A single pass, which has to end well."""
        config = self.configure(self.folder, web, "recrawl:\n  enabled: false\n" + more, name, addresses)
        done = program.run("run", "--config", config, "--until-idle", seconds=60)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])
        self.assertNotIn("runtime error:", done.stderr)
        return done

    def assert_in_order(self, archive: Archive, pages: bool = True):
        """What crawld, gzip and we find wrong with the files themselves: nothing."""
        self.assertEqual(check_records(archive), [])
        self.assert_readable(archive, pages)

    def assert_readable(self, archive: Archive, pages: bool = True):
        self.assertTrue(archive.files)
        self.assertEqual(check_names(archive, pages), [])
        self.assertEqual(check_index(archive), [])
        for path in archive.files:
            self.assertEqual(subprocess.run(["gzip", "-t", path], timeout=60, check=False).returncode, 0, path)
        verified = program.run("warc", "verify", "--json", *archive.files, seconds=120)
        self.assertEqual(verified.returncode, 0, verified.stdout[-2000:] + verified.stderr)
        summaries = [json.loads(line) for line in verified.stdout.splitlines()]
        self.assertEqual(sum(summary["records"] for summary in summaries), len(archive.records))


class CrawlTest(Case):
    """A crawl, and the same pages again; each test looks at one promise."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        cls.addClassCleanup(temporary.cleanup)
        cls.top = pathlib.Path(temporary.name)
        sites = small_web()
        sites[ORIGINS[3]]["/1"] = ODD_TYPE
        sites[ORIGINS[3]]["/"] = Answer(links("/1", "/2", "/3"))
        with Witness(sites) as cls.web:
            config = cls.configure(cls.top, cls.web, "scope:\n  embeds: true\nrecrawl:\n  initial: 1m\n  min: 1m\n")
            cls.first = program.run("run", "--config", config, "--until-idle", seconds=60)
            cls.seen_first = len(cls.web.seen)
            cls.again = Later.works()
            cls.status = None
            if cls.again:
                pages = sum(line.count('"event":"visit"') and '"status":2' in line for line in cls.first.stderr.splitlines())
                crawler = Later(config, cls.top / "later.log", 600)
                try:
                    program.wait_for(lambda: len(events(cls.top / "later.log", "visit")) >= pages or crawler.holder.poll() is not None, 60)
                    cls.status = crawler.stop()
                finally:
                    crawler.kill()
        cls.archive = Archive(cls.top / "state/archive")
        cls.log = read_crawl_log(cls.top / "state/crawl.log")

    def url(self, target: str) -> str:
        return self.web.url(MAIN, target)

    def test_the_crawls_end_well_and_mean_something(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr[-4000:])
        self.assertGreater(self.seen_first, len(ORIGINS) * PAGES_OF_EACH)
        asked = {seen.url for seen in self.web.seen}
        self.assertEqual([target for target in (*SPECIAL, *RULED) if self.url(target) not in asked], [])
        if not self.again:
            self.skipTest("no time namespaces here (unshare -rT): nothing is visited twice")
        self.assertEqual(self.status, 0, (self.top / "later.log").read_text("utf-8")[-4000:])
        self.assertGreater(len(self.web.seen), 2 * len(ORIGINS) * PAGES_OF_EACH)

    def test_the_files_are_in_order(self):
        self.assert_in_order(self.archive)

    def test_every_octet_that_was_sent_and_answered_is_there(self):
        not_kept = {self.url(target) for target in RULED}
        self.assertEqual(check_exchanges(self.archive, self.web.seen, not_kept, BODY_MAX), [])

    def test_the_crawl_log_has_a_line_for_each(self):
        self.assertEqual(check_crawl_log(self.archive, self.log), [])
        answered = [line for line in self.log if line.begun]
        self.assertEqual(len(answered), len(self.web.seen))
        closed = [line for line in self.log if line.url == self.url("/closed")]
        # It comes again, as everything does, and robots.txt still says no.
        self.assertEqual({(line.status, line.begun, *line.annotations) for line in closed}, {(-9998, "", "disallowed")})

    def test_steps_from_the_seed(self):
        """R: a redirect; M: a sitemap; P: robots.txt."""
        steps = {line.url: line.path for line in self.log}
        for target, path in (("/", "-"), ("/1", "L"), ("/2", "LL"), (ROBOTS, "P"), ("/only-in-sitemap", "M"), ("/pixel.gif", "L")):
            self.assertEqual(steps[self.url(target)], path, target)

    def test_what_asks_not_to_be_kept_is_not_there(self):
        octets = b"".join(record.block for record in self.archive.records)
        for target in RULED:
            kinds = {record.type for record in self.archive.of(self.url(target))}
            self.assertEqual(kinds, {"metadata"}, target)
            self.assertTrue(dict(self.archive.of(self.url(target))[0].named)["indexRules"])
        self.assertNotIn(b"secret-", octets)
        self.assertEqual([page["url"] for page in self.archive.pages() if page["url"] in map(self.url, RULED)], [])

    def test_the_list_of_pages_agrees(self):
        by_place = {(record.file, record.offset): record for record in self.archive.captures}
        listed = collections.Counter()
        for page in self.archive.pages():
            record = by_place[page["filename"], page["offset"]]
            listed[page["filename"], page["offset"]] += 1
            said = (page["url"], page["ts"], page["length"], page["digest"], str(page["status"]).encode())
            self.assertEqual(said, (record.target, record.date, record.length, record.field("WARC-Payload-Digest"), record.block[9:12]))
        beside = (ROBOTS, "/rules.txt", "/sitemap.xml")
        whole = [place for place, record in by_place.items() if record.block[9:10] == b"2" and not record.target.endswith(beside)]
        self.assertEqual(sorted(listed), sorted(whole))
        self.assertEqual(max(listed.values()), 1)
        ids = collections.Counter(page["id"] for page in self.archive.pages())
        self.assertEqual(max(ids.values()), 1)
        title = next(page["title"] for page in self.archive.pages() if page["url"] == self.url("/title"))
        self.assertIn("\U0001f4a9", title)
        self.assertNotIn("\n", title)

    def test_what_was_found_is_in_the_metadata(self):
        for n in (1, 2, PAGES_OF_EACH):
            record = self.archive.of(self.web.url(ORIGINS[2], f"/{n}"), "metadata")[0]
            found = [value.split(" ") for name, value in record.named if name == "outlink"]
            expected = [[self.web.url(ORIGINS[2], target), "L", "a/@href"] for target in ("/", f"/{n * 2}", f"/{n * 2 + 1}")]
            self.assertEqual(sorted(found), sorted(expected))
        first = self.archive.of(self.url("/"), "metadata")[0]
        self.assertIn(("outlink", f"{self.url('/pixel.gif')} E =EMBED_MISC"), first.named)
        self.assertEqual({name for name, _ in first.named} - {"outlink"}, {"foundBy", "fetchTimeMs", "fate", "robotsGroup", "title",
                                                                          "charsetForLinkExtraction"})  # fmt: skip
        for record in self.archive.records:
            if record.type == "metadata":
                self.assertEqual([line for line in record.block.split(b"\r\n")[:-1] if not re.match(rb"[A-Za-z]+: [^\r\n]*$", line)], [])

    def test_the_same_body_is_kept_once(self):
        both = [record for target in ("/same-1", "/same-2") for record in self.archive.of(self.url(target), "response", "revisit")]
        self.assertEqual(sorted(record.type for record in both)[:-1], ["response"] + ["revisit"] * (len(both) - 2))
        self.assertEqual({record.field("WARC-Profile") for record in both if record.type == "revisit"}, {SAME_CONTENT})

    def test_what_came_a_second_time(self):
        if not self.again:
            self.skipTest("no time namespaces here (unshare -rT)")
        tagged = self.archive.of(self.url("/tagged"), "response", "revisit")
        self.assertEqual([(r.type, r.field("WARC-Profile")) for r in tagged], [("response", ""), ("revisit", NOT_MODIFIED)])
        self.assertIn(b'If-None-Match: "1"\r\n', self.archive.of(self.url("/tagged"), "request")[1].block)
        self.assertEqual([r.payload for r in self.archive.of(self.url("/changing"), "response", "revisit")], [b"one", b"two"])
        profiles = collections.Counter(record.field("WARC-Profile") for record in self.archive.records if record.type == "revisit")
        self.assertGreater(profiles[SAME_CONTENT], len(ORIGINS) * PAGES_OF_EACH)

    def test_our_own_tools_lead_to_the_same(self):
        for path in self.archive.files:
            said = subprocess.run([program.CRAWLD, "warc", "cdxj", path], capture_output=True, timeout=60, check=True).stdout
            self.assertEqual(said, (path.parent / f"{path.name}.cdxj").read_bytes())

    def test_readers_of_others_find_nothing_wrong(self):
        """Each in its own way; see warc_tool_test.py for how they are had."""
        readers = warc_tool_test.ReadersTest()
        readers.installed, readers.folder, readers.readers = {}, self.top, self.top / "readers"
        readers.readers.mkdir()
        without_brotli = []
        for path in self.archive.files:  # which warcio 1.7.4 cannot unpack with the brotli of today
            kept = [path.read_bytes()[at : at + size] for at, size, octets in members(path.read_bytes()) if b"Encoding: br\r" not in octets]
            self.assertGreater(len(kept), PAGES_OF_EACH)
            without_brotli.append(readers.readers / path.name)
            without_brotli[-1].write_bytes(b"".join(kept))
        for tool in ("warcio", "fastwarc"):
            with self.subTest(tool):
                for path in without_brotli if tool == "warcio" else self.archive.files:
                    done = readers.python(tool, "check", str(path))
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertNotIn("Failed records", done.stdout + done.stderr)
        with self.subTest("warcio of npm"):
            if not shutil.which("npm") or not shutil.which("node"):
                self.skipTest("npm is absent")
            install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", warc_tool_test.NPM_WARCIO]
            readers.install("warcio of npm", *install)
            for path in self.archive.files:
                command = ["node", readers.readers / "node_modules/warcio/dist/cli.js", "cdx-index", "--format", "cdxj", path]
                theirs = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()
                ours = (path.parent / f"{path.name}.cdxj").read_text("utf-8").splitlines()
                # Its keys keep escapes, so that the rest is compared.
                self.assertEqual(sorted(line.split(" ", 1)[1] for line in ours), sorted(line.split(" ", 1)[1] for line in theirs))


class BrokenOffTest(Case):
    def test_a_page_that_always_breaks_off_is_kept_as_far_as_it_came_at_last(self):
        if not Later.works():
            self.skipTest("no time namespaces here (unshare -rT)")
        body = links("/1") * 20
        with Witness({MAIN: {"/": Answer(body, framing="short"), "/1": Answer(b"end")}}) as web:
            config = self.configure(self.folder, web, addresses=[MAIN])
            for attempt in range(1, 5):
                log = self.folder / f"{attempt}.log"
                crawler = Later(config, log, attempt * 8 * 3600)
                self.addCleanup(crawler.kill)
                program.wait_for(lambda: len(events(log, "visit")) >= (1 if attempt < 4 else 2) or crawler.holder.poll() is not None, 30)
                self.assertEqual(crawler.stop(), 0, log.read_text("utf-8")[-3000:])
        archive = Archive(self.folder / "state/archive")
        self.assert_in_order(archive)
        kept = archive.of(web.url(MAIN), "response")
        self.assertEqual([(record.payload, record.field("WARC-Truncated")) for record in kept], [(body, "disconnect")])
        self.assertEqual([record.payload for record in archive.of(web.url(MAIN, "/1"), "response")], [b"end"])
        log = read_crawl_log(self.folder / "state/crawl.log")
        self.assertEqual([line.status for line in log if line.url == web.url(MAIN)], [-3, -3, -3, 200])
        self.assertEqual(check_crawl_log(archive, log), [])


class OptionsTest(Case):
    """What the keys of the configuration do, one crawl each."""

    def setUp(self):
        super().setUp()
        self.web = Witness(small_web()).__enter__()
        self.addCleanup(self.web.__exit__)

    def targets(self, archive: Archive, *types: str) -> set[str]:
        return {record.target.partition(f":{self.web.port}")[2] for record in archive.records if record.type in types}

    def test_zstd_and_sha256_and_json(self):
        if not shutil.which("zstd"):
            self.skipTest("zstd is absent")
        self.crawl(self.web, "archive:\n  packing: zstd\n  digest: sha256\ncrawl_log:\n  format: json\n")
        archive = Archive(self.folder / "state/archive")
        self.assertEqual([path.suffix for path in archive.files], [".zst"])
        self.assertEqual(check_names(archive), [])
        self.assertEqual(check_records(archive, "sha256"), [])
        not_kept = {self.web.url(MAIN, target) for target in RULED}
        self.assertEqual(check_exchanges(archive, self.web.seen, not_kept, BODY_MAX, "sha256"), [])
        self.assertEqual(program.run("warc", "verify", *archive.files).returncode, 0)
        self.assertEqual(check_crawl_log(archive, read_crawl_log(self.folder / "state/crawl.log")), [])
        octets = archive.files[0].read_bytes()
        index = archive.index()
        self.assertEqual(len(index), len(archive.captures))
        for _, _, fields in random.Random(SEED).sample(index, 10):
            offset, length = int(fields["offset"]), int(fields["length"])
            done = subprocess.run(["zstd", "-dc"], input=octets[offset : offset + length], capture_output=True, timeout=30, check=True)
            self.assertTrue(done.stdout.startswith(b"WARC/1.1\r\n"))
            self.assertIn(f"WARC-Target-URI: {fields['url']}\r\n".encode(), done.stdout)
        logged = [json.loads(line) for line in (self.folder / "state/crawl.log").read_text("utf-8").splitlines()]
        by_url = {line["url"]: line for line in logged if "warc_file" in line}
        for _, _, fields in index:
            said = by_url[fields["url"]]
            self.assertEqual((said["warc_file"], str(said["warc_offset"])), (fields["filename"], fields["offset"]))

    def test_types_statuses_and_sizes(self):
        keys = 'types: ["image/*", text/html]\n  statuses: [3xx, 200]\n  max_size: 1KiB'
        self.crawl(self.web, f"archive:\n  {keys}\nscope:\n  embeds: true\n")
        archive = Archive(self.folder / "state/archive")
        self.assert_in_order(archive)
        kept = self.targets(archive, "response", "revisit")
        self.assertLessEqual({"/1", "/pixel.gif", "/moved", "/same-1", "/gzip"}, kept)
        self.assertEqual(kept & {"/missing", "/gone", "/nothing", "/long", "/chunks", "/no-type", "/sitemap.xml"}, set())
        self.assertEqual(check_records(archive), [])

    def test_canonical_pages_only(self):
        named = b'<link rel="canonical" href="%s">body'
        self.web.sites[MAIN] = {
            "/": Answer(links("/a", "/b")), "/a": Answer(named % b"/b"), "/b": Answer(named % b"/b"),
        }  # fmt: skip
        self.crawl(self.web, "archive:\n  canonical_only: true\n")
        archive = Archive(self.folder / "state/archive")
        self.assert_in_order(archive)
        self.assertEqual(self.targets(archive, "response"), {ROBOTS, "/", "/b"})
        self.assertEqual(self.targets(archive, "metadata"), {ROBOTS, "/", "/a", "/b"})
        self.assertEqual(check_crawl_log(archive, read_crawl_log(self.folder / "state/crawl.log")), [])

    def test_without_archive_and_crawl_log(self):
        done = self.crawl(self.web, "archive:\n  enabled: false\ncrawl_log:\n  format: 'off'\n")
        self.assertGreater(len(self.web.seen), PAGES_OF_EACH)
        self.assertFalse((self.folder / "state/archive").exists())
        self.assertFalse((self.folder / "state/crawl.log").exists())
        self.assertNotIn('"warc"', done.stderr)

    def test_without_pages(self):
        self.crawl(self.web, "archive:\n  pages: false\n  prefix: my.own_prefix-1\n")
        archive = Archive(self.folder / "state/archive")
        self.assert_in_order(archive, pages=False)
        self.assertTrue(archive.files[0].name.startswith("my.own_prefix-1-"))

    def test_the_crawl_log_is_rotated(self):
        self.crawl(self.web, "crawl_log:\n  max_file_size: 64KiB\n  max_files: 2\n", addresses=ORIGINS)
        files = sorted((self.folder / "state").glob("crawl.log*"))
        self.assertEqual(sum(line.begun != "" for path in files for line in read_crawl_log(path)), len(self.web.seen))
        self.assertGreater(len(files), 1)
        with open(self.folder / "state/crawl.log", "ab") as file:
            file.write(b"torn")  # by a crash
        config = self.folder / "state.yaml"
        program.run("frontier", "forget", "--config", config, "--origin", self.web.url(MAIN))
        self.assertEqual(program.run("run", "--config", config, "--until-idle", seconds=60).returncode, 0)
        files = sorted((self.folder / "state").glob("crawl.log*"))
        self.assertLessEqual(len(files), 3)
        self.assertLessEqual(max(path.stat().st_size for path in files), 64 * 1024)
        self.assertEqual([line for path in files for line in path.read_text("ascii").split("\n")].count("torn"), 1)


class RotationTest(Case):
    def big_web(self) -> dict:
        chance = random.Random(SEED)
        pages = {f"/{n}": Answer(links(f"/{n + 1}") + chance.randbytes(90_000)) for n in range(40)}
        return {MAIN: {"/": Answer(links("/0")), **pages}}

    def test_by_size(self):
        with Witness(self.big_web()) as web:
            self.crawl(web, "archive:\n  max_file_size: 1MiB\nscope:\n  max_depth: 100\n")
        archive = Archive(self.folder / "state/archive")
        self.assert_in_order(archive)
        self.assertGreaterEqual(len(archive.files), 4)
        self.assertLessEqual(max(path.stat().st_size for path in archive.files), MIB)
        self.assertEqual(check_exchanges(archive, web.seen, set(), BODY_MAX), [])
        numbers = [path.name.split("-")[2] for path in archive.files]
        self.assertEqual(numbers, [f"{n:05}" for n in range(len(numbers))])

    def test_by_age_and_the_end_by_a_signal(self):
        sites = self.big_web()
        with Witness(sites) as web:
            config = self.configure(self.folder, web, "archive:\n  max_file_age: 1s\nscope:\n  max_depth: 100\n", addresses=[MAIN])
            config.write_text(config.read_text("utf-8").replace("default_interval: 0s", "default_interval: 100ms"), encoding="utf-8")
            crawler = program.start(config, self.folder / "log")
            try:
                program.wait_for(lambda: len(events(self.folder / "log", "archive")) >= 2 or crawler.poll() is not None)
                crawler.send_signal(signal.SIGTERM)
                self.assertEqual(crawler.wait(GRACE), 0)
            finally:
                crawler.kill()
                crawler.wait()
        archive = Archive(self.folder / "state/archive")
        self.assert_in_order(archive)
        self.assertGreaterEqual(len(archive.files), 3)
        self.assertEqual(check_exchanges(archive, web.seen, set(), BODY_MAX), [])

    def test_two_crawls_into_one_folder(self):
        """Also runs one after the other within a second, whose files would have one name."""
        into = f"archive:\n  directory: {self.folder}/archive\n"
        with Witness({address: {"/": Answer(links("/1")), "/1": Answer(address.encode())} for address in ORIGINS}) as web:
            for n, address in enumerate(ORIGINS[:4]):
                self.crawl(web, into, f"one-{n}", [address])
            running = []
            for n, address in enumerate(ORIGINS[4:]):
                config = self.configure(self.folder, web, into, f"two-{n}", [address])
                running.append(program.start(config, self.folder / f"two-{n}.log", "--until-idle"))
            try:
                self.assertEqual([crawler.wait(60) for crawler in running], [0, 0, 0, 0])
            finally:
                for crawler in running:
                    crawler.kill()
                    crawler.wait()
        archive = Archive(self.folder / "archive")
        self.assert_in_order(archive)
        self.assertEqual(check_exchanges(archive, web.seen, set(), BODY_MAX), [])
        self.assertEqual(len(archive.files), len(ORIGINS))


class SalvageTest(Case):
    """Files of a run that was killed, made by hand at every place where it can have been."""

    def setUp(self):
        super().setUp()
        with Witness({MAIN: small_web()[MAIN]}) as web:
            self.crawl(web)
        self.whole = self.folder / "state/archive"
        self.name = Archive(self.whole).files[0].name
        self.octets = (self.whole / self.name).read_bytes()
        self.index = (self.whole / f"{self.name}.cdxj").read_bytes().splitlines(keepends=True)
        self.pages = (self.whole / f"{self.name}.pages.jsonl").read_bytes().splitlines(keepends=True)
        self.into = self.folder / "archive"
        self.into.mkdir()
        self.config = self.folder / "other.yaml"

    def leave(self, number: int, octets: bytes, index: bytes | None, pages: bytes | None) -> str:
        """Leaves a file as a crash does, and returns its name."""
        name = self.name.replace("-00000-", f"-{number:05}-")
        (self.into / f"{name}.open").write_bytes(octets)
        for suffix, text in ((".cdxj", index), (".pages.jsonl", pages)):
            if text is not None:
                (self.into / f"{name}{suffix}.open").write_bytes(text.replace(self.name.encode(), name.encode()))
        return name

    def salvage(self) -> list[dict]:
        with Witness({MAIN: {}}) as web:
            self.configure(self.folder, web, f"recrawl:\n  enabled: false\narchive:\n  directory: {self.into}\n", "other", [MAIN])
            log = self.folder / "log"
            crawler = program.start(self.config, log, "--until-idle")
            self.addCleanup(crawler.wait)
            self.addCleanup(crawler.kill)
            self.assertEqual(crawler.wait(60), 0, log.read_text("utf-8")[-3000:])
        return [event for event in events(log, "archive") if event["file"] != "complete"]

    def test_wherever_it_was_killed(self):
        ends = [offset + length for offset, length, _ in members(self.octets)]
        size, middle = len(self.octets), ends[len(ends) // 2]
        # In the order of time, as a crawl writes them.
        by_place = sorted(self.index, key=lambda line: int(json.loads(line[line.rindex(b" {") :])["offset"]))
        before = [line for line in by_place if int(json.loads(line[line.rindex(b" {") :])["offset"]) < middle]
        left = {}  # name -> octets that have to be kept
        cases = [
            (size, by_place), (size, by_place[:-1]), (size, by_place[:3]), (size, None), (size, [b"".join(by_place)[:-20]]), (size, []),
            (size - 1, by_place), (size - 8, by_place), (middle, before), (middle + 1, before), (middle + 20, before[:-1]),
            (middle, by_place), (ends[0], []), (ends[0] + 3, [b"garbage\n", b"{}\n", b'{"offset":"-1","length":"99999999999999999999"}\n']),
        ]  # fmt: skip
        for number, (end, index) in enumerate(cases, 1):
            name = self.leave(number, self.octets[:end], None if index is None else b"".join(index), b"".join(self.pages))
            left[name] = max(place for place in ends if place <= end)
        told = {event["name"]: event for event in self.salvage()}
        archive = Archive(self.into)
        self.assert_readable(archive)
        for (name, kept), (end, _) in zip(left.items(), cases):
            with self.subTest(name=name, end=end):
                self.assertEqual((self.into / name).read_bytes(), self.octets[:kept])
                event = told[name]
                self.assertEqual((event["file"], event["octets"], event["cut"]), ("salvaged", kept, end - kept))
                expected = [line for line in self.index if int(json.loads(line[line.rindex(b" {") :])["offset"]) < kept]
                text = b"".join(expected).replace(self.name.encode(), name.encode())
                self.assertEqual((self.into / f"{name}.cdxj").read_bytes(), text)
                pages = (self.into / f"{name}.pages.jsonl").read_bytes().splitlines(keepends=True)
                there = [line for line in self.pages if line == self.pages[0] or json.loads(line)["offset"] < kept]
                self.assertEqual(b"".join(pages), b"".join(there).replace(self.name.encode(), name.encode()))

    def test_what_is_none_of_ours_harms_nothing_and_is_not_harmed(self):
        secret = self.folder / "secret"
        secret.write_bytes(b"keep me")
        garbage = b"\x1f\x8bgarbage" * 100
        names = [f"x-20260101000000-0000{n}-h.warc.gz" for n in range(8)]
        (self.into / f"{names[0]}.open").write_bytes(garbage)
        (self.into / f"{names[1]}.open").write_bytes(b"")
        (self.into / f"{names[2]}.open").mkdir()
        (self.into / f"{names[3]}.open").symlink_to(secret)
        os.mkfifo(self.into / f"{names[4]}.open")
        (self.into / f"{names[5]}.open").symlink_to(self.folder / "absent")
        # The index of a good file leads elsewhere.
        (self.into / f"{names[6]}.open").write_bytes(self.octets)
        (self.into / f"{names[6]}.cdxj.open").symlink_to(secret)
        (self.into / f"{names[6]}.pages.jsonl.open").symlink_to(secret)
        damaged = bytes(100) + self.octets[100:]  # its first record is gone, and nobody has an index of the rest
        (self.into / f"{names[7]}.open").write_bytes(damaged)
        (self.into / "notes.open").write_bytes(b"mine")
        began = time.monotonic()
        told = {event["name"]: event for event in self.salvage()}
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(secret.read_bytes(), b"keep me")
        self.assertEqual((self.into / "notes.open").read_bytes(), b"mine")
        self.assertTrue((self.into / f"{names[2]}.open").is_dir())
        for name in (names[2], names[3], names[4], names[5]):
            self.assertEqual(told[name]["file"], "broken", told.get(name))
            self.assertTrue(told[name]["why"] and told[name]["what"])
        self.assertEqual((self.into / names[6]).read_bytes(), self.octets)
        self.assertEqual(len(list(self.into.glob("crawld-*.warc.gz"))), 1, "the crawl itself wrote nothing")
        for name, octets in ((names[0], garbage), (names[7], damaged)):
            kept = [path for path in self.into.iterdir() if path.name.startswith(name) and path.is_file() and not path.is_symlink()]
            self.assertTrue(any(path.read_bytes() == octets for path in kept), f"its octets are gone: {told[name]}")


class MistakesTest(Case):
    """Each ends at once, with a code and words that help."""

    def refused(self, more: str, within=()) -> str:
        """The words of a crawld that does not start; `within`: a command that runs it."""
        with Witness({MAIN: {"/": Answer(b"x")}}) as web:
            config = self.configure(self.folder, web, more, addresses=[MAIN])
            log = self.folder / "log"
            with open(log, "wb") as output:
                command = [*within, program.CRAWLD, "run", "--config", str(config), "--until-idle"]
                crawler = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent
                )
            try:
                status = crawler.wait(10)
            except subprocess.TimeoutExpired:
                self.fail(f"it runs on: {log.read_text('utf-8')[-2000:]}")
            finally:
                crawler.kill()
                crawler.wait()
            self.assertIn(status, (73, 78), log.read_text("utf-8"))
            self.assertEqual(web.seen, [])
        self.assertNotIn("AddressSanitizer", log.read_text("utf-8"))
        return log.read_text("utf-8")

    def test_places_where_nothing_can_be_written(self):
        file = self.folder / "file"
        file.write_bytes(b"mine")
        for directory, word in ((file, "file"), (file / "below", "below"), ("/proc/nowhere", "nowhere"), ("/dev/null/x", "null")):
            with self.subTest(directory=directory):
                said = self.refused(f"archive:\n  directory: {directory}\n")
                self.assertIn("archive.directory", said)
                self.assertIn(word, said)
        self.assertEqual(file.read_bytes(), b"mine")

    def test_a_folder_that_takes_no_files(self):
        """It is there and can be read, which is not enough."""
        place = self.folder / "read-only"
        place.mkdir()
        mount = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"', str(place)]
        if subprocess.run([*mount, "true"], capture_output=True, timeout=10, check=False).returncode != 0:
            self.skipTest("no tmpfs in a user namespace here (unshare -rm)")
        said = self.refused(f"archive:\n  directory: {place}\n", mount)
        self.assertIn("archive.directory", said)
        self.assertIn("Read-only", said)

    def test_a_crawl_log_without_its_folder(self):
        for file in (self.folder / "absent" / "crawl.log", self.folder):
            said = self.refused(f"crawl_log:\n  file: {file}\n")
            self.assertIn("crawl_log.file", said)
            self.assertIn(str(file), said)


class JudgeTest(Case):
    """The judge sees what it is there for: each fault is made by hand, and found."""

    def test_faults_are_found(self):
        with Witness({MAIN: {"/": Answer(links("/1", "/2")), "/1": Answer(b"<p>one"), "/2": Answer(b"<p>one")}}) as web:
            self.crawl(web)
        folder = self.folder / "state/archive"
        archive, log = Archive(folder), read_crawl_log(self.folder / "state/crawl.log")
        self.assert_in_order(archive)
        self.assertEqual(check_exchanges(archive, web.seen, set(), BODY_MAX) + check_crawl_log(archive, log), [])
        self.assertTrue(check_exchanges(archive, web.seen[1:], set(), BODY_MAX))
        self.assertTrue(check_exchanges(archive, [*web.seen, web.seen[1]], set(), BODY_MAX))
        self.assertTrue(check_crawl_log(archive, log[1:]))
        for kind, change in (
            ("response", lambda record: record.fields.append(("WARC-Truncated", "length"))),
            ("request", lambda record: setattr(record, "block", record.block + b"x")),
            ("revisit", lambda record: record.fields.remove(("WARC-Refers-To-Target-URI", record.field("WARC-Refers-To-Target-URI")))),
        ):
            archive = Archive(folder)
            change(next(record for record in archive.records if record.type == kind))
            self.assertTrue(check_records(archive) + check_exchanges(archive, web.seen, set(), BODY_MAX), kind)
        index = next(folder.glob("*.cdxj"))
        lines = index.read_bytes().splitlines(keepends=True)
        for wrong in (lines[::-1], lines[1:], [lines[0].replace(b'"length":"', b'"length":"1'), *lines[1:]]):
            index.write_bytes(b"".join(wrong))
            try:
                self.assertTrue(check_index(archive))
            except (AssertionError, EOFError, zlib.error):
                pass
        (folder / "x.warc.gz.open").touch()
        self.assertTrue(check_names(Archive(folder)))


if __name__ == "__main__":
    unittest.main()
