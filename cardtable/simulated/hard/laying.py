"""Cards laid as they should not be: two by two hands at once, half outside the zone, face down."""

from __future__ import annotations

import random
from functools import partial

from cardtable.simulated.book import Phase
from cardtable.simulated.camera import Place
from cardtable.simulated.party import Party
from cardtable.simulated.placing import GRIP_MM, PILE_MM, choose_place, toward
from cardtable.simulated.players import Manner, Player
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.world import MS

_APART_MM = 62.0
"""So far from the middle, each on his own side, two people lay at once."""
_REACH_MS = 400.0
_AGAIN_MS = 60.0


class OddLays:
    """People who have the card that is wanted, and lay it oddly."""

    def __init__(self, party: Party, rng: random.Random) -> None:
        self._party, self._rng = party, rng

    def two_at_once(self) -> bool:
        """Two hands come at the same time and lay side by side, some hundredths of a second apart."""
        able = self._able()
        if len(able) < 2:
            return False
        first, second = self._rng.sample(able, 2)
        if not self._lay_beside(first):
            return False
        self._party.world.after(self._rng.uniform(60, 180), partial(self._lay_beside, second))
        return True

    def half_outside(self) -> bool:
        """A card is laid short of the pile, so that about half of it lies outside the pile's zone."""
        able = self._able()
        if not able:
            return False
        player = self._rng.choice(able)
        x, y = toward(player.turn, -1.0)
        inside = PILE_MM / 2 - self._rng.uniform(5, 20)
        far = inside / max(abs(x), abs(y))
        place = Place(x * far, y * far, player.turn + self._rng.gauss(0, 12))
        return player.lay(player.cards_to_lay()[:1], Manner(planned="half-outside", place=place))

    def face_down(self) -> bool:
        """A card falls face down; whoever dropped it reaches again, turns it up and slaps."""
        able = self._able()
        if not able:
            return False
        player, world = self._rng.choice(able), self._party.world
        touch = world.now_ns + round(_REACH_MS * MS)
        if not player.is_free(touch) or world.in_flight():
            return False
        place = choose_place(self._rng, player.turn, [lying.piece for lying in world.lying[-2:]])
        piece = Piece(player.cards_to_lay()[0], place, world.new_key(), is_face_up=False)
        reach = self._reach(player, piece, stay_ms=self._rng.uniform(60, 160), brings=True)
        player.forget()
        player.busy_ns = reach.end_ns + 2_000 * MS
        world.moving.add(piece.card)
        world.reach_in(player.seat, reach)
        world.at(touch, partial(world.drop, piece))
        world.at(reach.end_ns + round(self._rng.uniform(0, 400) * MS), partial(self._turn_up, player, piece))
        return True

    def _turn_up(self, player: Player, piece: Piece) -> None:
        world = self._party.world
        touch = world.now_ns + round(_REACH_MS * MS)
        slap_ns = player.slap_for(touch)
        if slap_ns is None or world.button_free_ns(player.seat) > world.now_ns:
            world.after(_AGAIN_MS, partial(self._turn_up, player, piece))
            return
        reach = self._reach(player, piece, stay_ms=self._rng.uniform(80, 200), brings=False)
        player.busy_ns = reach.end_ns
        player.slap(touch, slap_ns)
        world.reach_in(player.seat, reach)
        world.at(touch, partial(self._turned_up, player, piece, slap_ns))

    def _turned_up(self, player: Player, piece: Piece, slap_ns: int) -> None:
        player.note(self._party.world.turn_up(player.seat, piece.key, slap_ns=slap_ns, planned="face-down"))

    def _reach(self, player: Player, piece: Piece, *, stay_ms: float, brings: bool) -> Reach:
        world, turn = self._party.world, player.turn + self._rng.gauss(0, 4)
        dx, dy = toward(turn, -GRIP_MM)
        touch = world.now_ns + round(_REACH_MS * MS)
        leave = touch + round(stay_ms * MS)
        return Reach(
            arm=player.arm,
            tip=(piece.place.x_mm + dx, piece.place.y_mm + dy),
            turn=turn,
            start_ns=world.now_ns,
            touch_ns=touch,
            leave_ns=leave,
            end_ns=leave + round(self._rng.uniform(300, 420) * MS),
            brings=(piece,) if brings else (),
            is_odd=True,
        )

    def _able(self) -> list[Player]:
        """Those who may lay what is wanted, and do not hold back."""
        if self._party.world.book.phase is not Phase.RACE:
            return []
        return [p for p in self._party.active() if p.cards_to_lay() and not p.is_done and not self._party.waits(p)]

    def _lay_beside(self, player: Player) -> bool:
        cards = player.cards_to_lay()[:1]
        if not cards or self._party.world.book.phase is not Phase.RACE:
            return False
        x, y = toward(player.turn, -_APART_MM)
        place = Place(x, y, player.turn + self._rng.gauss(0, 12))
        return player.lay(cards, Manner(planned="two-hands", place=place, reach_ms=_REACH_MS))
