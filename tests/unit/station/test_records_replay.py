"""A round played again from its facts: what happened passes, all else is named."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from station.audit.reading import hash_of
from station.game import facts as g
from station.game.cards import card_of
from station.game.state import Slot
from station.journal import Row
from station.records import source
from station.records.check import check
from station.records.parcel import proper
from station.records.replay import Replay, Wrong
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.table.state import Table
from station.upcast import FACT_VERSION
from tests.support.dice import LONG, Dice
from tests.support.eventful import SETTLED, VOID, eventful
from tests.support.ledger import Ledger
from tests.support.play import Play
from tests.support.walk import Walk, drawn_rules


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return eventful(tmp_path_factory.mktemp("records") / "journal.db")


def found(table: Ledger, round_: int) -> source.Found:
    with source.journal(table.path) as db:
        return source.find(db, table.path, round_)


def row(seq: int, at: int, fact: f.AnyFact) -> Row:
    body = msgspec.json.encode(fact).decode()
    round_ = getattr(fact, "round", 0)
    return Row(seq, f"{at}", at, "b", round_, type(fact).__name__, FACT_VERSION, body, "", "")


def replayed(before: Table, rows: list[Row]) -> Replay:
    replay = Replay(before)
    for one in rows:
        replay.step(one)
    replay.end()
    return replay


def changed(one: Row, **fields: object) -> Row:
    return one._replace(body=msgspec.json.encode(replace(one.fact, **fields)).decode())


# --- what happened passes -------------------------------------------------------------------


def test_every_round_of_a_day_with_much_trouble_passes(table: Ledger) -> None:
    for round_ in (*SETTLED, *VOID):
        one = found(table, round_)
        replay = replayed(one.before, list(one.rows))
        assert replay.cards > 0
        assert replay.settled > 0


@pytest.mark.parametrize("seed", range(6 * LONG))
def test_whatever_happens_at_a_table_passes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules, bets, actions, lost hosts, restarts, wrong cards and rulings, all by chance."""
    decisions: list[tuple[f.AnyFact, ...]] = []
    give = Play.give

    def kept(play: Play, given: i.AnyInput) -> Decision:
        decision = give(play, given)
        decisions.append(decision.facts)
        return decision

    monkeypatch.setattr(Play, "give", kept)
    dice = Dice(random.Random(seed).randbytes(2500))
    walk = Walk(drawn_rules(dice))
    while dice:
        wanderings(walk, dice)
    rows = [
        row(seq, at, fact)
        for seq, (at, fact) in enumerate(
            (pair for at, facts in enumerate(decisions) for pair in ((at, fact) for fact in facts)),
            start=1,
        )
    ]
    replay = replayed(Table(), rows)
    assert replay.table == walk.play.table
    ends = [one.fact for one in rows if one.kind in ("RoundSettled", "RoundVoided")]
    lines = [end.lines for end in ends if isinstance(end, g.RoundSettled | g.RoundVoided)]
    assert replay.settled == sum(map(len, lines))
    assert replay.cards > 50


def wanderings(walk: Walk, dice: Dice) -> None:
    match dice.roll() % 40:
        case 0:
            walk.wrong_card(dice)
        case 1:
            walk.meddle(dice)
        case 2 if walk.paper.host:
            walk.host_lost()
        case 3 if dice.once_in(6):
            walk.restart()
        case 4:
            walk.unplug_and_back()
        case _:
            walk.go(dice)


# --- what the rules do not make is named ----------------------------------------------------


def test_a_card_at_another_slot_is_named_with_whom_it_was_owed_to(table: Ledger) -> None:
    slots = [Slot(1, 1), Slot(1, 2), Slot(3, 1), Slot(), Slot(-1), Slot(7, 1)]
    for round_ in SETTLED:
        one = found(table, round_)
        for at, dealt in enumerate(one.rows):
            fact = dealt.fact
            if not isinstance(fact, g.CardDealt):
                continue
            for slot in slots:
                if slot != fact.slot:
                    rows = [*one.rows[:at], changed(dealt, slot=slot), *one.rows[at + 1 :]]
                    with pytest.raises(Wrong, match=f"fact {dealt.seq} .*the card was owed to"):
                        replayed(one.before, rows)


def test_any_line_that_returns_more_or_less_is_named(table: Ledger) -> None:
    tried = 0
    for round_ in (*SETTLED, *VOID):
        one = found(table, round_)
        for at, ended in enumerate(one.rows):
            fact = ended.fact
            if not isinstance(fact, g.RoundSettled | g.RoundVoided):
                continue
            for number, line in enumerate(fact.lines):
                for other in (
                    replace(line, returned=line.returned + 1),
                    replace(line, result="push" if line.result != "push" else "win"),
                    replace(line, rule="R99"),
                    replace(line, player="Mallory"),
                ):
                    lines = (*fact.lines[:number], other, *fact.lines[number + 1 :])
                    rows = [*one.rows[:at], changed(ended, lines=lines), *one.rows[at + 1 :]]
                    with pytest.raises(Wrong, match=f"fact {ended.seq} "):
                        replayed(one.before, rows)
                    tried += 1
    assert tried > 50


def test_a_fact_of_the_game_that_is_left_out_is_missed(table: Ledger) -> None:
    """All but those that nothing later tells of: what came to an end, and marks."""
    free = (g.RoundCleared, g.ShoeLoaded, g.ShoeReleased, g.ShoeOut, g.RoundsMarked)
    free_too = (g.ShoeReconciled, g.SeatTaken, g.BetPlaced, g.CardExposed, g.CardBurned)
    tried = 0
    for round_ in SETTLED:
        one = found(table, round_)
        for at, left in enumerate(one.rows):
            if isinstance(left.fact, g.GameFact) and not isinstance(left.fact, (*free, *free_too)):
                with pytest.raises(Wrong):
                    replayed(one.before, [*one.rows[:at], *one.rows[at + 1 :]])
                tried += 1
    assert tried > 50


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("CardDealt", {"card": card_of("8H", "A", 1)}, "cannot come out of this shoe"),
        ("CardDealt", {"card": card_of("8H", "B", 2)}, "cannot come out of this shoe"),
        ("CardDealt", {"order": 99}, "of the shoe is next"),
        ("BetPlaced", {"amount": 1}, "the rules refuse it"),
        ("BetPlaced", {"bet": 9}, "by the rules it would be"),
        ("BettingClosed", {"seats": (1,)}, "by the rules it would be"),
        ("DecisionMade", {"action": "surrender"}, "the rules refuse it"),
        ("DecisionMade", {"by": "station"}, "by the rules it would be"),
        ("DecisionAsked", {"legal": ("hit",)}, "by the rules it would be"),
        ("WindowAnswered", {"player": "Mallory"}, "the rules refuse it"),
        ("WindowOpened", {"asked": ("P1",)}, "by the rules it would be"),
        ("RoundOpened", {"fingerprint": "0" * 64}, "the rules refuse it"),
        ("RoundSettled", {"dealer": ()}, "by the rules it would be"),
    ],
)
def test_a_fact_that_the_rules_would_not_make_is_named(
    table: Ledger, kind: str, fields: dict[str, object], why: str
) -> None:
    one = found(table, 1)
    at = max(at for at, each in enumerate(one.rows) if each.kind == kind)
    if kind == "BetPlaced":
        at = next(at for at, each in enumerate(one.rows) if each.kind == kind)
    rows = [*one.rows[:at], changed(one.rows[at], **fields), *one.rows[at + 1 :]]
    with pytest.raises(Wrong, match=why) as raised:
        replayed(one.before, rows)
    assert str(raised.value).startswith(f"fact {one.rows[at].seq} ({kind}): ")


def test_a_card_exposed_for_another_reason_than_the_rules_give_is_named(table: Ledger) -> None:
    one = found(table, 3)
    at = next(at for at, each in enumerate(one.rows) if each.kind == "CardExposed")
    rows = [*one.rows[:at], changed(one.rows[at], why="dealer_stands")]
    with pytest.raises(Wrong, match="by the rules for 'decision_open'"):
        replayed(one.before, rows)


def test_a_ruling_that_was_not_open_or_of_no_hold_is_named(table: Ledger) -> None:
    one = found(table, 3)
    at = next(at for at, each in enumerate(one.rows) if each.kind == "HoldReleased")
    for fields, why in (
        ({"ruling": "burn"}, "the rules refuse it"),
        ({"ruling": "use"}, "the rules refuse it"),
        ({"hold": 99}, "no hold 99 is open"),
    ):
        rows = [*one.rows[:at], changed(one.rows[at], **fields)]
        with pytest.raises(Wrong, match=why):
            replayed(one.before, rows)


def test_nothing_is_played_while_the_table_holds(table: Ledger) -> None:
    one = found(table, 3)
    at = next(at for at, each in enumerate(one.rows) if each.kind == "TableHeld")
    asked = next(each.fact for each in one.rows if isinstance(each.fact, g.DecisionAsked))
    facts: list[f.AnyFact] = [
        g.CardDealt(3, card_of("4C", "A", 1), Slot(1, 1), 24),
        g.DecisionMade(3, asked.decision, 1, 1, "stand", "player"),
        g.RoundSettled(3, (), ()),
    ]
    for fact in facts:
        rows = [*one.rows[: at + 1], row(one.rows[at].seq + 1, 10**6, fact)]
        with pytest.raises(Wrong, match="the table held \\(exposed_card\\)"):
            replayed(one.before, rows)


def test_bets_that_come_back_after_betting_closed_are_named(table: Ledger) -> None:
    one = found(table, 1)
    at = next(at for at, each in enumerate(one.rows) if each.kind == "CardDealt")
    line = next(each.fact for each in one.rows if each.kind == "RoundSettled").lines[0]  # type: ignore[union-attr]
    extra = row(one.rows[at].seq, 10**6, g.BetsReturned(1, (line,)))
    with pytest.raises(Wrong, match="nothing says why"):
        replayed(one.before, [*one.rows[: at + 1], extra])


def test_facts_that_cannot_have_happened_are_a_fault_and_no_crash(table: Ledger) -> None:
    impossible: list[Callable[[], f.AnyFact]] = [
        lambda: g.CardDealt(1, card_of("2C", "A", 8), Slot(6, 2), 1),
        lambda: g.BetDoubled(1, 99, "P1", 5),
        lambda: g.WindowAnswered(1, 1, "P1", True),
        lambda: g.DecisionMade(1, 1, 6, 2, "split", "player"),
        lambda: g.RoundSettled(1, (), ()),
        lambda: g.RoundVoided(9, "x", "y", ()),
        lambda: g.CardBurned(card_of("2C"), 1, "station"),
        lambda: g.RoundCleared(7),
    ]
    one = found(table, 2)
    for make in impossible:
        for before in (Table(), one.before):
            replay = Replay(before)
            with pytest.raises(Wrong):
                replay.step(row(1, 1, make()))


# --- a whole file, forged by one who can do sums --------------------------------------------


def test_a_forged_line_in_a_file_whose_sums_are_all_made_good_is_named(
    table: Ledger, tmp_path: Path
) -> None:
    """Chain, manifest, texts and state fit; without seals only the rules tell, with them both."""
    from station.records import parcel as p
    from station.records.archive import packed, unpacked
    from station.records.export import export
    from station.records.sealing import Seals

    export(table.path, "2", tmp_path / "r.zip", digits=0)
    parts = unpacked((tmp_path / "r.zip").read_bytes(), proper)
    manifest = msgspec.json.decode(parts[p.MANIFEST], type=p.Manifest)
    facts = [msgspec.json.decode(line, type=p.Fact) for line in parts[p.FACTS].splitlines()]
    rows: list[Row] = []
    prev = manifest.before
    for fact in facts:
        one = Row(*msgspec.structs.astuple(fact))
        if isinstance(one.fact, g.RoundSettled):
            first = replace(one.fact.lines[0], returned=one.fact.lines[0].returned + 100_000)
            one = changed(one, lines=(first, *one.fact.lines[1:]))
        one = one._replace(prev=prev)
        one = one._replace(hash=hash_of(one))
        prev = one.hash
        rows.append(one)
    for seals in (Seals(), msgspec.json.decode(parts[p.SEALS], type=Seals)):
        forged = {**parts, p.FACTS: p.lines_of(rows), p.SEALS: p.document(seals)}
        del forged[p.MANIFEST]
        listed = tuple(p.part_of(name, data) for name, data in sorted(forged.items()))
        fresh = replace(manifest, head=prev, parts=listed)
        (tmp_path / "forged.zip").write_bytes(packed({**forged, p.MANIFEST: p.document(fresh)}))
        fault = check(tmp_path / "forged.zip").fault
        assert "(RoundSettled): bet 1 of P1 returns" in fault
