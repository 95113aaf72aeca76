#!/usr/bin/env python3
"""The rules of the house that no compiler checks. Prints `file:line: message` for each breach and exits with 1; silent when clean.

Usage: check_house.py [ROOT]
"""

import pathlib
import re
import sys

# Who may include whom: base -> config -> {robots, scheduler, fetch} -> crawler.
ROOMS = {
    "base": {"base"},
    "config": {"base", "config"},
    "robots": {"base", "config", "robots"},
    "scheduler": {"base", "config", "scheduler"},
    "fetch": {"base", "config", "fetch"},
    "crawler": {"base", "config", "robots", "scheduler", "fetch", "crawler"},
}

# What decides does no I/O: these files reach none of HEAVY, not through other headers of ours either.
HEAVY = re.compile(r"^(boost/(asio|beast)|openssl/|spdlog/|yaml-cpp/)")
BASE_WITH_IO = {"base/async.h", "base/clock.h", "base/tasks.h", "base/log.h"}

LINES_MAX = 600
LONG_FILES: dict[str, str] = {}  # path -> why it may be longer

# These connect past the address guard, and so to Unix sockets alone: nothing in them can name an address of a network, and a descriptor
# that they connect is one that they have made.
UNIX_CLIENTS = {"crawler/admin_client.cpp"}
NETWORK_NAMES = re.compile(
    r"\b[AP]F_(?!UNIX\b)\w+|\bsockaddr_(?!un\b)\w+"
    r"|\b(?:in6?_addr|getaddrinfo|gethostby\w+|inet_\w+|htons|tcp|udp|ip)\b"
)
NETWORK_INCLUDES = re.compile(r"^(netinet/|arpa/|netdb\.h|net/|netpacket/|linux/|boost/asio|boost/beast/core|fetch/)")
OTHER_SOCKETS = re.compile(r"(?<![\w.>])(?:::)?socket\s*\((?!\s*AF_UNIX\s*,)|\bsocketpair\b|\brecvmsg\b|\bpidfd_getfd\b|\bsyscall\b")

# (pattern in the code of a room, files where it may stand, message)
WORDS = [
    (r"::now\s*\(|\bclock_gettime\b|\bgettimeofday\b|\btime\s*\(\s*(?:nullptr|NULL|0)\s*\)|\b(?:this_thread::sleep|nanosleep|usleep)",
     {"base/clock.cpp"}, "time is an argument; only base/clock.cpp reads a clock"),
    (r"\bco_spawn\b", {"base/tasks.cpp"}, "co_spawn only in base/tasks.cpp: use base::Tasks"),
    (r"\basync_connect\b|(?:\.|->|\basio::)\s*connect\s*\(", {"fetch/connect.cpp"},
     "connecting only in fetch/connect.cpp, where the address guard is"),
    (r"(?<![\w:>])::connect\s*\(", {"fetch/connect.cpp", *UNIX_CLIENTS},
     "connecting only in fetch/connect.cpp, where the address guard is"),
    (r"\bs?rand\s*\(|\brand_r\s*\(|\bdrand48\s*\(|\bstd::random_device\b", {"base/hash.cpp", "crawler/main.cpp", "crawler/daemon.cpp"},
     "chance comes from the shard's base::Random"),
    (r"\bstd::mt19937", {"base/random.h"}, "chance comes from the shard's base::Random"),
]  # fmt: skip
WORDS_ANYWHERE = [
    (r"\bdetached\b|\.\s*detach\s*\(\s*\)", "detached work loses its exceptions: use base::Tasks"),
    (r"\bstd::w?regex\b|\bstd::basic_regex\b", "std::regex recurses on its input"),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)
TOKENS = re.compile(
    r"""(?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")"""
    r"""|(?P<comment>//(?:[^\n\\]|\\.)*|/\*.*?\*/)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<digits>\b\d[\w.']*)|(?P<char>'(?:[^'\\\n]|\\.)*')""",
    re.DOTALL,
)
TEXT_FILES = {".h", ".cpp", ".py", ".sh", ".cmake", ".txt", ".md", ".json", ".yaml", ".yml", ".service"}
NOT_OURS = ("build/", "tests/data/", "tests/fuzz/corpus/", ".git/")


def blanked(text: str) -> str:
    """`text` with comments and literals replaced by blanks; every line stays where it is. Quotes stay."""

    def blank(match: re.Match) -> str:
        if match.lastgroup == "digits":  # 1'000 is no character literal
            return match.group()
        whole = re.sub(r"[^\n]", " ", match.group())
        return whole if match.lastgroup == "comment" else '"' + whole[1:-1] + '"'

    return TOKENS.sub(blank, text)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


class House:
    def __init__(self, root: pathlib.Path):
        self.root = root
        self.breaches: list[tuple[str, int, str]] = []
        self.texts: dict[str, str] = {}
        self.codes: dict[str, str] = {}
        self.includes: dict[str, list[tuple[int, str, str]]] = {}  # path -> (line, `"` or `<`, what)
        for file in sorted(root.rglob("*")):
            path = file.relative_to(root).as_posix()
            if path.startswith(NOT_OURS) or not (file.suffix in TEXT_FILES or path == ".ci/run") or not file.is_file():
                continue
            self.texts[path] = file.read_text(encoding="utf-8", errors="replace")
            if file.suffix in (".h", ".cpp"):
                text = self.texts[path]
                self.codes[path] = blanked(text)
                self.includes[path] = [(line_of(text, m.start()), m.group(1), m.group(2)) for m in INCLUDE.finditer(text)]

    def breach(self, path: str, line: int, message: str):
        self.breaches.append((path, line, message))

    def check(self) -> list[tuple[str, int, str]]:
        for path, text in self.texts.items():
            self.layout(path, text)
        for path, code in self.codes.items():
            room = path.split("/")[0]
            self.includes_of_tests_and_rooms(path, room)
            self.header(path, code)
            self.words(path, room, code)
            if path in UNIX_CLIENTS:
                self.unix_only(path, code)
            self.awaits(path, code)
            if self.is_pure(path):
                self.purity(path)
        return sorted(set(self.breaches))

    # --- rules ---

    def layout(self, path: str, text: str):
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if "\t" in line:
                self.breach(path, number, "a tab")
            if line != line.rstrip():
                self.breach(path, number, "blanks at the end of the line")
        if text and not text.endswith("\n"):
            self.breach(path, len(lines), "no newline at the end of the file")
        if path.endswith((".h", ".cpp", ".py", ".sh")) and len(lines) - 1 > LINES_MAX and path not in LONG_FILES:
            self.breach(path, len(lines) - 1, f"{len(lines) - 1} lines; {LINES_MAX} are the most without a reason in LONG_FILES")

    def includes_of_tests_and_rooms(self, path: str, room: str):
        for line, quote, what in self.includes[path]:
            if what == "regex":
                self.breach(path, line, "std::regex recurses on its input")
            if room not in ROOMS:
                continue
            target = what.split("/")[0]
            if quote == '"' and (target not in ROOMS or "/" not in what):
                self.breach(path, line, f'"{what}": a room includes rooms, by their path from the root')
            elif quote == '"' and target not in ROOMS[room]:
                self.breach(path, line, f"{room} must not know {target}")
            elif quote == "<" and target in ROOMS and what in self.codes:
                self.breach(path, line, f'write "{what}" with quotes')
            if what.startswith("yaml-cpp/") and not (room == "config" and path.endswith(".cpp")):
                self.breach(path, line, "yaml-cpp only in config/*.cpp")
            if what.startswith("rocksdb/") and path != "crawler/store.cpp":
                self.breach(path, line, "RocksDB only in crawler/store.cpp")
            if what.startswith("spdlog/") and not path.startswith("base/log."):
                self.breach(path, line, "spdlog only in base/log.*")

    def header(self, path: str, code: str):
        if not path.endswith(".h"):
            return
        if not code.lstrip().startswith("#pragma once"):
            self.breach(path, 1, "a header begins with #pragma once")
        for match in re.finditer(r"\busing\s+namespace\s+([\w:]+)", code):
            if match.group(1) != "std::chrono_literals":
                self.breach(path, line_of(code, match.start()), f"using namespace {match.group(1)} in a header")

    def words(self, path: str, room: str, code: str):
        for pattern, message in WORDS_ANYWHERE:
            for match in re.finditer(pattern, code):
                self.breach(path, line_of(code, match.start()), message)
        for pattern, allowed, message in WORDS if room in ROOMS else []:
            for match in re.finditer(pattern, code) if path not in allowed else []:
                self.breach(path, line_of(code, match.start()), message)

    def unix_only(self, path: str, code: str):
        message = "this file may connect to Unix sockets only"
        for pattern in (NETWORK_NAMES, OTHER_SOCKETS):
            for match in pattern.finditer(code):
                self.breach(path, line_of(code, match.start()), message)
        for line, _, what in self.includes[path]:
            if NETWORK_INCLUDES.match(what):
                self.breach(path, line, f"{message}: not <{what}>")

    def awaits(self, path: str, code: str):
        """g++ 12 destroys an aggregate or a capturing lambda twice when it is made inside a co_await expression."""
        for match in re.finditer(r"\bco_await\b", code):
            expression = code[match.end() : self.expression_end(code, match.end())]
            for pattern, what in (
                (r"(?<![\w\])])\[[^\[\]]*[^\[\]\s][^\[\]]*\]\s*(?:\(|\{|mutable\b|<)", "a capturing lambda"),
                (r"\b[A-Za-z_][\w:]*(?:<[\w:,\s*&<>]*>)?\s*\{", "an aggregate"),
                (r"[(,]\s*\{", "a braced list"),
            ):
                for bad in re.finditer(pattern, expression):
                    if what == "an aggregate" and re.match(r"(mutable|noexcept|try|do|else|const)\b", bad.group()):
                        continue
                    line = line_of(code, match.end() + bad.start() + len(bad.group()) - len(bad.group().lstrip()))
                    self.breach(path, line, f"{what} inside a co_await expression: name it first, then move it")

    @staticmethod
    def expression_end(code: str, begin: int) -> int:
        """Where the operand that begins at `begin` ends: at `;`, at a `,` or `?` of its own level, or when its surroundings close."""
        depth = 0
        for offset in range(begin, len(code)):
            letter = code[offset]
            if letter in "([{":
                depth += 1
            elif letter in ")]}":
                depth -= 1
            if depth < 0 or (depth == 0 and letter in ";,?"):
                return offset
        return len(code)

    def is_pure(self, path: str) -> bool:
        room = path.split("/")[0]
        if room == "base":
            return path.endswith(".h") and path not in BASE_WITH_IO
        return room in ("robots", "scheduler") or path == "config/config.h"

    def purity(self, start: str):
        seen = {start}
        queue = [(start, line, what, [start]) for line, _, what in self.includes[start]]
        while queue:
            path, line, what, way = queue.pop(0)
            if HEAVY.match(what):
                through = "" if len(way) == 1 else f" (through {', '.join(way[1:])})"
                first = line if len(way) == 1 else next(n for n, _, w in self.includes[start] if w == way[1])
                self.breach(start, first, f"<{what}> is I/O, and this file only decides{through}")
            elif what in self.includes and what not in seen:
                seen.add(what)
                queue += [(what, n, w, [*way, what]) for n, _, w in self.includes[what]]


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    breaches = House(root).check()
    for path, line, message in breaches:
        print(f"{path}:{line}: {message}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
