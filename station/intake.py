"""Observation → input of the core: where the drivers' words become the game's."""

from __future__ import annotations

from typing import assert_never

from drivers import observations as o
from station.game.cards import card_of
from station.table import inputs as i

# No-reads by which a card must have passed the reader; the others may be noise on the line.
_PASSED = {"incomplete", "bad_check", "not_a_card"}
# Troubles that are shown, and do not stop play: the reader still reads.
_SHOWN = {"check_baud": "garbled", "not_answering": "not_answering"}


def to_input(seen: o.AnyObservation) -> i.AnyInput | None:
    """The core's input for what a device said; None for what is the technician's alone."""
    match seen:
        case o.CardRead():
            card = card_of(seen.face, seen.set, seen.deck)
            return i.CardSeen(seen.device, card, seen.text, seen.raw.hex())
        case o.CutCard():
            return i.CutCardSeen(seen.device, seen.text, seen.raw.hex(), seen.set)
        case o.NoRead(reason=reason):
            text = seen.text[:80]
            return i.ReadMissed(
                seen.device, reason, text, seen.raw[:128].hex(), passed=reason in _PASSED
            )
        case o.Trouble(code=code, detail=detail):
            if code in _SHOWN:
                return i.DeviceHealth(seen.device, _SHOWN[code], detail)
            return i.DeviceFault(seen.device, code, detail)
        case o.TroubleOver(code=code):
            return i.DeviceHealth(seen.device, "up", "", over=_SHOWN.get(code, code))
        case o.CardOut() | o.Button() | o.Badge() | o.Note() | o.Identified():
            return None
        case o.HealthChanged():
            return i.DeviceHealth(seen.device, seen.health, seen.detail)
        case _ as never:
            assert_never(never)
