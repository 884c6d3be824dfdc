"""What the parts of the camera reader tell each other: a frame, what stands in it, what was read.

Lengths are pixels of the frame unless a name says mm; x to the right, y down; times are monotonic
nanoseconds. Images are BGR, uint8, height x width x 3. Everything here is data: no part keeps a
reference to another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2

Image: TypeAlias = npt.NDArray[np.uint8]
Points: TypeAlias = npt.NDArray[np.float32]
Point: TypeAlias = tuple[float, float]
Travel: TypeAlias = Literal["right", "left", "down", "up"]
Side: TypeAlias = Literal["left", "right", "top", "bottom"]
Decoder: TypeAlias = Literal["pyzbar", "zxing"]
Symbology: TypeAlias = Literal["code128", "qr", "datamatrix"]

# A playing card of poker width, the size on which every figure in millimetres rests.
CARD_MM = (63.0, 88.0)


@dataclass(frozen=True)
class Frame:
    """One picture of the window. `number` counts the frames of the source, `at_ns` is when it was
    taken, as near as the source can tell.
    """

    number: int
    image: Image
    at_ns: int = 0

    @cached_property
    def grey(self) -> Image:
        """The picture without colour, height x width."""
        return np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True)
class Corner:
    """A corner of a card: where its two edges would meet were it not rounded.

    `x_axis`, `y_axis` are unit vectors along the edges, into the card, turned so that x to y is
    clockwise on the picture: if this is a corner with an index, the index reads along `x_axis` and
    the card's long side runs along `y_axis`. At the two other corners of a card the patch so
    described holds no index. `x_seen`, `y_seen`: how far each edge is seen. `rounding`: how far the
    outline passes from `at`; about nothing where the window's frame cuts the card off.
    """

    at: Point
    x_axis: Point
    y_axis: Point
    x_seen: float
    y_seen: float
    rounding: float = 0.0


@dataclass(frozen=True)
class Region:
    """One thing in the window. `outline` is its contour (n x 2), `corners` those of a card that are
    seen, `touches` the sides of the picture it is cut off by. `px_per_mm` where two opposite edges
    of a card are seen, or None. `paper` is the colour (B, G, R) of its light, unprinted parts.

    `spread`: how much its colours differ (standard deviation, grey levels); a cut card is of one
    colour. `share`: how much of it is paper.

    `kind`: `card` is paper with straight edges; `dark` a thing with straight edges and no paper (a
    cut card, a card back); `other` anything else (a finger, a hand, glare).
    """

    kind: Literal["card", "dark", "other"]
    outline: Points
    corners: tuple[Corner, ...]
    touches: frozenset[Side]
    px_per_mm: float | None = None
    paper: tuple[float, float, float] = (255.0, 255.0, 255.0)
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    spread: float = 0.0
    share: float = 1.0


# A thing's pieces in one frame: a finger or dark print parts a card.
Regions: TypeAlias = tuple[Region, ...]


@dataclass(frozen=True)
class Figures:
    """How the picture is, for the watchdog and for setting up. `light` and `spread` are the mean
    and standard deviation of its grey (0-255), `glare` the share of burnt-out pixels, `sharpness`
    the width of the sharpest straight edge in px (10-90 %), None where there is no edge.
    """

    light: float
    spread: float
    glare: float
    sharpness: float | None = None


@dataclass(frozen=True)
class Scene:
    """What stands in one frame."""

    frame: Frame
    regions: tuple[Region, ...]
    figures: Figures


@dataclass(frozen=True)
class CodeLook:
    """A symbol as it was decoded in one frame. `text` as printed, `raw` its bytes; `decoders` who
    read exactly this; `at` the middle of the symbol, `quad` its corners (4 x 2) if known.
    """

    text: str
    raw: bytes
    symbology: Symbology
    decoders: frozenset[Decoder]
    at: Point
    quad: Points | None = None
    module_px: float | None = None


@dataclass(frozen=True)
class IndexLook:
    """An index as one corner of one frame shows it.

    `face` such as `KH` only if both recognisers say so; else None, and `why` says why not:
    `no_index` (nothing like one), `unlike` (an index, but not clear enough), `disagree` (each
    recogniser is sure of another). `templates`, `network`: what each took it for, "" if nothing.
    `joker`: it is a joker's. `score` 0..1 is how clear the less sure of the two was.
    """

    corner: Corner
    face: str | None
    why: Literal["", "no_index", "unlike", "disagree"] = ""
    templates: str = ""
    network: str = ""
    joker: bool = False
    score: float = 0.0
    quad: Points | None = field(default=None, compare=False)
