"""When the things that may be cards came to lie where they lie, as far as the pictures kept tell."""

from __future__ import annotations

from collections.abc import Sequence

from vision.candidate import Candidate
from vision.evidence import Pose
from vision.hands import arms
from vision.motion import Look
from vision.reader import Reader
from vision.reader.faces import BACK
from vision.scene import Scene
from vision.touch import Print, Touch, find_touch, take_print
from vision.window import Part

_MEANWHILE_NS = 300_000_000
_PROBES, _IS_BACK = 4, 0.9


class Dating:
    """Looks back for the touches of the scene's candidates; remembers what it found until it is told to forget."""

    def __init__(self, scene: Scene, reader: Reader) -> None:
        self._scene, self._reader = scene, reader
        self._touches: dict[int, tuple[Pose, Touch]] = {}

    def forget(self) -> None:
        """There is a new picture, or another card lies in the pile."""
        self._touches.clear()

    def touch(self, candidate: Candidate) -> Touch:
        """When it came to lie there, face up."""
        pose, touch = self._touches.get(id(candidate), (None, None))
        if touch is None or pose != candidate.pose:
            touch = self._find(candidate)
            self._touches[id(candidate)] = candidate.pose, touch
        return touch

    def _find(self, candidate: Candidate) -> Touch:
        looks, spots = tuple(self._scene.motion.looks), self._spots(candidate)
        marks = self._marks(candidate, spots)
        touch = find_touch(looks, marks, lambda look: self._is_hidden(look, spots))
        back = self._last_back(looks, candidate.pose, touch) if touch.is_hidden else None
        return touch if back is None else self._turned_up(looks[back:], marks, spots)

    def _marks(self, candidate: Candidate, spots: Sequence[Part]) -> Print:
        scene = self._scene
        inside = scene.outline(candidate.pose)
        # What came to lie on it meanwhile tells nothing about when it came itself.
        for other in scene.pile.cards:
            if other.laid_at_ns > candidate.since_ns - _MEANWHILE_NS:
                inside &= ~other.inside
        return take_print(scene.look.grey, scene.ground.grey, (candidate.pose, inside, spots), scene.window)

    def _turned_up(self, looks: Sequence[Look], marks: Print, spots: Sequence[Part]) -> Touch:
        """The touch of a card whose back shows in the first of `looks`, and in none of the others."""
        touch = find_touch(looks[1:], marks, lambda look: self._is_hidden(look, spots))
        if touch.t_ns > looks[1].t_ns:
            return touch
        gap_ns = looks[1].t_ns - looks[0].t_ns
        return Touch(looks[1].t_ns - gap_ns // 2, gap_ns // 2 + looks[1].within_ns)

    def _last_back(self, looks: Sequence[Look], pose: Pose, touch: Touch) -> int | None:
        """The last look in which a card lay there face down; None if it did not."""
        if not self._reader.knows_faces:
            return None
        first = next(number for number, look in enumerate(looks) if look.t_ns >= touch.t_ns)
        end = len(looks) - 1
        probes = [first + (end - first) * part // _PROBES for part in range(_PROBES)]
        low = next((number for number in reversed(probes) if self._is_back(looks[number], pose)), None)
        if low is None:
            return None
        while end - low > 1:
            middle = (low + end) // 2
            low, end = (middle, end) if self._is_back(looks[middle], pose) else (low, middle)
        return low

    def _is_back(self, look: Look, pose: Pose) -> bool:
        window = self._scene.window
        corners = window.to_small(pose.outline(window.layout.card_mm))
        outline = tuple((float(x), float(y)) for x, y in corners)
        return float(self._reader.faces(look.colour, [outline])[0, BACK]) > _IS_BACK

    def _spots(self, candidate: Candidate) -> list[Part]:
        return [spot.part for spot in candidate.spots.values()]

    def _is_hidden(self, look: Look, spots: Sequence[Part]) -> bool:
        """Whether an arm is over an index: it hangs together with the outside, and is no paper."""
        reaching, motion = arms(look.colour, self._scene.ground.colour), self._scene.motion
        return any(float(reaching[part].mean()) > 0.5 and not motion.is_paper(look.grey, part) for part in spots)
