"""A client that dies is not the table's business (R58 apart)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from station import messages as m
from tests.support.daemon import Station
from tests.support.floor import Floor

CONSOLE = """\
import socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
link.sendall(b'{"type":"hello","protocol":1,"role":"console","name":"second"}\\n')
link.recv(65536)
print("in", flush=True)
while link.recv(65536):
    link.sendall(b'{"type":"heartbeat"}\\n')
"""


def test_a_console_killed_in_mid_round_is_not_noticed_by_the_round(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    before = floor.host.now
    other = subprocess.Popen(
        [sys.executable, "-c", CONSOLE, str(floor.station.socket)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "in\n"
    other.kill()
    other.wait()
    other.stdout.close()
    floor.deal("9D 6C").act("stand").deal("8H")
    assert floor.paid() == {(1, 1): [("lose", 0)]}
    assert before.version + 3 < floor.host.now.version
    assert floor.console.now.holds == []


def test_the_dealers_console_comes_back_to_the_same_table(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    seen = floor.console.now
    floor.console.close()
    floor.console = floor.station.client("console")
    now = floor.console.now
    assert (now.phase, now.prompt, now.staff.dealer) == (seen.phase, seen.prompt, seen.staff.dealer)
    floor.deal("9D 6C")


def test_r58_the_host_lost_with_cards_out_voids_and_tells_it_when_it_is_back(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    floor.host.close()
    now = floor.console.wait_for(lambda s: s.phase == "void")
    assert now.shoe.state == "out"
    assert floor.paid() == {(1, 1): [("void", 1000)]}
    floor.host = floor.station.client("host", after=floor.host.facts[-1].seq)
    assert [fact.kind for fact in floor.host.facts][:2] == ["RoundVoided", "ShoeOut"]


def test_r58_with_grace_the_round_goes_on_when_the_host_is_back_in_time(
    make_station: Callable[..., Station],
) -> None:
    floor = Floor(make_station(rules="grace_seconds = 60").start()).ready(1).deal("5H")
    floor.host.close()
    now = floor.console.wait_for(lambda s: not s.host.connected)
    assert now.prompt.code == "host_lost"
    floor.host = floor.station.client("host")
    floor.console.wait_for(lambda s: s.prompt.kind == "card")
    floor.deal("9D 6C")


def test_a_supervisor_is_signed_out_with_the_link(floor: Floor) -> None:
    floor.open_table()
    floor.pit.close()
    floor.console.wait(lambda: "StaffSignedOut" in floor.station.kinds(), "the sign-out", 5)
    floor.pit = floor.station.client("pit")
    assert floor.pit.refused(m.LoadShoe("S2", "A")) == "supervisor_only"


def test_windows_run_out_by_the_stations_own_clock(make_station: Callable[..., Station]) -> None:
    """R13, R21: betting closes, and an absent player's hand is played by the station."""
    floor = Floor(make_station(scale=30.0).start()).open_table().sit(1)
    number = floor.open()
    floor.host.must(m.PlaceBet(number, 1, "P1", 1000))
    floor.console.wait_for(lambda s: s.prompt.kind == "card", "betting closed by the countdown")
    floor.deal("5H 9D 8C")
    now = floor.console.wait_for(lambda s: s.phase == "dealer", "the station stands on 13")
    assert now.seats[0].absent
    assert "PlayerAbsent" in floor.station.kinds()
