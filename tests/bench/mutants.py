"""Whether the tests notice small changes to the rules: a random sample of mutants, each tried.

    python -m tests.bench.mutants [--sample 300] [--seed 1] [--minutes 20] [--jobs 1]
    python -m tests.bench.mutants --only hands.py --only state.py:101

Works on a copy of the checkout in a temporary directory: nothing is changed where it is called.
First the tests must pass there as they are. Then each mutant is put into the copy, alone, and the
tests run until the first fails: killed. A mutant that needs more than its time is killed too.
What survives shows a hole in the tests, or changes nothing: docs/mutants.md.

The same seed, sources and tests give the same mutants in the same order and the same answer.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.bench.mutation import Edit, edits, sound

PROJECT = Path(__file__).parents[2]
NOT_NEEDED = (".*", "__pycache__", "build", "dist", "var", "*.db*", "*.sock")
ROOM = "station/game"
TESTS = ("tests/unit/game", "tests/unit/table")
# It reads the tests and a page, and nothing of the room.
READS_ONLY = "tests/unit/game/test_rules_table.py"
MEMORY = 1024**3
PASSED, FAILED, INTERRUPTED, INTERNAL = 0, 1, 2, 3


@dataclass(frozen=True)
class Mutant:
    """One edit of one file of the project, whose text was `text`."""

    path: str
    text: bytes
    edit: Edit

    @property
    def line(self) -> int:
        return self.text.count(b"\n", 0, self.edit.start) + 1

    @property
    def place(self) -> str:
        return f"{Path(self.path).name}:{self.line}"

    @property
    def name(self) -> str:
        old = self.text[self.edit.start : self.edit.end].decode()
        return f"{self.place} {self.edit.what}: {_short(old)} -> {_short(self.edit.new)}"

    def diff(self) -> str:
        old, new = self.text.decode(), self.edit.applied(self.text).decode()
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


@dataclass(frozen=True)
class Tried:
    """What became of a mutant: `killed`, `survived`, `timed out` or `not run`; seconds."""

    mutant: Mutant
    end: str
    seconds: float = 0.0


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 30 else f"{flat[:27]}..."


class Bench:
    """A copy of the project in which one mutant at a time is tried."""

    def __init__(self, tests: tuple[str, ...]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.tests = tests
        self.seconds = 0.0
        left_out = shutil.ignore_patterns(*NOT_NEEDED)
        shutil.copytree(PROJECT, self.folder, ignore=left_out, dirs_exist_ok=True)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def begin(self) -> None:
        """The tests as they are; what they take bounds what a mutant may take."""
        began = time.monotonic()
        code, output = self._run(None)
        if code != PASSED:
            raise SystemExit(f"{output}\nthe tests must pass without a mutant first")
        self.seconds = time.monotonic() - began
        # A compiled file of the same size and second would be taken for the mutant's own.
        for cache in (self.folder / ROOM).rglob("__pycache__"):
            shutil.rmtree(cache)

    def attempt(self, mutant: Mutant) -> Tried:
        path = self.folder / mutant.path
        path.write_bytes(mutant.edit.applied(mutant.text))
        began = time.monotonic()
        try:
            code, output = self._run(20 + 3 * self.seconds)
        finally:
            path.write_bytes(mutant.text)
        if code == INTERNAL and "MemoryError" in output:
            # A fact without end: it would never have ended either.
            return Tried(mutant, "timed out", time.monotonic() - began)
        if code not in (PASSED, FAILED, INTERRUPTED, -signal.SIGXCPU, -signal.SIGKILL):
            raise SystemExit(f"{output}\n{mutant.name}: pytest ended with {code}")
        ends = {PASSED: "survived", FAILED: "killed", INTERRUPTED: "killed"}
        return Tried(mutant, ends.get(code, "timed out"), time.monotonic() - began)

    def _run(self, most: float | None) -> tuple[int, str]:
        """Exit code and output of the tests. `most`: seconds by the clock; of the processor at
        most half of that, so that a busy machine kills no mutant.
        """
        plugins = ["-p", "tests.bench.one_mutant", "-p", "no:cacheprovider"]
        chosen = [*self.tests, f"--ignore={READS_ONLY}"]
        environment = os.environ | {"PYTHONPATH": str(self.folder)}
        if most is not None:
            environment["PYTHONDONTWRITEBYTECODE"] = "1"

        def limits() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if most is not None:
                seconds = int(most / 2)
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-x", *plugins, *chosen],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=limits,
        )
        try:
            output, _ = process.communicate(timeout=most)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        return process.returncode, output


def all_mutants() -> list[Mutant]:
    """Every mutant of the room, in a fixed order; not all of them are sound."""
    return [
        Mutant(str(path.relative_to(PROJECT)), text, edit)
        for path in sorted((PROJECT / ROOM).glob("*.py"))
        for text in [path.read_bytes()]
        for edit in edits(text)
    ]


def chosen(mutants: list[Mutant], sample: int, seed: int, only: list[str]) -> list[Mutant]:
    """The sample, or with `only` all of these files or lines; without what does not compile."""
    if only:
        wanted = [m for m in mutants if Path(m.path).name in only or m.place in only]
        return [mutant for mutant in wanted if sound(mutant.text, mutant.edit)]
    order = random.Random(seed).sample(mutants, len(mutants))
    found = (mutant for mutant in order if sound(mutant.text, mutant.edit))
    return [mutant for mutant, _ in zip(found, range(sample), strict=False)]


def tried(mutants: list[Mutant], benches: list[Bench], minutes: float) -> Iterator[Tried]:
    """Each mutant's end, in their order, as many at a time as there are benches."""
    until = time.monotonic() + 60 * minutes
    free: SimpleQueue[Bench] = SimpleQueue()
    for bench in benches:
        free.put(bench)

    def one(mutant: Mutant) -> Tried:
        if time.monotonic() > until:
            return Tried(mutant, "not run")
        bench = free.get()
        try:
            return bench.attempt(mutant)
        finally:
            free.put(bench)

    pool = ThreadPoolExecutor(len(benches))
    try:
        yield from pool.map(one, mutants)
    finally:
        pool.shutdown(cancel_futures=True)


def report(results: list[Tried], every: int) -> str:
    """The figures, then each survivor by file and line with its diff."""
    ends = Counter(result.end for result in results)
    ran = len(results) - ends["not run"]
    found = ends["killed"] + ends["timed out"]
    lines = [f"\n{ran} of {every} mutants of {ROOM} tried"]
    lines += [f"{end:>12} {ends[end]}" for end in ("killed", "timed out", "survived", "not run")]
    lines.append(f"       score {100 * found / ran:.1f} %" if ran else "")
    for result in results:
        if result.end == "survived":
            lines.append(f"\n{result.mutant.path}:{result.mutant.line}  {result.mutant.edit.what}")
            lines.append(result.mutant.diff())
    return "\n".join(lines)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--minutes", type=float, default=20, help="begin none after that time")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--only", action="append", default=[], help="FILE or FILE:LINE, all of it")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="what is run, in this order")
    return parser.parse_args()


def main() -> None:
    given = options()
    mutants = all_mutants()
    picked = chosen(mutants, given.sample, given.seed, given.only)
    benches: list[Bench] = []
    results: list[Tried] = []
    try:
        for _ in range(given.jobs):
            benches.append(Bench(tuple(given.tests)))
            benches[-1].begin()
        for number, result in enumerate(tried(picked, benches, given.minutes), start=1):
            results.append(result)
            line = f"{number:>4}/{len(picked)} {result.end:9} {result.seconds:5.1f} s"
            print(f"{line}  {result.mutant.name}", flush=True)  # noqa: T201
    except KeyboardInterrupt:
        print("interrupted")  # noqa: T201
    finally:
        for bench in benches:
            bench.close()
    print(report(results, len(mutants)))  # noqa: T201


if __name__ == "__main__":
    main()
