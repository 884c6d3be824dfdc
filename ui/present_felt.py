"""Snapshot to what lies on the felt: seats, hands, bets, results, the dealer's hand. Pure."""

from __future__ import annotations

from station.snapshot import BetView, DealerView, HandView, PromptView, SeatView, Snapshot
from ui.present import Values, player_name
from ui.words import Words, money


def total_badge(total: int, cards: int, state: str, words: Words) -> str:
    """`17`, a Blackjack by its name; "" without cards."""
    if not cards:
        return ""
    return words("state_blackjack") if state == "blackjack" else str(total)


def soft_note(view: HandView | DealerView, words: Words) -> str:
    """The word above a soft total; "" for a hard one and for a Blackjack."""
    return words("soft") if view.soft and view.state != "blackjack" else ""


def is_lit(prompt: PromptView, seat: int, hand_number: int) -> bool:
    """Whether the prompt points at this hand: the two never disagree."""
    slot = prompt.slot
    return (
        prompt.kind == "card"
        and slot is not None
        and slot.to == "seat"
        and slot.seat == seat
        and slot.hand in (0, hand_number)
    )


def hand(view: HandView | None, seat: SeatView, snapshot: Snapshot, words: Words) -> Values:
    """One hand: badge, state in a word, stake, what the card prompt wants of it, its result.

    `dim`: another hand of the same seat is the one the card goes to.
    """
    if view is None:
        return {"present": False, "badge": "", "state": "", "word": "", "lit": False, "dim": False}
    digits = snapshot.table.minor_digits
    lit = is_lit(snapshot.prompt, seat.seat, view.hand)
    others = any(is_lit(snapshot.prompt, seat.seat, h.hand) for h in seat.hands)
    return {
        "present": True,
        "name": words("hand_n", hand=view.hand),
        "badge": total_badge(view.total, len(view.cards), view.state, words),
        "soft": soft_note(view, words),
        "state": view.state,
        "word": "" if others and view.state == "turn" else _word(view, words),
        "lit": lit,
        "dim": others and not lit,
        "cards": len(view.cards),
        "stake": money(view.stake, digits) if view.stake else "",
        "doubled": view.doubled,
        **result(view, seat, digits, words),
    }


def _word(view: HandView, words: Words) -> str:
    """What became of the hand so far, and whether it is doubled."""
    word = "" if view.state == "open" else words(f"state_{view.state}")
    return f"{word} ×2".strip() if view.doubled else word


def seat(view: SeatView, snapshot: Snapshot, words: Words) -> Values:
    """One seat: state in a word, both hands, bets in lines, results once settled."""
    state = _state(view)
    hands = {h.hand: h for h in view.hands}
    digits = snapshot.table.minor_digits
    return {
        "seat": view.seat,
        "player": player_name(view.player, words),
        "state": state,
        "word": "" if state in ("blackjack", "open") else words(f"state_{state}"),
        "absent": words("state_absent") if view.absent else "",
        "asked": asked(view, snapshot),
        "lit": any(is_lit(snapshot.prompt, view.seat, number) for number in (1, 2)),
        "first": hand(hands.get(1), view, snapshot, words),
        "second": hand(hands.get(2), view, snapshot, words),
        "split": len(view.hands) > 1,
        "main": main_line(view, digits, words),
        "lines": side_lines(view, digits, words),
    }


def asked(view: SeatView, snapshot: Snapshot) -> str:
    """`asked` or `answered` while a window asks this seat, or those behind it; else ""."""
    window = snapshot.window
    if window is None:
        return ""
    if window.kind != "insurance":
        return "asked" if window.seat == view.seat else ""
    if view.player in window.answered:
        return "answered"
    return "asked" if view.player in window.asked else ""


def _state(view: SeatView) -> str:
    if not view.player and not view.in_round:
        return "empty"
    if not view.in_round:
        return "no_bet"
    if not any(h.cards for h in view.hands):
        return "bet_in"
    for wanted in ("turn", "wait", "open"):
        if any(h.state == wanted for h in view.hands):
            return wanted
    return view.hands[0].state


def main_line(view: SeatView, digits: int, words: Words) -> Values:
    """The seat's main bet as `{label, amount, doubled}`; all empty without one."""
    bets = [bet for bet in view.bets if bet.kind == "main"]
    if not bets:
        return {"label": "", "amount": "", "doubled": False}
    return {
        "label": words("bet_main"),
        "amount": money(sum(bet.amount for bet in bets), digits),
        "doubled": any(h.doubled for h in view.hands),
    }


def side_lines(view: SeatView, digits: int, words: Words) -> list[Values]:
    """Pair, insurance, all bets behind together, their Pair bets: `{label, amount, net, outcome}`.

    `net` is what changed hands, as on the main bet, once the bet is settled (`outcome`).
    """
    lines: list[Values] = []
    for kind in ("pair", "insurance"):
        bets = [bet for bet in view.bets if bet.kind == kind]
        if bets:
            back = _sum([bet.returned for bet in bets])
            results = {bet.result for bet in bets}
            stake = sum(bet.amount for bet in bets)
            lines.append(_line(words(f"bet_{kind}"), stake, back, results == {"void"}, digits))
    behind = view.behind
    if behind.players:
        void = any(h.result == "void" for h in view.hands)
        label = words("bet_behind", count=behind.players)
        if behind.amount:
            lines.append(_line(label, behind.amount, behind.returned, void, digits))
        if behind.pair_amount:
            label = words("bet_behind_pair")
            lines.append(_line(label, behind.pair_amount, behind.pair_returned, void, digits))
    return lines


def _sum(amounts: list[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _line(label: str, stake: int, back: int | None, void: bool, digits: int) -> Values:
    amount = money(stake, digits)
    if back is None:
        return {"label": label, "amount": amount, "net": "", "outcome": ""}
    if void:
        return {"label": label, "amount": amount, "net": amount, "outcome": "void"}
    net = back - stake
    shown = signed(net, digits)
    return {"label": label, "amount": amount, "net": shown, "outcome": outcome_of(net)}


def signed(net: int, digits: int) -> str:
    """What changed hands with its sign: +500, −500, ±0; minor units."""
    shown = money(net, digits) if net else "±0"
    return f"+{shown}" if net > 0 else shown


def outcome_of(net: int) -> str:
    """`win`, `lose` or `push` by what changed hands, minor units."""
    return "win" if net > 0 else "lose" if net < 0 else "push"


def result(view: HandView, seat: SeatView, digits: int, words: Words) -> Values:
    """What the seat's own bet on that hand came to: `outcome`, in a word, and the net amount."""
    bets = _on_hand(view, seat)
    if not bets or any(bet.returned is None for bet in bets):
        return {"outcome": "", "result": "", "net": ""}
    net = sum((bet.returned or 0) - bet.amount for bet in bets)
    word = words.known(f"result_{bets[0].result}", bets[0].result)
    if bets[0].result == "void":
        back = money(sum(bet.amount for bet in bets), digits)
        return {"outcome": "void", "result": word, "net": back}
    return {"outcome": outcome_of(net), "result": word, "net": signed(net, digits)}


def _on_hand(view: HandView, seat: SeatView) -> list[BetView]:
    return [bet for bet in seat.bets if bet.kind == "main" and bet.hand == view.hand]


def dealer(view: DealerView, prompt: PromptView, words: Words) -> Values:
    """The dealer's hand: badge, state word, whether the prompt points at it."""
    lit = prompt.kind == "card" and prompt.slot is not None and prompt.slot.to == "dealer"
    key = view.state if view.cards else "waiting"
    return {
        "badge": total_badge(view.total, len(view.cards), view.state, words),
        "soft": soft_note(view, words),
        "state": view.state if view.cards else "",
        "word": words(f"dealer_{key}"),
        "lit": lit,
        "cards": len(view.cards),
    }
