"""What is said of readers and boards: how they are, what they read, what is wrong with them.

To a dealer in a few words; to a technician with what to look at.
"""

from __future__ import annotations

# health: for the dealer, for the technician.
HEALTH: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "up": (("정상", "Ready"), ("포트가 열려 있음 {detail}", "The port is open {detail}")),
    "waiting": (
        ("연결 대기 중. 케이블과 전원을 확인하세요", "Not connected: check cable and power"),
        (
            "설정된 이름의 포트가 아직 없음: 케이블·전원·포트 이름 확인 "
            "(dealer-station devices). {detail}",
            "Nothing was ever there under the configured name: check cable, power and the name "
            "(dealer-station devices). {detail}",
        ),
    ),
    "lost": (
        ("연결 끊김. 케이블을 확인하세요", "Lost: check the cable"),
        (
            "열려 있던 포트가 사라짐: 케이블·USB 허브·전원 확인. 자동으로 다시 연결함. {detail}",
            "The port was open and is gone: check cable, USB hub and power. It is tried again for "
            "ever. {detail}",
        ),
    ),
    "busy": (
        ("다른 프로그램이 사용 중입니다", "Another program has the port"),
        (
            "다른 프로그램이 포트를 잡고 있음: fuser로 찾아 종료 (ModemManager, 두 번째 "
            "스테이션?). {detail}",
            "Another program holds the port: find it with fuser and end it (ModemManager, a "
            "second station?). {detail}",
        ),
    ),
    "denied": (
        ("사용 권한이 없습니다. 기술자를 부르세요", "No right to the port: call a technician"),
        (
            "이 사용자에게 포트 권한이 없음: udev 규칙과 그룹 확인 (dealer-station doctor). "
            "{detail}",
            "This user may not open the port: check udev rules and groups (dealer-station "
            "doctor). {detail}",
        ),
    ),
    "misconfigured": (
        (
            "포트 설정이 잘못되었습니다. 기술자를 부르세요",
            "The port's settings do not fit: call a technician",
        ),
        (
            "그 이름에 다른 장치가 있거나 포트가 설정을 받지 않음. {detail}",
            "Another device is there, or the port does not take the settings. {detail}",
        ),
    ),
    "impaired": (
        ("일부 기능이 고장났습니다", "A part of it does not work"),
        (
            "버튼이나 배지 리더 등 일부만 고장: 카드 진행에는 영향 없음. {detail}",
            "A button or the badge reader is at fault; cards go on without it. {detail}",
        ),
    ),
    "not_answering": (
        ("명령에 응답하지 않음", "Takes no commands"),
        (
            "장치가 보낸 명령을 받지 않음 (읽기는 계속됨): 흐름 제어·배선 확인. {detail}",
            "It does not take what is sent to it (it may still read): check wiring and flow "
            "control. {detail}",
        ),
    ),
    "garbled": (
        (
            "읽을 수 없는 데이터. 통신 속도(baud)·패리티를 확인하세요",
            "Unreadable data: check scanner baud and parity",
        ),
        (
            "받은 바이트가 프로토콜에 맞지 않음: 통신 속도·패리티·데이터 비트·종류(kind) 확인 "
            "(dealer-station device test). {detail}",
            "The bytes fit no message: check baud rate, parity, data bits and kind "
            "(dealer-station device test). {detail}",
        ),
    ),
    "blind": (
        ("카메라가 보지 못합니다. 손을 멈추세요", "The camera does not see: stop"),
        (
            "카메라는 연결되어 있으나 쓸 수 있는 영상이 없음. {detail}",
            "The camera is there and gives no pictures that can be used. {detail}",
        ),
    ),
    "covered": (
        (
            "카드 창이 가려져 있습니다. 창을 비우세요",
            "The window is covered: clear it, draw nothing",
        ),
        (
            "창이 가려짐: 손·먼지·이물 확인. {detail}",
            "Something covers the window: a hand, dirt, a thing left there. {detail}",
        ),
    ),
    "silent": (
        ("응답 없음. 전원을 확인하세요", "Does not answer: check its power"),
        (
            "포트는 열려 있으나 확인 신호에 답이 없음: 장치 전원·모드 확인. {detail}",
            "The port is open and the heartbeat goes unanswered: check the device's power and "
            "mode. {detail}",
        ),
    ),
}

# What a state of a camera comes from, where that says more than the state; as in HEALTH.
CAUSES: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "stalled": (
        ("카메라 화면이 멈췄습니다. 손을 멈추세요", "The camera gives no pictures: stop"),
        (
            "카메라가 영상을 보내지 않음: USB 케이블·허브·전원 확인. {detail}",
            "No pictures come: check USB cable, hub and power. {detail}",
        ),
    ),
    "frozen": (
        ("카메라가 같은 화면만 보냅니다. 손을 멈추세요", "The camera's picture is frozen: stop"),
        (
            "같은 영상이 반복됨: 카메라를 뽑았다가 다시 꽂으세요. {detail}",
            "The same picture comes again and again: unplug the camera and plug it in again. "
            "{detail}",
        ),
    ),
    "black": (
        ("카메라 화면이 깜깜합니다. 손을 멈추세요", "The camera sees nothing but black: stop"),
        (
            "화면이 검음: 렌즈 덮개·조명·노출 확인. {detail}",
            "The picture is black: check lens cap, light and exposure. {detail}",
        ),
    ),
    "torn": (
        ("카메라 화면이 자주 깨집니다", "The camera's pictures arrive damaged"),
        (
            "깨진 영상(JPEG)이 많음: USB 케이블·허브 확인, 다른 USB 포트로. {detail}",
            "Many damaged pictures: check USB cable and hub, use another socket. {detail}",
        ),
    ),
    "slow": (
        ("카메라가 느립니다. 천천히 뽑으세요", "The camera is slow: draw slowly"),
        (
            "영상이 설정보다 훨씬 적게 옴: 노출·USB·CPU 부하 확인. {detail}",
            "Far fewer pictures than asked for: check exposure, USB and this machine's load. "
            "{detail}",
        ),
    ),
    "too_slow": (
        (
            "카메라가 너무 느립니다. 손을 멈추세요",
            "The camera is too slow to see every card: stop",
        ),
        (
            "카드가 보이지 않고 지나갈 수 있음: 노출·USB·CPU 부하 확인. {detail}",
            "A card may pass unseen: check exposure, USB and this machine's load. {detail}",
        ),
    ),
    "exposure": (
        ("카메라 밝기가 바뀌었습니다", "The camera's light has changed"),
        (
            "빈 창의 밝기가 처음과 다름: LED·노출·렌즈 확인. {detail}",
            "The empty window is far brighter or darker than it was: check LED, exposure and "
            "lens. {detail}",
        ),
    ),
    "settings_refused": (
        ("카메라 설정이 일부 적용되지 않았습니다", "The camera did not take all settings"),
        (
            "카메라가 받지 않은 설정: {detail}. 설정 파일이나 카메라를 바꾸세요",
            "Settings the camera did not take: {detail}. Change them in the file, or the camera",
        ),
    ),
    "part_missing": (
        (
            "판독 프로그램 일부가 없습니다. 기술자를 부르세요",
            "A decoder is not installed: call a technician",
        ),
        ("설치되지 않음: {detail}", "Not installed: {detail}"),
    ),
    "evidence_failed": (
        ("카드 사진이 저장되지 않습니다", "Pictures of cards are not kept"),
        (
            "사진을 저장할 수 없음: 디스크·권한 확인. 카드는 계속 읽음. {detail}",
            "Pictures cannot be written: check the disk and its rights; cards are read on. "
            "{detail}",
        ),
    ),
}

# What became of the last read.
READS: dict[str, tuple[str, str]] = {
    "dealt": ("읽음", "Read"),
    "repeat": ("같은 카드 반복 · 무시함", "Same card again · ignored"),
    "corrected": ("카드 정정됨", "Card corrected"),
    "reread": ("마지막 카드 확인됨", "Last card confirmed"),
    "doubted": ("같은 카드인지 확인 필요", "Same card, or another one?"),
    "exposed": ("받을 사람이 없는 카드", "Nobody is owed a card"),
    "burned": ("카드를 버렸습니다 (번)", "Card burned"),
    "cut_card": ("컷 카드 · 이번이 마지막 라운드", "Cut card · this is the last round"),
    "restarted": ("리더가 다시 켜졌습니다", "The reader was switched on again"),
    "button": ("도움 버튼이 눌렸습니다", "The help button was pressed"),
    "held": ("정지 중에 읽힘 · 사용하지 않음", "Read while held · not dealt"),
    "shoe_not_in_play": ("사용 중인 슈가 없음 · 사용하지 않음", "No shoe in play · not dealt"),
    "incomplete": ("코드가 끊겼습니다 · 다시 읽으세요", "Incomplete scan · scan again"),
    "not_a_card": ("카드 코드가 아닙니다 · 다시 읽으세요", "Not a card's code · scan again"),
    "bad_check": ("검사 문자 오류 · 다시 읽으세요", "Check character wrong · scan again"),
    "garbage": ("읽을 수 없는 데이터 · 다시 읽으세요", "Unreadable data · scan again"),
    "too_long": ("너무 긴 코드 · 다시 읽으세요", "Code too long · scan again"),
    "unread": (
        "리더가 카드를 읽지 못했습니다 · 다시 읽으세요",
        "The reader could not read it · scan again",
    ),
    "passed_unread": (
        "카드가 읽히지 않고 지나갔습니다 · 다시 읽으세요",
        "A card passed unread · scan it again",
    ),
    "one_look": (
        "카메라가 또렷이 보지 못했습니다 · 천천히 다시 보여 주세요",
        "Seen too briefly · show it to the camera again, slowly",
    ),
    "contradiction": (
        "카메라가 두 가지로 읽었습니다 · 천천히 다시 보여 주세요",
        "Read in two ways · show it to the camera again, slowly",
    ),
    "one_witness": (
        "코드와 인덱스 중 하나만 읽혔습니다 · 다시 보여 주세요",
        "Only code or index was read · show it to the camera again",
    ),
    "witnesses_disagree": (
        "코드와 인쇄가 다릅니다 · 손을 멈추고 감독을 부르세요",
        "Code and print differ · stop, call the supervisor",
    ),
    "two_cards": (
        "카드 두 장이 함께 나왔습니다 · 멈추고 감독을 부르세요",
        "Two cards came together · stop, call the supervisor",
    ),
    "joker": ("조커입니다 · 멈추고 감독을 부르세요", "A joker · stop, call the supervisor"),
    "card_back": (
        "카드 뒷면입니다 · 멈추고 감독을 부르세요",
        "The back of a card · stop, call the supervisor",
    ),
    "pushed_back": (
        "읽은 카드가 슈로 들어갔습니다 · 멈추고 감독을 부르세요",
        "A card went back into the shoe · stop, call the supervisor",
    ),
    "disputed": (
        "읽은 카드가 다르게 보였습니다 · 멈추고 감독을 부르세요",
        "A card read was seen otherwise · stop, call the supervisor",
    ),
    "repeat_in_doubt": (
        "같은 카드인지 알 수 없습니다 · 다시 읽으세요",
        "Maybe told before · scan again",
    ),
    "foreign_symbology": (
        "허용되지 않은 바코드 종류입니다",
        "A kind of barcode the cards do not use",
    ),
    "typing": ("키보드 입력은 카드가 아닙니다", "Typing is not a card"),
    "caps_lock": (
        "Caps Lock이 켜져 있습니다 · 끄고 다시 읽으세요",
        "Caps Lock is on · switch it off, scan again",
    ),
    "keyboard_layout": (
        "스캐너의 키보드 배열이 다릅니다 · US로 바꾸세요",
        "The scanner types another keyboard layout · set it to US",
    ),
    "hangul": (
        "한글 입력 상태입니다 · 한/영 키를 누르고 다시 읽으세요",
        "Hangul input is on · press the Korean/English key, scan again",
    ),
    "no_read": ("읽지 못함 · 다시 읽으세요", "No read · scan again"),
    "card": ("읽음", "Read"),
}

# The same of what stopped the table, when no hold is open for it any more: nobody is to stop.
READS_RULED: dict[str, tuple[str, str]] = {
    "witnesses_disagree": ("코드와 인쇄가 달랐습니다", "Code and print differed"),
    "two_cards": ("카드 두 장이 함께 나왔습니다", "Two cards came together"),
    "joker": ("조커가 보였습니다", "A joker was seen"),
    "card_back": ("카드 뒷면이 보였습니다", "The back of a card was seen"),
    "pushed_back": ("읽은 카드가 슈로 들어갔습니다", "A card went back into the shoe"),
    "disputed": ("읽은 카드가 다르게 보였습니다", "A card read was seen otherwise"),
}

# A device's fault, by its code; one that is not here is told by its code. An alarm of a Bee-Tek
# shoe bears a number of its own: see `fault`.
FAULTS: dict[str, tuple[str, str]] = {
    "internal": ("프로그램 내부 오류", "a fault of this program"),
    "inbox_full": ("읽기가 너무 많이 밀렸습니다", "too many reads waited"),
    "restarted": (
        "전원이 꺼졌다 켜졌습니다. 카드를 확인하세요",
        "it was without power: compare the cards",
    ),
    "other_device": ("등록되지 않은 장치입니다", "it is not this table's device"),
    "not_packeted": (
        "스캐너 설정이 바뀌었습니다. 카드를 다시 읽으세요",
        "the scanner's settings changed: scan the card again",
    ),
    "setting_refused": ("스캐너가 준비되지 않았습니다", "the scanner is not ready"),
    "missed_reports": (
        "슈의 보고가 빠졌습니다. 펠트의 카드를 모두 확인하세요",
        "reports of the shoe are missing: compare all cards on the felt",
    ),
    "conflicting_reports": (
        "슈가 한 장을 두 가지로 보고했습니다. 그 카드를 확인하세요",
        "the shoe told two cards for one draw: compare that card",
    ),
    "noisy_line": ("슈의 배선에 잡음이 많습니다", "the shoe's wire is noisy"),
    "settings_changed": ("슈의 설정이 바뀌었습니다", "somebody changed a setting of the shoe"),
    "unknown_report": ("슈가 알 수 없는 보고를 보냈습니다", "the shoe sent an unknown report"),
    "cannot_read": ("슈가 카드를 읽지 못했습니다 (오류 1)", "it cannot read a card (error 1)"),
    "overdraw": (
        "카드가 한 장 더 뽑혔습니다 (오류 2). 슈에서 해제하세요",
        "one card too many was drawn (error 2): clear it at the shoe",
    ),
    "button": (
        "슈의 버튼이 잘못 눌렸습니다 (오류 3). 슈에서 해제하세요",
        "a button was pressed wrongly (error 3): clear it at the shoe",
    ),
    "pushed_back": (
        "카드가 출구에서 되밀렸습니다 (오류 4)",
        "a card was pushed back at the exit (error 4)",
    ),
    "pushed_back_midway": (
        "카드가 도중에 되밀렸습니다 (오류 5)",
        "a card was pushed back midway (error 5)",
    ),
    "foreign_card": (
        "슈가 다른 카드의 코드를 읽었습니다 (오류 6)",
        "it read the code of a foreign card (error 6)",
    ),
    "draw_timeout": (
        "카드를 뽑는 시간이 초과되었습니다 (오류 7)",
        "a card was drawn too slowly (error 7)",
    ),
    "unknown_error": ("슈가 알 수 없는 오류를 알렸습니다", "the shoe reports an unknown error"),
    "error_mode": (
        "슈가 오류 상태입니다. 슈에서 해제하세요",
        "the shoe is in error mode: clear it at the shoe",
    ),
    "setting_mode": ("슈가 설정 상태입니다", "the shoe is in setting mode"),
    "alarm": ("슈 경보", "an alarm of the shoe"),
    "alarm_e3": ("슈가 카드를 읽지 못했습니다 (E3)", "the shoe could not read a card (E3)"),
    "unknown_record": ("슈가 알 수 없는 글을 보냈습니다", "the shoe wrote something unknown"),
    "other_version": (
        "장치와 프로그램의 버전이 다릅니다",
        "it speaks another version of the protocol",
    ),
    "reads_lost": (
        "카메라가 읽은 카드가 빠졌습니다. 펠트의 카드를 모두 확인하세요",
        "reads of the camera are missing: compare all cards on the felt",
    ),
    "no_sensor": ("보드에 카드 센서가 없습니다", "the board has no card-out sensor"),
    "events_lost": (
        "보드의 신호가 빠졌습니다. 카드를 확인하세요",
        "signals of the board are missing: compare the cards",
    ),
    "brake_fault": ("슈 브레이크 고장", "the shoe's brake is at fault"),
    "sensor_fault": ("카드 센서 고장", "the card-out sensor is at fault"),
}


def fault(code: str) -> tuple[str, str]:
    """What a device's fault is called, in both languages."""
    number = code.removeprefix("alarm_")
    if code in FAULTS or number == code:
        return FAULTS.get(code, (code, code))
    ko, en = FAULTS["alarm"]
    return f"{ko} ({number.upper()})", f"{en} ({number.upper()})"


UNCHECKED = (
    "검사 문자나 덱 번호가 없는 카드 코드 사용 중",
    "Card codes without a check character or deck number are in use",
)
# The prompt of a reader that reads worse than it should.
WINDOW = ("리더 창을 닦으세요", "Clean the reader's window")
WORN = ("덱 {deck}의 {face} 카드를 교체하세요", "Replace {face} of deck {deck}")
WORN_FACE = ("{face} 카드 중 잘 읽히지 않는 것이 있습니다", "One of the {face} cards reads badly")
# The station has no folder for the pictures of what is read.
UNKEPT = (
    "카드 사진이 저장되지 않습니다. 기술자를 부르세요 (evidence 폴더)",
    "Pictures of cards are not kept: call a technician (folder of evidence)",
)
