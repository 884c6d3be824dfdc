"""The Angel Eye's protocol against noise, splits and time; what a technician is shown."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.catalog import kind_of, spec_of
from drivers.kinds.angel_eye import AngelEyeSpec
from drivers.observations import AnyObservation, CardRead, NoRead, Note, Trouble, TroubleOver
from drivers.protocols.angeleye import AngelEye, AngelEyeSettings
from drivers.protocols.angeleye_frames import NOISE_LIMIT, REPORT_LIMIT, bcc, command
from drivers.protocols.base import Beep, Out, Wanted
from drivers.transports.tcp import TcpPort
from tests.support.golden import Case, cases, protocol_of, watch, written

MS = 1_000_000
CASES = cases("angel-eye")
NOISE = st.lists(st.binary(min_size=1, max_size=80), max_size=20)
FACES = [r + s for s in "DCSH" for r in "A23456789TJQK"]


def report(seq: str, body: bytes) -> bytes:
    """A whole report."""
    data = seq.encode() + body + b"\x03"
    return b"\x05" + data + bcc(data)


def card(seq: str, face: str = "8S") -> bytes:
    """A card's report."""
    code = 0x80 | (" DCSH".index(face[1])) << 4 | " A23456789TJQK".index(face[0])
    return report(seq, b"D" + bytes((0x81, code)))


def test_there_are_golden_bytes() -> None:
    assert len(CASES) >= 50


@pytest.mark.parametrize("case", [c for c in CASES if not c.asks], ids=lambda case: case.name)
def test_a_late_tick_changes_nothing(case: Case) -> None:
    shoe = protocol_of("angel-eye", case.settings)
    seen: list[AnyObservation] = []
    for send in case.sends:
        seen.extend(shoe.feed(send.data, send.at_ms * MS).observations)
    seen.extend(shoe.tick(case.ends_ms * MS).observations)
    assert [written(one) for one in seen] == case.sees


# --- whatever comes -----------------------------------------------------------------------


@given(NOISE, st.sampled_from(FACES))
def test_after_any_noise_the_next_clean_report_is_read(noise: list[bytes], face: str) -> None:
    shoe = AngelEye("shoe")
    watch(shoe, [(i * 10, piece) for i, piece in enumerate(noise)], 1000)
    seen = watch(shoe, [(2000, card("1", face))], 3000)
    told = [one for one in seen if isinstance(one, CardRead)]
    assert [one.face for one in told] == [face]


@given(NOISE, st.sampled_from(FACES))
def test_noise_right_before_a_report_does_not_hide_it(noise: list[bytes], face: str) -> None:
    shoe = AngelEye("shoe")
    junk = b"".join(piece.replace(b"\x05", b"\x04") for piece in noise)
    seen = watch(shoe, [(0, junk + card("1", face))], 1000)
    assert [one.face for one in seen if isinstance(one, CardRead)] == [face]


@given(st.lists(st.tuples(st.binary(max_size=40), st.integers(0, 300)), max_size=30), st.data())
def test_the_same_however_the_bytes_are_split(
    pieces: list[tuple[bytes, int]], data: st.DataObject
) -> None:
    at, sends = 0, []
    for piece, wait in pieces:
        at += wait
        some = data.draw(st.sampled_from([piece, card("1"), card("2", "KH"), card("3")[:5]]))
        sends.append((at, some))
    whole = watch(AngelEye("shoe"), sends, at + 1000)
    split = [(when, bytes((byte,))) for when, piece in sends for byte in piece]
    assert watch(AngelEye("shoe"), split, at + 1000) == whole


@given(st.lists(st.binary(min_size=1, max_size=200), max_size=30))
def test_what_it_keeps_is_bounded(noise: list[bytes]) -> None:
    shoe = AngelEye("shoe")
    for at, piece in enumerate(noise):
        shoe.feed(piece, at * MS)
        assert len(shoe._cutter._kept) <= max(NOISE_LIMIT, REPORT_LIMIT)
        assert len(shoe._recent) <= 256
        assert shoe._doubt is None or len(shoe._doubt.raw) <= NOISE_LIMIT


@given(st.binary(max_size=300))
def test_noise_is_never_silence(noise: bytes) -> None:
    assert not noise or watch(AngelEye("shoe"), [(0, noise)], 5000)


@given(st.sampled_from(FACES), st.integers(0, 7), st.integers(0, 7))
def test_one_wrong_bit_in_each_copy_is_never_a_card(face: str, at: int, bit: int) -> None:
    bad = bytearray(card("1", face))
    bad[at] ^= 1 << bit
    seen = watch(AngelEye("shoe"), [(t, bytes(bad)) for t in (0, 50, 100)], 5000)
    assert not [one for one in seen if isinstance(one, CardRead)]
    assert [one for one in seen if isinstance(one, NoRead | Trouble)]


def test_endless_noise_is_a_trouble_and_few_words() -> None:
    seen = watch(AngelEye("shoe"), [(at, b"\xe0\x80\xff") for at in range(60_000)], 61_000)
    assert [one.code for one in seen if isinstance(one, Trouble)] == ["check_baud"]
    assert len(seen) < 200


def test_a_line_that_damages_one_copy_in_ten_is_a_trouble_until_it_is_well() -> None:
    def line(bad_of: int, count: int) -> list[str]:
        shoe, codes = AngelEye("shoe"), []
        for at in range(count):
            good = card("123456789"[at % 9])
            for copy in range(3):
                bad = at < 60 and (at * 3 + copy) % bad_of == 1
                data = good[:-1] + b"x" if bad else good
                codes += [
                    f"{type(one).__name__} {one.code}"
                    for one in shoe.feed(data, (at * 700 + copy * 50) * MS).observations
                    if isinstance(one, Trouble | TroubleOver)
                ]
        return codes

    assert line(5, 300) == ["Trouble noisy_line", "TroubleOver noisy_line"]
    assert line(5, 70) == ["Trouble noisy_line"]
    assert line(20, 300) == []


def test_a_line_that_was_cut_may_be_another() -> None:
    shoe = AngelEye("shoe")
    seen: list[AnyObservation] = []
    for at in range(10):
        good = card("123456789"[at % 9])
        seen += shoe.feed(good + good[:-1] + b"x" + good[:-1] + b"y", at * 700 * MS).observations
    assert [one.code for one in seen if isinstance(one, Trouble)] == ["noisy_line"]
    assert [type(one).__name__ for one in shoe.reset(9000 * MS).observations] == ["TroubleOver"]


# --- who numbers, and what is told --------------------------------------------------------


def test_every_face() -> None:
    shoe = AngelEye("shoe")
    turns = "123456789"
    sends = [(i * 500, card(turns[i % 9], face)) for i, face in enumerate(FACES)]
    seen = watch(shoe, sends, 60_000)
    assert [one.face for one in seen if isinstance(one, CardRead)] == FACES


def test_a_lost_round_of_numbers_is_the_only_loss_without_a_word() -> None:
    """Nine reports lost in a row: the tenth has the number that is expected."""
    for lost in range(1, 10):
        shoe = AngelEye("shoe")
        turns = "123456789" * 3
        seen = watch(shoe, [(0, card(turns[0])), (9000, card(turns[1 + lost], "KH"))], 9500)
        missed = [one for one in seen if isinstance(one, Trouble)]
        assert bool(missed) == (lost != 9)


def test_a_trouble_comes_before_the_card_it_casts_doubt_on() -> None:
    seen = watch(AngelEye("shoe"), [(0, card("1")), (2000, card("3", "KH"))], 3000)
    kinds = [type(one).__name__ for one in seen]
    assert kinds == ["CardRead", "Trouble", "CardRead"]
    trouble = seen[1]
    assert isinstance(trouble, Trouble)
    assert trouble.detail == "after report 1 came 3: what is between is lost"


def test_details_say_what_to_do() -> None:
    def detail(*sends: tuple[int, bytes]) -> str:
        told = [one for one in watch(AngelEye("shoe"), sends, 9000) if isinstance(one, Trouble)]
        return told[0].detail

    assert "set `sequence`" in detail((0, card("A")))
    assert "too late for `copies_ms`" in detail((0, card("1")), (900, card("1")))
    assert "two contents" in detail((0, card("1")), (50, card("1", "KH")))
    assert detail((0, report("1", b"M010005"))) == "01 = 0005"
    assert detail((0, report("1", b"E\xc2"))) == "overdraw, now in error mode (2)"


def test_a_technician_sees_what_each_frame_is() -> None:
    shoe = AngelEye("shoe")
    out = shoe.feed(card("1") + card("1") + report("2", b"D\xa3\xcd") + report("3", b"G\x91"), 0)
    assert [(frame.name, frame.note) for frame in out.frames] == [
        ("card 1 8S, player 1", ""),
        ("card 1 copy 8S, player 1", ""),
        ("card 2 KH, burn 3", ""),
        ("result 3 player, player pair", ""),
    ]
    broken = shoe.feed(card("4")[:-1] + b"x" + b"\x06", 0)
    assert [(frame.name, frame.note) for frame in broken.frames] == [
        ("damage", "bad_check"),
        ("ack", "it answers nobody here"),
    ]


def test_what_is_half_received_or_in_doubt_is_told_when_the_line_is_cut() -> None:
    shoe = AngelEye("shoe")
    shoe.feed(card("1")[:-1] + b"x" + card("1")[:3], 0)
    told = shoe.reset(MS).observations
    assert [one.reason for one in told if isinstance(one, NoRead)] == ["bad_check"]
    assert shoe.reset(2 * MS) == Out()


def test_a_start_is_expected_once_after_each_opening() -> None:
    shoe = AngelEye("shoe")
    start = report("1", b"S")
    assert isinstance(shoe.feed(start, 0).observations[0], Note)
    assert isinstance(shoe.feed(start, 9_000 * MS).observations[0], Trouble)
    shoe.reset(10_000 * MS)
    shoe.start(10_001 * MS)
    assert isinstance(shoe.feed(start, 20_000 * MS).observations[0], Note)


def test_a_start_after_any_other_report_is_a_power_cycle() -> None:
    shoe = AngelEye("shoe")
    shoe.start(0)
    shoe.feed(report("1", b"P"), 0)
    told = shoe.feed(report("1", b"S"), 9_000 * MS).observations
    assert [one.code for one in told if isinstance(one, Trouble)] == ["restarted"]


def test_every_start_but_the_first_is_told_for_the_table_to_judge() -> None:
    """After the cut card it may be the new shoe's, or a power failure in the last round."""
    sends = [(0, report("1", b"C")), (1000, report("2", b"S")), (9000, report("1", b"S"))]
    seen = watch(AngelEye("shoe"), sends, 9500)
    assert [one.code for one in seen if isinstance(one, Note | Trouble)] == [
        "restarted",
        "restarted",
    ]


def test_with_no_number_before_three_damaged_copies_are_a_report_of_their_own() -> None:
    bad = card("1")[:-1] + b"x"
    sends = [(0, bad), (50, bad), (100, bad), (300, card("2", "KH"))]
    seen = watch(AngelEye("shoe"), sends, 2000)
    assert [type(one).__name__ for one in seen] == ["NoRead", "CardRead"]
    assert watch(AngelEye("shoe"), sends[1:], 2000)[-1:] == seen[-1:]


def test_a_fourth_piece_is_no_copy_of_a_report_whose_three_were_there() -> None:
    bad = card("1")[:-1] + b"x"
    copies = [(0, bad), (50, bad), (100, card("1"))]
    assert not [one for one in watch(AngelEye("shoe"), copies, 2000) if isinstance(one, NoRead)]
    seen = watch(AngelEye("shoe"), [*copies, (200, bad)], 2000)
    assert [one.reason for one in seen if isinstance(one, NoRead)] == ["bad_check"]


def test_error_mode_is_over_once() -> None:
    drawn = report("1", b"d\xa0\xb8")
    sends = [(0, drawn), (1000, report("2", b"e\x81")), (2000, report("3", b"e\x81"))]
    seen = watch(AngelEye("shoe"), sends, 3000)
    over = [one.code for one in seen if isinstance(one, TroubleOver)]
    assert over == ["cannot_read", "error_mode", "cannot_read"]


def test_a_report_without_a_letter_is_damage() -> None:
    for empty in (b"\x051\x0332", b"\x05\x0303"):
        seen = watch(AngelEye("shoe"), [(0, empty)], 1000)
        assert [one.reason for one in seen if isinstance(one, NoRead)] == ["bad_check"]


def test_a_report_without_end_is_let_go() -> None:
    shoe = AngelEye("shoe")
    for at in range(500):
        shoe.feed(b"\x05" if at == 0 else b"\x81", at)
        assert len(shoe._cutter._kept) <= max(NOISE_LIMIT, REPORT_LIMIT)


# --- commands -----------------------------------------------------------------------------


def test_the_published_command_both_ways() -> None:
    assert command("LK", "02", "with_stx") == bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
    assert command("LK", "02", "without_stx") == bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")


def test_without_leave_it_can_do_nothing_and_says_so() -> None:
    shoe = AngelEye("shoe")
    assert shoe.capabilities == frozenset()
    assert shoe.want(Wanted(shoe_locked=True), 0).write == ()
    allowed = AngelEye("shoe", AngelEyeSettings(commands=True))
    assert allowed.capabilities == {"brake"}
    assert allowed.send(Beep("good"), 0).write == ()


def test_a_refusal_says_which_setting_to_try() -> None:
    shoe = AngelEye("shoe", AngelEyeSettings(commands=True))
    shoe.want(Wanted(shoe_locked=True), 0)
    (told,) = shoe.feed(b"\x15\x02", MS).observations
    assert isinstance(told, Trouble)
    assert told.detail.endswith('set bcc = "without_stx"')


def test_a_shoe_that_refuses_is_not_pestered() -> None:
    shoe = AngelEye("shoe", AngelEyeSettings(commands=True))
    assert shoe.want(Wanted(shoe_locked=True), 0).write
    shoe.feed(b"\x15\x13", MS)
    for at in range(2, 60):
        assert shoe.want(Wanted(shoe_locked=True), at * 1000 * MS).write == ()
    assert shoe.want(Wanted(shoe_locked=False), 61_000 * MS).write


def test_a_refusal_is_over_when_a_command_is_taken() -> None:
    shoe = AngelEye("shoe", AngelEyeSettings(commands=True))
    shoe.want(Wanted(shoe_locked=True), 0)
    shoe.feed(b"\x15\x13", MS)
    shoe.want(Wanted(shoe_locked=False), 2 * MS)
    (told,) = shoe.feed(b"\x06", 3 * MS).observations
    assert isinstance(told, TroubleOver)
    assert told.code == "command_refused"


def test_each_command_may_find_the_shoe_busy_once() -> None:
    shoe = AngelEye("shoe", AngelEyeSettings(commands=True))
    for turn, locked in enumerate((True, False, True)):
        now = turn * 10_000 * MS
        assert shoe.want(Wanted(shoe_locked=locked), now).write
        assert not shoe.feed(b"\x15\x21", now + MS).observations
        assert shoe.tick(now + 501 * MS).write
        assert not shoe.feed(b"\x06", now + 502 * MS).observations


# --- settings -----------------------------------------------------------------------------


def test_a_shoe_by_its_settings() -> None:
    spec = spec_of({"name": "shoe", "kind": "angel-eye", "port": "tcp://10.0.0.7:4001"})
    assert isinstance(spec, AngelEyeSpec)
    assert (spec.baud, spec.apart, spec.checked) == (4800, "number", True)
    port, _ = kind_of("angel-eye").make(spec)
    assert isinstance(port, TcpPort)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"sequence": "123"}, "at least four"),
        ({"sequence": "12341"}, "none twice"),
        ({"idle_ms": 500}, "not be longer than copies_ms"),
        ({"role": "board"}, "reads cards"),
        ({"bcc": "maybe"}, "bcc"),
        ({"copies_ms": 5}, "copies_ms"),
    ],
)
def test_bad_settings_say_what_to_write(field: dict[str, object], words: str) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError), match=words):
        spec_of({"name": "shoe", "kind": "angel-eye", "port": "/dev/shoe", **field})
