"""Every protocol against the golden bytes of its wire: what is seen, and what is sent."""

from __future__ import annotations

import pytest

from tests.support.golden import MS, Case, cases, protocol_of, protocols, run

ALL = [(kind, case) for kind in protocols() for case in cases(kind)]
IDS = [f"{kind}/{case.name}" for kind, case in ALL]


@pytest.mark.parametrize(("kind", "case"), ALL, ids=IDS)
def test_golden_bytes_mean_what_they_say(kind: str, case: Case) -> None:
    told = run(protocol_of(kind, case.settings), case)
    assert told.written == case.sees
    assert told.writes == [(send.at_ms, send.data) for send in case.writes]


@pytest.mark.parametrize(("kind", "case"), ALL, ids=IDS)
def test_golden_bytes_mean_the_same_byte_by_byte(kind: str, case: Case) -> None:
    told = run(protocol_of(kind, case.settings), case, by_bytes=True)
    assert told.written == case.sees
    assert [message for _, message in told.writes] == [send.data for send in case.writes]


@pytest.mark.parametrize(("kind", "case"), ALL, ids=IDS)
def test_a_frame_is_named_for_the_technician_and_never_invented(kind: str, case: Case) -> None:
    protocol = protocol_of(kind, case.settings)
    wire = b"".join(send.data for send in case.sends)
    for send in case.sends:
        for frame in protocol.feed(send.data, send.at_ms * MS).frames:
            assert frame.name
            assert frame.raw in wire
