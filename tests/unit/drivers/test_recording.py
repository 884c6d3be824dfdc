"""A recording run through its protocol again says what was said then, whatever the kind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.catalog import kind_of, spec_of
from drivers.recording import (
    Recorder,
    Recording,
    RecordingError,
    decode,
    load,
    observations,
)
from drivers.specs import DeviceSpec
from tests.support.golden import MS, Case, cases, protocols, run

START_NS = 0
ALL = [(kind, case) for kind in protocols() for case in cases(kind)]


def spec_for(kind: str, case: Case) -> DeviceSpec:
    raw = {"name": "shoe", "port": "/dev/table/shoe", "kind": kind, **case.settings}
    return spec_of(raw)


def recorder(file: Path, spec: DeviceSpec, limit: int = 1_000_000) -> Recorder:
    return Recorder(
        file, spec, release="1.2.3", start="2026-01-02T03:04:05Z", start_ns=START_NS, limit=limit
    )


@pytest.mark.parametrize(("kind", "case"), ALL, ids=lambda v: v if isinstance(v, str) else v.name)
def test_a_recording_says_again_exactly_what_was_said(
    kind: str, case: Case, tmp_path: Path
) -> None:
    file, spec = tmp_path / "a.rec", spec_for(kind, case)
    writing = recorder(file, spec)
    told = run(writing.wrap(kind_of(kind).make(spec)[1]), case)
    writing.close()
    recording = load(file)
    assert recording.header.kind == kind
    assert list(observations(recording)) == told.seen
    written = [(round(event.ms), event.data) for event in recording.events if event.did == "out"]
    assert written == told.writes
    again = [message for _, out in decode(recording) for message in out.write]
    assert again == [message for _, message in told.writes]


# --- the file -----------------------------------------------------------------------------

CASE = next(case for case in cases("text-line") if case.name == "clean_cards")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "a.rec"
    writing = recorder(file, spec_for("text-line", CASE))
    run(writing.wrap(kind_of("text-line").make(spec_for("text-line", CASE))[1]), CASE)
    writing.close()
    return file


def test_every_line_is_in_the_file_before_the_recording_ends(tmp_path: Path) -> None:
    file, spec = tmp_path / "a.rec", spec_for("text-line", CASE)
    writing = recorder(file, spec)
    protocol = writing.wrap(kind_of("text-line").make(spec)[1])
    protocol.feed(b"AKH3", START_NS + 5 * MS)
    assert [event.data for event in load(file).events] == [b"AKH3"]
    writing.close()


def test_a_last_line_cut_off_at_any_byte_costs_that_line_alone(file: Path) -> None:
    whole = load(file)
    data = file.read_bytes()
    start = data.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(start + 1, len(data) - 1):
        file.write_bytes(data[:end])
        cut = load(file)
        assert cut.events == whole.events[:-1]
        assert cut.torn == data[start:end].decode()


def test_a_whole_last_line_without_its_line_feed_is_used(file: Path) -> None:
    whole = load(file)
    file.write_bytes(file.read_bytes()[:-1])
    assert load(file) == whole


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 3"),
        ("", "line 3"),
        ('{"ms":1,"did":"ate"}', "ate"),
        ('{"ms":1,"did":"in","hex":"4"}', "hex '4'"),
        ('{"ms":1,"did":"tick","hex":"41"}', "1 bytes"),
        ('{"ms":-5,"did":"tick"}', "$.ms"),
        ('{"ms":1e300,"did":"tick"}', "$.ms"),
        ('{"ms":1,"did":"tick","command":' + "[" * 99_999, "line 3"),
        ('{"ms":1,"did":"want"}', "what is wanted"),
        ('{"ms":1,"did":"command","command":"dance"}', "dance"),
        ('{"ms":1,"did":"tick","lunch":1}', "lunch"),
    ],
)
def test_a_bad_line_is_named_by_its_number(file: Path, line: str, says: str) -> None:
    lines = file.read_text().splitlines(keepends=True)
    lines[2] = line + "\n"
    file.write_text("".join(lines))
    with pytest.raises(RecordingError, match=f"{file}: line 3: ") as told:
        load(file)
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (b"", "not the head of a recording"),
        (b"\xff\x00", "not the head of a recording"),
        (b'{"ms":1,"did":"tick"}', "not the head of a recording"),
        (b'{"settings":' + b'{"a":' * 99_999, "not the head of a recording"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, head: bytes, says: str) -> None:
    file = tmp_path / "x"
    file.write_bytes(head + b"\n")
    with pytest.raises(RecordingError, match="line 1: ") as told:
        load(file)
    assert says in str(told.value)


def test_a_recording_of_a_later_format_names_its_release(file: Path) -> None:
    file.write_text(file.read_text().replace('"version":1', '"version":2', 1))
    with pytest.raises(RecordingError, match=r"version 2 .* \(1\.2\.3\)"):
        load(file)


def test_settings_this_release_does_not_know_are_named(file: Path) -> None:
    head = load(file).header
    bad = Recording(msgspec.structs.replace(head, settings={**head.settings, "buad": 1}), ())
    with pytest.raises(RecordingError, match="buad"):
        list(observations(bad))


def test_a_recording_ends_at_its_size_and_says_so(tmp_path: Path) -> None:
    file, spec = tmp_path / "a.rec", spec_for("text-line", CASE)
    writing = recorder(file, spec, limit=4000)
    protocol = writing.wrap(kind_of("text-line").make(spec)[1])
    for number in range(1000):
        protocol.feed(b"AKH35\r", START_NS + number * MS)
    assert writing.ended.is_set()
    assert "4000 bytes" in writing.why
    writing.close()
    assert file.stat().st_size <= 4000
    assert load(file).events[-1].did == "full"
    assert all(event.did != "full" for event in load(file).events[:-1])


def test_a_file_that_is_there_is_never_written_over(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(RecordingError, match="exists already"):
        recorder(file, spec_for("text-line", CASE))
    assert file.read_bytes() == before


def test_a_full_disk_ends_the_recording_and_not_the_device(tmp_path: Path) -> None:
    spec = spec_for("text-line", CASE)
    writing = recorder(tmp_path / "a.rec", spec)
    writing._fd, real = -1, writing._fd
    protocol = writing.wrap(kind_of("text-line").make(spec)[1])
    assert protocol.feed(b"AKH35\r", START_NS).observations
    assert writing.ended.is_set()
    assert "cannot be written" in writing.why
    writing._fd = real
    writing.close()


def test_secrets_are_left_out_and_named(tmp_path: Path) -> None:
    class SecretSpec(DeviceSpec, frozen=True, kw_only=True):
        kind: str = "text-line"
        shared_key: str = ""
        keyboard: str = "us"

    spec = SecretSpec(name="shoe", port="/dev/table/shoe", shared_key="hunter2")
    writing = recorder(tmp_path / "a.rec", spec)
    writing.close()
    assert "hunter2" not in (tmp_path / "a.rec").read_text()
    header = load(tmp_path / "a.rec").header
    assert header.left_out == ("shared_key",)
    assert header.settings["keyboard"] == "us"


def test_time_never_goes_back(file: Path) -> None:
    with file.open("a") as more:
        more.write('{"ms":900000.5,"did":"tick"}\n{"ms":900000.25,"did":"tick"}\n')
    with pytest.raises(RecordingError, match="earlier than the line before it"):
        load(file)


@given(st.lists(st.binary(max_size=80), max_size=8), st.integers(0, 2000))
@settings(max_examples=300)
def test_whatever_a_file_holds_it_is_read_or_refused_in_one_line(
    parts: list[bytes], at: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.rec"
        spec = spec_for("text-line", CASE)
        writing = recorder(file, spec)
        run(writing.wrap(kind_of("text-line").make(spec)[1]), CASE)
        writing.close()
        data = file.read_bytes()
        file.write_bytes(data[:at] + b"\n".join(parts) + data[at:])
        refused = ""
        try:
            list(observations(load(file)))
        except RecordingError as error:
            refused = str(error)
        assert "\n" not in refused
