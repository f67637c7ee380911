"""A ruling's two seconds as a small video file; slaps, cards and margins are drawn beneath the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from cardtable.errors import BadRecording
from cardtable.proof.evidence import Evidence, Mark
from cardtable.proof.film import as_video_frame, encoder_options
from vision.frames import Picture

Colour = tuple[int, int, int]

_CRF = 23
_SEATS: tuple[Colour, ...] = (
    (90, 166, 242),
    (255, 182, 111),
    (148, 214, 143),
    (195, 138, 231),
    (90, 214, 242),
    (255, 155, 167),
)
"""The seats' colours on the pages, as BGR."""
_CARD, _INK, _GROUND, _CURSOR = (255, 255, 255), (235, 235, 235), (24, 24, 24), (80, 80, 255)
_LEAST_WIDTH = 640
_ROW, _MARGIN = 30, 16
_GLOW_NS = 200_000_000
"""How long a mark shines once its moment has come."""


def write_clip(path: Path, evidence: Evidence, frames: Iterable[tuple[int, Picture]]) -> None:
    """Writes an MP4 that every browser plays; raises `BadRecording` when no picture of those seconds is left."""
    drawn = ((t_ns, draw(evidence, picture, t_ns)) for t_ns, picture in frames)
    first = next(drawn, None)
    if first is None:
        raise BadRecording("no picture of that moment is left; the camera was away, or it is too long ago")
    try:
        with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
            _encode(container, evidence, chain([first], drawn), _stream(container, first[1]))
    except OSError as error:
        raise BadRecording(f"cannot write {path} ({error.strerror}); name another file") from None


def _encode(container: Any, evidence: Evidence, frames: Iterable[tuple[int, Picture]], stream: Any) -> None:
    for t_ns, picture in frames:
        # A camera that was exchanged in these two seconds may send another size: what doesn't fit is left out.
        if picture.shape[:2] == (stream.height, stream.width):
            container.mux(stream.encode(_timed(picture, (t_ns - evidence.from_ns) // 1_000_000)))
    container.mux(stream.encode(None))


def draw(evidence: Evidence, picture: Picture, now_ns: int) -> Picture:
    """The picture with the evidence beneath it as it stands at `now_ns`; both sides are even."""
    if picture.shape[1] < _LEAST_WIDTH:
        scale = _LEAST_WIDTH / picture.shape[1]
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale), dtype=np.uint8)
    height, width = picture.shape[:2]
    foot = np.full(((len(evidence.marks) + 2) * _ROW + 2 * _MARGIN, width & ~1, 3), _GROUND, np.uint8)
    _draw_text(foot, evidence.title, (_MARGIN, _MARGIN + _ROW // 2), _INK)
    for row, mark in enumerate(evidence.marks, 1):
        _draw_mark(foot, evidence, mark, row=row, now_ns=now_ns)
    _draw_clock(foot, evidence, now_ns)
    return np.vstack([picture[: height & ~1, : width & ~1], foot[: foot.shape[0] & ~1]])


def _draw_mark(foot: Picture, evidence: Evidence, mark: Mark, *, row: int, now_ns: int) -> None:
    """A line with a tick at the mark's moment, as wide as the moment is uncertain, and its words beside it."""
    colour = _CARD if mark.seat is None else _SEATS[mark.seat % len(_SEATS)]
    if now_ns < mark.t_ns:
        colour = _dimmed(colour)
    y = _MARGIN + row * _ROW + _ROW // 2
    left, right = (_x(foot, evidence, mark.t_ns + side * mark.within_ns) for side in (-1, 1))
    cv2.rectangle(foot, (left, y - _ROW // 3), (max(right, left + 2), y + _ROW // 3), colour, -1)
    if mark.t_ns <= now_ns < mark.t_ns + _GLOW_NS:
        cv2.rectangle(foot, (left - 4, y - _ROW // 3 - 3), (right + 6, y + _ROW // 3 + 3), _INK, 2)
    _draw_text(foot, mark.text, (right + 14, y), colour)


def _draw_clock(foot: Picture, evidence: Evidence, now_ns: int) -> None:
    x, bottom = _x(foot, evidence, now_ns), foot.shape[0] - _MARGIN
    cv2.line(foot, (x, _MARGIN + _ROW), (x, bottom), _CURSOR, 2)
    text = f"{(now_ns - evidence.about_ns) / 1e9:+.2f} s"
    _draw_text(foot, text, (min(x + 8, foot.shape[1] - 110), bottom - _ROW // 3), _CURSOR)


def _x(foot: Picture, evidence: Evidence, t_ns: int) -> int:
    share = (t_ns - evidence.from_ns) / (evidence.to_ns - evidence.from_ns)
    # Words stand to the right of a moment, so that the last of them needs room.
    return _MARGIN + round(min(max(share, 0.0), 1.0) * (int(foot.shape[1]) * 0.72 - 2 * _MARGIN))


def _draw_text(picture: Picture, text: str, middle_left: tuple[int, int], colour: Colour) -> None:
    x, y = middle_left
    cv2.putText(picture, text, (x, y + 7), colour, cv2.FontFace("sans"), 20, 500)


def _dimmed(colour: Colour) -> Colour:
    blue, green, red = (value // 3 + 20 for value in colour)
    return blue, green, red


def _stream(container: Any, picture: Picture) -> Any:
    stream = container.add_stream("libx264", rate=30, options=encoder_options(_CRF))
    stream.height, stream.width = picture.shape[:2]
    stream.pix_fmt = "yuv420p"
    stream.codec_context.time_base = Fraction(1, 1000)
    return stream


def _timed(picture: Picture, t_ms: int) -> av.VideoFrame:
    frame = as_video_frame(picture, t_ms)
    frame.time_base = Fraction(1, 1000)
    return frame
