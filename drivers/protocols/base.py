"""What every protocol offers: bytes and time in, observations and bytes out, no I/O.

A protocol never looks at a clock: each call brings the monotonic time in nanoseconds. The same
bytes at the same times give the same observations, however the bytes are split.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from drivers.observations import AnyObservation

Sound = Literal["good", "bad"]


class Beep(Struct, frozen=True):
    """Sound the reader's beeper. An edge: worthless half a second later."""

    sound: Sound


Command = Beep


class Out(Struct, frozen=True):
    """What came of a call. `wake_at_ns` is when `tick` is wanted, or None."""

    observations: tuple[AnyObservation, ...] = ()
    write: bytes = b""
    wake_at_ns: int | None = None


class DeviceProtocol(Protocol):
    """One device's protocol."""

    def can(self, command: Command) -> bool:
        """Whether the device has that capability; nothing is pretended."""

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came. Never raises, whatever they are."""

    def tick(self, now_ns: int) -> Out:
        """Time passed."""

    def send(self, command: Command, now_ns: int) -> Out:
        """Bytes for a command; none when the device cannot do it."""

    def reset(self, now_ns: int) -> Out:
        """The line was cut: what is half received is told as such and forgotten."""
