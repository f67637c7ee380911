"""What can be wrong with a camera, as values that turn into one sentence in English or Russian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.errors import TableError


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why no good pictures come from a camera at present."""

    code: str
    """Stable, one of the keys in `sentences()`."""
    camera: str
    """What the person calls the camera."""
    details: Mapping[str, object] = field(default_factory=dict, compare=False)
    """What else the sentence names; two troubles that differ only here are the same trouble."""
    there: tuple[str, ...] | None = None
    """The cameras that there are instead; None: the sentence doesn't list them."""

    def tell(self, language: str = "en") -> str:
        """One sentence: what is wrong and what to do."""
        words = _SENTENCES.get(language, _SENTENCES["en"])
        sentence = words[self.code].format(camera=self.camera, **self.details)
        return sentence if self.there is None else f"{sentence}; {tell_cameras(self.there, language)}"


class NoCamera(TableError):
    """There is no picture to be had from what was named as camera."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.tell())
        self.trouble = trouble


def tell_cameras(cameras: tuple[str, ...], language: str = "en") -> str:
    """The cameras of this machine as part of a sentence."""
    words = _SENTENCES.get(language, _SENTENCES["en"])
    return words["cameras"].format(cameras=", ".join(cameras)) if cameras else words["no-cameras"]


def sentences() -> Mapping[str, Mapping[str, str]]:
    """Every sentence by language, for the test that none is missing."""
    return _SENTENCES


_SENTENCES = {
    "en": {
        "cameras": "cameras here: {cameras}",
        "no-cameras": "this machine shows no camera; plug one in or name a file",
        "missing": "there is no camera {camera}",
        "nothing-so-called": "there is no camera, file or folder called {camera!r}",
        "several": "more than one camera is called {camera!r}; name one of them in full",
        "not-a-camera": "{camera} is no camera that gives pictures",
        "denied": "no permission to use the camera {camera}; add yourself to its group with "
        "sudo usermod -aG {group} $USER and log in again",
        "busy": "the camera {camera} is in use by {program}; close that program",
        "busy-unknown": "the camera {camera} is in use by another program; close it",
        "unopened": "the camera {camera} cannot be opened ({reason})",
        "unreachable": "the camera {camera} cannot be reached; check the address and that the other end is sending",
        "silent": "the camera {camera} sends no picture; check its cable, or close what else may be using it",
        "stopped": "the camera {camera} sends no pictures any more; check its cable",
        "unplugged": "the camera {camera} is gone; plug it in again, it is taken up by itself",
        "late": "the pictures of the camera {camera} come more than half a second late; bring it nearer to the network",
        "frozen": "the camera {camera} keeps sending the very same picture; unplug it and plug it in again",
        "black": "the camera {camera} sends a black picture; take its cover off or switch the light on",
        "size": "the camera {camera} now sends pictures of {now} instead of {before} pixels; turn or set it back",
        "needs-picamera2": "the Raspberry Pi's camera needs picamera2; sudo apt install python3-picamera2",
        "no-phone": "no phone sends pictures yet; open this page's /camera on the phone",
        "phone-gone": "the phone sends no pictures any more; wake it and open this page's /camera again",
    },
    "ru": {
        "cameras": "здесь есть камеры: {cameras}",
        "no-cameras": "на этом компьютере камер не видно; подключите камеру или назовите файл",
        "missing": "камеры {camera} нет",
        "nothing-so-called": "нет ни камеры, ни файла, ни папки с именем {camera!r}",
        "several": "под имя {camera!r} подходит несколько камер; назовите одну из них полностью",
        "not-a-camera": "{camera} — не камера, картинок от неё не бывает",
        "denied": "нет прав на камеру {camera}; добавьте себя в её группу командой "
        "sudo usermod -aG {group} $USER и войдите заново",
        "busy": "камеру {camera} занимает программа {program}; закройте её",
        "busy-unknown": "камеру {camera} занимает другая программа; закройте её",
        "unopened": "камера {camera} не открывается ({reason})",
        "unreachable": "до камеры {camera} не достучаться; проверьте адрес и что другая сторона передаёт",
        "silent": "камера {camera} не шлёт картинку; проверьте кабель и закройте другие программы с камерой",
        "stopped": "камера {camera} перестала слать картинку; проверьте кабель",
        "unplugged": "камера {camera} пропала; подключите её снова, она подхватится сама",
        "late": "картинки камеры {camera} опаздывают больше чем на полсекунды; поднесите её ближе к сети",
        "frozen": "камера {camera} шлёт одну и ту же картинку; отключите её и подключите снова",
        "black": "камера {camera} шлёт чёрную картинку; снимите крышку или включите свет",
        "size": "камера {camera} шлёт теперь картинки {now} вместо {before} точек; поверните или настройте её обратно",
        "needs-picamera2": "для камеры Raspberry Pi нужен picamera2; установите: sudo apt install python3-picamera2",
        "no-phone": "телефон ещё не шлёт картинку; откройте на нём страницу /camera",
        "phone-gone": "телефон перестал слать картинку; разбудите его и снова откройте страницу /camera",
    },
}
