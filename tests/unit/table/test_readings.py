"""What a reading becomes: a card, a repeat, an exposed card, or a hold. Never lost."""

from __future__ import annotations

import pytest

from station.game import facts as g
from station.game.cards import card_of
from station.game.state import Slot
from station.table import facts as f
from station.table import inputs as i
from tests.support.play import CONSOLE, HOST, PIT, Play


def lost(play: Play) -> None:
    play.give(i.DeviceHealth("shoe", "lost", "unplugged"))


def back(play: Play) -> None:
    play.give(i.DeviceHealth("shoe", "up", ""))


def missed(play: Play, reason: str = "incomplete", *, passed: bool = True) -> None:
    play.give(i.ReadMissed("shoe", reason, "AK", "414b", passed))


def test_b_01_the_last_card_read_again_is_a_repeat_however_often() -> None:
    play = Play().open_table().bet().close()
    for _ in range(21):
        play.card("KH", deck=3)
    assert len(play.of(g.CardDealt)) == 1
    assert len(play.of(f.ReadRepeated)) == 20
    assert not play.table.holds
    assert play.table.read is not None
    assert play.table.read.outcome == "repeat"


def test_the_same_face_of_another_deck_is_another_card() -> None:
    play = Play().open_table().bet().close()
    play.card("KH", deck=3)
    play.card("KH", deck=4)
    assert len(play.of(g.CardDealt)) == 2


def test_i_07_an_earlier_card_again_holds_and_names_both_reads() -> None:
    play = Play().open_table().bet().close()
    play.card("KH", deck=3)
    play.card("2S")
    play.card("KH", deck=3)
    hold = play.table.holds[0]
    assert hold.code == "duplicate_card"
    assert hold.params["first_order"] == 1
    assert hold.params["face"] == "KH"
    assert play.round.boxes[0].hands[0].cards[0].face == "KH"
    assert len(play.of(g.CardDealt)) == 2
    play.must(PIT, i.Rule(hold.hold, "void", "", None))
    assert play.round.ended == "void"
    assert play.table.game.shoe.state == "out"


@pytest.mark.parametrize(
    ("face", "letter", "deck", "why"),
    [("KH", "B", 1, "wrong_set"), ("KH", "A", 9, "wrong_deck")],
)
def test_r2_a_card_that_cannot_be_of_this_shoe_holds(
    face: str, letter: str, deck: int, why: str
) -> None:
    play = Play().open_table().bet().close()
    play.card(face, deck, letter)
    assert play.hold_codes == ["foreign_card"]
    assert play.table.holds[0].params["why"] == why
    assert not play.of(g.CardDealt)


@pytest.mark.parametrize("where", ["betting", "deciding", "result", "cleared"])
def test_a_card_nobody_is_owed_is_exposed_and_holds(where: str) -> None:
    play = Play().open_table().bet()
    if where != "betting":
        play.close().cards("TS 9S 8S 7S 7H")
    if where in ("result", "cleared"):
        play.act("stand", "stand").cards("TH")
    if where == "cleared":
        play.clear()
    before = len(play.table.game.shoe.gone)
    play.card("QS", deck=8)
    assert play.hold_codes == ["exposed_card"]
    assert [card.face for card in play.table.game.exposed] == ["QS"]
    assert len(play.table.game.shoe.gone) == before + 1, "the inventory stays exact"


def test_a20_a_card_too_early_is_burned_on_a_supervisors_ruling_and_betting_starts_anew() -> None:
    play = Play().open_table().bet()
    play.card("QS")
    hold = play.table.holds[0].hold
    refusal = play.say(CONSOLE, i.Rule(hold, "burn", "", None))
    assert refusal is not None
    assert refusal.code == "supervisor_only"
    play.must(PIT, i.Rule(hold, "burn", "", None))
    assert not play.table.holds
    assert not play.table.game.exposed
    play.close().card("2S")
    assert play.round.boxes[0].hands[0].cards[0].face == "2S"


def test_a20_a_card_exposed_while_players_decide_can_only_be_void() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H")
    play.card("QS")
    hold = play.table.holds[0].hold
    for ruling in ("burn", "release", "aligned"):
        refusal = play.say(PIT, i.Rule(hold, ruling, "", None))
        assert refusal is not None
    play.must(PIT, i.Rule(hold, "void", "", None))
    assert {line.returned for line in play.round.lines} == {1000}
    assert not play.table.holds


def test_p13_a_dealers_card_too_many_is_burned_and_the_result_stands() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H").act("stand", "stand")
    play.card("TH")
    settled = play.round.lines
    play.card("QS")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "burn", "", None))
    assert play.round.lines == settled
    assert len(play.of(g.RoundSettled)) == 1
    play.clear()


def test_i_04_the_cut_card_is_never_a_hand_card_and_no_other_round_starts() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    for _ in range(2):
        play.give(i.CutCardSeen("shoe", "ACUT", ""))
    assert len(play.of(g.CutCardOut)) == 1
    play.cards("9S 8S 7S 7H")
    assert play.round.dealer[0].face == "8S"
    play.act("stand", "stand").cards("TH")
    play.clear()
    refusal = play.say(HOST, g_open(play))
    assert refusal is not None
    assert refusal.code == "shoe_change_due"
    play.new_shoe("S2")
    play.must(HOST, g_open(play))


def g_open(play: Play):  # type: ignore[no-untyped-def]
    from station.game.commands import OpenRound
    from station.game.rules import fingerprint

    return OpenRound(fingerprint(play.rules))


def test_p2_a_no_read_keeps_the_slot_and_a_rescan_is_taken() -> None:
    play = Play().open_table().bet().close()
    missed(play)
    assert not play.table.holds
    play.card("TS")
    assert play.round.boxes[0].hands[0].cards[0].face == "TS"


def test_p2_three_no_reads_in_a_row_hold() -> None:
    play = Play().open_table().bet().close()
    for _ in range(3):
        missed(play)
    assert play.hold_codes == ["unreadable_card"]


def test_a_11_noise_on_the_line_neither_holds_nor_counts_as_a_card() -> None:
    play = Play().open_table().bet().close()
    for _ in range(60):
        missed(play, "garbage", passed=False)
    play.card("QC", deck=3)
    assert play.round.boxes[0].hands[0].cards[0].face == "QC"


def test_a_half_card_while_nobody_is_owed_one_holds() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H")
    missed(play)
    assert play.hold_codes == ["unknown_card"]


def test_a_01_a_lost_reader_latches_and_reads_before_the_acknowledgement_are_never_dealt() -> None:
    play = Play().open_table()
    lost(play)
    back(play)
    assert play.hold_codes == ["reader_lost"]
    play.card("AS", deck=1)
    assert not play.of(g.CardDealt)
    assert len(play.of(f.ReadSetAside)) == 1
    play.must(PIT, i.Rule(play.table.holds[0].hold, "release", "", None))
    play.bet().close()
    play.card("AS", deck=1)
    play.card("AS", deck=1)
    assert len(play.of(g.CardDealt)) == 1


def test_i_10_only_a_supervisor_acknowledges_and_not_while_the_reader_is_away() -> None:
    play = Play().open_table()
    lost(play)
    hold = play.table.holds[0].hold
    refusal = play.say(CONSOLE, i.Rule(hold, "release", "", None))
    assert refusal is not None
    assert refusal.code == "supervisor_only"
    refusal = play.say(PIT, i.Rule(hold, "release", "", None))
    assert refusal is not None
    assert refusal.code == "reader_not_up"
    back(play)
    play.must(PIT, i.Rule(hold, "release", "", None))


def test_a20_with_cards_out_play_goes_on_only_when_the_last_card_rereads_equal() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.card("9S", deck=5)
    lost(play)
    back(play)
    hold = play.table.holds[0].hold
    assert play.say(PIT, i.Rule(hold, "release", "", None)) is not None
    refusal = play.say(PIT, i.Rule(hold, "aligned", "", None))
    assert refusal is not None
    assert refusal.code == "last_card_not_reread"
    play.card("9S", deck=5)
    play.must(PIT, i.Rule(hold, "aligned", "", None))
    play.card("8S")
    assert play.round.dealer[0].face == "8S"


def test_a20_a_card_drawn_while_the_reader_was_away_can_only_be_void() -> None:
    play = Play().open_table().bet().close()
    play.card("TS", deck=1)
    lost(play)
    back(play)
    play.card("9S", deck=5)
    play.card("TS", deck=1)
    hold = play.table.holds[0].hold
    refusal = play.say(PIT, i.Rule(hold, "aligned", "", None))
    assert refusal is not None
    assert refusal.code == "drawn_during_hold"
    play.must(PIT, i.Rule(hold, "void", "", None))
    assert play.round.ended == "void"


def test_a_card_read_without_a_shoe_in_play_is_kept_and_not_dealt() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H")
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    play.card("2S")
    assert len(play.of(f.ReadSetAside)) == 1
    assert not play.table.game.exposed


def test_the_bytes_of_a_read_are_in_the_decision_that_deals_it() -> None:
    play = Play().open_table().bet().close()
    decision = play.give(Play.read(card_of("KH", "A", 3)))
    kinds = [type(fact).__name__ for fact in decision.facts]
    assert kinds == ["Observed", "CardDealt"]
    observed, dealt = decision.facts
    assert isinstance(observed, f.Observed)
    assert bytes.fromhex(observed.raw) == b"AKH3"
    assert isinstance(dealt, g.CardDealt)
    assert dealt.slot == Slot(1, 1)


def test_reads_are_counted_on_over_a_change_of_shoe() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    play.new_shoe("S2")
    play.bet().close().card("9S")
    assert play.table.read is not None
    assert play.table.read.number == 2


def test_another_sets_cut_card_holds_and_ends_no_shoe() -> None:
    play = Play().open_table().bet().close()
    for _ in range(2):
        play.give(i.CutCardSeen("shoe", "BCUT7", "", "B"))
    assert play.hold_codes == ["foreign_card"]
    assert not play.table.game.shoe.cut
    play.must(PIT, i.Rule(play.table.holds[0].hold, "void", "", None))


def test_noise_while_nobody_is_owed_a_card_and_cards_are_out_is_looked_at() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H")
    missed(play, "garbage", passed=False)
    assert play.hold_codes == ["unknown_card"]
    play.must(PIT, i.Rule(play.table.holds[0].hold, "release", "", None))
    play.act("stand")


def test_noise_with_no_card_out_holds_nothing() -> None:
    play = Play().open_table().bet()
    missed(play, "garbage", passed=False)
    assert not play.table.holds


def test_the_end_of_one_trouble_does_not_hide_another() -> None:
    play = Play().open_table()
    play.give(i.DeviceHealth("shoe", "garbled", ""))
    play.give(i.DeviceHealth("shoe", "up", "", over="not_answering"))
    assert play.table.devices[0].health == "garbled"
    play.give(i.DeviceHealth("shoe", "up", "", over="garbled"))
    assert play.table.devices[0].health == "up"


def test_r2_a_shoe_loaded_without_a_set_letter_takes_that_of_its_first_card() -> None:
    play = Play().open_table()
    play.must(PIT, i.LoadShoe("S2", ""))
    play.must(PIT, i.ReleaseShoe("S2", play.table.version))
    play.bet().close()
    play.card("TS", 1, "C")
    play.card("3S", 8, "Z")
    assert play.hold_codes == ["foreign_card"]
    assert len(play.of(g.CardDealt)) == 1


@pytest.mark.parametrize("code", ["exposed", "wait", "report", "emergency"])
def test_a_card_drawn_while_the_table_holds_is_never_dealt_as_a_new_one(code: str) -> None:
    play = Play().open_table().bet()
    if code == "exposed":
        play.card("5D", deck=1)
    elif code == "wait":
        play.must(CONSOLE, i.Wait())
    elif code == "report":
        play.must(CONSOLE, i.ReportError("other"))
    else:
        play.must(CONSOLE, i.EmergencyStop())
    play.card("TD", deck=6)
    assert "TD" in [card.face for card in play.table.game.exposed]
    while play.table.holds:
        hold = play.table.holds[0]
        ruling = "burn" if hold.code == "exposed_card" else "release"
        play.must(PIT, i.Rule(hold.hold, ruling, "", None))  # type: ignore[arg-type]
    assert not play.table.game.exposed
    play.close().card("2C")
    play.card("TD", deck=6)
    assert play.hold_codes == ["duplicate_card"]
    assert len(play.of(g.CardDealt)) == 1


def test_between_rounds_an_exposed_card_and_its_shoe_can_be_taken_out() -> None:
    play = Play().open_table()
    play.card("QS")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "void", "", None))
    assert play.table.game.shoe.state == "out"
    assert not play.table.game.exposed
    play.new_shoe("S2")
    play.bet()


def test_after_settlement_taking_the_shoe_out_leaves_the_result() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H").act("stand", "stand")
    play.card("TH")
    play.card("QS")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "void", "", None))
    assert play.round.ended == "settled"
    assert not play.of(g.RoundVoided)
    play.clear()


def test_a_shoe_that_was_dealt_from_is_not_loaded_again_under_its_name() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    refusal = play.say(PIT, i.LoadShoe("S1", "A"))
    assert refusal is not None
    assert refusal.code == "same_shoe"
