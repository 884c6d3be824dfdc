"""Who may say what: the table in `docs/people.md`, made from the core's own rights.

    python -m tests.rights_table           # writes the table into docs/people.md
    python -m tests.rights_table --check   # says whether it is still true; 1 if not

Each command of a person is put to `why_not_by` in the name of each role, at each kind of link.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from station.messages import AnyCommand
from station.table import inputs as i
from station.table.facts import Person
from station.table.rights import _HOST, why_not_by
from tests.support.every_command import every_command
from tests.support.play import CONSOLE, DEALER, PIT, STAFF, Play

PAGE = Path(__file__).parent.parent / "docs" / "people.md"
BEGIN, END = "<!-- rights: made by python -m tests.rights_table -->", "<!-- end of rights -->"
ROLES = ("dealer", "supervisor", "shift_manager", "technician", "auditor")
PLACES = (CONSOLE, PIT, STAFF)


def wire_names() -> dict[str, str]:
    """The name on the wire of each command, by that of its type."""
    return {kind.__name__: str(kind.__struct_config__.tag) for kind in AnyCommand.__args__}


def table_of(role: str) -> Play:
    """A table where a person of that role, and nobody else, has signed in at every link."""
    play = Play()
    if role == "dealer":
        play.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        return play
    for number, actor in enumerate(PLACES):
        person = Person(str(number), "X", role)  # type: ignore[arg-type]
        play.must(actor, i.LogIn(person.staff, person))
    return play


def may(role: str, command: i.AnyCommand) -> str:
    """At which links that role may say it, "–" at none."""
    play = table_of(role)
    places = [a.role for a in PLACES if why_not_by(play.table, a, command) is None]
    return " ".join(places) or "–"


def rows() -> dict[str, list[str]]:
    """Of each command that is a person's, what each role may; without those of game hosts."""
    names = wire_names()
    found: dict[str, list[str]] = {}
    for command in every_command(Play().table):
        name = names[type(command).__name__]
        if not isinstance(command, _HOST) and name not in found:
            found[name] = [may(role, command) for role in ROLES]
    return found


def made() -> str:
    """The table as it has to be in the page."""
    lines = [
        "| command | " + " | ".join(role.replace("_", " ") for role in ROLES) + " |",
        "|---|" + "---|" * len(ROLES),
    ]
    lines += [f"| `{name}` | {' | '.join(cells)} |" for name, cells in sorted(rows().items())]
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
