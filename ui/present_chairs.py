"""Snapshot to the dealer's keys at a table with players in the chairs. Pure.

Every key is greyed out from `actions` alone; what it says beneath its label is what lies there.
"""

from __future__ import annotations

from station.snapshot import ActionView, SeatView, Snapshot
from ui.present import Values, player_name, why
from ui.words import Words, money

ACTIONS = ("hit", "stand", "double", "split", "surrender")
BETS = ("main", "pair", "behind", "behind_pair")
BEHIND = ("behind", "behind_pair")
# Of a sum beside the number of bets; a longer one has the width of a key to itself.
MOST_FIGURES = 7
QUICK = (2, 3, 5, 10)
NO_KEYS: Values = {"mode": "", "title": "", "guard": "", "done": False, "items": []}


def keyed(snapshot: Snapshot) -> bool:
    """Whether the dealer keys what the players do."""
    return snapshot.table.host == "chairs"


def find(snapshot: Snapshot, command: str, target: str | None = None) -> ActionView | None:
    """The entry of a command, on that target where one is named."""
    return next(
        (
            entry
            for entry in snapshot.actions
            if entry.command == command and target in (None, entry.target)
        ),
        None,
    )


def why_shut(entry: ActionView | None, words: Words) -> str:
    """Why that entry is shut; "" when it is open."""
    if entry is None:
        return words("not_now")
    return why(entry.refusal, words) if entry.refusal else ""


def key(
    entry: ActionView | None, command: str, target: str, label: str, words: Words, note: str = ""
) -> Values:
    """One key; `wait` is the name it waits under until it is answered."""
    reason = why_shut(entry, words)
    return {
        "command": command,
        "target": target,
        "label": label,
        "note": note,
        "enabled": not reason,
        "why": reason,
        "done": False,
        "wait": wait_name(command, target),
    }


def wait_name(command: str, target: str) -> str:
    """What a pressed key waits under: keys of one seat or player wait apart from the others'."""
    verb = command.partition(":")[0]
    apart = ("place_bet", "take_back", "take_seat", "leave_seat", "insure", "follow")
    return f"{verb}@{target}" if verb in apart else verb


def seat_keys(view: SeatView, snapshot: Snapshot, words: Words, amount: int | None) -> Values:
    """The keys on a seat: `sit`, `bets` or `ask`; "" for none. `amount`: keyed, minor units."""
    if not keyed(snapshot):
        return NO_KEYS
    if snapshot.phase == "insurance":
        return _insurance(view, snapshot, words)
    if snapshot.phase not in ("idle", "betting"):
        return NO_KEYS
    target = str(view.seat)
    if not view.player:
        entry = find(snapshot, "take_seat", target)
        item = key(entry, "take_seat", target, words("key_sit"), words)
        return NO_KEYS | {"mode": "sit", "guard": "sit", "items": [item]}
    items = [_bet_key(kind, view, snapshot, words, amount) for kind in BETS]
    guard = f"{view.player} {len(view.bets)}"
    return NO_KEYS | {"mode": "bets", "guard": guard, "items": items}


def _bet_key(
    kind: str, view: SeatView, snapshot: Snapshot, words: Words, amount: int | None
) -> Values:
    """A bet that is not there yet is placed; one that lies there is asked about (`back`)."""
    target = str(view.seat)
    digits = snapshot.table.minor_digits
    lying = [bet.amount for bet in view.bets if bet.kind == kind]
    if lying:
        note = money(sum(lying), digits)
        if len(lying) > 1 and len(note) <= MOST_FIGURES:
            note = words("behind_note", count=len(lying), amount=note)
        entry = back_entry(snapshot, kind, target)
        item = key(entry, f"back:{kind}", target, words(f"key_{kind}"), words, note)
        return item | {"cell": f"place_bet:{kind}", "done": True, "wait": f"place_bet@{target}"}
    entry = find(snapshot, "place_bet" if kind == "main" else f"place_bet:{kind}", target)
    note = ""
    if amount is not None and entry is not None and entry.refusal is None:
        note = f"+ {money(amount, digits)}"
    return key(entry, f"place_bet:{kind}", target, words(f"key_{kind}"), words, note)


def back_entry(snapshot: Snapshot, kind: str, target: str) -> ActionView | None:
    """What says whether a bet on that seat can come back.

    Those behind are named in the command, so there is no entry for them: their bets come back as
    long as betting is open, and are shut with the key that closes it.
    """
    if kind in BEHIND:
        return find(snapshot, "close_betting")
    return find(snapshot, "take_back" if kind == "main" else f"take_back:{kind}", target)


def _insurance(view: SeatView, snapshot: Snapshot, words: Words) -> Values:
    """Yes and no on each seat that is asked; yes stakes half the main bet (R39)."""
    window = snapshot.window
    if window is None or view.player not in window.asked:
        return NO_KEYS
    stake = next((bet.amount for bet in view.bets if bet.kind == "main"), 0) // 2
    title = words("insure_title", amount=money(stake, snapshot.table.minor_digits))
    if view.player in window.answered:
        bought = any(bet.kind == "insurance" for bet in view.bets)
        title = words("insure_yes" if bought else "insure_no")
    items = _answers("insure", view.player, snapshot, words)
    return {
        "mode": "ask",
        "title": title,
        "guard": str(window.window),
        "done": view.player in window.answered,
        "items": items,
    }


def _answers(verb: str, player: str, snapshot: Snapshot, words: Words) -> list[Values]:
    entry = find(snapshot, verb, player)
    return [
        key(entry, f"{verb}:{answer}", player, words(f"key_{answer}"), words)
        for answer in ("yes", "no")
    ]


def asks(snapshot: Snapshot, words: Words) -> Values:
    """Who stands behind and is asked whether he follows: a cell of yes and no each."""
    window = snapshot.window
    shown: Values = {"active": False, "title": "", "guard": "", "cells": []}
    if window is None or window.kind == "insurance" or not keyed(snapshot):
        return shown
    bets = [b for s in snapshot.seats if s.seat == window.seat for b in s.bets]
    for player in window.asked:
        stake = sum(b.amount for b in bets if b.player == player and b.kind == "behind")
        amount = money(stake, snapshot.table.minor_digits)
        shown["cells"].append(
            {
                "label": f"{player_name(player, words)} · {amount}",
                "answered": player in window.answered,
                "items": _answers("follow", player, snapshot, words),
            }
        )
    title = words(f"follow_title_{window.kind}", seat=window.seat)
    return shown | {"active": True, "title": title, "guard": str(window.window)}


def decide_items(snapshot: Snapshot, words: Words) -> list[Values]:
    """The five actions of the asked hand, in their places; the forbidden ones say their rule."""
    decision = snapshot.decision
    if decision is None:
        return []
    target = str(decision.seat)
    return [
        key(
            find(snapshot, f"decide:{name}", target),
            f"decide:{name}",
            str(decision.decision),
            words(f"action_{name}"),
            words,
        )
        for name in ACTIONS
    ]


def round_items(snapshot: Snapshot, words: Words) -> list[Values]:
    """Between rounds and while betting: START, no more bets, an amount, leaving, a break."""
    betting = find(snapshot, "place_bet") is not None or snapshot.phase == "betting"
    close = find(snapshot, "close_betting")
    amount = {
        "command": "open:amount",
        "target": "",
        "label": words("key_amount"),
        "note": "",
        "enabled": betting,
        "why": words("nobody_seated"),
        "done": False,
        "wait": "",
    }
    taken = [seat for seat in snapshot.seats if seat.player]
    return [
        key(find(snapshot, "open_round"), "open_round", "", words("key_start"), words),
        key(close, "close_betting", close.target if close else "", words("key_no_more"), words),
        amount,
        amount | {"command": "open:leave", "label": words("key_leave"), "enabled": bool(taken)},
        key(find(snapshot, "pause_table"), "pause_table", "", words("key_pause"), words),
    ]


def leave_items(snapshot: Snapshot, words: Words) -> list[Values]:
    """A key for each seat, in its place, to say that the player leaves."""
    items = []
    for view in snapshot.seats:
        entry = find(snapshot, "leave_seat", str(view.seat))
        label = words("seat", seat=view.seat)
        item = key(entry, "leave_seat", str(view.seat), label, words)
        if not view.player:
            item |= {"enabled": False, "why": words("state_empty")}
        items.append(item | {"hold": False})
    return items


def amount(snapshot: Snapshot | None, keyed_amount: int | None, words: Words) -> Values:
    """The amount of the next bet in a line, and what a quick key would make it."""
    if snapshot is None:
        return {"line": "", "set": False, "quick": [], "digits": 0}
    table = snapshot.table
    nominal = money(table.nominal, table.minor_digits)
    there = snapshot.phase == "betting" and any(seat.bets for seat in snapshot.seats)
    line = words("unit_back" if there else "unit", amount=nominal)
    if keyed_amount is not None:
        line = words("amount_next", amount=money(keyed_amount, table.minor_digits))
    return {
        "line": line,
        "set": keyed_amount is not None,
        "digits": table.minor_digits,
        "quick": [
            {
                "amount": table.nominal * times,
                "label": money(table.nominal * times, table.minor_digits),
            }
            for times in QUICK
        ],
    }
