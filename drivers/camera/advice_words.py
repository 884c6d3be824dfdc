"""The camera's advice in words, Korean and English, each with what to do."""

from __future__ import annotations

from typing import Literal, TypeAlias

from drivers.camera.advice import Advice
from drivers.camera.measured import Measured
from drivers.camera.refusal_words import in_lang

Lang: TypeAlias = Literal["ko", "en"]

# By code: English, Korean. In braces: the advice's figures.
WORDS: dict[str, tuple[str, str]] = {
    "no_picture": (
        "no picture came ({why}): check plug, cable and power; `dealer-station devices` says what "
        "is there",
        "영상이 오지 않습니다 ({why}): 플러그, 케이블, 전원을 확인하십시오. "
        "`dealer-station devices`로 연결된 장치를 볼 수 있습니다",
    ),
    "lost": (
        "the camera went away while it was looked at ({why}): check plug and cable",
        "확인하는 동안 카메라가 끊어졌습니다 ({why}): 플러그와 케이블을 확인하십시오",
    ),
    "refused": (
        "the camera does not take some settings ({what}): write what it can, or use another camera",
        "카메라가 일부 설정을 받지 않습니다 ({what}): 가능한 값으로 고치거나 다른 카메라를 "
        "쓰십시오",
    ),
    "drifted": (
        "the camera does not keep its settings ({what}): it is not fit for a table as it is",
        "카메라가 설정을 유지하지 않습니다 ({what}): 이 상태로는 테이블에 쓸 수 없습니다",
    ),
    "automatic": (
        "left to the camera's automatic: {names}. It will change them in the middle of a card; "
        "write fixed values",
        "카메라 자동에 맡겨진 설정: {names}. 카드가 지나는 중에 바뀝니다. 고정값을 적으십시오",
    ),
    "slow": (
        "only {fps:.0f} pictures a second come, {asked} are asked for: fix the exposure, ask for a "
        "smaller picture, or use a USB 3 port without a hub",
        "초당 영상 {fps:.0f}장만 옵니다 (요청 {asked}장): 노출을 고정하거나, 더 작은 영상을 "
        "쓰거나, 허브 없이 USB 3 단자에 꽂으십시오",
    ),
    "torn": (
        "{percent:.0f} of 100 pictures come damaged: use a shorter cable, no hub, another port",
        "영상 100장 중 {percent:.0f}장이 깨져서 옵니다: 더 짧은 케이블을 쓰고, 허브를 빼고, "
        "다른 단자에 꽂으십시오",
    ),
    "black": (
        "the picture is black: take the lens cap off, switch the lamp on",
        "영상이 검습니다: 렌즈 덮개를 벗기고 조명을 켜십시오",
    ),
    "dark": (
        "too dark: the paper is at {paper:.0f} of 255. Give {times:.1f} times as much light; a "
        "longer exposure would blur",
        "너무 어둡습니다: 종이 밝기가 255 중 {paper:.0f}입니다. 조명을 {times:.1f}배로 "
        "밝히십시오. 노출을 늘리면 번집니다",
    ),
    "dark_expose": (
        "too dark: write exposure_us = {exposure_us}, which is still short enough",
        "너무 어둡습니다: exposure_us = {exposure_us} 로 적으십시오. 이 정도는 번지지 않습니다",
    ),
    "burnt": (
        "too bright: the paper is burnt out. Write exposure_us = {exposure_us}, or less gain",
        "너무 밝습니다: 종이가 하얗게 날아갑니다. exposure_us = {exposure_us} 로 적거나 gain을 "
        "낮추십시오",
    ),
    "glare": (
        "the lamp shines into the lens: {percent:.1f} % of the picture is burnt out (red in the "
        "picture). Turn the lamp by 20 degrees, or put a diffuser before it",
        "조명이 렌즈에 비칩니다: 영상의 {percent:.1f} %가 하얗게 날아갑니다 (그림의 빨간 부분). "
        "조명을 20도 돌리거나 확산판을 대십시오",
    ),
    "wander": (
        "the light goes up and down by {percent:.0f} % with nothing in the window: fix exposure "
        "and gain, or use a lamp that does not flicker (direct current)",
        "창이 비었는데도 밝기가 {percent:.0f} % 오르내립니다: exposure_us와 gain을 고정하거나, "
        "깜박이지 않는 (직류) 조명을 쓰십시오",
    ),
    "no_card": (
        "no card was seen: slide some cards through the window, as fast as at the table",
        "카드가 보이지 않았습니다: 테이블에서처럼 빠르게 카드 몇 장을 창으로 밀어 보십시오",
    ),
    "focus": (
        "out of focus: the card's edge is {px:.1f} px wide, {most:.1f} at most are wanted. Turn "
        "the lens or write focus, with a card lying still in the window",
        "초점이 맞지 않습니다: 카드 모서리 폭이 {px:.1f} px입니다 (최대 {most:.1f}). 카드를 창에 "
        "가만히 두고 렌즈를 돌리거나 focus 값을 적으십시오",
    ),
    "blur": (
        "too blurred: a quick hand smears {mm:.2f} mm. Write exposure_us = {exposure_us} and add "
        "light",
        "너무 번집니다: 빠르게 뽑으면 {mm:.2f} mm 번집니다. exposure_us = {exposure_us} 로 적고 "
        "조명을 더하십시오",
    ),
    "exposure": (
        "exposure_us = {set} blurs at a quick hand: write {exposure_us} and add light if the paper "
        "gets too dark",
        "exposure_us = {set} 은 빠르게 뽑으면 번집니다: {exposure_us} 로 적고, 종이가 "
        "어두워지면 조명을 더하십시오",
    ),
    "mirrored": (
        "the picture is mirrored left to right: switch the camera's mirror off; no index is read "
        "as it is",
        "영상이 좌우로 뒤집혀 있습니다: 카메라의 거울(미러) 기능을 끄십시오. 이대로는 인덱스를 "
        "읽지 못합니다",
    ),
    "no_travel": (
        "which way cards go is not known yet: slide some through, one after the other",
        "카드가 어느 쪽으로 가는지 아직 모릅니다: 한 장씩 이어서 밀어 보십시오",
    ),
    "no_scale": (
        "the size of a card is not known: two corners of one edge were never in one picture. Move "
        "the camera farther away, or write px_per_mm",
        "카드 크기를 모릅니다: 한 변의 두 모서리가 한 영상에 보인 적이 없습니다. 카메라를 더 "
        "멀리 두거나 px_per_mm 을 적으십시오",
    ),
    "lean": (
        "cards lie {degrees:.0f} degrees askew in the picture: turn the camera",
        "카드가 영상에서 {degrees:.0f}도 기울어 있습니다: 카메라를 돌리십시오",
    ),
    "few_views": (
        "a card is seen in {views} pictures only: ask for more pictures a second (fps = {fps}), or "
        "let the camera see more of its way",
        "카드 한 장이 영상 {views}장에만 보입니다: 초당 영상 수를 늘리거나 (fps = {fps}), "
        "카드가 지나는 길이 더 보이게 하십시오",
    ),
    "pushed_back": (
        "{count} cards went back or were lifted out; those count nowhere",
        "카드 {count}장이 되돌아갔거나 들려 나갔습니다. 집계하지 않았습니다",
    ),
    "too_slow": (
        "the cards went at {speed:.0f} mm/s only: draw them as fast as at the table, or blur does "
        "not show",
        "카드가 {speed:.0f} mm/s로만 지나갔습니다: 테이블에서처럼 빠르게 뽑아야 번짐이 드러납니다",
    ),
    "no_corner": (
        "no corner of a card is in the picture: move the camera until a card's corner with its "
        "index passes through it",
        "영상에 카드 모서리가 없습니다: 인덱스가 있는 모서리가 지나가도록 카메라를 옮기십시오",
    ),
    "index_out": (
        "the index is cut off: move the camera {mm:.0f} mm {side}, as the picture shows it",
        "인덱스가 잘립니다: 영상에서 보아 카메라를 {side}으로 {mm:.0f} mm 옮기십시오",
    ),
    "no_index": (
        "corners are in the picture and no index stands at them: is the card's face up? Does a "
        "frame or a finger hide it?",
        "모서리는 보이는데 인덱스가 없습니다: 카드 앞면이 보입니까? 창틀이나 손가락이 "
        "가리지 않습니까?",
    ),
    "index_unsure": (
        "of the indices found only {percent:.0f} of 100 are read: heed the advice above, then "
        "teach it this deck with `dealer-station camera enroll`",
        "찾은 인덱스 100개 중 {percent:.0f}개만 읽힙니다: 위의 조언을 따른 뒤 "
        "`dealer-station camera enroll`로 이 덱을 가르치십시오",
    ),
    "index_small": (
        "the index is too small in the picture: it must be {times:.1f} times as large. Move the "
        "camera closer, or ask for a larger picture (size)",
        "영상에서 인덱스가 너무 작습니다: {times:.1f}배로 커야 합니다. 카메라를 가까이 "
        "옮기거나 더 큰 영상(size)을 쓰십시오",
    ),
    "no_code": (
        "no printed code was seen on the cards: bring it into the picture; if they bear none, "
        'write read = ["index"]',
        "카드에 인쇄 코드가 보이지 않습니다: 코드가 영상에 들어오게 하십시오. 코드가 없는 "
        '카드이면 read = ["index"] 로 적으십시오',
    ),
    "code_unread": (
        "something like a code is on the cards and is never read: mend sharpness and size first, "
        "then compare `card` and `symbologies` with what is printed",
        "카드에 코드 같은 것이 있으나 읽히지 않습니다: 먼저 선명도와 크기를 고치고, `card`와 "
        "`symbologies`를 인쇄된 것과 견주어 보십시오",
    ),
    "code_other_form": (
        'a code was read, "{text}", and does not fit card = "{card}": write card = "{form}" and '
        'cut_card = "{cut}"',
        '코드 "{text}"를 읽었지만 card = "{card}" 형식이 아닙니다: card = "{form}", '
        'cut_card = "{cut}" 로 적으십시오',
    ),
    "code_strange": (
        'a code was read, "{text}", and does not fit card = "{card}": write `card` and `cut_card` '
        "as the cards are printed, or use the table's own cards",
        '코드 "{text}"를 읽었지만 card = "{card}" 형식이 아닙니다: `card`와 `cut_card`를 카드에 '
        "인쇄된 대로 적거나, 이 테이블의 카드를 쓰십시오",
    ),
    "code_bad_check": (
        'a code was read, "{text}", whose last character is not the check of the others: the card '
        'is misprinted, or card = "{card}" asks for a check character its codes have not',
        '코드 "{text}"를 읽었지만 마지막 글자가 검사 문자로 맞지 않습니다: 카드가 잘못 '
        '인쇄되었거나, 코드에 검사 문자가 없는데 card = "{card}" 로 적혀 있습니다',
    ),
    "module_small": (
        "the code's modules are {px:.1f} px: {least} are needed for {symbology}. The picture must "
        "be {times:.1f} times as large: move the camera closer, or use a larger picture (size)",
        "코드 한 칸이 {px:.1f} px입니다. {symbology}에는 {least} px가 필요합니다: 영상이 "
        "{times:.1f}배로 커야 합니다. 카메라를 가까이 옮기거나 더 큰 영상(size)을 쓰십시오",
    ),
    "module_blur": (
        "the code is smeared over {modules:.1f} modules; 1 is the most. Shorten the exposure, and "
        "print codes across the slide",
        "코드가 {modules:.1f}칸만큼 번집니다 (최대 1칸). 노출을 줄이고, 코드를 미는 방향과 "
        "직각으로 인쇄하십시오",
    ),
    "write_travel": (
        'cards go {way} (the file says {was}): write travel = "{travel}"',
        '카드가 {way}으로 갑니다 (파일: {was}): travel = "{travel}" 로 적으십시오',
    ),
    "write_scale": (
        "write px_per_mm = {px_per_mm:.1f}",
        "px_per_mm = {px_per_mm:.1f} 로 적으십시오",
    ),
    "write_window": (
        "cards pass outside the window {was}: write window = {window}",
        "카드가 window {was} 밖으로 지나갑니다: window = {window} 로 적으십시오",
    ),
}

_SIDES_KO = {"left": "왼쪽", "right": "오른쪽", "up": "위쪽", "down": "아래쪽"}
_SIDES_EN = {"left": "to the left", "right": "to the right", "up": "up", "down": "down"}
_HEAD = {
    True: ("MUST ", "필수 "),
    False: ("better", "권장 "),
}


def in_words(advice: Advice, lang: Lang) -> str:
    """One sentence or two."""
    words = dict(advice.with_)
    if "side" in words:
        words["side"] = (_SIDES_KO if lang == "ko" else _SIDES_EN)[words["side"]]
    if "travel" in words:
        words["way"] = (_SIDES_KO if lang == "ko" else _SIDES_EN)[words["travel"]]
    if "why" in words:
        words["why"] = in_lang(words["why"], lang)
    if advice.code == "automatic":
        words["names"] = words["names"].replace("_us", "")
    return WORDS[advice.code][lang == "ko"].format(**words)


def headed(advice: Advice, lang: Lang) -> str:
    """With its weight before it."""
    return f"{_HEAD[advice.must][lang == 'ko']} {in_words(advice, lang)}"


def figures(m: Measured, lang: Lang) -> str:
    """The figures of the moment on one line, the most telling first."""
    ko = lang == "ko"
    parts = [f"{m.fps:.0f} {'장/초' if ko else 'fps'}", f"{'카드' if ko else 'cards'} {m.cards}"]
    if m.index is not None:
        parts.append(_index(m, ko))
    if m.code is not None or m.strange:
        parts.append(_code(m, ko))
    if m.edge_px is not None:
        mm = f" = {m.edge_px / m.px_per_mm:.2f} mm" if m.px_per_mm else ""
        parts.append(f"{'모서리' if ko else 'edge'} {m.edge_px:.1f} px{mm}")
    if m.px_per_mm:
        parts.append(f"{m.px_per_mm:.1f} px/mm")
    paper = m.paper if m.paper is not None else m.light
    if paper is not None:
        what = ("종이" if ko else "paper") if m.paper is not None else ("밝기" if ko else "light")
        parts.append(f"{what} {paper:.0f}")
    if max(m.burnt, m.glare) >= 0.001:
        parts.append(f"{'날아감' if ko else 'burnt'} {100 * max(m.burnt, m.glare):.1f} %")
    if m.travel:
        parts.append(f"방향 {_SIDES_KO[m.travel]}" if ko else f"travel {m.travel}")
    if m.motion_px is not None and m.speed_mm_s:
        parts.append(f"{'번짐' if ko else 'smear'} {m.motion_px:.1f} px @ {m.speed_mm_s:.0f} mm/s")
    return "  ".join(parts)


def _code(m: Measured, ko: bool) -> str:
    code = m.code
    name = "코드" if ko else "code"
    if m.strange and (code is None or not code.texts):
        return f"{name} {m.strange}, {'card 형식이 아님' if ko else 'not as card'}"
    assert code is not None
    if not code.texts:
        return f"{name} {'읽지 못함' if ko else 'not read'}"
    unit = "칸" if ko else "modules"
    blur = f", {code.blur_modules:.1f} {unit}" if code.blur_modules is not None else ""
    return f"{name} {code.symbology} {code.module_px:.1f} px{blur}"


def _index(m: Measured, ko: bool) -> str:
    index = m.index
    assert index is not None
    name = "인덱스" if ko else "index"
    if not index.found:
        return f"{name} {'없음' if ko else 'none'}"
    high = f" {index.high_mm:.1f} mm" if index.high_mm is not None else ""
    return f"{name}{high} {index.read}/{index.found}"
