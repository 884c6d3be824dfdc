"""Troubles by name: each does what it says, and only that."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.hands import TONES
from hw_sim.camera.sequences import Sequence, Wish, sequences
from hw_sim.camera.troubles import FAULTS, trouble
from hw_sim.faults import FaultError

# What the field's lists of a camera shoe's troubles name.
ASKED = {
    "blur", "glare", "shift", "rotation", "upside_down", "back", "two_overlapped", "two_behind",
    "pushed_back", "half_drawn", "finger_index", "finger_code", "hand", "hand_only", "dust",
    "led_dim", "confusable", "red_light", "cut_card", "cut_code", "empty", "joker", "frozen",
    "black", "warm_up", "torn", "torn_grey", "slow_frames", "stall", "wrong_exposure",
    "blocked_stream", "gone", "same_again", "again", "fast", "following", "jpeg_damage",
}  # fmt: skip


def one(name: str = "", frames: int = 0, seed: int = 2, **more: Any) -> Sequence:
    """A whole way of a card, along x, with that trouble."""
    params = tuple((key, value) for key, value in more.pop("params", {}).items())
    wish = {"level": "clear", "follows": 0.0, "axis": "x", "mount": 0, "fps": 30.0, **more}
    return next(sequences(seed, Wish(trouble=name, frames=frames, params=params, **wish), 1))


PLAIN = one()


def grey(image: Image) -> Any:
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(int)


def with_card(sequence: Sequence) -> list[Image]:
    return [frame.image for frame in sequence.frames if frame.truth["cards"]]


def brightest(sequence: Sequence) -> float:
    """The light of the paper: of the frames with a card the 95th percentile."""
    return float(np.mean([np.percentile(grey(image), 95) for image in with_card(sequence)]))


def sharpness(sequence: Sequence) -> float:
    """How steep the steepest edges are along the slide."""
    steep = [np.percentile(np.abs(np.diff(grey(im), axis=1)), 99.8) for im in with_card(sequence)]
    return float(np.median(steep))


def times(sequence: Sequence) -> list[float]:
    return [frame.t for frame in sequence.frames]


def longest_gap(sequence: Sequence) -> float:
    return max(b - a for a, b in zip(times(sequence), times(sequence)[1:], strict=False))


def wrongs(sequence: Sequence) -> list[str]:
    return [frame.truth["wrong"] for frame in sequence.frames if "wrong" in frame.truth]


def middles(sequence: Sequence, which: int = 0) -> list[float]:
    """Where a card's middle is along its way, from the picture's, frame by frame, px."""
    cards = [f.truth["cards"] for f in sequence.frames if len(f.truth["cards"]) > which]
    sign = PLAIN.draw.card.track.sign
    return [sign * (float(np.mean([x for x, _ in card[which]["quad"]])) - 320) for card in cards]


def test_every_trouble_that_is_asked_for_is_there() -> None:
    assert set(FAULTS) >= ASKED


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_trouble_changes_the_frames_and_says_its_name(name: str) -> None:
    code = "code128" if name == "finger_code" else "none"
    plain, hurt = one(frames=6, code=code), one(name, frames=6, code=code)
    assert hurt.truth["trouble"] == name
    same = len(plain.frames) == len(hurt.frames) and all(
        (a.image == b.image).all() for a, b in zip(plain.frames, hurt.frames, strict=True)
    )
    assert not same


@pytest.mark.parametrize("name", ["hand", "torn", "jpeg_damage", "two_overlapped"])
def test_a_trouble_is_the_same_for_the_same_seed(name: str) -> None:
    first, second, other = one(name, frames=4), one(name, frames=4), one(name, frames=4, seed=9)
    assert first.truth == second.truth != other.truth
    pairs = zip(first.frames, second.frames, strict=True)
    assert all((a.image == b.image).all() for a, b in pairs)


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(FaultError, match="no fault 'locusts'"):
        trouble(PLAIN.draw, "locusts", random.Random(1))
    with pytest.raises(FaultError, match="must be a whole number"):
        trouble(PLAIN.draw, "blur", random.Random(1), {"px": "much"})


# --- light and lens ---------------------------------------------------------------------------


def test_blur_and_defocus_soften() -> None:
    assert sharpness(one("blur")) < 0.6 * sharpness(PLAIN)
    assert sharpness(one("defocus")) < 0.6 * sharpness(PLAIN)
    assert one("blur").truth["blur_px"] == pytest.approx(7, abs=0.5)


def test_a_dim_lamp_a_wrong_exposure_and_red_light() -> None:
    plain = brightest(PLAIN)
    assert brightest(one("led_dim")) < 0.6 * plain
    assert brightest(one("led_dim", params={"hours": 2000})) > 0.85 * plain
    burnt = [(grey(image) >= 253).mean() for image in with_card(one("wrong_exposure"))]
    assert max(burnt) > 0.3
    red = np.mean([image.mean(axis=(0, 1)) for image in with_card(one("red_light"))], axis=0)
    assert red[2] > 3 * red[1]
    cast = np.mean([image.mean(axis=(0, 1)) for image in with_card(one("colour_cast"))], axis=0)
    assert max(cast) > 1.2 * min(cast)


def test_glare_burns_out_the_index_at_one_moment_of_the_way() -> None:
    hidden = one("glare", design="standard", params={"strength": 255})
    plain = one(design="standard")
    contrast = []
    for sequence in (plain, hidden):
        lows = []
        for frame in sequence.frames:
            for card in frame.truth["cards"]:
                if card["rank"]["visible"] == 1:
                    quad = np.array(card["rank"]["quad"])
                    x0, y0 = quad.min(axis=0).astype(int)
                    x1, y1 = quad.max(axis=0).astype(int)
                    lows.append(int(grey(frame.image)[y0:y1, x0:x1].min()))
        contrast.append(max(lows))
    assert contrast[1] > contrast[0] + 40


def test_noise_dust_and_poor_jpeg() -> None:
    def bed(sequence: Sequence) -> float:
        first, second = (sequence.frames[k].image.astype(int) for k in (0, 1))
        return float((first - second).std())

    assert bed(one("noise")) > 3 * bed(PLAIN)
    specks = one("dust").draw.look.sensor.dust
    assert specks == 40
    poor = one("jpeg_poor").draw.look.sensor.quality
    assert poor == 22 < PLAIN.draw.look.sensor.quality


def test_a_knocked_camera_sees_the_card_leaning() -> None:
    plain, knocked = (
        np.array(s.frames[8].truth["cards"][0]["quad"]) for s in (PLAIN, one("knocked"))
    )

    def lean(quad: Any) -> float:
        top = quad[1] - quad[0]
        return float(np.degrees(np.arctan2(top[1], top[0])))

    assert abs(lean(knocked) - lean(plain)) > 3


# --- the camera and its line ------------------------------------------------------------------


def test_a_frozen_picture_is_the_same_to_the_bit_while_time_goes_on() -> None:
    frozen = one("frozen")
    still = [frame for frame in frozen.frames if frame.truth.get("wrong") == "frozen"]
    assert len(still) > 80
    assert all((frame.image == still[0].image).all() for frame in still)
    assert still[-1].t - still[0].t == pytest.approx(3.0, abs=0.1)
    assert not still[0].truth["cards"]


def test_black_and_dark_pictures() -> None:
    black = one("black")
    assert {"black"} == set(wrongs(black))
    dark = [f.image.mean() for f in black.frames if f.truth.get("wrong") == "black"]
    assert len(dark) > 25
    assert max(dark) < 4
    warm = one("warm_up")
    light = [f.image.mean() for f in warm.frames if f.truth.get("wrong") == "warm_up"]
    assert light[0] < 4 < light[-1] < warm.frames[-1].image.mean()


def test_torn_pictures_are_two_cards_or_grey_below() -> None:
    torn, plain = one("torn"), PLAIN
    at = next(i for i, frame in enumerate(torn.frames) if "wrong" in frame.truth)
    a, b = torn.frames[at].image.astype(int), plain.frames[at].image.astype(int)
    assert np.abs(a[:230] - b[:230]).mean() < 4
    assert np.abs(a[250:] - b[250:]).mean() > 6
    quiet = one("torn_grey", params={"percent": 30})
    spoilt = next(frame for frame in quiet.frames if "wrong" in frame.truth)
    assert np.abs(spoilt.image[150:].astype(int) - 128).max() < 8
    for card in spoilt.truth["cards"]:
        assert card["rank_br"]["visible"] == 0


@pytest.mark.parametrize("name", ["stall", "blocked_stream", "gone"])
def test_frames_that_do_not_come(name: str) -> None:
    assert longest_gap(one(name, params={"ms": 2000})) == pytest.approx(2.0, abs=0.08)
    assert longest_gap(PLAIN) == pytest.approx(1 / 30, abs=1e-3)


def test_after_it_was_gone_a_camera_is_dark_at_first() -> None:
    sequence = one("gone")
    back = next(i for i, gap in enumerate(np.diff(times(sequence))) if gap > 1)
    assert sequence.frames[back + 1].image.mean() < 4 < sequence.frames[-1].image.mean()


def test_few_frames_a_second() -> None:
    slow = one("slow_frames", params={"ms": 2000})
    gaps = np.diff(times(slow))
    assert min(gaps[:5]) >= 0.199
    assert max(gaps[:5]) < 0.27


def test_damaged_frames_are_told_and_show_it() -> None:
    hurt, plain = one("jpeg_damage", params={"percent": 60}), PLAIN
    assert 3 < wrongs(hurt).count("damaged") < len(hurt.frames)
    by_time = {round(frame.t, 3): frame.image.astype(int) for frame in plain.frames}
    apart = [
        np.abs(frame.image - by_time[round(frame.t, 3)]).mean()
        for frame in hurt.frames
        if frame.truth.get("wrong") == "damaged" and round(frame.t, 3) in by_time
    ]
    assert max(apart) > 8


# --- the card ---------------------------------------------------------------------------------


def test_fast_and_slow_cards() -> None:
    assert one("fast").truth["v_mm_s"] == 1200
    assert len(with_card(one("fast"))) < len(with_card(PLAIN))
    slow = one("slow")
    assert len(with_card(slow)) > 4 * len(with_card(PLAIN))
    assert min(np.diff(middles(slow))) == pytest.approx(0, abs=0.2)


def test_a_card_off_its_way_askew_or_the_other_way_round() -> None:
    plain, shifted, askew, turned = (
        np.array(s.frames[8].truth["cards"][0]["quad"])
        for s in (PLAIN, one("shift"), one("rotation"), one("upside_down"))
    )
    px = PLAIN.draw.look.optics.px_per_mm
    assert abs((shifted - plain)[:, 1].mean()) == pytest.approx(9 * px, rel=0.1)
    change = abs(one("rotation").truth["theta_deg"] - PLAIN.truth["theta_deg"])
    assert change == pytest.approx(12, abs=0.1)
    assert abs((askew - plain)[0, 1] - (askew - plain)[1, 1]) > 50
    assert turned[0] == pytest.approx(plain[2], abs=20)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("back", "back"), ("joker", "joker"), ("cut_card", "cut"), ("cut_code", "cut")],
)
def test_what_is_no_card_is_to_be_reported_as_none(name: str, kind: str) -> None:
    sequence = one(name)
    assert sequence.expected == ()
    assert sequence.truth["left"] == [kind]
    shown = [card for frame in sequence.frames for card in frame.truth["cards"]]
    assert {card["kind"] for card in shown} == {kind}
    assert all("rank" not in card for card in shown)
    assert any("symbol" in card for card in shown) == (name == "cut_code")


def test_a_cut_card_is_of_one_colour() -> None:
    sequence = one("cut_card")
    whole = [frame for frame in sequence.frames if frame.truth["cards"]]
    frame = whole[len(whole) // 2]
    quad = np.array(frame.truth["cards"][0]["quad"])
    x0, y0 = np.maximum(quad.min(axis=0), 0).astype(int) + 20
    x1, y1 = np.minimum(quad.max(axis=0), (640, 480)).astype(int) - 20
    assert frame.image[y0:y1, x0:x1].astype(int).std(axis=(0, 1)).max() < 25


@pytest.mark.parametrize("name", ["empty", "hand_only"])
def test_nothing_passes(name: str) -> None:
    sequence = one(name)
    assert sequence.expected == ()
    assert sequence.truth["left"] == []
    assert not any(frame.truth["cards"] for frame in sequence.frames)


def test_the_same_face_twice() -> None:
    for name in ("same_again", "again"):
        sequence = one(name)
        assert len(sequence.expected) == 2
        assert len(set(sequence.expected)) == 1
        ways = np.diff(middles(sequence))
        assert sum(ways < -300) == 1
    twins, code = one("same_again", code="qr"), one("again", code="qr")
    texts = [
        {c["symbol"]["text"] for f in s.frames for c in f.truth["cards"]} for s in (twins, code)
    ]
    assert [len(each) for each in texts] == [2, 1]


def test_two_cards_one_behind_the_other_or_one_on_the_other() -> None:
    behind = one("two_behind")
    assert len(set(behind.expected)) == 2
    assert behind.truth["left"] == behind.truth["expected"]
    together = [f for f in behind.frames if len(f.truth["cards"]) == 2]
    assert together
    for frame in together:
        first, second = (np.array(card["quad"])[:, 0] for card in frame.truth["cards"])
        assert first.max() < second.min() + 40 or second.max() < first.min() + 40
    over = one("two_overlapped")
    assert len(over.expected) == 1
    assert len(over.truth["left"]) == 2
    for frame in over.frames:
        if len(frame.truth["cards"]) == 2:
            lower = frame.truth["cards"][0]
            assert lower["card"] != over.truth["expected"][0]
            assert lower["rank"]["visible"] < 0.5
            assert lower["rank_br"]["visible"] == 0


def test_a_card_that_follows_stays_in_the_shoe() -> None:
    sequence = one("following")
    assert sequence.truth["second"]
    assert len(sequence.expected) == 1
    last = [f.truth["cards"] for f in sequence.frames[-3:]]
    assert all(cards[-1]["card"] == sequence.truth["second"] for cards in last)
    assert last[0][-1]["quad"] == last[-1][-1]["quad"]


def test_half_drawn_and_pushed_back() -> None:
    stays, goes = one("half_drawn"), one("pushed_back")
    assert stays.expected == ()
    assert goes.expected == PLAIN.expected
    for sequence in (stays, goes):
        moves = np.diff(middles(sequence))
        assert (moves > 5).any()
        assert (moves < -5).any()
    assert max(middles(goes)) > 300 > max(middles(stays))


def test_a_confusable_card_is_what_the_truth_says() -> None:
    for seed in range(4):
        sequence = one("confusable", frames=2, seed=seed)
        shown = {card["card"] for frame in sequence.frames for card in frame.truth["cards"]}
        assert shown <= set(sequence.truth["expected"])


# --- hands ------------------------------------------------------------------------------------


def visible(sequence: Sequence, *names: str) -> list[float]:
    cards = [card for frame in sequence.frames for card in frame.truth["cards"]]
    return [
        card[n]["visible"] / card[n]["inside"]
        for card in cards
        for n in names
        if card[n]["inside"] > 0.95
    ]


def test_a_finger_on_the_index_covers_part_of_it_all_the_way() -> None:
    covered = visible(one("finger_index", params={"percent": 90}), "rank", "suit")
    assert covered
    assert np.mean(covered) < 0.8
    assert np.mean(visible(PLAIN, "rank", "suit")) == 1


def test_a_finger_on_the_code_covers_part_of_it_all_the_way() -> None:
    hurt, plain = (one(n, code="code128", place="top", fps=60.0) for n in ("finger_code", ""))
    assert np.mean(visible(plain, "symbol")) == 1
    assert 0.2 < np.mean(visible(hurt, "symbol")) < 0.95


@pytest.mark.parametrize("tone", [*TONES])
def test_a_hand_of_every_tone_covers_most_of_the_window(tone: str) -> None:
    sequence = one("hand", params={"tone": tone})
    assert sequence.truth["occluder"] == tone
    bare, covered = PLAIN.frames[0].image.astype(int), sequence.frames[0].image.astype(int)
    changed = np.abs(bare - covered).max(axis=2) > 12
    # A black glove is seen on the dark bed by its sheen alone.
    assert changed.mean() > (0.2 if tone in ("glove-black", "dark") else 0.5)
    assert sequence.expected == ()
    assert sequence.truth["left"] == PLAIN.truth["left"]
