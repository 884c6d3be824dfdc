"""A soak: a whole table unattended, in which things go wrong, for thousands of rounds.

Station: a child process. Virtual shoe, dealer, supervisor and players: here, in one loop, over the
station's real socket and the reader's real port. At the end `soak_verdict` compares.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hw_sim.children import Child, station_command
from hw_sim.client import Client
from hw_sim.dealer import DealerSettings
from hw_sim.device_server import DeviceServer, DeviceSettings
from hw_sim.hosting import BETWEEN
from hw_sim.ledger import Ledger
from hw_sim.players import PlayersSettings
from hw_sim.soak_faults import FaultPlan
from hw_sim.soak_people import Felt, SoakControl, SoakDealer, SoakPlayers, SoakStaff
from hw_sim.staff import StaffSettings
from hw_sim.table_config import TableDir, TableError, config_text

START_S = 30.0
STUCK_S = 60.0
LOOK_S = 0.1
# The station's memory is first looked at after so many rounds.
WARM_ROUNDS = 5
# Its codes tell the face alone, and only time tells two of them apart.
BY_TIME = ("bee-tek",)
# Settings of the station's device, so that nobody waits longer than a fault lasts.
QUICK = {
    "text-line": "idle_ms = 150\n",
    "gm65": "idle_ms = 150\n",
    "keyboard": "idle_ms = 200\n",
}
# A card that is not read is presented again after so long.
AGAIN_S, CAMERA_AGAIN_S = 0.3, 3.0
CHECKED = """
[shoe]
check = "required"
two_people = true
sets = [{ letter = "A", back = "red" }, { letter = "B", back = "blue" }]
"""
SCALED = "\n[clock]\nscale = {scale}\n"


@dataclass(frozen=True)
class SoakSettings:
    """`rate`: faults a card. `errors`: share of cards at which the dealer errs by himself. `code`:
    what a camera finds printed on the cards, "" the usual. `cut`: as for `hw_sim.shoe.Shoe`.
    `checked`: two sets in rotation, each shoe checked before it goes in, by two people.
    """

    rounds: int
    seed: int
    rate: float
    kind: str = "text-line"
    wire: str = "perfect"
    board: bool = False
    errors: float = 0.0
    strategy: str = "basic"
    seats: tuple[int, ...] = (1, 3, 5)
    behind: int = 2
    code: str = ""
    cut: int | None = None
    checked: bool = False


@dataclass
class Run:
    """What a run came to, beside what is in its directory."""

    rounds: int = 0
    seconds: float = 0.0
    memory_start: int = 0
    memory_end: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    noticed: int = 0
    stuck: str = ""
    books: Ledger = field(default_factory=Ledger)


class Soak:
    """One table. `run` returns what it came to; everything it started has ended then."""

    def __init__(
        self, directory: TableDir, settings: SoakSettings, progress: Callable[[str], None]
    ) -> None:
        self.dir = directory
        self.settings = settings
        self.result = Run()
        self._progress = progress
        self._servers: list[DeviceServer] = []
        self._daemon = 0
        self._clients: list[Client] = []
        self._due: dict[int, float] = {}
        self._stopping = False
        self._log = (directory.logs / "people.log").open("a", encoding="utf-8")

    def stop(self) -> None:
        """End it after this moment; from a signal handler."""
        self._stopping = True

    @property
    def shoe(self) -> DeviceServer:
        """The virtual shoe, once it runs."""
        return self._servers[-1]

    def programs(self) -> tuple[int, int]:
        """The process numbers of the reader's own program, 0 where there is none, and of the
        station.
        """
        try:
            tasks = list(Path(f"/proc/{self._daemon}/task").iterdir())
            children = [pid for task in tasks for pid in (task / "children").read_text().split()]
        except OSError:
            children = []
        return int(children[0]) if children else 0, self._daemon

    def run(self) -> Run:
        """Raises TableError, ChildError, SocketError, LinkRefused, or an error of the device."""
        daemon: Child | None = None
        try:
            shoe = self._devices()
            self.dir.ledger.unlink(missing_ok=True)
            command = (station_command(), "run", "--config", str(self.dir.config))
            daemon = Child("daemon", command, self.dir.logs)
            self._daemon = daemon.pid
            self._until_ready(daemon)
            control = self._people(shoe)
            self._play(control, daemon)
        finally:
            for client in self._clients:
                client.link.close()
            if daemon is not None:
                self.result.memory_end = memory(daemon.pid) if daemon.code is None else 0
                daemon.end()
            for server in self._servers:
                server.close()
            self._log.close()
        return self.result

    # --- start ------------------------------------------------------------------------------

    def _devices(self) -> DeviceServer:
        wanted, place = self.settings, self.dir
        board = None
        if wanted.board:
            there = DeviceSettings(
                place.board_link, place.board_control, wanted.seed, log=place.board_truth,
                kind="board",
            )  # fmt: skip
            self._add(DeviceServer(there))
            board = SoakControl(self._servers[0], None, None)
        shoe = DeviceSettings(
            place.shoe_link,
            place.shoe_control,
            wanted.seed,
            log=place.truth,
            kind=wanted.kind,
            wire=wanted.wire,
            cut=wanted.cut,
            options=self._options(),
        )
        return self._add(DeviceServer(shoe, board=board))

    def _options(self) -> tuple[tuple[str, str], ...]:
        """How the virtual shoe is set up, so that it fits the table's file."""
        if self.settings.kind != "camera":
            return ()
        given = [text.partition("=") for text in self.dir.shoe_options() if "=" in text]
        return tuple((name, value) for name, _, value in given)

    def _add(self, server: DeviceServer) -> DeviceServer:
        self._servers.append(server)
        server.start()
        return server

    def _until_ready(self, daemon: Child) -> None:
        limit = time.monotonic() + START_S
        while not daemon.is_ready():
            if daemon.code is not None or time.monotonic() > limit:
                raise TableError(f"the station is not ready:\n{daemon.last_lines()}")
            for server in self._servers:
                server.turn(0.02)

    def _people(self, shoe: DeviceServer) -> SoakControl:
        wanted, socket = self.settings, self.dir.socket
        felt = Felt(shoe, apart=wanted.kind not in BY_TIME)
        plan = FaultPlan(wanted.seed, wanted.rate, shoe.faults)
        control = SoakControl(shoe, plan, felt)
        self.result.faults = plan.counts
        self.result.refused = control.refused
        say = self._say
        people = StaffSettings(fresh=True, reaction_s=0.0)
        if wanted.checked:
            # A shift manager: a set that was barred by a lost card is found whole and lifted.
            people = replace(people, staff="3001", pin="3001", second="2001", second_pin="2001")
        staff = SoakStaff(socket, control, people, wanted.seed, tell=say)
        again_s = CAMERA_AGAIN_S if shoe.kind.port == "frames" else AGAIN_S
        deal = DealerSettings(reaction_s=0.0, errors=wanted.errors, again_s=again_s)
        dealer = SoakDealer(socket, control, deal, wanted.seed, tell=say)
        play = PlayersSettings(
            wanted.seats, think_s=0.0, betting_s=0.0, strategy=wanted.strategy, behind=wanted.behind
        )
        players = SoakPlayers(socket, play, wanted.seed, tell=say)
        players.most = wanted.rounds
        for client in (staff, dealer, players):
            client.felt = felt
        self._clients = [staff, dealer, players]
        self._staff, self._players = staff, players
        return control

    def _say(self, text: str) -> None:
        self._log.write(f"{time.monotonic():.3f} {text}\n")
        self._log.flush()

    # --- play -------------------------------------------------------------------------------

    def _play(self, control: SoakControl, daemon: Child) -> None:
        began = told = moved = time.monotonic()
        seen, players = (-1, 0), self._players
        while not self._stopping:
            self._turn(control)
            now = time.monotonic()
            # A check goes on without a fact.
            check = players.snapshot.get("shoe", {}).get("check") or {}
            shown = int(players.snapshot.get("version", 0)), int(check.get("read", 0))
            if shown != seen:
                seen, moved = shown, now
            self.result.rounds = players.over
            if not self.result.memory_start and self.result.rounds >= WARM_ROUNDS:
                self.result.memory_start = memory(daemon.pid)
            if now - told > 1.0:
                told = now
                self._tell(now - began)
            if self.result.rounds >= self.settings.rounds and self._may_end():
                break
            if now - moved > STUCK_S or daemon.code is not None:
                self.result.stuck = self._where(daemon)
                break
        self.result.seconds = time.monotonic() - began
        self.result.noticed = self._staff.noticed
        self.result.books = players.ledger

    def _may_end(self) -> bool:
        """Between two rounds, nothing in doubt."""
        now = self._players.snapshot
        return now.get("phase") in BETWEEN and not now.get("holds")

    def _turn(self, control: SoakControl) -> None:
        """Wait for whatever comes first, and let whoever is due do what is his."""
        now = time.monotonic()
        control.strike_due(now)
        waits = [LOOK_S, *(due - now for due in self._due.values())]
        waits += [wait for server in self._servers if (wait := server.wait_s()) is not None]
        later = control.wait_s()
        waits += [] if later is None else [later]
        watched = [server.fileno() for server in self._servers]
        watched += [client.link.fileno() for client in self._clients if client.link.connected]
        ready, _, _ = select.select(watched, [], [], max(0.0, min(waits)))
        for server in self._servers:
            server.turn(0.0)
        now = time.monotonic()
        for number, client in enumerate(self._clients):
            if client.link.fileno() in ready or now >= self._due.get(number, 0.0):
                wait = client.turn(0.0)
                self._due[number] = now + (1.0 if wait is None else min(wait, 1.0))

    def _tell(self, seconds: float) -> None:
        rounds, struck = self.result.rounds, sum(self.result.faults.values())
        void = self._players.ledger.void
        self._progress(
            f"{rounds} of {self.settings.rounds} rounds, {void} void, {struck} faults, "
            f"{rounds / seconds:.1f} rounds/s"
        )

    def _where(self, daemon: Child) -> str:
        if daemon.code is not None:
            return f"the station {daemon.how_it_ended()}:\n{daemon.last_lines()}"
        now = self._players.snapshot
        prompt = now.get("prompt", {}).get("text", {}).get("en", "")
        holds = [f"{hold['code']} {hold['what']['en']}" for hold in now.get("holds", [])]
        shoe = now.get("shoe", {})
        return (
            f"nothing happens any more at round {now.get('round')}: {prompt}; holds {holds}; "
            f"shoe {shoe.get('id')} {shoe.get('state')}; phase {now.get('phase')}"
        )


def table_file(settings: SoakSettings, place: Path) -> str:
    """The table's file of a soak."""
    # Windows are short for players who say nothing; a sensor's second is scaled along.
    scale = 1 if settings.strategy == "basic" else (3 if settings.board else 100)
    return config_text(
        kind=settings.kind,
        place=place,
        board=settings.board,
        device=QUICK.get(settings.kind, ""),
        code=settings.code,
        rules=SCALED.format(scale=scale) + (CHECKED if settings.checked else ""),
    )


def memory(pid: int) -> int:
    """Resident set of a process, KiB; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)
