"""`camera read`: pictures and films from files, one line each, and how well they were read."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from drivers.camera import asked, truth
from drivers.camera.codes.plain import PLAIN
from drivers.camera.reading import Reader, Result, Sequence, sequences
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Decoder, Frame
from drivers.camera.verdict import Codes
from drivers.cardcode import RANKS, SUITS, CardCode, CardText

_DECKS = 99
_CUT = "{check}"


@dataclass
class _Plain:
    """What a plain decoder made of the frames: the first text that looks like a card's."""

    name: Decoder
    ms: list[float] = field(default_factory=list)
    score: truth.Score = field(default_factory=truth.Score)
    invented: int = 0
    card: str = ""

    def take(self, texts: list[str]) -> None:
        """What it read in one frame."""
        for text in texts:
            face = text[:2]
            if len(face) == 2 and face[0] in RANKS and face[1] in SUITS:
                self.card = self.card or face
            else:
                self.invented += 1


def read(request: asked.Read) -> int:
    """One JSON line a sequence; then a summary, if it is known what stands in them. Exit status 1
    if some files could not be read: the others were.
    """
    forms = tuple(_form(template) for template in request.codes)
    if not forms:
        raise ValueError("no form of code: write one such as {set}{rank}{suit}{deck}{check}")
    reader = Reader(
        Seeing(
            codes=forms,
            read=frozenset(request.read),
            alone=request.alone,
            decoder=request.decoder,
            symbologies=request.symbologies,
            travel=None if request.travel == "auto" else request.travel,
            px_per_mm=request.px_per_mm,
            deck=Path(request.deck) if request.deck else None,
        )
    )
    paths = [Path(one) for one in request.paths]
    truths = _truths(request, paths, Codes(forms))
    tally = _Tally(request.plain and bool(truths))
    for sequence in sequences(paths, each=request.each):
        result = reader.read(sequence, tally.watch)
        known = truth.of(sequence, truths)
        answer = tally.add(sequence, result, known)
        _say(_line(result, known, answer))
    if tally.known:
        _say(tally.summary())
    print(tally.words(), file=sys.stderr)  # noqa: T201
    for what in tally.broken:
        print(f"dealer-station: {what}", file=sys.stderr)  # noqa: T201
    return 1 if tally.broken else 0


def _form(template: str) -> CardCode:
    """A form of code. The cut card's form takes the card's check, whatever its word."""
    for cut in ("{set}CUT{check}", "CUT{check}", "CUT"):
        try:
            return CardCode.from_template(template, cut, decks=_DECKS)
        except ValueError:
            continue
    return CardCode.from_template(template, "CUTCARD" + _CUT, decks=_DECKS)


def _truths(request: asked.Read, paths: list[Path], codes: Codes) -> truth.Truths:
    def face_of(text: str) -> str:
        parsed = codes.parse(text)
        return parsed.face if isinstance(parsed, CardText) else ""

    if request.truth == "-":
        return {}
    found: truth.Truths = {}
    places = [Path(request.truth)] if request.truth else [truth.beside(path) for path in paths]
    for place in dict.fromkeys(places):
        if place is not None:
            found |= truth.load(place, face_of)
    return found


class _Tally:
    """Right, unsure, wrong, and times, beside plain decoders on the same frames."""

    def __init__(self, compare: bool) -> None:
        self._plain = [_Plain("pyzbar"), _Plain("zxing")] if compare else []
        self._scores = {"barcode": truth.Score(), "index": truth.Score(), "none": truth.Score()}
        self._ms: list[float] = []
        self._sequences = 0
        self.known = False
        self.broken: list[str] = []

    def watch(self, frame: Frame) -> None:
        """Let the plain decoders see a frame."""
        for one in self._plain:
            start = time.perf_counter()
            texts = PLAIN[one.name](frame.image)
            one.ms.append((time.perf_counter() - start) * 1000)
            one.take(texts)

    def add(
        self, sequence: Sequence, result: Result, known: truth.Truth | None
    ) -> truth.Answer | None:
        """One sequence more; how it was read, if that is known."""
        self._sequences += 1
        self._ms += result.ms
        self.broken += result.broken
        if known is None:
            return None
        self.known = True
        answer = truth.answer_of(known, result)
        self._scores[known.by].add(known, answer)
        for one in self._plain:
            cards = (one.card,) if one.card else ()
            one.score.add(known, truth.judge(known, cards))
            one.card = ""
        return answer

    def summary(self) -> dict[str, Any]:
        """Of all: counts, times in milliseconds a frame."""
        total = [sum(getattr(s, a) for s in self._scores.values()) for a in _ANSWERS]
        summary: dict[str, Any] = dict(zip(_ANSWERS, total, strict=True))
        summary["sequences"] = self._sequences
        summary["ms"] = _times(self._ms)
        for by in ("barcode", "index"):
            score = asdict(self._scores[by])
            if any(score.values()):
                summary[by] = score
        for one in self._plain:
            counts = {answer: getattr(one.score, answer) for answer in _ANSWERS}
            counts["other_texts"] = one.invented
            summary[f"plain_{one.name}"] = {**counts, "ms": _times(one.ms)}
        return {"summary": summary}

    def words(self) -> str:
        """The summary for a person."""
        times = _times(self._ms)
        head = f"{self._sequences} sequences, {len(self._ms)} frames"
        pace = f"{times['p50']} ms a frame at the median, {times['p99']} at p99"
        if not self.known:
            return f"{head}; {pace}"
        rows = [f"{head}: {_words(*self._scores.values())}; {pace}"]
        for by in ("barcode", "index"):
            score = self._scores[by]
            if score.readable:
                share = 100 * score.readable_right / score.readable
                rows.append(
                    f"  {by}: of {score.readable} that show it whole in two frames "
                    f"{score.readable_right} read ({share:.0f} %)"
                )
        for one in self._plain:
            times = _times(one.ms)
            rows.append(f"  plain {one.name}: {_words(one.score)}; {times['p50']} ms a frame")
        return "\n".join(rows)


_ANSWERS = ("right", "unsure", "wrong")


def _words(*scores: truth.Score) -> str:
    counts = [sum(getattr(score, answer) for score in scores) for answer in _ANSWERS]
    return ", ".join(f"{count} {answer}" for count, answer in zip(counts, _ANSWERS, strict=True))


def _times(ms: list[float]) -> dict[str, float]:
    if not ms:
        return {"p50": 0.0, "p99": 0.0}
    ordered = sorted(ms)
    return {
        "p50": round(median(ordered), 2),
        "p99": round(ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], 2),
    }


def _line(result: Result, known: truth.Truth | None, answer: truth.Answer | None) -> dict[str, Any]:
    line: dict[str, Any] = {
        "path": _utf8(result.name),
        "frames": result.frames,
        "card": result.cards[0] if result.cards else None,
        "code": next((code for code in result.codes if code), None),
        "cards": result.cards,
        "by": result.by,
        "cut_card": result.cut_card,
        "unsure": result.unsure or None,
        "detail": result.detail,
        "ms": _times(list(result.ms)),
    }
    if result.broken:
        line["broken"] = [_utf8(what) for what in result.broken]
    if known is not None:
        line |= {"expected": known.expected, "answer": answer}
    return line


def _utf8(text: str) -> str:
    """A file's name as JSON can hold it: bytes that are no UTF-8 are written out as \\udcff."""
    return text.encode("utf-8", "backslashreplace").decode()


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
    sys.stdout.flush()
