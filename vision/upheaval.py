"""What was remembered of the table's looks, made to fit after a lamp was switched or the camera was bumped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.motion import Look
from vision.pile import Placed
from vision.scene import Scene
from vision.window import Grey, Mask

_ALL_AT_ONCE, _STILL = 0.5, 0.03
_CELLS, _ROUNDS, _OUTLIER = 12, 4, 0.08
_DARKEST = 8.0
_OFF_PX, _MATCHES = 5, 14  # a window of so many pixels: the table is found again to some two of them


class Upheaval:
    """Notices that everything looks otherwise at once, and waits until that is over."""

    def __init__(self) -> None:
        self._is_on = False

    def begin(self) -> None:
        """The camera sees the table from elsewhere."""
        self._is_on = True

    def is_over(self, moved: Mask) -> bool:
        """Whether it has just come to an end; `moved`: the pixels that changed with this frame."""
        share = float(moved.mean())
        if share > _ALL_AT_ONCE:
            self._is_on = True
            return False
        if not self._is_on or share > _STILL:
            return False
        self._is_on = False
        return True


def adapt(scene: Scene, others: tuple[Grey | None, ...]) -> None:
    """Makes all that is remembered fit the light and the view of the newest look; `others` are changed in place.

    What differs from it by more than light and a small shift, a hand say, is left as it was remembered.
    """
    ground, now = scene.ground, scene.look
    light = _light(ground.grey, now.grey)
    tinted = np.stack([_light(ground.colour[..., band], now.colour[..., band]) for band in range(3)], axis=2)
    relit = partial(_relit, light=light)
    ground.grey, ground.colour = relit(ground.grey), _relit(ground.colour, tinted)
    is_same = _explained(ground.grey, now.grey)
    _take_over(ground.grey, now.grey, is_same)
    ground.colour[is_same] = now.colour[is_same]
    scene.motion.looks = deque(_seen_so(look, light, tinted) for look in scene.motion.looks)
    scene.motion.looks[-1] = now
    for other in others:
        if other is not None:
            other[:] = relit(other)
            _take_over(other, now.grey, _explained(other, now.grey))
    _remember_cards(scene, relit)


def _remember_cards(scene: Scene, relit: Callable[[Grey], Grey]) -> None:
    visible = {id(placed): mask for placed, mask in scene.pile.downwards()}
    for placed in scene.pile.cards:
        placed.look, placed.before = relit(placed.look), relit(placed.before)
        if id(placed) in visible:
            _see_again(placed, visible[id(placed)], scene.look.grey)


def _see_again(placed: Placed, visible: Mask, now: Grey) -> None:
    _take_over(placed.look, now, visible & _explained(placed.look, now))


def _light(before: Grey, now: Grey) -> NDArray[np.float32]:
    """(h, w) by how much brighter it is: a plane through the logarithms, hands and cards that moved left aside."""
    height, width = now.shape
    rows, columns = np.mgrid[0:_CELLS, 0:_CELLS].reshape(2, -1) / (_CELLS - 1) - 0.5
    levels = np.log([_levels(grey) for grey in (before, now)])
    plane = np.stack([np.ones_like(rows), rows, columns], axis=1)
    ratio, kept = levels[1] - levels[0], np.ones(len(rows), dtype=np.bool_)
    off = ratio - np.median(ratio)
    for _ in range(_ROUNDS):
        kept = np.abs(off) <= max(_OUTLIER, float(np.median(np.abs(off))))
        found = np.linalg.lstsq(plane[kept], ratio[kept], rcond=None)[0]
        off = ratio - plane @ found
    down, along = np.linspace(-0.5, 0.5, height)[:, None], np.linspace(-0.5, 0.5, width)[None, :]
    return np.asarray(np.exp(found[0] + found[1] * down + found[2] * along), dtype=np.float32)


def _levels(grey: Grey) -> NDArray[np.float64]:
    """(cells²,) the median brightness of each cell."""
    height, width = (side // _CELLS for side in grey.shape)
    cells = grey[: height * _CELLS, : width * _CELLS].reshape(_CELLS, height, _CELLS, width)
    medians = np.median(cells.transpose(0, 2, 1, 3).reshape(_CELLS * _CELLS, -1), axis=1)
    return np.asarray(np.maximum(medians, _DARKEST), dtype=np.float64)


def _relit(picture: Picture, light: NDArray[np.float32]) -> Picture:
    return np.asarray(cv2.multiply(picture, light, dtype=cv2.CV_8U), dtype=np.uint8)


def _seen_so(look: Look, light: NDArray[np.float32], tinted: NDArray[np.float32]) -> Look:
    return replace(look, grey=_relit(look.grey, light), colour=_relit(look.colour, tinted))


def _explained(before: Grey, now: Grey) -> Mask:
    """Pixels whose brightness is to be found within a small shift of where it was."""
    around = np.ones((_OFF_PX, _OFF_PX), dtype=np.uint8)
    low, high = cv2.erode(before, around).astype(np.int16), cv2.dilate(before, around).astype(np.int16)
    return np.asarray((now >= low - _MATCHES) & (now <= high + _MATCHES), dtype=np.bool_)


def _take_over(remembered: Grey, now: Grey, where: Mask) -> None:
    remembered[where] = now[where]
