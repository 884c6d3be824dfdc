"""The checker: reads all cards of a shoe at the table, finishes, says that it was shuffled.

The virtual shoe passes the cards of its set in the order of new decks, as they are before a
shuffle; each is presented until the table has counted it, so a lossy wire loses none.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.client import Command, may
from hw_sim.control import ControlError, ShoeControl
from hw_sim.link import Message

# A card that was not counted is presented again after so long; a camera takes its time.
AGAIN_S, CAMERA_AGAIN_S = 2.0, 6.0
# How long after a fault of the reader the next try comes.
LATER_S = 0.5


@dataclass(frozen=True)
class Second:
    """The second person and his PIN; "" where one person does it alone."""

    staff: str = ""
    pin: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """As a command has them."""
        return {"second": self.staff, "pin": self.pin} if self.staff else {}


class Checker:
    """One shoe at a time, by what the snapshot says of its check."""

    def __init__(self, shoe: ShoeControl, second: Second) -> None:
        self._shoe = shoe
        self._second = second
        self._presented = (-1, -1)
        self._again_at = self._out_at = 0.0
        # Checks that did not find their shoe whole.
        self.failed: dict[str, int] = {}

    def next(self, snapshot: Message, now: float, name: str, letter: str) -> Command | float | None:
        """What brings that shoe nearer to its load; None when it may be loaded, or nothing can be
        done now.
        """
        view = snapshot.get("shoe", {})
        if name in view.get("checked", []):
            return self._lift(snapshot)
        check = view.get("check") or {}
        mine = check.get("shoe") == name
        if mine and check.get("state") == "whole":
            return Command("shoe_shuffled", {"shoe": name})
        if check.get("state") == "running":
            if not mine:
                return Command("cancel_shoe_check", {"check": check["check"]})
            return self._read(snapshot, check, now)
        if mine and check.get("state") == "failed":
            self.failed[name] = check["check"]
            return None
        return self._begin(snapshot, name, letter)

    def _begin(self, snapshot: Message, name: str, letter: str) -> Command | float | None:
        shoe = snapshot.get("shoe", {})
        if shoe.get("state") in ("loaded", "in_play", "last_round"):
            if may(snapshot, "take_out_shoe", shoe["id"]):
                return Command("take_out_shoe", {"shoe": shoe["id"]})
            return LATER_S
        reader = next((d for d in snapshot.get("devices", []) if d.get("kind") != "board"), None)
        if reader is None or not may(snapshot, "begin_shoe_check"):
            return LATER_S
        fields = {"shoe": name, "set": letter, "device": reader["name"], "reason": "hw-sim staff"}
        return Command("begin_shoe_check", fields | self._second.fields)

    def _read(self, snapshot: Message, check: Message, now: float) -> Command | float | None:
        """The next card, once the one before it has been counted."""
        number, read = int(check["check"]), int(check["read"])
        if snapshot.get("holds"):
            return LATER_S
        # Not counted yet, or it is not out yet: a card takes its time.
        waiting = self._presented == (number, read)
        wait = (self._again_at if waiting else self._out_at) - now
        if wait > 0:
            return wait
        try:
            told = self._shoe.ask("check", index=read)
        except ControlError:
            return LATER_S
        if told.get("over"):
            return Command("finish_shoe_check", {"check": number})
        self._presented = (number, read)
        self._out_at = now + told["card_ms"] / 1000
        self._again_at = now + self._again_s()
        return self._again_at - now

    def _again_s(self) -> float:
        return CAMERA_AGAIN_S if self._shoe.ask("state").get("kind") == "camera" else AGAIN_S

    def _lift(self, snapshot: Message) -> Command | None:
        """A bar that the check has answered: a shift manager lifts it."""
        for action in snapshot.get("actions", []):
            if action.get("command") == "lift_shoe_bar" and not action.get("refusal"):
                fields = {"shoe": action["target"], "reason": "checked whole again"}
                return Command("lift_shoe_bar", fields)
        return None
