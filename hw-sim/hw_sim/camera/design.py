"""Designs of cards: what a deck's faces and backs look like. Six with names, and any by seed."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field, replace

from hw_sim.camera.cv import Colour
from hw_sim.camera.glyphs import Style

CARD_MM = (63.0, 88.0)
_RED: Colour = (35, 20, 205)
_BLACK: Colour = (22, 20, 20)


@dataclass(frozen=True)
class Design:
    """One deck's artwork; lengths in mm, colours BGR.

    `index_at`: the upper left corner of the rank. `rank_mm`: its height; `suit_mm`: that of the
    suit under it, `gap_mm` between them. `pip_mm`: height of the pips. `plump`: of the suits, see
    `shapes.suit`. `pips`: `standard`, or `one` in the middle. `court`: `figure`, `busy` (its
    frame is full of pattern), `letter` or `none`; `frame`: a line around it. `corner_mm`: the
    rounding of the card's corners.
    """

    name: str
    rank: Style = field(default_factory=Style)
    index_at: tuple[float, float] = (2.6, 3.4)
    rank_mm: float = 8.6
    suit_mm: float = 6.0
    gap_mm: float = 1.8
    pip_mm: float = 13.0
    columns_mm: float = 28.0
    plump: float = 0.5
    pips: str = "standard"
    court: str = "figure"
    frame: bool = True
    colours: dict[str, Colour] = field(
        default_factory=lambda: {"S": _BLACK, "H": _RED, "D": _RED, "C": _BLACK}
    )
    paper: Colour = (252, 253, 253)
    corner_mm: float = 3.2
    back: str = "lattice"
    back_colour: Colour = (120, 40, 30)

    def __hash__(self) -> int:
        return hash((self.name, self.rank, self.rank_mm, self.pip_mm, self.plump, self.back))


DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design("standard"),
        Design(
            "jumbo",
            Style(width=0.55, stroke=0.17, square=True),
            index_at=(2.4, 3.0),
            rank_mm=16.0,
            suit_mm=11.5,
            gap_mm=2.0,
            pip_mm=11.5,
            columns_mm=18.0,
            plump=0.8,
            frame=False,
            back="rings",
            back_colour=(40, 30, 150),
        ),
        Design(
            "narrow",
            Style(width=0.42, stroke=0.1, other=True, joined=True),
            index_at=(2.2, 3.6),
            rank_mm=10.0,
            suit_mm=5.2,
            gap_mm=1.5,
            pip_mm=12.0,
            plump=0.2,
            colours={"S": (30, 20, 15), "H": (40, 30, 190), "D": (40, 30, 190), "C": (30, 20, 15)},
            back="stripes",
            back_colour=(60, 90, 30),
        ),
        Design(
            "serif",
            Style(width=0.66, stroke=0.15, thin=0.42, serif=0.34, square=True),
            index_at=(2.4, 3.6),
            rank_mm=8.4,
            suit_mm=5.6,
            gap_mm=1.6,
            pip_mm=14.0,
            plump=1.0,
            paper=(240, 249, 252),
            back="rosettes",
            back_colour=(25, 25, 125),
        ),
        Design(
            "four-colour",
            Style(width=0.58, stroke=0.14, slant=0.1),
            index_at=(2.4, 3.2),
            rank_mm=9.6,
            suit_mm=7.0,
            pip_mm=12.5,
            colours={
                "S": (25, 20, 20),
                "H": (30, 20, 205),
                "D": (190, 80, 20),
                "C": (50, 125, 20),
            },
            back="checks",
            back_colour=(150, 70, 40),
        ),
        Design(
            "minimal",
            Style(width=0.56, stroke=0.085, other=True),
            index_at=(4.2, 5.0),
            rank_mm=11.5,
            suit_mm=7.2,
            gap_mm=2.4,
            pip_mm=26.0,
            pips="one",
            court="letter",
            frame=False,
            plump=0.35,
            colours={"S": (40, 36, 34), "H": (60, 40, 215), "D": (60, 40, 215), "C": (40, 36, 34)},
            back="plain",
            back_colour=(70, 60, 55),
        ),
    )
}


def design_of(name: str) -> Design:
    """A design by name, or drawn by seed: `seed:7`. Raises ValueError naming those there are."""
    if name in DESIGNS:
        return DESIGNS[name]
    kind, colon, seed = name.partition(":")
    if kind == "seed" and colon and seed.isdigit():
        return drawn(int(seed))
    raise ValueError(f"no design {name!r}; there are {', '.join(DESIGNS)} and seed:N")


def drawn(seed: int) -> Design:
    """A design whose every figure is drawn by seed."""
    rng = random.Random(f"design/{seed}")
    start = DESIGNS[rng.choice(("standard", "narrow", "serif", "four-colour", "jumbo"))]
    serif = rng.random() < 0.35
    rank_mm = start.rank_mm * rng.uniform(0.85, 1.1)
    style = Style(
        # No index is so wide that it meets pips or figures.
        width=min(rng.uniform(0.42, 0.72), 8.0 / rank_mm),
        stroke=rng.uniform(0.09, 0.16),
        thin=rng.uniform(0.4, 0.7) if serif else 1.0,
        serif=rng.uniform(0.25, 0.4) if serif else 0.0,
        slant=rng.choice((0.0, 0.0, 0.0, rng.uniform(0.04, 0.14))),
        square=rng.random() < 0.5,
        other=rng.random() < 0.5,
        joined=rng.random() < 0.4,
    )
    red: Colour = (rng.randint(10, 60), rng.randint(10, 45), rng.randint(175, 225))
    black = _three(rng, 12, 45)
    two = {"S": black, "H": red, "D": red, "C": black}
    return replace(
        start,
        name=f"seed:{seed}",
        rank=style,
        index_at=(rng.uniform(1.8, 4.0), rng.uniform(2.6, 5.2)),
        rank_mm=rank_mm,
        suit_mm=start.suit_mm * rng.uniform(0.8, 1.15),
        gap_mm=rng.uniform(1.0, 2.6),
        pip_mm=start.pip_mm * rng.uniform(0.8, 1.1),
        plump=rng.random(),
        frame=rng.random() < 0.6,
        colours=start.colours if start.name == "four-colour" else two,
        paper=_three(rng, 240, 255),
        corner_mm=rng.uniform(2.4, 4.0),
        back=rng.choice(("lattice", "rings", "stripes", "rosettes", "checks", "plain")),
        back_colour=_three(rng, 20, 150),
        court=rng.choice(("figure", "busy", "busy")),
    )


def _three(rng: random.Random, low: int, high: int) -> Colour:
    return rng.randint(low, high), rng.randint(low, high), rng.randint(low, high)


def rng_of(*parts: object) -> random.Random:
    """A generator of its own for each thing that is drawn by seed."""
    return random.Random(zlib.crc32("/".join(map(str, parts)).encode()))
