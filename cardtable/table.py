"""Puts a real table together: store, eyes, buttons, session, driver, page."""

from __future__ import annotations

import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from cardtable.calibration import calibration_for
from cardtable.errors import BadSettings
from cardtable.eyes import Eyes
from cardtable.lines import Printer
from cardtable.live import LiveDriver
from cardtable.loop import Loop
from cardtable.plan import Plan
from cardtable.recorder import FolderRecorder
from cardtable.resumption import offers, restore
from cardtable.seating import begin_seating
from cardtable.session import Session
from cardtable.settings import Output, Settings
from cardtable.store import Store, StoredSession
from cardtable.watching import open_eyes
from hardware.choose import is_seated_by_slaps, open_buttons
from hardware.lighting import open_lights, read_pins

if TYPE_CHECKING:
    from hardware.sources import EdgeSource
    from vision.frames import FrameSource
    from vision.troubles import Trouble


def new_session(plan: Plan, store: Store, *, is_offering: bool) -> Session:
    """A session from the beginning; when `is_offering`, the page offers to go on with a broken-off one instead."""
    session = Session(plan, keeper=store.begin(plan))
    session.offers = offers(store) if is_offering else ()
    return session


def old_session(stored: StoredSession, store: Store) -> Session:
    """A session that was broken off, after its last event; raises `BadStore` when its log makes no sense."""
    session = Session(stored.plan)
    session.go_on(*restore(store, stored))
    return session


def run_table(session: Session, settings: Settings, output: Output, *, is_dealt: bool = False) -> None:
    """Referees `session` with camera and buttons until Ctrl+C; if `is_dealt`, the deal is called done at once."""
    if output.is_headless and not (settings.camera or settings.buttons):
        raise BadSettings("without a page there must be a --camera, --buttons or a --recording; name one of them")
    if output.is_headless and settings.camera in ("phone", "photos"):
        raise BadSettings("a phone sends its pictures through the page; leave --headless out")
    with (
        _sources(session.plan, settings) as (camera, buttons),
        _lights(session, settings, buttons),
        _recorded(session, output.record),
    ):
        session.tracker = _eyes(session.plan, settings) if camera else None
        if is_seated_by_slaps(settings.buttons) or (settings.seating and buttons):
            begin_seating(session, settings.lang)
        driver = LiveDriver(session, buttons=buttons, camera=camera)
        driver.on_trouble = partial(_tell_trouble, language=settings.lang)
        if output.is_printed:
            session.subscribe(Printer(settings.lang, is_json=output.is_json))
        if is_dealt:
            driver.post(lambda session: session.call("dealt", who="host"))
        run_driver(driver, settings, is_headless=output.is_headless)
        session.settle()


def _eyes(plan: Plan, settings: Settings) -> Eyes:
    """Eyes that know by a picture whether the camera still stands as it was set up."""
    kept = calibration_for(settings) if plan.layout else None
    eyes = open_eyes(plan, reference=kept[1] if kept else None, camera=settings.camera)
    eyes.kept_in = settings.calibration
    return eyes


@contextmanager
def _sources(plan: Plan, settings: Settings) -> Iterator[tuple[FrameSource | None, tuple[EdgeSource, ...]]]:
    """Camera and buttons; whatever was opened is closed if the next cannot be."""
    camera: FrameSource | None = None
    buttons: tuple[EdgeSource, ...] = ()
    try:
        if settings.camera:
            from vision.cameras import open_camera  # noqa: PLC0415  (OpenCV is slow to import)

            camera = open_camera(settings.camera, mains_hz=settings.mains_hz)
        if settings.buttons:
            reserved = read_pins(settings.lamps, plan.setup.seats).values()
            buttons = open_buttons(settings.buttons, plan.setup.seats, reserved=tuple(reserved))
        yield camera, buttons
    finally:
        for button in buttons:
            button.close()
        if camera is not None:
            camera.close()


@contextmanager
def _lights(session: Session, settings: Settings, buttons: tuple[EdgeSource, ...]) -> Iterator[None]:
    """The lamps in the buttons and on pins show what the session says; a thread of their own writes them."""
    lamps = open_lights(settings.lamps, session.plan.setup.seats, buttons)
    session.buttons.lights = lamps
    if lamps is None:
        yield
        return
    lamps.start()
    try:
        yield
    finally:
        lamps.close()


@contextmanager
def _recorded(session: Session, folder: Path | None) -> Iterator[None]:
    if folder is None:
        yield
        return
    recorder = FolderRecorder(folder, session.plan)
    session.record(recorder)
    try:
        yield
    finally:
        recorder.close(at_ns=session.now_ns)


def run_driver(driver: Loop, settings: Settings, *, is_headless: bool = False) -> None:
    """Runs `driver`, with its page unless `is_headless`, until Ctrl+C or SIGTERM; raises what else has ended it."""
    with _watched_again(driver.session, is_headless=is_headless):
        _run_started(driver, settings, is_headless=is_headless)


@contextmanager
def _watched_again(session: Session, *, is_headless: bool) -> Iterator[None]:
    """Keeps the last minutes for a session whose pictures a page can show."""
    if is_headless or session.tracker is None:
        yield
        return
    from cardtable.proof.ring import VideoRing  # noqa: PLC0415  (OpenCV is slow to import)

    session.proof = ring = VideoRing()
    try:
        yield
    finally:
        ring.close()


def _tell_trouble(trouble: Trouble | None, language: str) -> None:
    """On the terminal, for whoever has no page before him."""
    back = {"en": "the camera sends pictures again", "ru": "камера снова шлёт картинку"}
    print(trouble.tell(language) if trouble else back[language], file=sys.stderr, flush=True)


def _run_started(driver: Loop, settings: Settings, *, is_headless: bool) -> None:
    driver.start()
    try:
        if is_headless:
            with _terminated_like_ctrl_c():
                driver.wait()
        else:
            from cardtable.page import serve  # noqa: PLC0415  (NiceGUI is slow to import)

            driver.on_failure = interrupt_main  # a page without a session behind it would only look alive
            serve(
                driver,
                host=settings.host,
                port=settings.port,
                language=settings.lang,
                certificate=settings.certificate,
            )
    except KeyboardInterrupt:
        pass
    finally:
        driver.stop()
    if driver.failure is not None:
        raise driver.failure


@contextmanager
def _terminated_like_ctrl_c() -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
