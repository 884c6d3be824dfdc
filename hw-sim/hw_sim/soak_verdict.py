"""The verdict on a soak: what the virtual shoe says it gave, against what the journal says came.

Independent of the station: it reads the shoe's own log and the exported journal as data. A card
that left the shoe is in the journal once, as itself and in its place; or it is not, and then no
round that stands was dealt around it, and the shoe's count says that it is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from hw_sim.ledger import Ledger

Entry = dict[str, Any]
LEFT_SHOE = ("CardDealt", "CardExposed", "CardBurnedFirst")
REPEATS = ("ReadRepeated", "LastCardReread", "CutCardRepeated")
ENDS = {"RoundSettled": "settled", "RoundVoided": "void", "RoundEmpty": "empty"}
SHOWN = 100
IN_ONE_BREATH_MS = 300


@dataclass
class Given:
    """A card that left the shoe, as the shoe's log has it. `round`: in which the dealer drew it, 0
    when he did not; `meant`: for whom, None when that cannot be said.
    """

    face: str
    deck: int
    position: int
    fault: str
    round: int
    meant: tuple[int, int] | None
    found: Entry | None = None


@dataclass
class Verdict:
    """`differences`: each is a failure. `figures`: what there was, by name."""

    differences: list[str] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    holds: Counter[str] = field(default_factory=Counter)
    rulings: Counter[str] = field(default_factory=Counter)
    no_reads: Counter[str] = field(default_factory=Counter)
    books: Ledger = field(default_factory=Ledger)
    # The same as far as the players' own books go: what came after they left they were not told.
    told: Ledger = field(default_factory=Ledger)

    def differs(self, text: str) -> None:
        """One more difference."""
        self.differences.append(text)


@dataclass
class _Shoe:
    name: str
    gone: list[Entry] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)
    counts: list[Entry] = field(default_factory=list)
    cuts: int = 0


@dataclass
class _Journal:
    shoes: dict[str, _Shoe] = field(default_factory=dict)
    rounds: dict[int, list[str]] = field(default_factory=dict)
    dealer: dict[int, list[str]] = field(default_factory=dict)
    repeats: int = 0


def verdict(
    truth: Iterable[Entry], facts: Iterable[Entry], books: Ledger | None = None, *, ended: bool
) -> Verdict:
    """Compare. `truth`: the shoe's log; `facts`: the journal's, with `kind` and `body`, in order.
    `books`: the players' own; `ended`: whether the last round must be over.
    """
    found = Verdict()
    given, cuts = _given(truth)
    journal = _read(facts, found, books.seq if books else 0)
    for name, shoe in journal.shoes.items():
        if shoe.cuts > min(1, cuts[name]):
            found.differs(f"shoe {name}: {shoe.cuts} cut cards, it gave {cuts[name]}")
        _compare(name, given.get(name, []), shoe, journal, found)
    for name in given.keys() - journal.shoes.keys():
        if given[name]:
            found.differs(f"shoe {name}: {len(given[name])} cards left it, the journal has none")
    _rounds(journal, found, ended=ended)
    _money(found, books, ended=ended)
    cards = sum(len(cards) for cards in given.values())
    found.figures |= {"cards": cards, "shoes": len(given), "re-reads": journal.repeats}
    return found


# --- what is true ---------------------------------------------------------------------------


def _given(truth: Iterable[Entry]) -> tuple[dict[str, list[Given]], Counter[str]]:
    """The cards of each shoe in order, and how often its cut card came out."""
    shoes: dict[str, list[Given]] = {}
    cuts: Counter[str] = Counter()
    meant: Entry | None = None
    unasked = -IN_ONE_BREATH_MS
    for entry in truth:
        if "meant" in entry:
            meant = entry
        elif "position" in entry and "code" in entry:
            cards = shoes.setdefault(entry["shoe"], [])
            cuts[entry["shoe"]] += bool(entry["cut"])
            at_ms = int(entry["at_ms"])
            # Of two cards in one breath the dealer lays down as the screen says.
            sure = meant is not None and at_ms - unasked > IN_ONE_BREATH_MS
            unasked = unasked if meant is not None else at_ms
            if not entry["cut"]:
                cards.append(
                    Given(
                        entry["face"],
                        entry["deck"],
                        entry["position"],
                        entry["fault"],
                        meant["round"] if meant else 0,
                        _place(meant["meant"]) if meant and sure else None,
                    )
                )
            meant = None
    return shoes, cuts


def _place(slot: Entry) -> tuple[int, int] | None:
    """Seat and hand, 0 for the dealer, as the journal has them."""
    if slot.get("to") == "dealer":
        return 0, 0
    return None if slot.get("to") == "burn" else (int(slot["seat"] or 0), int(slot["hand"] or 0))


# --- what the journal says ------------------------------------------------------------------


def _read(facts: Iterable[Entry], found: Verdict, told: int) -> _Journal:
    journal = _Journal()
    shoe = journal.shoes.setdefault("", _Shoe(""))
    counters = {"ReadFailed": (found.no_reads, "reason"), "TableHeld": (found.holds, "code")}
    counters |= {"HoldReleased": (found.rulings, "ruling")}
    for fact in facts:
        kind, body = fact["kind"], fact["body"]
        found.books.take(fact)
        if fact["seq"] <= told:
            found.told.take(fact)
        if kind in counters:
            counter, what = counters[kind]
            counter[body[what]] += 1
        elif kind in REPEATS:
            journal.repeats += 1
        elif kind in ENDS or kind == "RoundOpened":
            _round(journal, kind, body, found)
        elif kind == "ShoeLoaded":
            shoe = journal.shoes.setdefault(body["shoe"], _Shoe(body["shoe"]))
            if shoe.gone:
                found.differs(f"shoe {shoe.name} was put in again after cards had left it")
        elif kind in LEFT_SHOE:
            shoe.gone.append({**body, "fact": kind})
        elif kind == "CutCardOut":
            shoe.cuts += 1
        elif kind == "ReadSetAside":
            shoe.aside[_face(body["card"])] += 1
        elif kind == "ShoeReconciled" and body["shoe"] not in journal.shoes:
            found.differs(f"shoe {body['shoe']} was counted and never put in")
        elif kind == "ShoeReconciled":
            journal.shoes[body["shoe"]].counts.append(body)
    return journal


def _round(journal: _Journal, kind: str, body: Entry, found: Verdict) -> None:
    if kind != "RoundOpened":
        _ended(journal, kind, body, found)
        return
    if body["round"] in journal.rounds:
        found.differs(f"round {body['round']} was opened twice")
    journal.rounds[body["round"]] = []


def _ended(journal: _Journal, kind: str, body: Entry, found: Verdict) -> None:
    ends = journal.rounds.setdefault(body["round"], ["never opened"])
    ends.append(ENDS[kind])
    if kind == "RoundSettled":
        journal.dealer[body["round"]] = [_face(card) for card in body["dealer"]]
    for line in body.get("lines", []) if kind == "RoundVoided" else []:
        if line["returned"] != line["stake"]:
            found.differs(
                f"round {body['round']}: void, and bet {line['bet']} returns {line['returned']} "
                f"of {line['stake']}"
            )


def _face(card: Entry) -> str:
    return f"{card['rank']}{card['suit']}"


# --- cards ----------------------------------------------------------------------------------


def _compare(name: str, given: list[Given], shoe: _Shoe, journal: _Journal, found: Verdict) -> None:
    seen: dict[tuple[str, int], int] = {}
    places = _aligned(given, shoe.gone)
    for number, gone in enumerate(shoe.gone, start=1):
        order, (face, deck) = gone["order"], _which(gone)
        where = f"shoe {name}, round {gone.get('round', 0)}, card {order} {face}{deck or ''}"
        if order != number:
            found.differs(f"{where}: it is the {number}th that left the shoe")
        if deck and (face, deck) in seen:
            found.differs(f"{where}: twice in the journal, first as card {seen[face, deck]}")
        seen[face, deck] = order
        place = places.get(number - 1)
        if place is None:
            gave = [f"{card.face}{card.deck}" for card in given[max(0, number - 2) : number + 2]]
            found.differs(f"{where}: the shoe did not give it here, but {', '.join(gave)}")
            continue
        given[place].found = gone
        _check_place(where, given[place], gone, journal, found)
    _missing(name, given, shoe, journal, found)
    _check_counts(name, given, shoe, found)
    _check_dealer(shoe, journal, found)


def _which(gone: Entry) -> tuple[str, int]:
    """Face and deck of a card of the journal, 0 where its code has none."""
    return _face(gone["card"]), int(gone["card"].get("deck") or 0)


def _aligned(given: list[Given], gone: list[Entry]) -> dict[int, int]:
    """For each card of the journal its place among those given, as many as can be in one order."""
    told = [_which(entry) for entry in gone]
    decks = any(deck for _, deck in told)
    true = [(card.face, card.deck if decks else 0) for card in given]
    if told == true:
        return {number: number for number in range(len(told))}
    if decks and not all(deck for _, deck in told):
        return _longest(told, true)
    blocks = SequenceMatcher(None, told, true, autojunk=False).get_matching_blocks()
    return {one.a + n: one.b + n for one in blocks for n in range(one.size)}


def _longest(told: list[tuple[str, int]], true: list[tuple[str, int]]) -> dict[int, int]:
    """The same where some were told without their deck, as by a camera that saw no code: then the
    face has to do.
    """

    def equal(a: int, b: int) -> bool:
        return told[a] == true[b] or told[a] == (true[b][0], 0)

    rest = [[0] * (len(true) + 1) for _ in range(len(told) + 1)]
    for a in range(len(told) - 1, -1, -1):
        for b in range(len(true) - 1, -1, -1):
            step = rest[a + 1][b + 1] + 1 if equal(a, b) else 0
            rest[a][b] = max(step, rest[a + 1][b], rest[a][b + 1])
    places: dict[int, int] = {}
    a = b = 0
    while a < len(told) and b < len(true):
        if equal(a, b) and rest[a][b] == rest[a + 1][b + 1] + 1:
            places[a] = b
            a, b = a + 1, b + 1
        elif rest[a + 1][b] >= rest[a][b + 1]:
            a += 1
        else:
            b += 1
    return places


def _check_place(where: str, card: Given, gone: Entry, journal: _Journal, found: Verdict) -> None:
    """Whether it went where the dealer laid it. What a void takes back it may have had wrong."""
    if gone["fact"] != "CardDealt" or "settled" not in journal.rounds.get(gone["round"], ()):
        return
    slot = gone["slot"]
    place = (int(slot.get("seat", 0)), int(slot.get("hand", 0)))
    if card.meant is not None and (card.meant, card.round) != (place, gone["round"]):
        found.differs(
            f"{where}: dealt to seat and hand {place}; it was drawn for {card.meant} in round "
            f"{card.round} (fault {card.fault or 'none'})"
        )


def _missing(name: str, given: list[Given], shoe: _Shoe, journal: _Journal, found: Verdict) -> None:
    """Cards that are not in the journal: no round that stands may have been dealt around them."""
    aside = Counter(shoe.aside)
    before, after = _rounds_before(given), _rounds_before(given[::-1])[::-1]
    for number, card in enumerate(given):
        if card.found is not None:
            continue
        around = {before[number]} & {after[number]} | {card.round}
        named = aside[card.face] > 0
        aside[card.face] -= named
        key = "set aside by name" if named else "lost without trace"
        found.figures[key] = found.figures.get(key, 0) + 1
        for round_ in sorted(around - {0}):
            if "settled" in journal.rounds.get(round_, ()):
                found.differs(
                    f"shoe {name}, round {round_}, card at {card.position} {card.face}{card.deck} "
                    f"(fault {card.fault or 'none'}): it left the shoe, is not in the journal, "
                    "and the round was settled"
                )


def _rounds_before(given: list[Given]) -> list[int]:
    """For each card the round of the last one before it that was dealt."""
    rounds, last = [], 0
    for card in given:
        rounds.append(last)
        if card.found is not None and card.found["fact"] == "CardDealt":
            last = int(card.found["round"])
    return rounds


def _check_counts(name: str, given: list[Given], shoe: _Shoe, found: Verdict) -> None:
    """Each count must say exactly what is missing or too many."""
    true = Counter(card.face for card in given)
    told = Counter(_face(gone["card"]) for gone in shoe.gone)
    for count in shoe.counts:
        for what, right in (("missing", true - told), ("surplus", told - true)):
            if count[what] != dict(right):
                found.differs(
                    f"shoe {name}: its count says {what} {count[what]}, right is {dict(right)}"
                )
    lost = sum((true - told).values())
    if not shoe.counts and lost:
        found.figures["missing in shoes not counted yet"] = (
            found.figures.get("missing in shoes not counted yet", 0) + lost
        )
    elif lost:
        found.figures["found by the count"] = found.figures.get("found by the count", 0) + lost


def _check_dealer(shoe: _Shoe, journal: _Journal, found: Verdict) -> None:
    """A round is settled with the dealer's cards as they were dealt."""
    hands: dict[int, list[str]] = {}
    for gone in shoe.gone:
        if gone["fact"] == "CardDealt" and not gone["slot"].get("seat", 0):
            hands.setdefault(gone["round"], []).append(_face(gone["card"]))
    for round_, hand in hands.items():
        if round_ in journal.dealer and journal.dealer[round_] != hand:
            found.differs(f"round {round_}: settled with {journal.dealer[round_]}, dealt {hand}")


# --- rounds and money -----------------------------------------------------------------------


def _rounds(journal: _Journal, found: Verdict, *, ended: bool) -> None:
    last = max(journal.rounds, default=0)
    for round_, ends in journal.rounds.items():
        if len(ends) != 1 and (ended or ends or round_ != last):
            found.differs(f"round {round_}: it ended {len(ends)} times: {', '.join(ends)}")
    for how in ("settled", "void", "empty"):
        found.figures[f"rounds {how}"] = sum(how in ends for ends in journal.rounds.values())


def _money(found: Verdict, books: Ledger | None, *, ended: bool) -> None:
    own = found.books
    for dispute in own.disputes:
        found.differs(f"money: {dispute}")
    if own.open and ended:
        found.differs(f"money: bets {', '.join(sorted(own.open)[:5])} never came back")
    if books is None:
        return
    for what in ("placed", "returned", "balances", "rounds", "disputes"):
        if getattr(books, what) != getattr(found.told, what):
            found.differs(f"money: the players' {what} are not what the journal says")
