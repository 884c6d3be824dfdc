"""`camera record`: what a camera sees, kept as pictures in a folder.

Each picture is the camera's own JPEG where it sends one, else a PNG; all of them are one sequence
for `camera read` and `camera enroll --from`. `times.jsonl` beside them has a head and one line a
picture. Nothing is written over, only the owner may read it, and no disk is filled to its end.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from drivers.camera import asked
from drivers.camera.cv import cv2
from drivers.camera.looking import WARNING, Pictures, opened, spec_from, stopper
from drivers.camera.private_files import write_new
from drivers.camera.refusal_words import in_lang, of_file, refusal
from drivers.camera.sources.base import Shot
from drivers.kinds.camera import CameraSpec

TIMES = "times.jsonl"
MB = 1_000_000
# So much is left to the journal's disk, whatever was asked for.
LEAST_FREE = 500 * MB
_EOI = b"\xff\xd9"

Free = Callable[[Path], int]


def record(request: asked.Record) -> int:
    """0 when pictures were kept. Raises ValueError saying why not."""
    spec = spec_from(request.spec)
    folder = Path(request.folder)
    before = folder.exists()
    new_folder(folder)
    try:
        return _recorded(spec, folder, request)
    finally:
        if not before:
            with contextlib.suppress(OSError):  # There is something in it: that stays.
                folder.rmdir()


def _recorded(spec: CameraSpec, folder: Path, request: asked.Record) -> int:
    stopped = stopper()
    with opened(spec) as pictures:
        if not request.as_json:
            _say(f"{spec.name}: {in_lang(pictures.what, request.lang)}")
            _say(WARNING[request.lang])
        head = {
            "recording": spec.name,
            "what": pictures.what,
            "start": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        }
        reel = Reel(folder, round(request.megabytes * MB), head)
        keep(pictures, reel, stopped, request.seconds)
        reel.close()
        _sum_up(pictures, reel, request)
    if reel.failed:
        raise ValueError(reel.failed)
    if not reel.kept:
        reel.discard()
        raise ValueError(pictures.lost or refusal("none_came"))
    return 0


def keep(
    pictures: Pictures,
    reel: Reel,
    stopped: Callable[[], bool],
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Keep each picture until it is time, or the reel is full."""
    end_s = clock() + seconds

    def over() -> bool:
        return stopped() or clock() >= end_s or bool(reel.ended)

    for shot in pictures.until(over):
        if shot is not None and not reel.ended:
            reel.take(shot)


def new_folder(folder: Path) -> Path:
    """The folder, made if there is none, and empty. Raises ValueError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ValueError(refusal("not_empty", path=folder))
    except OSError as error:
        raise ValueError(of_file(folder, error)) from error
    return folder


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass
class Reel:
    """Writes pictures into a folder, at most `limit` bytes. `ended`: why it takes no more, "" as
    long as it does; `failed`: the same where that is a failure.
    """

    folder: Path
    limit: int
    head: dict[str, Any]
    free: Free = _free
    kept: int = field(default=0, init=False)
    size: int = field(default=0, init=False)
    ended: str = field(default="", init=False)
    failed: str = field(default="", init=False)
    _first_ns: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._times = os.open(self.folder / TIMES, flags, 0o600)
            self._line(self.head)
        except OSError as error:
            raise ValueError(of_file(self.folder, error)) from error

    def take(self, shot: Shot) -> None:
        """One picture more, whole or not at all."""
        data, ending = _encoded(shot)
        if self.size + len(data) > self.limit:
            self.ended = refusal("reel_full", mb=f"{self.limit / MB:g}")
            return
        name = f"frame_{self.kept:05}{ending}"
        try:
            if self.free(self.folder) - len(data) < LEAST_FREE:
                self.failed = refusal("little_room", path=self.folder, mb=LEAST_FREE // MB)
            else:
                write_new(self.folder / name, data)
                self._note(name, shot)
        except OSError as error:
            self.failed = of_file(self.folder / name, error)
        self.ended = self.ended or self.failed
        if not self.failed:
            self.kept += 1
            self.size += len(data)

    def close(self) -> None:
        """No more."""
        os.close(self._times)

    def discard(self) -> None:
        """Leave no list behind of no pictures."""
        with contextlib.suppress(OSError):
            (self.folder / TIMES).unlink()

    def _note(self, name: str, shot: Shot) -> None:
        at_ns = shot.frame.at_ns
        self._first_ns = self._first_ns or at_ns
        ms = round((at_ns - self._first_ns) / 1e6, 3)
        self._line({"file": name, "ms": ms, "number": shot.frame.number})

    def _line(self, document: dict[str, Any]) -> None:
        data = msgspec.json.encode(document) + b"\n"
        while data:
            data = data[os.write(self._times, data) :]


def _encoded(shot: Shot) -> tuple[bytes, str]:
    """The picture as it is kept, and how its name ends."""
    if shot.jpeg:
        return shot.jpeg[: shot.jpeg.rfind(_EOI) + 2], ".jpg"
    # The quickest of the lossless ways: what is written slowly is missing from the recording.
    _, data = cv2.imencode(".png", shot.frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return bytes(data), ".png"


def _sum_up(pictures: Pictures, reel: Reel, request: asked.Record) -> None:
    missed = max(0, pictures.came - pictures.torn - reel.kept)
    summary = {
        "kept": reel.kept,
        "bytes": reel.size,
        "missed": missed,
        "torn": pictures.torn,
        "ended": pictures.lost or reel.ended,
        "folder": str(reel.folder),
    }
    if request.as_json:
        _say(msgspec.json.encode({"summary": summary}).decode())
        return
    kept, missing, ended, try_them = _SUMMARY[request.lang]
    said = kept.format(reel.folder, reel.kept, reel.size / MB)
    if missed or pictures.torn:
        said += missing.format(missed, pictures.torn)
    _say(said)
    if summary["ended"]:
        _say(ended.format(in_lang(str(summary["ended"]), request.lang)))
    if reel.kept:
        _say(try_them.format(reel.folder))


_SUMMARY = {
    "en": (
        "{}: pictures: {}, {:.1f} MB",
        "; {} came too quickly to be kept, {} were damaged",
        "ended: {}",
        "try them: dealer-station camera read {}",
    ),
    "ko": (
        "{}: 영상 {}장, {:.1f} MB",
        "; 너무 빨라 남기지 못한 것 {}장, 깨진 것 {}장",
        "끝난 까닭: {}",
        "읽어 보기: dealer-station camera read {}",
    ),
}


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
