"""A round as lines of text, from one snapshot to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hw_sim.link import Message

WORDS: dict[str, tuple[str, str]] = {
    "round": ("라운드 {n}", "Round {n}"),
    "bet": ("좌석 {seat} {player}: {kind} {amount}", "seat {seat} {player}: {kind} {amount}"),
    "taken_back": (
        "좌석 {seat} {player}: 베팅 취소 {amount}{of}",
        "seat {seat} {player}: takes {amount} back{of}",
    ),
    "more_behind": (
        "좌석 {seat}: 뒤 베팅 {players}명, {amounts}",
        "seat {seat}: {players} behind, {amounts}",
    ),
    "pair_behind": ("페어 {amount}", "Pair {amount}"),
    "seat": ("좌석 {seat}", "seat {seat}"),
    "dealer": ("딜러", "dealer"),
    "asked": ("좌석 {seat}: 결정 대기 ({total})", "seat {seat}: to decide on {total}"),
    "w_insurance": ("인슈어런스: {n}명에게 물음", "insurance: {n} are asked"),
    "w_split": (
        "좌석 {seat} 스플릿: 뒤 {n}명에게 물음",
        "seat {seat}: {n} behind are asked to follow the split",
    ),
    "w_double": (
        "좌석 {seat} 더블: 뒤 {n}명에게 물음",
        "seat {seat}: {n} behind are asked to follow the double",
    ),
    "absent": ("좌석 {seat}: 자리에 없음, 자동 진행", "seat {seat}: absent, the station plays"),
    "back": ("좌석 {seat}: 돌아옴", "seat {seat}: is back"),
    "split": ("좌석 {seat}: 스플릿", "seat {seat}: splits"),
    "double": ("좌석 {seat}: 더블 {total}", "seat {seat}: doubles: {total}"),
    "surrender": ("좌석 {seat}: 서렌더", "seat {seat}: surrenders"),
    "hit": ("좌석 {seat}: 히트", "seat {seat}: hits"),
    "stand": ("좌석 {seat}: 스탠드 {total}", "seat {seat}: stands on {total}"),
    "bust": ("좌석 {seat}: 버스트 {total}", "seat {seat}: busts with {total}"),
    "blackjack": ("좌석 {seat}: 블랙잭", "seat {seat}: blackjack"),
    "twenty_one": ("좌석 {seat}: 21", "seat {seat}: 21"),
    "d_stand": ("딜러: 스탠드 {total}", "dealer: stands on {total}"),
    "d_bust": ("딜러: 버스트 {total}", "dealer: busts with {total}"),
    "d_blackjack": ("딜러: 블랙잭", "dealer: blackjack"),
    "paid": (
        "좌석 {seat} {player}: {kind}{result}, {amount} → {back}",
        "seat {seat} {player}: {kind}{result}, {amount} → {back}",
    ),
    "paid_behind": (
        "좌석 {seat} 뒤 {players}명: {amount} → {back}",
        "seat {seat}, {players} behind: {amount} → {back}",
    ),
    "paid_pair_behind": (
        "좌석 {seat} 뒤 페어: {amount} → {back}",
        "seat {seat}, Pair behind: {amount} → {back}",
    ),
    "of_split": ("{seat} 핸드 {hand}", "{seat} hand {hand}"),
    "sum": ("베팅 {placed}, 지급 {back}", "in {placed}, out {back}"),
    "void": ("라운드 {n} 취소: 모든 베팅 반환", "round {n} is void: every bet returned"),
    "hold": ("정지 {n}: {what}", "HOLD {n}: {what}"),
    "release": (
        "정지 {n} 해제: 계속 진행 ({by})",
        "hold {n} is over: the table goes on, says {by}",
    ),
    "aligned": (
        "정지 {n} 해제: 화면과 테이블 일치 ({by})",
        "hold {n} is over: screen and felt agree, says {by}",
    ),
    "burn": ("정지 {n} 해제: 카드 버림 ({by})", "hold {n} is over: the card is burned, says {by}"),
    "void_ruled": ("정지 {n} 해제: 라운드 취소 ({by})", "hold {n} is over: void, says {by}"),
    "released": ("정지 {n} 해제", "hold {n} is over"),
    "shoe": ("슈 {id}: {text}", "shoe {id}: {text}"),
    "device": ("장치 {name}: {text}", "device {name}: {text}"),
}
RESULTS: dict[str, tuple[str, str]] = {
    "win": ("승", "win"),
    "blackjack_win": ("블랙잭 승", "blackjack win"),
    "push": ("무승부", "push"),
    "lose": ("패", "lose"),
    "bust": ("버스트", "bust"),
    "surrender": ("서렌더", "surrender"),
    "returned": ("반환", "returned"),
}
# A bet placed, and the word before its result.
BETS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "main": (("베팅", "bets"), ("", "")),
    "pair": (("페어", "bets on Pair"), ("페어 ", "Pair ")),
    "insurance": (("인슈어런스", "insures for"), ("인슈어런스 ", "insurance ")),
    "behind": (("뒤 베팅", "bets behind"), ("뒤 ", "behind, ")),
    "behind_pair": (("뒤 페어", "bets on Pair behind"), ("뒤 페어 ", "Pair behind, ")),
}
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

RULED = {"release": "release", "aligned": "aligned", "burn": "burn", "void": "void_ruled"}
HAND_ENDS = ("stand", "bust", "blackjack", "twenty_one", "double", "surrender")
# Phases in which no round is being played.
NO_ROUND = ("closed", "paused", "idle", "result", "void")
AT_MARGIN = {"round", "shoe", "device", "hold", "void", "released", *RULED.values()}

Print = Callable[[str, str], None]
# The body of the fact that ended a hold, by the hold's number; empty when there is none.
Released = Callable[[int], Message]


def _unknown(_hold: int) -> Message:
    return {}


class RoundView:
    """Prints what is new in each snapshot. `emit` is given a line and its style (rich's words);
    `released` is asked how a hold that is over has ended.
    """

    def __init__(self, language: str, emit: Print, released: Released = _unknown) -> None:
        self._released = released
        self._index = 0 if language == "ko" else 1
        self._language = language
        self._emit = emit
        self._seen: Message = {}

    def show(self, snapshot: Message) -> None:
        """Print the difference to the snapshot before. Of the first only how the table stands is
        told: what lies on the felt then is of an earlier run.
        """
        before, self._seen = self._seen, snapshot
        self._show_holds(before, snapshot)
        self._show_table(before, snapshot)
        if snapshot.get("round") != before.get("round") and snapshot.get("round"):
            if snapshot.get("phase") not in (NO_ROUND if not before else ("idle",)):
                self._line("round", "bold", n=snapshot["round"])
            before = {**before, "seats": [], "dealer": {}, "decision": None} if before else {}
        if before:
            self._show_round(before, snapshot)

    def _show_round(self, before: Message, snapshot: Message) -> None:
        self._show_splits(before, snapshot)
        self._show_bets(before, snapshot)
        self._show_read(before, snapshot)
        self._show_asked(before, snapshot)
        self._show_hands(before, snapshot)
        if snapshot.get("phase") != before.get("phase"):
            if snapshot.get("phase") == "result":
                self._show_result(snapshot)
            elif snapshot.get("phase") == "void":
                self._line("void", "bold red", n=snapshot["round"])

    # --- parts ------------------------------------------------------------------------------

    def _show_table(self, before: Message, now: Message) -> None:
        shoe, old = now.get("shoe", {}), before.get("shoe", {})
        if (shoe.get("id"), shoe.get("state")) != (old.get("id"), old.get("state")):
            self._line("shoe", "cyan", id=shoe.get("id") or "-", text=self._text(shoe))
        check, was = shoe.get("check") or {}, old.get("check") or {}
        if check and (check["check"], check["state"]) != (was.get("check"), was.get("state")):
            failed = check["state"] in ("failed", "ended")
            self._emit(self._text(check), "red" if failed else "cyan")
            for text in check.get("found", []):
                self._emit(f"  {text.get(self._language, '')}", "red")
        healths = {device["name"]: device["health"] for device in before.get("devices", [])}
        for device in now.get("devices", []):
            if device["health"] != healths.get(device["name"]):
                style = "cyan" if device["health"] == "up" else "red"
                self._line("device", style, name=device["name"], text=self._text(device))

    def _show_holds(self, before: Message, now: Message) -> None:
        old = {hold["hold"] for hold in before.get("holds", [])}
        new = {hold["hold"]: hold for hold in now.get("holds", [])}
        for number, hold in new.items():
            if number not in old:
                what = hold.get("what", {}).get(self._language, hold.get("code", ""))
                self._line("hold", "bold red", n=number, what=what)
        for number in sorted(old - new.keys()):
            fact = self._released(number)
            word = RULED.get(str(fact.get("ruling")), "released")
            self._line(word, "green", n=number, by=fact.get("by", ""))

    def _show_splits(self, before: Message, now: Message) -> None:
        """Said before the bet on the second hand, which is placed before the cards are apart."""
        was = _by_seat(before)
        for seat in now.get("seats", []):
            if _is_split(seat) and not _is_split(was.get(seat["seat"], {})):
                self._line("split", "", seat=seat["seat"])

    def _show_bets(self, before: Message, now: Message) -> None:
        old, betting = _by_seat(before), now.get("phase") == "betting"
        for seat in now.get("seats", []):
            was = old.get(seat["seat"], {})
            had, has = _bets(was, betting), _bets(seat, betting)
            for word, bets in (
                ("taken_back", _less(had, has) if betting else []),
                ("bet", _less(has, had)),
            ):
                for bet in bets:
                    self._show_bet(word, now, seat, bet)
            if _behind(seat) and now.get("phase") not in ("betting", "result", "void"):
                new = _amounts(seat) != _amounts(was)
                if before.get("phase") == "betting" or new:
                    self._show_behind(now, seat)

    def _show_bet(self, word: str, now: Message, seat: Message, bet: Message) -> None:
        kind, of = (words[self._index] for words in BETS[bet.get("kind", "main")])
        of = f" ({of.rstrip(', ')})" if of else ""
        words = {"kind": kind, "of": of, "amount": money(now, bet["amount"])}
        where = self._at(seat, bet.get("hand", 1))
        self._line(word, "", seat=where, player=bet["player"], **words)

    def _show_behind(self, now: Message, seat: Message) -> None:
        """Bets on the hand and Pair bets apart: they are won and lost apart (R42)."""
        on_hand, pair = _amounts(seat)
        amounts = [money(now, on_hand)] if on_hand else []
        if pair:
            amounts.append(self._word("pair_behind", amount=money(now, pair)))
        words = {"players": seat["behind"]["players"], "amounts": ", ".join(amounts)}
        self._line("more_behind", "", seat=seat["seat"], **words)

    def _show_read(self, before: Message, now: Message) -> None:
        read = now.get("last_read") or {}
        if not read or read.get("number") == (before.get("last_read") or {}).get("number"):
            return
        face, slot = face_text(read.get("face", "")), read.get("slot")
        if read.get("outcome") != "dealt" or not slot:
            self._emit(f"  {face} {self._text(read)}".rstrip(), "yellow")
            return
        if slot["to"] == "dealer":
            where, total = self._word("dealer"), now["dealer"]["total"]
        else:
            where = self._word("seat", seat=self._of(now, slot["seat"], slot["hand"]))
            total = _hand(now, slot["seat"], slot["hand"]).get("total", "")
        self._emit(f"  {face} → {where}: {total}", "")

    def _show_asked(self, before: Message, now: Message) -> None:
        """Questions to several players, and who is there."""
        window, old = now.get("window") or {}, before.get("window") or {}
        if window and window["window"] != old.get("window"):
            # To a split they follow with the second hand, which is not dealt yet.
            hand = window["hand"] if window["kind"] == "double" else 0
            where = self._of(now, window["seat"], hand)
            self._line(f"w_{window['kind']}", "dim", seat=where, n=len(window["asked"]))
        if now.get("phase") in ("result", "void"):
            return
        was = _by_seat(before)
        for seat in now.get("seats", []):
            absent = bool(seat.get("absent"))
            if absent != bool(was.get(seat["seat"], {}).get("absent")) and seat.get("player"):
                self._line("absent" if absent else "back", "yellow", seat=seat["seat"])

    def _show_hands(self, before: Message, now: Message) -> None:
        for seat in now.get("seats", []):
            for hand in seat.get("hands", []):
                state = hand["state"]
                old = _hand(before, seat["seat"], hand["hand"]).get("state")
                if state != old and state in HAND_ENDS:
                    self._line(state, "", seat=self._at(seat, hand["hand"]), total=hand["total"])
        asked, old_asked = now.get("decision") or {}, before.get("decision") or {}
        if not asked:
            return
        where = self._of(now, asked["seat"], asked["hand"])
        if asked.get("chosen"):
            if asked["chosen"] == "hit" and not old_asked.get("chosen"):
                self._line("hit", "", seat=where)
        elif asked["decision"] != old_asked.get("decision"):
            total = _hand(now, asked["seat"], asked["hand"]).get("total", "")
            self._line("asked", "dim", seat=where, total=total)

    def _show_result(self, now: Message) -> None:
        dealer = now["dealer"]
        if f"d_{dealer['state']}" in WORDS:
            self._line(f"d_{dealer['state']}", "bold", total=dealer["total"])
        placed = back = 0
        for seat in now.get("seats", []):
            bets = [(bet["amount"], bet.get("returned") or 0) for bet in seat.get("bets", [])]
            for bet in seat.get("bets", []):
                self._show_paid(now, seat, bet)
            if _behind(seat):
                bets += self._show_paid_behind(now, seat["seat"], seat["behind"])
            placed += sum(amount for amount, _ in bets)
            back += sum(returned for _, returned in bets)
        self._line("sum", "bold", placed=money(now, placed), back=money(now, back))

    def _show_paid_behind(self, now: Message, seat: int, behind: Message) -> list[tuple[int, int]]:
        """What was staked and came back behind that seat: on the hand, and on Pair."""
        flows = [
            (behind.get(f"{of}amount", 0), behind.get(f"{of}returned") or 0) for of in ("", "pair_")
        ]
        words = {"seat": seat, "players": behind["players"]}
        for word, flow in zip(("paid_behind", "paid_pair_behind"), flows, strict=True):
            if flow[0]:
                self._line(word, "", **words, **_flow(now, *flow))
        return flows

    def _show_paid(self, now: Message, seat: Message, bet: Message) -> None:
        returned, result = bet.get("returned") or 0, bet.get("result", "")
        self._line(
            "paid",
            "green" if returned > bet["amount"] else "",
            seat=self._at(seat, bet.get("hand", 1)),
            player=bet["player"],
            kind=BETS[bet.get("kind", "main")][1][self._index],
            result=RESULTS.get(result, (result, result))[self._index],
            **_flow(now, bet["amount"], returned),
        )

    # --- words ------------------------------------------------------------------------------

    def _text(self, view: Message) -> str:
        return str(view.get("text", {}).get(self._language, ""))

    def _word(self, word: str, **values: Any) -> str:
        return WORDS[word][self._index].format(**values)

    def _at(self, seat: Message, hand: int) -> str:
        """A seat's number, and which of its hands is meant where it has two."""
        number = str(seat["seat"])
        if not hand or not _is_split(seat):
            return number
        return self._word("of_split", seat=number, hand=hand)

    def _of(self, snapshot: Message, number: int, hand: int) -> str:
        return self._at(_by_seat(snapshot).get(number, {"seat": number}), hand)

    def _line(self, word: str, style: str, **values: Any) -> None:
        indent = "" if word in AT_MARGIN else "  "
        self._emit(indent + self._word(word, **values), style)


def _by_seat(snapshot: Message) -> dict[int, Message]:
    return {seat["seat"]: seat for seat in snapshot.get("seats", [])}


def _is_split(seat: Message) -> bool:
    """Two hands lie there, or the second has its bet."""
    second = any(bet.get("hand", 1) == 2 for bet in seat.get("bets", []))
    return second or len(seat.get("hands", [])) == 2


def _bets(seat: Message, betting: bool) -> dict[tuple[Any, ...], Message]:
    """A seat's bets by what they are. While betting is open another amount is another bet; later
    it is the same one, doubled.
    """
    return {
        (bet.get("kind", "main"), bet.get("hand", 1), bet["player"], betting and bet["amount"]): bet
        for bet in seat.get("bets", [])
    }


def _less(some: dict[Any, Message], others: dict[Any, Message]) -> list[Message]:
    return [bet for key, bet in some.items() if key not in others]


def _amounts(seat: Message) -> tuple[int, int]:
    """What is staked behind the seat, on its hand and on Pair."""
    behind = seat.get("behind") or {}
    return behind.get("amount", 0), behind.get("pair_amount", 0)


def _behind(seat: Message) -> bool:
    """Whether there are bets behind that are shown as a sum, and not one by one."""
    shown = any(bet.get("kind", "").startswith("behind") for bet in seat.get("bets", []))
    return bool((seat.get("behind") or {}).get("players")) and not shown


def _flow(snapshot: Message, amount: int, returned: int) -> dict[str, str]:
    return {"amount": money(snapshot, amount), "back": money(snapshot, returned)}


def _hand(snapshot: Message, seat: int, hand: int) -> Message:
    for view in snapshot.get("seats", []):
        for found in view.get("hands", []):
            if (view["seat"], found["hand"]) == (seat, hand):
                result: Message = found
                return result
    return {}


def face_text(face: str) -> str:
    """`KH` as `K♥`."""
    return face[:1].replace("T", "10") + SUITS.get(face[1:], "") if face else ""


def money(snapshot: Message, amount: int) -> str:
    """An amount in minor units, for reading."""
    table = snapshot.get("table", {})
    digits = int(table.get("minor_digits", 0))
    return f"{amount / 10**digits:,.{digits}f} {table.get('currency', '')}".strip()
