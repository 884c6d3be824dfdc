"""Each fault by its name, over a real pseudo-terminal, read with pyserial."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from hw_sim.codes import is_valid
from hw_sim.control import ControlError, ShoeControl
from hw_sim.faults import FaultError, fault_params
from hw_sim.models.registry import faults_of, kind_of, make_model
from tests.unit.sim import test_device_faults
from tests.unit.sim.conftest import Until

FAULTS = faults_of(kind_of("text-line"), make_model("text-line"))


@pytest.fixture
def port(shoe: ShoeControl, tmp_path: Path) -> Iterator[serial.Serial]:
    with serial.Serial(str(tmp_path / "shoe.link"), 9600, timeout=5) as opened:
        yield opened


def code(answer: dict[str, object]) -> bytes:
    return str(answer["code"]).encode()


def drawn(shoe: ShoeControl, fault: str, **params: object) -> bytes:
    """Draw a card under that fault; its code as printed."""
    shoe.ask("arm", fault=fault, **params)
    answer = shoe.ask("draw")
    assert answer["fault"] == fault
    return code(answer)


def everything(port: serial.Serial) -> bytes:
    """What comes until the port hangs up."""
    came = b""
    with contextlib.suppress(serial.SerialException):
        while byte := port.read(1):
            came += byte
        pytest.fail("the port did not hang up")
    return came


def then_nothing_else(shoe: ShoeControl, port: serial.Serial) -> bool:
    """Whether the next bytes are those of the next card, and of no other."""
    expected = code(shoe.ask("draw")) + b"\r"
    return bool(port.read(len(expected)) == expected)


def test_card_is_its_code_and_a_carriage_return(shoe: ShoeControl, port: serial.Serial) -> None:
    answer = shoe.ask("draw")
    assert answer["position"] == 1
    assert port.read(6) == code(answer) + b"\r"
    assert then_nothing_else(shoe, port)


def test_double_read(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "double_read", ms=5) + b"\r"
    assert port.read(12) == line * 2
    assert then_nothing_else(shoe, port)


def test_burst(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "burst", ms=2, times=20) + b"\r"
    assert port.read(6 * 21) == line * 21
    assert then_nothing_else(shoe, port)


def test_no_read(shoe: ShoeControl, port: serial.Serial) -> None:
    drawn(shoe, "no_read")
    assert then_nothing_else(shoe, port)
    assert shoe.ask("state")["position"] == 2


def test_half_line(shoe: ShoeControl, port: serial.Serial) -> None:
    half = drawn(shoe, "half_line", keep=3)[:3]
    assert port.read(3) == half
    assert then_nothing_else(shoe, port)


def test_split_line(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "split_line", keep=2, ms=20) + b"\r"
    assert port.read(6) == line
    assert then_nothing_else(shoe, port)


def test_slow(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "slow", ms=2) + b"\r"
    assert port.read(6) == line


def test_merged(shoe: ShoeControl, port: serial.Serial) -> None:
    first = drawn(shoe, "merged")
    second = code(shoe.ask("draw"))
    assert port.read(12) == first + b"\r" + second + b"\r"


def test_garbage(shoe: ShoeControl, port: serial.Serial) -> None:
    drawn(shoe, "garbage")
    assert port.read(5) == bytes.fromhex("E080FF9E0D")
    assert then_nothing_else(shoe, port)


def test_dirty_open(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "dirty_open") + b"\r"
    assert port.read(11) == bytes.fromhex("AA65D1B9F1") + line


def test_tail_only(shoe: ShoeControl, port: serial.Serial) -> None:
    tail = drawn(shoe, "tail_only")[-2:]
    assert port.read(3) == tail + b"\r"


def test_bad_check(shoe: ShoeControl, port: serial.Serial) -> None:
    printed = drawn(shoe, "bad_check").decode()
    read = port.read(6).decode()
    assert read[:3] == printed[:3]
    assert read[3] in "12345678"
    assert not is_valid(read[:5])


def test_foreign_code_is_the_card_of_another_set(shoe: ShoeControl, port: serial.Serial) -> None:
    printed = drawn(shoe, "foreign_code").decode()
    read = port.read(6).decode()
    assert read[:4] == "Z" + printed[1:4]
    assert is_valid(read[:5])


def test_foreign_code_can_be_any_text(shoe: ShoeControl, port: serial.Serial) -> None:
    drawn(shoe, "foreign_code", text="8801234567893")
    assert port.read(14) == b"8801234567893\r"


def test_earlier_code(shoe: ShoeControl, port: serial.Serial) -> None:
    lines = [code(shoe.ask("draw")) + b"\r" for _ in range(3)]
    drawn(shoe, "earlier_code", back=2)
    assert port.read(24) == b"".join([*lines, lines[1]])


@pytest.mark.parametrize(
    ("suffix", "ending"),
    [("lf", b"\n"), ("crlf", b"\r\n"), ("crcr", b"\r\r"), ("tab", b"\t"), ("none", b"")],
)
def test_wrong_suffix(shoe: ShoeControl, port: serial.Serial, suffix: str, ending: bytes) -> None:
    printed = drawn(shoe, "wrong_suffix", suffix=suffix)
    assert port.read(5 + len(ending)) == printed + ending
    assert then_nothing_else(shoe, port)


def test_aim(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "aim", id="d1") + b"\r"
    assert port.read(9) == b"]d1" + line


def test_noise(shoe: ShoeControl, port: serial.Serial) -> None:
    shoe.ask("fault", fault="noise", hex="00FFFE0D")
    assert port.read(4) == b"\x00\xff\xfe\r"


def test_early_draw(shoe: ShoeControl, port: serial.Serial) -> None:
    cards = shoe.ask("fault", fault="early_draw", count=2)["drawn"]
    assert port.read(12) == b"".join(code(card) + b"\r" for card in cards)
    assert shoe.ask("state")["position"] == 2


def test_early_draw_comes_in_one_piece_with_the_card(
    shoe: ShoeControl, port: serial.Serial
) -> None:
    shoe.ask("arm", fault="early_draw")
    card = shoe.ask("draw")
    assert [card["position"], *(more["position"] for more in card["drawn"])] == [1, 2]
    assert port.read(12) == b"".join(code(each) + b"\r" for each in (card, *card["drawn"]))


def test_double_read_at_once_comes_in_one_piece(shoe: ShoeControl, port: serial.Serial) -> None:
    line = drawn(shoe, "double_read", ms=0, times=2) + b"\r"
    assert port.read(18) == line * 3


def test_cut(shoe: ShoeControl, port: serial.Serial) -> None:
    assert shoe.ask("fault", fault="cut")["cut"]
    assert port.read(6) == b"ACUT6\r"


def test_unplug_in_mid_code_and_replug_as_a_new_port(
    shoe: ShoeControl, port: serial.Serial, tmp_path: Path
) -> None:
    link = tmp_path / "shoe.link"
    half = drawn(shoe, "unplug")[:2]
    # The rest of the code never comes; what the driver finds is the hang-up.
    assert everything(port) in (half, half[:1], b"")
    assert not link.is_symlink()
    assert not shoe.ask("state")["plugged"]
    shoe.ask("fault", fault="replug")
    assert link.readlink() == Path(shoe.ask("state")["port"])
    with serial.Serial(str(link), timeout=5) as again:
        assert then_nothing_else(shoe, again)


def test_unplug_for_a_while(shoe: ShoeControl, tmp_path: Path, until: Until) -> None:
    shoe.ask("fault", fault="unplug", ms=30)
    until(lambda: shoe.ask("state")["plugged"])
    assert (tmp_path / "shoe.link").is_symlink()


def test_replug_points_the_link_to_another_port_in_one_step(
    shoe: ShoeControl, tmp_path: Path
) -> None:
    link = tmp_path / "shoe.link"
    before = link.readlink()
    shoe.ask("fault", fault="replug")
    assert link.readlink() != before


def test_every_fault_there_is_has_a_test_here() -> None:
    named = [*globals(), *vars(test_device_faults)]
    here = {name.removeprefix("test_") for name in named if name.startswith("test_")}
    assert [fault for fault in FAULTS if not any(t.startswith(fault) for t in here)] == []


def test_armed_fault_waits_for_its_card(shoe: ShoeControl, port: serial.Serial) -> None:
    shoe.ask("arm", fault="no_read", after=2)
    cards = [shoe.ask("draw") for _ in range(4)]
    assert [card["fault"] for card in cards] == ["", "", "no_read", ""]
    assert port.read(18) == b"".join(code(cards[n]) + b"\r" for n in (0, 1, 3))


def test_fault_of_the_wire_asked_for_now_strikes_the_next_draw(shoe: ShoeControl) -> None:
    shoe.ask("arm", fault="slow", after=0)
    shoe.ask("fault", fault="no_read")
    assert [shoe.ask("draw")["fault"] for _ in range(3)] == ["no_read", "slow", ""]


def test_disarm(shoe: ShoeControl) -> None:
    shoe.ask("arm", fault="no_read")
    shoe.ask("disarm")
    assert shoe.ask("draw")["fault"] == ""


def test_reader_that_still_has_an_old_card_loses_it_with_the_shoe(
    shoe: ShoeControl, port: serial.Serial
) -> None:
    drawn(shoe, "double_read", ms=60_000)
    drawn(shoe, "merged")
    shoe.ask("load")
    assert port.read(6)
    assert then_nothing_else(shoe, port)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("explode", {}, "there are aim, bad_check"),
        ("no_read", {"ms": 3}, "has no parameter 'ms'; it has none"),
        ("double_read", {"ms": "3"}, "whole number"),
        ("double_read", {"ms": -1}, "0 or more"),
        ("double_read", {"ms": True}, "whole number"),
        ("aim", {"id": 3}, "must be a text"),
    ],
)
def test_unknown_fault_or_parameter_is_named(
    name: str, params: dict[str, object], message: str
) -> None:
    with pytest.raises(FaultError, match=message):
        fault_params(name, params, FAULTS)


def test_bad_order_is_refused_and_changes_nothing(shoe: ShoeControl) -> None:
    orders: list[tuple[str, dict[str, object]]] = [
        ("fly", {}),
        ("arm", {"fault": "no_read", "after": -1}),
        ("arm", {"fault": "nothing"}),
        ("load", {"set": "aa"}),
        ("reread", {}),
    ]
    for do, params in orders:
        with pytest.raises(ControlError, match=f"refuses {do}"):
            shoe.ask(do, **params)
    state = shoe.ask("state")
    assert (state["position"], state["armed"], state["shoe"]) == (0, [], "A-7")
