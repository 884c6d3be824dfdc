"""Snapshot to what the dealer's hands do with the chips, in columns of a screen's height. Pure."""

from __future__ import annotations

from itertools import groupby

from station.snapshot import PaymentView, Snapshot
from ui.present import Values, due, player_name
from ui.words import Words, money

ROWS = 5


def payments(snapshot: Snapshot, words: Words) -> Values:
    """A line a bet, in the order of the seats; `columns` are those lines as they are laid out."""
    split = {s.seat for s in snapshot.seats if len(s.hands) > 1}
    ordered = sorted(snapshot.payments, key=lambda line: line.seat)
    items = [_payment(line, snapshot, line.seat in split, words) for line in ordered]
    return {
        "active": bool(items),
        # Of two rounds with the same payments, the second is to be looked at as well.
        "round": snapshot.round,
        "title": words(_title(snapshot)),
        "items": items,
        "columns": columns(items, words),
    }


def _title(snapshot: Snapshot) -> str:
    if snapshot.phase == "void":
        return "void_headline"
    return "pay_title" if due(snapshot) else "pay_back_title"


def columns(items: list[Values], words: Words) -> list[list[Values]]:
    """Columns of at most `ROWS` rows. A seat stays in one column; what is too much for one goes on
    in the next under a heading that names the seat.
    """
    laid: list[list[Values]] = []
    for number, lines in groupby(items, key=lambda item: item["seat"]):
        left = list(lines)
        room = ROWS - len(laid[-1]) if laid else 0
        if room < min(len(left), 2) or room < len(left) <= ROWS:
            laid.append([])
            room = ROWS
        laid[-1] += left[:room]
        left = left[room:]
        while left:
            laid.append([_heading(number, words), *left[: ROWS - 1]])
            left = left[ROWS - 1 :]
    return laid


def _heading(number: int, words: Words) -> Values:
    label = words("pay_goes_on", seat=number)
    return {"seat": number, "label": label, "do": "head", "text": "", "amount": ""}


def _payment(line: PaymentView, snapshot: Snapshot, split: bool, words: Words) -> Values:
    label = words(f"key_{line.kind}" if line.kind != "insurance" else "bet_insurance")
    if line.kind in ("behind", "behind_pair"):
        name = player_name(line.player, words)
        label = words("pay_behind_pair", name=name) if line.kind == "behind_pair" else name
    if split and line.kind in ("main", "behind"):
        label = words("pay_hand", label=label, hand=line.hand)
    return {
        "seat": line.seat,
        "label": label,
        "do": line.do,
        "text": words(f"pay_{line.do}"),
        "amount": "" if line.do == "leave" else money(line.amount, snapshot.table.minor_digits),
    }
