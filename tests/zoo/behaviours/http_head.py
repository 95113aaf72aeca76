"""Heads: status lines, fields and interim responses that no server should send, and some that only look so."""

import asyncio
import os

from behaviour import AT_ONCE, HEAD, HEAD_MAX, Group, visited

GROUP = Group("http-head")
page, add = GROUP.page, GROUP.add
BODY = b"<!doctype html><p>here I am"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
FIELDS_MAX = 256  # fetch::kFieldsMax
INTERIM_MAX = 8  # fetch::kInterimMax


def whole(head: bytes):
    """A behaviour that says `head` and BODY, and closes."""

    async def act(peer):
        await peer.send(head + BODY)

    return act


def head_of(name: str, says: str, head: bytes, fate, error=None, within: float = AT_ONCE, **words):
    add(name, says, whole(head), [visited(fate, error, **words)], within=within)


# --- status lines ---

head_of("http-0-9", "A page without any head, as in 1991.", b"<html>\n<body>nothing\n\n</html>\n", "retry", "protocol")
head_of("status-text", "A status that is no number.", b"HTTP/1.1 2OO OK\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("status-000", "Status 000.", b"HTTP/1.1 000 Nothing\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("status-099", "Status 099.", b"HTTP/1.1 099 Less\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("status-999", "Status 999, which is how some sites say no.", b"HTTP/1.1 999 Denied\r\n" + LENGTH + b"\r\n", "retry", status=999)
head_of("status-1000", "A status of four digits.", b"HTTP/1.1 1000 More\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("status-negative", "A negative status.", b"HTTP/1.1 -200 OK\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("status-bare", "A status line that ends behind the number.", b"HTTP/1.1 200\r\n" + LENGTH + b"\r\n", "fetched")
head_of("status-eight-bit", "Octets above 127 in the reason.", b"HTTP/1.1 200 caf\xe9 \xff\r\n" + LENGTH + b"\r\n", "fetched")
head_of("status-controls", "Escape sequences in the reason.", b"HTTP/1.1 200 \x1b[31m\0\r\n" + LENGTH + b"\r\n", ("fetched", "retry"),
        (None, "protocol"))  # fmt: skip
head_of("version-icy", "The status line of a radio station.", b"ICY 200 OK\r\n\r\n", "fetched")
head_of("version-2-0", "HTTP/2.0 in the words of HTTP/1.", b"HTTP/2.0 200 OK\r\n" + LENGTH + b"\r\n", "fetched")
head_of("version-9-9", "A version that nobody knows.", b"HTTP/9.9 200 OK\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("version-none", "A status line without a version.", b"200 OK\r\n" + LENGTH + b"\r\n", "retry", "protocol")
head_of("empty-lines-4", "Four empty lines before the status line.", b"\r\n" * 4 + b"HTTP/1.1 200 OK\r\n" + LENGTH + b"\r\n", "fetched")
head_of("empty-lines-5", "Five of them.", b"\r\n" * 5 + b"HTTP/1.1 200 OK\r\n" + LENGTH + b"\r\n", "retry", "protocol")


@page("retry", "protocol")
async def http2_frames(peer):
    """HTTP/2 frames, without having been asked."""
    await peer.send(b"\0\0\x12\x04\0\0\0\0\0" + b"\0\x03\0\0\0\x80" * 3 + b"\0\0\x04\x08\0\0\0\0\0\0\x0f\0\1\r\n\r\n")


@page("retry", ("protocol", "timeout"), within=HEAD)
async def ssh_banner(peer):
    """The greeting of an SSH server, which waits for ours."""
    await peer.send(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
    await peer.hold()


@page("retry", ("protocol", "head_limit"))
async def binary_garbage(peer):
    """Random octets without end."""
    await peer.pour(os.urandom(65536))


# --- fields ---

def fields(name: str, says: str, lines: bytes, fate: str = "fetched", error: str | None = None):
    head_of(name, says, b"HTTP/1.1 200 OK\r\n" + lines + LENGTH + b"\r\n", fate, error)


fields("field-nul", "NULs in a value.", b"X-Odd: a\0b\0\r\n")
fields("field-bare-cr", "A CR alone in a value.", b"X-Odd: a\rInjected: yes\r\n")
fields("field-controls", "Every control octet in a value.", b"X-Odd: " + bytes(o for o in range(1, 32) if o not in (10, 13)) + b"\r\n")
fields("field-eight-bit", "Octets above 127 in a value.", b"X-Odd: \xff\xfe\x80 caf\xe9\r\n")
fields("field-no-colon", "A line without a colon.", b"this is no field\r\n")
fields("field-no-name", "A field without a name.", b": nothing\r\n")
fields("field-bad-name", "A name with blanks and brackets in it.", b"X (odd) [name]: value\r\n")
fields("field-blank-before-colon", "A blank before the colon.", b"X-Odd : value\r\n")
fields("field-folded", "A value that goes on in the next line.", b"X-Odd: one\r\n two\r\n\tthree\r\n")
fields("field-256", "As many fields as are read.", b"".join(b"X-%d: y\r\n" % n for n in range(FIELDS_MAX - 1)))
fields("field-257", "One field more than that.", b"".join(b"X-%d: y\r\n" % n for n in range(FIELDS_MAX)), "retry", "head_limit")
head_of("lines-lf", "Lines that end with LF alone.", b"HTTP/1.1 200 OK\n" + LENGTH.replace(b"\r", b"") + b"\n", "fetched")


@page("retry", "head_limit")
async def field_flood(peer):
    """300,000 fields."""
    await peer.send(b"HTTP/1.1 200 OK\r\n" + b"X-Flood: y\r\n" * 300_000 + b"\r\n")


@page("retry", "head_limit")
async def field_huge(peer):
    """One field of a megabyte."""
    await peer.send(b"HTTP/1.1 200 OK\r\nX-Huge: " + b"y" * 1_000_000 + b"\r\n\r\n")


@page("retry", "head_limit")
async def head_one_too_long(peer):
    """A head that is one octet longer than network.max_head_size."""
    start = b"HTTP/1.1 200 OK\r\nX-Huge: "
    await peer.send(start + b"y" * (HEAD_MAX + 1 - len(start) - 4) + b"\r\n\r\n")


@page("fetched")
async def head_just_short(peer):
    """A head of exactly network.max_head_size octets."""
    start = b"HTTP/1.1 200 OK\r\n" + LENGTH + b"X-Large: " + b"x" * (HEAD_MAX // 2) + b"\r\nX-Large: "
    await peer.send(start + b"y" * (HEAD_MAX - len(start) - 4) + b"\r\n\r\n" + BODY)


@page("retry", "head_limit")
async def head_endless(peer):
    """Fields without end."""
    await peer.send(b"HTTP/1.1 200 OK\r\n")
    await peer.pour(b"X-Endless: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n")


@page("retry", "head_limit")
async def line_endless(peer):
    """A status line without end."""
    await peer.send(b"HTTP/1.1 200 ")
    await peer.pour(b"O")


# --- slow heads ---

@page("retry", "timeout", within=HEAD)
async def head_never(peer):
    """Takes the request and says nothing."""
    await peer.hold()


@page("retry", "timeout", within=HEAD)
async def head_drip(peer):
    """One octet of the head a second."""
    await peer.drip(b"HTTP/1.1 200 OK\r\n" + LENGTH + b"\r\n" + BODY)


@page("retry", "timeout", within=HEAD)
async def head_stalls(peer):
    """Stops in the middle of a field."""
    await peer.send(b"HTTP/1.1 200 OK\r\nContent-Le")
    await peer.hold()


@page("fetched")
async def one_octet_packets(peer):
    """A quick answer in packets of one octet."""
    await peer.drip(b"HTTP/1.1 200 OK\r\n" + LENGTH + b"\r\n" + BODY, gap=0.001)


# --- interim responses ---

@page("fetched")
async def interim_8(peer):
    """As many interim responses as are read, then a page."""
    await peer.send(b"HTTP/1.1 103 Early Hints\r\nLink: </poison>\r\n\r\n" * INTERIM_MAX)
    await peer.answer(BODY)


@page("retry", "protocol")
async def interim_9(peer):
    """One interim response more than that."""
    await peer.send(b"HTTP/1.1 103 Early Hints\r\n\r\n" * (INTERIM_MAX + 1))
    await peer.answer(BODY)


@page("retry", "protocol")
async def interim_endless(peer):
    """100 Continue without end."""
    await peer.pour(b"HTTP/1.1 100 Continue\r\n\r\n")


@page("retry", "head_limit")
async def interim_large(peer):
    """Interim responses whose heads are too long only together."""
    await peer.send((b"HTTP/1.1 103 Early Hints\r\nX-Large: " + b"y" * (HEAD_MAX // 4) + b"\r\n\r\n") * 5)
    await peer.answer(BODY)


@page("retry", ("timeout", "protocol"), within=HEAD)
async def interim_drip(peer):
    """An interim response every half second: none of them is the head that is waited for."""
    while True:
        await peer.send(b"HTTP/1.1 102 Processing\r\n\r\n")
        await asyncio.sleep(0.5)


@page("retry", "protocol")
async def switching_protocols(peer):
    """101, to a protocol that nobody asked for."""
    await peer.head("Upgrade: websocket\r\nConnection: Upgrade\r\n", "101 Switching Protocols")
    await peer.hold()


# --- statuses that mean trouble ---

@page("retry", words={"status": 503})
async def busy_for_ever(peer):
    """503 with a Retry-After of three thousand years."""
    await peer.answer(b"busy", "503 Service Unavailable", "Retry-After: 99999999999\r\n")


@page("retry", words={"status": 429})
async def busy_nonsense(peer):
    """429 with a Retry-After that is neither a number nor a date."""
    await peer.answer(b"busy", "429 Too Many Requests", "Retry-After: -1e400 parsecs\r\n")


@page("unchanged")
async def not_modified_unasked(peer):
    """304 to a request that had no condition."""
    await peer.answer(b"", "304 Not Modified")


@page("fetched", words={"octets": 0})
async def no_content_with_body(peer):
    """204, and a body that is none."""
    await peer.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "204 No Content")
    await peer.hold()
