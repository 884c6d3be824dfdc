"""`hid-pos`: a USB barcode scanner set to HID point-of-sale, speaking in reports of 64 bytes.

A scan is input report 02: count, AIM identifier, up to 56 bytes, the vendor's letter for the
symbology, and a last byte of 1 when more follows. Output report 04 switches reading off and on,
starts a read and beeps; report FD carries the vendor's serial commands, whose answers come as
reports with the identifiers `]X0` and `]Z6`. While reading is off, cards pass unread.
"""

from __future__ import annotations

from collections.abc import Mapping

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import Fault, burst, double_read, number, text
from hw_sim.models.base import Piece
from hw_sim.models.textline import misread, suffix_bytes

SIZE = 64
_PREVENT, _START, _BAD, _GOOD = 0x02, 0x04, 0x20, 0x40
# The vendor's letters; what it has none for gets a question mark, as its own answers do.
_LETTERS = {"C": b"j", "A": b"b", "E": b"d", "I": b"e", "d": b"w", "Q": b"s"}
_NAME = (
    "Product Name: Virtual 1602g\r\nBoot Revision: : 8992\r\nSoftware Part Number: CW000082BBA\r\n"
    "Software Revision: 16345\r\nSerial Number: 15232B1F0C\r\nSupported IF: USB\r\n"
    "PCB Assembly ID: 000000\r\nEngine Firmware Type: N/A   Revision: N/A   Checksum: N/A\r\n"
)
_BETWEEN_MS = 2
_MS = "milliseconds"

FAULTS: dict[str, Fault] = {
    "double_read": double_read(ms=150),
    "burst": burst(ms=100),
    "half_code": Fault(
        "only the first characters of the code", "draw", {"keep": (3, "characters that come")}
    ),
    "bad_check": Fault("one character of the code is read wrong", "draw"),
    "foreign_symbology": Fault(
        "the code comes as one of another symbology", "draw", {"id": ("E0", "its AIM identifier")}
    ),
    "long_code": Fault(
        "a code too long for one report is read: the card's, and what fills it up",
        "draw",
        {"length": (60, "its characters"), "ms": (4, f"{_MS} between the reports")},
    ),
    "lost_report": Fault(
        "of a code in two reports the second is lost",
        "draw",
        {"length": (60, "its characters")},
    ),
    "aim_shifted": Fault(
        "the AIM identifier and the code stand one byte later, as in the other variant", "draw"
    ),
    "wrong_suffix": Fault(
        "the code ends otherwise than set",
        "draw",
        {"suffix": ("lf", "cr, lf, crlf, crcr, tab, etx or none")},
    ),
    "between": Fault("an answer of the scanner comes between two reports of a code", "draw"),
    "other_report": Fault(
        "a report with a number of its own comes", "now", {"number": (7, "its number")}
    ),
    "menu": Fault("a configuration barcode is scanned, and the scanner says so", "now"),
    "refuse": Fault(
        "from now on it knows no command", "now", {"with": (5, "5 unknown, 21 refused")}
    ),
    "mute": Fault("from now on it answers nothing, and goes on reading", "now"),
}


class HidPos:
    """One scanner. `suffix`: as it is set up; `aim`: its cards' symbology; `shifted`: it is of the
    variant with the AIM identifier one byte later. Raises CodeError for settings of no use.
    """

    kind = "hid-pos"
    records = SIZE
    wake_at_ms: int | None = None

    def __init__(self, suffix: str = "none", aim: str = "C0", *, shifted: bool = False) -> None:
        self.faults = FAULTS
        self._suffix = suffix_bytes(suffix)
        self._aim = _identifier(aim)
        self._shifted = shifted
        self._bits = 0
        self._beeps: list[str] = []
        self._status = 0x06
        self._mute = False

    def start(self, now_ms: int) -> list[Piece]:
        self._bits = 0
        self._beeps.clear()
        return []

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: Mapping[str, object] | None = None,
    ) -> list[Piece]:
        if self._bits & _PREVENT:
            return []
        self._bits &= ~_START
        given = params or {}
        code = card.code.encode("ascii")
        match fault:
            case "":
                return _pieces(self._read(code))
            case "double_read" | "burst":
                step, reads = number(given, "ms"), number(given, "times") + 1
                return _pieces(self._read(code) * reads, step)
            case "half_code":
                return _pieces(self._read(code[: number(given, "keep")]))
            case "bad_check":
                return _pieces(self._read(misread(card.code).encode("ascii")))
            case "foreign_symbology":
                return _pieces(self._reports(code, _identifier(text(given, "id"))))
            case "long_code":
                reports = self._reports(_long(code, given), self._aim)
                return _pieces(reports, number(given, "ms"))
            case "lost_report":
                return _pieces(self._reports(_long(code, given), self._aim)[:1])
            case "aim_shifted":
                return _pieces(_reports(code + self._suffix, self._aim, shifted=True))
            case "wrong_suffix":
                ending = suffix_bytes(text(given, "suffix"))
                return _pieces(_reports(code + ending, self._aim, shifted=self._shifted))
            case "between":
                parts = self._reports(_long(code, {"length": 60}), self._aim)
                answer = _reports(b"REVINF\x06.", b"Z6", shifted=self._shifted)
                return _pieces([parts[0], *answer, *parts[1:]])
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a HID-POS scanner")

    def do(self, fault: str, params: Mapping[str, object], now_ms: int) -> list[Piece]:
        match fault:
            case "other_report":
                return [Piece(0, bytes((number(params, "number"),)).ljust(SIZE, b"\0"))]
            case "menu":
                return _pieces(_reports(b"SUFBK2\x06.", b"Z6", shifted=self._shifted))
            case "refuse":
                self._status = number(params, "with")
            case "mute":
                self._mute = True
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a HID-POS scanner")
        return []

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return self.card(card, now_ms)

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        if data[:1] == b"\x04" and len(data) >= 2:
            self._switch(data[1])
        elif data[:1] == b"\xfd" and len(data) >= 2:
            return self._command(data[2 : 2 + data[1]])
        return []

    def tick(self, now_ms: int) -> list[Piece]:
        return []

    def state(self) -> dict[str, object]:
        return {
            "reading": not self._bits & _PREVENT,
            "started": bool(self._bits & _START),
            "beeps": list(self._beeps),
        }

    # --- what it is told ----------------------------------------------------------------------

    def _switch(self, bits: int) -> None:
        self._bits = bits & (_PREVENT | _START)
        for bit, beep in ((_GOOD, "good"), (_BAD, "bad")):
            if bits & bit:
                self._beep(beep)

    def _beep(self, beep: str) -> None:
        self._beeps = [*self._beeps[-19:], beep]

    def _command(self, stream: bytes) -> list[Piece]:
        match stream[:3]:
            case b"\x16\x07\r":
                self._beep("vendor")
            case b"\x16T\r":
                self._bits |= _START
            case b"\x16U\r":
                self._bits &= ~_START
            case b"\x16M\r" if not self._mute:
                return self._menu(stream[3:])
        return []

    def _menu(self, command: bytes) -> list[Piece]:
        name, mark = command[:-1], command[-1:]
        known = self._status == 0x06 and name == b"REVINF"
        status = 0x06 if known else self._status if self._status != 0x06 else 0x05
        echo = name + bytes((status,)) + mark
        told = _reports(_NAME.encode(), b"X0", shifted=self._shifted) if known else []
        return _pieces([*told, *_reports(echo, b"Z6", shifted=self._shifted)], _BETWEEN_MS)

    # --- what it says ---------------------------------------------------------------------------

    def _read(self, code: bytes) -> list[bytes]:
        return self._reports(code, self._aim)

    def _reports(self, code: bytes, aim: bytes) -> list[bytes]:
        return _reports(code + self._suffix, aim, shifted=self._shifted)


def _identifier(aim: str) -> bytes:
    if len(aim) != 2 or not aim.isascii() or not aim.isalnum():
        raise CodeError(f"aim {aim!r}: two characters, such as C0")
    return aim.encode("ascii")


def _long(code: bytes, params: Mapping[str, object]) -> bytes:
    return (code * SIZE)[: number(params, "length")]


def _reports(data: bytes, aim: bytes, *, shifted: bool) -> list[bytes]:
    room, gap = (55, b"\0") if shifted else (56, b"")
    parts = [data[at : at + room] for at in range(0, len(data), room)] or [b""]
    letter = _LETTERS.get(aim[:1].decode(), b"6" if aim == b"Z6" else b"?")
    return [
        b"\x02%c%b]%b" % (len(part), gap, aim)
        + part.ljust(room, b"\0")
        + letter
        + bytes((0, part is not parts[-1]))
        for part in parts
    ]


def _pieces(reports: list[bytes], step_ms: int = 0) -> list[Piece]:
    return [Piece(i * step_ms, report) for i, report in enumerate(reports)]
