"""`camera enroll`: a deck learned from one pass of its cards, and checked on a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from drivers.camera import asked
from drivers.camera.compass import travel_of
from drivers.camera.enrol_words import in_words, order_of, shown, summary, word
from drivers.camera.enrolling import FACES, Enrolment, Outcome, Said, View
from drivers.camera.follow import Follower, Passed
from drivers.camera.index.deck import Deck
from drivers.camera.index.network import ModelError
from drivers.camera.looking import WARNING, opened, spec_from, stopper
from drivers.camera.reading import NoPictures, Sequence, frames_of, sequences
from drivers.camera.refusal_words import check_place, in_lang, of_file, refusal
from drivers.camera.scene import SceneFinder
from drivers.camera.sight import Frame
from drivers.kinds.camera import CameraSpec

NEW_DECK = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
# Sequences up to this length are looked through first for the way the cards go.
_SHORT = 64


def enroll(request: asked.Enroll) -> int:
    """0 when the deck was found safe and written; 1 when it was not. Raises ValueError."""
    file = _file(request.file)
    spec = spec_from(request.spec) if request.spec is not None else None
    px_per_mm = request.px_per_mm or (spec.px_per_mm if spec is not None else 0.0)
    try:
        enrolment = Enrolment(
            request.name,
            request.order or NEW_DECK,
            any_order=request.any_order,
            px_per_mm=px_per_mm or None,
        )
    except ModelError as error:
        raise ValueError(str(error)) from error
    tell = Teller(enrolment, request)
    if request.paths:
        from_pictures(enrolment, request, tell)
    elif spec is not None:
        _from_camera(enrolment, spec, request, tell)
    else:
        raise ValueError("nothing to learn from: a camera's name, or pictures with --from")
    outcome = enrolment.outcome()
    if outcome.safe and outcome.deck is not None:
        save(outcome.deck, file)
    tell.end(outcome, file)
    return 0 if outcome.safe else 1


def save(deck: Deck, file: Path) -> None:
    """Write it, whole or not at all, and down to the disk. Raises ValueError."""
    try:
        deck.save(file)
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ValueError(of_file(file, error)) from error


def _file(name: str) -> Path:
    """Where the deck goes: known before anybody slides 104 cards. Raises ValueError."""
    file = Path(name).absolute()
    if file.suffix != ".npz":
        raise ValueError(refusal("deck_name", path=file))
    check_place(file)
    return file


class Teller:
    """Tells a person or a script how it goes."""

    def __init__(self, enrolment: Enrolment, request: asked.Enroll) -> None:
        self._enrolment = enrolment
        self._json, self._lang = request.as_json, request.lang
        self._any_order, self._files = request.any_order, bool(request.paths)

    def begin(self, what: str) -> None:
        """What is looked at, and how it goes."""
        if self._json:
            self.next()
            return
        _say(in_lang(what, self._lang))
        if not self._files:
            _say(WARNING[self._lang])
        _say(word("begin", self._lang, order=order_of(self._enrolment.order)))
        self.next()

    def said(self, said: Said) -> None:
        """One thing."""
        if self._json:
            _json({"said": said.code, **said.with_})
            return
        _say(in_words(said, self._lang, any_order=self._any_order))

    def next(self) -> None:
        """Which card is asked for."""
        one, (done, _) = self._enrolment, self._enrolment.done_of
        if one.phase == "done":
            return
        if self._json:
            _json({"next": one.next or "", "done": done, "pass": one.phase})
        elif one.next is None:
            _say(word("next_any", self._lang, done=done))
        else:
            _say(word("next", self._lang, face=shown(one.next), done=done))

    def end(self, outcome: Outcome, file: Path) -> None:
        """What it came to."""
        if not self._json:
            for row in summary(outcome, str(file), self._lang):
                _say(row)
            return
        _json(
            {
                "summary": {
                    "safe": outcome.safe,
                    "why": outcome.why,
                    "file": str(file) if outcome.safe else "",
                    "read_before": outcome.before,
                    "read_after": outcome.after,
                    "looks_before": outcome.looks_before,
                    "looks_after": outcome.looks_after,
                    "unread": outcome.unread,
                    "separation": outcome.separation,
                }
            }
        )


# --- from a camera ------------------------------------------------------------------------


def _from_camera(
    enrolment: Enrolment, spec: CameraSpec, request: asked.Enroll, tell: Teller
) -> None:
    stopped = stopper()
    end_s = time.monotonic() + request.seconds if request.seconds else None

    def over() -> bool:
        late = end_s is not None and time.monotonic() >= end_s
        return stopped() or late or enrolment.phase == "done"

    follower = Follower(enrolment.look, None if spec.travel == "auto" else spec.travel)
    with opened(spec, window=True) as pictures:
        tell.begin(f"{spec.name}: {in_lang(pictures.what, request.lang)}")
        for shot in pictures.until(over):
            if shot is not None:
                _passed(enrolment, follower.frame(shot.frame), tell, anew=not pictures.over)
        if pictures.over:
            _passed(enrolment, follower.finish(), tell, anew=False)
        if pictures.lost:
            raise ValueError(pictures.lost)


def _passed(
    enrolment: Enrolment, passed: tuple[Passed[View], ...], tell: Teller, *, anew: bool
) -> None:
    """Cards that passed. `anew`: there is somebody who can show them again."""
    for one in passed:
        for said in enrolment.card(one):
            tell.said(said)
        if anew and enrolment.spoilt and enrolment.phase == "second":
            enrolment.again()
            tell.said(Said("anew"))
        tell.next()


# --- from pictures ------------------------------------------------------------------------


def from_pictures(enrolment: Enrolment, request: asked.Enroll, tell: Teller) -> None:
    """Both passes from files. Where each card has a sequence of its own, a card that is not to be
    learned ends it: nobody can show it again. Raises ValueError.
    """
    first, second = _sequences(request.paths), _sequences(request.check_paths)
    tell.begin(", ".join(request.paths))
    _pass(enrolment, "first", first, tell)
    if enrolment.phase == "second" and second:
        _pass(enrolment, "second", second, tell)


def _pass(enrolment: Enrolment, phase: str, found: list[Sequence], tell: Teller) -> None:
    single = len(found) == FACES
    for sequence in found:
        if enrolment.phase != phase:
            return
        done = enrolment.done_of
        for passed in _cards(enrolment, sequence):
            _passed(enrolment, (passed,), tell, anew=False)
        if not single or enrolment.done_of != done or enrolment.phase != phase:
            continue
        if phase == "first":
            words = {"name": sequence.name, "face": enrolment.next}
            raise ValueError(refusal("not_from_it", **words))
        enrolment.skip()


def _cards(enrolment: Enrolment, sequence: Sequence) -> Iterator[Passed[View]]:
    head: list[Frame] = []
    frames = _whole(sequence)
    for frame in frames:
        head.append(frame)
        if len(head) > _SHORT:
            break
    finder = SceneFinder()
    way = travel_of([finder.find(frame) for frame in head]) if len(head) <= _SHORT else None
    follower = Follower(enrolment.look, way)
    for frame in head:
        yield from follower.frame(frame)
    for frame in frames:
        yield from follower.frame(frame)
    yield from follower.finish()


def _whole(sequence: Sequence) -> Iterator[Frame]:
    """Its pictures. Raises ValueError at a file that is none: with it a card might be left out, and
    those after it would be learned in its stead.
    """
    for frame in frames_of(sequence):
        if isinstance(frame, str):
            raise ValueError(frame)
        yield frame


def _sequences(paths: tuple[str, ...]) -> list[Sequence]:
    try:
        return list(sequences([Path(path) for path in paths]))
    except NoPictures as error:
        raise ValueError(str(error)) from error


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _json(document: dict[str, Any]) -> None:
    _say(msgspec.json.encode(document).decode())
