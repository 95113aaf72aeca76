"""TLS: certificates that prove nothing, handshakes that lead nowhere, and bodies whose end nobody vouches for."""

import os

from behaviour import TLS, Group, reached, unreachable
from peer import TlsPeer
from server import OPEN_ROBOTS

GROUP = Group("tls")
page, connect, add = GROUP.page, GROUP.connect, GROUP.add
BODY = b"<!doctype html><p>here I am"
HELLO = b"\x16\x03\x03"  # a handshake record of TLS 1.2
WARNING = b"\x15\x03\x03\0\2\1\x5a"  # an alert, user_canceled
HANDSHAKE_FAILURE = b"\x15\x03\x03\0\2\2\x28"


def certificate(name: str, says: str, tls: str, error: str | None):
    add(f"tls-{name}", says, None, unreachable(error) if error else reached(), at="never", tls=tls, pages_max=0 if error else 1)


certificate("good", "Nothing is wrong with it: the rest would mean little without it.", "good", None)
certificate("expired", "A certificate of last year.", "expired", "tls_certificate")
certificate("future", "A certificate of the next century.", "future", "tls_certificate")
certificate("wrong-host", "A certificate for another name, and for our address.", "wrong-host", "tls_certificate")
certificate("self-signed", "A certificate that vouches for itself.", "self-signed", "tls_certificate")
certificate("untrusted", "A certificate from an authority that nobody knows.", "untrusted", "tls_certificate")
certificate("weak-key", "A certificate with an RSA key of 1024 bits.", "weak-key", "tls_certificate")
certificate("1-0-only", "TLS 1.0 and nothing newer.", "tls-1.0", "tls")
certificate("1-1-only", "TLS 1.1 and nothing newer.", "tls-1.1", "tls")
certificate("1-2-only", "TLS 1.2, which will do.", "tls-1.2", None)
certificate("no-cipher", "Nothing but ciphers that do not encrypt or do not say who is there.", "weak-cipher", "tls")
certificate("huge-chain", "A certificate chain of 200 KB.", "huge-chain", "tls")
certificate("many-tickets", "A thousand session tickets.", "many-tickets", None)


# --- handshakes ---

@connect("tls", tls="good", within=TLS, pages_max=0)
async def tls_never(peer):
    """Never answers the hello."""
    await peer.hold()


@connect("tls", tls="good", within=TLS, pages_max=0)
async def tls_drip(peer):
    """A handshake of one octet a second."""
    tls = TlsPeer(peer, peer.context)

    async def slowly(octets):
        await peer.drip(octets)

    await tls.handshake(slowly)


@connect("tls", tls="good", within=TLS, pages_max=0)
async def tls_large_record_never(peer):
    """The beginning of a large record, and nothing more."""
    await peer.send(HELLO + b"\x40\0\2\0\0\x50" + bytes(1000))
    await peer.hold()


@connect("tls", tls="good", pages_max=0)
async def tls_garbage(peer):
    """Random octets for a handshake."""
    await peer.read()
    await peer.send(b"\xff" + os.urandom(4000))
    await peer.hold()


@connect("tls", tls="good", pages_max=0)
async def tls_is_http(peer):
    """Answers the hello with a web page."""
    await peer.read()
    await peer.answer(BODY, "400 Bad Request")
    await peer.hold()


@connect("tls", tls="good", pages_max=0)
async def tls_alert(peer):
    """A fatal alert."""
    await peer.read()
    await peer.send(HANDSHAKE_FAILURE)
    await peer.hold()


@connect("tls", tls="good", pages_max=0)
async def tls_warnings_endless(peer):
    """Warnings without end."""
    await peer.pour(WARNING)


@connect("tls", tls="good", pages_max=0)
async def tls_empty_records_endless(peer):
    """Empty records without end."""
    await peer.pour(HELLO + b"\0\0")


@connect("tls", tls="good", pages_max=0)
async def tls_huge_hello(peer):
    """A server hello that announces 16 MB."""
    await peer.read()
    await peer.send(HELLO + b"\x40\0\2\xff\xff\xff" + bytes(0x4000 - 4))
    await peer.pour(HELLO + b"\x40\0" + bytes(0x4000))


@connect(("tls", "reset"), tls="good", pages_max=0)
async def tls_fin(peer):
    """Closes when the hello comes."""
    await peer.read()


@connect("reset", tls="good", pages_max=0)
async def tls_rst(peer):
    """Resets when the hello comes."""
    await peer.read()
    peer.reset()


# --- ends of bodies, close_notify or not ---

@page("fetched", tls="good")
async def tls_end_notified(peer):
    """A body up to the end of the connection, which is announced as it should be."""
    await peer.head()
    await peer.send(BODY)
    await peer.close_notify()


@page("retry", "truncated", tls="good")
async def tls_end_cut(peer):
    """The same without close_notify: anybody on the way could have cut it there."""
    await peer.head()
    await peer.send(BODY)


@page("fetched", tls="good")
async def tls_length_cut(peer):
    """No close_notify, but all that Content-Length promised."""
    await peer.answer(BODY)
    peer.kept = False


@page("retry", "truncated", tls="good")
async def tls_length_short(peer):
    """close_notify in the middle of a body whose length is known."""
    await peer.head(f"Content-Length: {len(BODY) + 10}\r\n")
    await peer.send(BODY)
    await peer.close_notify()


@page("retry", ("reset", "truncated"), tls="good")
async def tls_rst_in_body(peer):
    """Resets in the middle of a body."""
    await peer.head("Content-Length: 100000\r\n")
    await peer.send(b"x" * 50_000)
    peer.reset()


@page("retry", "tls", tls="good")
async def tls_corrupt_record(peer):
    """A record whose checksum is wrong, in the middle of a body."""
    await peer.head("Content-Length: 100000\r\n")
    await peer.send_plain(b"\x17\x03\x03\x01\0" + os.urandom(256))
    await peer.hold()


@page("retry", "tls", tls="good")
async def tls_plain_in_body(peer):
    """Goes on without TLS in the middle of a body."""
    await peer.head("Content-Length: 100000\r\n")
    await peer.send_plain(BODY * 100)
    await peer.hold()


@page("fetched", tls="good")
async def tls_tiny_records(peer):
    """A page of records of one octet each."""
    await peer.head("Content-Length: 2000\r\n")
    for _ in range(2000):
        await peer.send(b"x")


# --- robots.txt ---

async def cut_robots(peer):
    await peer.head()
    await peer.send(OPEN_ROBOTS)


add("tls-robots-cut", "A robots.txt that ends with the connection, without close_notify.", cut_robots, unreachable("truncated"),
    at="robots",  # fmt: skip
    tls="good", pages_max=0)  # fmt: skip
