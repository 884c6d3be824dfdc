"""Attacks on the readers' protocols, each named by what would go wrong."""

from __future__ import annotations

import random

import pytest

from drivers.conformance import MEMORY_LIMIT, Driven, held_bytes
from drivers.observations import AnyObservation, CardRead, NoRead, Trouble
from drivers.protocols import ssi_frames as ssi
from drivers.protocols.angeleye import AngelEye
from drivers.protocols.angeleye_frames import bcc
from drivers.protocols.ssi_frames import SsiFrame
from tests.support.every_protocol import CONTRACTS
from tests.support.golden import protocol_of

MS = 1_000_000


def cards(seen: list[AnyObservation]) -> list[str]:
    return [one.face for one in seen if isinstance(one, CardRead)]


def reasons(seen: list[AnyObservation]) -> list[str]:
    return [one.reason for one in seen if isinstance(one, NoRead)]


# --- zebra-ssi: a message of several frames -----------------------------------------------


def decode(text: str, status: int = 0) -> bytes:
    return SsiFrame(ssi.DECODE_DATA, b"\x03" + text.encode(), ssi.SCANNER, status).to_bytes()


def heard(*sends: tuple[int, bytes]) -> list[AnyObservation]:
    """What an SSI scanner's frames become, each at its millisecond."""
    scanner, seen = protocol_of("zebra-ssi", {}), list[AnyObservation]()
    scanner.start(0)
    for at_ms, data in sends:
        seen += scanner.feed(data, at_ms * MS).observations
    return seen


def test_the_last_frame_of_a_long_message_sent_again_is_no_card() -> None:
    seen = heard(
        (100, decode("X" * 200, ssi.MORE)),
        (120, decode("AKH35")),
        (2100, decode("AKH35", ssi.RETRANSMITTED)),
    )
    assert (cards(seen), reasons(seen)) == ([], ["not_a_card"])


def test_a_card_in_two_frames_whose_end_is_sent_again_is_that_card_again() -> None:
    seen = heard(
        (100, decode("AK", ssi.MORE)),
        (120, decode("H35")),
        (2100, decode("H35", ssi.RETRANSMITTED)),
    )
    told = [one for one in seen if isinstance(one, CardRead)]
    assert [(one.text, one.resent) for one in told] == [("AKH35", False), ("AKH35", True)]
    assert len(seen) == 2


def test_a_card_behind_a_message_broken_off_is_told_and_the_next_read_takes_it() -> None:
    seen = heard(
        (100, decode("AK", ssi.MORE)),
        (3000, decode("AAS1C")),
        (4000, decode("AAS1C")),
    )
    assert (cards(seen), reasons(seen)) == (["AS"], ["not_a_card"])


# --- hid-pos: reports that go on without end ----------------------------------------------


def report(text: str, *, more: bool = False) -> bytes:
    data = text.encode()
    return b"\x02" + bytes((len(data),)) + b"]C0" + data.ljust(56, b"\0") + b"j\0" + bytes((more,))


def test_a_card_at_the_end_of_an_endless_code_leaves_a_trace() -> None:
    scanner, seen, now = protocol_of("hid-pos", {}), list[AnyObservation](), 0
    for _ in range(100):
        now += 100 * MS
        seen += scanner.feed(report("A" * 56, more=True), now).observations
    assert reasons(seen) == ["too_long"]
    assert [one.code for one in seen if isinstance(one, Trouble)] == ["check_reader"]
    last = list(scanner.feed(report("AKH35"), now + 100 * MS).observations)
    assert (cards(last), reasons(last)) == ([], ["too_long"])
    after = list(scanner.feed(report("AKH35"), now + 200 * MS).observations)
    assert cards(after) == ["KH"]


def test_the_rest_of_a_code_just_told_is_not_told_again() -> None:
    scanner, seen = protocol_of("hid-pos", {}), list[AnyObservation]()
    for at in range(8):
        out = scanner.feed(report("A" * 56, more=at < 7), at * 20 * MS)
        seen += out.observations
    assert reasons(seen) == ["too_long"]


@pytest.mark.parametrize("count", [57, 58, 59, 128, 255])
def test_a_count_beyond_the_report_is_no_code(count: int) -> None:
    scanner = protocol_of("hid-pos", {})
    raw = bytearray(report("AKH35"))
    raw[1] = count
    seen = list(scanner.feed(bytes(raw), 0).observations)
    assert (cards(seen), reasons(seen)) == ([], ["garbage"])


# --- angel-eye: a start after the cut card --------------------------------------------------


def shoe_says(seq: str, body: bytes) -> bytes:
    data = seq.encode() + body + b"\x03"
    return b"\x05" + data + bcc(data)


@pytest.mark.parametrize("drawn", [0, 1, 61])
def test_a_start_after_a_cut_card_is_told_however_many_cards_later(drawn: int) -> None:
    """In the running round it is a power failure: cards may have passed unread."""
    shoe = AngelEye("shoe")
    shoe.feed(shoe_says("9", b"C"), 0)
    for at in range(drawn):
        shoe.feed(shoe_says("123456789"[at % 9], b"d\x80\xb8"), (at + 1) * 1000 * MS)
    (told,) = shoe.feed(shoe_says("5", b"S"), (drawn + 1) * 1000 * MS).observations
    assert isinstance(told, Trouble)
    assert told.code == "restarted"


# --- hid-pos: codes that look like the vendor's answers -----------------------------------


def named(aim: str, text: str) -> bytes:
    raw = bytearray(report(text))
    raw[3:5] = aim.encode()
    return bytes(raw)


def test_a_code_in_the_symbology_of_answers_is_refused_and_told() -> None:
    scanner = protocol_of("hid-pos", {"vendor": "honeywell", "heartbeat_s": 0})
    scanner.start(0)
    scanner.feed(named("X0", "DS") + named("Z6", "REVINF\x06."), 10 * MS)
    for at_ms in (5000, 6000):
        seen = list(scanner.feed(named("X0", "AKH35"), at_ms * MS).observations)
        assert (cards(seen), reasons(seen)) == ([], ["foreign_symbology"])
    assert cards(list(scanner.feed(report("AKH35"), 7000 * MS).observations)) == ["KH"]


@pytest.mark.parametrize("aim", [["X"], ["C0", "X0"], ["Z6"]])
def test_cards_in_the_symbology_of_answers_cannot_be_asked_for(aim: list[str]) -> None:
    protocol_of("hid-pos", {"aim": aim})
    with pytest.raises(ValueError, match=r"aim.*answers"):
        protocol_of("hid-pos", {"aim": aim, "vendor": "honeywell"})


# --- zebra-ssi: a message longer than any code --------------------------------------------


LONG = [(100 + 20 * at, decode("X" * 200, ssi.MORE)) for at in range(3)]


def test_the_tail_of_a_message_longer_than_any_is_no_card() -> None:
    seen = heard(*LONG, (180, decode("AKH35")), (1000, decode("AAS1C")))
    assert (cards(seen), reasons(seen)) == (["AS"], ["too_long"])
    again = (2200, decode("AKH35", ssi.RETRANSMITTED))
    seen = heard(*LONG, (180, decode("AKH35")), again, (3000, decode("AAS1C")))
    assert (cards(seen), reasons(seen)) == (["AS"], ["too_long"])


def test_a_card_long_after_a_message_without_end_leaves_a_trace() -> None:
    seen = heard(*LONG, (4000, decode("AKH35")), (4500, decode("AAS1C")))
    assert (cards(seen), reasons(seen)) == (["AS"], ["too_long", "too_long"])
    seen = heard(*LONG, (6000, decode("AKH35")))
    assert (cards(seen), reasons(seen)) == (["KH"], ["too_long"])


def test_the_line_cut_in_a_message_without_end_ends_it() -> None:
    scanner = protocol_of("zebra-ssi", {})
    scanner.start(0)
    for at_ms, data in LONG:
        scanner.feed(data, at_ms * MS)
    scanner.reset(200 * MS)
    scanner.start(300 * MS)
    assert cards(list(scanner.feed(decode("AKH35"), 400 * MS).observations)) == ["KH"]


def test_frames_without_a_byte_of_data_are_not_kept_for_ever() -> None:
    scanner, seen = protocol_of("zebra-ssi", {}), list[AnyObservation]()
    scanner.start(0)
    empty = SsiFrame(ssi.DECODE_DATA, b"", ssi.SCANNER, ssi.MORE).to_bytes()
    for at in range(3000):
        seen += scanner.feed(empty, at * 10 * MS).observations
    assert "too_long" in reasons(seen)
    assert held_bytes(scanner) < MEMORY_LIMIT


# --- angel-eye: a network that held its bytes back ----------------------------------------


@pytest.mark.parametrize("faces", [(b"\xb8",), (b"\xb8", b"\x91", b"\xcd")])
def test_cards_that_were_held_back_and_come_at_once_are_all_read(faces: tuple[bytes, ...]) -> None:
    shoe, burst = AngelEye("shoe"), b""
    for at in range(30):
        drawn = b"d\x80" + faces[at % len(faces)]
        burst += shoe_says("123456789"[at % 9], drawn) * 3
    seen = list(shoe.feed(burst, 0).observations)
    assert len(cards(seen)) == len(seen) == 30


def test_copies_of_a_card_are_never_a_second_one_whatever_came_between() -> None:
    one, nine = shoe_says("1", b"d\x80\xb8"), shoe_says("9", b"d\x80\x91")
    for before in (1, 2):
        shoe = AngelEye("shoe")
        seen = list(shoe.feed(one * before + nine + one * (3 - before), 0).observations)
        assert cards(seen) == ["8S", "AD"]
        assert [one.code for one in seen if isinstance(one, Trouble)] == ["missed_reports"]


@pytest.mark.parametrize("ticks", [True, False])
def test_two_pieces_of_damage_are_two_words_however_late_the_ticks(ticks: bool) -> None:
    shoe, seen = AngelEye("shoe"), list[AnyObservation]()
    damaged = shoe_says("1", b"d\x80\xb8")[:-1]
    for at_ms, data in ((0, damaged + b"?"), (350, damaged)):
        seen += shoe.feed(data, at_ms * MS).observations
    for at_ms in (400, 550, 750) if ticks else ():
        seen += shoe.tick(at_ms * MS).observations
    seen += shoe.feed(b"", 2000 * MS).observations
    assert reasons(seen) == ["bad_check", "incomplete"]


# --- all that only hear: a station that is late -------------------------------------------


@pytest.mark.parametrize("kind", ["text-line", "hid-pos", "keyboard", "bee-tek", "angel-eye"])
def test_late_ticks_change_nothing(kind: str) -> None:
    contract = CONTRACTS[kind]()
    edges = (0, 1, 30, 59, 60, 61, 99, 100, 199, 200, 201, 249, 250, 399, 400, 500, 1999, 2000)
    for seed in range(300):
        rng = random.Random(seed)
        in_time, late = Driven(contract.protocol()), Driven(contract.protocol())
        for _ in range(rng.randint(1, 10)):
            wait_ms, data = rng.choice(edges), contract.noise(rng)
            if rng.random() < 0.5:
                data = contract.clean(rng.randrange(200)).data
            in_time.wait(wait_ms)
            late.now_ns += wait_ms * MS
            in_time.feed(data)
            late.feed(data)
        for driven in (in_time, late):
            driven.wait(6000)
        assert in_time.seen == late.seen, seed


@pytest.mark.parametrize("ticks", [True, False])
def test_damage_of_two_cards_is_two_words_however_late_the_ticks(ticks: bool) -> None:
    scanner, seen = protocol_of("zebra-ssi", {}), list[AnyObservation]()
    scanner.start(0)
    damaged = decode("AKH35")[:-1]
    for at_ms in (0, 2450):
        seen += scanner.feed(damaged, at_ms * MS).observations
    for at_ms in (100, 2500, 2550) if ticks else ():
        seen += scanner.tick(at_ms * MS).observations
    # The second is sent again and comes through; of the first nothing will come any more.
    seen += scanner.feed(decode("AAS1C", ssi.RETRANSMITTED), 4400 * MS).observations
    assert (cards(seen), reasons(seen)) == (["AS"], ["incomplete"])


def test_the_end_of_a_message_whose_beginning_had_to_be_sent_again_is_no_card() -> None:
    begun = [(100 + 2000 * at, decode("X" * 200, ssi.MORE | bool(at))) for at in range(3)]
    seen = heard(*begun, (6000, decode("AKH35")))
    assert (cards(seen), reasons(seen)) == ([], ["not_a_card"])
