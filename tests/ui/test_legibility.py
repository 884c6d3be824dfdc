"""Nothing on any screen is cut off, overflows its panel, or is drawn as an empty box."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QRawFont
from PySide6.QtQuick import QQuickItem

from station.messages import Language
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk, owner
from tests.ui.fixtures import drawing
from tests.ui.screens import BACK, SCREENS

SHEETS = {
    "drawing": ("report", "staff", "signin", "load"),
    "chairs-betting": ("amount", "leave", *BACK),
}
SLACK = 1.5  # Design pixels: antialiasing and rounding of a line's height.
PANELS = ("left", "right", "dealer", "hold", "lost", "login", *(f"seat{n}" for n in range(1, 8)))


def cut_texts(desk: Desk) -> list[str]:
    """Every visible text that does not show itself whole."""
    root = desk.view.rootObject()
    assert root is not None
    whole = QRectF(0, 0, root.width(), root.height())
    faults = []
    for item in desk.texts():
        text = f"{item.property('text')!r} in {owner(item)}"
        if "{" in str(item.property("text")):
            faults.append(f"a place that nothing was put into: {text}")
        if item.property("truncated") and item.objectName() != "mayElide":
            faults.append(f"truncated: {text}")
        if float(item.property("contentWidth")) > item.width() + SLACK:
            faults.append(f"wider than its box: {text}")
        if float(item.property("contentHeight")) > item.height() + SLACK and not _one_line(item):
            faults.append(f"higher than its box: {text}")
        if item.objectName() not in ("rank", "watermark"):
            faults += [f"{fault}: {text}" for fault in _outside(item, whole)]
    return faults


def _one_line(item: QQuickItem) -> bool:
    """A single line's box may be lower than the font's line height: its ink still fits."""
    return int(item.property("lineCount")) == 1


def _ink(item: QQuickItem) -> QRectF:
    """Where a text's lines are, in the scene."""
    height = float(item.property("contentHeight"))
    if _one_line(item):
        height = min(height, item.height())
    rect = QRectF(0, (item.height() - height) / 2, item.width(), height)
    return item.mapRectToScene(rect)


def _outside(item: QQuickItem, whole: QRectF) -> list[str]:
    ink = _ink(item)
    if not whole.adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(ink):
        return ["off the screen"]
    above: QQuickItem | None = item.parentItem()
    while above is not None:
        if above.objectName() in PANELS:
            box = above.mapRectToScene(QRectF(0, 0, above.width(), above.height()))
            if not box.adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(ink):
                return [f"out of {above.objectName()}"]
        above = above.parentItem()
    return []


def missing_glyphs(desk: Desk) -> list[str]:
    """Texts with a letter the chosen font has no picture of."""
    faults = []
    for item in desk.texts():
        font = item.property("font")
        assert isinstance(font, QFont)
        raw = QRawFont.fromFont(font)
        text = str(item.property("text"))
        missing = [c for c in text if not c.isspace() and not raw.supportsCharacter(ord(c))]
        if missing:
            faults.append(f"{missing} in {text!r} ({font.family()})")
    return faults


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (3840, 2160)], ids=str)
@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_text_of_every_screen_is_shown_whole(
    make_desk: MakeDesk, language: Language, size: tuple[int, int]
) -> None:
    desk = make_desk(drawing(), language, size)
    faults = {}
    for name, build in SCREENS.items():
        desk.show(build())
        faults[name] = cut_texts(desk) + missing_glyphs(desk)
    for base, sheets in SHEETS.items():
        desk.show(SCREENS[base]())
        for sheet in sheets:
            desk.open(sheet)
            assert desk.console.property("sheet"), sheet
            faults[sheet] = cut_texts(desk) + missing_glyphs(desk)
    desk.console.open("")
    desk.to_set_letters()
    faults["set"] = cut_texts(desk) + missing_glyphs(desk)
    assert not {name: found for name, found in faults.items() if found}


def letters(item: QQuickItem) -> QRectF:
    """Where the letters of a text are, in the scene: as wide as drawn, half the line high."""
    drawn = item.boundingRect()
    spare = drawn.height() / 4
    return item.mapRectToScene(drawn.adjusted(0, spare, 0, -spare))


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("name", ["crowded", "crowded-result", "result-cents", "chairs-betting"])
def test_no_two_texts_of_a_seat_collide(make_desk: MakeDesk, language: Language, name: str) -> None:
    """Seven seats, long sums, four lines of bets: a label never runs into its figure."""
    desk = make_desk(SCREENS[name](), language)
    texts = [t for t in desk.texts() if t.objectName() != "rank" and "seat" in owner(t)]
    boxes = [(str(t.property("text")), letters(t)) for t in texts]
    assert len(boxes) > 20
    hits = [
        (one, two)
        for at, (one, first) in enumerate(boxes)
        for two, second in boxes[at + 1 :]
        if first.intersects(second)
    ]
    assert not hits


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_lost_link_is_shown_whole(make_desk: MakeDesk, language: Language) -> None:
    desk = make_desk(drawing(), language)
    desk.station.close()
    desk.wait(lambda: desk.console.property("link") == "lost", "the loss")
    desk.settle()
    assert not cut_texts(desk)
    assert not missing_glyphs(desk)


def test_a_cut_text_is_found(make_desk: MakeDesk) -> None:
    desk = make_desk()
    notice = max(desk.texts(), key=lambda item: item.width())
    notice.setWidth(10)
    assert cut_texts(desk)


def test_ranks_are_fifty_pixels_at_1280(make_desk: MakeDesk) -> None:
    desk = make_desk()
    ranks = [item for item in desk.texts() if item.objectName() == "rank"]
    assert len(ranks) == 14
    for item in ranks:
        font = item.property("font")
        assert isinstance(font, QFont)
        assert font.pixelSize() >= 50


@pytest.mark.parametrize("name", ["drawing", "result", "void"])
def test_every_seated_player_is_named_at_eighteen_pixels(make_desk: MakeDesk, name: str) -> None:
    snapshot = SCREENS[name]()
    desk = make_desk(snapshot)
    sizes = {str(t.property("text")): t.property("font").pixelSize() for t in desk.texts()}
    seated = [seat.player for seat in snapshot.seats if seat.player]
    assert len(seated) == 6
    for player in seated:
        assert sizes[player] >= 18


def test_the_prompt_is_the_largest_text(make_desk: MakeDesk) -> None:
    desk = make_desk()
    sizes = {str(t.property("text")): t.property("font").pixelSize() for t in desk.texts()}
    assert sizes["좌석 4"] == 92
    assert max(size for text, size in sizes.items() if text != "좌석 4") < 92


def test_no_total_covers_a_card(make_desk: MakeDesk) -> None:
    desk = make_desk(SCREENS["fans"]())
    ranks = [i for i in desk.texts() if i.objectName() == "rank"]
    totals = [i for i in desk.texts() if i.objectName() == "total"]
    assert len(totals) >= 8
    cards = [c.mapRectToScene(QRectF(0, 0, c.width(), c.height())) for c in _cards(ranks)]
    for total in totals:
        badge = total.parentItem().parentItem()
        rect = badge.mapRectToScene(QRectF(0, 0, badge.width(), badge.height()))
        assert not any(rect.intersects(card) for card in cards), total.property("text")


def test_every_rank_of_a_fan_is_in_sight(make_desk: MakeDesk) -> None:
    desk = make_desk(SCREENS["fans"]())
    ranks = [i for i in desk.texts() if i.objectName() == "rank"]
    assert len(ranks) == 11 + 6 + 5 + 4 + 7 + 6 + 8 + 8
    cards = _cards(ranks)
    for rank, card in zip(ranks, cards, strict=True):
        corner = rank.mapToScene(QPointF(rank.width(), rank.height() / 2))
        for other in cards:
            if other.parentItem() is card.parentItem() and other.z() > card.z():
                box = other.mapRectToScene(QRectF(0, 0, other.width(), other.height()))
                assert not box.contains(corner), rank.property("text")


def _cards(ranks: list[QQuickItem]) -> list[QQuickItem]:
    return [rank.parentItem() for rank in ranks]


@pytest.mark.parametrize("name", ["hold-supervisor", "reader-lost-supervisor", "duplicate"])
def test_the_rulings_cover_no_seat(make_desk: MakeDesk, name: str) -> None:
    desk = make_desk(SCREENS[name]())
    left = desk.find("left")
    panel = left.mapRectToScene(QRectF(0, 0, left.width(), left.height()))
    for number in range(1, 8):
        seat = desk.find(f"seat{number}")
        assert not panel.intersects(seat.mapRectToScene(QRectF(0, 0, seat.width(), seat.height())))


def test_seat_one_is_at_the_dealers_left(make_desk: MakeDesk) -> None:
    desk = make_desk()
    places = [desk.centre(f"seat{number}").x() for number in range(1, 8)]
    assert places == sorted(places)
    assert desk.centre("dealer").y() > desk.centre("seat1").y()
