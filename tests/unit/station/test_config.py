"""A table's file: every setting is documented with its true default, every mistake is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from drivers.catalog import DeviceSpec
from station.config import Config, ConfigError, load_config
from station.daemon import device_specs

EXAMPLE = Path(__file__).parents[3] / "table.example.toml"
MINIMAL = '[table]\nid = "T01"\n'
DEVICE = '\n[[devices]]\nname = "shoe"\nport = "/dev/shoe"\n'


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_example_is_in_order() -> None:
    config = load_config(EXAMPLE)
    assert [spec.name for spec in device_specs(config)] == ["shoe"]


def test_the_example_states_every_setting_with_its_default() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    settings = re.sub(r"^# (\w+ = .*)$", r"\1", text, flags=re.MULTILINE)
    stated = tomllib.loads(settings)
    (device,) = stated.pop("devices")
    assert set(device) == set(DeviceSpec.__struct_fields__)
    assert msgspec.convert(device, DeviceSpec) == DeviceSpec(name="shoe", port=device["port"])
    sections = set(Config.__struct_fields__) - {"devices"}
    assert set(stated) == sections
    default = msgspec.to_builtins(msgspec.convert({"table": {"id": "T01"}}, Config))
    for section in sections:
        assert stated[section] == default[section], section


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('[table]\nid = "T01"\nkidn = "test"\n', "$.table", "kidn"),
        (MINIMAL + "[rules]\nbet_step = 3\n", "$.rules", "even"),
        (MINIMAL + "[rules]\nbetting_seconds = 0\n", "$.rules.betting_seconds", ">= 1"),
        (MINIMAL + '[rules]\ndealer_draw = "sometimes"\n', "$.rules.dealer_draw", "sometimes"),
        (MINIMAL + "[clock]\nscale = 2.0\n", "$.clock.scale", "live"),
        ("[table]\n", "$.table", "id"),
        ("[table\n", "", "TOML"),
        ('[table]\nid = "a b"\n', "$.table.id", "regex"),
    ],
)
def test_a_mistake_names_file_key_and_fault(
    tmp_path: Path, text: str, where: str, what: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert where in message
    assert what in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("line", "where", "what"),
    [
        ("buad = 9600", "$.devices[0]", "buad"),
        ("baud = 12345", "$.devices[0].baud", "12345"),
        ('card = "{set}{rank}{suit}{check}"', "$.devices[0].card", "deck"),
        ('card = "{rank}{suit}{deck}"', "$.devices[0].card", "allow_unchecked_codes"),
        ('suffix = "x"', "$.devices[0].suffix", "x"),
    ],
)
def test_a_devices_mistake_names_its_entry(
    tmp_path: Path, line: str, where: str, what: str
) -> None:
    config = load_config(written(tmp_path, MINIMAL + DEVICE + line + "\n"))
    with pytest.raises(ConfigError) as caught:
        device_specs(config)
    assert where in str(caught.value)
    assert what in str(caught.value)


def test_two_devices_of_one_name_are_refused(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, MINIMAL + DEVICE + DEVICE))
    with pytest.raises(ConfigError, match="twice"):
        device_specs(config)


def test_two_devices_on_one_port_are_refused(tmp_path: Path) -> None:
    other = DEVICE.replace('"shoe"', '"scanner"')
    config = load_config(written(tmp_path, MINIMAL + DEVICE + other))
    with pytest.raises(ConfigError, match=r"\[1\]\.port.*twice"):
        device_specs(config)


def test_codes_without_a_check_are_taken_when_it_is_allowed(tmp_path: Path) -> None:
    text = MINIMAL + "[cards]\nallow_unchecked_codes = true\n" + DEVICE
    config = load_config(written(tmp_path, text + 'card = "{rank}{suit}-{deck:2}"\n'))
    assert not device_specs(config)[0].code().has_check


def test_relative_paths_are_meant_beside_the_file(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, MINIMAL + DEVICE.replace("/dev/shoe", "shoe.link")))
    assert config.journal.path == str(tmp_path / "journal.db")
    assert config.devices[0]["port"] == str(tmp_path / "shoe.link")
