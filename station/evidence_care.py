"""How a running table looks after its pictures: on the worker, beside the controller."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from drivers.specs import DeviceSpec
from station.clock import Clock
from station.config import EvidenceSection
from station.controller import Controller
from station.evidence import EvidenceRefused, Keep, Store, folder_of
from station.journal import JournalError
from station.logs import Logger
from station.table import facts as f
from station.table import inputs as i

_log = Logger("evidence")


class Placed(NamedTuple):
    """The folder, None where no pictures are kept; the devices, told of it; and the names of those
    whose pictures should be kept and are not.
    """

    store: Store | None
    specs: tuple[DeviceSpec, ...]
    unkept: frozenset[str] = frozenset()


def placed(journal: Path, settings: EvidenceSection, specs: tuple[DeviceSpec, ...]) -> Placed:
    """The folder of that journal's pictures, for a table with these devices.

    One that may not be used stops no table: then no pictures are kept, and that is said.
    """
    there = tuple(spec.placed(journal) for spec in specs)
    if there == specs and not folder_of(journal).exists():
        return Placed(None, specs)
    try:
        return Placed(Store(journal, settings.days, settings.megabytes), there)
    except (EvidenceRefused, JournalError, OSError) as error:
        _log.error("no_evidence", error=str(error))
        moved = (one.name for one, two in zip(specs, there, strict=True) if one != two)
        return Placed(None, specs, frozenset(moved))


class Care:
    """Sweeps the folder, and takes pictures away once a fact has said so. `work` puts something to
    the worker.
    """

    def __init__(
        self,
        store: Store | None,
        controller: Controller,
        clock: Clock,
        work: Callable[[Callable[[], None]], object],
    ) -> None:
        self._store = store
        self._controller = controller
        self._clock = clock
        self._work = work

    def tend(self) -> None:
        """Have the folder looked after. From any thread."""
        store = self._store
        if store is not None:
            self._work(lambda: self._sweep(store))

    def committed(self, facts: tuple[f.AnyFact, ...]) -> None:
        """These facts are on disk: what they say is let go, goes."""
        store = self._store
        names = tuple(
            n for fact in facts if isinstance(fact, f.EvidenceRemoved) for n in fact.names
        )
        if store is not None and names:
            self._work(lambda: self._remove(store, names))

    def forget(self, names: tuple[str, ...]) -> None:
        """Pictures that no fact is to name go at once."""
        store = self._store
        if store is not None:
            self._work(lambda: self._remove(store, names))

    def close(self) -> None:
        """After the worker has ended."""
        if self._store is not None:
            self._store.close()

    def _sweep(self, store: Store) -> None:
        written = self._controller.journal_ok
        try:
            for old in store.sweep(self._clock.utc(), self._keep(), written=written):
                if not written:
                    # No room for facts: then pictures make it, and are told of later.
                    store.remove(old.names)
                self._controller.post(i.EvidenceOld(old.names, old.why))
        except (OSError, JournalError, sqlite3.Error) as error:
            _log.error("sweep", folder=str(store.folder), error=str(error))

    def _keep(self) -> Keep:
        """What the open holds need: the table is a value, so any thread may look at it."""
        holds = {hold.hold: hold for hold in self._controller.table.holds}
        names = {one.name for hold in holds.values() for one in hold.evidence}
        for number, left in self._controller.first_reads().items():
            if number in holds:
                names |= {one.name for one in left.evidence}
        return Keep(frozenset(names), frozenset(holds))

    def _remove(self, store: Store, names: tuple[str, ...]) -> None:
        try:
            store.remove(names)
        except OSError as error:
            _log.error("remove", folder=str(store.folder), error=str(error))
