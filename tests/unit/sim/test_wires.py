"""Each wire by itself, without a port and without a clock."""

from __future__ import annotations

import pytest

from hw_sim.wires import WIRES, Wire, WireError, wires

PIECES = [b"AKH35\r", b"AAS1C\r", b"A2C7L\r", b"A9S1X\r"]


def through(wire: Wire, pieces: list[bytes], step_ms: int = 100) -> list[tuple[int, bytes]]:
    """What comes out and when, each piece put in `step_ms` after the one before."""
    came = []
    for now in range(0, len(pieces) * step_ms + 1000, 10):
        if wire.wake_at_ms is not None and wire.wake_at_ms <= now:
            came += [(now + piece.at_ms, piece.data) for piece in wire.tick(now).pieces]
        if now % step_ms == 0 and now // step_ms < len(pieces):
            passed = wire.put(pieces[now // step_ms], now)
            came += [(now + piece.at_ms, piece.data) for piece in passed.pieces]
    return came


def test_perfect_is_the_default_in_nothing() -> None:
    assert through(wires("perfect")[0], PIECES) == [(i * 100, p) for i, p in enumerate(PIECES)]


def test_byte_at_a_time_never_overtakes() -> None:
    came = through(wires("byte_at_a_time:ms=30")[0], PIECES[:2])
    assert b"".join(data for _, data in came) == b"".join(PIECES[:2])
    assert {len(data) for _, data in came} == {1}
    assert [at for at, _ in came][:7] == [0, 30, 60, 90, 120, 150, 150]
    assert [at for at, _ in came] == sorted(at for at, _ in came)


def test_merged_waits_for_its_pieces_or_its_time() -> None:
    assert through(wires("merged:pieces=3,ms=500")[0], PIECES) == [
        (200, b"".join(PIECES[:3])),
        (800, PIECES[3]),
    ]


def test_merged_records_stay_records() -> None:
    came = through(wires("merged:pieces=2,ms=500", 6)[0], PIECES)
    assert came == [(100, PIECES[0]), (100, PIECES[1]), (300, PIECES[2]), (300, PIECES[3])]


def test_delayed_keeps_the_order_and_goes_by_the_seed() -> None:
    runs = [through(wires(f"delayed:ms=300,seed={seed}")[0], PIECES) for seed in (1, 1, 2)]
    assert [data for _, data in runs[0]] == PIECES
    assert [at for at, _ in runs[0]] == sorted(at for at, _ in runs[0])
    assert runs[0] == runs[1] != runs[2]


def test_lossy_tells_each_byte_it_hurts() -> None:
    wire = wires("lossy:rate=0.02,seed=7")[0]
    data = bytes(range(256)) * 40
    passed = wire.put(data, 0)
    rebuilt = bytearray()
    hurt = {one.at: one for one in passed.hurt}
    for at, byte in enumerate(data):
        if at not in hurt:
            rebuilt.append(byte)
        elif (became := hurt[at].became) is not None:
            assert bin(became[0] ^ byte).count("1") == 1
            rebuilt += became
    assert bytes(rebuilt) == passed.pieces[0].data
    lost = sum(one.became is None for one in passed.hurt)
    assert 120 < lost < 300
    assert 120 < len(passed.hurt) - lost < 300


def test_the_two_ways_of_a_line_have_chances_of_their_own() -> None:
    out, back = wires("lossy:rate=0.3,seed=1")
    data = bytes(200)
    assert out.put(data, 0).hurt != back.put(data, 0).hurt


def test_a_record_is_lost_whole_or_not_at_all() -> None:
    out, _ = wires("lossy:rate=0.5,seed=1", 64)
    records = [bytes([number] * 64) for number in range(50)]
    passed = out.put(b"".join(records), 0)
    lost = {one.at: one.was for one in passed.hurt}
    assert lost == {at * 64: records[at] for at in range(50) if at * 64 in lost}
    assert 10 < len(lost) < 40
    left = [record for at, record in enumerate(records) if at * 64 not in lost]
    assert passed.pieces[0].data == b"".join(left)


def test_a_cut_is_in_the_middle_and_says_how_long() -> None:
    out, _ = wires("cut:rate=1,ms=250,seed=4")
    passed = out.put(b"AKH35\r", 0)
    whole = b"".join(piece.data for piece in passed.pieces) + passed.hurt[0].was
    assert (whole, passed.cut_ms) == (b"AKH35\r", 250)


def test_a_piece_that_waits_is_told_when_the_plug_is_pulled() -> None:
    out, _ = wires("merged")
    out.put(b"A", 0)
    assert out.waiting() == [b"A"]
    out.reset()
    assert (out.waiting(), out.wake_at_ms) == ([], None)


@pytest.mark.parametrize("name", WIRES)
def test_every_wire_can_be_had_with_nothing_said(name: str) -> None:
    for records in (0, 64):
        out, back = wires(name, records)
        assert out is not back
        assert out.waiting() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rope", "there are perfect, byte_at_a_time"),
        ("lossy:rate=x", "0 to 1"),
        ("lossy:seed=1.5", "a whole number"),
        ("merged:pieces=0", "a whole number"),
        ("perfect:ms=1", "has no setting 'ms'; it has none"),
    ],
)
def test_a_bad_wire_is_named(text: str, message: str) -> None:
    with pytest.raises(WireError, match=message):
        wires(text)
