"""`doctor`: the disk the journal lies on."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from station.cli_finding import Finding

MB = 1024 * 1024
ENOUGH_MB = 2000
LEAST_MB = 200
SYNCS = 16
SLOW_MS = 10.0
TOO_SLOW_MS = 100.0
# A disk that answers quicker has not written anything: memory, or a cache that is not flushed.
UNBELIEVABLE_MS = 0.02
_FLEETING = {"tmpfs", "ramfs", "overlay"}
_REMOTE = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.glusterfs", "ceph", "vboxsf"}


def disk(journal: Path) -> Iterator[Finding]:
    """Folder, free space, kind of file system, and the time of a sync."""
    folder = journal.parent
    where = str(folder)
    if not folder.is_dir():
        yield Finding("disk", "fail", "the journal's folder does not exist", where, "make it")
        return
    if not _writable(folder, journal):
        yield Finding(
            "disk",
            "fail",
            "this user may not write the journal there",
            where,
            "give the station's user the right to the folder and all journal files in it",
        )
        return
    yield _space(folder)
    yield file_system(folder, fs_type(folder))
    yield speed(where, sync_ms(folder))


def _writable(folder: Path, journal: Path) -> bool:
    files = [one for one in folder.glob(f"{journal.name}*") if one.is_file()]
    return all(os.access(one, os.W_OK) for one in (folder, *files))


def _space(folder: Path) -> Finding:
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize // MB
    if free >= ENOUGH_MB:
        return Finding("space", "ok", f"{free} MB free", str(folder))
    level = "fail" if free < LEAST_MB else "warn"
    do = f"free some: below {ENOUGH_MB} MB it runs full within weeks, and then the table stops"
    return Finding("space", level, f"only {free} MB free", str(folder), do)  # type: ignore[arg-type]


def file_system(folder: Path, kind: str) -> Finding:
    """Whether a journal may lie on such a file system."""
    where = str(folder)
    if kind in _REMOTE or kind.startswith("fuse."):
        return Finding(
            "disk",
            "fail",
            f"{kind}: a journal's locks and syncs do not hold over a network or through FUSE",
            where,
            "put [journal] path on a disk of this machine",
        )
    if kind in _FLEETING:
        return Finding(
            "disk",
            "warn",
            f"{kind}: what is written here may be gone after a restart",
            where,
            "put the journal of a live table on a disk of its own",
        )
    return Finding("disk", "ok", f"file system {kind or 'unknown'}, writable", where)


def fs_type(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The type of the file system a folder lies on, "" when unknown (proc_pid_mountinfo(5))."""
    place, best, found = folder.resolve(), -1, ""
    with contextlib.suppress(OSError):
        for line in mounts.read_text(errors="replace").splitlines():
            left, _, right = line.partition(" - ")
            fields = left.split()
            if len(fields) < 5 or not right:
                continue
            mount = Path(fields[4].replace("\\040", " "))
            # Of two mounts on one place the later one is seen.
            if place.is_relative_to(mount) and len(mount.parts) >= best:
                best, found = len(mount.parts), right.split()[0]
    return found


def sync_ms(folder: Path) -> list[float]:
    """How long each of some small synced writes took, sorted, milliseconds."""
    times = []
    with tempfile.TemporaryFile(dir=folder, prefix="doctor-") as file:
        for _ in range(SYNCS):
            os.write(file.fileno(), bytes(4096))
            began = time.perf_counter_ns()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter_ns() - began) / 1e6)
    return sorted(times)


def speed(where: str, times: list[float]) -> Finding:
    """What the syncs mean: every card waits for one."""
    middle, worst = times[len(times) // 2], times[-1]
    said = f"a sync takes {middle:.2f} ms, {worst:.2f} ms at worst"
    if middle < UNBELIEVABLE_MS:
        return Finding(
            "sync",
            "warn",
            f"{said}: no disk is that quick, so a power cut may lose what was confirmed",
            where,
            "use a disk that honours a sync, and switch its write cache off if it has no battery",
        )
    if middle < SLOW_MS:
        return Finding("sync", "ok", said, where)
    return Finding(
        "sync",
        "fail" if middle >= TOO_SLOW_MS else "warn",
        f"{said}; every card waits for it",
        where,
        "use an SSD for the journal, and let nothing else write much on it",
    )
