"""Every fault of the virtual HID-POS and typing scanners, into the drivers: never another card.

Model and protocol meet here without ports or clocks; times are those of the pieces.
"""

from __future__ import annotations

from typing import Any

import pytest

from drivers.cardcode import CardCode
from drivers.observations import AnyObservation, CardRead, NoRead, Note, Trouble, TroubleOver
from drivers.protocols.base import DeviceProtocol, Out, Wanted
from drivers.protocols.hidpos import HidPos, HidPosSettings
from drivers.protocols.judge import Symbologies
from drivers.protocols.keyboard import Keyboard
from hw_sim.codes import VirtualCard
from hw_sim.models import hidpos as hid_model
from hw_sim.models import keyboard as keyboard_model
from hw_sim.models.base import Model, Piece

MS = 1_000_000
KING, ACE = VirtualCard("KH", 3, "A"), VirtualCard("AS", 1, "A")
CODE = CardCode.from_template()


class Pair:
    """A virtual device and its driver. Time goes on by what happens."""

    def __init__(self, kind: str, **options: Any) -> None:
        self.model: Model
        self.protocol: DeviceProtocol
        if kind == "hid-pos":
            settings = HidPosSettings(symbologies=Symbologies(required=True), vendor="honeywell")
            self.protocol = HidPos("reader", CODE, settings)
            self.model = hid_model.HidPos(**options)
        else:
            self.protocol = Keyboard("reader", CODE)
            self.model = keyboard_model.Keyboard(**options)
        self.seen: list[AnyObservation] = []
        self.now_ms = 1000
        self._wake: int | None = None
        self._queue: list[tuple[int, bytes]] = []
        self.model.start(self.now_ms)
        self._take(self.protocol.start(self.now_ms * MS))
        self._take(self.protocol.want(Wanted(), self.now_ms * MS))

    def say(self, pieces: list[Piece]) -> None:
        self._queue += [(self.now_ms + piece.at_ms, piece.data) for piece in pieces]

    def run(self, ms: int) -> list[AnyObservation]:
        """What is said from now on for so long, and everything that was said before."""
        until = self.now_ms + ms
        while True:
            self._queue.sort(key=lambda one: one[0])
            times = [self._queue[0][0]] if self._queue else []
            if self._wake is not None:
                times.append(-(-self._wake // MS))
            if not times or min(times) > until:
                break
            self.now_ms = max(self.now_ms, min(times))
            if self._queue and self._queue[0][0] <= self.now_ms:
                self._take(self.protocol.feed(self._queue.pop(0)[1], self.now_ms * MS))
            else:
                self._take(self.protocol.tick(self.now_ms * MS))
        self.now_ms = until
        seen, self.seen = self.seen, []
        return seen

    def _take(self, out: Out) -> None:
        self.seen += out.observations
        self._wake = out.wake_at_ns
        for message in out.write:
            self.say(self.model.heard(message, self.now_ms))


def cards(seen: list[AnyObservation]) -> list[str]:
    return [one.text for one in seen if isinstance(one, CardRead)]


# What a fault of a draw makes of the king of hearts: how often it is read, and why it is not.
HID = {
    "double_read": (2, set()),
    "burst": (21, set()),
    "half_code": (0, {"not_a_card"}),
    "bad_check": (0, {"bad_check"}),
    "foreign_symbology": (0, {"foreign_symbology"}),
    "long_code": (0, {"not_a_card"}),
    "lost_report": (0, {"incomplete"}),
    "aim_shifted": (1, set()),
    "wrong_suffix": (1, set()),
    "between": (0, {"not_a_card"}),
}
KEYS = {
    "double_read": (2, set()),
    "burst": (21, set()),
    "half_code": (0, {"incomplete"}),
    "tail_only": (0, {"not_a_card"}),
    "split_code": (0, {"typing"}),
    "slow": (0, {"typing"}),
    "bad_check": (0, {"bad_check"}),
    "wrong_suffix": (1, set()),
    "aim": (1, set()),
    "wrong_case": (0, {"caps_lock"}),
    "layout": (0, {"keyboard_layout"}),
    "auto_repeat": (1, set()),
    "typed_into": (0, {"not_a_card"}),
    "dropped": (0, {"incomplete"}),
}
ALL = [("hid-pos", name, *what) for name, what in HID.items()]
ALL += [("keyboard", name, *what) for name, what in KEYS.items()]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "hid-pos": [{}, {"shifted": True, "suffix": "crlf"}, {"aim": "d1"}],
    "keyboard": [{}, {"suffix": "tab"}, {"step_ms": 2}, {"step_ms": 32, "apart": True}],
}


def defaults(model: Model, fault: str) -> dict[str, object]:
    return {name: default for name, (default, _) in model.faults[fault].params.items()}


def test_every_fault_of_a_draw_is_here() -> None:
    for kind, known in (("hid-pos", HID), ("keyboard", KEYS)):
        faults = Pair(kind).model.faults.items()
        assert set(known) == {name for name, fault in faults if fault.when == "draw"}


@pytest.mark.parametrize(("kind", "fault", "reads", "reasons"), ALL)
def test_a_fault_of_a_draw_gives_no_other_card_and_the_next_card_is_read(
    kind: str, fault: str, reads: int, reasons: set[str]
) -> None:
    for options in OPTIONS[kind]:
        pair = Pair(kind, **options)
        pair.run(500)
        pair.say(pair.model.card(KING, pair.now_ms, fault, defaults(pair.model, fault)))
        seen = pair.run(6000)
        assert cards(seen) == [KING.code] * reads
        assert {one.reason for one in seen if isinstance(one, NoRead)} == reasons
        pair.say(pair.model.card(ACE, pair.now_ms))
        assert cards(pair.run(2000)) == [ACE.code]


@pytest.mark.parametrize("fault", ["typing", "caps_lock", "hangul"])
def test_keys_that_change_what_is_typed_give_no_card(fault: str) -> None:
    pair = Pair("keyboard")
    pair.say(pair.model.do(fault, defaults(pair.model, fault), pair.now_ms))
    pair.run(300)
    pair.say(pair.model.card(KING, pair.now_ms))
    seen = pair.run(3000)
    assert cards(seen) == []
    reasons = [one.reason for one in seen if isinstance(one, NoRead)]
    assert set(reasons) <= {fault, "typing"}
    assert reasons
    if fault != "typing":
        pair.say(pair.model.do(fault, {}, pair.now_ms))
        pair.run(1000)
    pair.say(pair.model.card(KING, pair.now_ms))
    assert cards(pair.run(2000)) == [KING.code]


def test_a_scanner_of_another_country_gives_no_card_at_all() -> None:
    for layout in ("azerty", "qwertz"):
        pair = Pair("keyboard", layout=layout)
        for deck in range(1, 9):
            card = VirtualCard("AS", deck, "Y")
            pair.say(pair.model.card(card, pair.now_ms))
            (told,) = pair.run(1000)
            assert isinstance(told, NoRead)
            assert told.reason == "keyboard_layout"


def test_a_scanner_that_stops_answering_is_silent_until_it_is_heard() -> None:
    pair = Pair("hid-pos")
    assert [type(one).__name__ for one in pair.run(5000)] == ["Identified"]
    pair.model.do("mute", {}, pair.now_ms)
    seen = pair.run(20_000)
    assert [one.code for one in seen if isinstance(one, Trouble)] == ["silent"]
    pair.say(pair.model.card(KING, pair.now_ms))
    seen = pair.run(100)
    assert [one.code for one in seen if isinstance(one, TroubleOver)] == ["silent"]
    assert cards(seen) == [KING.code]


def test_a_scanner_that_is_reconfigured_or_refuses_says_so() -> None:
    pair = Pair("hid-pos")
    pair.run(5000)
    pair.say(pair.model.do("menu", {}, pair.now_ms))
    assert [one.code for one in pair.run(100) if isinstance(one, Note)] == ["menu"]
    pair.model.do("refuse", {"with": 21}, pair.now_ms)
    seen = pair.run(35_000)
    assert [one.code for one in seen if isinstance(one, Note)] == ["identity_refused"]
    assert not [one for one in seen if isinstance(one, Trouble)]


def test_a_report_with_another_number_is_told() -> None:
    pair = Pair("hid-pos")
    pair.run(5000)
    pair.say(pair.model.do("other_report", {"number": 7}, pair.now_ms))
    (told,) = pair.run(100)
    assert isinstance(told, NoRead)
    assert told.reason == "garbage"
