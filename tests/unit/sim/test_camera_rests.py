"""A card that rests in a camera's window until somebody draws it on, and one with a wrong code."""

from __future__ import annotations

from typing import Any

import numpy as np
import zxingcpp

from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.stream import HEADER
from hw_sim.codes import VirtualCard, is_valid
from hw_sim.models.camera import Camera

KING = VirtualCard("KH", 3, "A")


def running(**options: Any) -> Camera:
    camera = Camera(fps=10, warm_up_ms=0, **options)
    camera.start(0)
    return camera


def frame(camera: Camera, now_ms: int) -> tuple[int, Image]:
    """The number of the frame of that moment, and the picture; all before it were taken too."""
    while (camera.wake_at_ms or 0) < now_ms:
        camera.tick(camera.wake_at_ms or 0)
    (piece,) = camera.tick(now_ms)
    number = HEADER.unpack_from(piece.data)[4]
    data = np.frombuffer(piece.data[HEADER.size :], np.uint8)
    return number, np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def difference(one: Image, other: Image) -> float:
    """Of what is seen, not of the sensor's noise: grey levels."""
    small = [cv2.resize(image, (32, 24), interpolation=cv2.INTER_AREA) for image in (one, other)]
    return float(np.abs(small[0].astype(int) - small[1].astype(int)).mean())


def test_a_card_rests_until_it_is_drawn_on() -> None:
    camera = running()
    camera.card(KING, 0, "rests", {"percent": 50, "ms": 60_000})
    frame(camera, 0)
    _, early = frame(camera, 2000)
    _, late = frame(camera, 9000)
    assert camera.state()["window"] == "rests"
    assert difference(early, late) < 3
    camera.do("draw_on", {}, 9050)
    _, leaving = frame(camera, 9200)
    assert camera.state()["window"] == "card"
    assert difference(late, leaving) > 10
    frame(camera, 11_000)
    assert camera.state()["window"] == "empty"


def test_a_card_that_rests_is_pushed_back() -> None:
    camera = running()
    camera.card(KING, 0, "rests", {"percent": 40, "ms": 60_000})
    _, begun = frame(camera, 0)
    _, there = frame(camera, 5000)
    camera.do("put_back", {}, 5050)
    _, going = frame(camera, 5100)
    assert 2 < difference(there, going) < difference(there, begun)
    _, empty = frame(camera, 8000)
    assert camera.state()["window"] == "empty"
    assert difference(empty, begun) < 3


def test_a_card_that_rests_lies_there_still_when_the_camera_is_plugged_in_again() -> None:
    camera = running()
    camera.card(KING, 0, "rests", {"percent": 50, "ms": 60_000})
    frame(camera, 0)
    _, before = frame(camera, 2000)
    camera.start(3000)
    _, after = frame(camera, 3100)
    assert camera.state()["window"] == "rests"
    assert difference(before, after) < 3


def test_a_card_on_its_way_is_gone_when_the_camera_is_plugged_in_again() -> None:
    camera = running()
    camera.card(KING, 0)
    frame(camera, 300)
    assert camera.state()["window"] == "card"
    camera.start(350)
    frame(camera, 450)
    assert camera.state()["window"] == "empty"


def test_the_count_of_the_pictures_leaps() -> None:
    camera = running()
    first, _ = frame(camera, 0)
    camera.do("count_leaps", {"by": 5000}, 50)
    second, _ = frame(camera, 100)
    assert second == first + 5001


def test_a_misprinted_card_bears_the_right_code_of_another_card() -> None:
    camera = running(code="code128")
    camera.card(KING, 0, "misprinted", {})
    frame(camera, 0)
    texts = set()
    for now_ms in range(100, 1000, 100):
        _, picture = frame(camera, now_ms)
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        texts |= {found.text for found in zxingcpp.read_barcodes(grey)}
    assert len(texts) == 1
    (text,) = texts
    assert is_valid(text)
    assert text[1:3] != "KH"
    assert text[0] == "A"


def test_troubles_that_bring_cards_of_no_shoe_are_asked_for() -> None:
    assert "two_behind" not in running().faults
    assert "two_behind" in running(strangers=True).faults


def test_a_card_that_is_shown_again_is_held_in_from_the_tables_side() -> None:
    camera, drawn = running(), running()
    drawn.card(KING, 0)
    camera.again(KING, 0)
    light: dict[str, list[tuple[float, float]]] = {"drawn": [], "again": []}
    for name, one in (("drawn", drawn), ("again", camera)):
        for now_ms in range(0, 3000, 100):
            _, picture = frame(one, now_ms)
            light[name].append((float(picture[:, :320].mean()), float(picture[:, 320:].mean())))
    first = {
        name: next(left < right for left, right in seen if abs(left - right) > 20)
        for name, seen in light.items()
    }
    assert first == {"drawn": False, "again": True}
    assert camera.state()["window"] == "empty"
