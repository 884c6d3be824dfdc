"""Runs docs/firmware/board.py on a PC: modules `machine` and `micropython`, the ticks of `time`.

Arguments: the firmware, the descriptor that is the serial port. Standard input orders: `press PIN
MS` pulls an input to ground, bouncing 5 ms at both ends; `uart TEXT` is a line on UART 1; `reset`
starts it again. Standard output tells each change of an output: `PIN VALUE`.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

OUT = os.dup(1)
WRAP = 1 << 30


def ticks_ms() -> int:
    """MicroPython's clock goes round after about 12 days; here a second after the start."""
    return (time.monotonic_ns() // 1_000_000 - BEGAN - 1000) % WRAP


def ticks_diff(end: int, start: int) -> int:
    return (end - start + WRAP // 2) % WRAP - WRAP // 2


BEGAN = time.monotonic_ns() // 1_000_000


class Pins:
    """What the pins are, and the orders that change them."""

    def __init__(self) -> None:
        self.pressed: dict[int, tuple[int, int]] = {}
        self.shown: dict[int, int] = {}
        self.uart = b""
        self._orders = b""
        os.set_blocking(0, False)

    def obey(self) -> None:
        try:
            data = os.read(0, 1024)
        except BlockingIOError:
            return
        if not data:
            os._exit(0)
        self._orders += data
        while b"\n" in self._orders:
            order, _, self._orders = self._orders.partition(b"\n")
            words = order.decode().split()
            if words[0] == "press":
                self.pressed[int(words[1])] = (ticks_ms(), int(words[2]))
            elif words[0] == "uart":
                self.uart += words[1].encode() + b"\r\n"
            else:
                os.execv(sys.executable, sys.orig_argv)

    def level(self, pin: int) -> int:
        self.obey()
        at, lasts = self.pressed.get(pin, (0, 0))
        past = ticks_diff(ticks_ms(), at)
        if not 0 <= past < lasts:
            return 1
        bouncing = past < 5 or past + 5 >= lasts
        return past % 2 if bouncing else 0

    def show(self, pin: int, value: int) -> None:
        if self.shown.get(pin) != value:
            self.shown[pin] = value
            os.write(OUT, b"%d %d\n" % (pin, value))


PINS = Pins()


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int, mode: int = 1, pull: int = 0) -> None:
        self.number, self.mode = number, mode

    def value(self, value: object = None) -> int:
        if value is not None:
            PINS.show(self.number, int(bool(value)))
            return 0
        return PINS.level(self.number)


class PWM:
    def __init__(self, pin: Pin) -> None:
        self.pin = pin

    def freq(self, hertz: int) -> None:
        """Nobody sees it."""

    def duty_u16(self, duty: int) -> None:
        assert 0 <= duty <= 65535
        PINS.show(self.pin.number, duty // 257)


class UART:
    def __init__(self, number: int, baudrate: int) -> None:
        """It is UART 1."""

    def any(self) -> int:
        return len(PINS.uart)

    def read(self) -> bytes | None:
        data, PINS.uart = PINS.uart, b""
        return data or None


def main() -> None:
    """Give the firmware its machine and run it."""
    machine: Any = ModuleType("machine")
    machine.Pin, machine.PWM, machine.UART = Pin, PWM, UART
    micropython: Any = ModuleType("micropython")
    micropython.kbd_intr = lambda code: None
    sys.modules |= {"machine": machine, "micropython": micropython}
    clock: Any = time
    clock.ticks_ms, clock.ticks_diff = ticks_ms, ticks_diff
    clock.sleep_ms = lambda ms: time.sleep(ms / 1000)
    port = int(sys.argv[2])
    serial = os.fdopen(os.dup(port), "r+b", buffering=0)
    sys.stdin = SimpleNamespace(buffer=serial, fileno=lambda: port)
    sys.stdout = SimpleNamespace(buffer=serial)
    runpy.run_path(sys.argv[1])


main()
