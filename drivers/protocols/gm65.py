"""Grow GM65 and GM812 modules: text lines that share their wire with commands and replies.

The lines are those of `drivers.protocols.textline`, with its rules for silence and length; replies
are cut out before. Bytes that no text holds, such as half a reply, are over after 100 ms of
silence.

When the port opens the module is asked whether it lives, told how to end its codes (address 000E)
and whether to put the AIM identifier before them (00D0), and asked for its versions. Nothing is
saved in it, so all of that is told again every `reassert_s` seconds, after a silence and after a
code without an end. A module does not answer what it does not know; that is a note, because every
end is understood anyway.

The heartbeat goes every `heartbeat_s` seconds; three of them in a row without an answer, a second
apart, are the trouble `silent`. The module has no command for a sound and none that switches
reading off: neither is pretended.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from drivers.cardcode import CardCode
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    Identified,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols import gm65_frames as gm
from drivers.protocols.base import Capability, Command, Frame, Out, Trigger, Wanted
from drivers.protocols.courier import TRIES, Courier, Job
from drivers.protocols.judge import Symbologies
from drivers.protocols.textline import ENDS, STX, TextLine, TextLineSettings

Terminator = Literal["cr", "lf", "crlf", "tab", "none"]
Mode = Literal["as_set", "manual", "command", "continuous", "sensor"]

SILENT = "silent"

_SECOND = 1_000_000_000
_APART_NS = _SECOND // 10
_ANSWER_NS = _SECOND
_CALM_NS = 3 * _SECOND
_TERMINATORS = {"cr": 0, "lf": 1, "crlf": 2, "tab": 3, "none": 4}
_MODES = {"manual": 0, "command": 1, "continuous": 2, "sensor": 3}
# Lamp at a good read, aiming light and light while reading; and the sound.
_LAMPS, _SOUND = 0x94, 0x40
_AIM_ON, _AIM_OFF = 0x80, 0x00
_VERSIONS = (
    ("hardware", gm.HARDWARE),
    ("software", gm.SOFTWARE),
    ("year", gm.SOFTWARE_YEAR),
)
_YEAR_FROM = 2000


class Gm65Settings(Struct, frozen=True, kw_only=True):
    """How the module is used. `mode`: how a read begins, `as_set`: not touched. `own_beep`: it
    beeps by itself at each read; told only together with a mode. `read_failed`: the text it is set
    to send when it could not read, "" when it sends none. Times: see `TextLineSettings`.
    """

    symbologies: Symbologies = Symbologies()
    terminator: Terminator = "cr"
    mode: Mode = "as_set"
    own_beep: bool = False
    read_failed: str = ""
    heartbeat_s: int = 10
    reassert_s: int = 120
    idle_ms: int = 2000
    gap_ms: int = 60


def _write(name: str, address: int, value: int) -> Job:
    message = gm.GmCommand(gm.WRITE, address, bytes((value,))).to_bytes()
    return Job(name, message, setting=True)


class Gm65:
    """One module. Holds at most one line, one reply and a dozen commands."""

    def __init__(self, device: str, code: CardCode, settings: Gm65Settings | None = None) -> None:
        self._device = device
        self._settings = settings or Gm65Settings()
        wish = self._settings
        self._splitter = gm.Splitter()
        self._lines = TextLine(
            device,
            code,
            TextLineSettings(
                suffix="none" if wish.terminator == "none" else "any",
                symbologies=wish.symbologies,
                idle_ms=wish.idle_ms,
                gap_ms=wish.gap_ms,
            ),
        )
        self._courier = Courier(_APART_NS, _ANSWER_NS)
        self._silent = False
        self._line_wake_ns: int | None = None
        self._dirty = False
        self._text_ns = 0
        self._frames: list[Frame] = []
        self._forget()

    def _forget(self) -> None:
        self._started = False
        self._versions: dict[str, int] = {}
        self._identity = ""
        self._heard_ns = -1
        self._heartbeat_ns = self._reassert_ns = self._asserted_ns = 0
        self._courier.clear()

    @property
    def capabilities(self) -> frozenset[Capability]:
        """It says what it is and that it lives; it reads on command if it is set to."""
        able: set[Capability] = {"identity", "heartbeat"}
        if self._settings.mode == "command":
            able.add("trigger")
        return frozenset(able)

    def start(self, now_ns: int) -> Out:
        """Whether it lives, how to end its codes, what it is."""
        self._forget()
        self._started = True
        self._reassert(now_ns)
        return self._out([], now_ns)

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came: replies and lines, in order."""
        seen = self._settle(now_ns)
        self._split(seen, self._splitter.feed(data, now_ns), now_ns)
        return self._out(seen, now_ns)

    def tick(self, now_ns: int) -> Out:
        """Time passed."""
        return self._out(self._settle(now_ns), now_ns)

    def send(self, command: Command, now_ns: int) -> Out:
        """One read started or stopped; nothing else."""
        seen = self._settle(now_ns)
        able = self._settings.mode == "command" and self._started and not self._silent
        if able and isinstance(command, Trigger):
            value = bytes((command.on,))
            message = gm.GmCommand(gm.WRITE, gm.TRIGGER, value).to_bytes()
            self._courier.edge(Job("trigger", message, tries=1, quiet=True), now_ns)
        return self._out(seen, now_ns)

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """It can be told nothing."""
        return self._out(self._settle(now_ns), now_ns)

    def reset(self, now_ns: int) -> Out:
        """The line was cut: what is half received is told and forgotten."""
        seen: list[AnyObservation] = []
        self._split(seen, self._splitter.flush(), now_ns)
        self._line(seen, self._lines.reset(now_ns))
        self._dirty = False
        self._over(seen, now_ns)
        self._forget()
        frames, self._frames = tuple(self._frames), []
        return Out(tuple(seen), (), None, frames)

    # --- what comes ---------------------------------------------------------------------

    def _settle(self, now_ns: int) -> list[AnyObservation]:
        seen: list[AnyObservation] = []
        self._split(seen, self._splitter.settle(now_ns), now_ns)
        self._line(seen, self._lines.tick(now_ns))
        if self._dirty and now_ns >= self._text_ns + gm.GAP_NS:
            self._dirty = False
            self._line(seen, self._lines.cut(now_ns))
        return seen

    def _split(
        self, seen: list[AnyObservation], found: list[gm.GmReply | gm.Text], now_ns: int
    ) -> None:
        for one in found:
            if isinstance(one, gm.Text):
                self._look(one)
                self._line(seen, self._lines.feed(one.data, one.at_ns))
            else:
                self._frames.append(Frame("reply", one.to_bytes(), self._reply(seen, one, now_ns)))

    def _look(self, text: gm.Text) -> None:
        """Whether the line now begun holds what no text does, such as half a reply: that must not
        wait as long as a text for its end, and take the next code with it.
        """
        self._text_ns = text.at_ns
        for byte in text.data:
            if byte in ENDS:
                self._dirty = False
            elif not (0x20 <= byte <= 0x7E or byte == STX):
                self._dirty = True

    def _line(self, seen: list[AnyObservation], out: Out) -> None:
        self._frames += out.frames
        self._line_wake_ns = out.wake_at_ns
        for one in out.observations:
            if isinstance(one, CardRead | CutCard):
                self._alive(seen, one.at_ns)
            seen.append(self._meant(one))

    def _meant(self, one: AnyObservation) -> AnyObservation:
        """The module's own words among what are no cards to `TextLine`."""
        if not isinstance(one, NoRead):
            return one
        if one.text and one.text == self._settings.read_failed:
            return replace(one, reason="unread")
        if one.reason == "incomplete":
            # It may have lost the end that it was told to send.
            self._reassert_ns = min(self._reassert_ns, self._asserted_ns + _CALM_NS)
        return one

    def _reply(self, seen: list[AnyObservation], reply: gm.GmReply, now_ns: int) -> str:
        self._alive(seen, now_ns)
        job = self._courier.done()
        if job is None:
            return "an answer to nothing"
        if job.name in dict(_VERSIONS):
            self._versions[job.name] = reply.value
            self._identify(seen, reply, now_ns)
        return ""

    def _identify(self, seen: list[AnyObservation], reply: gm.GmReply, now_ns: int) -> None:
        if len(self._versions) < len(_VERSIONS):
            return
        hardware, software, year = (self._versions[name] for name, _ in _VERSIONS)
        identity = f"hardware {hardware} software {software} of {_YEAR_FROM + year}"
        self._versions = {}
        if identity != self._identity:
            self._identity = identity
            seen.append(Identified(self._device, now_ns, reply.to_bytes(), identity))

    def _alive(self, seen: list[AnyObservation], at_ns: int) -> None:
        self._heard_ns = at_ns
        if self._silent:
            self._over(seen, at_ns)
            self._reassert(at_ns)

    # --- what goes ----------------------------------------------------------------------

    def _reassert(self, now_ns: int) -> None:
        wish = self._settings
        aim = _AIM_OFF if wish.symbologies.aim == "off" else _AIM_ON
        self._heartbeat(now_ns)
        self._courier.put(
            _write("terminator", gm.TERMINATOR, _TERMINATORS[wish.terminator]),
            _write("AIM identifier", gm.AIM_ID, aim),
        )
        if wish.mode != "as_set":
            value = _LAMPS | (_SOUND if wish.own_beep else 0) | _MODES[wish.mode]
            self._courier.put(_write("mode", gm.MODE, value))
        for name, address in _VERSIONS:
            message = gm.GmCommand(gm.READ, address, b"\x01").to_bytes()
            self._courier.put(Job(name, message, tries=1, quiet=True))
        self._reassert_ns = now_ns + wish.reassert_s * _SECOND
        self._asserted_ns = now_ns

    def _heartbeat(self, now_ns: int) -> None:
        tries = 1 if self._silent else TRIES
        self._courier.put(Job("heartbeat", gm.GmCommand(gm.HEARTBEAT).to_bytes(), tries=tries))
        self._heartbeat_ns = now_ns + self._settings.heartbeat_s * _SECOND

    def _out(self, seen: list[AnyObservation], now_ns: int) -> Out:
        write: list[bytes] = []
        while self._started and self._pump(seen, write, now_ns):
            pass
        frames, self._frames = tuple(self._frames), []
        return Out(tuple(seen), tuple(write), self._wake_at(), frames)

    def _pump(self, seen: list[AnyObservation], write: list[bytes], now_ns: int) -> bool:
        """One step; False when there is nothing to do now."""
        late = self._courier.late(now_ns)
        message = None if late else self._courier.next(now_ns)
        if late is not None:
            self._unanswered(seen, late, now_ns)
        elif message is not None:
            write.append(message)
        elif not self._courier.idle:
            return False
        elif now_ns >= self._heartbeat_ns:
            self._heartbeat(now_ns)
        elif now_ns >= self._reassert_ns and not self._silent:
            self._reassert(now_ns)
        else:
            return False
        return True

    def _unanswered(self, seen: list[AnyObservation], job: Job, now_ns: int) -> None:
        if job.setting or job.quiet:
            # It may not know the address, or be dead: the heartbeat tells.
            self._heartbeat_ns = min(self._heartbeat_ns, now_ns)
            if job.setting:
                seen.append(Note(self._device, now_ns, b"", "refused", f"{job.name}: no answer"))
        elif self._heard_ns < self._courier.sent_ns:
            self._courier.clear()
            self._heartbeat_ns = now_ns + _SECOND
            if not self._silent:
                self._silent = True
                detail = f"no answer to {job.name}"
                seen.append(Trouble(self._device, now_ns, b"", SILENT, detail))

    def _over(self, seen: list[AnyObservation], at_ns: int) -> None:
        if self._silent:
            self._silent = False
            seen.append(TroubleOver(self._device, at_ns, b"", SILENT))

    def _wake_at(self) -> int | None:
        times = [self._splitter.wake_at_ns, self._line_wake_ns]
        if self._dirty:
            times.append(self._text_ns + gm.GAP_NS)
        if self._started:
            times.append(self._courier.wake_at_ns)
            if self._courier.idle:
                times.append(self._heartbeat_ns)
                if not self._silent:
                    times.append(self._reassert_ns)
        return min((at for at in times if at is not None), default=None)
