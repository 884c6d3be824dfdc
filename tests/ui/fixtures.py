"""Snapshots of a table in every state the console shows, built from the station's own structs."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from station import messages as m
from tests.ui.parts import (
    ASKED,
    DEALER,
    LOST,
    PAST,
    READ,
    ROUND_RUNS,
    RULES,
    SENIOR,
    TABLE,
    TEST_TABLE,
    UNOWED,
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
        seat(5, "doyun", [], bet("doyun", 1000), *behind(2, 700)),
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
            [hand("8S 3H TD", "stand", 1), hand("8C AH 2D", "turn", 2)],
            bet("b", 2000),
            bet("b", 2000),
            *behind(3, 1500),
        ),
        seat(3, "c", [hand("2C 3S 4H 5D 6C", "stand")], bet("c", 10000), bet("c", 100, "pair")),
        seat(4, "d", [hand("5S 8C 2H TD", "bust")], bet("d", 3000)),
        seat(
            5,
            "e",
            [hand("TH QD KC", "bust", 1), hand("TS 4D 3C 2S", "stand", 2)],
            bet("e", 1000),
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
            *[replace(b, returned=b.amount * 2, result="win") for b in behind(12, 61000)],
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


def exposed_hold(number: int = 5) -> m.HoldView:
    """A card came that nobody was owed."""
    return m.HoldView(
        hold=number,
        code="exposed_card",
        since="2026-01-05T12:04:13.208Z",
        device="reader1",
        what=T("받을 사람이 없는 카드가 나왔습니다: Q♠", "A card nobody is owed came out: Q♠"),
        hands=T("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        who=T("감독이 결정합니다.", "A supervisor decides."),
        rule="R24",
        params={"face": "QS"},
        faces=["QS"],
        rulings=[
            m.RulingView(
                "burn",
                T("카드 버림(번) · 라운드 유지", "Burn the card · the round stands"),
                None,
            ),
            m.RulingView(
                "void",
                T("라운드 취소 · 모든 베팅 반환", "Void the round · all bets returned"),
                None,
            ),
        ],
    )


_HELD = m.RefusalView(
    "table_holds",
    "R60",
    {},
    T(
        "테이블이 정지 상태입니다. 먼저 정지를 해제해야 합니다.",
        "The table holds; the hold has to be ruled on first.",
    ),
)


def held(*holds: m.HoldView, base: Callable[[], m.Snapshot] = dealers_turn) -> m.Snapshot:
    """The table holds; nobody of higher rank is signed in."""
    shown = list(holds) or [exposed_hold()]
    return replace(
        base(),
        version=110,
        prompt=m.PromptView("hold", shown[0].code, shown[0].what),
        dealer=dealer("7D 2C 9H", "stand"),
        holds=shown,
        exposed=["QS"] if shown[0].faces else [],
        last_read=m.LastReadView(42, "exposed", "QS", None, "reader1", UNOWED),
        actions=actions(cleared=_HELD, wait=_HELD),
    )


def with_supervisor(snapshot: m.Snapshot) -> m.Snapshot:
    """The same with a supervisor signed in at this console."""
    allowed: dict[str, m.RefusalView | None] = {"load_shoe": None}
    return replace(
        snapshot,
        version=snapshot.version + 1,
        staff=replace(snapshot.staff, signed_in=[SENIOR]),
        actions=[a for a in snapshot.actions if a.command not in allowed]
        + [m.ActionView(name, "", None) for name in allowed],
    )


def ruled() -> m.Snapshot:
    """A hold with a supervisor at the console."""
    return with_supervisor(held())


def reader_hold() -> m.HoldView:
    not_now = m.RefusalView(
        "last_card_not_reread",
        "R60",
        {"face": "8C"},
        T("마지막 카드 8♣를 다시 읽어야 합니다.", "Read the last card, 8♣, again first."),
    )
    return m.HoldView(
        hold=6,
        code="reader_lost",
        since="2026-01-05T12:04:13.208Z",
        device="reader1",
        what=T("리더 'reader1' 연결이 끊겼습니다.", "The reader 'reader1' is lost."),
        hands=T("카드를 뽑지 마세요. 손을 멈추세요.", "Draw no card. Stop."),
        who=T(
            "감독이 카드를 확인하고 해제합니다. 카드가 나와 있으면 마지막 카드를 다시 읽습니다.",
            "A supervisor checks and releases; with cards out the last card is read again.",
        ),
        rule="R60",
        params={"device": "reader1"},
        faces=[],
        rulings=[
            m.RulingView(
                "aligned",
                T(
                    "화면과 테이블이 같음 · 계속 진행",
                    "Felt equals the screen, nothing was drawn · play on",
                ),
                not_now,
            ),
            m.RulingView(
                "void",
                T("라운드 취소 · 모든 베팅 반환", "Void the round · all bets returned"),
                None,
            ),
        ],
    )


def reader_lost() -> m.Snapshot:
    """The reader went away with cards out."""
    return replace(held(reader_hold(), base=drawing), devices=[LOST], last_read=READ)


def reader_ruled() -> m.Snapshot:
    """The same with a supervisor: one ruling is open, one says why not."""
    return with_supervisor(reader_lost())


def duplicate() -> m.Snapshot:
    """The longest words a hold has, and a second hold behind it."""
    hold = replace(
        exposed_hold(8),
        code="duplicate_card",
        what=T(
            "같은 카드가 두 번 읽혔습니다: 7♣ (덱 3). 먼저 읽힌 카드: 라운드 12,845, 17번째",
            "The same card was read twice: 7♣ of deck 3. "
            "First read: round 12,845, card 17 of the shoe",
        ),
        hands=T(
            "두 카드를 모두 그대로 두고 손을 멈추세요.", "Leave both cards where they are and stop."
        ),
        who=T("감독이 두 카드를 확인하고 결정합니다.", "A supervisor checks both and decides."),
        faces=["7C", "7C"],
        rulings=[
            m.RulingView(
                "void",
                T("라운드 취소 · 모든 베팅 반환", "Void the round · all bets returned"),
                None,
            )
        ],
    )
    return with_supervisor(replace(held(hold, reader_hold(), base=drawing), devices=[LOST]))


def waiting() -> m.Snapshot:
    """The dealer's own WAIT."""
    hold = m.HoldView(
        hold=7,
        code="wait",
        since="2026-01-05T12:04:13.208Z",
        device="",
        what=T("잠시 대기 중입니다.", "Waiting a moment."),
        hands=T("준비되면 '계속'을 누르세요.", "Press RESUME when ready."),
        who=T("딜러가 계속합니다.", "The dealer resumes."),
        rule="",
        params={},
        faces=[],
        rulings=[],
    )
    allowed = actions(cleared=_HELD, wait=_HELD, resume=None)
    return replace(held(hold, base=drawing), actions=allowed, last_read=READ)


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


SCREENS: dict[str, Callable[[], m.Snapshot]] = {
    "login": closed,
    "idle": idle,
    "shoe": shoe_needed,
    "betting": betting,
    "dealing": dealing,
    "deciding": deciding,
    "drawing": drawing,
    "repeat": repeated,
    "no-read": unread,
    "fans": fans,
    "dealer": dealers_turn,
    "result": result,
    "result-cents": result_in_cents,
    "hold": held,
    "hold-supervisor": ruled,
    "reader-lost": reader_lost,
    "reader-lost-supervisor": reader_ruled,
    "duplicate": duplicate,
    "wait": waiting,
    "host-lost": host_lost,
}
