"""Rounds that are said not to have been right after their settlement.

The station never settles twice and never voids a settled round: it stays as it is, and no other
round opens before a person has answered for it (incidents: a misdeal found afterwards).
"""

from __future__ import annotations

from station.game.refusal import Refusal, refuse
from station.table import facts as f
from station.table import inputs as i
from station.table.rights import manager_at
from station.table.state import Table
from station.table.working import Working


def why_not_dispute(
    table: Table, actor: i.Actor, command: i.DisputeRound | i.AnswerDispute
) -> Refusal | None:
    """Why that round cannot be disputed, or answered for, now; or None."""
    disputed = next((one for one in table.disputes if one.round == command.round), None)
    if isinstance(command, i.DisputeRound):
        if disputed is not None:
            return refuse("disputed_already", "R59", round=command.round)
        return _why_not_settled(table, command.round)
    if disputed is None:
        return refuse("not_disputed", "R59", round=command.round)
    if disputed.escalated and manager_at(table, actor.link) is None:
        return refuse("manager_only", "")
    if disputed.escalated and command.answer == "escalate":
        return refuse("escalated_already", "R59", round=command.round)
    return None


def _why_not_settled(table: Table, number: int) -> Refusal | None:
    """Only the last rounds, and only settled ones: of an open one there is nothing to dispute yet,
    and a void one has paid nothing.
    """
    round_ = table.game.round
    if round_ is not None and round_.number == number and not round_.ended:
        return refuse("not_settled_yet", "R59", round=number)
    past = next((one for one in table.recent if one.round == number), None)
    if past is None:
        return refuse("round_too_old", "R59", round=number)
    if past.outcome == "void":
        return refuse("round_void_already", "R60", round=number)
    return None


def decide_dispute(work: Working, command: i.DisputeRound | i.AnswerDispute, by: str) -> None:
    """The facts of a command that was not refused."""
    match command:
        case i.DisputeRound():
            work.add(f.RoundDisputed(command.round, by, command.note))
        case i.AnswerDispute():
            work.add(f.DisputeAnswered(command.round, command.answer, by, command.note))
