"""`board`: a table board that speaks the open board protocol (docs/board-protocol.md).

Lamps, light and brake do what they are told; the sensor sees each card that passes; buttons and
badges are pressed and shown by the orders `press` and `badge`, which stand among the faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import Fault, number, text
from hw_sim.models.base import Piece
from hw_sim.models.board_faults import FAULTS
from hw_sim.models.board_lines import Ear, write

ABILITIES = "light lamps=7 brake help cut_card card_out badge"
COLOURS = ("green", "white", "amber", "blue", "red", "off")
PARTS = ("brake", "help", "cut_card", "card_out", "badge")
VERSION = "1"
QUEUE = 8
EVENTS = 65535
RESEND_MS = 300
SAFE_MS = 3000
STUCK_MS = 10_000
OLDEST_MS = 99_999


@dataclass
class Happening:
    """An event that waits for its acknowledgement."""

    number: int
    at_ms: int
    what: str


class Board:
    """One board. `abilities`: as in its hello. Raises CodeError for one it cannot play."""

    kind = "board"
    records = 0

    def __init__(
        self,
        abilities: str = ABILITIES,
        name: str = "tableboard",
        firmware: str = "1.0",
        serial: str = "SIM1",
    ) -> None:
        self.faults: dict[str, Fault] = FAULTS
        self._abilities = abilities.split()
        self._identity = (name, firmware, serial)
        self._version = VERSION
        known = {"light", "brake", *PARTS}
        for ability in self._abilities:
            lamps = ability.removeprefix("lamps=")
            if ability not in known and not (lamps != ability and lamps in "123456789"):
                raise CodeError(f"a board has no ability {ability!r}; it has {ABILITIES}")
        self._broken: set[str] = set()
        self._stuck: dict[str, tuple[int, int | None]] = {}
        self._silent_until: float = -1
        # How many of the next acks are not heard, events and answers not said, checks wrong.
        self._lose = {"ack": 0, "event": 0, "answer": 0, "check": 0}
        self._boot(0)

    def _boot(self, now_ms: int) -> None:
        self._ear = Ear()
        self._session = 0
        self._next, self._missed = 0, 0
        self._events: list[Happening] = []
        self._last_event = b""
        self._resend_at: int | None = None
        self._heard_ms = now_ms
        self._fall_back()

    def _fall_back(self) -> None:
        self._safe = True
        self._light, self._lamp, self._brake = "amber", 0, True

    # --- what happens to it ---------------------------------------------------------------

    def start(self, now_ms: int) -> list[Piece]:
        self._boot(now_ms)
        return self._said(self._hello())

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        given = params or {}
        if fault not in ("", "sensor_blind", "sensor_bounce"):
            raise CodeError(f"the fault {fault!r} is not one of a board's for a card")
        times = number(given, "times") + 1 if fault == "sensor_bounce" else 1
        pieces: list[Piece] = []
        if fault != "sensor_blind":
            for _ in range(times):
                pieces += self._happens("card_out", now_ms)
        return pieces

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        return []

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        doing: dict[str, Callable[[], list[Piece]]] = {
            "press": lambda: self._press(text(params, "button"), number(params, "count"), now_ms),
            "badge": lambda: self._happens(f"badge {text(params, 'text')}", now_ms),
            "card_out": lambda: self._happens("card_out", now_ms),
            "lost_ack": lambda: self._losing("ack", params),
            "lost_event": lambda: self._losing("event", params),
            "lost_answer": lambda: self._losing("answer", params),
            "wrong_check": lambda: self._losing("check", params),
            "duplicate_event": lambda: self._said(self._last_event),
            "reboot": lambda: self.start(now_ms),
            "silent": lambda: self._fall_silent(params.get("ms"), now_ms),
            "stuck_button": lambda: self._stick(params, now_ms),
            "other_version": lambda: self._reversion(text(params, "version")),
            "missing_ability": lambda: self._lack(text(params, "ability"), now_ms),
            "part_fault": lambda: self._break(text(params, "part"), now_ms),
            "part_well": lambda: self._mend(text(params, "part"), now_ms),
            "chatter": lambda: self._said(text(params, "text").encode() + b"\r\n"),
        }
        if fault not in doing:
            raise CodeError(f"the fault {fault!r} is not one of a board's")
        return doing[fault]()

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        if self._is_silent(now_ms):
            return []
        pieces = self.tick(now_ms)
        for line in self._ear.feed(data):
            if isinstance(line, str):
                pieces += self._answer("no", 0, line)
            else:
                self._heard_ms = now_ms
                pieces += self._understand(line, now_ms)
        return pieces

    def tick(self, now_ms: int) -> list[Piece]:
        if self._is_silent(now_ms):
            return []
        if self._outputs and not self._safe and now_ms - self._heard_ms >= SAFE_MS:
            self._fall_back()
        pieces: list[Piece] = []
        for button, (down_ms, until) in tuple(self._stuck.items()):
            if button not in self._broken and now_ms - down_ms >= STUCK_MS:
                pieces += self._break(button, now_ms)
            if until is not None and now_ms >= until:
                del self._stuck[button]
                pieces += self._mend(button, now_ms)
        if self._resend_at is not None and now_ms >= self._resend_at:
            pieces += self._send_event(now_ms)
        return pieces

    @property
    def wake_at_ms(self) -> int | None:
        """The next repeat, the fall into the safe state, a stuck button's time."""
        if self._silent_until == float("inf"):
            return None
        times = [] if self._resend_at is None else [self._resend_at]
        if self._outputs and not self._safe:
            times.append(self._heard_ms + SAFE_MS)
        for button, (down_ms, until) in self._stuck.items():
            times += [down_ms + STUCK_MS] if button not in self._broken else []
            times += [] if until is None else [until]
        if not times:
            return None
        return max(min(times), int(self._silent_until) + 1)

    def state(self) -> dict[str, object]:
        """The table's light and whether it blinks, the seat lit, the brake, events that wait."""
        return {
            "light": self._light if self._able("light") else None,
            "blinking": self._safe,
            "lamp": self._lamp if self._lamps else None,
            "brake": self._brake if self._able("brake") else None,
            "braking": self._brake and "brake" not in self._broken,
            "session": self._session,
            "waiting": [event.what for event in self._events],
        }

    # --- what it understands --------------------------------------------------------------

    def _understand(self, words: list[str], now_ms: int) -> list[Piece]:
        match words:
            case ["open", version, session, old, last, *_]:
                return self._open(version, session, old, last, now_ms)
            case ["ping", *_]:
                safe = ("safe",) if self._safe and self._outputs else ()
                return self._answer("pong", self._session, *safe)
            case ["set", count, key, value, *_] if count.isdigit():
                return self._set(count, key, value)
            case ["ack", count, *_] if count.isdigit():
                return self._ack(int(count), now_ms)
            case _:
                return self._answer("no", 0, "unknown")

    def _open(self, version: str, session: str, old: str, last: str, now_ms: int) -> list[Piece]:
        if not all(word.isdigit() for word in (session, old, last)):
            return self._answer("no", 0, "unknown")
        if version != self._version or int(session) == self._session != 0:
            return self._answer(*self._hello_words())
        if session == "0":
            self._session = 0
            self._resend_at = None
            self._fall_back()
            return self._answer(*self._hello_words())
        if int(old) == self._session != 0:
            # Only the oldest was ever sent, so no other can have been taken.
            self._events = [event for event in self._events if event.number != int(last)]
        first = self._events[0].number - 1 if self._events else self._next
        for event in self._events:
            event.number = (event.number - first - 1) % EVENTS + 1
        self._next = (self._next - first) % EVENTS
        self._session = int(session)
        pieces = self._answer(*self._hello_words())
        waiting = {event.what for event in self._events}
        for part in sorted(self._broken):
            if f"fault {part}" not in waiting:
                self._keep(f"fault {part}", now_ms)
        return pieces + self._send_event(now_ms)

    def _set(self, count: str, key: str, value: str) -> list[Piece]:
        if self._session == 0:
            return self._answer("no", count, "closed")
        lamps = [str(seat) for seat in range(self._lamps + 1)] if self._lamps else []
        values = {
            "light": COLOURS if self._able("light") else (),
            "lamp": lamps,
            "brake": ("on", "off") if self._able("brake") else (),
        }.get(key, ())
        if not values:
            return self._answer("no", count, "unknown")
        if value not in values:
            return self._answer("no", count, "value")
        self._safe = False
        match key:
            case "light":
                self._light = value
            case "lamp":
                self._lamp = int(value)
            case _:
                self._brake = value == "on"
        return self._answer("ok", count)

    def _ack(self, count: int, now_ms: int) -> list[Piece]:
        if self._lose["ack"]:
            self._lose["ack"] -= 1
            return []
        if not self._session or not self._events or self._events[0].number != count:
            return []
        self._events.pop(0)
        return self._send_event(now_ms)

    # --- what it says ---------------------------------------------------------------------

    def _happens(self, what: str, now_ms: int) -> list[Piece]:
        if self._is_silent(now_ms) or not self._senses(what):
            return []
        alone = self._keep(what, now_ms) and len(self._events) == 1
        return self._send_event(now_ms) if alone else []

    def _senses(self, what: str) -> bool:
        word, _, part = what.partition(" ")
        return self._able(part if word in ("fault", "well") else word)

    def _keep(self, what: str, now_ms: int) -> bool:
        if len(self._events) >= QUEUE:
            self._missed += 1
            return False
        self._next = (self._next + self._missed) % EVENTS + 1
        self._missed = 0
        self._events.append(Happening(self._next, now_ms, what))
        return True

    def _send_event(self, now_ms: int) -> list[Piece]:
        self._resend_at = None
        if not self._session or not self._events:
            return []
        first = self._events[0]
        self._resend_at = now_ms + RESEND_MS
        age = min(now_ms - first.at_ms, OLDEST_MS)
        self._last_event = write("event", first.number, age, first.what)
        if self._lose["event"]:
            self._lose["event"] -= 1
            return []
        return self._said(self._last_event)

    def _answer(self, *words: object) -> list[Piece]:
        if self._lose["answer"]:
            self._lose["answer"] -= 1
            return []
        return self._said(write(*words))

    def _said(self, line: bytes) -> list[Piece]:
        if self._lose["check"] and line[:1] == b"$":
            self._lose["check"] -= 1
            line = line[:-2] + (b"0" if line[-2:-1] != b"0" else b"1") + b"\n"
        return [Piece(0, line)] if line else []

    def _hello(self) -> bytes:
        return write(*self._hello_words())

    def _hello_words(self) -> Iterable[object]:
        return ("hello", self._version, self._session, *self._identity, *self._abilities)

    # --- faults ---------------------------------------------------------------------------

    def _press(self, button: str, count: int, now_ms: int) -> list[Piece]:
        if button not in ("help", "cut_card"):
            raise CodeError(f"a board has no button {button!r}; it has help and cut_card")
        pieces: list[Piece] = []
        for _ in range(count):
            pieces += self._happens(button, now_ms) if button not in self._stuck else []
        return pieces

    def _stick(self, params: dict[str, object], now_ms: int) -> list[Piece]:
        button = text(params, "button")
        pieces = self._press(button, 1, now_ms)
        ms = params.get("ms")
        until = now_ms + ms if isinstance(ms, int) else None
        self._stuck.setdefault(button, (now_ms, until))
        return pieces

    def _losing(self, what: str, params: dict[str, object]) -> list[Piece]:
        self._lose[what] += number(params, "count")
        return []

    def _fall_silent(self, ms: object, now_ms: int) -> list[Piece]:
        self._silent_until = now_ms + ms if isinstance(ms, int) else float("inf")
        return []

    def _is_silent(self, now_ms: int) -> bool:
        return now_ms <= self._silent_until

    def _reversion(self, version: str) -> list[Piece]:
        self._version = version
        return self._said(self._hello())

    def _lack(self, ability: str, now_ms: int) -> list[Piece]:
        kept = [word for word in self._abilities if word.partition("=")[0] != ability]
        if kept == self._abilities:
            raise CodeError(f"it has no ability {ability!r}; it has {' '.join(self._abilities)}")
        self._abilities = kept
        return self.start(now_ms)

    def _break(self, part: str, now_ms: int) -> list[Piece]:
        self._known(part)
        self._broken.add(part)
        return self._happens(f"fault {part}", now_ms)

    def _mend(self, part: str, now_ms: int) -> list[Piece]:
        self._known(part)
        if part not in self._broken:
            return []
        self._broken.discard(part)
        return self._happens(f"well {part}", now_ms)

    def _known(self, part: str) -> None:
        if part not in PARTS:
            raise CodeError(f"a board has no part {part!r}; it has {', '.join(PARTS)}")

    def _able(self, ability: str) -> bool:
        return ability in self._abilities

    @property
    def _lamps(self) -> int:
        counts = [word[6:] for word in self._abilities if word.startswith("lamps=")]
        return int(counts[0]) if counts else 0

    @property
    def _outputs(self) -> bool:
        return self._able("light") or self._able("brake") or self._lamps > 0


def make(**settings: str) -> Board:
    """The model of these settings. Raises CodeError, or TypeError for an unknown one."""
    return Board(**settings)
