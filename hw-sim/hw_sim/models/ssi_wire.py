"""Packets of Zebra's Simple Serial Interface as a scanner builds and takes them.

`length opcode source status data.. checksum_hi checksum_lo`: the length counts all but the
checksum, which makes the 16-bit sum of all that goes before it zero.
"""

from __future__ import annotations

from dataclasses import dataclass

SCANNER, HOST = 0, 4
RESENT, MORE = 1, 2
DECODE, ACK, NAK = 0xF3, 0xD0, 0xD1
REVISION, PARAM_SEND, PARAM_REQUEST = 0xA4, 0xC6, 0xC7
CODE_128 = 0x03


@dataclass(frozen=True)
class HostPacket:
    """What the host sent, its checksum right."""

    opcode: int
    status: int
    data: bytes


def packet(opcode: int, data: bytes = b"", status: int = 0, source: int = SCANNER) -> bytes:
    """A packet as it goes out."""
    body = bytes([4 + len(data), opcode, source, status]) + data
    rest = 0x10000 - (sum(body) & 0xFFFF)
    return body + bytes([rest >> 8 & 0xFF, rest & 0xFF])


def take(received: bytearray) -> HostPacket | None:
    """Cut the first packet off what the host sent; None while it is not all there.

    Raises ValueError when it is none or damaged; `received` is then empty.
    """
    if not received:
        return None
    size = received[0]
    if size >= 4 and len(received) < size + 2:
        return None
    body, tail = bytes(received[:size]), bytes(received[size : size + 2])
    if size < 4 or (sum(body) + int.from_bytes(tail, "big")) & 0xFFFF or body[2] != HOST:
        received.clear()
        raise ValueError("damaged")
    del received[: size + 2]
    return HostPacket(body[1], body[3], body[4:])
