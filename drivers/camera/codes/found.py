"""A symbol as one decoder gave it, before anything is made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from drivers.camera.sight import Decoder, Points, Symbology

SYMBOLOGIES: tuple[Symbology, ...] = ("code128", "qr", "datamatrix")


@dataclass(frozen=True)
class Found:
    """`raw` are the symbol's bytes, `plain` says that they are the whole content as a card carries
    it: printable ASCII, with no function character and no change of the character set. `quad` are
    its corners (4 x 2) in pixels of the picture it was found in, `modules` how many modules its
    upper edge is long, 0 if unknown.
    """

    raw: bytes
    plain: bool
    symbology: Symbology
    decoder: Decoder
    quad: Points
    modules: int = 0

    @property
    def text(self) -> str:
        """As printed, or "" where the bytes are not a plain text: nothing is guessed."""
        return self.raw.decode("ascii") if self.plain else ""

    def at(self, quad: Points) -> Found:
        """The same with its corners in another picture's pixels."""
        return replace(self, quad=quad)


def is_plain(raw: bytes) -> bool:
    """Printable ASCII and something at all."""
    return bool(raw) and all(0x20 <= byte < 0x7F for byte in raw)


def code128_modules(raw: bytes) -> int:
    """About how long a Code 128 is: start, a symbol for each character, check, stop. Pairs of
    digits may make it shorter.
    """
    return 11 * (len(raw) + 2) + 13
