"""The simulator's checker: soaks with voids and shoe changes run unattended from checked shoes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hw_sim.control import ShoeControl
from hw_sim.soak import Soak, SoakSettings, table_file
from hw_sim.soak_run import facts, truth, verified
from hw_sim.soak_verdict import verdict
from hw_sim.table_config import TableDir
from station import messages as m
from station import messages_shoe as ms
from station.game import facts as g
from station.table import shoe_facts as s
from tests.scenario.test_shoe_checked import CARDS, SHOES, begin, load, read_all
from tests.support.daemon import Station
from tests.support.floor import DEALER, Floor


def test_a_soak_with_voids_and_shoe_changes_plays_from_checked_shoes_of_two_sets(
    tmp_path: Path,
) -> None:
    """Short shoes, so that they change; faults, so that rounds are void and sets are barred."""
    settings = SoakSettings(16, seed=11, rate=0.06, cut=60, checked=True)
    place = TableDir(tmp_path / "t")
    place.open(table_file(settings, place.path))
    try:
        run = Soak(place, settings, lambda _: None).run()
    finally:
        place.close()
    happened = list(facts(place.journal))
    found = verdict(truth(place.truth), happened, run.books, ended=True)
    assert (run.stuck, found.differences, verified(place.journal)) == ("", [], "")
    loads = [fact["body"] for fact in happened if fact["kind"] == "ShoeLoaded"]
    checks = Counter(fact["body"]["why"] for fact in happened if fact["kind"] == "ShoeChecked")
    assert len(loads) >= 3
    assert checks == {"": len(loads)}
    assert [one["check"] for one in loads] == list(range(1, len(loads) + 1))
    letters = [one["set"] for one in loads]
    assert all(before != after for before, after in pairwise(letters))
    assert {(one["by"], one["second"]) for one in loads} == {("3001", "2001")}


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    station = Station(tmp_path / "t", more=SHOES)
    station.serial.unplug()
    yield station
    station.close()


@pytest.fixture
def virtual(station: Station) -> Iterator[ShoeControl]:
    """A virtual shoe in a process of its own, at the station's port."""
    folder = station.folder
    command = [sys.executable, "-m", "hw_sim.cli", "shoe"]
    command += ["--link", str(folder / "shoe"), "--control", str(folder / "control")]
    command += ["--seed", "7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        control = ShoeControl(folder / "control")
        yield control
        control.close()
        process.terminate()


def staff(station: Station, *said: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hw_sim.cli", "staff", "--socket", str(station.socket)]
    command += ["--shoe", str(station.folder / "control"), *said]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_checker_by_hand_from_check_to_release(station: Station, virtual: ShoeControl) -> None:
    station.start()
    floor = Floor(station)
    floor.console.must(m.LogIn(DEALER, DEALER))
    done = staff(station, "check")
    assert done.returncode == 0, done.stderr
    assert "shoe A-7 is checked and shuffled" in done.stdout
    done = staff(station, "load", "A-7", "--set", "A")
    assert (done.returncode, "second_needed" in done.stderr) == (1, True)
    done = staff(station, "load", "A-7", "--set", "A", "--second", DEALER, "--cut-card", "75")
    assert done.returncode == 0, done.stderr
    assert staff(station, "release").returncode == 0
    shoe = floor.console.wait_for(lambda s: s.shoe.state == "in_play", "in play").shoe
    assert (shoe.id, shoe.set, shoe.back) == ("A-7", "A", "red")
    assert staff(station, "take-out", "--reason", "damaged_card").returncode == 0
    floor.console.wait_for(lambda s: s.shoe.state == "out", "out")


def test_a_shoe_of_which_two_decks_lack_five_cards_is_found_at_the_check(
    station: Station, virtual: ShoeControl
) -> None:
    """Fined: such a shoe was dealt from for 438 rounds."""
    station.start()
    Floor(station).console.must(m.LogIn(DEALER, DEALER))
    lacks = ["KH3", "KH7", "5S3", "2D7", "TC3"]
    virtual.ask("load", seed=9, lacks=lacks)
    done = staff(station, "check")
    assert done.returncode == 1
    assert "Missing: 5♠ ×1, K♥ ×2, 2♦ ×1, 10♣ ×1" in done.stderr
    done = staff(station, "load", "A-9", "--set", "A", "--second", DEALER)
    assert "no_check" in done.stderr
    found = next(r.fact for r in station.journal() if isinstance(r.fact, s.ShoeChecked))
    assert (found.why, sorted(found.absent)) == ("short_shoe", sorted(lacks))


def test_a_machines_receipt_by_hand(station: Station) -> None:
    station.start()
    receipt = [
        "receipt",
        "B-1",
        "--set",
        "B",
        "--machine",
        "DM-7",
        "--number",
        "15",
        "--at",
        "9:00",
    ]
    assert staff(station, *receipt).returncode == 0
    again = staff(station, *receipt)
    assert (again.returncode, "receipt_used" in again.stderr) == (1, True)
    assert staff(station, "shuffled", "B-1", "--seal", "S1").returncode == 0


def order(station: Station, *said: str, pins: str) -> subprocess.CompletedProcess[str]:
    """The station's own command line, with the PINs as lines."""
    command = [sys.executable, "-m", "station.cli", "shoe", *said, "--staff", "2001"]
    command += ["--pins-from-stdin", "--config", str(station.config)]
    return subprocess.run(
        command, input=pins, capture_output=True, text=True, timeout=60, check=False
    )


def checking(
    station: Station, stdout: int, said: tuple[str, ...] = ("check", "A-1", "--set", "A")
) -> subprocess.Popen[str]:
    """A check or a count by the command line."""
    # What started these tests may have turned Ctrl-C off for all that it starts.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "station.cli", "shoe", *said]
    command += ["--staff", "2001", "--second", DEALER, "--pins-from-stdin"]
    command += ["--config", str(station.config)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write("2001\n1001\n")
    process.stdin.flush()
    return process


@pytest.fixture
def floor(station: Station) -> Floor:
    station.serial.plug()
    station.start()
    floor = Floor(station)
    floor.console.must(m.LogIn(DEALER, DEALER))
    return floor


def counted(floor: Floor, cards: list[tuple[str, int]]) -> None:
    floor.console.wait_for(lambda s: s.shoe.check is not None, "the check runs")
    for face, deck in cards:
        floor.station.send(face, deck)
    floor.console.wait_for(
        lambda s: s.shoe.check is not None and s.shoe.check.read == len(cards), "all counted"
    )


def test_the_command_line_checks_and_loads_at_the_running_table(floor: Floor) -> None:
    """PINs are lines of standard input, so that none stands in the list of processes."""
    station = floor.station
    with checking(station, subprocess.PIPE) as process:
        counted(floor, CARDS)
        # A person ends it, and only then is it told.
        out, errors = process.communicate("\n", timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "of 416 · One card counted" in out
    assert "is whole" in out
    assert order(station, "shuffled", "A-1", "--seal", "7", pins="2001\n").returncode == 0
    load = ["load", "A-1", "--set", "A", "--second", DEALER, "--seal", "7", "--cut-card", "75"]
    wrong = order(station, *load, pins="2001\n9999\n")
    assert (wrong.returncode, "wrong_pin" in wrong.stderr) == (1, True)
    assert order(station, *load, pins="2001\n1001\n").returncode == 0
    assert order(station, "release", "A-1", pins="2001\n").returncode == 0
    assert floor.console.wait_for(lambda s: s.shoe.state == "in_play").shoe.id == "A-1"
    assert order(station, "take-out", "A-1", pins="2001\n").returncode == 0
    lift = order(station, "lift-bar", "A-1", "--reason", "x", pins="2001\n")
    assert (lift.returncode, "manager_only" in lift.stderr) == (1, True)


def test_the_end_of_standard_input_is_nobodys_enter(floor: Floor) -> None:
    """It would end a check after no card at all."""
    with checking(floor.station, subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.close()
        counted(floor, CARDS[:10])
        check = floor.console.now.shoe.check
        assert check is not None
        assert check.state == "running"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 2
    floor.console.wait_for(
        lambda s: s.shoe.check is not None and s.shoe.check.state == "ended", "cancelled"
    )


@pytest.mark.parametrize("lost", [0, 1])
def test_what_remained_is_counted_at_the_reader_by_the_command_line(
    floor: Floor, lost: int
) -> None:
    """R2: and nothing of its order is kept, as in a check."""
    station = floor.station
    floor.pit.must(m.LogIn("2001", "2001"))
    number = begin(floor)
    read_all(floor)
    floor.pit.must(ms.FinishShoeCheck(number))
    floor.pit.must(ms.ShoeShuffled("A-1"))
    load(floor, "A-1", "A")
    floor.sit(1).bet()
    floor.deal("5H 9D 6C")
    now = floor.console.now
    floor.pit.must(m.VoidRound(now.round, "misdeal", now.version))
    left = [card for card in CARDS if card not in (("5H", 1), ("9D", 1), ("6C", 1))][lost:]
    reads = station.kinds().count("Observed")
    with checking(station, subprocess.PIPE, ("count", "A-1")) as process:
        counted(floor, left)
        out, errors = process.communicate("\n", timeout=60)
    assert errors == ""
    assert process.returncode == lost
    assert ("does NOT count out" if lost else "counts out") in out
    assert station.kinds().count("Observed") == reads
    (fact,) = [r.fact for r in station.journal() if isinstance(r.fact, g.ShoeReconciled)]
    assert (fact.gone, fact.remaining, bool(fact.missing)) == (3, 413 - lost, bool(lost))
