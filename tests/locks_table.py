"""Every lock there is: the table in `docs/locks.md`, made from the core's data and the wording.

python -m tests.locks_table           # writes the table into docs/locks.md
python -m tests.locks_table --check   # says whether it is still true; 1 if not
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from station.table.locks import KINDS, Kind
from station.wording.locks import DO
from station.wording.refusals import REFUSALS

PAGE = Path(__file__).parent.parent / "docs" / "locks.md"
BEGIN, END = "<!-- locks: made by python -m tests.locks_table -->", "<!-- end of locks -->"


def ends(kind: Kind) -> str:
    """How it ends, and by whom."""
    by = " or ".join(role.replace("_", " ") for role in kind.by)
    if kind.latches:
        return f"**latches**: {by}"
    if kind.from_ == "condition" or not kind.by:
        return "by itself"
    return by


def made() -> str:
    """The table as it has to be in the page."""
    lines = ["| code | what the console says | what to do | ends | rule | asks |"]
    lines.append("|---|---|---|---|---|---|")
    for code, kind in KINDS.items():
        ko, en = REFUSALS[code]
        asks = ", ".join(map(str, kind.asks))
        told = f"{en}<br>{ko}"
        do = f"{DO[code][1]}<br>{DO[code][0]}"
        lines.append(f"| `{code}` | {told} | {do} | {ends(kind)} | {kind.rule} | {asks} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with the table as it has to be."""
    return re.sub(
        f"{re.escape(BEGIN)}\n.*?{re.escape(END)}",
        lambda _: f"{BEGIN}\n{made()}{END}",
        text,
        flags=re.DOTALL,
    )


def main(arguments: list[str]) -> int:
    """Write, or check."""
    text = PAGE.read_text(encoding="utf-8")
    if "--check" in arguments:
        return 0 if page(text) == text else 1
    PAGE.write_text(page(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
