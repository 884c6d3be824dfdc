"""Processes a table starts: each in its own group, none left behind, whatever ends the parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
TERM_WAIT_S = 5.0


class ChildError(Exception):
    """A child did not start or died; the message has its last lines."""


class Child:
    """One started process. `output` is its standard output, `log` its standard error."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        logs: Path,
        *,
        environment: Mapping[str, str] | None = None,
        at_parents_death: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name = name
        self.output = logs / f"{name}.out"
        self.log = logs / f"{name}.log"
        try:
            with self.output.open("ab") as out, self.log.open("ab") as err:
                self._began = self.output.stat().st_size
                # preexec_fn is safe here: the table starts children from its only thread.
                self._process = subprocess.Popen(
                    list(command),
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    env=dict(environment) if environment is not None else None,
                    start_new_session=True,
                    preexec_fn=_end_with_parent(at_parents_death),
                )
        except OSError as error:
            raise ChildError(f"{name}: cannot start {command[0]}: {error.strerror}") from error

    @property
    def pid(self) -> int:
        """Its process id, which is also its group's."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self._process.poll()

    def is_ready(self) -> bool:
        """Whether it has printed a line that starts with `ready`."""
        return any(line.startswith(b"ready") for line in self.printed().splitlines())

    def printed(self) -> bytes:
        """What it has printed since it started."""
        with self.output.open("rb") as file:
            file.seek(self._began)
            return file.read()

    def last_lines(self, count: int = 12) -> str:
        """The end of what it said, for a message."""
        said = self.log.read_text(errors="replace") or self.output.read_text(errors="replace")
        return "\n".join(f"    {line}" for line in said.splitlines()[-count:])

    def how_it_ended(self) -> str:
        """Exit code or signal, in words."""
        code = self.code
        if code is None:
            return "runs"
        if code < 0:
            return f"was killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def end(self, wait_s: float = TERM_WAIT_S) -> bool:
        """Ask it to end; kill it and its group when it does not. True when it ended by itself."""
        clean = True
        if self.code is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(wait_s)
            except subprocess.TimeoutExpired:
                clean = False
        # What it started itself goes with it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        return clean


def station_command() -> str:
    """`dealer-station` of the environment this program runs in, else of the PATH."""
    beside = Path(sys.executable).parent / "dealer-station"
    return str(beside) if beside.exists() else "dealer-station"


def _end_with_parent(wanted: signal.Signals) -> Callable[[], None]:
    """A function for the child that makes the kernel signal it when its parent dies."""
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def prepare() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(wanted), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
