"""A kind of somebody else's, installed beside the station, is a kind like the others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.catalog import kind_of, kinds, make_device, spec_of

EXAMPLE = Path(__file__).parents[2] / "docs" / "example-driver"
SETTING = {"name": "shoe", "kind": "my-shoe", "port": "/dev/table/shoe"}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example as a package on the path, with its entry point, as an installer leaves it."""
    (tmp_path / "my_shoe.py").write_bytes((EXAMPLE / "my_shoe.py").read_bytes())
    info = tmp_path / "my_shoe-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-shoe\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dealer_station.drivers]\nmy-shoe = my_shoe:KIND\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("installed")
def test_it_is_listed_and_its_settings_are_checked() -> None:
    assert "my-shoe" in kinds()
    spec = spec_of(SETTING)
    assert spec.apart == "number"
    with pytest.raises(ValueError, match="buad"):
        spec_of(SETTING | {"buad": 9600})


@pytest.mark.usefixtures("installed")
def test_it_becomes_a_device() -> None:
    device = make_device(spec_of(SETTING), lambda _seen: None)
    assert (device.name, device.health) == ("shoe", "waiting")
    device.stop()


def test_without_it_the_kinds_there_are_are_named() -> None:
    with pytest.raises(ValueError, match=r"kind 'my-shoe': the kinds are text-line"):
        kind_of("my-shoe")


def test_a_package_that_gives_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd_shoe.py").write_text("KIND = 7\n")
    info = tmp_path / "odd_shoe-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-shoe\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dealer_station.drivers]\nodd-shoe = odd_shoe:KIND\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="does not give a Kind"):
        kind_of("odd-shoe")


def test_the_example_keeps_the_contract() -> None:
    root = EXAMPLE.parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_shoe.py"],
        cwd=EXAMPLE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(EXAMPLE), str(root)])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout
