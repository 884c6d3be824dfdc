"""What the looks of one card over its frames come to: a card, or why not. Pure logic.

A misread is not rare near the blur limit: one decoder takes one frame in a thousand for another
text, and one such text in dozens has a right check character. So a text counts only when it parses
and was seen twice, in two frames or by both decoders in one; and anything else of a card's form
among the looks is a contradiction, for it is either a misread, and then nobody knows which of the
two is, or another card. Texts of no card's form are noise and change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

from msgspec import Struct

from drivers.camera.sight import CodeLook
from drivers.cardcode import CardText, CutText, Reject


class Parses(Protocol):
    """Tells what a text is: a `drivers.cardcode.CardCode`, or several."""

    def parse(self, text: str) -> CardText | CutText | Reject:
        """A card's code, the cut card's, or neither."""


Why = Literal["", "nothing", "one_look", "contradiction", "bad_check", "not_a_card"]


class Verdict(Struct, frozen=True):
    """`card` is the card or cut card, or None, and then `why` says why not: `nothing` was seen,
    only noise (`not_a_card`), only texts with a wrong check (`bad_check`), a right one too seldom
    (`one_look`), or more than one of a card's form (`contradiction`). `texts` are all texts of a
    card's form, most often seen first; `frames` how many frames showed the card's.
    """

    card: CardText | CutText | None
    why: Why
    texts: tuple[str, ...] = ()
    frames: int = 0


class _Votes:
    """Of one text: the frames it was seen in, and those in which both decoders read it."""

    def __init__(self, parsed: CardText | CutText | Reject) -> None:
        self.parsed = parsed
        self.frames: set[int] = set()
        self.agreed: set[int] = set()


class CodeJudge:
    """Takes the looks of one card, frame by frame; `verdict()` at any time."""

    def __init__(self, code: Parses) -> None:
        self._code = code
        self._votes: dict[str, _Votes] = {}
        self._noise = False

    def add(self, frame: int, looks: Iterable[CodeLook]) -> None:
        """The looks of frame number `frame` at this card. The same frame twice is one frame."""
        for look in looks:
            # A text that is no plain ASCII is "": no card's.
            parsed = self._code.parse(look.text)
            if isinstance(parsed, Reject) and parsed.reason == "not_a_card":
                self._noise = True
                continue
            votes = self._votes.setdefault(look.text, _Votes(parsed))
            votes.frames.add(frame)
            if len(look.decoders) > 1:
                votes.agreed.add(frame)

    def verdict(self) -> Verdict:
        """What the looks so far come to."""
        texts = tuple(sorted(self._votes, key=lambda text: (-len(self._votes[text].frames), text)))
        if not texts:
            return Verdict(None, "not_a_card" if self._noise else "nothing")
        valid = [t for t in texts if not isinstance(self._votes[t].parsed, Reject)]
        if not valid:
            return Verdict(None, "bad_check", texts)
        votes = self._votes[valid[0]]
        if len(texts) > 1:
            return Verdict(None, "contradiction", texts, len(votes.frames))
        parsed = votes.parsed
        assert not isinstance(parsed, Reject)
        if not self._enough(parsed, votes):
            return Verdict(None, "one_look", texts, len(votes.frames))
        return Verdict(parsed, "", texts, len(votes.frames))

    def _enough(self, parsed: CardText | CutText, votes: _Votes) -> bool:
        if parsed.checked:
            return len(votes.frames) >= 2 or len(votes.agreed) >= 1
        # Nothing but its form speaks for a text without a check character: once more.
        return len(votes.frames) >= 3 or (len(votes.frames) >= 2 and len(votes.agreed) >= 1)


def judge(frames: Iterable[tuple[int, Iterable[CodeLook]]], code: Parses) -> Verdict:
    """The verdict over numbered frames and their looks."""
    one = CodeJudge(code)
    for number, looks in frames:
        one.add(number, looks)
    return one.verdict()
