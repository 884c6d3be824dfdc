"""Rendered sequences read by the pipeline, in memory, and how well.

What is wrong, what was lost and what was doubted for nothing is told by the renderer's truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from drivers.camera.compass import Travel
from drivers.camera.index.reader import IndexReader
from drivers.camera.pipeline import Pipeline, Seeing
from drivers.camera.sight import Frame
from drivers.camera.verdict import Witness
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


def frames_of(sequence: rendered.Sequence) -> list[Frame]:
    """Its frames as the reader takes them."""
    return [Frame(one.k, one.image, round(one.t * 1e9)) for one in sequence.frames]


def read(frames: Iterable[Frame], seeing: Seeing, *, ends: bool = True) -> list[lines.Event]:
    """What the pipeline tells of them. `ends`: there are no more pictures after the last one."""
    index = index_reader() if "index" in seeing.read else None
    pipeline = Pipeline(seeing, index=index)
    told = [event for frame in frames for event in pipeline.frame(frame)]
    return told + list(pipeline.finish()) if ends else told


@dataclass(frozen=True)
class Told:
    """What was told: the faces read, why other things were not, and whether a cut card passed."""

    faces: tuple[str, ...]
    by: tuple[str, ...]
    missed: tuple[str, ...]
    cuts: int

    @classmethod
    def of(cls, events: Sequence[lines.Event]) -> Told:
        """The events in order."""
        reads = [one for one in events if isinstance(one, lines.Read)]
        missed = [one for one in events if isinstance(one, lines.Missed)]
        return cls(
            tuple(one.face for one in reads),
            tuple("+".join(one.by) for one in reads),
            tuple(f"{one.reason} {one.detail}".strip() for one in missed),
            sum(isinstance(one, lines.CutOut) for one in events),
        )


def answer(told: Told, expected: Sequence[str], left: Sequence[str], *, whole: bool) -> Answer:
    """`wrong`: a face was told that did not pass, or not in this order, or twice; `lost`: of those
    that passed wholly (`whole`) fewer were told, in whatever way; `unsure`: not all were read.
    """
    rest = list(expected)
    for face in told.faces:
        if face not in rest:
            return "wrong"
        del rest[: rest.index(face) + 1]
    if told.cuts and "cut" not in left:
        return "wrong"
    if whole and len(told.faces) + len(told.missed) + told.cuts < len(left):
        return "lost"
    return "right" if tuple(told.faces) == tuple(expected) else "unsure"
