"""How long a card takes: `python -m tests.bench.latency [--cards 2000]`.

One real daemon on a real pty, one real console that paints, rounds played at full speed. For each
card: last byte written to the pty → fact committed → snapshot received by the console's client →
frame swapped. Beside it, alternating in the same run, the bare cost of the same disk and the same
kernel: one pty hop plus a one-row commit with synchronous=FULL. Prints p50, p99 and max.
Nothing here fails on a slow machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

from hw_sim.codes import decks
from tests.bench.lines import Lines

CONFIG = """
[table]
id = "BENCH"
kind = "test"
[rules]
betting_seconds = 600
decision_seconds = 600
insurance_seconds = 600
[[devices]]
name = "shoe"
port = "shoe.link"
"""


class Pty:
    """A raw pty whose slave is held open; `link` stands for its stable name."""

    def __init__(self, link: Path) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        link.symlink_to(os.ttyname(self.slave))

    def write(self, data: bytes) -> int:
        """Write; returns the monotonic ns just before the last byte went."""
        at = time.monotonic_ns()
        os.write(self.master, data)
        return at


class Bare:
    """The yardstick: a thread that reads a pty and commits one row, and does nothing else."""

    def __init__(self, folder: Path) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.db = sqlite3.connect(folder / "bare.db", isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, body TEXT)")
        self.done = threading.Event()
        self.at = 0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        poller = select.poll()
        poller.register(self.slave, select.POLLIN)
        while poller.poll():
            text = os.read(self.slave, 4096).decode()
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("INSERT INTO rows (body) VALUES (?)", (text * 20,))
            self.db.execute("COMMIT")
            self.at = time.monotonic_ns()
            self.done.set()

    def once(self, data: bytes) -> int:
        """Nanoseconds from the write to the commit."""
        self.done.clear()
        began = time.monotonic_ns()
        os.write(self.master, data)
        self.done.wait()
        return self.at - began


def shoe(number: int) -> Iterator[str]:
    """Codes of a shoe, in an order that depends on its number alone."""
    cards = [card.code for card in decks(8, "A")]
    random.Random(number).shuffle(cards)
    return iter(cards)


class Table:
    """Host, dealer and supervisor in one loop, as fast as the table lets them."""

    def __init__(self, socket: Path, pty: Pty) -> None:
        self.pty = pty
        self.host = Lines(socket, "host", "bench")
        self.dealer = Lines(socket, "console", "dealer")
        self.staff = Lines(socket, "staff", "desk")
        self.cards: Iterator[str] = iter(())
        self.shoes = 0
        self.written: list[tuple[int, int]] = []
        self.version = self.left = 0
        self.dealer.say({"do": "log_in", "staff": "1001", "pin": "1001"})
        self.staff.say({"do": "log_in", "staff": "2001", "pin": "2001"})
        for seat in (1, 3, 5, 7):
            self.host.say({"do": "take_seat", "seat": seat, "player": f"P{seat}"})

    def new_shoe(self) -> None:
        self.shoes += 1
        name = f"S{self.shoes}"
        version = self.staff.say({"do": "load_shoe", "shoe": name, "set": "A"})
        self.staff.say({"do": "release_shoe", "shoe": name, "expected_version": version})
        self.cards, self.left = shoe(self.shoes), 416

    def step(self) -> bool:
        """One thing that is due. True when it was a card."""
        for link in (self.host, self.dealer, self.staff):
            link.beat()
        seen = self.host.until(lambda now: now["version"] >= self.version)
        if seen["prompt"]["kind"] == "card":
            self.draw(seen)
            return True
        number = seen["round"]
        if seen["holds"]:
            raise SystemExit(f"the table holds: {seen['holds'][0]['what']['en']}")
        if seen["phase"] == "betting":
            self.version = self.host.say({"do": "close_betting", "round": number})
        elif seen["window"] is not None:
            self.decline(seen)
        elif seen["decision"] is not None:
            self.decide(seen)
        elif seen["phase"] == "result":
            self.version = self.dealer.say({"do": "cleared", "round": number})
        else:
            self.open(seen)
        return False

    def open(self, seen: dict) -> None:  # type: ignore[type-arg]
        if seen["shoe"]["state"] != "in_play" or self.left < 60:
            self.new_shoe()
        rules = seen["rules"]["fingerprint"]
        version = self.host.say({"do": "open_round", "rules": rules})
        number = self.host.until(lambda now: now["version"] >= version)["round"]
        for seat in (1, 3, 5, 7):
            bet = {"do": "place_bet", "seat": seat, "player": f"P{seat}", "amount": 5000}
            self.version = self.host.say({**bet, "round": number})

    def decline(self, seen: dict) -> None:  # type: ignore[type-arg]
        """Nobody buys insurance."""
        window = seen["window"]
        no = {"do": "insure", "round": seen["round"], "window": window["window"], "buy": False}
        for player in window["asked"]:
            self.version = self.host.say({**no, "player": player})

    def decide(self, seen: dict) -> None:  # type: ignore[type-arg]
        asked = seen["decision"]
        hand = seen["seats"][asked["seat"] - 1]["hands"][asked["hand"] - 1]
        self.version = self.host.say(
            {
                "do": "decide",
                "round": seen["round"],
                "decision": asked["decision"],
                "seat": asked["seat"],
                "hand": asked["hand"],
                "action": "hit" if hand["total"] < 15 else "stand",
            }
        )

    def draw(self, seen: dict) -> None:  # type: ignore[type-arg]
        before = seen["last_read"]["number"] if seen["last_read"] else 0
        code = next(self.cards).encode() + b"\r"
        self.left -= 1
        at = self.pty.write(code)
        now = self.host.until(lambda now: (now["last_read"] or {"number": 0})["number"] > before)
        self.written.append((now["version"], at))


def figures(name: str, samples: list[int]) -> dict[str, float]:
    """p50, p99 and max in milliseconds, printed."""
    ordered = sorted(samples)
    values = {
        "p50": ordered[len(ordered) // 2] / 1e6,
        "p99": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] / 1e6,
        "max": ordered[-1] / 1e6,
    }
    shown = "  ".join(f"{key} {value:8.3f}" for key, value in values.items())
    sys.stdout.write(f"{name:44} {shown}  ms  ({len(ordered)})\n")
    return values


def memory(pid: int) -> str:
    """Resident set of a process, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return f"{int(line.split()[1]) / 1024:.0f} MiB"
    return "?"


def traced(file: Path) -> list[dict[str, int]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.latency")
    parser.add_argument("--cards", type=int, default=2000)
    parser.add_argument("--dir", type=Path, default=None, help="the journal's disk")
    parser.add_argument("--no-console", action="store_true")
    parser.add_argument("--pace-ms", type=int, default=100, help="pause before each card")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.dir) as name:
        measure(Path(name), options.cards, options.pace_ms / 1000, console=not options.no_console)


def start(folder: Path, *, console: bool) -> list[subprocess.Popen[str]]:
    """The daemon, ready, and the console."""
    (folder / "table.toml").write_text(CONFIG)
    python = [sys.executable, "-m"]
    daemon = subprocess.Popen(
        [*python, "station.cli", "run", "-c", str(folder / "table.toml"),
         "--trace", str(folder / "commits")],
        stdout=subprocess.PIPE, stderr=(folder / "log").open("w"), text=True,
    )  # fmt: skip
    assert daemon.stdout is not None
    sys.stdout.write(daemon.stdout.readline())
    if not console:
        return [daemon]
    environment = dict(os.environ)
    if "DISPLAY" not in environment and "WAYLAND_DISPLAY" not in environment:
        environment |= {"QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software"}
    screen = subprocess.Popen(
        [*python, "ui", "--socket", str(folder / "table.sock"), "--name", "screen",
         "--trace", str(folder / "frames")],
        env=environment, text=True,
    )  # fmt: skip
    time.sleep(3)
    return [daemon, screen]


def measure(folder: Path, cards: int, pace: float, *, console: bool) -> None:
    """Play, then compare the three traces card by card."""
    pty, bare = Pty(folder / "shoe.link"), Bare(folder)
    children = start(folder, console=console)
    table = Table(folder / "table.sock", pty)
    bares: list[int] = []
    while len(table.written) < cards:
        if table.step():
            time.sleep(pace / 2)
            bares.append(bare.once(b"AKH35\r"))
            time.sleep(pace / 2)
    rss = [memory(child.pid) for child in children]
    for child in reversed(children):
        child.send_signal(signal.SIGTERM)
        child.wait(10)
    warm = cards // 20
    commits = {line["version"]: line["committed_ns"] for line in traced(folder / "commits")}
    written = table.written[warm:]
    sys.stdout.write(f"\n{len(written)} cards, {table.shoes} shoes\n")
    yard = figures("bare: pty hop + one-row FULL commit", bares[warm:])
    mine = figures("last byte → fact committed", [commits[version] - at for version, at in written])
    if console:
        frames = {line["version"]: line for line in traced(folder / "frames")}
        shown = [(frames[v], commits[v], at) for v, at in written if v in frames]
        figures("fact committed → snapshot received", [f["received_ns"] - c for f, c, _ in shown])
        figures(
            "snapshot received → frame swapped",
            [f["swapped_ns"] - f["received_ns"] for f, _, _ in shown],
        )
        figures("fact committed → frame swapped", [f["swapped_ns"] - c for f, c, _ in shown])
        figures("last byte → frame swapped", [f["swapped_ns"] - at for f, _, at in shown])
        sys.stdout.write(f"snapshots painted on their own: {len(shown)} of {len(written)}\n")
    sys.stdout.write(
        f"committed / bare: p50 {mine['p50'] / yard['p50']:.2f} (target 1.5), "
        f"p99 {mine['p99'] / yard['p99']:.2f} (target 2)\n"
    )
    sys.stdout.write(f"memory: daemon {rss[0]}" + (f", console {rss[1]}" if console else "") + "\n")


if __name__ == "__main__":
    main()
