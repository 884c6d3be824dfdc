"""The installed program against its record: what is changed, missing or added is named."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
import pytest

from station.audit import selfcheck

ROOT = Path(selfcheck.__file__).parents[2]


class Program:
    """A copy of the program as it is installed, beside the other parts of this interpreter."""

    def __init__(self, folder: Path, source: Path = ROOT) -> None:
        self.site = folder / "site"
        self.site.mkdir()
        for name in selfcheck.PACKAGES:
            leave = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source / name, self.site / name, ignore=leave)
        self.manifest = folder / "manifest.json"

    def run(self, *arguments: str) -> tuple[int, Any]:
        """The command in a process of its own; its exit code and document."""
        ended = subprocess.run(
            [sys.executable, "-m", "station.cli", "selfcheck", "--json", *arguments],
            check=False,
            capture_output=True,
            cwd=self.site,
            env={**os.environ, "PYTHONPATH": str(self.site), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert ended.stdout, ended.stderr
        return ended.returncode, json.loads(ended.stdout)

    def write(self) -> None:
        code, _ = self.run("--write", str(self.manifest))
        assert code == 0

    def check(self) -> tuple[int, Any]:
        return self.run("--manifest", str(self.manifest))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("program"))
    program.write()
    return program


@pytest.fixture
def program(shared: Program, tmp_path: Path) -> Program:
    """A copy of its own, to be harmed; the record is of names, not of places."""
    copy = Program(tmp_path, shared.site)
    shutil.copy(shared.manifest, copy.manifest)
    return copy


def test_a_program_as_it_was_recorded_is_in_order(shared: Program) -> None:
    code, found = shared.check()
    assert (code, found["ok"]) == (0, True), found
    assert found["files"] > 1000
    assert found["against"] == f"manifest {shared.manifest}"
    assert found["ms"] > 0


def test_changed_missing_and_added_files_are_named(program: Program) -> None:
    with (program.site / "station" / "game" / "settlement.py").open("a") as file:
        file.write("# one more\n")
    (program.site / "drivers" / "cardcode.py").unlink()
    (program.site / "ui" / "qml" / "Extra.qml").write_text("Item {}\n")
    code, found = program.check()
    assert (code, found["ok"]) == (1, False)
    assert found["changed"] == ["station/game/settlement.py"]
    assert found["missing"] == ["drivers/cardcode.py"]
    assert found["added"] == ["ui/qml/Extra.qml"]


def test_a_compiled_file_that_says_something_else_than_its_source_is_named(
    program: Program, tmp_path: Path
) -> None:
    """Python runs it, and the source looks as it should."""
    source = program.site / "station" / "game" / "settlement.py"
    cache = py_compile.compile(str(source), doraise=True)
    assert program.check()[0] == 0
    other = tmp_path / "other.py"
    other.write_text("CHANGED = True\n")
    false = py_compile.compile(str(other), doraise=True)
    assert cache is not None
    assert false is not None
    head = Path(cache).read_bytes()[:16]
    Path(cache).write_bytes(head + Path(false).read_bytes()[16:])
    code, found = program.check()
    assert code == 1
    assert found["changed"] == ["station/game/settlement.py (its compiled file)"]


def test_another_version_of_a_part_is_named(program: Program) -> None:
    document = json.loads(program.manifest.read_text())
    name = next(name for name in document["parts"] if name.startswith("msgspec "))
    document["parts"][name] = "0" * 64
    document["parts"]["nobody 1.0"] = "0" * 64
    program.manifest.write_text(json.dumps(document))
    code, found = program.check()
    assert code == 1
    assert found["changed"] == [f"{name} (its record)"]
    assert found["missing"] == ["nobody 1.0"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A place of parts with one in it that `dealer-station` needs, before all others."""
    site = tmp_path / "parts"
    there = Path(str(msgspec.__file__)).parent
    shutil.copytree(there, site / "msgspec")
    (info,) = there.parent.glob("msgspec-*.dist-info")
    shutil.copytree(info, site / info.name)
    return site


@pytest.mark.parametrize(
    ("harm", "where", "says"),
    [
        (lambda s: (s / "msgspec" / "json.py").write_text("x = 1\n"), "changed", "json.py"),
        (lambda s: (s / "msgspec" / "yaml.py").unlink(), "missing", "yaml.py"),
        (lambda s: (s / "evil.pth").write_text("import os\n"), "added", "evil.pth"),
        (lambda s: (s / "sitecustomize.py").write_text("\n"), "added", "sitecustomize.py"),
    ],
)
def test_a_part_that_is_not_as_it_was_installed_is_named(
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    harm: Callable[[Path], object],
    where: str,
    says: str,
) -> None:
    monkeypatch.syspath_prepend(str(site))
    before = selfcheck._Found()
    selfcheck._parts(before, {})
    harm(site)
    after = selfcheck._Found()
    selfcheck._parts(after, {})
    new = set(getattr(after, where)) - set(getattr(before, where))
    assert len(new) == 1
    assert says in new.pop()


def test_a_checkout_is_compared_with_its_last_commit(tmp_path: Path) -> None:
    program = Program(tmp_path)
    for command in (
        ("init", "-q"),
        ("add", "."),
        ("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "all"),
    ):
        subprocess.run(["git", "-C", str(program.site), *command], check=True)
    # This interpreter's own installation is a development one, or its record names another place.
    (program.site / "dealer_station-0.1.0.dist-info").mkdir()
    for name in ("METADATA", "RECORD"):
        text = metadata.distribution(selfcheck.NAME).read_text(name) or ""
        lines = [x for x in text.splitlines() if name != "RECORD" or x.split("/")[0] == "."]
        (program.site / "dealer_station-0.1.0.dist-info" / name).write_text("\n".join(lines))
    code, found = program.run()
    assert (code, found["ok"]) == (0, True), found
    assert "commit" in found["against"]
    (program.site / "station" / "new.py").write_text("")
    (program.site / "station" / "game" / "rules.py").write_text("")
    code, found = program.run()
    assert (code, found["added"]) == (1, ["station/new.py"])
    assert found["changed"] == ["station/game/rules.py"]


def test_an_installed_release_is_compared_with_its_own_record(tmp_path: Path) -> None:
    """The record as pip writes it: a file a line, its hash in base 64."""
    program = Program(tmp_path)
    info = program.site / "dealer_station-0.1.0.dist-info"
    info.mkdir()
    said = metadata.distribution(selfcheck.NAME).read_text("METADATA")
    (info / "METADATA").write_text(said or "")
    lines = ["dealer_station-0.1.0.dist-info/RECORD,,"]
    for name in selfcheck.PACKAGES:
        for file in sorted((program.site / name).rglob("*")):
            if file.is_file():
                data = file.read_bytes()
                mark = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                lines.append(f"{file.relative_to(program.site)},sha256={mark},{len(data)}")
    (info / "RECORD").write_text("\n".join(lines) + "\n")
    code, found = program.run()
    assert (code, found["against"]) == (0, "the record of the installation"), found
    (program.site / "station" / "cli.py").write_bytes(
        (program.site / "station" / "cli.py").read_bytes() + b"\n"
    )
    code, found = program.run()
    assert (code, found["changed"]) == (1, ["station/cli.py"])


@pytest.mark.parametrize("text", ["", "{}", '{"version":1}', "[]"])
def test_a_file_that_is_no_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(selfcheck.SelfCheckError, match="no manifest"):
        selfcheck.read(tmp_path / "m.json")
    with pytest.raises(selfcheck.SelfCheckError, match="No such file"):
        selfcheck.read(tmp_path / "none.json")


def test_a_compiled_file_a_part_brought_along_may_be_written_anew_and_never_be_other_code(
    tmp_path: Path,
) -> None:
    """Python compiles a source again where the compiled one does not fit its time."""
    source = tmp_path / "part.py"
    source.write_text("LIMIT = 1\n")
    cache = Path(str(py_compile.compile(str(source), doraise=True)))
    recorded = "0" * 64
    found = selfcheck._Found()
    selfcheck._compiled(found, "part 1: part.pyc", cache, recorded)
    assert found.changed == []
    stamp = source.stat()
    source.write_text("LIMIT = 9\n")
    os.utime(source, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    selfcheck._compiled(found, "part 1: part.pyc", cache, recorded)
    assert found.changed == ["part 1: part.pyc"]
    cache.unlink()
    selfcheck._compiled(found, "part 1: part.pyc", cache, recorded)
    assert len(found.changed) == 1, "one that is missing is made anew"
