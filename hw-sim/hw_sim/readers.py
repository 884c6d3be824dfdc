"""A reader under test: a virtual one of any kind, or the real one on its port.

Both are asked the same: have cards drawn, present the last again, say what was read. On real
hardware a person does what is asked for.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from hw_sim.children import Child, ChildError
from hw_sim.codes import decks
from hw_sim.control import ShoeControl
from hw_sim.faults import Fault
from hw_sim.models.registry import faults_of, kind_of, make_model
from hw_sim.scenario_table import toml_lines
from hw_sim.table_config import OPTIONS, UNCHECKED, UNCHECKED_KINDS, device_lines
from hw_sim.watching import Watch, WatchError

START_S = 20.0
DECK = tuple(card.face for card in decks(1, "A"))
HOW_TO_DRAW = "Take one deck in order: spades A to K, then hearts, diamonds, clubs."

# How long a device speaks of its own start and is set up, seconds.
START_UP_S = {"zebra-ssi": 3.0, "gm65": 2.0, "hid-pos": 0.5, "angel-eye": 0.5, "camera": 3.0}

# What a person at a shoe with power of its own does to it.
RESET = ("power_cycle",)
UP_S = 8.0

Ask = Callable[[str], None]


@dataclass(frozen=True)
class ReaderWanted:
    """`port`: of real hardware; "" for a virtual reader. `entry`: further keys of its entry in a
    table's file. `options`: of the virtual device. `stack`: the cards that come first.
    """

    name: str = "shoe"
    kind: str = "text-line"
    port: str = ""
    entry: dict[str, Any] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    wire: str = "perfect"
    stack: tuple[str, ...] = DECK
    card_s: float = 30.0


class Reader(Protocol):
    """What a test asks of a reader."""

    wanted: ReaderWanted
    watch: Watch
    real: bool

    def draw(self, count: int = 1) -> list[str]:
        """So many cards are drawn, one after another; their faces."""

    def again(self) -> None:
        """The last card is presented once more."""

    def cut_card(self) -> None:
        """The cut card comes."""

    def read(self, count: int) -> list[str]:
        """The faces read since the last time, once so many are there or time is over."""

    def close(self) -> None:
        """Let go of it."""


class _Base:
    def __init__(self, wanted: ReaderWanted) -> None:
        self.wanted = wanted
        self.place = Path(tempfile.mkdtemp(prefix="hw-sim-"))
        self.watch = Watch(self.place / "table.toml", wanted.name, wanted.port)
        self._taken = 0

    def read(self, count: int) -> list[str]:
        """See `Reader`."""
        return self.read_within(count, self.wanted.card_s * max(1, count))

    def read_within(self, count: int, seconds: float) -> list[str]:
        """The same, with another patience."""
        self.watch.wait(lambda: len(self.watch.cards) >= self._taken + count, seconds)
        new = self.watch.cards[self._taken :]
        self._taken += len(new)
        return new

    def reads(self, face: str, seconds: float) -> bool:
        """Whether that card is read in time, whatever else is read before it."""
        return self.watch.wait(lambda: face in self.watch.cards[self._taken :], seconds)

    def forget(self) -> None:
        """What was read up to now does not count any more."""
        self._taken = len(self.watch.cards)

    def _look(self, port: str) -> None:
        wanted = self.wanted
        entry = {"name": wanted.name, "kind": wanted.kind, "port": port, **wanted_entry(wanted)}
        text = '[table]\nid = "KIT"\nkind = "test"\n'
        text += UNCHECKED if wanted.kind in UNCHECKED_KINDS else ""
        self.watch.config.write_text(f"{text}\n[[devices]]\n{toml_lines(entry)}", encoding="utf-8")
        self.watch.port = port
        self.watch.start()


class VirtualReader(_Base):
    """A virtual reader with the cards of one deck in order. Raises ChildError or WatchError."""

    real = False

    def __init__(self, wanted: ReaderWanted) -> None:
        super().__init__(wanted)
        self.control = ShoeControl(self.place / "reader.sock")
        self._child: Child | None = None
        try:
            self._start()
        except (ChildError, WatchError):
            self.close()
            raise

    def draw(self, count: int = 1) -> list[str]:
        """Cards are drawn, no faster than the device can tell them."""
        pause = kind_of(self.wanted.kind).card_ms / 1000
        faces = []
        for number in range(count):
            if number and pause:
                time.sleep(pause)
            faces.append(str(self.control.ask("draw")["face"]) or "cut")
        return faces

    def again(self) -> None:
        """The last card once more."""
        self.control.ask("reread")

    def cut_card(self) -> None:
        """The cut card, now."""
        self.control.ask("fault", fault="cut")

    def fault(self, name: str, **params: object) -> dict[str, Any]:
        """A fault by name: at once, or at the next card."""
        return self.control.ask("fault", fault=name, **params)

    @property
    def given(self) -> list[str]:
        """The faces of all cards that have left its shoe."""
        return [str(code)[1:3] for code in self.control.ask("state")["given"]]

    @property
    def faults(self) -> dict[str, Fault]:
        """The faults it can suffer."""
        kind = self.wanted.kind
        return faults_of(kind_of(kind), make_model(kind))

    def recover(self) -> None:
        """Whatever is wrong with it is over: nothing lasts, and it is switched on anew."""
        self.control.ask("disarm")
        self.control.ask("clear")
        if kind_of(self.wanted.kind).own_power:
            if not self.control.ask("state")["plugged"]:
                self.control.ask("fault", fault="replug")
            for name in RESET:
                if name in self.faults:
                    self.control.ask("fault", fault=name)
        else:
            self.control.ask("fault", fault="replug")
        seen = len(self.watch.said)
        self.watch.wait(lambda: self._came_up(seen), UP_S)
        time.sleep(max(0.5, START_UP_S.get(self.wanted.kind, 0.0)))

    def _came_up(self, seen: int) -> bool:
        new = [line["health"] for line in self.watch.said[seen:] if line.get("what") == "health"]
        return new[-1] == "up" if new else False

    def close(self) -> None:
        """End both."""
        self.watch.stop()
        self.control.close()
        if self._child is not None:
            self._child.end()
        shutil.rmtree(self.place, ignore_errors=True)

    def _start(self) -> None:
        wanted, link = self.wanted, self.place / "reader"
        stack = self.place / "stack"
        stack.write_text("\n".join(wanted.stack), encoding="utf-8")
        command = [sys.executable, "-m", "hw_sim.cli", "shoe", "--kind", wanted.kind]
        command += ["--link", str(link), "--stack", str(stack), "--cut", "0", "--seed", "7"]
        command += ["--wire", wanted.wire, "--log", str(self.place / "truth.jsonl")]
        command += OPTIONS.get(wanted.kind, ())
        for name, value in wanted.options.items():
            command += ["--option", f"{name}={value}"]
        self._child = Child("reader", command, self.place)
        while not self._child.is_ready():
            if self._child.code is not None:
                raise ChildError(f"the virtual reader did not start:\n{self._child.last_lines()}")
            time.sleep(0.02)
        records = kind_of(wanted.kind).port != "serial"
        self._look(f"virtual:{link}" if records else str(link))
        # Its own start is over: what a device says of itself then is no read.
        time.sleep(START_UP_S.get(wanted.kind, 0.0))


class HardwareReader(_Base):
    """The real reader; a person does what `ask` says. `deck`: what is still to be drawn of it.

    Raises WatchError naming the port when a running table or another program has it.
    """

    real = True

    def __init__(self, wanted: ReaderWanted, ask: Ask, deck: list[str]) -> None:
        super().__init__(wanted)
        self._ask = ask
        self._deck = deck
        try:
            self._look(wanted.port)
        except WatchError:
            self.close()
            raise

    def draw(self, count: int = 1) -> list[str]:
        """Asks for the next cards of the deck."""
        if len(self._deck) < count:
            self._ask(f"The deck is through. {HOW_TO_DRAW} Begin again.")
            self._deck[:] = DECK
        faces = self._deck[:count]
        del self._deck[:count]
        self._ask(f"Draw, one after another: {' '.join(faces)}   ({HOW_TO_DRAW})")
        return faces

    def again(self) -> None:
        """Asks for the last card."""
        self._ask("Present the last card once more.")

    def cut_card(self) -> None:
        """Asks for the cut card."""
        self._ask("Draw the cut card.")

    def until(self, health: str, what: str, wait_s: float) -> bool:
        """Asks a person for something, and waits until the reader's health is that."""
        self._ask(what)
        return self.watch.wait(lambda: self.watch.health == health, wait_s)

    def close(self) -> None:
        """Let go of the port."""
        self.watch.stop()
        shutil.rmtree(self.place, ignore_errors=True)


def entry_of(config: Path, name: str) -> dict[str, Any]:
    """A device's entry in a table's file, its port too. Raises WatchError."""
    try:
        raw = tomllib.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WatchError(f"{config}: {error}") from error
    devices = raw.get("devices")
    for device in devices if isinstance(devices, list) else []:
        if isinstance(device, dict) and device.get("name") == name:
            return device
    raise WatchError(f"{config}: no [[devices]] with the name {name!r}")


def wanted_entry(wanted: ReaderWanted) -> dict[str, Any]:
    """What a reader's entry needs beside name, kind and port."""
    return {**tomllib.loads(device_lines(wanted.kind)), **wanted.entry}
