"""The simulator and the drivers share no code, only golden bytes."""

from __future__ import annotations

from hw_sim.codes import OtherCode, VirtualCard
from hw_sim.models.textline import TextLine
from tests.support.golden import Case, cases

GOLDEN = {case.name: case for case in cases("text-line")}
ACE, KING, TWO = VirtualCard("AS", 1, "A"), VirtualCard("KH", 3, "A"), VirtualCard("2C", 7, "A")
NINE, TEN, CUT = VirtualCard("9S", 1, "A"), VirtualCard("TD", 8, "A"), VirtualCard("", 0, "A")


def sent(case: Case) -> bytes:
    return b"".join(send.data for send in case.sends)


def line(card: VirtualCard, fault: str = "", **params: object) -> bytes:
    return b"".join(piece.data for piece in TextLine().card(card, 0, fault, params))


def test_clean_cards() -> None:
    assert sent(GOLDEN["clean_cards"]) == line(ACE) + line(KING) + line(CUT) + line(TEN)


def test_every_suffix() -> None:
    endings = {"cr": ACE, "lf": KING, "crlf": TWO, "crcr": NINE, "tab": TEN}
    lines = (line(card, "wrong_suffix", suffix=name) for name, card in endings.items())
    assert sent(GOLDEN["every_suffix"]) == b"".join(lines)


def test_dirty_first_line() -> None:
    dirty = line(ACE, "dirty_open", hex="AA65D1B9F1")
    assert sent(GOLDEN["dirty_first_line"]) == dirty + line(KING)


def test_foreign_set() -> None:
    foreign = line(OtherCode("KH", 3, "B"))
    assert sent(GOLDEN["foreign_set_and_deck"]).startswith(foreign)


def test_suffix_missing_keeps_its_pause() -> None:
    case = GOLDEN["suffix_missing"]
    five = VirtualCard("5D", 4, "A")
    assert case.sends[0].data == line(five, "wrong_suffix", suffix="none")
