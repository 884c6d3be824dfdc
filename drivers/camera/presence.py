"""Cards coming, sliding past and going: which thing of this frame is which of the frame before.

Things slide one behind the other and never overtake, so each frame is an ordered row of them. A
frame's row continues the last one: from its front some have left, at its end some have come in, and
all others went forward, or back, by less than a card's length. Places are shares of the picture
along the way the cards go: 0 where they come in, 1 where they leave.

Pure: no image and no clock in here. A card is told of once, however many frames show it; one that
passed and was not read is told of too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Generic, Literal, TypeAlias, TypeVar

Kind: TypeAlias = Literal["card", "cut", "other"]
Gone: TypeAlias = Literal["out", "back", "lifted"]
T = TypeVar("T")

# No card goes further between two frames than this share of the picture, unless it was as hasty.
_FURTHEST = 0.85
# The hand that draws is not steady, and edges are seen to a pixel or so: less is no movement.
_STEADY = 0.012
# A thing not found again may be hidden (a hand, a burnt-out frame) for so many frames.
_HIDDEN = 3
_TWICE = 2
# Whoever has come no further than this has not been drawn; whoever was further has left.
_NEAR_START = 0.3
# Coming in and leaving are rarer than going on.
_CHANGE = 0.3
# Nothing leaves that would have to be so much faster than it was a frame before; it is hidden.
_HASTE = 2.5
# The hand that draws goes back so far in a frame without pushing the card back.
_UNSTEADY = 0.1
# An end that is seen so much farther than it can have come was not seen before, or is none.
_JUMP = 0.3
# Few are so much faster in a frame than in the one before.
_HASTY = 1.5
# Of who has come in no farther little is seen.
_PEEPING = 0.15
# The last sliver of a card that is about to leave comes and goes.
_SLIVER = 0.2
# So much of where a thing is expected is another one's place: it is that one.
_MOSTLY = 0.7
# Who was given up (a hand lay over it) and is there again within so many of the source's pictures,
# no less far on, is the same; after that nobody knows.
_BACK_AGAIN = 30
# No more cards than that are in a window.
_ROOM = 3


@dataclass(frozen=True)
class Thing(Generic[T]):
    """One thing in one frame. It reaches from `low` (its end) to `high` (its front); `low_cut`,
    `high_cut`: it goes on beyond the picture there. `side`: how far over it is seen to begin across
    the way, None where it is cut off. `what` is the caller's own.
    """

    kind: Kind
    low: float
    high: float
    low_cut: bool
    high_cut: bool
    what: T
    side: float | None = None


@dataclass
class Track(Generic[T]):
    """One thing followed through the frames. `alone`: in the frame at hand nothing is before it in
    the window. `came`: out of the shoe, as far as can be told; not held in from the table's side.
    `covered`: when it was seen last, another one was taken for all that was there.
    `stale`: it stood there when the picture came back
    after an interruption, and may have been there before; or two were seen where one had been.
    """

    number: int
    kind: Kind
    last: Thing[T]
    first_frame: int
    last_frame: int
    seen: int = 1
    came: bool = False
    stale: bool = False
    alone: bool = True
    moved: float = 0.0
    furthest: float = 0.0
    out: bool = False
    shift: float = 0.0
    fastest: float = 0.0
    hidden: int = 0
    covered: bool = False
    ends: int = 0
    kinds: dict[Kind, int] = field(default_factory=dict)

    @property
    def drawn(self) -> bool:
        """Whether it has come out of the shoe: its end has been seen while it moved on."""
        return self.out and self.moved > _STEADY

    @property
    def surely(self) -> bool:
        """Whether it has, for certain: its end is seen twice running, which no seam is."""
        return self.drawn and self.ends >= _TWICE


@dataclass(frozen=True)
class Step(Generic[T]):
    """What one frame changed: who is there now (front first), who came, and who has gone how.
    `apart`: of whom a part has shown to be another one; what was seen of it may be that one's.
    """

    here: tuple[Track[T], ...]
    came: tuple[Track[T], ...] = ()
    gone: tuple[tuple[Track[T], Gone], ...] = ()
    apart: tuple[Track[T], ...] = ()


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
        jumped: list[tuple[Track[T], float | None]] = []
        filled: list[tuple[Track[T], float]] = []
        for index, track in enumerate(self._row):
            thing = pairs.get(index)
            if thing is not None:
                if _jumps(track, thing) or _opened(track, thing):
                    jumped.append((track, _expected_end(track)))
                back += [track] if track.hidden else []
                filled.append((track, track.last.low + 2 * max(track.shift, 0.0)))
                self._follow(track, thing, number)
                kept.append(track)
            elif index < gone_front or track.hidden >= _HIDDEN or _at_start(track):
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
                track.stale = track.stale or track.last.high > _PEEPING
        ending = len(whole) < len(new) or any(how == "out" for _, how in gone)
        self._left_frames = 0 if ending else self._left_frames + 1
        self._row = sorted([*kept, *came], key=lambda track: -(track.last.high + track.last.low))
        self._give_up([track for track, how in gone if how != "back"])
        self._stale = False
        for place, track in enumerate(self._row):
            track.alone = place == 0
        return Step(tuple(self._row), tuple(came), tuple(gone), apart)

    def finish(self) -> tuple[Track[T], ...]:
        """There are no more frames: who is still in the window."""
        row, self._row = tuple(self._row), []
        return row

    def _same_place(self, things: list[Thing[T]], pairs: dict[int, Thing[T]]) -> None:
        """Nobody is new where another one must be: a gleam before it has taken its turn."""
        taken = {id(thing) for thing in pairs.values()}
        for index, track in enumerate(self._row):
            if index in pairs or track.hidden or track.moved <= _STEADY:
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
        hasty = leap > _HASTE * usual + _UNSTEADY and leap > 2 * step and usual > _STEADY
        return gone if hasty and -_STEADY <= step <= 2 * usual + _UNSTEADY else None

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
            came=thing.low_cut or (not thing.high_cut and thing.low < _NEAR_START),
            stale=self._stale and not entering,
            furthest=thing.high,
            out=not thing.low_cut,
            ends=int(not thing.low_cut),
            kinds={thing.kind: 1},
        )

    def _follow(self, track: Track[T], thing: Thing[T], number: int) -> None:
        shift = _shift(track.last, thing)
        if shift is not None:
            track.moved += shift if abs(shift) > _STEADY else 0.0
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
        cost = sum(_CHANGE if self._last_of_it(thing) else 1.5 for thing in things[:skipped])
        cost += sum(_leaving(track, self._velocity) for track in self._row[:left])
        pairs: dict[int, Thing[T]] = {}
        staying = list(range(left, len(self._row)))
        for index, thing in zip(staying, things[skipped:], strict=False):
            step = _cost_of(self._row[index], thing)
            if step is None:
                cost += 1.2
                continue
            pairs[index] = thing
            cost += step
        cost += sum(
            _CHANGE if _at_start(self._row[index]) else 2 * _CHANGE
            for index in staying[len(things) - skipped :]
        )
        cost += sum(_entering(thing) for thing in things[skipped + len(staying) :])
        return cost, pairs


def _shift(before: Thing[T], now: Thing[T]) -> float | None:
    """How far it went forward, by the ends that are seen in both frames; None if none is."""
    shifts = []
    if not (before.low_cut or now.low_cut):
        shifts.append(now.low - before.low)
    if not (before.high_cut or now.high_cut):
        shifts.append(now.high - before.high)
    if shifts:
        # An end that stands still while the other one moves is cut off by something in the way.
        return max(shifts, key=abs)
    if before.low_cut and not now.low_cut and now.high_cut:
        return max(now.low, _STEADY)
    if before.high_cut and not now.high_cut:
        # Its front had gone out of the picture and came back in: by at least so much.
        return -max(1 - now.high, before.low)
    return None


def _cost_of(track: Track[T], thing: Thing[T]) -> float | None:
    """How unlikely it is that this is the same thing a frame later; None if it cannot be."""
    before = track.last
    furthest = max(_FURTHEST, _HASTY * track.fastest)
    if thing.low - before.high > furthest:
        return None
    shift = _shift(before, thing)
    if shift is None:
        return 0.1 + _sideways(before, thing)
    if abs(shift) > furthest or shift < -0.5:
        return None
    otherwise = 0.3 if before.kind != thing.kind else 0.0
    speed = 0.5 * abs(shift - track.shift)
    return speed + _backwards(shift) + otherwise + _sideways(before, thing)


def _backwards(shift: float) -> float:
    """How unlikely it is to go back, a little or much."""
    if shift > -2 * _STEADY:
        return 0.0
    return _CHANGE if shift > -_UNSTEADY else 0.8


def _sideways(before: Thing[T], now: Thing[T]) -> float:
    """What goes across the way does not go the way."""
    if before.side is None or now.side is None or (before.low_cut and before.high < _PEEPING):
        # Of one that leans, a corner comes in first.
        return 0.0
    return 2.0 * max(0.0, abs(now.side - before.side) - _STEADY)


def _leaving(track: Track[T], velocity: float) -> float:
    """How unlikely it is that it has left the window at its front since the last frame."""
    needed = 1.0 - track.last.low
    if not (track.last.high_cut or needed < _FURTHEST):
        return 3.0
    near = track.last.high_cut and track.last.low > 0.5
    unlikely = _CHANGE if near else _CHANGE + 0.1
    return unlikely + _HASTE * max(0.0, needed - max(velocity, track.shift, 0.0))


def _may_be(before: Thing[T], now: Thing[T]) -> bool:
    """Whether a thing that is suddenly there may be one that was there before, as far or farther
    on: what comes out of the shoe is seen in its mouth first.
    """
    if now.low_cut:
        return before.low_cut and before.high_cut and now.high_cut
    return now.low >= before.low - _UNSTEADY


def _entering(thing: Thing[T]) -> float:
    """How unlikely it is that it has come in since the last frame."""
    return _CHANGE if thing.low_cut else _CHANGE + 0.1 + 0.4 * max(0.0, thing.low)


def _expected_end(track: Track[T]) -> float | None:
    """Where its end is to be seen now; None while it was not seen."""
    return None if track.last.low_cut else track.last.low + max(track.shift, 0.0)


def _jumps(track: Track[T], thing: Thing[T]) -> bool:
    """Whether its end is suddenly seen far in the window, where it had filled all before, or leaps
    there while its front does not.
    """
    if track.last.low_cut:
        filled = not thing.low_cut and track.moved > _STEADY
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
    return filled and thing.low > max(_JUMP, _HASTY * track.shift)


def _fell_apart(jumped: list[tuple[Track[T], float | None]], came: list[Track[T]]) -> None:
    """One thing fell into two, or two that were taken for one came apart: neither can be told."""
    for track, end in jumped:
        for other in came:
            if other is track:
                continue
            behind = other.last.low < track.last.low - _STEADY
            its_end = end is None or abs(other.last.low - end) < _UNSTEADY
            if behind and its_end and other.last.high > track.last.low - _SLIVER:
                track.stale = other.stale = True


def _shared(track: Track[T], low: float, others: list[Track[T]]) -> bool:
    """Whether one of the others is there behind it where it was itself, to about `low`, a frame
    before: two that touched were one thing.
    """
    return any(
        other is not track
        and other.last.low < track.last.low - _STEADY
        and other.last.high > low + _UNSTEADY
        for other in others
    )


def _at_start(track: Track[T]) -> bool:
    """Whether it stood so close to where things come in that it is gone, not hidden."""
    return track.last.high < _NEAR_START / 2


def _how(track: Track[T]) -> Gone:
    if track.last.high_cut or track.last.low > 0.4 or track.furthest > 0.97:
        return "back" if track.shift < -_STEADY and track.last.low_cut else "out"
    if track.last.low_cut or track.last.high < _NEAR_START:
        return "back"
    return "lifted"
