"""What every protocol offers: bytes and time in, observations and bytes out, no I/O.

A protocol never looks at a clock: each call brings the monotonic time in nanoseconds. The same
bytes at the same times give the same observations, however the bytes are split. What a device
cannot do is not among its `capabilities`, and is never pretended.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from drivers.observations import AnyObservation

Sound = Literal["good", "bad"]

# What may be asked of a device: `good_beep`, `bad_beep` sounds; `trigger` one read started or
# stopped; `flush` forgets reads not sent yet; `enable` reading on and off; `light` the table's
# light; `seat_lamp` the lamp of the seat that is dealt to; `brake` holds the next card back.
# What it offers by itself: `identity` says what it is; `heartbeat` a dead one is noticed;
# `card_out` a sensor; `buttons`; `badge`.
Capability = Literal[
    "good_beep",
    "bad_beep",
    "trigger",
    "flush",
    "enable",
    "light",
    "seat_lamp",
    "brake",
    "identity",
    "heartbeat",
    "card_out",
    "buttons",
    "badge",
]

Light = Literal["green", "white", "amber", "blue", "red", "off"]


class Beep(Struct, frozen=True):
    """Sound the reader's beeper. An edge: worthless half a second later."""

    sound: Sound


class Trigger(Struct, frozen=True):
    """Start or stop one read (`trigger`)."""

    on: bool


class Flush(Struct, frozen=True):
    """Forget what was read and not sent (`flush`)."""


Command = Beep | Trigger | Flush


class Wanted(Struct, frozen=True):
    """How a device should be from now on: a state, told again after every interruption.

    `light`: the table's light. `seat`: the seat whose lamp is lit, 0 none. `shoe_locked`: no card
    is owed. `reading`: the reader is on. `keeping`: pictures of what is read may be kept.
    """

    light: Light = "off"
    seat: int = 0
    shoe_locked: bool = False
    reading: bool = True
    keeping: bool = True


class Frame(Struct, frozen=True):
    """One message as the protocol cut it out of the bytes, for a technician's eyes. `name` is the
    protocol's own word, `note` what is wrong with it, "" when nothing is.
    """

    name: str
    raw: bytes
    note: str = ""


class Out(Struct, frozen=True):
    """What came of a call. `write`: whole messages, each sent in one piece or not at all.
    `wake_at_ns` is when `tick` is wanted, or None.
    """

    observations: tuple[AnyObservation, ...] = ()
    write: tuple[bytes, ...] = ()
    wake_at_ns: int | None = None
    frames: tuple[Frame, ...] = ()


class DeviceProtocol(Protocol):
    """One device's protocol."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this device can do, as it is set up."""

    def start(self, now_ns: int) -> Out:
        """The port has been opened: the bytes that set the device up."""

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came. Never raises, whatever they are."""

    def tick(self, now_ns: int) -> Out:
        """Time passed. A call before its time changes nothing."""

    def send(self, command: Command, now_ns: int) -> Out:
        """Bytes for a command; none when the device cannot do it."""

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """Bytes that bring the device to that state; none for what it is told already."""

    def reset(self, now_ns: int) -> Out:
        """The line was cut: what is half received is told as such and forgotten, and so is what
        the device was told.
        """


def needs(command: Command) -> Capability:
    """The capability a command asks for."""
    match command:
        case Beep():
            return "good_beep" if command.sound == "good" else "bad_beep"
        case Trigger():
            return "trigger"
        case Flush():
            return "flush"
