"""How devices are: a fault latches as a hold, and so does the loss of one that cards need."""

from __future__ import annotations

from station.table import facts as f
from station.table import inputs as i
from station.table.state import STATES, Device, Standing
from station.table.working import Working

RESTARTED = "restarted"
# So much of a device's detail is kept in a hold, characters.
_DETAIL = 120


def decide_fault(work: Working, given: i.DeviceFault) -> None:
    """A fault that goes on is one hold; after a re-read that aligned it, it is a new one.

    A reader that is switched on again while no shoe is in play, or for the new one after the cut
    card, has missed no card.
    """
    shoe = work.table.game.shoe
    unused = shoe.state != "in_play" or (shoe.cut and work.table.between_rounds)
    if given.code == RESTARTED and unused:
        work.add(f.Observed(given.device, RESTARTED, given.detail, ""))
        return
    open_ = any(
        hold.code == "device_fault"
        and (hold.device, hold.params["code"]) == (given.device, given.code)
        and not hold.aligned
        for hold in work.table.holds
    )
    if not open_:
        work.hold("device_fault", given.device, code=given.code, detail=given.detail)


def _news(device: Device, given: i.DeviceHealth) -> bool:
    """Whether that is not known of the device already."""
    if given.over:
        return any(state.cause == given.over for state in device.standing)
    if given.health in STATES:
        state = Standing(given.cause or given.health, given.health, given.detail)
        return state not in device.standing
    # A port that is up anew has shaken off what the device suffered from.
    return bool(device.standing) or (device.port, device.port_detail) != (
        given.health,
        given.detail,
    )


def decide_health(work: Working, given: i.DeviceHealth) -> None:
    """Losing a reader that was up holds the table until a person acknowledges it."""
    device = work.table.device(given.device)
    if device is None:
        return
    if not _news(device, given):
        return
    was_reading = device.reads
    fact = f.DeviceChanged(given.device, given.health, given.detail, given.over, given.cause)
    work.add(fact)
    now = work.table.device(given.device)
    # A hand on the window goes away by itself; until then nobody is owed a card.
    away = now is not None and not now.reads and now.health != "covered"
    lost = was_reading and away
    held = any(h.code == "reader_lost" and h.device == given.device for h in work.table.holds)
    if lost and not held:
        # The console names what it comes from: the cure of a black picture is no cable.
        cause = {"cause": now.cause} if now is not None and now.cause else {}
        detail = {"detail": now.detail[:_DETAIL]} if now is not None and now.detail else {}
        work.hold("reader_lost", given.device, health=given.health, **cause, **detail)
