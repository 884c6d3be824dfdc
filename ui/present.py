"""Snapshot to what the top of the screen shows: bar, prompt, last read, countdown. Pure."""

from __future__ import annotations

import re
from typing import Any

from station.snapshot import (
    CountdownView,
    DeviceView,
    HandView,
    HoldView,
    LastReadView,
    PaymentView,
    RefusalView,
    SlotView,
    Snapshot,
)
from ui.words import Words, face_sign

Values = dict[str, Any]

GOOD, CARE, BAD = "good", "care", "bad"
_SHOE_HEALTH = {"in_play": GOOD, "none": BAD, "out": BAD}
# Prompts for a card that was drawn and not read.
AGAIN = ("show_again", "scan_again")
# Cards go on with a device in these states.
_READS_ON = ("garbled", "not_answering", "impaired")
_READ_OK = {"dealt", "corrected", "reread", "burned", "card"}


def due(snapshot: Snapshot) -> list[PaymentView]:
    """The payments of a round that is over, without what went back before its deal."""
    return [line for line in snapshot.payments if line.do != "return"]


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
            print=rules.fingerprint[:8],
        ),
        "watermark": words.say(watermark) if watermark else "",
        "dealer": words("staff_dealer", name=dealer.name) if dealer else "",
        "shoe": _SHOE_HEALTH.get(snapshot.shoe.state, CARE),
        "reader": readers_health(snapshot.devices),
        "host": _host_health(snapshot),
        "journal": BAD if snapshot.prompt.code == "journal_unavailable" else GOOD,
    }


def _host_health(snapshot: Snapshot) -> str:
    """Of the game host; "none" where the station itself is the host, which cannot be lost."""
    if snapshot.table.host == "chairs":
        return "none"
    return GOOD if snapshot.host.connected else BAD


def why(refusal: RefusalView, words: Words) -> str:
    """A refusal as a dealer reads it, with its rule's number."""
    text = words.say(refusal.text)
    return f"{text} ({refusal.rule})" if refusal.rule else text


def readers_health(devices: list[DeviceView]) -> str:
    """The worst of all devices; no device at all is bad. One that reads on wants care."""
    if not devices or any(device.health not in ("up", *_READS_ON) for device in devices):
        return BAD
    return CARE if any(device.health in _READS_ON for device in devices) else GOOD


_CHAIR = re.compile(r"chair-\d+")
_STANDS_BEHIND = re.compile(r"behind-\d+-(\d+)")


def player_name(player: str, words: Words) -> str:
    """The player as a dealer calls him: the names the station gave in the chairs are worded."""
    if _CHAIR.fullmatch(player):
        return words("chair_player")
    behind = _STANDS_BEHIND.fullmatch(player)
    return words("behind_player", number=behind[1]) if behind else player


def _spaced(number: int) -> str:
    """A round's number in groups of three, with thin spaces: 12 845."""
    return f"{number:,}".replace(",", " ")


def slot_name(slot: SlotView | None, words: Words, hands: int = 1) -> str:
    """`Seat 4`, `Seat 4-2` where the seat has two hands, `Dealer`, `Burn`; "" for nowhere."""
    if slot is None:
        return ""
    if slot.to in ("dealer", "burn"):
        return words(slot.to)
    if hands > 1:
        return words("seat_hand", seat=slot.seat, hand=slot.hand)
    return words("seat", seat=slot.seat)


def _hands_at(snapshot: Snapshot, slot: SlotView) -> list[HandView]:
    return next((seat.hands for seat in snapshot.seats if seat.seat == slot.seat), [])


def _total_at(snapshot: Snapshot, slot: SlotView, words: Words) -> str:
    """The total the card will be added to; "" on an empty place."""
    if slot.to == "burn":
        return words("burn_where")
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
    """`kind` card, none, hold or window; `where` in large; `what` it is for and `more`. `again`: a
    card that was drawn is to be shown once more, in large; its place is in `more`.

    `seat` is lit, 0 the dealer, -1 nobody; `asked` are the chips of those a window asks.
    """
    view = snapshot.prompt
    values: Values = {
        "kind": view.kind,
        "where": words("no_card"),
        "what": words.say(view.text),
        "more": "",
        "hands": "",
        "who": "",
        "others": "",
        "again": False,
        "seat": -1,
        "hand": 0,
        "to": "",
        "asked": [],
    }
    if view.code in ("table_paused", "table_closed"):
        values["where"] = words.say(snapshot.phase_text)
    if view.code == "round_settled" and due(snapshot):
        values["what"] = words("pay_first")
    if view.kind == "card" and view.slot is not None:
        slot = view.slot
        hands = len(_hands_at(snapshot, slot)) if slot.to == "seat" else 1
        values["where"] = slot_name(slot, words, hands)
        values["more"] = _total_at(snapshot, slot, words)
        values["seat"] = -1 if slot.to == "burn" else slot.seat
        values["hand"] = slot.hand
        values["to"] = slot.to
        if view.code in AGAIN:
            place = words("again_at", at=values["where"])
            values |= {"again": True, "where": words(view.code), "more": place}
    elif view.kind == "window":
        values |= window(snapshot, words)
    elif view.kind == "hold":
        values |= _hold(snapshot, words)
    return values


MOST_ASKED = {"insurance": 7, "split": 4, "double": 4}


def window(snapshot: Snapshot, words: Words) -> Values:
    """Hold still: `what` is asked and `hands` how far the answers are, `asked` whom: by seat for
    insurance, by name behind a seat, a few of those who have not answered before the others.
    """
    values: Values = {"where": words("hold_still"), "what": words.say(snapshot.prompt.text)}
    view = snapshot.window
    if view is None:
        return values
    values["what"] = words(f"window_{view.kind}", seat=view.seat, hand=view.hand)
    values["hands"] = words("window_answers", done=len(view.answered), all=len(view.asked))
    seats = {seat.player: seat.seat for seat in snapshot.seats}
    people = view.asked
    if view.kind != "insurance":
        people = sorted(view.asked, key=lambda player: player in view.answered)
    shown = [
        {
            "label": str(seats[player])
            if view.kind == "insurance" and player in seats
            else player_name(player, words),
            "done": player in view.answered,
        }
        for player in people[: MOST_ASKED[view.kind]]
    ]
    rest = len(people) - len(shown)
    if rest:
        shown.append({"label": words("and_more", count=rest), "done": False})
    values["asked"] = shown
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
    who = _reader_back(snapshot, hold, words) or words.say(hold.who)
    return {
        "where": words("wait_title" if hold.code == "wait" else "stop"),
        "what": words.say(hold.what),
        "hands": words.say(hold.hands),
        "who": who,
        "others": words("more_holds", count=others) if others else "",
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
    """`ok`, `ignored`, `cut`, `past` or `error`: never two of them look alike."""
    if outcome in _READ_OK:
        return "ok"
    if outcome == "repeat":
        return "ignored"
    if outcome == "ruled":
        return "past"
    return "cut" if outcome == "cut_card" else "error"


def hands_read(snapshot: Snapshot) -> int:
    """How many hands lie where the last card went: of two it is said which."""
    slot = snapshot.last_read.slot if snapshot.last_read else None
    return len(_hands_at(snapshot, slot)) if slot is not None and slot.to == "seat" else 1


def last_read(
    view: LastReadView | None,
    words: Words,
    void: bool = False,
    hands: int = 1,
) -> Values:
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
    past = kind == "past" or (void and kind == "ok")
    where = slot_name(view.slot, words, hands) if kind in ("ok", "ignored") else ""
    return {
        "number": view.number,
        "kind": "past" if past else kind,
        "title": words("last_read") if past else words(f"read_{kind}"),
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
