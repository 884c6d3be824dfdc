"""A device behind a TCP serial server: several clients, and connections that die."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hw_sim.control import ShoeControl
from hw_sim.port import PortError
from hw_sim.tcp_port import CLIENTS, TcpPort
from tests.unit.sim.conftest import MakeShoe, Until

Connect = Callable[[], socket.socket]


@pytest.fixture
def shoe(make_shoe: MakeShoe) -> ShoeControl:
    return make_shoe(cut=0, tcp="127.0.0.1:0")


@pytest.fixture
def connect(shoe: ShoeControl) -> Iterator[Connect]:
    with contextlib.ExitStack() as stack:
        where = shoe.ask("state")["port"].removeprefix("tcp://").split(":")

        def make() -> socket.socket:
            made = socket.create_connection((where[0], int(where[1])), timeout=5)
            return stack.enter_context(made)

        yield make


def line(answer: dict[str, object]) -> bytes:
    return f"{answer['code']}\r".encode()


def read(client: socket.socket, count: int = 6) -> bytes:
    came = b""
    while len(came) < count and (data := client.recv(count - len(came))):
        came += data
    return came


def is_in(shoe: ShoeControl, client: socket.socket) -> None:
    """The client is one of the server's: it is sent a card."""
    client.settimeout(0.05)
    for _ in range(100):
        shoe.ask("reread") if shoe.ask("state")["last"] else shoe.ask("draw")
        with contextlib.suppress(TimeoutError):
            if read(client):
                break
    else:
        pytest.fail("nothing came")
    with contextlib.suppress(TimeoutError):
        while client.recv(4096):
            pass
    client.settimeout(5)


def test_each_client_hears_each_card(shoe: ShoeControl, connect: Connect) -> None:
    clients = [connect() for _ in range(CLIENTS)]
    for client in clients:
        is_in(shoe, client)
    for client in clients:
        client.settimeout(0.05)
        with contextlib.suppress(TimeoutError):
            while client.recv(4096):
                pass
        client.settimeout(5)
    card = line(shoe.ask("draw"))
    assert [read(client) for client in clients] == [card] * CLIENTS


def test_no_client_more_than_it_has_room_for(shoe: ShoeControl, connect: Connect) -> None:
    clients = [connect() for _ in range(CLIENTS)]
    for client in clients:
        is_in(shoe, client)
    assert connect().recv(1) == b""


def test_nobody_there_means_lost(make_shoe: MakeShoe, tmp_path: Path) -> None:
    shoe = make_shoe(cut=0, tcp="127.0.0.1:0", log=tmp_path / "log")
    card = shoe.ask("draw")
    assert f'"lost": "{line(card).hex()}"' in (tmp_path / "log").read_text()


def test_drop_resets_and_takes_new_connections(shoe: ShoeControl, connect: Connect) -> None:
    client = connect()
    is_in(shoe, client)
    shoe.ask("fault", fault="drop")
    with pytest.raises(ConnectionResetError):
        client.recv(1)
    is_in(shoe, connect())


def test_half_open_is_silent_both_ways_until_it_is_found_out(
    shoe: ShoeControl, connect: Connect
) -> None:
    client = connect()
    is_in(shoe, client)
    shoe.ask("fault", fault="half_open")
    shoe.ask("draw")
    client.sendall(b"anybody?")
    client.settimeout(0.2)
    with pytest.raises(TimeoutError):
        client.recv(1)
    client.settimeout(5)
    shoe.ask("clear")
    with pytest.raises(ConnectionResetError):
        client.recv(1)
    is_in(shoe, connect())


def test_unplugged_refuses_and_comes_back_on_the_same_port(
    shoe: ShoeControl, connect: Connect
) -> None:
    is_in(shoe, connect())
    before = shoe.ask("state")["port"]
    shoe.ask("fault", fault="unplug")
    with pytest.raises(ConnectionRefusedError):
        connect()
    shoe.ask("fault", fault="replug")
    assert shoe.ask("state")["port"] == before
    is_in(shoe, connect())


def test_permission_denied_is_a_connection_refused(
    shoe: ShoeControl, connect: Connect, until: Until
) -> None:
    shoe.ask("fault", fault="permission_denied", ms=60_000)
    with pytest.raises(ConnectionRefusedError):
        connect()
    shoe.ask("fault", fault="permission_denied", ms=20)

    def gets_in() -> bool:
        with contextlib.suppress(ConnectionRefusedError):
            return bool(connect())
        return False

    until(gets_in)


def test_busy_ends_a_connection_at_once(shoe: ShoeControl, connect: Connect) -> None:
    shoe.ask("fault", fault="busy", ms=60_000)
    with contextlib.suppress(ConnectionResetError):
        assert connect().recv(1) == b""


def test_an_address_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = TcpPort(f"127.0.0.1:{other.getsockname()[1]}")
        with pytest.raises(PortError, match="choose another"):
            port.plug()
        port.unplug()
