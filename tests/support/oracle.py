"""Which card lies where, and what the table got wrong: for tests that know the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hw_sim.codes import VirtualCard
from station.game import facts as g
from station.game.cards import Card
from station.table import facts as f
from station.table.decide import Decision

TOLD = (f.TableHeld, f.ReadFailed, f.ReadSetAside)
TAKEN = (g.CardDealt, g.CardExposed, g.CardBurnedFirst)


@dataclass
class Drawn:
    """A card that left a shoe. `at`: how many facts there were then. `taken_for`: the face it was
    accepted as, "" while it was not. `held`: what the table held for already. `given_up`: it lies
    aside, as a person has ruled.
    """

    shoe: str
    card: VirtualCard
    at: int
    held: str = ""
    taken_for: str = ""
    given_up: bool = False

    @property
    def accepted(self) -> bool:
        return bool(self.taken_for)


@dataclass
class Report:
    """What came of a run. `wrong`: what may never happen, in words. `vanished`: cards that left no
    trace, so that the prompt stayed and the dealer presented them again; `lost`: those that never
    came in, each with what told of it. `misread`: cards taken for others by a reader without a
    check. `stuck`: why the table went no further, "" if it did.
    """

    drawn: int = 0
    accepted: int = 0
    again: int = 0
    vanished: int = 0
    misread: list[str] = field(default_factory=list)
    held: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    shoes: int = 1
    wrong: list[str] = field(default_factory=list)
    stuck: str = ""


class Oracle:
    """Which card lies where. It is shown every decision. `checked`: what the reader reads carries a
    check of its own, so that another card is never to come of it.
    """

    checked = True

    def __init__(self) -> None:
        self.drawn: list[Drawn] = []
        self.phantoms: list[tuple[str, str]] = []
        self.shoe = ""
        self.facts = 0
        self.told: list[f.AnyFact] = []
        self.report = Report()

    def drew(self, card: VirtualCard, held: str = "") -> None:
        """A card has left the shoe."""
        self.drawn.append(Drawn(self.shoe, card, len(self.told), held))
        self.report.drawn += 1

    @property
    def pending(self) -> list[Drawn]:
        """Cards of this shoe that came after the last accepted one."""
        here = [one for one in self.drawn if one.shoe == self.shoe and not one.given_up]
        last = max((at for at, one in enumerate(here) if one.accepted), default=-1)
        return here[last + 1 :]

    def look(self, decision: Decision) -> None:
        """What the table has decided."""
        for fact in decision.facts:
            self.told.append(fact)
            match fact:
                case g.ShoeLoaded(shoe=shoe):
                    self.shoe = shoe
                case g.CardDealt(card=card) | g.CardExposed(card=card):
                    self._accepted(card)
                case g.CardBurnedFirst(card=card):
                    self._accepted(card)
                case f.TableHeld(code=code):
                    self.report.held[code] += 1
                case _:
                    pass

    def _accepted(self, card: Card) -> None:
        """It must be one that was drawn after the last accepted one, and no other."""
        self.report.accepted += 1
        text = f"{card.set}{card.face}{card.deck or ''}"
        for one in self.pending:
            same = (one.card.set, one.card.deck) == (card.set, card.deck) or not card.unique
            if one.card.face == card.face and same:
                one.taken_for = card.face
                return
        lies = " ".join(f"{one.card.set}{one.card.face}{one.card.deck}" for one in self.pending)
        if not self.checked:
            # It was held for it, or nobody can know.
            self.report.misread.append(f"{text} for {lies or 'nothing'}")
            if lies:
                self.pending[0].taken_for = card.face
            else:
                self.phantoms.append((self.shoe, card.face))
            return
        self.report.wrong.append(f"{text} was taken for a card; drawn and not in: {lies or '-'}")

    def close(self) -> None:
        """At the end: every card that is not in must have been told of."""
        for one in self.drawn:
            if not one.accepted:
                after = (_why(fact) for fact in self.told[one.at :] if isinstance(fact, TOLD))
                why = one.held or next(after, "")
                if why:
                    self.report.lost[why] += 1
                elif one.shoe != self.shoe or self.report.stuck == "":
                    self.report.wrong.append(f"{one.card.code} is lost and nothing was said")

    def count(self, shoe: str) -> tuple[dict[str, int], dict[str, int]]:
        """Faces of that shoe that are missing in what was accepted, and those too many."""
        here = [one for one in self.drawn if one.shoe == shoe]
        gone = Counter(one.card.face for one in here)
        known = Counter(one.taken_for for one in here if one.accepted)
        known += Counter(face for name, face in self.phantoms if name == shoe)
        return dict(gone - known), dict(known - gone)


def _why(fact: f.AnyFact) -> str:
    match fact:
        case f.TableHeld(code=code):
            return code
        case f.ReadFailed(reason=reason):
            return f"no_read:{reason}"
        case _:
            return "set_aside"
