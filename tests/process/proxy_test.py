"""Through real proxies: tinyproxy (HTTP) and microsocks (SOCKS 5), both with a password."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

import program
from littleweb import SYSTEM_PATH, LittleWeb, Site, die_with_parent, page

TINYPROXY = shutil.which("tinyproxy", path=SYSTEM_PATH)
MICROSOCKS = shutil.which("microsocks", path=SYSTEM_PATH)
USER, PASSWORD = "crawler", "a-secret-word"
PAGES = 4
CRAWL_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def site(host: str, address: str) -> Site:
    leaves = {f"/{n}.html": page(str(n)) for n in range(1, PAGES)}
    return Site(host, address, "User-agent: *\nDisallow:\n", {"/": page("home", *leaves)} | leaves)


class ProxyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "proxy.log"
        self.port = free_port()
        secret = self.folder / "password"
        secret.touch(mode=0o600)
        secret.write_text(PASSWORD + "\n", encoding="utf-8")

    def start(self, *command: str):
        with open(self.log, "ab") as output:
            proxy = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent)
        self.addCleanup(proxy.wait)
        self.addCleanup(proxy.kill)
        program.wait_for(lambda: listens(self.port))

    def start_http_proxy(self, web_port: int):
        if not TINYPROXY:
            self.skipTest("tinyproxy is not installed")
        config = self.folder / "tinyproxy.conf"
        config.write_text(
            f"Port {self.port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nAllow 127.0.0.1\nConnectPort {web_port}\n"
            f'LogFile "{self.log}"\nLogLevel Connect\nBasicAuth {USER} {PASSWORD}\n',
            encoding="utf-8",
        )
        self.start(TINYPROXY, "-d", "-c", str(config))

    def crawl(self, web: LittleWeb, hosts: list[str], scheme: str, more: str = "") -> str:
        """Crawls to the end through the proxy and gives the log back."""
        config = program.configuration(web, hosts, self.folder)
        text = config.read_text(encoding="utf-8")
        proxy = f"network:\n  proxy: {scheme}://{USER}@127.0.0.1:{self.port}\n  proxy_password_file: {self.folder / 'password'}\n{more}"
        text = text.replace("network:\n", proxy).replace("politeness:\n", "politeness:\n  default_interval: 100ms\n")
        config.write_text(text, encoding="utf-8")
        finished = program.run("run", "--config", config, "--until-idle", seconds=CRAWL_SECONDS)
        self.assertEqual(finished.returncode, 0, finished.stderr[-3000:])
        self.assertNotIn(PASSWORD, finished.stderr, "a secret is never logged")
        return finished.stderr

    def asked(self, method: str) -> set[str]:
        """The targets of such requests in the proxy's log."""
        return set(re.findall(rf"{method} (\S+) HTTP", self.log.read_text(errors="replace")))

    def check(self, web: LittleWeb, hosts: list[str]):
        for host in hosts:
            seen = [request.target for request in web.requests() if request.host == host]
            self.assertEqual(sorted(seen), ["/", "/1.html", "/2.html", "/3.html", "/robots.txt"], host)

    def test_http_tunnels_to_addresses_that_the_guard_has_seen(self):
        hosts = ["one.test", "two.test"]
        with LittleWeb([site("one.test", "127.1.5.1"), site("two.test", "127.1.5.2")], self.folder / "web") as web:
            self.start_http_proxy(web.port)
            self.crawl(web, hosts, "http")
            self.check(web, hosts)
        self.assertEqual(self.asked("CONNECT"), {f"127.1.5.1:{web.port}", f"127.1.5.2:{web.port}"}, "addresses, never names")

    def test_http_takes_whole_urls_when_the_proxy_resolves_names(self):
        # No name of a test is known to the proxy: hosts that are addresses serve as well.
        with LittleWeb([site("127.1.5.3", "127.1.5.3")], self.folder / "web") as web:
            self.start_http_proxy(web.port)
            log = self.crawl(web, ["127.1.5.3"], "http", "  proxy_names: remote\n")
            self.check(web, ["127.1.5.3"])
        self.assertIn("proxy chooses the addresses", log, "the operator is told what is not checked")
        self.assertEqual(self.asked("CONNECT"), set())
        self.assertIn(f"http://127.1.5.3:{web.port}/1.html", self.asked("GET"))

    def test_socks(self):
        if not MICROSOCKS:
            self.skipTest("microsocks is not installed")
        hosts = ["one.test", "two.test"]
        with LittleWeb([site("one.test", "127.1.5.1"), site("two.test", "127.1.5.2")], self.folder / "web") as web:
            self.start(MICROSOCKS, "-i", "127.0.0.1", "-p", str(self.port), "-u", USER, "-P", PASSWORD)
            self.crawl(web, hosts, "socks5")
            self.check(web, hosts)

    def test_a_proxy_that_is_away_loses_nothing(self):
        with LittleWeb([site("one.test", "127.1.5.1")], self.folder / "web") as web:
            config = program.configuration(web, ["one.test"], self.folder, "", "  default_interval: 100ms\n")
            text = config.read_text(encoding="utf-8")
            config.write_text(text.replace("network:\n", f"network:\n  proxy: http://127.0.0.1:{self.port}\n"), encoding="utf-8")
            log = self.folder / "crawl.log"
            crawler = program.start(config, log, "--until-idle")
            try:
                program.wait_for(lambda: b"error=proxy" in log.read_bytes())
                self.assertEqual(web.requests(), [])
                # The next start finds a proxy, and all that was owed.
                crawler.terminate()
                self.assertEqual(crawler.wait(30), 0)
            finally:
                crawler.kill()
                crawler.wait()
            config.write_text(text, encoding="utf-8")
            finished = program.run("run", "--config", config, "--until-idle", seconds=CRAWL_SECONDS)
            self.assertEqual(finished.returncode, 0, finished.stderr[-3000:])
            self.check(web, ["one.test"])

    def test_a_password_that_others_may_read_is_refused(self):
        os.chmod(self.folder / "password", 0o644)
        with LittleWeb([site("one.test", "127.1.5.1")], self.folder / "web") as web:
            config = program.configuration(web, ["one.test"], self.folder)
            text = config.read_text(encoding="utf-8")
            proxy = f"network:\n  proxy: http://{USER}@127.0.0.1:1\n  proxy_password_file: {self.folder / 'password'}\n"
            config.write_text(text.replace("network:\n", proxy), encoding="utf-8")
            finished = program.run("run", "--config", config, "--until-idle")
            self.assertNotEqual(finished.returncode, 0)
            self.assertIn("chmod 600", finished.stderr)


if __name__ == "__main__":
    unittest.main()
