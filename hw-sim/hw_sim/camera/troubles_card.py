"""Troubles of the card and the hand that draws it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from hw_sim.camera.backs import CUT_COLOURS
from hw_sim.camera.design import CARD_MM
from hw_sim.camera.draws import Draw, Pass, Reach
from hw_sim.camera.faces import FACES
from hw_sim.camera.hands import GLOVES, SKINS, Limb, finger, hand
from hw_sim.camera.motion import Path, part_of, slide, there_and_back
from hw_sim.camera.optics import mapped
from hw_sim.camera.stock import Print
from hw_sim.codes import VirtualCard
from hw_sim.faults import Fault

Params = Mapping[str, int | str]
When = Literal["now", "draw"]
CONFUSABLE = (("6", "9"), ("3", "8"), ("J", "K"), ("A", "J"), ("5", "6"), ("Q", "9"))
_SUITS = (("H", "D"), ("C", "S"))
Apply = Callable[[Draw, random.Random, Params], None]
TROUBLES: dict[str, tuple[Fault, Apply]] = {}


def _number(params: Params, name: str) -> int:
    return int(params[name])


# So often another deck is drawn; without {deck} and {set} a code is always the same.
_TRIES = 100


def _add(
    name: str, doc: str, *, when: When = "draw", **params: tuple[object, str]
) -> Callable[[Apply], Apply]:
    def put(apply: Apply) -> Apply:
        TROUBLES[name] = (Fault(doc, when, dict(params)), apply)
        return apply

    return put


def other_face(face: str, rng: random.Random) -> str:
    """Another face by seed."""
    return rng.choice([one for one in FACES if one != face])


def another(draw: Draw, face: str, rng: random.Random) -> Print:
    """A card of that face printed as the one it is about, but not the same: its code is another,
    where codes tell two cards of one face apart.
    """
    print_ = draw.card.print
    text = ""
    for _ in range(_TRIES if print_.text else 0):
        text = draw.code_of(VirtualCard(face, rng.randint(1, 8), rng.choice("AB")))
        if text != print_.text:
            break
    return replace(print_, kind="card", face=face, text=text)


def _nothing_read(draw: Draw, what: str, print_: Print) -> None:
    draw.card = replace(draw.card, print=print_)
    draw.expected, draw.left = [], [what]


# --- how it passes ----------------------------------------------------------------------------


@_add("fast", "a very fast card", mm_s=(1200, "its speed, mm/s"))
def _fast(draw: Draw, rng: random.Random, params: Params) -> None:
    speed = max(1, _number(params, "mm_s"))
    draw.card = replace(draw.card, path=slide(draw.card.path.length, speed))


@_add(
    "slow",
    "a card that creeps and rests half way",
    mm_s=(60, "its speed, mm/s"),
    ms=(600, "milliseconds it rests"),
)
def _slow(draw: Draw, rng: random.Random, params: Params) -> None:
    speed, half = max(1, _number(params, "mm_s")), draw.card.path.length / 2
    rest = _number(params, "ms") / 1000
    legs = ((half / speed, speed, speed), (rest, 0.0, 0.0), (half / speed, speed, speed))
    draw.card = replace(draw.card, path=Path(legs))


@_add(
    "rests",
    "it is drawn part of the way, rests there, and is drawn on",
    percent=(50, "of the way"),
    ms=(1500, "milliseconds it rests"),
)
def _rests(draw: Draw, rng: random.Random, params: Params) -> None:
    one = draw.card
    whole, speed = one.path.length, one.path.at(one.path.seconds / 2)[1]
    first = whole * max(1, min(99, _number(params, "percent"))) / 100
    legs = ((first / speed, speed, speed), (_number(params, "ms") / 1000, 0.0, 0.0))
    draw.card = replace(one, path=Path((*legs, ((whole - first) / speed, speed, speed))))


@_add("shift", "it passes off its way, partly outside the window", mm=(9, "how far"))
def _shift(draw: Draw, rng: random.Random, params: Params) -> None:
    track, off = draw.card.track, _number(params, "mm")
    moved = replace(track, beside=track.beside + rng.choice((-1, 1)) * off)
    draw.card = replace(draw.card, track=moved)


@_add("rotation", "it passes askew", degrees=(12, "how far it is turned"))
def _rotation(draw: Draw, rng: random.Random, params: Params) -> None:
    turn = rng.choice((-1, 1)) * _number(params, "degrees")
    draw.card = replace(draw.card, degrees=draw.card.degrees + turn)


@_add("upside_down", "it lies the other way round in the shoe")
def _upside_down(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.card = replace(draw.card, degrees=draw.card.degrees + 180)


@_add(
    "pushed_back",
    "half drawn, pushed back, then drawn",
    percent=(45, "how far it comes out"),
    ms=(250, "milliseconds it rests there"),
)
def _pushed_back(draw: Draw, rng: random.Random, params: Params) -> None:
    whole = draw.card.path
    _half_out(draw, params)
    draw.card = replace(draw.card, path=Path((*draw.card.path.legs, (0.25, 0.0, 0.0), *whole.legs)))


@_add(
    "half_drawn",
    "half drawn, pushed back, and it stays in",
    percent=(45, "how far it comes out"),
    ms=(250, "milliseconds it rests there"),
)
def _half_drawn(draw: Draw, rng: random.Random, params: Params) -> None:
    _half_out(draw, params)
    draw.second = draw.second or draw.card.print.face
    draw.expected, draw.left = [], []


def _half_out(draw: Draw, params: Params) -> None:
    one = draw.card
    length = one.track.way(draw.look.optics) * _number(params, "percent") / 100
    speed = max(120.0, one.path.at(one.path.seconds / 2)[1])
    draw.card = replace(one, path=there_and_back(length, speed, _number(params, "ms") / 1000))


# --- what passes ------------------------------------------------------------------------------


@_add("back", "it passes face down")
def _back(draw: Draw, rng: random.Random, params: Params) -> None:
    _nothing_read(draw, "back", replace(draw.card.print, kind="back", text=""))


@_add("joker", "a joker was left in the shoe")
def _joker(draw: Draw, rng: random.Random, params: Params) -> None:
    _nothing_read(draw, "joker", replace(draw.card.print, kind="joker", text=""))


@_add("cut_card", "the cut card passes: plastic of one colour")
def _cut_card(draw: Draw, rng: random.Random, params: Params) -> None:
    cut = replace(draw.card.print, kind="cut", text="", face="", colour=rng.choice(CUT_COLOURS))
    _nothing_read(draw, "cut", cut)


@_add("cut_code", "the cut card passes, with a code printed on it")
def _cut_code(draw: Draw, rng: random.Random, params: Params) -> None:
    card = VirtualCard("", 0, "A")
    printing = draw.card.print.printing
    if printing.symbology == "none":
        printing = replace(printing, symbology="code128")
    pale = ((250, 250, 250), (160, 230, 245), (170, 235, 190))
    cut = replace(
        draw.card.print,
        kind="cut",
        face="",
        colour=rng.choice(pale),
        text=card.code,
        printing=printing,
    )
    _nothing_read(draw, "cut", cut)


@_add("misprinted", "its code is another card's")
def _misprinted(draw: Draw, rng: random.Random, params: Params) -> None:
    print_ = draw.card.print
    printing = print_.printing
    if printing.symbology == "none":
        printing = replace(printing, symbology="code128")
    code = draw.code_of(VirtualCard(other_face(print_.face, rng), 1, "A"))
    draw.card = replace(draw.card, print=replace(print_, text=code, printing=printing))
    draw.expected = []


@_add("empty", "nothing passes: the shoe is empty")
def _empty(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.passes, draw.expected, draw.left, draw.second = [], [], [], ""


@_add("confusable", "a card that is easily taken for another, now and then upside down")
def _confusable(draw: Draw, rng: random.Random, params: Params) -> None:
    pair, suit = rng.choice(CONFUSABLE), rng.choice(rng.choice(_SUITS))
    face = rng.choice(pair) + suit
    turned = 180 if rng.random() < 0.5 else 0
    draw.card = replace(
        draw.card, print=another(draw, face, rng), degrees=draw.card.degrees + turned
    )
    draw.expected, draw.left = [face], [face]


@_add(
    "same_again", "another card of the same face comes next", ms=(250, "milliseconds between them")
)
def _same_again(draw: Draw, rng: random.Random, params: Params) -> None:
    _next(draw, another(draw, draw.card.print.face, rng), _number(params, "ms") / 1000)


@_add("again", "the very same card passes once more", ms=(700, "milliseconds between"))
def _again(draw: Draw, rng: random.Random, params: Params) -> None:
    _next(draw, draw.card.print, _number(params, "ms") / 1000)


def _next(draw: Draw, print_: Print, pause_s: float) -> None:
    one = draw.card
    draw.passes.append(replace(one, print=print_, start_s=one.end_s + pause_s))
    draw.expected.append(print_.face)
    draw.left.append(print_.face)


@_add("two_behind", "two cards, one right behind the other", mm=(3, "millimetres between them"))
def _two_behind(draw: Draw, rng: random.Random, params: Params) -> None:
    one, gap = draw.card, _number(params, "mm")
    face = other_face(one.print.face, rng)
    draw.passes.append(_behind(one, another(draw, face, rng), gap))
    draw.expected.append(face)
    draw.left.append(face)


def _behind(one: Pass, print_: Print, gap_mm: float) -> Pass:
    """The card after it, at the same speed."""
    along = 0 if one.track.axis == "x" else 1
    back = CARD_MM[along] + gap_mm
    speed = max(1.0, one.path.at(one.path.seconds)[1] or one.path.legs[-1][2])
    path = Path((*one.path.legs, (back / speed, speed, speed)))
    return replace(one, print=print_, path=path, begin_mm=one.begin_mm - back)


@_add(
    "two_overlapped",
    "two cards at once, one on the other: only the upper one is seen",
    mm=(2, "how far the lower one sticks out"),
)
def _two_overlapped(draw: Draw, rng: random.Random, params: Params) -> None:
    one, off = draw.card, _number(params, "mm")
    face = other_face(one.print.face, rng)
    under = replace(
        one,
        print=another(draw, face, rng),
        begin_mm=one.begin_mm - off,
        degrees=one.degrees + rng.uniform(-1.5, 1.5),
    )
    draw.passes.insert(0, under)
    draw.main += 1
    draw.card = replace(one, shadow=True)
    draw.left.append(face)


@_add(
    "following",
    "the next card comes along part of the way, and stays in",
    mm=(34, "how far it comes"),
)
def _following(draw: Draw, rng: random.Random, params: Params) -> None:
    follow(draw, other_face(draw.card.print.face, rng), _number(params, "mm"), rng)


def follow(draw: Draw, face: str, reach_mm: float, rng: random.Random) -> None:
    """The next card is dragged along behind the drawn one so far, and rests there."""
    one = draw.card
    along = 0 if one.track.axis == "x" else 1
    begin = one.begin_mm - CARD_MM[along] - rng.uniform(1, 14)
    path = part_of(one.path, max(0.0, reach_mm - begin))
    after = replace(
        one,
        print=another(draw, face, rng),
        path=path,
        begin_mm=begin,
        degrees=one.degrees + rng.uniform(-1, 1),
    )
    draw.passes.append(after)
    draw.second = face


# --- the hand ---------------------------------------------------------------------------------


def _tone(params: Params, rng: random.Random) -> str:
    wanted = str(params.get("tone", ""))
    if wanted in (*SKINS, *GLOVES):
        return wanted
    return rng.choice([*GLOVES] if wanted == "glove" else [*SKINS])


_TONE = ("", f"{', '.join((*SKINS, *GLOVES))}; glove: any; else by seed")


@_add(
    "finger_index",
    "a finger on the index, going along with the card",
    percent=(60, "how much of it"),
    tone=_TONE,
)
def _finger_index(draw: Draw, rng: random.Random, params: Params) -> None:
    at = 3.5 + 5.0 * (1 - _number(params, "percent") / 100)
    _riding(draw, (at, 3.0 + at), rng, params, both=True)


@_add(
    "finger_code",
    "a finger on the code, going along with the card",
    percent=(40, "how much of it"),
    tone=_TONE,
)
def _finger_code(draw: Draw, rng: random.Random, params: Params) -> None:
    _riding(
        draw, (52.0 - 14 * (1 - _number(params, "percent") / 100) + 6, 5.0), rng, params, both=False
    )


def _riding(
    draw: Draw, at: tuple[float, float], rng: random.Random, params: Params, *, both: bool
) -> None:
    """A finger over a place of the card, mm, that moves as it does; at both its ends if wanted."""
    one, optics = draw.card, draw.look.optics
    middle = one.start_s + one.path.seconds / 2
    gone, speed = one.at(middle)
    pose_ = one.track.pose(optics, gone, one.degrees)
    vx, vy = one.track.speed(speed)
    tone, seed = _tone(params, rng), rng.randrange(1 << 30)
    width = rng.uniform(14, 18)
    limbs: list[Limb] = []
    for turned in (False, True) if both else (False,):
        place = (CARD_MM[0] - at[0], CARD_MM[1] - at[1]) if turned else at
        x, y = (float(v) for v in mapped(pose_, np.array([place]))[0])
        heading = rng.uniform(-30, 30) + (0 if x > 0 else 180)
        limbs += finger((x, y), heading, width, 110)
    # Where it is at the draw's start, so that it lies right at the middle of the way.
    moved = tuple(
        ((p[0] - vx * middle, p[1] - vy * middle), (q[0] - vx * middle, q[1] - vy * middle), r)
        for p, q, r in limbs
    )
    draw.reaches.append(Reach(moved, tone, one.start_s, one.end_s, (vx, vy), seed))


@_add("finger", "a finger lies at the window's edge", tone=_TONE)
def _finger(draw: Draw, rng: random.Random, params: Params) -> None:
    wide, high = draw.look.optics.field_mm()
    side = rng.choice((-1, 1))
    tip = (rng.uniform(-0.35, 0.35) * wide, side * rng.uniform(0.05, 0.3) * high)
    limbs = finger(tip, 90 * side + rng.uniform(-25, 25), rng.uniform(12, 17), 100)
    draw.reaches.append(
        Reach(tuple(limbs), _tone(params, rng), -1.0, 999.0, seed=rng.randrange(1 << 30))
    )


@_add("hand", "a whole hand over the window while the card passes", tone=_TONE)
def _hand(draw: Draw, rng: random.Random, params: Params) -> None:
    _lay_hand(draw, rng, params)
    draw.expected = []


@_add(
    "hand_only",
    "a hand over the window, and no card",
    when="now",
    tone=_TONE,
    ms=(1500, "milliseconds"),
)
def _hand_only(draw: Draw, rng: random.Random, params: Params) -> None:
    draw.passes, draw.expected, draw.left, draw.second = [], [], [], ""
    _lay_hand(draw, rng, params)
    draw.reaches[-1] = replace(draw.reaches[-1], from_s=0.0, to_s=_number(params, "ms") / 1000)


def _lay_hand(draw: Draw, rng: random.Random, params: Params) -> None:
    wide, high = draw.look.optics.field_mm()
    heading = rng.choice((0, 90, 180, 270)) + rng.uniform(-15, 15)
    across = abs(heading % 180 - 90) < 45
    depth = (high if across else wide) / 2
    a = math.radians(heading)
    tip = (-math.cos(a) * depth * 0.8, -math.sin(a) * depth * 0.8)
    limbs = hand(tip, heading, rng.uniform(0.9, 1.05))
    end = draw.seconds + 0.1
    draw.reaches.append(
        Reach(tuple(limbs), _tone(params, rng), -0.2, end, seed=rng.randrange(1 << 30))
    )
