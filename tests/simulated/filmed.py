"""Parties on film: what a simulated party's camera saw, to be shown to a tracker again, frame by frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from cardtable.simulated.demo import Demo
from cardtable.simulated.world import TrueLay
from engine.events import CardLaid, Event
from vision.frames import Frame, Picture
from vision.table import Tracker


@dataclass
class FilmedParty:
    """A party of Bong as it was played; its pictures are rendered anew whenever they are shown."""

    demo: Demo
    shots: list[tuple[Frame, tuple[Any, ...]]] = field(default_factory=list)
    """Each frame, its picture left out, and what was to be seen in it."""

    @classmethod
    def play(cls, *, seed: int, lays: int) -> FilmedParty:
        """Plays a party to that many lays with the released reader."""
        film = cls(Demo(seed=seed, lays=lays))
        scene, tracker = film.demo.table.scene, film.demo.session.tracker
        assert tracker is not None
        render, see = scene.frame, tracker.see
        asked: list[tuple[Any, ...]] = []

        def rendered(*seen: Any) -> Picture:
            asked[:] = [seen]
            return render(*seen)

        def followed(frame: Frame) -> tuple[Event, ...]:
            film.shots.append((Frame(frame.picture[:0], frame.t_ns, frame.within_ns, frame.number), asked[0]))
            return see(frame)

        with patch.object(scene, "frame", rendered), patch.object(tracker, "see", followed):
            while not film.demo.is_over:
                film.demo.step()
        return film

    @property
    def lays(self) -> list[TrueLay]:
        """What was laid in truth."""
        return self.demo.table.world.lays

    def frames(self) -> Iterator[Frame]:
        """The film from its beginning."""
        for shot, seen in self.shots:
            yield Frame(self.demo.table.scene.frame(*seen), shot.t_ns, shot.within_ns, shot.number)

    def shown_to(self, tracker: Tracker) -> list[CardLaid]:
        """The lays that `tracker` tells of, as they stand in the end, lowest first."""
        told: dict[int, CardLaid] = {}
        for frame in self.frames():
            told |= {event.lay: event for event in tracker.see(frame) if isinstance(event, CardLaid)}
        return [told[lay] for lay in sorted(told)]
