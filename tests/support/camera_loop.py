"""The reader's loop, with its watchdog and its pipeline, given pictures by a test's clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from drivers.camera.grabber import Grabbed, look_at
from drivers.camera.process import Loop
from drivers.camera.seer import the_pipeline
from drivers.camera.sight import Frame, Image
from drivers.camera.sources.base import Shot
from drivers.catalog import spec_of
from drivers.kinds.camera import CameraSpec
from drivers.protocols import camera_lines as lines

_MS = 1_000_000


class Reader:
    """One reader. `show` pictures, then look at `said`."""

    def __init__(self, **settings: object) -> None:
        raw = {
            "name": "shoe",
            "kind": "camera",
            "port": "virtual:/run/x.sock",
            "fps": 60,
            "card": "{rank}{suit}{deck:2}{check}",
            "evidence": "off",
            **settings,
        }
        spec = spec_of(raw)
        assert isinstance(spec, CameraSpec)
        self.said: list[lines.Up] = []
        self.now_ns = 1_000_000 * _MS
        self._waiting: deque[Grabbed] = deque()
        self._before: Shot | None = None
        self._number = 0
        self._rng = np.random.default_rng(1)
        self._loop = Loop(spec, self, the_pipeline, self.said.append, clock=lambda: self.now_ns)

    def take(self, wait_s: float) -> Grabbed:
        """What the loop takes."""
        return self._waiting.popleft() if self._waiting else Grabbed()

    def show(self, images: Iterable[Image], *, every_ms: float = 1000 / 60) -> None:
        """One after the other, as the camera gives them."""
        for image in images:
            self._number += 1
            self.now_ns += round(every_ms * _MS)
            shot = Shot(Frame(self._number, image, self.now_ns))
            look = look_at(shot, self._before)
            self._before = shot
            self._waiting.append(Grabbed(shot, look))
            self._loop.step()

    def still(self, image: Image, count: int) -> None:
        """The same moment, as a sensor sees it: no two pictures are alike."""
        self.show(self._alive(image) for _ in range(count))

    def _alive(self, image: Image) -> Image:
        noise = self._rng.integers(-2, 3, image.shape, dtype=np.int16)
        return np.asarray(np.clip(image.astype(np.int16) + noise, 0, 255), dtype=np.uint8)

    @property
    def faces(self) -> list[str]:
        """The cards told."""
        return [line.face for line in self.said if isinstance(line, lines.Read)]

    @property
    def missed(self) -> list[str]:
        """Why others were not."""
        return [line.reason for line in self.said if isinstance(line, lines.Missed)]

    @property
    def troubles(self) -> list[str]:
        """Faults as they came, and with a dash as they went."""
        return [
            line.code if isinstance(line, lines.Fault) else f"-{line.code}"
            for line in self.said
            if isinstance(line, lines.Fault | lines.FaultOver)
        ]
