"""crawld as a service: what the service manager hears, what SIGHUP and SIGUSR1 do, and what nobody ever reads."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from unittest import mock

import program
from littleweb import LittleWeb, Site, free_port, page

HERE = pathlib.Path(__file__).resolve().parent
GRACE = 20  # seconds, as crawld(8) has them
WATCHDOG = 4  # seconds; crawld speaks four times as often
CANARY = "canary-7e1f2a"  # a secret
FAST = "  default_interval: 100ms\n  latency_factor: 0\n  per_address_interval: 0s\n"


class Manager:
    """The service manager's end of $NOTIFY_SOCKET."""

    def __init__(self, address: str):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.socket.bind(address.replace("@", "\0", 1))
        self.told: list[str] = []

    def messages(self) -> list[str]:
        """All that it has been told so far."""
        while True:
            try:
                self.told.append(self.socket.recv(65536).decode())
            except BlockingIOError:
                return self.told

    def since(self, number: int, word: str) -> list[str]:
        return [message for message in self.messages()[number:] if message.startswith(word)]


class ServiceTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        many = {"/": page("many", *(f"/{n}.html" for n in range(2000)))} | {f"/{n}.html": page("x") for n in range(2000)}
        self.web = LittleWeb([Site("quick.test", "127.2.0.3", "User-agent: *\n", many)], self.folder / "web")
        self.web.__enter__()
        self.addCleanup(self.web.stop)
        self.output = self.folder / "output"
        self.log = self.folder / "crawld.log"
        self.crawl_log = self.folder / "crawl.log"

    def start(self, more: str = "", abstract: bool = False, **environment: str):
        """A crawl under a manager that watches it."""
        address = f"@crawld-test-{os.getpid()}" if abstract else str(self.folder / "notify")
        manager = Manager(address)
        self.addCleanup(manager.socket.close)
        more += f"log:\n  file: {self.log}\ncrawl_log:\n  file: {self.crawl_log}\n"
        self.config = program.configuration(self.web, ["quick.test"], self.folder, more, FAST)
        environment |= {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(WATCHDOG * 1_000_000)}
        with mock.patch.dict(os.environ, environment):
            crawler = program.start(self.config, self.output)
        self.addCleanup(lambda: crawler.poll() is None and crawler.kill())
        program.wait_for(lambda: manager.since(0, "STATUS=1 hosts"))
        return crawler, manager

    def reload(self, crawler: subprocess.Popen, text: str, word: str) -> str:
        """Gives crawld another configuration; returns what it logs of it, up to `word`."""
        before = len(self.log.read_text())
        self.config.write_text(text, encoding="utf-8")
        crawler.send_signal(signal.SIGHUP)
        program.wait_for(lambda: word in self.log.read_text()[before:])
        return "".join(line for line in self.log.read_text()[before:].splitlines(True) if " reload " in line)

    def test_from_ready_to_stopping(self):
        crawler, manager = self.start()
        told = manager.messages()
        self.assertEqual(told[0], "STATUS=opening the frontier")
        self.assertEqual(told.count("READY=1"), 1)
        self.assertLess(told.index("READY=1"), next(i for i, message in enumerate(told) if message.startswith("STATUS=1 hosts")))
        self.assertIn(" ready ms=", self.log.read_text(), "the frontier was open before")
        program.wait_for(lambda: re.search(r"STATUS=1 hosts, \d in flight, \d ready, [1-9]\d+ URLs owed", "\n".join(manager.messages())))
        program.wait_for(lambda: len(manager.since(0, "WATCHDOG=1")) > 1)

        # A mistake changes nothing; a change is taken up or named.
        good = self.config.read_text(encoding="utf-8")
        number = len(manager.messages())
        refused = self.reload(crawler, good.replace("seeds:\n", "sedes:\n"), "result=refused")
        self.assertIn("sedes", refused)
        self.assertNotIn("needs_restart", refused)
        program.wait_for(lambda: manager.since(number, "READY=1"))
        self.assertRegex(manager.since(number, "RELOADING=1")[0], r"^RELOADING=1\nMONOTONIC_USEC=\d+$")
        count = len(self.web.requests())
        program.wait_for(lambda: len(self.web.requests()) > count + 3)

        number = len(manager.messages())
        other = good.replace("threads: 2", "threads: 3").replace("log:\n", "log:\n  levels: {visit: error}\n", 1)
        done = self.reload(crawler, other, "result=done")
        self.assertEqual(re.findall(r"warning reload result=needs_restart key=(\S+)", done), ["threads"])
        program.wait_for(lambda: manager.since(number, "READY=1"))
        told = manager.since(number, "RE")
        self.assertEqual([message[:6] for message in told], ["RELOAD", "READY="])
        lines, count = self.log.read_text().count(" visit "), len(self.web.requests())
        program.wait_for(lambda: len(self.web.requests()) > count + 3)
        self.assertLessEqual(self.log.read_text().count(" visit "), lines + 1, "its level was error by then")

        number = len(manager.messages())
        crawler.terminate()
        self.assertEqual(crawler.wait(GRACE), 0, self.output.read_text())
        told = manager.messages()[number:]
        self.assertIn("STOPPING=1", told)
        self.assertIn("STATUS=ending: SIGTERM", told)
        self.assertTrue(any(re.fullmatch(r"EXTEND_TIMEOUT_USEC=\d+", message) for message in told), told)
        self.assertNotIn("READY=1", told)

    def test_renamed_logs_lose_no_line(self):
        crawler, manager = self.start(abstract=True)
        old_log, old_crawl_log = self.folder / "crawld.log.old", self.folder / "crawl.log.old"
        program.wait_for(lambda: len(self.web.requests()) > 10)
        self.log.rename(old_log)
        self.crawl_log.rename(old_crawl_log)
        time.sleep(0.3)  # some lines go to the old names still
        crawler.send_signal(signal.SIGUSR1)
        program.wait_for(lambda: self.log.exists() and " info reopen log=true crawl_log=true" in self.log.read_text())
        count = len(self.web.requests())
        program.wait_for(lambda: len(self.web.requests()) > count + 5)
        crawler.terminate()
        self.assertEqual(crawler.wait(GRACE), 0)
        self.assertIn("STOPPING=1", manager.messages())

        asked = sorted(request.target for request in self.web.requests())
        self.assertEqual(len(asked), len(set(asked)))
        for old, new in ((old_log, self.log), (old_crawl_log, self.crawl_log)):
            parts = [file.read_text(encoding="utf-8") for file in (old, new)]
            told = [re.findall(r"http://quick\.test:\d+(/\S*?)[\" ]", "\n".join(self.lines_of_requests(part))) for part in parts]
            self.assertGreater(len(told[0]), 5)
            self.assertGreater(len(told[1]), 3)
            self.assertEqual(sorted(told[0] + told[1]), asked, f"{new.name} has each request once")
            self.assertTrue(all(part.endswith("\n") for part in parts))

    @staticmethod
    def lines_of_requests(text: str) -> list[str]:
        """Of the log: visits and robots, cut before the second URL; of the crawl log: all, up to the URL."""
        found = []
        for line in text.splitlines():
            if re.search(r" (visit|robots) url=", line):
                found.append(line.partition(" origin=")[0])
            elif match := re.match(r"\S+ +-?\d+ +\d+ (\S+ )", line):
                found.append(match[1])
        return found

    @unittest.skipUnless(shutil.which("cc"), "no compiler")
    def test_a_disk_that_hangs_is_not_a_sign_of_life(self):
        library, stuck = self.folder / "stuck.so", self.folder / "stuck"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(HERE / "stuck.c"), "-ldl"], check=True)
        options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        crawler, manager = self.start(LD_PRELOAD=str(library), CRAWLD_STUCK=str(stuck), ASAN_OPTIONS=options)
        program.wait_for(lambda: len(manager.since(0, "WATCHDOG=1")) > 1)
        stuck.touch()
        program.wait_for(lambda: "warning watchdog silent=store" in self.log.read_text())
        number = len(manager.messages())
        time.sleep(1.5)  # more than a turn
        self.assertEqual(manager.since(number, "WATCHDOG=1"), [])
        self.assertNotIn("silent=shard", self.log.read_text())
        stuck.unlink()
        program.wait_for(lambda: manager.since(number, "WATCHDOG=1"))
        crawler.terminate()
        self.assertEqual(crawler.wait(GRACE), 0)

    def test_a_journal_behind_standard_error_gets_priorities_and_no_visits(self):
        more = f"log:\n  format: text\ncrawl_log:\n  file: {self.crawl_log}\n"
        config = program.configuration(self.web, ["quick.test"], self.folder, more, FAST)
        self.output.touch()
        status = self.output.stat()
        with mock.patch.dict(os.environ, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}):
            crawler = program.start(config, self.output, "--for", "2s")
        self.assertEqual(crawler.wait(GRACE), 0)
        lines = [line for line in self.output.read_text().splitlines() if not line.startswith("warning: ")]  # of the configuration
        self.assertTrue(all(re.match(r"<[3-6]>\d{4}-", line) for line in lines), lines)
        self.assertIn(" info stop ", lines[-1])
        self.assertFalse([line for line in lines if " visit " in line or " robots " in line or " verdict " in line])
        self.assertGreater(len(self.crawl_log.read_text().splitlines()), 5)

    def test_a_secret_is_told_to_nobody(self):
        secret = self.folder / "proxy"
        secret.write_text(CANARY + "\n", encoding="utf-8")
        secret.chmod(0o600)
        proxy = f"network:\n  proxy: http://user@127.0.0.1:{free_port()}\n  proxy_password_file: credential:proxy\n"
        manager = Manager(str(self.folder / "notify"))
        self.addCleanup(manager.socket.close)
        more = f"log:\n  level: trace\n  format: json\ncrawl_log:\n  file: {self.crawl_log}\n"
        config = program.configuration(self.web, ["quick.test"], self.folder, more, FAST)
        config.write_text(config.read_text(encoding="utf-8").replace("network:\n", proxy), encoding="utf-8")
        environment = {"CREDENTIALS_DIRECTORY": str(self.folder), "NOTIFY_SOCKET": str(self.folder / "notify")}
        with mock.patch.dict(os.environ, environment):
            finished = program.run("run", "--config", config, "--for", "1s")
            dumped = program.run("dump-config", "--config", config)
            secret.chmod(0o640)  # of a credential that is systemd's affair
            again = program.run("run", "--config", config, "--for", "1s")
        self.assertEqual((finished.returncode, dumped.returncode, again.returncode), (0, 0, 0), finished.stderr + again.stderr)
        self.assertIn('"error":"proxy"', finished.stderr, "it was never needed: this test says nothing")
        self.assertIn('proxy_password_file: "credential:proxy"', dumped.stdout)
        everything = [finished.stderr, finished.stdout, dumped.stdout, again.stderr, *manager.messages()]
        everything += [path.read_text(errors="replace") for path in self.folder.glob("storage.*/**/*") if path.is_file()]
        self.assertFalse([text for text in everything if CANARY in text])

        text = config.read_text(encoding="utf-8").replace("credential:proxy", str(secret))
        config.write_text(text, encoding="utf-8")
        refused = program.run("run", "--config", config, "--for", "1s")
        self.assertEqual(refused.returncode, 78)
        self.assertIn(f"{secret}: others than its owner may use it: chmod 600", refused.stderr)


if __name__ == "__main__":
    unittest.main()
