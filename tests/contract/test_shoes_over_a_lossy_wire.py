"""Driver and virtual shoe over a wire that loses and spoils bytes, in memory, by seed.

Each card comes once and right, or there is a no-read or a trouble by which the table holds; never
two for one draw, never another card without a trouble.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

from drivers.observations import AnyObservation, CardRead, NoRead, Trouble
from drivers.protocols.angeleye import AngelEye
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.beetek import BeeTek
from hw_sim.codes import VirtualCard, decks
from hw_sim.models import angeleye, beetek
from hw_sim.models.base import Piece

MS = 1_000_000
SEEDS = range(20 * int(os.environ.get("DEALER_STATION_TEST_LONG", "1")))
SHOE = decks(8, "A")[:120]
DRAW_MS = 700
Wire = Callable[[random.Random, bytes], bytes]


def lost_bytes(dice: random.Random, data: bytes) -> bytes:
    """Single bytes are lost."""
    return bytes(byte for byte in data if dice.random() >= 0.02)


def lost_messages(dice: random.Random, data: bytes) -> bytes:
    """Whole messages are lost."""
    return b"" if dice.random() < 0.3 else data


def flipped_bits(dice: random.Random, data: bytes) -> bytes:
    """Single bits are turned over."""
    return bytes(byte ^ (1 << dice.randrange(8) if dice.random() < 0.01 else 0) for byte in data)


def bursts(dice: random.Random, data: bytes) -> bytes:
    """A stretch of a message becomes anything."""
    if dice.random() >= 0.1:
        return data
    at, size = dice.randrange(len(data)), dice.randrange(1, 6)
    return data[:at] + dice.randbytes(size) + data[at + size :]


def noise_between(dice: random.Random, data: bytes) -> bytes:
    """Bytes that nobody sent, around a message."""
    noise = [dice.randbytes(dice.randrange(1, 9)) if dice.random() < 0.1 else b"" for _ in "ab"]
    return noise[0] + data + noise[1]


class Run:
    """Cards drawn from a virtual shoe into a driver. Pieces are cut at random."""

    def __init__(self, driver: DeviceProtocol, wire: Wire, dice: random.Random) -> None:
        self._driver = driver
        self._wire = wire
        self._dice = dice
        self._wake: int | None = None
        self.now_ms = 0
        self.seen: list[AnyObservation] = []

    def hear(self, pieces: list[Piece], until_ms: int) -> list[AnyObservation]:
        """What the driver says of these pieces and the time after them."""
        before = len(self.seen)
        start = self.now_ms
        for piece in sorted(pieces, key=lambda one: one.at_ms):
            data = self._wire(self._dice, piece.data)
            cut = self._dice.randrange(len(data) + 1)
            for part, later in ((data[:cut], 0), (data[cut:], self._dice.randrange(3))):
                self._pass(start + piece.at_ms + later)
                self._note(self._driver.feed(part, self.now_ms * MS))
        self._pass(start + until_ms)
        return self.seen[before:]

    def _pass(self, now_ms: int) -> None:
        now_ms = max(now_ms, self.now_ms)
        while self._wake is not None and self._wake <= now_ms * MS:
            self._note(self._driver.tick(self._wake))
        self.now_ms = now_ms

    def _note(self, out: object) -> None:
        self.seen.extend(out.observations)  # type: ignore[attr-defined]
        self._wake = out.wake_at_ns  # type: ignore[attr-defined]


def cards(seen: list[AnyObservation]) -> list[str]:
    """The faces told."""
    return [one.face for one in seen if isinstance(one, CardRead)]


def stopped(seen: list[AnyObservation]) -> bool:
    """Whether the table is told that something is wrong with a card; not: with the wire."""
    troubles = [one for one in seen if isinstance(one, Trouble) and one.code != "noisy_line"]
    return bool(troubles) or any(isinstance(one, NoRead) for one in seen)


def shuffled(dice: random.Random) -> list[VirtualCard]:
    """A part of a shoe."""
    return dice.sample(SHOE, len(SHOE))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "wire",
    [lost_bytes, lost_messages, flipped_bits, bursts, noise_between],
    ids=lambda w: w.__name__,
)
def test_angel_eye_the_right_card_once_or_a_word(wire: Wire, seed: int) -> None:
    dice = random.Random(seed)
    shoe, run = angeleye.AngelEye(), Run(AngelEye("shoe"), wire, dice)
    run.hear(shoe.start(0), 1000)
    missing = 0
    for card in shuffled(dice):
        said = run.hear(shoe.card(card, run.now_ms), DRAW_MS)
        told = cards(said)
        if missing:
            # What was lost without a word is told by the next number that comes.
            assert stopped(said) or not told
        if told == [card.face]:
            missing = 0
        elif not told:
            missing += not stopped(said)
            assert missing < 8, "the numbers come round"
        else:
            assert stopped(said), (told, card.face)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fault", ["bad_bcc", "lost_copies"])
@pytest.mark.parametrize("copies", [1, 2])
def test_angel_eye_one_good_copy_is_enough(fault: str, copies: int, seed: int) -> None:
    dice = random.Random(seed)
    shoe, run = angeleye.AngelEye(), Run(AngelEye("shoe"), lambda _, data: data, dice)
    for card in shuffled(dice)[:30]:
        spoilt = fault if dice.random() < 0.5 else ""
        pieces = shoe.card(card, run.now_ms, spoilt, {"copies": copies} if spoilt else {})
        said = run.hear(pieces, DRAW_MS)
        assert cards(said) == [card.face]
        assert not stopped(said)


@pytest.mark.parametrize("seed", SEEDS)
def test_bee_tek_the_right_card_once_or_a_word_when_bytes_get_lost(seed: int) -> None:
    dice = random.Random(seed)
    shoe = beetek.BeeTek(echo=dice.random() < 0.5, ten=dice.choice(["T", "10"]))
    run = Run(BeeTek("shoe"), lost_bytes, dice)
    for card in shuffled(dice):
        said = run.hear(shoe.card(card, run.now_ms), DRAW_MS)
        assert cards(said) in ([], [card.face])
        assert cards(said) or stopped(said)


@pytest.mark.parametrize("seed", SEEDS)
def test_bee_tek_noise_around_a_record_never_makes_another_card(seed: int) -> None:
    dice = random.Random(seed)
    shoe, run = beetek.BeeTek(), Run(BeeTek("shoe"), noise_between, dice)
    for card in shuffled(dice):
        said = run.hear(shoe.card(card, run.now_ms), DRAW_MS)
        assert cards(said) in ([], [card.face])
        assert cards(said) or stopped(said)


@pytest.mark.parametrize("seed", SEEDS)
def test_bee_tek_every_fault_of_the_shoe_is_the_card_once_or_a_word(seed: int) -> None:
    dice = random.Random(seed)
    shoe, run = beetek.BeeTek(), Run(BeeTek("shoe"), lambda _, data: data, dice)
    faults = ["", *(name for name, fault in beetek.FAULTS.items() if fault.when == "draw")]
    for card in shuffled(dice):
        fault = dice.choice([name for name in faults if name != "double_record"])
        said = run.hear(shoe.card(card, run.now_ms, fault), 2000)
        assert cards(said) in ([], [card.face]), fault
        assert cards(said) or stopped(said), fault


@pytest.mark.parametrize("seed", SEEDS)
def test_angel_eye_every_fault_of_the_shoe_is_the_card_once_or_a_word(seed: int) -> None:
    dice = random.Random(seed)
    shoe, run = angeleye.AngelEye(), Run(AngelEye("shoe"), lambda _, data: data, dice)
    faults = ["", *(name for name, fault in shoe.faults.items() if fault.when == "draw")]
    run.hear(shoe.start(0), 1000)
    lost = False
    for card in shuffled(dice):
        # A shoe that also gives a lost report's number to the next one hides the loss itself.
        fault = dice.choice([name for name in faults if not (lost and name == "same_number")])
        said = run.hear(shoe.card(card, run.now_ms, fault), 2000)
        assert cards(said) in ([], [card.face]), fault
        assert stopped(said) or not lost or fault == "lost_copies", (
            "the loss before is told by its number"
        )
        assert cards(said) or stopped(said) or fault == "lost_copies", fault
        lost = fault == "lost_copies" or (lost and not stopped(said))
        if shoe.state()["error"]:
            again = run.hear(shoe.do("clear_error", {}, run.now_ms), 2000)
            assert cards(again) == ([card.face] if fault == "overdraw" else [])
