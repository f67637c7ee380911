"""The worked examples of the rules (§10), each a test of its name. A deals, so B is E and A is X."""

from __future__ import annotations

import pytest

from engine.cards import Card, Suit, read_cards
from engine.games.debertz import Phase
from engine.rules import Audience, Option
from engine.seats import Seat
from engine.tricks import Play, breach, demand
from tests.engine.debertz import DebertzTable, Ended

Z05_TRICKS = "JH 8H 9H AH AS JS 10S QS AD KD 8D 10D AC 7C 9C QH KH KS"


def begun(upcard: str = "10H", words: str = "play", **options: Option) -> DebertzTable:
    """A deal up to the declarations."""
    table = DebertzTable(options=options)
    table.bid(upcard, words)
    return table


# Z-01: bidding


@pytest.mark.parametrize(
    ("words", "trump", "maker"),
    [
        ("play", Suit.HEARTS, "B"),
        ("pass play", Suit.HEARTS, "A"),
        ("pass pass clubs", Suit.CLUBS, "B"),
        ("pass pass pass spades", Suit.SPADES, "A"),
    ],
    ids=["a", "b", "c", "e"],
)
def test_z01_who_plays_with_which_trump(words: str, trump: Suit, maker: str) -> None:
    state = begun(words=words).state
    assert (state.trump, state.maker) == (trump, maker)


def test_z01_c_no_exchange_once_trump_was_named() -> None:
    table = begun(words="pass pass clubs")
    assert table.put("7C", hand="B", zone="trump") == ["no-exchange"]


def test_z01_d_the_suit_turned_up_is_refused() -> None:
    table = begun(words="pass pass hearts")
    assert table.last("suit-refused").is_foul
    assert table.state.turn == "B"


def test_z01_f_four_passes_throw_the_cards_in_and_e_deals() -> None:
    table = begun(words="pass pass pass pass")
    assert (table.state.phase, table.state.dealer) == (Phase.DEAL, "B")


# Z-02: the seven


def test_z02_x_may_swap_until_his_own_first_card() -> None:
    table = begun("AH")
    table.no_sequences()
    table.put("KS")
    assert table.put("7H", zone="trump", hand="A") == ["exchanged"]
    assert table.state.upcard is Card("7H")
    assert [(one.seat, one.card) for one in table.state.known] == [("A", Card("AH"))]


def test_z02_after_his_first_card_no_exchange() -> None:
    table = begun("AH")
    table.no_sequences()
    table.play("KS 9S")
    assert table.put("7H", zone="trump", hand="A") == ["no-exchange"]
    assert table.last("no-exchange").get("why") == "first-card-laid"


@pytest.mark.parametrize("card", ["7H", "7C"])
def test_z02_no_exchange_of_either_seven_in_the_second_round(card: str) -> None:
    table = begun("AH", "pass pass clubs")
    assert [ruling.code for ruling in table.call("exchange", "A", card=card)] == ["no-exchange"]


# Z-03: comparing

LADDER: list[tuple[str, list[str], list[str], tuple[int, int]]] = [
    ("a", ["10S KS QS"], ["JD 9D 8D"], (20, 0)),
    ("b", ["AC 10C KC"], ["JD 9D 8D 7D"], (0, 50)),
    ("c", ["KC QC JC"], ["KH QH JH"], (0, 20)),
    ("d", ["QC JC 9C"], ["QD JD 9D"], (20, 0)),
    ("e", ["AC 10C KC"], ["KD QD JD 9D", "AS 10S KS"], (0, 70)),
]


@pytest.mark.parametrize(("e", "x", "points"), [row[1:] for row in LADDER], ids=[row[0] for row in LADDER])
def test_z03_comparing_with_hearts_as_trumps(e: list[str], x: list[str], points: tuple[int, int]) -> None:
    table = begun("8H")
    for seat, runs in (("B", e), ("A", x)):
        for run in runs:
            table.declare(seat, "terz" if len(run.split()) == 3 else "poltinnik", run)
        table.held(seat)
    best = table.last("best-sequence")
    assert (best.seat, best.get("points")) == ("B" if points[0] else "A", max(points))


def test_z03_a_suit_said_of_one_equal_sequence_is_not_offered_for_the_other() -> None:
    table = begun("8H")
    table.declare("B", "terz", "KC QC JC")
    table.call("terz", "B", count=13)
    table.held("B")
    table.declare("A", "terz", "KH QH JH")
    table.held("A")
    assert [word for word, _ in table.referee.view(Audience()).calls][:3] == ["diamonds", "hearts", "spades"]


@pytest.mark.parametrize(
    ("order", "run", "is_one"),
    [
        ("seed", "AS KS QS", False),
        ("natural", "AS KS QS", True),
        ("seed", "AS 10S KS", True),
        ("natural", "AS 10S KS", False),
    ],
)
def test_z03_f_what_is_a_terz(order: str, run: str, is_one: bool) -> None:
    table = begun(sequence_order=order)
    told = table.declare("B", "terz", run)
    assert told[0].code == ("declares" if is_one else "no-such-sequence")


# Z-04: replies


@pytest.mark.parametrize(
    ("led", "hand", "fine"),
    [
        ("10H", "9H 8H AS", "9H"),
        ("JH", "9H 7H", "9H 7H"),
        ("KS", "8S AH", "8S"),
        ("KS", "7H AD", "7H"),
        ("KS", "AD 9C", "AD 9C"),
        ("9H", "AH 8H KS", "AH 8H"),
    ],
)
def test_z04_which_cards_may_answer(led: str, hand: str, fine: str) -> None:
    duties = begun("QH").state.duties
    asked = demand((Play(Seat("B"), Card(led), 1),), Suit.HEARTS, duties)
    assert asked is not None
    cards = read_cards(hand)
    kept = [card for card in cards if not any(breach(asked, card, other, duties) for other in cards)]
    assert " ".join(map(str, kept)) == fine


# Z-05: a full deal


def full_deal(order: str = "seed") -> DebertzTable:
    """The deal of Z-05, bella called with a double tap."""
    table = begun(sequence_order=order)
    kind, run = ("terz", "KH QH JH") if order == "natural" else ("poltinnik", "KH QH JH 9H")
    table.declare("B", kind, run)
    table.held("B")
    table.declare("A", "terz", "KS QS JS")
    table.held("A")
    table.shows("B", run)
    *before, last, reply = Z05_TRICKS.split()
    table.play(" ".join(before))
    table.press("B")
    table.at += 200
    table.press("B")
    table.at += 100
    table.play(f"{last} {reply}")
    return table


def test_z05_tricks_sequences_bella_and_the_last_trick() -> None:
    table = full_deal()
    rulings = [ruling for told in table.referee.history() for ruling in told.rulings]
    counted = [tuple(value for _, value in ruling.detail) for ruling in rulings if ruling.code == "counted"]
    assert counted == [(107, 50, 20, 177), (21, 0, 0, 21)]
    assert (table.wrote("B"), table.wrote("A")) == (177, 21)


def test_z05_the_points_of_eighteen_cards_and_ten() -> None:
    assert sum(ruling.points for told in full_deal().laid() for ruling in told.rulings if ruling.code == "trick") == 128


def test_z05_with_the_natural_order_trump_wins_for_twenty() -> None:
    assert full_deal("natural").wrote("B") == 147


# Z-06, Z-07, Z-09, Z-10: scores


def test_z06_bait() -> None:
    over = Ended(e=64, x=58, maker="B", sequences={"A": "KS QS JS"})
    assert over.wrote == {"B": 0, "A": 142}
    assert "bait" in over.codes


def test_z07_hanging() -> None:
    tie = Ended(e=81, x=81, maker="B")
    assert tie.wrote == {"B": 0, "A": 81}
    assert sum(tie.state.hanging) == 81
    after = Ended(e=40, x=100, maker="A", hanging=tie.state.hanging)
    assert after.wrote == {"A": 181, "B": 40}
    assert after.state.hanging == (0, 0)


def test_z08_revoke() -> None:
    table = begun()
    table.no_sequences()
    table.play("AC 9C KS AD 10C 8C KC 7C QC")
    assert table.put("8H") == ["ok", "revoke", "trick"]
    proven = table.last("revoke")
    assert (proven.seat, proven.get("trick"), proven.get("kind")) == ("A", 2, "not-trumping")
    assert (proven.get("card"), proven.get("held"), proven.paragraph) == ("AD", "8H", "§5")
    assert table.put("7S") == ["ok", "revoke-kind"]
    assert table.last("revoke-kind").get("kind") == "not-following"


def test_z08_the_suit_that_was_led_turns_up_first() -> None:
    table = begun()
    table.no_sequences()
    table.play("AC 9C KS AD 10C 8C KC 7C")
    assert table.play("QS 7S")[-1] == ["ok", "revoke", "trick"]
    assert table.last("revoke").get("kind") == "not-following"
    assert table.play("QC 8H")[-1] == ["ok", "trick"]


@pytest.mark.parametrize("maker", ["A", "B"])
def test_z08_everything_goes_to_the_opponent_whoever_was_maker(maker: str) -> None:
    over = Ended(e=90, x=60, maker=maker, guilty="A", hanging=(0, 7))
    assert over.wrote == {"B": 157, "A": 0}


def test_z09_a_sequence_without_a_trick() -> None:
    over = Ended(e=118, x=0, maker="B", sequences={"A": "AS 10S KS", "B": "QC JC 9C"})
    assert over.wrote == {"B": 118, "A": 0}


def test_z09_bella_is_kept_without_a_trick() -> None:
    over = Ended(e=118, x=0, maker="B", sequences={"A": "AS 10S KS"}, bella="A")
    assert over.wrote == {"B": 118, "A": 20}


def test_z10_end() -> None:
    over = Ended(e=40, x=60, maker="A", scores=(480, 470))
    assert (over.state.phase, over.state.winner) == (Phase.GAME_OVER, "A")
    assert over.state.scores == (540, 510)


# Z-11: a declaration audited


def declared_falsely() -> DebertzTable:
    """X declares 10-K-Q of spades without the queen, E a true terz."""
    table = begun("8H")
    table.declare("B", "terz", "JC 9C 8C")
    table.held("B")
    table.declare("A", "terz", "10S KS QS")
    table.held("A")
    return table


def test_z11_what_cannot_be_shown_is_struck() -> None:
    table = declared_falsely()
    assert table.shows("A", "10S KS") == ["shows", "struck", "best-sequence"]
    assert table.shows("B", "JC 9C 8C") == ["shows", "sequences-shown", "play-begins"]
    assert table.last("struck").is_foul


def test_z11_where_the_showing_was_missed_the_nine_cards_decide() -> None:
    table = declared_falsely()
    table.call("not-seen")
    table.play("JC 7C 9C AC 10S 7S KS AS 8C 10C JS QS 9S 8S AD 10D KD QD")
    struck = table.last("not-held")
    assert (struck.seat, struck.get("card")) == ("A", "10S")
    counted = {r.seat: r.get("sequences") for t in table.referee.history() for r in t.rulings if r.code == "counted"}
    assert counted == {"B": 20, "A": 0}
