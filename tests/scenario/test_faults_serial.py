"""What goes wrong on a reader's line (A-01 to A-11, B-01, B-06), through a pty to the felt."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from station import messages as m
from station import snapshot as v
from station.table import facts as f
from tests.support.daemon import Ended, Station, code, cut_card
from tests.support.floor import Floor

CPU_SHARE = 0.25


def cpu_seconds(pid: int) -> float:
    """Processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def outcomes(floor: Floor) -> list[str]:
    """What became of each reading, as facts."""
    kinds = ("CardDealt", "ReadRepeated", "ReadSetAside", "ReadFailed", "LastCardReread")
    return [kind for kind in floor.station.kinds() if kind in kinds]


def lost(floor: Floor) -> v.HoldView:
    """The reader is lost: console, journal and host all say so."""
    hold = floor.held("reader_lost")
    assert floor.console.now.devices[0].health != "up"
    assert "TableHeld" in floor.station.kinds()
    floor.host.wait(
        lambda: any(fact.body.get("code") == "reader_lost" for fact in floor.host.facts),
        "the host told of the lost reader",
    )
    return hold


def back(floor: Floor) -> None:
    """Plugged in again, and up by itself."""
    floor.station.serial.plug()
    floor.console.wait_for(lambda s: s.devices[0].health == "up", "the reader up again")


# --- A-01 -----------------------------------------------------------------------------------


def test_a_01_unplugged_while_idle_holds_and_counts_a_card_only_after_the_ruling(
    floor: Floor,
) -> None:
    floor.ready(1)
    floor.station.serial.unplug()
    hold = lost(floor)
    back(floor)
    assert floor.card("KH").outcome == "set_aside"
    assert floor.dealt() == []
    floor.rule(hold, "release")
    last = floor.card("KH", 1)
    assert (last.outcome, last.face) == ("dealt", "KH")
    assert floor.dealt() == ["KH"]
    assert "Traceback" not in floor.station.errors()


def test_a_01_a_lost_reader_costs_no_processor(floor: Floor) -> None:
    floor.station.serial.unplug()
    lost(floor)
    before, beats = cpu_seconds(floor.station.pid), len(floor.console.of(m.Heartbeat))
    floor.console.wait(lambda: len(floor.console.of(m.Heartbeat)) >= beats + 2, "two heartbeats")
    assert cpu_seconds(floor.station.pid) - before < 2 * CPU_SHARE


def test_a_01_half_a_line_is_never_joined_to_what_comes_after_the_unplug(floor: Floor) -> None:
    floor.ready(1)
    text = code("AS")
    floor.station.serial.send(text[:3])
    floor.station.serial.unplug()
    hold = lost(floor)
    back(floor)
    floor.rule(hold, "release")
    assert floor.read(text[3:] + b"\r").outcome == "no_read"
    assert floor.dealt() == []
    floor.deal("AS")
    assert floor.dealt() == ["AS"]


def test_a_01_unplugged_while_the_station_writes(make_station: Callable[..., Station]) -> None:
    beeps = 'good_beep = "16 07 0D"\nbad_beep = "16 15 0D"'
    floor = Floor(make_station(device=beeps).start()).ready(1)
    floor.station.serial.send(b"no card\r" * 2)
    floor.station.serial.unplug()
    hold = lost(floor)
    back(floor)
    floor.rule(hold, "release")
    floor.deal("KH 9S")
    assert floor.station.serial.take(5.0).endswith(bytes.fromhex("16 07 0D"))
    assert "Traceback" not in floor.station.errors()


def test_a_01_with_cards_out_the_last_card_must_read_again_before_play_goes_on(
    floor: Floor,
) -> None:
    floor.ready(1).deal("KH 9S")
    floor.station.serial.unplug()
    hold = lost(floor)
    back(floor)
    refused = floor.pit.refused(m.Rule(hold.hold, "aligned"))
    assert refused == "last_card_not_reread"
    assert floor.pit.refused(m.Rule(hold.hold, "release")) == "cards_are_out"
    assert floor.card("9S", 1).outcome == "reread"
    floor.rule(hold, "aligned")
    floor.deal("8D")
    assert floor.dealt() == ["KH", "9S", "8D"]


def test_a_01_a_card_drawn_meanwhile_with_cards_out_can_only_be_void(floor: Floor) -> None:
    floor.ready(1).deal("KH 9S")
    floor.station.serial.unplug()
    hold = lost(floor)
    back(floor)
    assert floor.card("8D").outcome == "set_aside"
    assert floor.card("9S", 1).outcome == "reread"
    assert floor.pit.refused(m.Rule(hold.hold, "aligned")) == "drawn_during_hold"
    floor.rule(hold, "void")
    assert floor.paid() == {(1, 1): [("void", 1000)]}
    assert floor.console.now.shoe.state == "out"


# --- what is no card ------------------------------------------------------


def test_a_03_a_pause_in_the_line_or_a_byte_at_a_time_is_one_card(floor: Floor) -> None:
    floor.ready(1)
    before, beats = floor.reads, len(floor.console.of(m.Heartbeat))
    floor.station.serial.send(code("AS")[:3])
    floor.console.wait(lambda: len(floor.console.of(m.Heartbeat)) > beats, "a second or less")
    floor.station.serial.send(code("AS")[3:] + b"\r")
    assert floor.seen(before).outcome == "dealt"
    before = floor.reads
    for byte in code("9D") + b"\r":
        floor.station.serial.send(bytes([byte]))
    assert floor.seen(before).face == "9D"
    assert floor.dealt() == ["AS", "9D"]
    assert outcomes(floor) == ["CardDealt"] * 2


def test_a_03_a_fragment_is_dropped_with_a_word_and_the_next_line_is_clean(
    make_station: Callable[..., Station],
) -> None:
    floor = Floor(make_station(device="idle_ms = 100").start()).ready(1)
    last = floor.read(code("AS")[:3])
    assert (last.outcome, last.text.en != "") == ("no_read", True)
    assert floor.console.now.prompt.action == "first"
    floor.deal("KH")
    assert floor.dealt() == ["KH"]
    assert outcomes(floor) == ["ReadFailed", "CardDealt"]


@pytest.mark.parametrize("dirt", [bytes.fromhex("AA65D1B9F1") + code("AS"), code("AS")[-2:]])
def test_a_06_a_dirty_first_line_is_no_card_and_asks_for_a_rescan(
    floor: Floor, dirt: bytes
) -> None:
    floor.ready(1)
    assert floor.read(dirt + b"\r").outcome == "no_read"
    assert floor.console.now.prompt.action == "first"
    floor.deal("KH")
    assert floor.dealt() == ["KH"]


def test_a_11_a_wrong_baud_rate_is_named_and_the_next_card_is_taken(floor: Floor) -> None:
    floor.ready(1)
    noise = bytes.fromhex("7E66FA9E0D E080FF0D 00FFFE0D")
    floor.station.serial.send(noise * 20)
    now = floor.console.wait_for(lambda s: s.devices[0].health == "garbled", "the baud named")
    assert now.holds == []
    assert "baud" in now.devices[0].text.en.lower()
    floor.station.serial.send(code("QC", 3) + b"\r")
    floor.console.wait_for(lambda s: s.last_read is not None and s.last_read.face == "QC")
    assert floor.dealt() == ["QC"]
    floor.console.wait_for(lambda s: s.devices[0].health == "up")
    assert "Traceback" not in floor.station.errors()


# --- A-08 -----------------------------------------------------------------------------------


def test_a_08_a_second_station_on_the_port_is_refused_and_the_first_is_unharmed(
    floor: Floor, make_station: Callable[..., Station]
) -> None:
    floor.ready(1)
    second = make_station("second")
    second.serial.unplug()
    (second.folder / "shoe").symlink_to(floor.station.serial.link.resolve())
    with pytest.raises(Ended) as told:
        second.start()
    assert second.gone() != 0
    assert "'shoe'" in str(told.value)
    assert "another program" in str(told.value)
    assert "Traceback" not in str(told.value)
    before = floor.reads
    floor.station.serial.send((code("KH") + b"\r") * 50)
    floor.console.wait_for(lambda s: s.last_read is not None and s.last_read.number == before + 50)
    assert floor.dealt() == ["KH"]
    assert outcomes(floor) == ["CardDealt", *["ReadRepeated"] * 49]


def steal(floor: Floor, data: bytes, count: int) -> None:
    """Bytes are sent; another program that reads the port is quicker to the first `count`."""
    station, slave = floor.station, floor.station.serial._slave
    os.kill(station.pid, signal.SIGSTOP)
    os.waitpid(station.pid, os.WUNTRACED)
    station.serial.send(data)
    stolen = b""
    while len(stolen) < count:
        stolen += os.read(slave, count - len(stolen))
    os.kill(station.pid, signal.SIGCONT)
    assert stolen == data[:count]


def test_a_08_stolen_bytes_never_make_a_card(floor: Floor) -> None:
    """Another program reads the port too; lines come damaged, and only whole ones count."""
    floor.ready(1, 2, 3, 4, 5, 6, 7)
    whole = []
    for deck, count in enumerate((1, 3, 5, 6, 8, 10, 16, 18), start=1):
        lines = [code(face, deck) for face in ("KH", "9S", "4D")]
        steal(floor, b"".join(line + b"\r" for line in lines), count)
        whole += [line for number, line in enumerate(lines) if 6 * number >= count]
        marker = code("AC", deck)
        before = floor.reads
        floor.station.serial.send(marker + b"\r")
        floor.console.wait_for(
            lambda s, n=before: (
                s.last_read is not None  # type: ignore[misc]
                and s.last_read.number > n
                and s.last_read.face == "AC"
            )
        )
        whole.append(marker)
    facts = [row.fact for row in floor.station.journal()]
    read = [x.text.encode() for x in facts if isinstance(x, f.Observed) and x.saw == "card"]
    assert read == whole
    assert sum(isinstance(x, f.ReadFailed) for x in facts) == 5
    # Whatever was dealt is what was read, in its order.
    assert floor.dealt() == [text.decode()[1:3] for text in whole[: len(floor.dealt())]]


# --- B-01, B-06 -----------------------------------------------------------------------------


def test_b_01_one_trigger_pull_is_one_card_however_often_it_is_sent(floor: Floor) -> None:
    floor.ready(1)
    floor.deal("AS")
    last = floor.card("AS", 1)
    assert (last.outcome, last.face) == ("repeat", "AS")
    assert floor.console.now.prompt.action == "upcard"
    before = floor.reads
    floor.station.serial.send((code("AS") + b"\r\r") * 20)
    floor.console.wait_for(lambda s: s.last_read is not None and s.last_read.number == before + 20)
    assert outcomes(floor) == ["CardDealt", *["ReadRepeated"] * 21]
    assert floor.console.now.holds == []


def test_b_06_every_suffix_is_one_card_and_no_empty_one(floor: Floor) -> None:
    floor.ready(1, 2)
    for face, end in (
        ("AS", b"\r"),
        ("KH", b"\n"),
        ("2C", b"\r\n"),
        ("9S", b"\r\r"),
        ("TD", b"\t"),
    ):
        last = floor.read(code(face) + end)
        assert (last.outcome, last.face) == ("dealt", face)
    assert outcomes(floor) == ["CardDealt"] * 5


def test_b_06_without_a_suffix_it_is_no_card_and_is_not_glued_to_the_next(
    make_station: Callable[..., Station],
) -> None:
    floor = Floor(make_station(device="idle_ms = 100").start()).ready(1)
    assert floor.read(code("5D")).outcome == "no_read"
    floor.deal("AS")
    floor.station.serial.send(code("6D") + code("7D") + b"\r")
    floor.console.wait_for(lambda s: s.last_read is not None and s.last_read.outcome == "no_read")
    assert floor.dealt() == ["AS"]


def test_b_06_a_reader_set_to_no_suffix_deals_after_the_gap(
    make_station: Callable[..., Station],
) -> None:
    floor = Floor(make_station(device='suffix = "none"\ngap_ms = 30').start()).ready(1)
    for face in ("5D", "KH"):
        assert floor.read(code(face)).face == face
    assert floor.dealt() == ["5D", "KH"]


def test_a_code_of_the_cut_card_with_a_wrong_check_is_no_cut_card(floor: Floor) -> None:
    floor.ready(1)
    wrong = cut_card()[:-1] + (b"0" if cut_card()[-1:] != b"0" else b"1")
    assert floor.read(wrong + b"\r").outcome == "no_read"
    assert "CutCardOut" not in floor.station.kinds()


def test_the_raw_bytes_of_every_reading_are_in_the_journal(floor: Floor) -> None:
    floor.ready(1).deal("KH")
    floor.read(b"\xff\xfe\r")
    raw = [r.fact.raw for r in floor.station.journal() if isinstance(r.fact, f.Observed)]
    assert raw == [(code("KH") + b"\r").hex(), "fffe0d"]
