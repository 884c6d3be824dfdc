"""Pictures from files, for test tables and for looking again at what a camera saw: a film, or a
folder of pictures in the order of their names (a picture alone is a folder of one).
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.refusal_words import of_file, refusal
from drivers.camera.sight import Frame, Image
from drivers.camera.sources.base import Shot, SourceError, Torn, bgr, cropped, whole_jpeg
from drivers.kinds.camera import EXIT_DENIED, EXIT_MISCONFIGURED, EXIT_MISSING

_PICTURES = (".bmp", ".jpeg", ".jpg", ".png")
_SLEEP_S = 0.2


class Images:
    """A folder of pictures, `fps` a second. Raises SourceError when there are none, at the end of
    them too when not one was whole.
    """

    def __init__(self, path: str, fps: float, window: tuple[int, int, int, int]) -> None:
        place = Path(path)
        if not place.exists():
            raise SourceError(refusal("nothing_there", path=path), EXIT_MISSING)
        try:
            files = sorted(place.iterdir()) if place.is_dir() else [place]
        except OSError as error:
            raise SourceError(of_file(path, error), EXIT_DENIED) from error
        self._files = [file for file in files if file.suffix.lower() in _PICTURES]
        if not self._files:
            endings = ", ".join(_PICTURES)
            words = refusal("no_pictures", path=path, endings=endings)
            raise SourceError(words, EXIT_MISCONFIGURED)
        self._path, self._fps, self._window = path, fps, window
        self._whole = False
        self._pace = _Pace(fps)
        self._next = 0

    @property
    def what(self) -> str:
        """Where the pictures are, and how many."""
        if len(self._files) == 1:
            return refusal("file", path=self._path)
        count, fps = len(self._files), f"{self._fps:g}"
        return refusal("files", count=count, path=self._path, fps=fps)

    @property
    def over(self) -> bool:
        """Whether the last one was given."""
        return self._next >= len(self._files)

    @property
    def refused(self) -> str:
        """They take no settings."""
        return ""

    def read(self) -> Shot | Torn | None:
        """The next picture, when it is due."""
        if self.over:
            time.sleep(_SLEEP_S)
            return None
        file, number = self._files[self._next], self._next
        self._next += 1
        at_ns = self._pace.wait()
        image = _loaded(file)
        if isinstance(image, str):
            if number + 1 == len(self._files) and not self._whole:
                raise SourceError(self._none_whole(), EXIT_MISCONFIGURED)
            return Torn(f"{file.name}: {image}")
        self._whole = True
        return Shot(Frame(number, cropped(image, self._window), at_ns))

    def _none_whole(self) -> str:
        if not Path(self._path).is_dir():
            return refusal("no_picture", path=self._path)
        return refusal("none_whole", path=self._path, count=len(self._files))

    def close(self) -> None:
        """Nothing is held open."""


class Film:
    """A video file, at its own pace. Raises SourceError when it cannot be opened."""

    def __init__(self, path: str, fps: float, window: tuple[int, int, int, int]) -> None:
        if not Path(path).exists():
            raise SourceError(refusal("nothing_there", path=path), EXIT_MISSING)
        self._film = cv2.VideoCapture(path)
        if not self._film.isOpened():
            raise SourceError(refusal("no_film", path=path), EXIT_MISCONFIGURED)
        own = self._film.get(cv2.CAP_PROP_FPS)
        self._path, self._window = path, window
        self._fps = own if 1 <= own <= 1000 else fps
        self._pace = _Pace(self._fps)
        self._number = 0
        self._over = False

    @property
    def what(self) -> str:
        """Which film."""
        return refusal("film", path=self._path, fps=f"{self._fps:g}")

    @property
    def over(self) -> bool:
        """Whether the last picture was given."""
        return self._over

    @property
    def refused(self) -> str:
        """It takes no settings."""
        return ""

    def read(self) -> Shot | Torn | None:
        """The next picture, when it is due."""
        if self._over:
            time.sleep(_SLEEP_S)
            return None
        at_ns = self._pace.wait()
        had, image = self._film.read()
        if not had or image is None:
            self._over = True
            return None
        self._number += 1
        picture = cropped(bgr(np.asarray(image, dtype=np.uint8)), self._window)
        return Shot(Frame(self._number - 1, picture, at_ns))

    def close(self) -> None:
        """Close the file."""
        self._film.release()


class _Pace:
    """Waits until the next picture is due. One that is late is not made up for."""

    def __init__(self, fps: float) -> None:
        self._every_s = 1 / fps
        self._due_s = 0.0

    def wait(self) -> int:
        """Give the time at which the picture counts as taken (ns, monotonic)."""
        now = time.monotonic()
        self._due_s = max(self._due_s + self._every_s, now)
        if self._due_s > now:
            time.sleep(self._due_s - now)
        return time.monotonic_ns()


def _loaded(file: Path) -> Image | str:
    try:
        data = file.read_bytes()
    except OSError as error:
        return error.strerror or str(error)
    if file.suffix.lower() in (".jpg", ".jpeg"):
        return whole_jpeg(data)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error as error:  # Such as a small file that claims to be a huge picture.
        return f"it cannot be decoded ({error.err})"
    return "it cannot be decoded" if image is None else np.asarray(image, dtype=np.uint8)
