"""What a run leaves behind on request: pictures of each moment, and the time to each frame."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import IO

import msgspec
from PySide6.QtCore import QObject, QTimer
from PySide6.QtQuick import QQuickWindow

from station.snapshot import Snapshot
from ui.console import Console

log = logging.getLogger("ui.record")

MOST_PICTURES = 200


class Trace(QObject):
    """One JSON line `{version, received_ns, swapped_ns}` a snapshot, CLOCK_MONOTONIC.

    `received_ns`: its bytes were read; `swapped_ns`: the first frame that shows it was swapped.
    """

    def __init__(self, window: QQuickWindow, console: Console, path: Path) -> None:
        super().__init__(window)
        self._file: IO[bytes] = path.open("ab", buffering=0)
        self._waiting: list[tuple[int, int]] = []
        self._window = window
        console.applied.connect(self._on_applied)
        window.frameSwapped.connect(self._on_frame)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _on_applied(self, snapshot: Snapshot, received_ns: int) -> None:
        self._waiting.append((snapshot.version, received_ns))
        self._window.update()  # A snapshot that changes nothing is shown by a frame as well.

    def _on_frame(self) -> None:
        if not self._waiting:
            return
        swapped_ns = time.monotonic_ns()
        lines = [
            msgspec.json.encode(
                {"version": version, "received_ns": received_ns, "swapped_ns": swapped_ns}
            )
            for version, received_ns in self._waiting
        ]
        self._waiting.clear()
        self._file.write(b"\n".join(lines) + b"\n")


class Pictures(QObject):
    """A PNG at each change of phase, prompt, hold or link: `NNN-<phase>-<kind>-<lang>.png`."""

    def __init__(self, window: QQuickWindow, console: Console, folder: Path) -> None:
        super().__init__(window)
        folder.mkdir(parents=True, exist_ok=True)
        self._window = window
        self._console = console
        self._folder = folder
        self._last: tuple[object, ...] = ()
        self._due = ""
        self._taken = 0
        console.applied.connect(self._look)
        console.changed.connect(self._look)
        console.language_changed.connect(self._look)
        window.frameSwapped.connect(self._on_frame)

    def _look(self, *_: object) -> None:
        snapshot = self._console.snapshot
        language = self._console.property("language")
        link = self._console.property("link")
        if snapshot is None:
            return
        holds = tuple(hold.hold for hold in snapshot.holds)
        seniors = tuple(person.staff for person in snapshot.staff.signed_in)
        slot = snapshot.prompt.slot
        kind = snapshot.prompt.kind if link == "up" else link
        now = (snapshot.phase, kind, snapshot.prompt.code, slot, holds, seniors, language)
        if now != self._last and self._taken < MOST_PICTURES:
            self._last = now
            self._due = f"{snapshot.phase}-{kind}-{language}"
            self._window.update()

    def _on_frame(self) -> None:
        if self._due:
            QTimer.singleShot(0, self._take)

    def _take(self) -> None:
        name, self._due = self._due, ""
        if not name:
            return
        self._taken += 1
        path = self._folder / f"{self._taken:03d}-{name}.png"
        if not self._window.grabWindow().save(str(path)):
            log.warning("cannot write %s", path)
