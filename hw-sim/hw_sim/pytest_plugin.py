"""A pytest plug-in for whoever tests a reader or a table of his own; see docs/simulator.md.

It brings fixtures (`table`, `shoe`, `scanner`, `players`), the marker `hardware` and options, and
imports nothing until one of them is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hw_sim.kit_table import KitTable, Players
    from hw_sim.readers import Reader

DECK_LEFT = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the kit."""
    group = parser.getgroup("dealer-station", "readers and tables of a dealer station")
    group.addoption(
        "--station-device",
        action="append",
        default=[],
        metavar="NAME=PORT",
        help="test this real device, such as shoe=/dev/serial/by-id/...; may be given again",
    )
    group.addoption(
        "--station-config",
        default="",
        metavar="FILE",
        help="take kind, settings and port of --station-device NAME from this table's file",
    )
    group.addoption(
        "--station-card-seconds",
        type=float,
        default=30.0,
        metavar="S",
        help="how long a person has for each card (30)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The marker, and options that are none."""
    config.addinivalue_line(
        "markers", "hardware(name='shoe'): only with --station-device NAME=PORT on real hardware"
    )
    for given in config.getoption("--station-device"):
        if not given.partition("=")[0] or ("=" in given and not given.partition("=")[2]):
            raise pytest.UsageError(
                f"--station-device {given!r}: write NAME=PORT, such as shoe=/dev/serial/by-id/..."
            )
        if "=" not in given and not config.getoption("--station-config"):
            raise pytest.UsageError(
                f"--station-device {given!r}: write NAME=PORT, or give --station-config FILE"
            )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs hardware that was not named."""
    marker = item.get_closest_marker("hardware")
    if marker is None:
        return
    name = str(marker.args[0] if marker.args else marker.kwargs.get("name", "shoe"))
    if name not in _ports(item.config):
        pytest.skip(f"needs the real device: --station-device {name}=PORT")


@pytest.fixture
def shoe(request: pytest.FixtureRequest) -> Iterator[Reader]:
    """The reader `shoe`: real with `--station-device shoe=PORT`, else virtual. Its kind and
    settings are those of the test's class: `kind`, `entry`, `options`.
    """
    yield from _reader(request, "shoe")


@pytest.fixture
def scanner(request: pytest.FixtureRequest) -> Iterator[Reader]:
    """The reader `scanner`, as `shoe`."""
    yield from _reader(request, "scanner")


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Iterator[KitTable]:
    """A whole virtual table that runs: `table.floor` says what people say, `table.shoe` is the
    shoe's control. Its reader is of the class's `kind`.
    """
    from hw_sim.kit_table import KitTable

    kind = str(getattr(request.cls, "kind", "text-line"))
    made = KitTable(kind)
    try:
        made.start()
        yield made
    finally:
        made.close()


@pytest.fixture
def players(table: KitTable) -> Iterator[Players]:
    """People at that table: `players.play(rounds)` plays rounds and gives their books."""
    from hw_sim.kit_table import Players

    made = Players(table)
    yield made
    made.close()


def _ports(config: pytest.Config) -> dict[str, str]:
    pairs = (given.partition("=") for given in config.getoption("--station-device"))
    return {name: port for name, _, port in pairs}


def _reader(request: pytest.FixtureRequest, name: str) -> Iterator[Reader]:
    from hw_sim.children import ChildError
    from hw_sim.readers import DECK, HardwareReader, ReaderWanted, VirtualReader, entry_of
    from hw_sim.watching import WatchError

    config = request.config
    wanted: dict[str, Any] = {
        "name": name,
        "kind": str(getattr(request.cls, "kind", "text-line")),
        "entry": dict(getattr(request.cls, "entry", {})),
        "options": dict(getattr(request.cls, "options", {})),
        "card_s": config.getoption("--station-card-seconds"),
    }
    try:
        if name in _ports(config):
            wanted["port"] = _ports(config)[name]
            if file := config.getoption("--station-config"):
                entry = entry_of(Path(file), name)
                wanted["port"] = wanted["port"] or entry.pop("port", "")
                wanted["kind"] = entry.pop("kind", "text-line")
                wanted["entry"] = {k: v for k, v in entry.items() if k not in ("name", "port")}
            deck = config.stash.setdefault(DECK_LEFT, list(DECK))
            made: Reader = HardwareReader(ReaderWanted(**wanted), _asking(config), deck)
        else:
            made = VirtualReader(ReaderWanted(**{**wanted, "card_s": 2.0}))
    except (WatchError, ChildError) as error:
        pytest.fail(str(error), pytrace=False)
    try:
        yield made
    finally:
        made.close()


def _asking(config: pytest.Config) -> Any:
    """Say something to the person at the table, past pytest's capturing."""
    capture = config.pluginmanager.getplugin("capturemanager")

    def ask(text: str) -> None:
        reporter = config.pluginmanager.getplugin("terminalreporter")
        with capture.global_and_fixture_disabled():
            reporter.ensure_newline()
            reporter.write_line(f">>> {text}", bold=True)

    return ask
