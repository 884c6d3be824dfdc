"""The virtual Angel Eye puts the golden bytes on the wire, and hears the golden commands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.models.angeleye import AngelEye
from hw_sim.models.angeleye_faults import FAULTS
from hw_sim.models.base import Piece
from tests.support.golden import Case, cases

GOLDEN = {case.name: case for case in cases("angel-eye")}
Step = Callable[[AngelEye, int], list[Piece]]


def draw(face: str, fault: str = "", **params: object) -> Step:
    """A card is drawn."""
    return lambda shoe, now: shoe.card(VirtualCard(face, 1, "A"), now, fault, params)


def do(fault: str, **params: object) -> Step:
    """Something is done to it."""
    return lambda shoe, now: shoe.do(fault, params, now)


def hear(data: bytes) -> Step:
    """A command comes."""
    return lambda shoe, now: shoe.heard(data, now)


def on(shoe: AngelEye, now_ms: int) -> list[Piece]:
    """It is switched on."""
    return shoe.start(now_ms)


def cut(shoe: AngelEye, now_ms: int) -> list[Piece]:
    """The cut card comes out."""
    return shoe.card(VirtualCard("", 0, "A"), now_ms)


def said(shoe: AngelEye, script: dict[int, Step], case: Case) -> list[tuple[int, bytes]]:
    """What it says when those things happen and the golden commands come, in order of time."""
    happens = list(script.items())
    happens += [(write.at_ms, hear(write.data)) for write in case.writes]
    pieces: list[tuple[int, bytes]] = []
    for at, step in sorted(happens, key=lambda one: one[0]):
        pieces += [(at + piece.at_ms, piece.data) for piece in step(shoe, at)]
    return sorted(pieces, key=lambda piece: piece[0])


ERRORS: dict[int, Step] = {}
for _at, _code in enumerate((1, 2, 3, 4, 5, 6, 7, 9)):
    ERRORS[_at * 2000] = do("raise_error", code=_code, mode=_code % 2)
    ERRORS[_at * 2000 + 1000] = do("clear_error")

SCRIPTS: dict[str, dict[int, Step]] = {
    "vectors": {
        0: draw("8S"),
        1000: draw("KH"),
        2000: do("stand_by"),
        3000: do("result", winner=1, pair=1),
        4000: do("stand_by"),
        5000: cut,
        6000: do("raise_error", code=2),
        7000: do("clear_error"),
        8000: do("lock"),
    },
    "start_then_cards": {
        0: on,
        2000: draw("8S"),
        3000: draw("KH"),
        4000: draw("TD"),
        5000: draw("AC"),
    },
    "burns": {0: on, 1000: draw("2C"), 2000: draw("8S"), 3000: draw("KH"), 4000: draw("TD")},
    "sequence_wraps": {at * 500: draw("8S") for at in range(10)},
    "one_copy_lost": {
        0: draw("8S", "lost_copies", copies=1),
        1000: lambda shoe, now: [p for p in draw("KH")(shoe, now) if p.at_ms != 50],
    },
    "all_copies_lost": {0: draw("8S"), 1000: draw("2C", "lost_copies"), 2000: draw("KH")},
    "bad_bcc_first": {0: draw("8S"), 1000: draw("KH", "bad_bcc", copies=1)},
    "bad_bcc_all": {0: draw("8S"), 1000: draw("KH", "bad_bcc")},
    "bad_bcc_all_then_next": {0: draw("8S"), 1000: draw("KH", "bad_bcc"), 1300: draw("2C")},
    "bad_bcc_quickly_after": {0: draw("8S"), 200: draw("KH", "bad_bcc")},
    "conflict": {0: draw("8S", "conflict")},
    "late_copy": {0: draw("8S", "late_copy")},
    "same_number": {0: draw("8S"), 1000: draw("KH", "same_number")},
    "late_same_number_other_card": {
        0: draw("8S"),
        2000: do("number", to=1),
        3000: draw("KH"),
    },
    "errors": ERRORS,
    "drawn_outside": {
        0: draw("8S", "outside"),
        1000: draw("KH", "outside", locked=1),
        2000: draw("2C", "outside", error=1),
        3000: draw("3C", "outside", locked=1, error=1, code=6),
        4000: draw("4C", "outside", setting=1),
        5000: do("clear_error", code=6),
    },
    "resent_after_overdraw": {
        0: draw("8S"),
        1000: draw("KH", "overdraw"),
        2000: do("clear_error"),
    },
    "new_shoe": {
        -1: do("number", to=8),
        0: draw("8S"),
        1000: cut,
        2000: draw("KH"),
        3000: do("result", pair=1),
        9000: do("new_shoe"),
        9200: do("stand_by"),
        10000: draw("2C"),
    },
    "restarted": {0: on, 1000: draw("8S"), 9000: do("power_cycle"), 10000: draw("KH")},
    "wrong_baud": {at * 500: draw("2C", "wrong_baud") for at in range(7)} | {5000: draw("8S")},
    "lock": {},
    "lock_without_stx": {},
    "nak_busy_once": {0: do("refuse", code=0x21)},
    "nak_busy_twice": {0: do("refuse", code=0x21, count=2)},
    "nak_bcc": {0: do("refuse", code=0x02)},
    "silence_to_a_command": {0: do("deaf")},
} | {
    f"nak_{code:02x}": {0: do("refuse", code=code)}
    for code in (0x01, 0x03, 0x11, 0x12, 0x13, 0x14, 0x22, 0x77, 0xFF)
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_says_the_golden_bytes_at_their_times(name: str) -> None:
    case = GOLDEN[name]
    burns = 2 if name == "burns" else 0
    shoe = AngelEye(bcc=str(case.settings.get("bcc", "with_stx")), burns=burns)
    assert said(shoe, SCRIPTS[name], case) == [(send.at_ms, send.data) for send in case.sends]


def test_card_without_suit_and_rank() -> None:
    (first, *_) = GOLDEN["card_none"].sends
    assert draw("8S", "card_none")(AngelEye(), 0)[0].data == first.data


def test_a_preset_by_somebody() -> None:
    sends = GOLDEN["preset_lock_result"].sends
    assert do("preset")(AngelEye(), 0)[0].data == sends[0].data


def test_it_obeys_lock_and_draws_outside_the_game_while_locked() -> None:
    shoe = AngelEye()
    pieces = shoe.heard(bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42"), 0)
    assert pieces[0].data == b"\x06"
    assert shoe.state()["locked"] is True
    assert shoe.card(VirtualCard("8S", 1, "A"), 0)[0].data[2:4] == b"d\x90"


def test_a_command_in_two_pieces_after_noise() -> None:
    shoe = AngelEye()
    assert not shoe.heard(bytes.fromhex("FF 00 02 4F 50 4C"), 0)
    assert shoe.heard(bytes.fromhex("4B 30 32 03 31 42"), 0)[0].data == b"\x06"


@pytest.mark.parametrize(
    ("command", "nak"),
    [
        ("02 4F 50 4C 4B 30 32 03 31 39", 0x02),
        ("02 4F 50 4C 4B 30 03 32 39", 0x11),
        ("02 41 50 4C 4B 30 32 03 31 35", 0x13),
        ("02 4F 50 58 58 30 32 03 31 43", 0x14),
        ("02 4F 50 4C 4B 30 39 03 31 30", 0x11),
    ],
)
def test_a_command_it_does_not_take_is_refused_with_the_reason(command: str, nak: int) -> None:
    assert [piece.data for piece in AngelEye().heard(bytes.fromhex(command), 0)] == [
        bytes((0x15, nak))
    ]


def test_clear_error_ends_an_overdraw_and_sends_its_card_again() -> None:
    shoe = AngelEye()
    shoe.card(VirtualCard("KH", 1, "A"), 0, "overdraw")
    assert shoe.state()["error_mode"] is True
    body = b"\x02OPEC00\x03"
    value = 0
    for byte in body:
        value ^= byte
    pieces = shoe.heard(body + f"{value:02X}".encode(), 0)
    assert [piece.data[2:3] for piece in pieces[1:]] == [b"e"] * 3 + [b"R"] * 3
    assert shoe.state()["error"] == 0


def test_every_fault_works_with_its_defaults() -> None:
    for name, fault in FAULTS.items():
        shoe = AngelEye()
        if fault.when == "draw":
            draw("8S", name)(shoe, 0)
        else:
            do(name)(shoe, 0)
        assert draw("2C")(shoe, 9000)


def test_an_unknown_fault_or_setting_is_refused() -> None:
    with pytest.raises(CodeError, match="no fault"):
        draw("8S", "nonsense")(AngelEye(), 0)
    with pytest.raises(CodeError, match="with_stx"):
        AngelEye(bcc="maybe")
    with pytest.raises(CodeError, match="burns"):
        AngelEye(burns=11)
