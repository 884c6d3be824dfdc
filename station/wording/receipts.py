"""The words of a shoe's receipt."""

from __future__ import annotations

Words = tuple[str, str]

TITLE: Words = ("슈 확인증", "SHOE RECEIPT")
HEAD: Words = (
    "슈 {shoe} · 테이블 {table} ({kind}) · {number}번째 기록",
    "Shoe {shoe} · table {table} ({kind}) · record {number}",
)
PARTS: dict[str, Words] = {
    "manifest": ("슈", "THE SHOE"),
    "check": ("카드 확인", "CHECK BEFORE THE SHUFFLE"),
    "load": ("투입", "PUT IN"),
    "play": ("사용", "IN PLAY"),
    "count": ("정산", "RECONCILIATION"),
    "sign": ("서명", "SIGNATURES"),
}
LINES: dict[str, Words] = {
    "shoe": ("슈 번호", "shoe"),
    "set": ("세트", "set"),
    "back": ("뒷면 색", "backs"),
    "decks": ("덱", "decks"),
    "state": ("상태", "state"),
    "method": ("방법", "how"),
    "device": ("장치", "device"),
    "machine": ("기계 번호", "machine"),
    "number": ("확인증 번호", "receipt no."),
    "printed": ("인쇄된 시각", "time on it"),
    "checker": ("확인자", "checker"),
    "begun": ("시작", "begun"),
    "ended": ("끝", "ended"),
    "persons": ("확인한 사람", "checked by"),
    "read": ("읽은 카드", "cards read"),
    "result": ("결과", "result"),
    "reason": ("이유", "reason"),
    "note": ("메모", "note"),
    "shuffled": ("섞음", "shuffled"),
    "seal": ("봉인 번호", "seal"),
    "loaded": ("넣음", "put in"),
    "cut_card": ("컷 카드 뒤", "behind the cut card"),
    "released": ("승인", "released"),
    "rounds": ("라운드", "rounds"),
    "void": ("취소된 라운드", "void rounds"),
    "cut_out": ("컷 카드 나옴", "cut card out"),
    "out": ("뺌", "taken out"),
    "sum": ("합계", "sum"),
    "counted": ("센 시각", "counted"),
    "marked": ("검토할 라운드", "rounds marked"),
    "lifted": ("사용 금지 해제", "bar lifted"),
    "facts": ("기록 번호", "facts"),
}
VALUES: dict[str, Words] = {
    "read": ("테이블의 리더로 전체를 읽음", "all cards read at the table's reader"),
    "receipt": ("기계 확인증", "a checking machine's receipt"),
    "unchecked": ("확인 없음", "NOT CHECKED"),
    "whole": ("이상 없음", "WHOLE"),
    "none": ("없음", "none"),
    "any": ("지정 없음", "not given"),
    "total": ("{read} / {total}", "{read} of {total}"),
    "cards": ("{count}장", "{count} cards"),
    "by": ("{who}", "by {who}"),
    "by_two": ("{who}, {second}", "by {who} and {second}"),
    "sum": (
        "나눔 {dealt} + 번 {burned} + 기타 {exposed} + 남음 {remaining} = {total}",
        "dealt {dealt} + burned {burned} + exposed {exposed} + remaining {remaining} = {total}",
    ),
    "uncounted": ("아직 세지 않음", "NOT COUNTED YET"),
    "off": ("모자람 {missing} · 남음 {surplus}", "missing {missing} · too many {surplus}"),
    "earlier": ("앞의 기록 파일에서 넣음", "put in in the journal before this one"),
}
STATES: dict[str, Words] = {
    "checking": ("확인 중", "being checked"),
    "ended": ("확인 중단", "check came to nothing"),
    "failed": ("카드가 맞지 않음", "NOT WHOLE"),
    "checked": ("확인됨", "checked"),
    "loaded": ("넣음", "put in, not released"),
    "in_play": ("사용 중", "in play"),
    "out": ("뺌", "out"),
}
SIGNED: tuple[Words, Words] = (
    ("감독", "supervisor"),
    ("두 번째 사람", "second person"),
)
