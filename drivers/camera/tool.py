"""`python -m drivers.camera.tool`: the camera's tools, each asked for by one request on stdin.

What comes out on stdout is for whoever asked; the exit status is 0, or 2 with the reason on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import msgspec

from drivers.camera import asked
from drivers.camera.refusal_words import in_lang


def main() -> int:
    """Do what the request says."""
    try:
        request = msgspec.json.decode(sys.stdin.buffer.read(), type=asked.AnyAsked)
    except msgspec.MsgspecError as error:
        return _bad(f"a request that cannot be read: {error}")
    try:
        return _doer(request)(request)
    except ValueError as error:
        text = in_lang(str(error), getattr(request, "lang", "en"))
        return _bad(text, as_json=request.as_json)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


def _doer(request: asked.AnyAsked) -> Callable[[Any], int]:
    match request:
        case asked.Read():
            from drivers.camera.tools_read import read

            return read
        case asked.Setup():
            from drivers.camera.tools_setup import setup

            return setup
        case asked.Record():
            from drivers.camera.tools_record import record

            return record
        case asked.Enroll():
            from drivers.camera.tools_enroll import enroll

            return enroll


def _bad(text: str, *, as_json: bool = False) -> int:
    if as_json:
        document = msgspec.json.encode({"ok": False, "error": text})
        print(document.decode(), flush=True)  # noqa: T201 - this is what the program is for
    print(f"dealer-station: {text}", file=sys.stderr)  # noqa: T201
    return 2


if __name__ == "__main__":
    sys.exit(main())
