"""Every reader over every wire, from the virtual shoe to the fact: the right card once, or a hold
or no-read that says why. Never two, never another card where the code carries a check.

The oracle (`tests.support.oracle`) knows which card lies where; more seeds: `python -m
tests.bench.wires`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from drivers.observations import AnyObservation, CardRead
from drivers.protocols.base import DeviceProtocol, Out
from hw_sim.codes import VirtualCard
from station.game import facts as g
from station.table import facts as f
from tests.support.dealing import Dealing
from tests.support.oracle import Report
from tests.support.scenarios import (
    LIES,
    READERS,
    SCENARIOS,
    WIRES,
    Reader,
    dealing,
    faults,
    play,
    with_fault,
)

SEED = 7
BY_NAME = {reader.name: reader for reader in READERS}
MAIN = [reader for reader in READERS if not reader.many]
# These bring every byte; what is wrong with them is when and in which pieces.
WHOLE = ("perfect", "byte at a time", "merged", "delayed")
# Nothing is wrong with the cards or the plug in these.
GOOD = ("clean", "equal faces", "cut card")
# A scanner that answers nothing any more, for good: the table says so, and holds again and again.
FOR_GOOD = {"mute": ("reader_lost silent", "held lately up")}
FAULTS = [(reader, fault, params) for reader in MAIN for fault, params in faults(reader)]


def sound(report: Report, stuck: tuple[str, ...] = ()) -> Report:
    """Nothing that may never happen has happened, and the table went on."""
    assert report.wrong == []
    assert report.stuck in ("", *stuck)
    return report


# --- every wire -----------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("reader", MAIN, ids=lambda reader: reader.name)
def test_right_once_or_told(reader: Reader, wire: str) -> None:
    for name, make in SCENARIOS.items():
        cards = 62 if name == "clean" else 40
        report = sound(play(make(reader, wire, SEED), cards))
        assert report.drawn >= cards
        if wire in WHOLE and name in GOOD:
            assert (report.accepted, report.vanished) == (report.drawn, 0), name
            assert set(report.held) <= {"same_or_second"}, name
        if reader.name == "angel-eye" or wire in WHOLE:
            assert report.misread == [], name


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_every_way_a_reader_is_set_up_reads_a_shoe_to_its_cut_card(reader: Reader) -> None:
    number = READERS.index(reader)
    wire = WHOLE[number % len(WHOLE)]
    report = sound(play(dealing(reader, wire, SEED + number, cut=200), 196))
    assert (report.accepted, report.vanished, report.misread) == (report.drawn, 0, [])


@pytest.mark.parametrize("wire", ["lossy", "cut"])
@pytest.mark.parametrize("reader", [r for r in READERS if r.many], ids=lambda reader: reader.name)
def test_every_suffix_on_a_bad_wire(reader: Reader, wire: str) -> None:
    sound(play(SCENARIOS["unplugged"](reader, wire, SEED), 40))


# --- every fault ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reader", "fault", "params"),
    FAULTS,
    ids=[f"{reader.name}-{fault}-{number}" for number, (reader, fault, _) in enumerate(FAULTS)],
)
def test_every_fault_by_name(reader: Reader, fault: str, params: dict[str, object]) -> None:
    """On a good wire, and on another one that goes round."""
    number = FAULTS.index((reader, fault, params))
    for wire in {"perfect", tuple(WIRES)[number % len(WIRES)]}:
        table = with_fault(reader, wire, SEED, fault, params)
        sound(play(table, 20), FOR_GOOD.get(fault, ()))
        if fault in LIES:
            held = [one for one in table.oracle.told if isinstance(one, f.TableHeld)]
            assert any("conflicting_reports" in one.params.values() for one in held)


# --- a card that vanished -------------------------------------------------------------------


class Careless(Dealing):
    """A dealer who does not miss the beep and draws on."""

    def _present(self) -> None:
        for one in self.oracle.pending:
            one.given_up = True


@pytest.mark.parametrize("name", ["text-line cr", "hid-pos", "keyboard", "gm65", "bee-tek"])
def test_a_card_that_left_no_trace_is_named_by_the_count_of_the_shoe(name: str) -> None:
    reader = BY_NAME[name]
    table = Careless(
        reader.kind, settings=reader.settings, options=reader.options, seed=SEED, cut=40
    )
    table.arm(17, "no_read")
    report = table.deal(60)
    lost = [one for one in table.oracle.drawn if not one.accepted]
    assert len(lost) == 1
    assert report.wrong == [f"{lost[0].card.code} is lost and nothing was said"]
    (count,) = table.play.of(g.ShoeReconciled)
    assert isinstance(count, g.ShoeReconciled)
    assert (count.missing, count.surplus) == ({lost[0].card.face: 1}, {})
    (marked,) = table.play.of(g.RoundsMarked)
    assert isinstance(marked, g.RoundsMarked)
    assert marked.why == "short_shoe"


def test_a_careless_dealer_cannot_lose_the_card_of_a_shoe_that_numbers_its_draws() -> None:
    table = Careless("angel-eye", seed=SEED, cut=40)
    table.arm(17, "lost_copies")
    report = table.deal(60)
    assert report.wrong == []
    # The next report shows it, and what came with that lies there too.
    assert report.lost == {"device_fault": 2}


# --- the oracle sees what is wrong ----------------------------------------------------------


class Sabotaged:
    """A protocol that does something to what it tells."""

    def __init__(
        self,
        protocol: DeviceProtocol,
        spoil: Callable[[AnyObservation], tuple[AnyObservation, ...]],
    ) -> None:
        self._protocol, self._spoil = protocol, spoil

    def __getattr__(self, name: str) -> Any:
        return getattr(self._protocol, name)

    def _out(self, out: Out) -> Out:
        told = tuple(one for seen in out.observations for one in self._spoil(seen))
        return replace(out, observations=told)

    def feed(self, data: bytes, now_ns: int) -> Out:
        return self._out(self._protocol.feed(data, now_ns))

    def tick(self, now_ns: int) -> Out:
        return self._out(self._protocol.tick(now_ns))


def other_card(seen: AnyObservation) -> tuple[AnyObservation, ...]:
    return (replace(seen, face="AS"),) if isinstance(seen, CardRead) else (seen,)


def other_deck(seen: AnyObservation) -> tuple[AnyObservation, ...]:
    if not isinstance(seen, CardRead):
        return (seen,)
    return (seen, replace(seen, deck=seen.deck % 8 + 1))


def no_deck_twice(seen: AnyObservation) -> tuple[AnyObservation, ...]:
    if not isinstance(seen, CardRead):
        return (seen,)
    once = replace(seen, deck=0, set="", numbered=True)
    return (once, once)


@pytest.mark.parametrize("spoil", [other_card, other_deck, no_deck_twice])
def test_a_protocol_that_tells_another_card_or_one_twice_is_found(
    spoil: Callable[[AnyObservation], tuple[AnyObservation, ...]],
) -> None:
    table = Dealing("text-line", seed=SEED)
    table.link.protocol = Sabotaged(table.link.protocol, spoil)
    report = table.deal(60)
    assert "was taken for a card" in report.wrong[0]


def test_a_driver_that_swallows_cards_leaves_the_prompt_where_it_is() -> None:
    table = Dealing("text-line", seed=SEED)
    swallow = {7, 20}

    def spoil(seen: AnyObservation) -> tuple[AnyObservation, ...]:
        lost = isinstance(seen, CardRead) and table.oracle.report.drawn in swallow
        if lost:
            swallow.discard(table.oracle.report.drawn)
        return () if lost else (seen,)

    table.link.protocol = Sabotaged(table.link.protocol, spoil)
    report = sound(table.deal(60))
    assert (report.vanished, report.again, report.accepted) == (2, 2, report.drawn)


def test_the_same_seed_is_the_same_run_to_the_last_byte() -> None:
    runs = [SCENARIOS["noise"](BY_NAME["zebra-ssi"], "lossy", 3) for _ in range(2)]
    assert play(runs[0]) == play(runs[1])
    assert runs[0].link.heard == runs[1].link.heard
    assert runs[0].play.facts == runs[1].play.facts


def test_cards_without_a_deck_number_come_to_their_slots() -> None:
    """What is printed is what is read: a face alone."""
    table = dealing(BY_NAME["text-line face"], "perfect", SEED)
    play(table)
    first = table.oracle.drawn[0].card
    assert table.link.heard[0][1] == f"{first.face}\r".encode()
    assert isinstance(first, VirtualCard)
