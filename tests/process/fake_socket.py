"""A fake admin endpoint on a Unix socket, for the commands that talk to a running crawler: it answers what a test tells it.

As a program (`fake_socket.py SOCKET`) it answers every order and ends when it is told to drain.
"""

import http.server
import json
import os
import pathlib
import socketserver
import sys
import threading
import time
import urllib.parse

STATUS = {
    "version": "0.1.0", "state": "running", "sentence": "every host waits politely; first http://a.test in 41s (interval)",
    "now": "2026-11-21T18:30:00.000Z", "started": "2026-11-21T18:00:00.000Z", "uptime_seconds": 1800.0, "threads": 2,
    "requests_per_second": 1.5, "requests_per_second_minute": 1.4, "octets_per_second": 12000.5,
    "totals": {"requests": 9, "robots_requests": 2, "octets": 123456, "records": 7, "record_octets": 99999, "violations": 0},
    "urls": {"owed": 5, "queued": 4, "retry": 1, "again": 7, "seen": 12, "origins": 3},
    "hosts": {"ready": 0, "waiting": 2, "paused": 0, "in_flight": 1, "idle": 0, "asleep": 4},
    "next": {"origin": "http://a.test", "at": "2026-11-21T18:30:41.000Z", "in_seconds": 41.0, "reason": "interval"},
    "longest_waits": [{"origin": "http://slow.test", "at": "2026-11-21T19:30:00.000Z", "in_seconds": 3600.0, "reason": "crawl_delay"}],
    "fates": {"fetched": 7}, "errors": {"timeout": 1},
    "disk": [{"what": "state", "path": "/var/lib/crawld", "free": 1000000000, "pause_below": 2147483648, "resume_above": 4294967296}],
    "reload": {"at": "2026-11-21T18:10:00.000Z", "successful": True}, "orders": 1,
}  # fmt: skip


def done(sentence: str) -> tuple[int, dict]:
    return 200, {"done": True, "sentence": sentence}


def refused(status: int, code: str, message: str, **more) -> tuple[int, dict]:
    return status, {"error": {"code": code, "message": message}, **more}


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path, _, query = self.path.partition("?")
        asked = (self.command, path, json.loads(body) if body else dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))
        self.server.asked.append(asked)
        what = self.server.answers.get(f"{self.command} {path}", refused(404, "not_found", f"no such path: {path}"))
        what = what(asked[2]) if callable(what) else what
        if isinstance(what, bytes):  # octet for octet, whatever that is
            self.wfile.write(what)
            return
        status, answered = what
        text = answered if isinstance(answered, str) else json.dumps(answered)
        octets = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    do_GET = do_POST = answer

    def address_string(self) -> str:
        return "socket"

    def log_message(self, format, *arguments):  # noqa: A002
        pass


class FakeAdmin(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Answers `answers["GET /api/v1/status"]`, which is (status, JSON or text), octets as they are, or a function of what was asked that
    returns one of these. `asked` is what came: (method, path, keys)."""

    daemon_threads = True

    def __init__(self, path: pathlib.Path | str, answers: dict | None = None):
        self.answers = answers if answers is not None else {"GET /api/v1/status": (200, STATUS)}
        self.asked: list[tuple[str, str, dict]] = []
        super().__init__(str(path), Handler)
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def handle_error(self, request, client_address):
        """Of those who did not wait for their answer nothing is said."""
        if not isinstance(sys.exc_info()[1], (BrokenPipeError, ConnectionResetError)):
            super().handle_error(request, client_address)

    def close(self):
        self.shutdown()
        self.server_close()
        pathlib.Path(self.server_address).unlink(missing_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def main() -> int:
    """Ends half a second after it was told to drain, half of that after its socket has gone: to wait for the socket is not enough."""
    drained = threading.Event()

    def drain(_):
        drained.set()
        return done("visits end, then crawld ends")

    server = FakeAdmin(sys.argv[1], {"POST /api/v1/drain": drain})
    print("listens", flush=True)
    drained.wait(60)
    time.sleep(0.25)
    server.close()
    time.sleep(0.25)
    return 0 if drained.is_set() else 1


if __name__ == "__main__":
    sys.stdout.flush()
    os._exit(main())
