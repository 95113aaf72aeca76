"""The status page in a real browser: Chromium without a window, over its debugging pipe.

CRAWLD_STATUS_URL: the address of a daemon's admin endpoint, such as http://127.0.0.1:8099/. What must hold of any endpoint (AnyEndpoint)
is then asked of that one too. CRAWLD_KEEP: a folder that gets screenshots. Another test looks at an endpoint of its own with
`class MyTest(AnyEndpoint, Case): url = ...`.
"""

import base64
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

import program  # noqa: F401  (makes littleweb importable)
from fake_admin import CSP, DAY, PAGE, POISON, FakeAdmin
from littleweb import die_with_parent

CHROMIUM = shutil.which("chromium")
KEEP = os.environ.get("CRAWLD_KEEP", "")
PATIENCE = 20  # seconds until something has come true
SPEED = 25  # times faster: the page's timers, so that nobody waits for its 5 s
SIZE_MAX = 60 * 1024  # octets of the whole page
AA = 4.5  # WCAG 2.1, 1.4.3
KEYS = {"w": (87, "w"), "Enter": (13, "\r"), "Tab": (9, ""), " ": (32, " "), "Escape": (27, "")}

# Runs before the page's scripts: hurries its timers (but is as patient with the endpoint), and notes what should not happen.
BEFORE = """
window.waits = []; window.violations = []; window.shift = 0;
const real = window.setTimeout;
window.setTimeout = (what, wait, ...more) => { waits.push(wait); return real(what, wait > 5000 ? wait : wait / %d, ...more); };
document.addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value; })
  .observe({type: "layout-shift", buffered: true});
""" % SPEED

# Texts whose colour is too near to what is behind them.
CONTRAST = """(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (colour) => { const [r, g, b] = parse(colour).map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                              return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const clear = (colour) => colour === "transparent" || parse(colour)[3] === 0;
  const behind = (element) => { for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor; if (!clear(colour)) return colour; } return "rgb(255, 255, 255)"; };
  const bad = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, style = getComputedStyle(element);
    if (!walker.currentNode.data.trim() || !element.getClientRects().length || element.closest(".unseen, .skip, noscript")) continue;
    const svg = element.namespaceURI.endsWith("svg"), rect = svg && element.previousElementSibling;
    const fill = rect && rect.tagName === "rect" ? getComputedStyle(rect).fill : "";
    const under = fill.startsWith("rgb") ? fill : behind(element);
    const [one, other] = [light(svg ? style.fill : style.color), light(under)].sort((a, b) => b - a);
    seen++;
    if ((one + 0.05) / (other + 0.05) < %s)
      bad.push(`${element.tagName} ${element.className?.baseVal ?? element.className} ${walker.currentNode.data.slice(0, 30)}`);
  }
  return seen < 10 ? ["too little text to judge"] : bad;
})()""" % AA

browser: "Browser"
admin: FakeAdmin


class Browser:
    """Chromium with a profile of its own. It reaches nothing but 127.0.0.1, and ends with this process."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="crawld-browser.")
        reads, self.to = os.pipe()
        self.back, writes = os.pipe()  # these four take the descriptors 3 and 4, or others have: nothing of Popen is there

        def at_3_and_4():
            die_with_parent()
            one, other = os.dup(reads), os.dup(writes)
            os.dup2(one, 3)
            os.dup2(other, 4)

        flags = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "--no-first-run", "--disable-gpu",
            "--hide-scrollbars",
                 "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--no-proxy-server",
                 "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--force-color-profile=srgb"]  # fmt: skip
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # its sandbox is not for root
        self.process = subprocess.Popen(
            [CHROMIUM, *flags], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=at_3_and_4,
        )  # fmt: skip
        os.close(reads)
        os.close(writes)
        self.octets, self.number, self.events = b"", 0, []

    def read(self, deadline: float) -> dict:
        while b"\0" not in self.octets:
            if not select.select([self.back], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError("chromium does not answer")
            more = os.read(self.back, 1 << 20)
            if not more:
                raise AssertionError(f"chromium has ended: {self.process.poll()}")
            self.octets += more
        message, _, self.octets = self.octets.partition(b"\0")
        return json.loads(message)

    def call(self, method: str, session: str | None = None, **parameters) -> dict:
        self.number += 1
        number, message = self.number, {"id": self.number, "method": method, "params": parameters}
        os.write(self.to, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.read(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)
                if answer["method"] == "Page.javascriptDialogOpening":  # stays in events; without an answer the tab would hang
                    closing = {"id": -1, "sessionId": answer["sessionId"], "method": "Page.handleJavaScriptDialog",
                        "params": {"accept": False}}
                    os.write(self.to, json.dumps(closing).encode() + b"\0")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        for attempt in range(50):  # its helpers let go of the profile a moment later
            try:
                return self.folder.cleanup()
            except OSError:
                time.sleep(0.05 if attempt < 49 else 0)


class Tab:
    """One page in a context of its own."""

    def __init__(self, width: int = 1280, height: int = 900, scheme: str = "light"):
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=BEFORE)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.scheme(scheme)
        self.size(width, height)

    def call(self, method: str, **parameters) -> dict:
        return browser.call(method, self.session, **parameters)

    def size(self, width: int, height: int):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, scheme: str):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def evaluate(self, expression: str):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression: str):
        """Until the expression is true. Returns its value."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.evaluate(expression)):
            if time.monotonic() > deadline:
                shown = self.evaluate("document.body.innerText")[:2000]
                raise AssertionError(f"did not come true: {expression}\n{shown}\n{self.complaints()}")
            time.sleep(0.02)
        return value

    def open(self, url: str):
        """Loads the page anew and waits until it has drawn an answer."""
        self.call("Page.navigate", url="about:blank")  # else another fragment would be no other page
        self.call("Page.navigate", url=url)
        self.wait("window.waits?.includes(5000) && document.querySelector('main h1') !== null")

    def go(self, fragment: str):
        """To another view of the page, as a link does."""
        self.evaluate(f"location.hash = {json.dumps(fragment or '#/')}")
        self.refreshed()

    def refreshed(self):
        """Until another refresh has come to its end."""
        before = self.evaluate("waits.filter((wait) => wait === 5000).length")
        self.wait(f"waits.filter((wait) => wait === 5000).length > {before}")

    def key(self, key: str, shift: bool = False):
        code, letters = KEYS[key]
        common = {"key": key, "code": {" ": "Space", "w": "KeyW"}.get(key, key), "windowsVirtualKeyCode": code, "modifiers": 8
            if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown" if letters else "rawKeyDown", **common, **({"text": letters} if letters else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def tab_to(self, condition: str, most: int = 40):
        """Presses Tab until `condition` holds of the element `e` that has the focus."""
        for _ in range(most):
            self.key("Tab")
            if self.evaluate(f"((e) => {condition})(document.activeElement)"):
                return
        raise AssertionError(f"the keyboard does not reach {condition}")

    def type(self, letters: str):
        self.call("Input.insertText", text=letters)

    def complaints(self) -> list[str]:
        """Errors, warnings, dialogs and breaches of the policy since the tab was made."""
        made = []
        for event in browser.events:
            if event.get("sessionId") != self.session:
                continue
            kind, what = event["method"], event["params"]
            if kind == "Runtime.exceptionThrown":
                made.append(f"exception {what['exceptionDetails'].get('exception', {}).get('description', what)}")
            elif kind == "Runtime.consoleAPICalled":
                made.append(f"console {what['type']} {what['args']}")
            elif kind == "Log.entryAdded":
                made.append(f"log {what['entry']['source']} {what['entry']['text']} {what['entry'].get('url', '')}")
            elif kind == "Page.javascriptDialogOpening":
                made.append(f"dialog {what['message']}")
        return made + [f"policy {one}" for one in self.evaluate("window.violations ?? []")]

    def screenshot(self, name: str):
        if KEEP:
            full = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": full["width"], "height": min(1800, full["height"]), "scale": 1}
            octets = base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])
            pathlib.Path(KEEP).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(KEEP) / f"{name}.png").write_bytes(octets)

    def close(self):
        browser.call("Target.disposeBrowserContext", browserContextId=self.context)


def setUpModule():
    global browser, admin
    if not CHROMIUM:
        raise unittest.SkipTest("chromium is not installed (deploy/install-deps.sh test; Ubuntu has no package of it)")
    browser, admin = Browser(), FakeAdmin()
    unittest.addModuleCleanup(browser.close)
    admin.come_back()
    unittest.addModuleCleanup(lambda: admin.go())


class Case(unittest.TestCase):
    def setUp(self):
        admin.mode = "calm"

    def tab(self, address: str, **how) -> Tab:
        tab = Tab(**how)
        self.addCleanup(tab.close)
        tab.open(address)
        return tab

    def assert_harmless(self, tab: Tab):
        self.assertEqual(tab.complaints(), [])
        self.assertIsNone(tab.evaluate("window.canary ?? null"), "a script ran")
        self.assertEqual(tab.evaluate("document.querySelectorAll('main script, main img, main style, main iframe, [style]').length"), 0)
        links = tab.evaluate("[...document.querySelectorAll('a')].map((a) => [a.getAttribute('href'), a.rel])")
        self.assertGreater(len(links), 4)
        bad = [(to, rel) for to, rel in links
            if not to.startswith("#") and not (re.match("https?://", to) and rel == "noreferrer noopener")]
        self.assertEqual(bad, [])


class AnyEndpoint:
    """What holds of the page wherever it comes from."""

    url = ""

    def views(self) -> list[tuple[str, str]]:
        """Name and address of each view; that of a host when there is one."""
        made = [("overview", ""), ("hosts", "#/hosts"), ("seeds", "#/seeds"),
            ("explain", "#/explain?url=http%3A%2F%2Fwww.site001.test%2Fx")]
        found = self.api("hosts?limit=2")["hosts"]
        return made + [("host", f"#/host/{urllib.parse.quote(found[-1]['host'])}")] if found else made

    def api(self, what: str) -> dict:
        with urllib.request.urlopen(f"{self.url}api/v1/{what}", timeout=PATIENCE) as answer:
            return json.load(answer)

    def test_its_files_come_with_the_policy(self):
        for file in ["", "status.css", *sorted(path.name for path in PAGE.glob("*.js"))]:
            with self.subTest(file), urllib.request.urlopen(self.url + file, timeout=PATIENCE) as answer:
                self.assertEqual(answer.headers["Content-Security-Policy"], CSP)
                self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
                self.assertIn("javascript" if file.endswith(".js") else "css" if file else "html", answer.headers["Content-Type"])
                self.assertEqual(answer.read(), (PAGE / (file or "index.html")).read_bytes())

    def test_every_view_is_drawn_and_nothing_complains(self):
        tab = Tab()
        self.addCleanup(tab.close)
        for name, address in self.views():
            with self.subTest(name):
                tab.open(self.url + address)
                tab.wait("document.getElementById('sentence').textContent.length > 5")
                self.assertNotIn(tab.evaluate("document.getElementById('band').dataset.state"), ("asking", "gone"))
                self.assertEqual(tab.evaluate("document.querySelectorAll('main .notice.bad').length"), 0)
                self.assertIn("UTC", tab.evaluate("document.getElementById('facts').textContent"))
                self.assertLess(tab.evaluate("shift"), 0.05, "the layout jumps")
                self.assert_harmless(tab)
                tab.screenshot(f"{name}-light")

    def test_the_sentence_is_that_of_the_daemon(self):
        tab = self.tab(self.url)
        digits = re.compile(r"[\d.,]+")
        for _ in range(20):  # it may change between the two looks
            said = digits.sub("", self.api("status")["sentence"])
            if said == digits.sub("", tab.evaluate("document.getElementById('sentence').textContent")):
                break
            tab.refreshed()
        else:
            self.fail(said)
        self.assertEqual(tab.evaluate("document.getElementById('says').getAttribute('role')"), "status")
        self.assertIn(said[:10], digits.sub("", tab.evaluate("document.getElementById('says').textContent")))

    def test_it_is_readable_in_light_and_dark(self):
        tab = self.tab(self.url)
        for name, address in self.views():
            tab.go(address)
            grounds = {}
            for scheme in ("light", "dark"):
                with self.subTest(f"{name} {scheme}"):
                    tab.scheme(scheme)
                    grounds[scheme] = tab.evaluate("getComputedStyle(document.documentElement).backgroundColor")
                    self.assertEqual(tab.evaluate(CONTRAST), [])
            self.assertNotEqual(grounds["light"], grounds["dark"])
            tab.screenshot(f"{name}-dark")

    def test_it_fits_a_telephone(self):
        tab = self.tab(self.url, width=360, height=740)
        for name, address in self.views():
            with self.subTest(name):
                tab.go(address)
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 360)
                wide = "(e) => e.getBoundingClientRect().right > 361 && !e.closest('.unseen, pre')"
                self.assertEqual(tab.evaluate(f"[...document.querySelectorAll('main *')].filter({wide}).length"), 0)
                tab.screenshot(f"{name}-360")

    def test_the_keyboard_reaches_everything(self):
        tab = self.tab(self.url)
        tab.tab_to("e.id === 'skip'", 1)
        tab.key("Enter")
        self.assertEqual(tab.evaluate("document.activeElement.id"), "main")
        tab = self.tab(self.url)
        tab.tab_to("e.hash === '#/hosts'")
        self.assertNotEqual(tab.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")
        tab.key("Enter")
        tab.wait("document.querySelector('table.sortable') !== null")
        self.assertEqual(tab.evaluate("document.activeElement.tagName"), "H1", "the new view does not have the focus")
        tab.tab_to("e.dataset.sort === 'origin'")
        for way in ("ascending", "descending"):
            tab.key("Enter")
            tab.wait(f"document.activeElement.closest('th')?.ariaSort === '{way}'")
            tab.refreshed()
            shown = tab.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.dataset.key)")
            self.assertEqual(shown, sorted(shown, reverse=way == "descending"))
            self.assertEqual(tab.evaluate("document.activeElement.dataset.sort"), "origin", "the focus is lost")
        self.assert_harmless(tab)


class FakeEndpointTest(AnyEndpoint, Case):
    @classmethod
    def setUpClass(cls):
        cls.url = admin.url


@unittest.skipUnless(os.environ.get("CRAWLD_STATUS_URL"), "CRAWLD_STATUS_URL is not set")
class GivenEndpointTest(AnyEndpoint, Case):
    url = os.environ.get("CRAWLD_STATUS_URL", "").rstrip("/") + "/"


class StatusPageTest(Case):
    """What the page makes of answers that are known."""

    def test_it_is_small_and_whole(self):
        files = {file.name: file.read_text("utf-8") for file in PAGE.iterdir()}
        self.assertLess(sum(len(text.encode()) for text in files.values()), SIZE_MAX)
        for name, text in files.items():
            self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(|@import|url\((?!#)",
                name)
            self.assertNotRegex(text.replace("http://www.w3.org/2000/svg", ""), r"""(src|href|from)\s*=?\s*["'](https?:)?//""", name)

    def test_hostile_answers_stay_text(self):
        tab = self.tab(admin.url)
        views = ("", "#/hosts", "#/seeds", "#/explain?url=http%3A%2F%2Fa.test%2F", "#/host/x",
            "#/host/" + urllib.parse.quote(POISON[1], safe=""))
        for mode in ("poison", "null", "empty", "huge", "words"):
            admin.mode = mode
            for address in views:
                with self.subTest(mode=mode, view=address):
                    tab.go(address)
                    self.assert_harmless(tab)
                    self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 1280)
                    self.assertGreater(tab.evaluate("document.querySelector('main').textContent.length"), 20)
                    said = tab.evaluate("document.body.innerText")
                    self.assertNotRegex(said, r"undefined|\bNaN\b|\[object|Infinity|[\u202e\u2066\0\x1b]")
            if mode == "poison":  # the text did arrive
                tab.go("#/hosts")
                said = tab.evaluate("document.body.innerText")
                self.assertIn("<img src=x onerror=", said)
                self.assertIn("\\u{202e}", said)
                self.assertIn("…", said)
                tab.size(360, 740)
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 360)
                tab.screenshot("hosts-hostile-360")
                tab.size(1280, 900)

    def test_search_state_and_pages(self):
        tab = self.tab(admin.url + "#/hosts")
        count = "document.getElementById('counted').textContent"
        self.assertEqual(tab.evaluate(count), "1–50 of 137")
        tab.tab_to("e.dataset.go?.includes('offset=50')")
        tab.key("Enter")
        tab.wait(f"{count} === '51–100 of 137'")
        tab.key(" ")
        tab.wait(f"{count} === '101–137 of 137'")
        self.assertEqual(tab.evaluate("document.activeElement.textContent"), "Next", "the focus is lost at the end")
        tab.key("Enter")  # leads nowhere
        tab.refreshed()
        self.assertEqual(tab.evaluate(count), "101–137 of 137")
        tab.tab_to("e.id === 'filter'", 80)
        tab.type("site01")
        tab.wait(f"{count} === '1–10 of 10, 137 in all'")
        focused = tab.evaluate("[document.activeElement.id, document.activeElement.value, location.hash]")
        self.assertEqual(focused, ["filter", "site01", "#/hosts?filter=site01"])
        tab.tab_to("e.id === 'state-filter'", 2)
        tab.key("w")
        tab.wait(f"{count} === '1–4 of 4, 137 in all'")
        tab.evaluate("history.back()")
        tab.wait("document.getElementById('filter').value === ''")

    def test_a_host(self):
        tab = self.tab(admin.url + "#/hosts?filter=site006")
        tab.tab_to("e.hash?.startsWith('#/host/')")
        tab.key("Enter")
        tab.wait("document.querySelector('svg.day') !== null")
        look = "[+e.dataset.from, +e.dataset.to, e.dataset.open === 'true', +e.getAttribute('x'), +e.getAttribute('width')]"
        drawn = tab.evaluate(f"[...document.querySelectorAll('.stretch')].map((e) => {look})")
        self.assertEqual([tuple(one[:3]) for one in drawn], [(begin, end, is_open) for begin, end, _, _, is_open in DAY])
        fills = tab.evaluate("[...document.querySelectorAll('.stretch')].map((e) => getComputedStyle(e).fill.startsWith('url('))")
        self.assertEqual(fills, [not is_open for *_, is_open in DAY], "what is closed is hatched")
        left, whole = drawn[0][3], sum(one[4] for one in drawn)
        self.assertAlmostEqual(tab.evaluate("+document.querySelector('svg.day').getAttribute('width')"), whole + 2 * left, delta=2)
        for begin, end, _, x, width in drawn:
            self.assertAlmostEqual(x - left, whole * begin / 1440, delta=1)
            self.assertAlmostEqual(width, whole * (end - begin) / 1440, delta=1)
        minute = time.time() % 86400 / 60
        marked = float(tab.evaluate("document.querySelector('.now-line').getAttribute('d').match(/[\\d.]+/)[0]"))
        self.assertAlmostEqual((marked - left) * 1440 / whole, minute, delta=4)
        label = tab.evaluate("document.querySelector('svg.day').ariaLabel")
        self.assertIn("06:00 to 08:45 one request in 10 s; 08:45 to 18:00 one request in 1 min; 18:00 to 20:00 not asked", label)
        said = tab.evaluate("document.querySelector('main').innerText")
        for part in ("crawld pause www.site006.test", "Disallow: /private/29", "1 in 10 s, 06:00–08:45", "Line 36: unknown key: Alow",
            "200, 31 rules"):
            self.assertIn(part, said)
        lines = tab.evaluate("[...document.querySelectorAll('.tall tbody tr')].map((row) => row.cells[0].textContent)")
        self.assertEqual(lines, [str(line) for line in [*range(6, 36), 37]])
        self.assertFalse(tab.evaluate("document.querySelector('pre').checkVisibility()"), "the file is not folded")
        tab.tab_to("e.dataset.copy === 'crawld pause www.site006.test'", 80)
        tab.tab_to("e.tagName === 'SUMMARY' && e.textContent.includes('as it came')", 80)
        tab.key("Enter")
        tab.refreshed()
        self.assertTrue(tab.evaluate("document.querySelector('pre').checkVisibility()"), "a refresh folds it again")
        self.assertIn("Alow: /typo", tab.evaluate("document.querySelector('pre').textContent"))
        self.assert_harmless(tab)

    def test_no_name_becomes_a_command(self):
        tab = self.tab(admin.url)
        fit = {"a.test": "a.test", "[::1]": "'[::1]'"}
        for name in (*fit, "-rf.test", "a;b", "$(x)", "a b", "a\nb", "é.test", ""):
            made = tab.evaluate(f"import('/host.js').then((module) => module.shellWord({json.dumps(name)}))")
            self.assertEqual(made, fit.get(name), name)

    def test_explain(self):
        tab = self.tab(admin.url + "#/explain")
        tab.tab_to("e.id === 'url'")
        tab.type("http://www.site001.test/private/0")
        tab.key("Enter")
        tab.wait("document.getElementById('verdict')?.textContent.includes('forbids it (line 6: Disallow: /private/0)')")
        self.assert_harmless(tab)
        tab.open(admin.url + "#/explain?url=ftp%3A%2F%2Fa.test%2F")
        self.assertIn("write it with its scheme", tab.evaluate("document.querySelector('[role=alert]').textContent"))
        tab.open(admin.url + "#/host/nobody.test")
        self.assertIn("nothing is known of nobody.test", tab.evaluate("document.querySelector('[role=alert]').textContent"))
        self.assertEqual(tab.evaluate("document.getElementById('band').dataset.state"), "running", "a refusal is an answer")

    def test_an_endpoint_goes_away_and_comes_back(self):
        tab = self.tab(admin.url + "#/hosts")
        rows = tab.evaluate("document.querySelectorAll('tbody tr').length")
        admin.go()
        self.addCleanup(lambda: admin.server or admin.come_back())
        tab.wait("document.getElementById('band').dataset.state === 'gone'")
        band = tab.evaluate("document.getElementById('band').innerText")
        self.assertRegex(band, r"No answer\s+The endpoint has not answered since [\d:]{8} UTC\.\s+What you see is of [\d:]{8} UTC\.")
        self.assertRegex(tab.evaluate("document.getElementById('says').textContent"), "has not answered since")
        self.assertEqual(tab.evaluate("document.querySelectorAll('tbody tr').length"), rows, "what was known is gone")
        since = tab.evaluate("document.getElementById('sentence').textContent")
        tab.screenshot("gone-light")
        tab.refreshed()
        self.assertEqual(tab.evaluate("document.getElementById('sentence').textContent"), since)
        admin.come_back()
        tab.wait("document.getElementById('band').dataset.state === 'running'")
        self.assertRegex(tab.evaluate("document.getElementById('says').textContent"), "Running")
        self.assertEqual([one for one in tab.complaints() if "ERR_" not in one], [])

    def test_a_hidden_tab_asks_nothing(self):
        tab = self.tab(admin.url)
        hide = (
            "Object.defineProperty(document, 'visibilityState', {value: '%s', configurable: true});"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        tab.evaluate(hide % "hidden")
        tab.evaluate("new Promise((done) => real(done, 200))")  # what is under way ends
        before = admin.count("/api/v1/status")
        self.assertGreater(before, 1)
        tab.evaluate("new Promise((done) => real(done, 1500))")  # time for five refreshes
        self.assertEqual(admin.count("/api/v1/status"), before)
        tab.evaluate(hide % "visible")
        tab.refreshed()
        self.assertGreater(admin.count("/api/v1/status"), before)

    def test_a_refresh_disturbs_nobody(self):
        tab = self.tab(admin.url + "#/hosts?sort=next&order=asc", height=500)
        tab.evaluate("getSelection().selectAllChildren(document.querySelector('tbody tr:nth-child(9) bdi'))")
        tab.evaluate("document.querySelector('tbody tr:nth-child(8) a').focus({preventScroll: true}); scrollTo(0, 400)")
        state = "[String(getSelection()), document.activeElement.hash, scrollY]"
        before = tab.evaluate(state)
        self.assertTrue(before[0] and before[1] and before[2] == 400, before)
        for _ in range(3):
            tab.refreshed()
        self.assertEqual(tab.evaluate(state), before)
        self.assertIn(5000, tab.evaluate("waits"))

    def test_queues_move_and_keep_the_focus(self):
        """Rows are known by their origin: whatever order they come in, the focus stays with its host, and the order is right."""
        tab = self.tab(admin.url + "#/hosts")
        made = tab.evaluate("""import("/dom.js").then(({h, patchChildren}) => {
          const list = document.body.appendChild(document.createElement("ul")), wrong = [];
          const rows = (order) => [...order].map((key) => h("li", {"data-key": key, tabindex: "0"}, key));
          let seed = 7;
          const chance = (n) => (seed = (seed * 48271) % 2147483647) % n;
          let order = "abcdefghij";
          for (let n = 0; n < 500; ++n) {
            const pool = [..."abcdefghijklmn"].filter((key) => key === "e" || chance(4));
            for (let i = pool.length - 1; i > 0; --i) { const j = chance(i + 1); [pool[i], pool[j]] = [pool[j], pool[i]]; }
            order = n % 3 ? order.slice(1) + order[0] : pool.join("");
            const kept = list.querySelector("[data-key=e]");
            kept?.focus({preventScroll: true});
            patchChildren(list, rows(order));
            if (list.textContent !== order) wrong.push(`${list.textContent} is not ${order}`);
            if (kept && list.querySelector("[data-key=e]") !== kept) wrong.push("another element");
            if (kept && document.activeElement !== kept) wrong.push("focus");
          }
          return wrong;
        })""")  # fmt: skip
        self.assertEqual(made, [])

    def test_countdowns_count(self):
        tab = self.tab(admin.url + "#/host/www.site008.test")
        shown = "document.querySelector('[data-until]').textContent"
        self.assertRegex(tab.evaluate(shown), r"^in \d+ min")
        tab.evaluate("document.querySelector('[data-until]').dataset.until = new Date(Date.now() + 1500).toISOString()")
        tab.evaluate("Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")  # no refresh from here on
        tab.evaluate("import('/dom.js').then(({tick}) => tick())")
        self.assertRegex(tab.evaluate(shown), r"^(in \d s|in \d min.*)$")


if __name__ == "__main__":
    unittest.main()
