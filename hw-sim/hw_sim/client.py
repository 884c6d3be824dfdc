"""A person or host at the station: acts on snapshots alone, one command at a time.

A command keeps its id until it is answered, also over a new connection or a restarted station, so
it happens once. After an answer nothing is done until a snapshot at least as new has come.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hw_sim.link import Message, StationLink

REFUSED_WAIT_S = 0.5
REFUSED_WAIT_MAX_S = 8.0


@dataclass
class Command:
    """What is to be said to the station: its name and fields."""

    do: str
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass
class _Pending:
    id: str
    message: Message
    do: str


def say(text: str) -> None:
    """One line for whoever watches."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def action_refusal(snapshot: Message, command: str, target: str | None = None) -> Message | None:
    """Why that command would be refused now; None when it may be given.

    A command the snapshot does not list is refused as `not_listed`.
    """
    for action in snapshot.get("actions", []):
        if action.get("command") == command and target in (None, str(action.get("target", ""))):
            refusal: Message | None = action.get("refusal")
            return refusal
    return {"code": "not_listed"}


def may(snapshot: Message, command: str, target: str | None = None) -> bool:
    """Whether that command may be given now."""
    return action_refusal(snapshot, command, target) is None


def cards_shown(snapshot: Message) -> int:
    """Cards on the felt, as the table shows it."""
    hands = [hand for seat in snapshot.get("seats", []) for hand in seat.get("hands", [])]
    return sum(len(hand["cards"]) for hand in hands) + len(snapshot["dealer"]["cards"])


class Due:
    """Patience: how long until something may be done. Its time runs from when it was first wanted,
    and anew once something else was.
    """

    def __init__(self) -> None:
        self._now: tuple[str, float] | None = None

    def left(self, what: str, seconds: float, now: float) -> float:
        """Seconds left until that may be done."""
        if self._now is None or self._now[0] != what:
            self._now = (what, now + seconds)
        return self._now[1] - now


class Client:
    """Base of players, dealer and staff. A subclass says in `step` what to do next.

    `name` is the link's name and the first part of command ids, `seed` the second; the version of
    the first snapshot keeps the ids of two runs over one journal apart.
    """

    role = "console"
    patience_s: float | None = None
    # Seconds after a refusal until anything else is said, at first.
    refused_wait_s: float = REFUSED_WAIT_S
    # Refusals that are meant to come: nothing is told, and nothing waits for them.
    foreseen: frozenset[str] = frozenset()

    def __init__(
        self,
        socket: Path,
        name: str,
        seed: int = 0,
        *,
        tell: Callable[[str], None] = say,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.seed = seed
        self.snapshot: Message = {}
        self.done = False
        self.failed = ""
        self.tell = tell
        self.now = now
        self.link = StationLink(socket, self.role, name, self.after, now)
        self._base: int | None = None
        self._count = 0
        self._pending: _Pending | None = None
        self._wanted_version = 0
        self._fresh = False
        self._refused_s = self.refused_wait_s
        self._quiet_until = 0.0
        self._connection = 0
        self._stopping = False

    # --- for subclasses -----------------------------------------------------------------------

    def after(self) -> int | None:
        """Up to which fact everything is here; hosts only."""
        return None

    def step(self, snapshot: Message, now: float) -> Command | float | None:
        """What to do on this snapshot: a command, seconds to look again in, or nothing to do
        until the next snapshot.
        """
        raise NotImplementedError

    def answered(self, do: str, answer: Message) -> None:
        """A command was answered."""

    def on_fact(self, fact: Message) -> None:
        """A fact for hosts."""

    def after_poll(self) -> None:
        """Everything that came has been taken in."""

    def closed(self) -> None:
        """The link is closed for good."""

    # --- the loop -----------------------------------------------------------------------------

    def stop(self) -> None:
        """End `run`; from any thread or a signal handler."""
        self._stopping = True
        self.link.wake()

    def run(self) -> int:
        """Go on until done or stopped. Exit code: 0, or 1 with `failed` saying why: with
        `patience_s` set, also when the station is not there for so long at the start.

        Raises LinkRefused.
        """
        began = self.now()
        try:
            wait: float | None = 0.0
            while not self._stopping and not self.done:
                wait = self.turn(wait)
                if not self._connection and self.patience_s is not None:
                    self.done = self.now() - began > self.patience_s
                    self.failed = self.link.last_error if self.done else ""
        finally:
            self.link.close()
            self.closed()
        return 1 if self.failed else 0

    def turn(self, wait_s: float | None) -> float | None:
        """Take in what comes within `wait_s` and do what is due; seconds until the next look, or
        None. Raises LinkRefused.
        """
        self._take(self.link.poll(wait_s))
        self.after_poll()
        return self._act()

    def _take(self, messages: list[Message]) -> None:
        for message in messages:
            match message.get("type"):
                case "welcome":
                    self._welcome()
                case "snapshot":
                    self.snapshot = message
                    self._fresh = True
                    if self._base is None:
                        self._base = int(message.get("version", 0))
                case "answer":
                    self._answer(message)
                case "fact":
                    self.on_fact(message)
                case "rejected":
                    self.tell(f"{self.name}: rejected: {message.get('text', {}).get('en', '')}")
                case _:
                    pass

    def _welcome(self) -> None:
        """A new link: what was seen before is old, and what was not answered is said again."""
        if self._connection:
            self.tell(f"{self.name}: connected again")
        self._connection += 1
        self._fresh = False
        self._wanted_version = 0
        self.reconnected()
        if self._pending is not None:
            self.link.send(self._pending.message)

    def reconnected(self) -> None:
        """The link is new."""

    def _answer(self, answer: Message) -> None:
        pending = self._pending
        if pending is None or answer.get("id") != pending.id:
            return
        self._pending = None
        self._wanted_version = int(answer.get("version", 0))
        refusal = answer.get("refusal") or {}
        if answer.get("ok") or refusal.get("code") in self.foreseen:
            self._refused_s = self.refused_wait_s
        else:
            text = refusal.get("text", {}).get("en", "")
            self.tell(f"{self.name}: {pending.do} refused: {refusal.get('code', '')} {text}")
            self._quiet_until = self.now() + self._refused_s
            self._refused_s = min(REFUSED_WAIT_MAX_S, self._refused_s * 2)
        self.answered(pending.do, answer)

    def _act(self) -> float | None:
        """Say the next thing, if it is time; seconds until the next look, or None.

        Who is done says no more, whatever came with the last answer: a snapshot that already shows
        what was asked for may come before it.
        """
        now = self.now()
        if self.done or self._pending is not None or not self._fresh or not self.link.connected:
            return None
        if int(self.snapshot.get("version", 0)) < self._wanted_version:
            return None
        if now < self._quiet_until:
            return self._quiet_until - now
        wanted = self.step(self.snapshot, now)
        if not isinstance(wanted, Command):
            return wanted
        self._send(wanted)
        return None

    def _send(self, command: Command) -> None:
        self._count += 1
        number = self.snapshot.get("round", 0)
        name = f"{self.name}-{self.seed}-v{self._base}-{number}-{self._count}"
        message = {
            "type": "command",
            "id": name,
            "command": {"do": command.do, **command.fields},
        }
        self._pending = _Pending(name, message, command.do)
        self.link.send(message)
