"""SIGKILL at the commits of a shoe's way in: no check is spent twice, none is forgotten, and the
same command said again happens once.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from station import messages as m
from station import messages_shoe as ms
from station.game import facts as g
from station.journal import verify
from station.table import shoe_facts as s
from tests.scenario.test_shoe_checked import SHOES
from tests.support.daemon import Client, Ended, Station
from tests.support.floor import DEALER, SUPERVISOR

RECEIPT = ms.EnterCheckersReceipt("A-1", "DM-7", "15", "9:00", DEALER, DEALER, "A")
STEPS: tuple[m.AnyCommand, ...] = (
    RECEIPT,
    ms.ShoeShuffled("A-1", "8812"),
    m.LoadShoe("A-1", "A", "8812", second=DEALER, pin=DEALER),
    m.ReleaseShoe("A-1", 0),
    ms.TakeOutShoe("A-1"),
    ms.BeginShoeCheck("B-1", "shoe", "B", second=DEALER, pin=DEALER),
    ms.FinishShoeCheck(2),
)
# Station, reader up, supervisor in; then a commit a step.
FIRST = 4


def signed_in(station: Station) -> Client:
    console = station.client("console")
    console.wait_for(lambda now: now.devices[0].health == "up", "the reader up")
    pit = station.client("pit")
    pit.must(m.LogIn(SUPERVISOR, SUPERVISOR))
    return pit


def said(pit: Client, step: m.AnyCommand) -> m.AnyCommand:
    """The step as a person says it: he has seen the table as it is now."""
    return m.ReleaseShoe("A-1", pit.now.version) if isinstance(step, m.ReleaseShoe) else step


def happened(station: Station) -> list[str]:
    kinds = ("CheckersReceiptEntered", "ShuffledAfterCheck", "ShoeLoaded", "ShoeReleased")
    more = ("ShoeOut", "ShoeCheckBegun", "ShoeCheckEnded", "ShoeChecked")
    return [kind for kind in station.kinds() if kind in kinds + more]


@pytest.mark.parametrize("place", ["before_commit", "after_commit"])
@pytest.mark.parametrize("at", range(len(STEPS)))
def test_killed_on_a_shoes_way_in(tmp_path: Path, place: str, at: int) -> None:
    station = Station(tmp_path / "t", more=SHOES)
    try:
        station.start(f"{place}:{FIRST + at}")
        name, command, done = "", STEPS[0], 0
        try:
            pit = signed_in(station)
            for done, step in enumerate(STEPS):  # noqa: B007 - where it was killed
                name, command = pit.next_id(), said(pit, step)
                answer = pit.ask(command, name)
                assert answer.ok, answer.refusal
                pit.wait_for(lambda now, seen=answer.version: now.version >= seen)  # type: ignore[misc]
        except Ended:
            pass
        assert station.gone() == -signal.SIGKILL
        assert done == at
        survived = happened(station)
        station.start()
        pit = signed_in(station)
        again = pit.ask(command, name)
        running = place == "after_commit" and at == 5
        if place == "after_commit":
            # It was stored, so it is answered as it was, and nothing happens.
            assert (again.ok, again.repeated) == (True, True)
            assert happened(station)[: len(survived)] == survived
        elif isinstance(command, ms.FinishShoeCheck):
            # What was counted went with the station that ended.
            assert again.refusal is not None
            assert again.refusal.code == "stale_check"
        elif not again.ok:
            # The restart is one of the changes since he looked.
            assert isinstance(command, m.ReleaseShoe), again.refusal
            pit.must(said(pit, command))
        pit.wait_for(lambda now: now.version >= again.version)
        if running or at == 6:
            ended = [r.fact for r in station.journal() if isinstance(r.fact, s.ShoeCheckEnded)]
            assert [one.why for one in ended] == (
                ["restart"] if running or place == "before_commit" else []
            )
        _goes_on(station, pit, at)
    finally:
        station.close()


def _goes_on(station: Station, pit: Client, at: int) -> None:
    """The rest of the way; and in the end each step has happened once."""
    for step in STEPS[at + 1 : 5]:
        pit.must(said(pit, step))
    loads = [r.fact for r in station.journal() if isinstance(r.fact, g.ShoeLoaded)]
    assert [(one.shoe, one.check) for one in loads] == [("A-1", 1)]
    # The check is spent, whatever happened on the way.
    if (running := pit.now.shoe.check) is not None and running.state == "running":
        pit.must(ms.CancelShoeCheck(running.check))
    refused = pit.refused(m.LoadShoe("A-1", "A", "8812", 0, "again", DEALER, DEALER))
    assert refused == "no_check"
    kinds = happened(station)
    for kind in ("CheckersReceiptEntered", "ShuffledAfterCheck", "ShoeReleased", "ShoeOut"):
        assert kinds.count(kind) == 1, kinds
    assert verify(station.journal_path).facts == len(station.journal())
