"""R59, A20: a card that came too early and is used keeps the place in which it left the shoe."""

from __future__ import annotations

from station.game import facts as g
from station.game.rules import TableRules
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import PIT

HOUSE = TableRules(incident_policy="house")


def ruled(felt: Felt, *names: str) -> None:
    """The rulings on the holds there are, one after the other."""
    for name in names:
        felt.must(PIT, i.Rule(felt.table.holds[0].hold, name, "", None))  # type: ignore[arg-type]


def dealt(felt: Felt) -> list[tuple[str, int]]:
    """Every card that went to a hand: its face and its place in the shoe's order."""
    return [(f.card.face, f.order) for f in felt.of(g.CardDealt) if isinstance(f, g.CardDealt)]


def test_r59_a20_a_used_card_is_dealt_under_the_number_with_which_it_came() -> None:
    """Another card came out after it, and was burned."""
    felt = Felt(HOUSE).put((1,)).dealt("5S 9S 6H")
    felt.card("2D")
    ruled(felt, "use")
    felt.card("3D")
    ruled(felt, "burn")
    felt.act("hit")
    assert felt.hand(1) == "5S 6H 2D"
    assert dealt(felt)[-1] == ("2D", 4)
    felt.act("hit").card("4D")
    assert dealt(felt)[-1] == ("4D", 6)


def test_r59_a20_used_cards_are_dealt_in_the_order_in_which_they_came() -> None:
    felt = Felt(HOUSE).put((1,)).dealt("5S 9S 6H")
    felt.card("2D")
    ruled(felt, "use")
    felt.card("3D")
    ruled(felt, "use")
    felt.act("hit")
    assert felt.hand(1) == "5S 6H 2D"
    felt.act("hit")
    assert felt.hand(1) == "5S 6H 2D 3D"
    assert dealt(felt)[-2:] == [("2D", 4), ("3D", 5)]


def test_r59_a20_of_two_cards_alike_one_is_used_and_the_other_burned() -> None:
    """Codes without a deck number do not tell them apart: each ruling is on one card."""
    felt = Felt(HOUSE).put((1,)).dealt("5S 9S 6H")
    felt.card("2D", deck=0)
    ruled(felt, "use")
    felt.card("2D", deck=0)
    ruled(felt, "burn")
    felt.act("hit")
    assert felt.hand(1) == "5S 6H 2D"
    assert felt.table.game.exposed == ()
    assert [gone.card.face for gone in felt.table.game.shoe.gone][3:] == ["2D", "2D"]
