"""Pictures of a real camera's reads at a running table: named, kept, exported, and never in the way
of a card.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from station import messages as m
from station import messages_shoe as ms
from station import snapshot as v
from station.table import facts as f
from tests.support.camera_floor import CameraFloor, CameraStation

_NONE = v.CheckView(0, "ended", "read", "", "", "", "", 0, 0, v.Text("", ""))


@pytest.fixture
def station(tmp_path: Path) -> Iterator[CameraStation]:
    made = CameraStation(tmp_path / "table", options={"strangers": "false"})
    yield made
    made.close()


def folder(station: CameraStation) -> Path:
    return station.folder / "journal.db.evidence"


def named(station: CameraStation) -> dict[str, str]:
    """Every picture that a fact names, and its hash there."""
    facts = (row.fact for row in station.journal() if row.kind == "Observed")
    return {
        one.name: one.sha256
        for fact in facts
        if isinstance(fact, f.Observed)
        for one in fact.evidence
    }


def dealing(station: CameraStation) -> CameraFloor:
    floor = CameraFloor(station.start())
    floor.open_table().sit(1).bet((1,))
    return floor


def test_each_card_dealt_has_pictures_that_are_as_their_fact_says(
    station: CameraStation, tmp_path: Path
) -> None:
    floor = dealing(station)
    for face in ("KS", "9H", "7D"):
        read = floor.card(face)
        assert (read.outcome, read.face) == ("dealt", face)
        assert read.evidence
        for one in read.evidence:
            data = Path(one.path).read_bytes()
            assert hashlib.sha256(data).hexdigest() == one.sha256 == named(station)[one.name]
    kept = {path.name for path in station.pictures()}
    assert kept == set(named(station))
    # Killed and started again, with what nobody will ever name, and one picture less.
    station.kill()
    (folder(station) / "cam-stray.jpg").write_bytes(b"a card that was never told of")
    lost = sorted(kept)[0]
    (folder(station) / lost).unlink()
    station.start()
    number = CameraFloor(station).console.now.round
    end = time.monotonic() + 60
    while (folder(station) / "cam-stray.jpg").exists():
        assert time.monotonic() < end, station.errors()
        time.sleep(0.02)
    found = json.loads(station.cli("evidence", "verify", "--json", check=False).stdout)["found"]
    assert [name for _, name in found["missing"]] == [lost]
    assert found["changed"] == []
    assert {path.name for path in folder(station).iterdir()} >= kept - {lost}
    out = tmp_path / "round"
    done = station.cli("evidence", "export", str(number), str(out), check=False)
    assert done.returncode == 1, "it lacks a picture"
    station.stop()
    shutil.rmtree(station.folder / "journal.db.evidence")
    assert json.loads(station.cli("evidence", "check", str(out), "--json").stdout)["ok"]
    assert {path.name for path in (out / "pictures").iterdir()} == kept - {lost}


def test_a_folder_that_is_a_link_keeps_no_pictures_and_stops_no_card(
    station: CameraStation, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder(station).symlink_to(elsewhere)
    floor = dealing(station)
    read = floor.card("KS")
    assert (read.outcome, read.face, read.evidence) == ("dealt", "KS", [])
    assert list(elsewhere.iterdir()) == []
    advice = [one.en for device in floor.console.now.devices for one in device.advice]
    assert any("Pictures of cards are not kept" in one for one in advice)
    assert "it is a link" in station.errors()


def test_a_folder_that_can_not_be_written_keeps_none_and_the_cards_count(
    station: CameraStation,
) -> None:
    """As on a full disk: the folder is gone in mid-round, and a file stands in its place."""
    floor = dealing(station)
    assert floor.card("KS").evidence
    folder(station).rename(station.folder / "moved")
    folder(station).write_bytes(b"")
    read = floor.card("9H")
    assert (read.outcome, read.evidence) == ("dealt", [])
    device = floor.console.wait_for(
        lambda s: any(one.health == "impaired" for one in s.devices), "that it is told", 60
    ).devices[0]
    assert device.text.en == "Pictures of cards are not kept"
    assert not floor.console.now.holds
    assert floor.card("7D").outcome == "dealt"


def test_no_picture_is_kept_of_a_shoe_that_is_checked(station: CameraStation) -> None:
    """The order of the pictures would be that of the cards. From the load on they are kept."""
    floor = CameraFloor(station.start())
    floor.console.must(m.LogIn("1001", "1001"))
    floor.pit.must(m.LogIn("2001", "2001"))
    floor.pit.must(ms.BeginShoeCheck("S1", "shoe", "A"))
    for number, face in enumerate(("KS", "9H", "7D"), start=1):
        end = time.monotonic() + 120
        while (floor.console.now.shoe.check or _NONE).read < number:
            assert time.monotonic() < end, station.errors()
            station.camera.card(face)
            station.camera.until("empty")
            time.sleep(0.5)
    assert station.pictures() == []
    assert not {"Observed", "ReadSetAside"} & set(station.kinds())
    floor.pit.must(ms.CancelShoeCheck(1))
    floor.new_shoe("S1")
    floor.sit(1).bet((1,))
    assert floor.card("KS").evidence
    assert station.pictures()
