"""Where a recording's pictures go: films, or single files where every picture stands for itself."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2

from cardtable.errors import BadRecording
from cardtable.proof.film import FilmWriter
from vision.frames import Frame

JPEG_QUALITY = 92
FILM_CRF = 18
"""How much of a picture a film keeps (x264's scale, 0 is everything): cards read from it as they did live."""
BACKLOG = 30
"""Frames that may wait to be written; a slow disk then makes the session wait rather than eat all memory."""


class Shelf:
    """Writes pictures into a folder in a thread of its own."""

    def __init__(self, folder: Path, *, is_stills: bool) -> None:
        """Makes `folder`; raises `OSError`."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._is_stills = folder, is_stills
        self._writing = ThreadPoolExecutor(1, "recorder")
        self._pending: deque[Future[None]] = deque()
        self._film: FilmWriter | None = None
        self._films, self._size, self._places = 0, (0, 0), 0

    def keep(self, frame: Frame) -> dict[str, Any]:
        """Keeps the picture; returns where it will be found. Raises `BadRecording` when an earlier one could not be."""
        self._wait_for(BACKLOG)
        height, width = frame.picture.shape[:2]
        if self._is_stills or width % 2 or height % 2:
            name = f"{frame.t_ns // 1_000_000:07d}.jpg"
            self._submit(_write_jpeg, self._folder / name, frame)
            return {"frame": name}
        if (width, height) != self._size:
            self._films, self._size, self._places = self._films + 1, (width, height), 0
        path = self._folder / f"film-{self._films}.mkv"
        self._submit(self._write_film, path, frame)
        self._places += 1
        return {"frame": path.name, "place": self._places - 1}

    def close(self) -> None:
        """Every picture is on disk afterwards, or `BadRecording` says why not."""
        self._submit(self._end_film)
        self._writing.shutdown(wait=True)
        self._wait_for(0)

    def _submit(self, job: Any, *arguments: Any) -> None:
        self._pending.append(self._writing.submit(job, *arguments))

    def _wait_for(self, backlog: int) -> None:
        """Waits until at most `backlog` pictures are still to be written; raises what went wrong with the others."""
        while len(self._pending) > backlog or (self._pending and self._pending[0].done()):
            self._pending.popleft().result()

    def _write_film(self, path: Path, frame: Frame) -> None:
        try:
            if self._film is None or self._film.path != path:
                self._end_film()
                height, width = frame.picture.shape[:2]
                self._film = FilmWriter(path, (width, height), crf=FILM_CRF)
            self._film.write(frame.picture)
            path.stat()  # a file that was deleted can still be written to
        except OSError as error:
            raise _full(path, error) from None

    def _end_film(self) -> None:
        film, self._film = self._film, None
        try:
            if film is not None:
                film.close()
        except OSError as error:
            raise _full(self._folder, error) from None


def _write_jpeg(path: Path, frame: Frame) -> None:
    is_done, data = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_done:
        raise BadRecording(f"the picture {path} cannot be encoded")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise _full(path, error) from None


def _full(path: Path, error: OSError) -> BadRecording:
    return BadRecording(f"cannot go on recording into {path} ({error.strerror}); is the disk full?")
