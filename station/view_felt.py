"""What lies on the felt, for the snapshot: seats, hands, bets, the dealer, what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from station import snapshot as v
from station.game.bets import BEHIND
from station.game.hands import is_blackjack, is_bust, total
from station.game.state import (
    BURN,
    Bet,
    Box,
    Hand,
    Line,
    Phase,
    Round,
    Slot,
    box_at,
    is_open,
    main_bet,
    phase,
    taken_back,
    turn,
)
from station.table.state import Table
from station.wording import table as words
from station.wording.say import money, say


def slot_view(slot: Slot) -> v.SlotView:
    """A slot for a screen."""
    if slot.is_dealer:
        return v.SlotView("dealer")
    if slot.seat == BURN:
        return v.SlotView("burn")
    return v.SlotView("seat", slot.seat, slot.hand)


def on_felt(table: Table) -> Round | None:
    """The round whose cards lie there: not a cleared one, nor a void one once a new shoe is in."""
    round_ = table.game.round
    if round_ is None or round_.ended == "cleared":
        return None
    if round_.ended == "void" and round_.shoe != table.game.shoe.id:
        return None
    return round_


def seats(table: Table) -> list[v.SeatView]:
    """All seats of the felt, empty ones too, from the dealer's left."""
    shown = on_felt(table)
    plays = shown is not None and phase(shown) in (Phase.PLAYERS, Phase.FOLLOW)
    slot = turn(shown) if shown is not None and plays else None
    bets = [bet for bet in shown.bets if not taken_back(shown, bet)] if shown else []
    lines = {line.bet: line for line in shown.lines} if shown else {}
    return [
        _seat(table, shown, number, [bet for bet in bets if bet.seat == number], lines, slot)
        for number in range(1, table.rules.seats + 1)
    ]


def _seat(
    table: Table,
    shown: Round | None,
    number: int,
    bets: list[Bet],
    lines: dict[int, Line],
    at: Slot | None,
) -> v.SeatView:
    """`at`: the hand whose turn it is, while the players decide."""
    box = box_at(shown, number) if shown else None
    taken = table.game.seat_at(number)
    own = [bet for bet in bets if bet.kind not in BEHIND]
    others = [bet for bet in bets if bet.kind in BEHIND]
    # Whose hand lies there comes first: somebody else may have sat down since.
    player = box.player if box else (taken.player if taken else "")
    return v.SeatView(
        seat=number,
        player=player,
        in_round=any(bet.kind == "main" for bet in own),
        absent=taken is not None and taken.absent,
        hands=_hands(shown, box, at) if shown and box else [],
        # Fifty stand behind a seat of a remote table: only their sum is shown.
        bets=[_bet(bet, lines.get(bet.bet)) for bet in (bets if table.keys else own)],
        behind=_behind(others, lines),
    )


def _bet(bet: Bet, line: Line | None) -> v.BetView:
    if line is None:
        return v.BetView(bet.kind, bet.player, bet.stake, hand=bet.hand)
    return v.BetView(
        bet.kind, bet.player, bet.stake, line.returned, line.result, bet.hand, line.rule
    )


def _behind(bets: list[Bet], lines: dict[int, Line]) -> v.BehindView:
    if not bets:
        return v.BehindView()
    hands = [bet for bet in bets if bet.kind == "behind"]
    pairs = [bet for bet in bets if bet.kind != "behind"]
    return v.BehindView(
        players=len({bet.player for bet in bets}),
        amount=sum(bet.stake for bet in hands),
        returned=_back(hands, lines),
        pair_amount=sum(bet.stake for bet in pairs),
        pair_returned=_back(pairs, lines),
    )


def _back(bets: list[Bet], lines: dict[int, Line]) -> int | None:
    """What came back of all of them, once it is known of each."""
    done = [lines[bet.bet].returned for bet in bets if bet.bet in lines]
    return sum(done) if bets and len(done) == len(bets) else None


def _hands(round_: Round, box: Box, at: Slot | None) -> list[v.HandView]:
    views = []
    for number, hand in enumerate(box.hands, start=1):
        points, soft = total(hand.cards)
        bet = main_bet(round_, box.seat, number)
        views.append(
            v.HandView(
                hand=number,
                cards=[card.face for card in hand.cards],
                total=points,
                soft=soft,
                state=_hand_state(Slot(box.seat, number), hand, at),  # type: ignore[arg-type]
                result=_result(round_.lines, bet),
                stake=bet.stake if bet else 0,
                doubled=hand.doubled,
                split=hand.split,
            )
        )
    return views


def _result(lines: Iterable[Line], bet: Bet | None) -> str:
    """What became of the seated player's own bet on that hand."""
    if bet is None:
        return ""
    return next((line.result for line in lines if line.bet == bet.bet), "")


def _hand_state(slot: Slot, hand: Hand, at: Slot | None) -> str:
    if hand.surrendered:
        return "surrender"
    if hand.bust:
        return "bust"
    if hand.blackjack:
        return "blackjack"
    if hand.complete:
        points = total(hand.cards).points
        if points == 21:
            return "twenty_one"
        return "double" if hand.doubled else "stand"
    if at is not None:
        return "turn" if at == slot else "wait"
    return "open"


def dealer(round_: Round | None) -> v.DealerView:
    """The dealer's hand."""
    cards = round_.dealer if round_ is not None else ()
    points, soft = total(cards)
    state = "open"
    if is_bust(cards):
        state = "bust"
    elif is_blackjack(cards):
        state = "blackjack"
    elif round_ is not None and round_.ended == "settled":
        state = "stand"
    elif round_ is not None and phase(round_) is Phase.DEALER:
        state = "draw"
    faces = [card.face for card in cards]
    return v.DealerView(faces, points, soft, state)  # type: ignore[arg-type]


def decision(round_: Round | None) -> v.DecisionView | None:
    """What is asked; or, until the card it asks for has come, what was chosen."""
    if round_ is None or not is_open(round_):
        return None
    if round_.asked is not None:
        asked = round_.asked
        return v.DecisionView(asked.decision, asked.seat, asked.hand, list(asked.legal))
    for box in round_.boxes:
        for number, hand in enumerate(box.hands, start=1):
            if hand.split and len(hand.cards) == 1:
                return v.DecisionView(round_.decisions, box.seat, number, [], "split")
            if hand.owed:
                chosen = "double" if hand.doubled else "hit"
                return v.DecisionView(round_.decisions, box.seat, number, [], chosen)
    return None


def window(round_: Round | None) -> v.WindowView | None:
    """The open question to several players, or None."""
    if round_ is None or not is_open(round_) or round_.window is None:
        return None
    open_ = round_.window
    return v.WindowView(
        open_.window,
        open_.kind,
        open_.seat,
        open_.hand,
        list(open_.asked),
        [player for player, _ in open_.answers],
    )


def payments(table: Table, digits: int) -> list[v.PaymentView]:
    """What the dealer does with the chips of each bet, at a table with players in the chairs.

    What comes back before the deal is told at once, until the first decision, and not again at the
    end.
    """
    round_ = table.game.round
    if not table.keys or round_ is None:
        return []
    dealing = round_.ended == "" and round_.decisions == 0
    if dealing or (round_.ended == "cleared" and not round_.boxes):
        lines = [line for line in round_.lines if line.result == "returned"]
    elif on_felt(table) is not None:
        lines = [line for line in round_.lines if line.result not in ("returned", "taken_back")]
    else:
        lines = []
    lines.sort(key=lambda line: (line.seat, line.hand, line.bet))
    return [_payment(line, digits) for line in lines]


def _payment(line: Line, digits: int) -> v.PaymentView:
    change = line.returned - line.stake
    do = "pay" if change > 0 else "take" if change < 0 else "leave"
    if line.result == "returned":
        do, change = "return", line.returned
    name = f"behind_{do}" if line.kind in BEHIND else do
    params: dict[str, str | int] = {
        "seat": line.seat,
        "player": line.player,
        "amount": money(abs(change), digits),
    }
    bet = say(words.BETS[line.kind])
    return v.PaymentView(
        line.seat,
        line.player,
        line.kind,
        line.hand,
        do,  # type: ignore[arg-type]
        abs(change),
        _named(words.PAYMENTS[name], params, bet),
    )


def _named(pattern: tuple[str, str], params: dict[str, str | int], bet: v.Text) -> v.Text:
    """A sentence that names a bet in each language."""
    return v.Text(
        say(pattern, {**params, "bet": bet.ko}).ko, say(pattern, {**params, "bet": bet.en}).en
    )
