"""Device nodes: the kernel's numbers, claims and refusals, reports out, a simulator's socket."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.transports import ioctls, nodes
from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.nodes import EVENT, HidrawPort, InputPort, VirtualNodePort
from drivers.transports.output import STALE_NS
from drivers.transports.places import Place
from drivers.transports.reports import Reports
from tests.support.plugged import Machine

LIT = EVENT.pack(0, 0, 17, 1, 1)
SYN = EVENT.pack(0, 0, 0, 0, 0)


def test_the_numbers_are_those_of_the_kernels_headers() -> None:
    assert ioctls.EVIOCGID == 0x80084502
    assert ioctls.EVIOCGRAB == 0x40044590
    assert ioctls.EVIOCSCLOCKID == 0x400445A0
    assert ioctls.eviocgname(256) == 0x81004506
    assert ioctls.eviocgled(8) == 0x80084519
    assert ioctls.eviocgbit(1, 96) == 0x80604521
    assert ioctls.HIDIOCGRAWINFO == 0x80084803
    assert ioctls.hidiocsfeature(2) == 0xC0024806
    assert EVENT.size == 24


class Kernel:
    """Answers the requests that a fifo, standing for a node, would not."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.grabbed: list[int] = []
        self.features: list[bytes] = []
        self.refuse: dict[int, int] = {}
        self.keys = 1 << 28
        self.lamps: list[int] = []

    def ioctl(self, fd: int, request: int, arg: int | bytes = 0) -> bytes | int:
        self.asked.append(request)
        if request in self.refuse:
            raise OSError(self.refuse[request], os.strerror(self.refuse[request]))
        match request:
            case ioctls.EVIOCGRAB:
                assert isinstance(arg, int)
                self.grabbed.append(arg)
                return 0
            case ioctls.EVIOCGID:
                return struct.pack("HHHH", 3, 0x0C2E, 0x0B61, 1)
            case ioctls.HIDIOCGRAWINFO:
                return struct.pack("Ihh", 3, 0x0C2E, 0x0B61)
            case _ if request == ioctls.eviocgbit(1, 96):
                return self.keys.to_bytes(96, "little")
            case _ if request == ioctls.eviocgled(8):
                return (self.lamps.pop(0) if self.lamps else 0).to_bytes(8, "little")
            case _ if request == ioctls.eviocgname(256):
                return b"A Scanner\0".ljust(256, b"\0")
            case _ if request == ioctls.hidiocsfeature(2):
                assert isinstance(arg, bytes)
                self.features.append(arg)
                return 0
        assert isinstance(arg, bytes)
        return arg


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(nodes.fcntl, "ioctl", kernel.ioctl)  # type: ignore[attr-defined]
    return kernel


@pytest.fixture
def node(tmp_path: Path) -> Path:
    path = tmp_path / "node"
    os.mkfifo(path)
    return path


# --- input events ------------------------------------------------------------------------------


def test_a_keyboard_is_grabbed_and_let_go_of(kernel: Kernel, node: Path) -> None:
    transport = InputPort(Place(str(node), "input")).open()
    assert kernel.grabbed == [1]
    assert ioctls.EVIOCSCLOCKID in kernel.asked
    assert transport.identity == f"{node} 0c2e:0b61 A Scanner"
    assert transport.still_there()
    assert transport.read() == b""
    os.write(transport.fileno(), LIT + SYN)
    assert transport.read() == LIT + SYN
    transport.close()
    assert kernel.grabbed == [1, 0]


def test_a_keyboard_that_another_program_has_is_never_run_ungrabbed(
    kernel: Kernel, node: Path
) -> None:
    kernel.refuse[ioctls.EVIOCGRAB] = errno.EBUSY
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with pytest.raises(TransportBusy, match="another program holds it"):
        InputPort(Place(str(node), "input")).open()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_the_node_of_a_scanner_that_types_nothing_is_refused(kernel: Kernel, node: Path) -> None:
    kernel.keys = 0
    with pytest.raises(TransportMisconfigured, match="no Enter key"):
        InputPort(Place(str(node), "input")).open()


def test_a_caps_lock_lamp_is_put_out_because_it_would_stay_lit(kernel: Kernel, node: Path) -> None:
    kernel.lamps = [0b10, 0]
    transport = InputPort(Place(str(node), "input")).open()
    # The fifo gives back what was written to it: lamp off, and its report.
    assert transport.read() == EVENT.pack(0, 0, 17, 1, 0) + SYN
    transport.close()


def test_a_caps_lock_lamp_that_stays_lit_is_told_first(kernel: Kernel, node: Path) -> None:
    kernel.lamps = [0b10, 0b10]
    transport = InputPort(Place(str(node), "input")).open()
    assert transport.read() == LIT
    transport.close()


# --- reports -----------------------------------------------------------------------------------


def test_a_hid_device_is_switched_over_when_it_is_opened(kernel: Kernel, node: Path) -> None:
    transport = HidrawPort(Place(str(node), "hidraw"), b"\xfe\x01").open()
    assert kernel.features == [b"\xfe\x01"]
    assert transport.identity == f"{node} 0c2e:0b61"
    transport.close()


def test_only_one_program_has_a_hid_device(kernel: Kernel, node: Path) -> None:
    port = HidrawPort(Place(str(node), "hidraw"))
    transport = port.open()
    with pytest.raises(TransportBusy):
        port.open()
    transport.close()
    port.open().close()


def test_a_device_that_refuses_the_switch_is_told(kernel: Kernel, node: Path) -> None:
    kernel.refuse[ioctls.hidiocsfeature(2)] = errno.EPIPE
    with pytest.raises(TransportMisconfigured):
        HidrawPort(Place(str(node), "hidraw"), b"\xfe\x01").open()


def test_another_device_node_is_no_hid_device(node: Path) -> None:
    with pytest.raises(TransportMisconfigured):
        HidrawPort(Place("/dev/null", "hidraw")).open()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_node_without_the_right_to_it_is_denied(node: Path) -> None:
    node.chmod(0)
    with pytest.raises(TransportDenied):
        HidrawPort(Place(str(node), "hidraw")).open()


def test_nothing_there_is_missing(tmp_path: Path) -> None:
    port = HidrawPort(Place(str(tmp_path / "none"), "hidraw"))
    assert port.target() is None
    with pytest.raises(TransportMissing):
        port.open()


def test_a_node_that_turns_out_to_be_other_hardware_is_let_go(
    kernel: Kernel, tmp_path: Path
) -> None:
    machine = Machine(tmp_path)
    other = machine.usb("1-2", "046d", "c31c", product="Keyboard")
    rdev = Path("/dev/null").stat().st_rdev
    machine.hidraw(machine.interface(other, 0), "hidraw0", rdev=rdev)
    place = Place(
        "/dev/null", "hidraw", pin="0c2e:0b61", sys_root=machine.sys, dev_root=machine.dev
    )
    place.node = lambda: "/dev/null"  # type: ignore[method-assign]
    with pytest.raises(TransportMisconfigured, match="another device is plugged there: 046d:c31c"):
        HidrawPort(place, b"\xfe\x01").open()
    assert kernel.asked == []


def test_a_short_report_is_filled_up_so_that_the_next_one_is_read(
    kernel: Kernel, node: Path
) -> None:
    transport = HidrawPort(Place(str(node), "hidraw")).open()
    os.write(transport.fileno(), b"\x02\x01")
    assert transport.read() == b"\x02\x01" + bytes(62)
    transport.close()


def test_a_removed_device_is_lost(kernel: Kernel, node: Path) -> None:
    transport = InputPort(Place(str(node), "input")).open()

    def gone(fd: int, size: int) -> bytes:
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nodes.os, "read", gone)  # type: ignore[attr-defined]
        with pytest.raises(TransportLost, match="No such device"):
            transport.read()
    transport.close()


# --- reports out -------------------------------------------------------------------------------


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    theirs.settimeout(5)
    yield ours, theirs
    ours.close()
    theirs.close()


def test_every_report_is_one_write(pair: tuple[socket.socket, socket.socket]) -> None:
    reports = Reports(pair[0].fileno())
    now = time.monotonic_ns()
    reports.put(b"\x04\x40", now)
    reports.put(b"\x04\x20", now)
    assert pair[1].recv(64) == b"\x04\x40"
    assert pair[1].recv(64) == b"\x04\x20"
    assert reports.answering
    reports.close()


def test_a_device_that_takes_no_report_is_told_and_gets_no_stale_beep(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    with contextlib.suppress(BlockingIOError):
        while ours.send(bytes(64)):
            pass
    reports = Reports(ours.fileno())
    asked = time.monotonic_ns()
    reports.put(b"\x04\x40", asked)
    reports.pump(asked + STALE_NS - 1)
    assert reports.answering
    assert reports.wake_at_ns == asked + STALE_NS
    reports.pump(asked + STALE_NS)
    told: bool = reports.answering
    assert not told
    assert _until(lambda: time.monotonic_ns() > asked + STALE_NS)
    theirs.setblocking(False)
    got = {b""}
    with contextlib.suppress(BlockingIOError):
        while report := theirs.recv(64):
            got.add(report)
    assert got == {b"", bytes(64)}
    theirs.settimeout(5)
    reports.put(b"\x04\x20", time.monotonic_ns())
    assert theirs.recv(64) == b"\x04\x20"
    assert _until(lambda: reports.answering)
    reports.close()


def test_a_closed_queue_lets_go_of_the_node(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    reports = Reports(ours.fileno())
    reports.put(b"\x04\x40", time.monotonic_ns())
    assert theirs.recv(64)
    ours.close()
    reports.close()
    assert theirs.recv(64) == b""


def _until(what: Callable[[], bool], wait_s: float = 5.0) -> bool:
    end = time.monotonic() + wait_s
    while not what() and time.monotonic() < end:
        select.select([], [], [], 0.01)
    return what()


# --- a simulator's node ------------------------------------------------------------------------


class Server:
    """What a simulator's node does, in the least words."""

    def __init__(self, path: Path, *greetings: bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.bind(str(path))
        self.socket.listen(4)
        self.greetings = list(greetings)
        self.clients: list[socket.socket] = []

    def connect(self, port: VirtualNodePort) -> nodes.NodeTransport:
        """Open the port; the greeting lies ready because it is sent from another thread."""
        thread = threading.Thread(target=self._greet)
        thread.start()
        try:
            return port.open()
        finally:
            thread.join()

    def _greet(self) -> None:
        client, _ = self.socket.accept()
        self.clients.append(client)
        if self.greetings:
            client.send(self.greetings.pop(0))

    def close(self) -> None:
        for one in (self.socket, *self.clients):
            one.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def serve(*greetings: bytes) -> Server:
        servers.append(Server(tmp_path / "node.sock", *greetings))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


def test_a_simulated_node_is_read_and_written(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    server = served(b"ready 64")
    port = VirtualNodePort(str(tmp_path / "node.sock"), 64)
    transport = server.connect(port)
    assert transport.identity == f"virtual:{tmp_path}/node.sock"
    server.clients[0].send(b"\x02".ljust(64, b"\0"))
    assert transport.read() == b"\x02".ljust(64, b"\0")
    assert transport.read() == b""
    transport.write(b"\x04\x40", time.monotonic_ns())
    assert server.clients[0].recv(64) == b"\x04\x40"
    assert transport.still_there()
    (tmp_path / "node.sock").unlink()
    assert not transport.still_there()
    server.clients[0].close()
    with pytest.raises(TransportLost):
        transport.read()
    transport.close()


@pytest.mark.parametrize(
    ("greeting", "kind"),
    [(b"busy", TransportBusy), (b"ready 24", TransportMisconfigured), (b"", TransportMissing)],
)
def test_a_simulated_node_may_refuse(
    served: Callable[..., Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    greeting: bytes,
    kind: type[TransportError],
) -> None:
    monkeypatch.setattr(nodes, "_GREETING_MS", 50)
    server = served(*filter(None, (greeting,)))
    with pytest.raises(kind):
        server.connect(VirtualNodePort(str(tmp_path / "node.sock"), 64))


def test_a_socket_that_nobody_serves_any_more_is_missing(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    served().close()
    with pytest.raises(TransportMissing):
        VirtualNodePort(str(tmp_path / "node.sock"), 64).open()


def test_a_file_is_no_simulated_node(tmp_path: Path) -> None:
    (tmp_path / "node.sock").touch()
    port = VirtualNodePort(str(tmp_path / "node.sock"), 64)
    with pytest.raises(TransportError):
        port.open()


def test_flock_is_what_keeps_a_second_program_out(kernel: Kernel, node: Path) -> None:
    fd = os.open(node, os.O_RDWR | os.O_NONBLOCK)
    fcntl.flock(fd, fcntl.LOCK_EX)
    with pytest.raises(TransportBusy):
        HidrawPort(Place(str(node), "hidraw")).open()
    os.close(fd)
