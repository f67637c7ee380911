"""A USB camera is known by what it is. The kernel's and udev's trees are laid out in a folder as they are on a PC."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.cameras import usb
from vision.cameras.usb import find_camera, list_cameras
from vision.troubles import NoCamera


class Computer:
    """`/dev`, `/sys/class/video4linux` and `/dev/v4l/by-id` in a folder; nodes are plain files."""

    def __init__(self, root: Path) -> None:
        self.root, self.dev, self.sys, self.links = root, root / "dev", root / "class", root / "dev/v4l/by-id"
        for folder in (self.dev, self.sys, self.links):
            folder.mkdir(parents=True)

    def plug(self, number: int, *, port: str, name: str, serial: str = "", link: str = "") -> None:
        """A webcam; the kernel gives it `number`."""
        device = self.root / "devices" / port
        interface = device / f"{port}:1.0"
        for folder, texts in (
            (device, {"idVendor": "046d", "idProduct": "082d"} | ({"serial": serial} if serial else {})),
            (interface / "video4linux" / f"video{number}", {"name": name, "index": "0"}),
        ):
            folder.mkdir(parents=True, exist_ok=True)
            for file, text in texts.items():
                (folder / file).write_text(f"{text}\n")
        node = interface / "video4linux" / f"video{number}"
        (node / "device").symlink_to(interface)
        (self.sys / f"video{number}").symlink_to(node)
        (self.dev / f"video{number}").touch()
        if link:
            (self.links / link).unlink(missing_ok=True)
            (self.links / link).symlink_to(self.dev / f"video{number}")

    def pull(self, number: int) -> None:
        """Out it goes."""
        (self.sys / f"video{number}").unlink()
        (self.dev / f"video{number}").unlink()


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    computer = Computer(tmp_path)
    for name, path in (("DEV", computer.dev), ("SYS", computer.sys), ("LINKS", computer.links)):
        monkeypatch.setattr(usb, name, path)
    return computer


def again(opener: usb.UsbCamera) -> str:
    return opener.find().node.name


def test_a_camera_that_comes_back_at_another_port_under_another_number_is_the_same(computer: Computer) -> None:
    computer.plug(0, port="1-1", name="HD Pro Webcam C920", serial="A1B2")
    opener = usb.UsbCamera("0", lambda: 0, 50)
    computer.pull(0)
    with pytest.raises(NoCamera, match="there is no camera 0"):
        opener.find()
    computer.plug(4, port="2-3", name="HD Pro Webcam C920", serial="A1B2")
    assert again(opener) == "video4"


def test_another_camera_under_the_old_number_is_not_taken_for_it(computer: Computer) -> None:
    computer.plug(0, port="1-1", name="HD Pro Webcam C920", serial="A1B2")
    opener = usb.UsbCamera("0", lambda: 0, 50)
    computer.pull(0)
    computer.plug(0, port="1-2", name="Laptop camera")
    with pytest.raises(NoCamera, match="Laptop camera"):
        opener.find()


def test_of_twins_without_serial_numbers_the_one_in_the_same_port_is_meant(computer: Computer) -> None:
    computer.plug(0, port="1-1", name="Cheap camera")
    computer.plug(1, port="1-2", name="Cheap camera")
    opener = usb.UsbCamera("1", lambda: 0, 50)
    computer.pull(0)
    computer.pull(1)
    computer.plug(2, port="1-1", name="Cheap camera")
    computer.plug(3, port="1-2", name="Cheap camera")
    assert again(opener) == "video3"


def test_a_camera_is_listed_with_its_lasting_name(computer: Computer) -> None:
    computer.plug(10, port="1-1", name="HD Pro Webcam C920", link="usb-046d_C920-video-index0")
    computer.plug(2, port="1-2", name="Laptop camera")
    laptop, webcam = list_cameras()
    assert str(laptop) == f"{computer.dev}/video2 (Laptop camera)"
    assert str(webcam) == f"{computer.links}/usb-046d_C920-video-index0 (HD Pro Webcam C920)"
    assert find_camera(str(computer.links / "usb-046d_C920-video-index0")) == webcam
    assert find_camera("c920") == webcam


def test_a_name_that_fits_two_cameras_is_asked_back(computer: Computer) -> None:
    computer.plug(0, port="1-1", name="Cheap camera")
    computer.plug(1, port="1-2", name="Cheap camera")
    with pytest.raises(NoCamera, match="more than one camera is called 'cheap'"):
        find_camera("cheap")


def test_a_camera_without_permission_names_the_group(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    computer.plug(0, port="1-1", name="HD Pro Webcam C920")

    def refuse(path: Path, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    opener = usb.UsbCamera("0", lambda: 0, 50)
    monkeypatch.setattr("os.open", refuse)  # the tests may run as root, to whom nothing is denied
    with pytest.raises(NoCamera, match=rf"usermod -aG {(computer.dev / 'video0').group()} "):
        opener()


MS = 1_000_000
GAP_NS = 33 * MS


def test_a_picture_that_waited_three_seconds_in_the_driver_is_not_stamped_as_of_now() -> None:
    stamps = usb.Stamps()
    stamps.read(10_000 * MS, 10_020 * MS)
    assert stamps.read(10_033 * MS, 13_000 * MS)[0] == 10_033 * MS
    assert stamps.read(12_990 * MS, 13_010 * MS)[0] == 12_990 * MS


@pytest.mark.parametrize("ahead_ns", [1_700_000_000_000 * MS, -9_000 * MS], ids=["wall-clock", "behind"])
def test_a_driver_that_stamps_with_another_clock_gets_the_moment_of_coming(ahead_ns: int) -> None:
    stamps = usb.Stamps()
    for now_ns in range(10_000 * MS, 12_000 * MS, GAP_NS):
        t_ns, within_ns = stamps.read(now_ns + ahead_ns, now_ns)
        assert t_ns == now_ns
        assert within_ns > GAP_NS


def test_a_driver_whose_clock_leaves_ours_in_mid_game_is_believed_no_longer_than_it_has_buffers() -> None:
    stamps = usb.Stamps()
    stamps.read(10_000 * MS, 10_020 * MS)
    ages = [now_ns - stamps.read(now_ns - 60_000 * MS, now_ns)[0] for now_ns in range(70_000 * MS, 72_000 * MS, GAP_NS)]
    assert sum(age > 0 for age in ages) == 8
    assert ages[-1] == 0
