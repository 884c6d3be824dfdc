"""The console's one object for QML: applies snapshots to regions, turns presses into commands."""

from __future__ import annotations

import logging
import time
from datetime import datetime
from typing import Any

from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from station.messages import PROTOCOL, Answer, Language, Rejected
from station.snapshot import Snapshot
from ui import present, present_all, present_back, present_chairs, present_felt, present_panels
from ui.client import StationClient
from ui.intents import REPORTS, VOIDS, command_for
from ui.pictures import Album
from ui.viewmodel import CardList, Countdown, Region, Seat, now_ns
from ui.words import LANGUAGES, Words

log = logging.getLogger("ui.console")

SEATS = 7
NOTICE_MS = 8000
TICK_MS = 100
REGIONS = (
    *("top", "prompt", "read", "count", "dealer", "keys", "panel", "side", "staff", "shoe"),
    *("asks", "pay", "amount", "leave", "back"),
)
# Sheets that belong to betting: they close when the phase changes.
BETTING_SHEETS = ("amount", "leave", "back")

CLOSES_SHEET = (
    *("log_in", "log_out", "report_error", "load_shoe", "leave_seat", "take_back"),
    *("pause_table", "open_table", "close_table"),
)


def _region(name: str) -> Any:
    """A constant property of `Console`: the region of that name."""

    def read(console: Console) -> QObject:
        return console.regions[name]

    return Property(QObject, read, constant=True)


class Console(QObject):
    """Regions, seats, link and notice for QML; `applied` says a snapshot has been shown."""

    changed = Signal()
    notice_changed = Signal()
    pending_changed = Signal()
    language_changed = Signal()
    sheet_changed = Signal()
    signed = Signal(bool)
    """A log in was answered: whether it was taken. The PIN on the screen is wiped either way."""
    applied = Signal(object, object)
    """The snapshot and the nanoseconds at which its bytes were read."""

    def __init__(
        self,
        client: StationClient,
        words: Words,
        hangul: bool = True,
        parent: QObject | None = None,
    ) -> None:
        """`hangul`: whether there is a font for Korean; without one there is only English."""
        super().__init__(parent)
        self._hangul = hangul
        self._client = client
        self._words = words
        self._snapshot: Snapshot | None = None
        self._link = "connecting"
        self._notice: dict[str, Any] = {"text": "", "tone": ""}
        self._sheet = ""
        self._amount: int | None = None
        self._album = Album()
        self._spent: dict[str, int] = {}
        self._back: present_back.Chosen | None = None
        self._seen: set[int] = set()  # Columns of payments that have been on the screen.
        self._countdown = Countdown()
        self.regions = {name: Region({}, self) for name in REGIONS}
        self._tr = Region(words.table, self)
        self._clock = Region({"text": ""}, self)
        self._seats: list[QObject] = []
        self._dealer_cards = CardList(self)
        self._fill()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self._minute = QTimer(self)
        self._minute.timeout.connect(self._on_minute)
        self._minute.start(1000)
        self._on_minute()
        self._forget = QTimer(self)
        self._forget.setSingleShot(True)
        self._forget.setInterval(NOTICE_MS)
        self._forget.timeout.connect(self._standing_notice)
        client.snapshot.connect(self._on_snapshot)
        client.answered.connect(self._on_answer)
        client.rejected.connect(self._on_rejected)
        client.state_changed.connect(self._on_link)
        client.pending_changed.connect(self.pending_changed)

    # --- what QML reads -----------------------------------------------------------------------

    top = _region("top")
    prompt = _region("prompt")
    read = _region("read")
    count = _region("count")
    dealer = _region("dealer")
    keys = _region("keys")
    panel = _region("panel")
    side = _region("side")
    staff = _region("staff")
    shoe = _region("shoe")
    asks = _region("asks")
    pay = _region("pay")
    amount = _region("amount")
    leave = _region("leave")
    back = _region("back")

    def _get_tr(self) -> QObject:
        return self._tr

    def _get_clock(self) -> QObject:
        return self._clock

    def _get_seats(self) -> list[QObject]:
        return self._seats

    def _get_dealer_cards(self) -> QObject:
        return self._dealer_cards

    def _get_reports(self) -> list[str]:
        return list(REPORTS)

    def _get_voids(self) -> list[str]:
        return list(VOIDS)

    def _get_link(self) -> str:
        return self._link

    def _get_notice(self) -> dict[str, Any]:
        return self._notice

    def _get_language(self) -> str:
        return self._words.language

    def _get_sheet(self) -> str:
        return self._sheet

    def _get_pending(self) -> list[str]:
        return self._client.pending_keys()

    tr_ = Property(QObject, _get_tr, constant=True)
    clock = Property(QObject, _get_clock, constant=True)
    seats = Property("QVariantList", _get_seats, notify=changed)  # type: ignore[arg-type]
    dealerCards = Property(QObject, _get_dealer_cards, constant=True)  # noqa: N815
    reports = Property("QStringList", _get_reports, constant=True)  # type: ignore[arg-type]
    voids = Property("QStringList", _get_voids, constant=True)  # type: ignore[arg-type]
    link = Property(str, _get_link, notify=changed)
    notice = Property("QVariantMap", _get_notice, notify=notice_changed)  # type: ignore[arg-type]
    language = Property(str, _get_language, notify=language_changed)
    sheet = Property(str, _get_sheet, notify=sheet_changed)
    pending = Property("QStringList", _get_pending, notify=pending_changed)  # type: ignore[arg-type]

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot on show."""
        return self._snapshot

    # --- what QML does ------------------------------------------------------------------------

    @Slot(str, str)
    @Slot(str, str, str)
    def press(self, name: str, target: str = "", extra: str = "") -> None:
        """Give the command `name` once; nothing happens while it waits for its answer."""
        snapshot = self._snapshot
        if snapshot is None or self._link != "up":
            return
        bet = name.startswith("place_bet")
        if bet and self._amount is not None:
            extra = str(self._amount)
        command = command_for(name, target, extra, snapshot)
        if command is None:
            log.warning("no command for %r %r", name, target)
            return
        key = present_chairs.wait_name(name, target)
        if not self._client.send(key, command):
            return
        self._say("", "")
        if bet and self._amount is not None:
            # An amount is keyed for one bet.
            self._spent[key] = self._amount
            self._set_amount(None)
        if bet and self._sheet == "back":
            self.open("")

    @Slot(str)
    def keyAmount(self, minor: str) -> None:  # noqa: N802
        """The next bet is of this amount, in minor units; "" for the nominal unit."""
        self._set_amount(int(minor) if minor.isdecimal() else None)
        self.open("")

    @Slot(str, str, str)
    def askBack(self, target: str, kind: str, player: str) -> None:  # noqa: N802
        """Ask about the bets of that cell, or of one behind: whether they come back."""
        self._back = present_back.Chosen(int(target), kind, player)
        if self._snapshot is not None:
            self._show_back(self._snapshot)
        self.open("back")

    @Slot(int)
    def paySeen(self, column: int) -> None:  # noqa: N802
        """That column of payments is on the screen."""
        if column not in self._seen and self._snapshot is not None:
            self._seen.add(column)
            self._show_keys(self._snapshot)

    @Slot(str)
    def explain(self, reason: str) -> None:
        """Say why a dimmed key does nothing."""
        if self._link == "up":
            self._say(reason, "why")

    @Slot(str)
    def open(self, sheet: str) -> None:
        """Show a sheet; "" for none: `report`, `why_void`, `staff`, `signin`, `load`, `amount`,
        `leave`.
        """
        if sheet != self._sheet and (self._link == "up" or not sheet):
            self._sheet = sheet
            self.sheet_changed.emit()

    @Slot()
    def switchLanguage(self) -> None:  # noqa: N802
        """The other language, at once and everywhere."""
        if not self._hangul:
            return
        following = LANGUAGES[(LANGUAGES.index(self._words.language) + 1) % len(LANGUAGES)]
        self.set_language(following)

    def set_language(self, language: Language) -> None:
        """Show everything in this language from now on."""
        self._words.language = language
        self._tr.put(self._words.table)
        if self._snapshot is None:
            self._fill()
        else:
            self._show(self._snapshot)
        self._standing_notice()
        self.language_changed.emit()

    # --- what the station says ----------------------------------------------------------------

    def _on_snapshot(self, snapshot: Snapshot, received_ns: int) -> None:
        before = self._snapshot
        self._snapshot = snapshot
        if before is None or _chips(before) != _chips(snapshot):
            self._seen.clear()
        self._show(snapshot)
        if self._sheet == "back" and not self.regions["back"].get()["mode"]:
            self.open("")
        view = snapshot.countdown
        if view is None:
            self._countdown.stop()
            self._tick.stop()
        else:
            self._countdown.start(view.left_ms, view.total_ms, received_ns)
            self._tick.start()
        self._on_tick()
        if before is None or before.last_refusal != snapshot.last_refusal:
            self._standing_notice()
        if before is not None:
            moved = before.phase != snapshot.phase
            if moved and snapshot.phase not in ("idle", "betting"):
                self._set_amount(None)
            if not _same_moment(before, snapshot) or (moved and self._sheet in BETTING_SHEETS):
                self.open("")
        self.applied.emit(snapshot, received_ns)

    def _on_answer(self, key: str, answer: Answer) -> None:
        if answer.refusal is not None:
            self._say(present.why(answer.refusal, self._words), "refused")
        spent = self._spent.pop(key, None)
        if spent is not None and not answer.ok and self._amount is None:
            self._set_amount(spent)
        if key == "log_in":
            self.signed.emit(answer.ok)
        if answer.ok and key.partition("@")[0] in CLOSES_SHEET:
            self.open("")

    def _on_rejected(self, rejected: Rejected | None) -> None:
        words = self._words
        if rejected is not None:
            self._say(words("rejected", text=words.say(rejected.text)), "refused")
        elif self._client.wrong_protocol:
            theirs = self._client.wrong_protocol
            self._say(words("wrong_protocol", theirs=theirs, ours=PROTOCOL), "refused")
        else:
            self._say(words("bad_line", count=self._client.bad_lines), "refused")

    def _on_link(self, state: str) -> None:
        self._link = state
        if state != "up":
            self._tick.stop()
            self.open("")
        self.changed.emit()

    # --- showing ------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Before the first snapshot: nothing known, and shown as that."""
        for name, values in present_all.blank(self._words).items():
            self.regions[name].put(values)
        self._show_count(now_ns())

    def _show(self, snapshot: Snapshot) -> None:
        values = present_all.shown(snapshot, self._words, self._amount, self._album.find)
        self._dealer_cards.put(snapshot.dealer.cards)
        for name, region in values.items():
            self.regions[name].put(region)
        self._show_keys(snapshot)
        self._show_back(snapshot)
        self._show_count(now_ns())
        self._show_seats(snapshot)

    def _show_keys(self, snapshot: Snapshot) -> None:
        columns = len(self.regions["pay"].get()["columns"])
        unseen = not self._seen.issuperset(range(columns))
        self.regions["keys"].put(present_panels.keys(snapshot, self._words, unseen))

    def _show_back(self, snapshot: Snapshot) -> None:
        values = present_back.sheet(snapshot, self._back, self._words, self._amount)
        self.regions["back"].put(values)

    def _show_seats(self, snapshot: Snapshot) -> None:
        views = snapshot.seats[:SEATS]
        words = self._words
        shown = [
            present_felt.seat(view, snapshot, words)
            | {"keys": present_chairs.seat_keys(view, snapshot, words, self._amount)}
            for view in views
        ]
        grown = len(self._seats) != len(views)
        while len(self._seats) < len(views):
            self._seats.append(Seat(shown[len(self._seats)], self))
        del self._seats[len(views) :]
        for seat, view, values in zip(self._seats, views, shown, strict=True):
            assert isinstance(seat, Seat)
            hands = {hand.hand: hand.cards for hand in view.hands}
            seat.lists[0].put(hands.get(1, []))
            seat.lists[1].put(hands.get(2, []))
            seat.region.put(values)
        if grown:
            self.changed.emit()

    def _set_amount(self, minor: int | None) -> None:
        """The amount of the next bet, minor units; None for the nominal unit."""
        if minor == self._amount:
            return
        self._amount = minor
        self.regions["amount"].put(present_chairs.amount(self._snapshot, minor, self._words))
        if self._snapshot is not None:
            self._show_seats(self._snapshot)

    def _show_count(self, at_ns: int) -> None:
        view = self._snapshot.countdown if self._snapshot else None
        values = present.countdown(view, self._words) | self._countdown.shown(at_ns)
        self.regions["count"].put(values)

    def _on_tick(self) -> None:
        self._show_count(time.monotonic_ns())

    def _on_minute(self) -> None:
        self._clock.put({"text": datetime.now().astimezone().strftime("%H:%M")})

    def _say(self, text: str, tone: str) -> None:
        self._notice = {"text": text, "tone": tone}
        self.notice_changed.emit()
        if text:
            self._forget.start()

    def _standing_notice(self) -> None:
        """What stays in the notice line: the station's last refusal."""
        self._forget.stop()
        text = present_panels.last_refusal(self._snapshot, self._words) if self._snapshot else ""
        self._notice = {"text": text, "tone": "refused" if text else ""}
        self.notice_changed.emit()


def _chips(snapshot: Snapshot) -> tuple[object, ...]:
    """What is paid and taken, and for which round."""
    return snapshot.round, present.due(snapshot)


def _same_moment(before: Snapshot, after: Snapshot) -> bool:
    """Whether an open sheet still belongs to what is on the table."""
    held = [hold.hold for hold in before.holds] == [hold.hold for hold in after.holds]
    return held and (before.staff.dealer is None) == (after.staff.dealer is None)
