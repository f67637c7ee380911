"""A phone's browser as camera, and a ruling watched again, in a real Chromium with a camera of its own making."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import pytest
from playwright.sync_api import Browser

from tests.page.conftest import CHROMIUM, FLAGS, PHONE, Open, Program, Window

pytestmark = pytest.mark.browser

FILMED = Path(__file__).parent / "filmed.py"
CAMERA_FLAGS = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
PATIENCE_S = 60


class Filmed(Program):
    """A served table; `seen` is what its tracker was shown last."""

    def __init__(self, kind: str, note: Path, *more: str) -> None:
        self._note = note
        super().__init__(str(FILMED), "PORT", kind, str(note), *more)

    def seen(self, **wanted: Any) -> dict[str, Any]:
        """Waits for a picture like that."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                seen: dict[str, Any] = json.loads(self._note.read_text())
                if all(seen[key] == value for key, value in wanted.items()):
                    return seen
            except (OSError, ValueError):
                pass  # nothing yet, or half of a line
            assert time.monotonic() < end, f"no picture like {wanted} came"
            time.sleep(0.05)


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filmed]:
    filmed = Filmed("phone", tmp_path_factory.mktemp("phone") / "seen.json")
    yield filmed
    filmed.kill()


@pytest.fixture(scope="module")
def own_browser(browser: Browser) -> Iterator[Browser]:
    """Chromium with a camera that it draws itself."""
    assert browser.is_connected()
    with_camera = browser.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, *CAMERA_FLAGS])
    yield with_camera
    with_camera.close()


def test_a_phones_pictures_reach_the_tracker_with_their_moments(phone: Filmed, own_browser: Browser) -> None:
    window = Window(own_browser, phone, "/camera", size=PHONE, language="en")
    window.wait_for(".title", "This phone as the table's camera")
    window.tap(".camera-start")
    window.wait_for(".camera-note", "pictures a second, each good to")
    first = phone.seen()
    assert first["shape"][0] >= 480
    assert first["mean"] > 20, "the browser's own camera is colourful"
    assert 0 < first["within_ms"] < 400
    end = time.monotonic() + PATIENCE_S
    while phone.seen()["t_ns"] - first["t_ns"] < 500_000_000:
        assert time.monotonic() < end, "it did not go on"
        time.sleep(0.05)
    window.close()


def test_a_phone_that_leaves_is_told_on_the_page(phone: Filmed, own_browser: Browser, look_at: Open) -> None:
    window = Window(own_browser, phone, "/camera", size=PHONE, language="en")
    window.tap(".camera-start")
    window.wait_for(".camera-note", "pictures a second")
    host = look_at(phone, "/host", size=PHONE, language="ru")
    window.close()
    host.wait_for(".lost", "Телефон перестал слать картинку")


def test_without_https_the_page_says_so_and_what_can_be_done(phone: Filmed, own_browser: Browser) -> None:
    """Another name of this machine than localhost is no secure origin."""
    context = own_browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto(phone.url + "/camera")
    page.locator(".camera-note", has_text="--camera photos").wait_for(timeout=20_000)
    assert not page.locator(".camera-start").is_visible()
    context.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_with_a_certificate_of_ones_own_a_phone_is_a_camera_over_the_network(
    tmp_path: Path, own_browser: Browser
) -> None:
    """As docs/cameras.md says it is made. (Pictures reach the tracker over the encrypted connection.)"""
    pem = tmp_path / "table.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=cardtable"]
    subprocess.run([*made, "-keyout", str(pem), "-out", str(pem)], check=True, capture_output=True)
    filmed = Filmed("phone", tmp_path / "seen.json", str(pem))
    context = own_browser.new_context(ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(filmed.url.replace("http:", "https:") + "/camera")
        assert page.evaluate("window.isSecureContext")
        page.locator(".camera-start").click(timeout=PATIENCE_S * 1000)
        assert filmed.seen()["shape"][0] >= 480
    finally:
        context.close()
        filmed.kill()


def test_a_ruling_is_watched_again_and_kept_as_a_file(phone: Filmed, look_at: Open, tmp_path: Path) -> None:
    host = look_at(phone, "/host", size=PHONE)
    host.tap(".line.fine", "Boris lays 3♦")
    host.tap(".sheet a", "Watch it again")
    video = host.page.locator("video")
    video.wait_for()
    host.page.wait_for_function("document.querySelector('video').readyState >= 2")
    assert video.evaluate("video => video.duration") == pytest.approx(2, abs=0.2)
    host.tap(".tap", "Slowly")
    host.page.wait_for_function("document.querySelector('video').playbackRate === 0.25")
    with host.page.expect_download() as saving:
        host.tap("a", "Keep the video")
    saving.value.save_as(tmp_path / "proof.mp4")
    with av.open(str(tmp_path / "proof.mp4")) as file:
        assert sum(1 for _ in file.decode(video=0)) > 20


def test_a_ruling_without_pictures_says_so(phone: Filmed, look_at: Open) -> None:
    window = look_at(phone, "/proof/99999", size=PHONE)
    window.page.locator(".proof p").wait_for(state="visible")
    assert "No picture of that moment is left" in window.page.locator(".proof p").inner_text()


def test_a_pile_is_photographed_by_hand_where_no_camera_is_given(
    look_at: Open, tmp_path: Path, photograph: Path
) -> None:
    filmed = Filmed("photos", tmp_path / "seen.json")
    try:
        window = look_at(filmed, "/camera", size=PHONE)
        window.wait_for("label", "Photograph the pile")
        window.page.locator(".camera-photo").set_input_files(photograph)
        window.wait_for(".camera-note", "Sent.")
        assert filmed.seen()["shape"] == [120, 160, 3]
        photograph.write_bytes(b"no picture")
        window.page.locator(".camera-photo").set_input_files(photograph)
        window.wait_for(".camera-note", "no picture that can be read")
    finally:
        filmed.kill()


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    cv2.imwrite(str(tmp_path / "pile.jpg"), np.full((120, 160, 3), 90, np.uint8))
    return tmp_path / "pile.jpg"
