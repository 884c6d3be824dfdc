"""Why something may not be: the answer every command can get."""

from __future__ import annotations

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """A refused command: a code for the wording, the rule it rests on, and what it names.

    `rule` is a number of the rules such as `R24`, or "" where the table's order is the reason.
    """

    code: str
    rule: str = ""
    params: dict[str, str | int] = {}


def refuse(code: str, rule: str = "", /, **params: str | int) -> Refusal:
    """A refusal with its parameters by name."""
    return Refusal(code, rule, params)
