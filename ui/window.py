"""The window: Qt is set up, QML loaded, signals of the system turned into a clean end."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QOffscreenSurface,
    QOpenGLContext,
)
from PySide6.QtQml import QQmlError
from PySide6.QtQuick import QQuickView, QQuickWindow, QSGRendererInterface

from station.messages import Language, Rejected
from ui.client import StationClient
from ui.console import Console
from ui.record import Pictures, Trace
from ui.start import CannotStart
from ui.words import Words

QML = Path(__file__).parent / "qml"
FONTS = ("Noto Sans CJK KR", "Noto Sans KR", "Pretendard", "NanumGothic", "UnDotum")
GL_RENDERER = 0x1F01
EXIT_LINK_TAKEN = 4
NO_HANGUL = (
    "dealer console: no font with Korean letters is installed; showing English. "
    "Install one with: apt-get install fonts-noto-cjk\n"
)


def choose_font() -> str:
    """The family to draw with; "" when no font on the system has Korean letters."""
    korean = QFontDatabase.families(QFontDatabase.WritingSystem.Korean)
    for family in FONTS:
        if family in korean:
            return family
    return korean[0] if korean else ""


def has_gpu() -> bool:
    """Whether OpenGL is there and is not itself imitated by the processor."""
    context, surface = QOpenGLContext(), QOffscreenSurface()
    if not context.create():
        return False
    surface.create()
    if not context.makeCurrent(surface):
        return False
    name = str(context.functions().glGetString(GL_RENDERER)).lower()
    context.doneCurrent()
    return not any(imitation in name for imitation in ("llvmpipe", "softpipe", "software"))


def use_software_where_there_is_no_gpu(app: QGuiApplication) -> None:
    """Without a graphics processor Qt's own painter is quicker than imitated OpenGL."""
    if app.platformName() == "xcb" and not has_gpu():
        QQuickWindow.setGraphicsApi(QSGRendererInterface.GraphicsApi.Software)


class Signals(QObject):
    """SIGTERM and SIGINT end the event loop; Python's own handlers would wait for a press."""

    def __init__(self, quit_: Callable[[], None]) -> None:
        super().__init__()
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self._far.setblocking(False)
        self._before = signal.set_wakeup_fd(self._far.fileno())
        self._handlers = {
            number: signal.signal(number, self._ignore)
            for number in (signal.SIGTERM, signal.SIGINT)
        }
        self._quit = quit_
        self._notifier = QSocketNotifier(self._near.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)

    def close(self) -> None:
        """Put back what was before."""
        self._notifier.setEnabled(False)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._before)
        self._near.close()
        self._far.close()

    def _ignore(self, number: int, frame: FrameType | None) -> None:
        """The byte in the wake-up pipe does the work."""

    def _on_signal(self) -> None:
        self._near.recv(64)
        self._quit()


def make_view(console: Console, family: str) -> QQuickView:
    """The loaded window, not yet shown. Raises `CannotStart` when the QML does not load."""
    view = QQuickView()
    view.setResizeMode(QQuickView.ResizeMode.SizeRootObjectToView)
    view.setColor(QColor("#0a0d0c"))
    view.setTitle("Dealer Station")
    context = view.rootContext()
    context.setContextProperty("desk", console)
    context.setContextProperty("fontFamily", family)
    view.setSource(QUrl.fromLocalFile(str(QML / "Main.qml")))
    if view.status() == QQuickView.Status.Error:
        errors: list[QQmlError] = view.errors()
        raise CannotStart("; ".join(error.toString() for error in errors))
    return view


def _end_taken(app: QGuiApplication, name: str, rejected: Rejected) -> None:
    sys.stderr.write(
        f"dealer console: the station refuses the name {name!r}: {rejected.text.en} "
        "End the other console, or start this one with another --name.\n"
    )
    app.exit(EXIT_LINK_TAKEN)


def run_window(
    socket_path: Path,
    language: str,
    name: str,
    screenshots: Path | None,
    trace: Path | None,
    fullscreen: bool,
    size: tuple[int, int],
) -> int:
    """Show the console until it is closed or told to end.

    Returns Qt's exit code, or `EXIT_LINK_TAKEN` when another console has its name.
    """
    app = QGuiApplication(["dealer-console"])
    use_software_where_there_is_no_gpu(app)
    chosen: Language = "en" if language == "en" else "ko"
    family = choose_font()
    if not family:
        sys.stderr.write(NO_HANGUL)
        chosen = "en"
    font = QFont(family) if family else app.font()
    app.setFont(font)
    client = StationClient(str(socket_path), name)
    console = Console(client, Words(chosen), hangul=bool(family))
    view = make_view(console, font.family())
    view.resize(*size)
    recorder = Trace(view, console, trace) if trace else None
    pictures = Pictures(view, console, screenshots) if screenshots else None
    signals = Signals(app.quit)
    client.taken.connect(lambda rejected: _end_taken(app, name, rejected))
    client.start()
    if fullscreen:
        view.showFullScreen()
    else:
        view.show()
    try:
        return app.exec()
    finally:
        client.close()
        signals.close()
        if recorder:
            recorder.close()
        del pictures
        view.setSource(QUrl())  # Bindings end before what they read.
        view.close()
