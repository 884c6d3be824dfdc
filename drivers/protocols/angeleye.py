"""Angel Eye II-EX card shoes: numbered reports, each sent three times.

Nothing acknowledges a report, so the copies are the safety: the first good one counts. A report is
one of the numbers in `sequence`, in turn; by them copies, losses and conflicts are told apart.

- Same number and content within `copies_ms` of the first copy: a copy. Later, in its turn: a new
  report. Later, but out of turn (right after itself): a late copy, or eight reports lost between;
  the trouble `missed_reports`, and a card in it is a `repeat_in_doubt`.
- Same number within `copies_ms` and other content: the trouble `conflicting_reports`; the first
  copy stands, the other is no card.
- Its turn come round again within `copies_ms`, after all three copies and all other numbers: a new
  report. So cards that a network holds back and lets come at once are all read.
- A number out of turn: `missed_reports` before whatever that report says.
- A damaged copy is dropped and noted; one in ten for a while is the trouble `noisy_line`. When it
  cannot have been a copy of a report that was read, and none follows, it is a no-read.

`S` (start) does not take a number and begins the numbers anew. It is expected as the first report
after opening; otherwise it is told as the trouble `restarted`. After the cut card it marks the new
shoe, or a power failure: the table knows whether a shoe is in play, and whether cards are out.

Every card is just a card, whatever the shoe takes it for in its own game. A result decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from drivers.cardcode import CardCode
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols.angeleye_commands import Commands
from drivers.protocols.angeleye_frames import (
    CARDS,
    LETTERS,
    Bcc,
    Cut,
    Cutter,
    card_text,
    error_name,
    face,
    named,
    said,
    well_formed,
)
from drivers.protocols.base import Capability, Command, Frame, Out, Wanted
from drivers.protocols.judge import Judge, Symbologies, printable

COPIES = 3
SEQUENCE = "123456789"
ERROR_MODE = "error_mode"
# A damaged copy weighs as much as so many good ones; the line is noisy at `NOISY`, well at 0.
BAD_COPY = 10
NOISY = 100

_MS = 1_000_000
_RAW = 64


class AngelEyeSettings(Struct, frozen=True, kw_only=True):
    """`copies_ms`: within which all copies of a report come; shorter than the shoe needs to use all
    its numbers. `idle_ms`: a silence that ends a report begun. `sequence`: the numbers in turn.
    `commands`: whether the shoe may be told anything; `bcc`: how their check code is made.
    """

    copies_ms: int = 400
    idle_ms: int = 200
    sequence: str = SEQUENCE
    commands: bool = False
    bcc: Bcc = "with_stx"


class _Report(Struct):
    """A report that was taken. `seen`: its copies, good and damaged."""

    seq: int
    body: bytes
    first_ns: int
    seen: int = 1


class _Doubt(Struct):
    """Damage that no report accounts for so far."""

    first_ns: int
    last_ns: int
    reason: str
    raw: bytes
    pieces: int = 1


class AngelEye:
    """One shoe. Holds one report a number, one piece of the stream and one doubt."""

    def __init__(self, device: str, settings: AngelEyeSettings | None = None) -> None:
        self._device = device
        self._settings = settings or AngelEyeSettings()
        self._turns = self._settings.sequence.encode("ascii")
        self._copies_ns = self._settings.copies_ms * _MS
        self._cutter = Cutter(self._settings.idle_ms * _MS)
        # It keeps how often damage may be told; it is never given a code to judge.
        self._judge = Judge(device, CardCode.from_template(), Symbologies())
        self._commands = Commands(device, self._settings.bcc) if self._settings.commands else None
        self._frames: list[Frame] = []
        self._recent: dict[int, _Report] = {}
        self._last: _Report | None = None
        self._started: _Report | None = None
        self._fresh = True
        self._in_error_mode = False
        self._noise = 0
        self._noisy = False
        self._doubt: _Doubt | None = None
        self._says: dict[str, Callable[[Cut, list[AnyObservation]], None]] = {
            "S": self._start,
            "D": self._card,
            "d": self._outside,
            "R": self._card,
            "C": self._cut_card,
            "E": self._error,
            "e": self._error_over,
            "M": self._preset,
        }

    @property
    def capabilities(self) -> frozenset[Capability]:
        """It holds back the next card where it may be told to. No heartbeat exists."""
        return frozenset({"brake"} if self._commands else ())

    def start(self, now_ns: int) -> Out:
        """Nothing to set up. What was read before keeps copies and losses apart."""
        self._fresh = True
        if self._commands:
            self._commands.forget()
        return self._out([], now_ns)

    def send(self, command: Command, now_ns: int) -> Out:
        """It has no sounds, no trigger and nothing to flush."""
        return self._out(self._settle(now_ns), now_ns)

    def want(self, wanted: Wanted, now_ns: int) -> Out:
        """Lock or unlock, where the shoe may be told to."""
        seen = self._settle(now_ns)
        if self._commands:
            self._commands.want(wanted.shoe_locked)
        return self._out(seen, now_ns)

    def feed(self, data: bytes, now_ns: int) -> Out:
        """Bytes came; every report that ended in them is told, in order."""
        seen = self._settle(now_ns)
        for byte in data:
            for cut in self._cutter.push(byte, now_ns):
                self._take(cut, seen)
        return self._out(seen, now_ns)

    def tick(self, now_ns: int) -> Out:
        """Time passed: what is half received, in doubt or unanswered."""
        return self._out(self._settle(now_ns), now_ns)

    def reset(self, now_ns: int) -> Out:
        """The line was cut: what is half received or in doubt is told."""
        seen: list[AnyObservation] = []
        for cut in self._cutter.end():
            self._take(cut, seen)
        self._tell_doubt(seen)
        self._judge.forget(seen, now_ns)
        self._less_noise(0, now_ns, seen)
        if self._commands:
            self._commands.forget()
        return self._out(seen, now_ns)

    # --- the stream -----------------------------------------------------------------------

    def _settle(self, now_ns: int) -> list[AnyObservation]:
        seen: list[AnyObservation] = []
        # In the order in which they were due, however late that is.
        due_ns = self._cutter.due_ns
        self._doubt_over(now_ns if due_ns is None else min(now_ns, due_ns - 1), seen)
        for cut in self._cutter.over(now_ns):
            self._take(cut, seen)
        self._doubt_over(now_ns, seen)
        if self._commands:
            self._commands.settle(seen, now_ns)
        return seen

    def _out(self, seen: list[AnyObservation], now_ns: int) -> Out:
        frames, self._frames = tuple(self._frames), []
        write: tuple[bytes, ...] = ()
        wakes = [self._cutter.due_ns]
        if self._doubt is not None:
            wakes.append(self._doubt.first_ns + self._copies_ns)
        if self._commands:
            write = self._commands.write(now_ns)
            wakes.append(self._commands.due_ns)
        wake = min((at for at in wakes if at is not None), default=None)
        return Out(tuple(seen), write, wake, frames)

    def _take(self, cut: Cut, seen: list[AnyObservation]) -> None:
        if cut.kind == "report":
            self._report(cut, seen)
        elif cut.kind == "answer":
            self._answer(cut, seen)
        else:
            self._damage(cut, seen)

    def _answer(self, cut: Cut, seen: list[AnyObservation]) -> None:
        taken = self._commands is not None and self._commands.answered(cut, seen)
        name = "nak" if cut.body else "ack"
        self._frames.append(Frame(name, cut.raw, "" if taken else "it answers nobody here"))
        if not taken:
            seen.append(Note(self._device, cut.at_ns, cut.raw, "stray_answer", name))

    # --- damage ---------------------------------------------------------------------------

    def _damage(self, cut: Cut, seen: list[AnyObservation]) -> None:
        self._frames.append(Frame("damage", cut.raw, cut.reason))
        taken = (one for one in (*self._recent.values(), self._started) if one is not None)
        its = [one for one in taken if self._near(one, cut) and one.seen < COPIES]
        if its:
            min(its, key=lambda one: one.first_ns).seen += 1
            self._bad_copy(cut.at_ns, cut.raw, cut.reason, 1, seen)
        elif self._doubt is None:
            self._doubt = _Doubt(cut.at_ns, cut.at_ns, cut.reason, cut.raw)
        else:
            doubt = self._doubt
            doubt.pieces += 1
            doubt.last_ns = cut.at_ns
            doubt.raw = (doubt.raw + cut.raw)[:_RAW]

    def _doubt_over(self, now_ns: int, seen: list[AnyObservation]) -> None:
        if self._doubt is not None and now_ns >= self._doubt.first_ns + self._copies_ns:
            self._tell_doubt(seen)

    def _tell_doubt(self, seen: list[AnyObservation]) -> None:
        """No good copy came: something was said, and what it was cannot be told."""
        doubt, self._doubt = self._doubt, None
        if doubt is not None:
            self._judge.unreadable(seen, doubt.reason, doubt.raw, doubt.last_ns)

    def _resolve(self, report: _Report, numbered: bool, seen: list[AnyObservation]) -> None:
        """A new report: the damage before it was its own, unless there was too much of it. Where
        the number before is known, a report lost there is missed by its number.
        """
        doubt = self._doubt
        if doubt is None:
            return
        if not numbered and doubt.pieces >= COPIES:
            self._tell_doubt(seen)
            return
        self._doubt = None
        report.seen += doubt.pieces
        self._bad_copy(doubt.last_ns, doubt.raw, doubt.reason, doubt.pieces, seen)

    def _bad_copy(
        self, at_ns: int, raw: bytes, reason: str, pieces: int, seen: list[AnyObservation]
    ) -> None:
        """Dropped, a good copy was there. Many are a trouble before one passes for a card."""
        seen.append(Note(self._device, at_ns, raw, "bad_copy", reason))
        self._noise = min(self._noise + BAD_COPY * pieces, 2 * NOISY)
        if self._noise >= NOISY and not self._noisy:
            self._noisy = True
            detail = "one copy in ten is damaged: check cable, ground and baud rate"
            seen.append(Trouble(self._device, at_ns, raw, "noisy_line", detail))

    def _less_noise(self, noise: int, at_ns: int, seen: list[AnyObservation]) -> None:
        self._noise = max(0, noise)
        if self._noisy and not self._noise:
            self._noisy = False
            seen.append(TroubleOver(self._device, at_ns, b"", "noisy_line"))

    # --- copies and numbers ---------------------------------------------------------------

    def _report(self, cut: Cut, seen: list[AnyObservation]) -> None:
        self._less_noise(self._noise - 1, cut.at_ns, seen)
        before = self._started if cut.body == b"S" else self._recent.get(cut.seq)
        copy = ""
        if before is not None and self._near(before, cut) and not self._comes_round(before):
            copy = " copy" if before.body == cut.body else " conflict"
            before.seen += 1
        seq = printable(bytes((cut.seq,)))
        name = " ".join(filter(None, (*named(cut.body)[:1], seq + copy, named(cut.body)[1])))
        self._frames.append(Frame(name, cut.raw, "another content" if copy == " conflict" else ""))
        if copy == " copy":
            return
        if copy:
            detail = f"report {seq} came with two contents: {printable(cut.body)}"
            self._trouble(cut, seen, "conflicting_reports", detail)
            return
        self._judge.forget(seen, cut.at_ns)
        report = _Report(cut.seq, cut.body, cut.at_ns)
        if cut.body == b"S":
            self._started = report
            self._resolve(report, False, seen)
            self._tell(cut, seen)
            return
        self._fresh = False
        self._resolve(report, self._last is not None, seen)
        again = self._in_turn(cut, seen)
        self._recent[cut.seq] = self._last = report
        if again and chr(cut.body[0]) in CARDS:
            seen.append(
                NoRead(self._device, cut.at_ns, cut.raw, "repeat_in_doubt", card_text(cut.body))
            )
        else:
            self._tell(cut, seen)

    def _near(self, report: _Report, cut: Cut) -> bool:
        """Whether a copy of that report may come now: so fast the shoe cannot use all numbers."""
        return cut.at_ns - report.first_ns < self._copies_ns

    def _comes_round(self, report: _Report) -> bool:
        """Whether its number is in use once more: all copies were there, all other numbers since.
        A network had held them back and lets them come at once.
        """
        turn, last = self._turns.find(report.seq), self._last
        if last is None or report is last or turn < 0 or report.seen < COPIES:
            return False
        return last.seq == self._turns[turn - 1]

    def _in_turn(self, cut: Cut, seen: list[AnyObservation]) -> bool:
        """Tell what the number says of reports before this one. Whether it may be the last once
        more: the same number and content, too late for a copy.
        """
        last, seq = self._last, printable(bytes((cut.seq,)))
        turn = self._turns.find(cut.seq)
        if turn < 0:
            detail = f"its number {seq!r} is none of {self._settings.sequence!r}: set `sequence`"
            self._trouble(cut, seen, "missed_reports", detail)
            return last is not None and (last.seq, last.body) == (cut.seq, cut.body)
        if last is None or last.seq == self._turns[turn - 1]:
            return False
        detail = f"after report {printable(bytes((last.seq,)))} came {seq}: what is between is lost"
        again = (last.seq, last.body) == (cut.seq, cut.body)
        if again:
            waited = (cut.at_ns - last.first_ns) // _MS
            detail = (
                f"report {seq} came again after {waited} ms: a copy too late for `copies_ms`, or "
                f"{len(self._turns) - 1} reports are lost"
            )
        self._trouble(cut, seen, "missed_reports", detail)
        return again

    # --- what a report says ---------------------------------------------------------------

    def _tell(self, cut: Cut, seen: list[AnyObservation]) -> None:
        letter = chr(cut.body[0])
        if not well_formed(cut.body):
            if letter in CARDS:
                self._unread(cut, seen, "not_a_card")
            else:
                self._trouble(cut, seen, "unknown_report", printable(cut.body))
        elif letter in self._says:
            self._says[letter](cut, seen)
        else:
            code = LETTERS[letter].replace("-", "_")
            seen.append(Note(self._device, cut.at_ns, cut.raw, code, said(cut.body)))

    def _start(self, cut: Cut, seen: list[AnyObservation]) -> None:
        if self._fresh:
            seen.append(Note(self._device, cut.at_ns, cut.raw, "start"))
        else:
            self._trouble(cut, seen, "restarted", "a new shoe, or the shoe was without power")
        self._fresh = False
        self._last = None

    def _card(self, cut: Cut, seen: list[AnyObservation]) -> None:
        found = face(cut.body)
        if not found:
            self._unread(cut, seen, "unread" if found == "" else "not_a_card")
            return
        seen.append(
            CardRead(
                self._device,
                cut.at_ns,
                cut.raw,
                found,
                "",
                0,
                found,
                checked=True,
                resent=cut.body[:1] == b"R",
                numbered=True,
            )
        )

    def _outside(self, cut: Cut, seen: list[AnyObservation]) -> None:
        """A card outside the shoe's own game: what it says of itself first, then the card."""
        bits, code = cut.body[1] >> 4 & 7, cut.body[1] & 0x0F
        if bits & 1:
            seen.append(Note(self._device, cut.at_ns, cut.raw, "drawn_while_locked"))
        if code:
            self._trouble(cut, seen, error_name(code), said(cut.body))
        elif bits & 2:
            self._in_error_mode = True
            self._trouble(cut, seen, ERROR_MODE, said(cut.body))
        if bits & 4:
            self._trouble(cut, seen, "setting_mode", said(cut.body))
        self._card(cut, seen)

    def _cut_card(self, cut: Cut, seen: list[AnyObservation]) -> None:
        seen.append(CutCard(self._device, cut.at_ns, cut.raw))

    def _error(self, cut: Cut, seen: list[AnyObservation]) -> None:
        code = error_name(cut.body[1] & 0x3F)
        self._trouble(cut, seen, code, f"{said(cut.body)} ({cut.body[1] & 0x3F})")
        if code == "cannot_read":
            self._unread(cut, seen, "unread")

    def _error_over(self, cut: Cut, seen: list[AnyObservation]) -> None:
        over = [error_name(cut.body[1] & 0x7F), *([ERROR_MODE] if self._in_error_mode else [])]
        self._in_error_mode = False
        seen.extend(TroubleOver(self._device, cut.at_ns, cut.raw, code) for code in over)

    def _preset(self, cut: Cut, seen: list[AnyObservation]) -> None:
        self._trouble(cut, seen, "settings_changed", said(cut.body))

    def _unread(self, cut: Cut, seen: list[AnyObservation], reason: str) -> None:
        seen.append(NoRead(self._device, cut.at_ns, cut.raw, reason, card_text(cut.body)))

    def _trouble(self, cut: Cut, seen: list[AnyObservation], code: str, detail: str) -> None:
        seen.append(Trouble(self._device, cut.at_ns, cut.raw, code, detail))
