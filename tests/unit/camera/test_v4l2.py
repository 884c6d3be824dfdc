"""A USB camera as OpenCV gives it: the order of the settings, what is read back, what goes wrong.

There is no camera here: the driver is played, with its habits as they are known.
"""

from __future__ import annotations

import errno
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.sight import Image
from drivers.camera.sources.base import Shot, SourceError, Torn
from drivers.camera.sources.v4l2 import Camera
from drivers.catalog import spec_of
from drivers.kinds.camera import (
    EXIT_BUSY,
    EXIT_DENIED,
    EXIT_LOST,
    EXIT_MISCONFIGURED,
    EXIT_MISSING,
    CameraSpec,
)
from drivers.transports.places import Place

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
NAMES = {
    getattr(cv2, f"CAP_PROP_{name}"): name
    for name in (
        "FOURCC",
        "FRAME_WIDTH",
        "FRAME_HEIGHT",
        "FPS",
        "BUFFERSIZE",
        "CONVERT_RGB",
        "AUTO_EXPOSURE",
        "EXPOSURE",
        "GAIN",
        "AUTO_WB",
        "WB_TEMPERATURE",
        "AUTOFOCUS",
        "FOCUS",
        "POS_MSEC",
    )
}


def jpeg(seed: int = 1) -> bytes:
    image = np.random.default_rng(seed).integers(0, 255, (48, 64, 3), dtype=np.uint8)
    good, data = cv2.imencode(".jpg", image)
    assert good
    return bytes(data)


class Driver:
    """The camera behind OpenCV. `refuses`: what it does not take; `lies`: takes and does not do;
    `stubborn`: manual exposure is taken only after the automatic was set.
    """

    def __init__(
        self,
        *,
        refuses: tuple[str, ...] = (),
        lies: tuple[str, ...] = (),
        stubborn: bool = False,
        opens: bool = True,
    ) -> None:
        self.refuses, self.lies, self.stubborn, self.opens = refuses, lies, stubborn, opens
        self.asked: list[tuple[str, float]] = []
        self.values: dict[str, float] = {"AUTO_EXPOSURE": 3.0, "GAIN": 7.0, "FPS": 30.0}
        self.pictures: list[Image | None] = []
        self.released = False
        self.opened: tuple[str, int] | None = None

    def __call__(self, node: str, backend: int) -> Driver:
        self.opened = (node, backend)
        return self

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def set(self, prop: int, value: float) -> bool:
        name = NAMES[prop]
        before = [asked for asked in self.asked if asked[0] == name]
        self.asked.append((name, value))
        if name in self.refuses:
            return False
        if name in self.lies:
            return True
        if self.stubborn and name == "AUTO_EXPOSURE" and value == 1 and not before:
            return True
        if self.stubborn and name == "EXPOSURE" and self.values["AUTO_EXPOSURE"] != 1:
            return False
        self.values[name] = value
        return True

    def get(self, prop: int) -> float:
        return self.values.get(NAMES[prop], -1.0)

    def read(self) -> tuple[bool, Image | None]:
        picture = self.pictures.pop(0) if self.pictures else None
        return picture is not None, picture

    def release(self) -> None:
        self.released = True


@pytest.fixture
def node(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


def camera(node: Path, driver: Driver, **settings: Any) -> Camera:
    spec = spec_of({"name": "shoe", "kind": "camera", "port": str(node), **settings})
    assert isinstance(spec, CameraSpec)
    return Camera(spec, Place(str(node), "video4linux"), driver)


def raw(data: bytes) -> Image:
    return np.frombuffer(data, np.uint8).reshape(1, -1)


def test_format_first_then_both_sides_then_rate_then_a_short_queue(node: Path) -> None:
    driver = Driver()
    one = camera(node, driver, exposure_us=0)
    assert driver.opened == (str(node), cv2.CAP_V4L2)
    assert driver.asked == [
        ("FOURCC", MJPG),
        ("FRAME_WIDTH", 1280),
        ("FRAME_HEIGHT", 720),
        ("FPS", 60),
        ("BUFFERSIZE", 3),
        ("CONVERT_RGB", 0),
    ]
    assert one.refused == ""
    assert "1280 x 720, 60 a second, MJPG" in one.what


def test_what_is_to_stay_fixed_is_set_after_its_automatic_is_off(node: Path) -> None:
    driver = Driver()
    one = camera(node, driver, exposure_us=300, gain=20, white_balance=4600, focus=30)
    assert driver.asked[6:] == [
        ("AUTO_EXPOSURE", 1),
        ("EXPOSURE", 3),
        ("GAIN", 20),
        ("AUTO_WB", 0),
        ("WB_TEMPERATURE", 4600),
        ("AUTOFOCUS", 0),
        ("FOCUS", 30),
    ]
    assert one.refused == ""


def test_a_camera_that_wants_the_automatic_first_gets_it(node: Path) -> None:
    driver = Driver(stubborn=True)
    one = camera(node, driver)
    exposures = [asked for asked in driver.asked if "EXPOSURE" in asked[0]]
    assert exposures == [
        ("AUTO_EXPOSURE", 1),
        ("EXPOSURE", 3),
        ("AUTO_EXPOSURE", 3),
        ("AUTO_EXPOSURE", 1),
        ("EXPOSURE", 3),
    ]
    assert one.refused == ""


@pytest.mark.parametrize("how", ["refuses", "lies"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("FOURCC", "format MJPG"),
        ("FRAME_WIDTH", "size 1280 x 720"),
        ("FPS", "60 pictures a second"),
        ("EXPOSURE", "exposure_us 300"),
        ("AUTO_EXPOSURE", "manual exposure"),
        ("GAIN", "gain 20"),
        ("AUTO_WB", "automatic white balance off"),
        ("WB_TEMPERATURE", "white_balance 4600"),
        ("AUTOFOCUS", "autofocus off"),
        ("FOCUS", "focus 30"),
    ],
)
def test_every_setting_it_does_not_hold_is_named_also_when_it_said_yes(
    node: Path, how: str, name: str, said: str
) -> None:
    driver = Driver(refuses=(name,)) if how == "refuses" else Driver(lies=(name,))
    one = camera(node, driver, gain=20, white_balance=4600, focus=30)
    assert said in one.refused


def test_settings_the_file_leaves_out_are_not_touched(node: Path) -> None:
    driver = Driver(refuses=("GAIN", "FOCUS", "WB_TEMPERATURE"))
    one = camera(node, driver)
    assert one.refused == ""
    assert not {"GAIN", "FOCUS", "AUTOFOCUS", "AUTO_WB"} & {name for name, _ in driver.asked}


# --- pictures -------------------------------------------------------------------------------


def test_jpegs_are_decoded_here_so_that_torn_ones_are_noticed(node: Path) -> None:
    driver = Driver()
    one = camera(node, driver)
    data = jpeg()
    driver.pictures = [raw(data), raw(data[:900]), raw(data[:900] + b"\xff\xd9"), raw(data)]
    assert [type(one.read()) for _ in range(4)] == [Shot, Torn, Torn, Shot]


def test_a_camera_that_decodes_itself_gives_pictures_as_they_are(node: Path) -> None:
    driver = Driver(refuses=("CONVERT_RGB",))
    one = camera(node, driver)
    driver.pictures = [np.zeros((48, 64, 3), np.uint8), np.zeros((48, 64), np.uint8)]
    for _ in range(2):
        shot = one.read()
        assert isinstance(shot, Shot)
        assert shot.frame.image.shape == (48, 64, 3)


def test_the_drivers_time_stamp_is_the_pictures_time_where_it_is_of_our_clock(node: Path) -> None:
    driver = Driver()
    one = camera(node, driver)
    now_ms = time.monotonic_ns() / 1e6
    for stamp_ms, ours in ((now_ms - 30, True), (5.0, False), (now_ms + 1e7, False), (0.0, False)):
        driver.values["POS_MSEC"] = stamp_ms
        driver.pictures = [raw(jpeg())]
        shot = one.read()
        assert isinstance(shot, Shot)
        assert (abs(shot.frame.at_ns / 1e6 - stamp_ms) < 1) == ours
        assert shot.stamp == (stamp_ms or None)


def test_no_picture_is_none_then_the_camera_is_opened_anew(node: Path) -> None:
    one = camera(node, Driver())
    assert [one.read() for _ in range(9)] == [None] * 9
    with pytest.raises(SourceError, match="opened anew") as lost:
        one.read()
    assert lost.value.status == EXIT_LOST


def test_a_camera_whose_name_is_gone_is_unplugged(node: Path) -> None:
    one = camera(node, Driver())
    node.unlink()
    with pytest.raises(SourceError, match="unplugged") as lost:
        one.read()
    assert lost.value.status == EXIT_LOST


# --- opening --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (errno.EACCES, EXIT_DENIED),
        (errno.EPERM, EXIT_DENIED),
        (errno.EBUSY, EXIT_BUSY),
        (errno.ENODEV, EXIT_MISSING),
        (errno.ENOENT, EXIT_MISSING),
    ],
)
def test_why_a_camera_cannot_be_opened_is_told_apart(
    node: Path, monkeypatch: pytest.MonkeyPatch, number: int, status: int
) -> None:
    def refused(*_: object, **__: object) -> int:
        raise OSError(number, "told so")

    driver = Driver()
    with monkeypatch.context() as bad:
        bad.setattr("drivers.camera.sources.v4l2.os.open", refused)
        with pytest.raises(SourceError) as wrong:
            camera(node, driver)
    assert wrong.value.status == status
    assert driver.opened is None, "OpenCV is not even asked"


def test_a_camera_that_opencv_cannot_open_is_busy_and_let_go(node: Path) -> None:
    driver = Driver(opens=False)
    with pytest.raises(SourceError, match="another program may have it") as busy:
        camera(node, driver)
    assert (busy.value.status, driver.released) == (EXIT_BUSY, True)


def test_another_camera_than_the_pinned_one_is_not_opened(node: Path) -> None:
    spec = spec_of({"name": "shoe", "kind": "camera", "port": str(node), "usb": "1234:5678"})
    assert isinstance(spec, CameraSpec)
    driver = Driver()
    with pytest.raises(SourceError) as wrong:
        Camera(spec, None, driver)
    assert (wrong.value.status, driver.opened) == (EXIT_MISCONFIGURED, None)
