"""What can be in the inbox: inputs of the core, and what links, worker and daemon say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from station import messages as m
from station.game.refusal import Refusal
from station.table import inputs as i
from station.table.facts import Person


def _nothing() -> None:
    """Nobody waits for it."""


class Session(Protocol):
    """A client's link, as the controller sees it."""

    @property
    def actor(self) -> i.Actor: ...

    @property
    def id(self) -> str: ...

    @property
    def after(self) -> int | None: ...

    def send(self, *lines: bytes) -> None:
        """Queue whole lines; never blocks."""

    def answered(self, line: bytes) -> None:
        """Queue the answer and take the next command."""


class Request(Struct, frozen=True):
    """A command of a session."""

    session: Session
    id: str
    command: m.AnyCommand


class PinResult(Struct, frozen=True):
    """The slow worker has looked at a PIN. `refusal` as in `LogIn`; `done` is told when the
    controller has dealt with it.
    """

    request: Request
    person: Person | None
    refusal: Refusal | None = None
    done: Callable[[], None] = _nothing


class BadgeResult(Struct, frozen=True):
    """The worker has looked at a badge; `done` as in `PinResult`."""

    shown: i.BadgeShown
    done: Callable[[], None] = _nothing


class Joined(Struct, frozen=True):
    """A client said hello."""

    session: Session
    name: str


class Gone(Struct, frozen=True):
    """A client's link ended."""

    session: Session
    name: str
    why: str


class Acked(Struct, frozen=True):
    """A host has every fact up to `seq`. `done` lets its link be read on."""

    seq: int
    done: Callable[[], None] = lambda: None


class Stop(Struct, frozen=True):
    """Drain no further."""


Item = i.AnyInput | Request | PinResult | BadgeResult | Joined | Gone | Acked | Stop
