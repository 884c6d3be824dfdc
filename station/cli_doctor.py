"""What `doctor` looks at, in order, and how it tells."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from station import cli_doctor_camera, cli_doctor_disk, cli_doctor_host, cli_doctor_ports
from station.cli_check import devices, host, socket_fault
from station.cli_finding import Finding
from station.config import Config, ConfigError, load_config

_MARK = {"ok": "ok  ", "warn": "WARN", "fail": "FAIL"}


def examine(file: Path, *, console: bool | None = None) -> list[Finding]:
    """Everything. `console`: whether it runs here; None: when there is a display."""
    wanted = _has_display() if console is None else console
    findings = list(_of_file(file))
    findings.append(cli_doctor_host.user())
    findings.append(cli_doctor_ports.rules())
    findings += cli_doctor_host.libraries(console=wanted)
    findings += cli_doctor_host.clock()
    findings.append(cli_doctor_host.kernel())
    return findings


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _of_file(file: Path) -> Iterator[Finding]:
    """What depends on the table's file: the file, its ports, its disk, its journal's clock."""
    try:
        config = load_config(file)
    except (ConfigError, ValueError) as error:
        yield Finding(
            "file",
            "fail",
            str(error),
            str(file),
            "correct it; ports, disk and the journal's clock were not looked at",
        )
        return
    yield from _file(file, config)
    journal = Path(config.journal.path)
    yield from cli_doctor_disk.disk(journal)
    yield cli_doctor_host.step(journal)


def _file(file: Path, config: Config) -> Iterator[Finding]:
    try:
        specs = devices(config)
    except ConfigError as error:
        yield Finding("file", "fail", str(error), str(file), "correct it")
        return
    fault = socket_fault(config)
    if fault:
        yield Finding("file", "fail", fault, str(file), "correct it")
    else:
        what = f"table {config.table.id} ({config.table.kind}), {host(config)}"
        yield Finding("file", "ok", what, str(file))
    if config.table.kind == "live" and not Path(config.staff.file).exists():
        yield Finding(
            "staff",
            "fail",
            "there are no people, so a live table starts only from a terminal",
            config.staff.file,
            "start it once from a terminal, or as root `dealer-station staff add`",
        )
    if not specs:
        yield Finding(
            "port", "warn", "the file has no [[devices]]", str(file), "dealer-station devices"
        )
    yield from cli_doctor_ports.ports(specs, Path(config.link.socket))
    yield from cli_doctor_camera.cameras(specs)
    yield from cli_doctor_camera.evidence(Path(config.journal.path), config.evidence)


def lines(findings: list[Finding]) -> Iterator[str]:
    """For people."""
    for one in findings:
        where = f"  [{one.where}]" if one.where else ""
        yield f"{_MARK[one.level]}  {one.check:9} {one.what}{where}"
        if one.do and one.level != "ok":
            yield f"{'':16}→ {one.do}"
    failed = sum(one.level == "fail" for one in findings)
    warned = sum(one.level == "warn" for one in findings)
    yield f"{failed} failed, {warned} to look at, {len(findings) - failed - warned} in order"
