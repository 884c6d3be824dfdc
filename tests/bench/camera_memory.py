"""The memory of the camera's pipeline over an hour's worth of frames (216,000 at 60 a second):
`python -m tests.bench.camera_memory [--frames N]`.

Frames of a dozen sliding cards, made once, go through decoding and the pipeline in this process as
fast as it can, again and again, pictures of evidence included (their files are taken away, as the
station does). RSS is told on the way; the code is 1 when its second half grew by more than 8 MiB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame
from drivers.cardcode import CardCode
from drivers.protocols.camera_lines import Read
from hw_sim.camera.stream import HEADER
from hw_sim.codes import VirtualCard
from hw_sim.models.camera import Camera
from hw_sim.soak import memory

HOUR = 216_000
FACES = ("KH", "2S", "TD", "AC", "QS", "7H", "JD", "9C", "5S", "3H", "8D", "4C")
MOST_MIB = 8.0


def film() -> list[bytes]:
    """The frames of a dozen cards, each with its code, 250 mm/s, and the gaps between them."""
    camera = Camera(fps=60, warm_up_ms=0, code="code128", mm_s=250)
    camera.start(0)
    frames: list[bytes] = []
    now_ms = 0
    for number, face in enumerate(FACES):
        camera.card(VirtualCard(face, 1 + number % 8, "A"), now_ms)
        end_ms = now_ms + 1000
        while now_ms < end_ms:
            frames += [piece.data[HEADER.size :] for piece in camera.tick(now_ms)]
            now_ms = max(now_ms + 1, camera.wake_at_ms or 0)
    return frames


def run(count: int) -> int:
    """Feed so many frames; 1 when memory grew."""
    jpegs = film()
    with tempfile.TemporaryDirectory() as folder:
        seeing = Seeing(
            codes=(CardCode.from_template("{set}{rank}{suit}{deck}{check}"),),
            travel="right",
            folder=Path(folder),
        )
        pipeline = Pipeline(seeing)
        sizes: list[float] = []
        cards = 0
        began = time.monotonic()
        for number in range(count):
            data = np.frombuffer(jpegs[number % len(jpegs)], np.uint8)
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
            events = pipeline.frame(Frame(number, image, number * 16_666_667))
            cards += sum(isinstance(event, Read) for event in events)
            if number % max(1, count // 20) == 0 or number == count - 1:
                sizes.append(_mib())
                _say(f"{number:7} frames {cards:6} cards {sizes[-1]:7.1f} MiB")
                for picture in Path(folder).iterdir():
                    picture.unlink()
        seconds = time.monotonic() - began
    grew = sizes[-1] - sizes[len(sizes) // 2]
    _say(f"{count} frames in {seconds:.0f} s; the second half grew by {grew:.1f} MiB")
    return int(grew > MOST_MIB)


def _mib() -> float:
    own = Path("/proc/self").resolve().name
    return memory(int(own)) / 1024


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=HOUR)
    return run(parser.parse_args().frames)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
