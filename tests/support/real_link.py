"""A link of real parts: a virtual device in a thread at a real port, the product's device with its
own thread, and the core here. It offers what `tests.support.link.Link` does, in real time.

What people would wait for is waited for; what they take to think is made ten times as short.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from drivers.catalog import make_device, spec_of
from drivers.observations import AnyObservation
from drivers.protocols.base import Beep, Wanted
from hw_sim.codes import VirtualCard
from hw_sim.control import ShoeControl
from hw_sim.device_server import DeviceServer, DeviceSettings
from hw_sim.models.registry import kind_of
from station.game.rules import TableRules
from station.intake import to_input
from station.table import facts as f
from station.table.decide import Decision
from station.table.state import wishes
from tests.support.link import BAD, GOOD, SHOE, Table

THINKS = 0.1
STARTS_S = 10.0


class RealLink:
    """`place`: a directory for its sockets; `tcp`: the device is behind a serial server. The other
    settings: see `tests.support.link.Link`. `close` it.
    """

    misread = None

    def __init__(
        self,
        kind: str,
        wire: str,
        *,
        place: Path,
        seed: int,
        looks: Callable[[Decision], None],
        leaves: Callable[[VirtualCard], None],
        settings: dict[str, Any] | None = None,
        tcp: bool = False,
        cut: int = 0,
    ) -> None:
        self.kind = kind_of(kind)
        self.server = DeviceServer(
            DeviceSettings(
                place / "shoe",
                place / "control",
                seed,
                cut=cut,
                kind=kind,
                wire=wire,
                tcp="127.0.0.1:0" if tcp else "",
            )
        )
        self.server.start()
        self._thread = threading.Thread(target=self.server.run, name="virtual device")
        self._thread.start()
        self.control = ShoeControl(self.server.settings.control)
        self.model, self.faults = self.server.model, self.server.faults
        port = self.server.port.name if tcp else str(place / "shoe")
        port = f"virtual:{port}" if self.kind.port == "records" else port
        self.spec = spec_of({"name": SHOE, "kind": kind, "port": port, **(settings or {})})
        self._inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.device = make_device(self.spec, self._inbox.put)
        self._looks, self._leaves = looks, leaves
        self._wished: Wanted | None = None
        timed = self.spec.watches or self.spec.apart == "time"
        self.table = Table(TableRules(), timed=timed, after=self._decided)
        self.what = _What(self.control, leaves)
        self.shoes = _Shoes(self.control, self.server)
        self.timers = SimpleNamespace()
        self.device.start()
        self.run(int(STARTS_S * 1000), lambda: self.table.table.devices[0].health == "up")

    def close(self) -> None:
        self.device.stop()
        self.control.close()
        self.server.stop()
        self._thread.join(5)
        assert not self._thread.is_alive()
        self.server.close()

    @property
    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def run(self, ms: int, until: Callable[[], bool] | None = None) -> None:
        """Take what comes for so long, or until it is true."""
        end = time.monotonic() + ms / 1000 * (1 if until else THINKS)
        while not (until is not None and until()):
            left = end - time.monotonic()
            try:
                seen = self._inbox.get(timeout=max(0.0, left))
            except queue.Empty:
                return
            given = to_input(seen)
            if given is not None:
                self.table.give(given)

    def _decided(self, decision: Decision) -> None:
        self._looks(decision)
        seen = any(isinstance(fact, f.Observed) for fact in decision.facts)
        good = any(isinstance(fact, GOOD) for fact in decision.facts)
        bad = any(isinstance(fact, BAD) for fact in decision.facts)
        if seen and (good or bad):
            self.device.send(Beep("good" if good and not bad else "bad"))
        wish = wishes(decision.after)
        wanted = Wanted(wish.light, wish.seat_lamp, wish.shoe_locked, wish.reading)
        if wanted != self._wished:
            self._wished = wanted
            self.device.want(wanted)


class _What:
    """What happens to the device, over its control socket."""

    def __init__(self, control: ShoeControl, leaves: Callable[[VirtualCard], None]) -> None:
        self._ask, self._leaves = control.ask, leaves

    def draw(self) -> None:
        told = self._ask("draw")
        # What came of it is not taken up before this: that is done by the same thread.
        self._leaves(VirtualCard(told["face"], told["deck"], told["code"][0]))

    def again(self, face: str) -> None:
        self._ask("reread", face=face)

    def card_passes(self, card: VirtualCard) -> None:
        self._ask("pass", face=card.face, deck=card.deck, set=card.set)

    def arm(self, fault: str, params: dict[str, object], after: int) -> None:
        given = {key: value for key, value in params.items() if value is not None}
        self._ask("arm", fault=fault, after=after, **given)

    def fault(self, fault: str, params: dict[str, object]) -> None:
        given = {key: value for key, value in params.items() if value is not None}
        self._ask("fault", fault=fault, **given)

    def clear(self) -> None:
        self._ask("clear")

    def unplug(self) -> None:
        self._ask("fault", fault="unplug")

    def plug(self) -> None:
        self._ask("fault", fault="replug")

    def take_out(self) -> None:
        self._ask("out")

    def new_shoe(self) -> None:
        """`load` has told the device."""


class _Shoes:
    def __init__(self, control: ShoeControl, server: DeviceServer) -> None:
        self._ask, self._server = control.ask, server

    @property
    def shoe(self) -> Any:
        """The shoe that is in. Looked at only between two requests."""
        return self._server.shoes.shoe

    def load(self, _request: dict[str, Any]) -> None:
        self._ask("load")

    def remaining(self, shoe: str) -> dict[str, int]:
        found: dict[str, int] = self._ask("remaining", shoe=shoe)["remaining"]
        return found
