"""The facts of a round as a story: what lay where, what came when, who pressed what.

One fold over the facts, from the table before them. Nothing here knows a language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from station.evidence import State
from station.game import facts as g
from station.game.cards import Card
from station.game.dealing import Owed, next_expected
from station.game.hands import is_blackjack, is_bust, total
from station.game.state import BURN, Bet, Line, Round, Slot
from station.journal import JournalDamaged, Row
from station.table import facts as f
from station.table.evolve import evolve
from station.table.facts import Person
from station.table.state import Table


class Shot(Struct, frozen=True):
    """A picture of a read, and how it is now."""

    name: str
    sha256: str
    state: State


class Read(Struct, frozen=True):
    """What a reader said: `raw` is the bytes in hex. `seq` is its fact."""

    seq: int
    utc: str
    device: str
    saw: str
    text: str
    raw: str
    pictures: tuple[Shot, ...] = ()


class Out(Struct, frozen=True):
    """A card that left the shoe in this round. `order`: its place in the shoe; `number`: among the
    cards dealt to hands of this round, 0 for one that was not. `purpose`: what it was owed for.
    `fate` of an exposed card: `lies`, `kept`, `used`, `burned`, `void`; `by` whom. `manual`: no
    reader read it, two persons entered it.
    """

    card: Card
    order: int
    seq: int
    utc: str
    number: int = 0
    slot: Slot | None = None
    purpose: str = ""
    read: Read | None = None
    exposed: str = ""
    fate: str = ""
    by: str = ""
    manual: bool = False


class Laid(Struct, frozen=True):
    """A card of a hand as it lies; `number`: as how many-eth of the round it was dealt."""

    card: Card
    number: int


class HandLaid(Struct, frozen=True):
    """A hand as it lies on the felt. `points` is the best total, `state` one of `blackjack`,
    `bust`, `surrendered`, `doubled`, `split`, or "".
    """

    seat: int
    hand: int
    player: str
    cards: tuple[Laid, ...]
    points: int
    soft: bool
    state: str = ""


class Moment(Struct, frozen=True):
    """A fact in the order in which it is told: a command before what it brought. `ms`: since the
    round's opening, by the monotonic clock, None across a boot. `follows`: a command brought it.
    """

    seq: int
    utc: str
    ms: int | None
    kind: str
    fact: f.AnyFact
    read: Read | None = None
    out: Out | None = None
    follows: bool = False


class Story(Struct, frozen=True):
    """All that is known of a round. `ended`: `open`, `settled`, `cleared`, `void`. `disputed`:
    `open`, `accept` (it stands), `escalate`, "" where nobody disputed it.
    """

    table: str
    kind: str
    round: int
    shoe: str
    opened: str
    closed: str
    ended: str
    why_void: str
    void_by: str
    dealer: Person | None
    dealer_hand: HandLaid
    hands: tuple[HandLaid, ...]
    bets: tuple[Bet, ...]
    lines: tuple[Line, ...]
    cards: tuple[Out, ...]
    moments: tuple[Moment, ...]
    later: tuple[Moment, ...]
    people: dict[str, Person]
    marked: str = ""
    disputed: str = ""


def tell(
    before: Table,
    rows: Iterable[Row],
    later: Iterable[Row],
    round_: int,
    states: Mapping[str, State],
) -> Story:
    """The story of those facts. `states`: how each picture is now, by its name.

    Raises JournalDamaged where the facts are none of that round.
    """
    teller = _Teller(before, round_, states)
    for row in rows:
        teller.hear(row)
    return teller.story(later)


class _Teller:
    """Hears the facts one by one."""

    def __init__(self, before: Table, round_: int, states: Mapping[str, State]) -> None:
        self.table = before
        self.number = round_
        self.states = states
        self.people: dict[str, Person] = {}
        self.moments: list[Moment] = []
        self.cards: dict[int, Out] = {}
        self.placed: dict[Slot, list[int]] = {}
        self.opened: Row | None = None
        self.dealer: Person | None = before.dealer
        self.lines: list[Line] = []
        self.ended = ("", "", "")
        self.closed = ""
        self._read: Read | None = None
        self._entered = False
        self._doubted: list[tuple[Card, Read]] = []
        self._stamp: tuple[str, int] = ("", 0)
        self._begin = 0
        for person in [before.dealer, *(signed.person for signed in before.signed)]:
            if person is not None:
                self.people[person.staff] = person

    # --- one fact -------------------------------------------------------------------------------

    def hear(self, row: Row) -> None:
        fact, stamp = row.fact, (row.utc, row.mono_ns)
        if stamp != self._stamp:
            self._stamp, self._begin, self._read = stamp, len(self.moments), None
        out: Out | None = None
        if isinstance(fact, f.Observed):
            self._begin, self._read = len(self.moments), self._as_read(row, fact)
        elif isinstance(fact, f.DealerTookTable | f.StaffSignedIn):
            self.people[fact.person.staff] = fact.person
        elif isinstance(fact, f.ReadDoubted) and self._read is not None:
            self._doubted.append((fact.card, self._read))
        elif isinstance(fact, g.GameFact):
            out = self._game(row, fact)
        # A card that two persons entered follows right behind.
        self._entered = type(fact).__name__ == "CardEntered"
        moment = Moment(row.seq, row.utc, self._ms(row), type(fact).__name__, fact, self._read, out)
        if isinstance(fact, f.CommandAnswered):
            # The answer is the last fact of its decision, and what was pressed came first.
            brought = [replace(one, follows=True) for one in self.moments[self._begin :]]
            self.moments[self._begin :] = [moment, *brought]
            self._begin = len(self.moments)
        else:
            self.moments.append(moment)
        self.table = evolve(self.table, fact)
        if self.opened is not None and self.table.dealer is not None and not self.closed:
            self.dealer = self.table.dealer

    def _as_read(self, row: Row, fact: f.Observed) -> Read:
        shots = tuple(
            Shot(one.name, one.sha256, self.states.get(one.name, "missing"))
            for one in fact.evidence
        )
        return Read(row.seq, row.utc, fact.device, fact.saw, fact.text, fact.raw, shots)

    def _ms(self, row: Row) -> int | None:
        if self.opened is None:
            return 0 if row.kind == "RoundOpened" else None
        if row.boot == self.opened.boot:
            return (row.mono_ns - self.opened.mono_ns) // 1_000_000
        return None

    def _game(self, row: Row, fact: g.GameFact) -> Out | None:
        match fact:
            case g.RoundOpened() if fact.round == self.number:
                self.opened, self.dealer = row, self.table.dealer
            case g.CardDealt() | g.CardBurnedFirst() | g.CardExposed():
                return self._left(row, fact)
            case g.ExposedCardKept() | g.CardBurned():
                self._ruled(fact)
            case g.CardCorrected():
                known = self.cards[fact.order]
                self.cards[fact.order] = replace(known, card=fact.card, manual=fact.manual)
            case g.DecisionMade(action="split"):
                first = self.placed.get(Slot(fact.seat, 1), [])
                self.placed[Slot(fact.seat, 1)] = first[:1]
                self.placed[Slot(fact.seat, 2)] = first[1:]
            case g.BetsReturned():
                self.lines += fact.lines
            case g.RoundSettled():
                self.lines += fact.lines
                self._over(row, "settled")
            case g.RoundVoided() if fact.round == self.number:
                self.lines += fact.lines
                self._over(row, "void", fact.reason, fact.by)
                if fact.by != g.STATION:
                    self._discarded(fact.by)
            case g.RoundCleared() | g.RoundEmpty():
                self._over(row, "cleared")
            case _:
                pass
        return None

    def _over(self, row: Row, how: str, why: str = "", by: str = "") -> None:
        self.ended, self.closed = (how, why, by), row.utc

    # --- cards ----------------------------------------------------------------------------------

    def _left(self, row: Row, fact: g.CardDealt | g.CardBurnedFirst | g.CardExposed) -> Out:
        known = self.cards.get(fact.order)
        manual = self._entered
        read = None if manual else self._of(fact.card)
        out = known or Out(fact.card, fact.order, row.seq, row.utc, read=read, manual=manual)
        match fact:
            case g.CardDealt():
                expected = next_expected(self.table.game, self.table.rules)
                purpose = expected.purpose if isinstance(expected, Owed) else ""
                count = 1 + sum(1 for one in self.cards.values() if one.number)
                fate = "used" if out.exposed else ""
                out = replace(
                    out, slot=fact.slot, purpose=purpose, number=count, fate=fate, seq=row.seq
                )
                self.placed.setdefault(fact.slot, []).append(count)
            case g.CardBurnedFirst():
                out = replace(out, slot=Slot(BURN), purpose="burn")
            case g.CardExposed():
                out = replace(out, exposed=fact.why, fate="lies")
        self.cards[fact.order] = out
        return out

    def _of(self, card: Card) -> Read | None:
        """What was read: in this decision, or before it when somebody had to say what it was."""
        if self._read is not None:
            return self._read
        return next((read for told, read in reversed(self._doubted) if told == card), None)

    def _ruled(self, fact: g.ExposedCardKept | g.CardBurned) -> None:
        waiting = ("lies",) if isinstance(fact, g.ExposedCardKept) else ("lies", "kept")
        fate = "kept" if isinstance(fact, g.ExposedCardKept) else "burned"
        for order, out in self.cards.items():
            if out.card == fact.card and out.fate in waiting:
                self.cards[order] = replace(out, fate=fate, by=fact.by)
                return

    def _discarded(self, by: str) -> None:
        """What a person voids, exposed cards go with."""
        for order, out in self.cards.items():
            if out.fate == "lies":
                self.cards[order] = replace(out, fate="void", by=by)

    # --- in the end -----------------------------------------------------------------------------

    def story(self, later: Iterable[Row]) -> Story:
        round_ = self.table.game.round
        if self.opened is None or round_ is None or round_.number != self.number:
            raise JournalDamaged(f"these facts are none of round {self.number}")
        how, why, by = self.ended
        told = tuple(Moment(r.seq, r.utc, None, type(r.fact).__name__, r.fact) for r in later)
        return Story(
            table=self.table.id,
            kind=self.table.kind,
            round=self.number,
            shoe=round_.shoe,
            opened=self.opened.utc,
            closed=self.closed,
            ended=how or "open",
            why_void=why,
            void_by=by,
            dealer=self.dealer,
            dealer_hand=self._laid(Slot(), "", round_.dealer),
            hands=tuple(self._hands(round_)),
            bets=round_.bets,
            lines=tuple(self.lines),
            cards=tuple(self.cards[order] for order in sorted(self.cards)),
            moments=tuple(self.moments),
            later=told,
            people=dict(sorted(self.people.items())),
            marked=_mark((*self.moments, *told), self.number),
            disputed=_dispute((*self.moments, *told), self.number),
        )

    def _hands(self, round_: Round) -> Iterable[HandLaid]:
        for box in round_.boxes:
            for number, hand in enumerate(box.hands, start=1):
                laid = self._laid(Slot(box.seat, number), box.player, hand.cards)
                flags = {
                    "bust": hand.bust,
                    "surrendered": hand.surrendered,
                    "blackjack": hand.blackjack,
                    "doubled": hand.doubled,
                    "split": hand.split,
                }
                state = next((name for name, true in flags.items() if true), "")
                yield replace(laid, state=state)

    def _laid(self, slot: Slot, player: str, cards: tuple[Card, ...]) -> HandLaid:
        numbers = self.placed.get(slot, [])
        laid = tuple(
            Laid(card, numbers[at] if at < len(numbers) else 0) for at, card in enumerate(cards)
        )
        points = total(cards)
        state = "bust" if is_bust(cards) else "blackjack" if is_blackjack(cards) else ""
        return HandLaid(
            slot.seat, slot.hand, player, laid, points.points, points.soft and bool(cards), state
        )


def _mark(moments: Iterable[Moment], number: int) -> str:
    """What the round is marked with now, "" when it is not."""
    marked = ""
    for moment in moments:
        if isinstance(moment.fact, g.RoundsMarked) and number in moment.fact.rounds:
            marked = "" if moment.fact.why == "counted_whole" else moment.fact.why
    return marked


def _dispute(moments: Iterable[Moment], number: int) -> str:
    """How the dispute of the round stands, "" where there was none."""
    stands = ""
    for moment in moments:
        match moment.fact:
            case f.RoundDisputed(round=disputed) if disputed == number:
                stands = "open"
            case f.DisputeAnswered(round=disputed, answer=answer) if disputed == number:
                stands = answer
            case _:
                pass
    return stands


def seconds_between(first: str, last: str) -> float:
    """Seconds between two stamps, by UTC."""
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
