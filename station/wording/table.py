"""What the table says: prompts, holds, rulings, states."""

from __future__ import annotations

PROMPTS: dict[str, tuple[str, str]] = {
    "first": ("첫 번째 카드", "First card"),
    "second": ("두 번째 카드", "Second card"),
    "upcard": ("업카드", "Upcard"),
    "split": ("스플릿 카드", "Split card"),
    "hit": ("히트", "Hit"),
    "double": ("더블 · 한 장만", "Double: one card"),
    "burn": ("버리는 카드 (번)", "Burn card"),
    "draw": ("17까지 뽑기", "Draw to 17"),
    "no_round": ("다음 라운드를 기다립니다", "Waiting for the next round"),
    "betting_open": ("베팅 중입니다. 카드를 뽑지 마세요", "Betting is open: draw no card"),
    "decision_open": (
        "좌석 {seat}의 결정을 기다립니다",
        "Waiting for seat {seat} to decide",
    ),
    "insurance_window": (
        "멈춤 · 인슈어런스 응답을 기다립니다",
        "HOLD: insurance is being asked",
    ),
    "follow_window": (
        "멈춤 · 좌석 {seat} 뒤 베팅의 응답을 기다립니다",
        "HOLD: the players behind seat {seat} are being asked",
    ),
    "dealer_stands": ("딜러는 더 뽑지 않습니다", "The dealer draws no more"),
    "round_settled": (
        "정산되었습니다. 카드를 치우고 '정리 완료'를 누르세요",
        "Settled: clear the cards, then press CLEARED",
    ),
    "round_void": ("라운드가 취소되었습니다", "The round is void"),
    "shoe_check": (
        "슈의 카드를 확인하는 중입니다",
        "A shoe is being checked: all cards pass the reader",
    ),
    "shoe_needed": ("새 슈가 필요합니다", "A new, verified shoe is needed"),
    "shoe_change": ("컷 카드가 나왔습니다. 슈를 교체하세요", "Cut card out: change the shoe"),
    "round_disputed": (
        "이의가 제기된 라운드가 있습니다. 감독이 결정합니다",
        "A past round is disputed: a supervisor decides",
    ),
    "table_paused": ("잠시 쉬는 중입니다", "The table is paused"),
    "table_closed": ("테이블이 닫혀 있습니다", "The table is closed"),
    "shoe_unreleased": (
        "슈가 아직 승인되지 않았습니다",
        "The shoe is in, but not released yet",
    ),
    "no_dealer": ("딜러 로그인이 필요합니다", "A dealer has to log in"),
    "host_lost": ("게임 호스트 연결 끊김. 손을 멈추세요", "Game host lost: stop"),
    "resent": (
        "슈가 앞선 카드를 다시 알렸습니다",
        "The shoe told again of a card it had drawn",
    ),
    "reader_not_up": ("리더가 준비되지 않았습니다. 기다리세요", "The reader is not ready: wait"),
    # A card was drawn and not read: that one is shown before another is drawn.
    "show_again": (
        "읽지 못한 카드를 카메라에 다시 보이세요. 다음 카드를 뽑지 마세요.",
        "Show the unread card to the camera again. Do not draw the next one.",
    ),
    "scan_again": (
        "읽지 못한 카드를 다시 읽히세요. 다음 카드를 뽑지 마세요.",
        "Scan the unread card again. Do not draw the next one.",
    ),
    "held": ("손을 멈추세요", "Stop"),
    "journal_unavailable": (
        "기록을 쓸 수 없습니다. 손을 멈추고 감독을 부르세요",
        "The journal cannot be written: stop, call the supervisor",
    ),
}

# code: what happened, what the hands do now, who decides.
HOLDS: dict[str, tuple[tuple[str, str], tuple[str, str], tuple[str, str]]] = {
    "exposed_card": (
        ("받을 사람이 없는 카드가 나왔습니다: {face}", "A card nobody is owed came out: {face}"),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        ("감독이 결정합니다.", "A supervisor decides."),
    ),
    "duplicate_card": (
        (
            "같은 카드가 두 번 읽혔습니다: {face} (덱 {deck}). "
            "먼저 읽힌 카드: 라운드 {first_round}, {first_order}번째",
            "The same card was read twice: {face} of deck {deck}. "
            "First read: round {first_round}, card {first_order} of the shoe",
        ),
        (
            "두 카드를 모두 그대로 두고 손을 멈추세요.",
            "Leave both cards where they are and stop.",
        ),
        ("감독이 두 카드를 확인하고 결정합니다.", "A supervisor checks both and decides."),
    ),
    "foreign_card": (
        # What exactly is in FOREIGN, by why.
        ("이 슈의 카드가 아닙니다: {face}", "Not a card of this shoe: {face}"),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        ("감독이 결정합니다. 슈를 빼야 합니다.", "A supervisor decides; the shoe comes out."),
    ),
    "same_or_second": (
        (
            "{face} 카드가 곧바로 다시 읽혔습니다. 같은 카드입니까, 두 번째 {face}입니까?",
            "{face} was read again at once. Is it the same card, or a second {face}?",
        ),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        ("감독이 카드를 보고 결정합니다.", "A supervisor looks at the card and decides."),
    ),
    "drawn_after_unread": (
        (
            "읽지 못한 카드가 있는데 {face} 카드가 나왔습니다. 읽지 못한 그 카드입니까?",
            "{face} came out while a card was still unread. Is it the unread card?",
        ),
        ("카드를 모두 그대로 두고 손을 멈추세요.", "Leave all cards where they are and stop."),
        (
            "감독이 결정합니다. 다음부터는 읽지 못한 카드를 테이블 쪽에서 카메라에 보이세요.",
            "A supervisor decides. Show an unread card to the camera from the table's side.",
        ),
    ),
    "unreadable_card": (
        ("카드를 세 번 읽지 못했습니다.", "The card could not be read three times."),
        ("카드를 리더 앞에 두고 기다리세요.", "Keep the card at the reader and wait."),
        ("감독이 결정합니다.", "A supervisor decides."),
    ),
    "unknown_card": (
        (
            "받을 사람이 없을 때 읽지 못한 카드가 지나갔습니다.",
            "Something passed the reader unread while nobody was owed a card.",
        ),
        ("손을 멈추고 카드를 그대로 두세요.", "Stop and leave the cards as they are."),
        ("감독이 레이아웃을 확인합니다.", "A supervisor checks the layout."),
    ),
    "witnesses_disagree": (
        # What each said, where it is known, is put behind by the view.
        (
            "코드와 인쇄된 카드가 서로 다릅니다.",
            "The card's code and its print tell two different cards.",
        ),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        (
            "감독이 카드를 확인합니다. 잘못 인쇄된 카드라면 슈를 뺍니다.",
            "A supervisor looks at the card; if it is a wrong one, the shoe comes out.",
        ),
    ),
    "two_cards": (
        ("카드 두 장이 함께 나왔습니다.", "Two cards came out together."),
        (
            "두 장을 그대로 두고 손을 멈추세요. 보이거나 섞지 마세요.",
            "Leave both as they lie and stop. Do not show or shift them.",
        ),
        (
            "감독이 순서를 확인하고, 한 장씩 카메라에 다시 보이게 합니다.",
            "A supervisor sees which came first; then each is shown to the camera again, in order.",
        ),
    ),
    "strange_card": (
        # What it is, is in STRANGE, by the reason.
        (
            "이 게임의 카드가 아닌 것이 나왔습니다.",
            "Something came out that is no card of this game.",
        ),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        (
            "감독이 확인합니다. 정상 카드라면 카메라에 다시 보이고, 아니면 슈를 뺍니다.",
            "A supervisor looks: a good card is shown to the camera again; else the shoe is out.",
        ),
    ),
    "pushed_back": (
        (
            "읽은 카드가 슈로 다시 들어갔습니다.",
            "A card that had been read went back into the shoe.",
        ),
        ("더 뽑지 마세요. 손을 멈추세요.", "Draw nothing more. Stop."),
        (
            "감독 앞에서 그 카드를 다시 뽑아 읽힙니다. 같은 카드여야 계속합니다.",
            "Before a supervisor that card is drawn and read again; it has to be the same one.",
        ),
    ),
    "disputed_card": (
        (
            "읽은 카드가 나중에 다른 카드로 보였습니다.",
            "A card that had been read was seen as another one afterwards.",
        ),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the card where it is and stop."),
        (
            "감독 앞에서 마지막 카드를 다시 읽힙니다. 같은 카드여야 계속합니다.",
            "Before a supervisor the last card is read again; it has to be the same one.",
        ),
    ),
    "restart": (
        (
            "라운드 도중에 스테이션이 다시 시작되었습니다.",
            "The station started anew in the middle of the round.",
        ),
        (
            "손을 멈추세요. 화면과 테이블을 비교하고 마지막 카드를 다시 읽히세요.",
            "Stop. Compare the felt with the screen, and read the last card again.",
        ),
        ("감독이 확인하고 결정합니다.", "A supervisor looks and decides."),
    ),
    "reader_lost": (
        (
            "리더 또는 센서 '{device}' 연결이 끊겼습니다.",
            "The reader or sensor '{device}' is lost.",
        ),
        ("카드를 뽑지 마세요. 손을 멈추세요.", "Draw no card. Stop."),
        (
            "감독이 카드를 확인하고 해제합니다. 카드가 나와 있으면 마지막 카드를 다시 읽습니다.",
            "A supervisor checks and releases; with cards out the last card is read again.",
        ),
    ),
    "device_fault": (
        # What the code means is in devices.FAULTS.
        ("장치 '{device}' 고장: {code}", "Device '{device}' reports a fault: {code}"),
        ("카드를 뽑지 마세요. 손을 멈추세요.", "Draw no card. Stop."),
        ("감독이 확인하고 해제합니다.", "A supervisor checks and releases."),
    ),
    "dealer_report": (
        # What it is, is in REPORTS.
        ("딜러가 실수를 보고했습니다: {what}", "The dealer reported a mistake: {what}"),
        ("카드를 그대로 두고 손을 멈추세요.", "Leave the cards as they are and stop."),
        ("감독이 결정합니다.", "A supervisor decides."),
    ),
    "emergency": (
        ("비상 정지", "Emergency stop"),
        ("손을 멈추세요.", "Stop."),
        ("감독이 재개하거나 취소합니다.", "A supervisor resumes or voids."),
    ),
    "wait": (
        ("잠시 대기 중입니다.", "Waiting a moment."),
        ("준비되면 '계속'을 누르세요.", "Press RESUME when ready."),
        ("딜러가 계속합니다.", "The dealer resumes."),
    ),
}

# Why a card cannot be of this shoe; "cut_card" for another set's cut card.
FOREIGN: dict[str, tuple[str, str]] = {
    "wrong_set": (
        "이 슈의 카드가 아닙니다: {face} (세트 {set}, 덱 {deck})",
        "Not a card of this shoe: {face} (set {set}, deck {deck})",
    ),
    "wrong_deck": (
        "이 슈에 없는 덱의 카드입니다: {face} (덱 {deck})",
        "There is no such deck in this shoe: {face} (deck {deck})",
    ),
    "ninth_copy": (
        "{face} 카드가 {copies}장째입니다. 슈에는 8장뿐입니다.",
        "{face} number {copies} came out; the shoe has eight.",
    ),
    "cut_card": (
        "다른 세트의 컷 카드입니다 (세트 {set})",
        "The cut card of another set (set {set})",
    ),
}
READ_BEFORE = (
    "같은 카드의 앞선 읽기: 라운드 {first_round}, {first_order}번째",
    "That face was read before: round {first_round}, card {first_order} of the shoe",
)

# What came out instead of a card, by the reason of the no-read.
STRANGE: dict[str, tuple[str, str]] = {
    "joker": ("조커가 나왔습니다.", "A joker came out."),
    "card_back": ("카드 뒷면이 보입니다.", "A card came out with its back to the camera."),
}
# What a camera made out of a card it did not tell, behind what happened.
SAID = ("카메라: {said}.", "The camera: {said}.")
WITNESSES = {"code": ("코드", "code"), "index": ("인덱스", "index")}
OF_DECK = ("{face} (덱 {deck})", "{face} of deck {deck}")

REPORTS: dict[str, tuple[str, str]] = {
    "misdeal": ("잘못 나눠 준 카드", "misdeal"),
    "missed_scan": ("읽지 않은 카드", "a card that was not scanned"),
    "wrong_seat": ("다른 좌석에 놓았다가 옮긴 카드", "a card at the wrong seat, moved back"),
    "out_of_turn": ("순서를 어긴 카드", "a card dealt out of turn"),
    "seat_skipped": ("건너뛴 좌석", "a seat that was skipped"),
    "dealer_skipped": ("딜러 카드를 빠뜨림", "the dealer's own card was skipped"),
    "no_bet_hand": ("베팅 없는 좌석에 준 카드", "a card to a seat without a bet"),
    "stopped_early": ("17 전에 멈춤", "the dealer stopped below 17"),
    "card_exposed": ("슈 안에서 드러난 카드", "a card face up in the shoe"),
    "floor": ("바닥에 떨어진 카드", "a card on the floor"),
    "shoe_empty": ("슈에 카드가 없음", "the shoe has run out"),
    "cleared_early": ("결과 전에 카드를 치움", "the cards were collected before the result"),
    "wrong_action": ("플레이어 결정을 잘못 처리함", "a player's action was mistaken"),
    "damaged_card": ("손상된 카드", "a damaged or marked card"),
    "wrong_card": ("다른 카드로 읽힌 카드", "a card was read as another one"),
    "void_asked": ("라운드 취소 요청", "a void is asked for"),
    "other": ("기타", "something else"),
}

RULINGS: dict[str, tuple[str, str]] = {
    "release": ("이상 없음 · 계속 진행", "Nothing changed · play on"),
    "aligned": (
        "화면과 테이블이 같음 · 계속 진행",
        "Felt equals the screen, nothing was drawn · play on",
    ),
    "same": ("같은 카드 · 계속 진행", "The same card · play on"),
    "second": ("두 번째 카드 · 차례대로 사용", "A second card · it goes where one is owed"),
    "burn": ("카드 버림(번) · 라운드 유지", "Burn the card · the round stands"),
    "burn_only": ("카드 버림 (번)", "Burn the card"),
    "use": (
        "이 카드를 다음 차례에 사용 · 계속 진행",
        "Use the card for the next hand owed one · play on",
    ),
    "void": ("라운드 취소 · 모든 베팅 반환", "Void the round · all bets returned"),
    "shoe_out": ("슈 빼기 · 새 슈 필요", "Take the shoe out · a new one is needed"),
}

# The same, where a hold's own words say more.
_READ_ANEW = ("카드를 확인함 · 카드를 다시 읽힙니다", "The card was looked at · read it again")
_THE_SAME = ("같은 카드로 다시 읽힘 · 계속 진행", "It was read again, and is the same · play on")
RULINGS_OF: dict[tuple[str, str], tuple[str, str]] = {
    ("witnesses_disagree", "release"): _READ_ANEW,
    ("strange_card", "release"): _READ_ANEW,
    ("two_cards", "release"): (
        "순서를 확인함 · 한 장씩 다시 읽힙니다",
        "Their order is known · read them one by one",
    ),
    ("drawn_after_unread", "second"): (
        "읽지 못한 그 카드 · 차례대로 사용",
        "It is the unread card · it goes where one is owed",
    ),
    ("pushed_back", "aligned"): _THE_SAME,
    ("disputed_card", "aligned"): _THE_SAME,
}

# Why a round is void, by the reason in the fact; "ruling" for what a supervisor wrote.
VOIDS: dict[str, tuple[str, str]] = {
    "restart": ("스테이션 재시작으로 취소", "Void: the station restarted"),
    "host_lost": ("게임 호스트 끊김으로 취소", "Void: the game host was lost"),
    "rules_changed": ("규칙 변경으로 취소", "Void: the rules were changed"),
    "journal_damaged": ("기록 손상으로 취소", "Void: the journal was damaged"),
    # A supervisor's, from the list.
    "misdeal": ("잘못 분배하여 취소", "Void: misdeal"),
    "wrong_card": ("잘못된 카드로 취소", "Void: a wrong card"),
    "unread_card": ("읽지 못한 카드로 취소", "Void: a card was not read"),
    "card_exposed": ("드러난 카드로 취소", "Void: a card was exposed"),
    "player_dispute": ("플레이어 이의로 취소", "Void: a player's dispute"),
    "equipment": ("장비 문제로 취소", "Void: trouble with the equipment"),
    "force_majeure": ("불가항력으로 취소", "Void: force majeure"),
    "other": ("감독 결정으로 취소", "Void: a supervisor's ruling"),
    "ruling": ("감독 결정으로 취소", "Void: a supervisor's ruling"),
}
# What the hands do then, by what the table needs.
AFTER_VOID: dict[str, tuple[str, str]] = {
    "shoe_needed": ("카드를 모으고 새 슈를 넣으세요", "collect the cards, then a new shoe"),
    "no_round": ("다음 라운드를 기다립니다", "waiting for the next round"),
}

PHASES: dict[str, tuple[str, str]] = {
    "closed": ("테이블 닫힘", "Table closed"),
    "paused": ("휴식", "Paused"),
    "idle": ("대기", "Between rounds"),
    "betting": ("베팅", "Betting"),
    "dealing": ("카드 분배", "Dealing"),
    "insurance": ("인슈어런스", "Insurance"),
    "deciding": ("플레이어 결정", "Player decides"),
    "follow": ("뒤 베팅 응답", "Players behind"),
    "drawing": ("플레이어 카드", "Player draws"),
    "dealer": ("딜러 차례", "Dealer's turn"),
    "result": ("결과", "Result"),
    "void": ("라운드 취소", "Round void"),
}

SHOES: dict[str, tuple[str, str]] = {
    "none": ("슈 없음", "No shoe"),
    "loaded": ("슈 승인 대기", "Shoe not released"),
    "in_play": ("슈 사용 중", "Shoe in play"),
    "last_round": ("마지막 라운드", "Last round of the shoe"),
    "out": ("슈를 빼세요", "Take the shoe out"),
}

HOSTS: dict[str, tuple[str, str]] = {
    "chairs": ("플레이어가 테이블에 앉음", "Players in the chairs"),
    "connected": ("게임 호스트 연결됨", "Game host connected"),
    "lost": ("게임 호스트 연결 안 됨", "Game host not connected"),
}

JOURNAL: dict[str, tuple[str, str]] = {
    "ok": ("기록 정상", "Journal in order"),
    "failing": ("기록할 수 없음", "Journal cannot be written"),
}

# What a bet is called, and what the dealer does with its chips.
BETS: dict[str, tuple[str, str]] = {
    "main": ("메인", "main bet"),
    "pair": ("페어", "Pair"),
    "insurance": ("인슈어런스", "insurance"),
    "behind": ("뒤 베팅", "bet behind"),
    "behind_pair": ("뒤 페어", "Pair behind"),
}
PAYMENTS: dict[str, tuple[str, str]] = {
    "pay": ("좌석 {seat} {bet}: {amount} 지급", "Seat {seat}, {bet}: pay {amount}"),
    "take": ("좌석 {seat} {bet}: {amount} 회수", "Seat {seat}, {bet}: take {amount}"),
    "leave": ("좌석 {seat} {bet}: 그대로 반환", "Seat {seat}, {bet}: leave it"),
    "behind_return": (
        "좌석 {seat} {bet} {player}: {amount} 돌려주세요",
        "Seat {seat}, {bet} of {player}: give back {amount}",
    ),
    "behind_pay": (
        "좌석 {seat} {bet} {player}: {amount} 지급",
        "Seat {seat}, {bet} of {player}: pay {amount}",
    ),
    "behind_take": (
        "좌석 {seat} {bet} {player}: {amount} 회수",
        "Seat {seat}, {bet} of {player}: take {amount}",
    ),
    "behind_leave": (
        "좌석 {seat} {bet} {player}: 그대로 반환",
        "Seat {seat}, {bet} of {player}: leave it",
    ),
}
# Why a past round is to be looked at again.
MARKS: dict[str, tuple[str, str]] = {
    "short_shoe": ("카드가 모자란 슈", "dealt from a short shoe"),
    "long_shoe": ("카드가 더 많은 슈", "dealt from a shoe with cards too many"),
    "wrong_shoe": ("카드가 맞지 않는 슈", "dealt from a shoe of wrong cards"),
    "duplicate_card": ("나중에 다시 읽힌 카드", "a card of it was read again later"),
}
RULES_TEXT = ("8덱 · 딜러 17 스탠드 · 블랙잭 3:2", "8 decks · dealer stands on 17 · Blackjack 3:2")
WATERMARK = ("테스트 테이블", "TEST TABLE")
RECENT = {
    "settled": ("라운드 {round} · 딜러 {total}", "Round {round} · dealer {total}"),
    "bust": ("라운드 {round} · 딜러 버스트 {total}", "Round {round} · dealer busts with {total}"),
    "void": ("라운드 {round} · 취소", "Round {round} · void"),
}
