"""The table board: seat lamps, table light, shoe brake, card-out sensor, buttons, badge reader.

The protocol is our own and open: docs/board-protocol.md. In short:

- The station opens a *session*; the board answers with its `hello`, which lists what it can do.
  A board that has started again knows no session: it is noticed at the next line, the session is
  opened anew and its state told again.
- States (`set`) are numbered, idempotent and told again until they are confirmed.
- What happens at the board (`event`) is numbered in the session and sent again until it is
  acknowledged, so that nothing is lost and no repeat is a second press. A number left out is an
  event the board could not keep: the trouble `events_lost`.
- Both sides notice each other's silence: the board falls back to its safe state (brake on, light
  amber and blinking), the station tells the trouble `silent`.

`age`: how long ago an event was when its line was sent, milliseconds. A badge older than 5 s is a
note and no badge: its bearer may be gone.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from drivers.observations import Badge, Button, CardOut, Identified, Note, Trouble, TroubleOver
from drivers.protocols.base import Capability, Command, Frame, Out, Wanted
from drivers.protocols.board_lines import Cut, Cutter, Fault, line
from drivers.protocols.board_orders import TRIES, Orders
from drivers.protocols.board_says import Says
from drivers.protocols.board_words import Answer, Event, Hello, Pong, meaning
from drivers.protocols.judge import BAD_LINES, CHECK_BAUD, printable

VERSION = 1
SESSIONS = 65535
EVENTS = 65535
LATE_MS = 2000
BADGE_LATE_MS = 5000

_MS = 1_000_000
_OPEN_NS = 1000 * _MS
_PING_NS = 1000 * _MS
# A board that takes no session must not be asked as fast as it answers.
_SOONEST_NS = 300 * _MS
_PART_TROUBLES = {
    "brake": "brake_fault",
    "help": "button_stuck",
    "cut_card": "button_stuck",
    "card_out": "sensor_fault",
    "badge": "badge_fault",
}
_FAULT_MEANS: dict[Fault, str] = {
    "chatter": "no line of the protocol",
    "garbage": "bytes no board sends",
    "cut_off": "it has no end",
    "too_long": "longer than any line",
    "bad_check": "its check is wrong",
}


class BoardSettings(Struct, frozen=True, kw_only=True):
    """`sensor`: the card-out sensor is a witness, so the board must have one and its restart is a
    trouble. `silent_ms`: without a line for so long the board is silent.
    """

    sensor: bool = False
    silent_ms: int = 3000


class Board:
    """One table board. Bounded: one line, three states, a set of troubles."""

    def __init__(self, device: str, settings: BoardSettings | None = None) -> None:
        self._settings = settings or BoardSettings()
        self._silent_ns = self._settings.silent_ms * _MS
        self._says = Says(device)
        self._write: list[bytes] = []
        self._frames: list[Frame] = []
        self._orders = Orders(self._says, self._write)
        self._cutter = Cutter()
        self._phase: Literal["shut", "opening", "open"] = "shut"
        self._hello: Hello | None = None
        self._wanted: Wanted | None = None
        # `_known`: the last session the board has confirmed, and the last event heard in it.
        self._session, self._known = 0, (0, 0)
        self._opens = 0
        self._bad = 0
        self._heard_ns = self._open_at = self._ping_at = 0
        self._asked_ns: int | None = None

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What its hello lists; until there is one, only that it says who it is and is alive."""
        able: set[Capability] = {"identity", "heartbeat"}
        given = self._hello.abilities if self._hello is not None else frozenset()
        if self._hello is not None and self._hello.lamps:
            able.add("seat_lamp")
        if "light" in given:
            able.add("light")
        if "brake" in given:
            able.add("brake")
        if "card_out" in given and self._settings.sensor:
            able.add("card_out")
        if not given.isdisjoint(("help", "cut_card")):
            able.add("buttons")
        if "badge" in given:
            able.add("badge")
        return frozenset(able)

    def start(self, now_ns: int) -> Out:
        """A session is opened."""
        self._says.now_ns = self._heard_ns = now_ns
        self._begin()
        return self._out()

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came; every line that ended in them is judged, in order."""
        self._says.now_ns = now_ns
        self._listen()
        for cut in self._cutter.feed(data):
            self._judge(cut)
        return self._out()

    def tick(self, now_ns: int) -> Out:
        """Time passed: heartbeat, re-sending, silence."""
        self._says.now_ns = now_ns
        self._listen()
        if self._phase == "opening" and now_ns >= self._open_at:
            self._send_open()
        if self._phase == "open" and now_ns >= self._ping_at:
            self._write.append(line("ping"))
            self._ping_at = now_ns + _PING_NS
        due = self._orders.retry_at
        if self._phase == "open" and due is not None and now_ns >= due:
            self._orders.tell(self._heard_ns)
        return self._out()

    def send(self, command: Command, now_ns: int) -> Out:
        """It has no beeper and reads no codes: nothing."""
        return self._out()

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """How light, lamp and brake should be; told at once when the session is open."""
        self._says.now_ns = now_ns
        self._wanted = wanted
        self._tell()
        return self._out()

    def reset(self, now_ns: int) -> Out:
        """The line was cut. What was heard of its events is kept, so that one whose
        acknowledgement was lost with the line is not a second press.
        """
        self._says.now_ns = now_ns
        for cut in self._cutter.drop():
            self._judge(cut)
        self._phase = "shut"
        self._asked_ns = None
        self._hello = self._wanted = None
        self._orders.forget()
        self._bad = 0
        self._says.all_over()
        return self._out()

    # --- the session ----------------------------------------------------------------------

    def _begin(self) -> None:
        self._phase = "opening"
        self._hello = None
        self._orders.forget()
        self._opens = 0
        used = (self._session, self._known[0])
        self._session = self._says.now_ns // _MS % SESSIONS + 1
        while self._session in used:
            self._session = self._session % SESSIONS + 1
        self._open_soon()

    def _open_soon(self) -> None:
        now, asked = self._says.now_ns, self._asked_ns
        if asked is None or now - asked >= _SOONEST_NS:
            self._send_open()
        else:
            self._open_at = asked + _SOONEST_NS

    def _send_open(self) -> None:
        old, last = self._known
        self._write.append(line(f"open {VERSION} {self._session} {old} {last}"))
        self._asked_ns = self._says.now_ns
        self._open_at = self._says.now_ns + _OPEN_NS
        self._opens += 1
        heard = self._says.now_ns - self._heard_ns < self._silent_ns
        if self._opens > TRIES and heard and not self._says.troubled("other_version"):
            self._says.trouble("not_obeying", "it opens no session")

    def _on_hello(self, hello: Hello) -> None:
        opening = self._phase == "opening"
        if hello.version != VERSION:
            # Asked again each second: its firmware may be changed.
            if not opening:
                self._begin()
            detail = f"it speaks version {hello.version}, this station {VERSION}"
            self._says.trouble("other_version", detail)
        elif opening and hello.session == self._session:
            self._opened(hello)
        elif opening and hello.session == 0:
            self._open_soon()  # It has just started and may not have heard the first.
        elif not opening and hello.session != self._session:
            self._restarted()

    def _opened(self, hello: Hello) -> None:
        says = self._says
        self._phase = "open"
        self._hello = hello
        self._known = (self._session, 0)
        self._ping_at = says.now_ns + _PING_NS
        # A part that is still at fault is told again in the new session.
        for code in ("other_version", "not_obeying", "restarted", *_PART_TROUBLES.values()):
            says.over(code)
        says.say(Identified(*says.at, hello.identity))
        if self._settings.sensor and "card_out" not in hello.abilities:
            says.trouble("no_sensor", "the settings count on a card-out sensor; it has none")
        else:
            says.over("no_sensor")
        self._tell()

    def _restarted(self) -> None:
        """It knows no session of ours: what it saw meanwhile is not known."""
        detail = "it has started again; it is told its state anew"
        self._says.say(Note(*self._says.at, "restarted", detail))
        if self._settings.sensor:
            self._says.trouble("restarted", detail)
        self._begin()

    def _on_pong(self, pong: Pong) -> None:
        if pong.session != self._session:
            self._restarted()
        elif pong.safe and self._orders.any_told:
            detail = "it missed us and fell back to its safe state; it is told its state anew"
            self._says.note("fell_back", detail)
            self._orders.forget()
            self._tell()

    def _tell(self) -> None:
        if self._phase != "open" or self._wanted is None or self._hello is None:
            return
        if self._orders.wish(self._wanted, self._hello):
            self._orders.tell(self._heard_ns)

    def _on_answer(self, answer: Answer) -> None:
        if not answer.why:
            self._orders.confirmed(answer.number, self._heard_ns)
        elif answer.why == "closed":
            self._restarted()
        elif not self._orders.refused(answer.number, answer.why, self._heard_ns):
            self._says.note("refused", f"{answer.number} {answer.why}"[:40])

    # --- what it tells --------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        self._write.append(line(f"ack {event.number}"))
        says, (session, last) = self._says, self._known
        step = (event.number - last) % EVENTS
        # In a session nothing was heard in, any number is news.
        if last and (step == 0 or step > EVENTS // 2):
            return
        if step > 1:
            detail = f"{step - 1} before number {event.number}"
            says.say(Trouble(*says.at, "events_lost", detail))
            says.say(TroubleOver(*says.at, "events_lost"))
        self._known = (session, event.number)
        if event.age_ms >= LATE_MS:
            says.say(Note(*says.at, "late_event", f"{event.what} {event.age_ms} ms ago"))
        self._happened(event)

    def _happened(self, event: Event) -> None:
        says = self._says
        match event.what:
            case "help" | "cut_card":
                says.say(Button(*says.at, event.what))
            case "card_out" if self._settings.sensor:
                device, at_ns, raw = says.at
                # It waited to be told, or to be told again: it happened before.
                says.say(CardOut(device, at_ns - event.age_ms * _MS, raw))
            case "card_out":
                says.say(Note(*says.at, "card_out", "no witness here: sensor = false"))
            case "badge" if not event.text:
                says.say(Note(*says.at, "bad_event", "a badge without text"))
            case "badge" if event.age_ms >= BADGE_LATE_MS:
                says.say(Note(*says.at, "late_badge", "its bearer may be gone: not taken"))
            case "badge":
                says.say(Badge(*says.at, event.text))
            case "fault" | "well":
                self._part(event.text, well=event.what == "well")
            case _:
                says.say(Note(*says.at, "unknown_event", event.what))

    def _part(self, part: str, *, well: bool) -> None:
        code = _PART_TROUBLES.get(part, "")
        if not code or (part == "card_out" and not self._settings.sensor):
            what = "well again" if well else "at fault"
            self._says.say(Note(*self._says.at, "part", f"{part} {what}"))
        elif well:
            self._says.over(code, part)
        else:
            self._says.trouble(code, part, part)

    # --- lines ----------------------------------------------------------------------------

    def _judge(self, cut: Cut) -> None:
        self._says.raw = cut.raw
        meant = None if cut.fault else meaning(cut.words)
        why = _FAULT_MEANS.get(cut.fault, "" if meant else "unknown to this protocol version")
        self._frames.append(Frame(cut.words[0] if cut.words else "line", cut.raw, why))
        if meant is not None:
            self._heard_ns = self._says.now_ns
            self._bad = 0
            self._says.over("silent")
            self._says.over(CHECK_BAUD)
            self._take(meant)
        elif cut.fault in ("", "chatter"):
            name = "chatter" if cut.fault else "unknown_line"
            self._says.note(name, printable(cut.raw.strip()))
        else:
            self._bad = min(self._bad + 1, BAD_LINES)
            self._says.note("bad_line", why)
            if self._bad == BAD_LINES:
                detail = f"{BAD_LINES} unreadable lines in a row: check the board's baud rate"
                self._says.trouble(CHECK_BAUD, detail)
        self._says.raw = b""

    def _take(self, meant: Hello | Pong | Event | Answer) -> None:
        # Before the session is open only its hello counts: an event is then of an earlier one, or
        # comes again.
        if isinstance(meant, Hello):
            self._on_hello(meant)
        elif self._phase != "open":
            return
        elif isinstance(meant, Pong):
            self._on_pong(meant)
        elif isinstance(meant, Event):
            self._on_event(meant)
        else:
            self._on_answer(meant)

    def _listen(self) -> None:
        if self._phase != "shut" and self._says.now_ns - self._heard_ns >= self._silent_ns:
            self._says.trouble("silent", f"no line for {self._settings.silent_ms} ms")

    def _out(self) -> Out:
        out = Out(self._says.take(), tuple(self._write), self._wake_at(), tuple(self._frames))
        self._write.clear()
        self._frames.clear()
        return out

    def _wake_at(self) -> int | None:
        if self._phase == "shut":
            return None
        times = [self._open_at if self._phase == "opening" else self._ping_at]
        if self._orders.retry_at is not None:
            times.append(self._orders.retry_at)
        if not self._says.troubled("silent"):
            times.append(self._heard_ns + self._silent_ns)
        return min(times)
