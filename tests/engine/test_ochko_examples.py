"""The worked examples of the rules of Ochko, §9, one test each."""

from __future__ import annotations

from engine.games.ochko import Phase
from tests.engine.ochko import OchkoTable, table


def begun(players: int = 3, **options: int | str) -> OchkoTable:
    """Stakes of 10, a bank of 100, everybody has two cards."""
    begun = table(players, **options)
    begun.begin()
    return begun


def test_o_01_the_bankers_21_declared() -> None:
    at = begun()
    assert at.opens("A", "AS 10D")[-1] == "natural"
    at.opens("B", "9S 8S")
    assert (at.last("banker-wins").get("reason"), at.state.pot.holds, at.purse("B")) == ("natural", 110, -10)


def test_o_02_the_bankers_gold_before_the_punters_21() -> None:
    at = begun()
    at.opens("A", "AS AH")
    at.opens("B", "AC 10C")
    assert (at.last("banker-wins").get("reason"), at.purse("B")) == ("natural", -10)


def test_o_03_the_punter_wins() -> None:
    at = begun()
    assert at.duel("KC 7D 9S", "10C 6D")[-2:] == ("punter-wins", "duel")
    told = at.last("counted")
    assert (told.get("total"), told.get("against")) == (20, 16)
    assert (at.purse("B"), at.state.pot.holds) == (10, 90)


def test_o_04_a_tie_is_the_bankers() -> None:
    at = begun()
    at.duel("10S 8C", "QH 6S 9D")
    assert (at.last("banker-wins").get("reason"), at.purse("B")) == ("tie", -10)


def test_o_05_over_21_loses_and_the_banker_does_not_draw() -> None:
    at = begun()
    at.tap("A")
    at.hits()
    assert at.opens("B", "9H 6C 7S")[-1] == "over"
    assert at.back("A") == ("too-early",)
    at.opens("A", "6D 7D")
    assert (at.last("banker-wins").get("reason"), at.purse("B")) == ("over", -10)


def test_o_06_i_an_illegal_hit_counts_as_the_worse_of_both() -> None:
    at = begun()
    assert "must-stand" in at.duel("10H 6H KD", "10S 7H")
    proof = at.last("must-stand")
    assert (proof.seat, proof.get("stop"), proof.get("counts"), proof.get("card")) == ("B", 16, 16, "KD")
    assert proof.is_foul
    assert at.purse("B") == -10, "with 20 he would have won"


def test_o_06_ii_an_illegal_hit_over_21_loses() -> None:
    at = begun()
    at.tap("A")
    at.hits()
    assert at.opens("B", "10H 7D 9S")[-1] == "over"
    assert at.opens("A", "6D 7C")[-4:] == ("must-stand", "counted", "banker-wins", "duel")
    assert at.last("banker-wins").get("reason") == "over"


def test_o_07_21_wins_at_once() -> None:
    at = begun()
    at.tap("A")
    at.hits()
    assert at.opens("B", "7C 6D 8S")[-1] == "twenty-one"
    assert at.back("A") == ("too-early",), "the banker may not draw"
    at.opens("A", "10S 7H")
    assert (at.last("punter-wins").get("reason"), at.purse("B")) == ("twenty-one", 10)


def test_o_07_21_is_compared() -> None:
    at = begun(punter21="compare")
    at.duel("7C 6D 8S", "10S 7H KS")
    assert (at.last("banker-wins").get("reason"), at.purse("B")) == ("tie", -10)


def test_o_08_the_punters_gold() -> None:
    at = begun()
    at.tap("A")
    assert at.opens("B", "AC AD")[-1] == "twenty-one"
    at.opens("A", "10S 9S")
    assert (at.last("punter-wins").get("reason"), at.purse("B")) == ("gold", 10)


def test_o_08_two_aces_are_22() -> None:
    at = begun(gold_punter="false")
    at.tap("A")
    assert at.opens("B", "AC AD")[-1] == "over"
    at.opens("A", "10S 9S")
    assert at.purse("B") == -10


def test_o_09_the_banker_over_21() -> None:
    at = begun()
    at.duel("JD 8H 6S", "JC QD 9H 8C")
    assert (at.last("punter-wins").get("reason"), at.purse("B")) == ("banker-over", 10)


def test_o_10_the_banks_account() -> None:
    at = table(4)
    at.begin(bank=50, B=10, C=20, D=10)
    at.duel("10S 9S", "10D 8D")
    assert at.state.pot.holds == 40
    at.new_hand()
    at.duel("10H 7C", "9D 9C")
    assert at.state.pot.holds == 60
    at.new_hand()
    at.duel("9H 8H", "10C 7D")
    assert at.state.pot.holds == 70
    at.call("end")
    assert [at.purse(seat) for seat in "ABCD"] == [20, 10, -20, -10]


def test_o_11_the_banks_limit() -> None:
    at = table()
    at.begin(bank=5)
    assert at.duel("10S 9S", "10D 8D")[-3:] == ("punter-wins", "stakes-back", "round-over")
    assert (at.purse("B"), at.purse("C"), at.state.pot.holds, at.state.phase) == (5, 0, 0, Phase.STAKES)


def test_o_11_the_banks_limit_when_he_loses() -> None:
    at = table()
    at.begin(bank=5)
    at.duel("10S 7S", "10D 8D")
    assert (at.purse("B"), at.state.pot.holds) == (-5, 10)


def test_o_12_an_order_that_is_lost_proves_nothing() -> None:
    at = begun()
    at.tap("A")
    at.hits()
    at.enough("B")
    at.enough("A")
    at.opens("B", "10H 6H KD", in_row=False)
    at.opens("A", "10S 7H")
    assert "must-stand" not in at.all_codes()
    assert at.last("not-established").get("total") == 20
    assert at.purse("B") == 10


def test_o_12_an_illegal_hit_in_every_order_is_proven() -> None:
    at = begun()
    at.tap("A")
    at.hits(4)
    at.enough("B")
    at.enough("A")
    at.opens("B", "KC KD KH KS QH JH", in_row=False)
    at.opens("A", "10S 7H")
    proof = at.last("must-stand")
    assert (proof.get("total"), proof.get("stop"), proof.get("counts")) == (21, 16, 16)
    assert at.purse("B") == -10


def test_o_13_the_packs_count() -> None:
    at = begun(4)
    assert at.state.left == 28
    at.duel("KC 7D 9S", "10C 6D")
    at.new_hand()
    at.duel("KD KH QH QC", "10D 7C 6S")
    at.new_hand()
    at.duel("10S 8S", "6C 7H 8H")
    assert (at.last("round-over").get("left"), at.state.phase, at.state.banker) == (19, Phase.STAKES, "A")
