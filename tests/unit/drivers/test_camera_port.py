"""The camera's settings, what its program prints, and its node before a program starts."""

from __future__ import annotations

import errno
import struct
from pathlib import Path
from typing import Any

import msgspec
import pytest

from drivers.catalog import kind_of, spec_of
from drivers.kinds.camera import CameraSpec
from drivers.protocols import camera_lines as c
from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.child import Chatter, environment
from drivers.transports.places import Place
from drivers.transports.video import VideoNode

# --- settings -------------------------------------------------------------------------------


def entry(**settings: Any) -> CameraSpec:
    port = "/dev/v4l/by-id/usb-Acme-video-index0"
    spec = spec_of({"name": "shoe", "kind": "camera", "port": port, **settings})
    assert isinstance(spec, CameraSpec)
    return spec


def test_three_lines_are_a_camera() -> None:
    spec = entry()
    assert (spec.role, spec.read, spec.alone, spec.size) == (
        "shoe",
        ("barcode", "index"),
        True,
        (1280, 720),
    )
    assert (spec.apart, spec.checked, spec.virtual, spec.reads) == ("number", True, False, True)
    assert kind_of("camera").subsystem == "video4linux"


@pytest.mark.parametrize(
    ("settings", "apart", "checked"),
    [
        ({"read": ["barcode"]}, "code", True),
        ({"read": ["barcode"], "card": "{rank}{suit}", "cut_card": "CUT"}, "number", False),
        ({"read": ["index"]}, "number", True),
        ({"alone": False}, "code", True),
        ({"alone": False, "card": "{rank}{suit}", "cut_card": "CUT"}, "number", True),
        ({"card": "{rank}{suit}{deck}", "cut_card": "CUT"}, "number", False),
    ],
)
def test_by_what_two_cards_are_told_apart_and_a_misread_noticed(
    settings: dict[str, Any], apart: str, checked: bool
) -> None:
    spec = entry(**settings)
    assert (spec.apart, spec.checked) == (apart, checked)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"role": "board"}, 'role "board": a camera reads cards'),
        ({"port": "tcp://10.0.0.7:4001"}, "a camera is plugged into this machine"),
        ({"port": "file:film.mp4"}, "write the whole path, file:/path/to/film.mp4"),
        ({"port": "video0"}, "write the whole path"),
        ({"port": "file:/film.mp4", "usb": "1234:5678"}, "there is no USB hardware at file:"),
        ({"read": []}, 'read []: ["barcode"], ["index"], or both'),
        ({"read": ["index", "index"]}, "or both"),
        ({"read": ["eye"]}, "$.read[0]"),
        ({"read": ["index"], "alone": False}, "alone = false: it needs both witnesses"),
        ({"symbologies": []}, "symbologies []: what the cards bear"),
        ({"symbologies": ["i25"]}, "$.symbologies[0]"),
        ({"decoder": "pyzbar", "symbologies": ["datamatrix"]}, "it reads no Data Matrix"),
        ({"size": [100, 100]}, "size [100, 100]"),
        ({"window": [10, 10, 20, 20]}, "from 64 x 64"),
        ({"window": [1000, 0, 400, 400]}, "it reaches out of a picture of 1280 x 720"),
        ({"fps": 0}, "$.fps"),
        ({"fps": 9}, "least_fps 8: the table would never run at fps 9"),
        ({"least_fps": 49}, "least_fps 49: the table would never run at fps 60"),
        ({"exposure_us": -1}, "$.exposure_us"),
        ({"travel": "sideways"}, "$.travel"),
        ({"deck": "decks/mine"}, "deck 'decks/mine': write the whole path"),
        ({"evidence_dir": "pictures"}, "evidence_dir 'pictures'"),
        ({"cut_colour": "mauve"}, "$.cut_colour"),
        ({"silent_ms": 100}, "$.silent_ms"),
        ({"speed": 3}, "unknown field `speed`"),
    ],
)
def test_a_bad_setting_is_refused_by_name(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=r".") as refusal:
        entry(**settings)
    assert problem in str(refusal.value)


@pytest.mark.parametrize("port", ["virtual:/run/x.sock", "file:/films/a.mp4"])
def test_pictures_that_are_no_cameras_are_a_test_tables(port: str) -> None:
    assert entry(port=port).virtual


def test_the_settings_fit_into_a_line() -> None:
    raw = c.encode(c.Settings(spec=msgspec.to_builtins(entry(deck="/" + "d" * 4000))))
    line = c.down(raw)
    assert isinstance(line, c.Settings)
    assert spec_of(line.spec) == entry(deck="/" + "d" * 4000)


# --- what a library prints --------------------------------------------------------------------


def test_the_same_warning_again_and_again_is_one_line_and_a_count() -> None:
    said = Chatter()
    said.feed(b"Assertion failed\n" * 5000 + b"something else\n", 1.0)
    assert said.take() == ["Assertion failed", "something else (and 4999 lines before it)"]
    assert said.last == "something else"


def test_different_lines_are_told_a_few_a_second_and_cut() -> None:
    said, told = Chatter(), 0
    for second in range(100):
        for number in range(100):
            said.feed(b"%d %d " % (second, number) + b"x" * 5000 + b"\n", float(second))
        lines = said.take()
        told += len(lines)
        assert all(len(line) <= Chatter.LONGEST + 40 for line in lines)
    assert Chatter.BURST + 80 <= told <= Chatter.BURST + 100


def test_an_endless_line_is_not_kept() -> None:
    said = Chatter()
    for _ in range(1000):
        said.feed(b"\xff" * 10_000, 1.0)
    assert len(said._line) <= Chatter.LONGEST
    said.end()
    assert len(said.last) <= Chatter.LONGEST


def test_the_programs_environment_is_not_the_stations(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_PLUGIN_PATH", "PYTHONPATH", "DISPLAY", "DEALER_STATION_FAILPOINT"):
        monkeypatch.setenv(name, "x")
    assert set(environment()) <= {"PATH", "HOME", "TMPDIR", "SYSTEMROOT", "LANG", "OMP_NUM_THREADS"}
    assert environment()["LANG"] == "C.UTF-8"


# --- a camera's node --------------------------------------------------------------------------

CAPTURE, META = 0x8020_0001, 0x80A0_0000


def node(tmp_path: Path, asked: list[int], *, able: int = 0x1, fail: dict[int, int]) -> VideoNode:
    """A node whose driver answers as told: `fail` the request's number → its error."""
    path = tmp_path / "video0"
    path.touch()

    def ioctl(fd: int, request: int, data: bytes) -> bytes:
        asked.append(request & 0xFF)
        if number := fail.get(request & 0xFF):
            raise OSError(number, "told so")
        if request & 0xFF == 0:
            assert len(data) == 104
            return struct.pack(
                "16s32s32sIII12x", b"uvcvideo", b"Acme\0", b"usb", 0, 0x8000_0001, able
            )
        assert len(data) == 20
        return data

    return VideoNode(Place(str(path), "video4linux"), ioctl)


def test_a_free_camera_says_what_it_is(tmp_path: Path) -> None:
    asked: list[int] = []
    assert node(tmp_path, asked, fail={}).check() == f"{tmp_path}/video0 Acme"
    assert asked == [0, 8]


@pytest.mark.parametrize(
    ("fail", "kind", "words"),
    [
        ({8: errno.EBUSY}, TransportBusy, "another program has the camera"),
        ({0: errno.ENOTTY}, TransportMisconfigured, "it is no camera"),
        ({8: errno.EINVAL}, TransportMisconfigured, "no camera that gives pictures"),
        ({0: errno.ENODEV}, TransportMissing, "no camera is there"),
    ],
)
def test_what_is_wrong_with_a_camera_is_told_before_a_program_starts(
    tmp_path: Path, fail: dict[int, int], kind: type[TransportError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        node(tmp_path, [], fail=fail).check()


def test_a_cameras_second_node_is_told_from_its_first(tmp_path: Path) -> None:
    with pytest.raises(TransportMisconfigured, match="use the name that ends in video-index0"):
        node(tmp_path, [], able=0x0080_0000, fail={}).check()


def test_no_camera_and_no_right_to_it_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TransportMissing, match="check the cable"):
        VideoNode(Place(str(tmp_path / "none"), "video4linux")).check()

    def denied(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    there = node(tmp_path, [], fail={})
    with monkeypatch.context() as without_rights:
        without_rights.setattr("drivers.transports.video.os.open", denied)
        with pytest.raises(TransportDenied, match="add the user to the group"):
            there.check()
    with pytest.raises(TransportMisconfigured, match="it is no camera"):
        VideoNode(Place("/dev/null", "video4linux")).check()
