"""Every protocol keeps the contract, with the simulator's device on the other side of the wire."""

from __future__ import annotations

from drivers.conformance import ProtocolContract
from tests.support.every_protocol import CONTRACTS

for _kind, _contract in CONTRACTS.items():
    _name = "Test" + "".join(part.title() for part in _kind.split("-"))
    globals()[_name] = type(_name, (_contract,), {})


def test_every_kind_is_here() -> None:
    from drivers.catalog import _MODULES

    assert set(CONTRACTS) == set(_MODULES)
    assert all(issubclass(contract, ProtocolContract) for contract in CONTRACTS.values())
