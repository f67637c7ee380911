"""`/proof/N`: the two seconds of a ruling as video, to look at slowly and to keep as a file."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response
from nicegui import ui

from cardtable.page.feed import Feed
from cardtable.page.pieces import button, markup
from cardtable.page.text import safe
from cardtable.page.visit import Visit
from cardtable.page.words import say
from cardtable.proof.evidence import Evidence, evidence_of
from engine.errors import TableError

if TYPE_CHECKING:
    from cardtable.session import Proof, Session

MOST_CLIPS = 8
SLOW, USUAL = 0.25, 1.0


class Clips:
    """Makes clips of one session's rulings when they are asked for, and keeps the last few."""

    def __init__(self, feed: Feed) -> None:
        self._feed, self._folder = feed, TemporaryDirectory(prefix="cardtable-")
        self._made: OrderedDict[Evidence, Path] = OrderedDict()
        self._lock = asyncio.Lock()

    async def clip(self, number: int, language: str) -> Path:
        """The video of that event's two seconds; raises `TableError` where there is none."""
        evidence, proof = await self._feed.ask(partial(_look_up, number=number, language=language))
        async with self._lock:  # a browser asks for one file in several pieces at once
            if evidence not in self._made:
                await self._make(evidence, proof)
            self._made.move_to_end(evidence)
            return self._made[evidence]

    async def _make(self, evidence: Evidence, proof: Proof | None) -> None:
        from cardtable.proof.clip import write_clip  # noqa: PLC0415  (OpenCV is slow to import)

        await asyncio.sleep(max(0, evidence.to_ns - await self._feed.ask(lambda session: session.now_ns)) / 1e9)
        path = Path(self._folder.name) / f"{hash(evidence):x}.mp4"
        frames = proof.frames(evidence.from_ns, evidence.to_ns) if proof else ()
        await asyncio.to_thread(write_clip, path, evidence, frames)
        self._made[evidence] = path
        while len(self._made) > MOST_CLIPS:
            self._made.popitem(last=False)[1].unlink(missing_ok=True)


def _look_up(session: Session, *, number: int, language: str) -> tuple[Evidence, Proof | None]:
    return evidence_of(session, number, language), session.proof


def add_clips(app: FastAPI, feed: Feed) -> None:
    """Serves the video files that the pages show."""
    clips = Clips(feed)

    @app.get("/proof/{number}/{language}.mp4")
    async def video(number: int, language: str) -> Response:
        try:
            path = await clips.clip(number, language)
        except TableError as error:
            return PlainTextResponse(str(error), status_code=404)
        return FileResponse(path, media_type="video/mp4", filename=f"ruling-{number}.mp4")


def open_proof(visit: Visit) -> None:
    """Builds the page of one ruling."""
    number, language = visit.parameters["number"], visit.language
    with ui.element("div").classes("host proof-page"):
        if not number.isdecimal():
            markup(safe(say(language, "proof-none")), "title")
            return
        source = f"/proof/{number}/{language}.mp4"
        none = safe(say(language, "proof-none"))
        markup(
            f'<video src="{source}" autoplay loop muted playsinline controls '
            f'onerror="this.nextElementSibling.hidden = false; this.hidden = true"></video><p hidden>{none}</p>',
            "proof",
        )
        with ui.element("div").classes("stack"):
            for word, rate in (("proof-slow", SLOW), ("proof-usual", USUAL)):
                button(say(language, word), partial(_play_at, rate))
            markup(f'<a class="tap" href="{source}" download>{safe(say(language, "proof-save"))}</a>')
            markup(f'<a class="tap quiet" href="/host">{safe(say(language, "host"))}</a>')


def _play_at(rate: float) -> None:
    ui.run_javascript(f"document.querySelector('video').playbackRate = {rate}")
