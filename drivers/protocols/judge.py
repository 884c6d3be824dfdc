"""From a text to what it is: a card, the cut card, or why it is neither. For every reader of codes.

It also keeps how often a reader may complain: each bad text is told, up to a burst of 20 and 5 a
second. Beyond that, and after 5 unreadable ones in a row, the reader has the trouble `check_baud`
(`check_reader` where there is no line to set), which says it for all of them until a code is read
or the line is cut.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from drivers.badge import begins_badge, carries_badge, is_badge, is_spoilt
from drivers.cardcode import CardCode, CutText, Reject
from drivers.observations import (
    AnyObservation,
    Badge,
    CardRead,
    CutCard,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)

Aim = Literal["off"] | tuple[str, ...]

BAD_LINES = 5
CHECK_BAUD = "check_baud"
CHECK_READER = "check_reader"
_ADVICE = {
    CHECK_BAUD: "check the reader's baud rate, parity and data bits",
    CHECK_READER: "check how the reader is set up",
}

_MS = 1_000_000
_BURST = 20
_REFILL_NS = 200 * _MS


class Symbologies(Struct, frozen=True):
    """Which AIM symbology identifiers (`C0`, or `C` for any modifier) are good; `off`: the reader
    sends none and a text with one is refused. `required` refuses a text without one.
    """

    aim: Aim = ("C0", "d1")
    required: bool = False

    def allow(self, symbology: str) -> bool:
        """Whether codes of that AIM identifier (two characters, such as `C0`) are read here."""
        return self.aim != "off" and (symbology in self.aim or symbology[:1] in self.aim)

    def strip(self, text: str) -> tuple[str, str]:
        """The text without its AIM identifier, and why it is refused ("" if it is not)."""
        if not text.startswith("]"):
            missing = self.required and self.aim != "off"
            return text, "foreign_symbology" if missing else ""
        if len(text) < 4:
            return text, "not_a_card"
        if not self.allow(text[1:3]):
            return text, "foreign_symbology"
        return text[3:], ""


class Judge:
    """One reader's texts. What it finds it appends to the list it is given, in order."""

    def __init__(
        self, device: str, code: CardCode, symbologies: Symbologies, trouble: str = CHECK_BAUD
    ) -> None:
        self._device = device
        self._code = code
        self._symbologies = symbologies
        self._trouble_code = trouble
        self._bad = 0
        self._trouble = False
        self._left = _BURST
        self._filled_ns = 0

    def text(
        self,
        seen: list[AnyObservation],
        text: str,
        raw: bytes,
        at_ns: int,
        *,
        symbology: str | None = None,
        resent: bool = False,
    ) -> None:
        """A whole text came. `symbology`: its AIM identifier where the protocol tells it apart
        from the text; None: it stands before the text, if anywhere.
        """
        if self._badge(seen, text, at_ns):
            return
        if symbology is None:
            code, reason = self._symbologies.strip(text)
        elif self._symbologies.aim == "off" or self._symbologies.allow(symbology):
            code, reason = text, ""
        else:
            code, reason = text, "foreign_symbology"
        if reason:
            self.no_read(seen, reason, text, raw, at_ns)
            return
        found = self._code.parse(code)
        if isinstance(found, Reject):
            self.no_read(seen, found.reason, code, raw, at_ns)
            return
        self.forget(seen, at_ns)
        if isinstance(found, CutText):
            seen.append(CutCard(self._device, at_ns, raw, found.set, code))
            return
        seen.append(
            CardRead(
                self._device,
                at_ns,
                raw,
                found.face,
                found.set,
                found.deck,
                code,
                found.checked,
                resent,
            )
        )

    def _badge(self, seen: list[AnyObservation], text: str, at_ns: int) -> bool:
        """Whether that is a badge, whatever symbology it is printed in. What it carries goes to
        whoever checks it, and into nothing else: not even its bytes are told.
        """
        bare = text[3:] if text.startswith("]") else text
        if is_badge(bare):
            self.forget(seen, at_ns)
            seen.append(Badge(self._device, at_ns, b"", bare))
        elif is_spoilt(bare):
            seen.append(Note(self._device, at_ns, b"", "bad_badge", "a badge was read wrongly"))
        else:
            return False
        return True

    def may_become_code(self, text: str) -> bool:
        """Whether more characters could still make it a code; false for one that is whole."""
        if text.startswith("]") and self._symbologies.aim != "off":
            text = text[3:]
        if begins_badge(text):
            return True
        return self._code.begins(text) and self._code.parse(text) == Reject("not_a_card")

    def forget(self, seen: list[AnyObservation], at_ns: int) -> None:
        """Nothing is known against the line: it may be another one, or is all right."""
        self._bad = 0
        if self._trouble:
            self._trouble = False
            seen.append(TroubleOver(self._device, at_ns, b"", self._trouble_code))

    def unreadable(self, seen: list[AnyObservation], reason: str, raw: bytes, at_ns: int) -> None:
        """Bytes no set-up reader sends."""
        self.no_read(seen, reason, printable(raw), raw, at_ns)
        self.count_bad(seen, at_ns)

    def count_bad(self, seen: list[AnyObservation], at_ns: int) -> None:
        """One more unreadable message."""
        self._bad = min(self._bad + 1, BAD_LINES)
        if self._bad == BAD_LINES:
            self._raise(seen, at_ns, f"{BAD_LINES} unreadable lines in a row")

    def no_read(
        self, seen: list[AnyObservation], reason: str, text: str, raw: bytes, at_ns: int
    ) -> None:
        """Something passed that is no card."""
        if carries_badge(text) or carries_badge(raw.decode("latin-1")):
            # Something passed, and a good part of what opens a table is in it.
            text, raw = "", b""
        if self._may_speak(at_ns):
            seen.append(NoRead(self._device, at_ns, raw, reason, text))
        else:
            self._raise(seen, at_ns, "too many lines that are no card's code")

    def _may_speak(self, at_ns: int) -> bool:
        refill = (at_ns - self._filled_ns) // _REFILL_NS
        if refill > 0:
            self._left = min(_BURST, self._left + refill)
            self._filled_ns += refill * _REFILL_NS
        if self._left <= 0:
            return False
        self._left -= 1
        return True

    def _raise(self, seen: list[AnyObservation], at_ns: int, why: str) -> None:
        if not self._trouble:
            self._trouble = True
            detail = f"{why}: {_ADVICE[self._trouble_code]}"
            seen.append(Trouble(self._device, at_ns, b"", self._trouble_code, detail))


def printable(raw: bytes) -> str:
    """The bytes as text a person can read; what is not printable ASCII as \\xNN."""
    text = raw.decode("ascii", "backslashreplace")
    return "".join(c if " " <= c <= "~" else f"\\x{ord(c):02x}" for c in text)
