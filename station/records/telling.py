"""A fact of a round in one line of Korean or English."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast

import msgspec

from station.game import facts as g
from station.game.cards import Card
from station.game.hands import total
from station.game.incidents import INCIDENTS
from station.game.refusal import Refusal
from station.game.state import BURN, Line, Slot
from station.records import words, words_shoe
from station.records.story import Moment, Out, Story
from station.snapshot import Text
from station.table import facts as f
from station.table import lock_facts as lf
from station.table import shoe_facts as s
from station.table.state import Hold
from station.view_holds import params_of, what_happened
from station.wording import devices
from station.wording import table as table_words
from station.wording.say import face_sign, money, refusal_view, say

Lang = Literal["ko", "en"]
Params = dict[str, str]
# A command is stored under the name it had on the wire, or under its type's.
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class Speech:
    """One language, and what a line needs beside its fact. `digits` follow the point of amounts."""

    def __init__(self, story: Story, lang: Lang, digits: int) -> None:
        self.story = story
        self.at = 0 if lang == "ko" else 1
        self.digits = digits
        self.holds: dict[int, f.TableHeld] = {
            moment.fact.hold: moment.fact
            for moment in story.moments
            if isinstance(moment.fact, f.TableHeld)
        }

    # --- small words ----------------------------------------------------------------------------

    def pick(self, words_: words.Words, **params: object) -> str:
        """The sentence in this language, filled in."""
        return words_[self.at].format_map({name: str(value) for name, value in params.items()})

    def of(self, table: Mapping[str, words.Words], code: str) -> str:
        """A code's word; the code itself where it has none."""
        return table[code][self.at] if code in table else code

    def text(self, text: Text) -> str:
        return text.ko if self.at == 0 else text.en

    def amount(self, amount: int) -> str:
        return money(amount, self.digits)

    def card(self, card: Card) -> str:
        face = face_sign(card.face)
        return self.pick(words.OF_DECK, face=face, deck=card.deck) if card.deck else face

    def place(self, slot: Slot | None) -> str:
        if slot is None:
            return words.NOBODY[self.at]
        if slot.seat == BURN:
            return words.BURN[self.at]
        if slot.is_dealer:
            return words.DEALER[self.at]
        return self.seat(slot.seat, slot.hand)

    def seat(self, seat: int, hand: int) -> str:
        """A hand's name; of a seat that did not split, the seat's."""
        split = any(one.seat == seat and one.hand == 2 for one in self.story.hands)
        return self.pick(words.HAND if hand and split else words.SEAT, seat=seat, hand=hand)

    def who(self, name: str) -> str:
        """A person by number, name and role; another name as it is; `-` for nobody known."""
        if name in words.BY:
            return words.BY[name][self.at]
        person = self.story.people.get(name)
        if person is None:
            return name or words.NOBODY[self.at]
        return f"{person.staff} {person.name} ({self.of(words.ROLES, person.role)})"

    def reason(self, reason: str) -> str:
        """Why a round is void: the station's reason, a hold's, or what a person wrote."""
        if reason in words_shoe.REASONS:
            return words_shoe.REASONS[reason][self.at]
        if reason in table_words.VOIDS:
            return table_words.VOIDS[reason][self.at]
        if reason in table_words.REPORTS:
            return table_words.REPORTS[reason][self.at]
        if reason in INCIDENTS:
            held = [hold for hold in self.holds.values() if hold.code == reason]
            return self.held(held[-1]) if held else reason
        return reason

    def held(self, fact: f.TableHeld) -> str:
        """What happened, as the console said it."""
        if fact.code not in table_words.HOLDS:
            return fact.code
        hold = Hold(fact.hold, fact.code, fact.device, fact.params, fact.cards)
        try:
            told = what_happened(hold, table_words.HOLDS[fact.code][0], params_of(hold))
        except (KeyError, ValueError, IndexError):
            return fact.code
        return self.text(told)

    def ruling(self, code: str, ruling: str) -> str:
        """A ruling as it stood on its button."""
        known = table_words.RULINGS_OF.get((code, ruling), table_words.RULINGS.get(ruling))
        return known[self.at] if known else self.of(words.RULINGS, ruling)

    def refusal(self, refusal: Refusal) -> str:
        return self.text(refusal_view(refusal, self.digits).text)

    def nobody(self, why: str) -> str:
        """Why nobody was owed a card."""
        return self.of(words.EXPOSED, why)

    def line(self, line: Line) -> str:
        """What one bet returned, and the rule that says so."""
        bet = self.of(table_words.BETS, line.kind)
        result = self.of(words.RESULTS, line.result)
        return (
            f"{self.seat(line.seat, line.hand)} · {bet} · {line.player} · "
            f"{self.amount(line.stake)} → {self.amount(line.returned)} · {result} ({line.rule})"
        )

    def fate(self, out: Out) -> str:
        """What became of a card nobody was owed."""
        where, by = self.place(out.slot), self.who(out.by)
        return self.of(words.FATES, out.fate).format(place=where, by=by)

    # --- a fact ---------------------------------------------------------------------------------

    def tell(self, moment: Moment) -> str:
        """The fact in one line; one that has no words here is told by its fields."""
        if isinstance(moment.fact, f.CommandAnswered) and moment.fact.refusal is not None:
            known: words.Words | None = words.REFUSED
        else:
            known = words.FACTS.get(moment.kind)
        if known is None:
            return plain(moment)
        params = {**self._common(moment.fact), **self._own(moment)}
        return known[self.at].format_map(_Blank(params))

    def _common(self, fact: f.AnyFact) -> Params:
        """What many facts have, worded."""
        params: Params = {}
        for name in fact.__struct_fields__:
            value = getattr(fact, name)
            if isinstance(value, Card):
                params[name] = self.card(value)
            elif name in ("by", "second") and isinstance(value, str):
                params[name] = self.who(value)
            elif name == "note":
                params[name] = f" · “{value}”" if value else ""
            elif name == "amount":
                params[name] = self.amount(value)
            elif name == "person":
                params["who"] = self.who(value.staff)
            elif name == "staff":
                params["who"], params[name] = self.who(value), str(value)
            elif name == "why" and isinstance(value, str):
                params[name] = self.of(words.WHY, value)
            elif name == "rules":
                params[name] = fact.fingerprint[:8] if isinstance(fact, f.RulesSet) else str(value)
            else:
                params[name] = str(value)
        return params

    def _own(self, moment: Moment) -> Params:
        """What only that kind of fact has."""
        for kinds, words_of in _OWN:
            if isinstance(moment.fact, kinds):
                return words_of(self, moment)
        return {}

    def _card(self, moment: Moment) -> Params:
        out, fact = moment.out, moment.fact
        if isinstance(fact, g.CardExposed):
            return {"why": self.nobody(fact.why)}
        if out is None or not isinstance(fact, g.CardDealt):
            return {}
        return {
            "number": str(out.number),
            "place": self.place(fact.slot),
            "purpose": self.of(words.PURPOSES, out.purpose)
            + (f" · {words.BY_HAND[self.at]}" if out.manual else ""),
        }

    def _bet(self, moment: Moment) -> Params:
        fact = cast(g.BetPlaced, moment.fact)
        return {"field": self.of(table_words.BETS, fact.kind)}

    def _decision(self, moment: Moment) -> Params:
        fact = moment.fact
        if isinstance(fact, g.DecisionAsked):
            legal = ", ".join(self.of(words.ACTIONS, one) for one in fact.legal)
            return {"place": self.seat(fact.seat, fact.hand), "legal": legal}
        made = cast(g.DecisionMade, fact)
        action = self.of(words.ACTIONS, made.action)
        return {"place": self.seat(made.seat, made.hand), "action": action}

    def _window(self, moment: Moment) -> Params:
        fact = moment.fact
        if isinstance(fact, g.WindowOpened):
            name = self.of(words.WINDOWS, fact.kind).format(seat=fact.seat)
            return {"window": name, "asked": ", ".join(fact.asked)}
        if isinstance(fact, g.WindowAnswered):
            return {"yes": (words.YES if fact.yes else words.NO)[self.at]}
        return {}

    def _round(self, moment: Moment) -> Params:
        match moment.fact:
            case g.RoundOpened(fingerprint=mark):
                return {"rules": mark[:8]}
            case g.BettingClosed(seats=seats):
                return {"seats": ", ".join(map(str, seats)) or words.NOBODY[self.at]}
            case g.RoundSettled(dealer=cards):
                return {"total": str(total(cards).points)}
            case g.RoundVoided(reason=reason) | g.ShoeOut(reason=reason):
                return {"reason": self.reason(reason)}
            case g.SeatLeft(reason=left):
                return {"reason": self.of(words.WHY, left)}
            case g.RoundsMarked(why=why):
                known = table_words.MARKS.get(why)
                return {"why": known[self.at] if known else self.of(words.WHY, why)}
        return {}

    def _counted(self, moment: Moment) -> Params:
        fact = cast(g.ShoeReconciled, moment.fact)
        if not fact.missing and not fact.surplus:
            return {"result": words.SHOE_WHOLE[self.at]}
        missing, surplus = (
            ", ".join(f"{face_sign(face)}×{count}" for face, count in sorted(faces.items())) or "0"
            for faces in (fact.missing, fact.surplus)
        )
        return {"result": self.pick(words.SHOE_OFF, missing=missing, surplus=surplus)}

    def _put_in(self, moment: Moment) -> Params:
        """By whom else, on which check, and why that set."""
        fact = cast(g.ShoeLoaded, moment.fact)
        second = self.pick(words_shoe.SECOND, second=self.who(fact.second)) if fact.second else ""
        check = self.pick(words_shoe.CHECKED, check=fact.check) if fact.check else ""
        return {"more": second + check + (f" · “{fact.reason}”" if fact.reason else "")}

    def _checked(self, moment: Moment) -> Params:
        """A shoe before it goes in."""
        fact, params = moment.fact, {"second": words.NOBODY[self.at]}
        if isinstance(fact, s.ShuffledAfterCheck):
            return {"seal": fact.seal or words.NOBODY[self.at]}
        if isinstance(fact, s.ShoeRulesSet):
            two = words_shoe.YES_NO[not fact.rules.two_people][self.at]
            letters = ", ".join(one.letter for one in fact.rules.sets)
            check = self.of(words_shoe.CHECKS, fact.rules.check)
            return {"check": check, "two": two, "sets": letters or words.NOBODY[self.at]}
        if isinstance(fact, s.ShoeCheckEnded):
            return {"ended": self.of(words_shoe.ENDED, fact.why)}
        if isinstance(fact, s.ShoeChecked | s.ShoeCheckBegun | s.CheckersReceiptEntered):
            second = {"second": self.who(fact.second)} if fact.second else params
            params = {**second, "shoe": fact.manifest.shoe}
        if isinstance(fact, s.ShoeCheckBegun):
            params["what"] = self.of(words_shoe.WHATS, fact.what)
        if isinstance(fact, s.ShoeChecked):
            params["result"] = words_shoe.RESULTS[fact.why][self.at]
        return params

    def _read(self, moment: Moment) -> Params:
        match moment.fact:
            case f.ReadDoubted(after_ms=after):
                return {"after": f"{after / 1000:.1f} s"}
            case f.ReadFailed(reason=reason, text=text):
                said = f"{reason} ({text})" if text else reason
                return {"reason": said}
            case f.EvidenceRemoved(names=names):
                return {"count": str(len(names))}
        return {}

    def _hold(self, moment: Moment) -> Params:
        fact = moment.fact
        if isinstance(fact, f.TableHeld):
            return {"what": self.held(fact)}
        released = cast(f.HoldReleased, fact)
        held = self.holds.get(released.hold)
        code = held.code if held else ""
        return {"ruling": self.ruling(code, released.ruling)}

    def _dispute(self, moment: Moment) -> Params:
        fact = cast(f.DisputeAnswered, moment.fact)
        return {"answer": self.of(words.DISPUTES, fact.answer)}

    def _lock(self, moment: Moment) -> Params:
        fact = cast(lf.ConditionRaised, moment.fact)
        return {"what": self.refusal(Refusal(fact.code, "", fact.params))}

    def _device(self, moment: Moment) -> Params:
        fact = cast(f.DeviceChanged, moment.fact)
        health = f"{fact.over} over" if fact.over else fact.health
        known = devices.HEALTH.get(fact.health)
        if known is not None and not fact.over:
            health = self.text(say(known[0], {"detail": fact.detail}))
        return {"health": f"{health} ({fact.detail})" if fact.detail else health}

    def _command(self, moment: Moment) -> Params:
        fact = cast(f.CommandAnswered, moment.fact)
        link = "" if fact.link == fact.by else f" [{fact.link}]"
        name = _CAPITAL.sub("_", fact.name).lower()
        params = {"name": self.of(words.COMMANDS, name), "link": link}
        return {**params, "why": self.refusal(fact.refusal)} if fact.refusal else params

    def _called(self, moment: Moment) -> Params:
        fact = cast(f.SupervisorCalled, moment.fact)
        return {"reason": fact.reason}

    def _link(self, moment: Moment) -> Params:
        fact = cast(f.HostLost, moment.fact)
        return {"why": fact.why}


class _Blank(dict[str, str]):
    """A blank that nothing fills is shown as a dash."""

    def __missing__(self, key: str) -> str:
        return "–"


_OWN: tuple[tuple[Any, Callable[[Speech, Moment], Params]], ...] = (
    ((g.CardDealt, g.CardExposed), Speech._card),
    (g.BetPlaced, Speech._bet),
    ((g.DecisionAsked, g.DecisionMade), Speech._decision),
    ((g.WindowOpened, g.WindowAnswered), Speech._window),
    (
        (
            g.RoundOpened,
            g.BettingClosed,
            g.RoundSettled,
            g.RoundVoided,
            g.ShoeOut,
            g.SeatLeft,
            g.RoundsMarked,
        ),
        Speech._round,
    ),
    (g.ShoeReconciled, Speech._counted),
    (g.ShoeLoaded, Speech._put_in),
    (s.ShoeFact, Speech._checked),
    ((f.ReadDoubted, f.ReadFailed, f.EvidenceRemoved), Speech._read),
    ((f.TableHeld, f.HoldReleased), Speech._hold),
    (f.DisputeAnswered, Speech._dispute),
    (lf.ConditionRaised, Speech._lock),
    (f.DeviceChanged, Speech._device),
    (f.CommandAnswered, Speech._command),
    (f.SupervisorCalled, Speech._called),
    (f.HostLost, Speech._link),
)


def plain(moment: Moment) -> str:
    """A fact by its fields, for one that has no words of its own."""
    body = cast(dict[str, Any], msgspec.to_builtins(moment.fact))
    body.pop("fact", None)
    fields = " ".join(
        f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in body.items()
    )
    return f"{moment.kind} {fields}"
