"""The command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from typer.main import get_command

from hw_sim import device_server
from hw_sim.cli import staff_app
from hw_sim.models.registry import faults_of, kind_of, make_model
from hw_sim.strategy import STRATEGIES
from tests.unit.sim.conftest import MakeShoe
from tests.unit.sim.fake_station import FakeStation, action, snapshot

FAULTS = faults_of(kind_of("text-line"), make_model("text-line"))
DOCUMENT = Path(__file__).parents[3] / "docs" / "simulator.md"


def hw_sim(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hw_sim.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_faults_are_listed_with_their_parameters() -> None:
    listed = json.loads(hw_sim("faults", "--json").stdout)
    assert listed.keys() == FAULTS.keys()
    assert listed["double_read"]["params"]["ms"]["default"] == 150
    plain = hw_sim("faults").stdout
    assert all(f"\n{name} " in f"\n{plain}" for name in FAULTS)


def test_the_document_names_every_fault_and_order() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    orders = re.findall(r"^\| `(\w+)`", device_server.__doc__ or "", re.MULTILINE)
    assert "remaining" in orders
    names = {*FAULTS, *orders, *STRATEGIES} - {"faults"}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_the_documents_orders_of_a_supervisor_exist() -> None:
    """Each `hw-sim staff … ORDER` of the page is one, and each one is on the page."""
    page = DOCUMENT.read_text(encoding="utf-8")
    lines = re.findall(r"^ {4}\.venv/bin/hw-sim staff (.*)$", page, re.MULTILINE)
    options = re.compile(r"--(?:socket|shoe|staff) \S+ ?")
    written = {options.sub("", line).split()[0] for line in lines}
    assert written == set(get_command(staff_app).commands)  # type: ignore[attr-defined]


def test_a_shoe_changes_by_hand(make_shoe: MakeShoe, station: FakeStation, tmp_path: Path) -> None:
    """R2: out, in, load, count, release, as the page has it; each says one thing and ends."""
    make_shoe(cut=0).ask("draw")
    shoe = ("--shoe", str(tmp_path / "shoe.sock"))
    assert json.loads(hw_sim("order", *shoe, "out").stdout)["shoe"] == "A-7"
    loaded = json.loads(hw_sim("order", *shoe, "load").stdout)
    assert (loaded["shoe"], loaded["left"]) == ("A-8", 416)
    signed = {"dealer": None, "signed_in": [{"staff": "2001", "name": "", "role": "supervisor"}]}
    actions = [action("reconcile_shoe", "A-7"), action("load_shoe"), action("release_shoe", "A-8")]
    shown = snapshot(staff=signed, actions=actions, shoe={"id": "A-8", "state": "loaded"})
    orders: dict[str, tuple[str, ...]] = {
        "load_shoe": ("load", loaded["shoe"], "--set", "A"),
        "reconcile_shoe": ("count",),
        "release_shoe": ("release",),
    }
    for do, words in orders.items():
        socket = ("--socket", str(station.path))
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(hw_sim, "staff", *socket, *shoe, *words)
            assert station.hello().role == "staff"
            station.show(shown)
            said = station.accept(do).command
            assert (run.result().returncode, run.result().stderr) == (0, "")
        assert getattr(said, "remaining", {}) == {} or sum(said.remaining.values()) == 415  # type: ignore[union-attr]


def test_a_count_without_a_virtual_shoe_says_what_is_missing(tmp_path: Path) -> None:
    run = hw_sim("staff", "--socket", str(tmp_path / "none"), "count")
    assert (run.returncode, "with --shoe where" in run.stderr) == (2, True)


def test_running_shoe_is_ordered_by_hand(make_shoe: MakeShoe, tmp_path: Path) -> None:
    make_shoe(cut=0)
    control = ("--shoe", str(tmp_path / "shoe.sock"))
    armed = hw_sim("order", *control, "arm", "fault=double_read", "ms=40", "after=1")
    assert json.loads(armed.stdout) == {"ok": True, "armed": "double_read", "after": 1}
    refused = hw_sim("order", *control, "fault", "fault=nothing")
    assert refused.returncode == 1
    assert "no fault 'nothing'" in refused.stderr
    malformed = hw_sim("order", *control, "arm", "double_read")
    assert malformed.returncode == 2
    assert "write NAME=VALUE" in malformed.stderr


def test_order_of_a_supervisor_without_a_station_says_so(tmp_path: Path) -> None:
    run = hw_sim("staff", "--socket", str(tmp_path / "none"), "void", "--reason", "x")
    assert run.returncode == 1
    assert f"{tmp_path / 'none'}: No such file" in run.stderr


def test_command_line_loads_nothing_heavy() -> None:
    code = "import sys, hw_sim.cli; print([m for m in sys.modules if m.startswith('hw_sim')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.strip("[]\n").replace("'", "").split(", "))
    assert {name for name in loaded if not name.startswith("hw_sim.cli")} == {"hw_sim"}
