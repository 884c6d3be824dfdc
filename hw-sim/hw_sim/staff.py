"""A supervisor: signs in, puts shoes in and releases them, rules on holds."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw_sim.checker import Checker, Second
from hw_sim.client import Client, Command, Due, action_refusal, may
from hw_sim.control import ControlError, ShoeControl
from hw_sim.hosting import BETWEEN
from hw_sim.link import Message
from hw_sim.orders import waiting

PREFERRED = ("release", "aligned", "burn", "void")
READER_WAIT_S = 15.0
REREAD_S = 1.0
# A card is held before a camera for a while, and read when it leaves.
CAMERA_REREAD_S = 3.0
REREADS = 3
DOUBTED = "same_or_second"
LEFT_TO_OTHERS = ("wait",)
# Another shoe has to go in: one of that name waits for its count, or its count did not come out.
OTHER_SHOE = ("same_shoe", "shoe_barred")


@dataclass(frozen=True)
class StaffSettings:
    """`auto`: load shoes and rule on holds, else only sign in and tell what happens.
    `fresh`: put a new shoe in at the start, whatever is in (a new virtual shoe has come). `second`,
    `second_pin`: who checks and loads with him, where the table asks for two.
    """

    staff: str = "2001"
    pin: str = "2001"
    auto: bool = True
    fresh: bool = False
    reaction_s: float = 1.0
    second: str = "1001"
    second_pin: str = "1001"


class Staff(Client):
    """Plays the supervisor's part at a staff link."""

    role = "staff"

    def __init__(
        self,
        socket: Path,
        shoe: ShoeControl | None,
        settings: StaffSettings,
        seed: int = 0,
        name: str = "staff",
        **rest: Any,
    ) -> None:
        self.settings = settings
        self.shoe = shoe
        self._fresh_shoe = settings.fresh
        self._due = Due()
        self._rereads: dict[int, int] = {}
        self._reader_out: dict[int, float] = {}
        self._round_from: tuple[int, int, Counter[str]] = (-1, 0, Counter())
        self._told = ""
        self._loaded = ""
        self._passed_over: set[str] = set()
        second = Second(settings.second, settings.second_pin)
        self._second = second
        self._checker = Checker(shoe, second) if shoe is not None else None
        # The shoe that was put into the device to be checked.
        self._preparing = ""
        # Those counted once, whatever came out, and those of before this start, which may have the
        # names of this start's.
        self._not_counted: set[str] | None = None if settings.fresh else set()
        super().__init__(socket, name, seed, **rest)

    def step(self, snapshot: Message, now: float) -> Command | float | None:
        signed = snapshot.get("staff", {}).get("signed_in", [])
        if not any(person.get("staff") == self.settings.staff for person in signed):
            return Command("log_in", {"staff": self.settings.staff, "pin": self.settings.pin})
        return self.duty(snapshot, now)

    def duty(self, snapshot: Message, now: float) -> Command | float | None:
        """What a supervisor who is signed in does."""
        self._remember(snapshot)
        holds = [h for h in snapshot.get("holds", []) if self._mine(h)]
        self._tell_hold(holds)
        if not self.settings.auto:
            return None
        if may(snapshot, "answer_call"):
            return Command("answer_call")
        if holds:
            return self._rule(holds[0], now)
        return self._look_after_shoe(snapshot, now)

    def closed(self) -> None:
        if self.shoe is not None:
            self.shoe.close()

    def _mine(self, hold: Message) -> bool:
        """The dealer ends his own WAIT, unless a card was drawn in it."""
        ways = {way["ruling"]: way.get("refusal") for way in hold.get("rulings", [])}
        return hold.get("code") not in LEFT_TO_OTHERS or ways.get("release") is not None

    def _tell_hold(self, holds: list[Message]) -> None:
        text = "" if not holds else f"{holds[0]['hold']} {holds[0]['code']}"
        if text and text != self._told:
            self.tell(f"{self.name}: hold {text}: {holds[0].get('what', {}).get('en', '')}")
        self._told = text

    # --- rulings ----------------------------------------------------------------------------

    def _rule(self, hold: Message, now: float) -> Command | float | None:
        number = hold["hold"]
        wait = self._due.left(f"rule/{number}", self.settings.reaction_s, now)
        if wait > 0:
            return wait
        ways = {way["ruling"]: way.get("refusal") for way in hold.get("rulings", [])}
        for ruling in (self._by_the_felt(hold), *PREFERRED):
            if ruling not in ways:
                continue
            refusal = ways[ruling]
            if refusal is None:
                self.tell(f"{self.name}: rules {ruling} on hold {number}")
                return Command("rule", {"hold": number, "ruling": ruling, "note": "hw-sim staff"})
            again = self._worth_waiting(number, refusal, now)
            if again is not None:
                return again
        return None

    def _remember(self, snapshot: Message) -> None:
        """Where the shoe was and what lay on the felt when this round was first seen."""
        number = int(snapshot.get("round", 0))
        if self.shoe is None or self._round_from[0] == number:
            return
        with contextlib.suppress(ControlError):
            position = len(self.shoe.ask("state")["given"])
            self._round_from = (number, position, Counter(_on_felt(snapshot)))

    def _by_the_felt(self, hold: Message) -> str:
        """Whether a doubted read was a second card of that face: then more of them have left the
        shoe in this round than lie on the felt. "" where nobody can tell, or nothing is in doubt.
        """
        if self.shoe is None or hold.get("code") != DOUBTED or not hold.get("faces"):
            return ""
        _, position, lay = self._round_from
        face = hold["faces"][-1]
        try:
            given = [code[1:3] for code in self.shoe.ask("state")["given"][position:]]
        except ControlError:
            return ""
        more = given.count(face) > _on_felt(self.snapshot).count(face) - lay[face]
        return "second" if more else "same"

    def _worth_waiting(self, hold: int, refusal: Message, now: float) -> float | None:
        """Seconds to wait for a milder ruling to open, or None when it will not."""
        match refusal.get("code"):
            case "reader_not_up":
                until = self._reader_out.setdefault(hold, now + READER_WAIT_S)
                return until - now if now < until else None
            case "last_card_not_reread":
                return self._reread(hold, str(refusal.get("params", {}).get("face", "")))
            case _:
                return None

    def _reread(self, hold: int, face: str) -> float | None:
        """Present the last accepted card again. When another card has left the shoe since, the
        layout is not the felt, and nobody may say it is.
        """
        tries = self._rereads.get(hold, 0)
        if self.shoe is None or tries >= REREADS:
            return None
        try:
            state = self.shoe.ask("state")
            wait = CAMERA_REREAD_S if state.get("kind") == "camera" else REREAD_S
            if state["last"] is None or state["last"]["face"] != face:
                return None
            self.shoe.ask("reread")
        except ControlError as error:
            self.tell(f"{self.name}: {error}")
            wait = REREAD_S
        self._rereads[hold] = tries + 1
        return wait

    # --- the shoe ---------------------------------------------------------------------------

    def _look_after_shoe(self, snapshot: Message, now: float) -> Command | float | None:
        shoe = snapshot.get("shoe", {})
        state = shoe.get("state")
        count = self._count_shoe(snapshot, now)
        if count is not None:
            return count
        if state == "loaded" and not self._fresh_shoe:
            return self._release(snapshot, now)
        if self._fresh_shoe and self._round_left_open(snapshot):
            fields = {"round": snapshot["round"], "reason": "equipment"}
            fields["note"] = "a new virtual shoe came"
            return Command("void_round", {**fields, "expected_version": snapshot["version"]})
        if not self._fresh_shoe and state not in ("none", "out", "last_round"):
            return None
        if shoe.get("check_required"):
            return self._check_and_load(snapshot, now)
        if not may(snapshot, "load_shoe"):
            return None
        wait = self._due.left(f"load/{shoe.get('id')}/{state}", self.settings.reaction_s, now)
        return wait if wait > 0 else self._load(shoe, waiting(snapshot))

    def _round_left_open(self, snapshot: Message) -> bool:
        refusal = action_refusal(snapshot, "load_shoe") or {}
        return refusal.get("code") == "change_between_rounds" and may(
            snapshot, "void_round", str(snapshot.get("round"))
        )

    def _count_shoe(self, snapshot: Message, now: float) -> Command | float | None:
        """What remained in a shoe that is out is counted before the next is released (R2)."""
        names = waiting(snapshot)
        if self._not_counted is None:
            self._not_counted = {snapshot.get("shoe", {}).get("id", ""), *names}
        if self.shoe is None or snapshot.get("shoe", {}).get("state") not in ("loaded", "out"):
            return None
        for name in names:
            if name in self._not_counted:
                continue
            wait = self._due.left(f"count/{name}", self.settings.reaction_s, now)
            if wait > 0:
                return wait
            remaining = self._remaining(self.shoe, name)
            self._not_counted.add(name)
            if remaining is not None:
                self.tell(f"{self.name}: counts shoe {name}")
                return Command("reconcile_shoe", {"shoe": name, "remaining": remaining})
        return None

    def _remaining(self, shoe: ShoeControl, name: str) -> dict[str, int] | None:
        """What is left in that shoe, which is taken out for it; None when nobody can tell."""
        try:
            if shoe.ask("state")["shoe"] == name:
                shoe.ask("out")
            left: dict[str, int] = shoe.ask("remaining", shoe=name)["remaining"]
        except ControlError as error:
            self.tell(f"{self.name}: {error}")
            return None
        return left

    def _load(self, shoe: Message, names: list[str]) -> Command | float:
        """A new shoe goes in: first the cards, then the word."""
        try:
            new = self._new_cards(shoe, names)
        except ControlError as error:
            self.tell(f"{self.name}: {error}")
            return REREAD_S
        if new is None:
            return REREAD_S
        self._loaded = new["shoe"]
        two = self._second.fields if shoe.get("two_people") else {}
        return Command("load_shoe", {"shoe": new["shoe"], "set": new["set"], **two})

    def _new_cards(self, shoe: Message, names: list[str]) -> Message | None:
        """The shoe in the device, a new one if cards have left it or it is not to go in; of the set
        that is due. Raises ControlError.
        """
        if self.shoe is None:
            return None
        new = self.shoe.ask("state")
        used = not self._fresh_shoe or new["position"] or new["out"]
        used = used and new["shoe"] != self._preparing
        due = shoe.get("due") or []
        wrong = bool(due) and new["set"] not in due
        while used or wrong or new["shoe"] in (shoe.get("id"), *names, *self._passed_over):
            letter = {"set": due[0]} if due and new["set"] not in due else {}
            new, used, wrong = self.shoe.ask("load", **letter), False, False
        return new

    def _check_and_load(self, snapshot: Message, now: float) -> Command | float | None:
        """Where shoes are checked: all its cards are read, it is shuffled, and two put it in."""
        shoe = snapshot.get("shoe", {})
        if self._checker is None or snapshot.get("phase") not in BETWEEN:
            return None
        try:
            new = self._new_cards(shoe, waiting(snapshot))
            if new is None:
                return None
            self._preparing = new["shoe"]
            wanted = self._checker.next(snapshot, now, new["shoe"], new["set"])
        except ControlError as error:
            self.tell(f"{self.name}: {error}")
            return REREAD_S
        if new["shoe"] in self._checker.failed:
            self.tell(f"{self.name}: shoe {new['shoe']} is not whole: another one")
            self._passed_over.add(new["shoe"])
            return 0.0
        if wanted is not None or not may(snapshot, "load_shoe"):
            return wanted
        self._loaded = new["shoe"]
        fields = {"shoe": new["shoe"], "set": new["set"]}
        return Command("load_shoe", fields | self._second.fields)

    def answered(self, do: str, answer: Message) -> None:
        if do == "load_shoe" and answer.get("ok"):
            self._fresh_shoe = False
            self._preparing = ""
            if self._not_counted is not None:
                self._not_counted.discard(self._loaded)
            self.tell(f"{self.name}: puts in shoe {self._loaded}")
        elif do == "load_shoe" and (answer.get("refusal") or {}).get("code") in OTHER_SHOE:
            self._passed_over.add(self._loaded)

    def _release(self, snapshot: Message, now: float) -> Command | float | None:
        name = snapshot["shoe"]["id"]
        if not may(snapshot, "release_shoe", name):
            return None
        wait = self._due.left(f"release/{name}", self.settings.reaction_s, now)
        if wait > 0:
            return wait
        return Command("release_shoe", {"shoe": name, "expected_version": snapshot["version"]})


def _on_felt(snapshot: Message) -> list[str]:
    """The faces that lie there, the exposed ones too."""
    hands = [hand["cards"] for seat in snapshot.get("seats", []) for hand in seat["hands"]]
    dealer = snapshot.get("dealer", {}).get("cards", [])
    return [face for cards in (*hands, dealer, snapshot.get("exposed", [])) for face in cards]


class OneCommand(Staff):
    """Signs in, says one command made from the snapshot, tells the answer, and ends.

    `make` returns the command, or a text that says why there is none to give.
    """

    patience_s = 2.0

    def __init__(
        self,
        socket: Path,
        settings: StaffSettings,
        name: str,
        make: Callable[[Message], Command | str],
        **rest: Any,
    ) -> None:
        self._make = make
        super().__init__(socket, None, settings, name=name, **rest)

    def duty(self, snapshot: Message, now: float) -> Command | float | None:
        made = self._make(snapshot)
        if isinstance(made, str):
            self.failed, self.done = made, True
            return None
        return made

    def answered(self, do: str, answer: Message) -> None:
        if do == "log_in" and answer.get("ok"):
            return
        self.done = True
        if not answer.get("ok"):
            refusal = answer.get("refusal") or {}
            text = refusal.get("text", {}).get("en", "")
            self.failed = f"{do} refused: {refusal.get('code', '')} {text}".strip()
