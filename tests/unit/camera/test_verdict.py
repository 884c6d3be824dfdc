"""What the witnesses of one card come to: every combination of looks, against the plain rule."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest

from drivers.camera.sight import CodeLook, Corner, Decoder, IndexLook, Symbology
from drivers.camera.verdict import Codes, Verdict, Witness, Witnesses
from drivers.cardcode import CardCode

CODE = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=99)
KING, QUEEN = CODE.format("KH", deck=7), CODE.format("QH", deck=7)
OTHER_KING = CODE.format("KH", deck=3)
BAD = KING[:-1] + ("0" if KING[-1] != "0" else "1")
CUT = CODE.format_cut("B")
UPPER = Corner((10.0, 10.0), (1.0, 0.0), (0.0, 1.0), 60.0, 90.0)
LOWER = Corner((300.0, 400.0), (-1.0, 0.0), (0.0, -1.0), 60.0, 90.0)
BOTH: frozenset[Witness] = frozenset({"barcode", "index"})


def code(
    text: str, *decoders: Decoder, symbology: Symbology = "code128", at: float = 50.0
) -> CodeLook:
    return CodeLook(text, text.encode(), symbology, frozenset(decoders or ("zxing",)), (at, at))


def index(face: str, corner: Corner = UPPER) -> IndexLook:
    return IndexLook(corner, face, templates=face, network=face, score=0.9)


JOKER = IndexLook(UPPER, None, network="joker", joker=True)
TORN_IN_TWO = IndexLook(UPPER, None, "disagree", templates="KH", network="QH")
UNLIKE = IndexLook(UPPER, None, "unlike", templates="8H")

CODES: dict[str, tuple[CodeLook, ...]] = {
    "nothing": (),
    "king": (code(KING),),
    "king by both": (code(KING, "pyzbar", "zxing"),),
    "king at both ends": (code(KING), code(KING, at=300.0)),
    "queen": (code(QUEEN),),
    "king and queen": (code(KING), code(QUEEN, at=300.0)),
    "bad check": (code(BAD, "pyzbar", "zxing"),),
    "cut": (code(CUT),),
    "noise": (code("0123456"),),
}
# Not of every combination: what the plain rule says of it is another card's.
OF_ANOTHER_DECK = "king of another deck"
INDICES: dict[str, tuple[IndexLook, ...]] = {
    "nothing": (),
    "king": (index("KH"),),
    "king at both ends": (index("KH"), index("KH", LOWER)),
    "king twice the same way up": (index("KH"), index("KH")),
    "queen": (index("QH"),),
    "king and queen": (index("KH"), index("QH", LOWER)),
    "joker": (JOKER,),
    "torn in two": (TORN_IN_TWO, UNLIKE),
}


@dataclass(frozen=True)
class Shown:
    """What two frames show, by the plain rule."""

    frames: tuple[tuple[str, str], ...]

    def codes(self) -> list[tuple[CodeLook, ...]]:
        more = {OF_ANOTHER_DECK: (code(OTHER_KING),)}
        return [{**CODES, **more}[one] for one, _ in self.frames]

    def indices(self) -> list[tuple[IndexLook, ...]]:
        return [INDICES[one] for _, one in self.frames]

    def faces(self) -> set[str]:
        """Everything that some look says is there: faces, `joker`, `cut`."""
        texts = {look.text for looks in self.codes() for look in looks}
        said = {face for text, face in ((KING, "KH"), (QUEEN, "QH"), (CUT, "cut")) if text in texts}
        looks = [look for in_frame in self.indices() for look in in_frame]
        said |= {look.face for look in looks if look.face}
        return said | {"joker" for look in looks if look.joker}

    def code_looks(self, text: str) -> int:
        """How much speaks for that text: frames, and one more where both decoders read it."""
        looks = [[look for look in found if look.text == text] for found in self.codes()]
        both = any(len(look.decoders) == 2 for found in looks for look in found)
        return sum(bool(found) for found in looks) + both

    def index_looks(self, face: str) -> int:
        """How much speaks for that face: less what one recogniser alone sees instead of it."""
        looks = [look for in_frame in self.indices() for look in in_frame]
        alone = [look.templates for look in looks if not look.network]
        return sum(look.face == face for look in looks) - sum(one != face for one in alone)


def verdict(shown: Shown, read: frozenset[Witness], alone: bool) -> Verdict:
    witnesses = Witnesses(Codes((CODE,)), read, alone)
    for number, (codes, indices) in enumerate(zip(shown.codes(), shown.indices(), strict=True)):
        witnesses.add(number, codes, indices)
    return witnesses.verdict


def everything(read: frozenset[Witness]) -> list[Shown]:
    codes = CODES if "barcode" in read else {"nothing": ()}
    indices = INDICES if "index" in read else {"nothing": ()}
    one = list(itertools.product(codes, indices))
    return [Shown(frames) for frames in itertools.product(one, one)]


WAYS: list[tuple[frozenset[Witness], bool]] = [
    (frozenset({"barcode"}), True),
    (frozenset({"index"}), True),
    (BOTH, True),
    (BOTH, False),
]


@pytest.mark.parametrize(("read", "alone"), WAYS)
def test_no_face_is_told_that_any_look_contradicts(read: frozenset[Witness], alone: bool) -> None:
    told = 0
    for shown in everything(read):
        found = verdict(shown, read, alone)
        if found.face:
            told += 1
            assert shown.faces() == {found.face}, shown
        if found.cut:
            assert shown.faces() == {"cut"}, shown
        assert not (found.face and found.cut)
        assert bool(found.why) != bool(found.face or found.cut), shown
    assert told > 5


@pytest.mark.parametrize(("read", "alone"), WAYS)
def test_one_look_of_one_kind_is_never_enough(read: frozenset[Witness], alone: bool) -> None:
    for shown in everything(read):
        found = verdict(shown, read, alone)
        if found.face:
            codes, indices = shown.code_looks(KING), shown.index_looks("KH")
            if found.face == "QH":
                codes, indices = shown.code_looks(QUEEN), shown.index_looks("QH")
            said = found.face in {look.face for looks in shown.indices() for look in looks}
            enough = codes >= 2 or indices >= 2 or (codes and said)
            assert enough, shown
            assert ("barcode" in found.by) <= (codes > 0)
            assert ("index" in found.by) <= said
            assert (found.card is not None) == ("barcode" in found.by)


def test_without_leave_to_stand_alone_a_face_has_both_witnesses() -> None:
    told = 0
    for shown in everything(BOTH):
        found = verdict(shown, BOTH, alone=False)
        if found.face:
            assert found.by == ("barcode", "index"), shown
            told += 1
    assert told > 10


@pytest.mark.parametrize(("read", "alone"), WAYS)
def test_the_order_of_the_frames_changes_nothing(read: frozenset[Witness], alone: bool) -> None:
    for shown in everything(read):
        other = Shown(shown.frames[::-1])
        one, two = verdict(shown, read, alone), verdict(other, read, alone)
        assert (one.face, one.cut, one.why) == (two.face, two.cut, two.why), shown


@pytest.mark.parametrize(("read", "alone"), WAYS)
def test_what_nothing_contradicts_and_enough_looks_say_is_told(
    read: frozenset[Witness], alone: bool
) -> None:
    for shown in everything(read):
        kinds = {one for one, _ in shown.frames} | {one for _, one in shown.frames}
        if shown.faces() != {"KH"} or kinds & {"bad check", "king twice the same way up"}:
            continue
        codes, indices = shown.code_looks(KING), shown.index_looks("KH")
        said = any(look.face for looks in shown.indices() for look in looks)
        enough = bool(codes and said) or (alone and (codes >= 2 or indices >= 2))
        assert (verdict(shown, read, alone).face == "KH") == enough, shown


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        ((("king", "queen"), ("king", "queen")), "witnesses_disagree"),
        ((("king", "nothing"), ("queen", "nothing")), "contradiction"),
        ((("king", "nothing"), ("bad check", "nothing")), "contradiction"),
        ((("nothing", "king"), ("nothing", "queen")), "contradiction"),
        ((("nothing", "king"), ("nothing", "joker")), "contradiction"),
        ((("king and queen", "nothing"), ("nothing", "nothing")), "two_cards"),
        ((("nothing", "king and queen"), ("nothing", "nothing")), "two_cards"),
        ((("nothing", "king twice the same way up"), ("king", "king")), "two_cards"),
        ((("king", "king"), ("queen", "queen")), "two_cards"),
        ((("king", "nothing"), ("queen", "nothing")) * 2, "two_cards"),
        ((("king", "nothing"), ("queen", "nothing"), ("king", "nothing")), "contradiction"),
        ((("king", "king"), ("queen", "nothing"), ("king", "nothing")), "contradiction"),
        ((("king", "king"), (OF_ANOTHER_DECK, "nothing")), "contradiction"),
        ((("king", "king"), (OF_ANOTHER_DECK, "nothing")) * 2, "two_cards"),
        ((("king", "joker"), ("king", "joker")), "witnesses_disagree"),
        ((("cut", "king"), ("cut", "king")), "witnesses_disagree"),
        ((("cut", "king"), ("nothing", "king")), "witnesses_disagree"),
        ((("nothing", "joker"), ("nothing", "joker")), "joker"),
        ((("king", "nothing"), ("nothing", "nothing")), "one_look"),
        ((("nothing", "king"), ("nothing", "nothing")), "one_look"),
        ((("bad check", "nothing"), ("bad check", "nothing")), "bad_check"),
        ((("noise", "nothing"), ("noise", "nothing")), "not_a_card"),
        ((("nothing", "torn in two"), ("nothing", "torn in two")), "unread"),
    ],
)
def test_why_a_card_cannot_be_told(frames: tuple[tuple[str, str], ...], why: str) -> None:
    found = verdict(Shown(frames), BOTH, alone=True)
    assert (found.face, found.cut, found.why) == ("", None, why)


def test_one_witness_is_named_where_two_are_wanted() -> None:
    found = verdict(Shown((("king", "nothing"), ("king", "nothing"))), BOTH, alone=False)
    assert (found.why, found.detail) == ("one_witness", "code=KH/7")
    found = verdict(Shown((("nothing", "king"), ("nothing", "king"))), BOTH, alone=False)
    assert (found.why, found.detail) == ("one_witness", "index=KH")


def test_what_each_witness_says_is_told_when_they_disagree() -> None:
    found = verdict(Shown((("king", "queen"), ("king", "queen"))), BOTH, alone=True)
    assert found.detail == "code=KH/7 index=QH"


def test_the_code_tells_deck_and_text_of_a_face_the_index_tells_too() -> None:
    found = verdict(Shown((("king", "king"), ("nothing", "nothing"))), BOTH, alone=True)
    assert found.card is not None
    assert (found.card.text, found.card.deck, found.sure) == (KING, 7, True)


def test_a_card_told_by_one_of_two_is_not_sure_yet() -> None:
    assert not verdict(Shown((("king", "nothing"), ("king", "nothing"))), BOTH, alone=True).sure
    alone: frozenset[Witness] = frozenset({"barcode"})
    assert verdict(Shown((("king", "nothing"), ("king", "nothing"))), alone, alone=True).sure


def test_a_table_of_one_form_takes_a_code_of_another_form_for_none() -> None:
    other = CardCode.from_template("{set}{rank}{suit}{deck}{check}")
    witnesses = Witnesses(Codes((other,)), frozenset({"barcode"}), True)
    for number in range(3):
        witnesses.add(number, CODES["king by both"])
    assert (witnesses.verdict.face, witnesses.verdict.why) == ("", "not_a_card")
