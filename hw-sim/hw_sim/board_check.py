"""The conformance kit: says of a real board, rule by rule, whether it keeps to
docs/board-protocol.md.

Each rule is asked over the wire and answered by one line: pass; fail with what was expected and
what came; not available; not checked. For buttons, sensor, badge and restart it asks a person.
"""

from __future__ import annotations

import termios
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hw_sim.board_events import EventChecks
from hw_sim.board_line import Lines, SerialWire, Wire
from hw_sim.board_talk import Failed, NotAvailable, NotChecked, Talk
from hw_sim.models.board_lines import HEARD_LIMIT, write

COLOURS = ("green", "white", "amber", "blue", "red", "off")
FIRST_SESSION = 40_001
NOISE = b"\xff\x00\xaagarbage\r\n\x80"


class Out(Protocol):
    """Where the lines go."""

    def write(self, text: str, /) -> object:
        """A piece of text."""

    def flush(self) -> object:
        """All of it, now."""


@dataclass(frozen=True)
class Result:
    """What came of a rule. `verdict`: pass, fail, not available or not checked."""

    rule: str
    verdict: str
    why: str = ""


def run(port: Path, baud: int, out: Out, *, person: bool = True, patience_s: float = 20.0) -> int:
    """Check the board on a port. Without `person` nobody is asked to press anything.

    Returns 0 when it kept to every rule that was checked, 1 when not, 2 when there is no port.
    """
    try:
        wire = SerialWire(port, baud)
    except (OSError, termios.error) as error:
        out.write(f"{port}: cannot be opened: {error}\n")
        return 2
    try:
        return check(wire, out, person=person, patience_s=patience_s)
    except OSError as error:
        out.write(f"{port}: gone while it was checked: {error}\n")
        return 2
    finally:
        wire.close()


def check(wire: Wire, out: Out, *, person: bool = True, patience_s: float = 20.0) -> int:
    """Check the board on a wire; see `run`."""

    def say(text: str) -> None:
        out.write(text + "\n")
        out.flush()

    results = Checks(Talk(Lines(wire)), say, person=person, patience_s=patience_s).all()
    counts = dict.fromkeys(("pass", "fail", "not available", "not checked"), 0)
    for result in results:
        counts[result.verdict] += 1
    what = "does not keep" if counts["fail"] else "keeps"
    say(f"the board {what} to the protocol: " + ", ".join(f"{n} {v}" for v, n in counts.items()))
    return 1 if counts["fail"] else 0


class Checks:
    """All rules, in order. The first that fails does not end it, unless there is no board."""

    def __init__(
        self, talk: Talk, say: Callable[[str], None], *, person: bool, patience_s: float
    ) -> None:
        self._talk = talk
        self._say = say
        self._events = EventChecks(talk, say, person=person, patience_s=patience_s)
        self._results: list[Result] = []

    def all(self) -> list[Result]:
        """Every rule's result."""
        if self._rule("B2 open", self._open):
            self._others()
        self._rule("B1 lines", self._lines)
        return self._results

    def _others(self) -> None:
        rules = {
            "B3 open again": self._open_again,
            "B4 other version": self._other_version,
            "B5 ping": self._ping,
            "B6 set": self._set,
            "B7 values": self._values,
            "B8 bad value": self._bad_value,
            "B9 not available": self._not_available,
            "B10 unknown word": self._unknown_word,
            "B11 wrong check": self._wrong_check,
            "B12 too long": self._too_long,
            "B13 noise": self._noise,
            "B14 more words": self._more_words,
            "B15 safe state": self._safe_state,
            "B16 closed": self._closed,
        }
        for name, rule in (rules | self._events.rules()).items():
            self._rule(name, rule)

    def _rule(self, name: str, rule: Callable[[], None]) -> bool:
        try:
            rule()
            result = Result(name, "pass")
        except Failed as error:
            result = Result(name, "fail", f": expected {error.expected}, got {error.got}")
        except NotAvailable as error:
            result = Result(name, "not available", f": {error}")
        except NotChecked as error:
            result = Result(name, "not checked", f": {error}")
        self._results.append(result)
        self._say(f"{name:<18} {result.verdict}{result.why}")
        return result.verdict == "pass"

    # --- the session -----------------------------------------------------------------------

    def _open(self) -> None:
        self._talk.find(FIRST_SESSION)
        self._talk.open()
        self._say(f"{'':<18} it says it is: {self._talk.identity}")

    def _open_again(self) -> None:
        before = self._talk.hello
        asked = ("open", 1, self._talk.session, 0, 0)
        self._talk.expect(asked, before, wait_s=1.0)

    def _other_version(self) -> None:
        session = self._talk.session
        self._talk.expect(("open", 99, session + 1, session, 0), self._talk.hello, wait_s=1.0)
        self._talk.expect(("ping",), ("pong", session), more=True)

    def _ping(self) -> None:
        for _ in range(3):
            self._talk.expect(("ping",), ("pong", self._talk.session), more=True)

    def _closed(self) -> None:
        talk = self._talk
        got = talk.ask(("open", 1, 0, 0, 0), wait_s=1.0)
        if got is None or got.words[:3] != ("hello", "1", "0"):
            raise Failed("hello 1 0 ... to the end of the session", talk.shown(got))
        try:
            for key, value, _ in self._known():
                number = talk.number()
                talk.expect(("set", number, key, value), ("no", number, "closed"))
            talk.expect(("ping",), ("pong", 0), more=True)
            talk.quiet("event", 0.8, "no event while no session is open")
        finally:
            talk.renew()

    # --- states ----------------------------------------------------------------------------

    def _known(self) -> list[tuple[str, str, str]]:
        """What it can be told: key, a value it must take, one it must refuse."""
        able, lamps = self._talk.abilities, self._talk.lamps
        known = [("light", "green", "pink")] if "light" in able else []
        known += [("lamp", "1", str(lamps + 1))] if lamps else []
        return known + ([("brake", "on", "maybe")] if "brake" in able else [])

    def _outputs(self) -> list[tuple[str, str, str]]:
        known = self._known()
        if not known:
            raise NotAvailable("it has neither light nor lamps nor brake")
        return known

    def _tell(self, key: str, value: str, *more: str) -> None:
        number = self._talk.number()
        self._talk.expect(("set", number, key, value, *more), ("ok", number))

    def _set(self) -> None:
        for key, value, _ in self._outputs():
            number = self._talk.number()
            for _ in range(2):
                self._talk.expect(("set", number, key, value), ("ok", number))

    def _values(self) -> None:
        self._outputs()
        able = self._talk.abilities
        for colour in COLOURS if "light" in able else ():
            self._tell("light", colour)
        for seat in range(self._talk.lamps + 1) if self._talk.lamps else ():
            self._tell("lamp", str(seat))
        for state in ("off", "on") if "brake" in able else ():
            self._tell("brake", state)

    def _bad_value(self) -> None:
        for key, _, bad in self._outputs():
            number = self._talk.number()
            self._talk.expect(("set", number, key, bad), ("no", number, "value"))

    def _not_available(self) -> None:
        known = {key for key, _, _ in self._known()}
        foreign = [("chime", "on"), ("light", "green"), ("lamp", "1"), ("brake", "on")]
        for key, value in foreign:
            if key not in known:
                number = self._talk.number()
                self._talk.expect(("set", number, key, value), ("no", number, "unknown"))

    def _safe_state(self) -> None:
        talk, known = self._talk, self._known()
        pong = ("pong", str(talk.session))
        safe = (*pong, "safe") if known else pong
        if known:
            self._tell(*known[0][:2])
        talk.expect(("ping",), pong)
        talk.pause(2.0)
        talk.expect(("ping",), pong, after=" after 2 s without a line")
        talk.pause(3.5)
        talk.expect(("ping",), safe, after=" after 3.5 s without a line")
        if known:
            self._tell(*known[0][:2])
        talk.expect(("ping",), pong, after=" after a set")

    # --- lines -----------------------------------------------------------------------------

    def _lines(self) -> None:
        if self._talk.lines.wrong:
            raise Failed("$words*CCCC on every line", self._talk.lines.wrong)

    def _alive(self, before: bytes, why: str) -> None:
        ping = write("ping")
        self._talk.expect_raw(before + ping, ("pong", self._talk.session), why, more=True)

    def _unknown_word(self) -> None:
        self._talk.expect(("dance", 1), ("no", 0, "unknown"))
        self._alive(b"", "a ping after an unknown word")

    def _wrong_check(self) -> None:
        number = self._talk.number()
        line = write("set", number, "light", "red")
        for wrong in (line[:-2] + (b"0" if line[-2:-1] != b"0" else b"1") + b"\n", b"$ping\n"):
            why = f"{wrong.decode('ascii').strip()}, whose check is wrong"
            self._talk.expect_raw(wrong, ("no", 0, "check"), why)
            self._talk.silent(0.3, f"one answer to {why}")
        self._alive(b"", "a ping after a wrong check")

    def _too_long(self) -> None:
        fits = write("ping", "x" * (HEARD_LIMIT - len(write("ping", ""))))
        self._talk.expect_raw(
            fits, ("pong", self._talk.session), f"a line of {len(fits)} bytes", more=True
        )
        for size in (HEARD_LIMIT + 1, 100):
            long = write("ping", "x" * (size - len(write("ping", ""))))
            self._talk.expect_raw(long, ("no", 0, "long"), f"a line of {size} bytes")
            self._talk.silent(0.3, f"one answer to a line of {size} bytes")
        self._alive(b"", "a ping after a line that was too long")

    def _noise(self) -> None:
        self._alive(NOISE, "a ping after noise")
        self._alive(b"$set 5 li", "a ping after half a line")
        self._alive(b"$" * 3, "a ping after $$$")
        crlf = write("ping").replace(b"\n", b"\r\n")
        self._talk.expect_raw(
            crlf, ("pong", self._talk.session), "a ping ended by CR LF", more=True
        )

    def _more_words(self) -> None:
        self._talk.expect(("ping", "later", 1), ("pong", self._talk.session), more=True)
        for key, value, _ in self._known()[:1]:
            self._tell(key, value, "later")
