"""Every command of shoes that are checked and put in, in sound and unsound forms."""

from __future__ import annotations

from station.game.check import FACES, Tally
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.state import Table
from tests.support.play import DEALER, SUPERVISOR

WHOLE = Tally({f"{face}{deck}": 1 for face in FACES for deck in range(1, 9)})


def shoes(table: Table) -> list[i.AnyCommand]:
    number = table.shoes.checks or 1
    shoe = table.game.shoe.id or "S1"
    return [
        *(i.LoadShoe(name, letter) for name in ("C1", "S1") for letter in ("A", "B", "X")),
        i.LoadShoe("C1", "A", seal="7"),
        i.LoadShoe("C1", "B", reason="the other one is worn", second="1001", person=DEALER),
        i.LoadShoe("C1", "A", second="1001", person=DEALER),
        i.LoadShoe("C1", "A", second="1001"),
        i.LoadShoe("C1", "A", second="2001", person=SUPERVISOR),
        i.LoadShoe("C1", "B", seal="7", second="1001", person=DEALER),
        *(
            si.BeginShoeCheck(name, letter, device, second="1001", person=DEALER)
            for name, letter, device in (
                ("C1", "A", "shoe"),
                ("C2", "B", "shoe"),
                ("C1", "X", "shoe"),
                ("C1", "A", "nothing"),
                ("S1", "A", "shoe"),
            )
        ),
        si.BeginShoeCheck("S1", "A", "shoe", reason="laid out by hand"),
        si.BeginShoeCheck("C1", "A", "shoe"),
        *(si.BeginShoeCheck(name, "A", "shoe", what="count") for name in (shoe, "S9")),
        si.FinishShoeCheck(number, WHOLE),
        si.FinishShoeCheck(number, Tally({"KH3": 1}, unread=2)),
        si.FinishShoeCheck(number + 1, WHOLE),
        si.CancelShoeCheck(number),
        *(
            si.EnterCheckersReceipt(
                name, letter, "M1", receipt, "09:00", "kim", second="1001", person=DEALER
            )
            for name, letter, receipt in (("C1", "A", "7"), ("C3", "B", "8"), (shoe, "A", "9"))
        ),
        si.EnterCheckersReceipt("C1", "A", "M1", "9", "09:00", "kim"),
        si.ShoeShuffled("C1", "7"),
        si.ShoeShuffled("S9"),
        si.TakeOutShoe(shoe, "changed"),
        si.TakeOutShoe("S9", "time_limit"),
        si.LiftShoeBar("S1", "counted by two"),
    ]
