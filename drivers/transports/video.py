"""A camera's node, asked before a program is started for it (Linux uapi, videodev2.h).

Whether it is there, may be opened, gives pictures and is free is found out here, without any image
code, so that each of these is told as what it is.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable

from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.places import Place

# struct v4l2_capability: driver, card, bus, version, capabilities, device_caps, reserved.
_CAPABILITY = struct.Struct("16s32s32sIII12x")
_QUERYCAP = 0x80685600
# struct v4l2_requestbuffers: count, type (capture), memory (mmap), capabilities, flags, reserved.
_REQUEST = struct.Struct("IIIIB3x")
_REQBUFS = 0xC0145608
_CAPTURE, _META, _DEVICE_CAPS = 0x1, 0x0080_0000, 0x8000_0000

_KINDS: dict[int, tuple[type[TransportError], str]] = {
    errno.EBUSY: (TransportBusy, "another program has the camera; close that program"),
    errno.EACCES: (
        TransportDenied,
        "this user may not open it; add the user to the group that owns it (video)",
    ),
    errno.EPERM: (TransportDenied, "this user may not open it"),
    errno.ENOTTY: (TransportMisconfigured, "it is no camera"),
    errno.EINVAL: (TransportMisconfigured, "it is no camera that gives pictures"),
    errno.EISDIR: (TransportMisconfigured, "it is a folder"),
}
_MISSING = (TransportMissing, "no camera is there; check the cable and the name")

Ioctl = Callable[[int, int, bytes], bytes]


def _ioctl(fd: int, request: int, data: bytes) -> bytes:
    return fcntl.ioctl(fd, request, data)


class VideoNode:
    """Where a camera is looked for. See `drivers.transports.process.Where`."""

    def __init__(self, place: Place, ioctl: Ioctl = _ioctl) -> None:
        self._place = place
        self._ioctl = ioctl

    def target(self) -> str | None:
        """The node behind the name, or None when there is none."""
        return self._place.target()

    def still(self, opened: str | None) -> bool:
        """Whether the node that was opened still stands under the name."""
        return self._place.still(opened)

    def check(self) -> str:
        """The node and what it says it is. Raises one of the `TransportError` kinds."""
        node = self._place.node()
        try:
            fd = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError) as error:
            raise _refused(self._place.name, error) from error
        try:
            self._place.check(fd)
            return f"{os.path.realpath(node)} {self._asked(fd)}"
        except OSError as error:
            raise _refused(self._place.name, error) from error
        finally:
            os.close(fd)

    def _asked(self, fd: int) -> str:
        """Raises OSError, TransportMisconfigured."""
        data = self._ioctl(fd, _QUERYCAP, bytes(_CAPABILITY.size))
        _, card, _, _, every, device = _CAPABILITY.unpack(data)
        able = device if every & _DEVICE_CAPS else every
        if not able & _CAPTURE:
            which = "its second node, which tells of the pictures" if able & _META else "no camera"
            raise TransportMisconfigured(
                f"{self._place.name}: it is {which}; use the name that ends in video-index0"
            )
        # None is asked for: who may not even ask that, finds the pictures going to another.
        self._ioctl(fd, _REQBUFS, _REQUEST.pack(0, 1, 1, 0, 0))
        return bytes(card).split(b"\0")[0].decode("utf-8", "replace")


def _refused(name: str, error: OSError | ValueError) -> TransportError:
    number = error.errno or 0 if isinstance(error, OSError) else 0
    kind, words = _KINDS.get(number, _MISSING)
    return kind(f"{name}: {words} ({os.strerror(number) if number else error})")
