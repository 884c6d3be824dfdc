"""Derives the basic strategy from the rules: `python -m tests.bench.strategy [--markdown]`.

Prints the strategy as `station.simulation.strategy` writes it, what it returns, and whether that
module holds the same; ends with 1 if it does not. `--markdown` prints the tables of
`docs/strategy.md` instead.

A *total-dependent* strategy knows the upcard, the total, whether it is soft, and pairs of equal
value; not the cards that make the total. The table is improved cell by cell, a cell weighed over
all hands that reach it, as often as they do, until none can be improved. No cell is met twice
within a hand, so what a changed cell gains is exactly how often it is reached times what the other
action brings more there: at the end no change of a single cell would make the table better.

A split pair is worth twice one of its hands. Whatever the first hand drew, the cards that come
after it are as likely as those that came before (they are exchangeable), so the second fares alike;
that a hand may be split only once (R36) makes this exact.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

import numpy as np
from rich.console import Console
from rich.progress import track

from station.simulation import strategy
from tests.bench.odds import (
    ACE,
    CELLS,
    SHOE,
    SOFT,
    TEN,
    Dealer,
    Flags,
    Reals,
    Takes,
    Tree,
    Whole,
    only,
)

TAKES: tuple[Takes, ...] = ("all", "original")
UPCARDS = (*range(1, 10), ACE)  # As the tables' columns: 2 to 9, ten, ace.
# Every first hand is also followed, this rarely, as one that may only hit or stand: that settles
# the cells nothing else reaches (what to do when the double or the split is not to be had), and is
# too little to move another.
RARELY = 1e-9


@dataclass(frozen=True)
class Policy:
    """What is done against one upcard, by cell: hit or else stand; before that double or
    surrender where one may; and by the pair's card, split."""

    hit: Flags
    double: Flags
    surrender: Flags
    split: Flags


@dataclass
class Gains:
    """What each action brings more than what is done without it, by cell, times how often."""

    hit: Reals = field(default_factory=lambda: np.zeros(CELLS))
    double: Reals = field(default_factory=lambda: np.zeros(CELLS))
    surrender: Reals = field(default_factory=lambda: np.zeros(CELLS))
    split: Reals = field(default_factory=lambda: np.zeros(10))
    added: float = 0.0  # Units staked beyond the initial bet, in the mean.

    def policy(self) -> Policy:
        return Policy(self.hit > 0, self.double > 0, self.surrender > 0, self.split > 0)


class Hands:
    """The hands of one tree as a policy plays them; without one, each as its very cards say."""

    def __init__(self, tree: Tree, takes: Takes, policy: Policy | None, das: bool) -> None:
        self._shape, self._chance, self._policy = tree.shape, tree.chance, policy
        self._first = tree.first
        self._one_card = tree.first == ACE  # R37
        self._odds = tree.odds[takes]
        self._hit, self._played = self._play()
        two = self._shape.undecided & (self._shape.size == 2)
        self._may_double = two & (tree.first is None or (das and not self._one_card))
        gain = self._odds.double - self._played
        doubles = gain > 0 if policy is None else policy.double[self._shape.cell]
        self._doubles = self._may_double & doubles
        self.opening = np.where(self._doubles, self._odds.double, self._played)

    def _hits(self, rows: Whole, hit: Reals) -> Flags:
        if self._one_card:
            return np.zeros(len(rows), dtype=np.bool_)
        if self._policy is None:
            better: Flags = hit[rows] > self._odds.stand[rows]
        else:
            better = self._policy.hit[self._shape.cell[rows]]
        return better & self._shape.undecided[rows]

    def _play(self) -> tuple[Reals, Reals]:
        """The value of hitting, and of hitting or standing as is done."""
        hit, played = self._odds.bust.copy(), np.append(self._odds.stand, 0.0)
        for rows in self._shape.levels:
            ahead = played[self._shape.child[rows]]
            hit[rows] += (self._chance[rows] * ahead).sum(axis=1)
            played[rows] = np.where(self._hits(rows, hit), hit[rows], played[rows])
        return hit, played[:-1]

    def split(self) -> float:
        """The value of both hands of the split pair (R35)."""
        assert self._first is not None
        row = self._shape.row[only(self._first)]
        return 2 * float(self._chance[row] @ self.opening[self._shape.child[row]])

    def weigh_split(self, gains: Gains, often: float) -> None:
        """As `weigh`, for both hands of a pair that is split so often."""
        if self._one_card or self._first is None:
            return
        row = self._shape.row[only(self._first)]
        start = np.zeros(len(self._played))
        start[self._shape.child[row]] = 2 * often * self._chance[row]
        self.weigh(gains, start, 0.0)

    def weigh(self, gains: Gains, start: Reals, other: Reals | float) -> None:
        """Adds what doubling and hitting gain when two cards are dealt as often as `start`, and
        as `other` to hands that may only hit or stand."""
        cell = self._shape.cell
        more = self._odds.double - self._played
        np.add.at(gains.double, cell, start * self._may_double * more)
        gains.added += float(start @ self._doubles)
        often = np.append(np.where(self._doubles, 0.0, start) + other, 0.0)
        for rows in reversed(self._shape.levels):
            going = rows[self._hits(rows, self._hit)]
            each = often[going][:, None] * self._chance[going]
            np.add.at(often, self._shape.child[going], each)
        asked = often[:-1] * self._shape.undecided
        np.add.at(gains.hit, cell, asked * (self._hit - self._odds.stand))


class Against:
    """The game against one upcard, a value's index."""

    def __init__(self, upcard: int) -> None:
        dealer = Dealer(upcard)
        self.chance = float(SHOE[upcard] / SHOE.sum())
        self._upcard = upcard
        self._may_surrender = upcard not in (ACE, TEN)  # R31
        self._whole = Tree(dealer, only(upcard), None)
        self.halves = [Tree(dealer, only(upcard, card), card) for card in range(10)]

    @cached_property
    def dealt(self) -> Reals:
        """How often each row is the first two cards."""
        left = SHOE - np.array(only(self._upcard))
        chance = np.zeros(len(self._whole.shape.size))
        for row in np.flatnonzero(self._whole.shape.size == 2):
            a, b = np.repeat(np.arange(10), self._whole.shape.counts[row])
            ways = left[a] * (left[a] - 1) if a == b else 2 * left[a] * left[b]
            chance[row] = ways / (left.sum() * (left.sum() - 1))
        return chance

    def play(self, policy: Policy | None, takes: Takes, das: bool) -> tuple[float, Gains]:
        """The mean result of a round, and what its cells gain. `das`: may split hands double?"""
        shape = self._whole.shape
        whole = Hands(self._whole, takes, policy, das)
        gains, final = Gains(), whole.opening.copy()
        asked, rare = self.dealt.copy(), RARELY * self.dealt
        blackjack = shape.row[only(ACE, TEN)]
        asked[blackjack] = rare[blackjack] = 0.0
        surrenders = self._surrenders(final, policy)
        final[surrenders] = -0.5  # R32
        for tree in self.halves:
            assert tree.first is not None
            card, row = tree.first, shape.row[only(tree.first, tree.first)]
            half = Hands(tree, takes, policy, das)
            gain = half.split() - final[row]
            gains.split[card] = gain * self.dealt[row]
            if gain > 0 if policy is None else policy.split[card]:
                asked[row] = 0.0
                half.weigh_split(gains, self.dealt[row])
                gains.added += float(self.dealt[row])
                final[row] += gain
        if self._may_surrender:
            np.add.at(gains.surrender, shape.cell, asked * (-0.5 - whole.opening))
        whole.weigh(gains, np.where(surrenders, 0.0, asked), rare)
        if takes == "original":
            final -= self._whole.natural  # The one bet a dealer's Blackjack costs.
        final[blackjack] = 1.5 * (1 - self._whole.natural[blackjack])  # R7, R10
        return float(self.dealt @ final), gains

    def _surrenders(self, opening: Reals, policy: Policy | None) -> Flags:
        shape = self._whole.shape
        chosen: Flags = opening < -0.5 if policy is None else policy.surrender[shape.cell]
        may: Flags = (shape.size == 2) & shape.undecided
        return chosen & may & self._may_surrender

    def best(self, takes: Takes, das: bool) -> Policy:
        """The policy that no change of a single cell makes better."""
        policy = Gains().policy()
        for _ in range(50):
            better = self.play(policy, takes, das)[1].policy()
            both = zip(vars(policy).values(), vars(better).values(), strict=True)
            if all(np.array_equal(old, new) for old, new in both):
                return policy
            policy = better
        raise RuntimeError(f"no end of improving against upcard {self._upcard}")


@dataclass(frozen=True)
class Return:
    """What comes back of one initial main bet in the mean, and the units staked on it."""

    table: float
    best: float  # Of a player who looks at the very cards of his hand, not at their total alone.
    staked: float


@dataclass(frozen=True)
class Derived:
    """The tables as `station.simulation.strategy` writes them, and what they return by the
    settings `dealer_blackjack_takes` and `double_after_split`."""

    tables: dict[Takes, dict[str, str]]
    returns: dict[tuple[Takes, bool], Return]


def derive(rounds: Iterable[Against]) -> Derived:
    """From the rules alone; `rounds` are one an upcard, in the tables' order."""
    against = tuple(rounds)
    tables: dict[Takes, dict[str, str]] = {}
    returns: dict[tuple[Takes, bool], Return] = {}
    for takes in TAKES:
        policies = {das: [one.best(takes, das) for one in against] for das in (True, False)}
        tables[takes] = table(policies[True], policies[False])
        for das, those in policies.items():
            played = [one.play(how, takes, das) for one, how in zip(against, those, strict=True)]
            freely = [one.play(None, takes, das)[0] for one in against]
            chances = [one.chance for one in against]
            returns[takes, das] = Return(
                1 + float(np.dot(chances, [value for value, _ in played])),
                1 + float(np.dot(chances, freely)),
                1 + float(np.dot(chances, [gains.added for _, gains in played])),
            )
    return Derived(tables, returns)


def table(das: list[Policy], no_das: list[Policy]) -> dict[str, str]:
    """The rows of a strategy, one policy an upcard; the second for when no split hand may
    double. Raises RuntimeError where the notation could not say it."""
    rows = {}
    for name, base, first in (("hard", 0, 4), ("soft", SOFT, 12)):
        for points in range(first, 21):
            words = [total_word(policy, base + points) for policy in das]
            if words != [total_word(policy, base + points) for policy in no_das]:
                raise RuntimeError(f"{name} {points} depends on double_after_split")
            rows[f"{name} {points}"] = " ".join(words)
    for card, rank in enumerate("A23456789T"):
        words = [".", "p", "P"]
        with_, without = ([bool(p.split[card]) for p in those] for those in (das, no_das))
        if any(b and not a for a, b in zip(with_, without, strict=True)):
            raise RuntimeError(f"pair {rank} is split only where split hands may not double")
        row = [words[a + b] for a, b in zip(with_, without, strict=True)]
        rows[f"pair {rank}"] = " ".join(row)
    return rows


def total_word(policy: Policy, cell: int) -> str:
    if policy.double[cell] and policy.surrender[cell]:
        raise RuntimeError(f"cell {cell} would both double and surrender")
    words = "HDR" if policy.hit[cell] else "Sdr"
    return words[1 if policy.double[cell] else 2 if policy.surrender[cell] else 0]


def python(rows: dict[str, str]) -> list[str]:
    """The rows as the module writes them."""
    return [f'    "{name}":{" " * (8 - len(name))}"{row}",' for name, row in rows.items()]


def merged(rows: dict[str, str], kind: str) -> list[tuple[str, str]]:
    """The rows of a kind; neighbours that say the same as one."""
    mine = [(name.split()[1], row) for name, row in rows.items() if name.startswith(kind)]
    found = []
    for row, group in groupby(mine, key=lambda each: each[1]):
        names = [name for name, _ in group]
        if kind == "pair":
            found += [(f"{name}-{name}", row) for name in names]
        else:
            found.append((names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}", row))
    return found


def percent(share: float) -> str:
    return f"{100 * share:.4f} %"


def grid(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    head = f"| {title} | {' | '.join(strategy.UPCARDS)} |"
    body = [f"| {name} | {row.replace(' ', ' | ')} |" for name, row in rows]
    return [head, "|---" * 11 + "|", *body, ""]


def markdown(derived: Derived) -> str:
    """The tables and returns of `docs/strategy.md`."""
    rows, original = derived.tables["all"], derived.tables["original"]
    other = [(name, row) for name, row in original.items() if rows[name] != row]
    lines = []
    for kind in ("hard", "soft", "pair"):
        lines += grid(kind, merged(rows, kind))
    lines += ["With `dealer_blackjack_takes = original` these rows differ:", ""]
    lines += grid("row", other)
    lines += ["What comes back of one initial main bet, stake included, in the mean:", ""]
    lines += [
        "| `dealer_blackjack_takes` | `double_after_split` | this table | every card known in "
        "one's hand | units staked a round |",
        "|---|---|---|---|---|",
    ]
    for (takes, das), each in derived.returns.items():
        settings = f"| {takes} | {'on' if das else 'off'} "
        figures = f"| {percent(each.table)} | {percent(each.best)} | {each.staked:.4f} |"
        lines.append(settings + figures)
    lines += [
        "",
        f"Insurance (2:1, R40) returns {percent(3 * 128 / 415)} of its stake and is never bought. "
        f"The Pair bet (11:1 on equal ranks, R42) returns {percent(12 * 31 / 415)}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.strategy")
    parser.add_argument("--markdown", action="store_true", help="the tables of docs/strategy.md")
    options = parser.parse_args()
    bar = Console(stderr=True)
    upcards = track(UPCARDS, "Every hand against each upcard", console=bar, transient=True)
    derived = derive(Against(upcard) for upcard in upcards)
    if options.markdown:
        sys.stdout.write(markdown(derived))
        return 0
    right = True
    for takes, rows in derived.tables.items():
        held = dict(strategy.TABLES[takes])
        right = right and held == rows
        differ = sorted(name for name in {*held, *rows} if held.get(name) != rows.get(name))
        said = f"differs in {', '.join(differ)}" if differ else "the same"
        lines = [f"dealer_blackjack_takes = {takes}", *python(rows), f"the module: {said}", ""]
        sys.stdout.write("\n".join(lines) + "\n")
    for (takes, das), each in derived.returns.items():
        sys.stdout.write(
            f"{takes}, double_after_split {'on' if das else 'off'}: returns {percent(each.table)}, "
            f"every card known {percent(each.best)}, {each.staked:.4f} units staked\n"
        )
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
