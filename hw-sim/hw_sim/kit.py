"""Tests for a reader of your own, as classes to subclass in a pytest file:

    from hw_sim.kit import FaultContract, ReadContract

    class TestShoe(ReadContract):
        kind = "zebra-ssi"

    class TestShoeFaults(FaultContract):
        kind = "zebra-ssi"

With nothing said they run against a virtual reader of that kind. With `--station-device
shoe=/dev/serial/by-id/...` the real one is read, a person is told which cards to draw, and what
only a simulator can do is skipped and says so. Results go to JUnit by pytest's own `--junitxml`.
"""

from __future__ import annotations

import time
from typing import Any, ClassVar

import pytest

from hw_sim.models.registry import faults_of, kind_of, make_model
from hw_sim.readers import HardwareReader, Reader, VirtualReader

# These put another card's own code before the reader: what it reads is right, and for the table to
# judge.
OTHER_CARDS = frozenset(
    {"earlier_code", "foreign_code", "two_codes", "conflict", "with_error", "overdraw"}
)
PLUGS = {
    "unplug": "Pull the reader's plug now.",
    "replug": "Pull the reader's plug now, and wait.",
}
LOST_S = 20.0
UP_S = 30.0
QUIET_S = 2.0


class _Contract:
    """`device`: the name it has at the table, `shoe` or `scanner`. `entry`: further keys of its
    entry in the table's file. `options`: of the virtual device.
    """

    device: ClassVar[str] = "shoe"
    kind: ClassVar[str] = "text-line"
    entry: ClassVar[dict[str, Any]] = {}
    options: ClassVar[dict[str, str]] = {}

    @pytest.fixture
    def reader(self, request: pytest.FixtureRequest) -> Any:
        """The reader under test."""
        return request.getfixturevalue(self.device)


class ReadContract(_Contract):
    """Cards that are drawn are read: each, once, in their order, and nothing else.

    `cards`: how many are drawn in the long test. `presents_again`: a card can be shown again; not
    to a shoe that draws it through itself. `has_cut_card`: it tells the cut card.
    """

    cards: ClassVar[int] = 13
    presents_again: ClassVar[bool] = True
    has_cut_card: ClassVar[bool] = True

    def test_each_card_is_read_once_and_in_order(
        self, reader: Reader, record_property: Any
    ) -> None:
        """What was read is also in the JUnit report."""
        drawn = reader.draw(self.cards)
        read = reader.read(self.cards)
        record_property("drawn", " ".join(drawn))
        record_property("read", " ".join(read))
        assert read == drawn, f"drawn: {' '.join(drawn)}; read: {' '.join(read) or 'nothing'}"
        assert reader.watch.no_reads == []

    def test_nothing_is_read_when_nothing_is_drawn(self, reader: Reader) -> None:
        """Two seconds of silence."""
        time.sleep(QUIET_S)
        assert reader.watch.cards == []
        assert reader.watch.no_reads == []
        assert reader.watch.troubles == []

    def test_a_card_presented_again_is_no_other_card(self, reader: Reader) -> None:
        """It may be told again, but as what it is."""
        if not self.presents_again or kind_of(self.kind).name in ("angel-eye", "bee-tek"):
            pytest.skip("a card goes through this shoe once")
        drawn = reader.draw()
        assert reader.read(1) == drawn
        before = len(reader.watch.observed("card"))
        reader.again()
        reader.watch.wait(lambda: len(reader.watch.observed("card")) > before, reader.wanted.card_s)
        told = reader.watch.observed("card")[before:]
        assert [read["face"] for read in told] == drawn

    def test_the_cut_card_is_no_card(self, reader: Reader) -> None:
        """It is told as the cut card, and the next card as itself."""
        if not self.has_cut_card:
            pytest.skip("this reader does not tell the cut card")
        reader.cut_card()
        assert reader.read(1) == ["cut"]
        drawn = reader.draw()
        assert reader.read(1) == drawn


class FaultContract(_Contract):
    """One test for each fault by name: nothing is read that was not drawn, and after the fault
    cards are read as before.
    """

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One for each fault this kind of device can suffer."""
        if "fault" in metafunc.fixturenames:
            metafunc.parametrize("fault", faults_of(kind_of(self.kind), make_model(self.kind)))

    def test_fault(self, reader: Any, fault: str) -> None:
        """See the class."""
        if isinstance(reader, HardwareReader):
            self._by_hand(reader, fault)
        else:
            self._simulated(reader, fault)

    def _simulated(self, reader: VirtualReader, fault: str) -> None:
        drawn = reader.draw(2)
        assert reader.read(2) == drawn, "it does not read even without a fault"
        reader.fault(fault)
        if reader.faults[fault].when == "draw":
            reader.draw()
        time.sleep(QUIET_S / 4)
        reader.recover()
        _reads_again(reader)
        if fault not in OTHER_CARDS:
            given = (*reader.given, "cut")
            strange = [face for face in reader.watch.cards if face not in given]
            assert strange == [], f"read, but never drawn: {' '.join(strange)}"

    def _by_hand(self, reader: HardwareReader, fault: str) -> None:
        if fault not in PLUGS:
            doc = faults_of(kind_of(self.kind), make_model(self.kind))[fault].doc
            pytest.skip(f"only a virtual device can be made to suffer it: {doc}")
        drawn = reader.draw()
        assert reader.read(1) == drawn
        assert reader.until("lost", PLUGS[fault], LOST_S), (
            f"the reader is still {reader.watch.health} {LOST_S:.0f} s after its plug was to be "
            "pulled"
        )
        assert reader.until("up", "Plug it in again.", UP_S), (
            f"the reader is {reader.watch.health} {UP_S:.0f} s after it was to be plugged in"
        )
        drawn = reader.draw(2)
        assert reader.read(2) == drawn


def _reads_again(reader: VirtualReader) -> None:
    """Cards until one is read, and two more that must be. A device may say of the first after a
    fault that it could not read it: that is right.
    """
    drawn: list[str] = []
    for _ in range(4):
        drawn += reader.draw()
        if reader.reads(drawn[-1], 2.0):
            break
    else:
        pytest.fail(f"none of {' '.join(drawn)} was read after the fault")
    reader.forget()
    last = reader.draw(2)
    read = reader.read_within(2, 4.0)
    assert read == last, f"drawn after the fault: {' '.join(last)}; read: {' '.join(read)}"
