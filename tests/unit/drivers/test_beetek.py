"""The Bee-Tek protocol against noise, splits and time."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.catalog import spec_of
from drivers.kinds.bee_tek import BeeTekSpec
from drivers.observations import AnyObservation, CardRead, NoRead, Trouble
from drivers.protocols.base import Beep, Wanted
from drivers.protocols.beetek import RECORD_LIMIT, BeeTek
from tests.support.golden import Case, cases, protocol_of, watch, written

MS = 1_000_000
CASES = cases("bee-tek")
FACES = [r + s for s in "DCSH" for r in "A23456789TJQK"]
TEXT = st.text("[]<>:Card GameAlrm4SKHT10\r\n \t", max_size=60).map(str.encode)
NOISE = st.lists(st.one_of(st.binary(min_size=1, max_size=80), TEXT), max_size=20)


def record(face: str) -> bytes:
    """A card's record."""
    return f" [Manual Burn Cards]<Card:{face}> ".encode()


def faces(seen: list[AnyObservation]) -> list[str]:
    """The cards among them."""
    return [one.face for one in seen if isinstance(one, CardRead)]


def test_there_are_golden_bytes() -> None:
    assert len(CASES) >= 25


@pytest.mark.parametrize("case", [c for c in CASES if not c.asks], ids=lambda case: case.name)
def test_a_late_tick_changes_nothing(case: Case) -> None:
    shoe = protocol_of("bee-tek", case.settings)
    seen: list[AnyObservation] = []
    for send in case.sends:
        seen.extend(shoe.feed(send.data, send.at_ms * MS).observations)
    seen.extend(shoe.tick(case.ends_ms * MS).observations)
    assert [written(one) for one in seen] == case.sees


def test_every_face_in_both_spellings() -> None:
    sends = [(i * 1000, record(face)) for i, face in enumerate(FACES)]
    assert faces(watch(BeeTek("shoe"), sends, 60_000)) == FACES
    tens = [(i * 1000, record("10" + suit)) for i, suit in enumerate("DCSH")]
    assert faces(watch(BeeTek("shoe"), tens, 60_000)) == ["TD", "TC", "TS", "TH"]


# --- whatever comes -----------------------------------------------------------------------


@given(NOISE, st.sampled_from(FACES))
def test_after_any_noise_the_next_clean_record_is_read(noise: list[bytes], face: str) -> None:
    shoe = BeeTek("shoe")
    watch(shoe, [(i * 10, piece) for i, piece in enumerate(noise)], 1000)
    assert faces(watch(shoe, [(2000, record(face))], 3000)) == [face]


@given(NOISE, st.sampled_from(FACES))
def test_noise_right_before_a_record_does_not_hide_it(noise: list[bytes], face: str) -> None:
    told = faces(watch(BeeTek("shoe"), [(0, b"".join(noise) + record(face))], 1000))
    assert told[-1:] == [face]


@given(st.lists(st.tuples(TEXT, st.integers(0, 300)), max_size=30), st.data())
def test_the_same_however_the_bytes_are_split(
    pieces: list[tuple[bytes, int]], data: st.DataObject
) -> None:
    at, sends = 0, []
    for piece, wait in pieces:
        at += wait
        some = data.draw(st.sampled_from([piece, record("4S"), record("KH")[:18], b"4S"]))
        sends.append((at, some))
    whole = watch(BeeTek("shoe"), sends, at + 1000)
    split = [(when, bytes((byte,))) for when, piece in sends for byte in piece]
    assert watch(BeeTek("shoe"), split, at + 1000) == whole


@given(st.lists(st.one_of(st.binary(min_size=1, max_size=300), TEXT), max_size=30))
def test_what_it_keeps_is_bounded(noise: list[bytes]) -> None:
    shoe = BeeTek("shoe")
    for at, piece in enumerate(noise):
        shoe.feed(piece, at * MS)
        assert len(shoe._kept) < RECORD_LIMIT
        assert len(shoe._alarms) <= 16


@given(st.binary(max_size=300).map(lambda noise: noise.strip(b" \t\r\n")))
def test_noise_is_never_silence(noise: bytes) -> None:
    assert not noise or watch(BeeTek("shoe"), [(0, noise)], 5000)


@given(st.sampled_from(FACES), st.integers(1, 25))
def test_a_record_with_a_lost_byte_is_that_card_or_none(face: str, at: int) -> None:
    whole = record(face)
    seen = watch(BeeTek("shoe"), [(0, whole[:at] + whole[at + 1 :])], 5000)
    assert faces(seen) in ([], [face])
    assert faces(seen) or any(isinstance(one, NoRead | Trouble) for one in seen)


@given(st.sampled_from(FACES), st.sampled_from(FACES), st.integers(1, 26), st.integers(1, 26))
def test_two_halves_of_two_draws_are_never_one_card(
    first: str, second: str, keep: int, drop: int
) -> None:
    """The end of one record and the beginning of the next are lost between two draws."""
    sends = [(0, record(first)[:keep]), (300, record(second)[drop:])]
    assert set(faces(watch(BeeTek("shoe"), sends, 5000))) <= {second}


def test_endless_noise_is_a_trouble_and_few_words() -> None:
    seen = watch(BeeTek("shoe"), [(at, b"\xe0\x80\xff") for at in range(60_000)], 61_000)
    assert [one.code for one in seen if isinstance(one, Trouble)] == ["check_baud"]
    assert len(seen) < 400


def test_an_echo_counts_only_right_after_its_own_record() -> None:
    shoe = BeeTek("shoe")
    seen = watch(shoe, [(0, b"[Game]<Card:4S>[Game]<Game>4S")], 1000)
    assert [one.reason for one in seen if isinstance(one, NoRead)] == ["unread", "garbage"]
    shoe.feed(b"[Game]<Card:4S>", 2000 * MS)
    shoe.reset(2010 * MS)
    seen = watch(shoe, [(2020, b"4S")], 3000)
    assert [one.reason for one in seen if isinstance(one, NoRead)] == ["garbage"]


def test_an_alarm_is_over_once() -> None:
    seen = watch(
        BeeTek("shoe"), [(0, b"[Game]<Alarm:E7 x>" + record("4S")), (1000, record("KH"))], 2000
    )
    assert [type(one).__name__ for one in seen] == [
        "Trouble",
        "TroubleOver",
        "CardRead",
        "CardRead",
    ]


# --- the technician, the settings ---------------------------------------------------------


def test_a_technician_sees_what_each_frame_is() -> None:
    shoe = BeeTek("shoe")
    out = shoe.feed(b" [Game]<Card:4S> 4S [Game]<Game> <W0x01> [Game]<Alarm:E3 x> [Game]<", 0)
    out_later = shoe.tick(MS * 1000)
    assert [(frame.name, frame.note) for frame in out.frames + out_later.frames] == [
        ("card", ""),
        ("echo", ""),
        ("not read", ""),
        ("warning", ""),
        ("alarm", ""),
        ("record", "it has no end"),
    ]


def test_an_unknown_record_says_what_to_set() -> None:
    (told,) = BeeTek("shoe").feed(b"[Game]<Shoe Empty>", 0).observations
    assert isinstance(told, Trouble)
    assert "'Shoe Empty'" in told.detail
    assert "`cut_card`" in told.detail


def test_it_can_be_told_nothing_and_says_so() -> None:
    shoe = BeeTek("shoe")
    assert shoe.capabilities == frozenset()
    assert shoe.send(Beep("good"), 0).write == shoe.want(Wanted(), 0).write == ()


def test_a_shoe_by_its_settings() -> None:
    spec = spec_of({"name": "shoe", "kind": "bee-tek", "port": "/dev/shoe"})
    assert isinstance(spec, BeeTekSpec)
    assert (spec.baud, spec.apart, spec.checked) == (9600, "time", False)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"cut_card": "<Cut>"}, "between < and >"),
        ({"cut_card": "Card:4S"}, "never a card's"),
        ({"harmless": [" x"]}, "between < and >"),
        ({"harmless": ["Cut"], "cut_card": "Cut"}, "is the cut card"),
        ({"role": "board"}, "reads cards"),
    ],
)
def test_bad_settings_say_what_to_write(field: dict[str, object], words: str) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError), match=words):
        spec_of({"name": "shoe", "kind": "bee-tek", "port": "/dev/shoe", **field})
