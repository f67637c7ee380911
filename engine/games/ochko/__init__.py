"""Ochko (Очко, Двадцать одно): a banker against each punter in turn, nearest to 21 without going over.

`hands` counts cards and audits how they were drawn, `state` holds what is known, `judge` and `laying` decide,
`settling` says who has won a duel, `apply` carries out, `rounds` says what follows by itself.
"""

from engine.games.ochko.game import Ochko
from engine.games.ochko.state import Phase, State

__all__ = ["Ochko", "Phase", "State"]
