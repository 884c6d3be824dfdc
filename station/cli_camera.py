"""Asks the camera's tools, which run in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import msgspec

_KEPT = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "VIRTUAL_ENV")


def ask(request: dict[str, Any]) -> int:
    """Let `drivers.camera.tool` do it, its output going where ours goes. Its exit status."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONUNBUFFERED"] = "1"
    command = [sys.executable, "-m", "drivers.camera.tool"]
    try:
        done = subprocess.run(
            command, input=msgspec.json.encode(request), env=environment, check=False
        )
    except KeyboardInterrupt:
        return 130
    if done.returncode < 0:
        print(f"the camera's tools were ended by signal {-done.returncode}", file=sys.stderr)  # noqa: T201
        return 1
    return done.returncode
