"""With a dealer's credentials, or none: nothing that is a supervisor's is done over the socket or
by the files, in whatever role a client says it is (R59).
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from typing import get_args

import pytest

from station import messages as m
from station import messages_shoe as ms
from tests.support.daemon import Client, Station
from tests.support.floor import DEALER, Floor
from tests.unit.station.test_view import COMMANDS

# What a dealer on duty, a host, or anybody at a terminal may say.
OPEN = {
    *(m.Wait, m.Resume, m.EmergencyStop, m.ReportError, m.CallSupervisor, m.Cleared),
    *(m.LogIn, m.LogOut, m.PauseTable, m.OpenTable),
    *(m.OpenRound, m.TakeSeat, m.LeaveSeat, m.PlayerLost, m.PlayerBack, m.PlaceBet, m.TakeBack),
    *(m.CloseBetting, m.Decide, m.Insure, m.Follow),
}
GUARDED = [kind for kind in COMMANDS if kind not in OPEN]
BY_RIGHT = {"supervisor_only", "manager_only", "clearers_only", "not_for_hosts"}


@pytest.fixture
def dealt(make_station: Callable[..., Station]) -> Floor:
    """Cards are out, a hold is open, the dealer is on duty and the supervisor has gone."""
    floor = Floor(make_station().start()).ready(1).deal("5H 9D")
    floor.console.must(m.ReportError("misdeal"))
    floor.pit.must(m.LogOut("2001"))
    return floor


def links(floor: Floor) -> list[Client]:
    return [floor.console, floor.pit, floor.host, floor.station.client("staff")]


def test_every_command_there_is_stands_on_one_of_the_two_sides() -> None:
    assert set(COMMANDS) == set(get_args(m.AnyCommand))
    assert {m.VoidRound, m.Rule, m.EnterCard, m.CorrectCard, m.LoadShoe, m.ReleaseShoe} <= set(
        GUARDED
    )
    assert {ms.LiftShoeBar, m.UnlockPerson, m.ClearLock, m.CloseTable} <= set(GUARDED)


def test_a_dealer_can_give_no_supervisors_command_over_the_socket(dealt: Floor) -> None:
    before = dealt.station.kinds()
    for link in links(dealt):
        for kind in GUARDED:
            if (link.role, kind) == ("host", m.DisputeRound):
                continue  # A host keeps books of its own, and may say that they differ.
            fields = dict(COMMANDS[kind])
            if "second" in fields:
                fields |= {"second": DEALER, "pin": DEALER}
            if "hold" in fields:
                fields["hold"] = dealt.console.now.holds[0].hold
            refused = link.refused(kind(**fields))
            assert refused in BY_RIGHT, (link.role, kind.__name__, refused)
    done = dealt.station.kinds()[len(before) :]
    assert set(done) <= {"CommandAnswered", "HostConnected"}, "and nothing but the answers is kept"


def test_a_dealers_pin_opens_no_other_terminal_than_the_console(dealt: Floor) -> None:
    for link in links(dealt)[1:]:
        assert link.refused(m.LogIn(DEALER, DEALER)) in ("console_only", "not_for_hosts")
    assert dealt.console.refused(m.LogIn("2001", DEALER)) == "wrong_pin"


def test_the_socket_and_the_files_are_the_stations_users_alone(dealt: Floor) -> None:
    folder = dealt.station.folder
    found = {path.name: path for path in folder.rglob("*") if not path.is_symlink()}
    assert "journal.db" in found
    for name, path in found.items():
        if name in ("table.toml", "errors"):
            continue  # The test's own.
        mode = stat.S_IMODE(path.stat().st_mode)
        kept = name.startswith("journal") or name.endswith((".sock", ".key", ".json"))
        if kept or path.is_dir():
            assert not mode & 0o077, (name, oct(mode))


def test_no_snapshot_tells_a_dealer_a_secret(dealt: Floor) -> None:
    """Neither PIN nor hash nor key, whatever the link."""
    for link in links(dealt):
        seen = repr(link.now)
        assert "argon2" not in seen
        assert "PRIVATE" not in seen
