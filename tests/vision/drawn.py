"""A table drawn for tests: cards whose indices are square markers, which OpenCV reads from the pixels; hands; time.

The markers stand in for the card reader, so that what is tested is the following of cards over time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from engine.events import CardGone, CardLaid, Event, PileGone
from engine.seats import Seat, seats
from vision.frames import Frame
from vision.layout import Layout, Zone, around
from vision.reader import Corner, Reader
from vision.table import Tracker

Picture = NDArray[np.uint8]

PX_PER_MM, SIDE_PX = 2.0, 1000
FRAME_NS = 33_333_333
SEATS = seats(4)
LAYOUT = Layout(
    (SIDE_PX, SIDE_PX),
    ((PX_PER_MM, 0.0, SIDE_PX / 2), (0.0, PX_PER_MM, SIDE_PX / 2), (0.0, 0.0, 1.0)),
    Zone(-150, -150, 300, 300),
    around(SEATS),
)
_MARKERS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
_MARKER_MM = 12.0
_REACH_PX = 112


class MarkerReader(Reader):
    """Reads the drawn cards' markers; counts how many pixels it was asked to read."""

    def __init__(self) -> None:
        self.read_px = 0
        parameters = cv2.aruco.DetectorParameters()
        parameters.minMarkerPerimeterRate = 0.01
        self._detector = cv2.aruco.ArucoDetector(_MARKERS, parameters)

    @property
    def knows_faces(self) -> bool:
        return False

    def corners(self, picture: Picture, scale: float = 1.0) -> tuple[Corner, ...]:
        self.read_px += picture.shape[0] * picture.shape[1]
        grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=2, fy=2)
        outlines, ids, _ = self._detector.detectMarkers(grey)
        found = zip(outlines, [] if ids is None else ids.ravel().tolist(), strict=False)
        return tuple(
            _corner(np.asarray(outline[0], dtype=np.float64) / 2, int(number))
            for outline, number in found
            if number < len(DECK_52)
        )


def _corner(outline: NDArray[np.float64], number: int) -> Corner:
    up = outline[0] - outline[3]
    height = float(np.hypot(*up))
    x, y = outline.mean(axis=0)
    chances = np.full(len(DECK_52), 0.0004, dtype=np.float32)
    chances[number] = 0.97
    return Corner(float(x), float(y), height, (float(up[0] / height), float(up[1] / height)), 0.9, chances)


@dataclass(frozen=True)
class At:
    """Where something lies: its middle in mm, turned clockwise by degrees."""

    x: float
    y: float
    turn: float = 0.0

    def towards(self, other: At, part: float) -> At:
        return At(*(a + (b - a) * part for a, b in zip(self._all(), other._all(), strict=True)))

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> At:
        return At(self.x + dx, self.y + dy, self.turn + turn)

    def _all(self) -> tuple[float, float, float]:
        return self.x, self.y, self.turn


@dataclass(frozen=True)
class Arm:
    """A hand whose finger tips are at `tip`, reaching in from the direction of `angle` (degrees as in a layout)."""

    tip: tuple[float, float]
    angle: float


@dataclass(frozen=True)
class Scene:
    """What lies on the table, bottom to top, the arms above it, and how bright it is."""

    cards: tuple[tuple[Card, At], ...] = ()
    arms: tuple[Arm, ...] = ()
    light: float = 1.0

    def with_card(self, name: str, at: At) -> Scene:
        return replace(self, cards=(*self.cards, (Card(name), at)))

    def without(self, name: str) -> Scene:
        return replace(self, cards=tuple(pair for pair in self.cards if pair[0] is not Card(name)))

    def with_arms(self, *arms: Arm) -> Scene:
        return replace(self, arms=arms)

    def draw(self, rng: np.random.Generator) -> Picture:
        picture = _table(self.cards[:-1]).copy()
        for card, at in self.cards[-1:]:
            _draw_card(picture, card, at)
        for arm in self.arms:
            _draw_arm(picture, arm)
        if self.light != 1.0:
            picture = np.asarray(cv2.convertScaleAbs(picture, alpha=self.light), dtype=np.uint8)
        shift = rng.integers(0, SIDE_PX, 2)
        noise = np.roll(_noise(), tuple(shift.tolist()), axis=(0, 1))
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), dtype=np.uint8)


@lru_cache(maxsize=1)
def _noise() -> NDArray[np.int16]:
    one = np.random.default_rng(3).normal(0, 2, (SIDE_PX, SIDE_PX, 1)).round().astype(np.int16)
    return np.repeat(one, 3, axis=2)


@lru_cache(maxsize=8)
def _table(cards: tuple[tuple[Card, At], ...]) -> Picture:
    picture = _felt().copy()
    for card, at in cards:
        _draw_card(picture, card, at)
    return picture


@lru_cache(maxsize=1)
def _felt() -> Picture:
    rng = np.random.default_rng(7)
    coarse = rng.normal(0, 6, (100, 100)).astype(np.float32)
    texture = cv2.resize(coarse, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)[:, :, None]
    return np.asarray(np.clip(np.array([60, 100, 50]) + texture, 0, 255), dtype=np.uint8)


@lru_cache(maxsize=60)
def _face(card: Card) -> Picture:
    scale = 6
    face = np.full((88 * scale, 63 * scale, 3), 245, dtype=np.uint8)
    side = round(_MARKER_MM * scale)
    marker = cv2.cvtColor(cv2.aruco.generateImageMarker(_MARKERS, DECK_52.index(card), side), cv2.COLOR_GRAY2BGR)
    face[3 * scale : 3 * scale + side, 3 * scale : 3 * scale + side] = marker
    face[-3 * scale - side : -3 * scale, -3 * scale - side : -3 * scale] = marker[::-1, ::-1]
    rng = np.random.default_rng(DECK_52.index(card))
    for _ in range(4):  # pips
        x, y = rng.integers(22, 42), rng.integers(22, 66)
        cv2.circle(face, (int(x) * scale, int(y) * scale), 4 * scale, (40, 40, 180), -1)
    cv2.rectangle(face, (0, 0), (63 * scale - 1, 88 * scale - 1), (190, 190, 190), scale // 2)
    return np.asarray(cv2.GaussianBlur(face, (0, 0), 1.2), dtype=np.uint8)


def _draw_card(picture: Picture, card: Card, at: At) -> None:
    face = _face(card)
    half_w, half_h = face.shape[1] / 2, face.shape[0] / 2
    cos, sin = math.cos(math.radians(at.turn)), math.sin(math.radians(at.turn))
    grow = PX_PER_MM / 6
    centre = np.array([at.x * PX_PER_MM + SIDE_PX / 2, at.y * PX_PER_MM + SIDE_PX / 2])
    left, top = np.floor(centre).astype(int) - _REACH_PX
    matrix = np.array([[cos * grow, -sin * grow, 0.0], [sin * grow, cos * grow, 0.0]])
    matrix[:, 2] = centre - (left, top) - matrix[:, :2] @ (half_w, half_h)
    size = (2 * _REACH_PX, 2 * _REACH_PX)
    drawn = cv2.warpAffine(face, matrix, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(np.full(face.shape[:2], 255, np.uint8), matrix, size) > 127
    rows, columns = _common(int(top)), _common(int(left))
    part = (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))
    picture[rows, columns][cover[part]] = drawn[part][cover[part]]


def _common(start: int) -> slice:
    return slice(min(max(start, 0), SIDE_PX), max(min(start + 2 * _REACH_PX, SIDE_PX), 0))


def _draw_arm(picture: Picture, arm: Arm) -> None:
    away = np.array([math.cos(math.radians(arm.angle)), math.sin(math.radians(arm.angle))])
    side = np.array([-away[1], away[0]])
    tip = np.array(arm.tip)
    for offset in (-24.0, -8.0, 8.0, 24.0):
        finger = tip + side * offset * 0.6
        _stroke(picture, finger, finger + away * 70, 15, (120, 150, 205))
    _stroke(picture, tip + away * 75, tip + away * 110, 62, (125, 155, 210))
    _stroke(picture, tip + away * 110, tip + away * 220, 48, (120, 150, 205))
    _stroke(picture, tip + away * 220, tip + away * 900, 80, (90, 40, 40))


def _stroke(
    picture: Picture, start: NDArray[np.float64], end: NDArray[np.float64], mm: float, colour: tuple[int, ...]
) -> None:
    ends = [tuple(np.round(point * PX_PER_MM + SIDE_PX / 2).astype(int).tolist()) for point in (start, end)]
    cv2.line(picture, ends[0], ends[1], colour, round(mm * PX_PER_MM), cv2.LINE_AA)


class Film:
    """Plays scenes to a tracker, frame by frame, and keeps what it said."""

    def __init__(self, seed: int = 1) -> None:
        self.reader = MarkerReader()
        self.tracker = Tracker(self.reader, LAYOUT)
        self.events: list[Event] = []
        self.said_ns: list[int] = []
        self.t_ns = 0
        self.scene = Scene()
        self.on_frame: Callable[[Picture], None] | None = None
        self._rng, self._number = np.random.default_rng(seed), 0
        self.hold(5)

    def show(self, scene: Scene) -> None:
        """One frame."""
        self.scene = scene
        picture = scene.draw(self._rng)
        if self.on_frame is not None:
            self.on_frame(picture)
        events = self.tracker.see(Frame(picture, self.t_ns, FRAME_NS // 2, self._number))
        self.events += events
        self.said_ns += [self.t_ns] * len(events)
        self.t_ns += FRAME_NS
        self._number += 1

    def hold(self, frames: int) -> None:
        """The same for a while."""
        for _ in range(frames):
            self.show(self.scene)

    def lay(self, name: str, at: At, seat: str | None = "A", *, frames: int = 8) -> int:
        """A hand brings a card from its seat's side and leaves; returns the time at which the card lay there."""
        before = self.scene
        angle = dict(LAYOUT.seats)[Seat(seat or "A")]
        away = At(300 * math.cos(math.radians(angle)), 300 * math.sin(math.radians(angle)), at.turn - 40)
        for i in range(1, frames):
            here = away.towards(at, i / frames)
            self.show(before.with_card(name, here).with_arms(*_holding(here, angle, seat)))
        touch_ns = self.t_ns
        laid = before.with_card(name, at)
        self.show(laid.with_arms(*_holding(at, angle, seat)))
        self.leave(laid, at, angle, seat)
        return touch_ns

    def leave(self, scene: Scene, at: At, angle: float, seat: str | None = "A", frames: int = 8) -> None:
        """The hand goes back to where it came from."""
        for i in range(1, frames):
            self.show(scene.with_arms(*_holding(at, angle, seat, back_mm=300 * i / frames)))
        self.show(scene.with_arms())

    def take_back(self, name: str, seat: str = "A", frames: int = 8) -> None:
        """A hand comes, grips the card and pulls it away."""
        at = {str(card): place for card, place in self.scene.cards}[name]
        angle = dict(LAYOUT.seats)[Seat(seat)]
        rest, full = self.scene.without(name), self.scene
        away = At(320 * math.cos(math.radians(angle)), 320 * math.sin(math.radians(angle)), at.turn)
        for i in range(frames, 0, -1):
            self.show(full.with_arms(*_holding(at, angle, seat, back_mm=300 * i / frames)))
        for i in range(1, frames):
            here = at.towards(away, i / frames)
            self.show(rest.with_card(name, here).with_arms(*_holding(here, angle, seat)))
        self.show(rest.with_arms())

    def words(self) -> list[str]:
        """The events as `+2C`, `-2C`, `=2C` (told again), `gone`."""
        return list(_words(self.events))

    def laid(self) -> list[CardLaid]:
        """The lays as told first, in order."""
        first: dict[int, CardLaid] = {}
        for event in self.events:
            if isinstance(event, CardLaid):
                first.setdefault(event.lay, event)
        return list(first.values())


def _holding(at: At, angle: float, seat: str | None, back_mm: float = 0.0) -> tuple[Arm, ...]:
    if seat is None:
        return ()
    reach = 25.0 + back_mm
    return (Arm((at.x + reach * math.cos(math.radians(angle)), at.y + reach * math.sin(math.radians(angle))), angle),)


def _words(events: list[Event]) -> Iterator[str]:
    told: set[int] = set()
    for event in events:
        match event:
            case CardLaid():
                yield ("=" if event.lay in told else "+") + str(event.card)
                told.add(event.lay)
            case CardGone():
                yield f"-{event.card}"
            case PileGone():
                yield "gone"
