"""All of the reader for one camera: frames in, what passed the window out.

A card is told when it is out of the shoe (its end has been seen) and its witnesses agree; it is
told once. One that passed and was not read is told as that. While two cards are in the window only
the one in front is read: the other one may not be drawn.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from drivers.camera.compass import Compass, placed
from drivers.camera.cutcards import is_cut_card
from drivers.camera.doubles import Looks, another_index
from drivers.camera.hands import Hands, Rest
from drivers.camera.keeper import Keeper
from drivers.camera.looker import Looker
from drivers.camera.passing import ALL_THE_WAY, DARK_FRAMES, ON_ITS_WAY, against, counts, is_back
from drivers.camera.presence import Presence
from drivers.camera.rows import parted
from drivers.camera.scale import Scale
from drivers.camera.scene import SceneFinder
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame, Region, Regions, Scene, Travel
from drivers.camera.still import changed, still
from drivers.camera.strangers import Strangers
from drivers.camera.telling import Card, Teller
from drivers.camera.tracks import Gone, Thing, Track
from drivers.camera.verdict import Codes, Witnesses
from drivers.protocols import camera_lines as lines

_NO_WAY = "it is not known yet which way cards go"
_MS = 1_000_000
# How long the second witness is waited for when the first is sure.
_PATIENCE_NS = 400 * _MS
_QUIET_FRAMES = 5
_WAITING_FRAMES = 24
_PASSED_FRAMES = 3
_AT_FAR_END = 0.98
_EVEN = 0.01
# Of the picture: of a thing that is not seen so much is where another one is.
_COVERED = 0.05
# Who has come no farther may stand in the shoe's mouth still.
_SHOWN = 0.3


class Pipeline:
    """`frame` for each picture, in order; `interrupted` when pictures were missing in between."""

    def __init__(
        self,
        seeing: Seeing,
        *,
        index: Looks | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._seeing, self._scenes = seeing, SceneFinder()
        self._scale = Scale(seeing.px_per_mm)
        self._looker = Looker(seeing, self._scale, self._scenes.lamp, index=index, clock=clock)
        self._teller = Teller(Keeper(seeing.folder))
        self._hands, self._rest, self._strangers = Hands(), Rest(), Strangers()
        self._compass = Compass()
        self._travel = seeing.travel
        # A way that was found out counts when a card has gone all of it: one that is shown from the
        # table comes in and goes out by the same side.
        self._gone_through = seeing.travel is not None
        self._row: Presence[Regions] = Presence()
        self._darks: Presence[Regions] = Presence()
        self._cards: dict[tuple[bool, int], Card] = {}
        self._waiting: deque[Scene] = deque(maxlen=_WAITING_FRAMES)
        self._print: bytes = b""
        self._quiet = self._passed = 0
        self._left = self._in_mouth = False
        # The code told last, and who was in the window then.
        self._last: tuple[str, frozenset[int]] = ("", frozenset())
        self.scene: Scene | None = None

    @property
    def trouble(self) -> str:
        """Why pictures cannot be kept, "" if they can."""
        return self._teller.trouble

    def keep(self, on: bool) -> None:
        """Whether pictures of cards are kept from here on."""
        self._teller.keep(on)

    @property
    def travel(self) -> Travel | None:
        """Which way cards go, None until one has gone through."""
        return self._travel if self._gone_through else None

    def frame(self, frame: Frame) -> tuple[lines.Event, ...]:
        """The next picture. One that equals the last bit by bit shows nothing new."""
        frame = self._windowed(frame)
        sample = frame.image[::16, ::16].tobytes()
        if sample == self._print:
            return ()
        self._print = sample
        scene = self._scenes.find(frame)
        self.scene = scene
        self._learn(scene)
        events = [*self._hands.watch(scene), *self._from_mouth(scene)]
        if self._travel is None:
            return (*events, *self._find_way(scene))
        return (*events, *self._step(scene))

    def interrupted(self) -> tuple[lines.Event, ...]:
        """Pictures were missing: whoever is in the window is not read any more, now or later. What
        was out of the shoe is told as missed; what stood in its mouth may stand there still.
        """
        events: list[lines.Event] = []
        self._teller.interrupted(self._cards.values())
        self._strangers.interrupted()
        if self._travel is not None and not self._gone_through:
            # No picture is kept: it is not known which card was drawn and which stood in the mouth.
            rows = ((self._row, False), (self._darks, True))
            there = [(track, dark) for row, dark in rows for track in row.interrupted()]
            cards = [(one, self._cards.get((one[1], one[0].number))) for one in there]
            came = [card for one, card in cards if card is not None and self._counts(*one, card)]
            self._forget_way()
            self._print = b""
            return tuple(
                lines.Missed(reason="unread", detail=_NO_WAY, at_ns=card.frame_ns)
                for card in came[:1]
            )
        for row, dark in ((self._row, False), (self._darks, True)):
            for track in row.interrupted():
                card = self._cards.pop((dark, track.number), None)
                if card is None or card.told is not None:
                    continue
                if track.out and self._counts(track, dark, card):
                    words = "the picture was interrupted"
                    events.append(self._teller.missed(card, "unread", "", words))
                elif not track.out and (not dark or track.came):
                    self._in_mouth = True
        events += self._lost()
        self._print = b""
        return tuple(events)

    def finish(self) -> tuple[lines.Event, ...]:
        """There are no more pictures: a card in front that is read is told."""
        events: list[lines.Event] = []
        if self._travel is None:
            self._travel = self._compass.best()
            waiting = tuple(self._waiting)
            if self._travel is None:
                events += still(waiting, self._looker, self._teller, self._new)
                return tuple(events)
            for scene in waiting:
                if not self._lost_way():
                    events += self._step(scene)
        row = [(False, track) for track in self._row.finish()]
        darks = [(True, track) for track in self._darks.finish() if self._proven(track)]
        there = sorted(row + darks, key=lambda one: -(one[1].last.high + one[1].last.low))
        for dark, track in there[:1]:
            card = self._cards.get((dark, track.number))
            # Behind one that has left, the next one stands in the mouth: it is not drawn.
            passed = track.drawn or not self._left
            if card is None or not passed or card.told is not None or track.stale:
                continue
            events += self._teller.told(card, track.came)
        return tuple(events)

    # --- one frame ------------------------------------------------------------------------

    def _windowed(self, frame: Frame) -> Frame:
        x, y, w, h = self._seeing.window
        if not w:
            return frame
        return Frame(frame.number, frame.image[y : y + h, x : x + w], frame.at_ns)

    def _learn(self, scene: Scene) -> None:
        self._quiet = 0 if scene.regions else self._quiet + 1
        if self._quiet >= _QUIET_FRAMES:
            self._scenes.learn(scene.frame)
        if self._rest.lasts(scene) and not (self._row.row or self._darks.row):
            # The window is not what it was: the lamp was changed, or a hand lay there before.
            self._scenes.forget()
            self._scenes.learn(scene.frame)

    def _find_way(self, scene: Scene) -> list[lines.Event]:
        """The way is not known yet: watch, and go through what was seen once it is. A card that has
        passed before that is told as missed: it must not be told when the next one comes.
        """
        cards = any(region.kind != "other" for region in scene.regions)
        self._passed = 0 if cards else self._passed + 1
        if cards or not self._waiting:
            self._waiting.append(scene)
        self._travel = self._compass.watch(scene)
        if self._travel is None:
            return self._lost() if self._passed >= _PASSED_FRAMES else []
        waiting, events = tuple(self._waiting), []
        self._waiting.clear()
        for earlier in waiting:
            if not self._lost_way():
                events += self._step(earlier)
        return events

    def _lost(self) -> list[lines.Event]:
        """What was seen before the way was known is gone. No picture is kept: it is not known
        either which card was drawn and which stood in the shoe's mouth.
        """
        waiting, card, seen = tuple(self._waiting), self._new(), 0
        self._waiting.clear()
        for scene in waiting:
            if any(region.kind != "other" for region in scene.regions):
                card.frame_ns, seen = scene.frame.at_ns, seen + 1
        some_way = seen >= DARK_FRAMES and (self._compass.moved or changed(waiting))
        if not seen or not (some_way or self._compass.best() is not None):
            return []
        return [self._teller.missed(card, "unread", "", _NO_WAY)]

    def _step(self, scene: Scene) -> list[lines.Event]:
        assert self._travel is not None
        frame, things = scene.frame, placed(scene, self._travel)
        events: list[lines.Event] = []
        found = parted(things, self._row.row, self._darks.row)
        for track in found.shown:
            self._shown(track)
        for row, dark, there in ((self._row, False, found.cards), (self._darks, True, found.darks)):
            step = row.frame(frame.number, there)
            for track in step.came:
                before = self._strangers.before(track.last)
                if before is not None and not track.came:
                    track.came, track.moved = True, track.moved + before.moved
                    track.seen += before.seen
            for track in step.apart:
                self._doubt(track, dark)
            for track in step.fronts:
                self._followed(track, dark)
            for track in step.here:
                if track.last_frame == frame.number:
                    self._see(track, dark, frame)
            for track, how in step.gone:
                events += self._gone(track, dark, how)
            if self._lost_way():
                return events
            for track in step.here:
                events += self._tell(track, dark, frame)
            self._forget(row, dark)
        darks = [one for one in self._darks.row if one.came and one.furthest > ON_ITS_WAY]
        known = [*self._row.row, *darks]
        busy = bool(events) or any(one.hidden == 0 for one in known)
        if self._strangers.watch(frame, things, self._travel, busy=busy):
            words = "something passed that is not known"
            events.append(lines.Missed(reason="unread", detail=words, at_ns=frame.at_ns))
        return events

    def _shown(self, track: Track[Regions]) -> None:
        """What was taken for something else has shown to be a card: it is one from now on."""
        card = self._cards.pop((True, track.number), None)
        self._darks.leave(track)
        self._row.join(track)
        if card is not None:
            self._cards[(False, track.number)] = card

    def _see(self, track: Track[Regions], dark: bool, frame: Frame) -> None:
        card = self._cards.setdefault((dark, track.number), self._new())
        card.frame_ns = frame.at_ns
        regions = track.last.what
        if card.left and card.unread:
            # Told to be gone unread, it is there again: it is read like one shown from the table.
            card.told, track.came = None, False
        card.left = False
        if dark:
            solid = self._is_cut(regions[0])
            card.solid += solid
            card.patterned += not solid
        elif track.alone and not track.stale:
            self._measure(card, track, frame)
        if self._in_front(track, dark) and not track.stale and not self._covers(track, dark):
            self._looker.look(card, frame, regions)
        elif dark:
            card.shots.take(frame, regions, 0.0)

    def _in_front(self, track: Track[Regions], dark: bool) -> bool:
        """Whether no other thing is before it in the window that may be the card that is drawn."""
        if not track.alone:
            return False
        if dark:
            return not any(one.hidden == 0 for one in self._row.row)
        before = [one for one in self._darks.row if one.last.low > track.last.low]
        return not any(self._proven(one) or self._solid(one) for one in before)

    def _covers(self, track: Track[Regions], dark: bool) -> bool:
        """Whether one that is not seen in this frame must be part of what is taken for this one."""
        row = self._darks.row if dark else self._row.row
        hidden = [one for one in row if one is not track and one.hidden > 0]
        covered = [one for one in hidden if _common(one.last, track.last) > _COVERED]
        for one in covered:
            # It is as fast as the one it lies close behind.
            one.covered, one.fastest = True, max(one.fastest, track.fastest)
        return bool(covered)

    def _doubt(self, track: Track[Regions], dark: bool) -> None:
        """What was read of it may stand on the one behind it, which is not drawn yet."""
        card = self._cards.get((dark, track.number))
        if card is not None and card.told is None:
            card.forget()

    def _followed(self, track: Track[Regions], dark: bool) -> None:
        """Its front had left and is there again: it went back, or it is the next card's. Where it
        was read before that, the next looks tell.
        """
        card = self._cards.get((dark, track.number))
        if card is not None and card.told is None and not card.witnesses.frames():
            card.witnesses.double()

    def _proven(self, track: Track[Regions]) -> bool:
        """Whether a thing without paper's white has been read: it is a card in coloured light."""
        card = self._cards.get((True, track.number))
        return card is not None and bool(card.witnesses.frames())

    def _solid(self, track: Track[Regions]) -> bool:
        """Whether it came like a card and is of one colour: a cut card, told or not."""
        card = self._cards.get((True, track.number))
        return card is not None and track.came and card.solid > card.patterned

    def _is_cut(self, region: Region) -> bool:
        scenes, colour = self._scenes, self._seeing.cut_colour
        shown = scenes.lamp.balanced(region.paper)
        return scenes.white_light() and is_cut_card(region, shown, colour, scenes.bed())

    def _measure(self, card: Card, track: Track[Regions], frame: Frame) -> None:
        """Count the frames in which it is longer than a card: whole, and both ends on their way."""
        low, high = card.reach
        card.reach = track.last.low, track.last.high
        both = min(track.last.low - low, track.last.high - high)
        even = abs((track.last.high - track.last.low) - (high - low)) < _EVEN
        if self._scale.too_long(track.last, frame, self._travel) and both > _EVEN and even:
            card.witnesses.longer()

    def _new(self) -> Card:
        seeing = self._seeing
        return Card(Witnesses(Codes(seeing.codes), seeing.read, seeing.alone))

    # --- telling --------------------------------------------------------------------------

    def _tell(self, track: Track[Regions], dark: bool, frame: Frame) -> list[lines.Event]:
        card = self._cards[(dark, track.number)]
        if track.stale or not self._gone_through:
            return []
        verdict = card.witnesses.verdict
        if dark and not (verdict.face or verdict.cut):
            enough = card.solid >= DARK_FRAMES and card.solid > card.patterned
            enough = enough and not card.glimpsed and track.came and track.moved > ON_ITS_WAY
            return self._teller.cut(card) if enough and track.drawn and card.told is None else []
        if card.told is not None:
            return self._teller.dispute(card, verdict)
        if self._told_already(card, track):
            return []
        out = track.surely if self._seeing.tell == "out" else track.moved > 0
        waited = frame.at_ns - card.agreed_ns >= _PATIENCE_NS
        sure = verdict.sure and len(card.witnesses.frames()) > 1
        if (
            (verdict.face or verdict.cut)
            and out
            and (sure or waited)
            and self._in_front(track, dark)
        ):
            return self._told(card, track)
        return []

    def _told(self, card: Card, track: Track[Regions]) -> list[lines.Event]:
        """Say what it is, and keep in mind which code that was."""
        self._doubled(card)
        events = self._teller.told(card, track.came)
        code = card.witnesses.verdict.card
        there = frozenset(one.number for one in self._row.row)
        self._last = (code.text, there) if code is not None and code.deck else ("", there)
        return events

    def _told_already(self, card: Card, track: Track[Regions]) -> bool:
        """Whether its code, of one card of all decks, was told while it stood there itself: it is a
        part of that card.
        """
        code, (text, there) = card.witnesses.verdict.card, self._last
        same = code is not None and code.text == text and track.number in there
        if same:
            card.told = card.witnesses.verdict
        return same

    def _doubled(self, card: Card) -> None:
        """What its index alone told may be the lower one of two cards: look for the upper one's."""
        verdict, view = card.witnesses.verdict, card.view
        if card.single or verdict.by != ("index",) or view is None or self._travel is None:
            return
        card.single = True
        index = self._looker.index
        if index is not None and another_index(index, view, self._travel):
            card.witnesses.double()

    def _forget(self, row: Presence[Regions], dark: bool) -> None:
        """Whoever has gone and will not be there again."""
        known = row.may_return | {track.number for track in row.row}
        for key in [key for key in self._cards if key[0] == dark and key[1] not in known]:
            del self._cards[key]

    def _gone(self, track: Track[Regions], dark: bool, how: Gone) -> list[lines.Event]:
        self._left = self._left or how != "back"
        # Kept until `_forget`: who was only hidden is not told a second time.
        card = self._cards.get((dark, track.number))
        if card is None:
            return []
        card.left = True
        if self._seeing.travel is None and (not dark or card.witnesses.frames()):
            through = how == "out" and track.came and track.moved > ALL_THE_WAY
            self._gone_through = self._gone_through or through
            if self._gone_through:
                wrong = how == "back" and against(track)
            else:
                wrong = how == "back" or self._counts(track, dark, card)
            if wrong:
                return self._turned(card)
        events: list[lines.Event] = []
        reached = track.furthest + track.fastest
        if how == "back" and track.covered and card.told is None and reached > _SHOWN:
            words = "two of them were one thing, and one of the two is gone"
            return [self._teller.missed(card, "two_cards", "", words)]
        if how == "back":
            events.append(lines.Presence(edge="pushed_back", at_ns=card.frame_ns))
            if card.told is not None and card.told.face:
                words = f"told as {card.told.face}"
                events.append(self._teller.missed(card, "pushed_back", "", words))
            elif card.told is None and track.furthest > _AT_FAR_END and not dark:
                # Part of it had left: what went back was another card under it.
                words = "something of it had left the window"
                events.append(self._teller.missed(card, "two_cards", "", words))
            return events
        if how == "lifted":
            # By whom, and where to: under a hand it may have gone back.
            self._teller.interrupted((card,))
        if card.told is not None or not self._counts(track, dark, card):
            return events
        if track.stale:
            return [
                self._teller.missed(card, "unread", "", "it stood there when the picture came back")
            ]
        if dark and not card.witnesses.frames() and not card.doubted:
            words = "something without paper's white"
            return [self._teller.missed(card, "card_back", "", words)]
        self._doubled(card)
        if card.witnesses.verdict.why == "unread" and is_back(card):
            return [self._teller.missed(card, "card_back", "")]
        if self._told_already(card, track):
            return []
        return self._told(card, track)

    def _turned(self, card: Card) -> list[lines.Event]:
        """It did not go through: that it came out of the shoe is not known, nor where that is."""
        self._forget_way()
        words = "it came and did not go through: which way cards go is not known yet"
        return [lines.Missed(reason="unread", detail=words, at_ns=card.frame_ns)]

    def _lost_way(self) -> bool:
        """Whether the way that was thought known is not."""
        return self._travel is None

    def _forget_way(self) -> None:
        self._travel, self._gone_through, self._compass = None, False, Compass()
        self._row, self._darks = Presence(), Presence()
        self._cards.clear()

    def _counts(self, track: Track[Regions], dark: bool, card: Card) -> bool:
        return counts(track, card, dark=dark, hand=self._hands.present)

    def _from_mouth(self, scene: Scene) -> list[lines.Event]:
        """Who stood in the shoe's mouth when the picture went: if nobody does now, it was drawn."""
        if not self._in_mouth:
            return []
        self._in_mouth = False
        if any(region.kind != "other" for region in scene.regions):
            return []
        words = "it went while the picture was away"
        return [lines.Missed(reason="unread", detail=words, at_ns=scene.frame.at_ns)]


def _common(one: Thing[Regions], other: Thing[Regions]) -> float:
    """How much of the way, as a share of the picture, both of them cover."""
    return min(one.high, other.high) - max(one.low, other.low)
