"""The virtual scanner that types sends the golden events."""

from __future__ import annotations

import pytest

from hw_sim.codes import CodeError, OtherCode, VirtualCard
from hw_sim.models.base import Piece
from hw_sim.models.keyboard import FAULTS, Keyboard
from tests.support.golden import cases

GOLDEN = {case.name: case for case in cases("keyboard")}
ACE, KING, TWO = VirtualCard("AS", 1, "A"), VirtualCard("KH", 3, "A"), VirtualCard("2C", 7, "A")
NINE, TEN, CUT = VirtualCard("9S", 1, "A"), VirtualCard("TD", 8, "A"), VirtualCard("", 0, "A")
CLEAN = "clean_cards"


def other(text: str) -> VirtualCard:
    return OtherCode("KH", 3, "A", text=text)


class Told:
    """What a scanner sent, by the time it went out."""

    def __init__(self, scanner: Keyboard | None = None) -> None:
        self.scanner = scanner or Keyboard()
        self.sent: list[tuple[int, bytes]] = []

    def card(self, at: int, card: VirtualCard, fault: str = "", **given: object) -> Told:
        known = FAULTS[fault].params if fault else {}
        params = {name: default for name, (default, _) in known.items()} | given
        return self._add(at, self.scanner.card(card, at, fault, params))

    def do(self, at: int, fault: str, **given: object) -> Told:
        params = {name: default for name, (default, _) in FAULTS[fault].params.items()} | given
        return self._add(at, self.scanner.do(fault, params, at))

    def _add(self, at: int, pieces: list[Piece]) -> Told:
        assert all(len(piece.data) % Keyboard.records == 0 for piece in pieces)
        self.sent += [(at + piece.at_ms, piece.data) for piece in pieces]
        self.sent.sort(key=lambda one: one[0])
        return self


def golden(name: str) -> list[tuple[int, bytes]]:
    return [(send.at_ms, send.data) for send in GOLDEN[name].sends]


def test_clean_cards() -> None:
    assert Told().card(0, KING).card(500, ACE).card(1000, CUT).sent == golden(CLEAN)


def test_every_suffix() -> None:
    told = Told().card(0, KING).card(700, ACE, "wrong_suffix", suffix="lf")
    told.card(1400, TWO, "wrong_suffix", suffix="crlf")
    told.card(2100, NINE, "wrong_suffix", suffix="crcr")
    assert told.card(2800, TEN, "wrong_suffix", suffix="tab").sent == golden("every_suffix")


def test_no_suffix() -> None:
    told = Told().card(0, KING, "wrong_suffix", suffix="none").card(900, ACE)
    assert told.sent == golden("suffix_missing")
    assert Told(Keyboard(suffix="none")).card(0, KING).sent == told.sent[:10]


def test_a_person_types() -> None:
    assert Told().do(0, "typing").card(1500, KING).sent == golden("typing")
    told = Told().do(0, "typing", text="x", ms=16, enter=0).card(200, KING).card(1200, KING)
    assert told.sent == golden("typed_before")
    assert Told().card(0, KING, "typed_into").card(900, KING).sent == golden("typed_into")
    assert Told().card(0, KING, "slow").card(1600, KING).sent == golden("typed_code")


def test_caps_lock() -> None:
    told = Told().do(0, "caps_lock").card(300, KING)
    assert told.scanner.state() == {"caps_lock": True, "hangul": False}
    told.do(1000, "caps_lock").card(1300, KING)
    assert told.sent == golden("caps_lock")
    assert Told().card(0, KING, "wrong_case").card(900, KING).sent == golden("wrong_case")


def test_other_layouts() -> None:
    assert Told().card(0, KING, "layout").card(900, KING).sent == golden("azerty")
    assert Told(Keyboard(layout="azerty")).card(0, KING).sent == golden("azerty")[:12]
    wrong, right = (one["text"] for one in GOLDEN["qwertz"].sees)
    told = Told().card(0, other(right), "layout", name="qwertz").card(900, other(right))
    assert told.sent == golden("qwertz")
    assert wrong.replace("Z", "Y") == right


def test_hangul() -> None:
    told = Told().do(0, "hangul").card(300, KING).do(1000, "hangul").card(1300, KING)
    assert told.sent == golden("hangul")


def test_dropped_events() -> None:
    told = Told().card(0, KING, "dropped").sent
    wanted = golden("dropped")
    assert told[:4] == wanted[:4]
    assert told[4][1][:24] == wanted[4][1][:24]
    assert told[5:] == wanted[5:11]


def test_repeats_and_auto_repeat() -> None:
    assert Told().card(0, KING, "double_read").card(2300, KING).sent == golden("repeats")
    assert Told().card(0, KING, "auto_repeat").sent == golden("auto_repeat")
    assert len(Told().card(0, KING, "burst").sent) == 21 * 12


def test_identifiers() -> None:
    told = Told().card(0, KING, "aim").card(700, KING, "aim", id="A0")
    for i, text in enumerate(("]I0123456", "]", "]C")):
        told.card(1400 + 700 * i, other(text))
    assert told.sent == golden("aim")
    assert Told(Keyboard(aim="C0")).card(0, KING).sent == golden("aim")[:18]


def test_parts_of_a_code() -> None:
    told = Told().card(1200, KING, "half_code").card(2200, ACE)
    assert told.sent == golden("bad_codes")[20:]
    assert Told().card(600, KING, "tail_only", keep=3).sent == golden("bad_codes")[12:20]
    split = Told().card(0, KING, "split_code").sent
    assert [at for at, _ in split][5:7] == [40, 332]
    assert len(split) == 12


def test_a_misread_code() -> None:
    assert Told().card(0, KING, "bad_check").sent != golden("bad_codes")[:12]
    assert Told().card(0, KING, "bad_check").sent[:6] == golden("bad_codes")[:6]


def test_shift_in_reports_of_its_own() -> None:
    scanner = Keyboard(step_ms=32, apart=True)
    told = Told(scanner).card(0, KING).sent
    assert told == golden("shift_apart")


def test_it_hears_nothing_and_forgets_when_it_is_plugged_in() -> None:
    scanner = Keyboard()
    scanner.do("caps_lock", {}, 0)
    assert scanner.heard(b"\x04\x40", 0) == []
    assert scanner.start(0) == []
    assert not scanner.state()["caps_lock"]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_can_be_done(fault: str) -> None:
    if FAULTS[fault].when == "now":
        assert Told().do(0, fault).sent
    else:
        assert Told().card(0, KING, fault).sent != Told().card(0, KING).sent


def test_settings_of_no_use_are_refused() -> None:
    with pytest.raises(CodeError, match="suffix"):
        Keyboard(suffix="x")
    with pytest.raises(CodeError, match="layout"):
        Keyboard(layout="dvorak")
    with pytest.raises(CodeError):
        Keyboard().card(other("é"), 0)
    with pytest.raises(CodeError):
        Keyboard().card(KING, 0, "no_such_fault")
