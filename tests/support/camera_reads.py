"""Rendered sequences read by the pipeline, in memory, and how well.

What is wrong, what was lost and what was doubted for nothing is told by the renderer's truth.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from drivers.camera.index.reader import IndexReader
from drivers.camera.pipeline import Pipeline
from drivers.camera.process import GAP_MS
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame, Image, Travel
from drivers.camera.sources.base import grey_below
from drivers.camera.truth import face
from drivers.camera.verdict import Witness
from drivers.camera.watchdog import Look
from drivers.cardcode import CardCode
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from hw_sim.camera.draws import Draw
from hw_sim.camera.optics import mapped

Answer = Literal["right", "unsure", "lost", "wrong"]
CODE = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=99)
BOTH: frozenset[Witness] = frozenset({"barcode", "index"})


@cache
def index_reader() -> IndexReader:
    """One for the whole process: it loads the network."""
    return IndexReader()


def travel_of(draw: Draw) -> Travel | None:
    """Which way the card goes on the picture, None where nothing goes."""
    if not draw.passes:
        return None
    one, optics = draw.card, draw.look.optics
    here, there = (one.track.place(optics, one.track.way(optics) * share) for share in (0.4, 0.6))
    (ax, ay), (bx, by) = mapped(optics.matrix(), np.array([here, there]))
    if abs(bx - ax) > abs(by - ay):
        return "right" if bx > ax else "left"
    return "down" if by > ay else "up"


def readable(sequence: rendered.Sequence, witnesses: frozenset[Witness], *, alone: bool) -> bool:
    """Whether the card it is about is to be read: two frames show the whole code or a whole index,
    or, where both are asked for, one frame each.
    """
    if not sequence.expected:
        return False
    codes = indices = 0
    for frame in sequence.frames:
        for card in frame.truth["cards"]:
            if face(str(card["card"])) == sequence.expected[0]:
                codes += _whole(card, "symbol")
                indices += any(
                    _whole(card, f"rank{end}") and _whole(card, f"suit{end}") for end in ("", "_br")
                )
                break
    if not alone:
        return codes > 0 and indices > 0
    return ("barcode" in witnesses and codes > 1) or ("index" in witnesses and indices > 1)


def _whole(card: dict[str, Any], part: str) -> bool:
    return part in card and float(card[part]["visible"]) >= 0.99


def frames_of(sequence: rendered.Sequence, before: int = 0) -> list[Frame]:
    """Its frames as the reader takes them; `before`: so many of the empty window come first, where
    it begins with that.
    """
    frames = [Frame(one.k, one.image, round(one.t * 1e9)) for one in sequence.frames]
    if not before or sequence.frames[0].truth["cards"]:
        return frames
    rng, empty, step = np.random.default_rng(sequence.number), frames[0].image, 16_000_000
    still = [Frame(number, _as_live(empty, rng), number * step) for number in range(before)]
    rest = before * step
    return still + [Frame(one.number + before, one.image, one.at_ns + rest) for one in frames]


def _as_live(image: Image, rng: np.random.Generator) -> Image:
    """No two pictures of a sensor are alike."""
    noise = rng.integers(-1, 2, image.shape, dtype=np.int16)
    return np.asarray(np.clip(image.astype(np.int16) + noise, 0, 255), dtype=np.uint8)


def blind(frames: Sequence[Frame]) -> bool:
    """Whether the empty window before a card shows nothing at all: the reader has told that it sees
    nothing, and the table holds.
    """
    return _black(frames[0].image)


def _black(image: Image) -> bool:
    few = image[::8, ::8]
    return Look(float(few.mean()), float(few.std())).black


def read(frames: Iterable[Frame], seeing: Seeing, *, ends: bool = True) -> list[lines.Event]:
    """What the pipeline tells of them; black ones, repeated ones and those whose end is missing are
    left out, as they are in the program. `ends`: there are no more pictures after the last one;
    else more would come, and what stands there unread, held or under a hand, is as good as told.
    """
    index = index_reader() if "index" in seeing.read else None
    # By the processor's time: what is read does not hang on what else the machine does.
    pipeline = Pipeline(seeing, index=index, clock=time.thread_time)
    told: list[lines.Event] = []
    before_ns: int | None = None
    before: Image | None = None
    for frame in frames:
        few = frame.image[::8, ::8]
        same = before is not None and np.array_equal(before, few)
        before = few
        if grey_below(frame.image):
            continue
        if same or _black(frame.image):
            continue
        if before_ns is not None and frame.at_ns - before_ns >= GAP_MS * 1_000_000:
            told += pipeline.interrupted()
        told += pipeline.frame(frame)
        before_ns = frame.at_ns
    last = [one for one in pipeline.finish() if ends or isinstance(one, lines.Missed)]
    return told + last


@dataclass(frozen=True)
class Told:
    """What was told: the faces read, why other things were not, and whether a cut card passed.

    `asked`: faces of cards that were shown from the table's side after another, while none was
    missing: the station deals none of them before a supervisor has said which card it is.
    """

    faces: tuple[str, ...]
    by: tuple[str, ...]
    missed: tuple[str, ...]
    cuts: int
    asked: tuple[str, ...] = ()

    @classmethod
    def of(cls, events: Sequence[lines.Event]) -> Told:
        """The events in order."""
        reads: list[lines.Read] = []
        missed: list[lines.Missed] = []
        asked: list[str] = []
        for one in events:
            if isinstance(one, lines.Read):
                # Where a film begins, one may have stood there before: that says nothing.
                if one.came or missed or not reads:
                    reads.append(one)
                else:
                    asked.append(one.face)
            elif isinstance(one, lines.Missed):
                missed.append(one)
                if one.reason == "pushed_back" and reads:
                    # It was out, and went back in: taken back, and the table holds.
                    reads.pop()
        return cls(
            tuple(one.face for one in reads),
            tuple("+".join(one.by) for one in reads),
            tuple(f"{one.reason} {one.text} {one.detail}".strip() for one in missed),
            sum(isinstance(one, lines.CutOut) for one in events),
            tuple(asked),
        )

    @property
    def passed(self) -> int:
        """Of how many cards it tells, in whatever way: `two_cards` are two, and a contradiction
        that shows two faces.
        """
        missed = sum(2 if _both(text) else 1 for text in self.missed)
        return len(self.faces) + len(self.asked) + missed + self.cuts


def _both(missed: str) -> bool:
    faces = {word.partition("=")[2][:2] for word in missed.split() if "=" in word}
    return missed.startswith("two_cards") or (missed.startswith("contradiction") and len(faces) > 1)


def answer(told: Told, expected: Sequence[str], left: Sequence[str], *, whole: bool) -> Answer:
    """`wrong`: a face was told that did not pass, or not in this order, or twice; `lost`: of those
    that passed wholly (`whole`) fewer were told, in whatever way; `unsure`: not all were read.
    """
    rest = list(expected)
    for one in told.faces:
        if one not in rest:
            return "wrong"
        del rest[: rest.index(one) + 1]
    if told.cuts and "cut" not in left:
        return "wrong"
    if whole and told.passed < len(left):
        return "lost"
    right = told.faces == tuple(expected) and not told.asked
    return "right" if right else "unsure"
