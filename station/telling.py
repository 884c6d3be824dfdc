"""What is told to whom: facts to hosts, snapshots to everybody, each a line of JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection

import msgspec

from station import messages as m
from station import messages_shoe as ms
from station.audit.reading import Row
from station.game import facts as g
from station.inbox import Session
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.table.state import Table

# Commands that a second person's PIN goes with.
WITNESSED = m.EnterCard | m.CorrectCard | m.LoadShoe | ms.BeginShoeCheck | ms.EnterCheckersReceipt
_encode = msgspec.json.Encoder().encode
_TOLD = (g.GameFact, f.TableHeld, f.HoldReleased)
_UNTOLD = (g.ShoeLoaded, g.ShoeReleased, g.CardBurnedFirst, g.ShoeReconciled)


def told(fact: f.AnyFact) -> bool:
    """Whether hosts are told of it."""
    return isinstance(fact, _TOLD) and not isinstance(fact, _UNTOLD)


def nobody_told(_fact: f.AnyFact) -> bool:
    """At a table with players in the chairs the station is the host: nobody waits for facts."""
    return False


def digest_of(command: m.AnyCommand) -> str:
    """SHA-256 of a command's content. A PIN is left out: a digest of four digits hides nothing."""
    if isinstance(command, m.LogIn | WITNESSED):
        command = msgspec.structs.replace(command, pin="****")
    return hashlib.sha256(msgspec.json.encode(command, order="deterministic")).hexdigest()


def encoded(message: object) -> bytes:
    """A message as its line."""
    return _encode(message) + b"\n"


def host_line(row: Row) -> bytes:
    """A stored fact as a host is told of it."""
    return encoded(m.HostFact(row.seq, row.kind, row.utc, msgspec.to_builtins(row.fact)))


def tell_hosts(sessions: Collection[Session], decision: Decision, stamped: str) -> None:
    """The facts of a decision that was just stored, `stamped` its time."""
    hosts = [session for session in sessions if session.actor.role == "host"]
    if not hosts:
        return
    first = decision.after.version - len(decision.facts) + 1
    for seq, fact in enumerate(decision.facts, start=first):
        if told(fact):
            body = msgspec.to_builtins(fact)
            line = encoded(m.HostFact(seq, type(fact).__name__, stamped, body))
            for host in hosts:
                host.send(line)


def broadcast(
    sessions: Collection[Session], table: Table, snapshot: Callable[[i.Actor], bytes]
) -> None:
    """The snapshot to everybody, made once for all who may see the same."""
    made: dict[tuple[object, ...], bytes] = {}
    for session in sorted(sessions, key=lambda s: s.actor.role):
        actor = session.actor
        signed = tuple(s.person for s in table.signed if s.stands_at(actor.link))
        key = (actor.role, signed)
        if key not in made:
            made[key] = snapshot(actor)
        session.send(made[key])
