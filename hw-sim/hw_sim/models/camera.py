"""`camera`: a camera that looks into the shoe's window. Its pieces are frames (`camera.stream`).

It hears nothing. A card that is drawn slides past it; codes are printed on the cards if wanted.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

from hw_sim.camera.design import CARD_MM, design_of
from hw_sim.camera.live import Live, Setting
from hw_sim.camera.motion import Axis, Track
from hw_sim.camera.optics import Optics
from hw_sim.camera.scene import Light, Look, Sensor
from hw_sim.camera.stock import Artwork, Print
from hw_sim.camera.symbols import (
    SYMBOLOGIES,
    Printing,
    check_fits,
    check_template,
    corner,
    text_of,
)
from hw_sim.camera.troubles import FAULTS
from hw_sim.codes import CodeError, OtherCode, VirtualCard
from hw_sim.faults import Fault
from hw_sim.models.base import Piece

# Troubles that would change which cards come, and how many, or that the plug does already.
_NOT_LIVE = frozenset(
    {
        "confusable",
        "cut_card",
        "cut_code",
        "empty",
        "gone",
        "half_drawn",
        "joker",
        "same_again",
        "two_behind",
        "two_overlapped",
    }
)
# What people and scenarios ask of any shoe, as it is done before a camera.
_ALIASES: dict[str, tuple[str, Fault]] = {
    "no_read": ("back", Fault("the card passes face down", "draw")),
    "double_read": (
        "pushed_back",
        Fault(
            "half drawn, pushed back, then drawn",
            "draw",
            {"ms": (250, "milliseconds it rests there")},
        ),
    ),
}
# What is done to it beside the troubles there are.
_OWN = {
    "calm": Fault("troubles of light and lens are over, as with `clear`", "now"),
    "draw_on": Fault("a card that rests in the window is drawn on", "now"),
    "put_back": Fault("a card that rests in the window is pushed back into the shoe", "now"),
    "count_leaps": Fault(
        "the count of its pictures leaps ahead", "now", {"by": (1000, "pictures")}
    ),
}
_MS_NS = 1_000_000


def _live_faults(strangers: bool) -> dict[str, Fault]:
    faults = {name: fault for name, fault in FAULTS.items() if strangers or name not in _NOT_LIVE}
    return {**faults, **_OWN, **{name: fault for name, (_, fault) in _ALIASES.items()}}


class Camera:
    """One camera. `size` of its frames; `code`: what is printed on the cards (`none`, `code128`,
    `qr`, `datamatrix`), `place` and `module` (hundredths of a mm, 0: usual) of it, `template` of
    its text ("": as the shoe's own codes); `axis`: which way cards slide, `mount` of the camera in
    degrees; `mm_s`: how fast they are drawn; `faces`: a folder of another deck's faces; `raw`:
    frames are not compressed; `strangers`: also troubles that bring cards of no shoe. Raises
    CodeError for settings of no use.
    """

    kind = "camera"
    records = 0

    def __init__(
        self,
        size: str = "640x480",
        fps: int = 60,
        design: str = "standard",
        code: str = "none",
        place: str = "top",
        module: int = 0,
        template: str = "",
        axis: str = "x",
        mount: int = 0,
        mm_s: int = 350,
        faces: str = "",
        seed: int = 1,
        warm_up_ms: int = 300,
        raw: bool = False,
        strangers: bool = False,
    ) -> None:
        if code not in ("none", *SYMBOLOGIES):
            raise CodeError(f"code {code!r}: none, {', '.join(SYMBOLOGIES)}")
        if axis not in ("x", "y"):
            raise CodeError(f"axis {axis!r}: x or y")
        if not 1 <= fps <= 240 or mm_s < 20 or mount % 90:
            raise CodeError("fps 1 to 240, mm_s 20 or more, mount 0, 90, 180 or 270")
        corner(place)
        if template:
            check_template(template)
        self.faults = _live_faults(strangers)
        self._template = template
        self._warm_up_s = warm_up_ms / 1000
        look = _look(_sides(size), fps, mount, seed)
        try:
            designed = design_of(design)
        except ValueError as error:
            raise CodeError(str(error)) from None
        printing = Printing(code, module / 100, place=place)
        for card in (VirtualCard("QD", 8, "A"), VirtualCard("", 0, "A")):
            check_fits(self.text(card), printing)
        track = Track(cast("Axis", axis), 1, _beside(look.optics, axis))
        setting = Setting(look, track, designed, printing, float(mm_s), raw=raw, seed=seed)
        self._setting = setting
        self._live = Live(setting, Artwork(Path(faces)) if faces else None)

    def start(self, now_ms: int) -> list[Piece]:
        self._live.start(now_ms * _MS_NS, self._warm_up_s)
        return []

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        name, given = fault, dict(params or {})
        if fault in _ALIASES:
            name = _ALIASES[fault][0]
            given = {key: value for key, value in given.items() if key in FAULTS[name].params}
        self._live.show(self._print(card), now_ms * _MS_NS, name, given)
        return []

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        match fault:
            case "calm":
                self._live.clear()
            case "draw_on":
                self._live.draw_on(now_ms * _MS_NS)
            case "put_back":
                self._live.put_back(now_ms * _MS_NS)
            case "count_leaps":
                self._live.jump(int(str(params["by"])))
            case _:
                self._live.trouble(fault, params, now_ms * _MS_NS)
        return []

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        # What was drawn lies on the table: it is held in from there.
        self._live.show(self._print(card), now_ms * _MS_NS, held_in=True)
        return []

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        return []

    def tick(self, now_ms: int) -> list[Piece]:
        data = self._live.frame(now_ms * _MS_NS)
        return [Piece(0, data)] if data else []

    @property
    def wake_at_ms(self) -> int | None:
        return -(-self._live.next_ns // _MS_NS)

    @property
    def busy(self) -> bool:
        """Whether a card is before it or on its way."""
        return self._live.busy

    def state(self) -> dict[str, object]:
        window = "rests" if self._live.rests else "card" if self._live.busy else "empty"
        return {
            "frames": self._live.number,
            "window": window,
            "troubles": self._live.troubles,
        }

    def _print(self, card: VirtualCard) -> Print:
        one = self._setting
        coded = one.printing.symbology != "none"
        text = self.text(card) if coded else ""
        if card.cut:
            return Print("cut", one.design, text=text, printing=one.printing, lettered=not coded)
        return Print("card", one.design, card.face, text, one.printing)

    def text(self, card: VirtualCard) -> str:
        """The text of a card's code, where codes are printed."""
        if isinstance(card, OtherCode) or not self._template:
            return card.code
        return text_of(card, self._template)


def _sides(size: str) -> tuple[int, int]:
    wide, _, high = size.partition("x")
    numbers = wide.isdecimal() and high.isdecimal()
    if not (numbers and 160 <= int(wide) <= 4096 and 120 <= int(high) <= 4096):
        raise CodeError(
            f"size {size!r}: WIDTHxHEIGHT in px, such as 640x480, from 160x120 to 4096x4096"
        )
    return int(wide), int(high)


def _look(size: tuple[int, int], fps: int, mount: int, seed: int) -> Look:
    """A window as it is set up well."""
    optics = Optics(size, 9.0 * size[0] / 640, (1.2, -0.8), 0.3, mount % 360)
    light = Light(level=0.92, slope=(0.12, -0.08), fall=0.12)
    sensor = Sensor(fps=float(fps), exposure_s=0.0003, defocus=0.6 * size[0] / 640)
    return replace(Look(optics, light, sensor), seed=seed)


def _beside(optics: Optics, axis: str) -> float:
    wide, high = optics.field_mm()
    if axis == "x":
        return -high / 2 + 4.0 + CARD_MM[1] / 2
    return 0.0 if wide > CARD_MM[0] else (CARD_MM[0] - wide) / 2 + 2.0
