#!/usr/bin/env python3
"""Writes html_entities.inc, the named character references of HTML (WHATWG HTML §13.5).

Python ships the list of the standard as html.entities.html5. Run again only when the standard gains a name, which
it promises not to do:  crawler/make_html_entities.py > crawler/html_entities.inc
"""
from html.entities import html5


def main():
    print("// Made by make_html_entities.py; not edited by hand. Sorted by octets: name without `&`, text in UTF-8.")
    line = ""
    for name, text in sorted(html5.items()):
        octets = "".join(f"\\x{octet:02X}" for octet in text.encode())
        entry = f'{{"{name}", "{octets}"}},'
        if line and len(line) + 1 + len(entry) > 110:
            print(line)
            line = ""
        line += (" " if line else "") + entry
    print(line)


if __name__ == "__main__":
    main()
