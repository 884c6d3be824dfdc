"""What stands in the window: one thing in one frame, the same thing followed through the frames,
and what a frame changed. Places are shares of the picture along the way the cards go: 0 where they
come in, 1 where they leave.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypeVar

Kind: TypeAlias = Literal["card", "cut", "other"]
Gone: TypeAlias = Literal["out", "back", "lifted"]
T = TypeVar("T")

# The hand that draws is not steady, and edges are seen to a pixel or so: less is no movement.
STEADY = 0.012
# The hand that draws goes back so far in a frame without pushing the card back.
UNSTEADY = 0.1
# Whoever has come no further than this has not been drawn; whoever was further has left.
NEAR_START = 0.3
# Of who has come in no farther little is seen.
PEEPING = 0.15
# Nothing leaves that would have to be so much faster than it was a frame before; it is hidden.
HASTE = 2.5
# Few are so much faster in a frame than in the one before.
HASTY = 1.5
_TWICE = 2


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
        return self.out and self.moved > STEADY

    @property
    def surely(self) -> bool:
        """Whether it has, for certain: its end is seen twice running, which no seam is."""
        return self.drawn and self.ends >= _TWICE


@dataclass(frozen=True)
class Step(Generic[T]):
    """What one frame changed: who is there now (front first), who came, and who has gone how.
    `apart`: of whom a part has shown to be another one; what was seen of it may be that one's.
    `fronts`: who filled the window and shows a front again, which may be another one's.
    """

    here: tuple[Track[T], ...]
    came: tuple[Track[T], ...] = ()
    gone: tuple[tuple[Track[T], Gone], ...] = ()
    apart: tuple[Track[T], ...] = ()
    fronts: tuple[Track[T], ...] = ()
