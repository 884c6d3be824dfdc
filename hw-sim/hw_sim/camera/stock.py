"""What can pass the window, as textures: faces with or without a code, backs, jokers, cut cards."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from hw_sim.camera.backs import draw_back, draw_cut
from hw_sim.camera.cv import Colour, Image, cv2
from hw_sim.camera.design import CARD_MM, Design
from hw_sim.camera.faces import FACES, Index, cut_out, draw_face, index_of
from hw_sim.camera.symbols import Printed, Printing, print_on
from hw_sim.codes import RANKS, SUITS

KEPT_BYTES = 200_000_000
_WORDS = {"ace": "A", "jack": "J", "queen": "Q", "king": "K", "10": "T", "t": "T"}
_SUIT_WORDS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}


class ArtworkError(ValueError):
    """A folder of faces is of no use; the message says why."""


@dataclass(frozen=True)
class Print:
    """What is printed on a thing of a card's size. `face`: such as `KH`, of a card; `text`: of its
    code, "" for none. `colour`: of a cut card.
    """

    kind: Literal["card", "back", "joker", "cut"]
    design: Design
    face: str = ""
    text: str = ""
    printing: Printing = field(default_factory=Printing)
    colour: Colour = (40, 205, 235)
    lettered: bool = False


@dataclass(frozen=True)
class Texture:
    """The picture of a print, BGRA premultiplied, and where on it what stands, in mm."""

    picture: Image
    px_per_mm: float
    index: Index | None = None
    symbols: tuple[Printed, ...] = ()


class Stock:
    """Textures at one resolution, drawn when first wanted and kept while there is room."""

    def __init__(self, px_per_mm: float, artwork: Artwork | None = None) -> None:
        self.px_per_mm = px_per_mm
        self._artwork = artwork
        self._plain: OrderedDict[tuple[Design, str], Image] = OrderedDict()
        self._kept: OrderedDict[Print, Texture] = OrderedDict()
        one = CARD_MM[0] * CARD_MM[1] * px_per_mm**2 * 3
        self._room = max(4, int(KEPT_BYTES / 2 / one))

    def texture(self, wanted: Print) -> Texture:
        """The texture of a print."""
        kept = self._kept.get(wanted)
        if kept is None:
            kept = self._kept[wanted] = self._made(wanted)
            if len(self._kept) > self._room:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(wanted)
        return kept

    def draw_ahead(self, design: Design) -> bool:
        """Draw one face that was not wanted yet, while there is time; False when all are there."""
        if self._room < len(FACES):
            return False
        face = next((face for face in FACES if (design, face) not in self._plain), None)
        if face is None or (self._artwork is not None and face in self._artwork.files):
            return False
        self._face(design, face)
        return True

    def _made(self, wanted: Print) -> Texture:
        picture, index = self._bare(wanted)
        symbols: tuple[Printed, ...] = ()
        if wanted.text and wanted.printing.symbology != "none":
            picture = picture.copy()
            symbols = tuple(print_on(picture, wanted.text, wanted.printing, self.px_per_mm))
        return Texture(
            cut_out(picture, self.px_per_mm, wanted.design.corner_mm),
            self.px_per_mm,
            index,
            symbols,
        )

    def _bare(self, wanted: Print) -> tuple[Image, Index | None]:
        match wanted.kind:
            case "back":
                return draw_back(wanted.design, self.px_per_mm), None
            case "cut":
                return draw_cut(wanted.colour, self.px_per_mm, lettered=wanted.lettered), None
            case "joker":
                return self._face(wanted.design, "JOKER"), None
        known = None if self._artwork is not None else index_of(wanted.design, wanted.face)
        return self._face(wanted.design, wanted.face), known

    def _face(self, design: Design, face: str) -> Image:
        if self._artwork is not None and face in self._artwork.files:
            return self._artwork.face(face, self.px_per_mm)
        kept = self._plain.get((design, face))
        if kept is None:
            kept = self._plain[design, face] = draw_face(design, face, self.px_per_mm)
            if len(self._plain) > self._room:
                self._plain.popitem(last=False)
        return kept


class Artwork:
    """Pictures of another deck's faces in a folder of the user's: `KH.png`, `10s.png`,
    `king_of_hearts.png`, `joker.png`. Raises ArtworkError when a face is missing.
    """

    def __init__(self, folder: Path) -> None:
        named = {face_named(file.stem): file for file in sorted(folder.glob("*")) if file.is_file()}
        self.files = {face: file for face, file in named.items() if face}
        missing = [face for face in FACES if face not in self.files]
        if missing:
            some = ", ".join(missing[:6])
            raise ArtworkError(f"{folder}: {len(missing)} faces are missing, such as {some}")

    def face(self, face: str, px_per_mm: float) -> Image:
        """One face, BGR, at that resolution. Raises ArtworkError for what is no picture."""
        size = (round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm))
        found = cv2.imread(str(self.files[face]), cv2.IMREAD_UNCHANGED)
        if found is None:
            raise ArtworkError(f"{self.files[face]}: not a picture")
        if found.ndim == 2:
            found = cv2.cvtColor(found, cv2.COLOR_GRAY2BGR)
        if found.shape[2] == 4:
            cover = found[:, :, 3:].astype(np.float32) / 255
            found = (found[:, :, :3] * cover + 253 * (1 - cover)).astype(np.uint8)
        return np.asarray(cv2.resize(found, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def face_named(stem: str) -> str:
    """The face a file's name tells, `JOKER`, or "" when it tells none."""
    name = stem.lower()
    if "joker" in name:
        return "JOKER"
    words = re.split(r"[_\- ]+", name)
    if len(words) >= 2 and words[-1] in _SUIT_WORDS:
        rank = _WORDS.get(words[0], words[0].upper())
        return rank + _SUIT_WORDS[words[-1]] if rank in RANKS else ""
    short = name.upper().replace("10", "T")
    return short if len(short) == 2 and short[0] in RANKS and short[1] in SUITS else ""
