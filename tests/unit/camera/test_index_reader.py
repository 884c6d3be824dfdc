"""The printed index: what a corner of a card shows, or why it shows nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.index.network import ModelError, Network
from drivers.camera.index.reader import IndexReader
from drivers.camera.index.templates import read_stored
from drivers.camera.sight import Corner, Frame, Image, IndexLook, Region

PICTURES = Path(__file__).parents[2] / "data" / "camera" / "index"
_OTHERS = {"9": "6", "6": "9"}


@cache
def reader() -> IndexReader:
    return IndexReader()


def picture(name: str) -> Image:
    image = cv2.imread(str(PICTURES / name))
    assert image is not None
    return np.asarray(image, dtype=np.uint8)


def corner_of(entry: dict[str, Any]) -> Corner:
    at, x, y = (tuple(entry[name]) for name in ("at", "x_axis", "y_axis"))
    return Corner(at, x, y, 100.0, 100.0)


def entries(shown: bool) -> list[tuple[str, dict[str, Any]]]:
    """File and corner of each corner that shows an index, or of each that shows none."""
    truth = json.loads((PICTURES / "truth.json").read_text())
    return [
        (each["file"], corner)
        for each in truth
        for corner in each["corners"]
        if bool(corner["face"]) == shown
    ]


def look(image: Image, entry: dict[str, Any], px_per_mm: float | None = None) -> IndexLook:
    scale = entry["px_per_mm"] if px_per_mm is None else px_per_mm
    return reader().look_at(Frame(0, image), corner_of(entry), scale)


def faces(change: Any) -> list[tuple[str, str | None]]:
    """What stands there and what was read, of every index, after a change to its picture."""
    return [
        (entry["face"], look(change(picture(name), entry), entry).face)
        for name, entry in entries(shown=True)
    ]


def block(entry: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The four corners of the index in the picture, as the reader found it."""
    name = next(name for name, each in entries(shown=True) if each is entry or each == entry)
    quad = look(picture(name), entry).quad
    assert quad is not None
    return quad


def test_most_indices_are_read_and_none_wrongly() -> None:
    read = faces(lambda image, entry: image)
    assert all(face in (None, right) for right, face in read)
    assert sum(face is not None for _, face in read) >= 0.75 * len(read)


def test_a_corner_without_an_index_shows_none() -> None:
    looks = [look(picture(name), entry) for name, entry in entries(shown=False)]
    assert looks
    assert all(look.face is None and look.why for look in looks)


@pytest.mark.parametrize("off", [0.75, 0.87, 1.15, 1.3])
def test_the_scale_may_be_off_by_a_quarter(off: float) -> None:
    looks = [
        (entry["face"], look(picture(name), entry, entry["px_per_mm"] * off).face)
        for name, entry in entries(shown=True)
    ]
    assert all(face in (None, right) for right, face in looks)
    assert sum(face is not None for _, face in looks) >= 0.5 * len(looks)


@pytest.mark.parametrize("off", [(1.5, 1.5), (-1.5, 1.0), (1.0, -1.5), (-1.5, -1.5)])
def test_a_corner_may_be_found_a_little_off(off: tuple[float, float]) -> None:
    """By a millimetre and a half, into the card or out of it."""
    looks = []
    for name, entry in entries(shown=True):
        at = [at + way * entry["px_per_mm"] for at, way in zip(entry["at"], off, strict=True)]
        looks.append((entry["face"], look(picture(name), entry | {"at": at}).face))
    assert all(face in (None, right) for right, face in looks)
    assert sum(face is not None for _, face in looks) >= 0.6 * len(looks)


def test_a_card_whose_scale_nobody_knows_is_read_all_the_same() -> None:
    looks = [
        (entry["face"], reader().look_at(Frame(0, picture(name)), corner_of(entry), None).face)
        for name, entry in entries(shown=True)
    ]
    assert all(face in (None, right) for right, face in looks)
    assert sum(face is not None for _, face in looks) >= 0.6 * len(looks)


def test_a_picture_without_colour_is_read_by_shape_alone() -> None:
    def grey(image: Image, entry: dict[str, Any]) -> Image:
        light = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        return np.stack([light] * 3, axis=2)

    read = faces(grey)
    assert all(face in (None, right) for right, face in read)
    assert sum(face is not None for _, face in read) >= 0.5 * len(read)


@pytest.mark.parametrize("gains", [(0.75, 0.95, 1.1), (1.1, 0.95, 0.7), (0.5, 0.5, 0.5)])
def test_the_colour_of_the_light_does_not_matter(gains: tuple[float, float, float]) -> None:
    def tinted(image: Image, entry: dict[str, Any]) -> Image:
        return np.asarray(np.clip(image * np.array(gains), 0, 255), dtype=np.uint8)

    read = faces(tinted)
    assert all(face in (None, right) for right, face in read)
    assert sum(face is not None for _, face in read) >= 0.5 * len(read)


def test_ink_of_the_wrong_colour_is_no_card() -> None:
    """Black hearts and red spades are on no card, whatever their shape."""

    def swapped(image: Image, entry: dict[str, Any]) -> Image:
        if entry["face"][1] in "HD":
            dark = image.copy()
            dark[..., 2] = np.minimum(image[..., 2], image[..., 1])
            return dark
        red = image.copy()
        # Paper and table stay as they were; black turns red.
        ink = image.max(axis=2) < 90
        red[..., 2] = np.where(ink, 200, image[..., 2])
        return red

    assert [face for _, face in faces(swapped) if face] == []


@pytest.mark.parametrize("colour", [(235, 240, 245), (110, 140, 190), (30, 30, 30)])
@pytest.mark.parametrize("side", ["right", "left", "low"])
def test_an_index_half_covered_is_not_read(colour: tuple[int, int, int], side: str) -> None:
    """By another card, a finger, a cut card: over half of the rank, or over the suit."""

    def covered(image: Image, entry: dict[str, Any]) -> Image:
        quad = block(entry)
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        start = {"right": 0.5 * right, "left": -1.0 * right, "low": 0.78 * down - right}[side]
        across = {"right": 2.0, "left": 1.5, "low": 4.0}[side] * right
        origin = quad[0] + start - (0 if side == "low" else 0.2) * down
        corners = [origin, origin + across, origin + across + 2 * down, origin + 2 * down]
        shown = image.copy()
        cv2.fillPoly(shown, [np.array(corners, np.int32)], colour, cv2.LINE_AA)
        return shown

    assert [face for _, face in faces(covered) if face] == []


def test_an_index_upside_down_is_not_read_as_another() -> None:
    """A 6 and a 9 are each other's other way up; a corner never is."""

    def turned(image: Image, entry: dict[str, Any]) -> Image:
        source = block(entry).astype(np.float32)
        target = np.roll(source, 2, axis=0)
        matrix = cv2.getPerspectiveTransform(source, target)
        other = cv2.warpPerspective(image, matrix, (image.shape[1], image.shape[0]))
        mask = np.zeros(image.shape[:2], np.uint8)
        middle = source.mean(axis=0)
        cv2.fillPoly(mask, [(middle + (source - middle) * 1.12).astype(np.int32)], 255)
        return np.where(mask[..., None] > 0, other, image)

    assert [face for _, face in faces(turned) if face] == []


def test_an_index_cut_off_by_the_pictures_edge_is_not_read() -> None:
    def cut(image: Image, entry: dict[str, Any]) -> Image:
        quad = block(entry)
        low, high = quad.min(axis=0), quad.max(axis=0)
        end = int(low[0] + 0.6 * (high[0] - low[0]))
        return image[:, :end].copy()

    assert [face for _, face in faces(cut) if face] == []


def test_nothing_is_read_in_the_dark_or_in_glare() -> None:
    for grey in (0, 12, 255):
        image = np.full((480, 640, 3), grey, dtype=np.uint8)
        corner = Corner((100.0, 100.0), (1.0, 0.0), (0.0, 1.0), 100.0, 100.0)
        assert reader().look_at(Frame(0, image), corner, 9.0) == IndexLook(corner, None, "no_index")


def test_nothing_is_read_in_noise() -> None:
    rng = np.random.default_rng(5)
    corner = Corner((60.0, 60.0), (1.0, 0.0), (0.0, 1.0), 100.0, 100.0)
    for size in (4, 12, 30):
        for _ in range(10):
            grain = rng.integers(0, 256, (480 // size, 640 // size, 3), dtype=np.uint8)
            image = np.asarray(cv2.resize(grain, (640, 480)), dtype=np.uint8)
            assert reader().look_at(Frame(0, image), corner, 9.0).face is None


def test_there_is_one_look_for_each_corner_of_a_card_and_none_elsewhere() -> None:
    name, entry = entries(shown=True)[0]
    frame = Frame(0, picture(name))
    outline = np.zeros((4, 2), dtype=np.float32)
    corners = (corner_of(entry), corner_of(entry))
    card = Region("card", outline, corners, frozenset(), entry["px_per_mm"])
    assert [look.corner for look in reader().look(frame, card)] == list(corners)
    finger = Region("other", outline, corners, frozenset(), entry["px_per_mm"])
    assert reader().look(frame, finger) == ()


def test_a_scale_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="px_per_mm"):
        IndexReader(px_per_mm=0.0)


def test_a_file_that_is_no_network_is_named(tmp_path: Path) -> None:
    path = tmp_path / "index.onnx"
    path.write_bytes(b"no network")
    for wrong in (path, tmp_path / "missing.onnx"):
        with pytest.raises(ModelError, match=wrong.name):
            Network(wrong)


def test_a_file_that_holds_no_templates_is_named(tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    path.write_bytes(b"no templates")
    for wrong in (path, tmp_path / "missing.npz"):
        with pytest.raises(ModelError, match=wrong.name):
            read_stored(wrong)
