"""A supervisor's single orders, made from a snapshot: a command, or why there is none to give."""

from __future__ import annotations

from hw_sim.client import Command
from hw_sim.control import ControlError, ShoeControl
from hw_sim.link import Message


def void(snapshot: Message, reason: str, note: str = "") -> Command | str:
    """Void the round that is open; `reason` is one of the station's list."""
    fields = {"round": snapshot["round"], "reason": reason, "note": note}
    return Command("void_round", {**fields, "expected_version": snapshot["version"]})


def rule(snapshot: Message, ruling: str, hold: int, note: str) -> Command | str:
    """End a hold; 0 stands for the first one."""
    holds = {view["hold"]: view for view in snapshot.get("holds", [])}
    if not holds:
        return "the table does not hold: there is nothing to rule on"
    number = hold or next(iter(holds))
    if number not in holds:
        return f"there is no hold {number}; there are {', '.join(map(str, holds))}"
    ways = [way["ruling"] for way in holds[number].get("rulings", [])]
    if ruling not in ways:
        return f"hold {number} ({holds[number]['code']}) ends by {' or '.join(ways)}, not {ruling}"
    return Command("rule", {"hold": number, "ruling": ruling, "note": note})


def load(snapshot: Message, name: str, letter: str, **more: object) -> Command | str:
    """A shoe is in; `more`: who puts it in too, its seal, where its cut card lies, why this set."""
    return Command("load_shoe", {"shoe": name, "set": letter, **more})


def said(do: str, fields: dict[str, str]) -> Command | str:
    """What a person says of a shoe, as he says it."""
    return Command(do, dict(fields))


def take_out(snapshot: Message, reason: str) -> Command | str:
    """The shoe that is in comes out."""
    shoe = snapshot["shoe"]
    if shoe["state"] not in ("loaded", "in_play", "last_round"):
        return f"there is no shoe to take out; the shoe is {shoe['state']}"
    return Command("take_out_shoe", {"shoe": shoe["id"], "reason": reason})


def release(snapshot: Message) -> Command | str:
    """The loaded shoe may be dealt from."""
    shoe = snapshot["shoe"]
    if shoe["state"] != "loaded":
        return f"there is no loaded shoe to release; the shoe is {shoe['state']}"
    fields = {"shoe": shoe["id"], "expected_version": snapshot["version"]}
    return Command("release_shoe", fields)


def count(snapshot: Message, shoe: ShoeControl, name: str = "") -> Command | str:
    """A shoe that is out is counted (R2): the virtual shoe tells what remained in it. By default
    the one that has waited longest.
    """
    out = [str(a["target"]) for a in snapshot["actions"] if a["command"] == "reconcile_shoe"]
    name = name or next(iter(out), "")
    if not name:
        return "no shoe waits for its count"
    try:
        left = shoe.ask("remaining", shoe=name)["remaining"]
    except ControlError as error:
        return f"{error}; take it out: hw-sim order --shoe {shoe.path} out"
    return Command("reconcile_shoe", {"shoe": name, "remaining": left})


def waiting(snapshot: Message) -> list[str]:
    """Shoes that are out and may be counted now, oldest first."""
    return [
        str(action["target"])
        for action in snapshot.get("actions", [])
        if action.get("command") == "reconcile_shoe" and not action.get("refusal")
    ]
