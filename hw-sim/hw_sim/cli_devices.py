"""`hw-sim shoe`, `order`, `faults`: virtual devices by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hw_sim.cli_common import (
    CutOption,
    KindOption,
    WireOption,
    fail,
    file_fault,
    on_signals,
    random_seed,
    say,
)

DEFAULT_KIND = "text-line"


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("shoe")(shoe)
    app.command("order")(order)
    app.command("faults")(faults)


def shoe(
    link: Annotated[Path, typer.Option(help="The port's stable name, made as a symlink.")],
    control: Annotated[
        Path | None, typer.Option(help="Control socket; by default LINK.sock.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the shuffle; by default random.")] = None,
    decks: Annotated[int, typer.Option(min=1, max=9)] = 8,
    set_letter: Annotated[str, typer.Option("--set", help="Set letter of the cards.")] = "A",
    cut: CutOption = None,
    suffix: Annotated[
        str, typer.Option(help="Of a text-line reader: cr, lf, crlf, crcr, tab, etx or none.")
    ] = "",
    stack: Annotated[
        Path | None, typer.Option(help="File of cards that come first: KH or KH3.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Log of what is true, JSON lines.")] = None,
    kind: KindOption = DEFAULT_KIND,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="NAME=VALUE, a setting of the device.")
    ] = None,
    wire: WireOption = "perfect",
    tcp: Annotated[
        str, typer.Option(help="HOST:PORT of a TCP serial server, in place of a port here.")
    ] = "",
    board: Annotated[
        Path | None, typer.Option(help="Control socket of a board whose sensor sees each card.")
    ] = None,
) -> None:
    """A virtual device of any kind, ordered through a control socket; a barcode shoe by default."""
    from hw_sim.codes import CodeError
    from hw_sim.device_server import DeviceServer, DeviceSettings
    from hw_sim.models.registry import KindError
    from hw_sim.port import PortError
    from hw_sim.sockets import SocketError
    from hw_sim.wires import WireError

    options = [*(_pair(text) for text in option or []), *([("suffix", suffix)] if suffix else [])]
    try:
        settings = DeviceSettings(
            link=link,
            control=control or link.with_name(f"{link.name}.sock"),
            seed=random_seed() if seed is None else seed,
            decks=decks,
            set=set_letter,
            cut=cut,
            stack=tuple(stack.read_text(encoding="utf-8").split()) if stack else (),
            log=log,
            kind=kind,
            options=tuple(options),
            wire=wire,
            tcp=tcp,
            board=board,
        )
        server = DeviceServer(settings)
        on_signals(server.stop)
        try:
            server.start()
            where = f"port={server.port.name} link={link} control={settings.control}"
            say(f"ready shoe={server.shoes.shoe.name} {where}")
            server.run()
        finally:
            server.close()
    except (CodeError, KindError, WireError, PortError, SocketError) as error:
        raise fail(error) from None
    except OSError as error:
        raise fail(file_fault(error, link)) from None


def order(
    shoe: Annotated[Path, typer.Option("--shoe", help="The device's control socket.")],
    do: Annotated[
        str,
        typer.Argument(
            help="draw, reread, state, out, remaining, load, fault, arm, disarm, clear."
        ),
    ],
    params: Annotated[
        list[str] | None, typer.Argument(help="NAME=VALUE: fault=unplug ms=3000 after=5")
    ] = None,
) -> None:
    """Order something of a running device by hand; prints its answer."""
    from hw_sim.control import ControlError, ShoeControl

    given: dict[str, object] = {}
    for text in params or []:
        name, value = _pair(text)
        given[name] = int(value) if value.isdigit() and name not in ("text", "hex") else value
    control = ShoeControl(shoe)
    try:
        say(json.dumps(control.ask(do, **given), ensure_ascii=False))
    except ControlError as error:
        raise fail(error, 1) from None
    finally:
        control.close()


def faults(
    kind: KindOption = DEFAULT_KIND,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """The faults a virtual device can suffer, by name: those of all devices, then its own."""
    from hw_sim.faults import TCP, as_data
    from hw_sim.models.registry import KindError, faults_of, kind_of, make_model, present

    try:
        model = make_model(kind)
        known = faults_of(kind_of(kind), model)
    except KindError as error:
        raise fail(error) from None
    if as_json:
        say(json.dumps(as_data(known), indent=1))
        return
    for title, names in (
        ("every device", [name for name in known if name not in model.faults]),
        (f"{kind} (kinds: {', '.join(present())})", list(model.faults)),
        ("behind a TCP serial server", list(TCP)),
    ):
        say(f"# {title}")
        for name in names:
            fault = (known | TCP)[name]
            say(f"{name:<17} {fault.doc}")
            for key, (default, doc) in fault.params.items():
                shown = "" if default is None else f" [{default}]"
                say(f"{'':<17}   {key}{shown}: {doc}")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name == "do":
        raise fail(f"{text!r}: write NAME=VALUE, such as fault=unplug")
    return name, value
