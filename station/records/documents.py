"""A round as one JSON document, for scripts."""

from __future__ import annotations

from typing import Any

import msgspec

from station.records.story import HandLaid, Moment, Out, Story
from station.records.telling import Speech


def story_document(story: Story) -> dict[str, Any]:
    """Money in minor units, cards as faces, each fact with its line in both languages."""
    ko, en = Speech(story, "ko", 0), Speech(story, "en", 0)

    def moment(one: Moment) -> dict[str, Any]:
        return {
            "seq": one.seq,
            "utc": one.utc,
            "ms": one.ms,
            "kind": one.kind,
            "fact": msgspec.to_builtins(one.fact),
            "text": {"ko": ko.tell(one), "en": en.tell(one)},
        }

    return {
        "round": story.round,
        "table": {"id": story.table, "kind": story.kind},
        "shoe": story.shoe,
        "opened": story.opened,
        "over": story.closed,
        "ended": story.ended,
        "why_void": story.why_void,
        "void_by": story.void_by,
        "dealer": msgspec.to_builtins(story.dealer),
        "marked": story.marked,
        "disputed": story.disputed,
        "layout": [_hand(hand) for hand in (story.dealer_hand, *story.hands)],
        "cards": [_card(out) for out in story.cards],
        "bets": msgspec.to_builtins(story.bets),
        "lines": msgspec.to_builtins(story.lines),
        "story": [moment(one) for one in story.moments],
        "later": [moment(one) for one in story.later],
    }


def _hand(hand: HandLaid) -> dict[str, Any]:
    return {
        "seat": hand.seat,
        "hand": hand.hand,
        "player": hand.player,
        "cards": [{"face": one.card.face, "number": one.number} for one in hand.cards],
        "points": hand.points,
        "soft": hand.soft,
        "state": hand.state,
    }


def _card(out: Out) -> dict[str, Any]:
    return {
        "face": out.card.face,
        "set": out.card.set,
        "deck": out.card.deck,
        "order": out.order,
        "number": out.number,
        "slot": msgspec.to_builtins(out.slot),
        "purpose": out.purpose,
        "exposed": out.exposed,
        "fate": out.fate,
        "by": out.by,
        "manual": out.manual,
        "seq": out.seq,
        "utc": out.utc,
        "read": msgspec.to_builtins(out.read),
    }
