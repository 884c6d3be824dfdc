"""A round played again from its facts: every card where the rules send it, every line recomputed.

The facts say what people chose and what came out of the shoe. All else follows from the rules, so
it is asked of them anew, at each fact, from the table as it was before it: `next_expected` for each
card (R15-R19, R24), `why_not` for each bet and decision, `settle` for the money (R7-R10).
"""

from __future__ import annotations

from station.game import bets
from station.game import commands as c
from station.game import facts as g
from station.game import round as r
from station.game.cards import Card
from station.game.dealing import Nobody, Owed, next_expected
from station.game.game import Game
from station.game.refusal import Refusal
from station.game.rules import fingerprint
from station.game.settlement import settle, taken_back_line, void_lines
from station.game.shoe import earlier, foreign
from station.game.state import BURN, Round, is_open
from station.journal import Row
from station.table import facts as f
from station.table.corrections import why_wrong
from station.table.evolve import evolve
from station.table.state import Table, expected
from station.table.why_not import why_not_ruling


class Wrong(Exception):
    """A fact is not what the rules make of those before it; the message names it and says why."""


# What a fold raises over facts that cannot have happened.
IMPOSSIBLE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    AssertionError,
    StopIteration,
    RecursionError,
)

# None of these happens while the table holds (R60).
_NEVER_HELD = (
    g.RoundOpened,
    g.BetPlaced,
    g.BetsReturned,
    g.BettingClosed,
    g.RoundEmpty,
    g.CardDealt,
    g.CardBurnedFirst,
    g.DecisionAsked,
    g.DecisionMade,
    g.WindowOpened,
    g.WindowAnswered,
    g.WindowClosed,
    g.RoundSettled,
    g.RoundCleared,
)


class Replay:
    """`table` is the table after the facts so far; `settled` the lines that were recomputed."""

    def __init__(self, before: Table) -> None:
        self.table = before
        self.cards = 0
        self.settled = 0
        self._owed: list[g.AnyGameFact] = []
        self._entered: Card | None = None
        self._stamp: tuple[str, int, str] | None = None

    def step(self, row: Row) -> None:
        """One fact more. Raises Wrong."""
        try:
            self._step(row)
        except Wrong as wrong:
            raise Wrong(f"fact {row.seq} ({row.kind}): {wrong}") from None
        except IMPOSSIBLE as error:
            raise Wrong(
                f"fact {row.seq} ({row.kind}): it cannot have happened to this table "
                f"({type(error).__name__}: {error})"
            ) from error

    def _step(self, row: Row) -> None:
        fact, stamp = row.fact, (row.utc, row.mono_ns, row.boot)
        if stamp != self._stamp:
            self._stamp = stamp
            self._nothing_left_out()
        if isinstance(fact, g.GameFact):
            self._game(fact)
        elif isinstance(fact, f.HoldReleased):
            self._released(fact)
        # Two persons entered a card, which follows right behind.
        entered = type(fact).__name__ == "CardEntered"
        self._entered = getattr(fact, "card", None) if entered else None
        self.table = evolve(self.table, fact)
        if isinstance(fact, g.RoundSettled | g.RoundEmpty):
            self._owed += r.inactive(self.table.game)

    def end(self) -> None:
        """After the last fact. Raises Wrong."""
        self._nothing_left_out()

    def _nothing_left_out(self) -> None:
        """Between two decisions nothing waits that follows by itself."""
        if self._owed:
            raise Wrong(f"before it {_named(self._owed[0])} is missing")
        table = self.table
        held = table.holds or (is_open(table.game.round) and not table.host_connected)
        follows = None if held else r.advance(table.game, table.rules)
        if follows is not None:
            raise Wrong(f"before it {_named(follows)} is missing, which follows by itself")

    # --- a fact of the game ---------------------------------------------------------------------

    def _game(self, fact: g.AnyGameFact) -> None:
        if self._owed:
            _same(fact, self._owed.pop(0))
            return
        if isinstance(fact, _NEVER_HELD) and self.table.holds:
            raise Wrong(f"the table held ({self.table.holds[0].code})")
        match fact:
            case g.CardDealt() | g.CardBurnedFirst() | g.CardExposed():
                self._card(fact)
            case (
                g.RoundOpened()
                | g.SeatTaken()
                | g.SeatLeft()
                | g.BetPlaced()
                | g.BetsReturned()
                | g.BettingClosed()
            ):
                self._before_the_deal(fact)
            case g.DecisionMade() | g.WindowAnswered():
                self._answer(fact)
            case g.WindowOpened() if fact.kind != "insurance":
                raise Wrong("nobody is asked to follow here")
            case g.WindowClosed() | g.WindowOpened() | g.DecisionAsked() | g.RoundEmpty():
                self._follows(fact)
            case g.RoundSettled():
                self._settled(fact)
            case g.RoundVoided():
                self._void(fact)
            case g.RoundCleared():
                _may(r.why_not(self.table.game, self.table.rules, c.Cleared(fact.round)))
            case g.BetDoubled():
                raise Wrong("nobody doubled or followed here")
            case g.CardBurned() | g.ExposedCardKept() | g.CardCorrected():
                self._ruled(fact)
            case g.PlayerAbsent() | g.PlayerReturned():
                self._presence(fact)
            case _:
                pass

    def _before_the_deal(
        self,
        fact: g.RoundOpened
        | g.SeatTaken
        | g.SeatLeft
        | g.BetPlaced
        | g.BetsReturned
        | g.BettingClosed,
    ) -> None:
        game, rules = self.table.game, self.table.rules
        match fact:
            case g.RoundOpened():
                _may(r.why_not(game, rules, c.OpenRound(fact.fingerprint)))
                _same(fact, g.RoundOpened(game.rounds + 1, game.shoe.id, fingerprint(rules)))
            case g.SeatTaken():
                _may(r.why_not(game, rules, c.TakeSeat(fact.seat, fact.player)))
            case g.SeatLeft():
                leave = c.LeaveSeat(fact.seat, fact.player)
                _may(r.why_not(game, rules, leave))
                self._all(fact, r.decide(game, rules, leave))
            case g.BetPlaced():
                self._bet(fact)
            case g.BetsReturned():
                round_ = _round(game)
                if round_.closed:
                    raise Wrong("bets come back and nothing says why")
                by_number = {bet.bet: bet for bet in round_.bets}
                lines = tuple(taken_back_line(by_number[line.bet]) for line in fact.lines)
                _same(fact, g.BetsReturned(round_.number, lines))
            case g.BettingClosed():
                self._all(fact, bets.close(_round(game), fact.by))

    def _follows(self, fact: g.AnyGameFact) -> None:
        """What the rules make happen by themselves; a window may also run out of time."""
        if isinstance(fact, g.WindowClosed) and fact.by == "countdown":
            window = _round(self.table.game).window
            if window is None or window.window != fact.window:
                raise Wrong("no such window is open")
            return
        _same(fact, r.advance(self.table.game, self.table.rules))

    def _all(self, fact: g.AnyGameFact, facts: tuple[g.AnyGameFact, ...]) -> None:
        """The first of these is the fact; the others have to follow it."""
        _same(fact, facts[0])
        self._owed += facts[1:]

    def _card(self, fact: g.CardDealt | g.CardBurnedFirst | g.CardExposed) -> None:
        self.cards += 1
        shoe, answer = self.table.game.shoe, expected(self.table)
        entered = self._entered
        if isinstance(fact, g.CardDealt) and getattr(fact, "manual", False) != bool(entered):
            raise Wrong("whether it was entered by hand is not what the fact before it says")
        if entered is not None:
            if entered != fact.card:
                raise Wrong(f"another card was entered: {entered.face}")
            # Whatever else the readers are at.
            answer = next_expected(self.table.game, self.table.rules)
        if isinstance(fact, g.CardDealt) and fact.card in self.table.game.kept:
            _same(fact, r.advance(self.table.game, self.table.rules))
            return
        if fact.order != len(shoe.gone) + 1:
            raise Wrong(f"card {len(shoe.gone) + 1} of the shoe is next, it says {fact.order}")
        if earlier(shoe, fact.card) is not None or foreign(shoe, fact.card):
            raise Wrong(f"{fact.card.face} of deck {fact.card.deck} cannot come out of this shoe")
        match fact:
            case g.CardDealt():
                _to(answer, fact.slot.seat, fact.slot.hand)
            case g.CardBurnedFirst():
                _to(answer, BURN, 0)
            case g.CardExposed():
                why = answer.code if isinstance(answer, Nobody) else f"seat {answer.slot.seat}"
                if fact.why not in (why, "resent"):
                    raise Wrong(f"it was exposed for {fact.why!r}, by the rules for {why!r}")

    def _released(self, fact: f.HoldReleased) -> None:
        """A hold that was open, ended in a way that was open."""
        hold = self.table.hold(fact.hold)
        if hold is None:
            raise Wrong(f"no hold {fact.hold} is open")
        # A card entered or corrected by hand is asked for with the card, which comes next.
        if fact.ruling not in ("manual", "corrected"):
            _may(why_not_ruling(self.table, hold, fact.ruling))

    def _ruled(self, fact: g.CardBurned | g.ExposedCardKept | g.CardCorrected) -> None:
        """A person rules on a card that lies there; a kept one that nobody is owed is burned."""
        if isinstance(fact, g.CardCorrected):
            wrong = why_wrong(self.table, fact)
            if wrong:
                raise Wrong(wrong)
            return
        game = self.table.game
        burned = isinstance(fact, g.CardBurned) and fact.by == g.STATION
        if fact.card not in (game.kept if burned else game.exposed):
            raise Wrong(f"no such card lies there: {fact.card.face} of deck {fact.card.deck}")

    def _presence(self, fact: g.PlayerAbsent | g.PlayerReturned) -> None:
        seat = self.table.game.seat_at(fact.seat)
        if seat is None or seat.player != fact.player:
            raise Wrong(f"{fact.player or 'nobody'} does not sit in seat {fact.seat}")
        if seat.absent == isinstance(fact, g.PlayerAbsent):
            raise Wrong(f"{fact.player} is {'absent' if seat.absent else 'there'} already")

    def _bet(self, fact: g.BetPlaced) -> None:
        game, rules = self.table.game, self.table.rules
        if fact.kind == "insurance":
            raise Wrong("nobody bought insurance here")
        command = c.PlaceBet(fact.round, fact.seat, fact.player, fact.amount, fact.kind)
        _may(r.why_not(game, rules, command))
        _same(fact, r.decide(game, rules, command)[-1])

    def _answer(self, fact: g.DecisionMade | g.WindowAnswered) -> None:
        game, rules = self.table.game, self.table.rules
        command: c.AnyGameCommand
        if isinstance(fact, g.DecisionMade):
            if fact.by == "station":
                _same(fact, r.advance(game, rules))
                return
            command = c.Decide(fact.round, fact.decision, fact.seat, fact.hand, fact.action)
        else:
            window = _round(game).window
            insure = window is not None and window.kind == "insurance"
            kind = c.Insure if insure else c.Follow
            command = kind(fact.round, fact.window, fact.player, fact.yes)
        _may(r.why_not(game, rules, command))
        self._all(fact, r.decide(game, rules, command))

    def _settled(self, fact: g.RoundSettled) -> None:
        game, rules = self.table.game, self.table.rules
        round_ = _round(game)
        ours = settle(round_, rules)
        for line, mine in zip(fact.lines, ours, strict=False):
            if line != mine:
                raise Wrong(
                    f"bet {mine.bet} of {mine.player} returns {mine.returned} ({mine.result}, "
                    f"{mine.rule}), it says {line.returned} ({line.result}, {line.rule})"
                )
        _same(fact, r.advance(game, rules))
        self.settled += len(ours)

    def _void(self, fact: g.RoundVoided) -> None:
        round_ = _round(self.table.game)
        if not is_open(round_) or round_.number != fact.round:
            raise Wrong("that round is over already")
        rule = "R58" if fact.reason == "host_lost" else "R60"
        if fact.lines != void_lines(round_, rule):
            raise Wrong("the stakes it gives back are not those that were at risk")
        self.settled += len(fact.lines)


def _round(game: Game) -> Round:
    if game.round is None:
        raise Wrong("no round was opened")
    return game.round


def _may(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Wrong(f"the rules refuse it ({refusal.code} {refusal.rule})".replace(" )", ")"))


def _to(answer: Owed | Nobody, seat: int, hand: int) -> None:
    """A card went to that slot: was it owed one?"""
    if isinstance(answer, Nobody):
        raise Wrong(f"nobody was owed a card ({answer.code})")
    if (answer.slot.seat, answer.slot.hand) != (seat, hand):
        raise Wrong(
            f"the card was owed to {_place(answer.slot.seat, answer.slot.hand)}, it says "
            f"{_place(seat, hand)}"
        )


def _place(seat: int, hand: int) -> str:
    if seat == BURN:
        return "the burn"
    return f"seat {seat} hand {hand}" if seat else "the dealer"


def _named(fact: g.AnyGameFact) -> str:
    return type(fact).__name__


def _same(fact: f.AnyFact, ours: g.AnyGameFact | None) -> None:
    if fact != ours:
        instead = "nothing" if ours is None else repr(ours)
        raise Wrong(f"by the rules it would be {instead}")
