"""The GM65 protocol: commands, replies told from text, and its talk with a virtual module."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError

from drivers.catalog import spec_of
from drivers.observations import (
    CardRead,
    CutCard,
    Identified,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols import gm65_frames as gm
from drivers.protocols.base import Beep, Out, Trigger
from drivers.protocols.gm65_frames import GmCommand, GmReply, Splitter, Text
from hw_sim.codes import VirtualCard, decks
from hw_sim.models.gm65 import Gm65 as Module
from tests.support.golden import MS, Told, cases, protocol_of, written
from tests.support.pair import Pair, rough

CASES = cases("gm65")
OK = GmReply().to_bytes()
KING, CUT = VirtualCard("KH", 3, "A"), VirtualCard("", 0, "A")
CARDS = decks(8, "A")


def test_there_are_golden_bytes() -> None:
    assert len(CASES) >= 15


@pytest.mark.parametrize(
    ("command", "raw"),
    [
        (GmCommand(gm.SAVE), "7E 00 09 01 00 00 00 DE C8"),
        (GmCommand(gm.READ, 0x2A, b"\x02"), "7E 00 07 01 00 2A 02 D8 0F"),
        (GmCommand(gm.WRITE, 0x2A, b"\x39\x01"), "7E 00 08 02 00 2A 39 01 A7 EA"),
        (GmCommand(gm.HEARTBEAT), "7E 00 0A 01 00 00 00 30 1A"),
        (GmCommand(gm.WRITE, gm.TRIGGER, b"\x01", False), "7E 00 08 01 00 02 01 AB CD"),
    ],
)
def test_a_command_is_these_bytes(command: GmCommand, raw: str) -> None:
    data = bytes.fromhex(raw)
    assert command.to_bytes() == data
    assert GmCommand.from_bytes(data) == command


@pytest.mark.parametrize("at", range(9))
def test_a_damaged_command_is_none(at: int) -> None:
    raw = bytearray(GmCommand(gm.HEARTBEAT).to_bytes())
    raw[at] ^= 0x10
    assert GmCommand.from_bytes(bytes(raw)) is None


def test_a_reply_is_these_bytes() -> None:
    assert bytes.fromhex("02 00 00 01 00 33 31") == OK
    assert GmReply.from_bytes(OK) == GmReply(0)
    assert GmReply.from_bytes(OK[:-1]) is None
    assert GmReply.from_bytes(OK[:-1] + b"\x30") is None


bits = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.sampled_from([OK, OK[:3], OK[:6], GmReply(7).to_bytes(), b"\x02", b"]C0AKH35\r"]),
    ),
    max_size=8,
).map(b"".join)


@given(bits, st.data())
def test_nothing_of_a_read_is_lost_or_told_twice(data: bytes, draw: st.DataObject) -> None:
    """Replies and text together are exactly what came, in order, however it is split."""
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    splitter, found = Splitter(), []
    for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True):
        found += splitter.feed(data[a:b], 0)
    found += splitter.flush()
    assert b"".join(o.data if isinstance(o, Text) else o.to_bytes() for o in found) == data
    whole = Splitter()
    replies = [o for o in whole.feed(data, 0) if isinstance(o, GmReply)]
    assert [o for o in found if isinstance(o, GmReply)] == replies
    assert len(replies) >= data.count(OK)


def watch(sends: list[tuple[int, bytes]], ends_ms: int, **settings: Any) -> Told:
    """Feed bytes at their times, tick when the protocol wants to be woken."""
    protocol = protocol_of("gm65", settings)
    told, wake = Told([], []), None

    def note(out: Out, now: int) -> int | None:
        told.seen.extend(out.observations)
        told.writes.extend((now // MS, message) for message in out.write)
        return out.wake_at_ns

    for at_ms, data in [*sends, (ends_ms, b"")]:
        now = at_ms * MS
        while wake is not None and wake <= now:
            at, wake = wake, note(protocol.tick(wake), wake)
            assert wake is None or wake > at, "would spin"
        wake = note(protocol.feed(data, now), now)
    return told


@given(bits, st.data(), st.sampled_from(["cr", "none"]))
def test_any_split_of_the_bytes_gives_the_same(
    data: bytes, draw: st.DataObject, terminator: str
) -> None:
    whole = watch([(0, data)], 10_000, terminator=terminator)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert watch([(0, part) for part in parts], 10_000, terminator=terminator).seen == whole.seen


@given(bits, st.sampled_from(["cr", "none"]))
def test_the_next_code_after_noise_and_a_silence_is_read(data: bytes, terminator: str) -> None:
    sends = [(0, data), (2200, b"]C0ACUT6\r")]
    told = watch(sends, 10_000, terminator=terminator)
    assert any(isinstance(one, CutCard) and one.at_ns == 2200 * MS for one in told.seen)


@given(st.binary(min_size=1, max_size=30), st.sampled_from(["cr", "none"]))
def test_half_a_reply_takes_no_code_with_it(data: bytes, terminator: str) -> None:
    noise = b"\x02\x00\x00" + data.translate(None, b"\r\n\t\x03")
    told = watch([(0, noise), (120, b"]C0ACUT6\r")], 10_000, terminator=terminator)
    assert any(isinstance(one, CutCard) for one in told.seen)


@given(bits)
def test_the_next_code_after_noise_with_an_end_is_read_at_once(data: bytes) -> None:
    told = watch([(0, data + b"\r]C0ACUT6\r")], 10_000)
    assert any(isinstance(one, CutCard) for one in told.seen)


# Where commands are asked for, their own times count.
QUIET = [case for case in CASES if not case.asks]


@pytest.mark.parametrize("case", QUIET, ids=[case.name for case in QUIET])
def test_a_late_tick_changes_nothing(case: Any) -> None:
    protocol = protocol_of("gm65", case.settings)
    seen: list[Any] = []
    for send in case.sends:
        seen += protocol.feed(send.data, send.at_ms * MS).observations
    seen += protocol.tick(case.ends_ms * MS).observations
    assert [written(one) for one in seen] == case.sees


def test_endless_noise_takes_no_memory_and_is_told() -> None:
    protocol = protocol_of("gm65", {})
    protocol.start(0)
    chunk = bytes(range(14, 256)) * 16
    told = 0
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for i in range(100):
        told += len(protocol.feed(chunk, i * 50 * MS).observations)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 100_000
    assert 1 <= told <= 10


def test_what_it_can_do_is_what_it_is_set_to() -> None:
    assert protocol_of("gm65", {}).capabilities == {"identity", "heartbeat"}
    able = protocol_of("gm65", {"mode": "command"}).capabilities
    assert able == {"identity", "heartbeat", "trigger"}
    quiet = protocol_of("gm65", {})
    quiet.start(0)
    assert quiet.send(Beep("good"), MS).write == ()
    assert quiet.send(Trigger(True), MS).write == ()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"read_failed": "F" * 16}, "read_failed"),
        ({"read_failed": "]FAIL"}, "read_failed"),
        ({"read_failed": "AKH35"}, "it is the code of a card"),
        ({"terminator": "none", "gap_ms": 2000}, "gap_ms 2000: it must be shorter"),
        ({"aim": "off", "aim_required": True}, "aim_required"),
        ({"heartbeat_seconds": 0}, "heartbeat_seconds"),
    ],
)
def test_a_bad_setting_is_named(bad: dict[str, Any], says: str) -> None:
    raw = {"name": "shoe", "port": "/dev/table/shoe", "kind": "gm65", **bad}
    with pytest.raises((ValueError, ValidationError), match=says):
        spec_of(raw)


# --- with a virtual module --------------------------------------------------------------------


def pair(seed: int | None = None, per_mille: int = 20, **settings: object) -> Pair:
    """A module set up and ready; the line is clean until then, and then as bad as asked for."""
    both = Pair(protocol_of("gm65", dict(settings)), Module(read_failed="FAIL"))
    both.start()
    both.run(2000)
    if seed is not None:
        both.to_driver, both.to_device = rough(seed, per_mille), rough(-seed - 1, per_mille)
    return both


def faces(both: Pair) -> list[str]:
    return [card.face for card in both.of(CardRead)]


def test_the_module_is_set_up_and_named() -> None:
    both = pair(mode="continuous", own_beep=True, terminator="lf")
    registers = both.model.state()["registers"]
    assert isinstance(registers, dict)
    assert (registers["000E"], registers["00D0"], registers["0000"]) == (1, 0x80, 0xD6)
    assert [one.identity for one in both.of(Identified)] == ["hardware 100 software 105 of 2017"]
    both.card(KING)
    both.run(100)
    assert faces(both) == ["KH"]


@pytest.mark.parametrize(
    ("fault", "params", "cards", "reasons"),
    [
        ("double_read", {}, ["KH", "KH"], []),
        ("partial_code", {}, [], ["not_a_card"]),
        ("bad_check", {}, [], ["bad_check"]),
        ("read_failed", {}, [], ["unread"]),
        ("unknown_code", {}, [], ["not_a_card"]),
        ("foreign_symbology", {}, [], ["foreign_symbology"]),
        ("two_codes", {"text": "AAS1C"}, ["KH", "AS"], []),
        ("split", {}, ["KH"], []),
        ("split", {"ms": 400}, ["KH"], []),
        ("with_reply", {"first": "reply"}, ["KH"], []),
        ("with_reply", {"first": "code"}, ["KH"], []),
    ],
)
def test_a_fault_of_the_draw(
    fault: str, params: dict[str, object], cards: list[str], reasons: list[str]
) -> None:
    both = pair(read_failed="FAIL", aim_required=True)
    both.card(KING, fault, **params)
    both.run(12_000)
    assert faces(both) == cards
    assert [one.reason for one in both.of(NoRead)] == reasons
    both.card(CUT)
    both.run(3000)
    assert len(both.of(CutCard)) == 1


def test_read_on_command() -> None:
    both = pair(mode="command", read_failed="FAIL")
    both.card(KING)
    both.run(1000)
    assert faces(both) == []
    both.take(both.protocol.send(Trigger(True), both.now_ms * MS))
    both.run(500)
    both.card(KING)
    both.run(500)
    assert faces(both) == ["KH"]
    both.take(both.protocol.send(Trigger(True), both.now_ms * MS))
    both.run(6000)
    assert [one.reason for one in both.of(NoRead)] == ["unread"]


def test_two_missed_heartbeats_are_no_trouble() -> None:
    both = pair()
    both.run(7000)
    both.do("no_reply", times=2)
    both.run(60_000)
    assert not both.of(Trouble)


def test_a_module_that_reads_and_does_not_answer_is_not_silent() -> None:
    both = pair()
    both.run(7900)
    both.do("no_reply", times=3)
    both.run(1500)
    both.card(KING)
    both.run(60_000)
    assert faces(both) == ["KH"]
    assert not both.of(Trouble)


def test_a_dead_module_is_silent_within_fourteen_seconds_and_lives_again() -> None:
    both = pair()
    both.run(8000)
    both.do("silent_death", ms=60_000)
    both.card(KING)
    both.run(14_000)
    assert [one.code for one in both.of(Trouble)] == ["silent"]
    both.run(60_000)
    assert [one.code for one in both.of(TroubleOver)] == ["silent"]
    both.card(KING)
    both.run(100)
    assert faces(both) == ["KH"]


@pytest.mark.parametrize("value", [0, 1, 2, 3])
def test_a_changed_end_costs_no_card(value: int) -> None:
    both = pair()
    both.do("config_barcode", setting="terminator", value=value)
    both.card(KING)
    both.run(3000)
    assert faces(both) == ["KH"]
    assert not both.of(NoRead)


def test_an_end_that_is_gone_is_told_and_set_again() -> None:
    both = pair()
    both.run(5000)
    both.do("config_barcode", setting="terminator", value=4)
    both.card(KING)
    both.run(4000)
    assert faces(both) == []
    assert [one.reason for one in both.of(NoRead)] == ["incomplete"]
    both.card(KING)
    both.run(100)
    assert faces(both) == ["KH"]


def test_a_power_cycle_is_undone_within_two_minutes() -> None:
    both = pair(terminator="lf")
    both.do("power_cycle")
    both.run(125_000)
    registers = both.model.state()["registers"]
    assert isinstance(registers, dict)
    assert (registers["000E"], registers["00D0"]) == (1, 0x80)


def test_a_setting_without_an_answer_is_a_note() -> None:
    both = Pair(protocol_of("gm65", {}), Module())
    both.start()
    both.run(50)
    both.do("no_reply", times=3)
    both.run(6000)
    assert [one.detail for one in both.of(Note)] == ["terminator: no answer"]
    assert not both.of(Trouble)


@pytest.mark.parametrize("per_mille", [5, 30, 100])
@pytest.mark.parametrize("seed", range(20))
def test_a_bad_line_gives_the_right_card_once_or_says_so(seed: int, per_mille: int) -> None:
    """Never another card and never one twice; where a card did not come, something was told.

    Where one byte in ten is wrong the check character is all there is, and lets one splice in
    thousands through: docs/readers/gm65.md. None of these.
    """
    both = pair(seed, per_mille)
    given: list[VirtualCard] = []
    for card in CARDS[seed * 15 : seed * 15 + 15]:
        before = len(both.seen)
        both.card(card)
        given.append(card)
        both.run(4000)
        assert both.seen[before:], f"{card.code} left no trace"
    read = [one.text for one in both.of(CardRead)]
    assert set(read) <= {card.code for card in given}
    assert len(read) == len(set(read))
