"""How the reader does on made-up decks it has never seen, at rising harshness.

    python -m scripts.train_index.evaluate BANK.npz COUNT SEED {train|held} HARSH... [OPTION...]

For each harshness so many corners of decks of the fonts held out: read right, unsure, wrong, by
each recogniser and by both together; and what was read where nothing could be: a covered index read
right is no mistake, anything else is. `--enrol` learns each deck first, from four gentle pictures
of each card, and reads with its own templates; `--covered`: only indices with something over them.
The bound is what the true rate of wrong ones lies under with 95 % certainty, if none was seen.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.enrol import EnrolError, check, learn, with_limits
from drivers.camera.index.measure import measure
from drivers.camera.index.reader import IndexReader, find
from scripts.train_index import decks, render
from scripts.train_index.make_data import KINDS, SHARES, fonts_of, load_bank

_A_DECK = 40


def enrolled(deck, bank, rng: np.random.Generator):
    """A deck learned from gentle pictures, or None where learning refuses it."""

    def passes(each: int):
        for rank in range(13):
            for suit in range(4):
                for _ in range(each):
                    shown = render.sample(rng, deck, bank, 0.15, "index", (rank, suit))
                    found = find(shown.frame, shown.corner, shown.hint, None)
                    if found is not None:
                        face = decks.RANKS[rank] + decks.SUITS[suit]
                        yield face, measure(found.patch, found.index)

    try:
        learned = learn(passes(4), "made up")
        separation = check(learned, passes(1))
    except EnrolError as error:
        return None, str(error)
    if not separation.safe:
        return None, separation.why_unsafe
    return with_limits(learned, separation), ""


def outcome(said: str, drawn: render.Sample) -> str:
    right = decks.RANKS[drawn.rank] + decks.SUITS[drawn.suit] if drawn.rank >= 0 else ""
    if drawn.kind == "index":
        return "unsure" if not said else "right" if said == right else "WRONG"
    return "silent" if not said else "right though covered" if said == right else "WRONG of nothing"


def run(bank, held: bool, count: int, seed: int, harsh: float, enrol: bool, covered: bool) -> None:
    fonts, suit_fonts = fonts_of(bank, held)
    rng = np.random.default_rng(seed)
    reader, tally, faults = IndexReader(), {}, []
    deck = None
    for i in range(count):
        if i % _A_DECK == 0:
            deck = decks.make_deck(rng, bank, fonts, suit_fonts)
            if enrol:
                learned, why = enrolled(deck, bank, rng)
                tally.setdefault("decks", Counter())[why[:24] or "learned"] += 1
                reader = IndexReader(deck=learned) if learned else None
        if reader is None:
            continue
        kind = "covered" if covered else str(rng.choice(KINDS, p=SHARES))
        drawn = render.sample(rng, deck, bank, harsh, kind)
        look = reader.look_at(drawn.frame, drawn.corner, drawn.hint)
        for who, said in (
            ("templates", look.templates),
            ("network", look.network),
            ("both", look.face or ""),
        ):
            what = outcome(said, drawn)
            tally.setdefault(who, Counter())[what] += 1
            if who == "both" and "WRONG" in what:
                true = (drawn.kind, drawn.rank, drawn.suit, round(drawn.hidden, 2))
                faults.append(f"{said} for {true}, {look.score:.2f}")
                faults[-1] += f" (number {i})"
    report(harsh, tally, faults)


def report(harsh: float, tally: dict[str, Counter], faults: list[str]) -> None:
    for who, counts in tally.items():
        sys.stdout.write(f"{harsh:.2f} {who}: {dict(counts.most_common())}\n")
    both = tally["both"]
    told = both["right"] + both["right though covered"]
    wrong = both["WRONG"] + both["WRONG of nothing"]
    bound = 3 / max(told, 1) if not wrong else float("nan")
    sys.stdout.write(f"{harsh:.2f} told {told}, wrong {wrong}, bound {bound:.1e} {faults}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    cv2.setNumThreads(1)
    options = ("--enrol", "--covered")
    words = [word for word in sys.argv[1:] if word not in options]
    shapes = load_bank(words[0])
    held_out, number, start = words[3] == "held", int(words[1]), int(words[2])
    for level in words[4:]:
        run(shapes, held_out, number, start, float(level), *(name in sys.argv for name in options))
