"""`doctor`: cameras that are plugged in, what reads their codes, and the folder of their pictures.

No image code is loaded for it: the decoder's library is only looked for.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from drivers.catalog import subsystem_of
from drivers.specs import DeviceSpec
from drivers.transports.names import DEV, SYS, plugged
from station.cli_finding import Finding
from station.cli_rights import rights
from station.config import EvidenceSection
from station.evidence import EvidenceRefused, folder_of, opened

ZBAR, ZBAR_PACKAGE = "libzbar.so.0", "libzbar0"
_VIDEO = "video4linux"


def there(library: str) -> bool:
    """Whether the system has that library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def cameras(
    specs: tuple[DeviceSpec, ...],
    sys_root: Path = SYS,
    dev_root: Path = DEV,
    has: Callable[[str], bool] = there,
) -> Iterator[Finding]:
    """The nodes of cameras and the rights to them; and zbar, where a camera reads codes."""
    wanted = [spec for spec in specs if subsystem_of(spec) == _VIDEO]
    nodes = [one for one in plugged(sys_root, dev_root) if one.subsystem == _VIDEO]
    real = [spec for spec in wanted if not spec.virtual]
    if real and not nodes:
        yield Finding(
            "camera",
            "fail",
            "no camera is plugged in: there is no /dev/video*",
            ", ".join(spec.port for spec in real),
            "see its cable and `lsusb`; in a virtual machine pass it through; sudo modprobe "
            "uvcvideo",
        )
    for node in nodes:
        mine = rights(Path(node.node))
        if mine is None or not mine.mine:
            what = f"{node.says}: this user may not open it"
            do = mine.advice if mine else "plug it out and in: its node is gone"
            yield Finding("camera", "fail" if real else "warn", what, node.node, do)
        else:
            yield Finding("camera", "ok", f"{node.says}: this user may open it", node.node)
    yield from _decoders(wanted, has)


def _decoders(wanted: list[DeviceSpec], has: Callable[[str], bool]) -> Iterator[Finding]:
    asked = {getattr(spec, "decoder", "") for spec in wanted if getattr(spec, "codes", False)}
    if not asked & {"pyzbar", "both"} or has(ZBAR):
        return
    alone = "pyzbar" in asked
    yield Finding(
        "decoder",
        "fail" if alone else "warn",
        f"{ZBAR} is missing: "
        + ("no code is read" if alone else "codes are read by one of two decoders alone"),
        "",
        f"sudo apt-get install {ZBAR_PACKAGE}",
    )


def evidence(journal: Path, settings: EvidenceSection) -> Iterator[Finding]:
    """The folder of pictures, if there is one."""
    folder = folder_of(journal)
    if not folder.exists() and not folder.is_symlink():
        return
    try:
        handle = opened(folder)
    except EvidenceRefused as error:
        yield Finding(
            "evidence", "fail", str(error), str(folder), "no pictures are kept until then"
        )
        return
    try:
        sizes = [entry.stat(follow_symlinks=False).st_size for entry in os.scandir(handle)]
    except OSError as error:
        yield Finding("evidence", "fail", str(error), str(folder), "see that the disk works")
        return
    finally:
        os.close(handle)
    used = sum(sizes) / 2**20
    what = f"{len(sizes)} pictures, {used:.0f} of {settings.megabytes} MB, {settings.days} days"
    yield Finding("evidence", "ok", what, str(folder))
