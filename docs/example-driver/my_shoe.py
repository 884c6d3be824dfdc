"""A driver for a shoe of one's own, whole: `kind = "my-shoe"`.

The wire of this imaginary shoe: `#`, a draw number 0-9, rank and suit, a check digit, `*`. The
check digit is the sum of the bytes between `#` and itself, modulo 10. A draw may be sent twice.

    #0KH5*      draw 0, king of hearts
    #1..1*      draw 1, a card it could not read
"""

from __future__ import annotations

import re
from typing import Literal

from drivers.observations import AnyObservation, CardRead, NoRead, Trouble, TroubleOver
from drivers.protocols.base import Capability, Command, DeviceProtocol, Frame, Out, Wanted
from drivers.specs import Apart, DeviceSpec, Kind, serial_port
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings

BEGIN, END, LENGTH = ord("#"), ord("*"), 6
SILENCE_NS = 1_000_000_000
MESSAGE = re.compile(rb"#([0-9])([A23456789TJQK][SHDC]|\.\.)([0-9])\*")


def check_digit(body: bytes) -> int:
    """The check of the bytes between `#` and itself."""
    return sum(body) % 10


class MyShoe:
    """The protocol: bytes and time in, observations out; it opens nothing and reads no clock."""

    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, device: str) -> None:
        self._device = device
        self._message = bytearray()
        self._last_ns = 0
        self._draw = b""

    def start(self, now_ns: int) -> Out:
        """Nothing has to be set up."""
        return Out()

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Whole messages become observations; a half one waits for its rest."""
        seen, frames = list(self._expire(now_ns)), []
        for byte in data:
            if byte == BEGIN and self._message:
                # Something passed there, and what it was cannot be told any more.
                seen.append(self._half(now_ns))
            self._message.append(byte)
            if byte == END or len(self._message) > LENGTH:
                raw = bytes(self._message)
                self._message.clear()
                frames.append(Frame("draw", raw))
                seen += self._judge(raw, now_ns)
        if data:
            self._last_ns = now_ns
        return Out(tuple(seen), wake_at_ns=self._wake(), frames=tuple(frames))

    def tick(self, now_ns: int) -> Out:
        """A message that stops half-way is told, and never joined to the next."""
        return Out(tuple(self._expire(now_ns)), wake_at_ns=self._wake())

    def send(self, command: Command, now_ns: int) -> Out:
        """It can be told nothing."""
        return Out(wake_at_ns=self._wake())

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """It can be told nothing."""
        return Out(wake_at_ns=self._wake())

    def reset(self, now_ns: int) -> Out:
        """The line was cut."""
        self._last_ns = now_ns - SILENCE_NS
        return Out(tuple(self._expire(now_ns)))

    def _judge(self, raw: bytes, now_ns: int) -> list[AnyObservation]:
        found = MESSAGE.fullmatch(raw)
        if found is None:
            return [NoRead(self._device, now_ns, raw, "garbage")]
        draw, face, check = found.groups()
        if check_digit(raw[1:-2]) != int(check):
            return [NoRead(self._device, now_ns, raw, "bad_check")]
        # The same draw told twice is one card.
        told, resent, self._draw = self._missed(raw, int(draw), now_ns), raw == self._draw, raw
        if face == b"..":
            return [*told, NoRead(self._device, now_ns, raw, "unread")]
        text = raw.decode()
        card = CardRead(self._device, now_ns, raw, face.decode(), "", 0, text, True, resent, True)
        return [*told, card]

    def _missed(self, raw: bytes, draw: int, now_ns: int) -> list[AnyObservation]:
        """A number left out: a card may have gone by. Told and over at once, so a person looks."""
        if not self._draw or raw == self._draw or draw == (int(self._draw[1:2]) + 1) % 10:
            return []
        detail = f"draw {draw} after draw {self._draw[1:2].decode()}"
        trouble = Trouble(self._device, now_ns, raw, "missed_reports", detail)
        return [trouble, TroubleOver(self._device, now_ns, raw, "missed_reports")]

    def _expire(self, now_ns: int) -> list[AnyObservation]:
        if not self._message or now_ns - self._last_ns < SILENCE_NS:
            return []
        return [self._half(self._last_ns)]

    def _half(self, at_ns: int) -> NoRead:
        raw = bytes(self._message)
        self._message.clear()
        return NoRead(self._device, at_ns, raw, "incomplete")

    def _wake(self) -> int | None:
        return self._last_ns + SILENCE_NS if self._message else None


class MyShoeSpec(DeviceSpec, frozen=True, kw_only=True):
    """What a table's file may say of it, beside name, port, role and usb."""

    kind: Literal["my-shoe"] = "my-shoe"
    baud: Literal[9600, 19200] = 9600

    @property
    def apart(self) -> Apart:
        """It numbers its draws."""
        return "number"


def make(spec: MyShoeSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    return serial_port(spec, SerialSettings(path=spec.port, baud=spec.baud)), MyShoe(spec.name)


KIND = Kind("my-shoe", "the shoe of the example", MyShoeSpec, make)
