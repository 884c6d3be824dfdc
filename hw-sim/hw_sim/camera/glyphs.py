"""Letters and digits as strokes of a pen, in a box of 1 x 1, y down. Drawn here, copied nowhere.

A glyph is its strokes and the places where a serif may stand. How it looks is for whoever draws:
width, pen, slant, serifs; some digits have two shapes.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from hw_sim.camera.cv import Points
from hw_sim.camera.shapes import bezier, ellipse


@dataclass(frozen=True)
class Style:
    """How glyphs are written. `width`: of a glyph in heights; `stroke`: of the pen in heights;
    `thin`: the pen's height in widths, below 1 for thick uprights and thin bars; `serif`: length
    of a serif in heights, 0 for none; `slant`: to the right, in widths a height; `square`: ends
    are cut straight; `other`: the second shape of the digits that have one; `joined`: the two
    digits of a ten touch.
    """

    width: float = 0.6
    stroke: float = 0.11
    thin: float = 1.0
    serif: float = 0.0
    slant: float = 0.0
    square: bool = False
    other: bool = False
    joined: bool = False


@dataclass(frozen=True)
class Glyph:
    """`serifs`: ends of uprights where a serif may stand, in the glyph's own box. `narrow`: how
    wide it is, as a share of the others.
    """

    lines: tuple[Points, ...]
    serifs: tuple[tuple[float, float], ...] = ()
    narrow: float = 1.0


def _line(*points: tuple[float, float]) -> Points:
    return np.asarray(points, dtype=np.float64)


def _joined(*parts: Points) -> Points:
    return np.vstack(parts)


def _two() -> Glyph:
    top = bezier((0.05, 0.27), (0.06, -0.09), (0.96, -0.09), (0.95, 0.28))
    down = bezier((0.95, 0.28), (0.95, 0.52), (0.45, 0.66), (0.03, 1.0))
    return Glyph((_joined(top, down, _line((0.98, 1.0))),))


def _three(flat: bool) -> Glyph:
    bowl = bezier((0.42, 0.43), (0.85, 0.42), (0.97, 0.58), (0.97, 0.72))
    foot = bezier((0.97, 0.72), (0.97, 1.1), (0.1, 1.1), (0.03, 0.78))
    if flat:
        return Glyph((_joined(_line((0.06, 0.0), (0.92, 0.0)), bowl, foot),))
    top = bezier((0.07, 0.2), (0.14, -0.08), (0.92, -0.09), (0.91, 0.23))
    waist = bezier((0.91, 0.23), (0.9, 0.4), (0.72, 0.46), (0.4, 0.46))
    return Glyph(
        (
            _joined(top, waist),
            _joined(bezier((0.4, 0.46), (0.86, 0.45), (0.97, 0.58), (0.97, 0.73)), foot),
        )
    )


def _four(open_: bool) -> Glyph:
    if open_:
        return Glyph(
            (_line((0.3, 0.0), (0.03, 0.68), (1.0, 0.68)), _line((0.72, 0.36), (0.72, 1.0)))
        )
    return Glyph((_line((0.74, 1.0), (0.74, 0.0), (0.02, 0.7), (1.0, 0.7)),), ((0.74, 1.0),))


def _five() -> Glyph:
    bowl = bezier((0.12, 0.46), (0.32, 0.3), (0.97, 0.3), (0.97, 0.68))
    foot = bezier((0.97, 0.68), (0.97, 1.09), (0.12, 1.1), (0.03, 0.8))
    return Glyph((_joined(_line((0.9, 0.0), (0.18, 0.0), (0.12, 0.46)), bowl, foot),))


def _six(straight: bool) -> tuple[Points, ...]:
    bowl = ellipse(0.5, 0.68, 0.47, 0.32)
    if straight:
        return (bowl, bezier((0.74, 0.0), (0.35, 0.3), (0.08, 0.52)))
    return (bowl, bezier((0.03, 0.68), (0.02, 0.1), (0.5, -0.12), (0.92, 0.14)))


def _seven(curved: bool) -> Glyph:
    if curved:
        return Glyph(
            (
                _joined(
                    _line((0.02, 0.0)), bezier((0.98, 0.0), (0.6, 0.36), (0.38, 0.7), (0.36, 1.0))
                ),
            )
        )
    return Glyph((_line((0.02, 0.0), (0.97, 0.0), (0.36, 1.0)),), ())


def _ranks() -> dict[str, Glyph]:
    """The letters of the courts and the ace, and the two digits of a ten."""
    round_ = ellipse(0.5, 0.5, 0.48, 0.5)
    j = bezier((0.76, 0.7), (0.76, 1.1), (0.04, 1.1), (0.04, 0.7))
    return {
        "A": Glyph(
            (_line((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), _line((0.17, 0.66), (0.83, 0.66))),
            ((0.0, 1.0), (1.0, 1.0)),
        ),
        "J": Glyph((_joined(_line((0.76, 0.0)), j),), ((0.76, 0.0),), 0.9),
        "Q": Glyph((ellipse(0.5, 0.49, 0.48, 0.49), _line((0.56, 0.68), (1.0, 1.04)))),
        "K": Glyph(
            (
                _line((0.06, 0.0), (0.06, 1.0)),
                _line((0.93, 0.0), (0.06, 0.62)),
                _line((0.36, 0.41), (1.0, 1.0)),
            ),
            ((0.06, 0.0), (0.06, 1.0), (0.93, 0.0), (1.0, 1.0)),
        ),
        "0": Glyph((round_,), (), 0.82),
        "1": Glyph((_line((0.05, 0.2), (0.6, 0.0), (0.6, 1.0)),), ((0.6, 1.0),), 0.45),
    }


def _letters() -> dict[str, Glyph]:
    """What else is written on cards: JOKER, CUT."""
    round_ = ellipse(0.5, 0.5, 0.48, 0.5)
    return {
        "O": Glyph((round_,)),
        "C": Glyph((ellipse(0.52, 0.5, 0.5, 0.5, 45, 315),)),
        "E": Glyph(
            (
                _line((0.95, 0.0), (0.08, 0.0), (0.08, 1.0), (0.95, 1.0)),
                _line((0.08, 0.48), (0.75, 0.48)),
            )
        ),
        "R": Glyph(
            (
                _joined(
                    _line((0.08, 1.0), (0.08, 0.0), (0.5, 0.0)),
                    ellipse(0.5, 0.27, 0.42, 0.27, -90, 90),
                    _line((0.08, 0.54)),
                ),
                _line((0.5, 0.54), (1.0, 1.0)),
            )
        ),
        "T": Glyph((_line((0.0, 0.0), (1.0, 0.0)), _line((0.5, 0.0), (0.5, 1.0)))),
        "U": Glyph(
            (
                _joined(
                    _line((0.06, 0.0)),
                    bezier((0.06, 0.66), (0.06, 1.12), (0.94, 1.12), (0.94, 0.66)),
                    _line((0.94, 0.0)),
                ),
            )
        ),
    }


@functools.lru_cache(maxsize=2)
def glyphs(other: bool) -> dict[str, Glyph]:
    """Every glyph there is, in the first or the second shape."""
    six = _six(other)
    return {
        "2": _two(),
        "3": _three(other),
        "4": _four(other),
        "5": _five(),
        "6": Glyph(six),
        "7": _seven(other),
        "8": Glyph((ellipse(0.5, 0.25, 0.39, 0.25), ellipse(0.5, 0.74, 0.48, 0.26))),
        "9": Glyph(tuple(1.0 - line for line in six)),
        **_ranks(),
        **_letters(),
    }


@dataclass(frozen=True)
class Written:
    """Text as strokes in mm. `pen`: its width and height; `box`: x, y, width, height of it all,
    the pen's own width included.
    """

    lines: list[Points]
    pen: tuple[float, float]
    box: tuple[float, float, float, float]


def write(text: str, style: Style, height: float, at: tuple[float, float]) -> Written:
    """`text` with its upper left corner at `at`, `height` mm high. A space is a narrow gap."""
    pen = (style.stroke * height, style.stroke * height * style.thin)
    inner = height - pen[1]
    x, lines = at[0], []
    ten = text == "10"
    for character in text:
        if character == " ":
            x += 0.4 * style.width * height
            continue
        glyph = glyphs(style.other)[character]
        room = style.width * height * glyph.narrow * (0.95 if ten else 1.0)
        if glyph.narrow < 0.5:
            room = max(room, pen[0] * 1.8)
        wide = max(room - pen[0], 0.05)
        origin = (x + pen[0] / 2, at[1] + pen[1] / 2)
        lines += [_placed(line, style, origin, (wide, inner)) for line in glyph.lines]
        lines += _serifs(glyph, style, origin, (wide, inner), height)
        x += room + (0.0 if ten and style.joined else max(0.06 * height, pen[0] * 0.55))
    every = np.vstack(lines)
    low, high = every.min(axis=0) - np.array(pen) / 2, every.max(axis=0) + np.array(pen) / 2
    shift = np.array([at[0] - low[0], 0.0])
    box = (at[0], float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))
    return Written([line + shift for line in lines], pen, box)


def _placed(
    line: Points, style: Style, origin: tuple[float, float], size: tuple[float, float]
) -> Points:
    slanted = line + np.stack(
        [(1 - line[:, 1]) * style.slant / style.width, 0 * line[:, 1]], axis=1
    )
    return np.asarray(slanted * size + origin)


def _serifs(
    glyph: Glyph,
    style: Style,
    origin: tuple[float, float],
    size: tuple[float, float],
    height: float,
) -> list[Points]:
    if not style.serif:
        return []
    # Serifs of one glyph do not run into each other.
    made, reach = [], min(0.2, style.serif * height / 2 / size[0])
    for x, y in glyph.serifs:
        bar = _line((x - reach, y), (x + reach, y))
        made.append(_placed(bar, style, origin, size))
    return made
