"""Rounds through the game's core alone: no devices, no disk, no clock.

Every round is played by the facts of `station.game`: commands are asked and decided, cards go
where `next_expected` says, and the money is what the settlement's lines say.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass

from station.game import commands as c
from station.game import facts as f
from station.game import round as r
from station.game.cards import RANKS, SUITS, Card, card_of
from station.game.dealing import Owed, next_expected
from station.game.game import Game, evolve
from station.game.rules import DECKS, TableRules, fingerprint
from station.game.state import BURN, Asked, Round, Window, is_open
from station.simulation.players import StrategyName, strategy_of
from station.simulation.returns import Returns

# The cut card's place, counted from the end: more than seven split hands can need.
CUT = 104


class SimulationError(Exception):
    """The settings do not fit together; the message says which."""


@dataclass(frozen=True)
class Settings:
    """`seats` play, each with a main and a Pair bet; `behind` players stand behind each of them.

    `cut`: cards left in the shoe when the cut card comes.
    """

    seed: int = 1
    strategy: StrategyName = "basic"
    seats: int = 1
    behind: int = 0
    cut: int = CUT


class Simulation:
    """A table without a table. `play` plays one round more; `returns` has the sums."""

    def __init__(self, settings: Settings, rules: TableRules) -> None:
        """Raises SimulationError when the settings ask for what the rules forbid."""
        if not 1 <= settings.seats <= rules.seats:
            raise SimulationError(f"seats: 1 to {rules.seats}, not {settings.seats}")
        if not 0 <= settings.behind <= rules.behind_bettors:
            raise SimulationError(f"behind: 0 to {rules.behind_bettors}, not {settings.behind}")
        if not CUT <= settings.cut <= 400:
            raise SimulationError(f"cut: {CUT} to 400 cards from the end, not {settings.cut}")
        self.settings = settings
        self.rules = rules
        self.game = Game()
        self.facts = 0
        self.shoes = 0
        self.returns = Returns()
        self._fingerprint = fingerprint(rules)
        self._random = random.Random(f"{settings.seed}/play")
        self._strategy = strategy_of(settings.strategy, rules, self._random)
        self._cards: list[Card] = []

    # --- one round --------------------------------------------------------------------------

    def play(self) -> Round:
        """The next round, from the first bet to CLEARED."""
        if self.game.shoe.state != "in_play" or len(self._cards) <= self.settings.cut:
            self._new_shoe()
        self._bets()
        while is_open(self._round):
            self._step()
        settled = self._round
        self._count(settled)
        self.say(c.Cleared(settled.number))
        return settled

    @property
    def _round(self) -> Round:
        if self.game.round is None:
            raise AssertionError("no round was opened")
        return self.game.round

    def _bets(self) -> None:
        for number in range(1, self.settings.seats + 1):
            if self.game.seat_at(number) is None:
                self.say(c.TakeSeat(number, f"seat-{number}"))
        self.say(c.OpenRound(self._fingerprint))
        main, pair = self.rules.main_min, self.rules.pair_min
        number = self._round.number
        for seat in range(1, self.settings.seats + 1):
            player = f"seat-{seat}"
            self.say(c.PlaceBet(number, seat, player, main))
            self.say(c.PlaceBet(number, seat, player, pair, "pair"))
            for one in range(1, self.settings.behind + 1):
                player = f"behind-{one}"
                self.say(c.PlaceBet(number, seat, player, main, "behind"))
                self.say(c.PlaceBet(number, seat, player, pair, "behind_pair"))
        self.say(c.CloseBetting(number))

    def _step(self) -> None:
        round_ = self._round
        if round_.window is not None:
            self._answer(round_, round_.window)
        elif round_.asked is not None:
            self._decide(round_, round_.asked)
        else:
            self._deal(round_)

    def _decide(self, round_: Round, asked: Asked) -> None:
        action = self._strategy.decide(round_, asked)
        if action is None:
            seat = self.game.seat_at(asked.seat)
            self._add(f.PlayerAbsent(asked.seat, seat.player if seat else "", "timeout"))
            self._advance()
        else:
            decided = c.Decide(round_.number, asked.decision, asked.seat, asked.hand, action)
            self.say(decided)

    def _answer(self, round_: Round, window: Window) -> None:
        for player in window.asked:
            yes = self._strategy.answers(window.kind)
            if yes is None:
                continue
            if window.kind == "insurance":
                self.say(c.Insure(round_.number, window.window, player, yes))
            else:
                self.say(c.Follow(round_.number, window.window, player, yes))
        if self._round.window is not None:
            self._add(f.WindowClosed(round_.number, window.window, "countdown"))
            self._advance()

    def _deal(self, round_: Round) -> None:
        owed = next_expected(self.game, self.rules)
        if not isinstance(owed, Owed):
            raise AssertionError(f"round {round_.number} stands still: {owed}")
        card = self._draw()
        self._add(f.CardDealt(round_.number, card, owed.slot, len(self.game.shoe.gone) + 1))
        self._advance()

    # --- the core ---------------------------------------------------------------------------

    def say(self, command: c.AnyGameCommand) -> None:
        """A command of the host or the dealer; AssertionError when the core refuses it."""
        refusal = r.why_not(self.game, self.rules, command)
        if refusal is not None:
            raise AssertionError(f"{command} was refused: {refusal}")
        for fact in r.decide(self.game, self.rules, command):
            self._add(fact)
        self._advance()

    def _advance(self) -> None:
        while (fact := r.advance(self.game, self.rules)) is not None:
            self._add(fact)
            if isinstance(fact, f.RoundSettled):
                for left in r.inactive(self.game):
                    self._add(left)

    def _add(self, fact: f.AnyGameFact) -> None:
        self.facts += 1
        self.game = evolve(self.game, fact)

    # --- shoe and sums ----------------------------------------------------------------------

    def _new_shoe(self) -> None:
        self.shoes += 1
        shoe = f"shoe-{self.shoes}"
        cards = [
            card_of(rank + suit, "A", deck)
            for deck in range(1, DECKS + 1)
            for suit in SUITS
            for rank in RANKS
        ]
        random.Random(f"{self.settings.seed}/{shoe}").shuffle(cards)
        self._cards = cards
        if self.game.shoe.state == "in_play":
            self._add(f.ShoeOut(self.game.shoe.id, "changed"))
        self._add(f.ShoeLoaded(shoe, "A", f.STATION))
        self._add(f.ShoeReleased(shoe, f.STATION))
        while isinstance(owed := next_expected(self.game, self.rules), Owed):
            if owed.slot.seat != BURN:
                break
            self._add(f.CardBurnedFirst(self._draw(), len(self.game.shoe.gone) + 1, shoe))

    def _draw(self) -> Card:
        return self._cards.pop()

    def _count(self, round_: Round) -> None:
        """One sample a kind and round; the second hand of a split adds nothing at first."""
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        amounts = {bet.bet: bet.amount for bet in round_.bets}
        for line in round_.lines:
            one = sums[line.kind]
            if line.hand != 2:
                one[0] += 1
                one[1] += amounts[line.bet]
            one[2] += line.stake
            one[3] += line.returned
        for kind, (bets, initial, staked, returned) in sums.items():
            self.returns.of(kind).add(bets, initial, staked, returned)


# Per initial bet, of best play from a full shoe (docs/strategy.md), by what a dealer's Blackjack
# takes and whether a split hand may double.
_BEST = {
    ("all", True): 0.9941,
    ("all", False): 0.9929,
    ("original", True): 0.9952,
    ("original", False): 0.9940,
}


def best(rules: TableRules, strategy: StrategyName) -> dict[str, float]:
    """What the rules return at best, by kind of bet: of the hands by basic strategy alone, of
    Pair bets and insurance whoever plays (A10, A24).
    """
    known = {"pair": 0.8964, "behind_pair": 0.8964, "insurance": 0.9253}
    if strategy == "basic":
        hands = _BEST[rules.dealer_blackjack_takes, rules.double_after_split]
        known.update(main=hands, behind=hands)
    return known
