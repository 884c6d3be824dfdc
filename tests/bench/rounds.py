"""How many whole rounds and facts a second the core plays, beside two public engines.

    python -m tests.bench.rounds [--seconds 5] [--behind 3]

One process, one core, the same run: (1) a full round of seven seats with players behind each,
through the table's `decide` and `evolve`: every bet, answer and card is an input, every answer a
fact; (2) the same rounds through the game alone, as `dealer-station simulate` plays them;
(3) RLCard's blackjack with seven random players; (4) pokerkit: one no-limit hold'em hand of six
players who call down to the showdown. Ours and theirs take turns, so that a busy machine slows
all alike. Random legal play everywhere, by a fixed seed.

RLCard comes as source only, so it is no dependency: it is fetched into `build/bench` at first use.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from station.game import commands as c
from station.game.dealing import Owed
from station.game.rules import TableRules
from station.simulation.players import Random
from station.simulation.run import Settings, Simulation
from station.table.state import expected
from tests.support.play import HOST, Play

SEATS = range(1, 8)
SLICE = 0.25
RLCARD = ("rlcard==1.2.0", "termcolor==3.3.0")
ENGINES = Path(__file__).parents[2] / "build" / "bench"


@dataclass
class Score:
    """Rounds (or hands), facts (or operations) and the seconds they took."""

    rounds: int = 0
    facts: int = 0
    seconds: float = 0.0

    @property
    def milliseconds(self) -> float:
        return 1000 * self.seconds / self.rounds

    @property
    def facts_per_second(self) -> float:
        return self.facts / self.seconds


class TableRounds:
    """Seven seats and players behind each, at a table: every input through `decide`."""

    def __init__(self, behind: int) -> None:
        self._behind = behind
        self._random = random.Random(1)
        self._strategy = Random(self._random)
        self._play = Play(TableRules(bet_step=100)).open_table()
        self._shoes = 1
        self._faces: list[str] = []
        self._new_shoe()

    def __call__(self) -> int:
        """One round; how many facts it brought."""
        play = self._play
        play.facts.clear()
        if len(self._faces) < 120:
            self._new_shoe()
        play.bet(SEATS)
        for seat in SEATS:
            play.must(HOST, c.PlaceBet(play.number, seat, f"P{seat}", 100, "pair"))
            for one in range(self._behind):
                play.must(HOST, c.PlaceBet(play.number, seat, f"B{one}", 1000, "behind"))
        play.close()
        while not play.round.ended:
            self._step()
        play.clear()
        return len(play.facts)

    def _new_shoe(self) -> None:
        self._shoes += 1
        self._play.new_shoe(f"S{self._shoes}")
        self._faces = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 8
        self._random.shuffle(self._faces)

    def _step(self) -> None:
        play = self._play
        round_ = play.round
        if round_.window is not None:
            for player in round_.window.asked:
                yes = self._strategy.answers(round_.window.kind)
                if yes is None:
                    continue
                if round_.window.kind == "insurance":
                    command: c.AnyGameCommand = c.Insure(
                        round_.number, round_.window.window, player, yes
                    )
                else:
                    command = c.Follow(round_.number, round_.window.window, player, yes)
                play.must(HOST, command)
            if play.round.window is not None:
                play.fire("insurance" if round_.window.kind == "insurance" else "follow")
        elif round_.asked is not None:
            action = self._strategy.decide(round_, round_.asked)
            if action is None:
                play.fire("decision")
            else:
                play.act(action)
        elif isinstance(expected(play.table), Owed):
            play.card(self._faces.pop())
        else:
            raise AssertionError("the round stands still")


class GameRounds:
    """The same seats and players through the game alone."""

    def __init__(self, behind: int) -> None:
        self._simulation = Simulation(
            Settings(strategy="random", seats=7, behind=behind), TableRules()
        )

    def __call__(self) -> int:
        before = self._simulation.facts
        self._simulation.play()
        return self._simulation.facts - before


def fetched(module: str, packages: tuple[str, ...]) -> bool:
    """Have that engine at hand, in a folder of its own; False when it cannot be fetched."""
    sys.path.append(str(ENGINES))
    if importlib.util.find_spec(module) is not None:
        return True
    print(f"fetching {module} into {ENGINES} ...", file=sys.stderr)  # noqa: T201
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    done = subprocess.run([*pip, "--target", str(ENGINES), *packages], check=False)
    importlib.invalidate_caches()
    return done.returncode == 0 and importlib.util.find_spec(module) is not None


def rlcard_rounds() -> Callable[[], int] | None:
    """A round of RLCard's blackjack, seven random players; it has no log to count."""
    if not fetched("rlcard", RLCARD):
        print("RLCard could not be fetched: left out", file=sys.stderr)  # noqa: T201
        return None
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("blackjack", config={"game_num_players": 7, "seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(7)])

    def play() -> int:
        env.run()
        return 0

    return play


def pokerkit_hands() -> Callable[[], int]:
    """A hand of six players who call down; how many operations its log has."""
    try:
        from pokerkit import Automation, NoLimitTexasHoldem
    except ModuleNotFoundError:
        sys.exit("pokerkit is not installed: `./test --setup-only` installs what measuring needs")

    ours_to_do = {Automation.CHIPS_PULLING}
    automations = tuple(one for one in Automation if one not in ours_to_do)

    def play() -> int:
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 6)
        while state.status:
            if state.can_check_or_call():
                state.check_or_call()
            else:
                state.pull_chips()
        return len(state.operations)

    return play


def run(seconds: float, behind: int) -> dict[str, Score]:
    """All in turns of a quarter of a second until each has had its time."""
    makers: dict[str, Callable[[], Callable[[], int] | None]] = {
        "table": lambda: TableRounds(behind),
        "game": lambda: GameRounds(behind),
        "rlcard": rlcard_rounds,
        "pokerkit": pokerkit_hands,
    }
    made = {name: make() for name, make in makers.items()}
    plays = {name: play for name, play in made.items() if play is not None}
    scores = {name: Score() for name in plays}
    for play in plays.values():
        play()
    while any(score.seconds < seconds for score in scores.values()):
        for name, play in plays.items():
            score = scores[name]
            began = time.perf_counter()
            while (spent := time.perf_counter() - began) < SLICE:
                score.facts += play()
                score.rounds += 1
            score.seconds += spent
    return scores


def show(scores: dict[str, Score], behind: int) -> str:
    """The figures and the ratios that are aimed at."""
    names = {
        "table": f"table: 7 seats, {behind} behind each, decide + evolve",
        "game": f"game alone: 7 seats, {behind} behind each",
        "rlcard": "RLCard blackjack, 7 players",
        "pokerkit": "pokerkit hold'em, 6 players",
    }
    lines = []
    for name, score in scores.items():
        facts = f"{score.facts_per_second:>12,.0f} facts/s" if score.facts else ""
        lines.append(
            f"{names[name]:52} {1000 / score.milliseconds:>9,.0f} rounds/s "
            f"{score.milliseconds:>8.3f} ms each {facts}"
        )
    table, hand = scores["table"], scores["pokerkit"]
    cost = table.milliseconds / hand.milliseconds
    pace = table.facts_per_second / hand.facts_per_second
    lines.append(f"a round of ours costs {cost:.3f} of a hold'em hand (aim: at most 0.200)")
    lines.append(f"facts a second are {pace:.2f} times its operations (aim: at least 5)")
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=5.0)
    options.add_argument("--behind", type=int, default=3)
    given = options.parse_args()
    print(show(run(given.seconds, given.behind), given.behind))  # noqa: T201


if __name__ == "__main__":
    main()
