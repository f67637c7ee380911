"""Hands that lay nothing: they rest, hover, set a card aside, knock the pile apart and square it up."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from cardtable.simulated.book import Phase
from cardtable.simulated.camera import Place
from cardtable.simulated.party import Party
from cardtable.simulated.placing import COVER_MM, GRIP_MM, toward
from cardtable.simulated.players import Player
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.world import MS, World
from engine.cards import Card

_BESIDE_MM = (55.0, 90.0)
"""How far from the middle a hand hovers, or rests beside the pile."""
_EDGE_MM = 330.0
"""Here the picture ends above and below; at its sides much of the table is still to be seen."""
_STEPS, _SOON = 5, 3
_LEAST_PUSHED = 3
_KNOCKED_MM = 75.0
"""No card is knocked further from the middle."""


class Meddlers:
    """People whose hands are where they have no business to be."""

    def __init__(self, party: Party, rng: random.Random) -> None:
        self._party, self._rng = party, rng

    @property
    def _world(self) -> World:
        return self._party.world

    def rest(self) -> bool:
        """A hand comes to rest on the pile or beside it, and stays for seconds."""
        player = self._idle()
        if player is None or self._is_crowded():
            return False
        is_beside = self._rng.random() < 0.5
        back = -self._rng.uniform(*_BESIDE_MM) if is_beside else COVER_MM * self._rng.uniform(0.2, 1.0)
        stay_ms = self._rng.uniform(1200, 3500)
        reach = self._reach(player, toward(player.turn, back), stay_ms, is_beside=is_beside)
        self._send(player, reach)
        return True

    def hover(self) -> bool:
        """Somebody sets out with a card, stops beside the pile, and takes it away again."""
        player = self._idle()
        cards = self._spare(player) if player else []
        if player is None or not cards or not self._world.in_flight():
            return False
        tip = toward(player.turn, -self._rng.uniform(*_BESIDE_MM))
        dx, dy = toward(player.turn, GRIP_MM)
        place = Place(tip[0] + dx, tip[1] + dy, player.turn + self._rng.gauss(0, 12))
        piece = Piece(self._rng.choice(cards), place, self._world.new_key())
        reach = self._reach(player, tip, self._rng.uniform(150, 700), is_beside=True)
        reach = replace(reach, pose="grip", brings=(piece,), keeps=True)
        self._world.moving.add(piece.card)
        self._send(player, reach)
        self._world.at(reach.end_ns, partial(self._world.moving.discard, piece.card))
        return True

    def lay_aside(self) -> bool:
        """Somebody puts a card before himself, half out of the picture where that is near, and takes it up again."""
        player = self._idle()
        cards = self._spare(player) if player else []
        if player is None or not cards:
            return False
        x, y = toward(player.turn, -_EDGE_MM)
        piece = Piece(self._rng.choice(cards), Place(x, y, player.turn + self._rng.gauss(0, 20)), self._world.new_key())
        tip = toward(player.turn, -_EDGE_MM - GRIP_MM)
        reach = self._reach(player, tip, self._rng.uniform(60, 200), is_beside=True)
        reach = replace(reach, pose="grip", brings=(piece,))
        self._world.moving.add(piece.card)
        self._send(player, reach)
        self._world.at(reach.touch_ns, partial(self._world.put, piece))
        self._world.at(reach.end_ns + round(self._rng.uniform(300, 2500) * MS), partial(self._take_up, player, piece))
        return True

    def _take_up(self, player: Player, piece: Piece) -> None:
        if player.busy_ns > self._world.now_ns:
            self._world.after(100, partial(self._take_up, player, piece))
            return
        tip = toward(player.turn, -_EDGE_MM - GRIP_MM)
        reach = replace(self._reach(player, tip, 100, is_beside=True), pose="grip", fetches=(piece,))
        player.busy_ns = reach.end_ns
        self._world.fetch(player.seat, reach, partial(self._took_up, player, piece))

    def _took_up(self, player: Player, piece: Piece, _: list[Piece]) -> None:
        self._world.moving.discard(piece.card)
        self._party.reconsider(player)

    def knock_apart(self) -> bool:
        """A hand sweeps through the pile: its upper cards slide and turn."""
        count = self._rng.randint(2, 6)
        return self._push(lambda pieces: {piece.key: self._knocked(piece.place) for piece in pieces[-count:]})

    def square_up(self) -> bool:
        """A hand pushes the whole pile together."""
        turn = self._rng.uniform(-90, 90)
        return self._push(lambda pieces: {piece.key: self._squared(piece.place, turn) for piece in pieces})

    def _push(self, goals_of: Callable[[Sequence[Piece]], dict[int, Place]]) -> bool:
        player, pieces = self._idle(), self._world.lies(self._world.now_ns)
        if player is None or len(pieces) < _LEAST_PUSHED or self._is_crowded() or not pieces[-1].is_face_up:
            return False
        reach = self._reach(player, toward(player.turn, COVER_MM / 2), self._rng.uniform(300, 600), is_beside=False)
        self._send(player, reach)
        goals = goals_of(pieces)
        before = {piece.key: piece.place for piece in pieces}
        for step in range(1, _STEPS + 1):
            places = {key: _between(before[key], goal, step / _STEPS) for key, goal in goals.items()}
            self._world.at(reach.touch_ns + step * 33 * MS, partial(self._world.move, places))
        return True

    def _knocked(self, place: Place) -> Place:
        x, y = (max(-_KNOCKED_MM, min(_KNOCKED_MM, v + self._rng.gauss(0, 26))) for v in (place.x_mm, place.y_mm))
        return Place(x, y, place.turn + self._rng.gauss(0, 18))

    def _squared(self, place: Place, turn: float) -> Place:
        straight = turn + 180 * round((place.turn - turn) / 180)
        return Place(self._rng.gauss(0, 3), self._rng.gauss(0, 3), straight + self._rng.gauss(0, 2))

    def _idle(self) -> Player | None:
        """Somebody who has cards and nothing to do with his hands."""
        now = self._world.now_ns
        players = [p for p in self._party.players.values() if p.busy_ns <= now and p.hand and not p.is_done]
        is_on = self._world.book.phase is Phase.RACE
        return self._rng.choice(players) if players and is_on else None

    def _spare(self, player: Player) -> list[Card]:
        """Cards that will not be wanted within the next seconds."""
        needed = self._world.book.needed
        return sorted((card for card in player.hand if (card.rank - needed) % 13 > _SOON), key=str)

    def _is_crowded(self) -> bool:
        now = self._world.now_ns
        return any(reach.start_ns <= now < reach.leave_ns + 120 * MS for _, reach in self._world.reaches)

    def _reach(self, player: Player, tip: tuple[float, float], stay_ms: float, *, is_beside: bool) -> Reach:
        start = self._world.now_ns
        touch = start + round(self._rng.uniform(350, 500) * MS)
        leave = touch + round(stay_ms * MS)
        return Reach(
            arm=player.arm,
            tip=tip,
            turn=player.turn + self._rng.gauss(0, 4),
            start_ns=start,
            touch_ns=touch,
            leave_ns=leave,
            end_ns=leave + round(self._rng.uniform(380, 520) * MS),
            pose="flat",
            is_beside=is_beside,
        )

    def _send(self, player: Player, reach: Reach) -> None:
        player.busy_ns = reach.end_ns
        self._world.reach_in(player.seat, reach)


def _between(one: Place, other: Place, share: float) -> Place:
    return Place(
        one.x_mm + (other.x_mm - one.x_mm) * share,
        one.y_mm + (other.y_mm - one.y_mm) * share,
        one.turn + (other.turn - one.turn) * share,
    )
