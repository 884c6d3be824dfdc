"""The figures of a camera at its window, as plain numbers: what setting up measures and advises on.

Pure: no images in here.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from drivers.camera.asked import Symbology

Aside = Literal["left", "right", "up", "down"]
Way = Literal["right", "left", "down", "up"]


class CodeFigures(Struct, frozen=True, kw_only=True):
    """The codes that were seen. `module_px`: one module; `blur_modules`: how far an edge across
    the bars is smeared, in modules; `lean`: degrees between the bars and the card's edge's way;
    `along`: it is read the way the card slides, so that movement blurs it. `texts`: pictures in
    which one was read, `unread`: pictures with bars and nothing read.
    """

    symbology: Symbology
    module_px: float
    blur_modules: float | None = None
    along: bool = False
    texts: int = 0
    unread: int = 0


class IndexFigures(Struct, frozen=True, kw_only=True):
    """The indices that were seen. `corners`: so many corners of cards were in the picture far
    enough to hold one; `found`: an index stood there; `read`: both recognisers agreed on it.
    `high_px`, `high_mm`: rank and suit together. `out_mm`: how far the picture would have to go
    on for a whole index, and `out` on which side; "" if one is whole.
    """

    corners: int = 0
    found: int = 0
    read: int = 0
    high_px: float | None = None
    high_mm: float | None = None
    out_mm: float | None = None
    out: Aside | Literal[""] = ""


class Measured(Struct, frozen=True, kw_only=True):
    """All of it; None: not known.

    `fps`: pictures that came a second; `torn`: share of them that came damaged; `looked`: how many
    were looked at. `light`: of the whole picture (0-255); `paper`: of the cards' paper; `burnt`:
    share of the cards' pictures in which their paper is burnt out; `glare`: share of the picture
    that is burnt out though the paper is not; `wander`: how much the empty window's light goes up
    and down (share). `edge_px`: width of the sharpest card's edge (10-90 %), `motion_px`: what
    movement adds, both of the middle picture. `speed_mm_s`: of the cards. `lean`: degrees the
    cards' edges are off the picture's. `cards`: how many passed, `views`: pictures the camera took
    of each. `mirrored`: pictures that are read only when they are turned left to right. `refused`:
    settings the camera did not take, `drifted`: settings it took and does not keep. `strange`: a
    code's text that was read more than once and is none of the table's, "" for none.
    """

    size: tuple[int, int]
    seconds: float = 0.0
    fps: float = 0.0
    torn: float = 0.0
    looked: int = 0
    light: float | None = None
    paper: float | None = None
    burnt: float = 0.0
    glare: float = 0.0
    wander: float | None = None
    edge_px: float | None = None
    motion_px: float | None = None
    speed_mm_s: float | None = None
    px_per_mm: float | None = None
    lean: float | None = None
    cards: int = 0
    views: int | None = None
    pushed_back: int = 0
    card_pictures: int = 0
    travel: Way | None = None
    code: CodeFigures | None = None
    index: IndexFigures | None = None
    window: tuple[int, int, int, int] | None = None
    mirrored: bool = False
    strange: str = ""
    refused: str = ""
    drifted: str = ""
    lost: str = ""
