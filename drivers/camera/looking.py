"""A camera (or what stands in for one) opened by the technician's tools: its pictures one after the
other, until it is time.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import msgspec

from drivers.camera.grabber import Grabber
from drivers.camera.sight import Frame
from drivers.camera.sources.base import Shot, Source, SourceError, Torn
from drivers.camera.sources.opening import open_source
from drivers.catalog import spec_of
from drivers.kinds.camera import FILE, CameraSpec

WARNING = {
    "en": "Never at a live table with a shoe in play: pictures of cards that are not dealt must "
    "not exist. A card seen here counts nowhere.",
    "ko": "슈가 진행 중인 실제 테이블에서는 절대 쓰지 마십시오: 나누지 않은 카드의 영상이 남아서는 "
    "안 됩니다. 여기서 본 카드는 집계되지 않습니다.",
}
_WHOLE = (0, 0, 0, 0)
_CHECK_S = 2.0
_WAIT_S = 0.1


@runtime_checkable
class Holding(Protocol):
    """A source that has settings: `drivers.camera.sources.v4l2.Camera`."""

    def drifted(self) -> dict[str, str]:
        """The settings it took and has no more, with what it has instead."""

    def values(self) -> dict[str, int]:
        """What it has, by the names of the table's file."""


def spec_from(entry: dict[str, Any]) -> CameraSpec:
    """The camera's settings, of which the whole picture is looked at. Raises ValueError."""
    spec = spec_of(entry)
    if not isinstance(spec, CameraSpec):
        raise ValueError(f"device {spec.name!r} is no camera")
    return spec


class Pictures:
    """The pictures of an open source, and what became of those that were not looked at.

    `came`: all that came; `torn`: those that were damaged; `lost`: why there are no more, "" while
    there are. A camera's are taken as they come, the newest first looked at; those of files
    (`files_fps` a second) are looked at one and all.
    """

    def __init__(self, source: Source, files_fps: float, clock: Callable[[], float]) -> None:
        self._watched = _Watched(source)
        self._files_fps = files_fps
        self._clock = clock
        self.came = self.torn = 0
        self.lost = ""
        self.first_s: float | None = None
        self.last_s = 0.0

    @property
    def what(self) -> str:
        """What it is."""
        return self._watched.what

    @property
    def over(self) -> bool:
        """Whether it has come to its end, as a film does."""
        return self._watched.over

    @property
    def refused(self) -> str:
        """The settings it did not take."""
        return self._watched.refused

    @property
    def drifted(self) -> str:
        """The settings it took and did not keep."""
        return self._watched.drifted

    @property
    def values(self) -> dict[str, int]:
        """The settings as the camera has them."""
        return self._watched.values

    @property
    def fps(self) -> float:
        """Pictures a second, whether they were looked at or not."""
        if self._files_fps:
            return self._files_fps
        if self.first_s is None or self.last_s <= self.first_s:
            return 0.0
        return (self.came - 1) / (self.last_s - self.first_s)

    @property
    def seconds(self) -> float:
        """From the first picture to the last."""
        return 0.0 if self.first_s is None else self.last_s - self.first_s

    def until(self, over: Callable[[], bool]) -> Iterator[Shot | None]:
        """One after the other; None now and then while none comes. It ends when it is over, or
        there are no more.
        """
        grabber = None if self._files_fps else Grabber(self._watched)
        try:
            while not over() and not self._watched.over:
                if grabber is None:
                    got = self._watched.read()
                    yield self._counted(got)
                    continue
                grabbed = grabber.take(_WAIT_S)
                self.came += grabbed.dropped + len(grabbed.torn)
                self.torn += len(grabbed.torn)
                yield self._counted(grabbed.shot)
        except SourceError as error:
            self.lost = str(error)
        finally:
            if grabber is not None:
                grabber.close()

    def _counted(self, got: Shot | Torn | None) -> Shot | None:
        if got is None:
            return None
        self.came += 1
        self.last_s = self._clock()
        if self.first_s is None:
            self.first_s = self.last_s
        if isinstance(got, Torn):
            self.torn += 1
            return None
        if self._files_fps:
            # Files are looked at in our time, and were taken in theirs.
            at_ns = round(self.came / self._files_fps * 1e9)
            return replace(got, frame=Frame(self.came, got.frame.image, at_ns))
        return got


class _Watched:
    """A source whose settings are read again now and then, by the thread that reads it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._next_s = 0.0
        self._drifted: dict[str, str] = {}
        self.values: dict[str, int] = source.values() if isinstance(source, Holding) else {}

    @property
    def what(self) -> str:
        return self._source.what

    @property
    def over(self) -> bool:
        return self._source.over

    @property
    def refused(self) -> str:
        return self._source.refused

    @property
    def drifted(self) -> str:
        return "; ".join(f"{what}: {how}" for what, how in self._drifted.items())

    def read(self) -> Shot | Torn | None:
        got = self._source.read()
        now_s = time.monotonic()
        if isinstance(self._source, Holding) and now_s >= self._next_s:
            self._next_s = now_s + _CHECK_S
            self._drifted |= self._source.drifted()
            self.values = self._source.values()
        return got

    def close(self) -> None:
        self._source.close()


@contextmanager
def opened(
    spec: CameraSpec, *, window: bool = False, clock: Callable[[], float] = time.monotonic
) -> Iterator[Pictures]:
    """The camera, open: its whole picture, or the `window` of its settings. Raises ValueError
    saying why it cannot be had.
    """
    if not window:
        spec = msgspec.structs.replace(spec, window=_WHOLE)
    try:
        source = open_source(spec)
    except SourceError as error:
        raise ValueError(str(error)) from error
    try:
        yield Pictures(source, spec.fps if spec.port.startswith(FILE) else 0.0, clock)
    finally:
        source.close()


def stopper() -> Callable[[], bool]:
    """Whether somebody wants an end: Ctrl-C, SIGTERM, or whoever asked for this is gone."""
    asked, parent = threading.Event(), os.getppid()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: asked.set())
    return lambda: asked.is_set() or os.getppid() != parent
