"""A table's file: every setting is documented with its true default, every mistake is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from drivers.kinds.textline import TextLineSpec
from station.cli_check import devices, socket_fault, warnings
from station.config import Config, ConfigError, load_config
from station.device_specs import device_specs

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
    assert set(device) == set(TextLineSpec.__struct_fields__)
    assert msgspec.convert(device, TextLineSpec) == TextLineSpec(name="shoe", port=device["port"])
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
        ('card = "{set}{rank}{suit}{check}"', "$.devices[0]", "{deck}"),
        ('card = "{rank}{suit}{deck}"', "$.devices[0]", "allow_unchecked_codes"),
        ('suffix = "x"', "$.devices[0].suffix", "x"),
        ('usb = "0C2E:0B61"', "$.devices[0]", "lower-case"),
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


def test_a_cameras_pictures_go_nowhere_but_beside_the_journal(tmp_path: Path) -> None:
    """Elsewhere nobody would look after them, or close the folder to others."""
    camera = (
        '[[devices]]\nname = "cam"\nkind = "camera"\n'
        'port = "/dev/v4l/by-id/usb-cam-video-index0"\nevidence_dir = "/srv/pictures"\n'
    )
    config = load_config(written(tmp_path, MINIMAL + camera))
    with pytest.raises(ConfigError, match=r"\[0\]\.evidence_dir: .*beside the journal"):
        device_specs(config)


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
    assert not device_specs(config)[0].checked


def test_relative_paths_are_meant_beside_the_file(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, MINIMAL + DEVICE.replace("/dev/shoe", "shoe.link")))
    assert config.journal.path == str(tmp_path / "journal.db")
    assert config.devices[0]["port"] == str(tmp_path / "shoe.link")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MINIMAL + "[jounral]\npath = 'x'\n", "known are table, clock, journal"),
        (MINIMAL + "[link]\nsokcet = 'x'\n", "known are socket"),
        (MINIMAL + '[rules]\ndealer_draw = "x"\n', "write always, until_decided"),
        ('[table]\nid = "T01"\nkind = "x"\n', "write live, test"),
        (MINIMAL + '[rules]\nseats = "7"\n', "write the number without quotation marks"),
        (MINIMAL + '[devices]\nname = "shoe"\n', "write [[devices]]"),
    ],
)
def test_a_mistake_names_what_could_be_written(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text))
    assert f"; {says}" in str(caught.value)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"copy table\.example\.toml, or give --config"):
        load_config(tmp_path / "table.toml")


def test_what_is_not_there_yet_is_warned_of(tmp_path: Path) -> None:
    text = MINIMAL + DEVICE.replace("/dev/shoe", "/dev/by-id/YOUR_SHOE")
    text += DEVICE.replace("/dev/shoe", "gone").replace('"shoe"', '"scanner"')
    config = load_config(written(tmp_path, text))
    example, gone, staff = warnings(config, device_specs(config))
    assert "the example's" in example
    assert f"{tmp_path / 'gone'} does not exist" in gone
    assert "staff add" in staff
    (tmp_path / "gone").touch()
    (tmp_path / "staff.json").touch()
    assert warnings(config, device_specs(config)) == [example]


def test_a_devices_name_says_what_it_is_made_of(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, MINIMAL + DEVICE.replace('"shoe"', '"My shoe"')))
    with pytest.raises(ConfigError, match="small letters, digits"):
        devices(config)


def test_a_table_without_a_reader_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "staff.json").touch()
    config = load_config(written(tmp_path, MINIMAL))
    assert "none can be dealt" in warnings(config, device_specs(config))[0]
    board = DEVICE + 'kind = "board"\nrole = "board"\n'
    config = load_config(written(tmp_path, MINIMAL + board))
    assert "none can be dealt" in warnings(config, device_specs(config))[0]


@pytest.mark.parametrize(
    ("kind", "port", "says"),
    [
        ("keyboard", "/dev/serial/by-id/x", "a serial port; keyboard is not read from one"),
        ("zebra-ssi", "/dev/input/by-id/x", "input; zebra-ssi is not read"),
        ("hid-pos", "/dev/input/by-id/x", "input; hid-pos is not read"),
        ("keyboard", "/dev/input/by-id/x", ""),
        ("gm65", "/dev/serial/by-path/x", ""),
    ],
)
def test_a_port_of_another_sort_is_warned_of(
    tmp_path: Path, kind: str, port: str, says: str
) -> None:
    text = MINIMAL + DEVICE.replace("/dev/shoe", port) + f'kind = "{kind}"\n'
    config = load_config(written(tmp_path, text))
    found = [one for one in warnings(config, device_specs(config)) if "is not read from" in one]
    assert len(found) == bool(says)
    assert says in "".join(found)


@pytest.mark.parametrize(("size", "fits"), [(107, True), (108, False)])
def test_a_sockets_path_has_107_bytes_at_most(tmp_path: Path, size: int, fits: bool) -> None:
    path = "/" + "x" * (size - 1)
    config = load_config(written(tmp_path, MINIMAL + f'[link]\nsocket = "{path}"\n'))
    assert (socket_fault(config) == "") is fits
