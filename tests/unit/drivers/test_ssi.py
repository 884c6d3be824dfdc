"""The SSI protocol: its frames, its framer against noise, and what it is set to."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError

from drivers.catalog import spec_of
from drivers.observations import CardRead, CutCard, NoRead
from drivers.protocols import ssi_frames as ssi
from drivers.protocols.base import Out, Wanted
from drivers.protocols.ssi_frames import SsiFrame, SsiFramer
from tests.support.golden import MS, Told, cases, protocol_of, written

CASES = cases("zebra-ssi")
ACK, NAK = SsiFrame(ssi.ACK), SsiFrame(ssi.NAK, b"\x01")


def decode(text: str, status: int = 0, kind: int = 3) -> bytes:
    data = bytes((kind,)) + text.encode()
    return SsiFrame(ssi.DECODE_DATA, data, ssi.SCANNER, status).to_bytes()


KING, CUT = decode("AKH35"), decode("ACUT6")


def test_there_are_golden_bytes() -> None:
    assert len(CASES) >= 25


@pytest.mark.parametrize(
    ("frame", "raw"),
    [
        (ACK, "04 D0 04 00 FF 28"),
        (NAK, "05 D1 04 00 01 FF 25"),
        (SsiFrame(ssi.SCAN_ENABLE), "04 E9 04 00 FF 0F"),
        (SsiFrame(ssi.SCAN_DISABLE), "04 EA 04 00 FF 0E"),
        (SsiFrame(ssi.BEEP, b"\x01"), "05 E6 04 00 01 FF 10"),
        (SsiFrame(ssi.BEEP, b"\x12"), "05 E6 04 00 12 FE FF"),
        (SsiFrame(ssi.LED_ON, b"\x01"), "05 E7 04 00 01 FF 0F"),
        (SsiFrame(ssi.REQUEST_REVISION), "04 A3 04 00 FF 55"),
        (SsiFrame(ssi.PARAM_SEND, b"\xff\xee\x01"), "07 C6 04 00 FF EE 01 FD 41"),
        (SsiFrame(ssi.DECODE_DATA, b"\x038S0123", 0), "0B F3 00 00 03 38 53 30 31 32 33 FD AE"),
    ],
)
def test_a_frame_is_these_bytes(frame: SsiFrame, raw: str) -> None:
    data = bytes.fromhex(raw)
    assert frame.to_bytes() == data
    assert SsiFrame.from_bytes(data) == frame


@given(st.binary(max_size=251), st.integers(0, 255), st.integers(0, 255))
def test_a_frame_survives_and_one_wrong_byte_does_not(data: bytes, status: int, flip: int) -> None:
    frame = SsiFrame(ssi.DECODE_DATA, data, ssi.SCANNER, status)
    raw = frame.to_bytes()
    assert SsiFrame.from_bytes(raw) == frame
    at = flip % len(raw)
    wrong = raw[:at] + bytes((raw[at] ^ (flip or 1),)) + raw[at + 1 :]
    assert SsiFrame.from_bytes(wrong) is None


def test_too_much_for_one_frame() -> None:
    with pytest.raises(ValueError, match="252 bytes of data: a frame holds 251"):
        SsiFrame(ssi.DECODE_DATA, bytes(252)).to_bytes()


def watch(sends: list[tuple[int, bytes]], ends_ms: int, **settings: Any) -> Told:
    """Feed bytes at their times, tick when the protocol wants to be woken."""
    protocol = protocol_of("zebra-ssi", settings)
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


# Where commands are asked for, their own times count.
QUIET = [case for case in CASES if not case.asks]


@pytest.mark.parametrize("case", QUIET, ids=[case.name for case in QUIET])
def test_a_tick_before_its_time_changes_nothing(case: Any) -> None:
    protocol = protocol_of("zebra-ssi", case.settings)
    seen: list[Any] = []
    for send in case.sends:
        for early in (3, 2, 1):
            seen += protocol.tick(max(0, send.at_ms - early) * MS).observations
        seen += protocol.feed(send.data, send.at_ms * MS).observations
    seen += protocol.tick(case.ends_ms * MS).observations
    assert [written(one) for one in seen] == case.sees


noise = st.one_of(
    st.binary(max_size=300),
    st.binary(max_size=4).map(lambda tail: bytes((255, 0xF3, 0, 0)) + tail),
    st.binary(max_size=4).map(lambda tail: bytes((4, 0xD0, 0)) + tail),
)
wire = st.lists(
    st.one_of(noise, st.sampled_from([KING, CUT, KING[:6], decode("AAS1C", 1), b"AKH35\r"])),
    max_size=8,
).map(b"".join)


@given(wire, st.data())
def test_any_split_of_the_bytes_gives_the_same(data: bytes, draw: st.DataObject) -> None:
    whole = watch([(0, data)], 20_000)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    split = watch([(0, part) for part in parts], 20_000)
    assert split.seen == whole.seen
    assert split.writes == whole.writes


@given(wire, st.sampled_from([0, 40, 99, 100, 500]))
def test_the_next_whole_frame_after_noise_is_read(data: bytes, pause_ms: int) -> None:
    """However soon it comes: a head that the noise pretends delays it by the gap at most."""
    told = watch([(0, data), (pause_ms, CUT)], 20_000)
    assert any(isinstance(one, CutCard) and one.raw == CUT for one in told.seen)
    acks = [message for _, message in told.writes if message == ACK.to_bytes()]
    assert acks


def test_after_noise_a_head_of_an_unknown_kind_holds_nothing_back() -> None:
    protocol = protocol_of("zebra-ssi", {})
    out = protocol.feed(b"\x99\x01\x01\xfe\x77\x00" + KING, 0)
    assert [type(one) for one in out.observations] == [NoRead, CardRead]


def test_an_echo_of_what_the_host_sends_is_noise() -> None:
    """On a line that echoes, nothing of it is an answer or a card."""
    own = SsiFrame(ssi.DECODE_DATA, b"\x03AKH35").to_bytes()
    protocol = protocol_of("zebra-ssi", {})
    protocol.start(0)
    out = protocol.feed(ACK.to_bytes() + own, 10 * MS)
    assert not out.observations
    assert protocol.tick(500 * MS).write == (NAK.to_bytes(),)
    told = watch([(0, own)], 9000)
    assert [type(one) for one in told.seen] == [NoRead]


@given(st.lists(noise, max_size=6))
def test_noise_makes_no_card_and_never_passes_unsaid(parts: list[bytes]) -> None:
    told = watch([(i * 700, part) for i, part in enumerate(parts)], 40_000)
    assert not [one for one in told.seen if isinstance(one, CardRead | CutCard)]
    if any(parts):
        framed = any(_frames(part) for part in parts)
        assert framed or any(isinstance(one, NoRead) for one in told.seen)


def _frames(data: bytes) -> list[SsiFrame]:
    framer = SsiFramer()
    return [cut.frame for cut in framer.feed(data, 0) + framer.flush() if cut.frame]


def test_endless_noise_takes_no_memory_and_is_told() -> None:
    protocol = protocol_of("zebra-ssi", {})
    protocol.start(0)
    chunk = bytes(range(256)) * 16
    told = 0
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for i in range(400):
        told += len(protocol.feed(chunk, i * 50 * MS).observations)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 100_000
    assert 3 <= told <= 60


def test_commands_asked_for_without_an_answer_do_not_pile_up() -> None:
    protocol = protocol_of("zebra-ssi", {})
    out = protocol.start(0)
    for i in range(2000):
        out = protocol.want(Wanted(reading=bool(i % 2)), i * 10 * MS)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for i in range(2000, 4000):
        out = protocol.want(Wanted(reading=bool(i % 2)), i * 10 * MS)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000
    assert out.wake_at_ns is not None


def test_what_it_can_do_is_what_it_is_set_to() -> None:
    plain = protocol_of("zebra-ssi", {}).capabilities
    assert plain == {"good_beep", "bad_beep", "flush", "enable", "identity", "heartbeat"}
    more = protocol_of("zebra-ssi", {"led": True, "trigger_mode": "host"}).capabilities
    assert more - plain == {"light", "trigger"}


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"decode_seconds": 0.3}, "decode_seconds 0.3: 0.5 to 9.9, or 0"),
        ({"aim": []}, "aim"),
        ({"heartbeat_seconds": 1}, "heartbeat_seconds"),
        ({"trigger_mode": "always"}, "trigger_mode"),
        ({"card": "{rank}"}, "suit"),
    ],
)
def test_a_bad_setting_is_named(bad: dict[str, Any], says: str) -> None:
    raw = {"name": "shoe", "port": "/dev/table/shoe", "kind": "zebra-ssi", **bad}
    with pytest.raises((ValueError, ValidationError), match=says):
        spec_of(raw)


def test_a_code_without_a_deck_is_told_apart_by_time() -> None:
    raw = {"name": "shoe", "port": "/dev/table/shoe", "kind": "zebra-ssi"}
    assert spec_of(raw).apart == "code"
    assert spec_of(raw).checked
    bare = spec_of({**raw, "card": "{rank}{suit}", "cut_card": "CUT"})
    assert bare.apart == "time"
    assert not bare.checked


def test_a_resend_explains_no_damage_from_before_another_code() -> None:
    """A damaged code, another whole one, then a third whose first copy was damaged too: the third
    comes again, the first never, and it is told although the re-send seems to account for it.
    """
    protocol = protocol_of("zebra-ssi", {})
    queen, jack = decode("AQS1O"), decode("AJD4R")
    seen: list[Any] = []
    for at_ms, raw in (
        (0, KING[:8] + b"\x00" + KING[9:]),
        (20, queen),
        (1000, jack[:8] + b"\x00" + jack[9:]),
        (1300, decode("AJD4R", ssi.RETRANSMITTED)),
    ):
        seen += protocol.tick((at_ms - 1) * MS).observations
        seen += protocol.feed(raw, at_ms * MS).observations
    assert [type(one) for one in seen if not isinstance(one, NoRead)] == [CardRead, CardRead]
    assert isinstance(seen[0], NoRead)
    assert seen[0].reason == "incomplete"
