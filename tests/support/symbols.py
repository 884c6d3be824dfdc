"""Frames with a printed code in them, drawn: a white card on a dark ground, a symbol on the card,
and what a camera does to it. For tests and measurements of the code reader only: the faces of real
cards and their way past the window are drawn elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import zxingcpp

from drivers.camera.cv import cv2
from drivers.camera.sight import Corner, Frame, Image, Points, Region, Symbology

_FORMATS = {
    "code128": zxingcpp.BarcodeFormat.Code128,
    "qr": zxingcpp.BarcodeFormat.QRCode,
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
    "itf": zxingcpp.BarcodeFormat.ITF,
    "code39": zxingcpp.BarcodeFormat.Code39,
}
CARD_MM = (63.0, 88.0)


def modules(content: str | bytes, symbology: str) -> Image:
    """The symbol, one pixel a module (a Code 128 one pixel high), dark 0, light 255."""
    options = {"ec_level": "M"} if symbology == "qr" else {}
    made = zxingcpp.create_barcode(content, _FORMATS[symbology], **options)
    drawn = np.asarray(made.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8)
    return drawn[:1] if symbology in ("code128", "itf", "code39") else drawn


@dataclass(frozen=True)
class Shot:
    """How a card lies and how it is taken. Lengths on the card in mm, angles in degrees, blur in
    pixels. `turn` is how the symbol stands on the card: 0 its reading direction along the short
    side, 90 along the long one. `middle` is where its middle is on the card.
    """

    size: tuple[int, int] = (640, 480)
    px_per_mm: float = 8.0
    module_mm: float = 0.4
    height_mm: float = 6.0
    middle: tuple[float, float] = (31.5, 20.0)
    turn: float = 0.0
    angle: float = 0.0
    tilt: tuple[float, float] = (0.0, 0.0)
    at: tuple[float, float] = (0.5, 0.5)
    motion_px: float = 0.0
    motion_angle: float = 0.0
    defocus_px: float = 0.0
    noise: float = 0.0
    light: float = 1.0
    glare: float = 0.0
    jpeg: int = 0
    seed: int = 0


def shoot(content: str | bytes, symbology: str, shot: Shot, number: int = 0) -> Frame:
    """A frame of a card that carries one symbol."""
    return Frame(number, _taken(_drawn([(content, symbology, shot)]), shot))


def shoot_cards(cards: list[tuple[str | bytes, str, Shot]], number: int = 0) -> Frame:
    """Several cards in one frame, the later over the earlier; taken as the last one says."""
    return Frame(number, _taken(_drawn(cards), cards[-1][2]))


def card_region(shot: Shot) -> Region:
    """The card as whoever finds cards would give it: its edges clipped by the picture."""
    width, height = shot.size
    corners = _project(_homography(shot), np.array(_rectangle(0, 0, *CARD_MM)))
    frame = np.array(_rectangle(0, 0, width - 1, height - 1), dtype=np.float32)
    _, clipped = cv2.intersectConvexConvex(corners.reshape(-1, 1, 2), frame.reshape(-1, 1, 2))
    outline = np.asarray(clipped, dtype=np.float32).reshape(-1, 2)
    left, top = np.floor(outline.min(axis=0)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int)
    seen = tuple(
        Corner((float(x), float(y)), _unit(after - here), _unit(before - here), 50.0, 50.0)
        for here, after, before in zip(
            corners, np.roll(corners, -1, axis=0), np.roll(corners, 1, axis=0), strict=True
        )
        for x, y in [here]
        if 0 <= x < width and 0 <= y < height
    )
    box = (int(left), int(top), int(right - left + 1), int(bottom - top + 1))
    return Region("card", outline, seen, frozenset(), shot.px_per_mm, (255.0, 255.0, 255.0), box)


def symbol_quad(content: str | bytes, symbology: str, shot: Shot) -> Points:
    """Where the symbol's corners are in the frame (4 x 2)."""
    _, quad = _symbol_on_card(content, symbology, shot)
    return _project(_homography(shot), quad)


def _unit(vector: npt.NDArray[np.float32]) -> tuple[float, float]:
    length = float(np.hypot(*vector))
    return float(vector[0]) / length, float(vector[1]) / length


def _rectangle(left: float, top: float, right: float, bottom: float) -> list[list[float]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def _homography(shot: Shot) -> npt.NDArray[np.float64]:
    """Millimetres of the card to pixels of the frame: a pinhole camera 400 mm above it."""
    angle, (over_x, over_y) = np.radians(shot.angle), np.radians(shot.tilt)
    spin = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    about_x = np.array(
        [[1, 0, 0], [0, np.cos(over_x), -np.sin(over_x)], [0, np.sin(over_x), np.cos(over_x)]]
    )
    about_y = np.array(
        [[np.cos(over_y), 0, np.sin(over_y)], [0, 1, 0], [-np.sin(over_y), 0, np.cos(over_y)]]
    )
    turned = about_x @ about_y @ spin
    middle = np.array([[1, 0, -shot.middle[0]], [0, 1, -shot.middle[1]], [0, 0, 1.0]])
    plane = np.column_stack([turned[:, 0], turned[:, 1], [0, 0, 400.0]])
    focal = shot.px_per_mm * 400.0
    x, y = shot.at[0] * shot.size[0], shot.at[1] * shot.size[1]
    camera = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])
    return np.asarray(camera @ plane @ middle, dtype=np.float64)


def _project(homography: npt.NDArray[np.float64], points: npt.NDArray[np.float64]) -> Points:
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), homography)
    return np.asarray(moved, dtype=np.float32).reshape(-1, 2)


def _symbol_on_card(
    content: str | bytes, symbology: str, shot: Shot
) -> tuple[Image, npt.NDArray[np.float64]]:
    """The modules, and the symbol's corners on the card in mm."""
    pattern = modules(content, symbology)
    width = pattern.shape[1] * shot.module_mm
    height = shot.height_mm if pattern.shape[0] == 1 else pattern.shape[0] * shot.module_mm
    box = np.array(_rectangle(-width / 2, -height / 2, width / 2, height / 2))
    turn = np.radians(shot.turn)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return pattern, box @ spin.T + np.array(shot.middle)


def _drawn(cards: list[tuple[str | bytes, str, Shot]]) -> npt.NDArray[np.float32]:
    """Three times as large and then averaged, so that modules end between pixels as they do."""
    over = 3
    width, height = cards[-1][2].size
    canvas = np.full((height * over, width * over), 45, dtype=np.uint8)
    enlarge = np.array([[over, 0, (over - 1) / 2], [0, over, (over - 1) / 2], [0, 0, 1.0]])
    for content, symbology, shot in cards:
        to_frame = enlarge @ _homography(shot)
        card = _project(to_frame, np.array(_rectangle(0, 0, *CARD_MM)))
        cv2.fillConvexPoly(canvas, np.round(card).astype(np.int32), 232)
        pattern, quad = _symbol_on_card(content, symbology, shot)
        large = cv2.resize(pattern, None, fx=12, fy=12, interpolation=cv2.INTER_NEAREST)
        source = np.array(_rectangle(-0.5, -0.5, large.shape[1] - 0.5, large.shape[0] - 0.5))
        target = _project(to_frame, quad)
        move = cv2.getPerspectiveTransform(source.astype(np.float32), target)
        ink = cv2.warpPerspective(
            large, move, canvas.shape[::-1], flags=cv2.INTER_LINEAR, borderValue=255
        )
        canvas = np.where(ink < 255, (30 + ink * (202 / 255.0)), canvas).astype(np.uint8)
    return cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)


def _taken(scene: npt.NDArray[np.float32], shot: Shot) -> Image:
    """Blur, light, glare, noise, compression; as BGR."""
    random = np.random.default_rng(shot.seed)
    if shot.defocus_px > 0:
        scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), shot.defocus_px), np.float32)
    if shot.motion_px > 1:
        scene = np.asarray(cv2.filter2D(scene, -1, _motion(shot)), np.float32)
    scene = scene * shot.light
    if shot.glare > 0:
        height, width = scene.shape
        y, x = np.mgrid[0:height, 0:width]
        middle = random.uniform(0.2, 0.8, 2) * (width, height)
        spread = shot.glare * width
        scene = scene + 260 * np.exp(
            -((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * spread**2)
        )
    if shot.noise > 0:
        scene = scene + random.normal(0, shot.noise, scene.shape).astype(np.float32)
    grey = np.clip(scene, 0, 255).astype(np.uint8)
    image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if shot.jpeg:
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, shot.jpeg])
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return image


def _motion(shot: Shot) -> npt.NDArray[np.float32]:
    """A line of that length and direction, as a kernel."""
    side = int(np.ceil(shot.motion_px)) // 2 * 2 + 3
    kernel = np.zeros((side * 8, side * 8), dtype=np.float32)
    middle, half = side * 4, shot.motion_px * 4
    angle = np.radians(shot.motion_angle)
    ends = [
        (round(middle + sign * half * np.cos(angle)), round(middle + sign * half * np.sin(angle)))
        for sign in (-1, 1)
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0, 4)
    small = np.asarray(cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(small / small.sum(), np.float32)


def symbologies_of(name: str) -> tuple[Symbology, ...]:
    """An allow-list of that one symbology."""
    known: dict[str, tuple[Symbology, ...]] = {
        "code128": ("code128",),
        "qr": ("qr",),
        "datamatrix": ("datamatrix",),
    }
    return known[name]
