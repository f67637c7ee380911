"""Golden playthroughs: what the referee says to whole parties, as text that people can read, edit and compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import GAMES
from engine.words import LANGUAGES, MISSING, sentences_of
from tests.engine.playthrough import FOLDER, Playthrough, texts

ALL = sorted(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_playthrough_comes_out_as_written(path: Path) -> None:
    """If this is meant to change, run `python -m tests.engine.playthrough` and read the difference."""
    text = path.read_text(encoding="utf-8")
    assert Playthrough(text).play() == text


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_ruling_of_a_game_is_seen_in_a_playthrough(game: str) -> None:
    seen: set[str] = set()
    for path in texts(game):
        playthrough = Playthrough(path.read_text(encoding="utf-8"))
        playthrough.play()
        seen |= playthrough.codes
    known = {code.rstrip("/") for code in sentences_of(game, "en")}
    assert seen == known


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_ruling_has_its_sentence_in_every_language(game: str) -> None:
    codes = {language: set(sentences_of(game, language)) for language in LANGUAGES}
    assert len(set(map(frozenset, codes.values()))) == 1
    for language in LANGUAGES:
        assert all(sentences_of(game, language).values())


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_sentence_lacks_a_word(path: Path) -> None:
    told = Playthrough(path.read_text(encoding="utf-8"))
    told.play()
    for one in told.table.referee.history():
        for language in LANGUAGES:
            sentence = one.sentence(language)
            assert "{" not in sentence
            assert "None" not in sentence
            assert MISSING not in sentence
