"""Pictures of whole designs: all 52 faces, joker, back and cut card."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hw_sim.camera.backs import CUT_COLOURS
from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.design import DESIGNS, Design, design_of
from hw_sim.camera.faces import FACES
from hw_sim.camera.stock import Artwork, Print, Stock

_FELT = (70, 90, 40)
_PICTURES = (".png", ".jpg", ".jpeg")


def write_sheet(file: Path, design: str, px_per_mm: float, artwork: Artwork | None) -> None:
    """All faces of a design, or of every one; the file is written whole or not at all. Raises
    ValueError, OSError.
    """
    form = file.suffix.lower()
    if form not in _PICTURES:
        raise ValueError(f"{file}: the picture's name ends in .png or .jpg")
    if not file.parent.is_dir():
        raise ValueError(f"{file}: there is no folder {file.parent}; make it first")
    names = [design] if design else [*DESIGNS]
    stock = Stock(px_per_mm, artwork)
    whole = np.vstack([_one(design_of(name), stock) for name in names])
    _, data = cv2.imencode(form, whole)
    fresh = file.with_name(f"{file.name}.new")
    try:
        fresh.write_bytes(bytes(data))
        fresh.replace(file)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _one(design: Design, stock: Stock) -> Image:
    prints = [Print("card", design, face) for face in FACES]
    rows = [prints[i : i + 13] for i in range(0, 52, 13)]
    more = [
        Print("joker", design),
        Print("back", design),
        *(Print("cut", design, colour=colour, lettered=True) for colour in CUT_COLOURS),
    ]
    blank = np.full_like(_tile(stock, prints[0]), 0)
    blank[:] = _FELT
    lines = [np.hstack([_tile(stock, one) for one in row]) for row in rows]
    last = [_tile(stock, one) for one in more]
    lines.append(np.hstack(last + [blank] * (13 - len(last))))
    return np.vstack(lines)


def _tile(stock: Stock, wanted: Print) -> Image:
    picture = stock.texture(wanted).picture
    rest = 1 - picture[:, :, 3:].astype(np.float32) / 255
    on_felt = (picture[:, :, :3] + rest * np.array(_FELT)).astype(np.uint8)
    edge = max(2, int(stock.px_per_mm * 1.5))
    framed = cv2.copyMakeBorder(on_felt, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=_FELT)
    return np.asarray(framed, dtype=np.uint8)
