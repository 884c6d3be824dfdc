"""The installed program: checked at the start and each day, in a process of its own.

Hashing and compiling hundreds of files must not take the controller's turn, so that another Python
does it, at the lowest priority.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import msgspec
from msgspec import Struct

from station.logs import Logger
from station.table.inputs import ConditionSeen

NICE = 19
# After that long it is not going to end, seconds.
PATIENCE_S = 1800.0
# What failed is looked at again so soon: somebody may have installed the release anew.
AGAIN_S = 120.0
_FIRST = 120

_log = Logger("watch")


class _Said(Struct):
    """What `dealer-station selfcheck --json` says, as far as it counts here."""

    ok: bool
    error: str = ""
    against: str = ""
    ms: int = 0
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


def command(manifest: str) -> list[str]:
    """The check as a command; `-P`: nothing is taken from the folder it is started in."""
    told = ["--manifest", manifest] if manifest else []
    return [sys.executable, "-P", "-m", "station.cli", "selfcheck", "--json", *told]


class Program:
    """Starts a check when it is time, and tells how it came out."""

    def __init__(self, arguments: list[str], hours: float, now: Callable[[], float]) -> None:
        """`now`: seconds of a clock that nobody sets."""
        self._arguments = arguments
        self._every = hours * 3600
        self._now = now
        self._process: subprocess.Popen[bytes] | None = None
        self._out: IO[bytes] | None = None
        self._began = 0.0
        self._next = now()
        self._first = True

    def look(self) -> Iterator[ConditionSeen]:
        """What is found; never waits. Until the first check has ended nobody knows."""
        if self._first:
            self._first = False
            yield _missing("not yet checked")
        if self._process is not None:
            yield from self._ended()
        elif self._now() >= self._next:
            yield from self._start()

    def close(self) -> None:
        """The station ends: no check outlives it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._out is not None:
            self._out.close()
            self._out = None

    def _start(self) -> Iterator[ConditionSeen]:
        self._began = self._now()
        # Not a pipe: nobody reads it before the end, and it may be long.
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it was read
        try:
            self._process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=self._out,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            self._again()
            yield _missing(str(error))
            return
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)

    def _ended(self) -> Iterator[ConditionSeen]:
        assert self._process is not None
        assert self._out is not None
        if self._process.poll() is None:
            if self._now() - self._began > PATIENCE_S:
                self._again()
                yield _missing("it does not end")
            return
        self._out.seek(0)
        text = self._out.read()
        self.close()
        try:
            said = msgspec.json.decode(text, type=_Said)
        except msgspec.MsgspecError:
            said = _Said(False, error="it ended without a word")
        yield from self._said(said)

    def _again(self) -> None:
        self.close()
        self._next = self._now() + AGAIN_S

    def _said(self, said: _Said) -> Iterator[ConditionSeen]:
        self._next = self._now() + (self._every if said.ok else AGAIN_S)
        wrong = (*said.changed, *said.missing, *said.added)
        _log.info("self_check", ok=said.ok, ms=said.ms, wrong=wrong[:20], error=said.error)
        if said.error:
            yield _missing(said.error)
            return
        yield ConditionSeen("self_check_missing", stands=False)
        first = wrong[0][:_FIRST] if wrong else ""
        params: dict[str, str | int] = {"count": len(wrong), "first": first}
        yield ConditionSeen("self_check_failed", stands=not said.ok, params=params)


def _missing(why: str) -> ConditionSeen:
    return ConditionSeen("self_check_missing", stands=True, params={"why": why[:_FIRST]})
