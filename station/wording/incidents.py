"""What a pit's handbook calls its incidents, and the words of a report."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str]] = {
    "P1": ("베팅이 끝나기 전에 나온 카드", "Card drawn before betting was closed"),
    "P2": ("읽지 못한 카드", "Card that could not be read"),
    "P3": ("읽지 못한 채 다음 카드를 뽑음", "Card not read, and the next one drawn"),
    "P4": ("같은 카드를 두 번 읽음", "Same card read twice"),
    "P5": ("이 슈의 것이 아닌 카드", "Foreign or surplus card"),
    "P6": ("손상되었거나 게임용이 아닌 카드", "Damaged card, joker or card back"),
    "P7": ("다른 좌석에 놓았다가 옮긴 카드", "Card laid at a wrong seat and moved back"),
    "P8": ("순서를 어긴 카드", "Card dealt out of turn"),
    "P9": ("건너뛴 좌석", "Seat skipped in the first pass"),
    "P10": ("딜러 첫 카드를 빠뜨림", "Dealer's own first card forgotten"),
    "P11": ("베팅 없는 좌석에 준 카드", "Card to a seat without a bet"),
    "P12": ("받을 사람이 없는 카드", "Card for a hand that was owed none"),
    "P13": ("딜러가 17 이상에서 뽑음", "Dealer drew on 17 or more"),
    "P14": ("딜러가 17 전에 멈춤", "Dealer stopped below 17"),
    "P15": ("슈 안에서 드러난 카드", "Card found face up in the shoe"),
    "P16": ("바닥에 떨어진 카드", "Card on the floor"),
    "P17": ("라운드 중 컷 카드", "Cut card during the round"),
    "P18": ("라운드 중 슈가 빔", "Shoe ran out during the round"),
    "P19": ("결과 전에 카드를 치움", "Table cleared before the result"),
    "P20": ("시작 또는 정리를 누르지 않음", "START or CLEARED forgotten"),
    "P21": ("플레이어 결정을 잘못 처리함", "Player's action shown or acted on wrongly"),
    "P22": ("리더나 장치가 끊김", "Reader, device or host lost"),
    "P23": ("비상 정지", "Emergency"),
    "": ("기타", "Other"),
}

# Why nothing holds, and what the station does by itself.
UNHELD: dict[str, tuple[str, str]] = {
    "cut_card": (
        "이 라운드를 끝내고 슈를 바꿉니다. 다음 라운드는 새 슈로만 시작합니다.",
        "The round is finished; the next one opens with a new shoe only.",
    ),
    "on_behalf": (
        "감독이 대신 누릅니다. 누가 눌렀는지 기록됩니다.",
        "A supervisor presses it on the dealer's behalf; who did is on record.",
    ),
    "host_lost": (
        "게임 호스트가 끊기면 라운드를 취소하고 베팅을 돌려줍니다.",
        "When the game host is lost with cards out the round is void and all bets come back.",
    ),
}

ROLES: dict[str, tuple[str, str]] = {
    "dealer": ("딜러", "dealer"),
    "supervisor": ("감독", "supervisor"),
    "shift_manager": ("시프트 매니저", "shift manager"),
    "technician": ("기술자", "technician"),
    "auditor": ("감사", "auditor"),
}

CARDS: dict[str, tuple[str, str]] = {
    "stays": ("그대로 둠", "stays where it lies"),
    "dealt": ("차례대로 사용", "dealt to the hand it was owed to"),
    "burned": ("버림 (번)", "burned"),
    "discarded": ("슈와 함께 뺌", "out with the shoe"),
}

# Lines of a report: what stands before each.
LINES: dict[str, tuple[str, str]] = {
    "title": ("사고 보고서 {number} · 테이블 {table}", "Incident report {number} · table {table}"),
    "what": ("내용", "What happened"),
    "row": ("구분", "Kind"),
    "round": ("라운드", "Round"),
    "when": ("시각", "When"),
    "noticed": ("알린 사람", "Noticed by"),
    "cards": ("카드", "Cards"),
    "first": ("앞서 읽은 기록", "Read before"),
    "ruling": ("결정", "Ruling"),
    "by": ("결정한 사람", "Decided by"),
    "note": ("메모", "Note"),
    "lasted": ("걸린 시간", "It took"),
    "card": ("그 카드", "The card"),
    "bets": ("베팅", "The bets"),
    "inform": ("알릴 사람", "To be told"),
    "facts": ("기록 번호", "Facts"),
    "rule": ("규칙", "Rule"),
}
VALUES: dict[str, tuple[str, str]] = {
    "station": ("스테이션", "the station"),
    "device": ("장치 {device}", "device {device}"),
    "open": ("아직 결정되지 않음", "not decided yet"),
    "stand": ("그대로 유효", "stand as they were"),
    "none": ("열린 라운드 없음", "no round was open"),
    "returned": ("{bets}건 전액 반환: {amount}", "all {bets} returned: {amount}"),
    "first": ("라운드 {round}, 슈의 {order}번째", "round {round}, card {order} of the shoe"),
    "seconds": ("{seconds}초", "{seconds} s"),
}
