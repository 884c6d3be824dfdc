"""HID-POS reports beyond the golden ones: any bytes, any split, never the tail of a code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cardcode import CardCode
from drivers.catalog import kind_of, make_device, spec_of
from drivers.observations import AnyObservation, CardRead, CutCard, NoRead, Trouble
from drivers.protocols.base import Beep, Flush, Out, Trigger, Wanted
from drivers.protocols.hidpos import HidPos, HidPosSettings
from drivers.protocols.judge import Symbologies
from drivers.transports.nodes import HidrawPort, VirtualNodePort

MS = 1_000_000
CODE = CardCode.from_template()
REQUIRED = Symbologies(required=True)


def report(
    text: str | bytes, aim: str = "C0", *, more: bool = False, shifted: bool = False
) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    head = bytes((2, len(data))) + b"\0" * shifted + b"]" + aim.encode()
    return (head + data).ljust(61, b"\0") + b"j\0" + bytes((more,))


KING, ACE = report("AKH35"), report("AAS1C")


def scanner(**settings: Any) -> HidPos:
    return HidPos("scanner", CODE, HidPosSettings(symbologies=REQUIRED, **settings))


def texts(out: Out) -> list[str]:
    """Cards by their text, everything else by its reason or code."""
    told = []
    for one in out.observations:
        assert isinstance(one, CardRead | CutCard | NoRead) or hasattr(one, "code")
        told.append(one.reason if isinstance(one, NoRead) else getattr(one, "text", "?"))
    return told


chunks = st.one_of(
    st.binary(max_size=80),
    st.binary(min_size=64, max_size=64),
    st.builds(
        report,
        st.sampled_from(["AKH35", "AAS1C\r", "ACUT6", "x" * 55, "AKH3", ""]),
        st.sampled_from(["C0", "d1", "E0", "X0", "Z6"]),
        more=st.booleans(),
        shifted=st.booleans(),
    ),
)
story = st.lists(st.tuples(st.integers(0, 400), chunks), max_size=12)


@given(story, st.sampled_from(["none", "honeywell"]), st.data())
def test_any_bytes_are_told_the_same_however_they_are_split(
    story: list[tuple[int, bytes]], vendor: str, draw: st.DataObject
) -> None:
    whole, split = scanner(vendor=vendor), scanner(vendor=vendor)
    one = list(whole.start(0).observations)
    other = list(split.start(0).observations)
    now = 0
    for wait, data in story:
        now += wait * MS
        one += whole.feed(data, now).observations
        cut = draw.draw(st.integers(0, len(data)))
        other += split.feed(data[:cut], now).observations
        other += split.feed(data[cut:], now).observations
        assert len(whole._parts) <= 4
        assert len(whole._reply) <= 17 * 64
        assert len(whole._bytes) < 64
    one += whole.reset(now + MS).observations
    other += split.reset(now + MS).observations
    assert one == other


@given(story)
def test_a_clean_card_after_any_bytes_and_a_silence_is_read(story: list[tuple[int, bytes]]) -> None:
    protocol = scanner()
    now = 0
    for wait, data in story:
        now += wait * MS
        protocol.feed(data, now)
    seen = protocol.feed(KING, now + 60_000 * MS).observations
    cards = [one for one in seen if isinstance(one, CardRead)]
    assert [card.text for card in cards] == ["AKH35"]
    assert isinstance(seen[-1], CardRead)


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 9])
def test_the_tail_of_a_code_that_is_too_long_is_no_code(parts: int) -> None:
    protocol = scanner()
    seen: list[AnyObservation] = []
    for i in range(parts):
        seen += protocol.feed(report("x" * 56, more=True), i * MS).observations
    seen += protocol.feed(KING, parts * MS).observations
    (told,) = seen
    assert isinstance(told, NoRead)
    assert told.reason == ("not_a_card" if parts < 4 else "too_long")
    assert texts(protocol.feed(ACE, 1000 * MS)) == ["AAS1C"]


def test_a_half_code_is_told_in_time_and_only_once() -> None:
    protocol = scanner()
    out = protocol.feed(report("x" * 56, more=True), 7 * MS)
    assert out.wake_at_ns == 257 * MS
    assert protocol.tick(256 * MS).observations == ()
    (told,) = protocol.tick(257 * MS).observations
    assert isinstance(told, NoRead)
    assert (told.reason, told.at_ns) == ("incomplete", 7 * MS)
    assert protocol.tick(300 * MS) == Out()


def test_a_report_that_fills_the_variant_with_less_room_is_read_and_one_byte_more_is_not() -> None:
    assert texts(scanner().feed(report("x" * 55, shifted=True), 0)) == ["not_a_card"]
    over = bytearray(report("x" * 55, shifted=True))
    over[1] = 56
    assert texts(scanner().feed(bytes(over), 0)) == ["garbage"]


@pytest.mark.parametrize("text", ["AKH\r35", "AKH35\x00", "\x80KH35", "A\x1dKH35"])
def test_control_characters_inside_a_code_are_no_code(text: str) -> None:
    assert texts(scanner().feed(report(text.encode("latin-1")), 0)) == ["garbage"]


def test_an_empty_report_is_not_passed_over() -> None:
    assert texts(scanner().feed(report("\r"), 0)) == ["not_a_card"]
    assert texts(scanner().feed(report(""), 0)) == ["not_a_card"]


def test_what_it_can_do_is_what_it_is_set_up_for() -> None:
    commands = {"good_beep", "bad_beep", "trigger", "enable"}
    assert scanner().capabilities == commands
    assert scanner(commands=False).capabilities == frozenset()
    honeywell = scanner(vendor="honeywell", commands=False)
    assert honeywell.capabilities == {"identity", "heartbeat"}
    assert scanner(vendor="honeywell", heartbeat_s=0).capabilities == commands | {"identity"}


def test_a_state_is_told_again_after_every_interruption() -> None:
    protocol = scanner()
    off = Wanted(reading=False)
    assert protocol.want(off, 0).write == (b"\x04\x02",)
    assert protocol.want(off, 0).write == ()
    protocol.reset(0)
    assert protocol.want(off, 0).write == (b"\x04\x02",)
    protocol.start(0)
    assert protocol.want(off, 0).write == (b"\x04\x02",)


def test_a_read_that_was_started_is_over_when_a_code_comes() -> None:
    protocol = scanner()
    protocol.want(Wanted(), 0)
    assert protocol.send(Trigger(True), 0).write == (b"\x04\x04",)
    protocol.feed(KING, MS)
    assert protocol.send(Beep("good"), 2 * MS).write == (b"\x04\x40",)
    assert protocol.send(Flush(), 2 * MS).write == ()


def test_a_scanner_that_reads_and_does_not_answer_is_not_silent_while_it_reads() -> None:
    protocol = scanner(vendor="honeywell")
    protocol.start(0)
    now = 0
    for _ in range(10):
        now += 2000 * MS
        assert texts(protocol.feed(KING, now)) == ["AKH35"]
    (trouble,) = protocol.tick(now + 3000 * MS).observations
    assert isinstance(trouble, Trouble)
    assert trouble.code == "silent"


def test_without_heartbeat_an_answer_that_never_comes_is_no_fault() -> None:
    protocol = scanner(vendor="honeywell", heartbeat_s=0)
    protocol.start(0)
    assert texts(protocol.tick(3000 * MS)) == ["?"]
    assert protocol.tick(100_000 * MS) == Out()


# --- settings ----------------------------------------------------------------------------------


def settings(**given: Any) -> dict[str, Any]:
    return {"name": "scanner", "kind": "hid-pos", "port": "usb:0c2e:0b61:S1", **given}


def test_three_lines_are_a_scanner() -> None:
    spec = spec_of(settings())
    assert (spec.apart, spec.checked, spec.virtual) == ("code", True, False)
    assert isinstance(kind_of("hid-pos").make(spec)[0], HidrawPort)
    device = make_device(spec, lambda observation: None)
    assert "good_beep" in device.capabilities
    device.stop()


def test_a_simulated_one_is_said_to_be() -> None:
    spec = spec_of(settings(port="virtual:/run/table/scanner.sock"))
    assert spec.virtual
    assert isinstance(kind_of("hid-pos").make(spec)[0], VirtualNodePort)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"port": "tcp://10.0.0.7:4001"}, "plugged into USB"),
        ({"port": "virtual:scanner.sock"}, "write the whole path"),
        ({"port": "usb:0C2E:0B61"}, "write usb:vid:pid"),
        ({"port": "virtual:/run/x", "usb": "0c2e:0b61"}, "no USB hardware"),
        ({"aim": []}, "aim"),
        ({"vendor": "acme"}, "vendor"),
        ({"more_ms": 1}, "more_ms"),
        ({"heartbeat_s": -1}, "heartbeat_s"),
        ({"card": "{rank}"}, "suit"),
    ],
)
def test_bad_settings_are_refused_by_name(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        spec_of(settings(**given))


def test_a_serial_device_has_no_virtual_node() -> None:
    spec = spec_of({"name": "shoe", "port": "virtual:/run/table/shoe.sock"})
    with pytest.raises(ValueError, match="the path of its terminal"):
        kind_of("text-line").make(spec)
