"""Every house rule of Debertz (§9), row by row, and what the default does instead."""

from __future__ import annotations

import pytest

from engine.cards import Card
from engine.errors import BadSetup
from engine.games.debertz import Debertz, Phase
from engine.games.debertz.house import OFFERS
from engine.rules import Option, Setup
from engine.seats import seats
from tests.engine.debertz import DebertzTable, Ended

TIE = "AH JH QD 10D QH 7H 10S QS KC 10C 7C JC 9S 7D 8C 9C 9D KH"
"""E and X make 45 each; E lays queen and king of hearts."""


def begun(options: dict[str, Option] | None = None, *, upcard: str = "10H", words: str = "play") -> DebertzTable:
    """A deal up to the declarations."""
    table = DebertzTable(options=options or {})
    table.bid(upcard, words)
    return table


def played(options: dict[str, Option], *, bella: bool = False) -> DebertzTable:
    """The deal of `TIE`, nobody declaring; bella is called with the king, the last card."""
    table = begun(options)
    table.no_sequences()
    *before, king = TIE.split()
    table.play(" ".join(before))
    if bella:
        table.call("bella", "B")
    table.put(king)
    table.later()
    return table


def counted(table: DebertzTable, seat: str, what: str) -> int:
    """What the last deal counted for that seat."""
    rulings = [r for told in table.referee.history() for r in told.rulings if (r.code, r.seat) == ("counted", seat)]
    return int(rulings[-1].get(what) or 0)


def declared(options: dict[str, Option], e: str, x: str) -> DebertzTable:
    """Both declare sequences, by their cards, each ended by a comma."""
    table = begun(options, upcard="8H")
    for seat, runs in (("B", e), ("A", x)):
        for run in filter(None, runs.split(",")):
            table.declare(seat, "terz" if len(run.split()) == 3 else "poltinnik", run)
        table.held(seat)
    return table


# Rows 1 to 6: ranks and sequences


@pytest.mark.parametrize(("way", "winner", "points"), [("jass", "A", 31), ("plain", "B", 13)])
def test_row1_trump_order(way: str, winner: str, points: int) -> None:
    table = begun({"trump_order": way})
    table.no_sequences()
    table.play("AH JH")
    assert (table.last("trick").seat, table.last("trick").points) == (winner, points)


def test_row3_a_longer_run_outranks_a_higher_one() -> None:
    e, x = "AC 10C KC QC", "KD QD JD 9D 8D"
    assert declared({"long_run": "fifty"}, e, x).state.shower == "B"
    assert declared({"long_run": "fifty", "meld_rank": "length_top"}, e, x).state.shower == "A"


@pytest.mark.parametrize(("way", "points"), [("fifty", 50), ("hundred", 100)])
def test_row4_a_run_of_five(way: str, points: int) -> None:
    table = declared({"long_run": way}, "KD QD JD 9D 8D", "")
    assert table.last("best-sequence").get("points") == points


def test_row4_by_default_a_run_of_five_is_split() -> None:
    table = begun(upcard="8H")
    assert table.declare("B", "poltinnik", "KD QD JD 9D 8D")[0].code == "no-such-sequence"


@pytest.mark.parametrize(("way", "e", "x"), [("elder", 20, 0), ("none", 0, 0), ("split", 10, 10)])
def test_row5_equal_sequences(way: str, e: int, x: int) -> None:
    over = Ended(e=60, x=40, maker="B", sequences={"B": "KC QC JC", "A": "KD QD JD"}, options={"meld_tie": way})
    assert over.wrote == {"B": 60 + e, "A": 40 + x}


@pytest.mark.parametrize(("way", "x"), [("sequences", 20), ("all", 0), ("none", 40)])
def test_row6_without_a_trick(way: str, x: int) -> None:
    over = Ended(e=99, x=0, maker="B", sequences={"A": "AS 10S KS"}, bella="A", options={"need_trick": way})
    assert over.wrote == {"B": 99, "A": x}


# Row 7: bella


def test_row7_bella_by_call() -> None:
    assert counted(played({}, bella=True), "B", "bella") == 20
    assert counted(played({}), "B", "bella") == 0


def test_row7_bella_counts_without_a_call() -> None:
    assert counted(played({"bella": "auto"}), "B", "bella") == 20


@pytest.mark.parametrize(("way", "points"), [("trick", 0), ("call", 20)])
def test_row7_bella_counts_only_if_the_trick_of_the_second_card_is_won(way: str, points: int) -> None:
    assert counted(played({"bella": way}, bella=True), "B", "bella") == 20
    table = begun({"bella": way})
    table.no_sequences()
    table.call("bella", "B")
    table.play("QH 7H KH AH AS KS 10S QS 9S 8S AD KD 10D QD 9D 8D AC KC")
    assert counted(table, "B", "bella") == points


def test_row7_no_bella() -> None:
    table = begun({"bella": "off"})
    assert table.call("bella", "B") == ()


def test_bella_is_called_while_laying_the_second_card_at_the_latest() -> None:
    """A second after the touch is still while laying; then it is too late (§4)."""
    table = begun()
    table.no_sequences()
    table.play("QH 7H AC 9C")
    table.lay("KH")
    table.wait(1500)
    assert [ruling.code for ruling in table.call("bella", "B")] == ["too-late"]


def test_bella_by_a_double_tap_after_the_last_card_of_the_deal() -> None:
    table = begun()
    table.no_sequences()
    *before, king = TIE.split()
    table.play(" ".join(before))
    table.press("B")
    table.at += 90
    table.lay(king)
    assert table.state.phase is Phase.AUDIT
    table.at += 250
    assert [ruling.code for ruling in table.press("B")][:1] == ["bella"]
    assert counted(table, "B", "bella") == 20


# Rows 8 to 11


def test_row8_who_may_exchange() -> None:
    for way, code in (("any", "exchanged"), ("maker", "no-exchange"), ("off", "no-exchange")):
        table = begun({"exchange": way}, upcard="AH")
        assert [ruling.code for ruling in table.call("exchange", "A", card="7H")] == [code]


def test_row9_no_exchange_before_the_bidding_ends() -> None:
    table = DebertzTable()
    table.lay("AH")
    assert table.call("exchange", "B", card="7H") == ()


@pytest.mark.parametrize(("way", "codes"), [("true", ["ok", "revoke", "trick"]), ("false", ["ok", "trick"])])
def test_row10_the_duty_to_go_higher_on_a_trump_lead(way: str, codes: list[str]) -> None:
    table = begun({"beat_trump_lead": way})
    table.no_sequences()
    table.play("AH 8H KC 7C AC")
    assert table.put("JH") == codes


def test_row11_first_lead() -> None:
    for way, seat in (("elder", "B"), ("maker", "A")):
        table = begun({"first_lead": way}, words="pass play")
        table.no_sequences()
        assert table.state.turn == seat


# Rows 12 to 16: the score


@pytest.mark.parametrize(
    ("way", "made_in", "x"), [("transfer", 1, 142), ("burn", 1, 78), ("round2_only", 1, 78), ("round2_only", 2, 142)]
)
def test_row12_bait(way: str, made_in: int, x: int) -> None:
    over = Ended(e=64, x=58, maker="B", made_in=made_in, sequences={"A": "KS QS JS"}, options={"bait": way})
    assert over.wrote == {"B": 0, "A": x}


@pytest.mark.parametrize(
    ("way", "wrote", "hanging"),
    [("hanging", {"B": 0, "A": 60}, 60), ("bait", {"B": 0, "A": 120}, 0), ("each", {"B": 60, "A": 60}, 0)],
)
def test_row13_a_tie(way: str, wrote: dict[str, int], hanging: int) -> None:
    over = Ended(e=60, x=60, maker="B", options={"tie": way})
    assert over.wrote == wrote
    assert sum(over.state.hanging) == hanging


def test_row14_hanging_points_of_the_same_maker() -> None:
    options: dict[str, Option] = {"hang_to": "same_maker"}
    lost = Ended(e=40, x=70, maker="B", hanging=(30, 0), options=options)
    assert (lost.wrote, lost.state.hanging) == ({"B": 0, "A": 110}, (30, 0))
    other = Ended(e=70, x=40, maker="B", hanging=(30, 0), options=options)
    assert (other.wrote, other.state.hanging) == ({"B": 70, "A": 40}, (30, 0))
    own = Ended(e=40, x=70, maker="A", hanging=(30, 5), options=options)
    assert (own.wrote, own.state.hanging) == ({"B": 40, "A": 100}, (0, 5))


def test_row15_the_target() -> None:
    assert Ended(e=70, x=40, maker="B", scores=(0, 240), options={"target": 301}).state.winner == "B"
    assert Ended(e=70, x=40, maker="B", scores=(0, 240)).state.winner is None


def test_row16_every_second_bait_costs_a_hundred() -> None:
    options: dict[str, Option] = {"bait_penalty_every": 2}
    assert Ended(e=40, x=70, maker="B", baits=(0, 0), options=options).wrote == {"B": 0, "A": 110}
    assert Ended(e=40, x=70, maker="B", baits=(0, 1), options=options).wrote == {"B": -100, "A": 110}


def test_row16_a_deal_without_a_trick_costs_a_hundred() -> None:
    over = Ended(e=118, x=0, maker="B", options={"no_trick_penalty": 100})
    assert over.wrote == {"B": 118, "A": -100}


# Rows 17 to 22: the deal


def test_row17_who_deals_next() -> None:
    assert Ended(e=70, x=40, maker="B").state.dealer == "B"
    assert Ended(e=40, x=70, maker="A", options={"dealer": "winner"}).state.dealer == "A"
    assert Ended(e=55, x=55, maker="A", options={"dealer": "winner", "tie": "each"}).state.dealer == "B"


def test_row18_the_last_bidder_is_forced() -> None:
    table = begun({"forced_bid": "true"}, words="pass pass pass pass")
    assert table.last("must-bid").seat == "A"
    assert table.state.phase is Phase.SECOND_ROUND


def test_row19_the_bottom_card_is_shown() -> None:
    table = DebertzTable(options={"show_bottom": "true"})
    table.bid("10H", "play", drawn=False)
    assert table.put("AS") == ["bottom"]
    table.no_sequences()
    assert table.put("AS")[:2] == ["ok", "deck-fault"]


@pytest.mark.parametrize(
    ("way", "code", "x"), [("off", [], 0), ("redeal", ["four-sevens"], 0), ("bonus", ["four-sevens"], 100)]
)
def test_row20_four_sevens(way: str, code: list[str], x: int) -> None:
    table = begun({"four_sevens": way})
    assert table.shows("A", "7C 7D 7H 7S") == code
    assert table.score("A") == x
    assert (table.state.phase is Phase.DEAL, table.state.dealer) == (bool(code), "A")


@pytest.mark.parametrize(
    ("way", "cards", "wins"), [("run7", "10H KH QH JH 9H 8H 7H", True), ("run8", "AH 10H KH QH JH 9H 8H", False)]
)
def test_row21_trumps_in_a_row_win_at_once(way: str, cards: str, wins: bool) -> None:
    table = begun({"jackpot": way}, upcard="7H" if "7H" not in cards else "AH")
    table.call("jackpot", "B")
    table.held("B")
    table.held("A")
    table.shows("B", cards)
    assert (table.state.winner == "B") == wins
    assert (table.state.phase is Phase.GAME_OVER) == wins


def test_row21_by_default_no_run_wins() -> None:
    assert [ruling.code for ruling in begun().call("jackpot", "B")] == ["no-such-sequence"]


def test_row22_an_offer_to_annul() -> None:
    for answer, phase, dealer in (("accept", Phase.DEAL, "B"), ("refuse", Phase.DECLARE, "A")):
        table = begun({"schmeiss": "true"}, words=f"schmeiss {answer}")
        assert (table.state.phase, table.state.dealer) == (phase, dealer)
        assert table.state.maker == (None if answer == "accept" else "B")
    assert begun(words="schmeiss").state.phase is Phase.FIRST_ROUND


# Rows 23 and 24


def test_row23_each_declares_before_his_own_first_card() -> None:
    table = begun({"declare": "before_own_card"})
    assert table.state.phase is Phase.TRICK
    assert table.declare("B", "terz", "KC QC JC")[0].code == "declares"
    table.put("AS")
    assert table.declare("B", "terz", "KC QC JC")[0].code == "too-late"
    assert table.declare("A", "terz", "AD 10D KD")[0].code == "declares"
    assert table.put("8S") == ["ok", "trick", "best-sequence"]
    assert table.shows("A", "AD 10D KD") == ["shows", "sequences-shown"]
    assert (table.state.phase, table.state.turn, table.state.number) == (Phase.TRICK, "B", 2)


def test_row24_a_revoke_is_only_marked() -> None:
    over = Ended(e=90, x=60, maker="B", guilty="A", options={"revoke": "mark"})
    assert over.wrote == {"B": 90, "A": 60}


def test_row24_a_revoke_voids_the_deal() -> None:
    table = begun({"revoke": "replay"})
    table.no_sequences()
    table.play("AS 9D 10S 7S")
    assert (table.state.phase, table.state.dealer) == (Phase.DEAL, "A")


# What a table may not ask for


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"bella": "loud"}, "the option bella can be call or auto or trick or off, not 'loud'"),
        ({"target": "many"}, "the option target is a whole number from 1 to 1000000, not 'many'"),
        ({"pot": 5}, "Debertz has no option 'pot'"),
    ],
)
def test_a_wrong_option_is_told_in_a_sentence(options: dict[str, Option], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        DebertzTable(options=options)


def test_every_option_of_the_rules_is_there() -> None:
    rows = {
        "trump_order sequence_order meld_rank long_run meld_tie need_trick bella exchange beat_trump_lead first_lead",
        "bait tie hang_to target bait_penalty_every no_trick_penalty dealer forced_bid show_bottom four_sevens jackpot",
        "schmeiss declare revoke",
    }
    assert {*OFFERS.choices, *OFFERS.numbers} == {name for row in rows for name in row.split()}


def test_only_two_play() -> None:
    setup = Setup(seats(3), ("Anna", "Boris", "Vera"))
    with pytest.raises(BadSetup, match="Debertz is for 2 players, not 3"):
        Debertz().start(setup)


def test_a_card_cannot_be_played_twice() -> None:
    table = begun()
    table.no_sequences()
    table.play("AS 8S")
    assert table.put("AS")[:2] == ["ok", "deck-fault"]
    assert table.state.played[-1].card is Card("AS")
