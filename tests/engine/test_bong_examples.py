"""The worked examples of the rules of Bong, §9, one test each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card, Rank, Suit
from engine.events import Call, CardLaid, Event, Hold
from engine.games.bong import Bong, Phase, State
from engine.games.bong.state import Laid, shares
from engine.log import Correct
from engine.referee import Change
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat, seats
from tests.engine.table import Table, codes

RULES = Bong()


def position(  # noqa: PLR0913 -- a position is just that many things
    pile: int,
    *,
    top: str,
    last: str,
    hands: dict[str, int],
    kept: str = "",
    collect: str = "all",
) -> State:
    """A regular pile of `pile` cards without those `kept`, up to `top`, laid by `last`; hands as given, others out."""
    around = seats(max(3, len(hands)))
    setup = Setup(around, tuple(f"player {seat}" for seat in around), around[-1], {"stall_collect": collect})
    state = RULES.start(setup)
    laid: list[Laid] = []
    used = {Card(card) for card in kept.split()} | {Card(top)}
    for back in range(pile):
        rank = Rank((Card(top).rank - 2 - back) % 13 + 2)
        free = (Card.of(rank, suit) for suit in Suit if Card.of(rank, suit) not in used)
        card = Card(top) if back == 0 else next(free)
        used.add(card)
        laid.append(Laid(card, (card,), frozenset((Seat(last),)), pile - back, 0))
    return state._replace(
        phase=Phase.RACE,
        active=frozenset(Seat(seat) for seat in hands),
        hands=tuple(hands.get(seat, 0) for seat in around),
        finished=tuple(seat for seat in around if seat not in hands),
        pile=tuple(reversed(laid)),
        last=frozenset((Seat(last),)),
        needed=Rank((Card(top).rank - 1) % 13 + 2),
        claimed=frozenset(around),
    )


def play(state: State, *events: Event) -> tuple[State, list[tuple[Ruling, ...]]]:
    """Judges and applies the events in turn."""
    ruled = []
    for event in events:
        ruled.append(RULES.judge(state, event))
        state = RULES.apply(state, event, ruled[-1])
    return state, ruled


def lays(line: str, *, first: int = 1) -> list[CardLaid]:
    """`D JS, A 10C`: lays by seats that are certain, a second apart."""
    found = []
    for lay, word in enumerate(line.split(", "), start=first):
        seat, card = word.split()
        found.append(
            CardLaid(t_ns=lay * 10**9, card=Card(card), lay=100 + lay, seats=frozenset((Seat(seat),)), number=lay)
        )
    return found


def only(seat: str) -> frozenset[Seat]:
    """That seat and no other."""
    return frozenset((Seat(seat),))


def verdicts(ruled: list[tuple[Ruling, ...]]) -> list[str]:
    """The first code of each event."""
    return [rulings[0].code for rulings in ruled]


def test_b_01_legal_run_and_double_play() -> None:
    table = Table()
    table.start("A", "2C")
    table.slap("B", "3D")
    table.slap("C", "4S")
    assert codes(table.slap("C", "5H")) == ["double-play"]
    assert (table.state.needed, table.state.last) == (Rank.FIVE, only("C"))
    assert codes(table.slap("D", "5C"))[0] == "ok"
    assert (table.state.needed, table.state.last) == (Rank.SIX, only("D"))


def test_b_02_wrong_rank() -> None:
    start = position(8, top="9D", last="B", hands={"A": 11, "B": 11, "C": 11, "D": 11})
    state, ruled = play(start, *lays("D JS"))
    assert verdicts(ruled) == ["wrong-rank"]
    assert ruled[0][0].seat == "D"
    assert ruled[0][0].is_foul
    assert (state.needed, state.last) == (Rank.TEN, only("B"))
    _, again = play(state, *lays("D 10S", first=2))
    assert verdicts(again) == ["ok"]


def test_b_03_round_the_corner() -> None:
    start = position(12, top="KH", last="C", hands={"A": 10, "B": 10, "C": 10, "D": 10})
    state, ruled = play(start, *lays("A AS, D 2D"))
    assert verdicts(ruled) == ["ok", "ok"]
    assert state.needed == Rank.THREE


@pytest.mark.parametrize("gap_ms", [25, 5, 200])
def test_b_04_race_same_rank(gap_ms: int) -> None:
    table = Table()
    table.start("A")
    table.run("BCDA")
    table.press("B")
    table.at += gap_ms
    table.press("C")
    table.at += 80
    table.lay("7D")
    table.at += 60
    table.lay("7S")
    assert table.codes()[-2:] == ["ok", "wrong-rank"]
    assert table.whose()[-2:] == ["B", "C"]
    assert (table.state.needed, table.state.last) == (Rank.EIGHT, only("B"))


def test_b_05_race_consecutive_ranks_in_order() -> None:
    table = Table()
    table.start("A")
    table.run("BCDA")
    for seat in "BC":
        table.press(seat)
        table.at += 30
    table.lay("7D")
    table.at += 60
    table.lay("8S")
    assert table.codes()[-2:] == ["ok", "ok"]
    assert table.whose()[-2:] == ["B", "C"]
    assert (table.state.needed, table.state.last) == (Rank.NINE, only("C"))


def test_b_05_race_consecutive_ranks_wrong_way_round() -> None:
    table = Table()
    table.start("A")
    table.run("BCDA")
    for seat in "CB":
        table.press(seat)
        table.at += 30
    table.lay("8S")
    table.at += 60
    table.lay("7D")
    assert table.codes()[-2:] == ["wrong-rank", "ok"]
    assert table.whose()[-2:] == ["C", "B"]
    assert (table.state.needed, table.state.last) == (Rank.EIGHT, only("B"))


def test_b_06_stall_and_flong_pile() -> None:
    table = Table(options={"stall_collect": "pile"})
    table.start("A", "2C")
    table.run("BCAD")
    assert table.hands() == {"A": 11, "B": 12, "C": 12, "D": 12}
    table.hold("A")
    table.hold("B")
    assert codes(table.hold("C")) == ["no-card", "stall"]
    assert codes(table.hold("D")) == ["flong"]
    assert table.state.phase is Phase.FLONG
    table.call("dealt")
    assert table.hands() == {"A": 13, "B": 14, "C": 13, "D": 12}
    table.check_conserved()
    assert table.state.needed == Rank.TWO


def test_b_07_stall_refused_by_counting() -> None:
    start = position(36, top="JC", last="A", hands={"A": 1, "B": 8, "C": 7})
    state, ruled = play(start, _hold("B", 1), _hold("C", 2))
    assert [codes(rulings) for rulings in ruled] == [["no-card"], ["no-card", "false-stall"]]
    refused = ruled[1][1]
    assert refused.seat is None
    assert (refused.get("missing"), refused.get("hand")) == (2, 1)
    assert (state.phase, state.nocard) == (Phase.RACE, ())


def flonged() -> State:
    """B-08: L=19, needed 8, only 8D in the pile, last B; A, C and D say "no card", B deals the pile again."""
    start = position(pile=19, top="7H", last="B", hands={"A": 8, "B": 9, "C": 8, "D": 8}, collect="pile")
    eight = start.pile[6]
    assert eight.card.rank == Rank.EIGHT
    diamond = eight._replace(card=Card("8D"), could_be=(Card("8D"),))
    start = start._replace(pile=(*start.pile[:6], diamond, *start.pile[7:]))
    state, ruled = play(start, *(_hold(seat, n) for n, seat in enumerate("ACDB", start=1)))
    assert codes(ruled[-1]) == ["flong"]
    assert [record.cards for record in state.records] == [{Card("8C"), Card("8H"), Card("8S")}]
    state, _ = play(state, Call(t_ns=1, word="dealt", who="host"))
    return state._replace(
        phase=Phase.RACE, needed=Rank.EIGHT, last=frozenset((Seat("A"),)), claimed=frozenset(seats(4))
    )


def test_b_08_a_redealt_card_proves_nothing() -> None:
    _, ruled = play(flonged(), *lays("C 8D"))
    assert codes(ruled[0]) == ["ok"]


def test_b_08_false_no_card_proven_later() -> None:
    _, ruled = play(flonged(), *lays("C 8S"))
    assert codes(ruled[0]) == ["ok", "false-nocard-proven", "mark"]
    assert ruled[0][1].seat == "C"
    assert 2 in ruled[0][1].because


def test_b_08_even_a_foul_card_proves_it() -> None:
    _, ruled = play(flonged()._replace(needed=Rank.NINE), *lays("C 8S"))
    assert codes(ruled[0]) == ["wrong-rank", "false-nocard-proven", "mark"]


def test_b_08_a_card_laid_validly_leaves_the_record() -> None:
    state, _ = play(flonged(), *lays("B 8S"))
    _, ruled = play(state._replace(needed=Rank.EIGHT), *lays("C 8S", first=2))
    assert "false-nocard-proven" not in codes(ruled[0])


def test_b_09_going_out_and_the_end() -> None:
    start = position(47, top="9S", last="B", hands={"A": 2, "B": 3}, kept="10C JD QH")
    state, ruled = play(start, *lays("A 10C, B JD, A QH"))
    assert verdicts(ruled) == ["ok", "ok", "ok"]
    assert codes(ruled[2]) == ["ok", "went-out", "loser"]
    assert ruled[2][2].seat == "B"
    assert (state.phase, state.hand(Seat("B")), state.finished[-1]) == (Phase.GAME_OVER, 2, "A")


def test_b_10_two_player_stall() -> None:
    start = position(46, top="8S", last="B", hands={"A": 3, "B": 3})
    state, ruled = play(start, *lays("A 9S"), _hold("B", 2), _hold("A", 3))
    assert codes(ruled[1]) == ["no-card", "stall"]
    assert codes(ruled[2]) == ["two-left", "went-out", "loser"]
    assert (state.loser, state.finished[-1], state.phase) == ("B", "A", Phase.GAME_OVER)


def test_b_11_deal_sizes() -> None:
    five = RULES.start(Setup(seats(5), tuple("abcde"), Seat("E")))
    assert five.hands == (11, 11, 10, 10, 10)
    six = RULES.start(Setup(seats(6), tuple("abcdef"), Seat("F")))
    assert six.hands == (9, 9, 9, 9, 8, 8)
    three = RULES.start(Setup(seats(3), tuple("abc"), Seat("A")))
    assert shares(three.house, seats(3), after=Seat("A"), cards=52) == (17, 18, 17)


def test_b_12_stall_and_flong_default() -> None:
    table = Table()
    table.start("A", "2C")
    table.run("BCAD")
    for seat in "ABC":
        table.hold(seat)
    assert codes(table.hold("D")) == ["flong", "went-out"]
    table.call("dealt")
    assert table.hands() == {"A": 18, "B": 17, "C": 17, "D": 0}
    assert table.state.finished == ("D",)
    assert (table.state.needed, table.state.phase) == (Rank.TWO, Phase.START_CLAIM)


def test_b_13_false_claim() -> None:
    table = Table()
    table.call("dealt")
    table.at = 1000
    table.press("A")
    table.at = 1500
    table.press("C")
    table.wait(3000)
    assert table.referee.lot() == ("start", ("A", "C"))
    table.draw("A")
    assert codes(table.slap("A", "3H")) == ["wrong-rank"]
    assert codes(table.call("no-two", "A")) == ["false-claim"]
    assert "ok" in codes(table.slap("C", "2S"))
    assert (table.state.needed, table.state.last) == (Rank.THREE, only("C"))


def test_b_14_wrong_and_double() -> None:
    start = position(8, top="9D", last="B", hands={"A": 11, "B": 11, "C": 11, "D": 11})
    _, ruled = play(start, *lays("B JS"))
    assert verdicts(ruled) == ["double-play"]


def test_b_15_candidates() -> None:
    table = Table()
    table.start("A")
    table.run("BCDA")
    assert codes(table.lay("7D")) == ["ok", "unattributed"]
    table.wait(1000)
    (question,) = table.referee.questions()
    assert (question.kind, question.seats) == ("who", ("B", "C", "D"))
    assert codes(table.slap("C", "8S"))[0] == "ok"
    table.check_conserved()
    lay = table.laid()[-2].event
    assert isinstance(lay, CardLaid)
    changes = _preview_answer(table, question.about, "C")
    assert [(change.before[0].code, change.after[0].code) for change in changes if change.number != lay.number] == [
        ("ok", "double-play")
    ]
    table.referee.answer(question, seat=Seat("C"), who="host")
    assert table.codes()[-2:] == ["ok", "double-play"]
    table.check_conserved()


def test_b_16_buried_foul() -> None:
    start = position(8, top="9D", last="B", hands={"A": 11, "B": 11, "C": 11, "D": 11})
    state, ruled = play(start, *lays("D JS, A 10C"))
    assert codes(ruled[0]) == ["wrong-rank"]
    assert codes(ruled[1]) == ["ok", "owed"]
    assert (ruled[1][1].seat, ruled[1][1].get("card")) == ("D", "JS")
    assert (state.hand(Seat("A")), state.hand(Seat("D"))) == (10, 11)
    assert (len(state.pile), len(state.owed)) == (9, 1)
    assert state.needed == Rank.JACK


def _hold(seat: str, number: int) -> Hold:
    return Hold(t_ns=number * 10**9, seat=Seat(seat), pressed_ns=number * 10**9 - 8 * 10**8, number=number)


def _preview_answer(table: Table, number: int, seat: str) -> tuple[Change, ...]:
    event = table.referee.event(number).event
    assert isinstance(event, CardLaid)
    said = replace(event, seats=frozenset((Seat(seat),)))
    return table.referee.preview(Correct(target=number, event=said, who="host", why="asked"))
