"""The yardstick: both decoders as they come, on the whole picture, with nothing set.

For comparisons only: nothing on a table reads cards this way. With all symbologies on, texts are
found in faces that carry no code.
"""

from __future__ import annotations

import importlib
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


def plain(image: Image) -> dict[Decoder, list[str]]:
    """What `pyzbar.decode` and `zxingcpp.read_barcodes` say of a picture (BGR or grey), in their
    order, with their own guess of the text.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    by_zbar = _pyzbar.decode(grey) if _pyzbar is not None else []
    return {
        "pyzbar": [symbol.data.decode("utf-8", errors="replace") for symbol in by_zbar],
        "zxing": [symbol.text for symbol in zxingcpp.read_barcodes(image)],
    }
