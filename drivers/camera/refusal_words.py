"""Why the camera's tools refuse something, each with what to do: English, and the Korean of it.

A refusal travels as English text, through exceptions and between processes; `korean` finds the
sentence again and gives it in Korean. What stands in braces is a name, a path or a figure.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

WORDS: dict[str, tuple[str, str]] = {
    # Files and folders, whoever reads or writes them.
    "nothing_there": (
        "{path}: nothing is there; write the whole path of a file or folder",
        "{path}: 아무것도 없습니다. 파일이나 폴더의 전체 경로를 적으십시오",
    ),
    "not_folder": (
        "{path}: a part of this path is a file, not a folder; name another place",
        "{path}: 경로 중간이 폴더가 아니라 파일입니다. 다른 곳을 적으십시오",
    ),
    "is_folder": (
        "{path}: this is a folder; name a file",
        "{path}: 폴더입니다. 파일 이름을 적으십시오",
    ),
    "no_right": (
        "{path}: this user may not open it; give it the right, or name another",
        "{path}: 이 사용자에게 권한이 없습니다. 권한을 주거나 다른 것을 적으십시오",
    ),
    "read_only": (
        "{path}: nothing can be written there; name another place",
        "{path}: 그곳에는 쓸 수 없습니다. 다른 곳을 적으십시오",
    ),
    "disk_full": (
        "{path}: the disk is full; make room, or name another place",
        "{path}: 디스크가 가득 찼습니다. 공간을 만들거나 다른 곳을 적으십시오",
    ),
    "exists": (
        "{path}: there is something of this name already; name another",
        "{path}: 같은 이름이 이미 있습니다. 다른 이름을 적으십시오",
    ),
    "too_long": (
        "{path}: the name is too long; choose a shorter one",
        "{path}: 이름이 너무 깁니다. 더 짧게 적으십시오",
    ),
    "no_text": (
        "{path}: this is no text; name a text file",
        "{path}: 글이 아닙니다. 텍스트 파일을 적으십시오",
    ),
    "not_empty": (
        "{path}: there is something in it; name a new folder",
        "{path}: 폴더가 비어 있지 않습니다. 새 폴더를 적으십시오",
    ),
    "no_place": (
        "{path}: there is no folder {folder}; make it first, or name another place",
        "{path}: {folder} 폴더가 없습니다. 먼저 만들거나 다른 곳을 적으십시오",
    ),
    "little_room": (
        "{path}: less than {mb} MB are left on the disk; they are the table's",
        "{path}: 디스크에 {mb} MB도 남지 않았습니다. 남은 공간은 테이블 것입니다",
    ),
    "reel_full": ("{mb} MB are full", "{mb} MB가 찼습니다"),
    # Pictures, films, simulators, cameras.
    "no_film": (
        "{path}: no film that can be read; record it again, or name a folder of pictures",
        "{path}: 읽을 수 있는 동영상이 아닙니다. 다시 녹화하거나 영상 폴더를 적으십시오",
    ),
    "no_pictures": (
        "{path}: no pictures in there; put some in ({endings}), or name another folder",
        "{path}: 영상이 없습니다. 영상({endings})을 넣거나 다른 폴더를 적으십시오",
    ),
    "no_picture": (
        "{path}: this is no whole picture; name a picture, a film or a folder of pictures",
        "{path}: 온전한 영상이 아닙니다. 영상, 동영상 또는 영상 폴더를 적으십시오",
    ),
    "none_whole": (
        "{path}: no picture in it is whole ({count} looked at); take them again",
        "{path}: 온전한 영상이 하나도 없습니다 ({count}장 확인). 다시 찍으십시오",
    ),
    "no_simulator": (
        "{path}: no simulator answers; start one there (hw-sim camera stream), or mend port",
        "{path}: 시뮬레이터가 응답하지 않습니다. 켜거나(hw-sim camera stream) port를 고치십시오",
    ),
    "in_use": (
        "{path}: another program has the camera; end it (fuser names it)",
        "{path}: 다른 프로그램이 카메라를 쓰고 있습니다. 그 프로그램을 끝내십시오 (fuser로 확인)",
    ),
    "stream_gone": (
        "{path}: the simulator's camera was unplugged",
        "{path}: 시뮬레이터의 카메라가 빠졌습니다. 다시 꽂으십시오",
    ),
    "no_camera": (
        "{path}: no camera is there; check the cable and the name",
        "{path}: 카메라가 없습니다. 케이블과 이름을 확인하십시오",
    ),
    "two_devices": (
        "{path}: two devices answer to that name ({nodes}); name it with its serial number, or by "
        "a link under /dev/*/by-path",
        "{path}: 이 이름의 장치가 둘입니다 ({nodes}). 일련번호나 by-path 이름으로 적으십시오",
    ),
    "no_usb": (
        "{path}: no USB hardware is known to be there; only {wanted} is accepted",
        "{path}: 그곳에 USB 장치가 없습니다. {wanted} 만 받습니다",
    ),
    "other_usb": (
        "{path}: another device is plugged there: {says}; only {wanted} is accepted",
        "{path}: 다른 장치가 꽂혀 있습니다: {says}. {wanted} 만 받습니다",
    ),
    "not_camera": (
        "{path}: this is no camera; `dealer-station devices` lists those there are",
        "{path}: 카메라가 아닙니다. `dealer-station devices`로 연결된 카메라를 볼 수 있습니다",
    ),
    "not_opened": (
        "{path}: it cannot be opened as a camera; another program may have it (fuser names it)",
        "{path}: 카메라로 열 수 없습니다. 다른 프로그램이 쓰고 있을 수 있습니다 (fuser로 확인)",
    ),
    "unplugged": (
        "{path}: the camera was unplugged",
        "{path}: 카메라가 빠졌습니다. 다시 꽂으십시오",
    ),
    "gives_none": (
        "{path}: the camera gives no pictures; it is opened anew",
        "{path}: 카메라에서 영상이 오지 않습니다. 다시 엽니다",
    ),
    "none_came": (
        "no picture came; check plug, cable and power",
        "영상이 오지 않았습니다. 플러그, 케이블, 전원을 확인하십시오",
    ),
    "files": (
        "{count} pictures from {path}, {fps} a second",
        "{path}의 영상 {count}장, 초당 {fps}장",
    ),
    "file": ("one picture from {path}", "{path}의 영상 1장"),
    "film": (
        "the film {path}, {fps} pictures a second",
        "동영상 {path}, 초당 {fps}장",
    ),
    "stream": (
        "a simulator's pictures from {path}",
        "시뮬레이터 {path}의 영상",
    ),
    "camera": (
        "{path}, {wide} x {high}, {fps} a second, {form}",
        "{path}, {wide} x {high}, 초당 {fps}장, {form}",
    ),
    # As `drivers.camera.codes.zbar` says it.
    "no_zbar": (
        "pyzbar cannot be used ({why}): install the system package libzbar0",
        "pyzbar를 쓸 수 없습니다 ({why}). 시스템 패키지 libzbar0를 설치하십시오",
    ),
    # What a command was given.
    "picture_name": (
        "{path}: the picture's name ends in .png or .jpg",
        "{path}: 그림 파일 이름은 .png 또는 .jpg로 끝나야 합니다",
    ),
    "deck_name": (
        "{path}: a deck's file ends in .npz",
        "{path}: 덱 파일 이름은 .npz로 끝나야 합니다",
    ),
    "no_deck": (
        "{path}: this is no deck's file, or it was cut short; teach it again with "
        "`dealer-station camera enroll`",
        "{path}: 덱 파일이 아니거나 잘렸습니다. `dealer-station camera enroll`로 다시 가르치십시오",
    ),
    "no_card": (
        "no card: {faces}; write them like AS, TH, 9D, KC",
        "카드가 아닙니다: {faces}. AS, TH, 9D, KC처럼 적으십시오",
    ),
    "order_twice": (
        "in the order twice: {faces}",
        "순서에 두 번 있습니다: {faces}. 한 번만 적으십시오",
    ),
    "order_missing": (
        "not in the order: {faces}",
        "순서에 없습니다: {faces}. 52장을 모두 적으십시오",
    ),
    # Why a deck is not safe.
    "first_pass": (
        "the first pass is not complete: {faces}",
        "첫 번째 순서가 끝나지 않았습니다. 남은 카드: {faces}",
    ),
    "second_pass": (
        "not shown in the second pass: {faces}",
        "두 번째 순서에 보이지 않은 카드: {faces}",
    ),
    "unchecked": ("nothing was checked", "확인한 것이 없습니다. 두 번째 순서를 하십시오"),
    "as_two": ("one card was read as two: {faces}", "한 장을 두 카드로 읽었습니다: {faces}"),
    "read_twice": ("read twice: {faces}", "두 번 읽은 카드: {faces}"),
    "out_of_place": (
        "{face} was read where {wanted} was next",
        "다음이 {wanted}인데 {face}로 읽었습니다",
    ),
    "never_read": ("not read once: {faces}", "한 번도 읽지 못한 카드: {faces}"),
    "misread": (
        "{count} of {all} pictures were taken for another card",
        "영상 {all}장 중 {count}장을 다른 카드로 읽었습니다",
    ),
    "unlike_deck": (
        "not one picture of the second pass looks like a card of this deck",
        "두 번째 순서의 영상이 이 덱의 카드와 하나도 닮지 않았습니다",
    ),
    "too_unlike": (
        "the {what} are too unlike each time (lowest right score {right})",
        "{what}: 볼 때마다 너무 다릅니다 (가장 낮은 맞는 점수 {right})",
    ),
    "too_close": (
        "the {what} lie too close (right {right}, wrong {wrong})",
        "{what}: 서로 너무 비슷합니다 (맞는 점수 {right}, 틀린 점수 {wrong})",
    ),
    "not_from_it": (
        "{name}: {face} cannot be learned from it",
        "{name}: {face} 카드를 여기서 배울 수 없습니다. 다시 찍으십시오",
    ),
}

_NAMES = {"ranks": "숫자", "suits": "무늬"}
_FIELD = re.compile(r"\\{(\w+)\\}")
# Of a file that cannot be had: what the system says, and the sentence for it.
_TROUBLES = {
    errno.ENOENT: "nothing_there",
    errno.ENOTDIR: "not_folder",
    errno.EISDIR: "is_folder",
    errno.EACCES: "no_right",
    errno.EPERM: "no_right",
    errno.EROFS: "read_only",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EEXIST: "exists",
    errno.ELOOP: "nothing_there",
    errno.ENAMETOOLONG: "too_long",
}


def refusal(code: str, **words: object) -> str:
    """One of the sentences, in English."""
    return WORDS[code][0].format(**words)


def of_file(path: object, error: OSError) -> str:
    """Why that file or folder cannot be had, and what to do."""
    code = _TROUBLES.get(error.errno or 0)
    if code is not None:
        return refusal(code, path=path)
    return f"{path}: {error.strerror or 'it cannot be had'}; name another"


def check_place(file: Path) -> None:
    """Raises ValueError where that file could not be written: before the work, not after it."""
    if file.is_dir():
        raise ValueError(refusal("is_folder", path=file))
    if not file.parent.is_dir():
        raise ValueError(refusal("no_place", path=file, folder=file.parent))
    if not os.access(file.parent, os.W_OK):
        raise ValueError(refusal("no_right", path=file.parent))


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(_FIELD.sub(r"(?P<\1>.*?)", re.escape(english)), re.DOTALL)


_PATTERNS = [(_pattern(english), korean_) for english, korean_ in WORDS.values()]


def korean(text: str) -> str:
    """The Korean of one of the sentences; any other text as it is."""
    for pattern, words in _PATTERNS:
        found = pattern.fullmatch(text)
        if found is not None:
            given = found.groupdict()
            return words.format(**{name: _NAMES.get(text, text) for name, text in given.items()})
    return text


def in_lang(text: str, lang: str) -> str:
    """As `korean` gives it if that is the language, else as it is."""
    return korean(text) if lang == "ko" else text
