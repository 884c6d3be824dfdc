"""`hw-sim camera`: frames of a simulated camera at a shoe's window."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hw_sim.cli_common import fail, file_fault, on_signals, one_of, say

if TYPE_CHECKING:
    from hw_sim.camera.sequences import Wish
    from hw_sim.camera.stock import Artwork

camera_app = typer.Typer(
    no_args_is_help=True, help="A simulated camera at a shoe's window: frames, troubles, streams."
)
ArtOption = Annotated[
    Path | None,
    typer.Option("--faces", help="Folder with pictures of another deck's faces: KH.png and so on."),
]
DesignOption = Annotated[str, typer.Option(help="A design's name, or seed:N.")]
CodeOption = Annotated[str, typer.Option(help="none, code128, qr, datamatrix or any.")]
SizeOption = Annotated[str, typer.Option(help="Width x height of the frames, px.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(camera_app, name="camera")


@camera_app.command()
def render(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Frames and truth.json go here.")],
    count: Annotated[int, typer.Option("--sequences", min=1, help="How many.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed gives the same frames.")] = 1,
    design: DesignOption = "",
    code: CodeOption = "none",
    place: Annotated[str, typer.Option(help="Where the code is: top, side or x,y in mm.")] = "",
    module: Annotated[float, typer.Option(min=0, help="Size of its modules, mm; 0: usual.")] = 0.0,
    template: Annotated[
        str, typer.Option(help="Its text; by default as {rank}{suit}{deck:2}{check}.")
    ] = "",
    trouble: Annotated[str, typer.Option(help="See hw-sim camera troubles.")] = "",
    param: Annotated[list[str] | None, typer.Option(help="NAME=VALUE, of the trouble.")] = None,
    frames: Annotated[
        int, typer.Option(min=0, help="A sequence has so many; 0: the whole way.")
    ] = 6,
    size: SizeOption = "640x480",
    fps: Annotated[float, typer.Option(min=1, max=1000, help="Frames a second.")] = 60.0,
    level: Annotated[str, typer.Option(help="clear, usual or hard.")] = "usual",
    faces: ArtOption = None,
) -> None:
    """Render sequences of frames into a folder, with the truth of each."""
    from hw_sim.camera import sequences as made
    from hw_sim.camera.symbols import TEMPLATE

    one_of("--code", code, made.CODES)
    one_of("--level", level, made.LEVELS)
    _finite("--module", module)
    wish = made.Wish(
        design=design, code=code, place=place, module_mm=module,
        template=template or TEMPLATE, trouble=trouble, params=_params(param or []),
        frames=frames, size=size_of(size), fps=fps, level=level,
    )  # fmt: skip
    say(f"{_written(folder, seed, wish, count, faces)} frames in {folder}")


def _written(folder: Path, seed: int, wish: Wish, count: int, faces: Path | None) -> int:
    from hw_sim.camera.sequences import write
    from hw_sim.codes import CodeError
    from hw_sim.faults import FaultError

    try:
        return write(folder, seed, wish, count, artwork_of(faces))
    except (FaultError, CodeError, ValueError) as error:
        raise fail(error) from None
    except OSError as error:
        raise fail(file_fault(error, folder)) from None


@camera_app.command()
def sheet(
    file: Annotated[Path, typer.Argument(help="The picture to write, such as sheet.png.")],
    design: DesignOption = "",
    px_per_mm: Annotated[float, typer.Option("--scale", min=1, max=20, help="px per mm.")] = 2.5,
    faces: ArtOption = None,
) -> None:
    """One picture of all faces of each design."""
    from hw_sim.camera.sheets import write_sheet

    try:
        write_sheet(file, design, px_per_mm, artwork_of(faces))
    except ValueError as error:
        raise fail(error) from None
    except OSError as error:
        raise fail(file_fault(error, file)) from None
    say(str(file))


@camera_app.command("stream")
def stream_(
    socket: Annotated[Path, typer.Argument(help="The socket to make; a station's virtual:PATH.")],
    seed: Annotated[int, typer.Option(help="Of the shoe and the window.")] = 1,
    design: DesignOption = "standard",
    code: CodeOption = "none",
    place: Annotated[str, typer.Option(help="Where the code is: top, side or x,y in mm.")] = "top",
    size: SizeOption = "640x480",
    fps: Annotated[int, typer.Option(min=1, max=240, help="Frames a second.")] = 60,
    speed: Annotated[int, typer.Option(min=20, help="Of the cards, mm/s.")] = 350,
    axis: Annotated[str, typer.Option(help="The way cards slide: x or y.")] = "x",
    mount: Annotated[int, typer.Option(help="0, 90, 180 or 270.")] = 0,
    template: Annotated[
        str, typer.Option(help="Text of the codes; by default {set}{rank}{suit}{deck}{check}.")
    ] = "",
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds from card to card of a shoe; 0: as typed.")
    ] = 0.0,
    cards: Annotated[int, typer.Option(min=0, help="End after so many; 0: never.")] = 0,
    raw: Annotated[bool, typer.Option("--raw", help="Frames as BGR, not as JPEG.")] = False,
    faces: ArtOption = None,
) -> None:
    """Stream a window: cards slide past as they are typed, or one by one from a shoe.

    Type KH or KH3 for a card, cut, draw or nothing for the next of the shoe, clear, or a trouble
    with its parameters: glare strength=200.
    """
    from hw_sim.camera.serve import Serve
    from hw_sim.camera.symbols import SYMBOLOGIES
    from hw_sim.codes import CodeError
    from hw_sim.models.camera import Camera
    from hw_sim.port import PortError
    from hw_sim.shoe import Shoe

    one_of("--code", code, ("none", *SYMBOLOGIES))
    _finite("--pace", pace)
    artwork_of(faces)
    try:
        camera = Camera(
            size, fps, design, code, place, 0, template, axis, mount, speed,
            str(faces or ""), seed, raw=raw,
        )  # fmt: skip
        serve = Serve(socket, camera, Shoe(seed), say, pace, cards)
        on_signals(serve.stop)
        serve.run()
    except (CodeError, PortError) as error:
        raise fail(error) from None
    except OSError as error:
        raise fail(file_fault(error, socket)) from None


@camera_app.command()
def troubles() -> None:
    """The troubles there are, with their parameters."""
    from hw_sim.camera.troubles import FAULTS

    for name, fault in sorted(FAULTS.items()):
        given = " ".join(
            f"{key}={default}" for key, (default, _) in fault.params.items() if default is not None
        )
        say(f"{name:<16} {fault.doc}{f' [{given}]' if given else ''}")


def artwork_of(folder: Path | None) -> Artwork | None:
    """The faces in a folder of the user's."""
    from hw_sim.camera.stock import Artwork, ArtworkError

    try:
        return Artwork(folder) if folder is not None else None
    except ArtworkError as error:
        raise fail(error) from None


def size_of(text: str) -> tuple[int, int]:
    """Width and height as written."""
    wide, _, high = text.partition("x")
    if not (
        wide.isdecimal()
        and high.isdecimal()
        and 64 <= int(wide) <= 4096
        and 64 <= int(high) <= 4096
    ):
        raise fail(f"--size {text!r}: WIDTHxHEIGHT in px, such as 640x480")
    return int(wide), int(high)


def _finite(option: str, given: float) -> None:
    """Refuse what cannot be counted with: inf."""
    if not math.isfinite(given):
        raise fail(f"{option} {given}: write a number, such as 1.5")


def _params(pairs: list[str]) -> tuple[tuple[str, object], ...]:
    params: list[tuple[str, object]] = []
    for text in pairs:
        name, equals, value = text.partition("=")
        if not equals:
            raise fail(f"--param {text!r}: write NAME=VALUE")
        params.append((name, int(value) if value.isdigit() else value))
    return tuple(params)
