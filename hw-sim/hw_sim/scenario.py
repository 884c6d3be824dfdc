"""A scenario: what happens at a table, step by step, and what must be seen of it. A TOML file.

    name = "A-06 left-over bytes before the first line"
    [table]                      # of a table the scenario starts itself
    stack = "AS KH"              # cards that come first
    device = { idle_ms = 300 }   # further keys of the reader's entry in the table's file
    [[step]]
    do = "ready"                 # people in, shoe in, bets placed, the first card owed
    [[step]]
    do = "draw"
    fault = "dirty_open"
    [[step]]
    do = "expect"
    read = { outcome = "no_read" }

Reading one checks it whole: a mistake is named by file, step and key.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROLES = ("console", "host", "pit")
TABLE_KEYS: dict[str, type | tuple[type, ...]] = {
    "kind": str,
    "seed": int,
    "cut": int,
    "stack": str,
    "board": bool,
    "wire": str,
    "tcp": bool,
    "device": dict,
    "rules": dict,
    "options": dict,
}
_EXPECT: dict[str, type | tuple[type, ...]] = {
    "within_s": (int, float),
    "stays_s": (int, float),
    "hold": str,
    "read": dict,
    "reads": int,
    "cards": dict,
    "health": dict,
    "prompt": str,
    "phase": str,
    "shoe": str,
    "facts": dict,
}
# do: keys it must have, keys it may have. ANY: further keys are parameters of what is ordered.
STEPS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ready": ({}, {"seats": list}),
    "bets": ({}, {"seats": list}),
    "draw": ({}, {"cards": int, "every_s": (int, float), "face": str, "fault": str}),
    "reread": ({}, {"face": str}),
    "fault": ({"fault": str}, {"on": str}),
    "arm": ({"fault": str}, {"after": int, "on": str}),
    "clear": ({}, {"on": str}),
    "disarm": ({}, {"on": str}),
    "press": ({"button": str}, {}),
    "badge": ({"text": str}, {}),
    "wait": ({"seconds": (int, float)}, {}),
    "say": ({"as": str, "command": str}, {"refused": str}),
    "rule": ({"ruling": str}, {"hold": str, "refused": str}),
    "decide": ({"action": str}, {}),
    "rival": ({}, {"says": str}),
    "expect": ({}, _EXPECT),
}
# What further keys of a step are: parameters of a fault, or fields of a command.
ANY = ("draw", "fault", "arm", "say")


class ScenarioError(Exception):
    """The file is no scenario; the message names file, step and key."""


@dataclass(frozen=True)
class Step:
    """One step. `number` from 1; `keys`: all but `do`."""

    number: int
    do: str
    keys: dict[str, Any]

    def __str__(self) -> str:
        said = ", ".join(f"{key} = {_shown(value)}" for key, value in self.keys.items())
        return f"step {self.number} ({self.do}{': ' + said if said else ''})"


@dataclass(frozen=True)
class TableWanted:
    """The table a scenario starts. `device`: further keys of the reader's entry in the table's
    file; `options`: settings of the virtual device; `tcp`: it is behind a TCP serial server.
    """

    kind: str = "text-line"
    seed: int = 7
    cut: int = 0
    stack: str = ""
    board: bool = False
    wire: str = "perfect"
    tcp: bool = False
    device: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A scenario as read."""

    file: Path
    name: str
    about: str
    source: str
    table: TableWanted
    steps: tuple[Step, ...]


def load(file: Path) -> Scenario:
    """Read and check one. Raises ScenarioError."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScenarioError(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise ScenarioError(f"{file}: not TOML: {error}") from error
    for key in raw:
        if key not in ("name", "about", "source", "table", "step"):
            raise ScenarioError(
                f"{file}: {key}: unknown; a scenario has name, about, source, [table], [[step]]"
            )
    table = raw.get("table", {})
    _check(f"{file}: [table]", table, {}, TABLE_KEYS)
    name, about, source = (_text(file, raw, key) for key in ("name", "about", "source"))
    if not name:
        raise ScenarioError(f"{file}: name: missing")
    steps = raw.get("step", [])
    if not isinstance(steps, list) or not steps:
        raise ScenarioError(f"{file}: no [[step]]: a scenario has at least one")
    checked = tuple(_step(file, number, step) for number, step in enumerate(steps, start=1))
    return Scenario(file, name, about, source, TableWanted(**table), checked)


def _text(file: Path, raw: dict[str, Any], key: str) -> str:
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise ScenarioError(f"{file}: {key}: a text is wanted, not {_shown(value)}")
    return value


def _step(file: Path, number: int, raw: object) -> Step:
    where = f"{file}: step {number}"
    if not isinstance(raw, dict):
        raise ScenarioError(f"{where}: a table [[step]] is wanted, not {_shown(raw)}")
    keys = dict(raw)
    do = keys.pop("do", None)
    if do not in STEPS:
        raise ScenarioError(f"{where}: do = {_shown(do)}: it is one of {', '.join(STEPS)}")
    must, may = STEPS[do]
    where = f"{where} ({do})"
    _check(where, keys, must, may, further=do in ANY)
    if do == "say" and keys["as"] not in ROLES:
        raise ScenarioError(f"{where}: as = {_shown(keys['as'])}: it is one of {', '.join(ROLES)}")
    if do == "expect" and not set(keys) - {"within_s", "stays_s"}:
        raise ScenarioError(f"{where}: nothing is expected; write hold, read, cards, health ...")
    if keys.get("on", "shoe") not in ("shoe", "board"):
        raise ScenarioError(f"{where}: on = {_shown(keys['on'])}: it is shoe or board")
    return Step(number, do, keys)


def _check(
    where: str,
    keys: object,
    must: dict[str, Any],
    may: dict[str, Any],
    *,
    further: bool = False,
) -> None:
    if not isinstance(keys, dict):
        raise ScenarioError(f"{where}: a table of keys is wanted, not {_shown(keys)}")
    known = must | may
    for key in must:
        if key not in keys:
            raise ScenarioError(f"{where}: {key}: missing")
    for key, value in keys.items():
        if key not in known and not further:
            raise ScenarioError(f"{where}: {key}: unknown; it has {', '.join(known) or 'no keys'}")
        wanted = known.get(key, (str, int))
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise ScenarioError(f"{where}: {key} = {_shown(value)}: {_kinds(wanted)} is wanted")


def _kinds(wanted: type | tuple[type, ...]) -> str:
    names = {
        str: "a text",
        int: "a whole number",
        float: "a number",
        bool: "true or false",
        list: "a list",
        dict: "a table of keys",
    }
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    return " or ".join(names[kind] for kind in kinds)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_shown(one)}" for key, one in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
