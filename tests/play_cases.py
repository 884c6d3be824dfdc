"""Play a file of rounds with known cards and print what this core does with them.

    python -m tests.play_cases FILE [FILE ...]

The file holds complete rounds: shoe, seats, bets, answers (`blackjack-oracle-cases/1`). Its
`expected` part is never looked at. One JSON line a case comes out, in the shape of `expected`:
every card goes through the table's `decide` as a reading, every bet and answer as a command of the
game host, every silence as the end of a window.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from station.game import commands as c
from station.game import facts as g
from station.game.cards import Card
from station.game.dealing import Owed
from station.game.hands import is_blackjack, is_bust, total
from station.game.rules import TableRules
from station.game.state import Hand, Line, Slot
from station.table.state import expected as expected_now
from tests.support.play import HOST, Play

Json = dict[str, Any]
WIDE = 10**12
FORMAT = "blackjack-oracle-cases/1"
KINDS = {"pair": "pairs", "behind_pair": "behind_pairs"}


class CaseError(Exception):
    """The file is not one of these, or a case asks for what the rules forbid."""


# Fields of the block that have one value in this game.
ONLY = {
    "decks": 8,
    "blackjack_pay": "3/2",
    "pairs_pay": 11,
    "insurance_pay": 2,
    "split_deal": "both_first",
    "split_by": "value",
    "split_ten_ace_is_blackjack": False,
    "auto_stand_21": True,
    "auto_target": 11,
    "rounding": "floor",
    "idle_without_decision": False,
}
DRAW = {"always": "always", "as_needed": "until_decided"}
TAKES = {"lose_all": "all", "obo": "original"}
FREE = {"das", "dealer_bj", "dealer_draw", "auto_hit_on_target"}


def rules_of(block: Any) -> TableRules:
    """The file's `rules` in the product's own settings; limits wide open, the step 2."""
    if not isinstance(block, dict):
        raise CaseError(f"rules: {block!r} is not an object")
    for key, value in block.items():
        if key in ONLY and value != ONLY[key]:
            raise CaseError(f"rules.{key}: {value!r} is not played here, only {ONLY[key]!r}")
        if key not in ONLY and key not in FREE:
            sys.stderr.write(f"rules.{key}: unknown, passed over\n")
    return TableRules(
        main_min=2,
        main_max=WIDE,
        bet_step=2,
        pair_min=1,
        pair_max=WIDE,
        double_after_split=bool(block.get("das", True)),
        dealer_blackjack_takes=_one_of(block, "dealer_bj", TAKES, "lose_all"),  # type: ignore[arg-type]
        dealer_draw=_one_of(block, "dealer_draw", DRAW, "always"),  # type: ignore[arg-type]
        autoplay_hits_eleven=bool(block.get("auto_hit_on_target", True)),
    )


def _one_of(block: Json, key: str, known: dict[str, str], default: str) -> str:
    value = block.get(key, default)
    if value not in known:
        raise CaseError(f"rules.{key}: {value!r} is not one of {', '.join(known)}")
    return known[value]


class CasePlay:
    """One case at a table of its own."""

    def __init__(self, case: Json, rules: TableRules) -> None:
        self.case = case
        self.table = Play(rules).open_table()
        self.shoe: Iterator[str] = iter(case["shoe"])
        self.drawn = 0
        self.decisions: list[Json] = []
        self.offers: list[Json] = []
        self.auto: set[int] = set()
        self.answers = {
            int(seat["seat"]): [dict(action) for action in seat["actions"]]
            for seat in case["seats"]
        }
        self.follows: dict[tuple[str, int], list[Json]] = defaultdict(list)
        for bet in case["behind"]:
            self.follows[(bet["player"], int(bet["seat"]))] += [dict(f) for f in bet["follow"]]

    # --- the round --------------------------------------------------------------------------

    def play(self) -> Json:
        """The round from the first seat taken to its end, and what became of it."""
        table = self.table
        for seat in self.case["seats"]:
            table.must(HOST, c.TakeSeat(int(seat["seat"]), seat["player"]))
        table.open_round()
        for seat in self.case["seats"]:
            self._bet(seat, "main", "pair")
        for bet in self.case["behind"]:
            self._bet(bet, "behind", "behind_pair")
        table.close()
        while not table.round.ended:
            self._step()
        return self._told()

    def _bet(self, bet: Json, main: str, pair: str) -> None:
        for kind, key in ((main, "main"), (pair, "pairs")):
            if type(bet[key]) is not int:
                raise CaseError(f"{bet['player']} at seat {bet['seat']}: {key} is {bet[key]!r}")
            if bet[key]:
                self.table.must(
                    HOST,
                    c.PlaceBet(
                        self.table.number,
                        int(bet["seat"]),
                        bet["player"],
                        bet[key],
                        kind,  # type: ignore[arg-type]
                    ),
                )

    def _step(self) -> None:
        """Whatever the table waits for: a card, an answer, or the end of a window."""
        round_ = self.table.round
        if self.case["void_after_card"] == self.drawn:
            self.table.lose_host()
            if not self.table.round.ended:
                self.table.fire("host_grace")
        elif round_.window is not None and round_.window.kind == "insurance":
            self._insure()
        elif round_.window is not None:
            self._follow()
        elif round_.asked is not None:
            self._decide()
        else:
            answer = expected_now(self.table.table)
            if not isinstance(answer, Owed):
                raise CaseError(f"{self.case['id']}: nothing goes on ({answer})")
            self.drawn += 1
            self.table.card(next(self.shoe))

    def _insure(self) -> None:
        window = self.table.round.window
        assert window is not None
        for seat in self.case["seats"]:
            said = seat["insurance"]
            if said in ("buy", "decline") and seat["player"] in window.asked:
                buy = said == "buy"
                self.table.must(
                    HOST, c.Insure(self.table.number, window.window, seat["player"], buy)
                )
        if self.table.round.window is not None:
            self.table.fire("insurance")

    def _follow(self) -> None:
        window = self.table.round.window
        assert window is not None
        said = {}
        for player in window.asked:
            planned = self.follows[(player, window.seat)]
            next_ = planned.pop(0) if planned else {"answer": "timeout"}
            self._same(next_, player, offer=window.kind, hand=window.hand)
            answer = next_["answer"]
            said[player] = answer
            self.offers.append(
                {
                    "player": player,
                    "seat": window.seat,
                    "offer": window.kind,
                    "hand": window.hand,
                    "answer": answer,
                }
            )
        for player, answer in said.items():
            if answer != "timeout":
                yes = answer == "follow"
                self.table.must(HOST, c.Follow(self.table.number, window.window, player, yes))
        if self.table.round.window is not None:
            self.table.fire("follow")

    def _decide(self) -> None:
        asked = self.table.round.asked
        assert asked is not None
        hand = self._hand(asked.seat, asked.hand)
        points, soft = total(hand.cards)
        planned = self.answers[asked.seat]
        next_ = planned.pop(0) if planned else {"do": "timeout"}
        self._same(next_, f"seat {asked.seat}", hand=asked.hand)
        do: Any = next_["do"]
        self.decisions.append(
            {
                "seat": asked.seat,
                "hand": asked.hand,
                "cards": faces(hand.cards),
                "total": points,
                "soft": soft,
                "legal": sorted(asked.legal),
                "do": do,
            }
        )
        if do == "timeout":
            self.auto.add(asked.seat)
            self.table.fire("decision")
        else:
            self.table.act(do)

    @staticmethod
    def _same(planned: Json, who: str, **asked: object) -> None:
        """The file's next answer is for what is asked."""
        for key, value in asked.items():
            if planned.get(key, value) != value:
                raise CaseError(
                    f"{who} is asked about {key} {value}, and the file answers {planned}"
                )

    def _hand(self, seat: int, hand: int) -> Hand:
        box = next(box for box in self.table.round.boxes if box.seat == seat)
        return box.hands[hand - 1]

    # --- what came of it --------------------------------------------------------------------

    def _told(self) -> Json:
        round_ = self.table.round
        void = round_.ended == "void"
        lines = sorted(round_.lines, key=lambda line: line.bet)
        removed = [fact for fact in self.table.of(g.SeatLeft) if isinstance(fact, g.SeatLeft)]
        final = total(round_.dealer)
        return {
            "id": self.case["id"],
            "void": void,
            "deal": self._deal(void=void),
            "dealer": None if void else faces(round_.dealer),
            "dealer_final": None
            if void
            else {
                "total": final.points,
                "soft": final.soft,
                "blackjack": is_blackjack(round_.dealer),
                "bust": is_bust(round_.dealer),
            },
            "hands": {
                str(box.seat): [told_hand(hand) for hand in box.hands] for box in round_.boxes
            },
            "bets": [told_bet(line) for line in lines],
            "decisions": self.decisions,
            "follow_offers": self.offers,
            "seats_removed": sorted(fact.seat for fact in removed if fact.reason == "inactive"),
            "auto_seats": sorted(self.auto),
            "players": players_of(lines),
        }

    def _deal(self, *, void: bool) -> list[list[str]]:
        """Every card up to the end of the players' turns; of a void round, up to the break."""
        dealt = [fact for fact in self.table.of(g.CardDealt) if isinstance(fact, g.CardDealt)]
        to_dealer = 0
        deal = []
        for fact in dealt:
            to_dealer += fact.slot.is_dealer
            if fact.slot.is_dealer and to_dealer > 1 and not void:
                break
            deal.append([recipient(fact.slot), fact.card.face])
        return deal


def recipient(slot: Slot) -> str:
    return "D" if slot.is_dealer else f"S{slot.seat}H{slot.hand}"


def faces(cards: tuple[Card, ...]) -> list[str]:
    return [card.face for card in cards]


def told_hand(hand: Hand) -> Json:
    points, soft = total(hand.cards)
    state = "stand"
    if hand.bust:
        state = "bust"
    elif hand.blackjack:
        state = "blackjack"
    elif hand.surrendered:
        state = "surrender"
    elif hand.doubled:
        state = "double"
    return {
        "cards": faces(hand.cards),
        "total": points,
        "soft": soft,
        "state": state,
        "from_split": hand.split,
    }


def told_bet(line: Line) -> Json:
    kind = KINDS.get(line.kind, line.kind)
    return {
        "id": f"{kind}:{line.player}:{line.seat}:{line.hand}",
        "owner": line.player,
        "kind": kind,
        "seat": line.seat,
        "hand": line.hand,
        "stake": line.stake,
        "label": line.result,
        "returned": line.returned,
        "exact": str(line.returned),
        "rule": line.rule,
    }


def players_of(lines: list[Line]) -> dict[str, Json]:
    players: dict[str, Json] = {}
    for line in lines:
        sums = players.setdefault(line.player, {"staked": 0, "returned": 0, "net": 0})
        sums["staked"] += line.stake
        sums["returned"] += line.returned
        sums["net"] = sums["returned"] - sums["staked"]
    return players


def read_file(path: Path) -> tuple[TableRules, list[Json]]:
    """The rules and the cases of a file. Raises CaseError naming the file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise CaseError(f"{path}: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise CaseError(f"{path}: no cases in it")
    if document.get("format", FORMAT) != FORMAT:
        raise CaseError(f"{path}: format {document['format']!r}, not {FORMAT!r}")
    try:
        return rules_of(document.get("rules", {})), document["cases"]
    except (CaseError, ValueError, TypeError) as error:
        raise CaseError(f"{path}: {error}") from error


def name_of(case: Any) -> str:
    """A case's own name, or the beginning of what stands in its place."""
    return str(case.get("id", "?")) if isinstance(case, dict) else repr(case)[:40]


def play_case(case: Json, rules: TableRules) -> Json:
    """What this core does with one case. Raises CaseError naming it."""
    name = name_of(case)
    try:
        return CasePlay(case, rules).play()
    except CaseError as error:
        raise CaseError(f"case {name}: {error}") from error
    except StopIteration:
        raise CaseError(f"case {name}: the shoe has no card left") from None
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CaseError(f"case {name}: {error!r}") from error


def play_file(path: Path) -> Iterator[Json]:
    """What this core does with each case of the file. Raises CaseError naming file and case."""
    rules, cases = read_file(path)
    for case in cases:
        try:
            yield play_case(case, rules)
        except CaseError as error:
            raise CaseError(f"{path}: {error}") from error


def main(arguments: list[str]) -> int:
    """A case that cannot be played is named on stderr and by `error` in its line; 1 at the end."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m tests.play_cases FILE [FILE ...]\n")
        return 0 if "--help" in arguments else 2
    failed = 0
    for name in arguments:
        try:
            rules, cases = read_file(Path(name))
        except CaseError as error:
            sys.stderr.write(f"{error}\n")
            failed += 1
            continue
        for case in cases:
            try:
                told = play_case(case, rules)
            except CaseError as error:
                sys.stderr.write(f"{name}: {error}\n")
                told = {"id": name_of(case), "error": str(error)}
                failed += 1
            sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # Whoever reads has seen enough; nothing more is to be flushed to him.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
