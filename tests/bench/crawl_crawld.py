"""crawld as it is measured: everything durable, archive and crawl log on, one pass."""

import dataclasses
import pathlib

from crawl_web import Shape


@dataclasses.dataclass
class Crawld:
    binary: pathlib.Path
    interval: int  # ms
    threads: int = 1
    name: str = "crawld"
    kind: str = "crawler"
    found: bool = True

    def prepare(self, shape: Shape, folder: pathlib.Path, ca_file: pathlib.Path) -> list[str]:
        config = folder / "crawld.yaml"
        config.write_text(self.configuration(shape, folder, ca_file), encoding="utf-8")
        return [str(self.binary), "run", "--config", str(config), "--until-idle"]

    def configuration(self, shape: Shape, folder: pathlib.Path, ca_file: pathlib.Path) -> str:
        seeds = "".join(f"  - {url}\n" for url in shape.seeds)
        return f"""\
agent:
  contact: bench@crawld.test
seeds:
{seeds}
recrawl:
  enabled: false
politeness:
  default_interval: {self.interval}ms
  hard_minimum: {self.interval}ms
  per_address_interval: {self.interval}ms
  latency_factor: 0
network:
  allow_addresses: [127.0.0.0/8]
  ca_file: "{ca_file if shape.scheme == 'https' else ''}"
threads: {self.threads}
storage:
  directory: {folder}/state
  pause_below: 16MiB
  resume_above: 16MiB
log:
  visits: off
"""
