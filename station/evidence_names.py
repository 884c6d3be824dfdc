"""What a picture of a read may be called: a reader names its files, and its word is checked."""

from __future__ import annotations

import re

# So many pictures of one read are kept at most.
PICTURES = 4
# No dot but the one, no separator: such a name cannot lead out of its folder, nor hide in it.
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,95}\.jpg")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def proper(name: str, sha256: str) -> bool:
    """Whether it is a picture's name and the SHA-256 of its bytes, in lower-case hex."""
    return proper_name(name) and bool(_SHA256.fullmatch(sha256))


def proper_name(name: str) -> bool:
    """Whether a file of the folder of pictures may be called so."""
    return bool(_NAME.fullmatch(name))
