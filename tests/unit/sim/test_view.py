"""A round as lines of text."""

from __future__ import annotations

from typing import Any

import pytest

from hw_sim.view import RoundView, face_text, money
from tests.unit.sim.fake_station import hand, hold, seat, snapshot, text


def lines(*snapshots: dict[str, Any], language: str = "en") -> list[str]:
    seen: list[str] = []
    view = RoundView(language, lambda line, _style: seen.append(line))
    for shown in snapshots:
        view.show(shown)
    return seen


def bet(returned: int | None = None, result: str = "") -> dict[str, Any]:
    return {"player": "Kim", "amount": 2_000, "returned": returned, "result": result}


def read(number: int, face: str, to: str = "seat", outcome: str = "dealt") -> dict[str, Any]:
    slot = {"to": to, "seat": 3 if to == "seat" else 0, "hand": 1}
    words = text(f"{outcome}!")
    return {"number": number, "outcome": outcome, "face": face, "slot": slot, "text": words}


def in_round(phase: str, *cards: str, total: int = 0, state: str = "turn", **changes: Any) -> Any:
    hands = [hand(*cards, total=total, state=state)] if cards else []
    seats = [seat(3, "Kim", hands=hands, bets=[changes.pop("bet", bet())])]
    return snapshot(phase=phase, round=4, seats=seats, **changes)


def test_a_round_in_lines() -> None:
    dealer = {"cards": ["9C", "9D"], "total": 18, "soft": False, "state": "stand"}
    asked = {"decision": 1, "seat": 3, "hand": 1, "legal": ["hit", "stand"], "chosen": ""}
    told = lines(
        snapshot(),
        in_round("betting"),
        in_round("dealing", "KH", total=10, last_read=read(1, "KH")),
        in_round("deciding", "KH", "5S", total=15, decision=asked, last_read=read(2, "5S")),
        in_round("drawing", "KH", "5S", total=15, decision={**asked, "chosen": "hit"}),
        in_round("dealer", "KH", "5S", "TD", total=25, state="bust", last_read=read(3, "TD")),
        in_round("dealer", "KH", total=25, state="bust", last_read=read(4, "9C", "dealer")),
        in_round("result", "KH", total=25, state="bust", dealer=dealer, bet=bet(0, "bust")),
    )
    assert told[1:] == [
        "Round 4",
        "  seat 3 Kim: bets 2,000 KRW",
        "  K♥ → seat 3: 10",
        "  5♠ → seat 3: 15",
        "  seat 3: to decide on 15",
        "  seat 3: hits",
        "  10♦ → seat 3: 25",
        "  seat 3: busts with 25",
        "  9♣ → dealer: 0",
        "  dealer: stands on 18",
        "  seat 3 Kim: bust, 2,000 KRW → 0 KRW",
        "  in 2,000 KRW, out 0 KRW",
    ]


def test_bets_of_every_kind_windows_and_ends_are_told() -> None:
    bets = [
        {**bet(), "kind": "main"},
        {**bet(), "kind": "pair", "amount": 300},
        {**bet(), "kind": "insurance", "amount": 1_000},
    ]
    behind = {"players": 2, "amount": 7_000, "returned": None}

    def at(phase: str, hands: list[Any], count: int = 3, **changes: Any) -> Any:
        seats = [seat(3, "Kim", hands=hands, bets=bets[:count], behind=behind)]
        absent = changes.pop("absent", False)
        return snapshot(phase=phase, round=4, seats=[{**seats[0], "absent": absent}], **changes)

    eights = hand("8H", "8S", total=16)
    split = [hand("8H", "3C", total=11, state="double"), {**hand("8S", total=8), "hand": 2}]
    window = {"window": 1, "kind": "insurance", "seat": 0, "hand": 0, "asked": ["Kim"]}
    follow = {"window": 2, "kind": "split", "seat": 3, "hand": 2, "asked": ["Leo", "Emma"]}
    told = lines(
        snapshot(),
        at("betting", [], 2),
        at("insurance", [eights], 2, window=window),
        at("deciding", [eights]),
        at("follow", [eights], window=follow),
        at("deciding", split, absent=True),
    )
    assert told[1:] == [
        "Round 4",
        "  seat 3 Kim: bets 2,000 KRW",
        "  seat 3 Kim: bets on Pair 300 KRW",
        "  seat 3: 2 behind, 7,000 KRW",
        "  insurance: 1 are asked",
        "  seat 3 Kim: insures for 1,000 KRW",
        "  seat 3: 2 behind are asked to follow the split",
        "  seat 3: splits",
        "  seat 3: absent, the station plays",
        "  seat 3 hand 1: doubles: 11",
    ]


def test_a_split_is_told_before_its_bet_and_each_hand_by_its_number() -> None:
    """R34-R36: the second stake is there while those behind are asked, the second hand later."""
    main, second = {**bet(), "kind": "main"}, {**bet(), "kind": "main", "hand": 2}
    pair = {**bet(), "kind": "pair", "hand": 0, "amount": 300}
    window = {"window": 2, "kind": "split", "seat": 3, "hand": 2, "asked": ["Leo"]}
    doubled = {**window, "window": 3, "kind": "double"}
    asked = {"decision": 1, "seat": 3, "hand": 1, "legal": ["hit", "split"], "chosen": ""}
    again = {**asked, "decision": 2, "hand": 2}

    def at(phase: str, bets: list[Any], *hands: Any, **changes: Any) -> Any:
        views = [{**view, "hand": number} for number, view in enumerate(hands, start=1)]
        return snapshot(
            phase=phase, round=4, seats=[seat(3, "Kim", hands=views, bets=bets)], **changes
        )

    eights, eight = hand("8H", "8S", total=16), hand("8H", total=8)
    first, busted = hand("8H", "9C", total=17, state="stand"), hand("8S", "TD", total=18)
    over = hand("8S", "TD", "QD", total=28, state="bust")
    to = {**read(1, "TD"), "slot": {"to": "seat", "seat": 3, "hand": 2}}
    paid = [{**main, "returned": 4_000, "result": "win"}, pair, {**second, "returned": 0}]
    told = lines(
        snapshot(),
        at("deciding", [main, pair], eights, decision=asked),
        at("follow", [main, pair, second], eights, decision={**asked, "chosen": "split"}),
        at("follow", [main, pair, second], eights, window=window),
        at("dealing", [main, pair, second], eight, hand("8S", total=8)),
        at("deciding", [main, pair, second], first, busted, last_read=to, decision=again),
        at("follow", [main, pair, second], first, busted, window=doubled, last_read=to),
        at("dealer", [main, pair, second], first, over, last_read=to),
        at("result", paid, first, over, last_read=to),
    )
    assert told[1:] == [
        "Round 4",
        "  seat 3 Kim: bets 2,000 KRW",
        "  seat 3 Kim: bets on Pair 300 KRW",
        "  seat 3: to decide on 16",
        "  seat 3: splits",
        "  seat 3 hand 2 Kim: bets 2,000 KRW",
        "  seat 3: 1 behind are asked to follow the split",
        "  10♦ → seat 3 hand 2: 18",
        "  seat 3 hand 1: stands on 17",
        "  seat 3 hand 2: to decide on 18",
        "  seat 3 hand 2: 1 behind are asked to follow the double",
        "  seat 3 hand 2: busts with 28",
        "  seat 3 hand 1 Kim: win, 2,000 KRW → 4,000 KRW",
        "  seat 3 Kim: Pair , 300 KRW → 0 KRW",
        "  seat 3 hand 2 Kim: , 2,000 KRW → 0 KRW",
        "  in 4,300 KRW, out 4,000 KRW",
    ]


def test_a_bet_taken_back_and_another_are_told() -> None:
    """Each, also when the table shows them at once; later another amount is a doubled bet."""

    def at(phase: str, *bets: tuple[str, int]) -> Any:
        views = [{**bet(), "kind": kind, "amount": amount} for kind, amount in bets]
        return snapshot(phase=phase, round=4, seats=[seat(3, "Kim", bets=views)])

    told = lines(
        snapshot(),
        at("betting", ("main", 2_000), ("pair", 300)),
        at("betting", ("main", 2_000)),
        at("betting", ("main", 5_000)),
        at("betting"),
        at("betting", ("main", 1_000)),
        at("dealing", ("main", 1_000)),
        at("follow", ("main", 2_000)),
    )
    assert told[4:] == [
        "  seat 3 Kim: takes 300 KRW back (Pair)",
        "  seat 3 Kim: takes 2,000 KRW back",
        "  seat 3 Kim: bets 5,000 KRW",
        "  seat 3 Kim: takes 5,000 KRW back",
        "  seat 3 Kim: bets 1,000 KRW",
    ]


@pytest.mark.parametrize("phase", ["result", "closed", "dealer"])
def test_what_an_earlier_run_left_on_the_felt_is_no_news(phase: str) -> None:
    left = in_round(phase, "KH", total=20, state="stand", last_read=read(9, "JH", "dealer"))
    said = ["Round 4"] if phase == "dealer" else []
    assert lines(left) == lines(left, left) == ["shoe A-1: ", *said]
    assert lines(left, in_round("void"))[-1] == "round 4 is void: every bet returned"


def test_pair_bets_behind_are_told_apart() -> None:
    """R42, R43: they are decided by the first two cards, whatever becomes of the hand."""

    def at(phase: str, amount: int, pair: int, back: int | None, pair_back: int | None) -> Any:
        parts = {"pair_amount": pair, "pair_returned": pair_back, "players": 2}
        behind = {**parts, "amount": amount, "returned": back}
        return snapshot(phase=phase, round=4, seats=[seat(3, "Kim", behind=behind)])

    def of(amount: int, pair: int, back: int, pair_back: int) -> list[str]:
        end = at("result", amount, pair, back, pair_back)
        shown = (at("betting", amount, pair, None, None), at("dealing", amount, pair, None, None))
        return lines(snapshot(), *shown, end)[2:]

    assert of(7_000, 600, 0, 7_200) == [
        "  seat 3: 2 behind, 7,000 KRW, Pair 600 KRW",
        "  seat 3, 2 behind: 7,000 KRW → 0 KRW",
        "  seat 3, Pair behind: 600 KRW → 7,200 KRW",
        "  in 7,600 KRW, out 7,200 KRW",
    ]
    assert of(0, 600, 0, 0) == [
        "  seat 3: 2 behind, Pair 600 KRW",
        "  seat 3, Pair behind: 600 KRW → 0 KRW",
        "  in 600 KRW, out 0 KRW",
    ]


def test_the_result_counts_the_bets_behind_once() -> None:
    """As a sum where only that is shown, one by one at a table with players in the chairs."""
    behind = {"players": 2, "amount": 7_000, "returned": 9_000}
    own = {**bet(4_000, "win"), "kind": "main"}
    others = {**bet(9_000, "win"), "kind": "behind", "player": "Leo", "amount": 7_000}
    ends = []
    for bets in ([own], [own, others]):
        result = snapshot(phase="result", round=4, seats=[seat(3, "Kim", bets=bets, behind=behind)])
        ends.append(lines(snapshot(phase="dealer", round=4), result)[-2:])
    assert ends[0] == [
        "  seat 3, 2 behind: 7,000 KRW → 9,000 KRW",
        "  in 9,000 KRW, out 13,000 KRW",
    ]
    assert ends[1] == [
        "  seat 3 Leo: behind, win, 7,000 KRW → 9,000 KRW",
        "  in 9,000 KRW, out 13,000 KRW",
    ]


def test_same_snapshot_again_says_nothing() -> None:
    shown = in_round("dealing", "KH", total=10, last_read=read(1, "KH"))
    assert lines(shown, shown) == lines(shown)


def test_hold_comes_and_goes_and_a_void_is_told() -> None:
    told = lines(
        in_round("dealing"),
        in_round("dealing", holds=[hold("reader_lost", 2, void="")]),
        in_round("void", shoe={"id": "A-1", "state": "out", "text": text("Take it out")}),
    )
    assert told[-4:] == [
        "HOLD 2: reader_lost",
        "hold 2 is over",
        "shoe A-1: Take it out",
        "round 4 is void: every bet returned",
    ]


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        ("release", "the table goes on, says 2001"),
        ("aligned", "screen and felt agree, says 2001"),
        ("burn", "the card is burned, says 2001"),
        ("void", "void, says 2001"),
    ],
)
def test_the_end_of_a_hold_says_how_and_by_whom(ruling: str, says: str) -> None:
    seen: list[str] = []
    bodies = {2: {"ruling": ruling, "by": "2001"}}
    view = RoundView("en", lambda line, _style: seen.append(line), bodies.__getitem__)
    view.show(in_round("dealing", holds=[hold("reader_lost", 2, void="")]))
    view.show(in_round("dealing"))
    assert seen[-1] == f"hold 2 is over: {says}"


def test_reads_that_deal_nothing_are_told_by_the_stations_words() -> None:
    repeat = in_round("dealing", last_read=read(1, "KH", outcome="repeat"))
    told = lines(in_round("dealing"), repeat)
    assert told[-1] == "  K♥ repeat!"


def test_korean() -> None:
    told = lines(snapshot(), in_round("betting"), language="ko")
    assert told[1:] == ["라운드 4", "  좌석 3 Kim: 베팅 2,000 KRW"]


def test_amounts_and_faces() -> None:
    euros = {"table": {"currency": "EUR", "minor_digits": 2}}
    assert money(euros, 123_456) == "1,234.56 EUR"
    assert [face_text(face) for face in ("TD", "AS", "")] == ["10♦", "A♠", ""]
