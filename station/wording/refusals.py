"""Why not, as a dealer, a supervisor or a host's operator reads it."""

from __future__ import annotations

from station.wording import shoes
from station.wording.locks import CONDITIONS

# Instead of `stale_round` while there has been none at all.
NO_ROUND = ("열린 라운드가 없습니다.", "No round is open.")

# code: (Korean, English); braces name parameters of the refusal.
REFUSALS: dict[str, tuple[str, str]] = {
    # Seats and bets.
    "no_such_seat": (
        "좌석 {seat}은(는) 없습니다. 좌석은 1~{seats}번입니다.",
        "There is no seat {seat}; seats are 1 to {seats}.",
    ),
    "seat_taken": (
        "좌석 {seat}에는 이미 {player} 님이 있습니다.",
        "Seat {seat} is taken by {player}.",
    ),
    "one_seat_a_player": (
        "{player} 님은 이미 좌석 {seat}에 있습니다. 한 사람당 한 자리입니다.",
        "{player} already has seat {seat}: one seat a player.",
    ),
    "not_seated": (
        "{player} 님은 좌석 {seat}에 앉아 있지 않습니다.",
        "{player} is not in seat {seat}.",
    ),
    "seat_is_free": ("좌석 {seat}은(는) 비어 있습니다.", "Nobody sits in seat {seat}."),
    "bet_in_play": (
        "좌석 {seat}의 베팅이 진행 중이라 일어날 수 없습니다.",
        "Seat {seat} has a bet in play and cannot leave yet.",
    ),
    "bet_already_placed": (
        "좌석 {seat}에 그 베팅은 이미 있습니다.",
        "That bet is on seat {seat} already.",
    ),
    "no_such_bet": (
        "좌석 {seat}에 되돌릴 그 베팅이 없습니다.",
        "There is no such bet on seat {seat} to take back.",
    ),
    "player_needed": (
        "좌석 {seat}: 플레이어 이름이 없습니다.",
        "Seat {seat}: no player is named.",
    ),
    "main_bet_first": (
        "좌석 {seat}: 메인 베팅을 먼저 해야 페어에 걸 수 있습니다.",
        "Seat {seat}: the main bet comes first, then the Pair bet.",
    ),
    "seat_empty": (
        "좌석 {seat}은(는) 비어 있어 뒤에 걸 수 없습니다.",
        "Seat {seat} is empty: nobody to bet behind.",
    ),
    "seated_may_not_bet_behind": (
        "{player} 님은 좌석 {seat}에 앉아 있어 뒤 베팅을 할 수 없습니다.",
        "{player} sits in seat {seat} and may not bet behind.",
    ),
    "behind_may_not_sit": (
        "{player} 님은 이번 라운드에 좌석 {seat} 뒤에 걸어서 다음 라운드부터 앉을 수 있습니다.",
        "{player} has bet behind seat {seat} in this round and may sit down after it.",
    ),
    "behind_full": (
        "좌석 {seat} 뒤에는 더 걸 수 없습니다 (최대 {most}명).",
        "Nobody more may bet behind seat {seat}; {most} players at most.",
    ),
    "absent_already": (
        "{player} 님은 이미 자리 비움 상태입니다 (좌석 {seat}).",
        "{player} in seat {seat} is absent already.",
    ),
    "present_already": (
        "{player} 님은 이미 참여 중입니다 (좌석 {seat}).",
        "{player} in seat {seat} is present already.",
    ),
    "bet_below_minimum": (
        "베팅 {amount}은(는) 최소 {minimum}보다 적습니다.",
        "{amount} is below the minimum of {minimum}.",
    ),
    "bet_above_maximum": (
        "베팅 {amount}은(는) 최대 {maximum}보다 많습니다.",
        "{amount} is above the maximum of {maximum}.",
    ),
    "bet_off_step": (
        "베팅 {amount}은(는) {step} 단위가 아닙니다.",
        "{amount} is not a multiple of {step}.",
    ),
    "betting_closed": (
        "베팅이 마감되었습니다 (라운드 {round}).",
        "Betting is closed (round {round}).",
    ),
    # The round.
    "round_running": (
        "라운드 {round}이(가) 진행 중입니다. 끝날 때까지 기다리세요.",
        "Round {round} is running; wait until it is complete.",
    ),
    "stale_round": (
        "라운드 {round}은(는) 지금 라운드가 아닙니다 (현재 {now}).",
        "Round {round} is not the current one (that is {now}).",
    ),
    "nothing_asked": (
        "지금은 결정을 기다리지 않습니다 (좌석 {seat}).",
        "No decision is being asked (seat {seat}).",
    ),
    "stale_decision": (
        "그 결정은 이미 지났습니다. 지금은 좌석 {asked}의 차례입니다.",
        "That decision is over; it is seat {asked}'s turn.",
    ),
    "too_late": (
        "좌석 {seat}: 자리를 비운 동안의 결정은 받지 않습니다. 다음 결정부터 다시 묻습니다.",
        "Seat {seat} was absent, and this decision is not taken; from the next one on it is asked.",
    ),
    "double_on_two_cards": (
        "좌석 {seat}: 더블은 처음 두 장에서만 할 수 있습니다.",
        "Seat {seat}: a double is on the first two cards only.",
    ),
    "no_double_after_split": (
        "좌석 {seat}: 이 테이블은 스플릿 뒤에 더블할 수 없습니다.",
        "Seat {seat}: at this table a split hand may not double.",
    ),
    "split_aces_one_card": (
        "좌석 {seat}: 에이스 스플릿은 한 장씩만 받습니다.",
        "Seat {seat}: split aces take one card each.",
    ),
    "split_once": (
        "좌석 {seat}: 스플릿은 한 라운드에 한 번입니다.",
        "Seat {seat}: a player may split once a round.",
    ),
    "split_on_two_cards": (
        "좌석 {seat}: 스플릿은 처음 두 장에서만 할 수 있습니다.",
        "Seat {seat}: a split is on the first two cards only.",
    ),
    "split_same_value": (
        "좌석 {seat}: 두 장의 값이 같아야 스플릿할 수 있습니다.",
        "Seat {seat}: only two cards of the same value are split.",
    ),
    "no_surrender_against": (
        "좌석 {seat}: 딜러가 {upcard}이면 서렌더할 수 없습니다 (에이스, 10점 카드).",
        "Seat {seat}: no surrender against {upcard}, an ace or a ten-valued card.",
    ),
    "surrender_first": (
        "좌석 {seat}: 서렌더는 처음 두 장의 첫 번째 행동으로만 할 수 있습니다.",
        "Seat {seat}: a surrender is the very first action on two cards.",
    ),
    "no_window": (
        "{player} 님에게 지금 묻고 있는 것이 없습니다.",
        "{player} is not being asked anything now.",
    ),
    "stale_window": (
        "{player} 님: 그 질문은 이미 끝났습니다.",
        "{player}: that question is over.",
    ),
    "not_asked": (
        "{player} 님에게는 묻지 않았습니다.",
        "{player} was not asked.",
    ),
    "answered_already": (
        "{player} 님은 이미 대답했습니다.",
        "{player} has answered already.",
    ),
    "not_settled": (
        "라운드 {round}이(가) 아직 끝나지 않았습니다. 안내에 따라 카드를 뽑으세요.",
        "Round {round} is not finished; follow the prompt for the next card.",
    ),
    "other_rules": (
        "게임 호스트의 규칙({host})이 테이블의 규칙({table})과 다릅니다.",
        "The host plays by other rules ({host}) than the table ({table}).",
    ),
    "round_void_already": (
        "라운드 {round}은(는) 이미 취소되었습니다.",
        "Round {round} is void already.",
    ),
    "round_settled_already": (
        "라운드 {round}은(는) 이미 정산되어 취소할 수 없습니다.",
        "Round {round} is settled and cannot be voided.",
    ),
    "decided_since": (
        "마지막 카드로 이미 결정이 내려졌거나 다음 카드가 나와 더는 고칠 수 없습니다.",
        "Something was decided on the last card, or another was drawn: it is corrected no more.",
    ),
    "same_card": (
        "이미 {face}(으)로 기록되어 있습니다.",
        "It is {face} on the table already.",
    ),
    "note_needed": (
        "목록에 없는 이유는 메모로 적어 주세요.",
        "A reason that is not on the list needs a note.",
    ),
    "no_open_round": ("취소할 라운드가 없습니다.", "There is no open round to void."),
    # The shoe.
    "shoe_not_in_play": (
        "사용 중인 슈가 없습니다. 확인된 새 슈가 필요합니다.",
        "No shoe is in play: a new, verified shoe is needed.",
    ),
    "shoe_change_due": (
        "컷 카드가 나왔습니다. 새 슈로 교체하세요.",
        "The cut card is out: change the shoe.",
    ),
    "shoe_in_play": ("슈 {shoe}은(는) 이미 사용 중입니다.", "Shoe {shoe} is in play already."),
    "same_shoe": (
        "슈 {shoe}은(는) 방금까지 쓰던 슈입니다. 확인하고 섞은 뒤 새 번호로 넣으세요.",
        "Shoe {shoe} has been dealt from: check and shuffle it, and load it under a new number.",
    ),
    "burn_due": (
        "먼저 카드 {left}장을 버려야 합니다 (번).",
        "Cards to burn first: {left}.",
    ),
    "shoe_barred": (
        "슈 {shoe}은(는) 카드 수가 맞지 않았거나 세지 않아서 다시 쓸 수 없습니다.",
        "Shoe {shoe} did not count out, or was never counted, and may not be used again.",
    ),
    "shoe_not_waiting": (
        "슈 {shoe}은(는) 세기를 기다리는 슈가 아닙니다. 슈를 뺀 뒤에 셉니다.",
        "Shoe {shoe} does not wait to be counted; a shoe is counted after it is out.",
    ),
    "shoe_not_loaded": (
        "슈 {shoe}이(가) 장착되어 있지 않습니다.",
        "Shoe {shoe} is not loaded.",
    ),
    # People and links.
    "hosts_only": (
        "이 명령은 게임 호스트만 할 수 있습니다.",
        "Only the game host may say this.",
    ),
    "host_is_lost": (
        "게임 호스트의 연결이 끊긴 상태입니다. 다시 연결한 뒤에 보내세요.",
        "The game host is lost: connect again first.",
    ),
    "not_for_hosts": (
        "게임 호스트는 이 명령을 할 수 없습니다.",
        "A game host may not say this.",
    ),
    "console_only": (
        "딜러 콘솔에서만 할 수 있습니다.",
        "This is done at the dealer's console only.",
    ),
    "console_or_pit": (
        "딜러 콘솔이나 피트 콘솔에서만 할 수 있습니다.",
        "This is done at the dealer's or the pit's console only.",
    ),
    "dealer_keys_only": (
        "이 테이블은 딜러 콘솔에서 입력합니다.",
        "At this table the dealer keys this at the console.",
    ),
    "table_paused": (
        "테이블이 휴식 중입니다. 먼저 다시 여세요.",
        "The table is paused; open it again first.",
    ),
    "table_closed": (
        "테이블이 닫혀 있습니다. 감독이 다시 엽니다.",
        "The table is closed; a supervisor opens it again.",
    ),
    "table_is_so": (
        "테이블이 이미 그 상태입니다.",
        "The table is so already.",
    ),
    "no_dealer": ("딜러가 로그인하지 않았습니다.", "No dealer is logged in."),
    "supervisor_only": (
        "감독이 먼저 PIN을 입력해야 합니다.",
        "A supervisor has to sign in first.",
    ),
    "reserved_number": (
        "'{staff}'은(는) 직원 번호로 쓸 수 없습니다. 다른 번호로 등록하세요.",
        "'{staff}' cannot be a person's number: register another.",
    ),
    "wrong_pin": (
        "직원 번호 또는 PIN이 맞지 않습니다 ({staff}).",
        "Staff number or PIN is wrong ({staff}).",
    ),
    "pin_locked": (
        "PIN을 여러 번 틀려 {staff} 번이 {minutes}분간 잠겼습니다.",
        "Too many wrong PINs: {staff} is locked for {minutes} minutes.",
    ),
    "pin_barred": (
        "PIN을 열 번 틀려 {staff} 번이 잠겼습니다. 교대 책임자가 풀어야 합니다.",
        "Ten wrong PINs: {staff} is locked until a shift manager unlocks the number.",
    ),
    "place_locked": (
        "여기({link})에서 잘못된 시도가 너무 많았습니다. 한 시간이 지나야 로그인할 수 있습니다.",
        "Too many wrong tries here ({link}): nobody signs in here until the hour is over.",
    ),
    "pin_is_once": (
        "{staff} 번의 PIN은 일회용입니다. 먼저 `dealer-station staff reset {staff}`(으)로 "
        "자기 PIN을 정하세요.",
        "What {staff} has is a one-time secret: exchange it for a PIN first, with "
        "`dealer-station staff reset {staff}`.",
    ),
    "person_disabled": (
        "{staff} 번은 사용이 중지되었습니다 ({since}). 교대 책임자에게 문의하세요.",
        "{staff} was disabled on {since}; ask a shift manager.",
    ),
    "licence_over": (
        "딜러 {staff}의 면허가 {until}에 끝났습니다. 교대 책임자가 갱신을 등록합니다.",
        "The licence of dealer {staff} ended on {until}; a shift manager records a new one.",
    ),
    "no_licence": (
        "딜러 {staff}의 면허가 등록되어 있지 않습니다. 교대 책임자가 등록합니다.",
        "No licence is recorded for dealer {staff}; a shift manager records it.",
    ),
    "game_not_permitted": (
        "딜러 {staff}은(는) 블랙잭 허가가 없습니다. 교대 책임자가 등록합니다.",
        "Dealer {staff} has no permission for blackjack; a shift manager records it.",
    ),
    "game_permission_over": (
        "딜러 {staff}의 블랙잭 허가가 {until}에 끝났습니다. 교대 책임자가 갱신을 등록합니다.",
        "The permission of dealer {staff} for blackjack ended on {until}; a shift manager records "
        "a new one.",
    ),
    "at_another_table": (
        "{staff} 번은 테이블 {table}에 로그인되어 있습니다. 먼저 거기서 로그아웃하세요.",
        "{staff} is signed in at table {table}: sign out there first.",
    ),
    "duty_unknown": (
        "{staff} 번이 다른 테이블에 있는지 확인할 수 없습니다. 기술자를 부르세요.",
        "It cannot be seen whether {staff} is at another table: call a technician.",
    ),
    "badge_unknown": (
        "등록되지 않은 배지입니다.",
        "Nobody has this badge.",
    ),
    "manager_only": (
        "교대 책임자가 먼저 PIN을 입력해야 합니다.",
        "A shift manager has to sign in first.",
    ),
    "not_locked": (
        "{staff} 번은 잠겨 있지 않습니다.",
        "{staff} is not locked.",
    ),
    "dealer_on_duty": (
        "딜러 {staff}이(가) 근무 중입니다. 먼저 로그아웃해야 합니다.",
        "Dealer {staff} is on duty and has to log out first.",
    ),
    "change_between_rounds": (
        "라운드 사이에만 할 수 있습니다.",
        "This is done between rounds only.",
    ),
    "not_signed_in": (
        "{staff} 번은 여기에 로그인되어 있지 않습니다.",
        "{staff} is not signed in here.",
    ),
    "no_call": ("감독 호출이 없습니다.", "Nobody has called."),
    # Holds.
    "table_holds": (
        "테이블이 정지 상태입니다. 먼저 정지를 해제해야 합니다.",
        "The table holds; the hold has to be ruled on first.",
    ),
    "already_waiting": ("이미 대기 중입니다.", "The table is waiting already."),
    "already_stopped": ("이미 비상 정지 중입니다.", "The table is stopped already."),
    "stale_hold": ("그 정지는 이미 끝났습니다.", "That hold is over."),
    "supervisor_rules": (
        "이 정지는 감독만 해제할 수 있습니다.",
        "Only a supervisor ends this hold.",
    ),
    "ruling_not_open": (
        "이 경우에는 그 결정을 할 수 없습니다.",
        "That ruling is not open for this incident.",
    ),
    "cards_are_out": (
        "카드가 나와 있어 그냥 해제할 수 없습니다. 카드를 확인하세요.",
        "Cards are out: the table has to be aligned first.",
    ),
    "no_cards_out": ("나와 있는 카드가 없습니다.", "No cards are out."),
    "card_changed_order": (
        "카드 순서가 바뀌어 버릴 수 없습니다. 라운드를 취소해야 합니다.",
        "The card changed the order of play: it cannot be burned, the round is void.",
    ),
    "round_disputed": (
        "라운드 {round}에 이의가 제기되었습니다. 감독이 먼저 결정해야 합니다.",
        "Round {round} is disputed: a supervisor has to answer first.",
    ),
    "disputed_already": (
        "라운드 {round}에는 이미 이의가 제기되었습니다.",
        "Round {round} is disputed already.",
    ),
    "not_disputed": (
        "라운드 {round}에는 이의가 없습니다.",
        "Round {round} is not disputed.",
    ),
    "escalated_already": (
        "라운드 {round}은(는) 이미 시프트 매니저에게 넘겨졌습니다.",
        "Round {round} is with the shift manager already.",
    ),
    "not_settled_yet": (
        "라운드 {round}은(는) 아직 정산되지 않았습니다.",
        "Round {round} is not settled yet: report the mistake, or void it.",
    ),
    "round_too_old": (
        "라운드 {round}은(는) 최근 라운드가 아닙니다.",
        "Round {round} is none of the last rounds of this table.",
    ),
    "no_card_unread": (
        "손으로 입력할 카드가 없습니다.",
        "No card waits to be entered by hand.",
    ),
    "card_is_out": (
        "{face} (덱 {deck})은(는) 라운드 {round}에서 이미 나왔습니다.",
        "{face} of deck {deck} came out in round {round} already.",
    ),
    "not_of_this_shoe": (
        "{face}은(는) 이 슈에서 더 나올 수 없습니다.",
        "{face} cannot come from this shoe any more.",
    ),
    "second_is_first": (
        "다른 사람의 번호와 PIN이 필요합니다.",
        "A second person has to confirm it, with his own number and PIN.",
    ),
    "strict_voids": (
        "이 테이블의 규정에서는 라운드를 취소해야 합니다.",
        "By this table's policy the round has to be void.",
    ),
    "last_card_not_reread": (
        "마지막 카드 {face}을(를) 다시 읽어야 합니다.",
        "Read the last card, {face}, again first.",
    ),
    "drawn_during_hold": (
        "정지 중에 {face}이(가) 나왔습니다. 라운드를 취소해야 합니다.",
        "{face} was drawn while the table held: the round has to be voided.",
    ),
    "table_changed": (
        "그 사이에 테이블이 바뀌었습니다. 화면을 다시 확인하세요.",
        "The table has changed meanwhile; look again.",
    ),
    "reader_not_up": (
        "리더 '{device}'이(가) 준비되지 않았습니다.",
        "The reader '{device}' is not ready.",
    ),
    # Locks: what the station found out, and who acknowledges it.
    **CONDITIONS,
    "clearers_only": (
        "감독, 교대 책임자 또는 기술자가 먼저 로그인해야 합니다.",
        "A supervisor, a shift manager or a technician has to sign in first.",
    ),
    "stale_lock": (
        "그 잠금은 이미 없거나 새로 생겼습니다.",
        "That lock is over, or has come anew.",
    ),
    "lock_stands": (
        "원인이 아직 있습니다. 먼저 고쳐야 합니다.",
        "Its cause is still there: it has to be put right first.",
    ),
    "lock_not_yours": (
        "이 잠금은 다른 권한이 있는 사람이 풉니다.",
        "This lock is for another role to end; it says whose.",
    ),
    # The link and the journal.
    "malformed": (
        "명령을 이해할 수 없습니다: {detail}",
        "The command cannot be understood: {detail}",
    ),
    "id_reused": (
        "같은 번호의 다른 명령이 이미 있었습니다.",
        "This id was used for another command.",
    ),
    "journal_unavailable": (
        "기록 장치에 쓸 수 없습니다. 감독을 부르세요.",
        "The journal cannot be written; call the supervisor.",
    ),
    # Shoes that are checked and put in.
    **shoes.REFUSALS,
}
