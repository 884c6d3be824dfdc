"""The technician's tools beside a running table: they ask it, and never take a port from it."""

from __future__ import annotations

import json

from tests.support.floor import Floor


def test_a_port_the_table_has_is_refused_and_the_table_goes_on(floor: Floor) -> None:
    floor.open_table()
    for command in (("test", "shoe"), ("record", "shoe", "shoe.rec")):
        done = floor.station.cli("device", *command, check=False)
        assert done.returncode == 2
        assert "table T01 is running and holds device 'shoe'" in done.stderr
        assert "Traceback" not in done.stderr
    assert not (floor.station.folder / "shoe.rec").exists()
    document = json.loads(floor.station.cli("device", "test", "shoe", "--json", check=False).stdout)
    assert document["ok"] is False
    devices = {device.name: device.health for device in floor.console.now.devices}
    assert devices == {"shoe": "up"}


def test_doctor_asks_a_running_table_about_its_ports(floor: Floor) -> None:
    floor.open_table()
    found = ports(floor)
    assert [(one["level"], one["where"]) for one in found] == [
        ("ok", str(floor.station.folder / "shoe"))
    ]
    floor.station.serial.unplug()
    floor.console.wait_for(lambda s: s.devices[0].health == "lost", "the shoe is lost")
    (lost,) = ports(floor)
    assert lost["level"] == "fail"
    assert "docs/technician.md" in lost["do"]


def ports(floor: Floor) -> list[dict[str, str]]:
    """What doctor says of the ports."""
    said = floor.station.cli("doctor", "--no-console", "--json", check=False).stdout
    return [one for one in json.loads(said)["findings"] if one["check"] == "port"]


def test_what_is_plugged_in_is_listed_beside_a_running_table(floor: Floor) -> None:
    floor.open_table()
    document = json.loads(floor.station.cli("devices", "--config", "table.toml", "--json").stdout)
    assert document["ok"]
    assert document["not_there"] == []


def test_the_trend_of_a_stopped_table_shows_its_reads(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    floor.read(b"dirt\r")
    assert floor.station.stop() == 0
    done = floor.station.cli("device", "trend", "--json")
    (device,) = json.loads(done.stdout)["devices"]
    assert device["device"] == "shoe"
    assert (device["last"]["cards"], device["last"]["no_reads"]) == (1, 1)
