"""`camera setup`: look through a camera, measure, and say what to change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from drivers.camera import asked
from drivers.camera.advice import Advice, advise, exposure_wanted, ready
from drivers.camera.advice_words import figures, headed, in_words
from drivers.camera.cv import cv2
from drivers.camera.looking import WARNING, Pictures, opened, spec_from, stopper
from drivers.camera.marked import marked, window_to_write
from drivers.camera.measured import Measured
from drivers.camera.measuring import Indices, Measurer
from drivers.camera.private_files import replace_with
from drivers.camera.refusal_words import check_place, in_lang, of_file, refusal
from drivers.kinds.camera import CameraSpec

EVERY_S = 0.5
_PICTURES = (".png", ".jpg", ".jpeg")
_QUALITY = 92


def setup(request: asked.Setup) -> int:
    """0 when the camera is ready for a table, 1 when something must be changed first."""
    spec = spec_from(request.spec)
    picture = Path(request.picture) if request.picture else None
    if picture is not None and picture.suffix.lower() not in _PICTURES:
        raise ValueError(refusal("picture_name", path=picture))
    if picture is not None:
        check_place(picture)
    measurer = Measurer(spec, indices_of(spec))
    show = _Show(spec, request)
    with opened(spec) as pictures:
        show.begin(pictures, measurer.trouble)
        _look(measurer, pictures, request.seconds, stopper(), show)
        measurer.finish()
        m = _measured(measurer, pictures)
        values = pictures.values
    if not m.looked and m.lost and spec.virtual:
        raise ValueError(m.lost)  # No cable's fault: what the file names is of no use.
    if picture is not None:
        _write(picture, measurer, m, spec)
    advice = advise(spec, m)
    show.end(m, advice, settings(spec, m, values), _where(picture, measurer))
    return 0 if ready(advice) else 1


def _look(
    measurer: Measurer,
    pictures: Pictures,
    seconds: float,
    stopped: Callable[[], bool],
    show: _Show,
) -> None:
    end_s = time.monotonic() + seconds if seconds else None
    shown_s = time.monotonic()

    def over() -> bool:
        return stopped() or (end_s is not None and time.monotonic() >= end_s)

    for shot in pictures.until(over):
        if shot is not None:
            measurer.picture(shot.frame)
        now_s = time.monotonic()
        if show.wanted and now_s - shown_s >= EVERY_S:
            shown_s = now_s
            show.now(_measured(measurer, pictures))


def _measured(measurer: Measurer, pictures: Pictures) -> Measured:
    return measurer.measured(
        seconds=pictures.seconds,
        fps=pictures.fps,
        came=pictures.came - pictures.torn,
        torn=pictures.torn / max(1, pictures.came),
        refused=pictures.refused,
        drifted=pictures.drifted,
        lost=pictures.lost,
    )


def indices_of(spec: CameraSpec) -> Indices | None:
    """The reader of indices, where the settings want one. Raises ValueError for a deck's file that
    is none, or where the reader's own files are missing.
    """
    if "index" not in spec.read:
        return None
    from drivers.camera.index.deck import DeckError, load_deck
    from drivers.camera.index.network import ModelError
    from drivers.camera.index.reader import IndexReader

    try:
        deck = load_deck(Path(spec.deck)) if spec.deck else None
        return IndexReader(deck=deck, px_per_mm=spec.px_per_mm or None)
    except (DeckError, ModelError) as error:
        raise ValueError(str(error)) from error


def settings(spec: CameraSpec, m: Measured, values: dict[str, int]) -> dict[str, Any]:
    """What to write into the table's file, as it was found; what is not known is left out."""
    found: dict[str, Any] = {}
    if m.travel is not None:
        found["travel"] = m.travel
    if m.px_per_mm is not None:
        found["px_per_mm"] = round(m.px_per_mm, 1)
    window = window_to_write(m)
    if window is not None:
        found["window"] = list(window)
    if m.card_pictures:
        found["exposure_us"] = exposure_wanted(spec, m)
    if m.size != spec.size and m.looked:
        found["size"] = list(m.size)
    for name in ("gain", "white_balance", "focus"):
        had = getattr(spec, name)
        value = values.get(name, -1) if had < 0 else had
        if value >= 0:
            found[name] = value
    return found


def fragment(name: str, found: dict[str, Any], lang: asked.Lang, note: str = "") -> str:
    """The settings as lines to paste into the device's entry. `note`: a remark beneath them."""
    rows = [_INTO[lang].format(name)]
    for key, value in found.items():
        shown = f'"{value}"' if isinstance(value, str) else str(value)
        rows.append(f"{key} = {shown}")
    if note:
        rows.append(f"# {note}")
    return "\n".join(rows)


def _write(path: Path, measurer: Measurer, m: Measured, spec: CameraSpec) -> None:
    """The picture with its marks. Raises ValueError when it cannot be written."""
    marks = measurer.best
    if marks is None:
        return
    image = marked(marks, m, spec.window)
    flags = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY] if path.suffix.lower() != ".png" else []
    good, data = cv2.imencode(path.suffix.lower(), image, flags)
    try:
        if not good:
            raise OSError("it cannot be encoded")
        replace_with(path, bytes(data))
    except OSError as error:
        raise ValueError(of_file(path, error)) from error


def _where(picture: Path | None, measurer: Measurer) -> str:
    return str(picture) if picture is not None and measurer.best is not None else ""


class _Show:
    """Tells a person, on a terminal, or a script what is measured."""

    def __init__(self, spec: CameraSpec, request: asked.Setup) -> None:
        self._spec, self._lang, self._json = spec, request.lang, request.as_json
        self._seconds = request.seconds
        self._live = not request.as_json and sys.stdout.isatty()
        self.wanted = self._json or self._live

    def begin(self, pictures: Pictures, trouble: str) -> None:
        """What is looked at."""
        if self._json:
            return
        _say(f"{self._spec.name}: {in_lang(pictures.what, self._lang)}")
        _say(WARNING[self._lang])
        if trouble:
            _say(in_lang(trouble, self._lang))
        if self._live and not self._seconds:
            _say(_CTRL_C[self._lang])

    def now(self, m: Measured) -> None:
        """How it is at this moment."""
        if self._json:
            _json({"figures": msgspec.to_builtins(m)})
            return
        first = next((one for one in advise(self._spec, m) if one.must), None)
        told = f"→ {in_words(first, self._lang)}" if first is not None else ""
        columns = _columns() - 1
        rows = [_fitted(row, columns) for row in (figures(m, self._lang), told)]
        # Both lines anew, and back to where the first begins.
        sys.stdout.write(f"\r\x1b[2K{rows[0]}\n\x1b[2K{rows[1]}\x1b[1A\r")
        sys.stdout.flush()

    def end(
        self, m: Measured, advice: tuple[Advice, ...], found: dict[str, Any], picture: str
    ) -> None:
        """What it comes to."""
        if self._json:
            told = [
                {**msgspec.to_builtins(one), "en": in_words(one, "en"), "ko": in_words(one, "ko")}
                for one in advice
            ]
            summary = {
                "ready": ready(advice),
                "figures": msgspec.to_builtins(m),
                "advice": told,
                "settings": found,
                "picture": picture,
            }
            _json({"summary": summary})
            return
        if self._live:
            sys.stdout.write("\r\x1b[J")
        _say(figures(m, self._lang))
        for one in advice:
            _say(headed(one, self._lang))
        _say(_READY[ready(advice), self._lang])
        if picture:
            _say(_PICTURE[self._lang].format(picture))
        if found:
            _say("")
            note = "" if "window" in found else _NO_WINDOW[m.window is not None, self._lang]
            _say(fragment(self._spec.name, found, self._lang, note))


_INTO = {
    "en": "# camera {!r}: into its [[devices]] entry",
    "ko": "# 카메라 {!r}: 해당 [[devices]] 항목에 붙여 넣으십시오",
}
_NO_WINDOW = {
    (True, "en"): "no window: it would leave out too little, or no index is wholly in sight",
    (True, "ko"): "window 없음: 줄여도 거의 같거나, 온전히 보이는 인덱스가 없습니다",
    (False, "en"): "no window: which way cards go, or their size, is not known yet",
    (False, "ko"): "window 없음: 카드의 방향이나 크기를 아직 모릅니다",
}
_CTRL_C = {
    "en": "Slide cards through the window; Ctrl-C ends and sums up.",
    "ko": "카드를 창으로 밀어 보십시오. Ctrl-C로 끝내면 정리해 보여 줍니다.",
}
_READY = {
    (True, "en"): "Ready: nothing must be changed.",
    (True, "ko"): "준비되었습니다. 반드시 고칠 것은 없습니다.",
    (False, "en"): "Not ready: change what is marked MUST, then run this again.",
    (False, "ko"): "아직 준비되지 않았습니다. '필수'를 고친 뒤 다시 실행하십시오.",
}
_PICTURE = {
    "en": "picture with its marks: {} (it shows cards: delete it when done)",
    "ko": "표시한 그림: {} (카드가 보입니다. 다 쓰면 지우십시오)",
}


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _json(document: dict[str, Any]) -> None:
    _say(msgspec.json.encode(document).decode())


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def _fitted(text: str, columns: int) -> str:
    """Cut to the terminal's width; Korean letters take two columns."""
    import unicodedata

    used = 0
    for index, letter in enumerate(text):
        used += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if used > columns:
            return text[:index]
    return text
