"""The diagram of a round, drawn from what the core does.

    python -m tests.round_diagram          writes docs/round.md
    python -m tests.round_diagram --print  prints it

Thousands of facts of random rounds go through the core; every change of phase is an arrow, named
by the facts that made it. Nothing in the picture is written by hand, so it cannot be out of date.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from msgspec.structs import replace

from station.game import commands as c
from station.game import facts as f
from station.game.dealing import Owed, next_expected
from station.game.game import Game, evolve
from station.game.rules import TableRules, fingerprint
from station.game.state import Phase, phase
from station.simulation.run import Settings, Simulation
from station.table import inputs as i
from station.table.why_not import why_not
from tests.support.play import PIT, Play

PAGE = Path(__file__).parents[1] / "docs" / "round.md"
START = "[*]"
# One seat alone has the rare ways: nobody left to decide after the deal, or after insurance.
RUNS = ((5, 2, 300), (1, 0, 2000))

HEAD = """# A round, as the core plays it

Drawn by `python -m tests.round_diagram` from the core itself: {facts} facts of random rounds
were folded, and every change of phase is an arrow with the facts that made it. A test fails
when the core and this page differ. A supervisor may void a round in every phase before its
settlement (R60); the station voids by itself when the game host is lost with cards out (R58).

```mermaid
stateDiagram-v2
    direction TB
{arrows}
```

## Who is owed a card

`next_expected` in each phase: what a card is for, or why none may come.

| phase | a card may go | or nobody, because |
|---|---|---|
{rows}
"""


class Watched(Simulation):
    """A simulation that notes each change of phase and what was expected in each."""

    def __init__(self, settings: Settings, rules: TableRules) -> None:
        super().__init__(settings, rules)
        self.arrows: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.owed: dict[Phase, set[str]] = defaultdict(set)
        self.nobody: dict[Phase, set[str]] = defaultdict(set)
        self.samples: dict[Phase, Game] = {}

    def _add(self, fact: f.AnyGameFact) -> None:
        before = self.game
        super()._add(fact)
        after = self.game
        if after.round is None:
            return
        now = phase(after.round)
        opened = isinstance(fact, f.RoundOpened)
        was = START if before.round is None or opened else str(phase(before.round))
        if was != now:
            self.arrows[(was, str(now))].add(type(fact).__name__)
        self.note(now, after)

    def take(self, other: Watched) -> None:
        """What another one has seen."""
        self.facts += other.facts
        self.samples = {**other.samples, **self.samples}
        for arrow, facts in other.arrows.items():
            self.arrows[arrow] |= facts
        for mine, theirs in ((self.owed, other.owed), (self.nobody, other.nobody)):
            for now, codes in theirs.items():
                mine[now] |= codes

    def note(self, now: Phase, game: Game) -> None:
        self.samples.setdefault(now, game)
        answer = next_expected(game, self.rules)
        if isinstance(answer, Owed):
            self.owed[now].add(answer.purpose)
        else:
            self.nobody[now].add(answer.code)


def watched() -> Watched:
    """Random rounds, an empty one, and a void wherever one is open."""
    simulation = Watched(Settings(), TableRules(burn=1))
    for seats, behind, rounds in RUNS:
        one = Watched(Settings(strategy="random", seats=seats, behind=behind), TableRules(burn=1))
        for _ in range(rounds):
            one.play()
        simulation.take(one)
    simulation.play()
    _empty(simulation)
    _voids(simulation)
    return simulation


def _empty(simulation: Watched) -> None:
    """Betting that closes without a bet."""
    simulation.say(c.OpenRound(fingerprint(simulation.rules)))
    simulation.say(c.CloseBetting(simulation.game.rounds))


def _voids(simulation: Watched) -> None:
    """From which phases a supervisor's void is open, asked of the table."""
    table = Play(simulation.rules).open_table().table
    for now, game in dict(simulation.samples).items():
        if game.round is None:
            continue
        asked = i.VoidRound(game.round.number, "-", table.version)
        if why_not(replace(table, game=game), PIT, asked) is None:
            voided = evolve(game, f.RoundVoided(game.round.number, "-", "2001", ()))
            if voided.round is not None:
                ended = phase(voided.round)
                simulation.arrows[(str(now), str(ended))].add("RoundVoided")
                simulation.note(ended, voided)


def page() -> str:
    """The whole page."""
    simulation = watched()
    order = {START: -1, **{str(one): place for place, one in enumerate(Phase)}}
    arrows = [
        f"    {was} --> {now} : {', '.join(sorted(facts))}"
        for (was, now), facts in sorted(
            simulation.arrows.items(), key=lambda pair: (order[pair[0][0]], order[pair[0][1]])
        )
    ]
    arrows += [f"    {over} --> {START}" for over in (Phase.CLEARED, Phase.VOID)]
    rows = [
        f"| {one} | {_codes(simulation.owed[one])} | {_codes(simulation.nobody[one])} |"
        for one in Phase
    ]
    return HEAD.format(
        facts=f"{simulation.facts:,}", arrows="\n".join(arrows), rows="\n".join(rows)
    )


def _codes(codes: set[str]) -> str:
    return ", ".join(f"`{code}`" for code in sorted(codes)) or "–"


def main(arguments: list[str]) -> int:
    if "--print" in arguments:
        sys.stdout.write(page())
    else:
        PAGE.write_text(page(), encoding="utf-8")
        sys.stdout.write(f"{PAGE}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
