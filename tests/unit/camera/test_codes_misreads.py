"""Pictures on which a decoder returned a text that is not printed there; `index.json` says what is
printed and who read what. None of it may come out, whoever decodes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera.codes.judge import judge
from drivers.camera.codes.plain import plain
from drivers.camera.codes.reader import CodeReader, Which
from drivers.camera.cv import cv2
from drivers.camera.sight import Frame, Image, Symbology
from drivers.cardcode import CardCode

FOLDER = Path("tests/data/camera/misreads")
CODE = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=99)
MISREADS: list[dict[str, Any]] = json.loads((FOLDER / "index.json").read_text())


def picture(name: str) -> Image:
    return np.asarray(cv2.imread(str(FOLDER / name)), dtype=np.uint8)


@pytest.mark.parametrize("decoder", ["pyzbar", "zxing", "both"])
@pytest.mark.parametrize("misread", MISREADS, ids=[one["file"] for one in MISREADS])
def test_nothing_comes_out_but_what_is_printed(misread: dict[str, Any], decoder: Which) -> None:
    symbologies: tuple[Symbology, ...] = ("code128", "qr")
    if decoder != "pyzbar":
        symbologies = (*symbologies, "datamatrix")
    reader = CodeReader(decoder, symbologies, budget_ms=600_000)
    looks = reader.look(Frame(0, picture(misread["file"])))
    assert {look.text for look in looks} <= {misread["printed"]}
    verdict = judge([(0, looks), (1, looks)], CODE)
    assert verdict.card is None or verdict.card.text == misread["printed"]


def test_what_is_printed_in_code_128_is_read_where_plain_decoders_saw_something_else() -> None:
    looks = CodeReader(budget_ms=600_000).look(Frame(0, picture("m2_201_7_Code128.png")))
    assert [look.text for look in looks] == ["9H61N"]


def test_plain_decoders_do_return_wrong_texts_here() -> None:
    """Without this the tests above would prove nothing."""
    wrong = 0
    for misread in MISREADS:
        texts = plain(picture(misread["file"]))
        wrong += any(text != misread["printed"] for found in texts.values() for text in found)
    assert wrong >= 6


@pytest.mark.parametrize("decoder", ["pyzbar", "zxing", "both"])
def test_no_fragment_of_a_tilted_interleaved_2_of_5(decoder: Which) -> None:
    """zbar alone reads 860313, 106026 and 10602679 in it."""
    image = picture("i25_truth_10602679_rot8_x1.5.png")
    assert len(set(plain(image)["pyzbar"])) > 1
    assert CodeReader(decoder, ("code128", "qr"), budget_ms=600_000).look(Frame(0, image)) == ()
