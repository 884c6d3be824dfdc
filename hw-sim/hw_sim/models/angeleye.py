"""`angel-eye`: a baccarat shoe with numbered binary reports, each sent three times.

It starts with S and P, counts 1 to 9 (S takes no number), gives each card a place in a game of its
own, and obeys lock, unlock and clear-error commands.
"""

from __future__ import annotations

from collections.abc import Mapping

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import hex_bytes
from hw_sim.models.angeleye_faults import FAULTS
from hw_sim.models.base import Piece

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
COPY_MS = 50
ANSWER_MS = 5
_SUITS = {"D": 1, "C": 2, "S": 3, "H": 4}
_RANKS = "A23456789TJQK"
_BURN, _FIRST = 2, 4
_BUFFER = 64


def check(data: bytes) -> bytes:
    """XOR of the bytes, as two upper-case hex digits."""
    value = 0
    for byte in data:
        value ^= byte
    return f"{value:02X}".encode("ascii")


class AngelEye:
    """One shoe. `bcc`: `with_stx` or `without_stx`, how it makes the check code of commands.
    `burns`: cards burnt after the first card of a shoe. `game`: false: every card is told as drawn
    outside a game.

    Raises CodeError for settings of no use.
    """

    kind = "angel-eye"
    records = 0
    wake_at_ms: int | None = None

    def __init__(self, bcc: str = "with_stx", burns: int = 0, game: bool = True) -> None:
        if bcc not in ("with_stx", "without_stx"):
            raise CodeError(f"bcc {bcc!r}: with_stx or without_stx")
        if not 0 <= burns <= 10:
            raise CodeError(f"burns {burns}: 0 to 10")
        self.faults = FAULTS
        self._with_stx = bcc == "with_stx"
        self._burns = burns
        self._game = game
        self._switch_on()
        self._commands = 0

    def _switch_on(self) -> None:
        self._number = 1
        self._drawn = 0
        self._to_burn = self._burns + 1 if self._burns else 0
        self._locked = False
        self._error = 0
        self._error_mode = False
        self._overdrawn: bytes = b""
        self._heard = b""
        self._refusing: list[int] = []
        self._deaf = 0
        self._free_ms = 0

    # --- what happens to it ---------------------------------------------------------------

    def start(self, now_ms: int) -> list[Piece]:
        self._switch_on()
        return [*self._report(b"S", 0), *self._report(b"P", 4 * COPY_MS)]

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        # Reports go out by their numbers: a card's does not overtake that of a lock.
        wait = max(0, self._free_ms - now_ms)
        pieces = self._card(card, fault, _given(fault, params))
        return [Piece(piece.at_ms + wait, piece.data) for piece in pieces]

    def _card(self, card: VirtualCard, fault: str, given: dict[str, object]) -> list[Piece]:
        if card.cut:
            return self._report(b"C")
        code = bytes((0x80 | _SUITS[card.face[1]] << 4 | _RANKS.index(card.face[0]) + 1,))
        match fault:
            case "":
                return self._report(self._draw(code))
            case "cannot_read":
                return self._raise(1, given["mode"] == 1)
            case "overdraw":
                self._overdrawn = code
                return self._raise(2, True)
            case "with_error":
                raised = self._raise(_number(given, "code"), False)
                pieces = raised + self._report(self._draw(code), 4 * COPY_MS)
                self._error_mode = given["mode"] == 1
                return pieces
            case "outside":
                bits = ("locked", "error", "setting")
                mode = sum(_number(given, bit) << at for at, bit in enumerate(bits))
                place = 0x80 | mode << 4 | _number(given, "code")
                return self._report(b"d" + bytes((place,)) + code)
            case "card_none":
                return self._report(self._draw(b"\x80"))
            case "same_number":
                self._number = (self._number - 2) % 9 + 1
                return self._report(self._draw(code))
        return self._spoilt(fault, given, self._report(self._draw(code)))

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        given = _given(fault, params)
        match fault:
            case "raise_error":
                return self._raise(_number(given, "code"), given["mode"] == 1)
            case "clear_error":
                return self._clear(_number(given, "code") or self._error)
            case "power_cycle":
                return self.start(now_ms)
            case "new_shoe":
                self._to_burn = self._burns + 1 if self._burns else 0
                return self._report(b"S")
            case "stand_by":
                return self._report(b"P")
            case "result":
                value = 0x80 | _number(given, "winner") << 4 | _number(given, "pair")
                return self._report(b"G" + bytes((value,)))
            case "lock":
                return self._lock(given["on"] == 1)
            case "preset":
                text = f"{given['address']}{given['value']}"
                if len(text) != 6 or not text.isascii():
                    raise CodeError("preset: an address of two characters, a value of four")
                return self._report(b"M" + text.encode("ascii"))
            case "number":
                self._number = (_number(given, "to") - 1) % 9 + 1
            case "refuse":
                self._refusing += [_number(given, "code")] * _number(given, "count")
            case "deaf":
                self._deaf += _number(given, "count")
        return []

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        """A card is drawn through it once."""
        return []

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        pieces: list[Piece] = []
        self._heard = (self._heard + data)[-_BUFFER:]
        while STX in self._heard:
            self._heard = self._heard[self._heard.index(STX) :]
            end = self._heard.find(ETX)
            if end < 0 or len(self._heard) < end + 3:
                return pieces
            command, self._heard = self._heard[: end + 3], self._heard[end + 3 :]
            pieces += self._obey(command)
            self._free_ms = now_ms + COPY_MS
        self._heard = b""
        return pieces

    def tick(self, now_ms: int) -> list[Piece]:
        return []

    def state(self) -> dict[str, object]:
        return {
            "locked": self._locked,
            "error": self._error,
            "error_mode": self._error_mode,
            "next_number": self._number,
            "commands": self._commands,
        }

    # --- what it says ---------------------------------------------------------------------

    def _report(self, body: bytes, after_ms: int = 0) -> list[Piece]:
        """One report three times. S takes no number."""
        data = str(self._number).encode("ascii") + body + bytes((ETX,))
        if body != b"S":
            self._number = self._number % 9 + 1
        whole = bytes((ENQ,)) + data + check(data)
        return [Piece(after_ms + copy * COPY_MS, whole) for copy in range(3)]

    def _draw(self, code: bytes) -> bytes:
        """The body of a card's report: its place in a game of the shoe's own."""
        if self._locked or self._error_mode or not self._game:
            mode = self._locked | self._error_mode << 1
            return b"d" + bytes((0x80 | mode << 4 | (self._error & 0x0F),)) + code
        if self._to_burn:
            index = self._burns + 1 - self._to_burn
            target = _BURN if index else _FIRST
            self._to_burn -= 1
        else:
            target, index = self._drawn % 2, self._drawn // 2 % 10 + 1
            self._drawn += 1
        return b"D" + bytes((0x80 | target << 4 | index,)) + code

    def _raise(self, code: int, mode: bool) -> list[Piece]:
        self._error, self._error_mode = code, mode
        return self._report(b"E" + bytes((0x80 | mode << 6 | code & 0x3F,)))

    def _clear(self, code: int) -> list[Piece]:
        self._error, self._error_mode = 0, False
        pieces = self._report(b"e" + bytes((0x80 | code & 0x7F,)))
        if code == 2 and self._overdrawn:
            self._drawn = 0
            place = bytes((0x81,))
            pieces += self._report(b"R" + place + self._overdrawn, 4 * COPY_MS)
            self._drawn, self._overdrawn = 1, b""
        return pieces

    def _lock(self, on: bool) -> list[Piece]:
        self._locked = on
        return self._report(b"L" + bytes((0x80 | on,)))

    def _spoilt(self, fault: str, given: Mapping[str, object], pieces: list[Piece]) -> list[Piece]:
        """The three copies as the wire or the shoe spoils them."""
        match fault:
            case "bad_bcc":
                bad = _number(given, "copies")
                return [
                    Piece(piece.at_ms, _wrong(piece.data) if i < bad else piece.data)
                    for i, piece in enumerate(pieces)
                ]
            case "lost_copies":
                return pieces[_number(given, "copies") :]
            case "wrong_baud":
                junk = hex_bytes(str(given["hex"]))
                return [Piece(piece.at_ms, junk) for piece in pieces]
            case "late_copy":
                return [*pieces, Piece(_number(given, "ms"), pieces[0].data)]
            case "conflict":
                body = bytearray(pieces[1].data[1:-2])
                body[3] = 0x80 | _number(given, "suit") << 4 | _number(given, "rank")
                other = bytes((ENQ,)) + bytes(body) + check(bytes(body))
                return [pieces[0], Piece(pieces[1].at_ms, other), pieces[2]]
        raise CodeError(f"the fault {fault!r} is not one of an Angel Eye's cards")

    # --- what it hears --------------------------------------------------------------------

    def _obey(self, command: bytes) -> list[Piece]:
        self._commands += 1
        if self._deaf:
            self._deaf -= 1
            return []
        if self._refusing:
            return self._nak(self._refusing.pop(0))
        end = command.index(ETX)
        kind, data = command[3:5], command[5:end]
        if command[end + 1 :] != check(command[0 if self._with_stx else 1 : end + 1]):
            return self._nak(0x02)
        if end != 7:
            return self._nak(0x11)
        if command[1:3] != b"OP":
            return self._nak(0x13)
        if kind not in (b"LK", b"EC", b"GP"):
            return self._nak(0x14)
        if not data.isdigit() or (kind == b"LK" and data not in (b"01", b"02")):
            return self._nak(0x11)
        done: list[Piece] = []
        if kind == b"LK" and self._locked != (data == b"02"):
            done = self._lock(data == b"02")
        elif kind == b"EC" and self._error:
            done = self._clear(self._error)
        return [
            Piece(ANSWER_MS, bytes((ACK,))),
            *(Piece(piece.at_ms + COPY_MS, piece.data) for piece in done),
        ]

    def _nak(self, code: int) -> list[Piece]:
        return [Piece(ANSWER_MS, bytes((NAK, code & 0xFF)))]


def _wrong(report: bytes) -> bytes:
    """With a check code that is not its own."""
    return report[:-1] + (b"0" if report[-1:] != b"0" else b"1")


def _given(fault: str, params: Mapping[str, object] | None) -> dict[str, object]:
    """The fault's parameters: those given, else the defaults. Raises CodeError for no fault."""
    if fault and fault not in FAULTS:
        raise CodeError(f"no fault {fault!r}; there are {', '.join(FAULTS)}")
    known = FAULTS[fault].params if fault else {}
    return {key: default for key, (default, _) in known.items()} | dict(params or {})


def _number(given: Mapping[str, object], name: str) -> int:
    value = given[name]
    assert isinstance(value, int)
    return value
