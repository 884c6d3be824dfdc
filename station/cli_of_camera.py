"""`dealer-station camera`: set up a camera, read pictures, record, learn a deck.

Image code has a process of its own here too: the commands only ask it (`drivers.camera.asked`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from station.cli_camera_options import (
    MOST_PX_PER_MM,
    check_number,
    check_read,
    check_second_pass,
    order_of,
)
from station.cli_common import DEFAULT_CONFIG, ConfigOption, LinesOption, fail, loaded

camera_app = typer.Typer(
    no_args_is_help=True, help="The camera in the shoe's window: set up, try, record, teach."
)
LangOption = Annotated[
    str, typer.Option("--language", "--lang", help="ko or en; else as LANG says.")
]
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
    check_read(read, decoder, symbology, travel, both=both)
    check_number("--px-per-mm", px_per_mm, MOST_PX_PER_MM)
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


@camera_app.command("setup")
def camera_setup(
    name: NameArgument,
    config: ConfigOption = DEFAULT_CONFIG,
    picture: Annotated[
        Path | None, typer.Option(help="Write the best picture with its marks: .png or .jpg.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0, help="End after so many seconds; 0: at Ctrl-C.")
    ] = 0.0,
    lang: LangOption = "",
    json: LinesOption = False,
) -> None:
    """Look through a camera while cards pass: figures, what to change, settings to paste.

    No table may be running. The code is 0 when the camera is ready, 1 when something must be
    changed first, 2 when it cannot be had.
    """
    check_number("--seconds", seconds)
    spec = _spec(name, config, as_json=json)
    if picture is not None:
        _no_shoe(config, as_json=json)
    request = {
        "do": "setup",
        "spec": spec,
        "picture": str(picture) if picture else "",
        "seconds": seconds,
        "lang": _lang(lang),
        "as_json": json,
    }
    raise typer.Exit(_ask(request))


@camera_app.command("record")
def camera_record(
    name: NameArgument,
    folder: Annotated[Path, typer.Argument(help="A new folder.")],
    config: ConfigOption = DEFAULT_CONFIG,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="End after so long.")] = 10.0,
    max_mb: Annotated[float, typer.Option(min=0.1, help="End at this size.")] = 200.0,
    lang: LangOption = "",
    json: LinesOption = False,
) -> None:
    """Keep what a camera sees as pictures, for `camera read` and `camera enroll --from`.

    No table may be running, and on a live table no shoe may be in play: cards that are not dealt
    must not be recorded.
    """
    check_number("--max-mb", max_mb)
    spec = _spec(name, config, as_json=json)
    _no_shoe(config, as_json=json)
    request = {
        "do": "record",
        "spec": spec,
        "folder": str(folder),
        "seconds": seconds,
        "megabytes": max_mb,
        "lang": _lang(lang),
        "as_json": json,
    }
    raise typer.Exit(_ask(request))


@camera_app.command("enroll")
def camera_enroll(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(help="The deck's new file, .npz.")],
    config: ConfigOption = DEFAULT_CONFIG,
    order: Annotated[
        Path | None,
        typer.Option(help="The cards as they come, AS 2S ...; else as in a new deck, A♠ to K♣."),
    ] = None,
    any_order: Annotated[
        bool, typer.Option(help="The second pass in any order; the same order proves more.")
    ] = False,
    from_: Annotated[
        list[Path] | None, typer.Option("--from", help="Learn from pictures instead.")
    ] = None,
    check: Annotated[
        list[Path] | None, typer.Option(help="With --from: pictures of the second pass.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, help="End after so long; 0: when done.")] = 0.0,
    lang: LangOption = "",
    json: LinesOption = False,
) -> None:
    """Teach a camera the table's own deck: 52 cards slid through the window, twice.

    The file is written only if no card was taken for another. No table may be running. With --from
    NAME is only the deck's, and no table's file is read. The code is 0 when it was written.
    """
    check_second_pass(from_, check, _lang(lang))
    check_number("--seconds", seconds)
    request: dict[str, Any] = {
        "do": "enroll",
        "name": name,
        "file": str(file),
        "any_order": any_order,
        "seconds": seconds,
        "lang": _lang(lang),
        "as_json": json,
    }
    if order is not None:
        request["order"] = order_of(order, _lang(lang))
    if from_:
        request["paths"] = [str(path) for path in from_]
        request["check_paths"] = [str(path) for path in check or ()]
    else:
        request["spec"] = _spec(name, config, as_json=json)
    raise typer.Exit(_ask(request))


def _ask(request: dict[str, Any]) -> int:
    """Let the camera's own process do it; its exit status."""
    from station.cli_camera import ask

    return ask(request)


def _lang(wanted: str) -> str:
    """Korean or English: as asked, else as this machine speaks."""
    import os

    if wanted not in ("", "ko", "en"):
        raise fail(f"--language {wanted}: ko or en")
    set_ = next((os.environ[v] for v in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(v)), "")
    return wanted or ("ko" if set_.startswith("ko") else "en")


def _no_shoe(config: Path, *, as_json: bool = False) -> None:
    """Pictures of cards are kept only while no shoe is in play at a live table."""
    from station.cli_camera import shoe_in_play

    why = shoe_in_play(loaded(config, as_json=as_json))
    if why:
        raise fail(f"{why}: pictures of cards that are not dealt must not be kept", as_json=as_json)


def _spec(name: str, config: Path, *, as_json: bool = False) -> dict[str, Any]:
    """The entry of that camera in the table's file; no running table has it."""
    import msgspec

    from station.cli_of_devices import one_alone

    spec: dict[str, Any] = msgspec.to_builtins(one_alone(name, config, as_json=as_json))
    if spec.get("kind") != "camera":
        raise fail(
            f"{config}: {name} is no camera; `dealer-station device test {name}` tries it",
            as_json=as_json,
        )
    return spec
