"""Configurations as an operator meets them: schema, includes, environment, --set, origins, check-config for programs."""

import copy
import json
import os
import pathlib
import signal
import tempfile
import unittest
import unittest.mock

import program
from littleweb import LittleWeb, Site, page

try:
    import jsonschema
except ImportError:  # python3-jsonschema is in deploy/install-deps.sh test
    jsonschema = None

GOOD = {"agent": {"contact": "process-test@crawld.test"}}

# (key, good values, bad values): the schema and the reader say the same of each.
AGREED = [
    ("agent.tokens", [["a"], ["A-b_c", "d"], ["x" * 64]], [[], ["a b"], ["*"], ["a", "a"], "a", ["x" * 65], ["a"] * 17, {"a": 1}]),
    ("agent.contact", ["https://crawler.operator.net/a?b", "HTTP://operator.net", "a.b+c@operator.net"],
     ["operator.net", "me@example.com", "me@crawl.example.org", "https://www.example.net/x", "https://localhost/", "a b@operator.net",
      "mailto:a@operator.net", "https://operator.net/(x)", "", "ftp://operator.net/", ["a@operator.net"], "a@operator.net/" + "x" * 256]),
    ("agent.user_agent", ["", "crawld/9 (+process-test@crawld.test)"], [" crawld", "crawld ", "crawld/ü", "crawld" + "x" * 512]),
    ("seeds", [[], ["https://a.com"], ["HTTP://a.com:8080/x?y"], [{"url": "http://a.com/", "weight": 10}], [{"url": "http://a.com/"}]],
     ["https://a.com", ["a.com"], ["ftp://a.com/"], ["http://a.com/ b"], [{"url": "http://a.com/", "weight": 11}], [{"weight": 1}],
      [{"url": "http://a.com/", "weight": 0}], [{"url": "http://a.com/", "speed": 1}], [{"file": ""}], [["http://a.com/"]], {}, [5],
      [{"url": "http://a.com/", "weight": "4"}], [{"file": "x", "weight": 1}]]),
    ("include", [[], "none/*.yaml", ["none/*.yaml", "nor/*.yaml"]], ["", [""], {}, [["x"]]]),
    ("scope.follow", ["host", "domain", "any"], ["Host", "", "hosts", 1, ["host"], True]),
    ("scope.max_depth", [0, 10000], [-1, 10001, "5", 1.5, True, "", [1], {}]),
    ("scope.embeds", [True, False], ["true", "yes", 1, 0, []]),
    ("scope.strip_parameters", [[], ["utm_*", "sid"], ["x" * 256]], [["*"], ["a=b"], ["a b"], ["a", "a"], "sid", ["x" * 257], ["ü"],
     ["a*b"]]),
    ("traps.max_url_length", [64, 8192], [63, 8193]),
    ("politeness.default_interval", ["2s", "250ms", "1h30m", "1.5s", "0", "0s", "1us500ns", 0],
     [2, "2", "2 s", "-1s", "2sec", "1m1h", "s", "", "1s1s", "off", True, ["2s"], "1.s", ".5s", "1e3s", "1m 2s"]),
    ("politeness.rate_floor", ["off", "1s", "10s"], ["Off", "none", 0.5, 7, ["off"]]),
    ("politeness.latency_factor", [0, 2, 0.5, 1000], [-1, 1001, 1000.5, "2", True]),
    ("politeness.hosts", [{}, {"a.com": {}}, {"*.a.com": {"crawl_delay": "1m", "latency_factor": 0.5}}, {"[::1]": {"hard_minimum": "1s"}}],
     [[], {"a.com": 5}, {"a.com": {"delay": "1s"}}, {"a.com": {"crawl_delay": "5"}}, {"*": {}}, {"a b": {}}, {"a.com:80": {}}, {"": {}},
      {"http://a.com/": {}}, {"a.com": {"latency_factor": 1001}}]),
    ("robots.version2_bare_slash", ["everything", "root-only"], ["root_only"]),
    ("network.allow_addresses", [[], ["10.0.0.0/8"], ["fd00::/8", "192.0.2.1"]], [["a.com"], [""], "10.0.0.0/8", ["10.0.0.0/08"],
     ["10.0.0.0/8"] * 2]),
    ("network.nameservers", [[], ["192.0.2.1"], ["192.0.2.1:53", "[2001:db8::1]:5353"]], [["2001:db8::1"], ["192.0.2.1:0"],
     ["192.0.2.1:"], ["dns.a.com"]]),
    ("network.source_addresses", [[], ["192.0.2.1", "2001:db8::1"]], [["192.0.2.1", "192.0.2.2", "192.0.2.3"], ["a.com"],
     ["192.0.2.0/24"]]),
    ("network.proxy", ["", "http://p.a.com:3128", "socks5://[2001:db8::1]:1080"], ["p.a.com:3128", "https://p.a.com:1", "http://p.a.com",
     "http://p:0", "http://:1"]),
    ("network.min_rate", [0, "0", "100B", "1KiB", "1KB"], [100, "100", "1kb", "1 KiB", "01B", "1.5KiB", "-1B", True]),
    ("network.unverified_hosts", [[], ["*"], ["old.a.com", "*.b.com"]], [["a.com/"], ["http://a.com"], ["a.com", "a.com"]]),
    ("network.ca_file", ["", "/etc/passwd"], ["/a\nb", "x" * 4097, ["/x"]]),
    ("threads", [0, 256], [257, -1, "4", {}]),
    ("storage.directory", ["/srv/x y"], ["", [], "a\tb"]),
    ("archive.prefix", ["a", "my-crawl_1.2", "x" * 64], ["", ".a", "a/b", "a b", "x" * 65]),
    ("archive.types", [[], ["text/html", "image/*"]], [["html"], ["*/*"], ["text/html; charset=x"], ["/x"], "text/html"]),
    ("archive.statuses", [[], [200, "4xx"], ["301", "5XX"]], [[99], [1000], ["xx4"], ["4x"], ["0xx"], [20.5]]),
    ("archive.packing", ["gzip", "zstd"], ["lz4"]),
    ("log.level", ["trace", "error"], ["warn"]),
    ("nonsense", [], [1, {}]),
    ("politeness.nonsense", [], ["5s"]),
    ("network.timeouts.dns", ["10s"], [10]),
    ("network.timeouts", [{}, {"dns": "1s"}], [{"dn": "1s"}, "1s", []]),
]

# What one of the two refuses and the other cannot, with the reason.
READER_IS_STRICTER = [
    ("politeness.default_interval", "2d", "draft-07 has no bounds for texts; the description names them"),
    ("politeness.max_crawl_delay", "999ms", "the same"),
    ("network.max_head_size", "1B", "the same"),
    ("network.min_rate", "99999999999999999999999GiB", "nor does it know what fits into 64 bits"),
    ("scope.max_depth", 5.0, "to JSON 5.0 is a whole number"),
    ("politeness.latency_factor", 1e-7, "to JSON 1e-07 is a number like any other; the reader wants digits"),
    ("agent.tokens", ["a", "A"], "uniqueItems knows case"),
    ("agent.contact", "me@EXAMPLE.com", "draft-07 patterns know case"),
    ("agent.contact", "https://127.0.0.1/", "addresses of this machine"),
    ("agent.contact", "https://intranet/", "a host name without a dot"),
    ("agent.user_agent", "other/1", "it has to contain agent.tokens[0]: another key"),
    ("seeds", [{"file": "none.txt"}], "whether a file is there"),
    ("seeds", ["http://a.com:99999/"], "the URL standard is no pattern"),
    ("include", "none.yaml", "whether a file is there"),
    ("include", "https://a.com/x.yaml", "a name that no file has"),
    ("network.allow_addresses", ["10.0.0.1/8"], "bits after the prefix"),
    ("network.nameservers", ["999.0.2.1"], "the pattern of an address is rough"),
    ("network.source_addresses", ["192.0.2.1", "192.0.2.2"], "one of each IP version"),
    ("network.proxy", "http://me@p.a.com:1", "needs network.proxy_password_file: another key"),
    ("network.ca_file", "/none.pem", "whether a file is there (check-config only)"),
    ("recrawl.min", "91d", "recrawl.max is less: another key"),
    ("storage.directory", "ü" * 2049, "octets, not characters"),
]
SCHEMA_IS_STRICTER = [
    ("storage.directory", 2024, "a text that looks like a number: to the reader it is a text, an editor sees a number"),
    ("archive.prefix", True, "the same with a text that looks like a boolean"),
    ("agent.tokens", ["crawld", True], "the same in a list"),
]


def document(key: str, value) -> dict:
    """A good configuration with one more key."""
    made = copy.deepcopy(GOOD)
    put(made, key, value)
    return made


def put(made: dict, key: str, value):
    *sections, last = key.split(".")
    for section in sections:
        made = made.setdefault(section, {})
    made[last] = value


class ConfigCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="crawld-test.")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, text: str, name: str = "crawld.yaml") -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def check(self, *arguments, **environment):
        return program.run("check-config", *arguments, env={**os.environ, **environment})


class SchemaTest(ConfigCase):
    @classmethod
    def setUpClass(cls):
        cls.text = program.run("schema").stdout
        cls.schema = json.loads(cls.text)

    def reader_takes(self, made: dict) -> bool:
        finished = self.check("--config", self.write(json.dumps(made, ensure_ascii=False)))
        self.assertIn(finished.returncode, (0, 78), finished.stderr)
        return finished.returncode == 0

    def schema_takes(self, made: dict) -> bool:
        return jsonschema.Draft7Validator(self.schema).is_valid(made)

    def keys_of(self, schema: dict, path: str = ""):
        for name, below in schema["properties"].items():
            if "properties" in below:
                yield from self.keys_of(below, f"{path}{name}.")
            else:
                yield f"{path}{name}", below

    def leaves(self, dumped: dict, path: str = ""):
        for name, value in dumped.items():
            if isinstance(value, dict) and value:
                yield from self.leaves(value, f"{path}{name}.")
            else:
                yield f"{path}{name}"

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is absent")
    def test_it_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.assertEqual(self.schema["$schema"], "http://json-schema.org/draft-07/schema#")

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is absent")
    def test_it_has_every_key_with_default_and_description(self):
        dumped = json.loads(program.run("dump-config", "--json", "--config", self.write(json.dumps(GOOD))).stdout)
        keys = dict(self.keys_of(self.schema))
        self.assertGreater(len(keys), 80)
        for key, schema in keys.items():
            if key == "include":
                continue
            self.assertTrue(schema["description"], key)
            value = dumped
            for part in key.split("."):
                value = value[part]
            if key != "agent.contact":
                self.assertEqual(schema["default"], value, key)
                self.assertTrue(jsonschema.Draft7Validator(schema).is_valid(schema["default"]), key)
        self.assertEqual(set(keys) - {"include"}, set(self.leaves(dumped)))

    def refused_keys(self, made: dict) -> set[str]:
        """The keys that the reader has errors for, and the paths above them."""
        answer = json.loads(self.check("--json", "--config", self.write(json.dumps(made, ensure_ascii=False))).stdout)
        self.assertEqual(answer["problems_left_out"], 0)
        parts = [p["key"].split(".") for p in answer["problems"] if p["severity"] == "error"]
        return {".".join(key[:length]) for key in parts for length in range(1, len(key) + 1)}

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is absent")
    def test_reader_and_schema_say_the_same(self):
        """The reader gets documents of many keys, one value each: it names every key that is wrong."""
        left = [(key, value, good) for key, *both in AGREED for good, values in zip((True, False), both) for value in values]
        said = {True: 0, False: 0}
        while left:
            cases: dict[str, tuple] = {}
            later = []
            for key, value, good in left:
                # agent.user_agent is also judged by agent.tokens, and a map stands for all that is below it.
                apart = key == "agent.user_agent" and "agent.tokens" in cases
                apart = apart or any(key.startswith(f"{other}.") or other.startswith(f"{key}.") for other in cases)
                if apart or key in cases:
                    later.append((key, value, good))
                else:
                    cases[key] = (value, good)
            made: dict = copy.deepcopy(GOOD)
            for key, (value, _) in cases.items():
                put(made, key, value)
            refused = self.refused_keys(made)
            for key, (value, good) in cases.items():
                with self.subTest(key=key, value=str(value)[:80]):
                    self.assertEqual((key not in refused, self.schema_takes(document(key, value))), (good, good))
                    said[good] += 1
            left = later
        self.assertGreater(min(said.values()), 70)

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is absent")
    def test_they_differ_only_where_they_must(self):
        for cases, reader in ((READER_IS_STRICTER, False), (SCHEMA_IS_STRICTER, True)):
            for key, value, why in cases:
                made = document(key, value)
                with self.subTest(key=key, value=str(value)[:80], why=why):
                    self.assertEqual((self.reader_takes(made), self.schema_takes(made)), (reader, not reader))

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is absent")
    def test_both_want_a_contact(self):
        for made in ({"threads": 1}, {"agent": {}}, {}):
            self.assertFalse(self.schema_takes(made))
            self.assertFalse(self.reader_takes(made))


class SourcesTest(ConfigCase):
    def test_origins_of_all_sources(self):
        self.write("threads: 2\nlog: {format: json}\n", "conf.d/a.yaml")
        main = self.write("agent: {contact: process-test@crawld.test}\ninclude: conf.d/*.yaml\nthreads: 1\nlog: {level: error}\n")
        arguments = ("dump-config", "--config", main, "--set", "robots.max_redirects=3", "--origin")
        environment = {**os.environ, "CRAWLD__log__level": "debug", "CRAWLD_CONTACT": "not for crawld itself"}
        dumped = program.run(*arguments, env=environment)
        self.assertEqual(dumped.returncode, 0, dumped.stderr)
        inner = self.folder / "conf.d" / "a.yaml"
        for line in (
            f"  contact: \"process-test@crawld.test\"  # {main}:1:18",
            f"threads: 2  # {inner}:1:10",
            "  level: debug  # environment CRAWLD__log__level",
            f"  format: json  # {inner}:2:15",
            "  max_redirects: 3  # --set robots.max_redirects",
            "  follow: host  # default",
        ):
            self.assertIn(line, dumped.stdout.splitlines())
        origins = json.loads(program.run(*arguments, "--json", env=environment).stdout)
        self.assertEqual(origins["threads"], {"value": 2, "origin": f"{inner}:1:10"})
        self.assertEqual(origins["scope"]["follow"], {"value": "host", "origin": "default"})
        again = self.write(dumped.stdout, "again.yaml")
        self.assertEqual(program.run("dump-config", "--config", again).stdout, program.run(*arguments[:-1], env=environment).stdout)

    def test_errors_of_all_sources_at_once(self):
        main = self.write("agent: {contact: me@operator.net}\nthreads: many\n")
        settings = ("--set", "politeness.default_intervall=5s", "--set", "log.level=loud")
        finished = self.check("--config", main, *settings, CRAWLD__treads="1")
        self.assertEqual(finished.returncode, 78)
        self.assertEqual(
            finished.stderr.splitlines(),
            [
                f'{main}:2:10: threads: must be a whole number between 0 and 256, not "many"',
                'environment CRAWLD__treads: unknown key (did you mean "threads"?)',
                '--set politeness.default_intervall: unknown key (did you mean "default_interval"?)',
                '--set log.level: must be trace, debug, info, warning or error, not "loud"',
            ],
        )

    def test_every_command_that_reads_a_configuration_takes_settings(self):
        main = self.write("agent: {contact: process-test@crawld.test}\n")
        url = ["http://www.crawld.test/"]
        frontier = (["frontier", command] for command in ("stats", "list", "verify", "export", "import"))
        for command in [["run"], ["explain", *url], ["check-config"], ["dump-config"], *frontier, ["frontier", "forget", "--url", *url]]:
            with self.subTest(command):
                finished = program.run(*command, "--config", main, "--set", "threads=x", "--set", "robots.max_redirects=y")
                self.assertEqual(finished.returncode, 78, finished.stderr)
                self.assertIn("--set threads: must be", finished.stderr)
                self.assertIn("--set robots.max_redirects: must be", finished.stderr)

    def test_a_setting_has_a_key_and_a_value(self):
        main = self.write("agent: {contact: process-test@crawld.test}\n")
        for setting in ("threads", "=4", ""):
            finished = self.check("--config", main, "--set", setting)
            self.assertEqual(finished.returncode, 64, finished.stderr)
            self.assertIn("KEY=VALUE", finished.stderr)

    def test_a_reload_reads_the_same_sources(self):
        names = ("file.test", "environment.test", "setting.test", "later.test")
        hosts = {name: f"127.2.0.{number}" for number, name in enumerate(names, 1)}
        sites = [Site(host, address, "User-agent: *\n", {"/": page(host)}) for host, address in hosts.items()]
        web = LittleWeb(sites, self.folder / "web")
        web.__enter__()
        self.addCleanup(web.stop)
        main = program.configuration(web, ["file.test"], self.folder, "include: conf.d/*.yaml\n")
        log = self.folder / "crawld.log"
        with unittest.mock.patch.dict(os.environ, {"CRAWLD__seeds": f"[\"{web.url('environment.test')}\"]"}):
            crawler = program.start(main, log, "--set", f"seeds=[\"{web.url('setting.test')}\"]")
        self.addCleanup(crawler.wait)
        self.addCleanup(crawler.kill)

        def asked(*names: str) -> bool:
            return set(names) <= {r.host for r in web.requests() if r.target == "/"}

        program.wait_for(lambda: asked("file.test", "environment.test", "setting.test"), 60)
        self.write(f"seeds: [\"{web.url('later.test')}\"]\n", "conf.d/later.yaml")
        crawler.send_signal(signal.SIGHUP)
        program.wait_for(lambda: asked("later.test"), 60)
        self.assertRegex(log.read_text(), r" reload result=done seeds=4 ")
        self.write("threads: x\n", "conf.d/later.yaml")
        crawler.send_signal(signal.SIGHUP)
        program.wait_for(lambda: "result=refused" in log.read_text(), 60)
        self.assertIn("later.yaml:1:10: threads: must be", log.read_text())
        crawler.terminate()
        self.assertEqual(crawler.wait(30), 0)


class CheckTest(ConfigCase):
    def test_problems_as_json(self):
        seeds = "seeds: [http://a.com/, http://b.com/]\n"
        main = self.write(f"agent: {{contact: me@operator.net}}\n{seeds}politeness:\n  hard_minimum: 0s\n  nonsense: 1\n")
        finished = self.check("--config", main, "--json", "--set", "threads=x")
        self.assertEqual((finished.returncode, finished.stderr), (78, ""))
        answer = json.loads(finished.stdout)
        self.assertEqual((answer["file"], answer["good"], answer["seeds"], answer["problems_left_out"]), (str(main), False, 2, 0))
        unknown, setting, warning = answer["problems"]
        self.assertEqual(
            unknown,
            {"severity": "error", "file": str(main), "line": 5, "column": 3, "key": "politeness.nonsense", "message": "unknown key"},
        )
        self.assertEqual((setting["file"], setting["line"], setting["column"], setting["key"]), ("--set threads", None, None, "threads"))
        self.assertEqual((warning["severity"], warning["line"], warning["key"]), ("warning", 4, "politeness.hard_minimum"))

    def test_what_is_left_out_is_counted(self):
        main = self.write("agent: {contact: me@operator.net}\n" + "".join(f"x{i}: 1\n" for i in range(203)))
        answer = json.loads(self.check("--config", main, "--json").stdout)
        self.assertEqual((len(answer["problems"]), answer["problems_left_out"]), (200, 3))

    def test_a_good_one_as_json(self):
        answer = self.check("--config", self.write(json.dumps(GOOD)), "--json")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        said = json.loads(answer.stdout)
        self.assertTrue(said["good"])
        self.assertEqual([p["severity"] for p in said["problems"]], ["warning"])  # a contact in .test

    def test_warnings_are_errors_when_asked(self):
        main = self.write("agent: {contact: me@operator.net}\npoliteness: {hard_minimum: 0s}\n")
        self.assertEqual(self.check("--config", main).returncode, 0)
        for more in ([], ["--json"]):
            finished = self.check("--config", main, "--strict-warnings", *more)
            self.assertEqual(finished.returncode, 78)
        self.assertFalse(json.loads(finished.stdout)["good"])
        self.assertEqual(self.check("--config", main, "--strict-warnings", "--set", "politeness.hard_minimum=1s").returncode, 0)

    def test_files_that_keys_name_are_tried(self):
        main = self.write("agent: {contact: me@operator.net}\nnetwork: {ca_file: none.pem}\nseeds: [{file: none.txt}]\n")
        finished = self.check("--config", main)
        self.assertEqual(finished.returncode, 78)
        self.assertIn(f'{main}:2:20: network.ca_file: "none.pem" cannot be read: No such file or directory', finished.stderr)
        self.assertIn(f"{main}:3:16: seeds: no file matches", finished.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become somebody who may not read")
    def test_what_this_user_may_not_read_is_said(self):
        secret = self.write("x", "secret")
        secret.chmod(0o600)
        self.folder.chmod(0o755)
        closed = self.folder / "closed"
        closed.mkdir(mode=0o700)
        main = self.write(f"agent: {{contact: me@operator.net}}\ninclude: closed/*.yaml\nnetwork: {{ca_file: {secret}}}\n")
        finished = program.run("check-config", "--config", main, user=65534, group=65534, extra_groups=[])
        self.assertEqual(finished.returncode, 78, finished.stdout)
        self.assertIn("network.ca_file: ", finished.stderr)
        self.assertIn("Permission denied", finished.stderr)
        self.assertIn('include: "closed/*.yaml" cannot be searched', finished.stderr)


if __name__ == "__main__":
    unittest.main()
