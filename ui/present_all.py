"""Each region of the screen by name: of a snapshot, and before the first one. Pure."""

from __future__ import annotations

from station.snapshot import Snapshot
from ui import (
    present,
    present_back,
    present_chairs,
    present_felt,
    present_panels,
    present_pay,
    present_side,
)
from ui.pictures import Find, no_picture
from ui.present import Values
from ui.words import Words


def shown(
    snapshot: Snapshot, words: Words, amount: int | None, find: Find = no_picture
) -> dict[str, Values]:
    """What every region shows of a snapshot, but for the keys and the countdown.

    `amount`: keyed for the next bet, minor units. `find` looks for a read's picture.
    """
    void, hands = snapshot.phase == "void", present.hands_read(snapshot)
    return {
        "top": present.top(snapshot, words),
        "prompt": present.prompt(snapshot, words),
        "read": present.last_read(snapshot.last_read, words, void, hands),
        "dealer": present_felt.dealer(snapshot.dealer, snapshot.prompt, words),
        "panel": present_panels.panel(snapshot, words),
        "side": present_side.side(snapshot, words, find),
        "staff": present_panels.staff(snapshot, words),
        "shoe": {"id": snapshot.shoe.id},
        "asks": present_chairs.asks(snapshot, words),
        "pay": present_pay.payments(snapshot, words),
        "amount": present_chairs.amount(snapshot, amount, words),
        "leave": {"items": present_chairs.leave_items(snapshot, words)},
    }


def blank(words: Words) -> dict[str, Values]:
    """What every region shows without a station: nothing known, and shown as that."""
    health = dict.fromkeys(("shoe", "reader", "host", "journal"), "")
    top = {"table": "", "round": "", "rules": "", "watermark": "", "dealer": ""}
    key = {"served": False, "enabled": False, "why": "", "target": "", "called": False}
    return {
        "top": top | health,
        "prompt": {"kind": "none", "where": words("no_card"), "what": "", "more": "", "hands": ""}
        | {"who": "", "others": "", "again": False, "seat": -1, "hand": 0, "to": "", "asked": []},
        "read": present.last_read(None, words),
        "dealer": {"badge": "", "soft": "", "state": "", "word": "", "lit": False, "cards": 0},
        "keys": {name: key | {"unseen": False} for name in present_panels.KEYS},
        "panel": {"kind": "", "title": "", "big": "", "text": "", "items": []},
        "side": {"kind": "", "title": "", "alerts": [], "lines": [], "faces": [], "pictures": []},
        "staff": {"items": [], "dealer": False},
        "shoe": {"id": ""},
        "asks": {"active": False, "title": "", "guard": "", "cells": []},
        "pay": {"active": False, "round": 0, "title": "", "items": [], "columns": []},
        "amount": present_chairs.amount(None, None, words),
        "leave": {"items": []},
        "back": present_back.NOTHING,
    }
