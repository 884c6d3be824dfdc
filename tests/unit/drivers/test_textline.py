"""The text-line protocol against the golden bytes, and against noise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cardcode import CardCode
from drivers.observations import AnyObservation, CardRead, NoRead, Trouble, TroubleOver
from drivers.protocols.base import Beep, DeviceProtocol
from drivers.protocols.textline import LINE_LIMIT, TextLine, TextLineSettings
from tests.support.golden import Case, cases, protocol_of, watch, written

MS = 1_000_000
CODE = CardCode.from_template()
CASES = cases("text-line")


def reader(**settings: Any) -> TextLine:
    return TextLine("shoe", CODE, TextLineSettings(**settings))


def reader_of(case: Case) -> DeviceProtocol:
    return protocol_of("text-line", case.settings)


def test_there_are_golden_bytes() -> None:
    assert len(CASES) >= 20


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_late_tick_changes_nothing(case: Case) -> None:
    protocol = reader_of(case)
    seen: list[AnyObservation] = []
    for send in case.sends:
        seen.extend(protocol.feed(send.data, send.at_ms * MS).observations)
    seen.extend(protocol.tick(case.ends_ms * MS).observations)
    assert [written(one) for one in seen] == case.sees


noise = st.binary(max_size=300)
wire = st.lists(
    st.one_of(noise, st.sampled_from([b"AKH35\r", b"ACUT6\n", b"AAS1C", b"\r\n", b"]C0AKH35\r"])),
    max_size=8,
).map(b"".join)


@given(wire, st.data(), st.sampled_from(["any", "none"]))
def test_any_split_of_the_bytes_gives_the_same_observations(
    data: bytes, draw: st.DataObject, suffix: str
) -> None:
    whole = watch(reader(suffix=suffix), [(0, data)], 10_000)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert watch(reader(suffix=suffix), [(0, part) for part in parts], 10_000) == whole


@given(st.lists(st.tuples(st.integers(0, 3000), noise), max_size=20), st.booleans())
def test_noise_never_raises_never_grows_and_the_next_clean_line_is_read(
    pieces: list[tuple[int, bytes]], by_silence: bool
) -> None:
    protocol = reader()
    now = 0
    for pause_ms, data in pieces:
        now += pause_ms
        watch(protocol, [(now, data)], now)
        assert len(protocol._line) <= LINE_LIMIT + 1
    if by_silence:
        now += 2000
    else:
        protocol.feed(b"\r", now * MS)
    out = protocol.feed(b"AKH35\r", now * MS)
    cards = [one for one in out.observations if isinstance(one, CardRead)]
    assert [(one.face, one.raw) for one in cards] == [("KH", b"AKH35\r")]


@given(st.binary(max_size=2000))
def test_a_card_is_read_only_from_a_line_that_is_exactly_its_code(data: bytes) -> None:
    stream = data.replace(b"\x00", b"AKH35\r")
    for one in reader().feed(stream, 0).observations:
        if isinstance(one, CardRead):
            assert one.raw.strip(b"\x02\r\n\t\x03").removeprefix(b"]C0") == one.text.encode()
            assert one.raw in stream


def test_flood_of_bad_lines_is_bounded_and_never_silent() -> None:
    protocol = reader()
    seen: list[AnyObservation] = []
    for tenth in range(100):
        seen.extend(protocol.feed(b"nonsense\r" * 50, tenth * 100 * MS).observations)
    assert len([one for one in seen if isinstance(one, NoRead)]) <= 20 + 50
    assert [type(one) for one in seen if not isinstance(one, NoRead)] == [Trouble]
    after = protocol.feed(b"AKH35\r", 10_000 * MS).observations
    assert [type(one) for one in after] == [TroubleOver, CardRead]


def test_an_endless_line_becomes_a_trouble() -> None:
    out = reader().feed(b"x" * 1000, 0)
    assert [type(one) for one in out.observations] == [NoRead, Trouble]


def test_foreign_codes_in_a_row_are_no_line_trouble() -> None:
    seen = reader().feed(b"4006381333931\r" * 10, 0).observations
    assert [type(one) for one in seen] == [NoRead] * 10


def test_a_line_of_the_limit_is_judged_and_one_longer_is_not() -> None:
    (fits,) = reader().feed(b"\x02" + b"X" * LINE_LIMIT + b"\r", 0).observations
    (long,) = reader().feed(b"X" * (LINE_LIMIT + 1) + b"\r", 0).observations
    assert isinstance(fits, NoRead)
    assert isinstance(long, NoRead)
    assert (fits.reason, long.reason) == ("not_a_card", "too_long")


def test_a_cut_line_is_told_and_never_joined() -> None:
    protocol = reader()
    protocol.feed(b"AKH", 0)
    (half,) = protocol.reset(5 * MS).observations
    assert isinstance(half, NoRead)
    assert (half.reason, half.text, half.raw, half.at_ns) == ("incomplete", "AKH", b"AKH", 0)
    (tail,) = protocol.feed(b"35\r", 6 * MS).observations
    assert isinstance(tail, NoRead)
    assert protocol.reset(7 * MS).observations == ()


def test_a_beep_is_the_readers_own_bytes_or_not_available() -> None:
    able, mute = reader(good_beep=b"\x16\x07\r"), reader()
    assert able.capabilities == {"good_beep"}
    assert able.send(Beep("good"), 0).write == (b"\x16\x07\r",)
    assert able.send(Beep("bad"), 0).write == ()
    assert mute.capabilities == frozenset()
    assert mute.send(Beep("good"), 0).write == ()


def test_sending_keeps_the_time_of_the_idle_rule() -> None:
    protocol = reader(good_beep=b"\x07")
    waiting = protocol.feed(b"AKH", 0).wake_at_ns
    assert waiting == 2000 * MS
    assert protocol.send(Beep("good"), 100 * MS).wake_at_ns == waiting
