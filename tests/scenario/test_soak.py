"""`hw-sim soak`: rounds in which things go wrong, and a verdict that notices every wrong card."""

from __future__ import annotations

import copy
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hw_sim.models.registry import faults_of, kind_of, make_model
from hw_sim.soak import Run, Soak, SoakSettings, table_file
from hw_sim.soak_faults import LEFT_OUT, FaultPlan
from hw_sim.soak_run import facts, judge_again, truth, verified
from hw_sim.soak_verdict import Verdict, verdict
from hw_sim.table_config import TableDir

Entry = dict[str, Any]


@dataclass
class Played:
    """A soak that is over: what is true, what the journal says, and the players' books."""

    run: Run
    truth: list[Entry]
    facts: list[Entry]
    place: TableDir

    def judged(self) -> Verdict:
        return verdict(self.truth, self.facts, self.run.books, ended=True)

    def copied(self) -> Played:
        return Played(self.run, copy.deepcopy(self.truth), copy.deepcopy(self.facts), self.place)


def play(path: Path, kind: str, rounds: int, rate: float) -> Played:
    settings = SoakSettings(rounds, seed=11, rate=rate, kind=kind)
    place = TableDir(path)
    place.open(table_file(settings, place.path))
    try:
        run = Soak(place, settings, lambda _: None).run()
    finally:
        place.close()
    return Played(run, list(truth(place.truth)), list(facts(place.journal)), place)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Two dozen rounds of a text-line reader, a fault at every eighth card or so."""
    return play(tmp_path_factory.mktemp("soak") / "t", "text-line", 24, 0.12)


def sound(played: Played, rounds: int) -> Verdict:
    """The verdict, which finds nothing."""
    found = played.judged()
    assert (played.run.stuck, found.differences) == ("", [])
    assert verified(played.place.journal) == ""
    assert found.figures["rounds settled"] + found.figures["rounds void"] == rounds
    given = Counter(entry["code"] for entry in played.truth if entry.get("position"))
    assert found.figures["cards"] == sum(n for code, n in given.items() if "CUT" not in code)
    assert sum(played.run.faults.values()) > 0
    return found


def test_every_card_of_a_soak_is_in_the_journal_or_the_table_held(played: Played) -> None:
    found = sound(played, 24)
    assert found.figures["rounds settled"] > found.figures["rounds void"]
    assert found.books.placed > 0
    assert found.books.balances == played.run.books.balances


def test_an_angel_eye_shoe_soaked(tmp_path: Path) -> None:
    sound(play(tmp_path / "t", "angel-eye", 6, 0.15), 6)


def test_what_was_played_is_judged_once_more(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge_again(played.place.path) == 0
    assert capsys.readouterr().out.endswith("verdict: all equal\n")
    assert judge_again(tmp_path) == 2
    place = TableDir(tmp_path)
    shutil.copy(played.place.journal, place.journal)
    entries = played.place.truth.read_text(encoding="utf-8").splitlines(keepends=True)
    given = [number for number, line in enumerate(entries) if '"position": 5,' in line]
    place.truth.write_text("".join(entries[: given[0]] + entries[given[0] + 1 :]))
    assert judge_again(tmp_path) == 1
    assert "the shoe did not give it here" in capsys.readouterr().out


# --- the verdict notices ------------------------------------------------------------------------


def dealt(entries: list[Entry]) -> list[int]:
    """Where the cards of rounds that stand were dealt."""
    good = {fact["round"] for fact in entries if fact["kind"] == "RoundSettled"}
    return [
        place
        for place, fact in enumerate(entries)
        if fact["kind"] == "CardDealt" and fact["round"] in good
    ]


def changed(played: Played) -> None:
    card = played.facts[dealt(played.facts)[7]]["body"]["card"]
    card["suit"] = "H" if card["suit"] != "H" else "S"


def other_deck(played: Played) -> None:
    card = played.facts[dealt(played.facts)[7]]["body"]["card"]
    card["deck"] = card["deck"] % 8 + 1


def missing(played: Played) -> None:
    place = dealt(played.facts)[7]
    gone = played.facts.pop(place)
    shoe_ends = next(
        (n for n, f in enumerate(played.facts) if n > place and f["kind"] == "ShoeLoaded"),
        len(played.facts),
    )
    for fact in played.facts[place:shoe_ends]:
        if "order" in fact["body"] and "card" in fact["body"]:
            fact["body"]["order"] -= fact["kind"] in ("CardDealt", "CardExposed")
    assert gone["kind"] == "CardDealt"


def doubled(played: Played) -> None:
    place = dealt(played.facts)[7]
    played.facts.insert(place, copy.deepcopy(played.facts[place]))


def swapped(played: Played) -> None:
    one, two = dealt(played.facts)[7:9]
    first, second = (played.facts[place]["body"] for place in (one, two))
    first["card"], second["card"] = second["card"], first["card"]


def other_seat(played: Played) -> None:
    first, second = dealt(played.facts)[:2]
    played.facts[first]["body"]["slot"], played.facts[second]["body"]["slot"] = (
        played.facts[second]["body"]["slot"],
        played.facts[first]["body"]["slot"],
    )


def never_given(played: Played) -> None:
    place = dealt(played.facts)[7]
    code = played.facts[place]["body"]["card"]
    face = code["rank"] + code["suit"]
    for number, entry in enumerate(played.truth):
        if entry.get("face") == face and entry.get("deck") == code["deck"]:
            del played.truth[number]
            return


def never_cut(played: Played) -> None:
    shoe = next(f for f in played.facts if f["kind"] == "ShoeLoaded")["body"]["shoe"]
    played.truth = [e for e in played.truth if e["shoe"] != shoe or not e.get("cut")]
    place = next(n for n, f in enumerate(played.facts) if f["kind"] == "CardDealt")
    cut = {"seq": 0, "round": 1, "kind": "CutCardOut", "body": {"shoe": shoe, "round": 1}}
    played.facts.insert(place, cut)


def settled_twice(played: Played) -> None:
    place = next(n for n, f in enumerate(played.facts) if f["kind"] == "RoundSettled")
    again = copy.deepcopy(played.facts[place])
    again["seq"] = played.facts[-1]["seq"] + 1
    played.facts.append(again)


def not_ended(played: Played) -> None:
    place = next(n for n, f in enumerate(played.facts) if f["kind"] == "RoundSettled")
    del played.facts[place]


def paid_less(played: Played) -> None:
    fact = next(f for f in played.facts if f["kind"] == "RoundSettled")
    fact["body"]["lines"][0]["returned"] += 100


def dealers_card(played: Played) -> None:
    fact = next(f for f in played.facts if f["kind"] == "RoundSettled")
    card = fact["body"]["dealer"][0]
    card["rank"] = "2" if card["rank"] != "2" else "3"


def counted_wrong(played: Played) -> None:
    fact = next(f for f in played.facts if f["kind"] == "ShoeReconciled")
    missing_ = fact["body"]["missing"]
    face = next(iter(missing_), "KH")
    missing_[face] = missing_.get(face, 0) + 1


def other_books(played: Played) -> None:
    books = copy.deepcopy(played.run.books)
    books.returned += 1
    played.run = Run(books=books)


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (changed, "the shoe did not give it here"),
        (other_deck, "the shoe did not give it here"),
        (missing, "is not in the journal, and the round was settled"),
        (doubled, "twice in the journal"),
        (swapped, "the shoe did not give it here"),
        (other_seat, "it was drawn for"),
        (never_given, "the shoe did not give it here"),
        (never_cut, "cut cards, it gave 0"),
        (settled_twice, "it ended 2 times"),
        (not_ended, "it ended 0 times"),
        (paid_less, "money: bet"),
        (dealers_card, "settled with"),
        (counted_wrong, "its count says"),
        (other_books, "the players' returned"),
    ],
)
def test_the_verdict_notices(played: Played, alter: Callable[[Played], None], says: str) -> None:
    spoilt = played.copied()
    alter(spoilt)
    differences = spoilt.judged().differences
    assert any(says in text for text in differences), differences


# --- the faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text-line", "angel-eye", "bee-tek"])
def test_faults_come_by_seed_and_rate_and_every_one_has_its_turn(kind: str) -> None:
    faults = faults_of(kind_of(kind), make_model(kind))
    one, two = (FaultPlan(3, 0.25, faults) for _ in range(2))
    assert [one.at_card() for _ in range(8000)] == [two.at_card() for _ in range(8000)]
    assert 1800 < sum(one.counts.values()) < 2200
    assert set(one.counts) == set(faults) - LEFT_OUT
    none = FaultPlan(3, 0, faults)
    assert not any(none.at_card() for _ in range(500))
