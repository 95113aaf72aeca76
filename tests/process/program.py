"""Runs the real binary."""

import os
import pathlib
import subprocess
import tempfile
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "deploy" / "littleweb"))

from littleweb import LittleWeb, die_with_parent  # noqa: E402

CRAWLD = os.environ.get("CRAWLD", "")
CONTACT = "process-test@crawld.test"


def configuration(web: LittleWeb, hosts: list[str], folder: pathlib.Path, more: str = "", politeness: str = "") -> pathlib.Path:
    """Writes a configuration and returns where. `politeness`: further lines of that section."""
    seeds = "".join(f"  - {web.url(host)}\n" for host in hosts)
    path = folder / "crawld.yaml"
    storage = tempfile.mkdtemp(prefix="storage.", dir=folder)  # each configuration begins with an empty frontier
    path.write_text(
        f"agent:\n  contact: {CONTACT}\n"
        f"seeds:\n{seeds}"
        f"politeness:\n  hard_minimum: 50ms\n{politeness}"
        f'network:\n  allow_addresses: [127.0.0.0/8]\n  nameservers: ["{web.nameserver}"]\n'
        f"storage:\n  directory: {storage}\n  pause_below: 16MiB\n  resume_above: 16MiB\n"
        f"threads: 2\n{more}",
        encoding="utf-8",
    )
    return path


def run(*arguments, seconds: float = 30, **more) -> subprocess.CompletedProcess:
    """Runs crawld to its end, which has to come within `seconds`."""
    return subprocess.run(
        [CRAWLD, *map(str, arguments)],
        capture_output=True, text=True, timeout=seconds, check=False, stdin=subprocess.DEVNULL, **more,
    )  # fmt: skip


def start(config: pathlib.Path, log: pathlib.Path, *arguments) -> subprocess.Popen:
    """Starts `crawld run` in a session of its own; its log goes to `log`."""
    with open(log, "wb") as output:
        return subprocess.Popen(
            [CRAWLD, "run", "--config", str(config), *arguments],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent,
        )  # fmt: skip


def wait_for(what, seconds: float = 20, every: float = 0.02):
    """Waits until what() is true and returns it; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(every)
    raise AssertionError(f"did not come true within {seconds} s")
