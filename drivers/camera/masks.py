"""Where there is paper in a small picture, and which pieces of it belong to one thing.

All on the small copy of a frame; masks are uint8, 0 or 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.edges import Outline, edges_of, seams_of
from drivers.camera.sight import Image

# Two classes of light are told apart only if they lie this far from each other (grey levels).
_APART = 28.0
_PAPER_LEAST = 60
_AREA_LEAST = 0.004
_LINE = 26
_THINGS = 8
# Between the background's brightness and the paper's: what is brighter than this is no background.
_PRINT = 0.3
# Two edges longer than this and nearer than that (shares of the width) are two cards'.
_LONG = 0.25
_GAP = 0.16


def darkest(image: Image) -> Image:
    """The least of a pixel's three channels: paper is bright in all of them, ink and skin not."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), dtype=np.uint8)


def brightest(image: npt.NDArray[Any]) -> Image:
    """The most of a pixel's three channels."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def paper_level(light: Image) -> int | None:
    """The grey level above which there is paper, None when the picture is of one kind."""
    blurred = cv2.blur(light, (3, 3))
    level, mask = cv2.threshold(blurred, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    above = mask > 0
    share = float(above.mean())
    if share in (0.0, 1.0):
        return None
    bright, dark = float(light[above].mean()), float(light[~above].mean())
    if bright - dark < _APART or bright < _PAPER_LEAST:
        return None
    return int(max(level, (bright + dark) / 2 - 6))


def paper_of(small: Image) -> tuple[Image, list[list[Outline]]] | None:
    """Where there is paper, and the outlines of its pieces, one list a thing, the
    largest first; None when there is none.
    """
    light = darkest(small)
    level = paper_level(light)
    if level is None:
        return None
    lines = _lines(light)
    paper = np.asarray((light > level) & (lines == 0), dtype=np.uint8)
    outlines = outlines_of(paper)
    seams = _seams(paper, outlines)
    if seams is not None:
        paper[seams > 0] = 0
        outlines = outlines_of(paper)
    cut = lines if seams is None else np.asarray(lines | (2 * seams), dtype=np.uint8)
    return paper, _together(brightest(small), paper, cut, outlines)


def outlines_of(mask: Image) -> list[Outline]:
    """The outlines of the largest things (each n x 2), those left out that lie inside another one:
    they are print.
    """
    height, width = mask.shape
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sized = [(cv2.contourArea(one), np.asarray(one, dtype=np.float32)) for one in found]
    large = [pair for pair in sized if pair[0] >= _AREA_LEAST * width * height]
    kept: list[Outline] = []
    for _, contour in sorted(large, key=lambda pair: pair[0], reverse=True):
        outline = Outline(contour.reshape(-1, 2), (width, height))
        few = outline.points[:: max(1, len(outline.points) // 24)].tolist()
        inside = (
            sum(cv2.pointPolygonTest(one.hull, (x, y), False) >= 0 for x, y in few) for one in kept
        )
        if all(count < 0.7 * len(few) for count in inside):
            kept.append(outline)
        if len(kept) == _THINGS:
            break
    return kept


def _lines(light: Image) -> Image:
    """Thin dark lines: two cards that lie close show one between them, which the camera's blur may
    have made too light for the level. They part them all the same.
    """
    smooth = cv2.blur(light, (3, 3))
    line = cv2.morphologyEx(smooth, cv2.MORPH_BLACKHAT, np.ones((9, 9), np.uint8))
    return np.asarray(line > _LINE, dtype=np.uint8)


def _seams(mask: Image, outlines: list[Outline]) -> Image | None:
    """Where cards lie edge to edge, as lines to cut along; None if none do."""
    width = mask.shape[1]
    seams = [seam for outline in outlines for seam in seams_of(outline)]
    if not seams:
        return None
    cut = np.zeros_like(mask)
    for at, inward in seams:
        end = at[0] + inward[0] * 2 * width, at[1] + inward[1] * 2 * width
        cv2.line(cut, (round(at[0]), round(at[1])), (round(end[0]), round(end[1])), 1, 2)
    return cut


def _together(
    bright: Image, paper: Image, lines: Image, outlines: list[Outline]
) -> list[list[Outline]]:
    """Pieces of one card that its print parts where the picture's border cuts through it: colour
    lies between them, not background. `lines`: 1 for a thin dark line, 2 where cards touch.
    """
    if len(outlines) < 2:
        return [[outline] for outline in outlines]
    around = np.ones_like(paper)
    for outline in outlines:
        cv2.fillConvexPoly(around, outline.hull.astype(np.int32), 0)
    background = bright[around > 0]
    dark = float(np.median(background)) if len(background) > 50 else 40.0
    level = dark + _PRINT * (float(np.median(bright[paper > 0])) - dark)
    joined = np.asarray(bright > level, dtype=np.uint8)
    joined = np.asarray(cv2.morphologyEx(joined, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))
    joined[(lines == 1) & (paper == 0) & (bright < 0.8 * level + 0.2 * 255)] = 0
    joined[lines >= 2] = 0
    _, labels = cv2.connectedComponents(np.asarray(joined | paper, dtype=np.uint8), connectivity=4)
    groups: list[tuple[int, list[Outline]]] = []
    for outline in outlines:
        x, y = outline.points[0]
        label = int(labels[int(y), int(x)])
        for known, group in groups:
            if known == label and not any(_facing(outline, other) for other in group):
                group.append(outline)
                break
        else:
            groups.append((label, [outline]))
    return [group for _, group in groups]


def _facing(one: Outline, other: Outline) -> bool:
    """Whether two things look at each other over a narrow gap, each with a long straight edge: they
    are two cards, and what bridges the gap is glare.
    """
    width = one.size[0]
    for a in edges_of([one]):
        for b in edges_of([other]):
            opposite = a.inward[0] * b.inward[0] + a.inward[1] * b.inward[1] < -0.97
            middle = (b.a[0] + b.b[0]) / 2, (b.a[1] + b.b[1]) / 2
            over = (middle[0] - a.a[0]) * a.inward[0] + (middle[1] - a.a[1]) * a.inward[1]
            near = -_GAP * width < over < 0
            if opposite and near and min(a.length, b.length) > _LONG * width:
                return True
    return False
