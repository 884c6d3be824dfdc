"""Attacks on ports, names and recordings, each named by what would go wrong."""

from __future__ import annotations

import os
import socket
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from drivers import catalog
from drivers.replay import restamped
from drivers.transports import tcp
from drivers.transports.base import TransportError
from drivers.transports.nodes import EVENT
from drivers.transports.reports import Reports

# --- a descriptor that is another's by now ------------------------------------------------


def test_a_report_after_the_close_touches_no_other_file(tmp_path: Path) -> None:
    node = os.open(tmp_path / "node", os.O_RDWR | os.O_CREAT)
    reports = Reports(node)
    own = reports._fd
    reports.close()
    other = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)
    os.dup2(other, own)
    reports.put(b"\x04\x40", 0)
    assert reports._thread is None
    os.fstat(own)
    for fd in {node, other, own}:
        os.close(fd)
    assert (tmp_path / "other").read_bytes() == b""


# --- a connection that ends while it is opened --------------------------------------------


def test_a_connection_reset_right_after_it_stood_is_a_transports_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[socket.socket] = []

    def gone(*args: object) -> socket.socket:
        made.append(socket.socket())  # not connected any more
        return made[-1]

    monkeypatch.setattr(tcp, "_connected", gone)
    with pytest.raises(TransportError, match=r"ended the connection|not connected"):
        tcp.TcpPort("tcp://127.0.0.1:4001").open()
    assert made[0].fileno() == -1


# --- a driver of one's own that cannot be loaded ------------------------------------------


def test_a_driver_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("my-shoe", "no_such_module_anywhere:KIND", catalog.ENTRY_POINTS)
    monkeypatch.setattr(catalog, "entry_points", lambda group: (entry,))
    with pytest.raises(ValueError, match=r"my-shoe.*no_such_module_anywhere"):
        catalog.spec_of({"name": "shoe", "kind": "my-shoe", "port": "/dev/table/shoe"})


# --- a recording of noise -----------------------------------------------------------------


def test_keys_stamped_with_anything_can_be_played() -> None:
    for seconds in (0, -1, 2**62, -(2**63), 2**63 - 1):
        data = EVENT.pack(seconds, 999_999, 1, 30, 1) + b"\x01\x02"
        moved = restamped(data, lambda then_ns: then_ns * 3)
        assert len(moved) == len(data)
        assert EVENT.unpack_from(moved)[2:] == (1, 30, 1)
        assert moved[-2:] == b"\x01\x02"
