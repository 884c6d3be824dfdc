"""What can happen to a virtual table board: faults by name, and what people do at it."""

from __future__ import annotations

from hw_sim.faults import Fault

_COUNT: dict[str, tuple[object, str]] = {"count": (1, "how many")}
_BUTTON: tuple[object, str] = ("help", "help or cut_card")
_PART: dict[str, tuple[object, str]] = {
    "part": ("brake", "brake, help, cut_card, card_out or badge")
}

FAULTS: dict[str, Fault] = {
    "press": Fault("a person presses a button", "now", {"button": _BUTTON, **_COUNT}),
    "badge": Fault("a badge is shown", "now", {"text": ("1001", "what it carries")}),
    "card_out": Fault("something passes the sensor, and no reader reads a code", "now"),
    "lost_ack": Fault("the next acknowledgements do not reach it: it tells again", "now", _COUNT),
    "lost_event": Fault("the next event lines are lost on the way", "now", _COUNT),
    "lost_answer": Fault("its next answers are lost on the way", "now", _COUNT),
    "wrong_check": Fault("its next lines have a wrong check", "now", _COUNT),
    "duplicate_event": Fault("the last event line comes once more", "now"),
    "reboot": Fault("it starts again: session, events and state are gone", "now"),
    "silent": Fault(
        "it hangs: nothing comes, nothing is heard, and the port stays open",
        "now",
        {"ms": (None, "milliseconds after which it goes on; left out: for ever")},
    ),
    "stuck_button": Fault(
        "a button is pressed and stays down",
        "now",
        {"button": _BUTTON, "ms": (None, "milliseconds; left out: for ever")},
    ),
    "other_version": Fault(
        "it speaks another version of the protocol from now on",
        "now",
        {"version": ("2", "which")},
    ),
    "missing_ability": Fault(
        "it starts again without one of its abilities",
        "now",
        {"ability": ("brake", "light, lamps, brake, help, cut_card, card_out or badge")},
    ),
    "part_fault": Fault("it notices that a part does not work", "now", _PART),
    "part_well": Fault("the part works again", "now", _PART),
    "chatter": Fault(
        "its firmware prints something that is no line of the protocol",
        "now",
        {"text": ("debug: loop 17", "what")},
    ),
    "sensor_bounce": Fault(
        "the sensor bounces: one card is told several times",
        "draw",
        {"times": (1, "cards too many")},
    ),
    "sensor_blind": Fault("the sensor does not see the card", "draw"),
}
