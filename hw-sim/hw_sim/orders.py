"""A supervisor's single orders, made from a snapshot: a command, or why there is none to give."""

from __future__ import annotations

from hw_sim.client import Command
from hw_sim.link import Message


def void(snapshot: Message, reason: str) -> Command | str:
    """Void the round that is open."""
    fields = {"round": snapshot["round"], "reason": reason}
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


def load(snapshot: Message, name: str, letter: str) -> Command | str:
    """A shoe is in."""
    return Command("load_shoe", {"shoe": name, "set": letter})


def release(snapshot: Message) -> Command | str:
    """The loaded shoe may be dealt from."""
    shoe = snapshot["shoe"]
    if shoe["state"] != "loaded":
        return f"there is no loaded shoe to release; the shoe is {shoe['state']}"
    fields = {"shoe": shoe["id"], "expected_version": snapshot["version"]}
    return Command("release_shoe", fields)
