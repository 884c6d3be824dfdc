"""A USB camera through OpenCV's V4L2 backend.

The order of the settings is the backend's: the format first (left alone it takes YUYV, which over
USB 2 is slow), then width and height together, pictures a second, a short queue. Then what is to
stay fixed: exposure, gain, white balance, focus, each after its automatic is off, and read back,
for a camera need not take them, and a new plug forgets them. Values are the raw numbers of V4L2;
exposure is in units of 100 microseconds.

The pictures are taken as the JPEGs the camera sent and decoded here, so that a torn one is noticed.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.refusal_words import refusal
from drivers.camera.sight import Frame, Image
from drivers.camera.sources.base import Shot, SourceError, Torn, bgr, cropped, whole_jpeg
from drivers.kinds.camera import (
    EXIT_BUSY,
    EXIT_DENIED,
    EXIT_LOST,
    EXIT_MISCONFIGURED,
    EXIT_MISSING,
    CameraSpec,
)
from drivers.transports.base import TransportError, TransportMisconfigured
from drivers.transports.places import Place

_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_MANUAL, _APERTURE = 1, 3
_BUFFERS = 3
_VALUES = {
    "exposure_us": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}
# The kernel's number of video4linux (Documentation/admin-guide/devices.txt).
_VIDEO_MAJOR = 81
_SECOND_NS = 1_000_000_000
# Failures in a row, about a second each, after which the camera is opened anew.
_FAILURES = 10
_STATUS = {
    errno.EACCES: (EXIT_DENIED, "no_right"),
    errno.EPERM: (EXIT_DENIED, "no_right"),
    errno.EBUSY: (EXIT_BUSY, "in_use"),
}

Capture = Callable[[str, int], Any]


class Camera:
    """A camera that is open and set. `capture` opens one: cv2.VideoCapture.

    Raises SourceError saying whether it is missing, denied, busy, or no camera.
    """

    def __init__(
        self, spec: CameraSpec, place: Place | None = None, capture: Capture = cv2.VideoCapture
    ) -> None:
        self._spec = spec
        self._place = place or Place(spec.port, "video4linux", pin=spec.usb)
        self._node = _free(self._place)
        self._camera = capture(self._node, cv2.CAP_V4L2)
        if not self._camera.isOpened():
            self._camera.release()
            raise _not_opened(spec.port, self._node)
        self._raw = False
        self._refused: list[str] = []
        self._taken: list[tuple[str, int, float]] = []
        self._set_up()
        self._number = self._failed = 0

    @property
    def what(self) -> str:
        """The camera as it was had."""
        get = self._camera.get
        wide, high = int(get(cv2.CAP_PROP_FRAME_WIDTH)), int(get(cv2.CAP_PROP_FRAME_HEIGHT))
        form = int(get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=False)
        fps = get(cv2.CAP_PROP_FPS)
        return refusal(
            "camera",
            path=_named(self._spec.port, self._node),
            wide=wide,
            high=high,
            fps=f"{fps:g}",
            form=form.decode("ascii", "replace"),
        )

    @property
    def over(self) -> bool:
        """Never."""
        return False

    @property
    def refused(self) -> str:
        """The settings it did not take."""
        return "; ".join(self._refused)

    def drifted(self) -> dict[str, str]:
        """The settings it took and has no more, each with what it has: an automatic that was not
        off, or a new plug, leaves it so.
        """
        return {
            what: f"it has {self._camera.get(prop):g} now"
            for what, prop, value in self._taken
            if not self._is(prop, value)
        }

    def values(self) -> dict[str, int]:
        """What it has, by the names of the table's file; what it cannot tell is left out."""
        found = {name: int(self._camera.get(prop)) for name, prop in _VALUES.items()}
        if found["exposure_us"] > 0:
            found["exposure_us"] *= 100
        return {name: value for name, value in found.items() if value >= 0}

    def read(self) -> Shot | Torn | None:
        """The next picture. OpenCV gives up waiting for one after a second. Raises SourceError
        when the camera is gone, or gives nothing for long.
        """
        had, data = self._camera.read()
        now_ns = time.monotonic_ns()
        if not had or data is None:
            self._failed += 1
            if self._place.target() is None:
                raise SourceError(refusal("unplugged", path=self._spec.port), EXIT_LOST)
            if self._failed >= _FAILURES:
                raise SourceError(refusal("gives_none", path=self._spec.port), EXIT_LOST)
            return None
        self._failed = 0
        self._number += 1
        raw = np.asarray(data, dtype=np.uint8)
        jpeg = raw.tobytes() if self._jpeg(raw) else b""
        image = whole_jpeg(jpeg) if jpeg else bgr(raw)
        if isinstance(image, str):
            return Torn(image)
        stamp_ms = float(self._camera.get(cv2.CAP_PROP_POS_MSEC))
        taken_ns = int(stamp_ms * 1_000_000)
        # Its driver's clock is ours, or it says nothing of when that was.
        known = 0 <= now_ns - taken_ns < _SECOND_NS
        frame = Frame(
            self._number, cropped(image, self._spec.window), taken_ns if known else now_ns
        )
        return Shot(frame, stamp_ms if stamp_ms > 0 else None, jpeg)

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.release()

    # --- settings -------------------------------------------------------------------------

    def _set_up(self) -> None:
        spec = self._spec
        self._must("format MJPG", cv2.CAP_PROP_FOURCC, _MJPG)
        wide, high = spec.size
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, wide)
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, high)
        had = tuple(
            int(self._camera.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        if had != spec.size:
            self._refused.append(f"size {wide} x {high}: it gives {had[0]} x {had[1]}")
        self._must(f"{spec.fps} pictures a second", cv2.CAP_PROP_FPS, spec.fps)
        # Not one alone: the driver fills the next while this one is fetched. Nothing grows old in
        # them, for a thread does nothing but fetch, and each picture bears its time.
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, _BUFFERS)
        self._raw = self._is(cv2.CAP_PROP_FOURCC, _MJPG) and bool(
            self._camera.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        )
        self._fixed()

    def _fixed(self) -> None:
        spec = self._spec
        if spec.exposure_us:
            units = max(1, round(spec.exposure_us / 100))
            self._expose(units)
        if spec.gain >= 0:
            self._must(f"gain {spec.gain}", cv2.CAP_PROP_GAIN, spec.gain)
        if spec.white_balance >= 0:
            self._must("automatic white balance off", cv2.CAP_PROP_AUTO_WB, 0)
            what = f"white_balance {spec.white_balance}"
            self._must(what, cv2.CAP_PROP_WB_TEMPERATURE, spec.white_balance)
        if spec.focus >= 0:
            self._must("autofocus off", cv2.CAP_PROP_AUTOFOCUS, 0)
            self._must(f"focus {spec.focus}", cv2.CAP_PROP_FOCUS, spec.focus)

    def _expose(self, units: int) -> None:
        """Some cameras take the manual mode only after they were in the automatic one."""
        self._camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        self._camera.set(cv2.CAP_PROP_EXPOSURE, units)
        what = f"exposure_us {units * 100}"
        if not self._is(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL) or not self._is(
            cv2.CAP_PROP_EXPOSURE, units
        ):
            self._camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _APERTURE)
            self._must("manual exposure", cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
            self._must(what, cv2.CAP_PROP_EXPOSURE, units)
            return
        self._taken.append(("manual exposure", cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL))
        self._taken.append((what, cv2.CAP_PROP_EXPOSURE, units))

    def _must(self, what: str, prop: int, value: float) -> None:
        """Set and read back: a camera that says yes may still do something else."""
        took = bool(self._camera.set(prop, value))
        had = self._camera.get(prop)
        if self._is(prop, value):
            self._taken.append((what, prop, value))
        else:
            self._refused.append(f"{what}: it has {had:g}" if took else f"{what}: not taken")

    def _is(self, prop: int, value: float) -> bool:
        return abs(float(self._camera.get(prop)) - value) <= max(0.5, abs(value) * 0.01)

    # --- pictures -------------------------------------------------------------------------

    def _jpeg(self, data: Image) -> bool:
        return self._raw and (data.ndim < 3 or data.shape[2] == 1) and 1 in data.shape[:2]


def _named(port: str, node: str) -> str:
    """The port, and where it leads."""
    return port if port == node else f"{port} ({node})"


def _not_opened(port: str, node: str) -> SourceError:
    """OpenCV says only that it is not open."""
    found = Path(node).stat() if Path(node).exists() else None
    foreign = found is not None and stat.S_ISCHR(found.st_mode)
    if found is not None and foreign and os.major(found.st_rdev) != _VIDEO_MAJOR:
        return SourceError(refusal("not_camera", path=_named(port, node)), EXIT_MISCONFIGURED)
    return SourceError(refusal("not_opened", path=_named(port, node)), EXIT_BUSY)


def _free(place: Place) -> str:
    """The node, which may be opened. OpenCV says of any trouble only that it is not open."""
    try:
        node = place.node()
        fd = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except TransportError as error:
        missing = not isinstance(error, TransportMisconfigured)
        raise SourceError(str(error), EXIT_MISSING if missing else EXIT_MISCONFIGURED) from error
    except OSError as error:
        status, code = _STATUS.get(error.errno or 0, (EXIT_MISSING, "no_camera"))
        raise SourceError(refusal(code, path=place.name), status) from error
    try:
        place.check(fd)
    except TransportError as error:
        raise SourceError(str(error), EXIT_MISCONFIGURED) from error
    finally:
        os.close(fd)
    return node
