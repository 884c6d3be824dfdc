"""A shoe's receipt in Korean or English: as text to be printed and signed, and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from station.records import words as round_words
from station.records import words_shoe
from station.records.shoes import Life, Told, When
from station.records.text import padded, printable
from station.view_shoe import cards_text, found_texts
from station.wording import receipts as words
from station.wording import table as table_words

Part = tuple[str, list[tuple[str, str]]]
_WIDTH = 22


class Receipt:
    """One life in one language; `at` 0 is Korean, 1 English."""

    def __init__(self, life: Life, told: Told, at: int) -> None:
        self.life = life
        self._told = told
        self._at = at

    def title(self) -> str:
        return words.TITLE[self._at]

    def head(self) -> str:
        life = self.life
        params = {"shoe": life.manifest.shoe, "table": life.table, "kind": life.kind}
        return words.HEAD[self._at].format(number=life.number, **params)

    def parts(self) -> Iterator[Part]:
        """Titles, each with its lines."""
        for name, lines in (
            ("manifest", self._manifest()),
            ("check", self._check()),
            ("load", self._load()),
            ("play", self._play()),
            ("count", self._count()),
        ):
            found = [(self._line(key), value) for key, value in lines]
            if found:
                yield words.PARTS[name][self._at], found

    def signatures(self) -> tuple[str, list[str]]:
        """Where people sign."""
        return words.PARTS["sign"][self._at], [one[self._at] for one in words.SIGNED]

    # --- lines ------------------------------------------------------------------------------

    def _line(self, key: str) -> str:
        return words.LINES[key][self._at]

    def _value(self, key: str, **params: object) -> str:
        return words.VALUES[key][self._at].format(**params)

    def _who(self, staff: str) -> str:
        person = self._told.people.get(staff)
        return f"{staff} {person.name}" if person is not None else staff

    def _when(self, when: When) -> str:
        """The stamp, and by whom."""
        if not when.by:
            return when.utc
        both = {"who": self._who(when.by), "second": self._who(when.second)}
        return f"{when.utc} · {self._value('by_two' if when.second else 'by', **both)}"

    def _cards(self, cards: Mapping[str, int]) -> str:
        return cards_text(cards) if cards else self._value("none")

    def _manifest(self) -> Iterator[tuple[str, str]]:
        life, any_ = self.life, self._value("any")
        yield "shoe", life.manifest.shoe
        yield "set", life.manifest.set or any_
        yield "back", life.manifest.back or any_
        yield "decks", f"{life.manifest.decks} · {self._value('cards', count=self._total())}"
        yield "state", words.STATES[life.state][self._at]

    def _total(self) -> int:
        return self.life.manifest.decks * 52

    def _check(self) -> Iterator[tuple[str, str]]:
        life = self.life
        if life.receipt is not None:
            yield from self._machine()
        elif life.begun is not None:
            yield from self._read()
        else:
            yield "method", self._value("earlier" if life.earlier else "unchecked")
        if life.shuffled is not None:
            yield "shuffled", self._when(life.shuffled)
            yield "seal", life.seal or self._value("none")

    def _machine(self) -> Iterator[tuple[str, str]]:
        receipt, entered = self.life.receipt, self.life.checked
        if receipt is None or entered is None:
            return
        yield "method", self._value("receipt")
        yield "machine", receipt.machine
        yield "number", receipt.number
        yield "printed", receipt.checked_at
        if receipt.checker:
            yield "checker", receipt.checker
        yield "persons", self._when(entered)
        yield "result", self._value("whole")
        if receipt.note:
            yield "note", receipt.note

    def _read(self) -> Iterator[tuple[str, str]]:
        life, begun = self.life, self.life.begun
        yield "method", self._value("read")
        if begun is not None:
            yield "begun", self._when(begun)
            if begun.why:
                yield "reason", begun.why
        found, ended = life.found, life.checked
        if found is None:
            if ended is not None:
                yield "ended", ended.utc
                yield "result", words_shoe.ENDED[ended.why][self._at]
            return
        yield "device", " · ".join(filter(None, (found.device, found.identity)))
        if ended is not None:
            yield "ended", f"{ended.utc} · {self._value('by', who=self._who(ended.by))}"
        yield "read", self._value("total", read=found.read, total=self._total())
        yield "result", words_shoe.RESULTS[found.why][self._at]
        for text in found_texts(found):
            yield "result", (text.ko, text.en)[self._at]

    def _load(self) -> Iterator[tuple[str, str]]:
        life = self.life
        if life.loaded is not None:
            yield "loaded", self._when(life.loaded)
            if life.loaded.why:
                yield "reason", life.loaded.why
            cut = self._value("cards", count=life.cut_card) if life.cut_card else ""
            yield "cut_card", cut or self._value("any")
        if life.released is not None:
            yield "released", self._when(life.released)

    def _play(self) -> Iterator[tuple[str, str]]:
        life = self.life
        if life.released is None and not life.earlier:
            return
        yield "rounds", f"{len(life.rounds)} · {_spans(life.rounds)}" if life.rounds else "0"
        if life.void:
            yield "void", _spans(life.void)
        if life.cut_out is not None:
            yield "cut_out", life.cut_out.utc
        if life.out is not None:
            why = life.out.why
            known = {**round_words.VOIDS, **table_words.VOIDS, **words_shoe.REASONS}
            said = known.get(why, (why, why))
            yield "out", f"{life.out.utc} · {said[self._at]}"

    def _count(self) -> Iterator[tuple[str, str]]:
        life = self.life
        if life.out is not None and not life.counts and life.gone:
            yield "result", self._value("uncounted")
        for when, fact in life.counts:
            yield "counted", self._when(when)
            other = life.exposed + fact.gone - life.gone
            yield (
                "sum",
                self._value(
                    "sum",
                    dealt=life.dealt,
                    burned=life.burned,
                    exposed=other,
                    remaining=fact.remaining,
                    total=fact.gone + fact.remaining,
                ),
            )
            if fact.missing or fact.surplus:
                off = {"missing": self._cards(fact.missing), "surplus": self._cards(fact.surplus)}
                yield "result", self._value("off", **off)
            else:
                yield "result", self._value("whole")
        if life.marked:
            whys = sorted(set(life.marked.values()))
            said = ", ".join(table_words.MARKS[why][self._at] for why in whys)
            yield "marked", f"{_spans(tuple(life.marked))} · {said}"
        if life.lifted is not None:
            yield "lifted", f"{self._when(life.lifted)} · {life.lifted.why}"


def _spans(numbers: tuple[int, ...]) -> str:
    """`1-12, 15`."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"{low}-{high}" if low != high else str(low) for low, high in spans)


def lines(life: Life, told: Told, at: int) -> Iterator[str]:
    """The receipt as text."""
    receipt = Receipt(life, told, at)
    yield receipt.title()
    yield printable(receipt.head())
    for title, pairs in receipt.parts():
        yield ""
        yield f"── {title} ──"
        for name, value in pairs:
            yield "  " + padded(name, _WIDTH) + printable(value)
    title, people = receipt.signatures()
    yield ""
    yield f"── {title} ──"
    for name in people:
        yield "  " + padded(name, _WIDTH) + "_" * 40


def headline(life: Life, at: int) -> str:
    """A life in one line of a list."""
    when = life.loaded or life.checked or life.begun
    rounds = f"{len(life.rounds):>4}"
    state = words.STATES[life.state][at]
    marks = f" · {words.LINES['marked'][at]} {len(life.marked)}" if life.marked else ""
    name = printable(f"{life.manifest.shoe} ({life.manifest.set or '-'})")
    at_ = when.utc if when is not None else ""
    return f"{life.number:>5}  {at_:27}  {padded(name, 20)} {rounds}  {state}{marks}"


_STYLE = """
body { font: 11pt/1.5 "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic", sans-serif; margin: 2cm;
  color: #000; background: #fff; }
h1 { font-size: 16pt; margin: 0; }
h2 { font-size: 11pt; margin: 1.2em 0 .3em; border-bottom: 1px solid #000; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: normal; width: 12em; vertical-align: top; color: #333; }
td { vertical-align: top; overflow-wrap: anywhere; }
.sign td { border-bottom: 1px solid #000; height: 2.5em; }
@page { size: A4; margin: 1.5cm; }
@media print { body { margin: 0; } }
"""


def page(life: Life, told: Told, at: int) -> str:
    """The receipt as one HTML page that prints on A4; nothing is fetched for it."""
    receipt = Receipt(life, told, at)
    language = ("ko", "en")[at]
    body = [f"<h1>{escape(receipt.title())}</h1>", f"<p>{escape(receipt.head())}</p>"]
    for title, pairs in receipt.parts():
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in pairs
        )
        body.append(f"<h2>{escape(title)}</h2><table>{rows}</table>")
    title, people = receipt.signatures()
    rows = "".join(f"<tr><th>{escape(name)}</th><td></td></tr>" for name in people)
    body.append(f'<h2>{escape(title)}</h2><table class="sign">{rows}</table>')
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(receipt.head())}</title><style>{_STYLE}</style></head>"
        f"<body>{''.join(body)}</body></html>\n"
    )
