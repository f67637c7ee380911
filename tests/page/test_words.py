"""The page's own phrases and drawings."""

from __future__ import annotations

from string import Formatter
from xml.etree import ElementTree

from cardtable.page.drawing import card_svg
from cardtable.page.text import safe
from cardtable.page.words import LANGUAGES, all_words
from engine.cards import BACK, DECK_52, UNKNOWN, Card


def fields(phrase: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def test_every_phrase_is_there_in_every_language_with_the_same_gaps() -> None:
    first, *others = (all_words()[language] for language in LANGUAGES)
    for other in others:
        assert {word: fields(phrase) for word, phrase in first.items()} == {
            word: fields(phrase) for word, phrase in other.items()
        }


def test_every_card_is_well_formed_svg_and_no_two_look_alike() -> None:
    drawings = [card_svg(card) for card in (*DECK_52, BACK, UNKNOWN, None)]
    assert all(ElementTree.fromstring(drawing).tag == "svg" for drawing in drawings)
    assert len(set(drawings)) == len(drawings)


def test_the_index_is_printed_in_two_corners() -> None:
    texts = [element.text for element in ElementTree.fromstring(card_svg(Card("10H"))).iter("text")]
    assert texts == ["10", "10"]


def test_a_player_called_like_a_tag_stays_text() -> None:
    element = ElementTree.fromstring(f"<p>{safe('<b>Anna</b> & 9♥')}</p>")
    assert "".join(element.itertext()).replace("\ufe0e", "") == "<b>Anna</b> & 9♥"
    assert [child.tag for child in element] == ["span"]
