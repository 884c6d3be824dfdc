"""Every screen of the console by name."""

from __future__ import annotations

from collections.abc import Callable

from station import snapshot as m
from tests.ui import chairs, games
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
    foreign,
    held,
    reader_back,
    reader_lost,
    reader_ruled,
    ruled,
    void,
    waiting,
    with_supervisor,
)

# Sheets about bets that lie there, by the cell that was pressed: seat, kind, who.
BACK = {
    "back-main": ("1", "main", ""),
    "back-pair": ("1", "pair", ""),
    "back-who": ("1", "behind", ""),
    "back-behind": ("1", "behind", "behind-1-2"),
    "back-behind-pair": ("1", "behind_pair", "behind-1-1"),
    "back-many": ("4", "behind", ""),
}

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
    "foreign": foreign,
    "foreign-supervisor": lambda: with_supervisor(foreign()),
    "insurance": games.insurance,
    "follow-double": games.follow,
    "follow-split": games.follow_split,
    "split": games.splitting,
    "split-double": games.double_second,
    "surrender": games.surrendered,
    "crowded": games.crowded,
    "crowded-result": games.crowded_result,
    "burn": games.burning,
    "paused": games.paused,
    "table-closed": games.table_closed,
    "reviewed": games.reviewed,
    "chairs-idle": chairs.chairs_idle,
    "chairs-returns": chairs.chairs_returns,
    "chairs-betting": chairs.chairs_betting,
    "chairs-deciding": chairs.chairs_deciding,
    "chairs-insurance": chairs.chairs_insurance,
    "chairs-follow": chairs.chairs_follow,
    "chairs-follow-many": lambda: chairs.chairs_follow(14),
    "chairs-payments": chairs.chairs_payments,
    "chairs-few-payments": chairs.chairs_few_payments,
    "chairs-void": chairs.chairs_void,
}
