"""Code 128, QR and Data Matrix by zxing-cpp, with nothing switched on that cards do not carry."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import zxingcpp

from drivers.camera.codes.found import Found, code128_modules, is_plain
from drivers.camera.codes.mirror import is_mirrored
from drivers.camera.sight import Image, Points, Symbology

_FORMATS: Final = {
    "code128": zxingcpp.BarcodeFormat.Code128,
    "qr": zxingcpp.BarcodeFormat.QRCode,
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
}
# AIM identifiers (ISO/IEC 15424) of a symbol that is nothing but its bytes: no function character
# in front, no other character set, no part of a series.
_PLAIN: Final[dict[str, Symbology]] = {"]C0": "code128", "]Q1": "qr", "]d1": "datamatrix"}
_FAMILY: Final[dict[str, Symbology]] = {"]C": "code128", "]Q": "qr", "]d": "datamatrix"}


class ZxingReader:
    """Stateless behind its settings."""

    decoder: Final = "zxing"

    def __init__(self, symbologies: tuple[Symbology, ...]) -> None:
        self.symbologies = symbologies
        self._bars = [_FORMATS[name] for name in symbologies if name == "code128"]
        self._matrix = [_FORMATS[name] for name in symbologies if name != "code128"]
        self._turned = [_FORMATS[name] for name in symbologies if name != "datamatrix"]
        self._one_way = [_FORMATS[name] for name in symbologies if name == "datamatrix"]

    def read(self, grey: Image) -> list[Found]:
        """What stands in a grey picture (height x width), bars that run either way. A Data Matrix
        is looked for from one side only: from all four takes as long as all else together.
        """
        found = self._read(grey, self._turned, upright=False) if self._turned else []
        return found + (self._read(grey, self._one_way, upright=True) if self._one_way else [])

    def reads(self, how: str) -> bool:
        """Whether it has anything to do in `read_bars` or `read_matrix`."""
        return bool(self._bars if how == "read_bars" else self._matrix)

    def read_bars(self, grey: Image) -> list[Found]:
        """Codes whose bars run up and down."""
        return self._read(grey, self._bars, upright=True)

    def read_matrix(self, grey: Image) -> list[Found]:
        """The square symbols only, however they stand."""
        return self._read(grey, self._matrix, upright=False)

    def _read(self, grey: Image, formats: Any, upright: bool) -> list[Found]:
        if not formats or min(grey.shape) < 8:
            return []
        symbols = zxingcpp.read_barcodes(
            np.ascontiguousarray(grey),
            formats=formats,
            try_rotate=not upright,
            try_downscale=False,
            try_invert=False,
            text_mode=zxingcpp.TextMode.Plain,
        )
        found = (self._found(symbol) for symbol in symbols if symbol.valid)
        return [one for one in found if one is not None]

    def _found(self, symbol: Any) -> Found | None:
        identifier = symbol.symbology_identifier
        name = _FAMILY.get(identifier[:2])
        if name not in self.symbologies:
            return None
        if name != "code128" and is_mirrored(symbol):
            return None
        raw = bytes(symbol.bytes)
        plain = is_plain(raw) and identifier in _PLAIN
        return Found(raw, plain, name, "zxing", _quad(symbol.position), _modules(symbol, name, raw))


def _quad(position: Any) -> Points:
    corners = (
        position.top_left,
        position.top_right,
        position.bottom_right,
        position.bottom_left,
    )
    return np.array([(corner.x, corner.y) for corner in corners], dtype=np.float32)


def _modules(symbol: Any, name: Symbology, raw: bytes) -> int:
    """Along the upper edge: of a QR code by its version, of a Data Matrix by its size."""
    if name == "code128":
        return code128_modules(raw)
    version = str((symbol.extra or {}).get("Version", ""))
    if name == "qr":
        return 17 + 4 * int(version) if version.isdigit() else 0
    size = re.fullmatch(r"(\d+)x(\d+)", version)
    return int(size[2]) if size else 0
