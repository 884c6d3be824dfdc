"""Where a test table lives, and its file."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

from hw_sim.models.registry import kind_of
from hw_sim.sockets import check_path

KEPT = 5
LATEST = "latest"
CONFIG = """\
# A test table made by `hw-sim table`; paths are relative to this file.
[table]
id = "T01"
kind = "test"
currency = "KRW"
{host}
[journal]
path = "journal.db"

[link]
socket = "table.sock"

[staff]
file = "staff.json"
{more}
[[devices]]
name = "shoe"
kind = "{kind}"
role = "shoe"
port = "{port}"
{device}"""
BOARD = """
[[devices]]
name = "board"
kind = "board"
port = "board.link"
sensor = true
"""
# Its cards carry no code at all: a misread is then another card, and the table says so.
UNCHECKED = """
[cards]
allow_unchecked_codes = true
"""
UNCHECKED_KINDS = ("bee-tek",)
# What the reader's entry in the file needs beside its port, and the virtual device's own options:
# a Bee-Tek's word for the cut card is set by whoever runs it.
DEVICE_LINES = {"bee-tek": 'cut_card = "Cut Card"\n'}
# So many pictures a second, and cards so fast, that a machine of two cores keeps up.
_EASY = ("--option", "fps=30", "--option", "mm_s=250")
OPTIONS = {
    "bee-tek": ("--option", "cut=Cut Card"),
    "camera": ("--option", "code=code128", *_EASY),
}
# What a camera finds printed on the cards; `none`: their indices alone.
CAMERA_CODES = ("code128", "qr", "datamatrix", "none")
CAMERA = """\
read = ["barcode", "index"]
symbologies = ["{code}"]
size = [640, 480]
fps = 30
# A machine that plays the camera as well may be slow at it.
least_fps = 2
"""
CAMERA_INDEX = """\
read = ["index"]
size = [640, 480]
fps = 30
# A machine that plays the camera as well may be slow at it.
least_fps = 2
"""
CHAIRS = """\
host = "chairs"

[chairs]
# What a bet keyed without an amount counts, in minor units.
nominal = 5000
"""
# Silence is waited for to its end: windows of half a second to one, betting as long as ever.
QUICK_WINDOWS = """
[clock]
scale = 20

[rules]
betting_seconds = 300
insurance_seconds = 10
follow_seconds = 10
decision_seconds = 15
"""


def config_text(
    host: str = "link",
    *,
    quick: bool = False,
    kind: str = "text-line",
    place: Path = Path("/"),
    board: bool = False,
    port: str = "",
    device: str = "",
    rules: str = "",
    code: str = "",
) -> str:
    """A new table's file. `quick`: its windows end soon, for players who do not answer. `place`:
    the table's directory; a device that speaks in records or frames has its socket there. `port`:
    where the reader is, if not there. `device`: further lines of its own table. `rules`: further
    tables of the file. `code`: what a camera finds on the cards, code128 if nothing is said.
    """
    socket = kind_of(kind).port != "serial"
    more = (UNCHECKED if kind in UNCHECKED_KINDS else "") + (QUICK_WINDOWS if quick else "")
    text = CONFIG.format(
        host=CHAIRS if host == "chairs" else "",
        more=more + rules,
        kind=kind,
        port=port or (f"virtual:{place.resolve() / 'shoe.link'}" if socket else "shoe.link"),
        device=device_lines(kind, code) + device,
    )
    return text + (BOARD if board else "")


def device_lines(kind: str, code: str = "") -> str:
    """What a reader of that kind has in the table's file beside name, kind, role and port."""
    if kind == "camera":
        return CAMERA_INDEX if code == "none" else CAMERA.format(code=code or "code128")
    return DEVICE_LINES.get(kind, "")


class TableError(Exception):
    """The table cannot be made or went wrong; the message says what and what to do."""


class TableDir:
    """A test table's directory, held by one table at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._lock = -1

    config = property(lambda self: self.path / "table.toml")
    socket = property(lambda self: self.path / "table.sock")
    shoe_link = property(lambda self: self.path / "shoe.link")
    shoe_control = property(lambda self: self.path / "shoe.sock")
    board_link = property(lambda self: self.path / "board.link")
    board_control = property(lambda self: self.path / "board.sock")
    board_truth = property(lambda self: self.path / "board-truth.jsonl")
    truth = property(lambda self: self.path / "shoe-truth.jsonl")
    ledger = property(lambda self: self.path / "players-ledger.json")
    journal = property(lambda self: self.path / "journal.db")
    logs = property(lambda self: self.path / "logs")
    screenshots = property(lambda self: self.path / "screenshots")

    def open(self, config: str = "") -> None:
        """Make it, take it, write the table's file if there is none (`config`: its text).

        Raises TableError when another table runs in it, SocketError when its path is too long for
        a socket.
        """
        check_path(self.path / "players.sock")
        try:
            self.logs.mkdir(parents=True, exist_ok=True)
            self.screenshots.mkdir(exist_ok=True)
            handle = os.open(self.path / "table.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise TableError(f"{self.path}: {error.strerror}; choose another --dir") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise TableError(
                f"{self.path}: a test table runs here already; end it or choose another --dir"
            ) from error
        self._lock = handle
        if not self.config.exists():
            self.config.write_text(config or config_text(), encoding="utf-8")

    def host(self) -> str:
        """What the table's file says of its host: `link`, `chairs`, or "" when it cannot be told:
        what is wrong with the file the station says better.
        """
        table = self._file().get("table")
        return str(table.get("host", "link")) if isinstance(table, dict) else ""

    def kinds(self) -> dict[str, str]:
        """The kinds of the devices in the table's file by their names; none when that cannot be
        told.
        """
        devices = self._file().get("devices")
        return {
            str(device.get("name")): str(device.get("kind", "text-line"))
            for device in (devices if isinstance(devices, list) else [])
            if isinstance(device, dict)
        }

    def camera_code(self) -> str:
        """What is printed on the cards for a camera that is the shoe's reader; "" for no camera."""
        devices = self._file().get("devices")
        for device in devices if isinstance(devices, list) else []:
            if isinstance(device, dict) and device.get("kind") == "camera":
                read, codes = device.get("read"), device.get("symbologies")
                if isinstance(read, list) and "barcode" not in read:
                    return "none"
                return str(codes[0]) if isinstance(codes, list) and codes else "code128"
        return ""

    def shoe_options(self) -> tuple[str, ...]:
        """How the virtual shoe is set up, so that it fits the table's file."""
        kind = self.kinds().get("shoe", "")
        if kind == "camera":
            return ("--option", f"code={self.camera_code()}", *_EASY)
        return OPTIONS.get(kind, ())

    def _file(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.config.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def close(self) -> None:
        """Let go of it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def in_use(self) -> bool:
        """Whether a table runs in it."""
        try:
            handle = os.open(self.path / "table.lock", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(handle)
        return False


def fresh_dir(root: Path) -> TableDir:
    """A new directory under `root`, named by number; of the old ones the last few are kept.
    The link `latest` points at the new one.
    """
    root.mkdir(parents=True, exist_ok=True)
    old = sorted(
        (
            entry
            for entry in root.iterdir()
            if entry.is_dir() and re.fullmatch(r"\d{4,}", entry.name)
        ),
        key=lambda entry: int(entry.name),
    )
    for entry in old[: -KEPT + 1]:
        if (entry / "table.lock").exists() and not TableDir(entry).in_use():
            shutil.rmtree(entry, ignore_errors=True)
    number = int(old[-1].name) + 1 if old else 1
    while True:
        try:
            (root / f"{number:04}").mkdir()
        except FileExistsError:
            number += 1
        else:
            _point(root / LATEST, f"{number:04}")
            return TableDir(root / f"{number:04}")


def _point(link: Path, target: str) -> None:
    """Make the link point there, in one step; what is no link is left alone."""
    if link.exists() and not link.is_symlink():
        return
    fresh = link.with_name(f"{link.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)


def default_root() -> Path:
    """`var/test-table` of the project when it runs from a checkout, else of the current place."""
    checkout = Path(__file__).resolve().parents[2]
    base = checkout if (checkout / "pyproject.toml").exists() else Path.cwd()
    return base / "var" / "test-table"
