"""Renders what the camera above the table sees: the top, the pile, arms and moving cards, shadow, blur and noise.

The table as it lies is kept ready and changed only where a card comes or goes; a frame copies it, lays the moving
things on it and adds noise.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX, Camera, Place
from cardtable.simulated.cards import HEIGHT_MM, PLAIN, WIDTH_MM, Style, back, face, outline
from cardtable.simulated.hands import arm_sprite
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.sprites import Picture, Sprite, as_picture, put, shadow, stacked
from cardtable.simulated.tops import Floats, Top, lighting, table_top
from engine.cards import Card

SHUTTER_NS = 8_000_000
_SUPERSAMPLED = 2
_NOISE_SIZE = (HEIGHT_PX + 256, WIDTH_PX + 256)


@lru_cache(maxsize=160)
def _printed(card: Card | None, style: Style, px_per_mm: float) -> tuple[Picture, Picture]:
    """Face (or back) and outline of a card scaled down to `px_per_mm`."""
    size = (round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm))
    picture = back(style) if card is None else face(card, style)
    return tuple(as_picture(cv2.resize(p, size, interpolation=cv2.INTER_AREA)) for p in (picture, outline()))  # type: ignore[return-value]


def _noise(rng: np.random.Generator, deviation: float) -> Picture:
    """A tile of sensor noise around 128, a little coarser than one px as a camera's own smoothing leaves it."""
    raw = rng.standard_normal((*_NOISE_SIZE, 3)).astype(np.float32)
    soft = cv2.GaussianBlur(raw, (0, 0), 0.6)
    return as_picture(np.clip(np.round(128 + soft / soft.std() * deviation), 0, 255))


class Scene:
    """One camera above one table with one deck."""

    def __init__(self, seed: int, *, style: Style = PLAIN, camera: Camera | None = None, top: Top = table_top) -> None:
        rng = np.random.default_rng(seed)
        self.style = style
        self.camera = camera or Camera.mounted(random.Random(seed))
        self._gain = lighting(rng)
        self._bare = self._mounted = as_picture(np.clip(top(rng) * self._gain[:, :, None], 0, 255))
        self.light: Floats | None = None
        """How much light there is, see `light_up`; None: as at first."""
        self._noise = _noise(rng, float(rng.uniform(1.6, 3.0)))
        self._scale = self.camera.scale()
        self._still: tuple[Piece, ...] = ()
        self._table = self._bare.copy()
        self._arms: dict[tuple[int, int, bool], Sprite] = {}

    def card_sprite(self, piece: Piece) -> Sprite:
        """The card as it looks at its place."""
        fine = self._scale * _SUPERSAMPLED
        picture, mask = _printed(piece.card if piece.is_face_up else None, self.style, round(fine, 3))
        corners = self.camera.project(piece.place.corners(WIDTH_MM, HEIGHT_MM))
        left, top = np.floor(corners.min(axis=0)).astype(int) - 1
        right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 2
        width, height = int(right - left), int(bottom - top)
        own = np.array([[0, 0], [picture.shape[1], 0], [picture.shape[1], picture.shape[0]], [0, picture.shape[0]]])
        goal = (corners - (left, top)) * _SUPERSAMPLED
        matrix = cv2.getPerspectiveTransform(own.astype(np.float32), goal.astype(np.float32))
        big, size = (width * _SUPERSAMPLED, height * _SUPERSAMPLED), (width, height)
        lit = cv2.convertScaleAbs(picture, alpha=self._gain_at(piece.place))
        turned = cv2.warpPerspective(lit, matrix, big, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        solid = cv2.warpPerspective(mask, matrix, big, flags=cv2.INTER_LINEAR)
        colour = cv2.GaussianBlur(cv2.resize(turned, size, interpolation=cv2.INTER_AREA), (0, 0), 0.5)
        opacity = cv2.resize(solid, size, interpolation=cv2.INTER_AREA)
        return Sprite.cut(as_picture(colour), as_picture(opacity), int(left), int(top))

    def look_from(self, view: NDArray[np.float64]) -> None:
        """The camera is bumped: from now on it sees everything through `view`, see `Camera`."""
        self.camera = self.camera.bumped(view)
        size = (WIDTH_PX, HEIGHT_PX)
        moved = cv2.warpPerspective(self._mounted, view, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        self._bare, self._table, self._still = as_picture(moved), as_picture(moved).copy(), ()
        self._arms.clear()

    def light_up(self, light: Floats | None) -> None:
        """From now on there is so much light: (h, w, 3) shares of what there was at first; None: that."""
        self.light = light

    def settle(self, pieces: Sequence[Piece]) -> None:
        """Makes these the cards that lie still, lowest first."""
        wanted = tuple(pieces)
        if wanted[: len(self._still)] != self._still:
            self._table, self._still = self._bare.copy(), ()
        for piece in wanted[len(self._still) :]:
            self._lay(self._table, piece)
        self._still = wanted

    def frame(self, pieces: Sequence[Piece], reaches: Sequence[Reach], t_ns: int) -> Picture:
        """(1080, 1920, 3) BGR: what the camera sees at `t_ns` with these cards lying and these arms moving."""
        self.settle(pieces)
        frame = self._table.copy()
        for reach in sorted((r for r in reaches if r.is_on(t_ns)), key=lambda r: r.start_ns):
            for sprite in self._moving(reach, t_ns):
                put(frame, sprite)
        if self.light is not None:
            frame = as_picture(cv2.multiply(frame, self.light, dtype=cv2.CV_8U))
        return self._noisy(frame, t_ns)

    def hides(self, reach: Reach, t_ns: int, point_mm: tuple[float, float]) -> bool:
        """Whether the arm covers a point of the table at that moment."""
        x, y = self.camera.project(np.array([point_mm]))[0]
        dx, dy = self._shift(reach, t_ns)
        return self._arm(reach, carrying=False).opacity_at(x - dx, y - dy) > 0.4

    def forget(self, reach: Reach) -> None:
        """Drops what is kept for an arm that will not come again."""
        for key in [key for key in self._arms if key[0] == id(reach)]:
            del self._arms[key]

    def _gain_at(self, place: Place) -> float:
        x, y = self.camera.project(np.array([[place.x_mm, place.y_mm]]))[0]
        row, column = np.clip([y, x], 0, (HEIGHT_PX - 1, WIDTH_PX - 1)).astype(int)
        return float(self._gain[row, column])

    def _lay(self, frame: Picture, piece: Piece) -> None:
        sprite = self.card_sprite(piece)
        put(frame, shadow(sprite, dx=1, dy=2, blur=2.2, depth=0.35))
        put(frame, sprite)

    def _shift(self, reach: Reach, t_ns: int) -> tuple[int, int]:
        dx, dy = reach.offset_mm(t_ns)
        return round(dx * self._scale), round(dy * self._scale)

    def _arm(self, reach: Reach, *, carrying: bool, bringing: bool = True) -> Sprite:
        """The arm at its goal, with the cards it brings or fetches in its fingers when `carrying`."""
        key = (id(reach), 1 + bringing if carrying else 0, False)
        if key not in self._arms:
            tip = self.camera.project(np.array([reach.tip]))[0]
            sprite = arm_sprite(reach.arm, reach.pose, tip=(tip[0], tip[1]), turn=reach.turn, scale=self._scale)
            for piece in reversed((reach.brings if bringing else reach.fetches) if carrying else ()):
                sprite = stacked(self.card_sprite(piece), sprite)
            self._arms[key] = sprite
        return self._arms[key]

    def _shade(self, reach: Reach, sprite: Sprite, *, kind: int) -> Sprite:
        key = (id(reach), kind, True)
        if key not in self._arms:
            self._arms[key] = shadow(sprite, dx=9, dy=13, blur=8, depth=0.3)
        return self._arms[key]

    def _moving(self, reach: Reach, t_ns: int) -> tuple[Sprite, Sprite]:
        bringing = t_ns < reach.touch_ns or reach.keeps
        carrying = bool(reach.carried(t_ns))
        sprite = self._arm(reach, carrying=carrying, bringing=bringing)
        dark = self._shade(reach, sprite, kind=1 + bringing if carrying else 0)
        dx, dy = self._shift(reach, t_ns)
        before, after = self._shift(reach, t_ns - SHUTTER_NS), (dx, dy)
        smear = (after[0] - before[0], after[1] - before[1])
        moved = sprite.moved(dx, dy).within(WIDTH_PX, HEIGHT_PX, 2 * max(map(abs, smear)))
        return dark.moved(dx, dy), moved.blurred(*smear) if max(map(abs, smear)) > 1 else moved

    def _noisy(self, frame: Picture, t_ns: int) -> Picture:
        # Which part of the tile is laid over this frame: any two numbers that look unrelated each time will do.
        scrambled = (t_ns // 1000) * 2654435761 % (1 << 32)
        row, column = scrambled % 256, (scrambled >> 9) % 256
        tile = self._noise[row : row + HEIGHT_PX, column : column + WIDTH_PX]
        return as_picture(cv2.addWeighted(frame, 1.0, tile, 1.0, -128.0))


def picture_with(cards: Sequence[Card], *, seed: int = 0, style: Style = PLAIN) -> Picture:
    """A 1920×1080 picture of a simulated table with these cards lying around, none covering another's indices."""
    scene, rng = Scene(seed, style=style), random.Random(seed)
    spots = [(x * 105.0 - 472.5, y * 105.0 - 210.0) for y in range(5) for x in range(10)]
    chosen = rng.sample(spots, len(cards))
    pieces = [
        Piece(card, Place(x + rng.uniform(-6, 6), y + rng.uniform(-6, 6), rng.uniform(0, 360)), key)
        for key, (card, (x, y)) in enumerate(zip(cards, chosen, strict=True))
    ]
    return scene.frame(pieces, (), 0)
