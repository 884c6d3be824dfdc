"""`camera`: a camera that looks into the shoe's window; a process of its own reads the cards."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from drivers.protocols import camera_lines as lines
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.camera import Camera, CameraSettings
from drivers.protocols.camera_lines import Witness
from drivers.specs import VIRTUAL, Apart, CodeSpec, Kind, check_port
from drivers.transports.base import (
    Port,
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.child import Program
from drivers.transports.places import Place
from drivers.transports.process import FileThere, ProcessPort, Where
from drivers.transports.video import VideoNode

FILE = "file:"
# Honoured only where a simulator plays the camera: `abort:120`, `hang:120`, `exit:120`.
FAILPOINT = "DEALER_STATION_CAMERA_FAILPOINT"
# What the reader's exit status says of its camera; the last line of its errors says the rest.
EXIT_MISSING, EXIT_BUSY, EXIT_DENIED, EXIT_MISCONFIGURED, EXIT_LOST = 20, 21, 22, 23, 24
EXITS: dict[int, type[TransportError]] = {
    EXIT_MISSING: TransportMissing,
    EXIT_BUSY: TransportBusy,
    EXIT_DENIED: TransportDenied,
    EXIT_MISCONFIGURED: TransportMisconfigured,
    EXIT_LOST: TransportLost,
}

Symbology = Literal["code128", "qr", "datamatrix"]
Decoder = Literal["pyzbar", "zxing", "both"]
Travel = Literal["auto", "right", "left", "up", "down"]
Pixels = Annotated[int, Meta(ge=0, le=8192)]
Wait = Annotated[int, Meta(ge=500, le=600_000)]
Raw = Annotated[int, Meta(ge=-1, le=65_535)]
COLOURS = ("any", "red", "orange", "yellow", "green", "blue", "purple", "black", "white")
CutColour = Literal[
    "any", "red", "orange", "yellow", "green", "blue", "purple", "black", "white", ""
]


class CameraSpec(CodeSpec, frozen=True, kw_only=True):
    """`port`: /dev/v4l/by-id/..., `usb:VID:PID:SERIAL`; at a test table also `virtual:/path.sock`
    (a simulator's pictures) and `file:/path` (a video, or a folder of pictures).

    `read`: the witnesses; `alone`: a card that only one of them told is read. `symbologies`,
    `decoder`: of the codes. `size` (width, height in pixels) and `fps` are asked of the camera.
    `exposure_us` microseconds; `gain`, `white_balance` (kelvin), `focus`: the camera's own numbers;
    -1 (and `exposure_us` 0) leaves the camera's. `window`: x, y, width, height of the part that is
    looked at, in pixels; all 0: the whole picture. `travel`: where cards go. `px_per_mm`: of a card
    in the picture, 0: it is found out. `tell`: a card is told when it is `out` of the shoe, its end
    in the window, or as soon as it is `seen` to move, for a window that never shows a card's end.
    `deck`: the file of a deck that was shown to it, "" without.
    `cut_colour`: of the cut card, "" where only a code tells it. `evidence`: pictures are kept of
    `cards`, in `evidence_dir`.

    Limits in milliseconds: `silent_ms` no word of the reader; `stalled_ms` no picture; `frozen_ms`
    the same picture; `black_ms` a black one; `warm_up_ms` how long a camera may take to see;
    `covered_ms` something covers the window. `least_fps`: with fewer pictures a second a card may
    pass unseen, and the table holds; 0 for never.
    """

    kind: Literal["camera"] = "camera"
    read: tuple[Witness, ...] = ("barcode", "index")
    alone: bool = True
    decoder: Decoder = "both"
    symbologies: tuple[Symbology, ...] = ("code128", "qr", "datamatrix")
    size: tuple[Pixels, Pixels] = (1280, 720)
    fps: Annotated[int, Meta(ge=5, le=240)] = 60
    exposure_us: Annotated[int, Meta(ge=0, le=100_000)] = 300
    gain: Raw = -1
    white_balance: Raw = -1
    focus: Raw = -1
    window: tuple[Pixels, Pixels, Pixels, Pixels] = (0, 0, 0, 0)
    travel: Travel = "auto"
    px_per_mm: Annotated[float, Meta(ge=0, le=100)] = 0.0
    tell: Literal["out", "seen"] = "out"
    deck: str = ""
    cut_colour: CutColour = "any"
    evidence: Literal["cards", "off"] = "cards"
    evidence_dir: str = ""
    silent_ms: Annotated[int, Meta(ge=2500, le=60_000)] = 3000
    stalled_ms: Wait = 2000
    frozen_ms: Wait = 2000
    black_ms: Wait = 2000
    warm_up_ms: Wait = 8000
    covered_ms: Wait = 5000
    least_fps: Annotated[int, Meta(ge=0, le=60)] = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.role == "board":
            raise ValueError('role "board": a camera reads cards; write shoe or scanner')
        self._check_witnesses()
        self._check_picture()
        for field, path in (("deck", self.deck), ("evidence_dir", self.evidence_dir)):
            if path and not PurePosixPath(path).is_absolute():
                raise ValueError(f"{field} {path!r}: write the whole path, such as /var/lib/...")

    def check_place(self) -> None:
        """Raise ValueError saying how a camera's port is written."""
        if self.port.startswith(FILE):
            if not PurePosixPath(self.port.removeprefix(FILE)).is_absolute():
                raise ValueError(
                    f"port {self.port!r}: write the whole path, file:/path/to/film.mp4"
                )
            if self.usb:
                raise ValueError(f"usb {self.usb!r}: there is no USB hardware at {self.port}")
        elif self.port.startswith("tcp://"):
            raise ValueError(
                f"port {self.port!r}: a camera is plugged into this machine; write its link under "
                "/dev/v4l/by-id, or usb:vid:pid:serial"
            )
        else:
            check_port(self.port)

    def _check_witnesses(self) -> None:
        if not self.read or len(set(self.read)) < len(self.read):
            raise ValueError(f'read {list(self.read)}: ["barcode"], ["index"], or both')
        if not self.alone and len(self.read) < 2:
            raise ValueError('alone = false: it needs both witnesses, read = ["barcode", "index"]')
        if not self.symbologies or len(set(self.symbologies)) < len(self.symbologies):
            raise ValueError(
                f"symbologies {list(self.symbologies)}: what the cards bear, such as "
                '["code128"]; each once'
            )
        if self.decoder == "pyzbar" and self.symbologies == ("datamatrix",) and self.codes:
            raise ValueError('decoder "pyzbar": it reads no Data Matrix; write "zxing" or "both"')

    def _check_picture(self) -> None:
        if self.least_fps * 5 > self.fps * 4:
            raise ValueError(
                f"least_fps {self.least_fps}: the table would never run at fps {self.fps}; at most "
                "four fifths of it, or 0"
            )
        if self.exposure_us % 100:
            low = self.exposure_us // 100 * 100
            near = f"{low} or {low + 100}" if low else "100"
            raise ValueError(
                f"exposure_us {self.exposure_us}: cameras take steps of 100; write {near} (0: left "
                "to the camera)"
            )
        width, height = self.size
        if width < 160 or height < 120:
            raise ValueError(f"size {[width, height]}: width and height in pixels, from 160 x 120")
        x, y, wide, high = self.window
        if self.window == (0, 0, 0, 0):
            return
        if wide < 64 or high < 64:
            raise ValueError(
                f"window {list(self.window)}: x, y, width, height in pixels, from 64 x 64; "
                "leave it out for the whole picture"
            )
        if x + wide > width or y + high > height:
            raise ValueError(
                f"window {list(self.window)}: it reaches out of a picture of {width} x {height}"
            )

    @property
    def codes(self) -> bool:
        """Whether printed codes are read."""
        return "barcode" in self.read

    def placed(self, journal: Path) -> CameraSpec:
        """Its pictures go into the folder beside the journal, whatever the entry says."""
        if self.evidence == "off":
            return self
        folder = journal.with_name(journal.name + ".evidence")
        return msgspec.structs.replace(self, evidence_dir=str(folder))

    @property
    def virtual(self) -> bool:
        """Whether its pictures are no camera's: never at a live table."""
        return self.port.startswith((VIRTUAL, FILE))

    @property
    def apart(self) -> Apart:
        """A card is gone from the window before the next is read: reads are numbered. Where every
        read has a code with a deck number, that tells more.
        """
        every = self.codes and not (self.alone and "index" in self.read)
        return "code" if every and self.code().has_deck else "number"

    @property
    def checked(self) -> bool:
        """A code by its check character; an index by two recognisers that have to agree; and the
        two witnesses by each other, where both are wanted.
        """
        return not self.codes or not self.alone or self.code().has_check


def make(spec: CameraSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = CameraSettings(read=spec.read, alone=spec.alone, silent_ms=spec.silent_ms)
    camera = Camera(spec.name, spec.code(), settings)
    return ProcessPort(_program(spec, camera), _place(spec)), camera


def _program(spec: CameraSpec, camera: Camera) -> Program:
    # Where a simulator plays the camera, a test may say where the reader shall die.
    failpoint = os.environ.get(FAILPOINT, "") if spec.virtual else ""
    entry = msgspec.to_builtins(spec)

    def greeting() -> bytes:
        settings = lines.Settings(
            spec=entry, failpoint=failpoint, light=camera.light, travel=camera.travel
        )
        return lines.encode(settings)

    return Program(
        ("-m", "drivers.camera", "--parent", str(os.getpid())),
        greeting=greeting,
        ready=lines.READY,
        exits=EXITS,
        remark=lambda text: lines.encode(lines.Remark(code="stderr", detail=text)),
    )


def _place(spec: CameraSpec) -> Where:
    if spec.port.startswith(VIRTUAL):
        return FileThere(spec.port.removeprefix(VIRTUAL))
    if spec.port.startswith(FILE):
        return FileThere(spec.port.removeprefix(FILE))
    return VideoNode(Place(spec.port, "video4linux", pin=spec.usb))


KIND = Kind("camera", "camera in the shoe's window", CameraSpec, make, "video4linux")
