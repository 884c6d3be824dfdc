"""Everybody around a station in one program: dealer's console, game host and pit, by one hand.

For scenarios: each order is said and answered before the next. What is seen is the console's.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw_sim.control import ShoeControl
from hw_sim.link import Message, StationLink

DEALER, SUPERVISOR = "1001", "2001"
PATIENCE_S = 15.0
LOOK_S = 0.02
NAMES = {"console": "scenario-dealer", "host": "scenario-host", "pit": "scenario-pit"}


class FloorError(Exception):
    """The station did not answer, refused, or what was waited for did not come."""


class Floor:
    """Links are made when they are needed. `shoe`: the virtual shoe's control."""

    def __init__(self, socket: Path, shoe: ShoeControl | None) -> None:
        self.socket = socket
        self.shoe = shoe
        self.links: dict[str, StationLink] = {}
        self.now: Message = {}
        self._views: dict[str, Message] = {}
        self._answers: dict[str, Message] = {}
        self._ids = (f"scenario-{time.time_ns()}-{number}" for number in itertools.count(1))

    def close(self) -> None:
        """Hang up."""
        for link in self.links.values():
            link.close()

    # --- hearing ----------------------------------------------------------------------------

    def look(self, wait_s: float = LOOK_S) -> None:
        """Take in what came on all links."""
        self._link("console")
        for role, link in self.links.items():
            for message in link.poll(wait_s if role == "console" else 0.0):
                if message.get("type") == "snapshot":
                    self._views[role] = message
                elif message.get("type") == "answer":
                    self._answers[str(message["id"])] = message
        self.now = self._views.get("console", self.now)

    def until(
        self, is_so: Callable[[Message], object], what: str, wait_s: float = PATIENCE_S
    ) -> None:
        """Until the console shows it. Raises FloorError."""
        limit = time.monotonic() + wait_s
        while not (self.now and is_so(self.now)):
            if time.monotonic() > limit:
                raise FloorError(f"not within {wait_s:g} s: {what}")
            self.look()

    def _link(self, role: str) -> None:
        if role not in self.links:
            self.links[role] = StationLink(self.socket, role, NAMES[role])

    # --- saying -----------------------------------------------------------------------------

    def say(self, role: str, do: str, **fields: Any) -> Message:
        """One command and its answer, seen by the console. Raises FloorError without an answer."""
        self._link(role)
        limit = time.monotonic() + PATIENCE_S
        while role not in self._views:
            self._in_time(limit, f"the {role} link: {self.links[role].last_error}")
            self.look()
        name = next(self._ids)
        command = {"do": do, **fields}
        self.links[role].send({"type": "command", "id": name, "command": command})
        while name not in self._answers:
            self._in_time(limit, f"an answer to {do}")
            self.look()
        answer = self._answers.pop(name)
        version = int(answer.get("version", 0))
        if answer.get("ok"):
            self.until(lambda now: now["version"] >= version, f"{do} shown")
        return answer

    def must(self, role: str, do: str, **fields: Any) -> None:
        """A command that has to be accepted. Raises FloorError."""
        if refused := self.refusal(self.say(role, do, **fields)):
            raise FloorError(f"{do} was refused: {refused}")

    def refusal(self, answer: Message) -> str:
        """Why a command was refused: its code; "" when it was not."""
        return "" if answer.get("ok") else str((answer.get("refusal") or {}).get("code", "?"))

    def _in_time(self, limit: float, what: str) -> None:
        if time.monotonic() > limit:
            raise FloorError(f"not within {PATIENCE_S:g} s: {what}")

    # --- what people do ---------------------------------------------------------------------

    def ready(self, seats: list[int]) -> None:
        """From whatever is there to the first card owed: people, shoe, seats, bets."""
        self.until(lambda now: now["devices"] and _reads(now), "the reader up")
        if not self.now["staff"]["dealer"]:
            self.must("console", "log_in", staff=DEALER, pin=DEALER)
        signed = [person["staff"] for person in self.now["staff"]["signed_in"]]
        if SUPERVISOR not in signed:
            self.must("pit", "log_in", staff=SUPERVISOR, pin=SUPERVISOR)
        self._shoe_in()
        self.bets(seats)

    def _shoe_in(self) -> None:
        shoe = self.now["shoe"]
        if shoe["state"] in ("none", "out") and self.shoe is not None:
            virtual = self.shoe.ask("state")
            if virtual["shoe"] == shoe["id"] or virtual["out"]:
                virtual = self.shoe.ask("load")
            self.must("pit", "load_shoe", shoe=virtual["shoe"], set=virtual["set"])
        if self.now["shoe"]["state"] == "loaded":
            fields = {"shoe": self.now["shoe"]["id"], "expected_version": self.now["version"]}
            self.must("pit", "release_shoe", **fields)

    def bets(self, seats: list[int]) -> None:
        """A new round with a bet on each seat, until the first card is owed."""
        if self.now["phase"] == "result":
            self.must("console", "cleared", round=self.now["round"])
        before = self.now["round"]
        for seat in self.now["seats"]:
            if seat["seat"] in seats and not seat["player"]:
                number = seat["seat"]
                self.must("host", "take_seat", seat=number, player=f"P{number}")
        self.must("host", "open_round", rules=self.now["rules"]["fingerprint"])
        self.until(lambda now: now["round"] > before, "a new round")
        number = self.now["round"]
        players = {seat["seat"]: seat["player"] for seat in self.now["seats"]}
        for seat in seats:
            bet = {"seat": seat, "player": players[seat], "amount": 1000}
            self.must("host", "place_bet", round=number, **bet)
        self.must("host", "close_betting", round=number)
        self.until(lambda now: now["prompt"]["kind"] == "card", "the first card owed")

    def decide(self, action: str) -> None:
        """The asked player's answer."""
        self.until(lambda now: (now.get("decision") or {}).get("legal"), "a player is asked")
        asked = self.now["decision"]
        fields = {key: asked[key] for key in ("decision", "seat", "hand")}
        self.must("host", "decide", round=self.now["round"], action=action, **fields)

    def rule(self, ruling: str, code: str) -> Message:
        """The supervisor's ruling on the hold of that code, or on the first. Raises FloorError."""
        self.until(lambda now: _hold(now, code) is not None, f"a hold {code}".strip())
        hold = _hold(self.now, code)
        assert hold is not None
        return self.say("pit", "rule", hold=hold["hold"], ruling=ruling)


def _hold(now: Message, code: str) -> Message | None:
    return next((hold for hold in now["holds"] if code in ("", hold["code"])), None)


def _reads(now: Message) -> bool:
    return all(device["health"] == "up" for device in now["devices"])
