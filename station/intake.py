"""Observation → input of the core: where the drivers' words become the game's."""

from __future__ import annotations

from typing import assert_never

from drivers import observations as o
from drivers.badge import carries_badge
from station.evidence_names import PICTURES, proper
from station.game.cards import card_of
from station.table import facts as f
from station.table import inputs as i

# No-reads by which a card must have passed the reader; the others may be noise on the line.
_PASSED = {
    "incomplete",
    "bad_check",
    "not_a_card",
    "unread",
    "repeat_in_doubt",
    # A camera's; what was pushed back into the shoe has not passed a second time.
    "one_look",
    "contradiction",
    "witnesses_disagree",
    "one_witness",
    "two_cards",
    "joker",
    "card_back",
}
# Troubles that are a state of the device, shown as its health; every other one holds the table.
STATES = {
    "check_baud": "garbled",
    "check_reader": "garbled",
    "not_answering": "not_answering",
    "silent": "silent",
    "check_bcc": "not_answering",
    "command_refused": "not_answering",
    "not_answering_commands": "not_answering",
    "not_obeying": "not_answering",
    "button_stuck": "impaired",
    "badge_fault": "impaired",
    # A camera's: it sees nothing; its window is covered; it sees worse than it should.
    "stalled": "blind",
    "frozen": "blind",
    "black": "blind",
    "too_slow": "blind",
    "blocked_view": "covered",
    "torn": "impaired",
    "slow": "impaired",
    "exposure": "impaired",
    "settings_refused": "impaired",
    "part_missing": "impaired",
    "evidence_failed": "impaired",
}
_MS = 1_000_000


def to_input(seen: o.AnyObservation) -> i.AnyInput | None:
    """The core's input for what a device said; None for what is the technician's alone."""
    match seen:
        case o.CardRead():
            return i.CardSeen(
                seen.device,
                card_of(seen.face, seen.set, seen.deck),
                seen.text,
                seen.raw.hex(),
                seen.at_ns // _MS,
                seen.numbered,
                seen.resent,
                pictures(seen.evidence),
            )
        case o.CutCard():
            raw = seen.raw.hex()
            return i.CutCardSeen(
                seen.device,
                seen.text,
                raw,
                seen.set,
                seen.at_ns // _MS,
                pictures(seen.evidence),
            )
        case o.NoRead(reason=reason):
            # A badge that was read badly opens a table all the same, or a good part of one does.
            secret = carries_badge(seen.text) or carries_badge(seen.raw.decode("latin-1"))
            return i.ReadMissed(
                seen.device,
                reason,
                "" if secret else seen.text[:80],
                "" if secret else seen.raw[:128].hex(),
                passed=reason in _PASSED,
                at_ms=seen.at_ns // _MS,
                evidence=pictures(seen.evidence),
            )
        case o.CardOut():
            return i.CardPassed(seen.device, seen.raw.hex(), seen.at_ns // _MS)
        case o.Button():
            return i.ButtonPressed(seen.device, seen.button, seen.raw.hex())
        case o.Badge() | o.Note() | o.Identified():
            return None
        case o.Trouble(code=code, detail=detail):
            if code in STATES:
                return i.DeviceHealth(seen.device, STATES[code], detail, cause=code)
            return i.DeviceFault(seen.device, code, detail)
        case o.TroubleOver(code=code):
            return i.DeviceHealth(seen.device, "up", "", over=code)
        case o.HealthChanged():
            return i.DeviceHealth(seen.device, seen.health, seen.detail)
        case _ as never:
            assert_never(never)


def pictures(evidence: tuple[o.Evidence, ...]) -> tuple[f.Picture, ...]:
    """The pictures a reader names, as far as they can be some. A bad name is no reason to lose a
    card: it is left out, as if the picture were missing.
    """
    named = {one.name: f.Picture(one.name, one.sha256) for one in evidence[:PICTURES]}
    return tuple(one for one in named.values() if proper(one.name, one.sha256))


def remark(seen: o.AnyObservation) -> dict[str, str]:
    """What the technician's log keeps of it. What a badge carries is nobody's business there."""
    if isinstance(seen, o.Note):
        return {"said": seen.code, "detail": seen.detail}
    if isinstance(seen, o.Identified):
        return {"said": "identity", "detail": seen.identity}
    return {"said": type(seen).__name__.lower()}
