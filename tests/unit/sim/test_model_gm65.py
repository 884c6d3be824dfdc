"""The virtual GM65 module sends the golden bytes, and behaves as its real one."""

from __future__ import annotations

import pytest

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.models.base import Model, Piece
from hw_sim.models.gm65 import Gm65, check, reply
from tests.support.golden import Case, cases
from tests.support.pair import defaults

GOLDEN = {case.name: case for case in cases("gm65")}
ACE, KING, CUT = VirtualCard("AS", 1, "A"), VirtualCard("KH", 3, "A"), VirtualCard("", 0, "A")
TEN = VirtualCard("TD", 8, "A")


def command(body: str) -> bytes:
    raw = bytes.fromhex(body)
    return b"\x7e\x00" + raw + check(raw)


HEARTBEAT = command("0A 01 00 00 00")


def module(*settings: str) -> Gm65:
    model = Gm65(read_failed="FAIL")
    model.start(0)
    for body in ("08 01 00 D0 80", *settings):
        assert model.heard(command(body), 0)
    return model


def raw(pieces: list[Piece]) -> bytes:
    return b"".join(piece.data for piece in pieces)


def card(model: Gm65, one: VirtualCard, fault: str = "", **params: object) -> bytes:
    given = defaults(model.faults[fault], params) if fault else {}
    return raw(model.card(one, 0, fault, given))


def sent(case: Case) -> list[bytes]:
    return [send.data for send in case.sends]


def replay(case: Case, model: Gm65) -> list[tuple[int, str]]:
    """What the model answers to what the golden driver wrote."""
    return [
        (write.at_ms + piece.at_ms, piece.data.hex(" ").upper())
        for write in case.writes
        for piece in model.heard(write.data, write.at_ms)
    ]


def test_it_is_a_model() -> None:
    model: Model = Gm65()
    assert model.kind == "gm65"
    assert model.records == 0


@pytest.mark.parametrize(
    ("body", "tail"),
    [("09 01 00 00 00", "DE C8"), ("07 01 00 2A 02", "D8 0F"), ("08 02 00 2A 39 01", "A7 EA")],
)
def test_the_check_is_this(body: str, tail: str) -> None:
    assert check(bytes.fromhex(body)) == bytes.fromhex(tail)
    assert reply() == bytes.fromhex("02 00 00 01 00 33 31")


@pytest.mark.parametrize("name", ["start_up", "sounds"])
def test_it_answers_every_command_as_written(name: str) -> None:
    case = GOLDEN[name]
    assert replay(case, Gm65()) == [(send.at_ms, send.hex) for send in case.sends]


def test_read_on_command_as_written() -> None:
    case, model = GOLDEN["start_up_on_command"], Gm65()
    out: list[tuple[int, str]] = []
    for write in case.writes:
        for piece in model.heard(write.data, write.at_ms):
            out.append((write.at_ms + piece.at_ms, piece.data.hex(" ").upper()))
        if write.at_ms == 1000:
            out.append((1100, raw(model.card(KING, 1100)).hex(" ").upper()))
            assert model.card(KING, 1200) == []
    assert out == [(send.at_ms, send.hex) for send in case.sends]


def test_codes_as_they_are_on_the_wire() -> None:
    model = module()
    assert sent(GOLDEN["codes"]) == [
        card(model, KING),
        card(model, CUT),
        card(model, KING, "foreign_symbology"),
        card(model, KING, "unknown_code"),
        card(model, KING, "bad_check"),
    ]
    assert sent(GOLDEN["two_codes"]) == [card(model, KING, "two_codes", text="AAS1C")]
    assert sent(GOLDEN["read_failed"])[0] == card(model, KING, "read_failed")


def test_every_end_as_written() -> None:
    ends = []
    for value, one in enumerate((ACE, KING, CUT, TEN)):
        model = module("08 01 00 D0 00", f"08 01 00 0E {value:02X}")
        ends.append(card(model, one))
    assert sent(GOLDEN["every_end"]) == ends
    model = module("08 01 00 0E 04")
    assert sent(GOLDEN["no_end_is_set"])[:2] == [card(model, KING), card(model, CUT)]


def test_reply_and_code_in_one_read() -> None:
    model = module()
    assert card(model, KING, "with_reply", first="reply") == b""
    assert raw(model.heard(HEARTBEAT, 0)) == sent(GOLDEN["reply_and_code"])[0]
    assert card(model, ACE, "with_reply", first="code") == b""
    assert raw(model.heard(HEARTBEAT, 0)) == sent(GOLDEN["reply_and_code"])[1]


def test_a_damaged_reply_as_written() -> None:
    model = module()
    model.do("bad_reply", {"times": 1}, 0)
    damaged = raw(model.heard(HEARTBEAT, 0))
    assert damaged + card(model, KING) == sent(GOLDEN["damaged_reply"])[0]


def test_prefix() -> None:
    model = Gm65(prefix="02", suffix="03")
    model.heard(command("08 01 00 D0 80"), 0)
    model.heard(command("08 01 00 0E 04"), 0)
    assert card(model, KING) == sent(GOLDEN["prefix"])[0]


def test_a_command_with_a_wrong_check_gets_no_answer_and_costs_none_after_it() -> None:
    model = module()
    wrong = HEARTBEAT[:-1] + b"\x00"
    assert model.heard(wrong, 0) == []
    assert raw(model.heard(wrong + HEARTBEAT, 0)) == reply()
    assert raw(model.heard(bytes.fromhex("7E 00 08 01 00 02 01 AB CD"), 0)) == reply()
    assert model.state()["reading"] is True


def test_half_a_command_is_forgotten_and_split_ones_are_understood() -> None:
    model = module()
    assert model.heard(HEARTBEAT[:5], 0) == []
    assert raw(model.heard(HEARTBEAT[5:], 50)) == reply()
    assert model.heard(HEARTBEAT[:5], 1000) == []
    assert raw(model.heard(HEARTBEAT, 2000)) == reply()


def test_what_is_saved_stays() -> None:
    model = module("08 01 00 0E 02", "09 01 00 00 00", "08 01 00 0E 03")
    model.do("power_cycle", {}, 0)
    assert card(model, KING).endswith(b"5\r\n")
    model.heard(command("08 01 00 D9 50"), 0)
    assert card(model, KING) == b"AKH35\r"


def test_a_read_on_command_that_finds_nothing_says_so() -> None:
    model = module("08 01 00 00 95", "08 01 00 02 01")
    assert model.wake_at_ms == 5000
    assert raw(model.tick(5000)) == b"FAIL\r"
    assert model.wake_at_ms is None


def test_it_dies_and_does_not_answer() -> None:
    model = module()
    model.do("no_reply", {"times": 1}, 0)
    assert model.heard(HEARTBEAT, 0) == []
    assert model.heard(HEARTBEAT, 0)
    model.do("silent_death", {"ms": 100}, 0)
    assert card(model, KING) == b""
    assert model.heard(HEARTBEAT, 50) == []
    assert model.heard(HEARTBEAT, 100)


def test_every_fault_has_a_use() -> None:
    for name, fault in Gm65().faults.items():
        model = module()
        given = defaults(fault, {})
        if fault.when == "now":
            model.do(name, given, 0)
            continue
        pieces = model.card(KING, 0, name, given)
        assert pieces or name == "with_reply", name
    with pytest.raises(CodeError, match="no_such"):
        module().card(KING, 0, "no_such", {})
    with pytest.raises(CodeError, match="no_such"):
        module().do("no_such", {}, 0)
    with pytest.raises(CodeError, match="terminator, aim, mode or defaults"):
        module().do("config_barcode", {"setting": "colour", "value": 1}, 0)
    with pytest.raises(CodeError, match="read_failed"):
        Gm65(read_failed="F" * 16)
