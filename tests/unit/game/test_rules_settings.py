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
        "main_min": 2000,
        "main_max": 500_000,
        "bet_step": 200,
        "dealer_draw": "until_decided",
        "autoplay_hits_eleven": False,
        "grace_seconds": 5,
        "betting_grace_seconds": 10,
        "reshuffle": True,
    }
    free = set(TableRules.__struct_fields__) - {"incident_policy"}
    assert set(changed) == free, "every setting that can change has a case here"
    marks = {
        fingerprint(msgspec.structs.replace(base, **{key: value})) for key, value in changed.items()
    }
    assert fingerprint(base) == fingerprint(TableRules())
    assert len(marks | {fingerprint(base)}) == len(changed) + 1


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"bet_step": 3}, "even"),
        ({"main_min": 2000, "main_max": 1000}, "above"),
        ({"main_min": 1050}, "multiples"),
    ],
)
def test_a26_settings_that_would_need_rounding_are_refused(
    settings: dict[str, int], word: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=word):
        msgspec.convert(settings, TableRules)
