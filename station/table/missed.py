"""What was not read: which no-read asks for another scan, and which holds the table.

A no-read of a reader whose card passed leaves the slot open: the dealer gives the card again. Where
that cannot mend it, or nobody was owed a card, a person looks (incidents P2, P3, P6).
"""

from __future__ import annotations

from station.game.dealing import Nobody, Owed
from station.table import facts as f
from station.table import inputs as i
from station.table.state import Table, expected
from station.table.working import Working

UNREADABLE_LIMIT = 3
# Why the sensor's card is a no-read: no reader told of it.
UNREAD = "passed_unread"
# A camera's no-reads whose text is what its witnesses said.
WITNESSED = (
    "witnesses_disagree",
    "contradiction",
    "one_look",
    "one_witness",
    "two_cards",
    "disputed",
)
# Those for which reading again is no remedy: they hold at once.
GRAVE = ("witnesses_disagree", "two_cards", "joker", "card_back", "pushed_back", "disputed")


def missed(work: Working, given: i.ReadMissed) -> None:
    """No read: the slot stays and a re-scan is asked for; three in a row, a grave one, or a card
    that passed while nobody was owed one, holds.
    """
    owed = isinstance(expected(work.table), Owed) and given.passed
    work.add(f.ReadFailed(given.device, given.reason, given.text, owed))
    if given.reason in GRAVE:
        _grave(work, given)
    elif owed:
        if work.table.misses >= UNREADABLE_LIMIT:
            # A camera may have none of the last try, of which it could not tell.
            work.show(work.table.unread.evidence)
            work.hold("unreadable_card", given.device, **_params(given))
    elif isinstance(expected(work.table), Nobody) and _looked_at(work.table, given):
        work.hold("unknown_card", given.device, **_params(given))


def _grave(work: Working, given: i.ReadMissed) -> None:
    """What a second reading cannot mend, of a shoe in play; one hold while it goes on."""
    device, params = given.device, _params(given)
    if work.table.game.shoe.state != "in_play" or _held(work.table, given):
        return
    match given.reason:
        case "witnesses_disagree":
            # One of them is wrong, and so may be the card: before it counts somebody looks (N7).
            work.hold("witnesses_disagree", device, **params)
        case "two_cards":
            # Which of them came first cannot be proven by reading them now (P3).
            work.hold("two_cards", device, **params)
        case "pushed_back":
            # The table has it dealt, and it may be drawn a second time.
            work.hold("pushed_back", device, **params)
        case "disputed":
            # Seen again, a card the table has dealt is another one.
            work.hold("disputed_card", device, **params)
        case _:
            work.hold("strange_card", device, **params)


def _held(table: Table, given: i.ReadMissed) -> bool:
    """Whether the table holds for just that. If a re-read had aligned it, it has to be read again
    (`evolve`): one hold, however often it happens to that card.
    """
    return any(
        (hold.device, hold.params.get("reason")) == (given.device, given.reason)
        for hold in table.holds
    )


def _params(given: i.ReadMissed) -> dict[str, str | int]:
    """For the hold: why, and what a camera's witnesses said."""
    said: dict[str, str | int] = {}
    if given.text and given.reason in WITNESSED:
        said = {"said": given.text}
    return {"reason": given.reason, **said}


def _looked_at(table: Table, given: i.ReadMissed) -> bool:
    """Whether a person has to look at what was not read while nobody was owed a card."""
    if given.reason == UNREAD:
        return news_of_a_card(table)
    # Noise or a card that cannot be read: with cards out nobody can tell, so a person looks.
    # A wait alone is the dealer's to end: what passed during it is not.
    return table.cards_out and all(hold.code == "wait" for hold in table.holds)


def news_of_a_card(table: Table) -> bool:
    """Whether the sensor's word is new: a card for certain, whatever else the table holds for."""
    known = any(hold.code == "unknown_card" for hold in table.holds)
    return table.game.shoe.state == "in_play" and not known
