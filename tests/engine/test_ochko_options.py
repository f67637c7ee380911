"""The house rules of Ochko, §8, a test each."""

from __future__ import annotations

import pytest

from engine.errors import BadSetup
from engine.games.ochko import Ochko, Phase
from engine.rules import Setup
from engine.seats import Seat, seats
from tests.engine.ochko import OchkoTable, table


def begun(players: int = 3, *, stakes: dict[str, int] | None = None, **options: int | str) -> OchkoTable:
    """A is the banker; everybody has two cards, the first duel is B's."""
    at = table(players, **options)
    at.begin(**(stakes or {}))
    return at


def reason(at: OchkoTable, verdict: str) -> object:
    """Why the last duel ended so."""
    return at.last(verdict).get("reason")


# §8 row by row


def test_option_1_a_punter_may_draw_at_16_to_20_but_not_at_21() -> None:
    at = begun(punter_stand="free")
    at.duel("10H 6H KD", "10S 7H")
    assert "must-stand" not in at.all_codes()
    assert at.purse("B") == 10
    at.new_hand()
    at.duel("10C 7C KC JD", "10D 9D")
    assert at.last("must-stand").get("stop") == 21


def test_option_3_two_aces_are_gold_for_a_punter_only_where_the_house_says_so() -> None:
    at = begun(gold_punter="false", ace_low="true")
    at.tap("A")
    assert at.opens("B", "AC AD")[-1] == "stays-open", "with a low ace they are 12, and he may draw"
    at.hits()
    assert at.at_seat("B", "9D", 3)[-1] == "twenty-one"


def test_option_4_a_natural_that_was_not_shown_in_time_is_an_ordinary_21() -> None:
    at = begun()
    at.duel("10S 8S KD", "AC 10D")
    assert at.last("late-natural").seat == "A"
    assert at.purse("B") == -10, "21 beats the 18 at which he had to stop"
    at.new_hand()
    at.duel("9S 8D", "AH AS")
    assert (reason(at, "punter-wins"), at.purse("C")) == ("banker-over", 10), "undeclared gold counts 22"


def test_option_4_a_late_natural_stands() -> None:
    at = begun(late_natural="stands")
    at.duel("AH 10S", "AC 10D")
    assert (reason(at, "banker-wins"), at.purse("B")) == ("natural", -10), "line 1 comes before the punter's 21"
    assert "late-natural" not in at.all_codes()


def test_option_5_the_bankers_natural_beats_everybody_who_waits() -> None:
    at = begun(4, natural_scope="all")
    at.opens("A", "AC 10D")
    at.opens("B", "9S 8S")
    assert [at.purse(seat) for seat in "BCD"] == [-10, -10, -10]
    assert at.state.phase is Phase.STAKES


def test_option_6_a_two_card_21_is_paid_double_but_not_21_in_three() -> None:
    at = begun(natural_pays=2)
    at.tap("A")
    at.opens("B", "AC 10D")
    at.opens("A", "9S 8S")
    assert at.purse("B") == 20
    at.new_hand()
    at.duel("7C 6D 8H", "9C 8C")
    assert at.purse("C") == 10


def test_option_7_the_banker_may_not_draw_at_17() -> None:
    at = begun(banker_rule="draw_to_17")
    at.duel("10S 8S", "10C 8C JH")
    assert (at.last("must-stand").seat, at.last("must-stand").get("counts")) == ("A", 18)
    assert at.purse("B") == -10, "the tie at 18 is the banker's, not his 20"
    assert reason(at, "banker-wins") == "tie"


def test_option_7_a_missing_draw_is_a_loss() -> None:
    at = begun(banker_rule="draw_to_16")
    at.duel("QS JS", "10C JH")
    assert at.last("must-draw").seat == "A"
    assert (reason(at, "punter-wins"), at.purse("B")) == ("banker-breach", 10)


def test_option_7_whoever_cannot_draw_need_not() -> None:
    at = begun(banker_rule="draw_to_17", max_extra=3)
    at.duel("10S 8S", "JC JD QC QD KC")
    assert "must-draw" not in at.all_codes()
    assert (reason(at, "punter-wins"), at.purse("B")) == ("higher", 10)


def test_option_8_a_tie_gives_the_stake_back() -> None:
    at = begun(tie="push")
    assert "push" in at.duel("10S 8C", "QH 6S 9D")
    assert (at.purse("B"), at.state.pot.holds) == (0, 100)


def test_option_9_a_fourth_extra_card_is_refused_and_dead() -> None:
    at = begun(max_extra=3)
    at.tap("A")
    at.hits(3)
    assert at.tap("B") == ("no-card",)
    assert at.back("B") == ("not-asked",)
    assert len(at.state.hand(Seat("B")).cards) == 5


def test_option_10_an_ace_counts_1_where_11_goes_over() -> None:
    at = begun(ace_low="true")
    at.duel("AC KD 10H 6H", "9S 8S")
    assert at.last("counted").get("total") == 21, "11 + 4 = 15; with the ten the ace falls to 1, and he may draw"
    assert "must-stand" not in at.all_codes()
    assert at.purse("B") == 10


def test_option_11_the_stakes_lie_in_the_bank() -> None:
    at = begun(pot_mode="common_pot", stakes={"B": 20, "C": 30})
    assert (at.state.pot.holds, at.purse("B"), at.purse("C")) == (150, -20, -30)
    at.duel("10S 9S", "10D 8D")
    assert (at.purse("B"), at.state.pot.holds, at.last("punter-wins").points) == (20, 110, 20)
    at.new_hand()
    at.duel("10H 7S", "9D 9H")
    assert (at.purse("C"), at.state.pot.holds, at.last("banker-wins").points) == (-30, 110, -30)


def test_option_11_a_tie_takes_the_stake_out_of_the_common_pot_again() -> None:
    at = begun(pot_mode="common_pot", tie="push")
    at.duel("10S 8C", "QH 6S 9D")
    assert (at.purse("B"), at.state.pot.holds) == (0, 110)


def test_option_12_the_banker_pays_what_the_bank_lacks() -> None:
    at = begun(bank_limit="false", stakes={"bank": 5, "B": 30, "C": 10})
    assert at.duel("10S 9S", "10D 8D")[-1] == "duel", "the bank is empty, and the next duel begins all the same"
    assert (at.purse("A"), at.purse("B"), at.state.pot.holds) == (-30, 30, 0)


def test_option_13_whoever_hides_that_he_is_over_pays_a_second_stake() -> None:
    at = begun(hidden_bust_double="true")
    at.duel("9H 6C 7S", "10D 8D")
    assert (at.last("hidden-bust").get("total"), at.purse("B")) == (22, -20)


def test_option_13_whoever_shows_it_at_once_pays_one() -> None:
    at = begun(hidden_bust_double="true")
    at.tap("A")
    at.hits()
    at.opens("B", "9H 6C 7S")
    at.opens("A", "10D 8D")
    assert ("hidden-bust" not in at.all_codes(), at.purse("B")) == (True, -10)


def test_option_14_one_card_each_the_bankers_face_up() -> None:
    at = table(first_deal="one")
    at.stake()
    assert at.back("B") + at.back("C") == ("card", "card")
    assert at.at_seat("A", "9C", 1) == ("card", "duel")
    assert at.state.phase is Phase.NEW_HAND
    assert at.back("B") == ("card",)
    assert at.back("A") == ("card", "banker-looks")
    at.tap("A")
    at.enough("B")
    at.enough("A")
    at.shows("B", "10C 9D")
    assert at.at_seat("A", "8C", 2)[-2:] == ("punter-wins", "duel")
    assert at.back("C") + at.back("A") + at.back("A") == ("card", "card", "card", "banker-looks")


@pytest.mark.parametrize(
    ("deck", "cards", "left"), [("32", "7", 26), ("36", "6", 30), ("52", "2", 46), ("2x52", "2", 98)]
)
def test_option_15_the_deck(deck: str, cards: str, left: int) -> None:
    at = begun(deck=deck)
    assert at.state.left == left
    at.duel(f"10S {cards}S", "10D 9D")
    assert at.purse("B") == -10
    assert "deck-fault" not in at.all_codes()


def test_option_15_two_packs_have_every_card_twice_and_not_thrice() -> None:
    at = begun(deck="2x52")
    at.duel("10S 8S", "10S 7S")
    assert at.purse("B") == 10
    at.new_hand()
    at.tap("A")
    at.enough("C")
    at.enough("A")
    assert at.at_seat("C", "10S", 1) == ("turns", "deck-fault")


def test_option_15_a_small_deck_cannot_serve_a_large_table() -> None:
    with pytest.raises(BadSetup, match="32 cards are enough for 9 players, not 10; take a larger deck"):
        Ochko().start(Setup(seats(10), tuple("abcdefghij"), None, {"players_max": 26, "deck": "32"}))


def test_option_16_the_last_round_and_the_bank_to_the_banker() -> None:
    at = table(2, knock_multiple=2)
    at.stake(bank=10)
    at.deal()
    at.duel("10S 7S", "10D 8D")
    assert at.state.pot.holds == 20
    assert [ruling.code for ruling in at.call("knock")] == ["knocked"]
    at.begin()
    at.duel("9S 7C", "9D 8H")
    assert (at.purse("A"), at.state.pot.holds, at.state.banker) == (20, 0, "B")


def test_option_16_without_the_option_nobody_knocks() -> None:
    at = table(2)
    at.call("staked", "A")
    assert at.call("knock") == ()


@pytest.mark.parametrize("rule", ["stand_return", "reshuffle_discard"])
def test_option_17_the_pack_runs_out_inside_a_duel(rule: str) -> None:
    at = begun(2, deck_out=rule)
    at.duel("10S 7S", "10D 8D")
    at.begin()
    at.tap("A")
    at.hits(28)
    assert at.state.left == 0
    codes = at.tap("B")
    assert codes == (("pack-out",) if rule == "stand_return" else ("reshuffled", "hit"))
    assert at.state.phase is (Phase.BANKER if rule == "stand_return" else Phase.PUNTER)
    assert at.state.left == (0 if rule == "stand_return" else 4)


def test_option_17_a_pack_too_small_for_a_new_hand_ends_the_round() -> None:
    at = begun(3)
    at.tap("A")
    at.enough("B")
    at.draws(30)
    at.enough("A")
    at.shows("B", "10S 8S")
    deck = [card for card in map(str, at.state.house.pack) if card not in ("10S", "8S")]
    assert at.shows("A", " ".join(deck[:32]))[-3:] == ("round-over", "bank-taken", "next-banker")
    assert "stakes-back" in at.all_codes()
    assert (at.purse("B"), at.purse("C"), at.state.banker, at.state.left) == (10, 0, "B", 36)


@pytest.mark.parametrize(("rule", "purse"), [("worse", -10), ("dead", 10), ("lose", -10)])
def test_option_18_a_hit_at_16_and_a_bust(rule: str, purse: int) -> None:
    at = begun(illegal_hit=rule)
    at.duel("10H 9C KD", "10S 8H")
    assert at.purse("B") == purse, "the legal 19 alone wins; all cards are 23"


def test_option_19_duels_go_clockwise_from_the_bankers_left() -> None:
    at = OchkoTable(4, dealer="C", options={})
    at.begin()
    order = [str(at.state.punter)]
    for _ in range(2):
        at.duel("10S 7S", "10D 8D") if len(order) == 1 else at.duel("10H 7H", "9D 9C")
        order.append(str(at.state.punter))
        at.new_hand()
    assert order == ["D", "A", "B"]
