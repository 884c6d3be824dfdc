"""The key a station seals its journal with: Ed25519, in a file beside the journal.

The private key never leaves that file, which is its owner's alone. The public key is known by its
fingerprint: SHA-256 over its DER form, as `openssl pkey -pubin -outform DER | sha256sum` gives it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from station.audit.reading import JournalError

_SMALL = 64 * 1024


class KeyRefused(JournalError):
    """The key cannot be used; the message says why and what to do."""


def file_of(journal: Path) -> Path:
    """Where the private key of a journal is."""
    return journal.with_name(journal.name + ".key")


def next_of(journal: Path) -> Path:
    """Where a new key waits until the journal says that it is in force."""
    return journal.with_name(journal.name + ".key.next")


def fingerprint(public: Ed25519PublicKey) -> str:
    """64 hex digits."""
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()


def pem(public: Ed25519PublicKey) -> str:
    """The public key as text, for other machines."""
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def public_hex(public: Ed25519PublicKey) -> str:
    """The raw key, 64 hex digits, as the journal keeps it."""
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def public_from(text: str) -> Ed25519PublicKey:
    """The key of 64 hex digits. Raises ValueError."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))


def signed_by(public: Ed25519PublicKey, signature: str, text: str) -> bool:
    """Whether the signature (hex) over that text is that key's."""
    try:
        public.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    # Hex of other case would be other bytes in the file that mean the same.
    return signature == signature.lower()


def sign(private: Ed25519PrivateKey, text: str) -> str:
    """The signature, hex."""
    return private.sign(text.encode()).hex()


def read_public(file: Path) -> Ed25519PublicKey:
    """A public key from its PEM file. Raises KeyRefused."""
    try:
        data = file.read_bytes()[:_SMALL]
        if b"PRIVATE" in data:
            raise KeyRefused(f"{file}: a private key; give the public one (`journal key --out`)")
        public = load_pem_public_key(data)
    except OSError as error:
        raise KeyRefused(f"{file}: {error.strerror or error}") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyRefused(
            f"{file}: no public key in PEM; `dealer-station journal key --out FILE` writes one"
        ) from error
    if not isinstance(public, Ed25519PublicKey):
        raise KeyRefused(f"{file}: not an Ed25519 key; `dealer-station journal key --out FILE`")
    return public


def read_private(file: Path) -> Ed25519PrivateKey | None:
    """The station's key, None if there is no such file.

    Raises KeyRefused for one that others may read, that is another user's, or that is none.
    """
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyRefused(f"{file}: {error.strerror or error}") from error
    with os.fdopen(handle, "rb") as opened:
        found = os.fstat(handle)
        mode = stat.S_IMODE(found.st_mode)
        if not stat.S_ISREG(found.st_mode):
            raise KeyRefused(f"{file}: not a file; put the journal's key there")
        if found.st_uid != os.geteuid():
            raise KeyRefused(
                f"{file}: it belongs to user {found.st_uid}: chown it to the table's own user"
            )
        if mode & 0o077:
            raise KeyRefused(
                f"{file}: others may read or change it (mode {mode:04o}): chmod 600 it, and if "
                "somebody may have, begin a new key with `dealer-station journal key --new`"
            )
        data = opened.read(_SMALL)
    try:
        private = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyRefused(
            f"{file}: no private key that can be read; put back the copy you keep, or begin a new "
            "one with `dealer-station journal key --new --lost`"
        ) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyRefused(f"{file}: not an Ed25519 key; put back the one the station made")
    return private


def make(file: Path) -> Ed25519PrivateKey:
    """A new key, whole on the disk under that name or not there at all. Raises KeyRefused."""
    private = Ed25519PrivateKey.generate()
    data = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    fresh = file.with_name(file.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as out:
            os.fchmod(handle, 0o600)
            out.write(data)
            out.flush()
            os.fsync(handle)
        fresh.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise KeyRefused(f"{file}: {error.strerror or error}") from error
    return private


def sync_folder(folder: Path) -> None:
    """Names that were made or changed in there are on the disk after this."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
