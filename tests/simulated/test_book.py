"""The simulated table's own record rules as the rules do: their worked examples, with the hands known."""

from __future__ import annotations

import pytest

from cardtable.simulated.book import Book, Due, Phase
from engine.cards import DECK_52, Card, read_cards
from engine.seats import Seat, seats

A, B, C, D = seats(4)


def book(pile: str = "", last: Seat | None = None, **hands: str) -> Book:
    """A book in mid-race: `pile` rises from a two, `hands` by seat; the rest of the deck is nobody's business."""
    written = Book({seat: set() for seat in seats(len(hands))})
    written.deal({Seat(seat): set(read_cards(cards)) for seat, cards in hands.items()})
    written.begin(A)
    written.claimed = frozenset(written.hands)
    written.phase = Phase.RACE
    for card in read_cards(pile):
        written.hands[last or A].add(card)
        written.last = None
        assert written.lay(last or A, card) == "ok"
    return written


def test_b_01_legal_run_and_double_play() -> None:
    race = book("2C 3D 4S", C, A="KC", B="KD", C="5H KH", D="5C KS")
    assert race.lay(C, Card("5H")) == "double-play"
    race.take_back(Card("5H"))
    assert race.lay(D, Card("5C")) == "ok"
    assert (race.needed, race.last) == (6, D)


def test_b_02_wrong_rank() -> None:
    race = book("2C 3D 4S 5S 6S 7S 8S 9D", B, A="KC", B="KD", C="KH", D="JS 10D")
    assert race.lay(D, Card("JS")) == "wrong-rank"
    assert race.lay(D, Card("10D")) == "ok"


def test_b_03_round_the_corner() -> None:
    race = book("2C 3D 4S 5S 6S 7S 8S 9D 10D JD QD KH", C, A="AS 5C", B="KD", C="6H", D="2D 7C")
    assert race.lay(A, Card("AS")) == "ok"
    assert race.lay(D, Card("2D")) == "ok"
    assert race.needed == 3


def test_b_05_consecutive_ranks_are_judged_in_pile_order() -> None:
    race = book("2C 3D 4S 5S 6C", A, A="KC", B="7D KD", C="8S KH", D="KS")
    assert race.lay(C, Card("8S")) == "wrong-rank"
    assert race.lay(B, Card("7D")) == "ok"
    assert race.needed == 8


def test_b_14_seat_is_tested_before_rank() -> None:
    race = book("2C 3D", B, A="KC", B="JS KD", C="KH", D="KS")
    assert race.lay(B, Card("JS")) == "double-play"


def test_b_16_a_buried_foul_card_stays_its_owners() -> None:
    race = book("2C 3D 4S 5S 6S 7S 8S 9D", B, A="10C KC", B="KD", C="KH", D="JS")
    race.lay(D, Card("JS"))
    assert race.lay(A, Card("10C")) == "ok"
    assert (race.size(D), race.owed) == (1, {Card("JS"): D})


def test_of_two_cards_at_once_the_second_is_a_double_play_even_after_a_foul() -> None:
    race = book("2C 3D", B, A="JC QC KC", B="KD", C="KH", D="KS")
    assert [race.lay(A, Card("JC")), race.lay(A, Card("QC"), is_extra=True)] == ["wrong-rank", "double-play"]


def test_a_seat_that_is_out_lays_in_vain() -> None:
    race = book("2C", B, A="3D", B="KD", C="4H", D="KS")
    race.lay(A, Card("3D"))
    race.hands[A].add(Card("4D"))
    assert race.lay(A, Card("4D")) == "not-active"


def test_b_09_going_out_ends_the_game() -> None:
    race = book("2C 3D 4S 5S 6S 7S 8S 9S", B, A="10C QH", B="JD KD 5H")
    for seat, card in ((A, "10C"), (B, "JD"), (A, "QH")):
        assert race.lay(seat, Card(card)) == "ok"
    assert race.due == [Due("went-out", A), Due("loser", B)]
    assert race.loser() == B


def test_b_07_stall_refused_by_counting() -> None:
    race = book("2C 3C 4C 5C 6C", A, A="KC", B="KD 7D 7H", C="KH 7C 7S")
    race.say_no_card(B)
    race.say_no_card(C)
    assert race.due[-1] == Due("false-stall")
    assert race.phase is Phase.RACE


def test_a_refused_stall_proves_the_false_no_card_once_the_card_is_laid() -> None:
    race = book("2C 3C 4C 5C 6C", A, A="7C 7D 7H KC", B="KD 7S", C="KH")
    race.say_no_card(B)
    race.say_no_card(C)
    assert race.phase is Phase.ASKED
    race.say_no(A)
    race.lay(B, Card("7S"))
    assert Due("false-nocard-proven", B) in race.due


def test_b_12_stall_and_flong() -> None:
    race = book("2C 3D 4S 5H 6D", D, A="8C", B="9C", C="10C", D="7C 7D 7H 7S")
    for seat in (A, B, C, D):
        race.say_no_card(seat)
    assert [due.code for due in race.due] == ["no-card"] * 3 + ["stall", "flong", "went-out"]
    assert race.phase is Phase.GATHER
    assert race.redeal_order() == [A, B, C]


def test_b_10_a_stall_of_two_is_the_end() -> None:
    race = book("2C 3D 4S 5S 6S 7S 8S 9S", A, A="10C 10H 10D 10S", B="JD KD 5H")
    race.say_no_card(B)
    race.say_no_card(A)
    assert [due.code for due in race.due][-3:] == ["two-left", "went-out", "loser"]
    assert race.loser() == B


def test_a_valid_card_cancels_no_card() -> None:
    race = book("2C 3D", B, A="4C KC", B="KD", C="KH", D="KS")
    race.say_no_card(C)
    race.lay(A, Card("4C"))
    assert race.nocard == set()


def test_an_unclaimed_two_is_noted_once() -> None:
    race = book("2C 3D 4S 5S 6S 7S 8S 9D 10D JD QD KH AH", C, A="2S 2H KS", B="3C KD", C="6H", D="KC")
    race.claimed = frozenset((C,))
    race.lay(A, Card("2S"))
    race.lay(B, Card("3C"))
    race.lay(A, Card("2H"))
    assert [due for due in race.due if due.code == "unclaimed-two"] == [Due("unclaimed-two", A)]


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_claims_count_only_until_the_start(count: int) -> None:
    around = seats(count)
    dealt = Book({seat: set() for seat in around})
    dealt.deal({seat: set(DECK_52[i::count]) for i, seat in enumerate(around)})
    dealt.claim(around[0])
    dealt.claim(around[0])
    dealt.begin(around[0])
    dealt.claim(around[1])
    assert dealt.claims == [around[0]]
