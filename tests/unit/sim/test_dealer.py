"""The dealer, against a scripted station and a real virtual shoe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.control import ShoeControl
from hw_sim.dealer import ERRORS, Dealer, DealerSettings, habits
from tests.unit.sim.conftest import MakeShoe, Until
from tests.unit.sim.fake_station import (
    FakeStation,
    action,
    hand,
    hold,
    running,
    seat,
    snapshot,
    text,
)

ON_DUTY = {"dealer": {"staff": "1001", "name": "", "role": "dealer"}, "signed_in": []}
LONG_S, AT_ONCE_S = 1_000.0, 0.02


def make(station: FakeStation, shoe: ShoeControl, **changes: Any) -> Dealer:
    settings = DealerSettings(**{"reaction_s": 0.0, "again_s": LONG_S, **changes})
    return Dealer(station.path, shoe, settings, 7, tell=lambda _: None)


@pytest.fixture
def dealer(station: FakeStation, shoe: ShoeControl) -> Iterator[Dealer]:
    made = make(station, ShoeControl(shoe.path))
    with running(made):
        yield made


def owed(dealt: int = 0, read: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A card is owed, and so many lie on the felt."""
    prompt = {"kind": "card", "code": "first", "text": text("")}
    seats = [seat(1, "Kim", hands=[hand(*["2H"] * dealt, total=0)])]
    parts = {"prompt": prompt, "seats": seats, "last_read": read, "round": 1, "phase": "dealing"}
    return snapshot(**{**parts, "staff": ON_DUTY, **changes})


def nobody(**changes: Any) -> dict[str, Any]:
    return owed(prompt={"kind": "none", "code": "", "text": text("")}, **changes)


def read(number: int, face: str, outcome: str = "dealt") -> dict[str, Any]:
    return {"number": number, "face": face, "outcome": outcome, "slot": None, "text": text("")}


def given(shoe: ShoeControl) -> list[str]:
    """Faces that have left the shoe."""
    return [str(code)[1:3] for code in shoe.ask("state")["given"]]


def test_takes_the_table_when_nobody_has_it(station: FakeStation, dealer: Dealer) -> None:
    assert station.hello().role == "console"
    station.show(snapshot())
    station.accept("log_in", staff="1001", pin="1001")


def test_draws_one_card_when_owed_and_the_next_only_when_it_was_read(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    station.hello()
    station.show(nobody())
    station.show(owed())
    until(lambda: len(given(shoe)) == 1)
    face = given(shoe)[0]
    other = "2S" if face != "2S" else "3S"
    # Another prompt, and a read of another card, are not the read of this one.
    station.show(owed(1))
    station.show(owed(1, read(3, other, "repeat")))
    station.show(nobody(read=read(3, other, "repeat")))
    until(lambda: dealer.snapshot.get("version") == station.version)
    assert len(given(shoe)) == 1
    station.show(owed(1, read(4, face)))
    until(lambda: len(given(shoe)) == 2)


def test_no_read_is_presented_again(station: FakeStation, shoe: ShoeControl, until: Until) -> None:
    with running(make(station, ShoeControl(shoe.path), again_s=AT_ONCE_S)) as _:
        station.hello()
        shoe.ask("arm", fault="no_read")
        station.show(owed())
        station.accept("report_error", what="missed_scan")
    # It was presented as often as can be, and no other card was drawn.
    assert len(given(shoe)) == 1


def test_reader_that_says_no_read_is_shown_the_card_at_once(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    station.hello()
    station.show(owed())
    until(lambda: len(given(shoe)) == 1)
    station.show(owed(0, read(1, "", "no_read")))
    station.show(owed(0, read(2, "", "no_read")))
    station.show(owed(0, read(3, given(shoe)[0])))
    until(lambda: len(given(shoe)) == 2)


def test_hold_stops_the_hands_until_it_is_over(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    station.hello()
    station.show(owed(holds=[hold("reader_lost", release="")]))
    until(lambda: dealer.snapshot.get("version") == 1)
    assert given(shoe) == []
    station.show(owed())
    until(lambda: len(given(shoe)) == 1)


def test_card_in_the_hand_is_forgotten_with_its_round(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    station.hello()
    station.show(owed())
    until(lambda: len(given(shoe)) == 1)
    station.show(nobody(phase="void"))
    station.show(owed(round=2))
    until(lambda: len(given(shoe)) == 2)


def test_cut_card_is_laid_aside_and_the_card_still_owed_is_drawn(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    shoe.ask("arm", fault="no_read")
    station.hello()
    shoe.ask("fault", fault="cut")
    assert given(shoe) == ["CU"]
    station.show(owed(0, read(1, "", "cut_card")))
    until(lambda: len(given(shoe)) == 2)


def test_clears_the_settled_round(station: FakeStation, dealer: Dealer) -> None:
    station.hello()
    station.show(nobody(phase="result", round=3, actions=[action("cleared", "3")]))
    station.accept("cleared", round=3)


def test_ends_a_wait_of_his_own_and_no_other_hold(station: FakeStation, dealer: Dealer) -> None:
    station.hello()
    station.show(owed(holds=[hold("emergency", 4)], actions=[action("resume", "0", "stale_hold")]))
    station.show(owed(holds=[hold("wait", 5)], actions=[action("resume", "5")]))
    station.accept("resume", hold=5)


def test_habits_are_the_seeds_alone_and_errors_are_as_many_as_asked_for() -> None:
    keys = [f"{number}/{card}" for number in range(50) for card in range(20)]
    assert [habits(7, key, 0.1) for key in keys] == [habits(7, key, 0.1) for key in keys]
    errors = [error for key in keys if (error := habits(7, key, 0.1)[1])]
    assert 60 < len(errors) < 140
    assert set(errors) == set(ERRORS)
    assert not any(habits(7, key, 0.0)[1] for key in keys)


@pytest.mark.parametrize("error", ERRORS)
def test_each_error_is_made_once(
    station: FakeStation, make_shoe: MakeShoe, until: Until, tmp_path: Path, error: str
) -> None:
    shoe = make_shoe(cut=0, log=tmp_path / "truth")
    seed = next(seed for seed in range(99) if habits(seed, "1/0", 1.0)[1] == error)
    settings = DealerSettings(reaction_s=0.0, again_s=LONG_S, errors=1.0)
    dealer = Dealer(station.path, ShoeControl(shoe.path), settings, seed, tell=lambda _: None)
    with running(dealer):
        station.hello()
        station.show(owed())
        if error in ("wait", "report"):
            station.accept({"wait": "wait", "report": "report_error"}[error])
            station.show(owed())
        until(lambda: len(given(shoe)) == (2 if error == "early" else 1))
    truth = [json.loads(line) for line in (tmp_path / "truth").read_text().splitlines()]
    faults = {"double": "double_read", "forget": "no_read", "early": "early_draw"}
    assert truth[0]["fault"] == faults.get(error, "")
