"""Where a table can be, each reached by playing: a catalogue for tests that try everything there.

The key of `PHASES` names the place; its value makes a table that is there, and says what `expected`
answers: a card's purpose, or the code of why nobody is owed one.
"""

from __future__ import annotations

from collections.abc import Callable

from station.game import commands as c
from station.game.rules import TableRules
from station.table import inputs as i
from tests.support.play import CONSOLE, DEALER, HOST, PIT, SUPERVISOR, Play

Made = Callable[[], Play]
PHASES: dict[str, tuple[Made, str]] = {}
BURNS = TableRules(burn=2)


def phase(expected: str) -> Callable[[Made], Made]:
    """Enter the function into the catalogue under its own name."""

    def enter(made: Made) -> Made:
        PHASES[made.__name__] = (made, expected)
        return made

    return enter


def up() -> Play:
    play = Play()
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    return play


def open_table(rules: TableRules | None = None) -> Play:
    return Play(rules).open_table()


def backed(play: Play, *kinds: str) -> Play:
    """Players 1 and 3 bet; Eve and Fay behind the first."""
    play.bet()
    for player in ("Eve", "Fay"):
        for kind in kinds or ("behind",):
            play.must(HOST, c.PlaceBet(play.number, 1, player, 1000, kind))  # type: ignore[arg-type]
    return play


def answered(play: Play, player: str, *, yes: bool) -> Play:
    window = play.round.window
    assert window is not None
    kind = c.Insure if window.kind == "insurance" else c.Follow
    play.must(HOST, kind(play.number, window.window, player, yes))
    return play


# --- before the first round -----------------------------------------------------------------


@phase("no_round")
def just_started() -> Play:
    return Play()


@phase("no_round")
def no_shoe() -> Play:
    return up()


@phase("no_round")
def pin_locked() -> Play:
    play = up()
    for _ in range(5):
        play.say(PIT, i.LogIn("2001", None))
    return play


@phase("no_round")
def shoe_loaded() -> Play:
    play = up()
    play.must(PIT, i.LoadShoe("S1", "A"))
    return play


@phase("no_round")
def idle() -> Play:
    return open_table()


@phase("no_round")
def no_dealer() -> Play:
    play = open_table()
    play.must(CONSOLE, i.LogOut(DEALER.staff))
    return play


@phase("held")
def reader_down() -> Play:
    play = open_table()
    play.give(i.DeviceHealth("shoe", "waiting", ""))
    return play


@phase("burn")
def burn_owed() -> Play:
    play = open_table(BURNS)
    play.card("2H")
    return play


@phase("no_round")
def paused() -> Play:
    play = open_table()
    play.must(CONSOLE, i.PauseTable())
    return play


@phase("no_round")
def closed() -> Play:
    play = open_table()
    play.must(PIT, i.CloseTable())
    return play


@phase("no_round")
def called() -> Play:
    play = open_table()
    play.must(CONSOLE, i.CallSupervisor("help"))
    return play


# --- a round --------------------------------------------------------------------------------


@phase("betting_open")
def betting_begins() -> Play:
    play = open_table()
    play.must(HOST, c.TakeSeat(1, "P1"))
    play.open_round()
    return play


@phase("betting_open")
def betting() -> Play:
    return open_table().bet()


@phase("betting_open")
def betting_behind() -> Play:
    return backed(open_table(TableRules(behind_bettors=2)), "behind", "behind_pair")


@phase("host_lost")
def host_lost_in_betting() -> Play:
    play = betting()
    play.lose_host()
    return play


@phase("first")
def dealing() -> Play:
    return betting().close()


@phase("second")
def second_pass() -> Play:
    return open_table().deal("TS 9S 8S 7S")


@phase("insurance_window")
def insurance_window() -> Play:
    return open_table().deal("5S 9S AS 6S 7S")


@phase("insurance_window")
def insurance_half_answered() -> Play:
    return answered(insurance_window(), "P1", yes=True)


@phase("held")
def insurance_held() -> Play:
    play = insurance_window()
    play.must(CONSOLE, i.Wait())
    return play


@phase("decision_open")
def deciding() -> Play:
    return open_table().deal("5S 9S 8S 6S 7S")


@phase("decision_open")
def deciding_against_a_ten() -> Play:
    return open_table().deal("8S 9S TD 8H 7S")


@phase("decision_open")
def deciding_on_three_cards() -> Play:
    play = open_table().deal("2S 9S 8S 3S 7S").act("hit")
    play.card("4S")
    return play


@phase("hit")
def hit_owed() -> Play:
    return deciding().act("hit")


@phase("double")
def double_owed() -> Play:
    return deciding().act("double")


@phase("follow_window")
def follow_double() -> Play:
    play = backed(open_table()).close()
    play.cards("5S 9S 8S 6S 7S")
    return play.act("double")


@phase("follow_window")
def follow_double_half_answered() -> Play:
    return answered(follow_double(), "Eve", yes=False)


@phase("follow_window")
def follow_split() -> Play:
    play = backed(open_table()).close()
    play.cards("8H 9S 7S 8D 7D")
    return play.act("split")


@phase("split")
def split_cards_owed() -> Play:
    play = answered(follow_split(), "Eve", yes=True)
    play.fire("follow")
    return play


@phase("split")
def split_second_card_owed() -> Play:
    play = split_cards_owed()
    play.card("3H")
    return play


@phase("decision_open")
def split_hand_1() -> Play:
    play = split_second_card_owed()
    play.card("2H")
    return play


@phase("decision_open")
def split_hand_2() -> Play:
    return split_hand_1().act("stand")


@phase("follow_window")
def follow_double_of_hand_2() -> Play:
    return split_hand_2().act("double")


@phase("decision_open")
def split_without_double() -> Play:
    play = open_table(TableRules(double_after_split=False)).deal("8H 9S 7S 8D 7D").act("split")
    play.cards("3H 2H")
    return play


@phase("split")
def split_aces() -> Play:
    play = open_table().deal("AH 9S 7S AD 7D").act("split")
    play.card("AS")
    return play


@phase("hit")
def absent_owed() -> Play:
    play = deciding()
    play.must(HOST, c.PlayerLost(1, "P1"))
    return play


@phase("decision_open")
def absent_later() -> Play:
    play = deciding()
    play.must(HOST, c.PlayerLost(3, "P3"))
    return play


@phase("draw")
def dealer() -> Play:
    return deciding().act("stand", "stand")


@phase("round_settled")
def result() -> Play:
    play = dealer()
    play.cards("TH")
    return play


@phase("no_round")
def cleared() -> Play:
    play = result()
    play.clear()
    return play


@phase("no_round")
def cut_card_out() -> Play:
    play = cleared()
    play.give(i.CutCardSeen("shoe", "", ""))
    return play


@phase("no_round")
def shoe_waits_for_its_count() -> Play:
    play = cut_card_out()
    play.must(PIT, i.LoadShoe("S2", "A"))
    return play


@phase("no_round")
def shoe_counted_wrong() -> Play:
    play = shoe_waits_for_its_count()
    play.must(PIT, i.ReconcileShoe("S1", {"KH": 8}))
    return play


@phase("round_void")
def void() -> Play:
    play = deciding()
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    return play


@phase("round_void")
def void_in_betting() -> Play:
    """Host lost while bets were taken: the shoe stays."""
    play = host_lost_in_betting()
    play.fire("host_grace")
    return play
