"""`dealer-station camera`: set up a camera, read pictures, record, learn a deck.

Image code has a process of its own here too: the commands only ask it (`drivers.camera.asked`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, devices, fail, loaded

camera_app = typer.Typer(
    no_args_is_help=True, help="The camera in the shoe's window: set up, try, record, teach."
)
NameArgument = Annotated[str, typer.Argument(help="The camera's name in the table's file.")]


@camera_app.command("read")
def camera_read(
    paths: Annotated[list[Path], typer.Argument(help="Pictures, folders, films.")],
    code: Annotated[
        list[str] | None,
        typer.Option(help="What the codes look like, such as {rank}{suit}{deck:2}{check}."),
    ] = None,
    read: Annotated[
        list[str] | None, typer.Option(help="Who reads: barcode, index; both if left out.")
    ] = None,
    decoder: Annotated[str, typer.Option(help="pyzbar, zxing or both.")] = "both",
    symbology: Annotated[
        list[str] | None, typer.Option(help="code128, qr, datamatrix; all if left out.")
    ] = None,
    both: Annotated[
        bool, typer.Option(help="A card counts only if both witnesses say it.")
    ] = False,
    travel: Annotated[str, typer.Option(help="Where cards go: right, left, up, down.")] = "auto",
    px_per_mm: Annotated[float, typer.Option(min=0, help="Pixels a millimetre, if known.")] = 0.0,
    deck: Annotated[Path | None, typer.Option(help="A deck learned by `camera enroll`.")] = None,
    each: Annotated[bool, typer.Option(help="Every picture for itself, no sequences.")] = False,
    truth: Annotated[
        str, typer.Option(help="What stands there (truth.json, index.json); - for none.")
    ] = "",
    plain: Annotated[bool, typer.Option(help="Compare with plain pyzbar and zxing-cpp.")] = True,
) -> None:
    """Read pictures, folders and films: one JSON line each, with the card or why it is unsure.

    Pictures named alike with a number at the end (007_0.jpg, 007_1.jpg) are one sequence. If a
    truth.json or index.json lies beside them, a last line tells right, unsure, wrong and the time.
    """
    request: dict[str, Any] = {
        "do": "read",
        "paths": [str(path) for path in paths],
        "alone": not both,
        "decoder": decoder,
        "travel": travel,
        "px_per_mm": px_per_mm,
        "deck": str(deck) if deck else "",
        "each": each,
        "truth": truth,
        "plain": plain,
    }
    for key, values in (("codes", code), ("read", read), ("symbologies", symbology)):
        if values:
            request[key] = values
    raise typer.Exit(_ask(request))


def _ask(request: dict[str, Any]) -> int:
    """Let the camera's own process do it; its exit status."""
    from station.cli_camera import ask

    return ask(request)


def _spec(name: str, config: Path) -> dict[str, Any]:
    """The entry of that camera in the table's file."""
    import msgspec

    found = [spec for spec in devices(config, loaded(config)) if spec.name == name]
    if not found:
        raise fail(f"{config}: no device {name!r} in there")
    spec: dict[str, Any] = msgspec.to_builtins(found[0])
    if spec.get("kind") != "camera":
        raise fail(f"{config}: {name} is no camera; `dealer-station device test {name}` tries it")
    return spec


_ = (NameArgument, ConfigOption, DEFAULT_CONFIG, _spec)
