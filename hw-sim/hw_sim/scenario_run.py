"""Run scenarios: each step in turn, and what was expected against what the station showed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw_sim.children import ChildError
from hw_sim.control import ControlError, ShoeControl
from hw_sim.floor import Floor, FloorError
from hw_sim.journal import JournalUnread, journal_facts
from hw_sim.link import LinkRefused, Message
from hw_sim.scenario import Scenario, Step
from hw_sim.scenario_table import ScenarioTable
from hw_sim.sockets import SocketError
from hw_sim.table_config import TableError

WITHIN_S = 10.0
TROUBLES = (
    FloorError,
    ControlError,
    JournalUnread,
    LinkRefused,
    SocketError,
    ChildError,
    TableError,
)


class StepFailed(Exception):
    """A step did not do, or not show, what it should; the message says which, and what was seen."""


class Run:
    """One scenario at one table. `own`: the table it started, None for somebody else's."""

    def __init__(
        self,
        scenario: Scenario,
        floor: Floor,
        shoe: ShoeControl,
        board: ShoeControl | None,
        own: ScenarioTable | None,
        tell: Callable[[str], None],
    ) -> None:
        self._scenario = scenario
        self._floor = floor
        self._devices = {"shoe": shoe, "board": board}
        self._own = own
        self._tell = tell
        self._reads_before = 0

    def run(self) -> None:
        """All steps. Raises StepFailed."""
        for step in self._scenario.steps:
            try:
                self._do(step)
            except TROUBLES as error:
                ended = self._own.how_it_runs() if self._own is not None else ""
                more = f"\n    {ended}" if ended else ""
                raise StepFailed(
                    f"{self._scenario.file}: {step}: {error}\n    saw {seen(self._floor.now)}{more}"
                ) from error
            self._tell(f"  ok  {step}")

    def _do(self, step: Step) -> None:
        keys = dict(step.keys)
        match step.do:
            case "ready":
                self._floor.ready(keys.get("seats", [1]))
            case "bets":
                self._floor.bets(keys.get("seats", [1]))
            case "draw" | "reread" | "fault" | "arm" | "clear" | "disarm" | "press" | "badge":
                self._device(step.do, keys)
            case "wait":
                self._wait(float(keys["seconds"]))
            case "say":
                role, do = keys.pop("as"), keys.pop("command")
                refused = keys.pop("refused", "")
                self._answered(self._floor.say(role, do, **self._filled(keys)), do, refused)
            case "rule":
                answer = self._floor.rule(keys["ruling"], keys.get("hold", ""))
                self._answered(answer, f"the ruling {keys['ruling']}", keys.get("refused", ""))
            case "decide":
                self._floor.decide(keys["action"])
            case "rival":
                self._rival(keys.get("says", ""))
            case "expect":
                self._expect(keys)

    # --- what happens -----------------------------------------------------------------------

    def _device(self, do: str, keys: dict[str, Any]) -> None:
        on = keys.pop("on", "board" if do in ("press", "badge") else "shoe")
        device = self._devices[on]
        if device is None:
            raise FloorError("this table has no board; write board = true in [table]")
        # What is on its way must be shown before: the reads after this are those of this step.
        self._floor.look(0.05)
        self._reads_before = _reads(self._floor.now)
        match do:
            case "draw":
                self._draw(device, keys)
            case "press" | "badge":
                device.ask("fault", fault=do, **keys)
            case _:
                device.ask(do, **keys)

    def _draw(self, device: ShoeControl, keys: dict[str, Any]) -> None:
        count, face = keys.pop("cards", 1), keys.pop("face", "")
        pause = float(keys.pop("every_s", 0))
        fault = keys.pop("fault", "")
        if keys and not fault:
            raise FloorError(f"{', '.join(keys)}: parameters of a fault, and there is no fault")
        card = {}
        for number in range(count):
            self._wait(pause if number else 0)
            if fault:
                device.ask("arm", fault=fault, **keys)
            card = device.ask("draw")
        if face and card["face"] != face:
            raise FloorError(f"the card drawn is {card['face'] or 'the cut card'}, not {face}")

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._floor.look(min(0.05, max(0.0, until - time.monotonic())))

    def _answered(self, answer: Message, what: str, refused: str) -> None:
        was = self._floor.refusal(answer)
        if was != refused:
            expected = f"refused: {refused}" if refused else "accepted"
            raise FloorError(f"expected {what} to be {expected}, but it was {was or 'accepted'}")

    def _filled(self, keys: dict[str, Any]) -> dict[str, Any]:
        """Fields of a command; `$round`, `$version` and `$hold` are those of this moment."""
        self._floor.look()
        now = self._floor.now
        known = {"$round": now.get("round"), "$version": now.get("version")}
        if now.get("holds"):
            known["$hold"] = now["holds"][0]["hold"]
        return {key: known.get(value, value) for key, value in keys.items()}

    def _rival(self, says: str) -> None:
        if self._own is None:
            raise FloorError("a rival needs a table the scenario starts itself")
        code, said = self._own.rival()
        if code == 0:
            raise FloorError(f"a second station on the port was not refused: {said}")
        if says not in said or "Traceback" in said:
            raise FloorError(f"expected a second station to say {says!r}, but it said: {said}")

    # --- what is seen -----------------------------------------------------------------------

    def _expect(self, keys: dict[str, Any]) -> None:
        within = float(keys.pop("within_s", WITHIN_S))
        stays = float(keys.pop("stays_s", 0))
        facts = keys.pop("facts", {})
        limit = time.monotonic() + within
        while wrong := self._wrong(keys):
            if time.monotonic() > limit:
                raise FloorError(f"expected within {within:g} s: {wrong}")
            self._floor.look()
        until = time.monotonic() + stays
        while time.monotonic() < until:
            self._floor.look()
            if wrong := self._wrong(keys):
                raise FloorError(f"expected to stay so for {stays:g} s: {wrong}")
        self._expect_facts(facts, limit)

    def _expect_facts(self, facts: dict[str, int], limit: float) -> None:
        if not facts:
            return
        if self._own is None:
            raise FloorError("facts: they are read from a table the scenario starts itself")
        while True:
            told = Counter(fact["kind"] for fact in journal_facts(self._own.place.journal))
            wrong = {kind: told[kind] for kind, count in facts.items() if told[kind] != count}
            if not wrong:
                return
            if time.monotonic() > limit:
                raise FloorError(f"expected facts {facts}, the journal has {wrong}")

    def _wrong(self, keys: dict[str, Any]) -> str:
        """What is not as expected; "" when everything is."""
        now = self._floor.now
        if not now:
            return "a snapshot"
        return next((wrong for key in keys if (wrong := self._wrong_in(key, keys[key], now))), "")

    def _wrong_in(self, key: str, wanted: Any, now: Message) -> str:
        match key:
            case "hold":
                codes = [hold["code"] for hold in now["holds"]]
                right = wanted in codes if wanted != "none" else not codes
            case "read":
                right = _reads(now) > self._reads_before and _is_read(wanted, now["last_read"])
            case "reads":
                right = _reads(now) - self._reads_before == wanted
            case "cards":
                on_felt = cards(now)
                right = all(on_felt.get(place, "") == held for place, held in wanted.items())
            case "health":
                health = {device["name"]: device["health"] for device in now["devices"]}
                right = all(health.get(name) == how for name, how in wanted.items())
            case "prompt":
                right = now["prompt"]["kind"] == wanted
            case "shoe":
                right = now["shoe"]["state"] == wanted
            case _:
                right = now[key] == wanted
        return "" if right else f"{key} = {wanted}"


def _reads(now: Message) -> int:
    return int((now.get("last_read") or {}).get("number", 0))


def _is_read(wanted: dict[str, Any], read: Message) -> bool:
    text = " ".join(read.get("text", {}).values())
    return all(
        str(value) in text if key == "text" else read.get(key) == value
        for key, value in wanted.items()
    )


def cards(now: Message) -> dict[str, str]:
    """The cards that lie on the felt, by `dealer`, seat, or `seat/hand` of a second hand."""
    found = {"dealer": " ".join(now["dealer"]["cards"])}
    for seat in now["seats"]:
        for hand in seat["hands"]:
            place = str(seat["seat"]) + (f"/{hand['hand']}" if hand["hand"] > 1 else "")
            found[place] = " ".join(hand["cards"])
    return found


def seen(now: Message) -> str:
    """What the console shows, in one line, for a person who wonders why."""
    if not now:
        return "no snapshot"
    holds = ", ".join(hold["code"] for hold in now["holds"]) or "none"
    read = now.get("last_read")
    last = f"{read['number']} {read['outcome']} {read['face']}".strip() if read else "none"
    words = f" ({read['text']['en']})" if read else ""
    lying = "; ".join(f"{place}: {held}" for place, held in cards(now).items() if held) or "none"
    devices = ", ".join(f"{device['name']} {device['health']}" for device in now["devices"])
    return (
        f"hold {holds} | last read {last}{words} | cards {lying} | {devices} | "
        f"prompt {now['prompt']['kind']} {now['prompt']['code']} | phase {now['phase']}"
    )


def run_one(
    scenario: Scenario,
    tell: Callable[[str], None],
    *,
    socket: Path | None = None,
    shoe: Path | None = None,
    board: Path | None = None,
) -> None:
    """Run one scenario, at a table of its own, or at the one with that socket, whose virtual shoe's
    control is `shoe`. Raises StepFailed.
    """
    if socket is not None and shoe is not None:
        control = ShoeControl(shoe)
        eyes = ShoeControl(board) if board else None
        floor = Floor(socket, control)
        try:
            Run(scenario, floor, control, eyes, None, tell).run()
        finally:
            for open_one in (floor, control, eyes):
                if open_one is not None:
                    open_one.close()
        return
    _run_alone(scenario, tell)


def _run_alone(scenario: Scenario, tell: Callable[[str], None]) -> None:
    own = ScenarioTable(scenario.table)
    keep = True
    try:
        try:
            own.start()
        except TROUBLES as error:
            raise StepFailed(f"{scenario.file}: the table does not start: {error}") from error
        floor = Floor(own.place.socket, own.shoe)
        try:
            Run(scenario, floor, own.shoe, own.board, own, tell).run()
        finally:
            floor.close()
        if trace := own.traceback():
            raise StepFailed(f"{scenario.file}: the station told of a fault of its own:\n{trace}")
        keep = False
    except StepFailed as error:
        raise StepFailed(f"{error}\n    logs and truth are in {own.place.path}") from error
    finally:
        own.end(keep=keep)
