"""Cards through the window, against a simple world in which it is known which card is which."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from drivers.camera.presence import Presence
from drivers.camera.tracks import Gone, Step, Thing

# No hand is faster than this, in windows a frame, nor quicker to be so: 1.2 m/s at 60 a second are
# 0.3 of a window of 65 mm.
FASTEST, QUICKEST = 0.6, 0.12
LEAST = 0.02
# The last of a card on its way out may be taken for gone when it is hidden; it is not told again.
SLIVER = 0.8


@dataclass
class Card:
    """One card of the world: its `front` and its end, `length` behind it, in windows."""

    name: int
    front: float
    length: float
    speed: float = 0.0
    hidden: bool = False

    @property
    def end(self) -> float:
        return self.front - self.length

    @property
    def seen(self) -> bool:
        return self.front > LEAST and self.end < 1 - LEAST

    def thing(self) -> Thing[int]:
        low_cut, high_cut = self.end <= 0.004, self.front >= 0.996
        low = 0.0 if low_cut else self.end
        return Thing("card", low, 1.0 if high_cut else self.front, low_cut, high_cut, self.name)


@dataclass
class Told:
    """What the tracker said of everything, frame by frame."""

    tracks: dict[int, set[int]] = field(default_factory=dict)
    of_card: dict[int, set[int]] = field(default_factory=dict)
    gone: dict[int, Gone] = field(default_factory=dict)

    def take(self, step: Step[int]) -> None:
        for track in step.here:
            if track.hidden == 0:
                self.tracks.setdefault(track.number, set()).add(track.last.what)
                self.of_card.setdefault(track.last.what, set()).add(track.number)
        for track, how in step.gone:
            assert track.number not in self.gone, "told to be gone once"
            self.gone[track.number] = how


class Window(RuleBasedStateMachine):
    """Cards in single file. The last of them stands in the shoe's mouth or comes out of it."""

    def __init__(self) -> None:
        super().__init__()
        self.presence: Presence[int] = Presence()
        self.told = Told()
        self.cards: list[Card] = []
        self.left: dict[int, set[Gone]] = {}
        self.names = 0
        self.number = 0
        self.length = 0.9
        self.blind = 0
        self.step: Step[int] = Step(())

    # --- what hands do ------------------------------------------------------------------------

    @precondition(lambda self: not self.cards)
    @rule(
        length=st.floats(0.75, 1.9),
        speed=st.floats(0.05, FASTEST),
        share=st.floats(0.05, 1.0),
    )
    def draw(self, length: float, speed: float, share: float) -> None:
        """A card comes into the empty window, at any speed."""
        self.length = length
        self._new(max(speed * share, 2 * LEAST), speed)
        self._frame()

    @precondition(lambda self: self.cards and self.cards[-1].end > 0.06 and len(self.cards) < 3)
    @rule(gap=st.floats(0.012, 0.3))
    def next_one_dragged(self, gap: float) -> None:
        """The next one comes along behind it, at the same speed."""
        last = self.cards[-1]
        self._new(max(2 * LEAST, min(last.end - 0.012, last.end + last.speed - gap)), 0.0)
        self.cards[-1].speed = last.speed
        self._go(still=1)

    @precondition(
        lambda self: (
            self.cards
            and self.cards[-1].end > 0.06
            and self.cards[-1].speed < 0.05
            and len(self.cards) < 3
        )
    )
    @rule()
    def next_one_looks_out(self) -> None:
        """The next one is seen in the shoe's mouth, and stays there."""
        self._new(2 * LEAST, 0.0)
        self._frame()

    @precondition(lambda self: self.cards)
    @rule(more=st.floats(-QUICKEST, QUICKEST), follower=st.floats(-QUICKEST, QUICKEST))
    def slide(self, more: float, follower: float) -> None:
        """All go on, each a little faster or slower than before."""
        for place, card in enumerate(self.cards):
            wanted = card.speed + (more if place == 0 else follower)
            card.speed = min(FASTEST, max(0.0, wanted))
        self._go()

    @precondition(lambda self: self.cards)
    @rule(frames=st.integers(1, 12))
    def rest(self, frames: int) -> None:
        """All stand still, and the edges are seen a little differently each time."""
        for card in self.cards:
            card.speed = 0.0
        for wobble in range(frames):
            for card in self.cards:
                card.front += 0.002 if wobble % 2 else -0.002
            self._frame()

    @precondition(
        lambda self: self.cards and all(c.speed < 0.05 and c.end < 0.7 for c in self.cards)
    )
    @rule(back=st.floats(0.015, 0.08))
    def unsteady(self, back: float) -> None:
        """The hand goes back a little."""
        for card in self.cards:
            card.front -= back
            card.speed = 0.0
        self._frame()

    @precondition(
        lambda self: (
            len(self.cards) == 1
            and self.cards[0].end < -0.05
            and self.cards[0].speed < 0.05
            and self.cards[0].front < 0.95
        )
    )
    @rule(speed=st.floats(0.05, 0.3))
    def push_back(self, speed: float) -> None:
        """A card half drawn is pushed back in."""
        card = self.cards[0]
        while card.front > LEAST:
            card.front -= speed
            self._frame()
        self._settle()

    @precondition(
        lambda self: (
            len(self.cards) == 1
            and 0.08 < self.cards[0].end < 0.35
            and self.cards[0].speed < 0.05
            and self.cards[0].front < 0.95
        )
    )
    @rule()
    def lift(self) -> None:
        """A card that lies in the window is lifted out of it."""
        self.left[self.cards.pop().name] = {"lifted", "out"}
        self._settle()

    @precondition(
        lambda self: self.cards and all(c.speed < 0.05 and c.front > 0.2 for c in self.cards)
    )
    @rule(frames=st.integers(1, 2))
    def hide(self, frames: int) -> None:
        """A hand goes over it, for a frame or two."""
        for _ in range(frames):
            self._frame(seen=False)
        self._frame()

    @precondition(lambda self: len(self.cards) > 0 and all(c.end < 0.95 for c in self.cards))
    @rule()
    def out_with_all(self) -> None:
        """Everything goes on until the window is empty."""
        while self.cards:
            for card in self.cards:
                card.speed = min(FASTEST, card.speed + 0.05)
            self._go()
        self._settle()

    # --- the world ------------------------------------------------------------------------------

    def _new(self, front: float, speed: float) -> None:
        self.names += 1
        self.cards.append(Card(self.names, front, self.length, speed))

    def _go(self, still: int = 0) -> None:
        before: Card | None = None
        for card in self.cards[: len(self.cards) - still]:
            went = card.front + card.speed
            if before is not None:
                went = min(went, before.end - 0.012)
            card.front, card.speed = max(card.front, went), max(0.0, went - card.front)
            before = card
        self._frame()

    def _frame(self, *, seen: bool = True) -> None:
        for card in [card for card in self.cards if not card.seen]:
            self.cards.remove(card)
            self.left[card.name] = {"out"} if card.end > 0.5 else {"back"}
        things = [card.thing() for card in self.cards] if seen else []
        self.number += 1
        self.step = self.presence.frame(self.number, things)
        self.told.take(self.step)

    def _settle(self) -> None:
        """The window is empty long enough that nobody is looked for any more."""
        for _ in range(5):
            self._frame()

    # --- what must hold ---------------------------------------------------------------------------

    @invariant()
    def one_card_is_one_track(self) -> None:
        for track, cards in self.told.tracks.items():
            assert len(cards) == 1, f"track {track} was of cards {cards}"
        for card, tracks in self.told.of_card.items():
            assert len(tracks) == 1, f"card {card} had tracks {tracks}"

    @invariant()
    def they_keep_their_order(self) -> None:
        shown = [track.last.what for track in self.step.here if track.hidden == 0]
        assert shown == sorted(shown)

    @invariant()
    def nobody_with_one_before_him_is_alone(self) -> None:
        before = [card.name for card in self.cards if card.end < SLIVER]
        for track in self.step.here:
            if track.hidden == 0 and before and track.last.what > before[0]:
                assert not track.alone

    @invariant()
    def who_has_gone_went_that_way(self) -> None:
        for track, how in self.told.gone.items():
            (card,) = self.told.tracks[track]
            last = [one for one in self.cards if one.name == card and one.end > SLIVER]
            if last and how == "out":
                # The last sliver of it may be taken for gone, once.
                continue
            assert card in self.left, f"card {card} is still in the window"
            assert how in self.left[card], f"card {card} went {self.left[card]}, told {how}"


TestWindow = Window.TestCase
TestWindow.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


def thing(end: float, front: float) -> Thing[str]:
    low, high = max(0.0, end), min(1.0, front)
    return Thing("card", low, high, end <= 0.004, front >= 0.996, f"{end:.2f} to {front:.2f}")


def test_a_card_that_rests_with_its_front_just_at_the_windows_end_is_one_card() -> None:
    """Its front is now in the picture and now not: it fills the window all the while."""
    presence: Presence[str] = Presence()
    presence.frame(0, [thing(-0.7, 0.6)])
    for number in range(1, 40):
        step = presence.frame(number, [thing(-0.31, 0.99 if number % 2 else 1.0)])
        assert [track.number for track in step.here] == [1]
        assert step.gone == ()


def test_a_card_nearly_out_that_a_burnt_out_frame_hides_is_no_new_card() -> None:
    presence: Presence[str] = Presence()
    for number, end in enumerate((-0.6, -0.2, 0.2, 0.5, 0.7, 0.76)):
        presence.frame(number, [thing(end, end + 0.9)])
    presence.frame(6, [])
    step = presence.frame(7, [thing(0.78, 1.68)])
    assert [track.number for track in step.here] == [1]


def test_the_last_sliver_of_a_card_that_was_taken_for_gone_is_no_new_card() -> None:
    presence: Presence[str] = Presence()
    for number, end in enumerate((-0.5, 0.0, 0.45, 0.9)):
        presence.frame(number, [thing(end, end + 0.9)])
    (gone,) = presence.frame(4, []).gone
    assert gone[1] == "out"
    for number in range(5, 30):
        assert presence.frame(number, [thing(0.93, 1.83)]).here == ()


def test_the_next_card_right_behind_at_full_speed_is_another_card() -> None:
    """At 0.5 of a window a frame the one leaves as the next one is nearly where it was."""
    presence: Presence[str] = Presence()
    tracks = []
    for number in range(8):
        end = -0.8 + 0.5 * number
        shown = [thing(at, at + 0.9) for at in (end, end - 0.92) if at < 0.98 and at + 0.9 > 0.02]
        tracks.append({t.number for t in presence.frame(number, shown).here if not t.hidden})
    assert set.union(*tracks) == {1, 2}
    assert {1, 2} in tracks


def test_a_card_half_drawn_and_pushed_back_has_gone_back() -> None:
    presence: Presence[str] = Presence()
    fronts = (0.2, 0.45, 0.5, 0.5, 0.35, 0.15, 0.05)
    for number, front in enumerate(fronts):
        presence.frame(number, [thing(front - 0.9, front)])
    (gone,) = presence.frame(len(fronts), []).gone
    assert gone[1] == "back"


def test_who_stood_there_before_an_interruption_is_stale_and_who_enters_is_not() -> None:
    presence: Presence[str] = Presence()
    presence.frame(0, [thing(-0.2, 0.7)])
    (lost,) = presence.interrupted()
    assert lost.number == 1
    step = presence.frame(1, [thing(0.1, 1.0), thing(-0.8, 0.08)])
    assert [track.stale for track in step.here] == [True, False]


def test_a_card_that_falls_into_two_pieces_is_told_by_neither() -> None:
    """A seam is seen where none is: the piece behind would be a card of its own, read once more."""
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.05, 0.17, 0.3, 0.42, 0.55, 0.69, 0.83, 0.97)):
        presence.frame(number, [thing(front - 1.9, front)])
    step = presence.frame(8, [thing(0.85, 1.2), thing(-0.9, 0.86)])
    assert [track.stale for track in step.here] == [True, True]


def test_a_card_that_follows_close_behind_at_the_same_speed_is_no_piece_of_the_one_before() -> None:
    presence: Presence[str] = Presence()
    for number in range(9):
        front = 0.1 + 0.25 * number
        shown = [thing(at - 0.9, at) for at in (front, front - 0.93) if 0.02 < at < 1.86]
        step = presence.frame(number, shown)
        assert not any(track.stale for track in step.here)


@given(
    end=st.floats(0.02, 0.9),
    length=st.floats(0.3, 1.9),
    hidden=st.integers(1, 25),
    further=st.floats(0.0, 0.3),
)
def test_a_card_under_a_hand_is_the_same_card_when_the_hand_is_gone(
    end: float, length: float, hidden: int, further: float
) -> None:
    """However long: it was told, and told a second time it would be dealt a second time."""
    presence: Presence[str] = Presence()
    ends = [end - 0.1 * k for k in range(10, -1, -1) if end - 0.1 * k + length > 0.02]
    steps = [presence.frame(n, [thing(at, at + length)]) for n, at in enumerate(ends)]
    assert [track.number for track in steps[-1].here] == [1]
    for number in range(len(ends), len(ends) + hidden):
        presence.frame(number, [])
    at = min(0.95, end + further)
    for number in range(len(ends) + hidden, len(ends) + hidden + 5):
        step = presence.frame(number, [thing(at, at + length)])
        assert {track.number for track in step.here} <= {1}
        at = min(0.95, at + 0.01)


def test_a_card_that_is_there_again_after_long_is_told_by_nobody() -> None:
    """Nobody knows whether it is another one by then."""
    presence: Presence[str] = Presence()
    for number, end in enumerate((-0.2, -0.1, 0.0, 0.1, 0.2)):
        presence.frame(number, [thing(end, end + 0.5)])
    for number in range(5, 100):
        presence.frame(number, [])
    step = presence.frame(100, [thing(0.25, 0.75)])
    assert [(track.number, track.stale) for track in step.here] == [(2, True)]


def test_a_card_that_comes_in_at_the_far_end_after_long_is_shown_from_the_table() -> None:
    presence: Presence[str] = Presence()
    for number, end in enumerate((-0.2, 0.0, 0.2, 0.4, 0.6, 0.8)):
        presence.frame(number, [thing(end, end + 0.5)])
    for number in range(6, 100):
        presence.frame(number, [])
    step = presence.frame(100, [thing(0.85, 1.35)])
    assert [(one.number, one.stale, one.came) for one in step.here] == [(2, False, False)]


@given(hidden=st.integers(4, 40), first=st.floats(0.03, 0.9), length=st.floats(0.95, 1.9))
def test_the_next_card_after_one_that_left_under_a_hand_is_a_new_one(
    hidden: int, first: float, length: float
) -> None:
    presence: Presence[str] = Presence()
    for number, end in enumerate((-0.3, -0.2, -0.1, 0.0, 0.1, 0.2)):
        presence.frame(number, [thing(end, end + length)])
    for number in range(6, 6 + hidden):
        presence.frame(number, [])
    step = presence.frame(6 + hidden, [thing(first - length, first)])
    assert [(track.number, track.stale) for track in step.here] == [(2, False)]


def test_two_that_are_one_thing_for_a_frame_are_neither_the_one_nor_the_other() -> None:
    """Dust lies on the seam: the card behind would have the front one's face read once more."""
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.56, 0.67, 0.78, 0.89)):
        presence.frame(number, [thing(front - 0.44, front), thing(front - 0.9, front - 0.44)])
    step = presence.frame(4, [thing(0.03, 1.0)])
    assert [(track.number, track.hidden) for track in step.here] == [(1, 1), (2, 1)]
    assert step.gone == ()


def test_a_hurried_card_behind_one_that_leaves_is_followed() -> None:
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.2, 0.6, 1.0, 1.4)):
        shown = [thing(at - 0.9, at) for at in (front, front - 0.92) if at > 0.02]
        presence.frame(number, shown)
    step = presence.frame(4, [thing(-0.02, 0.88)])
    assert [(track.number, track.hidden) for track in step.here] == [(2, 0)]


def test_a_card_of_which_one_frame_shows_its_front_alone_is_not_told_anew_by_the_rest_of_it() -> (
    None
):
    """A seam is seen for one frame where none is, while it rests: the rest would be a card."""
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.3, 0.6, 0.9, 0.95, 0.95, 0.95)):
        presence.frame(number, [thing(front - 0.85, front)])
    presence.frame(6, [thing(0.78, 0.95), thing(0.1, 0.81)])
    step = presence.frame(7, [thing(0.1, 0.95)])
    assert all(track.stale for track in step.here)


def test_a_gleam_before_a_card_does_not_make_it_a_new_one() -> None:
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.14, 0.28, 0.42, 0.56, 0.7, 0.84, 0.98)):
        presence.frame(number, [thing(front - 0.98, front)])
    step = presence.frame(7, [thing(0.87, 1.0), thing(0.15, 0.93)])
    assert any(track.number == 1 and track.last.low == 0.15 for track in step.here)


def test_a_leaning_card_of_which_a_corner_comes_first_is_one_card() -> None:
    presence: Presence[str] = Presence()
    sides = (0.3, 0.03, 0.03, 0.03)
    for number, (front, side) in enumerate(zip((0.06, 0.3, 0.5, 0.7), sides, strict=True)):
        one = Thing("card", 0.0, front, True, False, "leaning", side)
        step = presence.frame(number, [one])
        assert [track.number for track in step.here] == [1]
    assert presence.cost < 0.6


def test_a_card_on_its_way_out_that_falls_in_two_is_not_told_anew_by_its_end() -> None:
    presence: Presence[str] = Presence()
    for number in range(30):
        end = -0.4 + 0.03 * number
        presence.frame(number, [thing(end, end + 0.9)])
    step = presence.frame(30, [thing(0.88, 1.4), thing(0.51, 0.91)])
    assert [track.stale for track in step.here] == [True, True]


def test_an_end_that_is_seen_for_one_frame_is_none_yet() -> None:
    """A seam that flickers: the card stands in the shoe's mouth."""
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.13, 0.44)):
        presence.frame(number, [thing(front - 0.9, front)])
    step = presence.frame(2, [thing(0.43, 0.68), thing(-0.3, 0.48)])
    assert not any(track.surely for track in step.here)
    step = presence.frame(3, [thing(-0.1, 0.86)])
    assert not any(track.surely for track in step.here)


def test_a_resting_card_that_falls_in_two_faster_than_it_came_is_told_by_neither_part() -> None:
    """It rests and fills the window; a seam far on in it would have it gone by four fifths."""
    presence: Presence[str] = Presence()
    for number, front in enumerate((0.18, 0.66, 1.14, 1.14)):
        presence.frame(number, [thing(front - 1.3, front)])
    step = presence.frame(4, [thing(0.8, 1.6), thing(-0.5, 0.83)])
    assert [track.stale for track in step.here] == [True, True]


def test_of_a_card_that_touched_the_next_one_it_is_said_when_they_come_apart() -> None:
    """Leaning, it touches the one in the shoe's mouth: what was read of both may be on either."""
    presence: Presence[str] = Presence()
    for number in range(3):
        step = presence.frame(number, [thing(-0.2, 1.2)])
        assert not step.apart
    step = presence.frame(3, [thing(0.31, 1.2), thing(-0.6, 0.27)])
    assert [track.number for track in step.apart] == [1]


def test_who_follows_at_a_distance_was_no_part_of_the_one_before() -> None:
    presence: Presence[str] = Presence()
    for number in range(10):
        front = 0.25 * number
        cards = [thing(front - 0.9, front), thing(front - 1.85, front - 0.95)]
        step = presence.frame(number, [one for one in cards if one.high > 0 and one.low < 1])
        assert not step.apart
