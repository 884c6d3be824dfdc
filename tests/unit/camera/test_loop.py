"""The reader's loop: which pictures are looked at, what is told, and what a fault of ours costs."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

from drivers.camera.grabber import Grabbed, look_at
from drivers.camera.process import Failpoint, Loop
from drivers.camera.sight import Figures, Frame, Travel
from drivers.camera.sources.base import Shot, SourceError
from drivers.camera.watchdog import Look
from drivers.catalog import spec_of
from drivers.kinds.camera import CameraSpec
from drivers.protocols import camera_lines as c

MS = 1_000_000
LIVE, SAME, BLACK = Look(60, 20), Look(60, 20, same=True), Look(1, 0)


def spec(**settings: object) -> CameraSpec:
    raw = {"name": "shoe", "kind": "camera", "port": "virtual:/run/x.sock", "fps": 50, **settings}
    made = spec_of(raw)
    assert isinstance(made, CameraSpec)
    return made


@dataclass
class Pictures:
    """What the loop takes, and its clock."""

    now_ns: int = 1_000_000 * MS
    waiting: deque[Grabbed] = field(default_factory=deque)
    failed: SourceError | None = None

    def take(self, wait_s: float) -> Grabbed:
        if not self.waiting and self.failed is not None:
            raise self.failed
        return self.waiting.popleft() if self.waiting else Grabbed()

    def clock(self) -> int:
        return self.now_ns


class Eyes:
    """Who looks: says what he is told to, by the picture's number."""

    made = 0

    def __init__(self, says: dict[int, tuple[c.Event, ...] | Exception]) -> None:
        type(self).made += 1
        self._says = says
        self.seen: list[int | str] = []
        self.figures: Figures | None = Figures(60, 20, 0.01, 1.5)
        self.empty = True
        self.trouble = ""
        self.travel: Travel | None = None

    def frame(self, frame: Frame) -> tuple[c.Event, ...]:
        self.seen.append(frame.number)
        said = self._says.get(frame.number, ())
        if isinstance(said, Exception):
            raise said
        return said

    def keep(self, on: bool) -> None:
        """It keeps none."""

    def interrupted(self) -> tuple[c.Event, ...]:
        self.seen.append("gap")
        return ()

    def finish(self) -> tuple[c.Event, ...]:
        self.seen.append("end")
        return ()


class Bench:
    """A loop, its pictures, who looks, and what was said."""

    def __init__(
        self, says: dict[int, tuple[c.Event, ...] | Exception] | None = None, **settings: object
    ) -> None:
        self.pictures = Pictures()
        self.eyes: list[Eyes] = []
        self.said: list[c.Up] = []
        self.reading = True
        self.ended = False
        self.number = 0

        def maker(_: CameraSpec) -> Eyes:
            self.eyes.append(Eyes(says or {}))
            return self.eyes[-1]

        self.loop = Loop(
            spec(**settings),
            self.pictures,
            maker,
            self.said.append,
            clock=self.pictures.clock,
            reading=lambda: self.reading,
            over=lambda: self.ended,
        )

    def show(self, count: int, look: Look = LIVE, *, old_ms: int = 0, every_ms: int = 20) -> None:
        for _ in range(count):
            self.number += 1
            self.pictures.now_ns += every_ms * MS
            at_ns = self.pictures.now_ns - old_ms * MS
            frame = Frame(self.number, np.zeros((2, 2, 3), np.uint8), at_ns)
            self.pictures.waiting.append(Grabbed(Shot(frame), look))
            self.loop.step()

    def nothing(self, ms: int) -> None:
        for _ in range(ms // 100):
            self.pictures.now_ns += 100 * MS
            self.loop.step()

    def seen(self) -> list[int | str]:
        """What was looked at since the last time, by whoever."""
        seen = [one for eyes in self.eyes for one in eyes.seen]
        for eyes in self.eyes:
            eyes.seen.clear()
        return seen

    def told(self, kind: type[c.Up]) -> list[c.Up]:
        return [one for one in self.said if isinstance(one, kind)]


def ready(**settings: object) -> Bench:
    bench = Bench(**settings)  # type: ignore[arg-type]
    bench.show(10)
    assert bench.told(c.Ready)
    bench.seen()
    return bench


def test_the_first_picture_looked_at_comes_after_a_gap() -> None:
    bench = Bench()
    bench.show(10)
    assert bench.seen() == ["gap", 5, 6, 7, 8, 9, 10], "four to warm up"


def test_ready_is_said_once_when_the_camera_sees() -> None:
    bench = Bench()
    bench.show(20, BLACK)
    assert not bench.said
    bench.show(20)
    assert [type(one) for one in bench.said] == [c.Ready]


def test_a_short_lack_of_pictures_is_no_gap_and_a_long_one_is() -> None:
    bench = ready()
    bench.nothing(400)
    bench.show(1)
    bench.nothing(700)
    bench.show(1)
    assert bench.seen() == [11, "gap", 12]


@pytest.mark.parametrize("look", [SAME, BLACK, Look(60, 20, stood=True)])
def test_what_is_not_new_and_lit_is_not_looked_at_and_makes_a_gap(look: Look) -> None:
    bench = ready()
    bench.show(40, look)
    bench.show(2)
    assert bench.seen() == ["gap", 51, 52]


def test_an_old_picture_is_never_used() -> None:
    bench = ready()
    bench.show(60, old_ms=251)
    assert bench.seen() == []
    bench.show(2, old_ms=249)
    assert bench.seen() == ["gap", 71, 72]
    notes = [one for one in bench.told(c.Remark) if isinstance(one, c.Remark)]
    assert [note.code for note in notes] == ["stale"]


def test_with_reading_off_nothing_is_looked_at_and_nothing_is_wrong() -> None:
    bench = ready()
    bench.reading = False
    bench.show(1000)
    assert bench.seen() == []
    assert not bench.told(c.Fault)
    bench.reading = True
    bench.show(1)
    assert bench.seen() == ["gap", 1011]


def test_a_fault_of_ours_is_one_card_not_read_and_the_next_is_looked_at_afresh() -> None:
    read = c.Read(face="KH", by=("index",))
    bench = Bench({20: ValueError("ours"), 22: (read,)})
    bench.show(21)
    assert len(bench.eyes) == 2
    (fault,), (missed,) = bench.told(c.Fault), bench.told(c.Missed)
    assert isinstance(fault, c.Fault)
    assert isinstance(missed, c.Missed)
    assert (fault.code, missed.reason) == ("internal", "unread")
    assert "ValueError('ours')" in fault.detail
    assert bench.seen()[-2:] == ["gap", 21]
    bench.show(200)
    assert bench.told(c.Read) == [read]
    assert bench.told(c.FaultOver) == [c.FaultOver(code="internal")]


def test_a_fault_at_every_picture_is_told_once_not_each_time() -> None:
    bench = Bench({number: ValueError("ours") for number in range(10, 200)})
    bench.show(190)
    assert len(bench.told(c.Fault)) == len(bench.told(c.Missed)) == 1


def test_a_hand_that_stays_is_told_by_the_watchdog() -> None:
    bench = Bench({20: (c.Presence(edge="hand"),), 400: (c.Presence(edge="hand_gone"),)})
    bench.show(450)
    codes = [one.code for one in bench.said if isinstance(one, c.Fault | c.FaultOver)]
    assert codes == ["blocked_view", "blocked_view"]


def test_figures_come_each_second_also_without_pictures() -> None:
    bench = ready()
    bench.show(100)
    bench.nothing(3000)
    figures = [one for one in bench.told(c.Numbers) if isinstance(one, c.Numbers)]
    assert len(figures) == 5
    assert (figures[1].fps, figures[1].light, figures[1].sharpness) == (50.0, 60, 1.5)
    assert figures[-1].fps == 0


def test_pictures_that_cannot_be_kept_are_a_trouble_until_they_can() -> None:
    bench = ready()
    bench.eyes[-1].trouble = "No space left on device"
    bench.show(120)
    bench.eyes[-1].trouble = ""
    bench.show(120)
    assert [one.code for one in bench.said if isinstance(one, c.Fault | c.FaultOver)] == [
        "evidence_failed",
        "evidence_failed",
    ]


def test_a_film_that_ends_is_finished_and_is_no_fault() -> None:
    bench = ready(port="file:/film.mp4")
    bench.ended = True
    bench.nothing(20_000)
    assert bench.seen() == ["end"]
    assert not bench.told(c.Fault)
    assert len(bench.told(c.Remark)) == 1


def test_a_lost_camera_ends_the_loop() -> None:
    bench = ready()
    bench.pictures.failed = SourceError("unplugged", 24)
    with pytest.raises(SourceError, match="unplugged"):
        bench.loop.step()


def test_settings_of_a_deck_that_is_none_end_it_before_it_begins() -> None:
    def maker(_: CameraSpec) -> Eyes:
        raise ValueError("deck /x: no deck was shown to it")

    with pytest.raises(ValueError, match="no deck was shown"):
        Loop(spec(), Pictures(), maker, print, clock=lambda: 0)


# --- pictures as they come -----------------------------------------------------------------


def test_the_same_picture_is_known_bit_by_bit() -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(0, 255, (96, 128, 3), dtype=np.uint8)
    one = Shot(Frame(1, image), 1.0)
    assert not look_at(one, None).same
    assert look_at(Shot(Frame(2, image.copy()), 2.0), one).same
    other = image.copy()
    other[5, 5, 1] ^= 1  # none of the pixels that are compared first
    assert not look_at(Shot(Frame(2, other), 2.0), one).same
    assert look_at(Shot(Frame(2, other), 1.0), one).stood
    assert not look_at(Shot(Frame(2, image[:48]), 2.0), one).same


# --- dying on purpose ------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["abort", "abort:", "abort:x", "die:3", ":3", "abort:-1"])
def test_a_failpoint_that_does_not_exist_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="failpoint"):
        Failpoint(wrong)


def test_a_failpoint_is_reached_once_in_the_life_of_a_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    died: list[str] = []
    monkeypatch.setattr(os, "abort", lambda: died.append("abort"))
    first = Failpoint("abort:5")
    for number in (3, 4, 7):
        first.reached(number)
    assert died == ["abort"]
    again = Failpoint("abort:5")
    for number in (8, 9, 10):
        again.reached(number)
    Failpoint("").reached(5)
    assert died == ["abort"]


# --- memory ----------------------------------------------------------------------------------


def test_memory_is_given_back_while_the_window_is_empty_and_not_more_often_than_needed() -> None:
    bench = Bench()
    given: list[int] = []
    bench.loop = Loop(
        spec(),
        bench.pictures,
        lambda _: bench.eyes[-1],
        bench.said.append,
        clock=bench.pictures.clock,
        tidy=lambda: given.append(bench.number),
    )
    bench.eyes[-1].empty = False
    bench.show(1000)
    assert not given, "a card is in the window, and is not kept waiting"
    bench.eyes[-1].empty = True
    bench.show(1000)
    assert len(given) == 2, "at once, and after ten seconds"
    bench.eyes[-1].empty = False
    bench.show(4000)
    assert len(given) == 3, "in a window that is never empty once a minute"
