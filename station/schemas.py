"""JSON Schemas, generated from the messages: what the simulator and any host build against."""

from __future__ import annotations

from typing import Any

import msgspec

from station import messages as m
from station.game import facts as g
from station.table import facts as f

AnyHostFact = (
    g.SeatTaken
    | g.SeatLeft
    | g.RoundOpened
    | g.BetPlaced
    | g.BetDoubled
    | g.BetsReturned
    | g.BettingClosed
    | g.RoundEmpty
    | g.CardDealt
    | g.CardCorrected
    | g.DecisionAsked
    | g.DecisionMade
    | g.PlayerAbsent
    | g.PlayerReturned
    | g.WindowOpened
    | g.WindowAnswered
    | g.WindowClosed
    | g.RoundSettled
    | g.RoundCleared
    | g.RoundVoided
    | g.ShoeOut
    | g.CutCardOut
    | g.CardExposed
    | g.ExposedCardKept
    | g.CardBurned
    | g.RoundsMarked
    | f.TableHeld
    | f.HoldReleased
)


def schemas() -> dict[str, dict[str, Any]]:
    """By name: `station-to-client`, `client-to-station`, and `host-facts` (a fact's `body`)."""
    return {
        "station-to-client": msgspec.json.schema(m.AnyStationMessage),
        "client-to-station": msgspec.json.schema(m.AnyClientMessage),
        "host-facts": msgspec.json.schema(AnyHostFact),
    }
