"""Whether a read may be of a card that was read before: for certain, or a person has to say.

Never dealt in doubt: what cannot be told apart is asked.
"""

from __future__ import annotations

from station.game.dealing import Owed
from station.game.shoe import earlier, one_card
from station.table import inputs as i
from station.table.state import Table, expected

# A face is a repeat for so long after it was last read, and then a doubt for so long, where nothing
# but time tells two cards of one face apart.
REPEAT_MS = 400
DOUBT_MS = 2000


def repeats(table: Table, given: i.CardSeen) -> bool:
    """Whether it is the last accepted card once more, for certain."""
    shoe, card = table.game.shoe, given.card
    last = shoe.last
    if last is None:
        return False
    if card.unique:
        return one_card(last.card, card)
    if given.resent:
        return last.card.face == card.face and not given.numbered
    after_ms = since_face(table, given)
    if after_ms is None or table.faces[-1].face != card.face:
        # With another card in between it is hardly the same one: that is doubted.
        return False
    return 0 <= after_ms <= REPEAT_MS


def doubt_of(table: Table, given: i.CardSeen, after_ms: int | None) -> str:
    """Why a person has to say whether it is a card that was drawn now; "" if it is."""
    if after_ms is not None and after_ms <= REPEAT_MS + DOUBT_MS:
        return "soon"
    if _told_otherwise(table, given):
        return "otherwise"
    return "shown" if _held_in(table, given) else ""


def since_face(table: Table, given: i.CardSeen) -> int | None:
    """How long ago that face was last read, where only time tells two such cards apart; else None.

    A number tells apart what one reader reads, not what another told of. A time before the last
    read proves nothing: below 0, it is neither a repeat nor a card, and is doubted. Only where the
    station has started since, it is the machine's new clock, and the read was long ago.
    """
    if given.card.unique or given.resent:
        return None
    read = next((read for read in table.faces if read.face == given.card.face), None)
    if read is None or (given.numbered and read.device == given.device):
        return None
    after_ms = given.at_ms - read.at_ms
    if not (given.numbered or read.earlier_start):
        return after_ms
    if after_ms < 0 and read.earlier_start:
        return None
    # In doubt, for certain: never a repeat.
    return max(after_ms, REPEAT_MS + 1)


def _told_otherwise(table: Table, given: i.CardSeen) -> bool:
    """Whether it may be the last card, told in another way: with or without the deck's number; by
    another reader, after whose reads only time tells cards apart, and time proves nothing there;
    or not numbered by a reader that numbers what it sees drawn (it was shown to it).
    """
    last, card = table.game.shoe.last, given.card
    if last is None or last.card.face != card.face:
        return False
    if card.unique or last.card.unique:
        known = earlier(table.game.shoe, card) is not None
        return card.unique != last.card.unique and not known
    device = table.device(given.device)
    if device is not None and device.numbers and not given.numbered:
        return True
    return any(r.face == card.face and r.device != given.device for r in table.faces)


def _held_in(table: Table, given: i.CardSeen) -> bool:
    """Whether a reader that numbers what it sees drawn was shown a card that nobody had missed: one
    waved into its window from the table's side may lie on the felt already, or in the discards.
    """
    device = table.device(given.device)
    shown = device is not None and device.numbers and not given.numbered and not given.resent
    # A code that is known of this shoe is a duplicate, by name.
    known = earlier(table.game.shoe, given.card) is not None
    return shown and not known and not table.unread.cards and not table.holds


def drawn_after_unread(table: Table, given: i.CardSeen) -> bool:
    """Whether a reader that tells what is drawn from what is shown to it saw a card drawn, while
    the one before it has not been read: it may be that one, or the next, which is another hand's.
    """
    owed = isinstance(expected(table), Owed)
    known = earlier(table.game.shoe, given.card) is not None
    return given.numbered and owed and table.unread.cards > 0 and not known and not table.holds
