"""R58 to R60, A19 to A21: a lost host, rulings on a card nobody was owed, a new shoe's burn."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules, fingerprint
from station.game.state import BURN, Slot
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import CONSOLE, PIT

HOUSE = TableRules(incident_policy="house")


def exposed(rules: TableRules, moment: str) -> Felt:
    """A card has come out at that moment, and the table holds."""
    felt = Felt(rules).put((1,), behind=[("B", 1, 1000)])
    if moment != "betting":
        felt.dealt("8S AS 8H" if moment == "insurance" else "8S 9S 8H")
    if moment == "following":
        felt.act("split")
    elif moment == "settled":
        felt.act("stand").drawn("8C")
    felt.card("5D")
    assert felt.hold_codes == ["exposed_card"]
    return felt


def ruling(felt: Felt, name: str) -> i.Rule:
    return i.Rule(felt.table.holds[0].hold, name, "", None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("moment", "burn"),
    [
        ("betting", ""),
        ("insurance", "card_changed_order"),
        ("deciding", "card_changed_order"),
        ("following", "card_changed_order"),
        ("settled", ""),
    ],
)
def test_r60_a20_strict_a_card_is_burned_only_where_it_changes_no_order(
    moment: str, burn: str
) -> None:
    felt = exposed(TableRules(), moment)
    assert felt.refused(ruling(felt, "use"), PIT) == ("ruling_not_open", "R60")
    if burn:
        assert felt.refused(ruling(felt, "burn"), PIT) == (burn, "R60")
        felt.must(PIT, ruling(felt, "void"))
        assert set(felt.paid().values()) == {("void", 1000)}
        assert felt.table.game.shoe.state == "out"
    else:
        lines = felt.round.lines
        felt.must(PIT, ruling(felt, "burn"))
        assert felt.of(g.CardBurned)
        assert felt.round.lines == lines
        assert felt.table.game.shoe.state == "in_play"


@pytest.mark.parametrize("moment", ["betting", "insurance", "deciding", "following", "settled"])
def test_r59_a20_house_a_supervisor_may_burn_it_at_any_time_and_play_goes_on(moment: str) -> None:
    felt = exposed(HOUSE, moment)
    before = (felt.round.asked, felt.round.window, felt.round.lines)
    felt.must(PIT, ruling(felt, "burn"))
    assert (felt.round.asked, felt.round.window, felt.round.lines) == before
    assert felt.table.game.exposed == ()
    assert [gone.card.face for gone in felt.table.game.shoe.gone][-1] == "5D", "it left the shoe"


def test_r59_a20_house_a_card_that_is_used_goes_to_the_next_slot_that_is_owed_one() -> None:
    felt = exposed(HOUSE, "deciding")
    felt.must(PIT, ruling(felt, "use"))
    assert felt.hand(1) == "8S 8H", "nobody is owed one yet"
    felt.act("hit")
    assert felt.hand(1) == "8S 8H 5D"  # 21
    assert felt.owed == Slot()


def test_r59_a20_house_a_used_card_nobody_is_owed_is_burned_when_the_round_is_over() -> None:
    felt = Felt(TableRules(incident_policy="house", dealer_draw="until_decided")).put((1,))
    felt.dealt("8S 9S 7H").card("5D")
    felt.must(PIT, ruling(felt, "use"))
    felt.act("surrender")
    assert felt.paid() == {"P1 main 1/1": ("surrender", 500)}
    assert felt.round.dealer == felt.round.dealer[:1]
    burned = felt.of(g.CardBurned)
    assert [fact.card.face for fact in burned if isinstance(fact, g.CardBurned)] == ["5D"]


@pytest.mark.parametrize("policy", ["strict", "house"])
@pytest.mark.parametrize("code", ["duplicate_card", "foreign_card"])
def test_r60_a20_a_card_whose_identity_is_in_doubt_can_only_be_void(code: str, policy: str) -> None:
    felt = Felt(TableRules(incident_policy=policy)).put((1,)).dealt("8S 9S")  # type: ignore[arg-type]
    felt.card("8S", deck=1 if code == "duplicate_card" else 9)
    assert felt.hold_codes == [code]
    for name in ("release", "aligned", "burn", "use"):
        assert felt.refused(ruling(felt, name), PIT)[0] == "ruling_not_open"
    felt.must(PIT, ruling(felt, "void"))
    assert felt.paid() == {"P1 main 1/1": ("void", 1000)}


def test_a21_a_new_shoe_is_burned_before_its_first_round_and_no_card_of_it_is_dealt() -> None:
    felt = Felt(TableRules(burn=2))
    opening = c.OpenRound(fingerprint(felt.rules))
    for face in ("TS", "9S"):
        assert felt.refused(opening) == ("burn_due", "A21")
        assert felt.owed == Slot(BURN)
        felt.card(face)
    assert felt.owed is None
    felt.put((1,)).dealt("5S 6S 7S")
    assert felt.hand(1) == "5S 7S"
    assert [gone.card.face for gone in felt.table.game.shoe.gone] == ["TS", "9S", "5S", "6S", "7S"]


def test_a21_without_the_setting_nothing_is_burned() -> None:
    felt = Felt()
    assert felt.nobody == ("no_round", "")
    felt.put((1,)).dealt("5S")
    assert felt.hand(1) == "5S"


MOMENTS = {
    "dealing": "8S 9S",
    "insurance": "8S AS 8H",
    "deciding": "8S 9S 8H",
    "following": "8S 9S 8H split",
    "a card owed": "8S 9S 8H hit",
    "the dealer's turn": "8S 6S 8H stand",
}


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_r58_a19_a_host_lost_with_cards_out_voids_the_round_wherever_it_stands(moment: str) -> None:
    felt = Felt().put((1,), pair={1: 100}, behind=[("B", 1, 2000)]).close()
    for step in MOMENTS[moment].split():
        if step.islower():
            felt.act(step)  # type: ignore[arg-type]
        else:
            felt.card(step)
    staked = sum(bet.stake for bet in felt.round.bets)
    felt.lose_host()
    assert felt.round.ended == "void"
    assert felt.running == {}
    paid = felt.paid()
    assert {result for result, _ in paid.values()} == {"void"}
    assert sum(back for _, back in paid.values()) == staked
    assert felt.table.game.shoe.state == "out"


def test_r58_a19_between_closing_and_the_first_card_the_host_has_the_grace_of_betting() -> None:
    felt = Felt().put((1,)).close()
    felt.lose_host()
    assert felt.running == {"host_grace": 30}
    assert felt.nobody == ("host_lost", "R58")
    felt.fire("host_grace")
    assert felt.paid() == {"P1 main 1/1": ("void", 1000)}
    assert felt.table.game.shoe.state == "in_play", "no card was out: the shoe is kept"


def test_a20_a_card_reported_face_up_in_the_shoe_is_burned_and_play_goes_on() -> None:
    felt = Felt().put((1,)).dealt("8S 9S 8H")
    felt.must(CONSOLE, i.ReportError("card_exposed"))
    felt.card("5D")
    report, exposed_ = felt.table.holds
    assert (report.code, exposed_.code) == ("dealer_report", "exposed_card")
    felt.must(PIT, i.Rule(exposed_.hold, "burn", "boxed", None))
    felt.must(PIT, i.Rule(report.hold, "release", "", None))
    assert not felt.table.holds
    felt.act("stand").card("8C")
    assert felt.paid()["P1 main 1/1"] == ("lose", 0), "16 against 17: the 5 was nobody's"


@pytest.mark.parametrize("what", ["misdeal", "card_exposed"])
def test_a20_a_card_drawn_first_and_reported_after_is_void(what: str) -> None:
    felt = Felt().put((1,)).dealt("8S 9S 8H")
    if what == "misdeal":
        felt.must(CONSOLE, i.ReportError("misdeal"))
        felt.card("5D")
    else:
        felt.card("5D")
        felt.must(CONSOLE, i.ReportError("card_exposed"))
    exposed_ = next(hold for hold in felt.table.holds if hold.code == "exposed_card")
    burn = i.Rule(exposed_.hold, "burn", "", None)
    assert felt.refused(burn, PIT) == ("card_changed_order", "R60")
