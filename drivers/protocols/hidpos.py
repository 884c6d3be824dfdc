"""HID point-of-sale scanners: 64-byte reports with length and AIM identifier.

Sources: USB HID Point of Sale Usage Tables 1.02, page 8C; the report layout as Honeywell and
Access-IS print it in their manuals. Input report, number first:

    02  count  AIM[3]  data[56]  vendor's symbology  unused  1 if more follows

A variant has the AIM identifier, and with it the data, one byte later: which it is shows by where
the `]` stands, report by report. A code longer than one report comes in several, told together when
the last byte is 0; a first half whose rest does not come within `more_ms` is told as `incomplete`,
and what comes after it is never joined to it. A suffix (CR, LF, TAB) inside the data is taken off.

Output report `04`, one byte of bits: 02 reading prevented, 04 start a read, 20 bad beep, 40 good
beep. The bits that are states go with every beep, or the beep would undo them.

Honeywell (`vendor`): report `FD`, a length and the bytes of the vendor's serial commands. `REVINF.`
is asked at the start and as heartbeat; the answer comes as input reports with the identifiers `]X0`
(text) and `]Z6` (the command, 06 done, 05 unknown or 15 refused, and its mark), between the reports
of a code if need be.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from drivers.cardcode import CardCode
from drivers.observations import AnyObservation, Identified, Note, Trouble, TroubleOver
from drivers.protocols.base import Beep, Capability, Command, Flush, Frame, Out, Trigger, Wanted
from drivers.protocols.judge import CHECK_READER, Judge, Symbologies, printable

Vendor = Literal["honeywell", "none"]

SIZE = 64
SCAN = 0x02
OUTPUT = 0x04
VENDOR = 0xFD
FEATURE_TO_POS = b"\xfe\x01"
PREVENT, START, BAD, GOOD = 0x02, 0x04, 0x20, 0x40
SILENT = "silent"
# The identifiers of Honeywell's answers: their text, and their end.
ANSWERS = ("X0", "Z6")

_ASK = b"\x16M\rREVINF."
_DATA_END = 61
_PARTS = 4
_REPLY_PARTS = 16
_IDENTITY = 400
_SUFFIX = b"\r\n\t\x03"
_MS = 1_000_000
_FORGOTTEN_NS = 2000 * _MS


class HidPosSettings(Struct, frozen=True, kw_only=True):
    """How a HID-POS scanner is set up. `commands`: it takes output report 04. `heartbeat_s` 0: it
    is not asked again; `answer_ms`: how long an answer may take.
    """

    symbologies: Symbologies = Symbologies()
    vendor: Vendor = "none"
    commands: bool = True
    more_ms: int = 250
    heartbeat_s: int = 10
    answer_ms: int = 3000


class Report(Struct, frozen=True):
    """One input report with a part of a text. `aim` without its bracket."""

    aim: str
    data: bytes
    mark: int
    more: bool
    raw: bytes


def report_of(raw: bytes) -> Report | None:
    """The scan report in 64 bytes, None when it is none."""
    if raw[0] != SCAN or raw[SIZE - 1] > 1:
        return None
    for at in (2, 3):
        aim = raw[at + 1 : at + 3]
        if raw[at] == 0x5D and aim.isalnum() and aim[:1].isalpha():
            start = at + 3
            if start + raw[1] > _DATA_END:
                return None
            data = raw[start : start + raw[1]]
            return Report(aim.decode("ascii"), data, raw[61], raw[63] == 1, raw)
    return None


class HidPos:
    """One scanner's reports. Holds at most 4 reports of a code and 16 of an answer."""

    def __init__(self, device: str, code: CardCode, settings: HidPosSettings | None = None) -> None:
        self._device = device
        self._settings = settings or HidPosSettings()
        self._judge = Judge(device, code, self._settings.symbologies, CHECK_READER)
        self._more_ns = self._settings.more_ms * _MS
        self._frames: list[Frame] = []
        self._bytes = bytearray()
        self._parts: list[Report] = []
        self._part_ns = 0
        self._skipping = False
        self._skipped = 0
        self._skipped_ns = 0
        self._last_ns = 0
        self._told: bool | None = None
        self._bits = 0
        self._reply = bytearray()
        self._identity = ""
        self._refusal_told = False
        self._ask_at_ns: int | None = None
        self._asked_ns: int | None = None
        self._silent = False

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Beeps, trigger and enable by report 04; identity and heartbeat by the vendor's own."""
        able: set[Capability] = set()
        if self._settings.commands:
            able |= {"good_beep", "bad_beep", "trigger", "enable"}
        if self._settings.vendor == "honeywell":
            able.add("identity")
            if self._settings.heartbeat_s:
                able.add("heartbeat")
        return frozenset(able)

    def start(self, now_ns: int) -> Out:
        """Ask what it is."""
        self._forget()
        if self._settings.vendor == "none":
            return self._out([])
        return self._out([], (self._ask(now_ns),))

    def send(self, command: Command, now_ns: int) -> Out:
        """A beep, or the start or end of a read."""
        if not self._settings.commands or isinstance(command, Flush):
            return self._out([])
        if isinstance(command, Trigger):
            self._bits = self._bits & ~START | (START if command.on else 0)
            return self._out([], (bytes((OUTPUT, self._bits)),))
        assert isinstance(command, Beep)
        beep = GOOD if command.sound == "good" else BAD
        return self._out([], (bytes((OUTPUT, self._bits | beep)),))

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """Reading on or off."""
        if not self._settings.commands or wanted.reading == self._told:
            return self._out([])
        self._told = wanted.reading
        self._bits = 0 if wanted.reading else PREVENT
        return self._out([], (bytes((OUTPUT, self._bits)),))

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Reports came; every code that ended in them is told, in order."""
        seen, write = self._settle(now_ns)
        for byte in data:
            self._bytes.append(byte)
            if len(self._bytes) == SIZE:
                raw = bytes(self._bytes)
                self._bytes.clear()
                self._report(raw, now_ns, seen)
        if data:
            self._last_ns = now_ns
        return self._out(seen, write)

    def tick(self, now_ns: int) -> Out:
        """Time passed: a half code is told, the heartbeat asked and missed."""
        return self._out(*self._settle(now_ns))

    def reset(self, now_ns: int) -> Out:
        """The line was cut: a half code is told as `incomplete` and forgotten."""
        seen: list[AnyObservation] = []
        self._expire(seen)
        self._judge.forget(seen, now_ns)
        self._heard(seen, now_ns)
        self._forget()
        return self._out(seen)

    # --- reports ------------------------------------------------------------------------

    def _report(self, raw: bytes, now_ns: int, seen: list[AnyObservation]) -> None:
        report = report_of(raw)
        if report is None:
            self._frames.append(Frame("report", raw, "no scan report"))
            self._spoil(seen)
            self._skip(now_ns, more=raw[SIZE - 1] != 0)
            self._judge.unreadable(seen, "garbage", raw, now_ns)
            return
        self._heard(seen, now_ns)
        self._frames.append(Frame(f"report ]{report.aim}{', more follows' * report.more}", raw))
        if self._settings.vendor == "honeywell" and report.aim in ANSWERS:
            self._answer(report, now_ns, seen)
        else:
            self._scan(report, now_ns, seen)

    def _scan(self, report: Report, now_ns: int, seen: list[AnyObservation]) -> None:
        if self._skipping:
            self._skipped_one(report, now_ns, seen)
            return
        first = self._parts[0] if self._parts else report
        if (first.aim, first.mark) != (report.aim, report.mark):
            self._spoil(seen)
        self._parts.append(report)
        self._part_ns = now_ns
        if len(self._parts) > _PARTS:
            raw = b"".join(part.raw for part in self._parts)
            self._parts.clear()
            self._skip(now_ns, more=report.more)
            self._judge.unreadable(seen, "too_long", raw, now_ns)
        elif not report.more:
            self._whole(now_ns, seen)

    def _skip(self, now_ns: int, *, more: bool) -> None:
        """What follows is of the same code, which is told just now."""
        self._skipping, self._skipped, self._skipped_ns = more, 0, now_ns

    def _skipped_one(self, report: Report, now_ns: int, seen: list[AnyObservation]) -> None:
        self._skipping = report.more
        self._skipped += 1
        if not report.more and now_ns - self._skipped_ns >= _FORGOTTEN_NS:
            # Told so long ago that a card at the end of it would seem to have left no trace.
            self._judge.unreadable(seen, "too_long", report.raw, now_ns)
        elif self._skipped % _PARTS == 0:
            # An endless code counts as a bad one each time it fills the limit again.
            self._judge.count_bad(seen, now_ns)

    def _whole(self, now_ns: int, seen: list[AnyObservation]) -> None:
        raw = b"".join(part.raw for part in self._parts)
        data = b"".join(part.data for part in self._parts)
        aim = self._parts[0].aim
        self._parts.clear()
        self._bits &= ~START
        text = data.removeprefix(b"\x02").rstrip(_SUFFIX)
        if all(0x20 <= byte <= 0x7E for byte in text):
            self._judge.text(seen, text.decode("ascii"), raw, now_ns, symbology=aim)
        else:
            self._judge.unreadable(seen, "garbage", raw, now_ns)

    def _spoil(self, seen: list[AnyObservation]) -> None:
        """What came so far of a code is all that will."""
        if self._parts:
            raw = b"".join(part.raw for part in self._parts)
            text = printable(b"".join(part.data for part in self._parts))
            self._parts.clear()
            self._judge.no_read(seen, "incomplete", text, raw, self._part_ns)

    # --- the vendor's answers -------------------------------------------------------------

    def _ask(self, now_ns: int) -> bytes:
        self._asked_ns, self._ask_at_ns = now_ns, None
        self._reply.clear()
        return bytes((VENDOR, len(_ASK))) + _ASK

    def _answer(self, report: Report, now_ns: int, seen: list[AnyObservation]) -> None:
        if report.aim == "X0":
            if self._asked_ns is None:
                # Nobody asked: some symbologies bear that identifier, too.
                text = printable(report.data)
                self._judge.no_read(seen, "foreign_symbology", text, report.raw, now_ns)
            if len(self._reply) < _REPLY_PARTS * SIZE:
                self._reply += report.data
            return
        text = printable(bytes(self._reply).strip().replace(b"\r\n", b"; "))[:_IDENTITY]
        self._reply.clear()
        if not report.data.startswith(b"REVINF") or self._asked_ns is None:
            # A configuration barcode was scanned, or another program asked.
            detail = f"{printable(report.data)} {text}".strip()
            seen.append(Note(self._device, now_ns, report.raw, "menu", detail))
            return
        self._asked_ns = None
        if self._settings.heartbeat_s:
            self._ask_at_ns = now_ns + self._settings.heartbeat_s * 1000 * _MS
        if report.data[6:7] != b"\x06":
            self._refused(report.raw, now_ns, seen)
        elif text != self._identity:
            self._identity = text
            seen.append(Identified(self._device, now_ns, report.raw, text))

    def _refused(self, raw: bytes, now_ns: int, seen: list[AnyObservation]) -> None:
        """It lives and does not say what it is: told once."""
        if not self._refusal_told:
            self._refusal_told = True
            seen.append(Note(self._device, now_ns, raw, "identity_refused"))

    def _heard(self, seen: list[AnyObservation], now_ns: int) -> None:
        if self._asked_ns is not None:
            # It lives, if it is too busy with a card to answer.
            self._asked_ns = now_ns
        if self._silent:
            self._silent = False
            seen.append(TroubleOver(self._device, now_ns, b"", SILENT))

    # --- time ---------------------------------------------------------------------------

    def _settle(self, now_ns: int) -> tuple[list[AnyObservation], tuple[bytes, ...]]:
        seen: list[AnyObservation] = []
        if self._waits() and now_ns - self._last_ns >= self._more_ns:
            self._expire(seen)
        if self._asked_ns is not None and now_ns - self._asked_ns >= self._answer_ns():
            self._unanswered(now_ns, seen)
        if self._ask_at_ns is not None and now_ns >= self._ask_at_ns:
            return seen, (self._ask(now_ns),)
        return seen, ()

    def _unanswered(self, now_ns: int, seen: list[AnyObservation]) -> None:
        self._asked_ns = None
        if not self._settings.heartbeat_s:
            self._refused(b"", now_ns, seen)
            return
        self._ask_at_ns = now_ns
        if not self._silent:
            self._silent = True
            detail = "the scanner does not answer what it is"
            seen.append(Trouble(self._device, now_ns, b"", SILENT, detail))

    def _expire(self, seen: list[AnyObservation]) -> None:
        self._spoil(seen)
        self._skipping = False
        if self._bytes:
            self._judge.unreadable(seen, "garbage", bytes(self._bytes), self._last_ns)
            self._bytes.clear()

    def _waits(self) -> bool:
        return bool(self._parts or self._bytes or self._skipping)

    def _forget(self) -> None:
        self._told = None
        self._bits = 0
        self._reply.clear()
        self._identity = ""
        self._refusal_told = False
        self._asked_ns = self._ask_at_ns = None

    def _answer_ns(self) -> int:
        return self._settings.answer_ms * _MS

    def _out(self, seen: list[AnyObservation], write: tuple[bytes, ...] = ()) -> Out:
        frames, self._frames = tuple(self._frames), []
        return Out(tuple(seen), write, self._wake_at(), frames)

    def _wake_at(self) -> int | None:
        times = [self._ask_at_ns]
        if self._waits():
            times.append(self._last_ns + self._more_ns)
        if self._asked_ns is not None:
            times.append(self._asked_ns + self._answer_ns())
        return min((at for at in times if at is not None), default=None)
