"""The people of a soak: a dealer and a supervisor who see the felt, and the virtual shoe at hand.

Everything is in one process and one loop. What people could see with their own eyes they are told:
how many cards have left the shoe, and which one the dealer holds. What is still in the shoe nobody
is told, but that a hand never pulls two cards of one face within half a second.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hw_sim.client import Command
from hw_sim.control import ControlError, ShoeControl
from hw_sim.dealer import Dealer, InHand
from hw_sim.device_server import DeviceServer
from hw_sim.hosting import BETWEEN
from hw_sim.link import Message
from hw_sim.players import Players
from hw_sim.soak_faults import FaultPlan, Strike
from hw_sim.staff import Staff

# So long people look before they say that the felt is not what the table shows, seconds.
LOOK_S = 0.6
CAMERA_LOOK_S = 4.0
RULE_S = 0.15
# A code that was not acknowledged may come again for so long.
RESENT_S = 6.0
# A hand needs so long to present a card again.
PRESENT_S = 0.3
# Two cards of one face never come closer than that where a code tells the face alone.
SAME_FACE_S = 0.5
UNDONE_AFTER_S = 0.8


class Felt:
    """What lies on the table, and what the station has said of it."""

    def __init__(self, server: DeviceServer, apart: bool) -> None:
        self.server = server
        self.apart = apart
        self.last_draw = 0.0
        self.accepted = 0
        self.faces: Counter[str] = Counter()
        self.in_hand = False
        self.drawn_at: dict[str, float] = {}

    @property
    def drawn(self) -> int:
        """Cards that have left the shoe that is in."""
        return self.server.shoes.shoe.cards_out

    def unread(self) -> int:
        """Cards that lie there and are not on the table's screen; below 0: too many are there. The
        one in the dealer's hand, which he goes on presenting, is not counted.
        """
        missing = self.drawn - self.accepted
        return missing - 1 if missing > 0 and self.in_hand else missing

    @property
    def look_s(self) -> float:
        """How long people look before they say that felt and screen differ: a camera reads a card
        when it is out, and not when it begins to move.
        """
        return LOOK_S if self.server.kind.port != "frames" else CAMERA_LOOK_S

    def another(self, face: str) -> bool:
        """Whether one more card of that face lies there than the screen shows."""
        lies = sum(given.card.face == face for given in self.server.shoes.shoe.given)
        return lies > self.faces[face]

    def cut_unseen(self, snapshot: Message) -> bool:
        """The cut card lies there, and the station knows nothing of it."""
        out = any(given.card.cut for given in self.server.shoes.shoe.given)
        return out and snapshot.get("shoe", {}).get("state") == "in_play"

    def too_soon(self, now: float) -> float:
        """Seconds until the next card may be pulled."""
        out = self.last_draw + self.server.kind.card_ms / 1000 - now
        if self.apart:
            return out
        face = self.server.shoes.shoe.peek()
        return max(out, self.drawn_at.get(face, now - SAME_FACE_S) + SAME_FACE_S - now)


class SoakControl(ShoeControl):
    """The shoe by hand, in this process; now and then something goes wrong with a card."""

    def __init__(self, server: DeviceServer, plan: FaultPlan | None, felt: Felt | None) -> None:
        super().__init__(server.settings.control)
        self.server = server
        self.plan = plan
        self.felt = felt
        self.later: list[tuple[float, bool, Strike]] = []
        self.now = 0.0
        self.refused: list[str] = []

    def ask(self, do: str, **params: object) -> dict[str, Any]:
        """One request and its answer. Raises ControlError."""
        if do == "draw" and self.plan is not None:
            self._may_go_wrong(self.plan)
        answer = self.server.answer(json.dumps({"do": do, **params}).encode())
        if not answer.get("ok"):
            raise ControlError(f"the shoe refuses {do}: {answer.get('error', '')}")
        if do == "load" and self.felt is not None:
            self.felt.accepted = 0
            self.felt.faces.clear()
        return answer

    def close(self) -> None:
        """Nothing is open."""

    def strike_due(self, now: float) -> None:
        """The faults whose moment has come."""
        self.now = now
        due = [one for one in self.later if one[0] <= now]
        self.later = [one for one in self.later if one[0] > now]
        for _, undo, strike in due:
            self._strike("fault", strike, undo=undo)

    def wait_s(self) -> float | None:
        """Seconds until the next of them, or None."""
        return min((at - self.now for at, _, _ in self.later), default=None)

    def _may_go_wrong(self, plan: FaultPlan) -> None:
        strike = plan.at_card()
        if strike is None or self.server.what.armed:
            return
        if strike.after_ms is None:
            self._strike("arm", strike)
        else:
            self.later.append((self.now + strike.after_ms / 1000, True, strike))

    def _strike(self, do: str, strike: Strike, *, undo: bool = True) -> None:
        try:
            self.ask(do, fault=strike.name, **strike.params)
        except ControlError as error:
            self.refused.append(str(error))
            return
        if undo and (undoing := strike.undone_by) is not None:
            self.later.append((self.now + UNDONE_AFTER_S, False, undoing))


class SoakDealer(Dealer):
    """Notes for whom each card is drawn, and pulls no two cards of one face at once."""

    refused_wait_s = 0.05
    felt: Felt

    def step(self, snapshot: Message, now: float) -> Command | float | None:
        wanted = super().step(snapshot, now)
        card = self._in_hand
        self.felt.in_hand = card is not None and not card.cut
        return wanted

    def _deal(self, snapshot: Message, now: float) -> Command | float | None:
        if self.felt.server.shoes.is_out or not self.felt.server.shoes.shoe.left:
            return 0.5
        soon = self.felt.too_soon(now)
        return soon if soon > 0 else super()._deal(snapshot, now)

    def _present_again(self, snapshot: Message, card: InHand, now: float) -> Command | float | None:
        wait = card.shown_at + PRESENT_S - now
        return wait if wait > 0 else super()._present_again(snapshot, card, now)

    def _draw(self, snapshot: Message, now: float) -> None:
        slot = snapshot["prompt"].get("slot") or {}
        meant = {key: slot.get(key) for key in ("to", "seat", "hand")}
        self.felt.server.remark({"meant": meant, "round": snapshot["round"]})
        super()._draw(snapshot, now)
        self.felt.last_draw = now
        for given in self.felt.server.shoes.shoe.given[-4:]:
            self.felt.drawn_at[given.card.face] = now


class SoakPlayers(Players):
    """The host is told of every card that is accepted."""

    refused_wait_s = 0.05
    felt: Felt
    most = 0

    @property
    def over(self) -> int:
        """Rounds that are settled or void."""
        return self.ledger.settled + self.ledger.void

    def step(self, snapshot: Message, now: float) -> Command | float | None:
        enough = bool(self.most) and self.over >= self.most
        return None if enough and snapshot.get("phase") in BETWEEN else super().step(snapshot, now)

    def on_fact(self, fact: Message) -> None:
        super().on_fact(fact)
        if fact.get("kind") in ("CardDealt", "CardExposed"):
            self.felt.accepted = int(fact["body"]["order"])
            card = fact["body"]["card"]
            self.felt.faces[f"{card['rank']}{card['suit']}"] += 1


class SoakStaff(Staff):
    """A supervisor who compares the felt with the screen before anything goes on."""

    refused_wait_s = 0.05
    felt: Felt

    def __init__(self, *args: Any, **rest: Any) -> None:
        self._seen_wrong = ("", 0.0)
        self._cleared: set[int] = set()
        self.noticed = 0
        super().__init__(*args, **rest)

    def duty(self, snapshot: Message, now: float) -> Command | float | None:
        wanted = super().duty(snapshot, now)
        if wanted is not None or snapshot.get("holds"):
            return wanted
        return self._look_at_felt(snapshot, now)

    def _look_at_felt(self, snapshot: Message, now: float) -> float | None:
        """A card that is on the felt alone, or on the screen alone: the round cannot stand, and
        the shoe goes out.
        """
        shoe = self.felt.server.shoes
        between = snapshot.get("phase") in BETWEEN
        wrong = self.felt.unread() != 0
        over = not shoe.shoe.left or (between and self.felt.cut_unseen(snapshot))
        if shoe.is_out or self._fresh_shoe or not (wrong or over):
            self._seen_wrong = ("", 0.0)
            return self.felt.look_s
        if self._seen_wrong[0] != shoe.shoe.name:
            self._seen_wrong = (shoe.shoe.name, now)
        # A card that was just drawn is read in a moment; one that was never drawn never was.
        wait = self._seen_wrong[1] + self.felt.look_s - now if self.felt.unread() >= 0 else 0.0
        if wait > 0:
            return wait
        self.noticed += wrong
        self.tell(f"{self.name}: the felt is not what the table shows: the shoe goes out")
        self._fresh_shoe = True
        return 0.0

    def _rule(self, hold: Message, now: float) -> Command | float | None:
        wait = self._due.left(f"rule/{hold['hold']}/{self.felt.drawn}", RULE_S, now)
        if wait > 0:
            return wait
        self._clear_error(hold)
        lost = self.felt.unread() != 0 and hold["code"] != "same_or_second"
        if lost or hold.get("params", {}).get("what") == "missed_scan":
            for ruling in ("void", "burn", "release"):
                if ruling in _open_ways(hold):
                    return Command("rule", {"hold": hold["hold"], "ruling": ruling})
        return super()._rule(hold, now)

    def _by_the_felt(self, hold: Message) -> str:
        if hold.get("code") != "same_or_second":
            return ""
        face = str(hold.get("params", {}).get("face", ""))
        return "second" if self.felt.another(face) else "same"

    def _load(self, shoe: Message, names: list[str]) -> Command | float:
        wait = self._not_yet_s()
        return wait if wait > 0 else super()._load(shoe, names)

    def _check_and_load(self, snapshot: Message, now: float) -> Command | float | None:
        wait = 0.0 if self._preparing else self._not_yet_s()
        return wait if wait > 0 else super()._check_and_load(snapshot, now)

    def _not_yet_s(self) -> float:
        """A scanner that awaits an acknowledgement tells of its card again: nobody changes a shoe
        as fast as that.
        """
        if getattr(self.felt.server.model, "busy", False):
            return PRESENT_S  # Nor while a card is before the camera.
        known = "ack_lost" in self.felt.server.faults
        return self.felt.last_draw + RESENT_S - self.now() if known else 0.0

    def _clear_error(self, hold: Message) -> None:
        """A shoe in error mode is asked at its own key to go on."""
        known = "clear_error" in self.felt.server.faults
        if known and hold.get("device") and hold["hold"] not in self._cleared and self.shoe:
            self._cleared.add(hold["hold"])
            self.shoe.ask("fault", fault="clear_error")


def _open_ways(hold: Message) -> list[str]:
    return [way["ruling"] for way in hold.get("rulings", []) if way.get("refusal") is None]
