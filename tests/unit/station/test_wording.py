"""Every code there is has its words, in both languages, with parameters that exist."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import get_args

import pytest

from drivers.protocols.angeleye_frames import ERRORS
from drivers.protocols.board import _PART_TROUBLES
from station import snapshot as m
from station.game.incidents import INCIDENTS
from station.intake import STATES
from station.table.locks import CONDITIONS
from station.wording import devices
from station.wording import table as words
from station.wording.refusals import REFUSALS
from station.wording.say import face_sign, say

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "station"


def codes(pattern: str, *folders: str) -> set[str]:
    found: set[str] = set()
    for folder in folders:
        for file in (SOURCE / folder).rglob("*.py"):
            found |= set(re.findall(pattern, file.read_text(encoding="utf-8")))
    return found


def test_every_refusal_in_the_code_is_worded() -> None:
    used = codes(r'refuse\(\s*"(\w+)"', ".")
    assert used
    assert used <= set(REFUSALS)


def test_no_refusal_is_worded_that_nobody_gives() -> None:
    assert set(REFUSALS) - set(CONDITIONS) <= codes(r'refuse\(\s*"(\w+)"', ".")


def test_every_nobody_is_worded() -> None:
    assert codes(r'Nobody\(\s*"(\w+)"', "game", "table") <= set(words.PROMPTS)


def test_every_incident_is_worded_and_its_rulings_too() -> None:
    assert set(INCIDENTS) == set(words.HOLDS)
    for incident in INCIDENTS.values():
        assert {way.ruling for way in incident.ways} <= set(words.RULINGS)
    for code, ruling in words.RULINGS_OF:
        assert ruling in {way.ruling for way in INCIDENTS[code].ways}


def test_every_hold_in_the_code_is_an_incident() -> None:
    assert codes(r'\.hold\(\s*"(\w+)"', "table") == set(INCIDENTS)


def test_every_phase_shoe_and_health_is_worded() -> None:
    assert set(get_args(m.PhaseName)) == set(words.PHASES)


@pytest.mark.parametrize(
    "texts",
    [
        REFUSALS,
        words.PROMPTS,
        words.RULINGS,
        {f"{code} {ruling}": text for (code, ruling), text in words.RULINGS_OF.items()},
        words.PHASES,
        words.SHOES,
        {code: dealer for code, (dealer, _) in devices.HEALTH.items()},
        {code: technician for code, (_, technician) in devices.HEALTH.items()},
        {code: dealer for code, (dealer, _) in devices.CAUSES.items()},
        {code: technician for code, (_, technician) in devices.CAUSES.items()},
        devices.READS,
        words.STRANGE,
        devices.FAULTS,
        words.RECENT,
    ],
)
def test_both_languages_say_something_with_the_same_parameters(
    texts: dict[str, tuple[str, str]],
) -> None:
    for code, (ko, en) in texts.items():
        assert ko.strip(), code
        assert en.strip(), code
        assert re.search("[가-힣]", ko), code
        assert not re.search("[가-힣]", en), code
        assert fields(ko) == fields(en), code


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_holds_say_what_what_to_do_and_who_in_both_languages() -> None:
    for what, hands, who in words.HOLDS.values():
        for ko, en in (what, hands, who):
            assert fields(ko) == fields(en)


def test_a_face_is_said_as_people_write_it() -> None:
    assert face_sign("TH") == "10♥"
    assert say(("{face} {amount}", "{face} {amount}"), {"face": "AS", "amount": 12345}).en == (
        "A♠ 12,345"
    )


def troubles() -> set[str]:
    """The codes of all troubles in the drivers: literals where one is made, and their names."""
    found: set[str] = {*ERRORS.values(), *_PART_TROUBLES.values()}
    for file in (ROOT / "drivers").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        found |= set(re.findall(r'rouble\((?:[^()"]|\(\))*?"([a-z][a-z_0-9]+)"', text))
        named = set(re.findall(r"rouble\((?:[^()]|\(\))*?\b([A-Z][A-Z_]{3,})\b", text))
        for name in named:
            found |= set(re.findall(rf'^{name} = "([a-z_0-9]+)"', text, re.MULTILINE))
        for names, codes in re.findall(r"^([A-Z_]+, [A-Z_]+) = (.*)$", text, re.MULTILINE):
            if named & set(names.split(", ")):
                found |= set(re.findall(r'"([a-z_]+)"', codes))
    return found - {"trouble"}  # the word for the observation itself


def test_every_trouble_of_every_device_is_a_state_or_worded() -> None:
    found = troubles()
    assert len(found) > 30
    assert {"silent", "not_packeted", "other_device", "brake_fault"} <= found
    assert found - set(STATES) - set(devices.FAULTS) == set()


def test_a_fault_without_words_is_told_by_its_code() -> None:
    assert devices.fault("my_own") == ("my_own", "my_own")
    assert devices.fault("alarm_e7") == ("슈 경보 (E7)", "an alarm of the shoe (E7)")
