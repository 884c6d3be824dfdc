"""`python -m tests.ui.shots DIR`: every screen as a PNG, both languages and sizes."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_QUICK_BACKEND", "software")

from station.messages import Language
from tests.ui.desk import Desk
from tests.ui.screens import BACK, SCREENS

SIZES = ((1280, 800), (1920, 1080))


def main(folder: Path, only: str = "") -> None:
    """Write `<screen>-<language>-<width>.png` for all screens, or those named `only`."""
    folder.mkdir(parents=True, exist_ok=True)
    languages: tuple[Language, ...] = ("ko", "en")
    for size in SIZES:
        for language in languages:
            with tempfile.TemporaryDirectory() as place:
                desk = Desk(Path(place), SCREENS["login"](), language, size)
                _all(desk, folder, f"{language}-{size[0]}", only)
                desk.close()


def _all(desk: Desk, folder: Path, kind: str, only: str) -> None:
    """Every screen and sheet of one desk."""
    for name, build in SCREENS.items():
        if only in ("", name):
            desk.show(build())
            _take(desk, folder / f"{name}-{kind}.png")
    for sheet in ("report", "staff", "signin", "load"):
        if only in ("", sheet):
            desk.show(SCREENS["drawing"]())
            desk.console.open(sheet)
            _take(desk, folder / f"sheet-{sheet}-{kind}.png")
            desk.console.open("")
    for sheet in ("amount", "leave", *BACK):
        if only in ("", sheet, sheet.partition("-")[0]):
            desk.show(SCREENS["chairs-betting"]())
            desk.open(sheet)
            _take(desk, folder / f"sheet-{sheet}-{kind}.png")
            desk.console.open("")
    if only in ("", "set"):
        desk.show(SCREENS["drawing"]())
        desk.to_set_letters()
        _take(desk, folder / f"sheet-set-{kind}.png")
        desk.console.open("")
    if only in ("", "lost"):
        desk.show(SCREENS["drawing"]())
        desk.station.cut()
        desk.wait(lambda: desk.console.property("link") == "lost", "the loss")
        _take(desk, folder / f"lost-{kind}.png")


def _take(desk: Desk, path: Path) -> None:
    desk.settle()
    if not desk.view.grabWindow().save(str(path)):
        raise SystemExit(f"cannot write {path}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: python -m tests.ui.shots DIR [SCREEN]")
    main(Path(sys.argv[1]), *sys.argv[2:])
