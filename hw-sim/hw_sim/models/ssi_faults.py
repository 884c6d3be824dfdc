"""What can go wrong with a scanner that speaks the Simple Serial Interface, by name."""

from __future__ import annotations

from hw_sim.faults import Fault

DENIED = 0x06

_MS = "milliseconds"
FAULTS: dict[str, Fault] = {
    "double_read": Fault(
        "the trigger bounces: the same code twice", "draw", {"ms": (200, f"{_MS} between the two")}
    ),
    "partial_code": Fault("only part of the code is read", "draw", {"keep": (3, "characters")}),
    "bad_check": Fault("one character of the code is read wrong", "draw"),
    "checksum_error": Fault(
        "the packet is damaged on its way", "draw", {"times": (1, "copies that are damaged")}
    ),
    "ack_lost": Fault(
        "the host's acknowledgement is lost: the code comes again, marked as re-sent",
        "draw",
        {"times": (1, "acknowledgements lost")},
    ),
    "nr": Fault("a session ends and nothing was read: the scanner says NR", "draw"),
    "unknown_code": Fault(
        "a code that is no card's", "draw", {"text": ("HELLO-WORLD-42", "the code")}
    ),
    "foreign_symbology": Fault(
        "a code of another symbology, such as a bottle's",
        "draw",
        {"type": (0x0B, "code type on the wire"), "text": ("8801234567893", "the code")},
    ),
    "two_codes": Fault(
        "another code is read with it, both in one piece", "draw", {"text": ("AKH35", "the other")}
    ),
    "split": Fault(
        "the packet in pieces", "draw", {"parts": (5, "pieces"), "ms": (10, f"{_MS} between them")}
    ),
    "multi_packet": Fault(
        "the code in several packets", "draw", {"size": (3, "characters in each")}
    ),
    "nak": Fault(
        "it refuses the next commands",
        "now",
        {"cause": (DENIED, "2 bad context, 6 denied"), "times": (1, "commands refused")},
    ),
    "config_barcode": Fault(
        "a configuration barcode passes and changes the scanner",
        "now",
        {
            "setting": ("plain_text", "plain_text, no_handshake, suffix or defaults"),
            "suffix": ("cr", "cr, lf, crlf, crcr, tab, etx or none, for `suffix`"),
            "force": (1, "1: although such barcodes are refused"),
        },
    ),
    "power_cycle": Fault("its power is gone for a moment; the port stays open", "now"),
    "silent_death": Fault(
        "it answers nothing and reads nothing; its port stays open",
        "now",
        {"ms": (None, f"{_MS} until it lives again; left out: never")},
    ),
}
