"""`hw-sim soak`: a directory, the run with its progress, the verdict and the figures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hw_sim.children import ChildError, station_command
from hw_sim.journal import JournalUnread
from hw_sim.link import LinkRefused
from hw_sim.port import PortError
from hw_sim.soak import Run, Soak, SoakSettings, table_file
from hw_sim.soak_verdict import SHOWN, Verdict, verdict
from hw_sim.sockets import SocketError
from hw_sim.table_config import TableDir, TableError, default_root, fresh_dir

OnSignals = Callable[[Callable[[], None]], None]
# Facts the verdict has no use for; by far the most.
_UNUSED = ('"kind":"CommandAnswered"', '"kind":"Observed"')


def run_soak(directory: Path | None, settings: SoakSettings, on_signals: OnSignals) -> int:
    """Run one table and judge it; the exit code: 0, 1 for any difference."""
    place = TableDir(directory) if directory else fresh_dir(default_root().with_name("soak"))
    try:
        if place.journal.exists():
            raise TableError(f"{place.path}: a table has been played here; choose another --dir")
        place.open(table_file(settings, place.path))
        say(f"seed {settings.seed}, {settings.kind}, directory {place.path}")
        soak = Soak(place, settings, Progress())
        on_signals(soak.stop)
        run = soak.run()
        sys.stdout.write("\n")
        ended = run.rounds >= settings.rounds and not run.stuck
        found = verdict(truth(place.truth), facts(place.journal), run.books, ended=ended)
        chain = verified(place.journal)
    except (TableError, ChildError, SocketError, LinkRefused, PortError, JournalUnread) as error:
        sys.stderr.write(f"hw-sim: {error}\n")
        return 1
    finally:
        place.close()
    report(place, settings, run, found)
    return differences(found, [text for text in (run.stuck, chain) if text])


def judge_again(directory: Path) -> int:
    """The verdict on a table that was played before, or is ended; the exit code."""
    place = TableDir(directory)
    if not (place.truth.exists() and place.journal.exists()):
        sys.stderr.write(f"hw-sim: {directory}: no soak was played here\n")
        return 2
    try:
        if place.in_use():
            raise TableError(f"{directory}: it is being played; end it first")
        found = verdict(truth(place.truth), facts(place.journal), ended=False)
        chain = verified(place.journal)
    except (TableError, JournalUnread) as error:
        sys.stderr.write(f"hw-sim: {error}\n")
        return 1
    figures(found)
    return differences(found, [chain] if chain else [])


class Progress:
    """One line that is written over on a terminal; elsewhere one now and then."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, text: str) -> None:
        if sys.stdout.isatty():
            sys.stdout.write(f"\r{text}\033[K")
        elif self._count % 30 == 0:
            sys.stdout.write(f"{text}\n")
        self._count += 1
        sys.stdout.flush()


def say(text: str) -> None:
    """One line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def truth(log: Path) -> Iterator[dict[str, Any]]:
    """The shoe's own log."""
    with log.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def facts(journal: Path) -> Iterator[dict[str, Any]]:
    """The journal's facts, as the station's own command shows them. Raises JournalUnread."""
    command = [station_command(), "journal", "show", "--json", "--bare", "--journal", str(journal)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shown:
        assert shown.stdout is not None
        for line in shown.stdout:
            if not any(unused in line[:80] for unused in _UNUSED):
                yield json.loads(line)
    if shown.returncode:
        raise JournalUnread(f"{journal}: cannot be read")


def verified(journal: Path) -> str:
    """Why the journal's chain does not hold, or ""."""
    command = [station_command(), "journal", "verify", "--journal", str(journal)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


def report(place: TableDir, settings: SoakSettings, run: Run, found: Verdict) -> None:
    """What the run was, then what came of it."""
    rounds = sum(found.figures[f"rounds {how}"] for how in ("settled", "void"))
    pace = rounds / run.seconds if run.seconds else 0.0
    say(f"{rounds} rounds in {run.seconds:.0f} s, {pace:.2f} a second")
    struck = sum(run.faults.values())
    say(f"  faults ({struck}; at {settings.rate:g} of cards): {_listed(run.faults)}")
    say(f"  cards people saw on the felt alone  {run.noticed}")
    first, last = (kib / 1024 for kib in (run.memory_start, run.memory_end))
    say(f"  memory of the station  {first:.1f} MiB at the beginning, {last:.1f} MiB at the end")
    say(f"  journal  {place.journal.stat().st_size / 1024**2:.1f} MiB, {place.journal}")
    for refused in run.refused[:5]:
        say(f"  a fault that could not strike: {refused}")
    figures(found)


def figures(found: Verdict) -> None:
    """What there was, by name."""
    for name, count in found.figures.items():
        say(f"  {name:30} {count}")
    for title, counts in (
        ("holds", found.holds),
        ("rulings", found.rulings),
        ("no-reads", found.no_reads),
    ):
        say(f"  {title}: {_listed(counts)}")


def differences(found: Verdict, failures: list[str]) -> int:
    """Each difference, and the exit code."""
    every = [*failures, *found.differences]
    for text in every[:SHOWN]:
        say(f"DIFFERS  {text}")
    if len(every) > SHOWN:
        say(f"... and {len(every) - SHOWN} more")
    say(f"verdict: {len(every)} differences" if every else "verdict: all equal")
    return 1 if every else 0


def _listed(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered) or "none"


def run_tables(
    count: int, directory: Path | None, settings: SoakSettings, on_signals: OnSignals
) -> int:
    """Several tables beside each other, each with its share of the rounds and a seed of its own;
    the worst exit code.
    """
    root = directory or fresh_dir(default_root().with_name("soak")).path
    children = [_one_of(number, count, root, settings) for number in range(count)]

    def stop() -> None:
        for child in children:
            child.terminate()

    on_signals(stop)
    codes = []
    for number, child in enumerate(children):
        said, _ = child.communicate()
        say(f"--- table {number + 1} of {count}\n{said.strip()}")
        codes.append(child.returncode)
    return 0 if not any(codes) else 1


def _one_of(number: int, count: int, root: Path, settings: SoakSettings) -> subprocess.Popen[str]:
    share = settings.rounds // count + (number < settings.rounds % count)
    command = [sys.executable, "-m", "hw_sim.cli", "soak", "--rounds", str(share)]
    command += ["--seed", str(settings.seed + number * 1_000_000)]
    command += ["--fault-rate", str(settings.rate), "--errors", str(settings.errors)]
    command += ["--kind", settings.kind, "--wire", settings.wire]
    command += ["--strategy", settings.strategy, "--dir", str(root / str(number + 1))]
    command += ["--board"] if settings.board else []
    command += ["--checked"] if settings.checked else []
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
