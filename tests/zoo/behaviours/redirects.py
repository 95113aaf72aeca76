"""Redirects and links: round in circles, without end, out of HTTP, and inside, where everything else is denied."""

from behaviour import REDIRECTS_MAX, Group, blocked, visited
from littleweb import page as html
from server import INSIDE, INSIDE_NAME

GROUP = Group("redirects")
page, add = GROUP.page, GROUP.add


async def send_to(peer, location: bytes, status: str = "302 Found"):
    """`location` goes out as it is."""
    location = location.replace(b":PORT", b":%d" % peer.port)
    await peer.send(b"HTTP/1.1 %s\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (status.encode(), location))
    peer.kept = True


def to(name: str, says: str, location, fate: str = "redirected", then=(), pages_max: int = 1, **more):
    """`/` redirects to `location`; all other paths are well."""
    octets = location.encode() if isinstance(location, str) else location

    async def act(peer):
        if peer.path == "/":
            await send_to(peer, octets)
        else:
            await peer.answer(html("arrived").encode())

    add(name, says, act, [visited(fate), *then], pages_max=pages_max, **more)


# --- round and round ---

to("redirect-self", "To itself.", "/")
to("redirect-empty", "A Location with nothing in it: to itself.", "")
to("redirect-fragment", "To a fragment of itself.", "#part")


@page("redirected", then=[visited("redirected", url="/b")], pages_max=2)
async def redirect_two_cycle(peer):
    """To a page that redirects back."""
    await send_to(peer, b"/b" if peer.path == "/" else b"/")


@page("redirected", then=[visited("refused", url=f"/{REDIRECTS_MAX}")], pages_max=REDIRECTS_MAX + 1)
async def redirect_endless(peer):
    """To the next page, and the next, and the next."""
    await send_to(peer, b"/%d" % (int(peer.path[1:] or 0) + 1))


OTHER = "http://other.redirect-ping-pong.zoo.test:PORT"


@page("redirected", then=[visited("refused", url=f"/{REDIRECTS_MAX}")], pages_max=REDIRECTS_MAX + 1)
async def redirect_ping_pong(peer):
    """The same between two sites."""
    step = int(peer.path[1:] or 0) + 1
    await send_to(peer, (f"http://{peer.behaviour.host}:PORT" if step % 2 == 0 else OTHER).encode() + b"/%d" % step)


# --- nowhere ---

async def nowhere(peer):
    await peer.answer(b"", "302 Found")


add("redirect-nowhere", "No Location.", nowhere, [visited("refused")])
for scheme, location in {
    "file": "file:///etc/passwd", "ftp": "ftp://inside.zoo.test/", "data": "data:text/html,<a href=/poison>x</a>",
    "gopher": f"gopher://{INSIDE[0]}:PORT/_GET%20/poison",
    "javascript": "javascript:location='/poison'", "blob": "blob:http://x.zoo.test/1",
    "ws": f"ws://{INSIDE[0]}:PORT/", "unix": "unix:/run/docker.sock", "view-source": "view-source:http://inside.zoo.test:PORT/",
}.items():  # fmt: skip
    to(f"redirect-{scheme}", f"To {scheme}:, which is not HTTP.", location, "refused")
to("redirect-slashes", "To //.", "//", "refused")
to("redirect-bad-host", "To a host that is none.", "http://a b<c>^/", "refused")
to("redirect-bad-port", "To port 65536.", "http://redirect-bad-port.zoo.test:65536/", "refused")
to("redirect-bad-ipv6", "To half of an IPv6 address.", "http://[::1/", "refused")
to("redirect-long", "A Location of 40 KB.", "/" + "a" * 40_000, "refused")
add("redirect-huge", "A Location of 100 KB.", lambda peer: send_to(peer, b"/" + b"a" * 100_000), [visited("retry", "head_limit")])

# --- odd ---

to("redirect-crlf-encoded", "A Location with CRLF in its path, percent-encoded: it has to stay so.", "/%0d%0aInjected:%20yes", pages_max=2,
   then=[visited("fetched", url="/%0d%0aInjected:%20yes")])  # fmt: skip
to("redirect-crlf", "A Location with CRLF in it, which is a field of its own.", b"/b\r\nX-Injected: yes", pages_max=2,
   then=[visited("fetched", url="/b")])  # fmt: skip
to("redirect-cr", "A Location with CR and HT in it.", b"/b\rInjected:\tyes", pages_max=2)
to("redirect-user", "A Location with a user name and a password, which must not be sent.",
   "http://user:secret@redirect-user.zoo.test:PORT/b", pages_max=2,  # fmt: skip
   then=[visited("fetched", url="/b")])  # fmt: skip
to("redirect-two", "Two Locations.", b"/b\r\nLocation: /poison", pages_max=2, then=[visited("fetched", url="/b")])
to("redirect-backslash", "Backslashes for slashes.", "http:\\\\redirect-backslash.zoo.test:PORT\\b", pages_max=2, then=[visited("fetched",
   url="/b")])  # fmt: skip
to("redirect-eight-bit", "A Location of octets above 127.", b"/caf\xe9\xff", pages_max=2, then=[visited("fetched", url="/caf%E9%FF")])


@page("redirected", then=[visited("fetched", url="/b")], pages_max=2)
async def redirect_300(peer):
    """300 with a Location."""
    await (send_to(peer, b"/b", "300 Multiple Choices") if peer.path == "/" else peer.answer(html("arrived").encode()))


# --- to bad ports of an address that is allowed ---

for port, what in {22: "ssh", 25: "mail", 3306: "a database", 5432: "another database", 6379: "redis", 11211: "memcached"}.items():
    url = f"http://redirect-port-{port}.zoo.test:{port}/"
    to(f"redirect-port-{port}", f"To port {port}, {what}.", url, bad_ports=(port,), then=[blocked(url)])

# --- inside: each spelling of an address that is denied, and the URL that it is ---

HERE = INSIDE[0]
SPELLINGS = {
    "plain": (f"http://{HERE}:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "hex": ("http://0x7f420001:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "decimal": ("http://2135031809:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "octal": ("http://0177.0102.0.01:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "short": ("http://127.4325377:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "mixed": ("http://0x7f.66.1:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "dot": (f"http://{HERE}.:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "percent": ("http://%31%32%37.66.0.1:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "full-width": ("http://１２７．６６．０．１:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "circled": ("http://①②⑦.⑥⑥.0.1:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "user": (f"http://www.zoo.test@{HERE}:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "relative": (f"//{HERE}:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "backslash": (f"\\\\{HERE}:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "tabs": (f"ht\ttp://{HERE[:5]}\t{HERE[5:]}:PORT/NAME", f"http://{HERE}:PORT/NAME"),
    "https": (f"https://{HERE}:PORT/NAME", f"https://{HERE}:PORT/NAME"),
    "name": (f"http://{INSIDE_NAME}:PORT/NAME", f"http://{INSIDE_NAME}:PORT/NAME"),
    "localhost": ("http://LOCALHOST:PORT/NAME", "http://localhost:PORT/NAME"),
    "below-localhost": ("http://www.localhost:PORT/NAME", "http://www.localhost:PORT/NAME"),
    "zero": ("http://0:PORT/NAME", "http://0.0.0.0:PORT/NAME"),
    "loopback-6": ("http://[::1]:PORT/NAME", "http://[::1]:PORT/NAME"),
    "any-6": ("http://[::]:PORT/NAME", "http://[::]:PORT/NAME"),
    "mapped": (f"http://[::ffff:{HERE}]:PORT/NAME", "http://[::ffff:7f42:1]:PORT/NAME"),
    "compatible": (f"http://[::{HERE}]:PORT/NAME", "http://[::7f42:1]:PORT/NAME"),
    "nat64": (f"http://[64:ff9b::{HERE}]:PORT/NAME", "http://[64:ff9b::7f42:1]:PORT/NAME"),
    "6to4": ("http://[2002:7f42:1::]:PORT/NAME", "http://[2002:7f42:1::]:PORT/NAME"),
    "metadata": ("http://169.254.169.254/latest/NAME", "http://169.254.169.254/latest/NAME"),
    "metadata-hex": ("http://0xa9fea9fe/latest/NAME", "http://169.254.169.254/latest/NAME"),
    "metadata-6": ("http://[fd00:ec2::254]/latest/NAME", "http://[fd00:ec2::254]/latest/NAME"),
    "private": ("http://10.0.0.1/NAME", "http://10.0.0.1/NAME"),
    "broadcast": ("http://255.255.255.255/NAME", "http://255.255.255.255/NAME"),
}
for spelling, (written, meant) in SPELLINGS.items():
    name = f"inside-{spelling}"
    says = f"To {meant.replace('/NAME', '/')}, as {spelling}."
    to(name, says, written.replace("NAME", name), then=[blocked(meant.replace("NAME", name))])


@page("fetched", then=[blocked(meant.replace("NAME", "linked")) for _, meant in SPELLINGS.values()])
async def inside_linked(peer):
    """A page with a link for each of these."""
    links = [written.replace("NAME", "linked").replace(":PORT", f":{peer.port}") for written, _ in SPELLINGS.values()]
    await peer.answer(html("links", *links).encode(), kind="text/html; charset=utf-8")
