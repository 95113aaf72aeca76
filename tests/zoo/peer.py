"""A connection as a hostile server sees it: plain sockets, so that every octet, FIN and RST is where a behaviour wants it."""

import asyncio
import fcntl
import socket
import ssl
import struct
import termios

from behaviour import Behaviour

REQUEST_MAX = 65536
READ = 65536
AT_ONCE = 256 * 1024


def response(body: bytes, status: str = "200 OK", fields: str = "", kind: str = "text/html") -> bytes:
    """One that is well. `fields`: further ones, each ending in CRLF."""
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


class Gone(Exception):
    """The other end is not there any more, which ends whatever is done to it."""


class Peer:
    """One accepted connection."""

    def __init__(self, sock: socket.socket, behaviour: Behaviour, port: int):
        self.sock = sock
        self.behaviour = behaviour
        self.port = port
        self.loop = asyncio.get_running_loop()
        self.request = b""  # the head of the request that is being answered
        self.path = ""
        self.context: ssl.SSLContext | None = None  # of a behaviour that does its own handshake
        self.kept = False  # what was answered last lets the connection go on
        self._unread = b""

    # --- octets ---

    async def read(self) -> bytes:
        """Some octets; none at the end."""
        try:
            return await self.loop.sock_recv(self.sock, READ)
        except OSError as lost:
            raise Gone from lost

    async def send(self, octets: bytes):
        try:
            await self.loop.sock_sendall(self.sock, octets)
        except OSError as lost:
            raise Gone from lost

    async def read_request(self) -> bool:
        """The next request; False when there is none."""
        while b"\r\n\r\n" not in self._unread:
            octets = await self.read()
            if not octets or len(self._unread) > REQUEST_MAX:
                return False
            self._unread += octets
        self.request, _, self._unread = self._unread.partition(b"\r\n\r\n")
        parts = self.request.split(b"\r\n", 1)[0].split(b" ")
        self.path = parts[1].decode("latin-1") if len(parts) == 3 else ""
        return True

    # --- ways to be slow ---

    async def drip(self, octets: bytes, gap: float = 1.0):
        """One octet at a time, `gap` seconds apart."""
        for octet in octets:
            await self.send(bytes([octet]))
            await asyncio.sleep(gap)

    async def pour(self, octets: bytes):
        """The same again and again until nobody reads any more."""
        octets *= max(1, AT_ONCE // len(octets))
        while True:
            await self.send(octets)
            await asyncio.sleep(0)  # sock_sendall() does not wait for a quick reader

    async def hold(self):
        """Says nothing more, and waits until the other end has had enough."""
        while await self.read():
            pass
        raise Gone

    async def settle(self):
        """Waits until the other end has all that was sent: the kernel has had its acknowledgement."""
        while struct.unpack("i", fcntl.ioctl(self.sock, termios.TIOCOUTQ, bytes(4)))[0]:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.01)

    # --- ways to end: returning from a behaviour is a FIN ---

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self.sock.close()

    # --- what good servers say ---

    async def answer(self, body: bytes = b"", status: str = "200 OK", fields: str = "", kind: str = "text/html"):
        """A response that is well, on a connection that may be kept."""
        self.kept = "Connection: close" not in fields
        await self.send(response(body, status, fields, kind))

    async def head(self, fields: str = "", status: str = "200 OK"):
        """A head that says nothing of where its body ends: what follows is the behaviour's."""
        self.kept = False
        await self.send(f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{fields}\r\n".encode())


class TlsPeer(Peer):
    """The same under TLS, with the records in our hands: `close_notify` is only sent when a behaviour says so."""

    def __init__(self, plain: Peer, context: ssl.SSLContext):
        super().__init__(plain.sock, plain.behaviour, plain.port)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    async def _flush(self):
        await super().send(self.outgoing.read())

    async def _fill(self) -> bool:
        octets = await super().read()
        self.incoming.write(octets)
        return bool(octets)

    async def handshake(self, send=None):
        """`send`: how our part of it goes out; otherwise at once."""
        while True:
            try:
                self.tls.do_handshake()
                return await (send or super().send)(self.outgoing.read())
            except ssl.SSLWantReadError:
                await (send or super().send)(self.outgoing.read())
                if not await self._fill():
                    raise Gone from None
            except ssl.SSLError as failed:
                await self._flush()  # the alert
                raise Gone from failed

    async def read(self) -> bytes:
        while True:
            try:
                return self.tls.read(READ)
            except ssl.SSLWantReadError:
                if not await self._fill():
                    return b""
            except ssl.SSLError as failed:
                raise Gone from failed

    async def send(self, octets: bytes):
        if octets:
            self.tls.write(octets)
        await self._flush()

    async def send_plain(self, octets: bytes):
        """Past TLS."""
        await super().send(octets)

    async def close_notify(self):
        try:
            self.tls.unwrap()
        except ssl.SSLError:
            pass  # theirs has not come yet
        await self._flush()
