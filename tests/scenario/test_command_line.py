"""The command line: each refusal is one line on stderr and exit code 2, and never a traceback."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from station import messages as m
from station.cli import app
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
        ({"device": "buad = 9600"}, "; known are name, port, role"),
        ({"device": "bytesize = 9"}, "; write 7, 8"),
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
    (station.folder / "staff.json").chmod(0o600)
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
    told = floor.station.cli("status").stdout
    assert "device   shoe (text-line): Ready" in told
    assert "abilities: none, it can be told nothing" in told
    floor.station.serial.unplug()
    floor.held("reader_lost")
    locked = floor.station.cli("status", check=False)
    assert locked.returncode == 1
    told = locked.stdout
    assert "LOCK 1   The table holds; the hold has to be ruled on first." in told
    assert "Ended by a supervisor or a shift manager." in told
    assert "device   shoe (text-line): Lost: check the cable" in told
    assert "check cable, USB hub and power" in told
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


def test_a_round_is_shown_and_exported_with_all_that_happened_in_it(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    station = floor.station
    assert station.stop() == 0
    whole = station.journal()
    first = next(row.seq for row in whole if row.kind == "RoundOpened")
    wanted = [row.seq for row in whole if row.seq >= first]
    assert {"Observed", "CommandAnswered"} <= {row.kind for row in whole if row.seq >= first}
    for command in (("show", "--json"), ("export", "-")):
        said = station.cli("journal", *command, "--round", "1", "-c", "table.toml").stdout
        assert [json.loads(line)["seq"] for line in said.splitlines()] == wanted
        before = station.cli("journal", *command, "--round", "0", "-c", "table.toml").stdout
        assert len(before.splitlines()) == first - 1
        none = station.cli("journal", *command, "--round", "9", "-c", "table.toml", check=False)
        assert (none.returncode, none.stdout) == (2, "")
        assert none.stderr.endswith("no round 9 in this journal\n")


def test_an_export_is_its_owners_alone(floor: Floor) -> None:
    folder = floor.station.folder
    (folder / "out.jsonl").touch(0o644)
    floor.station.cli("journal", "export", "out.jsonl", "-c", "table.toml")
    assert (folder / "out.jsonl").stat().st_mode & 0o777 == 0o600
    none = floor.station.cli(
        "journal", "export", "none", "--round", "9", "-c", "table.toml", check=False
    )
    assert (none.returncode, list(folder.glob("none*"))) == (2, [])


def test_people_are_listed_without_their_hashes(floor: Floor) -> None:
    people = json.loads(floor.station.cli("staff", "list", "--json").stdout)
    assert people[0] == {
        "staff": "1001",
        "name": "한지민",
        "role": "dealer",
        "stage": "",
        "licence": None,
        "games": {},
        "badge": False,
        "disabled": None,
        "once": False,
        "may_work": "yes",
    }
    said = floor.station.cli("staff", "list").stdout
    assert "2001       supervisor" in said
    assert "argon2" not in said


def test_a_wrong_role_is_said_before_a_pin_is_asked_for(floor: Floor) -> None:
    done = floor.station.cli("staff", "add", "7", "--name", "X", "--role", "boss", check=False)
    assert done.returncode == 2
    assert "write dealer, supervisor, shift_manager, technician, auditor" in done.stderr
    assert "PIN" not in done.stdout


def test_people_are_added_by_pin_and_a_running_station_takes_them_up(floor: Floor) -> None:
    typed = CliRunner()
    arguments = ["staff", "add", "7001", "--name", "New", "-c", str(floor.station.config)]
    short = typed.invoke(app, arguments, input="123\n")
    assert short.exit_code == 2
    assert "4 to 32 characters" in short.stderr
    done = typed.invoke(app, arguments, input="5081\n5081\n")
    assert done.exit_code == 0
    assert "the running station takes it up by itself" in done.stdout
    floor.console.must(m.LogIn("7001", "5081"))
    floor.station.stop()
    arguments[2] = "7002"
    assert "running" not in typed.invoke(app, arguments, input="5081\n5081\n").stdout


def test_the_release_is_said_and_a_language_there_is_not_refused(
    make_station: Callable[..., Station],
) -> None:
    station = make_station()
    assert station.cli("--version").stdout.startswith("dealer-station ")
    done = station.cli("console", "--lang", "fr", check=False)
    assert (done.returncode, done.stderr) == (2, "dealer-station: --language 'fr': ko or en\n")
