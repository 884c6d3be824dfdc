"""What all groups of commands share: options, words, signals."""

from __future__ import annotations

import errno
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

SocketOption = Annotated[Path, typer.Option("--socket", help="The station's socket.")]
StrategyOption = Annotated[
    str,
    typer.Option(help="How players play: basic, random, or absent (nobody ever answers)."),
]
BehindOption = Annotated[
    int, typer.Option(min=0, max=8, help="Players without a seat, who bet behind.")
]
CutOption = Annotated[
    int | None,
    typer.Option(min=0, help="Cards before the cut card; 0 none; default 60-80 from the end."),
]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed does the same things.")]
KindOption = Annotated[str, typer.Option("--kind", help="Kind of device; see hw-sim faults.")]
WireOption = Annotated[
    str,
    typer.Option(
        "--wire",
        help="perfect, byte_at_a_time, merged, delayed, lossy or cut; lossy:rate=0.001,seed=7",
    ),
]


def say(text: str) -> None:
    """A line on standard output."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def fail(error: object, code: int = 2) -> typer.Exit:
    """Say what failed; the exit to raise."""
    sys.stderr.write(f"hw-sim: {error}\n")
    return typer.Exit(code)


def file_fault(error: OSError, place: Path) -> str:
    """Why a file or folder cannot be had, and what to do. `place`: where the error names none."""
    known = {
        errno.ENOENT: "it is not there; write its whole path",
        errno.ENOTDIR: "a part of this path is a file, not a folder; choose another folder",
        errno.EEXIST: "there is a file of this name; choose another folder",
        errno.EISDIR: "this is a folder; write a file's name",
        errno.EACCES: "this user may not write there; choose another place",
        errno.EPERM: "this user may not write there; choose another place",
        errno.EROFS: "nothing can be written there; choose another place",
        errno.ENOSPC: "the disk is full; make room or choose another place",
        errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
    }
    why = known.get(error.errno or 0, f"{error.strerror or error}; choose another place")
    return f"{error.filename or place}: {why}"


def on_signals(stop: Callable[[], None]) -> None:
    """End kindly on the usual signals."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop())


def run_client(make: Callable[[], Any]) -> None:
    """Run a client until it is done or a signal comes; exit code 1 with what failed."""
    from hw_sim.ledger import LedgerError
    from hw_sim.link import LinkRefused
    from hw_sim.sockets import SocketError

    try:
        client = make()
        on_signals(client.stop)
        code = client.run()
    except (LinkRefused, SocketError, LedgerError) as error:
        raise fail(error) from None
    if client.failed:
        raise fail(client.failed, code)


def one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    """Refuse what is not among the known."""
    if given not in known:
        raise fail(f"{option} {given!r}: {', '.join(known[:-1])} or {known[-1]}")


def check_strategy(given: str) -> None:
    """Refuse an unknown way to play."""
    from hw_sim.strategy import STRATEGIES

    one_of("--strategy", given, STRATEGIES)


def check_wire(given: str) -> None:
    """Refuse a wire that is none."""
    from hw_sim.wires import WireError, wires

    try:
        wires(given)
    except WireError as error:
        raise fail(f"--wire: {error}") from None


def readers() -> tuple[str, ...]:
    """The kinds that may be a table's shoe."""
    from hw_sim.models.registry import KINDS, present

    return tuple(name for name in present() if KINDS[name].shoe)


def seats_of(text: str) -> tuple[int, ...]:
    """Seat numbers as written."""
    try:
        seats = tuple(int(part) for part in text.split(","))
    except ValueError:
        seats = ()
    if not seats or len(set(seats)) != len(seats) or not all(1 <= seat <= 7 for seat in seats):
        raise fail(f"--seats {text!r}: numbers from 1 to 7 with commas between, such as 1,3,5")
    return seats


def random_seed() -> int:
    """A seed nobody chose."""
    import secrets

    return secrets.randbelow(1_000_000)
