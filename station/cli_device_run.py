"""What `device test`, `record` and `replay` do."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import msgspec

from drivers.catalog import kind_name, kind_of
from drivers.device import Device
from drivers.observations import Badge
from drivers.recording import Recorder, Recording, decode
from drivers.replay import replay
from drivers.specs import DeviceSpec
from station.cli_common import json_out, say
from station.cli_device_live import NO_TABLE, Screen, closing, plain
from station.cli_device_probe import Probe, Said
from station.cli_device_words import fix_of, in_words

NOT_OPENED = 1
REFUSED = 2
_FINAL = ("busy", "denied", "misconfigured")
_STEP_S = 0.2

Beeping = Literal["good", "bad", ""]


# --- device test --------------------------------------------------------------------------


def watch(
    spec: DeviceSpec,
    seconds: float | None,
    beep: str,
    *,
    as_json: bool,
    stop: threading.Event,
) -> int:
    """Show one device until it is time. The exit code: 0 it was opened, 1 never, 2 refused."""
    probe = Probe(spec)
    sound: Beeping = "good" if beep == "good" else "bad" if beep == "bad" else ""
    until = None if seconds is None else time.monotonic() + seconds
    probe.start()
    try:
        with contextlib.suppress(BrokenPipeError):
            happenings = _until(probe, until, sound, stop.is_set)
            if as_json:
                _as_lines(probe, happenings)
            elif sys.stdout.isatty():
                _live(probe, spec, happenings)
            else:
                _plainly(probe, spec, happenings)
    finally:
        probe.stop()
        _nobody_reads()
    counted = probe.counted
    if counted.opened:
        return 0
    if counted.health in _FINAL:
        _complain(spec, counted.health, counted.detail)
        return REFUSED
    return NOT_OPENED


def _until(
    probe: Probe, until: float | None, beep: Beeping, stopped: Callable[[], bool]
) -> Iterator[Said]:
    """What happens, until it is time or the port cannot be had at all."""
    while not stopped() and (until is None or time.monotonic() < until):
        step = time.monotonic() + _STEP_S
        for said in probe.events(step if until is None else min(step, until), beep=beep):
            beep = "" if said.what == "beep" else beep
            yield said
            if said.what == "health" and said.health in _FINAL and not probe.counted.opened:
                return


def _as_lines(probe: Probe, happenings: Iterator[Said]) -> None:
    for said in happenings:
        json_out(said)
    json_out(probe.summary())


def _plainly(probe: Probe, spec: DeviceSpec, happenings: Iterator[Said]) -> None:
    say(f"{spec.name}: {probe.kind} at {spec.port}. {NO_TABLE}")
    for said in happenings:
        say(plain(said))
    say(closing(probe.counted))


def _live(probe: Probe, spec: DeviceSpec, happenings: Iterator[Said]) -> None:
    from rich.live import Live

    screen = Screen(probe, spec.name, spec.port)
    with Live(screen, refresh_per_second=10):
        for said in happenings:
            screen.add(said)
    say(closing(probe.counted))


def _complain(spec: DeviceSpec, health: str, detail: str) -> None:
    sys.stderr.write(f"dealer-station: device {spec.name!r}: {fix_of(health)} ({detail})\n")


def _nobody_reads() -> None:
    """Whoever read our lines has gone: what is left goes nowhere, and is no failure."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


# --- device record ------------------------------------------------------------------------


def record(
    spec: DeviceSpec, file: Path, seconds: float | None, limit: int, *, stop: threading.Event
) -> str:
    """Record until it is time or the file is full. Why it failed, if it did: the port cannot be
    had, or the disk fails; else "". Raises RecordingError when the file cannot be made.
    """
    port, protocol = kind_of(kind_name(spec)).make(spec)
    recorder = Recorder(
        file,
        spec,
        release=metadata.version("dealer-station"),
        start=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        start_ns=time.monotonic_ns(),
        limit=limit,
    )
    probe = Probe(
        spec, lambda sink, tap: Device(spec.name, port, recorder.wrap(protocol), sink, tap=tap)
    )
    say(f"recording {spec.name} into {file}; Ctrl-C ends. {NO_TABLE}")
    probe.start()
    try:
        until = None if seconds is None else time.monotonic() + seconds
        for said in _until(probe, until, "", lambda: stop.is_set() or recorder.ended.is_set()):
            if said.what in ("observation", "health"):
                say(plain(said))
        why = recorder.why
    finally:
        probe.stop()
        recorder.close()
    say(f"{file}: {recorder.size} bytes")
    counted = probe.counted
    if not counted.opened:
        return f"device {spec.name!r}: {fix_of(counted.health)} ({counted.detail})"
    if recorder.failed:
        return f"{file}: {why}"
    if why:
        say(f"ended: {why}")
    return ""


# --- device replay ------------------------------------------------------------------------


def decoded(recording: Recording, *, as_json: bool) -> None:
    """Print what the protocol makes of a recording. Raises RecordingError."""
    head = recording.header
    release = metadata.version("dealer-station")
    cards = others = 0
    if not as_json:
        say(f"{head.kind} recorded {head.start} by release {head.release}, read by {release}")
    for event, out in decode(recording):
        for seen in out.observations:
            told: dict[str, Any] = msgspec.to_builtins(seen)
            card = told["saw"] in ("card", "cut_card")
            cards, others = cards + card, others + (not card)
            at_ms = round((seen.at_ns - head.start_ns) / 1e6, 6)
            if as_json:
                told = {**told, "raw": seen.raw.hex(" ").upper(), "at_ms": at_ms}
                if isinstance(seen, Badge):
                    told = {**told, "text": "", "raw": ""}
                del told["at_ns"]
                json_out({"at_ms": event.ms, "what": "observation", "observation": told})
            else:
                say(f"{event.ms / 1000:9.3f}  {in_words(seen)}")
    if not as_json:
        say(f"{cards} cards and cut cards, {others} other observations")


def replayed(recording: Recording, link: Path, speed: float, *, as_json: bool) -> None:
    """Play a recording on a port. Raises RecordingError, ReplayError."""
    told = (lambda text: None) if as_json else say
    played = replay(recording, link, speed=speed, told=told)
    if as_json:
        json_out({"ok": True, **msgspec.to_builtins(played)})
        return
    say(f"played {played.sent} bytes; the reader of the port sent {played.taken}")
    if played.lost:
        say(f"{played.lost} bytes were taken by nobody: the reader had closed the port")
    if played.recorded and not played.taken:
        say("when it was recorded the station wrote to the device; this reader did not")
