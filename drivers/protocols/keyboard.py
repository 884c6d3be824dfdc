"""Scanners that type: key events of a grabbed keyboard, read by a key map of our own.

The wire is the kernel's `struct input_event` of 24 bytes (Linux Documentation/input/input.rst and
event-codes.rst). A key pressed (value 1) counts; its repetition (2) and release (0) do not, but for
the modifiers. A code ends with Enter or TAB; a second end, and an end alone, is nothing.

What a person types is never a card: keys of one code come at most `max_key_ms` apart, by the
kernel's own time stamps, so that a delay in reading makes no slow keys fast. After a longer pause
the rest up to the end, or up to `idle_ms` of silence, is thrown away, so that neither a tail nor
what is typed into a scan becomes a code. The same after the kernel says that it dropped events
(SYN_DROPPED), which ends at the next SYN_REPORT.

Refused, and told by name, are the ways in which a keyboard changes a code: `caps_lock` (its lamp
lit, its key pressed, or letters in the wrong case that would be a code), `keyboard_layout` (keys
that would be a code in another layout, whether or not they are one in the US layout), `hangul`
(the 한/영 key, or a right Alt alone, was pressed). Such keys are never turned back into a card.

`raw` is the events of the keys pressed, the end included.
"""

from __future__ import annotations

import struct

from msgspec import Struct

from drivers.badge import carries_badge, is_badge
from drivers.cardcode import CardCode, Reject
from drivers.observations import AnyObservation
from drivers.protocols.base import Capability, Command, Frame, Out, Wanted
from drivers.protocols.judge import CHECK_READER, Judge, Symbologies
from drivers.protocols.keymap import (
    ALT_GR,
    CAPS_LOCK,
    CONTROL_ENDS,
    CONTROLS,
    ENDS,
    HANGEUL,
    MODIFIERS,
    OTHER_LAYOUTS,
    OTHERS,
    PLAIN,
    RIGHT_ALT,
    SHIFT,
    SHIFTS,
    US,
    Key,
    name_of,
)

EVENT = struct.Struct("llHHi")
LIMIT = 64

_EV_SYN, _EV_KEY, _EV_LED = 0, 1, 17
_SYN_REPORT, _SYN_DROPPED = 0, 3
_LED_CAPS_LOCK = 1
_NO_CHARACTER = -1
_MS = 1_000_000
_FORGOTTEN_NS = 2000 * _MS


class KeyboardSettings(Struct, frozen=True, kw_only=True):
    """How a scanner that types is set up. A character takes 16 ms (two reports of 8 ms), 32 with
    Shift in reports of its own, and one report of delay makes 40.
    """

    symbologies: Symbologies = Symbologies()
    max_key_ms: int = 40
    idle_ms: int = 500


class Keyboard:
    """One scanner's keys. Holds at most 64 of them."""

    def __init__(
        self, device: str, code: CardCode, settings: KeyboardSettings | None = None
    ) -> None:
        self._settings = settings or KeyboardSettings()
        self._code = code
        self._judge = Judge(device, code, self._settings.symbologies, CHECK_READER)
        self._frames: list[Frame] = []
        self._bytes = bytearray()
        self._keys: list[Key] = []
        self._held: set[int] = set()
        self._alone = False
        self._caps = self._caps_seen = False
        self._hangul = self._hangul_seen = False
        self._dropping = False
        self._discarding = False
        self._told_ns = 0
        self._stamp_ns = 0
        self._last_ns = 0

    @property
    def capabilities(self) -> frozenset[Capability]:
        """It can do nothing but type."""
        return frozenset()

    def start(self, now_ns: int) -> Out:
        """Nothing to set up."""
        self._forget()
        return self._out([])

    def send(self, command: Command, now_ns: int) -> Out:
        """It takes no commands."""
        return self._out([])

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """It can be told nothing."""
        return self._out([])

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Events came; every code that ended in them is told, in order."""
        seen = self._settle(now_ns)
        for byte in data:
            self._bytes.append(byte)
            if len(self._bytes) == EVENT.size:
                raw = bytes(self._bytes)
                self._bytes.clear()
                self._event(raw, now_ns, seen)
        return self._out(seen)

    def tick(self, now_ns: int) -> Out:
        """Time passed: a code without an end is over."""
        return self._out(self._settle(now_ns))

    def reset(self, now_ns: int) -> Out:
        """The keyboard is gone: keys without an end are told as `incomplete` and forgotten."""
        seen: list[AnyObservation] = []
        self._give_up("incomplete", seen, self._last_ns)
        self._judge.forget(seen, now_ns)
        self._forget()
        return self._out(seen)

    # --- events -------------------------------------------------------------------------

    def _event(self, raw: bytes, now_ns: int, seen: list[AnyObservation]) -> None:
        seconds, micros, kind, code, value = EVENT.unpack(raw)
        if kind == _EV_SYN and code == _SYN_DROPPED:
            self._drop(raw, now_ns, seen)
        elif self._dropping:
            self._dropping = not (kind == _EV_SYN and code == _SYN_REPORT)
        elif kind == _EV_LED and code == _LED_CAPS_LOCK:
            self._set_caps(value != 0)
        elif kind == _EV_KEY and value == 1:
            stamp = seconds * 1_000_000_000 + micros * 1000
            self._pressed(Key(code, self._level(), raw), stamp, now_ns, seen)
        elif kind == _EV_KEY and value == 0:
            self._released(code)

    def _drop(self, raw: bytes, now_ns: int, seen: list[AnyObservation]) -> None:
        self._frames.append(Frame("dropped", raw, "the kernel lost events"))
        told = bool(self._keys)
        self._give_up("incomplete", seen, now_ns)
        if not told and not self._dropping:
            self._judge.no_read(seen, "incomplete", "", raw, now_ns)
        self._dropping = True
        self._discard(now_ns)
        self._last_ns = now_ns
        self._held.clear()
        self._alone = False

    def _released(self, code: int) -> None:
        self._held.discard(code)
        if code == RIGHT_ALT and self._alone:
            self._set_hangul(not self._hangul)
            self._alone = False

    def _pressed(self, key: Key, stamp_ns: int, now_ns: int, seen: list[AnyObservation]) -> None:
        self._frames.append(Frame(f"key {name_of(key)}", key.raw))
        self._alone = key.code == RIGHT_ALT
        if key.code in MODIFIERS:
            self._held.add(key.code)
        elif key.code == CAPS_LOCK:
            self._set_caps(not self._caps)
        elif key.code == HANGEUL:
            self._set_hangul(not self._hangul)
        else:
            self._typed(key, stamp_ns, now_ns, seen)

    def _typed(self, key: Key, stamp_ns: int, now_ns: int, seen: list[AnyObservation]) -> None:
        stamped = bool(stamp_ns or self._stamp_ns)
        gap = stamp_ns - self._stamp_ns if stamped else now_ns - self._last_ns
        paused = not 0 <= gap <= self._settings.max_key_ms * _MS
        self._stamp_ns, self._last_ns = stamp_ns, now_ns
        if self._keys and paused:
            self._give_up(self._why_paused(), seen, now_ns)
            self._discard(now_ns)
        if self._is_end(key):
            self._end(key, now_ns, seen)
        elif not self._discarding:
            if not self._keys:
                self._caps_seen, self._hangul_seen = self._caps, self._hangul
            self._keys.append(key)
            if len(self._keys) > LIMIT:
                self._give_up("too_long", seen, now_ns)
                self._discard(now_ns)

    def _end(self, key: Key, now_ns: int, seen: list[AnyObservation]) -> None:
        keys, discarded = tuple(self._keys), self._discarding
        self._keys.clear()
        self._discarding = False
        if discarded and now_ns - self._told_ns >= _FORGOTTEN_NS:
            # Told so long ago that a card at the end of it would seem to have left no trace.
            self._judge.no_read(seen, "typing", "", key.raw, now_ns)
        elif keys and not discarded:
            raw = b"".join(each.raw for each in (*keys, key))
            self._whole(keys, raw, now_ns, seen)

    def _discard(self, now_ns: int) -> None:
        """What comes up to the end is part of what has just been told."""
        self._discarding, self._told_ns = True, now_ns

    def _is_end(self, key: Key) -> bool:
        if key.code in ENDS:
            return True
        return key.code in CONTROL_ENDS and bool(self._held & CONTROLS)

    def _level(self) -> int:
        if self._held & (CONTROLS | OTHERS):
            return _NO_CHARACTER
        if RIGHT_ALT in self._held:
            return ALT_GR
        return SHIFT if self._held & SHIFTS else PLAIN

    def _set_caps(self, on: bool) -> None:
        self._caps = on
        self._caps_seen |= on

    def _set_hangul(self, on: bool) -> None:
        self._hangul = on
        self._hangul_seen |= on

    # --- judging ------------------------------------------------------------------------

    def _whole(
        self, keys: tuple[Key, ...], raw: bytes, now_ns: int, seen: list[AnyObservation]
    ) -> None:
        text = US.text(keys)
        if is_badge(text.swapcase()):
            # Caps lock changes no badge: it has no lower case.
            text = text.swapcase()
        reason = "" if carries_badge(text) else self._why_refused(keys, text)
        if reason:
            self._judge.no_read(seen, reason, _shown(text), raw, now_ns)
        else:
            self._judge.text(seen, _shown(text), raw, now_ns)

    def _why_refused(self, keys: tuple[Key, ...], text: str) -> str:
        if self._hangul_seen:
            return "hangul"
        found = read_as(text, self._code, self._settings.symbologies)
        cased = read_as(text.swapcase(), self._code, self._settings.symbologies)
        if self._caps_seen or (found is None and cased is not None):
            return "caps_lock"
        for layout in OTHER_LAYOUTS:
            other = layout.text(keys)
            for each in (other, other.swapcase()) if found is None else (other,):
                if read_as(each, self._code, self._settings.symbologies) not in (None, found):
                    return "keyboard_layout"
        return ""

    def _give_up(self, reason: str, seen: list[AnyObservation], at_ns: int) -> None:
        """The keys so far become nothing."""
        if self._keys:
            raw = b"".join(key.raw for key in self._keys)
            text = _shown(US.text(tuple(self._keys)))
            self._keys.clear()
            self._judge.no_read(seen, reason, text, raw, at_ns)

    def _why_paused(self) -> str:
        text = US.text(tuple(self._keys))
        whole = read_as(text, self._code, self._settings.symbologies) is not None
        return "incomplete" if whole else "typing"

    # --- silence ------------------------------------------------------------------------

    def _settle(self, now_ns: int) -> list[AnyObservation]:
        seen: list[AnyObservation] = []
        if self._waits() and now_ns - self._last_ns >= self._idle_ns():
            self._give_up("typing" if len(self._keys) == 1 else "incomplete", seen, self._last_ns)
            self._discarding = False
        return seen

    def _waits(self) -> bool:
        return bool(self._keys) or self._discarding

    def _idle_ns(self) -> int:
        return self._settings.idle_ms * _MS

    def _forget(self) -> None:
        self._bytes.clear()
        self._held.clear()
        self._alone = False
        self._caps = self._hangul = False
        self._dropping = self._discarding = False

    def _out(self, seen: list[AnyObservation]) -> Out:
        frames, self._frames = tuple(self._frames), []
        wake = self._last_ns + self._idle_ns() if self._waits() else None
        return Out(tuple(seen), (), wake, frames)


def read_as(text: str, code: CardCode, symbologies: Symbologies) -> str | None:
    """The code in a text, None when there is none."""
    text, reason = symbologies.strip(text)
    if reason or isinstance(code.parse(text), Reject):
        return None
    return text


def confusable(code: CardCode, letters: str) -> str:
    """A card whose keys are another card's in another layout, with both codes; "" when none is."""
    for letter in letters:
        for rank in "AKQTJ2":
            for suit in "SHDC":
                text = code.format(rank + suit, letter, 1)
                keys = US.keys(text)
                for layout in OTHER_LAYOUTS:
                    other = layout.text(keys)
                    if other != text and not isinstance(code.parse(other), Reject):
                        return f"{text} and {other}"
    return ""


def _shown(text: str) -> str:
    return text.replace("\ufffd", "?")
