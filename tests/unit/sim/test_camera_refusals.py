"""The camera's simulator refuses what cannot be: at once, by name, with what to write, and nothing
is left half done.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from drivers.cardcode import CardCode, CardText, CutText
from hw_sim.camera.sequences import Wish, usual_draw
from hw_sim.camera.troubles_card import another
from hw_sim.cli import app
from hw_sim.codes import CodeError, VirtualCard
from hw_sim.models.camera import Camera

DOCUMENTED = "{rank}{suit}{deck:2}{check}"


def refused(*words: str | Path) -> str:
    """What is said, on one line, of a command that is refused."""
    run = CliRunner().invoke(app, ["camera", *map(str, words)])
    assert run.exit_code == 2, run.output
    assert run.exception is None or isinstance(run.exception, SystemExit)
    (line,) = run.stderr.splitlines()
    return line.removeprefix("hw-sim: ")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("hello", "it does not say which card it is; write {rank}{suit} in it"),
        ("{rank}", "it does not say which card it is; write {rank}{suit} in it"),
        ("{rank}{suit}x", "'x' cannot stand in it; use A-Z, 0-9, "),
        ("{rank}{suit}{", "'{' cannot stand in it; "),
        ("{rank:2}{suit}", "only {deck:1} and {deck:2} have a width"),
        ("{check}{face}", "{check} must be the last thing in it"),
        ("{face}" + "A" * 40, "longer than 40 characters"),
    ],
)
@pytest.mark.parametrize("command", ["render", "stream"])
def test_a_template_that_names_no_card_is_refused_at_once(
    command: str, template: str, said: str, tmp_path: Path
) -> None:
    place = tmp_path / "r"
    line = refused(command, place, "--code", "qr", "--template", template)
    assert line.startswith(f"template {template!r}: ")
    assert said in line
    assert not place.exists()


@pytest.mark.parametrize("follows", [0.0, 1.0])
def test_without_a_deck_number_another_card_of_a_face_bears_the_same_code(follows: float) -> None:
    wish = Wish(code="qr", template="{rank}{suit}", follows=follows)
    draw = usual_draw(random.Random(1), wish)
    face = draw.card.print.face
    assert another(draw, face, random.Random(2)).text == face


@pytest.mark.parametrize("command", ["render", "stream"])
def test_a_code_that_would_stand_beside_the_card_is_refused(command: str, tmp_path: Path) -> None:
    line = refused(command, tmp_path / "r", "--code", "qr", "--place", "60,80")
    assert "off the card's 63 x 88 mm; choose another place" in line
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sheet", "{}/sheet.xyz"), "{}/sheet.xyz: the picture's name ends in .png or .jpg"),
        (("sheet", "{}/none/s.png"), "{}/none/s.png: there is no folder {}/none; make it first"),
        (("render", "{}/file"), "{}/file/img: a part of this path is a file, not a folder; choose"),
        (("render", "{}/r", "--module", "inf"), "--module inf: write a number"),
        (("stream", "{}/file"), "{}/file: there is something here that is no socket; choose"),
        (("stream", "{}/s", "--size", "640x1"), "size '640x1': WIDTHxHEIGHT in px, such as 640x"),
        (("stream", "{}/s", "--code", "ean"), "--code 'ean': none, code128, qr or datamatrix"),
        (("stream", "{}/s", "--place", "corner"), "place 'corner': write top, side or x,y in mm"),
        (("stream", "{}/s", "--pace", "inf"), "--pace inf: write a number"),
        (("stream", "{}/s", "--faces", "{}/no"), "52 faces are missing"),
    ],
)
def test_a_place_or_value_of_no_use_is_named_with_what_to_write(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    given = [word.replace("{}", str(tmp_path)) for word in words]
    if words[0] == "render":
        given += ["--sequences", "1"]
    assert said.replace("{}", str(tmp_path)) in refused(*given)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_sheet_is_written_whole(tmp_path: Path) -> None:
    words = ["camera", "sheet", str(tmp_path / "s.png"), "--design", "minimal", "--scale", "1"]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["s.png"]


def test_a_stream_takes_its_lines_from_a_file_too(tmp_path: Path) -> None:
    """Which cannot be waited for as a terminal can."""
    (tmp_path / "lines").write_text("cut\nKH3\n")
    command = [sys.executable, "-m", "hw_sim.cli", "camera", "stream", str(tmp_path / "s.sock")]
    command += ["--code", "qr", "--template", DOCUMENTED]
    with (tmp_path / "lines").open() as lines:
        ran = subprocess.Popen(command, stdin=lines, stdout=subprocess.PIPE, text=True)
    try:
        assert ran.stdout is not None
        said = [ran.stdout.readline() for _ in range(3)]
    finally:
        ran.terminate()
        ran.communicate(timeout=60)
    assert said == [f"ready port=virtual:{tmp_path}/s.sock\n", "cut CUTG\n", "KH KH03J\n"]


@pytest.mark.parametrize(
    ("template", "card", "cut"), [("", None, None), (DOCUMENTED, DOCUMENTED, "CUT{check}")]
)
def test_the_documented_settings_fit_the_codes_of_a_stream(
    template: str, card: str | None, cut: str | None
) -> None:
    camera = Camera(code="qr", template=template)
    form = CardCode.from_template(card, cut) if card and cut else CardCode.from_template()
    king = form.parse(camera.text(VirtualCard("KH", 3, "A")))
    assert isinstance(king, CardText)
    assert (king.face, king.deck) == ("KH", 3)
    assert isinstance(form.parse(camera.text(VirtualCard("", 0, "A"))), CutText)


def test_a_camera_of_a_template_that_names_no_card_is_none() -> None:
    with pytest.raises(CodeError, match="does not say which card"):
        Camera(template="{deck}")
