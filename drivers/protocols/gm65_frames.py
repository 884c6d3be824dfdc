"""Commands and replies of Grow GM65 and GM812 modules, and how they are told from scanned text.

To the module: `7E 00 type length address(2) data... crc(2)`; the CRC is CRC-16/XMODEM (polynomial
1021, initial 0) over everything after `7E 00`, and `AB CD` in its place means "do not check".
Back: `02 00 00 length data... crc(2)`, the CRC over `00 length data`. A reply to a write holds one
byte 00, and every read here asks for one byte; so a reply is 7 bytes long, `02 00 00 01` first.

Text comes on the same wire with no mark at all. No text holds `02 00`, so a whole reply is cut out
wherever it stands, and everything else is text: also a reply that is damaged, because a wrong
length in it must not swallow a code.
"""

from __future__ import annotations

import binascii

from msgspec import Struct

READ, WRITE, SAVE, HEARTBEAT = 0x07, 0x08, 0x09, 0x0A

TRIGGER = 0x0002
MODE = 0x0000
TERMINATOR = 0x000E
AIM_ID = 0x00D0
HARDWARE, SOFTWARE, SOFTWARE_YEAR = 0x00E1, 0x00E2, 0x00E3

GAP_NS = 100_000_000
_COMMAND, _REPLY = b"\x7e\x00", b"\x02\x00"
_HEAD = b"\x02\x00\x00\x01"
_SIZE = 7
_UNCHECKED = b"\xab\xcd"


def crc(data: bytes) -> bytes:
    """CRC-16/XMODEM, high byte first."""
    return binascii.crc_hqx(data, 0).to_bytes(2, "big")


class GmCommand(Struct, frozen=True):
    """A command. `data` of a read: how many bytes are wanted. Not `checked`: sent with the mark
    that says so.
    """

    type: int
    address: int = 0
    data: bytes = b"\x00"
    checked: bool = True

    def to_bytes(self) -> bytes:
        """As it goes over the wire."""
        head = bytes((self.type, 1 if self.type == READ else len(self.data)))
        body = head + self.address.to_bytes(2, "big") + self.data
        return _COMMAND + body + (crc(body) if self.checked else _UNCHECKED)

    @classmethod
    def from_bytes(cls, raw: bytes) -> GmCommand | None:
        """The command that `raw` is, or None when it is none or its CRC is wrong."""
        body, tail = raw[2:-2], raw[-2:]
        if raw[:2] != _COMMAND or len(body) < 5 or body[1] != len(body) - 4:
            return None
        if tail not in (crc(body), _UNCHECKED):
            return None
        address = int.from_bytes(body[2:4], "big")
        return cls(body[0], address, body[4:], tail != _UNCHECKED)


class GmReply(Struct, frozen=True):
    """A reply with one byte: 00 to a write or heartbeat, what stands there to a read."""

    value: int = 0

    def to_bytes(self) -> bytes:
        """As it comes over the wire."""
        body = bytes((0x00, 0x01, self.value))
        return _REPLY + body + crc(body)

    @classmethod
    def from_bytes(cls, raw: bytes) -> GmReply | None:
        """The reply that `raw` is, or None."""
        whole = len(raw) == _SIZE and raw[:4] == _HEAD and crc(raw[2:5]) == raw[5:]
        return cls(raw[4]) if whole else None


class Text(Struct, frozen=True):
    """Bytes that are no reply, and when the last of them came."""

    data: bytes
    at_ns: int


class Splitter:
    """Cuts replies out of what comes. Holds back at most the 6 bytes that may begin one."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._last_ns = 0

    @property
    def wake_at_ns(self) -> int | None:
        """When what is held back is no longer taken for a reply."""
        return self._last_ns + GAP_NS if self._held else None

    def feed(self, data: bytes, now_ns: int) -> list[GmReply | Text]:
        """Bytes came: replies, and the text before, between and after them, in order."""
        found: list[GmReply | Text] = []
        text = bytearray()
        for byte in data:
            self._held.append(byte)
            text += self._release()
            if len(self._held) == _SIZE:
                reply = GmReply.from_bytes(bytes(self._held))
                if reply is not None:
                    if text:
                        found.append(Text(bytes(text), now_ns))
                        text.clear()
                    found.append(reply)
                    self._held.clear()
                else:
                    text.append(self._held.pop(0))
                    text += self._release()
        if text:
            found.append(Text(bytes(text), now_ns))
        if data:
            self._last_ns = now_ns
        return found

    def settle(self, now_ns: int) -> list[GmReply | Text]:
        """Time passed: after the gap a half reply is text."""
        wake = self.wake_at_ns
        return self.flush() if wake is not None and now_ns >= wake else []

    def flush(self) -> list[GmReply | Text]:
        """Nothing more comes."""
        held, self._held = bytes(self._held), bytearray()
        return [Text(held, self._last_ns)] if held else []

    def _release(self) -> bytes:
        """What is held and cannot begin a reply."""
        out = bytearray()
        while self._held and not self._held.startswith(_HEAD[: len(self._held)]):
            out.append(self._held.pop(0))
        return bytes(out)
