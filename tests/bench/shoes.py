"""What card shoes cost in lost and wrong cards over a bad wire: `python -m tests.bench.shoes`.

A virtual shoe and its driver, in memory. For each wire and rate, of all cards drawn:

- `read`: the right card, once.
- `told`: no card, and a no-read or a trouble with it, or at the next report.
- `silent`: no card, and never a word. What must not be.
- `wrong, held`: another card, and a trouble in the same breath.
- `wrong`: another card, and no word.
- `twice`: more than one card for one draw, and no word.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable

from drivers.protocols.angeleye import AngelEye
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.beetek import BeeTek
from hw_sim.codes import decks
from hw_sim.models import angeleye, beetek
from hw_sim.models.base import Model
from tests.contract.test_shoes_over_a_lossy_wire import DRAW_MS, Run, Wire, cards, stopped

OUTCOMES = ("read", "told", "silent", "wrong, held", "wrong", "twice")
Shoe = tuple[str, Callable[[], Model], Callable[[], DeviceProtocol]]
SHOES: tuple[Shoe, ...] = (
    ("angel-eye", angeleye.AngelEye, lambda: AngelEye("shoe")),
    ("bee-tek", beetek.BeeTek, lambda: BeeTek("shoe")),
)


def messages(rate: float) -> Wire:
    """Each message is lost whole at that rate."""
    return lambda dice, data: b"" if dice.random() < rate else data


def losses(rate: float) -> Wire:
    """Each byte is lost at that rate."""
    return lambda dice, data: bytes(byte for byte in data if dice.random() >= rate)


def flips(rate: float) -> Wire:
    """One bit of each byte is turned over at that rate."""
    return lambda dice, data: bytes(
        byte ^ (1 << dice.randrange(8)) if dice.random() < rate else byte for byte in data
    )


def bursts(rate: float) -> Wire:
    """Each message has, at that rate, one to five bytes in a row that are anything."""

    def wire(dice: random.Random, data: bytes) -> bytes:
        if dice.random() >= rate:
            return data
        at, size = dice.randrange(len(data)), dice.randrange(1, 6)
        return (data[:at] + dice.randbytes(size) + data[at + size :])[: len(data)]

    return wire


WIRES: dict[str, Callable[[float], Wire]] = {
    "messages lost": messages,
    "bytes lost": losses,
    "bits turned over": flips,
    "bursts": bursts,
}


def measure(shoe: Shoe, wire: Wire, count: int, seed: int) -> Counter[str]:
    """Draw `count` cards and count what came of them."""
    _, model, driver = shoe
    dice = random.Random(seed)
    virtual, run = model(), Run(driver(), wire, dice)
    run.hear(virtual.start(0), 1000)
    deck = decks(8, "A")
    found: Counter[str] = Counter()
    unsaid = 0
    for _ in range(count):
        card = dice.choice(deck)
        said = run.hear(virtual.card(card, run.now_ms), DRAW_MS)
        run.seen.clear()
        told, stop = cards(said), stopped(said)
        if stop:
            found["told"] += unsaid
            unsaid = 0
        elif told:
            found["silent"] += unsaid
            unsaid = 0
        if told == [card.face]:
            found["read"] += 1
        elif told and stop:
            found["wrong, held"] += 1
        elif told:
            found["wrong" if len(told) == 1 else "twice"] += 1
        elif stop:
            found["told"] += 1
        else:
            unsaid += 1
    found["silent"] += unsaid
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.stdout.write(
        f"{'shoe':10} {'wire':17} {'rate':>7} " + " ".join(f"{o:>11}" for o in OUTCOMES) + "\n"
    )
    for shoe in SHOES:
        for name, wire in WIRES.items():
            for rate in (0.001, 0.01, 0.1, *((0.5,) if name == "messages lost" else ())):
                found = measure(shoe, wire(rate), given.cards, given.seed)
                figures = " ".join(f"{found[o]:>11,}" for o in OUTCOMES)
                sys.stdout.write(f"{shoe[0]:10} {name:17} {rate:>7} {figures}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
