"""`gm65`: a barcode module GM65 or GM812, whose replies and codes share one wire.

It answers only commands whose check holds, and those that ask for none. What was written is gone
after a power cycle unless it was saved. In command mode it reads once, after it was told to.
"""

from __future__ import annotations

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import hex_bytes, number, text
from hw_sim.models.base import Piece
from hw_sim.models.gm65_faults import FAULTS
from hw_sim.models.textline import misread

ANSWER_MS = 5
CHARACTER_MS = 200
READ_MS = 5000

_MODE, _TRIGGER, _TERMINATOR, _AIM, _RESET = 0x00, 0x02, 0x0E, 0xD0, 0xD9
_IDS = {0xE1: 0x64, 0xE2: 0x69, 0xE3: 0x11}
_DEFAULTS = {_MODE: 0xD6, _TRIGGER: 0, 0x0A: 0x5A, 0x0B: 0x3C, _TERMINATOR: 0, _AIM: 0}
_COMMAND_MODE = 1
_ENDS = (b"\r", b"\n", b"\r\n", b"\t", b"")
_SETTINGS = {"terminator": _TERMINATOR, "aim": _AIM, "mode": _MODE}
_NO_CHECK = b"\xab\xcd"


def check(data: bytes) -> bytes:
    """The two check bytes of the module's protocol: a 16-bit CRC of polynomial 1021 from 0."""
    rest = 0
    for byte in data:
        rest ^= byte << 8
        for _ in range(8):
            rest = (rest << 1) ^ (0x11021 if rest & 0x8000 else 0)
    return bytes([rest >> 8, rest & 0xFF])


def reply(data: bytes = b"\x00") -> bytes:
    """What a command is answered with."""
    body = bytes([0, len(data)]) + data
    return b"\x02\x00" + body + check(body)


class Gm65:
    """One module. `prefix`, `suffix`: bytes in hex around each code; `read_failed`: what it sends
    when it could not read. Raises CodeError for settings of no use.
    """

    kind = "gm65"
    records = 0

    def __init__(self, prefix: str = "", suffix: str = "", read_failed: str = "") -> None:
        if len(read_failed) > 15 or not read_failed.isascii():
            raise CodeError(f"read_failed {read_failed!r}: up to 15 ASCII characters")
        self.faults = FAULTS
        self._prefix, self._suffix = hex_bytes(prefix), hex_bytes(suffix)
        self._failed = read_failed
        self._saved = dict(_DEFAULTS)
        self._registers = dict(_DEFAULTS)
        self._received = bytearray()
        self._received_at = 0
        self._reading_until: int | None = None
        self._later: list[tuple[int, str]] = []
        self._held: tuple[str, bytes] | None = None
        self._deaf = self._damaged = 0
        self._dead = False
        self._dead_until: int | None = None

    # --- what happens to it ---------------------------------------------------------------

    def start(self, now_ms: int) -> list[Piece]:
        self._registers = dict(self._saved)
        self._received.clear()
        self._later.clear()
        self._reading_until = self._held = None
        self._dead, self._dead_until = False, None
        return []

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        given = params or {}
        if self._asleep(now_ms) or not self._reads(now_ms):
            return []
        match fault:
            case "" | "double_read":
                if fault:
                    self._later.append((now_ms + number(given, "ms"), card.code))
                data = self._line(card.code)
            case "partial_code":
                data = self._line(card.code[: number(given, "keep")])
            case "bad_check":
                data = self._line(misread(card.code))
            case "read_failed":
                data = self._line(self._failed, aim="") if self._failed else b""
            case "unknown_code":
                data = self._line(text(given, "text"))
            case "foreign_symbology":
                data = self._line(text(given, "text"), text(given, "id"))
            case "two_codes":
                data = self._line(card.code) + self._line(text(given, "text"))
            case "split":
                return _pieces(self._line(card.code), number(given, "parts"), number(given, "ms"))
            case "with_reply":
                self._held = (text(given, "first"), self._line(card.code))
                return []
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a {self.kind}")
        return [Piece(0, data)] if data else []

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return self.card(card, now_ms)

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        match fault:
            case "no_reply":
                self._deaf += number(params, "times")
            case "bad_reply":
                self._damaged += number(params, "times")
            case "config_barcode":
                self._configured(text(params, "setting"), number(params, "value"))
            case "power_cycle":
                return self.start(now_ms)
            case "silent_death":
                ms = params.get("ms")
                self._dead = True
                self._dead_until = None if ms is None else now_ms + number(params, "ms")
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a {self.kind}")
        return []

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        if self._asleep(now_ms):
            return []
        if now_ms - self._received_at > CHARACTER_MS:
            self._received.clear()
        self._received += data
        self._received_at = now_ms
        out: list[Piece] = []
        while (command := self._command()) is not None:
            answer = self._obey(command, now_ms)
            if answer is not None:
                out += self._answer(answer)
        return out

    def tick(self, now_ms: int) -> list[Piece]:
        if self._asleep(now_ms):
            return []
        out: list[Piece] = []
        while self._later and now_ms >= self._later[0][0]:
            out.append(Piece(0, self._line(self._later.pop(0)[1])))
        if self._reading_until is not None and now_ms >= self._reading_until:
            self._reading_until = None
            if self._failed:
                out.append(Piece(0, self._line(self._failed, aim="")))
        return out

    @property
    def wake_at_ms(self) -> int | None:
        """When a second read is ready, or reading on command ends."""
        if self._dead:
            return self._dead_until
        times = [self._reading_until, *(at for at, _ in self._later)]
        return min((at for at in times if at is not None), default=None)

    def state(self) -> dict[str, object]:
        return {
            "registers": {f"{address:04X}": value for address, value in self._registers.items()},
            "reading": self._reading_until is not None,
        }

    # --- reading --------------------------------------------------------------------------

    def _asleep(self, now_ms: int) -> bool:
        if self._dead_until is not None and now_ms >= self._dead_until:
            self._dead, self._dead_until = False, None
        return self._dead

    def _reads(self, now_ms: int) -> bool:
        on_command = self._registers[_MODE] & 3 == _COMMAND_MODE
        if on_command and (self._reading_until is None or now_ms >= self._reading_until):
            return False
        self._reading_until = None
        return True

    def _line(self, code: str, aim: str = "C0") -> bytes:
        before = f"]{aim}" if aim and self._registers[_AIM] & 0x80 else ""
        end = _ENDS[min(self._registers[_TERMINATOR], len(_ENDS) - 1)]
        return self._prefix + (before + code).encode("ascii") + self._suffix + end

    # --- obeying --------------------------------------------------------------------------

    def _command(self) -> bytes | None:
        """The next command whose check holds; what is none is skipped and never answered."""
        received = self._received
        while True:
            begin = received.find(b"\x7e\x00")
            if begin < 0:
                del received[: max(0, len(received) - 1)]
                return None
            del received[:begin]
            if len(received) < 4:
                return None
            # A read says how many bytes it wants in one byte, whatever its length says.
            size = 2 + 4 + received[3] + 2
            if len(received) < size:
                return None
            body, tail = bytes(received[2 : size - 2]), bytes(received[size - 2 : size])
            if tail in (check(body), _NO_CHECK):
                del received[:size]
                return body
            del received[:2]

    def _obey(self, body: bytes, now_ms: int) -> bytes | None:
        """The bytes it is answered with; None for what the module does not know."""
        kind, address, data = body[0], int.from_bytes(body[2:4], "big"), body[4:]
        match kind:
            case 0x07 if address in self._registers or address in _IDS:
                known = self._registers | _IDS
                return bytes(known.get(address + i, 0) for i in range(data[0] or 256))
            case 0x08 if address == _RESET and data == b"\x50":
                self._registers = dict(_DEFAULTS)
            case 0x08 if address not in _IDS:
                for at, value in enumerate(data):
                    self._registers[address + at] = value
                if address == _TRIGGER:
                    self._reading_until = now_ms + READ_MS if data[0] & 1 else None
            case 0x09:
                self._saved = dict(self._registers)
            case 0x0A:
                pass
            case _:
                return None
        return b"\x00"

    def _answer(self, data: bytes) -> list[Piece]:
        if self._deaf:
            self._deaf -= 1
            return []
        raw = reply(data)
        if self._damaged:
            self._damaged -= 1
            raw = raw[:-1] + bytes([raw[-1] ^ 0x01])
        if self._held is not None:
            (first, line), self._held = self._held, None
            raw = raw + line if first == "reply" else line + raw
        return [Piece(ANSWER_MS, raw)]

    def _configured(self, setting: str, value: int) -> None:
        if setting == "defaults":
            self._registers = dict(_DEFAULTS)
        elif setting in _SETTINGS:
            self._registers[_SETTINGS[setting]] = value
        else:
            raise CodeError(f"{setting!r}: terminator, aim, mode or defaults")


def _pieces(data: bytes, parts: int, apart_ms: int) -> list[Piece]:
    step = -(-len(data) // max(1, parts))
    return [
        Piece(i * apart_ms, data[at : at + step]) for i, at in enumerate(range(0, len(data), step))
    ]
