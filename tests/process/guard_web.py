"""An Internet of its own: every address there is belongs to this machine's loopback, and one process answers for all of them.

Runs inside a network namespace. A few addresses are the open web and a DNS server knows names; everything else is somebody's inside,
which answers too, so that whoever gets there gets something. Each accepted connection is a line of the log.
"""

import collections
import ipaddress
import json
import pathlib
import selectors
import socket
import struct
import subprocess
import sys

from littleweb import SYSTEM_PATH, die_with_parent

PORTS = (80, 443, 8080, 22, 25, 6379)
TLS_PORT = 443  # nobody here speaks it
DNS_PORT = 53  # of 127.0.0.1; who asks there is not asked where to
HEAD_MAX = 16384
START_SECONDS = 10
ROBOTS = "/robots.txt"
CHAIN_ROBOTS = "User-agent: *\nCrawl-delay: 0.3\n"  # of hosts whose pages lead to the next without end
SCRIPT = (
    "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo && "
    'ip route add unreachable "$1" table local && exec "$2" -B "$0" "$3"'
)


def namespace_options() -> list[str] | None:
    """How unshare(1) is allowed to make a network namespace here; None: it is not."""
    for options in (["-r", "-n"], ["-n"]):
        if subprocess.run(["unshare", *options, "true"], capture_output=True, check=False).returncode == 0:
            return options
    return None


class GuardWeb:
    """`with GuardWeb(world, folder, away) as web:` serves until the block ends. `away`: an IPv4 address without a route.

    `world`: `public`, the addresses of the open web; `answers`, "host path" -> status, location, body; `names`, name -> turns, each a
    list of addresses or `=name` for an alias: a question gets the next turn, and when there is none the last again.
    """

    def __init__(self, world: dict, folder: pathlib.Path, away: str):
        self.folder = folder
        self.away = away
        self.log = folder / "guard_web.tsv"
        self.nameserver = f"127.0.0.1:{DNS_PORT}"
        folder.mkdir()
        (folder / "world.json").write_text(json.dumps(world), encoding="utf-8")

    def __enter__(self):
        self.options = namespace_options()
        with open(self.folder / "guard_web.err", "wb") as errors:
            self.server = subprocess.Popen(
                ["unshare", *self.options, "sh", "-ec", SCRIPT, __file__, self.away, sys.executable, str(self.folder)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, preexec_fn=die_with_parent,
                env={"PATH": SYSTEM_PATH, "PYTHONPATH": str(pathlib.Path(sys.modules["littleweb"].__file__).parent)},
            )  # fmt: skip
        with selectors.DefaultSelector() as selector:
            selector.register(self.server.stdout, selectors.EVENT_READ)
            ready = selector.select(START_SECONDS) and self.server.stdout.readline()
        if ready != b"ready\n":
            self.__exit__()
            raise RuntimeError((self.folder / "guard_web.err").read_text())
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.communicate()

    def inside(self, *command) -> list[str]:
        """The command that runs `command` in the namespace, as the same process."""
        user = ["--user", "--preserve-credentials"] if "-r" in self.options else []
        return ["nsenter", "--target", str(self.server.pid), "--net", *user, *map(str, command)]

    def lines(self, what: str) -> list[list[str]]:
        """The fields of the log's lines about `what`: `opened` address port; `asked` address port host path; `named` name type answer."""
        lines = (line.split("\t") for line in self.log.read_text(encoding="utf-8").split("\n")[:-1])
        return [fields[1:] for fields in lines if fields[0] == what]

    def opened(self) -> collections.Counter:
        """How many connections each (address, port) has accepted."""
        return collections.Counter((address, int(port)) for address, port in self.lines("opened"))

    def attempts(self) -> int:
        """How many connections have been tried in the namespace, to whatever address and port."""
        names, values = [line.split() for line in self._counters().splitlines() if line.startswith("Tcp:")]
        return int(values[names.index("ActiveOpens")])

    def _counters(self) -> str:
        return pathlib.Path(f"/proc/{self.server.pid}/net/snmp").read_text(encoding="ascii")


# --- the server, a process of its own ---


class Connection:
    def __init__(self, peer: socket.socket, address: str, port: int):
        self.peer, self.address, self.port = peer, address, port
        self.octets = b""


class Server:
    def __init__(self, world: dict, log):
        self.world = world
        self.public = set(world["public"])
        self.log = log
        self.turns: collections.Counter = collections.Counter()
        self.selector = selectors.EpollSelector()
        for port in PORTS:
            listener = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=512)
            listener.setblocking(False)
            self.selector.register(listener, selectors.EVENT_READ, self.accept)
        names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        names.bind(("127.0.0.1", DNS_PORT))
        self.selector.register(names, selectors.EVENT_READ, self.name)

    def run(self):
        while True:
            for key, _ in self.selector.select():
                if isinstance(key.data, Connection):
                    self.read(key.data)
                else:
                    key.data(key.fileobj)
            self.log.flush()

    def write(self, *fields):
        self.log.write("\t".join(map(str, fields)) + "\n")

    def accept(self, listener: socket.socket):
        try:
            peer, _ = listener.accept()
        except OSError:
            return
        peer.setblocking(False)
        host, port = peer.getsockname()[:2]
        address = ipaddress.ip_address(host.partition("%")[0])
        connection = Connection(peer, str(address.ipv4_mapped or address), port)
        self.write("opened", connection.address, port)
        self.selector.register(peer, selectors.EVENT_READ, connection)

    def read(self, connection: Connection):
        try:
            octets = connection.peer.recv(HEAD_MAX)
        except OSError:
            octets = b""
        connection.octets += octets
        if not octets or len(connection.octets) > HEAD_MAX or connection.port == TLS_PORT:
            self.selector.unregister(connection.peer)
            connection.peer.close()
        elif b"\r\n\r\n" in connection.octets:
            head, _, connection.octets = connection.octets.partition(b"\r\n\r\n")
            line, *fields = head.decode("utf-8", "replace").split("\r\n")
            host = next((f.partition(":")[2].strip() for f in fields if f.lower().startswith("host:")), "")
            path = (line.split(" ") + [""])[1]
            self.write("asked", connection.address, connection.port, host, path)
            connection.peer.send(self.respond(connection.address, host, path))  # small, so it fits

    def respond(self, address: str, host: str, path: str) -> bytes:
        status, location, body = self.world["answers"].get(f"{host} {path}", (404 if path == ROBOTS else 200, "", ""))
        if address in self.public and host.startswith("chain"):
            status, body = 200, CHAIN_ROBOTS if path == ROBOTS else f'<a href="/{int(path.strip("/") or 0) + 1}">on</a>'
        octets = body.encode()
        head = f"HTTP/1.1 {status} x\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(octets)}\r\n"
        return (head + (f"Location: {location}\r\n" if location else "") + "\r\n").encode() + octets

    # --- names (RFC 1035) ---

    def name(self, channel: socket.socket):
        packet, asker = channel.recvfrom(1500)
        labels, at = [], 12
        while packet[at]:
            labels.append(packet[at + 1 : at + 1 + packet[at]].decode("latin-1"))
            at += 1 + packet[at]
        name, kind = ".".join(labels).lower(), struct.unpack_from("!H", packet, at + 1)[0]
        question = packet[12 : at + 5]
        turns = self.world["names"].get(name)
        addresses = self.next_turn(name, kind, turns) if turns else []
        alias = next((entry[1:] for entry in addresses if entry.startswith("=")), None)
        answers = []
        if alias:
            octets = b"".join(bytes([len(label)]) + label.encode() for label in alias.split(".")) + b"\0"
            answers.append(b"\xc0\x0c" + struct.pack("!HHIH", 5, 1, 0, len(octets)) + octets)
            owner, addresses = octets, self.next_turn(alias, kind, self.world["names"][alias])
        else:
            owner = b"\xc0\x0c"
        for text in addresses:
            address = ipaddress.ip_address(text)
            if kind == {4: 1, 6: 28}[address.version]:
                answers.append(owner + struct.pack("!HHIH", kind, 1, 0, len(address.packed)) + address.packed)
        self.write("named", name, kind, " ".join(addresses))
        head = packet[:2] + struct.pack("!HHHHH", 0x8580 if turns else 0x8583, 1, len(answers), 0, 0)
        channel.sendto(head + question + b"".join(answers), asker)

    def next_turn(self, name: str, kind: int, turns: list[list[str]]) -> list[str]:
        self.turns[name, kind] += 1
        return turns[min(self.turns[name, kind], len(turns)) - 1]


def serve(folder: pathlib.Path):
    world = json.loads((folder / "world.json").read_text(encoding="utf-8"))
    with open(folder / "guard_web.tsv", "w", encoding="utf-8") as log:
        server = Server(world, log)
        print("ready", flush=True)
        server.run()


if __name__ == "__main__":
    serve(pathlib.Path(sys.argv[1]))
