"""Whether the camera sees: pictures that stopped, froze, are black, torn, slow, covered, or
brighter or darker than they were.

Pure: each call brings the monotonic time (ns). Every fault comes only after it has lasted, and goes
only after it has been over for a while. What is not a new, live, lit picture is never looked at:
`picture` says so, and it says it from the first bad picture on, long before the fault is told.

Troubles: `stalled`, `frozen`, `black`, `torn`, `slow`, `too_slow`, `blocked_view`, `exposure`.
"""

from __future__ import annotations

import statistics
from collections import deque
from dataclasses import dataclass

from drivers.protocols.camera_lines import Event, Fault, FaultOver

_MS = 1_000_000
_SECOND = 1000 * _MS
# A fault that is over for so long is over.
OVER_MS = 300
# Grey levels: a picture with no more light, and hardly a difference in it, shows nothing.
BLACK_LIGHT, BLACK_SPREAD = 10.0, 8.0
# A camera that has found its exposure: so many pictures in a row of about one light.
SETTLED, SETTLED_SHARE, SETTLED_LIGHT = 5, 0.15, 4.0
# So many torn ones among the last ones are a trouble; it is over after so long without one.
TORN, TORN_OF, TORN_OVER_MS = 3, 30, 3000
SLOW_MS, SLOW_SHARE, SLOW_OVER_SHARE, SLOW_OVER = 3000, 1 / 3, 0.4, 1.25
# The empty window's light is learned for so many seconds; then it is compared over so many.
LEARN_S, COMPARE_S = 20, 5
DARKER, BRIGHTER, LEAST_CHANGE = 0.55, 1.8, 12.0


@dataclass(frozen=True)
class Limits:
    """What a camera's settings say, milliseconds; `fps` as asked for. `light`: of the empty window
    as it was learned before, 0 for not known. `least_fps`: with fewer a card may pass unseen.
    """

    fps: float
    stalled_ms: int = 2000
    frozen_ms: int = 2000
    black_ms: int = 2000
    warm_up_ms: int = 8000
    covered_ms: int = 5000
    light: float = 0.0
    least_fps: float = 0.0


@dataclass(frozen=True)
class Look:
    """A picture's bare figures. `same`: bit for bit the one before; `stood`: its time stamp is that
    of the one before.
    """

    light: float
    spread: float
    same: bool = False
    stood: bool = False

    @property
    def black(self) -> bool:
        """Whether it shows nothing."""
        return self.light < BLACK_LIGHT and self.spread < BLACK_SPREAD


class _Lasting:
    """A fault that must last, and must be over for a while."""

    def __init__(self, code: str, on_ms: int, off_ms: int = OVER_MS) -> None:
        self.code = code
        self.on = False
        self._on_ns, self._off_ns = on_ms * _MS, off_ms * _MS
        self._bad_since: int | None = None
        self._good_since: int | None = None

    def update(self, bad: bool, now_ns: int, detail: str, told: list[Event]) -> None:
        """How it is now."""
        if bad:
            self._good_since = None
            self._bad_since = now_ns if self._bad_since is None else self._bad_since
            if not self.on and now_ns - self._bad_since >= self._on_ns:
                self.on = True
                told.append(Fault(code=self.code, detail=detail))
            return
        self._bad_since = None
        if not self.on:
            return
        self._good_since = now_ns if self._good_since is None else self._good_since
        if now_ns - self._good_since >= self._off_ns:
            self.on, self._good_since = False, None
            told.append(FaultOver(code=self.code))


class Watchdog:
    """Watches one camera, from the moment it was opened."""

    def __init__(self, limits: Limits, now_ns: int) -> None:
        self._limits = limits
        self._began_ns = self._last_ns = now_ns
        self._told: list[Event] = []
        self._stalled = _Lasting("stalled", 0)
        self._frozen = _Lasting("frozen", limits.frozen_ms)
        self._black = _Lasting("black", limits.black_ms)
        self._slow = _Lasting("slow", 0, SLOW_MS)
        self._too_slow = _Lasting("too_slow", 0, SLOW_MS)
        self._light = _Light(limits.light)
        self._lights: deque[float] = deque(maxlen=SETTLED)
        self._torn: deque[bool] = deque(maxlen=TORN_OF)
        self._torn_ns: int | None = None
        self._times: deque[int] = deque()
        self._used: deque[int] = deque()
        # Since when pictures come unhindered: only then is their number judged.
        self._fair_ns = now_ns
        self._hand_ns: int | None = None
        self._covered = False
        self._ended = False
        self.ready = False

    @property
    def empty_light(self) -> float:
        """The light of the empty window as it was learned, 0 until then."""
        return self._light.learned

    def picture(self, look: Look, now_ns: int, *, empty: bool = False) -> bool:
        """A picture came. `empty`: nothing was in the window at the one before. Gives whether it
        may be looked at.
        """
        self._came(now_ns)
        self._torn.append(False)
        still = look.same or look.stood
        why = "the same picture again" if look.same else "its time stamp stands still"
        self._frozen.update(still, now_ns, f"{why}, and again", self._told)
        self._warm_up(look, now_ns)
        if not self.ready:
            return False
        self._black.update(
            look.black, now_ns, f"light {look.light:.0f} of 255 and nothing in it", self._told
        )
        if still or look.black or self._stalled.on or self._frozen.on or self._black.on:
            return False
        if empty:
            self._light.take(look.light, now_ns, self._told)
        return True

    def torn(self, why: str, now_ns: int) -> None:
        """A picture came that is not whole."""
        self._came(now_ns)
        self._torn.append(True)
        self._torn_bad(why, now_ns)

    def looked_at(self, now_ns: int) -> None:
        """A picture was looked at, to its end."""
        self._used.append(now_ns)

    def hand(self, there: bool, now_ns: int) -> None:
        """Something that is no card covers the window, or has gone."""
        if there:
            self._hand_ns = now_ns if self._hand_ns is None else self._hand_ns
            return
        self._hand_ns = None
        if self._covered:
            self._covered = False
            self._told.append(FaultOver(code="blocked_view"))

    def end(self) -> None:
        """The source has come to its end: no picture is missed any more, and what the last one
        shows covers nothing.
        """
        self._ended = True
        self._hand_ns = None

    def tick(self, now_ns: int) -> None:
        """Time passed."""
        quiet_ns = now_ns - self._last_ns
        if not self._ended and quiet_ns >= self._limits.stalled_ms * _MS:
            detail = f"no picture for {quiet_ns / _SECOND:.1f} s"
            self._stalled.update(True, now_ns, detail, self._told)
        if not self.ready and now_ns - self._began_ns >= self._limits.warm_up_ms * _MS:
            self.ready = True
        if self._torn_ns is not None and now_ns - self._torn_ns >= TORN_OVER_MS * _MS:
            self._torn_ns = None
            self._told.append(FaultOver(code="torn"))
        hand_ns = self._hand_ns
        if hand_ns is not None and now_ns - hand_ns >= self._limits.covered_ms * _MS:
            self._hand_ns = now_ns
            if not self._covered:
                self._covered = True
                seconds = self._limits.covered_ms / 1000
                detail = f"something covers the window for {seconds:g} s"
                self._told.append(Fault(code="blocked_view", detail=detail))
        self._rate(now_ns)

    def take(self) -> tuple[Event, ...]:
        """What there is to tell since the last time."""
        told, self._told = tuple(self._told), []
        return told

    # --- one by one -----------------------------------------------------------------------

    def _came(self, now_ns: int) -> None:
        self._last_ns = now_ns
        self._times.append(now_ns)
        self._stalled.update(False, now_ns, "", self._told)

    def _warm_up(self, look: Look, now_ns: int) -> None:
        if self.ready:
            return
        if look.black:
            self._lights.clear()
        else:
            self._lights.append(look.light)
            low, high = min(self._lights), max(self._lights)
            room = max(SETTLED_LIGHT, SETTLED_SHARE * high)
            self.ready = len(self._lights) == SETTLED and high - low <= room
        if now_ns - self._began_ns >= self._limits.warm_up_ms * _MS:
            self.ready = True

    def _torn_bad(self, why: str, now_ns: int) -> None:
        if self._torn_ns is not None:
            self._torn_ns = now_ns
        elif sum(self._torn) >= TORN:
            self._torn_ns = now_ns
            detail = f"{sum(self._torn)} of the last {len(self._torn)} pictures; {why}"
            self._told.append(Fault(code="torn", detail=detail))

    def _rate(self, now_ns: int) -> None:
        window_ns = SLOW_MS * _MS
        for times in (self._times, self._used):
            while times and now_ns - times[0] > window_ns:
                times.popleft()
        blind = not self.ready or self._stalled.on or self._frozen.on or self._black.on
        if blind or self._ended:
            self._fair_ns = now_ns
        if now_ns - self._fair_ns < window_ns:
            return
        fps = self._limits.fps
        came = len(self._times) / (SLOW_MS / 1000)
        used = len(self._used) / (SLOW_MS / 1000)
        share = SLOW_OVER_SHARE if self._slow.on else SLOW_SHARE
        who = "the camera gives" if came < fps * share else "this machine looks at"
        detail = f"{who} {min(came, used):.0f} pictures a second of {fps:g}"
        self._slow.update(min(came, used) < fps * share, now_ns, detail, self._told)
        least = self._limits.least_fps * (SLOW_OVER if self._too_slow.on else 1)
        self._too_slow.update(min(came, used) < least, now_ns, detail, self._told)


class _Light:
    """The empty window's light: learned once, then held against."""

    def __init__(self, learned: float) -> None:
        self.learned = learned
        self._seconds: deque[float] = deque(maxlen=LEARN_S)
        self._second: list[float] = []
        self._second_ns: int | None = None
        self._on = False

    def take(self, light: float, now_ns: int, told: list[Event]) -> None:
        """An empty window's light."""
        if self._second_ns is None:
            self._second_ns = now_ns
        self._second.append(light)
        if now_ns - self._second_ns < _SECOND:
            return
        self._seconds.append(statistics.median(self._second))
        self._second.clear()
        self._second_ns = now_ns
        if self.learned:
            self._compare(told)
        elif len(self._seconds) == LEARN_S:
            self.learned = statistics.median(self._seconds)

    def _compare(self, told: list[Event]) -> None:
        if len(self._seconds) < COMPARE_S:
            return
        now = statistics.median(list(self._seconds)[-COMPARE_S:])
        # Half the way back is needed for it to be over.
        slack = 1.15 if self._on else 1.0
        far = now < self.learned * DARKER * slack or now > self.learned * BRIGHTER / slack
        far = far and abs(now - self.learned) > LEAST_CHANGE
        if far and not self._on:
            self._on = True
            detail = f"the empty window's light is {now:.0f}; it was {self.learned:.0f} (of 255)"
            told.append(Fault(code="exposure", detail=detail))
        elif self._on and not far:
            self._on = False
            told.append(FaultOver(code="exposure"))
