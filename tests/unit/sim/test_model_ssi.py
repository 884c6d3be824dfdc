"""The virtual SSI scanner sends the golden bytes, and behaves as its real one."""

from __future__ import annotations

import pytest

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.models import ssi_wire
from hw_sim.models.base import Model, Piece
from hw_sim.models.ssi import Ssi
from tests.support.golden import Case, cases
from tests.support.pair import defaults

GOLDEN = {case.name: case for case in cases("zebra-ssi")}
ACE, KING, CUT = VirtualCard("AS", 1, "A"), VirtualCard("KH", 3, "A"), VirtualCard("", 0, "A")


def host(opcode: int, *data: int, status: int = 0) -> bytes:
    return ssi_wire.packet(opcode, bytes(data), status, ssi_wire.HOST)


ACK, NAK = host(0xD0), host(0xD1, 1)


def scanner(*, ready: bool = True) -> Ssi:
    model = Ssi()
    model.start(0)
    if ready:
        model.heard(host(0xC6, 0xFF, 0xEE, 1, 0x5E, 1), 0)
    return model


def raw(pieces: list[Piece]) -> bytes:
    return b"".join(piece.data for piece in pieces)


def card(model: Ssi, one: VirtualCard, now_ms: int, fault: str = "", **params: object) -> bytes:
    given = defaults(model.faults[fault], params) if fault else {}
    return raw(model.card(one, now_ms, fault, given))


def replay(case: Case, model: Ssi, at_ms: int = 0) -> list[tuple[int, str]]:
    """What the model answers to what the golden driver wrote."""
    out: list[tuple[int, str]] = []
    for write in case.writes:
        for piece in model.heard(write.data, write.at_ms):
            out.append((write.at_ms + piece.at_ms, piece.data.hex(" ").upper()))
    return out


def golden(case: Case) -> list[tuple[int, str]]:
    return [(send.at_ms, send.hex) for send in case.sends]


def test_it_is_a_model() -> None:
    model: Model = Ssi()
    assert model.kind == "zebra-ssi"
    assert model.records == 0


@pytest.mark.parametrize(
    "name", ["start_up", "start_up_without_reading", "settings_of_its_own", "other_device"]
)
def test_it_answers_every_command_as_written(name: str) -> None:
    assert replay(GOLDEN[name], Ssi()) == golden(GOLDEN[name])


def test_it_ends_as_the_commands_say() -> None:
    model = scanner(ready=False)
    replay(GOLDEN["settings_of_its_own"], model)
    state = model.state()
    assert (state["enabled"], state["leds"], state["beeps"]) == (True, 1, [])
    model = scanner(ready=False)
    replay(GOLDEN["start_up_without_reading"], model)
    assert model.state()["enabled"] is False
    model = scanner(ready=False)
    replay(GOLDEN["beeps"], model)
    assert model.state()["beeps"] == [0x01, 0x12, 0x01]


def test_a_refused_setting() -> None:
    model = Ssi()
    case = GOLDEN["setting_denied"]
    out: list[tuple[int, str]] = []
    refused = {b"\xff\xee\x01": 6, b"\xff\x38\x00": 2}
    for write in case.writes:
        if cause := refused.get(write.data[4:7]):
            model.do("nak", {"cause": cause, "times": 1}, write.at_ms)
        for piece in model.heard(write.data, write.at_ms):
            out.append((write.at_ms + piece.at_ms, piece.data.hex(" ").upper()))
    assert out == golden(case)


def test_codes_as_they_are_on_the_wire() -> None:
    model = scanner()
    sends = [send.data for send in GOLDEN["kinds_of_code"].sends]
    got = [card(model, CUT, 0)]
    model.heard(ACK, 10)
    got.append(card(model, KING, 500, "foreign_symbology", text="AKH35", type=0x1B))
    model.heard(ACK, 510)
    got.append(card(model, KING, 1000, "foreign_symbology"))
    model.heard(ACK, 1010)
    got.append(card(model, KING, 1500, "unknown_code", text="HELLO"))
    model.heard(ACK, 1510)
    got.append(card(model, KING, 2000, "bad_check"))
    model.heard(ACK, 2010)
    got.append(card(model, KING, 2500, "nr"))
    assert got == sends[:6]


def test_it_waits_for_its_acknowledgement_and_sends_twice_more() -> None:
    model = scanner()
    case = GOLDEN["acknowledgement_lost"]
    out = [(0, card(model, KING, 0))]
    for _ in range(2):
        assert model.wake_at_ms is not None
        out.append((model.wake_at_ms, raw(model.tick(model.wake_at_ms))))
    assert out == [(send.at_ms, send.data) for send in case.sends]
    assert raw(model.tick(6000)) == b""
    assert model.state()["transmit_errors"] == 1
    assert model.wake_at_ms is None


def test_a_damaged_packet_is_sent_again_when_asked() -> None:
    model = scanner()
    case = GOLDEN["bad_checksum_sent_again"]
    assert card(model, KING, 0, "checksum_error") == case.sends[0].data
    assert raw(model.heard(case.writes[0].data, 100)) == case.sends[1].data
    model.heard(ACK, 130)
    assert model.wake_at_ms is None


def test_several_packets_each_wait_for_their_own_acknowledgement() -> None:
    model = scanner()
    case = GOLDEN["several_packets"]
    out = [card(model, KING, 0, "multi_packet", size=2)]
    out.append(raw(model.heard(ACK, 10)))
    out.append(raw(model.tick(2010)))
    out.append(raw(model.heard(ACK, 2020)))
    assert out == [send.data for send in case.sends]


def test_an_acknowledgement_that_is_lost_makes_it_come_again() -> None:
    model = scanner()
    first = card(model, KING, 0, "ack_lost")
    assert model.heard(ACK, 10) == []
    again = raw(model.tick(2000))
    assert (first[3], again[3]) == (0, 1)
    assert first[4:-2] == again[4:-2]
    model.heard(ACK, 2010)
    assert model.wake_at_ms is None


def test_a_second_code_waits_until_the_first_is_acknowledged() -> None:
    model = scanner()
    assert card(model, KING, 0)
    assert card(model, ACE, 100) == b""
    assert b"AAS1C" in raw(model.heard(ACK, 200))


def test_a_double_trigger_and_two_codes_in_one_piece() -> None:
    model = scanner()
    first = card(model, KING, 0, "double_read")
    model.heard(ACK, 50)
    assert raw(model.tick(200)) == first
    model.heard(ACK, 300)
    both = model.card(KING, 1000, "two_codes", {"text": "AAS1C"})
    assert len(both) == 1
    assert both[0].data == first + GOLDEN["first_copy_lost"].sends[0].data


def test_a_split_packet_is_the_same_bytes_in_five_pieces() -> None:
    model = scanner()
    pieces = model.card(KING, 0, "split", {"parts": 5, "ms": 10})
    assert [piece.at_ms for piece in pieces] == [0, 10, 20, 30]
    assert raw(pieces) == GOLDEN["same_code_twice"].sends[0].data


def test_switched_off_it_reads_nothing() -> None:
    model = scanner()
    model.heard(host(0xEA), 0)
    assert card(model, KING, 10) == b""
    model.heard(host(0xE9), 20)
    assert card(model, KING, 30)


def test_read_on_command_ends_with_a_read_or_with_nr() -> None:
    model = scanner()
    model.heard(host(0xC6, 0xFF, 0x8A, 8), 0)
    assert card(model, KING, 10) == b""
    model.heard(host(0xE4), 20)
    assert card(model, KING, 30)
    model.heard(ACK, 40)
    assert card(model, KING, 50) == b""
    model.heard(host(0xE4), 60)
    assert model.wake_at_ms == 60 + 9900
    assert b"NR" in raw(model.tick(60 + 9900))


def test_settings_are_gone_with_the_power_unless_for_good() -> None:
    model = scanner()
    model.heard(host(0xC6, 0xFF, 0x9F, 1, status=0x08), 0)
    model.heard(host(0xC6, 0xFF, 0x5E, 1), 0)
    model.do("power_cycle", {}, 100)
    assert card(model, KING, 200) == b"AKH35\r"
    assert model.state()["parameters"]["5E"] == 0  # type: ignore[index]


def test_a_configuration_barcode_works_only_where_it_is_not_refused() -> None:
    model = scanner()
    plain = {"setting": "plain_text", "suffix": "cr", "force": 0}
    model.heard(host(0xC6, 0xFF, 0xEC, 0), 0)
    model.do("config_barcode", plain, 0)
    assert card(model, KING, 10) != b"AKH35\r"
    model.heard(ACK, 20)
    model.do("config_barcode", {**plain, "force": 1}, 30)
    assert card(model, KING, 40) == b"AKH35\r"
    with pytest.raises(CodeError, match="plain_text, no_handshake, suffix or defaults"):
        model.do("config_barcode", {**plain, "force": 1, "setting": "colour"}, 50)


def test_a_dead_scanner_hears_and_says_nothing() -> None:
    model = scanner()
    model.do("silent_death", {"ms": 1000}, 0)
    assert card(model, KING, 10) == b""
    assert model.heard(host(0xA3), 20) == []
    assert model.heard(host(0xA3), 1000)


def test_a_damaged_command_is_asked_for_again_and_half_a_one_forgotten() -> None:
    model = scanner()
    damaged = host(0xE9)[:-1] + b"\x00"
    assert raw(model.heard(damaged, 0)) == bytes.fromhex("05 D1 00 00 01 FF 29")
    assert model.heard(host(0xA3)[:3], 1000) == []
    assert raw(model.heard(host(0xA3), 1300))[1] == 0xA4
    assert raw(model.heard(host(0x99), 2000))[1] == 0xD1


def test_every_fault_has_a_use() -> None:
    for name, fault in Ssi().faults.items():
        model = scanner()
        given = defaults(fault, {})
        if fault.when == "draw":
            assert model.card(KING, 0, name, given), name
        else:
            model.do(name, given, 0)
    with pytest.raises(CodeError, match="no_such"):
        scanner().card(KING, 0, "no_such", {})
    with pytest.raises(CodeError, match="no_such"):
        scanner().do("no_such", {}, 0)
