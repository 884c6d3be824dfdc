"""A dealer who follows the prompt: draws when a card is owed, watches that it was read, and errs
by seed.

A card in the hand is never forgotten: until the station has shown that it read it, no other card
is drawn, and the same one is presented again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw_sim.chairs import Chairs, is_chairs
from hw_sim.client import Client, Command, Due, cards_shown, may
from hw_sim.control import ControlError, ShoeControl
from hw_sim.link import Message

ERRORS = ("double", "forget", "early", "wait", "report")
SHOE_FAULTS: dict[str, tuple[str, dict[str, int]]] = {
    "double": ("double_read", {"ms": 0}),
    "forget": ("no_read", {}),
    "early": ("early_draw", {}),
}
PRESENT_AGAIN_S = 3.0
TRIES = 5
AFTER_TROUBLE_S = 1.0


@dataclass(frozen=True)
class DealerSettings:
    """`reaction_s`: seconds from the prompt to the card. `errors`: share of cards at which he errs:
    presents the card twice, passes it by the reader, pulls one too many, asks for a moment, or
    reports a mistake. `again_s`: seconds after which an unread card is presented again.
    """

    staff: str = "1001"
    pin: str = "1001"
    reaction_s: float = 0.3
    errors: float = 0.0
    again_s: float = PRESENT_AGAIN_S


def habits(seed: int, key: str, errors: float) -> tuple[float, str]:
    """How fast he is at that card, as a factor, and what he does wrong there, or ""."""
    rng = random.Random(f"{seed}/dealer/{key}")
    pace, error = rng.uniform(0.7, 1.3), rng.choice(ERRORS)
    return pace, error if rng.random() < errors else ""


@dataclass
class InHand:
    """A card that was drawn and whose read has not been seen yet."""

    face: str
    cut: bool
    round: int
    read_before: int
    shown_at: float
    phase: str
    tries: int = 1


class Dealer(Client):
    """Plays the dealer's part at a console link. `chairs`: what he keys for the players at a table
    where they sit in the chairs.
    """

    role = "console"
    foreseen = frozenset({"too_late"})

    def __init__(
        self,
        socket: Path,
        shoe: ShoeControl,
        settings: DealerSettings,
        seed: int,
        chairs: Chairs | None = None,
        **rest: Any,
    ) -> None:
        self.settings = settings
        self.shoe = shoe
        self.chairs = chairs
        self._in_hand: InHand | None = None
        self._due = Due()
        self._erred: set[str] = set()
        super().__init__(socket, "dealer", seed, **rest)

    def step(self, snapshot: Message, now: float) -> Command | float | None:
        if not snapshot.get("staff", {}).get("dealer"):
            return Command("log_in", {"staff": self.settings.staff, "pin": self.settings.pin})
        self._look(snapshot)
        holds = snapshot.get("holds", [])
        if holds:
            return self._held(snapshot, holds[0], now)
        if snapshot.get("phase") == "result":
            return self._clear(snapshot, now)
        if snapshot.get("prompt", {}).get("kind") != "card":
            # Also while the players are asked (A7, A15): his hands are still.
            return self._key(snapshot, now)
        if self._in_hand is not None:
            return self._present_again(snapshot, self._in_hand, now)
        return self._deal(snapshot, now)

    def answered(self, do: str, answer: Message) -> None:
        if do == "cleared" and answer.get("ok") and self.chairs is not None:
            self.chairs.cleared += 1

    def closed(self) -> None:
        self.shoe.close()

    # --- what he sees -----------------------------------------------------------------------

    def _look(self, snapshot: Message) -> None:
        """Whether the card in the hand has been read, or is no longer of this round."""
        card = self._in_hand
        if card is None:
            return
        # A burn of a new shoe is drawn while the void round is still shown.
        void = snapshot.get("phase") == "void" and card.phase != "void"
        gone = card.round != snapshot.get("round") or void
        if gone or _was_read(snapshot, card):
            self._in_hand = None

    def _held(self, snapshot: Message, hold: Message, now: float) -> Command | float | None:
        """Hands off; only his own WAIT is his to end."""
        if hold.get("code") != "wait" or not may(snapshot, "resume", str(hold["hold"])):
            return None
        wait = self._due.left(f"resume/{hold['hold']}", max(0.5, self.settings.reaction_s * 3), now)
        return wait if wait > 0 else Command("resume", {"hold": hold["hold"]})

    # --- what he does -----------------------------------------------------------------------

    def _key(self, snapshot: Message, now: float) -> Command | float | None:
        """What the players in the chairs do, where that is his to key."""
        if self.chairs is None or not is_chairs(snapshot):
            return None
        ends = self.chairs.ends(snapshot, now)
        self.done = ends is True
        if ends is False:
            return self.chairs.key(snapshot, now)
        return None if ends is True else ends

    def _clear(self, snapshot: Message, now: float) -> Command | float | None:
        number = snapshot["round"]
        if not may(snapshot, "cleared", str(number)):
            return None
        wait = self._due.left(f"clear/{number}", self.settings.reaction_s * 2, now)
        return wait if wait > 0 else Command("cleared", {"round": number})

    def _deal(self, snapshot: Message, now: float) -> Command | float | None:
        key = _card_owed(snapshot)
        pace, error = habits(self.seed, key, self.settings.errors)
        seconds = self.settings.reaction_s * pace
        wait = self._due.left(f"deal/{key}", seconds, now)
        if wait > 0:
            return wait
        if error and key not in self._erred:
            self._erred.add(key)
            self.tell(f"{self.name}: errs: {error}")
            if error == "wait":
                return Command("wait")
            if error == "report":
                return Command("report_error", {"what": "other"})
            return self._try(lambda: self._err(snapshot, error, now))
        return self._try(lambda: self._draw(snapshot, now))

    def _err(self, snapshot: Message, error: str, now: float) -> None:
        """Draw with a mistake. The shoe sends what belongs together in one piece, so that the
        order of things never hangs on how fast this process runs.
        """
        name, params = SHOE_FAULTS[error]
        self.shoe.ask("arm", fault=name, **params)
        self._draw(snapshot, now)

    def _draw(self, snapshot: Message, now: float) -> None:
        read = snapshot.get("last_read") or {}
        card = self.shoe.ask("draw")
        if "drawn" in card:
            # One too many came along: the last one is the one to look for.
            card = card["drawn"][-1]
        self._in_hand = InHand(
            face=card["face"],
            cut=card["cut"],
            round=snapshot["round"],
            read_before=int(read.get("number", 0)),
            shown_at=now,
            phase=str(snapshot.get("phase")),
        )

    def _present_again(self, snapshot: Message, card: InHand, now: float) -> Command | float | None:
        """Not read yet: once more, at once when the reader said so, else after a while."""
        read = snapshot.get("last_read") or {}
        number = int(read.get("number", 0))
        missed = number > card.read_before and read.get("outcome") == "no_read"
        due = card.shown_at + (self.settings.reaction_s if missed else self.settings.again_s)
        if now < due:
            return due - now
        if card.cut:
            self._in_hand = None
            return 0.0
        if card.tries >= TRIES:
            card.tries, card.shown_at = 0, now
            return Command("report_error", {"what": "missed_scan"})
        card.tries += 1
        card.shown_at, card.read_before = now, number
        self.tell(f"{self.name}: {card.face} was not read, presents it again")
        return self._try(lambda: self.shoe.ask("reread"))

    def _try(self, act: Any) -> float | None:
        """Do something with the shoe; when it is not there, say so and look again later."""
        try:
            act()
        except ControlError as error:
            self.tell(f"{self.name}: {error}")
            return AFTER_TROUBLE_S
        return self.settings.again_s


def _was_read(snapshot: Message, card: InHand) -> bool:
    """Whether a read since it was drawn was of this card."""
    read = snapshot.get("last_read") or {}
    if int(read.get("number", 0)) <= card.read_before:
        return False
    if card.cut:
        return bool(read.get("outcome") == "cut_card")
    return bool(read.get("face") == card.face)


def _card_owed(snapshot: Message) -> str:
    """A name for the card that is owed now, the same in each run: by its round and its number."""
    slot = snapshot["prompt"].get("slot") or {}
    if slot.get("to") == "burn":
        number = (snapshot.get("last_read") or {}).get("number", 0)
        return f"{snapshot['shoe']['id']}/burn/{number}"
    return f"{snapshot['round']}/{cards_shown(snapshot)}"
