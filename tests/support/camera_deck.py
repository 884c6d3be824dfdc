"""A deck slid past one camera, card by card, as the simulator's renderer draws it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hw_sim.camera.design import CARD_MM, Design, design_of
from hw_sim.camera.draws import Draw, Pass
from hw_sim.camera.motion import Track, slide
from hw_sim.camera.scene import Look
from hw_sim.camera.sequences import Wish, usual_look
from hw_sim.camera.stock import Artwork, Print
from hw_sim.camera.symbols import TEMPLATE, Printing, text_of
from hw_sim.camera.window import Studio, Window, encode
from hw_sim.codes import VirtualCard

Picture = NDArray[np.uint8]
SUITS, RANKS = "SHDC", "A23456789TJQK"
NEW_DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class Booth:
    """One camera that stays where it is, and one deck. `design`: its name, or itself. `sign`: +1 to
    the right, -1 to the left. `beside_mm`: how far the cards' way is off the usual one, across it.
    `part`: the share of its way on which each card is shown.
    """

    design: str | Design = "standard"
    code: str = "none"
    seed: int = 3
    size: tuple[int, int] = (640, 480)
    fps: float = 60.0
    level: str = "clear"
    sign: int = 1
    speed: float = 350.0
    beside_mm: float = 0.0
    part: tuple[float, float] = (0.0, 1.0)
    look: Look | None = None
    artwork: Artwork | None = None

    def seen(self) -> Look:
        """How its camera sees."""
        if self.look is not None:
            return self.look
        wish = Wish(size=self.size, fps=self.fps, level=self.level, mount=0)
        look = usual_look(random.Random(self.seed), wish)
        return replace(look, light=replace(look.light, glare=()))

    def slides(self, faces: Sequence[str], seed: int) -> Iterator[list[Picture]]:
        """The pictures of each card's way, from outside to outside."""
        look = self.seen()
        studio = Studio(self.artwork)
        rng = random.Random(seed)
        high = look.optics.field_mm()[1]
        beside = -high / 2 + 4 + CARD_MM[1] / 2 + self.beside_mm
        design = design_of(self.design) if isinstance(self.design, str) else self.design
        for face in faces:
            text = "" if self.code == "none" else text_of(VirtualCard(face, 1, "A"), TEMPLATE)
            printing = Printing(self.code, 0.0, place="top")
            print_ = Print("card", design, face, text, printing)
            track = Track("x", self.sign, beside + rng.uniform(-0.7, 0.7))
            path = slide(track.way(look.optics), self.speed * rng.uniform(0.85, 1.2), 0.2)
            draw = Draw(look, [Pass(print_, track, path, degrees=rng.gauss(0, 0.8))])
            window = Window(draw, studio)
            step = 1 / self.fps
            first, last = (share * draw.seconds for share in self.part)
            at = first - rng.random() * step
            pictures = []
            while at < last + step:
                pictures.append(window.shot(at).image)
                at += step
            yield pictures


def write_slides(folder: Path, slides: Iterator[list[Picture]], quality: int = 92) -> list[Path]:
    """Each card's pictures as a sequence of its own, NNN_K.jpg; the folder's pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for number, pictures in enumerate(slides):
        for k, picture in enumerate(pictures):
            path = folder / f"{number:03}_{k:03}.jpg"
            path.write_bytes(encode(picture, quality))
            written.append(path)
    return written


def write_film(folder: Path, slides: Iterator[list[Picture]], quality: int = 92) -> list[Path]:
    """All cards' pictures as one sequence."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for pictures in slides:
        for picture in pictures:
            path = folder / f"all_{len(written):05}.jpg"
            path.write_bytes(encode(picture, quality))
            written.append(path)
    return written
