"""The snapshot: the table as one role may see it. What remains in the shoe is never in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from station import snapshot as v
from station import view_felt as felt
from station.actions import actions
from station.config import TableSection
from station.game.dealing import Expected, Nobody
from station.game.hands import total
from station.game.rules import DECKS, fingerprint
from station.game.state import Phase, Round, phase
from station.journal import Left
from station.shoe_check import Counted
from station.table import inputs as i
from station.table.facts import Person
from station.table.missed import GRAVE
from station.table.state import Device, Hold, LastRead, Table, due, expected
from station.view_holds import Pictures, hold_view, params_of, what_happened
from station.view_locks import lock_views, notice
from station.view_shoe import check_text, shoe_view
from station.wording import devices
from station.wording import table as words
from station.wording.locks import NEXT
from station.wording.say import refusal_view, say


class About(Struct, frozen=True):
    """What the station knows of a device beside the table: its kind, abilities, and advice."""

    kind: str = "reader"
    can: tuple[str, ...] = ()
    advice: tuple[v.Text, ...] = ()


def nothing_known(_name: str) -> About:
    """Of a device of which nothing is known but what the table says."""
    return About()


class Viewer:
    """Builds snapshots. What does not change with the table is made once."""

    def __init__(
        self,
        settings: TableSection,
        scale: float,
        nominal: int,
        banners: tuple[v.Text, ...],
        about: Callable[[str], About] = nothing_known,
        pictures: str = "",
        counted: Callable[[], Counted] = Counted,
    ) -> None:
        """`pictures`: the folder of the readers' pictures, "" where none are kept. `counted`: how
        many cards a running check has counted.
        """
        self._counted = counted
        self._pictures = pictures
        self._about = about
        self._scale = scale
        self._banners = banners
        test = settings.kind == "test"
        self._table = v.TableView(
            id=settings.id,
            kind=settings.kind,
            currency=settings.currency,
            minor_digits=settings.minor_digits,
            watermark=say(words.WATERMARK) if test else None,
            clock_scale=scale,
            host=settings.host,
            nominal=nominal if settings.host == "chairs" else 0,
        )
        self._rules: tuple[object, v.RulesView] | None = None

    @property
    def minor_digits(self) -> int:
        """How many digits follow the decimal point of an amount."""
        return self._table.minor_digits

    def snapshot(
        self,
        table: Table,
        actor: i.Actor,
        at: str,
        left_ms: Mapping[str, int],
        since: Mapping[int, str],
        first: Mapping[int, Left],
        journal_ok: bool,
        locked_since: Mapping[int, str] | None = None,
    ) -> v.Snapshot:
        """`left_ms`: milliseconds left of each timer by name; `since`: when each hold began;
        `first`: the earlier of two reads, by hold; `locked_since`: when each condition came.
        """
        # A game host is told of cards; pictures are for who stands at the table or watches it.
        shown = Pictures("" if actor.role == "host" else self._pictures)
        round_ = table.game.round
        name = phase_name(table)
        locked = lock_views(table, since, locked_since or {})
        return v.Snapshot(
            version=table.version,
            at=at,
            table=self._table,
            phase=name,
            phase_text=say(words.PHASES[name]),
            round=round_.number if round_ else 0,
            rules=self._rules_view(table),
            prompt=self._prompt(table, journal_ok, locked),
            countdown=self._countdown(table, left_ms),
            last_read=_last_read(table, table.read, shown) if table.read else None,
            seats=felt.seats(table),
            dealer=felt.dealer(felt.on_felt(table)),
            decision=felt.decision(round_),
            window=felt.window(round_),
            payments=felt.payments(table, self._table.minor_digits),
            shoe=shoe_view(table, self._counted()),
            devices=[_device(device, self._about(device.name)) for device in table.devices],
            host=v.HostView(
                table.host,
                table.host_connected,
                say(words.HOSTS[_host(table)]),
            ),
            journal=say(words.JOURNAL["ok" if journal_ok else "failing"]),
            banners=[*_notices(table, locked), *self._banners],
            holds=[
                hold_view(
                    table, hold, since.get(hold.hold, ""), first.get(hold.hold, Left()), shown
                )
                for hold in _by_weight(table)
            ],
            locks=locked,
            tried=table.tried,
            exposed=[card.face for card in table.game.exposed],
            staff=_staff(table, actor),
            last_refusal=refusal_view(table.refusal, self._table.minor_digits)
            if table.refusal
            else None,
            recent=_recent(table),
            actions=actions(table, actor, self._table.minor_digits),
        )

    def _prompt(self, table: Table, journal_ok: bool, locked: list[v.LockView]) -> v.PromptView:
        """The one answer to "where does the next card go?". While one that was drawn has not been
        read, it is that card's place, and no other is drawn.
        """
        prompt = _prompt(table, expected(table), journal_ok)
        if prompt.code == "shoe_check":
            return replace(prompt, text=check_text(table, self._counted()))
        first = notice(locked)
        if prompt.code == "no_round" and first is not None:
            return v.PromptView("none", first[0], first[1])
        if prompt.kind != "card" or not table.unread.cards:
            return prompt
        device = table.device(table.unread.device)
        camera = device is not None and self._about(device.name).kind == "camera"
        code = "show_again" if camera else "scan_again"
        return replace(prompt, code=code, text=say(words.PROMPTS[code]))

    def _rules_view(self, table: Table) -> v.RulesView:
        if self._rules is None or self._rules[0] is not table.rules:
            view = v.RulesView(
                fingerprint=fingerprint(table.rules),
                decks=DECKS,
                dealer_stands="S17",
                blackjack_pays="3:2",
                text=say(words.RULES_TEXT),
                settings=msgspec.to_builtins(table.rules),
            )
            self._rules = (table.rules, view)
        return self._rules[1]

    def _countdown(self, table: Table, left_ms: Mapping[str, int]) -> v.CountdownView | None:
        for timer in due(table):
            if (
                timer.kind == "pin_lock"
                or timer.kind == "place_hour"
                or timer.kind == "badge"
                or timer.kind == "unread"
            ):
                continue
            whole = round(timer.seconds * 1000 / self._scale)
            return v.CountdownView(timer.kind, timer.seat, left_ms.get(timer.name, whole), whole)
        return None


def _notices(table: Table, locked: list[v.LockView]) -> list[v.Text]:
    """What is to be done about what bars the next round; while one runs, that it does."""
    first = notice(locked)
    if first is None:
        return []
    _, what, do = first
    if table.between_rounds:
        return [do]
    ko, en = (text.format(what=said) for text, said in zip(NEXT, (what.ko, what.en), strict=True))
    return [v.Text(ko, en)]


def _device(device: Device, about: About) -> v.DeviceView:
    dealer, technician = devices.CAUSES.get(device.cause, devices.HEALTH[device.health])
    return v.DeviceView(
        device.name,
        about.kind,
        device.health,
        say(dealer),
        say(technician, {"detail": device.detail}),
        list(about.can),
        list(about.advice),
    )


def _host(table: Table) -> str:
    if table.keys:
        return "chairs"
    return "connected" if table.host_connected else "lost"


def phase_name(table: Table) -> v.PhaseName:
    """The phase as people call it."""
    round_ = table.game.round
    if round_ is None or round_.ended == "cleared":
        if table.dealer is None or table.life == "closed":
            return "closed"
        return "paused" if table.life == "paused" else "idle"
    match phase(round_):
        case Phase.BETTING:
            return "betting"
        case Phase.DEALING:
            return "dealing"
        case Phase.INSURANCE:
            return "insurance"
        case Phase.FOLLOW:
            return "follow"
        case Phase.PLAYERS:
            return "deciding" if round_.asked is not None else "drawing"
        case Phase.DEALER:
            return "dealer"
        case Phase.RESULT:
            return "result"
        case _:
            return "void"


# What stops the hands without a hold: something is not there, or the players are being asked.
_KINDS: dict[str, Literal["hold", "window"]] = {
    "host_lost": "hold",
    "reader_not_up": "hold",
    "insurance_window": "window",
    "follow_window": "window",
}


def _prompt(table: Table, answer: Expected, journal_ok: bool) -> v.PromptView:
    """What the table waits for."""
    if not journal_ok:
        return v.PromptView(
            "hold", "journal_unavailable", say(words.PROMPTS["journal_unavailable"])
        )
    if table.holds:
        hold = _by_weight(table)[0]
        what = what_happened(hold, words.HOLDS[hold.code][0], params_of(hold))
        return v.PromptView("hold", hold.code, what)
    if not isinstance(answer, Nobody):
        return v.PromptView(
            "card",
            answer.purpose,
            say(words.PROMPTS[answer.purpose]),
            felt.slot_view(answer.slot),
            answer.purpose,
        )
    code = answer.code
    if code in ("no_round", "round_void"):
        code = _idle(table, code)
        round_ = felt.on_felt(table)
        if round_ is not None and code in ("no_round", "shoe_needed"):
            return v.PromptView("none", "round_void", _void(round_, code))
    text = say(words.PROMPTS[code], {"seat": answer.seat})
    return v.PromptView(_KINDS.get(code, "none"), code, text)


def _void(round_: Round, needed: str) -> v.Text:
    """Why the round was void, and what the hands do now."""
    why = say(words.VOIDS.get(round_.why_void, words.VOIDS["ruling"]))
    then = say(words.AFTER_VOID[needed])
    return v.Text(f"{why.ko}. {then.ko}", f"{why.en}; {then.en}")


def _by_weight(table: Table) -> list[Hold]:
    """The holds a supervisor rules on first; the dealer's own wait last."""
    return sorted(table.holds, key=lambda hold: hold.code == "wait")


def _idle(table: Table, code: str) -> str:
    """Between rounds: what is missing for the next one."""
    shoe = table.game.shoe
    if shoe.state in ("none", "out"):
        return "round_void" if code == "round_void" and shoe.state != "out" else "shoe_needed"
    if shoe.state == "loaded":
        return "shoe_unreleased"
    if table.dealer is None:
        return "no_dealer"
    if shoe.cut:
        return "shoe_change"
    if table.disputed is not None:
        return "round_disputed"
    return {"open": "no_round", "paused": "table_paused", "closed": "table_closed"}[table.life]


def _last_read(table: Table, read: LastRead, pictures: Pictures) -> v.LastReadView:
    code = read.code if read.outcome in ("no_read", "set_aside") else read.outcome
    ruled = read.outcome == "no_read" and code in GRAVE and not _holds_for(table, code)
    text = devices.READS_RULED[code] if ruled else devices.READS.get(code, devices.READS["no_read"])
    return v.LastReadView(
        number=read.number,
        outcome="ruled" if ruled else read.outcome,
        face=read.face,
        slot=felt.slot_view(read.slot) if read.slot else None,
        device=read.device,
        text=say(text),
        evidence=pictures.views(read.evidence),
    )


def _holds_for(table: Table, reason: str) -> bool:
    """Whether the table holds for what that reason of a no-read says."""
    return any(hold.params.get("reason") == reason for hold in table.holds)


def _person(person: Person) -> v.PersonView:
    return v.PersonView(person.staff, person.name, person.role)


def _staff(table: Table, actor: i.Actor) -> v.StaffView:
    return v.StaffView(
        dealer=_person(table.dealer) if table.dealer else None,
        signed_in=[_person(s.person) for s in table.signed if s.stands_at(actor.link)],
        call=table.call,
    )


def _recent(table: Table) -> list[v.RecentView]:
    views = []
    for past in table.recent:
        points = total(past.dealer).points
        key = past.outcome if past.outcome == "void" or points <= 21 else "bust"
        text = say(words.RECENT[key], {"round": past.round, "total": points})
        marked = say(words.MARKS[past.marked]) if past.marked else None
        views.append(v.RecentView(past.round, past.outcome, points, text, marked))
    return views
