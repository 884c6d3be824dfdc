"""Things to do later, by a clock that is given."""

from __future__ import annotations

from hw_sim.timers import Timers
from tests.unit.sim.conftest import Clock


def test_in_order_of_their_time_and_no_sooner() -> None:
    clock, done = Clock(), list[str]()
    timers = Timers(clock)
    for after, name in ((30, "late"), (10, "soon"), (10, "soon too"), (0, "now")):
        timers.later(after, lambda name=name: done.append(name))  # type: ignore[misc]
    assert done == ["now"]
    clock.now += 0.02
    timers.run()
    assert done == ["now", "soon", "soon too"]
    assert timers.wait_s() is not None
    clock.now += 0.02
    timers.run()
    assert (done[-1], timers.wait_s()) == ("late", None)


def test_what_comes_at_once_never_overtakes_what_is_due() -> None:
    """A slow machine runs the timers late: bytes of one line keep their order all the same."""
    clock, done = Clock(), list[int]()
    timers = Timers(clock)
    timers.later(5, lambda: done.append(1), "line")
    clock.now += 0.0059
    timers.later(0, lambda: done.append(2), "line")
    timers.later(0, lambda: done.append(0), "another")
    assert done == [0]
    timers.run()
    assert done == [0, 1, 2]


def test_what_is_forgotten_is_given_back_and_never_done() -> None:
    clock, done = Clock(), list[int]()
    timers = Timers(clock)
    timers.later(20, lambda: done.append(2), "line", b"second")
    timers.later(10, lambda: done.append(1), "line", b"first")
    timers.later(10, lambda: done.append(3))
    assert timers.forget("line") == [b"first", b"second"]
    clock.now += 1
    timers.run()
    assert done == [3]
