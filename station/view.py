"""The snapshot: the table as one role may see it. What remains in the shoe is never in it."""

from __future__ import annotations

from collections.abc import Mapping

from station import messages as m
from station.actions import actions
from station.config import TableSection
from station.game.dealing import Expected, Nobody
from station.game.hands import is_blackjack, is_bust, total
from station.game.incidents import INCIDENTS
from station.game.rules import DECKS, fingerprint
from station.game.state import Box, Hand, Phase, Round, Slot, box_at, is_open, phase, turn
from station.table import inputs as i
from station.table.facts import Person
from station.table.state import Hold, LastRead, Table, due, expected
from station.table.why_not import why_not_ruling
from station.wording import table as words
from station.wording.say import refusal_view, say


class Viewer:
    """Builds snapshots. What does not change with the table is made once."""

    def __init__(self, settings: TableSection, scale: float, banners: tuple[m.Text, ...]) -> None:
        self._scale = scale
        self._banners = banners
        test = settings.kind == "test"
        self._table = m.TableView(
            id=settings.id,
            kind=settings.kind,
            currency=settings.currency,
            minor_digits=settings.minor_digits,
            watermark=say(words.WATERMARK) if test else None,
            clock_scale=scale,
        )
        self._rules: tuple[object, m.RulesView] | None = None

    def snapshot(
        self,
        table: Table,
        actor: i.Actor,
        at: str,
        left_ms: Mapping[str, int],
        since: Mapping[int, str],
        journal_ok: bool,
    ) -> m.Snapshot:
        """`left_ms`: milliseconds left of each timer by name; `since`: when each hold began."""
        round_ = table.game.round
        name = phase_name(table)
        return m.Snapshot(
            version=table.version,
            at=at,
            table=self._table,
            phase=name,
            phase_text=say(words.PHASES[name]),
            round=round_.number if round_ else 0,
            rules=self._rules_view(table),
            prompt=_prompt(table, expected(table), journal_ok),
            countdown=self._countdown(table, left_ms),
            last_read=_last_read(table.read) if table.read else None,
            seats=_seats(table),
            dealer=_dealer(_on_felt(table)),
            decision=_decision(round_),
            shoe=_shoe(table),
            devices=[
                m.DeviceView(d.name, "reader", d.health, say(words.HEALTH[d.health]))
                for d in table.devices
            ],
            host=m.HostView(
                table.host,
                table.host_connected,
                say(words.HOSTS["connected" if table.host_connected else "lost"]),
            ),
            journal=say(words.JOURNAL["ok" if journal_ok else "failing"]),
            banners=list(self._banners),
            holds=[_hold(table, hold, since.get(hold.hold, "")) for hold in _by_weight(table)],
            exposed=[card.face for card in table.game.exposed],
            staff=_staff(table, actor),
            last_refusal=refusal_view(table.refusal) if table.refusal else None,
            recent=_recent(table),
            actions=actions(table, actor),
        )

    def _rules_view(self, table: Table) -> m.RulesView:
        if self._rules is None or self._rules[0] is not table.rules:
            view = m.RulesView(
                fingerprint=fingerprint(table.rules),
                decks=DECKS,
                dealer_stands="S17",
                blackjack_pays="3:2",
                text=say(words.RULES_TEXT),
            )
            self._rules = (table.rules, view)
        return self._rules[1]

    def _countdown(self, table: Table, left_ms: Mapping[str, int]) -> m.CountdownView | None:
        for timer in due(table):
            if timer.kind == "pin_lock":
                continue
            whole = round(timer.seconds * 1000 / self._scale)
            return m.CountdownView(timer.kind, timer.seat, left_ms.get(timer.name, whole), whole)
        return None


def phase_name(table: Table) -> m.PhaseName:
    """The phase as people call it."""
    round_ = table.game.round
    if round_ is None or round_.ended == "cleared":
        return "idle" if table.dealer is not None else "closed"
    match phase(round_):
        case Phase.BETTING:
            return "betting"
        case Phase.DEALING:
            return "dealing"
        case Phase.PLAYERS:
            return "deciding" if round_.asked is not None else "drawing"
        case Phase.DEALER:
            return "dealer"
        case Phase.RESULT:
            return "result"
        case _:
            return "void"


def slot_view(slot: Slot) -> m.SlotView:
    """A slot for a screen."""
    if slot.is_dealer:
        return m.SlotView("dealer")
    return m.SlotView("seat", slot.seat, slot.hand)


def _prompt(table: Table, answer: Expected, journal_ok: bool) -> m.PromptView:
    """The one answer to "where does the next card go?"."""
    if not journal_ok:
        return m.PromptView(
            "hold", "journal_unavailable", say(words.PROMPTS["journal_unavailable"])
        )
    if table.holds:
        hold = _by_weight(table)[0]
        return m.PromptView("hold", hold.code, say(words.HOLDS[hold.code][0], _params(hold)))
    if not isinstance(answer, Nobody):
        return m.PromptView(
            "card",
            answer.purpose,
            say(words.PROMPTS[answer.purpose]),
            slot_view(answer.slot),
            answer.purpose,
        )
    code = answer.code
    if code in ("no_round", "round_void"):
        code = _idle(table, code)
        round_ = _on_felt(table)
        if round_ is not None and code in ("no_round", "shoe_needed"):
            return m.PromptView("none", "round_void", _void(round_, code))
    text = say(words.PROMPTS[code], {"seat": answer.seat})
    return m.PromptView("hold" if code in ("host_lost", "reader_not_up") else "none", code, text)


def _void(round_: Round, needed: str) -> m.Text:
    """Why the round was void, and what the hands do now."""
    why = say(words.VOIDS.get(round_.why_void, words.VOIDS["ruling"]))
    then = say(words.AFTER_VOID[needed])
    return m.Text(f"{why.ko}. {then.ko}", f"{why.en}; {then.en}")


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
    return "shoe_change" if shoe.cut else "no_round"


def _params(hold: Hold) -> dict[str, str | int]:
    return {"device": hold.device, **hold.params}


def _hold(table: Table, hold: Hold, since: str) -> m.HoldView:
    what, hands, who = words.HOLDS[hold.code]
    incident = INCIDENTS[hold.code]
    rulings = []
    open_ = is_open(table.game.round)
    for way in incident.ways:
        refusal = why_not_ruling(table, hold, way.ruling)
        if refusal is not None and refusal.code == "no_open_round":
            continue
        name = way.ruling
        shown = name if open_ else {"void": "shoe_out", "burn": "burn_only"}.get(name, name)
        rulings.append(
            m.RulingView(
                name, say(words.RULINGS[shown]), refusal_view(refusal) if refusal else None
            )
        )
    params = _params(hold)
    return m.HoldView(
        hold=hold.hold,
        code=hold.code,
        since=since,
        device=hold.device,
        what=say(what, params),
        hands=say(hands, params),
        who=say(who, params),
        rule=str(hold.params.get("rule") or incident.rule),
        params=params,
        faces=[card.face for card in hold.cards],
        rulings=rulings,
    )


def _last_read(read: LastRead) -> m.LastReadView:
    code = read.code if read.outcome in ("no_read", "set_aside") else read.outcome
    return m.LastReadView(
        number=read.number,
        outcome=read.outcome,
        face=read.face,
        slot=slot_view(read.slot) if read.slot else None,
        device=read.device,
        text=say(words.READS.get(code, words.READS["no_read"])),
    )


def _seats(table: Table) -> list[m.SeatView]:
    """All seats of the felt, empty ones too, from the dealer's left."""
    shown = _on_felt(table)
    names = {seat.seat: seat.player for seat in table.game.seats}
    seats = []
    for number in range(1, table.rules.seats + 1):
        box = box_at(shown, number) if shown else None
        bets = [bet for bet in shown.bets if bet.seat == number] if shown else []
        # Whose hand lies there comes first: somebody else may have sat down since.
        player = box.player if box else names.get(number, "")
        seats.append(
            m.SeatView(
                seat=number,
                player=player,
                in_round=bool(bets),
                absent=box.absent if box else False,
                hands=_hands(shown, box) if shown and box else [],
                bets=[_bet(shown, bet.bet) for bet in bets] if shown else [],
            )
        )
    return seats


def _on_felt(table: Table) -> Round | None:
    """The round whose cards lie there: not a cleared one, nor a void one once a new shoe is in."""
    round_ = table.game.round
    if round_ is None or round_.ended == "cleared":
        return None
    if round_.ended == "void" and round_.shoe != table.game.shoe.id:
        return None
    return round_


def _bet(round_: Round, number: int) -> m.BetView:
    bet = next(bet for bet in round_.bets if bet.bet == number)
    line = next((line for line in round_.lines if line.bet == number), None)
    if line is None:
        return m.BetView(bet.kind, bet.player, bet.amount)
    return m.BetView(bet.kind, bet.player, bet.amount, line.returned, line.result)


def _hands(round_: Round, box: Box) -> list[m.HandView]:
    views = []
    for number, hand in enumerate(box.hands, start=1):
        points, soft = total(hand.cards)
        result = next(
            (ln.result for ln in round_.lines if (ln.seat, ln.hand) == (box.seat, number)), ""
        )
        views.append(
            m.HandView(
                hand=number,
                cards=[card.face for card in hand.cards],
                total=points,
                soft=soft,
                state=_hand_state(round_, Slot(box.seat, number), hand),  # type: ignore[arg-type]
                result=result,
            )
        )
    return views


def _hand_state(round_: Round, slot: Slot, hand: Hand) -> str:
    if hand.bust:
        return "bust"
    if hand.blackjack:
        return "blackjack"
    if hand.stood:
        return "stand"
    if hand.complete:
        return "twenty_one"
    if phase(round_) is Phase.PLAYERS:
        return "turn" if turn(round_) == slot else "wait"
    return "open"


def _dealer(round_: Round | None) -> m.DealerView:
    cards = round_.dealer if round_ is not None else ()
    points, soft = total(cards)
    state = "open"
    if is_bust(cards):
        state = "bust"
    elif is_blackjack(cards):
        state = "blackjack"
    elif round_ is not None and round_.ended == "settled":
        state = "stand"
    elif round_ is not None and phase(round_) is Phase.DEALER:
        state = "draw"
    faces = [card.face for card in cards]
    return m.DealerView(faces, points, soft, state)  # type: ignore[arg-type]


def _decision(round_: Round | None) -> m.DecisionView | None:
    """What is asked; or, until the card it asks for has come, what was chosen."""
    if round_ is None or not is_open(round_):
        return None
    if round_.asked is not None:
        asked = round_.asked
        return m.DecisionView(asked.decision, asked.seat, asked.hand, list(asked.legal))
    for box in round_.boxes:
        for number, hand in enumerate(box.hands, start=1):
            if hand.owed:
                return m.DecisionView(round_.decisions, box.seat, number, [], "hit")
    return None


def _shoe(table: Table) -> m.ShoeView:
    shoe = table.game.shoe
    state = "last_round" if shoe.state == "in_play" and shoe.cut else shoe.state
    return m.ShoeView(shoe.id, state, say(words.SHOES[state]))


def _person(person: Person) -> m.PersonView:
    return m.PersonView(person.staff, person.name, person.role)


def _staff(table: Table, actor: i.Actor) -> m.StaffView:
    return m.StaffView(
        dealer=_person(table.dealer) if table.dealer else None,
        signed_in=[_person(s.person) for s in table.signed if s.link == actor.link],
        call=table.call,
    )


def _recent(table: Table) -> list[m.RecentView]:
    views = []
    for past in table.recent:
        points = total(past.dealer).points
        key = past.outcome if past.outcome == "void" or points <= 21 else "bust"
        text = say(words.RECENT[key], {"round": past.round, "total": points})
        views.append(m.RecentView(past.round, past.outcome, points, text))
    return views
