"""A console in this process, offscreen, tied to a fake station: real Qt, real socket, real QML."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickItem, QQuickView
from PySide6.QtTest import QTest

from station import snapshot as m
from station.messages import Language
from tests.ui.fake_station import FakeStation
from tests.ui.screens import BACK
from ui.client import StationClient
from ui.console import Console
from ui.window import choose_font, make_view
from ui.words import Words

PATIENCE_S = 10.0


def application() -> QGuiApplication:
    """The one application of this process."""
    app = QGuiApplication.instance()
    return app if isinstance(app, QGuiApplication) else QGuiApplication(["tests"])


class Desk:
    """Console, window and station of one test."""

    def __init__(
        self,
        folder: Path,
        snapshot: m.Snapshot,
        language: Language = "ko",
        size: tuple[int, int] = (1280, 800),
        lost_after_ms: int = 3000,
    ) -> None:
        self.station = FakeStation(folder / "s.sock", snapshot, lost_after_ms)
        self.sit_down(folder / "s.sock", language, size)

    def sit_down(self, path: Path, language: Language, size: tuple[int, int]) -> None:
        """The window on the station at that socket, once it has shown its first snapshot."""
        self.app = application()
        self.client = StationClient(str(path), "test-console")
        self.console = Console(self.client, Words(language))
        self.view: QQuickView = make_view(self.console, choose_font())
        self.view.resize(*size)
        self.view.show()
        self.client.start()
        self.wait(lambda: self.console.snapshot is not None, "a first snapshot")
        self.settle()

    def close(self) -> None:
        """End everything, in the order the program does."""
        self.client.close()
        self.view.setSource(QUrl())
        self.view.close()
        self.view.deleteLater()
        self.console.deleteLater()
        self.leave()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def leave(self) -> None:
        """End the station that was made for this desk."""
        self.station.close()

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Run Qt until `condition`; fails naming `what`."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"never came: {what}")
            self.app.processEvents()
            time.sleep(0.001)

    def settle(self) -> None:
        """Let what is queued happen and one frame be painted."""
        for _ in range(3):
            self.app.processEvents()
        self.view.grabWindow()

    def show(self, snapshot: m.Snapshot) -> None:
        """Serve a snapshot and wait until it is on the screen."""
        self.station.show(snapshot)
        self.wait(lambda: self.console.snapshot == snapshot, "the snapshot")
        self.settle()

    def open(self, sheet: str) -> None:
        """Open a sheet by its name, or by that of a cell with a bet."""
        if sheet in BACK:
            self.console.askBack(*BACK[sheet])
        else:
            self.console.open(sheet)
        self.settle()

    def find(self, name: str) -> QQuickItem:
        """The item of that objectName that can be seen."""
        found = [i for i in self.items(QQuickItem) if i.objectName() == name and i.isVisible()]
        assert found, f"no visible item {name!r}"
        return found[0]

    def shown(self, name: str) -> bool:
        """Whether an item of that name can be seen."""
        return any(i.objectName() == name and i.isVisible() for i in self.items(QQuickItem))

    def items(self, kind: type[QQuickItem]) -> list[QQuickItem]:
        """Every item of the scene, in no order."""
        root = self.view.rootObject()
        assert root is not None
        todo, found = [root], []
        while todo:
            item = todo.pop()
            found.append(item)
            todo.extend(item.childItems())
        return [item for item in found if isinstance(item, kind)]

    def texts(self) -> list[QQuickItem]:
        """Every Text that can be seen and says something."""
        return [
            item
            for item in self.items(QQuickItem)
            if item.inherits("QQuickText") and item.isVisible() and str(item.property("text"))
        ]

    def words(self) -> str:
        """All that can be read on the screen."""
        return "\n".join(str(item.property("text")) for item in self.texts())

    def centre(self, name: str) -> QPoint:
        """The middle of an item, in window pixels."""
        item = self.find(name)
        return item.mapToScene(QPointF(item.width() / 2, item.height() / 2)).toPoint()

    def to_set_letters(self) -> None:
        """The second half of loading a shoe: which set."""
        self.console.open("load")
        self.settle()
        self.click("pad:1")
        self.click("entry:go")
        self.settle()

    def click(self, name: str) -> None:
        """Press and release at once."""
        left = Qt.MouseButton.LeftButton
        none = Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(self.view, left, none, self.centre(name))
        self.app.processEvents()

    def press(self, name: str) -> None:
        left = Qt.MouseButton.LeftButton
        QTest.mousePress(self.view, left, Qt.KeyboardModifier.NoModifier, self.centre(name))

    def release(self, name: str) -> None:
        left = Qt.MouseButton.LeftButton
        QTest.mouseRelease(self.view, left, Qt.KeyboardModifier.NoModifier, self.centre(name))


def owner(item: QObject) -> str:
    """A readable place of an item: the names above it."""
    names = []
    walk: QObject | None = item
    while isinstance(walk, QQuickItem):
        if walk.objectName():
            names.append(walk.objectName())
        walk = walk.parentItem()
    return " < ".join(names)
