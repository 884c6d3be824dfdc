"""The virtual HID-POS scanner sends the golden reports and reacts to the golden commands."""

from __future__ import annotations

import pytest

from hw_sim.codes import CodeError, OtherCode, VirtualCard
from hw_sim.models.base import Piece
from hw_sim.models.hidpos import FAULTS, HidPos
from tests.support.golden import cases

GOLDEN = {case.name: case for case in cases("hid-pos")}
ACE, KING, TWO = VirtualCard("AS", 1, "A"), VirtualCard("KH", 3, "A"), VirtualCard("2C", 7, "A")
TEN, CUT = VirtualCard("TD", 8, "A"), VirtualCard("", 0, "A")
BOTTLE = OtherCode("KH", 3, "A", text="8801234567893")


def sent(name: str) -> list[bytes]:
    """The reports of a case, one by one."""
    wire = b"".join(send.data for send in GOLDEN[name].sends)
    return [wire[at : at + 64] for at in range(0, len(wire), 64)]


def data(pieces: list[Piece]) -> list[bytes]:
    assert all(len(piece.data) == HidPos.records for piece in pieces)
    return [piece.data for piece in pieces]


def read(
    card: VirtualCard, fault: str = "", scanner: HidPos | None = None, **given: object
) -> list[bytes]:
    known = FAULTS[fault].params if fault else {}
    params = {name: default for name, (default, _) in known.items()} | given
    return data((scanner or HidPos()).card(card, 0, fault, params))


def test_clean_cards() -> None:
    assert sent("clean_cards") == read(KING) + read(ACE) + read(CUT) + read(TEN)


def test_both_variants_and_both_symbologies() -> None:
    other = HidPos(aim="d1", shifted=True)
    wire = read(KING, "aim_shifted") + read(ACE) + read(TEN, scanner=other)
    assert sent("aim_variants") == wire
    assert read(KING, scanner=HidPos(shifted=True)) == wire[:1]


def test_every_suffix() -> None:
    endings = {"cr": KING, "lf": ACE, "crlf": TEN, "tab": TWO}
    lines = [read(card, "wrong_suffix", suffix=name)[0] for name, card in endings.items()]
    assert sent("every_suffix") == lines
    assert read(KING, scanner=HidPos(suffix="cr")) == lines[:1]


def test_foreign_symbologies() -> None:
    bottle = read(BOTTLE, scanner=HidPos(aim="E0"))
    assert sent("foreign_symbology") == bottle + read(KING, "foreign_symbology", id="I0")


def test_a_long_code_and_its_lost_half() -> None:
    assert sent("long_code") == read(KING, "long_code") + read(ACE)
    assert sent("lost_report") == read(KING, "lost_report") + read(ACE)


def test_bad_codes() -> None:
    assert sent("bad_codes")[1] == read(KING, "half_code")[0]
    (misread,) = read(KING, "bad_check")
    assert misread[:5] == sent("bad_codes")[0][:5]
    assert misread[5:10] not in (b"AKH35", b"AKH36")


def test_repeats() -> None:
    pieces = HidPos().card(KING, 0, "double_read", {"ms": 150, "times": 1})
    assert [piece.at_ms for piece in pieces] == [0, 150]
    assert data(pieces) == sent("repeats")[:2]


def test_the_commands_do_what_they_say() -> None:
    scanner = HidPos()
    states = []
    for write in GOLDEN["commands"].writes:
        assert scanner.heard(write.data, 0) == []
        states.append(scanner.state())
    assert [one["reading"] for one in states] == [
        True, True, True, False, False, True, True, True, True, True,
    ]  # fmt: skip
    assert [one["started"] for one in states] == [False] * 6 + [True, True, False, False]
    assert states[-1]["beeps"] == ["good", "bad", "good", "bad"]


def test_while_reading_is_off_cards_pass_unread() -> None:
    scanner = HidPos()
    scanner.heard(b"\x04\x02", 0)
    assert scanner.card(KING, 0) == []
    scanner.heard(b"\x04\x00", 0)
    assert data(scanner.card(KING, 0)) == read(KING)
    scanner.heard(b"\x04\x02", 0)
    scanner.start(0)
    assert data(scanner.card(KING, 0)) == read(KING)


def test_it_says_what_it_is() -> None:
    case = GOLDEN["identity_and_heartbeat"]
    pieces = HidPos().heard(case.writes[0].data, 0)
    first = [send for send in case.sends if send.at_ms < 1000]
    assert data(pieces) == [send.data for send in first]
    assert [piece.at_ms for piece in pieces] == [send.at_ms - first[0].at_ms for send in first]


def test_it_may_not_know_the_question_or_say_nothing() -> None:
    ask = GOLDEN["identity_refused"].writes[0].data
    scanner = HidPos()
    assert scanner.do("refuse", {"with": 5}, 0) == []
    assert data(scanner.heard(ask, 0)) == sent("identity_refused")[:1]
    scanner.do("mute", {}, 0)
    assert scanner.heard(ask, 0) == []
    assert read(KING, scanner=scanner) == read(KING)


def test_menu_other_reports_and_an_answer_between() -> None:
    assert data(HidPos().do("menu", {}, 0)) == sent("menu")[:1]
    assert data(HidPos().do("other_report", {"number": 7}, 0)) == sent("garbage")[:1]
    first, second = read(KING, "long_code")
    done = GOLDEN["answer_between"].sends[-3].data
    assert read(KING, "between") == [first, done, second]


def test_the_vendors_commands_beep_and_start() -> None:
    scanner = HidPos()
    scanner.heard(b"\xfd\x03\x16\x07\r", 0)
    scanner.heard(b"\xfd\x03\x16T\r", 0)
    assert scanner.state() == {"reading": True, "started": True, "beeps": ["vendor"]}
    scanner.heard(b"\xfd\x03\x16U\r", 0)
    assert not scanner.state()["started"]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_can_be_done(fault: str) -> None:
    params = {name: default for name, (default, _) in FAULTS[fault].params.items()}
    scanner = HidPos()
    if FAULTS[fault].when == "now":
        data(scanner.do(fault, params, 0))
    else:
        assert data(scanner.card(KING, 0, fault, params)) != read(KING)


@pytest.mark.parametrize("aim", ["", "C", "C0x", "é0", "]0"])
def test_an_identifier_has_two_characters(aim: str) -> None:
    with pytest.raises(CodeError):
        HidPos(aim=aim)
