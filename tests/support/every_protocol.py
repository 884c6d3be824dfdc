"""The contract of every kind of device: the protocol as its settings make it, and clean cards as
the simulator's device sends them.
"""

from __future__ import annotations

from typing import ClassVar

from drivers.conformance import Clean, ProtocolContract
from drivers.protocols.base import DeviceProtocol
from hw_sim.codes import VirtualCard, decks
from hw_sim.models.base import Model
from hw_sim.models.registry import make_model
from tests.support.golden import protocol_of

CARDS = decks(8, "A")


class SimulatedContract(ProtocolContract):
    """A kind's contract over what its virtual device puts on the wire."""

    kind: ClassVar[str]
    settings: ClassVar[dict[str, object]] = {}

    def protocol(self) -> DeviceProtocol:
        return protocol_of(self.kind, self.settings)

    def clean(self, number: int) -> Clean:
        card = CARDS[number * 7 % len(CARDS)]
        return Clean(self.message(card, number), card.face)

    def message(self, card: VirtualCard, number: int) -> bytes:
        """The first message of that card; a device of its own for each."""
        model = make_model(self.kind)
        self.ready(model)
        return model.card(card, 10_000)[0].data

    def ready(self, model: Model) -> None:
        """What the station does before the device reads anything."""
        model.start(0)


class TextLineContract(SimulatedContract):
    kind = "text-line"


CONTRACTS: dict[str, type[ProtocolContract]] = {
    contract.kind: contract for contract in (TextLineContract,)
}
