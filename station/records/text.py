"""A round for people: the layout first, then the story in the order of time."""

from __future__ import annotations

from collections.abc import Iterator

from station.records import words
from station.records.story import HandLaid, Moment, Out, Read, Story
from station.records.telling import Lang, Speech
from station.wording.say import face_sign

# Where what belongs to a line begins.
_IN = 38
# Facts that say nothing which the line beside them does not.
_SAID = ("Observed",)
# These came of a read, whose bytes are shown below.
_OF_READS = (
    "CardDealt",
    "CardExposed",
    "CardBurnedFirst",
    "CutCardOut",
    "CutCardRepeated",
    "ReadRepeated",
    "ReadDoubted",
    "LastCardReread",
    "ReadSetAside",
    "ReadFailed",
)


def printable(line: str) -> str:
    """A line that a terminal can be given: names and notes are others' words."""
    return "".join(one if one.isprintable() else "?" for one in line)


def show(story: Story, lang: Lang, digits: int, sealed: str = "") -> Iterator[str]:
    """All of a round. `sealed`: what is said of its seal, "" when it has none."""
    return map(printable, _show(Speech(story, lang, digits), sealed))


def _show(speech: Speech, sealed: str) -> Iterator[str]:
    story = speech.story
    yield from _head(speech, sealed)
    yield ""
    yield f"── {speech.of(words.TITLES, 'layout')} · {words.ORDER[speech.at]} ──"
    yield from _layout(speech)
    if exposed := [out for out in story.cards if out.exposed]:
        yield ""
        yield f"── {speech.of(words.TITLES, 'exposed')} ──"
        for out in exposed:
            why = speech.nobody(out.exposed)
            yield f"  {speech.card(out.card)} · {_clock(out.utc)} · {why} · {speech.fate(out)}"
    if story.lines:
        yield ""
        yield f"── {speech.of(words.TITLES, 'money')} ──"
        for line in story.lines:
            yield f"  {speech.line(line)}"
    yield ""
    yield f"── {speech.of(words.TITLES, 'story')} ──"
    yield from _story(speech)
    if story.later:
        yield ""
        yield f"── {speech.of(words.TITLES, 'later')} ──"
        for moment in story.later:
            yield f"{moment.seq:>7}  {moment.utc}  {speech.tell(moment)}"


def _head(speech: Speech, sealed: str) -> Iterator[str]:
    story, titles = speech.story, words.TITLES
    ended = speech.of(words.ENDED, story.ended)
    yield speech.pick(
        words.HEAD, round=story.round, table=story.table, kind=story.kind, ended=ended
    )
    dealer = speech.who(story.dealer.staff) if story.dealer else words.NOBODY[speech.at]
    yield f"{speech.of(titles, 'when')}: {story.opened} – {story.closed or '…'}"
    yield (
        f"{speech.of(titles, 'dealer')}: {dealer} · {speech.of(titles, 'shoe')}: {story.shoe} · "
        f"{speech.of(titles, 'sealed')}: {sealed or words.NOT_SEALED[speech.at]}"
    )
    if story.why_void:
        why, by = speech.reason(story.why_void), speech.who(story.void_by)
        yield f"{speech.of(titles, 'void')}: {why} · {by}"
    if story.disputed:
        stands = speech.of(words.DISPUTES, story.disputed)
        yield f"{speech.of(titles, 'disputed')}: {stands}"
    if story.marked:
        from station.wording.table import MARKS

        yield f"{speech.of(titles, 'marked')}: {speech.of(MARKS, story.marked)}"


def _layout(speech: Speech) -> Iterator[str]:
    for hand in (speech.story.dealer_hand, *speech.story.hands):
        name = f"{_name(speech, hand)} {hand.player}".rstrip()
        cards = "  ".join(f"{face_sign(one.card.face)}" for one in hand.cards)
        order = " ".join(str(one.number) for one in hand.cards)
        yield f"  {padded(name, 22)} {padded(cards or '–', 26)} {_points(speech, hand)}" + (
            f"   [{order}]" if order else ""
        )


def _name(speech: Speech, hand: HandLaid) -> str:
    return speech.seat(hand.seat, hand.hand) if hand.seat else words.DEALER[speech.at]


def _points(speech: Speech, hand: HandLaid) -> str:
    if not hand.cards:
        return ""
    points = str(hand.points)
    if hand.soft:
        points = speech.pick(words.SOFT, points=points)
    state = speech.of(words.STATES, hand.state) if hand.state else ""
    return f"{points} {state}".rstrip()


def _story(speech: Speech) -> Iterator[str]:
    read_before: Read | None = None
    # Reads of which something came, beside which they are shown.
    became = {
        moment.read.seq
        for moment in speech.story.moments
        if moment.read is not None and moment.kind in _OF_READS
    }
    for moment in speech.story.moments:
        if moment.kind in _SAID and moment.seq in became:
            continue
        came = "    " if moment.follows else ""
        when = f"{moment.seq:>7}  {_clock(moment.utc)} {_after(moment)}"
        yield f"{when}  {came}{speech.tell(moment)}"
        if moment.kind in ("RoundSettled", "BetsReturned", "RoundVoided"):
            for line in getattr(moment.fact, "lines", ()):
                yield f"{'':>{_IN}}{speech.line(line)}"
        shown = moment.kind in _OF_READS or moment.kind in _SAID
        if shown and moment.read is not None and moment.read != read_before:
            read_before = moment.read
            yield from _read(speech, moment.read, moment.out)


def _read(speech: Speech, read: Read, out: Out | None) -> Iterator[str]:
    order = f" · #{out.order}" if out is not None else ""
    raw = f" · {read.raw}" if read.raw else ""
    text = f" · “{read.text}”" if read.text else ""
    yield f"{'':>{_IN}}{read.device}{order}{text}{raw}"
    for shot in read.pictures:
        state = speech.of(words.PICTURES, shot.state)
        yield f"{'':>{_IN}}{shot.name} · sha256 {shot.sha256} · {state}"


def _clock(utc: str) -> str:
    """The time of day with milliseconds."""
    return utc[11:23]


def _after(moment: Moment) -> str:
    """Since the opening."""
    return f"{'':>9}" if moment.ms is None else f"{moment.ms / 1000:>+8.1f}s"


# --- to lay the cards back ----------------------------------------------------------------------


def layout(story: Story, lang: Lang) -> Iterator[str]:
    """The cards seat by seat, large and plain: to lay them back as they were (incident P19)."""
    return map(printable, _large(Speech(story, lang, 0)))


def _large(speech: Speech) -> Iterator[str]:
    story = speech.story
    ended = speech.of(words.ENDED, story.ended)
    yield speech.pick(words.LAYOUT_HEAD, round=story.round, table=story.table, ended=ended)
    yield words.LAYOUT_HOW[speech.at]
    for hand in (*story.hands, story.dealer_hand):
        yield ""
        yield f"{_name(speech, hand).upper()}  {hand.player}  {_points(speech, hand)}".rstrip()
        yield from _boxes(tuple((face_sign(one.card.face), str(one.number)) for one in hand.cards))
    aside = [out for out in story.cards if out.exposed and out.fate != "used"]
    if aside:
        yield ""
        yield speech.of(words.TITLES, "exposed").upper()
        yield from _boxes(tuple((face_sign(out.card.face), "") for out in aside))
        for out in aside:
            yield f"  {speech.card(out.card)} · {speech.fate(out)}"


def _boxes(cards: tuple[tuple[str, str], ...]) -> Iterator[str]:
    if not cards:
        yield "  –"
        return
    yield "  " + " ".join("┌───────┐" for _ in cards)
    yield "  " + " ".join(f"│ {face:<5} │" for face, _ in cards)
    yield "  " + " ".join(f"│ {'':<5} │" for _ in cards)
    yield "  " + " ".join(f"│ {number:>5} │" for _, number in cards)
    yield "  " + " ".join("└───────┘" for _ in cards)


def padded(text: str, width: int) -> str:
    """Filled up to a width in columns; a Korean letter takes two."""
    from unicodedata import east_asian_width

    taken = sum(2 if east_asian_width(one) in "WF" else 1 for one in text)
    return text + " " * max(0, width - taken)
