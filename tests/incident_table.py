"""The incidents of a pit's handbook as the station has them: `docs/incidents.md`.

python -m tests.incident_table           # writes docs/incidents.md
python -m tests.incident_table --check   # says whether it is still true; 1 if not
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from station.game.incidents import POLICIES, ROWS, Policy, Row, incident_of, ways
from station.wording import incidents as words

PAGE = Path(__file__).parents[1] / "docs" / "incidents.md"

WHEN = {
    "always": "",
    "no_cards_out": " (no card is out)",
    "cards_out": " (cards are out)",
    "round_open": " (a round is open)",
    "order_kept": " (it changed no order)",
    "settled": " (the round is settled)",
}
_HEAD = """# Incidents

Made by `python -m tests.incident_table` from `station/game/incidents.py`; a test fails when this
page is out of date. That each role may rule what stands here and nothing else, and what becomes
of the bets, is `tests/unit/table/test_incident_matrix.py`.

A hold stops cards, money and decisions. It ends by a ruling of a supervisor or a shift manager:
a dealer reports and never rules. `incident_policy` in the rules says which rulings are open:
`strict`, the rules' own word (A20: what changed neither order nor identity of the cards is
cured, all else is void), or `house`, the supervisor's word as houses have it (R59). **No ruling
changes the recipient of a dealt card.** A void returns every bet once, takes the shoe out, and
no round opens before a new one is in and released.

- `release`: nothing changed, play on. `aligned`: felt equals screen, and the last card, read
  again, is the same.
- `same`, `second`: a read in doubt was the card before it, or another one. `burn`, `use`: an
  exposed card is burned, or goes to the next hand owed one.
- `void`: the round is cancelled; between rounds the shoe alone goes out.

`dealer-station incident list` names what happened at a table, `dealer-station incident show N
[--lang en]` prints the report: what, when, who noticed, which cards, who ruled what, how long it
took, what became of card and bets, and which facts say so.

| | incident | noticed by | what holds | strict | house |
|---|---|---|---|---|---|
"""
_FOOT = """
A round that turns out to have been misdealt after its settlement is *disputed*, by a supervisor
or the game host (`dispute_round`): it stays settled and is never voided, nothing is paid again,
and no other round opens before a supervisor has accepted it, or a shift manager one that was
escalated (`answer_dispute`).
"""


def rulings(hold: str, policy: Policy) -> str:
    """The ways out of a hold, in words."""
    code, _, what = hold.partition(":")
    found = ways(incident_of(code, {"what": what}), policy)
    return ", ".join(f"{way.ruling}{WHEN[way.when]}" for way in found)


def lines(row: Row) -> Iterator[str]:
    """A line for each sort of hold whose rulings differ."""
    kind = f"{words.ROWS[row.number][1]}"
    noticed = ", ".join(row.noticed)
    if row.informs:
        noticed += "; told: " + ", ".join(words.ROLES[role][1] for role in row.informs)
    groups: dict[tuple[str, ...], list[str]] = {}
    for hold in row.holds:
        ruled = tuple(rulings(hold, policy) for policy in POLICIES)
        groups.setdefault(ruled, []).append(f"`{hold}`")
    for ruled, holds in groups.items():
        yield f"| {row.number} | {kind} | {noticed} | {', '.join(holds)} | {' | '.join(ruled)} |"
    if row.unheld:
        does = words.UNHELD[row.unheld][1]
        yield f"| {row.number} | {kind} | {noticed} | nothing | {does} | the same |"


def page() -> str:
    """The whole page."""
    return _HEAD + "\n".join(line for row in ROWS for line in lines(row)) + "\n" + _FOOT


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    if "--check" not in arguments:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    sys.stderr.write(f"{PAGE}: out of date; python -m tests.incident_table\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
