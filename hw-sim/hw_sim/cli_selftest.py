"""`hw-sim selftest`: does this reader read a known deck?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hw_sim.cli_common import KindOption, WireOption, check_wire, fail, say

if TYPE_CHECKING:
    from hw_sim.readers import Reader


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command("selftest")(selftest)


def selftest(
    deck: Annotated[bool, typer.Option("--deck", help="Read one known deck, card by card.")] = True,
    kind: KindOption = "text-line",
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", "-c", help="The real reader of this table's file.", metavar="FILE"
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="Its name in that file.")] = "shoe",
    port: Annotated[str, typer.Option(help="The real reader at this port, of --kind.")] = "",
    cards: Annotated[int, typer.Option(min=1, max=52, help="How many of the deck.")] = 52,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each card may take.")] = 30.0,
    wire: WireOption = "perfect",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Have 52 known cards drawn in order, and compare what the reader reads of them.

    The reader is a virtual one of --kind, or with --config or --port the real one: then a person is
    told which card to draw. No table may be running on it.
    """
    from hw_sim.children import ChildError
    from hw_sim.control import ControlError
    from hw_sim.selftest import read_deck
    from hw_sim.watching import WatchError

    check_wire(wire)
    tell = _say_nothing if as_json else say
    try:
        reader = _reader(kind, config, name, port, seconds, wire)
        try:
            report = read_deck(reader, cards, tell)
        finally:
            reader.close()
    except (WatchError, ChildError, ControlError, ValueError) as error:
        raise fail(error) from None
    if as_json:
        say(json.dumps(report.as_data()))
    else:
        for line in report.lines():
            say(line)
    raise typer.Exit(0 if report.good else 1)


def _reader(
    kind: str, config: Path | None, name: str, port: str, seconds: float, wire: str
) -> Reader:
    from hw_sim.models.registry import kind_of
    from hw_sim.readers import DECK, HardwareReader, ReaderWanted, VirtualReader, entry_of

    entry = entry_of(config, name) if config else {}
    if config:
        kind = str(entry.pop("kind", "text-line"))
        port = port or str(entry.pop("port", ""))
    more = {key: value for key, value in entry.items() if key not in ("name", "port")}
    if not port:
        kind_of(kind)
        wanted = ReaderWanted(name, kind, wire=wire, card_s=min(seconds, 3.0))
        return VirtualReader(wanted)
    wanted = ReaderWanted(name, kind, port=port, entry=more, card_s=seconds)
    return HardwareReader(wanted, lambda text: say(f">>> {text}"), list(DECK))


def _say_nothing(text: str) -> None:
    pass
