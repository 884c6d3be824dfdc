"""How far each setting of the table may go (A21). What lies beyond is refused when it is read."""

from __future__ import annotations

import msgspec
import pytest

from station.game.rules import TableRules

MOST_MONEY = 1_000_000_000_000

LIMITS = {
    "seats": (1, 7),
    "betting_seconds": (1, 600),
    "decision_seconds": (1, 600),
    "insurance_seconds": (1, 600),
    "follow_seconds": (1, 600),
    "main_min": (2, MOST_MONEY),
    "main_max": (2, MOST_MONEY),
    "bet_step": (2, MOST_MONEY),
    "pair_min": (1, MOST_MONEY),
    "pair_max": (1, MOST_MONEY),
    "behind_bettors": (0, 50),
    "burn": (0, 10),
    "grace_seconds": (0, 600),
    "betting_grace_seconds": (0, 600),
}
# Amounts that leave every limit the room to be the least or the most there is.
BESIDE = {
    "main_min": {"main_max": MOST_MONEY, "bet_step": 2},
    "main_max": {"main_min": 2, "bet_step": 2},
    "bet_step": {"main_min": MOST_MONEY, "main_max": MOST_MONEY},
    "pair_min": {"pair_max": MOST_MONEY},
    "pair_max": {"pair_min": 1},
}


def read(setting: str, value: int) -> int:
    """That setting as it is read from a file, and taken."""
    rules = msgspec.convert({**BESIDE.get(setting, {}), setting: value}, TableRules)
    return int(getattr(rules, setting))


@pytest.mark.parametrize("setting", LIMITS)
def test_a21_each_setting_has_its_least_and_its_most(setting: str) -> None:
    least, most = LIMITS[setting]
    assert (read(setting, least), read(setting, most)) == (least, most)
    for beyond in (least - 1, most + 1):
        with pytest.raises(msgspec.ValidationError, match=rf"`int` [<>]= .*{setting}"):
            read(setting, beyond)


def test_a21_every_setting_that_is_a_number_has_limits() -> None:
    numbers = {
        field.name for field in msgspec.structs.fields(TableRules) if type(field.default) is int
    }
    assert numbers == set(LIMITS)
