"""The camera reader: what its process tells, judged once more.

The process has seen the pictures and decided; here every line is held against what the table has
set. A read whose code does not say the card it is told as, or that fewer witnesses tell than the
table wants, is no card. What passed the window is numbered: a number left out is something that
passed and never arrived, the trouble `reads_lost`.

The reader's own troubles are passed on under their codes. Told here: `silent` (no line for
`silent_ms`), `reads_lost`, `other_version`, `part_missing`, and `check_reader` (bytes that are no
lines of its). A reader gone mad fills neither the journal nor the memory: of more cards than a hand
can draw, of more troubles than there are, it is told that there were more. The settings are not
sent from here: the port brings them with the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, assert_never

from msgspec import Struct

from drivers.cardcode import CardCode, CardText, CutText
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    Identified,
    NoRead,
    Trouble,
    TroubleOver,
)
from drivers.protocols import camera_lines as c
from drivers.protocols.base import Capability, Command, Frame, Out, Wanted
from drivers.protocols.board_says import Says
from drivers.protocols.judge import CHECK_READER, Judge, Symbologies

READS_LOST = "reads_lost"
# A line begun and not ended for so long is over: a pipe brings all of it at once.
IDLE_MS = 2000
# A read told so long after its last picture: the reader, or the station, was held up. Whose turn it
# is may have changed meanwhile, so it is no read: the card is given again.
LATE_MS = 3000

# So much may pass at once (a station that was held up hears of all of it), and then so often: no
# hand draws faster.
PASSES, EACH_PASS_MS = 64, 200
# So many troubles stand at most, and so many are over at once, and then one a second.
TROUBLES, OVERS, EACH_OVER_MS = 32, 20, 1000
# What was left out is told so often.
EACH_LOST_MS = 1000

_MS = 1_000_000
_SHOWN = 128


class _Budget:
    """`most` at once, and then one each `each_ms`."""

    def __init__(self, most: int, each_ms: int) -> None:
        self._most, self._each_ns = most, each_ms * _MS
        self._left, self._filled_ns = most, 0

    def spend(self, now_ns: int) -> bool:
        """Whether there is one left; it is gone then."""
        refill = (now_ns - self._filled_ns) // self._each_ns
        if refill > 0:
            self._left = min(self._most, self._left + refill)
            self._filled_ns += refill * self._each_ns
        if self._left <= 0:
            return False
        self._left -= 1
        return True


class CameraSettings(Struct, frozen=True, kw_only=True):
    """`read`: the witnesses that are wanted; `alone`: one of them is enough. `silent_ms`: silence
    after which nothing is known of the reader; it says something each second.
    """

    read: tuple[c.Witness, ...] = ("barcode", "index")
    alone: bool = True
    silent_ms: int = 3000


class Camera:
    """One camera reader. Holds at most one line, and a set of troubles."""

    def __init__(self, device: str, code: CardCode, settings: CameraSettings | None = None) -> None:
        self._device = device
        self._code = code
        self._settings = settings or CameraSettings()
        self._silent_ns = self._settings.silent_ms * _MS
        self._says = Says(device)
        self._judge = Judge(device, code, Symbologies(aim="off"), CHECK_READER)
        self._cutter = c.Cutter()
        self._frames: list[Frame] = []
        self._write: list[bytes] = []
        self._next = 1
        self._reading = self._keeping = True
        self._open = self._told = False
        self._left_out: int | None = None
        self._passes, self._untold = _Budget(PASSES, EACH_PASS_MS), _Budget(1, EACH_LOST_MS)
        self._overs = _Budget(OVERS, EACH_OVER_MS)
        self._heard_ns = self._begun_ns = 0
        # The light of the empty window, once a process has learned it: the next one is told.
        self.light = 0.0
        # So is the way the cards go: else the first card after each start would go to find it out.
        self.travel: Literal["", "right", "left", "up", "down"] = ""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """It says what it is, its death is noticed, and it can be told not to read."""
        return frozenset(("identity", "heartbeat", "enable"))

    def start(self, now_ns: int) -> Out:
        """A new process: it counts from 1 and reads."""
        self._says.now_ns = self._heard_ns = now_ns
        self._next, self._reading, self._open, self._told = 1, True, True, False
        self._keeping = True
        return self._out()

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came; every line that ended in them is judged, in order."""
        self._expire(now_ns)
        waiting = self._cutter.waiting
        for raw in self._cutter.feed(data):
            waiting = False
            for part in c.parts(raw):
                self._line(part)
        if not waiting:
            self._begun_ns = now_ns
        # Last: a station that was held up itself has only now heard what was said in time.
        self._check_silence(now_ns)
        return self._out()

    def tick(self, now_ns: int) -> Out:
        """Time passed: silence, and a line without an end."""
        self._expire(now_ns)
        self._check_silence(now_ns)
        return self._out()

    def send(self, command: Command, now_ns: int) -> Out:
        """It has no sound and no trigger: nothing."""
        return self._out()

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """Reading and keeping pictures, on or off; the rest is not its."""
        if wanted.reading != self._reading:
            self._reading = wanted.reading
            self._write.append(c.encode(c.Enable(on=wanted.reading)))
        if wanted.keeping != self._keeping:
            self._keeping = wanted.keeping
            self._write.append(c.encode(c.Keep(on=wanted.keeping)))
        return self._out()

    def reset(self, now_ns: int) -> Out:
        """The process is gone: half a line is told, and nothing is known against the next one."""
        self._says.now_ns, self._says.raw = now_ns, b""
        self._drop_half()
        self._tell_left_out()
        self._open = False
        self._fine()
        self._says.all_over()
        return self._out()

    # --- time -----------------------------------------------------------------------------

    def _expire(self, now_ns: int) -> None:
        self._says.now_ns, self._says.raw = now_ns, b""
        if self._cutter.waiting and now_ns - self._begun_ns >= IDLE_MS * _MS:
            self._drop_half()

    def _check_silence(self, now_ns: int) -> None:
        self._says.raw = b""
        self._tell_left_out()
        if self._open and now_ns - self._heard_ns >= self._silent_ns:
            seconds = self._settings.silent_ms / 1000
            self._says.trouble("silent", f"the camera reader has said nothing for {seconds:g} s")

    def _drop_half(self) -> None:
        half = self._cutter.drop()
        if half:
            self._frames.append(Frame("line", half, "it has no end"))
            self._no_read("incomplete", half)

    def _wake_at(self) -> int | None:
        times: list[int] = []
        if self._cutter.waiting:
            times.append(self._begun_ns + IDLE_MS * _MS)
        if self._open and not self._says.troubled("silent"):
            times.append(self._heard_ns + self._silent_ns)
        return min(times, default=None)

    # --- lines ----------------------------------------------------------------------------

    def _line(self, raw: bytes) -> None:
        self._says.raw = raw
        try:
            line = c.up(raw)
        except c.NoLine as error:
            if raw.strip():
                self._frames.append(Frame("line", raw, str(error)))
                self._no_read("garbage", raw)
            return
        self._heard_ns = self._says.now_ns
        self._says.over("silent")
        self._frames.append(Frame(str(line.__struct_config__.tag), raw))
        match line:
            case c.Read() | c.CutOut() | c.Missed():
                self._passed(line)
            case c.Hello():
                self._hello(line)
            case c.Fault():
                self._fault(line)
            case c.FaultOver():
                # One that is not told goes on standing, and the table holds.
                if self._says.troubled(line.code) and self._overs.spend(self._says.now_ns):
                    self._says.over(line.code)
            case c.Remark():
                self._says.note(line.code, line.detail)
            case c.Numbers():
                self.light = line.empty_light or self.light
                self.travel = line.travel or self.travel
            case c.Ready() | c.Presence():
                pass
            case _ as never:
                assert_never(never)

    def _fault(self, fault: c.Fault) -> None:
        if self._says.standing < TROUBLES:
            self._says.trouble(fault.code, fault.detail)
        elif not self._says.troubled(fault.code):
            self._says.trouble("internal", f"more troubles than there are: {fault.code}")

    def _hello(self, hello: c.Hello) -> None:
        if self._told:
            self._says.note("hello", "it has said so before")
            return
        self._told = True
        self._says.say(Identified(*self._says.at, hello.what))
        if hello.version != c.VERSION:
            detail = f"the reader speaks version {hello.version}, this station {c.VERSION}"
            self._says.trouble("other_version", f"{detail}: install both anew")
        if hello.missing:
            self._says.trouble("part_missing", "; ".join(hello.missing))

    def _passed(self, line: c.Passed) -> None:
        """Something passed the window: it is told, whatever it is."""
        if not self._passes.spend(self._says.now_ns):
            self._next = max(self._next, line.n + 1)
            self._left_out = line.n
            return
        if line.n < self._next:
            # Counted back: told before, or a fault of the reader. Never a card twice.
            self._lost(f"after number {self._next - 1} came number {line.n}")
            self._tell_missed("repeat_in_doubt", "", line)
            return
        if line.n > self._next:
            self._lost(f"numbers {self._next} to {line.n - 1} never arrived")
        self._next = line.n + 1
        late = bool(line.at_ns) and not -_MS <= self._says.now_ns - line.at_ns < LATE_MS * _MS
        if late:
            ms = (self._says.now_ns - line.at_ns) // _MS
            self._says.note("late", f"number {line.n}: told {ms} ms after its picture")
        match line:
            case c.Read() if late:
                self._tell_missed("unread", "", line)
            case c.Read():
                self._read(line)
            case c.CutOut():
                self._cut(line)
            case c.Missed():
                if line.detail:
                    self._says.note("no_read", f"number {line.n}: {line.reason}: {line.detail}")
                self._tell_missed(line.reason, line.text, line)

    def _read(self, line: c.Read) -> None:
        if why := self._against(line):
            self._says.note("refused", f"number {line.n}, told as {line.face}: {why}")
            self._tell_missed("contradiction", line.text, line)
            return
        self._fine()
        self._says.say(
            CardRead(
                *self._says.at,
                line.face,
                line.set,
                line.deck,
                line.text,
                line.checked,
                numbered=line.came,
                evidence=line.evidence,
            )
        )

    def _against(self, line: c.Read) -> str:
        """What speaks against a read, "" for nothing."""
        by = set(line.by)
        if not by <= set(self._settings.read):
            return f"read by {', '.join(line.by)}, which the settings leave out"
        if not self._settings.alone and len(by) < len(self._settings.read):
            return "only one of two witnesses told it"
        if "barcode" not in by:
            return "a code beside the index's word" if line.text or line.set or line.deck else ""
        found = self._code.parse(line.text)
        if not isinstance(found, CardText):
            return f"its code {line.text!r} is no card's"
        told = (line.face, line.set, line.deck, line.checked)
        if told != (found.face, found.set, found.deck, found.checked):
            return f"its code {line.text!r} is another card's"
        return ""

    def _cut(self, line: c.CutOut) -> None:
        found = self._code.parse(line.text) if line.text else None
        if line.text and not (isinstance(found, CutText) and found.set == line.set):
            self._says.note("refused", f"number {line.n}: {line.text!r} is no cut card's code")
            self._tell_missed("contradiction", line.text, line)
            return
        self._fine()
        self._says.say(
            CutCard(*self._says.at, line.set, line.text, evidence=line.evidence),
        )

    # --- telling --------------------------------------------------------------------------

    def _tell_missed(self, reason: str, text: str, line: c.Passed) -> None:
        self._says.say(NoRead(*self._says.at, reason, text, evidence=line.evidence))

    def _lost(self, detail: str) -> None:
        # Over at once, so that the next gap, too, is told: each may have cost another card.
        self._says.say(Trouble(*self._says.at, READS_LOST, detail))
        self._says.say(TroubleOver(*self._says.at, READS_LOST))

    def _tell_left_out(self) -> None:
        if self._left_out is not None and self._untold.spend(self._says.now_ns):
            self._lost(f"more than can have passed, up to number {self._left_out}")
            self._left_out = None

    def _fine(self) -> None:
        self._pass_on(lambda seen: self._judge.forget(seen, self._says.now_ns))

    def _no_read(self, reason: str, raw: bytes) -> None:
        shown, now_ns = raw[:_SHOWN], self._says.now_ns
        self._pass_on(lambda seen: self._judge.unreadable(seen, reason, shown, now_ns))

    def _pass_on(self, judge: Callable[[list[AnyObservation]], None]) -> None:
        seen: list[AnyObservation] = []
        judge(seen)
        for one in seen:
            self._says.say(one)

    def _out(self) -> Out:
        frames, self._frames = tuple(self._frames), []
        write, self._write = tuple(self._write), []
        return Out(self._says.take(), write, self._wake_at(), frames)
