"""Wrong PINs and badges: who is locked and for how long, whatever comes between, restarts too."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from station.game.refusal import Refusal, refuse
from station.table import attempts as a
from station.table import facts as f
from station.table import inputs as i
from station.table.evolve import fold
from station.table.facts import Person
from station.table.state import AT_TABLE, BADGE_SECONDS, Table, Timer, due
from station.upcast import upcast
from tests.support.play import CONSOLE, DEALER, PIT, STAFF, SUPERVISOR, Play

MANAGER = Person("3001", "김도윤", "shift_manager")
PEOPLE = {"1001": DEALER, "2001": SUPERVISOR, "3001": MANAGER}
decode = msgspec.json.Decoder(f.AnyFact).decode
encode = msgspec.json.Encoder(order="deterministic").encode


def code(refusal: Refusal | None) -> str:
    return refusal.code if refusal else ""


def wrong(play: Play, staff: str, times: int = 1, actor: i.Actor = CONSOLE) -> str:
    """So many wrong PINs; the last answer's code."""
    said = ""
    for _ in range(times):
        said = code(play.say(actor, i.LogIn(staff, None)))
    return said


def timers(play: Play, kind: str) -> list[Timer]:
    return [timer for timer in due(play.table) if timer.kind == kind]


def over(play: Play, staff: str) -> None:
    """That person's lock runs out."""
    timer = next(timer for timer in timers(play, "pin_lock") if timer.staff == staff)
    play.give(i.TimerFired(timer.name))


def barred() -> Play:
    play = Play()
    wrong(play, "1001", 5)
    for n in range(5):
        over(play, "1001")
        wrong(play, "1001", 1, i.Actor("pit", f"pit:{n}"))
    return play


def test_five_wrong_in_a_row_lock_a_person_for_five_minutes() -> None:
    play = Play()
    assert wrong(play, "1001", 4) == "wrong_pin"
    assert not timers(play, "pin_lock")
    assert wrong(play, "1001") == "wrong_pin"
    (timer,) = timers(play, "pin_lock")
    assert (timer.staff, timer.seconds) == ("1001", 300)
    refusal = play.say(CONSOLE, i.LogIn("1001", DEALER))
    assert refusal == refuse("pin_locked", "", staff="1001", minutes=5)
    over(play, "1001")
    play.must(CONSOLE, i.LogIn("1001", DEALER))


def test_each_further_wrong_one_doubles_the_lock_and_the_tenth_bars() -> None:
    play = Play()
    wrong(play, "1001", 5)
    lengths = []
    for _ in range(5):
        lengths.append(timers(play, "pin_lock")[0].seconds)
        over(play, "1001")
        wrong(play, "1001")
    assert lengths == [300, 600, 1200, 2400, 4800]
    assert not timers(play, "pin_lock"), "no time ends it"
    assert code(play.say(CONSOLE, i.LogIn("1001", DEALER))) == "pin_barred"


def test_no_name_of_a_lock_is_used_twice() -> None:
    play = Play()
    names = []
    for _ in range(3):
        wrong(play, "1001", 5)
        names.append(timers(play, "pin_lock")[0].name)
        over(play, "1001")
        play.must(CONSOLE, i.LogIn("1001", DEALER))
        play.must(CONSOLE, i.LogOut("1001"))
    assert len(set(names)) == 3
    wrong(play, "1001", 5)
    play.give(i.TimerFired(names[0]))
    assert timers(play, "pin_lock"), "the end of an old lock ends no other"


def test_one_persons_lock_never_blocks_anothers() -> None:
    play = Play()
    wrong(play, "1001", 5)
    play.must(CONSOLE, i.LogIn("1002", Person("1002", "박서준", "dealer")))
    play.must(PIT, i.LogIn("2001", SUPERVISOR))


def test_a_right_pin_resets_also_where_it_is_refused_for_another_reason() -> None:
    play = Play().open_table()
    other = Person("1002", "박서준", "dealer")
    wrong(play, "1002", 4)
    assert code(play.say(CONSOLE, i.LogIn("1002", other))) == "dealer_on_duty"
    assert play.of(f.TriesForgotten) == [f.TriesForgotten("1002", "1002", "proved")]
    wrong(play, "1002", 4)
    assert not timers(play, "pin_lock")


def test_a_check_that_ends_after_the_lock_began_is_refused_even_when_right() -> None:
    """Several guesses are on their way at once; the right one comes back last."""
    play = Play()
    for n in range(5):
        play.say(i.Actor("staff", f"staff:{n}"), i.LogIn("1001", None))
    assert code(play.say(CONSOLE, i.LogIn("1001", DEALER))) == "pin_locked"
    assert play.table.dealer is None
    assert play.table.attempts.people["1001"].wrong == 5


def test_twenty_wrong_within_an_hour_lock_one_console_for_everybody() -> None:
    play = Play()
    for n in range(20):
        assert wrong(play, f"9{n:03}") == "wrong_pin"
    assert code(play.say(CONSOLE, i.LogIn("1001", DEALER))) == "place_locked"
    play.must(PIT, i.LogIn("2001", SUPERVISOR))
    (hour,) = timers(play, "place_hour")
    assert (hour.place, hour.seconds) == (CONSOLE.link, 3600)
    play.give(i.TimerFired(hour.name))
    play.must(CONSOLE, i.LogIn("1001", DEALER))


def test_invented_names_of_consoles_share_one_count() -> None:
    play = Play()
    for n in range(a.PLACES):
        wrong(play, f"8{n:03}", 1, i.Actor("staff", f"staff:{n}"))
    for n in range(a.PLACE_TRIES):
        assert wrong(play, f"9{n:03}", 1, i.Actor("staff", f"staff:new{n}")) == "wrong_pin"
    assert wrong(play, "1", 1, i.Actor("staff", "staff:yet-another")) == "place_locked"
    assert len(play.table.attempts.places) == a.PLACES + 1


def test_only_a_shift_manager_unlocks() -> None:
    play = barred()
    play.must(PIT, i.LogIn("2001", SUPERVISOR))
    assert code(play.say(PIT, i.UnlockPerson("1001"))) == "manager_only"
    assert code(play.say(CONSOLE, i.UnlockPerson("1001"))) == "manager_only"
    play.must(STAFF, i.LogIn("3001", MANAGER))
    assert code(play.say(STAFF, i.UnlockPerson("2001"))) == "not_locked"
    play.must(STAFF, i.UnlockPerson("1001"))
    assert play.of(f.TriesForgotten)[-1] == f.TriesForgotten("1001", "3001", "unlocked")
    play.must(CONSOLE, i.LogIn("1001", DEALER))


def test_the_command_lines_order_unlocks_once() -> None:
    play = barred()
    order = i.PersonUnlocked("1001", "root", 7)
    play.give(order)
    wrong(play, "1001", 5)
    assert play.give(order).facts == (), "the file still says so, and it is done"
    assert timers(play, "pin_lock")
    play.give(i.PersonUnlocked("1001", "root", 8))
    play.must(CONSOLE, i.LogIn("1001", DEALER))


@pytest.mark.parametrize("make", [barred, lambda: (p := Play(), wrong(p, "1001", 5))[0]])
def test_a_restart_forgets_no_lock_and_starts_a_running_one_anew(make: Any) -> None:
    play = make()
    before, locks = play.table.attempts, timers(play, "pin_lock")
    play.start()
    assert play.table.attempts == before
    assert timers(play, "pin_lock") == locks
    assert code(play.say(CONSOLE, i.LogIn("1001", DEALER))).startswith("pin_")


def test_facts_of_earlier_releases_still_fold() -> None:
    body = '{"fact":"PinRefused","staff":"1001","link":"console:one","tries":TRIES}'
    old = [body.replace("TRIES", str(tries)) for tries in range(1, 6)]
    table = fold(Table(), [decode(upcast("PinRefused", 4, body)) for body in old])
    assert [timer.staff for timer in due(table)] == ["1001"]
    for version in (1, 2, 3, 4):
        over_ = decode(upcast("PinUnlocked", version, '{"fact":"PinUnlocked","staff":"1001"}'))
        assert fold(table, [over_]).attempts.people == {}


# --- badges at the table ---------------------------------------------------------------------


def show(play: Play, person: Person | None, refusal: Refusal | None = None) -> str:
    """A badge at the board; what it was refused for."""
    decision = play.give(i.BadgeShown("board", person, refusal))
    return next((x.refusal.code for x in decision.facts if isinstance(x, f.BadgeRefused)), "")


def on_duty(play: Play) -> Person | None:
    return play.table.dealer


def test_a_badge_signs_in_at_the_table_and_a_second_read_signs_out() -> None:
    play = Play()
    assert show(play, DEALER) == ""
    assert on_duty(play) == DEALER
    assert show(play, DEALER) == ""
    assert on_duty(play) is None
    show(play, SUPERVISOR)
    assert [(s.person, s.link) for s in play.table.signed] == [(SUPERVISOR, AT_TABLE)]
    show(play, SUPERVISOR)
    assert play.table.signed == ()


def test_a_badge_at_the_table_counts_at_its_console_and_nowhere_else() -> None:
    play = Play()
    play.must(CONSOLE, i.LogIn("1001", DEALER))
    show(play, SUPERVISOR)
    assert code(play.say(PIT, i.CloseTable())) == "supervisor_only"
    play.must(CONSOLE, i.CloseTable())
    assert play.of(f.TableClosed)[-1] == f.TableClosed("2001")
    play.must(CONSOLE, i.LogOut("2001"))
    assert code(play.say(CONSOLE, i.OpenTable())) == "supervisor_only"


def test_a_sign_in_by_badge_ends_by_itself() -> None:
    play = Play()
    show(play, SUPERVISOR)
    (timer,) = timers(play, "badge")
    assert timer.seconds == BADGE_SECONDS
    play.give(i.TimerFired(timer.name))
    assert play.of(f.StaffSignedOut)[-1] == f.StaffSignedOut("2001", AT_TABLE, "time")
    show(play, SUPERVISOR)
    play.give(i.TimerFired(timer.name))
    assert play.table.signed, "the end of an earlier sign-in ends no other"


def test_a_dealer_in_mid_round_is_not_signed_out_by_his_badge() -> None:
    play = Play().open_table().bet()
    assert show(play, DEALER) == "change_between_rounds"
    assert play.table.dealer == DEALER
    assert show(play, Person("1002", "박서준", "dealer")) == "dealer_on_duty"


def test_unknown_badges_count_for_their_device_alone() -> None:
    play = Play()
    for _ in range(20):
        assert show(play, None) in ("badge_unknown", "")
    assert show(play, SUPERVISOR) == "place_locked"
    assert play.table.attempts.people == {}
    decision = play.give(i.BadgeShown("board", None))
    assert decision.facts == (), "a badge held there and read on and on fills no journal"
    play.must(CONSOLE, i.LogIn("1001", DEALER))
    assert play.give(i.BadgeShown("shoe", SUPERVISOR)).after.signed


def test_the_badge_of_a_locked_person_lets_nobody_in() -> None:
    play = barred()
    assert show(play, DEALER) == "pin_barred"
    assert play.table.dealer is None


# --- licences --------------------------------------------------------------------------------

OVER = refuse("licence_over", "", staff="1001", until="2026-11-29")


def test_a_right_pin_without_a_licence_is_refused_and_says_why() -> None:
    play = Play()
    assert show(play, DEALER, OVER) == "licence_over"
    assert play.say(CONSOLE, i.LogIn("1001", DEALER, OVER)) == OVER
    assert play.table.dealer is None


def test_a_licence_that_ends_on_duty_ends_after_the_running_round() -> None:
    play = Play().open_table().deal("5H TC 9D 6C 8S")
    play.give(i.LicenceOver("1001", OVER))
    assert play.give(i.LicenceOver("1001", OVER)).facts == (), "told once"
    play.act("stand", "stand").cards("8H")
    assert play.round.ended == "settled"
    play.clear()
    with pytest.raises(AssertionError, match="licence_over"):
        play.open_round()
    play.must(CONSOLE, i.LogOut("1001"))
    play.must(CONSOLE, i.LogIn("1002", Person("1002", "박서준", "dealer")))
    play.open_round()


def test_one_of_higher_rank_who_was_disabled_is_signed_out() -> None:
    play = Play().open_table()
    play.give(i.LicenceOver("2001", refuse("person_disabled", "", staff="2001", since="today")))
    assert play.table.signed == ()
    assert play.of(f.StaffSignedOut)[-1] == f.StaffSignedOut("2001", PIT.link, "barred")


# --- against a plain model -------------------------------------------------------------------


class Model:
    """The limits in the plainest words: counts, and clocks in seconds."""

    def __init__(self) -> None:
        self.now = 0
        self.wrong: dict[str, int] = {}
        self.until: dict[str, int] = {}
        self.here: dict[str, int] = {}
        self.hour: dict[str, int] = {}

    def locked(self, staff: str, link: str) -> str:
        if self.here.get(link, 0) >= 20:
            return "place_locked"
        if self.wrong.get(staff, 0) >= 10:
            return "pin_barred"
        return "pin_locked" if self.until.get(staff, 0) > self.now else ""

    def refused(self, staff: str, link: str) -> None:
        self.wrong[staff] = self.wrong.get(staff, 0) + 1
        if 5 <= self.wrong[staff] < 10:
            self.until[staff] = self.now + [300, 600, 1200, 2400, 4800][self.wrong[staff] - 5]
        self.hour.setdefault(link, self.now + 3600)
        self.here[link] = self.here.get(link, 0) + 1

    def right(self, staff: str) -> None:
        self.wrong.pop(staff, None)
        self.until.pop(staff, None)

    def pass_time(self, seconds: int) -> None:
        self.now += seconds
        for link in [link for link, end in self.hour.items() if end <= self.now]:
            del self.hour[link], self.here[link]

    def restart(self) -> None:
        """Running clocks begin anew."""
        lengths = {5: 300, 6: 600, 7: 1200, 8: 2400, 9: 4800}
        for staff, end in self.until.items():
            if end > self.now:
                self.until[staff] = self.now + lengths[self.wrong[staff]]
        for link in self.hour:
            self.hour[link] = self.now + 3600


class Clocked:
    """A table whose timers are run as the controller runs them, by a clock set by hand."""

    def __init__(self) -> None:
        self.play = Play()
        self.now = 0
        self.ends: dict[str, int] = {}

    def reconcile(self, *, anew: bool = False) -> None:
        timers = due(self.play.table)
        names = {timer.name for timer in timers}
        kept = {} if anew else {n: end for n, end in self.ends.items() if n in names}
        self.ends = {t.name: kept.get(t.name, self.now + t.seconds) for t in timers}

    def say(self, link: str, command: i.AnyCommand) -> str:
        said = code(self.play.say(i.Actor("pit", link), command))
        self.reconcile()
        return said

    def pass_time(self, seconds: int) -> None:
        until = self.now + seconds
        while ended := [(end, name) for name, end in self.ends.items() if end <= until]:
            self.now, name = min(ended)
            del self.ends[name]
            self.play.give(i.TimerFired(name))
            self.reconcile()
        self.now = until

    def restart(self) -> None:
        """Nothing but the facts, through their stored form."""
        self.play.table = fold(Table(), [decode(encode(fact)) for fact in self.play.facts])
        self.play.start()
        self.reconcile(anew=True)


@pytest.mark.parametrize("seed", range(60))
def test_any_interleaving_of_people_consoles_and_restarts_agrees_with_the_plain_model(
    seed: int,
) -> None:
    dice = random.Random(seed)
    model, table = Model(), Clocked()
    staff = ["2001", "3001", "nobody"]
    links = ["pit:a", "pit:b", "pit:c"]
    orders = met = 0
    for _ in range(400):
        who, link = dice.choice(staff), dice.choice(links)
        person = PEOPLE.get(who)
        match dice.choices(("wrong", "right", "time", "restart", "unlock"), (60, 4, 20, 3, 2))[0]:
            case "wrong":
                expected = model.locked(who, link)
                assert table.say(link, i.LogIn(who, None)) == (expected or "wrong_pin")
                met += bool(expected)
                if not expected:
                    model.refused(who, link)
            case "right" if person is not None:
                expected = model.locked(who, link)
                assert table.say(link, i.LogIn(who, person)) == expected
                if not expected:
                    model.right(who)
            case "time":
                seconds = dice.choice((1, 60, 299, 301, 1300, 3601))
                model.pass_time(seconds)
                table.pass_time(seconds)
            case "restart":
                model.restart()
                table.restart()
            case "unlock":
                orders += 1
                table.play.give(i.PersonUnlocked(who, "root", orders))
                table.reconcile()
                model.right(who)
        for name, tries in table.play.table.attempts.people.items():
            assert tries.wrong == model.wrong[name]
    assert met, "the limits were reached"
