"""Which probes a table has, by its file."""

from __future__ import annotations

import time
from pathlib import Path

from station.config import Config
from station.controller import Controller
from station.evidence import folder_of
from station.game.rules import fingerprint
from station.journal import boot_id
from station.table.inputs import ConditionSeen
from station.watching.clocks import Source, Steps
from station.watching.disks import Disks
from station.watching.files import People, Rules
from station.watching.kernel import KernelClocks, Stamped, step_since
from station.watching.program import Program, command
from station.watching.shoes import ShoeAge
from station.watching.watch import Probe, Watch

DISK_S = 5.0
CLOCK_S = 2.0
SOURCE_S = 60.0
FILES_S = 2.0
PROGRAM_S = 2.0


def watch_of(config: Config, file: Path | None, controller: Controller, before_s: float) -> Watch:
    """`file`: the table's own, None where there is none. `before_s`: by how much UTC was set since
    the journal's last fact.
    """
    limits, clocks = config.locks, KernelClocks()
    journal = Path(config.journal.path)

    def low(code: str) -> bool:
        return any(one.code == code and one.stands for one in controller.table.conditions)

    megabytes = (limits.disk_megabytes, limits.evidence_megabytes)
    disks = Disks(journal, folder_of(journal), megabytes, low)
    people = People(Path(config.staff.file), config.table.kind)
    age = ShoeAge(lambda: controller.table, controller.shoe_released, config.shoe.hours)
    probes = [
        Probe("disks", DISK_S, disks.look),
        Probe("clock", CLOCK_S, Steps(clocks, limits.clock_seconds, before_s).look),
        Probe("people", FILES_S, people.look),
        Probe("shoe", FILES_S, age.look),
    ]
    if file is not None:
        rules = Rules(file, lambda: fingerprint(controller.table.rules))
        probes.append(Probe("rules", FILES_S, rules.look))
    live = config.table.kind == "live"
    probes.append(
        Probe("source", SOURCE_S, Source(clocks, limits.clock_seconds).look)
        if limits.clock_source == "kernel" or (live and limits.clock_source == "auto")
        else _off("clock_unsynced")
    )
    if live or limits.self_check == "on":
        program = Program(
            command(limits.self_check_manifest), limits.self_check_hours, time.monotonic
        )
        probes.append(Probe("program", PROGRAM_S, program.look))
        return Watch(tuple(probes), controller.post, time.monotonic, program.close)
    probes += [_off("self_check_failed"), _off("self_check_missing")]
    return Watch(tuple(probes), controller.post, time.monotonic)


def _off(code: str) -> Probe:
    """What is not looked at on this table bars nothing there any more."""
    return Probe(f"no {code}", 3600.0, lambda: [ConditionSeen(code, stands=False)])


def set_since(last: tuple[str, int, str] | None, utc: str) -> float:
    """By how many seconds UTC was set since the journal's last fact (its stamps), 0 for none."""
    if last is None:
        return 0.0
    return step_since(Stamped(*last), Stamped(utc, time.monotonic_ns(), boot_id()))
