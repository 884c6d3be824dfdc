"""What must be true before Qt is touched, each failure one line that says what to do."""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import sys
from collections.abc import Mapping
from importlib import metadata

BROKEN_BELOW_312 = "6.12.0"
QT_PARTS = ("QtCore", "QtGui", "QtNetwork", "QtQml", "QtQuick")
PACKAGES = {
    "libEGL.so": "libegl1",
    "libGL.so": "libgl1",
    "libOpenGL.so": "libopengl0",
    "libGLX.so": "libglx0",
    "libxkbcommon.so": "libxkbcommon0",
    "libxkbcommon-x11.so": "libxkbcommon-x11-0",
    "libfontconfig.so": "libfontconfig1",
    "libfreetype.so": "libfreetype6",
    "libdbus-1.so": "libdbus-1-3",
    "libglib-2.0.so": "libglib2.0-0",
    "libgthread-2.0.so": "libglib2.0-0",
    "libX11.so": "libx11-6",
    "libxcb-cursor.so": "libxcb-cursor0",
    "libxcb-icccm.so": "libxcb-icccm4",
    "libxcb-keysyms.so": "libxcb-keysyms1",
    "libxcb-shape.so": "libxcb-shape0",
}
WINDOW_LIBRARIES = (
    "libxcb-cursor.so.0",
    "libxkbcommon-x11.so.0",
    "libxcb-icccm.so.4",
    "libxcb-keysyms.so.1",
    "libxcb-shape.so.0",
)


class CannotStart(Exception):
    """The console cannot run here; the message says what is missing and how to mend it."""


def check_version(pyside: str, python: tuple[int, int]) -> None:
    """Refuse the one pair that aborts by itself. Raises `CannotStart`."""
    if pyside == BROKEN_BELOW_312 and python < (3, 12):
        raise CannotStart(
            f"PySide6 {pyside} aborts on Python {python[0]}.{python[1]} after some hundred "
            "signals: install PySide6-Essentials 6.11.x, or run Python 3.12 or newer"
        )


def missing_library(library: str) -> CannotStart:
    """The message for a shared library that is not there, with the package that brings it."""
    stem = re.split(r"\.so", library)[0] + ".so"
    package = PACKAGES.get(stem)
    advice = f"install it with: apt-get install {package}" if package else "install it"
    return CannotStart(f"the system library {library} is missing: {advice}")


def check_display(environment: Mapping[str, str]) -> None:
    """A window needs a display and its libraries. Raises `CannotStart`."""
    platform = environment.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform not in ("", "xcb"):
        return
    if environment.get("WAYLAND_DISPLAY") and not platform:
        return
    if not environment.get("DISPLAY"):
        raise CannotStart(
            "there is no display (DISPLAY is not set): start the console in a desktop session, "
            "or without a window with QT_QPA_PLATFORM=offscreen"
        )
    for library in WINDOW_LIBRARIES:
        try:
            ctypes.CDLL(library)
        except OSError:
            raise missing_library(library) from None


def load_qt() -> None:
    """Import the parts of Qt the console needs. Raises `CannotStart`."""
    try:
        version = metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        raise CannotStart("PySide6 is not installed: install PySide6-Essentials") from None
    check_version(version, sys.version_info[:2])
    for part in QT_PARTS:
        try:
            importlib.import_module(f"PySide6.{part}")
        except ImportError as error:
            found = re.match(r"(\S+\.so[.\d]*): cannot open shared object", str(error))
            if found is None:
                raise CannotStart(f"PySide6.{part} cannot be loaded: {error}") from None
            raise missing_library(found[1]) from None


def prepare() -> None:
    """Everything above, and the settings Qt reads from the environment. Raises `CannotStart`."""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform in ("offscreen", "minimal"):
        os.environ.setdefault("QT_QUICK_BACKEND", "software")
    # One thread draws and listens: no frame waits for a thread that waits for Python.
    os.environ.setdefault("QSG_RENDER_LOOP", "basic")
    # A frame is asked for because something changed on the table: it does not wait.
    os.environ.setdefault("QT_QPA_UPDATE_IDLE_TIME", "0")
    load_qt()
    check_display(os.environ)
