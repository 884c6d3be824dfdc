"""Cards drawn past the window, rendered, and what the pipeline tells of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame
from drivers.camera.verdict import Witness
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from hw_sim.camera.window import Studio
from tests.support.camera_reads import BOTH, CODE, Told, frames_of, index_reader, read, travel_of

CODES: frozenset[Witness] = frozenset({"barcode"})
INDEX: frozenset[Witness] = frozenset({"index"})
CLEAR = Wish(frames=0, fps=30.0, level="clear", mount=0, follows=0.0, jpeg=False, axis="x")


@cache
def studio() -> Studio:
    return Studio(cameras=1)


def drawn(wish: Wish, number: int = 0) -> rendered.Sequence:
    return rendered.sequence(1, number, wish, studio())


def with_trouble(trouble: str, **more: object) -> Wish:
    return replace(CLEAR, trouble=trouble, params=tuple(more.items()))


def told(
    sequence: rendered.Sequence,
    witnesses: frozenset[Witness] = BOTH,
    *,
    alone: bool = True,
    ends: bool = False,
) -> Told:
    """What is told of a card's whole way, as at a table: the window was empty before."""
    seeing = Seeing((CODE,), read=witnesses, alone=alone, travel=travel_of(sequence.draw))
    return Told.of(read(frames_of(sequence, 8), seeing, ends=ends))


def looks_alike(frame: Frame, times: int, after: Frame | None = None) -> list[Frame]:
    """Bit for bit the same picture again and again, numbers and times going on."""
    start = (after or frame).number + 1
    return [
        Frame(start + k, frame.image.copy(), frame.at_ns + (k + 1) * 16_000_000)
        for k in range(times)
    ]


def as_live(frame: Frame, number: int, at_ns: int) -> Frame:
    """The same moment as another picture of the sensor."""
    rng = np.random.default_rng(number)
    noise = rng.integers(-2, 3, frame.image.shape, dtype=np.int16)
    image = np.clip(frame.image.astype(np.int16) + noise, 0, 255).astype(np.uint8)
    return Frame(number, image, at_ns)


# --- one card is one read -------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("code", ["none", "code128", "qr", "datamatrix"])
def test_one_card_is_one_read(code: str, axis: str) -> None:
    sequence = drawn(replace(CLEAR, code=code, axis=axis, fps=60.0))  # type: ignore[arg-type]
    found = told(sequence)
    assert found.faces == sequence.expected
    assert found.missed == ()
    assert found.by[0] == ("index" if code == "none" else "barcode+index")


@pytest.mark.parametrize("code", ["none", "code128"])
def test_two_cards_of_one_face_one_after_the_other_are_two_reads(code: str) -> None:
    """With the very same code too: what was on the card is not what tells two cards apart."""
    sequence = drawn(replace(with_trouble("same_again", ms=120), code=code))
    assert len(sequence.expected) == 2
    found = told(sequence)
    assert found.faces == sequence.expected
    assert found.missed == ()


@pytest.mark.parametrize("code", ["none", "qr"])
def test_two_right_behind_each_other_are_two_reads_in_order(code: str) -> None:
    sequence = drawn(replace(with_trouble("two_behind"), code=code))
    assert told(sequence).faces == sequence.expected


def test_without_leave_to_stand_alone_a_card_without_a_code_is_one_witness() -> None:
    sequence = drawn(CLEAR)
    found = told(sequence, alone=False)
    assert found.faces == ()
    assert [one.split()[0] for one in found.missed] == ["one_witness"]


# --- in the mouth, and back -----------------------------------------------------------------


@pytest.mark.parametrize("witnesses", [CODES, INDEX, BOTH])
def test_a_card_that_rests_in_the_mouth_is_never_read(witnesses: frozenset[Witness]) -> None:
    sequence = drawn(replace(with_trouble("half_drawn", ms=900), code="code128", axis="y"))
    frames = frames_of(sequence, 8)
    seeing = Seeing((CODE,), read=witnesses, travel=travel_of(sequence.draw))
    assert not [one for one in read(frames, seeing, ends=False) if isinstance(one, lines.Read)]


def test_a_card_half_drawn_pushed_back_and_drawn_is_one_read() -> None:
    sequence = drawn(replace(with_trouble("pushed_back"), code="qr"))
    found = told(sequence)
    assert (found.faces, found.missed) == (sequence.expected, ())


@pytest.mark.parametrize("number", range(3))
def test_the_card_behind_is_never_told(number: int) -> None:
    """It comes along with the drawn one, half out of the shoe, and stays there."""
    sequence = drawn(replace(with_trouble("following", mm=48), code="code128"), number)
    assert sequence.draw.second
    found = told(sequence)
    assert found.faces in (sequence.expected, ())
    assert sequence.draw.second not in found.faces


def test_a_card_behind_one_that_left_is_not_told_at_the_end_of_a_film() -> None:
    sequence = drawn(replace(with_trouble("following", mm=48), code="code128"))
    assert told(sequence, ends=True).faces == sequence.expected


# --- what is no card ------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", ["empty", "hand_only"])
def test_where_no_card_passes_nothing_is_told(trouble: str) -> None:
    found = told(drawn(with_trouble(trouble)))
    assert (found.faces, found.missed, found.cuts) == ((), (), 0)


@pytest.mark.parametrize(("trouble", "reasons"), [("back", {"card_back"}), ("joker", {"joker"})])
def test_a_back_and_a_joker_pass_unread_and_are_told_as_that(
    trouble: str, reasons: set[str]
) -> None:
    for number in range(3):
        found = told(drawn(with_trouble(trouble), number))
        assert found.faces == ()
        assert len(found.missed) == 1
        assert {one.split()[0] for one in found.missed} <= reasons | {"unread", "one_look"}


@pytest.mark.parametrize("trouble", ["cut_card", "cut_code"])
def test_the_cut_card_is_told_once_by_its_colour_or_its_code(trouble: str) -> None:
    sequence = drawn(replace(with_trouble(trouble), code="qr"), number=2)
    found = told(sequence)
    assert (found.faces, found.cuts) == ((), 1)


@pytest.mark.parametrize("trouble", ["finger", "finger_code", "finger_index", "hand"])
def test_under_a_finger_or_a_hand_a_card_is_read_right_or_told_as_unread(trouble: str) -> None:
    sequence = drawn(replace(with_trouble(trouble), code="code128"))
    found = told(sequence)
    assert found.faces in ((), tuple(sequence.draw.left))
    assert len(found.faces) + len(found.missed) == 1


def test_a_hand_over_the_window_is_told_and_that_it_has_gone() -> None:
    sequence = drawn(with_trouble("hand_only"))
    seeing = Seeing((CODE,), read=CODES, travel="right")
    frames = frames_of(sequence)
    with_hand = frames[len(frames) // 2]
    empty = frames_of(drawn(with_trouble("empty")))[0]
    shown = [as_live(empty, k, k) for k in range(8)]
    shown += [as_live(with_hand, k, k) for k in range(8, 16)]
    shown += [as_live(empty, k, k) for k in range(16, 24)]
    edges = [one.edge for one in read(shown, seeing) if isinstance(one, lines.Presence)]
    assert [edge for edge in edges if edge.startswith("hand")] == ["hand", "hand_gone"]


# --- pictures that are none -----------------------------------------------------------------


def half_way(sequence: rendered.Sequence) -> int:
    """The frame of the card's middle."""
    return next(k for k, one in enumerate(sequence.frames) if one.t > sequence.draw.middle_s + 0.15)


def test_a_picture_that_comes_again_bit_for_bit_shows_nothing_new() -> None:
    """Thirty pictures of one moment are one look, however sure it was; three moments are three."""
    sequence = drawn(replace(CLEAR, code="datamatrix"))
    seeing = Seeing((CODE,), read=CODES, travel=travel_of(sequence.draw))
    frames = frames_of(sequence)
    single = next(
        frame
        for frame in frames
        if [one for one in read([frame], seeing) if "one_look" in str(one)]
    )
    same = Told.of(read([single, *looks_alike(single, 30)], seeing))
    assert same.faces == ()
    assert same.missed[0].startswith("one_look")
    live = [as_live(single, k, single.at_ns + k * 16_000_000) for k in range(3)]
    assert Told.of(read(live, seeing)).faces == sequence.expected


def test_who_lies_there_when_the_picture_comes_back_is_not_read_and_the_next_one_is() -> None:
    sequence = drawn(replace(with_trouble("same_again", ms=150), code="qr"))
    seeing = Seeing((CODE,), read=BOTH, travel=travel_of(sequence.draw))
    frames = frames_of(sequence)
    pipeline = Pipeline(seeing, index=index_reader())
    cut = half_way(sequence)
    events: list[lines.Event] = []
    for frame in frames[: cut - 2]:
        events += pipeline.frame(frame)
    before = [one for one in events if isinstance(one, lines.Read)]
    events += pipeline.interrupted()
    for frame in frames[cut:]:
        events += pipeline.frame(frame)
    reads = [one for one in events if isinstance(one, lines.Read)]
    missed = [one for one in events if isinstance(one, lines.Missed)]
    assert len(reads) == len(before) + 1, "the second card alone is read after the gap"
    assert before or missed, "the first one is told, in one way or the other"


@pytest.mark.parametrize("same", [True, False])
def test_a_card_told_and_pushed_back_while_the_picture_was_away_is_not_said_to_be_another(
    same: bool,
) -> None:
    """By its index alone it cannot be told from the next one of its face: the station asks."""
    sequence = drawn(CLEAR, 3)
    seeing = Seeing((CODE,), read=INDEX, travel=travel_of(sequence.draw))
    pipeline = Pipeline(seeing, index=index_reader())
    frames = frames_of(sequence, 8)
    reads: list[lines.Read] = []
    frame = frames[0]
    while not reads:
        frame = frames.pop(0)
        reads += [one for one in pipeline.frame(frame) if isinstance(one, lines.Read)]
    assert pipeline.interrupted() == ()
    following = sequence if same else drawn(CLEAR, 5)
    for later in frames_of(following, 8):
        shown = Frame(frame.number + 60 + later.number, later.image, frame.at_ns + later.at_ns)
        reads += [one for one in pipeline.frame(shown) if isinstance(one, lines.Read)]
    assert [one.came for one in reads] == [True, not same]
    assert (reads[0].face == reads[1].face) is same


@pytest.mark.parametrize("hidden", [4, 10])
@pytest.mark.parametrize("witnesses", [INDEX, BOTH], ids=["index", "both"])
def test_a_card_told_and_hidden_for_a_while_is_not_told_again(
    witnesses: frozenset[Witness], hidden: int
) -> None:
    """The hand that draws lies over it: by its index alone it would be dealt a second time."""
    sequence = drawn(replace(with_trouble("rests"), fps=90.0), 3)
    seeing = Seeing((CODE,), read=witnesses, travel=travel_of(sequence.draw))
    frames = frames_of(sequence, 8)
    pipeline = Pipeline(seeing, index=index_reader())
    told: list[int] = []
    for k, frame in enumerate(frames):
        covered = bool(told) and told[0] + 2 < k <= told[0] + 2 + hidden
        shown = as_live(frames[0], frame.number, frame.at_ns) if covered else frame
        told += [k for one in pipeline.frame(shown) if isinstance(one, lines.Read | lines.Missed)]
    assert len(told) == 1
    assert told[0] + hidden + 20 < len(frames), "it stands there for long after that"


def test_a_card_told_and_pushed_back_under_a_hand_is_not_said_to_be_another() -> None:
    sequence = drawn(replace(with_trouble("rests"), fps=90.0), 3)
    seeing = Seeing((CODE,), read=INDEX, travel=travel_of(sequence.draw))
    pipeline = Pipeline(seeing, index=index_reader())
    frames = frames_of(sequence, 8)
    reads: list[lines.Read] = []
    last = next(k for k, one in enumerate(sequence.frames) if len(one.truth["cards"]) == 1)
    shown_ones = [*frames[: last + 40], *frames[:1] * 10, *frames[8:]]
    for number, frame in enumerate(shown_ones):
        shown = as_live(frame, number, number * 11_000_000)
        reads += [one for one in pipeline.frame(shown) if isinstance(one, lines.Read)]
    assert [one.came for one in reads] == [True, False]


@pytest.mark.parametrize("percent", [35, 50, 65])
@pytest.mark.parametrize("trouble", ["torn", "torn_grey"])
def test_a_torn_picture_never_makes_a_card_of_two(trouble: str, percent: int) -> None:
    """Its lower part is another card's, or grey: whole pictures must agree with what is told."""
    wish = replace(with_trouble(trouble, percent=percent, ms=200), code="code128")
    for number in range(2):
        sequence = drawn(wish, number)
        found = told(sequence)
        assert found.faces in ((), sequence.expected)


def test_after_an_interruption_another_decks_code_of_the_same_face_is_another_card() -> None:
    """The codes tell them apart: nobody has to be asked."""
    wish = replace(CLEAR, code="qr", face="KH")
    first = drawn(wish)
    travel, text = travel_of(first.draw), first.draw.card.print.text
    other = next(
        one
        for one in (drawn(wish, number) for number in range(1, 40))
        if travel_of(one.draw) == travel and one.draw.card.print.text != text
    )
    pipeline = Pipeline(Seeing((CODE,), read=BOTH, travel=travel), index=index_reader())
    reads: list[lines.Read] = []
    at = 0
    for sequence, until in ((first, 1), (other, 2)):
        for frame in frames_of(sequence, 8):
            at += 1
            shown = Frame(at, frame.image, at * 33_000_000)
            reads += [one for one in pipeline.frame(shown) if isinstance(one, lines.Read)]
            if len(reads) == until:
                break
        pipeline.interrupted()
        at += 30
    assert [one.face for one in reads] == ["KH", "KH"]
    assert reads[0].text != reads[1].text
    assert [one.came for one in reads] == [True, True]
