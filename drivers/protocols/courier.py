"""The commands to a device that answers: one at a time, some time apart, each awaiting its answer.

An answer is waited for from the moment its command goes out, not from when it was asked for. What
is not answered goes out again. Sounds and other edges go before the rest, once, and are dropped
when they would come out late; but not two of them in a row before a command that waits, so that a
stream of sounds never keeps a device from being set up.
"""

from __future__ import annotations

from collections import deque

from msgspec import Struct

_MS = 1_000_000
EDGE_LIFE_NS = 500 * _MS
TRIES = 3
_EDGES = 8


class Job(Struct, frozen=True):
    """One command: the bytes, and those of a re-send where they are others. `setting`: it sets a
    parameter; `must`: without it the device is of no use here. `quiet`: that it stays unanswered
    says nothing.
    """

    name: str
    message: bytes
    again: bytes = b""
    tries: int = TRIES
    setting: bool = False
    must: bool = False
    quiet: bool = False


class Courier:
    """Carries the commands out: `apart_ns` between two, `answer_ns` for an answer."""

    def __init__(self, apart_ns: int, answer_ns: int) -> None:
        self._apart_ns = apart_ns
        self._answer_ns = answer_ns
        self._jobs: deque[Job] = deque()
        self._edges: deque[tuple[int, Job]] = deque(maxlen=_EDGES)
        self._flying: Job | None = None
        self._tried = 0
        self._sent_ns = 0
        self._until_ns = 0
        self._free_ns = 0
        self._edge_went = False

    @property
    def idle(self) -> bool:
        """Whether no command is waiting and nothing is on its way; edges may wait."""
        return self._flying is None and not self._jobs

    @property
    def flying(self) -> Job | None:
        """The command whose answer is waited for."""
        return self._flying

    @property
    def sent_ns(self) -> int:
        """When that command first went out."""
        return self._sent_ns

    @property
    def wake_at_ns(self) -> int | None:
        """When there is something to do: an answer is late, or the next command may go."""
        if self._flying is not None:
            return self._until_ns
        return self._free_ns if self._jobs or self._edges else None

    def put(self, *jobs: Job) -> None:
        """Queue commands behind the others."""
        self._jobs.extend(jobs)

    def edge(self, job: Job, now_ns: int) -> None:
        """Queue a command before the others; it goes within `EDGE_LIFE_NS` or never."""
        self._edges.append((now_ns, job))

    def clear(self) -> None:
        """Forget all that has not been answered."""
        self._jobs.clear()
        self._edges.clear()
        self._flying = None

    def done(self) -> Job | None:
        """The command on its way was answered: which one it is, None when none is."""
        job, self._flying = self._flying, None
        return job

    def again(self, now_ns: int) -> None:
        """The device asks for the command once more: it goes as soon as it may."""
        if self._flying is not None:
            self._until_ns = max(now_ns, self._free_ns)

    def late(self, now_ns: int) -> Job | None:
        """The command on its way whose answer has not come in time and that is given up now."""
        if self._flying is None or now_ns < self._until_ns or self._tried < self._flying.tries:
            return None
        return self.done()

    def next(self, now_ns: int) -> bytes | None:
        """The bytes that may go now, or None."""
        if self._flying is not None:
            if now_ns < self._until_ns or self._tried >= self._flying.tries:
                return None
            return self._send(self._flying, now_ns)
        if now_ns < self._free_ns:
            return None
        while self._edges and not (self._edge_went and self._jobs):
            asked_ns, job = self._edges.popleft()
            if now_ns - asked_ns < EDGE_LIFE_NS:
                self._edge_went = True
                return self._first(job, now_ns)
        self._edge_went = False
        return self._first(self._jobs.popleft(), now_ns) if self._jobs else None

    def _first(self, job: Job, now_ns: int) -> bytes:
        self._flying, self._tried, self._sent_ns = job, 0, now_ns
        return self._send(job, now_ns)

    def _send(self, job: Job, now_ns: int) -> bytes:
        self._tried += 1
        self._until_ns = now_ns + self._answer_ns
        self._free_ns = now_ns + self._apart_ns
        return (job.again or job.message) if self._tried > 1 else job.message
