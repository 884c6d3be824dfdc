"""The command line: each refusal is one line on stderr and exit code 2, and never a traceback."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

import pytest

from tests.support.daemon import Ended, Station
from tests.support.floor import Floor


def refused(station: Station) -> str:
    """The last line of a station that does not start."""
    with pytest.raises(Ended) as told:
        station.start()
    assert station.gone() == 2
    assert "Traceback" not in str(told.value)
    line = str(told.value).splitlines()[-1]
    assert line.startswith("dealer-station: ")
    return line


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"more": "[jounral]\npath = 'x'\n"}, "jounral"),
        ({"more": "[link]\nsokcet = 'x'\n"}, "$.link"),
        ({"rules": "bet_stpe = 2"}, "$.rules"),
        ({"rules": "betting_seconds = 0"}, "$.rules.betting_seconds"),
        ({"device": "buad = 9600"}, "$.devices[0]"),
        ({"device": "baud = 1"}, "$.devices[0].baud"),
        ({"device": 'card = "{set}{rank}{suit}{check}"'}, "{deck}"),
        ({"device": 'card = "{rank}{suit}{deck}"'}, "{check}"),
        ({"scale": -1}, "$.clock.scale"),
    ],
)
def test_a_mistake_in_the_file_is_one_line_that_names_its_place(
    make_station: Callable[..., Station], options: dict[str, str], says: str
) -> None:
    station = make_station(**options)
    said = refused(station)
    assert f"{station.config}: " in said
    assert says in said
    assert not station.journal_path.exists()
    checked = station.cli("config", "check", "table.toml", check=False)
    assert (checked.returncode, says in checked.stderr) == (2, True)
    document = station.cli("config", "check", "table.toml", "--json", check=False).stdout
    assert json.loads(document)["ok"] is False


def test_a_damaged_journal_stops_the_station_and_the_command_line(
    make_station: Callable[..., Station],
) -> None:
    station = make_station()
    Floor(station.start()).sit(1)
    assert station.stop() == 0
    head = station.journal()[-1].seq
    db = sqlite3.connect(station.journal_path)
    db.execute("UPDATE facts SET body=replace(body,'P1','P9') WHERE kind='SeatTaken'")
    db.commit()
    db.close()
    said = refused(station)
    assert f"fact {head - 1} (SeatTaken)" in said
    for command in (("verify",), ("export", "-")):
        done = station.cli("journal", *command, "-c", "table.toml", check=False)
        assert (done.returncode, f"fact {head - 1} " in done.stderr) == (2, True)
        assert "Traceback" not in done.stderr
    assert len(station.journal()) == head


def test_a_failpoint_that_does_not_exist_is_refused(make_station: Callable[..., Station]) -> None:
    station = make_station()
    with pytest.raises(Ended, match="before_lunch:1: expected PLACE:N"):
        station.start("before_lunch:1")


def test_a_live_table_has_no_failpoints_and_no_test_staff(
    make_station: Callable[..., Station],
) -> None:
    station = make_station()
    text = station.config.read_text().replace('kind = "test"', 'kind = "live"')
    station.config.write_text(text)
    said = refused(station)
    assert "staff.json" in said
    assert "dealer-station staff add" in said
    (station.folder / "staff.json").write_text('{"kind":"live","people":[]}')
    station.start("after_commit:1")
    assert station.client("console").now.table.watermark is None
    assert station.stop() == 0


def test_status_says_how_a_running_table_is(floor: Floor) -> None:
    floor.open_table()
    document = json.loads(floor.station.cli("status", "--json").stdout)
    assert document["table"]["id"] == "T01"
    assert document["prompt"] == {
        "kind": "none",
        "code": "no_round",
        "text": document["prompt"]["text"],
        "slot": None,
        "action": "",
    }
    floor.station.kill()
    done = floor.station.cli("status", check=False)
    assert done.returncode == 2
    assert "table.sock" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_station_ends_quietly_when_it_is_told_to(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    assert floor.station.stop() == 0
    assert all(line.startswith("{") for line in floor.station.errors().splitlines())
    assert "error" not in floor.station.errors()
