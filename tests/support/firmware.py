"""The example firmware of docs/firmware on this machine: its serial port a pseudo-terminal, its
buttons and lamps pipes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
import tty
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
FIRMWARE = ROOT / "docs" / "firmware"
SUPPORT = ROOT / "tests" / "support"
COMPILERS = ("c++", "g++", "clang++")
PRESS_MS = 60


@dataclass(frozen=True)
class Wiring:
    """Which pin is what: inputs by event, lamps by seat from 1, the light's three colours."""

    inputs: dict[str, int]
    brake: int
    lamps: tuple[int, ...]
    rgb: tuple[int, int, int]


ARDUINO = Wiring(
    {"help": 2, "cut_card": 3, "card_out": 4}, 5, (6, 7, 8, 12, 14, 15, 16), (9, 10, 11)
)
PICO = Wiring(
    {"help": 2, "cut_card": 3, "card_out": 6}, 7, (8, 9, 10, 11, 12, 13, 14), (16, 17, 18)
)


def compiler() -> str | None:
    """The host's C++ compiler, None when there is none."""
    return next((path for name in COMPILERS if (path := shutil.which(name))), None)


def build_arduino(directory: Path) -> list[str]:
    """Compile board.ino as the Arduino IDE would; the command that runs it."""
    command, arduino = compiler(), SUPPORT / "arduino"
    assert command is not None
    binary = directory / "board"
    flags = ["-std=gnu++11", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined,address"]
    include = ["-I", str(arduino), "-include", "Arduino.h"]
    sources = ["-x", "c++", str(FIRMWARE / "board.ino"), str(arduino / "pc.cpp")]
    subprocess.run([command, *flags, *include, *sources, "-o", str(binary)], check=True)
    return [str(binary)]


def micropython() -> list[str]:
    """The command that runs board.py under CPython."""
    shim = SUPPORT / "micropython" / "pc.py"
    return [sys.executable, "-W", "error", str(shim), str(FIRMWARE / "board.py")]


@dataclass
class Firmware:
    """A firmware that runs. `outputs`: each output pin and its value; `history`: every change."""

    command: list[str]
    wiring: Wiring
    outputs: dict[int, int] = field(default_factory=dict)
    history: list[tuple[int, int]] = field(default_factory=list)

    def __enter__(self) -> Firmware:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = Path(os.ttyname(self._slave))
        self._process = subprocess.Popen(
            [*self.command, str(self._master)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(self._master,),
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            assert self._process.wait(5) == 0, "the firmware ended with a fault"
        finally:
            self._process.kill()
            self._reader.join(5)
            self._process.stdout.close()
            os.close(self._master)
            os.close(self._slave)

    def do(self, what: str, params: dict[str, Any]) -> None:
        """What a person does: `press` a button, `card_out`, `badge`, `reboot`."""
        if what == "badge":
            self._order(f"uart {params.get('text', '04A2C9B1')}")
        elif what == "reboot":
            self._order("reset")
        else:
            pin = self.wiring.inputs[params.get("button", what)]
            self._order(f"press {pin} {PRESS_MS}")

    def _order(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            pin, value = line.split()
            self.outputs[int(pin)] = int(value)
            self.history.append((int(pin), int(value)))
