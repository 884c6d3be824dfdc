"""A whole link in memory: the core of the table, a real protocol, the line, the virtual device.

    shoe → virtual device → wire → protocol → intake → decide → beeps, lock and lamps, and back

Time is a number of milliseconds that jumps from one thing to do to the next; nothing waits and
nothing is a thread. What lies between is that of the product and of the simulator: only the port
between them is memory, and what opens it is a few lines in place of `drivers.device`.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from drivers.catalog import kind_of as driver_kind
from drivers.catalog import spec_of
from drivers.observations import AnyObservation, Health, HealthChanged
from drivers.protocols.base import Beep, Out, Wanted
from hw_sim.codes import OtherCode, VirtualCard
from hw_sim.happenings import Happenings
from hw_sim.line import Line
from hw_sim.models.base import Model, Piece
from hw_sim.models.registry import faults_of, kind_of, make_model
from hw_sim.port import DevicePort
from hw_sim.shoes import ShoeMaking, Shoes
from hw_sim.timers import Timers
from station.game import facts as g
from station.game.rules import TableRules
from station.intake import to_input
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.table.state import wishes
from tests.support.play import Play

MS = 1_000_000
SHOE = "shoe"
OPEN_MS = 20
RETRY_MS = 200
GOOD = (g.CardDealt, g.CardBurnedFirst, g.CutCardOut, f.LastCardReread)
BAD = (g.CardExposed, f.ReadFailed, f.ReadSetAside, f.TableHeld)


def printed(card: VirtualCard, text: Callable[[VirtualCard], str] | None) -> VirtualCard:
    """The card with another text on it."""
    if text is None or type(card) is OtherCode:
        return card
    return OtherCode(card.face, card.deck, card.set, text(card))


class Printed:
    """A virtual device past which cards with another text on them go."""

    def __init__(self, model: Model, text: Callable[[VirtualCard], str]) -> None:
        self._model, self._text = model, text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        return self._model.card(printed(card, self._text), now_ms, fault, params)

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return self._model.again(printed(card, self._text), now_ms)


class MemoryPort:
    """The device's end of a line that is memory. `arrived` gets what it sends while the driver has
    the line open; `hung_up` is told when the plug is pulled.
    """

    name = "memory"
    unread = 0

    def __init__(
        self, arrived: Callable[[bytes], None], hung_up: Callable[[], None], *, records: bool
    ) -> None:
        self._arrived, self._hung_up, self._records = arrived, hung_up, records
        self.plugged = False
        self.can_open = False
        self.opened = False
        self.sent = deque[bytes]()

    def fileno(self) -> int:
        return -1

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        self.unplug()
        self.plugged, self.can_open = True, not (denied or busy)

    def permit(self) -> None:
        self.can_open = True

    release = permit

    def unplug(self) -> None:
        if self.plugged:
            self.plugged = self.can_open = False
            self.sent.clear()
            self._hung_up()

    def send(self, data: bytes) -> bool:
        # What comes while nobody has it open is thrown away when it is opened.
        if self.opened:
            self._arrived(data)
        return self.opened

    def take(self) -> bytes:
        if self._records:
            return self.sent.popleft() if self.sent else b""
        data = b"".join(self.sent)
        self.sent.clear()
        return data


class Table(Play):
    """The core, at a table where the time of a read counts or does not."""

    def __init__(self, rules: TableRules, *, timed: bool, after: Callable[[Decision], None]):
        self._timed, self._after = timed, after
        super().__init__(rules)

    def start(self) -> None:
        self.give(
            i.StationStart("T01", "test", "0", (SHOE,), self.rules, self.kind, timed=self._timed)
        )

    def give(self, given: i.AnyInput) -> Decision:
        decision = super().give(given)
        self._after(decision)
        return decision


class Link:
    """One device at one table. `settings`: the driver's; `options`: the virtual device's own;
    `wire`: see `hw_sim.wires`; `text`: what is printed on the cards, None: the default code;
    `looks`: is shown each decision of the core, in order; `leaves`: each card that leaves the shoe,
    before the device has read it.
    """

    def __init__(
        self,
        kind: str,
        wire: str = "perfect",
        *,
        settings: dict[str, Any] | None = None,
        options: dict[str, str] | None = None,
        seed: int = 1,
        cut: int = 0,
        stack: tuple[str, ...] = (),
        text: Callable[[VirtualCard], str] | None = None,
        burn: int = 0,
        looks: Callable[[Decision], None] = lambda _decision: None,
        leaves: Callable[[VirtualCard], None] = lambda _card: None,
    ) -> None:
        self.now_ms = 1000
        self.kind = kind_of(kind)
        model = make_model(kind, options or {})
        self.model: Model = model if text is None else cast("Model", Printed(model, text))
        self.faults = faults_of(self.kind, self.model)
        records = self.model.records
        port = "virtual:/run/table/shoe.sock" if records else "/dev/table/shoe"
        spec = spec_of({"name": SHOE, "kind": kind, "port": port, **(settings or {})})
        self.spec = spec
        self.protocol = driver_kind(kind).make(spec)[1]
        self._end = MemoryPort(self._arrived, self._hung_up, records=bool(records))
        self.port: DevicePort = self._end
        self.shoes = Shoes(ShoeMaking(8, cut), seed, "A", stack)
        self.timers = Timers(lambda: (self.now_ms + 0.01) / 1000)
        self.truth: list[dict[str, Any]] = []
        line = Line(
            self.port, wire, records, self.timers, lambda: self.now_ms, self.truth.append, self._cut
        )
        self.what = Happenings(
            self, line, self.timers, lambda: self.now_ms, self.truth.append, leaves
        )
        self.seen: list[tuple[int, AnyObservation]] = []
        self.heard: list[tuple[int, bytes]] = []
        self.misread: Callable[[bytes], bytes] | None = None
        self._wake_ns: int | None = None
        self._open_at_ms: int | None = None
        self._health: Health = "waiting"
        self._wished: Wanted | None = None
        self._looks = looks
        self._depth = 0
        self._orders: list[tuple[str, Any]] = []
        timed = spec.watches or spec.apart == "time"
        self.table = Table(TableRules(burn=burn), timed=timed, after=self._decided)
        self.what.plug()
        self._open_at_ms = self.now_ms
        self.run(4000)

    # --- what the simulator calls -----------------------------------------------------------------

    def port_changes(self) -> None:
        """Nothing is watched here."""

    def _cut(self, ms: int) -> None:
        self.what.do("unplug", {"ms": ms})

    def _arrived(self, data: bytes) -> None:
        if self.misread is not None:
            data = self.misread(data)
        if data:
            self.heard.append((self.now_ms, data))
            self._take(self.protocol.feed(data, self.now_ms * MS))

    def _hung_up(self) -> None:
        if self._end.opened:
            self._end.opened = False
            self._wished = None
            self._take(self.protocol.reset(self.now_ms * MS))
            self._became("lost")
        self._open_at_ms = self.now_ms + OPEN_MS

    # --- the driver's device ----------------------------------------------------------------------

    def _open(self) -> None:
        self._open_at_ms = None
        if self._end.opened:
            return
        if not self._end.can_open:
            self._open_at_ms = self.now_ms + RETRY_MS
            return
        self._end.sent.clear()
        self._end.opened = True
        self._became("up")
        self._take(self.protocol.start(self.now_ms * MS))
        self._wish()

    def _became(self, health: Health) -> None:
        if health != self._health:
            self._health = health
            self._tell(HealthChanged(SHOE, self.now_ms * MS, b"", health))

    def _take(self, out: Out) -> None:
        self._wake_ns = out.wake_at_ns
        if self._end.opened:
            self._end.sent.extend(out.write)
        for observation in out.observations:
            self._tell(observation)

    def _tell(self, observation: AnyObservation) -> None:
        self.seen.append((self.now_ms, observation))
        given = to_input(observation)
        if given is not None:
            self.table.give(given)

    # --- the station after a decision -------------------------------------------------------------

    def _decided(self, decision: Decision) -> None:
        self._looks(decision)
        seen = any(isinstance(fact, f.Observed) for fact in decision.facts)
        good = any(isinstance(fact, GOOD) for fact in decision.facts)
        bad = any(isinstance(fact, BAD) for fact in decision.facts)
        if seen and (good or bad):
            self._orders.append(("beep", "good" if good and not bad else "bad"))
        if decision.facts:
            self._orders.append(("wish", None))

    def _obey(self) -> None:
        """What the station asks of the device, as its thread does it: after the reads."""
        orders, self._orders = self._orders, []
        for order, sound in orders:
            if not self._end.opened:
                continue
            if order == "beep" and f"{sound}_beep" in self.protocol.capabilities:
                self._take(self.protocol.send(Beep(sound), self.now_ms * MS))
            elif order == "wish":
                self._wish()

    def _wish(self) -> None:
        wish = wishes(self.table.table)
        wanted = Wanted(wish.light, wish.seat_lamp, wish.shoe_locked, wish.reading)
        if wanted != self._wished and self._end.opened:
            self._wished = wanted
            self._take(self.protocol.want(wanted, self.now_ms * MS))

    # --- time -------------------------------------------------------------------------------------

    def run(self, ms: int, until: Callable[[], bool] = lambda: False) -> None:
        """Let that much time pass, or less once `until` is true."""
        end = self.now_ms + ms
        self._settle()
        while not until():
            at = min((at for at in self._times() if at is not None), default=end + 1)
            if at > end:
                self.now_ms = end
                return
            self.now_ms = max(self.now_ms, at)
            self._step()

    def _times(self) -> tuple[int | None, ...]:
        waits = (self.timers.wait_s(), self.what.wait_s())
        simulator = [None if w is None else self.now_ms + math.ceil(w * 1000 - 0.02) for w in waits]
        wake = None if self._wake_ns is None else -(-self._wake_ns // MS)
        return (*simulator, wake, self._open_at_ms)

    def _step(self) -> None:
        self.timers.run()
        self.what.tick()
        if self._wake_ns is not None and self._wake_ns <= self.now_ms * MS:
            self._take(self.protocol.tick(self.now_ms * MS))
        if self._open_at_ms is not None and self._open_at_ms <= self.now_ms:
            self._open()
        self._settle()

    def _settle(self) -> None:
        while self._orders or (self._end.sent and not self.what.blocked):
            self._obey()
            if not self.what.blocked:
                self.what.take()


def at_rate(data: bytes, ratio: float, rng: random.Random) -> bytes:
    """What a receiver makes of 8N1 bytes that come `ratio` times as fast as it samples them: 2.0
    where it is set to half the rate. Bytes whose stop bit is no 1 come too, as a port without error
    marking hands them on.
    """
    bits: list[int] = []
    for byte in data:
        bits += [0, *((byte >> bit) & 1 for bit in range(8)), 1]
    bits += [1] * 12
    out = bytearray()
    at = rng.random() * 0.2
    while at < len(bits) - 11:
        if bits[int(at)]:
            at += 0.25
            continue
        middle = at + ratio / 2
        value = 0
        for bit in range(8):
            value |= bits[min(len(bits) - 1, int(middle + (bit + 1) * ratio))] << bit
        out.append(value)
        at = middle + 9 * ratio
    return bytes(out)
