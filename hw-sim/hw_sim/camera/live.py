"""A camera that runs: cards are put before it when they are drawn, frames come out by the clock.

No I/O and no clock of its own: times are nanoseconds of CLOCK_MONOTONIC and given to it. Between
cards it shows the empty window, whose frames are rendered once and then shown in any order.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hw_sim.camera import stream
from hw_sim.camera.cv import Image
from hw_sim.camera.design import Design
from hw_sim.camera.draws import Draw, Glitch, Pass
from hw_sim.camera.faces import FACES
from hw_sim.camera.motion import Path, Track, part_of, slide, there_and_back
from hw_sim.camera.scene import Look
from hw_sim.camera.stock import Artwork, Print
from hw_sim.camera.symbols import Printing
from hw_sim.camera.troubles import trouble
from hw_sim.camera.window import Glitches, Shot, Studio, Window, damage, encode

_NS = 1_000_000_000
_IDLE = 24
# One face is drawn ahead every so many empty frames.
_AHEAD = 3
_PUSH = 250.0
# So long a card is held in the window to be read again.
_HELD_S = 0.4


@dataclass(frozen=True)
class Setting:
    """How it is set up. `speed`: of the cards, mm/s; `gap_s`: seconds between two cards at least;
    `raw`: frames go out as BGR. `printing`: of the cards' codes.
    """

    look: Look
    track: Track
    design: Design
    printing: Printing
    speed: float = 350.0
    gap_s: float = 0.12
    raw: bool = False
    seed: int = 0


@dataclass
class _Lasting:
    name: str
    params: dict[str, object]
    until_ns: int | None


class Live:
    """One running camera."""

    def __init__(self, setting: Setting, artwork: Artwork | None = None) -> None:
        self._setting = setting
        self._studio = Studio(artwork)
        self._rng = random.Random(f"live/{setting.seed}")
        self._queue: list[Draw] = []
        self._window: Window | None = None
        self._begun_ns = 0
        self._ended_ns = 0
        self._free_ns = 0
        self._lasting: list[_Lasting] = []
        self._glitches: list[Glitch] = []
        self._faulty = Glitches(setting.seed)
        self._idle: tuple[Look, list[bytes]] | None = None
        self._last_idle = -1
        self._rest = b""
        self._next_ns = 0
        self._zero_ns = 0
        self.number = 0

    # --- what happens before it -------------------------------------------------------------

    def start(self, now_ns: int, warm_up_s: float = 0.3) -> None:
        """It is switched on: dark at first. Cards that were on their way are gone; one that rests
        in the window still lies there.
        """
        self._queue.clear()
        if not self._rest_left(now_ns):
            self._window = None
        self._rest = b""
        self._next_ns, self.number = now_ns, 0
        self._zero_ns = self._ended_ns = self._free_ns = now_ns
        self._faulty = Glitches(self._setting.seed)
        self._glitches = [Glitch("warm_up", 0.0, warm_up_s)] if warm_up_s > 0 else []

    def show(
        self,
        print_: Print,
        now_ns: int,
        fault: str = "",
        params: Mapping[str, object] | None = None,
        *,
        held_in: bool = False,
    ) -> None:
        """A card passes as soon as the one before is out of the way, with or without a trouble of
        the card's. A glitch that began in this moment strikes when it is in the middle. `held_in`:
        it is not drawn but held into the window from the table's side.
        """
        one = self._setting
        way, speed = one.track.way(one.look.optics), one.speed * self._rng.uniform(0.8, 1.2)
        track, path = one.track, slide(way, speed, 0.3)
        if held_in:
            track = replace(track, sign=-track.sign)
            path = there_and_back(way / 2, speed, _HELD_S)
        lean = self._rng.gauss(0, 1.0)
        draw = Draw(self._look(now_ns), [Pass(print_, track, path, degrees=lean)])
        draw.expected = [print_.face]
        if fault:
            trouble(draw, fault, self._rng, params)
        for index, moved in enumerate(draw.passes):
            draw.passes[index] = _back_inside(moved, draw.look)
        if not self.busy:
            self._free_ns = max(now_ns, self._ended_ns + int(one.gap_s * _NS))
        middle = (self._free_ns - self._zero_ns) / _NS + draw.middle_s
        at = (now_ns - self._zero_ns) / _NS
        self._glitches = [
            replace(g, from_s=middle, to_s=middle + g.to_s - g.from_s) if g.from_s == at else g
            for g in self._glitches
        ]
        self._queue.append(draw)
        self._free_ns += int((draw.seconds + one.gap_s) * _NS)

    def trouble(self, name: str, params: Mapping[str, object], now_ns: int) -> None:
        """Something of the light, the lens, the camera or its line, from now on."""
        draw = Draw(self._setting.look)
        trouble(draw, name, random.Random(self._setting.seed), params)
        at = (now_ns - self._zero_ns) / _NS
        if draw.reaches:
            self._queue.append(draw)
            return
        if draw.glitches:
            for glitch in draw.glitches:
                lasts = glitch.to_s - max(0.0, glitch.from_s)
                other = self._other() if name == "torn" else None
                self._glitches.append(replace(glitch, from_s=at, to_s=at + lasts, other=other))
            return
        ms = params.get("ms")
        until = now_ns + ms * 1_000_000 if isinstance(ms, int) else None
        self._lasting = [one for one in self._lasting if one.name != name]
        self._lasting.append(_Lasting(name, dict(params), until))

    def draw_on(self, now_ns: int) -> None:
        """Whoever let a card rest in the window goes on with it."""
        self._begun_ns -= int(self._rest_left(now_ns) * _NS)

    def put_back(self, now_ns: int) -> None:
        """Whoever let a card rest in the window pushes it back into the shoe."""
        if self._window is None or not self._rest_left(now_ns):
            return
        one = self._window.draw.card
        t = (now_ns - self._begun_ns) / _NS - one.start_s
        gone, _ = one.at(one.start_s + t)
        legs = (*part_of(one.path, gone - one.begin_mm).legs, (max(0.01, t), 0.0, 0.0))
        self._begun_ns = now_ns - int((one.start_s + Path(legs).seconds) * _NS)
        self._window.draw.card = replace(
            one, path=Path((*legs, (gone / _PUSH + 0.1, -_PUSH, -_PUSH)))
        )

    def jump(self, by: int) -> None:
        """The count of the frames leaps ahead."""
        self.number += by

    def clear(self) -> None:
        """What lasts is over."""
        self._lasting.clear()
        self._glitches.clear()

    @property
    def troubles(self) -> list[str]:
        """Those that are at work, by name."""
        return sorted({one.name for one in self._lasting} | {one.kind for one in self._glitches})

    @property
    def busy(self) -> bool:
        """Whether a card is before it or about to come."""
        return bool(self._queue) or self._window is not None

    @property
    def rests(self) -> bool:
        """Whether a card lay still in the window when the last frame was taken."""
        step = int(_NS / self._setting.look.sensor.fps)
        return self._rest_left(self._next_ns - step) > 0

    def _rest_left(self, now_ns: int) -> float:
        if self._window is None:
            return 0.0
        one = self._window.draw.card
        return one.path.rest_left((now_ns - self._begun_ns) / _NS - one.start_s)

    # --- what comes out ---------------------------------------------------------------------

    @property
    def next_ns(self) -> int:
        """When the next frame is due."""
        return self._next_ns

    def frame(self, now_ns: int) -> bytes:
        """The frame that is due, as it goes over the socket; b"" when none comes. Frames that were
        missed are left out, and their numbers too; a card waits for whoever comes late, so that a
        busy machine shows as much of it as another.
        """
        if now_ns < self._next_ns:
            return b""
        step = int(_NS / self._setting.look.sensor.fps)
        at_ns = self._next_ns
        late = (now_ns - at_ns) // step
        at_ns += late * step
        self.number += late + 1
        if self._window is not None and late > 1:
            self._begun_ns += late * step
        self._next_ns = at_ns + step
        return self._at(at_ns)

    def _at(self, at_ns: int) -> bytes:
        t = (at_ns - self._zero_ns) / _NS
        self._glitches = [glitch for glitch in self._glitches if glitch.to_s > t]
        stuck = any(g.kind == "blocked" and g.from_s <= t for g in self._glitches)
        if self._rest and not stuck:
            rest, self._rest = self._rest, b""
            return rest
        window = self._current(at_ns)
        if window is None and not any(glitch.from_s <= t for glitch in self._glitches):
            self._faulty.forget()
            return self._packed(self._idle_payload(at_ns), at_ns)
        if stuck:
            return self._half(window, at_ns)
        begun = self._begun_ns if window is not None else at_ns
        image, hurt = self._taken(window or self._empty(at_ns), t, (at_ns - begun) / _NS)
        if image is None:
            return b""
        payload = self._payload(image)
        if hurt and not self._setting.raw:
            payload = damage(payload, self._rng)
        return self._packed(payload, at_ns)

    def _taken(self, window: Window, t: float, in_draw: float) -> tuple[Image | None, bool]:
        def render(level: float, other: Print | None) -> Shot:
            # A tear that knows no other card shows another moment.
            return window.shot(in_draw, level, other)

        taken = self._faulty.take(t, self._glitches, render)
        return (None, False) if taken is None else (taken.image, taken.damaged)

    def _half(self, window: Window | None, at_ns: int) -> bytes:
        """The first half of a frame; the rest comes when the line is free again."""
        if self._rest:
            return b""
        shot = (window or self._empty(at_ns)).shot((at_ns - self._begun_ns) / _NS)
        whole = self._packed(self._payload(shot.image), at_ns)
        self._rest = whole[len(whole) // 2 :]
        return whole[: len(whole) // 2]

    def _current(self, at_ns: int) -> Window | None:
        """The draw that is before the camera."""
        if self._window is not None and (at_ns - self._begun_ns) / _NS > self._window.draw.seconds:
            self._window, self._ended_ns = None, at_ns
        ready = (at_ns - self._ended_ns) / _NS >= self._setting.gap_s
        if self._window is None and self._queue and ready:
            self._window, self._begun_ns = Window(self._queue.pop(0), self._studio), at_ns
        look = self._look(at_ns)
        if self._window is not None and self._window.draw.look != look:
            self._window.draw.look = look
            self._window = Window(self._window.draw, self._studio)
        return self._window

    def _empty(self, at_ns: int) -> Window:
        return Window(Draw(self._look(at_ns)), self._studio)

    def _idle_payload(self, at_ns: int) -> bytes:
        look = self._look(at_ns)
        if self._idle is None or self._idle[0] != look:
            self._idle = (look, [])
        payloads = self._idle[1]
        if len(payloads) < _IDLE:
            image = self._empty(at_ns).shot(0.0).image
            payloads.append(self._payload(image))
            self._last_idle = len(payloads) - 1
        else:
            self._last_idle = (self._last_idle + self._rng.randrange(1, _IDLE)) % _IDLE
            if self.number % _AHEAD == 0:
                self._studio.stock(look).draw_ahead(self._setting.design)
        return payloads[self._last_idle]

    def _payload(self, image: Image) -> bytes:
        one = self._setting
        return image.tobytes() if one.raw else encode(image, one.look.sensor.quality)

    def _packed(self, payload: bytes, at_ns: int) -> bytes:
        one = self._setting
        form = stream.RAW if one.raw else stream.JPEG
        return stream.packed(form, one.look.optics.size, self.number, at_ns, payload)

    # --- the look ---------------------------------------------------------------------------

    def _look(self, now_ns: int) -> Look:
        """The setting's look with what is wrong with it now."""
        self._lasting = [
            one for one in self._lasting if one.until_ns is None or one.until_ns > now_ns
        ]
        if not self._lasting:
            return self._setting.look
        draw = Draw(self._setting.look)
        for one in self._lasting:
            trouble(draw, one.name, random.Random(f"{self._setting.seed}/{one.name}"), one.params)
        return draw.look

    def _other(self) -> Print:
        """A card that is not the one before the camera."""
        one = self._setting
        return Print("card", one.design, self._rng.choice(FACES))


def _back_inside(one: Pass, look: Look) -> Pass:
    """A card that would lie in the window afterwards is pushed back into the shoe."""
    end = one.begin_mm + one.path.length
    if not 1 < end < one.track.way(look.optics) * 0.97:
        return one
    legs = (*one.path.legs, (0.3, 0.0, 0.0), ((end + 5) / _PUSH, -_PUSH, -_PUSH))
    return replace(one, path=Path(legs))
