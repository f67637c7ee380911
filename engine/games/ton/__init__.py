"""Ton (Тонь): five cards, a widow that one player may buy, a point a trick, first to 15 takes the pot.

`state` holds what is known, `judge` and `laying` decide, `proofs` finds revokes, `apply` carries out, `rounds` says
what follows by itself.
"""

from engine.games.ton.game import Ton
from engine.games.ton.state import Phase, State

__all__ = ["Phase", "State", "Ton"]
