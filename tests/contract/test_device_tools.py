"""The technician's tools as real processes, over a pseudo-terminal and the real command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import kind_of, make_device
from drivers.kinds.textline import TextLineSpec
from drivers.observations import AnyObservation, CardRead, NoRead
from drivers.recording import Recorder, Recording, load, observations
from drivers.transports.serial import SerialPort, SerialSettings
from tests.support.daemon import code, cut_card
from tests.support.pty import VirtualSerial

WAIT_S = 40.0
TABLE = """\
[table]
id = "T01"
kind = "test"

[[devices]]
name = "shoe"
port = "shoe"
{device}
"""

# What an observation says only of some readers.
UNSAID = ("resent", "numbered", "evidence")


def is_up(line: str) -> bool:
    """A line for people that says a device is up."""
    return re.search(r" health +up", line) is not None


class Tool:
    """A command in a process of its own; its lines are read as they come."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "station.cli", *arguments]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self._come = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._come:
                self.lines.append(line)
                self._come.notify_all()
        with self._come:
            self._come.notify_all()

    def line(self, fits: Callable[[str], bool], number: int = 1) -> str:
        """The first line that fits, or the second, as soon as it is there."""
        with self._come:
            there = self._come.wait_for(lambda: len(self._fitting(fits)) >= number, WAIT_S)
            assert there, (self.lines, self.process.poll())
            return self._fitting(fits)[number - 1]

    def _fitting(self, fits: Callable[[str], bool]) -> list[str]:
        return [line for line in self.lines if fits(line)]

    def event(self, what: str, **fields: str) -> dict[str, Any]:
        """The first JSON line of that sort with those fields."""

        def fits(line: str) -> bool:
            told = json.loads(line)
            return told["what"] == what and all(told.get(k) == v for k, v in fields.items())

        found: dict[str, Any] = json.loads(self.line(fits))
        return found

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it: its exit code, and what it said on stderr."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for its end: its exit code, and what it said on stderr."""
        code = self.process.wait(WAIT_S)
        self._thread.join(WAIT_S)
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        assert "Traceback" not in said, said
        return code, said


@pytest.fixture
def tool(tmp_path: Path) -> Iterator[Callable[..., Tool]]:
    tools: list[Tool] = []

    def start(*arguments: str, device: str = "") -> Tool:
        (tmp_path / "table.toml").write_text(TABLE.format(device=device))
        tools.append(Tool(tmp_path, *arguments))
        return tools[-1]

    yield start
    for one in tools:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        one._thread.join(WAIT_S)
        for stream in (one.process.stdout, one.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[VirtualSerial]:
    virtual = VirtualSerial(tmp_path / "shoe")
    virtual.plug()
    yield virtual
    virtual.unplug()


# --- device test --------------------------------------------------------------------------


def test_bytes_frame_and_card_come_as_json_lines_while_it_runs(
    tool: Callable[..., Tool], shoe: VirtualSerial
) -> None:
    watching = tool("device", "test", "shoe", "--json")
    watching.event("health", health="up")
    shoe.send(b"AKH35\r")
    card = watching.event("observation")
    assert card["observation"] == {
        "saw": "card",
        "device": "shoe",
        "raw": "41 4B 48 33 35 0D",
        "face": "KH",
        "set": "A",
        "deck": 3,
        "text": "AKH35",
        "checked": True,
    } | {k: card["observation"][k] for k in UNSAID if k in card["observation"]}
    assert card["says"] == "K♥, set A, deck 3, check right"
    assert watching.event("raw")["hex"].startswith("41")
    assert watching.event("frame", name="line")["text"] == "AKH35\\x0d"
    ended, _ = watching.end()
    last = json.loads(watching.lines[-1])
    assert (ended, last["what"], last["reached"], last["decoded"]) == (0, "summary", "decoded", 1)
    assert all(json.loads(line)["at_ms"] >= 0 for line in watching.lines)


@pytest.mark.parametrize(
    ("sent", "reached", "hint"),
    [
        (b"", "connected", "no byte has come"),
        (b"\xfe\x81\xf0", "bytes", "baud rate"),
        (b"AKH3", "bytes", "baud rate"),
        (b"4006381333931\r", "frames", "no card's code"),
        (b"AKH36\r", "frames", "check character is wrong"),
        (b"]E04006381333931\r", "frames", "another kind than `aim` allows"),
    ],
)
def test_the_hint_is_for_the_layer_where_it_stops(
    tool: Callable[..., Tool], shoe: VirtualSerial, sent: bytes, reached: str, hint: str
) -> None:
    watching = tool("device", "test", "shoe", "--json", device="idle_ms = 100")
    watching.event("health", health="up")
    if sent:
        shoe.send(sent)
        watching.event("observation" if sent.endswith(b"\r") else "raw")
    ended, _ = watching.end()
    last = json.loads(watching.lines[-1])
    assert (ended, last["reached"]) == (0, reached)
    assert hint in last["hint"]


def test_a_device_that_is_not_there_is_waited_for_and_ends_with_1(
    tool: Callable[..., Tool],
) -> None:
    watching = tool("device", "test", "shoe", "--json", "--seconds", "0.5")
    ended, _ = watching.ended()
    last = json.loads(watching.lines[-1])
    assert (ended, last["connected"]) == (1, False)
    assert "dealer-station devices" in last["hint"]


def test_a_port_another_program_has_is_refused_in_words(
    tool: Callable[..., Tool], shoe: VirtualSerial
) -> None:
    holder = SerialPort(SerialSettings(path=str(shoe.link))).open()
    watching = tool("device", "test", "shoe")
    ended, said = watching.ended()
    holder.close()
    assert ended == 2
    assert "another program has the port" in said
    assert "stop the table" in said


def test_without_a_terminal_it_is_plain_lines_and_says_that_no_table_runs(
    tool: Callable[..., Tool], shoe: VirtualSerial
) -> None:
    watching = tool("device", "test", "shoe")
    watching.line(is_up)
    shoe.send(code("TD", 4) + b"\r")
    watching.line(lambda line: "10♦" in line)
    watching.end(signal.SIGINT)
    assert "counts nowhere" in watching.lines[0]
    assert "✓ decoded" in "".join(watching.lines)


@pytest.mark.parametrize(
    ("device", "says", "wire"),
    [
        ("", "not available", b""),
        ('good_beep = "16 07 0D"', "asked for", b"\x16\x07\r"),
    ],
)
def test_the_beeper_is_tried_where_there_is_one(
    tool: Callable[..., Tool], shoe: VirtualSerial, device: str, says: str, wire: bytes
) -> None:
    watching = tool("device", "test", "shoe", "--json", "--beep", "good", device=device)
    assert says in watching.event("beep")["says"]
    if wire:
        assert watching.event("sent")["hex"] == wire.hex(" ").upper()
        assert shoe.take(WAIT_S) == wire
    assert watching.end()[0] == 0


def test_whoever_reads_the_lines_may_go_away(
    tool: Callable[..., Tool], shoe: VirtualSerial, tmp_path: Path
) -> None:
    (tmp_path / "table.toml").write_text(TABLE.format(device=""))
    command = f"{sys.executable} -m station.cli device test shoe --json | head -n 1"
    feeding = threading.Event()

    def feed() -> None:
        while not feeding.wait(0.05):
            shoe.send(b"AKH35\r")

    thread = threading.Thread(target=feed)
    thread.start()
    try:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
    finally:
        feeding.set()
        thread.join()
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["what"] == "health"


def test_an_unknown_name_lists_the_ones_there_are(tool: Callable[..., Tool]) -> None:
    ended, said = tool("device", "test", "sheo").ended()
    assert ended == 2
    assert "no device 'sheo'; there are: shoe" in said


# --- device record, device replay ---------------------------------------------------------


def recorded(tool: Callable[..., Tool], shoe: VirtualSerial, file: Path) -> None:
    """Some cards, dirt, an unplug, and half a card: written down."""
    recording = tool("device", "record", "shoe", str(file), device="idle_ms = 300")
    recording.line(is_up)
    shoe.send(b"AKH3")
    recording.line(lambda line: "incomplete" in line)
    time.sleep(0.2)  # playing it again is late by some milliseconds, here and there
    shoe.send(code("KH", 3) + b"\r" + code("5S", 2) + b"\r\xff\xfe\r")
    recording.line(lambda line: "garbage" in line)
    shoe.unplug()
    recording.line(lambda line: "lost" in line)
    shoe.plug()
    recording.line(is_up, 2)
    shoe.send(cut_card() + b"\r")
    recording.line(lambda line: "cut card" in line)
    ended, said = recording.end()
    assert (ended, said) == (0, "")
    assert any(f"{file}: " in line for line in recording.lines)


class Listening:
    """A device of the product, and what it says."""

    def __init__(self, link: Path) -> None:
        self.seen: list[AnyObservation] = []
        spec = TextLineSpec(name="shoe", port=str(link), idle_ms=300)
        self.device = make_device(spec, self.seen.append)
        self.device.start()

    def told(self) -> list[Any]:
        """What was read, without times."""
        return [told(one) for one in self.seen if not skipped(one)]


def skipped(one: AnyObservation) -> bool:
    return type(one).__name__ in ("HealthChanged",)


def told(one: AnyObservation) -> tuple[str, ...]:
    if isinstance(one, CardRead):
        return ("card", one.text)
    if isinstance(one, NoRead):
        return ("no_read", one.reason)
    return (type(one).__name__,)


def test_record_then_replay_gives_the_same_observations(
    tool: Callable[..., Tool], shoe: VirtualSerial, tmp_path: Path
) -> None:
    file = tmp_path / "shoe.rec"
    recorded(tool, shoe, file)
    recording = load(file)
    once = [told(one) for one in observations(recording)]
    assert once == [
        ("no_read", "incomplete"),
        ("card", "AKH35"),
        ("card", code("5S", 2).decode()),
        ("no_read", "garbage"),
        ("CutCard",),
    ]
    link = tmp_path / "virtual"
    playing = tool("device", "replay", str(file), "--link", str(link))
    playing.line(lambda line: "waiting for a reader" in line)
    listening = Listening(link)
    ended, said = playing.ended()
    listening.device.stop()
    assert (ended, said) == (0, "")
    assert listening.told() == once
    assert not os.path.lexists(link)
    assert any("unplugged, as it was then" in line for line in playing.lines)


def kept(file: Path) -> Recording:
    """A recording of two cards, the cut card and some dirt, made without a wire."""
    spec = TextLineSpec(name="shoe", port="/dev/table/shoe")
    writing = Recorder(file, spec, release="1", start="2026-01-02T03:04:05Z", start_ns=7_000)
    protocol = writing.wrap(kind_of("text-line").make(spec)[1])
    protocol.start(7_000)
    for at_ms, data in enumerate((code("KH", 3), code("TD", 1), b"dirt", cut_card())):
        protocol.feed(data + b"\r", 7_000 + at_ms * 1_000_001)
    writing.close()
    return load(file)


def test_decoding_needs_no_port_and_says_what_was_said(
    tool: Callable[..., Tool], tmp_path: Path
) -> None:
    file = tmp_path / "shoe.rec"
    recording = kept(file)
    plain = tool("device", "replay", str(file), "--decode")
    assert plain.ended() == (0, "")
    assert "K♥, set A, deck 3, check right" in "".join(plain.lines)
    assert plain.lines[-1] == "3 cards and cut cards, 1 other observations\n"
    lines = tool("device", "replay", str(file), "--decode", "--json")
    assert lines.ended() == (0, "")
    seen = [json.loads(line)["observation"] for line in lines.lines]
    assert [(one["saw"], one["at_ms"]) for one in seen] == [
        ("card", 0.0),
        ("card", 1.000001),
        ("no_read", 2.000002),
        ("cut_card", 3.000003),
    ]
    assert len(seen) == len(list(observations(recording)))


def test_a_recording_of_a_killed_recorder_is_whole(
    tool: Callable[..., Tool], shoe: VirtualSerial, tmp_path: Path
) -> None:
    file = tmp_path / "shoe.rec"
    recording = tool("device", "record", "shoe", str(file))
    recording.line(is_up)
    for _ in range(50):
        shoe.send(b"AKH35\r")
    shoe.send(cut_card() + b"\r")
    recording.line(lambda line: "cut card" in line)
    recording.end(signal.SIGKILL)
    assert len(list(observations(load(file)))) == 51


def test_a_recording_of_nothing_is_a_failure_and_says_why(
    tool: Callable[..., Tool], tmp_path: Path
) -> None:
    file = tmp_path / "shoe.rec"
    ended, said = tool("device", "record", "shoe", str(file), "--seconds", "0.5").ended()
    assert (ended, "nothing is there under the port's name" in said) == (2, True)


def test_a_torn_and_a_broken_recording_are_named(tool: Callable[..., Tool], tmp_path: Path) -> None:
    file = tmp_path / "shoe.rec"
    kept(file)
    whole = file.read_text()
    file.write_text(whole[:-10])
    ended, said = (torn := tool("device", "replay", str(file), "--decode")).ended()
    assert (ended, "the last line was cut off" in said) == (0, True)
    assert torn.lines
    file.write_text(whole.replace('"did":"in"', '"did":"inn"', 1))
    ended, said = tool("device", "replay", str(file), "--decode").ended()
    assert ended == 2
    assert f"{file}: line " in said
    assert "inn" in said


def test_the_size_of_a_recording_can_be_bounded(
    tool: Callable[..., Tool], shoe: VirtualSerial, tmp_path: Path
) -> None:
    file = tmp_path / "shoe.rec"
    recording = tool("device", "record", "shoe", str(file), "--max-mb", "0.003")
    recording.line(is_up)
    for _ in range(200):
        shoe.send(b"AKH35\r")
        time.sleep(0.002)
    assert recording.ended() == (0, "")
    assert "has reached its size" in recording.lines[-1]
    assert file.stat().st_size <= 0.003 * 1024 * 1024
    assert load(file).events[-1].did == "full"


def test_replay_leaves_what_stands_in_its_way(tool: Callable[..., Tool], tmp_path: Path) -> None:
    file, precious = tmp_path / "shoe.rec", tmp_path / "precious"
    kept(file)
    precious.write_text("mine")
    ended, said = tool("device", "replay", str(file), "--link", str(precious)).ended()
    assert (ended, "something else is here" in said) == (2, True)
    assert precious.read_text() == "mine"


def test_replay_ended_early_takes_its_link_away(tool: Callable[..., Tool], tmp_path: Path) -> None:
    file, link = tmp_path / "shoe.rec", tmp_path / "virtual"
    kept(file)
    playing = tool("device", "replay", str(file), "--link", str(link))
    playing.line(lambda line: "waiting for a reader" in line)
    assert link.is_symlink()
    ended, said = playing.end()
    assert (ended, said) == (0, "")
    assert not os.path.lexists(link)


def test_replay_needs_to_be_told_how(tool: Callable[..., Tool], tmp_path: Path) -> None:
    ended, said = tool("device", "replay", str(tmp_path / "x")).ended()
    assert (ended, "--link" in said, "--decode" in said) == (2, True, True)
