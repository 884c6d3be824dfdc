"""What the driver of a table board says: observations, bounded notes, troubles with their parts."""

from __future__ import annotations

from drivers.observations import AnyObservation, Note, Trouble, TroubleOver

_NOTES = 20
_NOTE_NS = 200_000_000


class Says:
    """Collects observations. `now_ns` and `raw` are those of what is being judged.

    Notes come in bursts of 20 and then 5 a second; beyond that they are dropped, for they are the
    technician's alone and nothing depends on them.
    """

    def __init__(self, device: str) -> None:
        self.device = device
        self.now_ns = 0
        self.raw = b""
        self._seen: list[AnyObservation] = []
        self._troubles: dict[str, set[str]] = {}
        self._left, self._filled_ns = _NOTES, 0

    @property
    def at(self) -> tuple[str, int, bytes]:
        """What every observation begins with."""
        return self.device, self.now_ns, self.raw

    def say(self, observation: AnyObservation) -> None:
        """One more."""
        self._seen.append(observation)

    def note(self, code: str, detail: str) -> None:
        """A note that may be dropped when there are too many."""
        refill = (self.now_ns - self._filled_ns) // _NOTE_NS
        if refill > 0:
            self._left = min(_NOTES, self._left + refill)
            self._filled_ns += refill * _NOTE_NS
        if self._left > 0:
            self._left -= 1
            self.say(Note(*self.at, code, detail))

    def trouble(self, code: str, detail: str, part: str = "") -> None:
        """A fault that stays; told once, whatever the number of parts that have it."""
        parts = self._troubles.setdefault(code, set())
        if not parts:
            self.say(Trouble(*self.at, code, detail))
        parts.add(part)

    def troubled(self, code: str) -> bool:
        """Whether that fault stands."""
        return code in self._troubles

    @property
    def standing(self) -> int:
        """How many faults stand."""
        return len(self._troubles)

    def over(self, code: str, part: str | None = None) -> None:
        """The fault is gone: of one part, or of all."""
        parts = self._troubles.get(code)
        if parts is None:
            return
        if part is None:
            parts.clear()
        parts.discard(part or "")
        if not parts:
            del self._troubles[code]
            self.say(TroubleOver(*self.at, code))

    def all_over(self) -> None:
        """Nothing is known against the device any more."""
        for code in tuple(self._troubles):
            self.over(code)

    def take(self) -> tuple[AnyObservation, ...]:
        """What was said since the last time."""
        seen, self._seen = tuple(self._seen), []
        return seen
