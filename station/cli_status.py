"""Asking a running table over its socket: one hello, one snapshot."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec

from station import messages as m
from station import snapshot as v

_SECONDS = 3.0


class StatusError(Exception):
    """No table answers; the message says where and what to do."""


def ask(path: Path) -> v.Snapshot:
    """The snapshot a staff terminal gets. Raises StatusError."""
    hello = m.Hello(m.PROTOCOL, "staff", f"status-{os.getpid()}")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(_SECONDS)
            link.connect(str(path))
            link.sendall(msgspec.json.encode(hello) + b"\n")
            return _snapshot(link)
    except TimeoutError:
        raise StatusError(f"{path}: the table does not answer") from None
    except OSError as error:
        raise StatusError(
            f"{path}: no table is running here ({error.strerror or error}); "
            "start it with `dealer-station run`"
        ) from None


def _snapshot(link: socket.socket) -> v.Snapshot:
    decoder = msgspec.json.Decoder(m.AnyStationMessage)
    with link.makefile("rb") as lines:
        for line in lines:
            try:
                message = decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise StatusError(f"what answers here is no table: {error}") from error
            if isinstance(message, v.Snapshot):
                return message
            if isinstance(message, m.Rejected):
                raise StatusError(message.text.en)
    raise StatusError("the table ended the link without a word")


def describe(snapshot: v.Snapshot) -> Iterator[str]:
    """A few lines for people."""
    slot = snapshot.prompt.slot
    where = ""
    if slot is not None:
        where = " → dealer" if slot.to == "dealer" else f" → seat {slot.seat}"
    yield f"table    {snapshot.table.id} ({snapshot.table.kind}), fact {snapshot.version}"
    yield f"rules    {snapshot.rules.fingerprint}"
    yield f"phase    {snapshot.phase}, round {snapshot.round}"
    yield f"prompt   {snapshot.prompt.text.en}{where}"
    yield f"shoe     {snapshot.shoe.id or '-'}: {snapshot.shoe.text.en}"
    yield f"host     {snapshot.host.text.en}"
    dealer = snapshot.staff.dealer
    yield f"dealer   {dealer.name if dealer else '-'}"
    for device in snapshot.devices:
        yield f"device   {device.name} ({device.kind}): {device.text.en}"
        if device.technician is not None and device.health != "up":
            yield f"         {device.technician.en.strip()}"
        yield f"         abilities: {', '.join(device.can) or 'none, it can be told nothing'}"
        yield from (f"         {advice.en}" for advice in device.advice)
    for hold in snapshot.holds:
        yield f"HOLD     {hold.what.en} {hold.who.en}"
    if not journal_written(snapshot):
        yield f"JOURNAL  {snapshot.journal.en}"
    for lock in snapshot.locks:
        number = f" {lock.lock}" if lock.lock else ""
        often = f" ({lock.times} times)" if lock.times > 1 else ""
        yield f"LOCK{number:5}{lock.what.en}{often}"
        yield f"         {lock.do.en} {lock.who.en}"
        more = [str(lock.params[name]) for name in ("why", "first", "file") if name in lock.params]
        if more:
            yield f"         {', '.join(more)}"
    if snapshot.tried:
        yield f"         a round was asked for and refused {snapshot.tried} times"


def journal_written(snapshot: v.Snapshot) -> bool:
    """Whether facts can be stored just now."""
    return snapshot.prompt.code != "journal_unavailable"


def is_locked(snapshot: v.Snapshot) -> bool:
    """Whether no round can start."""
    return bool(snapshot.locks) or not journal_written(snapshot)
