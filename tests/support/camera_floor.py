"""A whole table whose shoe is read by a camera: the real station, the real reader's process, and a
simulated camera's frames over a real socket.

The simulated camera is a process of its own, for OpenCV and Qt must not meet in the tests'. Cards
pass as they are named. Like a dealer, whoever deals here shows a card again that was not read: how
many pictures a busy machine looks at proves nothing.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from hw_sim.control import ShoeControl
from station import snapshot as v
from station.journal import verify
from tests.support.daemon import WAIT_S, Station
from tests.support.floor import Floor

# A reader's program needs seconds to start, and a card a second to pass.
SLOW_S = 90.0
# A card of which nothing was heard for so long after it passed is shown again.
UNHEARD_S = 6.0
FAILPOINT = "DEALER_STATION_CAMERA_FAILPOINT"
ABORT_AT = 5_000_000

CONFIG = """\
[table]
id = "T01"
kind = "test"

[rules]
decision_seconds = 300
insurance_seconds = 300
betting_seconds = 300

[[devices]]
name = "shoe"
kind = "camera"
role = "shoe"
port = "virtual:{camera}"
read = {read}
symbologies = ["{code}"]
size = [640, 480]
fps = {fps}
travel = "right"
least_fps = 0
{more}
"""


class CameraSim:
    """The simulated camera's process. It may be told anything `hw-sim order` can tell it."""

    def __init__(self, folder: Path, **options: str | int) -> None:
        self.link = folder / "camera"
        given = {"mm_s": 160, **options}
        command = [sys.executable, "-m", "hw_sim.cli", "shoe", "--kind", "camera", "--seed", "1"]
        command += ["--link", str(self.link), "--control", str(folder / "camera.sock")]
        for name, value in given.items():
            command += ["--option", f"{name}={value}"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("ready"), said
        self._control = ShoeControl(folder / "camera.sock")

    def ask(self, do: str, **params: object) -> dict[str, Any]:
        return self._control.ask(do, **params)

    def fault(self, name: str, **params: object) -> None:
        """Now, or at the next card if it is one of a card's."""
        self.ask("fault", fault=name, **params)

    def card(self, face: str, deck: int = 1, letter: str = "A") -> None:
        """A card passes; no face: the cut card."""
        self.ask("pass", face=face, deck=deck, set=letter)

    def until(self, window: str, wait_s: float = SLOW_S) -> None:
        """Until the window is `empty`, or a card `rests` there."""
        end = time.monotonic() + wait_s
        while self.ask("state")["device"]["window"] != window:
            assert time.monotonic() < end, f"the window is not: {window}"
            time.sleep(0.02)

    def close(self) -> None:
        self._control.close()
        self.process.terminate()
        self.process.wait(WAIT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


class CameraStation(Station):
    """A station whose one reader is a camera. `read`: its witnesses; `code`: what is printed."""

    def __init__(
        self,
        folder: Path,
        *,
        read: tuple[str, ...] = ("barcode", "index"),
        code: str = "code128",
        fps: int = 30,
        device: str = "",
        options: dict[str, str | int] | None = None,
    ) -> None:
        super().__init__(folder)
        self.serial.unplug()
        witnesses = "[" + ", ".join(f'"{one}"' for one in read) + "]"
        text = CONFIG.format(
            camera=folder / "camera", read=witnesses, code=code, fps=fps, more=device
        )
        self.config.write_text(text)
        printed = code if "barcode" in read else "none"
        self.camera = CameraSim(
            folder, **{"code": printed, "fps": fps, "strangers": "true", **(options or {})}
        )

    def close(self) -> None:
        super().close()
        self.camera.close()

    def reader(self) -> int:
        """The process number of the camera's reader, as soon as there is one."""
        end = time.monotonic() + SLOW_S
        while time.monotonic() < end:
            for pid in _children(self.pid):
                if b"drivers.camera" in _command(pid):
                    return pid
            time.sleep(0.02)
        raise AssertionError("no camera's reader runs")

    def pictures(self) -> list[Path]:
        """The pictures that are kept beside the journal."""
        return sorted((self.folder / "journal.db.evidence").glob("*.jpg"))

    def verified(self) -> None:
        """The journal's chain holds, whole."""
        assert verify(self.journal_path).facts == len(self.journal())


class CameraFloor(Floor):
    """Everybody around a table with a camera. Cards have numbers of decks of their own."""

    station: CameraStation

    def join(self, after: int | None = None) -> CameraFloor:
        self.console = self.station.client("console")
        self.up()
        self.host = self.station.client("host", after=after)
        self.pit = self.station.client("pit")
        return self

    @property
    def camera(self) -> CameraSim:
        return self.station.camera

    def up(self) -> v.Snapshot:
        """The camera sees, however slowly on a busy machine."""
        return self.console.wait_for(
            lambda s: s.devices[0].health in ("up", "impaired"), "the camera sees", SLOW_S
        )

    def seen(self, before: int) -> v.LastReadView:
        last = self.console.wait_for(
            lambda s: s.last_read is not None and s.last_read.number > before, "a reading", SLOW_S
        ).last_read
        assert last is not None
        return last

    def another(self, face: str) -> int:
        """The number of the next deck that still has that face."""
        self.decks[face] = self.decks.get(face, 0) + 1
        return self.decks[face]

    def shown(self, face: str, deck: int) -> v.LastReadView:
        """A card passes until it is read: how often a busy machine misses one proves nothing."""
        while True:
            before = self.reads
            self.camera.card(face, deck)
            self.camera.until("empty")
            last = self._read(before, face)
            if last is not None and last.outcome != "no_read":
                return self.that_one(last)
            self.released()

    def _read(self, before: int, face: str) -> v.LastReadView | None:
        """The reading of that card, or that it was not read; None where nothing was heard."""

        def it(now: v.Snapshot) -> bool:
            last = now.last_read
            known = last is not None and last.number > before
            return known and last is not None and (last.face == face or last.outcome == "no_read")

        with contextlib.suppress(AssertionError):
            return self.console.wait_for(it, "a reading", UNHEARD_S).last_read
        return None

    def that_one(self, last: v.LastReadView) -> v.LastReadView:
        """A card that passes again was drawn, for all that the camera sees: while one is unread a
        supervisor says that it is that one.
        """
        for hold in self.console.now.holds:
            if hold.code == "drawn_after_unread" and last.outcome == "doubted":
                self.rule(hold, "second")
                read = self.console.now.last_read
                assert read is not None
                return read
        return last

    def released(self) -> None:
        """Three misses in a row are no more than that on a busy machine."""
        for hold in self.console.now.holds:
            if hold.code == "unreadable_card":
                self.rule(hold, "release")

    def card(self, face: str, deck: int | None = None) -> v.LastReadView:
        return self.shown(face, deck or self.another(face))

    def held(self, hold: str) -> v.HoldView:
        now = self.console.wait_for(lambda s: any(h.code == hold for h in s.holds), hold, SLOW_S)
        return next(h for h in now.holds if h.code == hold)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += [int(one) for one in (task / "children").read_text().split()]
    return found


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
