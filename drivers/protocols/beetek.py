"""Bee-Tek card shoes: text records ` [Mode]<Body> `.

Brackets alone make a record; spaces and line ends around it may be there or not. A record comes in
one breath: a bracket that opens another, a line end or a silence of `idle_ms` (200) in it ends it
as `incomplete`, and no later byte is ever joined to it. A body without its mode is no card.

    [Game]<Card:4S>                  a card; T or 10; any mode, one that is not known is noted
    [Game]<Game>                     a card that was not read (the mode is repeated)
    [Game]<Alarm:E3 Card Not Read>   an alarm; mode GameAlarm too. Over with the next card
    <W0x01>                          a warning, with a mode or without

Some shoes write a card's characters once more after its record: that is an echo, never a card.

A record has neither check nor number. A repeat cannot be told from a second card of the same face
here, a misread character can make another card, and a record lost whole leaves no trace.
"""

from __future__ import annotations

import re

from msgspec import Struct

from drivers.cardcode import CardCode
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Capability, Command, Frame, Out, Wanted
from drivers.protocols.judge import Judge, Symbologies, printable

RECORD_LIMIT = 96
MODES = frozenset({"Game", "GameAlarm", "Manual Burn Cards"})
ALARM_MODE = "GameAlarm"
NOT_READ = "alarm_e3"

_MS = 1_000_000
_CARD = re.compile(r"(10|[2-9TJQKA])([CDHS])")
_ALARM = re.compile(r"E[0-9]{1,3}\b")
_WARNING = re.compile(r"W0x[0-9A-Fa-f]{1,8}")
_SPACES = frozenset(b" \t")
_LINE_ENDS = frozenset(b"\r\n")


class BeeTekSettings(Struct, frozen=True, kw_only=True):
    """`idle_ms`: a silence that ends a record begun. `cut_card`: the body that means the cut card,
    "" when the shoe sends none. `harmless`: bodies that are only noted.
    """

    idle_ms: int = 200
    cut_card: str = ""
    harmless: tuple[str, ...] = ()


class BeeTek:
    """One shoe. Holds at most one record of `RECORD_LIMIT` bytes."""

    def __init__(self, device: str, settings: BeeTekSettings | None = None) -> None:
        self._device = device
        self._settings = settings or BeeTekSettings()
        self._idle_ns = self._settings.idle_ms * _MS
        # It keeps how often a bad record may be told; it is never given a code to judge.
        self._judge = Judge(device, CardCode.from_template(), Symbologies())
        self._frames: list[Frame] = []
        self._kept = bytearray()
        self._last_ns = 0
        self._echo = ""
        self._echo_ns = 0
        self._alarms: dict[str, None] = {}

    @property
    def capabilities(self) -> frozenset[Capability]:
        """It only talks."""
        return frozenset()

    def start(self, now_ns: int) -> Out:
        """Nothing to set up."""
        return self._out([])

    def send(self, command: Command, now_ns: int) -> Out:
        """It hears nothing."""
        return self._out(self._settle(now_ns))

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """It can be told nothing."""
        return self._out(self._settle(now_ns))

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came; every record that ended in them is told, in order."""
        seen = self._settle(now_ns)
        for byte in data:
            self._push(byte, now_ns, seen)
            self._last_ns = now_ns
        return self._out(seen)

    def tick(self, now_ns: int) -> Out:
        """Time passed: what is half received is over."""
        return self._out(self._settle(now_ns))

    def reset(self, now_ns: int) -> Out:
        """The line was cut: a half record is told and forgotten, and what was known of the line."""
        seen: list[AnyObservation] = []
        self._end(seen)
        self._echo = ""
        self._judge.forget(seen, now_ns)
        return self._out(seen)

    # --- framing --------------------------------------------------------------------------

    def _settle(self, now_ns: int) -> list[AnyObservation]:
        seen: list[AnyObservation] = []
        if self._kept and now_ns - self._last_ns >= self._idle_ns:
            self._end(seen)
        return seen

    def _out(self, seen: list[AnyObservation]) -> Out:
        frames, self._frames = tuple(self._frames), []
        wake = self._last_ns + self._idle_ns if self._kept else None
        return Out(tuple(seen), (), wake, frames)

    def _push(self, byte: int, now_ns: int, seen: list[AnyObservation]) -> None:
        kept = self._kept
        record = self._in_record()
        in_body = record and b"<" in kept
        between = record and not in_body and b"]" in kept
        opens = byte == ord("[") or (byte == ord("<") and not between)
        strays = between and byte not in _SPACES and byte != ord("<")
        if opens or strays or byte in _LINE_ENDS:
            self._end(seen)
        if byte in _LINE_ENDS or (not kept and byte in _SPACES):
            return
        kept.append(byte)
        if byte == ord(">") and in_body:
            raw = bytes(kept)
            kept.clear()
            self._whole(raw, now_ns, seen)
        elif len(kept) >= RECORD_LIMIT:
            raw = bytes(kept)
            kept.clear()
            self._frames.append(Frame("text", raw, "longer than any record"))
            self._judge.unreadable(seen, "too_long", raw, now_ns)

    def _in_record(self) -> bool:
        return self._kept.startswith((b"[", b"<"))

    def _end(self, seen: list[AnyObservation]) -> None:
        """What is kept will not become a record."""
        raw = bytes(self._kept)
        in_record, at_ns = self._in_record(), self._last_ns
        self._kept.clear()
        if not raw:
            return
        if in_record:
            self._frames.append(Frame("record", raw, "it has no end"))
            self._judge.unreadable(seen, "incomplete", raw, at_ns)
        elif self._is_echo(raw, at_ns):
            self._echo = ""
            self._frames.append(Frame("echo", raw))
            seen.append(Note(self._device, at_ns, raw, "echo", printable(raw)))
        else:
            self._frames.append(Frame("text", raw, "it belongs to no record"))
            self._judge.unreadable(seen, "garbage", raw, at_ns)

    def _is_echo(self, raw: bytes, at_ns: int) -> bool:
        soon = at_ns - self._echo_ns < self._idle_ns
        return soon and printable(raw.strip(b" \t")) in _spellings(self._echo)

    # --- what a record says ---------------------------------------------------------------

    def _whole(self, raw: bytes, at_ns: int, seen: list[AnyObservation]) -> None:
        self._echo = ""
        if not all(0x20 <= byte <= 0x7E for byte in raw):
            self._frames.append(Frame("record", raw, "bytes no shoe sends"))
            self._judge.unreadable(seen, "garbage", raw, at_ns)
            return
        head, _, rest = raw.decode("ascii").partition("<")
        mode, body = head.strip(" \t[]").strip(), rest[:-1].strip()
        if _WARNING.fullmatch(body):
            self._note(raw, at_ns, seen, "warning", body)
        elif body.startswith("Alarm:") or (mode == ALARM_MODE and body not in (mode, "")):
            self._alarm(body, raw, at_ns, seen)
        elif not mode:
            self._frames.append(Frame("record", raw, "its mode is missing"))
            self._judge.unreadable(seen, "incomplete", raw, at_ns)
        else:
            self._said(mode, body, raw, at_ns, seen)

    def _said(
        self, mode: str, body: str, raw: bytes, at_ns: int, seen: list[AnyObservation]
    ) -> None:
        self._judge.forget(seen, at_ns)
        if mode not in MODES:
            seen.append(Note(self._device, at_ns, raw, "unknown_mode", mode))
        if body.startswith("Card:"):
            self._card(body[5:].strip(), raw, at_ns, seen)
        elif body == mode:
            self._frames.append(Frame("not read", raw))
            self._judge.no_read(seen, "unread", body, raw, at_ns)
        elif self._settings.cut_card and body == self._settings.cut_card:
            self._frames.append(Frame("cut card", raw))
            seen.append(CutCard(self._device, at_ns, raw, "", body))
        elif body in self._settings.harmless:
            self._note(raw, at_ns, seen, "harmless", body)
        else:
            self._frames.append(Frame("record", raw, "it is not known"))
            detail = f"{body!r}: what it means is not known; set `cut_card` or `harmless`"
            seen.append(Trouble(self._device, at_ns, raw, "unknown_record", detail))

    def _card(self, text: str, raw: bytes, at_ns: int, seen: list[AnyObservation]) -> None:
        found = _CARD.fullmatch(text)
        if found is None:
            self._frames.append(Frame("card", raw, "no such card"))
            self._judge.no_read(seen, "not_a_card", text, raw, at_ns)
            return
        self._frames.append(Frame("card", raw))
        over, self._alarms = self._alarms, {}
        seen.extend(TroubleOver(self._device, at_ns, raw, code) for code in over)
        face = found[1].replace("10", "T") + found[2]
        self._echo, self._echo_ns = face, at_ns
        seen.append(CardRead(self._device, at_ns, raw, face, "", 0, text, checked=False))

    def _alarm(self, body: str, raw: bytes, at_ns: int, seen: list[AnyObservation]) -> None:
        text = body.removeprefix("Alarm:").strip()
        number = _ALARM.match(text)
        code = f"alarm_{number[0].lower()}" if number else "alarm"
        self._judge.forget(seen, at_ns)
        self._frames.append(Frame("alarm", raw))
        if len(self._alarms) < 16:
            self._alarms[code] = None
        seen.append(Trouble(self._device, at_ns, raw, code, text))
        if code == NOT_READ:
            self._judge.no_read(seen, "unread", text, raw, at_ns)

    def _note(
        self, raw: bytes, at_ns: int, seen: list[AnyObservation], code: str, text: str
    ) -> None:
        self._judge.forget(seen, at_ns)
        self._frames.append(Frame(code, raw))
        seen.append(Note(self._device, at_ns, raw, code, text))


def _spellings(face: str) -> tuple[str, ...]:
    """How a face may be written once more: T is 10 as well."""
    return (face, "10" + face[1:]) if face[:1] == "T" else (face,)
