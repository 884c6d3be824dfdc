"""What a draw looks like on the wire: pieces of bytes, each with the time it comes at.

Pure: the plan of a draw, with or without a fault. The shoe's process carries it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from hw_sim.codes import ALPHABET, CodeError, VirtualCard, check_character

SUFFIXES = {
    "cr": b"\r",
    "lf": b"\n",
    "crlf": b"\r\n",
    "crcr": b"\r\r",
    "tab": b"\t",
    "none": b"",
}


@dataclass(frozen=True)
class Piece:
    """Bytes that go out `at_ms` after the card was pulled."""

    at_ms: int
    data: bytes


def suffix_bytes(name: str) -> bytes:
    """The bytes of a suffix. Raises CodeError naming the ones there are."""
    if name not in SUFFIXES:
        raise CodeError(f"no suffix {name!r}; there are {', '.join(SUFFIXES)}")
    return SUFFIXES[name]


def hex_bytes(text: str) -> bytes:
    """Bytes from hex digits. Raises CodeError."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise CodeError(f"{text!r}: bytes in hex, such as 7E 66 0D") from None


def plan(
    code: str, suffix: bytes, fault: str = "", params: dict[str, object] | None = None
) -> list[Piece]:
    """The pieces of one card's read. `code` is the text that is read. Faults that need more than
    the code (`foreign_code`, `earlier_code`, `merged`, `unplug`) are not made here.

    Raises CodeError for a parameter of no use.
    """
    given = params or {}
    raw = code.encode("ascii")
    whole = raw + suffix
    match fault:
        case "":
            return [Piece(0, whole)]
        case "double_read" | "burst":
            step, reads = number(given, "ms"), number(given, "times") + 1
            if step == 0:
                return [Piece(0, whole * reads)]
            return [Piece(i * step, whole) for i in range(reads)]
        case "no_read":
            return []
        case "half_line":
            return [Piece(0, raw[: number(given, "keep")])]
        case "split_line":
            keep = number(given, "keep")
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
            return [Piece(0, _misread(code).encode("ascii") + suffix)]
        case "wrong_suffix":
            return [Piece(0, raw + suffix_bytes(text(given, "suffix")))]
        case "aim":
            return [Piece(0, b"]" + text(given, "id").encode("ascii") + whole)]
        case _:
            raise CodeError(f"the fault {fault!r} is not one of the wire")


def foreign(card: VirtualCard, letter: str) -> str:
    """The card's code as a card of another set would carry it."""
    other = VirtualCard(card.face, card.deck, letter)
    if len(letter) != 1 or letter not in ALPHABET[10:]:
        raise CodeError(f"set {letter!r}: one letter, A to Z")
    return other.code


def _misread(code: str) -> str:
    """Still a code by its form, but one that its check character belies."""
    wrong = code[:3] + ("1" if code[3] != "1" else "2")
    right = check_character(wrong)
    return wrong + (code[-1] if code[-1] != right else ALPHABET[(ALPHABET.index(right) + 1) % 36])


def number(params: dict[str, object], name: str) -> int:
    """A whole number among a fault's parameters."""
    return cast("int", params[name])


def text(params: dict[str, object], name: str) -> str:
    """A text among a fault's parameters."""
    return cast("str", params[name])
