"""Sequences of frames by seed: cards that slide past a window, with the truth of each.

    for one in sequences(7, Wish(code="code128", trouble="finger_code"), count=100):
        for frame in one.frames: ...

The same seed and wish give the same frames. In memory, one after the other: nothing is kept.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hw_sim.camera import truth
from hw_sim.camera.cv import Image
from hw_sim.camera.design import CARD_MM, DESIGNS, Design, design_of, rng_of
from hw_sim.camera.draws import Draw, Pass
from hw_sim.camera.faces import FACES
from hw_sim.camera.motion import Axis, Track, slide
from hw_sim.camera.optics import Optics
from hw_sim.camera.scene import Light, Look, Sensor
from hw_sim.camera.stock import Artwork, Print
from hw_sim.camera.symbols import (
    SYMBOLOGIES,
    TEMPLATE,
    Printing,
    check_fits,
    check_template,
    text_of,
)
from hw_sim.camera.troubles import trouble
from hw_sim.camera.troubles_card import follow
from hw_sim.camera.window import Glitches, Shot, Studio, Window, damage, decode, encode
from hw_sim.codes import VirtualCard

LEVELS = ("clear", "usual", "hard")
CODES = ("none", *SYMBOLOGIES, "any")
# Groups as they are told in the truth: by symbology, place and axis.
_GROUPS = {"none": "index", "qr": "qr", "datamatrix": "dm"}
_LONGEST_S = 30.0


@dataclass(frozen=True)
class Wish:
    """What sequences are wanted. `design`: a name, `seed:N`, or "" for any. `code`: `none`, a
    symbology or `any`; `place`, `module_mm`: see `symbols.Printing` ("" and 0: by seed). `trouble`:
    a name, "" for none; `params` of it. `frames`: how many; 0 for the whole way of the card.
    `level`: how well all is set up. `axis`, `mount`: None by seed. `follows`: how often the next
    card comes along. `jpeg`: frames go through a JPEG as a camera's do.
    """

    design: str = ""
    code: str = "none"
    place: str = ""
    module_mm: float = 0.0
    template: str = TEMPLATE
    trouble: str = ""
    params: tuple[tuple[str, object], ...] = ()
    frames: int = 6
    size: tuple[int, int] = (640, 480)
    fps: float = 60.0
    level: str = "usual"
    axis: Axis | None = None
    mount: int | None = None
    follows: float = 0.3
    face: str = ""
    jpeg: bool = True


@dataclass(frozen=True)
class Frame:
    """One frame: its number, time from the start in seconds, picture and truth."""

    k: int
    t: float
    image: Image
    truth: dict[str, Any]


@dataclass(frozen=True)
class Sequence:
    """One card's way past the camera, or whatever came of it. `expected`: faces (`KH`) a reader
    should report, in order. `truth`: all of it, frames too, as it is written to a file.
    """

    number: int
    expected: tuple[str, ...]
    frames: list[Frame]
    truth: dict[str, Any]
    draw: Draw = field(repr=False)


def sequences(
    seed: int, wish: Wish | None = None, count: int | None = None, artwork: Artwork | None = None
) -> Iterator[Sequence]:
    """Sequences one after the other, for ever or `count` of them. Raises FaultError, CodeError or
    ValueError for a wish that cannot be.
    """
    wanted, studio = wish or Wish(), Studio(artwork, cameras=1)
    check_template(wanted.template)
    number = 0
    while count is None or number < count:
        yield sequence(seed, number, wanted, studio)
        number += 1


def sequence(seed: int, number: int, wish: Wish, studio: Studio) -> Sequence:
    """The sequence of that number."""
    rng = rng_of("sequence", seed, number)
    draw = usual_draw(rng, wish)
    if wish.trouble:
        trouble(draw, wish.trouble, rng, dict(wish.params))
    frames = list(_frames(draw, wish, studio, rng))
    whole = {
        "level": wish.level,
        "seq": number,
        **truth.of_draw(draw),
        "frames": [frame.truth for frame in frames],
    }
    return Sequence(number, tuple(draw.expected), frames, whole, draw)


def usual_draw(rng: random.Random, wish: Wish) -> Draw:
    """A draw with nothing in particular wrong."""
    any_axis: tuple[Axis, ...] = ("x", "x", "y")
    drawn = rng.choice(any_axis)
    axis = drawn if wish.axis is None else wish.axis
    look = usual_look(rng, wish)
    face = wish.face or rng.choice(FACES)
    code = rng.choice(("none", *SYMBOLOGIES)) if wish.code == "any" else wish.code
    place = wish.place or ("side" if code == "code128" and rng.random() < 0.3 else "top")
    printing = Printing(code, wish.module_mm, place=place)
    card = VirtualCard(face, rng.randint(1, 8), "A")
    text = "" if code == "none" else text_of(card, wish.template)
    check_fits(text, printing)
    design = _design(rng, wish.design)
    track = Track(axis, rng.choice((-1, 1)), _beside(rng, look.optics, axis))
    speed = {"clear": rng.uniform(180, 420), "usual": rng.uniform(150, 750)}.get(
        wish.level, rng.uniform(300, 1000)
    )
    path = slide(track.way(look.optics), speed, rng.uniform(-0.3, 0.6))
    lean = rng.gauss(0, {"clear": 1.0, "usual": 3.0}.get(wish.level, 5.0))
    draw = Draw(
        look, [Pass(Print("card", design, face, text, printing), track, path, degrees=lean)]
    )
    draw.expected, draw.left = [face], [face]
    draw.code_of = functools.partial(text_of, template=wish.template)
    side = "side" if place == "side" else axis
    draw.group = _GROUPS.get(code, f"c128{side}")
    if rng.random() < wish.follows:
        follow(draw, rng.choice(FACES), rng.uniform(4, 70), rng)
    return draw


def _design(rng: random.Random, name: str) -> Design:
    return design_of(name or rng.choice([*DESIGNS]))


def _beside(rng: random.Random, optics: Optics, axis: Axis) -> float:
    """How far off the middle the card's way is: along x its upper edge is in the window, along y
    it is about in the middle.
    """
    wide, high = optics.field_mm()
    if axis == "y":
        return (
            rng.uniform(-3, 3) if wide > CARD_MM[0] else (CARD_MM[0] - wide) / 2 + rng.uniform(1, 4)
        )
    return -high / 2 + rng.uniform(2, 8) + CARD_MM[1] / 2


def usual_look(rng: random.Random, wish: Wish) -> Look:
    """A window as it may be set up, by seed."""
    scale = wish.size[0] / 640
    wild = {"clear": 0.3, "usual": 1.0}.get(wish.level, 1.7)
    mount = wish.mount if wish.mount is not None else rng.choice((0, 0, 0, 0, 90, 180, 270))
    optics = Optics(
        wish.size,
        rng.uniform(8.2, 10.5) * scale,
        (rng.gauss(0, 2.3) * wild, rng.gauss(0, 2.3) * wild),
        rng.gauss(0, 0.4) * wild,
        mount,
        rng.uniform(110, 220),
    )
    glare: tuple[tuple[float, float, float, float], ...] = ()
    if rng.random() < 0.45 * min(1, wild):
        spot = (rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(0.06, 0.16))
        glare = ((*spot, rng.uniform(60, 170) * wild),)
    warm = rng.uniform(-0.1, 0.1) * wild
    light = Light(
        level=rng.uniform(0.85, 1.0) if wild < 1 else rng.uniform(0.6, 1.1),
        slope=(rng.uniform(-0.35, 0.35) * wild, rng.uniform(-0.35, 0.35) * wild),
        tint=(1 - warm, 1 + rng.uniform(-0.03, 0.03) * wild, 1 + warm),
        fall=rng.uniform(0.05, 0.35) * wild,
        glare=glare,
    )
    sensor = Sensor(
        fps=wish.fps,
        exposure_s=rng.uniform(0.0002, 0.0004) if wild < 1 else rng.uniform(0.0002, 0.0009),
        readout_s=rng.choice((0.0, rng.uniform(0, 0.01))),
        defocus=rng.uniform(0.3, 0.6 + 0.5 * wild) * scale,
        shot=rng.uniform(0.1, 0.8),
        read=rng.uniform(1.0, 1.0 + 3 * wild),
        mono=rng.random() < 0.1 * wild,
        quality=rng.randint(82, 95),
    )
    return Look(optics, light, sensor, rng.randrange(1 << 30))


def _times(draw: Draw, wish: Wish, rng: random.Random) -> Iterator[float]:
    step = 1 / draw.look.sensor.fps
    if wish.frames:
        start = draw.middle_s - (wish.frames - 1) / 2 * step + rng.uniform(-0.1, 0.1) * draw.seconds
        end = start + _LONGEST_S
    else:
        start, end = -0.15, draw.seconds + 0.2
        ends = [glitch.to_s for glitch in draw.glitches if glitch.to_s < _LONGEST_S]
        end = max(end, max(ends, default=0.0) + 0.2)
    t = start
    while t < end:
        yield t
        t += step


def _frames(draw: Draw, wish: Wish, studio: Studio, rng: random.Random) -> Iterator[Frame]:
    window, glitches = Window(draw, studio), Glitches(rng.randrange(1 << 30))
    stock, made, first = studio.stock(draw.look), 0, None

    def render(at: float) -> Any:
        def shot(level: float, other: Print | None) -> Shot:
            return window.shot(at, level, other)

        return shot

    for t in _times(draw, wish, rng):
        first = t if first is None else first
        taken = glitches.take(t, draw.glitches, render(t))
        if taken is None:
            continue
        image: Image | None = taken.image
        if wish.jpeg and taken.wrong != "frozen":
            jpeg = encode(taken.image, draw.look.sensor.quality)
            image = decode(damage(jpeg, rng) if taken.damaged else jpeg)
        elif wish.jpeg:
            image = decode(encode(taken.image, draw.look.sensor.quality))
        if image is None:
            continue
        textures = {one.print: stock.texture(one.print) for one in draw.passes}
        yield Frame(made, t - first, image, truth.of_frame(made, t - first, taken, textures))
        made += 1
        if wish.frames and made == wish.frames:
            return


def write(folder: Path, seed: int, wish: Wish, count: int, artwork: Artwork | None = None) -> int:
    """Frames as `img/NNN_K.jpg` and `truth.json`; how many frames. Nothing is written for a wish
    that cannot be. Raises OSError too.
    """
    told, frames = [], 0
    for one in sequences(seed, wish, count, artwork):
        (folder / "img").mkdir(parents=True, exist_ok=True)
        for frame in one.frames:
            name = f"img/{one.number:03}_{frame.k}.jpg"
            (folder / name).write_bytes(encode(frame.image, 92))
            frame.truth["file"] = name
            frames += 1
        told.append(one.truth)
    designs = sorted({str(one["design"]) for one in told if one["design"]})
    whole = {"name": folder.name, "seed": seed, "designs": designs, "sequences": told}
    (folder / "truth.json").write_text(json.dumps(whole), encoding="utf-8")
    return frames
