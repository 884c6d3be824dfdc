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

from drivers.badge import carries_badge
from drivers.cardcode import CardCode
from drivers.observations import AnyObservation
from drivers.protocols.base import Beep, Capability, Command, Frame, Out, Wanted
from drivers.protocols.hangul import bytes_look_hangul
from drivers.protocols.judge import Judge, Symbologies, printable

Suffix = Literal["any", "none"]

STX = 0x02
ENDS = frozenset(b"\r\n\t\x03")
LINE_LIMIT = 64

_MS = 1_000_000


class TextLineSettings(Struct, frozen=True, kw_only=True):
    """How a text-line reader is set up.

    `good_beep`, `bad_beep`: the reader's own bytes for it, empty when it cannot.
    """

    suffix: Suffix = "any"
    symbologies: Symbologies = Symbologies()
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
        self._settings = settings or TextLineSettings()
        self._beeps = {"good": self._settings.good_beep, "bad": self._settings.bad_beep}
        self._idle_ns = self._settings.idle_ms * _MS
        self._gap_ns = self._settings.gap_ms * _MS if self._settings.suffix == "none" else None
        self._judge = Judge(device, code, self._settings.symbologies)
        self._frames: list[Frame] = []
        self._line = bytearray()
        self._dirty = False
        self._held = False
        self._skipped: int | None = None
        self._skipped_ns = 0
        self._last_ns = 0

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The sounds for which bytes are set; a plain line can do nothing else."""
        able: set[Capability] = set()
        if self._beeps["good"]:
            able.add("good_beep")
        if self._beeps["bad"]:
            able.add("bad_beep")
        return frozenset(able)

    def start(self, now_ns: int) -> Out:
        """Nothing to set up."""
        return Out(wake_at_ns=self._wake_at())

    def send(self, command: Command, now_ns: int) -> Out:
        """The reader's bytes for a sound; none when it cannot."""
        data = self._beeps[command.sound] if isinstance(command, Beep) else b""
        return Out(write=(data,) if data else (), wake_at_ns=self._wake_at())

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """It can be told nothing."""
        return Out(wake_at_ns=self._wake_at())

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
        self._judge.forget(seen, now_ns)
        return self._out(seen)

    def cut(self, now_ns: int) -> Out:
        """The line ends here, without an end of its own: told as after a silence."""
        seen = self._settle(now_ns)
        self._expire(seen)
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
            self._judge.unreadable(seen, "too_long", raw, now_ns)
            self._frames.append(Frame("line", raw, "longer than any code"))

    def _skip(self, now_ns: int, seen: list[AnyObservation]) -> None:
        # An endless line counts as a bad one each time it fills the limit again.
        assert self._skipped is not None
        self._skipped += 1
        if self._skipped % LINE_LIMIT == 0:
            self._judge.count_bad(seen, now_ns)

    def _end(self, byte: int, now_ns: int, seen: list[AnyObservation]) -> None:
        raw, dirty = bytes(self._line), self._dirty
        skipping = self._skipped is not None
        self._clear()
        if not skipping:
            self._whole(raw, bytes((byte,)), dirty, now_ns, seen)
        elif now_ns - self._skipped_ns >= self._idle_ns:
            # Told so long ago that a card at the end of it would seem to have left no trace.
            self._judge.unreadable(seen, "too_long", bytes((byte,)), now_ns)

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
        if not self._dirty and self._skipped is None and self._judge.may_become_code(text):
            self._held = True
            return
        raw, dirty, skipping = bytes(self._line), self._dirty, self._skipped is not None
        self._clear()
        if not skipping:
            self._whole(raw, b"", dirty, self._last_ns, seen)

    def _expire(self, seen: list[AnyObservation]) -> None:
        raw, dirty = bytes(self._line), self._dirty
        self._clear()
        if dirty:
            self._judge.unreadable(seen, _why_dirty(raw), raw, self._last_ns)
            self._frames.append(Frame("line", raw, "bytes no scanner sends, and no end"))
        elif raw:
            self._judge.no_read(seen, "incomplete", _content(raw), raw, self._last_ns)
            self._frames.append(Frame("line", raw, "it has no end"))

    # --- judging ------------------------------------------------------------------------

    def _whole(
        self, line: bytes, end: bytes, dirty: bool, at_ns: int, seen: list[AnyObservation]
    ) -> None:
        raw = line + end
        text = _content(line)
        if dirty:
            self._judge.unreadable(seen, _why_dirty(line), raw, at_ns)
            self._frames.append(Frame("line", raw, "bytes no scanner sends"))
        elif text:
            self._judge.text(seen, text, raw, at_ns)
            # What a badge carries is not shown.
            badge = carries_badge(text)
            self._frames.append(Frame("badge", b"") if badge else Frame("line", raw))

    def _out(self, seen: list[AnyObservation]) -> Out:
        frames, self._frames = tuple(self._frames), []
        return Out(tuple(seen), (), self._wake_at(), frames)

    def _wake_at(self) -> int | None:
        if not self._line and self._skipped is None:
            return None
        if self._gap_ns is not None and not self._held:
            return self._last_ns + min(self._gap_ns, self._idle_ns)
        return self._last_ns + self._idle_ns


def _content(line: bytes) -> str:
    return printable(line[1:] if line[:1] == b"\x02" else line)


def _why_dirty(line: bytes) -> str:
    """A program that hands on what a scanner typed in Hangul mode sends Korean text."""
    return "hangul" if bytes_look_hangul(line) else "garbage"
