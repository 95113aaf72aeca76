"""DNS messages (RFC 1035), as far as a hostile server needs them."""

import dataclasses
import socket
import struct

A, CNAME, AAAA, OPT = 1, 5, 28, 41
NOERROR, FORMERR, SERVFAIL, NXDOMAIN, REFUSED = 0, 1, 2, 3, 5
TRUNCATED = 0x0200
HEADER = 12
TO_QUESTION = b"\xc0\x0c"  # a compression pointer to the name in the question
TTL = 300


@dataclasses.dataclass
class Question:
    """`name` in lower case. `times`: how often it came before, for the same type. `section`: as it stood in the packet."""

    id: int
    name: str
    kind: int
    section: bytes
    address: str = ""  # of the behaviour that owns the name
    times: int = 0
    tcp: bool = False


def read_question(packet: bytes) -> Question | None:
    """The first question of a query; None when that is none."""
    labels, at = [], HEADER
    try:
        while length := packet[at]:
            labels.append(packet[at + 1 : at + 1 + length].decode("latin-1").lower())
            at += 1 + length
        kind = struct.unpack("!H", packet[at + 1 : at + 3])[0]
    except (IndexError, struct.error):
        return None
    return Question(struct.unpack("!H", packet[:2])[0], ".".join(labels), kind, packet[HEADER : at + 5])


def name_octets(name: str) -> bytes:
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def record(name: bytes, kind: int, data: bytes, ttl: int = TTL) -> bytes:
    return name + struct.pack("!HHIH", kind, 1, ttl, len(data)) + data


def address_record(address: str, name: bytes = TO_QUESTION, ttl: int = TTL) -> bytes:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return record(name, AAAA if ":" in address else A, socket.inet_pton(family, address), ttl)


def cname_record(name: bytes, target: str) -> bytes:
    return record(name, CNAME, name_octets(target))


def answer(question: Question, records: list[bytes] = (), code: int = NOERROR, flags: int = 0, count: int | None = None) -> bytes:
    """`count`: the number of answers that the header claims, when that is not the truth."""
    head = struct.pack("!HHHHHH", question.id, 0x8180 | flags | code, 1, len(records) if count is None else count, 0, 0)
    return head + question.section + b"".join(records)


def addresses(question: Question, *all_of_them: str, ttl: int = TTL) -> bytes:
    """Those of the type that was asked for, which may be none."""
    wanted = [address for address in all_of_them if (":" in address) == (question.kind == AAAA)]
    return answer(question, [address_record(address, ttl=ttl) for address in wanted if question.kind in (A, AAAA)])
