"""The local link under stalls, floods and half-dead clients, over real sockets."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station import messages as m
from station.inbox import Acked, Gone, Item, Joined, Request
from station.links.local import MAX_LINKS, LinkError, LocalServer
from tests.contract.test_local_link import BEAT, HELLO, Raw
from tests.support.daemon import WAIT_S

WAIT = b'{"type":"command","id":"%d","command":{"do":"wait"}}\n'
Posted = Callable[[], Item]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[LocalServer, Posted]]:
    posted: queue.Queue[Item] = queue.Queue()
    server = LocalServer(tmp_path / "sock", posted.put)
    server.start()
    yield server, lambda: posted.get(timeout=WAIT_S)
    server.stop()


class Patient(Raw):
    """A client that waits until there is room in the listener's queue."""

    def __init__(self, path: Path) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(path))
        self.sock.settimeout(WAIT_S)
        self._buffer = b""


def joined(item: Item) -> Joined:
    assert isinstance(item, Joined), item
    return item


def test_a19_a_host_whose_command_the_disk_held_up_is_not_lost_for_it(
    server: tuple[LocalServer, Posted], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not read meanwhile, so that its heartbeats cannot be heard: that is not silence."""
    monkeypatch.setattr(m, "LOST_AFTER_MS", 500)
    running, posted = server
    with Patient(running.path) as raw, Patient(running.path) as witness:
        witness.say(HELLO.replace(b"raw", b"witness"))
        joined(posted())
        raw.say(HELLO + WAIT % 1)
        session = joined(posted()).session
        assert isinstance(posted(), Request)
        raw.say(BEAT + b"\n")
        # The witness says nothing, and its loss is the measure of the time that has passed.
        gone = posted()
        assert isinstance(gone, Gone)
        assert (gone.name, gone.why) == ("witness", "silent")
        session.answered(b"{}\n")
        raw.say(WAIT % 2)
        assert isinstance(posted(), Request)


def test_links_beyond_the_limit_are_sent_away_and_the_others_do_not_notice(
    server: tuple[LocalServer, Posted],
) -> None:
    running, posted = server
    with Patient(running.path) as raw, contextlib.ExitStack() as crowd:
        raw.say(HELLO)
        joined(posted())
        many = [crowd.enter_context(Patient(running.path)) for _ in range(MAX_LINKS + 20)]
        said = many[-1].line()
        assert said is not None
        assert (said["code"], said["fatal"]) == ("too_many_links", True)
        assert many[-1].line() is None
        raw.say(WAIT % 1)
        assert isinstance(posted(), Request)
        crowd.close()
        # Those that left make room.
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            with Patient(running.path) as late:
                late.say(HELLO.replace(b"raw", b"late"))
                late.sock.settimeout(0.2)
                with contextlib.suppress(TimeoutError, OSError):
                    late.sock.recv(1)
                    continue
            break
        assert joined(posted()).name == "late"


def test_nothing_is_heard_of_a_link_before_its_welcome(
    server: tuple[LocalServer, Posted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(m, "HEARTBEAT_MS", 20)
    running, posted = server
    with Patient(running.path) as raw:
        raw.say(HELLO)
        session = joined(posted()).session
        raw.sock.settimeout(0.5)
        with pytest.raises(TimeoutError):
            raw.sock.recv(1)
        session.send(b'{"type":"welcome"}\n')
        raw.sock.settimeout(WAIT_S)
        assert raw.sock.recv(100).startswith(b'{"type":"welcome"}\n')


def test_what_is_sent_after_the_end_goes_nowhere(tmp_path: Path) -> None:
    """The numbers of closed files are given to the next ones: the journal's, say."""
    posted: queue.Queue[Item] = queue.Queue()
    server = LocalServer(tmp_path / "sock", posted.put)
    server.start()
    with Raw(server.path) as raw:
        raw.say(HELLO)
        session = joined(posted.get(timeout=WAIT_S)).session
        server.stop()
        pipes = [os.pipe2(os.O_NONBLOCK) for _ in range(8)]
        try:
            session.send(b"{}\n")
            session.answered(b"{}\n")
            for reading, _ in pipes:
                with pytest.raises(BlockingIOError):
                    os.read(reading, 1)
        finally:
            for pair in pipes:
                os.close(pair[0])
                os.close(pair[1])


def test_a_socket_that_cannot_be_made_is_one_error_that_names_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "sock", tmp_path / "file", tmp_path / ("x" * 150)):
        with pytest.raises(LinkError, match=str(path)):
            LocalServer(path, lambda _item: None)


def test_a_client_that_asks_and_hangs_up_ends_once(server: tuple[LocalServer, Posted]) -> None:
    running, posted = server
    for number in range(20):
        raw = Patient(running.path)
        raw.say(HELLO + WAIT % number)
        session = joined(posted()).session
        request = posted()
        assert isinstance(request, Request)
        raw.sock.close()
        if number % 2:
            session.answered(b"{}\n")
        again = Patient(running.path)
        again.say(HELLO)
        gone = posted()
        assert isinstance(gone, Gone), gone
        assert gone.session is session
        fresh = joined(posted()).session
        session.answered(b"{}\n")
        again.say(WAIT % number)
        request = posted()
        assert isinstance(request, Request)
        assert request.session is fresh
        fresh.answered(b"{}\n")
        again.sock.close()
        assert isinstance(posted(), Gone)


def test_an_answer_reaches_a_client_that_has_said_its_last_word(
    server: tuple[LocalServer, Posted],
) -> None:
    running, posted = server
    with Patient(running.path) as raw:
        raw.say(HELLO + WAIT % 1)
        raw.sock.shutdown(socket.SHUT_WR)
        session = joined(posted()).session
        assert isinstance(posted(), Request)
        session.answered(b'{"type":"answer"}\n')
        assert raw.line() == {"type": "answer"}
        assert raw.line() is None


@pytest.mark.parametrize("seed", range(3))
def test_any_bytes_in_any_pieces_end_no_thread(
    server: tuple[LocalServer, Posted], seed: int
) -> None:
    """What ends the thread is told to nobody here: the last client would wait in vain."""
    running, posted = server
    rand = random.Random(seed)
    seeds = [
        HELLO,
        WAIT % 1,
        BEAT + b"\n",
        b'{"type":"ack","seq":1}\n',
        b"\n",
        b"\xff\xfe\n",
        b"{" * 5000,
    ]
    for _ in range(150):
        with Patient(running.path) as raw, contextlib.suppress(OSError):
            for _ in range(rand.randint(1, 6)):
                text = bytearray(rand.choice(seeds))
                for _ in range(rand.choice([0, 0, 1, 3])):
                    text[rand.randrange(len(text))] = rand.randrange(256)
                at = rand.randrange(len(text))
                raw.say(bytes(text[:at]))
                raw.say(bytes(text[at:]))
    with Patient(running.path) as raw:
        raw.say(HELLO.replace(b"raw", b"last"))
        while True:
            item = posted()
            if isinstance(item, Joined) and item.name == "last":
                break
            if isinstance(item, Request):
                item.session.answered(b"{}\n")


def test_a_fault_in_the_links_own_thread_is_told(tmp_path: Path) -> None:
    """Else a station would go on that nobody can speak with, and its host never be lost."""

    def broken(_item: Item) -> None:
        raise RuntimeError("no inbox")

    told: queue.Queue[BaseException] = queue.Queue()
    server = LocalServer(tmp_path / "sock", broken, told.put)
    server.start()
    with Raw(server.path) as raw:
        raw.say(HELLO)
        assert str(told.get(timeout=WAIT_S)) == "no inbox"
    server.stop()


def test_a_host_has_one_acknowledgement_in_the_inbox_however_many_it_sends(
    server: tuple[LocalServer, Posted],
) -> None:
    """Else a host in a loop fills the inbox, and a card that is read finds no room in it."""
    running, posted = server
    with Raw(running.path) as raw, Raw(running.path) as other:
        host = HELLO.replace(b"console", b"host")
        raw.say(host + b'{"type":"ack","seq":1}\n' * 100 + WAIT % 1)
        joined(posted())
        first = posted()
        assert isinstance(first, Acked)
        other.say(HELLO.replace(b"raw", b"other"))
        assert joined(posted()).name == "other"
        first.done()
        for _ in range(99):
            item = posted()
            assert isinstance(item, Acked)
            item.done()
        assert isinstance(posted(), Request)
