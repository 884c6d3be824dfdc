"""The faults every virtual device can suffer, by name: what happens, and its parameters.

A fault is either done at once (`when = "now"`) or changes how the next card comes over the wire
(`when = "draw"`). Both can be armed for a later draw: `arm` with `after` = how many cards come
well before it. A kind of device has further faults of its own: `models.base.Model.faults`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from hw_sim.codes import CodeError


class FaultError(ValueError):
    """There is no such fault, or it has no such parameter; the message lists what there is."""


@dataclass(frozen=True)
class Fault:
    """One fault. `params`: parameter name to (default, meaning); a default of None is optional."""

    doc: str
    when: Literal["now", "draw"]
    params: dict[str, tuple[object, str]] = field(default_factory=dict)


_MS = "milliseconds"
_LASTS: dict[str, tuple[object, str]] = {"ms": (None, f"{_MS} it lasts; left out: until `clear`")}


def double_read(ms: int) -> Fault:
    """One trigger, two reads."""
    return Fault(
        "the same code again after a while",
        "draw",
        {"ms": (ms, "milliseconds between the reads"), "times": (1, "repeats")},
    )


def burst(ms: int) -> Fault:
    """A card that lies before the reader."""
    return Fault(
        "the reader is stuck on the card: many equal reads",
        "draw",
        {"ms": (ms, "milliseconds between the reads"), "times": (20, "repeats")},
    )


COMMON: dict[str, Fault] = {
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
        {
            "hex": ("7E66FA9E0DE080FF0D", "the bytes, in hex"),
            "times": (1, "how many times"),
        },
    ),
    "permission_denied": Fault(
        "it is plugged in anew, and may not be opened for a while, as before udev is done",
        "now",
        {"ms": (1000, f"{_MS} until it may be opened")},
    ),
    "busy": Fault(
        "it is plugged in anew, and another program has it first",
        "now",
        {"ms": (1000, f"{_MS} until that program lets go")},
    ),
    "blocked": Fault("it stops reading what the driver sends; cards still come", "now", _LASTS),
    "small_reads": Fault("what it sends comes one to three bytes at a time", "now", _LASTS),
    "batching": Fault(
        "the adapter hands on what came only so often",
        "now",
        {"every_ms": (16, f"{_MS} between two deliveries"), **_LASTS},
    ),
    "dead": Fault("it says and hears nothing any more; its port stays open", "now", _LASTS),
    "no_read": Fault("the card leaves the shoe and nothing comes over the wire", "draw"),
    "merged": Fault("the code comes only together with the next one, in one piece", "draw"),
    "stolen": Fault(
        "another program on the port takes the first bytes of the code",
        "draw",
        {"count": (3, "bytes it takes")},
    ),
}
CODE_READERS: dict[str, Fault] = {
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
}
TCP: dict[str, Fault] = {
    "half_open": Fault(
        "the way to it is dead, and neither end is told: nothing comes, nothing is refused",
        "now",
        _LASTS,
    ),
    "drop": Fault("every connection is closed; it can be reached again at once", "now"),
}


def as_data(faults: Mapping[str, Fault]) -> dict[str, dict[str, object]]:
    """Faults and their parameters, for programs."""
    return {
        name: {
            "doc": fault.doc,
            "when": fault.when,
            "params": {
                key: {"default": default, "doc": doc}
                for key, (default, doc) in fault.params.items()
            },
        }
        for name, fault in faults.items()
    }


def fault_params(
    name: str, given: Mapping[str, object], faults: Mapping[str, Fault]
) -> dict[str, object]:
    """The parameters of one of these faults: those given, else the defaults.

    Raises FaultError for an unknown fault or parameter, or a value of the wrong kind.
    """
    fault = faults.get(name)
    if fault is None:
        raise FaultError(f"no fault {name!r}; there are {', '.join(sorted(faults))}")
    for key in given:
        if key not in fault.params:
            known = ", ".join(fault.params) or "none"
            raise FaultError(f"{name} has no parameter {key!r}; it has {known}")
    params = {key: default for key, (default, _) in fault.params.items()} | dict(given)
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


def number(params: Mapping[str, object], name: str) -> int:
    """A whole number among a fault's parameters."""
    return cast("int", params[name])


def text(params: Mapping[str, object], name: str) -> str:
    """A text among a fault's parameters."""
    return cast("str", params[name])


def hex_bytes(digits: str) -> bytes:
    """Bytes from hex digits. Raises CodeError."""
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise CodeError(f"{digits!r}: bytes in hex, such as 7E 66 0D") from None
