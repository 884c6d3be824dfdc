"""Log lines: JSON on stderr, one a line. Never a PIN, never an undealt card.

structlog (which looks for rich and pygments) takes half a second to import: more than the rest of
a start. So it is imported with the first line that is logged, after the table is ready.
"""

from __future__ import annotations

import functools
import logging
import sys
from typing import Any

_LEVEL = {"level": logging.INFO}


def to_stderr(*, debug: bool = False) -> None:
    """Which lines are written by this process; without it, information and worse."""
    _LEVEL["level"] = logging.DEBUG if debug else logging.INFO


@functools.cache
def _configured() -> Any:
    import structlog

    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVEL["level"]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    return structlog


class Logger:
    """A named logger that costs nothing until it speaks."""

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
        logger = _configured().get_logger()
        getattr(logger, level)(event, logger=self._name, **fields)
