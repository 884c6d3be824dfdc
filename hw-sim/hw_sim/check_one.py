"""A checker who does one check and goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hw_sim.checker import Checker, Second
from hw_sim.client import Command
from hw_sim.control import ControlError, ShoeControl
from hw_sim.link import Message
from hw_sim.staff import Staff, StaffSettings


class CheckOne(Staff):
    """Signs in, checks the shoe in the virtual device, says that it was shuffled, and ends."""

    patience_s = 2.0

    def __init__(
        self,
        socket: Path,
        shoe: ShoeControl,
        settings: StaffSettings,
        name: str,
        second: Second,
        **rest: Any,
    ) -> None:
        self._virtual = shoe
        self._only = Checker(shoe, second)
        super().__init__(socket, shoe, settings, name=name, **rest)

    def duty(self, snapshot: Message, now: float) -> Command | float | None:
        try:
            new = self._virtual.ask("state")
            name = str(new["shoe"])
            wanted = self._only.next(snapshot, now, name, str(new["set"]))
        except ControlError as error:
            self.failed, self.done = str(error), True
            return None
        view = snapshot.get("shoe", {})
        if name in self._only.failed:
            found = [line["en"] for line in (view.get("check") or {}).get("found", [])]
            self.failed, self.done = f"shoe {name} is not whole: {'; '.join(found)}", True
        elif name in view.get("checked", []):
            self.tell(f"{self.name}: shoe {name} is checked and shuffled")
            self.done = True
        return wanted

    def answered(self, do: str, answer: Message) -> None:
        if do != "log_in" and not answer.get("ok"):
            refusal = answer.get("refusal") or {}
            text = refusal.get("text", {}).get("en", "")
            self.failed = f"{do} refused: {refusal.get('code', '')} {text}".strip()
            self.done = True
