"""How large a card is in the picture, learned from card to card, and what is longer than one."""

from __future__ import annotations

from collections import deque
from statistics import median

from drivers.camera.sight import CARD_MM, Frame, Region, Travel
from drivers.camera.tracks import Thing

_LEAST = 5
_KEPT = 31
# Tilt, blur and glare make a card seem so much longer or shorter than it is.
_ABOUT = 0.065


class Scale:
    """Pixels a millimetre: as set, or the middle of what the last cards told."""

    def __init__(self, told: float = 0.0) -> None:
        self._told = told
        self._seen: deque[float] = deque(maxlen=_KEPT)

    @property
    def px_per_mm(self) -> float | None:
        """None before enough cards have been seen."""
        if self._told:
            return self._told
        return median(self._seen) if len(self._seen) >= _LEAST else None

    def too_long(
        self, thing: Thing[tuple[Region, ...]], frame: Frame, travel: Travel | None
    ) -> bool:
        """Whether a thing with both ends in the picture is longer than a card of either side: two
        that lie on each other. Learns from what is as long as one.
        """
        scale = self.px_per_mm
        for region in thing.what:
            if region.px_per_mm is not None and not self._told:
                self._seen.append(region.px_per_mm)
        if scale is None or thing.low_cut or thing.high_cut or travel is None:
            return False
        width, height = frame.size
        most = width if travel in ("right", "left") else height
        length = (thing.high - thing.low) * most / scale
        short, long = CARD_MM
        between = short * (1 + _ABOUT) < length < long * (1 - _ABOUT)
        return between or length > long * (1 + _ABOUT)
