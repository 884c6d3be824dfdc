"""The watch: one thread beside the controller's that looks at what the table stands on.

It decides nothing. What it finds it puts into the controller's inbox, again and again; a fact is
made only of what is news.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple

from station.logs import Logger
from station.table.inputs import ConditionSeen

# Between two looks, seconds.
LOOK_S = 2.0
# Longer than that no look takes: a disk that does not answer holds it up.
SILENT_S = 60.0

_log = Logger("watch")


class Probe(NamedTuple):
    """`look` is asked each `every_s` seconds."""

    name: str
    every_s: float
    look: Callable[[], Iterable[ConditionSeen]]


class Watch:
    """Build it, `start` it, `stop` it. Tests call `look` themselves."""

    def __init__(
        self,
        probes: tuple[Probe, ...],
        post: Callable[[ConditionSeen], None],
        now: Callable[[], float],
        close: Callable[[], None] = lambda: None,
    ) -> None:
        """`now`: seconds of a clock that nobody sets. `close`: called when it has ended."""
        self._probes = probes
        self._post = post
        self._now = now
        self._close = close
        self._due = dict.fromkeys((probe.name for probe in probes), now())
        self._looked = now()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """From here on it looks."""
        self._looked = self._now()
        self._thread.start()

    def stop(self) -> None:
        """It looks no more."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(5)
        if not self._thread.is_alive():
            self._close()

    def look(self) -> None:
        """Ask each probe whose time has come."""
        for probe in self._probes:
            if self._due[probe.name] > self._now():
                continue
            self._due[probe.name] = self._now() + probe.every_s
            try:
                for seen in probe.look():
                    self._post(seen)
            except Exception as error:  # noqa: BLE001 - the other probes go on
                _log.error("watch", probe=probe.name, error=repr(error))
        self._looked = self._now()

    def silent(self) -> ConditionSeen:
        """Whether it is held up, for whoever watches it. From another thread."""
        held = self._now() - self._looked > SILENT_S
        return ConditionSeen("watch_silent", stands=held)

    def _run(self) -> None:
        while not self._ended.is_set():
            self.look()
            self._ended.wait(LOOK_S)
