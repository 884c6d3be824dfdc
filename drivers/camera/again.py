"""An index that was read in one frame, found in the next one or the one before: the card's corner
has left the picture there, or not come into it, but the index is whole.

Only the place is found by likeness; what stands there is read anew by both recognisers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Corner, Frame, Image, IndexLook, Points, Region

# An index is looked for at about this height, and found if it is so like (correlation).
_HIGH_PX = 36
_ALIKE = 0.8
_RIM = 0.12
# A corner that was looked at already is no farther from the place that is found, in index heights.
_SAME = 0.35


def corner_again(
    look: IndexLook, frame: Frame, other: Frame, regions: Sequence[Region]
) -> Corner | None:
    """The corner of `look`, which was read in `frame`, where it is in the `other` frame, in which
    the card shows as `regions`. None if its index is not found whole, or a corner is seen there.
    """
    if look.quad is None or frame.size != other.size:
        return None
    box = _boxed(look.quad, frame.size)
    if box is None:
        return None
    x, y, wide, high = box
    area = _around(regions, other.size)
    scale = min(1.0, _HIGH_PX / high)
    piece = _small(frame.grey[y : y + high, x : x + wide], scale)
    # The paper around it may be cut off in the one and not in the other.
    rim = round(_RIM * max(wide, high) * scale)
    whole = _small(other.grey[area[1] : area[3], area[0] : area[2]], scale)
    whole = _edged(whole, rim)
    if piece.shape[0] >= whole.shape[0] or piece.shape[1] >= whole.shape[1]:
        return None
    likeness = cv2.matchTemplate(whole, piece, cv2.TM_CCOEFF_NORMED)
    _, best, _, place = cv2.minMaxLoc(likeness)
    if best < _ALIKE:
        return None
    dx = area[0] + (place[0] - rim) / scale - x
    dy = area[1] + (place[1] - rim) / scale - y
    dx, dy = _finer(frame.grey, other.grey, box, (dx, dy), 1.5 / scale)
    at = look.corner.at[0] + dx, look.corner.at[1] + dy
    middle = look.quad.mean(axis=0) + np.array([dx, dy])
    if not any(_inside(region, middle) for region in regions):
        # On another card, one that lies askew behind it.
        return None
    seen = (corner.at for region in regions for corner in region.corners)
    if any(np.hypot(one[0] - at[0], one[1] - at[1]) < _SAME * high for one in seen):
        return None
    return replace(look.corner, at=at)


def _inside(region: Region, place: Points) -> bool:
    """Whether the place is on what shows as that region."""
    outline = np.asarray(region.outline, dtype=np.float32).reshape(-1, 1, 2)
    x, y = (float(one) for one in place)
    return bool(cv2.pointPolygonTest(cv2.convexHull(outline), (x, y), False) >= 0)


def _boxed(quad: Points, size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """Around an index with some paper, as far as the picture goes; None if little is left."""
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    rim = _RIM * min(right - left, bottom - top)
    x, y = max(0, int(left - rim)), max(0, int(top - rim))
    to_x, to_y = min(size[0], int(right + rim) + 1), min(size[1], int(bottom + rim) + 1)
    if to_x - x < 8 or to_y - y < 8:
        return None
    return x, y, to_x - x, to_y - y


def _around(regions: Sequence[Region], size: tuple[int, int]) -> tuple[int, int, int, int]:
    boxes = [region.box for region in regions]
    x, y = max(0, min(box[0] for box in boxes)), max(0, min(box[1] for box in boxes))
    right = min(size[0], max(box[0] + box[2] for box in boxes))
    bottom = min(size[1], max(box[1] + box[3] for box in boxes))
    return x, y, right, bottom


def _small(grey: Image, scale: float) -> Image:
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _edged(grey: Image, rim: int) -> Image:
    edged = cv2.copyMakeBorder(grey, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    return np.asarray(edged, dtype=np.uint8)


def _finer(
    grey: Image, other: Image, box: tuple[int, int, int, int], by: tuple[float, float], most: float
) -> tuple[float, float]:
    """The place to a pixel."""
    x, y, wide, high = box
    reach = int(np.ceil(most)) + 1
    left, top = round(x + by[0]) - reach, round(y + by[1]) - reach
    right, bottom = left + wide + 2 * reach, top + high + 2 * reach
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(other.shape[1], right), min(other.shape[0], bottom)
    if x1 - x0 < wide // 2 or y1 - y0 < high // 2:
        return by
    borders = (y0 - top, bottom - y1, x0 - left, right - x1)
    part = cv2.copyMakeBorder(other[y0:y1, x0:x1], *borders, cv2.BORDER_REPLICATE)
    piece = grey[y : y + high, x : x + wide]
    _, _, _, place = cv2.minMaxLoc(cv2.matchTemplate(part, piece, cv2.TM_CCOEFF_NORMED))
    return float(left + place[0] - x), float(top + place[1] - y)
