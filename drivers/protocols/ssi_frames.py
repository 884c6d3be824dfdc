"""Frames of the Simple Serial Interface (SSI) of Zebra and Symbol scanners.

A frame: `length opcode source status data... checksum(2)`. The length counts everything but the
checksum, 4 to 255. Source: 00 the scanner, 04 the host. The checksum is the two's complement of the
16-bit sum of all bytes before it, high byte first.

No byte marks a beginning, and a length can be any byte. So the framer tries every position in turn:
what cannot be a header, or has a wrong checksum, is noise by one byte, and the next byte is tried.
After noise only opcodes known here begin a frame. A frame begun and followed by `GAP_NS` of silence
is over: its first byte is noise too, and what came after it is searched in the same way. So no
noise, whatever length it pretends, costs the next whole frame; it can only delay it by the gap.
"""

from __future__ import annotations

from msgspec import Struct

SCANNER, HOST = 0x00, 0x04
RETRANSMITTED, MORE = 0x01, 0x02

DECODE_DATA = 0xF3
ACK, NAK, FLUSH_QUEUE = 0xD0, 0xD1, 0xD2
START_DECODE, STOP_DECODE = 0xE4, 0xE5
BEEP, LED_ON, LED_OFF = 0xE6, 0xE7, 0xE8
SCAN_ENABLE, SCAN_DISABLE = 0xE9, 0xEA
PARAM_SEND, EVENT = 0xC6, 0xF6
REQUEST_REVISION, REPLY_REVISION = 0xA3, 0xA4

# What a scanner sends, by opcode.
NAMES = {
    ACK: "ACK",
    NAK: "NAK",
    DECODE_DATA: "DECODE_DATA",
    REPLY_REVISION: "REPLY_REVISION",
    PARAM_SEND: "PARAM_SEND",
    EVENT: "EVENT",
    0xD4: "CAPABILITIES_REPLY",
    0xA6: "REPLY_ID",
    0x73: "MULTIPACKET_SEGMENT",
    0x74: "MULTIPACKET_ACK",
}
NAK_RESEND, NAK_BAD_CONTEXT, NAK_DENIED, NAK_CANCEL = 0x01, 0x02, 0x06, 0x0A
CAUSES = {
    NAK_RESEND: "send again",
    NAK_BAD_CONTEXT: "not now",
    NAK_DENIED: "denied",
    NAK_CANCEL: "not wanted",
}

GAP_NS = 100_000_000
NOISE_LIMIT = 512
NOISE_KEPT = 64
_HEADER, _CHECKSUM = 4, 2
_SLICE = 256


class SsiFrame(Struct, frozen=True):
    """One frame. `status`: bit 0 sent again, bit 1 more of the message follows, others ignored."""

    opcode: int
    data: bytes = b""
    source: int = HOST
    status: int = 0

    @property
    def name(self) -> str:
        """The protocol's own word for it."""
        return NAMES.get(self.opcode, f"opcode {self.opcode:02X}")

    def to_bytes(self) -> bytes:
        """As it goes over the wire. Raises ValueError when the data is too long."""
        if len(self.data) > 255 - _HEADER:
            raise ValueError(f"{len(self.data)} bytes of data: a frame holds {255 - _HEADER}")
        head = bytes((_HEADER + len(self.data), self.opcode, self.source, self.status))
        return head + self.data + checksum(head + self.data)

    @classmethod
    def from_bytes(cls, raw: bytes) -> SsiFrame | None:
        """The frame that `raw` is, or None when its length or checksum is wrong."""
        size = len(raw) - _CHECKSUM
        if size < _HEADER or raw[0] != size or checksum(raw[:size]) != raw[size:]:
            return None
        return cls(opcode=raw[1], data=raw[_HEADER:size], source=raw[2], status=raw[3])


class Cut(Struct, frozen=True):
    """What the framer cut out of the bytes: a frame, or None for noise, of which the first
    `NOISE_KEPT` bytes are kept. `at_ns`: when the last byte of it came.
    """

    frame: SsiFrame | None
    raw: bytes
    at_ns: int


class SsiFramer:
    """Cuts frames of a scanner out of bytes. Holds at most one frame and the noise before it."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._came: list[int] = []
        self._clean = True
        self._noise = bytearray()
        self._noise_count = 0
        self._noise_ns = 0
        self._last_ns = 0

    @property
    def wake_at_ns(self) -> int | None:
        """When the gap makes an end of what is half here."""
        return self._last_ns + GAP_NS if self._buffer or self._noise_count else None

    def feed(self, data: bytes, now_ns: int) -> list[Cut]:
        """Bytes came: the frames and the noise that ended in them, in order."""
        cuts: list[Cut] = []
        for start in range(0, len(data), _SLICE):
            part = data[start : start + _SLICE]
            self._buffer += part
            self._came += [now_ns] * len(part)
            self._search(cuts, over=False)
        if data:
            self._last_ns = now_ns
        return cuts

    def settle(self, now_ns: int) -> list[Cut]:
        """Time passed: after the gap nothing is waited for."""
        wake = self.wake_at_ns
        return self.flush() if wake is not None and now_ns >= wake else []

    def flush(self) -> list[Cut]:
        """Nothing more comes: what is here is cut as it is."""
        cuts: list[Cut] = []
        self._search(cuts, over=True)
        self._end_noise(cuts)
        self._clean = True
        return cuts

    def _search(self, cuts: list[Cut], *, over: bool) -> None:
        at, size = 0, len(self._buffer)
        while at < size:
            whole = self._whole(at)
            if whole is None or at + whole > size:
                if whole is not None and not over:
                    break
                frame = None
            else:
                frame = SsiFrame.from_bytes(bytes(self._buffer[at : at + whole]))
            if frame is None or whole is None:
                self._add_noise(cuts, self._buffer[at], self._came[at])
                at += 1
                continue
            self._end_noise(cuts)
            end = at + whole
            cuts.append(Cut(frame, bytes(self._buffer[at:end]), self._came[end - 1]))
            self._clean = True
            at = end
        del self._buffer[:at], self._came[:at]

    def _whole(self, at: int) -> int | None:
        """How long the frame that begins there is, None when none can."""
        head = self._buffer[at : at + 3]
        if head[0] < _HEADER:
            return None
        if not self._clean and len(head) > 1 and head[1] not in NAMES:
            return None
        if len(head) > 2 and head[2] != SCANNER:
            return None
        return head[0] + _CHECKSUM

    def _add_noise(self, cuts: list[Cut], byte: int, came_ns: int) -> None:
        self._clean = False
        self._noise_count += 1
        self._noise_ns = came_ns
        if len(self._noise) < NOISE_KEPT:
            self._noise.append(byte)
        if self._noise_count >= NOISE_LIMIT:
            self._end_noise(cuts)

    def _end_noise(self, cuts: list[Cut]) -> None:
        if self._noise_count:
            cuts.append(Cut(None, bytes(self._noise), self._noise_ns))
            self._noise.clear()
            self._noise_count = 0


def checksum(data: bytes) -> bytes:
    """The two bytes that end a frame."""
    return (-sum(data) & 0xFFFF).to_bytes(2, "big")
