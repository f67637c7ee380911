"""The words in which rulings are told, in English and Russian; each game brings its own sentences."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from engine.cards import Card
from engine.errors import BadCard
from engine.rules import Setup
from engine.rulings import Detail, Ruling

LANGUAGES = ("en", "ru")
MISSING = "…"
"""Said in place of a detail that a ruling lacks, e.g. one that a person decided."""
_SEATS = frozenset(("last", "seats", "dealer", "banker"))
_CARDS = frozenset(("card", "cards", "held", "turned"))


def tell(game: str, rulings: tuple[Ruling, ...], setup: Setup | None, language: str = "en") -> str:
    """All rulings of one event, a sentence each; an unknown language is told in English."""
    return " ".join(sentence(game, ruling, setup, language) for ruling in rulings)


def sentence(game: str, ruling: Ruling, setup: Setup | None, language: str = "en") -> str:
    """One ruling in words; without a `setup` players are called by their seats."""
    sentences = sentences_of(game, language)
    template = sentences.get(ruling.code, ruling.code)
    if ruling.seat is None:
        template = sentences.get(f"{ruling.code}/", template)
    names, terms = _names(setup), terms_of(game, language)
    spoken = {key: terms.get(str(value)) or _speak(key, value, names) for key, value in ruling.detail}
    if "needed" in spoken:
        spoken["a_needed"] = with_article(spoken["needed"])
    return template.format_map(_Spoken({**spoken, "player": names.get(ruling.seat or "", ruling.seat or MISSING)}))


def with_article(rank: str) -> str:
    """`an 8`, `an A`, `a 7`: a rank as English says it."""
    return f"an {rank}" if rank in ("8", "A") else f"a {rank}"


def sentences_of(game: str, language: str) -> Mapping[str, str]:
    """The game's sentences by ruling code; `code/` is the one for a ruling that names no seat."""
    if not game.isidentifier():
        return MappingProxyType({})
    in_languages: dict[str, dict[str, str]] = import_module(f"engine.games.{game}.words").SENTENCES
    return MappingProxyType(in_languages.get(language, in_languages["en"]))


def terms_of(game: str, language: str) -> Mapping[str, str]:
    """The game's words for values that stand in details, e.g. the kinds of revoke; empty where it has none."""
    if not game.isidentifier():
        return MappingProxyType({})
    in_languages: dict[str, dict[str, str]] = getattr(import_module(f"engine.games.{game}.words"), "TERMS", {})
    return MappingProxyType(in_languages.get(language, in_languages.get("en", {})))


class _Spoken(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return MISSING


def _names(setup: Setup | None) -> dict[str, str]:
    return {} if setup is None else dict(zip(setup.seats, setup.players, strict=True))


def _speak(key: str, value: Detail, names: Mapping[str, str]) -> str:
    if key in _CARDS:
        return ", ".join(_pretty(word) for word in str(value).split())
    if key in _SEATS:
        return ", ".join(names.get(word, word) for word in str(value).split())
    return str(value)


def _pretty(word: str) -> str:
    try:
        return Card(word).pretty()
    except BadCard:
        return word
