"""Output to a node whose driver waits for the device: reports, each in one write, from a thread.

hidraw writes block for as long as the device does not take the report, up to five seconds, whatever
the file's flags; reading must go on meanwhile. A report is a beep or a switch: after half a second
in the queue it is dropped, as on every other port.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque

from drivers.transports.output import LIMIT, STALE_NS

_MS = 1_000_000


class Reports:
    """The queue before a node. It writes through a descriptor of its own, so that a report never
    goes into a file that was opened after the node was closed.
    """

    def __init__(self, fd: int) -> None:
        self._fd = os.dup(fd)
        self._lock = threading.Condition()
        self._queue: deque[tuple[int, bytes]] = deque()
        self._began_ns: int | None = None
        self._failed = False
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def answering(self) -> bool:
        """False once the device has not taken a report in half a second, until it takes one."""
        return not self._failed

    @property
    def wake_at_ns(self) -> int | None:
        """When `pump` has something to judge."""
        began = self._began_ns
        return None if began is None or self._failed else began + STALE_NS

    def put(self, data: bytes, now_ns: int) -> None:
        """Queue a report; one that has no room is dropped."""
        with self._lock:
            if self._closed:
                return
            if sum(len(report) for _, report in self._queue) + len(data) > LIMIT:
                return
            self._queue.append((now_ns, data))
            if self._began_ns is None:
                self._began_ns = now_ns
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="reports", daemon=True)
                self._thread.start()
            self._lock.notify()

    def pump(self, now_ns: int) -> None:
        """Judge what has not gone."""
        with self._lock:
            if self._began_ns is not None and now_ns - self._began_ns >= STALE_NS:
                self._queue.clear()
                self._failed = True

    def close(self) -> None:
        """What has not gone is dropped. Does not wait for a report that the device is taking."""
        with self._lock:
            self._closed = True
            self._queue.clear()
            self._lock.notify()
            if self._thread is None:
                os.close(self._fd)

    def _run(self) -> None:
        while (report := self._next()) is not None:
            went = self._write(*report)
            with self._lock:
                self._failed = not went
                self._began_ns = self._queue[0][0] if self._queue else None
        os.close(self._fd)

    def _next(self) -> tuple[int, bytes] | None:
        with self._lock:
            while not self._queue and not self._closed:
                self._lock.wait()
            return None if self._closed else self._queue.popleft()

    def _write(self, asked_ns: int, report: bytes) -> bool:
        poller = select.poll()
        poller.register(self._fd, select.POLLOUT)
        while (left := asked_ns + STALE_NS - time.monotonic_ns()) > 0 and not self._closed:
            try:
                return os.write(self._fd, report) == len(report)
            except BlockingIOError:
                poller.poll(min(left // _MS + 1, 50))
            except OSError:
                # What ends it altogether (unplugged) is found by the reader of the node.
                return False
        return False
