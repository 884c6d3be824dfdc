"""What every transport offers: bytes in, bytes out, and five ways in which it may be not there."""

from __future__ import annotations

from typing import Protocol


class TransportError(Exception):
    """The port cannot be had, or is gone. The text is for the technician."""


class TransportMissing(TransportError):
    """Nothing is there under that name."""


class TransportBusy(TransportError):
    """Another program holds it."""


class TransportDenied(TransportError):
    """This user may not open it."""


class TransportMisconfigured(TransportError):
    """What is there is not such a port, or does not take the settings."""


class TransportLost(TransportError):
    """It was open and is gone."""


class Transport(Protocol):
    """An open port. Every call but `close` may raise `TransportLost`; none of them blocks."""

    @property
    def identity(self) -> str:
        """What was opened, for the technician: the device node behind the stable name."""

    def fileno(self) -> int:
        """The descriptor to poll."""

    def read(self) -> bytes:
        """What has come; empty when nothing has."""

    def write(self, data: bytes, now_ns: int) -> None:
        """Queue bytes and send what goes. What is older than half a second is dropped."""

    def pump(self, now_ns: int) -> None:
        """Go on writing: when the port takes bytes again, or `output_wake_at_ns` has come."""

    @property
    def output_waiting(self) -> bool:
        """Whether bytes wait for the port to take them."""

    @property
    def output_wake_at_ns(self) -> int | None:
        """When `pump` is wanted even if the port takes nothing."""

    @property
    def answering(self) -> bool:
        """False once the device has let output go stale, until it takes bytes again."""

    def still_there(self) -> bool:
        """Whether the stable name still names the port that is open."""

    def close(self) -> None:
        """Let go of it. Never raises, never waits for output."""


class Port(Protocol):
    """A port that can be opened, by its stable name."""

    def target(self) -> str | None:
        """What the name stands for at this moment, None when nothing: it changes at a replug."""

    def open(self) -> Transport:
        """Open it; raises one of the `TransportError` kinds."""
