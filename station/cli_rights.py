"""Who may open a file or a device node, and how to be allowed: for `devices` and `doctor`."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from pathlib import Path

from msgspec import Struct


class Rights(Struct, frozen=True):
    """`mine`: this user may read and write it. `group`: the group that may, "" when none may.
    `advice`: what to do when it is not `mine`.
    """

    owner: str
    group: str
    mode: str
    mine: bool
    advice: str = ""


def rights(node: Path) -> Rights | None:
    """The rights on a node; None when it is not there."""
    try:
        status = node.stat()
    except OSError:
        return None
    owner, group = user_name(status.st_uid), group_name(status.st_gid)
    mode = stat.S_IMODE(status.st_mode)
    shared = group if mode & 0o060 == 0o060 else ""
    mine = os.access(node, os.R_OK | os.W_OK)
    return Rights(owner, shared, f"{mode:04o}", mine, "" if mine else _advice(shared, node))


def _advice(group: str, node: Path) -> str:
    if not group or group == "root":
        return (
            f"{node} is for root alone: install packaging/60-dealer-station.rules, then unplug "
            "and plug in again"
        )
    if group in my_groups(fresh=True) and group not in my_groups():
        return f"you are in {group} since after this log-in: log out and in again"
    return f"sudo usermod -aG {group} {me()}, then log out and in again"


def me() -> str:
    """This user's name."""
    return user_name(os.geteuid())


def my_groups(*, fresh: bool = False) -> frozenset[str]:
    """The groups of this process; `fresh`: those a new log-in would have."""
    if not fresh:
        return frozenset(map(group_name, {*os.getgroups(), os.getegid()}))
    try:
        mine = pwd.getpwuid(os.geteuid())
    except KeyError:
        return frozenset()
    return frozenset(map(group_name, os.getgrouplist(mine.pw_name, mine.pw_gid)))


def user_name(uid: int) -> str:
    """The user's name, or the number when it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def group_name(gid: int) -> str:
    """The group's name, or the number when it has none."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)
