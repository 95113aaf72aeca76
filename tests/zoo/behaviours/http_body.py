"""Bodies: lengths that lie, chunks that are none, and bodies that never end."""

import asyncio

from behaviour import AT_ONCE, BODY_MAX, HEAD_MAX, IDLE, TOO_SLOW, TOTAL, Group, visited

GROUP = Group("http-body")
page, add = GROUP.page, GROUP.add
BODY = b"<!doctype html><p>here I am"
CHUNKED = "Transfer-Encoding: chunked\r\n"
EXTENSION_MAX = 256  # fetch::kChunkExtensionMax


def says(name: str, sentence: str, head: str, body: bytes, fate: str = "fetched", error: str | None = None, **words):
    """A behaviour that sends a head with these fields, then `body`, and closes."""

    async def act(peer):
        await peer.head(head)
        await peer.send(body)

    add(name, sentence, act, [visited(fate, error, **words)])


def chunked(name: str, sentence: str, body: bytes, fate: str = "fetched", error: str | None = None, **words):
    says(name, sentence, CHUNKED, body, fate, error, **words)


def chunk(octets: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(octets), octets)


# --- Content-Length ---

N = len(BODY)
says("length-too-long", "Content-Length promises ten octets more than come.", f"Content-Length: {N + 10}\r\n", BODY, "retry", "truncated")
says("length-too-short", "Content-Length promises ten octets less than come.", f"Content-Length: {N - 10}\r\n", BODY, octets=N - 10)
says("length-twice", "The same Content-Length twice.", f"Content-Length: {N}\r\nContent-Length: {N}\r\n", BODY, octets=N)
says("length-list", "The same Content-Length twice in one field.", f"Content-Length: {N}, {N}\r\n", BODY, octets=N)
says("length-two", "Two Content-Lengths that differ.", f"Content-Length: {N}\r\nContent-Length: 5\r\n", BODY, "retry", "protocol")
says("length-negative", "A negative Content-Length.", "Content-Length: -1\r\n", BODY, octets=N)
says("length-plus", "A Content-Length with a plus.", "Content-Length: +2\r\n", BODY, octets=N)
says("length-words", "A Content-Length in words.", "Content-Length: many\r\n", BODY, octets=N)
says("length-2-to-64", "A Content-Length that fits into no number.", "Content-Length: 18446744073709551616\r\n", BODY, octets=N)
says("length-2-to-63", "A Content-Length of eight exbibytes.", "Content-Length: 9223372036854775808\r\n", BODY, "retry", "truncated")
says("length-zero", "Content-Length: 0, and a body.", "Content-Length: 0\r\n", BODY, octets=0)
says("length-none", "No length: the body ends with the connection.", "", BODY, octets=N)

# --- Transfer-Encoding ---

WELL = chunk(BODY) + b"0\r\n\r\n"
says("length-and-chunks", "Content-Length beside chunks, as in request smuggling.", "Content-Length: 5\r\n" + CHUNKED, WELL, octets=N)
says("chunks-and-length", "The same in the other order, with two lengths.", CHUNKED + "Content-Length: 5\r\nContent-Length: 9\r\n", WELL,
     octets=N)  # fmt: skip
says("coding-identity", "Transfer-Encoding: identity, which means nothing.", "Transfer-Encoding: identity\r\n", BODY, octets=N)
says("coding-unknown", "A transfer coding that nobody knows.", "Transfer-Encoding: xchunked\r\n", WELL, "retry", "protocol")
says("coding-gzip", "A transfer coding that was not asked for.", "Transfer-Encoding: gzip, chunked\r\n", WELL, "retry", "protocol")
says("chunked-twice", "Says chunked twice, and means once.", "Transfer-Encoding: chunked, chunked\r\n", WELL, octets=N)

# --- chunks ---

chunked("chunk-size-17", "A chunk size of 17 digits.", b"F" * 17 + b"\r\n" + BODY, "retry", "protocol")
chunked("chunk-size-16", "The largest chunk size of 16 digits.", b"F" * 16 + b"\r\n" + BODY, "retry", "truncated")
chunked("chunk-size-zeros", "A chunk size with zeros without end before it.", b"0" * 100_000 + b"1\r\nx\r\n0\r\n\r\n", "retry", "protocol")
chunked("chunk-size-negative", "A negative chunk size.", b"-5\r\nhello\r\n0\r\n\r\n", "retry", "protocol")
chunked("chunk-size-prefix", "A chunk size that begins with 0x.", b"0x5\r\nhello\r\n0\r\n\r\n", "retry", "protocol")
chunked("chunk-size-empty", "No chunk size at all.", b"\r\nhello\r\n0\r\n\r\n", "retry", "protocol")
chunked("chunk-size-blanks", "Blanks behind the chunk size.", b"%x   \r\n" % N + BODY + b"\r\n0\r\n\r\n", octets=N)
chunked("chunk-too-long", "A chunk that is longer than its size.", b"5\r\nhello, world\r\n0\r\n\r\n", "retry", "protocol")
chunked("chunk-lf", "Chunks whose lines end with LF alone.", b"5\nhello\n0\n\n", octets=5)
chunked("chunk-extension-256", "The longest chunk extension.", b"5;" + b"e" * EXTENSION_MAX + b"\r\nhello\r\n0\r\n\r\n", octets=5)
chunked("chunk-extension-257", "One octet more.", b"5;" + b"e" * (EXTENSION_MAX + 1) + b"\r\nhello\r\n0\r\n\r\n", "retry", "protocol")
chunked("chunks-unfinished", "The last chunk does not come.", chunk(BODY), "retry", "truncated")
chunked("chunk-cut", "The connection ends in the middle of a chunk.", b"ff\r\nhello", "retry", "truncated")
chunked("trailer", "Fields behind the body.", chunk(BODY) + b"0\r\nX-Trailer: y\r\nContent-Length: 9\r\n\r\n", octets=N)
chunked("trailer-unfinished", "The connection ends in the trailer.", chunk(BODY) + b"0\r\nX-Trailer: y\r\n", "retry", "truncated")
chunked("trailer-large", "A trailer that is too long together with the head.", chunk(BODY) + b"0\r\nX: " + b"y" * HEAD_MAX + b"\r\n\r\n",
        "retry", "head_limit")  # fmt: skip


@page("retry", "protocol")
async def chunk_extension_endless(peer):
    """A chunk extension without end."""
    await peer.head(CHUNKED)
    await peer.send(b"5;")
    await peer.pour(b"endless=")


@page("retry", "head_limit")
async def trailer_endless(peer):
    """Trailers without end."""
    await peer.head(CHUNKED)
    await peer.send(chunk(BODY) + b"0\r\n")
    await peer.pour(b"X-Trailer: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n")


@page("retry", "protocol")
async def chunks_of_one_octet(peer):
    """Chunks of one octet without end: six octets on the wire for each."""
    await peer.head(CHUNKED)
    await peer.pour(b"1\r\nx\r\n")


@page("retry", "protocol")
async def chunks_with_ballast(peer):
    """Chunks of one octet, each with as long an extension as is read."""
    await peer.head(CHUNKED)
    await peer.pour(b"1;" + b"e" * (EXTENSION_MAX - 1) + b"\r\nx\r\n")


# --- bodies without end ---

CUT = {"words": {"cut": "body", "octets": BODY_MAX}}


@page("fetched", **CUT)
async def body_endless(peer):
    """A body without end and without a length."""
    await peer.head()
    await peer.pour(b"<p>endless</p>\n")


@page("fetched", **CUT)
async def body_endless_chunks(peer):
    """Large chunks without end."""
    await peer.head(CHUNKED)
    await peer.pour(chunk(b"x" * 65536))


@page("fetched", **CUT)
async def body_of_a_terabyte(peer):
    """A terabyte, as announced."""
    await peer.head("Content-Length: 1099511627776\r\n")
    await peer.pour(b"x" * 65536)


@page("fetched", **CUT)
async def body_one_too_long(peer):
    """One octet more than network.max_body_size."""
    await peer.answer(b"x" * (BODY_MAX + 1))
    await peer.hold()


@page("fetched", words={"cut": None, "octets": BODY_MAX})
async def body_just_short(peer):
    """Exactly network.max_body_size octets."""
    await peer.answer(b"x" * BODY_MAX)


@page("gone")
async def not_found_endless(peer):
    """404 with a body without end."""
    await peer.head(status="404 Not Found")
    await peer.pour(b"<p>no such page</p>\n")


@page("redirected")
async def redirect_body_endless(peer):
    """A redirect to itself with a body without end."""
    await peer.head("Location: /\r\n", "302 Found")
    await peer.pour(b"<p>over there</p>\n")


# --- slow bodies ---

@page("retry", TOO_SLOW, within=TOTAL)
async def body_drip(peer):
    """One octet of the body a second."""
    await peer.head("Content-Length: 3600\r\n")
    await peer.drip(b"x" * 3600)


@page("retry", TOO_SLOW, within=TOTAL)
async def body_drip_chunked(peer):
    """One chunk of one octet a second."""
    await peer.head(CHUNKED)
    while True:
        await peer.drip(b"1", 0.2)
        await peer.drip(b"\r\nx\r\n", 0.2)


@page("retry", TOO_SLOW, within=TOTAL)
async def body_just_not_idle(peer):
    """An octet each time shortly before the connection would count as idle."""
    await peer.head()
    await peer.drip(b"x" * 3600, IDLE - 0.3)


@page("retry", "timeout", within=IDLE)
async def body_stalls(peer):
    """Stops in the middle of the body."""
    await peer.head("Content-Length: 100000\r\n")
    await peer.send(b"x" * 5000)
    await peer.hold()


@page("retry", "timeout", within=IDLE)
async def body_never(peer):
    """A head that promises a body, and nothing more."""
    await peer.head(f"Content-Length: {N}\r\n")
    await peer.hold()


@page("retry", "timeout", within=IDLE)
async def body_without_end_of_chunks(peer):
    """All of the body, but not the chunk that ends it."""
    await peer.head(CHUNKED)
    await peer.send(chunk(BODY))
    await peer.hold()


@page("retry", ("timeout", "slow"), within=TOTAL)
async def body_longer_than_patience(peer):
    """A body just fast enough, which goes on for longer than a whole exchange may take."""
    await peer.head()
    while True:
        await peer.send(b"x" * 50)
        await asyncio.sleep(0.2)


@page("fetched", within=AT_ONCE + 1)
async def body_slow_but_well(peer):
    """A page that takes a second."""
    await peer.head(f"Content-Length: {N}\r\n")
    await peer.drip(BODY, 1.0 / N)
