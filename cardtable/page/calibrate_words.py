"""The camera page's own words in English and Russian."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    "title": ("Camera and table", "Камера и стол"),
    "no-camera": (
        "No camera is in use; start with --camera, e.g. --camera 0.",
        "Камера не подключена; запустите с --camera, например --camera 0.",
    ),
    "by-markers": ("Find the mat", "Найти коврик"),
    "by-cards": ("Four cards on the corners", "Четыре карты на углах"),
    "by-hand": ("Tap the corners", "Отметить углы"),
    "width": ("Edge at seat A, mm", "Край у места A, мм"),
    "depth": ("Other edge, mm", "Другой край, мм"),
    "use-corners": ("These are the corners", "Это углы стола"),
    "turn": ("Seat A sits elsewhere ↻", "Место A не там ↻"),
    "zones-back": ("Put zones back", "Вернуть зоны"),
    "keep": ("Keep and use", "Сохранить"),
    "tap-first": (
        "Tap the corner at seat A's left hand, then the other three. Marks can be dragged.",
        "Коснитесь угла слева от места A, затем трёх остальных. Метки можно двигать.",
    ),
    "tap-next": ("Corners left: {left}.", "Осталось углов: {left}."),
    "drag-zones": ("Drag zones, or their round corners.", "Зоны и их круглые углы можно двигать."),
    "bare-table": (
        "This table is too bare to notice by that it is moved: lay the printed markers on it.",
        "Стол слишком гладкий: если его сдвинут, это не заметить. Положите на него печатные метки.",
    ),
    "looking": ("Looking …", "Ищу …"),
    "kept": ("Kept; used from now on", "Сохранено, действует с этой минуты"),
    "used": ("Used in this session", "Действует в этой игре"),
}


def say(language: str, key: str, **values: object) -> str:
    """The words for `key` in `en` or `ru`."""
    return _WORDS[key][language == "ru"].format(**values)
