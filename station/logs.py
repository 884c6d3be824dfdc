"""Log lines: JSON on stderr, one a line. Never a PIN, never an undealt card."""

from __future__ import annotations

import logging
import sys

import structlog


def to_stderr(*, debug: bool = False) -> None:
    """Set up logging for this process."""
    level = logging.DEBUG if debug else logging.INFO
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
