"""The house rules of Bong, §8, a test each, and §4 beyond the worked examples."""

from __future__ import annotations

import pytest

from engine.cards import Card, Rank
from engine.errors import BadSetup
from engine.games.bong import Phase
from engine.rules import Audience
from engine.seats import Seat
from tests.engine.table import Table, codes


def started(players: int = 4, **options: int | str) -> Table:
    """A party in which A has laid 2C."""
    table = Table(players, dealer="ABCDEF"[players - 1], options=options)
    table.start("A")
    return table


def stalled(table: Table) -> None:
    """Everybody but `last` says "no card"."""
    for seat in sorted(table.state.active - table.state.last):
        table.hold(seat)


# §8 row by row


def test_option_1_start_race_lets_any_holder_start() -> None:
    table = Table(options={"start_mode": "race"})
    table.call("dealt")
    table.at += 1000
    assert table.state.phase is Phase.START_LAY
    assert codes(table.slap("B", "9H")) == ["wrong-rank"]
    assert codes(table.slap("C", "2S"))[0] == "ok"
    assert codes(table.slap("D", "3S"))[0] == "ok"
    assert "unclaimed-two" not in table.all_codes()


def test_option_2_show_needs_the_missing_cards() -> None:
    table = started(stall_proof="show")
    stalled(table)
    assert table.all_codes()[-3:] == ["no-card", "stall", "must-show"]
    table.hold("A")
    assert table.state.is_stall, "a yes is not enough"
    assert codes(table.shown("A", "3C 3D 3H")) == ["false-stall"]
    table.at += 1000
    stalled(table)
    assert codes(table.shown("A", "3C 3D 3H 3S"))[:2] == ["stall-shown", "flong"]


def test_option_2_show_alone_needs_no_presses() -> None:
    table = started()
    assert codes(table.call("show")) == ["must-show"]
    table.at += 1000
    assert codes(table.shown("A", "3S 3D 3H 3C"))[:2] == ["stall-shown", "flong"]


def test_option_2_operator_alone_calls_the_stall() -> None:
    table = started(stall_proof="operator")
    stalled(table)
    assert "no-card" not in table.all_codes()
    assert codes(table.call("stall"))[0] == "flong"


def test_option_3_and_4_pile_and_out_gathers_lasts_hand_too() -> None:
    table = started(stall_collect="pile", stall_last="out")
    table.run("BCD")
    stalled(table)
    assert codes(table.hold("D")) == ["flong", "went-out"]
    table.call("dealt")
    assert table.hands() == {"A": 18, "B": 17, "C": 17, "D": 0}
    assert table.state.records == ()


def test_option_4_stays_cannot_go_with_gathering_everything() -> None:
    with pytest.raises(BadSetup, match="stall_collect=pile"):
        Table(options={"stall_last": "stays"})


def test_option_5_flong_to_the_right() -> None:
    table = started(flong_first="right", stall_collect="pile")
    table.run("BCAD")
    stalled(table)
    table.hold("D")
    table.call("dealt")
    assert table.hands() == {"A": 11 + 1, "B": 12 + 2, "C": 12 + 2, "D": 12}


def test_option_6_continue_keeps_the_needed_rank() -> None:
    table = started(restart="continue", stall_collect="pile")
    table.run("BCD")
    stalled(table)
    table.hold("D")
    table.call("dealt")
    assert (table.state.needed, table.state.opening) == (Rank.SIX, Rank.SIX)
    table.at += 1000
    table.press("D")
    table.wait(4000)
    assert codes(table.slap("D", "6H"))[0] == "ok"
    assert table.state.needed == Rank.SEVEN


def test_option_7_early_look() -> None:
    assert codes(Table().call("early-look", "B")) == ["early-look"]
    assert codes(Table(options={"early_look": "ignore"}).call("early-look", "B")) == []


def test_option_8_marks_for_fouls() -> None:
    table = started(foul_penalty="mark")
    assert codes(table.slap("B", "9C"))[:2] == ["wrong-rank", "mark"]
    assert codes(table.slap("A", "3C"))[:2] == ["double-play", "mark"]
    assert table.state.marks == (1, 1, 0, 0)


def test_option_8_take_pile_starts_a_new_round() -> None:
    table = started(foul_penalty="take_pile")
    table.run("BC")
    assert codes(table.slap("D", "9C"))[:2] == ["wrong-rank", "take-pile"]
    assert table.hands() == {"A": 12, "B": 12, "C": 12, "D": 16}
    assert table.state.phase is Phase.START_CLAIM
    table.check_conserved()


def test_option_9_a_false_no_card_that_takes_the_pile_does_not_go_out() -> None:
    table = started(3, stall_collect="pile", false_nocard="take_pile")
    table.run("B")
    table.hold("A")
    table.hold("C")
    table.hold("B")
    table.call("dealt")
    table.at += 1000
    table.start("B", "2D")
    table.call("recount", "A", count=1)
    table.run("C")
    assert codes(table.slap("A", "4H"))[:3] == ["ok", "false-nocard-proven", "take-pile"]
    assert "A" in table.state.active


def test_option_9_none_only_says_so() -> None:
    table = started(3, stall_collect="pile", false_nocard="none")
    table.run("B")
    for seat in "ACB":
        table.hold(seat)
    table.call("dealt")
    table.start("B", "2D")
    table.run("C")
    assert codes(table.slap("A", "4H")) == ["ok", "false-nocard-proven"]
    assert table.state.marks == (0, 0, 0)


def test_option_10_shot_clock() -> None:
    table = started(shot_clock_s=20)
    table.wait(17_000)
    assert "must-show" not in table.all_codes()
    table.wait(3000)
    assert table.all_codes()[-1] == "must-show"
    assert codes(table.call("cannot-show")) == ["false-stall"]
    assert table.state.phase is Phase.RACE


def test_option_11_a_lot_between_cards_that_lie_close() -> None:
    table = started(tie_rule="lot")
    table.press("B")
    table.at += 30
    table.press("C")
    table.at += 80
    table.lay("3D")
    table.at += 60
    assert "tie" in codes(table.lay("3S"))
    assert table.referee.lot() == ("first-2-3", ("B", "C"))
    table.draw("C")
    assert table.codes()[-2:] == ["ok", "wrong-rank"]
    assert table.whose()[-2:] == ["C", "B"]


def test_option_12_number_of_players() -> None:
    for count in (2, 7):
        with pytest.raises(BadSetup, match="3 to 6 players"):
            Table(count, dealer="A")
    assert len(Table(7, dealer="A", options={"players_max": 8}).state.active) == 7


def test_option_14_attribution_window() -> None:
    table = started(attribution_ms=500)
    table.press("B")
    table.at += 600
    assert codes(table.lay("3D"))[:2] == ["ok", "unattributed"]
    assert "bare-slap" in table.all_codes()


@pytest.mark.parametrize(("late_slap_ms", "whose"), [(300, ""), (600, "B")])
def test_option_14_how_late_a_slap_may_come(late_slap_ms: int, whose: str) -> None:
    table = started(late_slap_ms=late_slap_ms)
    table.lay("3D")
    table.at += 500
    table.press("B")
    table.wait(2000)
    assert table.whose()[-1] == whose
    assert ("bare-slap" in table.all_codes()) == (not whose)


def test_option_15_claim_window() -> None:
    table = Table(options={"claim_s": 10})
    table.call("dealt")
    table.at += 1000
    table.press("A")
    table.wait(9000)
    assert "claims-closed" not in table.all_codes()
    table.wait(1000)
    assert table.all_codes()[-1] == "claims-closed"


def test_option_16_bare_slaps_can_be_marked() -> None:
    table = started(bare_slap="mark")
    table.press("B")
    table.wait(2000)
    assert table.all_codes()[-2:] == ["bare-slap", "mark"]
    assert (table.state.marks, table.state.bare) == ((0, 1, 0, 0), (0, 1, 0, 0))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"stall_colect": "pile"}, "no option 'stall_colect'"),
        ({"stall_collect": "some"}, "all or pile"),
        ({"claim_s": "soon"}, "whole number from 0 to 600"),
        ({"attribution_ms": -5}, "whole number"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, int | str], says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        Table(options=options)


def test_seats_players_and_dealer_must_fit() -> None:
    with pytest.raises(BadSetup, match="dealer sits at E"):
        Table(4, dealer="E")


# §4, further


def test_nobody_presses_then_the_call_stays_open() -> None:
    table = Table()
    table.call("dealt")
    table.wait(60_000)
    assert (table.state.phase, table.referee.deadline()) == (Phase.START_CLAIM, None)


def test_a_false_claim_with_nobody_else_opens_the_claims_again() -> None:
    table = Table()
    table.call("dealt")
    table.at = 1000
    table.press("A")
    table.wait(3000)
    assert codes(table.call("no-two", "A")) == ["false-claim"]
    assert table.state.phase is Phase.START_CLAIM
    assert table.state.claimed == frozenset((Seat("A"),))


def test_two_cards_at_once_by_one_hand() -> None:
    table = started()
    table.press("B")
    table.at += 90
    assert codes(table.lay("3D", hand="B"))[0] == "ok"
    table.at += 40
    assert codes(table.lay("4D", hand="B")) == ["double-play"]
    table.at += 3000
    table.press("C")
    table.at += 90
    assert codes(table.lay("9D", hand="C"))[0] == "wrong-rank"
    table.at += 40
    assert codes(table.lay("4S", hand="C"))[0] == "double-play"


def test_a_second_try_with_a_slap_of_its_own_is_judged_on_its_own() -> None:
    table = started()
    table.press("C")
    table.at += 60
    table.lay("9D")
    table.at += 120
    table.press("C")
    table.at += 60
    assert codes(table.lay("3S"))[0] == "ok"


def test_a_valid_card_cancels_every_no_card() -> None:
    table = started()
    table.hold("B")
    table.hold("C")
    assert table.state.phase is Phase.STALL_CHECK
    table.run("D")
    assert (table.state.phase, table.state.nocard) == (Phase.RACE, ())


def test_last_says_no_card_and_is_ignored() -> None:
    table = started()
    assert table.hold("A") == ()


def test_an_owed_card_is_gone_once_the_camera_sees_it_go() -> None:
    table = started()
    table.slap("B", "9H")
    table.slap("C", "3H")
    assert [owed.laid.card for owed in table.state.owed] == [Card("9H")]
    (seat,) = [seat for seat in table.referee.view(Audience()).seats if seat.seat == "B"]
    assert seat.owed == (Card("9H"),)
    table.gone(2)
    assert table.state.owed == ()
    assert table.hand("B") == 13


def test_an_owed_card_is_gathered_with_the_pile() -> None:
    table = started(stall_collect="pile")
    table.slap("B", "9H")
    table.slap("C", "3H")
    stalled(table)
    table.hold("C")
    table.call("dealt")
    assert sum(table.hands().values()) == 52
    assert table.hands() == {"A": 12 + 1, "B": 12 + 1, "C": 12, "D": 13 + 1}
