#!/usr/bin/env python3
"""What deploy/ hands to others agrees with itself: the dashboard and the alerts use metrics that there are (tests/data/metrics.txt), each
alert fires and stays silent when it should and is explained in the runbook, the package builds from what install-deps.sh installs."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
FAMILIES = (ROOT / "tests/data/metrics.txt").read_text(encoding="utf-8").split()
# Families of which there are none in the list, because Prometheus makes them.
PROMETHEUS_ITSELF = {"up"}


def text_of(path: str) -> str:
    return (DEPLOY / path).read_text(encoding="utf-8")


def code_of(path: str) -> str:
    """A YAML file of ours without its comments."""
    return re.sub(r"(?m)(^|\s)#.*$", "", text_of(path))


def families_in(text: str) -> set[str]:
    """The families of the metrics that `text` names; a series of a histogram belongs to its family."""
    names = set(re.findall(r"\b(?:crawld|process)_[a-z0-9_]+", text))
    return {name if name in FAMILIES else re.sub(r"_(bucket|sum|count)$", "", name) for name in names}


def promtool(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


class MetricsTest(unittest.TestCase):
    def test_the_list_is_sorted_and_has_only_names(self):
        self.assertEqual(FAMILIES, sorted(set(FAMILIES)))
        self.assertGreater(len(FAMILIES), 30)
        for name in FAMILIES:
            self.assertRegex(name, r"^(crawld|process)_[a-z]+(_[a-z]+)*$")

    def test_families(self):
        expression = "rate(crawld_dispatch_lag_seconds_bucket[5m]) / process_open_fds"
        self.assertEqual(families_in(expression), {"crawld_dispatch_lag_seconds", "process_open_fds"})
        self.assertEqual(families_in("crawld_no_such_count + crawld_hosts_total"), {"crawld_no_such", "crawld_hosts_total"})


class AlertsTest(unittest.TestCase):
    alerts = re.findall(r"- alert: (\w+)", code_of("prometheus/alerts.yaml"))

    def test_they_use_metrics_that_there_are(self):
        self.assertGreater(len(self.alerts), 10)
        self.assertEqual(families_in(code_of("prometheus/alerts.yaml")) - set(FAMILIES), set())
        self.assertEqual(families_in(code_of("prometheus/alerts_test.yaml")) - set(FAMILIES), set())

    def test_each_is_shown_to_fire_and_to_stay_silent(self):
        cases = code_of("prometheus/alerts_test.yaml")
        for alert in self.alerts:
            self.assertRegex(cases, rf"alertname: {alert}\n +eval_time: \w+\n +exp_alerts:\n +- exp_labels", f"{alert} never fires")
            silent = re.findall(rf"alertname: {alert}, eval_time: \w+, exp_alerts: \[\]", cases)
            self.assertGreaterEqual(len(silent), 3, f"{alert}: twice while all is well, once before it fires")

    def test_the_runbook_says_what_to_do_about_each(self):
        sections = re.findall(r"(?m)^### (Crawld\w+)$", text_of("README.md"))
        self.assertEqual(sorted(sections), sorted(self.alerts))

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not here; deploy/install-deps.sh test installs it")
    def test_promtool_agrees(self):
        for arguments in (
            ("check", "rules", DEPLOY / "prometheus/alerts.yaml"),
            ("test", "rules", DEPLOY / "prometheus/alerts_test.yaml"),
            ("check", "config", DEPLOY / "prometheus/scrape.yaml"),
        ):
            done = promtool(*arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("SUCCESS", done.stdout)


class DashboardTest(unittest.TestCase):
    dashboard = json.loads(text_of("grafana/crawld.json"))

    def panels(self) -> list[dict]:
        return [panel for panel in self.dashboard["panels"] if panel["type"] != "row"]

    def expressions(self) -> list[str]:
        return [target["expr"] for panel in self.panels() for target in panel["targets"]]

    def test_it_uses_metrics_that_there_are(self):
        self.assertEqual(families_in(json.dumps(self.dashboard)) - set(FAMILIES), set())
        for expression in self.expressions():
            self.assertTrue(families_in(expression), expression)

    def test_every_panel_has_title_unit_target_and_place(self):
        self.assertGreater(len(self.panels()), 20)
        places = set()
        for panel in self.dashboard["panels"]:
            self.assertTrue(panel["title"])
            place = panel["gridPos"]
            places |= {(place["x"] + i, place["y"] + j) for i in range(place["w"]) for j in range(place["h"])}
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
        self.assertEqual(len(places), sum(p["gridPos"]["w"] * p["gridPos"]["h"] for p in self.dashboard["panels"]), "panels overlap")
        for panel in self.panels():
            self.assertTrue(panel["fieldConfig"]["defaults"]["unit"], panel["title"])
            self.assertTrue(panel["targets"], panel["title"])
            for target in panel["targets"]:
                self.assertTrue(target["legendFormat"], panel["title"])
                self.assertIn('job=~"$job", instance=~"$instance"', target["expr"])
        numbers = [panel["id"] for panel in self.dashboard["panels"]]
        self.assertEqual(len(numbers), len(set(numbers)))

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not here; deploy/install-deps.sh test installs it")
    def test_every_expression_is_one(self):
        rules = [
            {"record": f"panel:{number}", "expr": re.sub(r"\$__\w+", "5m", expression)}
            for number, expression in enumerate(self.expressions())
        ]
        with tempfile.TemporaryDirectory(prefix="crawld-test.") as folder:
            file = pathlib.Path(folder, "rules.yaml")
            file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}), encoding="utf-8")
            done = promtool("check", "rules", file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(rules)} rules found", done.stdout)


class PackageTest(unittest.TestCase):
    def test_it_is_built_from_what_install_deps_installs(self):
        listed = subprocess.run([DEPLOY / "install-deps.sh", "list-package"], capture_output=True, text=True, timeout=300, check=False)
        if listed.returncode != 0:
            self.skipTest("install-deps.sh does not know this system")
        installed = set(listed.stdout.split())
        control = text_of("debian/control").partition("Build-Depends:")[2].partition("\n\n")[0]
        wanted = [re.sub(r"\([^)]*\)|\[[^]]*\]", "", entry) for entry in control.replace("debhelper-compat", "debhelper").split(",")]
        named = {alternative.strip() for entry in wanted for alternative in entry.split("|")}
        self.assertGreater(len(named), 20)
        for entry in wanted:
            self.assertTrue({alternative.strip() for alternative in entry.split("|")} & installed, entry)
        self.assertEqual({package for package in installed if package.endswith("-dev")} - named, set())

    def test_versions_agree(self):
        version = re.search(r"project\(crawld VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertIn(f"crawld ({version}) ", text_of("debian/changelog").splitlines()[0])


if __name__ == "__main__":
    unittest.main()
