"""A web whose graph is known: each host has a page for every form of truth_forms.py and truth_answers.py, and delivers its pages in a way
of its own. Its server remembers what it was asked for, and crawl() lets the real binary loose on it.
"""

import asyncio
import collections
import dataclasses
import gzip
import pathlib
import socket
import string
import subprocess
import threading
import time
import urllib.parse
import zlib

import program
from littleweb import be_prompt, find_program, free_port
from truth_answers import DEPTH_MAX, answer_forms
from truth_forms import CARRIER, Form, Page, element_forms, reference_forms

CRAWL_SECONDS = 120  # alone on the machine it takes a tenth of that
START_SECONDS, STOP_SECONDS = 10, 5
HEAD_MAX = 16384
REASONS = {200: "OK", 404: "Not Found"}
ROBOTS = "/robots.txt"
IDN, NUMBER, PORT80, OUTSIDE = "xn--bcher-kva.test", "127.31.0.200", "port80.test", "outside.test"
ADDRESSES = {IDN: "127.31.0.201", NUMBER: NUMBER, PORT80: "127.31.0.202", OUTSIDE: "127.31.0.203"}
RULES = """\
User-agent: *
Disallow: /closed/
Disallow: /*.secret$
Disallow: /\u4e2d/
Allow: /closed/open/
"""


@dataclasses.dataclass(frozen=True)
class Dress:
    """How a host delivers its pages. `codec`: Python's name of the encoding that is called `label`; `word`: letters that it has."""

    name: str
    codec: str = "utf-8"
    label: str = ""
    said_in: str = ""  # mark (of byte order), field, meta or http-equiv; empty: nowhere
    word: str = "\u00e9\u4e2d"
    coding: str = ""  # Content-Encoding
    framing: str = "length"  # chunked, tiny (chunks) or close
    denied: str = ""  # a label in the next weaker place, which does not count
    lacks: str = ""  # letters that Python's codec has and that of the Encoding Standard has not

    @property
    def query_codec(self) -> str:
        """A query is never in UTF-16 (Encoding Standard, "get an output encoding")."""
        return "utf-8" if self.codec.startswith("utf-16") else self.codec

    @property
    def like_ascii(self) -> bool:
        """No octet of its letters looks like markup."""
        return all(octet >= 0x80 for octet in self.word.encode(self.codec))

    def label_in(self, place: str) -> str:
        weaker = {"mark": "field", "field": "meta"}.get(self.said_in)
        return self.label if place == self.said_in else self.denied if place == weaker else ""


DRESSES = [
    Dress("plain"),
    Dress("brotli", coding="br", framing="chunked"),
    Dress("utf-8", label="utf-8", said_in="field", framing="chunked"),
    Dress("utf-8-mark", said_in="mark", coding="gzip"),
    Dress("utf-16le", "utf-16-le", said_in="mark", framing="tiny"),
    Dress("utf-16be", "utf-16-be", said_in="mark", coding="gzip", framing="chunked"),
    Dress("utf-16-in-meta", label="utf-16", said_in="meta"),  # was read as ASCII, so it cannot be true
    Dress("mark-over-field", said_in="mark", denied="windows-1251"),
    Dress("field-over-meta", "windows-1251", "windows-1251", "field", "\u0434\u0430", denied="koi8-r"),
    Dress("windows-1251", "windows-1251", "windows-1251", "field", "\u043f\u0440\u0438\u0432\u0435\u0442", framing="close"),
    Dress("windows-1251-meta", "windows-1251", "cp1251", "meta", "\u043c\u0438\u0440", coding="gzip"),
    Dress("koi8-r", "koi8-r", "KOI8-R", "http-equiv", "\u0440\u0443\u0441\u0441\u043a\u0438\u0439", coding="deflate"),
    Dress("latin-1", "windows-1252", "ISO-8859-1", "field", "\u00fc\u20ac", framing="chunked"),
    Dress("latin-1-meta", "windows-1252", "iso-8859-1", "meta", "\u00e9t\u00e9"),
    Dress("shift-jis", "cp932", "Shift_JIS", "field", "\u8868\u793a"),
    Dress("shift-jis-meta", "cp932", "x-sjis", "http-equiv", "\u65e5\u672c", framing="tiny"),
    Dress("euc-jp", "euc-jp", "EUC-JP", "meta", "\u65e5\u672c", lacks="\u00e9"),
    Dress("iso-2022-jp", "iso2022_jp", "iso-2022-jp", "field", "\u65e5\u672c", coding="gzip"),
    Dress("euc-kr", "cp949", "euc-kr", "field", "\ud55c\uad6d"),
    Dress("gbk", "gbk", "gb2312", "meta", "\u4e2d\u6587", coding="deflate"),
    Dress("gb18030", "gb18030", "gb18030", "field", "\u4e2d\u6587"),
    Dress("big5", "big5", "Big5", "field", "\u4e2d\u570b"),
]
META = {"meta": "<meta charset={}>", "http-equiv": '<meta http-equiv="Content-Type" content="text/html; charset={}">'}


def in_query(text: str, dress: Dress) -> str:
    """`text` in a query (URL Standard, "percent-encode after encoding"); letters that the encoding lacks become references."""
    try:
        octets = b"" if text in dress.lacks else text.encode(dress.query_codec)
    except UnicodeEncodeError:
        octets = b""
    encoded = "".join(chr(octet) if 0x20 < octet < 0x7F and chr(octet) not in "\"#<>'" else f"%{octet:02X}" for octet in octets)
    return encoded or "".join(f"%26%23{ord(letter)}%3B" for letter in text)


def brotli(body: bytes) -> bytes:
    """`body` in uncompressed meta-blocks (RFC 7932 section 9.2), for want of an encoder."""
    out, first = b"", 1  # the first is behind the bit that says how large the window is
    for at in range(0, len(body), 65536):
        piece = body[at : at + 65536]
        out += (((len(piece) - 1) << 3 | 1 << 19) << first).to_bytes(3, "little") + piece
        first = 0
    return out + bytes([3 << first])


CODINGS = {"": lambda body: body, "gzip": lambda body: gzip.compress(body, mtime=0), "deflate": zlib.compress, "br": brotli}


class Host:
    """One host: its name, and what the placeholders of a form mean there."""

    def __init__(self, dress: Dress, number: int, port: int):
        self.dress = dress
        self.name = f"{dress.name}.test"
        self.address = f"127.31.0.{number + 1}"
        self.authority = f"{self.name}:{port}"
        self.names = {"host": self.name, "authority": self.authority, "origin": f"http://{self.authority}", "port": str(port)}
        self.names |= {
            "upper_host": self.name.upper(),
            "percent_host": f"%{ord(self.name[0]):02x}{self.name[1:]}",
            "wide_host": f"&#x{ord(self.name[0]) + 0xFEE0:x};{self.name[1:]}",
            "dotted_host": self.name.replace(".", "&#x3002;"),
            "idn": f"http://{IDN}:{port}", "number": f"http://{NUMBER}:{port}", "port80": f"http://{PORT80}",
            "word": dress.word,
            "word_references": "".join(f"&#x{ord(letter):x};" for letter in dress.word),
            "path_word": urllib.parse.quote(dress.word),
            "query_word": in_query(dress.word, dress),
            "query_letter": in_query("\u00e9", dress),
            "query_emoji": in_query("\U0001f600", dress),
            "meta": next((text.format(dress.label_in(place)) for place, text in META.items() if dress.label_in(place)), ""),
        }  # fmt: skip

    def text(self, template: str, name: str) -> str:
        places = {"name": name, "to": f"/t/{name}", "no": f"/no/{name}", "part": f"/e/{name}"}
        return string.Template(template).substitute(places, **self.names)

    def place(self, template: str, name: str) -> tuple[str, str]:
        """(authority, target) of what a form calls `template`."""
        text = self.text(template, name)
        if text.startswith("/"):
            return self.authority, text
        authority, slash, target = text.removeprefix("http://").partition("/")
        return authority, slash + target


@dataclasses.dataclass(frozen=True)
class Request:
    at: float  # monotonic seconds
    authority: str
    target: str
    address: str


class Graph:
    """What there is on two hosts or more: `pages`, (authority, target) -> host, form and page; `expected`: all that a crawl asks for."""

    def __init__(self, dresses: list[Dress], port: int, default_port: bool, embeds: bool):
        self.hosts = [Host(dress, number, port) for number, dress in enumerate(dresses)]
        for host, after in zip(self.hosts, self.hosts[1:] + self.hosts[:1]):
            host.names |= {"next": after.names["origin"], "next_authority": after.authority}
        references, elements, answers = reference_forms(default_port), element_forms(), answer_forms()
        self.forms = references + elements + answers
        self.pages: dict[tuple[str, str], tuple[Host, str, Page]] = {}
        self.expected: dict[tuple[str, str], str] = {}  # -> the form that leads there
        for host in self.hosts:
            # An encoding changes what references say, seldom how a page is read, and never what is no part of a page.
            forms = references
            if host.dress.codec == "utf-8" or not host.dress.like_ascii:
                forms = forms + elements
            if not host.dress.said_in:
                forms = forms + answers
            for form in forms:
                self._add(host, form, embeds)
            carriers = [form.name for form in forms if CARRIER in form.pages]
            hub = Page("".join(f"<p><a href='/c/{name}'>x</a></p>\n" for name in carriers))
            self.pages[host.authority, "/"] = host, "hub", hub
            self.expected[host.authority, "/"] = "seed"
            robots = RULES + "".join(host.text(form.robots, form.name) for form in forms)
            self.pages[host.authority, ROBOTS] = host, "robots", Page(whole=robots.replace("$", "$$"), kind="text/plain", codec="utf-8")
        self.others = [f"{IDN}:{port}", f"{NUMBER}:{port}"] + [PORT80] * default_port
        self.expected |= {(authority, "/"): "seed" for authority in self.others}
        self.origins = [host.authority for host in self.hosts] + self.others
        self.expected |= {(authority, ROBOTS): "robots" for authority in self.origins}

    def _add(self, host: Host, form: Form, embeds: bool):
        for template, page in form.pages.items():
            self.pages[host.place(template, form.name)] = host, form.name, page
        carrier = [CARRIER] if CARRIER in form.pages else []
        for template in {*carrier, *form.leads, *(form.embeds if embeds else ())}:
            self.expected[host.place(template, form.name)] = form.name

    def form_of(self, authority: str, target: str) -> str:
        """The form that asked for what it should not have asked for, by the name that is in it."""
        names = {form.name for form in self.forms}
        pieces = urllib.parse.urlsplit(target).path.split("/")
        return next((piece for piece in pieces if piece.removesuffix(".secret") in names), f"? {authority}").removesuffix(".secret")

    def answer(self, authority: str, target: str) -> tuple[bytes, bool]:
        """The response, and whether the connection ends with it."""
        key = authority, target
        if key in self.pages:
            host, name, page = self.pages[key]
            return render(host, name, page)
        if key in self.expected and target != ROBOTS:  # no two of them have the same content, which would look like a trap
            host = next((host for host in self.hosts if host.authority == authority), self.hosts[0])
            return render(host, self.expected[key], Page(f"<p>leaf {target.encode().hex()} of {authority}</p>"))
        return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n", False


def render(host: Host, name: str, page: Page) -> tuple[bytes, bool]:
    """The response with the page `page` of the form `name`, and whether the connection ends with it."""
    dress = host.dress
    text = page.whole
    if text is None:
        text = f"<!doctype html><html><head>$meta<title>{name}</title>{page.head}</head><body>\n{page.body}"
    text = host.text(text, name)
    kind = page.kind
    if page.codec is None:
        body = text.encode(dress.codec, "xmlcharrefreplace")
        if dress.said_in == "mark":
            body = "\ufeff".encode(dress.codec) + body
        if kind and dress.label_in("field"):
            kind += f"; charset={dress.label_in('field')}"
    else:
        body = text.encode(page.codec)
    if page.packed:
        body = gzip.compress(body, mtime=0)
    fields = [("Content-Type", kind)] if kind else []
    fields += [(field, host.text(value, name)) for field, value in page.fields]
    if dress.coding:
        fields.append(("Content-Encoding", dress.coding))
    body = frame(dress.framing, CODINGS[dress.coding](body), fields)
    lines = [f"HTTP/1.1 {page.status} {REASONS.get(page.status, 'Whatever')}", *(f"{field}: {value}" for field, value in fields)]
    return "\r\n".join([*lines, "", ""]).encode() + body, dress.framing == "close"


def frame(framing: str, body: bytes, fields: list[tuple[str, str]]) -> bytes:
    """`body` as it is sent; adds the field that says how."""
    if framing == "length":
        fields.append(("Content-Length", str(len(body))))
    elif framing == "close":
        fields.append(("Connection", "close"))
    else:
        fields.append(("Transfer-Encoding", "chunked"))
        size = 7 if framing == "tiny" else 1000
        pieces = [body[at : at + size] for at in range(0, len(body), size)]
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    return body


class Connection(asyncio.Protocol):
    """Answers whatever is in the graph, and notes what it was asked for."""

    def __init__(self, web: "TruthWeb"):
        self.web = web
        self.octets = b""

    def connection_made(self, transport):
        self.transport = transport
        self.address = transport.get_extra_info("sockname")[0]
        self.web.open.add(transport)

    def connection_lost(self, exc):
        self.web.open.discard(self.transport)

    def data_received(self, data: bytes):
        self.octets += data
        while b"\r\n\r\n" in self.octets:
            head, _, self.octets = self.octets.partition(b"\r\n\r\n")
            line, *lines = head.decode("latin-1").split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            target, authority = line.split(" ")[1], fields.get("host", "")
            self.web.requests.append(Request(time.monotonic(), authority, target, self.address))
            response, last = self.web.graph.answer(authority, target)
            self.transport.write(response)
            if last:
                self.transport.close()
        if len(self.octets) > HEAD_MAX:
            self.transport.close()


class TruthWeb:
    """`with TruthWeb(folder) as web:` serves until the block ends, in a thread. `requests` is what it was asked for, in order."""

    def __init__(self, folder: pathlib.Path, dresses: list[Dress] | None = None, embeds: bool = False):
        self.folder = folder
        self.dresses = dresses or DRESSES
        self.embeds = embeds
        self.requests: list[Request] = []
        self.open: set[asyncio.BaseTransport | asyncio.AbstractServer] = set()

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        addresses = [f"127.31.0.{number + 1}" for number in range(len(self.dresses))] + sorted(ADDRESSES.values())
        self.port = free_port(addresses=addresses)
        places = [(address, self.port) for address in addresses]
        try:
            socket.create_server((ADDRESSES[PORT80], 80)).close()
            places.append((ADDRESSES[PORT80], 80))
        except OSError:
            pass  # needs privileges
        self.graph = Graph(self.dresses, self.port, len(places) > len(addresses), self.embeds)
        self.names = {host.name: host.address for host in self.graph.hosts} | {n: a for n, a in ADDRESSES.items() if n != NUMBER}
        self.names |= {f"sub.{host.name}": ADDRESSES[OUTSIDE] for host in self.graph.hosts}
        self._start_names()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._listen(places), self.loop).result(START_SECONDS)
            self._await_names()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._close(), self.loop).result(STOP_SECONDS)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.dnsmasq.terminate()
        try:
            self.dnsmasq.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.dnsmasq.kill()
            self.dnsmasq.wait()

    def configuration(self, more: str = "") -> pathlib.Path:
        """Writes a configuration and returns where. `more`: further sections."""
        path = self.folder / "crawld.yaml"
        seeds = "".join(f"  - http://{authority}/\n" for authority in self.graph.origins)
        path.write_text(
            f"agent:\n  contact: {program.CONTACT}\nseeds:\n{seeds}"
            f"scope:\n  max_depth: {DEPTH_MAX}\n{'  embeds: true' if self.embeds else ''}\n"
            "politeness:\n  default_interval: 0s\n  hard_minimum: 0s\n  latency_factor: 0\n  per_address_interval: 0s\n"
            f'network:\n  allow_addresses: [127.0.0.0/8]\n  nameservers: ["{self.nameserver}"]\n'
            f"recrawl:\n  enabled: false\nstorage:\n  directory: {self.folder}/storage\n  pause_below: 16MiB\n  resume_above: 16MiB\n"
            f"threads: 2\n{more}",
            encoding="utf-8",
        )
        return path

    async def _listen(self, places: list[tuple[str, int]]):
        for address, port in places:
            self.open.add(await self.loop.create_server(lambda: Connection(self), address, port, backlog=256))

    async def _close(self):
        for one in list(self.open):
            one.close()

    def _start_names(self):
        port = free_port(kinds=(socket.SOCK_DGRAM, socket.SOCK_STREAM))
        self.nameserver = f"127.0.0.1:{port}"
        with open(self.folder / "dnsmasq.out", "wb") as output:
            self.dnsmasq = subprocess.Popen(
                [
                    find_program("dnsmasq"), "--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", f"--port={port}",
                    "--listen-address=127.0.0.1", "--bind-interfaces", "--local=/test/", "--local-ttl=60",
                    *(f"--host-record={name},{address}" for name, address in self.names.items()),
                ],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=be_prompt,
            )  # fmt: skip

    def _await_names(self):
        host, _, port = self.nameserver.partition(":")

        def listens() -> bool:
            if self.dnsmasq.poll() is not None:
                raise RuntimeError((self.folder / "dnsmasq.out").read_text(encoding="utf-8", errors="replace"))
            with socket.socket() as probe:
                return probe.connect_ex((host, int(port))) == 0

        program.wait_for(listens, START_SECONDS)


@dataclasses.dataclass(frozen=True)
class Crawl:
    """A crawl that is over. What the daemon wrote is in `folder`: crawld.log (and here as `log`) and storage/."""

    graph: Graph
    requests: list[Request]
    folder: pathlib.Path
    status: int | None  # None: it did not end by itself
    seconds: float
    log: str

    def asked(self) -> collections.Counter:
        return collections.Counter((request.authority, request.target) for request in self.requests)

    def differences(self) -> list[str]:
        """How what was asked for differs from what is expected, a line for each form."""
        found: dict[str, list[str]] = collections.defaultdict(list)
        asked = self.asked()
        for key, form in self.graph.expected.items():
            if asked[key] != 1:
                what = "never asked for" if asked[key] == 0 else f"asked for {asked[key]} times"
                found[f"{form}: {what}"].append("http://" + "".join(key))
        for key in asked:
            if key not in self.graph.expected:
                found[f"{self.graph.form_of(*key)}: must not be asked for"].append("http://" + "".join(key))
        return sorted(f"{what}, {len(urls)} in all: {' '.join(urls[:3])}" for what, urls in found.items())


def crawl(folder: pathlib.Path, dresses: list[Dress] | None = None, embeds: bool = False, more: str = "") -> Crawl:
    """Makes the web, crawls it until nothing is left, and says what was seen. `more`: further sections of the configuration."""
    with TruthWeb(folder, dresses, embeds) as web:
        begun = time.monotonic()
        crawler = program.start(web.configuration(more), folder / "crawld.log", "--until-idle")
        try:
            status = crawler.wait(CRAWL_SECONDS)
        except subprocess.TimeoutExpired:
            crawler.kill()
            crawler.wait()
            status = None
        seconds = time.monotonic() - begun
    log = (folder / "crawld.log").read_text(encoding="utf-8", errors="replace")
    return Crawl(web.graph, web.requests, folder, status, seconds, log)
