#!/usr/bin/env python3
"""Writes the C++ source that holds the files of a folder: embed.py FOLDER OUTPUT.

The result defines find_status_file() of crawler/status_page.h.
"""

import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
PIECE = 8000  # octets of one literal: compilers have limits


def literal(text: str) -> str:
    """`text` as C++ literals; whatever it holds, no mark of ours occurs in it."""
    octets = text.encode()
    pieces = [octets[begin : begin + PIECE] for begin in range(0, len(octets), PIECE)] or [b""]
    return "\n".join('"' + "".join(f"\\{octet:03o}" if octet < 32 or octet > 126 or octet in b'"\\?' else chr(octet) for octet in piece) + '"' for piece in pieces)


def main() -> None:
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = []
    for file in sorted(folder.iterdir()):
        if file.suffix not in TYPES:
            continue
        path = "/" if file.name == "index.html" else "/" + file.name
        text = file.read_text(encoding="utf-8")
        rows.append(f'    {{"{path}", "{TYPES[file.suffix]}", std::string_view({literal(text)}, {len(text.encode())})}},')
    output.write_text(
        '#include "crawler/status_page.h"\n\nnamespace crawler {\nnamespace {\nconstexpr StatusFile kFiles[] = {\n'
        + "\n".join(rows)
        + "\n};\n}  // namespace\n\nconst StatusFile* find_status_file(std::string_view path) {\n"
        "  for (const StatusFile& file : kFiles) {\n    if (file.path == path) return &file;\n  }\n  return nullptr;\n}\n\n"
        "}  // namespace crawler\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
