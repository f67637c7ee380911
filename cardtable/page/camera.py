"""`/camera`: a phone's browser as the table's camera, moving pictures where it allows that, photographs where not."""

from __future__ import annotations

import asyncio
import html
import json
import struct
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from nicegui import ui

from cardtable.page.feed import Feed
from cardtable.page.phone_clock import PhoneClock
from cardtable.page.pieces import markup
from cardtable.page.text import safe
from cardtable.page.visit import Visit
from cardtable.page.words import say
from vision.cameras import PhoneCamera
from vision.cameras.phone import decode

_SCRIPT = (Path(__file__).parent / "camera.js").read_text(encoding="utf-8")
_HEAD = struct.Struct("<2d")
"""Before each JPEG: when it was taken on the phone's clock, and how exact that is, both in ms."""
_ASK_S = 1.0
_PHOTO_WITHIN_NS = 5_000_000_000
"""From the shutter to the upload: a person looks at the photograph first."""
_MOST_BYTES = 32 * 1024 * 1024
MS = 1_000_000


def phone_of(feed: Feed) -> PhoneCamera | None:
    """The table's camera, if it is a phone."""
    camera = getattr(feed.driver, "camera", None)
    return camera if isinstance(camera, PhoneCamera) else None


def open_camera_page(visit: Visit) -> None:
    """Builds the page where NiceGUI stands."""
    camera, word = phone_of(visit.feed), partial(say, visit.language)
    with ui.element("div").classes("host camera-page"):
        markup(safe(word("camera-title")), "title")
        if camera is None:
            markup(safe(word("camera-other")), "note")
        elif camera.is_stills:
            markup('<input class="camera-photo" id="photo" type="file" accept="image/*" capture="environment" hidden>')
            markup(f'<label class="tap strong" for="photo">{safe(word("camera-photo"))}</label>')
        else:
            markup("<video muted playsinline></video>")
            markup(f'<button class="tap strong camera-start">{safe(word("camera-start"))}</button>')
        markup('<p class="camera-note"></p>')
        visit.build_switch()
    if camera is not None:
        ui.add_body_html(_script(camera, visit.language))


def _script(camera: PhoneCamera, language: str) -> str:
    keys = ("insecure", "refused", "sending", "sent", "lost", "unreadable")
    words = {key: say(language, f"camera-{key}", rate="{rate}", within="{within}") for key in keys}
    mode = "photos" if camera.is_stills else "phone"
    return f'<script data-mode="{mode}" data-words="{html.escape(json.dumps(words))}">{_SCRIPT}</script>'


def add_camera_routes(app: FastAPI, feed: Feed) -> None:
    """Takes what the camera page sends."""

    @app.post("/camera/photo")
    async def photo(request: Request) -> Response:
        camera, came_ns = phone_of(feed), time.monotonic_ns()
        if camera is None or int(request.headers.get("content-length", 0)) > _MOST_BYTES:
            return Response(status_code=409)
        data = await request.body()
        if await asyncio.to_thread(decode, data) is None:
            return Response(status_code=415)
        camera.put(data, came_ns, _PHOTO_WITHIN_NS)
        return Response(status_code=204)

    @app.websocket("/camera/stream")
    async def stream(socket: WebSocket) -> None:
        await socket.accept()
        camera = phone_of(feed)
        if camera is not None:
            await _Stream(socket, camera).run()


class _Stream:
    """One phone's connection."""

    def __init__(self, socket: WebSocket, camera: PhoneCamera) -> None:
        self._socket, self._camera, self._clock = socket, camera, PhoneClock()

    async def run(self) -> None:
        """Until the phone hangs up."""
        asking = asyncio.create_task(self._ask())
        try:
            while (message := await self._socket.receive())["type"] != "websocket.disconnect":
                await self._take(message, time.monotonic_ns())
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone in the middle of an answer
        finally:
            asking.cancel()

    async def _ask(self) -> None:
        """Asks for the phone's time again and again."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(json.dumps({"asked": time.monotonic_ns()}))
                await asyncio.sleep(_ASK_S)

    async def _take(self, message: Mapping[str, object], now_ns: int) -> None:
        data, text = message.get("bytes"), message.get("text")
        if isinstance(text, str):
            answer = json.loads(text)
            self._clock.note(asked_ns=int(answer["asked"]), phone_ms=float(answer["now"]), came_ns=now_ns)
        elif isinstance(data, bytes) and len(data) > _HEAD.size:
            taken_ms, own_within_ms = _HEAD.unpack_from(data)
            stamp = self._clock.at(taken_ms, now_ns=now_ns)
            within_ns = 0
            if stamp is not None:
                within_ns = stamp[1] + round(own_within_ms * MS)
                self._camera.put(data[_HEAD.size :], stamp[0], within_ns)
            await self._socket.send_text(json.dumps({"got": True, "within_ms": within_ns / MS}))
