"""Holds as one role may see them: what happened, which rulings are open, and what there is to look
at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from station import snapshot as v
from station.game.incidents import incident_of, ways
from station.game.state import is_open
from station.journal import Left
from station.table.facts import Picture
from station.table.state import Hold, Table
from station.table.why_not import why_not_ruling
from station.wording import causes, devices
from station.wording import table as words
from station.wording.say import refusal_view, say, witnesses


def params_of(hold: Hold) -> dict[str, str | int]:
    """The parameters of its words."""
    return {"device": hold.device, **hold.params}


class Pictures:
    """Where the pictures of a snapshot are: in that folder; with "" none are shown."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def views(self, evidence: Iterable[Picture]) -> list[v.PictureView]:
        """Each with its whole path. Whether it is still there, who shows it sees."""
        if not self._folder:
            return []
        return [
            v.PictureView(one.name, one.sha256, f"{self._folder}/{one.name}") for one in evidence
        ]


def hold_view(table: Table, hold: Hold, since: str, first: Left, pictures: Pictures) -> v.HoldView:
    what, hands, who = words.HOLDS[hold.code]
    incident = incident_of(hold.code, hold.params)
    rulings = []
    open_ = is_open(table.game.round)
    for way in ways(incident, table.rules.incident_policy):
        refusal = why_not_ruling(table, hold, way.ruling)
        if refusal is not None and refusal.code == "no_open_round":
            continue
        name = way.ruling
        shown = name if open_ else {"void": "shoe_out", "burn": "burn_only"}.get(name, name)
        text = words.RULINGS_OF.get((hold.code, name), words.RULINGS[shown])
        text = causes.DOUBT_RULINGS.get((_doubt(hold), name), text)
        rulings.append(v.RulingView(name, say(text), refusal_view(refusal) if refusal else None))
    params = params_of(hold)
    return v.HoldView(
        hold=hold.hold,
        code=hold.code,
        since=since,
        device=hold.device,
        what=what_happened(hold, what, params),
        hands=say(hands, params),
        who=_who(hold, who, params),
        rule=str(hold.params.get("rule") or incident.rule),
        params=params,
        faces=[card.face for card in hold.cards],
        rulings=rulings,
        suspects=_suspects(table, hold, since, first, pictures),
        evidence=pictures.views(hold.evidence),
        detail=_detail(hold),
    )


def _doubt(hold: Hold) -> str:
    """Why a read is in doubt; "" of other holds."""
    return str(hold.params.get("why", "")) if hold.code == "same_or_second" else ""


def _away(hold: Hold) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """What is said of a reader that is away, by what that comes from."""
    if hold.code != "reader_lost":
        return None
    health = causes.AWAY.get(str(hold.params.get("health", "")))
    return causes.AWAY.get(str(hold.params.get("cause", "")), health)


def _who(hold: Hold, who: tuple[str, str], params: Mapping[str, str | int]) -> v.Text:
    """Who decides; before that what mends a reader that is away."""
    text, away = say(who, params), _away(hold)
    if away is None:
        return text
    first = say(away[1], params)
    return v.Text(f"{first.ko} {text.ko}", f"{first.en} {text.en}")


def _detail(hold: Hold) -> v.Text | None:
    """Of a reader that is away: for the technician, as the device itself is told of."""
    health = str(hold.params.get("health", ""))
    if hold.code != "reader_lost" or health not in devices.HEALTH:
        return None
    cause = str(hold.params.get("cause", ""))
    _, technician = devices.CAUSES.get(cause, devices.HEALTH[health])
    return say(technician, {"detail": hold.params.get("detail", "")})


def what_happened(hold: Hold, what: tuple[str, str], params: Mapping[str, str | int]) -> v.Text:
    """What happened: what the dealer or a device reported, why a card is foreign and where else it
    was read.
    """
    if hold.code == "dealer_report":
        kind = words.REPORTS.get(str(params.get("what")), words.REPORTS["other"])
        ko, en = (say(what, {**params, "what": word}) for word in kind)
        return v.Text(ko.ko, en.en)
    if hold.code == "device_fault":
        fault = devices.fault(str(params.get("code")))
        ko, en = (say(what, {**params, "code": word}) for word in fault)
        return v.Text(ko.ko, en.en)
    away, doubt = _away(hold), causes.DOUBTS.get(_doubt(hold))
    if away is not None:
        return say(away[0], params)
    if doubt is not None:
        card = say(words.OF_DECK, params) if params.get("deck") else say(("{face}",) * 2, params)
        ko, en = (say(doubt, {**params, "card": text}) for text in (card.ko, card.en))
        return v.Text(ko.ko, en.en)
    if hold.code != "foreign_card":
        text = say(words.STRANGE.get(str(params.get("reason")), what), params)
        return _with_said(text, str(params.get("said", "")))
    why = "cut_card" if params.get("face") == "CUT" else str(params.get("why"))
    text = say(words.FOREIGN[why], params)
    if not params.get("first_order"):
        return text
    before = say(words.READ_BEFORE, params)
    return v.Text(f"{text.ko}. {before.ko}", f"{text.en}. {before.en}")


def _with_said(what: v.Text, said: str) -> v.Text:
    """What happened, and behind it what the reader made out."""
    if not said:
        return what
    ko, en = (say(words.SAID, {"said": told}) for told in witnesses(said))
    return v.Text(f"{what.ko} {ko.ko}", f"{what.en} {en.en}")


def _suspects(
    table: Table, hold: Hold, since: str, first: Left, pictures: Pictures
) -> list[v.SuspectView]:
    """Both reads of a card there cannot be twice, the earlier one first: either may be wrong."""
    order, round_ = hold.params.get("first_order"), hold.params.get("first_round")
    if not isinstance(order, int) or not isinstance(round_, int) or not order:
        return []
    face = str(hold.params.get("face", ""))
    # Of two decks it is said which; where there is but one it stands in what happened.
    decks = ("first_deck", "deck") if "first_deck" in hold.params else ()
    before, last = (int(hold.params.get(name, 0)) for name in decks) if decks else (0, 0)
    now = table.game.round.number if table.game.round else 0
    return [
        v.SuspectView(face, order, round_, first.utc, pictures.views(first.evidence), before),
        v.SuspectView(face, 0, now, since, pictures.views(hold.evidence), last),
    ]
