"""Puts a real table together: store, eyes, buttons, session, driver, page."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from cardtable.errors import BadSettings
from cardtable.lines import Printer
from cardtable.live import LiveDriver
from cardtable.plan import Plan
from cardtable.recorder import FolderRecorder
from cardtable.resumption import offers, restore
from cardtable.session import Session
from cardtable.settings import Settings
from cardtable.store import Store, StoredSession
from cardtable.watching import open_eyes

if TYPE_CHECKING:
    from hardware.sources import EdgeSource
    from vision.frames import FrameSource


def run_table(
    plan: Plan,
    settings: Settings,
    store: Store,
    *,
    stored: StoredSession | None,
    record: Path | None,
    headless: bool,
    json: bool,
    fresh: bool,
) -> None:
    """Referees `plan`, or goes on with `stored`, until Ctrl+C; unless `fresh`, the page offers broken-off sessions."""
    if headless and not (settings.camera or settings.buttons):
        raise BadSettings("without a page there must be a --camera, --buttons or a --recording; name one of them")
    session = _session(plan, settings, store, stored)
    if not fresh:
        session.offers = offers(store)
    with _sources(plan, settings) as (camera, buttons), _recorded(session, record):
        driver = LiveDriver(session, buttons=buttons, camera=camera)
        if headless or json:
            session.subscribe(Printer(settings.lang, is_json=json))
        _run(driver, settings, headless=headless)


def _session(plan: Plan, settings: Settings, store: Store, stored: StoredSession | None) -> Session:
    eyes = open_eyes(plan) if settings.camera else None
    if stored is None:
        return Session(plan, tracker=eyes, keeper=store.begin(plan))
    session = Session(stored.plan, tracker=eyes)
    session.go_on(*restore(store, stored))
    return session


@contextmanager
def _sources(plan: Plan, settings: Settings) -> Iterator[tuple[FrameSource | None, tuple[EdgeSource, ...]]]:
    """Camera and buttons; whatever was opened is closed if the next cannot be."""
    camera: FrameSource | None = None
    buttons: tuple[EdgeSource, ...] = ()
    try:
        if settings.camera:
            from vision.frames import open_camera  # noqa: PLC0415  (OpenCV is slow to import)

            camera = open_camera(settings.camera)
        if settings.buttons:
            from hardware.choose import open_buttons  # noqa: PLC0415

            buttons = tuple(open_buttons(settings.buttons, plan.setup.seats))
        yield camera, buttons
    finally:
        for source in (*buttons, *([camera] if camera else [])):
            source.close()


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


def _run(driver: LiveDriver, settings: Settings, *, headless: bool) -> None:
    driver.start()
    try:
        if headless:
            with _terminated_like_ctrl_c():
                driver.wait()
        else:
            from cardtable.page import serve  # noqa: PLC0415  (NiceGUI is slow to import)

            serve(driver, host=settings.host, port=settings.port, language=settings.lang)
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
