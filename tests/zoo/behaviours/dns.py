"""DNS: servers that lie, are silent, go round in circles, or say something else each time."""

import os

import dns_message
from behaviour import DNS, Group, outcome, reached, unreachable, visited
from dns_message import A, AAAA, NXDOMAIN, REFUSED, SERVFAIL, TO_QUESTION, TRUNCATED
from dns_message import address_record, addresses, answer, cname_record, name_octets, record
from server import INSIDE

GROUP = Group("dns")
resolve = GROUP.resolve
FAILURE, TIMEOUT = unreachable("dns_failure"), unreachable("dns_timeout")
EITHER = unreachable(("dns_failure", "dns_timeout"))
BLOCKED = [outcome("robots", error="blocked_address"), visited("blocked")]
OUTSIDE_6 = "2001:db8::1"  # for documentation: denied
ALL_ADDRESSES = [f"127.4.200.{n % 250 + 1}" for n in range(1000)]


@resolve(FAILURE, pages_max=0)
def dns_no_such_name(question):
    """NXDOMAIN."""
    return answer(question, code=NXDOMAIN)


@resolve(FAILURE, pages_max=0)
def dns_servfail(question):
    """SERVFAIL."""
    return answer(question, code=SERVFAIL)


@resolve(FAILURE, pages_max=0)
def dns_refused(question):
    """REFUSED."""
    return answer(question, code=REFUSED)


@resolve(FAILURE, pages_max=0)
def dns_empty(question):
    """The name exists, but has no address."""
    return answer(question)


@resolve(TIMEOUT, within=DNS, pages_max=0)
def dns_silent(_):
    """No answer at all."""
    return None


@resolve(TIMEOUT, within=DNS, pages_max=0)
def dns_late(question):
    """The answer comes two seconds too late."""
    return [(DNS + 2, addresses(question, question.address))]


@resolve(reached(), within=DNS)
def dns_slow(question):
    """The answer comes after a second."""
    return [(1.0, addresses(question, question.address))]


@resolve(reached(), within=DNS)
def dns_first_lost(question):
    """The first packet is lost."""
    return addresses(question, question.address) if question.times else None


@resolve(reached(), within=DNS)
def dns_only_v4(question):
    """The question for IPv6 addresses is answered with NXDOMAIN, as broken servers do."""
    return addresses(question, question.address) if question.kind == A else answer(question, code=NXDOMAIN)


@resolve(BLOCKED, pages_max=0)
def dns_only_v6(question):
    """The question for IPv4 addresses is answered with NXDOMAIN; the IPv6 address is one for documentation."""
    return addresses(question, OUTSIDE_6) if question.kind == AAAA else answer(question, code=NXDOMAIN)


@resolve([outcome("robots", error=(None, "dns_timeout"))], within=DNS)
def dns_silent_about_v6(question):
    """The question for IPv6 addresses is never answered, as broken servers do: to wait for it or not is both fine."""
    return addresses(question, question.address) if question.kind == A else None


# --- packets ---

@resolve(EITHER, within=DNS, pages_max=0)
def dns_garbage(_):
    """Random octets."""
    return os.urandom(100)


@resolve(EITHER, within=DNS, pages_max=0)
def dns_short(question):
    """Half a header."""
    return answer(question)[:6]


@resolve(TIMEOUT, within=DNS, pages_max=0)
def dns_wrong_id(question):
    """An answer to another question: its number is wrong."""
    packet = addresses(question, INSIDE[0])
    return bytes([packet[0] ^ 0x55, packet[1] ^ 0x55]) + packet[2:]


@resolve(EITHER, within=DNS, pages_max=0)
def dns_wrong_question(question):
    """An answer to another question: its name is wrong."""
    other = dns_message.Question(question.id, "x", question.kind, name_octets("other.zoo.test") + question.section[-4:])
    return addresses(other, question.address)


@resolve(reached())
def dns_spoofed(question):
    """An answer with a wrong number and the inside's address, right before the true one."""
    return [(0, dns_wrong_id(question)), (0.05, addresses(question, question.address))]


@resolve(EITHER, within=DNS, pages_max=0)
def dns_pointer_loop(question):
    """A name that is compressed to itself."""
    at = dns_message.HEADER + len(question.section)
    return answer(question, [address_record(question.address, bytes([0xC0 | at >> 8, at & 0xFF]))])


@resolve(EITHER, within=DNS, pages_max=0)
def dns_pointer_out(question):
    """A name that is compressed to somewhere behind the packet."""
    return answer(question, [address_record(question.address, b"\xff\xff")])


@resolve(EITHER, within=DNS, pages_max=0)
def dns_too_few(question):
    """One answer where 65,535 are announced."""
    return answer(question, [address_record(question.address)], count=65535)


@resolve(EITHER, within=DNS, pages_max=0)
def dns_short_address(question):
    """An address of two octets."""
    return answer(question, [record(TO_QUESTION, question.kind, b"\x7f\4")])


@resolve(reached(), within=DNS)
def dns_large_packet(question):
    """A packet of sixty kilobytes for one address, over TCP where we ask for that."""
    if not question.tcp:
        return answer(question, flags=TRUNCATED)
    filler = [record(TO_QUESTION, 16, b"\xff" + b"x" * 255)] * 220
    return answer(question, ([address_record(question.address)] if question.kind == A else []) + filler)


# --- truncated ---

@resolve(EITHER, within=DNS, pages_max=0)
def dns_truncated(question):
    """Truncated over UDP, and nothing over TCP."""
    return None if question.tcp else answer(question, flags=TRUNCATED)


@resolve(EITHER, within=DNS, pages_max=0)
def dns_truncated_always(question):
    """Truncated over UDP, and over TCP again."""
    return answer(question, flags=TRUNCATED)


@resolve(reached(), within=DNS)
def dns_truncated_well(question):
    """Truncated over UDP, well over TCP."""
    return addresses(question, question.address) if question.tcp else answer(question, flags=TRUNCATED)


@resolve([outcome("robots", error=(None, "dns_timeout"))], within=DNS)
def dns_truncated_late(question):
    """Truncated over UDP, and after half of the deadline over TCP: c-ares gives a fifth of it and does not ask again, which is fine."""
    return [(DNS / 2, addresses(question, question.address))] if question.tcp else answer(question, flags=TRUNCATED)


# --- names that lead to names ---

@resolve(EITHER, within=DNS, pages_max=0)
def dns_cname_self(question):
    """An alias for itself."""
    return answer(question, [cname_record(TO_QUESTION, question.name)])


@resolve(EITHER, within=DNS, pages_max=0)
def dns_cname_loop(question):
    """Two aliases for each other."""
    other = "b.dns-cname-loop.zoo.test"
    return answer(question, [cname_record(TO_QUESTION, other), cname_record(name_octets(other), question.name)])


@resolve(EITHER, within=DNS, pages_max=0)
def dns_cname_endless(question):
    """Each name is an alias for the next, which has to be asked for."""
    step = question.name.partition(".")[0].removeprefix("n")
    return answer(question, [cname_record(TO_QUESTION, f"n{int(step) + 1 if step.isdigit() else 0}.dns-cname-endless.zoo.test")])


def chain(question, address: str) -> bytes:
    """A hundred aliases in one answer, and the address of the last."""
    names = [question.name] + [f"n{n}.zoo.test" for n in range(100)]
    aliases = [cname_record(name_octets(name), target) for name, target in zip(names, names[1:])]
    last = [address_record(address, name_octets(names[-1]))] if question.kind == A else []
    return answer(question, aliases + last) if question.tcp else answer(question, flags=TRUNCATED)


@resolve([outcome("robots"), outcome("verdict")], within=DNS)
def dns_cname_chain(question):
    """A hundred aliases, the last of which has our address: to follow them or not is both fine."""
    return chain(question, question.address)


@resolve(BLOCKED, pages_max=0)
def dns_cname_inside(question):
    """An alias for a name whose address is inside."""
    other = "c.dns-cname-inside.zoo.test"
    last = [address_record(INSIDE[0], name_octets(other))] if question.kind == A else []
    return answer(question, [cname_record(TO_QUESTION, other), *last])


# --- addresses ---

@resolve(BLOCKED, pages_max=0)
def dns_inside(question):
    """The address is private."""
    return addresses(question, INSIDE[0])


@resolve(BLOCKED, pages_max=0)
def dns_metadata(question):
    """The address is where clouds keep credentials."""
    return addresses(question, "169.254.169.254", "fd00:ec2::254")


@resolve(BLOCKED, pages_max=0)
def dns_mapped(question):
    """The IPv6 address is a private IPv4 address in disguise, and nothing else is there."""
    return addresses(question, f"::ffff:{INSIDE[0]}")


@resolve(BLOCKED, pages_max=0)
def dns_zero(question):
    """The address is 0.0.0.0, which is this machine."""
    return addresses(question, "0.0.0.0", "::")


@resolve(reached())
def dns_mixed(question):
    """A private address beside ours: ours is taken."""
    return addresses(question, INSIDE[0], question.address, "10.0.0.1")


@resolve(reached())
def dns_rebinding(question):
    """Our address first, a private one from then on, each for no time at all."""
    return addresses(question, INSIDE[0] if question.times else question.address, ttl=0)


@resolve(BLOCKED, pages_max=0)
def dns_rebinding_reversed(question):
    """A private address first, ours from then on."""
    return addresses(question, question.address if question.times else INSIDE[0], ttl=0)


@resolve(unreachable("refused"), within=DNS, pages_max=0)
def dns_thousand(question):
    """A thousand addresses, on none of which anybody listens."""
    return addresses(question, *ALL_ADDRESSES) if question.tcp else answer(question, flags=TRUNCATED)


@resolve(unreachable(("dns_failure", "dns_timeout", "refused")), within=DNS, pages_max=0)
def dns_thousand_in_a_packet(question):
    """The same in one UDP packet, thirty times as long as we said that we take."""
    return addresses(question, *ALL_ADDRESSES)
