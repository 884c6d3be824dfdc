"""The second recogniser: a small network that sees rank and suit together, in colour.

It was trained on made-up cards (see scripts/train_index); here it is only run, by OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.crop import CROP_HIGH, CROP_WIDE
from drivers.camera.index.patch import Floats
from drivers.camera.sight import Image

RANKS = "A23456789TJQK"
SUITS = "SHDC"
MODEL = Path(__file__).parent.parent / "models" / "index.onnx"

# What the network says is divided by this before it is made into shares of 1: the value that made
# its shares come true on made-up cards it had not been trained on.
_TEMPERATURE = 1.15


class ModelError(Exception):
    """The file of the network or of the templates is missing or not what it should be."""


@dataclass(frozen=True)
class Guess:
    """What it takes an index for: "" for none, with the share (0..1) it gives to that; `joker` the
    share it gives to a joker.
    """

    rank: str
    rank_share: float
    suit: str
    suit_share: float
    joker: float


class Network:
    """The network, read from its file once."""

    def __init__(self, path: Path = MODEL) -> None:
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(path.read_bytes(), dtype=np.uint8))
        except (OSError, cv2.error) as error:
            raise ModelError(f"{path}: the network cannot be read: {error}") from error
        self.logits(np.zeros((CROP_HIGH, CROP_WIDE, 3), dtype=np.uint8))

    def logits(self, crop: Image) -> Floats:
        """The 20 outputs for a crop: 13 ranks and none, 4 suits and none, joker."""
        image = crop.transpose(2, 0, 1)[None].astype(np.float32) / 100 - 1
        self._net.setInput(image)
        out = np.asarray(self._net.forward(), dtype=np.float32)
        if out.shape != (1, 20):
            raise ModelError(f"the network gives {out.shape}, not 1 x 20 figures")
        return np.asarray(out[0], dtype=np.float32)

    def guess(self, crop: Image) -> Guess:
        out = self.logits(crop) / _TEMPERATURE
        rank, suit = _shares(out[:14]), _shares(out[14:19])
        top, low = int(np.argmax(rank)), int(np.argmax(suit))
        return Guess(
            (*RANKS, "")[top],
            float(rank[top]),
            (*SUITS, "")[low],
            float(suit[low]),
            float(1 / (1 + np.exp(-np.clip(out[19], -30, 30)))),
        )


def _shares(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max())
    return np.asarray(raised / raised.sum(), dtype=np.float32)
