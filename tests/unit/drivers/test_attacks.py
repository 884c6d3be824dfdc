"""Attacks on the codes and the line protocol, each named by what would go wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cardcode import RANKS, SUITS, CardCode, CutText, Reject
from drivers.kinds.textline import TextLineSpec
from drivers.observations import AnyObservation, CardRead, NoRead, Trouble, TroubleOver
from drivers.protocols.textline import TextLine, TextLineSettings
from drivers.transports.output import LIMIT
from drivers.transports.serial import LineErrors

MS = 1_000_000
CODE = CardCode.from_template()
BAD = b"\x81\x82\r"


def reader(**settings: Any) -> TextLine:
    return TextLine("shoe", CODE, TextLineSettings(**settings))


def kinds(seen: tuple[AnyObservation, ...]) -> list[type[AnyObservation]]:
    return [type(one) for one in seen]


# --- a trouble and a replug ---------------------------------------------------------


def test_a11_a_trouble_from_before_the_replug_is_over_and_a_new_one_is_told() -> None:
    protocol = reader()
    assert kinds(protocol.feed(BAD * 5, 0).observations)[-1] is Trouble
    assert kinds(protocol.reset(MS).observations) == [TroubleOver]
    assert protocol.reset(MS).observations == ()
    again = protocol.feed(BAD * 5, 10_000 * MS).observations
    assert kinds(again) == [NoRead] * 5 + [Trouble]


def test_a11_bad_lines_before_the_replug_do_not_count_after_it() -> None:
    protocol = reader()
    protocol.feed(BAD * 4, 0)
    protocol.reset(MS)
    assert kinds(protocol.feed(BAD * 4, 10_000 * MS).observations) == [NoRead] * 4


# --- a card behind an over-long line ------------------------------------------------


def test_a06_a_card_swallowed_by_an_old_over_long_line_is_told() -> None:
    protocol = reader()
    now = 0
    for _ in range(80):
        now += 1000 * MS
        protocol.feed(b"x", now)
    (told,) = protocol.feed(b"AKH35\r", now + MS).observations
    assert isinstance(told, NoRead)
    assert (told.reason, told.raw) == ("too_long", b"\r")
    (card,) = protocol.feed(b"AKH35\r", now + 2 * MS).observations
    assert isinstance(card, CardRead)


# --- B-08, B-06: what is nearly a code is none --------------------------------------------

NEARLY = [
    "akh35",
    "aKH35",
    "AKH35 ",
    " AKH35",
    "AKH35\0",
    "AKH\uff1335",
    "AKH\uff135",
    "1KH35",
    "AKH05",
    "A10H3",
    "A1H35",
    "AKH",
    "KH35",
    "AKH35AKH35",
    "ACUT",
    "CUT6",
    "ACUT 6",
    "acut6",
]


@pytest.mark.parametrize("text", NEARLY)
def test_what_is_nearly_a_code_is_none(text: str) -> None:
    assert isinstance(CODE.parse(text), Reject)
    seen = reader().feed(text.encode() + b"\r", 0).observations
    assert kinds(seen) == [NoRead]


@pytest.mark.parametrize("before", ["]", "]C", "]C1", "]I0", "]c0", "]C0]C0", "C0", "]E0", "]D1"])
def test_b08_another_or_a_cut_identifier_is_never_a_card(before: str) -> None:
    for settings in ({}, {"suffix": "none"}):
        protocol = reader(**settings)
        seen = protocol.feed(before.encode() + b"AKH35\r", 0).observations
        assert kinds(seen) == [NoRead]


def test_every_single_wrong_character_of_every_card_is_rejected() -> None:
    allowed = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for rank in RANKS:
        for suit in SUITS:
            text = CODE.format(rank + suit, "A", 5)
            for at in range(len(text)):
                for wrong in allowed.replace(text[at], ""):
                    assert isinstance(CODE.parse(text[:at] + wrong + text[at + 1 :]), Reject)


# --- templates that could be taken for one another ----------------------------------------


@pytest.mark.parametrize(
    ("card", "cut", "why"),
    [
        ("{rank}{suit}{deck}", "CUTAH1", "its end"),
        ("{set}-{rank}{suit}{deck}{check}", "S3{check}", "its end"),
        ("{rank}{suit}{deck}{check}", "{set}--{check}", "a word of its own"),
    ],
)
def test_a_cut_card_whose_tail_is_a_card_or_that_has_no_word_is_refused(
    card: str, cut: str, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        CardCode.from_template(card, cut)


@pytest.mark.parametrize("cut", ["CUT", "CUT-{set}{check}", "{set}-CUT", "XX", "{set}CUT{check}"])
def test_usual_cut_cards_stay_possible(cut: str) -> None:
    code = CardCode.from_template("{set}{rank}{suit}{deck}{check}", cut)
    assert isinstance(code.parse(code.format_cut("A")), CutText)


def test_a_beep_that_could_never_go_out_is_not_pretended() -> None:
    with pytest.raises(ValueError, match=f"good_beep.*{LIMIT} bytes"):
        TextLineSpec(name="shoe", port="/dev/table/shoe", good_beep="07" * (LIMIT + 1))


# --- PARMRK -------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from([b"\xff\xff", b"\xff\x00A", b"\xff\x00\xff", b"\xff\x00\x00", b"K"])),
    st.data(),
)
def test_marks_split_anywhere_are_undone_the_same(marks: list[bytes], draw: st.DataObject) -> None:
    data = b"".join(marks)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=8)))
    errors = LineErrors()
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    clean = b"".join(errors.decode(part) for part in parts)
    assert clean == b"".join(b"K" if mark == b"K" else b"\xff" for mark in marks)
