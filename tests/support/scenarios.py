"""Every kind of reader as it may be set up, every wire, and what happens at a table: as data.

A scenario is played with `play`; what came of it is an `oracle.Report`. The same seed gives the
same run to the last byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hw_sim.codes import VirtualCard
from tests.support.dealing import Dealing
from tests.support.oracle import Report

CARDS = 62


@dataclass(frozen=True)
class Reader:
    """One kind as it is set up. `settings`: the driver's, `options`: the virtual device's. `text`:
    what is printed on the cards, None: the default code, with a check.
    """

    name: str
    kind: str
    settings: dict[str, Any] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    text: Callable[[VirtualCard], str] | None = None
    many: bool = False


def deck_code(card: VirtualCard) -> str:
    """Set, face and deck, no check."""
    return f"{card.set}CUT" if card.cut else f"{card.set}{card.face}{card.deck}"


def face_code(card: VirtualCard) -> str:
    """The face alone."""
    return "CUT" if card.cut else card.face


DECK = {"card": "{set}{rank}{suit}{deck}", "cut_card": "{set}CUT"}
FACE = {"card": "{rank}{suit}", "cut_card": "CUT"}
SUFFIXES = ("cr", "lf", "crlf", "crcr", "tab", "etx", "none")

TEXT_LINES = tuple(
    Reader(
        f"text-line {suffix}{' aim' if aim else ''}",
        "text-line",
        {"suffix": "none"} if suffix == "none" else {},
        {"suffix": suffix, "aim": aim},
        many=(suffix, aim) not in (("cr", ""), ("none", "C0")),
    )
    for suffix in SUFFIXES
    for aim in ("", "C0")
)
OTHERS = (
    Reader("zebra-ssi", "zebra-ssi"),
    Reader("gm65", "gm65"),
    Reader("gm65 none", "gm65", {"terminator": "none"}),
    Reader("hid-pos", "hid-pos"),
    Reader("hid-pos honeywell", "hid-pos", {"vendor": "honeywell"}),
    Reader("keyboard", "keyboard"),
    Reader("angel-eye", "angel-eye"),
    Reader("angel-eye commands", "angel-eye", {"commands": True}),
)
UNCHECKED = (
    Reader("bee-tek", "bee-tek", {"cut_card": "Cut Card"}, {"cut": "Cut Card"}),
    Reader("text-line deck", "text-line", DECK, text=deck_code),
    Reader("text-line face", "text-line", FACE, text=face_code),
    Reader("zebra-ssi face", "zebra-ssi", FACE, text=face_code),
    Reader("hid-pos face", "hid-pos", FACE, text=face_code),
)
READERS = (*TEXT_LINES, *OTHERS, *UNCHECKED)

# A scanner that types sends each key by itself: the same share of cards is cut for each.
WIRES = {
    "perfect": "perfect",
    "byte at a time": "byte_at_a_time:ms=1",
    "merged": "merged:pieces=3,ms=200",
    "delayed": "delayed:ms=40,seed={seed}",
    "lossy": "lossy:rate=0.01,seed={seed}",
    "cut": "cut:rate={rate},ms=400,seed={seed}",
}
_CUT_RATE = {"keyboard": 0.003}
_DOUBLE = ("double_read", "double_record", "late_copy")
_EQUAL = ("KH1", "KH2", "KH3", "9S4", "9S5", "AD1", "AD8", "TC2", "TC1", "5H3")


def wire_of(reader: Reader, wire: str, seed: int) -> str:
    """The wire as the simulator writes it."""
    return WIRES[wire].format(seed=seed, rate=_CUT_RATE.get(reader.kind, 0.05))


def dealing(reader: Reader, wire: str, seed: int, **more: Any) -> Dealing:
    """A table with that reader at the end of that wire."""
    return Dealing(
        reader.kind,
        wire_of(reader, wire, seed),
        seed=seed,
        settings=reader.settings,
        options=reader.options,
        text=reader.text,
        **more,
    )


def clean(reader: Reader, wire: str, seed: int) -> Dealing:
    """A shoe, two cards burnt first."""
    return dealing(reader, wire, seed, burn=2)


def double_reads(reader: Reader, wire: str, seed: int) -> Dealing:
    """Every fourth card is read twice."""
    table = dealing(reader, wire, seed)
    fault = next((name for name in _DOUBLE if name in table.link.faults), "")
    for at in range(2, CARDS, 4) if fault else ():
        table.arm(at, fault, **({"ms": 900} if fault == "late_copy" else {"ms": 150}))
    return table


def equal_faces(reader: Reader, wire: str, seed: int) -> Dealing:
    """Two and three cards of one face in a row."""
    return dealing(reader, wire, seed, stack=_EQUAL)


def cut_card(reader: Reader, wire: str, seed: int) -> Dealing:
    """The cut card comes in the middle: a shoe is changed."""
    return dealing(reader, wire, seed, cut=29)


def unplugged(reader: Reader, wire: str, seed: int) -> Dealing:
    """The plug is pulled in the middle of a card's message, and put in again."""
    table = dealing(reader, wire, seed)
    for at, ms in ((3, 400), (14, 40), (23, 1500), (39, 400), (52, 3000)):
        table.arm(at, "unplug", ms=ms)
    return table


def noise(reader: Reader, wire: str, seed: int) -> Dealing:
    """Bytes no card made, now and then."""
    table = dealing(reader, wire, seed)
    for at, times in ((2, 1), (9, 3), (17, 1), (26, 8), (44, 2)):
        table.arm(at, "noise", times=times)
    return table


def wrong_rate(reader: Reader, wire: str, seed: int) -> Dealing:
    """The receiver is set to another rate for a while: half, double, and a little off."""
    table = dealing(reader, wire, seed)
    if not table.link.model.records:
        for at, ratio, ms in ((4, 0.5, 9000), (18, 2.0, 9000), (35, 1.3, 9000), (50, 0.77, 5000)):
            table.arm(at, "wrong_rate", ratio=ratio, ms=ms)
    return table


SCENARIOS: dict[str, Callable[[Reader, str, int], Dealing]] = {
    "clean": clean,
    "double reads": double_reads,
    "equal faces": equal_faces,
    "cut card": cut_card,
    "unplugged": unplugged,
    "noise": noise,
    "wrong rate": wrong_rate,
}
# What lasts until somebody ends it ends by itself here.
_LASTS = {"blocked", "small_reads", "batching", "dead", "silent_death", "unplug"}
# The device itself says another card, and says it well: the table holds, but cannot know which.
LIES = {"conflict"}
_SETTING = {
    "config_barcode": ("plain_text", "no_handshake", "suffix", "defaults"),
}


def faults(reader: Reader) -> list[tuple[str, dict[str, object]]]:
    """Every fault the device knows, with settings that end."""
    found: list[tuple[str, dict[str, object]]] = []
    for name in dealing(reader, "perfect", 1).link.faults:
        if name == "bad_check" and reader.text is face_code:
            continue  # A code that short has no character of which it could be said.
        if name in _LASTS:
            found.append((name, {"ms": 5000}))
        elif name == "config_barcode" and reader.kind == "zebra-ssi":
            found += [(name, {"setting": setting}) for setting in _SETTING[name]]
        elif name == "config_barcode":
            found += [(name, {"setting": "terminator"}), (name, {"setting": "aim", "value": 128})]
            found += [(name, {"setting": "defaults"})]
        elif name == "raise_error":
            found += [(name, {"code": code, "mode": code % 2}) for code in range(1, 8)]
        else:
            found.append((name, {}))
    return found


def with_fault(
    reader: Reader, wire: str, seed: int, fault: str, params: dict[str, object]
) -> Dealing:
    """That fault, three times."""
    table = dealing(reader, wire, seed)
    if fault in LIES:
        table.oracle.checked = False
    for at in (3, 9, 15):
        table.arm(at, fault, **params)
    return table


def play(table: Dealing, cards: int = CARDS) -> Report:
    """To the end of the round in which that many cards are drawn."""
    return table.deal(cards)
