"""Is the program that is installed the one that was recorded?

Every file of the packages `station`, `drivers` and `ui` against a manifest, every file of what
they depend on against the record its installation left (`RECORD`), and the compiled files that
Python would run instead of a source. The manifest is a file made with `--write` and kept elsewhere;
without one, the record of the installed wheel, or the last commit of a development checkout.

Whoever can change the program can change its own record, too: only a manifest kept on another
machine, or on a medium that cannot be written, proves anything against that person.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import marshal
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import msgspec
from msgspec import Struct

NAME = "dealer-station"
PACKAGES = ("station", "drivers", "ui")
VERSION = 1
_CHUNK = 2**20
_REQUIRED = re.compile(r"[A-Za-z0-9._-]+")


class SelfCheckError(Exception):
    """There is nothing to check against; the message says what to do."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What was recorded: SHA-256 (hex) of each file of our packages by its name below them, and of
    the `RECORD` of each installed part by `name version`. `source` says where it comes from.
    """

    version: int
    what: str
    release: str
    source: str
    files: dict[str, str]
    parts: dict[str, str] = {}


class Result(Struct, frozen=True):
    """What was found. `ok` when nothing is `changed`, `missing` or `added`; names in order.

    `against`: what was compared with; `files`: how many were read; `ms`: how long it took.
    `unrecorded`: parts whose installation left no record, which could not be checked.
    """

    ok: bool
    against: str
    release: str
    files: int
    ms: int
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    unrecorded: tuple[str, ...] = ()


class _Found:
    """What adds up while it is looked at."""

    def __init__(self) -> None:
        self.files = 0
        self.changed: list[str] = []
        self.missing: list[str] = []
        self.added: list[str] = []
        self.unrecorded: list[str] = []

    def compare(self, name: str, file: Path, wanted: str) -> None:
        """One file against its SHA-256, hex."""
        try:
            same = sha256(file) == wanted
        except FileNotFoundError:
            self.missing.append(name)
            return
        except OSError:
            same = False
        self.files += 1
        if not same:
            self.changed.append(name)


def check(manifest: Manifest | None = None) -> Result:
    """Compare what is installed with the manifest, or with the best record there is.

    Reads every file once: run it beside the table, not in its thread. Raises SelfCheckError when
    there is neither manifest nor record.
    """
    began = time.monotonic()
    manifest = manifest or recorded()
    found = _Found()
    here = own_files()
    for name, wanted in sorted(manifest.files.items()):
        found.compare(name, here.get(name, _roots()[name.split("/")[0]] / name), wanted)
    found.added += sorted(here.keys() - manifest.files.keys())
    found.changed += _false_caches(here)
    _parts(found, manifest.parts)
    return Result(
        not (found.changed or found.missing or found.added),
        manifest.source,
        metadata.version(NAME),
        found.files,
        round((time.monotonic() - began) * 1000),
        tuple(found.changed),
        tuple(found.missing),
        tuple(found.added),
        tuple(found.unrecorded),
    )


def sha256(file: Path) -> str:
    """Of the file's bytes, hex. Raises OSError."""
    found = hashlib.sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


# --- what there is ----------------------------------------------------------------------------


def _roots() -> dict[str, Path]:
    """By package the folder it lies in."""
    found: dict[str, Path] = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise SelfCheckError(f"package {name} is not installed; install the release anew")
        found[name] = Path(spec.origin).parent.parent
    return found


def own_files() -> dict[str, Path]:
    """Every file of our packages by its name, without what Python compiled from them."""
    return {
        file.relative_to(root).as_posix(): file
        for name, root in _roots().items()
        for file in (root / name).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def _false_caches(here: dict[str, Path]) -> list[str]:
    """Compiled files that Python would run, and that say something else than their source."""
    found: list[str] = []
    for name, source in sorted(here.items()):
        if source.suffix != ".py":
            continue
        cache = Path(importlib.util.cache_from_source(str(source)))
        try:
            data, text, stamp = cache.read_bytes(), source.read_bytes(), source.stat()
        except OSError:
            continue
        if _would_run(data, text, int(stamp.st_mtime)) and not _same_code(data, text, source):
            found.append(f"{name} (its compiled file)")
    return found


def _would_run(data: bytes, text: bytes, mtime: int) -> bool:
    """Whether Python takes this compiled file for that source."""
    if data[:4] != importlib.util.MAGIC_NUMBER or len(data) < 16:
        return False
    flags = int.from_bytes(data[4:8], "little")
    if flags & 1:
        # One of the source's hash, which is not even looked at when bit 1 is not set.
        return not flags & 2 or data[8:16] == importlib.util.source_hash(text)
    when, size = (int.from_bytes(data[at : at + 4], "little") for at in (8, 12))
    return (when, size) == (mtime & 0xFFFFFFFF, len(text) & 0xFFFFFFFF)


def _same_code(data: bytes, text: bytes, source: Path) -> bool:
    try:
        code = marshal.loads(data[16:])
        wanted = compile(text, str(source), "exec", dont_inherit=True)
    except (ValueError, EOFError, TypeError, SyntaxError):
        return False
    return bool(code == wanted)


# --- what is recorded -------------------------------------------------------------------------


def recorded() -> Manifest:
    """The installed wheel's own record, or a checkout's last commit. Raises SelfCheckError."""
    files = _hashes(metadata.distribution(NAME))
    ours = {name: mark for name, mark in files.items() if name.split("/")[0] in PACKAGES}
    if ours:
        return _manifest("the record of the installation", ours)
    root = _roots()["station"]
    try:
        return _manifest(*_committed(root))
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise SelfCheckError(
            f"{root}: neither an installed release nor a checkout that can be asked; "
            "`dealer-station selfcheck --write FILE` records what is there now"
        ) from error


def _committed(root: Path) -> tuple[str, dict[str, str]]:
    """The last commit's name, and its files of our packages."""

    def git(*arguments: str, given: bytes = b"") -> bytes:
        return subprocess.run(
            ["git", "-C", str(root), *arguments], input=given, capture_output=True, check=True
        ).stdout

    commit = git("rev-parse", "HEAD").decode().strip()
    listed = git("ls-tree", "-r", "-z", "--full-tree", commit, "--", *PACKAGES)
    entries = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    blobs = [meta.split()[2] for meta, _ in entries]
    data = git("cat-file", "--batch", given=b"\n".join(blobs) + b"\n")
    files: dict[str, str] = {}
    at = 0
    for _, name in entries:
        end = data.index(b"\n", at)
        size = int(data[at:end].split()[2])
        files[name.decode()] = hashlib.sha256(data[end + 1 : end + 1 + size]).hexdigest()
        at = end + size + 2
    return f"commit {commit[:12]} of the checkout {root}", files


def _manifest(source: str, files: dict[str, str], parts: dict[str, str] | None = None) -> Manifest:
    what = "dealer-station program"
    return Manifest(VERSION, what, metadata.version(NAME), source, files, parts or {})


def record(file: Path) -> Manifest:
    """Write what is there now as a manifest, whole or not at all. Raises OSError."""
    files = {name: sha256(path) for name, path in sorted(own_files().items())}
    parts: dict[str, str] = {}
    for part in _needed():
        text = part.read_text("RECORD")
        if text is not None:
            parts[_name(part)] = hashlib.sha256(text.encode()).hexdigest()
    manifest = _manifest(f"manifest {file}", files, parts)
    fresh = file.with_name(file.name + ".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    fresh.replace(file)
    return manifest


def read(file: Path) -> Manifest:
    """A manifest from its file. Raises SelfCheckError."""
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except OSError as error:
        raise SelfCheckError(f"{file}: {error.strerror or error}") from error
    except msgspec.MsgspecError as error:
        raise SelfCheckError(f"{file}: no manifest of a program: {error}") from error
    if manifest.version != VERSION or any(n.split("/")[0] not in PACKAGES for n in manifest.files):
        raise SelfCheckError(f"{file}: a manifest of another release; make one with --write")
    return msgspec.structs.replace(manifest, source=f"manifest {file}")


# --- what we depend on ------------------------------------------------------------------------


def _needed() -> list[metadata.Distribution]:
    """What our packages need, and what that needs, as far as it is installed."""
    found: dict[str, metadata.Distribution] = {}
    todo = [NAME]
    while todo:
        key = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if key in found:
            continue
        try:
            found[key] = metadata.distribution(key)
        except metadata.PackageNotFoundError:
            # Of another platform or Python; what is needed and not there does not import.
            continue
        for line in found[key].requires or ():
            name = _REQUIRED.match(line)
            if name is not None and "extra ==" not in line:
                todo.append(name.group())
    return [part for key, part in sorted(found.items()) if key != NAME]


def _name(part: metadata.Distribution) -> str:
    return f"{part.metadata['Name']} {part.version}"


def _hashes(part: metadata.Distribution) -> dict[str, str]:
    """The files of a part's record that have a SHA-256, hex."""
    found: dict[str, str] = {}
    for file in part.files or ():
        if file.hash is not None and file.hash.mode == "sha256":
            value = file.hash.value
            found[file.as_posix()] = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex()
    return found


def _parts(found: _Found, marks: dict[str, str]) -> None:
    """Each part against its own record, and the record against the manifest if that has it."""
    there = {_name(part): part for part in _needed()}
    found.missing += [name for name in sorted(marks) if name not in there]
    for name, part in there.items():
        text = part.read_text("RECORD")
        if text is None:
            found.unrecorded.append(name)
            continue
        if marks and name not in marks:
            found.added.append(name)
        elif marks and hashlib.sha256(text.encode()).hexdigest() != marks[name]:
            found.changed.append(f"{name} (its record)")
        for file, wanted in _hashes(part).items():
            path = Path(str(part.locate_file(file)))
            if path.suffix == ".pyc" and "__pycache__" in path.parts:
                _compiled(found, f"{name}: {file}", path, wanted)
            else:
                found.compare(f"{name}: {file}", path, wanted)
    found.added += sorted(_unclaimed())


def _compiled(found: _Found, name: str, path: Path, wanted: str) -> None:
    """A compiled file that a part brought along: Python writes it anew where it does not fit its
    source's time. It may be missing, or other than recorded, but never other than its source.
    """
    try:
        same = sha256(path) == wanted
        source = Path(importlib.util.source_from_cache(str(path)))
    except (OSError, ValueError):
        return
    found.files += 1
    if not same and _false_caches({name: source}):
        found.changed.append(name)


def _unclaimed() -> Iterator[str]:
    """What Python would run at its start from beside the parts, and no part has brought along."""
    site = {Path(str(part.locate_file(""))) for part in _needed()}
    known = {
        Path(str(part.locate_file(file))).resolve()
        for part in metadata.distributions()
        for file in part.files or ()
        if len(file.parts) == 1
    }
    for folder in site:
        for pattern in ("*.pth", "sitecustomize.py", "usercustomize.py"):
            for file in folder.glob(pattern):
                if file.resolve() not in known:
                    yield f"{file.name} (in {folder}; run at every start of Python)"


def python() -> str:
    """The interpreter that runs, for the record."""
    return f"{sys.implementation.name} {sys.version.split()[0]}"
