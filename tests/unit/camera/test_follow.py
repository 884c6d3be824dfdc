"""Cards followed past the window for the camera's tools."""

from __future__ import annotations

from dataclasses import replace

from drivers.camera.follow import Follower, Passed
from drivers.camera.sight import Frame, Region, Scene
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from hw_sim.camera.window import Studio
from tests.support.camera_reads import frames_of, travel_of

CLEAR = Wish(frames=0, fps=90.0, level="clear", mount=0, follows=0.0, jpeg=False, axis="x")


def seen(scene: Scene, _region: Region) -> int:
    return scene.frame.number


def test_a_card_under_a_hand_for_a_while_is_handed_over_once() -> None:
    sequence = rendered.sequence(1, 3, replace(CLEAR, trouble="rests"), Studio(cameras=1))
    frames = frames_of(sequence, 8)
    follower = Follower(seen, travel_of(sequence.draw))
    middle = len(frames) // 2
    passed: list[Passed[int]] = []
    for k, frame in enumerate(frames):
        covered = middle <= k < middle + 10
        shown = Frame(frame.number, frames[0].image.copy(), frame.at_ns) if covered else frame
        passed += follower.frame(shown)
        if k == middle - 1:
            assert passed == []
    assert len(passed) == 1
    assert passed[0].looks[0] < middle
