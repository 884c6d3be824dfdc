"""The rules about events, for which the conformance kit needs a person at the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hw_sim.board_line import Said
from hw_sim.board_talk import Failed, NotAvailable, NotChecked, Talk
from hw_sim.models.board_lines import write

ASKED = {
    "help": "press the help button, once",
    "cut_card": "press the button for the cut card, once",
    "card_out": "draw one card past the sensor",
    "badge": "show a badge",
}
RESET = "press the board's reset button"
REPEAT_S = 0.3
SLACK_S = 0.15
# Two repeats would have come by then.
QUIET_S = 0.7


@dataclass(frozen=True)
class Event:
    """An event line."""

    number: int
    age_ms: int
    what: str
    text: str
    at_s: float


class EventChecks:
    """Rules B17 to B20."""

    def __init__(
        self, talk: Talk, say: Callable[[str], None], *, person: bool, patience_s: float
    ) -> None:
        self._talk = talk
        self._say = say
        self._person = person
        self._patience_s = patience_s

    def rules(self) -> dict[str, Callable[[], None]]:
        """By name, in order."""
        first, *others = [what for what in ASKED if what in self._talk.abilities] or [""]
        rules: dict[str, Callable[[], None]] = {
            "B17 events": lambda: self._events(first),
            "B18 one press": lambda: self._one_press(first),
            "B19 new session": lambda: self._new_session(first),
        }
        for what in others:
            rules[f"B17 {what}"] = lambda what=what: self._comes(what)  # type: ignore[misc]
        return rules | {"B20 restart": self._restart}

    def _events(self, what: str) -> None:
        talk = self._talk
        self._needs(what)
        talk.renew()
        self._ask(what)
        first = self._wait(what, 1, "1")
        last = first
        for _ in range(3):
            again = self._next("1", REPEAT_S + SLACK_S, f"event 1 again after {REPEAT_S} s")
            gap = again.at_s - last.at_s
            if gap < REPEAT_S - SLACK_S:
                raise Failed(f"{REPEAT_S} s between repeats", f"{gap:.2f} s")
            older = (again.age_ms - last.age_ms) / 1000
            if abs(older - gap) > SLACK_S:
                raise Failed(f"an age that grows by {gap:.2f} s", f"{older:.2f} s more")
            last = again
        self._ack(1)
        talk.quiet("event", QUIET_S, "no event after its ack")

    def _one_press(self, what: str) -> None:
        self._needs(what)
        self._talk.renew()
        for number in (1, 2):
            self._ask(what)
            self._wait(what, number, str(number))
            self._ack(number + 76)
            expected = f"event {number} again after ack {number + 76}"
            self._next(str(number), REPEAT_S + SLACK_S, expected)
            self._ack(number)
            self._talk.quiet("event", QUIET_S, "one event from one press")

    def _new_session(self, what: str) -> None:
        talk = self._talk
        self._needs(what)
        talk.renew()
        self._ask(what)
        self._wait(what, 1, "1")
        self._ack(1)
        talk.quiet("event", QUIET_S, "one event from one press")
        self._ask(what)
        self._wait(what, 2, "2")
        old = talk.session
        talk.renew(old=old + 500, last=2)
        expected = f"event 1 ... {what}, numbered anew, after open {talk.session} {old + 500} 2"
        self._next("1", 1.0, expected)
        talk.renew(old=talk.session, last=1)
        talk.quiet("event", QUIET_S, "no event that OLD and LAST of open say was taken")

    def _comes(self, what: str) -> None:
        self._needs(what)
        self._talk.renew()
        self._ask(what)
        event = self._wait(what, 1, "1")
        if what == "badge" and not 1 <= len(event.text) <= 32:
            raise Failed("1 to 32 characters of the badge", repr(event.text))
        self._ack(1)
        self._talk.quiet("event", QUIET_S, f"one event from one {what}")

    def _restart(self) -> None:
        talk = self._talk
        if not self._person:
            raise NotChecked("nobody is asked to restart it")
        talk.renew()
        self._say(f"-> {RESET}")
        until = talk.lines.wire.now() + self._patience_s
        while talk.lines.wire.now() < until:
            talk.lines.wire.send(write("ping"))
            got = self._hello_or_pong(0.5)
            if got is None:
                continue
            session = got.words[2 if got.words[0] == "hello" else 1]
            if session == "0":
                return
            if got.words[0] == "hello":
                raise Failed("session 0 after a restart", got.text)
        raise NotChecked(f"it was not restarted within {self._patience_s:g} s")

    # --- what the contract is made of ----------------------------------------------------------

    def _needs(self, what: str) -> None:
        if not what:
            raise NotAvailable("it has no buttons, sensor or badge reader")
        if not self._person:
            raise NotChecked(f"nobody is asked to {ASKED[what]}")

    def _ask(self, what: str) -> None:
        self._say(f"-> {ASKED[what]}")

    def _ack(self, number: int) -> None:
        self._talk.lines.wire.send(write("ack", number))

    def _wait(self, what: str, number: int, shown: str) -> Event:
        """The event a person makes. The board is pinged meanwhile, as a station does."""
        until = self._talk.lines.wire.now() + self._patience_s
        while self._talk.lines.wire.now() < until:
            got = self._talk.event(1.0)
            if got is None:
                self._talk.lines.wire.send(write("ping"))
                continue
            event = _event(got)
            if (event.what, event.number) != (what, number):
                raise Failed(f"event {shown} ... {what}", got.text)
            return event
        raise Failed(f"event {shown} ... {what}", f"nothing within {self._patience_s:g} s")

    def _next(self, number: str, seconds: float, expected: str) -> Event:
        got = self._talk.event(seconds)
        if got is None or got.words[1:2] != (number,):
            raise Failed(expected, self._talk.shown(got))
        return _event(got)

    def _hello_or_pong(self, seconds: float) -> Said | None:
        until = self._talk.lines.wire.now() + seconds
        while (got := self._talk.lines.next(until)) is not None:
            if got.words[0] in ("hello", "pong") and len(got.words) > 2 - (got.words[0] == "pong"):
                return got
        return None


def _event(said: Said) -> Event:
    words = said.words
    if len(words) < 4 or not words[1].isdigit() or not words[2].isdigit():
        raise Failed("event NUMBER AGE WHAT", said.text)
    text = words[4] if len(words) > 4 else ""
    return Event(int(words[1]), int(words[2]), words[3], text, said.at_s)
