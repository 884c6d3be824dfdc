"""What the camera's commands were given, checked before a process is started for it: each refusal
names the option and what to write.
"""

from __future__ import annotations

import errno
import math
from collections.abc import Iterable
from pathlib import Path

from station.cli_common import fail

WITNESSES = ("barcode", "index")
DECODERS = ("pyzbar", "zxing", "both")
SYMBOLOGIES = ("code128", "qr", "datamatrix")
TRAVELS = ("auto", "right", "left", "up", "down")
MOST_PX_PER_MM = 100
_SIGNS = (("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C"), (",", " "))
_FILE = {
    errno.ENOENT: (
        "nothing is there; write its whole path",
        "파일이 없습니다. 전체 경로를 적으십시오",
    ),
    errno.EISDIR: ("this is a folder; name a file", "폴더입니다. 파일 이름을 적으십시오"),
    errno.EACCES: (
        "this user may not read it; give it the right",
        "이 사용자에게 읽을 권한이 없습니다. 권한을 주십시오",
    ),
}
_NO_FILE = ("it cannot be read; name another file", "읽을 수 없습니다. 다른 파일을 적으십시오")
_NO_TEXT = ("this is no text; name a text file", "글이 아닙니다. 텍스트 파일을 적으십시오")
_NO_CARDS = (
    "no cards stand in it; write all 52 as they come: AS 2S ... KC",
    "카드가 적혀 있지 않습니다. 나오는 순서대로 52장을 적으십시오: AS 2S ... KC",
)


def check_read(
    read: list[str] | None, decoder: str, symbologies: list[str] | None, travel: str, *, both: bool
) -> None:
    """Refuse what `camera read` cannot do. Raises typer.Exit."""
    for option, given, known in (
        ("--read", read or (), WITNESSES),
        ("--decoder", (decoder,), DECODERS),
        ("--symbology", symbologies or (), SYMBOLOGIES),
        ("--travel", (travel,), TRAVELS),
    ):
        _one_of(option, given, known)
    witnesses = set(read or WITNESSES)
    if both and len(witnesses) < len(WITNESSES):
        raise fail(
            f"--read {' '.join(witnesses)} --both: both witnesses have to read; leave --read out, "
            "or leave --both out"
        )
    if decoder == "pyzbar" and set(symbologies or ()) == {"datamatrix"} and "barcode" in witnesses:
        raise fail("--decoder pyzbar --symbology datamatrix: it reads none; write --decoder zxing")


def _one_of(option: str, given: Iterable[str], known: tuple[str, ...]) -> None:
    for one in given:
        if one not in known:
            raise fail(f"{option} {one}: write {', '.join(known[:-1])} or {known[-1]}")


def check_number(option: str, given: float, most: float = math.inf) -> None:
    """Refuse what cannot be counted with. Raises typer.Exit."""
    if not math.isfinite(given) or given > most:
        limit = f", at most {most:g}" if math.isfinite(most) else ""
        raise fail(f"{option} {given:g}: write a number, such as 9.3{limit}")


def check_second_pass(first: list[Path] | None, second: list[Path] | None, lang: str) -> None:
    """Refuse pictures of the second pass without those of the first. Raises typer.Exit."""
    if second and not first:
        raise fail(
            "--check: 첫 번째 순서의 영상도 필요합니다. --from과 함께 쓰십시오"
            if lang == "ko"
            else "--check: it needs the pictures of the first pass too; give them with --from"
        )


def order_of(file: Path, lang: str) -> list[str]:
    """The faces in a file, by white space or commas; signs and 10 are taken too. Raises
    typer.Exit.
    """
    ko = lang == "ko"
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise fail(f"{file}: {_FILE.get(error.errno or 0, _NO_FILE)[ko]}") from None
    except UnicodeDecodeError:
        raise fail(f"{file}: {_NO_TEXT[ko]}") from None
    for sign, letter in _SIGNS:
        text = text.replace(sign, letter)
    faces = [f"T{one[2:]}" if one.startswith("10") else one for one in text.upper().split()]
    if not faces:
        raise fail(f"{file}: {_NO_CARDS[ko]}")
    return faces
