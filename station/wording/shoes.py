"""Shoes that are checked and put in: refusals, the live count, what a check came to."""

from __future__ import annotations

Words = tuple[str, str]

REFUSALS: dict[str, Words] = {
    "check_running": (
        "슈 {shoe}을(를) 확인하는 중입니다. 먼저 끝내거나 취소하세요.",
        "Shoe {shoe} is being checked: finish or cancel that first.",
    ),
    "stale_check": (
        "{check}번 확인은 진행 중이 아닙니다.",
        "Check {check} is not running.",
    ),
    "shoe_is_in": (
        "슈 {shoe}이(가) 들어 있습니다. 먼저 빼세요.",
        "Shoe {shoe} is in: take it out first.",
    ),
    "shoe_not_in": (
        "슈 {shoe}은(는) 들어 있지 않습니다.",
        "Shoe {shoe} is not in.",
    ),
    "no_such_reader": (
        "카드를 읽는 장치 중에 {device}은(는) 없습니다.",
        "No reader of cards is called {device}.",
    ),
    "unknown_set": (
        "세트 {set}은(는) 이 테이블의 세트가 아닙니다 ({known}).",
        "Set {set} is none of this table's ({known}).",
    ),
    "wrong_set": (
        "세트 {set}은(는) 방금 나온 세트입니다. 이번에는 {due} 차례입니다. "
        "다시 넣으려면 감독이 이유를 적습니다.",
        "Set {set} has just come out: set {due} is due. "
        "A supervisor may say otherwise, with a reason.",
    ),
    "set_barred": (
        "세트 {set}은(는) 슈 {shoe}의 카드 수가 맞지 않아 쓸 수 없습니다. "
        "다시 확인하고 시프트 매니저가 풀어야 합니다.",
        "Set {set} is barred since shoe {shoe} did not count out: "
        "it is checked again, and a shift manager lifts it.",
    ),
    "reason_needed": (
        "슈 {shoe}은(는) 사용 금지입니다. 다시 확인하는 이유를 적으세요.",
        "Shoe {shoe} is barred: say why it is checked again.",
    ),
    "no_check": (
        "슈 {shoe}에는 유효한 카드 확인이 없습니다. "
        "넣기 전에 416장을 모두 확인하세요. 한 번 확인하면 한 번만 넣을 수 있습니다.",
        "Shoe {shoe} has no check that holds: "
        "read all 416 cards first. A check is good for one load.",
    ),
    "not_shuffled": (
        "슈 {shoe}을(를) 확인한 뒤 섞었다는 기록이 없습니다.",
        "Nobody has said that shoe {shoe} was shuffled after its check.",
    ),
    "shuffled_already": (
        "슈 {shoe}은(는) 이미 섞은 것으로 기록되어 있습니다.",
        "Shoe {shoe} is down as shuffled already.",
    ),
    "wrong_seal": (
        "봉인 번호가 다릅니다 ({seal}). 슈 {shoe}을(를) 열지 말고 확인하세요.",
        "Seal {seal} is not the one that was put on shoe {shoe}: look into it before it is opened.",
    ),
    "receipt_used": (
        "기계 {machine}의 확인증 {number}은(는) 이미 사용했습니다.",
        "Receipt {number} of machine {machine} was used already.",
    ),
    "second_needed": (
        "두 사람이 함께 합니다. 두 번째 사람의 번호와 PIN이 필요합니다.",
        "This takes two people: a second person gives his number and PIN.",
    ),
    "not_barred": (
        "슈 {shoe}은(는) 사용 금지가 아닙니다.",
        "Shoe {shoe} is not barred.",
    ),
}

# What the prompt and the console say of a check.
RUNNING: Words = ("카드 확인 중: {total}장 중 {read}장", "Check running: {read} of {total}")
OVER_FULL: Words = (
    "카드 확인 중: {total}장 중 {read}장 · 남은 카드도 모두 읽히세요",
    "Check running: {read} of {total} · read what is left over too",
)
COUNTING: Words = (
    "남은 카드 세는 중: {total}장 중 {read}장",
    "Counting what remained: {read} of {total}",
)
NOT_COUNTED: Words = (
    "슈 {shoe}: 카드 수가 맞지 않음 · 다시 세거나 확인하세요",
    "Shoe {shoe} does NOT count out: count or check it again",
)
WHOLE: Words = (
    "슈 {shoe}: {total}장 모두 있음 · 섞은 뒤 기록하세요",
    "Shoe {shoe} is whole, all {total} cards: shuffle it, and say so",
)
READY: Words = (
    "슈 {shoe}: 확인하고 섞음 · 두 사람이 넣으세요",
    "Shoe {shoe} is checked and shuffled: load it",
)
FAILED: Words = (
    "슈 {shoe}: 카드가 맞지 않음 · 쓰지 마세요",
    "Shoe {shoe} is NOT whole: do not use it",
)
ENDED: dict[str, Words] = {
    "cancelled": (
        "슈 {shoe} 확인 취소됨 · 처음부터 다시 확인하세요",
        "The check of shoe {shoe} was cancelled: begin anew",
    ),
    "restart": (
        "스테이션이 다시 시작되어 슈 {shoe} 확인이 사라졌습니다 · 처음부터 다시 확인하세요",
        "The station restarted and the count of shoe {shoe} is lost: begin the check anew",
    ),
    "reader": (
        "리더가 끊겨 슈 {shoe} 확인이 끝났습니다 · 처음부터 다시 확인하세요",
        "The reader went away and the check of shoe {shoe} is over: begin anew",
    ),
    "counted": ("슈 {shoe}: 카드 수가 맞음", "Shoe {shoe} counts out"),
    "fault": (
        "리더 고장으로 슈 {shoe} 확인이 끝났습니다 · 처음부터 다시 확인하세요",
        "The reader reported a fault and the check of shoe {shoe} is over: begin anew",
    ),
}
# What the last card was, while a check runs. Never which.
TOLD: dict[str, Words] = {
    "counted": ("카드 하나를 셌습니다", "One card counted"),
    "repeat": ("방금 센 카드입니다", "That card was counted just now"),
    "again": (
        "앞에서 센 카드가 다시 읽혔습니다 · 끝에 알려 드립니다",
        "A card that was counted before came again: it is named at the end",
    ),
    "foreign": (
        "이 세트의 카드가 아닙니다 · 따로 두세요",
        "No card of this set: put it aside",
    ),
    "cut": ("컷 카드입니다 · 세지 않습니다", "The cut card: it is not counted"),
    "unread": ("읽지 못했습니다 · 그 카드를 다시 읽히세요", "Not read: show that card again"),
    "elsewhere": (
        "확인 중인 리더가 아닙니다 · 세지 않았습니다",
        "Not at the reader of the check: it was not counted",
    ),
    "not_running": (
        "확인이 진행 중이 아닙니다 · 이 카드는 세지 않았습니다",
        "No check is running: that card was not counted",
    ),
}
# What a check came to, one line a kind.
FOUND: dict[str, Words] = {
    "missing": ("모자람: {cards}", "Missing: {cards}"),
    "absent": ("그 카드들: {cards}", "Those very cards: {cards}"),
    "surplus": ("남음: {cards}", "Too many: {cards}"),
    "foreign": ("다른 세트의 카드: {cards}", "Of another set: {cards}"),
    "doubtful": ("두 번 읽혀 확실하지 않음: {cards}", "Came twice, in doubt: {cards}"),
    "unread": ("읽지 못한 횟수: {count}", "Not read: {count} times"),
    "close": (
        "같은 카드가 바로 이어 읽힘: {count} · 이 리더로는 구별할 수 없음",
        "The same face shortly after: {count} times; this reader cannot tell those apart",
    ),
}
SETS_DUE: Words = ("다음 세트: {set}", "Next set: {set}")
