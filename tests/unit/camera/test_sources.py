"""Where pictures come from: whole ones only, in time, and every end told as what it is."""

from __future__ import annotations

import itertools
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.grabber import Grabbed, Grabber
from drivers.camera.sight import Frame, Image
from drivers.camera.sources.base import Shot, SourceError, Torn, cropped, whole_jpeg
from drivers.camera.sources.files import Film, Images
from drivers.camera.sources.opening import open_source
from drivers.camera.sources.stream import HEADER, Stream
from drivers.catalog import spec_of
from drivers.kinds.camera import EXIT_BUSY, EXIT_LOST, EXIT_MISCONFIGURED, EXIT_MISSING, CameraSpec

WHOLE = (0, 0, 0, 0)


def noise(seed: int = 1, size: tuple[int, int] = (120, 160)) -> Image:
    return np.random.default_rng(seed).integers(0, 255, (*size, 3), dtype=np.uint8)


def jpeg(image: Image) -> bytes:
    good, data = cv2.imencode(".jpg", image)
    assert good
    return bytes(data)


# --- JPEGs ----------------------------------------------------------------------------------


def test_a_whole_jpeg_is_a_picture_also_with_the_zeros_a_camera_fills_up_with() -> None:
    data = jpeg(noise())
    for padded in (data, data + bytes(500)):
        image = whole_jpeg(padded)
        assert not isinstance(image, str)
        assert image.shape == (120, 160, 3)


def test_a_jpeg_cut_short_anywhere_is_no_picture() -> None:
    data = jpeg(noise())
    for at in range(0, len(data) - 2, 97):
        assert isinstance(whole_jpeg(data[:at]), str), at


def test_a_jpeg_whose_lower_half_is_missing_or_anothers_is_no_picture(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """With an end of its own, as a camera's buffer has it; libjpeg fills up with grey, or goes on
    with the other one, and says so only in words. They are not told one by one.
    """
    one, other = jpeg(noise(1)), jpeg(noise(2))
    half = len(one) // 2
    torn = [
        one[:half] + b"\xff\xd9",
        one[:half] + bytes(1000) + b"\xff\xd9",
        one[:half] + other[half:],
        one[:half] + other,
        one[:half] + one[half + 900 :],
    ]
    said = [whole_jpeg(data) for data in torn]
    assert all(isinstance(words, str) for words in said), said
    assert "JPEG" in str(said[0])
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_a_picture_that_ends_in_even_grey_is_torn_and_a_grey_table_is_not(share: float) -> None:
    image, height = noise(), 120
    image[round(height * (1 - share)) :] = 128
    assert "grey" in str(whole_jpeg(jpeg(image)))
    table = np.full((120, 160, 3), 128, np.int16) + (noise(3) % 13).astype(np.int16) - 6
    assert not isinstance(whole_jpeg(jpeg(table.astype(np.uint8))), str)


def test_what_is_printed_meanwhile_by_another_is_passed_on(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    decode = cv2.imdecode

    def noisy(data: Image, how: int) -> Image:
        os.write(2, b"zbar: something\n")
        image = decode(data, how)
        assert image is not None
        return np.asarray(image, dtype=np.uint8)

    monkeypatch.setattr("drivers.camera.sources.base.cv2.imdecode", noisy)
    assert not isinstance(whole_jpeg(jpeg(noise())), str)
    assert capfd.readouterr().err == "zbar: something\n"


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\xff\xd8", b"\xff\xd8\xff\xd9", bytes(500)])
def test_what_is_no_jpeg_is_said_to_be_none(data: bytes) -> None:
    assert isinstance(whole_jpeg(data), str)


def test_the_window_is_cut_out_and_must_fit() -> None:
    image = noise()
    assert np.array_equal(cropped(image, (10, 20, 64, 70)), image[20:90, 10:74])
    assert cropped(image, WHOLE) is image
    with pytest.raises(SourceError, match="160 x 120"):
        cropped(image, (100, 0, 64, 64))


# --- a simulator's pictures ------------------------------------------------------------------


class Simulator:
    """Sends what it is given to whoever connects."""

    def __init__(self, path: Path, *connections: list[bytes]) -> None:
        self.path = path
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(4)
        self._connections = connections
        self.hold = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self.hold.set()
        self._thread.join()
        self._listener.close()

    def _run(self) -> None:
        links = []
        for pieces in self._connections:
            link, _ = self._listener.accept()
            links.append(link)
            for piece in pieces:
                link.sendall(piece)
        self.hold.wait(30)
        for link in links:
            link.close()


def packed(
    image: Image, number: int = 1, at_ns: int | None = None, *, as_jpeg: bool = True
) -> bytes:
    data = jpeg(image) if as_jpeg else image.tobytes()
    high, wide = image.shape[:2]
    taken = time.monotonic_ns() if at_ns is None else at_ns
    form = ord("J") if as_jpeg else ord("B")
    return HEADER.pack(b"DSF1", form, wide, high, number, taken, len(data)) + data


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "camera.sock"


def got(stream: Stream, count: int) -> list[Shot | Torn]:
    found: list[Shot | Torn] = []
    while len(found) < count:
        one = stream.read()
        if one is not None:
            found.append(one)
    return found


def test_the_header_is_as_agreed() -> None:
    assert HEADER.size == 36
    raw = HEADER.pack(b"DSF1", ord("J"), 640, 480, 7, 99, 1234)
    assert raw.hex() == ("445346314a00000080020000e001000007000000000000006300000000000000d2040000")


@pytest.mark.parametrize("as_jpeg", [True, False])
def test_pictures_come_with_number_and_time_whatever_the_pieces(path: Path, as_jpeg: bool) -> None:
    images = [noise(seed) for seed in range(3)]
    data = b"".join(packed(image, n, as_jpeg=as_jpeg) for n, image in enumerate(images))
    pieces = [data[at : at + 1013] for at in range(0, len(data), 1013)]
    simulator = Simulator(path, pieces)
    stream = Stream(str(path), WHOLE)
    shots = [one for one in got(stream, 3) if isinstance(one, Shot)]
    assert [shot.frame.number for shot in shots] == [0, 1, 2]
    for shot, image in zip(shots, images, strict=True):
        assert shot.frame.image.shape == image.shape
        assert as_jpeg or np.array_equal(shot.frame.image, image)
        assert 0 <= time.monotonic_ns() - shot.frame.at_ns < 60_000_000_000
    stream.close()
    simulator.close()


def test_a_time_of_another_clock_is_not_believed(path: Path) -> None:
    simulator = Simulator(path, [packed(noise(), 1, at_ns=5), packed(noise(), 2, at_ns=2**62)])
    stream = Stream(str(path), WHOLE)
    before = time.monotonic_ns() - 60_000_000_000
    for shot in got(stream, 2):
        assert isinstance(shot, Shot)
        assert before < shot.frame.at_ns <= time.monotonic_ns()
    stream.close()
    simulator.close()


BAD = {
    "magic": HEADER.pack(b"DSF2", ord("B"), 10, 10, 1, 1, 300),
    "format": HEADER.pack(b"DSF1", ord("X"), 10, 10, 1, 1, 300),
    "no size": HEADER.pack(b"DSF1", ord("J"), 0, 10, 1, 1, 300),
    "huge": HEADER.pack(b"DSF1", ord("J"), 10, 10, 1, 1, 2**31),
    "huge side": HEADER.pack(b"DSF1", ord("B"), 20_000, 10, 1, 1, 600_000),
    "raw length": HEADER.pack(b"DSF1", ord("B"), 10, 10, 1, 1, 299),
    "no data": HEADER.pack(b"DSF1", ord("J"), 10, 10, 1, 1, 0),
}


@pytest.mark.parametrize("name", BAD)
def test_what_keeps_to_no_header_ends_the_connection_and_another_is_made(
    path: Path, name: str
) -> None:
    first = [packed(noise(1), 1), BAD[name], packed(noise(2), 2)]
    simulator = Simulator(path, first, [packed(noise(3), 3)])
    stream = Stream(str(path), WHOLE)
    before, torn, after = got(stream, 3)
    assert isinstance(before, Shot)
    assert isinstance(torn, Torn)
    assert isinstance(after, Shot)
    assert (before.frame.number, after.frame.number) == (1, 3)
    assert "connected anew" in torn.why
    stream.close()
    simulator.close()


def test_a_torn_jpeg_costs_itself_alone(path: Path) -> None:
    data = jpeg(noise(1))
    half = data[: len(data) // 2]
    head = HEADER.pack(b"DSF1", ord("J"), 160, 120, 1, time.monotonic_ns(), len(half))
    other = HEADER.pack(b"DSF1", ord("J"), 80, 60, 2, time.monotonic_ns(), len(data))
    simulator = Simulator(path, [head + half, other + data, packed(noise(2), 3)])
    stream = Stream(str(path), WHOLE)
    first, second, third = got(stream, 3)
    assert isinstance(first, Torn)
    assert isinstance(second, Torn)
    assert "told as 80 x 60" in second.why
    assert isinstance(third, Shot)
    stream.close()
    simulator.close()


def test_no_picture_is_none_and_an_end_is_a_lost_camera(path: Path) -> None:
    simulator = Simulator(path, [packed(noise(), 1)])
    stream = Stream(str(path), WHOLE)
    assert isinstance(stream.read(), Shot)
    assert stream.read() is None
    simulator.close()
    with pytest.raises(SourceError, match="unplugged") as lost:
        list(itertools.repeat(stream.read(), 1))
    assert lost.value.status == EXIT_LOST


def test_a_camera_another_program_has_hangs_up_at_once(path: Path) -> None:
    simulator = Simulator(path, [])
    stream = Stream(str(path), WHOLE)
    simulator.close()
    with pytest.raises(SourceError, match="another program has the camera") as busy:
        stream.read()
    assert busy.value.status == EXIT_BUSY


def test_nothing_that_listens_is_a_missing_camera(path: Path) -> None:
    with pytest.raises(SourceError, match="no simulator answers") as missing:
        Stream(str(path), WHOLE)
    assert missing.value.status == EXIT_MISSING


# --- files ----------------------------------------------------------------------------------


def test_a_folder_is_shown_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name, seed in (("b.png", 2), ("a.jpg", 1), ("c.bmp", 3)):
        cv2.imwrite(str(tmp_path / name), noise(seed))
    (tmp_path / "a1.jpg").write_bytes(jpeg(noise())[:700])
    (tmp_path / "truth.json").write_text("{}")
    source = Images(str(tmp_path), 200.0, WHOLE)
    found = [source.read() for _ in range(4)]
    assert [type(one) for one in found] == [Shot, Torn, Shot, Shot]
    assert (source.over, source.read()) == (True, None)
    last = found[-1]
    assert isinstance(last, Shot)
    assert np.array_equal(last.frame.image, noise(3))
    assert "4 pictures" in source.what


def test_pictures_of_a_folder_keep_their_pace(tmp_path: Path) -> None:
    for number in range(6):
        cv2.imwrite(str(tmp_path / f"{number}.png"), noise(number))
    source = Images(str(tmp_path), 20.0, WHOLE)
    began = time.monotonic_ns()
    times = [shot.frame.at_ns for _ in range(6) if isinstance(shot := source.read(), Shot)]
    assert all(at - began >= number * 50_000_000 for number, at in enumerate(times))
    assert len(times) == 6


@pytest.mark.parametrize(("make", "status"), [(False, EXIT_MISSING), (True, EXIT_MISCONFIGURED)])
def test_no_folder_and_no_pictures_are_told_apart(tmp_path: Path, make: bool, status: int) -> None:
    place = tmp_path / "pictures"
    if make:
        place.mkdir()
    with pytest.raises(SourceError) as wrong:
        Images(str(place), 20.0, WHOLE)
    assert wrong.value.status == status


def test_a_film_is_shown_to_its_end(tmp_path: Path) -> None:
    path = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (160, 120))
    for seed in range(8):
        writer.write(noise(seed))
    writer.release()
    film = Film(path, 30.0, (0, 0, 100, 100))
    shots = [film.read() for _ in range(8)]
    assert [shot.frame.number for shot in shots if isinstance(shot, Shot)] == list(range(8))
    assert all(shot.frame.size == (100, 100) for shot in shots if isinstance(shot, Shot))
    assert (film.read(), film.over) == (None, True)
    assert "100 pictures a second" in film.what
    film.close()


def test_what_is_no_film_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "film.avi").write_bytes(b"no film")
    with pytest.raises(SourceError, match="no film that can be read"):
        Film(str(tmp_path / "film.avi"), 30.0, WHOLE)


def test_the_port_says_which_source_it_is(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), noise())

    def source(port: str) -> str:
        spec = spec_of({"name": "shoe", "kind": "camera", "port": port})
        assert isinstance(spec, CameraSpec)
        return type(open_source(spec)).__name__

    assert source(f"file:{tmp_path}") == source(f"file:{tmp_path}/one.png") == "Images"
    for port in (f"virtual:{tmp_path}/none", f"file:{tmp_path}/none.mp4", f"{tmp_path}/video9"):
        with pytest.raises(SourceError) as missing:
            source(port)
        assert missing.value.status == EXIT_MISSING


# --- the newest only ------------------------------------------------------------------------


class Feed:
    """A source that gives what it is told to, as fast as it is read."""

    what, over, refused = "a feed", False, ""

    def __init__(self, shots: Iterator[Shot | Torn | None]) -> None:
        self._shots = shots
        self.done = threading.Event()
        self.closed = False

    def read(self) -> Shot | Torn | None:
        try:
            return next(self._shots)
        except StopIteration:
            self.done.set()
            raise SourceError("the end", EXIT_LOST) from None

    def close(self) -> None:
        self.closed = True


def test_only_the_newest_picture_is_kept_and_the_others_are_counted() -> None:
    shots = [Shot(Frame(n, noise(n), n), float(n)) for n in range(50)]
    feed = Feed(iter([*shots, Torn("cut"), Torn("cut")]))
    grabber = Grabber(feed)
    grabber.start()
    assert feed.done.wait(30)
    first = grabber.take(1.0)
    assert first.shot is shots[-1]
    assert (first.dropped, first.torn) == (49, ("cut", "cut"))
    with pytest.raises(SourceError, match="the end"):
        grabber.take(1.0)
    grabber.close()
    assert feed.closed


def test_a_new_picture_that_was_followed_by_its_copy_is_still_new() -> None:
    one, two = noise(1), noise(2)
    shots = [Shot(Frame(n, image, n), None) for n, image in enumerate((one, two, two, two))]
    feed = Feed(iter(shots))
    grabber = Grabber(feed)
    grabber.start()
    assert feed.done.wait(30)
    taken = grabber.take(1.0)
    assert taken.look is not None
    assert not taken.look.same


def test_copies_alone_are_copies() -> None:
    gate = threading.Event()

    def shots() -> Iterator[Shot]:
        yield Shot(Frame(1, noise(1), 1), None)
        gate.wait(30)
        for number in range(2, 9):
            yield Shot(Frame(number, noise(1), number), None)

    feed = Feed(shots())
    grabber = Grabber(feed)
    grabber.start()
    assert grabber.take(30.0).shot is not None
    gate.set()
    assert feed.done.wait(30)
    taken = grabber.take(1.0)
    assert taken.look is not None
    assert taken.look.same


def test_with_nothing_to_take_it_waits_no_longer_than_asked() -> None:
    gate = threading.Event()

    def shots() -> Iterator[Shot]:
        gate.wait(30)
        yield Shot(Frame(1, noise(), 1), None)

    grabber = Grabber(Feed(shots()))
    grabber.start()
    assert grabber.take(0.01) == Grabbed()
    gate.set()
    assert grabber.take(30.0).shot is not None
