"""A shoe's life: checked before its shuffle, put in by two, spent, counted, barred, checked."""

from __future__ import annotations

from collections import Counter as Bag

import msgspec
import pytest
from msgspec.structs import replace

from station.game import facts as g
from station.game.check import FACES, ShoeRules, Tally
from station.table import facts as f
from station.table import inputs as i
from station.table import shoe_facts as s
from station.table import shoe_inputs as si
from station.table.evolve import fold
from station.table.state import Table, expected, wishes
from tests.support.every_shoe_command import WHOLE
from tests.support.phases_shoes import BLUE, RED, CheckedPlay
from tests.support.play import CONSOLE, DEALER, HOST, MANAGER, PIT, Play

SHORT = Tally({name: count for name, count in WHOLE.cards.items() if name != "KH3"})


@pytest.fixture
def play() -> CheckedPlay:
    return CheckedPlay().staffed()


def refused(play: Play, command: i.AnyCommand, actor: i.Actor = PIT) -> str:
    before = play.table
    refusal = play.say(actor, command)
    assert refusal is not None, command
    assert play.table.game == before.game
    assert play.table.shoes == before.shoes
    return refusal.code


def load(name: str = "C1", letter: str = "A", **more: str) -> i.LoadShoe:
    return i.LoadShoe(name, letter, second=DEALER.staff, person=DEALER, **more)  # type: ignore[arg-type]


def receipt(shoe: str = "C1", letter: str = "A", number: str = "7", **more: str) -> object:
    return si.EnterCheckersReceipt(
        shoe, letter, "M-1", number, "09:00", "kim", second="1001", person=DEALER,
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


def out(play: CheckedPlay, name: str) -> None:
    play.must(PIT, si.TakeOutShoe(name, "changed"))


# --- nothing is dealt from a shoe that nobody checked ----------------------------------------


def test_a_shoe_nobody_checked_does_not_go_in(play: CheckedPlay) -> None:
    assert refused(play, load()) == "no_check"
    play.begin()
    assert refused(play, load()) == "check_running"
    play.finish()
    assert refused(play, load()) == "not_shuffled"
    play.must(PIT, si.ShoeShuffled("C1"))
    play.load()
    assert play.table.game.shoe.state == "loaded"


def test_a_check_is_of_one_shoe_and_one_set(play: CheckedPlay) -> None:
    play.checked()
    assert refused(play, load("C2")) == "no_check"
    assert refused(play, load("C1", "B")) == "no_check"


def test_a_check_is_good_for_one_load_and_spent_by_it(play: CheckedPlay) -> None:
    play.checked("C1").load("C1")
    assert play.table.shoes.good == ()
    out(play, "C1")
    assert refused(play, load("C1")) == "no_check"
    play.checked("C1").load("C1")
    loads = [fact.check for fact in play.facts if isinstance(fact, g.ShoeLoaded)]
    assert loads == [1, 2]


def test_a_shoe_that_was_dealt_from_is_checked_anew(play: CheckedPlay) -> None:
    play.new_shoe("C1")
    play.play_one()
    out(play, "C1")
    left = _left(play.table)
    play.must(PIT, i.ReconcileShoe("C1", left))
    assert refused(play, load("C1", reason="same again")) == "no_check"


def _left(table: Table) -> dict[str, int]:
    """What remains of a whole shoe of which those cards have left."""
    gone = Bag(card.card.face for card in table.game.shoe.gone)
    return {face: 8 - gone[face] for face in FACES}


def test_a_shoe_that_is_not_whole_does_not_go_in_and_the_fact_says_what_is_wrong(
    play: CheckedPlay,
) -> None:
    play.begin()
    play.must(PIT, si.FinishShoeCheck(1, SHORT, "virtual"))
    found = play.table.shoes.found
    assert found is not None
    assert (found.why, found.missing, found.absent) == ("short_shoe", {"KH": 1}, ("KH3",))
    assert (found.read, found.identity, found.begun_by, found.second) == (
        415, "virtual", "2001", "1001",
    )  # fmt: skip
    assert list(found.counts) == list(FACES)
    assert refused(play, si.ShoeShuffled("C1")) == "no_check"
    assert refused(play, load()) == "no_check"


def test_a_new_check_of_the_same_cards_ends_what_the_old_one_was_good_for(
    play: CheckedPlay,
) -> None:
    """By the shoe's name, and by the letter in their codes: they were run through once more."""
    play.checked("C1").begin("C2", "A")
    assert play.table.shoes.good == ()
    play.must(PIT, si.CancelShoeCheck(2))
    assert refused(play, load("C1")) == "no_check"
    play.checked("C3", "A").checked("C4", "B")
    good = fold(Table(), play.facts).shoes.good
    assert [one.manifest.shoe for one in good] == ["C3", "C4"]


def test_a_test_table_that_asks_for_no_check_takes_any_shoe_as_before() -> None:
    play = Play().open_table()
    assert play.table.shoes.rules == ShoeRules()
    assert play.table.game.shoe.state == "in_play"
    assert not any(isinstance(fact, s.ShoeFact) for fact in play.facts)


# --- two people ------------------------------------------------------------------------------


def test_two_people_check_and_two_put_it_in(play: CheckedPlay) -> None:
    alone = si.BeginShoeCheck("C1", "A", "shoe")
    assert refused(play, alone) == "second_needed"
    same = si.BeginShoeCheck("C1", "A", "shoe", "", "", "2001", None)
    assert refused(play, same) == "second_is_first"
    play.checked()
    assert refused(play, i.LoadShoe("C1", "A")) == "second_needed"
    assert refused(play, i.LoadShoe("C1", "A", second="2001")) == "second_is_first"
    play.load()
    fact = play.facts[-2]
    assert isinstance(fact, g.ShoeLoaded)
    assert (fact.by, fact.second) == ("2001", "1001")


def test_a_wrong_pin_of_the_second_counts_against_him_and_five_lock_him(play: CheckedPlay) -> None:
    play.checked()
    wrong = i.LoadShoe("C1", "A", second="1001", person=None)
    for number in range(1, 6):
        refusal = play.say(PIT, wrong)
        assert refusal is not None
        assert refusal.code == "wrong_pin"
        assert play.table.attempts.people["1001"].wrong == number
    assert refused(play, load()) == "pin_locked"
    assert play.table.game.shoe.state == "none"


def test_a_dealer_checks_loads_and_shuffles_nothing_by_himself(play: CheckedPlay) -> None:
    for command in (
        si.BeginShoeCheck("C1", "A", "shoe"),
        si.FinishShoeCheck(1),
        si.CancelShoeCheck(1),
        si.ShoeShuffled("C1"),
        si.TakeOutShoe("C1", "changed"),
        load(),
        receipt(),
    ):
        assert refused(play, command, CONSOLE) == "supervisor_only"  # type: ignore[arg-type]
        assert refused(play, command, HOST) == "not_for_hosts"  # type: ignore[arg-type]


def test_the_cut_cards_place_is_noted(play: CheckedPlay) -> None:
    play.checked()
    play.must(PIT, i.LoadShoe("C1", "A", cut_card=75, second="1001", person=DEALER))
    assert next(fact for fact in play.facts if isinstance(fact, g.ShoeLoaded)).cut_card == 75


# --- where and when a check may run ----------------------------------------------------------


def test_no_shoe_is_checked_while_one_is_in_or_a_round_runs(play: CheckedPlay) -> None:
    play.new_shoe("C1")
    again = si.BeginShoeCheck("C2", "B", "shoe", "", "", "1001", DEALER)
    assert refused(play, again) == "shoe_is_in"
    play.bet()
    assert refused(play, again) == "change_between_rounds"
    assert refused(play, si.TakeOutShoe("C1", "changed")) == "change_between_rounds"


def test_a_running_check_is_a_state_of_the_table_and_no_card_is_owed(play: CheckedPlay) -> None:
    play.begin()
    nobody = expected(play.table)
    assert getattr(nobody, "code", "") == "shoe_check"
    assert refused(play, si.BeginShoeCheck("C2", "B", "shoe")) == "check_running"
    assert refused(play, receipt("C2", "B")) == "check_running"  # type: ignore[arg-type]
    play.finish()
    assert getattr(expected(play.table), "code", "") == "no_round"


def test_while_a_check_runs_no_brake_holds_the_cards_and_no_picture_is_kept(
    play: CheckedPlay,
) -> None:
    assert wishes(play.table).shoe_locked
    play.must(PIT, i.CloseTable())
    play.begin()
    wish = wishes(play.table)
    assert (wish.light, wish.shoe_locked, wish.reading, wish.keeping) == (
        "white", False, True, False,
    )  # fmt: skip
    play.finish()
    wish = wishes(play.table)
    # The set is shuffled now: what is shown to a reader is still nobody's business.
    assert (wish.shoe_locked, wish.keeping) == (True, False)
    play.must(PIT, si.ShoeShuffled("C1"))
    play.load()
    assert wishes(play.table).keeping


def test_a_check_needs_a_reader_that_reads(play: CheckedPlay) -> None:
    assert refused(play, si.BeginShoeCheck("C1", "A", "board")) == "no_such_reader"
    play.give(i.DeviceHealth("shoe", "covered", "", cause="blocked_view"))
    assert refused(play, si.BeginShoeCheck("C1", "A", "shoe")) == "reader_not_up"


def test_a_reader_that_goes_away_ends_the_check_and_half_of_it_counts_for_nothing(
    play: CheckedPlay,
) -> None:
    play.begin()
    play.give(i.DeviceHealth("shoe", "lost", "unplugged"))
    ended = play.facts[-1]
    assert isinstance(ended, s.ShoeCheckEnded)
    assert (ended.why, ended.by) == ("reader", "station")
    assert play.table.shoes.running is None
    assert refused(play, si.FinishShoeCheck(1, WHOLE)) == "stale_check"


def test_a_fault_of_the_reader_ends_it_and_one_of_another_device_does_not(
    play: CheckedPlay,
) -> None:
    play.begin()
    play.give(i.DeviceFault("board", "inbox_full", ""))
    assert play.table.shoes.running is not None
    play.give(i.DeviceFault("shoe", "inbox_full", ""))
    assert play.table.shoes.running is None


def test_a_restart_in_mid_check_loses_the_count_and_says_so(play: CheckedPlay) -> None:
    play.begin()
    play.start()
    ended = next(fact for fact in play.facts if isinstance(fact, s.ShoeCheckEnded))
    assert (ended.why, ended.shoe) == ("restart", "C1")
    last = play.table.shoes.last
    assert last is not None
    assert (last.state, last.ended) == ("ended", "restart")
    # What is still shown to the reader is of that set: it goes into no fact.
    assert play.table.shoes.quiet


def test_a_whole_check_and_its_shuffle_outlast_a_restart(play: CheckedPlay) -> None:
    play.checked()
    again = fold(Table(), play.facts)
    assert again == play.table
    play.start()
    assert [one.shuffled for one in play.table.shoes.good] == ["2001"]


def test_a_hold_keeps_a_check_from_ending_and_not_from_being_given_up(play: CheckedPlay) -> None:
    play.begin()
    play.must(CONSOLE, i.EmergencyStop())
    assert refused(play, si.FinishShoeCheck(1, WHOLE)) == "table_holds"
    play.must(PIT, si.CancelShoeCheck(1))
    assert play.table.shoes.running is None


# --- seals and machines' receipts ------------------------------------------------------------


def test_the_seal_that_is_broken_is_the_one_that_was_put_on(play: CheckedPlay) -> None:
    play.begin().finish()
    play.must(PIT, si.ShoeShuffled("C1", "8812"))
    assert refused(play, si.ShoeShuffled("C1", "9")) == "shuffled_already"
    assert refused(play, load()) == "wrong_seal"
    assert refused(play, load(seal="8813")) == "wrong_seal"
    play.must(PIT, load(seal="8812"))


def test_a_machines_receipt_counts_once_for_one_shoe_and_by_two_people(play: CheckedPlay) -> None:
    alone = si.EnterCheckersReceipt("C1", "A", "M-1", "7", "09:00", "kim")
    assert refused(play, alone) == "second_needed"
    play.must(PIT, receipt())  # type: ignore[arg-type]
    fact = next(fact for fact in play.facts if isinstance(fact, s.CheckersReceiptEntered))
    assert (fact.machine, fact.number, fact.by, fact.second) == ("M-1", "7", "2001", "1001")
    assert fact.manifest.back == "red"
    assert refused(play, load()) == "not_shuffled"
    play.must(PIT, si.ShoeShuffled("C1"))
    play.load()
    for name in ("7", " 7 "):
        assert refused(play, receipt("C2", "B", name)) == "receipt_used"  # type: ignore[arg-type]
    play.must(PIT, receipt("C2", "B", "8"))  # type: ignore[arg-type]


def test_a_receipt_is_asked_for_by_two_also_where_one_may_load() -> None:
    play = CheckedPlay(shoes=ShoeRules("required", two_people=False)).staffed()
    alone = si.EnterCheckersReceipt("C1", "A", "M-1", "7", "09:00", "kim")
    assert refused(play, alone) == "second_needed"
    play.must(PIT, si.BeginShoeCheck("C1", "A", "shoe"))


def test_no_receipt_is_entered_for_what_is_in_the_shoe(play: CheckedPlay) -> None:
    play.new_shoe("C1")
    assert refused(play, receipt("C1", "B")) == "shoe_is_in"  # type: ignore[arg-type]
    assert refused(play, receipt("C2", "A")) == "shoe_is_in"  # type: ignore[arg-type]
    play.must(PIT, receipt("C2", "B"))  # type: ignore[arg-type]


# --- two sets in rotation --------------------------------------------------------------------


def test_the_set_that_came_out_does_not_go_back_in_and_the_refusal_says_which_is_due(
    play: CheckedPlay,
) -> None:
    play.new_shoe("C1")
    out(play, "C1")
    play.checked("C2", "A").checked("C3", "B")
    refusal = play.say(PIT, load("C2", "A"))
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("wrong_set", {"set": "A", "due": "B (blue)"})
    play.must(PIT, load("C3", "B"))


def test_a_supervisor_says_otherwise_with_a_reason_that_is_kept(play: CheckedPlay) -> None:
    play.new_shoe("C1")
    out(play, "C1")
    play.checked("C2", "A")
    assert refused(play, load("C2", "A", reason="  ")) == "wrong_set"
    play.must(PIT, load("C2", "A", reason="set B has a torn card"))
    kept = [fact.reason for fact in play.facts if isinstance(fact, g.ShoeLoaded)]
    assert kept == ["", "set B has a torn card"]


def test_a_set_that_was_put_in_and_never_released_has_not_come_out(play: CheckedPlay) -> None:
    play.checked("C1").load("C1")
    out(play, "C1")
    play.checked("C1").load("C1")


def test_a_set_that_is_none_of_the_tables_is_not_taken(play: CheckedPlay) -> None:
    wrong = si.BeginShoeCheck("C1", "X", "shoe", "", "", "1001", DEALER)
    assert refused(play, wrong) == "unknown_set"
    assert refused(play, load("C1", "X")) == "unknown_set"


@pytest.mark.parametrize("sets", [(), (RED,)])
def test_with_fewer_than_two_sets_the_same_may_go_in_again(sets: tuple[object, ...]) -> None:
    play = CheckedPlay(shoes=ShoeRules("required", two_people=True, sets=sets)).staffed()  # type: ignore[arg-type]
    play.new_shoe("C1")
    out(play, "C1")
    play.new_shoe("C2")
    assert play.table.game.shoe.set == "A"


def test_with_three_sets_any_but_the_last_is_due() -> None:
    assert [one.letter for one in ShoeRules(sets=(RED, BLUE)).due("A")] == ["B"]
    assert [one.letter for one in ShoeRules(sets=(RED, BLUE)).due("")] == ["A", "B"]


# --- barred ----------------------------------------------------------------------------------


@pytest.fixture
def barred(play: CheckedPlay) -> CheckedPlay:
    """Shoe C1 of set A dealt a round and did not count out."""
    play.new_shoe("C1")
    play.play_one()
    out(play, "C1")
    play.must(PIT, i.ReconcileShoe("C1", {"KH": 8}))
    assert play.table.game.barred == ("C1",)
    return play


def test_a_short_shoe_bars_its_name_and_its_set_and_marks_its_rounds(barred: CheckedPlay) -> None:
    marked = [fact for fact in barred.facts if isinstance(fact, g.RoundsMarked)]
    assert [(one.rounds, one.why) for one in marked] == [((1,), "short_shoe")]
    assert refused(barred, load("C1")) == "shoe_barred"
    assert refused(barred, load("C2", "A", reason="other name")) == "set_barred"


def test_a_barred_shoe_is_checked_again_for_a_reason_and_lifted_by_a_shift_manager(
    barred: CheckedPlay,
) -> None:
    plain = si.BeginShoeCheck("C1", "A", "shoe", "", "", "1001", DEALER)
    assert refused(barred, plain) == "reason_needed"
    assert refused(barred, receipt("C2", "A")) == "reason_needed"  # type: ignore[arg-type]
    barred.checked("C1", "A", "five cards lay under the felt")
    assert refused(barred, load("C1", reason="found")) == "shoe_barred"
    lift = si.LiftShoeBar("C1", "found again")
    assert refused(barred, lift) == "manager_only"
    barred.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    assert refused(barred, si.LiftShoeBar("C9", "?")) == "not_barred"
    barred.must(PIT, lift)
    assert barred.table.game.barred == ()
    assert barred.table.shoes.barred_sets == ()
    barred.load("C1", "A", "set B is away")
    # The rounds it dealt stay marked.
    assert barred.table.recent[0].marked == "short_shoe"


def test_a_bar_is_lifted_by_no_check_that_did_not_find_it_whole(barred: CheckedPlay) -> None:
    barred.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    assert refused(barred, si.LiftShoeBar("C1", "because")) == "no_check"
    barred.begin("C1", "A", "count again")
    barred.must(PIT, si.FinishShoeCheck(barred.table.shoes.checks, SHORT))
    assert refused(barred, si.LiftShoeBar("C1", "because")) == "no_check"


def test_a_second_count_that_comes_out_lifts_it_too(barred: CheckedPlay) -> None:
    left = _left(barred.table)
    barred.must(PIT, i.ReconcileShoe("C1", left))
    assert barred.table.game.barred == ()
    assert barred.table.shoes.barred_sets == ()


# --- what remained is read -------------------------------------------------------------------


def counting(play: CheckedPlay, name: str = "C1") -> CheckedPlay:
    play.must(PIT, si.BeginShoeCheck(name, "A", "shoe", "", "", "1001", DEALER, what="count"))
    return play


def remaining(table: Table) -> Tally:
    """The cards of set A that have not left the shoe."""
    gone = {f"{one.card.face}{one.card.deck}" for one in table.game.shoe.gone}
    return Tally({name: n for name, n in WHOLE.cards.items() if name not in gone})


@pytest.fixture
def taken_out(play: CheckedPlay) -> CheckedPlay:
    """A shoe that has dealt a round, and is out."""
    play.new_shoe("C1")
    play.play_one()
    out(play, "C1")
    return play


def test_what_remained_is_read_at_the_reader_in_place_of_being_typed(
    taken_out: CheckedPlay,
) -> None:
    """R2: dealt, burned and remaining are 416."""
    tally = remaining(taken_out.table)
    counting(taken_out)
    assert getattr(expected(taken_out.table), "code", "") == "shoe_check"
    taken_out.must(PIT, si.FinishShoeCheck(taken_out.table.shoes.checks, tally))
    counted = next(fact for fact in taken_out.facts if isinstance(fact, g.ShoeReconciled))
    assert (counted.gone + counted.remaining, counted.missing, counted.surplus) == (416, {}, {})
    assert taken_out.table.game.barred == ()
    last = taken_out.table.shoes.last
    assert last is not None
    assert (last.state, last.ended) == ("ended", "counted")
    # A count is no check before a shuffle.
    assert refused(taken_out, load("C1", reason="again")) == "no_check"


def test_a_card_that_is_not_among_what_remained_bars_the_shoe(taken_out: CheckedPlay) -> None:
    tally = remaining(taken_out.table)
    cards = {name: n for name, n in tally.cards.items() if name != "KH3"}
    counting(taken_out)
    taken_out.must(PIT, si.FinishShoeCheck(taken_out.table.shoes.checks, Tally(cards)))
    assert taken_out.table.game.barred == ("C1",)
    assert taken_out.table.recent[0].marked == "short_shoe"
    # It waits for a second count.
    counting(taken_out)
    taken_out.must(PIT, si.FinishShoeCheck(taken_out.table.shoes.checks, tally))
    assert fold(Table(), taken_out.facts).game.barred == ()
    assert taken_out.table.recent[0].marked == ""


@pytest.mark.parametrize("strange", [{"foreign": {"BKH3": 1}}, {"again": {"KH3": 1}}])
def test_what_is_strange_among_what_remained_bars_it_too(
    taken_out: CheckedPlay, strange: dict[str, dict[str, int]]
) -> None:
    tally = replace(remaining(taken_out.table), **strange)
    counting(taken_out)
    taken_out.must(PIT, si.FinishShoeCheck(taken_out.table.shoes.checks, tally))
    assert taken_out.table.game.barred == ("C1",)


def test_only_a_shoe_that_waits_is_counted_and_never_one_that_is_in(play: CheckedPlay) -> None:
    play.new_shoe("C1")
    play.play_one()
    count = si.BeginShoeCheck("C1", "A", "shoe", "", "", "1001", DEALER, what="count")
    assert refused(play, count) == "shoe_is_in"
    out(play, "C1")
    other = si.BeginShoeCheck("C9", "A", "shoe", "", "", "1001", DEALER, what="count")
    assert refused(play, other) == "shoe_not_waiting"
    counting(play)


def test_a_reader_lost_in_a_count_leaves_the_shoe_waiting(taken_out: CheckedPlay) -> None:
    counting(taken_out)
    taken_out.give(i.DeviceHealth("shoe", "lost", ""))
    assert taken_out.table.shoes.running is None
    assert not any(isinstance(fact, g.ShoeReconciled) for fact in taken_out.facts)


# --- facts -----------------------------------------------------------------------------------


def test_what_is_stored_of_a_checked_shoe_is_read_back_as_it_was(barred: CheckedPlay) -> None:
    barred.checked("C1", "A", "again")
    decode = msgspec.json.Decoder(f.AnyFact).decode
    again = fold(Table(), (decode(msgspec.json.encode(fact)) for fact in barred.facts))
    assert again == barred.table
