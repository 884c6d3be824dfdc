"""What the record says of shoes before they go in, in Korean and English."""

from __future__ import annotations

Words = tuple[str, str]

FACTS: dict[str, Words] = {
    "ShoeRulesSet": (
        "슈 규정 · 확인 {check} · 두 사람 {two} · 세트 {sets}",
        "Rules for shoes · check {check} · two people {two} · sets {sets}",
    ),
    "ShoeCheckBegun": (
        "슈 {shoe} {what} {check} 시작 · {device} · {by}, 함께 {second}",
        "{what} {check} of shoe {shoe} begins at {device} · by {by}, with {second}",
    ),
    "ShoeCheckEnded": (
        "슈 {shoe} {check} 끝 · {ended} · {by}",
        "The reading {check} of shoe {shoe} is over · {ended} · {by}",
    ),
    "ShoeChecked": (
        "슈 {shoe} 확인: {read}장 · {result} · {by}",
        "Shoe {shoe} checked: {read} cards · {result} · by {by}",
    ),
    "CheckersReceiptEntered": (
        "슈 {shoe} 기계 확인증 · 기계 {machine} · 번호 {number} · {by}, 함께 {second}",
        "Checker's receipt for shoe {shoe} · machine {machine}, number {number} · by {by}, "
        "with {second}",
    ),
    "ShuffledAfterCheck": (
        "슈 {shoe} 확인 뒤 섞음 · 봉인 {seal} · {by}",
        "Shoe {shoe} was shuffled after its check · seal {seal} · says {by}",
    ),
    "ShoeBarLifted": (
        "슈 {shoe} 사용 금지 해제 · {reason} · {by}",
        "The bar on shoe {shoe} is lifted · {reason} · by {by}",
    ),
}
COMMANDS: dict[str, Words] = {
    "begin_shoe_check": ("슈 확인 시작", "begin a shoe's check"),
    "finish_shoe_check": ("슈 확인 끝", "finish the check"),
    "cancel_shoe_check": ("슈 확인 취소", "cancel the check"),
    "enter_checkers_receipt": ("기계 확인증 입력", "enter a checker's receipt"),
    "shoe_shuffled": ("섞음 기록", "the shoe was shuffled"),
    "take_out_shoe": ("슈 빼기", "take the shoe out"),
    "lift_shoe_bar": ("사용 금지 해제", "lift a shoe's bar"),
}
REASONS: dict[str, Words] = {
    "changed": ("교체", "changed"),
    "damaged_card": ("손상된 카드", "a damaged card"),
    "time_limit": ("사용 시간 초과", "in use too long"),
}
ENDED: dict[str, Words] = {
    "cancelled": ("취소됨", "cancelled"),
    "restart": ("스테이션 다시 시작", "the station restarted"),
    "reader": ("리더 끊김", "the reader went away"),
    "fault": ("리더 고장", "the reader reported a fault"),
    "counted": ("남은 카드를 셈", "what remained was counted"),
}
RESULTS: dict[str, Words] = {
    "": ("이상 없음", "whole"),
    "short_shoe": ("모자람", "SHORT"),
    "long_shoe": ("남음", "LONG"),
    "wrong_shoe": ("다른 카드 섞임", "WRONG CARDS"),
    "doubtful": ("확실하지 않음", "IN DOUBT"),
}
WHATS: dict[str, Words] = {
    "check": ("확인", "Check"),
    "count": ("남은 카드 세기", "Count"),
}
# Behind the load: who put it in too, on which check, and why that set.
SECOND: Words = (", {second}", " and {second}")
CHECKED: Words = (" · 확인 {check}", " · check {check}")
YES_NO: tuple[Words, Words] = (("예", "yes"), ("아니요", "no"))
CHECKS: dict[str, Words] = {"required": ("필수", "required"), "off": ("안 함", "off")}
