"""The tables of a journal's file. Facts, seals and keys are only ever added to."""

from __future__ import annotations

_FACT = """
    seq INTEGER PRIMARY KEY,
    utc TEXT NOT NULL,
    mono_ns INTEGER NOT NULL,
    boot TEXT NOT NULL,
    round INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    command TEXT
"""

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS facts ({_FACT}) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS facts_command ON facts (command) WHERE command IS NOT NULL;
CREATE TABLE IF NOT EXISTS outbox (
    seq INTEGER PRIMARY KEY,
    audience TEXT NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS checkpoints (
    seq INTEGER PRIMARY KEY,
    format TEXT NOT NULL,
    hash TEXT NOT NULL,
    state TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS seals (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    state TEXT NOT NULL,
    format TEXT NOT NULL,
    key TEXT NOT NULL,
    signature TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS keys (
    seq INTEGER PRIMARY KEY,
    public TEXT NOT NULL,
    signer TEXT NOT NULL,
    signature TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS carried ({_FACT}) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS carried_command ON carried (command) WHERE command IS NOT NULL;
"""
# `seals` and `keys`: see seals.py. `carried`: facts of the file before this one that are still
# needed (what hosts have not acknowledged, answers to commands, the shoe that is in play).

COLUMNS = "seq, utc, mono_ns, boot, round, kind, version, body, prev, hash"
INSERT = "INSERT INTO facts VALUES (?,?,?,?,?,?,?,?,?,?,?)"
