"""Exported rounds for tests: made by the command, and remade as a forger would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from typer.testing import CliRunner

from station.audit import keys
from station.cli import app
from station.records import parcel
from station.records.archive import packed
from tests.support.ledger import Ledger


def run(*words: str | Path, code: int = 0) -> str:
    """What the command line says; it ends with that code."""
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def show(table: Ledger, round_: int | str, *more: str, code: int = 0) -> str:
    """A round for people."""
    return run("round", "show", str(round_), *more, "--journal", table.path, code=code)


def document(table: Ledger, round_: int | str) -> dict[str, Any]:
    """A round for scripts."""
    found: dict[str, Any] = json.loads(show(table, round_, "--json"))
    return found


def export(table: Ledger, round_: int | str, file: Path, *more: str, code: int = 0) -> str:
    return run("round", "export", str(round_), file, *more, "--journal", table.path, code=code)


def public(table: Ledger, folder: Path) -> Path:
    """The station's public key, as another machine is given it."""
    private = keys.read_private(keys.file_of(table.path))
    assert private is not None
    file = folder / "public.pem"
    file.write_text(keys.pem(private.public_key()))
    return file


def told(*words: str | Path, code: int = 0) -> Any:
    """A command's document."""
    return json.loads(run(*words, "--json", code=code))


def resealed(parts: dict[str, bytes], **changes: Any) -> bytes:
    """The file a forger would make: each part changed as he likes, every sum made good again."""
    manifest = msgspec.json.decode(parts[parcel.MANIFEST], type=parcel.Manifest)
    rest = {name: data for name, data in parts.items() if name != parcel.MANIFEST}
    listed = tuple(parcel.part_of(name, data) for name, data in sorted(rest.items()))
    fresh = msgspec.structs.replace(manifest, parts=listed, **changes)
    return packed({**rest, parcel.MANIFEST: parcel.document(fresh)})
