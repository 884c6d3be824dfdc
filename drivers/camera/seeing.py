"""How one camera is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from drivers.camera.sight import Symbology, Travel
from drivers.camera.verdict import Witness
from drivers.cardcode import CardCode

Tell: TypeAlias = Literal["out", "seen"]


@dataclass(frozen=True)
class Seeing:
    """How one camera is read; see `drivers.kinds.camera.CameraSpec`. `codes`: the forms of code, a
    table has one. `travel` None: found out. `tell`: a card is told when it is `out` of the shoe, or
    as soon as it is `seen` to move. `hurry_ms`: when one witness took longer over a picture, the
    other one waits for the next; 0: never, as for files. `folder`: where pictures are kept, None
    for nowhere.
    """

    codes: tuple[CardCode, ...]
    read: frozenset[Witness] = frozenset({"barcode", "index"})
    alone: bool = True
    decoder: Literal["pyzbar", "zxing", "both"] = "both"
    symbologies: tuple[Symbology, ...] = ("code128", "qr", "datamatrix")
    window: tuple[int, int, int, int] = (0, 0, 0, 0)
    travel: Travel | None = None
    px_per_mm: float = 0.0
    deck: Path | None = None
    cut_colour: str = "any"
    tell: Tell = "out"
    hurry_ms: float = 0.0
    folder: Path | None = None
