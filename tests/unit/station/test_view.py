"""The snapshot in every phase: it fits its schema and keeps the secret of the shoe."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import jsonschema
import msgspec
import pytest

from station import messages as m
from station import messages_shoe as ms
from station import snapshot as v
from station.config import TableSection
from station.game.check import Tally
from station.game.commands import LeaveSeat, TakeSeat
from station.game.dealing import Owed
from station.schemas import schemas
from station.table import inputs as i
from station.table.shoe_inputs import FinishShoeCheck
from station.table.state import expected, wishes
from station.table.why_not import why_not
from station.translate import to_core
from station.view import Viewer
from tests.support.phases import result
from tests.support.phases_held import PHASES as PLACES
from tests.support.phases_held import exposed, reader_lost
from tests.support.play import CONSOLE, HOST, PIT, STAFF, SUPERVISOR, Play

ACTORS = (HOST, CONSOLE, PIT, STAFF)
PHASES = [made for made, _ in PLACES.values()]
VIEWER = Viewer(TableSection("T01", "test"), 1.0, 0, ())


def snapshot(play: Play, actor: i.Actor = CONSOLE, *, journal_ok: bool = True) -> v.Snapshot:
    return VIEWER.snapshot(play.table, actor, "2026-01-01T00:00:00.000000Z", {}, {}, {}, journal_ok)


def plain(view: v.Snapshot) -> Any:
    return json.loads(msgspec.json.encode(view))


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
@pytest.mark.parametrize("actor", ACTORS, ids=lambda actor: actor.role)
def test_a_snapshot_fits_the_schema_others_build_against(
    phase: Callable[[], Play], actor: i.Actor
) -> None:
    schema = schemas()["station-to-client"]
    jsonschema.validate(plain(snapshot(phase(), actor)), schema)


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_the_prompt_and_the_core_never_disagree(phase: Callable[[], Play]) -> None:
    play = phase()
    answer, prompt = expected(play.table), snapshot(play).prompt
    assert (prompt.kind == "card") == isinstance(answer, Owed)
    if isinstance(answer, Owed):
        assert prompt.slot is not None
        shown = max(0, answer.slot.seat)  # The burn has no lamp.
        assert prompt.slot.seat == shown == wishes(play.table).seat_lamp
        assert prompt.action == answer.purpose
    assert (prompt.kind == "hold") >= bool(play.table.holds)
    assert prompt.text.ko
    assert prompt.text.en


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_no_snapshot_tells_what_is_left_in_the_shoe(phase: Callable[[], Play]) -> None:
    play = phase()
    shown = plain(snapshot(play))
    sets = {"set", "back", "due", "due_text", "two_people", "check_required"}
    assert set(shown["shoe"]) == {"id", "state", "text", "check", "checked"} | sets
    on_felt = [card for seat in shown["seats"] for hand in seat["hands"] for card in hand["cards"]]
    named = on_felt + shown["dealer"]["cards"] + shown["exposed"]
    assert set(named) <= {gone.card.face for gone in play.table.game.shoe.gone}


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_each_role_is_shown_every_command_it_may_give(phase: Callable[[], Play]) -> None:
    play = phase()
    for actor in ACTORS:
        for action in snapshot(play, actor).actions:
            if action.refusal is not None:
                assert action.refusal.text.ko
                assert action.refusal.text.en
    names = {action.command for action in snapshot(play, CONSOLE).actions}
    assert {"cleared", "wait", "resume", "emergency_stop", "report_error"} <= names


def test_cleared_is_open_exactly_when_the_core_says_so() -> None:
    for phase in PHASES:
        play = phase()
        shown = next(a for a in snapshot(play).actions if a.command == "cleared")
        from station.game.commands import Cleared

        asked = why_not(play.table, CONSOLE, Cleared(play.table.game.rounds))
        assert (shown.refusal is None) == (asked is None), phase.__name__


def test_a_journal_that_cannot_be_written_stops_the_hands() -> None:
    view = snapshot(result(), journal_ok=False)
    assert view.prompt.kind == "hold"
    assert view.prompt.code == "journal_unavailable"


def test_a_hold_says_what_happened_what_to_do_who_decides_and_the_rule() -> None:
    hold = snapshot(exposed()).holds[0]
    assert "2♥" in hold.what.ko
    assert "2♥" in hold.what.en
    assert hold.hands.ko
    assert hold.who.ko
    assert hold.rule == "R20"
    open_ways = [ruling.ruling for ruling in hold.rulings if ruling.refusal is None]
    assert open_ways == ["void"]


def test_a_lost_reader_is_named() -> None:
    view = snapshot(reader_lost())
    assert "shoe" in view.holds[0].what.en
    assert view.devices[0].health == "lost"


def test_the_result_shows_what_each_bet_returns() -> None:
    view = snapshot(result())
    bets = [bet for seat in view.seats for bet in seat.bets]
    assert bets
    assert all(bet.returned is not None and bet.result for bet in bets)


def test_the_schemas_are_schemas() -> None:
    for schema in schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)


COMMANDS: dict[type, dict[str, object]] = {
    m.OpenRound: {"rules": "f" * 64},
    m.TakeSeat: {"seat": 1, "player": "kim"},
    m.LeaveSeat: {"seat": 1, "player": "kim"},
    m.PlayerLost: {"seat": 1, "player": "kim"},
    m.PlayerBack: {"seat": 1, "player": "kim"},
    m.PlaceBet: {"round": 1, "seat": 1, "player": "kim", "amount": 1000, "kind": "behind"},
    m.TakeBack: {"round": 1, "seat": 1, "player": "kim", "kind": "pair"},
    m.Insure: {"round": 1, "window": 2, "player": "kim", "buy": True},
    m.Follow: {"round": 1, "window": 2, "player": "kim", "follow": False},
    m.CloseBetting: {"round": 1},
    m.Decide: {"round": 1, "decision": 2, "seat": 3, "hand": 1, "action": "hit"},
    m.LogIn: {"staff": "1001", "pin": "1001"},
    m.LogOut: {"staff": "1001"},
    m.UnlockPerson: {"staff": "1001"},
    m.Cleared: {"round": 1},
    m.Wait: {},
    m.Resume: {"hold": 1},
    m.EmergencyStop: {},
    m.ReportError: {"what": "misdeal"},
    m.CallSupervisor: {"reason": "help"},
    m.AnswerCall: {},
    m.Rule: {"hold": 1, "ruling": "void", "note": "n", "expected_version": 9},
    m.VoidRound: {"round": 1, "reason": "misdeal", "expected_version": 9, "note": "n"},
    m.CorrectCard: {
        "hold": 1,
        "face": "KH",
        "second": "1001",
        "pin": "1001",
        "deck": 3,
        "note": "n",
    },
    m.EnterCard: {"hold": 1, "face": "KH", "second": "1001", "pin": "1001", "deck": 3, "note": "n"},
    m.DisputeRound: {"round": 3, "note": "n"},
    m.AnswerDispute: {"round": 3, "answer": "escalate", "note": "n"},
    m.LoadShoe: {
        "shoe": "S1",
        "set": "A",
        "seal": "7",
        "cut_card": 70,
        "reason": "r",
        "second": "1001",
        "pin": "1001",
    },
    ms.BeginShoeCheck: {
        "shoe": "S1",
        "device": "shoe",
        "set": "A",
        "back": "red",
        "reason": "r",
        "second": "1001",
        "pin": "1001",
        "what": "count",
    },
    ms.EnterCheckersReceipt: {
        "shoe": "S1",
        "machine": "M1",
        "number": "7",
        "checked_at": "09:00",
        "second": "1001",
        "pin": "1001",
        "set": "A",
        "back": "red",
        "checker": "kim",
        "note": "n",
    },
    ms.FinishShoeCheck: {"check": 1},
    ms.CancelShoeCheck: {"check": 1},
    ms.ShoeShuffled: {"shoe": "S1", "seal": "7"},
    ms.TakeOutShoe: {"shoe": "S1", "reason": "damaged_card"},
    ms.LiftShoeBar: {"shoe": "S1", "reason": "r"},
    m.ReleaseShoe: {"shoe": "S1", "expected_version": 9},
    m.ReconcileShoe: {"shoe": "S1", "remaining": {"KH": 3}},
    m.ClearLock: {"lock": 3, "reason": "seen to"},
    m.PauseTable: {},
    m.CloseTable: {},
    m.OpenTable: {},
}


def test_every_command_on_the_wire_has_a_case_here() -> None:
    assert set(COMMANDS) == set(get_args(m.AnyCommand))


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_command_means_the_same_on_the_wire_and_in_the_core(kind: type) -> None:
    fields = COMMANDS[kind]
    core = to_core(msgspec.convert(fields, kind))
    assert type(core).__name__ == kind.__name__
    kept = {name: getattr(core, name) for name in core.__struct_fields__}
    kept.pop("person", None)
    kept.pop("refusal", None)
    if isinstance(core, FinishShoeCheck):
        # What was counted, and by which reader, nobody says over a wire.
        assert (kept.pop("tally"), kept.pop("identity")) == (Tally(), "")
    if isinstance(core, i.EnterCard | i.CorrectCard):
        kept.pop("card")
        kept |= {"face": core.card.face, "deck": core.card.deck}
    assert kept == {name: value for name, value in fields.items() if name != "pin"}


@pytest.mark.parametrize("amount", ["-1e400", "10.005", '"100"', "NaN", "null", "1e308", "true"])
def test_a26_an_amount_that_is_no_integer_is_not_a_message(amount: str) -> None:
    line = (
        '{"type":"command","id":"a","command":{"do":"place_bet","round":1,"seat":1,'
        f'"player":"p","amount":{amount}}}}}'
    )
    with pytest.raises(msgspec.MsgspecError):
        msgspec.json.decode(line, type=m.AnyClientMessage)


def test_a_hand_is_shown_under_the_name_of_who_played_it() -> None:
    play = result()
    play.must(HOST, LeaveSeat(1, "P1"))
    play.must(HOST, TakeSeat(1, "newcomer"))
    assert snapshot(play).seats[0].player == "P1"
    play.clear()
    assert snapshot(play).seats[0].player == "newcomer"


def test_a_void_says_why_until_a_new_shoe_is_in_and_then_the_felt_is_empty() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.start()
    view = snapshot(play)
    assert "restarted" in view.prompt.text.en
    assert any(hand.cards for seat in view.seats for hand in seat.hands)
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    play.new_shoe("S2")
    view = snapshot(play)
    assert view.prompt.code == "no_round"
    assert not any(seat.hands for seat in view.seats)


def test_the_gravest_hold_comes_first_and_the_dealers_wait_last() -> None:
    play = Play().open_table()
    play.must(CONSOLE, i.Wait())
    play.must(CONSOLE, i.EmergencyStop())
    view = snapshot(play)
    assert [hold.code for hold in view.holds] == ["emergency", "wait"]
    assert view.prompt.code == "emergency"
    assert all(ruling.ruling != "void" for ruling in view.holds[0].rulings)
