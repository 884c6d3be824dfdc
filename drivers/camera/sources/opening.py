"""Which source a camera's settings name."""

from __future__ import annotations

from pathlib import Path

from drivers.camera.sources.base import Source
from drivers.kinds.camera import FILE, CameraSpec
from drivers.specs import VIRTUAL

_PICTURES = (".jpg", ".jpeg", ".png", ".bmp")


def open_source(spec: CameraSpec) -> Source:
    """The source, open. Raises SourceError."""
    if spec.port.startswith(VIRTUAL):
        from drivers.camera.sources.stream import Stream

        return Stream(spec.port.removeprefix(VIRTUAL), spec.window)
    if spec.port.startswith(FILE):
        from drivers.camera.sources.files import Film, Images

        path = spec.port.removeprefix(FILE)
        pictures = Path(path).is_dir() or path.lower().endswith(_PICTURES)
        return (Images if pictures else Film)(path, spec.fps, spec.window)
    from drivers.camera.sources.v4l2 import Camera

    return Camera(spec)
