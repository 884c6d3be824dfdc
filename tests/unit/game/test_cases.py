"""Rounds worked out by an independent statement of the rules, played by this core.

Deal order, hands, legal actions, follow offers, labels, amounts and vacated seats must be equal.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.play_cases import CaseError, main, play_file

Json = dict[str, Any]
DATA = Path(__file__).parents[2] / "data" / "cases"
FILES = sorted(path.name for path in DATA.glob("*.json"))


@cache
def played(name: str) -> tuple[tuple[Json, Json, Json], ...]:
    """Case, expected and told, one each."""
    document = json.loads((DATA / name).read_text(encoding="utf-8"))
    told = play_file(DATA / name)
    return tuple(
        (case, case["expected"], got) for case, got in zip(document["cases"], told, strict=True)
    )


def differences(name: str, key: str) -> list[tuple[str, Any, Any]]:
    return [
        (case["id"], expected[key], told[key])
        for case, expected, told in played(name)
        if expected[key] != told[key]
    ]


def test_every_file_of_cases_is_here() -> None:
    assert len(FILES) == 4
    assert sum(len(played(name)) for name in FILES) == 960


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("key", ["void", "deal", "decisions", "follow_offers", "players"])
def test_r15_to_r60_rounds_are_played_as_worked_out(name: str, key: str) -> None:
    assert differences(name, key) == []


@pytest.mark.parametrize("name", FILES)
def test_r26_to_r38_the_hands_end_as_worked_out(name: str) -> None:
    for case, expected, told in played(name):
        hands = told["hands"]
        if expected["void"]:
            # A broken round's hands have no final state.
            strip = [[hand["cards"] for hand in seat] for seat in hands.values()]
            assert strip == [
                [hand["cards"] for hand in seat] for seat in expected["hands"].values()
            ], case["id"]
        else:
            assert hands == expected["hands"], case["id"]


@pytest.mark.parametrize("name", FILES)
def test_r24_a17_the_dealer_ends_as_worked_out(name: str) -> None:
    for case, expected, told in played(name):
        always = expected["dealer"]["always"] if expected["dealer"] else None
        assert told["dealer"] == always, case["id"]


@pytest.mark.parametrize("name", FILES)
def test_r7_to_r57_every_bet_has_its_label_and_its_amount(name: str) -> None:
    def bets(records: list[Json]) -> dict[str, Any]:
        return {
            bet["id"]: {key: value for key, value in bet.items() if key != "rule"}
            for bet in records
        }

    for case, expected, told in played(name):
        assert bets(told["bets"]) == bets(expected["bets"]), case["id"]
        assert len(told["bets"]) == len(expected["bets"])
        assert all(bet["rule"] for bet in told["bets"])


@pytest.mark.parametrize("name", FILES)
def test_r25_a33_idle_seats_are_vacated(name: str) -> None:
    for case, expected, told in played(name):
        unclear = set(expected["seats_removed_unclear"])
        assert set(told["seats_removed"]) - unclear == set(expected["seats_removed"]) - unclear, (
            case["id"]
        )


@pytest.mark.parametrize("name", FILES)
def test_r21_r56_the_station_plays_for_the_silent(name: str) -> None:
    assert differences(name, "auto_seats") == []


def as_needed(tmp_path: Path, name: str) -> Path:
    """The same cases under `until_decided`."""
    document = json.loads((DATA / name).read_text(encoding="utf-8"))
    document["rules"]["dealer_draw"] = "as_needed"
    path = tmp_path / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FILES)
def test_a17_until_decided_draws_no_card_more_than_needed(tmp_path: Path, name: str) -> None:
    for (case, expected, _), told in zip(
        played(name), play_file(as_needed(tmp_path, name)), strict=True
    ):
        if expected["void"]:
            continue
        assert told["dealer"] == expected["dealer"]["as_needed"], case["id"]
        assert told["players"] == expected["players"], case["id"]


def test_a_file_that_holds_no_cases_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    assert main([str(bad)]) == 1
    assert str(bad) in capsys.readouterr().err
    bad.write_text('{"rules": {"decks": 6}, "cases": []}', encoding="utf-8")
    with pytest.raises(CaseError, match="decks"):
        list(play_file(bad))


def test_a_case_that_breaks_off_is_named(tmp_path: Path) -> None:
    document = json.loads((DATA / FILES[0]).read_text(encoding="utf-8"))
    document["cases"] = document["cases"][:1]
    document["cases"][0]["shoe"] = document["cases"][0]["shoe"][:2]
    short = tmp_path / "short.json"
    short.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CaseError, match=document["cases"][0]["id"]):
        list(play_file(short))


def one_case(tmp_path: Path, **changes: object) -> Path:
    """A file of the first case that has more than one seat, changed."""
    document = json.loads((DATA / "cases_dev.json").read_text(encoding="utf-8"))
    case = next(case for case in document["cases"] if not case["behind"])
    document["cases"] = [{**case, **changes}]
    path = tmp_path / "one.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a19_a_host_lost_before_the_first_card_cancels_the_round(tmp_path: Path) -> None:
    told = next(iter(play_file(one_case(tmp_path, void_after_card=0))))
    assert told["void"] is True
    assert told["deal"] == []
    assert all(bet["label"] == "void" for bet in told["bets"])
    assert all(sums["net"] == 0 for sums in told["players"].values())


@pytest.mark.parametrize(
    "changes",
    [
        {"shoe": ["XX"]},
        {"seats": "none"},
        {"seats": [{"seat": 3, "player": "P3", "main": "1000", "pairs": 0, "actions": []}]},
        {"behind": None},
    ],
)
def test_a_broken_case_is_named_and_the_others_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, object]
) -> None:
    broken = one_case(tmp_path, **changes)
    document = json.loads(broken.read_text(encoding="utf-8"))
    document["cases"].append(
        json.loads((DATA / "cases_dev.json").read_text(encoding="utf-8"))["cases"][0]
    )
    broken.write_text(json.dumps(document), encoding="utf-8-sig")
    assert main([str(broken)]) == 1
    out, err = capsys.readouterr()
    first, second = (json.loads(line) for line in out.splitlines())
    assert first["id"] in first["error"]
    assert first["id"] in err
    assert "error" not in second


def test_an_answer_for_another_hand_is_not_taken_for_this_one(tmp_path: Path) -> None:
    document = json.loads((DATA / "cases_dev.json").read_text(encoding="utf-8"))
    case = next(case for case in document["cases"] if case["scenario"] == "split")
    for seat in case["seats"]:
        seat["actions"] = [{**action, "hand": 2} for action in seat["actions"]]
    document["cases"] = [case]
    path = tmp_path / "other.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CaseError, match="hand"):
        list(play_file(path))


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        ({"dealer_draw": "second_then_needed"}, "as_needed"),
        ({"dealer_bj": "half"}, "lose_all"),
        ({"split_by": "rank"}, "split_by"),
    ],
)
def test_rules_that_are_not_of_this_game_are_named(
    tmp_path: Path, rules: dict[str, str], word: str
) -> None:
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"rules": rules, "cases": []}), encoding="utf-8")
    with pytest.raises(CaseError, match=word):
        list(play_file(path))


def test_an_unknown_field_of_the_rules_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.json"
    path.write_text('{"rules": {"dass": false}, "cases": []}', encoding="utf-8")
    assert main([str(path)]) == 0
    assert "dass" in capsys.readouterr().err
