"""The camera above the window: where a millimetre of the card lands on the picture.

The window's plane has its origin under the middle of the picture, millimetres, y down as the
picture of a camera that is mounted at 0 degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hw_sim.camera.cv import Matrix, Points
from hw_sim.camera.design import CARD_MM


@dataclass(frozen=True)
class Optics:
    """`px_per_mm` in the middle of the picture. `tilt`: of the camera about x and y, degrees;
    `roll`: its turn in its mount beside `mount` (0, 90, 180, 270). `far_mm`: how far it is away.
    """

    size: tuple[int, int] = (640, 480)
    px_per_mm: float = 9.0
    tilt: tuple[float, float] = (0.0, 0.0)
    roll: float = 0.0
    mount: int = 0
    far_mm: float = 150.0

    def matrix(self) -> Matrix:
        """Window plane (mm) to picture (px)."""
        a, b = (math.radians(degrees) for degrees in self.tilt)
        c = math.radians(self.roll + self.mount)
        about_x = np.array(
            [[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]]
        )
        about_y = np.array(
            [[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]]
        )
        about_z = np.array(
            [[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]]
        )
        turn = about_x @ about_y @ about_z
        focal = self.px_per_mm * self.far_mm
        lens = np.array([[focal, 0, self.size[0] / 2], [0, focal, self.size[1] / 2], [0, 0, 1]])
        plane = np.column_stack([turn[:, 0], turn[:, 1], (0, 0, self.far_mm)])
        whole = lens @ plane
        return np.asarray(whole / whole[2, 2])

    def field_mm(self) -> tuple[float, float]:
        """Width and height of what is seen, in the window's own directions."""
        width, height = (pixels / self.px_per_mm for pixels in self.size)
        return (height, width) if self.mount % 180 else (width, height)


def pose(x: float, y: float, degrees: float) -> Matrix:
    """Card (mm from its upper left corner) to window plane: its middle is at x, y."""
    a = math.radians(degrees)
    turn = np.array([[math.cos(a), -math.sin(a), x], [math.sin(a), math.cos(a), y], [0, 0, 1]])
    back = np.array([[1, 0, -CARD_MM[0] / 2], [0, 1, -CARD_MM[1] / 2], [0, 0, 1]])
    return np.asarray(turn @ back)


def rolling(speed_px_s: tuple[float, float], readout_s: float, rows: int) -> Matrix:
    """What a shutter that runs down `rows` rows in `readout_s` does to a thing of that speed."""
    vx, vy = (speed * readout_s / rows for speed in speed_px_s)
    stretch = 1 / (1 - vy) if abs(vy) < 0.9 else 1.0
    return np.array([[1, vx * stretch, 0], [0, stretch, 0], [0, 0, 1]])


def mapped(matrix: Matrix, points: Points) -> Points:
    """Points through a homography."""
    whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(whole[:, :2] / whole[:, 2:])


def quad_of(matrix: Matrix, box: tuple[float, float, float, float] = (0, 0, *CARD_MM)) -> Points:
    """The corners of a box of the card on the picture: the card's upper left first, clockwise."""
    x, y, width, height = box
    corners = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    return mapped(matrix, corners)


def speed_at(
    matrix: Matrix, at: tuple[float, float], speed: tuple[float, float]
) -> tuple[float, float]:
    """Pixels a second on the picture of what moves at `speed` mm/s at a place of the window."""
    step = 0.01
    here = np.array([at, (at[0] + speed[0] * step / 100, at[1] + speed[1] * step / 100)])
    first, then = mapped(matrix, here)
    moved = (then - first) / step * 100
    return float(moved[0]), float(moved[1])
