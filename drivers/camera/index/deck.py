"""A table's own deck as it was learned: templates of its ranks and suits, and their proportions.

It is kept in one .npz file without pickles; whatever is not as it should be is refused by name.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from drivers.camera.index.measure import FIGURES, RANK_SIZE, SUIT_SIZE
from drivers.camera.index.network import RANKS, SUITS
from drivers.camera.index.patch import Floats
from drivers.camera.refusal_words import of_file, refusal
from drivers.camera.sight import Image

FORMAT = 1
_MOST_TEMPLATES = 1000
_MOST_BYTES = 16_000_000


class DeckError(ValueError):
    """The file of a deck cannot be used; the text says why and what to do."""


@dataclass(frozen=True)
class Deck:
    """`rank_glyphs` (n x 28 x 20), `suit_glyphs` (m x 20 x 20): ink, 0-255, labelled by
    `rank_labels`, `suit_labels`. `rank_figures` (13 x figures), `suit_figures` (4 x figures): the
    middle of each figure (see measure.FIGURES) over the samples of each rank and suit.
    `rank_least`, `suit_least`: what a glyph must score at least.
    """

    name: str
    rank_glyphs: Image
    rank_labels: str
    suit_glyphs: Image
    suit_labels: str
    rank_figures: Floats
    suit_figures: Floats
    rank_least: float
    suit_least: float

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        temporary = path.with_name(path.name + ".new")
        with temporary.open("wb") as file:
            np.savez_compressed(
                file,
                format=np.int32(FORMAT),
                name=np.array(self.name),
                rank_glyphs=self.rank_glyphs,
                rank_labels=np.array(self.rank_labels),
                suit_glyphs=self.suit_glyphs,
                suit_labels=np.array(self.suit_labels),
                rank_figures=self.rank_figures,
                suit_figures=self.suit_figures,
                least=np.array([self.rank_least, self.suit_least], dtype=np.float32),
            )
        temporary.replace(path)


def load_deck(path: Path) -> Deck:
    """The deck of a file. Raises DeckError."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise DeckError(refusal("no_deck", path=path))
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            fields = {name: np.asarray(file[name]) for name in file.files}
    except OSError as error:
        raise DeckError(of_file(path, error)) from error
    except DeckError:
        raise
    except (ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile) as error:
        # numpy's own words advise to load what may run a stranger's program.
        raise DeckError(refusal("no_deck", path=path)) from error
    try:
        return _deck(fields)
    except (DeckError, KeyError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise DeckError(f"{path}: {reason}; enrol the deck again") from error


def _deck(fields: dict[str, npt.NDArray[np.generic]]) -> Deck:
    version = fields["format"]
    if version.shape != () or version.dtype.kind != "i" or int(version.item()) != FORMAT:
        raise DeckError(f"its format is {version}, this release reads {FORMAT}")
    least = _array(fields, "least", (2,), "f")
    if not (np.all(least > 0) and np.all(least < 1)):
        raise DeckError("its limits are not between 0 and 1")
    rank_labels = _labels(fields, "rank_labels", RANKS)
    suit_labels = _labels(fields, "suit_labels", SUITS)
    return Deck(
        name=_text(fields, "name"),
        rank_glyphs=_images(fields, "rank_glyphs", len(rank_labels), RANK_SIZE),
        rank_labels=rank_labels,
        suit_glyphs=_images(fields, "suit_glyphs", len(suit_labels), SUIT_SIZE),
        suit_labels=suit_labels,
        rank_figures=_array(fields, "rank_figures", (len(RANKS), len(FIGURES)), "f"),
        suit_figures=_array(fields, "suit_figures", (len(SUITS), len(FIGURES)), "f"),
        rank_least=float(least[0]),
        suit_least=float(least[1]),
    )


def _text(fields: dict[str, npt.NDArray[np.generic]], name: str) -> str:
    value = fields[name]
    if value.dtype.kind != "U" or value.shape != ():
        raise DeckError(f"its {name} is no text")
    return str(value.item())


def _labels(fields: dict[str, npt.NDArray[np.generic]], name: str, all_of: str) -> str:
    labels = _text(fields, name)
    missing = sorted(set(all_of) - set(labels))
    if missing or set(labels) - set(all_of) or len(labels) > _MOST_TEMPLATES:
        raise DeckError(f"its {name} do not name each of {all_of}: {''.join(missing)} missing")
    return labels


def _images(
    fields: dict[str, npt.NDArray[np.generic]], name: str, count: int, size: tuple[int, int]
) -> Image:
    value = fields[name]
    if value.dtype != np.uint8 or value.shape != (count, size[1], size[0]):
        raise DeckError(f"its {name} are {value.shape} of {value.dtype}")
    return np.asarray(value, dtype=np.uint8)


def _array(
    fields: dict[str, npt.NDArray[np.generic]], name: str, shape: tuple[int, ...], kind: str
) -> Floats:
    value = fields[name]
    if value.dtype.kind != kind or value.shape != shape:
        raise DeckError(f"its {name} are {value.shape} of {value.dtype}, not {shape}")
    array = np.asarray(value, dtype=np.float32)
    if not np.isfinite(array).all():
        raise DeckError(f"its {name} are not all numbers")
    return array
