"""What could be seen of each lay by anybody who looks: the measure of evidence that is hidden."""

from __future__ import annotations

from cardtable.simulated.placing import index_points, open_indices
from cardtable.simulated.reach import Piece
from cardtable.simulated.scene import Scene
from cardtable.simulated.world import MS, TrueLay, World

ENOUGH_FRAMES = 6
"""A card whose index could be seen in fewer pictures than this is hidden."""
_NEAR_BEFORE_NS, _NEAR_AFTER_NS = 260 * MS, 200 * MS


class Sight:
    """Looks at the simulated table frame by frame, knowing where everything is."""

    def __init__(self, world: World, scene: Scene) -> None:
        self._world, self._scene = world, scene

    def note(self, t_ns: int) -> None:
        """Counts this frame for every card of which an index is to be seen in it."""
        waiting = {lay.key: lay for lay in self._world.lays[-12:] if lay.seen_frames < ENOUGH_FRAMES}
        if not waiting:
            return
        pieces = self._world.lies(t_ns)
        for place, piece in enumerate(pieces):
            lay = waiting.get(piece.key)
            if lay is not None and self._is_seen(piece, pieces[place + 1 :], t_ns):
                lay.seen_frames += 1

    def finish(self) -> None:
        """Notes for every lay whether another arm was near: then nobody can tell from the picture whose it was."""
        for lay in self._world.lays:
            lay.is_alone = self.was_alone(lay)

    def was_alone(self, lay: TrueLay) -> bool:
        """Whether no other seat's arm was near the pile when the card was laid."""
        return not any(
            seat != lay.seat and start < lay.touch_ns + _NEAR_AFTER_NS and end > lay.touch_ns - _NEAR_BEFORE_NS
            for seat, start, end in self._world.near
        )

    def _is_seen(self, piece: Piece, above: list[Piece], t_ns: int) -> bool:
        arms = self._world.arms(t_ns)
        for corner in open_indices(piece.place, [other.place for other in above]):
            points = index_points(piece.place, corner)[::2]
            if not any(self._scene.hides(arm, t_ns, (float(x), float(y))) for arm in arms for x, y in points):
                return True
        return False
