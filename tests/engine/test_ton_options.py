"""The house rules of Ton, §9, a test each, and §4 to §8 beyond the worked examples."""

from __future__ import annotations

import pytest

from engine.cards import Card
from engine.errors import BadSetup
from engine.events import Hold, Press
from engine.games.ton import Phase
from engine.rules import Audience
from engine.seats import Seat
from tests.engine.table import MS, codes
from tests.engine.test_ton_examples import last_ruling, revokes
from tests.engine.ton import TonTable


def bought(scores: str = "4/9/13/7", players: int = 4, **options: int | str) -> TonTable:
    """A deals, trump diamonds; all refuse but the last before the dealer, who takes; up to the exchange."""
    table = TonTable(players, dealer="A", scores=scores, options=options)
    table.deal("6D")
    for card in ("7C", "KS", "9H", "8H")[: players - 2]:
        table.turn(card)
    table.take("ABCDEF"[players - 1])
    return table


# §9 row by row


def test_option_1_others_may_join_and_are_asked_from_the_takers_left() -> None:
    table = bought(others="optional")
    assert (table.state.phase, table.state.asked) == (Phase.JOIN, ("A", "B")), "C has 13 and is in"
    table.press("B")
    assert table.all_codes()[-1] == "wrong-seat"
    table.press("A")
    table.hold("B")
    assert table.state.players_in == ("D", "A", "C")
    assert table.state.phase is Phase.TRICK


def test_option_1_whoever_joins_has_the_zero_trick_penalty_too() -> None:
    table = bought("12/0/0/0", others="optional")
    table.press("A")
    table.hold("B")
    table.hold("C")
    table.play("KS 7H AH 8H QS 9C JS 10C 10S 6C")
    assert (last_ruling(table, "zero-trick").seat, table.state.pot.holds) == ("A", 80)


def test_option_2_a_lone_taker_gets_nothing_and_pays_nothing() -> None:
    table = bought("0/0/0/12", lone_taker="award0")
    assert table.score("D") == 12
    assert "zero-trick" not in table.all_codes()
    assert (table.state.dealer, table.state.record) == ("B", ((None, None, None, 0),))


def test_option_2_a_lone_taker_voids_the_deal() -> None:
    table = bought("0/0/0/12", lone_taker="redeal", all_refuse="same_dealer")
    assert table.all_codes()[-1] == "void-deal"
    assert (table.state.dealer, table.state.record, table.score("D")) == ("A", (), 12)


def test_option_2_a_lone_taker_can_win() -> None:
    table = bought("0/0/0/11")
    assert table.all_codes()[-2:] == ["lone-taker", "won"]
    assert (table.score("D"), table.purse("D")) == (16, 30)


def test_option_3_the_same_dealer_after_nobody_took() -> None:
    table = TonTable(2, options={"all_refuse": "same_dealer"})
    table.deal("6D")
    table.turn("7C")
    assert (table.state.phase, table.state.dealer) == (Phase.DEAL, "A")


def test_option_5_the_turned_up_card_may_be_picked() -> None:
    table = TonTable(2, scores="13/0")
    table.deal("6H")
    table.shows("B", "6S 9S JC KD 7D")
    assert codes(table.call("picked", card="6H"))[0] == "picked"
    assert table.play("6H")[0] == ("ok",), "it is where it is known to be"


def test_option_5_unless_the_house_says_no() -> None:
    table = TonTable(2, scores="13/0", options={"upcard_pickable": "false"})
    table.deal("6H")
    table.shows("B", "6S 9S JC KD 7D")
    assert codes(table.call("picked", card="6H")) == ["bad-exchange"]
    assert codes(table.call("no-trump-left")) == ["right-lapsed"]
    assert (table.state.phase, table.state.decider) == (Phase.PURCHASE, "B")


def test_option_5_the_right_cannot_lapse_while_the_turned_up_card_may_be_picked() -> None:
    table = TonTable(2)
    table.deal("6H")
    table.shows("B", "6S 9S JC KD 7D")
    assert codes(table.call("no-trump-left")) == []


def test_option_6_the_player_searches_the_stock_unseen() -> None:
    table = TonTable(2, scores="13/0")
    table.deal("6H")
    table.shows("B", "6S 9S JC KD 7D")
    assert codes(table.call("picked"))[0] == "picked"


def test_option_6_the_operator_must_be_told_a_trump() -> None:
    table = TonTable(2, scores="13/0", options={"stock_search": "operator"})
    table.deal("6H")
    table.shows("B", "6S 9S JC KD 7D")
    assert codes(table.call("picked")) == ["name-trump"]
    assert codes(table.shows("B", "10H"))[0] == "picked"


def test_option_7_who_does_not_claim_begins_the_purchase() -> None:
    table = TonTable(3)
    table.deal("6H")
    assert codes(table.turn("7C")) == ["refused"]
    assert codes(table.shows("B", "6S 9S JC KD 7D")) == ["not-entitled"]


@pytest.mark.parametrize(("flag", "proven"), [("false", []), ("true", [("B", 1, "not-higher")])])
def test_option_8_going_higher_after_a_trump(flag: str, proven: list[object]) -> None:
    table = bought("13/13/0/0", beat_after_trump=flag)
    table.play("QS 9D 7S 8H AS")
    assert revokes(table) == proven


@pytest.mark.parametrize(("flag", "proven"), [("false", []), ("true", [("B", 1, "not-higher")])])
def test_option_9_overtrumping(flag: str, proven: list[object]) -> None:
    table = bought("13/13/0/0", overtrump=flag)
    table.play("QS 9D 7D 8H 10D")
    assert revokes(table) == proven


def test_option_9_who_cannot_overtrump_must_still_trump() -> None:
    table = bought("13/13/0/0", overtrump="true")
    table.play("QS 9D 7H 8H 7D")
    assert revokes(table) == [("B", 1, "not-trumping")]


def test_option_10_with_the_end_check_after_the_deal_most_points_win() -> None:
    table = bought("0/0/14/12", end_check="deal")
    table.play("7C AC 6S KS QS 7S JS 8S")
    assert table.score("C") == 15
    assert table.state.phase.value == "trick", "played out"
    table.play("10S 9S")
    assert (table.state.winner, table.score("D"), table.score("C")) == ("D", 16, 15)


def test_option_10_equal_points_go_to_the_earlier_fifteenth() -> None:
    table = bought("0/0/14/11", end_check="deal")
    table.play("7C AC 6S KS QS 7S JS 8S 10S 9S")
    assert table.score("C") == table.score("D") == 15
    assert table.state.winner == "C"


def test_option_11_the_penalty_is_the_first_stake_again() -> None:
    table = bought("0/0/13/3", zero_penalty="own_stake", stake=7)
    table.play("AD 7D KD 9C AS 6S KS 10C AH 8H")
    assert table.state.pot.holds == 4 * 7 + 7
    assert table.purse("C") == -14


def test_option_11_no_penalty() -> None:
    table = bought("0/0/13/3", zero_penalty="off")
    table.play("AD 7D KD 9C AS 6S KS 10C AH 8H")
    assert table.state.pot.holds == 40


def test_option_11_each_pays_what_the_pot_holds_at_that_moment() -> None:
    table = bought("0/13/13/3")
    table.play("AD 7D 8D KD 9C 9H AS 6S 7S KS 10C 10H AH 8H JH")
    assert table.state.pot.holds == 160
    assert (table.purse("B"), table.purse("C")) == (-50, -90)


def test_the_penalty_goes_into_the_pot_that_the_fifth_trick_wins() -> None:
    table = bought("0/0/13/10")
    assert table.play("AD 7D KD 9C AS 6S KS 10C AH 8H")[-1] == ("ok", "trick", "zero-trick", "won")
    assert (table.purse("D"), table.purse("C"), table.state.pot.holds) == (70, -50, 0)


def test_option_13_a_revoke_is_only_marked() -> None:
    table = bought(revoke="mark")
    table.play("KS 10S AH 8H QD JD 9D AS 7C 6C")
    assert table.state.marks == (0, 0, 1, 0)
    assert (table.score("C"), table.score("D")) == (13, 12)
    assert last_ruling(table, "zero-trick").seat == "C", "a marked revoke changes nothing else"


def test_option_13_a_revoke_voids_the_deal() -> None:
    table = bought(revoke="replay")
    assert table.play("KS 10S AH 8H QD JD 9D AS")[-1] == ("ok", "revoke", "replay")
    assert (table.state.phase, table.state.dealer, table.state.record) == (Phase.DEAL, "A", ())
    assert [table.score(seat) for seat in "ABCD"] == [4, 9, 13, 7]


def test_option_14_the_next_closed_card_from_the_left() -> None:
    table = TonTable(4, options={"refuse_card": "next"})
    table.deal("6D")
    assert codes(table.turn("7C", zone="widow-1")) == ["refused"]
    assert codes(table.turn("KS", zone="widow-3")) == ["refused", "not-next"]
    assert [None if one is None else str(one.card) for one in table.state.widow] == ["7C", None, "KS", None]


def test_option_15_the_dealer_joins_with_thirteen() -> None:
    table = bought("13/0/0/14")
    assert table.state.players_in == ("D", "A")


def test_option_16_the_other_way_round() -> None:
    table = TonTable(4, dealer="A", scores="0/13/13/0", options={"direction": "counterclockwise"})
    table.deal("6D")
    assert table.state.decider == "D"
    table.take("D")
    assert table.state.players_in == ("D", "C", "B")
    table.play("AD 7D 8D KD 9C 9H AS 6S 7S KS 10C 10H AH 8H JH")
    assert table.state.dealer == "D"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"others": "maybe"}, "others can be sit_out or optional"),
        ({"stake": "much"}, "stake is a whole number"),
        ({"colour": "red"}, "Ton has no option 'colour'"),
    ],
)
def test_an_option_that_makes_no_sense_is_told_in_a_sentence(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        TonTable(4, options=options)


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_play(players: int) -> None:
    with pytest.raises(BadSetup, match="2 to 6"):
        TonTable(players, dealer="A")


# Deal and purchase, §4


def test_nobody_deals_before_every_stake_is_in() -> None:
    table = TonTable(2)
    table.press("A")
    table.later()
    assert codes(table.lay("6D")) == ["stakes-missing"]
    table.later()
    table.press("B")
    assert (table.state.phase, table.state.pot.holds) == (Phase.DEAL, 20)


def test_a_misdeal_is_dealt_again_by_the_same_seat() -> None:
    table = TonTable(3)
    table.deal("6D")
    table.turn("9C")
    table.call("misdeal")
    assert (table.state.phase, table.state.dealer, table.state.widow) == (Phase.DEAL, "A", (None,) * 4)


def test_a_card_turned_out_of_turn_stays_open_and_the_proper_seat_decides() -> None:
    table = TonTable(4)
    table.deal("6D")
    assert codes(table.turn("9C", hand="C")) == ["wrong-seat"]
    assert (table.state.phase, table.state.decider) == (Phase.NO_TRUMP_RIGHT, "B")
    assert codes(table.turn("QD")) == ["refused"]
    assert sum(one is not None for one in table.state.widow) == 2


def test_s4_a_card_laid_before_its_own_seat_while_the_widow_is_decided_on_is_no_card_of_the_widow() -> None:
    table = TonTable(4)
    table.deal("6D")
    assert codes(table.lay("9C", hand="B", zone="seat-B")) == ["too-early"]
    assert (table.state.decider, table.state.widow) == ("B", (None,) * 4)
    assert codes(table.lay("9C", hand="B", zone="widow-1")) == ["refused"]


def test_who_turns_two_cards_has_refused_once_and_both_stay_open() -> None:
    table = TonTable(4)
    table.deal("6D")
    table.lay("9C")
    table.at += 100
    assert codes(table.lay("QD")) == ["one-card-only"]
    assert table.state.decider == "C"


def test_refusing_is_final() -> None:
    table = TonTable(3)
    table.deal("6D")
    table.hold("B")
    table.press("B")
    assert table.all_codes()[-2:] == ["turn-card", "wrong-seat"]


def test_a_press_that_becomes_a_hold_has_bought_nothing() -> None:
    table = TonTable(3)
    table.deal("6D")
    pressed = table.at * MS
    table.feed(Press(t_ns=pressed, seat=Seat("B")))
    assert table.state.taker is None
    table.feed(Hold(t_ns=pressed + 800 * MS, seat=Seat("B"), pressed_ns=pressed))
    table.later()
    assert (table.state.taker, table.state.turning) == (None, "B")


def test_a_button_that_never_tells_its_release_buys_all_the_same() -> None:
    table = TonTable(3)
    table.deal("6D")
    table.feed(Press(t_ns=table.at * MS, seat=Seat("B")))
    table.later()
    assert table.state.taker == "B"


def test_a_wrong_discard_is_put_right_before_the_first_lead() -> None:
    table = TonTable(2, scores="13/0")
    table.deal("6D")
    table.call("take")
    assert codes(table.call("exchanged", count=3)) == ["bad-exchange"]
    assert codes(table.lay("AS")) == ["too-early"]
    assert codes(table.call("exchanged")) == ["exchanged", "play-begins"]


def test_who_leads_has_exchanged() -> None:
    table = TonTable(2, scores="13/0")
    table.deal("6D")
    table.call("take")
    assert table.play("AS 7S") == [("ok",), ("ok", "trick")]


def test_the_five_cards_of_a_claim_may_be_laid_one_by_one() -> None:
    table = TonTable(2, scores="13/0")
    table.deal("6H")
    table.call("no-trump")
    for card in ("6S", "9S", "JC", "KD"):
        assert codes(table.turn(card)) == ["shows-card"]
    assert codes(table.turn("7D")) == ["shows-card", "no-trump"]
    assert codes(table.turn("QH"))[0] == "picked"


def test_a_claim_given_up_leaves_its_cards_known() -> None:
    table = TonTable(3, scores="0/13/0")
    table.deal("6H")
    table.call("no-trump")
    table.turn("6S")
    assert codes(table.call("refuse", card="7C")) == ["refused"]
    assert [(one.seat, one.card) for one in table.state.known] == [("B", Card("6S"))]
    assert codes(table.shows("B", "6S 9S JC KD 7D")) == ["not-entitled"]
    assert {str(one.card) for one in table.state.known} == {"6S", "9S", "JC", "KD", "7D"}


# Tricks and proof, §5 and §8


def test_the_taker_revokes_against_an_open_widow_card_and_is_found_at_once() -> None:
    table = bought("13/0/0/0", players=3)
    table.play("AC 6C 9H 10H")
    assert table.score("A") == 14
    table.play("10C")
    assert table.play("8S")[0][:2] == ("ok", "revoke")
    proof = last_ruling(table, "revoke")
    assert (proof.seat, proof.get("held"), proof.get("kind")) == ("C", "7C", "not-following")


def test_a_card_that_went_back_proves_as_much_as_one_played() -> None:
    table = bought()
    table.play("KS 10S")
    assert codes(table.lay("AS", hand="C")) == ["wrong-seat", "revoke"]
    assert revokes(table) == [("C", 1, "not-higher")]


def test_a_revoke_that_was_proven_is_never_withdrawn_but_can_get_worse() -> None:
    table = bought()
    table.play("KS 8H AH 9D 8S")
    kinds = [ruling.get("kind") for told in table.referee.history() for ruling in told.rulings if ruling.get("kind")]
    assert kinds[0] == "not-trumping"
    assert kinds[-1] == "not-following"
    assert Seat("C") in table.state.guilty


def test_an_unsure_reading_accuses_nobody_until_it_is_answered() -> None:
    table = bought()
    table.play("KS 10S AH 8H QD JD 9D")
    assert codes(table.lay("AS", sure=0.6, likely=(Card("AS"), Card("AC")))) == ["ok", "unsure", "trick"]
    assert revokes(table) == []
    (question,) = table.referee.questions()
    table.referee.answer(question, card=Card("AS"), who="host")
    assert revokes(table) == [("C", 1, "not-higher")]


def test_a_trick_that_a_doubtful_card_may_have_won_accuses_nobody_by_turn() -> None:
    table = bought()
    table.play("KS")
    table.lay("7S", sure=0.5, likely=(Card("7S"), Card("AS")))
    table.later()
    assert not any(ruling.is_foul for ruling in table.lay("10S", hand="C")), "C leads if it was the ace"


def test_a_person_can_overrule_a_revoke() -> None:
    table = bought()
    table.play("KS 10S AH 8H QD JD 9D AS")
    number = max(told.number for told in table.laid())
    fine = next(ruling for ruling in table.referee.options(number) if ruling.code == "ok")
    table.referee.overrule(number, (fine,), who="host", why="agreed")
    assert not table.state.guilty
    assert table.state.number == 5, "the trick counts all the same"


def test_a_card_known_to_be_elsewhere_is_questioned_not_punished() -> None:
    table = bought()
    table.play("QS")
    assert codes(table.lay("7C")) == ["ok", "deck-fault", "trick"], "the taker holds it: it lay open in the widow"
    assert [question.kind for question in table.referee.questions()] == ["what"]


def test_the_audit_wants_exactly_what_was_not_played() -> None:
    table = bought("4/9/14/7")
    table.play("KS AS")
    for cards in ("JD 8H 6C", "10S JD 8H KS", "10S JD 8H ??"):
        assert codes(table.shows("C", cards)) == ["show-rest"]


def test_the_audit_may_be_laid_card_by_card() -> None:
    table = bought("4/9/13/13")
    table.play("KS 10S QD 8H")
    found = table.play("9D AH 7C AS JD 6C")
    assert found[2] == ("shows-card", "rest-shown")
    assert found[3] == ("shows-card", "revoke"), "at once, not when all are shown"
    assert found[4] == ("shows-card", "revoke")
    assert found[5] == ("shows-card", "rest-shown", "won")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_board_says_to_each_seat_what_its_button_means(language: str) -> None:
    table = TonTable(3)
    table.deal("6D")
    board = table.referee.view(Audience(language=language))
    assert [bool(seat.can) for seat in board.seats] == [False, True, False]
    assert {word for word, _ in board.calls} == {"take", "refuse", "no-trump", "misdeal"}
