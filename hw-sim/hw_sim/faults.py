"""Every fault a virtual shoe can suffer, by name: what happens, and its parameters.

A fault is either done at once (`when = "now"`) or changes how the next card comes over the wire
(`when = "draw"`). Both can be armed for a later draw: `arm` with `after` = how many cards come
well before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


class FaultError(ValueError):
    """There is no such fault, or it has no such parameter; the message lists what there is."""


@dataclass(frozen=True)
class Fault:
    """One fault. `params`: parameter name to (default, meaning); a default of None is optional."""

    doc: str
    when: Literal["now", "draw"]
    params: dict[str, tuple[object, str]] = field(default_factory=dict)


_MS = "milliseconds"

FAULTS: dict[str, Fault] = {
    "unplug": Fault(
        "the plug is pulled: port and link are gone; armed, in the middle of that card's code",
        "now",
        {"ms": (None, f"{_MS} after which it is plugged in again; left out: stays out")},
    ),
    "replug": Fault("it is plugged in as a new port, and the link points to it", "now"),
    "early_draw": Fault(
        "the next card is pulled although nobody asked for one",
        "now",
        {"count": (1, "cards pulled")},
    ),
    "cut": Fault("the cut card comes out now", "now"),
    "noise": Fault(
        "bytes no card made come over the wire now",
        "now",
        {"hex": ("7E66FA9E0DE080FF0D", "the bytes, in hex")},
    ),
    "double_read": Fault(
        "the same code again after a while",
        "draw",
        {"ms": (150, f"{_MS} between the reads"), "times": (1, "repeats")},
    ),
    "burst": Fault(
        "the reader is stuck on the card: many equal reads",
        "draw",
        {"ms": (100, f"{_MS} between the reads"), "times": (20, "repeats")},
    ),
    "no_read": Fault("the card leaves the shoe and nothing comes over the wire", "draw"),
    "half_line": Fault(
        "the first characters of the code, then silence",
        "draw",
        {"keep": (3, "characters that come")},
    ),
    "split_line": Fault(
        "the code in two parts with a pause between them",
        "draw",
        {"keep": (3, "characters before the pause"), "ms": (500, f"{_MS} of pause")},
    ),
    "slow": Fault("one byte at a time", "draw", {"ms": (20, f"{_MS} between the bytes")}),
    "merged": Fault("the code comes only together with the next one, in one piece", "draw"),
    "garbage": Fault(
        "bytes of a wrong baud rate in place of the code",
        "draw",
        {"hex": ("E080FF9E0D", "the bytes, in hex")},
    ),
    "dirty_open": Fault(
        "left-over bytes glued to the front of the code",
        "draw",
        {"hex": ("AA65D1B9F1", "the bytes, in hex")},
    ),
    "tail_only": Fault("only the end of the code", "draw", {"keep": (2, "characters that come")}),
    "bad_check": Fault("one character of the code is read wrong", "draw"),
    "foreign_code": Fault(
        "another code is read in place of the card's",
        "draw",
        {
            "text": (None, "the code that is read, such as 8801234567893; or"),
            "set": ("Z", "the card's code as of this set"),
        },
    ),
    "earlier_code": Fault(
        "the code of a card given before is read in place of this card's",
        "draw",
        {"back": (2, "how many cards before this one")},
    ),
    "wrong_suffix": Fault(
        "the code ends otherwise than set",
        "draw",
        {"suffix": ("lf", "cr, lf, crlf, crcr, tab or none")},
    ),
    "aim": Fault(
        "an AIM symbology identifier stands before the code",
        "draw",
        {"id": ("C0", "the identifier without its bracket")},
    ),
}


def as_data() -> dict[str, dict[str, object]]:
    """All faults and their parameters, for programs."""
    return {
        name: {
            "doc": fault.doc,
            "when": fault.when,
            "params": {
                key: {"default": default, "doc": doc}
                for key, (default, doc) in fault.params.items()
            },
        }
        for name, fault in FAULTS.items()
    }


def fault_params(name: str, given: dict[str, object]) -> dict[str, object]:
    """The parameters of a fault: those given, else the defaults.

    Raises FaultError for an unknown fault or parameter, or a value of the wrong kind.
    """
    fault = FAULTS.get(name)
    if fault is None:
        raise FaultError(f"no fault {name!r}; there are {', '.join(sorted(FAULTS))}")
    for key in given:
        if key not in fault.params:
            known = ", ".join(fault.params) or "none"
            raise FaultError(f"{name} has no parameter {key!r}; it has {known}")
    params = {key: default for key, (default, _) in fault.params.items()} | given
    for key, value in params.items():
        default = fault.params[key][0]
        number = isinstance(default, int) or key == "ms"
        if value is None and default is None:
            continue
        if number and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            raise FaultError(f"{name}: {key} {value!r} must be a whole number, 0 or more")
        if not number and not isinstance(value, str):
            raise FaultError(f"{name}: {key} {value!r} must be a text")
    return params
