"""The conformance kit: right boards keep every rule, and each wrong one is told by its rule."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hw_sim import board_check
from hw_sim.models.base import Piece
from hw_sim.models.board import ABILITIES, Board, Happening
from hw_sim.models.board_lines import write
from tests.support.board_person import Person, Served, orders
from tests.support.pty import VirtualSerial

WIRE_MS = 2


class Memory:
    """A wire to a virtual board, on a clock of its own: nothing waits."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.now_ms = 0
        self._order = count()
        self._coming: list[tuple[int, int, bytes]] = []
        self.take(board.start(0))

    def send(self, data: bytes) -> None:
        self.take(self.board.heard(data, self.now_ms))

    def do(self, fault: str, **params: Any) -> None:
        defaults = {key: value for key, (value, _) in self.board.faults[fault].params.items()}
        self.take(self.board.do(fault, defaults | params, self.now_ms))

    def receive(self, wait_s: float) -> bytes:
        until = self.now_ms + max(1, round(wait_s * 1000))
        while True:
            wake = self.board.wake_at_ms
            arrives = self._coming[0][0] if self._coming else until
            if wake is not None and wake <= min(arrives, until):
                self.now_ms = max(self.now_ms, wake)
                self.take(self.board.tick(self.now_ms))
            elif self._coming and arrives <= until:
                self.now_ms = max(self.now_ms, arrives)
                return heapq.heappop(self._coming)[2]
            else:
                self.now_ms = until
                return b""

    def now(self) -> float:
        return self.now_ms / 1000

    def take(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            at = self.now_ms + piece.at_ms + WIRE_MS
            heapq.heappush(self._coming, (at, next(self._order), piece.data))


def checked(board: Board, *, person: bool = True) -> tuple[int, dict[str, str]]:
    """The exit code, and of each rule what was said."""
    wire = Memory(board)
    out = Person(lambda what, params: wire.do(what, **params))
    code = board_check.check(wire, out, person=person, patience_s=5.0)
    return code, out.rules


def test_the_virtual_board_keeps_every_rule() -> None:
    code, rules = checked(Board())
    assert set(rules.values()) == {"pass"}
    assert code == 0
    assert {name.split()[0] for name in rules} == {f"B{n}" for n in range(1, 21)}


def test_without_a_person_what_needs_one_is_not_checked() -> None:
    code, rules = checked(Board(), person=False)
    assert code == 0
    unchecked = {name.split()[0] for name, said in rules.items() if said.startswith("not checked")}
    assert unchecked == {"B17", "B18", "B19", "B20"}


@pytest.mark.parametrize("ability", ["help", "light", "lamps=3", "brake", "badge", "card_out"])
def test_a_board_of_one_ability_keeps_every_rule_there_is(ability: str) -> None:
    code, rules = checked(Board(ability))
    assert code == 0
    assert {said.split(":")[0] for said in rules.values()} <= {"pass", "not available"}
    outputs = ability in ("light", "lamps=3", "brake")
    assert rules["B6 set"].startswith("pass" if outputs else "not available")
    assert rules["B18 one press"].startswith("not available" if outputs else "pass")


def test_a_board_that_prints_debug_text_keeps_to_the_protocol() -> None:
    class Chatty(Board):
        def _said(self, line: bytes) -> list[Piece]:
            return [Piece(0, b"debug: loop\r\n"), Piece(0, line)] if line else []

    assert checked(Chatty())[0] == 0


def test_a_board_that_is_just_starting_is_waited_for() -> None:
    class Starting(Board):
        def start(self, now_ms: int) -> list[Piece]:
            self.do("silent", {"ms": 2500}, now_ms)
            return super().start(now_ms)

    assert checked(Starting(), person=False)[0] == 0


# --- wrong boards --------------------------------------------------------------------------


class Wrong(Board):
    """Breaks one rule: `answer` may change what it says to a line, `None` says nothing special."""

    def _understand(self, words: list[str], now_ms: int) -> list[Piece]:
        changed = self.answer(words, now_ms)
        return super()._understand(words, now_ms) if changed is None else changed

    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return None


def instead(old: bytes, new: bytes) -> type[Board]:
    """A board in whose lines this stands in place of that."""

    class Instead(Board):
        def _said(self, line: bytes) -> list[Piece]:
            body = line[1:-6].replace(old, new)
            return super()._said(write(body.decode()) if body != line[1:-6] else line)

    return Instead


class LowerCaseCheck(Board):
    def _said(self, line: bytes) -> list[Piece]:
        return [Piece(0, line[:-5] + line[-5:].lower())]


class LongHello(Board):
    def _hello_words(self) -> Any:
        return (*super()._hello_words(), "x" * 60)


class AnotherHelloAtTheSameOpen(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] == "open" and words[2] == str(self._session):
            return self._answer("hello", 1, self._session, "other", "2.0", "-", "help")
        return None


class TakesAnyVersion(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] == "open":
            return self._open("1", words[2], words[3], words[4], now_ms)
        return None


class NeverPongs(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return [] if words[0] == "ping" else None


class SlowPong(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words != ["ping"]:
            return None
        return [Piece(400, write("pong", self._session))]


class ConfirmsOnce(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] != "set" or words[1] != getattr(self, "last", ""):
            self.last = words[1] if words[0] == "set" else ""
            return None
        return []


class NoBlue(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return self._answer("no", words[1], "value") if "blue" in words else None


class TakesAnyValue(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] == "set" and words[2] in ("light", "brake") and self._session:
            return self._answer("ok", words[1])
        return None


class Pretends(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] == "set" and words[2] == "chime" and self._session:
            return self._answer("ok", words[1])
        return None


class IgnoresUnknownWords(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return [] if words[0] == "dance" else None


class IgnoresTheCheck(Board):
    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        body = data.rstrip(b"\n")[1:].partition(b"*")[0]
        right = data.startswith(b"$set ") and data.endswith(b"\n")
        return super().heard(write(body.decode()) if right else data, now_ms)


class NoLimit(Board):
    def __init__(self) -> None:
        super().__init__()
        self._ear._limit = 1000


class StopsShort(Board):
    def _boot(self, now_ms: int) -> None:
        super()._boot(now_ms)
        self._ear._limit = 31


class WaitsForTheLineEnd(Board):
    """`$` in the middle of a line does not begin a new one."""

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        pieces: list[Piece] = []
        self.rest = getattr(self, "rest", b"") + data
        while b"\n" in self.rest:
            line, _, self.rest = self.rest.partition(b"\n")
            pieces += super().heard(b"$" + line[1:].replace(b"$", b"?") + b"\n", now_ms)
        return pieces


class CountsTheWords(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        long = {"ping": 1, "set": 4}.get(words[0], 9)
        return self._answer("no", 0, "unknown") if "later" in words and len(words) > long else None


class NeverSafe(Board):
    def tick(self, now_ms: int) -> list[Piece]:
        self._heard_ms = now_ms
        return super().tick(now_ms)


class SafeTooSoon(Board):
    def tick(self, now_ms: int) -> list[Piece]:
        self._heard_ms -= 1500 if now_ms - self._heard_ms >= 1500 else 0
        return super().tick(now_ms)


class SafeForEver(Board):
    def _set(self, count: str, key: str, value: str) -> list[Piece]:
        pieces = super()._set(count, key, value)
        self._safe = True
        return pieces


class NeverCloses(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return self._answer("no", 0, "unknown") if words[:3] == ["open", "1", "0"] else None


class ObeysWhenClosed(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return self._answer("ok", words[1]) if words[0] == "set" and not self._session else None


class SendsOnce(Board):
    def _send_event(self, now_ms: int) -> list[Piece]:
        pieces = super()._send_event(now_ms)
        self._resend_at = None
        return pieces


class SendsTooOften(Board):
    def _send_event(self, now_ms: int) -> list[Piece]:
        pieces = super()._send_event(now_ms)
        self._resend_at = now_ms + 100 if self._resend_at else None
        return pieces


class NeverStops(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return [] if words[0] == "ack" else None


class NeverAges(Board):
    def _send_event(self, now_ms: int) -> list[Piece]:
        for event in self._events:
            event.at_ms = now_ms
        return super()._send_event(now_ms)


class Bounces(Board):
    def _press(self, button: str, times: int, now_ms: int) -> list[Piece]:
        return super()._press(button, times + 1, now_ms)


class TakesAnyAck(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return (
            self._ack(self._events[0].number, now_ms)
            if words[0] == "ack" and self._events
            else None
        )


class SameNumber(Board):
    def _keep(self, what: str, now_ms: int) -> bool:
        self._events.append(Happening(1, now_ms, what))
        return True


class KeepsItsNumbers(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] == "open" and words[1] == "1" and words[2] not in ("0", str(self._session)):
            self._session = int(words[2])
            if not self._events:
                self._next = 0
            return self._answer(*self._hello_words()) + self._send_event(now_ms)
        return None


class ForgetsWhatWaits(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        if words[0] == "open":
            self._events.clear()
        return None


class IgnoresOld(Wrong):
    def answer(self, words: list[str], now_ms: int) -> list[Piece] | None:
        return self._open(words[1], words[2], "0", "0", now_ms) if words[0] == "open" else None


class KeepsItsSession(Board):
    def _boot(self, now_ms: int) -> None:
        session = getattr(self, "_session", 0)
        super()._boot(now_ms)
        self._session = session


class OtherName(Board):
    def _happens(self, what: str, now_ms: int) -> list[Piece]:
        return super()._happens("cut_card" if what == "help" else what, now_ms)


class LongBadge(Board):
    def _happens(self, what: str, now_ms: int) -> list[Piece]:
        return super()._happens(what + "0" * 40 if what.startswith("badge") else what, now_ms)


WRONG: list[tuple[str, Callable[[], Board]]] = [
    ("B1 lines", LowerCaseCheck),
    ("B1 lines", LongHello),
    ("B2 open", instead(b"hello 1", b"hello 2")),
    ("B2 open", lambda: Board(ABILITIES.replace("lamps=7", "lamps=7"), serial="")),
    ("B2 open", instead(b"lamps=7", b"lamps=seven")),
    ("B3 open again", AnotherHelloAtTheSameOpen),
    ("B4 other version", TakesAnyVersion),
    ("B5 ping", NeverPongs),
    ("B5 ping", SlowPong),
    ("B5 ping", instead(b"pong 4", b"pong 5")),
    ("B6 set", ConfirmsOnce),
    ("B6 set", instead(b"ok ", b"ok 1")),
    ("B7 values", NoBlue),
    ("B8 bad value", TakesAnyValue),
    ("B9 not available", Pretends),
    ("B10 unknown word", IgnoresUnknownWords),
    ("B11 wrong check", IgnoresTheCheck),
    ("B11 wrong check", instead(b"no 0 check", b"no 0 sum")),
    ("B12 too long", StopsShort),
    ("B12 too long", instead(b"no 0 long", b"no 0 check")),
    ("B13 noise", WaitsForTheLineEnd),
    ("B14 more words", CountsTheWords),
    ("B15 safe state", NeverSafe),
    ("B15 safe state", SafeTooSoon),
    ("B15 safe state", SafeForEver),
    ("B16 closed", NeverCloses),
    ("B16 closed", ObeysWhenClosed),
    ("B17 events", SendsOnce),
    ("B17 events", SendsTooOften),
    ("B17 events", NeverStops),
    ("B17 events", NeverAges),
    ("B17 events", OtherName),
    ("B17 events", instead(b"event ", b"event 0")),
    ("B17 badge", LongBadge),
    ("B18 one press", Bounces),
    ("B18 one press", TakesAnyAck),
    ("B18 one press", SameNumber),
    ("B19 new session", KeepsItsNumbers),
    ("B19 new session", ForgetsWhatWaits),
    ("B19 new session", IgnoresOld),
    ("B20 restart", KeepsItsSession),
]


@pytest.mark.parametrize(
    ("rule", "make"), WRONG, ids=[f"{r}-{i}" for i, (r, _) in enumerate(WRONG)]
)
def test_a_board_that_breaks_a_rule_is_told_by_that_rule(
    rule: str, make: Callable[[], Board]
) -> None:
    code, rules = checked(make())
    assert code == 1
    failed = {name: said for name, said in rules.items() if said.startswith("fail")}
    assert rule in failed, failed
    assert failed[rule].startswith("fail: expected ")
    assert ", got " in failed[rule]


def test_nothing_there_is_told_at_once_and_ends_it() -> None:
    class Dead(Board):
        def start(self, now_ms: int) -> list[Piece]:
            return self.do("silent", {"ms": None}, now_ms)

    code, rules = checked(Dead())
    assert code == 1
    expected = "fail: expected hello within 8 s of open 1 40001 0 0, got nothing"
    assert rules == {"B2 open": expected, "B1 lines": "pass"}


def test_a_wrong_baud_rate_says_what_came() -> None:
    class Garbled(Board):
        def _said(self, line: bytes) -> list[Piece]:
            return [Piece(0, b"\xf8\xe0\x80\n")]

    code, rules = checked(Garbled())
    assert code == 1
    assert "bytes that are no text: f8 e0 80" in rules["B2 open"]


def test_a_person_who_presses_nothing_is_a_rule_failed_by_name() -> None:
    wire = Memory(Board("help"))
    out = Person(lambda what, params: None)
    assert board_check.check(wire, out, patience_s=2.0) == 1
    assert out.rules["B17 events"] == "fail: expected event 1 ... help, got nothing within 2 s"
    assert out.rules["B20 restart"].startswith("not checked")


def test_every_rule_of_the_document_is_one_of_the_kits() -> None:
    text = Path("docs/board-protocol.md").read_text(encoding="utf-8")
    documented = {line.split("|")[1].strip() for line in text.splitlines() if line[:3] == "| B"}
    assert documented == {name for name in checked(Board())[1] if name not in orders()}


# --- on a port -----------------------------------------------------------------------------


def test_on_a_port_the_virtual_board_keeps_every_rule(tmp_path: Path) -> None:
    """Over a pseudo-terminal, in real time."""
    serial = VirtualSerial(tmp_path / "board")
    serial.plug()
    served = Served(Board(), serial)
    thread = threading.Thread(target=served.run)
    thread.start()
    try:
        out = Person(served.do)
        code = board_check.run(serial.link, 115200, out, person=False)
        assert {said.split(":")[0] for said in out.rules.values()} == {"pass", "not checked"}
        assert code == 0
    finally:
        served.stop()
        thread.join(5)
        serial.unplug()


def test_no_port_is_said_and_not_a_broken_rule(tmp_path: Path) -> None:
    out = Person(lambda what, params: None)
    assert board_check.run(tmp_path / "nothing", 115200, out) == 2
    assert "cannot be opened" in out.text
    file = tmp_path / "file"
    file.touch()
    assert board_check.run(file, 115200, out) == 2
