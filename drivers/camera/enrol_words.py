"""What is said while a deck is learned, Korean and English."""

from __future__ import annotations

import re

from drivers.camera.advice_words import Lang
from drivers.camera.enrolling import Outcome, Said
from drivers.camera.index.enrol import Separation
from drivers.camera.refusal_words import in_lang

_FACES = re.compile(r"\b[A23456789TJQK][SHDC](?: [A23456789TJQK][SHDC])*\b")
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

WORDS: dict[str, tuple[str, str]] = {
    "begin": (
        "First pass: slide the cards through the window one by one, in this order: {order}",
        "첫 번째 순서: 카드를 한 장씩 이 순서로 창에 밀어 넣으십시오: {order}",
    ),
    "next": ("next: {face}   ({done} of 52)", "다음: {face}   (52장 중 {done}장)"),
    "next_any": ("next: any card   ({done} of 52)", "다음: 아무 카드   (52장 중 {done}장)"),
    "took": ("{face} learned from {views} pictures", "{face} 배움 (영상 {views}장)"),
    "few": (
        "{face}: again, slower: its index was in too few pictures ({views})",
        "{face}: 다시 더 천천히: 인덱스가 보인 영상이 너무 적습니다 ({views}장)",
    ),
    "unlike": (
        "{face}: again, slower and steadily: its pictures do not look alike",
        "{face}: 다시, 더 천천히 고르게: 영상이 서로 다릅니다",
    ),
    "no_index": (
        "{face}: again: no index was found in {views} pictures. If that stays so, see "
        "`camera setup`: this index cannot be learned",
        "{face}: 다시: 영상 {views}장에서 인덱스를 찾지 못했습니다. 계속 그러면 `camera setup`을 "
        "보십시오. 이 인덱스는 배울 수 없습니다",
    ),
    "another": (
        "this looks like {other}, and {face} is next: check the order, then slide {face}",
        "{other}처럼 보이는데 다음은 {face}입니다: 순서를 확인하고 {face}를 미십시오",
    ),
    "same_again": (
        "this looks like the card before it: slide {face}",
        "바로 앞 카드처럼 보입니다: {face}를 미십시오",
    ),
    "went_back": (
        "that card went back, it does not count: {face}",
        "카드가 되돌아갔습니다. 세지 않습니다: {face}",
    ),
    "learned": (
        "All 52 are learned. Second pass: the same deck once more, {order}",
        "52장을 모두 배웠습니다. 두 번째 순서: 같은 덱을 한 번 더, {order}",
    ),
    "not_learned": (
        "the deck cannot be learned: {why}",
        "이 덱은 배울 수 없습니다: {why}",
    ),
    "read": ("{face} read", "{face} 읽음"),
    "not_read": ("not read: {face} once more", "읽지 못함: {face} 한 번 더"),
    "left": ("{face} is not read; go on with the next", "{face} 읽지 못함. 다음으로 가십시오"),
    "twice": ("{face} was read a second time", "{face}를 두 번 읽었습니다"),
    "clash": ("one card was read as {faces}", "한 장을 {faces}로 읽었습니다"),
    "out_of_order": (
        "{face} was read, and {wanted} is next",
        "{face}를 읽었는데 다음은 {wanted}입니다",
    ),
    "anew": (
        "That proves nothing any more. The second pass begins anew, from the first card",
        "이 확인은 쓸 수 없습니다. 두 번째 순서를 첫 카드부터 다시 시작합니다",
    ),
    "saved": ('{file}: written. Write deck = "{file}"', '{file}: 저장했습니다. deck = "{file}"'),
    "unsafe": (
        "NOT SAFE, nothing is written: {why}",
        "안전하지 않음, 저장하지 않았습니다: {why}",
    ),
    "safe": (
        "SAFE: no card was taken for another. With this deck {after} of 52 are read "
        "({looks_after} views of an index), without it {before} ({looks_before})",
        "안전: 다른 카드로 읽은 것이 없습니다. 이 덱으로 52장 중 {after}장 (인덱스 "
        "{looks_after}번), 없이는 {before}장 ({looks_before}번)을 읽습니다",
    ),
    "unread": (
        "not read, held at the table each time: {faces}",
        "읽지 못해 테이블에서 매번 멈출 카드: {faces}",
    ),
    "separation": (
        "{what}: right from {right:.2f} up, wrong up to {wrong:.2f}, apart by {apart:.2f}",
        "{what}: 맞는 점수 {right:.2f} 이상, 틀린 점수 {wrong:.2f} 이하, 차이 {apart:.2f}",
    ),
    "pairs": ("closest pairs: {pairs}", "가장 비슷한 쌍: {pairs}"),
    "ranks": ("ranks", "숫자"),
    "suits": ("suits", "무늬"),
    "same_order": ("in the same order", "같은 순서로"),
    "any_order": ("in any order", "아무 순서로나"),
}


def word(code: str, lang: Lang, **words: object) -> str:
    """One of the sentences."""
    return WORDS[code][lang == "ko"].format(**words)


def shown(face: str) -> str:
    """A face as it is printed: A♠, 10♥."""
    rank, suit = face[:-1], face[-1:]
    return f"{'10' if rank == 'T' else rank}{_SIGNS[suit]}" if suit in _SIGNS else face


def in_words(said: Said, lang: Lang, *, any_order: bool = False) -> str:
    """What `Enrolment` says."""
    words = dict(said.with_)
    for name in ("face", "other", "wanted"):
        if isinstance(words.get(name), str):
            words[name] = shown(str(words[name]))
    if said.code == "learned":
        words["order"] = word("any_order" if any_order else "same_order", lang)
    if "why" in words:
        words["why"] = in_lang(str(words["why"]), lang)
    return word(said.code, lang, **words)


def order_of(faces: tuple[str, ...]) -> str:
    """An order in short: runs of one suit in rank order as A♠…K♠."""
    runs: list[list[str]] = []
    for face in faces:
        if runs and face[1] == runs[-1][-1][1] and _follows(runs[-1][-1], face):
            runs[-1].append(face)
        else:
            runs.append([face])
    parts = [
        f"{shown(run[0])}…{shown(run[-1])}" if len(run) > 2 else " ".join(map(shown, run))
        for run in runs
    ]
    return ", ".join(parts) if len(parts) <= 12 else ", ".join([*parts[:12], "…"])


def _follows(one: str, other: str) -> bool:
    ranks = "A23456789TJQK"
    return abs(ranks.index(one[0]) - ranks.index(other[0])) == 1


def summary(outcome: Outcome, file: str, lang: Lang) -> list[str]:
    """What it came to, line by line."""
    rows: list[str] = []
    if outcome.separation is not None:
        rows += _separation(outcome.separation, lang)
    if not outcome.safe:
        return [*rows, word("unsafe", lang, why=_in_short(in_lang(outcome.why, lang)))]
    rows.append(
        word(
            "safe",
            lang,
            after=outcome.after,
            before=outcome.before,
            looks_after=outcome.looks_after,
            looks_before=outcome.looks_before,
        )
    )
    if outcome.unread:
        rows.append(word("unread", lang, faces=" ".join(map(shown, outcome.unread))))
    return [*rows, word("saved", lang, file=file)]


def _in_short(text: str) -> str:
    """Faces as they are printed, runs of them in short."""
    return _FACES.sub(lambda found: order_of(tuple(found[0].split())), text)


def _separation(separation: Separation, lang: Lang) -> list[str]:
    rows = []
    for what, right, wrong in (
        ("ranks", separation.rank_lowest_right, separation.rank_highest_wrong),
        ("suits", separation.suit_lowest_right, separation.suit_highest_wrong),
    ):
        figures = {"right": right, "wrong": wrong, "apart": right - wrong}
        rows.append(word("separation", lang, what=word(what, lang), **figures))
    pairs = ", ".join(
        f"{_SIGNS.get(one.right, one.right)}/{_SIGNS.get(one.wrong, one.wrong)} {one.score:.2f}"
        for one in separation.pairs[:5]
    )
    return [*rows, word("pairs", lang, pairs=pairs)]
