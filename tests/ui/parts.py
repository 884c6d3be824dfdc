"""What snapshots are put together from: people, seats, hands, bets, prompts, refusals."""

from __future__ import annotations

from station import snapshot as m

T = m.Text
TABLE = m.TableView("T01", "live", "KRW", 0, None, 1.0)
TEST_TABLE = m.TableView("T01", "test", "KRW", 0, T("테스트 테이블", "TEST TABLE"), 1.0)
RULES = m.RulesView(
    "a41f09c2" + "0" * 56,
    8,
    "S17",
    "3:2",
    T("8덱 · 딜러 17 스탠드 · 블랙잭 3:2", "8 decks · dealer stands on 17 · Blackjack 3:2"),
    {"main_min": 1000, "pair_min": 100, "pair_max": 100000, "double_after_split": True},
)
UP = m.DeviceView("reader1", "reader", "up", T("정상", "Ready"))
LOST = m.DeviceView(
    "reader1",
    "reader",
    "lost",
    T("연결 끊김. 케이블을 확인하세요", "Lost: check the cable"),
)
DEALER = m.PersonView("2001", "박지민", "dealer")
SENIOR = m.PersonView("1001", "이수진", "supervisor")
ROUND_RUNS = m.RefusalView(
    "not_settled",
    "R24",
    {"round": 12845},
    T(
        "라운드 12,845이(가) 아직 끝나지 않았습니다. 안내에 따라 카드를 뽑으세요.",
        "Round 12,845 is not finished; follow the prompt for the next card.",
    ),
)
SENIOR_ONLY = m.RefusalView(
    "supervisor_only",
    "R59",
    {},
    T("감독이 먼저 PIN을 입력해야 합니다.", "A supervisor has to sign in first."),
)
NO_WAIT = m.RefusalView("stale_hold", "", {}, T("그 정지는 이미 끝났습니다.", "That hold is over."))
_OPEN = {"cleared": ROUND_RUNS, "resume": NO_WAIT, "load_shoe": SENIOR_ONLY}
_COMMANDS = (
    ("cleared", "12845"),
    ("wait", ""),
    ("resume", "0"),
    ("emergency_stop", ""),
    ("report_error", ""),
    ("call_supervisor", ""),
    ("log_out", "2001"),
    ("load_shoe", ""),
)


def actions(**refusals: m.RefusalView | None) -> list[m.ActionView]:
    """The console's actions; `name=None` allows, `name=refusal` refuses."""
    merged: dict[str, m.RefusalView | None] = {**_OPEN, **refusals}
    return [m.ActionView(name, target, merged.get(name)) for name, target in _COMMANDS]


def value(faces: list[str]) -> tuple[int, bool]:
    """Total and softness of a hand of faces."""
    pips = {str(n): n for n in range(2, 10)} | dict.fromkeys("TJQK", 10) | {"A": 1}
    points = sum(pips[face[0]] for face in faces)
    soft = any(face[0] == "A" for face in faces) and points + 10 <= 21
    return (points + 10, True) if soft else (points, False)


def hand(
    text: str,
    state: str = "open",
    number: int = 1,
    result: str = "",
    stake: int = 0,
    doubled: bool = False,
    split: bool = False,
) -> m.HandView:
    """`hand("5S 8C", "turn")`."""
    faces = text.split()
    total, soft = value(faces)
    return m.HandView(
        number,
        faces,
        total,
        soft,
        state,  # type: ignore[arg-type]
        result,
        stake,
        doubled,
        split,
    )


def bet(
    player: str,
    amount: int,
    kind: str = "main",
    returned: int | None = None,
    result: str = "",
    number: int = 1,
) -> m.BetView:
    return m.BetView(kind, player, amount, returned, result, number)  # type: ignore[arg-type]


def seat(
    number: int,
    player: str,
    hands: list[m.HandView],
    *bets: m.BetView,
    behind: m.BehindView | None = None,
) -> m.SeatView:
    crowd = behind or m.BehindView()
    return m.SeatView(number, player, bool(bets), False, hands, list(bets), crowd)


def empty(number: int) -> m.SeatView:
    return m.SeatView(number, "", False, False, [], [])


def behind(
    people: int,
    amount: int,
    returned: int | None = None,
    pair: int = 0,
    pair_returned: int | None = None,
) -> m.BehindView:
    """So many behind, of that amount each; `returned` is what came back together. `pair` is all
    that is staked in Pair bets behind.
    """
    return m.BehindView(people, people * amount, returned, pair, pair_returned)


LONG_NAME = "yuna_long_player_name_here"
CROWD = behind(12, 61000)
ASKED = T("좌석 4의 결정을 기다립니다", "Waiting for seat 4 to decide")
UNOWED = T("받을 사람이 없는 카드", "Nobody is owed a card")
DEALT = T("읽음", "Read")


def dealers(number: int, face: str) -> m.LastReadView:
    """The dealer's own card was read."""
    return m.LastReadView(number, "dealt", face, m.SlotView("dealer"), "reader1", DEALT)


def full_seats() -> list[m.SeatView]:
    """A busy table at seat 4's turn: fans, a Blackjack, a bust, an empty seat."""
    return [
        seat(
            1,
            "minsu77",
            [hand("KS 9H", "stand")],
            bet("minsu77", 5000),
            bet("minsu77", 500, "pair"),
        ),
        seat(
            2,
            "haneul",
            [hand("5D 6C KD", "twenty_one")],
            bet("haneul", 2000),
            behind=behind(3, 1500),
        ),
        seat(3, "jiwoo", [hand("AC 6S", "stand")], bet("jiwoo", 10000)),
        seat(4, "seojun", [hand("5S 8C", "turn")], bet("seojun", 3000), behind=behind(1, 1000)),
        seat(5, "doyun", [hand("8H 8D", "wait")], bet("doyun", 1000), bet("doyun", 200, "pair")),
        empty(6),
        seat(7, LONG_NAME, [hand("QH AD", "blackjack")], bet(LONG_NAME, 1000000), behind=CROWD),
    ]


def dealer(text: str, state: str = "open") -> m.DealerView:
    faces = text.split()
    total, soft = value(faces) if faces else (0, False)
    return m.DealerView(faces, total, soft, state)  # type: ignore[arg-type]


def card_prompt(seat_: int, action: str, ko: str, en: str, number: int = 1) -> m.PromptView:
    slot = m.SlotView("seat", seat_, number) if seat_ else m.SlotView("dealer")
    return m.PromptView("card", action, T(ko, en), slot, action)


def no_card(code: str, ko: str, en: str) -> m.PromptView:
    return m.PromptView("none", code, T(ko, en))


READ = m.LastReadView(31, "dealt", "8C", m.SlotView("seat", 4, 1), "reader1", T("읽음", "Read"))

PAST = [
    m.RecentView(12844, "settled", 20, T("라운드 12,844 · 딜러 20", "Round 12,844 · dealer 20")),
    m.RecentView(
        12843,
        "settled",
        23,
        T("라운드 12,843 · 딜러 버스트 23", "Round 12,843 · dealer busts with 23"),
    ),
    m.RecentView(12842, "void", 0, T("라운드 12,842 · 취소", "Round 12,842 · void")),
]
