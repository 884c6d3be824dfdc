"""Rendered cards read by the thousand: `python -m tests.bench.sequences --count N --seed S`.

Designs, codes, ways of reading and troubles by chance, each sequence by its number; read by the
pipeline in memory and held against the truth. One JSON line a sequence is appended to the file
(`--out`); what stands there already is not done again, so that a run can be stopped and continued.
Pictures of what was read wrongly, or lost, are kept beside it. `--workers 2` uses two processes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from drivers.camera.compass import travel_of as travel_seen
from drivers.camera.cv import cv2
from drivers.camera.scene import SceneFinder
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame
from drivers.camera.verdict import Witness
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from hw_sim.camera.troubles import FAULTS
from hw_sim.camera.window import Studio
from tests.support.camera_reads import (
    CODE,
    Told,
    answer,
    blind,
    frames_of,
    index_reader,
    read,
    readable,
    travel_of,
)

OUT = Path("var/sequences.jsonl")
# Where it matters how the card came and went, all of its way is shown; else a few frames of it.
WHOLE = frozenset(
    {
        "pushed_back",
        "half_drawn",
        "same_again",
        "again",
        "two_behind",
        "two_overlapped",
        "slow",
        "rests",
        "following",
        "empty",
        "back",
        "joker",
        "cut_card",
        "cut_code",
    }
)
# Troubles of time and line are the watchdog's, and are proved with it.
TROUBLES = sorted(set(FAULTS) - {"stall", "blocked_stream", "gone", "slow_frames", "warm_up"})
# A whole way, and a hand, take long to render: there are fewer of them.
WEIGHTS = [0.3 if name in WHOLE or "hand" in name else 1.0 for name in TROUBLES]
# Grey levels: what the reader takes for a thing at all (`drivers.camera.scene`).
_SHADOW = 14.0
READ: dict[str, frozenset[Witness]] = {
    "index": frozenset({"index"}),
    "barcode": frozenset({"barcode"}),
    "either": frozenset({"barcode", "index"}),
    "both": frozenset({"barcode", "index"}),
}


@dataclass(frozen=True)
class Case:
    """One sequence: what is rendered and how it is read. `whole`: all of its way is shown."""

    number: int
    wish: Wish
    reading: str
    whole: bool
    known_way: bool


def case(seed: int, number: int) -> Case:
    """The case of that number."""
    rng = random.Random(f"sequences/{seed}/{number}")
    trouble = rng.choices(TROUBLES, WEIGHTS)[0] if rng.random() < 0.7 else ""
    code = rng.choice(("none", "none", "code128", "code128", "qr", "datamatrix"))
    reading = "index" if code == "none" else rng.choice(("barcode", "either", "either", "both"))
    if code != "none" and rng.random() < 0.1:
        reading = "index"
    if trouble == "misprinted":
        # Code and index tell two faces: only who asks both can know.
        code, reading = rng.choice(("code128", "qr", "datamatrix")), "both"
    whole = trouble in WHOLE or rng.random() < 0.03
    # A camera tears one picture, not the same line of several.
    params = (("ms", 20),) if trouble in ("torn", "torn_grey") else ()
    wish = Wish(
        code=code,
        trouble=trouble,
        params=params,
        frames=0 if whole else 4,
        fps=rng.choice((30.0, 60.0)) if not whole else 30.0,
        level=rng.choice(("clear", "usual", "usual", "hard")),
        # A card dragged along stays in the mouth: nothing passes it there.
        follows=0.3 if trouble not in WHOLE else 0.0,
        jpeg=not whole,
    )
    # A back or a cut card tells no way to who does not know it yet.
    known = rng.random() < 0.8 or trouble in ("back", "cut_card", "cut_code")
    return Case(number, wish, reading, whole, known)


@cache
def studio() -> Studio:
    """Textures, kept from sequence to sequence."""
    return Studio(cameras=1)


def seeing(one: Case, sequence: rendered.Sequence, frames: list[Frame]) -> Seeing:
    """How it is read."""
    way = travel_of(sequence.draw)
    if not one.known_way:
        finder = SceneFinder()
        way = travel_seen([finder.find(frame) for frame in frames])
    scale = sequence.draw.look.optics.px_per_mm if one.known_way else 0.0
    settings = Seeing((CODE,), read=READ[one.reading], alone=one.reading != "both", travel=way)
    return replace(settings, px_per_mm=scale)


def run(seed: int, number: int, keep: Path | None = None) -> dict[str, Any]:
    """Render and read one; what came of it. Pictures go to `keep` if it was wrong or lost."""
    one = case(seed, number)
    began = time.perf_counter()
    sequence = rendered.sequence(seed, number, one.wish, studio())
    frames = frames_of(sequence, 8 if one.whole else 0)
    settings = seeing(one, sequence, frames)
    middle = time.perf_counter()
    # A card's whole way ends as at a table: more pictures would come.
    told = Told.of(read(frames, settings, ends=not one.whole))
    ended = time.perf_counter()
    left = sequence.draw.left
    if one.wish.trouble == "two_overlapped":
        # Of two that lie one on the other only the upper one can be known.
        left = left[:1]
    if one.wish.trouble == "cut_card" and unseen(sequence):
        left = []
    # Who passes while the camera sees nothing is not told of; that it saw nothing is.
    whole = one.whole and one.wish.trouble not in ("black", "frozen") and not blind(frames)
    expected = sequence.expected
    if one.wish.trouble == "hand" and list(told.faces) == left:
        # None is asked for under a hand; one whose code shows between the fingers is read.
        expected = told.faces
    result = answer(told, expected, left, whole=whole)
    if keep is not None and result in ("wrong", "lost"):
        save(keep / f"{seed}-{number}-{result}", sequence)
    return {
        "n": number,
        "trouble": one.wish.trouble,
        "code": one.wish.code,
        "reading": one.reading,
        "level": one.wish.level,
        "design": sequence.truth["design"],
        "whole": one.whole,
        "way": one.known_way,
        "expected": sequence.expected,
        "left": sequence.draw.left,
        "told": told.faces,
        "by": told.by,
        "missed": told.missed,
        "cuts": told.cuts,
        "asked": told.asked,
        "answer": result,
        "readable": readable(sequence, settings.read, alone=settings.alone),
        "frames": len(frames),
        "render_ms": round((middle - began) * 1000),
        "read_ms": round((ended - middle) * 1000),
    }


def unseen(sequence: rendered.Sequence) -> bool:
    """Whether a cut card is as dark as the bed: its middle changes the picture by less than a
    shadow does. A table must not have such a one (docs/camera/setup.md).
    """
    empty = cv2.blur(sequence.frames[0].image, (15, 15))
    most = 0.0
    for frame in sequence.frames:
        for card in frame.truth["cards"]:
            mask = np.zeros(empty.shape[:2], dtype=np.uint8)
            cv2.fillConvexPoly(mask, np.array(card["quad"]).round().astype(np.int32), 1)
            apart = cv2.absdiff(cv2.blur(frame.image, (15, 15)), empty).max(axis=2)
            if mask.sum() > mask.size // 8:
                most = max(most, float(np.median(apart[mask > 0])))
    return most < _SHADOW


def save(folder: Path, sequence: rendered.Sequence) -> None:
    """Its frames as PNG, and its truth."""
    folder.mkdir(parents=True, exist_ok=True)
    for frame in sequence.frames:
        cv2.imwrite(str(folder / f"{frame.k:03}.png"), frame.image)
    (folder / "truth.json").write_text(json.dumps(sequence.truth), encoding="utf-8")


def _job(job: tuple[int, int, str]) -> dict[str, Any]:
    seed, number, keep = job
    return run(seed, number, Path(keep))


def results(seed: int, numbers: list[int], keep: Path, workers: int) -> Iterator[dict[str, Any]]:
    """Of those sequences, as they are done."""
    jobs = [(seed, number, str(keep)) for number in numbers]
    if workers == 1:
        yield from map(_job, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(_job, jobs, chunksize=16)


def done(path: Path) -> list[dict[str, Any]]:
    """The lines of an earlier run; half a line at the end is none."""
    found = []
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            found += [json.loads(line)] if line else []
        except ValueError:
            continue
    return found


def summary(lines: Iterable[dict[str, Any]]) -> str:
    """A table by way of reading, by code and by trouble. `readable`: of those that showed a whole
    code or index twice, so many were read right.
    """
    found = list(lines)
    text = [f"{'':18}{'right':>8}{'unsure':>8}{'lost':>7}{'wrong':>7}{'readable':>18}"]
    for key in ("reading", "code", "trouble"):
        groups: dict[str, list[dict[str, Any]]] = {}
        for one in found:
            groups.setdefault(one[key] or "-", []).append(one)
        text.append(f"by {key}")
        text += [f"  {group:16}" + _row(groups[group]) for group in sorted(groups)]
    text.append(f"{'all':18}" + _row(found))
    return "\n".join(text)


def _row(found: list[dict[str, Any]]) -> str:
    count = Counter(one["answer"] for one in found)
    shown = [one for one in found if one["readable"]]
    right = sum(one["answer"] == "right" for one in shown)
    share = 100 * right / max(1, len(shown))
    return (
        f"{count['right']:>8}{count['unsure']:>8}{count['lost']:>7}{count['wrong']:>7}"
        f"{right:>8} of {len(shown):>6} {share:5.1f} %"
    )


def main() -> None:
    """Run, or go on with a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    keep = options.out.with_suffix("")
    before = done(options.out)
    known = {one["n"] for one in before}
    numbers = [number for number in range(options.count) if number not in known]
    count = Counter(one["answer"] for one in before)
    began, finished = time.monotonic(), 0
    with options.out.open("a", encoding="utf-8") as file:
        # After half a line of a run that was stopped comes a new one.
        file.write("\n" if before and file.tell() else "")
        for result in results(options.seed, numbers, keep, options.workers):
            file.write(json.dumps(result) + "\n")
            file.flush()
            before.append(result)
            count[result["answer"]] += 1
            finished += 1
            if result["answer"] == "wrong" or finished % 100 == 0:
                rate = finished / (time.monotonic() - began)
                left = (len(numbers) - finished) / rate / 60
                sys.stdout.write(f"{len(before)} {dict(count)} {rate:.1f}/s, {left:.0f} min left\n")
                sys.stdout.flush()
    index_reader.cache_clear()
    sys.stdout.write(summary(before) + "\n")


if __name__ == "__main__":
    main()
