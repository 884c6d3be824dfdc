"""A thread that takes pictures from a source and keeps only the newest."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np

from drivers.camera.sources.base import Shot, Source, Torn
from drivers.camera.watchdog import Look

# Every so many-th pixel tells a picture's light, and nearly always that it is another one.
_STEP = 8


@dataclass(frozen=True)
class Grabbed:
    """What came since the last time. `shot`: the newest picture, and how it looks beside the one
    that came before it; `dropped`: whole ones that nobody looked at; `torn`: why those were.
    """

    shot: Shot | None = None
    look: Look | None = None
    dropped: int = 0
    torn: tuple[str, ...] = ()


@dataclass
class _Slot:
    shot: Shot | None = None
    look: Look | None = None
    dropped: int = 0
    torn: list[str] = field(default_factory=list)


class Grabber:
    """Reads a source in a thread of its own, so that no picture waits while one is looked at."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._slot = _Slot()
        self._before: Shot | None = None
        self._failed: Exception | None = None
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        """Begin, if it has not; the first `take` does so, for a film must not run without anybody
        who looks.
        """
        if self._thread.ident is None:
            self._thread.start()

    def take(self, wait_s: float) -> Grabbed:
        """What came, waiting for it at most so long. Raises what the source raised, once all that
        came before it was taken.
        """
        self.start()
        with self._news:
            self._news.wait_for(self._has_news, wait_s)
            slot, self._slot = self._slot, _Slot()
            if slot.shot is None and not slot.torn and self._failed is not None:
                raise self._failed
        return Grabbed(slot.shot, slot.look, slot.dropped, tuple(slot.torn))

    def close(self) -> None:
        """End the thread, which may be inside the camera for a second, and close the source."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(2)
        if not self._thread.is_alive():
            self._source.close()

    def _has_news(self) -> bool:
        slot = self._slot
        return slot.shot is not None or bool(slot.torn) or self._failed is not None

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                got = self._source.read()
                if got is not None:
                    self._keep(got)
        except Exception as error:  # noqa: BLE001 - raised again in the thread that takes
            with self._news:
                self._failed = error
                self._news.notify()

    def _keep(self, got: Shot | Torn) -> None:
        look = None if isinstance(got, Torn) else look_at(got, self._before)
        with self._news:
            slot = self._slot
            if isinstance(got, Torn):
                if len(slot.torn) < 100:
                    slot.torn.append(got.why)
            else:
                assert look is not None
                slot.dropped += slot.shot is not None
                if slot.look is not None and not (slot.look.same or slot.look.stood):
                    # A new one came and then the same again: it is still to be looked at, once.
                    look = Look(look.light, look.spread)
                slot.shot, slot.look = got, look
                self._before = got
            self._news.notify()


def look_at(shot: Shot, before: Shot | None) -> Look:
    """A picture's bare figures, beside those of the one before."""
    image = shot.frame.image
    few = image[::_STEP, ::_STEP]
    same = stood = False
    if before is not None:
        old = before.frame.image
        same = old.shape == image.shape and np.array_equal(old[::_STEP, ::_STEP], few)
        same = same and np.array_equal(old, image)
        stood = shot.stamp is not None and shot.stamp == before.stamp
    return Look(float(few.mean()), float(few.std()), same, stood)
