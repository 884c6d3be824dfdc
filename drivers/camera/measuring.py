"""Looks at a camera's pictures and measures how it stands: what `camera setup` goes by."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

import numpy as np

from drivers.camera.codes import texture
from drivers.camera.codes.reader import CodeReader
from drivers.camera.counting import (
    ACROSS,
    ALONG,
    TRAVEL,
    CodeCount,
    IndexCount,
    dot,
    lean_of,
    middle,
    turned,
)
from drivers.camera.follow import Follower, Passed
from drivers.camera.measured import Measured
from drivers.camera.sharpness import EdgeWidth, edge_widths
from drivers.camera.sight import (
    CodeLook,
    Frame,
    IndexLook,
    Region,
    Scene,
)
from drivers.cardcode import CardText, Reject
from drivers.kinds.camera import CameraSpec

_MARGIN_MM = 4.0
_BURNT = 251
# Paper of which more than this share is burnt out has too much light; less of it is a lamp's spot.
_MOSTLY = 0.45
# Every so many-th picture of a card on which nothing is read is tried turned left to right.
_MIRROR_EVERY, _MIRROR_MOST = 6, 20
_MOST = 4000


class Indices(Protocol):
    """Reads indices: `drivers.camera.index.reader.IndexReader`."""

    def look(self, frame: Frame, region: Region) -> tuple[IndexLook, ...]:
        """One look for each corner that could hold an index."""


@dataclass(frozen=True)
class Marks:
    """One picture and what was found on it. `worth`: the more, the better it shows all of it."""

    frame: Frame
    regions: tuple[Region, ...]
    codes: tuple[CodeLook, ...]
    indices: tuple[IndexLook, ...]
    edge_px: float | None
    px_per_mm: float | None
    worth: float


class Measurer:
    """`picture` for each picture of the whole view; `measured` at any time. `indices` None: no
    indices are looked for.
    """

    def __init__(self, spec: CameraSpec, indices: Indices | None) -> None:
        self._spec = spec
        self._indices = indices
        self._codes = CodeReader(spec.decoder, spec.symbologies) if spec.codes else None
        self._form = spec.code()
        self._follower: Follower[bool] = Follower(lambda scene, region: True)
        self._lights: deque[float] = deque(maxlen=_MOST)
        self._empty: deque[float] = deque(maxlen=_MOST)
        self._papers: deque[float] = deque(maxlen=_MOST)
        self._burnt: deque[bool] = deque(maxlen=_MOST)
        self._glares: deque[float] = deque(maxlen=_MOST)
        self._scales: deque[float] = deque(maxlen=_MOST)
        self._leans: deque[float] = deque(maxlen=_MOST)
        self._edges: deque[tuple[EdgeWidth, ...]] = deque(maxlen=_MOST)
        self._boxes: deque[tuple[int, int, int, int]] = deque(maxlen=_MOST)
        self._passed: list[Passed[bool]] = []
        self._code, self._index = CodeCount(), IndexCount()
        self._strange: Counter[str] = Counter()
        self._mirror = [0, 0]
        self._size = (0, 0)
        self._looked = self._with_card = 0
        self.best: Marks | None = None
        self.latest: Marks | None = None

    @property
    def trouble(self) -> str:
        """What is not installed, for the technician."""
        return self._codes.trouble if self._codes is not None else ""

    def picture(self, frame: Frame) -> None:
        """Look at one picture more."""
        self._looked += 1
        self._size = frame.size
        self._passed += self._follower.frame(frame)
        scene = self._follower.scene
        assert scene is not None
        self._light(scene)

    def finish(self) -> None:
        """There are no more pictures."""
        self._passed += self._follower.finish()

    # --- one picture ----------------------------------------------------------------------

    def _light(self, scene: Scene) -> None:
        self._lights.append(scene.figures.light)
        cards = [region for region in scene.regions if region.kind == "card"]
        if not scene.regions:
            self._empty.append(scene.figures.light)
            self._glares.append(scene.figures.glare)
        elif cards:
            self._see(scene, cards)

    def _see(self, scene: Scene, cards: list[Region]) -> None:
        """All that a picture with cards tells, whichever of them is in front."""
        self._with_card += 1
        paper = float(np.median([max(region.paper) for region in cards]))
        self._papers.append(paper)
        burnt = float(np.mean([_burnt_share(scene.frame, region) for region in cards]))
        self._burnt.append(burnt > _MOSTLY)
        if burnt <= _MOSTLY:
            self._glares.append(scene.figures.glare)
        self._scales.extend(one.px_per_mm for one in cards if one.px_per_mm is not None)
        for region in cards:
            self._leans.extend(lean_of(corner) for corner in region.corners)
            self._boxes.append(region.box)
        self._marks(scene, cards)

    def _marks(self, scene: Scene, cards: list[Region]) -> None:
        frame, scale = scene.frame, self._scale
        widths = [edge_widths(frame.grey, region, scale) for region in cards]
        edges = tuple(one for some in widths for one in some)
        if edges:
            self._edges.append(edges)
        codes = tuple(look for region in cards for look in self._read_code(frame, region, edges))
        indices = tuple(look for region in cards for look in self._read_index(frame, region))
        if not any(look.face for look in indices):
            self._try_mirrored(frame, cards)
        sharpest = min((one.width for one in edges), default=None)
        corners = sum(len(region.corners) for region in cards)
        worth = 2.0 * len(codes) + sum(_worth(look) for look in indices) + 0.3 * corners
        worth -= 0.1 * (sharpest if sharpest is not None else 10.0)
        marks = Marks(frame, tuple(cards), codes, indices, sharpest, scale, worth)
        self.latest = marks
        if self.best is None or worth > self.best.worth:
            self.best = marks

    def _read_code(
        self, frame: Frame, region: Region, edges: Sequence[EdgeWidth]
    ) -> tuple[CodeLook, ...]:
        if self._codes is None:
            return ()
        seen = self._codes.look(frame, region)
        parsed = [self._form.parse(look.text) for look in seen]
        looks = tuple(
            look for look, what in zip(seen, parsed, strict=True) if isinstance(what, CardText)
        )
        self._strange.update(
            {look.text for look, what in zip(seen, parsed, strict=True) if isinstance(what, Reject)}
        )
        for look in looks:
            self._code.add(look, edges, self._follower.travel)
        if not looks and self._bars(frame, region):
            self._code.bars += 1
        return looks

    def _bars(self, frame: Frame, region: Region) -> bool:
        """Whether something with bars stands on the card."""
        x, y, w, h = region.box
        part = np.ascontiguousarray(frame.grey[y : y + h, x : x + w])
        if min(part.shape) < 40:
            return False
        return any(one.bars and one.size[0] > 60 for one in texture.patches(part, 1))

    def _read_index(self, frame: Frame, region: Region) -> tuple[IndexLook, ...]:
        if self._indices is None:
            return ()
        scale = region.px_per_mm or self._scale
        if scale:
            self._index.place(region.corners, frame.size, scale)
        looks = tuple(look for look in self._indices.look(frame, region) if look.quad is not None)
        for look in looks:
            if look.why != "no_index":
                self._index.add(look)
        return looks

    def _try_mirrored(self, frame: Frame, cards: list[Region]) -> None:
        """Whether the index is read on the picture turned left to right. Codes are read so too."""
        if self._indices is None:
            return
        self._mirror[0] += 1
        if self._mirror[0] % _MIRROR_EVERY or self._mirror[0] > _MIRROR_EVERY * _MIRROR_MOST:
            return
        image = np.ascontiguousarray(frame.image[:, ::-1])
        flipped = Frame(-frame.number - 1, np.asarray(image, dtype=np.uint8), frame.at_ns)
        regions = [turned(region, frame.size[0]) for region in cards]
        read = any(look.face for one in regions for look in self._indices.look(flipped, one))
        self._mirror[1] += read

    # --- all of them ----------------------------------------------------------------------

    @property
    def _scale(self) -> float | None:
        return median(self._scales) if self._scales else self._spec.px_per_mm or None

    def measured(
        self,
        *,
        seconds: float = 0.0,
        fps: float = 0.0,
        came: int = 0,
        torn: float = 0.0,
        refused: str = "",
        drifted: str = "",
        lost: str = "",
    ) -> Measured:
        """The figures so far; what the source says of itself is given. `came`: whole pictures, of
        which this machine may have had no time to look at each.
        """
        out = [one for one in self._passed if one.out]
        edge, motion = self._blurs()
        often = max(1.0, came / max(1, self._looked))
        scale = float(median(self._scales)) if self._scales else None
        speeds = [one.speed for one in out if one.speed]
        return Measured(
            size=self._size,
            seconds=seconds,
            fps=fps,
            torn=torn,
            looked=self._looked,
            light=middle(self._lights),
            paper=middle(self._papers),
            burnt=sum(self._burnt) / max(1, len(self._burnt)),
            glare=middle(self._glares) or 0.0,
            wander=self._wander(),
            edge_px=edge,
            motion_px=motion,
            speed_mm_s=median(speeds) / scale if speeds and scale else None,
            px_per_mm=scale,
            lean=middle(self._leans),
            cards=len(out),
            views=round(median(one.views for one in out) * often) if out else None,
            pushed_back=len(self._passed) - len(out),
            card_pictures=self._with_card,
            travel=self._follower.travel,
            code=self._code.figures(self._with_card),
            index=self._index.figures(self._scale, self._with_card) if self._indices else None,
            window=self._window(),
            strange=next((text for text, n in self._strange.most_common(1) if n > 1), ""),
            mirrored=self._mirror[1] >= 2 and not self._index.read,
            refused=refused,
            drifted=drifted,
            lost=lost,
        )

    def _wander(self) -> float | None:
        if len(self._empty) < 30:
            return None
        low, high = np.percentile(self._empty, (5, 95))
        return float((high - low) / max(10.0, (high + low) / 2))

    def _blurs(self) -> tuple[float | None, float | None]:
        """Width of the sharpest edge, and what movement adds along the way, as the length it
        smears: 10-90 % of a smear of length L is 0.8 L, and widths add in squares.
        """
        sharpest = [min(one.width for one in edges) for edges in self._edges]
        travel = TRAVEL.get(self._follower.travel or "")
        if not sharpest or travel is None:
            return middle(sharpest), None
        smears = []
        for edges in self._edges:
            along = [one.width for one in edges if abs(dot(one.normal, travel)) > ALONG]
            across = [one.width for one in edges if abs(dot(one.normal, travel)) < ACROSS]
            if along and across:
                more = max(0.0, float(np.median(along)) ** 2 - float(np.median(across)) ** 2)
                smears.append(math.sqrt(more) / 0.8)
        return middle(sharpest), middle(smears)

    def _window(self) -> tuple[int, int, int, int] | None:
        """The part of the picture that cards pass through, whole along their way: cards are
        followed by where they come in and go out.
        """
        travel, scale = self._follower.travel, self._scale
        if travel is None or not self._boxes or not scale:
            return None
        wide, high = self._size
        margin = round(_MARGIN_MM * scale)
        boxes = np.array(self._boxes)
        if travel in ("left", "right"):
            low = max(0, int(np.percentile(boxes[:, 1], 5)) - margin)
            end = min(high, int(np.percentile(boxes[:, 1] + boxes[:, 3], 95)) + margin)
            return (0, low, wide, end - low)
        low = max(0, int(np.percentile(boxes[:, 0], 5)) - margin)
        end = min(wide, int(np.percentile(boxes[:, 0] + boxes[:, 2], 95)) + margin)
        return (low, 0, end - low, high)


def _worth(look: IndexLook) -> float:
    return (2.0 if look.face else 0.5) * (look.why != "no_index")


def _burnt_share(frame: Frame, region: Region) -> float:
    """Which share of a card's light parts is burnt out."""
    x, y, w, h = region.box
    part = frame.grey[y : y + h : 4, x : x + w : 4]
    light = part[part > 0.75 * max(region.paper)]
    return float((light >= _BURNT).mean()) if light.size else 0.0
