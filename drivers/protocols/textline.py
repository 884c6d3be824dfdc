"""Text-line readers: barcode scanners and shoes that send one code a line.

The wire: `[STX] [AIM identifier] code terminator`. A terminator is any of CR, LF, TAB, ETX; CR LF,
CR CR and the like give an empty line more, and empty lines are nothing. So every suffix a scanner
can be set to works, also when it changes in mid-session.

Silence decides two things, by two times:

- `idle_ms` (2000): a line begun and not ended for so long is over. It is told as `incomplete` and
  is never joined to what comes after.
- `gap_ms` (60), only with `suffix = "none"`: after such a gap a text that is one whole code is
  taken; one that may still become a code is kept until `idle_ms`; any other is told at once. With
  `suffix = "any"` a text without terminator never becomes a card, whole or not.

Lines have no sequence numbers. A repeat cannot be told from a second read here, so every whole
code is a `CardRead`; and a line lost whole on the wire leaves no trace (the residual risk).

`raw` is the line from its first byte to the one terminator byte that ended it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from drivers.cardcode import CardCode, CutText, Reject
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    NoRead,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Command, Out

Suffix = Literal["any", "none"]
Aim = Literal["off"] | tuple[str, ...]

STX = 0x02
ENDS = frozenset(b"\r\n\t\x03")
LINE_LIMIT = 64
BAD_LINES = 5
CHECK_BAUD = "check_baud"

_MS = 1_000_000
_BURST = 20
_REFILL_NS = 200 * _MS


class TextLineSettings(Struct, frozen=True, kw_only=True):
    """How a text-line reader is set up.

    `aim`: which AIM symbology identifiers (`C0`, or `C` for any modifier) are good; `off`: the
    reader sends none and a line with one is refused. `aim_required` refuses a line without one.
    `good_beep`, `bad_beep`: the reader's own bytes for it, empty when it cannot.
    """

    suffix: Suffix = "any"
    aim: Aim = ("C0", "d1")
    aim_required: bool = False
    idle_ms: int = 2000
    gap_ms: int = 60
    good_beep: bytes = b""
    bad_beep: bytes = b""


class TextLine:
    """One reader's lines. Holds at most one line of `LINE_LIMIT` bytes."""

    def __init__(
        self, device: str, code: CardCode, settings: TextLineSettings | None = None
    ) -> None:
        self._device = device
        self._code = code
        self._settings = settings or TextLineSettings()
        self._beeps = {"good": self._settings.good_beep, "bad": self._settings.bad_beep}
        self._idle_ns = self._settings.idle_ms * _MS
        self._gap_ns = self._settings.gap_ms * _MS if self._settings.suffix == "none" else None
        self._voice = _Voice(device)
        self._line = bytearray()
        self._dirty = False
        self._held = False
        self._skipped: int | None = None
        self._skipped_ns = 0
        self._last_ns = 0

    def can(self, command: Command) -> bool:
        """Whether bytes for that sound are set."""
        return bool(self._beeps[command.sound])

    def send(self, command: Command, now_ns: int) -> Out:
        """The reader's bytes for that sound; none when it cannot."""
        return Out(write=self._beeps[command.sound], wake_at_ns=self._wake_at())

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came; every line that ended in them is told, in order."""
        seen = self._settle(now_ns)
        for byte in data:
            if byte in ENDS:
                self._end(byte, now_ns, seen)
            elif self._skipped is not None:
                self._skip(now_ns, seen)
            else:
                self._append(byte, now_ns, seen)
        if data:
            self._last_ns = now_ns
            self._held = False
        return self._out(seen)

    def tick(self, now_ns: int) -> Out:
        """Time passed: the idle rules."""
        return self._out(self._settle(now_ns))

    def reset(self, now_ns: int) -> Out:
        """The line was cut: a half line is told as `incomplete` and forgotten, and what was
        known of the line with it.
        """
        seen: list[AnyObservation] = []
        self._expire(seen)
        self._voice.forget(seen, now_ns)
        return self._out(seen)

    # --- framing ------------------------------------------------------------------------

    def _append(self, byte: int, now_ns: int, seen: list[AnyObservation]) -> None:
        first = not self._line
        self._line.append(byte)
        if not (0x20 <= byte <= 0x7E or (first and byte == STX)):
            self._dirty = True
        if len(self._line) - (self._line[0] == STX) > LINE_LIMIT:
            raw = bytes(self._line)
            self._clear()
            self._skipped, self._skipped_ns = 0, now_ns
            self._voice.unreadable(seen, "too_long", raw, now_ns)

    def _skip(self, now_ns: int, seen: list[AnyObservation]) -> None:
        # An endless line counts as a bad one each time it fills the limit again.
        assert self._skipped is not None
        self._skipped += 1
        if self._skipped % LINE_LIMIT == 0:
            self._voice.count_bad(seen, now_ns)

    def _end(self, byte: int, now_ns: int, seen: list[AnyObservation]) -> None:
        raw, dirty = bytes(self._line), self._dirty
        skipping = self._skipped is not None
        self._clear()
        if not skipping:
            self._judge(raw, bytes((byte,)), dirty, now_ns, seen)
        elif now_ns - self._skipped_ns >= self._idle_ns:
            # Told so long ago that a card at the end of it would seem to have left no trace.
            self._voice.unreadable(seen, "too_long", bytes((byte,)), now_ns)

    def _clear(self) -> None:
        self._line.clear()
        self._dirty = False
        self._held = False
        self._skipped = None

    # --- silence ------------------------------------------------------------------------

    def _settle(self, now_ns: int) -> list[AnyObservation]:
        seen: list[AnyObservation] = []
        if self._line or self._skipped is not None:
            quiet = now_ns - self._last_ns
            if self._gap_ns is not None and not self._held and quiet >= self._gap_ns:
                self._gap(seen)
            if quiet >= self._idle_ns:
                self._expire(seen)
        return seen

    def _gap(self, seen: list[AnyObservation]) -> None:
        text = _content(bytes(self._line))
        if not self._dirty and self._skipped is None and self._may_become_code(text):
            self._held = True
            return
        raw, dirty, skipping = bytes(self._line), self._dirty, self._skipped is not None
        self._clear()
        if not skipping:
            self._judge(raw, b"", dirty, self._last_ns, seen)

    def _may_become_code(self, text: str) -> bool:
        if text.startswith("]") and self._settings.aim != "off":
            text = text[3:]
        return self._code.begins(text) and self._code.parse(text) == Reject("not_a_card")

    def _expire(self, seen: list[AnyObservation]) -> None:
        raw, dirty = bytes(self._line), self._dirty
        self._clear()
        if dirty:
            self._voice.unreadable(seen, "garbage", raw, self._last_ns)
        elif raw:
            self._voice.no_read(seen, "incomplete", _content(raw), raw, self._last_ns)

    # --- judging ------------------------------------------------------------------------

    def _judge(
        self, line: bytes, end: bytes, dirty: bool, at_ns: int, seen: list[AnyObservation]
    ) -> None:
        raw = line + end
        if dirty:
            self._voice.unreadable(seen, "garbage", raw, at_ns)
            return
        text = _content(line)
        if not text:
            return
        code, reason = self._strip_aim(text)
        if reason:
            self._voice.no_read(seen, reason, text, raw, at_ns)
            return
        found = self._code.parse(code)
        if isinstance(found, Reject):
            self._voice.no_read(seen, found.reason, code, raw, at_ns)
        elif isinstance(found, CutText):
            self._voice.good(seen, CutCard(self._device, at_ns, raw, found.set, code))
        else:
            read = CardRead(
                self._device, at_ns, raw, found.face, found.set, found.deck, code, found.checked
            )
            self._voice.good(seen, read)

    def _strip_aim(self, text: str) -> tuple[str, str]:
        """The text without its AIM identifier, and why it is refused ("" if it is not)."""
        aim = self._settings.aim
        if not text.startswith("]"):
            missing = self._settings.aim_required and aim != "off"
            return text, "foreign_symbology" if missing else ""
        if len(text) < 4:
            return text, "not_a_card"
        symbology = text[1:3]
        if aim == "off" or (symbology not in aim and symbology[0] not in aim):
            return text, "foreign_symbology"
        return text[3:], ""

    def _out(self, seen: list[AnyObservation]) -> Out:
        return Out(tuple(seen), b"", self._wake_at())

    def _wake_at(self) -> int | None:
        if not self._line and self._skipped is None:
            return None
        if self._gap_ns is not None and not self._held:
            return self._last_ns + min(self._gap_ns, self._idle_ns)
        return self._last_ns + self._idle_ns


class _Voice:
    """How often a reader may complain.

    Each bad line is told, up to a burst of 20 and 5 a second. Beyond that, and after 5 unreadable
    lines in a row, the reader has a trouble, which says it for all of them until a code is read or
    the line is cut.
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self._bad = 0
        self._trouble = False
        self._left = _BURST
        self._filled_ns = 0

    def good(self, seen: list[AnyObservation], read: CardRead | CutCard) -> None:
        """A code was read: the line is all right."""
        self.forget(seen, read.at_ns)
        seen.append(read)

    def forget(self, seen: list[AnyObservation], at_ns: int) -> None:
        """Nothing is known against the line: it may be another one, or is all right."""
        self._bad = 0
        if self._trouble:
            self._trouble = False
            seen.append(TroubleOver(self._device, at_ns, b"", CHECK_BAUD))

    def unreadable(self, seen: list[AnyObservation], reason: str, raw: bytes, at_ns: int) -> None:
        """Bytes no set-up scanner sends."""
        self.no_read(seen, reason, _printable(raw), raw, at_ns)
        self.count_bad(seen, at_ns)

    def count_bad(self, seen: list[AnyObservation], at_ns: int) -> None:
        """One more unreadable line."""
        self._bad = min(self._bad + 1, BAD_LINES)
        if self._bad == BAD_LINES:
            self._raise(seen, at_ns, f"{BAD_LINES} unreadable lines in a row")

    def no_read(
        self, seen: list[AnyObservation], reason: str, text: str, raw: bytes, at_ns: int
    ) -> None:
        """Something passed that is no card."""
        if self._may_speak(at_ns):
            seen.append(NoRead(self._device, at_ns, raw, reason, text))
        else:
            self._raise(seen, at_ns, "too many lines that are no card's code")

    def _may_speak(self, at_ns: int) -> bool:
        refill = (at_ns - self._filled_ns) // _REFILL_NS
        if refill > 0:
            self._left = min(_BURST, self._left + refill)
            self._filled_ns += refill * _REFILL_NS
        if self._left <= 0:
            return False
        self._left -= 1
        return True

    def _raise(self, seen: list[AnyObservation], at_ns: int, why: str) -> None:
        if not self._trouble:
            self._trouble = True
            detail = f"{why}: check the reader's baud rate, parity and data bits"
            seen.append(Trouble(self._device, at_ns, b"", CHECK_BAUD, detail))


def _content(line: bytes) -> str:
    return _printable(line[1:] if line[:1] == b"\x02" else line)


def _printable(raw: bytes) -> str:
    text = raw.decode("ascii", "backslashreplace")
    return "".join(c if " " <= c <= "~" else f"\\x{ord(c):02x}" for c in text)
