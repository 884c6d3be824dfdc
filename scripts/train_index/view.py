"""A camera's view of an artwork: turned, blurred, lit, tinted, noisy, compressed."""

from __future__ import annotations

import cv2
import numpy as np

from drivers.camera.sight import Corner, Frame
from scripts.train_index.art import ART, EDGE


def seen(rng: np.random.Generator, artwork: np.ndarray, harsh: float):
    """The artwork through a camera. Returns frame, corner as it would be found, the scale it would
    be believed to have, the map from frame to art, whether without colour, true px a mm.
    """
    scale = (
        float(np.exp(rng.uniform(np.log(6.5), np.log(18))))
        if rng.random() < 0.3
        else rng.uniform(7, 11)
    )
    width, height = round(24 * scale), round(44 * scale)
    angle = np.radians(rng.normal(0, 4))
    squeeze = rng.uniform(0.95, 1.05)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn @ np.array([[1, rng.normal(0, 0.015)], [0, squeeze]])
    to_frame = turn * (scale / ART)
    at = np.array([rng.uniform(2, 4.5), rng.uniform(2, 4.5)]) * scale
    if rng.random() < 0.06:
        at += rng.uniform(-30, 20, 2) * [0.5, 1] * scale * 0.5
    shift = at - to_frame @ np.array([EDGE * ART, EDGE * ART])
    matrix = np.hstack([to_frame, shift[:, None]])
    image = cv2.warpAffine(
        artwork, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    image = _blurred(rng, image, harsh, scale)
    image, mono = _lit(rng, image, harsh)
    corner = _corner(rng, at, turn, scale)
    known = rng.random() < 0.6
    hint = scale * (rng.uniform(0.95, 1.05) if known else rng.uniform(0.72, 1.38))
    return Frame(0, image), corner, hint, (turn, scale, at), mono, scale


def _blurred(rng: np.random.Generator, image: np.ndarray, harsh: float, scale: float) -> np.ndarray:
    """Motion in any direction and defocus; drawn in mm, applied in px."""
    focus = max(rng.uniform(0.02, 0.08 + 0.22 * harsh) * scale, 0.42)
    image = cv2.GaussianBlur(image, (0, 0), focus)
    length = rng.uniform(0, 0.25 + 0.75 * harsh) * scale
    if length > 1.5:
        n = int(length) | 1
        kernel = np.zeros((n + 2, n + 2), np.float32)
        angle = (
            rng.choice([0, np.pi / 2]) + rng.normal(0, 0.1)
            if rng.random() < 0.7
            else rng.uniform(0, np.pi)
        )
        half = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        middle = (n + 1) / 2
        a, b = (middle - half) * 16, (middle + half) * 16
        cv2.line(
            kernel, (round(a[0]), round(a[1])), (round(b[0]), round(b[1])), 1.0, 1, cv2.LINE_AA, 4
        )
        total = kernel.sum()
        if total > 0:
            image = cv2.filter2D(image, -1, kernel / total)
    return image


def _lit(rng: np.random.Generator, image: np.ndarray, harsh: float) -> tuple[np.ndarray, bool]:
    height, width = image.shape[:2]
    mono = rng.random() < 0.12
    beyond = max(harsh - 1, 0)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    slope = (rng.uniform(-1, 1, 2) * (0.15 + 0.45 * harsh)).astype(np.float32)
    light = 1 + slope[0] * x + slope[1] * y
    if rng.random() < 0.15 + 0.2 * harsh:
        light = light * _shadow(rng, x, y, harsh)
    darkest = max(0.95 - 0.6 * harsh, 0.12)
    light = light.astype(np.float32) * np.float32(rng.uniform(darkest, 1.12 - 0.3 * beyond))
    image = image * light[..., None]
    if rng.random() < 0.25:
        c = rng.uniform(-0.5, 0.5, 2).astype(np.float32)
        r = rng.uniform(0.05, 0.3)
        spot = np.exp(-((x - c[0]) ** 2 + (y - c[1]) ** 2) / (2 * r * r))
        image = image + (spot * np.float32(rng.uniform(20, 90 + 130 * harsh)))[..., None]
    cast = (1 + rng.uniform(-1, 1, 3) * (0.06 + 0.2 * harsh)).astype(np.float32)
    if rng.random() < 0.05 * harsh:
        cast = np.array([0.45, 0.5, 1.1], np.float32)
    image = image * cast
    if mono:
        grey = (
            image @ np.array([0.114, 0.587, 0.299], np.float32)
            if rng.random() < 0.5
            else image.mean(axis=2)
        )
        image = np.repeat(grey[..., None], 3, axis=2)
    image = np.clip(image, 0, 255).astype(np.float32)
    image = 255 * cv2.pow(image * np.float32(1 / 255), rng.uniform(0.85, 1.25))
    shot, read = (
        rng.uniform(0, 0.3 + 0.6 * harsh) ** 2 / 2,
        rng.uniform(0.5, 1.5 + 3.5 * harsh + 12 * beyond) ** 2,
    )
    sigma = cv2.sqrt(image * np.float32(shot) + np.float32(read))
    noise = _noise(rng, image.shape[:2], 1 if mono else 3)
    image = cv2.add(image, noise * sigma if mono else cv2.multiply(noise, sigma), dtype=cv2.CV_8U)
    if rng.random() < 0.8:
        quality = int(rng.uniform(92 - 40 * harsh, 97 - 30 * beyond))
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    return image, mono


_NOISE = np.random.default_rng(1).standard_normal((1800, 1400, 3), dtype=np.float32)


def _noise(rng: np.random.Generator, shape: tuple[int, int], channels: int) -> np.ndarray:
    """Noise of variance 1: a part of a large picture of it, somewhere."""
    y, x = int(rng.integers(1800 - shape[0])), int(rng.integers(1400 - shape[1]))
    return _NOISE[y : y + shape[0], x : x + shape[1], :channels]


def _shadow(rng: np.random.Generator, x: np.ndarray, y: np.ndarray, harsh: float) -> np.ndarray:
    angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
    soft = rng.uniform(0.01, 0.15)
    side = 1 / (1 + np.exp(-(x * np.cos(angle) + y * np.sin(angle) - off) / soft))
    return 1 - side * rng.uniform(0.1, 0.2 + 0.35 * harsh)


def _corner(rng: np.random.Generator, at: np.ndarray, turn: np.ndarray, scale: float) -> Corner:
    found = at + rng.normal(0, 0.25, 2) * scale
    axes = []
    for column in (0, 1):
        way = turn[:, column] / np.linalg.norm(turn[:, column])
        off = np.radians(rng.normal(0, 1.2))
        c, s = np.cos(off), np.sin(off)
        way = np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
        axes.append((float(way[0]), float(way[1])))
    return Corner((float(found[0]), float(found[1])), axes[0], axes[1], 20 * scale, 40 * scale)
