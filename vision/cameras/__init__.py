"""Where pictures come from: USB and Raspberry Pi cameras, network streams, phones, video files, folders.

    source = open_camera("0")
    while (frame := source.newest()) is None:
        ...

Every source hands out a frame once and never an old one in place of a newer; what nobody fetched in time is dropped.
"""

from vision.cameras.choose import PHONE, PHOTOS, open_camera, what_there_is
from vision.cameras.files import Stills, Video
from vision.cameras.live import LiveCamera
from vision.cameras.phone import PhoneCamera

__all__ = ["PHONE", "PHOTOS", "LiveCamera", "PhoneCamera", "Stills", "Video", "open_camera", "what_there_is"]
