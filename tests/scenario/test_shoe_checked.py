"""Shoes checked at the running table: counted, put in by two, dealt from; and nothing of their
order in any file the station wrote.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station import messages as m
from station import messages_shoe as ms
from station import snapshot as v
from station.game import facts as g
from station.game.check import FACES
from station.table import shoe_facts as s
from tests.support.daemon import Station, code, cut_card
from tests.support.floor import DEALER, SUPERVISOR, Floor

SHOES = """
[shoe]
check = "required"
two_people = true
sets = [{ letter = "A", back = "red" }, { letter = "B", back = "blue" }]
"""
CARDS = [(face, deck) for deck in range(1, 9) for face in FACES]


@pytest.fixture
def station(make_station: Callable[..., Station]) -> Station:
    return make_station(more=SHOES).start()


@pytest.fixture
def floor(station: Station) -> Floor:
    floor = Floor(station)
    floor.console.must(m.LogIn(DEALER, DEALER))
    floor.pit.must(m.LogIn(SUPERVISOR, SUPERVISOR))
    return floor


def begin(floor: Floor, shoe: str = "A-1", letter: str = "A") -> int:
    floor.pit.must(ms.BeginShoeCheck(shoe, "shoe", letter, second=DEALER, pin=DEALER))
    return floor.console.wait_for(lambda s: _check(s).state == "running").version and (
        _check(floor.console.now).check
    )


def _check(now: v.Snapshot) -> v.CheckView:
    return now.shoe.check or v.CheckView(0, "ended", "read", "", "", "", "", 0, 0, v.Text("", ""))


def read_all(floor: Floor, letter: str = "A", without: tuple[tuple[str, int], ...] = ()) -> None:
    """Every card but those passes the reader, in an order nobody knows."""
    cards = [card for card in CARDS if card not in without]
    random.Random(letter).shuffle(cards)
    for face, deck in cards:
        floor.station.send(face, deck, letter=letter)
    wanted = len(cards)
    floor.console.wait_for(lambda s: _check(s).read == wanted, f"{wanted} cards counted")


def load(floor: Floor, shoe: str, letter: str, **more: str | int) -> None:
    floor.decks.clear()
    floor.pit.must(m.LoadShoe(shoe, letter, second=DEALER, pin=DEALER, **more))  # type: ignore[arg-type]
    answer = floor.pit.must(m.ReleaseShoe(shoe, floor.pit.now.version))
    floor.console.wait_for(lambda s: s.version >= answer.version)


def checked(floor: Floor, shoe: str, letter: str) -> None:
    number = begin(floor, shoe, letter)
    read_all(floor, letter)
    floor.pit.must(ms.FinishShoeCheck(number))
    floor.pit.must(ms.ShoeShuffled(shoe))


def files(station: Station) -> Iterator[tuple[Path, bytes]]:
    """Every file in the table's folder, whoever wrote it."""
    for path in sorted(station.folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path, path.read_bytes()


def nothing_of(station: Station, letter: str = "A") -> None:
    """No code of that set stands in any file: as text, or in hex as raw bytes are kept."""
    kept = {path.name for path, _ in files(station)}
    assert {"journal.db", "errors", "staff.json"} <= kept
    for path, data in files(station):
        lower = data.lower()
        for face, deck in CARDS:
            one = code(face, deck, letter)
            assert one.hex().encode() not in lower, (path, one)
            # A PIN's hash is any letters there are.
            assert path.name == "staff.json" or one not in data, (path, one)
            if path.name.startswith("journal.db") and path.suffix != ".key":
                assert one[:-1] not in data, (path, one)


def test_check_load_round_void_check_of_the_other_set_load_round(floor: Floor) -> None:
    checked(floor, "A-1", "A")
    load(floor, "A-1", "A")
    floor.sit(1).bet()
    floor.deal("5H 9D 6C")
    floor.pit.must(m.VoidRound(floor.console.now.round, "misdeal", floor.console.now.version))
    assert floor.pit.refused(m.LoadShoe("A-2", "A", second=DEALER, pin=DEALER)) == "wrong_set"
    assert floor.pit.refused(m.LoadShoe("B-1", "B", second=DEALER, pin=DEALER)) == "no_check"
    checked(floor, "B-1", "B")
    load(floor, "B-1", "B")
    floor.bet()
    for face in ("5H", "9D", "6C"):
        before = floor.reads
        floor.station.send(face, 1, letter="B")
        assert floor.seen(before).outcome == "dealt"
    loads = [row.fact for row in floor.station.journal() if isinstance(row.fact, g.ShoeLoaded)]
    assert [(one.set, one.check, one.by, one.second) for one in loads] == [
        ("A", 1, SUPERVISOR, DEALER),
        ("B", 2, SUPERVISOR, DEALER),
    ]


def test_the_receipt_is_printed_beside_the_running_table(floor: Floor) -> None:
    checked(floor, "A-1", "A")
    load(floor, "A-1", "A", cut_card=75)
    station = floor.station
    text = station.cli("shoe", "receipt", "A-1", "--lang", "en").stdout
    for part in ("416 of 416", "whole", "2001 이수진 and 1001 한지민", "75 cards", "text-line"):
        assert part in text
    assert "슈 확인증" in station.cli("shoe", "receipt", "A-1").stdout
    assert "A-1 (A)" in station.cli("shoe", "list").stdout
    shown = json.loads(station.cli("shoe", "show", "A-1", "--json").stdout)
    assert (shown["ok"], shown["shoe"]["found"]["read"]) == (True, 416)
    station.cli("shoe", "receipt", "A-1", "--html", "receipt.html")
    page = station.folder / "receipt.html"
    assert page.stat().st_mode & 0o777 == 0o600
    assert "416 / 416" in page.read_text(encoding="utf-8")
    again = station.cli("shoe", "receipt", "A-1", "--html", "receipt.html", check=False)
    assert (again.returncode, "there already" in again.stderr) == (2, True)
    unknown = station.cli("shoe", "show", "Z-9", check=False)
    assert (unknown.returncode, "shoe list" in unknown.stderr) == (2, True)


def test_no_file_of_the_station_holds_a_card_of_a_check_or_the_order(floor: Floor) -> None:
    """While it runs, at its end, and after the station has gone."""
    number = begin(floor)
    read_all(floor)
    nothing_of(floor.station)
    floor.pit.must(ms.FinishShoeCheck(number))
    floor.pit.must(ms.ShoeShuffled("A-1"))
    nothing_of(floor.station)
    assert floor.station.stop() == 0
    nothing_of(floor.station)
    found = next(r.fact for r in floor.station.journal() if isinstance(r.fact, s.ShoeChecked))
    assert (found.read, found.why, found.device) == (416, "", "shoe")
    assert found.identity.startswith("text-line · ")
    assert list(found.counts) == sorted(FACES)
    kinds = floor.station.kinds()
    assert not {"Observed", "ReadSetAside", "ReadRepeated", "ReadFailed"} & set(kinds)


def test_what_is_misread_in_a_check_leaves_no_trace_either(floor: Floor) -> None:
    """A spoilt code is nearly the card: its bytes are nobody's."""
    number = begin(floor)
    spoilt = code("KH", 3)[:-1] + b"*"
    floor.station.serial.send(spoilt + b"\r" + code("QH", 2)[:3])
    floor.console.wait_for(lambda s: _check(s).told is not None, "told of it")
    floor.station.serial.send(b"\r")
    floor.station.serial.send(cut_card() + b"\r")
    floor.station.send("KH", 3)
    floor.console.wait_for(lambda s: _check(s).read == 1, "the card itself")
    for _, data in files(floor.station):
        assert spoilt not in data
        assert spoilt.hex().encode() not in data.lower()
    floor.pit.must(ms.FinishShoeCheck(number))
    found = next(r.fact for r in floor.station.journal() if isinstance(r.fact, s.ShoeChecked))
    assert (found.read, found.cut, found.why) == (1, 1, "short_shoe")
    assert found.unread >= 1


def test_the_dealer_sees_how_many_of_how_many_and_only_at_the_end_which(floor: Floor) -> None:
    number = begin(floor)
    missing = (("KH", 3), ("5S", 1))
    read_all(floor, without=missing)
    now = floor.console.now
    assert now.prompt.text.en == "Check running: 414 of 416"
    assert now.prompt.text.ko == "카드 확인 중: 416장 중 414장"
    assert _check(now).found == []
    floor.pit.must(ms.FinishShoeCheck(number))
    end = floor.console.wait_for(lambda s: _check(s).state == "failed")
    texts = [text.en for text in _check(end).found]
    assert texts == ["Missing: 5♠ ×1, K♥ ×1", "Those very cards: 5♠/1, K♥/3"]
    assert floor.pit.refused(ms.ShoeShuffled("A-1")) == "no_check"


def test_killed_in_mid_check_the_count_is_lost_and_the_table_says_so(floor: Floor) -> None:
    station = floor.station
    number = begin(floor)
    for face, deck in CARDS[:200]:
        station.send(face, deck)
    floor.console.wait_for(lambda s: _check(s).read == 200, "200 cards counted")
    station.kill()
    nothing_of(station)
    station.start()
    floor.join()
    now = floor.console.now
    assert (_check(now).state, _check(now).read) == ("ended", 0)
    assert "begin the check anew" in _check(now).text.en
    assert floor.pit.refused(ms.FinishShoeCheck(number)) == "supervisor_only"
    floor.pit.must(m.LogIn(SUPERVISOR, SUPERVISOR))
    assert floor.pit.refused(ms.FinishShoeCheck(number)) == "stale_check"
    # Whoever goes on reading cards of that set is told, and nothing of it is kept.
    for face, deck in CARDS[200:]:
        station.send(face, deck)
    floor.console.wait_for(
        lambda s: "No check is running" in (_check(s).told or v.Text("", "")).en, "told so"
    )
    assert floor.pit.refused(m.LoadShoe("A-1", "A", second=DEALER, pin=DEALER)) == "no_check"
    floor.console.must(m.LogOut(DEALER))
    nothing_of(station)
    floor.console.must(m.LogIn(DEALER, DEALER))
    checked(floor, "A-1", "A")
    nothing_of(station)
    load(floor, "A-1", "A")


def test_unplugged_in_mid_check_it_is_over_and_begun_anew(floor: Floor) -> None:
    number = begin(floor)
    for face, deck in CARDS[:50]:
        floor.station.send(face, deck)
    floor.console.wait_for(lambda s: _check(s).read == 50, "50 cards counted")
    floor.station.serial.unplug()
    floor.console.wait_for(lambda s: _check(s).state == "ended", "the check is over")
    assert floor.pit.refused(ms.FinishShoeCheck(number)) == "stale_check"
    floor.station.serial.plug()
    floor.console.wait_for(lambda s: s.devices[0].health == "up", "the reader is back")
    floor.rule(floor.held("reader_lost"), "release")
    checked(floor, "A-1", "A")
    nothing_of(floor.station)


def test_the_second_person_proves_himself_by_his_own_pin(floor: Floor) -> None:
    begun = ms.BeginShoeCheck("A-1", "shoe", "A", second=DEALER, pin="9999")
    assert floor.pit.refused(begun) == "wrong_pin"
    alone = ms.BeginShoeCheck("A-1", "shoe", "A", second=SUPERVISOR, pin=SUPERVISOR)
    assert floor.pit.refused(alone) == "second_is_first"
    assert floor.pit.refused(ms.BeginShoeCheck("A-1", "shoe", "A")) == "second_needed"
    checked(floor, "A-1", "A")
    assert floor.pit.refused(m.LoadShoe("A-1", "A", second=DEALER, pin="9999")) == "wrong_pin"
    load(floor, "A-1", "A")
    for _, data in files(floor.station):
        assert b"9999" not in data


def test_a_machines_receipt_in_place_of_the_reading(floor: Floor) -> None:
    receipt = ms.EnterCheckersReceipt(
        "A-1", "DM-77", "0815", "2026-12-01 09:00", DEALER, DEALER, "A", checker="kim"
    )
    floor.pit.must(receipt)
    floor.pit.must(ms.ShoeShuffled("A-1", "S-8812"))
    broken = m.LoadShoe("A-1", "A", second=DEALER, pin=DEALER)
    assert floor.pit.refused(broken) == "wrong_seal"
    load(floor, "A-1", "A", seal="S-8812")
    again = ms.EnterCheckersReceipt("B-1", "DM-77", "0815", "2026-12-01 09:00", DEALER, DEALER, "B")
    assert floor.pit.refused(again) == "receipt_used"
