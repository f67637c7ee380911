"""What phones send: the newest of moving pictures, every one of the photographs."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras import PhoneCamera

SECOND = 1_000_000_000
NOW_NS = 100 * SECOND


def jpeg(level: int) -> bytes:
    noise = np.random.default_rng(level).integers(level - 5, level + 6, (48, 64, 3))
    return cv2.imencode(".jpg", noise.astype(np.uint8))[1].tobytes()


def levels(camera: PhoneCamera) -> list[int]:
    found = []
    while (frame := camera.newest()) is not None:
        found.append(round(float(frame.picture.mean()) / 10) * 10)
    return found


def test_of_moving_pictures_only_the_newest_is_decoded_and_seen() -> None:
    camera = PhoneCamera("phone", lambda: NOW_NS)
    for number, level in enumerate((60, 90, 120)):
        camera.put(jpeg(level), NOW_NS - SECOND // 10 + number, 1)
    assert levels(camera) == [120]


def test_a_picture_that_was_long_on_its_way_is_not_judged_by() -> None:
    camera = PhoneCamera("phone", lambda: NOW_NS)
    camera.put(jpeg(90), NOW_NS - 2 * SECOND, 1)
    assert levels(camera) == []


def test_no_photograph_is_lost_and_none_is_too_old() -> None:
    camera = PhoneCamera("photos", lambda: NOW_NS, stills=True)
    for number, level in enumerate((60, 90, 120)):
        camera.put(jpeg(level), NOW_NS - 9 * SECOND + number, 5 * SECOND)
    assert levels(camera) == [60, 90, 120]
    assert camera.trouble is None


def test_before_any_phone_has_come_it_says_what_to_do() -> None:
    trouble = PhoneCamera("phone", lambda: NOW_NS).trouble
    assert trouble is not None
    assert "/camera on the phone" in trouble.tell("en")


def test_what_is_no_picture_is_passed_over() -> None:
    camera = PhoneCamera("phone", lambda: NOW_NS)
    camera.put(b"no picture", NOW_NS, 1)
    assert camera.newest() is None
