"""Snapshot to the sheet that takes a bet back while betting is open. Pure.

A bet that was keyed wrongly comes back first and is keyed again then: nothing is changed in place.
"""

from __future__ import annotations

from typing import NamedTuple

from station.snapshot import BetView, Snapshot
from ui.present import Values, player_name
from ui.present_chairs import BEHIND, back_entry, find, key, wait_name
from ui.words import Words, money

NOTHING: Values = {"mode": "", "title": "", "what": "", "amount": "", "guard": "", "items": []}


class Chosen(NamedTuple):
    """The cell that was pressed; `player` "" until one of those behind is chosen."""

    seat: int
    kind: str
    player: str = ""


def lying(snapshot: Snapshot, chosen: Chosen) -> list[BetView]:
    """The bets of that cell, or of that player in it, that can still come back."""
    if snapshot.phase != "betting":
        return []
    return [
        bet
        for seat in snapshot.seats
        if seat.seat == chosen.seat
        for bet in seat.bets
        if bet.kind == chosen.kind and chosen.player in ("", bet.player)
    ]


def sheet(snapshot: Snapshot, chosen: Chosen | None, words: Words, amount: int | None) -> Values:
    """`who` to choose among those behind, or `sure` to name one bet; `mode` "" for no sheet.

    `amount`: keyed for the next bet, minor units.
    """
    bets = lying(snapshot, chosen) if chosen is not None else []
    if chosen is None or not bets:
        return NOTHING
    if chosen.kind in BEHIND and not chosen.player:
        return _who(snapshot, chosen, bets, words, amount)
    return _sure(snapshot, chosen, bets[0], words)


def _who(
    snapshot: Snapshot, chosen: Chosen, bets: list[BetView], words: Words, amount: int | None
) -> Values:
    """Each of those behind with his bet, after a key for one more."""
    digits, target = snapshot.table.minor_digits, str(chosen.seat)
    more = find(snapshot, f"place_bet:{chosen.kind}", target)
    note = f"+ {money(amount, digits)}" if amount is not None else ""
    items = [key(more, f"place_bet:{chosen.kind}", target, words("back_more"), words, note)]
    entry = back_entry(snapshot, chosen.kind, target)
    for bet in bets:
        name, note = player_name(bet.player, words), money(bet.amount, digits)
        item = key(entry, f"back:{chosen.kind}", target, name, words, note)
        wait = wait_name("take_back", target)
        items.append(item | {"extra": bet.player, "wait": wait})
    return NOTHING | {
        "mode": "who",
        "title": words("back_who", seat=chosen.seat, bet=_bet_name(chosen.kind, words)),
        "guard": f"{chosen.seat} {chosen.kind}",
        "items": [item | {"hold": False} for item in items],
    }


def _sure(snapshot: Snapshot, chosen: Chosen, bet: BetView, words: Words) -> Values:
    """One bet by seat, name and amount; a main bet takes the Pair bet of its seat along (R14)."""
    digits, target = snapshot.table.minor_digits, str(chosen.seat)
    what = _bet_name(chosen.kind, words)
    if chosen.kind in BEHIND:
        name = player_name(bet.player, words)
        what = name if chosen.kind == "behind" else words("pay_behind_pair", name=name)
    pair = lying(snapshot, Chosen(chosen.seat, "pair")) if chosen.kind == "main" else []
    shown = money(bet.amount, digits)
    if pair:
        shown = words("back_with_pair", amount=shown, pair=money(pair[0].amount, digits))
    entry = back_entry(snapshot, chosen.kind, target)
    item = key(entry, f"take_back:{chosen.kind}", target, words("back_take"), words)
    return NOTHING | {
        "mode": "sure",
        "title": words("seat", seat=chosen.seat),
        "what": what,
        "amount": shown,
        "guard": " ".join((*map(str, chosen), shown)),
        "items": [item | {"extra": bet.player}],
    }


def _bet_name(kind: str, words: Words) -> str:
    return words(f"key_{kind}").replace("\n", " ")
