"""What QML binds to. No truth lives here: every snapshot redraws all of it.

Each region of the screen is one `Region`: a plain map that tells QML only when it differs, so a
snapshot repaints what changed and nothing else.
"""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import Property as QtProperty
from PySide6.QtCore import QAbstractListModel, QByteArray, QModelIndex, QObject, Qt, Signal
from PySide6.QtCore import QPersistentModelIndex as PersistentIndex

from ui.words import rank_sign

Index = QModelIndex | PersistentIndex
_NOWHERE = QModelIndex()
RANK_ROLE = int(Qt.ItemDataRole.UserRole) + 1
SUIT_ROLE = RANK_ROLE + 1


class Region(QObject):
    """A map under the property `v`; `changed` is emitted only when it differs."""

    changed = Signal()

    def __init__(self, values: dict[str, Any], parent: QObject) -> None:
        super().__init__(parent)
        self._values = values

    def put(self, values: dict[str, Any]) -> None:
        """Show these values from now on."""
        if values != self._values:
            self._values = values
            self.changed.emit()

    def get(self) -> dict[str, Any]:
        """The values on show."""
        return self._values

    v = QtProperty("QVariantMap", get, notify=changed)  # type: ignore[arg-type]


class CardList(QAbstractListModel):
    """The cards of one hand. A card that comes is one inserted row; the others stay as drawn."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._faces: list[str] = []

    def put(self, faces: list[str]) -> None:
        """Lay these cards, in order."""
        same = 0
        for old, new in zip(self._faces, faces, strict=False):
            if old != new:
                break
            same += 1
        if same < len(self._faces):
            self.beginRemoveRows(QModelIndex(), same, len(self._faces) - 1)
            del self._faces[same:]
            self.endRemoveRows()
        if same < len(faces):
            self.beginInsertRows(QModelIndex(), same, len(faces) - 1)
            self._faces.extend(faces[same:])
            self.endInsertRows()

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._faces)

    def data(self, index: Index, role: int = RANK_ROLE) -> str | None:
        if not index.isValid() or index.row() >= len(self._faces):
            return None
        face = self._faces[index.row()]
        if role == RANK_ROLE:
            return rank_sign(face)
        return face[1:] if role == SUIT_ROLE else None

    def roleNames(self) -> dict[int, QByteArray]:  # noqa: N802
        return {RANK_ROLE: QByteArray(b"rank"), SUIT_ROLE: QByteArray(b"suit")}


class Seat(QObject):
    """One place on the felt: its values, and a card list for each of its two hands."""

    def __init__(self, values: dict[str, Any], parent: QObject) -> None:
        super().__init__(parent)
        self.region = Region(values, self)
        self.lists = (CardList(self), CardList(self))

    def _view(self) -> QObject:
        return self.region

    def _first(self) -> QObject:
        return self.lists[0]

    def _second(self) -> QObject:
        return self.lists[1]

    view = QtProperty(QObject, _view, constant=True)
    first = QtProperty(QObject, _first, constant=True)
    second = QtProperty(QObject, _second, constant=True)


class Countdown:
    """A running window on the monotonic clock; `clock` gives nanoseconds."""

    def __init__(self) -> None:
        self._ends_ns = 0
        self._total_ms = 0
        self.running = False

    def start(self, left_ms: int, total_ms: int, now_ns: int) -> None:
        """Count down from `left_ms` of `total_ms`, milliseconds."""
        self._ends_ns = now_ns + left_ms * 1_000_000
        self._total_ms = max(total_ms, 1)
        self.running = True

    def stop(self) -> None:
        """Show nothing."""
        self.running = False

    def shown(self, now_ns: int) -> dict[str, Any]:
        """`text` as 0:09, `part` left from 0 to 1 in hundredths, `last` in the last 5 s."""
        if not self.running:
            return {"text": "", "part": 0.0, "last": False}
        left_ms = max(self._ends_ns - now_ns, 0) // 1_000_000
        seconds = -(-left_ms // 1000)
        part = round(min(left_ms / self._total_ms, 1.0), 2)
        return {
            "text": f"{seconds // 60}:{seconds % 60:02d}",
            "part": part,
            "last": seconds <= 5,
        }


def now_ns() -> int:
    """CLOCK_MONOTONIC in nanoseconds."""
    return time.monotonic_ns()
