"""The Angel Eye's bytes: reports cut out of a stream, what a report says, commands to the shoe.

A report is `ENQ seq letter data.. ETX BCC BCC`. The BCC is the XOR of every byte after ENQ up to
and including ETX, as two upper-case hex digits. Data bytes have bit 7 set, so ENQ begins a report
wherever it stands. Outside a report the shoe answers a command: ACK alone, or NAK and a code.
"""

from __future__ import annotations

from functools import reduce
from typing import Literal

from msgspec import Struct

from drivers.protocols.judge import printable

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
REPORT_LIMIT = 32
NOISE_LIMIT = 64

Bcc = Literal["with_stx", "without_stx"]

LETTERS = {
    "S": "start",
    "P": "stand-by",
    "D": "card",
    "d": "card outside a game",
    "R": "card sent again",
    "C": "cut card",
    "G": "result",
    "E": "error",
    "e": "error over",
    "L": "lock",
    "M": "preset",
}
CARDS = "DdR"
_DATA = {"D": 2, "d": 2, "R": 2, "G": 1, "E": 1, "e": 1, "L": 1, "M": 6}
_TARGETS = {0: "player", 1: "banker", 2: "burn", 4: "first card", 5: "burn count"}
_SUITS = {1: "D", 2: "C", 3: "S", 4: "H"}
_RANKS = " A23456789TJQK"
_WINNERS = {1: "player", 2: "tie", 4: "banker", 7: "forced quit"}
ERRORS = {
    1: "cannot_read",
    2: "overdraw",
    3: "button",
    4: "pushed_back",
    5: "pushed_back_midway",
    6: "foreign_card",
    7: "draw_timeout",
}
UNKNOWN_ERROR = "unknown_error"
REFUSALS = {
    0x01: "it received a damaged byte: check the cable, baud rate and parity",
    0x02: "the check code is not the one it expects",
    0x03: "it found no end of the command",
    0x11: "the command has not the form it expects",
    0x12: "it does not know the address",
    0x13: "it does not know the command",
    0x14: "it does not know this type of command",
    0x21: "it is busy",
    0x22: "it is writing its settings",
    0xFF: "it says no more than that",
}


class Cut(Struct, frozen=True):
    """One piece of the stream. `report`: a whole report with a right BCC, `seq` its number and
    `body` letter and data. `answer`: to a command; `body` is empty for ACK, else the NAK's code.
    `damage`: anything else, and why in `reason` (`bad_check`, `incomplete`, `too_long`, `garbage`).
    `at_ns`: when its last byte came.
    """

    kind: Literal["report", "answer", "damage"]
    raw: bytes
    at_ns: int
    seq: int = 0
    body: bytes = b""
    reason: str = ""


class Cutter:
    """Cuts the stream. Holds at most `NOISE_LIMIT` bytes. What was begun and goes on after no more
    than `idle_ns` is one piece.
    """

    def __init__(self, idle_ns: int) -> None:
        self._idle_ns = idle_ns
        self._kept = bytearray()
        self._etx = 0
        self._last_ns = 0

    @property
    def due_ns(self) -> int | None:
        """When what is half received is over, None when nothing is."""
        return self._last_ns + self._idle_ns if self._kept else None

    def push(self, byte: int, now_ns: int) -> list[Cut]:
        """One byte came. The caller has asked `over` first."""
        cuts: list[Cut] = []
        begun = self._kept[0] if self._kept else None
        if byte == ENQ:
            cuts += self.end()
            self._kept.append(byte)
        elif begun == ENQ:
            cuts += self._report(byte, now_ns)
        elif begun == NAK:
            self._kept.clear()
            cuts.append(Cut("answer", bytes((NAK, byte)), now_ns, body=bytes((byte,))))
        elif begun is None and byte == ACK:
            cuts.append(Cut("answer", bytes((ACK,)), now_ns))
        else:
            self._kept.append(byte)
            self._last_ns = now_ns
            if len(self._kept) >= NOISE_LIMIT:
                cuts += self.end()
        self._last_ns = now_ns
        return cuts

    def over(self, now_ns: int) -> list[Cut]:
        """What was half received and is over by now."""
        due = self.due_ns
        return self.end() if due is not None and now_ns >= due else []

    def end(self) -> list[Cut]:
        """What is half received is damage, from the time of its last byte."""
        if not self._kept:
            return []
        raw = bytes(self._kept)
        self._kept.clear()
        self._etx = 0
        reason = "incomplete" if raw[0] == ENQ else "garbage"
        return [Cut("damage", raw, self._last_ns, reason=reason)]

    def _report(self, byte: int, now_ns: int) -> list[Cut]:
        self._kept.append(byte)
        self._last_ns = now_ns
        size = len(self._kept)
        if not self._etx:
            if byte == ETX:
                self._etx = size
            elif size >= REPORT_LIMIT:
                raw = bytes(self._kept)
                self._kept.clear()
                return [Cut("damage", raw, now_ns, reason="too_long")]
            return []
        if size < self._etx + 2:
            return []
        raw, etx = bytes(self._kept), self._etx
        self._kept.clear()
        self._etx = 0
        if etx < 4 or raw[etx:] != bcc(raw[1:etx]):
            return [Cut("damage", raw, now_ns, reason="bad_check")]
        return [Cut("report", raw, now_ns, seq=raw[1], body=raw[2 : etx - 1])]


def bcc(data: bytes) -> bytes:
    """XOR of the bytes, as two upper-case hex digits."""
    return b"%02X" % reduce(lambda so_far, byte: so_far ^ byte, data, 0)


def command(kind: str, data: str, style: Bcc) -> bytes:
    """A command to the shoe: type (2 characters) and data (2 digits).

    The vendor's text begins the BCC after STX, its worked example with it: hence `style`.
    """
    body = b"OP" + kind.encode("ascii") + data.encode("ascii") + bytes((ETX,))
    start = bytes((STX,))
    return start + body + bcc(start + body if style == "with_stx" else body)


def well_formed(body: bytes) -> bool:
    """Whether a report is one of the known letters with the data that belongs to it."""
    letter = chr(body[0])
    if letter not in LETTERS or len(body) - 1 != _DATA.get(letter, 0):
        return False
    return letter == "M" or all(byte & 0x80 for byte in body[1:])


def face(body: bytes) -> str | None:
    """The face of a card's report: "" when the shoe could not read it, None for no such card."""
    suit, rank = body[2] >> 4 & 7, body[2] & 0x0F
    if not suit or not rank:
        return ""
    if suit not in _SUITS or rank >= len(_RANKS):
        return None
    return _RANKS[rank] + _SUITS[suit]


def said(body: bytes) -> str:
    """What a well-formed report says besides its letter, for the technician."""
    match chr(body[0]):
        case "D" | "R":
            target, index = body[1] >> 4 & 7, body[1] & 0x0F
            return f"{_TARGETS.get(target, f'target {target}')} {index}"
        case "d":
            modes = ("locked", "in error", "in setting mode")
            on = [mode for bit, mode in enumerate(modes) if body[1] >> 4 & 1 << bit]
            code = body[1] & 0x0F
            return ", ".join([*on, error_name(code)] if code else on)
        case "G":
            winner, pairs = body[1] >> 4 & 7, body[1] & 3
            pair = ("", ", player pair", ", banker pair", ", both pairs")[pairs]
            return _WINNERS.get(winner, f"result {winner}") + pair
        case "E":
            mode = ", now in error mode" if body[1] & 0x40 else ""
            return error_name(body[1] & 0x3F) + mode
        case "e":
            return error_name(body[1] & 0x7F)
        case "L":
            return "locked" if body[1] & 1 else "unlocked"
        case "M":
            text = bytes(byte & 0x7F for byte in body[1:])
            return f"{printable(text[:2])} = {printable(text[2:])}"
        case _:
            return ""


def error_name(code: int) -> str:
    """The name of the trouble an error code of the shoe is."""
    return ERRORS.get(code, UNKNOWN_ERROR)


def named(body: bytes) -> tuple[str, str]:
    """A report's name and what it says, for the technician."""
    letter = chr(body[0])
    if not well_formed(body):
        return "report", f"unknown: {printable(body)}"
    text = card_text(body) if letter in CARDS else ""
    return LETTERS[letter], ", ".join(filter(None, (text, said(body))))


def card_text(body: bytes) -> str:
    """The card of a report, or the report itself where there is none."""
    if chr(body[0]) in CARDS and well_formed(body):
        return face(body) or "no card"
    return printable(body)
