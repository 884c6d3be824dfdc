"""What the record of a round says, in Korean and English: by the kind of fact, and by code."""

from __future__ import annotations

from station.records import words_shoe

Words = tuple[str, str]

# A fact in one line; braces name what `telling` fills in.
FACTS: dict[str, Words] = {
    "SeatTaken": ("좌석 {seat}: {player} 착석", "Seat {seat}: {player} sits down"),
    "SeatLeft": (
        "좌석 {seat}: {player} 자리 비움 ({reason})",
        "Seat {seat}: {player} is gone ({reason})",
    ),
    "RoundOpened": (
        "라운드 {round} 베팅 시작 · 슈 {shoe} · 규칙 {rules}",
        "Round {round}: betting opens · shoe {shoe} · rules {rules}",
    ),
    "BetPlaced": (
        "베팅 {bet} · 좌석 {seat} {field} {player}: {amount}",
        "Bet {bet} · seat {seat}, {field} of {player}: {amount}",
    ),
    "BetDoubled": (
        "베팅 {bet} 더블 · {player}: +{amount}",
        "Bet {bet} doubled · {player}: +{amount}",
    ),
    "BetsReturned": ("베팅 반환", "Bets given back"),
    "BettingClosed": ("베팅 마감 ({by}) · 좌석 {seats}", "Betting closed ({by}) · seats {seats}"),
    "RoundEmpty": ("베팅 없음 · 라운드 끝", "No bets · the round is over"),
    "CardDealt": (
        "카드 {number} · {card} → {place} · {purpose}",
        "Card {number} · {card} → {place} · {purpose}",
    ),
    "DecisionAsked": ("{place}: 결정 요청 ({legal})", "{place} is asked: {legal}"),
    "DecisionMade": ("{place}: {action} · {by}", "{place}: {action} · {by}"),
    "PlayerAbsent": (
        "좌석 {seat} {player}: 자리 비움 ({why})",
        "Seat {seat} {player} is absent ({why})",
    ),
    "PlayerReturned": ("좌석 {seat} {player}: 돌아옴", "Seat {seat} {player} is back"),
    "WindowOpened": ("{window}: 질문 · {asked}", "{window}: asked · {asked}"),
    "WindowAnswered": ("{player}: {yes}", "{player}: {yes}"),
    "WindowClosed": ("질문 마감 ({by})", "The question is closed ({by})"),
    "RoundSettled": ("정산 · 딜러 {total}", "Settled · dealer {total}"),
    "RoundCleared": ("정리 완료", "Cleared"),
    "RoundVoided": ("라운드 취소 · {reason} · {by}", "Round void · {reason} · by {by}"),
    "ShoeLoaded": ("슈 {shoe} 넣음 · {by}{more}", "Shoe {shoe} put in by {by}{more}"),
    "ShoeReleased": ("슈 {shoe} 승인 · {by}", "Shoe {shoe} released by {by}"),
    "ShoeOut": ("슈 {shoe} 빼기 · {reason}", "Shoe {shoe} has to come out · {reason}"),
    "CutCardOut": (
        "컷 카드 · 이 슈의 마지막 라운드",
        "The cut card · this is the shoe's last round",
    ),
    "CardBurnedFirst": ("번 카드 · {card}", "Burn card · {card}"),
    "ShoeReconciled": (
        "슈 {shoe} 정산: 나온 카드 {gone} + 남은 카드 {remaining} · {result} · {by}",
        "Shoe {shoe} counted: {gone} gone + {remaining} left · {result} · by {by}",
    ),
    "RoundsMarked": ("검토 표시: {why}", "Marked for review: {why}"),
    "CardExposed": ("받을 사람 없는 카드 · {card} ({why})", "EXPOSED CARD · {card} ({why})"),
    "ExposedCardKept": (
        "{card} 다음 차례에 사용 · {by}",
        "{card} is used for the next hand · by {by}",
    ),
    "CardBurned": ("{card} 버림(번) · {by}", "{card} is burned · by {by}"),
    "StationStarted": ("스테이션 시작 · 버전 {release}", "The station started · release {release}"),
    "JournalContinued": ("기록 이어짐 · 앞의 기록 {sealed}", "The journal goes on from {sealed}"),
    "JournalRotated": (
        "기록 파일 교체 · 앞의 파일 {closed} · {by}",
        "A new journal file · after {closed} · by {by}",
    ),
    "RulesSet": ("규칙 설정 · {rules}", "Rules set · {rules}"),
    "DeviceChanged": ("장치 {device}: {health}", "Device {device}: {health}"),
    "Observed": ("읽음 · {device}: {saw}", "Read · {device}: {saw}"),
    "ReadRepeated": ("같은 카드 다시 읽힘 · {card}", "The same card read again · {card}"),
    "ReadDoubted": ("의심 · {card} ({after} 뒤)", "In doubt · {card} ({after} after the last)"),
    "CardLeft": ("센서: 카드가 나감", "Sensor: a card left the shoe"),
    "LastCardReread": (
        "마지막 카드 다시 읽어 확인 · {card}",
        "The last card was read again and is the same · {card}",
    ),
    "ReadSetAside": ("나누지 않은 카드 · {card} ({why})", "Read and not dealt · {card} ({why})"),
    "ReadFailed": ("읽지 못함 · {reason}", "NOT READ · {reason}"),
    "EvidenceRemoved": ("사진 {count}장 삭제 ({why})", "{count} pictures taken away ({why})"),
    "CutCardRepeated": ("컷 카드 다시 읽힘", "The cut card was read again"),
    "TableHeld": ("■ 멈춤 {hold} · {what}", "■ HOLD {hold} · {what}"),
    "HoldReleased": (
        "□ 멈춤 {hold} 끝 · {ruling} · {by}{note}",
        "□ HOLD {hold} ended · {ruling} · by {by}{note}",
    ),
    "CardEntered": (
        "손으로 입력한 카드 · {card} · {by}, 확인 {second}{note}",
        "ENTERED BY HAND · {card} · by {by}, witness {second}{note}",
    ),
    "CardCorrected": (
        "정정 · {was} → {card} ({order}번째 카드) · {by}, 확인 {second}{note}",
        "CORRECTED · {was} is {card} (card {order} of the shoe) · by {by}, witness {second}{note}",
    ),
    "RoundDisputed": (
        "이의 제기 · 라운드 {round} · {by}{note}",
        "DISPUTED · round {round} · by {by}{note}",
    ),
    "DisputeAnswered": (
        "이의 답변 · 라운드 {round}: {answer} · {by}{note}",
        "The dispute of round {round} is answered: {answer} · by {by}{note}",
    ),
    "DealerTookTable": ("딜러 {who}", "Dealer {who} took the table"),
    "DealerLeft": ("딜러 {who} 나감", "Dealer {who} left the table"),
    "StaffSignedIn": ("{who} 로그인 ({link})", "{who} signed in at {link}"),
    "StaffSignedOut": ("{who} 로그아웃 ({link})", "{who} signed out at {link}"),
    "LoginFailed": (
        "{how} 틀림 · {staff} ({link}, 연속 {wrong}번)",
        "Wrong {how} · {staff} ({link}, {wrong} in a row)",
    ),
    "LoginLockOver": ("PIN 잠금 시간 끝 · {who}", "The lock of {who} has run out"),
    "TriesForgotten": (
        "틀린 PIN 횟수 지움 · {who} ({why}) · {by}",
        "Wrong PINs of {who} count no more ({why}) · by {by}",
    ),
    "PlaceHourOver": ("{place} 로그인 제한 끝", "Wrong tries at {place} count anew"),
    "BadgeRefused": ("배지 거절 · {who} ({device})", "Badge refused · {who} ({device})"),
    "DutyOver": (
        "딜러 {who} 다음 라운드를 열 수 없음",
        "Dealer {who} may open no further round",
    ),
    # As earlier releases called them.
    "PinRefused": ("PIN 틀림 · {staff}", "Wrong PIN · {staff}"),
    "PinUnlocked": ("PIN 잠금 해제 · {staff}", "PIN unlocked · {staff}"),
    "SupervisorCalled": ("감독 호출 · {reason}", "Supervisor called · {reason}"),
    "CallAnswered": ("호출 응답 · {by}", "The call was answered by {by}"),
    "HostConnected": ("게임 호스트 연결됨 · {host}", "Game host connected · {host}"),
    "HostLost": ("게임 호스트 끊김 · {host} ({why})", "GAME HOST LOST · {host} ({why})"),
    "TableOpened": ("테이블 열림 · {by}", "Table opened by {by}"),
    "TablePaused": ("테이블 휴식 · {by}", "Table paused by {by}"),
    "TableClosed": ("테이블 닫힘 · {by}", "Table closed by {by}"),
    "ConditionRaised": ("▣ 잠금 {lock} · {what}", "▣ LOCK {lock} · {what}"),
    "ConditionCleared": ("▢ 잠금 {lock}의 원인 없어짐", "▢ The cause of LOCK {lock} is gone"),
    "ConditionAcknowledged": (
        "▢ 잠금 {lock} 확인 · {by} · “{reason}”",
        "▢ LOCK {lock} acknowledged · by {by} · “{reason}”",
    ),
    "CommandAnswered": ("▸ {name} · {by}{link}", "▸ {name} · {by}{link}"),
    **words_shoe.FACTS,
}
REFUSED: Words = (
    "▸ {name} · {by}{link} ✗ 거절: {why}",
    "▸ {name} · {by}{link} ✗ REFUSED: {why}",
)

RESULTS: dict[str, Words] = {
    "blackjack_win": ("블랙잭", "Blackjack"),
    "win": ("이김", "win"),
    "push": ("무승부", "push"),
    "lose": ("짐", "lose"),
    "bust": ("버스트", "bust"),
    "surrender": ("서렌더", "surrender"),
    "returned": ("반환", "returned"),
    "taken_back": ("되돌림", "taken back"),
    "void": ("취소 반환", "void"),
}
ACTIONS: dict[str, Words] = {
    "hit": ("히트", "hit"),
    "stand": ("스탠드", "stand"),
    "double": ("더블", "double"),
    "split": ("스플릿", "split"),
    "surrender": ("서렌더", "surrender"),
}
# A ruling that is no button.
RULINGS: dict[str, Words] = {
    "manual": ("카드 입력", "the card was entered by hand"),
    "corrected": ("카드 정정", "the card was corrected"),
}
PURPOSES: dict[str, Words] = {
    "first": ("첫 번째 카드", "first card"),
    "second": ("두 번째 카드", "second card"),
    "upcard": ("업카드", "upcard"),
    "split": ("스플릿 카드", "split card"),
    "hit": ("히트", "hit"),
    "double": ("더블", "double"),
    "draw": ("딜러 뽑기", "dealer's draw"),
    "burn": ("번", "burn"),
}
STATES: dict[str, Words] = {
    "blackjack": ("블랙잭", "Blackjack"),
    "bust": ("버스트", "bust"),
    "surrendered": ("서렌더", "surrendered"),
    "doubled": ("더블", "doubled"),
    "split": ("스플릿", "split"),
}
# By whom, where it was no person.
BY: dict[str, Words] = {
    "station": ("스테이션", "the station"),
    "player": ("플레이어", "the player"),
    "host": ("호스트", "the host"),
    "countdown": ("시간 종료", "time ran out"),
    "answered": ("모두 응답", "all have answered"),
}
WHY: dict[str, Words] = {
    "left": ("떠남", "left"),
    "inactive": ("참여 안 함", "did not play"),
    "timeout": ("시간 종료", "time ran out"),
    "lost": ("연결 끊김", "connection lost"),
    "days": ("보관 기간", "kept long enough"),
    "space": ("공간 부족", "for room"),
    "proved": ("맞는 PIN", "the right PIN"),
    "unlocked": ("잠금 해제", "unlocked"),
    "time": ("시간 지남", "time ran out"),
    "barred": ("근무 불가", "may work here no longer"),
    "held": ("멈춘 동안", "while the table held"),
    "shoe_not_in_play": ("슈 사용 전", "no shoe in play"),
    "counted_whole": (
        "다시 세어 이상 없음 · 표시 해제",
        "counted again and whole: the mark is gone",
    ),
}
WINDOWS: dict[str, Words] = {
    "insurance": ("인슈어런스", "Insurance"),
    "split": ("좌석 {seat} 스플릿 따라가기", "Follow the split of seat {seat}"),
    "double": ("좌석 {seat} 더블 따라가기", "Follow the double of seat {seat}"),
}
YES: Words = ("예", "yes")
NO: Words = ("아니요", "no")
FATES: dict[str, Words] = {
    "lies": ("결정 대기", "awaits a ruling"),
    "kept": ("다음 차례에 사용하기로 함", "to be used for the next hand owed one"),
    "used": ("사용됨 → {place}", "used → {place}"),
    "burned": ("버림(번) · {by}", "burned by {by}"),
    "void": ("라운드와 함께 취소 · {by}", "void with the round, by {by}"),
}
PICTURES: dict[str, Words] = {
    "kept": ("있음", "there, as it was read"),
    "removed": (
        "스테이션이 보관 기간이나 공간 때문에 삭제함",
        "taken away by the station for its age or for room",
    ),
    "missing": ("없음: 삭제 기록이 없습니다", "MISSING: no fact says that it was taken away"),
    "changed": ("변경됨: 읽었던 사진이 아닙니다", "CHANGED: it is not the picture that was read"),
}
ENDED: dict[str, Words] = {
    "open": ("진행 중", "RUNNING"),
    "settled": ("정산됨 · 정리 전", "settled, not cleared yet"),
    "cleared": ("정산 완료", "settled"),
    "void": ("취소", "VOID"),
}
# How a dispute stands, and how it was answered.
DISPUTES: dict[str, Words] = {
    "open": ("답변 대기", "not answered yet"),
    "accept": ("라운드 유지", "the round stands"),
    "escalate": ("시프트 매니저에게 넘김", "given to a shift manager"),
}
ROLES: dict[str, Words] = {
    "dealer": ("딜러", "dealer"),
    "supervisor": ("감독", "supervisor"),
    "shift_manager": ("시프트 매니저", "shift manager"),
    "technician": ("기술자", "technician"),
    "auditor": ("감사", "auditor"),
}

HEAD: Words = (
    "라운드 {round} · 테이블 {table} ({kind}) · {ended}",
    "Round {round} · table {table} ({kind}) · {ended}",
)
TITLES: dict[str, Words] = {
    "when": ("시각", "time"),
    "dealer": ("딜러", "dealer"),
    "shoe": ("슈", "shoe"),
    "sealed": ("봉인", "sealed"),
    "marked": ("표시", "MARKED"),
    "void": ("취소 사유", "void"),
    "disputed": ("이의", "DISPUTED"),
    "layout": ("레이아웃", "LAYOUT"),
    "exposed": ("받을 사람 없던 카드", "EXPOSED CARDS"),
    "money": ("정산", "MONEY"),
    "story": ("순서대로", "WHAT HAPPENED"),
    "later": ("나중에", "LATER"),
    "seats": ("좌석", "seats"),
    "cards": ("카드", "cards"),
    "holds": ("멈춤", "holds"),
}
SEAT: Words = ("좌석 {seat}", "seat {seat}")
HAND: Words = ("좌석 {seat} 핸드 {hand}", "seat {seat} hand {hand}")
DEALER: Words = ("딜러", "dealer")
BURN: Words = ("번", "burn")
BY_HAND: Words = ("손으로 입력함", "entered by hand")
SOFT: Words = ("소프트 {points}", "soft {points}")
OF_DECK: Words = ("{face} (덱 {deck})", "{face} of deck {deck}")
NOBODY: Words = ("–", "–")
NOT_SEALED: Words = ("봉인 없음", "not sealed")
SEALED: Words = ("사실 {seq} · 키 {key}", "fact {seq} · key {key}")
SHOE_WHOLE: Words = ("이상 없음", "whole")
SHOE_OFF: Words = ("모자람 {missing} · 남음 {surplus}", "missing {missing} · surplus {surplus}")
LAYOUT_HEAD: Words = (
    "레이아웃 재현 · 라운드 {round} · 테이블 {table} · {ended}",
    "RECALL LAYOUT · round {round} · table {table} · {ended}",
)
LAYOUT_HOW: Words = (
    "카드 아래 숫자는 나눈 순서입니다.",
    "The number under a card is its turn in the deal.",
)
ORDER: Words = ("나눈 순서", "in the order dealt")

# Why nobody was owed a card that came out.
EXPOSED: dict[str, Words] = {
    "no_round": ("라운드 사이", "between rounds"),
    "betting_open": ("베팅 중", "betting was open"),
    "decision_open": ("결정을 기다리던 중", "a decision was being waited for"),
    "insurance_window": ("인슈어런스 질문 중", "insurance was being asked"),
    "follow_window": ("뒤 베팅 질문 중", "the players behind were being asked"),
    "dealer_stands": ("딜러 카드 완료", "the dealer draws no more"),
    "round_settled": ("정산 뒤", "the round was settled"),
    "round_void": ("취소된 뒤", "the round was void"),
    "held": ("테이블이 멈춘 동안", "the table held"),
    "host_lost": ("게임 호스트가 끊긴 동안", "the game host was lost"),
    "reader_not_up": ("리더가 준비되지 않음", "a reader was not ready"),
    "resent": ("슈가 앞선 카드를 다시 알림", "the shoe told again of a card it had drawn"),
}
# What was pressed or sent.
COMMANDS: dict[str, Words] = {
    "open_round": ("라운드 시작", "open the round"),
    "take_seat": ("착석", "take a seat"),
    "leave_seat": ("자리 비우기", "leave the seat"),
    "player_lost": ("플레이어 연결 끊김", "player lost"),
    "player_back": ("플레이어 돌아옴", "player back"),
    "place_bet": ("베팅", "place a bet"),
    "take_back": ("베팅 되돌리기", "take a bet back"),
    "close_betting": ("베팅 마감", "close betting"),
    "decide": ("결정", "decide"),
    "insure": ("인슈어런스 응답", "answer insurance"),
    "follow": ("따라가기 응답", "answer the follow"),
    "cleared": ("정리 완료", "CLEARED"),
    "log_in": ("로그인", "log in"),
    "log_out": ("로그아웃", "log out"),
    "wait": ("잠깐", "WAIT"),
    "resume": ("계속", "RESUME"),
    "emergency_stop": ("비상 정지", "EMERGENCY STOP"),
    "report_error": ("실수 보고", "REPORT ERROR"),
    "call_supervisor": ("감독 호출", "call the supervisor"),
    "answer_call": ("호출 응답", "answer the call"),
    "rule": ("감독 결정", "ruling"),
    "void_round": ("라운드 취소", "VOID ROUND"),
    "load_shoe": ("슈 넣기", "load the shoe"),
    "release_shoe": ("슈 승인", "release the shoe"),
    "reconcile_shoe": ("슈 정산", "count the shoe"),
    "pause_table": ("휴식", "pause the table"),
    "unlock_person": ("PIN 잠금 해제", "unlock a person"),
    "correct_card": ("카드 정정", "correct the last card"),
    "enter_card": ("카드 입력", "enter a card"),
    "dispute_round": ("이의 제기", "DISPUTE ROUND"),
    "answer_dispute": ("이의 답변", "answer the dispute"),
    "clear_lock": ("잠금 확인", "acknowledge the lock"),
    "close_table": ("테이블 닫기", "close the table"),
    "open_table": ("테이블 열기", "open the table"),
    **words_shoe.COMMANDS,
}

# Why a round is void, in a list: by the hold's code.
VOIDS: dict[str, Words] = {
    "exposed_card": ("받을 사람 없는 카드", "exposed card"),
    "duplicate_card": ("같은 카드 두 번", "same card twice"),
    "foreign_card": ("이 슈의 것이 아닌 카드", "foreign card"),
    "same_or_second": ("같은 카드인지 모름", "same card or a second"),
    "drawn_after_unread": ("읽지 못한 카드 뒤의 카드", "drawn after an unread card"),
    "unreadable_card": ("읽지 못한 카드", "unreadable card"),
    "unknown_card": ("모르는 카드가 지나감", "unread card passed"),
    "witnesses_disagree": ("코드와 인쇄가 다름", "code and print differ"),
    "two_cards": ("카드 두 장", "two cards together"),
    "strange_card": ("게임용이 아닌 카드", "no card of this game"),
    "pushed_back": ("슈로 다시 들어간 카드", "card pushed back"),
    "disputed_card": ("다르게 보인 카드", "card seen otherwise"),
    "reader_lost": ("리더 끊김", "reader lost"),
    "device_fault": ("장치 고장", "device fault"),
    "dealer_report": ("딜러 보고", "reported by the dealer"),
    "emergency": ("비상 정지", "emergency"),
    "wait": ("대기", "wait"),
    "host_lost": ("게임 호스트 끊김", "game host lost"),
    "restart": ("스테이션 재시작", "station restarted"),
    "rules_changed": ("규칙 변경", "rules changed"),
    "journal_damaged": ("기록 손상", "journal damaged"),
}
