"""Whether cards wait while PINs are looked at: `python -m tests.bench.pins [--reads 300]`.

One real daemon. Codes come on its pty one after the other, each sent when the fact of the one
before it is on disk (they are read as cards at a table without a shoe: observed, set aside). The
time from the last byte written to the commit is taken in turns, with nobody at the door and with
several terminals that try wrong PINs without a pause, each number new so that no lock ends the
storm. Prints median, p99 and the longest of both, and how many PINs were looked at. Nothing here
fails on a slow machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from hw_sim.codes import decks
from station import messages as m
from tests.support.daemon import Client, Ended, Station

TURNS = 6
TERMINALS = 4
# A terminal is locked after twenty wrong tries: it comes again under another name.
TRIES = 18


class Storm:
    """Terminals that try wrong PINs while `on`."""

    def __init__(self, station: Station) -> None:
        self.tried = 0
        self._station = station
        self._on = threading.Event()
        self._end = threading.Event()
        self._threads = [
            threading.Thread(target=self._try, args=(n,), daemon=True) for n in range(TERMINALS)
        ]
        for thread in self._threads:
            thread.start()

    def blow(self, on: bool) -> None:
        (self._on.set if on else self._on.clear)()

    def close(self) -> None:
        self._end.set()
        self._on.set()
        for thread in self._threads:
            thread.join(10)

    def _try(self, number: int) -> None:
        with contextlib.suppress(Ended, AssertionError, OSError):
            for name in range(100_000):
                client = Client(self._station.socket, "staff", f"storm{number}-{name}")
                client.wait_for(lambda _: True, "a snapshot")
                for n in range(TRIES):
                    self._on.wait()
                    if self._end.is_set():
                        client.close()
                        return
                    client.ask(m.LogIn(f"{number}-{name}-{n}", "0000"))
                    self.tried += 1
                client.close()


def begin(station: Station, trace: Path) -> None:
    """Run it with the time of each commit written down at its end."""
    command = [sys.executable, "-m", "station.cli", "run", "-c", str(station.config)]
    with station.log.open("ab") as errors:
        station.process = subprocess.Popen(
            [*command, "--trace", str(trace)], stdout=subprocess.PIPE, stderr=errors, text=True
        )
    assert station.process.stdout is not None
    station.process.stdout.readline()


def measured(trace: Path) -> dict[int, int]:
    """By fact, when it was on disk (monotonic ns)."""
    lines = (json.loads(line) for line in trace.read_text().splitlines())
    return {line["version"]: line["committed_ns"] for line in lines}


def told(name: str, times_ms: list[float], tried: int) -> str:
    ordered = sorted(times_ms)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"{name:24} median {statistics.median(ordered):7.2f} ms   p99 {p99:7.2f} ms   "
        f"longest {ordered[-1]:7.2f} ms   {len(ordered)} reads, {tried} PINs looked at"
    )


def play(
    station: Station, pit: Client, storm: Storm, reads: int
) -> tuple[list[tuple[bool, int]], dict[bool, int]]:
    """Of each read whether the storm blew, and when its last byte was written (ns); and how many
    PINs were looked at meanwhile.
    """
    codes = [card.code.encode() + b"\r" for card in decks(8, "A")]
    sent: list[tuple[bool, int]] = []
    tried = {True: 0, False: 0}
    for turn in range(TURNS):
        stormy = turn % 2 == 1
        storm.blow(stormy)
        began = storm.tried
        until = time.monotonic() + 20
        while stormy and storm.tried == began and time.monotonic() < until:
            time.sleep(0.01)
        for _ in range(reads // (TURNS // 2)):
            at = time.monotonic_ns()
            station.serial.send(codes[len(sent) % len(codes)])
            sent.append((stormy, at))
            _wait_for_read(pit, len(sent))
        tried[stormy] += storm.tried - began
    return sent, tried


def run(reads: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        station = Station(Path(name) / "t")
        trace = Path(name) / "trace"
        begin(station, trace)
        pit = station.client("pit")
        pit.wait_for(lambda s: s.devices[0].health == "up", "the reader up")
        storm = Storm(station)
        sent, tried = play(station, pit, storm, reads)
        storm.close()
        observed = [row for row in station.journal() if row.kind == "Observed"]
        station.stop()
        times: dict[bool, list[float]] = {True: [], False: []}
        on_disk = measured(trace)
        for (stormy, at), row in zip(sent, observed, strict=True):
            committed = min(v for v in on_disk if v >= row.seq)
            times[stormy].append((on_disk[committed] - at) / 1e6)
        sys.stdout.write(told("nobody at the door", times[False], tried[False]) + "\n")
        sys.stdout.write(told(f"{TERMINALS} terminals trying", times[True], tried[True]) + "\n")


def _wait_for_read(client: Client, number: int) -> None:
    """Until the read of that number is shown."""

    def shown() -> bool:
        read = client.now.last_read
        return read is not None and read.number >= number

    client.wait(shown, f"read {number}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--reads", type=int, default=300, help="in each of the two")
    run(parser.parse_args().reads)


if __name__ == "__main__":
    main()
