"""A USB camera as the technician's tools see it: settings that drift, values to write, JPEGs."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.camera.looking import Holding, Pictures
from drivers.camera.sources.base import Shot
from tests.unit.camera.test_v4l2 import Driver, camera, jpeg, node, raw

_ = node


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("AUTO_EXPOSURE", 3.0, "manual exposure"),
        ("EXPOSURE", 157.0, "exposure_us 300"),
        ("GAIN", 0.0, "gain 20"),
        ("WB_TEMPERATURE", 2800.0, "white_balance 4600"),
        ("AUTOFOCUS", 1.0, "autofocus off"),
        ("FOCUS", 0.0, "focus 30"),
    ],
)
@pytest.mark.parametrize("stubborn", [False, True])
def test_a_setting_that_was_taken_and_drifts_is_named(
    node: Path, name: str, value: float, what: str, *, stubborn: bool
) -> None:
    """By the thread that reads, while the camera is looked at."""
    driver = Driver(stubborn=stubborn)
    one = camera(node, driver, gain=20, white_balance=4600, focus=30)
    assert isinstance(one, Holding)
    assert one.drifted() == {}
    driver.values[name] = value
    driver.pictures = [raw(jpeg())]
    pictures = Pictures(one, 30.0, lambda: 0.0)
    next(pictures.until(lambda: False))
    assert pictures.drifted == f"{what}: it has {value:g} now"


def test_what_a_camera_has_is_told_by_the_names_of_the_file(node: Path) -> None:
    """What it has not is left out."""
    one = camera(node, Driver(refuses=("FOCUS",)), gain=20)
    assert one.values() == {"exposure_us": 300, "gain": 20}


def test_a_jpeg_goes_along_with_its_picture_as_it_was_sent(node: Path) -> None:
    driver = Driver()
    one = camera(node, driver)
    driver.pictures = [raw(jpeg())]
    shot = one.read()
    assert isinstance(shot, Shot)
    assert shot.jpeg == jpeg()
