"""What can go wrong with a GM65 module, by name."""

from __future__ import annotations

from hw_sim.faults import Fault

_MS = "milliseconds"
FAULTS: dict[str, Fault] = {
    "double_read": Fault(
        "the trigger bounces: the same code twice", "draw", {"ms": (200, f"{_MS} between the two")}
    ),
    "partial_code": Fault("only part of the code is read", "draw", {"keep": (3, "characters")}),
    "bad_check": Fault("one character of the code is read wrong", "draw"),
    "read_failed": Fault("it could not read, and sends its text for that", "draw"),
    "unknown_code": Fault(
        "a code that is no card's", "draw", {"text": ("HELLO-WORLD-42", "the code")}
    ),
    "foreign_symbology": Fault(
        "a code of another symbology, such as a bottle's",
        "draw",
        {"id": ("E0", "its AIM identifier"), "text": ("8801234567893", "the code")},
    ),
    "two_codes": Fault(
        "another code is read with it, both in one piece", "draw", {"text": ("AKH35", "the other")}
    ),
    "split": Fault(
        "the code in pieces", "draw", {"parts": (5, "pieces"), "ms": (10, f"{_MS} between them")}
    ),
    "with_reply": Fault(
        "the code comes in one piece with the next reply",
        "draw",
        {"first": ("reply", "reply or code: which of them is first")},
    ),
    "no_reply": Fault("it does not answer", "now", {"times": (1, "commands not answered")}),
    "bad_reply": Fault("its replies are damaged", "now", {"times": (1, "replies damaged")}),
    "config_barcode": Fault(
        "a configuration barcode passes and changes the module",
        "now",
        {
            "setting": ("terminator", "terminator, aim, mode or defaults"),
            "value": (4, "what is written: terminator 4 is none, aim 128 is on"),
        },
    ),
    "power_cycle": Fault("its power is gone for a moment; the port stays open", "now"),
    "silent_death": Fault(
        "it answers nothing and reads nothing; its port stays open",
        "now",
        {"ms": (None, f"{_MS} until it lives again; left out: never")},
    ),
}
