"""What both decoders found in one frame becomes looks; and whether looks contradict each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from drivers.camera.codes.found import Found
from drivers.camera.sight import CodeLook


def merged(found: Iterable[Found]) -> tuple[CodeLook, ...]:
    """One look for each content. The same at two corners of a card, found twice, or by both
    decoders is one look; it is plain text only if nobody says that it is not.
    """
    groups: dict[tuple[str, bytes], list[Found]] = {}
    for one in found:
        groups.setdefault((one.symbology, one.raw), []).append(one)
    return tuple(_look(group) for group in groups.values())


def _look(group: list[Found]) -> CodeLook:
    # The corners zxing-cpp gives are the better ones.
    best = max(group, key=lambda one: one.decoder == "zxing")
    middle = best.quad.mean(axis=0)
    length = float(np.hypot(*(best.quad[1] - best.quad[0])))
    return CodeLook(
        text=best.text if all(one.plain for one in group) else "",
        raw=best.raw,
        symbology=best.symbology,
        decoders=frozenset(one.decoder for one in group),
        at=(float(middle[0]), float(middle[1])),
        quad=best.quad,
        module_px=length / best.modules if best.modules else None,
    )


def same_place(one: CodeLook, other: CodeLook) -> bool:
    """Whether they are of one symbol: the middle of one lies within the other."""
    return _within(one, other) or _within(other, one)


def _within(one: CodeLook, other: CodeLook) -> bool:
    if other.quad is None:
        return False
    radius = float(np.hypot(*(other.quad - other.quad.mean(axis=0)).T).max())
    return float(np.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1])) <= radius


def contradictions(looks: Sequence[CodeLook]) -> list[tuple[CodeLook, CodeLook]]:
    """Pairs of looks of one frame that say different things of one symbol."""
    return [
        (one, other)
        for one, other in itertools.combinations(looks, 2)
        if (one.symbology, one.raw) != (other.symbology, other.raw) and same_place(one, other)
    ]


def contradicts(looks: Sequence[CodeLook]) -> bool:
    """Whether any two looks of one frame say different things of one symbol."""
    return bool(contradictions(looks))
