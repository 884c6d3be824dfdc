"""The local link as `station/messages.py` describes it, over the real socket of a real station."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from station import messages as m
from station import snapshot as v
from station.inbox import Gone, Item, Joined
from station.links.local import BACKLOG, BAD_LINES, LocalServer
from station.table import facts as f
from tests.support.daemon import WAIT_S, Ended, Station
from tests.support.floor import Floor

HELLO = b'{"type":"hello","protocol":1,"role":"console","name":"raw"}\n'
BEAT = b'{"type":"heartbeat"}'


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Station]:
    """One station for all that changes nothing at it."""
    station = Station(tmp_path_factory.mktemp("shared"))
    try:
        yield station.start()
    finally:
        station.close()


@pytest.fixture(autouse=True)
def _nobody_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "shared" in request.fixturenames:
        request.getfixturevalue("shared").hang_up()


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    station = Station(tmp_path / "t")
    try:
        yield station.start()
    finally:
        station.close()


class Raw:
    """A client that says what it likes, and reads lines."""

    def __init__(self, path: Path) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(WAIT_S)
        self.sock.connect(str(path))
        self._buffer = b""

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def say(self, data: bytes) -> None:
        self.sock.sendall(data)

    def line(self) -> dict[str, Any] | None:
        """The next line that is neither a heartbeat nor a snapshot; None at the link's end."""
        while True:
            while b"\n" in self._buffer:
                line, _, self._buffer = self._buffer.partition(b"\n")
                message: dict[str, Any] = json.loads(line)
                if message["type"] not in ("heartbeat", "snapshot"):
                    return message
            try:
                data = self.sock.recv(1 << 20)
            except ConnectionResetError:
                data = b""
            if not data:
                return None
            self._buffer += data


# --- hello ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (BEAT, "no_hello"),
        (b'{"type":"command","id":"1","command":{"do":"wait"}}', "no_hello"),
        (b"{", "not_json"),
        (b'{"type":"hello","protocol":2,"role":"console","name":"x"}', "protocol"),
        (b'{"type":"hello","protocol":1,"role":"king","name":"x"}', "not_json"),
        (b'{"type":"hello","protocol":1,"role":"host","name":""}', "not_json"),
    ],
)
def test_the_first_line_is_a_hello_or_the_link_ends_with_a_reason(
    shared: Station, line: bytes, code: str
) -> None:
    with Raw(shared.socket) as raw:
        raw.say(line + b"\n")
        said = raw.line()
        assert said is not None
        assert (said["type"], said["code"], said["fatal"]) == ("rejected", code, True)
        assert said["text"]["ko"]
        assert said["text"]["en"]
        assert raw.line() is None


def test_a_hello_is_answered_by_welcome_and_a_whole_snapshot(shared: Station) -> None:
    client = shared.client("console")
    welcome, snapshot = client.said[:2]
    assert isinstance(welcome, m.Welcome)
    assert (welcome.protocol, welcome.table, welcome.kind) == (m.PROTOCOL, "T01", "test")
    assert (welcome.heartbeat_ms, welcome.lost_after_ms) == (1000, 3000)
    assert isinstance(snapshot, v.Snapshot)


def test_the_socket_is_its_owners_alone(shared: Station) -> None:
    mode = shared.socket.stat()
    assert stat.S_ISSOCK(mode.st_mode)
    assert stat.S_IMODE(mode.st_mode) == 0o600
    assert mode.st_uid == os.getuid()


def test_a_second_host_and_a_second_client_of_one_name_are_refused(shared: Station) -> None:
    host = shared.client("host", "game")
    for role, name in (("host", "other"), ("host", "game")):
        with pytest.raises(Ended):
            shared.client(role, name)  # type: ignore[arg-type]
    shared.client("console", "one")
    with pytest.raises(Ended):
        shared.client("console", "one")
    shared.client("console", "two")
    shared.client("pit", "one")
    assert not host.ended
    host.close()
    shared.client("pit", "watch").wait_for(lambda s: not s.host.connected)
    assert not shared.client("host", "other").ended


def test_a_second_hello_ends_the_link(shared: Station) -> None:
    with Raw(shared.socket) as raw:
        raw.say(HELLO)
        assert raw.line() is not None
        raw.say(HELLO)
        said = raw.line()
        assert said is not None
        assert (said["code"], said["fatal"]) == ("link_taken", True)
        assert raw.line() is None


def test_a_client_that_hung_up_in_mid_command_does_not_keep_its_name(shared: Station) -> None:
    for _ in range(5):
        with Raw(shared.socket) as raw:
            raw.say(HELLO + _line(m.CommandMessage("in", m.LogIn("1001", "1001"))) + b"{")
        shared.client("console", "raw").close()


# --- heartbeat ------------------------------------------------------------------------------


def test_a_silent_client_is_lost_and_a_speaking_one_is_not(shared: Station) -> None:
    speaking = shared.client("pit", "speaking")
    mute = Raw(shared.socket)
    began = time.monotonic()
    silent = shared.client("host", "silent", beats=False)
    silent.wait_ended()
    lasted = time.monotonic() - began
    assert m.LOST_AFTER_MS / 1000 <= lasted < m.LOST_AFTER_MS / 1000 + 1.5
    assert len(silent.of(m.Heartbeat)) >= 2
    with mute:
        # Who never says hello is not waited for either.
        assert mute.line() is None
    speaking.wait_for(lambda s: not s.host.connected)
    lost = [row.fact for row in shared.journal() if isinstance(row.fact, f.HostLost)]
    assert (lost[-1].host, lost[-1].why) == ("silent", "silent")
    assert not speaking.ended


def test_a_station_that_was_stopped_for_a_while_loses_nobody_who_spoke(station: Station) -> None:
    """A stalled machine is not a silent client: what has come meanwhile is read first."""
    host = station.client("host")
    os.kill(station.pid, signal.SIGSTOP)
    other = time.monotonic() + m.LOST_AFTER_MS / 1000 + 0.5
    # The client's own heartbeats go on into the socket meanwhile.
    host._quiet.wait(other - time.monotonic())
    os.kill(station.pid, signal.SIGCONT)
    assert host.must(m.TakeSeat(1, "P1")).ok
    assert "HostLost" not in station.kinds()


# --- lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_too_long_ends_the_link(shared: Station, end: bytes) -> None:
    with Raw(shared.socket) as raw:
        raw.say(HELLO)
        assert raw.line() is not None
        raw.say(BEAT + b" " * (m.MAX_LINE - len(BEAT)) + b"\n")
        with contextlib.suppress(BrokenPipeError):
            raw.say(b'{"type":"' + b"x" * m.MAX_LINE + end)
        said = raw.line()
        assert said is not None
        assert (said["code"], said["fatal"]) == ("too_long", True)
        assert raw.line() is None


COMMAND = b'{"type":"command","id":"bad","command":'
BAD = {
    "open": b"{",
    "truncated": COMMAND + b'{"do":"wa',
    "list": b"[]",
    "null": b"null",
    "bytes": b"\xff\xff\xff",
    "deep": b"[" * 10_000,
    "deep_command": COMMAND + b'{"do":' * 10_000,
    "number_as_string": COMMAND + b'{"do":"cleared","round":"1"}}',
    "unknown_command": COMMAND + b'{"do":"fly"}}',
    "missing_field": COMMAND + b'{"do":"cleared"}}',
    "unknown_field": COMMAND + b'{"do":"wait","now":true}}',
    "unknown_type": b'{"type":"shout"}',
    "duplicate_key": COMMAND + b'{"do":"cleared","round":1,"round":2}}',
    "duplicate_id": b'{"type":"command","id":"bad","id":"worse","command":{"do":"wait"}}',
    "negative": COMMAND + b'{"do":"cleared","round":-1}}',
    "float": COMMAND + b'{"do":"cleared","round":1.5}}',
    "huge": COMMAND + b'{"do":"place_bet","round":1,"seat":1,"player":"P","amount":1e308}}',
    "nan": COMMAND + b'{"do":"place_bet","round":1,"seat":1,"player":"P","amount":NaN}}',
    "bad_id": b'{"type":"command","id":"a b","command":{"do":"wait"}}',
    "no_id": b'{"type":"command","command":{"do":"wait"}}',
    "long_text": COMMAND + b'{"do":"log_in","staff":"' + b"9" * 65 + b'","pin":"1234"}}',
}


@pytest.mark.parametrize("name", BAD)
def test_h_05_a_bad_line_is_refused_with_a_reason_and_the_next_command_is_answered(
    shared: Station, name: str
) -> None:
    facts = len(shared.journal())
    with Raw(shared.socket) as raw:
        raw.say(HELLO)
        assert raw.line() is not None
        raw.say(b"\n\n" + BAD[name] + b"\n")
        said = raw.line()
        assert said is not None
        if said["type"] == "answer":
            refusal = said["refusal"]
            assert (said["ok"], refusal["code"]) == (False, "malformed")
            assert refusal["params"]["detail"]
        else:
            assert (said["type"], said["fatal"]) == ("rejected", False)
            assert said["text"]["en"]
        began = time.monotonic()
        raw.say(b'{"type":"command","id":"good-%s","command":{"do":"wait"}}\n' % name.encode())
        good = raw.line()
        assert good is not None
        assert (good["type"], good["id"]) == ("answer", f"good-{name}")
        assert time.monotonic() - began < 1
    assert len(shared.journal()) == facts + 1


def test_h_05_ten_megabytes_end_only_their_own_link(shared: Station) -> None:
    other = shared.client("pit", "other")
    with Raw(shared.socket) as raw:
        raw.say(HELLO)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            raw.say(b"x" * (10 << 20))
        while raw.line() is not None:
            pass
    assert other.ask(m.CallSupervisor()).refusal is not None


def test_a_client_that_says_nothing_but_bad_lines_is_sent_away(shared: Station) -> None:
    with Raw(shared.socket) as raw:
        raw.say(HELLO)
        assert raw.line() is not None
        raw.say(b"{\n" * (BAD_LINES + 1))
        codes = []
        while (said := raw.line()) is not None:
            codes.append(said["code"])
        assert codes == [*["not_json"] * (BAD_LINES + 1), "too_many"]


def test_commands_in_one_packet_are_answered_one_after_the_other(shared: Station) -> None:
    with Raw(shared.socket) as raw:
        lines = [
            b'{"type":"command","id":"packet-%d","command":{"do":"wait"}}\n' % n for n in range(40)
        ]
        raw.say(HELLO + b"".join(lines))
        assert raw.line() is not None
        answers = [raw.line() for _ in lines]
        assert [a and a["id"] for a in answers] == [f"packet-{n}" for n in range(40)]
        versions = [a["version"] for a in answers if a]
        assert versions == sorted(set(versions))


def test_a_line_in_pieces_is_one_line(shared: Station) -> None:
    with Raw(shared.socket) as raw:
        for byte in HELLO:
            raw.say(bytes([byte]))
        said = raw.line()
        assert said is not None
        assert said["type"] == "welcome"


# --- what comes out -------------------------------------------------------------------------


def test_a_snapshot_follows_every_commit(station: Station) -> None:
    floor = Floor(station).open_table().sit(1, 2)
    stored = station.journal()
    ends = {row.mono_ns: row.seq for row in stored}
    seen = [snapshot.version for snapshot in floor.console.of(v.Snapshot)]
    first = seen[0]
    assert seen == [seq for seq in ends.values() if seq >= first]


def test_the_answer_comes_before_the_snapshot_that_shows_it(station: Station) -> None:
    host = station.client("host")
    answer = host.must(m.TakeSeat(1, "P1"))
    kinds = [type(message) for message in host.said if not isinstance(message, m.Heartbeat)]
    assert kinds[-3:] == [m.HostFact, m.Answer, v.Snapshot]
    assert answer.version == host.now.version == station.journal()[-1].seq


def test_a_host_gets_again_what_it_has_not_acknowledged(station: Station) -> None:
    host = station.client("host")
    for seat in (1, 2, 3):
        host.must(m.TakeSeat(seat, f"P{seat}"))
    told = host.facts
    assert [fact.kind for fact in told] == ["SeatTaken"] * 3
    assert [fact.body["seat"] for fact in told] == [1, 2, 3]
    host.close()
    host = station.client("host")
    assert host.facts == told
    host.say(m.Acknowledge(told[1].seq))
    host.must(m.TakeSeat(4, "P4"))
    station.kill()
    station.start()
    host = station.client("host")
    assert [fact.body["seat"] for fact in host.facts] == [3, 4]
    host.close()
    # `after` is the host's own word for what it has.
    host = station.client("host", after=told[0].seq)
    assert [fact.body["seat"] for fact in host.facts] == [2, 3, 4]


def test_an_acknowledgement_of_a_console_counts_for_nothing(station: Station) -> None:
    host, console = station.client("host"), station.client("console")
    host.must(m.TakeSeat(1, "P1"))
    console.say(m.Acknowledge(1000))
    host.must(m.TakeSeat(2, "P2"))
    host.close()
    assert [fact.body["seat"] for fact in station.client("host").facts] == [1, 2]


# --- H-01 -----------------------------------------------------------------------------------


def test_h_01_the_same_id_is_executed_once_and_answered_each_time(station: Station) -> None:
    host = station.client("host")
    command = m.CommandMessage("once", m.TakeSeat(1, "P1"))
    host.raw(_line(command) * 2)
    host.wait(lambda: len(host.answers("once")) == 2, "two answers")
    first, second = host.answers("once")
    assert (first.ok, first.repeated, second.repeated) == (True, False, True)
    assert (second.ok, second.version) == (first.ok, first.version)
    host.close()
    host = station.client("host")
    assert host.ask(m.TakeSeat(1, "P1"), "once").repeated
    station.kill()
    station.start()
    host = station.client("host")
    again = host.ask(m.TakeSeat(1, "P1"), "once")
    assert (again.ok, again.version, again.repeated) == (True, first.version, True)
    assert station.kinds().count("SeatTaken") == 1


def test_h_01_an_id_used_for_another_command_is_refused(station: Station) -> None:
    host = station.client("host")
    assert host.ask(m.TakeSeat(1, "P1"), "once").ok
    other = host.ask(m.TakeSeat(2, "P2"), "once")
    assert (other.ok, other.refusal and other.refusal.code) == (False, "id_reused")
    assert station.kinds().count("SeatTaken") == 1


def test_h_01_a_refusal_is_repeated_too_though_it_would_be_taken_now(station: Station) -> None:
    host = station.client("host")
    host.must(m.TakeSeat(1, "P1"))
    first = host.ask(m.TakeSeat(1, "P2"), "twice")
    assert not first.ok
    host.must(m.LeaveSeat(1, "P1"))
    again = host.ask(m.TakeSeat(1, "P2"), "twice")
    assert (again.ok, again.repeated, again.refusal) == (False, True, first.refusal)


def test_h_01_a_sign_in_sent_again_while_its_pin_is_checked_is_one(station: Station) -> None:
    sign_in = m.LogIn("2001", "2001")
    with Raw(station.socket) as raw:
        raw.say(HELLO + _line(m.CommandMessage("in", sign_in)))
    console = station.client("console", "raw")
    assert console.ask(sign_in, "in").ok
    answers = [r.fact for r in station.journal() if isinstance(r.fact, f.CommandAnswered)]
    assert [fact.command for fact in answers] == ["console:raw/in"]
    console.must(sign_in)
    console.must(m.LoadShoe("S1", "A"))
    assert "error" not in station.errors()


def test_a_pin_of_somebody_who_hung_up_signs_nobody_in(station: Station) -> None:
    """The next client of that name must not inherit a supervisor's rights."""
    with Raw(station.socket) as raw:
        raw.say(HELLO + _line(m.CommandMessage("in", m.LogIn("2001", "2001"))))
    console = station.client("console", "raw")
    assert console.ask(m.LogIn("1001", "0000")).ok is False
    assert console.now.staff.signed_in == []
    assert console.refused(m.LoadShoe("S1", "A")) == "supervisor_only"


def _line(command: m.CommandMessage) -> bytes:
    return msgspec.json.encode(command) + b"\n"


# --- one station ----------------------------------------------------------------------------


def test_the_socket_of_a_killed_station_is_replaced(station: Station) -> None:
    station.kill()
    assert station.socket.is_socket()
    station.start()
    assert not station.client("console").ended
    assert station.stop() == 0
    assert not station.socket.exists()


def _refused(station: Station) -> str:
    """The one line of a station that does not start."""
    with pytest.raises(Ended) as told:
        station.start()
    assert station.gone() == 2
    lines = [x for x in str(told.value).splitlines() if not x.startswith("{")]
    assert len(lines) == 1, lines
    assert lines[0].startswith("dealer-station: ")
    return lines[0]


def test_a_second_station_on_the_same_journal_is_refused(station: Station) -> None:
    second = Station(station.folder.parent / "second")
    try:
        (second.folder / "journal.db.lock").symlink_to(station.folder / "journal.db.lock")
        said = _refused(second)
    finally:
        second.close()
    assert "another station has this journal open" in said
    assert not station.client("console").ended


def test_a_second_station_on_the_same_socket_is_refused(station: Station) -> None:
    second = Station(
        station.folder.parent / "second", more=f'[link]\nsocket = "{station.socket}"\n'
    )
    try:
        said = _refused(second)
    finally:
        second.close()
    assert str(station.socket) in said
    assert "listening here already" in said
    assert not station.client("console").ended


# --- the server alone -----------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[LocalServer, Callable[[], Item]]]:
    posted: queue.Queue[Item] = queue.Queue()
    server = LocalServer(tmp_path / "sock", posted.put)
    server.start()
    yield server, lambda: posted.get(timeout=WAIT_S)
    server.stop()


def test_a_client_that_does_not_read_is_sent_away_and_blocks_nobody(
    server: tuple[LocalServer, Callable[[], Item]],
) -> None:
    running, posted = server
    with Raw(running.path) as raw:
        raw.say(HELLO)
        joined = posted()
        assert isinstance(joined, Joined)
        began = time.monotonic()
        joined.session.send(b"x" * (2 * BACKLOG))
        assert time.monotonic() - began < 1
        gone = posted()
        assert isinstance(gone, Gone)
        assert gone.why == "too_slow"


def test_a_client_is_not_read_while_its_command_is_under_way(
    server: tuple[LocalServer, Callable[[], Item]],
) -> None:
    running, posted = server
    with Raw(running.path) as raw:
        command = b'{"type":"command","id":"%d","command":{"do":"wait"}}\n'
        raw.say(HELLO + command % 1 + command % 2)
        joined, first = posted(), posted()
        assert isinstance(joined, Joined)
        assert first.id == "1"  # type: ignore[union-attr]
        with Raw(running.path) as other:
            other.say(HELLO.replace(b"raw", b"other"))
            # The second command is not in the inbox: the other's hello is next.
            second = posted()
            assert isinstance(second, Joined)
            joined.session.answered(b"{}\n")
            assert posted().id == "2"  # type: ignore[union-attr]
