"""The lines between the station and its camera reader, a program of its own.

    {"say":"read","n":7,"face":"KH","by":["index"],...}#5F3A09C1

A line is a JSON object, `#`, the CRC-32 of the object's bytes (zlib's, eight upper-case hex digits)
and LF. A pipe damages nothing; but a library that prints where it should not could, and no damage
may make one card of another. Times are monotonic nanoseconds, of the clock which both share.

Up: `hello`, `ready`, then `read`, `cut_card`, `no_read`, `presence`, `trouble`, `trouble_over`,
`note`, and `figures` each second, which is the heartbeat. Down: `settings` first, `enable`, `bye`.
What passed the window (`read`, `cut_card`, `no_read`) is numbered from 1 in `n` without a gap; the
process that writes the lines gives the number, so whoever makes one leaves it 0.
"""

from __future__ import annotations

import itertools
import re
import zlib
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from drivers.observations import Evidence

VERSION = 1
# A line longer than this is none.
LIMIT = 16 * 1024
_TAIL = 9
_MARK = b'{"say":'

Count = Annotated[int, Meta(ge=0, le=2**53)]
Time = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Code = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Text = Annotated[str, Meta(max_length=256)]
Detail = Annotated[str, Meta(max_length=2000)]
Face = Annotated[str, Meta(pattern=r"^[A23456789TJQK][SHDC]\Z")]
Pictures = Annotated[tuple[Evidence, ...], Meta(max_length=16)]
Witness = Literal["barcode", "index"]
Witnesses = Annotated[tuple[Witness, ...], Meta(min_length=1, max_length=2)]


class Line(Struct, frozen=True, kw_only=True, tag_field="say", forbid_unknown_fields=True):
    """Base of all."""


# --- up -------------------------------------------------------------------------------------


class Hello(Line, frozen=True, kw_only=True, tag="hello"):
    """The first line. `what`: source, size and pictures a second as they were had, decoders.
    `missing`: what is not installed, such as `pyzbar: libzbar0`.
    """

    version: int
    pid: Count
    what: Detail
    missing: tuple[Text, ...] = ()


class Ready(Line, frozen=True, kw_only=True, tag="ready"):
    """The camera gives pictures that show something: from now on cards are read."""


class Read(Line, frozen=True, kw_only=True, tag="read"):
    """A card passed and was read. `deck` 0 and `set`, `text` "" where no code told them. `checked`:
    a check character was there and right. `by`: who read it. `frames`: in how many pictures.
    `came`: it was seen coming out of the shoe, not held into the window from the table. `at_ns`:
    when the last of them was taken.
    """

    n: Count = 0
    face: Face
    set: Annotated[str, Meta(max_length=1)] = ""
    deck: Annotated[int, Meta(ge=0, le=99)] = 0
    text: Text = ""
    checked: bool = False
    by: Witnesses
    frames: Count = 0
    came: bool = True
    at_ns: Time = 0
    evidence: Pictures = ()


class CutOut(Line, frozen=True, kw_only=True, tag="cut_card"):
    """The cut card passed. `text` "" where it was told by its look."""

    n: Count = 0
    set: Annotated[str, Meta(max_length=1)] = ""
    text: Text = ""
    frames: Count = 0
    at_ns: Time = 0
    evidence: Pictures = ()


class Missed(Line, frozen=True, kw_only=True, tag="no_read"):
    """Something passed and what it was cannot be told. `reason` as in `observations.NoRead`;
    `text`: what was read of a code. `detail`: for the technician.
    """

    n: Count = 0
    reason: Code
    text: Text = ""
    detail: Detail = ""
    at_ns: Time = 0
    evidence: Pictures = ()


class Presence(Line, frozen=True, kw_only=True, tag="presence"):
    """What comes and goes in the window, for setting up; cards are told by the lines above.
    `pushed_back` stands beside the `no_read` of that name, if one is due.
    """

    edge: Literal["entered", "left", "pushed_back", "hand", "hand_gone"]
    at_ns: Time = 0


class Fault(Line, frozen=True, kw_only=True, tag="trouble"):
    """A fault that stays until `trouble_over`."""

    code: Code
    detail: Detail = ""


class FaultOver(Line, frozen=True, kw_only=True, tag="trouble_over"):
    """The fault is gone."""

    code: Code


class Remark(Line, frozen=True, kw_only=True, tag="note"):
    """For the technician."""

    code: Code
    detail: Detail = ""


class Numbers(Line, frozen=True, kw_only=True, tag="figures"):
    """Each second. `fps`: pictures looked at; `dropped`: those that came too fast for it, since
    the last; `p50_ms`, `p99_ms`: how long one took; `light`, `glare`, `sharpness` as in
    `drivers.camera.sight.Figures`; `empty_light`: of the empty window, once it is learned;
    `frame`: the number of the last picture. `travel`: which way cards go, "" until it is known.
    """

    fps: float = 0.0
    dropped: Count = 0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    light: float = 0.0
    glare: float = 0.0
    sharpness: float | None = None
    empty_light: float = 0.0
    frame: Count = 0
    travel: Literal["", "right", "left", "up", "down"] = ""


# --- down -----------------------------------------------------------------------------------


class Settings(Line, frozen=True, kw_only=True, tag="settings"):
    """The first line down: the device's entry as configured, a `drivers.kinds.camera.CameraSpec`.
    `failpoint`: where the program shall die, for tests; "" for a table. `light`: that of the empty
    window, as an earlier process learned it; 0 for not known. `travel`: the way cards go, likewise.
    """

    spec: dict[str, Any]
    failpoint: Text = ""
    light: float = 0.0
    travel: Literal["", "right", "left", "up", "down"] = ""


class Enable(Line, frozen=True, kw_only=True, tag="enable"):
    """Read cards, or look on without reading."""

    on: bool


class Keep(Line, frozen=True, kw_only=True, tag="keep"):
    """Whether pictures of what is read are kept: none of a set that is checked or shuffled."""

    on: bool


class Bye(Line, frozen=True, kw_only=True, tag="bye"):
    """The station lets go: end."""


Passed: TypeAlias = Read | CutOut | Missed
Event: TypeAlias = Read | CutOut | Missed | Presence | Fault | FaultOver | Remark
Up: TypeAlias = Hello | Ready | Event | Numbers
Down: TypeAlias = Settings | Enable | Keep | Bye

# How a `ready` begins.
READY = b'{"say":"ready"'

_UP = msgspec.json.Decoder(Up)
_DOWN = msgspec.json.Decoder(Down)


class NoLine(ValueError):
    """These bytes are no line; the text says why."""


def encode(line: Up | Down) -> bytes:
    """A whole line, its end included. Raises NoLine when it would be too long."""
    body = msgspec.json.encode(line)
    if len(body) + _TAIL + 1 > LIMIT:
        raise NoLine(f"{len(body)} bytes are longer than a line")
    return b"%b#%08X\n" % (body, zlib.crc32(body))


def up(raw: bytes) -> Up:
    """A line from the reader, with or without its LF. Raises NoLine."""
    try:
        return _UP.decode(_body(raw))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NoLine(str(error)) from error


def down(raw: bytes) -> Down:
    """A line from the station, with or without its LF. Raises NoLine."""
    try:
        return _DOWN.decode(_body(raw))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NoLine(str(error)) from error


def _body(raw: bytes) -> bytes:
    line = raw.removesuffix(b"\n")
    body, tail = line[:-_TAIL], line[-_TAIL:]
    if not body.startswith(_MARK):
        raise NoLine("it is no line of the reader's")
    if tail != b"#%08X" % zlib.crc32(body):
        raise NoLine("its check is wrong")
    return body


class Cutter:
    """Bytes to lines. Holds at most one of `LIMIT` bytes; a longer one is cut in pieces that are no
    lines, and each is handed out as such.
    """

    def __init__(self) -> None:
        self._held = bytearray()

    @property
    def waiting(self) -> bool:
        """Whether a line has begun and not ended."""
        return bool(self._held)

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that ended in these bytes, LF included, in order."""
        lines: list[bytes] = []
        for piece in _pieces(data):
            self._add(piece, lines)
        return lines

    def drop(self) -> bytes:
        """What is half received, forgotten."""
        half = bytes(self._held)
        self._held.clear()
        return half

    def _add(self, piece: bytes, lines: list[bytes]) -> None:
        while len(self._held) + len(piece) > LIMIT:
            room = LIMIT - len(self._held)
            lines.append(bytes(self._held) + piece[:room])
            self._held.clear()
            piece = piece[room:]
        self._held += piece
        if self._held.endswith(b"\n"):
            lines.append(bytes(self._held))
            self._held.clear()


def parts(raw: bytes) -> list[bytes]:
    """What stands in a line: more than one where an end was lost, or half a line stands before it.
    Inside a line the mark cannot occur: JSON writes the quote in a text with a backslash.
    """
    places = [found.start() for found in re.finditer(re.escape(_MARK), raw)]
    bounds = sorted({0, *places, len(raw)})
    return [raw[a:b] for a, b in itertools.pairwise(bounds)]


def _pieces(data: bytes) -> list[bytes]:
    """Cut after each LF."""
    pieces = [piece + b"\n" for piece in data.split(b"\n")]
    last = pieces.pop()[:-1]
    return [*pieces, last] if last else pieces
