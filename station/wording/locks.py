"""What keeps the next round from starting, what to do about it, and who ends it."""

from __future__ import annotations

from collections.abc import Sequence

Words = tuple[str, str]

# What the station found out. What the table's own state says is worded with the refusals.
CONDITIONS: dict[str, Words] = {
    "journal_failed": (
        "기록을 쓰지 못한 적이 있습니다.",
        "The journal could not be written for a while.",
    ),
    "journal_readonly": (
        "기록 폴더에 쓸 수 없습니다.",
        "The journal's folder cannot be written.",
    ),
    "disk_low": (
        "기록 디스크가 거의 찼습니다: {free} MB 남음, 약 {rounds}라운드 (한계 {limit} MB).",
        "The journal's disk is nearly full: {free} MB left, about {rounds} rounds "
        "(limit {limit} MB).",
    ),
    "evidence_disk_low": (
        "사진 디스크가 거의 찼습니다: {free} MB 남음 (한계 {limit} MB).",
        "The disk of the pictures is nearly full: {free} MB left (limit {limit} MB).",
    ),
    "self_check_failed": (
        "설치된 프로그램이 기록과 다릅니다 ({count}곳).",
        "The installed program is not as recorded ({count} places).",
    ),
    "self_check_missing": (
        "설치된 프로그램을 확인하지 못했습니다.",
        "The installed program could not be checked.",
    ),
    "rules_changed": (
        "테이블 규칙이 바뀌었습니다: {before} → {now}.",
        "The table's rules were changed: {before} → {now}.",
    ),
    "rules_differ": (
        "설정 파일의 규칙({file})이 이 테이블의 규칙({table})과 다릅니다.",
        "The rules in the table's file ({file}) are not those of this table ({table}).",
    ),
    "clock_stepped": (
        "시계가 {seconds}초 바뀌었습니다.",
        "The clock was set by {seconds} s.",
    ),
    "clock_unsynced": (
        "시계가 시간 서버와 {limit}초 안으로 맞춰져 있지 않습니다.",
        "No time server keeps the clock to within {limit} s.",
    ),
    "staff_file_exposed": (
        "직원 파일을 다른 사용자가 읽을 수 있었습니다.",
        "Others could read the staff file.",
    ),
    "staff_file_broken": (
        "직원 파일을 읽을 수 없습니다.",
        "The staff file cannot be used.",
    ),
    "watch_silent": (
        "디스크·시계·프로그램 감시가 멈췄습니다.",
        "Disk, clock and program are not being watched.",
    ),
    "shoe_too_old": (
        "슈 {shoe}을(를) {hours}시간 넘게 사용했습니다.",
        "Shoe {shoe} has been dealt from for more than {hours} hours.",
    ),
    "host_rules": (
        "게임 호스트의 규칙({host})이 이 테이블의 규칙({table})과 다릅니다.",
        "The game host plays by other rules ({host}) than this table ({table}).",
    ),
}

_LOG_IN: Words = (
    "교대 책임자가 등록을 고치거나, 다른 딜러가 로그인합니다.",
    "A shift manager puts it right, or another dealer logs in.",
)
# What to do next.
DO: dict[str, Words] = {
    "shoe_not_in_play": (
        "확인하고 섞은 슈를 넣고 승인합니다.",
        "Put in a checked and shuffled shoe, and release it.",
    ),
    "shoe_change_due": ("슈를 교체합니다.", "Change the shoe."),
    "burn_due": ("번 카드를 뽑습니다.", "Draw the burn card."),
    "table_holds": (
        "화면의 정지 사유를 보고 결정합니다.",
        "Look at what the hold says, and rule on it.",
    ),
    "table_paused": ("테이블을 다시 엽니다.", "Open the table again."),
    "table_closed": ("테이블을 다시 엽니다.", "Open the table again."),
    "no_dealer": ("딜러가 로그인합니다.", "A dealer logs in."),
    "person_disabled": _LOG_IN,
    "no_licence": _LOG_IN,
    "licence_over": _LOG_IN,
    "game_not_permitted": _LOG_IN,
    "game_permission_over": _LOG_IN,
    "pin_is_once": _LOG_IN,
    "at_another_table": (
        "저쪽 테이블에서 로그아웃하거나, 다른 딜러가 로그인합니다.",
        "Sign out there, or another dealer logs in.",
    ),
    "round_disputed": (
        "그 라운드를 확인하고 이의에 답합니다.",
        "Look at that round, and answer the dispute.",
    ),
    "journal_failed": (
        "디스크를 확인하고, 무엇을 했는지 적어 확인합니다.",
        "Look at the disk, and say what was done about it.",
    ),
    "journal_readonly": (
        "디스크를 쓰기 가능하게 되돌리고 권한을 확인합니다.",
        "Make the disk writable again, and look at the folder's rights.",
    ),
    "disk_low": ("디스크에 자리를 만듭니다.", "Make room on the disk."),
    "evidence_disk_low": ("디스크에 자리를 만듭니다.", "Make room on the disk."),
    "self_check_failed": (
        "배포본을 다시 설치하고 `dealer-station selfcheck`로 확인합니다.",
        "Install the release anew, and see `dealer-station selfcheck`.",
    ),
    "self_check_missing": (
        "`dealer-station selfcheck`가 무엇이 없는지 말합니다.",
        "`dealer-station selfcheck` says what is missing.",
    ),
    "rules_changed": (
        "화면의 규칙을 읽고, 이 규칙이 맞는지 확인합니다.",
        "Read the rules on the screen, and confirm that these are to be played.",
    ),
    "rules_differ": (
        "파일을 되돌리거나, 라운드 사이에 스테이션을 다시 시작합니다.",
        "Put the file back, or start the station anew between rounds.",
    ),
    "clock_stepped": (
        "시계가 왜 바뀌었는지 알아보고 적습니다.",
        "Find out why the clock was set, and write it down.",
    ),
    "clock_unsynced": (
        "시간 서버 연결을 확인합니다 (`timedatectl`).",
        "See that a time server can be reached (`timedatectl`).",
    ),
    "staff_file_exposed": (
        "파일 권한을 600으로 하고, 읽혔을 수 있으면 모두의 PIN을 새로 줍니다.",
        "Make its mode 600, and give everybody a new PIN if somebody may have read it.",
    ),
    "staff_file_broken": (
        "좋은 사본을 되돌립니다. 로그가 무엇이 틀렸는지 말합니다.",
        "Put back a good copy; the log says what is wrong with it.",
    ),
    "watch_silent": (
        "디스크가 응답하는지 보고, 라운드 사이에 스테이션을 다시 시작합니다.",
        "See whether the disk answers, and start the station anew between rounds.",
    ),
    "shoe_too_old": ("슈를 교체합니다.", "Change the shoe."),
    "host_rules": (
        "호스트를 이 테이블의 규칙으로 맞춥니다.",
        "Have the host play by this table's rules.",
    ),
    "reader_not_up": ("리더를 확인합니다.", "Look at the reader."),
    "host_is_lost": ("게임 호스트의 연결을 확인합니다.", "Look at the game host's link."),
}
UNKNOWN: Words = (
    "다른 버전이 기록한 잠금입니다: {code}.",
    "A lock of another release: {code}.",
)
# Of a lock of another release.
CALL: Words = ("기술자를 부릅니다.", "Call a technician.")
ROLES: dict[str, Words] = {
    "dealer": ("딜러", "a dealer"),
    "supervisor": ("감독", "a supervisor"),
    "shift_manager": ("교대 책임자", "a shift manager"),
    "technician": ("기술자", "a technician"),
}
BY_ITSELF: Words = ("원인이 사라지면 저절로 풀립니다.", "It ends by itself with its cause.")
BY_PERSON: Words = ("{roles}만 풀 수 있습니다.", "Ended by {roles}.")
LATCHED: Words = (
    "원인을 고친 뒤 {roles}의 확인이 필요합니다.",
    "Once its cause is gone, acknowledged by {roles}.",
)
ACKNOWLEDGED: Words = ("{roles}의 확인이 필요합니다.", "To be acknowledged by {roles}.")
# In front of what bars the next round, while one runs.
NEXT: Words = ("다음 라운드 잠김: {what}", "Next round locked: {what}")
MORE: Words = (" (외 {count}건)", " (and {count} more)")


def roles(by: Sequence[str]) -> Words:
    """Those roles in words, `a or b`."""
    names = [ROLES[role] for role in by]
    return " 또는 ".join(ko for ko, _ in names), " or ".join(en for _, en in names)
