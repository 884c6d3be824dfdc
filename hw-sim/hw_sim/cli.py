"""`hw-sim`: the command line. Heavy things are imported by the command that needs them."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Virtual devices and people for a test table.",
)
staff_app = typer.Typer(
    invoke_without_command=True,
    help="A supervisor. With a command: signs in, says that one thing, and ends.",
)
app.add_typer(staff_app, name="staff")

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


def main() -> None:
    """The command's entry point."""
    app()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _fail(error: object, code: int = 2) -> typer.Exit:
    sys.stderr.write(f"hw-sim: {error}\n")
    return typer.Exit(code)


def _on_signals(stop: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop())


def _run_client(make: Callable[[], Any]) -> None:
    """Run a client until it is done or a signal comes; exit code 1 with what failed."""
    from hw_sim.ledger import LedgerError
    from hw_sim.link import LinkRefused
    from hw_sim.sockets import SocketError

    try:
        client = make()
        _on_signals(client.stop)
        code = client.run()
    except (LinkRefused, SocketError, LedgerError) as error:
        raise _fail(error) from None
    if client.failed:
        raise _fail(client.failed, code)


@app.command()
def shoe(
    link: Annotated[Path, typer.Option(help="The port's stable name, made as a symlink.")],
    control: Annotated[
        Path | None, typer.Option(help="Control socket; by default LINK.sock.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the shuffle; by default random.")] = None,
    decks: Annotated[int, typer.Option(min=1, max=9)] = 8,
    set_letter: Annotated[str, typer.Option("--set", help="Set letter of the cards.")] = "A",
    cut: CutOption = None,
    suffix: Annotated[str, typer.Option(help="cr, lf, crlf, crcr, tab or none.")] = "cr",
    stack: Annotated[
        Path | None, typer.Option(help="File of cards that come first: KH or KH3.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Log of the cards given, JSON lines.")] = None,
) -> None:
    """A barcode shoe on a pseudo-terminal, ordered through a control socket."""
    from hw_sim.codes import CodeError
    from hw_sim.port import PortError
    from hw_sim.shoe_server import ShoeServer, ShoeSettings
    from hw_sim.sockets import SocketError

    control = control or link.with_name(f"{link.name}.sock")
    seed = _random_seed() if seed is None else seed
    try:
        cards = tuple(stack.read_text(encoding="utf-8").split()) if stack else ()
        settings = ShoeSettings(link, control, seed, decks, set_letter, cut, suffix, cards, log)
        server = ShoeServer(settings)
        _on_signals(server.stop)
        try:
            server.start()
            where = f"port={server.port.name} link={link} control={control}"
            _say(f"ready shoe={server.shoe.name} {where}")
            server.run()
        finally:
            server.close()
    except (CodeError, PortError, SocketError, OSError) as error:
        raise _fail(error) from None


@app.command()
def order(
    shoe: Annotated[Path, typer.Option("--shoe", help="The shoe's control socket.")],
    do: Annotated[
        str,
        typer.Argument(help="draw, reread, state, out, remaining, load, fault, arm, disarm."),
    ],
    params: Annotated[
        list[str] | None, typer.Argument(help="NAME=VALUE: fault=unplug ms=3000 after=5")
    ] = None,
) -> None:
    """Order something of a running shoe by hand; prints its answer."""
    from hw_sim.control import ControlError, ShoeControl

    given: dict[str, object] = {}
    for text in params or []:
        name, equals, value = text.partition("=")
        if not equals or name == "do":
            raise _fail(f"{text!r}: write NAME=VALUE, such as fault=unplug")
        given[name] = int(value) if value.isdigit() and name not in ("text", "hex") else value
    control = ShoeControl(shoe)
    try:
        _say(json.dumps(control.ask(do, **given), ensure_ascii=False))
    except ControlError as error:
        raise _fail(error, 1) from None
    finally:
        control.close()


@app.command()
def faults(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """The faults a virtual shoe can suffer, by name."""
    from hw_sim.faults import FAULTS, as_data

    if as_json:
        _say(json.dumps(as_data(), indent=1))
        return
    for name, fault in FAULTS.items():
        _say(f"{name:<13} {fault.doc}")
        for key, (default, doc) in fault.params.items():
            shown = "" if default is None else f" [{default}]"
            _say(f"{'':<13}   {key}{shown}: {doc}")


@app.command()
def players(
    socket: SocketOption,
    seed: SeedOption = 0,
    seats: Annotated[str, typer.Option(help="Where they sit.")] = "1,3,5",
    rounds: Annotated[int, typer.Option(min=0, help="Settled rounds to play; 0 for ever.")] = 0,
    think: Annotated[float, typer.Option(min=0, help="Seconds a player takes.")] = 0.5,
    betting: Annotated[float, typer.Option(min=0, help="Seconds betting stays open.")] = 1.0,
    ledger: Annotated[Path | None, typer.Option(help="Their own books, a JSON file.")] = None,
    strategy: StrategyOption = "basic",
    behind: BehindOption = 3,
) -> None:
    """The game host: seats, bets, answers, decisions, and books of its own."""
    from hw_sim.players import Players, PlayersSettings

    _check_strategy(strategy)
    settings = PlayersSettings(_seats(seats), rounds, think, betting, ledger, strategy, behind)
    _run_client(lambda: Players(socket, settings, seed))


@app.command()
def dealer(
    socket: SocketOption,
    shoe: Annotated[Path, typer.Option(help="The shoe's control socket.")],
    seed: SeedOption = 0,
    errors: Annotated[float, typer.Option(min=0, max=1, help="Share of cards he errs at.")] = 0.0,
    reaction: Annotated[float, typer.Option(min=0, help="Seconds from prompt to card.")] = 0.3,
    again: Annotated[
        float, typer.Option(min=0, help="Seconds until an unread card is presented again.")
    ] = 3.0,
    staff: Annotated[str, typer.Option(help="Staff id.")] = "1001",
    pin: Annotated[str, typer.Option(help="PIN; a test person's is the id.")] = "",
    seats: Annotated[str, typer.Option(help="Chairs taken, at a table with chairs.")] = "1,3,5",
    rounds: Annotated[
        int, typer.Option(min=0, help="Rounds to play at a table with chairs; 0 for ever.")
    ] = 0,
    think: Annotated[float, typer.Option(min=0, help="Seconds a player in a chair takes.")] = 0.5,
    betting: Annotated[float, typer.Option(min=0, help="Seconds betting stays open there.")] = 1.0,
    strategy: StrategyOption = "basic",
    behind: BehindOption = 3,
) -> None:
    """A dealer who follows the prompt, and errs by seed.

    At a table with players in the chairs he also keys what they do.
    """
    from hw_sim.chairs import Chairs
    from hw_sim.control import ShoeControl
    from hw_sim.dealer import Dealer, DealerSettings
    from hw_sim.hosting import Times
    from hw_sim.party import Party

    _check_strategy(strategy)
    settings = DealerSettings(staff, pin or staff, reaction, errors, again)
    party = Party(seed, _seats(seats), strategy, behind=behind, chairs=True)
    chairs = Chairs(party, Times(think, betting), rounds)
    _run_client(lambda: Dealer(socket, ShoeControl(shoe), settings, seed, chairs))


@staff_app.callback()
def staff(
    context: typer.Context,
    socket: SocketOption,
    shoe: Annotated[Path | None, typer.Option(help="The shoe's control socket.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Load shoes, rule on holds.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Put a new shoe in first, whatever is in.")
    ] = False,
    reaction: Annotated[float, typer.Option(min=0, help="Seconds before acting.")] = 1.0,
    staff_id: Annotated[str, typer.Option("--staff", help="Staff id.")] = "2001",
    pin: Annotated[str, typer.Option(help="PIN; a test person's is the id.")] = "",
    seed: SeedOption = 0,
) -> None:
    """A supervisor: signs in, rules on holds, puts shoes in."""
    from hw_sim.control import ShoeControl
    from hw_sim.staff import Staff, StaffSettings

    settings = StaffSettings(staff_id, pin or staff_id, auto, fresh, reaction)
    if context.invoked_subcommand is not None:
        context.obj = (socket, settings, shoe)
        return
    if (auto or fresh) and shoe is None:
        raise _fail("--auto and --fresh put shoes in: say with --shoe where the shoe's control is")
    control = ShoeControl(shoe) if shoe else None
    _run_client(lambda: Staff(socket, control, settings, seed))


def _one(context: typer.Context, make: Callable[[Any], Any]) -> None:
    import os

    from hw_sim.staff import OneCommand

    socket, settings, _ = context.obj
    _run_client(lambda: OneCommand(socket, settings, f"staff-{os.getpid()}", make))


@staff_app.command("void")
def staff_void(
    context: typer.Context, reason: Annotated[str, typer.Option(help="Why, for the journal.")]
) -> None:
    """Void the open round."""
    from hw_sim import orders

    _one(context, lambda snapshot: orders.void(snapshot, reason))


@staff_app.command("rule")
def staff_rule(
    context: typer.Context,
    ruling: Annotated[str, typer.Argument(help="release, aligned, burn or void.")],
    hold: Annotated[int, typer.Option(help="Which hold; by default the first.")] = 0,
    note: Annotated[str, typer.Option(help="For the journal.")] = "",
) -> None:
    """Rule on a hold."""
    from hw_sim import orders

    _one(context, lambda snapshot: orders.rule(snapshot, ruling, hold, note))


@staff_app.command("load")
def staff_load(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The shoe's name.")],
    set_letter: Annotated[str, typer.Option("--set", help="Set letter of its cards.")] = "",
) -> None:
    """Say that a checked and shuffled shoe is in."""
    from hw_sim import orders

    _one(context, lambda snapshot: orders.load(snapshot, name, set_letter))


@staff_app.command("release")
def staff_release(context: typer.Context) -> None:
    """Release the loaded shoe."""
    from hw_sim import orders

    _one(context, orders.release)


@staff_app.command("count")
def staff_count(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="The shoe's name; by default the one that waits longest.")
    ] = "",
) -> None:
    """Count a shoe that is out, by what the virtual shoe (--shoe) says remained in it."""
    from hw_sim import orders
    from hw_sim.control import ShoeControl

    shoe = context.obj[2]
    if shoe is None:
        raise _fail("count: say before it with --shoe where the shoe's control is")
    control = ShoeControl(shoe)
    try:
        _one(context, lambda snapshot: orders.count(snapshot, control, name))
    finally:
        control.close()


@app.command()
def table(
    rounds: Annotated[int, typer.Option(min=0, help="Rounds to play; 0 until it is ended.")] = 0,
    seed: Annotated[int | None, typer.Option(help="By default random.")] = None,
    directory: Annotated[
        Path | None,
        typer.Option("--dir", help="The table's directory; by default a new one, the last 5 kept."),
    ] = None,
    lang: Annotated[str, typer.Option(help="ko or en.")] = "ko",
    pace: Annotated[str, typer.Option(help="real, or fast: nobody takes any time.")] = "real",
    no_console: Annotated[bool, typer.Option("--no-console", help="Without the console.")] = False,
    errors: Annotated[float, typer.Option(min=0, max=1, help="Share of cards to err at.")] = 0.0,
    seats: Annotated[str, typer.Option(help="Where players sit.")] = "1,3,5",
    strategy: StrategyOption = "basic",
    behind: BehindOption = 3,
    cut: CutOption = None,
    host: Annotated[
        str,
        typer.Option(
            help="link: a game host connects. chairs: the dealer keys what players do. By default "
            "what the table's file says, link in a new one."
        ),
    ] = "",
) -> None:
    """A whole test table: virtual shoe, station, people and console."""
    from hw_sim.table import PACES, TableSettings
    from hw_sim.table_run import run_table

    _one_of("--lang", lang, ("ko", "en"))
    _one_of("--pace", pace, tuple(PACES))
    _check_strategy(strategy)
    if host:
        _one_of("--host", host, ("link", "chairs"))
    _seats(seats)
    settings = TableSettings(
        seed=_random_seed() if seed is None else seed,
        rounds=rounds,
        language=lang,
        pace=pace,
        console=not no_console,
        errors=errors,
        seats=seats,
        strategy=strategy,
        behind=behind,
        host=host,
        cut=cut,
    )
    code = run_table(directory, settings, _on_signals)
    raise typer.Exit(code)


def _one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise _fail(f"{option} {given!r}: {', '.join(known[:-1])} or {known[-1]}")


def _check_strategy(given: str) -> None:
    from hw_sim.strategy import STRATEGIES

    _one_of("--strategy", given, STRATEGIES)


def _seats(text: str) -> tuple[int, ...]:
    try:
        seats = tuple(int(part) for part in text.split(","))
    except ValueError:
        seats = ()
    if not seats or len(set(seats)) != len(seats) or not all(1 <= seat <= 7 for seat in seats):
        raise _fail(f"--seats {text!r}: numbers from 1 to 7 with commas between, such as 1,3,5")
    return seats


def _random_seed() -> int:
    import secrets

    return secrets.randbelow(1_000_000)


if __name__ == "__main__":
    main()
