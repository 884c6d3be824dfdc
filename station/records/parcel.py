"""What an exported round holds, part by part; the same for who writes it and who checks it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib import metadata
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from station.evidence import State
from station.evidence_names import proper_name
from station.journal import Row
from station.records import words
from station.records.sealing import Seals, fault_of
from station.records.story import Story, tell
from station.records.text import show
from station.table import facts as f
from station.table.state import Table

VERSION = 1
MANIFEST = "manifest.json"
BEFORE = "table-before.json"
FACTS = "facts.jsonl"
LATER = "later.jsonl"
SEALS = "seals.json"
TEXTS: dict[Literal["ko", "en"], str] = {"ko": "round.ko.txt", "en": "round.en.txt"}
PICTURES = "pictures/"
FIXED = (BEFORE, FACTS, LATER, SEALS, *TEXTS.values())

# As the station stores a state: its digest is that of these bytes.
encode_state = msgspec.json.Encoder(order="deterministic").encode


class Pictured(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture that a fact names, and how it was at the export: only one that is `kept` is in the
    file.
    """

    fact: int
    name: str
    sha256: str
    state: State


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the file: how many bytes, and their SHA-256."""

    name: str
    bytes: int
    sha256: str


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """Which round of which table, its facts `first` to `last` (`opened` opened it), the hash which
    the first follows (`before`) and that of the last (`head`). `release` and `format` wrote it.
    `digits` follow the decimal point of amounts in the texts. `finished`: the round was over.
    """

    version: int
    what: Literal["dealer-station round"]
    release: str
    format: str
    table: str
    kind: str
    round: int
    first: int
    opened: int
    last: int
    before: str
    head: str
    digits: Annotated[int, Meta(ge=0, le=3)]
    finished: bool
    pictures: tuple[Pictured, ...]
    parts: tuple[Part, ...]


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the journal as a line of the file."""

    seq: int
    utc: str
    mono_ns: int
    boot: str
    round: int
    kind: str
    version: int
    body: str
    prev: str
    hash: str


def proper(name: str) -> bool:
    """Whether a part of an exported round may be called so."""
    if name.startswith(PICTURES):
        return proper_name(name.removeprefix(PICTURES))
    return name == MANIFEST or name in FIXED


def release() -> str:
    """The release that is running."""
    return metadata.version("dealer-station")


def lines_of(rows: Iterable[Row]) -> bytes:
    """Facts as JSON lines."""
    return b"".join(msgspec.json.encode(Fact(*row)) + b"\n" for row in rows)


def part_of(name: str, data: bytes) -> Part:
    """A part as the manifest lists it."""
    return Part(name, len(data), hashlib.sha256(data).hexdigest())


def document(value: object) -> bytes:
    """A document of the file: JSON a person can read."""
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


def named_pictures(rows: Iterable[Row]) -> list[tuple[int, f.Picture]]:
    """The pictures those facts name, each with its fact."""
    found: list[tuple[int, f.Picture]] = []
    for row in rows:
        fact = row.fact
        if isinstance(fact, f.Observed):
            found += [(row.seq, one) for one in fact.evidence]
    return found


def texts(story: Story, digits: int, seals: Seals, last: Row) -> dict[str, bytes]:
    """The round for people, in both languages, by the parts' names."""
    return {
        name: "".join(
            line + "\n" for line in show(story, lang, digits, sealed(story.table, seals, last, at))
        ).encode()
        for at, (lang, name) in enumerate(TEXTS.items())
    }


def sealed(table: str, seals: Seals, last: Row | None, at: int) -> str:
    """What is said of the seal that ends a round, in the language `at`; "" when there is none."""
    seal = seals.after
    if seal is None:
        return ""
    fault = fault_of(table, seal, last, last.hash if last else seal.hash, seals.keys)
    if fault:
        return f"✗ {fault}"
    return words.SEALED[at].format(seq=seal.seq, key=seal.key[:16])


def story_of(
    before: Table,
    rows: Iterable[Row],
    later: Iterable[Row],
    round_: int,
    states: Mapping[str, State],
) -> Story:
    """The story that the file's texts tell."""
    return tell(before, rows, later, round_, states)
