"""What a hold says where its code is not all: why a reader is away and what mends it, and what
about a read is in doubt.
"""

from __future__ import annotations

# By the cause of a device's state, or the state: what happened, and what to look at first.
AWAY: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "black": (
        (
            "카메라 '{device}' 화면이 깜깜합니다.",
            "The camera '{device}' sees nothing but black.",
        ),
        ("렌즈 덮개와 조명을 확인하세요.", "Check the lens cap and the light."),
    ),
    "frozen": (
        (
            "카메라 '{device}'에서 같은 화면만 들어옵니다.",
            "The camera '{device}' sends one picture again and again.",
        ),
        ("카메라를 뽑았다가 다시 꽂으세요.", "Unplug the camera and plug it in again."),
    ),
    "stalled": (
        (
            "카메라 '{device}'에서 영상이 오지 않습니다.",
            "No pictures come from the camera '{device}'.",
        ),
        (
            "케이블과 전원을 확인하고, 카메라를 뽑았다가 다시 꽂으세요.",
            "Check cable and power; unplug the camera and plug it in again.",
        ),
    ),
    "too_slow": (
        (
            "카메라 '{device}'의 영상이 너무 느려 카드를 놓칠 수 있습니다.",
            "The camera '{device}' is too slow: a card may pass unseen.",
        ),
        ("조명을 확인하고 기술자를 부르세요.", "Check the light and call a technician."),
    ),
    "blind": (
        ("카메라 '{device}'가 보지 못합니다.", "The camera '{device}' does not see."),
        ("렌즈와 조명을 확인하세요.", "Check the lens and the light."),
    ),
    "silent": (
        (
            "리더 또는 센서 '{device}'의 응답이 없습니다.",
            "The reader or sensor '{device}' is silent.",
        ),
        ("전원과 케이블을 확인하세요.", "Check its power and cable."),
    ),
    "lost": (
        (
            "리더 또는 센서 '{device}' 연결이 끊겼습니다.",
            "The reader or sensor '{device}' is lost.",
        ),
        ("케이블을 확인하세요.", "Check its cable."),
    ),
}

# Why a read may be a card that was read before, or none that was drawn; `{card}` has its deck.
DOUBTS: dict[str, tuple[str, str]] = {
    "otherwise": (
        "마지막 카드와 같은 {card} 카드가 다시 읽혔습니다. 같은 카드입니까, 두 번째 {face}입니까?",
        "{card} was read, and the last card was a {face} too. The same card, or a second {face}?",
    ),
    "resent": (
        "슈가 마지막 카드와 같은 {card} 카드를 다시 알렸습니다. 같은 카드입니까, 두 번째입니까?",
        "The shoe told again of {card}, like the last card. The same card, or a second {face}?",
    ),
    "shown": (
        "{card} 카드가 테이블 쪽에서 카메라에 보였습니다. 방금 뽑은 카드입니까?",
        "{card} was shown to the camera from the table's side. Is it the card just drawn?",
    ),
}
DOUBT_RULINGS: dict[tuple[str, str], tuple[str, str]] = {
    ("shown", "same"): (
        "아니요, 이미 있던 카드 · 무시하고 계속",
        "No, it lay there already · ignore it, play on",
    ),
    ("shown", "second"): (
        "예, 방금 뽑은 카드 · 차례대로 사용",
        "Yes, just drawn · it goes where one is owed",
    ),
}
