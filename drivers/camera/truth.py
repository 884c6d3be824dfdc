"""What stands in pictures, where somebody wrote it down, and how well they were read by it.

Two forms are known: `truth.json`, an object whose `sequences` hold `expected` (faces) and `frames`
with their `file`, and, for each card, how much of its index and symbol is visible; and
`index.json`, a list with `file` and `printed`, the text of the code.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from drivers.camera.reading import Result, Sequence
from drivers.camera.refusal_words import of_file

Answer = Literal["right", "unsure", "wrong"]
NAMES = ("truth.json", "index.json")
_WHOLE = 0.99
_NONE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


class NoTruth(ValueError):
    """A file that is no truth; the text says what is wrong with it."""


@dataclass(frozen=True)
class Truth:
    """Of one sequence. `by`: barcode or index, what is printed to be read; `readable`: in two
    frames it is wholly visible.
    """

    expected: tuple[str, ...]
    by: Literal["barcode", "index", "none"]
    readable: bool


Truths = dict[Path, Truth]


def beside(path: Path) -> Path | None:
    """The truth that lies beside a folder's or a file's pictures."""
    folder = path if path.is_dir() else path.parent
    for place in (folder, folder.parent):
        for name in NAMES:
            if (place / name).is_file():
                return place / name
    return None


def load(path: Path, face_of: Callable[[str], str]) -> Truths:
    """By each sequence's first file. `face_of` tells the face of a code's text. NoTruth if it is
    none.
    """
    try:
        data: Any = json.loads(path.read_text("utf-8"))
        if isinstance(data, dict):
            found = [_sequence(path.parent, one) for one in data["sequences"]]
        else:
            found = [_printed(path.parent, one, face_of) for one in data]
    except OSError as error:
        raise NoTruth(f"{of_file(path, error)}; or read without it: --truth -") from error
    except _NONE as error:
        # What the parser says names neither the file's form nor what to do.
        raise NoTruth(
            f"{path}: it does not say what stands in the pictures, as a truth.json or index.json "
            "does; mend it, or read without it: --truth -"
        ) from error
    return {_real(file): truth for file, truth in found}


def judge(truth: Truth, cards: tuple[str, ...]) -> Answer:
    """Whether those cards are the right ones, in order; a card that is none of them is wrong."""
    if cards == truth.expected:
        return "right"
    rest = list(truth.expected)
    for card in cards:
        if card not in rest:
            return "wrong"
        del rest[: rest.index(card) + 1]
    return "unsure"


def of(sequence: Sequence, truths: Truths) -> Truth | None:
    """What stands in that sequence, None if nobody wrote it down."""
    return truths.get(_real(sequence.files[0]))


def _real(file: Path) -> Path:
    """The file behind links, also where they lead round in a circle."""
    return Path(os.path.realpath(file))


@dataclass
class Score:
    """How many were right, unsure and wrong, in all and of those that were readable."""

    right: int = 0
    unsure: int = 0
    wrong: int = 0
    readable: int = 0
    readable_right: int = 0

    def add(self, truth: Truth, answer: Answer) -> None:
        """One sequence more."""
        setattr(self, answer, getattr(self, answer) + 1)
        if truth.readable:
            self.readable += 1
            self.readable_right += answer == "right"


def answer_of(truth: Truth, result: Result) -> Answer:
    """How a sequence was read."""
    return judge(truth, result.cards)


def face(name: str) -> str:
    """`10s`, `TS`, `Kd` as `TS`, `TS`, `KD`."""
    return name.replace("10", "T").upper()


def _printed(
    folder: Path, one: dict[str, Any], face_of: Callable[[str], str]
) -> tuple[Path, Truth]:
    shown = face_of(one["printed"])
    return folder / one["file"], Truth((shown,) if shown else (), "barcode", readable=False)


def _sequence(folder: Path, one: dict[str, Any]) -> tuple[Path, Truth]:
    expected = tuple(face(card) for card in one["expected"])
    by: Literal["barcode", "index"] = "index" if one.get("group", "index") == "index" else "barcode"
    seen = [sum(_shows(frame, card, by) for frame in one["frames"]) for card in one["expected"]]
    first = folder / one["frames"][0]["file"]
    return first, Truth(expected, by if expected else "none", bool(seen) and min(seen) >= 2)


def _shows(frame: dict[str, Any], card: str, by: str) -> bool:
    for there in frame["cards"]:
        if there.get("card") != card:
            continue
        if by == "barcode" and _visible(there.get("symbol")):
            return True
        for corner in ("", "_br"):
            if _visible(there.get(f"rank{corner}")) and _visible(there.get(f"suit{corner}")):
                return True
    return False


def _visible(part: dict[str, Any] | None) -> bool:
    return part is not None and float(part.get("visible", 0)) >= _WHOLE
