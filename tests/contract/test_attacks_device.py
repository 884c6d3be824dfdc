"""Attacks on the device thread over a real pty, each named by what would go wrong."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device
from drivers.device import Device
from drivers.kinds.textline import TextLineSpec
from drivers.observations import (
    AnyObservation,
    CardRead,
    HealthChanged,
    Trouble,
)
from drivers.protocols.base import Beep
from tests.support.pty import VirtualSerial

# Longer than the longest pause between two attempts to open a port (5 s).
WAIT_S = 15.0
Sink = Callable[[AnyObservation], None]


def heard(inbox: queue.Queue[AnyObservation]) -> AnyObservation:
    """The next thing the device says."""
    return inbox.get(timeout=WAIT_S)


def open_descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def virtual(tmp_path: Path) -> Iterator[VirtualSerial]:
    virtual = VirtualSerial(tmp_path / "shoe")
    yield virtual
    virtual.unplug()


@pytest.fixture
def make(virtual: VirtualSerial) -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def begin(sink: Sink, *, good_beep: str = "", **parts: Any) -> Device:
        spec = TextLineSpec(name="shoe", port=str(virtual.link), good_beep=good_beep)
        device = make_device(spec, sink, **parts)
        made.append(device)
        device.start()
        return device

    yield begin
    for device in made:
        device.stop()


@pytest.fixture
def inbox() -> queue.Queue[AnyObservation]:
    return queue.Queue()


def next_health(inbox: queue.Queue[AnyObservation]) -> str:
    """The next change of health, whatever else comes before it."""
    while True:
        seen = heard(inbox)
        if isinstance(seen, HealthChanged):
            return seen.health


# --- stale cards --------------------------------------------------------------------------


@pytest.mark.parametrize("waiting", [b"AKH35\r", b"AKH", b"AKH35\r" * 1000])
def test_what_was_sent_while_nobody_listened_is_never_a_card(
    virtual: VirtualSerial,
    make: Callable[..., Device],
    inbox: queue.Queue[AnyObservation],
    waiting: bytes,
) -> None:
    virtual.plug()
    virtual.send(waiting)
    make(inbox.put)
    assert next_health(inbox) == "up"
    virtual.send(b"AAS1C\r")
    card = heard(inbox)
    assert isinstance(card, CardRead)
    assert card.text == "AAS1C"


# --- replugs ------------------------------------------------------------------------


def test_a01_many_replugs_leak_no_descriptor(
    virtual: VirtualSerial, make: Callable[..., Device], inbox: queue.Queue[AnyObservation]
) -> None:
    virtual.plug()
    make(inbox.put)
    assert next_health(inbox) == "up"
    before = open_descriptors()
    for _ in range(8):
        virtual.unplug()
        assert next_health(inbox) == "lost"
        virtual.plug()
        assert next_health(inbox) == "up"
    assert open_descriptors() == before


def test_a01_a_name_that_becomes_something_else_is_lost_and_comes_back(
    virtual: VirtualSerial, make: Callable[..., Device], inbox: queue.Queue[AnyObservation]
) -> None:
    virtual.plug()
    make(inbox.put)
    assert next_health(inbox) == "up"
    virtual.link.unlink()
    virtual.link.mkdir()
    assert next_health(inbox) == "lost"
    assert next_health(inbox) == "misconfigured"
    virtual.link.rmdir()
    virtual.hang_up()
    virtual.plug()
    while next_health(inbox) != "up":
        pass
    virtual.send(b"AKH35\r")
    assert isinstance(heard(inbox), CardRead)


# --- slow and broken consumers ------------------------------------------------------------


def test_a_beep_asked_for_while_the_consumer_is_held_up_is_never_made_late(
    virtual: VirtualSerial, make: Callable[..., Device], inbox: queue.Queue[AnyObservation]
) -> None:
    late_ns, held, go_on = [0], threading.Event(), threading.Event()

    def sink(seen: AnyObservation) -> None:
        inbox.put(seen)
        if isinstance(seen, CardRead) and not held.is_set():
            held.set()
            go_on.wait(WAIT_S)

    virtual.plug()
    device = make(sink, good_beep="07", clock=lambda: time.monotonic_ns() + late_ns[0])
    assert next_health(inbox) == "up"
    virtual.send(b"AKH35\r")
    assert held.wait(WAIT_S)
    virtual.send(b"AAS1C\rACUT6\r")
    assert device.send(Beep("good"))
    late_ns[0] = 5_000_000_000
    go_on.set()
    assert [type(heard(inbox)).__name__ for _ in range(3)] == ["CardRead", "CardRead", "CutCard"]
    assert device.send(Beep("good"))
    assert virtual.take(WAIT_S) == b"\x07"
    assert virtual.take() == b""


def test_a_change_of_health_the_consumer_does_not_take_is_told_again(
    virtual: VirtualSerial, make: Callable[..., Device], inbox: queue.Queue[AnyObservation]
) -> None:
    refused: list[AnyObservation] = []

    def sink(seen: AnyObservation) -> None:
        if isinstance(seen, HealthChanged) and seen.health == "lost" and not refused:
            refused.append(seen)
            raise RuntimeError("no room")
        inbox.put(seen)

    virtual.plug()
    make(sink)
    assert next_health(inbox) == "up"
    virtual.unplug()
    fault = heard(inbox)
    assert isinstance(fault, Trouble)
    assert fault.code == "internal"
    assert next_health(inbox) == "lost"


def test_every_fault_of_our_own_is_told_also_when_no_card_came_between(
    virtual: VirtualSerial, make: Callable[..., Device], inbox: queue.Queue[AnyObservation]
) -> None:
    def sink(seen: AnyObservation) -> None:
        if isinstance(seen, CardRead):
            raise RuntimeError(f"no room for {seen.text}")
        inbox.put(seen)

    virtual.plug()
    make(sink)
    assert next_health(inbox) == "up"
    for text in ("AKH35", "AAS1C"):
        virtual.send(text.encode() + b"\r")
        fault = heard(inbox)
        assert isinstance(fault, Trouble)
        assert text in fault.detail


def test_a_log_that_fails_does_not_end_the_thread(
    virtual: VirtualSerial, make: Callable[..., Device], inbox: queue.Queue[AnyObservation]
) -> None:
    def log(event: str, **fields: object) -> None:
        raise OSError("disk full")

    def sink(seen: AnyObservation) -> None:
        inbox.put(seen)
        if isinstance(seen, CardRead) and seen.text == "AKH35":
            raise RuntimeError("no room")

    virtual.plug()
    make(sink, log=log)
    assert next_health(inbox) == "up"
    virtual.send(b"AKH35\rAAS1C\r")
    assert isinstance(heard(inbox), CardRead)
    assert isinstance(heard(inbox), Trouble)
    assert isinstance(heard(inbox), CardRead)
    virtual.unplug()
    assert next_health(inbox) == "lost"


# --- the end ------------------------------------------------------------------------------


def test_a_command_during_the_stop_never_writes_to_a_foreign_descriptor(
    virtual: VirtualSerial,
    make: Callable[..., Device],
    inbox: queue.Queue[AnyObservation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    virtual.plug()
    device = make(inbox.put, good_beep="07")
    assert next_health(inbox) == "up"
    write, stopped, written_to = os.write, threading.Event(), []

    def stop() -> None:
        device.stop()
        stopped.set()

    stopper = threading.Thread(target=stop)

    def slow(descriptor: int, data: bytes) -> int:
        if threading.current_thread() is threading.main_thread():
            stopper.start()
            stopped.wait(0.3)
            written_to.append(Path(f"/proc/self/fd/{descriptor}").exists())
        return write(descriptor, data)

    monkeypatch.setattr("drivers.device.os.write", slow)
    assert device.send(Beep("good"))
    stopper.join()
    assert written_to == [True]
    assert not device.send(Beep("good"))
