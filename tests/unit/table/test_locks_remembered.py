"""No lock is forgotten: any sequence of what can happen to locks, with the station begun anew at
any point, against a picture of them on paper.
"""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from station.table import facts as f
from station.table import inputs as i
from station.table.evolve import fold
from station.table.locks import CONDITIONS, KINDS
from station.table.state import Table
from tests.support.locked import TECHNICIAN, open_round
from tests.support.play import HOST, MANAGER, PIT, SUPERVISOR, Play

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(f.AnyFact).decode
PEOPLE = (SUPERVISOR, MANAGER, TECHNICIAN)

# One of each nature, so that the same one comes and goes often; the others now and then.
FEW = ("self_check_failed", "staff_file_exposed", "clock_stepped", "rules_changed", "disk_low")
codes = st.one_of(st.sampled_from(FEW[:2]), st.sampled_from(FEW), st.sampled_from(CONDITIONS))
raised = st.tuples(st.just("raise"), codes)
cleared = st.tuples(st.just("clear"), codes)
acknowledged = st.tuples(st.just("acknowledge"), codes)
signed_in = st.tuples(st.just("sign_in"), st.sampled_from(["0", "1", "2"]))
restarted = st.tuples(st.just("restart"), st.sampled_from(["", "live"]))
steps = st.lists(st.one_of(raised, cleared, acknowledged, signed_in, restarted), max_size=60)


class Paper:
    """What bars, in the plainest words: the cause is there, or a person has yet to see to it."""

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.unseen: set[str] = set()
        self.times: dict[str, int] = {}

    @property
    def bars(self) -> set[str]:
        return self.there | self.unseen

    def raise_(self, code: str) -> None:
        kind = KINDS[code]
        if code not in self.there:
            self.times[code] = self.times.get(code, 0) + 1 if code in self.unseen else 1
        if kind.latches:
            self.unseen.add(code)
        if not kind.once:
            self.there.add(code)

    def clear(self, code: str) -> None:
        self.there.discard(code)

    def acknowledge(self, code: str, role: str) -> bool:
        if code not in self.unseen or code in self.there or role not in KINDS[code].by:
            return False
        self.unseen.discard(code)
        return True


def begun_anew(play: Play) -> Play:
    """Another process: nothing but what was stored."""
    stored = [_decode(_encode(fact)) for fact in play.facts]
    other = Play()
    other.facts, other.table = stored, fold(Table(), stored)
    assert other.table == play.table
    other._commands = play._commands
    other.start()
    other.give(i.LinkUp(HOST.link, "host", "game"))
    other.give(i.DeviceHealth("shoe", "up", ""))
    return other


@given(steps)
def test_no_lock_is_forgotten_and_none_is_invented(plan: list[tuple[str, str]]) -> None:
    play, paper, person = Play().open_table(), Paper(), SUPERVISOR
    play.must(PIT, i.LogIn(person.staff, person))
    for what, which in plan:
        if what == "raise":
            paper.raise_(which)
            play.give(i.ConditionSeen(which, stands=True))
        elif what == "clear":
            paper.clear(which)
            play.give(i.ConditionSeen(which, stands=False))
        elif what == "sign_in":
            person = PEOPLE[int(which)]
            play.must(PIT, i.LogIn(person.staff, person))
        elif what == "restart":
            play = begun_anew(play)
            play.must(PIT, i.LogIn(person.staff, person))
        else:
            lock = next((one.lock for one in play.table.conditions if one.code == which), 0)
            refusal = play.say(PIT, i.ClearLock(lock, "seen to"))
            assert (refusal is None) == paper.acknowledge(which, person.role)
        assert {one.code for one in play.table.conditions} == paper.bars
        for one in play.table.conditions:
            assert one.stands == (one.code in paper.there)
            assert one.times == paper.times[one.code]
    barred = paper.bars - {"host_rules"}
    refusal = play.say(HOST, open_round(play))
    assert (refusal is not None) == bool(barred)
    if refusal is not None:
        assert refusal.code in barred
