"""Question and answer with a board, for the conformance kit."""

from __future__ import annotations

from hw_sim.board_line import Lines, Said
from hw_sim.models.board_lines import write

ANSWER_S = 0.3
HELLO_S = 1.0
LATE_S = 0.7
# A board that restarts when its port is opened needs a moment.
BOOT_TRIES = 8
ANSWERS = ("hello", "pong", "ok", "no")


class Failed(Exception):
    """A rule is broken."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected, self.got = expected, got


class NotAvailable(Exception):
    """The board has not the ability the rule is about."""


class NotChecked(Exception):
    """It needs a person, and nobody is there."""


class Talk:
    """One conversation. `session` and `hello` are those of the last `open`."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.session = 0
        self.hello: tuple[str, ...] = ()
        self._number = 0

    @property
    def abilities(self) -> set[str]:
        """The abilities in its hello, without their numbers."""
        return {word.partition("=")[0] for word in self.hello[6:]}

    @property
    def lamps(self) -> int:
        """How many seats have a lamp."""
        counts = [word[6:] for word in self.hello[6:] if word.startswith("lamps=")]
        return int(counts[0]) if counts and counts[0] in tuple("123456789") else 0

    @property
    def identity(self) -> str:
        """Name, firmware, serial number and abilities."""
        return " ".join(self.hello[3:])

    def number(self) -> int:
        """A new number for a `set`."""
        self._number = self._number % 999 + 1
        return self._number

    # --- sessions --------------------------------------------------------------------------

    def find(self, session: int) -> None:
        """Wait until a board is there at all; it may just be starting."""
        asked = ("open", 1, session, 0, 0)
        got = None
        for _ in range(BOOT_TRIES):
            got = self._hello(asked) or got
            if got is not None and got.words[2:3] != ("0",):
                self.session = session
                self.pause(LATE_S)  # It may have heard more than one.
                return
        raise Failed(f"hello within {BOOT_TRIES} s of {_text(asked)}", self.shown(got))

    def open(self, *, old: int = 0, last: int = 0) -> None:
        """A new session."""
        self.session += 1
        asked = ("open", 1, self.session, old, last)
        got = self._hello(asked)
        expected = f"hello 1 {self.session} NAME FIRMWARE SERIAL ... to {_text(asked)}"
        if got is None or got.words[:3] != ("hello", "1", str(self.session)) or len(got.words) < 6:
            raise Failed(expected, self.shown(got))
        counts = [word for word in got.words[6:] if word.startswith("lamps")]
        if any(word not in {f"lamps={n}" for n in range(1, 10)} for word in counts):
            raise Failed("lamps=1 to lamps=9 in hello", counts[0])
        self.hello = got.words

    def renew(self, *, old: int = 0, last: int = 0) -> None:
        """A new session if it can be had; whether hello is right is another rule's."""
        self.session += 1
        got = self._hello(("open", 1, self.session, old, last))
        if got is not None and len(got.words) > 5 and got.words[0] == "hello":
            self.hello = got.words

    def _hello(self, asked: tuple[object, ...]) -> Said | None:
        """The answer to an `open`; a pong that was still on its way is none."""
        return self._ask_raw(write(*asked), HELLO_S, ("hello", "no"))

    # --- question and answer ---------------------------------------------------------------

    def ask(self, words: tuple[object, ...], wait_s: float = ANSWER_S) -> Said | None:
        """Send a line; the first answer to it, None when none came in time."""
        return self._ask_raw(write(*words), wait_s)

    def expect(
        self,
        words: tuple[object, ...],
        answer: tuple[object, ...],
        *,
        wait_s: float = ANSWER_S,
        more: bool = False,
        after: str = "",
    ) -> None:
        """Send a line and fail unless that is the answer. `more`: words may follow."""
        self._expect(write(*words), answer, _text(words) + after, wait_s, more)

    def expect_raw(
        self, data: bytes, answer: tuple[object, ...], why: str, *, more: bool = False
    ) -> None:
        """The same with bytes; `why` says in words what was sent."""
        self._expect(data, answer, why, ANSWER_S, more)

    def pause(self, seconds: float) -> None:
        """Say nothing for a while."""
        until = self.lines.wire.now() + seconds
        while self.lines.next(until) is not None:
            pass

    def silent(self, seconds: float, expected: str) -> None:
        """Fail if an answer comes within that time."""
        for word in ANSWERS:
            self.quiet(word, seconds / len(ANSWERS), expected)

    def quiet(self, word: str, seconds: float, expected: str) -> None:
        """Fail if a line with that word comes within that time."""
        until = self.lines.wire.now() + seconds
        while (got := self.lines.next(until)) is not None:
            if got.words[0] == word:
                raise Failed(expected, got.text)

    def event(self, seconds: float) -> Said | None:
        """The next event, None when none came in time."""
        until = self.lines.wire.now() + seconds
        while (got := self.lines.next(until)) is not None:
            if got.words[0] == "event":
                return got
        return None

    def shown(self, got: Said | None) -> str:
        """What came, for a person."""
        if got is None:
            return "nothing" + (f" but {self.lines.wrong}" if self.lines.wrong else "")
        return got.text

    def _expect(
        self, data: bytes, answer: tuple[object, ...], why: str, wait_s: float, more: bool
    ) -> None:
        got = self._ask_raw(data, wait_s)
        wanted = tuple(str(word) for word in answer)
        if got is None or (got.words[: len(wanted)] if more else got.words) != wanted:
            self.pause(LATE_S)  # A late answer is not one to the next question.
            raise Failed(f"{_text(wanted)} to {why}", self.shown(got))

    def _ask_raw(
        self, data: bytes, wait_s: float, answers: tuple[str, ...] = ANSWERS
    ) -> Said | None:
        self.pause(0)
        self.lines.forget()
        self.lines.wire.send(data)
        until = self.lines.wire.now() + wait_s
        while (got := self.lines.next(until)) is not None:
            if got.words[0] in answers:
                return got
        return None


def _text(words: tuple[object, ...]) -> str:
    return " ".join(str(word) for word in words)
