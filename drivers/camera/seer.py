"""What looks at a camera's pictures, as the process sees it: pictures in, events out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from drivers.camera.sight import Figures, Frame, Travel
from drivers.kinds.camera import CameraSpec
from drivers.protocols.camera_lines import Event


class Seer(Protocol):
    """Follows the cards through the pictures. Holds one camera's state; one thread calls it."""

    @property
    def figures(self) -> Figures | None:
        """Of the last picture; None before the first."""

    @property
    def empty(self) -> bool:
        """Whether nothing stood in the window in the last picture."""

    @property
    def travel(self) -> Travel | None:
        """Which way cards go, None until it is known."""

    @property
    def trouble(self) -> str:
        """Why pictures of cards cannot be kept, "" if they can, or need not be."""

    def keep(self, on: bool) -> None:
        """Whether pictures of cards are kept from here on."""

    def frame(self, frame: Frame) -> tuple[Event, ...]:
        """The next picture, live and whole; some may have been left out before it."""

    def interrupted(self) -> tuple[Event, ...]:
        """Pictures are missing before the next one: whatever stands in it may have been there
        before, may have been told of, and is not told again. What was being followed is given up,
        and told if it had left the shoe and was not read.
        """

    def finish(self) -> tuple[Event, ...]:
        """There are no more pictures, as at the end of a film."""


# Half of the time between two pictures of a camera that gives 60 a second.
HURRY_MS = 8.0

Maker = Callable[[CameraSpec], Seer]


class _Reader:
    """The pipeline, with the settings of the table's file."""

    def __init__(self, spec: CameraSpec) -> None:
        """Raises ValueError for a deck's file that is none."""
        from drivers.camera.looker import index_of
        from drivers.camera.pipeline import Pipeline
        from drivers.camera.seeing import Seeing
        from drivers.camera.warming import frames

        keep = spec.evidence == "cards" and spec.evidence_dir
        seeing = Seeing(
            codes=(spec.code(),),
            read=frozenset(spec.read),
            alone=spec.alone,
            decoder=spec.decoder,
            symbologies=spec.symbologies,
            travel=None if spec.travel == "auto" else spec.travel,
            px_per_mm=spec.px_per_mm,
            deck=Path(spec.deck) if spec.deck else None,
            cut_colour=spec.cut_colour,
            tell=spec.tell,
            hurry_ms=HURRY_MS,
            folder=Path(spec.evidence_dir) if keep else None,
        )
        # On a made-up card first, by a pipeline that keeps nothing: what it read is for nobody.
        blind = replace(seeing, folder=None, window=(0, 0, 0, 0), travel="right")
        index = index_of(seeing)
        practice = Pipeline(blind, index=index)
        for picture in frames(spec.size):
            practice.frame(picture)
        self._pipeline = Pipeline(seeing, index=index)
        self.frame = self._pipeline.frame
        self.interrupted = self._pipeline.interrupted
        self.finish = self._pipeline.finish
        self.keep = self._pipeline.keep

    @property
    def figures(self) -> Figures | None:
        scene = self._pipeline.scene
        return scene.figures if scene is not None else None

    @property
    def empty(self) -> bool:
        scene = self._pipeline.scene
        return scene is not None and not scene.regions

    @property
    def travel(self) -> Travel | None:
        return self._pipeline.travel

    @property
    def trouble(self) -> str:
        return self._pipeline.trouble


def the_pipeline(spec: CameraSpec) -> Seer:
    """The one that reads cards. Raises ValueError for settings that do not fit."""
    return _Reader(spec)
