"""How fast the simulated camera renders: `python -m tests.bench.render`, or `--json`.

Frames of a card on its way through the window, one thread: rendered alone, and as they go out
(compressed), at each size, in a second of one core. Then whole sequences by seed, faces drawn anew,
as a bench of a reader uses them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial

from hw_sim.camera.cv import Image
from hw_sim.camera.design import DESIGNS
from hw_sim.camera.draws import Draw, Pass
from hw_sim.camera.motion import Track, slide
from hw_sim.camera.optics import Optics
from hw_sim.camera.scene import Light, Look, Sensor
from hw_sim.camera.sequences import Wish, sequences
from hw_sim.camera.stock import Print
from hw_sim.camera.symbols import Printing
from hw_sim.camera.window import Studio, Window, encode

SIZES = ((640, 480), (1280, 720))


def window(size: tuple[int, int]) -> Window:
    """A card with a code and a glare on it, before a camera of that size."""
    light = Light(glare=((0.6, 0.3, 0.1, 120.0),))
    look = Look(Optics(size, 9.0 * size[0] / 640, (1.5, -1.0)), light, Sensor())
    track = Track("x", 1, 20.0)
    card = Print("card", DESIGNS["standard"], "KH", "KH07B", Printing("code128"))
    one = Pass(card, track, slide(track.way(look.optics), 500.0), degrees=1.5)
    return Window(Draw(look, [one]), Studio())


def rate(do: Callable[[float], object], way_s: float, seconds: float) -> float:
    """How often it can be done in a second of one core, over the middle of a card's way."""
    do(way_s / 2)
    # The core's own time: others may be busy on this machine.
    count, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        do(way_s * (0.2 + 0.6 * (count % 20) / 20))
        count += 1
    return count / spent


def compressed(shown: Window, t: float) -> bytes:
    """A frame as it goes out."""
    return encode(shown.shot(t).image, 90)


def empty(shown: Window, t: float) -> Image:
    """A frame before the card comes."""
    return shown.shot(-1.0 - t).image


def measure(seconds: float) -> dict[str, float]:
    """Frames and sequences a second."""
    found: dict[str, float] = {}
    for size in SIZES:
        shown = window(size)
        way, name = shown.draw.seconds, f"{size[0]}x{size[1]}"
        found[f"{name} rendered"] = rate(shown.shot, way, seconds)
        found[f"{name} compressed"] = rate(partial(compressed, shown), way, seconds)
        found[f"{name} empty"] = rate(partial(empty, shown), way, seconds)
    made = sequences(1, Wish(code="any"))
    found["sequences of 6"] = rate(lambda t: next(made), 1.0, seconds)
    return found


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    found = measure(wanted.seconds)
    if wanted.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return
    for name, value in found.items():
        sys.stdout.write(f"{name:<22} {value:7.1f} a second   {1000 / value:6.1f} ms\n")


if __name__ == "__main__":
    main()
