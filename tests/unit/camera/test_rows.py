"""A thing goes on as what it was, and what has shown to be a card is one from then on."""

from __future__ import annotations

from drivers.camera.presence import Presence
from drivers.camera.rows import parted
from drivers.camera.tracks import Kind, Thing, Track


def thing(kind: Kind, low: float, high: float) -> Thing[str]:
    return Thing(kind, max(0.0, low), min(1.0, high), low <= 0, high >= 1, kind)


def rows(*steps: tuple[Kind, float, float]) -> tuple[Presence[str], Presence[str]]:
    """Cards and dark things as they are followed, one thing a frame."""
    cards: Presence[str] = Presence()
    darks: Presence[str] = Presence()
    for number, (kind, low, high) in enumerate(steps):
        found = parted([thing(kind, low, high)], cards.row, darks.row)
        for track in found.shown:
            darks.leave(track)
            cards.join(track)
        cards.frame(number, found.cards)
        darks.frame(number, found.darks)
    return cards, darks


def numbers(row: tuple[Track[str], ...]) -> list[int]:
    return [track.number for track in row if track.hidden == 0]


def test_a_card_whose_picture_shows_no_white_for_a_frame_is_the_same_card() -> None:
    cards, darks = rows(("card", -0.7, 0.2), ("card", -0.5, 0.4), ("cut", -0.3, 0.6))
    assert (numbers(cards.row), numbers(darks.row)) == ([1], [])


def test_a_sliver_without_white_that_shows_to_be_a_card_has_been_one_all_along() -> None:
    steps: list[tuple[Kind, float, float]] = [("cut", -0.85, 0.05)]
    steps += [("card", -0.85 + 0.2 * k, 0.05 + 0.2 * k) for k in range(1, 6)]
    cards, darks = rows(*steps)
    assert numbers(darks.row) == []
    (track,) = cards.row
    assert track.came
    assert track.seen == len(steps)


def test_a_black_cut_card_of_which_a_frame_shows_no_straight_edge_goes_on() -> None:
    cards, darks = rows(
        ("cut", -0.8, 0.1), ("cut", -0.6, 0.3), ("other", -0.4, 0.5), ("cut", -0.2, 0.7)
    )
    assert (numbers(cards.row), numbers(darks.row)) == ([], [1])


def test_a_hand_that_shows_a_straight_edge_takes_nothing_of_another_size_along() -> None:
    _, darks = rows(("cut", -0.1, 0.1), ("cut", -0.05, 0.15), ("other", -0.5, 0.9))
    assert numbers(darks.row) == []


def test_beside_a_card_that_goes_on_a_dark_thing_stays_one() -> None:
    cards, darks = rows(("card", -0.5, 0.3), ("card", -0.4, 0.4))
    both = [thing("card", -0.3, 0.5), thing("cut", -0.2, 0.4)]
    found = parted(both, cards.row, darks.row)
    assert [one.kind for one in found.cards] == ["card"]
    assert [one.kind for one in found.darks] == ["cut"]


def test_a_dark_thing_that_enters_behind_a_card_that_turns_white_is_not_that_card() -> None:
    """In coloured light the front one shows its white only in the middle of its way."""
    darks: Presence[str] = Presence()
    for number, front in enumerate((0.2, 0.4, 0.6)):
        darks.frame(number, [thing("cut", front - 0.9, front)])
    both = [thing("card", -0.1, 0.8), thing("cut", -0.9, 0.05)]
    found = parted(both, (), darks.row)
    assert [track.number for track in found.shown] == [1]
