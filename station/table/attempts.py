"""Wrong PINs and badges: who is locked, and until when. Pure; it survives a restart as facts.

A person: five wrong in a row lock him for 5 minutes, and each further wrong one twice as long (10,
20, 40, 80); with the tenth he is barred until a shift manager or the root command line unlocks him.
Only his own proof, an unlock or such a bar ends the row: the end of a lock does not.

A place (a link by its name, or a device that reads badges): twenty wrong within an hour lock its
logins until that hour is over, whoever it was. One person's lock never is another's.

Timers are named so that no name is used twice; a restart starts a running one anew.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from station.game.refusal import Refusal, refuse

LOCK_AT = 5
BAR_AT = 10
LOCK_SECONDS = 300
PLACE_TRIES = 20
PLACE_SECONDS = 3600
# Places told apart; a client can invent names without end, and the others share one count.
PLACES = 32
OTHERS = "*"


class Tries(Struct, frozen=True):
    """`wrong` in a row; `lock`: the number of the lock that runs, 0 when none does."""

    wrong: int = 0
    lock: int = 0


class Hour(Struct, frozen=True):
    """`wrong` at one place since its first; `hour` numbers it."""

    wrong: int
    hour: int


class Attempts(Struct, frozen=True):
    """`locks` and `hours` count what has begun; `unlocked`: the last unlock from the command line
    that was taken up, by person.
    """

    people: dict[str, Tries] = {}
    places: dict[str, Hour] = {}
    locks: int = 0
    hours: int = 0
    unlocked: dict[str, int] = {}


class Clock(Struct, frozen=True):
    """A clock that should run: of a person's lock (`staff`), or of a place's hour (`place`)."""

    name: str
    seconds: int
    staff: str = ""
    place: str = ""


def lock_seconds(wrong: int) -> int:
    """How long that many wrong in a row lock a person; 0 for fewer than five and for a bar."""
    return LOCK_SECONDS << (wrong - LOCK_AT) if LOCK_AT <= wrong < BAR_AT else 0


def is_barred(attempts: Attempts, staff: str) -> bool:
    """Whether only an unlock lets that person in."""
    return attempts.people.get(staff, Tries()).wrong >= BAR_AT


def place_of(attempts: Attempts, link: str) -> str:
    """Under which name a link's wrong tries count."""
    known = link in attempts.places or len(attempts.places) < PLACES
    return link if known else OTHERS


def why_locked(attempts: Attempts, staff: str, link: str) -> Refusal | None:
    """Why nobody may identify himself there, or that person nowhere; None when he may.

    The place comes first: it answers alike for numbers that exist and for those that do not.
    """
    hour = attempts.places.get(place_of(attempts, link))
    if hour is not None and hour.wrong >= PLACE_TRIES:
        return refuse("place_locked", "", link=link)
    tries = attempts.people.get(staff, Tries())
    if tries.wrong >= BAR_AT:
        return refuse("pin_barred", "", staff=staff)
    if tries.lock:
        return refuse("pin_locked", "", staff=staff, minutes=lock_seconds(tries.wrong) // 60)
    return None


def after_wrong(attempts: Attempts, staff: str, link: str) -> tuple[int, int]:
    """What a wrong try there makes: in a row for that person ("" for nobody), in its hour for the
    place.
    """
    wrong = attempts.people.get(staff, Tries()).wrong + 1 if staff else 0
    hour = attempts.places.get(place_of(attempts, link))
    return wrong, (hour.wrong if hour else 0) + 1


def failed(attempts: Attempts, staff: str, link: str, wrong: int, here: int) -> Attempts:
    """After that many wrong in a row, and that many at the place in its hour (0: not counted)."""
    if staff:
        locks = attempts.locks + (1 if lock_seconds(wrong) else 0)
        tries = Tries(wrong, locks if lock_seconds(wrong) else 0)
        attempts = replace(attempts, people={**attempts.people, staff: tries}, locks=locks)
    if here:
        place = place_of(attempts, link)
        known = attempts.places.get(place)
        hour = Hour(here, known.hour if known else attempts.hours + 1)
        attempts = replace(
            attempts,
            places={**attempts.places, place: hour},
            hours=attempts.hours if known else attempts.hours + 1,
        )
    return attempts


def lock_over(attempts: Attempts, staff: str) -> Attempts:
    """His lock has run out; what he had wrong in a row he still has."""
    tries = attempts.people.get(staff)
    if tries is None:
        return attempts
    return replace(attempts, people={**attempts.people, staff: replace(tries, lock=0)})


def forgotten(attempts: Attempts, staff: str, unlock: int = 0) -> Attempts:
    """He has proved who he is, or was unlocked (`unlock`: the number of that order, if any)."""
    people = {name: tries for name, tries in attempts.people.items() if name != staff}
    unlocked = {**attempts.unlocked, staff: unlock} if unlock else attempts.unlocked
    return replace(attempts, people=people, unlocked=unlocked)


def hour_over(attempts: Attempts, place: str) -> Attempts:
    """The hour of a place has run out."""
    places = {name: hour for name, hour in attempts.places.items() if name != place}
    return replace(attempts, places=places)


def clocks(attempts: Attempts) -> tuple[Clock, ...]:
    """Which clocks should run now."""
    locks = tuple(
        Clock(f"pin_lock:{tries.lock}", lock_seconds(tries.wrong), staff=staff)
        for staff, tries in attempts.people.items()
        if tries.lock
    )
    hours = tuple(
        Clock(f"place_hour:{hour.hour}", PLACE_SECONDS, place=place)
        for place, hour in attempts.places.items()
    )
    return locks + hours
