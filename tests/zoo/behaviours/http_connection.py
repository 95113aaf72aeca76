"""Connections: ends at every moment, octets that nobody asked for, and connections that are kept and should not be."""

from behaviour import CONNECT, Group, unreachable, visited
from littleweb import page as html
from peer import response

GROUP = Group("http-connection")
page, accept, add = GROUP.page, GROUP.accept, GROUP.add
BODY = b"<!doctype html><p>here I am"
# What a second response would say. Its link would be asked for by whoever takes it for an answer.
POISON = html("poison", "/poison.html").encode()
POISONED = response(POISON)
FRONT = html("front", "/next.html").encode()
ANSWERED = response(FRONT)
NEXT = [visited("fetched", url="/next.html", octets=len(BODY))]


async def nobody(peer):
    """Never called."""


add("refused", "Nobody listens.", nobody, unreachable("refused"), at="connect", listens="no", pages_max=0)
add("connect-never", "A server too busy to accept: SYN is not answered.", nobody, unreachable("connect_timeout"), at="connect",
    listens="full", within=CONNECT, pages_max=0)  # fmt: skip


# --- ends ---

@accept("retry", "reset")
async def fin_at_once(peer):
    """Accepts and closes."""


@accept("retry", "reset")
async def rst_at_once(peer):
    """Accepts and resets."""
    peer.reset()


@page("retry", ("stale", "reset"), pages_max=2)  # once more in its turn, as the first connection was kept
async def fin_after_request(peer):
    """Takes the request and closes."""


@page("retry", ("stale", "reset"), pages_max=2)
async def rst_after_request(peer):
    """Takes the request and resets."""
    peer.reset()


@page("retry", "truncated")
async def fin_in_head(peer):
    """Closes in the middle of the head."""
    await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: te")


@page("retry", ("reset", "truncated"))
async def rst_in_head(peer):
    """Resets in the middle of the head."""
    await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: te")
    peer.reset()


@page("retry", ("reset", "truncated"))
async def rst_in_body(peer):
    """Resets in the middle of a body whose length is known."""
    await peer.head("Content-Length: 100000\r\n")
    await peer.send(b"x" * 50000)
    peer.reset()


@page("retry", ("reset", "truncated"))
async def rst_in_chunk(peer):
    """Resets in the middle of a chunk."""
    await peer.head("Transfer-Encoding: chunked\r\n")
    await peer.send(b"ffff\r\n" + b"x" * 5000)
    peer.reset()


@page("retry", "reset")
async def rst_for_end(peer):
    """Resets where the end of the connection would be the end of the body."""
    await peer.head()
    await peer.send(BODY)
    await peer.settle()
    peer.reset()


# --- octets that nobody asked for ---

@accept("fetched")
async def answer_before_request(peer):
    """Answers before it was asked."""
    await peer.answer(BODY)
    await peer.hold()


@page("fetched", then=NEXT, pages_max=2)
async def second_response(peer):
    """A second response right behind the first, meant for the next request."""
    if peer.path == "/":
        await peer.send(ANSWERED + POISONED)
        await peer.hold()
    await peer.answer(BODY)


@page("fetched", then=NEXT, pages_max=2, robots=b"User-agent: *\nCrawl-delay: 2\n")
async def second_response_late(peer):
    """A second response on the kept connection, sent while nothing is asked."""
    if peer.path == "/":
        await peer.answer(FRONT)
        await peer.settle()
        await peer.send(POISONED)
        await peer.hold()
    await peer.answer(BODY)


@page("fetched", then=NEXT, pages_max=2)
async def response_splitting(peer):
    """A header that ends early and goes on with a response of its own."""
    if peer.path == "/":
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\nX-Split: a\n\n" % len(FRONT)
        await peer.send(head + FRONT + b"\r\n" + POISONED)
        await peer.hold()
    await peer.answer(BODY)


@page("fetched", then=NEXT, pages_max=2)
async def surplus_octets(peer):
    """A few octets more than Content-Length says, on a connection that is kept."""
    if peer.path == "/":
        await peer.send(ANSWERED + b"\r\n\r\nsurplus")
        await peer.hold()
    await peer.answer(BODY)


@page("fetched")
async def surplus_endless(peer):
    """Octets without end behind the end."""
    await peer.answer(BODY)
    await peer.pour(b"surplus")


# --- connections that are kept ---

@page("fetched", then=NEXT, pages_max=2)
async def kept_then_fin(peer):
    """Says that the connection may be used again, and closes it."""
    await peer.answer(FRONT if peer.path == "/" else BODY)
    peer.kept = False


@page("fetched", then=[visited("retry", "stale", url="/next.html")], pages_max=3)
async def kept_then_rst(peer):
    """Resets a kept connection when the next request comes: it is sent once more, in its turn, on a new one."""
    first = peer.path == "/"
    await peer.answer(FRONT if first else BODY)
    if first:
        await peer.read_request()
        peer.reset()


@page("fetched", then=NEXT, pages_max=2)
async def closing_never_closed(peer):
    """Says Connection: close, and does not close."""
    await peer.answer(FRONT if peer.path == "/" else BODY, fields="Connection: close\r\n")
    await peer.hold()
