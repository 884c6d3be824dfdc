"""The dealer console as a program: `run` returns its exit code."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from ui.start import CannotStart, prepare

EXIT_CANNOT_START = 3


def run(
    socket_path: Path,
    language: str = "ko",
    name: str = "console",
    screenshots: Path | None = None,
    trace: Path | None = None,
    fullscreen: bool = False,
    size: tuple[int, int] = (1280, 800),
) -> int:
    """Run until the window closes, SIGTERM or SIGINT (0), or refuse to start with a reason (3).

    4, with a line on stderr, when another console keeps this one's `name`.
    `size` in pixels; `screenshots` is a folder, `trace` a file that is appended to.
    """
    try:
        prepare()
        from ui.window import run_window

        return run_window(Path(socket_path), language, name, screenshots, trace, fullscreen, size)
    except CannotStart as error:
        sys.stderr.write(f"dealer console: {error}\n")
        return EXIT_CANNOT_START


def main(arguments: list[str] | None = None) -> int:
    """`python -m ui`: the same from a command line."""
    parser = argparse.ArgumentParser(prog="ui", description="The dealer console.")
    parser.add_argument("--socket", type=Path, required=True, help="the station's socket")
    parser.add_argument("--language", choices=("ko", "en"), default="ko")
    parser.add_argument("--name", default="console", help="this console's name in the journal")
    parser.add_argument("--screenshots", type=Path, help="folder for a picture of each moment")
    parser.add_argument("--trace", type=Path, help="file for the time from line to frame")
    parser.add_argument("--fullscreen", action="store_true")
    parser.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    return run(
        given.socket,
        given.language,
        given.name,
        given.screenshots,
        given.trace,
        given.fullscreen,
        given.size,
    )


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1280x800")
    return int(width), int(height)
