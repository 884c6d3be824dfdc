"""A device may suffer from several things at once: the worst is shown, and each ends by itself."""

from __future__ import annotations

from station.table import inputs as i
from tests.support.play import Play


def begins(play: Play, cause: str, health: str) -> None:
    play.give(i.DeviceHealth("shoe", health, f"{cause}!", cause=cause))


def ends(play: Play, cause: str) -> None:
    play.give(i.DeviceHealth("shoe", "up", "", over=cause))


def health(play: Play) -> str:
    device = play.table.device("shoe")
    assert device is not None
    return device.health


def test_the_end_of_one_does_not_hide_the_other() -> None:
    play = Play().open_table()
    begins(play, "not_obeying", "not_answering")
    begins(play, "silent", "silent")
    assert health(play) == "silent"
    ends(play, "silent")
    assert health(play) == "not_answering"
    ends(play, "not_obeying")
    assert health(play) == "up"


def test_two_causes_of_one_state_end_each_by_itself() -> None:
    play = Play().open_table()
    begins(play, "not_obeying", "not_answering")
    begins(play, "not_answering", "not_answering")
    ends(play, "not_answering")
    assert health(play) == "not_answering"


def test_a_lesser_trouble_does_not_make_a_silent_reader_read() -> None:
    play = Play().open_table()
    begins(play, "silent", "silent")
    begins(play, "check_baud", "garbled")
    assert health(play) == "silent"
    assert play.hold_codes == ["reader_lost"]
    ends(play, "silent")
    device = play.table.device("shoe")
    assert device is not None
    assert device.reads
    assert device.detail == "check_baud!"


def test_a_port_that_comes_back_has_shaken_them_off() -> None:
    play = Play().open_table()
    begins(play, "silent", "silent")
    play.give(i.DeviceHealth("shoe", "lost", ""))
    assert health(play) == "lost"
    play.give(i.DeviceHealth("shoe", "up", ""))
    assert health(play) == "up"


def test_what_is_known_is_no_new_fact() -> None:
    play = Play().open_table()
    begins(play, "check_baud", "garbled")
    before = len(play.facts)
    begins(play, "check_baud", "garbled")
    ends(play, "silent")
    assert len(play.facts) == before


def test_journals_of_before_are_read_as_they_were_meant() -> None:
    """A state without a cause, ended by the port's "up"."""
    play = Play().open_table()
    play.give(i.DeviceHealth("shoe", "garbled", ""))
    assert health(play) == "garbled"
    play.give(i.DeviceHealth("shoe", "up", ""))
    assert health(play) == "up"
