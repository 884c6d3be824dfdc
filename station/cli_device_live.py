"""The live view of `device test`: three columns, and under them how far it comes."""

from __future__ import annotations

from collections import deque

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from station.cli_device_probe import LAYERS, Counted, Probe, Said

NO_TABLE = "No table runs: a card read here counts nowhere."
_ROWS = 14
_WORD = {
    "connected": "connected",
    "bytes": "raw bytes seen",
    "frames": "whole frame seen",
    "decoded": "decoded",
}
_HEIGHT = _ROWS + 6
# So much of one message is shown. A code is shorter; what a camera's reader says is not, and
# `--json` and `device record` have all of it.
_BYTES, _LETTERS = 24, 72


class Screen:
    """The last lines of each column, the newest first: what does not fit is the oldest."""

    def __init__(self, probe: Probe, name: str, port: str) -> None:
        self._probe = probe
        self._title = f"{name}: {probe.kind} at {port}"
        self._raw: deque[Text] = deque(maxlen=_ROWS)
        self._frames: deque[Text] = deque(maxlen=_ROWS)
        self._seen: deque[Text] = deque(maxlen=_ROWS)

    def add(self, said: Said) -> None:
        """One more thing that happened."""
        at = f"{said.at_ms / 1000:8.3f} "
        match said.what:
            case "raw":
                self._raw.appendleft(
                    Text.assemble((at, "dim"), f"{_hex(said)}\n", (_text(said), "cyan"))
                )
            case "sent":
                self._raw.appendleft(
                    Text.assemble((at, "dim"), ("→ ", "magenta"), f"{_hex(said)}\n", _text(said))
                )
            case "frame":
                note = (f"\n{said.note}", "yellow")
                self._frames.appendleft(
                    Text.assemble((at, "dim"), said.name, f" {_text(said)}", note)
                )
            case _:
                self._seen.appendleft(Text.assemble((at, "dim"), (said.says, _style(said))))

    def __rich__(self) -> Group:
        grid = Table.grid(expand=True, padding=(0, 1))
        for _ in range(3):
            grid.add_column(ratio=1)
        grid.add_row(
            Panel(Text("\n").join(self._raw), title="bytes (→ sent)", height=_HEIGHT),
            Panel(Text("\n").join(self._frames), title="frames", height=_HEIGHT),
            Panel(Text("\n").join(self._seen), title="what it means", height=_HEIGHT),
        )
        return Group(
            Text(self._title, style="bold"),
            Text(NO_TABLE, style="yellow"),
            grid,
            Columns(layers(self._probe.counted)),
            Text(self._probe.counted.hint()),
            Text("Ctrl-C ends.", style="dim"),
        )


def layers(counted: Counted) -> list[Text]:
    """Each layer with a tick or a cross."""
    reached = counted.reached
    last = -1 if reached is None else LAYERS.index(reached)
    return [
        Text(f"{'✓' if place <= last else '✗'} {_WORD[layer]}", "green" if place <= last else "red")
        for place, layer in enumerate(LAYERS)
    ]


def _style(said: Said) -> str:
    saw = said.observation.get("saw", said.what)
    if saw in ("card", "cut_card"):
        return "bold green"
    return "red" if saw in ("no_read", "trouble") or said.health not in ("", "up") else ""


def plain(said: Said) -> str:
    """One line, where there is no terminal to draw on."""
    at = f"{said.at_ms / 1000:9.3f}  "
    match said.what:
        case "raw" | "sent":
            return f"{at}{said.what:12}{_hex(said)}  |{_text(said)}|"
        case "frame":
            note = f"  ! {said.note}" if said.note else ""
            return f"{at}{'frame':12}{said.name} |{_text(said)}|{note}"
        case _:
            return f"{at}{said.what:12}{said.says}"


def _hex(said: Said) -> str:
    """The bytes, of a long message its beginning and how many they are."""
    count = (len(said.hex) + 1) // 3
    return said.hex if count <= _BYTES else f"{said.hex[: 3 * _BYTES - 1]} … {count} bytes"


def _text(said: Said) -> str:
    """The same as text; of a long message its beginning."""
    return said.text if len(said.text) <= _LETTERS else f"{said.text[:_LETTERS]}…"


def closing(counted: Counted) -> str:
    """The layers and the hint, at the end."""
    return "  ".join(str(layer) for layer in layers(counted)) + f"\n{counted.hint()}"
