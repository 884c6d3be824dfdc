"""Code 128 and QR by zbar, through pyzbar's bindings.

Not `pyzbar.decode`: that makes a scanner anew for each picture, lets zbar guess the character set
of a QR code's bytes, and loses the order of its corners, which tells a mirrored one. Everything is
switched off here but what cards carry: zbar sees Interleaved 2 of 5 in faces without a code.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any, Final

import numpy as np

from drivers.camera.codes.found import Found, code128_modules, is_plain
from drivers.camera.codes.quiet import Quiet
from drivers.camera.sight import Image, Points, Symbology

_api: Any
_reason = ""
try:
    _api = importlib.import_module("pyzbar.wrapper")
except (ImportError, OSError) as error:
    # pyzbar raises when it is imported on a machine without the library.
    _api, _reason = None, str(error)

MISSING: Final = (
    ""
    if _api is not None
    else f"pyzbar cannot be used ({_reason}): install the system package libzbar0"
)

# zbar.h: the symbologies, and the settings pyzbar does not name.
_TYPES: Final[dict[Symbology, int]] = {"code128": 128, "qr": 64}
_SYMBOLOGY: Final = {number: name for name, number in _TYPES.items()}
_ENABLE, _BINARY, _POSITION, _X_DENSITY, _Y_DENSITY = 0, 4, 0x80, 0x100, 0x101
_Y800: Final = 0x30303859


class ZbarReader:
    """A scanner that stays. RuntimeError with `MISSING` where zbar cannot be used."""

    decoder: Final = "pyzbar"

    def __init__(self, symbologies: tuple[Symbology, ...]) -> None:
        if _api is None:
            raise RuntimeError(MISSING)
        self.symbologies = tuple(name for name in symbologies if name in _TYPES)
        self._quiet = Quiet()
        self._scanner = _api.zbar_image_scanner_create()
        self._modifiers = _modifiers_function()
        self._set(0, _ENABLE, 0)
        for name in self.symbologies:
            self._set(_TYPES[name], _ENABLE, 1)
        self._set(0, _POSITION, 1)
        # Bytes as printed. Releases before 0.23.1 have not got it: there no QR code is plain.
        self._bytes_kept = self._set(_TYPES["qr"], _BINARY, 1)

    @property
    def warnings(self) -> int:
        """How many of zbar's warnings were kept from standard error."""
        return self._quiet.dropped

    def reads(self, how: str) -> bool:
        """Whether it has anything to do in `read_bars` or `read_matrix`."""
        return ("code128" if how == "read_bars" else "qr") in self.symbologies

    def read_bars(self, grey: Image) -> list[Found]:
        """Codes whose bars run up and down: lines across them are enough."""
        found = self.read(grey, every=1, columns=False)
        return [one for one in found if one.symbology == "code128"]

    def read_matrix(self, grey: Image) -> list[Found]:
        """The square symbols only."""
        if "qr" not in self.symbologies:
            return []
        return [one for one in self.read(grey) if one.symbology == "qr"]

    def read(self, grey: Image, every: int = 1, columns: bool = True) -> list[Found]:
        """What stands in a grey picture (height x width), by every so-manieth of its rows and, if
        `columns`, of its columns.
        """
        if not self.symbologies or min(grey.shape) < 8:
            return []
        pixels = np.ascontiguousarray(grey)
        height, width = pixels.shape
        self._set(0, _X_DENSITY, every if columns else 0)
        self._set(0, _Y_DENSITY, every)
        picture = _api.zbar_image_create()
        try:
            _api.zbar_image_set_format(picture, _Y800)
            _api.zbar_image_set_size(picture, width, height)
            data = pixels.ctypes.data_as(ctypes.c_void_p)
            _api.zbar_image_set_data(picture, data, pixels.size, None)
            with self._quiet():
                _api.zbar_scan_image(self._scanner, picture)
            return self._symbols(picture)
        finally:
            _api.zbar_image_destroy(picture)

    def close(self) -> None:
        """Give the scanner back."""
        if self._scanner is not None:
            _api.zbar_image_scanner_destroy(self._scanner)
            self._scanner = None
            self._quiet.close()

    def _set(self, symbology: int, setting: int, value: int) -> bool:
        done = _api.zbar_image_scanner_set_config(self._scanner, symbology, setting, value)
        return bool(done == 0)

    def _symbols(self, picture: Any) -> list[Found]:
        found = []
        symbol = _api.zbar_image_first_symbol(picture)
        while symbol:
            name = _SYMBOLOGY.get(symbol.contents.type)
            if name is not None and name in self.symbologies:
                points = _points(symbol)
                if not (name == "qr" and _mirrored(points)):
                    found.append(self._found(symbol, name, points))
            symbol = _api.zbar_symbol_next(symbol)
        return found

    def _found(self, symbol: Any, name: Symbology, points: Points) -> Found:
        size = _api.zbar_symbol_get_data_length(symbol)
        raw = ctypes.string_at(_api.zbar_symbol_get_data(symbol), size)
        plain = is_plain(raw) and self._modifiers(symbol) == 0
        if name == "qr":
            plain = plain and self._bytes_kept
        modules = code128_modules(raw) if name == "code128" else 0
        return Found(raw, plain, name, "pyzbar", _quad(points, name), modules)


def _modifiers_function() -> Any:
    """zbar's own word on function characters (GS1, AIM); pyzbar does not bind it."""
    try:
        function = _api.LIBZBAR.zbar_symbol_get_modifiers
    except AttributeError:
        return lambda symbol: 0
    function.restype = ctypes.c_uint
    function.argtypes = [ctypes.c_void_p]
    return lambda symbol: function(ctypes.cast(symbol, ctypes.c_void_p))


def _points(symbol: Any) -> Points:
    count = _api.zbar_symbol_get_loc_size(symbol)
    points = [
        (_api.zbar_symbol_get_loc_x(symbol, i), _api.zbar_symbol_get_loc_y(symbol, i))
        for i in range(count)
    ]
    return np.array(points, dtype=np.float32).reshape(-1, 2)


def _mirrored(points: Points) -> bool:
    """zbar gives a QR code's corners against the clock; of a mirrored one it is with it."""
    if len(points) != 4:
        return True
    x, y = points[:, 0], points[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0


def _quad(points: Points, name: Symbology) -> Points:
    """Four corners, clockwise. A Code 128 has two points for each line that read it."""
    if name == "qr":
        return points[[0, 3, 2, 1]]
    if len(points) == 0:
        return np.zeros((4, 2), dtype=np.float32)
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array(corners, dtype=np.float32)
