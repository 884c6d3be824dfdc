"""The serial port: line errors, and every failure as one of a few kinds."""

from __future__ import annotations

import os
import termios
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.serial import LineErrors, SerialPort, SerialSettings, _refused
from tests.support.pty import VirtualSerial


def port_at(path: Path) -> SerialPort:
    return SerialPort(SerialSettings(path=str(path)))


@pytest.fixture
def virtual(tmp_path: Path) -> VirtualSerial:
    return VirtualSerial(tmp_path / "shoe")


def test_a_damaged_byte_is_delivered_as_ff_and_a_real_ff_once() -> None:
    assert LineErrors().decode(b"A\xff\xffB") == b"A\xffB"
    assert LineErrors().decode(b"A\xff\x00\rB") == b"A\xffB"
    assert LineErrors().decode(b"\xff\x00\x00") == b"\xff"


@given(st.lists(st.tuples(st.integers(0, 255), st.booleans())), st.data())
def test_marks_are_undone_however_the_bytes_are_split(
    line: list[tuple[int, bool]], draw: st.DataObject
) -> None:
    marked = b"".join(
        b"\xff\x00" + bytes((byte,)) if damaged else bytes((byte,)) if byte != 0xFF else b"\xff\xff"
        for byte, damaged in line
    )
    clean = bytes(0xFF if damaged else byte for byte, damaged in line)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(marked)), max_size=5)))
    errors = LineErrors()
    parts = [marked[a:b] for a, b in zip([0, *cuts], [*cuts, len(marked)], strict=True)]
    assert b"".join(errors.decode(part) for part in parts) == clean


def test_the_kernel_marks_errors_and_the_bytes_come_out_as_sent(virtual: VirtualSerial) -> None:
    virtual.plug()
    transport = port_at(virtual.link).open()
    flags = termios.tcgetattr(transport.fileno())
    assert flags[0] & termios.PARMRK
    assert flags[0] & termios.INPCK
    assert not flags[0] & (termios.ICRNL | termios.IXON | termios.ISTRIP)
    every = bytes(range(256))
    virtual.send(every)
    got = b""
    while len(got) < len(every):
        got += transport.read()
    assert got == every
    assert transport.read() == b""
    transport.close()
    virtual.unplug()


def test_an_unplugged_port_is_lost_at_every_call(virtual: VirtualSerial) -> None:
    virtual.plug()
    transport = port_at(virtual.link).open()
    assert transport.still_there()
    virtual.unplug()
    assert not transport.still_there()
    with pytest.raises(TransportLost):
        transport.read()
    with pytest.raises(TransportLost):
        transport.write(b"beep", 0)
    with pytest.raises(TransportLost):
        transport.pump(10**12)
    transport.close()
    transport.close()


def test_nothing_under_the_name_is_missing(tmp_path: Path) -> None:
    port = port_at(tmp_path / "nothing")
    assert port.target() is None
    with pytest.raises(TransportMissing, match="nothing: nothing answers there"):
        port.open()


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_what_is_no_port_is_misconfigured(tmp_path: Path, make: object) -> None:
    path = tmp_path / "shoe"
    assert callable(make)
    make(path)
    with pytest.raises(TransportMisconfigured, match="no serial port"):
        port_at(path).open()


def test_a_name_that_cannot_be_one_is_misconfigured() -> None:
    port = port_at(Path("/dev/\0"))
    assert port.target() is None
    with pytest.raises(TransportMisconfigured):
        port.open()


def test_a_port_in_use_is_busy_and_free_again_after_close(virtual: VirtualSerial) -> None:
    virtual.plug()
    first = port_at(virtual.link).open()
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(TransportBusy, match="another program holds it"):
        port_at(virtual.link).open()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    first.close()
    port_at(virtual.link).open().close()
    virtual.unplug()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_port_of_others_is_denied(tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    path.touch(mode=0o000)
    with pytest.raises(TransportDenied, match="may not open it"):
        port_at(path).open()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (PermissionError(13, "Permission denied"), TransportDenied),
        (OSError(16, "Device or resource busy"), TransportBusy),
        (OSError(5, "Input/output error"), TransportMissing),
        (OSError(19, "No such device"), TransportMissing),
        (termios.error(25, "Inappropriate ioctl for device"), TransportMisconfigured),
        (OSError("no number at all"), TransportMissing),
    ],
)
def test_every_failure_to_open_is_one_of_the_kinds(
    error: Exception, kind: type[TransportError]
) -> None:
    refused = _refused("/dev/table/shoe", error)
    assert type(refused) is kind
    assert str(refused).startswith("/dev/table/shoe: ")
