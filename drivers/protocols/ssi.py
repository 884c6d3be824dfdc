"""Zebra and Symbol scanners by the Simple Serial Interface (SSI): framed, checked, acknowledged.

A code that comes whole is acknowledged at once, and noise with nothing after it is answered with
"send again". Answers are not acknowledged. When the port opens the scanner is stopped, its queue
emptied, its parameters set and its revision asked; then reading is switched on, if it is wanted.
Parameters are set for the time of the power only (flash wears out) and told again every
`reassert_s` seconds, after a refusal and after a silence, because a configuration barcode or a
loose plug can undo them without a word. Reading is not switched off for that.

The revision is asked every `heartbeat_s` seconds. A command three times without an answer, and no
other frame meanwhile, is the trouble `silent`. The others: `not_packeted` (it sends codes without
frames), `setting_refused` (it does not take a parameter it is of no use without, or is not to be
switched on), `other_device`
(its revision is not the one set).
"""

from __future__ import annotations

from drivers.cardcode import CardCode
from drivers.observations import AnyObservation, Identified, Note, Trouble, TroubleOver
from drivers.protocols import ssi_frames as ssi
from drivers.protocols.base import Beep, Capability, Command, Flush, Frame, Out, Trigger, Wanted
from drivers.protocols.courier import Courier, Job
from drivers.protocols.judge import printable
from drivers.protocols.ssi_reads import SsiReads
from drivers.protocols.ssi_settings import FRAMES, SsiSettings, order, parameters

SILENT, NOT_PACKETED = "silent", "not_packeted"
SETTING_REFUSED, OTHER_DEVICE = "setting_refused", "other_device"

_SECOND = 1_000_000_000
_APART_NS = _SECOND // 4
_ANSWER_NS = 2 * _SECOND
_PROBE_NS = 2 * _SECOND
_CALM_NS = 10 * _SECOND
_TEXT_CALM_NS = 3 * _SECOND
_NAK_APART_NS = _SECOND // 4

_LEDS = {"green": 0x01, "red": 0x02}
_ALL_LEDS = 0x03
_GOOD_BEEP, _BAD_BEEP = 0x01, 0x12
# Nothing else: the scanner would take it for the acknowledgement of a code that was lost.
_ACKNOWLEDGED = (ssi.DECODE_DATA, ssi.EVENT)
_REVISION, _ENABLE, _DISABLE = "revision", "enable", "disable"


class Ssi:
    """One scanner. Holds at most one frame, one message of several, and a dozen commands."""

    def __init__(self, device: str, code: CardCode, settings: SsiSettings | None = None) -> None:
        self._device = device
        self._settings = settings or SsiSettings()
        self._framer = ssi.SsiFramer()
        self._courier = Courier(_APART_NS, _ANSWER_NS)
        self._reads = SsiReads(device, code, self._settings.symbologies)
        self._parameters = parameters(self._settings)
        self._wanted = Wanted()
        self._troubles: set[str] = set()
        self._unset: set[str] = set()
        self._heard_ns = -1
        self._nak_ns = -_NAK_APART_NS
        self._frames: list[Frame] = []
        self._write: list[bytes] = []
        self._forget()

    def _forget(self) -> None:
        self._started = False
        self._read_told: bool | None = None
        self._led_told: int | None = None
        self._identity = ""
        self._unset.clear()
        self._heartbeat_ns = self._reassert_ns = self._asserted_ns = self._retry_ns = 0
        self._courier.clear()

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Everything but a light and a trigger, which are settings."""
        able: set[Capability] = {
            "good_beep",
            "bad_beep",
            "flush",
            "enable",
            "identity",
            "heartbeat",
        }
        if self._settings.led:
            able.add("light")
        if self._settings.trigger_mode == "host":
            able.add("trigger")
        return frozenset(able)

    def start(self, now_ns: int) -> Out:
        """Stop it, empty its queue, set it up, ask what it is; then reading, if wanted."""
        self._forget()
        self._started = True
        self._wanted = Wanted()
        self._courier.put(
            order(_DISABLE, ssi.SCAN_DISABLE, tries=1, quiet=True),
            order("flush", ssi.FLUSH_QUEUE, tries=1, quiet=True),
        )
        self._reassert(now_ns)
        return self._out([], now_ns)

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came: frames are acknowledged and told, in order."""
        seen = self._settle(now_ns)
        for cut in self._framer.feed(data, now_ns):
            self._cut(seen, cut, now_ns)
        return self._out(seen, now_ns)

    def tick(self, now_ns: int) -> Out:
        """Time passed."""
        return self._out(self._settle(now_ns), now_ns)

    def send(self, command: Command, now_ns: int) -> Out:
        """A sound, one read, or the queue emptied."""
        seen = self._settle(now_ns)
        job = self._job_of(command)
        if job is not None and self._started and SILENT not in self._troubles:
            self._courier.edge(job, now_ns)
        return self._out(seen, now_ns)

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """Reading on or off; the lamps, where it has them."""
        seen = self._settle(now_ns)
        self._wanted = wanted
        return self._out(seen, now_ns)

    def reset(self, now_ns: int) -> Out:
        """The line was cut: what is half received is told, and no trouble is known any more."""
        seen: list[AnyObservation] = []
        for cut in self._framer.flush():
            self._cut(seen, cut, now_ns)
        self._reads.reset(seen, now_ns)
        for code in sorted(self._troubles):
            self._over(seen, code, now_ns)
        self._forget()
        self._write.clear()
        frames, self._frames = tuple(self._frames), []
        return Out(tuple(seen), (), None, frames)

    def _job_of(self, command: Command) -> Job | None:
        match command:
            case Beep(sound=sound):
                code = _GOOD_BEEP if sound == "good" else _BAD_BEEP
                return order(f"{sound} beep", ssi.BEEP, bytes((code,)), tries=1, quiet=True)
            case Trigger(on=on) if self._settings.trigger_mode == "host":
                opcode = ssi.START_DECODE if on else ssi.STOP_DECODE
                return order("start" if on else "stop", opcode, tries=1, quiet=True)
            case Flush():
                return order("flush", ssi.FLUSH_QUEUE, tries=1, quiet=True)
        return None

    # --- what comes ---------------------------------------------------------------------

    def _settle(self, now_ns: int) -> list[AnyObservation]:
        seen: list[AnyObservation] = []
        # In the order in which they were due, however late that is.
        due_ns = self._framer.wake_at_ns
        self._reads.settle(seen, now_ns if due_ns is None else min(now_ns, due_ns - 1))
        for cut in self._framer.settle(now_ns):
            self._cut(seen, cut, now_ns)
            if cut.frame is None and not self._reads.is_text(cut.raw):
                self._ask_again(now_ns)
        self._reads.settle(seen, now_ns)
        return seen

    def _cut(self, seen: list[AnyObservation], cut: ssi.Cut, now_ns: int) -> None:
        if cut.frame is None:
            self._noise(seen, cut, now_ns)
            return
        self._heard_ns = cut.at_ns
        if SILENT in self._troubles:
            self._over(seen, SILENT, cut.at_ns)
            self._reassert(now_ns)
        note = self._frame(seen, cut.frame, cut, now_ns)
        self._frames.append(Frame(cut.frame.name, cut.raw, note))

    def _noise(self, seen: list[AnyObservation], cut: ssi.Cut, now_ns: int) -> None:
        if self._reads.is_text(cut.raw):
            self._frames.append(Frame("text", cut.raw, "a code in no frame"))
            self._trouble(seen, NOT_PACKETED, "it sends codes as plain text", cut.at_ns)
            self._reads.plain_text(seen, cut)
            self._reassert_soon(now_ns, _TEXT_CALM_NS)
            return
        self._frames.append(Frame("noise", cut.raw, "no frame, or its checksum is wrong"))
        self._reads.noise(cut)

    def _ask_again(self, now_ns: int) -> None:
        # Only after a silence: a frame right behind the noise is what the scanner waits with.
        if now_ns - self._nak_ns >= _NAK_APART_NS:
            self._nak_ns = now_ns
            self._write.append(ssi.SsiFrame(ssi.NAK, bytes((ssi.NAK_RESEND,))).to_bytes())

    def _frame(
        self, seen: list[AnyObservation], frame: ssi.SsiFrame, cut: ssi.Cut, now_ns: int
    ) -> str:
        if frame.opcode == ssi.ACK:
            return self._answered(seen, cut)
        if frame.opcode == ssi.NAK:
            return self._refused(seen, frame, cut, now_ns)
        if frame.opcode in _ACKNOWLEDGED:
            self._write.append(ssi.SsiFrame(ssi.ACK).to_bytes())
        if frame.opcode == ssi.DECODE_DATA:
            self._over(seen, NOT_PACKETED, cut.at_ns)
            return "sent again" if self._reads.decode(seen, frame, cut) else ""
        if frame.opcode == ssi.REPLY_REVISION:
            self._revision(seen, frame, cut)
        elif frame.opcode == ssi.EVENT:
            # It may have started anew: what it was told is told again.
            self._reassert_soon(now_ns, _CALM_NS)
        return ""

    def _answered(self, seen: list[AnyObservation], cut: ssi.Cut) -> str:
        job = self._courier.flying
        if job is None or job.name == _REVISION:
            return "an answer to nothing"
        self._courier.done()
        self._unset -= {job.name, _ENABLE} if job.name == _DISABLE else {job.name}
        if job.name == FRAMES:
            self._over(seen, NOT_PACKETED, cut.at_ns)
        if not self._unset:
            self._over(seen, SETTING_REFUSED, cut.at_ns)
        return ""

    def _refused(
        self, seen: list[AnyObservation], frame: ssi.SsiFrame, cut: ssi.Cut, now_ns: int
    ) -> str:
        code = frame.data[0] if frame.data else -1
        cause = ssi.CAUSES.get(code, f"cause {frame.data[:1].hex()}")
        if code == ssi.NAK_RESEND:
            self._courier.again(now_ns)
            return cause
        job = self._courier.done()
        if job is None:
            return cause
        self._not_done(seen, job, cause, cut.at_ns)
        if not job.setting:
            self._reassert_soon(now_ns, _CALM_NS)
        return cause

    def _not_done(self, seen: list[AnyObservation], job: Job, cause: str, at_ns: int) -> None:
        """The scanner did not do as told: the trouble where it must, a note where it may not."""
        if job.must:
            self._unset.add(job.name)
            self._trouble(seen, SETTING_REFUSED, f"{job.name}: {cause}", at_ns)
            self._reassert_ns = min(self._reassert_ns, at_ns + _CALM_NS)
        else:
            seen.append(Note(self._device, at_ns, b"", "refused", f"{job.name}: {cause}"))
        if job.name in (_ENABLE, _DISABLE):
            self._read_told = None
            self._retry_ns = at_ns + _PROBE_NS

    def _revision(self, seen: list[AnyObservation], frame: ssi.SsiFrame, cut: ssi.Cut) -> None:
        flying = self._courier.flying
        if flying is not None and flying.name == _REVISION:
            self._courier.done()
        identity = printable(frame.data)
        if identity != self._identity:
            self._identity = identity
            seen.append(Identified(self._device, cut.at_ns, cut.raw, identity))
        wish = self._settings.identity
        if wish not in identity:
            detail = f"it says {identity!r}, which does not contain {wish!r}"
            self._trouble(seen, OTHER_DEVICE, detail, cut.at_ns)
        else:
            self._over(seen, OTHER_DEVICE, cut.at_ns)

    # --- what goes ----------------------------------------------------------------------

    def _reassert(self, now_ns: int) -> None:
        """Parameters, revision, and how reading and lamps should be, once more."""
        self._unset |= {job.name for job in self._parameters if job.must}
        self._courier.put(*self._parameters, order(_REVISION, ssi.REQUEST_REVISION))
        self._read_told = self._led_told = None
        self._heartbeat_ns = now_ns + self._settings.heartbeat_s * _SECOND
        self._reassert_ns = now_ns + self._settings.reassert_s * _SECOND
        self._asserted_ns = now_ns

    def _reassert_soon(self, now_ns: int, calm_ns: int) -> None:
        """Once more as soon as the courier is free, but not within `calm_ns` of the last time."""
        due = max(now_ns, self._asserted_ns + calm_ns)
        self._reassert_ns = min(self._reassert_ns, due)

    def _out(self, seen: list[AnyObservation], now_ns: int) -> Out:
        while self._started and self._pump(seen, now_ns):
            pass
        write, self._write = tuple(self._write), []
        frames, self._frames = tuple(self._frames), []
        return Out(tuple(seen), write, self._wake_at(), frames)

    def _pump(self, seen: list[AnyObservation], now_ns: int) -> bool:
        """One step; False when there is nothing to do now."""
        late = self._courier.late(now_ns)
        if late is not None:
            self._unanswered(seen, late, now_ns)
            return True
        message = self._courier.next(now_ns)
        if message is not None:
            self._write.append(message)
            return True
        return self._courier.idle and self._plan(now_ns)

    def _plan(self, now_ns: int) -> bool:
        """Queue what is due; False when nothing is."""
        silent = SILENT in self._troubles
        if now_ns >= self._heartbeat_ns:
            self._heartbeat_ns = now_ns + self._settings.heartbeat_s * _SECOND
            self._courier.put(order(_REVISION, ssi.REQUEST_REVISION, tries=1 if silent else 3))
        elif silent:
            return False
        elif now_ns >= self._reassert_ns:
            self._reassert(now_ns)
        elif self._read_told != self._wanted.reading and now_ns >= self._retry_ns:
            self._read_told = self._wanted.reading
            on = self._read_told
            opcode = ssi.SCAN_ENABLE if on else ssi.SCAN_DISABLE
            self._courier.put(order(_ENABLE if on else _DISABLE, opcode, must=on))
        elif self._settings.led and self._led_told != self._led_wish():
            self._led_told = self._led_wish()
            opcode = ssi.LED_ON if self._led_told else ssi.LED_OFF
            if self._led_told:
                others = bytes((_ALL_LEDS & ~self._led_told,))
                self._courier.put(order("lamp off", ssi.LED_OFF, others, quiet=True))
            self._courier.put(
                order("lamp", opcode, bytes((self._led_told or _ALL_LEDS,)), quiet=True)
            )
        else:
            return False
        return True

    def _led_wish(self) -> int:
        return _LEDS.get(self._wanted.light, 0)

    def _unanswered(self, seen: list[AnyObservation], job: Job, now_ns: int) -> None:
        if job.quiet:
            # No proof, but reason to ask.
            self._heartbeat_ns = min(self._heartbeat_ns, now_ns)
            return
        if self._heard_ns < self._courier.sent_ns:
            self._trouble(seen, SILENT, f"no answer to {job.name}", now_ns)
            self._courier.clear()
            self._heartbeat_ns = now_ns + _PROBE_NS
        else:
            self._not_done(seen, job, "no answer", now_ns)

    def _trouble(self, seen: list[AnyObservation], code: str, detail: str, at_ns: int) -> None:
        if code not in self._troubles:
            self._troubles.add(code)
            seen.append(Trouble(self._device, at_ns, b"", code, detail))

    def _over(self, seen: list[AnyObservation], code: str, at_ns: int) -> None:
        if code in self._troubles:
            self._troubles.discard(code)
            seen.append(TroubleOver(self._device, at_ns, b"", code))

    def _wake_at(self) -> int | None:
        times = [self._framer.wake_at_ns, self._reads.wake_at_ns]
        if self._started:
            times.append(self._courier.wake_at_ns)
            if self._courier.idle:
                times.append(self._heartbeat_ns)
                if SILENT not in self._troubles:
                    times.append(self._reassert_ns)
                    if self._read_told != self._wanted.reading:
                        times.append(self._retry_ns)
        return min((at for at in times if at is not None), default=None)
