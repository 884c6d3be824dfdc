"""A round as lines of text, from one snapshot to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hw_sim.link import Message

WORDS: dict[str, tuple[str, str]] = {
    "round": ("라운드 {n}", "Round {n}"),
    "bet": ("좌석 {seat} {player}: 베팅 {amount}", "seat {seat} {player}: bets {amount}"),
    "seat": ("좌석 {seat}", "seat {seat}"),
    "dealer": ("딜러", "dealer"),
    "asked": ("좌석 {seat}: 결정 대기 ({total})", "seat {seat}: to decide on {total}"),
    "hit": ("좌석 {seat}: 히트", "seat {seat}: hits"),
    "stand": ("좌석 {seat}: 스탠드 {total}", "seat {seat}: stands on {total}"),
    "bust": ("좌석 {seat}: 버스트 {total}", "seat {seat}: busts with {total}"),
    "blackjack": ("좌석 {seat}: 블랙잭", "seat {seat}: blackjack"),
    "twenty_one": ("좌석 {seat}: 21", "seat {seat}: 21"),
    "d_stand": ("딜러: 스탠드 {total}", "dealer: stands on {total}"),
    "d_bust": ("딜러: 버스트 {total}", "dealer: busts with {total}"),
    "d_blackjack": ("딜러: 블랙잭", "dealer: blackjack"),
    "paid": (
        "좌석 {seat} {player}: {result}, {amount} → {back}",
        "seat {seat} {player}: {result}, {amount} → {back}",
    ),
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
}
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

RULED = {"release": "release", "aligned": "aligned", "burn": "burn", "void": "void_ruled"}
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
        """Print the difference to the snapshot before."""
        before, self._seen = self._seen, snapshot
        self._show_holds(before, snapshot)
        self._show_table(before, snapshot)
        if snapshot.get("round") != before.get("round") and snapshot.get("round"):
            if snapshot.get("phase") != "idle":
                self._line("round", "bold", n=snapshot["round"])
            before = {**before, "seats": [], "dealer": {}, "decision": None}
        self._show_bets(before, snapshot)
        self._show_read(before, snapshot)
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

    def _show_bets(self, before: Message, now: Message) -> None:
        old = {seat["seat"]: len(seat.get("bets", [])) for seat in before.get("seats", [])}
        for seat in now.get("seats", []):
            for bet in seat.get("bets", [])[old.get(seat["seat"], 0) :]:
                amount = money(now, bet["amount"])
                self._line("bet", "", seat=seat["seat"], player=bet["player"], amount=amount)

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
            where = self._word("seat", seat=slot["seat"])
            total = _hand(now, slot["seat"], slot["hand"]).get("total", "")
        self._emit(f"  {face} → {where}: {total}", "")

    def _show_hands(self, before: Message, now: Message) -> None:
        for seat in now.get("seats", []):
            for hand in seat.get("hands", []):
                state = hand["state"]
                old = _hand(before, seat["seat"], hand["hand"]).get("state")
                if state != old and state in ("stand", "bust", "blackjack", "twenty_one"):
                    self._line(state, "", seat=seat["seat"], total=hand["total"])
        asked, old_asked = now.get("decision") or {}, before.get("decision") or {}
        if asked.get("chosen"):
            if not old_asked.get("chosen"):
                self._line("hit", "", seat=asked["seat"])
        elif asked and asked["decision"] != old_asked.get("decision"):
            total = _hand(now, asked["seat"], asked["hand"]).get("total", "")
            self._line("asked", "dim", seat=asked["seat"], total=total)

    def _show_result(self, now: Message) -> None:
        dealer = now["dealer"]
        if f"d_{dealer['state']}" in WORDS:
            self._line(f"d_{dealer['state']}", "bold", total=dealer["total"])
        placed = back = 0
        for seat in now.get("seats", []):
            for bet in seat.get("bets", []):
                returned = bet.get("returned") or 0
                placed, back = placed + bet["amount"], back + returned
                result = bet.get("result", "")
                self._line(
                    "paid",
                    "green" if returned > bet["amount"] else "",
                    seat=seat["seat"],
                    player=bet["player"],
                    result=RESULTS.get(result, (result, result))[self._index],
                    amount=money(now, bet["amount"]),
                    back=money(now, returned),
                )
        self._line("sum", "bold", placed=money(now, placed), back=money(now, back))

    # --- words ------------------------------------------------------------------------------

    def _text(self, view: Message) -> str:
        return str(view.get("text", {}).get(self._language, ""))

    def _word(self, word: str, **values: Any) -> str:
        return WORDS[word][self._index].format(**values)

    def _line(self, word: str, style: str, **values: Any) -> None:
        indent = "" if word in AT_MARGIN else "  "
        self._emit(indent + self._word(word, **values), style)


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
