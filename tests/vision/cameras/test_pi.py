"""The Raspberry Pi's camera, with a picamera2 that gives what the real one was reported to give."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from vision.cameras import pi
from vision.cameras.pi import PiCamera
from vision.troubles import NoCamera

MS = 1_000_000
NOW_NS = 7_000_000 * MS
EXPOSURE_US = 12_000


class Request:
    """One picture, and what libcamera says of it."""

    def __init__(self, stamp_ns: int) -> None:
        self.stamp_ns, self.is_released = stamp_ns, False

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main"
        return np.full((24, 32, 3), 120, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        found = {"AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "LensPosition": 1.25}
        return {"SensorTimestamp": self.stamp_ns, "ExposureTime": EXPOSURE_US, **found}

    def release(self) -> None:
        self.is_released = True


class Picamera2:
    """As much of it as is used."""

    asleep_ns = 0
    opened: ClassVar[list[Picamera2]] = []
    camera_controls = dict.fromkeys(
        ("AeEnable", "AwbEnable", "AeFlickerMode", "AeFlickerPeriod", "ExposureTime", "AnalogueGain", "ColourGains")
    )

    def __init__(self, number: int) -> None:
        self.set: dict[str, Any] = {}
        self.requests: list[Request] = []
        self.opened.append(self)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": 0}]

    def create_video_configuration(self, **how: Any) -> dict[str, Any]:
        return how

    def configure(self, how: dict[str, Any]) -> None:
        self.how = how

    def set_controls(self, values: dict[str, Any]) -> None:
        assert values.keys() <= self.camera_controls.keys(), "libcamera refuses what this camera lacks"
        self.set |= values

    def start(self) -> None:
        pass

    def capture_request(self) -> Request:
        self.requests.append(Request(NOW_NS - 20 * MS + self.asleep_ns))
        return self.requests[-1]

    def close(self) -> None:
        pass


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    module = ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(Picamera2, "opened", [])
    return Picamera2


@pytest.mark.parametrize("asleep_s", [0, 3600], ids=["monotonic", "since-boot-with-an-hour-of-sleep"])
def test_picamera2_849_the_sensors_stamp_is_brought_to_our_clock(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch, asleep_s: int
) -> None:
    asleep_ns = asleep_s * 1_000_000_000
    clocks = SimpleNamespace(
        CLOCK_BOOTTIME=7, clock_gettime_ns={7: NOW_NS + asleep_ns}.__getitem__, monotonic_ns=lambda: NOW_NS
    )
    monkeypatch.setattr(pi, "time", clocks)
    monkeypatch.setattr(picamera2, "asleep_ns", asleep_ns)
    shot = PiCamera("pi", lambda: NOW_NS, 50)().read()
    assert shot is not None
    assert shot.t_ns == NOW_NS - 20 * MS + EXPOSURE_US * 1000 // 2
    assert shot.within_ns >= EXPOSURE_US * 1000 // 2
    assert picamera2.opened[0].requests[0].is_released


def test_flicker_is_avoided_and_what_was_found_is_kept(picamera2: type[Picamera2]) -> None:
    device = PiCamera("pi", lambda: NOW_NS, 60)()
    camera = picamera2.opened[0]
    assert camera.set == {"AeEnable": True, "AwbEnable": True, "AeFlickerMode": 1, "AeFlickerPeriod": 8333}
    device.read()
    device._controls.lock()
    assert camera.set["AeEnable"] is camera.set["AwbEnable"] is False
    assert camera.set["ExposureTime"] == 8333
    assert camera.set["ColourGains"] == (1.5, 1.7)
    assert camera.how["buffer_count"] >= 2


def test_a_camera_that_is_not_there_lists_what_there_is(picamera2: type[Picamera2]) -> None:
    with pytest.raises(NoCamera, match=r"no camera pi:1; cameras here: pi:0 \(imx708\)"):
        PiCamera("pi:1", lambda: NOW_NS, 50)()


def test_without_picamera2_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(NoCamera, match="apt install python3-picamera2"):
        PiCamera("pi", lambda: NOW_NS, 50)()
