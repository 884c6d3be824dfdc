"""The composition root: the only place where everything meets."""

from __future__ import annotations

import contextlib
import gc
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from drivers.catalog import kind_name, make_device
from drivers.device import Device
from drivers.observations import AnyObservation, Badge, CardOut, Identified
from drivers.protocols.base import Beep, Wanted
from drivers.specs import DeviceSpec
from station import failpoint, hardware
from station.clock import SystemClock
from station.config import Config, ConfigError
from station.controller import Controller
from station.desk import LOOK_SECONDS as PEOPLE_SECONDS
from station.desk import Desk
from station.device_specs import device_specs
from station.duty import Duty
from station.evidence import SWEEP_SECONDS
from station.evidence_care import Care, placed
from station.game import facts as g
from station.hosts.chairs import Chairs
from station.inbox import Stop
from station.intake import remark, to_input
from station.journal import Journal, Stamp, boot_id, unusable
from station.links.local import LocalServer
from station.logs import Logger, end, warm
from station.readers import Readers, TrendLine, append, trend_file
from station.shoe_check import CheckRoom
from station.snapshot import Text
from station.staff import Staff
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import decide
from station.table.missed import UNREAD
from station.table.state import Table, wishes
from station.telling import told
from station.view import About, Viewer
from station.watching.set_up import set_since, watch_of
from station.wording.devices import UNCHECKED, UNKEPT
from station.wording.say import say

SWITCH_SECONDS = 0.001
LOOK_SECONDS = 2.0

_log = Logger("daemon")
_GOOD = (g.CardDealt, g.CardBurnedFirst, g.CutCardOut)
_BAD = (g.CardExposed, f.ReadSetAside, f.ReadDoubted, f.ReadFailed, f.TableHeld)


class DeviceTaken(Exception):
    """A reader's port belongs to another program."""


class Daemon:
    """A running table. Build it, `start` it, `stop` it."""

    def __init__(
        self,
        config: Config,
        trace: Path | None = None,
        tell: Callable[[str], None] | None = None,
        source: Path | None = None,
    ) -> None:
        """`trace`: a file for the time of each commit, for measuring. `tell`: shows the terminal
        that started it a one-time secret; None where there is none. `source`: the table's file, to
        see whether its rules change.

        Raises ConfigError, JournalError, StaffError, LinkError or ValueError: one line each."""
        self.config = config
        specs = device_specs(config)
        reached = failpoint.from_environment() if config.table.kind == "test" else _never
        self._clock = SystemClock()
        self._trace = trace
        self._commits: list[tuple[int, int]] = []
        self.journal = Journal(Path(config.journal.path), reached)
        with contextlib.ExitStack() as undo:
            undo.callback(self.journal.close)
            folded, last = self.journal.load(), self.journal.stamped()
            moved_s = set_since(last, self._clock.utc())
            table = self._begin(folded, specs)
            staff = Staff.load(Path(config.staff.file), config.table.kind, tell)
            unchecked = any(not spec.checked or spec.apart == "time" for spec in specs)
            banners: tuple[Text, ...] = (say(UNCHECKED),) if unchecked else ()
            self._worker = ThreadPoolExecutor(1, "pin")
            store, specs, self._unkept = placed(self.journal.path, config.evidence, specs)
            room = CheckRoom(self._beep_at, self._identity, lambda names: self._care.forget(names))
            self.controller = Controller(
                self.journal,
                table,
                Viewer(
                    config.table,
                    config.clock.scale,
                    config.chairs.nominal,
                    banners,
                    self._about,
                    str(store.folder) if store else "",
                    lambda: room.counted,
                ),
                self._clock,
                boot=boot_id(),
                scale=config.clock.scale,
                check_pin=lambda request: self.desk.check_pin(request),
                fill=Chairs(config.chairs.nominal).fill if config.table.host == "chairs" else None,
                effects=self._effects,
                failpoint=reached,
                committed=self._note if trace else _untraced,
                room=room,
            )
            self.desk = Desk(
                staff,
                Duty(staff.path, config.table.id),
                self.controller.post,
                self._worker.submit,
                lambda: self.controller.table,
            )
            undo.callback(self.desk.close)
            self._watch = watch_of(config, source, self.controller, moved_s)
            self._care = Care(store, self.controller, self._clock, self._worker.submit)
            self.controller.resume()
            self._server = LocalServer(
                Path(config.link.socket), self.controller.post, self._link_failed
            )
            self._looked: dict[str, threading.Event] = {}
            self._wished: Wanted | None = None
            self._newcomers = hardware.Newcomers(specs)
            self._specs = {spec.name: spec for spec in specs}
            self._identified: dict[str, str] = {}
            self._kinds = {spec.name: kind_name(spec) for spec in specs}
            self._readers = Readers(self._kinds)
            self._trend = trend_file(Path(config.journal.path))
            self._devices: tuple[Device, ...] = ()
            self._devices = tuple(self._device(spec) for spec in specs)
            undo.pop_all()
        self._thread = threading.Thread(target=self._run, name="controller", daemon=True)
        self.failed: BaseException | None = None
        self.ended = threading.Event()

    def _begin(self, table: Table, specs: tuple[DeviceSpec, ...]) -> Table:
        """The first facts of this start; refuses a journal that is not this table's."""
        mine, path = self.config.table, self.config.journal.path
        if table.id and (table.id, table.kind) != (mine.id, mine.kind):
            raise ConfigError(
                f"{path}: the journal of {table.kind} table {table.id}, and the file is for "
                f"{mine.kind} table {mine.id}; they are never mixed"
            )
        round_ = table.game.round
        open_betting = round_ is not None and not round_.ended and not round_.cards_out
        if open_betting and table.rules != self.config.rules:
            raise ConfigError(
                f"{path}: round {round_.number if round_ else 0} is open under other rules; "
                "start with the old [rules], finish the round, then change them"
            )
        names = tuple(spec.name for spec in specs)
        start = i.StationStart(
            mine.id,
            mine.kind,
            version("dealer-station"),
            names,
            self.config.rules,
            mine.host,
            tuple(spec.name for spec in specs if not spec.reads),
            timed=any(spec.watches or spec.apart == "time" for spec in specs if spec.reads),
            numbers=tuple(spec.name for spec in specs if spec.apart == "number"),
            shoe=self.config.shoe.rules(mine.kind),
        )
        decision = decide(table, start)
        stamp = Stamp(self._clock.utc(), self._clock.now_ns(), boot_id())
        try:
            self.journal.append(decision.facts, stamp, told, after=decision.after)
        except sqlite3.Error as error:
            raise unusable(self.journal.path, error) from error
        return decision.after

    def _device(self, spec: DeviceSpec) -> Device:
        first = self._looked[spec.name] = threading.Event()

        def sink(seen: AnyObservation) -> None:
            if isinstance(seen, Identified):
                self._identified[spec.name] = seen.identity
            if isinstance(seen, Badge):
                self.desk.badge(spec.name, seen.text)
            unwatched = isinstance(seen, CardOut) and not spec.watches
            given = None if unwatched else to_input(seen)
            if given is None:
                said = remark(seen)
                if self.controller.table.shoes.quiet:
                    # It may name a card of a set that is being checked or shuffled.
                    said.pop("detail", "")
                _log.info("device_said", device=spec.name, **said)
            else:
                self.controller.post_reading(spec.name, given)
            first.set()

        return make_device(spec, sink, log=_device_log)

    def _effects(self, facts: tuple[f.AnyFact, ...]) -> None:
        """After a commit: the beep for what was read, then lamps, brake and readers as wished."""
        self._beep(facts)
        self._wish()
        self._readers.take(facts)
        self.desk.committed(facts)
        self._care.committed(facts)
        shoe_out = any(isinstance(fact, g.ShoeOut) for fact in facts)
        if shoe_out or self._readers.hour_over(self._clock.now_ns()):
            # On the worker: the table does not wait for it.
            lines = self._trend_lines("shoe_out" if shoe_out else "hour")
            self._worker.submit(self._write_trend, lines)

    def _beep_at(self, name: str, sound: Literal["good", "bad"]) -> None:
        """What a reader hears of a card that is counted in a check."""
        for device in self._devices:
            if device.name == name:
                device.send(Beep(sound))

    def _identity(self, name: str) -> str:
        """What a reader is, for a shoe's receipt: kind, port, pinned hardware, and what it says of
        itself.
        """
        spec = self._specs.get(name)
        said = self._identified.get(name, "")
        told = (kind_name(spec), spec.port, spec.usb, said) if spec is not None else ()
        return " · ".join(filter(None, told))

    def _about(self, name: str) -> About:
        """For the snapshot: what is known of a device beside the table."""
        can = next((tuple(d.capabilities) for d in self._devices if d.name == name), ())
        advice = self._readers.advice(name)
        if name in self._unkept:
            advice = (*advice, say(UNKEPT))
        return About(self._kinds[name], tuple(sorted(can)), advice)

    def _trend_lines(self, why: str) -> list[TrendLine]:
        utc = self._clock.utc()
        return [self._readers.line(d.name, d.meter, utc, why) for d in self._devices]

    def _write_trend(self, lines: list[TrendLine]) -> None:
        try:
            append(self._trend, lines)
        except OSError as error:
            _log.error("reader_trend", file=str(self._trend), error=str(error))

    def _wish(self) -> None:
        wish = wishes(self.controller.table)
        wanted = Wanted(wish.light, wish.seat_lamp, wish.shoe_locked, wish.reading, wish.keeping)
        if wanted != self._wished:
            self._wished = wanted
            for device in self._devices:
                device.want(wanted)

    def _beep(self, facts: tuple[f.AnyFact, ...]) -> None:
        """Good only after the card is accepted and on disk; bad for anything else it read."""
        seen = next((fact for fact in facts if isinstance(fact, f.Observed)), None)
        if seen is None:
            return
        good = any(isinstance(fact, _GOOD) for fact in facts)
        bad = any(isinstance(fact, _BAD) for fact in facts)
        # The sensor has no sound, and which reader missed the card is not known: they all say so.
        unread = any(isinstance(fact, f.ReadFailed) and fact.reason == UNREAD for fact in facts)
        if good or bad:
            for device in self._devices:
                if device.name == seen.device or unread:
                    device.send(Beep("good" if good and not bad else "bad"))

    def _link_failed(self, error: BaseException) -> None:
        self.failed = error
        self.ended.set()

    def _run(self) -> None:
        try:
            self.controller.run()
        except BaseException as error:  # noqa: BLE001 - the table stops, and says why
            self.failed = error
            _log.critical("controller", exc_info=error)
        finally:
            self.ended.set()

    def start(self) -> None:
        """Threads up, devices on, the socket open.

        Raises DeviceTaken when another program has a port: two readers of one port each get some
        of the bytes, so neither table may run.
        """
        self._wish()
        self._thread.start()
        self._care.tend()
        self.desk.began()
        for device in self._devices:
            device.start()
        until = time.monotonic() + LOOK_SECONDS
        for device in self._devices:
            self._looked[device.name].wait(max(0.0, until - time.monotonic()))
            if device.health == "busy":
                self.stop()
                raise DeviceTaken(
                    f"device {device.name!r}: another program has its port; "
                    "stop that program (a second station?) and start again"
                )
        self._server.start()
        self._watch.start()
        # What start-up made lives as long as the table: keep it out of every collection.
        gc.collect()
        gc.freeze()

    def stop(self) -> None:
        """Devices off, links ended, the inbox drained to here, the journal closed."""
        self._watch.stop()
        for device in self._devices:
            device.stop()
        self._server.stop()
        if self._thread.is_alive():
            self.controller.post(Stop())
            self._thread.join(5)
        self._worker.shutdown(wait=True, cancel_futures=True)
        self.desk.close()
        self._write_trend(self._trend_lines("stopped"))
        self._care.close()
        self.journal.close()
        if self._trace is not None:
            lines = (f'{{"version":{seq},"committed_ns":{at}}}\n' for seq, at in self._commits)
            self._trace.write_text("".join(lines))

    def look_after(self) -> None:
        """Have the folder of pictures looked after."""
        self._care.tend()

    def look_at_watch(self) -> None:
        """See whether the watch still looks."""
        self.controller.post(self._watch.silent())

    def look_around(self) -> None:
        """Write what is plugged in and not of this table to the log; it is never opened."""
        try:
            for one in self._newcomers.look():
                _log.warning("unknown_device", node=one.node, hardware=one.says, by_id=one.by_id)
        except Exception as error:  # noqa: BLE001 - a table does not end for what the kernel says
            _log.error("look_around", error=repr(error))

    def _note(self, seq: int, at_ns: int) -> None:
        """Kept in memory until the end: measuring must not write to the journal's disk."""
        self._commits.append((seq, at_ns))


def _device_log(event: str, **fields: object) -> None:
    """What a device's thread says: a device that is well is news, any other is a warning."""
    well = fields.get("health") in ("up", "waiting")
    (_log.info if well else _log.warning)(event, **fields)


def _untraced(_seq: int, _ns: int) -> None:
    """Nobody measures."""


def _never(_place: str) -> None:
    """A live table has no failpoints."""


def run(
    config: Config,
    ready: Callable[[Daemon, float], None],
    began: float,
    trace: Path | None = None,
    tell: Callable[[str], None] | None = None,
    source: Path | None = None,
) -> int:
    """Run a table until SIGTERM or SIGINT. Returns the exit code."""
    sys.setswitchinterval(SWITCH_SECONDS)
    asked = threading.Event()
    daemon = Daemon(config, trace, tell, source)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: asked.set())
    daemon.start()
    ready(daemon, time.monotonic() - began)
    warm()
    looked = tended = people = time.monotonic()
    while not asked.is_set() and not daemon.ended.is_set():
        asked.wait(0.5)
        if time.monotonic() - looked >= hardware.LOOK_SECONDS:
            looked = time.monotonic()
            daemon.look_around()
        if time.monotonic() - people >= PEOPLE_SECONDS:
            people = time.monotonic()
            daemon.desk.look()
            daemon.look_at_watch()
        if time.monotonic() - tended >= SWEEP_SECONDS:
            tended = time.monotonic()
            daemon.look_after()
    daemon.stop()
    end()
    return 1 if daemon.failed is not None else 0
