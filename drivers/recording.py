"""A recording of a device: every call its protocol got and every byte that went out, with times.

A text file of JSON lines. The first is the header (`Header`), each other one thing (`Event`):

    {"recording":"dealer-station device","version":1,"kind":"text-line","settings":{...},...}
    {"ms":0.0,"did":"opened"}
    {"ms":812.4411,"did":"in","hex":"41 4B 48 33 35 0D"}
    {"ms":812.9,"did":"out","hex":"16 07 0D"}

`ms` is milliseconds since the start, exact to the nanosecond. Because the calls are written down
and not only the bytes, the same protocol run over them (`decode`) says exactly what it said then.

Each line is handed to the system before the protocol sees what it tells of: a program that is
killed loses nothing but, at worst, the end of one line.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from drivers.catalog import kind_name, kind_of, spec_of
from drivers.observations import AnyObservation
from drivers.protocols.base import (
    Beep,
    Capability,
    Command,
    DeviceProtocol,
    Flush,
    Out,
    Trigger,
    Wanted,
)
from drivers.specs import DeviceSpec

MARK = "dealer-station device"
VERSION = 1
LIMIT = 64 * 1024 * 1024
_MS = 1_000_000
_ROOM_FOR_THE_END = 256
_SECRET = ("secret", "password", "passphrase", "token", "pin", "key")
_COMMANDS: dict[str, Command] = {
    "beep_good": Beep("good"),
    "beep_bad": Beep("bad"),
    "trigger_on": Trigger(True),
    "trigger_off": Trigger(False),
    "flush": Flush(),
}
_NAMES = {command: name for name, command in _COMMANDS.items()}


class RecordingError(Exception):
    """The file is no whole recording, or cannot be written; the message names file and line."""


class Header(Struct, frozen=True, kw_only=True):
    """`settings`: the device's entry as configured, without secrets, whose names are `left_out`.
    `start`: UTC; `start_ns`: the monotonic clock then. `release`: the program that recorded.
    """

    recording: str
    version: int
    kind: str
    settings: dict[str, Any]
    release: str
    start: str
    start_ns: int
    left_out: tuple[str, ...] = ()


Did = Literal["opened", "in", "out", "tick", "want", "command", "closed", "full"]


class Event(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`in`, `out`: bytes, in `hex`. `tick`: the protocol was told that time passed. `want`,
    `command`: what the station asked for. `full`: the recording's size was reached here.
    """

    ms: Annotated[float, Meta(ge=0, le=1e12)]
    did: Did
    hex: str = ""
    want: Wanted | None = None
    command: str = ""

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)


class Recording(Struct, frozen=True):
    """A file read back. `torn`: the bytes of a last line that was cut off, not used."""

    header: Header
    events: tuple[Event, ...]
    torn: str = ""


# --- writing ------------------------------------------------------------------------------


class Recorder:
    """Writes one recording. Wrap the protocol before the device gets it, `close` it at the end.

    `ended` is set when nothing more is written, and `why` says why; `failed` when that is not
    because the size was reached. The device itself goes on.
    """

    def __init__(
        self,
        file: Path,
        spec: DeviceSpec,
        *,
        release: str,
        start: str,
        start_ns: int,
        limit: int = LIMIT,
    ) -> None:
        """`limit`: bytes. Raises RecordingError when the file exists or cannot be made."""
        self.ended = threading.Event()
        self.why = ""
        self.failed = False
        self.size = 0
        self._limit = limit
        self._start_ns = start_ns
        settings, left_out = _without_secrets(spec)
        header = Header(
            recording=MARK,
            version=VERSION,
            kind=kind_name(spec),
            settings=settings,
            release=release,
            start=start,
            start_ns=start_ns,
            left_out=left_out,
        )
        try:
            self._fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640)
        except FileExistsError:
            raise RecordingError(f"{file}: it exists already; name a new file") from None
        except OSError as error:
            raise RecordingError(f"{file}: {error.strerror or error}") from error
        self._put(msgspec.json.encode(header))

    def wrap(self, protocol: DeviceProtocol) -> DeviceProtocol:
        """The same protocol, written down."""
        return _Recorded(protocol, self)

    def note(self, now_ns: int, event: Event) -> None:
        """Write one event; its `ms` is filled in. Never raises."""
        if self.ended.is_set():
            return
        ms = round((now_ns - self._start_ns) / _MS, 6)
        line = msgspec.json.encode(msgspec.structs.replace(event, ms=ms))
        if self.size + len(line) + _ROOM_FOR_THE_END > self._limit:
            self._put(msgspec.json.encode(Event(ms, "full")))
            self._end(f"it has reached its size of {self._limit} bytes")
        else:
            self._put(line)

    def close(self) -> None:
        """Nothing more is written."""
        self._end("closed")
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _put(self, line: bytes) -> None:
        data = line + b"\n"
        self.size += len(data)
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            self.failed = not self.ended.is_set()
            self._end(f"it cannot be written: {error.strerror or error}")

    def _end(self, why: str) -> None:
        if not self.ended.is_set():
            self.why = why
            self.ended.set()


class _Recorded:
    """A protocol whose every call is written down before it is made."""

    def __init__(self, inner: DeviceProtocol, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self._inner.capabilities

    def start(self, now_ns: int) -> Out:
        self._recorder.note(now_ns, Event(0, "opened"))
        return self._through(self._inner.start(now_ns), now_ns)

    def feed(self, data: bytes, now_ns: int) -> Out:
        self._recorder.note(now_ns, Event(0, "in", _hex(data)))
        return self._through(self._inner.feed(data, now_ns), now_ns)

    def tick(self, now_ns: int) -> Out:
        self._recorder.note(now_ns, Event(0, "tick"))
        return self._through(self._inner.tick(now_ns), now_ns)

    def send(self, command: Command, now_ns: int) -> Out:
        self._recorder.note(now_ns, Event(0, "command", command=_NAMES[command]))
        return self._through(self._inner.send(command, now_ns), now_ns)

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        self._recorder.note(now_ns, Event(0, "want", want=wanted))
        return self._through(self._inner.want(wanted, now_ns), now_ns)

    def reset(self, now_ns: int) -> Out:
        self._recorder.note(now_ns, Event(0, "closed"))
        return self._through(self._inner.reset(now_ns), now_ns)

    def _through(self, out: Out, now_ns: int) -> Out:
        for data in out.write:
            self._recorder.note(now_ns, Event(0, "out", _hex(data)))
        return out


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()


def _without_secrets(spec: DeviceSpec) -> tuple[dict[str, Any], tuple[str, ...]]:
    settings: dict[str, Any] = msgspec.to_builtins(spec)
    secret = tuple(
        key for key in settings if any(part in f"_{key}_" for part in map("_{}_".format, _SECRET))
    )
    return {key: value for key, value in settings.items() if key not in secret}, secret


# --- reading ------------------------------------------------------------------------------


def load(file: Path) -> Recording:
    """Read a recording. Raises RecordingError naming the line; a torn last line is left out."""
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordingError(f"{file}: {error.strerror or error}") from error
    header = _header(file, lines[0])
    decoder = msgspec.json.Decoder(Event)
    events: list[Event] = []
    last = len(lines)
    for number, line in enumerate(lines[1:], 2):
        if not line and number == last:
            break
        try:
            event = decoder.decode(line)
            _check(event, events[-1].ms if events else None)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            # Only the line a dying program was writing has no end; any other fault is a damage.
            if number == last:
                return Recording(header, tuple(events), line.decode(errors="backslashreplace"))
            raise RecordingError(f"{file}: line {number}: {error}") from error
        events.append(event)
    return Recording(header, tuple(events))


def _header(file: Path, line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordingError(
            f"{file}: line 1: not the head of a recording ({error}); "
            "`dealer-station device record` makes one"
        ) from error
    if header.recording != MARK:
        raise RecordingError(
            f"{file}: line 1: a recording of {header.recording!r}, not of a device"
        )
    if header.version != VERSION:
        raise RecordingError(
            f"{file}: line 1: version {header.version} of the format, and this release reads "
            f"{VERSION}; use the release that made it ({header.release})"
        )
    return header


def _check(event: Event, before_ms: float | None) -> None:
    try:
        data = event.data
    except ValueError:
        raise ValueError(f"hex {event.hex!r}: bytes such as 41 4B 0D") from None
    if data and event.did not in ("in", "out"):
        raise ValueError(f"{event.did!r} with {len(data)} bytes")
    if event.did == "want" and event.want is None:
        raise ValueError("'want' without what is wanted")
    if event.did == "command" and event.command not in _COMMANDS:
        raise ValueError(f"command {event.command!r}: one of {', '.join(_COMMANDS)}")
    if before_ms is not None and event.ms < before_ms:
        raise ValueError(f"ms {event.ms}: earlier than the line before it ({before_ms})")


# --- running it again ---------------------------------------------------------------------


def spec_from(header: Header) -> DeviceSpec:
    """The device as it was set up. Raises RecordingError when this release cannot."""
    try:
        return spec_of(dict(header.settings))
    except ValueError as error:
        left = f"; left out of the recording: {', '.join(header.left_out)}"
        raise RecordingError(
            f"line 1: settings: {error}{left if header.left_out else ''}"
        ) from error


def decode(recording: Recording) -> Iterator[tuple[Event, Out]]:
    """Run the recording through its protocol: each call and what came of it, in order. Equal
    times, equal calls: the observations are those of the recording, to the nanosecond.
    """
    spec = spec_from(recording.header)
    _, protocol = kind_of(kind_name(spec)).make(spec)
    for event in recording.events:
        now_ns = recording.header.start_ns + round(event.ms * _MS)
        out = _call(protocol, event, now_ns)
        if out is not None:
            yield event, out


def observations(recording: Recording) -> Iterator[AnyObservation]:
    """What its protocol says about a recording."""
    for _, out in decode(recording):
        yield from out.observations


def _call(protocol: DeviceProtocol, event: Event, now_ns: int) -> Out | None:
    match event.did:
        case "opened":
            return protocol.start(now_ns)
        case "in":
            return protocol.feed(event.data, now_ns)
        case "tick":
            return protocol.tick(now_ns)
        case "closed":
            return protocol.reset(now_ns)
        case "want" if event.want is not None:
            return protocol.want(event.want, now_ns)
        case "command":
            return protocol.send(_COMMANDS[event.command], now_ns)
        case _:
            return None
