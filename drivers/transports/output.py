"""Output to a device that may have stopped reading: never blocks, never grows, never goes stale.

Commands to a reader are beeps and lamps: half a second later they are wrong. So what has not
gone out by then is discarded, here and in the kernel's buffer, and never comes out minutes later.
Out of reach is only what a device, or the far end of a pseudo-terminal (4 KiB), holds itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from drivers.transports.base import TransportLost

LIMIT = 1024
STALE_NS = 500_000_000


class Output:
    """The queue before a port.

    `write(data)` returns how many bytes the port took (0: none now); `discard()` empties the
    kernel's buffer; `unsent()` says how many bytes are in it.
    """

    def __init__(
        self,
        write: Callable[[bytes], int],
        discard: Callable[[], None],
        unsent: Callable[[], int],
    ) -> None:
        self._write = write
        self._discard = discard
        self._unsent = unsent
        self._queue = bytearray()
        self._oldest_ns: int | None = None
        self._newest_ns = 0
        self.answering = True

    @property
    def waiting(self) -> bool:
        """Whether bytes wait here."""
        return bool(self._queue)

    @property
    def wake_at_ns(self) -> int | None:
        """When `pump` has something to judge."""
        if self._oldest_ns is None:
            return None
        return (self._oldest_ns if self._queue else self._newest_ns) + STALE_NS

    def put(self, data: bytes, now_ns: int) -> None:
        """Send or queue a whole command; one that has no room is dropped whole."""
        if not self._queue and (self._oldest_ns is None or self._unsent() == 0):
            self._oldest_ns = now_ns
        self._newest_ns = now_ns
        if len(self._queue) + len(data) <= LIMIT:
            self._queue += data
        self._push()

    def pump(self, now_ns: int) -> None:
        """Send what goes, and judge what has not gone."""
        self._push()
        if self._oldest_ns is None:
            return
        if self._queue or self._unsent():
            if now_ns - self._oldest_ns >= STALE_NS:
                self._drop()
                self.answering = False
        elif now_ns - self._newest_ns >= STALE_NS:
            # A pseudo-terminal cannot tell whether its bytes were read: they are stale by now.
            self._drop()
            self.answering = True

    def _push(self) -> None:
        while self._queue:
            taken = self._write(bytes(self._queue))
            if taken <= 0:
                return
            del self._queue[:taken]

    def _drop(self) -> None:
        self._queue.clear()
        self._oldest_ns = None
        self._discard()


class Sending:
    """The writing half of an open port, over its queue. What the port raises when it is gone
    (`failures`) comes out as what `_lost` makes of it.
    """

    failures: ClassVar[tuple[type[BaseException], ...]] = (OSError,)
    _output: Output

    def _lost(self, error: BaseException) -> TransportLost:
        raise NotImplementedError

    def write(self, data: bytes, now_ns: int) -> None:
        """Queue bytes and send what goes. Raises TransportLost when the port is gone."""
        try:
            self._output.put(data, now_ns)
        except self.failures as error:
            raise self._lost(error) from error

    def pump(self, now_ns: int) -> None:
        """Go on writing, drop what is stale. Raises TransportLost when the port is gone."""
        try:
            self._output.pump(now_ns)
        except self.failures as error:
            raise self._lost(error) from error

    @property
    def output_waiting(self) -> bool:
        """Whether bytes wait for the port to take them."""
        return self._output.waiting

    @property
    def output_wake_at_ns(self) -> int | None:
        """When `pump` is wanted even if the port takes nothing."""
        return self._output.wake_at_ns

    @property
    def answering(self) -> bool:
        """False once the device has let output go stale, until it takes bytes again."""
        return self._output.answering
