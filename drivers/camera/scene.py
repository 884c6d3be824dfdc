"""What stands in the window: paper and other things, their edges and corners, from one frame.

Worked out on a small copy of the frame (320 px wide): edges are fitted over many pixels, so that
their place is known to about one pixel of the whole frame all the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.edges import Edge, Outline, corners_of, edges_of, scale_of
from drivers.camera.lamp import Lamp, whiteness
from drivers.camera.masks import brightest, outlines_of, paper_of
from drivers.camera.shrink import shrunk
from drivers.camera.sight import Corner, Figures, Frame, Image, Points, Region, Scene, Side

_WIDTH = 320
_STRANGE = 14
_FAINT = 9
_GLARE = 252
_LEARN = 0.1
# An edge through the picture is at least so long, and one that speaks for itself so long, as shares
# of the picture's shorter side.
_STRAIGHT = 0.16
_LONG = 0.45
_AT_BORDER = 6
# Paper is white under the lamp: its least channel is no less than this share of its most; more is
# asked of what shows no corner.
_WHITE = 0.68
_WHITER = 0.74
# A window without a card is grey; of what is nearly black that cannot be told.
_GREY = 0.5
_DARK = 20.0


@dataclass
class SceneFinder:
    """Finds what stands in frames of one camera. It learns the empty window from the frames of
    which the caller says that they are empty (`learn`); without that it sees paper only. `lamp`:
    the colour of the light, which the caller teaches it by the cards that were read.
    """

    lamp: Lamp = field(default_factory=Lamp)
    _empty: Image | None = field(default=None, init=False)

    def find(self, frame: Frame) -> Scene:
        """Everything in the window larger than four thousandths of the picture."""
        small, scale = _small(frame.image)
        figures = _figures(small)
        regions: list[Region] = []
        found = paper_of(small)
        if found is not None:
            paper, groups = found
            regions += [_region(small, paper, group, scale, self.lamp) for group in groups]
        # Glare on a dark thing is white and no paper: it is left to that thing.
        paper_of_its_own = [one for one in regions if not _is_glare(one)]
        strange = self._strange(small, paper_of_its_own, scale)
        if strange is not None:
            others = outlines_of(strange)
            regions += [_region(small, strange, [one], scale, None) for one in others]
        return Scene(frame, tuple(regions), figures)

    def learn(self, frame: Frame) -> None:
        """This frame shows the empty window."""
        small = cv2.blur(_small(frame.image)[0], (5, 5))
        if self._empty is None or self._empty.shape != small.shape:
            self._empty = np.asarray(small, dtype=np.uint8)
        else:
            mixed = cv2.addWeighted(self._empty, 1 - _LEARN, small, _LEARN, 0)
            self._empty = np.asarray(mixed, dtype=np.uint8)

    def forget(self) -> None:
        """The camera has been moved or opened anew: the empty window is not known."""
        self._empty = None

    def white_light(self) -> bool:
        """Whether colours can be told: the lamp's is known, or the empty window is not of one."""
        if self.lamp.known or self._empty is None:
            return self.lamp.known
        blue, green, red = cv2.mean(self._empty)[:3]
        return self.bed() > _DARK and whiteness((blue, green, red)) > _GREY

    def bed(self) -> float:
        """How light the empty window is, in its lightest colour (0-255); 0 when not known."""
        return 0.0 if self._empty is None else float(max(cv2.mean(self._empty)[:3]))

    def _strange(self, small: Image, known: list[Region], scale: float) -> Image | None:
        """Where the window differs from the empty one, the paper found already left out."""
        if self._empty is None or self._empty.shape != small.shape:
            return None
        difference = brightest(cv2.absdiff(cv2.blur(small, (5, 5)), self._empty))
        mask = _grown(difference)
        for region in known:
            hull = cv2.convexHull(region.outline / scale).astype(np.int32)
            cv2.fillConvexPoly(mask, hull, 0)
            cv2.polylines(mask, [hull], True, 0, 7)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)))


def _is_glare(region: Region) -> bool:
    return region.kind == "other" and max(region.paper) >= _GLARE


def _grown(difference: Image) -> Image:
    """Where it differs clearly, and what differs a little and hangs together with that: a black cut
    card on a dark bed is so in parts.
    """
    mask = np.asarray(difference > _FAINT, dtype=np.uint8)
    clear = difference > _STRANGE
    if not clear.any():
        return np.zeros_like(mask)
    _, labels = cv2.connectedComponents(mask, connectivity=4)
    kept = np.zeros(int(labels.max()) + 1, dtype=np.uint8)
    kept[np.unique(labels[clear])] = 1
    kept[0] = 0
    return np.asarray(kept[labels], dtype=np.uint8)


def _region(
    small: Image, mask: Image, pieces: list[Outline], scale: float, lamp: Lamp | None
) -> Region:
    """`lamp`: None for what was not found as paper."""
    height, width = mask.shape
    outline = np.asarray(np.concatenate([piece.points for piece in pieces]), dtype=np.float32)
    edges = edges_of(pieces)
    x, y, w, h = cv2.boundingRect(outline)
    colour, spread, share = _colours(small, mask, outline, (x, y, w, h))
    full = np.asarray((outline + 0.5) * scale, dtype=np.float32)
    corners = corners_of(tuple(edge.times(scale) for edge in edges), full)
    white = 0.0 if lamp is None else whiteness(lamp.balanced(colour))
    kind = _kind(edges, corners, white, (width, height))
    return Region(
        kind=kind,
        outline=full,
        corners=corners if kind != "other" else (),
        touches=_touches(outline, width, height),
        px_per_mm=scale_of(corners, full),
        paper=colour,
        box=(int(x * scale), int(y * scale), int(np.ceil(w * scale)), int(np.ceil(h * scale))),
        spread=spread,
        share=share,
    )


def _kind(
    edges: tuple[Edge, ...], corners: tuple[Corner, ...], white: float, size: tuple[int, int]
) -> Literal["card", "dark", "other"]:
    """A finger has straight edges too, and light skin is nearly white: an edge speaks for a card if
    it makes a corner with another one, or runs right through the picture, or is very long.
    """
    shorter = min(size)
    through = any(edge.length >= _STRAIGHT * shorter and _through(edge, size) for edge in edges)
    long = any(edge.length >= _LONG * shorter for edge in edges)
    if ((corners or through) and white >= _WHITE) or (long and white >= _WHITER):
        return "card"
    return "dark" if corners or through else "other"


def _through(edge: Edge, size: tuple[int, int]) -> bool:
    """Whether both ends of an edge lie at the picture's border."""
    return all(
        min(x, y, size[0] - 1 - x, size[1] - 1 - y) <= _AT_BORDER for x, y in (edge.a, edge.b)
    )


def _small(image: Image) -> tuple[Image, float]:
    scale = image.shape[1] / _WIDTH
    if scale <= 1:
        return image, 1.0
    size = (_WIDTH, max(1, round(image.shape[0] / scale)))
    return shrunk(image, size), scale


def _figures(small: Image) -> Figures:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    mean, spread = cv2.meanStdDev(grey)
    glare = float((grey >= _GLARE).mean())
    return Figures(float(mean[0, 0]), float(spread[0, 0]), glare)


def _touches(outline: Points, width: int, height: int) -> frozenset[Side]:
    sides: set[Side] = set()
    left, top = outline.min(axis=0)
    right, bottom = outline.max(axis=0)
    if left <= 1:
        sides.add("left")
    if top <= 1:
        sides.add("top")
    if right >= width - 2:
        sides.add("right")
    if bottom >= height - 2:
        sides.add("bottom")
    return frozenset(sides)


def _colours(
    small: Image, mask: Image, outline: Points, box: tuple[int, int, int, int]
) -> tuple[tuple[float, float, float], float, float]:
    """The colour of the thing's light parts, how much all of its colours spread (the largest
    standard deviation of a channel), and which share of it is paper.
    """
    x, y, w, h = box
    whole = np.zeros((h, w), dtype=np.uint8)
    hull = cv2.convexHull(outline - np.array([x, y], np.float32)).astype(np.int32)
    cv2.fillConvexPoly(whole, hull, 1)
    share = cv2.countNonZero(mask[y : y + h, x : x + w] & whole) / max(1, cv2.countNonZero(whole))
    step = max(1, round((w * h / 3000) ** 0.5))
    part = small[y : y + h : step, x : x + w : step]
    whole = whole[::step, ::step]
    light = part[(mask[y : y + h : step, x : x + w : step] & whole) > 0]
    if len(light) == 0:
        return (255.0, 255.0, 255.0), 0.0, 0.0
    least = np.minimum(np.minimum(light[:, 0], light[:, 1]), light[:, 2])
    place = int(0.4 * len(least))
    bright = light[least >= np.partition(least, place)[place]]
    blue, green, red = np.median(bright, axis=0)
    # At its edge the background shines in.
    inner = cv2.erode(whole, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_REPLICATE)
    spread = cv2.meanStdDev(part, mask=inner if cv2.countNonZero(inner) else whole)[1]
    return (float(blue), float(green), float(red)), float(spread.max()), share
