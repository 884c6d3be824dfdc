"""Troubles of the light, the lens, the camera and its line."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from hw_sim.camera.draws import Draw, Glitch, GlitchKind
from hw_sim.camera.optics import mapped
from hw_sim.camera.troubles_card import another, other_face
from hw_sim.faults import Fault

Params = Mapping[str, int | str]
Apply = Callable[[Draw, random.Random, Params], None]
TROUBLES: dict[str, tuple[Fault, Apply]] = {}


def _number(params: Params, name: str) -> int:
    return int(params[name])


def _add(name: str, doc: str, **params: tuple[object, str]) -> Callable[[Apply], Apply]:
    def put(apply: Apply) -> Apply:
        TROUBLES[name] = (Fault(doc, "now", dict(params)), apply)
        return apply

    return put


_LASTS = (None, "milliseconds it lasts at a running camera; left out: until `clear`")

# --- light and lens ---------------------------------------------------------------------------


@_add("blur", "too long an exposure: everything that moves is smeared", px=(7, "pixels"), ms=_LASTS)
def _blur(draw: Draw, rng: random.Random, params: Params) -> None:
    speed = 400.0 if not draw.passes else max(50.0, abs(draw.card.at(draw.middle_s)[1]))
    exposure = _number(params, "px") / (speed * draw.look.optics.px_per_mm)
    draw.sensed(exposure_s=exposure)


@_add("defocus", "the lens is out of focus", px=(3, "pixels"), ms=_LASTS)
def _defocus(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.sensed(defocus=float(_number(params, "px")) * draw.look.optics.size[0] / 640)


@_add(
    "glare",
    "a lamp is mirrored where the index is",
    strength=(230, "grey levels it adds"),
    ms=_LASTS,
)
def _glare(draw: Draw, rng: random.Random, params: Params) -> None:
    spot = (rng.uniform(0.2, 0.8), rng.uniform(0.15, 0.5))
    if draw.passes:
        one, optics = draw.card, draw.look.optics
        pose = one.track.pose(optics, one.at(draw.middle_s)[0], one.degrees)
        x, y = mapped(optics.matrix() @ pose, np.array([(7.0, 12.0)]))[0]
        spot = (float(x) / optics.size[0], float(y) / optics.size[1])
    draw.lit(glare=((*spot, rng.uniform(0.12, 0.2), float(_number(params, "strength"))),))


@_add(
    "led_dim",
    "the lamp has grown dim over the hours",
    hours=(20000, "hours it has burnt"),
    ms=_LASTS,
)
def _led_dim(draw: Draw, rng: random.Random, params: Params) -> None:
    left = 0.5 ** (_number(params, "hours") / 15000)
    draw.lit(level=draw.look.light.level * left)


@_add("red_light", "red light: hearts and diamonds are pale, and all is dark", ms=_LASTS)
def _red_light(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.lit(tint=(rng.uniform(0.08, 0.2), rng.uniform(0.12, 0.25), 1.05))


@_add("colour_cast", "the light is too warm or too cold", ms=_LASTS)
def _colour_cast(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.lit(tint=rng.choice(((0.55, 0.82, 1.05), (1.1, 0.9, 0.62), (0.8, 1.05, 0.7))))


@_add(
    "wrong_exposure",
    "the exposure is wrong, as after a replug",
    percent=(330, "of the right one"),
    ms=_LASTS,
)
def _wrong_exposure(draw: Draw, rng: random.Random, params: Params) -> None:
    share = _number(params, "percent") / 100
    exposure = draw.look.sensor.exposure_s * share
    draw.lit(level=draw.look.light.level * share)
    draw.sensed(exposure_s=exposure)


@_add("dust", "dust on the window", specks=(40, "how many"), ms=_LASTS)
def _dust(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.sensed(dust=_number(params, "specks"))


@_add(
    "noise", "a dark picture amplified: much noise", grey=(14, "its sigma, grey levels"), ms=_LASTS
)
def _noise(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.sensed(read=float(_number(params, "grey")), shot=2.0)


@_add("jpeg_poor", "the camera compresses too much", quality=(22, "JPEG quality"), ms=_LASTS)
def _jpeg_poor(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.sensed(quality=max(1, min(100, _number(params, "quality"))))


@_add(
    "knocked",
    "the camera was knocked: it looks from elsewhere",
    degrees=(8, "how far it leans"),
    ms=_LASTS,
)
def _knocked(draw: Draw, rng: random.Random, params: Params) -> None:
    lean, optics = _number(params, "degrees"), draw.look.optics
    sign = rng.choice((-1, 1))
    tilt = (optics.tilt[0] + sign * lean * 0.7, optics.tilt[1] - sign * lean * 0.7)
    draw.look = replace(
        draw.look, optics=replace(optics, tilt=tilt, roll=optics.roll + sign * lean * 0.5)
    )


# --- the camera and its line ------------------------------------------------------------------


def _glitch(draw: Draw, kind: GlitchKind, ms: int, **more: object) -> None:
    start = draw.middle_s - 0.02 if draw.passes else 0.0
    draw.glitches.append(Glitch(kind, start, start + ms / 1000, **more))  # type: ignore[arg-type]


@_add("frozen", "the same picture again and again, its times going on", ms=(3000, "milliseconds"))
def _frozen(draw: Draw, rng: random.Random, params: Params) -> None:
    _glitch(draw, "frozen", _number(params, "ms"))


@_add("black", "black pictures", ms=(1000, "milliseconds"))
def _black(draw: Draw, rng: random.Random, params: Params) -> None:
    _glitch(draw, "black", _number(params, "ms"))


@_add("warm_up", "black, then dark pictures, as after opening", ms=(600, "milliseconds"))
def _warm_up(draw: Draw, rng: random.Random, params: Params) -> None:
    late = 0.3 * _number(params, "ms") / 1000
    draw.glitches.append(Glitch("warm_up", -late, -late + _number(params, "ms") / 1000))


@_add(
    "torn",
    "pictures whose lower part is of another card",
    percent=(50, "how much is above"),
    ms=(500, "milliseconds"),
)
def _torn(draw: Draw, rng: random.Random, params: Params) -> None:
    other = None
    if draw.passes and draw.card.print.face:
        other = another(draw, other_face(draw.card.print.face, rng), rng)
    _glitch(
        draw, "torn", _number(params, "ms"), share=_number(params, "percent") / 100, other=other
    )


@_add(
    "torn_grey",
    "pictures whose lower part is grey",
    percent=(50, "how much is above"),
    ms=(500, "milliseconds"),
)
def _torn_grey(draw: Draw, rng: random.Random, params: Params) -> None:
    _glitch(draw, "torn", _number(params, "ms"), share=_number(params, "percent") / 100)


@_add("slow_frames", "few frames a second", fps=(5, "frames a second"), ms=(4000, "milliseconds"))
def _slow_frames(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.glitches.append(
        Glitch("slow", -1.0, _number(params, "ms") / 1000, fps=max(1, _number(params, "fps")))
    )


@_add("stall", "no frame for a while", ms=(2000, "milliseconds"))
def _stall(draw: Draw, rng: random.Random, params: Params) -> None:
    _glitch(draw, "stall", _number(params, "ms"))


@_add("blocked_stream", "the line is stuck in the middle of a frame", ms=(3000, "milliseconds"))
def _blocked(draw: Draw, rng: random.Random, params: Params) -> None:
    _glitch(draw, "blocked", _number(params, "ms"))


@_add("gone", "the camera is gone and comes back, dark at first", ms=(1500, "milliseconds"))
def _gone(draw: Draw, rng: random.Random, params: Params) -> None:
    _glitch(draw, "gone", _number(params, "ms"))
    end = draw.glitches[-1].to_s
    draw.glitches.append(Glitch("warm_up", end, end + 0.4))


@_add(
    "jpeg_damage",
    "frames damaged on the way",
    percent=(35, "of the frames"),
    ms=(1000, "milliseconds"),
)
def _jpeg_damage(draw: Draw, rng: random.Random, params: Params) -> None:
    share = _number(params, "percent") / 100
    draw.glitches.append(
        Glitch("damaged", -1.0, draw.middle_s + _number(params, "ms") / 1000, share=share)
    )
