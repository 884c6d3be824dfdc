"""An Angel Eye behind a serial server: the virtual shoe, real sockets, the driver's own thread."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator

import pytest

from drivers.catalog import make_device, spec_of
from drivers.device import Device
from drivers.observations import AnyObservation, CardRead, HealthChanged, Note, Trouble
from drivers.protocols.base import Wanted
from hw_sim.codes import VirtualCard
from hw_sim.models.angeleye import AngelEye
from hw_sim.models.base import Piece
from tests.support.tcp import VirtualServer

WAIT_S = 5.0
EIGHT, KING = VirtualCard("8S", 1, "A"), VirtualCard("KH", 1, "A")


class Table:
    """A serial server with a shoe behind it, and a device that reads it."""

    def __init__(self, server: VirtualServer, **settings: object) -> None:
        self.server = server
        self.shoe = AngelEye()
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        spec = {"name": "shoe", "kind": "angel-eye", "port": server.port, **settings}
        self.device: Device = make_device(spec_of(spec), self.inbox.put)
        self.device.start()
        assert self.health() == "up"
        server.accept()

    def play(self, pieces: list[Piece]) -> None:
        """The shoe's pieces at their times."""
        began = time.monotonic()
        for piece in sorted(pieces, key=lambda one: one.at_ms):
            time.sleep(max(0.0, began + piece.at_ms / 1000 - time.monotonic()))
            self.server.send(piece.data)

    def next(self) -> AnyObservation:
        """The next thing it says."""
        return self.inbox.get(timeout=WAIT_S)

    def health(self) -> str:
        """The next thing it says is a change of health."""
        told = self.next()
        assert isinstance(told, HealthChanged), told
        return told.health

    def says(self, *names: str) -> None:
        """What it says next, in order: faces, and the codes of notes and troubles."""
        told = [self.next() for _ in names]
        words = []
        for one in told:
            assert isinstance(one, CardRead | Note | Trouble), one
            words.append(one.face if isinstance(one, CardRead) else one.code)
        assert words == list(names)


@pytest.fixture
def server() -> Iterator[VirtualServer]:
    with VirtualServer() as server:
        yield server


@pytest.fixture
def table(server: VirtualServer) -> Iterator[Table]:
    # Long enough for a busy machine to connect again.
    table = Table(server, commands=True, copies_ms=2000)
    yield table
    table.device.stop()


def test_cards_come_once_each(table: Table) -> None:
    table.play(table.shoe.start(0))
    for card in (EIGHT, EIGHT, KING):
        table.play(table.shoe.card(card, 0))
    table.says("start", "stand_by", "8S", "8S", "KH")
    assert table.inbox.empty()


def test_copies_on_both_sides_of_a_lost_connection_are_one_card(table: Table) -> None:
    first, second, third = table.shoe.card(EIGHT, 0)
    table.server.send(first.data)
    table.says("8S")
    table.server.reset()
    assert table.health() == "lost"
    assert table.health() == "up"
    table.server.accept()
    table.server.send(second.data + third.data)
    table.play(table.shoe.card(KING, 0))
    table.says("KH")


def test_a_card_drawn_while_the_connection_was_lost_is_missed_by_its_number(table: Table) -> None:
    table.play(table.shoe.card(EIGHT, 0))
    table.says("8S")
    table.server.reset()
    assert table.health() == "lost"
    table.shoe.card(KING, 0)
    assert table.health() == "up"
    table.server.accept()
    table.play(table.shoe.card(EIGHT, 0))
    table.says("missed_reports", "8S")


def test_the_shoe_is_locked_and_told_again_after_a_lost_connection(table: Table) -> None:
    assert table.device.capabilities == {"brake"}
    table.device.want(Wanted(shoe_locked=True))
    locks = table.server.take(10)
    table.play(table.shoe.heard(locks, 0))
    assert table.shoe.state()["locked"] is True
    table.says("lock")
    table.server.reset()
    assert table.health() == "lost"
    assert table.health() == "up"
    table.server.accept()
    assert table.server.take(10) == locks
