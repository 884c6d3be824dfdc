"""PINs, one-time secrets and badges: how they are made, kept, compared. None is shown again.

A short PIN is protected by the limit of tries (in the core), not by the hash's cost.
"""

from __future__ import annotations

import functools
import hashlib
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

PIN_SHORTEST, PIN_LONGEST = 4, 32
# Letters and digits that are not taken for each other, in groups: about 59 bits.
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_GROUPS, _GROUP = 3, 4
_RUN = "01234567890"

_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def hashed(secret: str) -> str:
    """The argon2id hash of a PIN or a one-time secret. Slow on purpose."""
    return _HASHER.hash(secret)


def fits(hash_: str | None, secret: str) -> bool:
    """Whether that is the secret. None (nobody) takes as long as a wrong one."""
    try:
        _HASHER.verify(hash_ if hash_ is not None else _nobody(), secret)
    except (VerificationError, ValueError):
        # ValueError: an entry that is no hash, or not even ASCII.
        return False
    return hash_ is not None


@functools.cache
def _nobody() -> str:
    return _HASHER.hash(secrets.token_hex())


def one_time_secret() -> str:
    """A new one, such as `K7QM-2XWD-9RTB`."""
    groups = ["".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS)]
    return "-".join(groups)


def badge_hash(text: str) -> str:
    """SHA-256 of what a badge carries, 64 hex digits. Its 128 random bits need no slow hash."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def why_weak(staff: str, pin: str) -> str:
    """Why that PIN will not do for that person, or ""."""
    if not PIN_SHORTEST <= len(pin) <= PIN_LONGEST:
        return f"a PIN has {PIN_SHORTEST} to {PIN_LONGEST} characters"
    if not pin.isprintable():
        return "a PIN has no control characters"
    if len(set(pin)) == 1:
        return "a PIN of one character over and over is the first to be guessed; choose another"
    if pin in _RUN or pin[::-1] in _RUN:
        return "a PIN of digits in a row is the first to be guessed; choose another"
    if pin.casefold() in (staff.casefold(), staff[::-1].casefold()):
        return "a PIN cannot be the person's own number; choose another"
    return ""
