"""The admin endpoint of the real daemon: what it answers, what it does, and whom it refuses."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from urllib.parse import quote

import program
from littleweb import LittleWeb, Site, page

NEW = {"new.test": "127.7.0.4"}
HOSTS = {"quick.test": "127.7.0.1", "rated.test": "127.7.0.2", "closed.test": "127.7.0.3"}
ROBOTS = {
    "quick.test": "User-agent: *\nDisallow: /private\nDisallow: /also\nAllow: /\n",
    "rated.test": "User-agent: *\nRequest-rate: 1/4s 0000-1159\nRequest-rate: 1/8s 1200-2359\nCrawl-delay: 2\n",
    "closed.test": "User-agent: *\nDisallow: /\n",
}
PAGES = 400


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: pathlib.Path):
        super().__init__("localhost", timeout=15)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(15)
        self.sock.connect(self.path)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class AdminTest(unittest.TestCase):
    """One crawl for all questions; tests that order something put it back."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        links = [f"/{n}.html" for n in range(PAGES)] + ["/private/x.html"]
        pages = {"/": page("many", *links)} | {f"/{n}.html": page("x") for n in range(PAGES)}
        sites = [Site(host, address, ROBOTS.get(host, ""), pages) for host, address in (HOSTS | NEW).items()]
        cls.web = LittleWeb(sites, cls.folder / "web")
        cls.web.__enter__()
        cls.addClassCleanup(cls.web.stop)
        cls.port, cls.token = free_port(), "a-token-of-the-test-0123456789"
        (cls.folder / "token").write_text(cls.token + "\n", encoding="utf-8")
        (cls.folder / "token").chmod(0o600)
        admin = f"admin:\n  socket: {cls.folder}/a.sock\n  listen: 127.0.0.1:{cls.port}\n  token_file: {cls.folder}/token\n"
        cls.config = program.configuration(
            cls.web, list(HOSTS), cls.folder, admin, "  default_interval: 200ms\n  latency_factor: 0\n  per_address_interval: 0s\n"
        )
        cls.log = cls.folder / "crawld.log"
        cls.crawler = program.start(cls.config, cls.log)
        cls.addClassCleanup(cls.end)
        program.wait_for(lambda: (cls.folder / "a.sock").exists())
        program.wait_for(lambda: cls.ask("/api/v1/status")["totals"]["requests"] >= 12)

    @classmethod
    def end(cls):
        cls.crawler.terminate()
        try:
            cls.crawler.wait(25)
        finally:
            cls.crawler.kill()

    @classmethod
    def send(cls, method: str, target: str, body=None, headers: dict | None = None, tcp: bool = False):
        connection = http.client.HTTPConnection("127.0.0.1", cls.port, timeout=15) if tcp else UnixConnection(cls.folder / "a.sock")
        try:
            octets = json.dumps(body) if isinstance(body, (dict, list)) else body
            connection.request(method, target, octets, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            connection.close()

    @classmethod
    def ask(cls, target: str, status: int = 200):
        found, text, _ = cls.send("GET", target)
        assert found == status, (target, found, text, cls.log.read_text()[-2000:])
        return json.loads(text)

    def order(self, target: str, body: dict | None = None, status: int = 200) -> dict:
        found, text, _ = self.send("POST", "/api/v1/" + target, body)
        self.assertEqual(found, status, text)
        return json.loads(text)

    def seen_at(self, host: str) -> int:
        return sum(request.host == host for request in self.web.requests())

    def test_the_socket_is_for_the_group_alone(self):
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "a.sock").st_mode), 0o660)

    def test_status_counts_what_the_server_saw(self):
        before = len(self.web.requests())
        status = self.ask("/api/v1/status")
        self.assertEqual(status["state"], "running")
        self.assertTrue(status["sentence"])
        self.assertGreaterEqual(status["totals"]["requests"] + 5, before)
        self.assertLessEqual(status["totals"]["requests"], len(self.web.requests()) + 5)
        self.assertEqual(status["totals"]["violations"], 0)
        self.assertGreater(status["urls"]["owed"], 100)
        self.assertEqual({disk["what"] for disk in status["disk"]}, {"state", "archive"})
        self.assertEqual(status["errors"], {})
        self.assertLessEqual(len(status["longest_waits"]), 5)

    def test_hosts_are_listed_filtered_sorted_and_paged(self):
        listed = self.ask("/api/v1/hosts")
        self.assertEqual({row["host"] for row in listed["hosts"]} - set(NEW) - {"127.0.0.1"}, set(HOSTS))
        self.assertTrue(listed["complete"])
        rated = self.ask("/api/v1/hosts?filter=rated")["hosts"][0]
        self.assertIn(rated["interval_seconds"], (4, 8))
        self.assertEqual(rated["interval_reason"], "request_rate")
        owed = [row["owed"] for row in self.ask("/api/v1/hosts?sort=owed&order=desc")["hosts"]]
        self.assertEqual(owed, sorted(owed, reverse=True))
        second = self.ask("/api/v1/hosts?limit=1&offset=1")
        self.assertEqual((second["total"] in (3, 4, 5), len(second["hosts"])), (True, 1))  # other tests add hosts
        waiting = self.ask("/api/v1/hosts?state=waiting")
        self.assertEqual({row["state"] for row in waiting["hosts"]} - {"waiting"}, set())

    def test_a_host_shows_its_robots_txt_as_understood(self):
        found = self.ask("/api/v1/host?name=QUICK.test")["origins"][0]
        self.assertEqual(found["robots"]["body"], ROBOTS["quick.test"])
        self.assertEqual(
            [(rule["line"], rule["text"], rule["allow"]) for rule in found["robots"]["rules"]],
            [(2, "Disallow: /private", False), (3, "Disallow: /also", False), (4, "Allow: /", True)],
        )
        self.assertEqual([(s["from"], s["to"], s["interval_seconds"]) for s in found["day"]], [(0, 1440, 0.2)])
        self.assertGreater(len(found["recent"]), 2)
        rated = self.ask("/api/v1/host?name=rated.test")["origins"][0]
        self.assertEqual([(s["from"], s["to"], s["interval_seconds"]) for s in rated["day"]], [(0, 720, 4), (720, 1440, 8)])
        self.assertEqual([rate["window"] for rate in rated["robots"]["rates"]], ["0000-1159", "1200-2359"])
        self.assertEqual(rated["robots"]["crawl_delay"], 2)
        self.ask("/api/v1/host?name=nobody.test", 404)

    def test_explain_tells_every_decision(self):
        private = self.ask("/api/v1/explain?url=" + quote(self.web.url("quick.test") + "private/x.html", safe=""))
        self.assertEqual((private["allowed"], private["rule"], private["line"]), (False, "Disallow: /private", 2))
        self.assertEqual(private["in_scope"], "yes")
        root = self.ask("/api/v1/explain?url=" + quote(self.web.url("quick.test"), safe=""))
        self.assertEqual((root["allowed"], root["known"]), (True, True))
        self.assertIn(root["fate"], ("fetched", "unchanged"))
        elsewhere = self.ask("/api/v1/explain?url=http://elsewhere.test/")
        self.assertNotEqual(elsewhere["in_scope"], "yes")
        self.assertEqual(elsewhere["access"], "unknown")

    def test_seeds_are_told_and_added(self):
        listed = self.ask("/api/v1/seeds")["seeds"]
        self.assertEqual([seed["url"] for seed in listed[:3]], [self.web.url(host) for host in HOSTS])
        url = self.web.url("quick.test") + "added.html"
        self.order("seeds", {"url": url, "weight": 10})
        program.wait_for(lambda: any(r.target == "/added.html" for r in self.web.requests()))
        self.order("seeds", {"url": self.web.url("new.test")})  # follow: host, and this is a host that no link may lead to
        program.wait_for(lambda: self.seen_at("new.test") >= 3)
        added = [seed for seed in self.ask("/api/v1/seeds")["seeds"] if seed["where"] == "added"]
        self.assertLessEqual({(url, 10), (self.web.url("new.test"), 1)}, {(seed["url"], seed["weight"]) for seed in added})
        self.order("seeds", {"url": "ftp://x/"}, 400)
        self.order("seeds", {"url": url, "weight": 11}, 400)

    def test_a_paused_host_is_left_alone_and_the_others_go_on(self):
        self.order("pause", {"host": "quick.test"})
        time.sleep(0.5)  # what was under way
        before = self.seen_at("quick.test"), self.seen_at("rated.test")
        blocked = self.ask("/api/v1/hosts?filter=quick")["hosts"][0]
        self.assertEqual((blocked["state"], blocked["order"]["paused"]), ("blocked", True))
        time.sleep(2.5)  # ten intervals
        self.assertEqual(self.seen_at("quick.test"), before[0])
        self.order("resume", {"host": "quick.test"})
        program.wait_for(lambda: self.seen_at("quick.test") > before[0], 40)
        self.assertIsNone(self.ask("/api/v1/hosts?filter=quick")["hosts"][0]["order"])

    def test_the_crawl_is_paused_and_goes_on(self):
        self.order("pause")
        status, text, _ = self.send("GET", "/-/ready")
        self.assertEqual((status, json.loads(text)), (503, {"ready": False, "why": ["paused"]}))
        time.sleep(0.5)
        before = len(self.web.requests())
        time.sleep(1)
        self.assertEqual(len(self.web.requests()), before)
        self.assertIn("paused", self.ask("/api/v1/status")["sentence"])
        self.order("resume")
        program.wait_for(lambda: len(self.web.requests()) > before)
        self.assertEqual(self.send("GET", "/-/ready")[0], 200)

    def test_a_delay_slows_a_host_down_and_nothing_makes_it_faster(self):
        self.order("delay", {"host": "quick.test", "seconds": 1.5})
        time.sleep(0.5)
        self.assertEqual(self.ask("/api/v1/hosts?filter=quick")["hosts"][0]["interval_seconds"], 1.5)
        begun = time.time()
        time.sleep(4)
        times = [r.start for r in self.web.requests() if r.host == "quick.test" and r.start > begun]
        self.assertGreaterEqual(len(times), 2)
        self.assertGreaterEqual(min(b - a for a, b in zip(times, times[1:])), 1.49)
        self.order("delay", {"host": "rated.test", "seconds": 0.1})
        self.assertIn(self.ask("/api/v1/hosts?filter=rated")["hosts"][0]["interval_seconds"], (4, 8))
        for host in ("quick.test", "rated.test"):
            self.order("delay", {"host": host, "seconds": 0})
        for wrong in (-1, 1e9, "soon"):
            self.order("delay", {"host": "quick.test", "seconds": wrong}, 400)

    def test_orders_that_come_at_once_are_all_kept(self):
        hosts = [f"h{n}.test" for n in range(12)]
        with concurrent.futures.ThreadPoolExecutor(len(hosts)) as threads:
            answers = list(threads.map(lambda host: self.send("POST", "/api/v1/pause", {"host": host})[0], hosts))
        self.assertEqual(answers, [200] * len(hosts))
        self.assertEqual(self.ask("/api/v1/status")["orders"], len(hosts))
        for host in hosts:
            self.order("resume", {"host": host})
        self.assertEqual(self.ask("/api/v1/status")["orders"], 0)

    def test_head_tells_the_length_of_what_get_sends(self):
        got, head = self.send("GET", "/-/healthy"), self.send("HEAD", "/-/healthy")
        self.assertEqual((head[0], head[1], head[2]["Content-Length"]), (200, "", str(len(got[1]))))

    def test_a_page_is_visited_again_when_it_is_requeued(self):
        self.order("requeue", {"url": self.web.url("quick.test")})
        program.wait_for(lambda: sum(r.host == "quick.test" and r.target == "/" for r in self.web.requests()) == 2)
        self.order("requeue", {"url": self.web.url("quick.test") + "never-found"}, 404)

    def test_reload_takes_a_good_configuration_and_no_other(self):
        good = self.config.read_text(encoding="utf-8")
        try:
            self.config.write_text(good.replace("threads: 2", "threds: 2"), encoding="utf-8")
            refused = self.order("reload", status=409)
            self.assertIn("did you mean", refused["errors"][0])
            self.assertFalse(self.ask("/api/v1/status")["reload"]["successful"])
        finally:
            self.config.write_text(good, encoding="utf-8")
        self.assertIn("is in force", self.order("reload")["sentence"])
        self.config.write_text(good.replace("threads: 2", "threads: 1"), encoding="utf-8")
        try:
            self.assertIn("needs a restart: threads", self.order("reload")["sentence"])
        finally:
            self.config.write_text(good, encoding="utf-8")
        self.order("reload")
        self.assertTrue(self.ask("/api/v1/status")["reload"]["successful"])

    def test_metrics_are_what_prometheus_expects_and_few(self):
        status, text, headers = self.send("GET", "/metrics")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        series = [line for line in text.splitlines() if line and not line.startswith("#")]
        self.assertLessEqual(len(series), 600)
        for host in HOSTS:
            self.assertNotIn(host, text)
        values = dict(line.rsplit(" ", 1) for line in series)
        self.assertEqual(values["crawld_politeness_violations_total"], "0")
        self.assertEqual(values['crawld_state{state="running"}'], "1")
        self.assertGreaterEqual(int(values['crawld_fetches_total{kind="page",outcome="http_2xx"}']), 1)
        self.assertIn(int(values['crawld_fetches_total{kind="robots",outcome="http_2xx"}']), (3, 4))
        self.assertGreaterEqual(int(values["crawld_warc_records_total"]), 3)
        self.assertGreater(float(values["process_resident_memory_bytes"]), 1e6)
        families = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
        known = pathlib.Path(__file__).resolve().parents[1] / "data/metrics.txt"
        listed = {line for line in known.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")}
        self.assertEqual(families, listed)
        if tool := shutil.which("promtool"):
            checked = subprocess.run([tool, "check", "metrics"], input=text, capture_output=True, text=True, timeout=30, check=False)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_page_and_its_parts_are_there_and_nothing_else_may_be_loaded(self):
        status, text, headers = self.send("GET", "/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        for name in ("/status.css", "/status.js"):
            self.assertIn(name[1:], text)
            self.assertEqual(self.send("GET", name)[0], 200)
        self.assertEqual(self.send("GET", "/-/healthy")[:2], (200, "ok\n"))
        self.assertEqual(self.send("GET", "/../etc/passwd")[0], 404)

    @unittest.skipUnless(shutil.which("chromium"), "chromium is not installed")
    def test_the_page_shows_the_real_crawl(self):
        """What status_page_test.py asks of any endpoint, asked of this one."""
        environment = os.environ | {"CRAWLD_STATUS_URL": f"http://127.0.0.1:{self.port}/"}
        command = [sys.executable, "-B", "-m", "unittest", "status_page_test.GivenEndpointTest"]
        looked = subprocess.run(
            command, cwd=pathlib.Path(__file__).parent, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        self.assertEqual(looked.returncode, 0, looked.stderr[-4000:])
        self.assertNotIn("skipped", looked.stderr)

    def test_tcp_takes_questions_for_itself_and_orders_with_the_token(self):
        self.assertEqual(self.send("GET", "/api/v1/status", tcp=True)[0], 200)
        for host in ("evil.test", f"evil.test:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}", ""):
            with self.subTest(host):
                self.assertEqual(self.send("GET", "/api/v1/status", headers={"Host": host}, tcp=True)[0], 421)
        for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": self.token}):
            with self.subTest(given):
                self.assertEqual(self.send("POST", "/api/v1/pause", {}, given, tcp=True)[0], 401)
        self.assertEqual(self.ask("/api/v1/status")["state"], "running")
        token = {"Authorization": "Bearer " + self.token}
        self.assertEqual(self.send("POST", "/api/v1/log", {"level": "info"}, token, tcp=True)[0], 200)
        self.assertNotIn(self.token, self.log.read_text(encoding="utf-8"))

    def test_a_socket_or_file_of_others_is_left_alone(self):
        """A second daemon with a state of its own and the same path; and a path where something else is."""
        listener = self.folder / "a.sock"
        before = os.stat(listener).st_ino
        precious = self.folder / "precious"
        precious.write_text("do not lose me", encoding="utf-8")
        link = self.folder / "link"
        link.symlink_to(precious)
        for path, status in ((listener, 75), (precious, 73), (link, 73)):
            with self.subTest(path), tempfile.TemporaryDirectory(dir=self.folder) as storage:
                started = program.run(
                    "run", "--config", self.config, "--for", "1s", "--set", f"admin.socket={path}", "--set", "admin.listen=",
                    "--set", f"storage.directory={storage}", "--set", "admin.token_file=",
                )  # fmt: skip
                self.assertEqual(started.returncode, status, started.stderr)
                self.assertIn(str(path), started.stderr)
        self.assertEqual(os.stat(listener).st_ino, before)
        self.assertEqual(self.send("GET", "/-/healthy")[0], 200)
        self.assertEqual((precious.read_text(encoding="utf-8"), link.is_symlink()), ("do not lose me", True))

    def test_the_crawl_is_never_led_to_the_endpoint_itself(self):
        """All of the loopback is allowed in this crawl."""
        url = f"http://127.0.0.1:{self.port}/"
        self.order("seeds", {"url": url})
        program.wait_for(lambda: {seed["url"]: seed["fate"] for seed in self.ask("/api/v1/seeds")["seeds"]}.get(url) == "blocked")
        origins = self.ask("/api/v1/host?name=127.0.0.1")["origins"]
        self.assertIn(url.rstrip("/"), [origin["origin"] for origin in origins], "it has nothing to do, and is known all the same")

    def test_what_cannot_be_read_is_refused_in_words(self):
        for method, target, body, status in (
            ("GET", "/api/v1/nothing", None, 404),
            ("GET", "/api/v1/pause", None, 405),
            ("POST", "/api/v1/status", {}, 405),
            ("DELETE", "/api/v1/status", None, 405),
            ("GET", "/api/v1/hosts?limt=5", None, 400),
            ("GET", "/api/v1/hosts?limit=5&limit=6", None, 400),
            ("GET", "/api/v1/hosts?limit=1001", None, 400),
            ("GET", "/api/v1/hosts?sort=colour", None, 400),
            ("GET", "/api/v1/hosts?state=happy", None, 400),
            ("GET", "/api/v1/host?name=a/b", None, 400),
            ("GET", "/api/v1/explain?url=%zz", None, 400),
            ("POST", "/api/v1/pause", "[1]", 400),
            ("POST", "/api/v1/pause", "{", 400),
            ("POST", "/api/v1/pause", {"hots": "quick.test"}, 400),
            ("POST", "/api/v1/pause", {"host": "quick.test", "until": "2001-01-01T00:00:00Z"}, 400),
            ("POST", "/api/v1/pause", '{"host":' + "[" * 30000 + "]" * 30000 + "}", 400),
        ):
            with self.subTest((method, target, str(body)[:40])):
                found, text, _ = self.send(method, target, body)
                self.assertEqual(found, status, text)
                self.assertTrue(json.loads(text)["error"]["message"])
        found, _, _ = self.send("GET", "/api/v1/status", headers={"X": "y" * 9000})
        self.assertEqual(found, 431)

    def test_a_body_has_a_most(self):
        """Too large is known from the head: the body is never read, so it is not sent here."""
        for octets, status in ((65536, 100), (65537, 413)):
            with self.subTest(octets), socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(15)
                connection.connect(str(self.folder / "a.sock"))
                connection.sendall(f"POST /api/v1/pause HTTP/1.1\r\nHost: x\r\nContent-Length: {octets}\r\n\r\n".encode())
                if status == 100:  # it waits for the body
                    connection.sendall(b"x" * octets)
                    status = 400
                self.assertIn(f"HTTP/1.1 {status} ".encode(), connection.recv(4096))

    def test_idle_connections_do_not_keep_others_out(self):
        held = []
        try:
            for _ in range(40):
                connection = socket.socket(socket.AF_UNIX)
                connection.settimeout(5)
                connection.connect(str(self.folder / "a.sock"))
                held.append(connection)
            program.wait_for(lambda: sum(self.closed(connection) for connection in held) >= 24)
        finally:
            for connection in held:
                connection.close()
        program.wait_for(lambda: self.works())

    @staticmethod
    def closed(connection: socket.socket) -> bool:
        connection.setblocking(False)
        try:
            return connection.recv(1) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def works(self) -> bool:
        try:
            return self.ask("/api/v1/status")["state"] == "running"
        except (OSError, http.client.HTTPException):
            return False


class LastOrdersTest(unittest.TestCase):
    """What was ordered holds after a kill; drain ends the daemon."""

    def test_orders_outlive_a_kill_and_drain_ends_the_daemon(self):
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as name:
            folder = pathlib.Path(name)
            pages = {"/": page("many", *(f"/{n}.html" for n in range(300)))} | {f"/{n}.html": page("x") for n in range(300)}
            with LittleWeb([Site(host, HOSTS[host], "", pages) for host in ("quick.test", "rated.test")], folder / "web") as web:
                config = program.configuration(
                    web, ["quick.test", "rated.test"], folder, f"admin:\n  socket: {folder}/a.sock\n", "  default_interval: 200ms\n"
                )
                log = folder / "crawld.log"
                for run in (1, 2):
                    crawler = program.start(config, log)
                    try:
                        program.wait_for(lambda: self.post(folder, "resume") == 200)
                        if run == 1:
                            program.wait_for(lambda: sum(r.host == "quick.test" for r in web.requests()) > 3)
                            self.assertEqual(self.post(folder, "pause", {"host": "quick.test"}), 200)
                            time.sleep(0.5)
                            before = [sum(r.host == host for r in web.requests()) for host in ("quick.test", "rated.test")]
                            crawler.kill()
                        else:
                            program.wait_for(lambda: sum(r.host == "rated.test" for r in web.requests()) > before[1] + 5)
                            self.assertEqual(sum(r.host == "quick.test" for r in web.requests()), before[0])
                            self.assertEqual(self.post(folder, "drain"), 200)
                        self.assertEqual(crawler.wait(25), 0 if run == 2 else -9)
                    finally:
                        crawler.kill()
                        crawler.wait()
                self.assertFalse((folder / "a.sock").exists())

    @staticmethod
    def post(folder: pathlib.Path, order: str, body: dict | None = None) -> int:
        connection = UnixConnection(folder / "a.sock")
        try:
            connection.request("POST", "/api/v1/" + order, json.dumps(body or {}))
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main()
