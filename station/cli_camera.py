"""Asks the camera's tools, which run in a process of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

_KEPT = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "TERM", "COLUMNS", "VIRTUAL_ENV")


def ask(request: dict[str, Any]) -> int:
    """Let `drivers.camera.tool` do it, its output going where ours goes. Its exit status.

    Ctrl-C reaches it too: it then sums up what it saw, and is waited for.
    """
    try:
        sent = msgspec.json.encode(request)
    except UnicodeEncodeError as error:
        name = ascii(error.object)  # Bytes of a file's name that are no text.
        print(f"{name}: this name is no UTF-8; rename it, or give its folder", file=sys.stderr)  # noqa: T201
        return 2
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONUNBUFFERED"] = "1"
    command = [sys.executable, "-P", "-m", "drivers.camera.tool"]
    # A handler of ours, not "ignore": that the tools would inherit.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    tool = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    ending = signal.signal(signal.SIGTERM, lambda *_: tool.terminate())
    try:
        assert tool.stdin is not None
        with contextlib.suppress(BrokenPipeError), tool.stdin as pipe:
            pipe.write(sent)
        status = tool.wait()
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, ending)
    if status < 0:
        print(f"the camera's tools were ended by signal {-status}", file=sys.stderr)  # noqa: T201
        return 1
    return status


def shoe_in_play(config: Any) -> str:
    """Whether a live table that is stopped has a shoe in play, in words; "" where it has none. A
    journal that cannot be read cannot deny it.
    """
    from station.journal import JournalError, load, open_reader

    path = Path(config.journal.path)
    if config.table.kind != "live" or not path.exists():
        return ""
    try:
        with contextlib.closing(open_reader(path)) as db:
            shoe = load(db, path).game.shoe
    except JournalError as error:
        return f"{error}; whether a shoe is in play is not known"
    if shoe.state in ("loaded", "in_play"):
        return f"table {config.table.id}: shoe {shoe.id} is in play"
    return ""
