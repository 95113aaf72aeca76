#!/usr/bin/env python3
"""Crawls the little web with crawld for a minute and shows what the sites saw of it."""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from littleweb import LittleWeb, die_with_parent
from report import report
from sites import DEFAULT_INTERVAL, demos

STOP_SECONDS = 30


def configuration(web: LittleWeb, hosts: list[str], folder: pathlib.Path) -> str:
    seeds = "\n".join(f"  - {web.url(host)}" for host in hosts)
    return f"""\
agent:
  contact: demo@crawld.test
seeds:
{seeds}
scope:
  follow: host
politeness:
  default_interval: {DEFAULT_INTERVAL:g}s
network:
  allow_addresses: [127.0.0.0/8]
  nameservers: ["{web.nameserver}"]
threads: 2
storage:
  directory: {folder}/state
"""


def crawl(arguments, folder: pathlib.Path) -> int:
    found = demos(time.time())
    expected = [
        {"host": demo.site.host, "says": demo.says, "interval": demo.interval, "forbidden": list(demo.forbidden)} for demo in found
    ]
    (folder / "expected.json").write_text(json.dumps(expected, indent=1), encoding="utf-8")
    (folder / "state").mkdir()
    with LittleWeb([demo.site for demo in found], folder / "web") as web:
        config = folder / "crawld.yaml"
        config.write_text(configuration(web, [demo.site.host for demo in found], folder), encoding="utf-8")
        print(f"A little web of {len(found)} sites is up on loopback; crawling it for {arguments.duration}.\n", flush=True)
        command = [arguments.crawld, "run", "--config", str(config), "--until-idle", "--for", arguments.duration]
        crawler = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
        try:
            status = crawler.wait()
        except BaseException:  # a signal to us: let it end politely
            crawler.terminate()
            try:
                crawler.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                crawler.kill()
            raise
        requests = web.requests()
    print("\nWhat the sites saw (nginx's access log, request start to request start):\n")
    verdict = report(requests, expected)
    if status != 0:
        print(f"crawld ended with status {status}")
    return verdict or status


def stop(number, _):
    sys.exit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crawld", required=True, help="the program")
    parser.add_argument("--for", dest="duration", default="60s", help="how long (60s)")
    parser.add_argument("--keep", metavar="FOLDER", help="leave configuration and logs in this new folder")
    arguments = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, stop)
    if arguments.keep:
        os.makedirs(arguments.keep)
        return crawl(arguments, pathlib.Path(arguments.keep).resolve())
    folder = tempfile.mkdtemp(prefix="crawld-demo.")
    try:
        return crawl(arguments, pathlib.Path(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
