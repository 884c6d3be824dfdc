"""The shoe as a process: how it starts, what it leaves, what it survives."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from hw_sim.control import ControlError, ShoeControl

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `hw-sim shoe`; waits until it is ready unless `ready` is False."""
    running: list[subprocess.Popen[str]] = []

    def begin(*options: str, ready: bool = True) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "hw_sim.cli", "shoe", "--link", str(tmp_path / "shoe")]
        process = subprocess.Popen(
            [*command, "--seed", "7", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        if ready:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("ready shoe=A-7 port=/dev/pts/")
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def control(tmp_path: Path) -> Iterator[ShoeControl]:
    made = ShoeControl(tmp_path / "shoe.sock")
    yield made
    made.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ends_clean_on_a_signal(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    process = start()
    assert (tmp_path / "shoe").readlink().parent == Path("/dev/pts")
    assert stat.S_IMODE((tmp_path / "shoe.sock").stat().st_mode) == 0o600
    process.send_signal(number)
    _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_replaces_what_a_killed_simulator_left(
    start: Start, tmp_path: Path, control: ShoeControl
) -> None:
    process = start()
    process.kill()
    process.wait(10)
    assert (tmp_path / "shoe").is_symlink()
    start()
    with serial.Serial(str(tmp_path / "shoe"), timeout=5) as port:
        code = control.ask("draw")["code"]
        assert port.read(6) == f"{code}\r".encode()


def test_second_simulator_in_the_same_place_is_refused_and_harms_nothing(
    start: Start, control: ShoeControl
) -> None:
    start()
    second = start(ready=False)
    _, errors = second.communicate(timeout=10)
    assert second.returncode == 2
    assert "another simulator listens here" in errors
    assert control.ask("state")["plugged"]


def test_file_in_the_way_is_named_and_kept(start: Start, tmp_path: Path) -> None:
    (tmp_path / "shoe").write_text("mine")
    process = start(ready=False)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 2
    assert "choose another --link" in errors
    assert [entry.name for entry in tmp_path.iterdir()] == ["shoe"]


def test_driver_may_close_and_open_again(
    start: Start, tmp_path: Path, control: ShoeControl
) -> None:
    start()
    for _ in range(3):
        with serial.Serial(str(tmp_path / "shoe"), timeout=5) as port:
            code = control.ask("draw")["code"]
            assert port.read(6) == f"{code}\r".encode()


def test_nobody_reading_never_stops_the_shoe(start: Start, control: ShoeControl) -> None:
    start()
    control.ask("draw")
    for _ in range(2000):
        control.ask("reread")
    assert control.ask("draw")["position"] == 2


def test_what_remains_is_told_only_of_a_shoe_that_is_out(
    start: Start, control: ShoeControl
) -> None:
    """R2: no one may know what is still to come."""
    start()
    control.ask("draw")
    with pytest.raises(ControlError, match="'A-7' is not out"):
        control.ask("remaining", shoe="A-7")
    assert control.ask("out")["shoe"] == "A-7"
    left = control.ask("remaining", shoe="A-7")["remaining"]
    assert (sum(left.values()), len(left)) == (415, 52)
    assert control.ask("state")["out"] is True
    control.ask("load")
    assert control.ask("state")["out"] is False
    # One that no card has left was never in play.
    control.ask("load")
    with pytest.raises(ControlError, match="no card ever left it"):
        control.ask("remaining", shoe="A-8")
    assert control.ask("remaining", shoe="A-7")["remaining"] == left


def test_log_holds_the_truth(start: Start, tmp_path: Path, control: ShoeControl) -> None:
    start("--log", str(tmp_path / "log"), "--cut", "1")
    control.ask("arm", fault="no_read", after=2)
    drawn = [control.ask("draw") for _ in range(3)]
    control.ask("load")
    entries = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [entry.get("code") for entry in entries] == [*(card["code"] for card in drawn), None]
    assert [entry.get("cut") for entry in entries] == [False, True, False, None]
    assert entries[2]["fault"] == "no_read"
    assert (entries[3]["shoe"], entries[3]["loaded"]) == ("A-8", "A-8")
    times = [entry["at_ms"] for entry in entries]
    assert times == sorted(times)


def test_same_seed_gives_the_same_cards_in_another_process(
    start: Start, control: ShoeControl
) -> None:
    orders = []
    for _ in range(2):
        process = start()
        orders.append([control.ask("draw")["code"] for _ in range(60)])
        process.terminate()
        process.communicate(timeout=10)
        control.close()
    assert orders[0] == orders[1]


def test_stack_and_suffix(start: Start, tmp_path: Path, control: ShoeControl) -> None:
    (tmp_path / "stack").write_text("KH3 AS\n2C7")
    start("--stack", str(tmp_path / "stack"), "--suffix", "crlf")
    with serial.Serial(str(tmp_path / "shoe"), timeout=5) as port:
        for _ in range(3):
            control.ask("draw")
        assert port.read(21) == b"AKH35\r\nAAS1C\r\nA2C7L\r\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "5"], "one letter, A to Z"),
        (["--suffix", "dot"], "there are cr, lf"),
        (["--stack", "/nowhere"], "/nowhere"),
        (["--control", "/tmp/" + "x" * 120], "too many for a socket's path"),
    ],
)
def test_bad_settings_are_named(start: Start, options: list[str], message: str) -> None:
    process = start(*options, ready=False)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 2
    assert errors.startswith("hw-sim: ")
    assert message in errors
    assert "Traceback" not in errors


def test_no_answer_from_a_shoe_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="no answer from the shoe: nothing is there; start it"):
        ShoeControl(tmp_path / "none.sock").ask("draw")


def test_a_shoe_that_has_ended_is_told_as_such(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as ended:
        ended.bind(str(tmp_path / "ended.sock"))
    with pytest.raises(ControlError, match="no answer from the shoe: it has ended; start it again"):
        ShoeControl(tmp_path / "ended.sock").ask("draw")
