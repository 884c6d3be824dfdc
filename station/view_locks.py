"""Locks as people are told of them: what it is, what to do next, who ends it."""

from __future__ import annotations

from collections.abc import Mapping

from station import snapshot as v
from station.table.locks import Lock, locks
from station.table.state import Table
from station.wording import locks as words
from station.wording.refusals import REFUSALS
from station.wording.say import refusal_view, say

# What the console says elsewhere: the prompt, the holds, the devices and the host.
_ELSEWHERE = frozenset(
    {
        "shoe_not_in_play",
        "shoe_change_due",
        "burn_due",
        "table_holds",
        "table_paused",
        "table_closed",
        "no_dealer",
        "round_disputed",
        "reader_not_up",
        "host_is_lost",
    }
)


def lock_views(
    table: Table, held: Mapping[int, str], locked: Mapping[int, str]
) -> list[v.LockView]:
    """All that keep the next round from starting. `held`, `locked`: since when holds and conditions
    are there, by number.
    """
    views = []
    for lock in locks(table):
        since = held if lock.code == "table_holds" else locked
        views.append(_view(lock, since.get(lock.lock, "")))
    return views


def notice(views: list[v.LockView]) -> tuple[str, v.Text, v.Text] | None:
    """For the dealer's console: the first lock that stands nowhere else on it, its code, what it is
    and how many more there are, and what is to be done by whom. None where there is none.
    """
    shown = [one for one in views if one.code not in _ELSEWHERE]
    if not shown:
        return None
    first, more = shown[0], len(shown) - 1
    rest = say(words.MORE, {"count": more}) if more else v.Text("", "")
    what = v.Text(first.what.ko + rest.ko, first.what.en + rest.en)
    return first.code, what, v.Text(*(" ".join(part) for part in _do_who(first)))


def _do_who(view: v.LockView) -> tuple[tuple[str, str], tuple[str, str]]:
    return (view.do.ko, view.who.ko), (view.do.en, view.who.en)


def _view(lock: Lock, since: str) -> v.LockView:
    refusal, kind = lock.refusal, lock.kind
    known = lock.code in REFUSALS
    text = refusal_view(refusal).text if known else say(words.UNKNOWN, {"code": lock.code})
    return v.LockView(
        code=lock.code,
        lock=lock.lock,
        rule=refusal.rule,
        params=refusal.params,
        what=text,
        do=say(words.DO.get(lock.code, words.CALL)),
        who=_who(lock),
        by=list(kind.by),
        since=since,
        stands=lock.stands,
        latches=kind.latches,
        times=lock.times,
    )


def _who(lock: Lock) -> v.Text:
    kind = lock.kind
    if not kind.by:
        return say(words.BY_ITSELF)
    ko, en = words.roles(kind.by)
    text = words.BY_PERSON
    if kind.latches:
        text = words.LATCHED if lock.stands else words.ACKNOWLEDGED
    return v.Text(text[0].format(roles=ko), text[1].format(roles=en))
