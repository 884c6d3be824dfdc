"""The SSI protocol and a virtual scanner talking to each other, well and through a bad line."""

from __future__ import annotations

import itertools
import random

import pytest

from drivers.observations import (
    CardRead,
    CutCard,
    Identified,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Beep, Flush, Trigger, Wanted
from hw_sim.codes import VirtualCard, decks
from hw_sim.models.ssi import Ssi as Scanner
from tests.support.golden import protocol_of
from tests.support.pair import MS, Pair, clean, rough

KING, CUT = VirtualCard("KH", 3, "A"), VirtualCard("", 0, "A")
CARDS = decks(8, "A")
CALM = {"heartbeat_seconds": 60}


def pair(seed: int | None = None, per_mille: int = 20, **settings: object) -> Pair:
    """A scanner set up and ready; the line is clean until then, and then as bad as asked for."""
    both = Pair(protocol_of("zebra-ssi", dict(settings)), Scanner())
    both.start()
    both.run(3000)
    if seed is not None:
        both.to_driver, both.to_device = rough(seed, per_mille), rough(-seed - 1, per_mille)
    return both


def faces(both: Pair) -> list[tuple[str, bool]]:
    return [(card.face, card.resent) for card in both.of(CardRead)]


def test_the_scanner_is_set_up_and_named() -> None:
    both = pair()
    state = both.model.state()
    assert state["enabled"] is True
    assert state["parameters"] == {
        "9F": 1, "EE": 1, "EC": 0, "8A": 7, "5E": 1, "38": 0,
    }  # fmt: skip
    assert [one.identity for one in both.of(Identified)] == ["PAAABS00-001-R00 NBRX DS9308 0A1B"]
    assert not both.of(Trouble)


def test_a_card_is_told_once_and_acknowledged() -> None:
    both = pair()
    both.card(KING)
    both.run(1000)
    both.card(CUT)
    both.run(9000)
    assert faces(both) == [("KH", False)]
    assert len(both.of(CutCard)) == 1
    assert not both.of(NoRead)
    assert both.model.state()["waiting"] == 0


def test_commands_are_a_quarter_second_apart_and_answers_are_not_kept_waiting() -> None:
    both = pair()
    for _ in range(20):
        both.take(both.protocol.send(Beep("good"), both.now_ms * MS))
        both.card(KING)
        both.run(70)
    answers = {0xD0, 0xD1}
    commands = [at for at, message in both.written if message[1] not in answers]
    assert min(b - a for a, b in itertools.pairwise(commands)) >= 250
    acknowledged = [at for at, message in both.written if message[1] == 0xD0]
    assert len(acknowledged) >= 20


def test_sounds_are_heard_in_order_and_a_late_one_never() -> None:
    both = pair(**CALM)
    both.take(both.protocol.send(Beep("good"), both.now_ms * MS))
    both.take(both.protocol.send(Beep("bad"), both.now_ms * MS))
    both.run(600)
    assert both.model.state()["beeps"] == [0x01, 0x12]
    both.to_device = lambda data: b""
    both.take(both.protocol.send(Beep("good"), both.now_ms * MS))
    both.run(100)
    both.take(both.protocol.send(Beep("bad"), both.now_ms * MS))
    both.to_device = clean
    both.run(5000)
    assert both.model.state()["beeps"] == [0x01, 0x12]


def test_while_reading_is_not_wanted_no_card_is_read() -> None:
    both = pair()
    both.take(both.protocol.want(Wanted(reading=False), both.now_ms * MS))
    both.run(300)
    both.card(KING)
    both.run(5000)
    assert faces(both) == []
    both.take(both.protocol.want(Wanted(reading=True), both.now_ms * MS))
    both.run(300)
    both.card(KING)
    both.run(5000)
    assert faces(both) == [("KH", False)]


def test_reading_is_never_off_while_settings_are_told_again() -> None:
    both = pair()
    for _ in range(300):
        both.run(1000)
        assert both.model.state()["enabled"] is True
    sent = [message[1] for at, message in both.written if at >= 3000]
    assert sent.count(0xC6) >= 10
    assert 0xEA not in sent
    assert 0xD2 not in sent


def test_read_on_command() -> None:
    both = pair(trigger_mode="host")
    both.card(KING)
    both.run(1000)
    assert faces(both) == []
    both.take(both.protocol.send(Trigger(True), both.now_ms * MS))
    both.run(1000)
    both.card(KING)
    both.run(1000)
    assert faces(both) == [("KH", False)]
    both.take(both.protocol.send(Trigger(True), both.now_ms * MS))
    both.run(12_000)
    assert [one.reason for one in both.of(NoRead)] == ["unread"]


def test_flush_forgets_what_waits() -> None:
    both = pair(**CALM)
    both.to_driver = lambda data: b""
    both.card(KING)
    both.run(300)
    both.to_driver = clean
    both.take(both.protocol.send(Flush(), both.now_ms * MS))
    both.run(9000)
    assert faces(both) == []


@pytest.mark.parametrize(
    ("fault", "params", "cards", "reasons"),
    [
        ("double_read", {}, [("KH", False), ("KH", False)], []),
        ("partial_code", {}, [], ["not_a_card"]),
        ("bad_check", {}, [], ["bad_check"]),
        ("checksum_error", {}, [("KH", False)], []),
        ("checksum_error", {"times": 2}, [("KH", False)], []),
        ("checksum_error", {"times": 3}, [], ["incomplete"]),
        ("ack_lost", {}, [("KH", False), ("KH", True)], []),
        ("ack_lost", {"times": 3}, [("KH", False), ("KH", True), ("KH", True)], []),
        ("nr", {}, [], ["unread"]),
        ("unknown_code", {}, [], ["not_a_card"]),
        ("foreign_symbology", {}, [], ["foreign_symbology"]),
        ("two_codes", {"text": "AAS1C"}, [("KH", False), ("AS", False)], []),
        ("split", {}, [("KH", False)], []),
        ("split", {"ms": 150}, [("KH", False), ("KH", True)], []),
        ("multi_packet", {}, [("KH", False)], []),
    ],
)
def test_a_fault_of_the_draw(
    fault: str, params: dict[str, object], cards: list[tuple[str, bool]], reasons: list[str]
) -> None:
    both = pair(**CALM)
    both.card(KING, fault, **params)
    both.run(15_000)
    assert faces(both) == cards
    assert [one.reason for one in both.of(NoRead)] == reasons
    both.card(CUT)
    both.run(3000)
    assert len(both.of(CutCard)) == 1


def test_a_second_identical_card_two_seconds_later_is_two_cards() -> None:
    both = pair(card="{rank}{suit}", cut_card="CUT")
    both.card(Plain("KH", 0, ""))
    both.run(2000)
    both.card(Plain("KH", 0, ""))
    both.run(5000)
    assert faces(both) == [("KH", False), ("KH", False)]


class Plain(VirtualCard):
    """A card whose code is its face alone."""

    @property
    def code(self) -> str:
        return self.face


@pytest.mark.parametrize("cause", [2, 6])
def test_a_refusal_is_noted_and_everything_is_told_again(cause: int) -> None:
    both = pair(**CALM)
    both.run(20_000)
    both.do("nak", cause=cause)
    both.take(both.protocol.send(Beep("good"), both.now_ms * MS))
    both.run(5000)
    assert [note.code for note in both.of(Note)] == ["refused"]
    sent = [message[1] for at, message in both.written if at >= 23_000]
    assert sent.count(0xC6) == 6
    assert sent[-1] == 0xE9


def test_a_setting_it_must_have_and_refuses_is_a_trouble_until_it_takes_it() -> None:
    both = pair(**CALM)
    both.run(1000)
    both.do("nak", times=7)
    both.run(116_000)
    assert [(one.code, one.detail) for one in both.of(Trouble)] == [
        ("setting_refused", "acknowledge: denied")
    ]
    both.run(20_000)
    assert [one.code for one in both.of(TroubleOver)] == ["setting_refused"]


def test_a_scanner_that_is_not_to_be_switched_on_is_a_trouble() -> None:
    both = pair(**CALM)
    both.take(both.protocol.want(Wanted(reading=False), both.now_ms * MS))
    both.run(1000)
    both.do("nak")
    both.take(both.protocol.want(Wanted(reading=True), both.now_ms * MS))
    both.run(1000)
    assert [one.detail for one in both.of(Trouble)] == ["enable: denied"]
    assert both.model.state()["enabled"] is False
    both.run(2000)
    assert both.model.state()["enabled"] is True
    assert [one.code for one in both.of(TroubleOver)] == ["setting_refused"]


@pytest.mark.parametrize("setting", ["plain_text", "no_handshake", "defaults"])
def test_a_configuration_barcode_is_undone(setting: str) -> None:
    both = pair()
    both.run(20_000)
    both.do("config_barcode", setting=setting)
    both.card(KING)
    both.run(130_000)
    cards = faces(both)
    if setting == "no_handshake":
        assert cards == [("KH", False)]
    else:
        assert cards == []
        assert [one.reason for one in both.of(NoRead)] == ["not_a_card"]
        assert [one.code for one in both.of(Trouble)] == ["not_packeted"]
        assert [one.code for one in both.of(TroubleOver)] == ["not_packeted"]
    assert both.model.state()["parameters"] == pair().model.state()["parameters"]
    both.card(CUT)
    both.run(1000)
    assert len(both.of(CutCard)) == 1


def test_a_configuration_barcode_is_refused() -> None:
    both = pair()
    both.do("config_barcode", setting="plain_text", force=0)
    both.card(KING)
    both.run(1000)
    assert faces(both) == [("KH", False)]


def test_a_changed_suffix_changes_nothing() -> None:
    both = pair()
    both.do("config_barcode", setting="suffix", suffix="crlf")
    both.card(KING)
    both.run(5000)
    assert faces(both) == [("KH", False)]
    assert not both.of(NoRead)


def test_a_power_cycle_is_noticed_by_the_first_code_and_undone() -> None:
    both = pair(**CALM)
    both.run(20_000)
    both.do("power_cycle")
    both.card(KING)
    both.run(5000)
    assert [one.code for one in both.of(Trouble)] == ["not_packeted"]
    assert faces(both) == []
    assert len(both.of(NoRead)) == 1
    both.card(KING)
    both.run(5000)
    assert faces(both) == [("KH", False)]


def test_a_dead_scanner_is_silent_within_seventeen_seconds_and_lives_again() -> None:
    both = pair()
    both.run(20_000)
    both.do("silent_death", ms=60_000)
    both.card(KING)
    both.run(17_000)
    assert [one.code for one in both.of(Trouble)] == ["silent"]
    both.run(50_000)
    assert [one.code for one in both.of(TroubleOver)] == ["silent"]
    both.card(KING)
    both.run(1000)
    assert faces(both) == [("KH", False)]


def test_an_answer_is_not_acknowledged_because_a_lost_code_would_be() -> None:
    """The first copy of a code is lost while the scanner answers a question. An acknowledgement of
    that answer would be one of the code, which then never came again.
    """
    both = pair()
    both.run(6995)
    both.to_driver = lambda data: b"" if data[1] == 0xF3 else data
    both.card(KING)
    both.run(100)
    assert both.written[-1][1][1] == 0xA3
    both.to_driver = clean
    both.run(3000)
    assert faces(both) == [("KH", False)]


@pytest.mark.parametrize("chance", [0.1, 0.3])
@pytest.mark.parametrize("seed", range(15))
def test_whole_messages_lost_give_the_right_card_once_or_silence(seed: int, chance: float) -> None:
    dice = random.Random(seed)
    both = pair()
    both.to_driver = both.to_device = lambda data: b"" if dice.random() < chance else data
    came = 0
    for card in CARDS[seed * 12 : seed * 12 + 12]:
        before = len(both.seen)
        both.card(card)
        both.run(9000)
        cards = [one for one in both.seen[before:] if isinstance(one, CardRead)]
        assert {one.text for one in cards} <= {card.code}
        assert [one.resent for one in cards] == [False, True, True][: len(cards)]
        came += bool(cards)
    assert came >= 9


@pytest.mark.parametrize("per_mille", [5, 30, 100])
@pytest.mark.parametrize("seed", range(25))
def test_a_bad_line_gives_the_right_card_once_or_says_so(seed: int, per_mille: int) -> None:
    """Never another card, never one twice without the mark, and none lost without a word: where a
    card did not come, something was told or the scanner itself gave up on the line.
    """
    both = pair(seed, per_mille)
    given: list[VirtualCard] = []
    for card in CARDS[seed * 12 : seed * 12 + 12]:
        before = len(both.seen)
        both.card(card)
        given.append(card)
        both.run(9000)
        news = both.seen[before:]
        assert news, f"{card.code} left no trace"
    fresh = [one.text for one in both.of(CardRead) if not one.resent]
    assert set(fresh) <= {card.code for card in given}
    assert len(fresh) == len(set(fresh))
