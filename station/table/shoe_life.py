"""What becomes of a shoe by a person's order: checked, put in, released, taken out, counted."""

from __future__ import annotations

from station.game import facts as g
from station.game.check import Manifest, Tally, place, verdict
from station.game.facts import STATION
from station.game.shoe import Count, reconcile
from station.table import facts as f
from station.table import inputs as i
from station.table import shoe_facts as s
from station.table import shoe_inputs as si
from station.table.shoe_state import Check
from station.table.state import waiting_shoes
from station.table.why_not_shoe import AnyShoeCommand, whole_again
from station.table.working import Working


def decide_shoe(work: Working, command: AnyShoeCommand, by: str) -> None:
    """Nothing is against it."""
    shoes = work.table.shoes
    match command:
        case i.LoadShoe():
            _load(work, command, by)
        case i.ReleaseShoe():
            work.add(g.ShoeReleased(command.shoe, by))
        case i.ReconcileShoe():
            _put_together(work, command.shoe, command.remaining, {}, by)
        case si.TakeOutShoe():
            work.add(g.ShoeOut(command.shoe, command.reason))
        case si.BeginShoeCheck():
            _proved(work, command.second)
            manifest = Manifest(command.shoe, command.set, _back(work, command.set, command.back))
            work.add(
                s.ShoeCheckBegun(
                    shoes.checks + 1,
                    manifest,
                    command.device,
                    by,
                    command.second,
                    command.reason,
                    command.what,
                )
            )
        case si.FinishShoeCheck():
            _finish(work, command, by)
        case si.CancelShoeCheck():
            end_check(work, "cancelled", by)
        case si.EnterCheckersReceipt():
            _receipt(work, command, by)
        case si.ShoeShuffled():
            check = shoes.check_of(command.shoe)
            number = check.check if check is not None else 0
            work.add(s.ShuffledAfterCheck(number, command.shoe, command.seal, by))
        case si.LiftShoeBar():
            check = whole_again(work.table, command.shoe)
            number = check.check if check is not None else 0
            work.add(s.ShoeBarLifted(command.shoe, number, command.reason, by))


def _proved(work: Working, second: str) -> None:
    """His PIN was right: what he had wrong before counts no more."""
    if second in work.table.attempts.people:
        work.add(f.TriesForgotten(second, second, "proved"))


def _back(work: Working, letter: str, said: str) -> str:
    """The colour of the backs: that of the set in rotation, else as was said."""
    known = work.table.shoes.rules.set_of(letter)
    return known.back if known is not None and known.back else said


def _load(work: Working, command: i.LoadShoe, by: str) -> None:
    shoe, check = work.table.game.shoe, work.table.shoes.check_of(command.shoe)
    _proved(work, command.second)
    if shoe.state == "in_play":
        work.add(g.ShoeOut(shoe.id, "changed"))
    work.add(
        g.ShoeLoaded(
            command.shoe,
            command.set,
            by,
            command.second,
            check.check if check is not None else 0,
            command.cut_card,
            command.reason,
        )
    )


# --- checks ---------------------------------------------------------------------------------


def end_check(work: Working, why: s.EndedWhy, by: str = STATION) -> None:
    """A running check comes to nothing: never half a check."""
    running = work.table.shoes.running
    if running is not None:
        work.add(s.ShoeCheckEnded(running.check, running.manifest.shoe, why, by))


def _finish(work: Working, command: si.FinishShoeCheck, by: str) -> None:
    check, tally = work.table.shoes.running, command.tally
    if check is None:
        raise AssertionError("no check is running: it is refused before")
    if check.what == "count":
        _counted(work, check, tally, by)
        return
    found = verdict(tally, check.manifest.decks)
    work.add(
        s.ShoeChecked(
            check.check,
            check.manifest,
            check.device,
            command.identity,
            tally.total,
            found.counts,
            found.missing,
            found.surplus,
            found.absent,
            _in_order(tally.foreign),
            found.doubtful,
            tally.repeats,
            tally.close,
            tally.cut,
            tally.unread,
            found.why,
            by,
            check.by,
            check.second,
        )
    )


def _in_order(names: dict[str, int]) -> dict[str, int]:
    """As in a new deck, whatever order they were read in."""
    return dict(sorted(names.items(), key=lambda pair: (place(pair[0][1:]), pair[0])))


def _receipt(work: Working, command: si.EnterCheckersReceipt, by: str) -> None:
    _proved(work, command.second)
    back = _back(work, command.set, command.back)
    work.add(
        s.CheckersReceiptEntered(
            work.table.shoes.checks + 1,
            Manifest(command.shoe, command.set, back),
            command.machine,
            command.number,
            command.checked_at,
            command.checker,
            command.note,
            by,
            command.second,
        )
    )


def check_reader(work: Working, device: str, *, fault: bool) -> None:
    """The reader of a running check went away or reports a fault: a card may have passed it."""
    running = work.table.shoes.running
    if running is None or running.device != device:
        return
    there = work.table.device(device)
    if fault:
        end_check(work, "fault")
    elif there is None or not there.reads:
        end_check(work, "reader")


# --- the count at the end -------------------------------------------------------------------


def _counted(work: Working, check: Check, tally: Tally, by: str) -> None:
    """What remained was read: what is of another set, or came twice, is too many, and a person
    looks.
    """
    remaining: dict[str, int] = {}
    for name, count in tally.cards.items():
        remaining[name[:2]] = remaining.get(name[:2], 0) + count
    strange = {**tally.foreign, **tally.again}
    _put_together(work, check.manifest.shoe, remaining, _in_order(strange), by)
    end_check(work, "counted", by)


def _put_together(
    work: Working, name: str, remaining: dict[str, int], strange: dict[str, int], by: str
) -> None:
    """What left the shoe and what remained; an incomplete one marks its rounds."""
    shoe = next(old for old in waiting_shoes(work.table) if old.id == name)
    count = reconcile(shoe, remaining)
    count = Count(count.missing, {**count.surplus, **strange})
    was_wrong = shoe.id in work.table.game.barred
    work.add(
        g.ShoeReconciled(
            shoe.id,
            shoe.cards,
            sum(remaining.values()) + sum(strange.values()),
            count.missing,
            count.surplus,
            by,
        )
    )
    if count.why and shoe.rounds:
        work.add(g.RoundsMarked(shoe.rounds, shoe.id, count.why))
    elif was_wrong and shoe.rounds:
        work.add(g.RoundsMarked(shoe.rounds, shoe.id, "counted_whole"))
