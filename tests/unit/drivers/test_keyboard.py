"""Keys beyond the golden ones: any events, any split; no person and no layout makes a card."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cardcode import RANKS, SUITS, CardCode
from drivers.catalog import kind_of, spec_of
from drivers.observations import AnyObservation, CardRead, NoRead, Trouble
from drivers.protocols.base import Beep, Out
from drivers.protocols.hangul import bytes_look_hangul, looks_hangul
from drivers.protocols.keyboard import Keyboard, KeyboardSettings
from drivers.protocols.keymap import AZERTY, OTHER_LAYOUTS, QWERTZ, SHIFT, US, Key
from drivers.transports.nodes import InputPort, VirtualNodePort

MS = 1_000_000
CODE = CardCode.from_template()
EVENT = struct.Struct("llHHi")
ENTER, SHIFT_KEY, CONTROL, ALT, ALT_GR = 28, 42, 29, 56, 100


def event(at_ms: int, kind: int, code: int, value: int) -> bytes:
    return EVENT.pack(at_ms // 1000, at_ms % 1000 * 1000, kind, code, value)


def stroke(at_ms: int, code: int, *held: int) -> bytes:
    down = b"".join(event(at_ms, 1, key, 1) for key in (*held, code))
    up = b"".join(event(at_ms + 8, 1, key, 0) for key in (code, *held))
    return down + event(at_ms, 0, 0, 0) + up + event(at_ms + 8, 0, 0, 0)


def strokes(keys: tuple[Key, ...], at_ms: int = 0, step_ms: int = 16) -> bytes:
    wire = b""
    for key in keys:
        held = {SHIFT: (SHIFT_KEY,), 2: (ALT_GR,)}.get(key.level, ())
        wire += stroke(at_ms, key.code, *held)
        at_ms += step_ms
    return wire


def typed(text: str, at_ms: int = 0, step_ms: int = 16) -> bytes:
    keys = US.keys(text)
    return strokes(keys, at_ms, step_ms) + stroke(at_ms + len(keys) * step_ms, ENTER)


def scanner(**settings: Any) -> Keyboard:
    return Keyboard("scanner", CODE, KeyboardSettings(**settings))


def told(seen: tuple[AnyObservation, ...] | list[AnyObservation]) -> list[str]:
    return [one.text if isinstance(one, CardRead) else getattr(one, "reason", "?") for one in seen]


events = st.one_of(
    st.binary(max_size=30),
    st.builds(
        event,
        st.integers(0, 100_000),
        st.sampled_from([0, 1, 1, 1, 4, 17, 20]),
        st.one_of(st.integers(0, 130), st.sampled_from([3, ENTER, SHIFT_KEY, 58, 122])),
        st.integers(0, 2),
    ),
    st.builds(typed, st.sampled_from(["AKH35", "AAS1C", "akh35", "x"]), st.integers(1, 100_000)),
)
story = st.lists(st.tuples(st.integers(0, 700), events), max_size=12)


@given(story, st.data())
def test_any_events_are_told_the_same_however_they_are_split(
    story: list[tuple[int, bytes]], draw: st.DataObject
) -> None:
    whole, split = scanner(), scanner()
    one: list[AnyObservation] = []
    other: list[AnyObservation] = []
    now = 0
    for wait, data in story:
        now += wait * MS
        one += whole.feed(data, now).observations
        cut = draw.draw(st.integers(0, len(data)))
        other += split.feed(data[:cut], now).observations
        other += split.feed(data[cut:], now).observations
        assert len(whole._keys) <= 64
        assert len(whole._bytes) < 24
    one += whole.reset(now + MS).observations
    other += split.reset(now + MS).observations
    assert one == other


@given(story)
def test_a_clean_card_after_a_reconnect_is_read(story: list[tuple[int, bytes]]) -> None:
    protocol = scanner()
    now = 0
    for wait, data in story:
        now += wait * MS
        protocol.feed(data, now)
    protocol.reset(now)
    protocol.start(now)
    assert told(protocol.feed(typed("AKH35", 200_000), now + MS).observations) == ["AKH35"]


@given(st.lists(st.integers(0, 120), min_size=5, max_size=5))
def test_a_code_is_a_card_only_if_no_pause_is_a_persons(pauses: list[int]) -> None:
    protocol = scanner()
    at, wire = 1000, b""
    for key, pause in zip(US.keys("AKH35"), pauses, strict=True):
        wire += strokes((key,), at)
        at += pause
    seen = told(protocol.feed(wire + stroke(at, ENTER), 0).observations)
    assert seen == (
        ["AKH35"] if max(pauses) <= 40 else ["typing"] if seen != ["incomplete"] else seen
    )
    assert ("AKH35" in seen) == (max(pauses) <= 40)


def test_time_stamps_that_go_back_are_no_scanners() -> None:
    wire = strokes(US.keys("AKH"), 5000) + strokes(US.keys("35"), 100) + stroke(140, ENTER)
    assert told(scanner().feed(wire, 0).observations) == ["typing"]


def test_events_without_time_stamps_are_timed_as_they_come() -> None:
    protocol = scanner()
    seen: list[AnyObservation] = []
    for i, key in enumerate((*US.keys("AKH35"), Key(ENTER, 0))):
        wire = strokes((key,))
        blank = b"".join(bytes(16) + wire[at + 16 : at + 24] for at in range(0, len(wire), 24))
        seen += protocol.feed(blank, (i + 1) * 16 * MS).observations
    assert told(seen) == ["AKH35"]


def test_scan_codes_and_other_events_between_the_keys_are_nothing() -> None:
    wire = typed("AKH35")
    busy = b"".join(event(0, 4, 4, 0x70004) + wire[at : at + 24] for at in range(0, len(wire), 24))
    assert told(scanner().feed(busy, 0).observations) == ["AKH35"]


@pytest.mark.parametrize("held", [CONTROL, ALT, 125])
def test_a_key_held_with_control_or_alt_is_no_character(held: int) -> None:
    wire = stroke(1, US.keys("A")[0].code, SHIFT_KEY, held) + typed("KH35", 17)
    seen = scanner().feed(wire, 0).observations
    assert told(seen) == ["not_a_card"]
    assert isinstance(seen[0], NoRead)
    assert seen[0].text == "?KH35"


def test_alt_gr_with_a_key_is_no_hangul_key() -> None:
    keys = AZERTY.keys("]C0AKH35")
    wire = strokes(keys) + stroke(16 * len(keys), ENTER) + typed("AAS1C", 1000)
    assert told(scanner().feed(wire, 0).observations) == ["keyboard_layout", "AAS1C"]


@pytest.mark.parametrize("layout", OTHER_LAYOUTS, ids=lambda layout: layout.name)
def test_no_card_typed_in_another_layout_becomes_another_card(layout: Any) -> None:
    cards = [
        CODE.format(r + s, z, d) for r in RANKS for s in SUITS for d in range(1, 9) for z in "AEN"
    ]
    for text in cards:
        for each in (text, text.swapcase()):
            keys = layout.keys(each)
            wire = strokes(keys) + stroke(16 * len(keys), ENTER)
            (seen,) = scanner().feed(wire, 0).observations
            same = layout is QWERTZ and not set("YZ") & set(text)
            if isinstance(seen, CardRead):
                assert same
                assert seen.text == each == text
            else:
                assert isinstance(seen, NoRead)
                expected = "caps_lock" if same else "keyboard_layout"
                assert seen.reason == expected, (each, seen)


def test_a_flood_of_typing_is_one_trouble() -> None:
    protocol = scanner()
    seen: list[AnyObservation] = []
    for i in range(60):
        seen += protocol.feed(typed("xy", 1000 + i * 50, 10), i * 50 * MS).observations
    troubles = [one for one in seen if isinstance(one, Trouble)]
    assert [one.code for one in troubles] == ["check_reader"]
    assert "how the reader is set up" in troubles[0].detail


def test_it_can_do_nothing_and_does_not_pretend() -> None:
    protocol = scanner()
    assert protocol.capabilities == frozenset()
    assert protocol.send(Beep("good"), 0) == Out()


def test_after_dropped_events_no_key_is_taken_to_be_held() -> None:
    protocol = scanner()
    protocol.feed(event(1, 1, CONTROL, 1) + event(2, 0, 3, 0) + event(2, 0, 0, 0), 0)
    protocol.tick(600 * MS)
    assert told(protocol.feed(typed("AKH35", 700), 700 * MS).observations) == ["AKH35"]


# --- Hangul ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["ㅁㄴ-01", "ㅃㅊ-03", "ㅆㅇ-08", "ㅏㅗ-02", "나", "AKㅗ35", "\uffa1"]
)
def test_b04_a_code_typed_in_hangul_mode_is_recognised(text: str) -> None:
    assert looks_hangul(text)
    assert bytes_look_hangul(text.encode())
    assert CODE.parse(text).__class__.__name__ == "Reject"


@pytest.mark.parametrize("text", ["", "AKH35", "ÀKH35", "日本", "ア"])
def test_b04_other_texts_are_not(text: str) -> None:
    assert not looks_hangul(text)
    assert not bytes_look_hangul(text.encode())


def test_b04_noise_is_not_taken_for_hangul() -> None:
    assert not bytes_look_hangul(bytes.fromhex("7E66FA9E0DE080FF0D"))
    assert not bytes_look_hangul(b"\xb0\xa1\xb3\xaa")


# --- settings ----------------------------------------------------------------------------------


def settings(**given: Any) -> dict[str, Any]:
    return {"name": "scanner", "kind": "keyboard", "port": "usb:0c2e:0b61:S1", **given}


def test_three_lines_are_a_scanner() -> None:
    spec = spec_of(settings())
    assert (spec.apart, spec.checked) == ("code", True)
    assert isinstance(kind_of("keyboard").make(spec)[0], InputPort)
    virtual = spec_of(settings(port="virtual:/run/table/scanner.sock"))
    assert isinstance(kind_of("keyboard").make(virtual)[0], VirtualNodePort)


def test_codes_that_two_layouts_read_as_two_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="AS and QS are the same keys"):
        spec_of(settings(card="{rank}{suit}", cut_card="CUT"))
    spec_of(settings(card="{rank}{suit}-{deck:2}", cut_card="CUT--"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"port": "tcp://10.0.0.7:4001"}, "plugged into USB"),
        ({"max_key_ms": 500}, "shorter than idle_ms"),
        ({"aim": []}, "aim"),
        ({"aim": "off", "aim_required": True}, "aim_required"),
        ({"baud": 9600}, "baud"),
    ],
)
def test_bad_settings_are_refused_by_name(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        spec_of(settings(**given))
