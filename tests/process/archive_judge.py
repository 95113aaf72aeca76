"""The judge of an archive: a server that remembers every octet, and WARC files read without a line of ours in between."""

import base64
import collections
import dataclasses
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import socketserver
import subprocess
import threading
import zlib

import program
from chain_web import ROBOTS
from littleweb import die_with_parent, free_port
from truth_site import brotli

HEAD_MAX = 16384
GRACE = 22  # seconds that SIGTERM may take
PIECE = 65536
IDLE_SECONDS = 30  # after which the server gives up a connection
SHORT = 1000  # octets that an answer promises and does not send
NAME = re.compile(r"(?P<prefix>[\w.-]+)-(?P<time>\d{14})-(?P<number>\d{5})-(?P<host>[\w.-]+)\.warc\.(gz|zst)")
SAME_CONTENT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
ORIGINS = [f"127.41.0.{n}" for n in range(1, 9)]
MAIN = ORIGINS[0]
PAGES_OF_EACH = 30
BODY_MAX = 100_000
HTML = "Content-Type: text/html"
PIXEL = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\4\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
FORGERY = b"\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://forged.test/\r\nContent-Length: 0\r\n\r\n\r\n\r\n"


def digest(octets: bytes, name: str = "sha1") -> str:
    return f"{name}:" + base64.b32encode(hashlib.new(name, octets).digest()).decode()


# --- the server ---


@dataclasses.dataclass(frozen=True)
class Answer:
    """What is sent. `body` has its content coding and no chunks."""

    body: bytes = b""
    status: str = "200 OK"
    fields: tuple[str, ...] = ("Content-Type: text/html; charset=utf-8",)
    framing: str = "length"  # chunked; close; short: it breaks off before its promised end; none: such a status has no body

    @property
    def head(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status}", *self.fields]
        if self.framing in ("length", "short"):
            lines.append(f"Content-Length: {len(self.body) + (SHORT if self.framing == 'short' else 0)}")
        if self.framing == "chunked":
            lines.append("transfer-ENCODING: chunked")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    @property
    def octets(self) -> bytes:
        if self.framing != "chunked":
            return self.head + self.body
        pieces = [self.body[at : at + 777] for at in range(0, len(self.body), 777)]
        return self.head + b"".join(b"%x;a=b\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\nX-Late: 1\r\n\r\n"


@dataclasses.dataclass(frozen=True)
class Seen:
    """A request as it came, and its answer."""

    url: str
    address: str
    request: bytes
    answer: Answer


class Connection(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(IDLE_SECONDS)
        try:
            while self.serve_one():
                pass
        except OSError:
            pass  # whoever asked went away

    def serve_one(self) -> bool:
        request = b""
        while not request.endswith(b"\r\n\r\n"):
            octets = self.request.recv(HEAD_MAX)
            if not octets or len(request) > HEAD_MAX:
                return False
            request += octets
        target = request.split(b" ")[1].decode("ascii")
        address, port = self.server.server_address
        answer = self.server.witness.answer(f"http://{address}:{port}", target, request)
        self.server.witness.seen.append(Seen(f"http://{address}:{port}{target}", address, request, answer))
        self.request.sendall(answer.octets)
        return answer.framing not in ("close", "short")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64


class Witness:
    """`with Witness(sites) as web:` serves; `sites`: address -> target -> Answer, or a list of them of which the last stays."""

    def __init__(self, sites: dict[str, dict]):
        self.sites = sites
        self.seen: list[Seen] = []
        self.count: collections.Counter = collections.Counter()

    def __enter__(self):
        self.port = free_port(addresses=list(self.sites))
        self.servers = [Server((address, self.port), Connection) for address in self.sites]
        self.threads = [threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}) for server in self.servers]
        for server, thread in zip(self.servers, self.threads):
            server.witness = self
            thread.start()
        return self

    def __exit__(self, *_):
        for server, thread in zip(self.servers, self.threads):
            server.shutdown()
            thread.join()
            server.server_close()

    def url(self, address: str, target: str = "/") -> str:
        return f"http://{address}:{self.port}{target}"

    def answer(self, origin: str, target: str, request: bytes) -> Answer:
        answers = self.sites[origin.split("/")[2].partition(":")[0]].get(target, Answer(b"not here", "404 Not Found"))
        if isinstance(answers, list):
            nth = self.count[origin + target]
            self.count[origin + target] += 1
            answers = answers[min(nth, len(answers) - 1)]
        body = answers.body.replace(b":PORT", f":{self.port}".encode()) if b":PORT" in answers.body else answers.body
        return dataclasses.replace(answers, body=body)


# --- the web ---


def links(*targets: str) -> bytes:
    return b"<!doctype html><title>t</title>" + b"".join(f'<a href="{target}">x</a>'.encode() for target in targets)


# target -> (answer, the same as the second time; what it asks)
SPECIAL = {
    "/gzip": Answer(gzip.compress(links("/1"), mtime=0), fields=(HTML, "Content-Encoding: gzip")),
    "/gzip-chunks": Answer(gzip.compress(links("/2") * 50, mtime=0), fields=(HTML, "Content-Encoding: gzip"), framing="chunked"),
    "/br": Answer(brotli(links("/3")), fields=(HTML, "Content-Encoding: br")),
    "/chunks": Answer(links("/1") * 100, framing="chunked"),
    "/until-the-end": Answer(links("/2"), framing="close"),
    "/long": Answer(b"<p>long</p>" * 20_000),
    "/long-gzip": Answer(gzip.compress(random.Random(1).randbytes(BODY_MAX * 2), mtime=0), fields=(HTML, "Content-Encoding: gzip")),
    "/as-long-as-allowed": Answer(b"x" * BODY_MAX),
    "/moved": Answer(b"there", "301 Moved Permanently", (HTML, "Location: /1")),
    "/gone": Answer(b"", "410 Gone", ()),
    "/empty": Answer(b""),
    "/nothing": Answer(b"", "204 No Content", (), "none"),
    "/pixel.gif": Answer(PIXEL, fields=("Content-Type: image/gif",)),
    "/same-1": Answer(b"<p>the same</p>"),
    "/same-2": Answer(b"<p>the same</p>"),
    "/forged": Answer(FORGERY * 3, fields=(HTML, "X-Forged: WARC/1.1", "x-octets: \xff\xfe", "Set-Cookie: a=b")),
    "/title": Answer('<title>a\n"b\\ \u2028 {"url":"x"} \x1b[2J \U0001f4a9</title>\ud7ff'.encode()),
    "/no-type": Answer(b"no type", fields=()),
    "/?q={1}&z=}": Answer(b"braces"),
    "/%7Bb%7D%20%0A/x": Answer(b"escapes"),
    "/tagged": [Answer(b"<p>tagged</p>", fields=(HTML, 'ETag: "1"')), Answer(b"", "304 Not Modified", ('ETag: "1"',), "none")],
    "/changing": [Answer(b"one"), Answer(b"two")],
    "/only-in-sitemap": Answer(b"found"),
}  # fmt: skip
RULED = {
    "/noarchive": Answer(b'<meta name="robots" content="noarchive"><a href="/1">secret-1</a>'),
    "/noindex": Answer(b"secret-2", fields=(HTML, "X-Robots-Tag: noindex")),
    "/over": Answer(b'<meta name="robots" content="unavailable_after: 2020-01-01">secret-3'),
}
ODD_TYPE = Answer(b"type", fields=('Content-Type: text/HTML"\\;x="{\xff',))
SITEMAP = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s:PORT/only-in-sitemap</loc></url></urlset>'


def small_web() -> dict[str, dict]:
    """A few hundred pages at eight origins; the first has all that is special."""
    sites = {}
    for address in ORIGINS:
        pages = {f"/{n}": Answer(links("/", f"/{n * 2}", f"/{n * 2 + 1}") + f"{address} {n}".encode()) for n in range(1, PAGES_OF_EACH + 1)}
        sites[address] = {"/": Answer(links("/1")), **pages}
    targets = [target for target in (*SPECIAL, *RULED) if target not in ("/only-in-sitemap", "/pixel.gif")]
    robots = f"User-agent: *\nDisallow: /closed\nSitemap: http://{MAIN}:PORT/sitemap.xml\n".encode()
    plain = ("Content-Type: text/plain",)
    sites[MAIN] |= SPECIAL | RULED | {
        "/": Answer(links("/1", "/closed", "/missing", *targets) + b'<img src="/pixel.gif">'),
        ROBOTS: Answer(robots, fields=plain),
        "/sitemap.xml": Answer(SITEMAP % MAIN.encode(), fields=("Content-Type: application/xml",)),
    }  # fmt: skip
    sites[ORIGINS[1]][ROBOTS] = Answer(b"", "302 Found", ("Location: /rules.txt",))
    sites[ORIGINS[1]]["/rules.txt"] = Answer(b"User-agent: *\n", fields=plain)
    return sites


class Later:
    """`crawld run` on a machine on which so many seconds more have gone by: a time namespace of its own."""

    def __init__(self, config: pathlib.Path, log: pathlib.Path, seconds: int):
        clocks = [f"--{clock}={seconds}" for clock in ("monotonic", "boottime")]
        with open(log, "wb") as output:
            self.holder = subprocess.Popen(
                ["unshare", "-rT", *clocks, "--kill-child", program.CRAWLD, "run", "--config", str(config)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent,
            )  # fmt: skip

    @staticmethod
    def works() -> bool:
        clocks = ["--monotonic=60", "--boottime=60"]
        return subprocess.run(["unshare", "-rT", *clocks, "true"], capture_output=True, timeout=10, check=False).returncode == 0

    def stop(self) -> int:
        """Ends it politely."""
        children = pathlib.Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text(encoding="ascii").split()
        if len(children) == 1:
            os.kill(int(children[0]), signal.SIGTERM)
        return self.holder.wait(GRACE)

    def kill(self):
        self.holder.kill()
        self.holder.wait()


# --- the archive ---


@dataclasses.dataclass
class Record:
    """`offset` and `length` are those of its gzip member; of other packings they are 0."""

    file: str
    offset: int
    length: int
    fields: list[tuple[str, str]]
    block: bytes

    def field(self, name: str) -> str:
        return next((value for key, value in self.fields if key == name), "")

    @property
    def type(self) -> str:
        return self.field("WARC-Type")

    @property
    def target(self) -> str:
        return self.field("WARC-Target-URI")

    @property
    def date(self) -> str:
        return self.field("WARC-Date")

    @property
    def head(self) -> bytes:
        head, end, _ = self.block.partition(b"\r\n\r\n")
        return head + end

    @property
    def payload(self) -> bytes:
        return self.block.partition(b"\r\n\r\n")[2]

    @property
    def named(self) -> list[tuple[str, str]]:
        """Of a record of warc-fields."""
        return [(name, value) for name, _, value in (line.partition(": ") for line in self.block.decode().split("\r\n")[:-1])]


def members(octets: bytes):
    """Offset, length and content of each gzip member; anything else is an error."""
    at = 0
    while at < len(octets):
        unpacker, begin, out = zlib.decompressobj(31), at, []
        while not unpacker.eof:
            if at >= len(octets):
                raise EOFError(f"the member at {begin} has no end")
            piece = octets[at : at + PIECE]
            out.append(unpacker.decompress(piece))
            at += len(piece) - len(unpacker.unused_data)
        yield begin, at - begin, b"".join(out)


def parse(octets: bytes, file: str, offset: int = 0, length: int = 0) -> tuple[Record, bytes]:
    """A record, and what comes behind it."""
    header, end, rest = octets.partition(b"\r\n\r\n")
    version, *lines = header.decode("utf-8").split("\r\n")
    assert version == "WARC/1.1" and end, (file, offset, octets[:200])
    fields = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
    size = int(dict(fields)["Content-Length"])
    assert rest[size : size + 4] == b"\r\n\r\n", (file, offset, size, rest[size : size + 20])
    return Record(file, offset, length, fields, rest[:size]), rest[size + 4 :]


def read_warc(path: pathlib.Path) -> list[Record]:
    records = []
    if path.name.endswith(".gz"):
        for offset, length, octets in members(path.read_bytes()):
            record, rest = parse(octets, path.name, offset, length)
            assert not rest, (path, offset, rest[:100])
            records.append(record)
        return records
    rest = subprocess.run(["zstd", "-dc", path], capture_output=True, timeout=60, check=True).stdout
    while rest:
        record, rest = parse(rest, path.name)
        records.append(record)
    return records


class Archive:
    """A folder of complete files."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.names = sorted(path.name for path in folder.iterdir())
        self.files = [folder / name for name in self.names if NAME.fullmatch(name)]
        self.records = [record for path in self.files for record in read_warc(path)]
        self.captures = [record for record in self.records if record.type in ("response", "revisit")]

    def of(self, url: str, *types: str) -> list[Record]:
        return [record for record in self.records if record.target == url and (not types or record.type in types)]

    def index(self) -> list[tuple[str, str, dict]]:
        found = []
        for path in self.files:
            for line in (self.folder / f"{path.name}.cdxj").read_text("utf-8").splitlines():
                key, time, fields = line.split(" ", 2)
                found.append((key, time, json.loads(fields)))
        return found

    def pages(self) -> list[dict]:
        found = []
        for path in self.files:
            header, *lines = (self.folder / f"{path.name}.pages.jsonl").read_text("utf-8").split("\n")[:-1]
            assert json.loads(header) == {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}, header
            found += map(json.loads, lines)
        return found


def check_names(archive: Archive, pages: bool = True) -> list[str]:
    """Files, what stands beside them, and nothing else."""
    suffixes = ("", ".cdxj", ".pages.jsonl") if pages else ("", ".cdxj")
    expected = sorted(path.name + suffix for path in archive.files for suffix in suffixes)
    return [f"{name} is there or is not" for name in sorted(set(expected) ^ set(archive.names))]


def check_records(archive: Archive, hash_name: str = "sha1") -> list[str]:
    """What a record says of itself, and of its neighbours."""
    wrong = []
    ids = collections.Counter(record.field("WARC-Record-ID") for record in archive.records)
    wrong += [f"{id} is there {count} times" for id, count in ids.items() if count > 1 or not re.fullmatch("<urn:uuid:[0-9a-f-]{36}>", id)]
    firsts = [next(record for record in archive.records if record.file == path.name) for path in archive.files]
    for first in firsts:
        if first.type != "warcinfo" or first.field("WARC-Filename") != first.file:
            wrong.append(f"{first.file} does not begin with a record about itself")
    by_id = {record.field("WARC-Record-ID"): record for record in archive.captures}
    for record in archive.records:
        where = f"{record.file}@{record.offset} {record.type} {record.target}"
        if record.field("WARC-Block-Digest") != digest(record.block, hash_name):
            wrong.append(f"{where}: block digest")
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", record.date):
            wrong.append(f"{where}: date {record.date}")
        if record.type == "response" and record.field("WARC-Payload-Digest") != digest(record.payload, hash_name):
            wrong.append(f"{where}: payload digest")
        if record.type in ("request", "metadata") and (with_id := record.field("WARC-Concurrent-To")):
            partner = by_id.get(with_id)
            if not partner or (partner.file, partner.target, partner.date) != (record.file, record.target, record.date):
                wrong.append(f"{where}: its partner {with_id}")
        if record.type == "revisit":
            wrong += [f"{where}: {what}" for what in check_revisit(archive, record)]
    return wrong


def check_revisit(archive: Archive, record: Record) -> list[str]:
    """The record it is about is there, and has the same payload."""
    wrong = [] if not record.payload else ["a revisit with a body"]
    target, date = record.field("WARC-Refers-To-Target-URI"), record.field("WARC-Refers-To-Date")
    first = [one for one in archive.of(target, "response") if one.date == date]
    if len(first) != 1:
        return [*wrong, f"refers to {target} of {date}, of which there are {len(first)}"]
    if record.field("WARC-Profile") == NOT_MODIFIED:
        return wrong if target == record.target else [*wrong, f"not modified since {target}"]
    if record.field("WARC-Profile") != SAME_CONTENT or record.field("WARC-Payload-Digest") != first[0].field("WARC-Payload-Digest"):
        wrong.append("another payload")
    return wrong


def stored_head(answer: Answer) -> bytes:
    return answer.head.replace(b"\r\ntransfer-ENCODING:", b"\r\nX-Crawl-transfer-ENCODING:")


def check_exchanges(archive: Archive, seen: list[Seen], not_kept: set[str], body_max: int, hash_name: str = "sha1") -> list[str]:
    """Each exchange that the server saw is there once, octet by octet; `not_kept`: URLs of which none is."""
    wrong = []
    theirs = collections.defaultdict(list)
    for one in seen:
        if one.url not in not_kept and one.answer.framing != "short":
            theirs[one.url].append(one)
    ours = {record.target for record in archive.records if record.type != "warcinfo" and record.target not in not_kept}
    wrong += [f"{url}: never asked for, or not there" for url in sorted(ours ^ set(theirs))]
    for url, asked in theirs.items():
        captures = sorted(archive.of(url, "response", "revisit"), key=lambda record: record.date)
        requests = sorted(archive.of(url, "request"), key=lambda record: record.date)
        if not len(asked) == len(captures) == len(requests):
            wrong.append(f"{url}: {len(asked)} exchanges, {len(captures)} answers and {len(requests)} requests in the archive")
            continue
        for one, capture, request in zip(asked, captures, requests):
            wrong += [f"{url}: {what}" for what in check_exchange(one, capture, request, body_max, hash_name)]
    return wrong


def check_exchange(one: Seen, capture: Record, request: Record, body_max: int, hash_name: str) -> list[str]:
    wrong = []
    if request.block != one.request:
        wrong.append(f"request {request.block!r}, not {one.request!r}")
    if capture.head != stored_head(one.answer):
        wrong.append(f"head {capture.head!r}, not {stored_head(one.answer)!r}")
    if capture.field("WARC-IP-Address") != one.address:
        wrong.append(f"address {capture.field('WARC-IP-Address')}")
    body = one.answer.body
    if truncated := capture.field("WARC-Truncated"):
        plain = zlib.decompressobj(31).decompress(body) if b"Content-Encoding: gzip" in one.answer.head else body
        if truncated != "length" or len(plain) <= body_max:
            wrong.append(f"truncated: {truncated}, of {len(plain)}")
        if not capture.payload or not body.startswith(capture.payload):
            wrong.append(f"{len(capture.payload)} octets that are not the beginning of {len(body)}")
    elif capture.type == "response" and capture.payload != body:
        wrong.append(f"payload of {len(capture.payload)} octets, not those {len(body)} that were sent")
    elif capture.field("WARC-Profile") == SAME_CONTENT and capture.field("WARC-Payload-Digest") not in (
        digest(body, hash_name), digest(body[:body_max], hash_name)  # of one that was cut there is only the beginning
    ):  # fmt: skip
        wrong.append("a revisit of something else")
    return wrong


def http_field(head: bytes, name: str) -> str:
    found = re.search(rb"^" + name.encode() + rb": ([^\r]*)\r$", head, re.MULTILINE | re.IGNORECASE)
    return found.group(1).decode("latin-1") if found else ""


def check_index(archive: Archive) -> list[str]:
    """Each line leads to its record, each capture has a line, and each file is sorted by its octets."""
    wrong, led = [], set()
    for path in archive.files:
        lines = (archive.folder / f"{path.name}.cdxj").read_bytes().splitlines(keepends=True)
        if lines != sorted(lines) or not all(line.endswith(b"}\n") for line in lines):
            wrong.append(f"{path.name}.cdxj is not in order")
    by_place = {(record.file, record.offset): record for record in archive.captures}
    for key, time, fields in archive.index():
        place = (fields["filename"], int(fields["offset"]))
        led.add(place)
        with open(archive.folder / fields["filename"], "rb") as file:
            file.seek(place[1])
            record, rest = parse(gzip.decompress(file.read(int(fields["length"]))), *place, int(fields["length"]))
        kind = http_field(record.head, "Content-Type").partition(";")[0].strip()
        expected = {
            "url": record.target,
            "mime": "warc/revisit" if record.type == "revisit" else kind,
            "status": record.block[9:12].decode(),
            "digest": record.field("WARC-Payload-Digest").partition(":")[2],
        }
        said = {name: value for name, value in fields.items() if name not in ("filename", "offset", "length")}
        if rest or place not in by_place or said != {name: value for name, value in expected.items() if value}:
            wrong.append(f"{fields} leads to {record.type} {expected}")
        host = record.target.split("/")[2].partition(":")[0]
        if time != re.sub(r"\D", "", record.date)[:14] or not key.startswith(",".join(host.split(".")[::-1])):
            wrong.append(f"{key} {time} stands for {record.target} {record.date}")
    return wrong + [f"{by_place[place].target} at {place} is not in the index" for place in set(by_place) - led]


# --- the crawl log ---


@dataclasses.dataclass
class Logged:
    status: int
    octets: int | None
    url: str
    path: str
    mime: str
    begun: str  # 17 digits, or empty: nothing was sent
    digest: str
    annotations: list[str]


LINE = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([ \d-]{5}) ([ \d-]{10}) (\S+) (\S+) (\S+) (\S+) #(\d{3}) (-|\d{17}\+\d+) (\S+) (\S+) (\S+)(?: \{\S+\})?"
)


def read_crawl_log(path: pathlib.Path) -> list[Logged]:
    """Either format; a line in neither is an error."""
    found = []
    for line in path.read_text("utf-8").split("\n")[:-1]:
        if line.startswith("{"):
            said = json.loads(line)
            begun = re.sub(r"\D", "", said.get("begun", ""))
            mime = said.get("mime", "").partition(";")[0] or "no-type"
            found.append(Logged(said["status"], said.get("octets"), said["url"], said.get("path", "-"), mime, begun,
                                said.get("digest", "-"), said["annotations"]))  # fmt: skip
            continue
        columns = LINE.fullmatch(line)
        assert columns and line.isascii(), line
        _, status, octets, url, path_, _, mime, _, begun, hash_, _, annotations = columns.groups()
        found.append(Logged(int(status), None if octets.strip() == "-" else int(octets), url, path_, mime,
                            begun.partition("+")[0].strip("-"), hash_, annotations.split(",")))  # fmt: skip
    return found


def check_crawl_log(archive: Archive, log: list[Logged]) -> list[str]:
    """The same exchanges, and the same said of them."""
    wrong = []
    ours = collections.defaultdict(list)
    for record in sorted(archive.records, key=lambda record: record.date):
        if record.type in ("response", "revisit") or record.type == "metadata" and not record.field("WARC-Concurrent-To"):
            ours[record.target].append(record)
    theirs = collections.defaultdict(list)
    for line in sorted(log, key=lambda line: line.begun):
        if line.begun and line.status > 0:
            theirs[line.url].append(line)
    for url in sorted(set(ours) | set(theirs)):
        if len(ours[url]) != len(theirs[url]):
            wrong.append(f"{url}: {len(ours[url])} records, {len(theirs[url])} lines")
            continue
        for record, line in zip(ours[url], theirs[url]):
            if re.sub(r"\D", "", record.date)[:14] != line.begun[:14]:
                wrong.append(f"{url}: of {record.date}, begun {line.begun}")
            if record.type != "metadata" and int(record.block[9:12]) != line.status:
                wrong.append(f"{url}: status {record.block[9:12]!r}, logged {line.status}")
            if (record.field("WARC-Payload-Digest") or "-") != line.digest:
                wrong.append(f"{url}: payload {record.field('WARC-Payload-Digest')}, logged {line.digest}")
            if record.type == "response" and b"Content-Encoding" not in record.head and len(record.payload) != line.octets:
                wrong.append(f"{url}: {len(record.payload)} octets, logged {line.octets}")
            kind = http_field(record.head, "Content-Type").partition(";")[0].strip() or "no-type"
            if record.type != "metadata" and line.mime != kind:
                wrong.append(f"{url}: {kind}, logged {line.mime}")
    return wrong
