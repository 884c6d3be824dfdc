"""What damage becomes, for each protocol and code format: `python -m tests.bench.misreads`.

Each message is damaged in a named way, with nothing behind it that could help but what the device
would send anyway (all its copies are damaged, each by itself), and a whole message of another card
follows. A message is *right* when its card was told, *told* when a no-read or a trouble was, *held*
when another card was told that the table holds for at once (another set, a ninth deck), *nothing*
when nothing was said at all, and WRONG when another card of the shoe was told: the table cannot
notice that unless that card has been dealt. *next* counts whole messages that were not read then.

Exit code 1 when a whole message was not read, or a single wrong character made another card where
the code carries a check.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from drivers.observations import AnyObservation, CardRead, CutCard, NoRead, Trouble
from drivers.protocols.base import DeviceProtocol
from hw_sim.codes import ALPHABET, OtherCode, VirtualCard, decks
from hw_sim.models import ssi_wire
from hw_sim.models.base import Model
from hw_sim.models.registry import make_model
from tests.support.golden import protocol_of
from tests.support.scenarios import DECK, FACE, deck_code, face_code

MS = 1_000_000
# Longer than any protocol remembers a message for a repeat.
APART_MS = 12_000
NO_READS = ("right", "told", "held", "nothing", "WRONG")
Text = Callable[[VirtualCard], str]
Message = list[tuple[int, bytes]]
Damage = Callable[[random.Random, bytes, bytes], bytes]


def checked_code(card: VirtualCard) -> str:
    """The default code."""
    return card.code


@dataclass(frozen=True)
class Row:
    """A protocol and what is printed on the cards it reads."""

    name: str
    kind: str
    settings: dict[str, Any]
    text: Text
    checked: bool = True


ROWS = (
    Row("text-line, check", "text-line", {}, checked_code),
    Row("text-line, deck", "text-line", DECK, deck_code, checked=False),
    Row("text-line, face", "text-line", FACE, face_code, checked=False),
    Row("text-line no end, check", "text-line", {"suffix": "none"}, checked_code),
    Row("gm65, check", "gm65", {}, checked_code),
    Row("zebra-ssi, check", "zebra-ssi", {}, checked_code),
    Row("zebra-ssi, deck", "zebra-ssi", DECK, deck_code, checked=False),
    Row("zebra-ssi, face", "zebra-ssi", FACE, face_code, checked=False),
    Row("hid-pos, check", "hid-pos", {}, checked_code),
    Row("hid-pos, face", "hid-pos", FACE, face_code, checked=False),
    Row("keyboard, check", "keyboard", {}, checked_code),
    Row("angel-eye", "angel-eye", {}, face_code),
    Row("bee-tek", "bee-tek", {}, face_code, checked=False),
)

# --- what is done to bytes ------------------------------------------------------------------------


def one_bit(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :]


def _replaced(rng: random.Random, data: bytes, places: list[int]) -> bytes:
    left = bytearray(data)
    for at in places:
        left[at] = (left[at] + rng.randrange(1, 256)) % 256
    return bytes(left)


def one_byte(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    return _replaced(rng, data, [rng.randrange(len(data))])


def two_bytes(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    return _replaced(rng, data, rng.sample(range(len(data)), 2))


def burst_of_three(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at = rng.randrange(max(1, len(data) - 2))
    return _replaced(rng, data, list(range(at, min(len(data), at + 3))))


def one_lost(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + 1 :]


def two_lost(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return one_lost(rng, one_lost(rng, data, other), other)


def halves_joined(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """The beginning of one message and the end of the next, with what was between lost."""
    return data[: rng.randrange(1, len(data))] + other[rng.randrange(1, len(other)) :]


def all_lost(_rng: random.Random, _data: bytes, _other: bytes) -> bytes:
    return b""


BYTES: dict[str, Damage] = {
    "one bit": one_bit,
    "one byte replaced": one_byte,
    "two bytes replaced": two_bytes,
    "burst of three": burst_of_three,
    "one byte lost": one_lost,
    "two bytes lost": two_lost,
    "halves joined": halves_joined,
    "all copies lost": all_lost,
}
# A record comes whole or not at all.
_RECORDS = (
    "one bit",
    "one byte replaced",
    "two bytes replaced",
    "burst of three",
    "all copies lost",
)


# --- what is done to the text, before it is on the wire -----------------------------------------


def misread(count: int) -> Callable[[random.Random, str, str], str]:
    """So many characters are taken for others that a code can hold."""

    def spoil(rng: random.Random, text: str, _other: str) -> str:
        left = list(text)
        for at in rng.sample(range(len(left)), min(count, len(left))):
            left[at] = rng.choice([c for c in ALPHABET if c != left[at]])
        return "".join(left)

    return spoil


def unread(rng: random.Random, text: str, _other: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + text[at + 1 :]


def swapped(rng: random.Random, text: str, _other: str) -> str:
    at = rng.randrange(len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def texts_joined(rng: random.Random, text: str, other: str) -> str:
    at = rng.randrange(1, len(text))
    return text[:at] + other[at:]


TEXTS: dict[str, Callable[[random.Random, str, str], str]] = {
    "one character misread": misread(1),
    "two characters misread": misread(2),
    "three characters misread": misread(3),
    "one character missing": unread,
    "two neighbours swapped": swapped,
    "two codes mixed": texts_joined,
}

# --- messages -------------------------------------------------------------------------------------


class Sender:
    """What a device of that row puts on the wire for a card."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self.model: Model = make_model(row.kind)

    def message(self, card: VirtualCard, text: str) -> Message:
        if self._row.kind == "zebra-ssi":
            data = bytes((ssi_wire.CODE_128,)) + text.encode("ascii")
            marks = (0, ssi_wire.RESENT, ssi_wire.RESENT)
            return [
                (i * 2000, ssi_wire.packet(ssi_wire.DECODE, data, mark))
                for i, mark in enumerate(marks)
            ]
        other = OtherCode(card.face, card.deck, card.set, text)
        return [(piece.at_ms, piece.data) for piece in self.model.card(other, 0)]


class Bench:
    """One protocol, fed message after message."""

    def __init__(self, row: Row, seed: int) -> None:
        self.row = row
        self.rng = random.Random(f"misreads/{row.name}/{seed}")
        self.sender = Sender(row)
        self.protocol: DeviceProtocol = protocol_of(row.kind, row.settings)
        self.cards = decks(8, "A")
        self.now_ms = 0
        self.missed = 0

    def damage(self, name: str, count: int) -> Counter[str]:
        """How many of that many messages became what."""
        found: Counter[str] = Counter()
        self._tell(self._fresh())
        for _ in range(count):
            card, other, then = self.rng.sample(self.cards, 3)
            seen = self._tell(self._damaged(name, card, other))
            after = self._tell(self.sender.message(then, self.row.text(then)))
            if not any(self._is(one, then) for one in after):
                self.missed += 1
            seen += [one for one in after if not isinstance(one, CardRead)]
            right = (card, other) if name in ("halves joined", "two codes mixed") else (card,)
            found[self._became(seen, right)] += 1
        return found

    def _fresh(self) -> Message:
        card = self.cards[0]
        return self.sender.message(card, self.row.text(card))

    def _damaged(self, name: str, card: VirtualCard, other: VirtualCard) -> Message:
        text = self.row.text(card)
        if name in TEXTS:
            spoilt = TEXTS[name](self.rng, text, self.row.text(other))
            return self.sender.message(card, spoilt)
        whole = self.sender.message(card, text)
        behind = whole
        if name == "halves joined":
            behind = self.sender.message(other, self.row.text(other))
        spoil = BYTES[name]
        pairs = zip(whole, behind, strict=True)
        return [(at, spoil(self.rng, data, end)) for (at, data), (_, end) in pairs]

    def _tell(self, message: Message) -> list[AnyObservation]:
        """Feed it, and let time pass as the protocol asks for it."""
        seen: list[AnyObservation] = []
        wake: int | None = None
        for at_ms, data in (*message, (APART_MS, b"")):
            now = (self.now_ms + at_ms) * MS
            while wake is not None and wake <= now:
                out = self.protocol.tick(wake)
                seen += out.observations
                wake = out.wake_at_ns
            if data:
                out = self.protocol.feed(data, now)
                seen += out.observations
                wake = out.wake_at_ns
        self.now_ms += APART_MS
        return seen

    def _is(self, seen: AnyObservation, card: VirtualCard) -> bool:
        if not isinstance(seen, CardRead) or seen.face != card.face:
            return False
        return seen.deck in (0, card.deck) and seen.set in ("", card.set)

    def _became(self, seen: list[AnyObservation], right: tuple[VirtualCard, ...]) -> str:
        read = [one for one in seen if isinstance(one, CardRead) and not one.resent]
        others = [one for one in read if not any(self._is(one, card) for card in right)]
        told = any(isinstance(one, NoRead | Trouble) for one in seen)
        if any(isinstance(one, CutCard) for one in seen):
            return "WRONG"
        if others:
            foreign = all(one.set not in ("", "A") or one.deck > 8 for one in others)
            return "held" if foreign else "WRONG"
        if read:
            return "right"
        return "told" if told else "nothing"


def ways(row: Row) -> Iterator[str]:
    """What is done to the messages of that row."""
    if row.kind != "keyboard":
        yield from (_RECORDS if row.kind == "hid-pos" else BYTES)
    if row.kind not in ("angel-eye", "bee-tek"):
        yield from TEXTS


def main(say: Callable[[str], object] = lambda text: sys.stdout.write(text + "\n")) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000, help="a line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--row", action="append", default=[], help="names that contain this")
    given = parser.parse_args()
    bad = False
    say(f"| protocol, code | damage | {' | '.join(NO_READS)} | next |")
    say("|---|---|" + "---|" * (len(NO_READS) + 1))
    for row in ROWS:
        if given.row and not any(part in row.name for part in given.row):
            continue
        began = time.perf_counter()
        for name in ways(row):
            bench = Bench(row, given.seed)
            found = bench.damage(name, given.messages)
            cells = " | ".join(f"{found[what]:,}" for what in NO_READS)
            say(f"| {row.name} | {name} | {cells} | {bench.missed:,} |")
            single = name == "one character misread" and row.checked
            bad = bad or bench.missed > 0 or (single and found["WRONG"] > 0)
            sys.stdout.flush()
        sys.stderr.write(f"{row.name}: {time.perf_counter() - began:.1f} s\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
