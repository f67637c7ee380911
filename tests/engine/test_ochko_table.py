"""Ochko at the table, beyond the worked examples: buttons, cards and counts, doubts (§4, §6, §7)."""

from __future__ import annotations

import pytest

from engine.cards import BACK, Card
from engine.events import CardLaid, Hold, Passed, Press, Release, Shown
from engine.games.ochko import Phase
from engine.rules import Audience
from engine.seats import Seat
from tests.engine.ochko import OchkoTable, table
from tests.engine.table import MS


def begun(players: int = 3) -> OchkoTable:
    """A is the banker; everybody has two cards, the first duel is B's."""
    at = table(players)
    at.begin()
    return at


# Buttons (§7)


def test_a_tap_is_a_card_only_when_it_turned_out_to_be_no_hold() -> None:
    at = begun()
    at.tap("A")
    assert at.press("B") == (), "while the button is down nothing is said yet"
    pressed = at.at * MS
    at.at += 800
    at.feed(Hold(t_ns=at.at * MS, seat=Seat("B"), pressed_ns=pressed))
    assert at.state.phase is Phase.BANKER


def test_a_button_that_does_not_tell_when_it_comes_up_is_a_tap_after_the_time_of_a_hold() -> None:
    at = begun()
    at.feed(Press(t_ns=at.at * MS, seat=Seat("A")))
    deadline = at.referee.deadline()
    assert deadline is not None
    at.referee.feed(Passed(t_ns=deadline))
    assert at.state.phase is Phase.PUNTER


def test_a_double_tap_shows_and_takes_the_first_tap_back() -> None:
    at = begun()
    at.tap("A")
    assert at.double("B")[-2:] == ("hit", "shows")
    assert (at.state.pending, at.state.showing, at.state.phase) == (0, "B", Phase.PUNTER)


def test_two_slow_taps_are_two_cards() -> None:
    at = begun()
    at.tap("A")
    at.tap("B")
    at.tap("B")
    assert at.state.pending == 2


def test_two_quick_taps_with_a_card_between_them_are_two_cards() -> None:
    """A quick banker was taken to show, and his next card for dead."""
    at = begun()
    at.tap("A")
    at.press("B")
    at.at += 100
    at.lay("##", zone="seat-B")
    at.at += 200
    at.press("B")
    at.later()
    assert (at.state.pending, at.state.showing, "shows" in at.all_codes()) == (1, None, False)


def test_a_double_tap_without_a_camera_takes_the_card_back_too() -> None:
    at = table(2)
    at.stake()
    at.call("dealt")
    at.later()
    at.tap("A")
    at.double("B")
    assert (len(at.state.hand(Seat("B")).cards), at.state.left) == (2, 32)


def test_enough_said_before_the_card_has_come_takes_the_wish_back() -> None:
    at = begun()
    at.tap("A")
    at.tap("B")
    at.enough("B")
    assert at.back("B") == ("not-asked",)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_board_says_to_each_seat_what_its_button_means(language: str) -> None:
    at = table()
    can = [seat.can for seat in at.referee.view(Audience(language=language)).seats]
    assert can[0] != can[1] == can[2]
    at.begin()
    assert [bool(seat.can) for seat in at.referee.view(Audience(language=language)).seats] == [True, False, False]
    at.tap("A")
    board = at.referee.view(Audience(language=language))
    assert [bool(seat.can) for seat in board.seats] == [False, True, False]
    assert [seat.is_turn for seat in board.seats] == [False, True, False]


# Cards, counts and doubts (§4, §7)


def test_4_two_cards_of_a_row_with_no_place_seen_are_in_order_all_the_same() -> None:
    at = begun()
    at.tap("A")
    at.enough("B")
    at.enough("A")
    at.opens("B", "10S 9S", in_row=False)
    at.opens("A", "10D 8D", in_row=False)
    assert at.purse("B") == 10


def test_4_the_banker_may_draw_when_a_punters_21_was_drawn_illegally() -> None:
    at = begun()
    at.tap("A")
    at.hits(2)
    assert at.opens("B", "10S 7S JC JD")[-1] == "must-stand"
    assert at.state.phase is Phase.BANKER
    assert at.back("A") == ("card",)
    at.opens("A", "10D 6D QC")
    assert at.purse("B") == -10
    assert at.all_codes().count("must-stand") == 1


def test_4_a_card_that_nobody_asked_for_counts_once_it_was_seen_and_is_no_hit() -> None:
    at = begun()
    at.tap("A")
    assert at.back("B") == ("not-asked",)
    at.call("seen")
    at.enough("B")
    at.enough("A")
    at.opens("B", "10S 7S KC")
    at.opens("A", "10D 8D")
    assert "must-stand" not in at.all_codes()
    assert at.purse("B") == 10


def test_4_cards_shown_before_the_deal_is_done_are_exposed() -> None:
    at = table()
    at.stake()
    at.back("B")
    at.back("B")
    assert at.shows("B", "10S 8S") == ("misdeal",)
    at.deal()
    assert at.state.phase is Phase.BANKER_CHECK, "dealt again, the stakes are still in"


def test_4_both_refuse_to_show_and_the_banker_wins() -> None:
    at = begun()
    at.tap("A")
    at.enough("B")
    at.enough("A")
    at.call("not-shown", "A")
    at.call("not-shown", "B")
    assert at.purse("B") == -10


def test_4_a_card_in_the_stock_is_no_players_card() -> None:
    at = begun()
    assert at.lay("##", zone="stock") == ()
    assert at.lay("10C", zone="discard") == ()


def test_7_an_unsure_card_decides_nothing_until_it_is_answered() -> None:
    at = begun()
    at.tap("A")
    at.enough("B")
    at.enough("A")
    at.opens("A", "10D 8D")
    at.at_seat("B", "10S", 1)
    assert at.at_seat("B", "9S", 2, sure=0.5, likely=(Card("9S"), Card("6S"))) == ("turns", "unsure")
    assert at.state.phase is Phase.SHOWDOWN
    (question,) = at.referee.questions()
    at.referee.answer(question, card=Card("6S"), who="host")
    assert (at.purse("B"), at.referee.questions()) == (-10, ())


def test_7_cards_laid_unseen_are_taken_at_the_players_word() -> None:
    at = table(2)
    at.stake()
    at.call("dealt")
    at.call("play")
    at.call("card")
    at.call("enough")
    at.call("enough")
    at.later()
    assert at.lay("##", zone="seat-B") == (), "a camera that comes back accuses nobody"
    at.shows("B", "10S QC KC")
    at.shows("A", "10D 6D")
    assert at.purse("B") == 10


def test_6_whoever_has_cards_finishes_and_whoever_leaves_takes_his_bank() -> None:
    at = begun()
    assert [ruling.code for ruling in at.call("out", "B")] == ["must-finish"]
    at.duel("10S 7S", "10D 8D")
    at.new_hand()
    at.duel("10H 7H", "9D 9C")
    assert [ruling.code for ruling in at.call("out", "A")] == ["leaves", "bank-taken", "next-banker"]
    assert (at.state.banker, at.purse("A"), at.state.active) == ("B", 20, ("B", "C"))


def test_a_person_can_decide_a_duel_otherwise() -> None:
    at = begun()
    at.duel("10S 7S", "10D 8D")
    number = max(told.number for told in at.referee.history() if isinstance(told.event, CardLaid))
    assert {ruling.code for ruling in at.referee.options(number)} == {"punter-wins", "banker-wins", "push"}
    push = next(ruling for ruling in at.referee.options(number) if ruling.code == "push")
    at.referee.overrule(number, (push,), who="host", why="agreed")
    assert (at.purse("B"), at.state.pot.holds, at.state.phase) == (0, 100, Phase.NEW_HAND)


def test_a_row_of_the_wrong_length_or_with_foreign_cards_is_asked_for_again() -> None:
    at = begun()
    at.tap("A")
    at.hits()
    at.enough("B")
    for row in ("10S 7S", "10S 7S 2C", "10S 7S 7S", "10S 7S ??"):
        assert at.shows("B", row) == ("show-row",)
    assert at.referee.feed(Shown(t_ns=at.at * MS, seat=Seat("C"), cards=(BACK, BACK)))[0].rulings[0].code == "show-row"


def test_a_release_without_its_press_says_nothing() -> None:
    at = begun()
    told = at.referee.feed(Release(t_ns=at.at * MS, seat=Seat("A"), pressed_ns=1))
    assert all(not one.rulings for one in told)


def test_a_ruling_that_a_person_gave_does_nothing_where_a_correction_has_taken_its_duel_away() -> None:
    """The banker's "play" was overruled, then the stakes turn out never to have been laid."""
    at = table()
    at.begin()
    at.tap("A")
    played = next(told for told in at.referee.history() if any(ruling.code == "plays" for ruling in told.rulings))
    at.referee.overrule(played.number, played.rulings, who="host", why="so it was")
    staked = next(told for told in at.referee.history() if any(ruling.code == "staked" for ruling in told.rulings))
    at.referee.void(staked.number, who="host", why="nobody has staked")
    assert (at.state.phase, at.state.punter) == (Phase.STAKES, None)
