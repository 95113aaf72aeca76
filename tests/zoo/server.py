"""The servers, each a process of its own so that neither waits for the other: the wild one with all behaviours, and the calm one with
DNS and the good sites.

Both write down what they see, one JSON object in a line: `accepted`, `asked`, `question`, and `forbidden` for what must never happen.
"""

import asyncio
import collections
import contextlib
import json
import os
import re
import socket
import time

import dns_message
from behaviour import ROBOTS, Behaviour, is_robots
from dns_message import Question
from littleweb import page
from peer import Gone, Peer, TlsPeer

BACKLOG = 2048
INSIDE = ("127.66.0.1", "127.0.0.1", "::1")  # network.allow_addresses has none of them
INSIDE_NAME = "inside.zoo.test"
OPEN_ROBOTS = Behaviour.robots
# A request that has one of these shows that somebody else's octets got into it, or that what was secret or never linked got out.
FORBIDDEN = re.compile(rb"poison|\ninjected|\nauthorization:|\ncookie:|[^\r]\n|\r[^\n]", re.IGNORECASE)


class Witness:
    """Appends to a file that several processes share: a line is one write()."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def note(self, what: str, name: str, **more):
        os.write(self.file, (json.dumps({"at": time.time(), "what": what, "name": name} | more) + "\n").encode())


def listener(address: str, port: int, backlog: int = BACKLOG) -> socket.socket:
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((address, port))
    sock.listen(backlog)
    sock.setblocking(False)
    return sock


def full_listener(address: str, port: int) -> list[socket.socket]:
    """A listener whose backlog is taken: the kernel drops what else wants to connect."""
    sockets = [listener(address, port, 0)]
    for _ in range(3):
        sockets.append(socket.socket())
        sockets[-1].setblocking(False)
        sockets[-1].connect_ex((address, port))
    return sockets


class Server:
    """Accepts on any number of listeners, and gives each connection a task."""

    def __init__(self, port: int, witness: Witness):
        self.port = port
        self.witness = witness
        self.kept: list = []
        self.tasks: set[asyncio.Task] = set()

    def accept_on(self, sock: socket.socket, serve):
        self.kept.append(sock)
        asyncio.get_running_loop().add_reader(sock, self._accept, sock, serve)

    def _accept(self, sock: socket.socket, serve):
        for _ in range(BACKLOG):
            try:
                connection, _ = sock.accept()
            except OSError:
                return
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            task = asyncio.ensure_future(serve(connection))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)


class Wild(Server):
    """All behaviours, and the inside that nobody may get to."""

    def __init__(self, behaviours: list[Behaviour], port: int, witness: Witness, contexts: dict):
        super().__init__(port, witness)
        self.contexts = contexts
        self.robots_served: set[str] = set()
        for behaviour in behaviours:
            if behaviour.listens == "full":
                self.kept += full_listener(behaviour.address, port)
            elif behaviour.listens == "yes":
                self.accept_on(listener(behaviour.address, port), lambda sock, behaviour=behaviour: self.serve(sock, behaviour))
            for bad in behaviour.bad_ports:
                self.trap(behaviour.address, bad)
        for address in INSIDE:
            self.trap(address, port)

    def trap(self, address: str, port: int):
        async def caught(sock: socket.socket):
            self.witness.note("forbidden", address, why=f"a connection to {address} port {port}")
            sock.close()

        try:
            self.accept_on(listener(address, port), caught)
        except OSError as failed:  # no IPv6, no right to that port, or somebody has it
            self.witness.note("no_trap", address, why=f"{address} port {port}: {failed}")

    async def serve(self, sock: socket.socket, behaviour: Behaviour):
        peer = Peer(sock, behaviour, self.port)
        self.witness.note("accepted", behaviour.name)
        peer.context = self.contexts.get(behaviour.tls)
        try:
            if behaviour.at == "connect":
                return await behaviour.act(peer)
            if behaviour.tls:
                peer = TlsPeer(peer, peer.context)
                await peer.handshake()
            if behaviour.at == "accept" and behaviour.name in self.robots_served:
                return await behaviour.act(peer)
            while await peer.read_request():
                self.look_at(peer)
                await self.answer(peer, behaviour)
                if not peer.kept:
                    return
        except Gone:
            pass
        finally:
            peer.close()

    def look_at(self, peer: Peer):
        self.witness.note("asked", peer.behaviour.name, path=peer.path)
        if FORBIDDEN.search(peer.request):
            self.witness.note("forbidden", peer.behaviour.name, why=f"the request {peer.request!r}")

    async def answer(self, peer: Peer, behaviour: Behaviour):
        robots = is_robots(peer.path)
        peer.kept = False
        if behaviour.act and behaviour.at == ("robots" if robots else "page"):
            await behaviour.act(peer)
        elif robots:
            self.robots_served.add(behaviour.name)
            fields = "Connection: close\r\n" if behaviour.at == "accept" else ""
            await peer.answer(behaviour.robots, fields=fields, kind="text/plain")
        else:
            await peer.answer(behaviour.pages.get(peer.path, page(peer.path).encode()))


class Good(Server):
    """Sites that only want to be crawled: host -> (address, number of pages, octets of each)."""

    def __init__(self, sites: dict[str, tuple[str, int, int]], port: int, witness: Witness):
        super().__init__(port, witness)
        for host, (address, count, octets) in sites.items():
            front = page(host, *(f"/{n}.html" for n in range(1, count))).encode()
            leaf = page("leaf", "<p>" + "x" * octets + "</p>").encode()
            self.accept_on(
                listener(address, port),
                lambda sock, host=host, front=front, leaf=leaf, single=count == 1: self.serve(sock, host, leaf if single else front, leaf),
            )

    async def serve(self, sock: socket.socket, host: str, front: bytes, leaf: bytes):
        peer = Peer(sock, None, self.port)
        try:
            while await peer.read_request():
                self.witness.note("asked", host, path=peer.path)
                if peer.path == ROBOTS:
                    await peer.answer(OPEN_ROBOTS, kind="text/plain")
                else:
                    await peer.answer(front if peer.path == "/" else leaf)
        except Gone:
            pass
        finally:
            peer.close()


class Dns(asyncio.DatagramProtocol):
    """Answers by the behaviour that owns the name; names below that of a behaviour are its own too."""

    def __init__(self, behaviours: list[Behaviour], hosts: dict[str, str], witness: Witness, wait: float = 0.0):
        self.wait = wait
        self.owners = {behaviour.host: behaviour for behaviour in behaviours}
        self.hosts = hosts | {INSIDE_NAME: INSIDE[0]}
        self.witness = witness
        self.asked: collections.Counter = collections.Counter()
        self.transport = None
        self.tasks: set[asyncio.Task] = set()

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data: bytes, addr):
        for delay, packet in self.answers(data, tcp=False):
            asyncio.get_running_loop().call_later(self.wait + delay, self.transport.sendto, packet, addr)

    def answers(self, packet: bytes, tcp: bool) -> list[tuple[float, bytes]]:
        """(seconds to wait, what to send)..."""
        question = dns_message.read_question(packet)
        if question is None:
            return []
        question.tcp = tcp
        owner = self.owners.get(question.name) or self.owners.get(question.name.partition(".")[2])
        if owner is None:
            address = self.hosts.get(question.name)
            found = dns_message.addresses(question, address) if address else dns_message.answer(question, code=dns_message.NXDOMAIN)
            return [(0, found)]
        self.witness.note("question", owner.name)
        question.address = owner.address
        key = (question.name, question.kind, tcp)
        question.times = self.asked[key]
        self.asked[key] += 1
        if owner.resolve is None:
            return [(0, dns_message.addresses(question, owner.address))]
        found = owner.resolve(question)
        if found is None:
            return []
        return [(0, found)] if isinstance(found, bytes) else found

    async def serve(self, sock: socket.socket):
        """Questions over TCP, each behind its length; a late answer keeps no other waiting."""
        peer = Peer(sock, None, 0)
        one_at_a_time = asyncio.Lock()
        unread = b""

        async def reply(delay: float, packet: bytes):
            await asyncio.sleep(delay)
            async with one_at_a_time:
                with contextlib.suppress(Gone):
                    await peer.send(len(packet).to_bytes(2, "big") + packet)

        try:
            while octets := await peer.read():
                unread += octets
                while len(unread) >= 2 and len(unread) >= (end := 2 + int.from_bytes(unread[:2], "big")):
                    self.tasks |= {asyncio.ensure_future(reply(*answer)) for answer in self.answers(unread[2:end], tcp=True)}
                    unread = unread[end:]
        except Gone:
            pass
        finally:
            peer.close()
