"""`crawld status`, `hosts`, `host`, `seeds` and the orders, against a fake endpoint: what is asked, what is shown, exit codes; and the live
view on a real pseudo-terminal."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import fake_socket
import program
from fake_socket import STATUS, FakeAdmin, done, refused

ROW = {
    "origin": "https://www.a.test", "host": "www.a.test", "state": "waiting", "waiting": "interval", "interval_seconds": 10.0,
    "interval_reason": "rate_floor", "next": "2026-11-21T18:30:04.200Z", "next_in_seconds": 4.2,
    "owed": 1700, "accepted": 30, "visits": 13,
    "latency_seconds": 0.12, "failures": 0, "last_request": "2026-11-21T18:29:54.200Z", "last_fates": ["fetched", "disallowed"],
    "order": {"paused": True, "until": None, "delay_seconds": 30.0, "since": "2026-11-21T18:00:00.000Z"},
}  # fmt: skip
HOST = ROW | {
    "robots": {
        "about": "200, 12 rules, fresh for 23h59m", "access": "rules", "group": "crawld", "crawl_delay": 2.5,
        "rates": [{"documents": 1, "seconds": 10, "window": "0600-0845"}], "visit_times": ["0600-0845"],
        "rules": [{"line": 4, "text": "Disallow: /private", "allow": False}], "rule_count": 12,
        "warnings": [{"line": 9, "text": "what \x1b[2J is this"}], "sitemaps": ["https://www.a.test/map.xml"],
        "body": "x", "body_cut": False,
    },
    "day": [{"from": 0, "to": 360, "interval_seconds": 2.0, "reason": "default_interval", "open": True},
            {"from": 360, "to": 1440, "interval_seconds": 2.0, "reason": "default_interval", "open": False}],
    "recent": [{"at": "2026-11-21T18:29:54.200Z", "origin": "https://www.a.test", "url": "https://www.a.test/x",
                "fate": "fetched", "status": 200, "octets": 31200, "seconds": 0.002, "links": 4, "reason": ""}],
}  # fmt: skip
ORDERS = {f"POST /api/v1/{what}": done(f"{what} is done") for what in "pause resume drain delay requeue seeds reload log".split()}
LEAVES = b"\x1b[?25h"  # the cursor is seen again
ENTERS = b"\x1b[?25l"


class LiveTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.socket = self.folder / "control.sock"

    def serve(self, **answers) -> FakeAdmin:
        server = FakeAdmin(self.socket, {"GET /api/v1/status": (200, STATUS)} | ORDERS | answers)
        self.addCleanup(server.close)
        return server

    def tell(self, *arguments, code: int = 0, **more) -> subprocess.CompletedProcess:
        finished = program.run(*arguments, "--socket", self.socket, **more)
        self.assertEqual(finished.returncode, code, finished.stdout + finished.stderr)
        return finished

    # --- questions ---

    def test_status_is_told_in_lines_and_as_json(self):
        self.serve()
        lines = self.tell("status").stdout.splitlines()
        self.assertRegex(lines[0], r"^running +every host waits politely; first http://a\.test in 41s \(interval\)$")
        text = "\n".join(lines)
        self.assertRegex(text, r"(?m)^rate +1\.5 requests/s now, 1\.4 over a minute, 11\.7 KiB/s$")
        self.assertRegex(text, r"(?m)^longest +http://slow\.test in 1h \(crawl_delay\)$")
        self.assertRegex(text, r"(?m)^errors +timeout 1$")
        self.assertRegex(text, r"(?m)^disk +953\.7 MiB free for state; the crawl goes on above 4\.0 GiB +/var/lib/crawld$")
        self.assertRegex(text, r"(?m)^politeness +no violations$")
        self.assertNotIn("\x1b", text)
        finished = self.tell("status", "--json")
        self.assertEqual(json.loads(finished.stdout), STATUS)
        self.assertEqual(finished.stderr, "")

    def test_ready_is_an_exit_code(self):
        server = self.serve(**{"GET /-/ready": (200, {"ready": True, "why": []})})
        self.assertEqual(self.tell("status", "--ready").stdout, "ready\n")
        server.answers["GET /-/ready"] = (503, {"ready": False, "why": ["disk_full", "paused"]})
        self.assertEqual(self.tell("status", "--ready", code=1).stdout, "not ready: disk_full, paused\n")
        self.assertEqual(json.loads(self.tell("status", "--ready", "--json", code=1).stdout)["why"], ["disk_full", "paused"])
        server.answers["GET /-/ready"] = refused(503, "busy", "too many connections")
        self.assertIn("too many connections", self.tell("status", "--ready", code=1).stderr)
        server.close()
        self.assertEqual(self.tell("status", "--ready", code=1).stdout, "")

    def test_hosts_line_up_and_hostile_names_are_cut(self):
        long = "http://" + "x" * 300 + ".test"
        evil = "http://\x1b[31m\u202e\u4e16.test"
        rows = [ROW, ROW | {"origin": long, "order": None}, ROW | {"origin": evil, "next_in_seconds": None}]
        server = self.serve(**{"GET /api/v1/hosts": (200, {"total": 7, "matched": 5, "complete": False, "hosts": rows})})
        finished = self.tell("hosts", "--state", "waiting", "--filter", "a&b=c", "--sort", "owed", "--descending", "--limit", "3")
        asked = {"limit": "3", "state": "waiting", "filter": "a&b=c", "sort": "owed", "order": "desc"}
        self.assertEqual(server.asked, [("GET", "/api/v1/hosts", asked)])
        head, first, second, third = finished.stdout.splitlines()
        self.assertTrue(head.startswith("ORIGIN ") and first.startswith("https://www.a.test "))
        self.assertTrue(second.startswith("http://xxx") and "x…  waiting" in second)
        self.assertTrue(third.startswith(r"http://\x1b[31m\u{202e}\u{4e16}.test "))
        self.assertEqual({line.index("waiting (interval)") for line in (first, second, third)}, {head.index("STATE")})
        self.assertIn("  1,700  ", first)
        self.assertIn("3 of 5 are shown", finished.stderr)
        self.assertIn("more hosts than", finished.stderr)
        self.assertEqual(json.loads(self.tell("hosts", "--json").stdout)["hosts"], rows)
        self.assertTrue(self.tell("hosts", "--json").stdout.isascii())

    def test_a_host_is_told_whole(self):
        second = HOST | {"origin": "http://www.a.test", "robots": None}
        server = self.serve(**{"GET /api/v1/host": (200, {"host": "www.a.test", "origins": [HOST, second]})})
        text = self.tell("host", "www.a.test").stdout
        self.assertEqual(server.asked, [("GET", "/api/v1/host", {"name": "www.a.test"})])
        for line in (
            r"origin: +https://www\.a\.test", r"state: +waiting \(interval\)", r"interval: +10s \(rate_floor\)",
            r"order: +paused; at least 30s apart, since 2026-11-21T18:00:00\.000Z",
            r"next: +2026-11-21T18:30:04\.200Z, in 4\.2s, at the earliest",
            r"robots\.txt: +rules \(200, 12 rules, fresh for 23h59m\)", r"crawl-delay: +2\.5s", r"rate: +1/10s 0600-0845",
            r"rules: +12, .*",
            r" +4  Disallow: /private", r" +9  warning: what \\x1b\[2J is this",
            r"  00:00-06:00  2s \(default_interval\)", r"  06:00-24:00  closed",
            r" +https://www\.a\.test/x +2026-11-21T18:29:54\.200Z +fetched +200 +31,200 +0\.002s",
            r"robots\.txt: +was never asked for",
        ):  # fmt: skip
            self.assertRegex(text, rf"(?m)^{line}$")
        server.answers["GET /api/v1/host"] = refused(404, "not_found", "b.test is not known")
        self.assertEqual(self.tell("host", "b.test", code=65).stderr, "crawld: b.test is not known\n")

    def test_seeds(self):
        seeds = {"total": 2, "seeds": [{"url": "http://a.test/", "weight": 1, "where": "crawld.yaml:7", "fate": None}]}
        server = self.serve(**{"GET /api/v1/seeds": (200, seeds)})
        self.assertRegex(self.tell("seeds", "list").stdout, r"(?m)^http://a\.test/ +1  crawld\.yaml:7  -$")
        self.assertEqual(self.tell("seeds", "add", "http://b.test/", "http://c.test/", "--weight", "3").stdout, "seeds is done\n" * 2)
        added = [("POST", "/api/v1/seeds", {"url": f"http://{name}.test/", "weight": 3}) for name in "bc"]
        self.assertEqual(server.asked[1:], added)

        def half(keys: dict):
            return done("taken") if "good" in keys["url"] else refused(400, "bad_request", "no URL")

        server.answers["POST /api/v1/seeds"] = half
        finished = self.tell("seeds", "add", "bad", "http://good.test/", code=65)
        self.assertEqual((finished.stdout, finished.stderr), ("taken\n", "bad: crawld: no URL\n"))

    # --- orders ---

    def test_orders_say_what_was_meant(self):
        server = self.serve()
        for arguments, path, keys in (
            (["pause"], "pause", {}),
            (["pause", "a.test"], "pause", {"host": "a.test"}),
            (["pause", "a.test", "--until", "2026-11-22T06:00:00+01:00"], "pause", {"host": "a.test", "until": "2026-11-22T05:00:00.000Z"}),
            (["resume"], "resume", {}),
            (["resume", "a.test"], "resume", {"host": "a.test"}),
            (["drain"], "drain", {}),
            (["delay", "a.test", "1m30s"], "delay", {"host": "a.test", "seconds": 90.0}),
            (["delay", "a.test", "0"], "delay", {"host": "a.test", "seconds": 0.0}),
            (["requeue", "http://a.test/x"], "requeue", {"url": "http://a.test/x"}),
            (["reload"], "reload", {}),
            (["log-level", "debug"], "log", {"level": "debug"}),
            (["log-level", "visit", "info"], "log", {"module": "visit", "level": "info"}),
        ):
            with self.subTest(arguments):
                server.asked.clear()
                finished = self.tell(*arguments)
                self.assertEqual(server.asked, [("POST", f"/api/v1/{path}", keys)])
                self.assertEqual((finished.stdout, finished.stderr), (f"{path} is done\n", ""))
        self.assertEqual(json.loads(self.tell("resume", "--json").stdout), {"done": True, "sentence": "resume is done"})

    def test_a_pause_for_a_while_ends_at_an_instant(self):
        server = self.serve()
        before = time.time()
        self.tell("pause", "--for", "2h")
        text = server.asked[0][2]["until"]
        until = time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S." + text[-4:])) - time.timezone
        self.assertTrue(before + 7198 <= until <= time.time() + 7202, text)

    def test_log_levels_are_listed(self):
        self.serve(**{"GET /api/v1/log": (200, {"levels": {"visit": "info", "robots": "debug"}})})
        self.assertEqual(self.tell("log-level").stdout, "MODULE  LEVEL\nvisit   info\nrobots  debug\n")

    def test_a_refused_reload_names_each_error(self):
        errors = ["crawld.yaml:3:1: seeds: \x1b[2J", "crawld.yaml:9:2: threads: too many"]
        self.serve(**{"POST /api/v1/reload": refused(409, "conflict", "the file is wrong", errors=errors)})
        finished = self.tell("reload", code=65)
        self.assertEqual(finished.stdout, "")
        self.assertEqual(finished.stderr, "crawld: the file is wrong\ncrawld.yaml:3:1: seeds: \\x1b[2J\n" + errors[1] + "\n")

    def test_a_drained_host_is_waited_for(self):
        states = iter(["in_flight", "in_flight", "blocked"])
        server = self.serve(**{"GET /api/v1/host": lambda _: (200, {"origins": [ROW, ROW | {"state": next(states)}]})})
        finished = self.tell("drain", "a.test")
        self.assertEqual(finished.stderr, "nothing of it is in flight\n")
        self.assertEqual([path for _, path, _ in server.asked], ["/api/v1/drain"] + ["/api/v1/host"] * 3)
        self.assertIsNone(next(states, None))

    def test_the_end_of_the_daemon_is_waited_for(self):
        command = [sys.executable, "-B", fake_socket.__file__, self.socket]
        with subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=program.die_with_parent) as fake:
            self.assertEqual(fake.stdout.readline(), b"listens\n")
            self.assertEqual(self.tell("drain", "--wait").stderr, "crawld has ended\n")
            self.assertEqual(fake.poll() if fake.poll() is not None else fake.wait(0.1), 0, "it was still running")

    # --- failures ---

    def test_each_way_of_nobody_has_its_words_and_69(self):
        self.assertIn("no such socket", self.tell("status", code=69).stderr)
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(self.socket))
        self.assertIn("nobody listens", self.tell("status", code=69).stderr)
        self.socket.unlink()
        self.socket.write_text("")
        self.assertRegex(self.tell("status", code=69).stderr, r"nobody listens|no socket")
        self.socket.unlink()
        server = self.serve(**{"GET /api/v1/status": b"SSH-2.0-OpenSSH_9.2\r\n"})
        self.assertIn("not crawld", self.tell("status", code=69).stderr)
        for answer in ((200, "<html>"), (200, "[1]"), (404, "{}"), (500, "oops")):
            server.answers["GET /api/v1/status"] = answer
            self.assertIn("not crawld", self.tell("status", code=69).stderr, answer)
        if os.geteuid() != 0:
            self.socket.chmod(0)
            self.assertIn("no permission", self.tell("status", code=69).stderr)

    def test_refusals_have_their_codes(self):
        server = self.serve()
        for answer, code in (
            (refused(400, "bad_request", "no such key"), 65),
            (refused(503, "busy", "no such key"), 75),
            (refused(500, "failed", "no such key"), 70),
        ):
            server.answers["POST /api/v1/pause"] = answer
            finished = self.tell("pause", code=code)
            self.assertEqual((finished.stdout, finished.stderr), ("", "crawld: no such key\n"))

    def test_mistakes_on_the_command_line_exit_with_64(self):
        server = self.serve()
        for arguments in (
            ["status", "--watch", "--ready"], ["hosts", "--limit", "0"], ["hosts", "--limit", "1001"], ["host"], ["seeds"],
            ["seeds", "add"],
            ["pause", "--until", "tomorrow"], ["pause", "--for", "soon"], ["pause", "--for", "1h", "--until", "2026-11-22T06:00:00Z"],
            ["pause", "--for", "106000d"], ["delay", "a.test"], ["delay", "a.test", "30"], ["requeue"], ["log-level", "a", "b", "c"],
            ["status", "--config", "crawld.yaml"],
        ):  # fmt: skip
            with self.subTest(arguments):
                finished = self.tell(*arguments, code=64)
                self.assertEqual(finished.stdout, "")
        self.assertEqual(server.asked, [])

    def test_the_socket_is_found(self):
        self.serve()
        environment = os.environ | {"RUNTIME_DIRECTORY": f"{self.folder}:/nowhere"}
        self.assertEqual(program.run("resume", env=environment).stdout, "resume is done\n")
        environment = {name: value for name, value in os.environ.items() if name != "RUNTIME_DIRECTORY"}
        config = self.folder / "crawld.yaml"
        config.write_text(f"agent:\n  contact: {program.CONTACT}\nstorage:\n  directory: {self.folder}\n", encoding="utf-8")
        if not pathlib.Path("/run/crawld/control.sock").exists():
            self.assertEqual(program.run("resume", "--config", config, env=environment).stdout, "resume is done\n")
        config.write_text("agent: 1\n", encoding="utf-8")
        self.assertEqual(program.run("resume", "--config", config, env=environment).returncode, 78)

    # --- the live view ---

    def test_not_on_a_terminal_it_is_a_line_each_second(self):
        server = self.serve()
        for arguments, pattern in (
            ([], rb"^2026-\S+Z state=running per_second=1\.5 requests=9 "),
            (["--json"], rb'^\{"version":"0\.1\.0",'),
        ):
            with self.subTest(arguments):
                process = subprocess.Popen(
                    [program.CRAWLD, "status", "--watch", *arguments, "--socket", self.socket],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=program.die_with_parent,
                )  # fmt: skip
                with process:
                    begun = time.monotonic()
                    lines = [process.stdout.readline() for _ in range(2)]
                    self.assertGreater(time.monotonic() - begun, 0.9)
                    process.send_signal(signal.SIGINT)
                    rest, talk = process.communicate(timeout=5)
                self.assertEqual((process.returncode, talk), (0, b""))
                for line in lines:
                    self.assertRegex(line, pattern)
                self.assertNotIn(b"\x1b", b"".join(lines) + rest)
        server.close()
        self.assertIn("crawld: ", self.tell("status", "--watch", code=69).stderr)

    def terminal(self, *arguments, rows: int = 24, columns: int = 100, **environment) -> "Terminal":
        terminal = Terminal([program.CRAWLD, *arguments, "--socket", str(self.socket)], rows, columns, environment)
        self.addCleanup(terminal.close)
        return terminal

    def test_the_view_fits_its_terminal_and_gives_it_back(self):
        status = STATUS | {"sentence": "first http://" + "y" * 300 + ".test \x1b]0;title\x07 \u4e16", "now": "first"}
        server = self.serve(**{"GET /api/v1/status": (200, status)})
        terminal = self.terminal("status", "--watch")
        terminal.wait_for(b"every second; q ends")
        self.assertIn(ENTERS, terminal.seen)
        self.assertFalse(terminal.modes()[3] & (termios.ICANON | termios.ECHO))
        self.check_frames(terminal, 24, 100)
        self.assertNotIn(b"\x1b]", terminal.seen)
        for rows, columns in ((7, 40), (1, 10), (50, 200)):
            del terminal.seen[:]
            terminal.resize(rows, columns)
            terminal.wait_for(b"\x1b[J")  # drawn anew, long before the next second is over
            self.check_frames(terminal, rows, columns)
        server.answers["GET /api/v1/status"] = (200, status | {"now": "second"})
        terminal.wait_for(b"second")
        self.end(terminal, lambda: os.write(terminal.master, b"\x03"))

    def check_frames(self, terminal: "Terminal", rows: int, columns: int):
        whole = [frame for frame in bytes(terminal.seen).split(b"\x1b[H") if frame.endswith(b"\x1b[J")]
        self.assertGreater(len(whole), 0)
        lines = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", whole[-1].decode()).replace("\r", "").split("\n")
        self.assertLessEqual(len(lines), rows)
        self.assertLessEqual(max(map(len, lines)), columns)
        self.assertIn("running"[:columns], lines[0])

    def end(self, terminal: "Terminal", how):
        how()
        self.assertEqual(terminal.process.wait(5), 0)
        terminal.wait_for(LEAVES)
        self.assertTrue(bytes(terminal.seen).endswith(b"\x1b[?7h\x1b[?25h\x1b[?1049l"), bytes(terminal.seen[-80:]))
        self.assertEqual(terminal.modes(), terminal.before)

    def test_whatever_ends_the_view_the_terminal_is_as_it_was(self):
        self.serve()
        for how in ("q", signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(how):
                terminal = self.terminal("status", "--watch")
                terminal.wait_for(b"q ends")
                self.end(terminal, lambda: os.write(terminal.master, b"q") if how == "q" else terminal.process.send_signal(how))

    def test_a_stopped_view_gives_the_terminal_back_meanwhile(self):
        self.serve()
        terminal = self.terminal("status", "--watch")
        terminal.wait_for(b"q ends")
        os.write(terminal.master, b"\x1a")
        terminal.wait_for(LEAVES)
        program.wait_for(lambda: pathlib.Path(f"/proc/{terminal.process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")
        self.assertEqual(terminal.modes(), terminal.before)
        del terminal.seen[:]
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_for(b"q ends")
        self.assertIn(ENTERS, terminal.seen)
        self.end(terminal, lambda: os.write(terminal.master, b"\x03"))

    def test_the_view_outlives_the_daemon_and_ctrl_c_an_endpoint_that_hangs(self):
        server = self.serve()
        terminal = self.terminal("status", "--watch")
        terminal.wait_for(b"q ends")
        server.close()
        terminal.wait_for(b"no answer: ")
        del terminal.seen[:]
        with FakeAdmin(self.socket) as back:
            terminal.wait_for(b"q ends")
            asked = len(back.asked)

            def hang(_):
                time.sleep(3)
                return 200, STATUS

            back.answers["GET /api/v1/status"] = hang
            program.wait_for(lambda: len(back.asked) > asked)
            begun = time.monotonic()
            self.end(terminal, lambda: os.write(terminal.master, b"\x03"))
            self.assertLess(time.monotonic() - begun, 2)

    def test_colour_is_for_those_who_want_it(self):
        self.serve()
        for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)):
            terminal = self.terminal("status", **environment)
            terminal.wait_for(b"politeness")
            self.assertEqual(terminal.process.wait(5), 0)
            self.assertEqual(b"\x1b[1m" in terminal.seen, coloured, environment)
        dumb = self.terminal("status", "--watch", TERM="dumb")
        dumb.wait_for(b"state=running")
        self.assertNotIn(b"\x1b", dumb.seen)

    def test_a_table_fits_its_terminal(self):
        rows = [ROW | {"origin": "http://" + "x" * 300 + ".test"}]
        self.serve(**{"GET /api/v1/hosts": (200, {"total": 1, "matched": 1, "complete": True, "hosts": rows})})
        terminal = self.terminal("hosts", columns=90)
        terminal.wait_for(b"http://x")
        self.assertEqual(terminal.process.wait(5), 0)
        terminal.wait_for(b"waiting")
        self.assertLessEqual(max(map(len, terminal.seen.decode().split("\r\n"))), 90)


class Terminal:
    """A program on a pseudo-terminal of its own, in the foreground there."""

    def __init__(self, command: list[str], rows: int, columns: int, environment: dict[str, str]):
        self.master, slave = pty.openpty()
        self.seen = bytearray()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(slave)
        base = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}

        def take_terminal():  # which hangs up when the test is killed
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=base | {"TERM": "xterm"} | environment, preexec_fn=take_terminal
        )
        self.slave = slave

    def modes(self) -> list:
        return termios.tcgetattr(self.slave)

    def resize(self, rows: int, columns: int):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait_for(self, what: bytes, seconds: float = 10):
        """Reads until `what` has been written."""
        deadline = time.monotonic() + seconds
        while what not in self.seen:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise AssertionError(f"{what!r} did not come; what came: {bytes(self.seen)!r}")
            self.seen += os.read(self.master, 65536)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(5)
        os.close(self.slave)
        os.close(self.master)


if __name__ == "__main__":
    unittest.main()
