"""An exported round held against itself, its seals and the rules, on any machine.

The file is another's word: nothing of it is believed before it is checked, and nothing of it is
written anywhere. The first thing that is not as it should be is named.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

from station.journal import JournalError, Row, state_digest, state_format
from station.records import parcel as p
from station.records.archive import ArchiveRefused, read, unpacked
from station.records.export import ENDS
from station.records.replay import IMPOSSIBLE, Replay, Wrong
from station.records.sealing import Seals, descends, fault_of, keys_fault
from station.records.source import names, whole
from station.table.state import Table
from station.upcast import FACT_VERSION

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

T = TypeVar("T")
GENESIS = "0" * 64


class Checked(Struct, frozen=True):
    """What was found of a file. `fault`: the first thing that is not as it should be, "" for none.
    `unproven`: what could not be checked, and why. `facts`, `cards`, `lines`: how many were
    checked, played again, and recomputed. `key`: the seal's, `trusted`: it is the one given.
    """

    manifest: p.Manifest | None
    fault: str = ""
    unproven: tuple[str, ...] = ()
    facts: int = 0
    cards: int = 0
    lines: int = 0
    pictures: int = 0
    sealed: bool = False
    key: str = ""
    trusted: bool = False


def check(file: Path, key: Ed25519PublicKey | None = None) -> Checked:
    """Check what `round export` wrote. Raises ArchiveRefused where there is no file to check."""
    data = read(file)
    checking = _Checking(key)
    try:
        checking.all(data)
    except (ArchiveRefused, Wrong) as error:
        return checking.found(str(error))
    except JournalError as error:
        return checking.found(f"a fact cannot be read: {error}")
    return checking.found("")


class _Checking:
    """One check; what it has found so far."""

    def __init__(self, key: Ed25519PublicKey | None) -> None:
        self._trusted = key
        self.manifest: p.Manifest | None = None
        self.unproven: list[str] = []
        self.facts = self.cards = self.lines = self.pictures = 0
        self.key = ""
        self.sealed = self.proven = False

    def found(self, fault: str) -> Checked:
        return Checked(
            self.manifest,
            fault,
            tuple(self.unproven),
            self.facts,
            self.cards,
            self.lines,
            self.pictures,
            self.sealed,
            self.key,
            self.proven,
        )

    def all(self, data: bytes) -> None:
        """Every check in order. Raises Wrong, ArchiveRefused, JournalError."""
        parts = unpacked(data, p.proper)
        manifest = self._manifest(parts)
        before = self._before(parts[p.BEFORE], manifest)
        rows = _rows(p.FACTS, parts[p.FACTS])
        self._chain(rows, manifest)
        seals = _decoded(p.SEALS, parts[p.SEALS], Seals)
        _same_bytes(p.SEALS, parts[p.SEALS], p.document(seals))
        self._seal_before(seals, manifest, parts[p.BEFORE])
        after = self._replayed(before, rows, manifest)
        self._seal_after(seals, manifest, rows, after)
        self._pictures(parts, rows, manifest)
        later = _rows(p.LATER, parts[p.LATER])
        self._later(later, rows, before)
        self._texts(parts, before, rows, later, seals)

    # --- the file -------------------------------------------------------------------------------

    def _manifest(self, parts: dict[str, bytes]) -> p.Manifest:
        if p.MANIFEST not in parts:
            raise Wrong(f"{p.MANIFEST}: it is not there; this is no exported round")
        manifest = _decoded(p.MANIFEST, parts[p.MANIFEST], p.Manifest)
        if manifest.version != p.VERSION:
            raise Wrong(
                f"{p.MANIFEST}: an export of version {manifest.version}, this release reads "
                f"{p.VERSION}: check it with the release that wrote it ({manifest.release})"
            )
        _same_bytes(p.MANIFEST, parts[p.MANIFEST], p.document(manifest))
        self.manifest = manifest
        listed = {part.name: part for part in manifest.parts}
        for name in sorted({*listed, *p.FIXED, *parts} - {p.MANIFEST}):
            if name not in parts:
                raise Wrong(f"{name}: it is missing")
            if listed.get(name) != p.part_of(name, parts[name]):
                raise Wrong(f"{name}: it is not what {p.MANIFEST} says of it")
        return manifest

    def _before(self, data: bytes, manifest: p.Manifest) -> Table:
        table = _decoded(p.BEFORE, data, Table)
        if manifest.format != state_format():
            self.unproven.append(
                f"the table's state is of another release ({manifest.format}): check the file "
                "with that one too; facts and money are checked by this one's rules"
            )
        elif p.encode_state(table) != data:
            raise Wrong(f"{p.BEFORE}: it is not as the station writes a state")
        if (table.id, table.kind, table.version) != (
            manifest.table,
            manifest.kind,
            manifest.first - 1,
        ):
            raise Wrong(f"{p.BEFORE}: it is not the table before fact {manifest.first}")
        return table

    def _chain(self, rows: list[Row], manifest: p.Manifest) -> None:
        seq, head = manifest.first, manifest.before
        for row in rows:
            if row.seq != seq or row.prev != head or not whole(row):
                raise Wrong(f"fact {row.seq} ({row.kind}) does not fit the chain")
            seq, head = seq + 1, row.hash
        if not rows or (seq - 1, head) != (manifest.last, manifest.head):
            raise Wrong(f"{p.FACTS}: facts are missing at its end, or the last is another one")
        ended = any(row.kind in ENDS and row.round == manifest.round for row in rows)
        if ended != manifest.finished:
            raise Wrong(f"{p.MANIFEST}: it says the round was over, or was not, and that is wrong")
        if not manifest.finished:
            self.unproven.append("the round was still running when it was exported")
        self.facts = len(rows)

    # --- seals ----------------------------------------------------------------------------------

    def _seal_before(self, seals: Seals, manifest: p.Manifest, state: bytes) -> None:
        if fault := keys_fault(manifest.table, seals.keys):
            raise Wrong(f"{p.SEALS}: {fault}")
        seal = seals.before
        if seal is None:
            self.unproven.append("no seal before the round: the table before it is not signed")
            return
        if seal.seq != manifest.first - 1:
            raise Wrong(f"{p.SEALS}: the seal before the round is of fact {seal.seq}")
        if fault := fault_of(manifest.table, seal, None, manifest.before, seals.keys):
            raise Wrong(f"{p.SEALS}: {fault}")
        self._signed(seal.format, seal.state, hashlib.sha256(state).hexdigest(), "before")

    def _seal_after(
        self, seals: Seals, manifest: p.Manifest, rows: list[Row], after: Table
    ) -> None:
        seal = seals.after
        if seal is None:
            if manifest.finished:
                self.unproven.append("not sealed: nobody signed where the round ended")
            self._trust(seals, manifest)
            return
        if fault := fault_of(manifest.table, seal, rows[-1], rows[-1].hash, seals.keys):
            raise Wrong(f"{p.SEALS}: {fault}")
        self._signed(seal.format, seal.state, state_digest(after), "after")
        self.sealed = True
        self._trust(seals, manifest)

    def _signed(self, format_: str, signed: str, ours: str, when: str) -> None:
        if signed == ours:
            return
        if format_ != state_format():
            self.unproven.append(
                f"the table {when} the round was signed by another release ({format_}): check "
                "the file with that one too"
            )
            return
        raise Wrong(f"the table {when} the round is not the one that was signed")

    def _trust(self, seals: Seals, manifest: p.Manifest) -> None:
        """Whether the key that signed is one that was given, or comes from it."""
        seal = seals.after or seals.before
        if seal is None:
            if self._trusted is not None:
                raise Wrong(f"{p.SEALS}: nothing is sealed, with the key given or any other")
            return
        self.key = seal.key
        if self._trusted is None:
            self.unproven.append(
                f"the key {seal.key} is the file's own: compare it with the station's, or give "
                "that one with --key"
            )
            return
        for one in (seals.before, seals.after):
            if one is not None and not descends(manifest.table, seals.keys, self._trusted, one.key):
                raise Wrong(
                    f"{p.SEALS}: sealed with the key {one.key}, which is not the one given and "
                    "was not signed by it"
                )
        self.proven = True

    # --- the round ------------------------------------------------------------------------------

    def _replayed(self, before: Table, rows: list[Row], manifest: p.Manifest) -> Table:
        replay = Replay(before)
        for row in rows:
            _itself(row)
            if row.seq == manifest.opened and (row.kind, row.round) != (
                "RoundOpened",
                manifest.round,
            ):
                raise Wrong(f"fact {row.seq} ({row.kind}) does not open round {manifest.round}")
            replay.step(row)
        self.cards, self.lines = replay.cards, replay.settled
        if manifest.finished:
            replay.end()
        return replay.table

    def _pictures(self, parts: dict[str, bytes], rows: list[Row], manifest: p.Manifest) -> None:
        named = [(seq, one.name, one.sha256) for seq, one in p.named_pictures(rows)]
        listed = [(one.fact, one.name, one.sha256) for one in manifest.pictures]
        if named != listed:
            raise Wrong(f"{p.MANIFEST}: its pictures are not those that the facts name")
        kept = {p.PICTURES + one.name: one for one in manifest.pictures if one.state == "kept"}
        for name in sorted({*kept, *(name for name in parts if name.startswith(p.PICTURES))}):
            if name not in kept:
                raise Wrong(f"{name}: no fact names it")
            if name not in parts:
                raise Wrong(f"{name}: it is missing (fact {kept[name].fact})")
            if hashlib.sha256(parts[name]).hexdigest() != kept[name].sha256:
                raise Wrong(f"{name}: it is not the picture that was read (fact {kept[name].fact})")
            self.pictures += 1
        for one in manifest.pictures:
            if one.state != "kept":
                self.unproven.append(
                    f"picture {one.name} (fact {one.fact}) was {one.state} at the export"
                )

    def _later(self, later: list[Row], rows: list[Row], before: Table) -> None:
        """What was said of the round after it: whole by itself, and of no chain here."""
        seq, number = rows[-1].seq, self.manifest.round if self.manifest else 0
        shoe = next((row.fact.shoe for row in rows if row.kind == "RoundOpened"), "")  # type: ignore[union-attr]
        for row in later:
            _itself(row)
            if row.seq <= seq or not whole(row) or not names(row.fact, number, shoe):
                raise Wrong(f"{p.LATER}: fact {row.seq} ({row.kind}) is not about this round")
            seq = row.seq
        if later:
            self.unproven.append(
                f"{len(later)} facts from after the round are told and not proven: the chain that "
                "leads to them is not in this file"
            )

    def _texts(
        self,
        parts: dict[str, bytes],
        before: Table,
        rows: list[Row],
        later: list[Row],
        seals: Seals,
    ) -> None:
        manifest = self.manifest
        if manifest is None:
            return
        if manifest.release != p.release():
            self.unproven.append(
                f"the texts were written by release {manifest.release}: they are not compared"
            )
            return
        states = {one.name: one.state for one in manifest.pictures}
        try:
            story = p.story_of(before, rows, later, manifest.round, states)
            told = p.texts(story, manifest.digits, seals, rows[-1])
        except IMPOSSIBLE as error:
            raise Wrong(f"the facts cannot be told: {error}") from error
        for name, text in told.items():
            _same_bytes(name, parts[name], text)


def _decoded(name: str, data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Wrong(f"{name}: it is not as `round export` writes it: {error}") from error


def _same_bytes(name: str, data: bytes, ours: bytes) -> None:
    if data != ours:
        at = next(
            (n for n, (one, other) in enumerate(zip(data, ours, strict=False)) if one != other),
            min(len(data), len(ours)),
        )
        line = ours[:at].count(b"\n") + 1
        raise Wrong(f"{name}: line {line} is not what the facts say")


def _rows(name: str, data: bytes) -> list[Row]:
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise Wrong(f"{name}: its last line is cut off")
    rows = []
    for number, line in enumerate(lines, start=1):
        fact = _decoded(f"{name}, line {number}", line, p.Fact)
        if msgspec.json.encode(fact) != line:
            raise Wrong(f"{name}, line {number}: it is not as `round export` writes it")
        # The chain's hash is over lines: a line feed within a field could move one to another.
        if any("\n" in text for text in (fact.utc, fact.boot, fact.kind, fact.body, fact.prev)):
            raise Wrong(f"{name}, line {number}: a line feed stands within a field")
        rows.append(Row(*msgspec.structs.astuple(fact)))
    return rows


def _itself(row: Row) -> None:
    """A row is of the kind and the round that its body says."""
    fact = row.fact
    if row.version != FACT_VERSION:
        return  # What an earlier release wrote may have another name today.
    if (type(fact).__name__, getattr(fact, "round", 0)) != (row.kind, row.round):
        raise Wrong(f"fact {row.seq} ({row.kind}): its body is of another kind or round")
