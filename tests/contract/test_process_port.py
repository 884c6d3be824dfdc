"""A port that is a program, with programs of a few lines."""

from __future__ import annotations

import select
import signal
import threading
import time
from pathlib import Path

import pytest

from drivers.transports import process as process_module
from drivers.transports.base import (
    TransportBusy,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.child import Program
from drivers.transports.process import (
    FileThere,
    ProcessPort,
    ProcessTransport,
    TransportStarting,
    opened,
)

WAIT_S = 60.0
READY = "print('ready', flush=True)\n"
LISTEN = "import sys\nfor line in sys.stdin: print('heard', line.strip(), flush=True)\n"


class Bench:
    """A port whose program is the given script."""

    def __init__(self, folder: Path, script: str, **how: float) -> None:
        self.script = folder / "program.py"
        self.script.write_text(script)
        self.place = folder / "place"
        self.place.touch()
        program = Program(
            (str(self.script),),
            greeting=lambda: b"settings\n",
            ready=b"ready",
            exits={20: TransportMissing, 21: TransportBusy, 23: TransportMisconfigured},
            remark=lambda text: f"remark {text}\n".encode(),
            **how,
        )
        self.port = ProcessPort(program, FileThere(str(self.place)))

    def fails(self) -> TransportError:
        """What opening comes to, when the program is not starting any more."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            try:
                self.port.open().close()
            except TransportStarting:
                time.sleep(0.01)
            except TransportError as error:
                return error
            else:
                raise AssertionError("it opened")
        raise AssertionError("it starts for ever")

    def open(self) -> ProcessTransport:
        transport = opened(self.port, WAIT_S)
        assert isinstance(transport, ProcessTransport)
        return transport


def heard(transport: ProcessTransport, what: bytes) -> bytes:
    """All it said until that."""
    data, end = b"", time.monotonic() + WAIT_S
    poller = select.poll()
    poller.register(transport.fileno(), select.POLLIN)
    while what not in data:
        assert time.monotonic() < end, data
        if poller.poll(1000):
            data += transport.read()
    return data


def ended(transport: ProcessTransport) -> str:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        try:
            transport.read()
        except TransportLost as lost:
            transport.close()
            return str(lost)
        time.sleep(0.005)
    raise AssertionError("it goes on")


def test_it_gets_its_settings_first_and_is_heard_from_its_first_word_on(tmp_path: Path) -> None:
    script = "import sys\nprint('got', sys.stdin.readline().strip())\n" + READY + LISTEN
    transport = Bench(tmp_path, script).open()
    assert heard(transport, b"ready\n") == b"got settings\nready\n"
    transport.write(b"one\ntwo\n", 0)
    assert heard(transport, b"two\n") == b"heard one\nheard two\n"
    assert (transport.still_there(), transport.answering, transport.output_waiting) == (
        True,
        True,
        False,
    )
    transport.close()
    transport.close()


def test_it_says_that_it_is_starting_until_it_is_ready_and_its_target_tells(
    tmp_path: Path,
) -> None:
    gate = tmp_path / "gate"
    wait = f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
    bench = Bench(tmp_path, "print('read', flush=True)\n" + wait + READY + LISTEN)
    before = bench.port.target()
    with pytest.raises(TransportStarting):
        bench.port.open()
    time.sleep(0.2)
    assert bench.port.target() == before
    gate.touch()
    end = time.monotonic() + WAIT_S
    while bench.port.target() == before:
        assert time.monotonic() < end
        time.sleep(0.01)
    transport = bench.port.open()
    assert heard(transport, b"ready\n").startswith(b"read\nready\n")
    transport.close()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (20, TransportMissing),
        (21, TransportBusy),
        (23, TransportMisconfigured),
        (0, TransportLost),
        (1, TransportLost),
    ],
)
def test_its_exit_status_says_what_is_wrong_and_its_last_line_why(
    tmp_path: Path, status: int, kind: type[TransportError]
) -> None:
    script = f"import sys\nprint('noise\\nthe reason', file=sys.stderr)\nsys.exit({status})\n"
    error = Bench(tmp_path, script).fails()
    assert type(error) is kind
    assert str(error).endswith("the reason")


@pytest.mark.parametrize("name", ["SIGABRT", "SIGSEGV", "SIGKILL"])
def test_the_signal_that_ended_it_is_named(tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    script = READY + f"import os, sys\nsys.stdin.readline()\nos.kill(os.getpid(), {number})\n"
    transport = Bench(tmp_path, script + LISTEN).open()
    words = ended(transport)
    assert f"ended by {name}" in words
    assert ("a library it uses aborted it" in words) == (name == "SIGABRT")


def test_all_it_said_before_its_end_is_heard(tmp_path: Path) -> None:
    script = READY + "for n in range(20_000): print('line', n)\nprint('last')\n"
    transport = Bench(tmp_path, script).open()
    data = heard(transport, b"last\n")
    assert data.count(b"line") == 20_000
    assert "status 0" in ended(transport)


def test_its_errors_come_between_its_lines(tmp_path: Path) -> None:
    script = (
        "import sys, time\nprint('half', end='', flush=True)\n"
        "print('warning', file=sys.stderr, flush=True)\ntime.sleep(0.2)\n"
        "print(' of it\\nready', flush=True)\n" + LISTEN
    )
    transport = Bench(tmp_path, script).open()
    data = heard(transport, b"warning")
    assert b"half of it\n" in data
    assert data.endswith(b"remark warning\n")
    transport.close()


def test_one_that_never_is_ready_is_ended(tmp_path: Path) -> None:
    bench = Bench(tmp_path, LISTEN, start_s=0.3)
    assert "was not ready within" in str(bench.fails())
    assert bench.port._last is not None
    end = time.monotonic() + WAIT_S
    while not bench.port._last.gone:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_that_says_nothing_more_is_lost(tmp_path: Path) -> None:
    transport = Bench(tmp_path, READY + LISTEN, hang_s=0.3).open()
    heard(transport, b"ready")
    time.sleep(0.35)
    with pytest.raises(TransportLost, match="has said nothing"):
        transport.still_there()
    transport.close()


def test_a_station_that_was_away_does_not_take_that_for_silence(tmp_path: Path) -> None:
    transport = Bench(tmp_path, READY + LISTEN, hang_s=0.3).open()
    heard(transport, b"ready")
    transport.write(b"x\n", 0)
    time.sleep(1.0)
    assert transport.still_there()
    heard(transport, b"heard x")
    transport.close()


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    """A child of the program's that holds its output open keeps nobody waiting."""
    note = tmp_path / "pid"
    script = (
        "import os, subprocess, sys\n"
        "one = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(note)!r}, 'w').write(str(one.pid))\n" + READY + LISTEN
    )
    transport = Bench(tmp_path, script).open()
    pid = int(note.read_text())
    transport.close()
    end = time.monotonic() + WAIT_S
    while Path(f"/proc/{pid}/stat").exists():
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":
            break
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_that_ends_at_once_is_started_ever_more_seldom(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = f"open({str(starts)!r}, 'a').write('.')\nraise SystemExit(23)\n"
    bench = Bench(tmp_path, script)
    end, pauses = time.monotonic() + 3.0, set()
    while time.monotonic() < end:
        assert isinstance(bench.fails(), TransportMisconfigured)
        pauses.add(bench.port._pause_s)
        time.sleep(0.01)
    assert 2 <= len(starts.read_text()) <= 5
    assert sorted(pauses) == [0.4 * 2**n for n in range(len(pauses))]


def test_something_else_under_the_name_is_tried_at_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "raise SystemExit(23)\n")
    bench.port._pause_s = 60.0
    assert isinstance(bench.fails(), TransportMisconfigured)
    bench.script.write_text(READY + LISTEN)
    assert isinstance(bench.fails(), TransportMisconfigured), "not yet"
    bench.place.rename(tmp_path / "old")
    bench.place.touch()
    bench.open().close()


def test_one_that_was_ready_and_crashes_each_time_is_held_back_too(tmp_path: Path) -> None:
    bench = Bench(tmp_path, READY + "raise SystemExit(1)\n")
    ended(bench.open())
    assert "ended soon after its start" in str(bench.fails())
    end = time.monotonic() + WAIT_S
    while True:
        try:
            ended(bench.open())
            break
        except TransportLost:
            assert time.monotonic() < end
            time.sleep(0.01)
    bench.fails()
    assert bench.port._pause_s > 2 * process_module.FIRST_AGAIN_S


def test_nothing_under_the_name_starts_no_program(tmp_path: Path) -> None:
    bench = Bench(tmp_path, READY + LISTEN)
    bench.place.unlink()
    assert bench.port.target() is None
    with pytest.raises(TransportMissing, match="nothing is there"):
        bench.port.open()
    assert bench.port._child is None


def test_one_that_takes_nothing_is_told_and_is_not_waited_for(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    script = READY + f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
    transport = Bench(tmp_path, script + LISTEN).open()
    now_ns = 0
    for _ in range(200):
        transport.write(b"x" * 999 + b"\n", now_ns)
    wake = transport.output_wake_at_ns
    assert wake is not None or not transport.answering
    transport.pump(600_000_000)
    assert (transport.answering, transport.output_wake_at_ns) == (False, None)
    gate.touch()
    end = time.monotonic() + WAIT_S
    while not transport.answering:
        assert time.monotonic() < end
        transport.read()
    transport.close()


def test_fifty_restarts_leave_no_file_no_thread_and_no_dead_process(tmp_path: Path) -> None:
    bench = Bench(tmp_path, READY + LISTEN)

    def once() -> int:
        bench.port._again_s = 0.0
        bench.port._pause_s = 0.0
        transport = bench.open()
        heard(transport, b"ready")
        pid = int(transport.identity.rpartition("process ")[2].rstrip(")"))
        transport.close()
        return pid

    once()
    files, threads = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    pids = [once() for _ in range(50)]
    end = time.monotonic() + WAIT_S
    while any(Path(f"/proc/{pid}").exists() for pid in pids) or threading.active_count() > threads:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert len(list(Path("/proc/self/fd").iterdir())) <= files
