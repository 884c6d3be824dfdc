"""Asks the camera's tools, which run in a process of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import Any

import msgspec

_KEPT = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "TERM", "COLUMNS", "VIRTUAL_ENV")


def ask(request: dict[str, Any]) -> int:
    """Let `drivers.camera.tool` do it, its output going where ours goes. Its exit status.

    Ctrl-C reaches it too: it then sums up what it saw, and is waited for.
    """
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONUNBUFFERED"] = "1"
    command = [sys.executable, "-m", "drivers.camera.tool"]
    # A handler of ours, not "ignore": that the tools would inherit.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    tool = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    ending = signal.signal(signal.SIGTERM, lambda *_: tool.terminate())
    try:
        assert tool.stdin is not None
        with contextlib.suppress(BrokenPipeError), tool.stdin as pipe:
            pipe.write(msgspec.json.encode(request))
        status = tool.wait()
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, ending)
    if status < 0:
        print(f"the camera's tools were ended by signal {-status}", file=sys.stderr)  # noqa: T201
        return 1
    return status
