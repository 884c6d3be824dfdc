"""The desk for people: PINs and badges are looked at on the worker, never by the controller.

What a PIN or a badge says ends here; the core is told whom it proved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from station.duty import Duty
from station.game.refusal import refuse
from station.inbox import BadgeResult, Item, PinResult, Request
from station.logs import Logger
from station.messages import LogIn
from station.staff import Proof, Staff
from station.table import facts as f
from station.table import inputs as i
from station.table.state import Table
from station.telling import WITNESSED

LOOK_SECONDS = 2.0
_MOVED = (f.DealerTookTable, f.DealerLeft, f.StaffSignedIn, f.StaffSignedOut, f.StationStarted)

_log = Logger("staff")


class Desk:
    """Who comes to the table, and who is at it. `post` puts into the controller's inbox."""

    def __init__(
        self,
        staff: Staff,
        duty: Duty,
        post: Callable[[Item], None],
        submit: Callable[..., Any],
        table: Callable[[], Table],
    ) -> None:
        self.staff = staff
        self._duty = duty
        self._post = post
        self._submit = submit
        self._table = table

    # --- from the controller's and the devices' threads -------------------------------------

    def check_pin(self, request: Request) -> None:
        """Have a PIN looked at. The answer comes through the inbox, whatever happens."""
        self._submit(self._pin, request)

    def badge(self, device: str, text: str) -> None:
        """Have a badge looked at."""
        self._submit(self._badge, device, text)

    def look(self) -> None:
        """Have the file looked at, and who is at the table against it."""
        self._submit(self._look)

    def committed(self, facts: tuple[f.AnyFact, ...]) -> None:
        """After a commit: who has left is free for other tables."""
        if any(isinstance(fact, _MOVED) for fact in facts):
            self._duty.at_table(here(self._table()))

    def began(self) -> None:
        """At start: the dealer who had the table when the station ended has it still."""
        self._duty.at_table(here(self._table()))
        self.look()

    def close(self) -> None:
        """The end of the station."""
        self._duty.close()

    # --- on the worker ----------------------------------------------------------------------

    def _pin(self, request: Request) -> None:
        proof = Proof()
        try:
            self.staff.refresh()
            command = request.command
            if isinstance(command, LogIn):
                proof = self._held_here(self.staff.prove(command.staff, command.pin))
            elif isinstance(command, WITNESSED):
                # Who bears witness does not take the table: he may have another one.
                proof = self.staff.prove(command.second, command.pin)
        except Exception as error:  # noqa: BLE001 - a link would wait for its answer for ever
            # Its name alone: what went wrong may carry what was typed.
            _log.error("pin", error=type(error).__name__)
        self._post(PinResult(request, proof.person, proof.refusal, self._done(proof)))

    def _badge(self, device: str, text: str) -> None:
        proof = Proof()
        try:
            self.staff.refresh()
            proof = self._held_here(self.staff.prove_badge(text))
        except Exception as error:  # noqa: BLE001 - the worker has other things to do
            _log.error("badge", error=type(error).__name__)
        shown = i.BadgeShown(device, proof.person, proof.refusal)
        self._post(BadgeResult(shown, self._done(proof)))

    def _held_here(self, proof: Proof) -> Proof:
        """He is at no other table, and held at this one until the controller has decided."""
        if proof.person is None or proof.refusal is not None:
            return proof
        staff = proof.person.staff
        try:
            elsewhere = self._duty.take(staff)
        except OSError as error:
            _log.error("duty", folder=str(self._duty.folder), error=error.strerror or str(error))
            return Proof(proof.person, refuse("duty_unknown", "", staff=staff))
        if elsewhere:
            refusal = refuse("at_another_table", "", staff=staff, table=elsewhere)
            return Proof(proof.person, refusal)
        return proof

    def _done(self, proof: Proof) -> Callable[[], None]:
        if proof.person is None or proof.refusal is not None:
            return _nothing
        staff = proof.person.staff
        return lambda: self._duty.decided(staff)

    def _look(self) -> None:
        try:
            self.staff.refresh()
            self._compare(self._table())
        except Exception as error:  # noqa: BLE001 - looked at again soon
            _log.error("look", error=type(error).__name__)

    def _compare(self, table: Table) -> None:
        """What the file says of those at the table and of those locked."""
        for entry in self.staff.file.people:
            if entry.unlock > table.attempts.unlocked.get(entry.staff, 0):
                by = next(
                    (c.by for c in reversed(self.staff.file.changes) if c.staff == entry.staff),
                    "command line",
                )
                self._post(i.PersonUnlocked(entry.staff, by, entry.unlock))
        for staff in here(table):
            refusal = self.staff.barred(staff) or self._at_another(staff)
            if refusal is not None and refusal != table.duty_over:
                self._post(i.LicenceOver(staff, refusal))

    def _at_another(self, staff: str) -> Any:
        """Of a dealer who had this table when the station ended, and another one since."""
        try:
            elsewhere = self._duty.take(staff)
        except OSError as error:
            _log.error("duty", folder=str(self._duty.folder), error=error.strerror or str(error))
            return None
        if elsewhere:
            return refuse("at_another_table", "", staff=staff, table=elsewhere)
        self._duty.decided(staff)
        return None


def here(table: Table) -> frozenset[str]:
    """Who has the table or is signed in at it."""
    dealer = [table.dealer.staff] if table.dealer else []
    return frozenset([*dealer, *(signed.person.staff for signed in table.signed)])


def _nothing() -> None:
    """Nobody was held."""
