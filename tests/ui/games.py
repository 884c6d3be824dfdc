"""Snapshots of a round that splits, doubles, insures, surrenders, burns, pauses."""

from __future__ import annotations

from msgspec.structs import replace

from station import snapshot as m
from tests.ui.fixtures import deciding, drawing, idle
from tests.ui.parts import (
    T,
    actions,
    behind,
    bet,
    card_prompt,
    dealer,
    dealers,
    full_seats,
    hand,
    no_card,
    seat,
)

LONG = "very_long_player_name_indeed_{}"


def hold_still(code: str, ko: str, en: str) -> m.PromptView:
    return m.PromptView("window", code, T(ko, en))


def insurance() -> m.Snapshot:
    """The upcard is an ace: six seats are asked, two have answered, one of them bought."""
    seats = full_seats()
    for at, (cards, state) in enumerate(
        [("KS 9H", "open"), ("5D 6C", "open"), ("AC 6S", "open"), ("5S 8C", "open")]
    ):
        seats[at] = replace(seats[at], hands=[hand(cards, state)])
    seats[4] = replace(seats[4], hands=[hand("8H 8D", "open")])
    seats[0] = replace(seats[0], bets=[*seats[0].bets, bet("minsu77", 2500, "insurance")])
    asked = [s.player for s in seats if s.player]
    return replace(
        drawing(),
        phase="insurance",
        phase_text=T("인슈어런스", "Insurance"),
        prompt=hold_still(
            "insurance_window",
            "멈춤 · 인슈어런스 응답을 기다립니다",
            "HOLD: insurance is being asked",
        ),
        countdown=m.CountdownView("insurance", 0, 7000, 10000),
        seats=seats,
        dealer=dealer("AD"),
        decision=None,
        window=m.WindowView(3, "insurance", 0, 0, asked, asked[:2]),
        last_read=dealers(24, "AD"),
    )


def follow(
    kind: str = "double", number: int = 1, people: int = 12, answered: int = 5
) -> m.Snapshot:
    """Those behind seat 4 are asked whether they follow."""
    asked = [f"guest_number_{n}" for n in range(1, people + 1)]
    seats = full_seats()
    seats[3] = seat(
        4,
        "seojun",
        [hand("5S 6C" if kind == "double" else "8S 8C", "turn", 1, "", 3000)],
        bet("seojun", 3000),
        behind=behind(people, 1000),
    )
    return replace(
        drawing(),
        phase="follow",
        phase_text=T("뒤 베팅 응답", "Players behind"),
        prompt=hold_still(
            "follow_window",
            "멈춤 · 좌석 4 뒤 베팅의 응답을 기다립니다",
            "HOLD: the players behind seat 4 are being asked",
        ),
        countdown=m.CountdownView("follow", 4, 4000, 5000),
        seats=seats,
        decision=None,
        window=m.WindowView(4, kind, 4, number, asked, asked[:answered]),  # type: ignore[arg-type]
    )


def follow_split() -> m.Snapshot:
    """The same for a split: three behind."""
    return follow("split", 2, 3, 1)


def splitting() -> m.Snapshot:
    """Seat 4 has split eights: hand 1 has its card, hand 2 is owed one."""
    seats = full_seats()
    seats[3] = seat(
        4,
        "seojun",
        [
            hand("8S 3H", "open", 1, "", 3000, split=True),
            hand("8C", "open", 2, "", 3000, split=True),
        ],
        bet("seojun", 3000),
        bet("seojun", 3000, number=2),
        bet("seojun", 500, "pair"),
        behind=behind(2, 1000),
    )
    return replace(
        drawing(),
        prompt=card_prompt(4, "split", "스플릿 카드", "Split card", 2),
        seats=seats,
        decision=None,
        last_read=m.LastReadView(
            44, "dealt", "3H", m.SlotView("seat", 4, 1), "reader1", T("읽음", "Read")
        ),
    )


def double_second() -> m.Snapshot:
    """Hand 1 stands; hand 2 of the split is doubled and owed its one card."""
    seats = splitting().seats
    seats[3] = replace(
        seats[3],
        hands=[
            hand("8S 3H TD", "twenty_one", 1, "", 3000, split=True),
            hand("8C 2D", "turn", 2, "", 6000, doubled=True, split=True),
        ],
        bets=[
            bet("seojun", 3000),
            bet("seojun", 6000, number=2),
            bet("seojun", 500, "pair"),
        ],
    )
    return replace(
        drawing(),
        prompt=card_prompt(4, "double", "더블 · 한 장만", "Double: one card", 2),
        seats=seats,
        decision=m.DecisionView(11, 4, 2, [], "double"),
    )


def surrendered() -> m.Snapshot:
    """Seat 3 gave up; seat 4 is asked and may still split."""
    seats = full_seats()
    seats[2] = seat(3, "jiwoo", [hand("TC 6S", "surrender", 1, "", 10000)], bet("jiwoo", 10000))
    seats[3] = seat(4, "seojun", [hand("8S 8C", "turn", 1, "", 3000)], bet("seojun", 3000))
    legal = ["hit", "stand", "double", "split", "surrender"]
    return replace(deciding(), seats=seats, decision=m.DecisionView(9, 4, 1, legal))


def crowded() -> m.Snapshot:
    """Seven seats, three of them split, bets of every kind, behind all of them, long names."""
    seats = []
    for n in range(1, 8):
        name = LONG.format(n)
        own = [bet(name, 1000000), bet(name, 100000, "pair"), bet(name, 500000, "insurance")]
        hands = [hand("TS 6H", "wait" if n > 4 else "stand", 1, "", 1000000)]
        if n in (2, 4, 7):
            hands = [
                hand("TS 2H 2C 3D 2S", "stand", 1, "", 1000000, split=True),
                hand("KC 4D", "turn" if n == 4 else "stand", 2, "", 2000000, n != 4, True),
            ]
            own = [own[0], bet(name, hands[1].stake, number=2), *own[1:]]
        seats.append(seat(n, name, hands, *own, behind=behind(50, 1000000, None, 5000000)))
    seats[5] = replace(seats[5], absent=True)
    return replace(
        drawing(),
        prompt=card_prompt(4, "hit", "히트", "Hit", 2),
        seats=seats,
        dealer=dealer("AD"),
        decision=m.DecisionView(12, 4, 2, [], "hit"),
    )


def crowded_result() -> m.Snapshot:
    """The same, settled: the dealer has 19."""
    seats = []
    for view in crowded().seats:
        split = len(view.hands) > 1
        results = (
            ["win", "lose"] if split else [["push", "bust", "surrender", "lose"][view.seat % 4]]
        )
        bets = []
        for old in view.bets:
            name = results[old.hand - 1] if old.kind == "main" else "lose"
            back = {"win": 2 * old.amount, "push": old.amount, "surrender": old.amount // 2}
            bets.append(replace(old, returned=back.get(name, 0), result=name))
        bets = [
            replace(b, returned=b.amount * 12, result="win") if b.kind == "pair" and split else b
            for b in bets
        ]
        hands = [
            replace(
                h,
                state="surrender" if results[h.hand - 1] == "surrender" else "stand",
                result=results[h.hand - 1],
            )
            for h in view.hands
        ]
        crowd = replace(
            view.behind,
            returned=view.behind.amount * 2 if split else 0,
            pair_returned=view.behind.pair_amount * 12 if split else 0,
        )
        seats.append(replace(view, bets=bets, hands=hands, behind=crowd, absent=False))
    return replace(
        drawing(),
        phase="result",
        phase_text=T("결과", "Result"),
        prompt=no_card(
            "round_settled",
            "정산되었습니다. 카드를 치우고 '정리 완료'를 누르세요",
            "Settled: clear the cards, then press CLEARED",
        ),
        seats=seats,
        dealer=dealer("AD 8C", "stand"),
        decision=None,
        actions=actions(cleared=None),
        last_read=dealers(51, "8C"),
    )


def burning() -> m.Snapshot:
    """A fresh shoe: a card to burn before the first deal."""
    return replace(
        idle(),
        version=107,
        phase="dealing",
        phase_text=T("카드 분배", "Dealing"),
        prompt=m.PromptView(
            "card", "burn", T("버리는 카드 (번)", "Burn card"), m.SlotView("burn"), "burn"
        ),
        last_refusal=None,
        banners=[],
        staff=replace(idle().staff, call=""),
    )


def paused() -> m.Snapshot:
    """A break: the dealer may open the table again."""
    return replace(
        idle(),
        version=108,
        phase="paused",
        phase_text=T("휴식", "Paused"),
        prompt=no_card("table_paused", "잠시 쉬는 중입니다", "The table is paused"),
        last_refusal=None,
        banners=[],
        staff=replace(idle().staff, call=""),
        actions=[*actions(), m.ActionView("open_table", "", None)],
    )


def table_closed() -> m.Snapshot:
    """Closed by a supervisor: the dealer alone cannot open it."""
    return replace(
        paused(),
        version=109,
        phase="closed",
        phase_text=T("테이블 닫힘", "Table closed"),
        prompt=no_card("table_closed", "테이블이 닫혀 있습니다", "The table is closed"),
        actions=actions(),
    )


def reviewed() -> m.Snapshot:
    """Between rounds; a past round is to be looked at again."""
    snapshot = idle()
    marked = replace(snapshot.recent[0], marked=T("카드가 모자란 슈", "dealt from a short shoe"))
    return replace(
        snapshot,
        version=106,
        last_refusal=None,
        banners=[],
        staff=replace(snapshot.staff, call=""),
        recent=[marked, *snapshot.recent[1:]],
        actions=[*actions(), m.ActionView("pause_table", "", None)],
    )
