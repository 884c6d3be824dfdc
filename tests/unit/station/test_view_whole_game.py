"""The snapshot of windows, split hands, stakes and payments (R29-R54)."""

from __future__ import annotations

import msgspec
import pytest

from station import messages as m
from station import snapshot as v
from station.config import TableSection
from station.game import commands as c
from station.game.rules import TableRules
from station.journal import Left
from station.table import inputs as i
from station.view import Viewer
from tests.support.play import CONSOLE, HOST, PIT, Play

REMOTE = Viewer(TableSection("T01", "test"), 1.0, 0, ())
AT_THE_TABLE = Viewer(
    TableSection("T01", "test", "USD", minor_digits=2, host="chairs"), 1.0, 1000, ()
)


def snapshot(play: Play, viewer: Viewer = REMOTE, actor: i.Actor = CONSOLE) -> v.Snapshot:
    return viewer.snapshot(play.table, actor, "2026-01-01T00:00:00.000000Z", {}, {}, {}, True)


def behind(play: Play, player: str, seat: int, amount: int = 1000) -> None:
    play.must(HOST, c.PlaceBet(play.number, seat, player, amount, "behind"))


def split_table() -> Play:
    """Seat 1 holds 8-8 against a 6, with two players behind; it has just been split."""
    play = Play().open_table()
    play.bet((1,))
    behind(play, "B1", 1)
    behind(play, "B2", 1, 3000)
    play.close().cards("8S 6H 8D")
    return play.act("split")


def test_r39_the_insurance_window_is_a_hold_without_a_fault() -> None:
    play = Play().open_table().deal("TS 9H AD 7C 8C")
    view = snapshot(play)
    assert view.phase == "insurance"
    assert (view.prompt.kind, view.prompt.slot) == ("window", None)
    assert view.countdown is not None
    assert view.countdown.kind == "insurance"
    assert view.window == v.WindowView(1, "insurance", 0, 0, ["P1", "P3"], [])
    play.must(HOST, c.Insure(play.number, 1, "P3", buy=True))
    view = snapshot(play)
    assert view.window is not None
    assert view.window.answered == ["P3"]
    insured = view.seats[2].bets[-1]
    assert (insured.kind, insured.amount, insured.hand) == ("insurance", 500, 0)


def test_r52_the_follow_window_names_who_is_asked_and_no_card_is_prompted() -> None:
    play = split_table()
    view = snapshot(play)
    assert view.phase == "follow"
    assert view.prompt.kind == "window"
    assert view.window == v.WindowView(1, "split", 1, 2, ["B1", "B2"], [])
    assert [hand.cards for hand in view.seats[0].hands] == [["8S"], ["8D"]]
    assert [hand.stake for hand in view.seats[0].hands] == [1000, 1000]
    assert view.seats[0].behind == v.BehindView(2, 4000)


def test_r35_the_prompt_names_the_hand_of_a_split() -> None:
    play = split_table()
    play.fire("follow")
    view = snapshot(play)
    assert view.prompt.slot == v.SlotView("seat", 1, 1)
    assert view.prompt.action == "split"
    play.card("3S")
    assert snapshot(play).prompt.slot == v.SlotView("seat", 1, 2)
    play.card("2C")
    play.act("double")
    view = snapshot(play)
    assert view.prompt.kind == "window", "those behind are asked about the double as well"
    play.fire("follow")
    view = snapshot(play)
    assert (view.prompt.action, view.prompt.slot) == ("double", v.SlotView("seat", 1, 1))
    play.card("9S")
    hand = snapshot(play).seats[0].hands[0]
    assert (hand.state, hand.stake, hand.doubled, hand.split) == ("double", 2000, True, True)


def test_r32_a_surrendered_hand_is_shown_so() -> None:
    play = Play().open_table().deal("TS 9H 8D 6C 8C").act("surrender", "stand")
    assert snapshot(play).seats[0].hands[0].state == "surrender"


def test_fifty_behind_every_seat_fit_into_one_line() -> None:
    play = Play().open_table()
    play.bet(range(1, 8))
    for seat in range(1, 8):
        for number in range(50):
            player = f"{seat}-{number}-" + "x" * 50
            behind(play, player, seat)
            play.must(HOST, c.PlaceBet(play.number, seat, player, 100, "behind_pair"))
    play.close().cards("TS TH TD TC 9S 9H 9D 8C 7S 7H 7D 7C 8S 8H 8D")
    for _ in range(7):
        play.act("stand")
    play.card("9C")
    view = snapshot(play)
    assert view.phase == "result"
    assert len(msgspec.json.encode(view)) < m.MAX_LINE
    settled = play.facts[-10:]
    longest = max(len(msgspec.json.encode(fact)) for fact in settled)
    assert longest < m.MAX_STATION_LINE - 1000


def test_a21_the_burn_of_a_new_shoe_is_prompted_first() -> None:
    play = Play(TableRules(burn=2)).open_table()
    view = snapshot(play)
    assert view.prompt.kind == "card"
    assert (view.prompt.action, view.prompt.slot) == ("burn", v.SlotView("burn"))
    play.cards("KS KS")
    view = snapshot(play)
    assert view.prompt.code == "no_round"
    assert view.last_read is not None
    assert (view.last_read.outcome, view.last_read.slot) == ("burned", v.SlotView("burn"))


@pytest.mark.parametrize(("command", "phase"), [(i.PauseTable, "paused"), (i.CloseTable, "closed")])
def test_a_paused_or_closed_table_says_so(command: type, phase: str) -> None:
    play = Play().open_table()
    play.must(PIT, command())
    view = snapshot(play)
    assert (view.phase, view.prompt.code) == (phase, f"table_{phase}")


def test_i07_both_reads_of_a_card_are_suspects() -> None:
    play = Play().open_table().deal("TS 9H 8D 7C 8C").act("stand", "stand")
    play.card("9S")
    play.clear()
    play.deal("2S 3H", seats=(1, 3))
    play.card("8D", deck=1)
    hold = REMOTE.snapshot(
        play.table, PIT, "", {}, {1: "11:00"}, {1: Left("10:00")}, journal_ok=True
    ).holds[0]
    assert hold.code == "duplicate_card"
    assert hold.suspects == [v.SuspectView("8D", 3, 1, "10:00"), v.SuspectView("8D", 0, 2, "11:00")]


def test_chairs_each_payment_is_told_before_cleared() -> None:
    play = Play(host="chairs").open_table()
    play.bet((1, 3, 5), amount=1500)
    behind(play, "B1", 3, 2000)
    play.close().cards("TS 9H TD 8D 9C TC TH")
    play.act("stand", "stand", "stand").cards("TH")
    view = snapshot(play, AT_THE_TABLE)
    assert view.phase == "result"
    assert [(pay.seat, pay.do, pay.amount) for pay in view.payments] == [
        (1, "pay", 1500),
        (3, "pay", 1500),
        (3, "pay", 2000),
        (5, "pay", 1500),
    ]
    assert view.payments[0].text.en == "Seat 1, main bet: pay 15.00"
    assert view.payments[2].text.ko == "좌석 3 뒤 베팅 B1: 20.00 지급"
    assert [bet.player for bet in view.seats[2].bets] == ["P3", "B1"]
    play.clear()
    assert snapshot(play, AT_THE_TABLE).payments == []


def test_a_remote_table_lists_no_payments_to_the_dealer() -> None:
    play = Play().open_table().deal("TS 9H 8D 9C TC").act("stand", "stand")
    play.card("TH")
    assert snapshot(play).phase == "result"
    assert snapshot(play).payments == []


def test_a34_chairs_the_dealer_is_told_at_once_what_goes_back_before_the_deal() -> None:
    play = Play(host="chairs").open_table()
    play.bet((1,))
    play.must(HOST, c.TakeSeat(3, "P3"))
    behind(play, "B1", 3, 2000)
    play.close()
    view = snapshot(play, AT_THE_TABLE)
    assert [(pay.seat, pay.do, pay.amount) for pay in view.payments] == [(3, "return", 2000)]
    assert view.payments[0].text.en == "Seat 3, bet behind of B1: give back 20.00"
    play.cards("TS 6H 9D")
    assert snapshot(play, AT_THE_TABLE).payments == [], "by now it has gone back"
    play.act("stand").cards("TD 2H")
    view = snapshot(play, AT_THE_TABLE)
    assert [(pay.kind, pay.do) for pay in view.payments] == [("main", "pay")], "not told twice"


def test_a34_chairs_of_a_round_without_a_main_bet_too() -> None:
    play = Play(host="chairs").open_table()
    play.must(HOST, c.TakeSeat(3, "P3"))
    play.open_round()
    behind(play, "B1", 3, 2000)
    play.close()
    view = snapshot(play, AT_THE_TABLE)
    assert view.phase == "idle"
    assert [(pay.seat, pay.do, pay.amount) for pay in view.payments] == [(3, "return", 2000)]
    play.must(HOST, c.TakeSeat(1, "P1"))
    play.open_round()
    assert snapshot(play, AT_THE_TABLE).payments == []


def test_a_bet_that_was_taken_back_is_shown_no_more() -> None:
    play = Play().open_table().bet((1,))
    play.must(HOST, c.TakeBack(play.number, 1, "P1", "main"))
    seat = snapshot(play).seats[0]
    assert (seat.in_round, seat.bets) == (False, [])
    play.must(HOST, c.PlaceBet(play.number, 1, "P1", 2500))
    assert [bet.amount for bet in snapshot(play).seats[0].bets] == [2500]


def test_pair_bets_behind_are_summed_apart() -> None:
    play = Play().open_table().bet((1,))
    behind(play, "B1", 1, 2000)
    play.must(HOST, c.PlaceBet(play.number, 1, "B2", 300, "behind_pair"))
    play.close().cards("8S 6H 8D")
    assert snapshot(play).seats[0].behind == v.BehindView(2, 2000, None, 300, None)
    play.act("stand").cards("TD 2H")
    assert snapshot(play).seats[0].behind == v.BehindView(2, 2000, 0, 300, 3600)


def test_amounts_in_a_refusal_are_written_as_the_table_writes_them() -> None:
    play = Play(host="chairs").open_table().bet((1,))
    play.say(HOST, c.PlaceBet(play.number, 1, "P1", 50, "pair"))
    refusal = snapshot(play, AT_THE_TABLE).last_refusal
    assert refusal is not None
    assert refusal.text.en == "0.50 is below the minimum of 1.00."


def test_the_dealers_report_names_what_it_is() -> None:
    play = Play().open_table().deal("TS 9H 8D 9C TC")
    play.must(CONSOLE, i.ReportError("wrong_seat"))
    what = snapshot(play).holds[0].what
    assert what.en == "The dealer reported a mistake: a card at the wrong seat, moved back"
    assert what.ko.endswith("다른 좌석에 놓았다가 옮긴 카드")


@pytest.mark.parametrize(
    "player", ["kim\n", "\n", "kim ", " kim", "a\u202eb", "a\u200bb", "\0", "a\u0085"]
)
def test_a_name_that_looks_like_another_is_no_name(player: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"seat": 1, "player": player}, m.TakeSeat)
    assert msgspec.convert({"seat": 1, "player": "김 지우"}, m.TakeSeat).player == "김 지우"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"shoe": "S1", "remaining": {"KH\n": 8}}, m.ReconcileShoe)


@pytest.mark.parametrize("cards", ["AH 6C", "AH 2C 4D", "AH AC 5D"])
def test_f18_the_rule_shown_is_the_rule_played(cards: str) -> None:
    """A studio dealt 26 hours with another soft-17 rule than its sign said."""
    play = Play().open_table()
    upcard, *rest = cards.split()
    play.deal(f"TS {upcard} 9S", seats=(1,))
    play.fire("insurance")
    play.act("stand")
    view = snapshot(play)
    assert (view.rules.dealer_stands, view.rules.blackjack_pays) == ("S17", "3:2")
    assert view.rules.settings == msgspec.to_builtins(play.rules)
    play.cards(" ".join(rest))
    view = snapshot(play)
    assert (view.dealer.total, view.dealer.soft, view.phase) == (17, True, "result")
