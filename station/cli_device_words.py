"""What a device says, in a technician's words, and what to do at each place where it stops."""

from __future__ import annotations

from typing import assert_never

from drivers import observations as o

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

# Where it stops → what to look at. Also the reasons of a failed read, and the states of health.
FIX = {
    "no bytes": (
        "the port is open and no byte has come: draw or scan a card; check power and cable (RS-232 "
        "may need 2 and 3 crossed), and that the reader sends to this port and not as a keyboard"
    ),
    "no frame": (
        "bytes come and no whole message: check baud rate, parity and data bits, the suffix the "
        "reader is set to, and that `kind` is this reader's protocol"
    ),
    "no card": (
        "whole messages come and none of them is a card: check `card`, `cut_card` and `sets` "
        "against what is printed, and draw a card"
    ),
    "no event": (
        "it works: the board says what it is; press each of its buttons, show a badge, let a card "
        "pass the sensor"
    ),
    "not_a_card": (
        "a text came that is no card's code: compare it with `card` and `cut_card` in the table's "
        "file"
    ),
    "bad_check": (
        "the check character is wrong: a misread (scan again, clean the window), or cards printed "
        "with another check than `card` says"
    ),
    "foreign_symbology": (
        "a code of another kind than `aim` allows: set the reader to the cards' symbology alone"
    ),
    "incomplete": (
        'the code has no end: set the reader to send CR after each code, or write suffix = "none"'
    ),
    "garbage": "bytes no reader sends: check baud rate, parity and data bits",
    "too_long": "longer than any code: check the suffix and the baud rate",
    "unread": "the reader says it could not read: clean its window and look at the card",
    "typing": "a person's keys, not a scanner's: is this the right keyboard?",
    "caps_lock": "Caps Lock is on at the reader's keyboard side: switch it off",
    "keyboard_layout": "the reader types for another keyboard layout: set it to US English",
    "hangul": "the reader types Korean letters: set it to US English",
    "silent": "its heartbeat goes unanswered: look at its power and mode; switch it off and on",
    "not_answering": (
        "the device does not take what is sent to it: check flow control and the transmit wire"
    ),
}
HEALTH = {
    "waiting": "nothing is there under the port's name: `dealer-station devices` lists what is",
    "lost": "it was there and is gone: check plug and power; see `dealer-station devices`",
    "busy": "another program has the port: stop the table, or that program, and try again",
    "denied": "this user may not open it: `dealer-station doctor` says what to do",
    "misconfigured": "what is there is not such a device, or does not take these settings",
    "silent": "the port is open and the device does not answer: switch it off and on",
    "up": "connected",
}


def fix_of(health: str) -> str:
    """What to do about a state of health."""
    return HEALTH.get(health, health)


def card_words(face: str) -> str:
    """`KH` as K♥, `TD` as 10♦."""
    rank, suit = face[:-1], face[-1:]
    return f"{'10' if rank == 'T' else rank}{_SUITS.get(suit, suit)}"


def in_words(seen: o.AnyObservation) -> str:
    """One observation as a sentence."""
    match seen:
        case o.CardRead():
            return _card(seen)
        case o.CutCard():
            return f"the cut card{f' of set {seen.set}' if seen.set else ''}"
        case o.NoRead(reason=reason, text=text):
            return f"not read ({reason}){f': {text}' if text else ''}"
        case o.CardOut():
            return "a card left the shoe (sensor)"
        case o.Button(button=button):
            return f"button {button}"
        case o.Badge():
            # What a badge carries opens a table: it is not shown.
            return "a badge was shown"
        case o.Note(code=code, detail=detail):
            return f"{code}{f': {detail}' if detail else ''}"
        case o.Identified(identity=identity):
            return f"it is {identity}"
        case o.Trouble(code=code, detail=detail):
            return f"TROUBLE {code}{f': {detail}' if detail else ''}"
        case o.TroubleOver(code=code):
            return f"over: {code}"
        case o.HealthChanged(health=health, detail=detail, identity=identity):
            return f"{health}{f': {detail or identity}' if detail or identity else ''}"
        case _ as never:
            assert_never(never)


def _card(seen: o.CardRead) -> str:
    words = [card_words(seen.face)]
    if seen.set:
        words.append(f"set {seen.set}")
    if seen.deck:
        words.append(f"deck {seen.deck}")
    words.append("check right" if seen.checked else "no check")
    if seen.resent:
        words.append("told again")
    return ", ".join(words)
