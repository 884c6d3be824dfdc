"""A camera looked through: what is measured on rendered cards, what is shown, what is written."""

from __future__ import annotations

import io
import json
import stat
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera import asked
from drivers.camera.advice import advise
from drivers.camera.cv import cv2
from drivers.camera.index.reader import IndexReader
from drivers.camera.looking import Pictures
from drivers.camera.marked import marked
from drivers.camera.measured import Measured
from drivers.camera.measuring import Measurer
from drivers.camera.sharpness import edge_widths
from drivers.camera.sight import Frame, Image, Region
from drivers.camera.sources.base import Shot, SourceError, Torn
from drivers.camera.tools_setup import fragment, settings, setup
from drivers.catalog import spec_of
from drivers.kinds.camera import CameraSpec
from tests.support.camera_deck import Booth, write_slides

FACES = ("AS", "TD", "7C")
BOOTH = Booth(code="code128", sign=-1, fps=40.0)


def spec(port: str = "/dev/v4l/by-id/cam", **changes: Any) -> CameraSpec:
    made = spec_of(entry(port, **changes))
    assert isinstance(made, CameraSpec)
    return made


def entry(port: str, **changes: Any) -> dict[str, Any]:
    return {
        "kind": "camera",
        "name": "shoe",
        "role": "shoe",
        "port": port,
        "card": "{rank}{suit}{deck:2}{check}",
        "cut_card": "CUT{check}",
        **changes,
    }


@cache
def reader() -> IndexReader:
    return IndexReader()


@cache
def look(booth: Booth, *, flip: bool = False) -> Measurer:
    measurer = Measurer(spec(gain=1, white_balance=1, focus=1), reader())
    number = 0
    for pictures in booth.slides(FACES, 1):
        for picture in pictures:
            shown = np.ascontiguousarray(picture[:, ::-1]) if flip else picture
            measurer.picture(Frame(number, shown, round(number / booth.fps * 1e9)))
            number += 1
    measurer.finish()
    return measurer


def figures(booth: Booth, *, flip: bool = False) -> tuple[Measured, set[str]]:
    m = look(booth, flip=flip).measured(fps=60.0)
    advice = advise(spec(gain=1, white_balance=1, focus=1), m)
    return m, {one.code for one in advice if one.must}


def test_a_good_camera_is_measured_and_nothing_must_be_changed() -> None:
    m, musts = figures(BOOTH)
    scale = BOOTH.seen().optics.px_per_mm
    assert musts == set()
    assert m.cards == len(FACES)
    assert m.travel == "left"
    assert m.px_per_mm == pytest.approx(scale, rel=0.03)
    assert m.speed_mm_s == pytest.approx(BOOTH.speed, rel=0.25)
    assert m.code is not None
    # The renderer prints modules of 0.3 mm.
    assert m.code.module_px == pytest.approx(0.3 * scale, rel=0.05)
    assert not m.mirrored
    assert m.index is not None
    assert m.index.read > 0.9 * m.index.found
    # Its rank is 8.6 mm high, its suit 6, and 1.8 mm lie between them.
    assert m.index.high_mm == pytest.approx(16.4, abs=0.6)


def test_a_slow_machine_is_not_taken_for_a_slow_camera() -> None:
    """Of three pictures that came it looked at one: the camera took three times as many."""
    measurer = look(BOOTH)
    m = measurer.measured()
    assert m.views is not None
    assert measurer.measured(came=3 * m.looked).views == 3 * m.views


def test_a_lens_out_of_focus_is_told_from_movement() -> None:
    look_ = BOOTH.seen()
    sharp, _ = figures(BOOTH)
    m, musts = figures(replace(BOOTH, look=replace(look_, sensor=replace(look_.sensor, defocus=3))))
    assert "focus" in musts
    assert "blur" not in musts
    assert m.edge_px is not None
    assert sharp.edge_px is not None
    assert m.edge_px > 2 * sharp.edge_px


def test_too_long_an_exposure_is_told_from_a_lens_out_of_focus() -> None:
    look_ = BOOTH.seen()
    long = replace(look_.sensor, exposure_s=0.0015)
    m, musts = figures(replace(BOOTH, speed=600.0, look=replace(look_, sensor=long)))
    assert "blur" in musts
    assert "focus" not in musts
    assert m.motion_px is not None
    assert m.speed_mm_s is not None
    # What passes in that time, in pixels.
    smear = m.speed_mm_s * long.exposure_s * look_.optics.px_per_mm
    assert m.motion_px == pytest.approx(smear, rel=0.35)


@pytest.mark.parametrize(
    ("light", "wanted"),
    [
        ({"level": 0.3}, "dark"),
        ({"level": 1.7}, "burnt"),
        ({"glare": ((0.5, 0.4, 0.12, 230.0),)}, "glare"),
    ],
)
def test_light_that_is_wrong_is_named(light: dict[str, Any], wanted: str) -> None:
    look_ = BOOTH.seen()
    _, musts = figures(replace(BOOTH, look=replace(look_, light=replace(look_.light, **light))))
    assert musts & {"dark", "burnt", "glare"} == {wanted}


def test_a_mirrored_picture_is_known_as_one() -> None:
    m, musts = figures(BOOTH, flip=True)
    assert m.mirrored
    assert musts == {"mirrored"}


def test_an_index_that_is_cut_off_says_where_the_camera_must_go() -> None:
    m, musts = figures(replace(BOOTH, beside_mm=36.0))
    assert musts == {"index_out"}
    assert m.index is not None
    assert m.index.out == "down"
    assert m.index.out_mm is not None
    # The card's upper edge lies 40 mm down in the field; an index takes 25 mm.
    optics = BOOTH.seen().optics
    assert m.index.out_mm == pytest.approx(40 + 25 - optics.field_mm()[1], abs=3)


def test_modules_too_small_to_be_read_are_told_with_what_is_missing() -> None:
    look_ = BOOTH.seen()
    far = replace(look_, optics=replace(look_.optics, px_per_mm=4.5))
    m, musts = figures(replace(BOOTH, look=far))
    assert "module_small" in musts
    assert m.code is not None
    assert m.code.module_px == pytest.approx(1.35, abs=0.15)


@pytest.mark.parametrize("width", [1.0, 3.0, 6.0])
def test_the_width_of_an_edge_is_what_it_was_blurred_with(width: float) -> None:
    """10-90 % of an edge behind a Gaussian are 2.56 of its sigma."""
    image = np.full((400, 400), 30, dtype=np.uint8)
    image[100:, 100:] = 220
    sigma = width / 2.56
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)
    found = [one.width for one in edge_widths(blurred, _corner_at(99.5), 9.0)]
    assert len(found) == 2
    assert found == [pytest.approx(width, abs=0.25)] * 2


def test_a_flat_picture_has_no_edge() -> None:
    assert edge_widths(np.full((400, 400), 90, np.uint8), _corner_at(99.5), 9.0) == ()


def _corner_at(place: float) -> Region:
    from drivers.camera.sight import Corner

    corner = Corner((place, place), (1.0, 0.0), (0.0, 1.0), 280.0, 280.0, 3.0)
    return Region("card", np.zeros((4, 2), np.float32), (corner,), frozenset(), 9.0)


def test_the_picture_shows_what_was_found_and_is_wide_enough_to_be_read() -> None:
    measurer = look(BOOTH)
    m = measurer.measured(fps=60.0)
    assert measurer.best is not None
    plain = measurer.best.frame.image
    image = marked(measurer.best, m, (0, 0, 0, 0))
    assert image.shape[1] >= 1280
    assert image.shape[0] > plain.shape[0] * image.shape[1] / plain.shape[1]
    for colour in ((80, 220, 60), (255, 230, 40), (255, 60, 255)):
        assert (np.abs(image.astype(int) - colour).sum(axis=2) < 30).sum() > 100, colour


def test_settings_to_paste_are_those_that_were_measured() -> None:
    m = look(BOOTH).measured(fps=60.0)
    found = settings(spec(), m, {"gain": 17, "white_balance": 4600})
    assert found["travel"] == "left"
    assert found["px_per_mm"] == pytest.approx(BOOTH.seen().optics.px_per_mm, rel=0.03)
    assert found["exposure_us"] == 300
    assert found["size"] == [640, 480]
    assert (found["gain"], found["white_balance"]) == (17, 4600)
    assert "focus" not in found
    text = fragment("shoe", found, "en")
    assert 'travel = "left"' in text
    # What is pasted is taken.
    spec_of(entry("/dev/v4l/by-id/cam") | found)


def test_the_window_to_paste_holds_all_that_passes_and_no_more() -> None:
    """Whole along the way; across it the cards with a margin. None while an index is cut off."""
    m = look(replace(BOOTH, beside_mm=15.0)).measured(fps=60.0)
    x, y, wide, high = settings(spec(), m, {})["window"]
    assert (x, wide, y + high) == (0, 640, 480)
    # The cards' upper edge is 19 mm down, less the window's margin of 4.
    assert y == pytest.approx(15 * BOOTH.seen().optics.px_per_mm, abs=12)
    cut = look(replace(BOOTH, beside_mm=36.0)).measured(fps=60.0)
    assert "window" not in settings(spec(), cut, {})


# --- the whole tool -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("slides")
    write_slides(place, BOOTH.slides(FACES, 1))
    return place


def ask(folder: Path, capsys: pytest.CaptureFixture[str], **more: Any) -> tuple[int, str]:
    request = asked.Setup(spec=entry(f"file:{folder}", fps=240, size=[640, 480]), **more)
    status = setup(request)
    return status, capsys.readouterr().out


def test_setup_ends_with_what_to_paste_and_a_picture_of_its_owner_alone(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "view.png"
    status, out = ask(folder, capsys, picture=str(picture))
    assert status == 0, out
    assert "Ready" in out
    assert "shoe in play" in out
    assert 'travel = "left"' in out
    assert stat.S_IMODE(picture.stat().st_mode) == 0o600
    assert cv2.imread(str(picture)) is not None
    assert [one.name for one in tmp_path.iterdir()] == ["view.png"]


def test_setup_speaks_korean(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = ask(folder, capsys, lang="ko")
    assert "준비되었습니다" in out
    assert "인덱스 16" in out


def test_a_script_gets_lines_and_a_summary(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = ask(folder, capsys, as_json=True)
    documents = [json.loads(line) for line in io.StringIO(out)]
    assert all("figures" in one for one in documents[:-1])
    summary = documents[-1]["summary"]
    assert summary["ready"] is True
    assert summary["figures"]["cards"] == len(FACES)
    assert summary["settings"]["travel"] == "left"
    assert {one["code"] for one in summary["advice"]} == {"write_travel", "write_scale"}
    assert all(one["ko"] and one["en"] for one in summary["advice"])


def test_a_picture_that_cannot_be_written_is_an_error_in_words(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=r"there is no folder .*; make it first"):
        ask(folder, capsys, picture=str(tmp_path / "nowhere" / "view.png"))
    with pytest.raises(ValueError, match=r"ends in \.png or \.jpg"):
        ask(folder, capsys, picture=str(tmp_path / "view.gif"))


def test_a_camera_that_is_not_there_is_an_error_in_words() -> None:
    with pytest.raises(ValueError, match="nothing is there"):
        setup(asked.Setup(spec=entry("file:/nowhere/at/all")))
    with pytest.raises(ValueError, match="is no camera"):
        setup(asked.Setup(spec=entry("/dev/ttyUSB0") | {"kind": "text-line", "port": "/dev/x"}))


# --- pictures of a source -----------------------------------------------------------------


class Scripted:
    """A source that gives what it was told, and holds its settings for a while."""

    what, refused = "a script", ""

    def __init__(self, *given: Shot | Torn | Exception) -> None:
        self._given = list(given)
        self.closed = False

    @property
    def over(self) -> bool:
        return not self._given

    def read(self) -> Shot | Torn | None:
        one = self._given.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    def drifted(self) -> dict[str, str]:
        return {"exposure_us 300": "it has 90 now"}

    def values(self) -> dict[str, int]:
        return {"gain": 4}

    def close(self) -> None:
        self.closed = True


def shot(number: int) -> Shot:
    image: Image = np.full((120, 160, 3), number, dtype=np.uint8)
    return Shot(Frame(number, image, number * 10_000_000))


def test_pictures_are_counted_with_the_damaged_ones_and_the_end_is_named() -> None:
    clock = iter(range(100))
    source = Scripted(shot(1), Torn("cut short"), shot(2), SourceError("it was unplugged"))
    pictures = Pictures(source, 50.0, lambda: float(next(clock)))
    got = [one for one in pictures.until(lambda: False) if one is not None]
    assert [one.frame.image[0, 0, 0] for one in got] == [1, 2]
    assert (pictures.came, pictures.torn, pictures.lost) == (3, 1, "it was unplugged")


def test_a_camera_that_does_not_keep_its_settings_is_noticed() -> None:
    pictures = Pictures(Scripted(shot(1), shot(2)), 50.0, lambda: 0.0)
    list(pictures.until(lambda: False))
    assert pictures.drifted == "exposure_us 300: it has 90 now"
    assert pictures.values == {"gain": 4}
    told = advise(spec(), Measured(size=(1, 1), looked=1, drifted=pictures.drifted))
    assert told[0].code == "drifted"
