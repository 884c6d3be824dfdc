"""`keyboard`: a USB barcode scanner that types, as the kernel's input events of 24 bytes.

A character is two reports of the scanner: its key (and Shift) down, and up again, `step_ms` / 2
apart. The stamps in the events are its own time. It hears nothing. A person who types into it is a
fault of this device as well: a driver can tell the two only by their time.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import Fault, burst, double_read, number, text
from hw_sim.models.base import Piece
from hw_sim.models.keyboard_keys import (
    ALT_GR,
    CAPS_LOCK,
    CONTROL_J,
    ENTER,
    HANGEUL,
    LAYOUTS,
    SHIFT,
    TAB,
    Stroke,
)
from hw_sim.models.textline import misread

EVENT = struct.Struct("llHHi")
SUFFIXES: dict[str, tuple[Stroke, ...]] = {
    "cr": (ENTER,),
    "lf": (CONTROL_J,),
    "crlf": (ENTER, CONTROL_J),
    "crcr": (ENTER, ENTER),
    "tab": (TAB,),
    "none": (),
}
_SYN, _KEY, _LED = 0, 1, 17
_DROPPED, _CAPS_LAMP, _REPEAT = 3, 1, 2
_MS = "milliseconds"

FAULTS: dict[str, Fault] = {
    "double_read": double_read(ms=300),
    "burst": burst(ms=200),
    "half_code": Fault(
        "the first characters of the code, then silence",
        "draw",
        {"keep": (3, "characters that come")},
    ),
    "tail_only": Fault("only the end of the code", "draw", {"keep": (2, "characters that come")}),
    "split_code": Fault(
        "the code in two parts with a pause between them",
        "draw",
        {"keep": (3, "characters before the pause"), "ms": (300, f"{_MS} of pause")},
    ),
    "slow": Fault(
        "as slow as a person's keys", "draw", {"ms": (90, f"{_MS} from one key to the next")}
    ),
    "bad_check": Fault("one character of the code is read wrong", "draw"),
    "wrong_suffix": Fault(
        "the code ends otherwise than set",
        "draw",
        {"suffix": ("lf", "cr, lf, crlf, crcr, tab or none")},
    ),
    "aim": Fault(
        "an AIM symbology identifier stands before the code",
        "draw",
        {"id": ("C0", "the identifier without its bracket")},
    ),
    "wrong_case": Fault("its letters come in the other case, as some do with Caps Lock", "draw"),
    "layout": Fault(
        "it is set to the keyboard of another country",
        "draw",
        {"name": ("azerty", "azerty or qwertz")},
    ),
    "auto_repeat": Fault(
        "the first key repeats", "draw", {"times": (3, "repetitions the kernel makes")}
    ),
    "typed_into": Fault(
        "a person's key falls into the code",
        "draw",
        {"key": ("x", "the key"), "after": (2, "characters of the code before it")},
    ),
    "dropped": Fault(
        "the kernel loses events in the code and says so",
        "draw",
        {"keep": (2, "characters before"), "lost": (1, "characters lost")},
    ),
    "typing": Fault(
        "a person types",
        "now",
        {"text": ("hello", "the keys"), "ms": (150, f"{_MS} between keys"), "enter": (1, "0 or 1")},
    ),
    "caps_lock": Fault("Caps Lock is pressed: its lamp goes on, or off again", "now"),
    "hangul": Fault("the Hangul key is pressed: Hangul mode on, or off again", "now"),
}


class Keyboard:
    """One scanner. `suffix`: as it is set up; `aim`: the identifier it sends, "" for none;
    `layout`: the keyboard it is set to; `step_ms`: from one character to the next; `apart`: Shift
    comes in reports of its own. Raises CodeError for settings of no use.
    """

    kind = "keyboard"
    records = EVENT.size
    wake_at_ms: int | None = None

    def __init__(
        self,
        suffix: str = "cr",
        aim: str = "",
        layout: str = "us",
        step_ms: int = 16,
        *,
        apart: bool = False,
    ) -> None:
        self.faults = FAULTS
        self._suffix = _suffix(suffix)
        self._aim = f"]{aim}" if aim else ""
        self._layout = _layout(layout)
        self._step_ms = step_ms
        self._apart = apart
        self._caps = False
        self._hangul = False

    def start(self, now_ms: int) -> list[Piece]:
        self._caps = self._hangul = False
        return []

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: Mapping[str, object] | None = None,
    ) -> list[Piece]:
        given = params or {}
        if fault in ("double_read", "burst"):
            step, reads = number(given, "ms"), number(given, "times") + 1
            whole = self._code(card.code)
            starts = [i * step for i in range(reads)]
            return [piece for at in starts for piece in self._strokes(whole, now_ms, at)]
        if fault in ("split_code", "dropped", "auto_repeat", "slow"):
            return self._disturbed(fault, self._code(card.code), now_ms, given)
        return self._strokes(self._plan(card.code, fault, given), now_ms)

    def do(self, fault: str, params: Mapping[str, object], now_ms: int) -> list[Piece]:
        match fault:
            case "typing":
                keys = self._typed(text(params, "text"))
                ending = (ENTER,) * bool(number(params, "enter"))
                return self._strokes((*keys, *ending), now_ms, step=number(params, "ms"))
            case "caps_lock":
                self._caps = not self._caps
                return [*self._strokes((CAPS_LOCK,), now_ms), self._lamp(now_ms)]
            case "hangul":
                self._hangul = not self._hangul
                return self._strokes((HANGEUL,), now_ms)
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a scanner that types")

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return self.card(card, now_ms)

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        return []

    def tick(self, now_ms: int) -> list[Piece]:
        return []

    def state(self) -> dict[str, object]:
        return {"caps_lock": self._caps, "hangul": self._hangul}

    # --- a code as strokes --------------------------------------------------------------------

    def _plan(self, code: str, fault: str, given: Mapping[str, object]) -> tuple[Stroke, ...]:
        match fault:
            case "":
                return self._code(code)
            case "half_code":
                return self._typed(self._aim + code[: number(given, "keep")])
            case "tail_only":
                return self._typed(code[len(code) - number(given, "keep") :]) + self._suffix
            case "bad_check":
                return self._code(misread(code))
            case "wrong_suffix":
                return self._typed(self._aim + code) + _suffix(text(given, "suffix"))
            case "aim":
                return self._typed(f"]{text(given, 'id')}{code}") + self._suffix
            case "wrong_case":
                return self._typed((self._aim + code).swapcase()) + self._suffix
            case "layout":
                other = _layout(text(given, "name"))
                return tuple(_stroke(other, each) for each in self._aim + code) + self._suffix
            case "typed_into":
                keys, after = self._code(code), number(given, "after")
                return (*keys[:after], *self._typed(text(given, "key")[:1]), *keys[after:])
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a scanner that types")

    def _disturbed(
        self, fault: str, keys: tuple[Stroke, ...], now_ms: int, given: Mapping[str, object]
    ) -> list[Piece]:
        if fault == "slow":
            return self._strokes(keys, now_ms, step=number(given, "ms"))
        if fault == "split_code":
            keep = number(given, "keep")
            then = (keep - 1) * self._step_ms + number(given, "ms")
            first = self._strokes(keys[:keep], now_ms)
            return first + self._strokes(keys[keep:], now_ms, then)
        if fault == "auto_repeat":
            down, *rest = self._strokes(keys, now_ms)
            repeat = _event(now_ms, _KEY, keys[0].code, _REPEAT) + _event(now_ms, _SYN, 0, 1)
            return [Piece(0, down.data + repeat * number(given, "times")), *rest]
        keep = number(given, "keep")
        after = keep + number(given, "lost")
        at = keep * self._step_ms
        lost = _event(now_ms + at, _SYN, _DROPPED, 0) + _event(now_ms + at, _SYN, 0, 0)
        rest = self._strokes(keys[after:], now_ms, after * self._step_ms)
        return [*self._strokes(keys[:keep], now_ms), Piece(at, lost), *rest]

    def _code(self, code: str) -> tuple[Stroke, ...]:
        return self._typed(self._aim + code) + self._suffix

    def _typed(self, given: str) -> tuple[Stroke, ...]:
        return tuple(_stroke(self._layout, each) for each in given)

    # --- strokes as events ----------------------------------------------------------------------

    def _strokes(
        self, strokes: tuple[Stroke, ...], now_ms: int, at_ms: int = 0, step: int = 0
    ) -> list[Piece]:
        step = step or self._step_ms
        pieces: list[Piece] = []
        for stroke in strokes:
            pieces += self._stroke(stroke, now_ms, at_ms, step)
            at_ms += step
        return pieces

    def _stroke(self, stroke: Stroke, now_ms: int, at_ms: int, step: int) -> list[Piece]:
        """Down and up: two reports, four when the modifier has its own."""
        down = [(held, 1) for held in stroke.held]
        reports = [[*down, (stroke.code, 1)], [(stroke.code, 0), *((held, 0) for held, _ in down)]]
        if self._apart and down:
            reports = [
                down,
                [(stroke.code, 1)],
                [(stroke.code, 0)],
                [(held, 0) for held, _ in down],
            ]
        pieces: list[Piece] = []
        for i, report in enumerate(reports):
            at = at_ms + i * step // len(reports)
            events = b"".join(_event(now_ms + at, _KEY, code, value) for code, value in report)
            pieces.append(Piece(at, events + _event(now_ms + at, _SYN, 0, 0)))
        return pieces

    def _lamp(self, now_ms: int) -> Piece:
        at = self._step_ms
        lamp = _event(now_ms + at, _LED, _CAPS_LAMP, int(self._caps))
        return Piece(at, lamp + _event(now_ms + at, _SYN, 0, 0))


def _event(at_ms: int, kind: int, code: int, value: int) -> bytes:
    return EVENT.pack(at_ms // 1000, at_ms % 1000 * 1000, kind, code, value)


def _stroke(layout: dict[str, tuple[int, str]], character: str) -> Stroke:
    if character not in layout:
        raise CodeError(f"{character!r} is on no key of that keyboard")
    code, level = layout[character]
    held = {"shift": (SHIFT,), "alt_gr": (ALT_GR,)}.get(level, ())
    return Stroke(code, held)


def _layout(name: str) -> dict[str, tuple[int, str]]:
    if name not in LAYOUTS:
        raise CodeError(f"no layout {name!r}; there are {', '.join(LAYOUTS)}")
    return LAYOUTS[name]


def _suffix(name: str) -> tuple[Stroke, ...]:
    if name not in SUFFIXES:
        raise CodeError(f"no suffix {name!r}; there are {', '.join(SUFFIXES)}")
    return SUFFIXES[name]
