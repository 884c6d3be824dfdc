"""A machine without zbar's library reads on, and says what it lacks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from drivers.camera.codes import reader as reader_module
from drivers.camera.codes.judge import judge
from drivers.camera.codes.reader import CodeReader, Which, missing
from drivers.cardcode import CardCode
from tests.support.symbols import Shot, card_region, shoot

CODE = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=99)
SHOT = Shot(module_mm=0.5)
NO_LIBRARY = """
import ctypes.util
find = ctypes.util.find_library
ctypes.util.find_library = lambda name: None if name == "zbar" else find(name)
from drivers.camera.codes.plain import plain
from drivers.camera.codes.reader import CodeReader, missing
from tests.support.symbols import Shot, shoot
frame = shoot("KH07B", "code128", Shot(module_mm=0.5))
reader = CodeReader("both", budget_ms=600_000)
print(missing())
print(reader.trouble == missing(), sorted(reader.decoders))
print([look.text for look in reader.look(frame)], plain(frame.image)["pyzbar"])
"""


def test_without_the_library_everything_imports_and_zxing_reads() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_LIBRARY], capture_output=True, text=True, check=True, timeout=60
    )
    told, states, texts = done.stdout.splitlines()
    assert "libzbar0" in told
    assert states == "True ['zxing']"
    assert texts == "['KH07B'] []"
    assert done.stderr == ""


@pytest.mark.parametrize("decoder", ["both", "pyzbar"])
def test_without_it_one_frame_is_never_enough(
    decoder: Which, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "MISSING", "install libzbar0")
    reader = CodeReader(decoder, ("code128",), budget_ms=600_000)
    assert reader.trouble == "install libzbar0"
    frames = [shoot("KH07B", "code128", SHOT, number) for number in (1, 2)]
    looks = [(frame.number, reader.look(frame, card_region(SHOT))) for frame in frames]
    assert judge(looks[:1], CODE).why in ("one_look", "bad_check")
    assert {decoder for _, seen in looks for look in seen for decoder in look.decoders} == {"zxing"}


def test_who_does_not_want_zbar_does_not_hear_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "MISSING", "install libzbar0")
    assert CodeReader("zxing").trouble == ""


def test_on_this_machine_all_is_there() -> None:
    assert missing() == ""
    assert CodeReader("both").trouble == ""
