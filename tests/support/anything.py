"""Any command at all, with fields that fit where the table is, more or less."""

from __future__ import annotations

from station.game import commands as c
from station.table import inputs as i
from tests.support.dice import Dice
from tests.support.naive_floor import RULINGS, PaperFloor
from tests.support.play import CONSOLE, HOST, PIT

SEATED = ("Ann", "Bob", "Cho", "Dan")
BEHIND = ("Eve", "Fay", "Gus", "Hal")
ACTIONS = ("hit", "stand", "double", "split", "surrender")
KINDS = ("main", "pair", "behind", "behind_pair")
LIFE: tuple[i.AnyCommand, ...] = (i.PauseTable(), i.CloseTable(), i.OpenTable())


def any_command(paper: PaperFloor, version: int, dice: Dice) -> tuple[i.AnyCommand, i.Actor]:
    """Some command with fields that fit more or less."""
    names = (*SEATED, *BEHIND, "")
    number = dice.pick((paper.rounds,) * 5 + (paper.rounds + 1, 0))
    seat = dice.pick((1, 2, 3, 4, 5))
    player = dice.pick((paper.seats.get(seat, "Ann"), dice.pick(names)))
    round_ = paper.round
    turn = round_.turn_of if round_ else None
    place = dice.pick((turn or (seat, 1), (seat, 1), (seat, 2)))
    number_of = dice.pick((0, 0, 0, -1, 1))
    hold = dice.pick((*paper.holds, 99))
    what = dice.pick((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 10, 10, 11, 11, 11, 11))
    yes = dice.once_in(2)
    window, decision = paper.window + number_of, paper.decision + number_of
    host: list[i.AnyCommand] = [
        c.OpenRound(dice.pick((paper.rules_name, "f" * 64))),
        c.TakeSeat(seat, player),
        c.LeaveSeat(seat, player),
        c.PlayerLost(seat, player),
        c.PlayerLost(seat, player),
        c.PlayerBack(seat, player),
        c.CloseBetting(number + number_of),
        c.Insure(number, window, player, yes),
        c.Follow(number, window, player, yes),
        c.Decide(number, decision, *place, dice.pick(ACTIONS)),  # type: ignore[arg-type]
        c.PlaceBet(
            number,
            seat,
            player,
            dice.pick((1000, 100, 101, 50, -100, 1050, 10**9)),
            dice.pick(KINDS),  # type: ignore[arg-type]
        ),
    ]
    if what < len(host):
        return host[what], HOST
    life: i.AnyCommand = dice.pick(LIFE)
    floor: list[tuple[i.AnyCommand, i.Actor]] = [
        (c.Cleared(number), CONSOLE),
        (i.Wait(), CONSOLE),
        (i.Resume(hold), CONSOLE),
        (i.ReportError("misdeal"), CONSOLE),
        (i.EmergencyStop(), PIT),
        (i.Rule(hold, dice.pick(RULINGS), "", None), PIT),  # type: ignore[arg-type]
        (i.Rule(hold, dice.pick(RULINGS), "", None), PIT),  # type: ignore[arg-type]
        (i.VoidRound(number, "misdeal", 0 if number_of else version), PIT),
        (i.LoadShoe(dice.pick((paper.shoe, *paper.waiting, *sorted(paper.barred), "X")), "A"), PIT),
        (i.ReconcileShoe(dice.pick((paper.shoe, *paper.waiting, "X")), {}), PIT),
        (life, PIT),
    ]
    return dice.pick(floor)
