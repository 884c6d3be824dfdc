"""Reads the codes of one card in one frame: `CodeReader.look`.

Cheap first: zxing-cpp on the card's box, zbar on the spot where that found something. Only where
both came back empty, and only where the picture has bars or a chequered square, the spot is cut
out, turned upright by its own bars, and made easier step by step while the time lasts.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal

import numpy as np

from drivers.camera.codes import texture
from drivers.camera.codes.enhance import along_bars, stretched, twice
from drivers.camera.codes.found import SYMBOLOGIES, Found
from drivers.camera.codes.merge import merged
from drivers.camera.codes.window import Window, of_region, whole
from drivers.camera.codes.zbar import MISSING, ZbarReader
from drivers.camera.codes.zxing import ZxingReader
from drivers.camera.cv import cv2
from drivers.camera.sight import CodeLook, Decoder, Frame, Image, Region, Symbology

Which = Literal["pyzbar", "zxing", "both"]
BUDGET_MS: Final = 12.0
# A code's middle may lie this far outside the card's outline (px) before it is another card's.
OUTSIDE_PX: Final = 12.0
# How much longer than the texture that was found a patch is cut out.
ROOM: Final = 1.5


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
        window = whole(grey).padded() if region is None else of_region(grey, region, self._deskew)
        found = self._read(window, several=region is None) if window.grey.size else []
        if region is not None:
            found = [one for one in found if _belongs(one, region)]
        self._spent += self._clock() - begun
        return merged(found)

    def close(self) -> None:
        """Give zbar's memory back."""
        if self._zbar is not None:
            self._zbar.close()

    def _read(self, window: Window, several: bool) -> list[Found]:
        """All that is found, with its corners in the frame's pixels. `several` cards may be in the
        window: what was found at once is not all there is.
        """
        found = self._first(window)
        if found:
            self.steps["first"] += 1
        if not self._enhance or (found and not several):
            return found
        known = list(found)
        for patch in texture.patches(window.grey):
            if any(_covers(one, window, patch) for one in known):
                continue
            if self._late():
                self.steps["late"] += 1
                break
            if patch.bars and "code128" in self._symbologies:
                found += self._bars(_upright(window, patch))
            elif not patch.bars and self._symbologies != ("code128",):
                found += self._square(_around(window, patch))
        return found

    def _late(self) -> bool:
        return self._clock() >= self._until

    def _first(self, window: Window) -> list[Found]:
        if self._zxing is None:
            # zbar takes the whole picture's time; bars are found quicker by their texture.
            barred = self._enhance and self._symbologies == ("code128",)
            if self._zbar is None or barred:
                return []
            return _placed(self._zbar.read(window.grey), window)
        found = self._zxing.read(window.grey)
        result = _placed(found, window)
        if self._zbar is not None:
            for one in found:
                if one.symbology in self._zbar.symbologies:
                    result += self._witness(window, one, self._zbar)
        return result

    def _witness(self, window: Window, one: Found, zbar: ZbarReader) -> list[Found]:
        """What zbar says at the place where zxing-cpp read something: it is asked until it says
        something, while the time lasts.
        """
        spot = _spot(window, one)
        upright = one.symbology == "code128"
        for name, picture, scale in _steps(spot) if upright else _square_steps(spot):
            found = zbar.read(picture, upright)
            if found:
                self.steps[f"witness {name}"] += 1
                return _placed(found, spot, scale)
            if not self._enhance or self._late():
                break
        return []

    def _bars(self, spot: Window) -> list[Found]:
        """A patch with upright bars, step by step easier, until something is read by all."""
        found: list[Found] = []
        for name, picture, scale in _steps(spot):
            new: list[Found] = []
            for reader in (self._zxing, self._zbar):
                if reader is not None and not any(one.decoder == reader.decoder for one in found):
                    new += reader.read(picture, upright=True)
            if new:
                self.steps[name] += 1
                found += _placed(new, spot, scale)
            if found and {one.decoder for one in found} == self.decoders:
                break
            if self._late():
                break
        return found

    def _square(self, spot: Window) -> list[Found]:
        picture = twice(stretched(spot.grey))
        found: list[Found] = []
        if self._zxing is not None:
            found += self._zxing.read_matrix(picture)
        if self._zbar is not None and "qr" in self._symbologies and not self._late():
            found += [one for one in self._zbar.read(picture) if one.symbology == "qr"]
        if found:
            self.steps["square"] += 1
        return _placed(found, spot, 2.0)


def _check(decoder: Which, symbologies: tuple[Symbology, ...]) -> None:
    if decoder not in ("pyzbar", "zxing", "both"):
        raise ValueError(f"decoder {decoder!r}: pyzbar, zxing or both")
    unknown = [name for name in symbologies if name not in SYMBOLOGIES]
    if unknown or not symbologies:
        raise ValueError(f"symbologies {symbologies!r}: one or more of {', '.join(SYMBOLOGIES)}")
    if decoder == "pyzbar" and "datamatrix" in symbologies:
        raise ValueError("pyzbar reads no Data Matrix: use the decoder zxing or both")


def _steps(spot: Window) -> Iterator[tuple[str, Image, float]]:
    """Names, pictures and how much larger than the patch they are; each made when asked for."""
    yield "patch", spot.grey, 1.0
    clear = stretched(spot.grey)
    yield "along", along_bars(clear), 1.0
    yield "twice", twice(along_bars(clear, 5)), 2.0


def _square_steps(spot: Window) -> Iterator[tuple[str, Image, float]]:
    """The same of a symbol that has no bars."""
    yield "patch", spot.grey, 1.0
    yield "twice", twice(stretched(spot.grey)), 2.0


def _placed(found: Iterable[Found], window: Window, scale: float = 1.0) -> list[Found]:
    return [one.at(window.to_frame(one.quad / scale)) for one in found]


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


def _covers(one: Found, window: Window, patch: texture.Patch) -> bool:
    """Whether the patch is of a symbol that has been read."""
    middle = window.to_frame(np.array([patch.centre], dtype=np.float32))[0]
    radius = float(np.hypot(*(one.quad - one.quad.mean(axis=0)).T).max())
    return bool(np.hypot(*(middle - one.quad.mean(axis=0))) <= radius)


def _belongs(one: Found, region: Region) -> bool:
    """Whether a symbol's middle lies on the card, as far as its outline is seen."""
    if len(region.outline) < 3:
        return True
    hull = cv2.convexHull(region.outline.reshape(-1, 1, 2).astype(np.float32))
    middle = (float(one.quad[:, 0].mean()), float(one.quad[:, 1].mean()))
    return bool(cv2.pointPolygonTest(hull, middle, True) >= -OUTSIDE_PX)
