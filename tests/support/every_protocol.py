"""The contract of every kind of device: the protocol as its settings make it, and clean cards as
the simulator's device sends them.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from drivers.conformance import NOISY, Clean, Driven, ProtocolContract
from drivers.observations import Button, NoRead
from drivers.protocols import camera_lines
from drivers.protocols.base import DeviceProtocol
from hw_sim.codes import decks
from hw_sim.models.base import Model, Piece
from hw_sim.models.registry import make_model
from tests.support.golden import protocol_of

CARDS = decks(8, "A")
STEP_MS = 20


class SimulatedContract(ProtocolContract):
    """A kind's contract over what its virtual device puts on the wire."""

    kind: ClassVar[str]
    settings: ClassVar[dict[str, object]] = {}

    @cached_property
    def _messages(self) -> list[Clean]:
        return []

    @cached_property
    def _model(self) -> Model:
        return self.new_model()

    def new_model(self) -> Model:
        """A device that the station has set up."""
        model = make_model(self.kind)
        Talk(Driven(self.protocol()), model, 0).go_on(20_000)
        return model

    def protocol(self) -> DeviceProtocol:
        return protocol_of(self.kind, self.settings)

    def clean(self, number: int) -> Clean:
        """Messages of one device, in the order in which it sent them."""
        while len(self._messages) <= number:
            self._messages.append(self._next(len(self._messages)))
        return self._messages[number]

    def _next(self, number: int) -> Clean:
        card = CARDS[number * 7 % len(CARDS)]
        pieces = self._model.card(card, 60_000 + number * 10_000)
        return Clean(self.message(pieces), card.face)

    def message(self, pieces: list[Piece]) -> bytes:
        """The bytes of one card: all that the device sends for it."""
        return b"".join(piece.data for piece in pieces)


class Talk:
    """A protocol and a device on a good line, from the device's time `began_ms` on."""

    def __init__(self, driven: Driven, model: Model, began_ms: int) -> None:
        self.driven, self.model, self.now_ms = driven, model, began_ms
        self._coming: list[tuple[int, bytes]] = []
        self._take(model.start(began_ms))

    def go_on(self, ms: int) -> None:
        """Both hear each other for so long."""
        until = self.now_ms + ms
        while self.now_ms < until:
            for message in self._heard():
                self._take(self.model.heard(message, self.now_ms))
            self.now_ms += STEP_MS
            self.driven.wait(STEP_MS)
            wake = self.model.wake_at_ms
            if wake is not None and wake <= self.now_ms:
                self._take(self.model.tick(self.now_ms))
            due = [piece for piece in self._coming if piece[0] <= self.now_ms]
            self._coming = [piece for piece in self._coming if piece[0] > self.now_ms]
            for _, data in due:
                self.driven.feed(data)

    def _heard(self) -> list[bytes]:
        sent, self.driven.sent = self.driven.sent, []
        return sent

    def _take(self, pieces: list[Piece]) -> None:
        self._coming += [(self.now_ms + piece.at_ms, piece.data) for piece in pieces]
        self._coming.sort(key=lambda piece: piece[0])

    def do(self, fault: str, params: dict[str, object]) -> None:
        """Something happens at the device."""
        self._take(self.model.do(fault, params, self.now_ms))


class TextLineContract(SimulatedContract):
    kind = "text-line"


class SsiContract(SimulatedContract):
    """A device that is not acknowledged sends again: one message is enough here."""

    kind = "zebra-ssi"

    def _next(self, number: int) -> Clean:
        self._model = self.new_model()
        return super()._next(number)


class Gm65Contract(SimulatedContract):
    kind = "gm65"


class HidPosContract(SimulatedContract):
    kind = "hid-pos"
    record = 64


class KeyboardContract(SimulatedContract):
    """Noise may press Caps Lock or the Hangul key: then every code is refused with that hint, and
    plugging the reader in again helps.
    """

    kind = "keyboard"
    record = 24

    def give(self, driven: Driven, number: int) -> None:
        before = len(driven.seen)
        super().give(driven, number)
        driven.wait(self.silence_ms)
        reasons = {one.reason for one in driven.seen[before:] if isinstance(one, NoRead)}
        if reasons & {"caps_lock", "hangul"}:
            driven.take(driven.protocol.reset(driven.now_ns))
            driven.take(driven.protocol.start(driven.now_ns))
            super().give(driven, number)


class AngelEyeContract(SimulatedContract):
    kind = "angel-eye"
    copies_ms = (50, 100)

    def message(self, pieces: list[Piece]) -> bytes:
        return pieces[0].data


class BeeTekContract(SimulatedContract):
    kind = "bee-tek"


class BoardContract(SimulatedContract):
    """A board reads no card: what has to come through is a press of its help button."""

    kind = "board"
    settings: ClassVar[dict[str, object]] = {"role": "board"}

    def clean(self, number: int) -> Clean:
        model = make_model(self.kind)
        return Clean(self.message(model.start(0)), "help")

    def give(self, driven: Driven, number: int) -> None:
        talk = Talk(driven, make_model(self.kind), 0)
        talk.go_on(8000)
        talk.do("press", {"button": "help", "count": 1})
        talk.go_on(2000)

    def faces(self, driven: Driven) -> list[str]:
        seen, driven.seen, driven.sent = driven.seen, [], []
        return [one.button for one in seen if isinstance(one, Button)]


class CameraContract(SimulatedContract):
    """The reader's process is ours: its lines, not a simulator's. It counts what passed, so that a
    number out of its turn is no card: a line given again is one of a new process.
    """

    kind = "camera"
    settings: ClassVar[dict[str, object]] = {"port": "virtual:/run/shoe.sock"}

    def clean(self, number: int) -> Clean:
        card = CARDS[number * 7 % len(CARDS)]
        line = camera_lines.Read(
            n=number + 1,
            face=card.face,
            set=card.set,
            deck=card.deck,
            text=card.code,
            checked=True,
            by=("barcode", "index"),
        )
        return Clean(camera_lines.encode(line), card.face)

    def give(self, driven: Driven, number: int) -> None:
        if number == NOISY:
            driven.take(driven.protocol.reset(driven.now_ns))
            driven.take(driven.protocol.start(driven.now_ns))
        super().give(driven, number)


CONTRACTS: dict[str, type[SimulatedContract]] = {
    contract.kind: contract
    for contract in (
        TextLineContract,
        SsiContract,
        Gm65Contract,
        HidPosContract,
        KeyboardContract,
        AngelEyeContract,
        BeeTekContract,
        BoardContract,
        CameraContract,
    )
}
