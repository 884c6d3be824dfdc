"""A running station for tests: a real process over a real journal, a pty for its shoe, and typed
clients on its real socket.

Nothing here sleeps: every wait is for something that is said, with a generous deadline.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from hw_sim.codes import VirtualCard
from station import messages as m
from station import snapshot as v
from station.journal import Row, open_reader, rows
from tests.support.pty import VirtualSerial

WAIT_S = 20.0

_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(m.AnyStationMessage)

CONFIG = """\
[table]
id = "T01"
kind = "test"
{table}

[clock]
scale = {scale}
{more}
[rules]
{rules}

[[devices]]
name = "shoe"
port = "shoe"
{device}
"""


class Ended(Exception):
    """The station ended the link, or is gone."""


def code(face: str, deck: int = 1, letter: str = "A") -> bytes:
    """The text of a card's code as bytes, without a terminator."""
    return VirtualCard(face, deck, letter).code.encode()


def cut_card(letter: str = "A") -> bytes:
    """The text of the cut card's code as bytes."""
    return VirtualCard("", 0, letter).code.encode()


class Client:
    """A link. A thread reads what comes, another says every half second that it is here."""

    def __init__(
        self,
        path: Path,
        role: m.LinkRole,
        name: str,
        *,
        after: int | None = None,
        beats: bool = True,
        ids: Iterator[str] | None = None,
    ) -> None:
        self.role, self.name = role, name
        self.said: list[m.AnyStationMessage] = []
        self.snapshot: v.Snapshot | None = None
        self.ended = False
        self._changed = threading.Condition()
        self._ids = ids or (f"{name}-{number}" for number in itertools.count(1))
        self._quiet = threading.Event()
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.sock.connect(str(path))
        except OSError as error:
            self.sock.close()
            raise Ended(str(error)) from error
        self.sock.settimeout(None)
        self._threads = [threading.Thread(target=self._read, daemon=True)]
        if beats:
            self._threads.append(threading.Thread(target=self._beat, daemon=True))
        self.say(m.Hello(m.PROTOCOL, role, name, after))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Hang up, and wait for the threads."""
        self._quiet.set()
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(WAIT_S)
        self.sock.close()

    # --- saying -----------------------------------------------------------------------------

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Ended(str(error)) from error

    def say(self, message: m.AnyClientMessage) -> None:
        self.raw(_encode(message) + b"\n")

    def next_id(self) -> str:
        return next(self._ids)

    def ask(self, command: m.AnyCommand, name: str | None = None) -> m.Answer:
        """A command and its answer; `name` repeats an id. Raises Ended when the station goes."""
        name = name or self.next_id()
        before = len(self.answers(name))
        self.say(m.CommandMessage(name, command))
        self.wait(lambda: len(self.answers(name)) > before, f"an answer to {name}: {command}")
        return self.answers(name)[before]

    def must(self, command: m.AnyCommand) -> m.Answer:
        """A command that is accepted, and shown."""
        answer = self.ask(command)
        assert answer.ok, (command, answer.refusal)
        self.wait_for(lambda s: s.version >= answer.version, f"version {answer.version}")
        return answer

    def refused(self, command: m.AnyCommand) -> str:
        """The code of the refusal of a command that must be refused."""
        answer = self.ask(command)
        assert not answer.ok
        assert answer.refusal is not None, command
        return answer.refusal.code

    # --- hearing ----------------------------------------------------------------------------

    def of(self, kind: type[Any]) -> list[Any]:
        """Everything of that kind that was said, in order."""
        with self._changed:
            return [message for message in self.said if isinstance(message, kind)]

    def answers(self, name: str) -> list[m.Answer]:
        return [answer for answer in self.of(m.Answer) if answer.id == name]

    @property
    def facts(self) -> list[m.HostFact]:
        return self.of(m.HostFact)

    def wait(self, done: Callable[[], bool], what: str, wait_s: float = WAIT_S) -> None:
        """Until it is so. Raises Ended when the link ends first; AssertionError when it lasts."""
        with self._changed:
            arrived = self._changed.wait_for(lambda: done() or self.ended, wait_s)
        if not done():
            if arrived:
                raise Ended(what)
            raise AssertionError(f"{self.role}:{self.name} waited {wait_s} s in vain for {what}")

    def wait_for(
        self, seen: Callable[[v.Snapshot], bool], what: str = "", wait_s: float = WAIT_S
    ) -> v.Snapshot:
        """The first snapshot, from the present one on, in which it is so."""
        try:
            self.wait(lambda: self.snapshot is not None and seen(self.snapshot), what, wait_s)
        except AssertionError as error:
            raise AssertionError(f"{error}; the last snapshot: {self.snapshot}") from None
        return self.now

    @property
    def now(self) -> v.Snapshot:
        """The present snapshot."""
        assert self.snapshot is not None, "no snapshot yet"
        return self.snapshot

    def wait_ended(self, wait_s: float = WAIT_S) -> None:
        """Until the station has ended the link."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.ended, wait_s), "the link is still open"

    def _read(self) -> None:
        buffer = b""
        while True:
            try:
                data = self.sock.recv(1 << 20)
            except OSError:
                data = b""
            *lines, buffer = (buffer + data).split(b"\n")
            messages = [_decoder.decode(line) for line in lines]
            with self._changed:
                self.said += messages
                for message in messages:
                    if isinstance(message, v.Snapshot):
                        self.snapshot = message
                self.ended = self.ended or not data
                self._changed.notify_all()
            if not data:
                return

    def _beat(self) -> None:
        beat = _encode(m.Beat()) + b"\n"
        while not self._quiet.wait(0.5):
            try:
                self.sock.sendall(beat)
            except OSError:
                return


class Station:
    """One table's folder, and the process that runs it."""

    def __init__(
        self,
        folder: Path,
        *,
        scale: float = 1.0,
        rules: str = "",
        device: str = "",
        more: str = "",
        table: str = "",
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.log = folder / "errors"
        self.config = folder / "table.toml"
        self.config.write_text(
            CONFIG.format(scale=scale, rules=rules, device=device, more=more, table=table)
        )
        self.serial = VirtualSerial(folder / "shoe")
        self.serial.plug()
        self.process: subprocess.Popen[str] | None = None
        self.ready = ""
        self._clients: list[Client] = []
        self._ids: dict[str, Iterator[str]] = {}
        self._era = ""

    # --- the process ------------------------------------------------------------------------

    def start(self, failpoint: str = "", before: tuple[str, ...] = ()) -> Station:
        """Run it and wait for `ready`. Raises Ended when it ends first."""
        self.begin(failpoint, before)
        assert self.process is not None
        assert self.process.stdout is not None
        self.ready = self.process.stdout.readline()
        if not self.ready.startswith("ready "):
            self.gone()
            raise Ended(self.errors())
        return self

    def begin(self, failpoint: str = "", before: tuple[str, ...] = ()) -> None:
        """Run it; `before` is put in front of the command, such as strace."""
        command = [*before, sys.executable, "-m", "station.cli", "run", "-c", str(self.config)]
        environment = dict(os.environ)
        environment.pop("DEALER_STATION_FAILPOINT", None)
        if failpoint:
            environment["DEALER_STATION_FAILPOINT"] = failpoint
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
            )

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """SIGKILL, as a power cut does it to a process."""
        assert self.process is not None
        self.process.kill()
        self.gone()

    def gone(self) -> int:
        """Wait until the process is dead; its clients hang up."""
        assert self.process is not None
        status = self.process.wait(WAIT_S)
        self.hang_up()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.gone()

    def close(self) -> None:
        """The end of a test."""
        if self.alive:
            self.kill()
        elif self.process is not None:
            self.gone()
        self.serial.unplug()

    def errors(self) -> str:
        """What it wrote on stderr so far."""
        return self.log.read_text()

    # --- links ------------------------------------------------------------------------------

    @property
    def socket(self) -> Path:
        return self.folder / "table.sock"

    def client(self, role: m.LinkRole, name: str = "", **options: Any) -> Client:
        """A link that has its welcome and its first snapshot. Ids of a name go on and on."""
        name = name or role
        ids = self._ids.setdefault(name, self._numbered(name))
        client = Client(self.socket, role, name, ids=ids, **options)
        self._clients.append(client)
        client.wait_for(lambda _: True, "the first snapshot")
        return client

    def _numbered(self, name: str) -> Iterator[str]:
        return (f"{name}-{self._era}{number}" for number in itertools.count(1))

    def hang_up(self) -> None:
        """All clients hang up."""
        for client in self._clients:
            client.close()
        self._clients.clear()

    # --- cards ------------------------------------------------------------------------------

    def send(self, face: str, deck: int = 1, end: bytes = b"\r", letter: str = "A") -> None:
        """A card's code on the wire."""
        self.serial.send(code(face, deck, letter) + end)

    # --- looking ----------------------------------------------------------------------------

    @property
    def journal_path(self) -> Path:
        return self.folder / "journal.db"

    def journal(self) -> list[Row]:
        """Every stored fact, read beside the running station."""
        with contextlib.closing(open_reader(self.journal_path)) as db:
            return list(rows(db))

    def outbox(self) -> int:
        """How many facts wait for a host."""
        with contextlib.closing(open_reader(self.journal_path)) as db:
            return int(db.execute("SELECT count(*) FROM outbox").fetchone()[0])

    def kinds(self) -> list[str]:
        return [row.kind for row in self.journal()]

    def cli(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run the command line in this table's folder."""
        done = subprocess.run(
            [sys.executable, "-m", "station.cli", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def copy_to(self, folder: Path) -> Station:
        """A station of its own over a copy of this stopped one's folder."""
        assert not self.alive
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("journal.db", "journal.db-wal", "journal.db.key", "staff.json"):
            if (self.folder / name).exists():
                shutil.copy2(self.folder / name, folder / name)
        other = Station(folder)
        other.config.write_text(self.config.read_text())
        # A journal remembers the ids of its commands for ever.
        other._era = self._era + "c"
        return other
