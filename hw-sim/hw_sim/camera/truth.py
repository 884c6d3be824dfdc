"""The truth of what was rendered, frame by frame, for whoever judges a reader.

Faces are written as in `Kd`, `10s`. Quads are px of the frame, the card's upper left corner first;
`inside` is the share of a box within the frame, `visible` that which nothing covers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hw_sim.camera.cv import Points
from hw_sim.camera.design import CARD_MM
from hw_sim.camera.draws import Draw
from hw_sim.camera.optics import mapped, quad_of
from hw_sim.camera.stock import Print, Texture
from hw_sim.camera.symbols import Printed
from hw_sim.camera.window import Seen, Shot, Taken

Box = tuple[float, float, float, float]
_GRID = 12


def written(face: str) -> str:
    """`TS` as `10s`; `back`, `joker`, `cut` as they are."""
    if len(face) != 2:
        return face
    return ("10" if face[0] == "T" else face[0]) + face[1].lower()


def of_draw(draw: Draw) -> dict[str, Any]:
    """What holds for a whole sequence."""
    look, card = draw.look, (draw.card if draw.passes else None)
    optics, sensor, light = look.optics, look.sensor, look.light
    speed = abs(card.at(draw.middle_s)[1]) if card else 0.0
    return {
        "design": card.print.design.name if card else "",
        "kind": card.print.kind if card else "empty",
        "size": list(optics.size),
        "px_per_mm": round(optics.px_per_mm, 2),
        "second": written(draw.second) or None,
        "axis": card.track.axis if card else None,
        "mount": optics.mount,
        "fps": sensor.fps,
        "v_mm_s": round(speed, 1),
        "exposure_s": round(sensor.exposure_s, 6),
        "blur_px": round(speed * sensor.exposure_s * optics.px_per_mm, 2),
        "tilt": [round(degrees, 1) for degrees in optics.tilt],
        "theta_deg": round((card.degrees + 180) % 360 - 180, 1) if card else 0.0,
        "defocus": round(sensor.defocus, 2),
        "gain": round(light.level, 2),
        "nshot": round(sensor.shot, 2),
        "nread": round(sensor.read, 2),
        "glare": bool(light.glare),
        "occluder": draw.reaches[0].tone if draw.reaches else None,
        "mono": sensor.mono,
        "rs_readout_s": round(sensor.readout_s, 4),
        "group": draw.group,
        "trouble": draw.trouble or None,
        "expected": [written(face) for face in draw.expected],
        "left": [written(face) for face in draw.left],
    }


def of_frame(k: int, t: float, taken: Taken, textures: dict[Print, Texture]) -> dict[str, Any]:
    """What holds for one frame. A frozen, black or damaged one tells of no card."""
    entry: dict[str, Any] = {"k": k, "t": round(t, 4), "cards": []}
    if taken.wrong:
        entry["wrong"] = taken.wrong
    if taken.shot is not None and not taken.damaged:
        shot = taken.shot
        entry["cards"] = [
            _card(i, shot, taken.above, textures[seen.one.print])
            for i, seen in enumerate(shot.seen)
        ]
    return entry


def _card(which: int, shot: Shot, above: float, texture: Texture) -> dict[str, Any]:
    seen = shot.seen[which]
    print_ = seen.one.print
    entry: dict[str, Any] = {
        "card": written(print_.face) or print_.kind,
        "kind": print_.kind,
        "quad": _rounded(quad_of(seen.placed.matrix)),
        "H": [[float(f"{v:.6g}") for v in row] for row in seen.placed.matrix],
        "blur_px": round(seen.placed.blur_px, 2),
    }
    if print_.kind == "card" and texture.index is not None:
        for name, box in (("rank", texture.index.rank), ("suit", texture.index.suit)):
            entry[name] = _box(which, shot, above, box)
            entry[f"{name}_br"] = _box(which, shot, above, _other_end(box))
    if texture.symbols:
        told = [_symbol(which, shot, above, symbol, seen) for symbol in texture.symbols]
        entry["symbol"] = max(told, key=lambda one: float(one["visible"]))
        entry["symbols"] = told
    return entry


def _symbol(which: int, shot: Shot, above: float, symbol: Printed, seen: Seen) -> dict[str, Any]:
    told = _box(which, shot, above, symbol.box)
    quad = np.array(told["quad"])
    long = float(np.hypot(*(quad[1] - quad[0])))
    module = symbol.module_mm * long / symbol.box[2]
    return {
        "sym": symbol.symbology,
        "text": symbol.text,
        **told,
        "module_px": round(module, 2),
        "blur_modules": round(seen.placed.blur_px / module, 2),
    }


def _other_end(box: Box) -> Box:
    return (CARD_MM[0] - box[0] - box[2], CARD_MM[1] - box[1] - box[3], box[2], box[3])


def _box(which: int, shot: Shot, above: float, box: Box) -> dict[str, Any]:
    matrix = shot.seen[which].placed.matrix
    xs, ys = (
        np.linspace(0.04, 0.96, _GRID) * side + low
        for low, side in ((box[0], box[2]), (box[1], box[3]))
    )
    grid = np.array([(x, y) for y in ys for x in xs], dtype=np.float64)
    points = mapped(matrix, grid)
    height, width = shot.image.shape[:2]
    x, y = points[:, 0], points[:, 1]
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    visible = inside & (y < height * above)
    for upper in shot.seen[which + 1 :]:
        visible &= ~_under_card(points, upper)
    for cover in shot.covers:
        visible &= ~_under(points - cover.at, cover.picture[:, :, 3] > 100)
    return {
        "quad": _rounded(quad_of(matrix, box)),
        "inside": round(float(inside.mean()), 3),
        "visible": round(float(visible.mean()), 3),
    }


def _under_card(points: Points, upper: Seen) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    at = mapped(np.asarray(np.linalg.inv(upper.placed.matrix), dtype=np.float64), points)
    return np.asarray(((at >= 0) & (at <= CARD_MM)).all(axis=1))


def _under(
    points: Points, mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    at = np.floor(points).astype(int)
    high, wide = mask.shape
    on = (at >= 0).all(axis=1) & (at[:, 0] < wide) & (at[:, 1] < high)
    out = np.zeros(len(points), dtype=np.bool_)
    out[on] = mask[at[on, 1], at[on, 0]]
    return out


def _rounded(quad: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]
