"""`dealer-station shoe check|load|...`: what a supervisor orders of shoes at the running table.

PINs are asked for on the terminal, or read as lines from standard input: they never stand in the
list of processes.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, fail, loaded, say

if TYPE_CHECKING:
    from station.cli_link import TableLink
    from station.messages_shoe import BeginShoeCheck

StaffOption = Annotated[str, typer.Option("--staff", help="Your staff number.")]
SecondOption = Annotated[str, typer.Option("--second", help="The second person's number.")]
PinsOption = Annotated[
    bool,
    typer.Option("--pins-from-stdin", help="Read the PINs as lines: yours, then the second's."),
]
ShoeArgument = Annotated[str, typer.Argument(help="The shoe's name.")]
SetOption = Annotated[str, typer.Option("--set", help="The set's letter.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (check, count, enter_receipt, shuffled, load, release, take_out, lift_bar):
        app.command(command.__name__.replace("_", "-"))(command)


def check(
    shoe: ShoeArgument,
    staff: StaffOption,
    second: SecondOption = "",
    set_letter: SetOption = "",
    device: Annotated[str, typer.Option(help="The reader; by default the first one.")] = "",
    back: Annotated[str, typer.Option(help="Colour of the backs, if it is not a set's.")] = "",
    reason: Annotated[str, typer.Option(help="Why a barred shoe is checked again.")] = "",
    when_full: Annotated[
        bool, typer.Option("--when-full", help="Finish by itself when 416 cards are counted.")
    ] = False,
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Check a shoe before its shuffle: all its cards pass the reader; Enter finishes, q cancels."""
    from station import messages_shoe as ms

    begin = ms.BeginShoeCheck(shoe, device or "-", set_letter, back, reason, second)
    _read(config, staff, begin, when_full=when_full, from_stdin=pins_from_stdin)


def count(
    shoe: ShoeArgument,
    staff: StaffOption,
    second: SecondOption = "",
    device: Annotated[str, typer.Option(help="The reader; by default the first one.")] = "",
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Count what remained in a shoe that is out, at the reader; Enter finishes, q cancels."""
    from station import messages_shoe as ms

    begin = ms.BeginShoeCheck(shoe, device or "-", second=second, what="count")
    _read(config, staff, begin, when_full=False, from_stdin=pins_from_stdin)


def _read(
    config: Path, staff: str, begin: BeginShoeCheck, *, when_full: bool, from_stdin: bool
) -> None:
    """A check or a count, from its beginning to what came of it. A device `-`: the first one."""
    from msgspec.structs import replace

    from station import messages_shoe as ms

    with signed_in(config, staff, begin.second, from_stdin=from_stdin) as (table, pin):
        readers = [one.name for one in table.now.devices if one.kind != "board"]
        if begin.device == "-" and not readers:
            raise fail("this table has no reader of cards")
        where = readers[0] if begin.device == "-" else begin.device
        table.must(replace(begin, device=where, pin=pin))
        view = table.now.shoe.check
        if view is None:
            raise fail("the check did not begin")
        number = view.check
        try:
            done = _watch(table, when_full=when_full)
        except KeyboardInterrupt:
            done = False
        if not done:
            table.must(ms.CancelShoeCheck(number))
            raise fail("the check was cancelled; what was counted is forgotten")
        table.must(ms.FinishShoeCheck(number))
        _result(table)


def _watch(table: TableLink, *, when_full: bool) -> bool:
    """Show the count until a person ends it; whether it is to be finished."""
    shown = ""
    stdin = -1 if when_full else sys.stdin.fileno()
    say("the cards pass the reader now; Enter finishes, q and Enter cancels")
    while True:
        typed = table.look(0.5, stdin)
        view = table.now.shoe.check
        if view is None or view.state != "running":
            raise fail(view.text.en if view is not None else "the check is over")
        text = view.text.en + (f" · {view.told.en}" if view.told is not None else "")
        if text != shown:
            shown = text
            end = "\n" if not sys.stdout.isatty() else ""
            sys.stdout.write(f"{'' if end else chr(13)}{text}{'' if end else chr(27) + '[K'}{end}")
            sys.stdout.flush()
        if when_full and view.read >= view.total:
            return True
        line = _line() if typed else None
        if line is not None and not line:
            # Its end is nobody's Enter: then the full count ends it.
            stdin, when_full = -1, True
        elif line is not None:
            return line.strip().lower() != "q"


def _result(table: TableLink) -> None:
    view = table.now.shoe.check
    if view is None:
        return
    say("")
    say(view.text.en)
    for text in view.found:
        say(text.en)
    barred = view.what == "count" and "lift_shoe_bar" in _offered(table, view.shoe)
    if view.state == "failed" or barred:
        raise typer.Exit(1)


def _offered(table: TableLink, shoe: str) -> set[str]:
    """What there is to be done with that shoe, refused now or not: a barred one has its bar."""
    return {one.command for one in table.now.actions if one.target == shoe}


def enter_receipt(
    shoe: ShoeArgument,
    staff: StaffOption,
    second: SecondOption,
    machine: Annotated[str, typer.Option(help="The machine's serial number.")],
    number: Annotated[str, typer.Option(help="The receipt's number.")],
    checked_at: Annotated[str, typer.Option("--at", help="The time printed on it.")],
    set_letter: SetOption = "",
    checker: Annotated[str, typer.Option(help="Who is named on it.")] = "",
    note: Annotated[str, typer.Option(help="For the journal.")] = "",
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Enter a checking machine's receipt for one shoe."""
    from station import messages_shoe as ms

    with signed_in(config, staff, second, from_stdin=pins_from_stdin) as (table, pin):
        table.must(
            ms.EnterCheckersReceipt(
                shoe,
                machine,
                number,
                checked_at,
                second,
                pin,
                set_letter,
                checker=checker,
                note=note,
            )
        )
        say(f"shoe {shoe}: receipt {number} of machine {machine} is entered")


def shuffled(
    shoe: ShoeArgument,
    staff: StaffOption,
    seal: Annotated[str, typer.Option(help="The number of the seal on it.")] = "",
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Say that the shoe was shuffled after its check."""
    from station import messages_shoe as ms

    with signed_in(config, staff, "", from_stdin=pins_from_stdin) as (table, _):
        table.must(ms.ShoeShuffled(shoe, seal))
        say(f"shoe {shoe} was shuffled")


def load(
    shoe: ShoeArgument,
    staff: StaffOption,
    second: SecondOption = "",
    set_letter: SetOption = "",
    seal: Annotated[str, typer.Option(help="The number of the seal that was broken.")] = "",
    cut_card: Annotated[
        int, typer.Option(min=0, max=415, help="Cards behind the cut card; 0: not said.")
    ] = 0,
    reason: Annotated[str, typer.Option(help="Why this set, if it is not due.")] = "",
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Put a checked and shuffled shoe in."""
    from station import messages as m

    with signed_in(config, staff, second, from_stdin=pins_from_stdin) as (table, pin):
        table.must(m.LoadShoe(shoe, set_letter, seal, cut_card, reason, second, pin))
        say(f"shoe {shoe} is in; it is not released yet")


def release(
    shoe: ShoeArgument,
    staff: StaffOption,
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Release the loaded shoe: it may be dealt from."""
    from station import messages as m

    with signed_in(config, staff, "", from_stdin=pins_from_stdin) as (table, _):
        table.must(m.ReleaseShoe(shoe, table.now.version))
        say(f"shoe {shoe} may be dealt from")


def take_out(
    shoe: ShoeArgument,
    staff: StaffOption,
    reason: Annotated[str, typer.Option(help="changed, damaged_card or time_limit.")] = "changed",
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Take the shoe out between two rounds."""
    import msgspec

    from station import messages_shoe as ms

    try:
        command = msgspec.convert({"shoe": shoe, "reason": reason}, ms.TakeOutShoe)
    except msgspec.ValidationError:
        raise fail(f"--reason {reason!r}: changed, damaged_card or time_limit") from None
    with signed_in(config, staff, "", from_stdin=pins_from_stdin) as (table, _):
        table.must(command)
        say(f"shoe {shoe} is out")


def lift_bar(
    shoe: ShoeArgument,
    staff: StaffOption,
    reason: Annotated[str, typer.Option(help="Why, for the journal.")],
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Lift the bar of a shoe that a check has found whole since (a shift manager)."""
    from station import messages_shoe as ms

    with signed_in(config, staff, "", from_stdin=pins_from_stdin) as (table, _):
        table.must(ms.LiftShoeBar(shoe, reason))
        say(f"shoe {shoe} may be put in again")


@contextlib.contextmanager
def signed_in(
    config: Path, staff: str, second: str, *, from_stdin: bool
) -> Iterator[tuple[TableLink, str]]:
    """The running table with that person signed in, and the second person's PIN. He is signed out
    when it ends. What the table refuses is told as it says it, exit code 1.
    """
    from station import messages as m
    from station.cli_link import LinkFailed, Refused, TableLink

    socket = Path(loaded(config).link.socket)
    # First: a link on which nothing is said while somebody types is taken for lost.
    own = _pin(staff, from_stdin=from_stdin)
    pin = _pin(second, from_stdin=from_stdin) if second else ""
    try:
        with contextlib.closing(TableLink(socket)) as table:
            table.must(m.LogIn(staff, own))
            yield table, pin
    except Refused as refused:
        fail(str(refused))
        raise typer.Exit(1) from None
    except LinkFailed as error:
        raise fail(error) from None


def _line() -> str:
    """One line of standard input with its end, "" at its end. Nothing beyond it is read: what
    follows may be waited for.
    """
    line = b""
    while not line.endswith(b"\n"):
        one = os.read(sys.stdin.fileno(), 1)
        if not one:
            break
        line += one
    return line.decode("utf-8", "replace")


def _pin(staff: str, *, from_stdin: bool) -> str:
    if from_stdin:
        pin = _line().strip()
    else:
        from getpass import getpass

        pin = getpass(f"PIN of {staff}: ")
    if not 4 <= len(pin) <= 32:
        raise fail(f"PIN of {staff}: 4 to 32 characters")
    return pin
