"""Snapshots of a table in every state the console shows, built from the station's own structs."""

from __future__ import annotations

from msgspec.structs import replace

from station import snapshot as m
from tests.ui.parts import (
    ASKED,
    DEALER,
    PAST,
    READ,
    ROUND_RUNS,
    RULES,
    SENIOR,
    TABLE,
    TEST_TABLE,
    UP,
    T,
    actions,
    behind,
    bet,
    card_prompt,
    dealer,
    dealers,
    empty,
    full_seats,
    hand,
    no_card,
    seat,
)


def drawing() -> m.Snapshot:
    """Seat 4 said hit: a card is owed."""
    return m.Snapshot(
        version=100,
        at="2026-01-05T12:04:11.208Z",
        table=TABLE,
        phase="drawing",
        phase_text=T("플레이어 카드", "Player draws"),
        round=12845,
        rules=RULES,
        prompt=card_prompt(4, "hit", "히트", "Hit"),
        countdown=None,
        last_read=READ,
        seats=full_seats(),
        dealer=dealer("7D"),
        decision=m.DecisionView(9, 4, 1, [], "hit"),
        window=None,
        payments=[],
        shoe=m.ShoeView("S17", "in_play", T("슈 사용 중", "Shoe in play")),
        devices=[UP],
        host=m.HostView("players", True, T("게임 호스트 연결됨", "Game host connected")),
        journal=T("기록 정상", "Journal ready"),
        banners=[],
        holds=[],
        exposed=[],
        staff=m.StaffView(DEALER, []),
        last_refusal=None,
        recent=PAST,
        actions=actions(),
    )


def deciding() -> m.Snapshot:
    """Seat 4 is asked; nobody is owed a card."""
    return replace(
        drawing(),
        phase="deciding",
        phase_text=T("플레이어 결정", "Player decides"),
        prompt=m.PromptView("none", "decision_open", ASKED),
        countdown=m.CountdownView("decision", 4, 9000, 15000),
        decision=m.DecisionView(9, 4, 1, ["hit", "stand"]),
    )


def betting() -> m.Snapshot:
    """Betting is open; two have bet. A test table."""
    seats = [
        seat(1, "minsu77", [], bet("minsu77", 5000), bet("minsu77", 500, "pair")),
        empty(2),
        m.SeatView(3, "jiwoo", False, False, [], []),
        empty(4),
        seat(5, "doyun", [], bet("doyun", 1000), behind=behind(2, 700)),
        empty(6),
        empty(7),
    ]
    return replace(
        drawing(),
        table=TEST_TABLE,
        phase="betting",
        phase_text=T("베팅", "Betting"),
        prompt=no_card(
            "betting_open", "베팅 중입니다. 카드를 뽑지 마세요", "Betting is open: draw no card"
        ),
        countdown=m.CountdownView("betting", 0, 12000, 15000),
        last_read=None,
        seats=seats,
        dealer=dealer(""),
        decision=None,
    )


def dealing() -> m.Snapshot:
    """First pass: seat 3 is owed its first card."""
    seats = [
        seat(1, "minsu77", [hand("KS")], bet("minsu77", 5000)),
        seat(2, "haneul", [hand("TD")], bet("haneul", 2000)),
        seat(3, "jiwoo", [], bet("jiwoo", 10000)),
        empty(4),
        seat(5, "doyun", [], bet("doyun", 1000)),
        empty(6),
        empty(7),
    ]
    read = m.LastReadView(2, "dealt", "TD", m.SlotView("seat", 2, 1), "reader1", T("읽음", "Read"))
    return replace(
        drawing(),
        table=TEST_TABLE,
        phase="dealing",
        phase_text=T("카드 분배", "Dealing"),
        prompt=card_prompt(3, "first", "첫 번째 카드", "First card"),
        last_read=read,
        seats=seats,
        dealer=dealer(""),
        decision=None,
    )


def repeated() -> m.Snapshot:
    """The card just dealt was read again and ignored."""
    read = m.LastReadView(
        32,
        "repeat",
        "8C",
        m.SlotView("seat", 4, 1),
        "reader1",
        T("같은 카드 반복 · 무시함", "Same card again · ignored"),
    )
    return replace(drawing(), version=101, last_read=read)


def unread() -> m.Snapshot:
    """A card passed without being read."""
    read = m.LastReadView(
        33,
        "no_read",
        "",
        None,
        "reader1",
        T("검사 문자 오류 · 다시 읽으세요", "Check character wrong · scan again"),
    )
    return replace(drawing(), version=102, last_read=read)


def fans() -> m.Snapshot:
    """Long hands, split hands, an absent player: as crowded as a table gets."""
    seats = [
        seat(1, "a", [hand("AS AH AD AC 2S 2H 2D 2C 3S 3H 3D", "twenty_one")], bet("a", 5000)),
        seat(
            2,
            "b",
            [
                hand("8S 3H TD", "stand", 1, "", 2000, split=True),
                hand("8C AH 2D", "turn", 2, "", 2000, split=True),
            ],
            bet("b", 2000),
            bet("b", 2000, number=2),
            behind=behind(3, 1500),
        ),
        seat(3, "c", [hand("2C 3S 4H 5D 6C", "stand")], bet("c", 10000), bet("c", 100, "pair")),
        seat(4, "d", [hand("5S 8C 2H TD", "bust")], bet("d", 3000)),
        seat(
            5,
            "e",
            [
                hand("TH QD KC", "bust", 1, "", 1000, split=True),
                hand("TS 4D 3C 2S", "stand", 2, "", 1000, split=True),
            ],
            bet("e", 1000),
            bet("e", 1000, number=2),
        ),
        replace(seat(6, "f", [hand("2C 2S 3H 3D 4C 2H", "stand")], bet("f", 700)), absent=True),
        seat(7, "g", [hand("AH 2D 3C AS 2H 3S 4D AC", "wait")], bet("g", 1000000)),
    ]
    return replace(
        drawing(),
        prompt=card_prompt(2, "hit", "히트", "Hit", 2),
        seats=seats,
        decision=m.DecisionView(9, 2, 2, [], "hit"),
        dealer=dealer("AD 2C 2S AH 2D 3C 2H 3D"),
    )


def dealers_turn() -> m.Snapshot:
    """The dealer draws to 17."""
    seats = full_seats()
    seats[3] = seat(4, "seojun", [hand("5S 8C 7H", "stand")], bet("seojun", 3000))
    seats[4] = seat(5, "doyun", [hand("8H 8D KS", "bust")], bet("doyun", 1000))
    return replace(
        drawing(),
        phase="dealer",
        phase_text=T("딜러 차례", "Dealer's turn"),
        prompt=card_prompt(0, "draw", "17까지 뽑기", "Draw to 17"),
        seats=seats,
        dealer=dealer("7D 2C", "draw"),
        decision=None,
        last_read=dealers(40, "2C"),
    )


def result() -> m.Snapshot:
    """Settled: each seat's result, CLEARED may be pressed."""
    rows = [
        ("KS 9H", "stand", "win", 5000, 10000),
        ("5D 6C KD", "twenty_one", "win", 2000, 4000),
        ("AC 7S", "stand", "push", 10000, 10000),
        ("5S 8C", "stand", "lose", 3000, 0),
        ("8H 8D KS", "bust", "bust", 1000, 0),
    ]
    seats = [
        seat(n, f"p{n}", [hand(cards, state, 1, res)], bet(f"p{n}", stake, "main", back, res))
        for n, (cards, state, res, stake, back) in enumerate(rows, start=1)
    ]
    seats.append(empty(6))
    seats.append(
        seat(
            7,
            "yuna",
            [hand("QH AD", "blackjack", 1, "blackjack_win")],
            bet("yuna", 1000000, "main", 2500000, "blackjack_win"),
            behind=behind(12, 61000, 12 * 122000),
        )
    )
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
        dealer=dealer("7D 2C 9H", "stand"),
        decision=None,
        actions=actions(cleared=None),
        last_read=dealers(41, "9H"),
    )


def result_in_cents() -> m.Snapshot:
    """The same in a currency with two minor digits."""
    return replace(result(), table=replace(TABLE, currency="EUR", minor_digits=2))


def host_lost() -> m.Snapshot:
    """The host is away during betting: grace runs."""
    return replace(
        betting(),
        version=120,
        prompt=m.PromptView(
            "hold",
            "host_lost",
            T("게임 호스트 연결 끊김. 손을 멈추세요", "Game host lost: stop"),
        ),
        countdown=m.CountdownView("host_grace", 0, 28000, 30000),
        host=m.HostView("players", False, T("게임 호스트 연결 안 됨", "Game host not connected")),
    )


def closed() -> m.Snapshot:
    """Nobody has the table: log in."""
    return replace(
        betting(),
        phase="closed",
        phase_text=T("테이블 닫힘", "Table closed"),
        round=0,
        prompt=no_card("no_dealer", "딜러 로그인이 필요합니다", "A dealer has to log in"),
        countdown=None,
        seats=[empty(n) for n in range(1, 8)],
        staff=m.StaffView(None, []),
        recent=[],
    )


def idle() -> m.Snapshot:
    """Between rounds, with a refusal still standing."""
    return replace(
        closed(),
        version=105,
        phase="idle",
        phase_text=T("대기", "Between rounds"),
        prompt=no_card("no_round", "다음 라운드를 기다립니다", "Waiting for the next round"),
        staff=m.StaffView(DEALER, [], "help"),
        last_refusal=ROUND_RUNS,
        recent=PAST,
        banners=[
            T("검사 문자 없는 카드 코드 사용 중", "Card codes without a check character are in use")
        ],
    )


def shoe_needed() -> m.Snapshot:
    """A supervisor at the console between rounds, and a shoe to load or release."""
    snapshot = replace(
        idle(),
        prompt=no_card(
            "shoe_unreleased",
            "슈가 아직 승인되지 않았습니다",
            "The shoe is in, but not released yet",
        ),
        shoe=m.ShoeView("17", "loaded", T("슈 승인 대기", "Shoe not released")),
        staff=m.StaffView(DEALER, [SENIOR], "help"),
        last_refusal=None,
        banners=[],
    )
    more = [m.ActionView("release_shoe", "17", None), m.ActionView("answer_call", "", None)]
    return replace(snapshot, actions=actions(load_shoe=None) + more)
