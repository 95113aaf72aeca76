#!/usr/bin/env python3
"""Every rule of check_house.py catches a small bad file, and lets its good neighbour pass."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_house import LINES_MAX, House, blanked  # noqa: E402

SCRIPT = pathlib.Path(__file__).resolve().with_name("check_house.py")


def breaches(files: dict[str, str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return [f"{path}:{line}: {message}" for path, line, message in House(pathlib.Path(folder)).check()]


class HouseTest(unittest.TestCase):
    def bad(self, files: dict[str, str], *expected: str):
        found = breaches(files)
        self.assertEqual(len(found), len(expected), found)
        for line, start in zip(found, expected):
            self.assertIn(start, line)

    def good(self, files: dict[str, str]):
        self.assertEqual(breaches(files), [])

    # --- arrows ---

    def test_arrows_point_down(self):
        self.good({"crawler/a.cpp": '#include "robots/rules.h"\n#include "fetch/client.h"\n#include "base/url.h"\n'})
        self.bad({"base/a.cpp": '\n#include "config/config.h"\n'}, "base/a.cpp:2: base must not know config")
        self.bad({"config/a.cpp": '#include "robots/rules.h"\n'}, "config must not know robots")
        self.bad({"robots/a.cpp": '#include "crawler/links.h"\n'}, "robots must not know crawler")

    def test_the_three_in_the_middle_never_include_each_other(self):
        for room, other in (("robots", "scheduler"), ("scheduler", "fetch"), ("fetch", "robots"), ("scheduler", "robots")):
            self.bad({f"{room}/a.cpp": f'#include "{other}/x.h"\n'}, f"{room} must not know {other}")

    def test_an_include_in_a_comment_is_none(self):
        self.good({"base/a.cpp": '// #include "config/config.h"\n'})

    def test_includes_go_from_the_root(self):
        self.bad({"robots/a.cpp": '#include "rules.h"\n'}, "by their path from the root")
        self.bad({"robots/a.cpp": '#include "../base/url.h"\n'}, "by their path from the root")
        self.bad({"robots/a.cpp": '#include "tests/support/clock.h"\n'}, "a room includes rooms")
        self.bad({"base/u.h": "#pragma once\n", "robots/a.cpp": "#include <base/u.h>\n"}, 'write "base/u.h" with quotes')
        self.good({"tests/robots/a_test.cpp": '#include "tests/support/clock.h"\n'})

    # --- purity ---

    def test_pure_rooms_reach_no_io(self):
        for header in ("boost/asio/post.hpp", "boost/beast/http.hpp", "openssl/ssl.h"):
            self.bad({"robots/a.cpp": f"#include <{header}>\n"}, f"<{header}> is I/O")
            self.bad({"scheduler/a.h": f"#pragma once\n#include <{header}>\n"}, "scheduler/a.h:2:")
            self.good({"fetch/a.cpp": f"#include <{header}>\n"})
        self.good({"robots/a.cpp": "#include <boost/system/result.hpp>\n"})

    def test_purity_is_followed_through_headers_of_ours(self):
        asio = {"base/async.h": "#pragma once\n#include <boost/asio/awaitable.hpp>\n"}
        self.good(asio)
        between = asio | {"base/tasks.h": '#pragma once\n#include "base/async.h"\n'}
        self.bad(
            between | {"scheduler/a.cpp": '#include <vector>\n#include "base/tasks.h"\n'},
            "scheduler/a.cpp:2: <boost/asio/awaitable.hpp> is I/O, and this file only decides (through base/tasks.h, base/async.h)",
        )

    def test_headers_of_base_are_pure_unless_named(self):
        self.bad({"base/url.h": "#pragma once\n#include <boost/asio.hpp>\n"}, "base/url.h:2:")
        self.bad({"config/config.h": "#pragma once\n#include <boost/asio.hpp>\n"}, "config/config.h:2:")

    def test_yaml_and_spdlog_stay_in_their_files(self):
        self.good({"config/load.cpp": "#include <yaml-cpp/yaml.h>\n", "base/log.cpp": "#include <spdlog/spdlog.h>\n"})
        self.bad({"config/load.h": "#pragma once\n#include <yaml-cpp/yaml.h>\n"}, "yaml-cpp only in config/*.cpp")
        self.bad({"crawler/a.cpp": "#include <yaml-cpp/yaml.h>\n"}, "yaml-cpp only in config/*.cpp")
        self.good({"crawler/store.cpp": "#include <rocksdb/db.h>\n"})
        self.bad({"crawler/frontier.cpp": "#include <rocksdb/db.h>\n"}, "RocksDB only in crawler/store.cpp")
        self.bad({"fetch/a.cpp": "#include <spdlog/spdlog.h>\n"}, "spdlog only in base/log.*")

    # --- words ---

    def test_only_one_file_reads_clocks(self):
        for code in (
            "auto t = std::chrono::steady_clock::now();",
            "auto t = SystemClock::now ();",
            "clock_gettime(CLOCK_REALTIME, &t);",
            "auto t = time(nullptr);",
            "auto t = std::time( NULL );",
            "gettimeofday(&t, nullptr);",
            "std::this_thread::sleep_for(1s);",
        ):
            self.bad({"crawler/a.cpp": f"void f() {{\n  {code}\n}}\n"}, "crawler/a.cpp:2: time is an argument")
            self.good({"base/clock.cpp": f"void f() {{\n  {code}\n}}\n"})
        self.good({"crawler/a.cpp": "const base::Now now = clock_.now();\nauto t = mtime(nullptr_of(x));\n"})

    def test_tasks_are_the_only_way_to_start_a_coroutine(self):
        self.bad({"fetch/a.cpp": "asio::co_spawn(e, f(), g);\n"}, "co_spawn only in base/tasks.cpp")
        self.good({"base/tasks.cpp": "asio::co_spawn(e, f(), g);\n"})
        self.bad({"base/tasks.cpp": "asio::co_spawn(e, f(), asio::detached);\n"}, "detached work loses")
        self.bad({"tests/fetch/a_test.cpp": "asio::co_spawn(e, f(), asio::detached);\n"}, "detached work loses")
        self.bad({"crawler/a.cpp": "std::thread(f).detach();\n"}, "detached work loses")

    def test_one_door_to_the_network(self):
        for code in ("socket.async_connect(e, h);", "::connect(fd, a, n);", "socket.connect(e);", "asio::connect(s, e);", "p->connect(e);"):
            self.bad({"crawler/a.cpp": code + "\n"}, "connecting only in fetch/connect.cpp")
            self.good({"fetch/connect.cpp": code + "\n"})
        self.good({"fetch/a.cpp": "auto s = co_await connect(address, deadline);\nauto t = disconnect(x);\n"})

    def test_the_admin_client_connects_to_unix_sockets_alone(self):
        client = "crawler/admin_client.cpp"
        self.good({client: "int s = ::socket(AF_UNIX, SOCK_STREAM, 0);\nsockaddr_un w{};\n::connect(s, &w, n);\n#include <sys/un.h>\n"})
        self.bad({"crawler/admin_client.h": "#pragma once\n::connect(s, &w, n);\n"}, "connecting only in fetch/connect.cpp")
        for code in ("socket.async_connect(e, h);", "socket.connect(e);", "asio::connect(s, e);"):
            self.bad({client: code + "\n"}, "connecting only in fetch/connect.cpp")
        for code in (
            "::socket(AF_INET, SOCK_STREAM, 0);",
            "::socket(family, SOCK_STREAM, 0);",
            "int s = socket(family, SOCK_STREAM, 0);",
            "sockaddr_in where{};",
            "sockaddr_storage where{};",
            "where.sun_family = AF_INET6;",
            "getaddrinfo(name, nullptr, nullptr, &list);",
            "#include <netinet/in.h>",
            "#include <boost/asio/ip/tcp.hpp>",
            '#include "fetch/connect.h"',
        ):
            found = breaches({client: code + "\n"})
            self.assertIn("crawler/admin_client.cpp:1: this file may connect to Unix sockets only", "\n".join(found), code)

    def test_chance_has_one_source(self):
        for code in ("int i = rand();", "srand(1);", "std::random_device d;", "std::mt19937 e;", "std::mt19937_64 e;"):
            self.bad({"scheduler/a.cpp": code + "\n"}, "chance comes from")
        self.good({"scheduler/a.cpp": "int i = operand(1);\n", "base/hash.cpp": "std::random_device d;\n"})

    def test_no_regex(self):
        self.bad({"robots/a.cpp": "#include <regex>\nstd::regex r;\n"}, "robots/a.cpp:1: std::regex", "robots/a.cpp:2: std::regex")

    def test_comments_and_literals_are_not_code(self):
        self.good({
            "crawler/a.cpp": '// std::regex detached co_spawn\nconst char* a = "std::regex ::now() \\" detached";\n'
            "/* co_await f(Request{u});\n */\n"
            'auto b = R"x(detached " )" std::regex)x";\nint c = 1\'000\'000; char d = \'"\'; // rand()\n'
        })
        self.bad({"crawler/a.cpp": "int c = 1'000; std::regex r; char d = 'x';\n"}, "crawler/a.cpp:1: std::regex")

    def test_blanking_keeps_every_line_in_its_place(self):
        text = 'a /* x\ny */ b "q\\"r" c R"(1\n2)" d // e\nf\n'
        self.assertEqual(len(blanked(text)), len(text))
        self.assertEqual(blanked(text).count("\n"), text.count("\n"))
        self.assertNotIn("y", blanked(text))

    # --- co_await ---

    def test_no_aggregate_inside_co_await(self):
        for code in (
            "co_await fetch(Request{url, 1});",
            "auto o = co_await client.fetch(fetch::Request{url});",
            "co_return co_await f(1, std::vector<std::string>{a, b});",
            "co_await f({a, b});",
            "co_await f(1, {a});",
            "if (co_await f(Request{url})) return;",
        ):
            self.bad({"crawler/a.cpp": f"\n{code}\n"}, "crawler/a.cpp:2: a")

    def test_no_capturing_lambda_inside_co_await(self):
        for code in (
            "co_await f([this] { return 1; });",
            "co_await f([&](int i) { return i; });",
            "co_await f([url = u]() mutable { g(); });",
            "co_await f(\n  [x]\n{ g(); });",
        ):
            self.assertTrue(breaches({"crawler/a.cpp": code + "\n"}), code)

    def test_what_is_safe_inside_co_await_passes(self):
        for code in (
            "co_await fetch(std::move(request));",
            "co_await f(std::string(a), g(b), c[i], d[i](j));",
            "for (auto& x : co_await list()) { Request{x}; }",
            "if (co_await ready()) { Request r{url}; }",
            "while (co_await more()) {\n  take();\n}",
            "co_await f([] { return 1; });",
            "const auto o = co_await f(r); Request s{url};",
            "g(co_await f(r), Request{url});",
        ):
            self.good({"crawler/a.cpp": code + "\n"})

    # --- headers and layout ---

    def test_headers_begin_with_pragma_once(self):
        self.good({"base/a.h": "// About a.\n#pragma once\nint a();\n"})
        self.bad({"base/a.h": "int a();\n#pragma once\n"}, "base/a.h:1: a header begins with #pragma once")
        self.bad({"tests/support/a.h": "int a();\n"}, "a header begins with #pragma once")

    def test_headers_open_no_namespaces(self):
        self.good({"base/a.h": "#pragma once\nusing namespace std::chrono_literals;\n", "base/a.cpp": "using namespace std;\n"})
        self.bad({"base/a.h": "#pragma once\nusing namespace std;\n"}, "base/a.h:2: using namespace std in a header")

    def test_layout(self):
        self.bad({"base/a.cpp": "int a;\n\tint b;\n"}, "base/a.cpp:2: a tab")
        self.bad({"deploy/a.sh": "x \n"}, "deploy/a.sh:1: blanks at the end")
        self.bad({"README.md": "x"}, "README.md:1: no newline")
        self.good({"tests/data/odd.txt": "\tx \n", "build/dev/x.cpp": "\t\n", "tests/fuzz/corpus/html/a.txt": "\t"})

    def test_long_files_need_a_reason(self):
        self.good({"base/a.cpp": "int a();\n" * LINES_MAX})
        self.bad({"base/a.cpp": "int a();\n" * (LINES_MAX + 1)}, f"base/a.cpp:{LINES_MAX + 1}: {LINES_MAX + 1} lines")

    # --- the program ---

    def test_exit_status_and_silence(self):
        with tempfile.TemporaryDirectory() as folder:
            clean = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
            self.assertEqual((clean.returncode, clean.stdout), (0, ""))
            pathlib.Path(folder, "base").mkdir()
            pathlib.Path(folder, "base", "a.cpp").write_text("std::regex r;\n", encoding="utf-8")
            found = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
            self.assertEqual(found.returncode, 1)
            self.assertRegex(found.stdout, r"^base/a\.cpp:1: std::regex[^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
