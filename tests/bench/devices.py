"""Twenty devices on one daemon at full speed of their lines: `python -m tests.bench.devices`.

Every device sends as fast as its line carries bytes (8N1: ten bits a byte), all at once, through
real ptys into one real daemon. No shoe is in play, so that each read goes the whole way (bytes,
message, decision, commit) and is set aside. Prints reads a second, CPU of the daemon, its memory
before and after, and the time from the last byte of a message to its fact on disk, beside the bare
cost of a pty hop and a one-row commit in the same run. Nothing here fails on a slow machine.
"""

from __future__ import annotations

import argparse
import heapq
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from hw_sim.codes import VirtualCard, decks
from hw_sim.models.base import Model
from hw_sim.models.registry import make_model
from station.journal import open_reader, rows
from station.table.facts import Observed
from tests.bench.latency import Bare, Pty, figures, memory, traced

CARDS = decks(8, "A")
# Kind, baud, how many of them.
FLOOR = (
    ("text-line", 9600, 6),
    ("text-line", 115200, 1),
    ("zebra-ssi", 9600, 4),
    ("gm65", 9600, 3),
    ("angel-eye", 4800, 3),
    ("bee-tek", 9600, 2),
    ("board", 115200, 1),
)
BITS_A_BYTE = 10


@dataclass
class Line:
    """One device: what it still has to say, and when its line is free again."""

    name: str
    kind: str
    baud: int
    pty: Pty
    model: Model
    began: float
    cards: int = 0
    # When the last byte of each message that is a read went out, in order (monotonic ns).
    sent: list[int] = field(default_factory=list)

    def now_ms(self) -> int:
        return int((time.monotonic() - self.began) * 1000)

    def next(self) -> bytes:
        """The message of the next card, the device's own copies of it with it; the answers it owes
        go first. Nothing while it waits to be acknowledged.
        """
        self.answer()
        wake = self.model.wake_at_ms
        if wake is not None and wake <= self.now_ms():
            for piece in self.model.tick(self.now_ms()):
                os.write(self.pty.master, piece.data)
        card: VirtualCard = CARDS[self.cards * 5 % len(CARDS)]
        pieces = self.model.card(card, self.now_ms())
        self.cards += bool(pieces)
        return b"".join(piece.data for piece in pieces)

    def answer(self) -> bool:
        """What the station asks is heard and answered. False when it asked nothing."""
        heard = False
        while select.select([self.pty.master], [], [], 0)[0]:
            heard = True
            for piece in self.model.heard(os.read(self.pty.master, 4096), self.now_ms()):
                os.write(self.pty.master, piece.data)
        return heard


def config(lines: list[Line]) -> str:
    head = '[table]\nid = "BENCH"\nkind = "test"\n[cards]\nallow_unchecked_codes = true\n'
    parts = [head]
    for line in lines:
        baud = f"baud = {line.baud}\n"
        role = 'role = "board"\n' if line.kind == "board" else 'role = "scanner"\n'
        parts.append(
            f'[[devices]]\nname = "{line.name}"\nkind = "{line.kind}"\n'
            f'port = "{line.name}.link"\n{baud}{role}'
        )
    return "".join(parts)


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--dir", type=Path, default=None, help="the journal's disk")
    parser.add_argument("--share", type=float, default=1.0, help="of the full speed of the lines")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.dir) as name:
        measure(Path(name), given.seconds, given.share)


def measure(folder: Path, seconds: float, share: float) -> None:
    lines = [
        Line(
            name := f"{kind}-{baud}-{number}",
            kind,
            baud,
            Pty(folder / f"{name}.link"),
            make_model(kind),
            time.monotonic(),
        )
        for kind, baud, count in FLOOR
        for number in range(1, count + 1)
    ]
    (folder / "table.toml").write_text(config(lines))
    daemon = subprocess.Popen(
        [sys.executable, "-m", "station.cli", "run", "-c", str(folder / "table.toml"),
         "--trace", str(folder / "commits")],
        stdout=subprocess.PIPE, stderr=(folder / "log").open("w"), text=True,
    )  # fmt: skip
    assert daemon.stdout is not None
    sys.stdout.write(daemon.stdout.readline())
    settle(lines)
    before, cpu, bare = memory(daemon.pid), cpu_seconds(daemon.pid), Bare(folder)
    bares: list[int] = []
    began = time.monotonic()
    feed(lines, began + seconds, share, bare, bares)
    took = time.monotonic() - began
    time.sleep(1.0)
    used, after = cpu_seconds(daemon.pid) - cpu, memory(daemon.pid)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(60)
    tell(folder, lines, took, used, bares)
    sys.stdout.write(f"memory: {before} before, {after} after\n")


def settle(lines: list[Line]) -> None:
    """The station sets its devices up before they read anything."""
    until = time.monotonic() + 3.0
    for line in lines:
        line.model.start(0)
    while time.monotonic() < until:
        for line in lines:
            line.answer()
            for piece in line.model.tick(line.now_ms()):
                os.write(line.pty.master, piece.data)
        time.sleep(0.005)


def feed(lines: list[Line], until: float, share: float, bare: Bare, bares: list[int]) -> None:
    """Each line carries its next message as soon as the one before has gone over it."""
    due = [(time.monotonic(), number) for number in range(len(lines))]
    heapq.heapify(due)
    measured = time.monotonic()
    while (now := time.monotonic()) < until:
        at, number = due[0]
        if at > now:
            time.sleep(min(at - now, 0.001))
            continue
        line = lines[number]
        data = line.next() if line.kind != "board" else b""
        if data:
            line.sent.append(line.pty.write(data))
        size = max(len(data), 10)
        heapq.heapreplace(
            due, (max(at, now - 0.1) + size * BITS_A_BYTE / line.baud / share, number)
        )
        if now - measured >= 0.1:
            measured = now
            bares.append(bare.once(b"AKH35\r"))


def tell(folder: Path, lines: list[Line], took: float, used: float, bares: list[int]) -> None:
    """The n-th message of a device is its n-th observation; the trace tells when it was stored."""
    commits = [(line["version"], line["committed_ns"]) for line in traced(folder / "commits")]
    seen: dict[str, list[int]] = {line.name: [] for line in lines}
    db = open_reader(folder / "journal.db")
    place = 0
    for row in rows(db, kind="Observed"):
        while commits[place][0] < row.seq:
            place += 1
        if isinstance(row.fact, Observed) and row.fact.saw == "card":
            seen[row.fact.device].append(commits[place][1])
    total = 0
    everything: list[int] = []
    for kind, baud, _count in FLOOR:
        samples: list[int] = []
        sent = 0
        for line in lines:
            if (line.kind, line.baud) != (kind, baud):
                continue
            sent += len(line.sent)
            stored = seen[line.name]
            total += len(stored)
            if len(stored) == len(line.sent):
                samples += [b - a for a, b in zip(line.sent, stored, strict=True)]
            else:
                sys.stdout.write(f"{line.name}: sent {len(line.sent)}, stored {len(stored)}\n")
        if samples:
            figures(f"{kind} at {baud}: last byte → fact committed", samples)
        everything += samples
    figures("all: last byte → fact committed", everything or [0])
    figures("bare: pty hop + one-row FULL commit", bares or [0])
    sys.stdout.write(
        f"{total} reads in {took:.1f} s: {total / took:.0f} a second; "
        f"CPU of the daemon {used:.1f} s, {used / took:.0%} of one core\n"
    )


if __name__ == "__main__":
    main()
