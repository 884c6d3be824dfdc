"""Reads the codes of one card in one frame: `CodeReader.look`.

Where the picture has bars or a chequered square is found by its texture; that spot is cut out,
turned upright by its own bars, and shown to both decoders, made easier step by step until both have
read it or the time is up. Only where that gave nothing zxing-cpp is shown the whole card as it is.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from drivers.camera.codes import texture
from drivers.camera.codes.enhance import (
    along_bars,
    larger,
    sharp,
    sharper,
    smooth,
    stretched,
    wider,
)
from drivers.camera.codes.found import SYMBOLOGIES, Found
from drivers.camera.codes.merge import merged
from drivers.camera.codes.window import Window, of_region, upright, whole
from drivers.camera.codes.zbar import MISSING, ZbarReader
from drivers.camera.codes.zxing import ZxingReader
from drivers.camera.cv import cv2
from drivers.camera.sight import (
    CodeLook,
    Decoder,
    Frame,
    Image,
    Point,
    Points,
    Region,
    Symbology,
)

Which = Literal["pyzbar", "zxing", "both"]
Reading: TypeAlias = Literal["read_bars", "read_matrix"]
BUDGET_MS: Final = 12.0
# A code's middle may lie this far outside the card's outline (px) before it is another card's.
OUTSIDE_PX: Final = 12.0
# How much longer than the texture that was found a patch is cut out.
ROOM: Final = 1.5


@dataclass(frozen=True)
class Step:
    """A picture of a spot, so many times `larger` than the spot is, and whom it is for, if not for
    both.
    """

    name: str
    picture: Image
    larger: tuple[float, float] = (1.0, 1.0)
    only: Decoder | None = None


def missing() -> str:
    """What cannot be used on this machine and which package brings it; "" if all is there."""
    return MISSING


class CodeReader:
    """`decoder` says who reads, `symbologies` what: nothing else is ever looked for. `budget_ms` is
    the time for one frame's cards together; what is under way when it ends is finished.
    `enhance` and `deskew` are for measuring what they bring.

    Without zbar a reader set to `both` or `pyzbar` reads by zxing-cpp alone and `trouble` says so;
    a card then takes two frames, since two decoders never agree in one. ValueError names what
    cannot be set up.
    """

    def __init__(
        self,
        decoder: Which = "both",
        symbologies: tuple[Symbology, ...] = SYMBOLOGIES,
        *,
        budget_ms: float = BUDGET_MS,
        enhance: bool = True,
        deskew: bool = True,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        _check(decoder, symbologies)
        self.trouble = missing() if decoder != "zxing" else ""
        self._zxing: ZxingReader | None = None
        self._zbar: ZbarReader | None = None
        if decoder != "zxing" and not self.trouble:
            self._zbar = ZbarReader(symbologies)
        if decoder != "pyzbar" or self._zbar is None:
            self._zxing = ZxingReader(symbologies)
        self._symbologies = symbologies
        self._budget = budget_ms / 1000
        self._enhance = enhance
        self._deskew = deskew
        self._clock = clock
        self._frame: int | None = None
        self._width = 0
        self._spent = 0.0
        self._until = 0.0
        # How often each step brought a look: for measuring and for the technician.
        self.steps: Counter[str] = Counter()

    @property
    def decoders(self) -> frozenset[Decoder]:
        """Who reads."""
        names: list[Decoder] = []
        if self._zxing is not None:
            names.append("zxing")
        if self._zbar is not None:
            names.append("pyzbar")
        return frozenset(names)

    @property
    def warnings(self) -> int:
        """How many of zbar's own warnings were kept out of standard error."""
        return self._zbar.warnings if self._zbar is not None else 0

    def look(self, frame: Frame, region: Region | None = None) -> tuple[CodeLook, ...]:
        """What is read on that card, or anywhere in the frame. One look for each text; two texts at
        one place are two looks.
        """
        begun = self._clock()
        if frame.number != self._frame:
            self._frame, self._spent = frame.number, 0.0
        self._until = begun + self._budget - self._spent
        grey = frame.grey
        self._width = grey.shape[1]
        window = whole(grey).padded() if region is None else of_region(grey, region)
        found = self._read(window, region) if window.grey.size else []
        self._spent += self._clock() - begun
        return merged(found)

    def close(self) -> None:
        """Give zbar's memory back."""
        if self._zbar is not None:
            self._zbar.close()

    def _read(self, window: Window, region: Region | None) -> list[Found]:
        """All that is found, with its corners in the frame's pixels. Without a region several cards
        may be in the window: what was found at once is not all there is.
        """
        found = self._patches(window, region) if self._enhance else []
        if found and region is not None:
            return found
        if self._enhance and self._late():
            self.steps["late"] += 1
            return found
        if region is not None and self._deskew:
            window = upright(window, region)
        return found + [one for one in self._everywhere(window) if _on(region, one.quad)]

    def _late(self) -> bool:
        return self._clock() >= self._until

    def _patches(self, window: Window, region: Region | None) -> list[Found]:
        """Where the texture is a code's, cut out and made readable."""
        found: list[Found] = []
        scale = region.px_per_mm if region is not None else None
        patches = texture.patches(window.grey, texture.shrink_for(self._width, scale))
        here = [one for one in patches if _on(region, window.to_frame(_point(one.centre)))]
        for number, patch in enumerate(here):
            # The strongest is looked at however late it is: else a slow machine would read nothing.
            if number and self._late():
                break
            if patch.bars and "code128" in self._symbologies:
                spot = _upright(window, patch)
                found += self._climb(spot, "read_bars", _bar_steps(spot))
            elif not patch.bars and self._symbologies != ("code128",):
                spot = _around(window, patch)
                found += self._climb(spot, "read_matrix", _square_steps(spot))
        return found

    def _climb(self, spot: Window, how: Reading, steps: Iterable[Step]) -> list[Found]:
        """A spot step by step easier, until all have read something or the time is up."""
        found: list[Found] = []
        silent = list(self._readers(how))
        for step in steps:
            for reader in tuple(silent):
                if step.only not in (None, reader.decoder):
                    continue
                new: list[Found] = getattr(reader, how)(step.picture)
                if new:
                    self.steps[f"{reader.decoder} {step.name}"] += 1
                    found += _placed(new, spot, step.larger)
                    silent.remove(reader)
            if not silent or self._late():
                break
        return found

    def _readers(self, how: Reading) -> Iterator[ZxingReader | ZbarReader]:
        """Who can read that at all."""
        for reader in (self._zxing, self._zbar):
            if reader is not None and reader.reads(how):
                yield reader

    def _everywhere(self, window: Window) -> list[Found]:
        """In the whole window, as it is; zbar is asked only where something was found."""
        if self._zxing is None:
            assert self._zbar is not None
            found = _placed(self._zbar.read(window.grey, every=2), window)
            self.steps["pyzbar everywhere"] += bool(found)
            return found
        seen = self._zxing.read(window.grey)
        self.steps["zxing everywhere"] += bool(seen)
        found = _placed(seen, window)
        if self._zbar is not None:
            for one in seen:
                found += self._witness(window, one, self._zbar)
        return found

    def _witness(self, window: Window, one: Found, zbar: ZbarReader) -> list[Found]:
        """What zbar says at the place where zxing-cpp read something: it is asked until it says
        something, while the time lasts.
        """
        spot = _spot(window, one)
        bars = one.symbology == "code128"
        read = zbar.read_bars if bars else zbar.read_matrix
        for step in _bar_steps(spot) if bars else _square_steps(spot):
            found = [] if step.only == "zxing" else read(step.picture)
            if found:
                self.steps[f"pyzbar {step.name}"] += 1
                return _placed(found, spot, step.larger)
            if not self._enhance or self._late():
                break
        return []


def _check(decoder: Which, symbologies: tuple[Symbology, ...]) -> None:
    if decoder not in ("pyzbar", "zxing", "both"):
        raise ValueError(f"decoder {decoder!r}: pyzbar, zxing or both")
    unknown = [name for name in symbologies if name not in SYMBOLOGIES]
    if unknown or not symbologies:
        raise ValueError(f"symbologies {symbologies!r}: one or more of {', '.join(SYMBOLOGIES)}")
    if decoder == "pyzbar" and "datamatrix" in symbologies:
        raise ValueError("pyzbar reads no Data Matrix: use the decoder zxing or both")


def _bar_steps(spot: Window) -> Iterator[Step]:
    """Pictures of upright bars, each made when it is asked for. What helps the one decoder against
    blur spoils the other: sharp edges ring, and zbar takes the rings for bars.
    """
    mean = along_bars(spot.grey)
    yield Step("along", mean)
    yield Step("sharper", sharper(mean), (2.0, 1.0), "zxing")
    yield Step("wider", wider(mean), (2.0, 1.0), "pyzbar")
    yield Step("patch", spot.grey)


def _square_steps(spot: Window) -> Iterator[Step]:
    """Pictures of a symbol that has no bars."""
    grey = spot.grey
    yield Step("patch", grey)
    yield Step("larger", larger(grey, 3), (3.0, 3.0), "zxing")
    yield Step("clearer", sharp(larger(stretched(grey), 2), 1.0, 2.0), (2.0, 2.0), "pyzbar")
    yield Step("calmer", sharp(larger(smooth(grey, 1.0), 2), 2.0, 4.0), (2.0, 2.0))
    yield Step("softer", larger(smooth(grey, 0.8), 2), (2.0, 2.0), "zxing")


def _placed(
    found: Sequence[Found], window: Window, larger: tuple[float, float] = (1.0, 1.0)
) -> list[Found]:
    times = np.array(larger, dtype=np.float32)
    spots = (np.asarray(one.quad / times, dtype=np.float32) for one in found)
    return [one.at(window.to_frame(quad)) for one, quad in zip(found, spots, strict=True)]


def _upright(window: Window, patch: texture.Patch) -> Window:
    """Turned by the lean of its innermost part, where no bar ends; with room on both sides for a
    quiet zone and for what of the code the texture missed.
    """
    length, height = patch.size
    inner = window.piece(patch.centre, patch.angle, (length * 0.6, height * 0.3))
    angle = patch.angle + texture.lean(inner.grey)
    return window.piece(patch.centre, angle, (length * ROOM + 24, height + 12))


def _around(window: Window, patch: texture.Patch) -> Window:
    width, height = patch.size
    return window.piece(patch.centre, 0.0, (width * 1.2 + 24, height * 1.2 + 24))


def _spot(window: Window, one: Found) -> Window:
    """Around a symbol that was found: upright if it has bars."""
    quad = one.quad
    centre = (float(quad[:, 0].mean()), float(quad[:, 1].mean()))
    if one.symbology != "code128":
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        side = 1.5 * float(max(right - left, bottom - top)) + 16
        return window.piece(centre, 0.0, (side, side))
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    along = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    length, height = float(np.hypot(*across)), float(np.hypot(*along))
    angle = math.atan2(float(across[1]), float(across[0]))
    # Eight modules on both sides: zbar takes the picture's end for paper, but not the card's.
    room = 16 * length / max(one.modules, 1)
    return window.piece(centre, angle, (length + room, max(height, 16)))


def _point(at: Point) -> Points:
    return np.array([at], dtype=np.float32)


def _on(region: Region | None, points: Points) -> bool:
    """Whether the middle of some points of the frame lies on the card, as far as its outline is
    seen: the box of a tilted card shows its neighbours too.
    """
    if region is None or len(region.outline) < 3:
        return True
    hull = cv2.convexHull(region.outline.reshape(-1, 1, 2).astype(np.float32))
    middle = (float(points[:, 0].mean()), float(points[:, 1].mean()))
    return bool(cv2.pointPolygonTest(hull, middle, True) >= -OUTSIDE_PX)
