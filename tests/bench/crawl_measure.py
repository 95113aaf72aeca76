"""Runs a program on one core to its end and tells what it cost."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import time

from crawl_server import die_with_parent


@dataclasses.dataclass
class Cost:
    wall: float  # seconds from start to end
    cpu: float  # seconds, user and system, of the program and the children it waited for
    peak: int  # octets of resident memory at most, of its largest process
    status: int  # of its exit; negative: the signal that ended it
    late: bool  # it had to be ended by us


def measure(command: list[str], folder: pathlib.Path, cores: set[int], seconds: float, environment: dict | None = None) -> Cost:
    """Runs `command` in `folder`; its output goes to `folder`/output. After `seconds` it is asked to end, and 10 s later made to."""

    def settle():
        die_with_parent()
        os.sched_setaffinity(0, cores)

    with open(folder / "output", "wb") as output:
        begin = time.monotonic()
        program = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=settle,
            env=os.environ | (environment or {}),
        )  # fmt: skip
    late = False
    while True:
        pid, status, usage = os.wait4(program.pid, os.WNOHANG)
        now = time.monotonic()
        if pid:
            break
        if now - begin > seconds + 10:
            os.killpg(program.pid, signal.SIGKILL)
        elif now - begin > seconds and not late:
            late = True
            os.killpg(program.pid, signal.SIGTERM)
        time.sleep(0.005)
    program.returncode = os.waitstatus_to_exitcode(status)
    return Cost(now - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, program.returncode, late)
