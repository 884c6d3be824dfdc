"""`dealer-station evidence`: reads with their pictures, told, verified, and exported to check."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from station import evidence_export
from station.cli import app
from station.cli_evidence import of_fact, of_round
from station.evidence import folder_of
from station.game.cards import card_of
from station.journal import Journal, JournalError, Stamp
from station.table import facts as f
from station.table import inputs as i
from station.telling import told
from tests.support.play import Play


def picture(folder: Path, name: str) -> f.Picture:
    data = f"picture {name}".encode()
    (folder / name).write_bytes(data)
    return f.Picture(name, hashlib.sha256(data).hexdigest())


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A round in which a card was missed, read, read again, and another one exposed."""
    path = tmp_path / "journal.db"
    folder = folder_of(path)
    folder.mkdir(mode=0o700)
    stored = Journal(path)
    play = Play().open_table()
    clock = 0

    def store() -> None:
        nonlocal clock
        clock += 1
        stamp = Stamp(f"2026-01-01T00:00:{clock:02}.000000Z", clock, "boot")
        stored.append(tuple(play.facts[stored.seq :]), stamp, told)

    def seen(face: str, deck: int, *names: str, numbered: bool = True) -> i.CardSeen:
        evidence = tuple(picture(folder, name) for name in names)
        card = card_of(face, "A", deck)
        return i.CardSeen("cam", card, f"A{face}{deck}", "", 0, numbered, evidence=evidence)

    play.bet().close()
    store()
    missed = (picture(folder, "a1.jpg"),)
    play.give(i.ReadMissed("cam", "contradiction", "index KH, QH", "", True, evidence=missed))
    store()
    play.give(seen("KH", 7, "b1.jpg", "b2.jpg", numbered=False))
    play.give(seen("KH", 7, "c1.jpg"))
    store()
    play.give(seen("2C", 1))
    play.give(seen("9D", 1, "d1.jpg"))
    play.give(seen("8S", 1, "e1.jpg"))
    play.give(seen("7S", 1, "f1.jpg"))
    play.give(seen("5S", 3, "g1.jpg"))
    store()
    stored.close()
    return path


def run(*words: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == code, done.output
    return done.stdout


def told_as(*words: str | Path, code: int = 0) -> Any:
    return json.loads(run(*words, "--json", code=code))


# --- show -----------------------------------------------------------------------------------


def test_each_read_of_a_round_with_what_it_became_also_where_reads_share_a_transaction(
    journal: Path,
) -> None:
    found = of_round(journal, 1)
    assert [(read.outcome, read.face, read.where) for read in found] == [
        ("no_read", "", ""),
        ("dealt", "KH", "seat 1"),
        ("repeat", "KH", ""),
        ("dealt", "2C", "seat 3"),
        ("dealt", "9D", "dealer"),
        ("dealt", "8S", "seat 1"),
        ("dealt", "7S", "seat 3"),
        ("exposed", "5S", ""),
    ]
    assert found[0].why == "contradiction"
    assert found[-1].holds == ("exposed_card",)
    assert [one.name for one in found[1].evidence] == ["b1.jpg", "b2.jpg"]


def test_shown_to_people_each_read_names_its_pictures(journal: Path) -> None:
    text = run("evidence", "show", "1", "--journal", journal)
    assert "dealt K♥ of deck 7 → seat 1" in text
    assert "no_read contradiction (index KH, QH)" in text
    assert "HOLD exposed_card" in text
    assert f"{folder_of(journal) / 'b2.jpg'}  as it was read" in text


def test_a_fact_leads_to_the_read_it_followed_from(journal: Path) -> None:
    reads = told_as("evidence", "show", "1", "--journal", journal)["reads"]
    dealt = reads[1]["seq"] + 1
    (one,) = told_as("evidence", "show", "--fact", str(dealt), "--journal", journal)["reads"]
    assert one == reads[1]
    assert [read.seq for read in of_fact(journal, reads[2]["seq"])] == [reads[2]["seq"]]


@pytest.mark.parametrize("fact", [1, 9999])
def test_a_fact_no_reader_said_has_no_read(journal: Path, fact: int) -> None:
    with pytest.raises(JournalError, match=f"fact {fact} is not there"):
        of_fact(journal, fact)


def test_a_round_or_a_fact_is_asked_for_and_not_both(journal: Path) -> None:
    run("evidence", "show", "--journal", journal, code=2)
    run("evidence", "show", "1", "--fact", "3", "--journal", journal, code=2)
    run("evidence", "show", "77", "--journal", journal, code=2)


def test_a_journal_without_pictures_says_so(journal: Path) -> None:
    assert "no pictures" in run("evidence", "show", "0", "--journal", journal)
    shutil.rmtree(folder_of(journal))
    assert "MISSING" in run("evidence", "show", "1", "--journal", journal)


# --- verify ---------------------------------------------------------------------------------


def test_all_pictures_as_they_were_is_in_order(journal: Path) -> None:
    document = told_as("evidence", "verify", "--journal", journal)
    assert document["ok"]
    assert (document["found"]["pictures"], document["found"]["kept"]) == (8, 8)


def test_a_changed_and_a_missing_picture_are_named_with_their_facts(journal: Path) -> None:
    (folder_of(journal) / "b1.jpg").write_bytes(b"another picture")
    (folder_of(journal) / "c1.jpg").unlink()
    (folder_of(journal) / "zz.jpg").write_bytes(b"")
    found = told_as("evidence", "verify", "--journal", journal, code=1)["found"]
    reads = of_round(journal, 1)
    assert found["changed"] == [[reads[1].seq, "b1.jpg"]]
    assert found["missing"] == [[reads[2].seq, "c1.jpg"]]
    assert found["unnamed"] == ["zz.jpg"]


def test_what_the_station_took_away_is_told_as_such_and_is_no_damage(journal: Path) -> None:
    stored = Journal(journal)
    stamp = Stamp("2026-03-01T00:00:00.000000Z", 1, "boot")
    stored.append((f.EvidenceRemoved(("a1.jpg", "b1.jpg"), "days"),), stamp, told)
    stored.close()
    for name in ("a1.jpg", "b1.jpg"):
        (folder_of(journal) / name).unlink()
    document = told_as("evidence", "verify", "--journal", journal)
    assert (document["found"]["kept"], document["found"]["removed"]) == (6, 2)
    assert "taken away by the station" in run("evidence", "show", "1", "--journal", journal)


def test_a_link_in_place_of_the_folder_is_refused(journal: Path, tmp_path: Path) -> None:
    folder_of(journal).rename(tmp_path / "moved")
    folder_of(journal).symlink_to(tmp_path / "moved")
    assert "it is a link" in told_as("evidence", "verify", "--journal", journal, code=2)["error"]


# --- export ---------------------------------------------------------------------------------


@pytest.fixture
def exported(journal: Path, tmp_path: Path) -> Path:
    """An export, and nothing else: the journal is gone."""
    out = tmp_path / "round-1"
    run("evidence", "export", "1", out, "--journal", journal)
    for path in journal.parent.glob("journal.db*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return out


def test_an_export_is_whole_without_its_journal(exported: Path) -> None:
    document = told_as("evidence", "check", exported)
    assert document["ok"]
    assert document["manifest"]["round"] == 1
    assert document["manifest"]["table"] == "T01"
    names = {path.name for path in (exported / "pictures").iterdir()}
    assert names == {f"{name}.jpg" for name in ("a1", "b1", "b2", "c1", "d1", "e1", "f1", "g1")}


@pytest.mark.parametrize("name", ["b1.jpg", "g1.jpg"])
def test_an_export_with_a_changed_picture_is_not_whole(exported: Path, name: str) -> None:
    (exported / "pictures" / name).write_bytes(b"another")
    (fault,) = told_as("evidence", "check", exported, code=1)["faults"]
    assert name in fault


def test_an_export_with_a_picture_less_or_more_is_not_whole(exported: Path) -> None:
    (exported / "pictures" / "b1.jpg").unlink()
    (exported / "pictures" / "more.jpg").write_bytes(b"")
    faults = told_as("evidence", "check", exported, code=1)["faults"]
    assert [fault.split(":")[0] for fault in faults] == ["pictures/b1.jpg", "pictures/more.jpg"]


def test_a_picture_changed_together_with_its_manifest_is_found_by_the_facts(
    exported: Path,
) -> None:
    data = b"another"
    (exported / "pictures" / "b1.jpg").write_bytes(data)
    manifest = json.loads((exported / "manifest.json").read_text())
    for one in manifest["pictures"]:
        if one["name"] == "b1.jpg":
            one["sha256"] = hashlib.sha256(data).hexdigest()
    (exported / "manifest.json").write_text(json.dumps(manifest))
    (fault,) = told_as("evidence", "check", exported, code=1)["faults"]
    assert fault == "manifest.json: b1.jpg is not as a fact names it"


def test_facts_changed_left_out_or_cut_off_are_found(exported: Path) -> None:
    file = exported / "facts.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    for changed in (
        [line.replace(b"KH7", b"QH7") for line in lines],
        lines[:5] + lines[6:],
        lines[:-1],
        lines[1:],
    ):
        file.write_bytes(b"".join(changed))
        faults = told_as("evidence", "check", exported, code=1)["faults"]
        assert any(fault.startswith("facts.jsonl:") for fault in faults)


def test_what_is_no_export_is_refused(tmp_path: Path, exported: Path) -> None:
    run("evidence", "check", tmp_path / "nothing", code=2)
    (exported / "manifest.json").write_text("{}")
    run("evidence", "check", exported, code=2)


def test_an_export_overwrites_nothing(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    run("evidence", "export", "1", tmp_path / "there", "--journal", journal, code=2)
    assert list((tmp_path / "there").iterdir()) == []


def test_an_export_says_which_pictures_there_were_and_are_no_more(
    journal: Path, tmp_path: Path
) -> None:
    (folder_of(journal) / "b1.jpg").unlink()
    (folder_of(journal) / "c1.jpg").write_bytes(b"another")
    text = run("evidence", "export", "1", tmp_path / "out", "--journal", journal, code=1)
    assert "missing  b1.jpg" in text
    assert "changed  c1.jpg" in text
    assert "NOT ALL: pictures missing or changed: 2; facts and the others are" in text
    assert "b1.jpg (fact " in run("evidence", "check", tmp_path / "out")
    out = tmp_path / "again"
    assert told_as("evidence", "export", "1", out, "--journal", journal, code=1)["ok"] is False
    document = told_as("evidence", "check", tmp_path / "out")
    states = {one["name"]: one["state"] for one in document["manifest"]["pictures"]}
    assert states["b1.jpg"] == "missing"


def refused(*words: str | Path) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == 2, done.output
    (line,) = done.stderr.splitlines()
    assert "Errno" not in line
    return line.removeprefix("dealer-station: ")


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("there", "{}/there: there is something of this name already; name a new folder"),
        ("none/out", "{}/none/out: there is no folder {}/none; make it first, or name another"),
        ("file/out", "{}/file/out: a part of this path is a file, not a folder; name another"),
    ],
)
def test_where_an_export_cannot_go_is_named_with_what_to_do(
    journal: Path, tmp_path: Path, out: str, said: str
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").touch()
    line = refused("evidence", "export", "1", tmp_path / out, "--journal", journal)
    assert line.startswith(said.replace("{}", str(tmp_path)))


def test_an_export_that_fails_half_way_leaves_nothing(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def write(file: Path, data: bytes | None) -> None:
        written.append(file)
        if len(written) == 3:
            raise OSError(errno.ENOSPC, "No space left on device", str(file))
        file.write_bytes(data or b"")

    monkeypatch.setattr(evidence_export, "_write", write)
    line = refused("evidence", "export", "1", tmp_path / "out", "--journal", journal)
    assert "the disk is full; nothing was exported. Make room" in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("folder", "{}: no folder is there; name the one that `evidence export` wrote"),
        ("manifest.json", "{}/manifest.json: it is not there: this is no export, or no whole one"),
        ("facts.jsonl", "{}/facts.jsonl: it is not there: this is no export, or no whole one"),
        ("words", "{}/manifest.json: it is not as `evidence export` writes it: changed, or"),
        ("version", "{}: an export of version 9; this release reads 1. Check it with the release"),
    ],
)
def test_what_is_no_export_is_said_to_be_none_in_plain_words(
    exported: Path, spoil: str, said: str
) -> None:
    manifest = exported / "manifest.json"
    match spoil:
        case "folder":
            shutil.rmtree(exported)
        case "words":
            manifest.write_text("only text")
        case "version":
            manifest.write_text(manifest.read_text().replace('"version": 1', '"version": 9'))
        case _:
            (exported / spoil).unlink()
    assert refused("evidence", "check", exported).startswith(said.replace("{}", str(exported)))
