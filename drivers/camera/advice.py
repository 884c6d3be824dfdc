"""What to change at a camera: figures in, advice out. Pure; the words are in `advice_words`.

The limits are measured ones: a printed code is read while blur stays under a module and a module
is at least 1.75 px (Code 128) or 2.5 px (QR, Data Matrix); an index from about 48 px of height on.
A hand draws at up to 0.7 m/s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from drivers.camera.measured import CodeFigures, Measured
from drivers.cardcode import DEFAULT_CARD, DEFAULT_CUT, CardCode, CardText, Reject
from drivers.kinds.camera import CameraSpec

HAND_MM_S = 700.0
MODULE_PX = {"code128": 1.75, "qr": 2.5, "datamatrix": 2.5}
BLUR_MODULES = 1.0
# What movement may smear: a printed module across the slide, or less than half of an index's
# stroke.
BLUR_MM = 0.3
INDEX_PX_PER_MM = 3.5
INDEX_HIGH_PX = 48.0
FOCUS_MM, FOCUS_PX = 0.36, 2.2
PAPER, PAPER_WANTED = 120.0, 200.0
BURNT, GLARE, WANDER, TORN = 0.2, 0.004, 0.08, 0.01
LEAN = 8.0
VIEWS = 4
READ_SHARE = 0.5
# Forms of code that are known, each with its cut card's.
_FORMS = ((DEFAULT_CARD, DEFAULT_CUT), ("{rank}{suit}{deck:2}{check}", "CUT{check}"))


class Advice(Struct, frozen=True):
    """`code` names it; `must`: before a table may count on the camera; `with_`: its figures."""

    code: str
    must: bool
    with_: dict[str, Any] = field(default_factory=dict, name="with")


def advise(spec: CameraSpec, m: Measured) -> tuple[Advice, ...]:
    """What to change, the most pressing first. Where no picture came nothing else counts."""
    if not m.looked:
        return (Advice("no_picture", True, {"why": m.lost or "-"}),)
    found = [*_camera(spec, m), *_light(spec, m)]
    if not m.card_pictures:
        return (*_sorted(found), Advice("no_card", True))
    found += [*_sharp(spec, m), *_place(spec, m), *_index(spec, m), *_code(spec, m)]
    return tuple(_sorted(found) + list(_write(spec, m)))


def ready(advice: tuple[Advice, ...]) -> bool:
    """Whether nothing is left that must be changed."""
    return not any(one.must for one in advice)


def longest_exposure(spec: CameraSpec, m: Measured) -> int:
    """Microseconds within which a quick hand smears no more than may be."""
    mm = BLUR_MM
    if m.code is not None and m.code.along and m.px_per_mm:
        mm = min(mm, m.code.module_px / m.px_per_mm)
    return max(100, int(mm / HAND_MM_S * 1e6 / 100) * 100)


def exposure_wanted(spec: CameraSpec, m: Measured) -> int:
    """Microseconds to write: as short as blur asks, and shorter where the paper is burnt out."""
    set_us = spec.exposure_us or 300
    wanted = min(set_us, longest_exposure(spec, m))
    if m.burnt > BURNT:
        wanted = min(wanted, int(set_us * 0.6))
    smear = smear_mm(m)
    if smear is not None and smear > BLUR_MM:
        wanted = min(wanted, int(set_us * BLUR_MM / smear))
    return max(100, round(wanted / 100) * 100)


def smear_mm(m: Measured) -> float | None:
    """How far movement smears at a quick hand's speed, as the cards' edges show it; None where the
    cards were too slow to tell.
    """
    if m.motion_px is None or not m.px_per_mm or not m.speed_mm_s or m.speed_mm_s < 150:
        return None
    return m.motion_px / m.px_per_mm * max(1.0, HAND_MM_S / m.speed_mm_s)


def _sorted(found: list[Advice]) -> list[Advice]:
    return sorted(found, key=lambda one: not one.must)


def _camera(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if m.lost:
        yield Advice("lost", True, {"why": m.lost})
    if m.refused:
        yield Advice("refused", True, {"what": m.refused})
    if m.drifted:
        yield Advice("drifted", True, {"what": m.drifted})
    automatic = [
        name
        for name, left in (
            ("exposure_us", spec.exposure_us == 0),
            ("gain", spec.gain < 0),
            ("white_balance", spec.white_balance < 0),
            ("focus", spec.focus < 0),
        )
        if left
    ]
    if automatic and not spec.virtual:
        yield Advice("automatic", "exposure_us" in automatic, {"names": ", ".join(automatic)})
    if m.fps and m.fps < 0.75 * spec.fps and not spec.virtual:
        yield Advice("slow", m.fps < 25, {"fps": m.fps, "asked": spec.fps})
    if m.torn > TORN:
        yield Advice("torn", True, {"percent": 100 * m.torn})


def _light(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if m.burnt > BURNT:
        yield Advice("burnt", True, {"exposure_us": exposure_wanted(spec, m)})
    elif m.paper is not None and m.paper < PAPER:
        times = PAPER_WANTED / max(m.paper, 10.0)
        set_us, most = spec.exposure_us, longest_exposure(spec, m)
        if set_us and set_us * times <= most:
            yield Advice("dark_expose", True, {"exposure_us": round(set_us * times / 100) * 100})
        else:
            yield Advice("dark", True, {"paper": m.paper, "times": times})
    elif m.paper is None and m.light is not None and m.light < 8:
        yield Advice("black", True)
    if m.glare > GLARE and m.burnt <= BURNT:
        yield Advice("glare", m.glare > 2 * GLARE, {"percent": 100 * m.glare})
    if m.wander is not None and m.wander > WANDER:
        yield Advice("wander", True, {"percent": 100 * m.wander})


def _sharp(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if m.edge_px is not None:
        most = max(FOCUS_PX, FOCUS_MM * m.px_per_mm) if m.px_per_mm else 4.0
        if m.edge_px > most:
            yield Advice("focus", True, {"px": m.edge_px, "most": most})
    smear = smear_mm(m)
    longest = longest_exposure(spec, m)
    if smear is not None and smear > BLUR_MM * 1.25:
        yield Advice("blur", True, {"mm": smear, "exposure_us": exposure_wanted(spec, m)})
    elif spec.exposure_us > longest:
        yield Advice("exposure", False, {"set": spec.exposure_us, "exposure_us": longest})


def _place(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if m.mirrored:
        yield Advice("mirrored", True)
    if m.travel is None:
        yield Advice("no_travel", True)
    if m.lean is not None and m.lean > LEAN:
        yield Advice("lean", False, {"degrees": m.lean})
    elif m.px_per_mm is None:
        yield Advice("no_scale", False)
    if m.cards and m.views is not None and m.views < VIEWS:
        yield Advice("few_views", True, {"views": m.views, "fps": _fps_wanted(spec, m)})
    if m.pushed_back:
        yield Advice("pushed_back", False, {"count": m.pushed_back})
    if m.cards and m.speed_mm_s is not None and m.speed_mm_s < 150:
        yield Advice("too_slow", False, {"speed": m.speed_mm_s})


def _fps_wanted(spec: CameraSpec, m: Measured) -> int:
    views = max(1, m.views or 1)
    return min(240, max(spec.fps + 30, math.ceil(spec.fps * VIEWS / views / 30) * 30))


def _index(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if "index" not in spec.read or m.index is None:
        return
    index = m.index
    if not index.corners and index.out:
        yield Advice("index_out", True, {"mm": index.out_mm, "side": index.out})
    elif not index.corners:
        yield Advice("no_corner", True)
    elif not index.found:
        yield from () if m.mirrored else (Advice("no_index", True),)
    elif index.read < READ_SHARE * index.found and not m.mirrored:
        share = 100 * index.read / index.found
        yield Advice("index_unsure", False, {"percent": share})
    times = 1.0
    if index.high_px is not None:
        times = INDEX_HIGH_PX / index.high_px
    elif m.px_per_mm is not None:
        times = INDEX_PX_PER_MM / m.px_per_mm
    if times > 1.0:
        yield Advice("index_small", True, {"times": max(times, 1.1)})


def _code(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if "barcode" not in spec.read or m.mirrored:
        return
    if m.strange and (m.code is None or not m.code.texts):
        yield _strange(m.strange, spec)
        return
    if m.code is None:
        must = not spec.alone or "index" not in spec.read
        if must or not _blurred(spec, m):
            yield Advice("no_code", must)
        return
    yield from _modules(m.code, spec)
    if not m.code.texts:
        yield Advice("code_unread", True)


def _strange(text: str, spec: CameraSpec) -> Advice:
    """A code that is read, and is none of the table's: which `card` would fit it."""
    words = {"text": text, "card": spec.card}
    what = spec.code().parse(text)
    if isinstance(what, Reject) and what.reason == "bad_check":
        return Advice("code_bad_check", True, words)
    for form, cut in _FORMS:
        if isinstance(CardCode.from_template(form, cut, decks=99).parse(text), CardText):
            return Advice("code_other_form", True, {**words, "form": form, "cut": cut})
    return Advice("code_strange", True, words)


def _blurred(spec: CameraSpec, m: Measured) -> bool:
    return any(one.must for one in _sharp(spec, m))


def _modules(code: CodeFigures, spec: CameraSpec) -> Iterator[Advice]:
    least = MODULE_PX[code.symbology]
    if code.texts and code.module_px < least:
        yield Advice(
            "module_small",
            True,
            {
                "px": code.module_px,
                "least": least,
                "symbology": code.symbology,
                "times": least / code.module_px,
            },
        )
    elif code.blur_modules is not None and code.blur_modules > BLUR_MODULES * 1.25:
        yield Advice("module_blur", True, {"modules": code.blur_modules, "along": code.along})


def _write(spec: CameraSpec, m: Measured) -> Iterator[Advice]:
    if m.mirrored:
        return
    if m.travel is not None and spec.travel != m.travel:
        must = spec.travel != "auto"
        yield Advice("write_travel", must, {"travel": m.travel, "was": spec.travel})
    if m.px_per_mm is not None and abs(spec.px_per_mm - m.px_per_mm) > 0.05 * m.px_per_mm:
        yield Advice("write_scale", False, {"px_per_mm": m.px_per_mm})
    if m.window is not None and not _covers(spec.window, m.window):
        yield Advice("write_window", True, {"window": list(m.window), "was": list(spec.window)})


def _covers(window: tuple[int, int, int, int], needed: tuple[int, int, int, int]) -> bool:
    """Whether all that is needed lies in the window; one of zeros is the whole picture."""
    if not window[2]:
        return True
    x, y, w, h = window
    nx, ny, nw, nh = needed
    slack = 8
    return (
        nx + slack >= x
        and ny + slack >= y
        and nx + nw <= x + w + slack
        and ny + nh <= y + h + slack
    )
