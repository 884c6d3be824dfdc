"""What can happen to a virtual Angel Eye: faults by name, and what people do at it."""

from __future__ import annotations

from hw_sim.faults import Fault

_COUNT: dict[str, tuple[object, str]] = {"count": (1, "how many commands")}
_MODE: tuple[object, str] = (1, "1: it is in error mode then, 0: it goes on")
_CODE: tuple[object, str] = (1, "1 to 7, see its errors")
_COPIES: dict[str, tuple[object, str]] = {"copies": (3, "how many of the three, the first ones")}

FAULTS: dict[str, Fault] = {
    "bad_bcc": Fault("copies with a wrong check code", "draw", _COPIES),
    "lost_copies": Fault("copies that get lost on the wire", "draw", _COPIES),
    "card_none": Fault("it saw a card, and neither suit nor rank", "draw"),
    "wrong_baud": Fault(
        "bytes of a wrong baud rate in place of each copy",
        "draw",
        {"hex": ("E080FF9E00", "the bytes, in hex")},
    ),
    "conflict": Fault(
        "the second copy tells another card",
        "draw",
        {"rank": (9, "the other rank, 1 to 13"), "suit": (3, "the other suit, 1 to 4")},
    ),
    "late_copy": Fault(
        "one more copy, far too late", "draw", {"ms": (900, "milliseconds after the card")}
    ),
    "same_number": Fault("the report has the number of the one before", "draw"),
    "cannot_read": Fault("error 1 is raised and no card is told", "draw", {"mode": _MODE}),
    "overdraw": Fault(
        "a card too many: error 2, and the card is told when the error is cleared", "draw"
    ),
    "with_error": Fault(
        "an error is raised, and the card told after it", "draw", {"code": _CODE, "mode": _MODE}
    ),
    "outside": Fault(
        "the card is told as drawn outside a game",
        "draw",
        {
            "locked": (0, "1: as while locked"),
            "error": (0, "1: as in error mode"),
            "setting": (0, "1: as in setting mode"),
            "code": (0, "the error's code"),
        },
    ),
    "raise_error": Fault("an error is raised", "now", {"code": _CODE, "mode": _MODE}),
    "clear_error": Fault(
        "an error is cleared at the shoe; after an overdraw its card is sent again",
        "now",
        {"code": (0, "which; 0: the last one raised")},
    ),
    "power_cycle": Fault("without power for a moment: start, stand-by, numbers from 1", "now"),
    "new_shoe": Fault("a new shoe is confirmed: start", "now"),
    "stand_by": Fault("it tells that it stands by", "now"),
    "result": Fault(
        "a result of its own game",
        "now",
        {
            "winner": (1, "1 player, 2 tie, 4 banker, 7 forced quit"),
            "pair": (0, "1 player, 2 banker, 3 both"),
        },
    ),
    "lock": Fault("somebody turns its key", "now", {"on": (1, "1 locked, 0 unlocked")}),
    "preset": Fault(
        "somebody changes a setting",
        "now",
        {"address": ("01", "two characters"), "value": ("0005", "four characters")},
    ),
    "number": Fault("its next report has this number", "now", {"to": (1, "1 to 9")}),
    "refuse": Fault(
        "the next commands are refused", "now", {"code": (0x13, "the NAK's code"), **_COUNT}
    ),
    "deaf": Fault("the next commands are not answered", "now", _COUNT),
}
