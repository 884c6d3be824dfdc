"""The staff file: who can read it, what is in it, how it changes under a running station."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from station import staff_secrets as secret
from station.duty import Duty
from station.staff import FIRST, Staff, StaffError
from station.staff_file import Disabled, Entry, Licence, StaffFile, alone, read, write
from station.table.facts import Person


def live(path: Path, *people: Entry) -> Staff:
    write(path, StaffFile("live", people))
    return Staff.load(path, "live")


def dealer(pin: str = "8264") -> Entry:
    return Entry(
        "1001",
        "한지민",
        "dealer",
        secret.hashed(pin),
        licence=Licence("L-1", "2099-12-31"),
        games={"blackjack": "2099-12-31"},
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "staff.json"


# --- the file --------------------------------------------------------------------------------


def test_it_is_its_owners_alone_whatever_the_umask(file: Path) -> None:
    old = os.umask(0)
    try:
        Staff.load(file, "test")
    finally:
        os.umask(old)
    assert file.stat().st_mode & 0o777 == 0o600
    assert (file.with_name("staff.json.lock").stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_one_that_others_can_touch_is_refused_with_what_to_do(file: Path, mode: int) -> None:
    live(file, dealer())
    file.chmod(mode)
    with pytest.raises(StaffError, match=f"{mode:04o}.*chmod 600"):
        Staff.load(file, "live")


def test_a_symbolic_link_is_refused(file: Path, tmp_path: Path) -> None:
    live(tmp_path / "elsewhere.json", dealer())
    file.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(StaffError, match="symbolic link"):
        Staff.load(file, "live")


def test_a_file_of_todays_format_still_loads(file: Path) -> None:
    old = {"staff": "2001", "name": "X", "role": "supervisor", "pin": secret.hashed("5937")}
    file.touch(0o600)
    file.write_text(json.dumps({"kind": "live", "people": [old]}))
    person = Staff.load(file, "live").prove("2001", "5937")
    assert (person.person, person.refusal) == (Person("2001", "X", "supervisor"), None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "put back a good copy"),
        ('{"kind":"live","peeple":[]}', "peeple"),
        ('{"kind":"test","people":[]}', "never mixed"),
        ('{"kind":"live","people":[%s,%s]}', "stands twice"),
    ],
)
def test_a_broken_file_is_named_and_no_hash_is_said(file: Path, text: str, said: str) -> None:
    one = msgspec.json.encode(dealer()).decode()
    file.touch(0o600)
    file.write_text(text.replace("%s", one))
    with pytest.raises(StaffError, match=said) as error:
        Staff.load(file, "live")
    assert str(file) in str(error.value)
    assert "argon2" not in str(error.value)


def test_a_write_that_fails_leaves_the_file_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(file, dealer())
    before = file.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(file, StaffFile("live"))
    assert file.read_bytes() == before
    assert not file.with_name("staff.json.new").exists()


def test_two_writers_at_once_lose_nothing(file: Path) -> None:
    write(file, StaffFile("live"))

    def add(number: int) -> None:
        with alone(file):
            staff = Staff.load(file, "live")
            staff.put(Entry(str(number), "X", "auditor", ""), "root", "add")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {entry.staff for entry in read(file, "live").people} == {str(n) for n in range(20)}
    assert len(read(file, "live").changes) == 20


def test_a_changed_file_is_taken_up_and_a_broken_one_keeps_the_old_people(file: Path) -> None:
    staff = live(file, dealer())
    assert not staff.refresh()
    write(file, StaffFile("live", (dealer("9317"),)))
    assert staff.refresh()
    assert staff.prove("1001", "9317").person is not None
    file.chmod(0o644)
    assert not staff.refresh()
    assert "chmod 600" in staff.broken
    assert staff.prove("1001", "9317").person is not None
    file.unlink()
    assert not staff.refresh()
    assert "gone" in staff.broken
    write(file, StaffFile("live", ()))
    assert staff.refresh()
    assert staff.broken == ""
    assert staff.prove("1001", "9317").person is None


# --- who may -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, ""),
        ({"licence": None}, "no_licence"),
        ({"licence": Licence("L-1", "2026-11-29")}, "licence_over"),
        ({"licence": Licence("L-1", "2026-11-30")}, ""),
        ({"games": {}}, "game_not_permitted"),
        ({"games": {"baccarat": "2099-12-31"}}, "game_not_permitted"),
        ({"games": {"blackjack": "2026-11-29"}}, "game_permission_over"),
        ({"once": True}, "pin_is_once"),
        ({"disabled": Disabled("2026-01-01T00:00:00Z", "3001", "left")}, "person_disabled"),
        ({"role": "supervisor", "licence": None}, ""),
    ],
)
def test_a_dealer_needs_a_valid_licence_and_the_permission_for_this_game(
    file: Path, change: dict[str, object], code: str
) -> None:
    entry = replace(dealer(), **change)
    refusal = live(file, entry).why_not(entry, "2026-11-30")
    assert (refusal.code if refusal else "") == code
    if refusal is not None and code.endswith("_over"):
        assert refusal.params["until"] == "2026-11-29"


def test_why_not_is_told_only_to_who_has_the_right_pin(file: Path) -> None:
    staff = live(file, replace(dealer(), licence=None))
    assert staff.prove("1001", "8264").refusal is not None
    wrong = staff.prove("1001", "0001")
    assert (wrong.person, wrong.refusal) == (None, None)
    assert staff.prove("nobody", "8264") == wrong


def test_the_people_of_a_test_table_need_no_licence_but_one_that_is_over_counts(
    file: Path,
) -> None:
    staff = Staff.load(file, "test")
    assert staff.prove("1001", "1001").refusal is None
    entry = replace(staff.file.people[0], licence=Licence("L", "2020-01-01"))
    refusal = staff.why_not(entry)
    assert refusal is not None
    assert refusal.code == "licence_over"


def test_only_the_hash_of_a_badge_is_kept(file: Path) -> None:
    text = "%DSAAAQEAYEAUDAOCAJBIFQYDIOB4Q"
    staff = live(file, replace(dealer(), badge=secret.badge_hash(text)))
    assert staff.prove_badge(text).person == Person("1001", "한지민", "dealer")
    assert staff.prove_badge(text[:-1]).person is None
    assert staff.prove_badge("").person is None
    assert text not in file.read_text()
    assert text[3:20] not in file.read_text()


# --- the first start ----------------------------------------------------------------------------


def test_a_first_start_makes_one_shift_manager_whose_secret_is_told_once(file: Path) -> None:
    told: list[str] = []
    staff = Staff.load(file, "live", told.append)
    (text,) = told
    once = next(line.split(": ")[1] for line in text.splitlines() if "One-time" in line)
    (entry,) = staff.file.people
    assert (entry.staff, entry.role, entry.once) == (FIRST.staff, "shift_manager", True)
    proof = staff.prove(FIRST.staff, once)
    assert proof.refusal is not None
    assert proof.refusal.code == "pin_is_once"
    assert staff.check(FIRST.staff, once) is None
    Staff.load(file, "live", told.append)
    assert len(told) == 1
    assert once not in file.read_text()


def test_no_default_pin_works_on_a_live_table(file: Path) -> None:
    staff = Staff.load(file, "live", lambda _text: None)
    for pin in (FIRST.staff, "0000", "1234", "9999", "admin", ""):
        assert staff.prove(FIRST.staff, pin).person is None


def test_without_a_terminal_a_live_table_makes_nobody(file: Path) -> None:
    with pytest.raises(StaffError, match="start the table once from a terminal"):
        Staff.load(file, "live")
    assert not file.exists()


@pytest.mark.parametrize(
    ("pin", "weak"),
    [
        ("123", True),
        ("1234", True),
        ("0123", True),
        ("7890", True),
        ("8765", True),
        ("7777", True),
        ("aaaaaa", True),
        ("4821", True),
        ("1284", True),
        ("8264", False),
        ("correct horse", False),
        ("x" * 33, True),
        ("82\t64", True),
    ],
)
def test_a_pin_that_is_the_first_to_be_guessed_is_refused(pin: str, weak: bool) -> None:
    assert bool(secret.why_weak("4821", pin)) is weak


def test_one_time_secrets_are_never_the_same() -> None:
    assert len({secret.one_time_secret() for _ in range(500)}) == 500


# --- one person at one table --------------------------------------------------------------------


def test_who_is_at_one_table_is_refused_at_another_which_is_named(file: Path) -> None:
    a, b = Duty(file, "A"), Duty(file, "B")
    assert a.take("1001") == ""
    assert b.take("1001") == "A", "while A has not decided"
    a.at_table(frozenset({"1001"}))
    a.decided("1001")
    assert b.take("1001") == "A"
    assert b.take("1002") == ""
    a.at_table(frozenset())
    assert b.take("1001") == ""
    assert a.take("1001") == "B"
    a.close()
    b.close()
    assert a.take("1001") == ""
    a.close()


def test_a_login_that_is_refused_leaves_him_free(file: Path) -> None:
    a, b = Duty(file, "A"), Duty(file, "B")
    assert a.take("1001") == ""
    a.decided("1001")
    assert b.take("1001") == ""
    b.close()


def test_a_second_login_under_way_holds_him_when_the_first_is_over(file: Path) -> None:
    a, b = Duty(file, "A"), Duty(file, "B")
    assert (a.take("1001"), a.take("1001")) == ("", "")
    a.decided("1001")
    assert b.take("1001") == "A"
    a.decided("1001")
    assert b.take("1001") == ""
    b.close()


def test_the_folder_and_the_locks_tell_nobody_elses_users_anything(file: Path) -> None:
    duty = Duty(file, "A")
    duty.take("../../1001")
    (lock,) = duty.folder.iterdir()
    assert duty.folder.stat().st_mode & 0o777 == 0o700
    assert lock.stat().st_mode & 0o777 == 0o600
    duty.close()
