"""What is printed on the mat, in English and Russian."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    "title": (
        "Table mat, {width} × {height} mm, {count} sheets",
        "Игровой коврик {width} × {height} мм, листов: {count}",
    ),
    "steps": (
        "1. Print all sheets at 100 % (“actual size”). The bar below must be 100 mm long.\n"
        "2. Cut each sheet along its dashed lines: that is its right and its lower edge, where a neighbour follows.\n"
        "3. Lay the cut edge on the neighbour's hatched margin, so that the drawings meet, and glue it.\n"
        "4. Lay the mat flat, letter A towards the first player. All four black markers must stay visible.",
        "1. Напечатайте все листы в масштабе 100 % («реальный размер»). Отрезок внизу должен быть ровно 100 мм.\n"
        "2. Обрежьте каждый лист по пунктиру: справа и снизу, где к нему примыкает соседний.\n"
        "3. Положите обрезанный край на заштрихованное поле соседа, чтобы рисунок сошёлся, и приклейте.\n"
        "4. Положите коврик ровно, буквой A к первому игроку. Все четыре чёрные метки должны быть видны.",
    ),
    "sheet": (
        "sheet {number} of {count} · column {column}, row {row}",
        "лист {number} из {count} · столбец {column}, ряд {row}",
    ),
    "scale": ("{length} mm", "{length} мм"),
    "loose": (
        "Cut along the dashed lines; lay each marker flat on the table's corner shown below it (A: first player).",
        "Вырежьте по пунктиру и положите каждую метку на угол стола, показанный под ней (A: первый игрок).",
    ),
    "full-size": ("Print at 100 % (“actual size”).", "Печатайте в масштабе 100 % («реальный размер»)."),
}
_ZONES: dict[str, tuple[str, str]] = {
    "pile": ("pile", "стопка"),
    "trick": ("", ""),
    "widow": ("widow", "прикуп"),
    "stock": ("stock", "колода"),
    "discard": ("discard", "сброс"),
    "show": ("show", "показ"),
    "seat": ("", ""),
}


def say(language: str, key: str, **values: object) -> str:
    """The words for `key` in `en` or `ru`."""
    return _WORDS[key][language == "ru"].format(**values)


def zone_name(language: str, name: str) -> str:
    """A zone's name for people: its kind, and the seat whose it is."""
    kind, _, seat = name.partition("-")
    return f"{_ZONES[kind][language == 'ru']} {seat}".strip()
