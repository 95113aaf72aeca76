"""The address guard against everything that leads inside: spellings, names and redirects, from seeds, pages and robots.txt files.

Runs in a network namespace in which every address of the world answers (guard_web.py). The witness is who has been connected to.
"""

import html
import ipaddress
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import program
from chain_web import events
from guard_web import PORTS, ROBOTS, GuardWeb, namespace_options
from littleweb import die_with_parent

GRACE = 22  # seconds that SIGTERM may take
CRAWL_SECONDS = 60
AWAY = "45.80.0.99"  # of the open web, and cannot be reached
GOOD, GOOD6 = "45.80.0.30", "2a0b:4e07::10"
HUBS = {f"hub{n}.test": f"45.80.0.{10 + n}" for n in range(8)}  # have the links and redirects
MOVED = [f"45.80.0.{n}" for n in range(31, 41)]  # have the robots.txt files that are elsewhere
PUBLIC = [GOOD, GOOD6, *HUBS.values(), *MOVED]
CHAINS = 12
WEB_PORTS = (80, 8080)
METADATA = ("169.254.169.254", "100.100.100.200", "fd00:ec2::254", "169.254.170.2", "192.0.0.192", "168.63.129.16")
DENIED = (
    "10.1.2.3", "192.168.7.7", "172.16.5.5", "100.64.1.1", "198.18.0.7", "203.0.113.7", "240.0.0.7", "169.254.7.7", "127.0.0.1",
    "127.8.8.8", "fd00::7", "::1", "::10.1.2.3", "64:ff9b::a01:203", "64:ff9b:1::a01:203", "2002:a01:203::1",
    "2001:0:4136:e378:8000:63bf:f5fe:fdfc", "2001:db8::7", "fec0::7", *METADATA,
)  # fmt: skip
MANY_INSIDE = [f"10.9.8.{n}" for n in range(40)]

# What stands between `http://` and the path, by what has to come of it.
SPELLINGS = {
    "private": (
        "10.1.2.3", "10.1.2.3.", "10.1.2.3:80", "10.1.2.3:8080", "167838211", "0x0a010203", "0X0A.1.2.3", "012.1.2.3", "012.0x1.2.03",
        "10.66051", "10.1.515", "01200201003", "%31%30.1.2.3", "10%2e1%2E2%2e3", "１０.１.２.３", "10。1。2。3", "①⓪.1.2.3",
        "good.test@10.1.2.3", "good.test:80@10.1.2.3", "good.test%40@10.1.2.3", "good.test@good.test@10.1.2.3", "10.1.2.3:80\\@good.test",
        "192.168.7.7", "3232237319", "172.16.5.5", "172.1049861", "[fd00::7]", "[FD00:0:0:0:0:0:0:7]", "[fec0::7]",
        "[::ffff:10.1.2.3]", "[::ffff:a01:203]", "[0:0:0:0:0:FFFF:10.1.2.3]",
        "in.test", "IN.Test.", "in.test:8080", "alias.test", "six.test", "mapped.test", "many.test", "%69n.test",
    ),
    "loopback": (
        "127.0.0.1", "127.1", "127.0.1", "127.8.8.8", "2130706433", "0177.0.0.1", "0x7f.1", "0x7f000001", "017700000001", "[::1]",
        "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "LOCALHOST", "localhost.", "a.localhost",
        "a.b.LocalHost.", "localhost:8080", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "lo\u00adcalhost", "%6c%6fcalhost", "loop.test", "loop6.test",
    ),
    "metadata": (
        "169.254.169.254", "2852039166", "0xA9FEA9FE", "169.254.43518", "169.16689662", "0251.0376.0251.0376", "0xa9.0xfe.0xa9.0xfe",
        "169.254.169.254.", "[fd00:ec2::254]", "[fd00:0ec2:0:0:0:0:0:0254]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]",
        "100.100.100.200", "1684301000", "169.254.170.2", "192.0.0.192", "168.63.129.16", "meta.test", "meta6.test",
        "169.254.169.254.ip.test",
    ),
    "v6_embedded": (
        "[::10.1.2.3]", "[::a01:203]", "[64:ff9b::10.1.2.3]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::a01:203]", "[2002:a01:203::1]",
        "[2002:a9fe:a9fe::]", "[2001:0:4136:e378:8000:63bf:f5fe:fdfc]", "nat64.test", "sixtofour.test",
    ),
    "link_local": ("169.254.7.7", "[fe80::7]", "[febf::7]"),
    "unspecified": ("0", "0.0.0.0", "0x0", "0.1.2.3", "[::]", "zero.test"),
    "cgnat": ("100.64.1.1", "0x64.0x40.1.1"),
    "benchmark": ("198.18.0.7", "[2001:2::7]"),
    "documentation": ("203.0.113.7", "192.0.2.7", "198.51.100.7", "[2001:db8::7]", "[3fff::7]"),
    "reserved": ("240.0.0.7", "192.0.0.7", "192.88.99.7", "[2001:10::7]", "[4000::7]", "[::1:0:0:0]"),
    "multicast": ("224.0.0.1", "[ff02::1]"),
    "broadcast": ("255.255.255.255", "0xffffffff"),
    "private|loopback": ("both.test",),
    "port": ("good.test:22", "good.test:6379", "45.80.0.30:25", "[2a0b:4e07::10]:22", "10.1.2.3:22", "127.0.0.1:6379", "in.test:25"),
    "no_url": (
        "256.1.2.3", "10.1.2.3.4", "0x10a010203", "4462805507", "10.1.2.09", "10.1..3", "[::ffff:10.1.2]", "[10.1.2.3]", "[fe80::7%25lo]",
        "[fe80::7%lo]", "[::1", "[::1]x", "10.1.2.3:99999", "10.1.2.3:-80", "10.1.2.3:80:80", "10.1.2.3%00.good.test",
        "10.1.2.3%2f.good.test",
        "good.test%4010.1.2.3", "10.1.2.3%20", "10.1.2.3%0d%0a", "[::1%2580]",
    ),
    "open": (
        "good.test", "good6.test", "10.1.2.3@good.test", "10.1.2.3:80@good.test", "good.test\\@10.1.2.3", "good.test?@10.1.2.3",
        "mixed1.test", "mixed2.test", "mixed3.test", "[2a0b:4e07::10]", "[::ffff:45.80.0.30]", "760217630",
    ),
    "away": ("away.test", "10.1.2.3..", "10.1.2.3.good.invalid", "10.1.2.3-80", "0x10g"),  # a name nobody knows, or half a host
}  # fmt: skip
# Whole references: white space, slashes that browsers repair, and schemes that are not ours. `TAG` is the path.
REFERENCES = {
    "private": (
        "HTTP://10.1.2.3/TAG", "http:\\\\10.1.2.3\\TAG", "http:///10.1.2.3/TAG", "http:////10.1.2.3/TAG", "https:/10.1.2.3/TAG",
        "https:10.1.2.3/TAG", "https://10.1.2.3/TAG", "/\\10.1.2.3/TAG", "\\\\10.1.2.3\\TAG", "\\/10.1.2.3/TAG", "///10.1.2.3/TAG",
        "\t http://10.1.2.3/TAG \t", "ht\ttp:/\t/10.1.\t2.3/TAG",
    ),
    "no_url": (
        "file:///etc/TAG", "ftp://10.1.2.3/TAG", "gopher://10.1.2.3:6379/_TAG", "dict://10.1.2.3:11211/TAG", "ws://10.1.2.3/TAG",
        "data:text/html,<a href=http://10.1.2.3/TAG>x</a>", "javascript:location='http://10.1.2.3/TAG'", "jar:http://10.1.2.3/TAG",
        "view-source:http://10.1.2.3/TAG", "blob:http://10.1.2.3/TAG", "http://", "http:///", "//",
    ),
    "open": ("http:/10.1.2.3/TAG", "http:10.1.2.3/TAG"),  # relative, says the URL Standard, after a page of the same scheme
}  # fmt: skip
NAMES = {
    "good.test": [GOOD], "good6.test": [GOOD6], "away.test": [AWAY, "10.1.2.3", "fd00::7"], "in.test": ["10.1.2.3"],
    "alias.test": ["=in.test"], "six.test": ["fd00::7"], "mapped.test": ["::ffff:10.1.2.3"], "many.test": MANY_INSIDE,
    "loop.test": ["127.0.0.1"], "loop6.test": ["::1"], "meta.test": ["169.254.169.254"], "meta6.test": ["fd00:ec2::254"],
    "169.254.169.254.ip.test": ["169.254.169.254"],
    "nat64.test": ["64:ff9b::a01:203"], "sixtofour.test": ["2002:a01:203::1"], "zero.test": ["0.0.0.0"], "both.test": ["10.1.2.3", "::1"],
    "mixed1.test": ["10.1.2.3", GOOD], "mixed2.test": ["fd00::7", GOOD, "127.0.0.1", "::1"],
    "mixed3.test": [*MANY_INSIDE[:20], GOOD6, "169.254.169.254"],
}  # fmt: skip
WAYS = ("seed", "link", "redirect", "relative", "robots", "sitemap")
OWN_HOSTS = {"robots": "r", "sitemap": "m"}  # ways on which each entry has a host of its own, by what its name begins with


class Entry:
    """A spelling and the way on which crawld meets it."""

    def __init__(self, number: int, way: str, reference: str, outcome: str):
        self.number, self.way, self.outcome = number, way, outcome
        self.tag = f"e{number}-{way}"
        self.reference = reference.replace("TAG", self.tag)
        self.hub = f"{OWN_HOSTS[way]}{number}.test" if way in OWN_HOSTS else list(HUBS)[number % len(HUBS)]
        self.page = ROBOTS if way in OWN_HOSTS else f"/{way}/{number}"  # where it is met

    def __repr__(self):
        return f"{self.way} {self.reference!r}"


def entries() -> list[Entry]:
    found = []
    spelled = [(authority, outcome) for outcome, those in SPELLINGS.items() for authority in those]
    for number, (authority, outcome) in enumerate(spelled):
        for way in WAYS:
            found.append(Entry(number, way, f"{'' if way == 'relative' else 'http:'}//{authority}/TAG", outcome))
    written = [(reference, outcome) for outcome, those in REFERENCES.items() for reference in those]
    for number, (reference, outcome) in enumerate(written, len(spelled)):
        found += [Entry(number, way, reference, outcome) for way in ("link", "redirect", "robots", "sitemap")]
    return found


def world_of(matrix: list[Entry]) -> dict:
    answers, names = {}, {name: [addresses] for name, addresses in NAMES.items()} | {hub: [[at]] for hub, at in HUBS.items()}
    index: dict[str, str] = {}
    for entry in matrix:
        if entry.way in OWN_HOSTS:
            names[entry.hub] = [[MOVED[entry.number % len(MOVED)]]]
        elif entry.way != "seed":
            index[entry.hub] = index.get(entry.hub, "") + f'<a href="{entry.page}">x</a>'
        if entry.way == "link":
            answers[f"{entry.hub} {entry.page}"] = (200, "", f'<a href="{html.escape(entry.reference)}">x</a>')
        elif entry.way == "sitemap":
            answers[f"{entry.hub} {entry.page}"] = (200, "", f"User-agent: *\nSitemap: {entry.reference}\n")
        elif entry.way != "seed":
            answers[f"{entry.hub} {entry.page}"] = (302, entry.reference, "")
    answers |= {f"{hub} /": (200, "", links) for hub, links in index.items()}
    # Their pages never end. The first time their names lead out, and to the inside for ever after: or the other way round.
    for n in range(CHAINS):
        inside = [list(DENIED[n : n + 1]), ["127.0.0.1", "fd00::7"], ["169.254.169.254"]]
        names[f"chain{n}.test"] = inside if n % 4 == 3 else [[GOOD], *inside]
    return {"public": PUBLIC, "answers": answers, "names": names}


class GuardCase:
    """A crawl of the whole matrix; `allow` is network.allow_addresses."""

    allow = ""

    @classmethod
    def setUpClass(cls):
        if namespace_options() is None:
            reason = "no network namespaces here (unshare -rn)"
            print(f"\nskipped: {reason}", flush=True)
            raise unittest.SkipTest(reason)
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.matrix = entries()
        cls.web = GuardWeb(world_of(cls.matrix), cls.folder / "web", AWAY)
        cls.web.__enter__()
        cls.addClassCleanup(cls.web.__exit__)
        (cls.folder / "state").mkdir()
        cls.config = cls.folder / "crawld.yaml"
        cls.text, cls.statuses = "", []
        cls.refused = cls.offer_seeds()
        cls.work()

    @classmethod
    def offer_seeds(cls) -> set[str]:
        """Writes the configuration without the seeds that crawld refuses, and returns the tags of those."""
        seeds = [entry for entry in cls.matrix if entry.way == "seed"]
        list_of = cls.folder / "seeds.txt"
        own = [f"http://{host}/" for host in (*HUBS, *(f"chain{n}.test" for n in range(CHAINS)))]
        own += [f"http://{entry.hub}/" for entry in cls.matrix if entry.way in OWN_HOSTS]
        cls.config.write_text(
            f"agent:\n  contact: {program.CONTACT}\nseeds:\n  - file: seeds.txt\nscope:\n  follow: any\n  max_depth: 10000\n"
            "politeness:\n  default_interval: 20ms\n  hard_minimum: 20ms\n  latency_factor: 0\n  per_address_interval: 5ms\n"
            f'network:\n  allow_addresses: [{cls.allow}]\n  nameservers: ["{cls.web.nameserver}"]\nthreads: 2\nlog:\n  format: json\n'
            f"recrawl:\n  enabled: false\nstorage:\n  directory: {cls.folder}/state\n  pause_below: 16MiB\n  resume_above: 16MiB\n",
            encoding="utf-8",
        )
        list_of.write_text("".join(entry.reference + "\n" for entry in seeds), encoding="utf-8")
        said = program.run("check-config", "--config", cls.config).stderr
        refused = {entry.tag for line, entry in enumerate(seeds, 1) if f"seeds.txt:{line}:" in said}
        cls.seeds = [entry for entry in seeds if entry.tag not in refused]
        list_of.write_text("\n".join([*own, *(entry.reference for entry in cls.seeds), ""]), encoding="utf-8")
        return refused

    @classmethod
    def crawl(cls, enough):
        """Runs crawld until `enough()`, and ends it in order."""
        log = cls.folder / f"run-{len(list(cls.folder.glob('run-*')))}.log"
        with open(log, "wb") as output:
            crawler = subprocess.Popen(
                cls.web.inside(program.CRAWLD, "run", "--config", cls.config),
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent,
            )  # fmt: skip
        try:
            program.wait_for(lambda: crawler.poll() is not None or enough(log), CRAWL_SECONDS, 0.2)
        except AssertionError:
            pass  # the tests say what is missing
        finally:
            crawler.send_signal(signal.SIGTERM)
            try:
                cls.statuses.append(crawler.wait(GRACE))
            finally:
                crawler.kill()
                crawler.wait()
                cls.text += log.read_text(encoding="utf-8", errors="replace")
        cls.visits = cls.visits_of()

    @classmethod
    def log_lines(cls, log) -> list[dict]:
        return [*events(log, "visit"), *events(log, "robots")]

    @classmethod
    def visits_of(cls) -> dict[str, dict]:
        """The line of the log for each tag, or for each URL without one."""
        found = {}
        for log in sorted(cls.folder.glob("run-*.log")):
            for line in cls.log_lines(log):
                last = line["url"].replace("\\", "/").rpartition("/")[2]
                found[last if last.startswith("e") else line["url"]] = line
        return found

    @classmethod
    def met(cls) -> set[tuple[str, str]]:
        return {(host, path) for _, _, host, path in cls.web.lines("asked")}

    @classmethod
    def speaks(cls, entry: Entry) -> bool:
        """Does crawld write a line for what it makes of `entry`?"""
        return entry.outcome not in ("no_url", "away") and entry.tag not in cls.refused

    @classmethod
    def all_met(cls, log) -> bool:
        told = {line["url"].replace("\\", "/").rpartition("/")[2] for line in cls.log_lines(log)}
        met = cls.met()
        return all(
            (entry.way == "seed" or (entry.hub, entry.page) in met) and (entry.tag in told or not cls.speaks(entry)) for entry in cls.matrix
        )

    def assert_none(self, wrong: list):
        self.assertEqual((len(wrong), wrong[:20]), (0, []))

    def test_the_crawl_ends_in_order(self):
        self.assertEqual(set(self.statuses), {0}, self.text[-4000:])
        for trouble in ("AddressSanitizer", "runtime error:", '"event":"bug"'):
            self.assertNotIn(trouble, self.text)


class NothingAllowedTest(GuardCase, unittest.TestCase):
    @classmethod
    def work(cls):
        """Connects to the inside first: whoever does is seen. Then crawls, ends, and crawls on with names that lead elsewhere now."""
        knock = f"import socket\nfor a in {DENIED!r}:\n  for p in {PORTS!r}: socket.create_connection((a, p), timeout=5).close()\n"
        before = cls.web.attempts()
        knocked = subprocess.run(cls.web.inside(sys.executable, "-c", knock), capture_output=True, text=True, timeout=20, check=False)
        assert knocked.returncode == 0, knocked.stderr
        program.wait_for(lambda: cls.web.opened().total() == len(DENIED) * len(PORTS))
        cls.knocked, cls.knocks = cls.web.opened(), cls.web.attempts() - before
        cls.crawl(cls.all_met)
        cls.crawl(cls.chains_have_ended)
        for url in ("http://10.1.2.3/", "http://[::ffff:a9fe:a9fe]/", "http://localhost/", "http://in.test/", "http://r0.test/"):
            explain = cls.web.inside(program.CRAWLD, "explain", "--config", cls.config, url)
            cls.text += subprocess.run(explain, capture_output=True, text=True, timeout=20, check=False).stderr
        cls.opened, cls.attempts = cls.web.opened() - cls.knocked, cls.web.attempts() - before - cls.knocks

    @classmethod
    def chains_have_ended(cls, log) -> bool:
        return {line["origin"] for line in events(log, "visit") if line["fate"] == "blocked"} >= {
            f"http://chain{n}.test" for n in range(CHAINS) if n % 4 != 3
        }

    def test_whoever_comes_is_counted(self):
        self.assertEqual(self.knocked, {(address, port): 1 for address in map(self.canonical, DENIED) for port in PORTS})
        self.assertEqual(self.knocks, len(DENIED) * len(PORTS))

    @staticmethod
    def canonical(address: str) -> str:
        return str(ipaddress.ip_address(address))

    def test_the_matrix_is_large(self):
        self.assertGreaterEqual(sum(len(those) for outcome, those in SPELLINGS.items() if outcome not in ("open", "away", "no_url")), 100)
        self.assertGreaterEqual(len([entry for entry in self.seeds if self.speaks(entry) and entry.outcome != "open"]), 60)

    def test_nobody_inside_is_connected_to(self):
        inside = {place: count for place, count in self.opened.items() if place[0] not in PUBLIC or place[1] not in WEB_PORTS}
        self.assertEqual(inside, {})

    def test_not_even_where_nobody_listens(self):
        self.assertEqual(self.attempts - self.opened.total(), 0)

    def test_all_of_it_was_met_outside(self):
        met = self.met()
        self.assert_none([entry for entry in self.matrix if entry.way != "seed" and (entry.hub, entry.page) not in met])

    def test_the_log_says_what_was_blocked_and_why(self):
        wrong = []
        for entry in self.matrix:
            line = self.visits.get(entry.tag)
            if not self.speaks(entry) or entry.outcome == "open":
                continue
            why = r"blocked_port|^port \d+$" if entry.outcome == "port" else rf" is ({entry.outcome})$"
            fine = line and re.search(why, line.get("detail", "")) and line["status"] == 0
            if not fine or (line["error"] if entry.way == "robots" else line["fate"]) not in ("blocked", "blocked_address", "blocked_port"):
                wrong.append((entry, line))
        self.assert_none(wrong)

    def test_what_leads_out_is_fetched(self):
        """A guard that lets nothing through would pass all the rest."""
        those = [entry for entry in self.matrix if entry.outcome == "open" and self.speaks(entry)]
        self.assertGreater(len(those), 40)
        self.assert_none([(entry, self.visits.get(entry.tag)) for entry in those if self.visits.get(entry.tag, {}).get("status") != 200])

    def test_what_is_no_url_is_nowhere(self):
        those = [entry for entry in self.matrix if entry.outcome == "no_url"]
        self.assert_none([(entry, self.visits[entry.tag]) for entry in those if entry.tag in self.visits])
        self.assert_none([entry for entry in those if entry.way == "seed" and entry.tag not in self.refused])
        for entry in those:
            if entry.way == "redirect":
                self.assertEqual(self.visits[f"http://{entry.hub}{entry.page}"]["fate"], "refused", entry)

    def test_a_name_that_changes_its_mind_is_blocked_when_it_does(self):
        asked = {host for _, _, host, path in self.web.lines("asked") if path != ROBOTS}
        answers: dict[str, set] = {}
        for name, _, addresses in self.web.lines("named"):
            answers.setdefault(name, set()).add(addresses)
        blocked = {line["origin"] for line in self.visits.values() if line.get("fate") == "blocked"}
        for n in range(CHAINS):
            with self.subTest(n):
                self.assertEqual(f"chain{n}.test" in asked, n % 4 != 3)
                self.assertIn(f"http://chain{n}.test", blocked)
                if n % 4 != 3:
                    self.assertGreaterEqual(len(answers[f"chain{n}.test"]), 2)


class SomeAllowedTest(GuardCase, unittest.TestCase):
    """Ranges are opened. What is not in them, a cloud's metadata, and the ports of others stay closed."""

    allow = '10.0.0.0/8, 169.254.0.0/16, 127.0.0.0/8, 100.64.0.0/10, "fd00::/8"'

    @classmethod
    def work(cls):
        cls.crawl(cls.all_met)

    @classmethod
    def speaks(cls, entry: Entry) -> bool:
        return super().speaks(entry) and not entry.reference.startswith("https:")  # nobody there speaks TLS

    def allowed(self, address: str) -> bool:
        parsed = ipaddress.ip_address(address)
        ranges = [ipaddress.ip_network(text.strip(' "')) for text in self.allow.split(",")]
        return address in PUBLIC or any(parsed in those for those in ranges) and address not in METADATA

    def test_what_is_allowed_is_fetched(self):
        opened = self.web.opened()
        for address in ("10.1.2.3", "127.0.0.1", "169.254.7.7", "100.64.1.1", "fd00::7"):
            self.assertGreater(opened[address, 80], 0, address)
        inside = [path for address, _, _, path in self.web.lines("asked") if address == "10.1.2.3"]
        for way in WAYS:
            self.assertGreater(len([path for path in inside if path.endswith(way)]), 15, way)

    def test_the_rest_is_not_connected_to(self):
        opened = self.web.opened().items()
        wrong = {place: count for place, count in opened if not self.allowed(place[0]) or place[1] not in (*WEB_PORTS, 443)}
        self.assertEqual(wrong, {})

    def test_a_cloud_s_metadata_are_blocked_all_the_same(self):
        those = [entry for entry in self.matrix if entry.outcome == "metadata" and self.speaks(entry)]
        self.assertGreater(len(those), 80)
        wrong = [(e, self.visits.get(e.tag)) for e in those if "metadata" not in self.visits.get(e.tag, {}).get("detail", "")]
        self.assert_none(wrong)


if __name__ == "__main__":
    unittest.main()
