"""What the Angel Eye is told: locked or unlocked, one command at a time, each answered.

The time-out (3 s) begins when a command is sent. A busy shoe is asked once more. What was refused
or not answered is a trouble, and is tried again only when something else is wanted, or after the
line was cut: a shoe that refuses is not pestered.
"""

from __future__ import annotations

from drivers.observations import AnyObservation, Trouble, TroubleOver
from drivers.protocols.angeleye_frames import REFUSALS, Bcc, Cut, command

ANSWER_MS = 3000
BUSY_MS = 500
NOT_ANSWERING = "not_answering_commands"
REFUSED = "command_refused"
CHECK_STYLE = "check_bcc"

_MS = 1_000_000
_BUSY = 0x21


class Commands:
    """One command under way at most."""

    def __init__(self, device: str, style: Bcc) -> None:
        self._device = device
        self._style = style
        self._wanted: bool | None = None
        self._tried: bool | None = None
        self._sent_ns: int | None = None
        self._again_ns: int | None = None
        self._busy = 0
        self._troubles: set[str] = set()

    def forget(self) -> None:
        """The line was cut or opened: nothing is wanted so far, nothing is under way."""
        self._wanted = self._tried = self._sent_ns = self._again_ns = None
        self._busy = 0

    def want(self, locked: bool) -> None:
        """How the shoe should be; sent by the next `write`."""
        self._wanted = locked

    def write(self, now_ns: int) -> tuple[bytes, ...]:
        """What is to be sent now: nothing while an answer is awaited."""
        if self._sent_ns is not None or self._wanted is None:
            return ()
        again = self._again_ns is not None and now_ns >= self._again_ns
        if self._wanted == self._tried and not again:
            return ()
        if self._wanted != self._tried:
            self._busy = 0
        self._tried, self._sent_ns, self._again_ns = self._wanted, now_ns, None
        return (command("LK", "02" if self._wanted else "01", self._style),)

    @property
    def due_ns(self) -> int | None:
        """When the answer is overdue, or the busy shoe is asked again."""
        if self._sent_ns is not None:
            return self._sent_ns + ANSWER_MS * _MS
        return self._again_ns

    def settle(self, seen: list[AnyObservation], now_ns: int) -> None:
        """Time passed: an answer that has not come by now does not count any more."""
        if self._sent_ns is None or now_ns < self._sent_ns + ANSWER_MS * _MS:
            return
        due = self._sent_ns + ANSWER_MS * _MS
        self._sent_ns = None
        detail = f"no answer within {ANSWER_MS // 1000} s: check the wire to the shoe"
        self._trouble(seen, due, b"", NOT_ANSWERING, detail)

    def answered(self, cut: Cut, seen: list[AnyObservation]) -> bool:
        """The shoe answered. False when nothing was asked."""
        if self._sent_ns is None:
            return False
        self._sent_ns = None
        self._over(seen, cut, NOT_ANSWERING)
        if not cut.body:
            self._over(seen, cut, REFUSED)
            self._over(seen, cut, CHECK_STYLE)
        elif cut.body[0] == _BUSY and not self._busy:
            self._busy += 1
            self._again_ns = cut.at_ns + BUSY_MS * _MS
        else:
            self._refused(seen, cut)
        return True

    def _refused(self, seen: list[AnyObservation], cut: Cut) -> None:
        code = cut.body[0]
        words = REFUSALS.get(code, "a code it is not known to send")
        detail = f"refused with {code:02X}: {words}"
        if code == 0x02:
            other = "without_stx" if self._style == "with_stx" else "with_stx"
            detail += f'; set bcc = "{other}"'
        self._trouble(seen, cut.at_ns, cut.raw, CHECK_STYLE if code == 0x02 else REFUSED, detail)

    def _trouble(
        self, seen: list[AnyObservation], at_ns: int, raw: bytes, code: str, detail: str
    ) -> None:
        self._troubles.add(code)
        seen.append(Trouble(self._device, at_ns, raw, code, detail))

    def _over(self, seen: list[AnyObservation], cut: Cut, code: str) -> None:
        if code in self._troubles:
            self._troubles.discard(code)
            seen.append(TroubleOver(self._device, cut.at_ns, cut.raw, code))
