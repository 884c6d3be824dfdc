"""Rendered sequences: equal for equal seeds, and where and what their truth says."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zxingcpp
from typer.testing import CliRunner

from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.design import DESIGNS
from hw_sim.camera.motion import Track, part_of, slide
from hw_sim.camera.optics import Optics, quad_of, rolling
from hw_sim.camera.scene import Camera, Light, Look, Sensor, Thing
from hw_sim.camera.sequences import Sequence, Wish, sequences
from hw_sim.camera.stock import Print, Stock
from hw_sim.cli import app

CLEAR = Wish(level="clear", follows=0.0)
STILL = Look(sensor=Sensor(readout_s=0.0, read=0.5, shot=0.0, defocus=0.4))


def made(count: int = 1, seed: int = 3, **wish: Any) -> list[Sequence]:
    given = {"level": "clear", "follows": 0.0, **wish}
    return list(sequences(seed, Wish(**given), count))


def thing(look: Look, gone: float, speed: float = 0.0, degrees: float = 0.0) -> Thing:
    texture = Stock(9.0).texture(Print("card", DESIGNS["standard"], "KH"))
    track = Track("x", 1, 20.0)
    return Thing(texture, track.pose(look.optics, gone, degrees), track.speed(speed))


def light_at(image: Image, points: np.ndarray) -> list[float]:
    """The grey around points that are well inside the frame."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    high, wide = grey.shape
    near = [(int(x), int(y)) for x, y in points if 4 < x < wide - 4 and 4 < y < high - 4]
    return [float(grey[y - 2 : y + 3, x - 2 : x + 3].mean()) for x, y in near]


# --- equal and different ----------------------------------------------------------------------


def test_the_same_seed_gives_the_same_frames_and_truth() -> None:
    for one, two in zip(made(3, code="any"), made(3, code="any"), strict=True):
        assert one.truth == two.truth
        assert all((a.image == b.image).all() for a, b in zip(one.frames, two.frames, strict=True))


def test_another_seed_or_number_gives_others() -> None:
    first, second = made(2)
    assert first.truth["frames"] != second.truth["frames"]
    assert made(1, seed=4)[0].truth["frames"] != first.truth["frames"]


def test_a_camera_never_takes_the_same_frame_twice() -> None:
    camera = Camera(Look())
    frames = [camera.frame(())[0] for _ in range(5)]
    assert all((a != b).any() for a, b in itertools.pairwise(frames))


# --- where things are -------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("mount", [0, 90, 180, 270])
def test_the_quad_of_the_truth_is_the_edge_of_the_paper(mount: int, axis: str) -> None:
    checked = 0
    for one in made(3, seed=mount, mount=mount, axis=axis):
        for frame in one.frames:
            for card in frame.truth["cards"]:
                checked += edge_is_where(frame.image, np.array(card["quad"]), card["blur_px"])
    assert checked > 40


def edge_is_where(image: Image, quad: Any, blur: float) -> int:
    """Along each side: paper just inside, dark just outside."""
    middle, count = quad.mean(axis=0), 0
    for k in range(4):
        a, b = quad[k], quad[(k + 1) % 4]
        # Away from the rounded corners.
        spots = np.array([a + (b - a) * share for share in (0.25, 0.4, 0.6, 0.75)])
        across = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a))
        across *= np.sign(across @ (spots[0] - middle))
        off = 4.0 + blur / 2
        inside, outside = (
            light_at(image, spots - across * off),
            light_at(image, spots + across * off),
        )
        assert all(grey > 140 for grey in inside), (k, inside)
        assert all(grey < 110 for grey in outside), (k, outside)
        count += len(inside) + len(outside)
    return count


def test_the_boxes_of_the_index_hold_its_ink_and_the_margin_none() -> None:
    seen = 0
    for one in made(6, design="standard", axis="x", frames=12):
        for frame in one.frames[::3]:
            for card in frame.truth["cards"]:
                for name in ("rank", "suit", "rank_br", "suit_br"):
                    if card[name]["visible"] < 1:
                        continue
                    assert ink(frame.image, card[name]["quad"]) > 0.12, (one.number, frame.k, name)
                    seen += 1
                top = card["H"]
                strip = quad_of(np.array(top), (6.0, 0.8, 20.0, 1.4))
                if ((strip > 3) & (strip < (637, 477))).all():
                    assert ink(frame.image, strip) < 0.02
    assert seen > 12


def ink(image: Image, quad: Any) -> float:
    """The share of a quad that is clearly darker than the paper, in any colour."""
    target = np.array([(0, 0), (40, 0), (40, 40), (0, 40)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(quad, dtype=np.float32), target)
    flat = cv2.warpPerspective(image, matrix, (40, 40)).min(axis=2).astype(int)
    return float((flat < flat.max() * 0.6).mean())


@pytest.mark.parametrize("code", ["code128", "qr", "datamatrix"])
@pytest.mark.parametrize("design", ["standard", "jumbo", "serif"])
def test_a_code_decodes_from_a_frame_at_nominal_settings(design: str, code: str) -> None:
    whole = 0
    for one in made(5, design=design, code=code, place="top"):
        for frame in one.frames[::2]:
            for card in frame.truth["cards"]:
                best = card["symbol"]
                clear = best["visible"] == 1.0 and best["blur_modules"] < 0.5
                if clear and has_quiet_zone(best) and not glare_near(one, best):
                    whole += 1
                    texts = [found.text for found in zxingcpp.read_barcodes(frame.image)]
                    assert texts in ([best["text"]], [best["text"]] * 2), (one.number, frame.k)
    assert whole > 2


def has_quiet_zone(symbol: dict[str, Any]) -> bool:
    """Whether what belongs to it at its ends is in the frame too."""
    quad = np.array(symbol["quad"])
    room = 10 * symbol["module_px"]
    return bool(((quad > room) & (quad < np.array((640, 480)) - room)).all())


def glare_near(one: Sequence, symbol: dict[str, Any]) -> bool:
    """Whether a glare lies on it: it may be unreadable then."""
    wide, high = one.draw.look.optics.size
    at = np.array(symbol["quad"]).mean(axis=0)
    return any(
        np.hypot(x * wide - at[0], y * high - at[1]) < 2.5 * r * wide
        for x, y, r, _ in one.draw.look.light.glare
    )


# --- what the camera does ---------------------------------------------------------------------


def edge_width(image: Image, row: int) -> int:
    """How many px an upright edge takes from dark to light along a row."""
    line = image[row - 3 : row + 4].mean(axis=(0, 2))
    low, high = line.min(), line.max()
    return int(((line > low + 0.15 * (high - low)) & (line < low + 0.85 * (high - low))).sum())


def test_a_longer_exposure_smears_what_moves_and_nothing_that_rests() -> None:
    widths = {}
    for exposure in (0.0001, 0.002):
        look = Look(
            sensor=Sensor(exposure_s=exposure, readout_s=0.0, read=0.2, shot=0.0, defocus=0.0)
        )
        camera = Camera(look)
        for speed in (0.0, 800.0):
            image, placed = camera.frame([thing(look, 50.0, speed)])
            assert placed[0].blur_px == pytest.approx(speed * exposure * 9, rel=0.05, abs=0.01)
            widths[exposure, speed] = edge_width(image[:, :400], 300)
    assert widths[0.002, 800.0] > widths[0.0001, 800.0] + 6
    assert abs(widths[0.002, 0.0] - widths[0.0001, 0.0]) <= 1


def test_a_rolling_shutter_slants_what_moves_along_the_rows() -> None:
    look = Look(sensor=Sensor(readout_s=0.01))
    camera = Camera(look)
    still, moving = (
        quad_of(camera.place(thing(look, 90.0, speed)).matrix) for speed in (0.0, 600.0)
    )
    # 600 mm/s for 10 ms are 6 mm from the first row to the last.
    slant = (moving - still)[:, 0]
    assert slant == pytest.approx(still[:, 1] / 480 * 54, abs=1.5)
    assert (rolling((0.0, 0.0), 0.01, 480) == np.eye(3)).all()


def test_a_mount_turns_the_picture() -> None:
    quads = {}
    for mount in (0, 180):
        look = Look(optics=Optics(mount=mount), sensor=Sensor(readout_s=0.0))
        quads[mount] = quad_of(Camera(look).place(thing(look, 90.0)).matrix)
    assert np.array([640, 480]) - quads[0] == pytest.approx(quads[180], abs=0.01)


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (320, 240)])
def test_frames_of_any_size(size: tuple[int, int]) -> None:
    for frame in made(1, size=size)[0].frames:
        assert frame.image.shape == (size[1], size[0], 3)
        assert frame.image.dtype == np.uint8


def test_light_noise_and_colour_are_as_they_are_set() -> None:
    bright, dim = (Camera(Look(light=Light(level=level))).frame(())[0] for level in (1.0, 0.4))
    assert bright.mean() > 2 * dim.mean()
    red = Camera(Look(light=Light(tint=(0.1, 0.1, 1.0)))).frame(())[0].mean(axis=(0, 1))
    assert red[2] > 3 * red[0]
    quiet, loud = (Camera(Look(sensor=Sensor(read=read, shot=0.0))) for read in (0.5, 12.0))
    rough = [float((c.frame(())[0].astype(int) - c.frame(())[0]).std()) for c in (quiet, loud)]
    assert rough[1] > 5 * rough[0]
    mono = Camera(Look(sensor=Sensor(mono=True))).frame([thing(STILL, 90.0)])[0]
    assert (mono[:, :, 0] == mono[:, :, 2]).all()


def test_ways_and_speeds() -> None:
    path = slide(100.0, 500.0, 0.4)
    assert path.length == pytest.approx(100.0)
    assert path.at(path.seconds + 1) == pytest.approx((100.0, 0.0))
    assert path.at(-1.0) == (0.0, 0.0)
    assert path.at(path.seconds / 2)[1] == pytest.approx(500.0)
    short = part_of(path, 30.0)
    assert short.length == pytest.approx(30.0)
    assert short.at(0.05) == pytest.approx(path.at(0.05))


# --- what is written --------------------------------------------------------------------------

SEQUENCE_KEYS = {
    "level", "design", "kind", "size", "px_per_mm", "second", "axis", "mount", "fps", "v_mm_s",
    "exposure_s", "blur_px", "tilt", "theta_deg", "defocus", "gain", "nshot", "nread", "glare",
    "occluder", "mono", "rs_readout_s", "seq", "group", "expected", "frames",
}  # fmt: skip
CARD_KEYS = {"card", "kind", "quad", "H", "blur_px", "rank", "suit", "rank_br", "suit_br", "symbol"}


def test_render_writes_frames_and_their_truth(tmp_path: Path) -> None:
    command = ["camera", "render", str(tmp_path / "r"), "--sequences", "4", "--seed", "2"]
    run = CliRunner().invoke(app, [*command, "--code", "code128", "--frames", "3"])
    assert run.exit_code == 0, run.output
    assert "12 frames" in run.output
    truth = json.loads((tmp_path / "r" / "truth.json").read_text())
    assert truth["seed"] == 2
    assert len(truth["sequences"]) == 4
    cards = 0
    for sequence in truth["sequences"]:
        assert set(sequence) >= SEQUENCE_KEYS
        assert sequence["group"].startswith("c128")
        for frame in sequence["frames"]:
            assert cv2.imread(str(tmp_path / "r" / frame["file"])) is not None
            for card in frame["cards"]:
                assert set(card) >= CARD_KEYS
                cards += 1
    assert cards > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--trouble", "locusts"], "no fault 'locusts'"),
        (["--trouble", "blur", "--param", "mm=3"], "blur has no parameter 'mm'"),
        (["--design", "baroque"], "no design 'baroque'"),
        (["--code", "ean"], "--code 'ean'"),
        (["--size", "big"], "--size 'big'"),
        (["--code", "qr", "--place", "corner"], "place 'corner'"),
        (["--code", "qr", "--template", "{colour}"], "no field 'colour'"),
        (["--faces", "/nonexistent"], "52 faces are missing"),
    ],
)
def test_what_cannot_be_rendered_is_named(tmp_path: Path, options: list[str], message: str) -> None:
    run = CliRunner().invoke(app, ["camera", "render", str(tmp_path), "--sequences", "1", *options])
    assert run.exit_code == 2
    assert message in run.stderr


def test_the_list_of_troubles_has_a_line_for_each() -> None:
    from hw_sim.camera.troubles import FAULTS

    run = CliRunner().invoke(app, ["camera", "troubles"])
    assert [line.split()[0] for line in run.output.splitlines()] == sorted(FAULTS)
