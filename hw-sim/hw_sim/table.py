"""A whole test table: shoe, daemon, supervisor, dealer, console and players, and its end.

They start one after the other, each only when the one before has done its part, so that a seed
gives the same facts each time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hw_sim.children import Child, ChildError, station_command
from hw_sim.link import Message, StationLink
from hw_sim.models.registry import DEFAULT, kind_of
from hw_sim.table_config import TableDir, TableError
from hw_sim.view import RoundView

START_S = 30.0
LOOK_S = 0.2
SETTLE_S = 2.0
CAMERA_AGAIN_S = 3.0
CONSOLE_RESTARTS = 3
CONSOLE_WINDOW_S = 60.0
END_ORDER = ("players", "dealer", "staff", "console", "daemon", "shoe", "board")


class _Ended(Exception):
    """Somebody ended the table."""


@dataclass(frozen=True)
class Pace:
    """How fast people are, in seconds. `again`: until a card not read is presented again."""

    dealer: float
    again: float
    staff: float
    players: float
    betting: float


PACES = {"real": Pace(0.9, 3.0, 1.5, 1.2, 3.0), "fast": Pace(0.02, 1.0, 0.05, 0.02, 0.02)}


@dataclass(frozen=True)
class TableSettings:
    """What `hw-sim table` was asked for. `rounds` 0: until it is ended. `host`: `link`, `chairs`,
    or "" for what the table's file says. `cut`: cards before the cut card of each shoe. `kind` of
    the shoe's reader, "" for what the file says; `board`: a table board is there too. `wire`: of
    the reader, see `hw_sim.wires`. `code`: what a camera finds on the cards, "" for what the file
    says.
    """

    seed: int
    rounds: int = 0
    language: str = "ko"
    pace: str = "real"
    console: bool = True
    errors: float = 0.0
    seats: str = "1,3,5"
    decks: int = 8
    strategy: str = "basic"
    behind: int = 3
    host: str = ""
    cut: int | None = None
    kind: str = ""
    board: bool = False
    wire: str = "perfect"
    code: str = ""


class Table:
    """One run. `run` returns the exit code; everything it started has ended then."""

    def __init__(
        self,
        directory: TableDir,
        settings: TableSettings,
        view: RoundView,
        emit: Callable[[str, str], None],
    ) -> None:
        self.dir = directory
        self.settings = settings
        self.snapshot: Message = {}
        self._pace = PACES[settings.pace]
        self._view = view
        self._emit = emit
        self._children: dict[str, Child] = {}
        self._link: StationLink | None = None
        self._stopping = False
        self._console_starts: deque[float] = deque()

    def stop(self) -> None:
        """End it; from a signal handler."""
        self._stopping = True
        if self._link is not None:
            self._link.wake()

    def run(self) -> int:
        """Start all, watch, end all. Raises TableError or ChildError when a part fails."""
        try:
            self._start()
            while not self._finished():
                self._look()
            self._show_news(LOOK_S)
        except _Ended:
            self._show_news(0.0)
        finally:
            self._end()
        return 0

    # --- start ------------------------------------------------------------------------------

    def _start(self) -> None:
        self._check_file()
        if "board" in self.dir.kinds().values():
            self._start_board()
        self._start_shoe()
        self._start_daemon()
        self._link = StationLink(self.dir.socket, "pit", "test-table")
        self._until(_all_up, "the shoe's reader is up")
        if self.settings.console:
            self._start_console()
        self._start_people()

    def _start_shoe(self) -> None:
        self._start_child(
            "shoe",
            *_hw_sim("shoe"),
            *("--link", str(self.dir.shoe_link), "--control", str(self.dir.shoe_control)),
            *("--seed", str(self.settings.seed), "--decks", str(self.settings.decks)),
            *("--log", str(self.dir.truth)),
            *("--kind", self.dir.kinds().get("shoe", "text-line"), "--wire", self.settings.wire),
            *self.dir.shoe_options(),
            *(("--cut", str(self.settings.cut)) if self.settings.cut is not None else ()),
            *(("--board", str(self.dir.board_control)) if "board" in self._children else ()),
        )
        self._until_ready("shoe")

    def _start_board(self) -> None:
        self._start_child(
            "board",
            *_hw_sim("shoe"),
            *("--kind", "board", "--seed", str(self.settings.seed)),
            *("--link", str(self.dir.board_link), "--control", str(self.dir.board_control)),
            *("--log", str(self.dir.board_truth)),
        )
        self._until_ready("board")

    def _start_daemon(self) -> None:
        self._start_child("daemon", station_command(), "run", "--config", str(self.dir.config))
        self._until_ready("daemon")

    def _check_file(self) -> None:
        """A table's file that is there already is not changed. Known before anything is started,
        because a start is written in the table's journal.
        """
        wanted, is_ = self.settings.host, self.dir.host()
        if "" not in (wanted, is_) and wanted != is_:
            raise TableError(
                f"{self.dir.config} says host = {is_}, not {wanted}; change it there or choose "
                "another --dir"
            )
        kinds = self.dir.kinds()
        kind = kinds.get("shoe", self.settings.kind)
        if self.settings.kind not in ("", kind):
            raise TableError(
                f"{self.dir.config} says kind = {kind}, not {self.settings.kind}; change it there "
                "or choose another --dir"
            )
        code = self.dir.camera_code()
        if self.settings.code not in ("", code):
            raise TableError(
                f"{self.dir.config} says that cards bear {code}, not {self.settings.code}; choose "
                "another --dir"
            )
        if kinds and self.settings.board and "board" not in kinds.values():
            raise TableError(f"{self.dir.config} has no board; choose another --dir")

    def _host(self) -> str:
        return str(self.snapshot.get("table", {}).get("host", "link"))

    def _start_people(self) -> None:
        link = ("--socket", str(self.dir.socket), "--seed", str(self.settings.seed))
        shoe, pace = ("--shoe", str(self.dir.shoe_control)), self._pace
        staff = ("--auto", "--fresh", "--reaction", str(pace.staff))
        self._start_child("staff", *_hw_sim("staff"), *link, *shoe, *staff)
        # With a journal that goes on, the old shoe may be in play until the new one is in.
        self._until(lambda _: self._staff_has_loaded(), "a supervisor has put the shoe in")
        self._until(lambda now: now["shoe"]["state"] == "in_play", "the shoe is released")
        players: tuple[str, ...] = (
            "--seats",
            self.settings.seats,
            "--rounds",
            str(self.settings.rounds),
        )
        players += ("--think", str(pace.players), "--betting", str(pace.betting))
        players += ("--strategy", self.settings.strategy, "--behind", str(self.settings.behind))
        # Nobody is quicker than the shoe; a hand is up to 30 % quicker than it usually is.
        kind = kind_of(self.dir.kinds().get("shoe", DEFAULT))
        reaction = max(pace.dealer, kind.card_ms / 700)
        # A card before a camera is read when it is out, not when it begins to move.
        again = max(pace.again, CAMERA_AGAIN_S) if kind.port == "frames" else pace.again
        dealer: tuple[str, ...] = ("--reaction", str(reaction), "--again", str(again))
        dealer += ("--errors", str(self.settings.errors))
        if self._host() == "chairs":
            # He keys what the players do, so he is all the people there are.
            self._start_child("dealer", *_hw_sim("dealer"), *link, *shoe, *dealer, *players)
            return
        self._start_child("dealer", *_hw_sim("dealer"), *link, *shoe, *dealer)
        self._until(lambda now: bool(now["staff"]["dealer"]), "a dealer is at the table")
        books = ("--ledger", str(self.dir.ledger))
        self._start_child("players", *_hw_sim("players"), *link, *players, *books)

    def _staff_has_loaded(self) -> bool:
        return b" puts in shoe " in self._children["staff"].printed()

    def _start_console(self) -> None:
        environment = dict(os.environ)
        command = [station_command(), "console", "--socket", str(self.dir.socket)]
        command += ["--language", self.settings.language]
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
            command += ["--screenshots", str(self.dir.screenshots)]
        self._console_starts.append(time.monotonic())
        self._start_child("console", *command, environment=environment)

    def _start_child(
        self, name: str, *command: str, environment: Mapping[str, str] | None = None
    ) -> None:
        # A console owns no truth: it need not be asked kindly when nobody is left to ask.
        death = signal.SIGKILL if name == "console" else signal.SIGTERM
        self._children[name] = Child(
            name, command, self.dir.logs, environment=environment, at_parents_death=death
        )

    # --- waiting ----------------------------------------------------------------------------

    def _until_ready(self, name: str) -> None:
        child, limit = self._children[name], time.monotonic() + START_S
        while not child.is_ready():
            self._check_children()
            if time.monotonic() > limit:
                raise TableError(
                    f"{name} is not ready after {START_S:.0f} s:\n{child.last_lines()}"
                )
            time.sleep(0.02)

    def _until(self, is_true: Callable[[Message], bool], what: str) -> None:
        limit = time.monotonic() + START_S
        while not (self.snapshot and is_true(self.snapshot)):
            if time.monotonic() > limit:
                raise TableError(f"not after {START_S:.0f} s: {what}; logs are in {self.dir.logs}")
            self._look()

    def _look(self) -> None:
        """Show what came, and see that everybody is alive. Raises _Ended when told to end."""
        self._show_news(LOOK_S)
        self._check_children()

    def _show_news(self, wait_s: float) -> None:
        for message in self._link.poll(wait_s) if self._link is not None else []:
            if message.get("type") == "snapshot":
                self.snapshot = message
                self._view.show(message)

    def _finished(self) -> bool:
        last = self._children.get(self._last())
        return bool(self.settings.rounds and last and last.code == 0)

    def _last(self) -> str:
        """Whose end is the table's, once the rounds asked for are played."""
        return "dealer" if self._host() == "chairs" else "players"

    def _check_children(self) -> None:
        if self._stopping:
            # A signal to the whole group ends children too: that is no failure.
            raise _Ended
        for name, child in list(self._children.items()):
            if child.code is None or (name == self._last() and self._finished()):
                continue
            if name == "console":
                self._console_ended(child)
                continue
            raise ChildError(
                f"{name} {child.how_it_ended()}; its last lines:\n{child.last_lines()}"
            )

    def _console_ended(self, child: Child) -> None:
        """Closed by hand: the end. Crashed: once more, unless it crashes again and again."""
        if child.code == 0:
            self._emit("console closed: the test table ends", "bold")
            self._stopping = True
            return
        now = time.monotonic()
        while self._console_starts and now - self._console_starts[0] > CONSOLE_WINDOW_S:
            self._console_starts.popleft()
        said = f"console {child.how_it_ended()}; its last lines:\n{child.last_lines()}"
        child.end()
        if len(self._console_starts) > CONSOLE_RESTARTS:
            raise ChildError(
                f"{said}\nIt was restarted {CONSOLE_RESTARTS} times; see also --no-console"
            )
        self._emit(f"{said}\nit is started again", "yellow")
        self._start_console()

    # --- end --------------------------------------------------------------------------------

    def _end(self) -> None:
        """Everybody goes, whatever else fails on the way."""
        try:
            self._end_in_order()
        finally:
            for child in self._children.values():
                child.end()
            if self._link is not None:
                self._link.close()
            place = self.dir
            for left in (
                place.socket,
                place.shoe_control,
                place.shoe_link,
                place.board_control,
                place.board_link,
            ):
                left.unlink(missing_ok=True)
            self.dir.close()

    def _end_in_order(self) -> None:
        """Nobody is waited for without end. The station writes down that the players and the
        supervisor left before the next one goes, so that the facts' order is always the same.
        """
        for name in END_ORDER:
            child = self._children.get(name)
            if child is None:
                continue
            self._show_news(0.0)
            seen = _version(self.snapshot)
            if not child.end():
                self._emit(f"{name} did not end by itself and was killed", "red")
            del self._children[name]
            self._settle(name, seen)

    def _settle(self, name: str, seen: int) -> None:
        limit = time.monotonic() + SETTLE_S
        link = self._link
        while link is not None and link.connected and not self._has_left(name, seen):
            if time.monotonic() > limit:
                return
            self._show_news(LOOK_S)

    def _has_left(self, name: str, seen: int) -> bool:
        """Whether the station has written down what it writes when that one leaves."""
        if name == "players":
            return not self.snapshot.get("host", {}).get("connected")
        return name != "staff" or _version(self.snapshot) > seen


def _hw_sim(command: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "hw_sim.cli", command)


def _version(snapshot: Message) -> int:
    return int(snapshot.get("version", 0))


def _all_up(snapshot: Message) -> bool:
    devices = snapshot.get("devices", [])
    return bool(devices) and all(device["health"] == "up" for device in devices)
