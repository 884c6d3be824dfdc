"""What a table board is told: each state until it confirms it, one at a time."""

from __future__ import annotations

from drivers.protocols.base import Wanted
from drivers.protocols.board_lines import line
from drivers.protocols.board_says import Says
from drivers.protocols.board_words import Hello

TRIES = 5
NUMBERS = 999

_MS = 1_000_000
_RETRY_NS = 300 * _MS
_SLOW_RETRY_NS = 2000 * _MS
# The brake first: it holds a card back.
_KEYS = ("brake", "light", "lamp")


class _State:
    """One thing the board is told: `told` once it has confirmed `value` under `number`."""

    def __init__(self, value: str, number: int) -> None:
        self.value = value
        self.number = number
        self.tries = 0
        self.told = False
        self.first_ns = 0


class Orders:
    """The states and how far the board has confirmed them.

    Each is sent up to `TRIES` times, 300 ms apart; then the board has the trouble `not_obeying` and
    is told every 2 s. The trouble is over when all is confirmed. `retry_at`: when `tell` is due.
    """

    def __init__(self, says: Says, write: list[bytes]) -> None:
        self._says = says
        self._write = write
        self._number = 0
        self._states: dict[str, _State] = {}
        self.retry_at: int | None = None

    @property
    def any_told(self) -> bool:
        """Whether the board has confirmed anything."""
        return any(state.told for state in self._states.values())

    def forget(self) -> None:
        """What the board was told is forgotten, here and there."""
        self._states.clear()
        self.retry_at = None

    def wish(self, wanted: Wanted, hello: Hello) -> bool:
        """What it should be told, as far as it is able. True when something changed."""
        values = {}
        if "brake" in hello.abilities:
            values["brake"] = "on" if wanted.shoe_locked else "off"
        if "light" in hello.abilities:
            values["light"] = wanted.light
        if hello.lamps:
            values["lamp"] = str(wanted.seat if 0 < wanted.seat <= hello.lamps else 0)
        changed = False
        for key, value in values.items():
            state = self._states.get(key)
            if state is None or state.value != value:
                self._number = self._number % NUMBERS + 1
                self._states[key] = _State(value, self._number)
                changed = True
        return changed

    def tell(self, heard_ns: int) -> None:
        """Send the next state it has not confirmed, the least often tried. `heard_ns`: when it
        was last heard; a board that is silent altogether is not said to disobey.
        """
        now, self.retry_at = self._says.now_ns, None
        waiting = [(key, state) for key, state in self._ordered() if not state.told]
        if not waiting:
            self._says.over("not_obeying")
            return
        key, state = min(waiting, key=lambda pair: pair[1].tries)
        if state.tries == 0:
            state.first_ns = now
        state.tries += 1
        self._write.append(line(f"set {state.number} {key} {state.value}"))
        self.retry_at = now + (_RETRY_NS if state.tries <= TRIES else _SLOW_RETRY_NS)
        if state.tries > TRIES and heard_ns > state.first_ns:
            self._says.trouble("not_obeying", f"it does not confirm {key} {state.value}")

    def confirmed(self, number: int, heard_ns: int) -> None:
        """`ok NUMBER`: the next one follows."""
        for state in self._states.values():
            if state.number == number and not state.told:
                state.told = True
                self.tell(heard_ns)
                return

    def refused(self, number: int, why: str, heard_ns: int) -> bool:
        """`no NUMBER WHY`. False when nothing waits under that number."""
        for key, state in self._ordered():
            if state.number == number and not state.told:
                self._says.trouble("not_obeying", f"it refuses {key} {state.value}: {why}"[:80])
                state.tries = max(state.tries, TRIES)
                self._after_refusal(heard_ns)
                return True
        return False

    def _after_refusal(self, heard_ns: int) -> None:
        if any(not state.told and state.tries < TRIES for state in self._states.values()):
            self.tell(heard_ns)
        else:
            self.retry_at = self._says.now_ns + _SLOW_RETRY_NS

    def _ordered(self) -> list[tuple[str, _State]]:
        return [(key, self._states[key]) for key in _KEYS if key in self._states]
