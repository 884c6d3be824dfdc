"""A simulated camera that runs: frames by the clock, cards as they are drawn, the socket."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import numpy as np
import pytest
import zxingcpp

from hw_sim.camera.cv import Image
from hw_sim.camera.stream import HEADER, JPEG, RAW
from hw_sim.camera.window import damage, decode
from hw_sim.codes import CodeError, OtherCode, VirtualCard
from hw_sim.models.camera import Camera

KING = VirtualCard("KH", 3, "A")


@dataclass(frozen=True)
class Got:
    """A frame as it came over the socket."""

    form: int
    size: tuple[int, int]
    number: int
    at_ns: int
    payload: bytes

    @property
    def image(self) -> Image:
        if self.form == RAW:
            flat = np.frombuffer(self.payload, dtype=np.uint8)
            return flat.reshape(self.size[1], self.size[0], 3)
        picture = decode(self.payload)
        assert picture is not None
        return picture


def got(data: bytes) -> Got:
    magic, form, wide, high, number, at_ns, length = HEADER.unpack(data[: HEADER.size])
    assert magic == b"DSF1"
    assert length == len(data) - HEADER.size
    return Got(form, (wide, high), number, at_ns, data[HEADER.size :])


class Run:
    """A camera and its clock, in ms; no time passes but here."""

    def __init__(self, **options: object) -> None:
        given: dict[str, object] = {"fps": 30, "mm_s": 600, "warm_up_ms": 0, **options}
        self.camera = Camera(**given)  # type: ignore[arg-type]
        self.now = 5_000
        self.camera.start(self.now)

    def pieces(self, ms: int) -> list[bytes]:
        """What it says in so many ms."""
        out, end = [], self.now + ms
        while (wake := self.camera.wake_at_ms) is not None and wake <= end:
            self.now = max(self.now, wake)
            out += [piece.data for piece in self.camera.tick(self.now)]
        self.now = end
        return out

    def frames(self, ms: int) -> list[Got]:
        return [got(data) for data in self.pieces(ms)]

    def card(self, card: VirtualCard = KING, fault: str = "", **params: object) -> None:
        assert self.camera.card(card, self.now, fault, dict(params)) == []


def texts(frames: list[Got]) -> set[str]:
    return {one.text for frame in frames for one in zxingcpp.read_barcodes(frame.image)}


def light(frames: list[Got]) -> list[float]:
    return [float(frame.image.mean()) for frame in frames]


# --- frames by the clock ----------------------------------------------------------------------


def test_an_empty_window_is_shown_all_the_time_and_never_twice_the_same() -> None:
    frames = Run().frames(2_000)
    assert len(frames) == 61
    assert [frame.number for frame in frames] == list(range(1, 62))
    gaps = np.diff([frame.at_ns for frame in frames])
    assert gaps == pytest.approx(1e9 / 30, rel=1e-6)
    assert frames[0].at_ns == 5_000_000_000
    pairs = itertools.pairwise(frames)
    assert all(first.payload != second.payload for first, second in pairs)
    assert {frame.form for frame in frames} == {JPEG}


@pytest.mark.parametrize("code", ["code128", "qr", "datamatrix"])
def test_a_card_that_is_drawn_slides_past_with_its_code(code: str) -> None:
    run = Run(code=code)
    empty = light(run.frames(300))
    run.card()
    frames = run.frames(1_200)
    assert texts(frames) == {KING.code}
    shown = [value > 1.5 * max(empty) for value in light(frames)]
    first, last = shown.index(True), len(shown) - shown[::-1].index(True)
    assert 5 < last - first < 15
    assert all(shown[first:last])
    assert run.camera.state()["window"] == "empty"


def test_cards_queue_and_come_one_after_the_other() -> None:
    run = Run(code="qr", template="{face}{deck:2}")
    cards = [VirtualCard(face, 2, "A") for face in ("2C", "3D", "4H")]
    for card in cards:
        run.card(card)
    seen = [next(iter(found), "") for frame in run.frames(3_000) if (found := texts([frame]))]
    order = [text for i, text in enumerate(seen) if i == 0 or text != seen[i - 1]]
    assert order == ["2C02", "3D02", "4H02"]


def test_without_codes_none_is_printed_and_a_foreign_one_is() -> None:
    bare = Run()
    bare.card()
    assert texts(bare.frames(1_200)) == set()
    foreign = Run(code="code128")
    foreign.card(OtherCode("KH", 3, "A", "8801234567893"))
    assert texts(foreign.frames(1_200)) == {"8801234567893"}


def test_the_cut_card_is_plain_or_has_its_code() -> None:
    cut = VirtualCard("", 0, "A")
    plain, coded = Run(), Run(code="code128")
    for run in (plain, coded):
        run.card(cut)
    assert texts(plain.frames(1_200)) == set()
    assert texts(coded.frames(1_200)) == {cut.code}


def test_frames_that_were_missed_are_left_out() -> None:
    run = Run()
    before = run.frames(200)[-1]
    run.now += 1_000
    after = [got(piece.data) for piece in run.camera.tick(run.now)]
    assert len(after) == 1
    assert after[0].number == before.number + 30
    assert run.now * 1_000_000 - after[0].at_ns < 1e9 / 30


def test_a_card_waits_for_a_simulator_that_comes_late() -> None:
    run = Run(mm_s=300)
    run.card()
    run.frames(300)
    bright: list[float] = []
    while run.camera.busy:
        # Ten frames late each time: none but one of them is lost to the card.
        run.now += 333
        bright += light([got(piece.data) for piece in run.camera.tick(run.now)])
    assert sum(value > 40 for value in bright) >= 4


def test_raw_frames_and_sizes() -> None:
    frame = Run(raw=True, size="320x240").frames(10)[0]
    assert (frame.form, frame.size, len(frame.payload)) == (RAW, (320, 240), 320 * 240 * 3)
    assert frame.image.mean() > 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"code": "ean"}, "code 'ean'"),
        ({"axis": "z"}, "axis 'z'"),
        ({"size": "big"}, "size 'big'"),
        ({"fps": 0}, "fps 1 to 240"),
        ({"mount": 45}, "mount 0, 90"),
        ({"design": "baroque"}, "no design 'baroque'"),
    ],
)
def test_settings_of_no_use_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(CodeError, match=message):
        Run(**options)


# --- troubles of a running camera -------------------------------------------------------------


def test_after_it_is_switched_on_it_is_dark_at_first_and_cards_are_forgotten() -> None:
    run = Run(code="qr", warm_up_ms=400)
    bright = light(run.frames(1_500))
    assert bright[0] < 4 < bright[-1]
    run.card()
    run.frames(150)
    run.camera.start(run.now)
    again = run.frames(1_500)
    assert light(again)[0] < 4
    assert texts(again) == set()
    assert again[0].number == 1


def test_a_frozen_picture_repeats_to_the_bit() -> None:
    run = Run()
    run.card()
    run.frames(250)
    run.camera.do("frozen", {"ms": 1_000}, run.now)
    frames = run.frames(900)
    assert {frame.payload for frame in frames} == {frames[0].payload}
    assert len({frame.at_ns for frame in frames}) == len(frames) > 20
    assert frames[0].image.mean() > 60
    run.frames(200)
    assert len({frame.payload for frame in run.frames(300)}) > 3


def test_a_glitch_with_a_card_strikes_when_it_is_in_the_middle() -> None:
    run = Run()
    run.camera.do("frozen", {"ms": 1_000}, run.now)
    run.card()
    frames = run.frames(1_000)
    bright = light(frames)
    assert bright[0] < 60 < bright[-1]
    assert frames[-1].payload == frames[-5].payload


def test_a_stall_black_and_slow_pictures() -> None:
    run = Run()
    run.frames(100)
    run.camera.do("stall", {"ms": 2_000}, run.now)
    assert run.frames(1_950) == []
    assert run.frames(200)
    run.camera.do("black", {"ms": 500}, run.now)
    assert max(light(run.frames(450))) < 4
    run.frames(100)
    run.camera.do("slow_frames", {"fps": 5, "ms": 4_000}, run.now)
    assert 9 <= len(run.frames(2_000)) <= 11


def test_a_line_that_is_stuck_goes_on_in_the_middle_of_the_frame() -> None:
    run = Run()
    run.frames(100)
    run.camera.do("blocked_stream", {"ms": 1_000}, run.now)
    stuck = run.pieces(950)
    assert len(stuck) == 1
    later = run.pieces(300)
    whole = got(stuck[0] + later[0])
    assert whole.image.shape == (480, 640, 3)
    assert all(got(data) for data in later[1:])


def test_light_and_lens_until_it_is_cleared_or_its_time_is_over() -> None:
    run = Run()
    plain = np.mean(light(run.frames(300)))
    run.camera.do("wrong_exposure", {"percent": 300}, run.now)
    assert np.mean(light(run.frames(2_000))) > 2 * plain
    run.camera.do("calm", {}, run.now)
    assert np.mean(light(run.frames(300))) == pytest.approx(plain, rel=0.05)
    run.camera.do("led_dim", {"hours": 40_000, "ms": 500}, run.now)
    dim = light(run.frames(1_000))
    assert dim[2] < 0.6 * plain
    assert dim[-1] == pytest.approx(plain, rel=0.05)
    assert run.camera.state()["troubles"] == []


def test_damaged_frames_keep_their_headers_true() -> None:
    run = Run()
    run.camera.do("jpeg_damage", {"percent": 100, "ms": 2_000}, run.now)
    run.card()
    frames = run.frames(800)
    whole = Run()
    whole.card()
    sound = whole.frames(800)
    assert [frame.number for frame in frames] == [frame.number for frame in sound]
    assert sum(a.payload != b.payload for a, b in zip(frames, sound, strict=True)) > 5


def test_damage_always_hurts() -> None:
    jpeg, rng = Run().frames(10)[0].payload, random.Random(1)
    assert all(damage(jpeg, rng) != jpeg for _ in range(200))


@pytest.mark.parametrize("fault", ["no_read", "back", "double_read", "pushed_back", "hand"])
def test_how_a_card_can_pass(fault: str) -> None:
    run = Run(code="qr")
    run.card(KING, fault)
    frames = run.frames(2_500)
    read = texts(frames[::2])
    assert read == (set() if fault in ("no_read", "back") else {KING.code}) or fault == "hand"
    run.card()
    assert texts(run.frames(1_500)) == {KING.code}


def test_a_hand_comes_without_a_card() -> None:
    run = Run(code="qr")
    before = np.mean(light(run.frames(200)))
    run.camera.do("hand_only", {"ms": 600, "tone": "pale"}, run.now)
    during = light(run.frames(500))
    assert max(during) > 1.5 * before
    assert np.mean(light(run.frames(2_000))[-5:]) == pytest.approx(before, rel=0.05)
