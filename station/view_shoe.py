"""The shoe as one role may see it, and its check: how many, and only at the end which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from station import snapshot as v
from station.game.check import place
from station.shoe_check import Counted
from station.table.shoe_facts import ShoeChecked
from station.table.shoe_state import Check
from station.table.state import Table, waiting_shoes
from station.wording import shoes as words
from station.wording import table as table_words
from station.wording.say import face_sign, say


def shoe_view(table: Table, counted: Counted) -> v.ShoeView:
    """The shoe that is in, and what is to go in next."""
    shoe, shoes = table.game.shoe, table.shoes
    rules = shoes.rules
    state = "last_round" if shoe.state == "in_play" and shoe.cut else shoe.state
    back = rules.set_of(shoe.set)
    due = rules.due(shoes.last_set)
    named = ", ".join(f"{one.letter} ({one.back})" if one.back else one.letter for one in due)
    return v.ShoeView(
        id=shoe.id,
        state=state,
        text=say(table_words.SHOES[state]),
        set=shoe.set,
        back=back.back if back is not None else "",
        due=[one.letter for one in due],
        due_text=say(words.SETS_DUE, {"set": named}) if due else None,
        check=_check(table, counted),
        checked=[one.manifest.shoe for one in shoes.good if one.shuffled],
        two_people=rules.two_people,
        check_required=rules.check == "required",
    )


def check_text(table: Table, counted: Counted) -> v.Text:
    """How far the running check is: how many of how many, and nothing else."""
    running = table.shoes.running
    total = _total(table, running) if running is not None else 0
    if running is not None and running.what == "count":
        return say(words.COUNTING, {"read": counted.read, "total": total})
    said = words.OVER_FULL if counted.read >= total else words.RUNNING
    return say(said, {"read": counted.read, "total": total})


def _total(table: Table, check: Check) -> int:
    """All cards of a shoe; of one that is counted those that have not left it."""
    whole = check.manifest.decks * 52
    if check.what == "check":
        return whole
    shoe = next((one for one in waiting_shoes(table) if one.id == check.manifest.shoe), None)
    return whole - shoe.cards if shoe is not None else whole


State = Literal["running", "whole", "ready", "failed", "ended"]


def _state(check: Check) -> State:
    if check.state != "done":
        return check.state
    if check.why:
        return "failed"
    return "ready" if check.shuffled else "whole"


def _check(table: Table, counted: Counted) -> v.CheckView | None:
    check, found = table.shoes.last, table.shoes.found
    if check is None:
        return None
    params: dict[str, str | int] = {"shoe": check.manifest.shoe, "total": _total(table, check)}
    told, state = None, _state(check)
    read = found.read if found is not None else 0
    match state:
        case "running":
            text, read = check_text(table, counted), counted.read
        case "ended":
            off = check.ended == "counted" and check.manifest.shoe in table.game.barred
            ended = words.NOT_COUNTED if off else words.ENDED[check.ended or "cancelled"]
            text = say(ended, params)
        case _:
            text = say(
                {"failed": words.FAILED, "ready": words.READY}.get(state, words.WHOLE), params
            )
    if counted.told:
        told = say(words.TOLD[counted.told])
    return v.CheckView(
        check=check.check,
        state=state,
        how=check.how,
        shoe=check.manifest.shoe,
        set=check.manifest.set,
        back=check.manifest.back,
        device=check.device,
        read=read,
        total=_total(table, check),
        text=text,
        told=told,
        found=found_texts(found) if found is not None else [],
        what=check.what,
    )


def found_texts(found: ShoeChecked) -> list[v.Text]:
    """What a check found, one line a kind; nothing for a whole shoe."""
    lines = [
        say(words.FOUND[name], {"cards": cards_text(cards, foreign=name == "foreign")})
        for name, cards in (
            ("missing", found.missing),
            ("surplus", found.surplus),
            ("foreign", found.foreign),
            ("doubtful", found.doubtful),
        )
        if cards
    ]
    if found.absent and lines:
        named = ", ".join(map(card_text, found.absent))
        lines.insert(1, say(words.FOUND["absent"], {"cards": named}))
    for name, count in (("unread", found.unread), ("close", found.close)):
        if count:
            lines.append(say(words.FOUND[name], {"count": count}))
    return lines


def cards_text(cards: Mapping[str, int], *, foreign: bool = False) -> str:
    """Cards and how many, in the order of a new deck: `5♠ ×2, K♥ ×1`. `foreign`: a set's letter
    stands before each name.
    """
    ordered = sorted(cards.items(), key=lambda pair: place(pair[0][foreign:]))
    return ", ".join(
        f"{pair[0][:foreign]}{' ' if foreign else ''}{card_text(pair[0][foreign:])} ×{pair[1]}"
        for pair in ordered
    )


def card_text(name: str) -> str:
    """`KH3` as `K♥/3`, the cut card as `CUT`."""
    if name == "CUT":
        return name
    return f"{face_sign(name[:2])}{f'/{name[2:]}' if name[2:] else ''}"
