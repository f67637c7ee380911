"""The Raspberry Pi's own camera, through picamera2; imported only when such a camera is opened."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from vision.cameras.live import Shot
from vision.cameras.settling import Settling
from vision.cameras.usb_controls import whole_periods
from vision.frames import Clock
from vision.troubles import NoCamera, Trouble

SIZE, RATE = (1920, 1080), 30
_GAP_NS = 1_000_000_000 // RATE


class PiCamera:
    """Opens camera `number` again and again; a callable for `LiveCamera`."""

    def __init__(self, spec: str, clock: Clock, mains_hz: int) -> None:
        """`spec` is `pi`, or `pi:1` for the second camera."""
        number = spec.partition(":")[2] or "0"
        if not number.isdecimal():
            raise NoCamera(Trouble("missing", spec))
        self._spec, self._number, self._clock, self._mains_hz = spec, int(number), clock, mains_hz

    def __call__(self) -> PiDevice:
        """The camera; raises `NoCamera` where picamera2 or the camera is missing."""
        try:
            from picamera2 import Picamera2  # noqa: PLC0415
        except ImportError:
            raise NoCamera(Trouble("needs-picamera2", self._spec)) from None
        there = tuple(f"pi:{camera['Num']} ({camera['Model']})" for camera in Picamera2.global_camera_info())
        if self._number >= len(there):
            raise NoCamera(Trouble("missing", self._spec, there=there))
        try:
            camera = Picamera2(self._number)
        except RuntimeError as error:
            raise NoCamera(Trouble("unopened", self._spec, {"reason": str(error)})) from None
        return PiDevice(camera, self._clock, self._mains_hz)


class PiDevice:
    """A running camera; pictures carry the sensor's own stamps."""

    def __init__(self, camera: Any, clock: Clock, mains_hz: int) -> None:
        self._camera, self._clock = camera, clock
        # RGB888 is libcamera's name for what OpenCV calls BGR; with one buffer every other picture would be lost.
        main = {"size": SIZE, "format": "RGB888"}
        camera.configure(camera.create_video_configuration(main=main, buffer_count=4, controls={"FrameRate": RATE}))
        self._controls = PiControls(camera, mains_hz)
        camera.start()
        self._settling = Settling(self._controls)

    def read(self) -> Shot | None:
        """The next picture; None when the camera has stopped."""
        try:
            request = self._camera.capture_request()
        except RuntimeError:
            return None
        try:
            picture, metadata = np.asarray(request.make_array("main"), dtype=np.uint8), request.get_metadata()
        finally:
            request.release()
        self._controls.found = metadata
        shot = Shot(picture, *self._stamp(metadata))
        self._settling.see(shot.picture, shot.t_ns)
        return shot

    def close(self) -> None:
        """Stops the camera."""
        self._camera.close()

    def _stamp(self, metadata: dict[str, Any]) -> tuple[int, int]:
        """The middle of the exposure. The sensor stamps its beginning, counted since boot: sleep included."""
        now_ns, sensor_ns = self._clock(), int(metadata.get("SensorTimestamp", 0))
        asleep_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
        exposure_ns = 1000 * int(metadata.get("ExposureTime", 0))
        for begun_ns in (sensor_ns, sensor_ns - asleep_ns):
            if 0 <= now_ns - begun_ns < 2_000_000_000:
                return begun_ns + exposure_ns // 2, exposure_ns // 2 + _GAP_NS
        return now_ns, 2 * _GAP_NS


class PiControls:
    """libcamera's controls."""

    def __init__(self, camera: Any, mains_hz: int) -> None:
        self._camera, self._mains_hz = camera, mains_hz
        self.found: dict[str, Any] = {}
        """What the camera said with its last picture."""

    def start(self) -> None:
        """Everything automatic, exposures in whole pulses of the lamps."""
        # AeFlickerMode 1: we say the period, in µs. AfMode 2: focus all the time.
        self._set(AeEnable=True, AwbEnable=True, AeFlickerMode=1, AeFlickerPeriod=500_000 // self._mains_hz, AfMode=2)

    def lock(self) -> None:
        """Exposure, gains, colours and focus as they are."""
        exposure_us = whole_periods(int(self.found["ExposureTime"]), self._mains_hz)
        self._set(AeEnable=False, ExposureTime=exposure_us, AnalogueGain=self.found["AnalogueGain"])
        self._set(AwbEnable=False, ColourGains=self.found["ColourGains"])
        self._set(AfMode=0, LensPosition=self.found.get("LensPosition"))

    def close(self) -> None:
        """Nothing to let go of: the camera is closed by its device."""

    def _set(self, **values: Any) -> None:
        known = self._camera.camera_controls
        self._camera.set_controls({name: values[name] for name in values.keys() & known if values[name] is not None})
