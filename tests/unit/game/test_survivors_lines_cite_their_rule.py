"""Every line a bet ends with cites the rule that says so, and names whose bet it was."""

from __future__ import annotations

import pytest

from station.game.rules import TableRules
from station.game.state import Line
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import PIT

ORIGINAL = TableRules(dealer_blackjack_takes="original")


def cited(felt: Felt) -> dict[str, tuple[str, str]]:
    """Result and rule by kind of bet, and hand where it stands on one."""
    return {f"{line.kind} {line.hand}": (line.result, line.rule) for line in felt.round.lines}


def round_of(deal: str, draws: str, rules: TableRules | None = None) -> Felt:
    """Seat 1 with a Pair bet and somebody behind, the hand as it is dealt, no insurance."""
    felt = Felt(rules).put((1,), pair={1: 100}, behind=[("B", 1, 1000)]).dealt(deal)
    if felt.round.window is not None:
        felt.answer(P1=False)
    if felt.asked is not None:
        felt.act("stand")
    return felt.drawn(draws)


@pytest.mark.parametrize(
    ("deal", "draws", "main", "behind"),
    [
        ("AS 9S KS", "8D", ("blackjack_win", "R44"), ("blackjack_win", "R50")),
        ("TS 9S KS", "8D", ("win", "R45"), ("win", "R50")),
        ("TS 6S 2S", "TD TH", ("win", "R45"), ("win", "R50")),
        ("TS 9S 7S", "8D", ("push", "R10"), ("push", "R10")),
        ("AS TD KS", "AD", ("push", "R10"), ("push", "R10")),
        ("TS 9S 6S", "8D", ("lose", "R8"), ("lose", "R8")),
        ("TS AD KS", "TD", ("lose", "R6"), ("lose", "R6")),
    ],
)
def test_r6_to_r10_r44_r45_r50_the_hand_against_the_dealers(
    deal: str, draws: str, main: tuple[str, str], behind: tuple[str, str]
) -> None:
    lines = cited(round_of(deal, draws))
    assert (lines["main 1"], lines["behind 1"]) == (main, behind)
    assert lines["pair 0"] == ("lose", "R42")


def test_r23_r32_a_bust_and_a_surrender_cite_the_rule_that_ended_the_hand() -> None:
    felt = Felt().put((1,), behind=[("B", 1, 1000)]).dealt("TS 9S 6S").act("hit").drawn("KD 8D")
    assert set(cited(felt).values()) == {("bust", "R23")}
    felt = Felt().put((1,), behind=[("B", 1, 1000)]).dealt("TS 9S 6S").act("surrender").drawn("8D")
    assert set(cited(felt).values()) == {("surrender", "R32")}


@pytest.mark.parametrize(("draw", "insurance"), [("TD", ("win", "R46")), ("9D", ("lose", "R40"))])
def test_r40_r46_r42_r47_insurance_and_pair(draw: str, insurance: tuple[str, str]) -> None:
    felt = Felt().put((1,), pair={1: 100}, behind_pair=[("B", 1, 100)]).dealt("8S AS 8H")
    felt.answer(P1=True).act("stand").drawn(draw)
    lines = cited(felt)
    assert lines["insurance 0"] == insurance
    assert lines["pair 0"] == lines["behind_pair 0"] == ("win", "R47")


def test_a22_what_comes_back_of_a_dealers_blackjack_cites_that_reading() -> None:
    """A second hand comes back whole, of a doubled one the second unit; the first units are lost:
    to the bust, or to the Blackjack.
    """
    felt = Felt(ORIGINAL).put((1,)).dealt("8S TS 8H").act("split").drawn("3D 4D")
    felt.act("double").drawn("2H").act("stand").drawn("AD")
    assert cited(felt) == {"main 1": ("lose", "A22"), "main 2": ("push", "A22")}
    assert [line.returned for line in felt.round.lines] == [1000, 1000]
    felt = Felt(ORIGINAL).put((1,)).dealt("8S TS 4H").act("double").drawn("KD AD")
    assert cited(felt) == {"main 1": ("bust", "A22")}
    assert felt.round.lines[0].returned == 1000
    felt = Felt(ORIGINAL).put((1,)).dealt("TS TH 8H").act("stand").drawn("AD")
    assert cited(felt) == {"main 1": ("lose", "R6")}


def test_r48_a34_a_bet_behind_nobody_comes_back_by_the_rule_of_bets_behind() -> None:
    felt = Felt().sit(2).put((1,), behind=[("B", 2, 2000)]).close()
    assert felt.round.lines == (Line(2, "behind", "B", 2, 1, 2000, "returned", 2000, "R48"),)


def test_r58_r60_a_void_cites_the_lost_host_or_the_error_and_is_told_why() -> None:
    felt = Felt().put((1,)).dealt("8S 9S")
    felt.lose_host()
    assert cited(felt) == {"main 1": ("void", "R58")}
    assert felt.round.why_void == "host_lost"
    felt = Felt().put((1,)).dealt("8S 9S")
    felt.card("8S", deck=1)
    felt.must(PIT, i.Rule(felt.table.holds[0].hold, "void", "", None))
    assert cited(felt) == {"main 1": ("void", "R60")}
    assert felt.round.why_void == "duplicate_card"


def test_r41_a_line_names_bet_player_seat_hand_and_stake() -> None:
    felt = round_of("TS 9S KS", "8D")
    assert felt.round.lines == (
        Line(1, "main", "P1", 1, 1, 1000, "win", 2000, "R45"),
        Line(2, "pair", "P1", 1, 0, 100, "lose", 0, "R42"),
        Line(3, "behind", "B", 1, 1, 1000, "win", 2000, "R50"),
    )
