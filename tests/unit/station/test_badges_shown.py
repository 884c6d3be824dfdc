"""What a technician is shown and what is kept when a badge passes: that it was one, no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from drivers.badge import badge_text
from drivers.catalog import spec_of
from drivers.observations import Badge, NoRead
from drivers.protocols.base import Frame
from drivers.recording import Recorder, decode, load
from station.cli_device_probe import Probe
from station.cli_device_run import decoded
from station.intake import remark, to_input
from station.table import inputs as i
from tests.support.golden import protocol_of

TEXT = badge_text(bytes(range(200, 216)))
PARTS = (TEXT[3:12], TEXT[12:24], TEXT[3:12].encode().hex(), TEXT[3:12].encode().hex(" ").upper())
SPEC = spec_of({"kind": "text-line", "name": "shoe", "port": "/dev/table/shoe"})


def leaks(said: str) -> list[str]:
    return [part for part in PARTS if part in said]


def test_device_test_shows_no_badge() -> None:
    class Still:
        health = "up"

    probe = Probe(SPEC, lambda _sink, _tap: Still())  # type: ignore[arg-type,return-value]
    line = TEXT.encode() + b"\r"
    probe.tap("in", line, 1)
    probe.tap(Frame("line", line), line, 1)
    probe.sink(Badge("shoe", 1, line, TEXT))
    said: list[Any] = []
    while not probe._queue.empty():
        said.append(probe._queue.get_nowait())
    assert len(said) == 3
    assert leaks(msgspec.json.encode(said).decode() + repr(said)) == []
    assert "a badge" in repr(said)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_recording_is_shown_without_the_badge_in_it(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], as_json: bool
) -> None:
    recorder = Recorder(tmp_path / "r", SPEC, release="0", start="", start_ns=0)
    protocol = recorder.wrap(protocol_of("text-line", {}))
    protocol.start(0)
    protocol.feed(TEXT.encode() + b"\r", 1_000_000)
    recorder.close()
    recording = load(tmp_path / "r")
    (badge,) = [one for _, out in decode(recording) for one in out.observations]
    assert isinstance(badge, Badge)
    decoded(recording, as_json=as_json)
    said = capsysbinary.readouterr().out.decode()
    assert "badge" in said
    assert leaks(said) == []


@pytest.mark.parametrize("text", [TEXT, TEXT.lower(), TEXT[:20], "code " + TEXT])
def test_what_any_reader_says_of_a_badge_is_not_journaled(text: str) -> None:
    """A camera that saw a badge's code, or any reader that made a no-read of it."""
    given = to_input(NoRead("camera", 1, text.encode(), "not_a_card", text))
    assert given == i.ReadMissed("camera", "not_a_card", "", "", passed=True)
    assert to_input(Badge("shoe", 1, b"", text)) is None
    assert remark(Badge("shoe", 1, b"", text)) == {"said": "badge"}
