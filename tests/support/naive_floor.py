"""The floor on paper: readings, holds, rulings and shoes, around the table of `naive_table`."""

from __future__ import annotations

from typing import Any

from tests.support.naive import BURN
from tests.support.naive_table import ONE_OF_A_KIND, OPEN_HOLDS, PaperTable

# So many shoes that are out may wait for their count; the oldest is barred then.
WAITING = 32
RULINGS = ("release", "aligned", "burn", "use", "void")


class PaperFloor(PaperTable):
    """What readers and supervisors bring (A20)."""

    # --- readings ---------------------------------------------------------------------------

    def reads(self, face: str, deck: int, letter: str) -> None:
        if self.shoe_state != "in_play":
            return
        code = f"{letter}{face}{deck}"
        known = [(drawn[0], drawn[1]) for drawn in self.drawn]
        if letter == "A" and (face, deck) in known:
            self.reread = self.reread or known[-1] == (face, deck)
            if known[-1] != (face, deck):
                self._hold("duplicate_card", code)
            return
        if letter != "A":
            self.aside.add(code)
            self._hold("foreign_card", code)
        elif any(hold not in OPEN_HOLDS for hold, _ in self.holds.values()):
            self.aside.add(code)
        else:
            self._drawn(face, deck)

    def _drawn(self, face: str, deck: int) -> None:
        place = self.next()
        number = self.round.number if self.round else 0
        self.drawn.append((face, deck, 0 if place == BURN else number))
        if place is None:
            self.exposed.append(face)
            self._hold("exposed_card", "")
        elif place == BURN:
            self.burned += 1
        else:
            assert self.round is not None
            self.round.card(place, face)
            self.go_on()

    def cut_card(self) -> None:
        if self.shoe_state == "in_play":
            self.cut = True

    def _hold(self, code: str, of: str) -> None:
        once = code != "dealer_report"
        if once and (code, of) in self.holds.values():
            return
        self.hold_count += 1
        self.holds[self.hold_count] = (code, of)

    # --- holds ------------------------------------------------------------------------------

    def hear_wait(self, command: Any) -> bool:
        return self._stop("wait")

    def hear_emergency_stop(self, command: Any) -> bool:
        return self._stop("emergency")

    def hear_report_error(self, command: Any) -> bool:
        return self._stop("dealer_report")

    def _stop(self, code: str) -> bool:
        if code in ONE_OF_A_KIND and (code, "") in self.holds.values():
            return False
        self._hold(code, "")
        return True

    def hear_resume(self, command: Any) -> bool:
        """The dealer ends his own wait, unless a card was drawn that only a supervisor rules on."""
        if self.holds.get(command.hold) != ("wait", "") or self.aside:
            return False
        if self.cards_out and self.exposed:
            return False
        self._ended(command.hold)
        return True

    def may_rule(self, hold: int, ruling: str) -> bool:
        """A20: strict, and what the house policy adds."""
        code, _ = self.holds.get(hold, ("", ""))
        house = self.rules.incident_policy == "house"
        drawn = bool(self.aside) and self.cards_out
        if code == "exposed_card":
            if ruling == "burn":
                # With cards out a round whose dealer's hand is complete is settled already.
                return (house or not self.cards_out) and not drawn
            if ruling == "use":
                return house and self.open is not None and not drawn
            return ruling == "void"
        if code in ("duplicate_card", "foreign_card"):
            return ruling == "void"
        if code == "restart":
            if ruling in ("release", "aligned"):
                due = "aligned" if self.cards_out else "release"
                clean = not drawn and not (self.exposed and self.cards_out)
                return ruling == due and clean and (self.reread or not self.cards_out)
            return ruling == "void" and self.open is not None
        if code in ("wait", "emergency", "dealer_report"):
            if ruling == "release":
                return not drawn and not (self.exposed and self.cards_out)
            return ruling == "void" and self.open is not None
        return False

    def hear_rule(self, command: Any) -> bool:
        if not self.may_rule(command.hold, command.ruling):
            return False
        self._ended(command.hold)
        if command.ruling == "void":
            self.void()
            self.exposed.clear()
        elif command.ruling == "burn":
            self.exposed.clear()
        elif command.ruling == "use":
            self.kept += self.exposed
            self.exposed.clear()
        return True

    def _ended(self, hold: int) -> None:
        del self.holds[hold]
        if not self.holds:
            self.aside.clear()

    def void(self) -> None:
        """A person's void answers every hold, and the shoe goes (R60)."""
        if self.open:
            self.break_off(shoe_out=True)
            self.exposed.clear()
            self.holds.clear()
        self.shoe_state = "out"

    def hear_void_round(self, command: Any) -> bool:
        if self.open is None or self.open.number != command.round or command.expected_version == 0:
            return False
        self.void()
        return True

    # --- the host and the station ------------------------------------------------------------

    def host_lost(self) -> None:
        """R58, A19."""
        if self.host and self.cards_out and not self.rules.grace_seconds:
            self.break_off(shoe_out=True)
        self.host = False

    def restart(self) -> None:
        """R60: with cards out nothing is inferred; a house looks first (R59)."""
        self.reread = False
        if self.cards_out and self.rules.incident_policy == "house":
            self._hold("restart", "")
        elif self.cards_out:
            self.break_off(shoe_out=True)

    # --- shoes ------------------------------------------------------------------------------

    def hear_load_shoe(self, command: Any) -> bool:
        """Between rounds; not one that was dealt from and not counted, or did not count out."""
        name = command.shoe
        if not self.between or self.holds or (name == self.shoe and self.drawn):
            return False
        if name in self.waiting or name in self.barred:
            return False
        if self.drawn:
            self.waiting[self.shoe] = list(self.drawn)
            for old in list(self.waiting)[:-WAITING]:
                del self.waiting[old]
                self.barred.add(old)
        self.shoe, self.shoe_state, self.cut, self.burned = command.shoe, "loaded", False, 0
        self.drawn.clear()
        return True

    def hear_release_shoe(self, command: Any) -> bool:
        if self.shoe_state != "loaded" or command.shoe != self.shoe:
            return False
        self.shoe_state = "in_play"
        return True

    def hear_reconcile_shoe(self, command: Any) -> bool:
        """R2: what left it and what remained are eight of each face, or its rounds are marked."""
        name = command.shoe
        if name in self.waiting:
            gone = self.waiting[name]
        elif name == self.shoe and self.shoe_state == "out" and self.drawn:
            gone = self.drawn
        else:
            return False
        counts = dict(command.remaining)
        for face, _, _ in gone:
            counts[face] = counts.get(face, 0) + 1
        faces = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
        self.wrong = {f: counts.get(f, 0) - 8 for f in faces if counts.get(f, 0) != 8}
        self.marked = sorted({number for _, _, number in gone if number}) if self.wrong else []
        if self.wrong:
            self.barred.add(name)
            return True
        self.barred.discard(name)
        if self.waiting.pop(name, None) is None:
            self.drawn = []
        return True

    # --- the table's day --------------------------------------------------------------------

    def hear_pause_table(self, command: Any) -> bool:
        return self._life("paused", self.life == "open")

    def hear_close_table(self, command: Any) -> bool:
        return self._life("closed", self.life != "closed")

    def hear_open_table(self, command: Any) -> bool:
        return self._life("open", self.life != "open")

    def _life(self, life: str, may: bool) -> bool:
        if may and self.between:
            self.life = life
            return True
        return False
