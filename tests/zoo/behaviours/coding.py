"""Content codings: bombs in every coding, streams that are none, and codings that nobody asked for.

A bomb unfolds beyond a megabyte and to more than a hundred times what came. What unfolds less is a large page, and cut like one.
"""

import base64
import functools
import gzip
import zlib

from behaviour import BODY_MAX, MIB, Group, visited

GROUP = Group("coding")
page, add = GROUP.page, GROUP.add
BODY = b"<!doctype html><p>here I am"
N = len(BODY)
GZIPPED = gzip.compress(BODY, mtime=0)
# Made with libbrotlienc, quality 11: BODY, and 256 MiB of zeros.
BROTLI = base64.b64decode("Cw2APCFkb2N0eXBlIGh0bWw+PHA+aGVyZSBJIGFtAw==")
BROTLI_BOMB = base64.b64decode(
    "z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n"
    "//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P/"
    "/x/+CYA4LADQvf/P//9//BMAcVgAoHv/Dw=="
)  # fmt: skip
BROTLI_NOTHING, BROTLI_START = b"\x06", b"\x0c"  # a meta-block that is empty metadata; the same behind the header of a stream

ZSTD_MAGIC, ZSTD_BLOCK_MAX = b"\x28\xb5\x2f\xfd", 128 * 1024
RAW, RLE = 0, 1


def deflated(octets: bytes, window: int = zlib.MAX_WBITS) -> bytes:
    """window: 15 zlib, -15 raw, 31 gzip."""
    stream = zlib.compressobj(9, zlib.DEFLATED, window)
    return stream.compress(octets) + stream.flush()


def zeros(count: int, window: int = 31) -> bytes:
    """`count` megabytes of zeros, deflated."""
    stream = zlib.compressobj(9, zlib.DEFLATED, window)
    return b"".join(stream.compress(bytes(MIB)) for _ in range(count)) + stream.flush()


def zstd_block(kind: int, size: int, octets: bytes, last: bool) -> bytes:
    return (int(last) | kind << 1 | size << 3).to_bytes(3, "little") + octets


def zstd_frame(blocks: list[tuple[int, int, bytes]], window_log: int = 20) -> bytes:
    """Blocks: kind, size, octets."""
    parts = [zstd_block(*block, last=n == len(blocks) - 1) for n, block in enumerate(blocks)]
    return ZSTD_MAGIC + b"\0" + bytes([(window_log - 10) << 3]) + b"".join(parts)


def zstd(octets: bytes) -> bytes:
    pieces = [octets[at : at + ZSTD_BLOCK_MAX] for at in range(0, len(octets), ZSTD_BLOCK_MAX)]
    return zstd_frame([(RAW, len(piece), piece) for piece in pieces])


def zstd_zeros(count: int) -> bytes:
    """`count` megabytes, four octets for each block of 128 KiB."""
    return zstd_frame([(RLE, ZSTD_BLOCK_MAX, b"\0")] * (count * MIB // ZSTD_BLOCK_MAX))


def coded(name: str, says: str, coding: str, make, fate: str = "fetched", error: str | None = None, bomb: bool = False, **words):
    """`make`: the body, or a function that makes it."""
    body = functools.cache(make if callable(make) else lambda: make)

    async def act(peer):
        await peer.answer(body(), fields=f"Content-Encoding: {coding}\r\n")

    add(name, says, act, [visited(fate, error, **words)], bomb=bomb, prepare=body)


def bomb(name: str, says: str, coding: str, make):
    coded(name, says, coding, make, "retry", "bomb", bomb=True)


# --- bombs ---

bomb("bomb-gzip", "10 MiB of zeros in 10 KB.", "gzip", lambda: zeros(10))
bomb("bomb-deflate", "The same as deflate.", "deflate", lambda: zeros(10, 15))
bomb("bomb-deflate-raw", "The same as deflate without its wrapper.", "deflate", lambda: zeros(10, -15))
bomb("bomb-gzip-gzip", "100 MiB in a few hundred octets: gzip in gzip.", "gzip, gzip", lambda: gzip.compress(zeros(100), mtime=0))
bomb("bomb-brotli", "256 MiB in 211 octets.", "br", BROTLI_BOMB)
bomb("bomb-brotli-gzip", "The same in gzip.", "br, gzip", lambda: gzip.compress(BROTLI_BOMB, mtime=0))
bomb("bomb-zstd", "64 MiB in 2 KB.", "zstd", lambda: zstd_zeros(64))
bomb("bomb-zstd-gzip", "1 GiB in 33 KB in less: zstd in gzip.", "zstd, gzip", lambda: gzip.compress(zstd_zeros(1024), mtime=0))
bomb("bomb-gzip-zstd", "10 MiB in gzip in zstd.", "gzip, zstd", lambda: zstd(zeros(10)))
bomb("bomb-members", "A hundred gzip members of 100 KiB each.", "gzip", lambda: gzip.compress(bytes(102_400), mtime=0) * 100)


def sometimes_a_bomb(name: str, says: str, coding: str, octets_of):
    """Whether enough has come by the time that a megabyte is full depends on how the network cuts it: a bomb or a long page."""

    octets = functools.cache(octets_of)

    async def act(peer):
        await peer.head(f"Content-Encoding: {coding}\r\n")
        await (peer.pour if name.endswith("endless") else peer.send)(octets())

    add(name, says, act, [visited(("retry", "fetched"), ("bomb", None))], bomb=True, prepare=octets)


def endless_zeros() -> bytes:
    """A piece of a raw deflate stream that may be repeated for ever."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(bytes(MIB)) + stream.flush(zlib.Z_FULL_FLUSH)


sometimes_a_bomb("bomb-deflate-endless", "Zeros without end, 1000:1, in raw deflate.", "deflate", endless_zeros)
sometimes_a_bomb("bomb-zstd-large", "1 GiB in 33 KB.", "zstd", lambda: zstd_zeros(1024))
sometimes_a_bomb("bomb-gzip-large", "200 MiB in 200 KB.", "gzip", lambda: zeros(200))

# --- much work for nothing ---

NOTHING = {"bomb": True, "octets": 0}
coded("members-empty", "100,000 gzip members of nothing.", "gzip", lambda: gzip.compress(b"", mtime=0) * 100_000, **NOTHING)
coded("zstd-skipped", "250,000 frames of zstd that are to be skipped.", "zstd", b"\x50\x2a\x4d\x18\0\0\0\0" * 250_000, **NOTHING)
coded("zstd-empty", "200,000 frames of zstd with nothing in them.", "zstd", (ZSTD_MAGIC + b"\x20\0\1\0\0") * 200_000, **NOTHING)


def endless(name: str, says: str, coding: str, start: bytes, rest: bytes):
    async def act(peer):
        await peer.head(f"Content-Encoding: {coding}\r\n")
        await peer.send(start)
        await peer.pour(rest)

    add(name, says, act, [visited("retry", "protocol")], bomb=True)


GZIP_START = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
endless("gzip-empty-blocks", "gzip blocks without end that hold nothing.", "gzip", GZIP_START, b"\0\0\0\xff\xff")
endless("gzip-name-endless", "A file name without end in the header of gzip.", "gzip", b"\x1f\x8b\x08\x08\0\0\0\0\0\x03", b"name")
endless("brotli-empty-blocks", "brotli blocks without end that hold nothing.", "br", BROTLI_START, BROTLI_NOTHING)
endless("zstd-empty-blocks", "zstd blocks without end that hold nothing.", "zstd", ZSTD_MAGIC + b"\0\x50", zstd_block(RAW, 0, b"", False))

# --- streams that are none ---

coded("gzip-corrupt", "gzip with an octet changed in the middle.", "gzip", GZIPPED[:15] + bytes([GZIPPED[15] ^ 0x55]) + GZIPPED[16:],
      "retry", "decode")  # fmt: skip
coded("gzip-checksum", "gzip with a wrong checksum.", "gzip", GZIPPED[:-8] + b"\0" * 4 + GZIPPED[-4:], "retry", "decode")
coded("gzip-truncated", "gzip that ends early, in a body that does not.", "gzip", GZIPPED[:-12], "retry", "decode")
coded("gzip-plain", "Says gzip, and is not.", "gzip", BODY, "retry", "decode")
coded("brotli-plain", "Says brotli, and is not.", "br", b"\xff" * 100, "retry", "decode")
coded("brotli-truncated", "brotli that ends early.", "br", BROTLI[:-5], "retry", "decode")
coded("brotli-large-window", "brotli with a window as only its extension has it.", "br", b"\x11\x1e" + BROTLI, "retry", "decode")
coded("zstd-plain", "Says zstd, and is not.", "zstd", BODY, "retry", "decode")
coded("zstd-window", "zstd with a window of 2 GiB.", "zstd", zstd_frame([(RAW, N, BODY)], 31), "retry", "decode")
coded("zstd-one-segment", "zstd in one segment of a tebibyte.", "zstd", ZSTD_MAGIC + b"\xe0" + (1 << 40).to_bytes(8,
      "little") + b"\3\x10\0x",  # fmt: skip
      "retry", "decode")  # fmt: skip
coded("zstd-dictionary", "zstd with a dictionary that we do not have.", "zstd", ZSTD_MAGIC + b"\1\x50\7" + zstd_block(RAW, N, BODY, True),
      "retry", "decode")  # fmt: skip
coded("coding-exotic", "A coding that nobody knows.", "exotic", BODY, "retry", "decode")
coded("coding-three", "Three codings one over another.", "gzip, gzip, gzip", lambda: gzip.compress(gzip.compress(GZIPPED)), "retry",
      "decode")  # fmt: skip
coded("coding-thousand", "A thousand of them.", ", ".join(["gzip"] * 1000), GZIPPED, "retry", "decode")

# --- odd, and well ---

coded("deflate-zlib", "deflate as it is meant.", "deflate", deflated(BODY), octets=N)
coded("deflate-raw", "deflate as some servers send it.", "deflate", deflated(BODY, -15), octets=N)
coded("gzip-garbage", "gzip with garbage behind it.", "gzip", GZIPPED + b"garbage", octets=N)
coded("gzip-nothing", "A coded body without an octet.", "gzip", b"", octets=0)
coded("coding-names", "Names in capitals, empty elements, identity.", "X-GZIP, , identity,", GZIPPED, octets=N)
coded("brotli-well", "brotli as it is meant.", "br", BROTLI, octets=N)
coded("zstd-well", "zstd as it is meant.", "zstd", zstd(BODY), octets=N)
coded("gzip-cut", "More than network.max_body_size, and no bomb.", "gzip", lambda: gzip.compress(bytes(range(256)) * (BODY_MAX // 128), 0,
      mtime=0), cut="body")  # fmt: skip
