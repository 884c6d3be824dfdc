"""What every fact of the table is."""

from __future__ import annotations

from msgspec import Struct


class TableFact(Struct, frozen=True, tag_field="fact"):
    """A fact of the table."""
