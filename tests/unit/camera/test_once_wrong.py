"""Rendered sequences that were told wrongly or lost once, each in a way of its own.

By the numbers of `python -m tests.bench.sequences --seed 100`, which tells more of each.
"""

from __future__ import annotations

import pytest

from tests.bench import sequences

SEED = 100
ONCE = {
    8540: "two close behind each other, one thing for a frame: the second was not told",
    11296: "a resting card that fell in two was told once more",
    13290: "a card half drawn was told under seams that flicker",
    13345: "of two that do not move the one behind was told",
    13501: "two close behind each other, told as two, are two",
    16081: "a card behind a picture that was half grey was told once more",
    22927: "a card behind a picture that was half grey was told once more",
    24139: "a code that one torn picture shows, right for both decoders, of another card",
    26546: "an index found again on the next card, which lay askew behind it",
    26680: "two close behind each other, one thing for a frame: the second was not told",
    26914: "the code of the next card, which touched the one that was drawn",
    27419: "a card behind a picture that was half grey was told once more",
    31018: "two close behind each other, one thing for a frame: the second was not told",
    38657: "two faster than nine tenths of the window a frame: the second was not told",
    42420: "the last sliver of a card that was pushed back, askew, told another way",
    45505: "glare at the corner of a cut card hid that it was one",
    47859: "a card drawn under a hand that filled the window was not told",
    50556: "a card that leans, drawn in and pushed back, told a way across its own",
    54430: "a card so fast that its ends were not followed, on a way not known yet, was not told",
    55262: "two pictures of four were another card's, and one recogniser saw that",
    59101: "a card of which pieces were seen under a hand was not told",
    61292: "pieces of one card with a finger between them were told as two",
    64318: "the next card's front was taken for that of the one that had filled the window",
    75293: "a fast card close behind another was a part of it for a picture, and not told",
    81045: "a card with a false seam from the first picture on was told by its code twice",
    82024: "a card that went all the way under a hand was not told",
    85027: "a card seen for the second time, in two pieces, was told twice",
    88779: "a card seen for the second time, in two pieces, was told twice",
    98809: "the pieces of a card whose code is one of all decks were told twice",
    99660: "of two in a short film on no known way the one behind was told",
    37403: "a resting card that fell in two far on was told once more",
}


@pytest.mark.parametrize("number", ONCE, ids=str)
def test_what_was_told_wrongly_once_is_right_or_unsure(number: int) -> None:
    row = sequences.run(SEED, number)
    assert row["answer"] in ("right", "unsure"), (ONCE[number], row)
