"""The table board's driver: rules of the protocol, lossy wires, noise."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.catalog import spec_of
from drivers.kinds.board import BoardSpec
from drivers.observations import (
    Badge,
    Button,
    CardOut,
    Identified,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Beep, Wanted
from drivers.protocols.board import Board, BoardSettings
from drivers.protocols.board_lines import BOARD_LIMIT, Cutter, crc16, line
from hw_sim.models.board import Board as VirtualBoard
from tests.support.board_bus import MS, Bus, Wire, good
from tests.support.golden import cases

HELLO = b"$hello 1 1 tableboard 1.0 A0017 brake*6918\n"


def bus(*, sensor: bool = True, abilities: str = "", **wires: Wire) -> Bus:
    board = VirtualBoard(abilities) if abilities else VirtualBoard()
    return Bus(Board("board", BoardSettings(sensor=sensor)), board, **wires)


def said_by_hand(body: str) -> bytes:
    """A board's line."""
    return b"$%b*%04X\n" % (body.encode(), crc16(body.encode()))


def opened() -> Board:
    """A driver whose session 1 is open, to a board that has a brake."""
    driver = Board("board")
    driver.start(0)
    driver.feed(HELLO, 0)
    return driver


def said(seen: list[Any]) -> list[Any]:
    """What people did at the board."""
    return [one for one in seen if isinstance(one, Button | Badge | CardOut)]


def codes(seen: list[Any], kind: type[Note | Trouble | TroubleOver]) -> list[str]:
    return [one.code for one in seen if isinstance(one, kind)]


def lossy(dice: random.Random, *, lose: float, damage: float, delay: int) -> Wire:
    """A wire that loses and damages lines, keeps their order within its delay, and is slow."""

    def carry(data: bytes) -> tuple[int, bytes] | None:
        if dice.random() < lose:
            return None
        if dice.random() < damage:
            at = dice.randrange(len(data))
            cut = data[:at] + bytes((dice.randrange(256),)) * dice.randrange(3) + data[at + 1 :]
            return delay, cut
        return delay, data

    return carry


# --- capabilities --------------------------------------------------------------------------


def test_it_can_do_what_its_hello_lists_and_nothing_before() -> None:
    line_up = bus()
    assert line_up.driver.capabilities == {"identity", "heartbeat"}
    line_up.start()
    line_up.run(100)
    assert line_up.driver.capabilities == {
        "identity",
        "heartbeat",
        "light",
        "seat_lamp",
        "brake",
        "card_out",
        "buttons",
        "badge",
    }
    line_up.cut()
    assert line_up.driver.capabilities == {"identity", "heartbeat"}


@pytest.mark.parametrize(
    ("abilities", "able"),
    [
        ("lamps=3", {"seat_lamp"}),
        ("cut_card", {"buttons"}),
        ("help light", {"buttons", "light"}),
        ("badge", {"badge"}),
        ("brake", {"brake"}),
    ],
)
def test_what_is_not_in_hello_is_not_available(abilities: str, able: set[str]) -> None:
    line_up = bus(sensor=False, abilities=abilities)
    line_up.start()
    line_up.want(light="red", seat=2, shoe_locked=True)
    line_up.run(1000)
    assert line_up.driver.capabilities == {"identity", "heartbeat"} | able
    assert all(words.split()[0] != b"$no" for _, words in line_up.sent)


def test_a_sensor_that_is_no_witness_is_no_capability() -> None:
    line_up = bus(sensor=False)
    line_up.start()
    line_up.run(100)
    assert "card_out" not in line_up.driver.capabilities


def test_it_takes_no_commands() -> None:
    line_up = bus()
    line_up.start()
    line_up.run(100)
    assert line_up.driver.send(Beep("good"), 200 * MS).write == ()


# --- states --------------------------------------------------------------------------------


def test_the_board_shows_what_is_wanted_and_only_changes_are_told() -> None:
    line_up = bus()
    line_up.start()
    line_up.want(light="green", seat=0, shoe_locked=True)
    line_up.run(500)
    before = len(line_up.written)
    line_up.want(light="green", seat=5, shoe_locked=True)
    line_up.run(800)
    assert [words for _, words in line_up.written[before:]] == [line("set 4 lamp 5")]
    state = line_up.board.state()
    assert (state["light"], state["lamp"], state["brake"]) == ("green", 5, True)


def test_the_state_is_told_again_after_the_port_was_lost() -> None:
    line_up = bus()
    line_up.start()
    line_up.want(light="red", shoe_locked=True)
    line_up.run(500)
    line_up.cut()
    line_up.run(5000)
    assert line_up.board.state()["blinking"]
    line_up.start()
    line_up.want(light="red", shoe_locked=True)
    line_up.run(5500)
    assert (line_up.board.state()["light"], line_up.board.state()["blinking"]) == ("red", False)


def test_a_state_changed_while_the_last_is_not_confirmed_is_told_at_once() -> None:
    deaf = {"on": True}
    line_up = bus(to_board=lambda data: None if deaf["on"] and b"set" in data else good(data))
    line_up.start()
    line_up.want(light="green")
    line_up.run(100)
    line_up.want(light="red", shoe_locked=True)
    assert line_up.written[-1][1].startswith(b"$set 4 brake on")
    deaf["on"] = False
    line_up.run(1500)
    assert (line_up.board.state()["light"], line_up.board.state()["brake"]) == ("red", True)


def test_a_board_that_is_silent_altogether_is_not_said_to_disobey() -> None:
    line_up = bus()
    line_up.start()
    line_up.run(100)
    line_up.do("silent")
    line_up.want(light="green")
    line_up.run(20_000)
    assert codes(line_up.seen, Trouble) == ["silent"]


def test_a_board_that_only_never_hears_its_states_disobeys() -> None:
    line_up = bus(to_board=lambda data: None if b"set" in data else good(data))
    line_up.start()
    line_up.want(light="green")
    line_up.run(60_000)
    assert codes(line_up.seen, Trouble) == ["not_obeying"]
    assert len(line_up.written) < 160


def test_a_board_that_never_opens_a_session_disobeys() -> None:
    driver = Board("board")
    driver.start(0)
    seen: list[Any] = []
    for second in range(1, 9):
        seen += driver.feed(b"$pong 5*BCDA\n", second * 1000 * MS).observations
        seen += driver.tick(second * 1000 * MS).observations
    assert codes(seen, Trouble) == ["not_obeying"]


def test_a_board_that_never_answers_is_silent_and_nothing_else() -> None:
    line_up = bus()
    line_up.start()
    line_up.do("silent")
    line_up.run(60_000)
    assert codes(line_up.seen, Trouble) == ["silent"]


def test_a_state_that_gets_no_answer_does_not_hold_the_others_back() -> None:
    line_up = bus(to_board=lambda data: None if b"brake" in data else good(data))
    line_up.start()
    line_up.want(light="blue", seat=4, shoe_locked=True)
    line_up.run(2000)
    state = line_up.board.state()
    assert (state["light"], state["lamp"]) == ("blue", 4)
    assert codes(line_up.seen, Trouble) == ["not_obeying"]


def test_safe_is_heard_among_words_of_later_releases() -> None:
    driver = opened()
    driver.want(Wanted(shoe_locked=True), 0)
    driver.feed(said_by_hand("ok 1"), 0)
    out = driver.feed(said_by_hand("pong 1 warm safe"), 0)
    assert out.write == (line("set 2 brake on"),)


def test_half_a_line_is_told_when_the_line_is_cut() -> None:
    driver = opened()
    driver.feed(b"$event 1 0 he", 0)
    assert codes(list(driver.reset(1).observations), Note) == ["bad_line"]


@pytest.mark.parametrize(
    ("old", "new"), [(b"$ok ", b"$no 1 closed"), (b"$hello 1 ", b"$hello 1 0 a b c brake")]
)
def test_a_board_that_takes_no_session_is_not_asked_as_fast_as_it_answers(
    old: bytes, new: bytes
) -> None:
    def broken(data: bytes) -> tuple[int, bytes]:
        return good(said_by_hand(new[1:].decode()) if data.startswith(old) else data)

    line_up = bus(to_station=broken)
    line_up.start()
    line_up.want(shoe_locked=True)
    line_up.run(10_000)
    assert len(line_up.written) < 100
    assert len(line_up.seen) < 250
    assert codes(line_up.seen, Trouble)


# --- events --------------------------------------------------------------------------------


def test_a_second_board_behind_the_same_port_starts_its_own_numbers() -> None:
    line_up = bus()
    line_up.start()
    line_up.run(100)
    line_up.do("press")
    line_up.run(200)
    line_up.cut()
    line_up.board = VirtualBoard()
    line_up.run(300)
    line_up.start()
    line_up.run(400)
    line_up.do("press")
    line_up.run(500)
    assert len(said(line_up.seen)) == 2


def test_numbers_begin_again_after_the_last() -> None:
    driver = opened()
    seen: list[Any] = []
    for number in (65535, 1, 1, 65535, 2):
        seen += driver.feed(said_by_hand(f"event {number} 0 help"), 0).observations
    assert said(seen) == [one for one in seen if isinstance(one, Button)]
    assert len(said(seen)) == 3


def test_one_number_left_out_is_one_event_lost() -> None:
    driver = opened()
    seen = driver.feed(said_by_hand("event 1 0 help") + said_by_hand("event 3 0 help"), 0)
    troubles = [one for one in seen.observations if isinstance(one, Trouble)]
    assert [(one.code, one.detail) for one in troubles] == [("events_lost", "1 before number 3")]
    assert len(said(list(seen.observations))) == 2


@pytest.mark.parametrize(
    "body", ["event 01 0 help", "event 0 0 help", "event 65536 0 help", "event 1 100000 help"]
)
def test_a_number_that_is_none_is_no_event(body: str) -> None:
    out = opened().feed(said_by_hand(body), 0)
    assert codes(list(out.observations), Note) == ["unknown_line"]
    assert not out.write


def test_presses_made_before_the_station_came_are_told_with_their_age() -> None:
    line_up = bus()
    line_up.do("press", button="cut_card")
    line_up.do("badge")
    line_up.run(8000)
    line_up.start()
    line_up.run(8100)
    assert [type(one) for one in said(line_up.seen)] == [Button]
    assert codes(line_up.seen, Note) == ["late_event", "late_event", "late_badge"]


EVENTS = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from(["help", "cut_card", "card_out", "badge"])),
    max_size=15,
)
LOSSES = st.sampled_from([0.0, 0.1, 0.3, 0.5])


def play(line_up: Bus, events: list[tuple[int, str]]) -> list[str]:
    """Do these things, with pauses of those milliseconds; what was done, in order."""
    done = []
    for pause, what in events:
        line_up.run(line_up.now + pause)
        if what in ("help", "cut_card"):
            line_up.do("press", button=what)
        else:
            line_up.do(what)
        done.append(what)
    return done


def told(seen: list[Any]) -> list[str]:
    def name(one: Any) -> str:
        if isinstance(one, Button):
            return one.button
        return "card_out" if isinstance(one, CardOut) else "badge"

    return [name(one) for one in said(seen)]


@settings(deadline=None, max_examples=60)
@given(EVENTS, LOSSES, LOSSES, st.sampled_from([0, 0.2]), st.integers(0, 2**32), st.booleans())
def test_over_lossy_wires_each_press_is_told_exactly_once(
    events: list[tuple[int, str]],
    lose_there: float,
    lose_back: float,
    damage: float,
    seed: int,
    cut: bool,
) -> None:
    """In order, once, and the board shows what was wanted, as soon as a line comes through; what
    could not be kept, and badges that came too late, are said to be so.
    """
    dice = random.Random(seed)
    line_up = bus(
        to_board=lossy(dice, lose=lose_there, damage=damage, delay=dice.randrange(1, 40)),
        to_station=lossy(dice, lose=lose_back, damage=damage, delay=dice.randrange(1, 40)),
    )
    line_up.start()
    line_up.want(light="green", seat=3)
    done = play(line_up, events[:8])
    if cut:
        line_up.run(line_up.now + 400)
        line_up.cut()
        line_up.run(line_up.now + 1000)
        line_up.start()
        line_up.want(light="red", seat=2, shoe_locked=True)
    done += play(line_up, events[8:])
    # From here on every line arrives.
    line_up.to_board = line_up.to_station = good
    line_up.run(line_up.now + 25_000)
    lost = "events_lost" in codes(line_up.seen, Trouble) or line_up.board._missed > 0
    late = codes(line_up.seen, Note).count("late_badge")
    assert codes(line_up.seen, Note).count("restarted") == 0
    if not lost:
        assert len(told(line_up.seen)) + late == len(done)
    remaining = iter(done)
    assert all(what in remaining for what in told(line_up.seen)), "in order, none invented"
    state = line_up.board.state()
    light, seat = ("red", 2) if cut else ("green", 3)
    assert (state["light"], state["lamp"], state["brake"]) == (light, seat, cut)
    assert state["waiting"] == []
    opened = {one.code for one in line_up.seen if isinstance(one, Trouble)}
    assert opened == set(codes(line_up.seen, TroubleOver))


@settings(deadline=None, max_examples=30)
@given(EVENTS, st.integers(100, 4000), st.integers(0, 2**32))
def test_a_board_that_hangs_or_starts_again_is_always_noticed(
    events: list[tuple[int, str]], at: int, seed: int
) -> None:
    """Nothing told twice; what a restart swallowed is covered by its trouble."""
    line_up = bus()
    line_up.start()
    line_up.want(light="green")
    done = play(line_up, events)
    line_up.run(line_up.now + at)
    line_up.do("silent" if seed % 2 else "reboot", **({"ms": 4000} if seed % 2 else {}))
    line_up.run(line_up.now + 9000)
    troubles = codes(line_up.seen, Trouble)
    assert ("silent" if seed % 2 else "restarted") in troubles
    assert set(troubles) == set(codes(line_up.seen, TroubleOver))
    if "events_lost" not in troubles and not line_up.board._missed:
        assert told(line_up.seen) == done[: len(told(line_up.seen))]
    assert line_up.board.state()["light"] == "green"


# --- bytes ---------------------------------------------------------------------------------


GOLDEN = cases("board")
WIRE = st.lists(
    st.one_of(
        st.binary(max_size=200),
        st.sampled_from([send.data for case in GOLDEN for send in case.sends]),
        st.sampled_from([b"$", b"\r\n", b"*", b"$hello", b"$event 1 0 help*", b"$pong 0*EC7F\n"]),
    ),
    max_size=12,
).map(b"".join)


def watch(parts: list[bytes]) -> tuple[list[Any], list[bytes]]:
    driver = Board("board", BoardSettings(sensor=True))
    driver.start(0)
    driver.want(Wanted(light="green"), 0)
    seen: list[Any] = []
    wrote: list[bytes] = []
    for part in parts:
        out = driver.feed(part, 100 * MS)
        seen += out.observations
        wrote += out.write
    return seen, wrote


@given(WIRE, st.data())
def test_any_split_of_the_bytes_gives_the_same(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert watch(parts) == watch([data])


@given(st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=300)), max_size=20))
def test_noise_never_raises_never_grows_and_the_next_clean_line_is_read(
    pieces: list[tuple[int, bytes]],
) -> None:
    driver = Board("board")
    driver.start(0)
    now = 0
    for pause, data in pieces:
        now += pause * MS
        driver.feed(data, now)
        out = driver.tick(now)
        assert out.wake_at_ns is not None
        assert out.wake_at_ns > now
        assert len(driver._cutter._line) <= BOARD_LIMIT
    out = driver.feed(HELLO, now)
    assert Identified in [type(one) for one in out.observations]


@given(st.binary(max_size=400))
def test_a_press_comes_only_from_a_line_whose_check_is_right(data: bytes) -> None:
    stream = data.replace(b"\x00", b"$event 1 0 help*DF94\n")
    seen, _ = watch([HELLO + stream])
    for one in said(seen):
        assert one.raw in stream
        body, _, check = one.raw.strip(b"$\r\n").partition(b"*")
        assert check == b"%04X" % crc16(body)


@pytest.mark.parametrize("bits", [1, 2])
def test_every_damage_of_one_or_two_bits_is_found(bits: int) -> None:
    whole = line("ack 1")
    places = range(len(whole) * 8)
    pairs = [(a,) for a in places] if bits == 1 else [(a, b) for a in places for b in range(a)]
    for flips in pairs:
        data = bytearray(whole)
        for flip in flips:
            data[flip // 8] ^= 1 << flip % 8
        for cut in [*(cutter := Cutter()).feed(bytes(data)), *cutter.drop()]:
            assert not cut.words or cut.words == ("ack", "1")


def test_a_flood_of_bad_lines_is_bounded() -> None:
    driver = Board("board")
    driver.start(0)
    seen: list[Any] = []
    for tenth in range(100):
        seen += driver.feed(b"nonsense\n\xff\n" * 50, tenth * 100 * MS).observations
    assert len(codes(seen, Note)) <= 20 + 50
    assert codes(seen, Trouble) == ["check_baud", "silent"]


def test_the_check_is_the_one_documented() -> None:
    assert crc16(b"123456789") == 0x31C3
    assert line("ping") == b"$ping*73EB\n"
    assert line("open 1 65535 65535 65535").count(b"\n") == 1


# --- settings ------------------------------------------------------------------------------


def test_three_lines_are_a_board() -> None:
    spec = spec_of({"name": "board", "kind": "board", "port": "/dev/table/board"})
    assert isinstance(spec, BoardSpec)
    assert (spec.role, spec.baud, spec.sensor, spec.silent_ms) == ("board", 115200, False, 3000)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"role": "shoe"}, "role 'shoe': a table board reads no cards"),
        ({"silent_ms": 1000}, "silent_ms"),
        ({"sensor": "yes"}, "sensor"),
        ({"idle_ms": 5}, "idle_ms"),
    ],
)
def test_a_bad_setting_is_refused_by_name(bad: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=r".") as refusal:
        spec_of({"name": "board", "kind": "board", "port": "/dev/table/board"} | bad)
    assert problem in str(refusal.value)
