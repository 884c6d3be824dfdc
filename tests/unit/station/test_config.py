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
    built = msgspec.to_builtins(msgspec.convert({"table": {"id": "T01"}}, Config))
    default = msgspec.json.decode(msgspec.json.encode(built))
    for section in sections:
        assert stated[section] == default[section], section


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('[table]\nid = "T01"\nkidn = "test"\n', "$.table", "kidn"),
        (MINIMAL + "[rules]\nbet_step = 3\n", "$.rules", "even"),
        (MINIMAL + "[rules]\nbetting_seconds = 0\n", "$.rules.betting_seconds", "write 1 at least"),
        (MINIMAL + '[rules]\ndealer_draw = "sometimes"\n', "$.rules.dealer_draw", "sometimes"),
        (MINIMAL + "[clock]\nscale = 2.0\n", "$.clock.scale", "live"),
        ("[table]\n", "$.table", "id"),
        ("[table\n", "", "TOML"),
        ('[table]\nid = "a b"\n', "$.table.id", "letters, digits, - and _"),
        (MINIMAL + '[shoe]\ncheck = "off"\n', "$.shoe.check", "test table"),
        (MINIMAL + "[shoe]\ntwo_people = false\n", "$.shoe.two_people", "test table"),
        (MINIMAL + '[shoe]\nsets = [{letter = "AB"}]\n', "$.shoe.sets", "one letter"),
        (MINIMAL + '[shoe]\nsets = [{letter = "A"}, {letter = "A"}]\n', "$.shoe.sets", "twice"),
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


CAMERA = MINIMAL.replace('"T01"', '"T01"\nkind = "test"') + (
    '[[devices]]\nname = "shoe"\nkind = "camera"\nport = "/dev/v4l/by-id/x"\n'
)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('read = "index"', '.read: a list is wanted, not a text; write read = ["index"]'),
        ('read = "both"', '.read: a list is wanted, not a text; write read = ["barcode", "index"]'),
        ('read = ["barcod"]', ".read[0]: 'barcod' is none of its values; write barcode, index"),
        ('size = "640x480"', ".size: a list is wanted, not a text; write size = [640, 480]"),
        ("size = 640", ".size: a list is wanted, not a whole number; write size = [1280, 720]"),
        ("size = [640]", ".size: a list of 2 is wanted, not of 1; write size = [1280, 720]"),
        ('window = "all"', "; write window = [x, y, width, height]"),
        ("window = [0, 0, 9]", "not of 3; write window = [x, y, width, height]"),
        ("alone = 1", ".alone: true or false is wanted, not a whole number; write true or false"),
        ('alone = "no"', "not a text; write true or false without quotation marks"),
        ("fps = 60.5", ".fps: a whole number is wanted, not a fraction; write it without"),
        ("fps = 1000", ".fps: too large; write 240 at most"),
        ("fps = 1", ".fps: too small; write 5 at least"),
        ("fps = true", "not true or false; write a number, such as fps = 60"),
        ('px_per_mm = "9"', ".px_per_mm: a number is wanted, not a text; write the number without"),
        ("deck = 3", 'a text is wanted, not a whole number; write it in quotation marks, deck = "'),
        ("expsoure_us = 300", "no setting expsoure_us, the nearest is exposure_us; known are name"),
        ("exposure_us = 350", "exposure_us 350: cameras take steps of 100; write 300 or 400"),
        ("wholly_else = 1", ": there is no setting wholly_else; known are name"),
        ('cut_colour = "pink"', "'pink' is none of its values; write any, red, orange"),
    ],
)
def test_a_setting_of_no_use_says_in_plain_words_what_to_write(
    tmp_path: Path, line: str, says: str
) -> None:
    config = load_config(written(tmp_path, CAMERA + line + "\n"))
    with pytest.raises(ConfigError) as caught:
        devices(config)
    message = str(caught.value)
    assert says in message
    assert message.endswith("(device 'shoe')")
    assert "`" not in message
    assert "evidence_dir" not in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[table]\n", "$.table: id is missing; write it"),
        ("table = 3\n", "write a section of its own, which begins with [table]"),
        (MINIMAL + "[ruls]\nseats = 7\n", "no setting ruls, the nearest is rules; known are"),
        (MINIMAL + 'currency = "DOUBLOONS"\n', "the text has to be of at most 8 characters"),
    ],
)
def test_a_section_of_no_use_says_in_plain_words_what_to_write(
    tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text))
    assert says in str(caught.value)


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


@pytest.mark.parametrize(
    ("port", "says"),
    [
        ("file:{}/none", "is not there; mend the path of the film or folder"),
        ("file:{}/empty", "holds no pictures; put some in, or mend the path"),
        ("file:{}/text", "is named neither as a picture nor as a film; mend the path"),
        ("virtual:{}/none.sock", "is not there; has its simulator been started?"),
        ("virtual:{}/text", "is no simulator's socket; mend the path"),
        ("/dev/v4l/by-id/none", "does not exist; is it plugged in and switched on?"),
        ("/dev/null", "is no device that camera is read from; mend the name"),
        ("file:{}/film.mp4", ""),
        ("file:{}/pictures", ""),
    ],
)
def test_a_port_from_which_nothing_can_come_is_warned_of(
    tmp_path: Path, port: str, says: str
) -> None:
    for folder in ("empty", "pictures"):
        (tmp_path / folder).mkdir()
    for name in ("text", "film.mp4", "pictures/a.jpg"):
        (tmp_path / name).touch()
    port = port.replace("{}", str(tmp_path))
    config = load_config(written(tmp_path, CAMERA.replace("/dev/v4l/by-id/x", port)))
    assert warnings(config, devices(config)) == ([f"device shoe: {port} {says}"] if says else [])


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


def test_a_live_table_asks_for_checked_shoes_and_two_people_a_test_table_where_it_says_so(
    tmp_path: Path,
) -> None:
    def rules(text: str) -> tuple[str, bool]:
        config = load_config(written(tmp_path, text))
        found = config.shoe.rules(config.table.kind)
        return found.check, found.two_people

    test = MINIMAL + 'kind = "test"\n'
    assert rules(MINIMAL) == ("required", True)
    assert rules(test) == ("off", False)
    assert rules(test + '[shoe]\ncheck = "required"\ntwo_people = true\n') == ("required", True)


@pytest.mark.parametrize(
    ("locks", "where"),
    [
        ('self_check = "off"', "$.locks.self_check"),
        ("disk_megabytes = 49", "$.locks.disk_megabytes"),
    ],
)
def test_a_live_table_switches_off_neither_its_self_check_nor_its_room(
    tmp_path: Path, locks: str, where: str
) -> None:
    text = f"{MINIMAL}[locks]\n{locks}\n"
    with pytest.raises(ConfigError, match=re.escape(where)):
        load_config(written(tmp_path, text))
    test_table = text.replace('"T01"', '"T01"\nkind = "test"')
    load_config(written(tmp_path, test_table))


def test_a_manifest_is_meant_beside_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, f'{MINIMAL}[locks]\nself_check_manifest = "m.json"\n')
    assert load_config(file).locks.self_check_manifest == str(tmp_path / "m.json")
