"""Screens of a shoe's check, worded by the station itself."""

from __future__ import annotations

from msgspec.structs import replace

from station import snapshot as m
from station.game.check import Tally
from station.shoe_check import Counted
from station.table import shoe_inputs as si
from station.view_shoe import check_text, shoe_view
from tests.support.every_shoe_command import WHOLE
from tests.support.phases_shoes import CheckedPlay
from tests.support.play import PIT
from tests.ui.fixtures import idle


def _plain() -> m.Snapshot:
    return replace(idle(), last_refusal=None, banners=[])


def check_running() -> m.Snapshot:
    """137 cards are counted, and the last one had been counted before."""
    table, counted = CheckedPlay().staffed().begin().table, Counted(137, "again")
    prompt = m.PromptView("none", "shoe_check", check_text(table, counted))
    return replace(_plain(), prompt=prompt, shoe=shoe_view(table, counted))


def check_failed() -> m.Snapshot:
    """Two cards are missing."""
    play = CheckedPlay().staffed().begin()
    cards = {name: n for name, n in WHOLE.cards.items() if name not in ("KH3", "5S1")}
    play.must(PIT, si.FinishShoeCheck(1, Tally(cards)))
    prompt = m.PromptView(
        "none", "shoe_needed", m.Text("새 슈가 필요합니다", "A new, verified shoe is needed")
    )
    return replace(_plain(), prompt=prompt, shoe=shoe_view(play.table, Counted()))
