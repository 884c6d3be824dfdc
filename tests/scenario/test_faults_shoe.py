"""What goes wrong at the shoe (I-01, I-04, I-05, I-10) at a running table."""

from __future__ import annotations

import pytest

from station import messages as m
from station.game import facts as g
from station.table import facts as f
from tests.support.daemon import cut_card
from tests.support.floor import Floor


def test_i_01_a_misdeal_is_held_voided_and_nothing_is_relabelled(floor: Floor) -> None:
    floor.ready(1, 2, 3, 4)
    floor.deal("5H 6C 7D 8S")
    slot = floor.console.now.prompt.slot
    assert slot is not None
    # The dealer skips his own card: this one is meant as seat 1's second.
    assert (slot.to, floor.console.now.prompt.action) == ("dealer", "upcard")
    assert floor.card("9C").slot == slot
    floor.console.must(m.ReportError("misdeal"))
    hold = floor.held("dealer_report")
    assert [floor.card(face).outcome for face in ("TD", "2H")] == ["exposed"] * 2
    assert floor.console.refused(m.Rule(hold.hold, "void")) == "supervisor_only"
    assert floor.pit.refused(m.Rule(hold.hold, "release")) == "drawn_during_hold"
    before = [row for row in floor.station.journal() if row.kind == "CardDealt"]
    floor.rule(hold, "void")
    assert floor.paid() == {(1, bet): [("void", 1000)] for bet in (1, 2, 3, 4)}
    assert floor.console.now.shoe.state == "out"
    assert floor.host.refused(m.OpenRound(floor.host.now.rules.fingerprint)) == "shoe_not_in_play"
    assert [row for row in floor.station.journal() if row.kind == "CardDealt"] == before


@pytest.mark.parametrize(
    "cards",
    [
        "5H CUT 9D 6C",
        "CUT 5H 9D 6C",
        "5H 9D CUT 6C",
        "5H 9D 6C hit CUT 7H",
        "5H CUT CUT 9D CUT 6C",
    ],
)
def test_i_04_the_cut_card_is_never_a_hand_card_and_the_shoe_is_changed_after(
    floor: Floor, cards: str
) -> None:
    floor.ready(1)
    for step in cards.split():
        if step == "hit":
            floor.act("hit")
        elif step == "CUT":
            before = floor.console.now.prompt
            outcome = floor.read(cut_card() + b"\r").outcome
            assert outcome in ("cut_card", "repeat")
            assert floor.console.now.prompt == before
            assert floor.console.now.shoe.state == "last_round"
        else:
            floor.deal(step)
    floor.act("stand").deal("8H").clear()
    assert floor.console.now.prompt.code == "shoe_change"
    assert floor.host.refused(m.OpenRound(floor.host.now.rules.fingerprint)) == "shoe_change_due"
    assert floor.station.kinds().count("CutCardOut") == 1
    assert floor.dealt() == [x for x in cards.split() if x not in ("CUT", "hit")] + ["8H"]
    floor.new_shoe("S2")
    assert floor.open() == 2


def test_i_05_a_card_that_fails_is_scanned_again_before_anything_else(floor: Floor) -> None:
    floor.ready(1, 3).deal("5H 6C 9D")
    assert floor.read(b"AAS1\r").outcome == "no_read"
    assert floor.console.now.prompt.action == "second"
    floor.deal("AS 7D")
    assert floor.dealt() == ["5H", "6C", "9D", "AS", "7D"]


def test_i_05_a_missed_scan_is_not_filled_in_and_no_settlement_follows_the_void(
    floor: Floor,
) -> None:
    # Card 4 is on the felt unread; 5 and 6 are read in its place and the next.
    floor.ready(1, 3).deal("5H 6C 9D 2S 3D")
    floor.console.must(m.ReportError("missed_scan"))
    hold = floor.held("dealer_report")
    assert floor.card("AS").outcome == "exposed"
    assert floor.pit.refused(m.Rule(hold.hold, "release")) == "drawn_during_hold"
    floor.rule(hold, "void")
    assert floor.card("KH").outcome == "set_aside"
    assert floor.console.refused(m.Cleared(1)) == "round_void_already"
    assert floor.paid() == {(1, 1): [("void", 1000)], (1, 2): [("void", 1000)]}
    assert "RoundSettled" not in floor.station.kinds()
    assert (
        floor.pit.refused(m.VoidRound(1, "misdeal", floor.pit.now.version)) == "round_void_already"
    )


def test_i_10_a_fault_latches_until_a_named_supervisor_acknowledges_it(floor: Floor) -> None:
    floor.open_table().sit(1)
    floor.station.serial.unplug()
    floor.held("reader_lost")
    floor.station.serial.plug()
    floor.console.wait_for(lambda s: s.devices[0].health == "up")
    assert [floor.card(face).outcome for face in ("KH", "9S")] == ["set_aside"] * 2
    assert floor.host.refused(m.OpenRound(floor.host.now.rules.fingerprint)) == "table_holds"
    assert floor.station.stop() == 0
    floor.station.start()
    floor.join()
    hold = floor.held("reader_lost")
    assert floor.console.now.prompt.kind == "hold"
    assert floor.card("QD").outcome == "set_aside"
    assert floor.console.refused(m.Rule(hold.hold, "release")) == "supervisor_only"
    # The sign-in ended with the link: a restart acknowledges nothing.
    assert floor.pit.refused(m.Rule(hold.hold, "release")) == "supervisor_only"
    floor.pit.must(m.LogIn("2001", "2001"))
    floor.rule(hold, "release")
    released = [r.fact for r in floor.station.journal() if isinstance(r.fact, f.HoldReleased)]
    assert [(fact.hold, fact.ruling, fact.by) for fact in released] == [
        (hold.hold, "release", "2001")
    ]
    floor.bet((1,)).deal("KH")
    assert floor.dealt() == ["KH"]


def test_an_exposed_card_too_early_is_burned_and_betting_goes_on(floor: Floor) -> None:
    floor.open_table().sit(1)
    floor.open()
    assert floor.card("KH").outcome == "exposed"
    hold = floor.held("exposed_card")
    assert floor.console.now.exposed == ["KH"]
    assert floor.host.refused(m.PlaceBet(1, 1, "P1", 1000)) == "table_holds"
    floor.rule(hold, "burn")
    floor.host.must(m.PlaceBet(1, 1, "P1", 1000))
    floor.host.must(m.CloseBetting(1))
    floor.deal("QD")
    assert floor.dealt() == ["QD"]


def test_p2_a_card_no_reader_can_read_is_entered_by_two_people(floor: Floor) -> None:
    """The PIN of the second is looked at beside the controller, and stands nowhere afterwards."""
    floor.ready(1)
    floor.deal("5H")
    for _ in range(3):
        assert floor.read(b"AKX9*\r").outcome == "no_read"
    hold = floor.held("unreadable_card")
    wrong = m.EnterCard(hold.hold, "9D", "1001", "271828", note="torn")
    assert floor.pit.refused(wrong) == "wrong_pin"
    alone = m.EnterCard(hold.hold, "9D", "2001", "2001")
    assert floor.pit.refused(alone) == "second_is_first"
    assert floor.console.refused(m.EnterCard(hold.hold, "9D", "3001", "3001")) == "supervisor_only"
    floor.pit.must(m.EnterCard(hold.hold, "9D", "1001", "1001", note="torn"))
    assert floor.dealt() == ["5H", "9D"]
    floor.deal("6C").act("stand").deal("8H").clear()
    rows = floor.station.journal()
    entered = [row.fact for row in rows if row.kind == "CardEntered"]
    assert [(one.by, one.second) for one in entered if isinstance(one, f.CardEntered)] == [
        ("2001", "1001")
    ]
    assert not [row for row in rows if "271828" in row.body]


def test_a_card_read_as_another_one_is_corrected_in_its_place_by_two(floor: Floor) -> None:
    floor.ready(1).deal("5H 9D 6C")
    floor.console.must(m.ReportError("wrong_card"))
    hold = floor.held("dealer_report")
    wrong = m.CorrectCard(hold.hold, "7C", "1001", "271828")
    assert floor.pit.refused(wrong) == "wrong_pin"
    alone = m.CorrectCard(hold.hold, "7C", "2001", "2001")
    assert floor.pit.refused(alone) == "second_is_first"
    floor.card("7C")
    floor.pit.must(m.CorrectCard(hold.hold, "7C", "1001", "1001", note="smudged"))
    seats = floor.console.wait_for(lambda s: not s.holds, "no hold").seats
    hand = next(seat.hands[0] for seat in seats if seat.seat == 1)
    assert hand.cards == ["5H", "7C"]
    floor.act("stand").deal("8H").clear()
    fact = next(row.fact for row in floor.station.journal() if row.kind == "CardCorrected")
    assert isinstance(fact, g.CardCorrected)
    assert (fact.by, fact.second, fact.manual) == ("2001", "1001", False)
