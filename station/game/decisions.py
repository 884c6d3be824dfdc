"""What may be done with a hand, what it brings, and who is asked (R20-R39, R51-R56)."""

from __future__ import annotations

from station.game import facts as f
from station.game.cards import Rank
from station.game.commands import Decide, Follow, GameCommand, Insure
from station.game.dealing import autoplay
from station.game.game import Game
from station.game.hands import same_value, value
from station.game.refusal import Refusal, refuse
from station.game.rules import TableRules
from station.game.state import (
    Action,
    Asked,
    Bet,
    Box,
    Hand,
    Round,
    Slot,
    Window,
    at_risk,
    box_at,
    is_open,
    main_bet,
    turn,
)

ACTIONS: tuple[Action, ...] = ("hit", "stand", "double", "split", "surrender")


def why_not_action(round_: Round, rules: TableRules, slot: Slot, action: Action) -> Refusal | None:
    """Why that may not be done with a hand whose turn it is, by its rule, or None (R26)."""
    box = box_at(round_, slot.seat)
    if box is None:
        raise AssertionError(f"seat {slot.seat} does not play")
    hand = box.hands[slot.hand - 1]
    match action:
        case "double":
            return _why_not_double(rules, hand, slot.seat)
        case "split":
            return _why_not_split(box, hand)
        case "surrender":
            return _why_not_surrender(round_, hand, slot.seat)
        case _:
            return None


def _why_not_double(rules: TableRules, hand: Hand, seat: int) -> Refusal | None:
    """On the first two cards, also of a split hand if so set, never on split aces (R29, A9)."""
    if len(hand.cards) != 2:
        return refuse("double_on_two_cards", "R29", seat=seat)
    if hand.split and not rules.double_after_split:
        return refuse("no_double_after_split", "R29", seat=seat)
    if hand.split and hand.cards[0].rank is Rank.ACE:
        return refuse("split_aces_one_card", "R37", seat=seat)
    return None


def _why_not_split(box: Box, hand: Hand) -> Refusal | None:
    """Two first cards of the same value, once a round (R34, R36, A10)."""
    if hand.split:
        return refuse("split_once", "R36", seat=box.seat)
    if len(hand.cards) != 2:
        return refuse("split_on_two_cards", "R34", seat=box.seat)
    if not same_value(*hand.cards):
        return refuse("split_same_value", "R34", seat=box.seat)
    return None


def _why_not_surrender(round_: Round, hand: Hand, seat: int) -> Refusal | None:
    """The very first action, against a 2 to 9 (R31, R33, A8)."""
    if value(round_.dealer[0]) in (1, 10):
        return refuse("no_surrender_against", "R31", seat=seat, upcard=round_.dealer[0].face)
    if hand.split or len(hand.cards) != 2:
        return refuse("surrender_first", "R33", seat=seat)
    return None


def legal(round_: Round, rules: TableRules, slot: Slot) -> tuple[Action, ...]:
    """Everything that may be done with the hand in turn. Never empty."""
    return tuple(a for a in ACTIONS if why_not_action(round_, rules, slot, a) is None)


def why_not_decide(game: Game, rules: TableRules, command: Decide) -> Refusal | None:
    """A decision is refused late, when it is another's, or when the rules forbid it."""
    round_ = game.round
    if round_ is None or round_.number != command.round:
        return refuse("stale_round", "R20", round=command.round, now=round_.number if round_ else 0)
    asked = round_.asked
    if too_late(game, command):
        return refuse("too_late", "R21", seat=command.seat)
    if asked is None or not is_open(round_):
        return refuse("nothing_asked", "R20", seat=command.seat)
    if (asked.decision, asked.seat, asked.hand) != (command.decision, command.seat, command.hand):
        return refuse("stale_decision", "R20", seat=command.seat, asked=asked.seat)
    if command.action not in asked.legal:
        return why_not_action(round_, rules, Slot(asked.seat, asked.hand), command.action)
    return None


def too_late(game: Game, command: Decide) -> bool:
    """Whether an absent player of the running round speaks: that decision was made for him."""
    round_ = game.round
    if round_ is None or not is_open(round_) or round_.number != command.round:
        return False
    return box_at(round_, command.seat) is not None and game.absent(command.seat)


def heard(game: Game, command: GameCommand) -> f.PlayerReturned | None:
    """An action that came too late is refused, and its player is there again all the same (A13).

    Declining insurance is no action; buying it is.
    """
    seat = None
    if isinstance(command, Decide) and too_late(game, command):
        seat = game.seat_at(command.seat)
    elif isinstance(command, Insure) and command.buy:
        round_, seat = game.round, game.seat_of(command.player)
        if round_ is None or not is_open(round_) or round_.number != command.round:
            return None
    if seat is None or not seat.absent:
        return None
    return f.PlayerReturned(seat.seat, seat.player)


def decide(round_: Round, command: Decide) -> tuple[f.AnyGameFact, ...]:
    """What was decided, its stake, and the question to those behind (R29, R34, R51-R54)."""
    number, seat, hand = round_.number, command.seat, command.hand
    made = f.DecisionMade(number, command.decision, seat, hand, command.action, "player")
    main = main_bet(round_, seat, hand)
    if main is None:
        raise AssertionError(f"seat {seat} plays without a bet")
    match command.action:
        case "double":
            staked: f.AnyGameFact = f.BetDoubled(number, main.bet, main.player, main.amount)
        case "split":
            staked = second_hand(round_, main)
        case _:
            return (made,)
    asked = tuple(bet.player for bet in behind(round_, seat, hand))
    if not asked:
        return (made, staked)
    gained = 2 if command.action == "split" else hand
    window = f.WindowOpened(number, round_.windows + 1, command.action, seat, gained, asked)
    return (made, staked, window)


def behind(round_: Round, seat: int, hand: int) -> tuple[Bet, ...]:
    """The bets behind that stand on that hand, in the order they were placed."""
    return tuple(
        bet
        for bet in at_risk(round_)
        if bet.kind == "behind" and (bet.seat, bet.hand) == (seat, hand)
    )


def second_hand(round_: Round, bet: Bet) -> f.BetPlaced:
    """As much again on the second hand of a split (R34, R52)."""
    number = len(round_.bets) + 1
    return f.BetPlaced(round_.number, number, bet.kind, bet.player, bet.seat, 2, bet.amount)


def why_not_answer(game: Game, command: Insure | Follow) -> Refusal | None:
    """An answer to a window: that very window, by one who was asked, once."""
    round_ = game.round
    doubled = round_ is not None and round_.window is not None and round_.window.kind == "double"
    rule = "R39" if isinstance(command, Insure) else "R54" if doubled else "R52"
    if round_ is None or round_.number != command.round:
        return refuse("stale_round", rule, round=command.round, now=round_.number if round_ else 0)
    window = round_.window
    if window is None or not is_open(round_):
        return refuse("no_window", rule, player=command.player)
    insurance = window.kind == "insurance"
    if window.window != command.window or insurance != isinstance(command, Insure):
        return refuse("stale_window", rule, player=command.player)
    if command.player not in window.asked:
        return refuse("not_asked", rule, player=command.player)
    if window.has_answered(command.player):
        return refuse("answered_already", rule, player=command.player)
    return None


def answer(game: Game, round_: Round, command: Insure | Follow) -> tuple[f.AnyGameFact, ...]:
    """The answer, and the stake that a yes takes (R39: half the main bet; R52, R54: the same)."""
    window = round_.window
    if window is None:
        raise AssertionError("no window is open")
    yes = command.buy if isinstance(command, Insure) else command.follow
    said = f.WindowAnswered(round_.number, window.window, command.player, yes)
    facts: list[f.AnyGameFact] = [said]
    seat = game.seat_of(command.player)
    if yes and seat is not None and seat.absent:
        facts.append(f.PlayerReturned(seat.seat, seat.player))
    if yes:
        facts.append(_stake(round_, window, command.player))
    return tuple(facts)


def _stake(round_: Round, window: Window, player: str) -> f.AnyGameFact:
    number = len(round_.bets) + 1
    if window.kind == "insurance":
        box = next(box for box in round_.boxes if box.player == player)
        main = main_bet(round_, box.seat)
        if main is None:
            raise AssertionError(f"seat {box.seat} plays without a bet")
        half = main.amount // 2
        return f.BetPlaced(round_.number, number, "insurance", player, box.seat, 0, half)
    hand = 1 if window.kind == "split" else window.hand
    bet = next(bet for bet in behind(round_, window.seat, hand) if bet.player == player)
    if window.kind == "split":
        return second_hand(round_, bet)
    return f.BetDoubled(round_.number, bet.bet, player, bet.amount)


def offer_insurance(round_: Round) -> f.WindowOpened:
    """One window for all seats, the player with Blackjack too (R39, A7)."""
    asked = tuple(box.player for box in round_.boxes)
    return f.WindowOpened(round_.number, round_.windows + 1, "insurance", 0, 0, asked)


def all_answered(window: Window) -> bool:
    return len(window.answers) == len(window.asked)


def ask(game: Game, round_: Round, rules: TableRules) -> f.AnyGameFact | None:
    """The next decision, asked of the player or made for him (R20, R21)."""
    slot = turn(round_)
    if slot is None or round_.asked is not None:
        return None
    box = box_at(round_, slot.seat)
    if box is None or box.hands[slot.hand - 1].owed:
        return None
    if any(len(hand.cards) < 2 for hand in box.hands):
        return None
    number = round_.decisions + 1
    if game.absent(box.seat):
        action = autoplay(box, slot.hand, rules)
        return f.DecisionMade(round_.number, number, slot.seat, slot.hand, action, "station")
    asked = Asked(number, slot.seat, slot.hand, legal(round_, rules, slot))
    return f.DecisionAsked(round_.number, number, slot.seat, slot.hand, asked.legal)
