"""The page on which a camera is set up: by markers, by cards, by four taps; then zones are dragged into place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
from fastapi import FastAPI, Response
from nicegui import run, ui
from nicegui.events import GenericEventArguments

from cardtable.arranging import Arrangement
from cardtable.calibration import Calibration, read_calibration, write_calibration
from cardtable.eyes import Eyes
from cardtable.page.calibrate_words import say
from cardtable.page.desk import Desk
from cardtable.page.feed import Feed
from cardtable.page.overlay import overlay_svg
from cardtable.page.pieces import button, markup
from cardtable.page.text import safe
from engine.errors import TableError
from vision.finding.told import describe
from vision.frames import Picture
from vision.layout import Layout

PICTURE_PATH = "/calibrate/picture"
_WIDTH_PX = 1280
_FRESH_S = 1.0
_FINGER = 0.03
"""How far a finger may miss, as a share of the picture's width."""
_WHERE = "(e) => {{ const r = e.currentTarget.getBoundingClientRect(); {more} \
emit([(e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height]) }}"


class CalibratePage:
    """One browser's work on the camera; made for a phone, fine on any screen."""

    def __init__(self, desk: Desk, eyes: Eyes | None, footer: Callable[[], None]) -> None:
        """Builds the page where NiceGUI stands; without `eyes` there is no camera to set up."""
        self._desk, self._eyes, self._say = desk, eyes, partial(say, desk.language)
        self._number = 0
        with ui.element("div").classes("host calibrate-page"):
            markup(self._say("title"), "section")
            if eyes is None:
                markup(safe(self._say("no-camera")), "now-drill")
            else:
                self._work = Arrangement(_known(eyes), eyes.plan.game, eyes.plan.setup.seats, eyes.camera)
                self._build(eyes)
            with ui.element("div").classes("dock"):
                footer()

    def _build(self, eyes: Eyes) -> None:
        self._hint = markup("", "hint")
        with ui.element("div").classes("view") as view:
            self._picture = ui.element("img").props(f'src="{PICTURE_PATH}" draggable=false')
            self._overlay = markup("", "overlay")
        for event, act in (("pointerdown", self._press), ("pointermove", self._drag), ("pointerup", self._release)):
            more = {
                "pointerdown": "e.currentTarget.setPointerCapture(e.pointerId);",
                "pointermove": "if (!e.buttons) return;",
            }
            view.on(
                event, act, js_handler=_WHERE.format(more=more.get(event, "")), throttle=0.05 if "move" in event else 0
            )
        with ui.element("div").classes("answers"):
            button(self._say("by-markers"), self._by_markers, "markers")
            button(self._say("by-cards"), self._by_cards, "cards")
            button(self._say("by-hand"), self._by_hand, "by-hand")
        self._by_hand_box = ui.element("div").classes("answers by-hand-box")
        with self._by_hand_box:
            self._width = ui.number(self._say("width"), value=900, min=100, max=5000).classes("width")
            self._depth = ui.number(self._say("depth"), value=900, min=100, max=5000).classes("depth")
            button(self._say("use-corners"), self._use_corners, "use-corners")
        self._found_box = ui.element("div").classes("answers found-box")
        with self._found_box:
            button(self._say("turn"), self._turn, "turn quiet")
            button(self._say("zones-back"), self._zones_back, "zones-back quiet")
            button(self._say("keep"), self._keep, "keep strong")
        ui.timer(_FRESH_S, self._freshen)
        self._refresh()

    # --- what the buttons do ---

    async def _by_markers(self) -> None:
        picture = self._shot()
        if picture is not None:
            await run.io_bound(self._work.find, picture)
            self._refresh()

    async def _by_cards(self) -> None:
        picture = self._shot()
        if picture is not None:
            self._hint.set_content(safe(self._say("looking")))
            await run.io_bound(self._work.find, picture, _by_cards)
            self._refresh()

    def _by_hand(self) -> None:
        self._work.begin_by_hand()
        self._refresh()

    def _use_corners(self) -> None:
        self._work.table_mm = (float(self._width.value or 0), float(self._depth.value or 0))
        self._work.use_corners()
        self._refresh()

    def _turn(self) -> None:
        self._work.turn()
        self._refresh()

    def _zones_back(self) -> None:
        self._work.put_zones_back()
        self._refresh()

    async def _keep(self) -> None:
        eyes, calibration, layout = self._eyes, self._work.calibration, self._work.layout
        if eyes is None or calibration is None or layout is None:
            return
        eyes.lay_out(layout)
        if not eyes.camera:
            self._desk.notice(self._say("used"))
            return
        try:
            await run.io_bound(write_calibration, calibration, eyes.picture, eyes.kept_in)
            self._desk.notice(self._say("kept"))
        except TableError as error:
            self._desk.notice(str(error), is_bad=True)

    # --- what a finger does ---

    def _press(self, event: GenericEventArguments) -> None:
        if self._shot() is not None:
            self._work.press(self._spot(event), _FINGER * self._work.size_px[0])
            self._refresh()

    def _drag(self, event: GenericEventArguments) -> None:
        self._work.drag(self._spot(event))
        self._refresh()

    def _release(self, event: GenericEventArguments) -> None:
        self._work.drag(self._spot(event))
        self._work.release()
        self._refresh()

    def _spot(self, event: GenericEventArguments) -> tuple[float, float]:
        across, down = event.args if isinstance(event.args, list) else (0.0, 0.0)
        width, height = self._work.size_px
        return float(across) * width, float(down) * height

    # --- what is shown ---

    def _shot(self) -> Picture | None:
        """The newest picture; everything marked is in its px."""
        picture = self._eyes.picture if self._eyes else None
        if picture is not None:
            self._work.size_px = (picture.shape[1], picture.shape[0])
        return picture

    def _freshen(self) -> None:
        self._number += 1
        self._picture.props(f'src="{PICTURE_PATH}?{self._number}"')
        if self._work.size_px == (0, 0) and self._shot() is not None:
            self._refresh()

    def _refresh(self) -> None:
        self._shot()
        work = self._work
        self._overlay.set_content(overlay_svg(work, self._desk.language))
        self._by_hand_box.set_visibility(work.calibration is None)
        self._found_box.set_visibility(work.calibration is not None)
        self._hint.set_content(f'<span class="{"bad" if work.error else ""}">{safe(self._told())}</span>')

    def _told(self) -> str:
        work, language = self._work, self._desk.language
        if work.error is not None:
            return work.error.sentence(language)
        if work.layout is not None:
            bare = self._say("bare-table") if self._eyes is not None and self._eyes.is_unwatched else ""
            return f"{describe(work.layout, language)} {self._say('drag-zones')} {bare}".strip()
        return self._say("tap-first") if not work.points else self._say("tap-next", left=4 - len(work.points))


def add_picture(app: FastAPI, feed: Feed) -> None:
    """Serves what the camera sees now, for the page's picture."""

    @app.get(PICTURE_PATH)
    def picture() -> Response:
        eyes = feed.driver.session.tracker
        seen = eyes.picture if isinstance(eyes, Eyes) else None
        if seen is None:
            return Response(status_code=204)
        shrink = min(1.0, _WIDTH_PX / seen.shape[1])
        small = cv2.resize(seen, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
        return Response(np.asarray(data).tobytes(), media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _known(eyes: Eyes) -> Calibration | None:
    """What is kept for this camera, else what it goes by now if somebody has set that up."""
    try:
        kept = read_calibration(eyes.kept_in) if eyes.camera else None
    except TableError:
        kept = None  # a file that cannot be read is about to be written anew
    if kept is not None and (eyes.kept_in is not None or kept[0].camera == eyes.camera):
        return kept[0]
    return Calibration(eyes.camera, eyes.layout) if eyes.layout is not None and eyes.layout.table is not None else None


def _by_cards(picture: Picture) -> Layout:
    from vision.finding.cards import table_by_cards  # noqa: PLC0415  (ONNX Runtime is slow to import)
    from vision.reader import Reader  # noqa: PLC0415

    # The session's own reader is at work in another thread.
    return table_by_cards(picture, Reader.load())
