"""What can be wrong about where the table is, each in a sentence, in English and Russian."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    "on-one-line": (
        "the camera's position cannot be: the four points lie on one line; mark them again",
        "такого положения камеры не бывает: точки лежат на одной прямой; отметьте углы заново",
    ),
    "too-few-points": (
        "the camera's position needs at least four marked points; mark the table's corners",
        "нужно не меньше четырёх точек; отметьте углы стола",
    ),
    "not-a-corner": (
        "one of the four points lies between the others, so it is no corner of the table; mark the corners again",
        "одна из точек лежит между остальными, это не угол стола; отметьте углы заново",
    ),
    "points-too-near": (
        "two of the points are only {gap} px apart; mark four different corners",
        "две точки стоят почти рядом ({gap} пикс.); отметьте четыре разных угла",
    ),
    "no-such-table": (
        "a table of {width} × {height} mm cannot look like that through any camera; check its size and the corners",
        "стол {width} × {height} мм так выглядеть не может; проверьте размеры и углы",
    ),
    "point-outside": (
        "a corner was marked outside the picture; move the camera until it sees all four",
        "угол отмечен за краем картинки; поверните камеру так, чтобы были видны все четыре",
    ),
    "behind-camera": (
        "that would put a part of the table behind the camera; mark the corners again",
        "так часть стола оказалась бы позади камеры; отметьте углы заново",
    ),
    "pile-too-small": (
        "the pile zone is smaller than a card; make it larger",
        "место для стопки меньше карты; увеличьте его",
    ),
    "pile-outside": (
        "the pile zone lies outside the camera's picture; move the zone or the camera",
        "место для стопки не попадает в кадр; передвиньте его или камеру",
    ),
    "scale-impossible": (
        "{scale} px for a millimetre of table cannot be; give the width in view again",
        "{scale} пикс. на миллиметр стола не бывает; укажите размеры заново",
    ),
    "no-size": (
        "picture and table must be larger than nothing; give the width in view in mm, e.g. 1000",
        "размеры картинки и стола должны быть больше нуля; укажите ширину в мм, например 1000",
    ),
    "damaged": (
        "the table's layout is incomplete or damaged; set the camera up again",
        "описание стола неполно или испорчено; настройте камеру заново",
    ),
    "no-markers": (
        "no marker can be seen; lay the mat flat in the camera's view, in good light, or tap the corners",
        "не видно ни одной метки; положите коврик ровно перед камерой, при хорошем свете, или отметьте углы пальцем",
    ),
    "few-markers": (
        "only {seen} of the four markers can be seen; uncover the others and turn the camera until it sees all four",
        "видно меток: {seen} из четырёх; откройте остальные и поверните камеру так, чтобы видела все",
    ),
    "markers-mixed": (
        "the markers come from different mats; leave only one mat's on the table",
        "метки от разных ковриков; оставьте на столе метки только одного",
    ),
    "markers-crooked": (
        "the markers do not fit a flat mat: they lie up to {off} mm off; flatten it and check its joints",
        "метки не складываются в ровный коврик: отклонение до {off} мм; разгладьте его и проверьте склейку",
    ),
    "few-cards": (
        "{seen} lone cards can be seen, not four; lay one face up on each corner of the table, apart from all others",
        "видно отдельных карт: {seen}, а нужно четыре; положите по одной лицом вверх на каждый угол стола",
    ),
    "cards-crooked": (
        "the cards do not fit one flat table: they lie up to {off} mm off; use four flat cards of 63 × 88 mm",
        "карты не складываются в ровный стол: отклонение до {off} мм; нужны ровные карты 63 × 88 мм",
    ),
    "other-size": (
        "the camera was set up at {then} px and now gives {now} px; set it up again",
        "камера настроена при {then} пикс., а теперь даёт {now} пикс.; настройте её заново",
    ),
    "table-too-small": (
        "a table of {width} × {height} mm has no room for the pile; give its size in mm, e.g. 900x900",
        "на столе {width} × {height} мм стопке не хватит места; укажите размеры в мм, например 900x900",
    ),
}

CODES = tuple(_WORDS)
"""Everything that can be wrong."""


def say(language: str, code: str, **values: object) -> str:
    """The sentence for `code` in `en` or `ru`."""
    return _WORDS[code][language == "ru"].format(**values)
