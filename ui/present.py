"""Snapshot to what the top of the screen shows: bar, prompt, last read, countdown. Pure."""

from __future__ import annotations

from typing import Any

from station.messages import (
    CountdownView,
    DeviceView,
    HandView,
    HoldView,
    LastReadView,
    SlotView,
    Snapshot,
)
from ui.words import Words, face_sign

Values = dict[str, Any]

GOOD, CARE, BAD = "good", "care", "bad"
_SHOE_HEALTH = {"in_play": GOOD, "none": BAD, "out": BAD}
_READ_OK = {"dealt", "reread", "burned", "card"}


def top(snapshot: Snapshot, words: Words) -> Values:
    """Table, round, rules, people; health as chips of `{label, health}`."""
    rules = snapshot.rules
    watermark = snapshot.table.watermark
    dealer = snapshot.staff.dealer
    return {
        "table": snapshot.table.id,
        "round": words("round", round=_spaced(snapshot.round))
        if snapshot.round
        else words("no_round"),
        "rules": words(
            "rules_chip",
            decks=rules.decks,
            stands=rules.dealer_stands,
            pays=rules.blackjack_pays,
            print=rules.fingerprint[:4],
        ),
        "watermark": words.say(watermark) if watermark else "",
        "dealer": words("staff_dealer", name=dealer.name) if dealer else "",
        "shoe": _SHOE_HEALTH.get(snapshot.shoe.state, CARE),
        "reader": readers_health(snapshot.devices),
        "host": GOOD if snapshot.host.connected else BAD,
        "journal": BAD if snapshot.prompt.code == "journal_unavailable" else GOOD,
    }


def readers_health(devices: list[DeviceView]) -> str:
    """The worst of all devices; no device at all is bad."""
    if not devices or any(device.health != "up" for device in devices):
        return BAD
    return GOOD


def _spaced(number: int) -> str:
    """A round's number in groups of three, with thin spaces: 12 845."""
    return f"{number:,}".replace(",", " ")


def slot_name(slot: SlotView | None, words: Words, hands: int = 1) -> str:
    """`Seat 4`, `Seat 4-2` where the seat has two hands, `Dealer`; "" for nowhere."""
    if slot is None:
        return ""
    if slot.to == "dealer":
        return words("dealer")
    if hands > 1:
        return words("seat_hand", seat=slot.seat, hand=slot.hand)
    return words("seat", seat=slot.seat)


def _hands_at(snapshot: Snapshot, slot: SlotView) -> list[HandView]:
    return next((seat.hands for seat in snapshot.seats if seat.seat == slot.seat), [])


def _total_at(snapshot: Snapshot, slot: SlotView, words: Words) -> str:
    """The total the card will be added to; "" on an empty place."""
    total, soft, cards = snapshot.dealer.total, snapshot.dealer.soft, snapshot.dealer.cards
    if slot.to == "seat":
        hand = next((h for h in _hands_at(snapshot, slot) if h.hand == slot.hand), None)
        if hand is None:
            return ""
        total, soft, cards = hand.total, hand.soft, hand.cards
    if not cards:
        return ""
    return words("soft_total" if soft else "total", total=total)


def prompt(snapshot: Snapshot, words: Words) -> Values:
    """`kind` card, none or hold; `where` in large; `what` it is for and `more`; `seat` lit."""
    view = snapshot.prompt
    values: Values = {
        "kind": view.kind,
        "where": words("no_card"),
        "what": words.say(view.text),
        "more": "",
        "hands": "",
        "rule": "",
        "seat": -1,
        "hand": 0,
    }
    if view.kind == "card" and view.slot is not None:
        slot = view.slot
        hands = len(_hands_at(snapshot, slot)) if slot.to == "seat" else 1
        values["where"] = slot_name(slot, words, hands)
        values["more"] = _total_at(snapshot, slot, words)
        values["seat"] = slot.seat
        values["hand"] = slot.hand
    elif view.kind == "hold":
        values |= _hold(snapshot, words)
    return values


def gravest(snapshot: Snapshot) -> HoldView | None:
    """The one hold that banner, panel, evidence and rulings speak of.

    The dealer's own WAIT yields to every other hold: those are a supervisor's to end.
    """
    others = (hold for hold in snapshot.holds if hold.code != "wait")
    return next(others, snapshot.holds[0] if snapshot.holds else None)


def _hold(snapshot: Snapshot, words: Words) -> Values:
    hold = gravest(snapshot)
    if hold is None:
        return {"where": words("stop")}
    others = len(snapshot.holds) - 1
    what = words.say(hold.what)
    if others:
        what = f"{what} ({words('more_holds', count=others)})"
    who = _reader_back(snapshot, hold, words) or words.say(hold.who)
    return {
        "where": words("wait_title" if hold.code == "wait" else "stop"),
        "what": what,
        "hands": f"{words.say(hold.hands)} {who}",
        "rule": hold.rule,
    }


def _reader_back(snapshot: Snapshot, hold: HoldView, words: Words) -> str:
    """Once the lost reader is up: that it is, and the card to read again; else ""."""
    up = any(d.name == hold.device and d.health == "up" for d in snapshot.devices)
    if hold.code != "reader_lost" or not up:
        return ""
    asked = [
        words.say(ruling.refusal.text)
        for ruling in hold.rulings
        if ruling.ruling == "aligned"
        and ruling.refusal is not None
        and ruling.refusal.code == "last_card_not_reread"
    ]
    return " ".join([words("reader_back"), *asked])


def read_kind(outcome: str) -> str:
    """`ok`, `ignored`, `cut` or `error`: never two of them look alike."""
    if outcome in _READ_OK:
        return "ok"
    if outcome == "repeat":
        return "ignored"
    return "cut" if outcome == "cut_card" else "error"


def last_read(view: LastReadView | None, words: Words, void: bool = False) -> Values:
    """The last read: `kind`, `title`, the card and where it went, the station's words.

    In a `void` round a read that went well is `past`: nothing on the felt counts any more.
    """
    if view is None:
        return {
            "number": -1,
            "kind": "nothing",
            "title": words("last_read"),
            "rank": "",
            "suit": "",
            "where": "",
            "text": words("read_nothing"),
        }
    kind = read_kind(view.outcome)
    where = slot_name(view.slot, words) if kind in ("ok", "ignored") else ""
    return {
        "number": view.number,
        "kind": "past" if void and kind == "ok" else kind,
        "title": words("last_read") if void and kind == "ok" else words(f"read_{kind}"),
        "rank": "10" if view.face[:1] == "T" else view.face[:1],
        "suit": view.face[1:],
        "where": where,
        "text": words.say(view.text),
    }


def read_line(view: LastReadView, words: Words) -> str:
    """The last read in one line, for the evidence of a hold."""
    parts = [face_sign(view.face), slot_name(view.slot, words)]
    where = " → ".join(part for part in parts if part)
    # "Ignored" beside a hold would say that nothing happened.
    text = words.known(f"evidence_{view.outcome}", words.say(view.text))
    return f"{where} · {text}" if where else text


def countdown(view: CountdownView | None, words: Words) -> Values:
    """The name of what is counted; the running figure is the view model's."""
    if view is None:
        return {"active": False, "label": words("count_none")}
    return {"active": True, "label": words(f"count_{view.kind}", seat=view.seat)}
