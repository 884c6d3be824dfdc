"""The lock files: exact, hashed, free of addresses, and of one mind."""

import re
import tomllib

import pytest

from .conftest import ROOT

LOCKS = ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"]


def requirements(lock: str) -> list[str]:
    """Each requirement with its marker and hashes, on one line."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def pinned(lock: str) -> set[str]:
    """name==version and marker, without hashes."""
    return {line.split("--hash")[0].strip() for line in requirements(lock)}


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None, requirement
    return found.group().lower().replace("_", "-")


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_file_holds_no_address_and_no_index_option(lock: str) -> None:
    for line in (ROOT / lock).read_text().splitlines():
        assert "://" not in line
        assert "@" not in line
        assert not line.startswith("-"), line


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_requirement_is_exact_and_hashed(lock: str) -> None:
    assert requirements(lock)
    for line in requirements(lock):
        assert re.match(r"[a-z0-9._-]+==[^ ]+ ", line), line
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", line), line


@pytest.mark.parametrize("lock", LOCKS[:2])
def test_the_qt_that_aborts_old_pythons_is_locked_for_newer_ones_only(lock: str) -> None:
    for package in ("pyside6-essentials", "shiboken6"):
        bad = [line for line in pinned(lock) if line.startswith(f"{package}==6.12.0")]
        assert all(line.endswith("; python_full_version >= '3.12'") for line in bad)
        assert any(
            line.startswith(f"{package}==") and line.endswith("< '3.12'") for line in pinned(lock)
        )


def test_development_adds_to_what_runs_and_changes_nothing_of_it() -> None:
    assert pinned("requirements.lock") <= pinned("requirements-dev.lock")


def test_build_tools_agree_with_the_other_locks() -> None:
    others = {line.split("==")[0]: line for line in pinned("requirements-dev.lock")}
    for line in pinned("requirements-build.lock"):
        assert others.get(line.split("==")[0], line) == line


@pytest.mark.parametrize(
    ("lock", "where"),
    [
        ("requirements.lock", ("project", "dependencies")),
        ("requirements-dev.lock", ("dependency-groups", "dev")),
        ("requirements-build.lock", ("build-system", "requires")),
    ],
)
def test_every_declared_dependency_is_locked(lock: str, where: tuple[str, str]) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())[where[0]][where[1]]
    assert {name_of(line) for line in declared} <= {name_of(line) for line in requirements(lock)}
