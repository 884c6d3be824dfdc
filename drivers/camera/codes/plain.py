"""The yardstick: both decoders as they come, on the whole picture, with nothing set.

For comparisons only: nothing on a table reads cards this way. With all symbologies on, texts are
found in faces that carry no code.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import zxingcpp

from drivers.camera.cv import cv2
from drivers.camera.sight import Decoder, Image

_pyzbar: Any
try:
    _pyzbar = importlib.import_module("pyzbar.pyzbar")
except (ImportError, OSError):
    # Without libzbar its list stays empty.
    _pyzbar = None


def by_pyzbar(image: Image) -> list[str]:
    """What `pyzbar.decode` says of a picture (BGR or grey), in its order and guess of the text."""
    if _pyzbar is None:
        return []
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    return [symbol.data.decode("utf-8", errors="replace") for symbol in _pyzbar.decode(grey)]


def by_zxing(image: Image) -> list[str]:
    """What `zxingcpp.read_barcodes` says of it."""
    return [symbol.text for symbol in zxingcpp.read_barcodes(image)]


PLAIN: dict[Decoder, Callable[[Image], list[str]]] = {"pyzbar": by_pyzbar, "zxing": by_zxing}


def plain(image: Image) -> dict[Decoder, list[str]]:
    """What both say."""
    return {name: read(image) for name, read in PLAIN.items()}
