"""Whether the camera sees: each fault after it has lasted, over after it has been over, and never a
picture used that is not new, live and lit.
"""

from __future__ import annotations

import random

from drivers.camera.watchdog import Limits, Look, Watchdog
from drivers.protocols.camera_lines import Fault, FaultOver

MS = 1_000_000
FPS = 50
STEP_MS = 20
EMPTY, CARD, DARK, BLACK = Look(60, 20), Look(110, 60), Look(25, 12), Look(2, 1)


class Camera:
    """A watchdog and its clock."""

    def __init__(self, **limits: float) -> None:
        self.now_ns = 10_000 * MS
        self.dog = Watchdog(Limits(**{"fps": FPS, **limits}), self.now_ns)  # type: ignore[arg-type]
        self.told: list[str] = []
        self.used = 0

    def show(self, look: Look, ms: int, *, empty: bool = True, step_ms: int = STEP_MS) -> int:
        """So long; gives how many of the pictures may be looked at."""
        used = 0
        for _ in range(ms // step_ms):
            self.now_ns += step_ms * MS
            if self.dog.picture(look, self.now_ns, empty=empty):
                used += 1
                self.dog.looked_at(self.now_ns)
            self._tick()
        return used

    def nothing(self, ms: int) -> None:
        for _ in range(ms // STEP_MS):
            self.now_ns += STEP_MS * MS
            self._tick()

    def torn(self, count: int, whole_between: int = 0) -> None:
        for _ in range(count):
            self.now_ns += STEP_MS * MS
            self.dog.torn("Corrupt JPEG data", self.now_ns)
            self._tick()
            self.show(EMPTY, whole_between * STEP_MS)

    def ready(self) -> Camera:
        self.show(EMPTY, 500)
        assert self.dog.ready
        return self

    def _tick(self) -> None:
        self.dog.tick(self.now_ns)
        for event in self.dog.take():
            if isinstance(event, Fault):
                self.told.append(event.code)
            elif isinstance(event, FaultOver):
                self.told.append(f"{event.code} over")


def test_a_steady_camera_has_nothing_to_tell() -> None:
    camera = Camera().ready()
    assert camera.show(EMPTY, 60_000) == 3000
    assert camera.told == []


# --- warming up -----------------------------------------------------------------------------


def test_black_then_dark_frames_after_opening_are_warming_up() -> None:
    """Twenty black ones and ten dark ones that grow lighter: nothing is told or looked at."""
    camera = Camera()
    assert camera.show(BLACK, 20 * STEP_MS) == 0
    for light in range(15, 65, 5):
        assert camera.show(Look(light, 12), STEP_MS) == 0
    assert camera.show(EMPTY, STEP_MS) == 0
    assert camera.show(EMPTY, 10 * STEP_MS) > 0
    assert camera.told == []


def test_a_camera_that_stays_dark_but_steady_is_ready() -> None:
    camera = Camera()
    camera.show(DARK, 200)
    assert camera.dog.ready


def test_black_for_ever_is_a_clear_fault_after_the_warm_up() -> None:
    camera = Camera()
    camera.show(BLACK, 7980)
    assert (camera.dog.ready, camera.told) == (False, [])
    camera.show(BLACK, 2100)
    assert (camera.dog.ready, camera.told) == (True, ["black"])
    assert camera.show(EMPTY, 280) == 0
    assert camera.show(EMPTY, 100) > 0
    assert camera.told == ["black", "black over"]


def test_light_that_never_settles_does_not_keep_the_camera_away_for_ever() -> None:
    camera, rng = Camera(), random.Random(1)
    for _ in range(500):
        camera.show(Look(rng.choice((30.0, 120.0)), 20), STEP_MS)
    assert camera.dog.ready


# --- frozen, stalled, black -------------------------------------------------------------------


def test_the_same_picture_again_is_never_looked_at_and_told_after_two_seconds() -> None:
    camera = Camera().ready()
    frozen = Look(110, 60, same=True)
    assert camera.show(frozen, 1980, empty=False) == 0
    assert camera.told == []
    assert camera.show(frozen, 60_000, empty=False) == 0
    assert camera.told == ["frozen"]
    assert camera.show(CARD, 280, empty=False) == 0, "not at once"
    assert camera.show(CARD, 200, empty=False) > 0
    assert camera.told == ["frozen", "frozen over"]


def test_a_time_stamp_that_stands_still_is_a_frozen_camera_too() -> None:
    camera = Camera().ready()
    assert camera.show(Look(60, 20, stood=True), 3000) == 0
    assert camera.told == ["frozen"]


def test_a_picture_sent_twice_now_and_then_is_no_fault() -> None:
    camera = Camera().ready()
    for _ in range(500):
        camera.show(EMPTY, 2 * STEP_MS)
        assert camera.show(Look(60, 20, same=True), STEP_MS) == 0
    assert camera.told == []


def test_no_picture_for_two_seconds_is_told_and_over_when_they_come_again() -> None:
    camera = Camera().ready()
    camera.nothing(1980)
    assert camera.told == []
    camera.nothing(20_000)
    assert camera.told == ["stalled"]
    assert camera.show(EMPTY, 280) == 0
    camera.show(EMPTY, 100)
    assert camera.told == ["stalled", "stalled over"]


def test_one_picture_in_three_seconds_does_not_end_a_stall() -> None:
    camera = Camera().ready()
    for _ in range(5):
        camera.nothing(3000)
        assert camera.show(EMPTY, STEP_MS) == 0
    assert camera.told == ["stalled"]


def test_a_film_that_is_over_stalls_nowhere() -> None:
    camera = Camera(warm_up_ms=0).ready()
    camera.dog.end()
    camera.nothing(60_000)
    assert camera.told == []


def test_what_a_films_last_picture_shows_covers_nothing() -> None:
    camera = Camera(warm_up_ms=0).ready()
    camera.dog.hand(True, camera.now_ns)
    camera.dog.end()
    camera.nothing(60_000)
    assert camera.told == []


def test_a_dark_table_with_things_in_it_is_not_black() -> None:
    camera = Camera().ready()
    assert camera.show(Look(8, 25), 5000) == 250
    assert "black" not in camera.told


def test_a_short_black_is_not_looked_at_and_not_told() -> None:
    camera = Camera().ready()
    assert camera.show(BLACK, 1000) == 0
    assert camera.show(EMPTY, 1000) == 50
    assert camera.told == []


# --- torn, slow, covered, light ---------------------------------------------------------------


def test_torn_pictures_are_told_when_there_are_many_and_over_after_a_while() -> None:
    camera = Camera().ready()
    camera.torn(1)
    camera.show(EMPTY, 1000)
    camera.torn(1)
    assert camera.told == []
    camera.show(EMPTY, 1000)
    camera.torn(3, whole_between=3)
    assert camera.told == ["torn"]
    camera.torn(10, whole_between=3)
    camera.show(EMPTY, 2900)
    assert camera.told == ["torn"]
    camera.show(EMPTY, 200)
    assert camera.told == ["torn", "torn over"]


def test_a_camera_that_gives_less_than_a_third_is_slow() -> None:
    camera = Camera().ready()
    camera.show(EMPTY, 10_000, step_ms=40)
    assert camera.told == [], "half of what was asked is enough"
    camera.show(EMPTY, 10_000, step_ms=80)
    assert camera.told == ["slow"]
    camera.show(EMPTY, 10_000, step_ms=56)
    assert camera.told == ["slow"], "hardly better"
    camera.show(EMPTY, 10_000)
    assert camera.told == ["slow", "slow over"]


def test_a_machine_that_looks_at_too_few_is_slow() -> None:
    camera = Camera().ready()
    for number in range(1000):
        camera.now_ns += STEP_MS * MS
        camera.dog.picture(EMPTY, camera.now_ns, empty=True)
        if number % 5 == 0:
            camera.dog.looked_at(camera.now_ns)
        camera._tick()
    assert camera.told == ["slow"]


def test_a_camera_that_may_miss_a_card_is_too_slow() -> None:
    camera = Camera(least_fps=8).ready()
    camera.show(EMPTY, 10_000, step_ms=100)
    assert camera.told == ["slow"], "ten pictures a second show a card at least twice"
    camera.show(EMPTY, 10_000, step_ms=140)
    assert camera.told == ["slow", "too_slow"]
    camera.show(EMPTY, 10_000, step_ms=110)
    assert camera.told == ["slow", "too_slow"], "hardly better"
    camera.show(EMPTY, 10_000)
    assert set(camera.told[2:]) == {"slow over", "too_slow over"}


def test_a_stalled_camera_is_not_called_slow_as_well() -> None:
    camera = Camera().ready()
    camera.show(EMPTY, 10_000)
    camera.nothing(10_000)
    assert camera.told[0] == "stalled"
    assert "slow" not in camera.told


def test_a_hand_in_the_window_is_told_when_it_stays() -> None:
    camera = Camera().ready()
    camera.dog.hand(True, camera.now_ns)
    camera.show(EMPTY, 4900, empty=False)
    camera.dog.hand(False, camera.now_ns)
    camera.dog.hand(True, camera.now_ns)
    camera.show(EMPTY, 4900, empty=False)
    assert camera.told == []
    camera.show(EMPTY, 20_000, empty=False)
    assert camera.told == ["blocked_view"]
    camera.dog.hand(False, camera.now_ns)
    camera.show(EMPTY, STEP_MS)
    assert camera.told == ["blocked_view", "blocked_view over"]


def test_the_empty_windows_light_is_learned_and_held_against() -> None:
    camera = Camera().ready()
    camera.show(EMPTY, 21_000)
    assert camera.dog.empty_light == 60
    camera.show(CARD, 30_000, empty=False)
    assert camera.told == [], "a card's light is not the window's"
    camera.show(Look(25, 20), 20_000)
    assert camera.told == ["exposure"]
    camera.show(Look(35, 20), 20_000)
    assert camera.told == ["exposure"], "not yet half-way back"
    camera.show(Look(50, 20), 20_000)
    assert camera.told == ["exposure", "exposure over"]


def test_a_light_learned_by_an_earlier_process_is_held_against_after_a_new_plug() -> None:
    camera = Camera(light=60.0).ready()
    camera.show(Look(200, 20), 10_000)
    assert camera.told == ["exposure"]
    assert camera.dog.empty_light == 60


def test_a_dark_windows_few_grey_levels_are_no_change_of_light() -> None:
    camera = Camera(light=18.0).ready()
    camera.show(Look(9, 20), 10_000)
    assert camera.told == []


def test_a_black_picture_begins_the_warm_up_anew() -> None:
    camera = Camera()
    for _ in range(20):
        camera.show(EMPTY, 4 * STEP_MS)
        camera.show(BLACK, STEP_MS)
    assert camera.show(EMPTY, 4 * STEP_MS) == 0
    assert camera.show(EMPTY, 2 * STEP_MS) > 0


def test_slow_drift_of_the_day_is_no_fault() -> None:
    camera = Camera().ready()
    for light in range(60, 42, -1):
        camera.show(Look(light, 20), 20_000, step_ms=40)
    assert camera.told == []


def test_any_order_of_faults_ends_well_once_all_is_well() -> None:
    """Each fault is told once and ended once, whatever came in between."""
    for seed in range(40):
        camera, rng = Camera().ready(), random.Random(seed)
        for _ in range(30):
            ms = rng.choice((40, 500, 2500, 4000))
            match rng.randrange(6):
                case 0:
                    camera.nothing(ms)
                case 1:
                    assert camera.show(BLACK, ms) == 0
                case 2:
                    assert camera.show(Look(60, 20, same=True), ms) == 0
                case 3:
                    camera.torn(rng.randrange(6))
                case 4:
                    camera.dog.hand(rng.random() < 0.5, camera.now_ns)
                case _:
                    camera.show(EMPTY, ms, step_ms=rng.choice((20, 100)))
        camera.dog.hand(False, camera.now_ns)
        camera.show(EMPTY, 40_000)
        assert camera.show(EMPTY, 1000) == 50, seed
        open_: set[str] = set()
        for told in camera.told:
            code, _, over = told.partition(" ")
            assert (code in open_) == bool(over), (seed, told)
            (open_.discard if over else open_.add)(code)
        assert not open_, (seed, open_)
