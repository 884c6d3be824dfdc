"""What all device settings share. One struct a kind, beside its `make`, in `drivers/kinds/`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from drivers.cardcode import DECKS, DEFAULT_CARD, DEFAULT_CUT, CardCode
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.judge import Aim, Symbologies
from drivers.transports.base import Port
from drivers.transports.names import Subsystem
from drivers.transports.output import LIMIT
from drivers.transports.places import Place
from drivers.transports.serial import SerialPort, SerialSettings
from drivers.transports.tcp import TcpPort

Role = Literal["shoe", "scanner", "board"]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
Baud = Literal[300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200]
Milliseconds = Annotated[int, Meta(ge=10, le=60_000)]
# By what two cards of one face are told apart: the deck number in their code, the number the device
# gives each draw, or nothing but the time between them.
Apart = Literal["code", "number", "time"]

VIRTUAL = "virtual:"
_USB = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}(:\S+)?")


class DeviceSpec(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One device as configured. Building one from bad values raises ValueError (in a decoder:
    msgspec's ValidationError with the path), naming the field and what to write.

    `port`: a stable name such as /dev/serial/by-id/..., `usb:VID:PID:SERIAL`, `tcp://host:4001`, or
    `virtual:/path/to.sock` where a simulator plays a device that has no serial port.
    `usb`: the only hardware accepted there, `vid:pid` or `vid:pid:serial` in lower-case hex.
    `role`: `shoe` and `scanner` read cards; a `board` reads none.
    """

    name: Name
    port: str
    role: Role = "shoe"
    usb: str = ""

    def __post_init__(self) -> None:
        self.check_place()
        if self.usb and not _USB.fullmatch(self.usb):
            raise ValueError(
                f"usb {self.usb!r}: write vid:pid or vid:pid:serial, the first two in lower-case "
                "hex, such as 0403:6001:A5X"
            )
        if self.usb and self.port.startswith(("tcp://", VIRTUAL)):
            raise ValueError(f"usb {self.usb!r}: there is no USB hardware at {self.port}")

    def check_place(self) -> None:
        """Raise ValueError saying how the port of this kind is written."""
        check_port(self.port)

    def placed(self, journal: Path) -> DeviceSpec:
        """The same device of a table whose facts are in that file: what it keeps of its reads, it
        keeps in the folder beside it, which bears the file's name and `.evidence`.
        """
        return self

    @property
    def virtual(self) -> bool:
        """Whether a simulator plays it: never at a live table."""
        return self.port.startswith(VIRTUAL)

    @property
    def apart(self) -> Apart:
        """By what it tells two cards of one face apart."""
        return "code"

    @property
    def watches(self) -> bool:
        """Whether it sees that a card leaves the shoe, and is believed (a card-out sensor)."""
        return False

    @property
    def reads(self) -> bool:
        """Whether cards go nowhere without it: it reads them, or watches them leave."""
        return self.role != "board" or self.watches

    @property
    def checked(self) -> bool:
        """Whether what it reads carries a check of its own, so that a misread is noticed."""
        return True


class CodeSpec(DeviceSpec, frozen=True, kw_only=True):
    """A reader of codes: what is printed on the cards. See `drivers.cardcode`."""

    card: str = DEFAULT_CARD
    cut_card: str = DEFAULT_CUT
    sets: str = ""
    decks: int = DECKS

    def __post_init__(self) -> None:
        super().__post_init__()
        self.code()

    def code(self) -> CardCode:
        """The format of the codes it reads; ask it `has_check` and `has_deck`."""
        return CardCode.from_template(
            self.card, self.cut_card, sets=self.sets or None, decks=self.decks
        )

    @property
    def apart(self) -> Apart:
        """By the deck number, if the code has one."""
        return "code" if self.code().has_deck else "time"

    @property
    def checked(self) -> bool:
        """Whether cards and cut card carry a check character."""
        return self.code().has_check


class Kind(Struct, frozen=True):
    """A kind of device: its settings and how they become one. `title`: for a person. `subsystem`:
    the sort of node it is read from.
    """

    name: str
    title: str
    spec: type[DeviceSpec]
    make: Callable[..., tuple[Port, DeviceProtocol]]
    subsystem: Subsystem = "tty"


def check_port(port: str) -> None:
    """Raise ValueError saying how a port is written."""
    if port.startswith("tcp://"):
        address = urlsplit(port)
        try:
            right = bool(address.hostname) and bool(address.port) and not address.path
        except ValueError:
            right = False
        if not right:
            raise ValueError(f"port {port!r}: write host and port, such as tcp://10.0.0.7:4001")
    elif port.startswith("usb:"):
        if not _USB.fullmatch(port[4:]):
            raise ValueError(
                f"port {port!r}: write usb:vid:pid:serial, the first two in lower-case hex, such "
                "as usb:0403:6001:A5X"
            )
    elif port.startswith(VIRTUAL):
        if not PurePosixPath(port.removeprefix(VIRTUAL)).is_absolute():
            raise ValueError(f"port {port!r}: write the whole path, virtual:/run/table/shoe.sock")
    elif not PurePosixPath(port).is_absolute():
        raise ValueError(f"port {port!r}: write the whole path, such as /dev/table/shoe")


def serial_port(spec: DeviceSpec, settings: SerialSettings) -> Port:
    """The serial port, USB port or TCP connection a setting names. ValueError for any other."""
    if spec.port.startswith("tcp://"):
        return TcpPort(spec.port)
    if spec.virtual:
        raise ValueError(f"port {spec.port!r}: a simulated serial port is the path of its terminal")
    return SerialPort(settings, Place(spec.port, "tty", pin=spec.usb))


def symbologies(aim: Aim, required: bool) -> Symbologies:
    """The AIM identifiers a reader accepts. Raises ValueError naming what to write."""
    if aim == () or (aim != "off" and not all(map(_is_symbology, aim))):
        raise ValueError(f'aim {aim!r}: "off", or a list such as ["C0", "d1"]')
    if aim == "off" and required:
        raise ValueError("aim_required: it needs a list in aim, which is off")
    return Symbologies(aim, required)


def hex_bytes(field: str, text: str) -> bytes:
    """A message written in hex. Raises ValueError naming the field."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        raise ValueError(f"{field} {text!r}: bytes in hex, such as 16 07 0D") from None
    if len(data) > LIMIT:
        raise ValueError(f"{field}: {len(data)} bytes; at most {LIMIT} bytes can go out at once")
    return data


def _is_symbology(text: str) -> bool:
    return len(text) in (1, 2) and text.isascii() and text.isalnum() and text[0].isalpha()
