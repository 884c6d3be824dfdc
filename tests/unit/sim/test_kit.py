"""The pytest plug-in and its contracts, as somebody uses them who tests his own reader."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from hw_sim.control import ShoeControl
from hw_sim.readers import DECK
from tests.unit.sim.conftest import MakeShoe

READS = """
from hw_sim.kit import ReadContract

class TestShoe(ReadContract):
    kind = "{kind}"
    cards = 5
    entry = {entry}
"""
FAULTS = """
from hw_sim.kit import FaultContract

class TestFaults(FaultContract):
    kind = "text-line"
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


def command(*options: str) -> list[str]:
    plain = ("-p", "no:cacheprovider", "-p", "hw_sim.pytest_plugin", "--color=no", "-q", "-rs")
    return [sys.executable, "-m", "pytest", *plain, *options]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a test file in a folder of its own."""

    def make(text: str, *options: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_mine.py").write_text(text)
        return subprocess.run(
            command(*options, "test_mine.py"),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    return make


def by_hand(
    place: Path, shoe: ShoeControl, text: str, *options: str
) -> subprocess.CompletedProcess[str]:
    """Run it with a person at the device who does what is asked for."""
    (place / "test_mine.py").write_text(text)
    process = subprocess.Popen(
        command(*options, "test_mine.py"),
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines: list[str] = []

    def person() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            does(shoe, line)

    thread = threading.Thread(target=person)
    thread.start()
    code = process.wait(100)
    thread.join(10)
    assert process.stdout is not None
    assert process.stderr is not None
    errors = process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    return subprocess.CompletedProcess([], code, "".join(lines), errors)


def does(shoe: ShoeControl, line: str) -> None:
    """What a person does who reads that line."""
    if asked := re.search(r">>> Draw, one after another: ([^(]*)", line):
        for face in asked[1].split():
            assert shoe.ask("draw")["face"] == face
    elif ">>> Present the last card" in line:
        shoe.ask("reread")
    elif ">>> Draw the cut card" in line:
        shoe.ask("fault", fault="cut")
    elif ">>> Pull the reader's plug" in line:
        shoe.ask("fault", fault="unplug")
    elif ">>> Plug it in again" in line:
        shoe.ask("fault", fault="replug")


def test_a_virtual_reader_keeps_the_contract_and_junit_has_what_was_read(
    run: Run, tmp_path: Path
) -> None:
    options = ("--junitxml", "out.xml", "-k", "once_and_in_order or cut_card")
    done = run(READS.format(kind="text-line", entry={}), *options)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    assert '<property name="read" value="AS 2S 3S 4S 5S"' in (tmp_path / "out.xml").read_text()


def test_a_reader_that_reads_no_card_fails_and_says_what_was_drawn(run: Run) -> None:
    entry = {"card": "{set}{rank}{suit}{deck:2}{check}"}
    done = run(READS.format(kind="text-line", entry=entry), "-k", "once_and_in_order")
    assert done.returncode == 1
    assert "drawn: AS 2S 3S 4S 5S; read: nothing" in done.stdout


def test_real_hardware_is_read_while_a_person_draws_what_is_asked_for(
    make_shoe: MakeShoe, tmp_path: Path
) -> None:
    shoe = make_shoe(cut=0, stack=DECK)
    device = f"shoe={tmp_path / 'shoe.link'}"
    text = READS.format(kind="text-line", entry={})
    done = by_hand(tmp_path, shoe, text, "--station-device", device)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "4 passed" in done.stdout
    assert ">>> Draw, one after another: AS 2S 3S 4S 5S" in done.stdout


def test_a_person_who_draws_nothing_is_told_so(
    make_shoe: MakeShoe, tmp_path: Path, run: Run
) -> None:
    make_shoe(cut=0)
    options = (
        "--station-device",
        f"shoe={tmp_path / 'shoe.link'}",
        "--station-card-seconds",
        "0.1",
    )
    done = run(READS.format(kind="text-line", entry={}), *options, "-k", "once_and_in_order")
    assert done.returncode == 1
    assert "drawn: AS 2S 3S 4S 5S; read: nothing" in done.stdout


def test_faults_on_hardware_are_the_plug_alone_and_the_rest_is_skipped_with_the_reason(
    make_shoe: MakeShoe, tmp_path: Path
) -> None:
    shoe = make_shoe(cut=0, stack=DECK)
    device = f"shoe={tmp_path / 'shoe.link'}"
    options = ("--station-device", device, "-k", "replug or half_line or bad_check")
    done = by_hand(tmp_path, shoe, FAULTS, *options)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "1 passed, 2 skipped" in done.stdout
    assert "only a virtual device can be made to suffer it: one character of" in done.stdout


def test_each_virtual_fault_is_a_test_of_its_own(run: Run) -> None:
    done = run(FAULTS, "-k", "half_line or small_reads")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_a_port_another_program_holds_is_named(
    make_shoe: MakeShoe, tmp_path: Path, run: Run
) -> None:
    make_shoe(cut=0)
    held = os.open(tmp_path / "shoe.link", os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        device = f"shoe={tmp_path / 'shoe.link'}"
        text = READS.format(kind="text-line", entry={})
        done = run(text, "--station-device", device, "-k", "once_and_in_order")
    finally:
        os.close(held)
    assert done.returncode == 1
    assert f"device 'shoe' at {tmp_path / 'shoe.link'} is not up but busy" in done.stdout
    assert "another program holds it" in done.stdout


def test_settings_come_from_a_tables_file(make_shoe: MakeShoe, tmp_path: Path) -> None:
    shoe = make_shoe(cut=0, stack=DECK, options=(("suffix", "none"),))
    entry = 'name = "shoe"\nkind = "text-line"\nsuffix = "none"\ngap_ms = 30\n'
    entry += f'port = "{tmp_path / "shoe.link"}"\n'
    (tmp_path / "table.toml").write_text(f'[table]\nid = "T1"\n[[devices]]\n{entry}')
    text = READS.format(kind="text-line", entry={})
    options = ("--station-device", "shoe", "--station-config", "table.toml", "-k", "presented")
    done = by_hand(tmp_path, shoe, text, *options)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_a_test_of_hardware_is_skipped_without_it(run: Run) -> None:
    done = run("import pytest\n@pytest.mark.hardware('scanner')\ndef test_it(): assert False\n")
    assert done.returncode == 0
    assert "needs the real device: --station-device scanner=PORT" in done.stdout


@pytest.mark.parametrize(
    ("given", "message"),
    [("=/dev/x", "write NAME=PORT"), ("shoe=", "write NAME=PORT"), ("shoe", "--station-config")],
)
def test_a_device_that_is_none_is_named(run: Run, given: str, message: str) -> None:
    done = run("def test_it(): pass", f"--station-device={given}")
    assert done.returncode != 0
    assert message in done.stderr


def test_a_whole_table_and_people_who_play_at_it(run: Run) -> None:
    done = run(
        "def test_cards(table):\n"
        "    table.floor.ready([1])\n"
        "    card = table.shoe.ask('draw')['face']\n"
        "    def hands(now): return now['seats'][0]['hands']\n"
        "    table.floor.until(lambda now: hands(now)[0]['cards'], 'a card')\n"
        "    assert hands(table.floor.now)[0]['cards'] == [card]\n"
        "def test_round(players, table):\n"
        "    books = players.play(1)\n"
        "    assert (books.settled, books.disputes) == (1, [])\n"
        "    assert [f['kind'] for f in table.facts()].count('RoundSettled') == 1\n"
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_the_plugin_costs_nothing_until_it_is_used() -> None:
    code = "import hw_sim.pytest_plugin, sys; print([m for m in sys.modules if 'hw_sim' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['hw_sim', 'hw_sim.pytest_plugin']"


def test_its_entry_point_has_the_name_of_its_module() -> None:
    """So that `-p hw_sim.pytest_plugin` beside it does not bring it in twice."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    points = project["project"]["entry-points"]["pytest11"]
    assert points == {"hw_sim.pytest_plugin": "hw_sim.pytest_plugin"}
