"""The faces the simulated camera sees: drawn from designs, told apart, with codes that decode."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import zxingcpp

from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.design import CARD_MM, DESIGNS, Design, design_of, drawn
from hw_sim.camera.faces import FACES, PIPS, draw_face, index_of
from hw_sim.camera.shapes import suit
from hw_sim.camera.sheets import write_sheet
from hw_sim.camera.stock import Artwork, ArtworkError, Print, Stock, face_named
from hw_sim.camera.symbols import SYMBOLOGIES, Printing, text_of
from hw_sim.codes import CodeError, VirtualCard, is_valid

SCALE = 6.0
READS = {"code128": "Code 128", "qr": "QR Code", "datamatrix": "Data Matrix"}


def index_patch(design: Design, face: str) -> Image:
    """The upper left index and nothing else, grey."""
    rank, suit_ = index_of(design, face).rank, index_of(design, face).suit
    wide = int(max(rank[0] + rank[2], suit_[0] + suit_[2]) * SCALE) + 2
    high = int((suit_[1] + suit_[3]) * SCALE) + 2
    picture = draw_face(design, face, SCALE)[:high, :wide]
    return np.asarray(cv2.resize(picture, (48, 96), interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("name", [*DESIGNS, "seed:1", "seed:2", "seed:3"])
def test_no_two_indices_of_a_design_look_alike(name: str) -> None:
    design = design_of(name)
    seen = {face: index_patch(design, face).astype(int) for face in FACES}
    for i, first in enumerate(FACES):
        for second in FACES[i + 1 :]:
            apart = np.abs(seen[first] - seen[second]).mean()
            assert apart > 2.0, f"{name}: {first} and {second} differ by {apart:.2f} grey levels"


def test_designs_look_different_from_each_other() -> None:
    names = [*DESIGNS]
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            one, two = (
                draw_face(DESIGNS[name], "8H", SCALE).astype(int) for name in (first, second)
            )
            assert np.abs(one - two).mean() > 3.0, (first, second)


def test_a_design_drawn_by_seed_is_the_same_each_time_and_another_by_another_seed() -> None:
    assert drawn(5) == drawn(5)
    assert (draw_face(drawn(5), "KH", SCALE) == draw_face(drawn(5), "KH", SCALE)).all()
    assert drawn(5) != drawn(6)
    with pytest.raises(ValueError, match="there are standard"):
        design_of("baroque")


@pytest.mark.parametrize("letter", list("SHDC"))
@pytest.mark.parametrize("rank", [rank for rank in PIPS if rank != "A"])
def test_a_pip_card_has_as_many_pips_as_it_says(rank: str, letter: str) -> None:
    design = DESIGNS["narrow"]
    picture = draw_face(design, rank + letter, SCALE)
    # Between the two columns of indices there are pips alone.
    left, right = int(9.5 * SCALE), int((CARD_MM[0] - 9.5) * SCALE)
    ink = (picture.astype(int).min(axis=2) < 128).astype(np.uint8)[:, left:right]
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    pips = sum(1 for area in stats[1:count, cv2.CC_STAT_AREA] if area > 40)
    assert pips == {"T": 10}.get(rank, int(rank) if rank.isdigit() else 0)


@pytest.mark.parametrize("face", ["KH", "QS", "JD", "4C", "TS", "2H"])
def test_a_face_reads_the_same_the_other_way_round(face: str) -> None:
    picture = draw_face(DESIGNS["standard"], face, SCALE).astype(int)
    turned = picture[::-1, ::-1]
    assert np.abs(picture - turned).mean() < 1.5


def test_suits_are_four_and_nothing_else_is_one() -> None:
    assert all(suit(letter) for letter in "SHDC")
    with pytest.raises(ValueError, match="S, H, D or C"):
        suit("X")


# --- printed codes ----------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["top", "side", "8,60"])
@pytest.mark.parametrize("symbology", [*SYMBOLOGIES])
@pytest.mark.parametrize("design", ["standard", "jumbo", "serif"])
def test_a_printed_code_decodes_to_its_text(design: str, symbology: str, place: str) -> None:
    if place == "8,60" and symbology == "code128":
        place = "20,60"
    text = text_of(VirtualCard("KH", 7, "A"))
    stock = Stock(10.0)
    made = stock.texture(
        Print("card", DESIGNS[design], "KH", text, Printing(symbology, place=place))
    )
    found = zxingcpp.read_barcodes(np.ascontiguousarray(made.picture[:, :, :3]))
    assert {(str(one.format), one.text) for one in found} == {(READS[symbology], text)}
    assert len(made.symbols) == 2
    for symbol in made.symbols:
        x, y, wide, high = symbol.box
        assert 0 <= x < x + wide <= CARD_MM[0]
        assert 0 <= y < y + high <= CARD_MM[1]


def test_a_code_stands_on_paper_where_artwork_has_a_line_along_its_edge(tmp_path: Path) -> None:
    for face in FACES:
        lined = np.full((440, 315, 3), (235, 245, 250), dtype=np.uint8)
        cv2.rectangle(lined, (0, 0), (314, 439), (10, 10, 10), 8)
        cv2.imwrite(str(tmp_path / f"{face}.png"), lined)
    printing = Printing("code128", place="top")
    text = text_of(VirtualCard("KH", 7, "A"))
    made = Stock(10.0, Artwork(tmp_path)).texture(
        Print("card", DESIGNS["standard"], "KH", text, printing)
    )
    x, y, wide, high = (round(10 * part) for part in made.symbols[0].box)
    symbol = made.picture[y : y + high, x : x + wide, :3]
    assert np.percentile(symbol, 95) > 230
    found = zxingcpp.read_barcodes(np.ascontiguousarray(made.picture[:, :, :3]))
    assert {one.text for one in found} == {text}


def test_a_code_stands_where_the_truth_says() -> None:
    stock, printing = Stock(10.0), Printing("qr", module_mm=0.5, place="20,30", twice=False)
    made = stock.texture(Print("card", DESIGNS["minimal"], "KH", "KH07B", printing))
    bare = stock.texture(Print("card", DESIGNS["minimal"], "KH"))
    changed = (made.picture != bare.picture).any(axis=2)
    x, y, wide, high = made.symbols[0].box
    assert (x, y) == (20.0, 30.0)
    assert made.symbols[0].module_mm == pytest.approx(0.5, rel=0.03)
    rows, columns = np.nonzero(changed)
    # The big letter of this face stood in the quiet zone; nothing else is touched.
    assert rows.min() >= y * 10 - 11
    assert rows.max() <= (y + high) * 10 + 11
    assert columns.min() >= x * 10 - 11
    assert columns.max() <= (x + wide) * 10 + 11


def test_texts_by_template() -> None:
    card = VirtualCard("TS", 3, "B")
    assert text_of(VirtualCard("KH", 7, "A")) == "KH07B"
    assert text_of(card, "{set}{face}{deck}") == "BTS3"
    assert is_valid(text_of(card, "{set}-{face}".replace("-", "") + "{check}"))
    assert text_of(VirtualCard("", 0, "A"), "{set}{face}{deck}{check}").startswith("ACUT")
    with pytest.raises(CodeError, match="no field 'colour'"):
        text_of(card, "{colour}")


# --- faces of another deck --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stem", "face"),
    [
        ("KH", "KH"),
        ("10s", "TS"),
        ("ts", "TS"),
        ("king_of_hearts", "KH"),
        ("10_of_spades", "TS"),
        ("2-of-clubs", "2C"),
        ("ace of diamonds", "AD"),
        ("red_joker", "JOKER"),
        ("back", ""),
        ("11_of_hearts", ""),
        ("readme", ""),
    ],
)
def test_the_face_a_file_names(stem: str, face: str) -> None:
    assert face_named(stem) == face


def test_faces_of_a_folder_are_used_and_missing_ones_named(tmp_path: Path) -> None:
    for number, face in enumerate(FACES):
        flat = np.full((44, 32, 3), (number, 90, 200), dtype=np.uint8)
        cv2.imwrite(str(tmp_path / f"{face}.png"), flat)
    stock = Stock(5.0, Artwork(tmp_path))
    made = stock.texture(Print("card", DESIGNS["standard"], "3S"))
    middle = made.picture[200, 150]
    assert tuple(middle[:3]) == (FACES.index("3S"), 90, 200)
    assert made.index is None
    (tmp_path / "3S.png").unlink()
    with pytest.raises(ArtworkError, match="1 faces are missing, such as 3S"):
        Artwork(tmp_path)


def test_a_sheet_shows_every_design(tmp_path: Path) -> None:
    write_sheet(tmp_path / "one.png", "standard", 2.0, None)
    write_sheet(tmp_path / "all.png", "", 2.0, None)
    one, every = (cv2.imread(str(tmp_path / name)) for name in ("one.png", "all.png"))
    assert one is not None
    assert every is not None
    assert every.shape[0] * every.shape[1] == len(DESIGNS) * one.shape[0] * one.shape[1]
