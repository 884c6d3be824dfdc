"""What a game is before anything has happened: the values every fold begins with."""

from __future__ import annotations

from station.game import facts as f
from station.game.cards import card_of
from station.game.game import Game, evolve
from station.game.state import Bet, Box, Hand, Round, Seat


def test_r60_before_the_first_shoe_there_is_none() -> None:
    game = Game()
    assert (game.shoe.id, game.shoe.set, game.shoe.state) == ("", "", "none")
    assert (game.shoe.cut, game.shoe.burned, game.shoe.gone) == (False, 0, ())
    assert (game.seats, game.round, game.rounds) == ((), None, 0)
    assert (game.exposed, game.kept, game.retired, game.barred) == ((), (), (), ())


def test_r11_a_round_opens_without_bets_cards_or_questions() -> None:
    opened = evolve(Game(), f.RoundOpened(4, "S1", "f" * 64))
    round_ = opened.round
    assert round_ is not None
    assert (opened.rounds, round_.number, round_.shoe, round_.fingerprint) == (4, 4, "S1", "f" * 64)
    assert (round_.bets, round_.boxes, round_.dealer, round_.lines) == ((), (), (), ())
    assert (round_.asked, round_.decisions, round_.window, round_.windows) == (None, 0, None, 0)
    assert (round_.closed, round_.insurance_over, round_.ended) == (False, False, "")
    assert round_.why_void == ""
    assert not round_.cards_out


def test_r15_cards_are_out_with_the_first_of_a_hand_or_of_the_dealers() -> None:
    card = card_of("8S", "A", 1)
    hand = Round(1, "S1", "", boxes=(Box(1, "P1"), Box(2, "P2", (Hand(), Hand((card,))))))
    assert hand.cards_out
    assert Round(1, "S1", "", dealer=(card,)).cards_out
    assert not Round(1, "S1", "", boxes=(Box(1, "P1"),)).cards_out


def test_a13_a33_who_sits_and_who_plays_begin_present_and_unasked() -> None:
    seat, box = Seat(1, "P1"), Box(1, "P1")
    assert (seat.since, seat.absent) == (0, False)
    assert (box.hands, box.asked, box.acted) == ((Hand(),), False, False)
    assert Hand() == Hand((), False, False, False, False, False)
    assert not Bet(1, "main", "P1", 1, 1, 1000).doubled
