"""Photographs from files: orientation, damage, what is reported, what is drawn."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from cardtable.simulated.cards import face
from engine.cards import Card
from vision.reader import Reader, UnreadablePicture
from vision.reader.photos import draw_photo, load_picture, read_photo


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    picture = np.full((600, 800, 3), (80, 70, 60), np.uint8)
    picture[80:520, 200:515] = cv2.resize(face(Card("10D")), (315, 440), interpolation=cv2.INTER_AREA)
    path = tmp_path / "десятка.jpg"
    path.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    return path


def turned_by_exif(data: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF segment that gives only its orientation (Exif 2.32, §4.6.4, tag 0x0112)."""
    entry = b"\x01\x12" + b"\x00\x03" + b"\x00\x00\x00\x01" + orientation.to_bytes(2, "big") + b"\x00\x00"
    body = b"Exif\x00\x00" + b"MM\x00\x2a\x00\x00\x00\x08" + b"\x00\x01" + entry + b"\x00\x00\x00\x00"
    return data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]


def test_a_photo_is_reported_as_card_certainty_and_box(reader: Reader, photo: Path) -> None:
    result = read_photo(reader, photo)
    (seen,) = result["cards"]
    assert result["photo"] == str(photo)
    assert result["ms"] > 0
    assert seen["card"] == "10D"
    assert seen["sure"] > 0.9
    x, y, width, height = seen["box"]
    assert x >= 0
    assert y >= 0
    assert x + width <= 800
    assert y + height <= 600
    outline = np.array(seen["outline"])
    assert outline.min(axis=0) == pytest.approx([200, 80], abs=20)
    assert outline.max(axis=0) == pytest.approx([515, 520], abs=20)


def test_exif_orientation_is_applied(photo: Path) -> None:
    photo.write_bytes(turned_by_exif(photo.read_bytes(), 6))
    assert load_picture(photo).shape == (800, 600, 3)


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe0 cut short"])
def test_a_damaged_picture_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.jpg"
    path.write_bytes(content)
    with pytest.raises(UnreadablePicture, match=r"broken\.jpg is no picture"):
        load_picture(path)


def test_a_missing_picture_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture, match="cannot open"):
        load_picture(tmp_path / "absent.jpg")


def test_the_annotated_picture_differs_where_the_card_lies(reader: Reader, photo: Path, tmp_path: Path) -> None:
    draw_photo(reader, photo, tmp_path / "drawn")
    drawn = load_picture(tmp_path / "drawn" / "десятка.png")
    changed = np.abs(drawn.astype(int) - load_picture(photo)).max(axis=2) > 40
    assert changed[:, 180:560].sum() > 200
    assert not changed[:, 620:].any()
