"""What is known of one card in the window, and how it is told: once, with its pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from drivers.camera.doubles import View
from drivers.camera.keeper import Keeper, Shots
from drivers.camera.sight import Frame, Regions
from drivers.camera.verdict import Verdict, Witnesses
from drivers.protocols import camera_lines as lines

_CLASHES = ("contradiction", "witnesses_disagree", "two_cards")


@dataclass
class Card:
    """What is known of one thing on its way. `told`: what the station was told of it, `cut`: that
    it is the cut card. `agreed_ns`: when its witnesses first agreed; `frame_ns`: its last picture.
    `solid`, `patterned`: in how many pictures a thing without paper was of one colour, or not.
    `reach`: where it was last. `glimpsed`: something like a code or an index was seen. `view`:
    where its index was read last; `before`: the last frame that showed it; `single`: it has been
    looked at for a second card. `doubted`: it was read, and whose that was is not known.
    `shares`: how much was paper, wherever most of it was in the picture.
    """

    witnesses: Witnesses
    shots: Shots = field(default_factory=Shots)
    told: Verdict | None = None
    cut: bool = False
    disputed: bool = False
    left: bool = False
    agreed_ns: int = 0
    frame_ns: int = 0
    solid: int = 0
    patterned: int = 0
    reach: tuple[float, float] = (0.0, 0.0)
    glimpsed: bool = False
    view: View | None = None
    before: tuple[Frame, Regions] | None = None
    single: bool = False
    doubted: bool = False
    shares: list[float] = field(default_factory=list)

    def forget(self) -> None:
        """What was read of it, and the pictures of it, may be another one's."""
        self.doubted = self.doubted or bool(self.witnesses.frames())
        self.witnesses.forget()
        self.shots = Shots()
        self.view = self.before = None
        self.agreed_ns = 0

    @property
    def unread(self) -> bool:
        """Whether it was told as not read."""
        return self.told is not None and self.told.why == "unread"


class Teller:
    """Says what became of a card. A card once told is told no more, only disputed."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        # Faces, and the texts of their codes where there were any.
        self._may_be: frozenset[tuple[str, str]] = frozenset()

    @property
    def trouble(self) -> str:
        """Why pictures cannot be kept, "" if they can."""
        return self._keeper.trouble

    def keep(self, on: bool) -> None:
        """Whether pictures are kept from here on."""
        self._keeper.on = on

    def interrupted(self, cards: Iterable[Card]) -> None:
        """The picture was away. One of these that was told may have been pushed back meanwhile: an
        equal one that comes next may be that one, unless their codes differ.
        """
        self._may_be |= {_named(card.told) for card in cards if card.told is not None}

    def told(self, card: Card, came: bool = True) -> list[lines.Event]:
        """Say what the card is, or that it is not known. `came`: out of the shoe, as far as can be
        told; one that may have been told before is not said to be another one.
        """
        verdict = card.witnesses.verdict
        if verdict.cut is not None:
            return self.cut(card)
        if not verdict.face:
            if not verdict.why:
                return []
            return [self.missed(card, verdict.why, verdict.detail)]
        card.told = verdict
        came = came and not any(_may_be_one(verdict, one) for one in self._may_be)
        self._may_be = frozenset()
        code = verdict.card
        return [
            lines.Read(
                face=verdict.face,
                set=code.set if code else "",
                deck=code.deck if code else 0,
                text=code.text if code else "",
                checked=code.checked if code else False,
                by=verdict.by,
                frames=len(card.witnesses.frames()),
                came=came,
                at_ns=card.frame_ns,
                evidence=self._keeper.keep(card.shots.best(), card.frame_ns),
            )
        ]

    def cut(self, card: Card) -> list[lines.Event]:
        """Say that it is the cut card."""
        cut = card.witnesses.verdict.cut
        card.told, card.cut = card.witnesses.verdict, True
        return [
            lines.CutOut(
                set=cut.set if cut else "",
                text=cut.text if cut else "",
                frames=len(card.witnesses.frames()) or card.solid,
                at_ns=card.frame_ns,
                evidence=self._keeper.keep(card.shots.best(), card.frame_ns),
            )
        ]

    def missed(self, card: Card, reason: str, text: str, detail: str = "") -> lines.Missed:
        """`text`: what the witnesses say."""
        card.told = card.told or Verdict(why=reason, detail=text)
        if reason == "two_cards":
            # One of the two may lie in the shoe still: neither is named nor shown.
            return lines.Missed(reason=reason, detail=detail, at_ns=card.frame_ns)
        evidence = self._keeper.keep(card.shots.best(), card.frame_ns)
        return lines.Missed(
            reason=reason, text=text, detail=detail, at_ns=card.frame_ns, evidence=evidence
        )

    def dispute(self, card: Card, verdict: Verdict) -> list[lines.Event]:
        """What is seen of a card after it was told must not speak against it."""
        told = card.told
        if told is None or card.disputed:
            return []
        if card.cut and verdict.face:
            card.disputed = True
            return [self.missed(card, "disputed", verdict.face, "told as the cut card")]
        if not told.face or verdict.why not in _CLASHES:
            return []
        card.disputed = True
        # Of the card the table has dealt, not of the next one that it waits for.
        words = f"told as {told.face}; {verdict.why}"
        if verdict.why == "two_cards":
            # The other one may lie in the shoe still.
            return [lines.Missed(reason="disputed", detail=words, at_ns=card.frame_ns)]
        return [self.missed(card, "disputed", verdict.detail, words)]


def _named(verdict: Verdict) -> tuple[str, str]:
    return verdict.face, verdict.card.text if verdict.card is not None else ""


def _may_be_one(verdict: Verdict, other: tuple[str, str]) -> bool:
    """Whether it may be the same card: two codes that differ are two cards'."""
    face, text = _named(verdict)
    return face == other[0] and (not text or not other[1] or text == other[1])
