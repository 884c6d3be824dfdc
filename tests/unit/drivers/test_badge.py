"""A badge is never a card, and a card never a badge, whatever the table's codes and its readers."""

from __future__ import annotations

import random
from dataclasses import dataclass

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from drivers.badge import (
    LENGTH,
    PREFIX,
    badge_text,
    begins_badge,
    carries_badge,
    is_badge,
    is_spoilt,
)
from drivers.cardcode import ALPHABET, DIGITS, LETTERS, RANKS, SEPARATORS, SUITS, CardCode, Reject
from drivers.conformance import Driven
from drivers.observations import AnyObservation, Badge, CardRead, CutCard, NoRead
from drivers.protocols.keymap import CAPS_LOCK
from hw_sim.codes import VirtualCard
from hw_sim.models.registry import make_model
from tests.support.every_protocol import Talk
from tests.support.golden import protocol_of
from tests.unit.drivers.test_keyboard import stroke, typed

TOKEN = bytes(range(16))
BADGE = badge_text(TOKEN)
SCANNERS = ["text-line", "zebra-ssi", "gm65", "hid-pos", "keyboard"]


tokens = st.binary(min_size=16, max_size=16)
literals = st.text(ALPHABET + SEPARATORS, max_size=24)


@st.composite
def templates(draw: st.DrawFn) -> CardCode:
    """Any table's codes: the fields in any order, among any literals that may stand there."""
    fields = draw(st.permutations(["{rank}", "{suit}"]))
    more = draw(st.lists(st.sampled_from(["{set}", "{deck}", "{deck:2}"]), unique=True))
    assume(not {"{deck}", "{deck:2}"} <= set(more))
    parts = [part for field in (*fields, *more) for part in (draw(literals), field)]
    check = draw(st.sampled_from(["", "{check}"]))
    cut = draw(literals) + "CUT" + check
    try:
        return CardCode.from_template("".join(parts) + draw(literals) + check, cut)
    except ValueError:
        assume(False)
        raise


@given(templates(), tokens)
def test_no_format_of_codes_takes_a_badge_for_a_card(code: CardCode, token: bytes) -> None:
    text = badge_text(token)
    assert is_badge(text)
    for shown in (text, text.lower(), text[1:], f"]C0{text}"):
        assert code.parse(shown) == Reject("not_a_card") or not is_badge(shown)
    assert code.parse(text) == Reject("not_a_card")
    assert not code.begins(text[:1]), "no code can even begin as a badge does"


@given(templates(), st.sampled_from(RANKS), st.sampled_from(SUITS), st.sampled_from(LETTERS),
       st.sampled_from(DIGITS[1:]))  # fmt: skip
def test_no_card_of_any_format_is_a_badge(
    code: CardCode, rank: str, suit: str, letter: str, deck: str
) -> None:
    for text in (code.format(rank + suit, letter, int(deck)), code.format_cut(letter)):
        assert not is_badge(text)
        assert not is_spoilt(text)
        assert not carries_badge(text)
        assert not begins_badge(text)


@given(tokens, st.integers(3, LENGTH - 1), st.sampled_from(ALPHABET))
def test_one_wrong_character_of_a_badge_is_found(token: bytes, at: int, other: str) -> None:
    text = badge_text(token)
    assume(text[at] != other)
    spoilt = text[:at] + other + text[at + 1 :]
    assert not is_badge(spoilt)
    assert is_spoilt(spoilt)


def test_each_beginning_of_a_badge_may_become_one() -> None:
    assert all(begins_badge(BADGE[:n]) for n in range(1, LENGTH))
    assert not begins_badge(BADGE)
    assert not begins_badge("%DX")


@dataclass(frozen=True)
class Shown(VirtualCard):
    """What the simulator's scanner is shown instead of a card."""

    text: str = ""

    @property
    def code(self) -> str:
        return self.text


class Reader:
    """A scanner's protocol, and its virtual device; the keyboard's knows no key for `%`, so that a
    US keyboard stands in for it.
    """

    def __init__(self, kind: str) -> None:
        self.driven = Driven(protocol_of(kind, {}))
        self._keys = kind == "keyboard"
        self._talk = Talk(self.driven, make_model(kind), 0)
        self._talk.go_on(20_000)

    def read(self, text: str) -> list[AnyObservation]:
        """What is said of one text."""
        before = len(self.driven.seen)
        if self._keys:
            keys = typed(text, self._talk.now_ms)
            for at in range(0, len(keys), 24):
                self.driven.feed(keys[at : at + 24])
        else:
            pieces = self._talk.model.card(Shown("KH", 1, "A", text), self._talk.now_ms)
            self._talk._take(pieces)
        self._talk.go_on(8_000)
        return self.driven.seen[before:]


@pytest.mark.parametrize("kind", SCANNERS)
def test_a_scanner_tells_a_badge_as_a_badge_and_never_as_a_card_or_a_no_read(kind: str) -> None:
    reader = Reader(kind)
    seen = reader.read(BADGE)
    (badge,) = [one for one in seen if isinstance(one, Badge)]
    assert (badge.text, badge.raw) == (BADGE, b"")
    assert not any(isinstance(one, CardRead | CutCard | NoRead) for one in seen)
    (card,) = [one for one in reader.read("AKH35") if isinstance(one, CardRead)]
    assert card.text == "AKH35", "the card after it is read"


@pytest.mark.parametrize("kind", SCANNERS)
def test_a_badge_read_wrongly_is_no_card_and_what_it_carries_is_not_told(kind: str) -> None:
    wrong = BADGE[:-1] + ("A" if BADGE[-1] != "A" else "B")
    seen = Reader(kind).read(wrong)
    assert not any(isinstance(one, CardRead | CutCard | Badge) for one in seen)
    assert BADGE[3:20] not in repr(seen)
    assert PREFIX not in repr(seen)


def test_caps_lock_changes_no_badge() -> None:
    reader = Reader("keyboard")
    reader.driven.feed(stroke(reader._talk.now_ms, CAPS_LOCK))
    assert [one.text for one in reader.read(BADGE) if isinstance(one, Badge)] == [BADGE]


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_badge_in_pieces_with_pauses_stays_one_where_a_line_has_no_end(size: int) -> None:
    driven = Driven(protocol_of("text-line", {"suffix": "none"}))
    for at in range(0, LENGTH, size):
        driven.feed(BADGE[at : at + size].encode())
        driven.wait(100)
    driven.wait(3000)
    assert [one.text for one in driven.seen if isinstance(one, Badge)] == [BADGE]


def test_half_a_badge_and_two_in_one_line_tell_nothing_of_what_they_carry() -> None:
    driven = Driven(protocol_of("text-line", {}))
    driven.feed(BADGE[:20].encode())
    driven.wait(3000)
    driven.feed((BADGE + BADGE + "\r").encode())
    driven.feed(("x" + BADGE + "\r").encode())
    assert [type(one) for one in driven.seen if isinstance(one, NoRead)] != []
    told = repr(driven.seen) + msgspec.json.encode(driven.seen).decode()
    assert BADGE[3:12] not in told
    assert BADGE[3:12].encode().hex() not in told


def test_noise_seldom_makes_a_badge() -> None:
    """Of texts in the badge's own form about one in 37 has the right check; then its 128 bits still
    have to be somebody's.
    """
    dice = random.Random(1)
    body = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    found = sum(
        is_badge(PREFIX + "".join(dice.choice(body) for _ in range(26)) + dice.choice(ALPHABET))
        for _ in range(7_200)
    )
    assert 120 < found < 290
