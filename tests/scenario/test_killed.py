"""SIGKILL at every commit boundary of a round: nothing is lost, nothing paid twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from station import failpoint
from station import messages as m
from station.game import facts as g
from station.game.commands import OpenRound
from station.game.rules import TableRules, fingerprint
from station.game.state import is_open
from station.journal import Journal, Row, Stamp, rows, state_digest, verify
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision, decide
from station.table.evolve import fold
from station.table.state import Table
from station.telling import told
from tests.support.daemon import Client, Ended, Station
from tests.support.floor import Floor
from tests.support.play import HOST, Play

# Commits of the played round: start, reader up, host; open, bet, close; three cards, hit, card,
# stand, the dealer's card with the settlement; cleared.
COMMITS = 14


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Station:
    """A stopped station with a dealer, a released shoe and one player: the round may begin."""
    station = Station(tmp_path_factory.mktemp("prepared"))
    try:
        Floor(station.start()).open_table().sit(1)
        assert station.stop() == 0
    finally:
        station.close()
    return station


class Sent(Struct):
    """The command that was under way when the station died, and from which link."""

    role: m.LinkRole
    id: str = ""
    command: m.AnyCommand | None = None


def steps(floor: Floor, sent: Sent) -> None:
    """One round. What is being asked stands in `sent` until it is answered. Raises Ended."""

    def must(client: Client, command: m.AnyCommand) -> None:
        sent.role, sent.id, sent.command = client.role, client.next_id(), command
        answer = client.ask(command, sent.id)
        assert answer.ok, answer
        floor.console.wait_for(lambda s: s.version >= answer.version)

    def decision(action: str) -> None:
        floor.host.wait_for(lambda s: s.decision is not None and bool(s.decision.legal))
        asked = floor.host.now.decision
        assert asked is not None
        must(floor.host, m.Decide(number, asked.decision, 1, 1, action))  # type: ignore[arg-type]

    must(floor.host, m.OpenRound(floor.host.now.rules.fingerprint))
    number = floor.console.now.round
    must(floor.host, m.PlaceBet(number, 1, "P1", 1000))
    must(floor.host, m.CloseBetting(number))
    sent.command = None
    floor.deal("5H 9D 6C")
    decision("hit")
    sent.command = None
    floor.deal("7H")
    decision("stand")
    sent.command = None
    floor.deal("8H")
    must(floor.console, m.Cleared(number))
    sent.command = None
    # The station that dies after an effect dies a moment after its last answer.
    floor.console.wait_ended()


def killed(station: Station, place: str, number: int) -> Sent:
    """Play until the failpoint kills the station; what was under way then."""
    sent = Sent("console")
    try:
        station.start(f"{place}:{number}")
        steps(Floor(station), sent)
    except Ended:
        pass
    assert station.gone() == -signal.SIGKILL
    return sent


def commits(stored: list[Row]) -> list[list[Row]]:
    """The rows of each transaction: those of one stamp."""
    found: dict[tuple[str, int], list[Row]] = {}
    for row in stored:
        found.setdefault((row.utc, row.mono_ns), []).append(row)
    return list(found.values())


def bare(row: Row) -> tuple[str, str]:
    return row.kind, row.body


@pytest.fixture(scope="module")
def whole(prepared: Station, tmp_path_factory: pytest.TempPathFactory) -> list[list[Row]]:
    """The commits of the round when nothing happens to the station."""
    station = prepared.copy_to(tmp_path_factory.mktemp("whole"))
    try:
        before = len(commits(prepared.journal()))
        station.start()
        floor = Floor(station).bet((1,)).deal("5H 9D 6C").act("hit").deal("7H").act("stand")
        floor.deal("8H").clear()
        return commits(station.journal())[before:]
    finally:
        station.close()


CASES = [
    *((place, n) for place in ("before_commit", "after_commit") for n in range(1, COMMITS + 1)),
    *(("before_begin", n) for n in (4, 8, 13)),
    # Nobody is shown anything before start-up is over: the first effect is the reader's.
    *(("after_effects", n) for n in (3, 5, 9, 12)),
]


def test_the_round_has_as_many_commits_as_are_tried(whole: list[list[Row]]) -> None:
    assert len(whole) == COMMITS


@pytest.mark.parametrize(("place", "number"), CASES)
def test_killed_at_a_commit_boundary(
    prepared: Station, whole: list[list[Row]], tmp_path: Path, place: str, number: int
) -> None:
    station = prepared.copy_to(tmp_path / "t")
    try:
        before = len(prepared.journal())
        sent = killed(station, place, number)
        survived = station.journal()
        table = fold(Table(), (row.fact for row in survived))
        assert state_digest(table) == verify(station.journal_path).state
        expected = [bare(row) for commit in whole for row in commit]
        found = [bare(row) for row in survived[before:]]
        assert found == expected[: len(found)]
        if place == "after_commit":
            assert len(found) == sum(map(len, whole[:number]))
        elif place != "after_effects":
            assert len(found) == sum(map(len, whole[: number - 1]))
        station.start()
        _restarted(station, survived, table, sent)
    finally:
        station.close()


def _restarted(station: Station, survived: list[Row], table: Table, sent: Sent) -> None:
    """The station after its restart: what it does by itself, the retry, and the money."""
    floor = Floor(station)
    fresh = station.journal()[len(survived) :]
    assert station.journal()[: len(survived)] == survived
    by_itself = [row.kind for row in fresh if row.kind not in ("DeviceChanged", "HostConnected")]
    out = table.cards_out
    assert by_itself == ["StationStarted", *(["RoundVoided", "ShoeOut"] if out else [])]
    if sent.command is not None:
        _retried(floor, survived, sent)
    _told_everything(floor, fresh)
    now = floor.console.now
    if out:
        assert now.shoe.state == "out"
        assert (now.phase, now.prompt.code) == ("void", "round_void")
        floor.pit.must(m.LogIn("2001", "2001"))
        floor.new_shoe("S2")
        assert floor.open() == table.game.rounds + 1
    else:
        _played_on(floor)
    lines = floor.paid()
    assert all(len(given) <= 1 for given in lines.values())
    if (1, 1) in lines:
        assert lines[1, 1] == [("void", 1000) if out else ("win", 2000)]


def _told_everything(floor: Floor, fresh: list[Row]) -> None:
    """A host that never acknowledged has every fact of its books once, with the void in it."""
    stored = [row for row in floor.station.journal() if told(row.fact)]
    floor.host.wait(lambda: len(floor.host.facts) >= len(stored), "every fact")
    assert [(x.seq, x.kind, x.at) for x in floor.host.facts] == [
        (row.seq, row.kind, row.utc) for row in stored
    ]
    assert {row.seq for row in fresh if told(row.fact)} <= {x.seq for x in floor.host.facts}


def _retried(floor: Floor, survived: list[Row], sent: Sent) -> None:
    """The same id again: executed once, answered as often as it is asked."""
    assert sent.command is not None
    client = floor.host if sent.role == "host" else floor.console
    name = f"{client.role}:{client.name}/{sent.id}"

    def stored(among: list[Row]) -> int:
        answers = [row.fact for row in among if row.kind == "CommandAnswered"]
        return sum(isinstance(a, f.CommandAnswered) and a.command == name for a in answers)

    first = client.ask(sent.command, sent.id)
    assert first.repeated == bool(stored(survived))
    again = client.ask(sent.command, sent.id)
    assert again.repeated
    assert (again.ok, again.version, again.refusal) == (first.ok, first.version, first.refusal)
    assert stored(floor.station.journal()) == 1
    # The answer goes to one link, the snapshot to another: what follows is read from the console.
    floor.console.wait_for(lambda s: s.version >= first.version, "the retry on the console")


def _played_on(floor: Floor) -> None:
    """Without cards out the round goes on from where it was, to one settlement."""
    now = floor.console.wait_for(lambda s: s.host.connected)
    if now.phase == "idle" and now.round == 0:
        floor.bet((1,))
    elif now.phase == "betting":
        assert now.prompt.code == "betting_open"
        if not any(seat.bets for seat in now.seats):
            floor.host.must(m.PlaceBet(now.round, 1, "P1", 1000))
        floor.host.must(m.CloseBetting(now.round))
        floor.console.wait_for(lambda s: s.prompt.kind == "card")
    if floor.console.now.phase == "dealing":
        floor.deal("5H 9D 6C").act("hit").deal("7H").act("stand").deal("8H")
    if floor.console.now.phase == "result":
        floor.clear()
    assert floor.console.now.phase == "idle"


# --- every boundary, with the journal and the core alone --------------------------------------

STAMP = Stamp("2026-01-01T00:00:00.000000Z", 0, "boot")


class Recorded(Play):
    """A play whose inputs are kept."""

    def __init__(self) -> None:
        self.given: list[i.AnyInput] = []
        super().__init__(TableRules())

    def give(self, given: i.AnyInput) -> Decision:
        self.given.append(given)
        return super().give(given)


@pytest.fixture(scope="module")
def recorded() -> list[i.AnyInput]:
    """The inputs of a round of three players, with a repeat and a hold in it."""
    play = Recorded()
    play.open_table().deal("5H TC KS 9D 6C 9C 8S", (1, 3, 5))
    play.card("8S", 1)
    play.act("hit").cards("7H")
    play.act("stand", "stand", "stand").cards("8H")
    play.clear()
    play.must(HOST, OpenRound(fingerprint(TableRules())))
    return play.given


def _run(path: Path, given: list[i.AnyInput], reached: Callable[[str], None]) -> None:
    """What the controller does with each input, without the wire."""
    journal = Journal(path, reached)
    table = journal.load()
    for number, item in enumerate(given):
        decision = decide(table, item)
        if decision.facts:
            journal.append(decision.facts, STAMP._replace(mono_ns=number), told)
            reached("after_effects")
            table = decision.after
    journal.close()


def _killed_child(path: Path, given: list[i.AnyInput], wanted: str) -> int:
    """Run it in a child that dies there; the signal that ended it, or 0 when it came through."""
    child = os.fork()
    if child == 0:
        try:
            os.environ[failpoint.VARIABLE] = wanted
            _run(path, given, failpoint.from_environment())
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a child must not return into the test
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status)


@pytest.mark.parametrize("place", failpoint.PLACES)
def test_killed_at_every_single_boundary_the_journal_is_a_prefix(
    tmp_path: Path, recorded: list[i.AnyInput], place: str
) -> None:
    whole = tmp_path / "whole.db"
    _run(whole, recorded, lambda _place: None)
    expected = _stored(whole)
    boundaries = [row[0] for row in expected]
    number = 0
    for number in range(1, len(set(boundaries)) + 1):
        path = tmp_path / f"{number}.db"
        assert _killed_child(path, recorded, f"{place}:{number}") == signal.SIGKILL
        found = _stored(path)
        committed = number if place.startswith("after") else number - 1
        last = sorted(set(boundaries))[:committed]
        assert found == [row for row in expected if row[0] in last]
        _money_is_whole(path)
    path = tmp_path / "through.db"
    assert _killed_child(path, recorded, f"{place}:{number + 1}") == 0


def _stored(path: Path) -> list[tuple[int, str, str]]:
    journal = Journal(path)
    found = [(row.mono_ns, row.kind, row.body) for row in rows(journal.db)]
    journal.close()
    return found


def _money_is_whole(path: Path) -> None:
    """After a restart each stake came back or was settled once, or is at risk in open betting."""
    journal = Journal(path)
    table = journal.load()
    restart = decide(table, i.StationStart("T01", "test", "0", ("shoe",), TableRules()))
    journal.append(restart.facts, STAMP, told)
    stakes: dict[tuple[int, int], int] = {}
    closed: dict[tuple[int, int], int] = {}
    for fact in _facts(journal):
        if isinstance(fact, g.BetPlaced):
            stakes[fact.round, fact.bet] = fact.amount
        elif isinstance(fact, g.RoundSettled | g.RoundVoided):
            for line in fact.lines:
                key = (fact.round, line.bet)
                closed[key] = closed.get(key, 0) + 1
                assert line.stake == stakes[key]
    after = restart.after
    assert set(closed.values()) <= {1}
    assert after.cards_out is False
    if not is_open(after.game.round):
        assert set(closed) == set(stakes)
    if table.cards_out:
        assert after.game.shoe.state == "out"
    assert state_digest(journal.load()) == state_digest(after)
    journal.close()


def _facts(journal: Journal) -> Iterator[f.AnyFact]:
    return (row.fact for row in rows(journal.db))
