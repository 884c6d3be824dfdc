"""What an SSI scanner's decodes mean: a card, a repeat of one, a damaged one that comes again.

The scanner sends a decode until it is acknowledged, about every 2 s and three times in all, marked
from the second time on. So:

- A marked decode equal to the last one accepted is a repeat (`resent`), for `REPEAT_NS` after it
  was last seen. Any other marked decode is the first that came through and a read like any other.
- Noise may have been a decode. If a marked decode that is no repeat follows within `RESEND_NS`,
  that was it, and nothing is said; else, or when another decode comes first, the noise is told, as
  `incomplete` where the head of a decode is in it.
"""

from __future__ import annotations

from msgspec import Struct

from drivers.cardcode import CardCode, Reject
from drivers.observations import AnyObservation, NoRead
from drivers.protocols.judge import Judge, Symbologies, printable
from drivers.protocols.ssi_frames import (
    DECODE_DATA,
    MORE,
    RETRANSMITTED,
    SCANNER,
    Cut,
    SsiFrame,
)

_MS = 1_000_000
REPEAT_NS = 10_000 * _MS
RESEND_NS = 2500 * _MS
DAMAGE_NS = 5000 * _MS
PARTIAL_NS = 5000 * _MS
MESSAGE_LIMIT = 512
FORGOTTEN_NS = 2000 * _MS
NOTHING_READ = "NR"

_NOT_LISTED = "X0"
_DECODE_HEAD = bytes((DECODE_DATA, SCANNER))
# Code types of DECODE_DATA and the AIM identifiers they stand for.
AIM = {
    0x01: "A0",
    0x02: "F0",
    0x03: "C0",
    0x06: "I0",
    0x07: "G0",
    0x08: "E0",
    0x09: "E0",
    0x0A: "E4",
    0x0B: "E0",
    0x0F: "C1",
    0x11: "L0",
    0x1B: "d1",
    0x1C: "Q1",
}


class _Accepted(Struct):
    """The last message that ended: its last frame, which alone is sent again, and all of it; empty
    when it was too long to be any.
    """

    last: bytes
    parts: list[bytes]
    seen_ns: int


class _Damage(Struct):
    raw: bytes
    at_ns: int
    first_ns: int
    until_ns: int


class SsiReads:
    """One scanner's decodes. What it finds it appends to the list it is given."""

    def __init__(self, device: str, code: CardCode, symbologies: Symbologies) -> None:
        self._device = device
        self._code = code
        self._symbologies = symbologies
        self._judge = Judge(device, code, symbologies)
        self._accepted: _Accepted | None = None
        self._damage: _Damage | None = None
        self._parts: list[bytes] = []
        self._raws: list[bytes] = []
        self._part_ns = 0
        self._skipping = False
        self._told_ns = 0

    @property
    def wake_at_ns(self) -> int | None:
        """When a re-send is no longer waited for."""
        times = [self._part_ns + PARTIAL_NS] if self._parts else []
        times += [self._damage.until_ns] if self._damage else []
        return min(times, default=None)

    def settle(self, seen: list[AnyObservation], now_ns: int) -> None:
        """Time passed: what was not sent again is told."""
        if self._damage is not None and now_ns >= self._damage.until_ns:
            self._tell_damage(seen)
        if self._parts and now_ns >= self._part_ns + PARTIAL_NS:
            self._tell_parts(seen)

    def reset(self, seen: list[AnyObservation], now_ns: int) -> None:
        """The line was cut: what is open is told. The last decode is remembered, because the
        scanner may send it again.
        """
        self._tell_damage(seen)
        self._tell_parts(seen)
        self._skipping = False
        self._judge.forget(seen, now_ns)

    # --- noise --------------------------------------------------------------------------

    def is_text(self, raw: bytes) -> bool:
        """Whether noise is a code as a scanner sends it that puts it into no frames."""
        body = raw.rstrip(b"\r\n\t")
        text = printable(body)
        if len(body) < 3 or text.encode() != body:
            return False
        bare, _ = self._symbologies.strip(text)
        return body != raw or not isinstance(self._code.parse(bare), Reject)

    def plain_text(self, seen: list[AnyObservation], cut: Cut) -> None:
        """A code came in no frame: what it is worth is not known."""
        text = printable(cut.raw.rstrip(b"\r\n\t"))
        self._judge.no_read(seen, "not_a_card", text, cut.raw, cut.at_ns)

    def noise(self, cut: Cut) -> None:
        """Bytes that were no frame: told unless the scanner sends again what they were."""
        if self._damage is None:
            self._damage = _Damage(cut.raw, cut.at_ns, cut.at_ns, cut.at_ns + RESEND_NS)
        else:
            last = self._damage.first_ns + DAMAGE_NS
            self._damage.until_ns = max(self._damage.until_ns, min(cut.at_ns + RESEND_NS, last))

    def _tell_damage(self, seen: list[AnyObservation]) -> None:
        damage, self._damage = self._damage, None
        if damage is not None:
            reason = "incomplete" if _DECODE_HEAD in damage.raw else "garbage"
            self._judge.unreadable(seen, reason, damage.raw, damage.at_ns)

    # --- decodes ------------------------------------------------------------------------

    def decode(self, seen: list[AnyObservation], frame: SsiFrame, cut: Cut) -> bool:
        """A DECODE_DATA came; True when it was the repeat of one that was accepted."""
        again = bool(frame.status & RETRANSMITTED)
        if again and self._parts and frame.data == self._parts[-1]:
            self._part_ns = cut.at_ns
            return True
        repeated = None if self._parts else self._repeated(frame, cut)
        if repeated is not None:
            if repeated.parts:
                self._whole(seen, repeated.parts, cut.raw, cut.at_ns, resent=True)
            return True
        if again:
            self._damage = None
        else:
            # It sends nothing new before the last is acknowledged or given up: what was damaged
            # will not come again, and a later re-send is of another card.
            self._tell_damage(seen)
        if not self._skips(seen, frame, cut):
            self._add(seen, frame, cut)
        return False

    def _add(self, seen: list[AnyObservation], frame: SsiFrame, cut: Cut) -> None:
        """One more frame of a message, mostly the only one."""
        if self._parts and self._parts[0][:1] != frame.data[:1]:
            self._tell_parts(seen)
        parts, raws = [*self._parts, frame.data], [*self._raws, cut.raw]
        if len(b" ".join(parts)) > MESSAGE_LIMIT:
            self._forget_parts()
            self._skipping = True
            self._part_ns = self._told_ns = cut.at_ns
            self._judge.unreadable(seen, "too_long", cut.raw, cut.at_ns)
            self._skips(seen, frame, cut)
        elif frame.status & MORE:
            self._parts, self._raws, self._part_ns = parts, raws, cut.at_ns
        else:
            self._forget_parts()
            self._accepted = _Accepted(frame.data, parts, cut.at_ns)
            self._whole(seen, parts, b"".join(raws), cut.at_ns, resent=False)

    def _skips(self, seen: list[AnyObservation], frame: SsiFrame, cut: Cut) -> bool:
        """Whether that is of a message too long to be any, up to its end: never its tail a code."""
        if cut.at_ns - self._part_ns >= PARTIAL_NS:
            self._skipping = False
        if not self._skipping:
            return False
        self._part_ns = cut.at_ns
        if cut.at_ns - self._told_ns >= FORGOTTEN_NS:
            # Told so long ago that a card in it would seem to have left no trace.
            self._told_ns = cut.at_ns
            self._judge.unreadable(seen, "too_long", cut.raw, cut.at_ns)
        if not frame.status & MORE:
            self._skipping = False
            self._accepted = _Accepted(frame.data, [], cut.at_ns)
        return True

    def _repeated(self, frame: SsiFrame, cut: Cut) -> _Accepted | None:
        """The message of which that is the end once more, None when it is of none."""
        last = self._accepted
        if last is None or not frame.status & RETRANSMITTED or frame.status & MORE:
            return None
        if frame.data != last.last or cut.at_ns - last.seen_ns >= REPEAT_NS:
            return None
        last.seen_ns = cut.at_ns
        return last

    def _whole(
        self,
        seen: list[AnyObservation],
        parts: list[bytes],
        raw: bytes,
        at_ns: int,
        *,
        resent: bool,
    ) -> None:
        kind, body = parts[0][:1], b"".join(part[1:] for part in parts)
        text = printable(body.rstrip(b"\r\n\t"))
        found: list[AnyObservation] = []
        symbology = AIM.get(kind[0] if kind else -1, _NOT_LISTED)
        if text == NOTHING_READ:
            self._judge.no_read(found, "unread", text, raw, at_ns)
        elif text.startswith("]") and self._symbologies.allow(symbology):
            # A scanner set to send the AIM identifier too: both have to be good.
            self._judge.text(found, text, raw, at_ns, resent=resent)
        else:
            self._judge.text(found, text, raw, at_ns, symbology=symbology, resent=resent)
        # What was no card the first time is none now, and was told.
        seen += [one for one in found if not (resent and isinstance(one, NoRead))]

    def _tell_parts(self, seen: list[AnyObservation]) -> None:
        if self._parts:
            raw, text = b"".join(self._raws), b"".join(part[1:] for part in self._parts)
            self._forget_parts()
            self._judge.no_read(seen, "incomplete", printable(text), raw, self._part_ns)

    def _forget_parts(self) -> None:
        self._parts, self._raws = [], []
