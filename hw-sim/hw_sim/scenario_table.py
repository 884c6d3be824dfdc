"""The table a scenario starts for itself: a virtual reader, perhaps a board, and a station."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hw_sim.children import Child, ChildError, station_command
from hw_sim.control import ShoeControl
from hw_sim.scenario import TableWanted
from hw_sim.table_config import OPTIONS, TableDir, config_text

START_S = 30.0
RIVAL_S = 30.0


class ScenarioTable:
    """`start` it, use `shoe`, `board` and `place`, `end` it. Raises ChildError, TableError."""

    def __init__(self, wanted: TableWanted) -> None:
        self._wanted = wanted
        self.place = TableDir(Path(tempfile.mkdtemp(prefix="hw-sim-")))
        self.shoe = ShoeControl(self.place.shoe_control)
        self.board = ShoeControl(self.place.board_control) if wanted.board else None
        self._children: list[Child] = []

    def start(self) -> None:
        """Devices first, then the station that reads them."""
        wanted, place = self._wanted, self.place
        place.logs.mkdir(parents=True, exist_ok=True)
        if wanted.board:
            self._device("board", place.board_link, "board", place.board_control)
        stack = place.path / "stack"
        stack.write_text(wanted.stack, encoding="utf-8")
        more = ["--stack", str(stack), "--cut", str(wanted.cut), "--wire", wanted.wire]
        more += ["--log", str(place.truth)]
        more += OPTIONS.get(wanted.kind, ())
        for name, value in wanted.options.items():
            more += ["--option", f"{name}={_option(value)}"]
        if wanted.board:
            more += ["--board", str(place.board_control)]
        if wanted.tcp:
            more += ["--tcp", "127.0.0.1:0"]
        self._device("shoe", place.shoe_link, wanted.kind, place.shoe_control, *more)
        port = str(self.shoe.ask("state")["port"]) if wanted.tcp else ""
        rules = "\n[rules]\n" + toml_lines(wanted.rules) if wanted.rules else ""
        place.open(
            config_text(
                kind=wanted.kind,
                place=place.path,
                port=port,
                board=wanted.board,
                device=toml_lines(wanted.device),
                rules=rules,
            )
        )
        self._child("daemon", station_command(), "run", "--config", str(place.config))

    def rival(self) -> tuple[int, str]:
        """A second station on the same reader: its exit code, and what it said on the way."""
        other = self.place.path / "rival"
        other.mkdir(exist_ok=True)
        wanted = self._wanted
        port = str(self.place.shoe_link)
        text = config_text(kind=wanted.kind, place=other, port=port)
        (other / "table.toml").write_text(text, encoding="utf-8")
        command = [station_command(), "run", "--config", str(other / "table.toml")]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=RIVAL_S, check=False
            )
        except subprocess.TimeoutExpired:
            return 0, f"it runs after {RIVAL_S:.0f} s"
        return done.returncode, done.stderr

    def traceback(self) -> str:
        """The station's words from a traceback on; "" when there is none."""
        log = self.place.logs / "daemon.log"
        said = log.read_text(errors="replace") if log.exists() else ""
        at = said.find("Traceback")
        return "" if at < 0 else said[at : at + 1500]

    def how_it_runs(self) -> str:
        """Which of its processes have ended, and how."""
        ended = [child for child in self._children if child.code is not None]
        return "; ".join(
            f"{child.name} {child.how_it_ended()}:\n{child.last_lines()}" for child in ended
        )

    def end(self, *, keep: bool) -> None:
        """Everything it started ends; its directory goes unless it is kept."""
        self.shoe.close()
        if self.board is not None:
            self.board.close()
        for child in reversed(self._children):
            child.end()
        self.place.close()
        if not keep:
            shutil.rmtree(self.place.path, ignore_errors=True)

    def _device(self, name: str, link: Path, kind: str, control: Path, *more: str) -> None:
        command = [sys.executable, "-m", "hw_sim.cli", "shoe", "--kind", kind, "--link", str(link)]
        command += ["--control", str(control), "--seed", str(self._wanted.seed), *more]
        self._child(name, *command)

    def _child(self, name: str, *command: str) -> None:
        child = Child(name, command, self.place.logs)
        self._children.append(child)
        limit = time.monotonic() + START_S
        while not child.is_ready():
            if child.code is not None or time.monotonic() > limit:
                raise ChildError(f"{name} {child.how_it_ended()}:\n{child.last_lines()}")
            time.sleep(0.02)


def toml_lines(keys: Mapping[str, Any]) -> str:
    """Keys and values as lines of TOML."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in keys.items())


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list():
            return "[" + ", ".join(_toml(one) for one in value) + "]"
        case _:
            return str(value)


def _option(value: Any) -> str:
    return _toml(value) if isinstance(value, bool) else str(value)
