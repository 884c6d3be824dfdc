"""Printed codes: their text by template, and the symbol as it is printed on a face.

Templates write `{rank}`, `{suit}`, `{face}`, `{set}`, `{deck}` (`{deck:2}`: two digits) and
`{check}`, the check character of all that stands before it (ISO/IEC 7064 MOD 37,36).
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass

import numpy as np
import zxingcpp

from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.design import CARD_MM
from hw_sim.codes import ALPHABET, CodeError, VirtualCard, check_character

TEMPLATE = "{rank}{suit}{deck:2}{check}"
SYMBOLOGIES = {
    "code128": zxingcpp.BarcodeFormat.Code128,
    "qr": zxingcpp.BarcodeFormat.QRCode,
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
}
_FIELD = re.compile(r"\{(\w+)(?::(\d))?\}")
_FIELDS = ("rank", "suit", "face", "set", "deck", "check")
_SEPARATORS = "-._/:+"
_LONGEST = 40


def check_template(template: str) -> None:
    """Raises CodeError for a template by which a card's code would not say which card it is."""
    wrong = f"template {template!r}"
    names: list[str] = []
    for field in _FIELD.finditer(template):
        name, digits = field.groups()
        if name not in _FIELDS:
            raise CodeError(f"{wrong}: no field {name!r}; {', '.join(_FIELDS)}")
        if digits is not None and (name != "deck" or digits not in ("1", "2")):
            raise CodeError(f"{wrong}: only {{deck:1}} and {{deck:2}} have a width")
        names.append(name)
    if "face" not in names and not {"rank", "suit"} <= set(names):
        raise CodeError(f"{wrong}: it does not say which card it is; write {{rank}}{{suit}} in it")
    for letter in _FIELD.sub("", template):
        if letter not in ALPHABET + _SEPARATORS:
            raise CodeError(
                f"{wrong}: {letter!r} cannot stand in it; use A-Z, 0-9, {_SEPARATORS} and fields "
                "such as {rank}"
            )
    if "check" in names and (names.count("check") > 1 or not template.endswith("{check}")):
        raise CodeError(f"{wrong}: {{check}} must be the last thing in it")
    if len(_FIELD.sub("0", template)) > _LONGEST:
        raise CodeError(f"{wrong}: longer than {_LONGEST} characters")


def text_of(card: VirtualCard, template: str = TEMPLATE) -> str:
    """The text of a card's code; for a cut card `CUT` stands for rank, suit and deck.

    Raises CodeError for a field there is not.
    """
    text, end = "", 0
    for field in _FIELD.finditer(template):
        text += template[end : field.start()]
        text += _field(card, field.group(1), field.group(2), text)
        end = field.end()
    return text + template[end:]


def _field(card: VirtualCard, name: str, digits: str | None, before: str) -> str:
    rank, suit = (card.face[0], card.face[1]) if card.face else ("CUT", "")
    match name:
        case "rank":
            return rank
        case "suit":
            return suit
        case "face":
            return rank + suit
        case "set":
            return card.set
        case "deck":
            return "" if card.cut else f"{card.deck:0{digits or 1}}"
        case "check":
            return check_character(before)
    raise CodeError(f"template: no field {name!r}; {', '.join(_FIELDS)}")


@dataclass(frozen=True)
class Printing:
    """How codes are printed. `symbology`: `code128`, `qr`, `datamatrix`, or `none`. `module_mm`:
    size of a module; `bar_mm`: height of the bars of Code 128. `place`: `top`, along the card's
    upper edge beside the index; `side`, along its right edge, bars lying; or x,y in mm of its upper
    left corner. `twice`: at both ends, turned by 180 degrees.
    """

    symbology: str = "none"
    module_mm: float = 0.0
    bar_mm: float = 6.0
    place: str = "top"
    twice: bool = True

    @property
    def module(self) -> float:
        """Size of a module, mm; by default one that is easily read."""
        usual = {"code128": 0.3, "qr": 0.42, "datamatrix": 0.6}
        return self.module_mm or usual.get(self.symbology, 0.0)


@dataclass(frozen=True)
class Printed:
    """A symbol on a card: `box` is x, y, width and height in mm; `module_mm` after rounding."""

    symbology: str
    text: str
    box: tuple[float, float, float, float]
    module_mm: float


@functools.lru_cache(maxsize=1024)
def modules(text: str, symbology: str) -> Image:
    """The symbol, one pixel a module, without quiet zone; a Code 128 has one row."""
    if symbology not in SYMBOLOGIES:
        raise CodeError(f"symbology {symbology!r}: {', '.join(SYMBOLOGIES)} or none")
    made = zxingcpp.create_barcode(text, SYMBOLOGIES[symbology])
    picture = np.array(made.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8)
    return picture[:1] if symbology == "code128" else picture


def _upright(text: str, printing: Printing) -> tuple[Image, float, float]:
    """The symbol as it stands on the card, and its width and height, mm."""
    symbol = modules(text, printing.symbology)
    linear = printing.symbology == "code128"
    wide = symbol.shape[1] * printing.module
    high = printing.bar_mm if linear else symbol.shape[0] * printing.module
    if linear and printing.place == "side":
        return np.ascontiguousarray(symbol.T), high, wide
    return symbol, wide, high


def check_fits(text: str, printing: Printing) -> None:
    """Raises CodeError for a code that would not stand wholly on the card."""
    if printing.symbology == "none":
        return
    _, wide, high = _upright(text, printing)
    x, y = corner(printing.place, wide, high)
    fits = x >= 0 and y >= 0 and x + wide <= CARD_MM[0] and y + high <= CARD_MM[1]
    if not fits:
        raise CodeError(
            f"place {printing.place!r}: {text} would be {wide:.0f} x {high:.0f} mm at {x:.0f},"
            f"{y:.0f}, off the card's {CARD_MM[0]:g} x {CARD_MM[1]:g} mm; choose another place, "
            "smaller modules or a shorter template"
        )


def print_on(picture: Image, text: str, printing: Printing, px_per_mm: float) -> list[Printed]:
    """Print the code on a face (BGR), with its quiet zone; where it stands afterwards."""
    symbol, wide, high = _upright(text, printing)
    linear = printing.symbology == "code128"
    lying = linear and printing.place == "side"
    x, y = corner(printing.place, wide, high)
    left, top = round(x * px_per_mm), round(y * px_per_mm)
    size = (max(1, round(wide * px_per_mm)), max(1, round(high * px_per_mm)))
    ink = _inked(symbol, size)
    quiet = (
        round(10 * printing.module * px_per_mm)
        if linear
        else round(2 * printing.module * px_per_mm)
    )
    margin = (0, quiet) if lying else ((quiet, 0) if linear else (quiet, quiet))
    paper = _paper(picture)
    _clear(picture, (left, top, *size), margin, paper)
    area = picture[top : top + size[1], left : left + size[0]]
    shown = ink[: area.shape[0], : area.shape[1], None].astype(np.float32) / 255
    area[:] = (shown * paper + (1 - shown) * 25).astype(np.uint8)
    box = (left / px_per_mm, top / px_per_mm, size[0] / px_per_mm, size[1] / px_per_mm)
    module = (box[3] if lying else box[2]) / symbol.shape[0 if lying else 1]
    here = Printed(printing.symbology, text, box, module)
    if not printing.twice:
        return [here]
    bottom, right = picture.shape[0] - top, picture.shape[1] - left
    x0, y0 = right - area.shape[1], bottom - area.shape[0]
    _clear(picture, (x0, y0, *size), margin, paper)
    picture[y0:bottom, x0:right] = area[::-1, ::-1]
    there = (CARD_MM[0] - box[0] - box[2], CARD_MM[1] - box[1] - box[3], box[2], box[3])
    return [here, Printed(printing.symbology, text, there, module)]


def _paper(picture: Image) -> Image:
    """The colour of a face's paper, BGR, taken near its upper edge: the brighter half of what is
    there. Not from the edge itself: artwork may have a dark line drawn along it.
    """
    height, width = picture.shape[:2]
    there = picture[height // 40 : height // 10, width // 4 : 3 * width // 4].reshape(-1, 3)
    light = there.sum(axis=1)
    bright = there[light >= np.median(light)]
    return np.asarray(np.median(bright, axis=0), dtype=np.uint8)


def _inked(symbol: Image, size: tuple[int, int]) -> Image:
    """The symbol at that width and height, px, its edges where they belong."""
    finer = max(1, math.ceil(4 * max(size[0] / symbol.shape[1], size[1] / symbol.shape[0])))
    big = np.repeat(np.repeat(symbol, finer, axis=0), finer, axis=1)
    return np.asarray(cv2.resize(big, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def corner(place: str, wide: float = 0.0, high: float = 0.0) -> tuple[float, float]:
    """Where a symbol of that size has its upper left corner, mm. Raises CodeError for no place."""
    match place:
        case "top":
            return CARD_MM[0] - 4.5 - wide, 3.2
        case "side":
            return CARD_MM[0] - 2.6 - wide, 6.0
    try:
        x, y = (float(part) for part in place.split(","))
    except ValueError:
        raise CodeError(f"place {place!r}: write top, side or x,y in mm, such as 20,30") from None
    return x, y


def _clear(
    picture: Image, box: tuple[int, int, int, int], margin: tuple[int, int], paper: Image
) -> None:
    """Paper under a symbol and its quiet zone."""
    left, top, width, height = box
    x0, y0 = max(0, left - margin[0]), max(0, top - margin[1])
    picture[y0 : top + height + margin[1], x0 : left + width + margin[0]] = paper
