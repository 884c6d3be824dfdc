"""Commands that wait for answers: sounds first, and never so many that the rest waits for ever."""

from __future__ import annotations

from drivers.protocols.base import Beep
from drivers.protocols.courier import EDGE_LIFE_NS, Courier, Job
from tests.support.golden import protocol_of

MS = 1_000_000
APART, ANSWER = 250 * MS, 2000 * MS
SETTING, SOUND = Job("setting", b"set"), Job("sound", b"beep", tries=1, quiet=True)


def test_a_sound_goes_before_a_command_and_the_command_before_the_next_sound() -> None:
    courier = Courier(APART, ANSWER)
    courier.put(SETTING)
    courier.edge(SOUND, 0)
    courier.edge(SOUND, 0)
    went = []
    for step in range(3):
        now = step * APART
        went.append(courier.next(now))
        courier.done()
    assert went == [b"beep", b"set", None], "the second sound is stale by then"
    assert EDGE_LIFE_NS <= 2 * APART


def test_sounds_alone_go_one_after_the_other() -> None:
    courier = Courier(APART, ANSWER)
    courier.edge(SOUND, 0)
    courier.edge(SOUND, 0)
    assert courier.next(0) == b"beep"
    courier.done()
    assert courier.next(APART - 1) is None
    assert courier.next(APART) == b"beep"


def test_a_scanner_that_lost_its_settings_gets_them_however_often_it_is_scolded() -> None:
    """It sends plain text four times a second, and each is answered by a bad beep."""
    protocol = protocol_of("zebra-ssi", {})
    sent: list[tuple[int, bytes]] = []
    now, wake = 0, protocol.start(0).wake_at_ns
    ack = bytes.fromhex("04D00000FF2C")
    for number in range(150):
        until = number * 200 * MS
        while wake is not None and wake <= until:
            now = wake
            out = protocol.tick(now)
            wake = out.wake_at_ns
            sent += [(now, message) for message in out.write]
            if out.write:
                wake = protocol.feed(ack, now).wake_at_ns
        now = until
        for out in (protocol.feed(b"AKH35\r", now), protocol.send(Beep("bad"), now)):
            sent += [(now, message) for message in out.write]
            wake = out.wake_at_ns
        if sent and sent[-1][0] == now:
            wake = protocol.feed(ack, now).wake_at_ns
    late = [message for at, message in sent if at > 5000 * MS]
    assert any(message[1] == 0xC6 for message in late), "no parameter was sent any more"
