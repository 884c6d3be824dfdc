"""What the looks of one card come to."""

from __future__ import annotations

import pytest

from drivers.camera.codes.judge import CodeJudge, judge
from drivers.camera.sight import CodeLook, Decoder, Symbology
from drivers.cardcode import CardCode, CardText, CutText

CODE = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=99)
KING = CODE.format("KH", deck=7)
SEVEN = CODE.format("7S", deck=38)
BOTH: tuple[Decoder, ...] = ("pyzbar", "zxing")


def look(
    text: str, *decoders: Decoder, symbology: Symbology = "code128", at: float = 100.0
) -> CodeLook:
    return CodeLook(text, text.encode(), symbology, frozenset(decoders or ("zxing",)), (at, at))


def damaged(text: str) -> str:
    """The form of a card, with another check character."""
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def test_two_frames_of_one_decoder_are_a_card() -> None:
    verdict = judge([(1, [look(KING)]), (2, [look(KING)])], CODE)
    assert isinstance(verdict.card, CardText)
    assert verdict.card.face == "KH"
    assert (verdict.why, verdict.frames) == ("", 2)


def test_one_frame_read_by_both_decoders_is_a_card() -> None:
    verdict = judge([(1, [look(KING, *BOTH)])], CODE)
    assert verdict.card is not None
    assert verdict.card.text == KING


def test_one_decoder_in_one_frame_is_one_look() -> None:
    assert judge([(1, [look(KING)])], CODE).why == "one_look"


def test_the_same_frame_given_twice_is_one_look() -> None:
    assert judge([(1, [look(KING)]), (1, [look(KING)])], CODE).why == "one_look"


def test_a_data_matrix_in_one_frame_is_one_look_however_often_it_stands_there() -> None:
    twice = [look(KING, symbology="datamatrix"), look(KING, symbology="datamatrix", at=400.0)]
    assert judge([(1, twice)], CODE).why == "one_look"


def test_two_different_cards_are_a_contradiction_whoever_read_them() -> None:
    frames = [(n, [look(KING, *BOTH)]) for n in range(8)]
    verdict = judge([*frames, (9, [look(SEVEN)])], CODE)
    assert verdict.card is None
    assert verdict.why == "contradiction"
    assert verdict.texts == (KING, SEVEN)


def test_a_text_of_a_cards_form_with_a_wrong_check_beside_a_card_is_a_contradiction() -> None:
    frame = [look(KING, "zxing"), look(damaged(KING), "pyzbar")]
    verdict = judge([(1, frame), (2, [look(KING, *BOTH)])], CODE)
    assert verdict.why == "contradiction"


def test_the_order_of_the_looks_changes_nothing() -> None:
    frames = [(1, [look(KING, *BOTH)]), (2, [look(SEVEN)]), (3, [look(KING)])]
    assert judge(frames, CODE) == judge(frames[::-1], CODE)


def test_noise_of_no_cards_form_leaves_a_card_a_card() -> None:
    noise = [look("0123456"), look(KING + "X"), look(KING.lower()), look("")]
    verdict = judge([(1, [*noise, look(KING)]), (2, [look(KING), *noise])], CODE)
    assert verdict.card is not None
    assert verdict.texts == (KING,)


def test_only_noise_is_not_a_card_however_often() -> None:
    assert judge([(n, [look("HELLO", *BOTH)]) for n in range(9)], CODE).why == "not_a_card"


def test_only_wrong_checks_are_a_bad_check_however_often() -> None:
    frames = [(n, [look(damaged(KING), *BOTH)]) for n in range(9)]
    assert judge(frames, CODE).why == "bad_check"


def test_nothing_seen_is_nothing() -> None:
    assert judge([(1, []), (2, [])], CODE).why == "nothing"


def test_bytes_that_are_no_text_are_not_a_card_whatever_they_look_like() -> None:
    strange = CodeLook("", KING.encode() + b"\xff", "qr", frozenset(BOTH), (1.0, 1.0))
    assert judge([(1, [strange]), (2, [strange])], CODE).why == "not_a_card"


def test_a_cut_card_is_one_by_the_same_rule() -> None:
    cut = CODE.format_cut("B")
    assert judge([(1, [look(cut)])], CODE).why == "one_look"
    verdict = judge([(1, [look(cut)]), (2, [look(cut)])], CODE)
    assert isinstance(verdict.card, CutText)


def test_a_cut_card_and_a_card_are_a_contradiction() -> None:
    cut = CODE.format_cut("B")
    assert judge([(1, [look(cut, *BOTH), look(KING, *BOTH)])], CODE).why == "contradiction"


def test_a_foreign_card_is_a_card_and_says_so() -> None:
    code = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=8)
    verdict = judge([(1, [look(SEVEN, *BOTH)])], code)
    assert isinstance(verdict.card, CardText)
    assert verdict.card.foreign == "deck"


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        ([BOTH], "one_look"),
        ([("zxing",), ("zxing",)], "one_look"),
        ([("zxing",), BOTH], ""),
        ([("zxing",), ("zxing",), ("zxing",)], ""),
    ],
)
def test_a_code_without_a_check_takes_one_witness_more(
    frames: list[tuple[Decoder, ...]], why: str
) -> None:
    code = CardCode.from_template("{rank}{suit}{deck:2}", "{set}CUT", decks=99)
    looks = [(n, [look("KH07", *decoders)]) for n, decoders in enumerate(frames)]
    assert judge(looks, code).why == why


def test_a_verdict_can_be_taken_back_by_a_later_frame() -> None:
    one = CodeJudge(CODE)
    one.add(1, [look(KING, *BOTH)])
    assert one.verdict().card is not None
    one.add(2, [look(SEVEN, *BOTH)])
    assert one.verdict().why == "contradiction"
