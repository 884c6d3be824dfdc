"""The colour of the light: paper is what is white under it, a cut card what is coloured in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.camera.cutcards import is_cut_card
from drivers.camera.lamp import Lamp, whiteness
from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Corner, Region
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from hw_sim.camera.window import Studio
from tests.support.camera_reads import BOTH, CODE, Told, frames_of, index_reader, read, travel_of

WISH = Wish(frames=0, fps=30.0, level="clear", mount=0, follows=0.0, jpeg=False, axis="x")
WARM = (0.5, 0.8, 1.05)
LEVEL = st.floats(60, 255)
TINT = st.floats(0.35, 1.0)


def under(tint: tuple[float, float, float], number: int, wish: Wish = WISH) -> rendered.Sequence:
    """A card drawn under a lamp of that colour (B, G, R)."""
    sequence = rendered.sequence(1, number, wish, Studio(cameras=1))
    for frame in sequence.frames:
        lit = frame.image.astype(np.float32) * np.array(tint, np.float32)
        frame.image[:] = np.clip(lit, 0, 255).astype(np.uint8)
    return sequence


@given(level=LEVEL, tint=st.tuples(TINT, TINT, TINT))
def test_paper_is_white_under_the_lamp_that_paper_taught(
    level: float, tint: tuple[float, float, float]
) -> None:
    most = max(tint)
    paper = (level * tint[0] / most, level * tint[1] / most, level * tint[2] / most)
    lamp = Lamp()
    lamp.learn(paper)
    assert lamp.known
    assert whiteness(lamp.balanced(paper)) > 0.99
    assert max(lamp.balanced(paper)) == pytest.approx(max(paper))


def test_a_light_of_one_colour_alone_teaches_nothing() -> None:
    lamp = Lamp()
    lamp.learn((14.0, 20.0, 220.0))
    assert not lamp.known
    assert lamp.balanced((10.0, 20.0, 30.0)) == (10.0, 20.0, 30.0)


def test_one_card_does_not_turn_what_many_have_taught() -> None:
    lamp = Lamp()
    for _ in range(20):
        lamp.learn((150.0, 190.0, 230.0))
    lamp.learn((230.0, 190.0, 150.0))
    assert whiteness(lamp.balanced((150.0, 190.0, 230.0))) > 0.7


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("code", ["none", "qr"])
def test_a_card_under_a_warm_lamp_is_read(code: str, number: int) -> None:
    sequence = under(WARM, number, replace(WISH, code=code))
    seeing = Seeing((CODE,), read=BOTH, travel=travel_of(sequence.draw))
    told = Told.of(read(frames_of(sequence, 8), seeing, ends=False))
    assert (told.faces, told.cuts) == (sequence.expected, 0)


@pytest.mark.parametrize("number", range(6))
def test_a_card_under_red_light_passes_neither_unseen_nor_as_a_cut_card(number: int) -> None:
    """Hearts and diamonds are hardly seen in it, and all paper is red."""
    sequence = under((0.1, 0.15, 1.0), number)
    for travel in (travel_of(sequence.draw), None):
        seeing = Seeing((CODE,), read=BOTH, travel=travel, cut_colour="red")
        told = Told.of(read(frames_of(sequence, 8), seeing, ends=False))
        assert told.cuts == 0
        assert told.faces in ((), sequence.expected)
        assert len(told.faces) + len(told.missed) == 1


def test_after_the_first_card_under_a_warm_lamp_the_next_ones_are_cards_at_sight() -> None:
    one = under(WARM, 1, replace(WISH, code="qr"))
    seeing = Seeing((CODE,), read=BOTH, travel=travel_of(one.draw))
    pipeline = Pipeline(seeing, index=index_reader())
    number = at_ns = 0
    kinds: list[set[str]] = []
    told: list[lines.Event] = []
    for sequence in (one, one):
        kinds.append(set())
        for frame in frames_of(sequence, 8):
            number, at_ns = number + 1, at_ns + 33_000_000
            told += pipeline.frame(replace(frame, number=number, at_ns=at_ns))
            assert pipeline.scene is not None
            kinds[-1] |= {one.kind for one in pipeline.scene.regions}
    assert "dark" in kinds[0]
    assert "card" in kinds[1]
    assert "dark" not in kinds[1]
    faces = [one.face for one in told if isinstance(one, lines.Read)]
    assert faces == [*one.expected, *one.expected]


# --- the cut card ---------------------------------------------------------------------------


def plain(paper: tuple[float, float, float], spread: float = 8.0) -> Region:
    """A thing of one colour with a corner."""
    corner = Corner((10.0, 10.0), (1.0, 0.0), (0.0, 1.0), 50.0, 50.0)
    points = np.zeros((4, 2), np.float32)
    return Region("dark", points, (corner,), frozenset(), paper=paper, spread=spread)


@pytest.mark.parametrize(
    ("bgr", "is_one"),
    [
        ((40.0, 205.0, 235.0), True),
        ((60.0, 60.0, 220.0), True),
        ((35.0, 30.0, 30.0), True),
        ((180.0, 237.0, 159.0), False),
        ((160.0, 220.0, 254.0), False),
        ((240.0, 240.0, 240.0), False),
    ],
)
def test_a_pale_thing_is_no_cut_card_of_any_colour(
    bgr: tuple[float, float, float], is_one: bool
) -> None:
    """The margin of a card under a lamp is of one colour too."""
    assert is_cut_card(plain(bgr, 3.0), bgr, "any", bed=30.0) is is_one


def test_dim_paper_on_a_dim_bed_is_no_cut_card() -> None:
    dim = (50.0, 52.0, 54.0)
    assert not is_cut_card(plain(dim, 3.0), dim, "any", bed=8.0)
    assert not is_cut_card(plain((20.0, 30.0, 60.0), 12.0), (20.0, 30.0, 60.0), "red", bed=8.0)


def test_a_white_cut_card_is_one_where_the_table_says_that_it_is_white() -> None:
    white = (235.0, 240.0, 238.0)
    assert is_cut_card(plain(white), white, "white", bed=30.0)
    assert not is_cut_card(plain(white, spread=60.0), white, "white")


@pytest.mark.parametrize("gone", [5, 7])
def test_what_stood_in_the_mouth_in_coloured_light_as_the_picture_went_is_told(gone: int) -> None:
    """Nobody stands there when the picture is back: it was drawn meanwhile."""
    sequence = under((0.1, 0.15, 1.0), 2)
    seeing = Seeing((CODE,), read=BOTH, travel=travel_of(sequence.draw))
    pipeline = Pipeline(seeing, index=index_reader())
    frames = frames_of(sequence, 8)
    first = next(k for k, one in enumerate(sequence.frames) if one.truth["cards"])
    for frame in frames[: 8 + first + gone]:
        assert not [one for one in pipeline.frame(frame) if isinstance(one, lines.Missed)]
    told = list(pipeline.interrupted())
    for frame in frames[:8]:
        late = replace(frame, number=frame.number + 500, at_ns=frame.at_ns + 10**10)
        told += pipeline.frame(late)
    assert len([one for one in told if isinstance(one, lines.Missed)]) == 1


def test_a_black_cut_card_that_rests_half_drawn_is_not_learned_as_the_empty_window() -> None:
    sequence = rendered.sequence(1, 3, replace(WISH, trouble="cut_card"), Studio(cameras=1))
    seeing = Seeing((CODE,), read=BOTH, travel=travel_of(sequence.draw))
    pipeline = Pipeline(seeing, index=index_reader())
    frames = frames_of(sequence, 8)
    there = [k for k, one in enumerate(sequence.frames) if one.truth["cards"]]
    middle = 8 + there[len(there) // 3]
    noise = np.random.default_rng(1)
    told: list[lines.Event] = []
    at_ns = 0
    shown = [*frames[:middle], *[frames[middle]] * 80, *frames[middle:]]
    for number, frame in enumerate(shown):
        at_ns += 200_000_000 if middle < number < middle + 80 else 33_000_000
        grain = noise.integers(-1, 2, frame.image.shape)
        image = np.clip(frame.image + grain, 0, 255).astype(np.uint8)
        told += pipeline.frame(replace(frame, number=number, at_ns=at_ns, image=image))
    ends = [one for one in told if isinstance(one, lines.CutOut | lines.Missed)]
    assert len(ends) == 1
