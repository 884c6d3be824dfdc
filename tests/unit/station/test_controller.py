"""The controller over a real journal, with a clock that is set by hand (G-05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from station import messages as m
from station import snapshot as v
from station.config import TableSection
from station.controller import INBOX, Controller
from station.game import facts as g
from station.game.rules import TableRules, fingerprint
from station.inbox import Gone, Joined, PinResult, Request
from station.journal import Journal, Stamp, rows
from station.table import facts as f
from station.table import inputs as i
from station.telling import digest_of, told
from station.view import Viewer
from tests.support.play import DEALER, SUPERVISOR, Play

STAMP = Stamp("2026-01-01T00:00:00.000000Z", 0, "boot")
SECOND = 1_000_000_000
_decoder = msgspec.json.Decoder(m.AnyStationMessage)


class HandClock:
    """Monotonic time and UTC, each set by hand."""

    def __init__(self) -> None:
        self.mono_s = 1000.0
        self.hour = 12

    def now_ns(self) -> int:
        return int(self.mono_s * SECOND)

    def utc(self) -> str:
        return f"2026-01-01T{self.hour:02}:00:00.000000Z"


class Link:
    """A session that keeps what it is sent."""

    def __init__(self, role: Any, name: str) -> None:
        self.actor = i.Actor(role, f"{role}:{name}")
        self.id = f"id-{name}"
        self.after: int | None = None
        self.said: list[Any] = []

    def send(self, *lines: bytes) -> None:
        self.said += [_decoder.decode(line) for line in lines]

    def answered(self, line: bytes) -> None:
        self.send(line)

    @property
    def now(self) -> v.Snapshot:
        found: v.Snapshot = [x for x in self.said if isinstance(x, v.Snapshot)][-1]
        return found

    @property
    def phase(self) -> str:
        return self.now.phase

    @property
    def answer(self) -> m.Answer:
        found: m.Answer = [x for x in self.said if isinstance(x, m.Answer)][-1]
        return found


class Shell:
    """A controller whose inputs are given by hand."""

    def __init__(self, path: Path, clock: HandClock, scale: float = 1.0) -> None:
        self.clock = clock
        self.journal = Journal(path)
        self.pins: list[Request] = []
        table = self.journal.load()
        self.controller = Controller(
            self.journal,
            table,
            Viewer(TableSection("T01", "test"), scale, 0, ()),
            clock,
            boot="boot",
            scale=scale,
            check_pin=self.pins.append,
        )
        self.controller.resume()
        self._count = 0

    def join(self, role: str, name: str) -> Link:
        link = Link(role, name)
        self.controller.handle(Joined(link, name))
        return link

    def ask(self, link: Link, command: m.AnyCommand, name: str = "") -> m.Answer:
        self._count += 1
        self.controller.handle(Request(link, name or f"c{self._count}", command))
        return link.answer

    def pass_time(self, seconds: float) -> None:
        self.clock.mono_s += seconds
        self.controller.fire_due()

    def kinds(self) -> list[str]:
        return [row.kind for row in rows(self.journal.db)]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Shell]]:
    """Shells over one journal, each closing the one before."""
    play = Play().open_table()
    journal = Journal(tmp_path / "journal.db")
    journal.append(tuple(play.facts), STAMP, told)
    journal.close()
    made: list[Shell] = []

    def open_(clock: HandClock | None = None, scale: float = 1.0) -> Shell:
        for shell in made:
            shell.journal.close()
        made.clear()
        made.append(Shell(tmp_path / "journal.db", clock or HandClock(), scale))
        return made[-1]

    yield open_
    for shell in made:
        shell.journal.close()


def betting(shell: Shell) -> Link:
    host = shell.join("host", "game")
    assert shell.ask(host, m.TakeSeat(1, "P1")).ok
    assert shell.ask(host, m.OpenRound(fingerprint(TableRules()))).ok
    return host


@pytest.mark.parametrize("step", [-1, +1])
def test_g_05_a_window_lasts_its_length_when_the_wall_clock_is_set(
    make: Callable[..., Shell], step: int
) -> None:
    shell = make()
    host = betting(shell)
    shell.pass_time(5)
    shell.clock.hour += step
    assert shell.ask(host, m.PlaceBet(1, 1, "P1", 1000)).ok
    countdown = host.now.countdown
    assert countdown is not None
    assert (countdown.left_ms, countdown.total_ms) == (10_000, 15_000)
    shell.pass_time(9.9)
    assert host.phase == "betting"
    shell.pass_time(0.2)
    assert host.phase == "dealing"
    stored = list(rows(shell.journal.db))
    assert [row.seq for row in stored] == list(range(1, len(stored) + 1))
    assert stored[-1].kind == "BettingClosed"
    assert [row.mono_ns for row in stored] == sorted(row.mono_ns for row in stored)


def test_g_05_a_restart_after_the_clock_went_back_starts_the_window_anew(
    make: Callable[..., Shell],
) -> None:
    betting(make())
    clock = HandClock()
    # Another boot: its monotonic clock starts below the old one.
    clock.mono_s, clock.hour = 3.0, 11
    shell = make(clock)
    host = shell.join("host", "game")
    countdown = host.now.countdown
    assert countdown is not None
    assert countdown.left_ms == countdown.total_ms == 15_000
    shell.pass_time(15)
    assert shell.kinds()[-2:] == ["RoundEmpty", "SeatLeft"]


def test_a_scaled_clock_leaves_the_reader_its_second_after_the_sensor(
    make: Callable[..., Shell],
) -> None:
    """A card falls and a reader reads no faster at a table whose clock is."""
    shell = make(scale=10.0)
    shell.controller.handle(i.CardPassed("board", "", 1_000_000))
    shell.pass_time(0.9)
    assert shell.kinds()[-1] == "CardLeft"
    shell.pass_time(0.2)
    assert "ReadFailed" in shell.kinds()


def test_a_scaled_clock_shortens_every_window(make: Callable[..., Shell]) -> None:
    shell = make(scale=10.0)
    host = betting(shell)
    countdown = host.now.countdown
    assert countdown is not None
    assert countdown.total_ms == 1500
    shell.pass_time(1.5)
    assert host.phase != "betting"


def test_a_checkpoint_is_made_with_each_shoe_and_none_can_stop_the_table(
    make: Callable[..., Shell],
) -> None:
    shell = make()
    pit = shell.join("pit", "floor")
    shell.ask(pit, m.LoadShoe("S2", "A"))
    points = shell.journal.db.execute("SELECT seq FROM checkpoints").fetchall()
    assert points == [(shell.kinds().index("CommandAnswered", -1) + 1,)]
    shell.journal.db.execute(
        "CREATE TRIGGER full BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(FAIL,'full'); END"
    )
    assert shell.ask(pit, m.LoadShoe("S3", "A")).ok
    assert pit.now.shoe.id == "S3"


def test_a_pin_is_checked_outside_and_its_result_is_an_input(make: Callable[..., Shell]) -> None:
    shell = make()
    pit = shell.join("pit", "other")
    shell.controller.handle(Request(pit, "in", m.LogIn("2001", "1234")))
    assert not [x for x in pit.said if isinstance(x, m.Answer)]
    (request,) = shell.pins
    shell.controller.handle(PinResult(request, SUPERVISOR))
    assert pit.answer.ok
    assert [p.staff for p in pit.now.staff.signed_in] == ["2001"]


def test_a_pin_of_a_link_that_ended_meanwhile_signs_nobody_in(make: Callable[..., Shell]) -> None:
    shell = make()
    pit = shell.join("pit", "other")
    shell.controller.handle(Request(pit, "in", m.LogIn("2001", "1234")))
    shell.controller.handle(Gone(pit, "other", "closed"))
    stored = shell.kinds()
    shell.controller.handle(PinResult(shell.pins[0], SUPERVISOR))
    assert shell.kinds() == stored
    again = shell.join("pit", "other")
    assert again.now.staff.signed_in == []


def test_no_pin_reaches_the_journal_not_even_as_a_digest(make: Callable[..., Shell]) -> None:
    shell = make()
    pit = shell.join("pit", "other")
    shell.controller.handle(Request(pit, "in", m.LogIn("2001", "8642")))
    shell.controller.handle(PinResult(shell.pins[0], None))
    assert pit.answer.refusal is not None
    assert pit.answer.refusal.code == "wrong_pin"
    assert all("8642" not in row.body for row in rows(shell.journal.db))
    assert digest_of(m.LogIn("2001", "8642")) == digest_of(m.LogIn("2001", "1357"))
    assert digest_of(m.LogIn("2001", "8642")) != digest_of(m.LogIn("2002", "8642"))


def test_an_inbox_that_overflows_is_a_fault_of_the_device_and_never_a_silent_loss(
    make: Callable[..., Shell],
) -> None:
    shell = make()
    console = shell.join("console", "one")
    health = i.DeviceHealth("shoe", "up", "")
    for _ in range(INBOX + 1):
        shell.controller.post_reading("shoe", health)
    assert shell.controller.overflowed == {"shoe"}
    shell.controller.handle(shell.controller.inbox.get())
    (hold,) = console.now.holds
    assert (hold.code, hold.device, hold.params["code"]) == ("device_fault", "shoe", "inbox_full")


def test_what_the_console_may_do_is_in_its_snapshot_and_the_host_is_told_nothing_of_staff(
    make: Callable[..., Shell],
) -> None:
    shell = make()
    console, host = shell.join("console", "one"), shell.join("host", "game")
    assert console.now.staff.dealer is not None
    assert console.now.staff.dealer.name == DEALER.name
    assert {a.command for a in console.now.actions} > {"wait", "report_error"}
    assert "wait" not in {a.command for a in host.now.actions}
    told_ = [x for x in host.said if isinstance(x, m.HostFact)]
    assert all(x.kind in {c.__name__ for c in g.GameFact.__subclasses__()} for x in told_)


def test_the_wrong_person_at_the_wrong_link_changes_nothing(make: Callable[..., Shell]) -> None:
    shell = make()
    console = shell.join("console", "one")
    before = shell.controller.table
    answer = shell.ask(console, m.LoadShoe("S2", "A"))
    assert answer.refusal is not None
    assert answer.refusal.code == "supervisor_only"
    assert shell.controller.table.game == before.game
    (last,) = list(rows(shell.journal.db, answer.version - 1))
    assert isinstance(last.fact, f.CommandAnswered)
    assert last.fact.refusal is not None
