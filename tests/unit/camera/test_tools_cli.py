"""What the command line makes of its options before it asks the camera's tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from drivers.camera.asked import AnyAsked
from station import cli_camera
from station import cli_camera_options as options_of
from station.cli import app


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The requests that would have been sent."""
    requests: list[dict[str, Any]] = []

    def ask(request: dict[str, Any]) -> int:
        requests.append(request)
        return 1

    monkeypatch.setattr(cli_camera, "ask", ask)
    return requests


def test_an_order_is_taken_with_signs_with_10_and_with_commas(
    tmp_path: Path, asked: list[dict[str, Any]]
) -> None:
    (tmp_path / "order.txt").write_text("A♠, 10♥\nkd TC 9♦")
    arguments = ["camera", "enroll", "x", "d.npz", "--from", "p", "--order"]
    done = CliRunner().invoke(app, [*arguments, str(tmp_path / "order.txt")])
    assert done.exit_code == 1
    assert asked[0]["order"] == ["AS", "TH", "KD", "TC", "9D"]
    assert asked[0]["paths"] == ["p"]
    assert "spec" not in asked[0]


@pytest.mark.parametrize(
    ("environment", "options", "lang"),
    [
        ({"LANG": "ko_KR.UTF-8"}, [], "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, [], "en"),
        ({"LANG": "ko_KR.UTF-8"}, ["--lang", "en"], "en"),
        ({"LANG": "C.UTF-8"}, ["--language", "ko"], "ko"),
    ],
)
def test_the_language_is_as_asked_else_as_the_machine_speaks(
    environment: dict[str, str],
    options: list[str],
    lang: str,
    asked: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    arguments = ["camera", "enroll", "x", "d.npz", "--from", "p", *options]
    CliRunner().invoke(app, arguments, env=environment)
    assert asked[0]["lang"] == lang


def test_another_language_is_refused(asked: list[dict[str, Any]]) -> None:
    arguments = ["camera", "enroll", "x", "d.npz", "--from", "p", "--language", "fr"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert not asked


def test_a_device_that_is_no_camera_is_named(tmp_path: Path, asked: list[dict[str, Any]]) -> None:
    table = tmp_path / "table.toml"
    table.write_text(
        '[table]\nid = "T01"\n[[devices]]\nname = "shoe"\nkind = "text-line"\nrole = "shoe"\n'
        'port = "/dev/serial/by-id/x"\ncard = "{set}{rank}{suit}{deck}{check}"\n'
        'cut_card = "{set}CUT{check}"\n'
    )
    done = CliRunner().invoke(app, ["camera", "setup", "shoe", "-c", str(table)])
    assert done.exit_code == 2
    assert "shoe is no camera; `dealer-station device test shoe` tries it" in done.stderr
    assert not asked


def test_what_lies_in_the_folder_it_is_called_in_is_no_part_of_the_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit('not the library')")
    monkeypatch.chdir(tmp_path)
    assert cli_camera.ask({"do": "read", "paths": ["none.png"]}) == 2
    assert "none.png" in capfd.readouterr().err


def test_a_name_that_is_no_utf_8_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli_camera.ask({"do": "read", "paths": ["caf\udce9.jpg"]}) == 2
    said = capsys.readouterr().err
    assert said.startswith(r"'caf\udce9.jpg': this name is no UTF-8; ")
    assert "give its folder" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--read", "foo"], "--read foo: write barcode or index"),
        (["--decoder", "foo"], "--decoder foo: write pyzbar, zxing or both"),
        (["--symbology", "ean13"], "--symbology ean13: write code128, qr or datamatrix"),
        (["--travel", "sideways"], "--travel sideways: write auto, right, left, up or down"),
        (["--read", "barcode", "--both"], "--read barcode --both: both witnesses have to read; "),
        (["--read", "index", "--both"], "--read index --both: both witnesses have to read; "),
        (["--decoder", "pyzbar", "--symbology", "datamatrix"], "it reads none; write --decoder"),
        (["--px-per-mm", "inf"], "--px-per-mm inf: write a number, such as 9.3, at most 100"),
        (["--px-per-mm", "101"], "--px-per-mm 101: write a number, such as 9.3, at most 100"),
    ],
)
def test_an_option_of_no_use_is_named_with_what_to_write(
    options: list[str], said: str, asked: list[dict[str, Any]]
) -> None:
    done = CliRunner().invoke(app, ["camera", "read", "p", *options])
    assert done.exit_code == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("dealer-station: --")
    assert said in line
    assert not asked


def test_each_value_the_options_name_is_one_the_tools_take(asked: list[dict[str, Any]]) -> None:
    for option, known in (
        ("--read", options_of.WITNESSES),
        ("--decoder", options_of.DECODERS),
        ("--symbology", options_of.SYMBOLOGIES),
        ("--travel", options_of.TRAVELS),
    ):
        for value in known:
            CliRunner().invoke(app, ["camera", "read", "p", option, value])
            msgspec.convert(asked.pop(), AnyAsked)


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--check", "p2"], {"en": "--check: it needs the pictures of", "ko": "--check: 첫 번째"}),
        (["--order", "none"], {"en": "none: nothing is there; write", "ko": "none: 파일이 없습니"}),
        (["--order", "."], {"en": ".: this is a folder; name a", "ko": ".: 폴더입니다. 파일"}),
        (["--order", "bytes"], {"en": "bytes: this is no text; name", "ko": "bytes: 글이 아닙니"}),
        (["--order", "empty"], {"en": "empty: no cards stand in it", "ko": "empty: 카드가 적혀"}),
    ],
)
def test_what_enrolling_is_given_is_checked_first_and_told_in_the_language(
    options: list[str],
    said: dict[str, str],
    lang: str,
    tmp_path: Path,
    asked: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "empty").touch()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["camera", "enroll", "x", "d.npz", "--lang", lang, *options])
    assert done.exit_code == 2
    (line,) = done.stderr.splitlines()
    assert said[lang] in line
    assert "Errno" not in line
    assert not asked


def test_a_size_without_an_end_is_refused(asked: list[dict[str, Any]]) -> None:
    done = CliRunner().invoke(app, ["camera", "record", "shoe", "d", "--max-mb", "inf"])
    assert (done.exit_code, asked) == (2, [])
    assert "--max-mb inf: write a number" in done.stderr
