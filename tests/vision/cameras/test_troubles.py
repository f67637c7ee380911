"""Every trouble has its one sentence in each language."""

from __future__ import annotations

import string

import pytest

from vision.troubles import Trouble, sentences, tell_cameras

ENGLISH = sentences()["en"]


@pytest.mark.parametrize("language", sorted(sentences()))
@pytest.mark.parametrize("code", sorted(ENGLISH))
def test_each_language_says_the_same_with_the_same_facts(code: str, language: str) -> None:
    facts = {name for _, name, _, _ in string.Formatter().parse(sentences()[language][code]) if name}
    assert facts == {name for _, name, _, _ in string.Formatter().parse(ENGLISH[code]) if name}
    details = dict.fromkeys(facts - {"camera", "cameras"}, "4")
    if "cameras" not in facts and code != "no-cameras":
        assert "\n" not in Trouble(code, "eye", details, ()).tell(language)


def test_cameras_are_listed_in_the_readers_language() -> None:
    assert tell_cameras(("/dev/video0 (C920)",), "ru") == "здесь есть камеры: /dev/video0 (C920)"
    assert Trouble("missing", "7", there=()).tell("ru").startswith("камеры 7 нет; на этом компьютере камер не видно")


def test_the_same_trouble_a_second_later_is_the_same() -> None:
    now, later = ({"now": size, "before": "64×48"} for size in ("48×64", "50×64"))
    assert Trouble("size", "0", now) == Trouble("size", "0", later)
