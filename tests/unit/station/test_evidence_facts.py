"""The pictures of a read: carried from the reader to the fact, named and hashed there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from drivers import observations as o
from station.evidence_names import PICTURES
from station.game import facts as g
from station.game.cards import card_of
from station.game.rules import TableRules
from station.intake import pictures, to_input
from station.journal import GENESIS, Journal, Left, Row, Stamp, row_hash, verify, when_it_left
from station.table import facts as f
from station.table import inputs as i
from station.telling import told
from station.upcast import upcast
from tests.support.play import CONSOLE, PIT, Play

ONE = o.Evidence("cam-17-1.jpg", "1" * 64)
TWO = o.Evidence("cam-17-2.jpg", "2" * 64)
MINE = (f.Picture(ONE.name, ONE.sha256), f.Picture(TWO.name, TWO.sha256))
AT = ("shoe", 7_000_000, b"raw")
STAMP = Stamp("2026-01-01T00:00:00.000000Z", 7, "boot")


def read(face: str, deck: int, *evidence: o.Evidence) -> o.CardRead:
    return o.CardRead(*AT, face, "A", deck, "", True, evidence=evidence)


# --- from the reader to the fact ------------------------------------------------------------


@pytest.mark.parametrize(
    "seen",
    [
        read("KH", 1, ONE, TWO),
        o.CutCard(*AT, evidence=(ONE, TWO)),
        o.NoRead(*AT, "contradiction", evidence=(ONE, TWO)),
    ],
)
def test_what_was_read_and_what_was_not_bring_their_pictures_into_the_fact(
    seen: o.AnyObservation,
) -> None:
    given = to_input(seen)
    assert isinstance(given, i.CardSeen | i.CutCardSeen | i.ReadMissed)
    assert given.evidence == MINE
    play = Play().open_table().bet().close()
    play.give(given)
    (fact,) = [fact for fact in play.facts if isinstance(fact, f.Observed)]
    assert fact.evidence == MINE
    assert play.table.read is not None
    assert play.table.read.evidence == MINE


BAD = (
    o.Evidence("../journal.db", "1" * 64),
    o.Evidence("/etc/passwd.jpg", "1" * 64),
    o.Evidence(".hidden.jpg", "1" * 64),
    o.Evidence("a/b.jpg", "1" * 64),
    o.Evidence("CAM.jpg", "1" * 64),
    o.Evidence("cam.jpg\n", "1" * 64),
    o.Evidence("cam.png", "1" * 64),
    o.Evidence("cam.jpg.part", "1" * 64),
    o.Evidence("카드.jpg", "1" * 64),
    o.Evidence("c" * 97 + ".jpg", "1" * 64),
    o.Evidence("cam\0.jpg", "1" * 64),
    o.Evidence("cam-1.jpg", "1" * 63),
    o.Evidence("cam-1.jpg", "G" * 64),
    o.Evidence("cam-1.jpg", "A" * 64),
    o.Evidence("", ""),
)


@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_a_name_that_is_no_pictures_is_left_out_and_the_card_counts(bad: o.Evidence) -> None:
    given = to_input(read("KH", 1, bad, ONE))
    assert isinstance(given, i.CardSeen)
    assert given.card == card_of("KH", "A", 1)
    assert given.evidence == MINE[:1]


def test_of_one_read_so_many_pictures_are_kept_and_none_twice() -> None:
    many = tuple(o.Evidence(f"cam-{n}.jpg", f"{n:064x}") for n in range(PICTURES + 3))
    assert len(pictures(many)) == PICTURES
    assert pictures((ONE, ONE, TWO)) == MINE


CAMERAS_OWN = (
    "one_look",
    "contradiction",
    "witnesses_disagree",
    "one_witness",
    "two_cards",
    "joker",
    "card_back",
)


@pytest.mark.parametrize("reason", CAMERAS_OWN)
def test_a_camera_sees_that_something_passed_also_where_it_cannot_tell_what(reason: str) -> None:
    given = to_input(o.NoRead(*AT, reason))
    assert isinstance(given, i.ReadMissed)
    assert given.passed


@pytest.mark.parametrize("reason", ["pushed_back", "disputed"])
def test_what_was_told_already_has_not_passed_a_second_time(reason: str) -> None:
    given = to_input(o.NoRead(*AT, reason))
    assert isinstance(given, i.ReadMissed)
    assert not given.passed


# --- in the journal -------------------------------------------------------------------------


def test_each_picture_is_under_the_hash_of_its_fact(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.append((f.Observed("shoe", "card", "", "", evidence=MINE),), STAMP, told)
    body = journal.db.execute("SELECT body FROM facts").fetchone()[0]
    assert json.loads(body)["evidence"][0] == {"name": ONE.name, "sha256": ONE.sha256}
    changed = body.replace("1" * 64, "3" * 64)
    journal.db.execute("UPDATE facts SET body=?", (changed,))
    journal.close()
    with pytest.raises(Exception, match="does not fit the chain"):
        verify(tmp_path / "journal.db")


# Facts as the release before this one wrote them: nothing of pictures in them.
OLD = (
    ("StationStarted", '{"fact":"StationStarted","table":"T01","kind":"test","release":"0",'
     '"devices":["shoe"],"host":"link","boards":[],"timed":false}'),
    ("Observed", '{"fact":"Observed","device":"shoe","saw":"no_read","text":"","raw":"",'
     '"at_ms":0,"face":"","passed":false}'),
    ("TableHeld", '{"fact":"TableHeld","hold":1,"code":"unknown_card","device":"shoe",'
     '"params":{"reason":"unread"},"cards":[]}'),
)  # fmt: skip


def test_a_journal_of_the_release_before_folds_as_it_is_and_its_chain_holds(tmp_path: Path) -> None:
    path, prev = tmp_path / "journal.db", GENESIS
    journal = Journal(path)
    for seq, (kind, body) in enumerate(OLD, 1):
        mark = row_hash(seq, STAMP, 0, kind, 3, body, prev)
        row = (seq, *STAMP, 0, kind, 3, body, prev, mark, None)
        journal.db.execute("INSERT INTO facts VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
        prev = mark
    journal.close()
    found = verify(path)
    assert (found.facts, found.head) == (3, prev)
    (hold,) = found.table.holds
    assert (hold.evidence, found.table.read and found.table.read.evidence) == ((), ())
    journal = Journal(path)
    journal.append((f.Observed("shoe", "card", "", "", evidence=MINE),), STAMP, told)
    journal.close()
    table = verify(path).table
    assert table.read is not None
    assert table.read.evidence == MINE


def test_what_this_release_writes_no_earlier_one_reads_in_silence() -> None:
    body = msgspec.json.encode(f.Observed("shoe", "card", "", "", evidence=MINE)).decode()
    assert upcast("Observed", 4, body) == body
    assert Row(1, "", 0, "", 0, "Observed", 4, body, "", "").fact == f.Observed(
        "shoe", "card", "", "", evidence=MINE
    )


# --- what is shown with them ----------------------------------------------------------------


def give(play: Play, face: str, deck: int, *evidence: o.Evidence) -> None:
    given = to_input(read(face, deck, *evidence))
    assert isinstance(given, i.CardSeen)
    play.give(given)


def test_a_hold_bears_the_pictures_of_the_read_that_led_to_it() -> None:
    play = Play().open_table().bet()
    give(play, "KH", 1, ONE, TWO)
    (hold,) = play.table.holds
    assert (hold.code, hold.evidence) == ("exposed_card", MINE)
    (held,) = play.of(f.TableHeld)
    assert isinstance(held, f.TableHeld)
    assert held.evidence == MINE


def test_a_hold_that_no_read_led_to_bears_none() -> None:
    play = Play().open_table().bet().close()
    give(play, "KH", 1, ONE)
    play.give(i.DeviceHealth("shoe", "lost", ""))
    play.must(CONSOLE, i.ReportError("misdeal"))
    assert [hold.evidence for hold in play.table.holds] == [(), ()]


def test_a_kept_card_that_is_dealt_later_is_not_on_the_last_pictures() -> None:
    play = Play(TableRules(incident_policy="house")).open_table().deal("5S 9S 8S 6S 7S")
    give(play, "2H", 1, TWO)
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    play.give(i.ReadMissed("shoe", "unread", "", "", False, evidence=MINE[:1]))
    for hold in play.table.holds:
        play.must(PIT, i.Rule(hold.hold, "release", "", None))
    play.act("hit")
    assert play.table.read is not None
    assert (play.table.read.outcome, play.table.read.face) == ("dealt", "2H")
    assert play.table.read.evidence == ()


@pytest.fixture
def shoe(tmp_path: Path) -> Callable[[Play], Journal]:
    def stored(play: Play) -> Journal:
        journal = Journal(tmp_path / "journal.db")
        journal.append(tuple(play.facts), STAMP, told)
        return journal

    return stored


def test_n8_of_a_card_read_twice_both_suspects_pictures_are_found(
    shoe: Callable[[Play], Journal],
) -> None:
    play = Play().open_table().bet().close()
    give(play, "KH", 1, ONE)
    give(play, "2C", 1)
    give(play, "KH", 1, TWO)
    (hold,) = play.table.holds
    assert (hold.code, hold.evidence) == ("duplicate_card", MINE[1:])
    order, round_ = hold.params["first_order"], hold.params["first_round"]
    assert isinstance(order, int)
    assert isinstance(round_, int)
    journal = shoe(play)
    assert when_it_left(journal.db, order, round_) == Left(STAMP.utc, MINE[:1])
    assert when_it_left(journal.db, 2, round_) == Left(STAMP.utc, ())
    assert when_it_left(journal.db, 9, round_) == Left()
    journal.close()


def test_a_kept_cards_place_in_the_shoe_has_its_own_read(shoe: Callable[[Play], Journal]) -> None:
    play = Play(TableRules(incident_policy="house")).open_table().deal("5S 9S 8S 6S 7S")
    give(play, "2H", 1, TWO)
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    play.act("hit")
    dealt = [fact for fact in play.of(g.CardDealt) if isinstance(fact, g.CardDealt)][-1]
    assert dealt.card.face == "2H"
    journal = shoe(play)
    found = when_it_left(journal.db, dealt.order, dealt.round)
    journal.close()
    assert found.evidence == MINE[1:]
