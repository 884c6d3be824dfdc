"""The supervisor, against a scripted station and a real virtual shoe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hw_sim import orders
from hw_sim.client import Command
from hw_sim.control import ControlError, ShoeControl
from hw_sim.staff import OneCommand, Staff, StaffSettings
from station import messages as m
from tests.unit.sim.conftest import MakeShoe, Until
from tests.unit.sim.fake_station import FakeStation, action, hold, running, snapshot, text

SIGNED = {"dealer": None, "signed_in": [{"staff": "2001", "name": "", "role": "supervisor"}]}


def make(station: FakeStation, shoe: ShoeControl, **changes: Any) -> Staff:
    settings = StaffSettings(**{"reaction_s": 0.0, **changes})
    return Staff(station.path, ShoeControl(shoe.path), settings, tell=lambda _: None)


@pytest.fixture
def staff(station: FakeStation, shoe: ShoeControl) -> Iterator[Staff]:
    made = make(station, shoe)
    with running(made):
        yield made


def at_table(**changes: Any) -> dict[str, Any]:
    return snapshot(**{"staff": SIGNED, **changes})


def shoe_view(state: str, name: str = "A-1") -> dict[str, Any]:
    return {"id": name, "state": state, "text": text("")}


def test_signs_in_first_and_again_over_a_new_link(station: FakeStation, staff: Staff) -> None:
    assert station.hello().role == "staff"
    station.show(snapshot())
    station.accept("log_in", staff="2001", pin="2001")
    station.hang_up()
    station.hello()
    station.show(snapshot())
    station.accept("log_in")


@pytest.mark.parametrize("state", ["none", "out", "last_round"])
def test_new_shoe_goes_in_and_is_released_at_the_version_seen(
    station: FakeStation, staff: Staff, shoe: ShoeControl, state: str
) -> None:
    station.hello()
    station.show(at_table(shoe=shoe_view(state), actions=[action("load_shoe")]))
    station.accept("load_shoe", shoe="A-8", set="A")
    assert shoe.ask("state")["shoe"] == "A-8"
    loaded = shoe_view("loaded", "A-8")
    station.show(at_table(shoe=loaded, actions=[action("release_shoe", "A-8")]))
    station.accept("release_shoe", shoe="A-8", expected_version=3)


def test_shoe_stays_while_it_may_not_be_changed(station: FakeStation, staff: Staff) -> None:
    station.hello()
    late = action("load_shoe", "", "change_between_rounds")
    station.show(at_table(shoe=shoe_view("last_round"), actions=[late]))
    station.show(at_table(holds=[hold("emergency", release="")]))
    station.accept("rule", ruling="release")


def test_fresh_puts_the_waiting_shoe_in_and_voids_what_was_left_open(
    station: FakeStation, shoe: ShoeControl
) -> None:
    with running(make(station, shoe, fresh=True)):
        station.hello()
        late = action("load_shoe", "", "change_between_rounds")
        station.show(at_table(round=9, actions=[late, action("void_round", "9")]))
        station.accept("void_round", round=9, expected_version=1)
        station.show(at_table(round=9, shoe=shoe_view("out"), actions=[action("load_shoe")]))
        # No card has left it yet: it is the new one.
        station.accept("load_shoe", shoe="A-7")


def waiting(*names: str, state: str = "loaded", shoe: str = "A-9") -> dict[str, Any]:
    """A table at which those shoes are out and wait for their count."""
    actions = [action("reconcile_shoe", name) for name in names]
    actions += [action("load_shoe"), action("release_shoe", shoe)]
    return at_table(shoe=shoe_view(state, shoe), actions=actions)


def test_a_shoe_that_is_out_is_counted_before_the_next_is_released(
    station: FakeStation, staff: Staff, shoe: ShoeControl
) -> None:
    """R2: what remained, as faces and how many of each."""
    drawn = [shoe.ask("draw")["face"] for _ in range(3)]
    station.hello()
    station.show(waiting("A-7", state="out", shoe="A-7"))
    counted = station.accept("reconcile_shoe", shoe="A-7").command
    assert isinstance(counted, m.ReconcileShoe)
    assert sum(counted.remaining.values()) == 413
    for face in set(drawn):
        assert counted.remaining.get(face, 0) == 8 - drawn.count(face)
    # It was taken out for that, and nothing can be drawn from it any more.
    with pytest.raises(ControlError, match="the shoe is out"):
        shoe.ask("draw")
    station.show(at_table(shoe=shoe_view("out", "A-7"), actions=[action("load_shoe")]))
    station.accept("load_shoe", shoe="A-8")
    assert shoe.ask("draw")["position"] == 1


def test_a_shoe_changed_after_the_cut_card_is_counted_too(
    station: FakeStation, staff: Staff, shoe: ShoeControl
) -> None:
    shoe.ask("draw")
    shoe.ask("load")
    station.hello()
    station.show(waiting("A-7", shoe="A-8"))
    station.accept("reconcile_shoe", shoe="A-7")
    station.show(waiting(shoe="A-8"))
    station.accept("release_shoe", shoe="A-8")


def test_a_shoe_whose_count_does_not_come_out_is_counted_once(
    station: FakeStation, staff: Staff, shoe: ShoeControl
) -> None:
    """R2: it goes on waiting, for a second count by whoever sees more than the virtual shoe."""
    shoe.ask("draw")
    shoe.ask("load")
    station.hello()
    station.show(waiting("A-7", shoe="A-8"))
    station.accept("reconcile_shoe", shoe="A-7")
    station.show(waiting("A-7", shoe="A-8"))
    station.accept("release_shoe", shoe="A-8")


@pytest.mark.parametrize("fresh", [False, True])
def test_a_shoe_of_which_nobody_knows_what_remains_is_not_counted(
    station: FakeStation, shoe: ShoeControl, fresh: bool
) -> None:
    """Neither one that was never here, nor one of an earlier run that has this one's name."""
    shoe.ask("draw")
    with running(make(station, shoe, fresh=fresh)):
        station.hello()
        other = "A-7" if fresh else "B-1"
        station.show(waiting(other, state="loaded", shoe="A-9"))
        if fresh:
            station.accept("load_shoe", shoe="A-8")
            station.show(waiting(other, state="loaded", shoe="A-8"))
        station.accept("release_shoe", shoe="A-8" if fresh else "A-9")


def test_a_shoe_whose_name_may_not_come_again_is_passed_over(
    station: FakeStation, shoe: ShoeControl, until: Until
) -> None:
    """One of that name waits for its count, or its count did not come out (R2)."""
    with running(make(station, shoe, fresh=True)) as _:
        station.hello()
        station.show(waiting("A-7", state="in_play", shoe="A-8"))
        refused = station.command()
        assert isinstance(refused.command, m.LoadShoe)
        assert refused.command.shoe == "A-9"
        station.answer(refused.id, "shoe_barred")
        station.show(waiting("A-7", state="in_play", shoe="A-8"))
        station.accept("load_shoe", shoe="A-10")


@pytest.mark.parametrize(
    ("ways", "ruling"),
    [
        ({"void": "", "release": ""}, "release"),
        ({"release": "cards_are_out", "aligned": "", "void": ""}, "aligned"),
        ({"burn": "", "void": ""}, "burn"),
        ({"burn": "card_changed_order", "void": ""}, "void"),
    ],
)
def test_rules_the_mildest_that_is_open(
    station: FakeStation, staff: Staff, ways: dict[str, str], ruling: str
) -> None:
    station.hello()
    station.show(at_table(holds=[hold("some", 3, **ways)]))
    station.accept("rule", hold=3, ruling=ruling)


def not_reread(face: str) -> dict[str, Any]:
    held = hold("reader_lost", 2, aligned="last_card_not_reread", void="")
    held["rulings"][0]["refusal"]["params"] = {"face": face}
    return at_table(holds=[held])


def test_alignment_presents_the_last_card_again_before_it_is_confirmed(
    station: FakeStation, staff: Staff, shoe: ShoeControl
) -> None:
    face = shoe.ask("draw")["face"]
    station.hello()
    station.show(not_reread(face))
    station.show(at_table(holds=[hold("reader_lost", 2, aligned="", void="")]))
    station.accept("rule", ruling="aligned")


def test_card_drawn_and_never_read_cannot_be_aligned(
    station: FakeStation, staff: Staff, shoe: ShoeControl
) -> None:
    accepted = shoe.ask("draw")["face"]
    shoe.ask("arm", fault="no_read")
    while shoe.ask("draw")["face"] == accepted:
        pass
    station.hello()
    station.show(not_reread(accepted))
    station.accept("rule", ruling="void")


def test_reader_that_is_out_is_waited_for_before_a_void(
    station: FakeStation, staff: Staff, until: Until
) -> None:
    station.hello()
    station.show(at_table(holds=[hold("reader_lost", 2, release="reader_not_up", void="")]))
    station.show(at_table(holds=[hold("reader_lost", 2, release="", void="")]))
    station.accept("rule", ruling="release")


def test_dealers_own_wait_is_left_to_him(station: FakeStation, staff: Staff) -> None:
    station.hello()
    station.show(at_table(holds=[hold("wait", 1, release="", void="")]))
    station.show(at_table(holds=[hold("wait", 2, release="drawn_during_hold", void="")]))
    station.accept("rule", hold=2, ruling="void")


def test_call_is_answered(station: FakeStation, staff: Staff) -> None:
    station.hello()
    station.show(at_table(actions=[action("answer_call")]))
    station.accept("answer_call")


def test_without_auto_nothing_is_ruled(
    station: FakeStation, shoe: ShoeControl, until: Until
) -> None:
    seen: list[str] = []
    staff = make(station, shoe, auto=False)
    staff.tell = seen.append
    with running(staff):
        station.hello()
        station.show(at_table(holds=[hold("emergency", 1, release="")]))
        until(lambda: seen)
        station.show(snapshot())
        station.accept("log_in")
    assert seen == ["staff: hold 1 emergency: emergency"]


# --- single orders ----------------------------------------------------------------------------


def one(station: FakeStation, make_command: Any) -> OneCommand:
    settings = StaffSettings()
    return OneCommand(station.path, settings, "staff-1", make_command, tell=lambda _: None)


def test_one_order_signs_in_says_it_and_ends(station: FakeStation) -> None:
    client = one(station, lambda snap: orders.void(snap, "misdeal"))
    with running(client) as thread:
        station.hello()
        station.show(snapshot())
        station.accept("log_in")
        station.show(at_table(round=6))
        station.accept("void_round", round=6, reason="misdeal", expected_version=3)
        thread.join(5)
        assert not thread.is_alive()
    assert client.failed == ""


def test_refused_order_says_why(station: FakeStation) -> None:
    client = one(station, lambda snap: orders.void(snap, "misdeal"))
    with running(client) as thread:
        station.hello()
        station.show(at_table(round=6))
        station.answer(station.command().id, "round_settled_already")
        thread.join(5)
    assert "void_round refused: round_settled_already" in client.failed


@pytest.mark.parametrize("refusal", ["", "last_card_missing"])
def test_an_order_is_judged_by_its_answer_not_by_a_snapshot_that_comes_with_it(
    station: FakeStation, refusal: str
) -> None:
    """The shoe is in play because it was released: that is not why it cannot be released."""
    client = one(station, orders.release)
    with running(client) as thread:
        station.hello()
        station.show(at_table(shoe=shoe_view("loaded")))
        asked = station.command()
        # As many versions on as the answer: it may be acted upon at once.
        answer = station.answer_to(asked.id, refusal)
        shown = at_table(shoe=shoe_view("in_play"), type="snapshot", version=answer["version"])
        station.send(shown, answer)
        thread.join(5)
        assert not thread.is_alive()
    assert client.failed == (f"release_shoe refused: {refusal} {refusal}" if refusal else "")
    assert station.silent()


def test_orders_that_make_no_sense_are_not_sent() -> None:
    held = at_table(holds=[hold("emergency", 4, release="", void="")])
    assert "does not hold" in str(orders.rule(at_table(), "release", 0, ""))
    assert "there is no hold 5; there are 4" in str(orders.rule(held, "release", 5, ""))
    assert "release or void, not burn" in str(orders.rule(held, "burn", 0, ""))
    assert "no loaded shoe" in str(orders.release(at_table()))


def test_a_shoe_that_is_out_is_counted_by_hand(station: FakeStation, shoe: ShoeControl) -> None:
    """R2: by default the one that waits longest; what remained only the virtual shoe knows."""
    drawn = [shoe.ask("draw")["face"] for _ in range(3)]
    shoe.ask("load")
    client = one(station, lambda snap: orders.count(snap, shoe))
    with running(client) as thread:
        station.hello()
        station.show(waiting("A-7", "A-8"))
        counted = station.accept("reconcile_shoe", shoe="A-7").command
        thread.join(5)
        assert not thread.is_alive()
    assert isinstance(counted, m.ReconcileShoe)
    assert sum(counted.remaining.values()) == 416 - len(drawn)
    assert all(counted.remaining.get(face, 0) == 8 - drawn.count(face) for face in drawn)
    assert client.failed == ""


def test_a_count_of_a_shoe_that_is_not_out_says_what_to_do(shoe: ShoeControl) -> None:
    shoe.ask("draw")
    assert orders.count(waiting(), shoe) == "no shoe waits for its count"
    said = orders.count(waiting("A-7"), shoe)
    assert "shoe 'A-7' is not out here" in str(said)
    assert f"hw-sim order --shoe {shoe.path} out" in str(said)
    shoe.ask("out")
    assert isinstance(orders.count(waiting("A-7"), shoe), Command)
    assert "'A-6' is not out here" in str(orders.count(waiting("A-7"), shoe, "A-6"))


@pytest.mark.parametrize(("drawn", "ruling"), [(3, "second"), (2, "same")])
def test_a_doubted_read_is_ruled_on_by_what_lies_on_the_felt(
    station: FakeStation, make_shoe: MakeShoe, drawn: int, ruling: str
) -> None:
    """KH, 9S and perhaps another KH have left the shoe; the felt as the station has it: KH, 9S."""
    shoe = make_shoe(cut=0, stack=("KH1", "9S", "KH2"))
    with running(make(station, shoe)):
        station.hello()
        station.show(at_table(round=5))
        # Only when it has been seen is the round's beginning known.
        station.show(at_table(round=5, actions=[action("answer_call")]))
        station.accept("answer_call")
        for _ in range(drawn):
            shoe.ask("draw")
        doubt = {**hold("same_or_second", 4, same="", second="", void=""), "faces": ["KH"]}
        felt = {"cards": ["KH", "9S"], "total": 19, "soft": False, "state": "open"}
        station.show(at_table(round=5, holds=[doubt], dealer=felt))
        station.accept("rule", hold=4, ruling=ruling)
