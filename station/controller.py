"""The inbox and the one thread that drains it: decide, commit, then show.

Nothing is shown, sent or answered before its facts are on disk. Everything that happens comes
through `post`; the order in which the inbox gives it is the order of the world.
"""

from __future__ import annotations

import queue
import sqlite3
from collections import deque
from collections.abc import Callable

from station import messages as m
from station.clock import Clock
from station.game import facts as g
from station.game.refusal import Refusal, refuse
from station.inbox import Acked, BadgeResult, Gone, Item, Joined, PinResult, Request, Session, Stop
from station.journal import Journal, Left, Row, Stamp, failure_of
from station.logs import Logger
from station.shoe_check import CheckRoom
from station.since import Since
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision, decide, joined
from station.table.readings import AnyReading
from station.table.rights import why_not_by
from station.table.state import Table, due
from station.table.why_not import why_not
from station.telling import (
    WITNESSED,
    broadcast,
    digest_of,
    encoded,
    host_line,
    nobody_told,
    tell_hosts,
    told,
)
from station.translate import to_core
from station.view import Viewer
from station.wording.say import refusal_view

INBOX = 4096
# Readings stored in one transaction at most.
BATCH = 64
RETRY_SECONDS = 0.5

_log = Logger("controller")


class Controller:
    """Owns the table's state. `run` is the thread's body; tests may call `handle` themselves."""

    def __init__(
        self,
        journal: Journal,
        table: Table,
        viewer: Viewer,
        clock: Clock,
        *,
        boot: str,
        scale: float = 1.0,
        check_pin: Callable[[Request], None] | None = None,
        fill: Callable[[Table, m.AnyCommand], m.AnyCommand] | None = None,
        effects: Callable[[tuple[f.AnyFact, ...]], None] = lambda _facts: None,
        failpoint: Callable[[str], None] = lambda _point: None,
        committed: Callable[[int, int], None] = lambda _seq, _ns: None,
        room: CheckRoom | None = None,
    ) -> None:
        self.table = table
        # Wakes the controller in a third of the time of a Queue; the bound is kept by hand.
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.overflowed: set[str] = set()
        self.journal_ok = True
        self._journal = journal
        self._viewer = viewer
        self._clock = clock
        self._boot = boot
        self._scale = scale
        self._check_pin = check_pin
        self._fill = fill
        self._effects = effects
        self._failpoint = failpoint
        self._committed = committed
        self._room = room or CheckRoom()
        self._sessions: dict[str, Session] = {}
        self._deadlines: dict[str, int] = {}
        self._since = Since(journal.db)
        self._taken = 0
        self._stamped = ""
        self._stopping = False
        # Why the journal could not be written, until a fact says that it was so.
        self._failure = ""
        self._deferred: deque[Item] = deque()

    # --- the inbox --------------------------------------------------------------------------

    def post(self, item: Item) -> None:
        """Put something into the inbox. A session has one command in it, so this is bounded."""
        self.inbox.put(item)

    def post_reading(self, device: str, item: i.AnyInput) -> None:
        """From a device's thread: never waits. An overflow becomes a fault of the device."""
        if self.inbox.qsize() >= INBOX:
            self.overflowed.add(device)
        else:
            self.inbox.put(item)

    def run(self) -> None:
        """Drain the inbox until `Stop`."""
        while not self._stopping:
            item = self._next()
            if item is not None:
                self.handle(item)
            elif not self.journal_ok:
                self._look_again()
            now = self._clock.now_ns()
            if any(deadline <= now for deadline in self._deadlines.values()):
                self._take_up()
            self.fire_due()

    def _take_up(self) -> None:
        """What came before a window's end was seen is in time, however long the disk took (A13)."""
        for _ in range(len(self._deferred) + self.inbox.qsize()):
            item = self._next()
            if item is None or self._stopping:
                return
            self.handle(item)

    def _look_again(self) -> None:
        """A refused command is not tried again: without this nothing would end the failure."""
        try:
            self._journal.probe()
        except sqlite3.Error:
            return
        self.journal_ok = True
        self._given()
        self._broadcast()

    def _decided(self, given: tuple[i.AnyInput, ...]) -> list[Decision]:
        """Each decided on what the one before it led to. The first thing that is stored after the
        journal had failed is that it did: no round opens until a person has seen to it.
        """
        failed = i.ConditionSeen("journal_failed", stands=True, params={"why": self._failure})
        decisions: list[Decision] = []
        table = self.table
        for one in (failed, *given) if self._failure else given:
            decisions.append(decide(table, one))
            table = decisions[-1].after
        return decisions

    def _next(self) -> Item | None:
        """The next item, or None when a window has ended first."""
        if self._deferred:
            return self._deferred.popleft()
        try:
            return self.inbox.get(timeout=self._wait())
        except queue.Empty:
            return None

    def _wait(self) -> float | None:
        """Seconds until the next window ends, or until the failing journal is tried again."""
        waits = [] if self.journal_ok else [RETRY_SECONDS]
        if self._deadlines:
            waits.append((min(self._deadlines.values()) - self._clock.now_ns()) / 1e9)
        return max(0.0, min(waits)) if waits else None

    def handle(self, item: Item) -> None:
        """One item, from decision to snapshot."""
        match item:
            case Stop():
                self._stopping = True
            case Request():
                self._request(item)
            case PinResult():
                # Whoever hung up meanwhile is signed in nowhere; the id is free to be sent again.
                if item.request.session.id in self._sessions:
                    proved = to_core(item.request.command, item.person, item.refusal)
                    self._commanded(item.request, proved)
                item.done()
            case BadgeResult():
                self._given(item.shown)
                item.done()
            case Joined():
                self._joined(item)
            case Gone():
                self._gone(item)
            case Acked():
                # Facts to come are not acknowledged yet, whatever the host says.
                self._taken = max(self._taken, min(item.seq, self._journal.seq))
                item.done()
            case _ if isinstance(item, AnyReading):
                self._read(item)
            case _:
                self._given(item)
        if self.overflowed:
            self._given(i.DeviceFault(self.overflowed.pop(), "inbox_full", ""))

    def fire_due(self) -> None:
        """The windows that have ended, in the order of their ends."""
        now = self._clock.now_ns()
        for name, deadline in sorted(self._deadlines.items(), key=lambda pair: pair[1]):
            if deadline <= now and self._deadlines.pop(name, None) is not None:
                self._given(i.TimerFired(name))

    # --- what comes in ----------------------------------------------------------------------

    def _given(self, *given: i.AnyInput) -> None:
        """Readings, a timer or a link have happened: it is tried until they are stored, together.

        Each is decided on what the one before it led to, and shown by itself, once all are on disk.
        """
        while True:
            decisions = self._decided(given)
            if not any(one.facts for one in decisions[-len(given) :]):
                return
            if self._commit(joined(decisions)):
                break
            if self._stopping or not self._pause():
                return
        for decision in decisions:
            if decision.facts:
                self._effects(decision.facts)
                self._tell_hosts(decision)
        self._broadcast()
        self._failpoint("after_effects")

    def _read(self, first: AnyReading) -> None:
        """A reading, and those that wait behind it: at full speed of many lines one transaction
        each would fall behind.
        """
        given: list[i.AnyInput] = [first]
        while len(given) < BATCH and not self._deferred:
            try:
                item = self.inbox.get_nowait()
            except queue.Empty:
                break
            if not isinstance(item, AnyReading):
                self._deferred.append(item)
                break
            given.append(item)
        # Of a set that is being checked nothing is kept: neither bytes nor order.
        self._given(*self._room.left(self.table, given))
        if self._room.news():
            self._broadcast()

    def _pause(self) -> bool:
        """Wait before the next try; False when the station is told to stop meanwhile.

        What arrives meanwhile is taken up afterwards in its order; only commands are answered.
        """
        # One that came behind a batch of readings waits here, not in the inbox.
        for _ in range(len(self._deferred)):
            if not self._meanwhile(self._deferred.popleft()):
                return False
        until = self._clock.now_ns() + int(RETRY_SECONDS * 1e9)
        while (left := until - self._clock.now_ns()) > 0:
            try:
                item = self.inbox.get(timeout=left / 1e9)
            except queue.Empty:
                return True
            if not self._meanwhile(item):
                return False
        return True

    def _meanwhile(self, item: Item) -> bool:
        """What came while nothing can be stored; False when it is the order to stop."""
        match item:
            case Stop():
                self._stopping = True
                return False
            case Request():
                self._unavailable(item)
            case PinResult():
                self._unavailable(item.request)
                item.done()
            case Joined() if item.session.actor.role != "host":
                # Nothing to store: whoever starts a console now has to see what is wrong.
                self._joined(item)
            case _:
                self._deferred.append(item)
        return True

    def _request(self, request: Request) -> None:
        if self._repeated(request):
            return
        command = request.command
        if isinstance(command, m.LogIn) and self._check_pin is not None:
            refusal = why_not_by(self.table, request.session.actor, i.LogIn(command.staff, None))
            if refusal is None:
                self._check_pin(request)
                return
        if isinstance(command, WITNESSED) and command.pin and self._check_pin is not None:
            refusal = why_not(self.table, request.session.actor, to_core(command))
            # Whatever speaks against it but the PIN, nobody need look at that.
            if refusal is not None and refusal.code == "wrong_pin":
                self._check_pin(request)
                return
        if self._fill is not None:
            command = self._fill(self.table, command)
        self._commanded(request, to_core(command))

    def _commanded(self, request: Request, command: i.AnyCommand) -> None:
        name = request.command.__struct_config__.tag
        commanded = i.Commanded(
            self._key(request),
            digest_of(request.command),
            str(name),
            request.session.actor,
            self._room.completed(self.table, command),
        )
        decision = joined(self._decided((commanded,)))
        if not self._commit(decision):
            self._unavailable(request)
            return
        self._effects(decision.facts)
        self._tell_hosts(decision)
        self._answer(request, self.table.version, decision.refusal)
        self._broadcast()
        self._failpoint("after_effects")

    @staticmethod
    def _key(request: Request) -> str:
        return f"{request.session.actor.link}/{request.id}"

    def _repeated(self, request: Request) -> bool:
        """The same id: the same answer, and nothing happens; other content is refused."""
        try:
            known = self._journal.answer_of(self._key(request))
        except sqlite3.Error as error:
            _log.error("journal", error=str(error))
            self._unavailable(request)
            return True
        if known is None:
            return False
        fact, seq = known
        refusal = fact.refusal if fact.digest == digest_of(request.command) else refuse("id_reused")
        self._answer(request, seq, refusal, repeated=True)
        return True

    def _unavailable(self, request: Request) -> None:
        self._answer(request, self.table.version, refuse("journal_unavailable"))

    def _answer(
        self, request: Request, version: int, refusal: Refusal | None, *, repeated: bool = False
    ) -> None:
        view = refusal_view(refusal, self._viewer.minor_digits) if refusal else None
        answer = m.Answer(request.id, refusal is None, version, view, repeated)
        request.session.answered(encoded(answer))

    def _joined(self, joined: Joined) -> None:
        session, actor = joined.session, joined.session.actor
        self._sessions[session.id] = session
        welcome = m.Welcome(m.PROTOCOL, self.table.id, self.table.kind, session.id)
        session.send(encoded(welcome))
        if actor.role == "host":
            for row in self._owed(session.after):
                session.send(host_line(row))
        version = self.table.version
        self._given(i.LinkUp(actor.link, actor.role, joined.name))
        if self.table.version == version:
            session.send(self._snapshot(actor))

    def _owed(self, after: int | None) -> list[Row]:
        """What the host has not got; tried until it can be read."""
        while True:
            try:
                return self._journal.outbox_after(after)
            except sqlite3.Error as error:
                _log.error("journal", error=str(error))
                if self._stopping or not self._pause():
                    return []

    def _gone(self, gone: Gone) -> None:
        self._sessions.pop(gone.session.id, None)
        actor = gone.session.actor
        self._given(i.LinkDown(actor.link, actor.role, gone.name, gone.why))

    # --- what goes out ----------------------------------------------------------------------

    def _commit(self, decision: Decision) -> bool:
        """On disk, or nothing happened. False when the journal cannot be written."""
        if not decision.facts:
            return True
        stamp = Stamp(self._clock.utc(), self._clock.now_ns(), self._boot)
        try:
            # At a table with players in the chairs the station is the host: nobody waits for facts.
            outward = nobody_told if decision.after.keys else told
            self._journal.append(decision.facts, stamp, outward, self._taken, decision.after)
        except (sqlite3.Error, OSError) as error:
            _log.error("journal", error=str(error))
            self._failure = failure_of(error) or self._failure
            if self.journal_ok:
                self.journal_ok = False
                self._broadcast()
            return False
        self._committed(self._journal.seq, self._clock.now_ns())
        self.journal_ok, self._failure = True, ""
        self._taken = 0
        self._stamped = stamp.utc
        self.table = decision.after
        self._room.committed(decision.facts)
        for fact in decision.facts:
            self._since.note(fact, stamp.utc)
            if isinstance(fact, g.ShoeLoaded):
                self._checkpoint()
        self._reconcile()
        return True

    def _checkpoint(self) -> None:
        """It only makes the next start shorter: a table plays on without one."""
        try:
            self._journal.checkpoint(self.table)
        except sqlite3.Error as error:
            _log.warning("no_checkpoint", error=str(error))

    def _reconcile(self) -> None:
        """Clocks run for exactly the windows the state says."""
        timers = due(self.table)
        names = {timer.name for timer in timers}
        for name in [name for name in self._deadlines if name not in names]:
            del self._deadlines[name]
        for timer in timers:
            if timer.name not in self._deadlines:
                # A card falls and a reader reads no faster at a table whose clock is.
                scale = 1.0 if timer.kind == "unread" else self._scale
                length = int(timer.seconds * 1e9 / scale)
                self._deadlines[timer.name] = self._clock.now_ns() + length

    def first_reads(self) -> dict[int, Left]:
        """The earlier of two reads, by hold. For other threads, too."""
        return dict(self._since.first)

    def shoe_released(self) -> str:
        """When the shoe was, as its fact is stamped; "" for not known. For other threads, too."""
        return self._since.released

    def resume(self) -> None:
        """At start: the clocks of the folded state, and since when its holds are there."""
        self._since.resume(self.table)
        self._reconcile()

    def _tell_hosts(self, decision: Decision) -> None:
        tell_hosts(self._sessions.values(), decision, self._stamped)

    def _broadcast(self) -> None:
        broadcast(self._sessions.values(), self.table, self._snapshot)

    def _snapshot(self, actor: i.Actor) -> bytes:
        now = self._clock.now_ns()
        left = {
            name: max(0, (deadline - now) // 1_000_000)
            for name, deadline in self._deadlines.items()
        }
        view = self._viewer.snapshot(
            self.table,
            actor,
            self._clock.utc(),
            left,
            self._since.holds,
            self._since.first,
            self.journal_ok,
            self._since.locks,
        )
        return encoded(view)
