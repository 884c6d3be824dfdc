"""Snapshots of a table with players in the chairs: the dealer keys what they do."""

from __future__ import annotations

from msgspec.structs import replace

from station import snapshot as m
from tests.ui.fixtures import betting, drawing, idle, result
from tests.ui.games import follow, insurance
from tests.ui.holds import void
from tests.ui.parts import T, actions, bet, empty, hand, no_card, seat

CHAIRS = m.TableView("T02", "live", "KRW", 0, None, 1.0, "chairs", 1000)
ACTIONS = ("hit", "stand", "double", "split", "surrender")


def refused(code: str, rule: str, ko: str, en: str) -> m.RefusalView:
    return m.RefusalView(code, rule, {}, T(ko, en))


NO_ROUND = refused("betting_closed", "R11", "베팅이 마감되었습니다.", "Betting is closed.")
PLACED = refused(
    "bet_already_placed", "R13", "그 베팅은 이미 있습니다.", "That bet is on the seat already."
)
MAIN_FIRST = refused(
    "main_bet_first",
    "R14",
    "좌석 3: 메인 베팅을 먼저 해야 페어에 걸 수 있습니다.",
    "Seat 3: the main bet comes first, then the Pair bet.",
)
IN_PLAY = refused(
    "bet_in_play",
    "R12",
    "좌석의 베팅이 진행 중이라 일어날 수 없습니다.",
    "The seat has a bet in play and cannot leave yet.",
)
RUNS = refused("round_running", "R12", "라운드가 진행 중입니다.", "A round is running.")
VALUES = refused(
    "split_same_value",
    "R34",
    "좌석 4: 두 장의 값이 같아야 스플릿할 수 있습니다.",
    "Seat 4: only two cards of the same value are split.",
)
NO_BET = refused("no_such_bet", "R13", "그런 베팅이 없습니다.", "There is no such bet.")
ANSWERED = refused("answered_already", "R39", "이미 대답했습니다.", "Answered already.")


def seat_actions(seats: list[m.SeatView], closed: m.RefusalView | None) -> list[m.ActionView]:
    """What the station says of each seat: sitting down, leaving and the four bets."""
    entries = []
    for view in seats:
        target = str(view.seat)
        if not view.player:
            entries.append(m.ActionView("take_seat", target, None))
            continue
        kinds = {b.kind for b in view.bets}
        has_main = "main" in kinds
        leave = IN_PLAY if has_main else None
        entries.append(m.ActionView("leave_seat", target, leave))
        main = closed or (PLACED if has_main else None)
        pair = closed or (PLACED if "pair" in kinds else None if has_main else MAIN_FIRST)
        entries.append(m.ActionView("place_bet", target, main))
        entries.append(m.ActionView("place_bet:pair", target, pair))
        entries.append(m.ActionView("place_bet:behind", target, closed))
        entries.append(m.ActionView("place_bet:behind_pair", target, closed))
        back = closed or (None if has_main else NO_BET)
        entries.append(m.ActionView("take_back", target, back))
        back = closed or (None if "pair" in kinds else NO_BET)
        entries.append(m.ActionView("take_back:pair", target, back))
    return entries


def chair(number: int, *bets: m.BetView) -> m.SeatView:
    return m.SeatView(number, f"chair-{number}", bool(bets), False, [], list(bets))


def chairs_idle() -> m.Snapshot:
    """Between rounds: START may be pressed."""
    seats = [chair(1), empty(2), chair(3), empty(4), empty(5), chair(6), empty(7)]
    more = [
        m.ActionView("open_round", "", None),
        m.ActionView("close_betting", "12845", NO_ROUND),
        m.ActionView("pause_table", "", None),
    ]
    return replace(
        idle(),
        version=140,
        table=CHAIRS,
        seats=seats,
        last_refusal=None,
        banners=[],
        staff=replace(idle().staff, call=""),
        actions=[*actions(), *more, *seat_actions(seats, NO_ROUND)],
    )


def chairs_returns() -> m.Snapshot:
    """Betting closed and nobody plays: what was put behind goes back (A34)."""
    given = [
        payment(3, "behind", "return", 2000, "behind-3-1"),
        payment(3, "behind", "return", 1000, "behind-3-2"),
        payment(6, "behind_pair", "return", 500, "behind-6-1"),
    ]
    return replace(chairs_idle(), version=141, payments=given)


def chairs_betting() -> m.Snapshot:
    """Betting is open: seat 1 has every bet, seat 3 none yet."""
    seats = [
        chair(
            1,
            bet("chair-1", 5000),
            bet("chair-1", 500, "pair"),
            bet("behind-1-1", 1000, "behind"),
            bet("behind-1-2", 1000, "behind"),
            bet("behind-1-1", 100, "behind_pair"),
        ),
        empty(2),
        chair(3),
        chair(
            4,
            bet("chair-4", 1000000),
            *(bet(f"behind-4-{n}", 1000000, "behind") for n in range(1, 15)),
        ),
        empty(5),
        chair(6),
        empty(7),
    ]
    more = [
        m.ActionView("open_round", "", RUNS),
        m.ActionView("close_betting", "12845", None),
        m.ActionView("pause_table", "", RUNS),
    ]
    return replace(
        betting(),
        version=141,
        table=CHAIRS,
        seats=seats,
        actions=[*actions(), *more, *seat_actions(seats, None)],
    )


def chairs_deciding() -> m.Snapshot:
    """Seat 4 signals: everything but a split may be keyed."""
    seats = [
        seat(n, f"chair-{n}", [hand(cards, state, 1, "", 1000)], bet(f"chair-{n}", 1000))
        for n, (cards, state) in enumerate(
            [("KS 9H", "stand"), ("5D 6C KD", "twenty_one"), ("AC 6S", "stand"), ("5S 6C", "turn")],
            start=1,
        )
    ]
    seats += [seat(5, "chair-5", [hand("8H 8D", "wait", 1, "", 1000)], bet("chair-5", 1000))]
    seats += [empty(6), empty(7)]
    entries = [
        m.ActionView(f"decide:{name}", "4", VALUES if name == "split" else None) for name in ACTIONS
    ]
    return replace(
        drawing(),
        version=142,
        table=CHAIRS,
        phase="deciding",
        phase_text=T("플레이어 결정", "Player decides"),
        prompt=no_card(
            "decision_open", "좌석 4의 결정을 기다립니다", "Waiting for seat 4 to decide"
        ),
        countdown=m.CountdownView("decision", 4, 12000, 15000),
        seats=seats,
        decision=m.DecisionView(9, 4, 1, ["hit", "stand", "double", "surrender"]),
        actions=[*actions(), *entries],
    )


def chairs_insurance() -> m.Snapshot:
    """An ace: the dealer keys yes or no on each seat."""
    base = insurance()
    names = {s.player: f"chair-{s.seat}" for s in base.seats if s.player}
    seats = [
        replace(
            s,
            player=names.get(s.player, ""),
            bets=[replace(b, player=names.get(b.player, b.player)) for b in s.bets],
        )
        for s in base.seats
    ]
    asked = [s.player for s in seats if s.player]
    entries = [
        m.ActionView("insure", player, ANSWERED if player in asked[:2] else None)
        for player in asked
    ]
    return replace(
        base,
        version=143,
        table=CHAIRS,
        seats=seats,
        window=m.WindowView(3, "insurance", 0, 0, asked, asked[:2]),
        actions=[*actions(), *entries],
    )


def chairs_follow(people: int = 5) -> m.Snapshot:
    """Seat 4 doubles; so many stand behind it, the first has answered."""
    base = follow("double", 1, people, 1)
    asked = [f"behind-4-{n}" for n in range(1, people + 1)]
    seats = list(base.seats)
    crowd = [bet(player, 1000, "behind") for player in asked]
    seats[3] = replace(seats[3], player="chair-4", bets=[bet("chair-4", 3000), *crowd])
    entries = [
        m.ActionView("follow", player, ANSWERED if player in asked[:1] else None)
        for player in asked
    ]
    return replace(
        base,
        version=144,
        table=CHAIRS,
        seats=seats,
        window=m.WindowView(4, "double", 4, 1, asked, asked[:1]),
        actions=[*actions(), *entries],
    )


def payment(
    number: int, kind: str, do: str, amount: int, player: str = "", hand_: int = 1
) -> m.PaymentView:
    text = T(f"좌석 {number}: {do} {amount:,}", f"Seat {number}: {do} {amount:,}")
    who = player or f"chair-{number}"
    return m.PaymentView(number, who, kind, hand_, do, amount, text)  # type: ignore[arg-type]


PAYMENTS = [
    payment(1, "main", "pay", 5000),
    payment(1, "pair", "take", 500),
    payment(1, "behind", "pay", 1000, "behind-1-1"),
    payment(2, "main", "pay", 2000),
    payment(3, "main", "leave", 0),
    payment(4, "main", "take", 3000),
    payment(5, "main", "take", 1000),
    payment(7, "main", "pay", 1500000),
    payment(7, "pair", "pay", 1100000),
    payment(7, "insurance", "take", 500000),
    payment(7, "behind", "pay", 91500, "behind-7-1"),
    payment(7, "behind_pair", "take", 100, "behind-7-1"),
]


def chairs_payments(lines: list[m.PaymentView] | None = None) -> m.Snapshot:
    """Settled: what the dealer pays and takes, then CLEARED."""
    base = result()
    seats = [
        replace(
            s,
            player=f"chair-{s.seat}" if s.player else "",
            bets=[replace(b, player=f"chair-{s.seat}") for b in s.bets],
        )
        for s in base.seats
    ]
    return replace(
        base, version=145, table=CHAIRS, seats=seats, payments=PAYMENTS if lines is None else lines
    )


def chairs_few_payments() -> m.Snapshot:
    """Two seats only: one page, half of it empty."""
    return chairs_payments(PAYMENTS[:4])


def chairs_void() -> m.Snapshot:
    """Void: every bet stays its player's."""
    lines = [payment(n, "main", "leave", 0) for n in (1, 3, 4)]
    return replace(void(), version=146, table=CHAIRS, payments=lines)
