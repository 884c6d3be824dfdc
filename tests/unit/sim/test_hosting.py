"""The host's part on any snapshot: only what its actions allow, and only what is well formed."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw_sim.chairs import as_keyed
from hw_sim.client import Command, action_refusal
from hw_sim.hosting import SHOE_WAIT_S, HostPart, Times, bets_shown
from hw_sim.party import Party
from hw_sim.strategy import STRATEGIES
from station import messages as m
from tests.unit.sim.fake_station import action, hand, hold, seat, snapshot

ACTIONS = ("hit", "stand", "double", "split", "surrender")
PHASES = ("closed", "idle", "betting", "dealing", "insurance", "deciding", "follow", "result")
FACES = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
KINDS = ("main", "pair", "behind", "behind_pair")


def any_seats(rng: random.Random, party: Party) -> list[dict[str, Any]]:
    """Each seat empty, ours or a stranger's, with bets and hands or without."""
    views = []
    for number in range(1, 8):
        who = rng.choice(("", party.name(number), party.name(number), "somebody"))
        kinds = [kind for kind in KINDS if rng.random() < 0.4]
        bets = [{"kind": kind, "player": who, "amount": 1_000} for kind in kinds]
        dealt = [any_hand(rng) for _ in range(rng.randrange(3))]
        parts = {"in_round": "main" in kinds, "absent": rng.random() < 0.3, "bets": bets}
        views.append(seat(number, who, hands=dealt, **parts))
    return views


def any_hand(rng: random.Random) -> dict[str, Any]:
    cards = rng.choices(FACES, k=rng.randint(2, 5))
    return hand(*cards, total=rng.randint(4, 20), soft=rng.random() < 0.3)


def any_snapshot(rng: random.Random, party: Party) -> dict[str, Any]:
    """A table as no table might be: every part by itself, and a third of the actions refused."""

    def allowed(command: str, target: str = "") -> dict[str, Any]:
        return action(command, target, rng.choice(("", "", "refused")))

    listed = [allowed("open_round"), allowed("close_betting", "4")]
    for number in range(1, 8):
        names = ("take_seat", "leave_seat", "place_bet", "place_bet:pair", "place_bet:behind")
        listed += [allowed(name, str(number)) for name in (*names, "place_bet:behind_pair")]
    asked = rng.randint(1, 7)
    listed += [allowed(f"decide:{name}", str(asked)) for name in ACTIONS]
    people = [party.name(number) for number in party.seats] + ["Leo"]
    window = {
        "window": 2,
        "kind": rng.choice(("insurance", "split", "double")),
        "seat": asked,
        "hand": 2,
        "asked": people,
        "answered": [who for who in people if rng.random() < 0.3],
    }
    listed += [allowed(name, who) for name in ("insure", "follow") for who in people]
    legal = [name for name in ACTIONS if rng.random() < 0.6]
    views = any_seats(rng, party)
    # Nobody is asked who is not there.
    views[asked - 1]["absent"] = False
    decision = {"decision": 3, "seat": asked, "hand": 1, "legal": legal, "chosen": ""}
    return snapshot(
        phase=rng.choice(PHASES),
        round=4,
        seats=views,
        dealer={"cards": [rng.choice(FACES)], "total": 0, "soft": False, "state": "open"},
        decision=rng.choice((None, decision)),
        window=rng.choice((None, window)),
        holds=rng.choice(([], [], [hold("emergency")])),
        actions=listed,
    )


def name_in_actions(command: Command) -> tuple[str, str]:
    """The action a command is, and on what."""
    fields = command.fields
    match command.do:
        case "place_bet":
            kind = fields["kind"]
            return "place_bet" if kind == "main" else f"place_bet:{kind}", str(fields["seat"])
        case "decide":
            return f"decide:{fields['action']}", str(fields["seat"])
        case "insure" | "follow":
            return command.do, str(fields["player"])
        case "take_seat" | "leave_seat":
            return command.do, str(fields["seat"])
        case "close_betting":
            return command.do, str(fields["round"])
        case _:
            return command.do, ""


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(STRATEGIES), st.booleans())
def test_only_what_the_snapshot_allows_is_said(seed: int, strategy: str, chairs: bool) -> None:
    rng = random.Random(seed)
    taken = tuple(sorted(rng.sample(range(1, 8), rng.randint(1, 7))))
    party = Party(seed, taken, strategy, chairs=chairs)
    seen = any_snapshot(rng, party)
    part = HostPart(party, Times(0.0, 0.0))
    for _ in range(30):
        wanted = part.step(seen, bets_shown(seen), 0.0)
        if wanted is None:
            return
        assert isinstance(wanted, Command)
        keyed = as_keyed(wanted) if party.chairs else wanted
        msgspec.json.decode(json.dumps({"do": keyed.do, **keyed.fields}), type=m.AnyCommand)
        if wanted.do not in ("player_lost", "player_back") and not _is_late(wanted, seen):
            assert action_refusal(seen, *name_in_actions(wanted)) is None, wanted
            return
        # Who is there is not among the actions: it is said of one seated, and once.
        (view,) = (view for view in seen["seats"] if view["seat"] == wanted.fields["seat"])
        assert view["player"] == party.name(view["seat"])
        assert view["absent"] == (wanted.do != "player_lost")
    raise AssertionError("the same is said again and again")


def _is_late(wanted: Command, seen: dict[str, Any]) -> bool:
    """A decision of a seat that is absent: it says that the player is there again (A13)."""
    absent = {view["seat"] for view in seen["seats"] if view["absent"]}
    return wanted.do == "decide" and wanted.fields["seat"] in absent


# --- singly -----------------------------------------------------------------------------------


def part(strategy: str = "basic") -> HostPart:
    return HostPart(Party(7, (1, 3), strategy), Times(0.0, 0.0))


def window(kind: str, *answered: str, **changes: Any) -> dict[str, Any]:
    people = ["Leo", "Emma"]
    parts = {"window": 2, "kind": kind, "seat": 1, "hand": 2, "asked": people}
    listed = [action("follow", who) for who in people]
    listed += [action("insure", who) for who in people]
    seen = {**parts, "answered": list(answered)}
    return snapshot(phase="follow", round=4, window=seen, actions=listed, **changes)


def test_each_who_is_asked_answers_once() -> None:
    """R39, R52: the window, the player, yes or no."""
    first = part().step(window("insurance"), set(), 0.0)
    assert first == Command("insure", {"round": 4, "window": 2, "player": "Leo", "buy": False})
    second = part().step(window("split", "Leo"), set(), 0.0)
    assert isinstance(second, Command)
    assert (second.do, second.fields["player"]) == ("follow", "Emma")
    assert part().step(window("split", "Leo", "Emma"), set(), 0.0) is None


def test_nobody_is_lost_or_back_while_the_table_holds() -> None:
    held = window("split", holds=[hold("emergency")])
    assert part("random").step(held, set(), 0.0) is None


def test_absent_players_never_answer() -> None:
    """R53: silence declines when the window ends."""
    for kind in ("insurance", "split", "double"):
        assert part("absent").step(window(kind), set(), 0.0) is None


def test_the_last_round_ends_with_a_shoe_in_play_or_when_nobody_brings_one() -> None:
    host = part()
    due = snapshot(shoe={"id": "A-1", "state": "last_round"})
    assert host.ends(due, 10.0) == SHOE_WAIT_S
    assert host.ends(snapshot(), 11.0) is True
    assert host.ends(due, 10.0 + SHOE_WAIT_S) is True
    assert host.ends(snapshot(phase="result"), 99.0) is False


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_think_time_is_waited_for(strategy: str) -> None:
    host = HostPart(Party(7, (1, 3), strategy), Times(2.0, 5.0))
    free = [action("open_round")]
    seats = [seat(n, Party(7, (1, 3)).name(n)) for n in (1, 3)]
    idle = snapshot(actions=free, seats=seats)
    assert host.step(idle, set(), 100.0) == 2.0
    assert host.step(idle, set(), 101.5) == 0.5
    opened = host.step(idle, set(), 102.0)
    assert isinstance(opened, Command)
    assert opened.do == "open_round"
