"""`doctor`: user, libraries, clock and kernel of this machine."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from station.cli_finding import Finding
from station.cli_rights import me, my_groups
from station.journal import JournalError, boot_id, open_reader
from station.watching.kernel import ERROR, UNSYNCHRONISED, kernel_clock

GROUPS = ("dialout", "input", "plugdev", "video", "dealer-station")
STEP_S = 2.0
_QT = "from ui import start\ntry:\n start.{}\nexcept start.CannotStart as why:\n print(why)"
_QT_SECONDS = 60
_HANGUL = ("*Noto*CJK*", "*NotoSansKR*", "*Nanum*", "*Pretendard*", "*UnDotum*", "*unfonts*")
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def user() -> Finding:
    """Who runs this, and in which of the groups that own ports."""
    mine = sorted(my_groups().intersection(GROUPS))
    what = f"{me()}, in the groups {', '.join(mine) or 'none of ' + ', '.join(GROUPS)}"
    if os.geteuid() == 0:
        return Finding(
            "user",
            "warn",
            "this is root: nothing keeps a second program off a port that root opens",
            "",
            "run the station as a user of its own; packaging/README.md has one",
        )
    if not mine:
        return Finding(
            "user",
            "warn",
            what,
            "",
            f"sudo usermod -aG dialout,input,plugdev,video {me()}, then log out and in again",
        )
    return Finding("user", "ok", what)


# --- libraries --------------------------------------------------------------------------------


def libraries(*, console: bool) -> Iterator[Finding]:
    """What is loaded from the system, and the one pair of Python and Qt that aborts."""
    yield _library("libzbar.so.0", "libzbar0", "card codes in camera pictures are read")
    if not console:
        yield Finding("console", "ok", "no console wanted here (--console looks at it)")
        return
    for name, call in (("console", "load_qt()"), ("display", "check_display(start.os.environ)")):
        why = _qt(call)
        if why:
            level = "fail" if name == "console" else "warn"
            yield Finding(name, level, why)  # type: ignore[arg-type]
        else:
            yield Finding(name, "ok", "Qt loads" if name == "console" else "a window can open")
    yield fonts()


def _library(file: str, package: str, purpose: str) -> Finding:
    try:
        ctypes.CDLL(file)
    except OSError:
        do = f"sudo apt-get install {package}, if a camera is to be used"
        return Finding("library", "warn", f"{file} is missing: no {purpose}", "", do)
    return Finding("library", "ok", f"{file}: {purpose}")


def _qt(call: str) -> str:
    """Why a part of Qt does not work, "" when it does. In a process of its own: Qt may abort."""
    command = [sys.executable, "-c", _QT.format(call)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_QT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        return f"it ends with code {done.returncode}: {last}"
    return done.stdout.strip()


def fonts() -> Finding:
    """Whether there is a font with Korean letters."""
    for folder in map(os.path.expanduser, _FONTS):
        for pattern in _HANGUL:
            found = next(Path(folder).rglob(pattern), None) if Path(folder).is_dir() else None
            if found is not None:
                return Finding("font", "ok", "a font with Korean letters", str(found))
    return Finding(
        "font",
        "warn",
        "no font with Korean letters: the console would be in English",
        "",
        "sudo apt-get install fonts-noto-cjk",
    )


# --- clock ------------------------------------------------------------------------------------


def clock() -> Iterator[Finding]:
    """Whether UTC is kept by a time server, and the monotonic clock runs."""
    try:
        state, status, _ = kernel_clock()
    except (OSError, AttributeError) as error:
        yield Finding("clock", "warn", f"the kernel does not say: {error}", "", "timedatectl")
    else:
        yield synchronised(state, status)
    first = time.monotonic_ns()
    time.sleep(0.001)
    if time.monotonic_ns() > first:
        yield Finding("clock", "ok", "the monotonic clock runs")
    else:
        yield Finding("clock", "fail", "the monotonic clock stands", "", "restart the machine")


def synchronised(state: int, status: int) -> Finding:
    """What the kernel's answer means."""
    if state == ERROR or status & UNSYNCHRONISED:
        return Finding(
            "clock",
            "warn",
            "no time server keeps this clock: the stamps of facts may be wrong",
            "",
            "sudo timedatectl set-ntp true, and see that a time server can be reached",
        )
    return Finding("clock", "ok", "kept by a time server")


def step(journal: Path) -> Finding:
    """Whether the clock was set since the journal's last fact."""
    where = str(journal)
    if not journal.exists():
        return Finding("journal", "ok", "there is none yet: the station begins one", where)
    try:
        with contextlib.closing(open_reader(journal)) as db:
            last = db.execute("SELECT utc, mono_ns, boot FROM facts ORDER BY seq DESC LIMIT 1")
            row = last.fetchone()
    except (JournalError, sqlite3.Error, OSError) as error:
        return Finding("journal", "fail", str(error), where, "dealer-station journal verify")
    if row is None:
        return Finding("journal", "ok", "it has no facts yet", where)
    return stepped(where, row, datetime.now(UTC), time.monotonic_ns(), boot_id())


def stepped(
    where: str, last: tuple[str, int, str], utc: datetime, mono_ns: int, boot: str
) -> Finding:
    """What the last fact's stamps say about the clock of now."""
    then_utc, then_ns, then_boot = last
    passed = (utc - datetime.fromisoformat(then_utc)).total_seconds()
    do = "see why the clock was set (`journalctl -u systemd-timesyncd`) before stamps are relied on"
    if passed < -STEP_S:
        return Finding(
            "clock", "fail", f"it is {-passed:.0f} s before the journal's last fact", where, do
        )
    if boot == then_boot and abs(jump := passed - (mono_ns - then_ns) / 1e9) > STEP_S:
        return Finding(
            "clock",
            "warn",
            f"it was set by {jump:+.0f} s since the journal's last fact, or the machine slept",
            where,
            do,
        )
    return Finding("clock", "ok", "not set since the journal's last fact", where)


# --- kernel -----------------------------------------------------------------------------------


def kernel(version: str = "", realtime: Path = Path("/sys/kernel/realtime")) -> Finding:
    """Whether a busy machine still runs a reader's thread at once."""
    version = version or platform.version()
    if realtime.exists() or "PREEMPT_RT" in version:
        return Finding("kernel", "ok", "real-time")
    if "PREEMPT" in version:
        return Finding("kernel", "ok", "preemptible: good for a millisecond")
    return Finding(
        "kernel",
        "warn",
        "not preemptible: on a busy machine a card may wait some milliseconds more",
        platform.release(),
        "any kernel of the distribution with PREEMPT_DYNAMIC will do",
    )
