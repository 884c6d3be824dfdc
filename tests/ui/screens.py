"""Every screen of the console by name."""

from __future__ import annotations

from collections.abc import Callable

from station import messages as m
from tests.ui.fixtures import (
    betting,
    closed,
    dealers_turn,
    dealing,
    deciding,
    drawing,
    fans,
    host_lost,
    idle,
    repeated,
    result,
    result_in_cents,
    shoe_needed,
    unread,
)
from tests.ui.holds import (
    duplicate,
    emergency_in_a_wait,
    held,
    reader_back,
    reader_lost,
    reader_ruled,
    ruled,
    void,
    waiting,
)

SCREENS: dict[str, Callable[[], m.Snapshot]] = {
    "login": closed,
    "idle": idle,
    "shoe": shoe_needed,
    "betting": betting,
    "dealing": dealing,
    "deciding": deciding,
    "drawing": drawing,
    "repeat": repeated,
    "no-read": unread,
    "fans": fans,
    "dealer": dealers_turn,
    "result": result,
    "result-cents": result_in_cents,
    "hold": held,
    "hold-supervisor": ruled,
    "reader-lost": reader_lost,
    "reader-lost-supervisor": reader_ruled,
    "reader-back": reader_back,
    "duplicate": duplicate,
    "void": void,
    "wait": waiting,
    "wait-emergency": emergency_in_a_wait,
    "host-lost": host_lost,
}
