"""`zebra-ssi`: a Zebra or Symbol scanner that speaks the Simple Serial Interface.

It waits 2 s for the host's acknowledgement of what it read and sends it twice more, marked as
re-sent; then it beeps an error and forgets it. What was set is gone after a power cycle, unless it
was set for good. A card that passes while reading is off, or outside a session the host has to
start, is not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import number, text
from hw_sim.models import ssi_wire as ssi
from hw_sim.models.base import Piece
from hw_sim.models.ssi_faults import FAULTS
from hw_sim.models.textline import misread, suffix_bytes

WAIT_MS = 2000
RESENDS = 2
ANSWER_MS = 10
CHARACTER_MS = 200
SESSION_MS = 9900
RESEND, DENIED = 0x01, 0x06

PACKETED, HANDSHAKE, SCAN_SETTINGS = 0xEE, 0x9F, 0xEC
TRIGGER, NO_READ_MESSAGE = 0x8A, 0x5E
BY_HOST = 0x08
DEFAULTS = {PACKETED: 0, HANDSHAKE: 1, SCAN_SETTINGS: 1, TRIGGER: 0, NO_READ_MESSAGE: 0}


@dataclass
class _Sending:
    """A packet the host has to acknowledge. `damaged`, `deaf`: copies that go out damaged,
    acknowledgements that do not arrive. `parts`, `apart_ms`: how the first copy is cut.
    """

    data: bytes
    status: int = 0
    damaged: int = 0
    deaf: int = 0
    parts: int = 1
    apart_ms: int = 0
    with_it: bytes = b""
    sent: int = 0


@dataclass
class _Memory:
    """What a power cycle takes away."""

    enabled: bool = True
    suffix: bytes = b""
    leds: int = 0
    session_until: int | None = None
    waiting: list[_Sending] = field(default_factory=list)
    later: list[tuple[int, str]] = field(default_factory=list)
    until: int | None = None
    busy_until: int = 0
    received: bytearray = field(default_factory=bytearray)
    received_at: int = 0


class Ssi:
    """One scanner. `revision`: what it says it is."""

    kind = "zebra-ssi"
    records = 0

    def __init__(self, revision: str = "PAAABS00-001-R00 NBRX DS9308 0A1B") -> None:
        self.faults = FAULTS
        self._revision = revision.encode("ascii")
        self._for_good: dict[int, int] = {}
        self._parameters = dict(DEFAULTS)
        self._now = _Memory()
        self._beeps: list[int] = []
        self._errors = 0
        self._refuse: list[int] = []
        self._dead_until: int | None = None
        self._dead = False

    # --- what happens to it ---------------------------------------------------------------

    def start(self, now_ms: int) -> list[Piece]:
        self._parameters = DEFAULTS | self._for_good
        self._now = _Memory()
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
        out: list[Piece] = []
        for sending in self._decodes(card.code, fault, given):
            out += self._read(sending, now_ms)
        if fault == "double_read":
            self._now.later.append((now_ms + number(given, "ms"), card.code))
        return out

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return self.card(card, now_ms)

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        match fault:
            case "nak":
                self._refuse += [number(params, "cause")] * number(params, "times")
            case "config_barcode":
                self._configured(params)
            case "power_cycle":
                return self.start(now_ms)
            case "silent_death":
                ms = params.get("ms")
                self._dead = True
                self._dead_until = None if ms is None else now_ms + number(params, "ms")
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a {self.kind} scanner")
        return []

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        if self._asleep(now_ms):
            return []
        received = self._now.received
        if received and now_ms - self._now.received_at > CHARACTER_MS:
            received.clear()
        received += data
        self._now.received_at = now_ms
        out: list[Piece] = []
        while received:
            try:
                packet = ssi.take(received)
            except ValueError:
                out += self._say(ssi.NAK, bytes([RESEND]))
                break
            if packet is None:
                break
            out += self._obey(packet, now_ms)
        return out

    def tick(self, now_ms: int) -> list[Piece]:
        if self._asleep(now_ms):
            return []
        out: list[Piece] = []
        if self._now.until is not None and now_ms >= self._now.until:
            out += self._send_again(now_ms)
        while self._now.later and now_ms >= self._now.later[0][0]:
            out += self._read(self._decode(self._now.later.pop(0)[1]), now_ms)
        session = self._now.session_until
        if session is not None and now_ms >= session:
            self._now.session_until = None
            if self._parameters[NO_READ_MESSAGE]:
                out += self._read(self._decode("NR"), now_ms)
        return out

    @property
    def wake_at_ms(self) -> int | None:
        """When a re-send is due, a second read is ready, or a session ends."""
        if self._dead:
            return self._dead_until
        times = [self._now.until, self._now.session_until, *(at for at, _ in self._now.later)]
        return min((at for at in times if at is not None), default=None)

    def state(self) -> dict[str, object]:
        return {
            "enabled": self._now.enabled,
            "beeps": list(self._beeps),
            "leds": self._now.leds,
            "waiting": len(self._now.waiting),
            "transmit_errors": self._errors,
            "parameters": {f"{number:02X}": value for number, value in self._parameters.items()},
        }

    # --- reading --------------------------------------------------------------------------

    def _asleep(self, now_ms: int) -> bool:
        if self._dead_until is not None and now_ms >= self._dead_until:
            self._dead, self._dead_until = False, None
        return self._dead

    def _reads(self, now_ms: int) -> bool:
        session = self._now.session_until
        by_host = self._parameters[TRIGGER] == BY_HOST
        if by_host and (session is None or now_ms >= session):
            return False
        self._now.session_until = None
        return self._now.enabled

    def _decode(self, code: str, kind: int = ssi.CODE_128) -> _Sending:
        return _Sending(bytes([kind]) + code.encode("ascii") + self._now.suffix)

    def _decodes(self, code: str, fault: str, params: dict[str, object]) -> list[_Sending]:
        """What the scanner makes of the code that passes."""
        match fault:
            case "" | "double_read":
                return [self._decode(code)]
            case "partial_code":
                return [self._decode(code[: number(params, "keep")])]
            case "bad_check":
                return [self._decode(misread(code))]
            case "nr":
                return [self._decode("NR")]
            case "unknown_code":
                return [self._decode(text(params, "text"))]
            case "foreign_symbology":
                return [self._decode(text(params, "text"), number(params, "type"))]
            case "multi_packet":
                size = number(params, "size")
                parts = [code[at : at + size] for at in range(0, len(code), size)]
                found = [self._decode(part) for part in parts]
                for sending in found[:-1]:
                    sending.status = ssi.MORE
                return found
            case _:
                return [self._on_its_way(self._decode(code), fault, params)]

    def _on_its_way(self, sending: _Sending, fault: str, params: dict[str, object]) -> _Sending:
        """What happens to the packet after a good read."""
        match fault:
            case "checksum_error":
                sending.damaged = number(params, "times")
            case "ack_lost":
                sending.deaf = number(params, "times")
            case "split":
                sending.parts, sending.apart_ms = number(params, "parts"), number(params, "ms")
            case "two_codes":
                sending.with_it = ssi.packet(ssi.DECODE, self._decode(text(params, "text")).data)
            case _:
                raise CodeError(f"the fault {fault!r} is not one of a {self.kind} scanner")
        return sending

    def _read(self, sending: _Sending, now_ms: int) -> list[Piece]:
        if not self._parameters[PACKETED]:
            return [Piece(0, sending.data[1:] + (b"" if self._now.suffix else b"\r"))]
        self._now.waiting.append(sending)
        return self._send(now_ms) if len(self._now.waiting) == 1 else []

    # --- sending --------------------------------------------------------------------------

    def _send(self, now_ms: int) -> list[Piece]:
        """The first of what waits, once more or for the first time."""
        if not self._now.waiting:
            self._now.until = None
            return []
        sending = self._now.waiting[0]
        status = sending.status | (ssi.RESENT if sending.sent else 0)
        raw = ssi.packet(ssi.DECODE, sending.data, status)
        sending.sent += 1
        if sending.damaged:
            sending.damaged -= 1
            raw = raw[:5] + bytes([raw[5] ^ 0x10]) + raw[6:]
        raw += sending.with_it
        sending.with_it = b""
        if not self._parameters[HANDSHAKE]:
            self._now.waiting.pop(0)
            return [Piece(0, raw), *self._send(now_ms)]
        begin = max(0, self._now.busy_until - now_ms)
        step, apart = -(-len(raw) // sending.parts), sending.apart_ms
        sending.parts, sending.apart_ms = 1, 0
        pieces = [
            Piece(begin + i * apart, raw[at : at + step])
            for i, at in enumerate(range(0, len(raw), step))
        ]
        self._now.busy_until = now_ms + pieces[-1].at_ms
        self._now.until = self._now.busy_until + WAIT_MS
        return pieces

    def _send_again(self, now_ms: int) -> list[Piece]:
        if self._now.waiting and self._now.waiting[0].sent > RESENDS:
            self._errors += 1
            self._now.waiting.pop(0)
        return self._send(now_ms)

    def _say(self, opcode: int, data: bytes = b"") -> list[Piece]:
        """An answer to a command; acknowledgements only where it is set to give any."""
        if opcode in (ssi.ACK, ssi.NAK) and not self._parameters[HANDSHAKE]:
            return []
        return [Piece(ANSWER_MS, ssi.packet(opcode, data))]

    # --- obeying --------------------------------------------------------------------------

    def _obey(self, packet: ssi.HostPacket, now_ms: int) -> list[Piece]:
        if packet.opcode == ssi.ACK:
            return self._acknowledged(now_ms)
        if packet.opcode == ssi.NAK:
            wanted = packet.data[:1] == bytes([RESEND]) and self._now.waiting
            return self._send_again(now_ms) if wanted else []
        if self._refuse:
            return self._say(ssi.NAK, bytes([self._refuse.pop(0)]))
        match packet.opcode:
            case 0xA3:
                return self._say(ssi.REVISION, self._revision)
            case ssi.PARAM_SEND:
                answer = self._say(ssi.ACK)
                self._set(packet)
                return answer
            case ssi.PARAM_REQUEST:
                pairs = [(n, self._parameters.get(n, 0)) for n in packet.data]
                return self._say(ssi.PARAM_SEND, bytes([0xFF, *(b for p in pairs for b in p)]))
            case _:
                done = self._act(packet.opcode, packet.data, now_ms)
                return self._say(ssi.ACK) if done else self._say(ssi.NAK, bytes([DENIED]))

    def _acknowledged(self, now_ms: int) -> list[Piece]:
        waiting = self._now.waiting
        if not waiting:
            return []
        if waiting[0].deaf:
            waiting[0].deaf -= 1
            return []
        waiting.pop(0)
        return self._send(now_ms)

    def _set(self, packet: ssi.HostPacket) -> None:
        pairs = packet.data[1:]
        for at in range(0, len(pairs) - 1, 2):
            self._parameters[pairs[at]] = pairs[at + 1]
            if packet.status & 0x08:
                self._for_good[pairs[at]] = pairs[at + 1]

    def _act(self, opcode: int, data: bytes, now_ms: int) -> bool:
        """Do it; False when it cannot be done."""
        match opcode:
            case 0xE9 | 0xEA:
                self._now.enabled = opcode == 0xE9
            case 0xD2:
                self._now.waiting.clear()
                self._now.until = None
            case 0xE6 if data:
                self._beeps.append(data[0])
            case 0xE7 if data:
                self._now.leds |= data[0]
            case 0xE8 if data:
                self._now.leds &= ~data[0] & 0xFF
            case 0xE4 | 0xE5 if self._parameters[TRIGGER] == BY_HOST:
                self._now.session_until = now_ms + SESSION_MS if opcode == 0xE4 else None
            case 0xC8:
                self._parameters = dict(DEFAULTS)
            case _:
                return False
        return True

    def _configured(self, params: dict[str, object]) -> None:
        if not self._parameters[SCAN_SETTINGS] and not number(params, "force"):
            return
        match text(params, "setting"):
            case "plain_text":
                self._parameters[PACKETED] = 0
            case "no_handshake":
                self._parameters[HANDSHAKE] = 0
            case "suffix":
                self._now.suffix = suffix_bytes(text(params, "suffix"))
            case "defaults":
                self._parameters = dict(DEFAULTS)
            case other:
                raise CodeError(f"{other!r}: plain_text, no_handshake, suffix or defaults")
