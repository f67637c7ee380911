"""The worked examples of the rules of Ton, §10, one test each."""

from __future__ import annotations

import pytest

from engine.cards import Suit, read_cards
from engine.games.ton import Phase
from engine.rulings import Ruling
from engine.seats import Seat
from engine.tricks import Demand, Duties, Play, breach, demand, winner
from tests.engine.table import codes
from tests.engine.ton import TonTable

HEARTS = Demand(led=Suit.SPADES, trump=Suit.HEARTS, best_led=9, best_trump=0)
"""Trump hearts, 9S led, nothing else played."""


def legal(hand: str, asked: Demand) -> str:
    """The cards of `hand` that break no duty whatever else is in it."""
    cards = read_cards(hand)
    fine = [card for card in cards if not any(breach(asked, card, other, Duties()) for other in cards)]
    return " ".join(map(str, fine))


def bought(scores: str = "4/9/13/7", *, table: TonTable | None = None) -> TonTable:
    """T-06 up to the first lead: trump diamonds, B and C refuse, D takes 7C KS 9D AH and keeps QD."""
    table = table or TonTable(4, dealer="A", scores=scores)
    table.deal("6D")
    assert codes(table.turn("7C")) == ["refused"]
    assert codes(table.turn("KS")) == ["refused"]
    table.take("D")
    return table


def revokes(table: TonTable) -> list[tuple[str | None, object, object]]:
    """Seat, trick and kind of every revoke ruled."""
    found = (ruling for told in table.referee.history() for ruling in told.rulings)
    return [(one.seat, one.get("trick"), one.get("kind")) for one in found if one.code.startswith("revoke")]


def last_ruling(table: TonTable, code: str) -> Ruling:
    """The latest ruling of that code."""
    found = [ruling for told in table.referee.history() for ruling in told.rulings if ruling.code == code]
    return found[-1]


def test_t_01_purchase() -> None:
    table = TonTable(4, dealer="A")
    table.deal("6D")
    table.turn("9C")
    table.turn("QD")
    table.take("D")
    assert last_ruling(table, "lone-taker").points == 5
    assert table.state.record == ((None, None, None, 5),)
    assert [table.score(seat) for seat in "ABCD"] == [0, 0, 0, 5]
    assert "A" not in {ruling.seat for told in table.referee.history() for ruling in told.rulings if ruling.is_foul}


def test_t_02_the_dealer_may_not_buy() -> None:
    table = TonTable(2, dealer="A")
    table.deal("6D")
    table.hold("B")
    assert table.all_codes()[-1] == "turn-card"
    assert codes(table.press("A")) == []
    assert table.all_codes()[-1] == "dealer-may-not-buy"
    assert codes(table.turn("9C")) == ["refused", "void-deal"]
    assert (table.state.dealer, table.state.phase) == ("B", Phase.DEAL)
    assert table.state.scores == (0, 0)


def test_t_03_the_right_of_the_player_without_trump() -> None:
    table = TonTable(4, dealer="A", scores="0/0/13/0")
    table.deal("6H")
    assert codes(table.shows("B", "6S 9S JC KD 7D")) == ["no-trump"]
    assert codes(table.call("picked", "B", card="AH")) == ["picked", "play-begins"]
    assert (table.state.taker, table.state.turn, table.state.phase) == ("B", "B", Phase.TRICK)


def test_t_03_a_trump_among_the_five_makes_the_claim_false() -> None:
    table = TonTable(4, dealer="A")
    table.deal("6H")
    assert codes(table.shows("B", "6S 9S JC KD 7H")) == ["false-no-trump"]
    assert (table.state.phase, table.state.decider) == (Phase.PURCHASE, "B")
    assert codes(table.shows("B", "6S 9S JC KD 7D")) == ["not-entitled"]


@pytest.mark.parametrize(
    ("hand", "fine"),
    [
        ("6S JS KH", "JS"),
        ("6S 7S KH", "6S 7S"),
        ("KH AD", "KH"),
        ("AD KC", "AD KC"),
        ("10S AS", "10S AS"),
    ],
)
def test_t_04_replies(hand: str, fine: str) -> None:
    assert legal(hand, HEARTS) == fine


def test_t_05_three_in_the_trick() -> None:
    trick = tuple(Play(Seat(seat), card, 0) for seat, card in zip("AB", read_cards("9S 7H"), strict=True))
    asked = demand(trick, Suit.HEARTS, Duties())
    assert asked is not None
    assert legal("10S 8S AH", asked) == "10S 8S"
    for card in read_cards("10S 8S"):
        assert winner((*trick, Play(Seat("C"), card, 0)), Suit.HEARTS, Duties()).card in read_cards("7H")


def test_t_06_a_full_deal() -> None:
    table = bought()
    assert table.state.players_in == ("D", "C")
    table.play("KS AS 10S 9D AH 8H 7C 6C QD JD")
    assert table.state.record == ((None, None, 1, 4),)
    assert [table.score(seat) for seat in "ABCD"] == [4, 9, 14, 11]
    assert table.state.dealer == "B"
    assert revokes(table) == []


def test_t_07_a_win_in_mid_deal() -> None:
    table = bought("4/9/14/7")
    assert table.play("KS AS")[-1] == ("ok", "trick", "audit")
    assert codes(table.shows("C", "10S JD 8H 6C")) == ["rest-shown"]
    assert codes(table.shows("D", "QD 9D AH 7C")) == ["rest-shown", "won"]
    assert table.state.phase is Phase.GAME_OVER
    assert (table.state.winner, table.score("C"), table.purse("C")) == ("C", 15, 30)
    assert table.state.pot.holds == 0


def test_t_08_the_zero_trick_penalty() -> None:
    table = TonTable(4, dealer="A", scores="0/0/13/3")
    table.deal("6D")
    table.turn("KD")
    table.turn("AS")
    table.take("D")
    assert table.play("AD 7D KD 9C AS 6S KS 10C AH 8H")[-1] == ("ok", "trick", "zero-trick", "deal-over")
    assert last_ruling(table, "zero-trick").get("amount") == 40
    assert (table.state.pot.holds, table.score("C"), table.score("D")) == (80, 13, 8)
    assert revokes(table) == []


def test_t_09_a_revoke_is_proven() -> None:
    table = bought()
    table.play("KS 10S AH 8H QD JD 9D")
    assert revokes(table) == []
    assert table.play("AS")[0][:2] == ("ok", "revoke")
    assert revokes(table) == [("C", 1, "not-higher")]
    proof = last_ruling(table, "revoke")
    assert (proof.get("card"), proof.get("held"), proof.paragraph, len(proof.because)) == ("10S", "AS", "§5", 2)
    assert table.play("7C 6C")[-1] == ("ok", "trick", "deal-over")
    assert (table.score("C"), table.score("D")) == (13, 12)
    assert table.state.pot.holds == 40


def test_t_10_counts() -> None:
    table = TonTable(6, dealer="A")
    table.deal("6D")
    for card in ("9C", "QD", "7H", "10S"):
        table.turn(card)
    assert table.state.decider == "F"
    assert None not in table.state.widow
    assert codes(table.hold("F")) == ["refused", "void-deal"]


def test_t_10_the_fifth_may_still_take_what_lies_open() -> None:
    table = TonTable(6, dealer="A", scores="13/0/0/0/0/0")
    table.deal("6D")
    for card in ("9C", "QD", "7H", "10S"):
        table.turn(card)
    table.take("F")
    assert table.state.taker == "F"
    assert {str(one.card) for one in table.state.known} == {"9C", "QD", "7H", "10S"}


def test_t_11_the_audit_at_the_end() -> None:
    table = bought("4/9/13/13")
    table.play("KS 10S")
    assert table.play("QD 8H")[-1] == ("ok", "trick", "audit")
    assert codes(table.shows("D", "9D AH 7C")) == ["rest-shown"]
    assert codes(table.shows("C", "AS JD 6C")) == ["rest-shown", "revoke", "revoke", "won"]
    assert revokes(table) == [("C", 1, "not-higher"), ("C", 2, "not-following")]
    assert (table.state.winner, table.purse("D"), table.score("C")) == ("D", 30, 13)


def test_t_11_a_winner_who_revoked_has_not_won() -> None:
    table = bought("4/9/13/13")
    table.play("KS AS 10S 9D")
    assert table.play("AH 8H")[-1] == ("ok", "trick", "audit"), "D has 15"
    table.shows("C", "JD 6C")
    assert codes(table.shows("D", "QS 7C")) == ["rest-shown", "revoke", "win-cancelled", "deal-over"]
    assert revokes(table) == [("D", 2, "not-following")]
    assert [table.score(seat) for seat in "ABCD"] == [4, 9, 14, 13]
    assert (table.state.phase, table.state.dealer, table.state.pot.holds) == (Phase.DEAL, "B", 40)


def test_t_11_a_winner_who_does_not_show_has_not_won() -> None:
    table = bought("4/9/13/13")
    table.play("KS 10S QD JD")
    assert table.state.phase is Phase.AUDIT
    table.shows("C", "8H 6C 8S")
    assert codes(table.call("not-shown", "D")) == ["not-shown", "win-cancelled", "deal-over"]
    assert (table.state.phase, table.state.dealer, table.score("D")) == (Phase.DEAL, "B", 13)
    assert table.state.pot.holds == 40
