"""One device: its port, its protocol, its health, and the thread that looks after them.

The thread sleeps in one poll on the port and a wake pipe. Bytes go straight from the read through
the protocol to the sink. Whatever happens to the port, the thread goes on: it tells the change of
health once, and tries again for ever, at once when something new appears under the port's name,
else after 0.2 s growing to 5 s.

Troubles told here: `not_answering` (the device does not take output), `internal` (a fault of this
program; what came with it may be missing).
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Literal, ParamSpec, Protocol

from drivers.meter import Meter
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    Health,
    HealthChanged,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import (
    Capability,
    Command,
    DeviceProtocol,
    Frame,
    Out,
    Wanted,
    needs,
)
from drivers.transports.base import (
    Port,
    Transport,
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)

NOT_ANSWERING = "not_answering"
INTERNAL = "internal"
_HEALTH_UNTOLD = "health"

_MS = 1_000_000
_FIRST_RETRY_NS = 200 * _MS
_LAST_RETRY_NS = 5000 * _MS
_LOOK_NS = 250 * _MS
_MISSES = 2
_STEADY_NS = 5000 * _MS
_COMMAND_LIFE_NS = 500 * _MS
_COMMANDS = 16
_JOIN_S = 1.0

_HEALTH: dict[type[TransportError], Health] = {
    TransportBusy: "busy",
    TransportDenied: "denied",
    TransportMisconfigured: "misconfigured",
    TransportLost: "lost",
}

P = ParamSpec("P")
Sink = Callable[[AnyObservation], None]


class Log(Protocol):
    """Where the technician's words go: an event and its fields."""

    def __call__(self, event: str, **fields: object) -> object: ...


def no_log(event: str, **fields: object) -> None:
    """Say nothing."""


class Tap(Protocol):
    """Who looks over a device's shoulder: every piece of bytes in and out, every frame. Called from
    the device's thread; what it raises is swallowed.
    """

    def __call__(self, what: Literal["in", "out"] | Frame, data: bytes, at_ns: int) -> object: ...


class Device:
    """A configured device. `start` it once; `sink` is called from its thread, in order.

    `clock` gives monotonic nanoseconds. `meter` counts what it read and how long that took.
    """

    def __init__(
        self,
        name: str,
        port: Port,
        protocol: DeviceProtocol,
        sink: Sink,
        *,
        log: Log = no_log,
        clock: Callable[[], int] = time.monotonic_ns,
        tap: Tap | None = None,
    ) -> None:
        self.name = name
        self.meter = Meter()
        self._port = port
        self._protocol = protocol
        self._sink = sink
        self._say = log
        self._clock = clock
        self._tap = tap
        self._wanted: Wanted | None = None
        self._asserted: Wanted | None = None
        self._health: Health | None = None
        self._been_up = self._serving = False
        self._transport: Transport | None = None
        self._wake_at_ns: int | None = None
        self._commands: deque[tuple[int, Command]] = deque(maxlen=_COMMANDS)
        self._troubles: dict[str, Trouble] = {}
        self._untold: dict[str, Trouble | HealthChanged] = {}
        self._stopping = threading.Event()
        self._wake_lock = threading.Lock()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name=f"device-{name}", daemon=True)

    # --- for other threads ----------------------------------------------------------------

    @property
    def health(self) -> Health:
        """How it is; `waiting` before the first attempt."""
        return self._health or "waiting"

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What it can do; anything else is not available."""
        return self._protocol.capabilities

    def start(self) -> None:
        """Start its thread."""
        self._thread.start()

    def stop(self) -> None:
        """End its thread and let go of the port, within a second. May be called again."""
        self._stopping.set()
        self._wake()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN_S)
        with self._wake_lock:
            if not self._thread.is_alive() and self._wake_r >= 0:
                os.close(self._wake_r)
                os.close(self._wake_w)
                self._wake_r = self._wake_w = -1

    def send(self, command: Command) -> bool:
        """Ask for something. False when the device cannot do it or is not up: not available.

        A command is an edge: it is dropped when it has not gone out within half a second.
        """
        able = needs(command) in self._protocol.capabilities
        if self._stopping.is_set() or self._health != "up" or not able:
            return False
        self._commands.append((self._clock(), command))
        self._wake()
        return True

    def want(self, wanted: Wanted) -> None:
        """How it should be from now on. It is told when it changes and after every interruption."""
        self._wanted = wanted
        self._wake()

    def _wake(self) -> None:
        # A full pipe already wakes. The lock: a closed pipe's number may be another file's.
        with self._wake_lock, contextlib.suppress(BlockingIOError):
            if self._wake_w >= 0:
                os.write(self._wake_w, b"\0")

    # --- the thread -----------------------------------------------------------------------

    def _run(self) -> None:
        retry_ns = _FIRST_RETRY_NS
        while not self._stopping.is_set():
            target = self._target()
            began = self._clock()
            self._attempt()
            retry_ns = _FIRST_RETRY_NS if self._clock() - began >= _STEADY_NS else retry_ns
            changed = self._pause(retry_ns, target)
            retry_ns = _FIRST_RETRY_NS if changed else min(retry_ns * 2, _LAST_RETRY_NS)

    def _attempt(self) -> None:
        """Open the port and serve it until it is gone or the device is stopped."""
        try:
            self._transport = self._port.open()
            self._serve(self._transport)
        except TransportError as error:
            self._went(self._health_of(error), str(error))
        except Exception as error:  # noqa: BLE001 - the thread must outlive any fault of ours
            self._fault("serving the port", error)
            self._went("lost", f"internal fault: {error!r}")
        finally:
            self._let_go()

    def _let_go(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            # No transport raises here; one of another's making must not end the thread.
            with contextlib.suppress(Exception):
                transport.close()

    def _target(self) -> str | None:
        try:
            return self._port.target()
        except Exception as error:  # noqa: BLE001 - the thread must outlive it; no card goes with it
            self._log("device_internal_fault", device=self.name, error=repr(error))
            self._trouble(INTERNAL, f"looking for the port: {error!r}")
            return None

    def _health_of(self, error: TransportError) -> Health:
        if isinstance(error, TransportMissing):
            return "lost" if self._been_up else "waiting"
        return _HEALTH.get(type(error), "lost")

    def _serve(self, transport: Transport) -> None:
        self._been_up = self._serving = True
        self._commands.clear()
        self._set_health("up", "", transport.identity)
        self._take(self._protocol.start, self._clock())
        poller = select.poll()
        poller.register(self._wake_r, select.POLLIN)
        poller.register(transport.fileno(), select.POLLIN)
        look_at, misses = self._clock() + _LOOK_NS, 0
        while not self._stopping.is_set():
            events = dict(poller.poll(self._wait_ms(look_at, transport)))
            port = events.get(transport.fileno(), 0)
            if port & ~select.POLLOUT:
                self._read(transport, port)
            now = self._clock()
            if self._wake_at_ns is not None and now >= self._wake_at_ns:
                self._take(self._protocol.tick, now)
            if self._wake_r in events:
                self._drain()
            self._write(transport, poller)
            if now >= look_at:
                misses = 0 if transport.still_there() else misses + 1
                look_at = now + _LOOK_NS
                self._tell_again()
            if misses >= _MISSES:
                raise TransportLost("its name stands for nothing, or for another device")

    def _wait_ms(self, look_at: int, transport: Transport) -> int:
        wake = min(
            at for at in (look_at, self._wake_at_ns, transport.output_wake_at_ns) if at is not None
        )
        return max(0, -((self._clock() - wake) // _MS))

    def _read(self, transport: Transport, events: int) -> None:
        data = transport.read()
        now = self._clock()
        if data:
            self._show("in", data, now)
            self._take(self._protocol.feed, data, now)
            self.meter.worked(self._clock() - now)
        elif events & (select.POLLHUP | select.POLLERR | select.POLLNVAL):
            raise TransportLost("hung up")

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_r, 4096)

    def _write(self, transport: Transport, poller: select.poll) -> None:
        now = self._clock()
        wish = self._wanted
        if wish is not None and wish != self._asserted:
            self._asserted = wish
            self._take(self._protocol.want, wish, now)
        while self._commands:
            asked_ns, command = self._commands.popleft()
            if now - asked_ns < _COMMAND_LIFE_NS:
                self._take(self._protocol.send, command, now)
        if transport.output_wake_at_ns is not None:
            transport.pump(now)
        wanted = select.POLLIN | (select.POLLOUT if transport.output_waiting else 0)
        poller.modify(transport.fileno(), wanted)
        if not transport.answering:
            self._trouble(NOT_ANSWERING, "the device does not take what is sent to it")
        else:
            self._over(NOT_ANSWERING)

    def _pause(self, retry_ns: int, target: str | None) -> bool:
        """Wait before the next attempt. True when something else stands under the name now."""
        until = self._clock() + retry_ns
        poller = select.poll()
        poller.register(self._wake_r, select.POLLIN)
        while not self._stopping.is_set() and (left := until - self._clock()) > 0:
            if poller.poll(max(1, min(left, _LOOK_NS) // _MS)):
                self._drain()
            self._tell_again()
            if (found := self._target()) != target and found is not None:
                return True
            target = found
        return False

    # --- telling --------------------------------------------------------------------------

    def _take(self, call: Callable[P, Out], *args: P.args, **kwargs: P.kwargs) -> None:
        """Let the protocol work and pass on what it saw. A fault in it costs that call only."""
        try:
            out = call(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - a fault in a protocol must not end the thread
            self._fault("the protocol", error)
            out = self._start_over()
        self._wake_at_ns = out.wake_at_ns
        for frame in out.frames:
            self._show(frame, frame.raw, self._clock())
        for observation in out.observations:
            self.meter.saw(observation)
            told = self._tell(observation)
            if told and isinstance(observation, CardRead | CutCard):
                self._over(INTERNAL)
        for message in out.write:
            if self._transport is not None:
                self._transport.write(message, self._clock())
                self._show("out", message, self._clock())

    def _show(self, what: Literal["in", "out"] | Frame, data: bytes, at_ns: int) -> None:
        if self._tap is not None:
            with contextlib.suppress(Exception):
                self._tap(what, data, at_ns)

    def _start_over(self) -> Out:
        """The protocol begins anew: as if the line had been cut and, if it is open, opened."""
        self._asserted = None
        ended = self._once_more(self._protocol.reset)
        if not self._serving:
            return ended
        begun = self._once_more(self._protocol.start)
        seen, frames = ended.observations + begun.observations, ended.frames + begun.frames
        return Out(seen, begun.write, begun.wake_at_ns, frames)

    def _once_more(self, call: Callable[[int], Out]) -> Out:
        try:
            return call(self._clock())
        except Exception as error:  # noqa: BLE001 - told already as the trouble `internal`
            self._log("device_internal_fault", device=self.name, error=repr(error))
            return Out()

    def _tell(self, observation: AnyObservation) -> bool:
        try:
            self._sink(observation)
        except Exception as error:  # noqa: BLE001 - a fault in the sink must not end the thread
            self._fault("passing on what was read", error)
            return False
        return True

    def _log(self, event: str, **fields: object) -> None:
        # There is nowhere left to say it when the log itself fails.
        with contextlib.suppress(Exception):
            self._say(event, **fields)

    def _fault(self, where: str, error: Exception) -> None:
        self._log("device_internal_fault", device=self.name, where=where, error=repr(error))
        # Each fault may have cost a card: it is told even if an earlier one is not over.
        self._troubles.pop(INTERNAL, None)
        self._trouble(INTERNAL, f"{where}: {error!r}")

    def _trouble(self, code: str, detail: str) -> None:
        if code not in self._troubles:
            trouble = Trouble(self.name, self._clock(), b"", code, detail)
            self._troubles[code] = self._untold[code] = trouble
            self._tell_again()

    def _tell_again(self) -> None:
        """Tell troubles and health the sink has not taken yet."""
        for code, untold in tuple(self._untold.items()):
            try:
                self._sink(untold)
            except Exception as error:  # noqa: BLE001 - tried again at the next look
                self._log("device_trouble_untold", device=self.name, code=code, error=repr(error))
            else:
                del self._untold[code]

    def _over(self, code: str) -> None:
        if code in self._troubles and code not in self._untold:
            del self._troubles[code]
            self._tell(TroubleOver(self.name, self._clock(), b"", code))

    def _went(self, health: Health, detail: str) -> None:
        """The port is not there. What was half received is forgotten before anything new comes."""
        self._asserted = None
        self._serving = False
        self._take(self._protocol.reset, self._clock())
        self._set_health(health, detail, "")

    def _set_health(self, health: Health, detail: str, identity: str) -> None:
        if health != self._health:
            self._health = health
            self._log("device_health", device=self.name, health=health, detail=detail)
            change = HealthChanged(self.name, self._clock(), b"", health, detail, identity)
            self._untold.pop(_HEALTH_UNTOLD, None)
            if not self._tell(change):
                self._untold[_HEALTH_UNTOLD] = change
