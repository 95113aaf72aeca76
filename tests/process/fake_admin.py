#!/usr/bin/env python3
"""The status page in front of an admin endpoint that is made up: what crawler/ADMIN.md says, without a crawler.

    tests/process/fake_admin.py [--port 8099] [--mode calm|poison|null|empty|huge|words]

serves it on 127.0.0.1 until it is ended, to look at. The modes other than calm bend every answer: `poison` puts hostile text where text
stands, `null` puts null everywhere, `empty` empties lists and objects, `huge` makes every number one that no crawl has, and `words` puts
text where numbers stand and the other way around.
"""

import argparse
import collections
import datetime
import http.server
import itertools
import json
import math
import pathlib
import sys
import threading
import time
import urllib.parse

PAGE = pathlib.Path(__file__).resolve().parents[2] / "crawler" / "status_page"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
POISON = (
    '"><script>window.canary="script"</script>',
    "<img src=x onerror=\"window.canary='img'\">",
    "javascript:window.canary='url'",
    "evil\u202etxt.exe\u202c \u2066x\u2069 \u200b\ufeff",
    "'; alert(1); //${window.canary=1}{{7*7}}",
    "</title></style></textarea><svg onload=window.canary=1>",
    "x" * 300,
    "\0\x07\x1b[31m\r\nSet-Cookie: a=b",
    "__proto__",
    "שלום עולם ‏",
)
DAY = [  # minutes, seconds, reason, open
    (0, 360, 2.0, "default_interval", True), (360, 525, 10.0, "request_rate", True), (525, 1080, 60.0, "rate_floor", True),
    (1080, 1200, 2.0, "request_rate", False), (1200, 1440, 30.0, "crawl_delay", True),
]  # fmt: skip
ROBOTS_TXT = "".join(
    ["User-agent: *\n", "Crawl-delay: 2.5\n", "Request-rate: 1/10s 0600-0845\n", "Request-rate: 1/60s 0845-1800\n",
    "Visit-time: 2000-1800\n"]
    + [f"Disallow: /private/{n}\n" for n in range(30)] + ["Alow: /typo\n", "Allow: /\n", "Sitemap: https://www.site001.test/sitemap.xml\n"]
)  # fmt: skip


def instant(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Story:
    """What a crawl of `origins` origins would say now. The same story for the same number, but for the time."""

    def __init__(self, origins: int = 137):
        self.began = time.time() - 7400
        self.origins = origins

    def origin(self, n: int, now: float) -> dict:
        states = ("waiting", "waiting", "waiting", "in_flight", "idle", "asleep", "ready", "waiting", "paused", "blocked")
        reasons = (("default_interval", 5.0), ("request_rate", 10.0), ("rate_floor", 60.0), ("crawl_delay", 2.5))
        state, (reason, interval) = states[n % 10], reasons[n % 4]
        waits = {"waiting": ("interval", "latency", "address", "site", "visit_time")[n % 5], "paused": "pause", "asleep": "interval",
            "in_flight": "in_flight", "idle": "idle"}
        due = {"waiting": interval * (n % 7) / 3 + 1, "paused": 300.0 + n, "asleep": 86400.0 + 60 * n, "ready": 0.0}.get(state)
        host = f"www.site{n:03d}.test"
        return {
            "origin": f"{'https' if n % 3 else 'http'}://{host}", "host": host, "state": state, "waiting": waits.get(state, "nothing"),
            "interval_seconds": interval, "interval_reason": reason, "next": None if due is None else instant(now + due),
            "next_in_seconds": due,
            "owed": 0 if state == "idle" else (n * 37) % 901, "accepted": 1000 + n, "visits": (n * 53) % 1777,
            "latency_seconds": 0.02 + (n % 17) / 20,
            "failures": n % 10 == 8 and 3 or 0, "last_request": instant(now - 3 * n - 1) if n % 11 else None,
            "last_fates": ["fetched", "fetched", "disallowed", "fetched"][: n % 5],
            "order": {"paused": True, "until": instant(now + 7200), "delay_seconds": None, "since": instant(now - 600)}
            if state == "blocked" else None,
        }  # fmt: skip

    def rows(self) -> list[dict]:
        now = time.time()
        return [self.origin(n, now) for n in range(self.origins)]

    def visits(self, count: int) -> list[dict]:
        now, fates = time.time(), ("fetched", "fetched", "unchanged", "redirected", "disallowed", "fetched", "retry", "gone")
        made = []
        for n in range(count):
            fate, origin = fates[n % 8], f"https://www.site{(n * 7) % self.origins:03d}.test"
            status = {"redirected": 301, "unchanged": 304, "retry": 0, "gone": 404, "disallowed": 0}.get(fate, 200)
            made.append({"at": instant(now - 2 * n), "origin": origin, "url": f"{origin}/articles/{n}.html", "fate": fate, "status": status,
                         "octets": 0 if status == 0 else 3000 + 977 * n, "seconds": 0.05 + n / 100, "links": n % 31, "reason": "timeout"
                         if fate == "retry" else ""})  # fmt: skip
        return made

    def status(self) -> dict:
        now, rows = time.time(), self.rows()
        count = collections.Counter(row["state"] for row in rows)
        waiting = sorted((row for row in rows if row["next"] and row["owed"]), key=lambda row: row["next"])
        short = [{"origin": row["origin"], "at": row["next"], "in_seconds": row["next_in_seconds"], "reason": row["waiting"]}
            for row in waiting]
        return {
            "version": "0.1.0", "state": "running", "sentence": f"1.5 requests a second; {count['waiting']} hosts wait politely",
            "now": instant(now),
            "started": instant(self.began), "uptime_seconds": now - self.began, "threads": 2, "requests_per_second": 1.5,
            "requests_per_second_minute": 1.43, "octets_per_second": 48211.5,
            "totals": {"requests": 18234, "robots_requests": 141, "octets": 987654321, "records": 17012, "record_octets": 312345678,
            "violations": 0},
            "urls": {"owed": 61325, "queued": 61013, "retry": 312, "again": 17000, "seen": 80321, "origins": self.origins},
            "hosts": {name: count[name] for name in ("ready", "waiting", "paused", "in_flight", "idle", "asleep")},
            "next": next((one for one in short if one["in_seconds"] > 0), None), "longest_waits": short[::-1][:5],
            "fates": {"fetched": 12841, "unchanged": 2210, "redirected": 1304, "disallowed": 981, "gone": 644, "retry": 241,
            "given_up": 13},
            "errors": {"timeout": 141, "dns_failure": 57, "tls_certificate": 31, "refused": 12},
            "disk": [
                {"what": "state", "path": "/var/lib/crawld", "free": 61 << 30, "pause_below": 2 << 30, "resume_above": 4 << 30},
                {"what": "archive", "path": "/srv/archive", "free": 3 << 30, "pause_below": 2 << 30, "resume_above": 4 << 30},
            ],
            "reload": {"at": instant(now - 3000), "successful": True}, "orders": 1,
        }  # fmt: skip

    def history(self) -> dict:
        now = time.time() // 10 * 10
        made = []
        for n in range(359, -1, -1):
            if 200 < n < 215:  # the daemon was not there
                continue
            wave = 14 + 8 * math.sin(n / 23) + 5 * math.sin(n * 1.7) + 3 * math.cos(n * 0.61)
            errors = max(0, int(6 * math.sin(n / 9) - 3)) if n % 3 == 0 else 0
            made.append({"at": instant(now - 10 * n), "requests": max(0, int(wave)), "errors": errors, "octets": 480000, "in_flight": 2,
                "owed": 61000 + n})
        return {"step_seconds": 10, "samples": made}

    def hosts(self, query: dict) -> dict:
        rows = self.rows()
        part, state, sort = query.get("filter", ""), query.get("state", ""), query.get("sort", "origin")
        matched = [row for row in rows if part in row["origin"] and state in ("", row["state"])]
        key = {"next": "next", "interval": "interval_seconds", "latency": "latency_seconds", "last": "last_request"}.get(sort, sort)
        matched.sort(key=lambda row: (row[key] is None, row[key] or 0 if key not in ("next", "last_request") else row[key] or ""))
        if query.get("order") == "desc":
            matched.reverse()
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 50))
        return {"total": len(rows), "matched": len(matched), "complete": True, "hosts": matched[offset : offset + limit]}

    def host(self, name: str) -> dict | None:
        rows = [row for row in self.rows() if row["host"] == name]
        rules = [{"line": 6 + n, "text": f"Disallow: /private/{n}", "allow": False}
            for n in range(30)] + [{"line": 37, "text": "Allow: /", "allow": True}]
        for row in rows:
            row["robots"] = {
                "about": "200, 31 rules, fresh for 23h59m", "access": "rules", "group": "*", "crawl_delay": 2.5,
                "rates": [{"documents": 1, "seconds": 10, "window": "0600-0845"}, {"documents": 1, "seconds": 60, "window": "0845-1800"}],
                "visit_times": ["2000-1800"], "rules": rules, "rule_count": len(rules),
                "warnings": [{"line": 36, "text": "unknown key: Alow"}],
                "sitemaps": ["https://www.site001.test/sitemap.xml"], "body": ROBOTS_TXT, "body_cut": False,
            }  # fmt: skip
            row["day"] = [{"from": a, "to": b, "interval_seconds": every, "reason": why, "open": is_open} for a, b, every, why,
                is_open in DAY]
            row["recent"] = [visit | {"origin": row["origin"], "url": f"{row['origin']}/{n}"} for n, visit in enumerate(self.visits(8))]
        return {"hosts": rows} if rows else None

    def answer(self, path: str, query: dict) -> tuple[int, dict]:
        if path == "status":
            return 200, self.status()
        if path == "history":
            return 200, self.history()
        if path == "hosts":
            return 200, self.hosts(query)
        if path == "recent":
            return 200, {"visits": self.visits(int(query.get("limit", 50)))}
        if path == "seeds":
            seeds = [{"url": f"https://www.site{n:03d}.test/", "weight": 1 + n % 3, "where": f"crawld.yaml:{7 + n}", "fate": "fetched"
                if n % 4 else None} for n in range(self.origins)]
            offset, limit = int(query.get("offset", 0)), int(query.get("limit", 100))
            return 200, {"total": len(seeds), "seeds": seeds[offset : offset + limit]}
        if path == "host" and (found := self.host(query.get("name", ""))):
            return 200, found
        if path == "explain" and query.get("url", "").startswith("http"):
            forbidden = "/private/" in query["url"]
            return 200, {
                "url": query["url"], "in_scope": "yes", "robots": "200, 31 rules, fresh for 23h59m", "allowed": not forbidden,
                "access": "rules", "group": "*",
                "rule": "Disallow: /private/0" if forbidden else "Allow: /", "line": 6 if forbidden else 37, "interval_seconds": 10.0,
                "interval_reason": "request_rate", "next": instant(time.time() + 8), "known": True, "fate": "fetched", "order": None,
            }  # fmt: skip
        if path == "explain":
            return 400, {"error": {"code": "bad_request", "message": "url: write it with its scheme, such as https://www.a.test/"}}
        return 404, {"error": {"code": "not_found", "message": f"nothing is known of {query.get('name', path)}"}}


KEYS = {
    "status": set(), "history": set(), "recent": {"limit"}, "seeds": {"limit", "offset"}, "host": {"name"}, "explain": {"url"},
    "hosts": {"state", "filter", "sort", "order", "limit", "offset"},
}  # fmt: skip


def bent(value, mode: str, texts=None):
    """`value` in the worst shape that its place allows."""
    texts = texts or itertools.cycle(POISON)
    if isinstance(value, dict):
        if mode == "poison" and value and all(isinstance(n, int) for n in value.values()) and "fetched" in value:
            return {text: n for text, n in zip(POISON, itertools.cycle(value.values()))}  # keys that come from outside
        return {} if mode == "empty" and value else {key: bent(inner, mode, texts) for key, inner in value.items()}
    if isinstance(value, list):
        return [] if mode == "empty" else [bent(inner, mode, texts) for inner in value]
    if mode == "null":
        return None
    if mode == "poison" and isinstance(value, str):
        return next(texts)
    if mode == "huge" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return next(huge)
    if mode == "words":
        return 7 if isinstance(value, str) else "<b>seven</b>"
    return value


huge = itertools.cycle((1.7e308, 2**53 + 1, -(2**63), 1e-300, 0, -1))


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 10  # HTTP/1.0: no connection outlives go()

    def do_GET(self):
        admin: FakeAdmin = self.server.admin
        target = urllib.parse.urlsplit(self.path)
        pairs = urllib.parse.parse_qsl(target.query, keep_blank_values=True)
        admin.asked.append((target.path, dict(pairs)))
        if target.path.startswith("/api/v1/"):
            status, body = self.api(admin, target.path.removeprefix("/api/v1/"), pairs)
            return self.respond(status, "application/json", json.dumps(body).encode())
        file = PAGE / ("index.html" if target.path == "/" else target.path[1:])
        if file.parent != PAGE or file.suffix not in TYPES or not file.is_file():
            return self.respond(404, "text/plain", b"not found\n")
        return self.respond(200, TYPES[file.suffix], file.read_bytes())

    @staticmethod
    def api(admin: "FakeAdmin", path: str, pairs: list) -> tuple[int, dict]:
        if unknown := [key for key, _ in pairs if key not in KEYS.get(path, set())]:
            return 400, {"error": {"code": "bad_request", "message": f"unknown parameter {unknown[0]}"}}
        if path == "host" and admin.mode != "calm":
            pairs = [("name", "www.site001.test")]  # a name from outside leads somewhere too
        status, body = admin.story.answer(path, dict(pairs))
        return status, body if admin.mode == "calm" else bent(body, admin.mode)

    def respond(self, status: int, kind: str, body: bytes):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", CSP)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a page that was left asks no more
            super().handle_error(request, client_address)


class FakeAdmin:
    """`with FakeAdmin() as admin:` serves at admin.url. `asked` has every request; go() and come_back() end and begin it at one port."""

    def __init__(self, port: int = 0, mode: str = "calm"):
        self.mode, self.port = mode, port
        self.story = Story()
        self.asked: collections.deque = collections.deque(maxlen=10_000)
        self.server: Server | None = None

    def come_back(self):
        self.server = Server(("127.0.0.1", self.port), Handler)
        self.server.admin = self
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def go(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None

    def count(self, path: str) -> int:
        return sum(1 for asked, _ in list(self.asked) if asked == path)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self):
        self.come_back()
        return self

    def __exit__(self, *_):
        self.go()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--mode", default="calm", choices=("calm", "poison", "null", "empty", "huge", "words"))
    options = parser.parse_args()
    with FakeAdmin(options.port, options.mode) as fake:
        print(fake.url, flush=True)
        threading.Event().wait()
