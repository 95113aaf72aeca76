"""`crawld warc`: our WARC files and GNU wget's, read by us and by others; broken in every way that matters.

Readers of others are installed into a temporary folder, where npm and pip reach their registries; else those tests skip themselves.
"""

import base64
import gzip
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

import program

NPM_WARCIO = "warcio@2.4.11"
PIP_READERS = ("warcio==1.7.4", "cdxj-indexer==1.4.6", "surt==0.3.1", "fastwarc==0.15.2")
INSTALL_SECONDS = 120  # longest that a registry may take
CHUNKED = b"5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\n\r\n"


def sha1(octets: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(octets).digest()).decode()


def record(
    kind: str, block: bytes, payload: bytes | None = None, version: str = "1.1", target: str = "http://www.a.test/b", **fields: str
) -> bytes:
    """A record as it lies in a file that is not packed. Further fields by name, with _ for -; an empty value leaves a field out."""
    lines = {
        "WARC-Type": kind,
        "WARC-Record-ID": "<urn:uuid:00000000-0000-4000-8000-000000000000>",
        "WARC-Date": "2026-11-21T18:30:00Z",
        "WARC-Target-URI": target,
        "Content-Type": "application/http;msgtype=response",
        "WARC-Block-Digest": sha1(block),
        "WARC-Payload-Digest": sha1(payload) if payload is not None else "",
        "Content-Length": str(len(block)),
    }
    lines |= {name.replace("_", "-"): value for name, value in fields.items()}
    header = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"WARC/{version}\r\n{header}\r\n".encode() + block + b"\r\n\r\n"


def response(payload: bytes, more: bytes = b"", **fields: str) -> bytes:
    return record("response", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + more + b"\r\n" + payload, payload, **fields)


class Web(http.server.BaseHTTPRequestHandler):
    """A page, a page in chunks, a redirect, and nothing else."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = {"/": b"<html>hello</html>", "/chunks": CHUNKED}.get(self.path.partition("?")[0])
        self.send_response(302 if self.path == "/moved" else 404 if body is None else 200)
        if self.path == "/moved":
            self.send_header("Location", "/")
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if body is CHUNKED:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


def wget_crawl(folder: pathlib.Path, *options: str):
    """What GNU wget writes of the pages of Web: crawl.warc.gz, or crawl.warc, and crawl.cdx."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        site = f"http://127.0.0.1:{server.server_port}"
        subprocess.run(
            ["wget", "--no-config", "-q", "--no-proxy", "--tries=1", "--timeout=10", "-O", "pages",
             "--warc-file=crawl", "--warc-cdx", *options, f"{site}/", f"{site}/chunks?z=1&a=2", f"{site}/moved", f"{site}/missing"],
            cwd=folder, stdin=subprocess.DEVNULL, timeout=60, check=False,
        )  # fmt: skip
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, octets: bytes, name: str = "a.warc") -> pathlib.Path:
        path = self.folder / name
        path.write_bytes(octets)
        return path

    def verify(self, path: pathlib.Path, code: int = 0) -> tuple[list[tuple[int, str]], dict]:
        """The problems by offset, and the last line."""
        finished = program.run("warc", "verify", "--json", path)
        self.assertEqual(finished.returncode, code, finished.stdout + finished.stderr)
        *problems, summary = map(json.loads, finished.stdout.splitlines())
        self.assertEqual(summary["problems"], len(problems))
        return [(problem["offset"], problem["problem"]) for problem in problems], summary

    def index(self, *paths: pathlib.Path) -> list[tuple[str, str, dict]]:
        finished = program.run("warc", "cdxj", *paths)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        lines = finished.stdout.splitlines()
        self.assertEqual(lines, sorted(lines, key=str.encode))
        return [(key, time, json.loads(fields)) for key, time, fields in (line.split(" ", 2) for line in lines)]

    def cat(self, path: pathlib.Path, *arguments, code: int = 0) -> bytes:
        finished = subprocess.run(
            [program.CRAWLD, "warc", "cat", path, *map(str, arguments)],
            capture_output=True, timeout=30, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.assertEqual(finished.returncode, code, finished.stderr)
        return finished.stdout


class ToolTest(Folder):
    def test_a_file_in_order_has_no_problems_however_it_is_packed(self):
        revisit = record("revisit", b"", WARC_Profile="http://x/")
        records = [response(b"one"), response(b"x" * 300_000), revisit, response(b"1.0", version="1.0")]
        paths = [self.write(b"".join(records)), self.write(b"".join(map(gzip.compress, records)), "a.warc.gz")]
        if shutil.which("zstd"):
            done = [subprocess.run(["zstd", "-q", "-c"], input=one, capture_output=True, timeout=30, check=True) for one in records]
            paths.append(self.write(b"".join(frame.stdout for frame in done), "a.warc.zst"))
        for path in paths:
            problems, summary = self.verify(path)
            self.assertEqual((problems, summary["records"], summary["whole_until"]), ([], 4, path.stat().st_size))
            self.assertEqual(self.cat(path), b"".join(records))
        words = program.run("warc", "verify", *paths)
        self.assertEqual(words.returncode, 0)
        self.assertEqual(words.stdout.count(": 4 records, 0 problems, whole up to octet "), len(paths))
        with open(paths[1], "rb") as octets:
            piped = subprocess.run([program.CRAWLD, "warc", "verify", "-"], stdin=octets, capture_output=True, timeout=30, check=False)
        self.assertEqual((piped.returncode, piped.stdout.startswith(b"-: 4 records, 0 problems")), (0, True))

    def test_one_broken_bit_anywhere_in_a_record_is_found(self):
        whole = response(b"one", target="http://www.a.test/") + response(b"two")
        begin, end = whole.index(b"HTTP/1.1 200", 600), whole.rindex(b"\r\n\r\n")
        for at in range(begin, end, 5):
            broken = bytearray(whole)
            broken[at] ^= 1
            problems, summary = self.verify(self.write(bytes(broken)), 65)
            self.assertIn("the block is not what its digest says", str(problems))
            self.assertEqual(problems[0][0], whole.index(b"WARC/1.1", 1))
            self.assertEqual((summary["records"], summary["whole_until"]), (2, len(whole)))
        self.assertGreater(end, begin)

    def test_a_file_cut_anywhere_is_whole_up_to_its_last_whole_record(self):
        records = [gzip.compress(response(b"one", target="http://www.a.test/1")), gzip.compress(response(b"two"))]
        first, whole = len(records[0]), sum(map(len, records))
        for length in (1, 2, 10, 100, first - 8, first - 1, first, first + 1, first + 10, whole - 9, whole - 8, whole - 1, whole):
            at_end = length in (first, whole)
            path = self.write(b"".join(records)[:length], "a.warc.gz.open")
            problems, summary = self.verify(path, 0 if at_end else 65)
            self.assertEqual(summary["whole_until"], whole if length == whole else first if length >= first else 0)
            self.assertEqual(len(problems), 0 if at_end else 1, problems)
            with open(path, "rb") as octets:
                tested = subprocess.run(["gzip", "-t"], stdin=octets, capture_output=True, timeout=30, check=False)
            self.assertEqual(tested.returncode == 0, at_end)

    def test_rules_of_headers(self):
        for broken, problem in (
            (response(b"x", WARC_Date=""), "WARC-Date is missing"),
            (response(b"x", WARC_Date="2026-11-21 18:30:00"), "WARC-Date 2026-11-21 18:30:00 is not of the form of WARC/1.1"),
            (response(b"x", WARC_Record_ID="urn:x"), "WARC-Record-ID urn:x is no URI in < >"),
            (response(b"x", target=""), "WARC-Target-URI is missing, and this is a response"),
            (response(b"x", version="2.0"), "WARC/2.0 is no version known here"),
            (response(b"x", WARC_Block_Digest="sha1:short"), "sha1:short is no digest"),
        ):
            problems, summary = self.verify(self.write(broken + response(b"good")), 65)
            self.assertEqual((problems, summary["records"]), ([(0, problem)], 2))

    def test_what_is_no_warc_file_is_named(self):
        nothing = "no record begins here"
        for octets, problem in ((b"", "the file is empty"), (b"<html>", nothing), (gzip.compress(b"x"), nothing)):
            self.assertEqual(self.verify(self.write(octets), 65)[0], [(0, problem)])
        for path in (self.folder, self.folder / "absent"):
            for command in ("verify", "cdxj", "cat"):
                finished = program.run("warc", command, path)
                self.assertEqual((finished.returncode, finished.stdout), (66, ""))
                self.assertIn("cannot be read", finished.stderr)
        for arguments in (["verify"], ["cdxj"], ["cat", "-", "--offset", "1"], ["cat", "x", "--headers", "--payload"]):
            self.assertEqual(program.run("warc", *arguments).returncode, 64, arguments)

    def test_words_of_strangers_stay_on_their_line(self):
        path = self.write(response(b"x", WARC_Record_ID="\x1b[2J\u202e"))
        finished = program.run("warc", "verify", path)
        self.assertEqual(finished.returncode, 65)
        self.assertNotRegex(finished.stdout, "[\x1b\u202e]")

    def test_a_bomb_takes_time_and_no_memory(self):
        size = 1 << 28
        header = record("metadata", b"", Content_Length=str(size), WARC_Block_Digest="").removesuffix(b"\r\n\r\n")
        packer = zlib.compressobj(9, wbits=31)
        octets = packer.compress(header) + b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20))
        path = self.write(octets + packer.compress(b"\r\n\r\n") + packer.flush(), "bomb.warc.gz")
        memory = self.memory_of("warc", "verify", path)
        self.assertIn(": 1 records, 0 problems", (self.folder / "out").read_text("utf-8"))
        self.assertLess(memory - self.memory_of("--version"), size // 8)

    def memory_of(self, *arguments) -> int:
        """The most octets that a run of crawld took, which has to end well."""
        with open(self.folder / "out", "wb") as out:
            process = subprocess.Popen([program.CRAWLD, *arguments], stdin=subprocess.DEVNULL, stdout=out)
            timer = threading.Timer(120, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024

    def test_cat_takes_a_record_apart(self):
        page = b"<p>hello</p>" * 1000
        coded = gzip.compress(page)
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(coded), coded)
        records = [
            response(page),
            response(coded, b"Content-Encoding: gzip\r\n"),
            response(chunks, b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"),
            record("resource", page, Content_Type="text/plain"),
        ]
        path = self.write(b"".join(map(gzip.compress, records)), "a.warc.gz")
        self.assertEqual(self.verify(path)[0], [])
        offset = 0
        for one in records:
            self.assertEqual(self.cat(path, "--offset", offset), one)
            self.assertEqual(self.cat(path, "--offset", offset, "--payload"), page)
            headers = self.cat(path, "--offset", offset, "--headers")
            self.assertTrue(one.startswith(headers) and headers.endswith(b"\r\n\r\n"))
            offset += len(gzip.compress(one))
        self.assertEqual(self.cat(path, "--payload"), page * 4)
        bad = self.write(response(b"no gzip", b"Content-Encoding: gzip\r\n"))
        self.assertEqual(self.cat(bad, "--payload", code=65), b"")

    def test_the_index_goes_to_a_file_when_asked(self):
        path = self.write(response(b"x"))
        out = self.folder / "index.cdxj"
        finished = program.run("warc", "cdxj", "-o", out, path)
        self.assertEqual((finished.returncode, finished.stdout), (0, ""))
        self.assertEqual(out.read_text("utf-8"), program.run("warc", "cdxj", path).stdout)
        self.assertEqual(program.run("warc", "cdxj", "-o", self.folder / "no" / "where", path).returncode, 73)


@unittest.skipUnless(shutil.which("wget"), "wget is absent")
class WgetTest(Folder):
    def test_what_wget_writes_is_in_order(self):
        for options in ((), ("--no-warc-compression",)):
            wget_crawl(self.folder, *options)
            path = self.folder / ("crawl.warc" if options else "crawl.warc.gz")
            problems, summary = self.verify(path)
            self.assertEqual((problems, summary["whole_until"]), ([], path.stat().st_size))
            self.assertGreaterEqual(summary["records"], 11)
            plain = path.read_bytes() if options else gzip.decompress(path.read_bytes())
            self.assertEqual(self.cat(path), plain)

    def test_the_index_agrees_with_wgets_and_leads_to_the_records(self):
        wget_crawl(self.folder)
        path = self.folder / "crawl.warc.gz"
        octets = path.read_bytes()
        theirs = {}
        for line in (self.folder / "crawl.cdx").read_text("utf-8").splitlines()[1:]:
            url, time, _, mime, status, digest, _, _, offset, name, _ = line.split()
            theirs[offset] = (url, time, mime, status, digest, name)
        pages = [(time, fields) for _, time, fields in self.index(path) if fields["url"].startswith("http:")]
        self.assertGreaterEqual(len(pages), 5)
        for time, fields in pages:
            offset, length = int(fields["offset"]), int(fields["length"])
            found = (fields["url"], time, fields["mime"], fields["status"], fields["digest"], fields["filename"])
            self.assertEqual(found, theirs.pop(fields["offset"]))
            member = gzip.decompress(octets[offset : offset + length])
            self.assertEqual(member.count(b"WARC/1.0\r\n"), 1)
            self.assertIn(f"WARC-Target-URI: <{fields['url']}>".encode(), member)
            self.assertEqual(self.cat(path, "--offset", offset), member)
        self.assertEqual(theirs, {})
        chunks = next(fields for _, fields in pages if "/chunks" in fields["url"])
        self.assertEqual(self.cat(path, "--offset", chunks["offset"], "--payload"), b"hello, world")


def samples(folder: pathlib.Path) -> list[pathlib.Path]:
    """Files that the writer of the daemon made, by way of a unit test; none when that was not built."""
    tests = pathlib.Path(program.CRAWLD).parent / "tests" / "crawler_tests"
    if tests.exists():
        # Its report would take the place of that of the whole program, which runs beside this (GTEST_OUTPUT is a folder).
        own = {name: value for name, value in os.environ.items() if not name.startswith("GTEST_")}
        subprocess.run(
            [tests, "--gtest_filter=WarcReader.ReadsBackAFileOfEveryKindOfRecord"],
            env=own | {"CRAWLD_WARC_SAMPLES": str(folder)}, capture_output=True, timeout=60, check=True,
        )  # fmt: skip
    return sorted(folder.glob("*.warc.*"))


class ReadersTest(Folder):
    """Readers that others wrote, over files of ours and of wget."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-readers.")
        cls.addClassCleanup(temporary.cleanup)
        cls.readers = pathlib.Path(temporary.name)
        cls.installed: dict[str, str] = {}  # what, and why not
        cls.wget = cls.readers / "wget"
        cls.ours = cls.readers / "ours"
        cls.wget.mkdir()
        cls.ours.mkdir()
        if shutil.which("wget"):
            wget_crawl(cls.wget)
        cls.gzipped = [path for path in [*samples(cls.ours), *cls.wget.glob("*.warc.gz")] if path.suffix == ".gz"]

    def setUp(self):
        super().setUp()
        if not self.gzipped:
            self.skipTest("neither wget nor the unit tests are there")

    def install(self, what: str, *command: str):
        """Runs an installer once; skips when that did not work out."""
        if what not in self.installed:
            try:
                done = subprocess.run(command, cwd=self.readers, capture_output=True, timeout=INSTALL_SECONDS, check=False)
                self.installed[what] = f"status {done.returncode}" if done.returncode else ""
            except (OSError, subprocess.TimeoutExpired) as failure:
                self.installed[what] = type(failure).__name__
        if self.installed[what]:
            self.skipTest(f"{what} cannot be installed here: {self.installed[what]}")

    def python(self, *arguments: str) -> subprocess.CompletedProcess:
        self.install("venv", sys.executable, "-m", "venv", "venv")
        pip = [str(self.readers / "venv/bin/pip"), "install", "-q", "--disable-pip-version-check"]
        self.install("readers in Python", *pip, *PIP_READERS)
        return subprocess.run(
            [self.readers / "venv/bin" / arguments[0], *arguments[1:]],
            cwd=self.folder, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    def test_npm_warcio_makes_the_same_index(self):
        if not shutil.which("npm") or not shutil.which("node"):
            self.skipTest("npm is absent")
        self.install("warcio of npm", "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", NPM_WARCIO)
        for path in self.gzipped:
            tool = ["node", self.readers / "node_modules/warcio/dist/cli.js"]
            done = subprocess.run([*tool, "cdx-index", "--format", "cdxj", path], capture_output=True, text=True, timeout=60, check=True)
            theirs = done.stdout
            # It keeps schemes that are not of HTTP and escapes in its keys.
            lines = [line.split(" ", 1)[1] for line in theirs.splitlines() if "://" in line.split(" ", 2)[2]]
            ours = program.run("warc", "cdxj", path).stdout.splitlines()
            self.assertGreaterEqual(len(ours), 4)
            pages = [line.split(" ", 1)[1] for line in ours if '"url":"http' in line]
            self.assertEqual(sorted(pages), sorted(line for line in lines if '"url":"http' in line))
            listed = subprocess.run([*tool, "index", path], capture_output=True, text=True, timeout=60, check=True).stdout
            offsets = [int(json.loads(line)["offset"]) for line in listed.splitlines()]
            self.assertEqual(len(offsets), self.verify(path)[1]["records"])
            self.assertLessEqual({int(fields["offset"]) for _, _, fields in self.index(path)}, set(offsets))

    def test_python_cdxj_indexer_makes_the_same_index(self):
        for path in self.gzipped:
            done = self.python("cdxj-indexer", "--sort", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            theirs = []
            for line in done.stdout.splitlines():
                key, time, text = line.split(" ", 2)
                fields = json.loads(text)
                fields["digest"] = fields["digest"].partition(":")[2]
                if fields["url"].endswith("MANIFEST.txt"):  # wget's only record of type metadata
                    continue
                theirs.append((key, time, fields))
            ours = self.index(path)
            for _, _, fields in ours:  # it works out what wget leaves out
                fields.setdefault("digest", next(other["digest"] for _, _, other in theirs if other["offset"] == fields["offset"]))
            self.assertEqual(ours, theirs)

    def test_python_warcio_and_fastwarc_find_nothing_wrong(self):
        for path in self.gzipped:
            for tool in ("warcio", "fastwarc"):
                done = self.python(tool, "check", str(path))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("Failed records", done.stdout + done.stderr)

    def test_they_find_what_we_find(self):
        broken = self.write(gzip.compress(response(b"x", WARC_Payload_Digest=sha1(b"y"))), "broken.warc.gz")
        self.verify(broken, 65)
        self.assertEqual(self.python("warcio", "check", str(broken)).returncode, 1)

    def test_keys_are_those_of_python_surt(self):
        urls = [
            f"{scheme}://{host}/{path}{query}"
            for scheme in ("http", "https", "ftp")
            for host in ("example.com", "www2.A.co.uk:8080", "1.2.3.4", "[2001:db8::1]:80", "u:p@x.test.:443")
            for path in ("", "A/%7eb//c/../%2525/", "(S(abcdefghijklmnopqrstuvwx))/p.aspx", "%ff/caf%C3%A9;x")
            for query in ("", "?", "?b=2&a&A=&a%26c", f"?sid={'0f' * 16}&PHPSESSID={'A1' * 16}", "?cfid=1&cftoken=2#x?y")
        ]
        script = "import json, surt; print(json.dumps([surt.surt(u) for u in json.load(open('urls.json'))]))"
        self.write(json.dumps(urls).encode(), "urls.json")
        done = self.python("python", "-c", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = dict(zip(urls, json.loads(done.stdout)))
        keys = {fields["url"]: key for key, _, fields in self.index(self.write(b"".join(response(b"", target=url) for url in urls)))}
        self.assertEqual(keys, expected)

    def test_gzip_and_zstd_read_our_files(self):
        ours = sorted(self.ours.glob("*.warc.*"))
        if not ours:
            self.skipTest("the unit tests are not there")
        for path in ours:
            if path.suffix == ".zst" and not shutil.which("zstd"):
                continue
            tool = "gzip" if path.suffix == ".gz" else "zstd"
            unpacked = subprocess.run([tool, "-dc", path], capture_output=True, timeout=60, check=True).stdout
            self.assertEqual(len(re.findall(rb"WARC/1\.1\r\nWARC-Type: \w+\r\nWARC-Record-ID", unpacked)), 7)
            self.assertEqual(unpacked, self.cat(path))
            self.assertEqual(self.verify(path)[0], [])


if __name__ == "__main__":
    unittest.main()
