"""What the commands share: options, and one way to say, to fail and to read a table's file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

ConfigOption = Annotated[
    Path, typer.Option("--config", "-c", help="The table's file.", metavar="FILE")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document, for scripts.")]
LinesOption = Annotated[bool, typer.Option("--json", help="JSON lines, one fact a line.")]
DEFAULT_CONFIG = Path("table.toml")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def json_out(document: Any) -> None:
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(document) + b"\n")
    sys.stdout.flush()


def fail(error: BaseException | str, *, as_json: bool = False) -> typer.Exit:
    """One line that says what is wrong, and exit code 2."""
    if as_json:
        json_out({"ok": False, "error": str(error)})
    sys.stderr.write(f"dealer-station: {error}\n")
    return typer.Exit(2)


def loaded(path: Path, *, as_json: bool = False) -> Any:
    from station.config import ConfigError, load_config

    try:
        return load_config(path)
    except (ConfigError, ValueError) as error:
        raise fail(error, as_json=as_json) from None


def devices(file: Path, config: Any, *, as_json: bool = False) -> Any:
    """The devices of a table's file; a mistake in one names the file too."""
    from station.cli_check import devices
    from station.config import ConfigError

    try:
        return devices(config)
    except ConfigError as error:
        raise fail(f"{file}: {error}", as_json=as_json) from None
