"""`bee-tek`: a card shoe that writes text records, ` [Mode]<Body> `. It hears nothing."""

from __future__ import annotations

from collections.abc import Mapping

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.faults import Fault, hex_bytes
from hw_sim.models.base import Piece

ENDS = {"none": "", "cr": "\r", "lf": "\n", "crlf": "\r\n"}
_MS = "milliseconds"
_ALARM: dict[str, tuple[object, str]] = {
    "text": ("E3 Card Not Read", "code and words"),
    "mode": ("Game", "the mode it is told in, such as GameAlarm"),
}

FAULTS: dict[str, Fault] = {
    "missing_spaces": Fault("the record without the spaces around it", "draw"),
    "ten": Fault("a ten is written otherwise: 10 for T, or T for 10", "draw"),
    "unread": Fault("it could not read the card: the mode is repeated", "draw"),
    "alarm_not_read": Fault("alarm E3 in place of the card", "draw", _ALARM),
    "alarm_between": Fault(
        "an alarm between the halves of the record",
        "draw",
        {"keep": (12, "characters before it"), **_ALARM},
    ),
    "stray": Fault(
        "characters after the record",
        "draw",
        {"text": (None, "which; left out: the card's once more")},
    ),
    "half_record": Fault(
        "the beginning of the record, then silence", "draw", {"keep": (12, "characters that come")}
    ),
    "split_record": Fault(
        "the record in two parts with a pause between them",
        "draw",
        {"keep": (12, "characters before the pause"), "ms": (500, f"{_MS} of pause")},
    ),
    "double_record": Fault(
        "the same record again after a while", "draw", {"ms": (60, f"{_MS} between them")}
    ),
    "no_such_card": Fault("a card there is not", "draw", {"text": ("1S", "what it writes")}),
    "wrong_baud": Fault(
        "bytes of a wrong baud rate in place of the record",
        "draw",
        {"hex": ("E080FF9E00", "the bytes, in hex")},
    ),
    "alarm": Fault("an alarm, and no card", "now", _ALARM),
    "warning": Fault("a warning", "now", {"code": ("W0x01", "which")}),
    "unknown": Fault("a record nobody knows", "now", {"text": ("Shoe Empty", "its body")}),
    "mode": Fault("somebody turns its key", "now", {"to": ("Game", "the mode from now on")}),
}


class BeeTek:
    """One shoe. `mode`: as its key stands. `end`: what ends a record besides its space: none, cr,
    lf or crlf. `ten`: how it writes a ten, T or 10. `echo`: it writes a card's characters once more
    after the record. `cut`: the body of the cut card's record, "" for none at all.

    Raises CodeError for settings of no use.
    """

    kind = "bee-tek"
    records = 0
    wake_at_ms: int | None = None

    def __init__(
        self,
        mode: str = "Manual Burn Cards",
        end: str = "none",
        ten: str = "T",
        echo: bool = False,
        cut: str = "",
    ) -> None:
        if end not in ENDS:
            raise CodeError(f"end {end!r}: there are {', '.join(ENDS)}")
        if ten not in ("T", "10"):
            raise CodeError(f"ten {ten!r}: T or 10")
        self.faults = FAULTS
        self._mode = mode
        self._end = ENDS[end]
        self._ten = ten
        self._echo = echo
        self._cut = cut
        self._last = ""

    def start(self, now_ms: int) -> list[Piece]:
        return []

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        if card.cut:
            return [Piece(0, self._record(self._cut))] if self._cut else []
        given = _given(fault, params)
        written = self._written(card.face, other=fault == "ten")
        self._last = written
        record = self._record(f"Card:{written}")
        if fault in ("", "ten"):
            return [Piece(0, record + (written.encode() if self._echo else b""))]
        return self._spoilt(fault, given, written, record)

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        given = _given(fault, params)
        match fault:
            case "alarm":
                return [Piece(0, self._record(f"Alarm:{given['text']}", str(given["mode"])))]
            case "warning":
                return [Piece(0, f" <{given['code']}> {self._end}".encode("ascii"))]
            case "unknown":
                return [Piece(0, self._record(str(given["text"])))]
            case "mode":
                self._mode = str(given["to"])
                return []
        raise CodeError(f"the fault {fault!r} is one of a card")

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        """A card is drawn through it once."""
        return []

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        return []

    def tick(self, now_ms: int) -> list[Piece]:
        return []

    def state(self) -> dict[str, object]:
        return {"mode": self._mode, "last": self._last}

    def _record(self, body: str, mode: str = "") -> bytes:
        return f" [{mode or self._mode}]<{body}> {self._end}".encode("ascii")

    def _written(self, face: str, *, other: bool) -> str:
        if face[0] != "T":
            return face
        ten = self._ten if not other else ("10" if self._ten == "T" else "T")
        return ten + face[1]

    def _spoilt(
        self, fault: str, given: Mapping[str, object], written: str, record: bytes
    ) -> list[Piece]:
        """The record as the wire or the shoe spoils it."""
        match fault:
            case "missing_spaces":
                return [Piece(0, record.strip())]
            case "unread":
                return [Piece(0, self._record(self._mode))]
            case "alarm_not_read":
                return self.do("alarm", dict(given), 0)
            case "alarm_between":
                keep = _number(given, "keep")
                alarm = self.do("alarm", {k: given[k] for k in ("text", "mode")}, 0)[0].data
                return [Piece(0, record[:keep] + alarm + record[keep:])]
            case "stray":
                return [Piece(0, record + str(given["text"] or written).encode("ascii"))]
            case "half_record":
                return [Piece(0, record[: _number(given, "keep")])]
            case "split_record":
                keep = _number(given, "keep")
                return [Piece(0, record[:keep]), Piece(_number(given, "ms"), record[keep:])]
            case "double_record":
                return [Piece(0, record), Piece(_number(given, "ms"), record)]
            case "no_such_card":
                return [Piece(0, self._record(f"Card:{given['text']}"))]
            case "wrong_baud":
                return [Piece(0, hex_bytes(str(given["hex"])))]
        raise CodeError(f"the fault {fault!r} is not one of a card")


def _given(fault: str, params: Mapping[str, object] | None) -> dict[str, object]:
    """The fault's parameters: those given, else the defaults. Raises CodeError for no fault."""
    if fault and fault not in FAULTS:
        raise CodeError(f"no fault {fault!r}; there are {', '.join(FAULTS)}")
    known = FAULTS[fault].params if fault else {}
    return {key: default for key, (default, _) in known.items()} | dict(params or {})


def _number(given: Mapping[str, object], name: str) -> int:
    value = given[name]
    assert isinstance(value, int)
    return value
