"""Output to a device that may not read (A-10): never blocks, never grows, never stale."""

from __future__ import annotations

from drivers.transports.output import LIMIT, STALE_NS, Output

MS = 1_000_000
STALE_MS = STALE_NS // MS


class Kernel:
    """A port's own buffer, of `room` bytes; `device` is what the device has taken."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.held = b""
        self.device = b""
        self.output = Output(self.write, self.discard, lambda: len(self.held))

    def write(self, data: bytes) -> int:
        taken = data[: self.room - len(self.held)]
        self.held += taken
        return len(taken)

    def discard(self) -> None:
        self.held = b""

    def device_reads(self) -> None:
        self.device += self.held
        self.held = b""


def test_a_command_goes_out_at_once_and_nothing_is_left_to_do() -> None:
    kernel = Kernel(16)
    kernel.output.put(b"beep", 0)
    kernel.device_reads()
    assert kernel.device == b"beep"
    assert not kernel.output.waiting
    assert kernel.output.wake_at_ns == STALE_NS
    kernel.output.pump(STALE_NS)
    assert kernel.output.answering
    assert kernel.output.wake_at_ns is None


def test_what_did_not_fit_follows_when_there_is_room() -> None:
    kernel = Kernel(4)
    kernel.output.put(b"longbeep", 0)
    assert kernel.output.waiting
    kernel.device_reads()
    kernel.output.pump(10 * MS)
    kernel.device_reads()
    assert kernel.device == b"longbeep"
    assert kernel.output.answering


def test_a10_stale_output_is_discarded_also_from_the_kernel_and_told() -> None:
    kernel = Kernel(8)
    for at_ms in range(0, STALE_MS, 10):
        kernel.output.put(b"beep", at_ms * MS)
        kernel.output.pump(at_ms * MS)
        assert kernel.output.answering
    kernel.output.pump(STALE_NS)
    assert not kernel.output.answering
    assert not kernel.output.waiting
    kernel.device_reads()
    assert kernel.device == b""


def test_a10_output_that_fits_the_kernel_but_is_not_taken_goes_stale_too() -> None:
    kernel = Kernel(4096)
    kernel.output.put(b"beep", 0)
    kernel.output.pump(STALE_NS)
    assert not kernel.output.answering
    assert kernel.held == b""


def test_the_device_answers_again_once_a_command_has_gone() -> None:
    kernel = Kernel(8)
    kernel.output.put(b"beep", 0)
    kernel.output.pump(STALE_NS)
    kernel.output.put(b"beep", 2 * STALE_NS)
    assert not kernel.output.answering
    kernel.device_reads()
    kernel.output.pump(3 * STALE_NS)
    assert kernel.output.answering


def test_the_queue_is_bounded_and_drops_whole_commands() -> None:
    kernel = Kernel(0)
    for _ in range(10):
        kernel.output.put(b"x" * 300, 0)
    kernel.room = 2 * LIMIT
    kernel.output.pump(1 * MS)
    assert len(kernel.held) == 900


def test_a_steady_stream_to_a_reading_device_is_never_cut() -> None:
    kernel = Kernel(64)
    for at_ms in range(0, 5000, 100):
        kernel.output.put(b"beep", at_ms * MS)
        kernel.output.pump((at_ms + 1) * MS)
        kernel.device_reads()
    assert kernel.device == b"beep" * 50
    assert kernel.output.answering
