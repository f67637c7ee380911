"""Finders made by ultralytics: pose models with one class and two key points, the rank's top and the pip's foot."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.reader.errors import BadModel
from vision.reader.finder import STEP_PX, Finder, HeatFinder, Spot, fitted, without_doubles
from vision.reader.weights import open_session

_LEAST_HEIGHT_PX = 3.0
_MOST_SPOTS = 300
_PADDING = (114, 114, 114)
"""The grey that ultralytics pads with in training."""
_OVERLAP = 0.45


def open_detector(path: Path, *, threads: int, threshold: float) -> Finder:
    """The finder in a `.pt` or `.onnx` file; raises `BadModel` when it isn't there or is no pose model of indices."""
    if not path.is_file():
        raise BadModel(f"there is no detector {path}; give a .pt or .onnx file")
    match path.suffix:
        case ".pt":
            return TorchFinder(path, threads, threshold)
        case ".onnx":
            return _open_onnx(path, threads, threshold)
        case _:
            raise BadModel(f"{path} is no detector: its name ends neither in .pt (ultralytics) nor in .onnx")


def _open_onnx(path: Path, threads: int, threshold: float) -> Finder:
    session = open_session(path, threads)
    if session.get_inputs()[0].name == "picture":
        return HeatFinder(session, threshold)
    return PoseFinder(session, path, threshold)


class PoseFinder:
    """An ultralytics pose model exported to ONNX, best with `dynamic=True`.

    One that was exported for a fixed size is shown the picture shrunk to fit.
    """

    def __init__(self, session: ort.InferenceSession, path: Path, threshold: float) -> None:
        """Raises `BadModel` when the file's metadata tell of another kind of model."""
        told = session.get_modelmeta().custom_metadata_map
        _check_kind(path, told.get("task"), _parsed(told.get("kpt_shape")))
        self._session, self._threshold = session, threshold
        self._is_end_to_end = told.get("end2end") == "True"
        _, _, height, width = session.get_inputs()[0].shape
        self._size = (int(width), int(height)) if isinstance(width, int) and isinstance(height, int) else None

    def find(self, picture: NDArray[np.uint8], scale: float) -> list[Spot]:
        """Spots in the (h, w, 3) BGR picture looked at `scale` times its size, the likeliest first."""
        if self._size is not None:
            scale = min(scale, self._size[0] / picture.shape[1], self._size[1] / picture.shape[0])
        seen, step_x, step_y = fitted(picture, scale, padding=_PADDING, size=self._size)
        planes = cv2.dnn.blobFromImage(seen, 1 / 255, swapRB=True)
        (found,) = self._session.run(None, {self._session.get_inputs()[0].name: planes})
        scores, points = self._decoded(found[0])
        return spots_of(points / (step_x, step_y), scores, self._threshold)

    def _decoded(self, found: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores (n,) and key points (n, 2, 2) from rows of box, score, class, points or columns of box, score, …."""
        first = 6 if self._is_end_to_end else 5
        rows = found if self._is_end_to_end else _without_overlaps(found.T, self._threshold)
        points = rows[:, first:].reshape(len(rows), 2, (rows.shape[1] - first) // 2)
        return rows[:, 4], points[:, :, :2]


class TorchFinder:
    """Weights that ultralytics loads itself; needs the extra `train`."""

    def __init__(self, path: Path, threads: int, threshold: float) -> None:
        """Raises `BadModel` when ultralytics isn't installed or the file holds another kind of model."""
        os.environ.setdefault("YOLO_OFFLINE", "true")  # else it calls home, and waits where nobody answers
        try:
            import torch  # noqa: PLC0415  (optional, and slow to import)
            from ultralytics.models.yolo.model import YOLO  # noqa: PLC0415  (optional, and slow to import)
        except ImportError:
            raise BadModel(
                f"{path} needs ultralytics: pip install 'cardtable[train]', or export the model to .onnx"
            ) from None
        try:
            self._model: Any = YOLO(path)
        except Exception as error:  # ultralytics and torch raise whatever unpickling meets
            raise BadModel(f"{path} cannot be loaded by ultralytics: {_first_line(error)}") from error
        _check_kind(path, self._model.task, getattr(getattr(self._model.model, "model", [None])[-1], "kpt_shape", None))
        torch.set_num_threads(threads)
        self._threshold = threshold

    def find(self, picture: NDArray[np.uint8], scale: float) -> list[Spot]:
        """Spots in the (h, w, 3) BGR picture looked at `scale` times its size, the likeliest first."""
        size = [-(-round(side * scale) // STEP_PX) * STEP_PX for side in picture.shape[:2]]
        (found,) = self._model.predict(
            picture, imgsz=size, conf=self._threshold, max_det=_MOST_SPOTS, verbose=False, save=False
        )
        points, scores = found.keypoints.data[:, :, :2].numpy(force=True), found.boxes.conf.numpy(force=True)
        return spots_of(points, scores, self._threshold)


def spots_of(points: NDArray[np.float32], scores: NDArray[np.float32], threshold: float) -> list[Spot]:
    """Spots from the (n, 2, 2) key points, px of the picture, with scores from `threshold`, the likeliest first."""
    spots = []
    for ((top_x, top_y), (foot_x, foot_y)), score in zip(points.tolist(), scores.tolist(), strict=True):
        height = float(np.hypot(top_x - foot_x, top_y - foot_y))
        if score >= threshold and height >= _LEAST_HEIGHT_PX:
            up = ((top_x - foot_x) / height, (top_y - foot_y) / height)
            spots.append(Spot((top_x + foot_x) / 2, (top_y + foot_y) / 2, height, up, score))
    return without_doubles(spots)


def _without_overlaps(rows: NDArray[np.float32], threshold: float) -> NDArray[np.float32]:
    """Rows (middle x, y, width, height, score, …) of which the best of those that overlap are kept."""
    rows = rows[rows[:, 4] >= threshold]
    boxes = np.column_stack([rows[:, :2] - rows[:, 2:4] / 2, rows[:, 2:4]])
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), rows[:, 4].tolist(), threshold, _OVERLAP)
    return rows[np.asarray(kept, np.intp).ravel()[:_MOST_SPOTS]]


def _check_kind(path: Path, task: str | None, kpt_shape: Any) -> None:
    if task != "pose" or not kpt_shape or kpt_shape[0] != 2:
        raise BadModel(
            f"{path} finds no indices with their direction: it must be an ultralytics pose model with two key points "
            f"(rank's top, pip's foot), and this is {f'a {task} model' if task else 'none of theirs'}"
        )


def _parsed(text: str | None) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
