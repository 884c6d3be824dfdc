"""Cards coming, sliding past and going: which thing of this frame is which of the frame before.

Things slide one behind the other and never overtake, so each frame is an ordered row of them. A
frame's row continues the last one: from its front some have left, at its end some have come in, and
all others went forward, or back, by less than a card's length. Places are shares of the picture
along the way the cards go: 0 where they come in, 1 where they leave.

Pure: no image and no clock in here. A card is told of once, however many frames show it; one that
passed and was not read is told of too.
"""

from __future__ import annotations

from itertools import count
from typing import Generic

from drivers.camera.likely import CHANGE, at_start, cost_of, entering, leaving, shift_of
from drivers.camera.tracks import (
    HASTE,
    HASTY,
    NEAR_START,
    PEEPING,
    STEADY,
    UNSTEADY,
    Gone,
    Step,
    T,
    Thing,
    Track,
)

# A thing not found again may be hidden (a hand, a burnt-out frame) for so many frames.
_HIDDEN = 3
# An end that is seen so much farther than it can have come was not seen before, or is none.
_JUMP = 0.3
# The last sliver of a card that is about to leave comes and goes.
_SLIVER = 0.2
# So much of where a thing is expected is another one's place: it is that one.
_MOSTLY = 0.7
# Who was given up (a hand lay over it) and is there again within so many of the source's pictures,
# no less far on, is the same; after that nobody knows.
_BACK_AGAIN = 30
# No more cards than that are in a window.
_ROOM = 3


class Presence(Generic[T]):
    """The row of things in the window. `cost`: how unlikely all is that has been seen so far, if
    this is the way the cards go.
    """

    def __init__(self) -> None:
        self._row: list[Track[T]] = []
        self._numbers = count(1)
        self._stale = False
        self._velocity = 0.0
        self._left_frames = _HIDDEN + 1
        self._given_up: list[Track[T]] = []
        self.cost = 0.0

    @property
    def row(self) -> tuple[Track[T], ...]:
        """Who is in the window, front first."""
        return tuple(self._row)

    @property
    def may_return(self) -> frozenset[int]:
        """The numbers of those that are told to be gone and may only be hidden: one that is there
        again goes on as the same track.
        """
        return frozenset(track.number for track in self._given_up)

    def interrupted(self) -> tuple[Track[T], ...]:
        """The picture was away. Who was in the window is not followed any further; who is there
        when it comes back may be the same: it is stale.
        """
        lost, self._row = tuple(self._row), []
        self._stale, self._velocity = True, 0.0
        self._given_up.clear()
        return lost

    def leave(self, track: Track[T]) -> None:
        """It goes on in another row."""
        self._row = [one for one in self._row if one is not track]

    def join(self, track: Track[T]) -> None:
        """It comes from another row, and has a new number here."""
        track.number = next(self._numbers)
        self._row = sorted([*self._row, track], key=lambda one: -(one.last.high + one.last.low))

    def frame(self, number: int, things: list[Thing[T]]) -> Step[T]:
        """The next frame's things, in any order."""
        things = sorted(things, key=lambda thing: -(thing.high + thing.low))
        gone_front, pairs, cost = self._continued(things)
        self.cost += cost
        together = self._together(gone_front, pairs)
        if together is not None:
            # Neither of the two is seen in this frame, as if a hand lay over them.
            gone_front -= 1
            things = [thing for thing in things if thing is not pairs[together]]
            del pairs[together]
        self._same_place(things, pairs)
        gone: list[tuple[Track[T], Gone]] = []
        kept: list[Track[T]] = []
        back: list[Track[T]] = []
        fronts: list[Track[T]] = []
        jumped: list[tuple[Track[T], float | None]] = []
        filled: list[tuple[Track[T], float]] = []
        for index, track in enumerate(self._row):
            thing = pairs.get(index)
            if thing is not None:
                if _jumps(track, thing) or _opened(track, thing):
                    jumped.append((track, _expected_end(track)))
                fronts += [track] if _front_again(track, thing) else []
                back += [track] if track.hidden else []
                filled.append((track, track.last.low + 2 * max(track.shift, 0.0)))
                self._follow(track, thing, number)
                kept.append(track)
            elif index < gone_front or track.hidden >= _HIDDEN or at_start(track):
                gone.append((track, _how(track)))
            else:
                track.hidden += 1
                kept.append(track)
        taken = {id(thing) for thing in pairs.values()}
        new = [thing for thing in things if id(thing) not in taken]
        whole = [thing for thing in new if not self._last_of_it(thing)]
        came = [one for thing in whole if (one := self._again(thing, number, kept)) is not None]
        others = [*came, *back]
        _fell_apart(jumped, others)
        apart = tuple(track for track, low in filled if _shared(track, low, others))
        if any(track.stale for track in kept):
            # Who is suddenly there behind one of which nobody knows is no better known.
            for track in came:
                track.stale = track.stale or track.last.high > PEEPING
        ending = len(whole) < len(new) or any(how == "out" for _, how in gone)
        self._left_frames = 0 if ending else self._left_frames + 1
        self._row = sorted([*kept, *came], key=lambda track: -(track.last.high + track.last.low))
        self._give_up([track for track, how in gone if how != "back"])
        self._stale = False
        for place, track in enumerate(self._row):
            track.alone = place == 0
        return Step(tuple(self._row), tuple(came), tuple(gone), apart, tuple(fronts))

    def finish(self) -> tuple[Track[T], ...]:
        """There are no more frames: who is still in the window."""
        row, self._row = tuple(self._row), []
        return row

    def _same_place(self, things: list[Thing[T]], pairs: dict[int, Thing[T]]) -> None:
        """Nobody is new where another one must be: a gleam before it has taken its turn."""
        taken = {id(thing) for thing in pairs.values()}
        for index, track in enumerate(self._row):
            if index in pairs or track.hidden or track.moved <= STEADY:
                continue
            low, high = track.last.low + track.shift, track.last.high + track.shift
            for thing in things:
                common = min(high, thing.high) - max(low, thing.low)
                if id(thing) not in taken and common > _MOSTLY * (high - low):
                    pairs[index] = thing
                    taken.add(id(thing))
                    break

    def _together(self, gone: int, pairs: dict[int, Thing[T]]) -> int | None:
        """Who of the row goes on as a thing that must be two of them, its own and that of the one
        before it: its front would have leapt to where the other's is, and the other be gone.
        """
        thing = pairs.get(gone)
        if not gone or thing is None or self._row[gone - 1].hidden:
            return None
        before, track = self._row[gone - 1], self._row[gone]
        leap, step = thing.high - track.last.high, thing.high - before.last.high
        usual = max(before.shift, track.shift, 0.0)
        hasty = leap > HASTE * usual + UNSTEADY and leap > 2 * step and usual > STEADY
        return gone if hasty and -STEADY <= step <= 2 * usual + UNSTEADY else None

    def _last_of_it(self, thing: Thing[T]) -> bool:
        """Whether it is but the end of one that was thought to have left already."""
        ending = thing.high_cut and thing.low > 1 - _SLIVER
        return ending and self._left_frames <= _HIDDEN

    def _again(self, thing: Thing[T], number: int, kept: list[Track[T]]) -> Track[T] | None:
        """A new track, unless it is one that was given up: that one goes on, in `kept`."""
        before = next((one for one in self._given_up if _may_be(one.last, thing)), None)
        if before is None:
            return self._new(thing, number)
        self._given_up.remove(before)
        if number - before.last_frame <= _BACK_AGAIN:
            self._follow(before, thing, number)
            kept.append(before)
            return None
        # One that is held in from the table is told as that, whoever it is.
        track = self._new(thing, number)
        track.stale = track.stale or track.came
        return track

    def _give_up(self, gone: list[Track[T]]) -> None:
        """Those have gone, as it seems. Nobody overtakes: who is passed by a later one has left."""
        passed = [*self._row, *gone]
        there = [
            one
            for one in self._given_up
            if not any(p.number > one.number and p.last.low > one.last.low for p in passed)
        ]
        self._given_up = sorted([*gone, *there], key=lambda one: -one.last.low)[:_ROOM]

    def _new(self, thing: Thing[T], number: int) -> Track[T]:
        # Stale only if it does not come in at this moment: a new card is one that enters.
        entering = thing.low_cut and thing.high < 0.5
        return Track(
            next(self._numbers),
            thing.kind,
            thing,
            number,
            number,
            came=thing.low_cut or (not thing.high_cut and thing.low < NEAR_START),
            stale=self._stale and not entering,
            furthest=thing.high,
            out=not thing.low_cut,
            ends=int(not thing.low_cut),
            kinds={thing.kind: 1},
        )

    def _follow(self, track: Track[T], thing: Thing[T], number: int) -> None:
        shift = shift_of(track.last, thing)
        if shift is not None:
            track.moved += shift if abs(shift) > STEADY else 0.0
            track.shift = shift
            track.fastest = max(track.fastest, shift)
            self._velocity = shift
        elif thing.high_cut and not track.last.high_cut:
            # Its front has reached the end: it went so far at least.
            track.moved += 1 - track.last.high
        track.last, track.last_frame = thing, number
        track.seen += 1
        track.hidden, track.covered = 0, False
        track.furthest = max(track.furthest, thing.high)
        track.out = track.out or not thing.low_cut
        track.ends = 0 if thing.low_cut else track.ends + 1
        track.kinds[thing.kind] = track.kinds.get(thing.kind, 0) + 1
        track.kind = max(track.kinds, key=lambda kind: track.kinds[kind])

    def _continued(self, things: list[Thing[T]]) -> tuple[int, dict[int, Thing[T]], float]:
        """How many have left at the front, and which thing continues which of the row: the way
        that asks for the least change of speed, and how unlikely that is.
        """
        best: tuple[float, int, dict[int, Thing[T]]] = (1e9, 0, {})
        for left in range(len(self._row) + 1):
            for skipped in range(len(things) + 1):
                cost, pairs = self._cost(left, skipped, things)
                if cost < best[0]:
                    best = cost, left, pairs
        return best[1], best[2], best[0]

    def _cost(
        self, left: int, skipped: int, things: list[Thing[T]]
    ) -> tuple[float, dict[int, Thing[T]]]:
        """What it would cost if `left` had gone at the front and the first `skipped` things had
        not been in the row before.
        """
        cost = sum(CHANGE if self._last_of_it(thing) else 1.5 for thing in things[:skipped])
        cost += sum(leaving(track, self._velocity) for track in self._row[:left])
        pairs: dict[int, Thing[T]] = {}
        staying = list(range(left, len(self._row)))
        for index, thing in zip(staying, things[skipped:], strict=False):
            step = cost_of(self._row[index], thing)
            if step is None:
                cost += 1.2
                continue
            pairs[index] = thing
            cost += step
        cost += sum(
            CHANGE if at_start(self._row[index]) else 2 * CHANGE
            for index in staying[len(things) - skipped :]
        )
        cost += sum(entering(thing) for thing in things[skipped + len(staying) :])
        return cost, pairs


def _may_be(before: Thing[T], now: Thing[T]) -> bool:
    """Whether a thing that is suddenly there may be one that was there before, as far or farther
    on: what comes out of the shoe is seen in its mouth first.
    """
    if now.low_cut:
        return before.low_cut and before.high_cut and now.high_cut
    return now.low >= before.low - UNSTEADY


def _expected_end(track: Track[T]) -> float | None:
    """Where its end is to be seen now; None while it was not seen."""
    return None if track.last.low_cut else track.last.low + max(track.shift, 0.0)


def _jumps(track: Track[T], thing: Thing[T]) -> bool:
    """Whether its end is suddenly seen far in the window, where it had filled all before, or leaps
    there while its front does not.
    """
    if track.last.low_cut:
        # Of one that is seen for the second time nobody knows how fast it is.
        filled = not thing.low_cut and (track.moved > STEADY or track.seen == 1)
        return filled and thing.low - 2 * max(track.shift, 0.0) > _JUMP
    if track.last.high_cut or thing.high_cut:
        return thing.low - track.last.low - 2 * max(track.shift, 0.0) > _JUMP
    ahead = thing.high - track.last.high
    return thing.low - track.last.low - ahead > _JUMP


def _opened(track: Track[T], thing: Thing[T]) -> bool:
    """Whether its end is seen far in the window, where it had filled all before: faster than it had
    come in.
    """
    filled = track.last.low_cut and track.last.high_cut and not thing.low_cut
    return filled and thing.low > max(_JUMP, HASTY * track.shift)


def _front_again(track: Track[T], thing: Thing[T]) -> bool:
    """Whether it had filled the window, and its front is seen again."""
    filled = track.last.low_cut and track.last.high_cut
    return filled and not thing.high_cut and thing.high < 1 - UNSTEADY


def _fell_apart(jumped: list[tuple[Track[T], float | None]], came: list[Track[T]]) -> None:
    """One thing fell into two, or two that were taken for one came apart: neither can be told."""
    for track, end in jumped:
        for other in came:
            if other is track:
                continue
            behind = other.last.low < track.last.low - STEADY
            its_end = end is None or abs(other.last.low - end) < UNSTEADY
            if behind and its_end and other.last.high > track.last.low - _SLIVER:
                track.stale = other.stale = True


def _shared(track: Track[T], low: float, others: list[Track[T]]) -> bool:
    """Whether one of the others is there behind it where it was itself, to about `low`, a frame
    before: two that touched were one thing.
    """
    return any(
        other is not track
        and other.last.low < track.last.low - STEADY
        and other.last.high > low + UNSTEADY
        for other in others
    )


def _how(track: Track[T]) -> Gone:
    if track.last.high_cut or track.last.low > 0.4 or track.furthest > 0.97:
        return "back" if track.shift < -STEADY and track.last.low_cut else "out"
    if track.last.low_cut or track.last.high < NEAR_START:
        return "back"
    return "lifted"
