"""`dealer-station staff` at a live table: who may change people, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from drivers.badge import is_badge
from station import cli_staff
from station.cli import app
from station.staff import Staff
from station.staff_file import read

FILE = '[table]\nid = "T01"\nkind = "{kind}"\n'
MANAGER, DEALER, OTHER = ("3001", "8462"), ("1001", "5937"), ("3002", "2749")
UNTIL = ("--licence", "L-1", "--licence-until", "2099-12-31", "--game-until", "2099-12-31")
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line of a live table with a manager and a dealer; not root's."""
    config = tmp_path / "table.toml"
    config.write_text(FILE.format(kind="live"))
    root = [True]
    monkeypatch.setattr(cli_staff, "is_root", lambda: root[0])

    def run_(*arguments: str, typed: tuple[str, ...] = (), as_root: bool = False) -> Result:
        root[0] = as_root
        text = "".join(f"{line}\n" for line in typed)
        return CliRunner().invoke(app, ["staff", *arguments, "-c", str(config)], input=text)

    for (number, pin), role, more in (
        (MANAGER, "shift_manager", ()),
        (DEALER, "dealer", UNTIL),
    ):
        done = run_("add", number, "--name", "X", "--role", role, *more, typed=(pin, pin),
                    as_root=True)  # fmt: skip
        assert done.exit_code == 0, done.stderr
    return run_


def staff_of(tmp_path: Path) -> Staff:
    return Staff.load(tmp_path / "staff.json", "live")


COMMANDS = {
    "add": ("add", "1002", "--name", "Y"),
    "licence": ("licence", "1001", "--game-until", "2099-01-01"),
    "disable": ("disable", "1001", "--why", "left"),
    "enable": ("enable", "1001"),
    "reset": ("reset", "1001"),
    "unlock": ("unlock", "1001"),
    "badge": ("badge", "1001"),
}


def test_every_right_of_the_command_line_is_tried_here() -> None:
    assert set(COMMANDS) == set(cli_staff.RIGHTS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_dealers_credentials_change_nobody(run: Run, tmp_path: Path, command: str) -> None:
    before = read(tmp_path / "staff.json", "live").people
    for who in (DEALER, (DEALER[0], "0000"), ("nobody", DEALER[1]), (MANAGER[0], DEALER[1])):
        done = run(*COMMANDS[command], typed=(*who, "6183", "6183"))
        assert done.exit_code == 2
        assert "dealer-station: " in done.stderr
    after = read(tmp_path / "staff.json", "live").people
    assert [(p.staff, p.pin, p.badge, p.unlock, p.disabled) for p in after] == [
        (p.staff, p.pin, p.badge, p.unlock, p.disabled) for p in before
    ]


def test_a_shift_manager_proves_it_and_is_named_in_the_change(run: Run, tmp_path: Path) -> None:
    done = run("add", "1002", "--name", "Y", *UNTIL, typed=(*MANAGER, "6183", "6183"))
    assert done.exit_code == 0, done.stderr
    assert staff_of(tmp_path).prove("1002", "6183").refusal is None
    changes = [(c.by, c.did, c.staff) for c in staff_of(tmp_path).file.changes]
    assert changes == [
        ("root", "add", "3001"),
        ("root", "add", "1001"),
        ("3001", "add", "1002"),
    ]


def test_no_pin_is_ever_an_argument(run: Run) -> None:
    for command in cli_staff.RIGHTS:
        told = run(command, "--help").stdout
        assert "--pin" not in told
        assert "--secret" not in told


@pytest.mark.parametrize("pin", ["1234", "1002", "5555", "123"])
def test_a_weak_pin_is_refused_before_it_is_asked_for_again(
    run: Run, tmp_path: Path, pin: str
) -> None:
    done = run("add", "1002", "--name", "Y", typed=(*MANAGER, pin))
    assert done.exit_code == 2
    assert "PIN" in done.stderr.splitlines()[-1]
    assert staff_of(tmp_path).file.entry("1002") is None


def test_somebody_who_is_there_is_not_added_over(run: Run) -> None:
    done = run("add", "1001", "--name", "Y", typed=MANAGER)
    assert done.exit_code == 2
    assert "staff reset 1001" in done.stderr


def test_a_dealer_without_a_licence_is_added_and_it_is_said(run: Run, tmp_path: Path) -> None:
    done = run("add", "1002", "--name", "Y", typed=(*MANAGER, "6183", "6183"))
    assert "no_licence" in done.stdout
    half = run("licence", "1002", "--number", "L-2", typed=MANAGER)
    assert (half.exit_code, "give --number and --until" in half.stderr) == (2, True)
    bad = run("licence", "1002", "--number", "L-2", "--until", "31.12.2099", typed=MANAGER)
    assert "2027-12-31" in bad.stderr
    run("licence", "1002", "--number", "L-2", "--until", "2099-12-31", "--game-until",
        "2099-12-31", typed=MANAGER)  # fmt: skip
    assert staff_of(tmp_path).prove("1002", "6183").refusal is None


def test_nobody_disables_the_last_shift_manager(run: Run, tmp_path: Path) -> None:
    for as_root in (False, True):
        done = run("disable", "3001", "--why", "x", typed=MANAGER, as_root=as_root)
        assert done.exit_code == 2
        assert "last shift manager" in done.stderr
    # One who has only a one-time secret cannot sign in, and does not count.
    run("add", "3002", "--name", "Z", "--role", "shift_manager", typed=(*MANAGER, "2749", "2749"))
    run("reset", "3002", typed=MANAGER)
    assert run("disable", "3001", "--why", "x", typed=MANAGER).exit_code == 2
    once = run("reset", "3002", "--again", as_root=True).stdout.split("secret: ")[1].split()[0]
    assert run("reset", "3002", typed=(once, *OTHER[1:], OTHER[1])).exit_code == 0
    assert run("disable", "3001", "--why", "left", typed=OTHER).exit_code == 0
    assert staff_of(tmp_path).check(*MANAGER) is None
    done = run("enable", "3001", typed=MANAGER)
    assert (done.exit_code, "person_disabled" in done.stderr) == (2, True)
    assert run("enable", "3001", typed=OTHER).exit_code == 0
    assert staff_of(tmp_path).check(*MANAGER) is not None


def test_a_one_time_secret_is_exchanged_for_a_pin_and_for_nothing_else(
    run: Run, tmp_path: Path
) -> None:
    done = run("reset", "1001", typed=MANAGER)
    once = done.stdout.split("one-time secret: ")[1].split()[0]
    assert staff_of(tmp_path).prove(*DEALER).person is None, "the old PIN is void at once"
    wrong = run("reset", "1001", typed=("AAAA-BBBB-CCCC", "6183", "6183"))
    assert (wrong.exit_code, "not the one-time secret" in wrong.stderr) == (2, True)
    weak = run("reset", "1001", typed=(once, "1001", "1001"))
    assert (weak.exit_code, "own number" in weak.stderr) == (2, True)
    other = run("reset", "1001", typed=(once, "6183", "6184"))
    assert (other.exit_code, "not the same" in other.stderr) == (2, True)
    assert run("reset", "1001", typed=(once.lower(), "6183", "6183")).exit_code == 0
    assert staff_of(tmp_path).prove("1001", "6183").refusal is None
    assert staff_of(tmp_path).prove("1001", once).person is None
    assert once not in (tmp_path / "staff.json").read_text()


def test_guessing_at_the_command_line_ends_after_five(run: Run, tmp_path: Path) -> None:
    for _ in range(cli_staff.TRIES):
        run("unlock", "1001", typed=(MANAGER[0], "0000"))
    done = run("unlock", "1001", typed=MANAGER)
    assert (done.exit_code, "is locked here" in done.stderr) == (2, True)
    assert [c.did for c in staff_of(tmp_path).file.changes].count("wrong_pin") == 5
    assert run("unlock", "3001", as_root=True).exit_code == 0
    assert run("unlock", "1001", typed=MANAGER).exit_code == 0


def test_an_unlock_has_a_new_number_each_time_whatever_the_clock_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("station.cli_staff.time.time", lambda: 1000.0)
    numbers = []
    for _ in range(3):
        run("unlock", "1001", typed=MANAGER)
        entry = staff_of(tmp_path).file.entry("1001")
        assert entry is not None
        numbers.append(entry.unlock)
    assert numbers == [1000, 1001, 1002]
    assert "another shift manager" in run("unlock", "3001", typed=MANAGER).stderr


def test_a_badge_is_printed_once_and_only_its_hash_is_kept(run: Run, tmp_path: Path) -> None:
    texts = []
    for _ in range(2):
        done = run("badge", "1001", typed=MANAGER)
        texts.append(done.stdout.split("encode on the badge of 1001: ")[1].split()[0])
    assert all(is_badge(text) for text in texts)
    staff = staff_of(tmp_path)
    assert staff.prove_badge(texts[0]).person is None, "the earlier one opens nothing any more"
    assert staff.prove_badge(texts[1]).refusal is None
    assert texts[1][3:20] not in (tmp_path / "staff.json").read_text()


def test_the_list_has_no_hash_and_the_changes_no_secret(run: Run, tmp_path: Path) -> None:
    run("badge", "1001", typed=MANAGER)
    said = run("list", "--json").stdout + run("list", "--changes", "--json").stdout
    said += run("list").stdout + run("list", "--changes").stdout
    for entry in staff_of(tmp_path).file.people:
        assert entry.pin not in said
        assert not entry.badge or entry.badge not in said
    assert "argon2" not in said
    assert json.loads(run("list", "--json").stdout)[1]["badge"] is True


def test_a_test_tables_people_are_anybodys_to_change_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_staff, "is_root", lambda: False)
    config = tmp_path / "table.toml"
    config.write_text(FILE.format(kind="test"))
    Staff.load(tmp_path / "staff.json", "test")
    done = CliRunner().invoke(app, ["staff", "badge", "1001", "-c", str(config)])
    assert done.exit_code == 0
    assert read(tmp_path / "staff.json", "test").changes[-1].by == "test table"


def test_where_nobody_is_yet_it_is_said_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_staff, "is_root", lambda: False)
    config = tmp_path / "table.toml"
    config.write_text(FILE.format(kind="live"))
    done = CliRunner().invoke(app, ["staff", "add", "1001", "--name", "X", "-c", str(config)])
    assert done.exit_code == 2
    assert "start the table once from a terminal" in done.stderr
    assert not (tmp_path / "staff.json").exists()


def test_wrong_pins_at_a_quarantine_are_counted_and_lock_as_everywhere(
    run: Run, tmp_path: Path
) -> None:
    technician = ("4001", "6183")
    pins = (technician[1], technician[1])
    done = run("add", technician[0], "--name", "T", "--role", "technician", typed=pins,
               as_root=True)  # fmt: skip
    assert done.exit_code == 0, done.stderr

    def sealed(*typed: str) -> Result:
        config = str(tmp_path / "table.toml")
        order = ["journal", "quarantine", "--technician", technician[0], "--manager", MANAGER[0]]
        text = "".join(f"{line}\n" for line in typed)
        return CliRunner().invoke(app, [*order, "-c", config], input=text)

    for _ in range(cli_staff.TRIES):
        wrong = sealed(technician[1], "0000")
        assert wrong.exit_code != 0
        assert "staff number or PIN is wrong (3001)" in wrong.stderr
    locked = sealed(technician[1], MANAGER[1])
    assert locked.exit_code != 0
    assert "3001 is locked here" in locked.stderr
    # The technician, whose PIN was right each time, is not.
    entry = staff_of(tmp_path).file.entry(technician[0])
    assert entry is not None
    assert entry.tries == 0
