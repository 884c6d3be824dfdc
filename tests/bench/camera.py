"""How fast cards are read: `python -m tests.bench.camera [--cards 8] [--live 24]`.

In memory, on one core: what a frame costs by stage (the processor's milliseconds: what else the
machine does is left out) with a card sliding past (code and index read)
and with an empty window, at 1280x720 and 640x480, beside a yardstick of the same frames in the same
run: decoding the JPEG, a Gaussian blur, a plain zxing-cpp. Then live: the real reader's program on
one core, fed over a socket with 60 pictures a second; from the second good picture of a card (a
whole code or index), from the one that shows its end, and from its leaving the window to the
observation. Nothing here fails on a slow machine.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import zxingcpp

from drivers.camera.cv import cv2
from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame
from drivers.kinds.camera import CameraSpec
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from hw_sim.camera.stream import JPEG, packed
from hw_sim.camera.window import Studio
from tests.support.camera_reads import CODE, index_reader, travel_of

SIZES = ((1280, 720), (640, 480))
FPS = 60.0
WHOLE = 0.99


@dataclass
class Card:
    """One card's way: its frames as JPEG, when each shows a whole code or index (`good`), the
    first that shows its end (`out`), the first after it has left (`left`); frame numbers.
    """

    jpegs: list[bytes]
    shows: list[bool]
    good: list[int]
    out: int
    left: int
    sequence: rendered.Sequence = field(repr=False)


def cards(size: tuple[int, int], count: int) -> list[Card]:
    """So many, with a Code 128 and an index, along x, from left to right."""
    wish = Wish(code="code128", frames=0, size=size, fps=FPS, axis="x", mount=0, follows=0.0)
    studio = Studio(cameras=1)
    found: list[Card] = []
    number = 0
    while len(found) < count:
        one = rendered.sequence(9, number, wish, studio)
        number += 1
        if travel_of(one.draw) == "right":
            found.append(_card(one))
    return found


def _card(sequence: rendered.Sequence) -> Card:
    shown = [bool(one.truth["cards"]) for one in sequence.frames]
    good = [one.k for one in sequence.frames if any(map(_good, one.truth["cards"]))]
    out = next(one.k for one in sequence.frames if any(map(_is_out, one.truth["cards"])))
    left = max(k for k, there in enumerate(shown) if there) + 1
    jpegs = []
    for frame in sequence.frames:
        _, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        jpegs.append(data.tobytes())
    return Card(jpegs, shown, good, out, left, sequence)


def _good(card: dict[str, Any]) -> bool:
    def whole(name: str) -> bool:
        return name in card and float(card[name]["visible"]) >= WHOLE

    return (
        whole("symbol")
        or (whole("rank") and whole("suit"))
        or (whole("rank_br") and whole("suit_br"))
    )


def _is_out(card: dict[str, Any]) -> bool:
    return min(float(x) for x, _ in card["quad"]) > 1


# --- in memory ------------------------------------------------------------------------------


class Stages:
    """Milliseconds a frame by stage."""

    def __init__(self) -> None:
        self.now: dict[str, float] = defaultdict(float)
        self.all: dict[str, list[float]] = defaultdict(list)

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **more: Any) -> Any:
            began = time.thread_time()
            try:
                return call(*arguments, **more)
            finally:
                self.now[name] += (time.thread_time() - began) * 1000

        return timed

    def frame(self, whole_ms: float) -> None:
        """One is done."""
        known = sum(self.now.values())
        for name in ("scene", "codes", "index"):
            self.all[name].append(self.now[name])
        self.all["the rest"].append(whole_ms - known)
        self.all["whole"].append(whole_ms)
        self.now.clear()


class _Looks:
    def __init__(self, look: Callable[..., Any], look_at: Callable[..., Any]) -> None:
        self.look, self.look_at = look, look_at


def pipeline(stages: Stages, folder: Path | None = None) -> Pipeline:
    """One whose stages are timed."""
    reader = index_reader()
    index = _Looks(stages.timed("index", reader.look), reader.look_at)
    one = Pipeline(Seeing((CODE,), travel="right", folder=folder), index=index)
    one._scenes.find = stages.timed("scene", one._scenes.find)  # type: ignore[method-assign]
    codes = one._looker.codes
    assert codes is not None
    codes.look = stages.timed("codes", codes.look)  # type: ignore[method-assign]
    return one


def decoded(jpeg: bytes) -> Any:
    """As the reader decodes it."""
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def in_memory(size: tuple[int, int], found: list[Card], folder: Path) -> None:
    """Print the figures of one size."""
    sys.stdout.write(f"\n{size[0]}x{size[1]}\n")
    sliding, empty = Stages(), Stages()
    yard: dict[str, list[float]] = defaultdict(list)
    one = pipeline(sliding, folder)
    number = reads = 0
    for card in found:
        for jpeg, there in zip(card.jpegs, card.shows, strict=True):
            image = _yardstick(jpeg, yard)
            stages = sliding if there else empty
            began = time.thread_time()
            told = one.frame(Frame(number, image, round(number / FPS * 1e9)))
            whole = (time.thread_time() - began) * 1000
            reads += sum(isinstance(event, lines.Read) for event in told)
            if not there:
                empty.now, sliding.now = sliding.now, defaultdict(float)
            stages.frame(whole)
            number += 1
    for name in ("decode JPEG", "GaussianBlur", "plain zxing"):
        _row(f"  yardstick: {name}", yard[name])
    for name, stages in (("a card slides", sliding), ("empty window", empty)):
        for stage, samples in stages.all.items():
            _row(f"  {name}: {stage}", samples)
        decode = float(np.mean(yard["decode JPEG"]))
        mean = float(np.mean(stages.all["whole"]))
        sys.stdout.write(
            f"  {name}: {1000 / mean:.0f} frames a second, "
            f"{1000 / (mean + decode):.0f} with decoding\n"
        )
    sys.stdout.write(f"  {reads} of {len(found)} cards read\n")


def _yardstick(jpeg: bytes, yard: dict[str, list[float]]) -> Any:
    began = time.thread_time()
    image = decoded(jpeg)
    a = time.thread_time()
    cv2.GaussianBlur(image, (5, 5), 0)
    b = time.thread_time()
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    zxingcpp.read_barcodes(grey)
    c = time.thread_time()
    for name, seconds in (
        ("decode JPEG", a - began),
        ("GaussianBlur", b - a),
        ("plain zxing", c - b),
    ):
        yard[name].append(seconds * 1000)
    return image


def _row(name: str, samples: list[float]) -> None:
    p50, p99 = np.percentile(samples, (50, 99))
    sys.stdout.write(f"{name:50}p50 {p50:8.2f}   p99 {p99:8.2f} ms   ({len(samples)})\n")


def profiled(found: list[Card]) -> None:
    """Where the time goes, by function."""
    one = Pipeline(Seeing((CODE,), travel="right"), index=index_reader())
    images = [decoded(jpeg) for card in found for jpeg in card.jpegs]
    profile = cProfile.Profile()
    profile.enable()
    for number, image in enumerate(images):
        one.frame(Frame(number, image, round(number / FPS * 1e9)))
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(25)


# --- live -----------------------------------------------------------------------------------


class Feed(threading.Thread):
    """Sends cards, one after the other, 60 pictures a second; `sent`: when each picture went out,
    by its time stamp, and which picture of which card it was.
    """

    def __init__(self, path: Path, size: tuple[int, int], found: list[Card]) -> None:
        super().__init__(daemon=True)
        self._size, self._cards = size, found
        self.sent: dict[int, tuple[int, int]] = {}
        self.at: dict[tuple[int, int], int] = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self.done = threading.Event()

    def _pictures(self) -> Iterator[tuple[int, int, bytes]]:
        empty = self._cards[0].jpegs[0]
        rng = np.random.default_rng(1)
        for k in range(90):
            noise = rng.integers(-2, 3, (self._size[1], self._size[0], 3), dtype=np.int16)
            image = np.clip(decoded(empty).astype(np.int16) + noise, 0, 255).astype(np.uint8)
            yield -1, k, cv2.imencode(".jpg", image)[1].tobytes()
        for number, card in enumerate(self._cards):
            for k, jpeg in enumerate(card.jpegs):
                yield number, k, jpeg

    def run(self) -> None:
        link, _ = self._listener.accept()
        due = time.monotonic()
        for number, (card, k, jpeg) in enumerate(self._pictures()):
            time.sleep(max(0.0, due - time.monotonic()))
            due += 1 / FPS
            at_ns = time.monotonic_ns()
            self.sent[at_ns], self.at[card, k] = (card, k), at_ns
            link.sendall(packed(JPEG, self._size, number, at_ns, jpeg))
        time.sleep(0.5)
        self.done.set()
        time.sleep(0.5)
        link.close()


def live(size: tuple[int, int], found: list[Card], core: int) -> None:
    """Print how long after its pictures a card is told by the real program."""
    with tempfile.TemporaryDirectory() as folder:
        path, kept = Path(folder) / "camera.sock", Path(folder) / "evidence"
        kept.mkdir(mode=0o700)
        feed = Feed(path, size, found)
        feed.start()
        spec = CameraSpec(
            name="camera",
            port=f"virtual:{path}",
            size=size,
            travel="right",
            card="{rank}{suit}{deck:2}{check}",
            evidence_dir=str(kept),
            decks=8,
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "drivers.camera", "--parent", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines.encode(lines.Settings(spec=msgspec.to_builtins(spec))))
        process.stdin.flush()
        try:
            _tell(feed, found, process.stdout)
        finally:
            process.kill()
            process.wait()


def _tell(feed: Feed, found: list[Card], out: Any) -> None:
    times: dict[str, list[float]] = defaultdict(list)
    reads = dropped = 0
    for raw in out:
        now_ns = time.monotonic_ns()
        line = lines.up(raw)
        if isinstance(line, lines.Numbers):
            dropped += line.dropped
        if isinstance(line, lines.Read) and line.at_ns in feed.sent:
            card, k = feed.sent[line.at_ns]
            one = found[card]
            reads += 1
            for name, frame in (
                ("its picture", k),
                ("the second good picture", one.good[1]),
                ("the later of that and its end", max(one.good[1], one.out)),
                ("its leaving the window", one.left),
            ):
                if (card, frame) in feed.at:
                    times[name].append((now_ns - feed.at[card, frame]) / 1e6)
        if feed.done.is_set():
            break
    sys.stdout.write(f"\nlive: {reads} of {len(found)} cards read, {dropped} pictures left out\n")
    for name, samples in times.items():
        _row(f"  observation after {name}", samples)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=8, help="in memory, at each size")
    parser.add_argument("--live", type=int, default=24, help="through the program, 0 for none")
    parser.add_argument("--size", default="", help="only this one: 1280x720")
    parser.add_argument("--profile", action="store_true", help="where the time goes, by function")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    wide, _, high = options.size.partition("x")
    sizes = [(int(wide), int(high))] if high else list(SIZES)
    for size in sizes:
        found = cards(size, max(options.cards, options.live))
        os.sched_setaffinity(0, {cores[0]})
        with tempfile.TemporaryDirectory() as folder:
            in_memory(size, found[: options.cards], Path(folder))
        if options.profile:
            profiled(found[: options.cards])
        os.sched_setaffinity(0, set(cores))
        if options.live:
            live(size, found[: options.live], cores[-1])


if __name__ == "__main__":
    main()
