"""A reader looked at alone: `dealer-station device test`, run as a child and read line by line."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw_sim.children import station_command

OPEN_S = 20.0
END_S = 5.0
# A second read of a face so soon after the first, by a reader that cannot tell cards of a face
# apart, is the same card still.
SAME_CARD_MS = 400


class WatchError(Exception):
    """The reader cannot be had; the message names its port and says why."""


class Watch:
    """What one reader says. `start` it, look at `cards` and `said`, `stop` it."""

    def __init__(self, config: Path, name: str, port: str) -> None:
        self.config = config
        self.name = name
        self.port = port
        self.said: list[dict[str, Any]] = []
        self.health = ""
        self._changed = threading.Condition()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._errors = config.with_name(f"{config.stem}-watch.log")

    def start(self) -> None:
        """Open the reader. Raises WatchError naming it when another program has it, or it does not
        come up.
        """
        command = [station_command(), "device", "test", self.name]
        command += ["--config", str(self.config), "--json"]
        with self._errors.open("w", encoding="utf-8") as errors:
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                )
            except OSError as error:
                raise WatchError(f"{command[0]}: {error.strerror}") from error
        self._thread.start()
        if not self.wait(lambda: self.health == "up" or self.ended, OPEN_S) or self.ended:
            said = self._errors.read_text(encoding="utf-8").strip()
            self.stop()
            raise WatchError(
                f"device {self.name!r} at {self.port} is not up but {self.health or 'not there'}"
                + (f": {said}" if said else "")
            )

    def stop(self) -> None:
        """Let go of it."""
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._thread.is_alive():
            self._thread.join(END_S)
        if process.stdout is not None:
            process.stdout.close()

    @property
    def ended(self) -> bool:
        """Whether nobody looks any more."""
        return self._process is None or self._process.poll() is not None

    def wait(self, is_so: Callable[[], object], wait_s: float) -> bool:
        """Until it is so; False when it is not in time."""
        with self._changed:
            return bool(self._changed.wait_for(is_so, wait_s))

    # --- what it said -----------------------------------------------------------------------

    def observed(self, *saw: str) -> list[dict[str, Any]]:
        """Observations of these sorts, in order, with `at_ms`."""
        with self._changed:
            return [
                {**line["observation"], "at_ms": line["at_ms"]}
                for line in self.said
                if line.get("what") == "observation" and line["observation"].get("saw") in saw
            ]

    @property
    def cards(self) -> list[str]:
        """The faces read, one for each card: what the reader tells again does not count twice.
        The cut card is `cut`.
        """
        faces: list[str] = []
        last: dict[str, Any] = {}
        for read in self.observed("card", "cut_card"):
            if not (read.get("resent") or _same_card(last, read)):
                faces.append(read.get("face", "cut"))
            last = read
        return faces

    @property
    def no_reads(self) -> list[str]:
        """Why something that passed was no card."""
        return [read["reason"] for read in self.observed("no_read")]

    @property
    def troubles(self) -> list[str]:
        """Faults it told of."""
        return [fault["code"] for fault in self.observed("trouble")]

    def _read(self) -> None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for text in process.stdout:
                line = json.loads(text)
                with self._changed:
                    self.said.append(line)
                    if line.get("what") == "health":
                        self.health = line["health"]
                    self._changed.notify_all()
        process.wait()
        with self._changed:
            self._changed.notify_all()


def _same_card(last: dict[str, Any], read: dict[str, Any]) -> bool:
    """Whether it is the card of the read before, still before the reader."""
    if not last or last.get("face") != read.get("face") or last["saw"] != read["saw"]:
        return False
    if read.get("numbered"):
        return False
    if read.get("deck") or read["saw"] == "cut_card":
        return bool(last.get("text") == read.get("text"))
    return bool(read["at_ms"] - last["at_ms"] < SAME_CARD_MS)
