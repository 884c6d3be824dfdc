"""The camera reader's program: pictures in, lines out.

One picture at a time is looked at, always the newest; what came meanwhile is left out. Whatever is
not a new, whole, fresh, lit picture is never looked at, and after a gap the one who looks is told
that there was one. A picture on which our own code fails costs that card, which is told, and the
next one is looked at with nothing remembered.
"""

from __future__ import annotations

import gc
import os
import time
from collections import deque
from collections.abc import Callable
from typing import NoReturn, Protocol

import msgspec

from drivers.camera.grabber import Grabbed, Grabber
from drivers.camera.heap import give_back
from drivers.camera.seer import Maker, the_pipeline
from drivers.camera.sources.base import SourceError
from drivers.camera.sources.opening import open_source
from drivers.camera.talk import Orders, Talk, complain
from drivers.camera.watchdog import Limits, Watchdog
from drivers.catalog import spec_of
from drivers.kinds.camera import EXIT_MISCONFIGURED, FILE, CameraSpec
from drivers.protocols import camera_lines as c

# Older pictures say what was, not what is.
STALE_MS = 250
# After so long without a picture that was looked at, what stands there may have changed.
GAP_MS = 500
SETTINGS_S = 30.0
# Memory is given back no more often than that while nothing stands in the window; where the next
# card always does, as in a shoe whose mouth is seen, once a minute whatever stands there.
TIDY_S, TIDY_ANYHOW_S = 10, 60
FAILPOINTS = ("abort", "hang", "exit")

_MS = 1_000_000
_SECOND = 1000 * _MS
_WAIT_S = 0.1
_WELL_NS = 2 * _SECOND
_INTERNAL = "internal"


class Pictures(Protocol):
    """Where pictures are taken from: `drivers.camera.grabber.Grabber`."""

    def take(self, wait_s: float) -> Grabbed:
        """What came. Raises SourceError."""


class Loop:
    """Takes pictures, lets them be looked at, and tells. `step` it for ever.

    `maker` makes the one who looks; a new one after a fault of his. `over` says whether the source
    has come to its end. `tidy` is called now and then while the window is empty.
    """

    def __init__(
        self,
        spec: CameraSpec,
        pictures: Pictures,
        maker: Maker,
        say: Callable[[c.Up], None],
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        reading: Callable[[], bool] = lambda: True,
        keeping: Callable[[], bool] = lambda: True,
        over: Callable[[], bool] = lambda: False,
        failpoint: str = "",
        light: float = 0.0,
        tidy: Callable[[], None] = give_back,
    ) -> None:
        """Raises what `maker` raises for settings that do not fit."""
        self._spec, self._pictures, self._maker, self._say = spec, pictures, maker, say
        self._clock, self._reading, self._over = clock, reading, over
        self._keeping = keeping
        self._seer = maker(spec)
        now_ns = clock()
        self._watchdog = Watchdog(limits(spec, light), now_ns)
        self._failpoint = Failpoint(failpoint)
        self._ready = self._ended = False
        self._used_ns: int | None = None
        self._told_ns = self._tidied_ns = now_ns
        self._tidy = tidy
        self._unkept = False
        self._failed_ns: int | None = None
        self._stale = self._dropped = self._number = 0
        self._times: deque[int] = deque(maxlen=1000)

    def step(self) -> None:
        """Take what came, at most one picture. Raises SourceError when the source is gone."""
        grabbed = self._pictures.take(_WAIT_S)
        now_ns = self._clock()
        self._dropped += grabbed.dropped
        for why in grabbed.torn:
            self._watchdog.torn(why, now_ns)
        self._use(grabbed, now_ns)
        self._watch(self._clock())

    # --- pictures -------------------------------------------------------------------------

    def _use(self, grabbed: Grabbed, now_ns: int) -> None:
        """Look at the picture, if there is one that may be looked at."""
        shot, look = grabbed.shot, grabbed.look
        if shot is None or look is None:
            return
        self._number = shot.frame.number
        self._failpoint.reached(self._number)
        known = self._used_ns is not None and now_ns - self._used_ns < GAP_MS * _MS
        good = self._watchdog.picture(look, now_ns, empty=known and self._seer.empty)
        if now_ns - shot.frame.at_ns > STALE_MS * _MS:
            self._stale += 1
            return
        if not good:
            return
        if not self._reading():
            self._watchdog.looked_at(now_ns)
            return
        self._seer.keep(self._keeping())
        well = known or self._see(self._seer.interrupted)
        well = well and self._see(lambda: self._seer.frame(shot.frame))
        end_ns = self._clock()
        # After a fault whoever looks next knows nothing of what stands there.
        self._used_ns = end_ns if well else None
        self._times.append(end_ns - now_ns)
        self._watchdog.looked_at(end_ns)

    def _see(self, look: Callable[[], tuple[c.Event, ...]]) -> bool:
        """Tell what is seen. A fault of ours costs the card in the window, never the program; gives
        whether there was none.
        """
        try:
            events = look()
        except Exception as error:  # noqa: BLE001 - told, and begun anew
            self._fault(error)
            return False
        for event in events:
            if isinstance(event, c.Presence) and event.edge in ("hand", "hand_gone"):
                self._watchdog.hand(event.edge == "hand", self._clock())
            self._say(event)
        return True

    def _fault(self, error: Exception) -> None:
        complain(f"internal fault: {error!r}{_where(error)}")
        if self._failed_ns is None:
            words = f"{error!r}{_where(error)}"
            self._say(c.Fault(code=_INTERNAL, detail=words))
            self._say(
                c.Missed(reason="unread", detail="a fault of the reader's", at_ns=self._clock())
            )
        self._failed_ns = self._clock()
        self._watchdog.hand(False, self._clock())
        if self._spec.travel == "auto" and self._seer.travel:
            self._spec = msgspec.structs.replace(self._spec, travel=self._seer.travel)
        self._seer = self._maker(self._spec)

    # --- telling --------------------------------------------------------------------------

    def _watch(self, now_ns: int) -> None:
        if not self._ended and self._over():
            self._ended = True
            self._watchdog.end()
            self._see(self._seer.finish)
            self._say(c.Remark(code="film_over", detail="the last picture was shown"))
        self._watchdog.tick(now_ns)
        if not self._ready and (self._watchdog.ready or self._ended):
            self._ready = True
            self._say(c.Ready())
        for event in self._watchdog.take():
            self._say(event)
        if self._failed_ns is not None and now_ns - self._failed_ns >= _WELL_NS:
            self._failed_ns = None
            self._say(c.FaultOver(code=_INTERNAL))
        if now_ns - self._told_ns >= _SECOND:
            self._figures(now_ns)
        tidy_s = TIDY_S if self._seer.empty else TIDY_ANYHOW_S
        if now_ns - self._tidied_ns >= tidy_s * _SECOND:
            self._tidied_ns = now_ns
            self._tidy()

    def _figures(self, now_ns: int) -> None:
        seconds = (now_ns - self._told_ns) / _SECOND
        times, figures = sorted(self._times), self._seer.figures
        p50, p99 = (times[int(len(times) * share)] / _MS if times else 0.0 for share in (0.5, 0.99))
        self._say(
            c.Numbers(
                fps=round(len(times) / seconds, 1),
                dropped=self._dropped + self._stale,
                p50_ms=round(p50, 2),
                p99_ms=round(p99, 2),
                light=round(figures.light, 1) if figures else 0.0,
                glare=round(figures.glare, 4) if figures else 0.0,
                sharpness=_rounded(figures.sharpness) if figures else None,
                empty_light=round(self._watchdog.empty_light, 1),
                frame=self._number,
                travel=self._seer.travel or "",
            )
        )
        if self._stale:
            words = f"{self._stale} pictures were older than {STALE_MS} ms when they came"
            self._say(c.Remark(code="stale", detail=words))
        if bool(self._seer.trouble) != self._unkept:
            self._unkept = not self._unkept
            fault = c.Fault(code="evidence_failed", detail=self._seer.trouble)
            self._say(fault if self._unkept else c.FaultOver(code="evidence_failed"))
        self._times.clear()
        self._dropped = self._stale = 0
        self._told_ns = now_ns


class Failpoint:
    """Dies at a picture, for tests: `abort:120`, `hang:120`, `exit:120`. A process that comes to
    live after that picture was shown lives on. Raises ValueError for one that does not exist.
    """

    def __init__(self, wanted: str) -> None:
        self._how, _, text = wanted.partition(":")
        if wanted and (self._how not in FAILPOINTS or not text.isdigit()):
            raise ValueError(f"failpoint {wanted!r}: HOW:N, HOW one of {', '.join(FAILPOINTS)}")
        self._at = int(text or 0)
        self._before = False

    def reached(self, number: int) -> None:
        """A picture of that number is here."""
        if not self._how or number < self._at:
            self._before = True
            return
        if not self._before:
            self._how = ""
        if self._how == "abort":
            os.abort()
        if self._how == "exit":
            os._exit(3)
        while self._how == "hang":
            time.sleep(1)


def limits(spec: CameraSpec, light: float = 0.0) -> Limits:
    """What the settings say; a film does not warm up."""
    return Limits(
        fps=spec.fps,
        stalled_ms=spec.stalled_ms,
        frozen_ms=spec.frozen_ms,
        black_ms=spec.black_ms,
        warm_up_ms=0 if spec.port.startswith(FILE) else spec.warm_up_ms,
        covered_ms=spec.covered_ms,
        light=light,
        least_fps=spec.least_fps,
    )


def run(in_fd: int, out_fd: int, maker: Maker = the_pipeline) -> NoReturn:
    """Read the settings, open the camera, and read cards until the pipe ends."""
    orders, talk = Orders(in_fd), Talk(out_fd)
    settings = orders.settings(SETTINGS_S)
    if settings is None:
        end("no settings came", EXIT_MISCONFIGURED)
    try:
        spec = spec_of(settings.spec)
    except ValueError as error:
        end(f"settings: {error}", EXIT_MISCONFIGURED)
    if not isinstance(spec, CameraSpec):
        end(f"settings: of a {settings.spec.get('kind')!r}, not of a camera", EXIT_MISCONFIGURED)
    if spec.travel == "auto" and settings.travel:
        spec = msgspec.structs.replace(spec, travel=settings.travel)
    missing = _missing(spec)
    try:
        source = open_source(spec)
        grabber = Grabber(source)
        loop = Loop(
            spec,
            grabber,
            maker,
            talk.say,
            reading=lambda: orders.reading,
            keeping=lambda: orders.keeping,
            over=lambda: source.over,
            failpoint=settings.failpoint if spec.virtual else "",
            light=settings.light,
        )
        talk.say(c.Hello(version=c.VERSION, pid=os.getpid(), what=source.what, missing=missing))
        if source.refused:
            talk.say(c.Fault(code="settings_refused", detail=source.refused))
        gc.collect()
        gc.freeze()
        while True:
            loop.step()
    except SourceError as error:
        end(str(error), error.status)
    except (ValueError, msgspec.MsgspecError, ImportError, OSError) as error:
        end(f"{error}{_where(error)}", EXIT_MISCONFIGURED)


def end(words: str, status: int) -> NoReturn:
    """Say why, as the last line of the errors, and end."""
    complain(words)
    # Not through the interpreter's end: a thread may be inside the camera, for ever.
    os._exit(status)


def _missing(spec: CameraSpec) -> tuple[str, ...]:
    """What the settings count on and this machine has not. Ends where no decoder is left."""
    if not spec.codes:
        return ()
    lacks: dict[str, str] = {}
    if spec.decoder in ("pyzbar", "both"):
        try:
            import pyzbar.pyzbar  # noqa: F401
        except ImportError as error:
            lacks["pyzbar"] = f"pyzbar: install the system's package libzbar0 ({error})"
    if spec.decoder in ("zxing", "both"):
        try:
            import zxingcpp  # noqa: F401
        except ImportError as error:
            lacks["zxing"] = f"zxing-cpp: install the station anew ({error})"
    wanted = 2 if spec.decoder == "both" else 1
    if len(lacks) == wanted:
        end("; ".join(lacks.values()), EXIT_MISCONFIGURED)
    return tuple(lacks.values())


def _where(error: Exception) -> str:
    """The place a fault of ours comes from: file and line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})"  # noqa: PTH119


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
