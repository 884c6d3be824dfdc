"""What the looks at one card mean together: the card, or why it cannot be told.

Pure: looks in, a verdict out. Wrong is far worse than unsure, so whatever contradicts makes it
unsure, and one look of one kind is never enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from drivers.camera.codes.judge import Verdict as CodeVerdict
from drivers.camera.codes.judge import judge
from drivers.camera.sight import CodeLook, IndexLook
from drivers.cardcode import CardCode, CardText, CutText, Reject

Witness: TypeAlias = Literal["barcode", "index"]

# An index is believed when so many views (corners in frames) agree.
_VIEWS = 2
# A code read by both decoders in one frame is enough of a card that was seen in no more than that.
_FEW = 2
# In so many frames it must have been longer than a card to be two.
_LONG = 2


@dataclass(frozen=True)
class Verdict:
    """`face` with what its code adds, or `cut` for the cut card's code; else `why`, a reason of
    `drivers.observations.NoRead`, and `detail`: what each witness says, as `code=KH/7 index=QH`.
    `by` are the witnesses of the face. `sure`: nothing that may still be seen could add to it.
    """

    face: str = ""
    card: CardText | None = None
    cut: CutText | None = None
    by: tuple[Witness, ...] = ()
    why: str = ""
    detail: str = ""
    sure: bool = False


@dataclass(frozen=True)
class Codes:
    """The forms of code that may be printed on the cards; a table has one. A text of the one form
    is none of another.
    """

    forms: tuple[CardCode, ...]

    def parse(self, text: str) -> CardText | CutText | Reject:
        """What `text` is by the form that knows it best."""
        found = [form.parse(text) for form in self.forms]
        read = [one for one in found if not isinstance(one, Reject)]
        known = [one for one in found if isinstance(one, Reject) and one.reason == "bad_check"]
        return (read or known or found)[0]


@dataclass
class Witnesses:
    """All looks at one card. `read`: which witnesses are on; `alone`: one of two is enough. `long`:
    in how many frames it was longer than a card; `looked`: in how many it was looked at.
    """

    code: Codes
    read: frozenset[Witness]
    alone: bool = True
    long: int = 0
    looked: int = 0
    codes: dict[int, tuple[CodeLook, ...]] = field(default_factory=dict)
    indices: dict[int, tuple[IndexLook, ...]] = field(default_factory=dict)
    _kept: Verdict | None = field(default=None, init=False)

    def add(
        self, frame: int, codes: Sequence[CodeLook] = (), indices: Sequence[IndexLook] = ()
    ) -> None:
        """What one frame more shows of the card."""
        self.looked += 1
        if codes:
            self.codes[frame] = (*self.codes.get(frame, ()), *codes)
        if indices:
            self.indices[frame] = (*self.indices.get(frame, ()), *indices)
        if codes or indices:
            self._kept = None

    def double(self) -> None:
        """A second card lies on or under it."""
        self.long = _LONG
        self._kept = None

    def forget(self) -> None:
        """The looks so far are not known to be of this card."""
        self.codes.clear()
        self.indices.clear()
        self.looked = 0
        self._kept = None

    def longer(self) -> None:
        """One frame more in which it is longer than a card."""
        self.long += 1
        self._kept = None

    @property
    def verdict(self) -> Verdict:
        """What they mean so far."""
        if self._kept is None:
            self._kept = self._weighed()
        return self._kept

    def frames(self) -> tuple[int, ...]:
        """The frames in which something was read of it, in order."""
        read = {number for number, looks in self.codes.items() if looks}
        read |= {n for n, looks in self.indices.items() if any(look.face for look in looks)}
        return tuple(sorted(read))

    def _weighed(self) -> Verdict:
        code = judge(self.codes.items(), self.code)
        if code.card is not None and code.frames < 2 and self.looked > _FEW:
            # Both decoders may be deceived by one picture: by two halves of two pictures, say.
            code = CodeVerdict(None, "one_look", code.texts, code.frames)
        index = _index(self.indices)
        if isinstance(code.card or self._once(code), CutText):
            return self._cut(code, index)
        if self.long >= _LONG or "two_cards" in (self._two_codes(), index.why):
            return self._unsure("two_cards", code, index)
        if "contradiction" in (code.why, index.why):
            # Misread once, one card says two things; what says each of them twice is two cards.
            why = "two_cards" if len(self._backed()) > 1 else "contradiction"
            return self._unsure(why, code, index)
        return self._two(code, index)

    def _cut(self, code: CodeVerdict, index: _Index) -> Verdict:
        """A cut card's code was seen: whoever shows an index is none."""
        if index.faces or index.jokers:
            return self._unsure("witnesses_disagree", code, index)
        if isinstance(code.card, CutText):
            return Verdict(cut=code.card, by=("barcode",), sure=True)
        return self._unsure("one_look", code, index)

    def _two_codes(self) -> str:
        """Two right codes in one frame are two cards', not one's misread."""
        for looks in self.codes.values():
            right = {
                look.text for look in looks if isinstance(self.code.parse(look.text), CardText)
            }
            if len(right) > 1:
                return "two_cards"
        return ""

    def _backed(self) -> list[str]:
        """The right codes that were seen in two frames, or whose face an index tells as well: which
        of two cards of one face it is of, an index cannot tell.
        """
        frames: Counter[str] = Counter()
        for looks in self.codes.values():
            frames.update({look.text for look in looks})
        cards = {text: self.code.parse(text) for text in frames}
        right = {text: card.face for text, card in cards.items() if isinstance(card, CardText)}
        faces = Counter(right.values())
        shown = {look.face for looks in self.indices.values() for look in looks}
        told = {text for text, face in right.items() if face in shown and faces[face] == 1}
        return [text for text in right if frames[text] + (text in told) > 1]

    def _two(self, code: CodeVerdict, index: _Index) -> Verdict:
        card = code.card if isinstance(code.card, CardText) else None
        once = self._once(code)
        seen = card or (once if isinstance(once, CardText) else None)
        shown = index.faces[0] if index.faces else ""
        if seen is not None and (index.jokers or (shown and seen.face != shown)):
            return self._unsure("witnesses_disagree", code, index)
        if seen is not None and shown:
            # Two witnesses of different kinds agree: each of them once is enough.
            return Verdict(face=shown, card=seen, by=("barcode", "index"), sure=True)
        both = len(self.read) == 2
        if card is not None:
            return self._one(Verdict(face=card.face, card=card, by=("barcode",), sure=not both))
        if shown and index.views >= _VIEWS:
            return self._one(Verdict(face=shown, by=("index",), sure=not both))
        return self._unsure(self._why(code, index), code, index)

    def _one(self, verdict: Verdict) -> Verdict:
        if len(self.read) == 2 and not self.alone:
            said = _code(verdict.card) if verdict.card else f"index={verdict.face}"
            return Verdict(why="one_witness", detail=said)
        return verdict

    def _why(self, code: CodeVerdict, index: _Index) -> str:
        if index.jokers >= _VIEWS:
            return "joker"
        if index.faces or code.why == "one_look":
            return "one_look"
        return code.why if code.why in ("bad_check", "not_a_card") else "unread"

    def _unsure(self, why: str, code: CodeVerdict, index: _Index) -> Verdict:
        parsed = [self.code.parse(text) for text in code.texts]
        words = [_code(one) for one in parsed if isinstance(one, CardText)]
        words += [f"index={face}" for face in index.faces]
        return Verdict(why=why, detail=" ".join(words))

    def _once(self, code: CodeVerdict) -> CardText | CutText | None:
        """What a code says that was seen once only: no read by itself."""
        parsed = self.code.parse(code.texts[0]) if code.why == "one_look" else None
        return None if isinstance(parsed, Reject) else parsed


@dataclass(frozen=True)
class _Index:
    """What the indices say: the faces, clearest first; in how many views; in how many frames they
    say a joker; `why` they clash.
    """

    faces: tuple[str, ...] = ()
    views: int = 0
    jokers: int = 0
    why: str = ""


def _index(looks: dict[int, tuple[IndexLook, ...]]) -> _Index:
    views: dict[str, int] = {}
    jokers = 0
    for in_frame in looks.values():
        faces = [look.face for look in in_frame if look.face]
        if len(set(faces)) > 1 or _twice(in_frame):
            return _Index(tuple(sorted(set(faces))), why="two_cards")
        for face in faces:
            views[face] = views.get(face, 0) + 1
        jokers += any(look.joker for look in in_frame)
    faces = sorted(views, key=lambda face: -views[face])
    if len(faces) == 1:
        # Where one of the two recognisers alone sees another face, one look more is needed.
        views[faces[0]] -= _others(looks, faces[0])
    if len(faces) > 1 or (faces and jokers):
        return _Index(tuple(faces), jokers=jokers, why="contradiction")
    return _Index(tuple(faces), views[faces[0]] if faces else 0, jokers)


def _others(looks: dict[int, tuple[IndexLook, ...]], face: str) -> int:
    """In how many frames one recogniser saw another face, and the other one none."""
    half = [
        {look.templates or look.network for look in in_frame if not look.face} - {"", face}
        for in_frame in looks.values()
    ]
    return sum(bool(seen) for seen in half)


def _twice(looks: Sequence[IndexLook]) -> bool:
    """Whether one frame shows two indices the same way up: they are two cards'."""
    read = [look.corner.x_axis for look in looks if look.face]
    return any(a[0] * b[0] + a[1] * b[1] > 0.5 for i, a in enumerate(read) for b in read[i + 1 :])


def _code(card: CardText) -> str:
    return f"code={card.face}/{card.deck}" if card.deck else f"code={card.face}"
