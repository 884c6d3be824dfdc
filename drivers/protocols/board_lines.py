"""The lines of the board protocol: `$body*CCCC` and LF, see docs/board-protocol.md.

`CCCC` is the CRC-16 (polynomial 1021, start 0000, not reflected) of the body in upper-case hex. `$`
occurs nowhere else, so a line is found after any noise; a CR before the LF is let pass. What
does not begin with `$` is a firmware's chatter, or noise.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

BOARD_LIMIT = 120
STATION_LIMIT = 32

Fault = Literal["", "chatter", "garbage", "cut_off", "too_long", "bad_check"]


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 1021, start 0000, not reflected; of `123456789` it is 31C3."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ (0x11021 if crc & 0x8000 else 0)
    return crc


def line(body: str) -> bytes:
    """A whole line to the board."""
    data = body.encode("ascii")
    whole = b"$%b*%04X\n" % (data, crc16(data))
    assert len(whole) <= STATION_LIMIT
    return whole


class Cut(Struct, frozen=True):
    """One line as it was cut out of the bytes. `words` is empty when there is a fault."""

    raw: bytes
    words: tuple[str, ...] = ()
    fault: Fault = ""


class Cutter:
    """Bytes to lines. Holds at most one line of `BOARD_LIMIT` bytes."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[Cut]:
        """All lines that ended in these bytes, in order."""
        cuts: list[Cut] = []
        for byte in data:
            if byte == 0x24:
                self._end(cuts, whole=False)
                self._line.append(byte)
            elif byte == 0x0A:
                self._line.append(byte)
                self._end(cuts, whole=True)
            elif not self._skipping:
                self._line.append(byte)
                self._check_length(cuts)
        return cuts

    def drop(self) -> list[Cut]:
        """The line was cut: what is half received."""
        cuts: list[Cut] = []
        self._end(cuts, whole=False)
        return cuts

    def _check_length(self, cuts: list[Cut]) -> None:
        if len(self._line) >= BOARD_LIMIT:
            cuts.append(Cut(bytes(self._line), fault="too_long"))
            self._line.clear()
            self._skipping = True

    def _end(self, cuts: list[Cut], *, whole: bool) -> None:
        raw, skipped = bytes(self._line), self._skipping
        self._line.clear()
        self._skipping = False
        if not skipped and raw.strip(b"\r\n"):
            cuts.append(_judged(raw, whole=whole))


def _judged(raw: bytes, *, whole: bool) -> Cut:
    text = raw.removesuffix(b"\n").removesuffix(b"\r")
    if any(not 0x20 <= byte <= 0x7E for byte in text):
        return Cut(raw, fault="garbage")
    if text[:1] != b"$":
        return Cut(raw, fault="chatter")
    if not whole:
        return Cut(raw, fault="cut_off")
    body, star, check = text[1:].partition(b"*")
    if not star or check != b"%04X" % crc16(body):
        return Cut(raw, fault="bad_check")
    return Cut(raw, tuple(body.decode("ascii").split(" ")))
