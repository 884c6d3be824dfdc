"""The settings of the game and their fingerprint."""

from __future__ import annotations

import msgspec
import pytest

from station.game.rules import TableRules, fingerprint


def test_the_fingerprint_is_of_the_rules_alone_and_of_every_setting() -> None:
    base = TableRules()
    changed = {
        "seats": 5,
        "betting_seconds": 20,
        "decision_seconds": 10,
        "insurance_seconds": 15,
        "follow_seconds": 6,
        "main_min": 2000,
        "main_max": 500_000,
        "bet_step": 200,
        "pair_min": 200,
        "pair_max": 50_000,
        "behind_bettors": 20,
        "double_after_split": False,
        "dealer_draw": "until_decided",
        "dealer_blackjack_takes": "original",
        "autoplay_hits_eleven": False,
        "burn": 1,
        "grace_seconds": 5,
        "betting_grace_seconds": 10,
        "reshuffle": True,
        "incident_policy": "house",
    }
    assert set(changed) == set(TableRules.__struct_fields__), "every setting has a case here"
    marks = {
        fingerprint(msgspec.structs.replace(base, **{key: value})) for key, value in changed.items()
    }
    assert fingerprint(base) == fingerprint(TableRules())
    assert len(marks | {fingerprint(base)}) == len(changed) + 1


def test_a21_what_the_rules_leave_open_has_these_defaults() -> None:
    assert TableRules() == TableRules(
        seats=7,
        betting_seconds=15,
        decision_seconds=15,
        insurance_seconds=10,
        follow_seconds=5,
        main_min=1_000,
        main_max=1_000_000,
        bet_step=100,
        pair_min=100,
        pair_max=100_000,
        behind_bettors=50,
        double_after_split=True,
        dealer_draw="always",
        dealer_blackjack_takes="all",
        autoplay_hits_eleven=True,
        burn=0,
        grace_seconds=0,
        betting_grace_seconds=30,
        reshuffle=False,
        incident_policy="strict",
    )


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"bet_step": 3}, "even"),
        ({"main_min": 2000, "main_max": 1000}, "above"),
        ({"main_min": 1050}, "multiples"),
        ({"main_max": 1_000_050}, "multiples"),
        ({"pair_min": 200, "pair_max": 100}, "above"),
    ],
)
def test_a26_settings_that_would_need_rounding_are_refused(
    settings: dict[str, int], word: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=word):
        msgspec.convert(settings, TableRules)
