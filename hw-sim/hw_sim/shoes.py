"""The shoes of one virtual device: the one that is in, and what is known of those that were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hw_sim.codes import CodeError
from hw_sim.faults import FaultError
from hw_sim.shoe import Given, Shoe, ShoeEmpty


@dataclass(frozen=True)
class ShoeMaking:
    """How shoes are made; see `hw_sim.shoe.Shoe`."""

    decks: int = 8
    cut: int | None = None


class Shoes:
    """The shoe in the device. Raises CodeError for a shoe that cannot be made."""

    def __init__(
        self, making: ShoeMaking, seed: int, letter: str, stack: tuple[str, ...] = ()
    ) -> None:
        self._making = making
        self.shoe = self._make(seed, letter, stack)
        self.is_out = False
        self._out: dict[str, dict[str, int]] = {}

    def draw(self) -> Given:
        """The next card. Raises ShoeEmpty, saying what to do."""
        self.check()
        return self.shoe.draw()

    def check(self) -> None:
        """Raises ShoeEmpty when there is nothing to draw."""
        if self.is_out:
            raise ShoeEmpty("the shoe is out: load a new one")
        if not self.shoe.left:
            raise ShoeEmpty("the shoe is empty: load a new one")

    def take_out(self) -> None:
        """From now on its cards may be looked at. One that no card has left was never in play:
        it is not to be taken for another of its name.
        """
        if self.shoe.given:
            self._out[self.shoe.name] = self.shoe.remaining()
        self.is_out = True

    def remaining(self, name: str) -> dict[str, int]:
        """What is left in a shoe that is out. Raises FaultError."""
        if name not in self._out:
            raise FaultError(f"shoe {name!r} is not out here, or no card ever left it")
        return self._out[name]

    def load(self, request: dict[str, Any]) -> None:
        """A new shoe, by `seed` (this one's + 1) and `set`; the old one is out. `lacks`: cards that
        are not in it.
        """
        lacks = request.get("lacks", [])
        if not isinstance(lacks, list) or not all(isinstance(card, str) for card in lacks):
            raise CodeError("load: lacks is a list of cards, such as ['KH3']")
        seed, letter = request.get("seed", self.shoe.seed + 1), request.get("set", self.shoe.set)
        if not isinstance(seed, int) or not isinstance(letter, str):
            raise CodeError("load: seed is a whole number, set a letter")
        fresh = self._make(seed, letter, (), tuple(lacks))
        if not self.is_out:
            self.take_out()
        self.shoe, self.is_out = fresh, False

    def again(self, face: str) -> Given:
        """The last card, or the last of that face. Raises FaultError."""
        given = self.shoe.last(face)
        if given is None:
            raise FaultError(f"no card {face} has left this shoe")
        return given

    def earlier(self, given: Given, back: int) -> Given:
        """The card given so many before that one, or that one where there is none."""
        index = given.position - 1 - back
        return given if index < 0 or not back else self.shoe.given[index]

    def _make(
        self, seed: int, letter: str, stack: tuple[str, ...], lacks: tuple[str, ...] = ()
    ) -> Shoe:
        making = self._making
        return Shoe(
            seed,
            decks=making.decks,
            set_letter=letter,
            cut=making.cut,
            stack=stack,
            lacks=lacks,
        )


def told(given: Given) -> dict[str, Any]:
    """A card that left a shoe, as it is told."""
    card = given.card
    return {
        "position": given.position,
        "face": card.face,
        "deck": card.deck,
        "code": card.code,
        "cut": card.cut,
    }
