"""Snapshots of a table that holds, with and without a supervisor at the console."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from station import snapshot as m
from tests.ui.fixtures import dealers_turn, drawing
from tests.ui.parts import LOST, READ, SENIOR, UNOWED, UP, T, actions, dealer, no_card


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


def foreign() -> m.Snapshot:
    """A ninth king of hearts: both reads are named, neither is right for sure."""
    hold = replace(
        exposed_hold(9),
        code="foreign_card",
        what=T(
            "이 슈의 카드가 아닙니다: K♥ (세트 A, 덱 3), 9번째. "
            "같은 카드의 앞선 읽기: 라운드 12,801, 211번째",
            "Not a card of this shoe: K♥ (set A, deck 3), number 9 of its "
            "face. Read before: round 12,801, card 211 of the shoe",
        ),
        who=T("감독이 결정합니다. 슈를 빼야 합니다.", "A supervisor decides; the shoe comes out."),
        rule="R2",
        faces=["KH"],
        suspects=[
            m.SuspectView("KH", 211, 12801, "2026-01-05T11:32:40.100Z"),
            m.SuspectView("KH", 0, 12845, "2026-01-05T12:04:13.208Z"),
        ],
        rulings=[
            m.RulingView(
                "void",
                T("라운드 취소 · 모든 베팅 반환", "Void the round · all bets returned"),
                None,
            )
        ],
    )
    return held(hold, base=drawing)


def doubted() -> m.Snapshot:
    """A face read again so soon that a person has to look."""
    hold = replace(
        exposed_hold(9),
        code="same_or_second",
        what=T(
            "K♥ 카드가 곧바로 다시 읽혔습니다. 같은 카드입니까, 두 번째 K♥입니까?",
            "K♥ was read again at once. Is it the same card, or a second K♥?",
        ),
        who=T("감독이 카드를 보고 결정합니다.", "A supervisor looks at the card and decides."),
        faces=["KH"],
        rulings=[
            m.RulingView("same", T("같은 카드 · 계속 진행", "The same card · play on"), None),
            m.RulingView(
                "second",
                T("두 번째 카드 · 차례대로 사용", "A second card · it goes where one is owed"),
                None,
            ),
            m.RulingView(
                "void",
                T("라운드 취소 · 모든 베팅 반환", "Void the round · all bets returned"),
                None,
            ),
        ],
    )
    return held(hold, base=drawing)


def worn() -> m.Snapshot:
    """Readers that want looking after, while play goes on."""
    advice = [
        T("덱 3의 K♦ 카드를 교체하세요", "Replace K♦ of deck 3"),
        T("리더 창을 닦으세요", "Clean the reader's window"),
    ]
    return replace(drawing(), devices=[replace(UP, advice=advice)])


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


def emergency_hold(number: int = 8) -> m.HoldView:
    """Somebody pressed emergency stop."""
    return replace(
        exposed_hold(number),
        code="emergency_stop",
        device="",
        what=T("비상 정지되었습니다.", "Emergency stop."),
        hands=T("손을 멈추세요.", "Stop."),
        rule="R60",
        params={},
        faces=[],
        rulings=[m.RulingView("release", T("정지 해제", "Release the hold"), None)],
    )


def emergency_in_a_wait() -> m.Snapshot:
    """The dealer waits, then an emergency stop comes: RESUME may still be pressed."""
    wait = waiting()
    return replace(wait, version=112, holds=[*wait.holds, emergency_hold()])


def reader_back() -> m.Snapshot:
    """The lost reader is up again; the last card has not been read again."""
    return replace(reader_lost(), version=113, devices=[UP])


def void() -> m.Snapshot:
    """A supervisor voided the round; its cards still lie on the felt."""
    return replace(
        drawing(),
        version=114,
        phase="void",
        phase_text=T("라운드 취소", "Round void"),
        prompt=no_card(
            "round_void",
            "라운드가 취소되었습니다. 카드를 치우고 '정리 완료'를 누르세요",
            "The round is void: clear the cards, then press CLEARED",
        ),
        decision=None,
        actions=actions(cleared=None),
    )


def show_again() -> m.Snapshot:
    """A card's back was seen and the hold released: the card is owed to seat 4, and is shown."""
    text = T(
        "읽지 못한 카드를 카메라에 다시 보이세요. 다음 카드를 뽑지 마세요.",
        "Show the unread card to the camera again. Do not draw the next one.",
    )
    base = drawing()
    seen = T("카드 뒷면이 보였습니다", "The back of a card was seen")
    return replace(
        base,
        version=115,
        prompt=replace(base.prompt, code="show_again", text=text),
        last_read=m.LastReadView(43, "ruled", "", None, "reader1", seen),
    )
