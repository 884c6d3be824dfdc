"""Snapshot to what lies on the felt: seats, hands, bets, results, the dealer's hand. Pure."""

from __future__ import annotations

from station.messages import BetView, DealerView, HandView, PromptView, SeatView, Snapshot
from ui.present import Values
from ui.words import Words, money

_LOST = {"lose", "bust", "surrender"}


def total_badge(total: int, soft: bool, cards: int, state: str, words: Words) -> str:
    """`17`, soft `s17`, a Blackjack by its name; "" without cards."""
    if not cards:
        return ""
    if state == "blackjack":
        return words("state_blackjack")
    return f"s{total}" if soft and total <= 21 else str(total)


def hand(view: HandView | None, lit: bool, words: Words) -> Values:
    """One hand's badge and state; an absent hand is all empty."""
    if view is None:
        return {"present": False, "badge": "", "state": "", "lit": False, "cards": 0}
    return {
        "present": True,
        "badge": total_badge(view.total, view.soft, len(view.cards), view.state, words),
        "state": view.state,
        "lit": lit,
        "cards": len(view.cards),
    }


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


def seat(view: SeatView, snapshot: Snapshot, words: Words) -> Values:
    """One seat: state in a word, both hands, bets in lines, result once settled."""
    slot = snapshot.prompt.slot
    lit = (
        snapshot.prompt.kind == "card"
        and slot is not None
        and slot.to == "seat"
        and slot.seat == view.seat
    )
    state = _state(view)
    hands = {h.hand: h for h in view.hands}
    digits = snapshot.table.minor_digits
    return {
        "seat": view.seat,
        "player": view.player,
        "state": state,
        "word": _state_word(view, state, words),
        "absent": words("state_absent") if view.absent else "",
        "lit": lit,
        "first": hand(hands.get(1), is_lit(snapshot.prompt, view.seat, 1), words),
        "second": hand(hands.get(2), is_lit(snapshot.prompt, view.seat, 2), words),
        "split": len(view.hands) > 1,
        "bets": bet_lines(view, digits, words),
        **result(view, digits, words),
    }


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


def _state_word(view: SeatView, state: str, words: Words) -> str:
    if state in ("blackjack", "open"):
        return ""  # The badge says it, or the cards do.
    return words(f"state_{state}")


def bet_lines(view: SeatView, digits: int, words: Words) -> list[Values]:
    """At most three lines: main, the seat's other bets, all bets behind together.

    Each is `{label, amount}`; a doubled or split main bet is shown as its sum.
    """
    own = [bet for bet in view.bets if not _is_behind(bet, view)]
    behind = [bet for bet in view.bets if _is_behind(bet, view)]
    lines: list[Values] = []
    kinds = list(dict.fromkeys(bet.kind for bet in own))
    for kind in kinds:
        bets = [bet for bet in own if bet.kind == kind]
        label = words.known(f"bet_{kind}", kind)
        if len(bets) > 1:
            label = f"{label} ×{len(bets)}"
        lines.append({"label": label, "amount": money(sum(b.amount for b in bets), digits)})
    if behind:
        people = len({bet.player for bet in behind})
        total = sum(bet.amount for bet in behind)
        label = words("bet_behind", count=people)
        lines = lines[:2]
        lines.append({"label": label, "amount": money(total, digits)})
    return lines[:3]


def _is_behind(bet: BetView, view: SeatView) -> bool:
    return bet.kind.startswith("behind") or bool(view.player and bet.player != view.player)


def result(view: SeatView, digits: int, words: Words) -> Values:
    """The seat's own net result: `outcome` win, push, lose or void, with word and sign."""
    own = [bet for bet in view.bets if not _is_behind(bet, view)]
    if not own or any(bet.returned is None for bet in own):
        return {"outcome": "", "result": "", "net": ""}
    net = sum((bet.returned or 0) - bet.amount for bet in own)
    results = list(dict.fromkeys(bet.result for bet in own if bet.kind == "main"))
    if not results:
        results = [bet.result for bet in own[:1]]
    word = words.known(f"result_{results[0]}", results[0])
    if len(results) > 1:
        word = words("result_mixed")
    outcome = "win" if net > 0 else "lose" if net < 0 else "push"
    if results == ["void"]:
        outcome = "void"
    sign = "+" if net > 0 else ""
    shown = money(net, digits)
    if net == 0:
        shown = money(sum(bet.amount for bet in own), digits) if outcome == "void" else "±0"
    return {"outcome": outcome, "result": word, "net": sign + shown}


def dealer(view: DealerView, prompt: PromptView, words: Words) -> Values:
    """The dealer's hand: badge, state word, whether the prompt points at it."""
    lit = prompt.kind == "card" and prompt.slot is not None and prompt.slot.to == "dealer"
    key = view.state if view.cards else "waiting"
    return {
        "badge": total_badge(view.total, view.soft, len(view.cards), view.state, words),
        "state": view.state if view.cards else "",
        "word": words(f"dealer_{key}"),
        "lit": lit,
        "cards": len(view.cards),
    }
