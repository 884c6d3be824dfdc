"""`text-line`: a barcode reader or shoe that sends one code a line. It hears nothing.

Prefix, suffix and AIM identifier are as it was set up; what a card's code looks like on the wire,
with or without a fault, is `plan`.
"""

from __future__ import annotations

from collections.abc import Mapping

from hw_sim.codes import ALPHABET, CodeError, VirtualCard, check_character
from hw_sim.faults import Fault, burst, double_read, hex_bytes, number, text
from hw_sim.models.base import Piece

SUFFIXES = {
    "cr": b"\r",
    "lf": b"\n",
    "crlf": b"\r\n",
    "crcr": b"\r\r",
    "tab": b"\t",
    "etx": b"\x03",
    "none": b"",
}
_MS = "milliseconds"
FAULTS: dict[str, Fault] = {
    "double_read": double_read(ms=150),
    "burst": burst(ms=100),
    "half_line": Fault(
        "the first characters of the code, then silence",
        "draw",
        {"keep": (3, "characters that come")},
    ),
    "split_line": Fault(
        "the code in two parts with a pause between them",
        "draw",
        {"keep": (3, "characters before the pause"), "ms": (500, f"{_MS} of pause")},
    ),
    "slow": Fault("one byte at a time", "draw", {"ms": (20, f"{_MS} between the bytes")}),
    "garbage": Fault(
        "bytes of a wrong baud rate in place of the code",
        "draw",
        {"hex": ("E080FF9E0D", "the bytes, in hex")},
    ),
    "dirty_open": Fault(
        "left-over bytes glued to the front of the code",
        "draw",
        {"hex": ("AA65D1B9F1", "the bytes, in hex")},
    ),
    "tail_only": Fault("only the end of the code", "draw", {"keep": (2, "characters that come")}),
    "bad_check": Fault("one character of the code is read wrong", "draw"),
    "wrong_suffix": Fault(
        "the code ends otherwise than set",
        "draw",
        {"suffix": ("lf", "cr, lf, crlf, crcr, tab, etx or none")},
    ),
    "aim": Fault(
        "an AIM symbology identifier stands before the code",
        "draw",
        {"id": ("C0", "the identifier without its bracket")},
    ),
}


def suffix_bytes(name: str) -> bytes:
    """The bytes of a suffix. Raises CodeError naming the ones there are."""
    if name not in SUFFIXES:
        raise CodeError(f"no suffix {name!r}; there are {', '.join(SUFFIXES)}")
    return SUFFIXES[name]


class TextLine:
    """One reader. `prefix`: bytes in hex before each code, such as 02 for STX. `aim`: the AIM
    identifier it sends, such as `C0`, "" for none. Raises CodeError for settings of no use.
    """

    kind = "text-line"
    records = 0
    wake_at_ms: int | None = None

    def __init__(self, suffix: str = "cr", prefix: str = "", aim: str = "") -> None:
        self.faults = FAULTS
        self._suffix = suffix_bytes(suffix)
        self._prefix = hex_bytes(prefix)
        if aim and not (aim.isascii() and aim.isalnum()):
            raise CodeError(f"aim {aim!r}: an identifier without its bracket, such as C0")
        self._aim = f"]{aim}".encode() if aim else b""

    def start(self, now_ms: int) -> list[Piece]:
        return []

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        return plan(card.code, self._suffix, fault, params, self._prefix + self._aim)

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        raise CodeError(f"the fault {fault!r} is not one of a text-line reader")

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return self.card(card, now_ms)

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        return []

    def tick(self, now_ms: int) -> list[Piece]:
        return []

    def state(self) -> dict[str, object]:
        return {"suffix": self._suffix.hex(), "prefix": self._prefix.hex()}


def plan(
    code: str,
    suffix: bytes,
    fault: str = "",
    params: Mapping[str, object] | None = None,
    before: bytes = b"",
) -> list[Piece]:
    """The pieces of one card's read. `code` is the text that is read, `before` what stands before
    each code. Raises CodeError for a parameter of no use.
    """
    given = params or {}
    raw = code.encode("ascii")
    body = before + raw
    whole = body + suffix
    match fault:
        case "":
            return [Piece(0, whole)]
        case "double_read" | "burst":
            step, reads = number(given, "ms"), number(given, "times") + 1
            if step == 0:
                return [Piece(0, whole * reads)]
            return [Piece(i * step, whole) for i in range(reads)]
        case "half_line":
            return [Piece(0, body[: len(before) + number(given, "keep")])]
        case "split_line":
            keep = len(before) + number(given, "keep")
            return [Piece(0, whole[:keep]), Piece(number(given, "ms"), whole[keep:])]
        case "slow":
            step = number(given, "ms")
            return [Piece(i * step, whole[i : i + 1]) for i in range(len(whole))]
        case "garbage":
            return [Piece(0, hex_bytes(text(given, "hex")))]
        case "dirty_open":
            return [Piece(0, hex_bytes(text(given, "hex")) + whole)]
        case "tail_only":
            return [Piece(0, raw[len(raw) - number(given, "keep") :] + suffix)]
        case "bad_check":
            return [Piece(0, before + misread(code).encode("ascii") + suffix)]
        case "wrong_suffix":
            return [Piece(0, body + suffix_bytes(text(given, "suffix")))]
        case "aim":
            return [Piece(0, b"]" + text(given, "id").encode("ascii") + whole)]
        case _:
            raise CodeError(f"the fault {fault!r} is not one of a text-line reader")


def misread(code: str) -> str:
    """Still a code by its form, but one that its check character belies."""
    wrong = code[:3] + ("1" if code[3] != "1" else "2")
    right = check_character(wrong)
    return wrong + (code[-1] if code[-1] != right else ALPHABET[(ALPHABET.index(right) + 1) % 36])


def make(**settings: str) -> TextLine:
    """The model of these settings. Raises CodeError, or TypeError for an unknown one."""
    return TextLine(**settings)
