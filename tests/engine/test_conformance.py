"""The conformance suite: what must hold for every game, whatever is played (design: a new game is one file)."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from engine.fold import Fold
from engine.games import GAMES, find_game
from engine.log import Log
from engine.referee import Referee
from engine.rules import Audience
from engine.text import read_entry, write_entry
from engine.words import LANGUAGES, MISSING, sentences_of
from tests.engine.conformance import CHECKS, HOUSES, PARTIES, PLANTED, Party

SEEDS = range(6)
CASES = [(game, house, seed) for game in sorted(PARTIES) for house in range(len(HOUSES[game])) for seed in SEEDS]


@cache
def played(game: str, house: int, seed: int, *, mischief: float) -> Party:
    """A party, cut off after some hundred lays where its house rules make it very long; nobody changes it."""
    return PARTIES[game](seed, players=3 + seed % 4, mischief=mischief, moves=90, **HOUSES[game][house])


def test_every_game_has_a_simulator() -> None:
    assert set(PARTIES) == set(GAMES) == set(HOUSES) == set(CHECKS)


@pytest.mark.parametrize("game", sorted(PARTIES))
def test_random_games_end(game: str) -> None:
    for seed in SEEDS:
        assert PARTIES[game](seed, players=3 + seed % 4, mischief=0.1, moves=2000).is_over


@pytest.mark.parametrize(("game", "house", "seed"), CASES)
def test_honest_players_are_never_accused(game: str, house: int, seed: int) -> None:
    party = played(game, house, seed, mischief=0.0)
    assert party.judged() == party.verdicts
    assert party.found() == party.due


@pytest.mark.parametrize(("game", "house", "seed"), CASES)
def test_planted_fouls_are_called_all_and_only_they(game: str, house: int, seed: int) -> None:
    party = played(game, house, seed, mischief=0.35)
    assert party.judged() == party.verdicts
    assert party.found() == party.due


@pytest.mark.parametrize("game", sorted(PARTIES))
def test_the_fouls_that_can_be_planted_are_planted(game: str) -> None:
    due: Counter[str] = Counter()
    for _, house, seed in (case for case in CASES if case[0] == game):
        due += Counter(code for code, _ in played(game, house, seed, mischief=0.35).due.elements())
    assert set(due) == PLANTED[game]


@pytest.mark.parametrize("game", sorted(PARTIES))
def test_every_card_is_in_exactly_one_place_at_every_moment(game: str) -> None:
    for seed in SEEDS:
        referee = played(game, seed % 2, seed, mischief=0.35).table.referee
        fold = Fold(find_game(game), find_game(game).start(referee.setup), referee.log.standing())
        fold.run()
        for state in fold.states[1:]:
            CHECKS[game](state)


@pytest.mark.parametrize("game", sorted(PARTIES))
def test_text_comes_back_and_refolding_equals_stepping(game: str) -> None:
    for seed in SEEDS:
        referee = played(game, seed % 2, seed, mischief=0.35).table.referee
        text = json.dumps([write_entry(entry) for entry in referee.log.entries])
        again = Referee.restore(find_game(game), referee.setup, Log(map(read_entry, json.loads(text))))
        assert again.differences == ()
        assert again.state == referee.state
        assert [told.rulings for told in again.history()] == [told.rulings for told in referee.history()]


@pytest.mark.parametrize("game", sorted(PARTIES))
def test_everything_can_be_said_and_shown_in_every_language(game: str) -> None:
    for seed in SEEDS:
        referee = played(game, seed % 2, seed, mischief=0.35).table.referee
        for language in LANGUAGES:
            known = {code.rstrip("/") for code in sentences_of(game, language)}
            for told in referee.history():
                assert {ruling.code for ruling in told.rulings} <= known
                assert MISSING not in told.sentence(language)
            board = referee.view(Audience(language=language))
            assert board.headline
            assert MISSING not in board.headline


@pytest.mark.parametrize("game", sorted(PARTIES))
def test_codes_are_lower_case_with_hyphens(game: str) -> None:
    for code in sentences_of(game, "en"):
        assert code.rstrip("/").replace("-", "").isalpha()
        assert code == code.lower()
