"""R15 to R37: what the next card is for, where the round stands, and why no card may come."""

from __future__ import annotations

from station.game.dealing import Expected, Nobody, Owed
from station.game.rules import TableRules
from station.game.state import BURN, Slot, phase
from station.table import inputs as i
from station.table.state import expected
from tests.support.felt import Felt
from tests.support.play import HOST


def at(felt: Felt) -> tuple[str, Expected]:
    return phase(felt.round).value, expected(felt.table)


def owed(seat: int, hand: int, purpose: str) -> Owed:
    return Owed(Slot(seat, hand), purpose)  # type: ignore[arg-type]


def test_r15_to_r37_each_card_of_a_round_says_what_it_is_for() -> None:
    felt = Felt().put((2,), behind=[("B", 2, 1000)])
    assert at(felt) == ("betting", Nobody("betting_open", "R15"))
    felt.close()
    assert at(felt) == ("dealing", owed(2, 1, "first"))
    felt.card("8S")
    assert at(felt) == ("dealing", owed(0, 0, "upcard"))
    felt.card("AS")
    assert at(felt) == ("dealing", owed(2, 1, "second"))
    felt.card("8H")
    assert at(felt) == ("insurance", Nobody("insurance_window", "R39"))
    felt.answer(P2=False)
    assert at(felt) == ("players", Nobody("decision_open", "R20", 2))
    felt.act("split")
    assert at(felt) == ("follow", Nobody("follow_window", "R52", 2))
    felt.answer(B=False)
    assert at(felt) == ("players", owed(2, 1, "split"))
    felt.card("2D")
    assert at(felt) == ("players", owed(2, 2, "split"))
    felt.card("3D")
    felt.act("hit")
    assert at(felt) == ("players", owed(2, 1, "hit"))
    felt.card("9D")
    felt.act("stand", "double")
    assert at(felt) == ("players", owed(2, 2, "double"))
    felt.card("9H")
    assert at(felt) == ("dealer", owed(0, 0, "draw"))
    felt.card("9C")
    assert at(felt) == ("result", Nobody("round_settled", "R24"))
    felt.clear()
    assert at(felt) == ("cleared", Nobody("no_round"))


def test_r54_a_double_is_followed_by_its_own_rule() -> None:
    felt = Felt().put((2,), behind=[("B", 2, 1000)]).dealt("6S 9S 5H").act("double")
    assert at(felt) == ("follow", Nobody("follow_window", "R54", 2))


def test_r60_after_a_void_nobody_is_owed_a_card() -> None:
    felt = Felt().put((2,)).dealt("6S 9S")
    felt.lose_host()
    assert at(felt) == ("void", Nobody("round_void", "R60"))


def test_a21_the_burn_is_owed_between_rounds_also_after_a_void() -> None:
    felt = Felt(TableRules(burn=1))
    assert expected(felt.table) == Owed(Slot(BURN), "burn")
    felt.card("2S")
    assert expected(felt.table) == Nobody("no_round")
    felt.put((1,)).dealt("6S 9S")
    felt.lose_host()
    felt.give(i.LinkUp(HOST.link, "host", "game"))
    felt.new_shoe("S2")
    assert at(felt) == ("void", Owed(Slot(BURN), "burn"))
