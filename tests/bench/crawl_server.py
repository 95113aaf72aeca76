"""nginx with one worker on one core, serving a web of crawl_web from loopback addresses; its access log is the witness."""

import dataclasses
import os
import pathlib
import pwd
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "deploy" / "littleweb"))

from littleweb import SYSTEM_PATH, die_with_parent, find_program  # noqa: E402, F401

CONNECTIONS_MAX = 4096
START_SECONDS, STOP_SECONDS = 15, 10
LOG_FORMAT = "$msec\\t$request_time\\t$connection\\t$host\\t$request_method\\t$request_uri\\t$status\\t$body_bytes_sent\\t$ssl_session_reused"


@dataclasses.dataclass(frozen=True)
class Mode:
    """How the server is spoken to."""

    name: str
    scheme: str
    keep_alive: bool = True
    resumption: bool = True  # of TLS sessions


MODES = [
    Mode("http", "http"),
    Mode("https", "https"),  # kept connections
    Mode("https-resumed", "https", keep_alive=False),  # a connection and an abbreviated handshake for each request
    Mode("https-full", "https", keep_alive=False, resumption=False),
]


def make_certificates(shape, folder: pathlib.Path) -> pathlib.Path:
    """An authority and one certificate for all hosts, in `folder`. Returns the authority's certificate."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "names.ext").write_text("subjectAltName=" + ",".join(f"IP:{shape.host(n)}" for n in range(shape.hosts)) + "\n")
    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    for command in (
        f"req -x509 {key} -days 365 -subj /CN=authority -keyout authority.key -out authority.pem",
        f"req -new {key} -subj /CN=hosts -keyout hosts.key -out hosts.csr",
        "x509 -req -in hosts.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 365 -extfile names.ext -out hosts.pem",
    ):
        subprocess.run([find_program("openssl"), *command.split()], cwd=folder, check=True, capture_output=True)
    return folder / "authority.pem"


class Server:
    """`with Server(...):` serves until the block ends; then the log is whole and `cpu` known (seconds).

    `root` has the files, `certificates` what make_certificates() made; `folder` is for configuration and log.
    """

    def __init__(self, shape, mode: Mode, root: pathlib.Path, certificates: pathlib.Path, folder: pathlib.Path, core: int):
        self.shape, self.mode, self.root, self.certificates = shape, mode, root, certificates
        self.folder, self.core = folder, core
        self.access_log = folder / "access.tsv"
        self.cpu = 0.0
        self._program: subprocess.Popen | None = None

    def __enter__(self):
        (self.folder / "temp").mkdir(parents=True, exist_ok=True)
        (self.folder / "nginx.conf").write_text(self._configuration(), encoding="utf-8")
        with open(self.folder / "nginx.out", "wb") as output:
            self._program = subprocess.Popen(
                [find_program("nginx"), "-p", str(self.folder), "-e", "error.log", "-c", "nginx.conf"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=self._settle,
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while not (self.folder / "nginx.pid").exists():
            if self._program.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"nginx did not start: {(self.folder / 'nginx.out').read_text()}")
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        program = self._program
        program.send_signal(signal.SIGTERM)  # it writes what its log still holds
        deadline = time.monotonic() + STOP_SECONDS
        while True:
            pid, _, usage = os.wait4(program.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                program.kill()
                deadline += STOP_SECONDS
            time.sleep(0.01)
        program.returncode = 0
        self.cpu = usage.ru_utime + usage.ru_stime

    def _settle(self):
        die_with_parent()
        os.sched_setaffinity(0, {self.core})

    @staticmethod
    def _files() -> int:
        """Files that it may hold open, beside its connections."""
        return max(resource.getrlimit(resource.RLIMIT_NOFILE)[0] - CONNECTIONS_MAX - 1000, 100)

    def _configuration(self) -> str:
        shape, tls = self.shape, self.mode.scheme == "https"
        listens = "".join(f"    listen {shape.host(n)}:{shape.port}{' ssl' if tls else ''};\n" for n in range(shape.hosts))
        sessions = "shared:bench:100m" if self.mode.resumption else "off"
        security = f"""\
    ssl_certificate {self.certificates}/hosts.pem;
    ssl_certificate_key {self.certificates}/hosts.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache {sessions};
    ssl_session_tickets {'on' if self.mode.resumption else 'off'};
    ssl_session_timeout 1d;
"""
        # The pages lie in a folder of ours, which another user could not read.
        user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
        return f"""\
{user}
daemon off;
pid nginx.pid;
worker_processes 1;
events {{ worker_connections {CONNECTIONS_MAX}; multi_accept on; }}
http {{
  log_format bench "{LOG_FORMAT}";
  access_log access.tsv bench buffer=1m flush=1s;
  open_file_cache max={self._files()} inactive=10m;
  open_file_cache_valid 10m;
  client_body_temp_path temp;
  proxy_temp_path temp;
  fastcgi_temp_path temp;
  uwsgi_temp_path temp;
  scgi_temp_path temp;
  types {{ text/html html; text/plain txt; text/css css; application/javascript js; image/png png; }}
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  server {{
{listens}{security if tls else ''}    root {self.root}/$host;
    index index.html;
    keepalive_requests 1000000;
    keepalive_timeout {75 if self.mode.keep_alive else 0};
    gzip_static on;
    gzip_vary on;
  }}
}}
"""
