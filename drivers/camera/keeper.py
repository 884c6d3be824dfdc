"""Keeps the pictures a card was read from: small JPEGs, for the table's record and nobody else.

Only the card itself is kept: whatever else stands in the picture is blackened, for it may be a card
that has not been dealt.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.shrink import shrunk
from drivers.camera.sight import Frame, Image, Region
from drivers.observations import Evidence

_WIDTH = 480
_QUALITY = 78
# So many pictures of one card.
MOST = 3
# The journal is on that disk: of what is free, so much is its own. The station takes old pictures
# away long before.
_FREE_BYTES = 32 * 2**20
_FREE_SHARE = 0.02


@dataclass(frozen=True)
class Shot:
    """One picture of a card, cut out of its frame. `worth`: the more, the better it shows it."""

    frame: int
    worth: float
    image: Image


@dataclass
class Shots:
    """The best pictures of one card so far."""

    _kept: list[Shot] = field(default_factory=list)

    def take(self, frame: Frame, regions: tuple[Region, ...], worth: float) -> None:
        """One frame more that shows it."""
        if len(self._kept) == MOST and worth <= self._kept[-1].worth:
            return
        shot = Shot(frame.number, worth, _cut_out(frame, regions))
        self._kept = sorted([*self._kept, shot], key=lambda one: -one.worth)[:MOST]

    def best(self) -> tuple[Shot, ...]:
        """In the order they were taken."""
        return tuple(sorted(self._kept, key=lambda one: one.frame))


class Keeper:
    """Writes pictures into one folder. `trouble` says what is wrong when it cannot: a picture that
    is not kept stops no card.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._count = 0
        self.trouble = ""
        # Off while a shoe is checked: no picture may tell the order of its cards.
        self.on = True

    def keep(self, shots: tuple[Shot, ...], at_ns: int) -> tuple[Evidence, ...]:
        """Write them. Each is named and hashed; those that could not be written are left out."""
        if self._folder is None or not self.on or not self._room(self._folder):
            return ()
        kept = []
        for shot in shots:
            good, data = cv2.imencode(".jpg", shot.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            evidence = self._write(bytes(data), at_ns) if good else None
            if evidence is not None:
                kept.append(evidence)
        return tuple(kept)

    def _room(self, folder: Path) -> bool:
        try:
            disk = os.statvfs(folder)
        except OSError as error:
            self.trouble = f"{folder}: {error.strerror or error}"
            return False
        least = min(_FREE_BYTES, int(disk.f_blocks * disk.f_frsize * _FREE_SHARE))
        if disk.f_bavail * disk.f_frsize < least:
            self.trouble = f"{folder}: the disk is nearly full; what is left is the journal's"
            return False
        return True

    def _write(self, data: bytes, at_ns: int) -> Evidence | None:
        assert self._folder is not None
        self._count += 1
        name = f"{at_ns:016x}-{os.getpid()}-{self._count}.jpg"
        part, path = self._folder / f"{name}.part", self._folder / name
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            descriptor = os.open(part, flags, 0o600)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                part.rename(path)
            except OSError:
                part.unlink(missing_ok=True)
                raise
        except OSError as error:
            self.trouble = f"{path}: {error.strerror or error}"
            return None
        self.trouble = ""
        return Evidence(name, hashlib.sha256(data).hexdigest())


def _cut_out(frame: Frame, regions: tuple[Region, ...]) -> Image:
    outline = np.concatenate([region.outline for region in regions])
    hull = cv2.convexHull(outline).astype(np.int32)
    x, y, w, h = cv2.boundingRect(hull)
    width, height = frame.size
    left, top, right, bottom = max(0, x), max(0, y), min(width, x + w), min(height, y + h)
    part = frame.image[top:bottom, left:right]
    mask = np.zeros(part.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, hull - np.array([left, top], np.int32), 255)
    image = np.asarray(cv2.bitwise_and(part, part, mask=mask), dtype=np.uint8)
    high, wide = image.shape[:2]
    if max(high, wide) >= 2 * _WIDTH:
        # By half at once; most of a window is no larger than twice what is kept.
        even = image[: high - high % 2, : wide - wide % 2]
        image = shrunk(even, (wide // 2, high // 2))
        high, wide = image.shape[:2]
    scale = _WIDTH / max(1, high, wide)
    if scale < 1:
        size = (max(1, round(wide * scale)), max(1, round(high * scale)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
        image = np.asarray(small, dtype=np.uint8)
    return image
