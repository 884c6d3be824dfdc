"""The same tables as in `test_link_scenarios`, with real parts between: a pseudo-terminal, a TCP
connection or a simulated device node, the product's device with its thread, each wire once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.dealing import Dealing
from tests.support.real_link import RealLink

WIRES = {
    "perfect": "perfect",
    "byte at a time": "byte_at_a_time:ms=1",
    "merged": "merged:pieces=3,ms=40",
    "delayed": "delayed:ms=20,seed=3",
    "lossy": "lossy:rate=0.01,seed=3",
    "cut": "cut:rate=0.1,ms=80,seed=4",
}
PORTS: dict[str, dict[str, Any]] = {
    "text-line": {"settings": {"idle_ms": 300}},
    "angel-eye": {"tcp": True},
    "hid-pos": {},
}
SEED = 5
CARDS = 8
MakeTable = Callable[..., Dealing]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MakeTable]:
    links: list[RealLink] = []

    def make(kind: str, wire: str) -> Dealing:
        def link(*args: Any, **more: Any) -> Any:
            links.append(RealLink(*args, place=tmp_path, **more))
            return links[-1]

        return Dealing(kind, wire, seed=SEED, make=link, **PORTS[kind])

    yield make
    for one in links:
        one.close()


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("kind", PORTS)
def test_cards_come_to_their_slots_over_real_parts(table: MakeTable, kind: str, wire: str) -> None:
    dealing = table(kind, WIRES[wire])
    report = dealing.deal(CARDS, limit_ms=60_000)
    assert (report.wrong, report.stuck) == ([], "")
    assert report.drawn >= CARDS
    if wire not in ("lossy", "cut"):
        assert report.accepted == report.drawn
        assert report.held == {}
