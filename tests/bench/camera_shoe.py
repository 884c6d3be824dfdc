"""A whole shoe through a simulated camera and a whole table, with troubles by seed:
`python -m tests.bench.camera_shoe --seed S --trouble-rate 0.01 [--read barcode,index] [--dir D]`.

No cut card: all 416 cards are drawn, or as many as `--cards` says. At the end the journal is held
against the virtual shoe: every card is there, once, in its order, or its absence was noticed. Told
are re-reads, holds, no-reads, pictures sent, and the memory of the reader's process and the
station at the beginning, the middle and the end. Real time: about two seconds a card.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from hw_sim.soak import Soak, SoakSettings, memory, table_file
from hw_sim.soak_run import facts, figures, truth, verified
from hw_sim.soak_verdict import verdict
from hw_sim.table_config import TableDir

ALL = 416
_WITNESSES = {"barcode,index": "code128", "index": "none"}


class Watched:
    """A soak that ends when so many cards are out, and its memory on the way."""

    def __init__(self, place: TableDir, settings: SoakSettings, cards: int) -> None:
        self.soak = Soak(place, settings, lambda _: self._look())
        self.memory: list[tuple[int, int, int]] = []
        self.pictures = self.cards = 0
        self._most = cards

    def _look(self) -> None:
        """Each second: how far it is, and how large the programs are."""
        server = self.soak.shoe
        shoe = server.shoes.shoe
        self.pictures = max(self.pictures, int(str(server.model.state()["frames"])))
        self.cards = max(self.cards, shoe.cards_out)
        reader, station = self.soak.programs()
        if reader:
            self.memory.append((self.cards, memory(reader), memory(station)))
        if len(self.memory) % 60 == 1:
            _say(f"{self.cards} cards, {self.memory[-1][1] // 1024} MiB the reader")
        if shoe.cards_out < self.cards or not shoe.left or self.cards >= self._most:
            self.soak.stop()

    def told(self) -> None:
        """Memory at the beginning, the middle and the end."""
        if not self.memory:
            return
        middle = min(self.memory, key=lambda one: abs(one[0] - self.cards / 2))
        for name, (cards, reader, station) in (
            ("beginning", self.memory[0]),
            ("middle", middle),
            ("end", self.memory[-1]),
        ):
            _say(
                f"  memory at the {name:10} {reader / 1024:6.1f} MiB the reader, "
                f"{station / 1024:6.1f} MiB the station ({cards} cards)"
            )


def play(place: TableDir, settings: SoakSettings, cards: int = ALL) -> int:
    """Play, print what came of it; 1 for any difference."""
    place.open(table_file(settings, place.path))
    watched = Watched(place, settings, cards)
    try:
        run = watched.soak.run()
    finally:
        place.close()
    found = verdict(truth(place.truth), facts(place.journal), run.books, ended=False)
    chain = verified(place.journal)
    _say(f"{watched.cards} cards in {run.seconds:.0f} s, {watched.pictures} pictures sent")
    _say(f"  troubles {sum(run.faults.values())}: {dict(Counter(run.faults))}")
    watched.told()
    figures(found)
    for text in (*filter(None, (run.stuck, chain)), *found.differences):
        _say(f"DIFFERS  {text}")
    wrong = bool(run.stuck or chain or found.differences)
    _say("verdict: differences" if wrong else "verdict: all equal")
    return int(wrong)


def main() -> int:
    """Print a line now and then, the verdict at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trouble-rate", type=float, default=0.01)
    parser.add_argument("--read", choices=sorted(_WITNESSES), default="barcode,index")
    parser.add_argument("--cards", type=int, default=ALL)
    parser.add_argument("--dir", type=Path, default=None)
    given = parser.parse_args()
    settings = SoakSettings(
        rounds=10_000,
        seed=given.seed,
        rate=given.trouble_rate,
        kind="camera",
        code=_WITNESSES[given.read],
        cut=0,
    )
    with tempfile.TemporaryDirectory() as folder:
        return play(TableDir(given.dir or Path(folder) / "t"), settings, given.cards)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
