"""One file of several parts: a plain ZIP in which every byte is given by the parts' bytes.

Nothing is compressed, names are in order, times are fixed and nothing else is recorded, so that
equal parts give equal files and one changed byte anywhere is found. Any unzip program opens it.
Reading takes no byte on trust: what would not be written so is refused, and nothing ever goes to
the disk. Layout: APPNOTE.TXT 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (end).
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

# No round comes near this: some hundred facts and some pictures of at most 4 MiB each.
FILE_BYTES = 256 * 2**20
PARTS = 2000

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
# 1980-01-01 00:00:00, the earliest a ZIP can say.
_DATE, _TIME, _VERSION, _STORED = 0x21, 0, 20, 0
# A plain file of its owner alone (mode 0600), as made by Unix.
_MADE, _MODE = (3 << 8) | _VERSION, (stat.S_IFREG | 0o600) << 16


class ArchiveRefused(Exception):
    """The file is not one that `round export` writes; the message says why and what to do."""


def packed(parts: Mapping[str, bytes]) -> bytes:
    """The file that those parts make. Their names are ASCII."""
    body, directory = bytearray(), bytearray()
    for name, data in sorted(parts.items()):
        raw, crc, at = name.encode("ascii"), zlib.crc32(data), len(body)
        common = (_VERSION, 0, _STORED, _TIME, _DATE, crc, len(data), len(data), len(raw))
        body += _LOCAL.pack(b"PK\x03\x04", *common, 0) + raw + data
        directory += _CENTRAL.pack(b"PK\x01\x02", _MADE, *common, 0, 0, 0, 0, _MODE, at) + raw
    count, at = len(parts), len(body)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), at, 0)
    return bytes(body + directory + end)


def unpacked(data: bytes, proper: Callable[[str], bool]) -> dict[str, bytes]:
    """The parts of a file. `proper`: whether a part may be called so. Raises ArchiveRefused."""
    parts: dict[str, bytes] = {}
    at = 0
    while data[at : at + 4] == b"PK\x03\x04":
        at = _part(data, at, parts, proper)
    if not parts:
        raise ArchiveRefused("it is no ZIP, or an empty one: not what `round export` writes")
    try:
        again = packed(parts)
    except (UnicodeEncodeError, struct.error) as error:
        raise ArchiveRefused(f"its parts cannot be read: {error}") from error
    if again != data:
        differs = next(
            (n for n, (one, other) in enumerate(zip(again, data, strict=False)) if one != other),
            min(len(again), len(data)),
        )
        raise ArchiveRefused(
            f"byte {differs} is not as `round export` writes it: the file was changed, cut off or "
            "packed by another program; ask for the file as it was exported"
        )
    return parts


def _part(data: bytes, at: int, parts: dict[str, bytes], proper: Callable[[str], bool]) -> int:
    """Take up one part; returns where the next one begins."""
    if len(data) < at + _LOCAL.size:
        raise ArchiveRefused("it is cut off within a part's header; ask for it once more")
    (_, _, flags, method, _, _, crc, small, size, length, extra) = _LOCAL.unpack_from(data, at)
    begin = at + _LOCAL.size + length + extra
    raw = data[at + _LOCAL.size : at + _LOCAL.size + length]
    name = raw.decode("ascii", "backslashreplace")
    shown = "".join(one if one.isprintable() else "?" for one in name)[:80]
    if raw.startswith((b"/", b"\\")) or b".." in raw or b"\\" in raw or b":" in raw:
        raise ArchiveRefused(f"part {shown!r}: its path leads out of the file; do not unpack it")
    if method != _STORED or flags:
        raise ArchiveRefused(
            f"part {shown!r}: it is compressed or encrypted, and may be of any size unpacked; "
            "`round export` does neither: ask for the file as it was exported"
        )
    if name in parts:
        raise ArchiveRefused(f"part {shown!r}: it is there twice, and only one can be meant")
    if not proper(name):
        raise ArchiveRefused(f"part {shown!r}: `round export` writes no such part")
    if len(parts) >= PARTS:
        raise ArchiveRefused(f"more than {PARTS} parts: no round has as many")
    if small != size or begin + size > len(data):
        raise ArchiveRefused(f"part {shown!r}: its size is not true, or the file is cut off")
    part = data[begin : begin + size]
    if zlib.crc32(part) != crc:
        raise ArchiveRefused(f"part {shown!r}: it was changed (its check sum does not fit)")
    parts[name] = part
    return int(begin + size)


def read(file: Path) -> bytes:
    """The bytes of a file that somebody gave us. Raises ArchiveRefused."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        handle = os.open(file, flags)
    except OSError as error:
        raise ArchiveRefused(f"{error.strerror or error}; name what `round export` wrote") from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise ArchiveRefused("it is no file; name what `round export` wrote")
        if found.st_size > FILE_BYTES:
            raise ArchiveRefused(
                f"it is larger than {FILE_BYTES // 2**20} MiB: no round is, and `round export` "
                "writes no such file"
            )
        with os.fdopen(os.dup(handle), "rb") as opened:
            return opened.read(FILE_BYTES + 1)
    except OSError as error:
        raise ArchiveRefused(f"{error.strerror or error}") from None
    finally:
        os.close(handle)


def write(file: Path, data: bytes) -> None:
    """Whole or not at all, for its owner alone, and never over what is there. Raises OSError.

    FileExistsError when there is something of that name.
    """
    fresh = file.with_name(f".{file.name}.{os.getpid()}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            os.fchmod(handle, 0o600)
            out.write(data)
            out.flush()
            os.fsync(handle)
        # A link is made only where nothing is, and at once: a rename would replace.
        os.link(fresh, file)
    finally:
        fresh.unlink(missing_ok=True)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with contextlib.suppress(OSError):
        os.fsync(folder)
    os.close(folder)
