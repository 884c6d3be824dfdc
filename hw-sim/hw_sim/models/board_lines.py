"""Lines of the board protocol as a board writes and reads them (docs/board-protocol.md)."""

from __future__ import annotations

from collections.abc import Iterator

HEARD_LIMIT = 32
SAID_LIMIT = 120


def check_of(body: bytes) -> str:
    """The four check digits of a body: CRC-16, polynomial 1021, as in XMODEM."""
    value = 0
    for byte in body:
        value ^= byte << 8
        for _ in range(8):
            value = ((value << 1) ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return f"{value:04X}"


def write(*words: object) -> bytes:
    """A line of these words."""
    body = " ".join(str(word) for word in words)
    return f"${body}*{check_of(body.encode('ascii'))}\n".encode("ascii")


class Ear:
    """Bytes to the words of whole lines, or to why a line is none: `check` or `long`."""

    def __init__(self, limit: int = HEARD_LIMIT) -> None:
        self._limit = limit
        self._line: bytearray | None = None

    def feed(self, data: bytes) -> Iterator[list[str] | str]:
        """Each line that ended in these bytes."""
        for byte in data:
            if byte == ord("$"):
                self._line = bytearray()
            elif self._line is not None and byte == ord("\n"):
                line, self._line = self._line, None
                yield self._judge(bytes(line))
            elif self._line is not None and len(self._line) <= self._limit:
                self._line.append(byte)

    def _judge(self, line: bytes) -> list[str] | str:
        # The limit counts the `$` and the LF too.
        if len(line) + 2 > self._limit:
            return "long"
        body, star, check = line.removesuffix(b"\r").partition(b"*")
        if not star or check != check_of(body).encode("ascii") or not body.isascii():
            return "check"
        return body.decode("ascii").split(" ")
