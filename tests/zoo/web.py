"""The hostile web as the parent sees it: starts the servers, names their places, reads what they saw, and ends them."""

import asyncio
import json
import os
import pathlib
import resource
import signal
import socket
import traceback

import certificates
from behaviour import Behaviour
from littleweb import die_with_parent, free_port
from server import Dns, Good, Server, Wild, Witness, listener

START_SECONDS = 20
START_ATTEMPTS = 3  # a free port may be taken by somebody else before we get to it
NAMESERVER = "127.0.0.1"


def good_sites(count: int = 20, pages: int = 10, octets: int = 2000) -> dict[str, tuple[str, int, int]]:
    """Host -> address, number of pages, octets of each."""
    return {f"good{n}.test": (f"127.4.250.{n + 1}", pages, octets) for n in range(count)}


class Web:
    """`with Web(behaviours, sites, folder) as web:` serves until the block ends. `sites`: of the good ones, see server.Good.

    `certificates_in`: where certificates are, or will be made. `names_wait`: seconds that every DNS answer takes. `humble`: the wild
    server gets only what CPU the others leave.
    """

    def __init__(
        self, behaviours: list[Behaviour], sites: dict[str, tuple[str, int, int]], folder: pathlib.Path,
        certificates_in: pathlib.Path | None = None, names_wait: float = 0.0, humble: bool = False,
    ):  # fmt: skip
        self.behaviours = behaviours
        self.sites = sites
        self.folder = folder
        self.names_wait = names_wait
        self.humble = humble
        self.certificates = certificates_in or folder / "certificates"
        self.seen = folder / "witness.jsonl"
        self.children: list[int] = []

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ca_file, contexts = certificates.contexts({b.tls for b in self.behaviours if b.tls}, self.certificates)
        for behaviour in self.behaviours:
            if behaviour.prepare:
                behaviour.prepare()
        places = [behaviour.address for behaviour in self.behaviours] + [address for address, _, _ in self.sites.values()]
        witness = Witness(self.seen)
        for attempt in range(START_ATTEMPTS):
            self.port = free_port(addresses=places)
            self.dns_port = free_port(kinds=(socket.SOCK_DGRAM, socket.SOCK_STREAM))
            try:
                self._fork(lambda: self._wild(witness, contexts))
                self._fork(lambda: self._calm(witness))
                break
            except BaseException as failed:
                self.stop()
                if attempt + 1 == START_ATTEMPTS or not isinstance(failed, RuntimeError):
                    raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """May be called twice."""
        for child in self.children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self.children = []

    @property
    def nameserver(self) -> str:
        return f"{NAMESERVER}:{self.dns_port}"

    def witnessed(self) -> list[dict]:
        """Everything so far, in order."""
        lines = self.seen.read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def forbidden(self) -> list[str]:
        return [line["why"] for line in self.witnessed() if line["what"] == "forbidden"]

    # --- the children ---

    def _wild(self, witness: Witness, contexts: dict) -> Server:
        if self.humble:
            os.nice(19)
        return Wild(self.behaviours, self.port, witness, contexts)

    def _calm(self, witness: Witness) -> Server:
        good = Good(self.sites, self.port, witness)
        dns = Dns(self.behaviours, {host: address for host, (address, _, _) in self.sites.items()}, witness, self.names_wait)
        place = (NAMESERVER, self.dns_port)
        good.kept.append(asyncio.ensure_future(asyncio.get_running_loop().create_datagram_endpoint(lambda: dns, local_addr=place)))
        good.accept_on(listener(*place), dns.serve)
        return good

    def _fork(self, make):
        """A child in which `make` makes a server; returns when it listens."""
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            ours.close()
            self._be_child(make, theirs)
        theirs.close()
        self.children.append(child)
        ours.settimeout(START_SECONDS)
        with ours:
            if ours.recv(1) != b"+":
                raise RuntimeError("a server of the zoo did not start; see above")

    @staticmethod
    def _be_child(make, ready: socket.socket):
        async def serve():
            server = make()
            await asyncio.gather(*(thing for thing in server.kept if isinstance(thing, asyncio.Future)))
            ready.sendall(b"+")
            await asyncio.Event().wait()

        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            die_with_parent()
            most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            asyncio.run(serve())
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc()
        finally:
            os._exit(1)
