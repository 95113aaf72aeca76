"""All behaviours, each with an address of its own."""

from behaviour import Behaviour

from . import coding, dns, http_body, http_connection, http_head, redirects, robots, tls

GROUPS = {module.GROUP.name: module.GROUP for module in (http_head, http_body, http_connection, coding, robots, redirects, tls, dns)}
ADDRESSES_IN_ROW = 250


def all_behaviours() -> list[Behaviour]:
    behaviours = [behaviour for group in GROUPS.values() for behaviour in group.all]
    names = [behaviour.name for behaviour in behaviours]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"names that stand twice: {twice}")
    for number, behaviour in enumerate(behaviours):
        behaviour.address = f"127.4.{1 + number // ADDRESSES_IN_ROW}.{1 + number % ADDRESSES_IN_ROW}"
    return behaviours
