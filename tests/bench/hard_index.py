"""The index under several troubles at once: `python -m tests.bench.hard_index --count N --seed S`.

Single pictures of rendered cards, two of three with a black suit, in light that has grown dim, out
of focus, smeared, noisy, badly compressed, each by chance and several together. The index is looked
at where it truly lies (0.2 mm off), by the reader as it is and with no limit to clarity; told are
how many each read right, not surely and wrong, and what the limit to clarity costs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.clarity import ClarityLimits
from drivers.camera.index.reader import IndexReader
from drivers.camera.sight import Corner, Frame, IndexLook
from drivers.camera.truth import face
from hw_sim.camera import sequences as rendered
from hw_sim.camera import truth
from hw_sim.camera.design import CARD_MM, DESIGNS
from hw_sim.camera.optics import mapped
from hw_sim.camera.sequences import Wish
from hw_sim.camera.troubles import trouble
from hw_sim.camera.window import Studio, Taken, Window, decode, encode

# A trouble, how often it is there, and from where to where its parameter goes.
STACK: tuple[tuple[str, float, str, int, int], ...] = (
    ("led_dim", 0.6, "hours", 5000, 60000),
    ("blur", 0.4, "px", 2, 9),
    ("defocus", 0.5, "px", 1, 5),
    ("noise", 0.5, "grey", 4, 22),
    ("jpeg_poor", 0.25, "quality", 12, 50),
    ("glare", 0.15, "strength", 60, 220),
    ("dust", 0.1, "specks", 10, 60),
    ("colour_cast", 0.15, "", 0, 0),
    ("red_light", 0.08, "", 0, 0),
)
_OFF_MM = 0.2


def looked_at(seed: int, number: int, studio: Studio) -> Iterator[tuple[str, Frame, Corner, float]]:
    """The face, picture, corner and px a mm of each index that is wholly seen in one picture."""
    rng = random.Random(f"hard index/{seed}/{number}")
    design = rng.choice([*DESIGNS, *(f"seed:{rng.randint(1, 400)}" for _ in range(8))])
    wish = Wish(
        design=design,
        level=rng.choice(("usual", "hard")),
        follows=0.0,
        face=rng.choice("A23456789TJQK") + rng.choice("SCSCHD"),
    )
    draw = rendered.usual_draw(rng, wish)
    for name, often, param, low, high in STACK:
        if rng.random() < often:
            trouble(draw, name, rng, {param: rng.randint(low, high)} if param else {})
    at = draw.middle_s + rng.uniform(-0.1, 0.1) * draw.seconds
    shot = Window(draw, studio).shot(at)
    image = decode(encode(shot.image, draw.look.sensor.quality))
    assert image is not None
    stock = studio.stock(draw.look)
    textures = {one.print: stock.texture(one.print) for one in draw.passes}
    told = truth.of_frame(0, 0.0, Taken(image, shot), textures)
    px = draw.look.optics.px_per_mm
    for card in told["cards"]:
        for end in ("", "_br"):
            parts = [card.get(f"{part}{end}", {"visible": 0.0}) for part in ("rank", "suit")]
            if min(part["visible"] for part in parts) >= 0.99:
                corner = _corner(np.array(card["H"]), bool(end), rng, px)
                yield face(str(card["card"])), Frame(number, image), corner, px


def _corner(matrix: np.ndarray, far: bool, rng: random.Random, px: float) -> Corner:
    at = np.array([CARD_MM if far else (0.0, 0.0)] * 3, dtype=np.float64)
    step = -1.0 if far else 1.0
    at[1, 0] += step
    at[2, 1] += step
    here, along, down = mapped(matrix, at)
    x, y = ((end - here) / np.linalg.norm(end - here) for end in (along, down))
    off = np.array([rng.gauss(0, _OFF_MM), rng.gauss(0, _OFF_MM)]) * px
    found = here + off
    return Corner(
        (float(found[0]), float(found[1])),
        (float(x[0]), float(x[1])),
        (float(y[0]), float(y[1])),
        20 * px,
        40 * px,
    )


def outcomes(right: str, look: IndexLook) -> Iterator[tuple[str, str]]:
    """Who said what of it."""
    said = (("templates", look.templates), ("network", look.network), ("both", look.face or ""))
    for who, what in said:
        yield who, "right" if what == right else "wrong" if what else "unsure"


def main() -> None:
    """Run and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    readers = {
        "as it is": IndexReader(),
        "any clarity": IndexReader(clarity=ClarityLimits(99.0, 99.0)),
    }
    studio = Studio(cameras=1)
    tally: Counter[tuple[str, str, str]] = Counter()
    for number in range(options.count):
        for right, frame, corner, px in looked_at(options.seed, number, studio):
            for name, reader in readers.items():
                look = reader.look_at(frame, corner, px)
                for who, what in outcomes(right, look):
                    tally[name, who, what] += 1
                if look.face not in (None, right):
                    sys.stdout.write(f"{number}: {right} read as {look.face}, {name}\n")
    for (name, who, what), times in sorted(tally.items()):
        sys.stdout.write(f"{name:12} {who:10} {what:7} {times}\n")


if __name__ == "__main__":
    main()
