"""Log lines: JSON on stderr, one a line. Never a PIN, never an undealt card.

structlog (which looks for rich and pygments) takes half a second to import: more than the rest of
a start. So what is logged during a start waits in memory, in order, until `warm` loads it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any

_LEVEL = {"level": logging.INFO}
_LOCK = threading.Lock()
_waiting: list[tuple[str, str, dict[str, object]]] = []
_ready: list[Any] = []


def to_stderr(*, debug: bool = False) -> None:
    """Which lines are written by this process; without it, information and worse."""
    _LEVEL["level"] = logging.DEBUG if debug else logging.INFO


def warm() -> None:
    """Load the log library and write what has waited. After a start, and before an early end."""
    import structlog

    with _LOCK:
        if not _ready:
            structlog.configure(
                processors=[
                    structlog.processors.add_log_level,
                    _stamp_first,
                    structlog.processors.format_exc_info,
                    structlog.processors.JSONRenderer(ensure_ascii=False),
                ],
                wrapper_class=structlog.make_filtering_bound_logger(_LEVEL["level"]),
                logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
                cache_logger_on_first_use=True,
            )
            _ready.append(structlog.get_logger())
        while _waiting:
            _write(*_waiting.pop(0))


def end() -> None:
    """Before the process ends: what cannot be written is given up, and is no failure of the table.

    Python flushes standard error at its end, and would end with code 120 when it cannot.
    """
    try:
        sys.stderr.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)


def _stamp_first(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """The stamp first, so that lines can be read by eye."""
    return {"at": event.pop("at"), **event}


def _write(level: str, event: str, fields: dict[str, object]) -> None:
    # A log that cannot be written (a full disk, a closed pipe) must not stop the table.
    with contextlib.suppress(OSError):
        getattr(_ready[0], level)(event, **fields)


class Logger:
    """A named logger that costs nothing until `warm`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def info(self, event: str, **fields: object) -> None:
        self._say("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        self._say("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        self._say("error", event, fields)

    def critical(self, event: str, **fields: object) -> None:
        self._say("critical", event, fields)

    def _say(self, level: str, event: str, fields: dict[str, object]) -> None:
        at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        said = {"at": at, "logger": self._name, **fields}
        with _LOCK:
            if _ready:
                _write(level, event, said)
            else:
                _waiting.append((level, event, said))
