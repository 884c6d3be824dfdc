"""The camera reader's lines and its protocol."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cardcode import CardCode
from drivers.conformance import Driven
from drivers.observations import (
    CardRead,
    CutCard,
    Evidence,
    Identified,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols import camera_lines as c
from drivers.protocols.base import Beep, Trigger
from drivers.protocols.camera import Camera, CameraSettings
from tests.support.golden import cases

MS = 1_000_000
CODE = CardCode.from_template()
KING = c.Read(n=1, face="KH", set="A", deck=3, text="AKH35", checked=True, by=("barcode",))
TEN = c.Read(n=1, face="TS", by=("index",), frames=3)


def camera(**settings: Any) -> Driven:
    return Driven(Camera("shoe", CODE, CameraSettings(**settings)))


def numbered(line: c.Passed, n: int) -> bytes:
    return c.encode(msgspec.structs.replace(line, n=n))


# --- lines ----------------------------------------------------------------------------------

UP: list[c.Up] = [
    c.Hello(version=1, pid=7, what="a camera", missing=("pyzbar: libzbar0",)),
    c.Ready(),
    KING,
    TEN,
    c.CutOut(n=2, text="ACUT6", set="A"),
    c.Missed(n=3, reason="joker", evidence=(Evidence("a.jpg", "00" * 32),)),
    c.Presence(edge="hand", at_ns=5),
    c.Fault(code="frozen", detail="…"),
    c.FaultOver(code="frozen"),
    c.Remark(code="stderr", detail='{"say":"read"}#00000000'),
    c.Numbers(fps=59.9, sharpness=None),
]
DOWN: list[c.Down] = [c.Settings(spec={"name": "shoe"}, light=60.5), c.Enable(on=False), c.Bye()]


@pytest.mark.parametrize("line", UP, ids=lambda line: type(line).__name__)
def test_a_line_up_comes_back_as_it_was(line: c.Up) -> None:
    raw = c.encode(line)
    assert c.up(raw) == line
    assert c.up(raw.rstrip(b"\n")) == line
    assert raw.count(b"\n") == 1


@pytest.mark.parametrize("line", DOWN, ids=lambda line: type(line).__name__)
def test_a_line_down_comes_back_as_it_was(line: c.Down) -> None:
    assert c.down(c.encode(line)) == line


def test_a_ready_begins_as_the_port_looks_for_it() -> None:
    assert c.encode(c.Ready()).startswith(c.READY)
    assert not any(c.encode(line).startswith(c.READY) for line in UP if line != c.Ready())


def test_no_single_change_of_a_byte_makes_another_line_of_it() -> None:
    """Whatever byte is another one, lost, doubled or swapped with its neighbour."""
    raw = c.encode(TEN)
    for at in range(len(raw) - 1):
        for other in {raw[at] ^ (1 << bit) for bit in range(8)} | set(b"AKSHDC0\n"):
            changed = raw[:at] + bytes((other,)) + raw[at + 1 :]
            if changed != raw:
                with pytest.raises(c.NoLine):
                    c.up(changed)
        for changed in (raw[:at] + raw[at + 1 :], raw[:at] + raw[at : at + 1] * 2 + raw[at + 1 :]):
            with pytest.raises(c.NoLine):
                c.up(changed)


@given(st.binary(max_size=300))
def test_anything_is_a_line_or_is_refused_by_name(data: bytes) -> None:
    for read in (c.up, c.down):
        with pytest.raises(c.NoLine):
            read(data)


@pytest.mark.parametrize(
    "body",
    [
        '{"say":"read","n":1,"face":"1H","by":["index"]}',
        '{"say":"read","n":1,"face":"KH\\n","by":["index"]}',
        '{"say":"read","n":1,"face":"KH","by":[]}',
        '{"say":"read","n":1,"face":"KH","by":["eye"]}',
        '{"say":"read","n":-1,"face":"KH","by":["index"]}',
        '{"say":"read","n":1.5,"face":"KH","by":["index"]}',
        '{"say":"read","n":1,"face":"KH","by":["index"],"deck":100}',
        '{"say":"read","n":1,"face":"KH","by":["index"],"more":1}',
        '{"say":"trouble","code":"Not A Code"}',
        '{"say":"presence","edge":"flew away"}',
        '{"say":"settings"}',
        '{"say":"read"',
        '{"say":"nothing"}',
    ],
)
def test_a_line_with_a_right_check_and_wrong_content_is_none(body: str) -> None:
    import zlib

    raw = body.encode()
    with pytest.raises(c.NoLine):
        c.up(b"%b#%08X\n" % (raw, zlib.crc32(raw)))


def test_a_line_too_long_is_not_sent() -> None:
    with pytest.raises(c.NoLine, match="longer"):
        c.encode(c.Settings(spec={"deck": "x" * c.LIMIT}))


def test_lines_are_cut_whatever_the_pieces_and_never_held_for_ever() -> None:
    rng, cutter = random.Random(1), c.Cutter()
    data = b"".join(c.encode(line) for line in UP) * 20 + b"\xff" * 3 * c.LIMIT + b"\n"
    lines: list[bytes] = []
    at = 0
    while at < len(data):
        size = rng.randint(1, 5000)
        lines += cutter.feed(data[at : at + size])
        at += size
        assert len(cutter._held) <= c.LIMIT
    assert b"".join(lines) == data
    assert [c.up(line) for line in lines[: 20 * len(UP)]] == UP * 20
    assert not cutter.waiting


# --- the protocol ---------------------------------------------------------------------------


def test_a_number_left_out_holds_the_table_each_time() -> None:
    one = camera()
    for n in (1, 3, 5, 6):
        one.feed(numbered(TEN, n))
    kinds = [type(seen) for seen in one.seen]
    lost = [Trouble, TroubleOver, CardRead]
    assert kinds == [CardRead, *lost, *lost, CardRead]
    details = [seen.detail for seen in one.seen if isinstance(seen, Trouble)]
    assert details == ["numbers 2 to 2 never arrived", "numbers 4 to 4 never arrived"]


def test_a_read_damaged_on_the_way_is_missed_by_its_number() -> None:
    one = camera()
    one.feed(numbered(TEN, 1).replace(b"TS", b"TD"))
    one.feed(numbered(KING, 2))
    told = [(type(s).__name__, getattr(s, "reason", getattr(s, "code", ""))) for s in one.seen]
    assert told == [
        ("NoRead", "garbage"),
        ("Trouble", "reads_lost"),
        ("TroubleOver", "reads_lost"),
        ("CardRead", ""),
    ]


def test_a_card_told_twice_under_one_number_is_never_two_cards() -> None:
    one = camera()
    for line in (numbered(TEN, 1), numbered(TEN, 1), numbered(KING, 1)):
        one.feed(line)
    assert [seen.face for seen in one.seen if isinstance(seen, CardRead)] == ["TS"]
    assert [s.reason for s in one.seen if isinstance(s, NoRead)] == ["repeat_in_doubt"] * 2


def test_no_claim_of_the_reader_is_taken_that_its_code_does_not_bear_out() -> None:
    """Every field of a read that a fault could turn, one at a time."""
    wrong: list[c.Read] = [
        msgspec.structs.replace(KING, face="KS"),
        msgspec.structs.replace(KING, set="B"),
        msgspec.structs.replace(KING, deck=4),
        msgspec.structs.replace(KING, text="AKH53"),
        msgspec.structs.replace(KING, text=""),
        msgspec.structs.replace(KING, text="ACUT6"),
        msgspec.structs.replace(KING, checked=False),
        msgspec.structs.replace(TEN, deck=1),
        msgspec.structs.replace(TEN, text="ATS1?"),
        msgspec.structs.replace(TEN, set="A"),
    ]
    for line in wrong:
        one = camera()
        one.feed(numbered(line, 1))
        told = [seen for seen in one.seen if not isinstance(seen, Note)]
        assert [(type(s), getattr(s, "reason", "")) for s in told] == [(NoRead, "contradiction")]


def test_beeps_and_triggers_are_not_its() -> None:
    one = camera().protocol
    assert one.capabilities == {"identity", "heartbeat", "enable"}
    assert one.send(Beep("good"), 0).write == one.send(Trigger(True), 0).write == ()


def test_a_card_held_into_the_window_is_not_a_numbered_draw() -> None:
    """It did not come out of the shoe: it may be one that was told before, seen again."""
    one = camera()
    one.feed(numbered(msgspec.structs.replace(TEN, came=False), 1) + numbered(TEN, 2))
    assert [seen.numbered for seen in one.seen if isinstance(seen, CardRead)] == [False, True]


def test_a_read_told_late_is_no_card_for_whose_turn_it_is_then() -> None:
    one = camera()
    one.feed(c.encode(msgspec.structs.replace(TEN, at_ns=one.now_ns - 6000 * MS)))
    assert [type(seen) for seen in one.seen] == [Note, NoRead]


def test_the_light_it_has_learned_is_kept_over_a_new_process() -> None:
    protocol = Camera("shoe", CODE)
    one = Driven(protocol)
    one.feed(c.encode(c.Numbers(empty_light=61.5)))
    one.feed(c.encode(c.Numbers()))
    one.take(protocol.reset(one.now_ns))
    assert protocol.light == 61.5


def test_a_station_that_was_held_up_does_not_call_the_reader_silent() -> None:
    """The figures of ten seconds, heard at once."""
    one = camera()
    one.now_ns += 10_000 * MS
    one.feed(c.encode(c.Numbers()) * 10)
    assert one.seen == []
    one.wait(2900)
    assert one.seen == []
    one.wait(200)
    assert [seen.code for seen in one.seen if isinstance(seen, Trouble)] == ["silent"]


def test_noise_is_no_sign_of_life() -> None:
    """Bytes that are no lines come all the time, so that nobody has to be woken."""
    protocol = Camera("shoe", CODE)
    protocol.start(0)
    seen = [one for at in range(50) for one in protocol.feed(b"x\n", at * 100 * MS).observations]
    assert "silent" in [one.code for one in seen if isinstance(one, Trouble)]


def test_ten_thousand_bad_lines_are_a_trouble_not_ten_thousand_words() -> None:
    one = camera()
    for _ in range(10_000):
        one.feed(b"zbar: Assertion failed\n")
    assert [s.code for s in one.seen if isinstance(s, Trouble)] == ["check_reader"]
    assert len(one.seen) < 30
    one.feed(numbered(TEN, 1))
    assert [type(seen) for seen in one.seen[-2:]] == [TroubleOver, CardRead]


def test_more_cards_than_a_hand_can_draw_are_reads_lost_and_the_next_ones_are_told() -> None:
    """A reader gone mad: nothing but right lines, as many as the pipe takes."""
    one = camera()
    for n in range(1, 10_001):
        one.feed(numbered(TEN if n % 2 else c.Missed(reason="unread"), n))
    passed = [seen for seen in one.seen if isinstance(seen, CardRead | NoRead)]
    assert len(passed) == 64, "a station that was held up hears of all that passed meanwhile"
    assert [seen.code for seen in one.seen if isinstance(seen, Trouble)] == ["reads_lost"]
    one.wait(1500)
    before = len(one.seen)
    one.feed(c.encode(c.Numbers()))
    lost = [seen.detail for seen in one.seen[before:] if isinstance(seen, Trouble)]
    assert lost == ["more than can have passed, up to number 10000"], "what was left out since"
    before = len(one.seen)
    one.feed(numbered(TEN, 10_001))
    assert [type(seen) for seen in one.seen[before:]] == [CardRead]


def test_more_troubles_than_there_are_do_not_fill_the_memory() -> None:
    one = camera()
    for n in range(1000):
        one.feed(c.encode(c.Fault(code=f"fault_{n}")))
    told = [seen.code for seen in one.seen if isinstance(seen, Trouble)]
    assert len(told) == 33
    assert told[-1] == "internal"


def test_a_trouble_that_comes_and_goes_without_end_stands_in_the_end() -> None:
    one = camera()
    for _ in range(1000):
        one.feed(c.encode(c.Fault(code="black")) + c.encode(c.FaultOver(code="black")))
    told = [seen for seen in one.seen if isinstance(seen, Trouble | TroubleOver)]
    assert len(told) == 41
    assert isinstance(told[-1], Trouble)
    one.wait(1500)
    one.feed(c.encode(c.FaultOver(code="black")))
    assert isinstance(one.seen[-1], TroubleOver)


def test_a_process_says_once_what_it_is() -> None:
    one = camera()
    for n in range(1000):
        one.feed(c.encode(c.Hello(version=c.VERSION, pid=n, what=f"camera {n}")))
    assert [seen.identity for seen in one.seen if isinstance(seen, Identified)] == ["camera 0"]
    assert len(one.seen) < 30
    one.take(one.protocol.reset(one.now_ns))
    one.take(one.protocol.start(one.now_ns))
    one.feed(c.encode(c.Hello(version=c.VERSION, pid=1, what="another")))
    assert isinstance(one.seen[-1], Identified)


def test_the_cut_card_is_told_by_code_or_look() -> None:
    one = camera()
    one.feed(numbered(c.CutOut(set="A", text="ACUT6"), 1) + numbered(c.CutOut(), 2))
    assert [(seen.set, seen.text) for seen in one.seen if isinstance(seen, CutCard)] == [
        ("A", "ACUT6"),
        ("", ""),
    ]


def test_golden_lines_are_lines() -> None:
    """Those that are not damaged on purpose."""
    for case in cases("camera"):
        if case.name != "damage":
            assert all(c.up(send.data) for send in case.sends)
