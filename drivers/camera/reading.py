"""Reads pictures from files: what `camera read` does, and what the figures are taken with.

Pictures whose names end in consecutive numbers (`007_0.jpg`, `007_1.jpg`, ...) are frames of one
sequence; any other picture stands for itself; a film is one sequence.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from drivers.camera.compass import travel_of
from drivers.camera.cv import MAX_PIXELS, cv2
from drivers.camera.doubles import Looks
from drivers.camera.looker import index_of
from drivers.camera.pipeline import Pipeline
from drivers.camera.refusal_words import of_file, refusal
from drivers.camera.scene import SceneFinder
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame, Image
from drivers.protocols import camera_lines as lines

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
FILMS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".m4v", ".webm"})
# Sequences up to this length are looked through twice: first for the way the cards go.
_SHORT = 64
_NUMBERED = re.compile(r"(?P<stem>.*?)[_-](?P<number>\d{1,6})\Z")
_FPS = 60.0
_NO_FILE = "no file, or a link to none; take it away"


class NoPictures(ValueError):
    """What was given holds no pictures; the text says what and what to give."""


@dataclass(frozen=True)
class Sequence:
    """Pictures that belong together. `name` is what a person would call it."""

    name: str
    files: tuple[Path, ...]
    film: bool = False


@dataclass(frozen=True)
class Result:
    """What was read of one sequence. `cards`: faces in order, `codes`: the text of each or "".
    `unsure`: the reason if something passed or stood there and was not told, `nothing` if there was
    nothing, "" otherwise; with `detail`. `cut_card`: it passed. `ms`: of each frame, whole.
    `broken`: files that are none.
    """

    name: str
    frames: int
    cards: tuple[str, ...]
    codes: tuple[str, ...]
    by: tuple[tuple[str, ...], ...]
    unsure: str
    detail: str
    cut_card: bool
    ms: tuple[float, ...]
    broken: tuple[str, ...] = ()


def sequences(paths: Iterable[Path], *, each: bool = False) -> Iterator[Sequence]:
    """The sequences under those paths, in the order of their names. `each`: every picture stands
    for itself. Raises NoPictures naming a path that holds none.
    """
    for path in paths:
        if path.is_dir():
            found = sorted(_files(path))
            if not found:
                raise NoPictures(refusal("no_pictures", path=path, endings=_endings()))
            yield from _grouped(found, each)
        elif path.suffix.lower() in FILMS and path.is_file():
            yield Sequence(str(path), (path,), film=True)
        elif path.is_file():
            yield Sequence(str(path), (path,))
        else:
            raise NoPictures(refusal("nothing_there", path=path))


def frames_of(sequence: Sequence) -> Iterator[Frame | str]:
    """Its frames, in order; instead of a file that is no picture, what is wrong with it."""
    if sequence.film:
        path = sequence.files[0]
        yield from _film(path) if path.is_file() else (f"{path}: {_NO_FILE}",)
        return
    for number, path in enumerate(sequence.files):
        image = _picture(path)
        if isinstance(image, str):
            yield f"{path}: {image}"
        else:
            yield Frame(number, image, round(number / _FPS * 1e9))


class Reader:
    """Reads sequences one after the other, each by a pipeline of its own."""

    def __init__(self, seeing: Seeing, *, index: Looks | None = None) -> None:
        self._seeing = seeing
        self._index = index if index is not None else index_of(seeing)

    def read(self, sequence: Sequence, watch: Callable[[Frame], object] | None = None) -> Result:
        """What passed in it. `watch` is shown each frame."""
        frames = frames_of(sequence)
        head: list[Frame] = []
        broken: list[str] = []
        for frame in frames:
            if isinstance(frame, str):
                broken.append(frame)
                continue
            head.append(frame)
            if len(head) > _SHORT:
                break
        pipeline = Pipeline(self._way(head), index=self._index)
        told: list[lines.Event] = []
        ms: list[float] = []
        for frame in _after(head, frames, broken):
            if watch is not None:
                watch(frame)
            start = time.perf_counter()
            told += pipeline.frame(frame)
            ms.append((time.perf_counter() - start) * 1000)
        told += pipeline.finish()
        return _result(sequence, told, ms, broken)

    def _way(self, head: list[Frame]) -> Seeing:
        if self._seeing.travel is not None or not 1 < len(head) <= _SHORT:
            return self._seeing
        finder = SceneFinder()
        return replace(self._seeing, travel=travel_of([finder.find(frame) for frame in head]))


def _after(head: list[Frame], rest: Iterator[Frame | str], broken: list[str]) -> Iterator[Frame]:
    yield from head
    for frame in rest:
        if isinstance(frame, str):
            broken.append(frame)
        else:
            yield frame


def _result(
    sequence: Sequence, told: list[lines.Event], ms: list[float], broken: list[str]
) -> Result:
    reads: list[lines.Read] = []
    for one in told:
        # A code with a deck number is on one card only: seen again, it is that card.
        again = isinstance(one, lines.Read) and one.deck and reads and reads[-1].text == one.text
        if isinstance(one, lines.Read) and not again:
            reads.append(one)
    missed = [one for one in told if isinstance(one, lines.Missed)]
    cut_card = any(isinstance(one, lines.CutOut) for one in told)
    unsure = "" if reads or cut_card else "nothing"
    return Result(
        name=sequence.name,
        frames=len(ms),
        cards=tuple(one.face for one in reads),
        codes=tuple(one.text for one in reads),
        by=tuple(one.by for one in reads),
        unsure=missed[0].reason if missed else unsure,
        detail=(missed[0].text or missed[0].detail) if missed else "",
        cut_card=cut_card,
        ms=tuple(ms),
        broken=tuple(broken),
    )


def _endings() -> str:
    return ", ".join(sorted(ending[1:] for ending in PICTURES | FILMS))


def _grouped(files: list[Path], each: bool) -> Iterator[Sequence]:
    groups: dict[tuple[Path, str], list[tuple[int, Path]]] = {}
    for path in files:
        numbered = _NUMBERED.match(path.stem)
        if path.suffix.lower() in FILMS or numbered is None or each:
            groups[path.parent, path.name] = [(0, path)]
        else:
            key = path.parent, numbered["stem"]
            groups.setdefault(key, []).append((int(numbered["number"]), path))
    for (folder, stem), members in groups.items():
        members.sort()
        numbers = [number for number, _ in members]
        consecutive = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        if len(members) > 1 and consecutive and numbers[0] <= 1:
            yield Sequence(str(folder / stem), tuple(path for _, path in members))
            continue
        for _, path in members:
            yield Sequence(str(path), (path,), film=path.suffix.lower() in FILMS)


def _files(folder: Path) -> Iterator[Path]:
    """What is named as a picture or a film, at any depth. Raises NoPictures for a folder that may
    not be looked into: what lies in it would be left out without a word.
    """

    def refused(error: OSError) -> None:
        raise NoPictures(of_file(error.filename, error))

    for place, _, names in os.walk(folder, onerror=refused):
        for name in names:
            if Path(name).suffix.lower() in PICTURES | FILMS:
                yield Path(place, name)


def _picture(path: Path) -> Image | str:
    """The picture of a file, or why there is none and what to do."""
    if not path.is_file():  # A pipe would be waited for without end.
        return _NO_FILE
    try:
        raw = path.read_bytes()
    except OSError as error:
        return of_file("", error).removeprefix(": ")
    if not raw:
        return "an empty file; take the picture again"
    try:
        image = cv2.imdecode(np.frombuffer(raw, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image, why = None, f"too large (over {MAX_PIXELS // 1_000_000} million pixels) or damaged"
    else:
        why = "no picture, or one cut short"
    return f"{why}; save or take it again" if image is None else np.asarray(image, dtype=np.uint8)


def _film(path: Path) -> Iterator[Frame | str]:
    film = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        fps = film.get(cv2.CAP_PROP_FPS) or _FPS
        number = 0
        while True:
            good, image = film.read()
            if not good:
                break
            yield Frame(number, np.asarray(image, dtype=np.uint8), round(number / fps * 1e9))
            number += 1
        if number == 0:
            yield f"{path}: no film that can be read, or an empty one; record it again"
    finally:
        film.release()
