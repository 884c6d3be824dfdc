"""Every rule, and the tests that prove it: `docs/rules.md`, made from the tests themselves.

    python -m tests.rules_table           # writes docs/rules.md
    python -m tests.rules_table --check   # says whether it is still true; 1 if not

A test counts for a rule when its name or its docstring cites the number: `r24` or `a16` between
underscores, `R24` or `A16` in words. A span (`r15_to_r60`, R3-R6) counts for none of its rules.
The tests are read, not imported.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "rules.md"
# Where the rules are proven. Elsewhere the same letters name other things (faults, ranks).
ROOMS = ("unit/game", "unit/table", "unit/station", "unit/simulation", "scenario")
SHOWN = 3

RULES: dict[str, str] = {
    "R1": "The aim: closer to 21 than the dealer, without busting",
    "R2": "Eight decks of 52 cards, no jokers; anything else holds the table",
    "R3": "2 to 10 count what is printed on them",
    "R4": "Jack, queen and king count 10",
    "R5": "An ace counts 1 or 11, whichever serves the hand",
    "R6": "An ace and a ten-valued card as the first two are a Blackjack",
    "R7": "A Blackjack the dealer does not match pays 3:2",
    "R8": "Closer to 21 than the dealer pays 1:1",
    "R9": "A busted hand loses its main bet",
    "R10": "Equal totals push, and the stake comes back",
    "R11": "One seat a player; bets until the countdown ends",
    "R12": "Who comes while a round runs waits for the next",
    "R13": "Who sits places a main bet",
    "R14": "After the main bet, and only then, a Pair bet",
    "R15": "When betting closes, one card to each seat that plays",
    "R16": "Clockwise from the first seat, the dealer last",
    "R17": "Then a second card to each seat that plays",
    "R18": "The dealer has one card until all players are done",
    "R19": "Every card lies face up",
    "R20": "The seat in turn is asked what its cards allow",
    "R21": "For a silent player the station hits up to 11 and then stands",
    "R22": "What the station plays never busts",
    "R23": "More than 21 ends the hand; no card goes to it any more",
    "R24": "The dealer draws after all hands: on 16 and less, never on 17 and more",
    "R25": "A seat that did nothing in a round is vacated",
    "R26": "What may be done depends on the cards of the hand",
    "R27": "Hit: another card, as often as wanted, until the hand busts",
    "R28": "Stand: no further card",
    "R29": "Double: as much again as the base bet, on the first two cards only",
    "R30": "A doubled hand gets exactly one card and is complete",
    "R31": "Surrender only against 2 to 9",
    "R32": "A surrendered hand is closed and costs half the main bet",
    "R33": "Surrender only as the very first action",
    "R34": "Two first cards of the same value may be split for a second bet of the same size",
    "R35": "Each split hand gets its second card, then the player decides",
    "R36": "One split a seat and round",
    "R37": "Split aces get one card each",
    "R38": "Ace and ten after a split are 21 and no Blackjack",
    "R39": "Insurance against a dealer's ace, for half the main bet",
    "R40": "Insurance wins against a Blackjack and is lost otherwise, whatever the hand did",
    "R41": "Who has no seat may bet behind several; the result is the seated hand's",
    "R42": "Pair wins when the first two cards are a pair, for seated players and behind",
    "R43": "A seated player bets his own Pair, a player behind those of several seats",
    "R44": "Blackjack 3:2",
    "R45": "Any other win 1:1",
    "R46": "Insurance 2:1",
    "R47": "Pair 11:1",
    "R48": "Bets behind stand on taken seats, also on several in one round",
    "R49": "Nobody is seated and behind at the same time",
    "R50": "Behind a Blackjack 3:2, behind any other win 1:1",
    "R51": "After a split the bet behind stays on the first hand",
    "R52": "Five seconds to follow to the second hand with the same bet",
    "R53": "Silence declines",
    "R54": "Five seconds to follow a double",
    "R55": "A lost player's round is completed by the station",
    "R56": "It hits while the total is 11 or less, the ace as 11 where that does not bust",
    "R57": "A winning hand is paid at settlement",
    "R58": "A lost host voids the round: every bet back, the shoe out",
    "R59": "The operator decides how an error is understood",
    "R60": "An error stops the round: cancelled, every bet back, the shoe out",
    "R61": "The return of best play, as stated",
    "R62": "The English text prevails over translations",
}
REMARKS: dict[str, str] = {
    "R1": "the aim; R8, R10 and R23 are what it comes to",
    "R59": "a person's right; the rulings that are open to him are those of R60 and A20",
    "R61": "a figure of the original; what best play returns here is under A24",
    "R62": "a rule about the text; A1 and A2 apply it",
}

READINGS: dict[str, str] = {
    "A1": "A hand busts at 22; 21 does not",
    "A2": "Any ten-valued card makes a Blackjack with an ace",
    "A3": "A Blackjack beats every other 21 and pushes against another Blackjack",
    "A4": "No bet behind while a round runs",
    "A5": "Who has a main bet at closing plays, lowest seat first, frozen for the round",
    "A6": "One seat at a time in seat order; of a split the first hand first",
    "A7": "One insurance window for all; each window ends at its time or with the last answer",
    "A8": "Surrender never after a split, so it never meets insurance",
    "A9": "A split hand may double (`double_after_split`), split aces never",
    "A10": "Split goes by value, Pair by rank",
    "A11": "Both split hands get their second card before any decision",
    "A12": "11 is hit too (`autoplay_hits_eleven`), 12 never; no double, split or insurance",
    "A13": "One silence makes absent for the seat's round, until the player sends an action",
    "A14": "No hand after any split is a Blackjack",
    "A15": "No card before a follow window has closed; who declines keeps his old stake",
    "A16": "The dealer stands on a soft 17 too",
    "A17": "`dealer_draw`: always, or only until every bet is decided",
    "A18": "21 completes a hand; nothing is asked",
    "A19": "When a host is lost, how long it is waited for, and what that voids",
    "A20": "What changed neither order nor identity is cured by a supervisor, all else is void",
    "A21": "Defaults the original does not name: seats, windows, limits, cut card, burn",
    "A22": "`dealer_blackjack_takes`: all units, or the original bet alone",
    "A23": "Paid without the player's return",
    "A24": "Best play returns what the rules give; reported, never bent to the stated figure",
    "A25": "A seated player bets behind no seat at all",
    "A26": "Whole minor units in even steps: 3:2 and halves are exact, nothing is rounded",
    "A27": "No insurance for bets behind",
    "A28": "A bet behind a surrendered hand loses half as well",
    "A29": "No Pair bet before the main bet; behind, a Pair bet may stand alone",
    "A30": "Pair is decided by the first two cards alone, whatever becomes of the hand",
    "A31": "When the dealer busts, every hand wins that is neither bust nor surrendered",
    "A32": "A bust ends that hand of a split, not the other",
    "A33": "Vacated: asked and silent, or a whole round without a bet; a Blackjack stays",
    "A34": "Bets behind a seat without a main bet come back when betting closes",
}

HEAD = """\
# The rules, and the tests that prove them

Made by `python -m tests.rules_table` from the tests themselves; a test fails when this page is
not what it makes. R are the rules of the game, A the readings chosen where they are silent or
contradict themselves. Files are under `tests/`. Of more than three tests the most particular ones
are named.
"""

_TOKEN = re.compile(r"(?<![\w-])([RA][1-9]\d?)(?![\w-])")
_SPAN = re.compile(r"[RA]\d+\s*(?:-|–|to)\s*[RA]?\d+", re.IGNORECASE)
_NAMED_SPAN = re.compile(r"[ra]\d+_to_[ra]\d+")


class Proof(NamedTuple):
    """A test that cites a rule: in words alone or in its name, which cites `others` rules."""

    in_words: bool
    room: int
    others: int
    file: str
    line: int
    function: str


def cited(function: str, docstring: str) -> tuple[set[str], set[str]]:
    """The rules cited by a test's name, and by its docstring. Spans cite none."""
    parts = _NAMED_SPAN.sub("", function).split("_")
    name = {part.upper() for part in parts if re.fullmatch(r"[ra][1-9]\d?", part)}
    return name, set(_TOKEN.findall(_SPAN.sub("", docstring)))


def tests_of(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, name and docstring of every test in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name, ast.get_docstring(node) or ""


def proofs(tests: Path = TESTS) -> dict[str, list[Proof]]:
    """The tests that cite each rule, the most particular first."""
    found: dict[str, list[Proof]] = defaultdict(list)
    for room, folder in enumerate(ROOMS):
        for path in sorted((tests / folder).glob("test_*.py")):
            file = path.relative_to(tests).as_posix()
            for line, function, docstring in tests_of(path):
                name, words = cited(function, docstring)
                for rule in name | words:
                    proof = Proof(rule not in name, room, len(name), file, line, function)
                    found[rule].append(proof)
    return {rule: sorted(tests_) for rule, tests_ in found.items()}


def unproven(found: dict[str, list[Proof]]) -> list[str]:
    """The rules and readings no test cites, remarks aside."""
    every = [*RULES, *READINGS]
    return [rule for rule in every if rule not in found and rule not in REMARKS]


def page(found: dict[str, list[Proof]]) -> str:
    """The whole of `docs/rules.md`."""
    parts = [HEAD]
    for title, statements in (("Rules", RULES), ("Readings", READINGS)):
        parts.append(f"\n## {title}\n\n| | in short | proven by |\n|---|---|---|\n")
        parts += [_row(rule, said, found.get(rule, [])) for rule, said in statements.items()]
    return "".join(parts)


def _row(rule: str, said: str, tests: list[Proof]) -> str:
    if rule in REMARKS:
        return f"| {rule} | {said} | *remark: {REMARKS[rule]}* |\n"
    shown = [f"`{proof.file}::{proof.function}`" for proof in tests[:SHOWN]]
    if len(tests) > SHOWN:
        shown.append("…")
    return f"| {rule} | {said} | {'<br>'.join(shown) or '**nothing**'} |\n"


def main(arguments: list[str]) -> int:
    found = proofs()
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m tests.rules_table [--check]\n")
        return 2
    missing = unproven(found)
    if missing:
        sys.stderr.write(f"no test cites {', '.join(missing)}\n")
    if not arguments:
        PAGE.write_text(page(found), encoding="utf-8")
    elif page(found) != PAGE.read_text(encoding="utf-8"):
        sys.stderr.write("docs/rules.md is not what the tests say: python -m tests.rules_table\n")
        return 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
